// How edited files read in a terminal: per file what goes and what comes, with some lines around it, as in a pull
// request.
import { plural } from '../../model/common/count.ts';
import { escapeText } from '../view/escape.ts';
import { createStyle } from './style.ts';
import type { EditedFile } from '../view/unified.ts';
import { unifiedLines } from '../view/unified.ts';

const AROUND = 3;
const TOO_MUCH = { mark: ' ', text: 'Too much of it differs to show it line by line.' } as const;

/** The edits, and what became of them. */
export function renderEdits(
  files: readonly EditedFile[],
  { color, written }: { readonly color: boolean; readonly written: boolean },
): string {
  if (files.length === 0) return 'No file changes.';
  return [
    renderDiffs(files, { color }),
    written ? `${plural(files.length, 'file')} written.` : 'Nothing was written: --dry-run.',
  ].join('\n\n');
}

/** What differs in each file. */
export function renderDiffs(files: readonly EditedFile[], { color }: { readonly color: boolean }): string {
  const style = createStyle(color);
  const paint = { '+': style.good, '-': style.bad, ' ': style.faint };
  const blocks = files.map(({ file, before, after }) => {
    const lines =
      before === undefined
        ? linesOf(after).map((text) => ({ mark: '+' as const, text }))
        : (unifiedLines(linesOf(before), linesOf(after), AROUND) ?? [TOO_MUCH]);
    return [
      style.strong(`${escapeText(file)}${before === undefined ? ' (new)' : ''}`),
      ...lines.map(({ mark, text }) => paint[mark](`${mark} ${text}`.trimEnd())),
    ].join('\n');
  });
  return blocks.join('\n\n');
}

function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  return (lines.at(-1) === '' ? lines.slice(0, -1) : lines).map((line) => escapeText(line));
}
