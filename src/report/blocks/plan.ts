// A plan or a drift as blocks: whether it runs, what it comes to, what is dangerous, what stands in the way, then every
// action.
import type { Address } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { asShared } from '../../model/diagnostic.ts';
import { groupBy } from '../../model/common/lists.ts';
import type { GuardCheck } from '../../model/plan/guard-check.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { EXIT_CODES } from '../../model/plan/outcome.ts';
import type { Action, Plan } from '../../model/plan/plan.ts';
import type { Rehearsal } from '../../model/plan/rehearsal.ts';
import { plural } from '../../model/common/count.ts';
import { sentenceOf } from '../../model/common/sentence.ts';
import { firstOf } from '../../model/format.ts';
import { overlapSentence } from '../graph/order.ts';
import { stepText } from './steps.ts';
import type { Fold } from '../view/alike.ts';
import { foldActions, showAlike, showSimilar } from '../view/alike.ts';
import {
  checkedRisks,
  countDiagnostics,
  headline,
  numberActions,
  positionsIn,
  saidReason,
  shortReason,
  showNumbers,
  showRisks,
  VERB_MARKS,
} from '../view/document.ts';
import { clipSafe, escapeBlock, escapeText } from '../view/escape.ts';
import type { HeadLine } from '../view/head-lines.ts';
import { APPLYING, headLines } from '../view/head-lines.ts';
import { keepLine } from '../view/keeping.ts';
import { showAddress, showProse, titleOf } from '../view/names.ts';
import { recordsSentence } from '../view/records-to-publish.ts';
import { showRehearsal } from '../view/rehearsal.ts';
import { changesLine, changesOf, showPointer, showValue } from '../view/values.ts';
import type { Block, Details, Item, Line, Marked, Report, Weight } from './block.ts';
import { code, diagnosticsOf, folded, lighter, listOf, marked, nameOf, paragraph } from './block.ts';
import { placeOf, section, VALUES } from './block.ts';
import { driftSections } from './drift.ts';
import { groupSection, groupsOf } from './groups.ts';
import { checkBlocks, settingLines } from './guard-check.ts';
import { planMark } from './mark.ts';
import { addressOfUnmanaged, orphanedSection, releasedSection, unmanagedSection } from './undeclared.ts';

export interface PlanReportOptions {
  readonly heading: 'Plan' | 'Drift';
  /** Every request, digest and item. */
  readonly verbose: boolean;
  /** A line an action: what and why, no values. */
  readonly concise?: boolean;
  readonly outcome?: OutcomeWord;
  /** Whether apply would run it, where that was asked. */
  readonly guardCheck?: GuardCheck;
  /** What came of carrying it out on a copy, where that was asked. */
  readonly rehearsal?: Rehearsal;
  /** What the plan does not carry itself. */
  readonly diagnostics: readonly Diagnostic[];
  /** It is one of several in a report: what to do with it, and how the run ends, is said there for all of them. */
  readonly isPart?: boolean;
  /** When it is shown, so that times can be told from then. */
  readonly nowMs?: number;
  /** The job of a forge in which it was made, where a person reads more. */
  readonly run?: string;
  /** A terminal is read from its end, and says what it is about in its first line. */
  readonly isTerminal?: boolean;
  /** Up to so many actions are unfolded. */
  readonly few?: number;
}

/** Of plans with no more actions than these each is unfolded. */
const FEW = 5;
const UNMANAGED_SHOWN = 10;
/** Characters of the changes of one action on one line: all name servers of a name, and most of a contact. */
const BRIEF = 600;
/** A terminal has room, and shows nothing else of it with `--concise`. */
const BRIEF_TERMINAL = 20_000;

