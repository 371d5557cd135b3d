// How the beginning of a workspace reads in a terminal: what was written, what was there, and what to run next. A file of
// its own, because every start loads the commands, and few need this.
import { present } from '../../model/common/lists.ts';
import { escapeText } from '../view/escape.ts';
import type { EditedFile } from '../view/unified.ts';
import { renderDiffs } from './edits.ts';

export interface InitText {
  readonly written: readonly string[];
  readonly left: readonly string[];
  readonly updated?: readonly string[];
  readonly differences?: readonly { readonly file: string; readonly before?: string; readonly after?: string }[];
  readonly ledger?: string;
  readonly next: readonly string[];
}

/** What became of the folder, for a terminal. */
export function renderInit(
  { written, left, updated = [], differences = [], ledger, next }: InitText,
  { color }: { readonly color: boolean },
): string {
  const edits = differences.map(({ file, before = '', after = '' }): EditedFile => ({ file, before, after }));
  return present(
    written.length + updated.length + edits.length === 0 && 'Nothing was written: everything is there already.',
    listed('Written:', written),
    listed('Updated:', updated),
    edits.length > 0 &&
      `Modified, and so left. What this version generates differs:\n\n${renderDiffs(edits, { color })}`,
    listed('There already, and left as they are:', left),
    ledger !== undefined && escapeText(ledger),
    listed('Next:', next),
  ).join('\n\n');
}

function listed(heading: string, lines: readonly string[]): string | undefined {
  return lines.length === 0 ? undefined : [heading, ...lines.map((line) => `  ${escapeText(line)}`)].join('\n');
}
