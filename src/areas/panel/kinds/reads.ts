// What is read of panel accounts and what the rows say: one list, and what it may not reach by itself.
import { canonicalHostname } from '../../../model/hostname.ts';
import type { Json, JsonObject } from '../../../model/json.ts';
import { isJsonObject, valueAt } from '../../../model/json.ts';
import type { Answers, Incomplete, ReadContext, Blocker } from '../../../model/kind/kind.ts';
import { rowsAt, textAt } from '../../../model/kind/rows.ts';
import { namesFrom } from '../../registration/kinds/registered-name.ts';

/** However it is paged, the list ends here (LIM-05). */
const REACHABLE = 500;

/** The smallest page, where a server does not take the size that it is asked for (LIM-01). */
const PAGE = 50;

/**
 * What a list of more than one page does not show of what is declared or known, each with the search for it: a row may
 * have slid from one page to another between two reads, or stand beyond the limit, and what seems missing is bought.
 */
export function narrowed({ declared, ids = [], answers }: ReadContext): Readonly<Record<string, string>> {
  const rows = rowsAt(answers.list);
  if (rows.length < PAGE) return {};
  const shown = new Set(rows.flatMap((row) => [textAt(row, '/username'), ...domainOf(row)]));
  const wanted = [...declared.members.flatMap(({ keys }) => keys.flat()), ...ids];
  return Object.fromEntries(
    wanted.filter((text) => !shown.has(text)).map((text) => [text, `?per_page=100&q=${encodeURIComponent(text)}`]),
  );
}

/**
 * Every account that was read. Rows say whose they are, unless the platform has no record of its own; the header is
 * always sent and each is checked as well (CNV-08).
 */
export function decodePanel(answers: Answers, { account }: ReadContext) {
  const rows = new Map(
    allRows(answers)
      .filter((row) => !isOthers(row, account))
      .map((row) => [textAt(row, '/username'), row]),
  );
  return [...rows.values()].map(decodeRow);
}

/** Domains of accounts that no list shows: to buy one, its domain has to be registered in the workspace (PNL-13). */
export function toRegister({ declared, answers }: Pick<ReadContext, 'declared' | 'answers'>): readonly string[] {
  const shown = new Set(allRows(answers).flatMap(domainOf));
  const unbound = declared.members.filter(({ boundId }) => boundId === undefined);
  return unbound.flatMap(({ keys }) => keys.flat()).filter((domain) => !shown.has(domain));
}

/**
 * What stands in the way of an order: its domain is on an account of another workspace, or is not registered in this
 * one.
 */
export function orderBlockers(answers: Answers, context: ReadContext): Readonly<Record<string, Blocker>> {
  const { registrations } = answers;
  if (registrations === undefined || registrations === null) return takenDomains(answers, context);
  const arrived = rowsAt(registrations).filter(({ status }) => status !== 'PENDING_TRANSFER');
  const names = new Set(arrived.map((row) => canonicalHostname(textAt(row, '/name'))));
  const isRegistered = (domain: string): boolean => namesFrom(domain).some((name) => names.has(name));
  const missing = toRegister({ ...context, answers }).filter((domain) => !isRegistered(domain));
  const unregistered = context.declared.members.flatMap(({ identity, keys }) => {
    const domain = keys.flat().find((key) => missing.includes(key));
    return domain === undefined ? [] : [[identity, notRegistered(domain)] as const];
  });
  return { ...Object.fromEntries(unregistered), ...takenDomains(answers, context) };
}

function notRegistered(domain: string): Blocker {
  return {
    reason: `the domain ${domain} is not registered in this workspace, and an account is bought only for one that is`,
    remedy:
      'Register or transfer it first, for example with a DomainRegistration manifest, or order the account for another domain.',
    rule: 'PNL-16',
    unlessDeclared: true,
  };
}

/**
 * A domain is on one hosting account: what another workspace has is not to be had, nor taken for one's own (PNL-16).
 */
function takenDomains(answers: Answers, { account, declared }: ReadContext): Readonly<Record<string, Blocker>> {
  const taken = new Set(
    allRows(answers)
      .filter((row) => isOthers(row, account))
      .flatMap(domainOf),
  );
  const blocker: Blocker = {
    reason: 'its domain is the primary domain of an account of another workspace',
    remedy: 'Free the domain there first, or order the account for another one.',
    rule: 'PNL-16',
  };
  return Object.fromEntries(
    declared.members
      .filter(({ keys }) => keys.flat().some((key) => taken.has(key)))
      .map(({ identity }) => [identity, blocker]),
  );
}

/**
 * At the limit only a search that found nothing shows that there is nothing; of what the ledger knows to be ours not
 * even that.
 */
export function isCutOff({ list, narrowed: found }: Answers, { declared, owned }: ReadContext): Incomplete | null {
  if (rowsAt(list).length < REACHABLE) return null;
  const domains = new Set(foundRows(found).flatMap(domainOf));
  return {
    reason: `no more than ${REACHABLE} panel accounts can be listed, and a search does not show this one`,
    remedy:
      'Write its username as metadata.id; or look in the dashboard whether it is there, and run `hostwright ledger forget` when it is not.',
    rule: 'PNL-11',
    as: 'unknown',
    absent: declared.members
      .filter(({ identity, keys }) => !owned.has(identity) && keys.flat().some((key) => !domains.has(key)))
      .map(({ identity }) => identity),
  };
}

function decodeRow(row: JsonObject) {
  const key = valueAt(row, '/package/key');
  return {
    id: textAt(row, '/username'),
    // Which code belongs to which key is not documented, so only the key is compared (GAP-47).
    spec: typeof key === 'string' ? { package: key.toLowerCase() } : {},
    computed: {
      state: textAt(row, '/state'),
      code: valueAt(row, '/package/code') ?? null,
      localPackage: row.local_package ?? null,
      primaryDomain: domainOf(row)[0] ?? null,
      term: valueAt(row, '/subscription/term') ?? null,
      leavesAt: row.delete_scheduled_at ?? null,
      ...(typeof row.created_at === 'string' && { createdAt: row.created_at }),
    },
    keys: [domainOf(row)],
  };
}

/** An account that is being set up may have none yet (GAP-46). */
function domainOf(row: JsonObject): readonly string[] {
  const domain = row.primary_domain;
  return typeof domain === 'string' ? [canonicalHostname(domain)] : [];
}

function allRows({ list, narrowed: found }: Answers): readonly JsonObject[] {
  return [...rowsAt(list), ...foundRows(found)];
}

function isOthers(row: JsonObject, account: string): boolean {
  return ![undefined, account].includes(valueAt(row, '/account/id') as string | undefined);
}

function foundRows(found: Json | undefined): readonly JsonObject[] {
  return isJsonObject(found) ? Object.values(found).flatMap((rows) => rowsAt(rows)) : [];
}
