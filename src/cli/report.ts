// Which stream and which form the parts of a result take: JSON and Markdown whole on stdout; for people results on
// stdout, what went wrong and what to do next on stderr; for a job on GitHub all of it in its log, then its notes.
// Renderers are loaded when they are needed.
import type { Diagnostic } from '../model/diagnostic.ts';
import { sortDiagnostics, toShare } from '../model/diagnostic.ts';
import type { GuardCheck } from '../model/plan/guard-check.ts';
import type { Outcome, OutcomeWord } from '../model/plan/outcome.ts';
import type { Plan } from '../model/plan/plan.ts';
import type { Rehearsal } from '../model/plan/rehearsal.ts';
import type { StartedByJob } from '../model/plan/started-by.ts';
import { isJob, pullOf } from '../model/plan/started-by.ts';
import type { PlanReportOptions } from '../report/blocks/plan.ts';
import type { Reported } from '../report/blocks/mark.ts';
import type { Validation } from '../report/view/document.ts';
import type { EditedFile } from '../report/view/unified.ts';
import type { Sheet } from '../report/text/prose.ts';
import type { TextOptions } from '../report/text/write.ts';
import {
  besideNotices,
  planPieces,
  renderDiagnosticsJson,
  renderEditsJson,
  renderOutcomeJson,
  renderValidationJson,
} from '../report/json/index.ts';
import { endOutputs, outcomeOutputs, planOutputs } from '../report/view/outputs.ts';
import type { Context, Format } from './context.ts';
import { isInteractive } from './context.ts';
import { startedBy } from './started-by.ts';
import type { ResultForms } from './report-files.ts';
import { writeReports } from './report-files.ts';

/** How much of a plan is shown, as people say it. */
export interface PlanTextFlags {
  readonly verbose?: boolean;
  readonly concise?: boolean;
  /** Also what is about a person, in the forms that others read along. */
  readonly showPersonal?: boolean;
}

/** Forms in which a report has its problems in it. */
const SHARED: readonly Format[] = ['markdown', 'github'];

/** A result in every form; each is made when it is asked for. */
interface Forms extends ResultForms {
  readonly report: NonNullable<ResultForms['report']>;
  /** What people read, and what they may do next. */
  readonly text: () => Promise<{ readonly text?: string; readonly hints: readonly string[] }>;
  /** What stands beside the text for people; the other forms have it in them. */
  readonly diagnostics: readonly Diagnostic[];
  /** With the ids of rules in them. */
  readonly rules?: boolean;
  /** Its notes are at lines of many workspaces: a job on GitHub gets none. */
  readonly isOfMany?: true;
}

/** Puts a result where its form belongs, and into the files that `--report` names. */
export async function reportForms(context: Context, result: Forms): Promise<void> {
  const { output, github } = context;
  context.progress.stop();
  await writeReports(context, result);
  if (context.json) {
    const json = await result.json();
    if (typeof json === 'string') output.result(json);
    else await output.stream(json);
    return;
  }
  // A person who answered no knows it.
  if (context.agent === undefined && result.diagnostics.some(({ code }) => code === 'HW6102')) {
    output.error('Nothing was changed.\n');
    return;
  }
  const { text, hints } = await result.text();
  if (!SHARED.includes(context.options.format)) {
    if (text !== undefined) output.result(text);
    await reportDiagnostics(context, result.diagnostics, result.rules);
  } else if (github === undefined) {
    const { COMMENT } = await import('../report/markdown/fit.ts');
    const { writeMarkdown } = await import('../report/markdown/write.ts');
    output.result(writeMarkdown(await result.report('markdown'), COMMENT) ?? '');
  } else {
    await printLog(context, text, result.diagnostics);
    const isReported = await github.addSummary(await result.report('markdown'));
    const unreported = isReported
      ? []
      : [
          '::warning title=Hostwright::The summary of this step could not be written, or has no room left; the log has everything.',
        ];
    const { noteCommands } = await import('../report/annotations/github.ts');
    const notes = result.isOfMany === true ? [] : await result.notes?.();
    github.end([...noteCommands(notes ?? [], github.place), ...unreported]);
  }
  await reportHints(context, hints);
}

