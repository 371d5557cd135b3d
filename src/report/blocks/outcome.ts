// The end of a run as blocks: what is not as it should be stands open, what was done is folded.
import type { ActionOutcome, ActionWord, Outcome } from '../../model/plan/outcome.ts';
import type { Action } from '../../model/plan/plan.ts';
import { plural } from '../../model/common/count.ts';
import { groupBy } from '../../model/common/lists.ts';
import { sentenceOf } from '../../model/common/sentence.ts';
import { countDiagnostics, countResults, isDone, RESULT_WORDS, totalCost, VERB_MARKS } from '../view/document.ts';
import { escapeText } from '../view/escape.ts';
import { showAddress, showProse } from '../view/names.ts';
import { headLines } from '../view/head-lines.ts';
import type { Asked, NextStep } from '../view/next-steps.ts';
import { sentenceAfter, stepsAfter } from '../view/next-steps.ts';
import type { Block, Item, Line, Report, Role } from './block.ts';
import { diagnosticsOf, folded, listOf, marked, nameOf, paragraph, placeOf, section } from './block.ts';
import { groupSection, showBlockers } from './groups.ts';
import { plainMark } from './mark.ts';

export interface OutcomeReportOptions {
  /** The actions of the plan that ran, where it was seen: they know what is dangerous and what it costs. */
  readonly planned?: readonly Action[];
  /** Where the plan was reviewed. */
  readonly review?: { readonly text: string; readonly href: string };
  readonly asked?: Asked;
  /** A terminal is read from its end. Problems and what to do next go to its other stream. */
  readonly isTerminal?: boolean;
}

const TONES: Readonly<Record<ActionWord, Role>> = {
  done: 'good',
  'already-done': 'good',
  failed: 'alarm',
  'unknown-outcome': 'alarm',
  blocked: 'careful',
  waiting: 'careful',
  skipped: 'careful',
  'not-started': 'careful',
};

export function outcomeReport(ended: Outcome, options: OutcomeReportOptions = {}): Report {
  const { actions, outcome, exitCode, remaining, diagnostics, requests, planDigest } = ended;
  const { isTerminal = false } = options;
  const account = escapeText(ended.account, 100);
  const open = actions.filter((action) => !isDone(action));
  const done = actions.filter(isDone);
  const left = groupSection({
    title: 'Remaining',
    meaning: 'still different from the manifests',
    entries: showBlockers(remaining),
  });
  const sentence = sentenceAfter(ended, options.asked);
  const costs = costLine(actions, options.planned);
  const report = {
    what: 'apply',
    title: `Apply for account ${account}: ${sentence}`,
    mark: () => plainMark('apply', ended.account),
  };
  if (isTerminal) {
    const traffic = `(${plural(requests.reads, 'read')}, ${plural(requests.writes, 'write')})`;
    return {
      ...report,
      blocks: [
        ...cameBlocks(ended),
        ...left,
        ...listOf([
          { line: [marked(exitCode === 0 ? 'good' : 'alarm', sentence), ...costs, ' ', marked('faint', traffic)] },
        ]),
      ],
    };
  }
  const counts = actions.length === 0 ? '' : ` ${countResults(actions)}.`;
  return {
    ...report,
    blocks: [
      { is: 'heading', line: ['Hostwright apply for account ', marked('code', account)] },
      paragraph(marked('strong', sentence), counts, ...costs),
      ...reviewLine(options),
      ...stepsAfter(ended, options.asked).map(nextStep),
      ...section('open', 'Not done', listOf(resultItems(open)), { count: open.length }),
      ...section('problems', countDiagnostics(diagnostics), diagnosticsOf(diagnostics)),
      ...left,
      ...dangerSection(done, options.planned),
      ...folded('done', [`Done (${done.length})`], listOf(done.map(resultItem)), { weight: 'actions' }),
      paragraph(
        `${plural(requests.reads, 'read')}, ${plural(requests.writes, 'write')}, exit code ${exitCode} (${outcome})`,
        ...(planDigest === '' ? [] : ['; digest ', marked('code', escapeText(planDigest, 100))]),
        '.',
      ),
    ],
  };
}

function cameBlocks({ account, actions, outcome }: Outcome): readonly Block[] {
  const none = outcome === 'done' ? 'there was nothing to do' : 'no action was run';
  const came = actions.length === 0 ? none : countResults(actions);
  // Without a workspace nobody knows which account it would have been.
  if (account === '') return [paragraph(sentenceOf(came))];
  const title = `Account ${escapeText(account, 100)}`;
  if (actions.length === 0) return [paragraph(marked('strong', title), `: ${came}`)];
  return section('actions', title, listOf(resultItems(actions)), { meaning: [came] });
}