export function planReport(plan: Plan, options: PlanReportOptions): Report {
  const { heading, diagnostics, verbose, isPart = false, isTerminal = false } = options;
  const account = escapeText(plan.account, 100);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const beside = [...plan.notices.map(asShared), ...diagnostics.filter(({ severity }) => severity !== 'error')];
  // A warning that is about no object is about the plan: who does not unfold it takes the plan for something else.
  const warnings = isTerminal
    ? []
    : beside.filter(
        ({ severity, address, source }) => severity === 'warning' && address === undefined && source === undefined,
      );
  const notices = beside.filter((notice) => !warnings.includes(notice));
  // The sides of a drift say what its actions would write.
  const hasActions = plan.actions.length > 0 && (plan.drift === undefined || verbose);
  const groups = groupsOf(plan, { rules: verbose }).flatMap(groupSection);
  const actions = hasActions ? [actionsSection(plan, options)] : [];
  const drift = driftSections(plan, options.nowMs);
  const what = heading === 'Plan' ? 'plan' : 'drift';
  const report: Report = {
    what,
    title: `${heading} for account ${account}: ${headline(plan, heading)}.`,
    mark: () => planMark(what, plan, options.rehearsal),
    ...(plan.actions.length > 0 &&
      plan.drift === undefined && {
        notApproved: 'To approve this text approves nothing: it has no room for the digests.',
      }),
    blocks: [
      ...(isTerminal
        ? []
        : [
            {
              is: 'heading',
              line: [`Hostwright ${heading.toLowerCase()} for account `, marked('code', account)],
            } as const,
          ]),
      // The first thing that a reviewer asks.
      ...(options.guardCheck === undefined ? [] : checkBlocks(plan, options.guardCheck, { isPart, isTerminal })),
      ...rehearsalBlocks(options),
      paragraph(...countsLine(plan, options)),
      ...dangerBlocks(plan, options, hasActions),
      ...noteBlocks(plan, options),
      ...section('errors', countDiagnostics(errors), diagnosticsOf(errors)),
      ...section('warnings', countDiagnostics(warnings), diagnosticsOf(warnings)),
      ...(isTerminal ? [...drift, ...actions, ...groups] : [...groups, ...drift, ...actions]),
      ...orphanedSection(plan),
      ...releasedSection(plan),
      ...unmanagedSection(plan, verbose || !isTerminal ? Infinity : UNMANAGED_SHOWN),
      ...noticeBlocks(notices, options),
      ...(plan.drift === undefined && hasActions
        ? [{ is: 'picture', of: plan.actions, weight: 'picture' } as const]
        : []),
      ...(isPart ? [] : footer(plan, options)),
    ],
  };
  return options.concise === true ? { ...report, blocks: lighter(report.blocks, VALUES) } : report;
}

function rehearsalBlocks({ rehearsal, isTerminal = false }: PlanReportOptions): readonly Block[] {
  if (rehearsal === undefined) return [];
  const { passed, line } = showRehearsal(rehearsal);
  return [paragraph(isTerminal ? marked(passed ? 'strong' : 'alarm', line) : passed ? line : `⛔ ${line}`)];
}

function countsLine(plan: Plan, { heading, isTerminal = false }: PlanReportOptions): Line {
  const counts = `${headline(plan, heading)}.`;
  const overlap = plan.drift === undefined ? overlapSentence(plan.actions) : '';
  const strange = strangersIn(plan);
  return [
    ...(isTerminal
      ? [marked('strong', `${heading} for account ${escapeText(plan.account, 100)}`), `: ${counts}`]
      : [marked('strong', `${heading}: ${counts}`)]),
    ...(strange === '' ? [] : [' ', marked('alarm', `Live and in no manifest: ${strange}.`)]),
    ...(overlap === '' ? [] : [' ', marked('faint', sentenceOf(overlap))]),
  ];
}

const STRANGERS_NAMED = 5;

/** Of drift: what somebody added beside the manifests, such as a hostname; '' for nothing. */
function strangersIn({ drift, unmanaged }: Plan): string {
  if (drift === undefined) return '';
  const added = drift
    .filter(({ is, class: which }) => is === 'extra' && which !== 'pending')
    .map(({ address }) => address);
  const names = [...new Set([...added, ...unmanaged.map(addressOfUnmanaged)])].map((address) => titleOf(address));
  return firstOf(names, STRANGERS_NAMED);
}

/** What must not be missed, never folded, never only a number. */
function dangerBlocks(plan: Plan, { guardCheck, heading }: PlanReportOptions, isLinked: boolean): readonly Block[] {
  const { actions, drift } = plan;
  const numbers = numberActions(actions);
  const settings = guardCheck === undefined ? [] : settingLines(guardCheck);
  const lines = headLines(actions);
  if (settings.length + lines.length === 0)
    return actions.length === 0 || heading === 'Drift' ? [] : [paragraph(checkedRisks())];
  const items = [
    ...settings.map((line): Item => ({ line: [line] })),
    ...lines.map((line) => dangerItem(line, numbers, isLinked)),
  ];
  const count = lines.reduce((sum, line) => sum + line.actions.length, settings.length);
  return [
    {
      is: 'section',
      title: drift === undefined ? 'Look at these first' : APPLYING,
      count,
      anchor: 'risks',
      isAlarm: true,
      blocks: [{ is: 'list', isAlarm: true, items }],
    },
  ];
}

