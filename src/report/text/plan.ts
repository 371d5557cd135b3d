// How a plan reads in a terminal: in execution order, each action with its reason, its changes and what it waits for;
// then what stands in the way.
import type { SourcePosition } from '../../model/diagnostic.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { changesInWords } from '../../model/written/changes.ts';
import { EXIT_CODES } from '../../model/plan/outcome.ts';
import type { Action, Plan } from '../../model/plan/plan.ts';
import type { Group } from '../view/document.ts';
import {
  importable,
  besideLines,
  groupNeeds,
  groupsOf,
  headline,
  numberActions,
  plural,
  riskSummary,
  showRisks,
  showSource,
  VERB_MARKS,
} from '../view/document.ts';
import { clipSafe, escapeText } from '../view/escape.ts';
import { stepLine, stepsAfterPlan } from '../view/next-steps.ts';
import { countDiagnostics, renderDiagnostics } from './diagnostics.ts';
import { driftBlocks } from './drift.ts';
import { stepText } from './steps.ts';
import type { Style } from './style.ts';
import { createStyle } from './style.ts';
import { overlapSentence, trackName, tracksOf } from '../graph/tracks.ts';
import type { Room, ShownChange } from '../view/values.ts';
import { showChange } from '../view/values.ts';

export interface PlanTextOptions {
  readonly color: boolean;
  /** Every request, digest and item. */
  readonly verbose: boolean;
  /** A line an action: what and why, no values. */
  readonly concise?: boolean;
  /** Unchanged lines or items around each change. */
  readonly context?: number;
  /** Columns of the terminal: decides what goes on one line. */
  readonly width: number;
  /** Of drift: when it is shown, so that times can be told from then. */
  readonly nowMs?: number;
  readonly heading?: 'Plan' | 'Drift';
  /** How the command ends, where that is known. */
  readonly outcome?: OutcomeWord;
  /** The file that the plan was written to or read from. */
  readonly file?: string;
  /** The command that shows it, once more. */
  readonly again?: string;
}

/** `text` is the result, for stdout; `hints` are for stderr. Both end without a line break. */
export interface RenderedPlan {
  readonly text: string;
  readonly hints: readonly string[];
}

const UNMANAGED_SHOWN = 10;

export function renderPlan(plan: Plan, options: PlanTextOptions): RenderedPlan {
  const style = createStyle(options.color);
  const blocks = [
    header(plan, options.heading ?? 'Plan', style),
    ...(options.concise === true ? conciseBlocks(plan, options, style) : fullBlocks(plan, options, style)),
    ...summary(plan, options, style),
  ];
  return { text: blocks.join('\n\n'), hints: hintsFor(plan, options) };
}

function fullBlocks(plan: Plan, options: PlanTextOptions, style: Style): readonly string[] {
  return [
    ...driftOf(plan, options, style),
    // The sides of a drift say what its actions would write.
    ...(plan.drift === undefined || options.verbose ? actionBlocks(plan, options, style) : []),
    ...groupsOf(plan).map((group) => groupBlock(group, style)),
    ...unmanagedBlock(plan, options, style),
    ...(plan.notices.length > 0 ? [renderDiagnostics(plan.notices, { color: options.color })] : []),
  ];
}

/** One line for each thing that the plan says. What is unmanaged or only noted is counted: it asks for nothing. */
function conciseBlocks(plan: Plan, options: PlanTextOptions, style: Style): readonly string[] {
  const digits = String(plan.actions.length).length;
  const actions = plan.actions.map(
    (action, index) => `${actionHead(action, undefined, index, digits, style)}  ${escapeText(action.reason, 200)}`,
  );
  const groups = groupsOf(plan).map(({ title, entries }) =>
    [
      style.careful(`${title} (${entries.length})`),
      ...entries.map(({ address, reason }) => `  ${style.strong(address)}  ${clipSafe(reason, 200)}`),
    ].join('\n'),
  );
  const notices = plan.notices.length === 0 ? [] : [`Told beside it: ${countDiagnostics(plan.notices)}`];
  const first =
    plan.drift === undefined ? (actions.length === 0 ? [] : [actions.join('\n')]) : driftOf(plan, options, style);
  return [...first, ...groups, ...notices];
}

function driftOf(
  { drift = [], ignored = [] }: Plan,
  { color, width, concise = false, nowMs }: PlanTextOptions,
  style: Style,
): readonly string[] {
  return driftBlocks(drift, ignored, { color, width, concise, ...(nowMs !== undefined && { nowMs }) }, style);
}

/** The lines of a group of blockers, also used for what remains after a run. */
export function groupBlock({ title, meaning, entries }: Group, style: Style): string {
  const lines = entries.flatMap(({ address, reason, remedy }) => [
    `  ${style.strong(address)}`,
    `      ${reason}`,
    ...(remedy === undefined ? [] : [`      ${style.faint('->')} ${remedy}`]),
  ]);
  return [`${style.careful(`${title} (${entries.length})`)}${style.faint(`: ${meaning}`)}`, ...lines].join('\n');
}

