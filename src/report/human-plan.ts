// Decides how a plan reads in a terminal: in execution order, each action with its reason, its changes and what it waits for; then what
// stands in the way. Must not reorder, hide a risk or compute anything that is not in the plan.
import type { OutcomeWord } from '../model/outcome.ts';
import { EXIT_CODES } from '../model/outcome.ts';
import type { Action, Plan } from '../model/plan.ts';
import { isUnfinished } from '../model/plan.ts';
import type { Group } from './document.ts';
import { countActions, groupNeeds, groupsOf, numberActions, plural, riskSummary, showRequirement, showRisks, showSource, VERB_MARKS } from './document.ts';
import { escapeBlock, escapeText } from './escape.ts';
import { renderDiagnostics } from './human-diagnostics.ts';
import { showStep } from './steps.ts';
import type { Style } from './style.ts';
import { createStyle } from './style.ts';
import type { Room, ShownChange } from './values.ts';
import { showChange, showPointer, showValue } from './values.ts';

export interface PlanTextOptions {
  readonly color: boolean;
  /** Every request, digest and item. */
  readonly verbose: boolean;
  /** Columns of the terminal: decides what goes on one line. */
  readonly width: number;
  readonly heading?: 'Plan' | 'Drift';
  /** How the command ends, where that is known. */
  readonly outcome?: OutcomeWord;
  /** The file that the plan was written to or read from. */
  readonly file?: string;
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
    ...actionBlocks(plan, options, style),
    ...groupsOf(plan).map((group) => groupBlock(group, style)),
    ...unmanagedBlock(plan, options, style),
    ...(plan.remarks.length > 0 ? [renderDiagnostics(plan.remarks, { color: options.color })] : []),
    ...summary(plan, options, style),
  ];
  return { text: blocks.join('\n\n'), hints: hintsFor(plan, options) };
}

/** The lines of a group of obstacles, also used for what remains after a run. */
export function groupBlock({ title, meaning, entries }: Group, style: Style): string {
  const lines = entries.flatMap(({ address, because, todo }) => [
    `  ${style.strong(address)}`,
    `      ${because}`,
    ...(todo === undefined ? [] : [`      ${style.faint('->')} ${todo}`]),
  ]);
  return [`${style.careful(`${title} (${entries.length})`)}${style.faint(`: ${meaning}`)}`, ...lines].join('\n');
}

function header(plan: Plan, heading: string, style: Style): string {
  const account = escapeText(plan.account, 100);
  if (plan.actions.length === 0) {
    const nothing = heading === 'Drift' ? 'none' : 'nothing to do';
    const what = isUnfinished(plan) ? 'no action to run, but not everything is as declared' : `${nothing}, ${plural(plan.summary.unchanged, 'object')} as declared`;
    return `${style.strong(`${heading} for account ${account}`)}: ${what}.`;
  }
  const risks = riskSummary(plan.actions);
  const first = `${style.strong(`${heading} for account ${account}`)}: ${countActions(plan.actions)}`;
  return risks === '' ? first : `${first}\n${style.alarm(`! ${risks}`)}`;
}

function actionBlocks(plan: Plan, options: PlanTextOptions, style: Style): readonly string[] {
  const numbers = numberActions(plan.actions);
  const digits = String(plan.actions.length).length;
  const margin = ' '.repeat(digits + 5);
  return plan.actions.map((action, index) => {
    const paint = style.verb[action.verb];
    const risks = showRisks(action).map((words) => style.alarm(`! ${words}`));
    const source = action.source === undefined ? [] : [style.faint(showSource(action.source))];
    const title = `${paint(VERB_MARKS[action.verb])} ${style.strong(escapeText(action.address, 300))}`;
    const head = `  ${String(index + 1).padStart(digits)} ${[title, ...risks, ...source].join('  ')}`;
    const needs = groupNeeds(action, numbers).map(({ after, because, rule }) => style.faint(`after ${after} because ${because} (${rule})`));
    const shield = action.protected ? [style.careful('protected: it is never deleted, and never charged for')] : [];
    const effects = action.effects.map(({ address, path, value }) => `also makes ${escapeText(address, 300)} ${showPointer(path)}: ${showValue(value, 160)}`);
    const lines = [escapeText(action.reason), ...changeLines(action, options, style), ...effects, ...shield, ...needs, ...(options.verbose ? stepLines(action, plan, style) : [])];
    return [head, ...lines.map((line) => `${margin}${line}`)].join('\n');
  });
}

