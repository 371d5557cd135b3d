// Whether domain names can be bought, for how much, and which similar names are available (REG-32, REG-33). The platform
// answers POST requests that change nothing, so they are repeated like reads.
import type { Json, JsonObject } from '../../model/json.ts';
import { isJsonObject, valueAt } from '../../model/json.ts';
import { rowsAt } from '../../model/kind/rows.ts';
import type { ShownValue } from '../../model/shown.ts';
import type { AccountReader, Attempt } from '../common/view.ts';
import { defineView, moneyAt } from '../common/view.ts';

interface CheckedName {
  readonly domain: string;
  readonly answer: Json;
  /** Absent: the platform answered. */
  readonly unknown?: string;
}

const prices = defineView<CheckedName>({
  called: [['prices', 'price'], 'whether domain names can be bought, and for how much', { isNamed: true }],
  isOrdered: true,
  items: (reader, { names = [] }) => Promise.all(names.map((name) => checkName(reader, name))),
  id: ({ domain }) => domain,
  object: ({ domain, answer }) => ({ domain, ...objectIn(answer) }),
  columns: {
    name: ({ domain }) => domain,
    available: ({ answer, unknown }) =>
      unknown !== undefined
        ? { is: 'unknown', reason: unknown }
        : valueAt(answer, '/owned_by_account') === true
          ? 'registered in this account'
          : inWords(valueAt(answer, '/available')),
    price: ({ answer }) => moneyAt(answer, '/price'),
    'transfer price': ({ answer }) => moneyAt(answer, '/transfer_price'),
    premium: '/premium',
    note: ({ answer, unknown }) => unknown ?? textAt(answer, '/reason'),
  },
});

interface Suggestion {
  readonly row: JsonObject;
}

const suggestions = defineView<Suggestion>({
  called: [['suggestions', 'suggestion'], 'domain names similar to others, and the price of each', { isNamed: true }],
  items: async (reader, { names = [] }) => {
    const found = await Promise.all(names.map((name) => suggestionsFor(reader, name)));
    return found.flat().filter(({ row }, at, all) => all.findIndex((one) => one.row.domain === row.domain) === at);
  },
  id: ({ row }) => textAt(row, '/domain') ?? '',
  object: ({ row }) => row,
  columns: {
    name: '/domain',
    available: ({ row }) => inWords(row.available),
    price: ({ row }) => moneyAt(row, '/price'),
    source: '/source',
  },
});

async function checkName(reader: AccountReader, domain: string): Promise<CheckedName> {
  const found = await postRead(reader, 'check', domain);
  if (found.is === 'read') {
    const { answer } = found;
    const isKnown = valueAt(answer, '/owned_by_account') === true || typeof valueAt(answer, '/available') === 'boolean';
    if (isKnown) return { domain: textAt(answer, '/domain') ?? domain, answer };
  }
  const unknown = found.is === 'unknown' ? found.reason : 'the platform does not report it';
  // A failed check does not mean that the name is taken (ORD-38).
  reader.missed.push({ of: domain, what: 'availability', reason: unknown });
  return { domain, answer: {}, unknown };
}

async function suggestionsFor(reader: AccountReader, domain: string): Promise<readonly Suggestion[]> {
  const found = await postRead(reader, 'suggestions', domain);
  if (found.is === 'read')
    return rowsAt(found.answer, '/suggestions').flatMap((row) => (typeof row.domain === 'string' ? [{ row }] : []));
  if (found.is === 'unknown') reader.missed.push({ of: domain, what: 'suggestions', reason: found.reason });
  return [];
}

async function postRead(reader: AccountReader, endpoint: string, domain: string): Promise<Attempt> {
  try {
    return { is: 'read', answer: await reader.readByPost(`/api/domain_registrations/${endpoint}`, { domain }) };
  } catch (error) {
    const failed = reader.failed(error);
    if (failed.is !== 'unknown') return failed;
    const { code = '' } = failed;
    return Object.hasOwn(REASONS, code) ? { ...failed, reason: REASONS[code] as string } : failed;
  }
}

/** Error codes of one name. The other names are shown. */
const REASONS: Readonly<Record<string, string>> = {
  missing_domain: 'it is not a domain name',
  invalid_domain: 'it is not a full domain name, such as example.com',
  unknown_tld: 'the platform does not sell names of this TLD',
  request_failed: 'the registry did not answer; try again later',
  missing_api_key: 'the platform has no suggestions',
  registrar_unavailable: 'the registrar is unreachable',
};

function inWords(available: Json | undefined): ShownValue {
  return available === true ? 'yes' : available === false ? 'no' : null;
}

function textAt(value: Json, pointer: string): string | null {
  const found = valueAt(value, pointer);
  return typeof found === 'string' ? found : null;
}

function objectIn(answer: Json): JsonObject {
  return isJsonObject(answer) ? answer : {};
}

export const priceViews = [prices, suggestions];
