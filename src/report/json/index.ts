// The JSON that programs read: the same document as the terminal shows, with the outcome's word and exit code, in a
// stable order of keys.
import type { ExpandedManifest } from '../../model/desired.ts';
import type { Exported, NotExported } from '../../model/plan/exported.ts';
import { EXPORT_FORMAT } from '../../model/plan/exported.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { sortDiagnostics, toShare } from '../../model/diagnostic.ts';
import type { DoctorReport } from '../../model/doctor.ts';
import { DOCTOR_FORMAT } from '../../model/doctor.ts';
import type { DnsReport, PublishedRecord } from '../../model/dns.ts';
import { DNS_FORMAT } from '../../model/dns.ts';
import type { Explained, ExplainedCode, ExplainedKind, ExplainedRule, ExplainedWord } from '../../model/explained.ts';
import type { Work } from '../../model/generated/output/work.ts';
import type { ActFormat, ActResult } from '../../model/plan/act.ts';
import type { AccountLedger } from '../../model/plan/ledgers.ts';
import type { RunHistory } from '../../model/plan/history.ts';
import type { LedgerView } from '../../model/plan/ledger-view.ts';
import type { GuardCheck } from '../../model/plan/guard-check.ts';
import type { Outcome, OutcomeWord } from '../../model/plan/outcome.ts';
import { EXIT_CODES } from '../../model/plan/outcome.ts';
import type { Action, Plan } from '../../model/plan/plan.ts';
import type { Rehearsal } from '../../model/plan/rehearsal.ts';
import type { EditedFile } from '../view/unified.ts';
import { escapeJson } from '../view/escape.ts';
import type { Graph } from '../graph/graph.ts';
import type { Items } from './pieces.ts';
import { piecesOf } from './pieces.ts';

const PLAN_KEYS: readonly (keyof Plan)[] = [
  'format',
  'planId',
  'ledgerSequence',
  'account',
  'digest',
  'summary',
  'actions',
  'bindings',
  'unmanaged',
  'orphaned',
  'blocked',
  'unknown',
  'waiting',
  'manual',
  'deferred',
  'covers',
  'notices',
  'drift',
  'ignored',
  'notWatched',
];
const ACTION_KEYS: readonly (keyof Action)[] = [
  'address',
  'kind',
  'digest',
  'verb',
  'reason',
  'source',
  'changes',
  'expect',
  'risk',
  'cost',
  'protected',
  'requires',
  'stage',
  'effects',
  'locks',
  'steps',
  'needs',
  'holds',
];
const OUTCOME_KEYS: readonly (keyof Outcome)[] = [
  'format',
  'outcome',
  'exitCode',
  'account',
  'planDigest',
  'actions',
  'remaining',
  'diagnostics',
  'requests',
];
const DIAGNOSTIC_KEYS: readonly (keyof Diagnostic)[] = [
  'code',
  'severity',
  'summary',
  'detail',
  'address',
  'pointer',
  'source',
  'frame',
];

/** The saved plan in pieces: what `apply` takes. */
export function savedPlanPieces(plan: Plan, rehearsal?: Rehearsal): Iterable<string> {
  return piecesOf({ ...inOrder(plan, PLAN_KEYS), ...(rehearsal !== undefined && { rehearsal }) }, PLAN_ITEMS);
}

interface PlanEnd {
  readonly outcome: OutcomeWord;
  readonly diagnostics: readonly Diagnostic[];
  readonly guardCheck?: GuardCheck;
  readonly rehearsal?: Rehearsal;
}

/** The plan carries its own notices; only what it does not carry is told beside it. */
export function besideNotices({ notices }: Plan, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const carried = new Set(notices.map((notice) => JSON.stringify(notice)));
  return diagnostics.filter((diagnostic) => !carried.has(JSON.stringify(toShare(diagnostic))));
}

