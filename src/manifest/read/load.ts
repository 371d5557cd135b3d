// Which files are read for the paths that a user names, and turns their bytes into text. The only reader of files here.
import { closeSync, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { compareText } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from './codes.ts';
import type { ReadText } from './decode.ts';
import { decode } from './decode.ts';
import type { ParsedDocument } from './parse.ts';
import type { SourceText } from './source-text.ts';
import { quote } from '../format.ts';

export interface LoadOptions {
  /** What relative paths are seen from. */
  readonly cwd: string;
  /** The workspace's folder: links inside it may not lead out of it. */
  readonly root: string;
  readonly stdin?: () => Promise<Uint8Array>;
  /**
   * Absolute folders where credentials are written to: what is in them is read only where a file is named by its own
   * path.
   */
  readonly unread?: readonly string[];
  /** A path may lead to nothing: whoever asks is about to write the first manifest. */
  readonly mayBeEmpty?: true;
}

export interface LoadedText {
  readonly source: SourceText;
  /** Absolute, links followed; absent for standard input. */
  readonly file?: string;
  /** Named by its own path: everything in it has to be a manifest. */
  readonly named: boolean;
  /** Several workspaces read it: it may hold profiles and contacts only. */
  readonly isShared?: true;
  /** What a program declares; absent for a file that is parsed. */
  readonly documents?: readonly ParsedDocument[];
}

export interface Loaded {
  readonly texts: readonly LoadedText[];
  readonly diagnostics: readonly Diagnostic[];
}

export const WORKSPACE_FILE = 'hostwright.yaml';
/** 10,000 manifests fit; what is larger was not written by people. */
const MAX_BYTES = 16 * 1024 * 1024;
const READ_AT_ONCE = 16;
const SKIPPED = ['**/node_modules/**', '**/.git/**', '**/.hostwright/**', `**/${WORKSPACE_FILE}`];

interface Wanted {
  readonly shown: string;
  /** Absolute; undefined for standard input. */
  readonly file: string | undefined;
  readonly named: boolean;
}

interface Found {
  readonly wanted: readonly Wanted[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads what files, folders, globs and `-` name, each file once; a glob that starts with `!` leaves files out. */
export async function loadTexts(paths: readonly string[], options: LoadOptions): Promise<Loaded> {
  const realRoot = await realpath(options.root).catch(() => options.root);
  const excluded = await excludedBy(paths, options.cwd);
  const wanted: Wanted[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const name of paths.filter((item) => !item.startsWith('!'))) {
    const found = await resolvePath(name, excluded, realRoot, options);
    wanted.push(
      ...found.wanted.filter(
        ({ file, named }) =>
          named || file === undefined || !(options.unread ?? []).some((place) => isInside(place, file)),
      ),
    );
    diagnostics.push(
      ...(options.mayBeEmpty === true ? found.diagnostics.filter(({ code }) => code !== 'HW1002') : found.diagnostics),
    );
  }
  const real = wanted.map(({ file }) => (file === undefined ? '-' : realNow(file)));
  const once = new Map<string, Wanted>();
  for (const [index, item] of wanted.entries()) {
    const key = real[index] as string;
    // A file that is named by its own path stays named when a folder holds it as well.
    if (!once.has(key) || (item.named && once.get(key)?.named === false)) once.set(key, item);
  }
  const read = await inBatches([...once], ([key, item]) => readWanted(item, key, realRoot, options));
  const texts: LoadedText[] = [];
  const files = [...once.keys()];
  for (const [index, { source, diagnostic, named }] of read.entries()) {
    const file = files[index] as string;
    if (source !== undefined) texts.push({ source, named, ...(file !== '-' && { file }) });
    if (diagnostic !== undefined) diagnostics.push(diagnostic);
  }
  return { texts, diagnostics };
}

/** One file as text, or what stands in the way. */
export async function loadText(shown: string, file: string, isRegular = isFile(file)): Promise<ReadText> {
  try {
    // Of a thousand small files, reading is the smallest part of what asynchronous reading takes.
    const bytes = isRegular ? readNow(file) : await readPieces(file);
    return bytes === undefined ? { diagnostic: tooLarge(shown) } : decode(shown, bytes);
  } catch (error) {
    return { diagnostic: diagnose('HW1001', { what: `The file ${quote(shown)} cannot be read: ${reasonOf(error)}.` }) };
  }
}

/** The nearest file of this name in a folder or above it. */
export async function findUpward(folder: string, name: string): Promise<string | undefined> {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    const file = path.join(at, name);
    const found = await stat(file).catch(() => undefined);
    if (found?.isFile() === true) return file;
    if (at === path.dirname(at)) return undefined;
  }
}

/** The top folder of the Git repository that a folder is in; Git itself is not asked. */
export async function repositoryOf(folder: string): Promise<string | undefined> {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    const found = await stat(path.join(at, '.git')).catch(() => undefined);
    if (found !== undefined) return at;
    if (at === path.dirname(at)) return undefined;
  }
}

/** True when a path stays in a folder, links followed as far as the path exists. */
export async function staysInside(folder: string, target: string): Promise<boolean> {
  if (!isInside(folder, path.resolve(folder, target))) return false;
  const realFolder = await realpath(folder).catch(() => folder);
  for (let at = path.resolve(folder, target); isInside(folder, at); at = path.dirname(at)) {
    const real = await realpath(at).catch(() => undefined);
    if (real !== undefined) return isInside(realFolder, real);
  }
  return true;
}

async function resolvePath(
  name: string,
  excluded: ReadonlySet<string>,
  realRoot: string,
  { cwd, stdin, mayBeEmpty }: LoadOptions,
): Promise<Found> {
  if (name === '-') {
    if (stdin !== undefined) return { wanted: [{ shown: '-', file: undefined, named: true }], diagnostics: [] };
    return {
      wanted: [],
      diagnostics: [diagnose('HW1009', { what: '`-` was named, but nothing can be read from standard input here.' })],
    };
  }
  const absolute = path.resolve(cwd, name);
  const found = await stat(absolute).catch((error: unknown) => error as NodeJS.ErrnoException);
  if (!(found instanceof Error)) {
    return found.isDirectory()
      ? scanFolder(name, absolute, excluded, realRoot)
      : { wanted: [{ shown: name, file: absolute, named: true }], diagnostics: [] };
  }
  if (isDynamicPattern(name) && !name.includes('\0')) return scanGlob(name, cwd, excluded, realRoot);
  if (mayBeEmpty === true && found.code === 'ENOENT') return { wanted: [], diagnostics: [] };
  return {
    wanted: [],
    diagnostics: [diagnose('HW1001', { what: `${quote(name)} cannot be read: ${reasonOf(found)}.` })],
  };
}

async function scanFolder(
  name: string,
  folder: string,
  excluded: ReadonlySet<string>,
  realRoot: string,
): Promise<Found> {
  const found = await scan('**/*.{yaml,yml,json}', folder, realRoot, (file) =>
    path.join(name, path.relative(folder, file)),
  );
  return choose(found, excluded, `The folder ${quote(name)} holds no .yaml, .yml or .json file.`);
}

async function scanGlob(name: string, cwd: string, excluded: ReadonlySet<string>, realRoot: string): Promise<Found> {
  const found = await scan(name, cwd, realRoot, (file) => (path.isAbsolute(name) ? file : path.relative(cwd, file)));
  return choose(found, excluded, `Nothing matches ${quote(name)}.`);
}

function choose({ wanted, diagnostics }: Found, excluded: ReadonlySet<string>, nothing: string): Found {
  const left = wanted.filter(({ file }) => !excluded.has(file as string));
  return {
    wanted: left,
    diagnostics: left.length + diagnostics.length > 0 ? diagnostics : [diagnose('HW1002', { what: nothing })],
  };
}

/** Hidden folders are passed over. Links are followed inside the workspace only; what cannot be looked into is told. */
async function scan(pattern: string, cwd: string, realRoot: string, show: (file: string) => string): Promise<Found> {
  const diagnostics: Diagnostic[] = [];
  // Whether a link to another folder holds manifests is not looked at; one that is named like a manifest was meant as
  // one.
  const tell = (link: string, diagnostic: Diagnostic) => {
    if (/\.(ya?ml|json)$/.test(link)) diagnostics.push(diagnostic);
  };
  const files = await globFiles([pattern], cwd, SKIPPED, {
    realpath: async (link) => {
      const real = await realpath(link).catch((error: unknown) => {
        tell(
          link,
          diagnose('HW1001', { what: `The link ${quote(show(link))} cannot be followed: ${reasonOf(error)}.` }),
        );
        throw error;
      });
      if (isInside(realRoot, real) || !isInside(realRoot, cwd)) return real;
      tell(link, outwardLink(show(link)));
      throw new Error('a link out of the workspace');
    },
    readdir: async (folder, options) =>
      readdir(folder, options).catch((error: unknown) => {
        const reason = reasonOf(error);
        if (reason !== reasonOf({ code: 'ENOENT' }))
          diagnostics.push(
            diagnose('HW1001', { what: `The folder ${quote(show(folder))} cannot be read: ${reason}.` }),
          );
        throw error;
      }),
  });
  // The patterns to skip do not reach above the folder that a glob starts from.
  const ours = files.filter((file) => path.basename(file) !== WORKSPACE_FILE);
  return { wanted: ours.sort(compareText).map((file) => ({ shown: show(file), file, named: false })), diagnostics };
}

async function excludedBy(paths: readonly string[], cwd: string): Promise<ReadonlySet<string>> {
  const patterns = paths.filter((name) => name.startsWith('!')).map((name) => name.slice(1));
  return new Set(patterns.length === 0 ? [] : await globFiles(patterns, cwd, [], {}));
}

interface Looking {
  readonly realpath?: (file: string) => Promise<string>;
  readonly readdir?: (folder: string, options: { readonly withFileTypes: true }) => Promise<readonly unknown[]>;
}

/** Absolute paths. A pattern that cannot be read matches nothing. */
async function globFiles(
  patterns: readonly string[],
  cwd: string,
  ignore: readonly string[],
  looking: Looking,
): Promise<readonly string[]> {
  const fs = Object.fromEntries(
    Object.entries(looking).map(([name, look]) => [
      name,
      withCallback(look as (...given: unknown[]) => Promise<unknown>),
    ]),
  );
  return glob([...patterns], { cwd, ignore: [...ignore], absolute: true, expandDirectories: false, fs }).catch(
    () => [],
  );
}

/** A function of promises in the older form that the glob library calls. */
function withCallback(look: (...given: unknown[]) => Promise<unknown>): (...given: unknown[]) => void {
  return (...given) => {
    const done = given.pop() as (error: unknown, result?: unknown) => void;
    look(...given).then((result) => done(null, result), done);
  };
}

function outwardLink(shown: string): Diagnostic {
  return diagnose('HW1005', { what: `${quote(shown)} is reached by a link that leads out of the workspace.` });
}

async function readWanted(
  { shown, file, named }: Wanted,
  real: string,
  realRoot: string,
  { root, stdin }: LoadOptions,
) {
  if (file === undefined) return { ...(await readInput(stdin)), named };
  const insideByName = isInside(path.resolve(root), file) || isInside(realRoot, file);
  if (insideByName && !isInside(realRoot, real)) {
    return { diagnostic: outwardLink(shown), named };
  }
  // A link in a folder may lead to another folder or a device: only files are read unless the user named it.
  const isRegular = isFile(file);
  if (!named && !isRegular) return { named };
  return { ...(await loadText(shown, file, isRegular)), named };
}

/** A few at a time: thousands of open files are too many for most systems. */
async function inBatches<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += READ_AT_ONCE)
    results.push(...(await Promise.all(items.slice(at, at + READ_AT_ONCE).map(work))));
  return results;
}