function header(plan: Plan, heading: 'Plan' | 'Drift', style: Style): string {
  const first = `${style.strong(`${heading} for account ${escapeText(plan.account, 100)}`)}: ${headline(plan, heading)}`;
  if (plan.actions.length === 0) return `${first}.`;
  const risks = riskSummary(plan.actions);
  const overlap = overlapSentence(plan.actions);
  return [
    first,
    ...(risks === '' ? [] : [style.alarm(`! ${risks}`)]),
    ...(overlap === '' ? [] : [style.faint(overlap)]),
  ].join('\n');
}

function actionBlocks(plan: Plan, options: PlanTextOptions, style: Style): readonly string[] {
  const numbers = numberActions(plan.actions);
  const tracks = tracksOf(plan.actions);
  const digits = String(plan.actions.length).length;
  const margin = ' '.repeat(digits + 5);
  return plan.actions.map((action, index) => {
    const track = tracks.get(action.address);
    const begins = track !== undefined && track !== tracks.get(plan.actions[index - 1]?.address ?? '');
    const needs = groupNeeds(action, numbers).map(({ after, reason, rule }) =>
      style.faint(`after ${after} because ${reason} (${rule})`),
    );
    const lines = [
      escapeText(action.reason),
      ...changeLines(action, options, style),
      ...besideLines(action).map(({ text, careful }) => (careful ? style.careful(text) : text)),
      ...needs,
      ...(options.verbose ? stepText(action, plan.bindings, style.faint) : []),
    ];
    return [
      ...(begins ? [style.faint(`── ${escapeText(trackName(track), 300)}`)] : []),
      actionHead(action, action.source, index, digits, style),
      ...lines.map((line) => `${margin}${line}`),
    ].join('\n');
  });
}

function actionHead(
  action: Omit<Action, 'source'>,
  source: SourcePosition | undefined,
  index: number,
  digits: number,
  style: Style,
): string {
  const title = `${style.verb[action.verb](VERB_MARKS[action.verb])} ${style.strong(escapeText(action.address, 300))}`;
  const risks = showRisks(action).map((words) => style.alarm(`! ${words}`));
  const place = source === undefined ? [] : [style.faint(showSource(source))];
  return `  ${String(index + 1).padStart(digits)} ${[title, ...risks, ...place].join('  ')}`;
}

function changeLines(action: Action, { verbose, width, context }: PlanTextOptions, style: Style): readonly string[] {
  const room: Room = {
    value: verbose ? 2000 : 160,
    line: Math.max(width - 12, 40),
    items: verbose ? 1000 : 20,
    ...(context !== undefined && { context }),
  };
  const changes = changesInWords(action).map((change) => showChange(change, action.verb, room));
  const pad = Math.min(
    24,
    Math.max(0, ...changes.map(({ field, inline }) => (inline === undefined ? 0 : field.length))),
  );
  return changes.flatMap((change) => oneChange(change, pad, style));
}

function oneChange({ field, inline, items = [] }: ShownChange, pad: number, style: Style): readonly string[] {
  if (inline !== undefined) return [`  ${`${field}:`.padEnd(pad + 1)} ${inline}`];
  const paint = { '+': style.good, '-': style.bad, ' ': style.faint };
  return [`  ${field}:`, ...items.map(({ mark, text }) => `    ${paint[mark](`${mark} ${text}`)}`)];
}

/** One block of YAML for each collection, ready to paste under `spec:`. */
function unmanagedBlock({ unmanaged }: Plan, { verbose }: PlanTextOptions, style: Style): readonly string[] {
  if (unmanaged.length === 0) return [];
  const lines = importable(unmanaged, verbose ? Infinity : UNMANAGED_SHOWN).flatMap(({ collection, yaml, rest }) => [
    `  ${style.strong(collection)}`,
    ...yaml.map((line) => `      ${line}`),
    ...(rest > 0 ? [style.faint(`      # and ${rest} more: --verbose shows them all`)] : []),
  ]);
  const title = `${style.strong(`Unmanaged (${unmanaged.length})`)}${style.faint(': live, named by no manifest, left alone; to adopt, paste under spec:')}`;
  return [[title, ...lines].join('\n')];
}

function summary(plan: Plan, { verbose }: PlanTextOptions, style: Style): readonly string[] {
  if (plan.actions.length === 0) return [];
  const rest = groupsOf(plan).map(({ title, entries }) => `${entries.length} ${title.toLowerCase()}`);
  const unmanaged = plan.unmanaged.length > 0 ? [`${plan.unmanaged.length} unmanaged`] : [];
  const counts = [
    plural(plan.actions.length, 'action'),
    ...rest,
    `${plan.summary.unchanged} unchanged`,
    ...unmanaged,
  ].join(', ');
  return [
    `${style.strong('Summary')}: ${counts}${verbose ? `\n${style.faint(`digest ${escapeText(plan.digest, 100)}`)}` : ''}`,
  ];
}

function hintsFor(
  plan: Plan,
  { outcome, file, again = 'hostwright plan', verbose }: PlanTextOptions,
): readonly string[] {
  return [
    ...(plan.actions.length > 0 && !verbose ? ['--verbose shows every request.'] : []),
    ...stepsAfterPlan(plan, { again, ...(file !== undefined && { saved: file }) }).map(stepLine),
    ...(outcome !== undefined && outcome !== 'done' ? [`Exit code ${EXIT_CODES[outcome]}: ${outcome}.`] : []),
  ];
}
