// Which files are read for the paths that a user names, and turns their bytes into text. The only reader of files here.
import type { Stats } from 'node:fs';
import { closeSync, fstatSync, lstatSync, openSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs';
import { open, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { compareText } from '../../model/address.ts';
import { API_VERSION } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose, hasErrors } from '../../model/diagnostic.ts';
import type { ReadText } from './decode.ts';
import { decode } from './decode.ts';
import type { ParsedDocument } from './parse.ts';
import type { SourceText } from './source-text.ts';
import { quote } from '../../model/format.ts';
import { isInside } from '../../system/paths.ts';

export { isInside } from '../../system/paths.ts';

export interface LoadOptions {
  /** What relative paths are seen from. */
  readonly cwd: string;
  /** The workspace's folder: links inside it may not lead out of it. */
  readonly root: string;
  readonly stdin?: () => Promise<Uint8Array>;
  /** Absolute places of secrets: what is in them is passed over, and refused where it is named by its own path. */
  readonly secret?: readonly string[];
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
  /** The user named other files, and this one of the workspace may hold a profile or a contact that those use. */
  readonly isContext?: true;
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
const AT_ONCE = 16;
/** What a folder is searched for, and a workspace that names nothing. */
export const ANY_MANIFEST = '**/*.{yaml,yml,json}';
const SKIPPED = ['**/node_modules/**', '**/.git/**', '**/.hostwright/**', `**/${WORKSPACE_FILE}`];

interface Wanted {
  readonly shown: string;
  /** Absolute; undefined for standard input. */
  readonly file: string | undefined;
  readonly named: boolean;
  /** Absolute, links followed: there where it is known that this is a file and no link. */
  readonly real?: string;
}

interface Found {
  readonly wanted: readonly Wanted[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads what files, folders, globs and `-` name, each file once; a glob that starts with `!` leaves files out. */
export async function loadTexts(paths: readonly string[], options: LoadOptions): Promise<Loaded> {
  const realRoot = realPathOf(options.root) ?? options.root;
  const root = path.resolve(options.root);
  const { secret = [] } = options;
  const realSecret = secret.map((place) => realPathOf(place) ?? place);
  const excluded = await excludedBy(paths, options.cwd);
  const wanted: Wanted[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const name of paths.filter((item) => !item.startsWith('!'))) {
    const found = await resolvePath(name, excluded, realRoot, options);
    for (const one of found.wanted) {
      const { file, shown, named: isNamed } = one;
      if (isNamed || file === undefined || !secret.some((place) => isInside(place, file))) wanted.push(one);
      else if (loadNow(shown, file).source?.text.includes(API_VERSION) === true)
        diagnostics.push(
          diagnose('HW1016', `${quote(shown)} reads like a manifest, lies in a place of secrets, and was passed over.`),
        );
    }
    diagnostics.push(
      ...(options.mayBeEmpty === true ? found.diagnostics.filter(({ code }) => code !== 'HW1002') : found.diagnostics),
    );
  }
  const once = new Map<string, Wanted>();
  for (const item of wanted) {
    const key = item.real ?? (item.file === undefined ? '-' : (realPathOf(item.file) ?? item.file));
    // A file that is named by its own path stays named when a folder holds it as well.
    if (!once.has(key) || (item.named && once.get(key)?.named === false)) once.set(key, item);
  }
  const read = await inBatches([...once], ([key, item]) =>
    readWanted(item, key, { ...options, root, realRoot, realSecret }),
  );
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
export async function loadText(shown: string, file: string): Promise<ReadText> {
  if (isFile(file)) return loadNow(shown, file);
  try {
    return asText(shown, await readPieces(file));
  } catch (error) {
    return unreadable(shown, error);
  }
}

/** The same for what is a file: of a thousand small ones, reading is the smallest part of what waiting for each takes. */
function loadNow(shown: string, file: string): ReadText {
  try {
    return asText(shown, readNow(file));
  } catch (error) {
    return unreadable(shown, error);
  }
}

function asText(shown: string, bytes: Uint8Array | undefined): ReadText {
  return bytes === undefined ? { diagnostic: tooLarge(shown) } : decode(shown, bytes);
}

function unreadable(shown: string, error: unknown): ReadText {
  return { diagnostic: diagnose('HW1001', `The file ${quote(shown)} cannot be read: ${reasonOf(error)}.`) };
}

/** True when nothing is at this path, not even a link that leads nowhere. */
export function isNothing(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) === undefined;
}

/** The nearest file of this name in a folder or above it. */
export function findUpward(folder: string, name: string): string | undefined {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    const file = path.join(at, name);
    if (isFile(file)) return file;
    if (at === path.dirname(at)) return undefined;
  }
}

/** The top folder of the Git repository that a folder is in; Git itself is not asked. */
export function repositoryOf(folder: string): string | undefined {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    if (!(statOf(path.join(at, '.git')) instanceof Error)) return at;
    if (at === path.dirname(at)) return undefined;
  }
}

/** True when a path stays in a folder, links followed as far as the path exists. */
export function staysInside(folder: string, target: string): Promise<boolean> {
  return Promise.resolve(staysInsideNow(folder, target));
}

/** A file as it is seen from a folder, with `/` between its parts. */
export function fromFolder(folder: string, file: string): string {
  return path.relative(folder, file).split(path.sep).join('/');
}

/** Without waiting: every command asks it of the workspace file, and nothing else there waits for the file system. */
export function staysInsideNow(folder: string, target: string): boolean {
  if (!isInside(folder, path.resolve(folder, target))) return false;
  const realFolder = realPathOf(folder) ?? folder;
  for (let at = path.resolve(folder, target); isInside(folder, at); at = path.dirname(at)) {
    const real = realPathOf(at);
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
      diagnostics: [diagnose('HW1009', '`-` was named, but nothing can be read from standard input here.')],
    };
  }
  const absolute = path.resolve(cwd, name);
  const found = statOf(absolute);
  if (!(found instanceof Error)) {
    return found.isDirectory()
      ? scanFolder(name, absolute, excluded, realRoot)
      : { wanted: [{ shown: name, file: absolute, named: true }], diagnostics: [] };
  }
  if (!name.includes('\0') && (await import('tinyglobby')).isDynamicPattern(name))
    return scanGlob(name, cwd, excluded, realRoot);
  if (mayBeEmpty === true && found.code === 'ENOENT') return { wanted: [], diagnostics: [] };
  return {
    wanted: [],
    diagnostics: [diagnose('HW1001', `${quote(name)} cannot be read: ${reasonOf(found)}.`)],
  };
}

async function scanFolder(
  name: string,
  folder: string,
  excluded: ReadonlySet<string>,
  realRoot: string,
): Promise<Found> {
  const found =
    scanPlain(folder, name) ??
    (await scan(ANY_MANIFEST, folder, realRoot, (file) => path.join(name, path.relative(folder, file))));
  return choose(found, excluded, `The folder ${quote(name)} holds no .yaml, .yml or .json file.`);
}

async function scanGlob(name: string, cwd: string, excluded: ReadonlySet<string>, realRoot: string): Promise<Found> {
  const found =
    (name === ANY_MANIFEST ? scanPlain(cwd, '') : undefined) ??
    (await scan(name, cwd, realRoot, (file) => (path.isAbsolute(name) ? file : path.relative(cwd, file))));
  return choose(found, excluded, `Nothing matches ${quote(name)}.`);
}

function choose({ wanted, diagnostics }: Found, excluded: ReadonlySet<string>, nothing: string): Found {
  const left = wanted.filter(({ file }) => !excluded.has(file as string));
  return {
    wanted: left,
    diagnostics:
      left.length > 0 || hasErrors(diagnostics) ? diagnostics : [...diagnostics, diagnose('HW1002', nothing)],
  };
}

/**
 * What {@link scan} finds for {@link ANY_MANIFEST}, in a fraction of its time. Undefined where it takes more than names
 * to know that: a link, a pipe, a folder that cannot be read.
 */
function scanPlain(folder: string, name: string): Found | undefined {
  // Elsewhere the library writes paths in a way of its own, and what `!` leaves out is compared with them.
  if (path.sep !== '/') return undefined;
  const below: string[] = [''];
  const found: string[] = [];
  const unread: string[] = [];
  try {
    for (const at of below) {
      for (const entry of readdirSync(path.join(folder, at), { withFileTypes: true })) {
        if (entry.name.includes('\\')) return undefined;
        if (entry.isDirectory()) {
          if (!entry.name.startsWith('.') && entry.name !== 'node_modules') below.push(`${at}${entry.name}/`);
          else if (!NEVER_MANIFESTS.includes(entry.name)) unread.push(...hiddenFiles(folder, `${at}${entry.name}/`));
        } else if (!entry.isFile()) return undefined;
        else if (/^[^.][^]*\.(?:ya?ml|json)$/.test(entry.name)) {
          if (entry.name !== WORKSPACE_FILE) found.push(`${at}${entry.name}`);
        } else if (LIKE_MANIFEST.test(entry.name)) unread.push(`${at}${entry.name}`);
      }
    }
  } catch {
    return undefined;
  }
  const [shown, absolute, real] = [name, path.resolve(folder), realPathOf(folder) ?? folder].map((start) =>
    path.join(start, 'x').slice(0, -1),
  ) as [string, string, string];
  const wanted = found
    .sort(compareText)
    .map((file) => ({ shown: shown + file, file: absolute + file, real: real + file, named: false }));
  const diagnostics = unread.flatMap((file) => notRead(shown + file, absolute + file));
  return { wanted, diagnostics };
}

/** Folders whose files nobody means as manifests. */
const NEVER_MANIFESTS: readonly string[] = ['.git', '.hostwright', 'node_modules'];
/** Names of files that may have been meant as manifests: another extension, upper case, a template, a hidden file. */
const LIKE_MANIFEST = /\.(?:ya?ml|json|yalm|ymal|txt|bak|orig|old|j2|jinja|tmpl|tpl|template|disabled|off)~?$/i;
/** A manifest states its version in its first lines. */
const HEAD_BYTES = 4096;
const OUR_VERSION = /^\s*["']?apiVersion["']?\s*:\s*["']?hostwright\//m;

/** Returns the files of a hidden folder that may have been meant as manifests. */
function hiddenFiles(folder: string, at: string): readonly string[] {
  const entries = readdirSync(path.join(folder, at), { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isFile() && LIKE_MANIFEST.test(entry.name) ? [`${at}${entry.name}`] : []));
}

/** Returns a warning if a file that is not read begins as a manifest does. */
function notRead(shown: string, file: string): readonly Diagnostic[] {
  const head = readHead(file);
  if (head === undefined || !OUR_VERSION.test(head)) return [];
  const isHidden = shown.split('/').some((part) => part.startsWith('.') && part !== '.' && part !== '..');
  const remedy = isHidden
    ? 'Move it to a path whose names do not begin with a dot'
    : `Rename it to ${quote(`${shown.replace(/\.[^./]*~?$/, '')}.yaml`)}`;
  return [diagnose('HW1019', `${quote(shown)} begins as a manifest does. ${remedy}, or remove it.`)];
}

function readHead(file: string): string | undefined {
  try {
    const opened = openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(HEAD_BYTES);
      return bytes.toString('utf8', 0, readSync(opened, bytes, 0, HEAD_BYTES, 0));
    } finally {
      closeSync(opened);
    }
  } catch {
    return undefined;
  }
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
        tell(link, diagnose('HW1001', `The link ${quote(show(link))} cannot be followed: ${reasonOf(error)}.`));
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
          diagnostics.push(diagnose('HW1001', `The folder ${quote(show(folder))} cannot be read: ${reason}.`));
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
  const { glob } = await import('tinyglobby');
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
  return diagnose('HW1005', `${quote(shown)} is reached by a link that leads out of the workspace.`);
}