/** The plan with how the command ends, in pieces; `apply` takes this one too. */
export function planPieces(plan: Plan, end: PlanEnd): Iterable<string> {
  const document = {
    ...inOrder(plan, PLAN_KEYS),
    ...ending(end.outcome),
    ...(end.guardCheck !== undefined && { guardCheck: end.guardCheck }),
    ...(end.rehearsal !== undefined && { rehearsal: end.rehearsal }),
    diagnostics: sortDiagnostics(end.diagnostics),
  };
  return piecesOf(document, { ...PLAN_ITEMS, diagnostics: diagnosticDocument });
}

/** {@link savedPlanPieces} as one text. */
export function renderSavedPlan(plan: Plan): string {
  return [...savedPlanPieces(plan)].join('');
}

/** {@link planPieces} as one text. */
export function renderPlanJson(plan: Plan, end: PlanEnd): string {
  return [...planPieces(plan, end)].join('');
}

export function renderOutcomeJson(outcome: Outcome): string {
  return print(inOrder({ ...outcome, diagnostics: diagnosticDocuments(outcome.diagnostics) }, OUTCOME_KEYS));
}

/** When there is nothing but diagnostics to tell. */
export function renderDiagnosticsJson(diagnostics: readonly Diagnostic[], outcome: OutcomeWord): string {
  return print({
    format: 'hostwright.diagnostics/1',
    ...ending(outcome),
    diagnostics: diagnosticDocuments(diagnostics),
  });
}

export function renderValidationJson(
  result: { readonly diagnostics: readonly Diagnostic[]; readonly manifests: number; readonly objects: number },
  outcome: OutcomeWord,
): string {
  const { manifests, objects, diagnostics } = result;
  return print({
    format: 'hostwright.validation/1',
    ...ending(outcome),
    manifests,
    objects,
    diagnostics: diagnosticDocuments(diagnostics),
  });
}

/** Manifests with their profiles in them. */
export function renderExpandedJson(
  manifests: readonly ExpandedManifest[],
  end: { readonly outcome: OutcomeWord; readonly diagnostics: readonly Diagnostic[] },
): string {
  return print({
    format: 'hostwright.expanded/1',
    ...ending(end.outcome),
    manifests,
    diagnostics: diagnosticDocuments(end.diagnostics),
  });
}

/** The order of a plan. */
export function renderGraphJson(
  graph: Graph,
  end: { readonly outcome: OutcomeWord; readonly diagnostics: readonly Diagnostic[] },
): string {
  return print({
    format: 'hostwright.graph/1',
    ...ending(end.outcome),
    ...graph,
    diagnostics: diagnosticDocuments(end.diagnostics),
  });
}

/** Documentation: one page, one diagnostic, one rule, one word of plans, or all kinds. */
export function renderExplainedJson(
  what:
    | { readonly page: Explained }
    | { readonly code: ExplainedCode }
    | { readonly rule: ExplainedRule }
    | { readonly word: ExplainedWord }
    | { readonly kinds: readonly ExplainedKind[] },
): string {
  return print({ format: 'hostwright.explained/1', ...ending('done'), ...what });
}

/** Manifests for what is live. */
export function renderExportJson(
  {
    manifests,
    program,
    files,
    edited,
    leftOut,
    requests,
  }: {
    readonly manifests: readonly Exported[];
    /** Configuration of Terraform, where it was asked for instead of manifests. */
    readonly files?: readonly { readonly file: string; readonly text: string }[];
    /** What declares the manifests, where it was asked for instead of their files. */
    readonly program?: { readonly file: string; readonly text: string };
    readonly edited: readonly string[];
    readonly leftOut: readonly NotExported[];
    readonly requests: number;
  },
  end: { readonly outcome: OutcomeWord; readonly diagnostics: readonly Diagnostic[] },
): string {
  const written = manifests.map(({ address, file, manifest, comments }) => ({ address, file, manifest, comments }));
  return print({
    format: EXPORT_FORMAT,
    ...ending(end.outcome),
    manifests: written,
    ...(program !== undefined && { program }),
    ...(files !== undefined && { files }),
    edited,
    leftOut,
    requests,
    diagnostics: diagnosticDocuments(end.diagnostics),
  });
}