function dangerItem(
  { actions, text, source, names }: HeadLine,
  numbers: ReadonlyMap<Address, number>,
  isLinked: boolean,
): Item {
  const [first] = actions;
  const at = text.indexOf(': ');
  const [title, rest] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)];
  const number = first === undefined ? undefined : numbers.get(first.address);
  const link =
    isLinked && actions.length === 1 ? [{ as: 'code', text: `#${number}`, to: `a${number}` } as const, ' '] : [];
  return {
    line: [...link, marked('strong', asFact(title)), rest, ...placeOf(source)],
    names: names.map((name, index): Marked => {
      const own = numbers.get((actions[index] as Action).address);
      return { as: 'name', text: name, ...(isLinked && { to: `a${own}` }) };
    }),
  };
}

/** `Deletes site shop` of `Delete site shop`. */
function asFact(title: string): string {
  return title.replace(/^(?:Buy|Change|Create|Delete|Disable|Enable|Lock|Make|Move|Turn|Unlock)(?= )/, '$&s');
}

/** What else a reader has to know before the details: records to publish, who approves, and what that does. */
function noteBlocks(
  plan: Plan,
  { isPart = false, isTerminal = false, guardCheck, run }: PlanReportOptions,
): readonly Block[] {
  if (isTerminal) return [];
  const records = plan.drift === undefined ? recordsSentence(plan.actions) : undefined;
  const noted = records === undefined ? [] : [paragraph(records)];
  if (isPart || (plan.drift === undefined && plan.actions.length === 0)) return noted;
  const more: Line = [
    ` More: \`docs/${plan.drift === undefined ? 'reviewing' : 'ci'}.md\` of the package`,
    ...(run?.startsWith('https://') === true ? [', and ', { as: 'link', text: 'this run', href: run } as const] : []),
    '.',
  ];
  if (plan.drift !== undefined)
    return [
      paragraph(
        'Nobody has to approve this report: it changes nothing. Whoever may start apply puts the account back as the manifests say; a pull request with `hostwright drift --accept ADDRESS` keeps what is live, when it is merged.',
        ...more,
      ),
    ];
  const isOne = plan.actions.length === 1;
  const what = isOne ? 'this action' : `exactly these ${plan.actions.length} actions`;
  const merge =
    (guardCheck?.refusals.length ?? 0) > 0
      ? `As it is, the merge runs ${isOne ? 'nothing' : 'none of them'}.`
      : `The merge runs ${isOne ? 'it' : 'them'}, or nothing if something changed since.`;
  return [
    ...noted,
    { is: 'paragraph', weight: 'digests', line: [`Whoever may approve the merge approves ${what}. ${merge}`, ...more] },
  ];
}

function noticeBlocks(
  notices: readonly Diagnostic[],
  { isTerminal = false, concise = false }: PlanReportOptions,
): readonly Block[] {
  if (notices.length === 0) return [];
  const them = notices.length === 1 ? 'it' : 'them';
  if (isTerminal && concise)
    return listOf([{ line: [`${countDiagnostics(notices)} (run without --concise to read ${them})`] }]);
  const told = diagnosticsOf(notices);
  return isTerminal ? told : folded('notices', [`Notes (${notices.length})`], told);
}

interface Shown {
  readonly plan: Plan;
  readonly options: PlanReportOptions;
  readonly numbers: ReadonlyMap<Address, number>;
  readonly positions: ReadonlyMap<Address, string>;
}

function actionsSection(plan: Plan, options: PlanReportOptions): Block {
  const shown: Shown = { plan, options, numbers: numberActions(plan.actions), positions: positionsIn(plan.actions) };
  const { few = FEW, verbose } = options;
  const isOpen = plan.actions.length <= few;
  // With every request told each stands by itself.
  const entries = verbose ? plan.actions : foldActions(plan.actions);
  return {
    is: 'section',
    title: 'Actions',
    count: plan.actions.length,
    anchor: 'actions',
    weight: 'actions',
    blocks: entries.map((entry) => ('all' in entry ? foldDetails(entry, shown) : actionDetails(entry, shown, isOpen))),
  };
}

/** One change on many objects: what it is, then which. */
function foldDetails(fold: Fold, shown: Shown): Details {
  const { first, all, isSame } = fold;
  const { text, source, names } = isSame ? showAlike(fold) : showSimilar(fold);
  const numbers = showNumbers(
    all.map(({ address }) => address),
    shown.numbers,
  );
  const to = all.map(({ address }, index): Marked => ({
    as: 'name',
    text: names[index] as string,
    to: `a${shown.numbers.get(address)}`,
  }));
  return {
    is: 'details',
    line: [
      marked(first.verb, VERB_MARKS[first.verb]),
      ' ',
      marked('strong', text),
      ...risksOf(first),
      ...placeOf(source, '  all from '),
    ],
    blocks: isSame
      ? [{ is: 'list', items: [{ line: [marked('faint', numbers)], names: to }] }]
      : all.map((action) => actionDetails(action, shown, false)),
  };
}

