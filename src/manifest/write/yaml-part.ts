// A manifest in YAML as a part of a program: its fields, and what its comments say at them.
import type { Document, Node } from 'yaml';
import { isCollection, isMap, isScalar, isSeq } from 'yaml';
import type { Comment } from '../../model/kind/to-manifest.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { escapePointer, unescapePointer, valueAt } from '../../model/json.ts';
import { manifestReference } from '../../model/manifest-reference.ts';
import { secretSourceOf } from '../../model/secret.ts';
import { parsePart, splitDocuments } from '../read/yaml-documents.ts';
import { valueOf } from '../read/yaml-values.ts';
import type { ProgramPart } from './write-program.ts';

/** One document of a text. */
export interface YamlPart {
  readonly value: Json;
  /** Pointers lead into the document. */
  readonly comments: readonly Comment[];
}

/** The documents of a text that can be parsed; empty ones are left out. */
export function yamlParts(text: string): readonly YamlPart[] {
  return splitDocuments(text).flatMap((span) => {
    const parsed = parsePart(text.slice(...span));
    if (parsed.state !== 'parsed') return [];
    return parsed.documents.flatMap((document) => {
      const value = valueOf(document, []);
      return value === undefined || value === null ? [] : [{ value, comments: commentsIn(document) }];
    });
  });
}

function commentsIn(document: Document.Parsed): readonly Comment[] {
  const found: Comment[] = [];
  const say = (words: string | null | undefined, pointer: string, at: 'above' | 'below' = 'above'): void => {
    const lines = (words ?? '').split('\n').map((line) => line.trim());
    found.push(...lines.filter((line) => line !== '').map((line) => ({ pointer, text: line, at })));
  };
  const walk = (node: unknown, pointer: string, isValue = false): void => {
    if (typeof node !== 'object' || node === null) return;
    const { commentBefore, comment } = node as Node;
    // What stands between a key and its block is said of the first thing in that.
    const first = isMap(node) && isScalar(node.items[0]?.key) ? String(node.items[0].key.value) : '0';
    say(commentBefore, isValue && isCollection(node) ? `${pointer}/${escapePointer(first)}` : pointer);
    if (isMap(node))
      for (const { key, value } of node.items) {
        const below = `${pointer}/${escapePointer(isScalar(key) ? String(key.value) : '')}`;
        say((key as Node).commentBefore, below);
        say((key as Node).comment, below);
        walk(value, below, true);
      }
    else if (isSeq(node)) for (const [index, item] of node.items.entries()) walk(item, `${pointer}/${index}`);
    say(comment, pointer, isCollection(node) && node.flow !== true ? 'below' : 'above');
  };
  say(document.commentBefore, '');
  walk(document.contents, '');
  say(document.comment, '', 'below');
  // Lines for tools that read the file.
  return found.filter(({ text }) => !/^(?:yaml-language-server:|Made by hostwright )/.test(text));
}

/** A manifest as programs write it: what belongs to metadata and lifecycle stands beside the fields of the spec. */
export function partOf({ value, comments }: YamlPart): ProgramPart {
  const { kind, metadata, lifecycle, spec } = value as JsonObject;
  const { name, ...beside } = metadata as JsonObject;
  const own = { ...beside, ...(lifecycle !== undefined && { lifecycle }) };
  const props = { ...own, ...(spec as JsonObject) };
  const placed = comments.map((comment) => ({ ...comment, pointer: propsPlace(comment.pointer, props) }));
  const isAbove = ({ pointer, at }: Comment): boolean => pointer === '' && at !== 'below';
  return {
    kind: kind as string,
    name: name as string,
    metadata: own,
    spec: spec as JsonObject,
    above: placed.filter(isAbove).map(({ text }) => text),
    comments: placed.filter((comment) => !isAbove(comment)),
  };
}

/** Where in the props a place of the document is; the nearest around it that is written by itself. */
function propsPlace(pointer: string, props: JsonObject): string {
  const tokens = pointer.replace(/^\/(?:spec|metadata)(?=\/|$)/, '').split('/');
  const [, field = ''] = tokens;
  if (!Object.hasOwn(props, unescapePointer(field))) return '';
  const depth = tokens.findIndex((_token, index) => {
    const value = valueAt(props, tokens.slice(0, index + 1).join('/'));
    return (
      index > 0 &&
      (manifestReference(value) !== undefined || (value !== undefined && secretSourceOf(value) !== undefined))
    );
  });
  return (depth < 0 ? tokens : tokens.slice(0, depth + 1)).join('/');
}
