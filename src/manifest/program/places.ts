// Where in a program a value of a manifest stands. The text is parsed once somebody asks. A literal counts only where its
// value is that of the document; what cannot be followed, such as a parameter, is itself the place.
import type {
  ArrayExpression,
  Expression,
  Function,
  ObjectExpression,
  Pattern,
  Program,
  Property,
  SpreadElement,
  Super,
} from 'acorn';
import { parse } from 'acorn';
import type { Json } from '../../model/json.ts';
import { isJsonObject, unescapePointer } from '../../model/json.ts';
import type { Place } from '../read/yaml-values.ts';
import type { Span } from '../read/source-text.ts';

/** A call that makes a construct, and what it is given. */
interface Made {
  readonly span: Span;
  readonly callee: Span;
  readonly given: readonly (Expression | SpreadElement)[];
  readonly by: 'new' | 'super';
}

interface Known {
  readonly calls: ReadonlyMap<number, Made>;
  /** What a name stands for that is declared once in the file. */
  readonly names: ReadonlyMap<string, Expression>;
  /** Names of our own classes: their `merge` is ours. */
  readonly classes: ReadonlySet<string>;
}

type Walked = Expression | Super | SpreadElement | Pattern | null | undefined;

/** Finds places in one file, which holds JavaScript by now: types are spaces. */
export interface ProgramPlaces {
  /**
   * The place of what a pointer into the props leads to, in the call that begins at this offset; `''` is the whole call.
   * `props`: what the document has. undefined where no call begins there.
   */
  readonly find: (offset: number, pointer: string, props?: Json) => Place | undefined;
  /** How a construct is made by the call that begins at this offset; undefined where none begins there. */
  readonly made: (offset: number) => Made['by'] | undefined;
  /** Where the name of the construct is written. */
  readonly name: (offset: number) => Place | undefined;
}

export function programPlaces(text: string): ProgramPlaces {
  let known: Known | undefined;
  const madeAt = (offset: number): Made | undefined => {
    known ??= knownIn(text);
    return known.calls.get(offset);
  };
  return {
    made: (offset) => madeAt(offset)?.by,
    name: (offset) => {
      const written = madeAt(offset)?.given[1];
      return written === undefined ? undefined : { value: spanOf(written) };
    },
    find: (offset, pointer, wanted) => {
      const made = madeAt(offset);
      if (made === undefined || known === undefined) return undefined;
      const call = { value: made.callee };
      const given = made.given[2];
      if (pointer === '' || given === undefined) return call;
      const tokens = pointer.split('/').slice(1).map(unescapePointer);
      return locate(given, { tokens, wanted, scope: { ...known, bound: new Map() }, hops: 0 })?.place ?? call;
    },
  };
}

interface Found {
  readonly place: Place;
  /** The value that is written there is that of the document. */
  readonly isSure: boolean;
}

interface Scope extends Pick<Known, 'names' | 'classes'> {
  /** What the parameters of the function stand for that is looked into. */
  readonly bound: ReadonlyMap<string, Walked>;
}

interface Search {
  readonly tokens: readonly string[];
  /** What the document has where `tokens` begin; undefined: nothing. */
  readonly wanted: Json | undefined;
  readonly scope: Scope;
  readonly hops: number;
}

/** How far names and functions are followed into each other. */
const MAX_HOPS = 16;