function risksOf(action: Pick<Action, 'risk' | 'cost'>): Line {
  return showRisks(action).flatMap((words) => ['  ', marked('risk', words)]);
}

function actionDetails(action: Action, shown: Shown, isOpen: boolean): Details {
  const { options, numbers, positions, plan } = shown;
  const { verbose } = options;
  const { address, verb, risk, source } = action;
  const number = numbers.get(address);
  const position = positions.get(address);
  const weight: Weight = risk.length > 0 || verb === 'delete' ? 'risky' : verb === 'create' ? 'creates' : 'updates';
  const reason = saidReason(action);
  // Its mark says that it will be created.
  const isNew = verb === 'create' && reason === 'will be created';
  const lines = (all: readonly Line[]): readonly Block[] =>
    all.map((line): Block => ({ is: 'paragraph', line, weight }));
  const room = { value: 4000, items: verbose ? 1000 : 200 };
  return {
    is: 'details',
    anchor: `a${number}`,
    tags: [verb, ...(risk.length > 0 ? ['risk'] : [])],
    isOpen,
    line: [
      marked('code', `#${number}`),
      ' ',
      marked(verb, VERB_MARKS[verb]),
      ' ',
      nameOf(address),
      ...risksOf(action),
      ...placeOf(source),
    ],
    brief: [
      clipSafe(
        isNew ? changesLine(action, position) : shortReason(action, position),
        options.isTerminal === true ? BRIEF_TERMINAL : BRIEF,
      ),
    ],
    blocks: [
      ...lines([...(reason === '' ? [] : [[reason]]), ...besideLines(action)]),
      ...(action.keep?.accept === false ? code('yaml', escapeBlock(action.keep.yaml), weight) : []),
      { is: 'changes', verb, of: (line) => changesOf(action, position, { ...room, line }), weight },
      ...lines(needLines(action, numbers, verbose)),
      ...(verbose ? code('text', stepText(action, plan.bindings), 'requests') : []),
    ],
  };
}

/** What an action does beside its own changes, what it never does, and how to keep what it deletes. */
function besideLines({ address, effects, protected: isProtected, keep }: Action): readonly Line[] {
  const also = effects.map((one): Line => [
    `also makes ${showAddress(one.address)} ${showPointer(one.path)}: ${showValue(one.value, 2000)}`,
  ]);
  return [
    ...also,
    ...(isProtected ? [[marked('careful', 'protected: it is never deleted, and never charged for')]] : []),
    ...(keep === undefined ? [] : [[keepLine(address, keep)]]),
  ];
}

/** Why an action comes after others; several with one reason are told once. */
function needLines({ needs }: Action, numbers: ReadonlyMap<Address, number>, verbose: boolean): readonly Line[] {
  return [...groupBy(needs, ({ rule, reason }) => `${rule}\n${reason}`).values()].map((group) => {
    const { rule, reason } = group[0] as Action['needs'][number];
    const after = showNumbers(
      group.map(({ address }) => address),
      numbers,
    );
    const id = verbose ? ` (${escapeText(rule, 100)})` : '';
    return [marked('faint', `after ${after} because ${showProse(reason)}${id}`)];
  });
}

function footer(plan: Plan, { outcome, isTerminal = false, verbose }: PlanReportOptions): readonly Block[] {
  // Before the digest is asked for: making it loads what a plan without changes does not need.
  if (isTerminal && plan.actions.length === 0) return [];
  const digest = escapeText(plan.digest, 100);
  if (isTerminal) {
    const rest = groupsOf(plan).map(({ title, entries }) => `${entries.length} ${title.toLowerCase()}`);
    const unmanaged = plan.unmanaged.length > 0 ? [`${plan.unmanaged.length} unmanaged`] : [];
    const counts = [
      plural(plan.actions.length, 'action'),
      ...rest,
      `${plan.summary.unchanged} unchanged`,
      ...unmanaged,
    ];
    return listOf([
      { line: [marked('strong', 'Summary'), `: ${counts.join(', ')}`] },
      ...(verbose ? [{ line: [marked('faint', `digest ${digest}`)] }] : []),
    ]);
  }
  const ends = outcome === undefined || outcome === 'done' ? '' : `, exit code ${EXIT_CODES[outcome]} (${outcome})`;
  return [
    paragraph(
      `${plural(plan.actions.length, 'action')}, ${plan.summary.unchanged} unchanged${ends}. Digest `,
      marked('code', digest),
      '.',
    ),
  ];
}
