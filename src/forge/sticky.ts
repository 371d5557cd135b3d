// The last line of what Hostwright writes on a forge: a comment that nobody sees, by which a later run finds its own
// text again, one for each workspace. What it says counts only in a text of our own author.
import type { OutcomeWord } from '../model/plan/outcome.ts';
import { EXIT_CODES } from '../model/plan/outcome.ts';
import type { Reported } from '../report/blocks/mark.ts';
import { word } from '../report/view/escape.ts';
import { FORGE_MOST } from '../report/markdown/fit.ts';

export interface Sticky {
  readonly what: Reported;
  /** Which workspace of the repository. */
  readonly key: string;
  /** How the command ended that the text is about. */
  readonly outcome: OutcomeWord;
}

const FIRST = /^<!-- hostwright: (?:fleet )?(plan|drift|apply|validate)(?: |\r?\n)/;
const LAST = /\n<!-- hostwright-text: (plan|drift|apply|validate) (\S+) ([a-z-]+) -->$/;

/** What kind of report a text is; undefined: none of ours. */
export function reportedIn(text: string): Reported | undefined {
  return FIRST.exec(text)?.[1] as Reported | undefined;
}

/** The line before the last of an answer after which nothing is left of what was approved until then. */
const NONE_LEFT = '<!-- hostwright-approvals: none left -->';

/** Reports whether a text of our own author says that nothing is left of what was approved until then. */
export function saysNoneLeft(text: string): boolean {
  return LAST.test(normal(text)) && normal(text).replace(LAST, '').trimEnd().endsWith(`\n${NONE_LEFT}`);
}

/** The report with the line at its end; undefined when it is longer than a forge takes. */
export function stickyText(
  report: string,
  { what, key, outcome, isNoneLeft = false }: Sticky & { readonly isNoneLeft?: boolean },
): string | undefined {
  const marker = isNoneLeft ? `\n\n${NONE_LEFT}` : '';
  const text = `${normal(report)}${marker}\n\n<!-- hostwright-text: ${what} ${word(key)} ${outcome} -->`;
  return text.length > FORGE_MOST ? undefined : text;
}

/** What the last line of a text says. */
export function readSticky(text: string): Sticky | undefined {
  const [, what, key, outcome] = LAST.exec(normal(text)) ?? [];
  if (what === undefined || key === undefined || outcome === undefined || !Object.hasOwn(EXIT_CODES, outcome))
    return undefined;
  return { what: what as Reported, key, outcome: outcome as OutcomeWord };
}

/** True when a text is that of this workspace. */
export function isSticky(text: string | null | undefined, what: Reported, key: string): boolean {
  const found = readSticky(text ?? '');
  return found !== undefined && found.what === what && found.key === word(key);
}

/** As it was written: a forge may hand line breaks back in another form. */
export function normal(text: string): string {
  return text.replaceAll('\r\n', '\n').trim();
}
