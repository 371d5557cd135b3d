// How two lists of lines are compared for a reader: what goes and what comes, in its place, with some unchanged lines
// around it. The comparison itself is a library's. Lines are already escaped and hold no line break.
import { structuredPatch } from 'diff';

/** A file before and after; a new one has no `before`. */
export interface EditedFile {
  readonly file: string;
  readonly before?: string;
  readonly after: string;
}

/** One line that comes, goes or stays. */
export interface ItemLine {
  readonly mark: '+' | '-' | ' ';
  readonly text: string;
}

/** Two sides that share next to nothing take the library very long, and their comparison helps nobody. */
const MOST_EDITS = 2000;

/**
 * The lines that differ and `context` more around them; what is left out is counted. undefined: too different to
 * compare.
 */
export function unifiedLines(
  before: readonly string[],
  after: readonly string[],
  context: number,
): readonly ItemLine[] | undefined {
  const patch = structuredPatch('', '', ended(before), ended(after), undefined, undefined, {
    context,
    maxEditLength: MOST_EDITS,
  });
  if (patch === undefined) return undefined;
  let next = 1;
  const lines = patch.hunks.flatMap(({ oldStart, oldLines, lines: hunk }): readonly ItemLine[] => {
    // A hunk that only adds names the line before it.
    const start = oldLines === 0 ? oldStart + 1 : oldStart;
    const skipped = unchanged(start - next);
    next = start + oldLines;
    return [...skipped, ...hunk.map((line) => ({ mark: line.charAt(0) as ItemLine['mark'], text: line.slice(1) }))];
  });
  return [...lines, ...unchanged(before.length + 1 - next)];
}

function unchanged(count: number): readonly ItemLine[] {
  return count > 0 ? [{ mark: ' ', text: `… ${count} unchanged` }] : [];
}

function ended(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