function changeLines(action: Action, { verbose, width }: PlanTextOptions, style: Style): readonly string[] {
  const room: Room = { value: verbose ? 2000 : 160, line: Math.max(width - 12, 40), items: verbose ? 1000 : 20 };
  const changes = action.changes.map((change) => showChange(change, action.verb, room));
  const pad = Math.min(24, Math.max(0, ...changes.map(({ field, inline }) => (inline === undefined ? 0 : field.length))));
  return changes.flatMap((change) => oneChange(change, pad, style));
}

function oneChange({ field, inline, items = [] }: ShownChange, pad: number, style: Style): readonly string[] {
  if (inline !== undefined) return [`  ${`${field}:`.padEnd(pad + 1)} ${inline}`];
  const paint = { '+': style.good, '-': style.bad, ' ': style.faint };
  return [`  ${field}:`, ...items.map(({ mark, text }) => `    ${paint[mark](`${mark} ${text}`)}`)];
}

function stepLines(action: Action, { bindings }: Plan, style: Style): readonly string[] {
  const requirement = showRequirement(action.requires);
  const steps = action.steps.flatMap((step, index) => {
    const { head, body, lines } = showStep(step, bindings);
    return [`${index + 1}. ${head}`, ...(body === undefined ? [] : [`   ${body}`]), ...lines.map((line) => style.faint(`   ${line}`))];
  });
  return [
    ...steps,
    ...(requirement === '' ? [] : [style.faint(`requires ${requirement}`)]),
    ...(action.locks.length === 0 ? [] : [style.faint(`alone on ${action.locks.map((lock) => escapeText(lock, 300)).join(', ')}`)]),
    style.faint(`digest ${escapeText(action.digest, 100)}`),
  ];
}

/** One block of YAML for each collection, ready to paste under `spec:`. */
function unmanagedBlock({ unmanaged }: Plan, { verbose }: PlanTextOptions, style: Style): readonly string[] {
  if (unmanaged.length === 0) return [];
  const collections = new Map<string, string[]>();
  for (const { collection, yaml } of unmanaged) collections.set(collection, [...(collections.get(collection) ?? []), yaml]);
  const lines = [...collections].flatMap(([collection, yamls]) => {
    const shown = verbose ? yamls : yamls.slice(0, UNMANAGED_SHOWN);
    const rest = yamls.length - shown.length;
    return [
      `  ${style.strong(escapeText(collection, 300))}`,
      ...mergeYaml(shown).map((line) => `      ${line}`),
      ...(rest > 0 ? [style.faint(`      # and ${rest} more: --verbose shows them all`)] : []),
    ];
  });
  const title = `${style.strong(`Unmanaged (${unmanaged.length})`)}${style.faint(': live, named by no manifest, left alone; to adopt, paste under spec:')}`;
  return [[title, ...lines].join('\n')];
}

/** Lists under one key become one list. */
function mergeYaml(yamls: readonly string[]): readonly string[] {
  let key: string | undefined;
  return yamls.flatMap((yaml) => {
    const lines = escapeBlock(yaml);
    const repeated = key === lines[0];
    key = lines[0];
    return repeated ? lines.slice(1) : lines;
  });
}

function summary(plan: Plan, { verbose }: PlanTextOptions, style: Style): readonly string[] {
  if (plan.actions.length === 0) return [];
  const rest = groupsOf(plan).map(({ title, entries }) => `${entries.length} ${title.toLowerCase()}`);
  const unmanaged = plan.unmanaged.length > 0 ? [`${plan.unmanaged.length} unmanaged`] : [];
  const counts = [plural(plan.actions.length, 'action'), ...rest, `${plan.summary.unchanged} unchanged`, ...unmanaged].join(', ');
  return [`${style.strong('Summary')}: ${counts}${verbose ? `\n${style.faint(`digest ${escapeText(plan.digest, 100)}`)}` : ''}`];
}

function hintsFor(plan: Plan, { outcome, file, verbose }: PlanTextOptions): readonly string[] {
  const run = file === undefined ? 'hostwright apply' : `hostwright apply ${escapeText(file, 300)}`;
  const what = file === undefined ? 'plans again, asks, and runs it' : 'runs exactly these actions, or nothing';
  return [
    ...(plan.actions.length > 0 && !verbose ? ['--verbose shows every request.'] : []),
    ...(plan.actions.length > 0 ? [`Next: ${run}   (${what})`] : []),
    ...(outcome !== undefined && outcome !== 'done' ? [`Exit code ${EXIT_CODES[outcome]}: ${outcome}.`] : []),
  ];
}
