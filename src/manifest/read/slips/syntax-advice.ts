// What to do about a text that is no YAML. The parser stumbles where a slip shows, and its words are about its own
// work. Here each line near the place is mended in every likely way, and the advice is the edit after which the text
// can be read.
import type { Json } from '../../../model/json.ts';
import { isJsonObject } from '../../../model/json.ts';
import { validators } from '../../generated/validator-table.ts';
import { parsePart } from '../yaml-documents.ts';
import type { Trouble } from '../yaml-values.ts';
import { valueOf } from '../yaml-values.ts';
import type { Edit } from './likely-edits.ts';
import { indentOf, isContent, likelyEdits } from './likely-edits.ts';

/** Every edit is tried by parsing the text once more. */
const LONGEST_TEXT = 40_000;

/** How far a text can be read. */
interface Reading {
  /** The line of the first thing that cannot be read; infinite where all of it can. */
  readonly stops: number;
  /** Complaints of the schema, of a text that can be read. */
  readonly complaints: number;
  /** Lines that are indented otherwise than most people do it. */
  readonly untidy: number;
}

/**
 * What is wrong in a text in which the parser found a trouble, in the words of an edit that mends it: the text can be
 * read after it, or further than before. Undefined where no likely edit does.
 */
export function syntaxAdvice(text: string, trouble: Trouble): Trouble | undefined {
  if (text.length > LONGEST_TEXT) return undefined;
  const lines = text.split('\n');
  const at = lineOf(text, Math.min(trouble.span[0], text.trimEnd().length));
  let best: { readonly edit: Edit; readonly reading: Reading } | undefined;
  for (const edit of likelyEdits(lines, at)) {
    if (edit.lines.every((line) => line.trim() === '')) continue;
    const reading = readingOf(lines.toSpliced(edit.line, edit.lines.length, ...edit.lines).join('\n'));
    if (reading.stops <= Math.max(at, edit.line)) continue;
    if (best === undefined || isBetter(reading, best.reading)) best = { edit, reading };
  }
  if (best === undefined) return undefined;
  const { code, what, line, span } = best.edit;
  const start = lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0);
  const written = lines[line] as string;
  const [from, to] = span ?? [indentOf(written), written.trimEnd().length];
  return { code, what, span: [start + from, start + to] };
}

function isBetter(left: Reading, right: Reading): boolean {
  if (left.stops !== right.stops) return left.stops > right.stops;
  if (left.complaints !== right.complaints) return left.complaints < right.complaints;
  return left.untidy < right.untidy;
}

function readingOf(text: string): Reading {
  const parsed = parsePart(text);
  if (parsed.state === 'too deep') return { stops: -1, complaints: 0, untidy: 0 };
  const errors = parsed.documents.flatMap((document) => [...document.errors, ...document.warnings]);
  const troubles: Trouble[] = [];
  let complaints = 0;
  for (const document of errors.length === 0 ? parsed.documents : []) {
    const value = valueOf(document, troubles);
    if (value !== undefined) complaints += complaintsAbout(value);
  }
  const offsets = [...errors.map(({ pos }) => pos[0]), ...troubles.map(({ span }) => span[0])];
  return {
    stops: offsets.length === 0 ? Infinity : lineOf(text, Math.min(...offsets, text.trimEnd().length)),
    complaints,
    untidy: untidyLines(text),
  };
}

/** Lines that are indented by an odd number of spaces, or not by two more than the line that they are below. */
function untidyLines(text: string): number {
  const indents = text.split('\n').filter(isContent).map(indentOf);
  return indents.filter((indent, index) => {
    const step = indent - (indents[index - 1] ?? 0);
    return indent % 2 === 1 || (step > 0 && step !== 2);
  }).length;
}

function complaintsAbout(value: Json): number {
  const kind = isJsonObject(value) ? value.kind : undefined;
  const validate = typeof kind === 'string' && Object.hasOwn(validators, kind) ? validators[kind] : undefined;
  if (validate === undefined) return Infinity;
  return validate(value) ? 0 : (validate.errors ?? []).length;
}

function lineOf(text: string, offset: number): number {
  let line = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
