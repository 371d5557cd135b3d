// How the end of a run reads in a terminal: each action with what became of it, then what is left, then one sentence.
// Diagnostics are rendered apart, because they go to stderr.
import type { AccountLedger } from '../../model/plan/ledgers.ts';
import type { LedgerView } from '../../model/plan/ledger-view.ts';
import { describeStartedBy } from '../../model/plan/started-by.ts';
import type { ActionOutcome, ActionWord, Outcome } from '../../model/plan/outcome.ts';
import { countResults, plural, RESULT_WORDS, showBlockers, VERB_MARKS } from '../view/document.ts';
import { escapeText } from '../view/escape.ts';
import type { Asked } from '../view/next-steps.ts';
import { confirmStep, sentenceAfter, stepLine, stepsAfter } from '../view/next-steps.ts';
import { showAddress } from '../view/names.ts';
import { groupBlock } from './plan.ts';
import { renderTable } from './table.ts';
import type { RenderedPlan } from './plan.ts';
import type { Paint, Style } from './style.ts';
import { createStyle } from './style.ts';

export function renderOutcome(
  outcome: Outcome,
  { color, asked }: { readonly color: boolean; readonly asked?: Asked },
): RenderedPlan {
  const style = createStyle(color);
  const { actions, remaining, requests } = outcome;
  const none = outcome.outcome === 'done' ? 'nothing was to do' : 'no action was run';
  const came = actions.length === 0 ? none : countResults(actions);
  // Without a workspace nobody knows which account it would have been.
  const head =
    outcome.account === ''
      ? `${came.charAt(0).toUpperCase()}${came.slice(1)}.`
      : `${style.strong(`Account ${escapeText(outcome.account, 100)}`)}: ${came}`;
  const left = { title: 'Remaining', meaning: 'still different from the manifests', entries: showBlockers(remaining) };
  const paint = outcome.exitCode === 0 ? style.good : style.alarm;
  const traffic = style.faint(`(${plural(requests.reads, 'read')}, ${plural(requests.writes, 'write')})`);
  const blocks = [
    [head, ...resultLines(actions, style)].join('\n'),
    ...(remaining.length === 0 ? [] : [groupBlock(left, style)]),
    `${paint(sentenceAfter(outcome))} ${traffic}`,
  ];
  return { text: blocks.join('\n\n'), hints: outcomeHints(outcome, asked) };
}

function resultLines(actions: readonly ActionOutcome[], style: Style): readonly string[] {
  const width = Math.max(0, ...actions.map(({ result }) => RESULT_WORDS[result].length));
  return actions.flatMap(({ address, verb, result, reason, outputs = {} }) => [
    `  ${resultPaint(result, style)(RESULT_WORDS[result].padEnd(width))}  ${style.verb[verb](VERB_MARKS[verb])} ${showAddress(address)}`,
    ...(reason === undefined ? [] : [`${' '.repeat(width + 6)}${escapeText(reason)}`]),
    // The id of what was there before is no news.
    ...Object.entries(outputs).flatMap(([name, value]) =>
      name === 'id' && verb !== 'create'
        ? []
        : [style.faint(`${' '.repeat(width + 6)}${escapeText(name, 100)}: ${escapeText(value, 300)}`)],
    ),
  ]);
}

function resultPaint(result: ActionWord, style: Style): Paint {
  switch (result) {
    case 'done':
    case 'already-done':
      return style.good;
    case 'failed':
    case 'unknown-outcome':
      return style.alarm;
    case 'blocked':
    case 'waiting':
    case 'skipped':
    case 'not-started':
      return style.careful;
  }
}

function outcomeHints(outcome: Outcome, asked: Asked | undefined): readonly string[] {
  const { outcome: word, exitCode } = outcome;
  return [...stepsAfter(outcome, asked).map(stepLine), ...(exitCode === 0 ? [] : [`Exit code ${exitCode}: ${word}.`])];
}

