// How the end of a run reads in a terminal: each action with what became of it, then what is left, then one sentence.
// Diagnostics are rendered apart, because they go to stderr.
import { parseAddress } from '../../model/address.ts';
import type { LedgerView } from '../../model/plan/ledger-view.ts';
import type { ActionOutcome, ActionWord, Outcome } from '../../model/plan/outcome.ts';
import { countResults, OUTCOME_SENTENCES, plural, RESULT_WORDS, showBlockers, VERB_MARKS } from '../view/document.ts';
import { escapeText } from '../view/escape.ts';
import { showAddress } from '../view/names.ts';
import { groupBlock } from './plan.ts';
import type { RenderedPlan } from './plan.ts';
import type { Paint, Style } from './style.ts';
import { createStyle } from './style.ts';

export function renderOutcome(outcome: Outcome, { color }: { readonly color: boolean }): RenderedPlan {
  const style = createStyle(color);
  const { actions, remaining, requests } = outcome;
  const account = style.strong(`Account ${escapeText(outcome.account, 100)}`);
  const none = outcome.outcome === 'done' ? 'nothing was to do' : 'no action was run';
  const head = `${account}: ${actions.length === 0 ? none : countResults(actions)}`;
  const left = { title: 'Remaining', meaning: 'still not as declared', entries: showBlockers(remaining) };
  const paint = outcome.exitCode === 0 ? style.good : style.alarm;
  const traffic = style.faint(`(${plural(requests.reads, 'read')}, ${plural(requests.writes, 'write')})`);
  const blocks = [
    [head, ...resultLines(actions, style)].join('\n'),
    ...(remaining.length === 0 ? [] : [groupBlock(left, style)]),
    `${paint(OUTCOME_SENTENCES[outcome.outcome])} ${traffic}`,
  ];
  return { text: blocks.join('\n\n'), hints: outcomeHints(outcome) };
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

function outcomeHints({ actions, outcome, exitCode }: Outcome): readonly string[] {
  const unknown = actions
    .filter(({ result }) => result === 'unknown-outcome')
    .map(({ address }) => confirmHint(address));
  const resume =
    outcome === 'waiting' || outcome === 'interrupted'
      ? ['Next: hostwright apply --resume   (continues only what is in flight)']
      : [];
  const review =
    outcome === 'conflict' ? ['Next: hostwright plan   (shows the account as it is now; have it reviewed again)'] : [];
  return [...unknown, ...resume, ...review, ...(exitCode === 0 ? [] : [`Exit code ${exitCode}: ${outcome}.`])];
}

function confirmHint(address: string): string {
  return `Look whether ${showAddress(address)} was carried out, then: hostwright ledger confirm ${quoteForShell(address)} --id ID   (or --not-made)`;
}

/** An address as a shell takes it; anything else than an address is not offered for pasting. */
function quoteForShell(address: string): string {
  if (/^[\w./@%-]+$/.test(address)) return address;
  return parseAddress(address) === undefined || address.includes("'") ? 'ADDRESS' : `'${escapeText(address, 300)}'`;
}

const STANDING: Readonly<Record<LedgerView['standing'], string>> = {
  complete: 'complete',
  partial: 'partial: it began when none was found, so that its silence proves nothing',
  missing: 'missing: run `hostwright ledger init`, or restore it',
};

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
    ...view.inFlight.flatMap(({ action, unanswered, reason }) => [
      `  ${style.careful('in flight')} ${VERB_MARKS[action.verb]} ${showAddress(action.address)}`,
      ...(unanswered === undefined
        ? []
        : [
            `      the request \`${escapeText(unanswered, 100)}\` was sent, and its answer never came`,
            `      ${confirmHint(action.address)}`,
          ]),
      ...(reason === undefined ? [] : [`      ${escapeText(reason)}`]),
    ]),
  ].join('\n');
}
