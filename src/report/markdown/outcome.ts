// The end of a run, and problems that came before there was anything else to tell, as Markdown: what is not as it
// should be stands open, what was done is folded. Fits by the same rule as a plan.
import type { RootContent } from 'mdast';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ActionOutcome, Outcome, OutcomeWord } from '../../model/plan/outcome.ts';
import { EXIT_CODES } from '../../model/plan/outcome.ts';
import { countResults, OUTCOME_SENTENCES, plural, RESULT_WORDS, showBlockers, VERB_MARKS } from '../view/document.ts';
import { escapeText } from '../view/escape.ts';
import type { NextStep } from '../view/next-steps.ts';
import { sentenceAfter, stepsAfter } from '../view/next-steps.ts';
import { showAddress } from '../view/names.ts';
import type { Limit } from './fit.ts';
import { firstThatFits } from './fit.ts';
import type { ValidationText } from '../text/diagnostics.ts';
import { countDiagnostics, validationVerdict } from '../text/diagnostics.ts';
import type { ListRoom } from './parts.ts';
import { cutList, diagnosticList, groupParts, name, sentence } from './parts.ts';
import { code, folded, html, paragraph, prose, strong, text, writeMarkdown } from './text.ts';
import type { Reported } from './marker.ts';
import { plainMarker } from './marker.ts';
import { createStyle } from '../text/style.ts';

const LEVELS: readonly (ListRoom & { readonly done: boolean })[] = [
  { done: true, entries: Infinity, text: Infinity },
  { done: false, entries: Infinity, text: Infinity },
  { done: false, entries: 50, text: 300 },
  { done: false, entries: 5, text: 200 },
];

export function renderOutcomeMarkdown(outcome: Outcome, limit: Limit): string | undefined {
  return firstThatFits(LEVELS, limit, (level) => writeMarkdown(outcomeParts(outcome, level)));
}

/** Manifests that were checked. */
export function renderValidationMarkdown(
  result: ValidationText,
  outcome: OutcomeWord,
  limit: Limit,
): string | undefined {
  return problems(
    { diagnostics: result.diagnostics, outcome, what: 'validate' },
    validationVerdict(result, createStyle(false)),
    limit,
  );
}

export interface Problems {
  readonly diagnostics: readonly Diagnostic[];
  readonly outcome: OutcomeWord;
  readonly what: Reported;
}

/** Problems alone, of a command that had no more to tell. */
export function renderProblemsMarkdown(reported: Problems, limit: Limit): string | undefined {
  return problems(reported, `${OUTCOME_SENTENCES[reported.outcome]} ${countDiagnostics(reported.diagnostics)}`, limit);
}

function problems({ diagnostics, outcome, what }: Problems, verdict: string, limit: Limit): string | undefined {
  return firstThatFits(LEVELS, limit, (level) =>
    writeMarkdown([
      html(plainMarker(what, undefined)),
      { type: 'heading', depth: 3, children: [text(`Hostwright ${what}`)] },
      paragraph(strong(verdict)),
      ...(diagnostics.length === 0 ? [] : [diagnosticList(diagnostics, level)]),
      paragraph(text(`Exit code ${EXIT_CODES[outcome]} (${outcome}).`)),
    ]),
  );
}

function outcomeParts(ended: Outcome, level: ListRoom & { readonly done: boolean }): readonly RootContent[] {
  const { account, actions, outcome, exitCode, remaining, diagnostics, requests, planDigest } = ended;
  const done = actions.filter(isDone);
  const open = actions.filter((action) => !isDone(action));
  const left = { title: 'Remaining', meaning: 'still different from the manifests', entries: showBlockers(remaining) };
  const counts = actions.length === 0 ? '' : ` ${countResults(actions)}.`;
  return [
    html(plainMarker('apply', account)),
    { type: 'heading', depth: 3, children: [text('Hostwright apply for account '), code(escapeText(account, 100))] },
    paragraph(strong(sentenceAfter(ended)), text(counts)),
    ...stepsAfter(ended).map(nextStep),
    ...(open.length === 0 ? [] : [cutList(open, level, (action) => resultLine(action, level))]),
    ...(diagnostics.length === 0
      ? []
      : [paragraph(strong(countDiagnostics(diagnostics))), diagnosticList(diagnostics, level)]),
    ...(remaining.length === 0 ? [] : groupParts(left, level)),
    ...(done.length === 0 || !level.done
      ? []
      : folded([`Done (${done.length})`], [cutList(done, level, (action) => resultLine(action, level))])),
    paragraph(
      text(
        `${plural(requests.reads, 'read')}, ${plural(requests.writes, 'write')}, exit code ${exitCode} (${outcome})`,
      ),
      ...(planDigest === '' ? [] : [text('; digest '), code(escapeText(planDigest, 100))]),
      text('.'),
    ),
  ];
}

function nextStep({ first = 'Next', command, words }: NextStep): RootContent {
  return paragraph(text(`${first}: `), code(command), text(` (${words}).`));
}

function isDone({ result }: ActionOutcome): boolean {
  return result === 'done' || result === 'already-done';
}

function resultLine({ address, verb, result, reason, outputs = {} }: ActionOutcome, room: ListRoom) {
  // The id of what was there before is no news.
  const reported = Object.entries(outputs).filter(([key]) => key !== 'id' || verb === 'create');
  return [
    paragraph(
      strong(RESULT_WORDS[result]),
      text(' '),
      name(`${VERB_MARKS[verb]} ${showAddress(address)}`, room),
      ...(reason === undefined ? [] : [text(': '), ...sentence(escapeText(reason), room)]),
      ...prose(
        reported
          .map(([key, value]) => `, ${escapeText(key, 100)} \`${escapeText(value, 300).replaceAll('`', "'")}\``)
          .join(''),
      ),
    ),
  ];
}