/** The ledgers of all accounts: a row for each that has something to tell, and what they come to. */
export function renderLedgers(ledgers: readonly AccountLedger[], { color }: { readonly color: boolean }): string {
  const style = createStyle(color);
  const told = ledgers.filter(
    ({ standing, inFlight, openActs, heldBy }) =>
      standing !== 'complete' || inFlight.length > 0 || openActs.length > 0 || heldBy !== undefined,
  );
  const flying = ledgers.filter(({ inFlight, openActs }) => inFlight.length + openActs.length > 0);
  const complete = ledgers.filter(({ standing }) => standing === 'complete').length;
  const rows = told.map(({ account, standing, place, inFlight, openActs, heldBy }) => [
    account,
    place === undefined ? standing : `set aside as ${place}`,
    [
      ...inFlight.map(({ address, verb }) => `${VERB_MARKS[verb]} ${showAddress(address)}`),
      ...openActs.map((act) => `? ${act}`),
    ].join(', '),
    heldBy ?? '',
  ]);
  return [
    ...(rows.length === 0 ? [] : [renderTable(['ACCOUNT', 'LEDGER', 'IN FLIGHT', 'HELD BY'], rows, { color }), '']),
    style.strong(
      ledgers.length === 0
        ? 'There is no ledger in the database.'
        : `${plural(ledgers.length, 'ledger')}: ${complete} complete, ${flying.length === 0 ? 'nothing in flight' : `${flying.length} with something in flight`}.`,
    ),
  ].join('\n');
}

const STANDING: Readonly<Record<LedgerView['standing'], string>> = {
  complete: 'complete',
  partial: 'partial: it began when none was found, so that its silence proves nothing',
  missing: 'missing: run `hostwright ledger init`, or restore it',
};

/** Runs that `ledger list` shows. */
const RUNS = 5;

function runLines({ runs = [] }: LedgerView, style: ReturnType<typeof createStyle>): readonly string[] {
  return runs.slice(-RUNS).map(({ startedAtMs, by, end }) => {
    const who = by === undefined ? 'not known by whom' : `by ${escapeText(describeStartedBy(by), 500)}`;
    const how = end === undefined ? 'not ended' : end.complete ? 'complete' : 'not complete';
    return `  ${style.faint('run')}       ${new Date(startedAtMs).toISOString()} ${who}: ${how}`;
  });
}

export function renderLedger(view: LedgerView, { color }: { readonly color: boolean }): string {
  const style = createStyle(color);
  const objects = [...view.objects.values()];
  const width = Math.min(80, Math.max(0, ...objects.map(({ address }) => address.length)));
  const account = view.account === undefined ? '' : ` of account ${escapeText(view.account, 100)}`;
  return [
    `${style.strong(`Ledger${account}`)}: ${STANDING[view.standing]}`,
    `${plural(objects.length, 'object')}, ${plural(view.sequence, 'entry', 'entries')}, ${view.inFlight.length} in flight`,
    ...objects.map(
      ({ address, id, owned }) =>
        `  ${showAddress(address).padEnd(width)}  ${escapeText(id, 100)}  ${style.faint(owned ? 'ours' : 'bound')}`,
    ),
    ...runLines(view, style),
    ...view.inFlight.flatMap(({ action, unanswered, reason }) => [
      `  ${style.careful('in flight')} ${VERB_MARKS[action.verb]} ${showAddress(action.address)}`,
      ...(unanswered === undefined
        ? []
        : [
            `      the request \`${escapeText(unanswered, 100)}\` was sent, and its answer never came`,
            `      ${stepLine(confirmStep(action.address))}`,
          ]),
      ...(reason === undefined ? [] : [`      ${escapeText(reason)}`]),
    ]),
    ...(view.openActs ?? []).flatMap(({ act, sentAtMs }) => [
      `  ${style.careful('unknown')}   ${escapeText(act, 300)}`,
      `      was sent at ${new Date(sentAtMs).toISOString()}, and its answer never came; the same command says where to look`,
    ]),
    ...(view.doneActs ?? []).map(
      ({ act, doneAtMs, untilMs }) =>
        `  ${style.faint('done')}      ${escapeText(act, 300)}, ${new Date(doneAtMs).toISOString()}${untilMs === undefined ? '' : `; to end ${new Date(untilMs).toISOString()}`}`,
    ),
  ].join('\n');
}
