// How text from outside (manifests, answers of the platform, saved plans) is shown: nothing in it can move the cursor,
// change colours, reorder what is read, hide a character or flood the screen.
import { cut } from '../../model/common/count.ts';

/** Longest prose that is shown of one text. */
const PROSE_LIMIT = 1000;
/** Longest block (code frame, YAML) that is shown, in lines. */
const BLOCK_LINES = 200;
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

// Control and format characters, line and paragraph separators, lone surrogates, private use, whatever a font may leave
// invisible, and every space but the usual one. Made when it is needed: that takes as long as loading a small file.
const invisible = (): RegExp => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;

/** One line of prose: invisible characters become visible, a long text is cut and its length told. */
export function escapeText(text: string, limit = PROSE_LIMIT): string {
  return clip(text, limit, escapeCharacters);
}

/**
 * A string value between double quotes, with backslash and quote escaped too, so that it can be told from every other
 * value.
 */
export function quoteText(text: string, limit = PROSE_LIMIT): string {
  return clip(text, limit, (part) => `"${escapeCharacters(part.replace(/["\\]/g, '\\$&'))}"`);
}

/**
 * A block whose line breaks are meant: each line is escaped by itself. A tab becomes one space, so that a caret stays
 * under its column.
 */
export function escapeBlock(text: string): readonly string[] {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  return cut(
    lines,
    BLOCK_LINES,
    (line) => escapeText(line.replaceAll('\t', ' ')),
    (left) => `… ${left} more lines`,
  );
}

/** JSON text in which characters that a terminal could act on are written as escapes: still the same JSON value. */
export function escapeJson(json: string): string {
  const shown = json.replace(invisible(), (character) =>
    character === '\n'
      ? character
      : [...Array(character.length).keys()]
          .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
          .join(''),
  );
  return withoutCommands(shown, '\\u0023');
}

/** For a URL. Half of a surrogate pair, which no URL can hold, becomes U+FFFD. */
export function urlPart(text: string): string {
  return encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd'));
}

/** One word without white space, `>`, `=` or `--`. */
export function word(value: string): string {
  return encodeURIComponent(escapeText(value, 100)).replaceAll('--', '%2D%2D') || '-';
}

/** What `word` was given. What is no word of ours is the name of nothing. */
export function decodedWord(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Text that is already safe, cut to a length. */
export function clipSafe(text: string, limit: number): string {
  return clip(text, limit, (part) => part);
}

function clip(text: string, limit: number, show: (part: string) => string): string {
  if (text.length <= limit) return show(text);
  // Never between the halves of a surrogate pair.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) ? limit - 1 : limit;
  return `${show(text.slice(0, end))}… (${text.length} characters)`;
}

/** Almost all text: nothing in it is to be shown in another way. */
const PLAIN = /^[\x20-\x7e]*$/;

function escapeCharacters(text: string): string {
  if (PLAIN.test(text)) return withoutCommands(text, '\\u{23}');
  return withoutCommands(
    text.replace(
      invisible(),
      (character) => SHORT[character] ?? `\\u{${(character.codePointAt(0) as number).toString(16)}}`,
    ),
    '\\u{23}',
  );
}

/** `##[error]` and `##vso[...]` are commands to the runner of a job wherever in a line they stand. */
function withoutCommands(text: string, sign: string): string {
  return text.includes('##') ? text.replaceAll(/##(?=\w*\[)/g, `#${sign}`) : text;
}
