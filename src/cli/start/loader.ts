// Loads the parts of the built program, and keeps what V8 made of them for the next run of the same command. What a pack
// and a chunk are: .ci/packs.ts. Without what is kept, `validate` of one file takes 1.4 times the CPU
// (docs/design/speed.md).
import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import type { CachedFile, CacheFolder } from './cache-folder.ts';

type Exports = Record<string, unknown>;
type Chunk = (
  exports: Exports,
  load: (chunk: string) => Exports,
  later: (chunk: string) => Promise<Exports>,
  require: NodeJS.Require,
  filename: string,
) => void;

/** The text of a pack, and what tells it from another of the same name. */
export interface Source {
  readonly text: string;
  readonly bytes: number;
  readonly changedMs: number;
}

/** What the build says of the packs. */
export interface Program {
  /** Which pack a chunk is in. */
  readonly packs: Readonly<Record<string, string>>;
  /** Packs that are not ASCII. */
  readonly wide: readonly string[];
  /** A hash of all packs. */
  readonly id: string;
}

export interface Loader {
  readonly load: (chunk: string) => Exports;
  /** Writes the compiled code down, where the run needed more than what was kept. */
  readonly keep: () => void;
}

export interface Surroundings {
  readonly cache: CacheFolder | undefined;
  readonly command: string;
  /** What V8 was told when the program had begun. */
  readonly flags: readonly string[];
  /** That of main.js: a start does not load `node:module` for one of its own. */
  readonly require: NodeJS.Require;
  /** Where packs are; absent: in files of the folder. */
  readonly read?: (name: string) => Source;
}

/** A pack that this run needed. */
interface Used {
  readonly script: vm.Script;
  readonly bytes: number;
  readonly changedMs: number;
}

/** A line of the file: a pack, and its state when the bytes were made. */
interface Line {
  readonly name: string;
  readonly bytes: number;
  readonly changedMs: number;
  readonly length: number;
}

interface Kept extends Omit<Line, 'length'> {
  /** Undefined where the bytes cannot be trusted. */
  readonly data: () => Buffer | undefined;
}

const MAGIC = 'hostwright code 2 ';
/** Digits of the length of the first half, beside a line break. */
const DIGITS = 8;

export function createLoader(
  folder: string,
  { packs, wide, id }: Program,
  { cache, command, flags, require, read }: Surroundings,
): Loader {
  const file = `code-${command}-${id}-${engine(flags)}`;
  const found = cache?.open(file);
  const kept = found === undefined ? [] : keptIn(found);
  const loaded = new Map<string, Exports>();
  const used = new Map<string, Used>();
  const parts = new Map<string, Readonly<Record<string, Chunk>>>();
  let isWhole = kept.length > 0;

  const open = (name: string): Readonly<Record<string, Chunk>> => {
    const filename = path.join(folder, `${name}.js`);
    const { text, bytes, changedMs } = read?.(name) ?? readPack(filename, wide.includes(name) ? 'utf8' : 'latin1');
    const before = kept.find((one) => one.name === name && one.bytes === bytes && one.changedMs === changedMs);
    const cachedData = before?.data();
    const script = new vm.Script(text, {
      filename,
      cachedData,
      importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    if (cachedData === undefined || script.cachedDataRejected === true) isWhole = false;
    used.set(name, { script, bytes, changedMs });
    return script.runInThisContext() as Readonly<Record<string, Chunk>>;
  };

  const load = (chunk: string): Exports => {
    const ready = loaded.get(chunk);
    if (ready !== undefined) return ready;
    const pack = packs[chunk] as string;
    let part = parts.get(pack);
    if (part === undefined) parts.set(pack, (part = open(pack)));
    const exports: Exports = {};
    (part[chunk] as Chunk)(exports, load, later, require, path.join(folder, `${pack}.js`));
    loaded.set(chunk, exports);
    return exports;
  };
  const later = (chunk: string): Promise<Exports> => new Promise((resolve) => resolve(load(chunk)));

  return {
    load,
    keep: () => {
      if (cache === undefined || isWhole) return;
      const others = kept.flatMap(({ data, ...state }) => {
        const bytes = used.has(state.name) ? undefined : data();
        return bytes === undefined ? [] : [{ ...state, data: bytes }];
      });
      const now = [...used].map(([name, { script, ...state }]) => ({
        name,
        ...state,
        data: script.createCachedData(),
      }));
      cache.write(file, written([...now, ...others]));
    },
  };
}

/** What else V8 asks about before it takes compiled code: its version, the processor, its flags. */
function engine(own: readonly string[]): string {
  const flags = [...process.execArgv, process.env.NODE_OPTIONS ?? '', ...own].join(' ');
  let hash = 0;
  for (let at = 0; at < flags.length; at += 1) hash = (Math.imul(hash, 31) + flags.charCodeAt(at)) | 0;
  return `${process.platform}-${process.arch}-${process.versions.v8}-${(hash >>> 0).toString(16)}`;
}

/** ASCII is read as latin1, which is much quicker than UTF-8. */
function readPack(filename: string, encoding: 'utf8' | 'latin1'): Source {
  const file = fs.openSync(filename, 'r');
  try {
    const { size: bytes, mtimeMs: changedMs } = fs.fstatSync(file);
    return { text: fs.readFileSync(file, encoding), bytes, changedMs };
  } finally {
    fs.closeSync(file);
  }
}

/**
 * Everything stands in the file twice, and both have to be the same: V8 does not notice a bit that has changed, and
 * comparing takes a tenth of the time of any checksum. First the lines, then the bytes of each, so that a run reads only
 * those of the packs that it needs.
 */
function written(packs: readonly (Omit<Line, 'length'> & { readonly data: Buffer })[]): readonly Uint8Array[] {
  const lines: readonly Line[] = packs.map(({ data, ...line }) => ({ ...line, length: data.length }));
  const head = Buffer.from(`${JSON.stringify(lines)}\n`);
  const magic = Buffer.from(`${MAGIC}${String(head.length).padStart(DIGITS, '0')}\n`);
  return [magic, head, head, ...packs.flatMap(({ data }) => [data, data])];
}

/** Nothing of a file that is cut off, damaged or written by another version. */
function keptIn(file: CachedFile): readonly Kept[] {
  const begin = MAGIC.length + DIGITS + 1;
  const [, length] = /^(\d+)\n$/.exec(startIn(file, begin)) ?? [];
  const head = length === undefined ? undefined : twice(file, begin, Number(length));
  if (head === undefined) return [];
  try {
    const lines = JSON.parse(head.toString('latin1')) as readonly Line[];
    let at = begin + head.length * 2;
    const kept = lines.map(({ length: of, ...line }) => {
      const from = at;
      at += of * 2;
      return { ...line, data: () => twice(file, from, of) };
    });
    return at === file.size ? kept : [];
  } catch {
    return [];
  }
}

function startIn(file: CachedFile, length: number): string {
  const start = file.part(0, length)?.toString('latin1') ?? '';
  return start.startsWith(MAGIC) ? start.slice(MAGIC.length) : '';
}

/** What stands there twice. */
function twice(file: CachedFile, at: number, length: number): Buffer | undefined {
  const both = file.part(at, length * 2);
  const first = both?.subarray(0, length);
  return first !== undefined && both?.subarray(length).equals(first) === true ? first : undefined;
}