/** undefined: what stands there says something else, or nothing. */
function locate(node: Walked, search: Search): Found | undefined {
  const { tokens, wanted, scope, hops } = search;
  if (node === null || node === undefined) return undefined;
  const itself: Found = { place: { value: spanOf(node) }, isSure: false };
  const [token, ...rest] = tokens;
  if (hops > MAX_HOPS) return itself;
  if (token === undefined) {
    const value = valueOf(node, scope);
    return value === undefined
      ? { ...itself, isSure: isMade(node) }
      : value.is === wanted
        ? { ...itself, isSure: true }
        : undefined;
  }
  const into = (one: Walked, bound = scope.bound): Found | undefined =>
    locate(one, { ...search, scope: { ...scope, bound }, hops: hops + 1 });
  // The first that is sure; else the first that may be it.
  const best = (options: readonly Walked[]): Found | undefined => {
    const found = options.map((option) => into(option));
    return found.find((one) => one?.isSure) ?? found.find((one) => one !== undefined);
  };
  switch (node.type) {
    case 'ObjectExpression':
      return inObject(node, token, { ...search, tokens: rest });
    case 'ArrayExpression':
      return inArray(node, Number(token), { ...search, tokens: rest });
    case 'CallExpression': {
      const { callee } = node;
      // What is merged last beats what is merged before it.
      if (
        callee.type === 'MemberExpression' &&
        callee.object.type === 'Identifier' &&
        scope.classes.has(callee.object.name) &&
        callee.property.type === 'Identifier' &&
        callee.property.name === 'merge'
      )
        return best([...node.arguments].reverse());
      const called = callee.type === 'Identifier' ? scope.names.get(callee.name) : undefined;
      if (called?.type !== 'ArrowFunctionExpression' && called?.type !== 'FunctionExpression') return itself;
      const found = returnsOf(called).map((one) => into(one, boundIn(called, node.arguments, scope)));
      return found.find((one) => one?.isSure) ?? found.find((one) => one !== undefined);
    }
    case 'Identifier': {
      const meant = scope.bound.get(node.name) ?? scope.names.get(node.name);
      if (node.name === 'undefined') return undefined;
      return meant === undefined ? itself : into(meant);
    }
    case 'ConditionalExpression':
      return best([node.consequent, node.alternate]);
    case 'LogicalExpression':
      return best([node.right, node.left]);
    case 'ParenthesizedExpression':
      return into(node.expression);
    case 'Literal':
      return undefined;
    default:
      return itself;
  }
}

/** What is written later beats what is written before it, spreads too. */
function inObject({ properties }: ObjectExpression, token: string, search: Search): Found | undefined {
  const { wanted, hops } = search;
  const below = isJsonObject(wanted) && Object.hasOwn(wanted, token) ? wanted[token] : undefined;
  const found = [...properties].reverse().map((one): Found | undefined => {
    if (one.type === 'SpreadElement')
      return locate(one.argument, { ...search, tokens: [token, ...search.tokens], hops: hops + 1 });
    if (!isNamed(one, token)) return undefined;
    const inside = locate(one.value, { ...search, wanted: below });
    if (inside === undefined) {
      // A field that it lacks, in the right mapping: the mapping is the place.
      const isThere = search.tokens.length > 0 && one.value.type === 'ObjectExpression';
      return isThere ? { place: placeOf(one), isSure: false } : undefined;
    }
    return inside.place.key === undefined && inside.place.value.join() === spanOf(one.value).join()
      ? { ...inside, place: placeOf(one) }
      : inside;
  });
  return found.find((one) => one?.isSure) ?? found.find((one) => one !== undefined);
}

/** The item at the index, or one that could be the document's: lists merge by name, and spreads move what follows. */
function inArray({ elements }: ArrayExpression, index: number, search: Search): Found | undefined {
  const { wanted, scope } = search;
  const item = Array.isArray(wanted) ? (wanted as readonly Json[])[index] : undefined;
  const inside = (element: Walked): Found | undefined => locate(element, { ...search, wanted: item });
  const isMoved = elements.slice(0, index + 1).some((one) => one?.type === 'SpreadElement');
  const first = isMoved ? undefined : elements[index];
  const others = elements.filter((one) => one !== null && one !== first && one.type !== 'SpreadElement');
  const fitting = [first, ...others].filter(
    (one): one is Expression => Boolean(one) && fits(one as Expression, item, scope),
  );
  const found = fitting.map(inside);
  const sure = found.find((one) => one?.isSure);
  if (sure !== undefined) return sure;
  const spread = elements.map((one) =>
    one?.type === 'SpreadElement'
      ? locate(one.argument, { ...search, tokens: [String(index), ...search.tokens] })
      : undefined,
  );
  return (
    spread.find((one) => one?.isSure) ??
    found.find((one) => one !== undefined) ??
    spread.find((one) => one !== undefined)
  );
}

/** True where nothing that is written in an item is something else in the document. */
function fits(node: Expression | SpreadElement, item: Json | undefined, scope: Scope): boolean {
  const value = valueOf(node, scope);
  if (value !== undefined) return value.is === item;
  if (node.type !== 'ObjectExpression') return true;
  return (
    isJsonObject(item) &&
    node.properties.every((one) => {
      if (one.type !== 'Property' || one.computed) return true;
      const [key, written] = [nameOf(one), valueOf(one.value, scope)];
      return written === undefined || (key !== undefined && Object.hasOwn(item, key) && item[key] === written.is);
    })
  );
}

