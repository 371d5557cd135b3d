// How manifests are written as a program: a call for each, what several share as a function, references as the object
// that they mean. What the program declares is what the manifests say; whoever writes it proves that.
import type { Comment } from '../../model/kind/to-manifest.ts';
import { addressOf } from '../../model/address.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { escapePointer, isJsonObject } from '../../model/json.ts';
import { manifestReference } from '../../model/manifest-reference.ts';
import { secretSourceOf } from '../../model/secret.ts';
import { shapes } from '../generated/shapes.ts';
import type { Shape } from '../shape.ts';
import { shapeBelow } from '../shape.ts';
import { visible } from '../../model/format.ts';
import { fieldsInOrder } from './write.ts';
import { PROFILES, profileKindOf } from '../read/profile-kinds.ts';

/** Longest line that a list or mapping is put on. */
const WIDTH = 110;
const INDENT = '  ';

export interface ProgramPart {
  readonly kind: string;
  readonly name: string;
  /** What `metadata` says beside the name. */
  readonly metadata: JsonObject;
  readonly spec: JsonObject;
  /** Pointers lead into `spec`. */
  readonly comments: readonly Comment[];
  /** Lines above the call. */
  readonly above?: readonly string[];
}

export interface ProgramRequest {
  /** Manifests of a kind that profiles are of become functions of that kind: `SiteProfile` -> `Site`. */
  readonly profileOf: (kind: string) => string | undefined;
  readonly parts: readonly ProgramPart[];
  /** What stands at the top, line by line. */
  readonly head: readonly string[];
}

interface Writing {
  /** What a manifest is called in the program, by its address; only what is declared before may be named. */
  readonly names: ReadonlyMap<string, string>;
  readonly functions: ReadonlyMap<string, string>;
  readonly used: Set<string>;
}

interface At {
  readonly depth: number;
  readonly pointer: string;
  readonly shape: Shape | undefined;
  readonly comments: readonly Comment[];
  /** The kind of the profiles that the manifest starts from. */
  readonly profiles: string | undefined;
}

/** The text of a program that declares these manifests. */
export function writeProgram({ parts: given, profileOf, head }: ProgramRequest): string {
  const parts = joined(given, profileOf);
  const profiles = parts.filter(({ kind }) => profileOf(kind) !== undefined);
  const others = inOrder(parts.filter((part) => !profiles.includes(part)));
  const names = namesOf(others);
  const functions = new Map(
    distinct(profiles.map(({ name }) => `${camel(name)}Settings`)).map((name, index) => [
      (profiles[index] as ProgramPart).name,
      name,
    ]),
  );
  const used = new Set<string>();
  const writing = { names, functions, used };
  const shared = profiles.map((profile) => {
    const kind = profileOf(profile.kind) as string;
    used.add(`type ${kind}Props`);
    const literal = mapping(profile.spec, { ...rootOf(profile), depth: 0 }, writing);
    return `const ${functions.get(profile.name) as string} = (): ${kind}Props => (${literal});`;
  });
  const calls = others.map((part) => {
    used.add(part.kind);
    const call = `new ${part.kind}(app, ${text(part.name)}, ${propsOf(part, writing)});`;
    const name = names.get(addressOf(null, part.kind, part.name));
    const above = (part.above ?? []).map((line) => `// ${oneLine(line)}\n`).join('');
    return above + (name === undefined ? call : `const ${name} = ${call}`);
  });
  const imports = ['App', ...used].sort((left, right) => (bare(left) < bare(right) ? -1 : 1));
  return [
    ...head.map((line) => `// ${oneLine(line)}`),
    importOf(imports),
    '',
    ...shared.flatMap((one) => [one, '']),
    'const app = new App();',
    '',
    ...calls.flatMap((one) => (one.includes('\n') ? [one, ''] : [one])),
    ...(calls.at(-1)?.includes('\n') === false ? [''] : []),
    'export default app;',
    '',
  ].join('\n');
}