const RECORD_KEYS: readonly (keyof PublishedRecord)[] = [
  'address',
  'name',
  'type',
  'value',
  'priority',
  'status',
  'found',
  'reason',
  'purpose',
  'rule',
  'optional',
  'at',
];

/** DNS records and what was found of them. */
export function renderDnsJson(
  { account, records }: DnsReport,
  end: { readonly outcome: OutcomeWord; readonly diagnostics: readonly Diagnostic[] },
): string {
  return print({
    format: DNS_FORMAT,
    ...ending(end.outcome),
    account,
    records: records.map((record) => inOrder(record, RECORD_KEYS)),
    diagnostics: diagnosticDocuments(end.diagnostics),
  });
}

/** Manifests that were edited, or would be. */
export function renderEditsJson(
  { files, written }: { readonly files: readonly EditedFile[]; readonly written: boolean },
  end: { readonly outcome: OutcomeWord; readonly diagnostics: readonly Diagnostic[] },
): string {
  return print({
    format: 'hostwright.edits/1',
    ...ending(end.outcome),
    written,
    files: files.map(({ file, before = null, after }) => ({ file, before, after })),
    diagnostics: diagnosticDocuments(end.diagnostics),
  });
}

export interface LedgerDocument {
  readonly view?: LedgerView;
  readonly message?: string;
  readonly diagnostics: readonly Diagnostic[];
}

export function renderLedgerJson({ view, message, diagnostics }: LedgerDocument, outcome: OutcomeWord): string {
  return print({
    format: 'hostwright.ledger/1',
    ...ending(outcome),
    ...(message !== undefined && { message }),
    ...(view !== undefined && {
      standing: view.standing,
      account: view.account ?? null,
      sequence: view.sequence,
      objects: [...view.objects.values()],
      inFlight: view.inFlight.map(({ runId, action, answered, unanswered, reason }) => ({
        runId,
        address: action.address,
        verb: action.verb,
        digest: action.digest,
        answered: Object.keys(answered),
        unanswered,
        reason,
      })),
      ...(view.runs !== undefined && {
        runs: view.runs.map(({ runId, planId, startedAtMs, approved, by, end }) => ({
          runId,
          planId,
          startedAt: new Date(startedAtMs).toISOString(),
          by,
          approved,
          ...(end !== undefined && { endedAt: new Date(end.atMs).toISOString(), complete: end.complete }),
        })),
      }),
      ...(view.openActs !== undefined && {
        openActs: view.openActs.map(({ sentAtMs, ...act }) => ({ ...act, sentAt: new Date(sentAtMs).toISOString() })),
      }),
      ...(view.doneActs !== undefined && {
        doneActs: view.doneActs.map(({ act, request, doneAtMs, untilMs }) => ({
          act,
          request,
          doneAt: new Date(doneAtMs).toISOString(),
          ...(untilMs !== undefined && { until: new Date(untilMs).toISOString() }),
        })),
      }),
    }),
    diagnostics: diagnosticDocuments(diagnostics),
  });
}

/**
 * What runs did, of one account, or of several where each run names its own. `checked` rows follow each from the one
 * before.
 */
export function renderHistoryJson(accounts: readonly HistoryDocument[], outcome: OutcomeWord): string {
  const timeOf = (atMs: number): string => new Date(atMs).toISOString();
  const [only] = accounts.filter(({ folder }) => folder === undefined);
  const runs = accounts.flatMap(({ account, runs: own }) =>
    (own ?? []).map(({ startedAtMs, endedAtMs, ...run }) => ({
      ...(only === undefined && { account }),
      ...run,
      startedAt: timeOf(startedAtMs),
      ...(endedAtMs !== undefined && { endedAt: timeOf(endedAtMs) }),
    })),
  );
  return print({
    format: 'hostwright.history/1',
    ...ending(outcome),
    account: only?.account ?? '*',
    checked: accounts.reduce((sum, { rows }) => sum + rows, 0),
    ...(accounts.some((one) => one.runs !== undefined) && { runs }),
    diagnostics: diagnosticDocuments(accounts.flatMap(({ diagnostics }) => diagnostics)),
  });
}