/** A command that ended before it had a result. */
export async function reportProblems(
  context: Context,
  diagnostics: readonly Diagnostic[],
  outcome: OutcomeWord = 'error',
  what: Reported = 'plan',
): Promise<OutcomeWord> {
  await reportForms(context, {
    json: () => renderDiagnosticsJson(diagnostics, outcome),
    outputs: () => endOutputs(outcome),
    report: async () => (await import('../report/blocks/problems.ts')).problemsReport({ diagnostics, outcome, what }),
    notes: async () => (await import('../report/annotations/notes.ts')).diagnosticNotes(diagnostics),
    text: async () => {
      if (SHARED.includes(context.options.format)) return { hints: [] };
      const { stepLine, stepsAfter } = await import('../report/view/next-steps.ts');
      const steps = stepsAfter({ outcome, actions: [], remaining: [], diagnostics }, { again: context.again });
      return { hints: steps.map(stepLine) };
    },
    diagnostics,
  });
  return outcome;
}

/** A result that has its problems in it as JSON, and beside it for people. */
export async function reportResult(
  context: Context,
  diagnostics: readonly Diagnostic[],
  { json, text }: { readonly json: () => string; readonly text: () => string | undefined },
): Promise<void> {
  context.progress.stop();
  if (context.json) {
    context.output.result(json());
    return;
  }
  const shown = text();
  if (shown !== undefined) context.output.result(shown);
  await reportDiagnostics(context, diagnostics);
}

/** Files that were edited, or would be; without any there were errors. */
export async function reportEdits(
  context: Context,
  {
    files,
    written,
    diagnostics,
  }: {
    readonly files?: readonly EditedFile[];
    readonly written: boolean;
    readonly diagnostics: readonly Diagnostic[];
  },
  outcome: OutcomeWord,
): Promise<OutcomeWord> {
  if (files === undefined) return reportProblems(context, diagnostics, outcome, 'drift');
  const { renderEdits } = await import('../report/text/edits.ts');
  await reportResult(context, diagnostics, {
    json: () => renderEditsJson({ files, written }, { outcome, diagnostics }),
    text: () => renderEdits(files, { color: context.color.stdout, written }),
  });
  return outcome;
}

/** Manifests that were checked: the problems are what was asked for, so they are the result, not what went wrong. */
export async function reportValidation(context: Context, result: Validation, outcome: OutcomeWord): Promise<void> {
  await reportForms(context, {
    json: () => renderValidationJson(result, outcome),
    outputs: () => endOutputs(outcome),
    report: async () => (await import('../report/blocks/problems.ts')).validationReport(result, outcome),
    notes: async () => (await import('../report/annotations/notes.ts')).diagnosticNotes(result.diagnostics),
    text: async () => {
      const { renderValidation } = await import('../report/text/diagnostics.ts');
      const shown = context.github === undefined ? result : { ...result, diagnostics: result.diagnostics.map(toShare) };
      return { text: renderValidation(shown, diagnosticSheet(context, 'stdout')), hints: [] };
    },
    diagnostics: [],
  });
  if (context.options.format === 'human') hintAtExplain(context, result.diagnostics);
}

export interface PlanReport {
  readonly plan: Plan;
  readonly diagnostics: readonly Diagnostic[];
  readonly outcome: OutcomeWord;
  readonly heading: 'Plan' | 'Drift';
  readonly flags: PlanTextFlags;
  readonly file?: string;
  /** The manifests or programs that it is of, where they were named. */
  readonly paths?: readonly string[];
  /** Whether apply would run it, where that was asked. */
  readonly guardCheck?: GuardCheck;
  /** What came of carrying it out on a copy, where that was asked. */
  readonly rehearsal?: Rehearsal;
}

