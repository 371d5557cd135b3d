// `hostwright`: what programs of Node.js import. Each function answers the document that its command prints with `--format
// json`, and rejects only for a mistake of the program that calls it: what a user or the platform can cause is in the
// document.
import { setMaxListeners } from 'node:events';
import { version } from '../../package.json';
import type { ExpandedManifest } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { hasErrors } from '../model/diagnostic.ts';
import type { Explained, ExplainedCode, ExplainedKind, ExplainedRule, ExplainedWord } from '../model/explained.ts';
import type { NotExported } from '../model/exported.ts';
import type { Get } from '../model/generated/output/get.ts';
import type { Trace } from '../model/generated/output/trace.ts';
import type { Json } from '../model/json.ts';
import type { GuardCheck } from '../model/plan/guard-check.ts';
import type { RunHistory } from '../model/plan/history.ts';
import type { Outcome, OutcomeWord } from '../model/plan/outcome.ts';
import { diagnosticsOutcome, planOutcome } from '../model/plan/plan-outcome.ts';
import type { Plan } from '../model/plan/plan.ts';
import type { Rehearsal } from '../model/plan/rehearsal.ts';
import type { Visitor } from '../model/plan/trace.ts';
import type { Narrowed } from '../model/shown.ts';
import {
  besideNotices,
  renderDiagnosticsJson,
  renderExpandedJson,
  renderExplainedJson,
  renderExportJson,
  renderHistoryJson,
  renderOutcomeJson,
  renderPlanJson,
  renderValidationJson,
} from '../report/json/index.ts';
import { renderRowsJson } from '../report/json/rows.ts';
import { renderTraceJson } from '../report/json/trace.ts';
import { applyWorkspace } from '../usecases/apply/apply.ts';
import { driftWorkspace } from '../usecases/drift.ts';
import { redactorFor } from '../usecases/environment/credentials.ts';
import { expandWorkspace } from '../usecases/expanded.ts';
import { exportAccount, exportOutcome } from '../usecases/export.ts';
import { getRows } from '../usecases/get/get.ts';
import { findGetKind, misfitsOf } from '../usecases/get/kinds.ts';
import type { GuardOptions } from '../usecases/guards.ts';
import { readRuns } from '../usecases/history/read.ts';
import type { RehearsedPlan } from '../usecases/rehearse/plan.ts';
import { planRehearsed } from '../usecases/rehearse/plan.ts';
import type { Session } from '../usecases/session.ts';
import { readPlan } from '../usecases/show.ts';
import { traceWorkspace } from '../usecases/trace/request.ts';
import { validateWorkspace } from '../usecases/validate.ts';
import { openCopy } from './copy.ts';
import type { OptionNames } from './mistakes.ts';
import { mistakeIn } from './mistakes.ts';
import { readKindSchemas } from './package-files.ts';
import type { AccountOptions } from './session.ts';
import { accessProblems, guardOptions, openSession } from './session.ts';

export type { Diagnostic } from '../model/diagnostic.ts';
export type { Get } from '../model/generated/output/get.ts';
export type { Trace } from '../model/generated/output/trace.ts';
export type { RunEvent } from '../model/plan/event.ts';
export type { Outcome, OutcomeWord } from '../model/plan/outcome.ts';
export type { Plan } from '../model/plan/plan.ts';
export type { AccountOptions } from './session.ts';
export { version };

