// The use case `dns`: which DNS records the desired state needs, and which of them are published. Sends nothing but
// reads, and writes no file.
import { kindOf } from '../../model/address.ts';
import type { Desired, DesiredCollection } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { DnsReport, Lookup, LookupAnswer, Lookups } from '../../model/dns.ts';
import { lookupKey } from '../../model/dns.ts';
import type { JsonObject } from '../../model/json.ts';
import type { RecordCheck, RecordContext, RecordsDefinition } from '../../model/kind/capabilities/records.ts';
import { ShapeError } from '../../model/kind/rows.ts';
import type { NeededRecord, Question } from '../../planner/records.ts';
import { judgeRecords, questionsFor, questionsForAliases } from '../../planner/records.ts';
import { registry } from '../../areas/index.ts';
import { createDnsLookup } from '../../platform/dns-lookup.ts';
import type { Client } from '../../platform/http.ts';
import { readOptional } from './optional-reads.ts';
import type { LiveAccount } from '../plan/read-account.ts';
import { memberOf, readAccount } from '../plan/read-account.ts';
import type { Session } from '../session.ts';
import { sideBySide } from '../side-by-side.ts';
import { noWorkspaceFor } from '../workspace-file.ts';
import { openWorkspace } from '../workspace.ts';
import type { Account } from '../account.ts';
import { withAccount } from '../account.ts';
import type { Access } from '../client.ts';
import { stopAtErrors } from '../client.ts';

export interface DnsOptions {
  /** Files, folders, globs or `-`; empty: what the workspace names. */
  readonly paths: readonly string[];
  /** Ask the DNS of what the platform does not report. */
  readonly resolve: boolean;
  /** Name servers to ask; empty: those of this machine. */
  readonly resolvers: readonly string[];
}

