// What a configuration only looks at: the answers of data sources.
import { parseAddress } from '../model/address.ts';
import type { PublishedRecord } from '../model/dns.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { diagnose, hasErrors } from '../model/diagnostic.ts';
import { showPrice } from '../model/price.ts';
import { findRootForRecords, listRoots, quoteName, recordsOfRoot } from '../usecases/one-root/questions.ts';
import type { Configured } from './configured.ts';
import { notThere, readResource } from './resource/read.ts';
import { toPrivate } from './state-view.ts';
import type { Fields, ResourceTable } from './value/attribute.ts';
import { isObject, textOf } from './value/convert.ts';
import type { Value, ValueObject } from './value/cty.ts';

export interface ReadData {
  /** Null with errors. */
  readonly values: Value;
  readonly diagnostics: readonly Diagnostic[];
}

/** A data source: what it was given and what is found. */
interface Question {
  readonly fields: Fields;
  readonly config: ValueObject;
  readonly configured: Configured;
  /** The table of a resource. */
  readonly tableOf: (type: string) => ResourceTable;
}

type Answer = (question: Question) => Promise<ReadData>;

const ANSWERS: Readonly<Record<string, Answer>> = {
  hostwright_site: readSite,
  hostwright_dns_records: readRecords,
  hostwright_domain_quote: readQuote,
  hostwright_account: readAccount,
};

/** Reads a data source. */
export function readData(type: string, question: Question): Promise<ReadData> {
  const answer = ANSWERS[type];
  if (answer === undefined) throw new Error(`there is no data source ${type}`);
  return answer(question);
}

/** What can be seen of a configuration before anything is asked. */
export function checkData(type: string, { site = null, mailspace = null, action = null }: ValueObject) {
  const diagnostics: Diagnostic[] = [];
  if (type === 'hostwright_dns_records' && (site === null) === (mailspace === null))
    diagnostics.push(diagnose('HW7021', 'Give exactly one of `site` and `mailspace`.'));
  if (typeof action === 'string' && !['register', 'transfer'].includes(action))
    diagnostics.push(diagnose('HW7021', `\`action\` is "register" or "transfer", not ${JSON.stringify(action)}.`));
  return diagnostics;
}

function failed(...diagnostics: readonly Diagnostic[]): ReadData {
  return { values: null, diagnostics };
}

/** The site as an import would have it: what no read tells is null. */
async function readSite({ fields, config, configured, tableOf }: Question): Promise<ReadData> {
  const table = tableOf('hostwright_site');
  const empty = Object.fromEntries(Object.keys(table.fields).map((name) => [name, null]));
  const { state, diagnostics } = await readResource(
    table,
    configured,
    { ...empty, id: config.name ?? null },
    toPrivate({ account: configured.workspace.account, imported: true }),
  );
  // What a configuration could not say is of no interest to whoever only looks.
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0 || !isObject(state)) return failed(...errors);
  return { values: { ...only(fields, state), name: config.name ?? null }, diagnostics: [] };
}

function only(fields: Fields, values: ValueObject): ValueObject {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, values[name] ?? null]));
}

async function readRecords({ config, configured }: Question): Promise<ReadData> {
  const access = configured.access();
  const kind = typeof config.site === 'string' ? 'Site' : 'Mailspace';
  const called = textOf(config.site ?? config.mailspace);
  const found = await findRootForRecords(access, kind, called);
  if (found.is === 'unread') return failed(...found.diagnostics);
  if (found.is === 'missing') return failed(notThere(kind, called, found.known));
  const { records, diagnostics } = await recordsOfRoot(access, kind, found);
  if (hasErrors(diagnostics)) return failed(...diagnostics);
  const target = records.find(({ type, value }) => type === 'CNAME' && value !== undefined);
  return {
    values: {
      ...config,
      cname_target: (kind === 'Site' ? target?.value : undefined) ?? null,
      verification: Object.fromEntries(
        records.flatMap((record) =>
          record.rule === PROOF && record.value !== undefined
            ? [[domainOf(record), { name: record.name, value: record.value }]]
            : [],
        ),
      ),
      records: records.map(
        ({ name, type, value = null, priority = null, purpose, at = null, optional = false, status }) => ({
          ...{ name, type, value, priority, purpose, at, optional, status },
        }),
      ),
    },
    diagnostics,
  };
}

/** The rule of the records that prove whose a domain is. */
const PROOF = 'MSP-17';

function domainOf({ address, name }: PublishedRecord): string {
  return parseAddress(address)?.at(-1)?.name ?? name;
}

async function readQuote({ config, configured }: Question): Promise<ReadData> {
  const quote = await quoteName(configured.access(), textOf(config.name), textOf(config.action ?? 'register'));
  if ('price' in quote) {
    const [amount = '', currency = ''] = showPrice(quote.price).split(' ');
    return { values: { ...config, available: true, price: { amount, currency }, reason: null }, diagnostics: [] };
  }
  const [reason, isUnknown] =
    'blocker' in quote ? [quote.blocker.reason, quote.blocker.as === 'unknown'] : [quote.reason, true];
  return { values: { ...config, available: isUnknown ? null : false, price: null, reason }, diagnostics: [] };
}

const LISTS: Readonly<Record<string, string>> = {
  sites: 'Site',
  mailspaces: 'Mailspace',
  domain_registrations: 'DomainRegistration',
  panel_accounts: 'PanelAccount',
  users: 'User',
};

async function readAccount({ configured }: Question): Promise<ReadData> {
  const access = configured.access();
  const lists = await Promise.all(
    Object.entries(LISTS).map(async ([name, kind]) => ({ name, listed: await listRoots(access, kind) })),
  );
  const values = lists.map(({ name, listed }): readonly [string, Value] => [
    name,
    listed.is === 'read'
      ? Object.fromEntries(listed.roots.map(({ id, name: called }) => [id, { name: called }]))
      : null,
  ]);
  const unread = lists.flatMap(({ name, listed }) =>
    listed.is === 'unread' ? [[name, { reason: listed.reason }] as const] : [],
  );
  return {
    values: {
      id: configured.workspace.account,
      ...Object.fromEntries(values),
      unread: Object.fromEntries(unread),
    },
    diagnostics: [],
  };
}