/** How a call ended, and what there is to say about it. */
export interface Ended {
  readonly outcome: OutcomeWord;
  /** The exit code of the command that does the same. */
  readonly exitCode: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** The call ended before it had a result: nothing but diagnostics. */
export interface Problems extends Ended {
  readonly format: 'hostwright.diagnostics/1';
}

export interface Validation extends Ended {
  readonly format: 'hostwright.validation/1';
  readonly manifests: number;
  readonly objects: number;
}

/** A plan with how the call ended; `apply` takes it. */
export interface PlanDocument extends Plan, Ended {
  /** Whether apply would run it. */
  readonly guardCheck?: GuardCheck;
  /** What became of it on a copy of the account; absent: it was not asked for, or there was nothing to carry out. */
  readonly rehearsal?: Rehearsal;
}

/** The manifests with their profiles merged in, as they are planned. */
export interface ShowDocument extends Ended {
  readonly format: 'hostwright.expanded/1';
  readonly manifests: readonly ExpandedManifest[];
}

/** What was asked about: a kind or a field, a diagnostic, a rule, a word of plans, or all kinds. */
export interface ExplainedDocument extends Omit<Ended, 'diagnostics'> {
  readonly format: 'hostwright.explained/1';
  readonly page?: Explained;
  readonly code?: ExplainedCode;
  readonly rule?: ExplainedRule;
  readonly word?: ExplainedWord;
  readonly kinds?: readonly ExplainedKind[];
}

export interface ExportDocument extends Ended {
  readonly format: 'hostwright.export/1';
  readonly manifests: readonly { readonly address: string; readonly file: string; readonly manifest: Json }[];
  /** Files that were there, and were added to. */
  readonly edited: readonly string[];
  readonly leftOut: readonly NotExported[];
  readonly requests: number;
}

export interface HistoryDocument extends Ended {
  readonly format: 'hostwright.history/1';
  readonly account: string;
  /** How many rows were checked, each against the one before it. */
  readonly checked: number;
  /** The newest first; absent where the ledger could not be read. */
  readonly runs?: readonly (Omit<RunHistory, 'startedAtMs' | 'endedAtMs'> & {
    readonly startedAt: string;
    readonly endedAt?: string;
  })[];
}

export interface ValidateOptions extends AccountOptions {
  /** Files, folders or globs; absent: what the workspace names. */
  readonly paths?: readonly string[];
}

export interface PlanOptions extends ValidateOptions, GuardOptions {
  /** Addresses or globs; absent: everything. */
  readonly targets?: readonly string[];
  /** A commit: only what the manifests say otherwise since then, and what rests on it. */
  readonly changedSince?: string;
}

export interface RehearsedPlanOptions extends PlanOptions {
  /** Carries the plan out once, on a copy of the account in this process. Absent: as the workspace says, where `ci` is set. */
  readonly rehearse?: boolean;
}

export interface DriftOptions extends ValidateOptions {
  /** Addresses or globs; absent: everything. */
  readonly targets?: readonly string[];
  /** Addresses with wildcards, each perhaps with `#` and a pointer to a field: left out. */
  readonly ignore?: readonly string[];
}

/** Why a plan may run. One of these is needed: nothing is applied because nobody said no. */
export interface Consent {
  /** A plan that was looked at, as `plan` answered it: exactly its actions run, or nothing. */
  readonly plan?: Plan;
  /** The digests of the actions that were looked at: a plan with any other is refused. */
  readonly expect?: readonly string[];
  /** Only goes on with what an earlier run left in flight. */
  readonly resume?: boolean;
  /** Gets the plan that is about to run; `true` runs it. Beside another consent it can still say no. */
  readonly confirm?: (plan: Plan) => boolean | Promise<boolean>;
}

/** `approve` is a consent too: what may run unseen, such as `['create', 'update']`. */
export interface ApplyOptions extends PlanOptions, Consent {}

export interface GetOptions extends AccountOptions, Narrowed {
  /** Such as `sites`: plural, singular, or as manifests call it. */
  readonly kind: string;
  /** One of them: a name or an address of a manifest, a name that the platform knows, or `id:` and an id. */
  readonly name?: string;
}

export interface ExportOptions extends AccountOptions {
  /** Kinds, and addresses of roots; absent: everything. */
  readonly targets?: readonly string[];
  /** The folder to write to; absent: nothing is written. */
  readonly out?: string;
  /** What several share becomes profiles. */
  readonly profiles?: boolean;
}

export interface TraceOptions extends ValidateOptions, Visitor {
  readonly url: string;
  /** By the rules on the account, whatever manifests say. */
  readonly live?: boolean;
}

export interface ExplainOptions {
  /** Such as `Site`, `Site.caching.smartCache`, `HW2204`, `O-18` or `EXPOSES`; absent: all kinds. */
  readonly what?: string;
}

export interface HistoryOptions extends AccountOptions {
  /** Only what was done to this object, and in it. */
  readonly address?: string;
  /** Only this run; the beginning of its id will do. */
  readonly run?: string;
}

const ACCOUNT: OptionNames<AccountOptions> = {
  cwd: true,
  configFile: true,
  account: true,
  apiUrl: true,
  token: true,
  env: true,
  credentialsFile: true,
  proxies: true,
  ci: true,
  signal: true,
  onEvent: true,
  onSecret: true,
  parallelism: true,
  maxRps: true,
  timeoutMs: true,
  lockTimeoutMs: true,
  deadlineMs: true,
  guardsFrom: true,
  trustedRoots: true,
};
const VALIDATE: OptionNames<ValidateOptions> = { ...ACCOUNT, paths: true };
const DRIFT: OptionNames<DriftOptions> = { ...VALIDATE, targets: true, ignore: true };
const GUARDED: OptionNames<PlanOptions> = {
  ...VALIDATE,
  targets: true,
  changedSince: true,
  allowDeletes: true,
  allowCharges: true,
  maxSpend: true,
  approve: true,
};
const PLAN: OptionNames<RehearsedPlanOptions> = { ...GUARDED, rehearse: true };
const APPLY: OptionNames<ApplyOptions> = { ...GUARDED, plan: true, expect: true, resume: true, confirm: true };
const NARROWED: OptionNames<Narrowed> = {
  site: true,
  mailspace: true,
  registration: true,
  query: true,
  status: true,
  date: true,
  limit: true,
};
const GET: OptionNames<GetOptions> = { ...ACCOUNT, ...NARROWED, kind: true, name: true };
const EXPORT: OptionNames<ExportOptions> = { ...ACCOUNT, targets: true, out: true, profiles: true };
const VISITOR: OptionNames<Visitor> = { method: true, country: true, ip: true, headers: true, cookies: true };
const TRACE: OptionNames<TraceOptions> = { ...VALIDATE, ...VISITOR, url: true, live: true };
const EXPLAIN: OptionNames<ExplainOptions> = { what: true };
const HISTORY: OptionNames<HistoryOptions> = { ...ACCOUNT, address: true, run: true };

/** What is wrong with the manifests: read without a network, a token or a ledger. */
export function validate(options: ValidateOptions): Promise<Validation> {
  return answer(options, VALIDATE, async (session) => {
    const result = await validateWorkspace(session, options.paths);
    return renderValidationJson(result, diagnosticsOutcome(result.diagnostics, session.stop.aborted));
  });
}

/** What would be done, in order, and why. Sends nothing but reads, and writes no file. */
export function plan(options: RehearsedPlanOptions): Promise<PlanDocument | Problems> {
  return answer(options, PLAN, async (session) => {
    const request = { ...options, guards: guardOptions(options) };
    const planned = await planRehearsed(session, request, { openCopy, always: options.rehearse === true });
    return planText(planned, session, false);
  });
}

/** What differs from the manifests, which side changed, and since when: a plan whose `drift` says so. Sends only reads. */
export function drift(options: DriftOptions): Promise<PlanDocument | Problems> {
  return answer(options, DRIFT, async (session) => planText(await driftWorkspace(session, options), session, true));
}

/**
 * Changes the account as the manifests say, and waits until it shows. Needs a {@link Consent}, or `approve`; rejects with a
 * TypeError where there is none. A workspace that says `guards.unreviewed: refuse` is applied by no program.
 */
export async function apply(options: ApplyOptions): Promise<Outcome | Problems> {
  rejectMistakes(options, APPLY);
  const { plan: given, expect, approve, resume = false, confirm, paths, targets, changedSince, parallelism } = options;
  if ([given, expect, approve, confirm].every((one) => one === undefined) && !resume)
    throw new TypeError('apply needs one of plan, expect, approve, confirm and resume: true.');
  return answer(options, APPLY, async (session) => {
    const saved = given === undefined ? undefined : await readPlan(JSON.parse(JSON.stringify(given)), '`plan`');
    if (saved !== undefined && 'diagnostic' in saved) return renderDiagnosticsJson([saved.diagnostic], 'error');
    const { outcome } = await applyWorkspace(session, {
      ...(paths !== undefined && { paths }),
      ...(targets !== undefined && { targets }),
      ...saved,
      ...(expect !== undefined && { approved: expect }),
      ...(changedSince !== undefined && { changedSince }),
      ...guardOptions(options),
      parallelism,
      resumeOnly: resume,
      confirm: async (fresh) => confirm === undefined || (await confirm(fresh)) === true,
    });
    return renderOutcomeJson(outcome);
  });
}

/** What is on the account, as `hostwright get` shows it. Rejects with a TypeError for a kind that there is not. */
export async function get(options: GetOptions): Promise<Get> {
  rejectMistakes(options, GET);
  const kind = findGetKind(options.kind);
  if (kind === undefined) throw new TypeError(`There is no kind ${JSON.stringify(options.kind)}.`);
  const [misfit] = misfitsOf(kind, options);
  if (misfit !== undefined) throw new TypeError(`${kind.kind} takes no ${misfit}.`);
  return answer(options, GET, async (session) => {
    const { shown, outcome, diagnostics } = await getRows(session, { ...options, kind, detailed: true });
    return renderRowsJson(shown, { outcome, diagnostics });
  });
}

/** Manifests for what is live and has none, proven to plan to nothing. */
export async function exportManifests(options: ExportOptions): Promise<ExportDocument | Problems> {
  rejectMistakes(options, EXPORT);
  const { targets = [], out, profiles } = options;
  return answer(options, EXPORT, async (session) => {
    const result = await exportAccount(session, {
      targets,
      ...(out !== undefined && { out }),
      ...(profiles !== undefined && { profiles }),
    });
    const { manifests, leftOut, diagnostics } = result;
    const how = { stopped: session.stop.aborted, failed: manifests === undefined };
    const outcome = exportOutcome(leftOut, diagnostics, how);
    if (manifests === undefined) return renderDiagnosticsJson(diagnostics, outcome);
    return renderExportJson({ ...result, manifests }, { outcome, diagnostics });
  });
}

/** The manifests with their profiles merged in, as they are planned: read without a network, a token or a ledger. */
export function show(options: ValidateOptions): Promise<ShowDocument | Problems> {
  return answer(options, VALIDATE, async (session) => {
    const { manifests, diagnostics } = await expandWorkspace(session, options.paths);
    const outcome = diagnosticsOutcome(diagnostics, session.stop.aborted);
    return hasErrors(diagnostics)
      ? renderDiagnosticsJson(diagnostics, outcome)
      : renderExpandedJson(manifests, { outcome, diagnostics });
  });
}

/** What the rules of a site do with a request. Nothing is sent to its address; with `live` the account is read. */
export async function trace(options: TraceOptions): Promise<Trace | Problems> {
  rejectMistakes(options, TRACE);
  const { url, method = 'GET', country, ip, headers = {}, cookies = {}, live = false, paths } = options;
  return answer(options, TRACE, async (session) => {
    const request = {
      url: new URL(url),
      method: method.toUpperCase(),
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      cookies,
      ...(country !== undefined && { country: country.toUpperCase() }),
      ...(ip !== undefined && { ip }),
    };
    const where = { live, ...(paths !== undefined && { paths }) };
    const { trace: traced, diagnostics } = await traceWorkspace(session, request, where);
    const outcome = diagnosticsOutcome(diagnostics, session.stop.aborted);
    return traced === undefined
      ? renderDiagnosticsJson(diagnostics, outcome)
      : renderTraceJson({ trace: traced, request, live }, { outcome, diagnostics });
  });
}

/** Documentation out of the schemas and tables of this version. Needs no workspace. */
export async function explain(options: ExplainOptions = {}): Promise<ExplainedDocument | Problems> {
  rejectMistakes(options, EXPLAIN);
  const { what } = options;
  const [schemas, { answer: answerTo }, { explainKinds }] = await Promise.all([
    readKindSchemas(),
    import('../usecases/explain/answer.ts'),
    import('../usecases/explain/explain.ts'),
  ]);
  const found = what === undefined ? { kinds: explainKinds(schemas) } : answerTo(schemas, what);
  const text = 'problem' in found ? renderDiagnosticsJson([found.problem], 'error') : renderExplainedJson(found);
  return JSON.parse(text) as ExplainedDocument | Problems;
}

/** What runs did to the account, as the ledger keeps it. The platform is not asked. */
export async function history(options: HistoryOptions): Promise<HistoryDocument> {
  rejectMistakes(options, HISTORY);
  const { address, run } = options;
  return answer(options, HISTORY, async (session) => {
    const result = await readRuns(session, {
      ...(address !== undefined && { address }),
      ...(run !== undefined && { run }),
    });
    return renderHistoryJson([result], diagnosticsOutcome(result.diagnostics, session.stop.aborted));
  });
}

/** @throws TypeError if an option does not exist or has a value of another type than documented */
function rejectMistakes<Options extends object>(options: Options, names: OptionNames<Options>): void {
  const mistake = mistakeIn(options, names);
  if (mistake !== undefined) throw mistake;
}

/** Runs with its own session, and returns the resulting text as a document without any credential of the call. */
async function answer<Options extends AccountOptions, Document>(
  options: Options,
  names: OptionNames<Options>,
  run: (session: Session) => Promise<string>,
): Promise<Document> {
  rejectMistakes(options, names);
  const problems = accessProblems(options);
  if (problems.length > 0) return JSON.parse(renderDiagnosticsJson(problems, 'error')) as Document;
  const secrets = new Set(options.token === undefined ? [] : [options.token]);
  const redact = redactorFor(options.env ?? {}, secrets);
  // A signal may be there for years, and for many calls at once: what each of them hangs on it goes with it.
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const given = AbortSignal.any(options.signal === undefined ? [] : [options.signal]);
  const abort = (): void => stop.abort(given.reason);
  if (given.aborted) abort();
  else given.addEventListener('abort', abort, { once: true });
  const onSecret = (secret: string): unknown => secrets.add(secret) && options.onSecret?.(secret);
  try {
    return JSON.parse(redact(await run(openSession({ ...options, signal: stop.signal, onSecret })))) as Document;
  } finally {
    given.removeEventListener('abort', abort);
  }
}

function planText(
  { plan: made, guardCheck, rehearsal, diagnostics }: RehearsedPlan,
  { stop }: Session,
  detailed: boolean,
): string {
  const outcome = planOutcome(
    { diagnostics, ...(made !== undefined && { plan: made }) },
    { detailed, stopped: stop.aborted },
  );
  if (made === undefined) return renderDiagnosticsJson(diagnostics, outcome);
  const checked = {
    ...(!detailed && guardCheck !== undefined && { guardCheck }),
    ...(rehearsal !== undefined && { rehearsal }),
  };
  return renderPlanJson(made, { outcome, diagnostics: besideNotices(made, diagnostics), ...checked });
}
