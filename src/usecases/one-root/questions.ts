// What is only looked at: which roots an account has, the DNS records that one of them needs, what a name costs.
import type { Address } from '../../model/address.ts';
import { addressOf } from '../../model/address.ts';
import type { Desired } from '../../model/desired.ts';
import type { PublishedRecord } from '../../model/dns.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { JsonObject } from '../../model/json.ts';
import { quoteOf } from '../../model/kind/kind.ts';
import type { Quote } from '../../model/kind/quote.ts';
import { registry } from '../../areas/index.ts';
import { askQuotes } from '../../observe/quotes.ts';
import { Stopped } from '../client.ts';
import { recordsReport } from '../dns/records.ts';
import { whyIdle } from '../write/live.ts';
import { readValues } from './documents.ts';
import type { RootAccess, FoundRoot } from './live-root.ts';
import { accountOf, findRoot, namedRootsOf } from './live-root.ts';

export interface ListedRoot {
  readonly id: string;
  /** What the platform calls it. */
  readonly name: string;
  /** No two of a kind have the same. */
  readonly address: Address;
  /** Why nothing can be done with it. Absent: something can. */
  readonly idle?: string;
}

export type ListedRoots =
  | { readonly is: 'read'; readonly roots: readonly ListedRoot[] }
  | { readonly is: 'unread'; readonly reason: string; readonly isOff: boolean };

/** All live roots of a kind. */
export async function listRoots(access: RootAccess, kindName: string): Promise<ListedRoots> {
  const kind = registry.get(kindName);
  if (kind === undefined) return { is: 'read', roots: [] };
  const { collection, roots } = await namedRootsOf(accountOf(access), kind);
  if (collection.state !== 'read')
    return {
      is: 'unread',
      reason: collection.reason,
      isOff: collection.state === 'blocked' && collection.off === true,
    };
  return {
    is: 'read',
    roots: roots.map((root) => {
      const { member, address } = root;
      const idle = whyIdle(root);
      return {
        id: member.id,
        name: kind.manifest?.file?.called(member)[0] ?? member.keys[0]?.[0] ?? member.id,
        address,
        ...(idle !== undefined && { idle }),
      };
    }),
  };
}

export interface FoundRecords {
  readonly records: readonly PublishedRecord[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A live root with what its DNS records are worked out from, and nothing else of it. */
export function findRootForRecords(access: RootAccess, kind: string, called: string): Promise<FoundRoot> {
  return findRoot(access, kind, called, ({ capabilities }) => capabilities.records !== undefined);
}

/** The DNS records that a live root needs. The DNS is not asked: only what the platform says of them counts. */
export async function recordsOfRoot(
  { session, workspace, client, ledger }: RootAccess,
  kind: string,
  { name, id, documents }: Extract<FoundRoot, { readonly is: 'found' }>,
): Promise<FoundRecords> {
  const values = documents.map((value) => {
    const isRoot = value.kind === kind;
    const metadata = value.metadata as JsonObject;
    return { name: addressOf(null, kind, name), value: isRoot ? { ...value, metadata: { ...metadata, id } } : value };
  });
  const { declared, diagnostics } = await readValues(values);
  if (hasErrors(diagnostics)) return { records: [], diagnostics };
  try {
    const found = await recordsReport(
      { session, workspace, client, ledger, opened: { declared } },
      { paths: [], resolve: false, resolvers: [] },
    );
    return { records: found.report?.records ?? [], diagnostics: found.diagnostics };
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    return { records: [], diagnostics: error.diagnostics };
  }
}

/** Whether a name can be bought, and for how much (REG-32): a question, which buys nothing. */
export async function quoteName(
  { client }: RootAccess,
  name: string,
  action: string,
): Promise<Quote | { readonly reason: string }> {
  const kind = [...registry.values()].find(({ create }) => quoteOf(create) !== undefined);
  const desired = { identity: name, spec: { name, order: { action } } } as unknown as Desired;
  const quotes = kind === undefined ? undefined : await askQuotes(kind, [desired], client);
  return quotes?.[name] ?? { reason: 'the platform was not asked' };
}