/** A single value that is written in the text; undefined for what is worked out when the program runs. */
function valueOf(node: Walked, scope: Scope, hops = 0): { readonly is: Json } | undefined {
  if (node === null || node === undefined || hops > MAX_HOPS) return undefined;
  if (node.type === 'Literal') {
    const { value } = node;
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value === null
      ? { is: value }
      : undefined;
  }
  if (node.type === 'Identifier')
    return valueOf(scope.bound.get(node.name) ?? scope.names.get(node.name), scope, hops + 1);
  if (node.type === 'ParenthesizedExpression') return valueOf(node.expression, scope, hops + 1);
  if (node.type === 'UnaryExpression' && node.operator === '-') {
    const value = valueOf(node.argument, scope, hops + 1);
    return typeof value?.is === 'number' ? { is: -value.is } : undefined;
  }
  return undefined;
}

/** A mapping or list: what is in it is looked at by itself. */
function isMade({ type }: Exclude<Walked, null | undefined>): boolean {
  return type === 'ObjectExpression' || type === 'ArrayExpression';
}

function returnsOf({ body }: Function | Extract<Expression, { type: 'ArrowFunctionExpression' }>): readonly Walked[] {
  if (body.type !== 'BlockStatement') return [body];
  return body.body.flatMap((one) => (one.type === 'ReturnStatement' ? [one.argument] : []));
}

/** What a function is given, by the names of its parameters. */
function boundIn(
  { params }: Pick<Function, 'params'>,
  given: readonly (Expression | SpreadElement)[],
  { bound }: Scope,
): ReadonlyMap<string, Walked> {
  const own = params.flatMap((param, index): readonly (readonly [string, Walked])[] => {
    const name = param.type === 'AssignmentPattern' ? param.left : param;
    const value = given[index] ?? (param.type === 'AssignmentPattern' ? param.right : undefined);
    if (name.type !== 'Identifier' || value === undefined || value.type === 'SpreadElement') return [];
    // A parameter of the function around it stands for what that one was given.
    return [[name.name, value.type === 'Identifier' ? (bound.get(value.name) ?? value) : value]];
  });
  return new Map([...bound, ...own]);
}

function placeOf(property: Property): Place {
  return { key: spanOf(property.key), value: spanOf(property.value) };
}

function isNamed(property: Property, name: string): boolean {
  return !property.computed && nameOf(property) === name;
}

function nameOf({ key }: Property): string | undefined {
  return key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : undefined;
}

/** Every call in a text that may make a construct; none where it cannot be parsed. */
function knownIn(text: string): Known {
  const calls = new Map<number, Made>();
  const names = new Map<string, Expression>();
  const twice = new Set<string>();
  const classes = new Set<string>();
  let program: Program;
  try {
    program = parse(text, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true });
  } catch {
    return { calls, names, classes };
  }
  for (const one of program.body)
    if (one.type === 'ImportDeclaration' && one.source.value === 'hostwright/constructs')
      for (const { local } of one.specifiers) classes.add(local.name);
  const left: unknown[] = [program];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    const one = node as Expression;
    if (one.type === 'NewExpression') {
      const { start, end, callee, arguments: given } = one;
      calls.set(start, { span: [start, end], callee: [start, callee.end], given, by: 'new' });
    } else if (one.type === 'CallExpression' && one.callee.type === 'Super') {
      const { start, end, callee, arguments: given } = one;
      calls.set(start, { span: [start, end], callee: [start, callee.end], given, by: 'super' });
    }
    noteName(node as Declared, names, twice);
    for (const below of Object.values(node)) if (typeof below === 'object' && below !== null) left.push(below);
  }
  for (const name of twice) names.delete(name);
  return { calls, names, classes };
}

interface Declared {
  readonly type?: string;
  readonly id?: { readonly type: string; readonly name?: string } | null;
  readonly init?: Expression | null;
  readonly body?: unknown;
  readonly start: number;
  readonly end: number;
}

/** A name that is declared in two places stands for neither. */
function noteName(node: Declared, names: Map<string, Expression>, twice: Set<string>): void {
  const name = node.id?.type === 'Identifier' ? node.id.name : undefined;
  if (name === undefined) return;
  const value =
    node.type === 'VariableDeclarator'
      ? node.init
      : node.type === 'FunctionDeclaration'
        ? ({ ...node, type: 'ArrowFunctionExpression' } as unknown as Expression)
        : undefined;
  if (names.has(name)) twice.add(name);
  if (value) names.set(name, value);
}

function spanOf({ start, end }: { readonly start: number; readonly end: number }): Span {
  return [start, end];
}
