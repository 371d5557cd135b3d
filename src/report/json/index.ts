// The JSON that programs read: the same document as the terminal shows, with the outcome's word and exit code, in a
// stable order of keys.
import type { ExpandedManifest } from '../../model/desired.ts';
import type { Exported, NotExported } from '../../model/exported.ts';
import { EXPORT_FORMAT } from '../../model/exported.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { sortDiagnostics, toShare } from '../../model/diagnostic.ts';
import type { DoctorReport } from '../../model/doctor.ts';
import { DOCTOR_FORMAT } from '../../model/doctor.ts';
import type { DnsReport } from '../../model/dns.ts';
import { DNS_FORMAT } from '../../model/dns.ts';
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
import type { Answer } from '../blocks/explain.ts';
import type { Validation } from '../view/document.ts';
import { escapeJson } from '../view/escape.ts';
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
  'released',
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
const DIAGNOSTIC_KEYS: readonly (keyof Diagnostic)[] = [
  'code',
  'severity',
  'summary',
  'detail',
  'address',
  'pointer',
  'source',
  'retryAt',
  'frame',
];

/** The saved plan in pieces: what `apply` takes. */
export function savedPlanPieces(plan: Plan, rehearsal?: Rehearsal): Iterable<string> {
  return piecesOf({ ...inOrder(plan, PLAN_KEYS), rehearsal }, PLAN_ITEMS);
}

interface PlanEnd extends Ended {
  readonly guardCheck?: GuardCheck;
  readonly rehearsal?: Rehearsal;
}

/** The plan carries its own notices; only what it does not carry is told beside it. */
export function besideNotices({ notices }: Plan, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const carried = new Set(notices.map((notice) => JSON.stringify(notice)));
  return diagnostics.filter((diagnostic) => !carried.has(JSON.stringify(toShare(diagnostic))));
}

