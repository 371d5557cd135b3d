// A plan as the one comment of a pull request: what a reviewer must see stands open, the rest is folded. It fits by
// leaving out whole parts in the order of STEPS, and says which.
import type { BlockContent, RootContent } from 'mdast';
import type { Address } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { asShared } from '../../model/diagnostic.ts';
import type { GuardCheck } from '../../model/plan/guard-check.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { EXIT_CODES } from '../../model/plan/outcome.ts';
import type { Action, Plan } from '../../model/plan/plan.ts';
import {
  importable,
  positionsIn,
  saidReason,
  shortReason,
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
import { escapeText } from '../view/escape.ts';
import { keepLines } from '../view/keeping.ts';
import { showAddress } from '../view/names.ts';
import { foldAlike, showAlike } from '../view/alike.ts';
import { settingLines, showCheck } from '../view/guard-check.ts';
import type { HeadLine } from '../view/head-lines.ts';
import { APPLYING, headLines } from '../view/head-lines.ts';
import type { Limit } from './fit.ts';
import { firstThatFits } from './fit.ts';
import { countDiagnostics } from '../text/diagnostics.ts';
import { driftParts, leastDriftSize } from './drift.ts';
import type { ListRoom } from './parts.ts';
import { cutList, diagnosticList, entryList, groupParts, name, sentence } from './parts.ts';
import { code, fence, folded, html, list, paragraph, prose, strong, text, writeMarkdown } from './text.ts';
import { planMarker } from './marker.ts';
import { recordsSentence } from '../view/records-to-publish.ts';
import { leastOrphanedSize, orphanedParts } from './orphaned.ts';
import { mermaidLines } from '../graph/mermaid.ts';
import { stepText } from '../text/steps.ts';
import { overlapSentence, trackName, tracksOf } from '../graph/tracks.ts';
import { diffLines } from '../view/values.ts';

export interface PlanMarkdownOptions {
  readonly heading: 'Plan' | 'Drift';
  readonly verbose: boolean;
  readonly concise?: boolean;
  readonly context?: number;
  readonly outcome: OutcomeWord;
  /** Whether apply would run it, where that was asked. */
  readonly guardCheck?: GuardCheck;
  /** It is one of several in a report: what to do with it, and how the run ends, is said there for all of them. */
  readonly isPart?: true;
  /** What the plan does not carry itself. */
  readonly diagnostics: readonly Diagnostic[];
  readonly limit: Limit;
}

interface Level {
  /** What is left out from this level on, in words. */
  readonly without?: string;
  readonly requests: boolean;
  readonly graph: boolean;
  readonly yaml: boolean;
  readonly updates: boolean;
  readonly creates: boolean;
  readonly risky: boolean;
  readonly actions: boolean;
  readonly room: ListRoom;
  readonly digests: boolean;
}

const FULL: Level = {
  requests: true,
  graph: true,
  yaml: true,
  updates: true,
  creates: true,
  risky: true,
  actions: true,
  room: { entries: Infinity, text: Infinity },
  digests: true,
};

/** What goes first stands first. Of what hurts, the values go later than all others, and the names never. */
const STEPS: readonly (Partial<Level> & { readonly without: string })[] = [
  { requests: false, without: 'every request' },
  { graph: false, without: 'the picture of the order' },
  { yaml: false, without: 'the YAML of what is unmanaged' },
  { updates: false, without: 'the values of changes without risk' },
  { creates: false, without: 'the values of creations without risk' },
  { risky: false, without: 'the values of what has a risk' },
  { actions: false, without: 'the list of all actions' },
  { room: { entries: 50, text: 300 }, without: 'the ends of long lists and texts' },
  { digests: false, without: 'the digests that a review approves' },
  { room: { entries: 5, text: 200 }, without: 'most of each list' },
];

/** What is around the values of one action, and what a digest takes, at the least. */
const FOLD_SIZE = 100;
const DIGEST_SIZE = 64;

/** The comment; undefined when the limit has no room for its shortest form. */
export function renderPlanMarkdown(plan: Plan, options: PlanMarkdownOptions): string | undefined {
  const levels = levelsFor(options);
  const possible = levels.filter((level) => leastSize(plan, level) <= options.limit.most);
  return firstThatFits(possible, options.limit, (level) =>
    writeMarkdown(planParts(plan, options, level, dropped(level, levels))),
  );
}

/**
 * No report of this level is shorter. Writing Markdown only to find it far too long would take a large account minutes.
 */
function leastSize(plan: Plan, level: Level): number {
  const { room } = level;
  // Backticks may go: they only mark what is code.
  const sizeOf = (value: string): number => Math.min(value.replaceAll('`', '').length, room.text);
  const sum = <Item>(items: readonly Item[], size: (item: Item) => number): number =>
    items.reduce((total, item) => total + size(item), 0);
  const actions =
    level.actions && plan.drift === undefined
      ? sum(
          level.requests ? plan.actions : foldAlike(plan.actions).rest,
          // Percent signs and what they stand for may be shorter when shown.
          ({ address, ...action }) =>
            sizeOf(address.slice(0, 30)) + (hasValues({ address, ...action }, level) ? FOLD_SIZE : 0),
        )
      : 0;
  const groups = sum(groupsOf(plan), ({ entries }) =>
    sum(
      entries.slice(0, room.entries),
      ({ address, reason, remedy = '' }) => sizeOf(address) + sizeOf(reason) + sizeOf(remedy),
    ),
  );
  const digests = level.digests ? sum(plan.actions, ({ digest }) => Math.min(digest.length, DIGEST_SIZE)) : 0;
  return (
    actions +
    leastDriftSize(plan, room) +
    leastOrphanedSize(plan, room) +
    groups +
    digests +
    (level.yaml ? sum(plan.unmanaged, ({ identity }) => Math.min(identity.length, DIGEST_SIZE)) : 0)
  );
}

function levelsFor({ verbose, concise = false }: PlanMarkdownOptions): readonly Level[] {
  const first: Level = {
    ...FULL,
    requests: verbose,
    ...(concise && { graph: false, yaml: false, updates: false, creates: false, risky: false }),
  };
  const levels: Level[] = [first];
  for (const step of STEPS) levels.push({ ...(levels.at(-1) as Level), ...step });
  return levels;
}

/** What this level leaves out that the first one has, in words. */
function dropped(level: Level, levels: readonly Level[]): readonly string[] {
  const parts = ['requests', 'graph', 'yaml', 'updates', 'creates', 'risky', 'actions', 'room', 'digests'] as const;
  return levels.slice(1, levels.indexOf(level) + 1).flatMap((step, index) => {
    const before = levels[index] as Level;
    return step.without !== undefined && parts.some((part) => step[part] !== before[part]) ? [step.without] : [];
  });
}

function planParts(
  plan: Plan,
  options: PlanMarkdownOptions,
  level: Level,
  without: readonly string[],
): readonly RootContent[] {
  const { heading, diagnostics, outcome } = options;
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const beside = [...plan.notices.map(asShared), ...diagnostics.filter(({ severity }) => severity !== 'error')];
  // A warning that is about no object is about the plan: who does not unfold it takes the plan for something else.
  const warnings = beside.filter(
    ({ severity, address, source }) => severity === 'warning' && address === undefined && source === undefined,
  );
  const notices = beside.filter((notice) => !warnings.includes(notice));
  const [deferred, ...open] = [...groupsOf(plan, { rules: options.verbose })].sort(
    (left, right) => Number(right.title === DEFERRED) - Number(left.title === DEFERRED),
  );
  const records = recordsSentence(plan.actions);
  const groups = deferred === undefined || deferred.title === DEFERRED ? open : [deferred, ...open];
  return [
    html(planMarker(heading === 'Plan' ? 'plan' : 'drift', plan, level.digests)),
    {
      type: 'heading',
      depth: 3,
      children: [text(`Hostwright ${heading.toLowerCase()} for account `), code(escapeText(plan.account, 100))],
    },
    ...checkParts(plan, options, level),
    paragraph(
      strong(`${heading}: ${headline(plan, heading)}.`),
      ...prose(overlapSentence(plan.actions) === '' ? '' : ` ${sentenceCase(overlapSentence(plan.actions))}.`),
    ),
    ...headParts(plan, options, level),
    ...(records === undefined || plan.drift !== undefined ? [] : [paragraph(...prose(records))]),
    ...(without.length === 0
      ? []
      : [paragraph(text(`Too long to show whole. Left out: ${without.join(', ')}. A saved plan has it all.`))]),
    ...(errors.length === 0 ? [] : [paragraph(strong(countDiagnostics(errors))), diagnosticList(errors, level.room)]),
    ...(warnings.length === 0 ? [] : [diagnosticList(warnings, level.room)]),
    ...groups.flatMap((group) => groupParts(group, level.room)),
    ...driftParts(plan, { values: level.updates, room: level.room }),
    // The sides of a drift say what its actions would write.
    ...(level.actions && (plan.drift === undefined || options.verbose) ? actionParts(plan, options, level) : []),
    ...(deferred?.title === DEFERRED
      ? folded(
          [`${DEFERRED} (${deferred.entries.length}): ${deferred.meaning}`],
          [entryList(deferred.entries, level.room)],
        )
      : []),
    ...orphanedParts(plan, { yaml: level.yaml, room: level.room }),
    ...unmanagedParts(plan, level),
    ...(notices.length === 0 ? [] : folded([`Notes (${notices.length})`], [diagnosticList(notices, level.room)])),
    ...(plan.drift === undefined ? graphParts(plan.actions, level) : []),
    ...(options.isPart === true ? [] : footer(plan, outcome, level)),
  ];
}

const DEFERRED = 'Deferred';

/** Whether apply will run it: the first thing that a reviewer asks. */
function checkParts(plan: Plan, { guardCheck, isPart }: PlanMarkdownOptions, { room }: Level): readonly RootContent[] {
  const check = guardCheck === undefined ? undefined : showCheck(plan, guardCheck, { isPart: isPart === true });
  if (check === undefined) return [];
  const mark = check.runs ? '' : '⛔ ';
  return [
    paragraph(
      text(mark),
      ...sentence(check.first, room),
      ...check.reviewerRemedies.flatMap((remedy) => [text(' '), ...sentence(remedy, room)]),
    ),
  ];
}

/** What must not be missed, never folded, never only a number. */
function headParts(
  { actions, drift }: Plan,
  { guardCheck }: PlanMarkdownOptions,
  { room }: Level,
): readonly RootContent[] {
  const changes = guardCheck === undefined ? [] : settingLines(guardCheck);
  const lines: readonly HeadLine[] = [
    ...changes.map((line) => ({ actions: [], text: line, names: [] })),
    ...headLines(actions),
  ];
  if (lines.length === 0) return [];
  return [
    ...(drift === undefined ? [] : [paragraph(text(`${APPLYING}:`))]),
    cutList(lines, room, ({ text: line, source, names }) => [
      paragraph(
        // An arrow of signs would stand as code in the sentence.
        ...sentence(line.replaceAll(' -> ', ' → '), room),
        ...(names.length === 0 ? [] : [text(' ('), ...sentence(names.join(', '), room), text(')')]),
        ...(source === undefined ? [] : [text(' '), name(source, room)]),
      ),
    ]),
  ];
}

function sentenceCase(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function titleOf({ verb, address }: Action): string {
  return `${VERB_MARKS[verb]} ${showAddress(address)}`;
}

/** In execution order. Those that are shown without values are lines of a list between the others. */
function actionParts(plan: Plan, options: PlanMarkdownOptions, level: Level): readonly RootContent[] {
  const numbers = numberActions(plan.actions);
  const positions = positionsIn(plan.actions);
  const tracks = tracksOf(plan.actions);
  const { folds, rest } = options.verbose ? { folds: [], rest: plan.actions } : foldAlike(plan.actions);
  const parts: RootContent[] = [];
  let lines: (readonly BlockContent[])[] = [];
  const endList = (): void => {
    if (lines.length > 0) parts.push(list(lines));
    lines = [];
  };
  for (const fold of folds) {
    const { text: line, source, names } = showAlike(fold);
    const risks = showRisks(fold.first).map((words) => `! ${words}`);
    const from = source === undefined ? [] : [`(all from ${source})`];
    parts.push(
      ...folded(
        [{ code: `${VERB_MARKS[fold.first.verb]} ${line}` }, ...risks, ...from],
        [paragraph(...prose(names.join(', ')))],
      ),
    );
  }
  rest.forEach((action, index) => {
    const track = tracks.get(action.address);
    if (track !== undefined && track !== tracks.get(rest[index - 1]?.address ?? '')) {
      endList();
      parts.push(paragraph(strong('Group'), text(' '), code(escapeText(trackName(track), 300))));
    }
    const number = `#${numbers.get(action.address)}`;
    if (!hasValues(action, level)) {
      lines.push([paragraph(code(`${number} ${titleOf(action)}`), text(': '), ...prose(shortReason(action)))]);
      return;
    }
    endList();
    parts.push(
      ...folded(
        [{ code: `${number} ${titleOf(action)}` }, ...showRisks(action).map((words) => `! ${words}`)],
        actionBody(action, { numbers, positions }, plan, options, level),
      ),
    );
  });
  endList();
  return parts;
}

interface Shown {
  readonly numbers: ReadonlyMap<Address, number>;
  readonly positions: ReadonlyMap<Address, string>;
}

function hasValues({ verb, risk }: Action, { updates, creates, risky }: Level): boolean {
  if (risk.length > 0 || verb === 'delete') return risky;
  return verb === 'create' ? creates : updates;
}

function actionBody(
  action: Action,
  { numbers, positions }: Shown,
  { bindings }: Plan,
  { verbose, context }: PlanMarkdownOptions,
  { requests }: Level,
): readonly RootContent[] {
  const values = diffLines(action, positions.get(action.address), {
    value: 4000,
    items: verbose ? 1000 : 200,
    ...(context !== undefined && { context }),
  });
  const needs = groupNeeds(action, numbers).map(
    ({ after, reason, rule }) => `after ${after} because ${reason}${verbose ? ` (${rule})` : ''}`,
  );
  const source = action.source === undefined ? [] : [`from ${showSource(action.source)}`];
  const why = saidReason(action);
  const keep = keepLines(action);
  const said = [
    ...(why === '' ? [] : [why]),
    ...besideLines(action).map(({ text: line }) => line),
    ...(keep === undefined ? [] : [keep.text]),
    ...needs,
    ...source,
  ];
  return [
    ...(said.length === 0 ? [] : [list(said.map((line) => [paragraph(...prose(line))]))]),
    ...(keep === undefined || keep.yaml.length === 0 ? [] : [fence('yaml', keep.yaml)]),
    ...(values.length === 0 ? [] : [fence('diff', values)]),
    ...(requests ? [fence('text', stepText(action, bindings))] : []),
  ];
}

function unmanagedParts({ unmanaged }: Plan, { yaml, room }: Level): readonly RootContent[] {
  if (unmanaged.length === 0) return [];
  const title = `Unmanaged (${unmanaged.length}): live, named by no manifest, left alone`;
  if (!yaml) return [paragraph(text(title))];
  const blocks = importable(unmanaged, Infinity).flatMap(({ collection, commands, yaml: lines }) => [
    paragraph(text('Add these lines of '), name(collection, room), text(' to the manifest with:')),
    fence('sh', commands),
    fence('yaml', lines),
  ]);
  return folded([title], blocks);
}

function graphParts(actions: readonly Action[], { graph }: Level): readonly RootContent[] {
  const lines = graph ? mermaidLines(actions) : undefined;
  return lines === undefined ? [] : folded(['The order as a picture'], [fence('mermaid', lines)]);
}

function footer(plan: Plan, outcome: OutcomeWord, { digests }: Level): readonly RootContent[] {
  const counts = `${plural(plan.actions.length, 'action')}, ${plan.summary.unchanged} unchanged`;
  const ends = outcome === 'done' ? '' : `, exit code ${EXIT_CODES[outcome]} (${outcome})`;
  const approve =
    digests && plan.actions.length > 0
      ? ' Save the source of this text, then run `hostwright apply --expect FILE`: it runs what is reviewed here and nothing else.'
      : '';
  return [
    paragraph(text(`${counts}${ends}.`)),
    ...(plan.actions.length === 0 || plan.drift !== undefined
      ? []
      : folded(
          ['How to run exactly this'],
          [
            paragraph(
              text('The digest of this plan is '),
              code(escapeText(plan.digest, 100)),
              text('.'),
              ...prose(approve),
            ),
          ],
        )),
  ];
}