/** Folders that hold what is nobody's to read: tokens in Git's configuration, the ledger. */
const PRIVATE_FOLDERS: readonly string[] = ['.git', '.hostwright'];

/** True for what is no manifest whatever stands in it: of a line that cannot be read, the report would show the text. */
export function isPrivate(file: string, { root, secret = [] }: Pick<LoadOptions, 'root' | 'secret'>): boolean {
  const below = isInside(root, file) ? path.relative(root, file) : file;
  // Some file systems tell letter cases apart, and some do not.
  const names = below.toLowerCase().split(path.sep);
  return (
    names.some((name) => PRIVATE_FOLDERS.includes(name)) ||
    /^\.env/.test(names.at(-1) ?? '') ||
    secret.some((place) => isInside(place, file))
  );
}

function readWanted(
  { shown, file, named, real: known }: Wanted,
  real: string,
  {
    root,
    realRoot,
    stdin,
    secret = [],
    realSecret,
  }: LoadOptions & { readonly realRoot: string; readonly realSecret: readonly string[] },
): (ReadText & { readonly named: boolean }) | Promise<ReadText & { readonly named: boolean }> {
  if (file === undefined) return readInput(stdin).then((read) => ({ ...read, named }));
  const insideByName = isInside(root, file) || isInside(realRoot, file);
  if (insideByName && !isInside(realRoot, real)) return { diagnostic: outwardLink(shown), named };
  // By its name, and by where its links lead.
  if (isPrivate(file, { root, secret }) || isPrivate(real, { root: realRoot, secret: realSecret }))
    return { diagnostic: diagnose('HW1015', `${quote(shown)} was not read.`), named };
  // A link in a folder may lead to another folder or a device: only files are read unless the user named it.
  if (known !== undefined || isFile(file)) return { ...loadNow(shown, file), named };
  return named ? loadText(shown, file).then((read) => ({ ...read, named })) : { named };
}

