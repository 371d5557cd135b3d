// Where in a program a value of a manifest stands. The text is parsed once somebody asks, and only what is written as a
// literal is followed; for everything else the place is the nearest thing around it that is known.
import type { Expression, ObjectExpression, Program, Property, SpreadElement, Super } from 'acorn';
import { parse } from 'acorn';
import { unescapePointer } from '../../model/json.ts';
import type { Place } from '../read/yaml-values.ts';
import type { Span } from '../read/source-text.ts';

/** A call that makes a construct, and what it is given. */
interface Made {
  readonly span: Span;
  readonly callee: Span;
  readonly given: readonly (Expression | SpreadElement)[];
}

interface Known {
  readonly calls: ReadonlyMap<number, Made>;
  /** What a name stands for that is declared once in the file. */
  readonly names: ReadonlyMap<string, Expression>;
}

type Walked = Expression | Super | SpreadElement | Property | null | undefined;

/** Finds places in one file, which holds JavaScript by now: types are spaces. */
export interface ProgramPlaces {
  /**
   * The place of what a pointer into the props leads to, in the call that begins at this offset; `''` is the whole call.
   * undefined where no call begins there.
   */
  readonly find: (offset: number, pointer: string) => Place | undefined;
  /** Where the name of the construct is written. */
  readonly name: (offset: number) => Place | undefined;
}

export function programPlaces(text: string): ProgramPlaces {
  let known: Known | undefined;
  const look = (offset: number): { readonly made: Made; readonly names: Known['names'] } | undefined => {
    known ??= knownIn(text);
    const made = known.calls.get(offset);
    return made === undefined ? undefined : { made, names: known.names };
  };
  return {
    name: (offset) => {
      const written = look(offset)?.made.given[1];
      return written === undefined ? undefined : { value: spanOf(written) };
    },
    find: (offset, pointer) => {
      const found = look(offset);
      if (found === undefined) return undefined;
      const { made, names } = found;
      const call = { value: made.callee };
      const props = made.given[2];
      if (pointer === '' || props === undefined) return call;
      const tokens = pointer.split('/').slice(1).map(unescapePointer);
      const { place, depth } = descend(props, tokens, names, 0);
      return depth === 0 ? call : place;
    },
  };
}

interface Found {
  readonly place: Place;
  /** How many parts of the pointer were followed. */
  readonly depth: number;
}

/** How far names and functions are followed into each other. */
const MAX_HOPS = 16;

function descend(node: Walked, tokens: readonly string[], names: Known['names'], hops: number): Found {
  const here: Found = { place: { value: node ? spanOf(node) : [0, 0] }, depth: 0 };
  const [token, ...rest] = tokens;
  if (node === null || node === undefined || token === undefined || hops > MAX_HOPS) return here;
  const best = (options: readonly Walked[]): Found =>
    options.reduce<Found>((found, option) => {
      const other = descend(option, tokens, names, hops + 1);
      return other.depth > found.depth ? other : found;
    }, here);
  switch (node.type) {
    case 'ObjectExpression': {
      const property = lastProperty(node, token);
      if (property !== undefined) {
        const below = descend(property.value, rest, names, hops);
        const place = below.depth === 0 ? { key: spanOf(property.key), value: spanOf(property.value) } : below.place;
        return { place, depth: below.depth + 1 };
      }
      return best(node.properties.flatMap((one) => (one.type === 'SpreadElement' ? [one.argument] : [])).reverse());
    }
    case 'ArrayExpression': {
      const index = Number(token);
      const item = node.elements[index];
      // Behind a spread nobody knows which item is which.
      if (!item || node.elements.slice(0, index + 1).some((one) => one?.type === 'SpreadElement')) return here;
      const below = descend(item, rest, names, hops);
      return { place: below.depth === 0 ? { value: spanOf(item) } : below.place, depth: below.depth + 1 };
    }
    case 'CallExpression': {
      const { callee } = node;
      // What is merged last beats what is merged before it.
      if (
        callee.type === 'MemberExpression' &&
        callee.property.type === 'Identifier' &&
        callee.property.name === 'merge'
      )
        return best([...node.arguments].reverse());
      return callee.type === 'Identifier' ? best([names.get(callee.name)]) : here;
    }
    case 'Identifier':
      return best([names.get(node.name)]);
    case 'ConditionalExpression':
      return best([node.consequent, node.alternate]);
    case 'LogicalExpression':
      return best([node.left, node.right]);
    case 'ArrowFunctionExpression':
      return node.body.type === 'BlockStatement'
        ? best(node.body.body.flatMap((one) => (one.type === 'ReturnStatement' ? [one.argument] : [])))
        : best([node.body]);
    case 'ParenthesizedExpression':
      return descend(node.expression, tokens, names, hops);
    default:
      return here;
  }
}

function lastProperty({ properties }: ObjectExpression, name: string): Property | undefined {
  return properties.findLast(
    (one): one is Property =>
      one.type === 'Property' &&
      !one.computed &&
      ((one.key.type === 'Identifier' && one.key.name === name) ||
        (one.key.type === 'Literal' && String(one.key.value) === name)),
  );
}

/** Every call in a text that may make a construct; none where it cannot be parsed. */
function knownIn(text: string): Known {
  const calls = new Map<number, Made>();
  const names = new Map<string, Expression>();
  const twice = new Set<string>();
  let program: Program;
  try {
    program = parse(text, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true });
  } catch {
    return { calls, names };
  }
  const left: unknown[] = [program];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    const one = node as Expression;
    if (one.type === 'NewExpression') {
      const { start, end, callee, arguments: given } = one;
      calls.set(start, { span: [start, end], callee: [start, callee.end], given });
    } else if (one.type === 'CallExpression' && one.callee.type === 'Super') {
      const { start, end, callee, arguments: given } = one;
      calls.set(start, { span: [start, end], callee: [start, callee.end], given });
    }
    noteName(node as Declared, names, twice);
    for (const below of Object.values(node)) if (typeof below === 'object' && below !== null) left.push(below);
  }
  for (const name of twice) names.delete(name);
  return { calls, names };
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
