// The use case `registration check`: whether names can be bought, for how much, and which others there are (REG-32,
// REG-33). The POSTs only ask, so they are asked again where a read would be; a check that failed is not "taken"
// (ORD-38).
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { Json } from '../../model/json.ts';
import { isJsonObject, valueAt } from '../../model/json.ts';
import { rowsAt } from '../../model/kind/rows.ts';
import { showPrice } from '../../model/price.ts';
import { ApiError } from '../../platform/api-error.ts';
import type { OpenAccount } from '../contact/open-account.ts';
import { withAccount } from '../contact/open-account.ts';
import type { Session } from '../session.ts';
import type { SiteResult } from '../site/open-site.ts';

export interface CheckedName {
  readonly domain: string;
  /** yes: it can be bought at this price. unknown: the check failed, which says nothing about the name. */
  readonly available: 'yes' | 'no' | 'ours' | 'unknown';
  /** `12.00 EUR` */
  readonly price?: string;
  readonly transferPrice?: string;
  readonly premium?: boolean;
  readonly note?: string;
  /** It was not asked for, but suggested. */
  readonly suggested?: true;
}

export interface CheckOptions {
  readonly suggest?: boolean;
}

/** Asks for each name, and for others like it where they are wanted. */
export function checkNames(
  session: Session,
  names: readonly string[],
  { suggest = false }: CheckOptions,
): Promise<SiteResult<readonly CheckedName[]>> {
  return withAccount(session, async (account) => {
    const [checked, suggested] = await Promise.all([
      Promise.all(names.map((name) => checkName(account, name))),
      Promise.all(suggest ? names.map((name) => suggestionsFor(account, name)) : []),
    ]);
    const unknown = checked.filter(({ available }) => available === 'unknown');
    return {
      outcome: unknown.length === 0 ? 'done' : 'error',
      value: [...checked, ...suggested.flatMap((one) => ('diagnostic' in one ? [] : one))].filter(isFirst),
      diagnostics: [
        ...unknown.map(notTold),
        ...suggested.flatMap((one) => ('diagnostic' in one ? [one.diagnostic] : [])),
      ],
    };
  });
}

async function checkName({ client }: OpenAccount, name: string): Promise<CheckedName> {
  try {
    const answer = await client.ask('/api/domain_registrations/check', { domain: name });
    const { domain, available, premium, owned_by_account: ours, reason } = isJsonObject(answer) ? answer : {};
    const price = priceIn(answer, '/price');
    const transferPrice = priceIn(answer, '/transfer_price');
    return {
      domain: typeof domain === 'string' ? domain : name,
      available: ours === true ? 'ours' : available === true ? 'yes' : available === false ? 'no' : 'unknown',
      ...(price !== undefined && { price }),
      ...(transferPrice !== undefined && { transferPrice }),
      ...(typeof premium === 'boolean' && { premium }),
      ...(typeof reason === 'string' && ours !== true && { note: reason }),
    };
  } catch (error) {
    if (!(error instanceof ApiError) || !isAboutTheName(error)) throw error;
    return { domain: name, available: 'unknown', note: inWords(error) };
  }
}

async function suggestionsFor(
  { client }: OpenAccount,
  name: string,
): Promise<readonly CheckedName[] | { readonly diagnostic: Diagnostic }> {
  try {
    const answer = await client.ask('/api/domain_registrations/suggestions', { domain: name });
    return rowsAt(answer, '/suggestions').flatMap((row): readonly CheckedName[] => {
      const price = priceIn(row, '/price');
      return typeof row.domain !== 'string'
        ? []
        : [
            {
              domain: row.domain,
              available: row.available === true ? 'yes' : row.available === false ? 'no' : 'unknown',
              ...(price !== undefined && { price }),
              ...(typeof row.source === 'string' && { note: row.source }),
              suggested: true,
            },
          ];
    });
  } catch (error) {
    if (!(error instanceof ApiError) || !isAboutTheName(error)) throw error;
    return { diagnostic: diagnose('HW4585', `For ${name}: ${inWords(error)}.`) };
  }
}

/** What ends one line and not the command. */
const ABOUT_THE_NAME: Readonly<Record<string, string>> = {
  missing_domain: 'it is no name',
  invalid_domain: 'it is no full name, such as example.com',
  unknown_tld: 'the platform sells no names of this TLD',
  request_failed: 'the registry did not answer; ask again later',
  missing_api_key: 'the platform makes no suggestions',
  registrar_unavailable: 'the registrar cannot be reached',
};

function isAboutTheName({ code }: ApiError): boolean {
  return code !== null && Object.hasOwn(ABOUT_THE_NAME, code);
}

function inWords({ code }: ApiError): string {
  return ABOUT_THE_NAME[code ?? ''] ?? '';
}

function notTold({ domain, note }: CheckedName): Diagnostic {
  return diagnose(
    'HW4584',
    `${domain}: ${note ?? 'the platform does not say'}. That says nothing about whether it is taken.`,
  );
}

function priceIn(answer: Json, pointer: string): string | undefined {
  const price = valueAt(answer, pointer);
  if (!isJsonObject(price)) return undefined;
  const { amount_cents: amountCents, currency } = price;
  return typeof amountCents === 'number' && typeof currency === 'string'
    ? showPrice({ amountCents, currency })
    : undefined;
}

/** A name that was asked for is not suggested as well. */
function isFirst({ domain }: CheckedName, index: number, all: readonly CheckedName[]): boolean {
  return all.findIndex((one) => one.domain === domain) === index;
}