/** The plan with how the command ends, in pieces; `apply` takes this one too. */
export function planPieces(plan: Plan, { outcome, diagnostics, guardCheck, rehearsal }: PlanEnd): Iterable<string> {
  const checks = { guardCheck, rehearsal, diagnostics: sortDiagnostics(diagnostics) };
  const document = { ...inOrder(plan, PLAN_KEYS), ...ending(outcome), ...checks };
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

export function renderOutcomeJson({ inFlight, unreviewed, ...outcome }: Outcome): string {
  return renderJson({ ...outcome, diagnostics: diagnosticDocuments(outcome.diagnostics), inFlight, unreviewed });
}

/** How a command ended, and what went wrong or should be known. */
export interface Ended {
  readonly outcome: OutcomeWord;
  readonly diagnostics: readonly Diagnostic[];
}

/** What a document holds beside its format, its ending and its problems. */
type ContentOf<Document> = {
  readonly [Key in keyof Document as Exclude<Key, 'format' | Ending | 'diagnostics'>]:
    Document[Key] | (object extends Pick<Document, Key> ? undefined : never);
};

/** The document of a command. What is undefined in its content is left out where it is printed. */
export function documentOf<Document extends { readonly format: string }>(
  format: Document['format'],
  { outcome, diagnostics }: Ended,
  content: ContentOf<Document>,
): object {
  return { format, ...ending(outcome), ...content, diagnostics: diagnosticDocuments(diagnostics) };
}

/** {@link documentOf} as text. */
export function renderDocument<Document extends { readonly format: string }>(
  format: Document['format'],
  ended: Ended,
  content: ContentOf<Document>,
): string {
  return renderJson(documentOf(format, ended, content));
}

/** When there is nothing but diagnostics to tell. */
export function renderDiagnosticsJson(diagnostics: readonly Diagnostic[], outcome: OutcomeWord): string {
  return renderDocument('hostwright.diagnostics/1', { outcome, diagnostics }, {});
}

export function renderValidationJson({ diagnostics, manifests, objects }: Validation, outcome: OutcomeWord): string {
  return renderDocument('hostwright.validation/1', { outcome, diagnostics }, { manifests, objects });
}

/** Manifests with their profiles in them. */
export function renderExpandedJson(manifests: readonly ExpandedManifest[], ended: Ended): string {
  return renderDocument('hostwright.expanded/1', ended, { manifests });
}

/** Documentation: one page, one diagnostic, one rule, one word of plans, or all kinds. */
export function renderExplainedJson(answer: Answer): string {
  return renderJson({ format: 'hostwright.explained/1', ...ending('done'), ...answer });
}

interface Written {
  readonly file: string;
  readonly text: string;
}

/** Manifests for what is live. */
export function renderExportJson(
  {
    manifests,
    files,
    edited = [],
    leftOut,
    requests,
  }: {
    readonly manifests: readonly Exported[];
    /** Configuration of Terraform, where it was asked for instead of manifests. */
    readonly files?: readonly Written[];
    readonly edited?: readonly { readonly file: string }[];
    readonly leftOut: readonly NotExported[];
    readonly requests: number;
  },
  ended: Ended,
): string {
  return renderDocument(EXPORT_FORMAT, ended, {
    manifests: manifests.map(({ text: _text, ...manifest }) => manifest),
    files,
    edited: edited.map(({ file }) => file),
    leftOut,
    requests,
  });
}

/** Files that were edited, or would be. */
export function renderEditsJson(
  { files, written }: { readonly files: readonly EditedFile[]; readonly written: boolean },
  ended: Ended,
): string {
  const edits = files.map(({ file, before = null, after }) => ({ file, before, after }));
  return renderDocument('hostwright.edits/1', ended, { written, files: edits });
}

/** What a reader looks for stands first. */
const RECORD_KEYS = ['address', 'name', 'type', 'value', 'priority', 'status', 'found', 'reason'] as const;

/** DNS records and what was found of them. */
export function renderDnsJson({ account, records }: DnsReport, ended: Ended): string {
  return renderDocument(DNS_FORMAT, ended, { account, records: records.map((one) => inOrder(one, RECORD_KEYS)) });
}

/** A ledger, or what was done to it. */
export function renderLedgerJson(view: LedgerView | undefined, message: string | undefined, ended: Ended): string {
  return renderDocument('hostwright.ledger/1', ended, { message, ...(view !== undefined && ledgerContent(view)) });
}

function ledgerContent({ objects, inFlight, ...view }: LedgerView): object {
  return {
    standing: view.standing,
    account: view.account ?? null,
    sequence: view.sequence,
    objects: [...objects.values()],
    inFlight: inFlight.map(({ runId, action: { address, verb, digest }, answered, unanswered, reason }) => ({
      runId,
      address,
      verb,
      digest,
      answered: Object.keys(answered),
      unanswered,
      reason,
    })),
    runs: view.runs?.map(({ runId, planId, startedAtMs, approved, by, end }) => ({
      runId,
      planId,
      startedAt: timeOf(startedAtMs),
      by,
      approved,
      endedAt: timeOf(end?.atMs),
      complete: end?.complete,
    })),
    openActs: view.openActs?.map(({ sentAtMs, ...act }) => ({ ...act, sentAt: timeOf(sentAtMs) })),
    doneActs: view.doneActs?.map(({ act, request, doneAtMs, untilMs }) => ({
      act,
      request,
      doneAt: timeOf(doneAtMs),
      until: timeOf(untilMs),
    })),
  };
}

/** The ledgers of all accounts of a database; absent: they could not be read. */
export function renderLedgersJson(ledgers: readonly AccountLedger[] | undefined, ended: Ended): string {
  const accounts = ledgers?.map(({ writtenAtMs, ...ledger }) => ({ ...ledger, writtenAt: timeOf(writtenAtMs) }));
  return renderDocument('hostwright.ledgers/1', ended, { accounts });
}

interface HistoryDocument {
  readonly account: string;
  /** Of several: the folder that it was found in. */
  readonly folder?: string;
  readonly runs?: readonly RunHistory[];
  readonly rows: number;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * What runs did, of one account, or of several where each run names its own. `checked` rows follow each from the one
 * before.
 */
export function renderHistoryJson(accounts: readonly HistoryDocument[], outcome: OutcomeWord): string {
  const [only] = accounts.filter(({ folder }) => folder === undefined);
  const runs = accounts.flatMap(({ account, runs: own = [] }) =>
    own.map(({ startedAtMs, endedAtMs, ...run }) => ({
      ...(only === undefined && { account }),
      ...run,
      startedAt: timeOf(startedAtMs),
      endedAt: timeOf(endedAtMs),
    })),
  );
  const diagnostics = accounts.flatMap((one) => one.diagnostics);
  return renderDocument(
    'hostwright.history/1',
    { outcome, diagnostics },
    {
      account: only?.account ?? '*',
      checked: accounts.reduce((sum, { rows }) => sum + rows, 0),
      runs: accounts.some((one) => one.runs !== undefined) ? runs : undefined,
    },
  );
}

function timeOf(atMs: number | undefined): string | undefined {
  return atMs === undefined ? undefined : new Date(atMs).toISOString();
}

/**
 * What became of a command that does one thing, or looks at one (`schemas/act.schema.json`). What it shows is the
 * platform's own document, or ours; it stands under the name of what it is.
 */
export function renderActJson(
  { outcome, site, message, aside: _aside, diagnostics, ...values }: ActResult,
  format: ActFormat = 'hostwright.run/1',
): string {
  return renderDocument(format, { outcome, diagnostics }, { site, message, ...values });
}

/** What a look at the set-up found. */
export function renderDoctorJson({ findings, settings, requests }: DoctorReport, outcome: OutcomeWord): string {
  return renderJson({ format: DOCTOR_FORMAT, ...ending(outcome), findings, settings, requests });
}

/** Any other document, in the order of its keys. */
export function renderJson(document: object): string {
  return escapeJson(JSON.stringify(document, null, 2));
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
type Ending = 'outcome' | 'exitCode';

function ending(outcome: OutcomeWord): { readonly outcome: OutcomeWord; readonly exitCode: number } {
  return { outcome, exitCode: EXIT_CODES[outcome] };
}

/** The keys named, in that order, then all others: the id of a plan covers what a newer minor version added too. */
function inOrder<Document extends object>(document: Document, keys: readonly (keyof Document)[]): Document {
  const others = Object.entries(document).filter(([key]) => !(keys as readonly string[]).includes(key));
  const first = keys.filter((key) => Object.hasOwn(document, key)).map((key) => [key, document[key]] as const);
  return Object.fromEntries<unknown>([...first, ...others]) as Document;
}