export async function reportPlan(
  context: Context,
  { plan, diagnostics, outcome, heading, flags, file, paths, guardCheck, rehearsal }: PlanReport,
): Promise<void> {
  const shared = async () => (flags.showPersonal === true ? plan : withoutPersonal(plan));
  const beside = besideNotices(plan, diagnostics);
  const { verbose = false } = flags;
  const checked = {
    ...(guardCheck !== undefined && { guardCheck }),
    ...(rehearsal !== undefined && { rehearsal }),
  };
  await reportForms(context, {
    json: () => planPieces(plan, { outcome, diagnostics: beside, ...checked }),
    outputs: () => planOutputs(plan, outcome),
    report: async (form) => {
      const { planReport } = await import('../report/blocks/plan.ts');
      const run = jobOf(context.env)?.url;
      return planReport(await shared(), {
        ...pickFlags(flags),
        ...checked,
        heading,
        outcome,
        diagnostics: beside,
        verbose,
        ...(run !== undefined && { run }),
        // A page has more room than a comment, and folds what it has.
        ...(form === 'html' && { few: 25, concise: false }),
      });
    },
    notes: async () => (await import('../report/annotations/notes.ts')).planNotes(await shared(), beside),
    counts: () => plan.summary,
    text: async () => {
      const { hintsAfterPlan } = await import('../report/view/next-steps.ts');
      return {
        text: await planText(context, await shownTo(context, plan, flags), flags, { heading, ...checked }),
        hints: hintsAfterPlan(plan, {
          again: context.again,
          outcome,
          verbose,
          ...checked,
          ...(file !== undefined && { saved: file }),
          ...(paths !== undefined && { paths }),
        }),
      };
    },
    diagnostics: beside,
    rules: verbose,
  });
}

/** A plan for a terminal. */
export async function planText(
  context: Context,
  plan: Plan,
  flags: PlanTextFlags,
  more: Partial<PlanReportOptions & TextOptions> = {},
): Promise<string> {
  const { planReport } = await import('../report/blocks/plan.ts');
  const { writeText } = await import('../report/text/write.ts');
  const options = { ...textOptions(context, flags), ...more };
  return context.computing(() => {
    const shown = { heading: 'Plan', nowMs: context.clock.now(), ...options } as const;
    const { blocks } = planReport(plan, { ...shown, diagnostics: [], isTerminal: true });
    return writeText(blocks, { ...options, rules: options.verbose });
  });
}

/** The end of a run. `planned`: the plan that ran, where it came so far. `saved`: the file of the plan that was to be run. */
export async function reportOutcome(
  context: Context,
  outcome: Outcome,
  planned: Plan | undefined,
  { saved, pulls = [] }: { readonly saved?: string; readonly pulls?: readonly number[] },
): Promise<void> {
  const { actions = [] } = planned === undefined ? {} : await withoutPersonal(planned);
  const review = reviewOf(context, pulls);
  await reportForms(context, {
    json: () => renderOutcomeJson(outcome),
    outputs: () => outcomeOutputs(outcome),
    report: async () => {
      const { outcomeReport } = await import('../report/blocks/outcome.ts');
      return outcomeReport(outcome, { planned: actions, ...(review !== undefined && { review }) });
    },
    notes: async () => (await import('../report/annotations/notes.ts')).outcomeNotes(outcome, actions),
    text: async () => {
      const { outcomeReport } = await import('../report/blocks/outcome.ts');
      const { writeText } = await import('../report/text/write.ts');
      const { hintsAfter } = await import('../report/view/next-steps.ts');
      const asked = { again: context.again, ...(saved !== undefined && { saved }) };
      const { blocks } = outcomeReport(outcome, { planned: actions, asked, isTerminal: true });
      return { text: writeText(blocks, textOptions(context)), hints: hintsAfter(outcome, asked) };
    },
    diagnostics: outcome.diagnostics,
  });
}

/** The job of a forge that this is. */
function jobOf(env: Context['env']): StartedByJob | undefined {
  const by = startedBy(env, { user: '', hostname: '' });
  return isJob(by) ? by : undefined;
}

