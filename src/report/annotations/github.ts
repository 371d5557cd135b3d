// What a job on GitHub is told beside its log: one workflow command for each thing worth a note, at its line of the
// YAML. Most pressing first, as the forge shows ten of a kind. The commands' form and escapes are the runner's.
import type { Address } from '../../model/address.ts';
import type { Diagnostic, SourcePosition } from '../../model/diagnostic.ts';
import type { DriftItem } from '../../model/plan/drift.ts';
import { sortDiagnostics } from '../../model/diagnostic.ts';
import type { ActionWord, Outcome } from '../../model/plan/outcome.ts';
import type { Action, Plan } from '../../model/plan/plan.ts';
import { groupsOf, RESULT_WORDS, showBlockers, showRisks, VERB_MARKS } from '../view/document.ts';
import { driftGroups, showSides, SIDES, whenLines, wholeSentence } from '../view/drift.ts';
import { clipSafe, escapeText } from '../view/escape.ts';
import { actionLine } from '../view/head-lines.ts';
import { showAddress, showProse } from '../view/names.ts';

interface Note {
  readonly level: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
  readonly source?: SourcePosition & { readonly endLine?: number; readonly endColumn?: number };
}

/** What one step can show of each level. */
const MOST_OF_LEVEL = 10;
const LEVELS = ['error', 'warning', 'notice'] as const;

/** The path from the repository's root, as the forge wants it; undefined for what is no file of it. */
export type Place = (file: string) => string | undefined;

export function planCommands(plan: Plan, beside: readonly Diagnostic[], place: Place): readonly string[] {
  if (plan.drift !== undefined)
    return commands(
      [...diagnosticNotes([...beside, ...plan.notices]), ...driftNotes(plan.drift), ...stuckNotes(plan)],
      place,
    );
  const risky = plan.actions.filter(({ risk }) => risk.length > 0);
  const plain = plan.actions.filter(({ risk }) => risk.length === 0);
  return commands(
    [
      ...diagnosticNotes([...beside, ...plan.notices]),
      ...risky.map((action): Note => ({
        level: 'warning',
        title: `${showRisks(action).join(', ')}: ${VERB_MARKS[action.verb]} ${showAddress(action.address)}`,
        message: messageOf(action),
        ...(action.source !== undefined && { source: action.source }),
      })),
      ...stuckNotes(plan),
      ...plain.map((action): Note => ({
        level: 'notice',
        title: `${VERB_MARKS[action.verb]} ${showAddress(action.address)}`,
        message: messageOf(action),
        ...(action.source !== undefined && { source: action.source }),
      })),
    ],
    place,
  );
}

/** What it does, with its values; of what changes nothing by itself, such as a backup, why it runs. */
function messageOf(action: Action): string {
  return action.changes.length === 0 && action.verb !== 'delete'
    ? showProse(action.reason)
    : clipSafe(actionLine(action), 4000);
}

function stuckNotes(plan: Plan): readonly Note[] {
  return groupsOf({ ...plan, deferred: [] }).flatMap(({ title, entries }) =>
    entries.map(({ address, reason }) => ({
      level: 'warning' as const,
      title: `${title}: ${address}`,
      message: reason,
    })),
  );
}

/** What somebody changed on the account is more pressing than what nobody applied. */
function driftNotes(drift: readonly DriftItem[]): readonly Note[] {
  return driftGroups(drift).flatMap(({ class: which, title, items }) =>
    items.map((item): Note => {
      const sides = item.fields
        .map((field) => showSides(field, 1000))
        .map(
          ({ field, applied, manifest, live }) =>
            `${field}: ${SIDES[0]} ${applied}, ${SIDES[1]} ${manifest}, ${SIDES[2]} ${live}`,
        );
      const said = [wholeSentence(item), ...sides, ...whenLines(item).map((line) => line.trim())]
        .filter((line) => line !== '')
        .join('; ');
      return {
        level: which === 'pending' || which === 'in-flight' ? 'notice' : 'warning',
        title: `${title}: ${showAddress(item.address)}`,
        message: clipSafe(said, 4000),
        ...(item.source !== undefined && { source: item.source }),
      };
    }),
  );
}

export function problemCommands(diagnostics: readonly Diagnostic[], place: Place): readonly string[] {
  return commands(diagnosticNotes(diagnostics), place);
}

const RESULT_LEVELS: Readonly<Record<ActionWord, Note['level'] | undefined>> = {
  done: undefined,
  'already-done': undefined,
  failed: 'error',
  'unknown-outcome': 'error',
  skipped: 'warning',
  blocked: 'warning',
  waiting: 'warning',
  'not-started': 'warning',
};

/** `sources`: where the plan that ran says that its actions come from. */
export function outcomeCommands(
  { actions, remaining, diagnostics }: Outcome,
  sources: ReadonlyMap<Address, SourcePosition>,
  place: Place,
): readonly string[] {
  const results = actions.flatMap(({ address, verb, result, reason = RESULT_WORDS[result] }): readonly Note[] => {
    const level = RESULT_LEVELS[result];
    const source = sources.get(address);
    return level === undefined
      ? []
      : [
          {
            level,
            title: `${RESULT_WORDS[result]}: ${VERB_MARKS[verb]} ${showAddress(address)}`,
            message: escapeText(reason),
            ...(source !== undefined && { source }),
          },
        ];
  });
  const left = showBlockers(remaining).map(({ address, reason }): Note => ({
    level: 'warning',
    title: `Remaining: ${address}`,
    message: reason,
  }));
  return commands([...diagnosticNotes(diagnostics), ...results, ...left], place);
}

/** Everything between these two lines is text to the runner, whatever it looks like. Nobody can guess the token. */
export function fenceOff(token: string): { readonly begin: string; readonly end: string } {
  return { begin: `::stop-commands::${token}`, end: `::${token}::` };
}

function diagnosticNotes(diagnostics: readonly Diagnostic[]): readonly Note[] {
  return sortDiagnostics(diagnostics).map(({ code, severity, summary, detail, source }) => ({
    level: severity === 'info' ? 'notice' : severity,
    title: `${escapeText(code, 10)} ${escapeText(summary, 300)}`,
    message: showProse(detail, 4000),
    ...(source !== undefined && { source }),
  }));
}

function commands(notes: readonly Note[], place: Place): readonly string[] {
  return LEVELS.flatMap((level) => {
    const all = notes.filter((note) => note.level === level);
    if (all.length <= MOST_OF_LEVEL) return all.map((note) => command(note, place));
    const shown = all.slice(0, MOST_OF_LEVEL - 1).map((note) => command(note, place));
    return [
      ...shown,
      command(
        {
          level,
          title: 'Hostwright',
          message: `and ${all.length - shown.length} more of these: see the log or the summary`,
        },
        place,
      ),
    ];
  });
}

function command({ level, title, message, source }: Note, place: Place): string {
  const file = source === undefined ? undefined : place(source.file);
  const at =
    source === undefined || file === undefined
      ? {}
      : {
          file,
          line: source.line,
          col: source.column,
          endLine: source.endLine,
          endColumn: source.endLine === source.line ? source.endColumn : undefined,
        };
  const properties = Object.entries({ ...at, title })
    .flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${property(String(value))}`]))
    .join(',');
  return `::${level} ${properties}::${data(message)}`;
}

/** As the runner reads it back: `%25`, `%0D`, `%0A`. */
function data(value: string): string {
  return value.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(value: string): string {
  return data(value).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
