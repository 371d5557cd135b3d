// Decides what YAML means here: YAML 1.2 core types, one document after the other, each with its values and with the places
// they stand at. Must not know what a manifest is. A file full of traps ends in diagnostics, never in a throw.
//
// The syntax tree of a document is dropped as soon as its values are taken: thousands of manifests would not fit beside each
// other. Whoever asks for a place makes the file be parsed once more, into a table of offsets.
import type { CST, Document } from 'yaml';
import { Composer, Parser, Schema } from 'yaml';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Json } from '../model/json.ts';
import type { Code } from './codes.ts';
import { diagnose } from './codes.ts';
import type { SourceText, Span } from './source-text.ts';
import { tooDeepAt } from './yaml-depth.ts';
import type { Place, Places, Trouble } from './yaml-values.ts';
import { placesIn, valueOf } from './yaml-values.ts';
import { quote, visible } from './words.ts';

/** One document of a file that could be parsed. */
export interface ParsedDocument {
  readonly source: SourceText;
  readonly value: Json;
  /** Where the value at this JSON pointer stands, or the nearest thing around it. */
  readonly place: (pointer: string) => Place;
}

export interface ParsedText {
  readonly documents: readonly ParsedDocument[];
  readonly diagnostics: readonly Diagnostic[];
  /** Documents in which nothing stands. */
  readonly empty: number;
}

// One schema for all documents: making one takes longer than parsing a small manifest.
const coreSchema = new Schema({ schema: 'core', merge: false, resolveKnownTags: false });
const MESSAGES_PER_DOCUMENT = 5;

/** Parses every document of a text; a broken one does not hide the others. */
export function parseYaml(source: SourceText): ParsedText {
  const documents: ParsedDocument[] = [];
  const diagnostics: Diagnostic[] = [];
  let empty = 0;
  let count = 0;
  const table = lazyPlaces(source);
  for (const found of parseDocuments(source.text)) {
    const number = count;
    count += 1;
    if (found instanceof TooDeep) {
      diagnostics.push(problem(source, 'HW1106', [found.offset, found.offset + 1], 'The document nests lists and mappings without end.'));
      continue;
    }
    const troubles = syntaxTroubles(found);
    const value = troubles.length === 0 ? valueOf(found, troubles) : undefined;
    diagnostics.push(...perLine(source, troubles));
    if (troubles.length > 0) continue;
    if (value === undefined) empty += 1;
    else documents.push({ source, value, place: (pointer) => table(number, pointer) });
  }
  return { documents, diagnostics, empty };
}

class TooDeep {
  constructor(readonly offset: number) {}
}

/** The documents in their order, each made only when the one before has been dealt with. */
function* parseDocuments(text: string): Generator<Document.Parsed | TooDeep, void, undefined> {
  const composer = new Composer({
    schema: coreSchema,
    version: '1.2',
    stringKeys: true,
    // Both are done in `valueOf`, where long mappings do not take the square of their length.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  for (const token of new Parser().parse(text)) {
    const offset = tooDeepAt(token);
    if (offset === undefined) {
      yield* composer.next(token);
    } else {
      // Composing recurses: an endless nesting would end the process, not just throw.
      yield* composer.next({ type: 'document', offset: token.offset, start: (token as CST.Document).start });
      yield new TooDeep(offset);
    }
  }
  yield* composer.end(false, text.length);
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
      return ['HW1103', 'A tab stands where only spaces indent.'];
    case 'BAD_ALIAS':
      return ['HW1105', `${sentence(message)}`];
    case 'TAG_RESOLVE_FAILED':
      return ['HW1107', `${sentence(message)}`];
    case 'NON_STRING_KEY':
      return ['HW1108', 'A list, a mapping or a tagged value stands as a key.'];
    case 'RESOURCE_EXHAUSTION':
      return ['HW1106', 'The document could not be taken in.'];
    default:
      return ['HW1101', `${sentence(message)}`];
  }
}

/** The parser's own words, made one clean sentence. */
function sentence(message: string): string {
  const clean = visible(message.split('\n')[0] ?? '').slice(0, 200).replace(/[\s.]+$/, '');
  return `${clean.charAt(0).toUpperCase()}${clean.slice(1)}.`;
}

/** One slip makes the parser stumble again and again on the same line: only the first is told. */
function perLine(source: SourceText, troubles: readonly Trouble[]): readonly Diagnostic[] {
  const seen = new Set<string>();
  const kept: Diagnostic[] = [];
  for (const { code, span, what } of [...troubles].sort((left, right) => left.span[0] - right.span[0])) {
    if (kept.length === MESSAGES_PER_DOCUMENT) break;
    const found = problem(source, code, span, what);
    const key = code === 'HW1102' ? `${code}:${span[0]}` : `${found.source?.line}`;
    if (!seen.has(key)) kept.push(found);
    seen.add(key);
  }
  return kept;
}

function problem(source: SourceText, code: Code, span: Span, what: string): Diagnostic {
  const range = source.range(span);
  return diagnose(code, { what, source: range, frame: source.frame(range) });
}

/** Places by document number and pointer. The file is parsed anew for it, once. */
function lazyPlaces(source: SourceText): (number: number, pointer: string) => Place {
  let tables: readonly Places[] | undefined;
  return (number, pointer) => {
    tables ??= [...parseDocuments(source.text)].map((found) => (found instanceof TooDeep ? new Map() : placesIn(found)));
    const table = tables[number];
    for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
      const place = table?.get(at);
      if (place !== undefined) return place;
      if (at === '') return { value: [0, 0] };
    }
  };
}

/** For messages of those who read documents: the name of a file in backticks. */
export function fileNamed(name: string): string {
  return name === '-' ? 'Standard input' : `The file ${quote(name)}`;
}