/** ` Cost: 12.00 EUR.`, of what was really done; nothing where nothing was charged. */
function costLine(actions: readonly ActionOutcome[], planned: readonly Action[] = []): Line {
  const charged = carriedOut(actions, planned).filter(({ risk }) => risk.includes('charge'));
  if (charged.length === 0) return [];
  return [` Cost: ${totalCost(charged) ?? `${plural(charged.length, 'charge')}, and the platform quoted no price`}.`];
}

function carriedOut(actions: readonly ActionOutcome[], planned: readonly Action[]): readonly Action[] {
  const done = new Set(actions.filter(({ result }) => result === 'done').map(({ address }) => address));
  return planned.filter(({ address }) => done.has(address));
}

/** What was dangerous in the plan, and was done. */
function dangerSection(done: readonly ActionOutcome[], planned: readonly Action[] = []): readonly Block[] {
  const lines = headLines(carriedOut(done, planned));
  const items = lines.map(({ text, source, names }): Item => ({
    line: [text, ...placeOf(source)],
    names: names.map((name) => marked('name', name)),
  }));
  return section('risks', 'Dangerous, and done', listOf(items), { count: lines.length });
}

/** Who approved it, with a link to where. */
function reviewLine({ review }: OutcomeReportOptions): readonly Block[] {
  return review === undefined
    ? []
    : [
        paragraph(
          'It was approved, with all that was dangerous in it, in ',
          { as: 'link', text: review.text, href: review.href },
          '.',
        ),
      ];
}

function nextStep({ first = 'Next', command, words }: NextStep): Block {
  return paragraph(`${first}: `, marked('code', command), ` (${words}).`);
}

/** As many actions that ended alike become one item. */
const MANY_ALIKE = 3;
/** As many of them an item names. JSON has them all. */
const NAMED = 20;

/** Returns the actions in their order, with those together that were not carried out for the same reason. */
export function resultsAlike(
  actions: readonly ActionOutcome[],
): readonly (readonly [ActionOutcome, ...ActionOutcome[]])[] {
  const alike = groupBy(actions, (action) =>
    isDone(action) || action.reason === undefined || Object.keys(action.outputs ?? {}).some((key) => key !== 'id')
      ? undefined
      : `${action.result} ${action.reason}`,
  );
  const groups = [...alike].filter(([key, all]) => key !== undefined && all.length >= MANY_ALIKE).map(([, all]) => all);
  const groupOf = new Map(groups.flatMap((all) => all.map((action) => [action, all] as const)));
  return actions.flatMap((action): readonly (readonly [ActionOutcome, ...ActionOutcome[]])[] => {
    const [first, ...others] = groupOf.get(action) ?? [action];
    return first === action ? [[first, ...others]] : [];
  });
}

function resultItems(actions: readonly ActionOutcome[]): readonly Item[] {
  return resultsAlike(actions).map((alike) => {
    const [first] = alike;
    return alike.length === 1
      ? resultItem(first)
      : {
          tags: ['open'],
          line: [marked(TONES[first.result], RESULT_WORDS[first.result]), ` ${alike.length} actions`],
          about: [showProse(first.reason ?? '')],
          names: [
            ...alike.slice(0, NAMED).map(({ address, verb }) => ({
              ...nameOf(address),
              text: `${VERB_MARKS[verb]} ${showAddress(address)}`,
            })),
            ...(alike.length > NAMED ? [marked('faint', `and ${alike.length - NAMED} more`)] : []),
          ],
        };
  });
}

function resultItem({ address, verb, result, reason, outputs = {} }: ActionOutcome): Item {
  // The id of what was there before is no news.
  const reported = Object.entries(outputs).filter(([key]) => key !== 'id' || verb === 'create');
  return {
    tags: [isDone({ result }) ? 'done' : 'open', verb],
    line: [marked(TONES[result], RESULT_WORDS[result]), ' ', marked(verb, VERB_MARKS[verb]), ' ', nameOf(address)],
    ...(reason !== undefined && { about: [showProse(reason)] }),
    blocks: listOf(
      reported.map(([key, value]) => ({
        line: [marked('faint', `${escapeText(key, 100)}: `), outputSpan(escapeText(value, 300))],
      })),
    ),
  };
}

/** An answer such as where to pay may be an address to go to. */
function outputSpan(value: string): Line[number] {
  return /^https:\/\/\S+$/.test(value) ? value : marked('code', value);
}
