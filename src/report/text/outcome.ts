// How the end of a run reads in a terminal: each action with what became of it, then what is left, then one sentence.
// Diagnostics are rendered apart, because they go to stderr.
import type { AccountLedger } from '../../model/plan/ledgers.ts';
import type { LedgerView } from '../../model/plan/ledger-view.ts';
import { describeStartedBy } from '../../model/plan/started-by.ts';
import type { Outcome } from '../../model/plan/outcome.ts';
import { plural, VERB_MARKS } from '../view/document.ts';
import { escapeText } from '../view/escape.ts';
import type { Asked } from '../view/next-steps.ts';
import { confirmStep, stepLine, stepsAfter } from '../view/next-steps.ts';
import { showAddress, showProse } from '../view/names.ts';
import { renderTable } from './table.ts';
import type { RenderedPlan } from './plan.ts';
import type { OutcomeReportOptions } from '../blocks/outcome.ts';
import { outcomeReport } from '../blocks/outcome.ts';
import type { TextOptions } from './write.ts';
import { writeText } from './write.ts';
import { createStyle } from './style.ts';

export function renderOutcome(
  outcome: Outcome,
  { color, width = Infinity, ...options }: Partial<TextOptions> & OutcomeReportOptions,
): RenderedPlan {
  const { blocks } = outcomeReport(outcome, { ...options, isTerminal: true });
  return {
    text: writeText(blocks, { ...options, color: color === true, width }),
    hints: outcomeHints(outcome, options.asked),
  };
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
      ...(reason === undefined ? [] : [`      ${showProse(reason)}`]),
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
