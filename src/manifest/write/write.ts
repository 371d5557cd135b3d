// How manifests are written as YAML: fields in the order of the schema, short lists on one line, behind every value that
// came from a profile where it stands there, and notes as comments. What is written reads back as the same manifest.
import { Document, Lexer, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import type { Comment } from '../../model/kind/to-manifest.ts';
import type { ExpandedManifest } from '../../model/desired.ts';
import type { SourcePosition } from '../../model/diagnostic.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { escapePointer, isJsonObject } from '../../model/json.ts';
import { isWithin, manifestReference } from '../../model/manifest-reference.ts';
import { shapes } from '../generated/shapes.ts';
import type { ParsedDocument } from '../read/parse.ts';
import type { Shape } from '../shape.ts';
import { shapeBelow } from '../shape.ts';
import { visible } from '../../model/format.ts';

/** Longest list that stands on one line. */
const LIST_WIDTH = 100;
// What the lexer of `yaml` says beside the text: that a document begins, that a scalar comes, that brackets end too soon.
const SCALAR_MARK = '\u001f';
const LEXER_MARKS = new Set(['\u0002', '\u0018', SCALAR_MARK]);
// What a terminal could act on, or a reader not see: written as escapes.
const VISIBLE = /^[\n\u0020-\u007e]*$/;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;

/** A sound document, and where the values in it stand that are not its own. */
export function expandedManifest({ value, place }: ParsedDocument): ExpandedManifest {
  const fromProfiles: Record<string, SourcePosition> = {};
  const comment = (below: Json, pointer: string): void => {
    if (!isLeaf(below)) {
      for (const [key, item] of Object.entries(below as JsonObject)) comment(item, `${pointer}/${escapePointer(key)}`);
      return;
    }
    const { key, value: span, source, shared } = place(pointer);
    if (!shared) return;
    const { file, line, column } = source.range(key ?? span);
    fromProfiles[pointer] = { file, line, column };
  };
  comment(value, '');
  return { manifest: value as JsonObject, fromProfiles };
}

/** A manifest and what is said beside it; the pointers of the notes lead into the whole manifest. */
export interface AnnotatedManifest {
  readonly manifest: JsonObject;
  readonly comments?: readonly Comment[];
  readonly fromProfiles?: ExpandedManifest['fromProfiles'];
}

/** One YAML document for each manifest. */
export function writeManifests(manifests: readonly AnnotatedManifest[]): string {
  return manifests.map(writeManifest).join('\n---\n');
}

/** One manifest as YAML, without a line break at its end. */
export function writeManifest({ manifest, fromProfiles = {}, comments = [] }: AnnotatedManifest): string {
  const document = new Document(undefined, { version: '1.2', schema: 'core' });
  const shape = shapes[typeof manifest.kind === 'string' ? manifest.kind : ''];
  const placed = { above: commentsAt(comments, 'above'), below: commentsAt(comments, 'below') };
  document.contents = commented(
    nodeOf(manifest, { pointer: '', shape, fromProfiles, comments: placed }),
    placed.above.get(''),
  );
  return printed(document).trimEnd();
}

/** How a document is written; what is left out is as in whole manifests. */
export interface Form {
  /** Comments stood there before: they are kept as they are. */
  readonly ownComments?: boolean;
  /** Spaces by which a level is indented. */
  readonly indent?: number;
  /** Lists in mappings are indented below their key. */
  readonly indentSeq?: boolean;
  /** A space behind an opening bracket and before a closing one, of lists and of mappings. */
  readonly padding?: { readonly lists: boolean; readonly mappings: boolean };
}

/** A document as text. What cannot be seen is written as escapes. */
export function printed(document: Document, form: Form = {}): string {
  const { ownComments = false, indent = 2, indentSeq = true, padding = { lists: false, mappings: true } } = form;
  const textWith = (flowCollectionPadding: boolean): string =>
    document.toString({ lineWidth: 0, flowCollectionPadding, indent, indentSeq });
  if (!padding.lists) {
    // Most documents have no mapping in brackets and nothing to escape: there is nothing to look for in their text.
    const plain = textWith(false);
    if (!/\{(?!\})/.test(plain) && !isInvisible(plain)) return plain;
  }
  const lexemes = [...new Lexer().lex(textWith(true))];
  const isTight = (before = '', after = ''): boolean =>
    (!padding.lists && (before === '[' || after === ']')) || (!padding.mappings && (before === '{' || after === '}'));
  return lexemes
    .map((lexeme, index) => {
      const [before, after] = [lexemes[index - 1], lexemes[index + 1]];
      if (LEXER_MARKS.has(lexeme) || (lexeme === ' ' && isTight(before, after))) return '';
      return ownComments && isComment(lexeme, before) ? lexeme : withEscapes(lexeme);
    })
    .join('');
}

/** True when a lexeme is a comment, behind this other one. */
function isComment(lexeme: string, before: string | undefined): boolean {
  return lexeme.startsWith('#') && before !== SCALAR_MARK;
}

/** The text of every comment. */
export function commentsIn(text: string): readonly string[] {
  const lexemes = [...new Lexer().lex(text)];
  return lexemes.filter((lexeme, index) => isComment(lexeme, lexemes[index - 1])).map((comment) => comment.trimEnd());
}

/** True when something in a text cannot be seen: it stands in double quotes, as escapes. */
export function isInvisible(text: string): boolean {
  return !VISIBLE.test(text) && text.replaceAll('\n', '').search(INVISIBLE) !== -1;
}

/** True when a list of these single values stands on one line. */
export function fitsOneLine(items: readonly Json[]): boolean {
  return JSON.stringify(items).length <= LIST_WIDTH;
}

/** Field names in the order of the schema, which is the order in which people think of them; unknown ones behind. */
export function fieldsInOrder(fields: readonly string[], shape: Shape | undefined): readonly string[] {
  const order = shape?.is === 'object' ? Object.keys(shape.fields) : [];
  return [...order.filter((field) => fields.includes(field)), ...fields.filter((field) => !order.includes(field))];
}

/** What cannot be seen, as escapes. */
export function withEscapes(text: string): string {
  return text.replace(INVISIBLE, (character) => (character === '\n' ? character : escaped(character)));
}

interface At {
  readonly pointer: string;
  readonly shape: Shape | undefined;
  readonly fromProfiles: ExpandedManifest['fromProfiles'];
  readonly comments: Readonly<Record<'above' | 'below', ReadonlyMap<string, string>>>;
}

/** The text of the comments by pointer, a line each. */
function commentsAt(comments: readonly Comment[], wanted: 'above' | 'below'): ReadonlyMap<string, string> {
  const lines = new Map<string, string>();
  for (const { pointer, text, at = 'above' } of comments) {
    if (at !== wanted) continue;
    const line = ` ${text.replaceAll(/[\r\n]+/g, ' ')}`;
    const before = lines.get(pointer);
    lines.set(pointer, before === undefined ? line : `${before}\n${line}`);
  }
  return lines;
}

/** A value as nodes of a document, in the order of its shape. */
export function plainNode(value: Json, shape: Shape | undefined): YAMLMap | YAMLSeq | Scalar {
  return nodeOf(value, { pointer: '', shape, fromProfiles: {}, comments: { above: new Map(), below: new Map() } });
}

function nodeOf(value: Json, at: At): YAMLMap | YAMLSeq | Scalar {
  if (!isLeaf(value) || hasItemComments(value, at))
    return Array.isArray(value) ? listNode(value as readonly Json[], at) : mappingNode(value as JsonObject, at);
  const comment = commentFor(at.fromProfiles[at.pointer]);
  const items = Array.isArray(value) ? (value as readonly Json[]) : undefined;
  // Too long for one line: the comment stands behind each item.
  if (items !== undefined && !fitsOneLine(items))
    return sequence(
      items.map((item) => scalarNode(item, comment)),
      undefined,
    );
  const node =
    items !== undefined
      ? sequence(
          items.map((item) => scalarNode(item, undefined)),
          comment,
        )
      : isJsonObject(value)
        ? new YAMLMap()
        : scalarNode(value, comment);
  if (!(node instanceof Scalar)) node.flow = true;
  if (node instanceof YAMLMap && comment !== undefined) node.comment = comment;
  return node;
}

function mappingNode(value: JsonObject, at: At): YAMLMap {
  const node = new YAMLMap();
  node.items = fieldsInOrder(Object.keys(value), at.shape).map((field) => {
    const pointer = `${at.pointer}/${escapePointer(field)}`;
    return new Pair(
      commented(scalarNode(field, undefined), at.comments.above.get(pointer)),
      nodeOf(value[field] as Json, { ...at, pointer, shape: shapeBelow(at.shape, field) }),
    );
  });
  const below = at.comments.below.get(at.pointer);
  if (below !== undefined) node.comment = below;
  // A reference is one thing to a reader, unless there is something to say of it.
  node.flow = manifestReference(value) !== undefined && !hasComments(at);
  return node;
}

function listNode(value: readonly Json[], at: At): YAMLSeq {
  return sequence(
    value.map((item, index) => {
      const pointer = `${at.pointer}/${index}`;
      return commented(
        nodeOf(item, { ...at, pointer, shape: shapeBelow(at.shape, index) }),
        at.comments.above.get(pointer),
      );
    }),
    undefined,
  );
}

function sequence(items: readonly (YAMLMap | YAMLSeq | Scalar)[], comment: string | undefined): YAMLSeq {
  const node = new YAMLSeq();
  node.items = [...items];
  if (comment !== undefined) node.comment = comment;
  return node;
}

function commented<Node extends YAMLMap | YAMLSeq | Scalar>(node: Node, comment: string | undefined): Node {
  if (comment !== undefined) node.commentBefore = comment;
  return node;
}

function scalarNode(value: Json, comment: string | undefined): Scalar {
  const node = new Scalar(value);
  if (comment !== undefined) node.comment = comment;
  // An empty line at the very end would be lost with the end of the text.
  if (typeof value === 'string' && (isInvisible(value) || /(^|\n)\n$/.test(value))) node.type = 'QUOTE_DOUBLE';
  return node;
}

/** True when something is said inside of it. */
function hasComments({ pointer, comments, fromProfiles }: At): boolean {
  return [
    ...comments.below.keys(),
    ...Object.keys(fromProfiles),
    ...[...comments.above.keys()].filter((place) => place !== pointer),
  ].some((place) => isWithin(place, pointer));
}

/** A list of single values stands on one line, where nothing is said of one of them. */
function hasItemComments(value: Json, { pointer, comments }: At): boolean {
  return Array.isArray(value) && value.some((_, index) => comments.above.has(`${pointer}/${index}`));
}

function commentFor(source: SourcePosition | undefined): string | undefined {
  return source === undefined ? undefined : ` from ${visible(source.file)}:${source.line}`;
}

/** What has one place: a single value, a list of single values, or something empty. */
function isLeaf(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return true;
  const items = Array.isArray(value) ? (value as readonly Json[]) : Object.values(value as JsonObject);
  return (
    items.length === 0 || (Array.isArray(value) && items.every((item) => typeof item !== 'object' || item === null))
  );
}

function escaped(character: string): string {
  const code = character.codePointAt(0) as number;
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