/** Where on the forge the plan was reviewed, of a job there. */
function reviewOf({ env }: Context, pulls: readonly number[]): ReturnType<typeof pullOf> | undefined {
  const by = jobOf(env);
  const [pull] = pulls;
  if (by === undefined || pull === undefined || !by.server.startsWith('https://')) return undefined;
  return pullOf(by, pull);
}

/** A plan as those may see it who read the form that was asked for. */
export async function shownTo(
  { options: { format } }: Context,
  plan: Plan,
  { showPersonal = false }: PlanTextFlags,
): Promise<Plan> {
  return showPersonal || format === 'human' || format === 'json' ? plan : withoutPersonal(plan);
}

async function withoutPersonal(plan: Plan): Promise<Plan> {
  return (await import('../report/view/personal.ts')).withoutPersonal(plan);
}

export function textOptions(
  context: Context,
  flags: PlanTextFlags = {},
): {
  readonly color: boolean;
  readonly width: number;
  readonly wrap: boolean;
  readonly verbose: boolean;
  readonly concise?: boolean;
} {
  return {
    color: context.color.stdout,
    width: context.width,
    wrap: context.wrapAt.stdout !== undefined,
    verbose: false,
    ...pickFlags(flags),
  };
}

/** How a stream takes prose. */
export function sheetOf({ color, wrapAt }: Pick<Context, 'color' | 'wrapAt'>, stream: 'stdout' | 'stderr'): Sheet {
  return { color: color[stream], wrapAt: wrapAt[stream] };
}

/** The same for diagnostics: personal values are shown where the user reads them at a terminal, and no job keeps its log. */
function diagnosticSheet(context: Context, stream: 'stdout' | 'stderr'): Sheet {
  const isTerminal = context.wrapAt[stream] !== undefined && context.github === undefined;
  return { ...sheetOf(context, stream), isForOwner: isInteractive(isTerminal, context.env) };
}

/** `rules`: with the ids of rules in what they say. */
export async function reportDiagnostics(
  context: Context,
  diagnostics: readonly Diagnostic[],
  rules = false,
): Promise<void> {
  if (diagnostics.length === 0) return;
  const { renderDiagnostics } = await import('../report/text/diagnostics.ts');
  context.output.error(renderDiagnostics(diagnostics, { ...diagnosticSheet(context, 'stderr'), rules }));
  hintAtExplain(context, diagnostics);
}

const hinted = new WeakSet<Context>();
/** `explain` was what failed: it has said already what there is. */
const OF_EXPLAIN: readonly string[] = ['HW6541', 'HW6542'];

/** Once a run, for the first error: where more is said of it. */
function hintAtExplain(context: Context, diagnostics: readonly Diagnostic[]): void {
  const first = sortDiagnostics(diagnostics).find(({ severity }) => severity === 'error');
  if (first === undefined || OF_EXPLAIN.includes(first.code) || hinted.has(context)) return;
  hinted.add(context);
  context.hint(`\n\`hostwright explain ${first.code}\` says more.`);
}

async function reportHints(context: Context, hints: readonly string[]): Promise<void> {
  if (hints.length === 0) return;
  const { wrapProse } = await import('../report/text/prose.ts');
  const lines = hints.flatMap((hint) => wrapProse(hint, context.wrapAt.stderr, '', 2));
  context.hint(`\n${lines.join('\n')}`);
}

/** The runner reads both streams, so what may look like a command stays on one, where it is fenced off. */
async function printLog(
  { output, color, wrapAt }: Context,
  text: string | undefined,
  diagnostics: readonly Diagnostic[],
): Promise<void> {
  const { renderDiagnostics } = await import('../report/text/diagnostics.ts');
  const said =
    diagnostics.length === 0 ? [] : [renderDiagnostics(diagnostics.map(toShare), sheetOf({ color, wrapAt }, 'stdout'))];
  output.result([...(text === undefined ? [] : [text]), ...said].join('\n\n'));
}

/** An option that was not given is no option. */
function pickFlags({ verbose, concise }: PlanTextFlags): PlanTextFlags {
  return {
    ...(verbose !== undefined && { verbose }),
    ...(concise !== undefined && { concise }),
  };
}