/** Profiles that only ever stand together, and set different things, are one function. */
function joined(parts: readonly ProgramPart[], profileOf: ProgramRequest['profileOf']): readonly ProgramPart[] {
  const profiles = parts.filter(({ kind }) => profileOf(kind) !== undefined);
  const lists = parts.flatMap(({ spec }) => (Array.isArray(spec[PROFILES]) ? [spec[PROFILES] as readonly Json[]] : []));
  const [first, ...others] = profiles;
  const names = profiles.map(({ name }) => name);
  const areTogether = lists.every((list) => list.length === names.length && names.every((name) => list.includes(name)));
  const fields = profiles.flatMap(({ spec }) => Object.keys(spec));
  if (
    first === undefined ||
    others.length === 0 ||
    !areTogether ||
    new Set(fields).size < fields.length ||
    profiles.some(({ kind }) => kind !== first.kind)
  )
    return parts;
  const one: ProgramPart = {
    ...first,
    name: 'shared',
    spec: Object.assign({}, ...profiles.map(({ spec }) => spec)) as JsonObject,
    comments: profiles.flatMap(({ comments }) => comments),
  };
  return parts.flatMap((part) => {
    if (part === first) return [one];
    if (profiles.includes(part)) return [];
    return Array.isArray(part.spec[PROFILES]) ? [{ ...part, spec: { ...part.spec, [PROFILES]: ['shared'] } }] : [part];
  });
}

function importOf(names: readonly string[]): string {
  const line = `import { ${names.join(', ')} } from 'hostwright/constructs';`;
  return line.length <= WIDTH
    ? line
    : `import {\n${names.map((name) => `${INDENT}${name},\n`).join('')}} from 'hostwright/constructs';`;
}

function bare(name: string): string {
  return name.replace(/^type /, '');
}

/** What is named stands before what names it. */
function inOrder(parts: readonly ProgramPart[]): readonly ProgramPart[] {
  const known = new Map(parts.map((part) => [addressOf(null, part.kind, part.name), part]));
  const placed = new Set<ProgramPart>();
  const open = new Set<ProgramPart>();
  const place = (part: ProgramPart): void => {
    if (placed.has(part) || open.has(part)) return;
    open.add(part);
    for (const address of namedBy(part)) {
      const other = known.get(address);
      if (other !== undefined) place(other);
    }
    placed.add(part);
  };
  for (const part of parts) place(part);
  return [...placed];
}

/** The addresses that a manifest names, its profiles too. */
function namedBy({ kind, spec }: ProgramPart): readonly string[] {
  const profiles = Array.isArray(spec[PROFILES]) ? (spec[PROFILES] as readonly string[]) : [];
  return [...profiles.map((name) => addressOf(null, profileKindOf(kind) ?? '', name)), ...referencesIn(spec)];
}

function referencesIn(value: Json): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const reference = manifestReference(value);
  if (reference !== undefined) return reference.output === undefined ? [reference.ref] : [];
  return Object.values(value as JsonObject).flatMap(referencesIn);
}

/** A variable for each manifest that another one names. */
function namesOf(parts: readonly ProgramPart[]): ReadonlyMap<string, string> {
  const asked = new Set(parts.flatMap(namedBy));
  const named = parts.filter(({ kind, name }) => asked.has(addressOf(null, kind, name)));
  const names = distinct(named.map(({ kind, name }) => `${camel(name)}${kind}`));
  return new Map(named.map(({ kind, name }, index) => [addressOf(null, kind, name), names[index] as string]));
}

/** Letters and digits that a name can begin with. */
function camel(name: string): string {
  const words = name.split(/[^a-zA-Z0-9]+/).filter((word) => word !== '');
  const joined = words
    .map((word, index) => (index === 0 ? word.toLowerCase() : `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`))
    .join('');
  return /^[a-z]/i.test(joined) ? joined : `the${joined}`;
}

function distinct(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let number = 2; taken.has(free); number += 1) free = `${name}${number}`;
    taken.add(free);
    return free;
  });
}

function rootOf({ kind, comments }: ProgramPart): At {
  const shape = shapeBelow(shapes[kind], 'spec');
  return { depth: 0, pointer: '', shape, comments, profiles: profileKindOf(kind) };
}

function propsOf(part: ProgramPart, writing: Writing): string {
  const { kind, metadata, spec } = part;
  const { [PROFILES]: profiles, ...own } = spec;
  const hasFunctions = writing.functions.size > 0;
  const props = { ...metadata, ...(hasFunctions ? own : spec) };
  const layers = (hasFunctions && Array.isArray(profiles) ? (profiles as readonly Json[]) : []).map(
    (name) => `${(typeof name === 'string' && writing.functions.get(name)) || ''}()`,
  );
  const isEmpty = Object.keys(props).length === 0 && part.comments.length === 0;
  const literal = isEmpty ? '{}' : mapping(props, rootOf(part), writing, Object.keys(metadata));
  if (layers.length === 0) return literal;
  return isEmpty && layers.length === 1
    ? (layers[0] as string)
    : `${kind}.merge(${[...layers, ...(isEmpty ? [] : [literal])].join(', ')})`;
}

