// Where one document of a YAML stream ends and the next begins, and how one is made into a syntax tree.
import type { Document } from 'yaml';
import { Composer, Lexer, Parser, Schema } from 'yaml';
import type { Span } from './source-text.ts';

/** What one part of a stream came to. Offsets in it count from the start of the part. */
export type ParsedPart =
  | { readonly state: 'parsed'; readonly documents: readonly Document.Parsed[] }
  | { readonly state: 'too deep'; readonly offset: number };

/** Open constructions at one time: deeper than any manifest, and far from the end of the stack. */
const MAX_OPEN = 128;

// Made once: making a schema takes longer than parsing a small manifest.
const coreSchema = new Schema({ schema: 'core', merge: false, resolveKnownTags: false });

/**
 * The parts of a stream that hold one document each. A line that starts with `---` or `...` ends a document wherever it
 * stands, in quotes too, so an unclosed quote or bracket cannot swallow the documents after it.
 */
export function splitDocuments(text: string): readonly Span[] {
  const parts: Span[] = [];
  const marker = /(^|\n)(---|\.\.\.)(?=[ \t\r\n]|$)/g;
  let start = 0;
  let open = false;
  let seen = 0;
  for (let match = marker.exec(text); match !== null; match = marker.exec(text)) {
    const at = match.index + (match[1] as string).length;
    open ||= hasContent(text.slice(seen, at));
    seen = at + 3;
    if (!open) {
      open = match[2] === '---';
    } else if (match[2] === '---') {
      parts.push([start, at]);
      start = at;
    } else {
      const lineEnd = text.indexOf('\n', at);
      const end = lineEnd === -1 ? text.length : lineEnd + 1;
      parts.push([start, end]);
      start = end;
      seen = end;
      open = false;
    }
  }
  if (open || hasContent(text.slice(seen)) || parts.length === 0) parts.push([start, text.length]);
  return parts;
}

/** Parses one part. Problems of the text are in the documents. `tokens`: the nodes keep what they were made from. */
export function parsePart(text: string, { tokens = false }: { readonly tokens?: boolean } = {}): ParsedPart {
  const composer = new Composer({
    schema: coreSchema,
    keepSourceTokens: tokens,
    version: '1.2',
    stringKeys: true,
    // Found while values are taken, where a long mapping does not take the square of its length.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const documents: Document.Parsed[] = [];
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) documents.push(...composer.next(token));
    if (parser.stack.length > MAX_OPEN) return { state: 'too deep', offset: parser.offset };
  }
  for (const token of parser.end()) documents.push(...composer.next(token));
  documents.push(...composer.end(false, text.length));
  return { state: 'parsed', documents };
}

/** Anything but comments, directives and white space. */
function hasContent(text: string): boolean {
  return /(^|\n)(?![ \t\r]*(#|\n|$)|%)/.test(text) && /\S/.test(text);
}
