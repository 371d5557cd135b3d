// How the chunks that esbuild splits the program into become packs: classic scripts, of which V8 can keep the compiled
// code between runs (it cannot for ES modules on Node.js 20), and few of them, because each costs a read and a look-up:
// with a file for each chunk `validate` of one file takes 8 % more CPU (docs/design/speed.md).
//
// A chunk is a function in its pack. What it imports from another chunk it takes as constants, so that code runs as fast
// as in an ES module; that is right because chunks do not import each other in circles and assign to nothing that they
// export, and both are checked.
import { basename } from 'node:path';
import { parse } from 'acorn';
import type { AnyNode, Program } from 'acorn';
import type { Metafile } from 'esbuild';

export interface Chunk {
  /** Its file name without the ending: `run-ABCDEFGH`. */
  readonly name: string;
  readonly code: string;
  readonly map: string;
  /** Chunks that it cannot begin without. */
  readonly needs: readonly string[];
  /** The source file that it begins with, where `import()` leads to it. */
  readonly entry: string | undefined;
}

export interface Pack {
  readonly name: string;
  readonly chunks: readonly Chunk[];
}

/** The chunks of a build in ES modules. */
export function chunksOf(
  { outputs }: Metafile,
  files: readonly { readonly path: string; readonly text: string }[],
): readonly Chunk[] {
  const textOf = new Map(files.map(({ path, text }) => [basename(path), text]));
  return Object.entries(outputs)
    .filter(([path]) => path.endsWith('.js'))
    .map(([path, { imports, entryPoint }]) => ({
      name: nameOf(path),
      code: textOf.get(basename(path)) ?? '',
      map: textOf.get(`${basename(path)}.map`) ?? '',
      needs: imports
        .filter(({ kind, external }) => kind === 'import-statement' && external !== true)
        .map(({ path: to }) => nameOf(to)),
      entry: entryPoint,
    }));
}

/**
 * Deals the chunks out. Each layer names source files that are loaded together. The first gets whatever they need; of the
 * others, each gets what it alone needs beyond that, and what several need is a pack that is called `common`. What is left
 * is a pack for each chunk.
 */
export function packsOf(
  chunks: readonly Chunk[],
  layers: Readonly<Record<string, readonly string[]>>,
): readonly Pack[] {
  const byName = new Map(chunks.map((chunk) => [chunk.name, chunk]));
  /** What these files need, each after what it needs itself. */
  const neededBy = (layer: string, files: readonly string[]): ReadonlySet<Chunk> => {
    const found = new Set<Chunk>();
    const take = (chunk: Chunk): void => {
      if (found.has(chunk)) return;
      for (const need of chunk.needs) take(byName.get(need) as Chunk);
      found.add(chunk);
    };
    for (const file of files) {
      const chunk = chunks.find(({ entry }) => entry === file);
      if (chunk === undefined) throw new Error(`${file} of the layer ${layer} is not loaded by import()`);
      take(chunk);
    }
    return found;
  };
  const needed = Object.entries(layers).map(([name, files]) => ({ name, chunks: neededBy(name, files) }));
  const [first, ...others] = needed;
  const packOf = (chunk: Chunk): string => {
    if (first?.chunks.has(chunk) === true) return first.name;
    const [only, another] = others.filter((layer) => layer.chunks.has(chunk));
    return another === undefined ? (only?.name ?? chunk.name) : 'common';
  };
  const packs = new Map<string, Chunk[]>();
  for (const chunk of new Set([...needed.flatMap((layer) => [...layer.chunks]), ...chunks]))
    packs.set(packOf(chunk), [...(packs.get(packOf(chunk)) ?? []), chunk]);
  return [...packs].map(([name, held]) => ({ name, chunks: held }));
}

interface PackText {
  readonly code: string;
  /** In sections, one for each chunk. */
  readonly map: string;
  /** It can be read as latin1, which is much quicker than UTF-8. */
  readonly isAscii: boolean;
}

/** The text of a pack. */
export function packText({ name, chunks }: Pack): PackText {
  let code = '({\n';
  let line = 1;
  const sections: object[] = [];
  for (const chunk of chunks) {
    // The brackets tell V8 to compile the function at once: whoever loads a pack runs what is in it.
    const head = `${JSON.stringify(chunk.name)}: (function (exports, load, later, require, __filename) { "use strict";\n`;
    const body = classic(chunk.code);
    line += 1;
    sections.push({ offset: { line, column: 0 }, map: JSON.parse(chunk.map) as object });
    code += `${head}${body}\n}),\n`;
    line += body.split('\n').length + 1;
  }
  code += '})\n';
  code += `//# sourceMappingURL=${name}.js.map\n`;
  return { code, isAscii: !NOT_ASCII.test(code), map: JSON.stringify({ version: 3, file: `${name}.js`, sections }) };
}

