// What a job on GitHub is told beside its log: one workflow command for each thing worth a note, at its line of the
// YAML. Most pressing first, as the forge shows ten of a kind. The commands' form and escapes are the runner's.
import type { Note, Place } from './notes.ts';

/** What one step can show of each level. */
const MOST_OF_LEVEL = 10;
const LEVELS = ['error', 'warning', 'notice'] as const;

/** Everything between these two lines is text to the runner, whatever it looks like. Nobody can guess the token. */
export function fenceOff(token: string): { readonly begin: string; readonly end: string } {
  return { begin: `::stop-commands::${token}`, end: `::${token}::` };
}

/** A workflow command for each note, as far as the forge shows them. */
export function noteCommands(notes: readonly Note[], place: Place): readonly string[] {
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

function command(
  { level, title, message, source }: Pick<Note, 'level' | 'title' | 'message' | 'source'>,
  place: Place,
): string {
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
