// How the beginning of a workspace reads in a terminal: what was written, what was there, and what to run next. A file of
// its own, because every start loads the commands, and few need this.
import { escapeText } from '../view/escape.ts';

export interface InitText {
  readonly written: readonly string[];
  readonly left: readonly string[];
  readonly ledger?: string;
  readonly next: readonly string[];
}

/** What became of the folder, for a terminal. */
export function renderInit({ written, left, ledger, next }: InitText): string {
  const parts = [
    written.length === 0 ? 'Nothing was written: everything is there already.' : listed('Written:', written),
    ...(left.length === 0 ? [] : [listed('There already, and left as they are:', left)]),
    ...(ledger === undefined ? [] : [escapeText(ledger)]),
    ...(next.length === 0 ? [] : [listed('Next:', next)]),
  ];
  return parts.join('\n\n');
}

function listed(heading: string, lines: readonly string[]): string {
  return [heading, ...lines.map((line) => `  ${escapeText(line)}`)].join('\n');
}