const NOT_ASCII = /[\u0080-\uffff]/;

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** An ES module as the body of a function, each line where it was. */
export function classic(code: string): string {
  const edits: Edit[] = [];
  const program = parse(code, {
    ecmaVersion: 'latest',
    sourceType: 'module',
    // esbuild escapes what is not ASCII in texts and names.
    onComment: (_isBlock, text, start, end) => {
      if (NOT_ASCII.test(text))
        edits.push({ start, end, text: code.slice(start, end).replaceAll(new RegExp(NOT_ASCII, 'g'), '?') });
    },
  });
  const replace = ({ start, end }: AnyNode, text: string): void => {
    edits.push({ start, end, text: text + '\n'.repeat(code.slice(start, end).split('\n').length - 1) });
  };
  const exported = new Set<string>();
  for (const node of program.body) {
    if (node.type === 'ImportDeclaration') {
      replace(node, importText(String(node.source.value), node.specifiers));
    } else if (node.type === 'ExportNamedDeclaration' && node.declaration == null && node.source == null) {
      const names = node.specifiers.map(({ local, exported: as }) => [nameIn(local), nameIn(as)] as const);
      for (const [local] of names) exported.add(local);
      replace(node, names.map(([local, as]) => `exports.${as} = ${local};`).join(' '));
    } else if (/^Export/.test(node.type)) {
      throw new Error(`a chunk has ${node.type}, which no pack can hold`);
    }
  }
  walk(program, (node) => {
    if (node.type === 'ImportExpression') {
      const { source } = node;
      if (source.type !== 'Literal' || typeof source.value !== 'string') return;
      const to = source.value;
      replace(
        node,
        to.startsWith('./')
          ? `later(${JSON.stringify(nameOf(to))})`
          : `Promise.resolve(require(${JSON.stringify(to)}))`,
      );
    } else if (node.type === 'MetaProperty' && code.slice(node.start, node.end) === 'import.meta') {
      replace(node, '({ url: require("node:url").pathToFileURL(__filename).href })');
    } else if (
      node.type === 'AwaitExpression' &&
      program.body.some((one) => one.type === 'ExpressionStatement' && one.expression === node)
    ) {
      throw new Error('a chunk waits at its top level, which no pack can');
    }
    if (node.type === 'Literal' && 'regex' in node && NOT_ASCII.test(node.raw ?? ''))
      replace(node, escaped(node.raw ?? ''));
    const assigned =
      node.type === 'AssignmentExpression' ? node.left : node.type === 'UpdateExpression' ? node.argument : undefined;
    if (assigned?.type === 'Identifier' && exported.has(assigned.name))
      throw new Error(`a chunk assigns to ${assigned.name}, which it exports: others would not see the new value`);
  });
  let text = '';
  let at = 0;
  for (const edit of edits.sort((left, right) => left.start - right.start)) {
    text += code.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return (text + code.slice(at)).replace(/^\/\/# sourceMappingURL=.*$/m, '').trimEnd();
}

/** A regular expression in ASCII. */
function escaped(raw: string): string {
  const isUnicode = /[uv]/.test(raw.slice(raw.lastIndexOf('/')));
  return (isUnicode ? [...raw] : raw.split(''))
    .map((char) => (NOT_ASCII.test(char) ? `\\u${isUnicode ? `{${hex(char)}}` : hex(char).padStart(4, '0')}` : char))
    .join('');
}

function hex(char: string): string {
  return (char.codePointAt(0) ?? 0).toString(16);
}

type Specifiers = Extract<Program['body'][number], { type: 'ImportDeclaration' }>['specifiers'];

function importText(from: string, specifiers: Specifiers): string {
  const module = from.startsWith('./') ? `load(${JSON.stringify(nameOf(from))})` : `require(${JSON.stringify(from)})`;
  if (specifiers.length === 0) return `${module};`;
  const named = specifiers.flatMap((one) =>
    one.type === 'ImportSpecifier' ? [`${nameIn(one.imported)}: ${one.local.name}`] : [],
  );
  const whole = specifiers.flatMap((one) => (one.type === 'ImportSpecifier' ? [] : [`${one.local.name} = ${module}`]));
  return `const ${[...whole, ...(named.length > 0 ? [`{ ${named.join(', ')} } = ${module}`] : [])].join(', ')};`;
}

function nameIn(node: { readonly type: string; readonly name?: string; readonly value?: unknown }): string {
  if (node.type !== 'Identifier' || node.name === undefined) throw new Error('a chunk exports a name in quotes');
  return node.name;
}

function walk(node: AnyNode, look: (node: AnyNode) => void): void {
  look(node);
  for (const value of Object.values(node) as readonly unknown[]) {
    for (const child of Array.isArray(value) ? (value as readonly unknown[]) : [value])
      if (typeof child === 'object' && child !== null && 'type' in child && 'start' in child)
        walk(child as AnyNode, look);
  }
}

function nameOf(path: string): string {
  return basename(path).replace(/\.js$/, '');
}
