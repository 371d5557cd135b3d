// How a plan reads in a terminal: in execution order, each action with its reason, its changes and what it waits for;
// then what stands in the way.
import type { Address } from '../../model/address.ts';
import { kindOf } from '../../model/address.ts';
import type { SourcePosition } from '../../model/diagnostic.ts';
import type { GuardCheck } from '../../model/plan/guard-check.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { EXIT_CODES } from '../../model/plan/outcome.ts';
import type { Action, Plan } from '../../model/plan/plan.ts';
import type { Group } from '../view/document.ts';
import {
  importable,
  positionsIn,
  saidReason,
  shortReason,
  showNumbers,
  besideLines,
  groupNeeds,
  groupsOf,
  headline,
  numberActions,
  plural,
  showRisks,
  showSource,
  VERB_MARKS,
} from '../view/document.ts';
import { recordsSentence } from '../view/records-to-publish.ts';
import { clipSafe, escapeText } from '../view/escape.ts';
import { stepLine, stepsAfterPlan } from '../view/next-steps.ts';
import { keepLines } from '../view/keeping.ts';
import { showAddress } from '../view/names.ts';
import type { Alike } from '../view/alike.ts';
import { foldAlike, showAlike } from '../view/alike.ts';
import { settingLines, showCheck } from '../view/guard-check.ts';
import type { HeadLine } from '../view/head-lines.ts';
import { APPLYING, headLines } from '../view/head-lines.ts';
import { countDiagnostics, renderDiagnostics } from './diagnostics.ts';
import { driftBlocks } from './drift.ts';
import { orphanedBlock } from './orphaned.ts';
import { stepText } from './steps.ts';
import type { Style } from './style.ts';
import { createStyle } from './style.ts';
import { overlapSentence, trackName, tracksOf } from '../graph/tracks.ts';
import type { Room, ShownChange } from '../view/values.ts';
import { changesOf } from '../view/values.ts';

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
  /** Whether apply would run it, where that was asked. */
  readonly guardCheck?: GuardCheck;
  /** How the command ends, where that is known. */
  readonly outcome?: OutcomeWord;
  /** The file that the plan was written to or read from. */
  readonly file?: string;
  /** The manifests or programs that were named. */
  readonly paths?: readonly string[];
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
    header(plan, options, style),
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
    ...groupsOf(plan, { rules: options.verbose }).map((group) => groupBlock(group, style)),
    ...orphanedBlock(plan, { concise: false }, style),
    ...unmanagedBlock(plan, options, style),
    ...(plan.notices.length > 0 ? [renderDiagnostics(plan.notices, { color: options.color })] : []),
  ];
}

/** Whoever takes a name over changes its contacts or its name servers: these are read to the end. */
function isNeverCut({ address }: Action): boolean {
  return /^Registration(Contacts|Owner|Nameservers|Host)$/.test(kindOf(address));
}

const CONCISE = 200;
const WHOLE = 20_000;

/** One line for each thing that the plan says. What is unmanaged or only noted is counted: it asks for nothing. */
function conciseBlocks(plan: Plan, options: PlanTextOptions, style: Style): readonly string[] {
  const digits = String(plan.actions.length).length;
  const positions = positionsIn(plan.actions);
  const actions = plan.actions.map(
    (action, index) =>
      `${actionHead(action, undefined, index, digits, style)}  ${clipSafe(shortReason(action, positions.get(action.address)), isNeverCut(action) ? WHOLE : CONCISE)}`,
  );
  const groups = groupsOf(plan).map(({ title, entries }) =>
    [
      style.careful(`${title} (${entries.length})`),
      ...entries.map(({ address, reason }) => `  ${style.strong(address)}  ${clipSafe(reason, 200)}`),
    ].join('\n'),
  );
  const notices =
    plan.notices.length === 0
      ? []
      : [
          `${countDiagnostics(plan.notices)} (run without --concise to read ${plan.notices.length === 1 ? 'it' : 'them'})`,
        ];
  const first =
    plan.drift === undefined ? (actions.length === 0 ? [] : [actions.join('\n')]) : driftOf(plan, options, style);
  return [...first, ...groups, ...orphanedBlock(plan, { concise: true }, style), ...notices];
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
  const lines = entries.flatMap(({ address, reason, remedy, declares = [] }) => [
    `  ${style.strong(address)}`,
    `      ${reason}`,
    ...declares.flatMap((object) => [
      `      ${style.good('+')} ${object.address}`,
      ...object.lines.map((line) => `          ${line}`),
    ]),
    ...(remedy === undefined ? [] : [`      ${style.faint('->')} ${remedy}`]),
  ]);
  return [`${style.careful(`${title} (${entries.length})`)}${style.faint(`: ${meaning}`)}`, ...lines].join('\n');
}