function valueOf(value: Json, at: At, writing: Writing): string {
  if (typeof value === 'string') {
    const profile = new RegExp(`^/${PROFILES}/\\d+$`).test(at.pointer) ? at.profiles : undefined;
    return (profile !== undefined && writing.names.get(addressOf(null, profile, value))) || text(value);
  }
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return list(value as readonly Json[], at, writing);
  const reference = manifestReference(value);
  const name = reference?.output === undefined ? writing.names.get(reference?.ref ?? '') : undefined;
  if (name !== undefined) return name;
  const secret = secretOf(value);
  if (secret !== undefined) {
    writing.used.add('secret');
    return secret;
  }
  return mapping(value as JsonObject, at, writing);
}

function secretOf(value: Json): string | undefined {
  const source = secretSourceOf(value);
  if (source === undefined || !isJsonObject(value)) return undefined;
  const { rotate, ...places } = value;
  const [[from = '', named] = [], ...others] = Object.entries(places);
  if (others.length > 0 || (rotate !== undefined && typeof rotate !== 'string') || typeof named !== 'string')
    return undefined;
  const rotation = rotate === undefined ? '' : `, { rotate: ${text(rotate)} }`;
  return ['env', 'file', 'entry'].includes(from) ? `secret.${from}(${text(named)}${rotation})` : undefined;
}

/** `first`: fields that the schema of the mapping does not know, and that stand before the others. */
function mapping(value: JsonObject, at: At, writing: Writing, first: readonly string[] = []): string {
  const others = Object.keys(value).filter((field) => !first.includes(field));
  const items = [...first, ...fieldsInOrder(others, at.shape)].map((field) => {
    const pointer = `${at.pointer}/${escapePointer(field)}`;
    const below = { ...at, depth: at.depth + 1, pointer, shape: shapeBelow(at.shape, field) };
    return { pointer, written: `${key(field)}: ${valueOf(value[field] as Json, below, writing)}` };
  });
  return bracketed('{', '}', items, at);
}

function list(value: readonly Json[], at: At, writing: Writing): string {
  const items = value.map((item, index) => {
    const pointer = `${at.pointer}/${index}`;
    const below = { ...at, depth: at.depth + 1, pointer, shape: shapeBelow(at.shape, index) };
    return { pointer, written: valueOf(item, below, writing) };
  });
  return bracketed('[', ']', items, at);
}

function bracketed(
  before: string,
  after: string,
  items: readonly { readonly pointer: string; readonly written: string }[],
  { depth, pointer: own, comments }: At,
): string {
  const said = (wanted: 'above' | 'below', pointer: string): readonly string[] =>
    comments
      .filter((one) => one.pointer === pointer && (one.at ?? 'above') === wanted)
      .map((one) => `// ${oneLine(one.text)}`);
  const last = [...(own === '' ? said('above', '') : []), ...said('below', own)];
  const isSaid = last.length > 0 || items.some(({ pointer }) => said('above', pointer).length > 0);
  if (items.length === 0 && !isSaid) return before + after;
  const padding = before === '{' ? ' ' : '';
  const line = `${before}${padding}${items.map(({ written }) => written).join(', ')}${padding}${after}`;
  const isShort =
    !isSaid && !line.includes('\n') && line.length + INDENT.length * depth <= (depth === 0 ? WIDTH / 2 : WIDTH);
  if (isShort) return line;
  const inside = INDENT.repeat(depth + 1);
  const lines = [...items.flatMap(({ pointer, written }) => [...said('above', pointer), `${written},`]), ...last];
  return `${before}\n${lines.map((one) => `${inside}${one}\n`).join('')}${INDENT.repeat(depth)}${after}`;
}

function key(field: string): string {
  // Written plainly it would be no field but what the object is made from.
  if (field === '__proto__') return `['__proto__']`;
  return /^[A-Za-z_$][\w$]*$/.test(field) ? field : text(field);
}

/** A string literal. What cannot be seen is written as escapes. */
function text(value: string): string {
  const double = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"');
  const escaped = double.replace(/[\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\u007f-\u009f]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  );
  return escaped.includes("'") && !escaped.includes('"') ? `"${escaped}"` : `'${escaped.replaceAll("'", "\\'")}'`;
}

function oneLine(said: string): string {
  return visible(said.replace(/[\r\n\u2028\u2029]+/g, ' '));
}