async function readInput(stdin: LoadOptions['stdin']): Promise<ReadText> {
  try {
    const bytes = await stdin?.();
    if (bytes === undefined) return {};
    return bytes.byteLength > MAX_BYTES ? { diagnostic: tooLarge('-') } : decode('-', bytes);
  } catch (error) {
    return { diagnostic: diagnose('HW1009', { what: `Standard input cannot be read: ${reasonOf(error)}.` }) };
  }
}

function realNow(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    return file;
  }
}

/** Undefined when there is too much. */
function readNow(file: string): Uint8Array | undefined {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    if (size > MAX_BYTES) return undefined;
    const pieces: Uint8Array[] = [];
    for (let total = 0; ;) {
      // A file may have grown since it was asked for its size.
      const buffer = Buffer.allocUnsafe(Math.max(size - total, 0) + 1);
      const read = readSync(descriptor, buffer);
      total += read;
      if (total > MAX_BYTES) return undefined;
      pieces.push(buffer.subarray(0, read));
      if (read === 0 || read < buffer.length) return pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Reads in pieces, because a pipe has no size, and waits elsewhere, because its writer may take long. */
async function readPieces(file: string): Promise<Uint8Array | undefined> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    if (size > MAX_BYTES) return undefined;
    const pieces: Uint8Array[] = [];
    let total = 0;
    for (;;) {
      const buffer = new Uint8Array(Math.max(Math.min(size - total, MAX_BYTES), 0) + 4096);
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) return Buffer.concat(pieces);
      total += bytesRead;
      if (total > MAX_BYTES) return undefined;
      pieces.push(buffer.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}

function tooLarge(shown: string): Diagnostic {
  return diagnose('HW1003', { what: `${quote(shown)} is larger than ${MAX_BYTES / 1024 / 1024} MiB.` });
}

function isFile(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** True when a path is a folder or in it, by their names alone. */
export function isInside(folder: string, file: string): boolean {
  // Nearly all files are, as they are written; the way from one to the other takes long to work out.
  if (folder !== '' && file.startsWith(`${folder}${path.sep}`) && !file.includes('..')) return true;
  const relative = path.relative(folder, file);
  return relative === '' || (!relative.startsWith(`..${path.sep}`) && relative !== '..' && !path.isAbsolute(relative));
}

/** True when a file of this name is run and not parsed. */
export function isProgram(name: string): boolean {
  return /\.m?[jt]s$/.test(name);
}

/** The system's reason in words, without the path: it is in the message already. */
export function reasonOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  const known: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file or folder',
    EACCES: 'permission denied',
    EPERM: 'not permitted',
    EISDIR: 'it is a folder',
    ENOTDIR: 'a part of the path is not a folder',
    ELOOP: 'its links go round in a circle',
    EMFILE: 'too many files are open',
    ENAMETOOLONG: 'the name is too long',
  };
  return known[code] ?? (code || 'the system gives no reason');
}