export interface DnsResult {
  readonly report?: DnsReport;
  /** How the platform can be asked to look again. */
  readonly checks?: readonly RecordCheck[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The records of everything that is declared, or the diagnostics that forbid a list. */
export async function listRecords(session: Session, options: DnsOptions): Promise<DnsResult> {
  const opened = await openWorkspace(session, options.paths);
  const { requests: _requests, ...result } = await withAccount(
    session,
    {
      ...opened,
      diagnostics: noWorkspaceFor(opened.diagnostics, '`dns` works the records out from the manifests of a workspace.'),
    },
    (account): Promise<DnsResult> => recordsReport(account, options),
    { tellAll: true },
  );
  return result;
}

/** What an account is looked at with. */
type Looked = Access & {
  readonly opened: Pick<Account['opened'], 'declared'>;
};

/** The records of what is declared. Throws `Stopped` where the account cannot be read. */
export async function recordsReport(account: Looked, options: DnsOptions): Promise<DnsResult> {
  const { records, checks, diagnostics } = await needRecords(account);
  const lookups = await lookAll(account.session, options, records);
  const report = { account: account.workspace.account, records: judgeRecords(records, lookups) };
  return { report, ...(checks.length > 0 && { checks }), diagnostics: [...diagnostics, ...failedLookups(lookups)] };
}

interface Needed {
  readonly records: readonly NeededRecord[];
  readonly checks: readonly RecordCheck[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Only what records are worked out from is read: the roots, and the sections of kinds that have records. */
function relevant(declared: readonly DesiredCollection[]): readonly DesiredCollection[] {
  const sections = declared.filter(({ kind }) => registry.get(kind)?.capabilities.records !== undefined);
  const roots = new Set(sections.map(({ parent, kind }) => (parent === null ? kind : registry.get(kind)?.parent)));
  return declared.filter(
    (collection) => sections.includes(collection) || (collection.parent === null && roots.has(collection.kind)),
  );
}

async function needRecords({ session, workspace, opened, client, ledger }: Looked): Promise<Needed> {
  const declared = relevant(opened.declared);
  if (declared.length === 0) return { records: [], checks: [], diagnostics: [] };
  const live = await readAccount({
    client,
    account: workspace.account,
    registry,
    declared,
    ledger,
    emit: session.emit,
    concurrency: session.concurrency,
  });
  stopAtErrors(live.diagnostics);
  const parts = await Promise.all(live.declared.map((collection) => recordsIn({ client, live }, collection)));
  return together([{ records: [], checks: [], diagnostics: live.diagnostics }, ...parts]);
}

function together(parts: readonly Needed[]): Needed {
  return {
    records: parts.flatMap(({ records }) => records),
    checks: parts.flatMap(({ checks }) => checks),
    diagnostics: parts.flatMap(({ diagnostics }) => diagnostics),
  };
}

interface Looking {
  readonly client: Pick<Client, 'read'>;
  readonly live: LiveAccount;
}

async function recordsIn(looking: Looking, declared: DesiredCollection): Promise<Needed> {
  const definition = registry.get(declared.kind)?.capabilities.records;
  if (definition === undefined) return { records: [], checks: [], diagnostics: [] };
  // While the roots are unread it is not known either that the object that this belongs to is not there.
  const observation = [declared.collection, kindOf(declared.parent ?? declared.collection)].flatMap(
    (name) => looking.live.observed.get(name) ?? [],
  );
  const collection = observation.find(({ state }) => state !== 'read');
  if (collection !== undefined && collection.state !== 'read')
    return {
      records: [],
      checks: [],
      diagnostics: [unread(declared.collection, `${collection.reason}. ${collection.remedy}`)],
    };
  const wanted = declared.members.filter(({ lifecycle }) => lifecycle.state === 'present');
  return together(
    await Promise.all(
      wanted.map((desired) => recordsOf(definition, desired, contextOf(looking, declared, desired), looking.client)),
    ),
  );
}

function contextOf({ live }: Looking, { parent }: DesiredCollection, desired: Desired): RecordContext<JsonObject> {
  const member = memberOf(live, desired);
  const recorded = live.ledger.objects.get(desired.address);
  return {
    desired: desired.spec,
    live: member ?? null,
    parent: parent === null ? null : (live.bound.get(parent) ?? null),
    // What was told of another object that once had this address is not this one's.
    outputs: member !== undefined && recorded?.id === member.id ? recorded.outputs : {},
  };
}

async function recordsOf(
  definition: RecordsDefinition<JsonObject>,
  { address }: Desired,
  context: RecordContext<JsonObject>,
  client: Pick<Client, 'read'>,
): Promise<Needed> {
  const { answers, failed } = await readOptional(client, definition.reads?.(context) ?? {});
  const diagnostics = failed.map(({ path, message }) => unread(address, `GET ${path} failed: ${message}.`));
  try {
    const records = definition.records(context, answers).map((record) => ({ ...record, address }));
    const check = definition.check?.(context, answers);
    return { records, checks: check === undefined ? [] : [check], diagnostics };
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    diagnostics.push(unread(address, `The answer is not what the documents say: ${error.message}.`));
    return { records: [], checks: [], diagnostics };
  }
}

/** The looks at the DNS that the records ask for, a few at a time. */
async function lookAll(
  session: Session,
  { resolve, resolvers }: DnsOptions,
  records: readonly NeededRecord[],
): Promise<Lookups> {
  const lookups = new Map<string, LookupAnswer>();
  if (!resolve) return lookups;
  const lookup = session.lookup ?? createDnsLookup({ servers: resolvers, signal: session.stop });
  await lookEach(lookup, questionsFor(records), lookups, session.concurrency);
  const again = questionsForAliases(records, lookups).filter(({ name, type }) => !lookups.has(lookupKey(name, type)));
  await lookEach(lookup, again, lookups, session.concurrency);
  return lookups;
}

async function lookEach(
  lookup: Lookup,
  questions: readonly Question[],
  into: Map<string, LookupAnswer>,
  concurrency: number,
): Promise<void> {
  await sideBySide(questions, concurrency, async ({ name, type }) => {
    into.set(lookupKey(name, type), await lookup(name, type));
  });
}

function failedLookups(lookups: Lookups): readonly Diagnostic[] {
  return [...lookups].flatMap(([key, answer]): readonly Diagnostic[] => {
    if (answer.state !== 'failed') return [];
    return [
      diagnose(
        'HW3102',
        `${key}: ${answer.reason}. Whether the record is published is not known. Run it again, name another name server with --resolver, or leave the DNS out with --no-lookup.`,
      ),
    ];
  });
}

function unread(address: string, detail: string): Diagnostic {
  return diagnose('HW3101', detail, { address });
}