function header(plan: Plan, { heading = 'Plan', guardCheck }: PlanTextOptions, style: Style): string {
  const counts = `${style.strong(`${heading} for account ${escapeText(plan.account, 100)}`)}: ${headline(plan, heading)}.`;
  const check = guardCheck === undefined ? undefined : showCheck(plan, guardCheck);
  const risky = headLines(plan.actions);
  const overlap = plan.actions.length === 0 ? '' : overlapSentence(plan.actions);
  return [
    ...(check === undefined ? [] : [(check.runs ? style.strong : style.alarm)(check.first), ...check.remedies]),
    counts,
    ...(guardCheck === undefined ? [] : settingLines(guardCheck).map((line) => `  ${style.alarm('!')} ${line}`)),
    ...(plan.drift === undefined || risky.length === 0 ? [] : [`${APPLYING}:`]),
    ...risky.map((line) => `  ${style.alarm('!')} ${headText(line, style)}`),
    ...(overlap === '' ? [] : [style.faint(`${sentenceCase(overlap)}.`)]),
  ].join('\n');
}

/** A fold names this many objects; all of them stand in the list below. */
const NAMED = 8;

function headText({ text, source, names }: HeadLine, style: Style): string {
  const rest = names.length - NAMED;
  const called =
    names.length === 0 ? '' : ` (${names.slice(0, NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''})`;
  return `${text}${called}${source === undefined ? '' : `  ${style.faint(source)}`}`;
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function actionBlocks(plan: Plan, options: PlanTextOptions, style: Style): readonly string[] {
  const numbers = numberActions(plan.actions);
  const tracks = tracksOf(plan.actions);
  const digits = String(plan.actions.length).length;
  const margin = ' '.repeat(digits + 5);
  const positions = positionsIn(plan.actions);
  // With every request told each stands by itself.
  const { folds, rest } = options.verbose ? { folds: [], rest: plan.actions } : foldAlike(plan.actions);
  return [...folds.map((fold) => foldBlock(fold, numbers, options, style)), ...rest.map(actionBlock)];

  function actionBlock(action: Action, index: number): string {
    const track = tracks.get(action.address);
    const begins = track !== undefined && track !== tracks.get(rest[index - 1]?.address ?? '');
    const needs = groupNeeds(action, numbers).map(({ after, reason, rule }) =>
      style.faint(`after ${after} because ${reason}${options.verbose ? ` (${rule})` : ''}`),
    );
    const lines = [
      ...[saidReason(action)].filter((reason) => reason !== ''),
      ...changeLines(action, options, style, positions.get(action.address)),
      ...besideLines(action).map(({ text, careful }) => (careful ? style.careful(text) : text)),
      ...keepBlock(action),
      ...needs,
      ...(options.verbose ? stepText(action, plan.bindings, style.faint) : []),
    ];
    return [
      ...(begins ? [style.faint(`── ${escapeText(trackName(track), 300)}`)] : []),
      actionHead(action, action.source, (numbers.get(action.address) as number) - 1, digits, style),
      ...lines.map((line) => `${margin}${line}`),
    ].join('\n');
  }
}

function keepBlock(action: Action): readonly string[] {
  const keep = keepLines(action);
  return keep === undefined ? [] : [keep.text, ...keep.yaml.map((line) => `  ${line}`)];
}

/** One change on many objects: what it is, then which. */
function foldBlock(
  fold: Alike,
  numbers: ReadonlyMap<Address, number>,
  { width }: PlanTextOptions,
  style: Style,
): string {
  const { text, source, names } = showAlike(fold);
  const addresses = fold.all.map(({ address }) => address);
  const head = [
    `${showNumbers(addresses, numbers)} ${style.verb[fold.first.verb](VERB_MARKS[fold.first.verb])} ${style.strong(text)}`,
    ...showRisks(fold.first).map((words) => style.alarm(`! ${words}`)),
    ...(source === undefined ? [] : [style.faint(`all from ${source}`)]),
  ].join('  ');
  return [`  ${head}`, ...wrapped(names, Math.max(width - 6, 40)).map((line) => `      ${line}`)].join('\n');
}

/** Names on as few lines as they fit on. */
function wrapped(names: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  names.forEach((name, index) => {
    const word = index === names.length - 1 ? name : `${name},`;
    const line = lines.at(-1);
    if (line === undefined || line.length + word.length + 1 > width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  });
  return lines;
}

function actionHead(
  action: Omit<Action, 'source'>,
  source: SourcePosition | undefined,
  index: number,
  digits: number,
  style: Style,
): string {
  const title = `${style.verb[action.verb](VERB_MARKS[action.verb])} ${style.strong(showAddress(action.address))}`;
  const risks = showRisks(action).map((words) => style.alarm(`! ${words}`));
  const place = source === undefined ? [] : [style.faint(showSource(source))];
  return `  ${String(index + 1).padStart(digits)} ${[title, ...risks, ...place].join('  ')}`;
}

function changeLines(
  action: Action,
  { verbose, width, context }: PlanTextOptions,
  style: Style,
  position: string | undefined,
): readonly string[] {
  const room: Room = {
    value: 4000,
    line: Math.max(width - 12, 40),
    items: verbose ? 1000 : 200,
    ...(context !== undefined && { context }),
  };
  const changes = changesOf(action, position, room);
  const pad = Math.min(
    24,
    Math.max(0, ...changes.map(({ field, inline }) => (inline === undefined ? 0 : field.length))),
  );
  return changes.flatMap((change) => oneChange(change, pad, style));
}

function oneChange({ field, inline, items = [], isWhole }: ShownChange, pad: number, style: Style): readonly string[] {
  if (inline !== undefined) return [`  ${`${field}:`.padEnd(pad + 1)} ${inline}`];
  const paint = { '+': style.good, '-': style.bad, ' ': style.faint };
  return [
    `  ${field}:`,
    ...items.map(({ mark, text }) => `    ${isWhole === true ? text : paint[mark](`${mark} ${text}`)}`),
  ];
}

/** For each collection the lines that its manifest lacks, and the commands that write them there. */
function unmanagedBlock({ unmanaged }: Plan, { verbose }: PlanTextOptions, style: Style): readonly string[] {
  if (unmanaged.length === 0) return [];
  const lines = importable(unmanaged, verbose ? Infinity : UNMANAGED_SHOWN).flatMap(
    ({ collection, commands, yaml, rest }) => [
      `  ${style.strong(collection)}`,
      ...yaml.map((line) => `      ${line}`),
      ...commands.map((command) => `      ${command}`),
      ...(rest > 0 ? [style.faint(`      # and ${rest} more: --verbose shows them all`)] : []),
    ],
  );
  const title = `${style.strong(`Unmanaged (${unmanaged.length})`)}${style.faint(': live, named by no manifest, left alone; the command adds the lines to the manifest')}`;
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
  { outcome, file, paths, again = 'hostwright plan', verbose, guardCheck }: PlanTextOptions,
): readonly string[] {
  const records = recordsSentence(plan.actions);
  return [
    ...(records === undefined || plan.drift !== undefined ? [] : [records]),
    ...(plan.actions.length > 0 && !verbose ? ['--verbose shows every request.'] : []),
    ...stepsAfterPlan(plan, {
      again,
      ...(file !== undefined && { saved: file }),
      ...(paths !== undefined && { paths }),
      ...(guardCheck !== undefined && { guardCheck }),
    }).map(stepLine),
    ...(outcome !== undefined && outcome !== 'done' ? [`Exit code ${EXIT_CODES[outcome]}: ${outcome}.`] : []),
  ];
}