interface HistoryDocument {
  readonly account: string;
  /** Of several: the folder that it was found in. */
  readonly folder?: string;
  readonly runs?: readonly RunHistory[];
  readonly rows: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** The ledgers of all accounts of a database. */
export function renderLedgersJson(
  {
    ledgers,
    diagnostics,
  }: { readonly ledgers?: readonly AccountLedger[]; readonly diagnostics: readonly Diagnostic[] },
  outcome: OutcomeWord,
): string {
  return print({
    format: 'hostwright.ledgers/1',
    ...ending(outcome),
    ...(ledgers !== undefined && {
      accounts: ledgers.map(({ writtenAtMs, ...ledger }) => ({
        ...ledger,
        ...(writtenAtMs !== undefined && { writtenAt: new Date(writtenAtMs).toISOString() }),
      })),
    }),
    diagnostics: diagnosticDocuments(diagnostics),
  });
}

/**
 * What became of a command that does one thing, or looks at one (`schemas/act.schema.json`). What it shows is the
 * platform's own document, or ours; it stands under the name of what it is.
 */
export function renderActJson(
  { outcome, site, message, aside: _aside, diagnostics, ...values }: ActResult,
  format: ActFormat = 'hostwright.site/1',
): string {
  return print({
    format,
    ...ending(outcome),
    ...(site !== undefined && { site }),
    ...(message !== undefined && { message }),
    ...values,
    diagnostics: diagnosticDocuments(diagnostics),
  });
}

/** How workers stand, or what was done to their queue. */
export function renderWorkJson(
  {
    message,
    queue,
    accounts,
    diagnostics,
  }: Omit<Work, Ending | 'format' | 'diagnostics'> & Pick<ActResult, 'diagnostics'>,
  outcome: OutcomeWord,
): string {
  return print({
    format: 'hostwright.work/1',
    ...ending(outcome),
    ...(message !== undefined && { message }),
    ...(queue !== undefined && { queue }),
    ...(accounts !== undefined && { accounts }),
    diagnostics: diagnosticDocuments(diagnostics),
  });
}

/** What a look at the set-up found. */
export function renderDoctorJson({ findings, settings, requests }: DoctorReport, outcome: OutcomeWord): string {
  return print({ format: DOCTOR_FORMAT, ...ending(outcome), findings, settings, requests });
}

/** Any other document, in the order of its keys. */
export function renderJson(document: object): string {
  return print(document);
}

export const PLAN_ITEMS = {
  actions: (action: Action) => inOrder(action, ACTION_KEYS),
  notices: (notice: Diagnostic) => inOrder(notice, DIAGNOSTIC_KEYS),
} as const satisfies Items;

/** Diagnostics in their order, each with its keys in theirs. */
export function diagnosticDocuments(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return sortDiagnostics(diagnostics).map(diagnosticDocument);
}

function diagnosticDocument(diagnostic: Diagnostic): Diagnostic {
  return inOrder(toShare(diagnostic), DIAGNOSTIC_KEYS);
}

/** The keys with which every document says how the run ended. */
export type Ending = 'outcome' | 'exitCode';

export function ending(outcome: OutcomeWord): { readonly outcome: OutcomeWord; readonly exitCode: number } {
  return { outcome, exitCode: EXIT_CODES[outcome] };
}

/** The keys named, in that order, then all others: the id of a plan covers what a newer minor version added too. */
function inOrder<Document extends object>(document: Document, keys: readonly (keyof Document)[]): Document {
  const others = Object.entries(document).filter(([key]) => !(keys as readonly string[]).includes(key));
  const first = keys.filter((key) => Object.hasOwn(document, key)).map((key) => [key, document[key]] as const);
  return Object.fromEntries<unknown>([...first, ...others]) as Document;
}

function print(document: object): string {
  return escapeJson(JSON.stringify(document, null, 2));
}
