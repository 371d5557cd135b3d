// Parses YAML 1.2 with core types: one document after the other, each with its values and their places. It knows nothing
// of manifests. A hostile file ends in diagnostics and never throws.
//
// The syntax tree of a document is dropped as soon as its values are taken: ten thousand of them would not fit beside
// each other. Whoever asks for a place makes that document be parsed once more, into a table of offsets.
import type { Document } from 'yaml';
import type { Code, Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { Json } from '../../model/json.ts';
import type { SourceText, Span } from './source-text.ts';
import { parsePart, splitDocuments } from './yaml-documents.ts';
import type { Place, Places, Trouble } from './yaml-values.ts';
import { placesIn, valueOf } from './yaml-values.ts';
import { quote, visible } from '../../model/format.ts';
import { capital } from '../../model/common/sentence.ts';

/** One document of a file that could be parsed. */
export interface ParsedDocument {
  readonly source: SourceText;
  readonly value: Json;
  /** Where the value at this JSON pointer stands, or the nearest thing around it. */
  readonly place: (pointer: string) => DocumentPlace;
  /** The calls of a program that led to the one that made it, such as `hosting.ts:12`. */
  readonly calledAt?: readonly string[];
}

/** A place and the text that it is in. */
export interface DocumentPlace extends Place {
  readonly source: SourceText;
  /** The pointer in the document that stands there. */
  readonly pointer: string;
  /** The value came from a profile, not from the document itself. */
  readonly shared: boolean;
}

/** What a slip in a text is, in other words than the parser's, where that is known. */
type AdviceOn = (text: string, first: Trouble) => Trouble | undefined;

export interface ParsedText {
  readonly documents: readonly ParsedDocument[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What can be said of a value in a document. */
export function problemAt(
  document: ParsedDocument,
  pointer: string,
  code: Code,
  what: string,
  address?: string,
): Diagnostic {
  const place = document.place(pointer);
  return problemIn(place, place.value, code, what, address);
}

/** The same of the key that a value has. */
export function problemAtKey(
  document: ParsedDocument,
  pointer: string,
  code: Code,
  what: string,
  address?: string,
): Diagnostic {
  const place = document.place(pointer);
  return problemIn(place, place.key ?? place.value, code, what, address);
}

function problemIn(
  { source, pointer }: DocumentPlace,
  span: Span,
  code: Code,
  what: string,
  address: string | undefined,
): Diagnostic {
  return diagnose(code, what, { pointer, ...linesAt(source, span), address });
}

/** A place in a text, and the lines around it. */
export function linesAt(text: SourceText, span: Span): Required<Pick<Diagnostic, 'source' | 'frame'>> {
  const source = text.range(span);
  return { source, frame: text.frame(source) };
}

/** A place in words, for a message that is shown elsewhere. */
export function placeOf(document: ParsedDocument, pointer: string): string {
  const place = document.place(pointer);
  const { file, line } = place.source.range(place.value);
  return quote(`${file}:${line}`);
}

const MESSAGES_PER_DOCUMENT = 5;

/**
 * Parses every document of a text, and leaves an empty one out. A broken one does not hide the others. Only the first
 * slip of a text is reported: most of what the parser says after it follows from it. `adviceOn` finds the edit that
 * mends it.
 */
export function parseYaml(source: SourceText, adviceOn: AdviceOn = () => undefined): ParsedText {
  const marker = mergeMarker(source);
  if (marker !== undefined) return { documents: [], diagnostics: [marker] };
  const documents: ParsedDocument[] = [];
  const diagnostics: Diagnostic[] = [];
  let isBroken = false;
  for (const part of splitDocuments(source.text)) {
    const parsed = parsePart(source.text.slice(...part));
    if (parsed.state === 'too deep') {
      const span: Span = [part[0] + parsed.offset - 1, part[0] + parsed.offset];
      diagnostics.push(
        problem(source, { code: 'HW1106', span, what: 'Lists and mappings are nested without end here.' }),
      );
      continue;
    }
    const places = lazyPlaces(source, part);
    for (const [number, document] of parsed.documents.entries()) {
      const [slip] = syntaxTroubles(document).sort((left, right) => left.span[0] - right.span[0]);
      const troubles: Trouble[] = slip === undefined ? [] : [slip];
      const value = slip === undefined ? valueOf(document, troubles) : undefined;
      if (!isBroken) diagnostics.push(...placed(source, part, { troubles, adviceOn }));
      isBroken ||= slip !== undefined;
      if (troubles.length === 0 && value !== undefined)
        documents.push({
          source,
          value,
          place: (pointer) => ({ ...places(number, pointer), source, pointer, shared: false }),
        });
    }
  }
  return { documents, diagnostics };
}

/** What Git writes around the two sides of a conflict. */
function mergeMarker(source: SourceText): Diagnostic | undefined {
  const match = /^(?:(?:<{7}|>{7}|\|{7})(?: .*)?|={7}\r?)$/m.exec(source.text);
  if (match === null) return undefined;
  const span: Span = [match.index, match.index + match[0].length];
  return problem(source, { code: 'HW1111', span, what: 'This is a marker of an unfinished Git merge.' });
}

/** The documents of a text whose values are known; it is parsed once somebody asks for a place. */
export function knownDocuments(source: SourceText, values: readonly Json[]): readonly ParsedDocument[] {
  let parsed: readonly ParsedDocument[] | undefined;
  return values.map((value, index) => ({
    source,
    value,
    place: (pointer) => {
      parsed ??= parseYaml(source).documents;
      return (parsed[index] as ParsedDocument).place(pointer);
    },
  }));
}

function syntaxTroubles(document: Document.Parsed): Trouble[] {
  return [...document.errors, ...document.warnings].map((error) => {
    const span: Span = [error.pos[0], Math.max(error.pos[1], error.pos[0] + 1)];
    const [code, what] = explainSyntax(error.code, error.message);
    return { code, span, what };
  });
}

function explainSyntax(code: string, message: string): readonly [Code, string] {
  switch (code) {
    case 'TAB_AS_INDENT':
      return ['HW1103', 'The line is indented with a tab.'];
    case 'BAD_ALIAS':
      return ['HW1105', 'There is no name after `*`, or one that YAML cannot read.'];
    case 'TAG_RESOLVE_FAILED':
      return ['HW1107', sentence(message)];
    case 'NON_STRING_KEY':
      return ['HW1108', 'A list, a mapping or a tagged value is used as a key.'];
    case 'RESOURCE_EXHAUSTION':
      return ['HW1106', 'The document could not be taken in.'];
    default:
      return ['HW1101', sentence(message)];
  }
}

/** The parser's own words, made one clean sentence, where no edit is known that mends the text. */
function sentence(message: string): string {
  const closing = /^Missing closing (['"])quote/.exec(message);
  if (closing !== null) return `A text that starts with ${closing[1]} does not end with it.`;
  if (/^Flow (map|sequence) in block collection must be/.test(message))
    return `A list or mapping in brackets does not end with ${message.at(-1)}, or goes on without indentation.`;
  if (
    /^(Nested mappings|A block (sequence|mapping) may not|Implicit keys|All mapping items|Implicit map keys|Sequence item)/.test(
      message,
    )
  )
    return 'The line fits neither with the lines above it nor with those below it: compare how far they are indented, and whether each key has a colon and a space after it.';
  const clean = visible(message.split('\n')[0] ?? '')
    .slice(0, 200)
    .replace(/[\s.]+$/, '');
  return `${capital(clean)}.`;
}

/** The troubles of one document, or the edit that mends it where one is known. */
function placed(
  source: SourceText,
  [base, partEnd]: Span,
  { troubles, adviceOn }: { readonly troubles: readonly Trouble[]; readonly adviceOn: AdviceOn },
): readonly Diagnostic[] {
  const text = source.text.slice(base, partEnd);
  // What is missing at the end of a document is shown on its last line, not on the first of the next.
  const last = Math.max(base, base + text.trimEnd().length - 1);
  const [first] = troubles;
  const advice = first !== undefined && MENDED.has(first.code) ? adviceOn(text, first) : undefined;
  return (advice === undefined ? troubles.slice(0, MESSAGES_PER_DOCUMENT) : [advice]).map(({ code, span, what }) => {
    const start = Math.min(base + span[0], last);
    return problem(source, { code, span: [start, Math.max(base + span[1], start)], what });
  });
}

/** Troubles that come from slips in writing. */
const MENDED: ReadonlySet<Code> = new Set(['HW1101', 'HW1103', 'HW1105', 'HW1108']);

function problem(source: SourceText, { code, span, what }: Trouble): Diagnostic {
  return diagnose(code, what, linesAt(source, span));
}

/** Places by document number and pointer. The part is parsed anew for it, once. */
function lazyPlaces(source: SourceText, [start, end]: Span): (number: number, pointer: string) => Place {
  let tables: readonly Places[] | undefined;
  return (number, pointer) => {
    if (tables === undefined) {
      const parsed = parsePart(source.text.slice(start, end));
      tables = parsed.state === 'parsed' ? parsed.documents.map((document) => placesIn(document, start)) : [];
    }
    for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
      const place = tables[number]?.get(at);
      if (place !== undefined) return place;
      if (at === '') return { value: [start, start] };
    }
  };
}
