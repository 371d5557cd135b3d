// Configurations as text, laid out as `terraform fmt` has it.

/** What is not a value but names one: `local.ada`. */
export class Expression {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A value as it is written. Nulls are left out of objects. */
export type Written = null | boolean | number | string | Expression | readonly Written[] | Keyed | WrittenObject;
/** An object, by the names of its attributes. */
export interface WrittenObject {
  readonly [attribute: string]: Written;
}
/** An object with keys that may be any text. */
export class Keyed {
  readonly entries: Readonly<Record<string, Written>>;
  constructor(entries: Readonly<Record<string, Written>>) {
    this.entries = entries;
  }
}

export interface Block {
  /** On lines of their own above it. */
  readonly comments?: readonly string[];
  /** `resource "hostwright_site" "shop"` */
  readonly head: string;
  readonly body: WrittenObject;
  readonly blocks?: readonly Block[];
}

/** `equals`: a line that is an assignment as a whole; those below each other have their `=` below each other. */
type Line = string | { readonly name: string; readonly equals: string };

/** Longer comments are folded, and longer lists have a line for each item. */
const WIDTH = 100;

/** The text of blocks, one below the other. */
export function writeBlocks(blocks: readonly Block[]): string {
  return blocks.map((block) => `${aligned(linesOfBlock(block, '')).join('\n')}\n`).join('\n');
}

function linesOfBlock({ comments = [], head, body, blocks = [] }: Block, indent: string): readonly Line[] {
  const inside = `${indent}  `;
  return [
    ...comments.flatMap((text) => folded(text.replaceAll(CONTROLS, ' ')).map((line) => `${indent}# ${line}`)),
    `${indent}${head} {`,
    ...attributes(body, inside),
    ...blocks.flatMap((block) => linesOfBlock(block, inside)),
    `${indent}}`,
  ];
}

/** The words of a text in lines that are not too long. */
function folded(text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length > 0 && line.length <= WIDTH) lines[lines.length - 1] = line;
    else lines.push(word);
  }
  return lines;
}

function attributes(object: WrittenObject, indent: string): readonly Line[] {
  return Object.entries(object).flatMap(([name, value]) => assignment(name, value, indent));
}

function assignment(name: string, value: Written, indent: string): readonly Line[] {
  if (value === null) return [];
  const [first = '', ...rest] = linesOf(value, indent);
  return rest.length === 0
    ? [{ name: `${indent}${name}`, equals: `= ${textOf(first)}` }]
    : [`${indent}${name} = ${textOf(first)}`, ...rest];
}

/** The first line without its indent. */
function linesOf(value: Written, indent: string): readonly Line[] {
  const inside = `${indent}  `;
  if (value instanceof Expression) return [value.text];
  if (typeof value === 'string') return [quoted(value)];
  if (typeof value !== 'object' || value === null) return [JSON.stringify(value)];
  if (isList(value)) {
    const items = value.map((item) => linesOf(item, inside));
    const short = `[${items.map(([only = '']) => textOf(only)).join(', ')}]`;
    if (items.every(({ length }) => length === 1) && indent.length + short.length <= WIDTH) return [short];
    return ['[', ...items.flatMap((lines) => itemOf(lines, inside)), `${indent}]`];
  }
  const lines =
    value instanceof Keyed
      ? Object.entries(value.entries).flatMap(([key, item]) => assignment(quoted(key), item, inside))
      : attributes(value, inside);
  return lines.length === 0 ? ['{}'] : ['{', ...lines, `${indent}}`];
}

function isList(value: Written): value is readonly Written[] {
  return Array.isArray(value);
}

function itemOf(lines: readonly Line[], indent: string): readonly Line[] {
  const [first = '', ...rest] = lines;
  const last = rest.pop();
  if (last === undefined) return [`${indent}${textOf(first)},`];
  return [`${indent}${textOf(first)}`, ...rest, `${textOf(last)},`];
}

function textOf(line: Line): string {
  return typeof line === 'string' ? line : `${line.name} ${line.equals}`;
}

/** The lines with the `=` of those that follow each other in one column. */
function aligned(lines: readonly Line[]): readonly string[] {
  const texts: string[] = [];
  let chain: Exclude<Line, string>[] = [];
  const close = (): void => {
    const width = Math.max(...chain.map(({ name }) => columns(name)));
    for (const { name, equals } of chain) texts.push(`${name}${' '.repeat(width - columns(name) + 1)}${equals}`);
    chain = [];
  };
  for (const line of lines) {
    if (typeof line !== 'string') chain.push(line);
    else {
      close();
      texts.push(line);
    }
  }
  close();
  return texts;
}

const segments = new Intl.Segmenter('en');

/** One for each character that a person sees, as Terraform counts them. */
function columns(text: string): number {
  return /^[\x20-\x7e]*$/.test(text) ? text.length : [...segments.segment(text)].length;
}

/** What does not show, or changes how its surroundings show. */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A text in quotes. */
export function quoted(text: string): string {
  const inside = text
    .replaceAll(/["\\]/g, '\\$&')
    .replaceAll(/([$%])\{/g, '$1$1{')
    .replaceAll(CONTROLS, (char) => ESCAPES[char] ?? escapeOf(char.codePointAt(0) ?? 0));
  return `"${inside}"`;
}

function escapeOf(code: number): string {
  const hex = code.toString(16);
  return code > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
}

/** Names of blocks for texts: letters, digits and `_`, and no two alike. */
export function createLabels(): (text: string) => string {
  const taken = new Set<string>();
  return (text) => {
    const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll(/\W+/g, '_');
    const label = /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`;
    let name = label;
    for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${label}_${number}`;
    taken.add(name.toLowerCase());
    return name;
  };
}
