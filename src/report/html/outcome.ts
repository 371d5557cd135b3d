// The end of a run as a page, and problems that came before there was anything else to tell: what is not as it should
// be stands first and open.
import type { Address } from '../../model/address.ts';
import { rootOf } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ActionOutcome, ActionWord, Outcome, OutcomeWord } from '../../model/plan/outcome.ts';
import { EXIT_CODES } from '../../model/plan/outcome.ts';
import type { ValidationText } from '../text/diagnostics.ts';
import { countDiagnostics, validationVerdict } from '../text/diagnostics.ts';
import { createStyle } from '../text/style.ts';
import { countResults, OUTCOME_SENTENCES, plural, RESULT_WORDS, showBlockers } from '../view/document.ts';
import { escapeText } from '../view/escape.ts';
import { sentenceAfter, stepsAfter } from '../view/next-steps.ts';
import { markup } from './markup.ts';
import type { Markup, Part } from './markup.ts';
import { writePage } from './page.ts';
import {
  diagnosticRows,
  groupSection,
  madeAt,
  objectName,
  prose,
  rows,
  section,
  sentenceOf,
  tile,
  tools,
  verbBadge,
} from './parts.ts';

const TONES: Readonly<Record<ActionWord, string>> = {
  done: 'create',
  'already-done': 'create',
  failed: 'delete',
  'unknown-outcome': 'delete',
  blocked: 'update',
  waiting: 'update',
  skipped: 'update',
  'not-started': 'update',
};
/** Runs of no more actions than these are unfolded. */
const FEW = 25;

export function renderOutcomeHtml(outcome: Outcome, { nowMs }: When): string {
  const { actions, remaining, diagnostics, requests } = outcome;
  const open = actions.filter((action) => !isDone(action));
  const done = actions.filter(isDone);
  const account = escapeText(outcome.account, 100);
  const sentence = sentenceAfter(outcome);
  const counts = actions.length === 0 ? '' : `${sentenceOf(countResults(actions))}`;
  return writePage({
    title: `Apply for account ${account}: ${sentence}`,
    head: [
      markup`<p class="eyebrow">Hostwright apply · ${madeAt(nowMs)}</p>
<h1>Account ${account}</h1>
<p class="lead"><strong>${sentence}</strong> ${counts}</p>${stepsAfter(outcome).map(
        ({ first = 'Next', command, words }) => markup`
<p>${first}: <code>${command}</code> (${words}).</p>`,
      )}
<div class="tiles">${resultTiles(actions)}${remaining.length > 0 && tile(remaining.length, 'remaining', 'note', 'remaining')}</div>`,
    ],
    main: [
      diagnostics.length > 0 && section('problems', countDiagnostics(diagnostics), '', diagnosticRows(diagnostics)),
      actions.length > 0 &&
        tools([
          ...(open.length > 0 ? [{ only: 'open', words: 'Not done' }] : []),
          ...(done.length > 0 ? [{ only: 'done', words: 'Done' }] : []),
        ]),
      open.length > 0 &&
        section('open', `Not done (${open.length})`, '', rows(open.map((action) => resultRow(action)))),
      remaining.length > 0 &&
        groupSection({
          title: 'Remaining',
          meaning: 'still different from the manifests',
          entries: showBlockers(remaining),
        }),
      done.length > 0 &&
        section(
          'done',
          `Done (${done.length})`,
          '',
          byRoot(done).map(
            ([root, inside]) =>
              markup`<details class="card root group"${done.length <= FEW && markup` open`}><summary class="row"><span class="what"><h3>${objectName(root)}</h3></span><span class="soft">${countResults(inside)}</span></summary><ul class="rows">${inside.map((action) => resultRow(action, true))}</ul></details>
`,
          ),
        ),
    ],
    foot: [
      markup`<p>${plural(requests.reads, 'read')}, ${plural(requests.writes, 'write')}, exit code ${outcome.exitCode} (${outcome.outcome}).${outcome.planDigest !== '' && markup` Digest <code>${escapeText(outcome.planDigest, 100)}</code>.`}</p>`,
    ],
  });
}

/** Problems alone, of a command that had no more to tell. */
export function renderProblemsHtml({ diagnostics, outcome, what }: Problems, when: When): string {
  const verdict = `${OUTCOME_SENTENCES[outcome]} ${sentenceOf(countDiagnostics(diagnostics))}`;
  return problemsPage({ diagnostics, outcome, what }, verdict, when);
}

/** Manifests that were checked. */
export function renderValidationHtml(result: ValidationText, outcome: OutcomeWord, when: When): string {
  const verdict = validationVerdict(result, createStyle(false));
  return problemsPage({ diagnostics: result.diagnostics, outcome, what: 'validate' }, verdict, when);
}

interface Problems {
  readonly diagnostics: readonly Diagnostic[];
  readonly outcome: OutcomeWord;
  readonly what: string;
}

interface When {
  readonly nowMs: number;
}

function problemsPage({ diagnostics, outcome, what }: Problems, verdict: string, { nowMs }: When): string {
  return writePage({
    title: `Hostwright ${what}: ${verdict}`,
    head: [
      markup`<p class="eyebrow">Hostwright ${what} · ${madeAt(nowMs)}</p>
<h1>${verdict}</h1>`,
    ],
    main: [diagnostics.length > 0 && section('problems', 'Problems', '', diagnosticRows(diagnostics))],
    foot: [markup`<p>Exit code ${EXIT_CODES[outcome]} (${outcome}).</p>`],
  });
}

function isDone({ result }: ActionOutcome): boolean {
  return result === 'done' || result === 'already-done';
}

function resultTiles(actions: readonly ActionOutcome[]): readonly Part[] {
  return (Object.keys(RESULT_WORDS) as ActionWord[]).map((result) => {
    const count = actions.filter((action) => action.result === result).length;
    return (
      count > 0 &&
      tile(count, RESULT_WORDS[result].toLowerCase(), TONES[result], TONES[result] === 'create' ? 'done' : 'open')
    );
  });
}

export function resultRow({ address, verb, result, reason, outputs = {} }: ActionOutcome, within = false): Markup {
  // The id of what was there before is no news.
  const reported = Object.entries(outputs).filter(([key]) => key !== 'id' || verb === 'create');
  return markup`<li class="item" data-is="${isDone({ address, verb, result }) ? 'done' : 'open'}"><div class="row"><span class="badge ${TONES[result]}">${RESULT_WORDS[result]}</span>${verbBadge(verb)}<span class="what">${objectName(address, within)}</span></div>${reason !== undefined && markup`<div>${prose(sentenceOf(escapeText(reason)))}</div>`}${reported.map(
    ([key, value]) => markup`<div class="soft">${escapeText(key, 100)}: ${withLink(value)}</div>`,
  )}</li>
`;
}

/** An answer such as where to pay may be an address to go to. */
function withLink(value: string): Part {
  const shown = escapeText(value, 2000);
  return /^https:\/\/\S+$/.test(shown) ? markup`${prose(shown)}` : markup`<code>${shown}</code>`;
}

function byRoot(actions: readonly ActionOutcome[]): readonly (readonly [Address, readonly ActionOutcome[]])[] {
  const objects = new Map<Address, ActionOutcome[]>();
  for (const action of actions) {
    const root = rootOf(action.address);
    objects.set(root, [...(objects.get(root) ?? []), action]);
  }
  return [...objects];
}