/** Does `work` for a few items at a time: thousands of open files are too many for most systems. */
export async function inBatches<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result | Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE)
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))));
  return results;
}

async function readInput(stdin: LoadOptions['stdin']): Promise<ReadText> {
  try {
    const bytes = await stdin?.();
    if (bytes === undefined) return {};
    return bytes.byteLength > MAX_BYTES ? { diagnostic: tooLarge('-') } : decode('-', bytes);
  } catch (error) {
    return { diagnostic: diagnose('HW1009', `Standard input cannot be read: ${reasonOf(error)}.`) };
  }
}

/** Where all links of a path lead; undefined when there is nothing. */
export function realPathOf(file: string): string | undefined {
  try {
    return realpathSync.native(file);
  } catch {
    return undefined;
  }
}

/** Most manifests fit: they are read without asking for their size. Whoever reads into it takes the bytes out at once. */
const SMALL = Buffer.allocUnsafeSlow(32 * 1024);

/** Undefined when there is too much. The bytes are there until the next file is read. */
function readNow(file: string): Uint8Array | undefined {
  const descriptor = openSync(file, 'r');
  try {
    let total = 0;
    // Only an empty read is the end: some file systems give less than was asked for.
    while (total < SMALL.length) {
      const read = readSync(descriptor, SMALL, total, SMALL.length - total, total);
      if (read === 0) return SMALL.subarray(0, total);
      total += read;
    }
    const { size } = fstatSync(descriptor);
    if (size > MAX_BYTES) return undefined;
    const pieces: Uint8Array[] = [Buffer.from(SMALL)];
    for (;;) {
      // A file may have grown since it was asked for its size.
      const buffer = Buffer.allocUnsafe(Math.max(size - total, 0) + 1);
      const read = readSync(descriptor, buffer, 0, buffer.length, total);
      if (read === 0) return Buffer.concat(pieces);
      total += read;
      if (total > MAX_BYTES) return undefined;
      pieces.push(buffer.subarray(0, read));
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
  return diagnose('HW1003', `${quote(shown)} is larger than ${MAX_BYTES / 1024 / 1024} MiB.`);
}

function isFile(file: string): boolean {
  const found = statOf(file);
  return !(found instanceof Error) && found.isFile();
}

function statOf(file: string): Stats | NodeJS.ErrnoException {
  try {
    return statSync(file);
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
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
