// Prose on a terminal: lines of whole words. What somebody copies stays in one piece, whatever room there is.
import wrapAnsi from 'wrap-ansi';

/** Where text goes. */
export interface Sheet {
  readonly color: boolean;
  /** Columns after which prose is broken between words; absent where nobody looks at a terminal. */
  readonly wrapAt?: number | undefined;
  /** With the ids of rules, for whoever wants to know more. */
  readonly rules?: boolean;
  /** Only the user reads it, so personal values are shown. Absent: others may read along. */
  readonly isForOwner?: boolean;
}

/** Code in backticks, a command before what it does, addresses with a name in quotes, and values of YAML in braces. */
const IN_ONE_PIECE = /`[^`]+`|\bhostwright \S.*?(?= {3}\()|[A-Z]\w+\/[^\s"]*"[^"]{1,40}"\S*|\{ [^{}]{1,60} \}/g;
/** No text has it: what is shown is escaped before. */
const NO_BREAK = '\u00A0';
const NARROWEST = 20;

/** `indent` stands before each line, `hang` more spaces before each but the first. */
export function wrapProse(text: string, width: number | undefined, indent = '', hang = 0): readonly string[] {
  if (width === undefined) return [`${indent}${text}`];
  const room = Math.max(width - indent.length - hang, NARROWEST);
  return wrapAnsi(text.replaceAll(IN_ONE_PIECE, unbroken), room)
    .split('\n')
    .map((line, index) => `${indent}${index === 0 ? '' : ' '.repeat(hang)}${line}`.replaceAll(NO_BREAK, ' '));
}

/** The same text, which no line break divides. */
export function unbroken(text: string): string {
  return text.replaceAll(' ', NO_BREAK);
}
