// The folder where the program keeps what it could work out again. Its files are believed as the program itself is
// (compiled code is code), so nothing is read that anyone but its user could have written: the folder and each file
// belong to the user, nobody else may write to them, no link leads there, and it is in no repository. Whatever is wrong
// with the folder, the program runs without it, and says nothing.
//
// It is part of every start, so it is synchronous and loads nothing but `fs` and `path`.
import type { Stats } from 'node:fs';
import fs from 'node:fs';
import path from 'node:path';
import { currentUser, untrusted } from '../../system/trusted-file.ts';

/** What decides where the folder is, and whose it has to be. */
export interface CacheOwner {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Undefined on Windows, where the folder of a user is theirs by the rights that it inherits. */
  readonly uid: number | undefined;
}

export interface CacheFolder {
  /** The bytes of a file; undefined when there is none, or it cannot be trusted. */
  readonly read: (name: string) => Buffer | undefined;
  /** The same file, of which parts are read; it stays open until the program ends. */
  readonly open: (name: string) => CachedFile | undefined;
  /** Puts a file there at once and whole, or not at all. The oldest of those that begin like it make room. */
  readonly write: (name: string, parts: readonly Uint8Array[]) => void;
}

export interface CachedFile {
  readonly size: number;
  /** Undefined where the file has not as many bytes there. */
  readonly part: (at: number, length: number) => Buffer | undefined;
}

/** Of each sort (`code-...`), as many files are kept. */
const KEPT = 32;
/** No file of ours comes near it. */
const MAX_BYTES = 256 * 1024 * 1024;
/** What others may do with a file: write. */
const OTHERS_WRITE = 0o022;

/** Where the cache of a user is: as the platform has it. Undefined: nothing says where. */
export function cachePath({ env, platform }: Pick<CacheOwner, 'env' | 'platform'>): string | undefined {
  const of = platform === 'win32' ? path.win32 : path.posix;
  const under = (base: string | undefined, ...rest: string[]): string | undefined =>
    base !== undefined && of.isAbsolute(base) ? of.join(base, ...rest, 'hostwright') : undefined;
  if (platform === 'win32') return under(env.LOCALAPPDATA);
  const said = under(env.XDG_CACHE_HOME);
  if (said !== undefined) return said;
  return platform === 'darwin' ? under(env.HOME, 'Library', 'Caches') : under(env.HOME, '.cache');
}

/** Undefined where the user wants none, or nothing says where it would be. */
export function openCache(owner: CacheOwner, argv: readonly string[] = []): CacheFolder | undefined {
  const folder = cachePath(owner);
  if (folder === undefined || owner.env.HOSTWRIGHT_CACHE === 'off' || saysNoCache(argv)) return undefined;
  if (isInRepository(folder)) return undefined;
  return openFolder(folder, owner);
}

/** What is below a Git root or a workspace came with it: a file there may be of whoever wrote the branch. */
function isInRepository(folder: string): boolean {
  for (let at = realPlace(folder); ; at = path.dirname(at)) {
    if (['.git', 'hostwright.yaml'].some((name) => fs.existsSync(path.join(at, name)))) return true;
    if (at === path.dirname(at)) return false;
  }
}

/** Where a path leads to, as far as it is there. */
function realPlace(place: string): string {
  try {
    return fs.realpathSync.native(place);
  } catch {
    const above = path.dirname(place);
    return above === place ? place : path.join(realPlace(above), path.basename(place));
  }
}

/** A folder that is believed and written to only as its user's own, whatever it is for. */
function openFolder(folder: string, owner: CacheOwner): CacheFolder {
  return {
    read: (name) => read(folder, name, owner),
    open: (name) => open(folder, name, owner)?.cached,
    write: (name, parts) => write(folder, name, parts, owner),
  };
}

/** The option, wherever it stands; what comes after `--` is no option. */
function saysNoCache(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).includes('--no-cache');
}

function read(folder: string, name: string, owner: CacheOwner): Buffer | undefined {
  const opened = open(folder, name, owner);
  if (opened === undefined) return undefined;
  const bytes = opened.cached.part(0, opened.cached.size);
  fs.closeSync(opened.file);
  return bytes;
}

function open(
  folder: string,
  name: string,
  owner: CacheOwner,
): { readonly file: number; readonly cached: CachedFile } | undefined {
  let file: number | undefined;
  let isTrusted = false;
  try {
    if (!isOurs(fs.lstatSync(folder), owner) || isReplaceable(folder, owner)) return undefined;
    // No link is followed, and a pipe would not hold the program up. Windows has neither flag.
    const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;
    file = fs.openSync(path.join(folder, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const stats = fs.fstatSync(file);
    // A second name for a file may have been given to another file of ours.
    isTrusted = stats.isFile() && isOurs(stats, owner) && stats.nlink === 1 && stats.size <= MAX_BYTES;
    return isTrusted ? { file, cached: cachedFile(file, stats.size) } : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined && !isTrusted) fs.closeSync(file);
  }
}

function cachedFile(file: number, size: number): CachedFile {
  return {
    size,
    part: (at, length) => {
      if (at + length > size) return undefined;
      try {
        const bytes = Buffer.allocUnsafeSlow(length);
        return fs.readSync(file, bytes, 0, length, at) === length ? bytes : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

function tryTo(work: () => void): void {
  try {
    work();
  } catch {
    // A file system that cannot be written to, or only in part.
  }
}

/** True where another user could put a folder of theirs in the place of this one. */
function isReplaceable(folder: string, { uid }: CacheOwner): boolean {
  return untrusted(folder, { use: 'input', user: { ...currentUser(), uid } }) !== undefined;
}

function isOurs(stats: Stats, { uid }: CacheOwner): boolean {
  if (stats.isSymbolicLink()) return false;
  return uid === undefined || (stats.uid === uid && (stats.mode & OTHERS_WRITE) === 0);
}

function write(folder: string, name: string, parts: readonly Uint8Array[], owner: CacheOwner): void {
  const target = path.join(folder, name);
  const draft = `${target}.${process.pid}.${Date.now()}`;
  try {
    if (!isThere(folder, owner)) return;
    const file = fs.openSync(draft, 'wx', 0o600);
    try {
      for (const part of parts) for (let at = 0; at < part.length;) at += fs.writeSync(file, part, at);
    } finally {
      fs.closeSync(file);
    }
    // Two first runs at once each put a whole file there; the later one stays.
    fs.renameSync(draft, target);
    makeRoom(folder, name);
  } catch {
    tryTo(() => fs.rmSync(draft, { force: true }));
  }
}

/** True when the folder is there and ours; it is made where that is right. */
function isThere(folder: string, owner: CacheOwner): boolean {
  const found = fs.lstatSync(folder, { throwIfNoEntry: false });
  if (found !== undefined) return found.isDirectory() && isOurs(found, owner) && !isReplaceable(folder, owner);
  // With `sudo`, HOME is often still that of the user: a folder of root's in it would be in their way for ever.
  const { uid } = owner;
  let above = path.dirname(folder);
  while (!fs.existsSync(above) && above !== path.dirname(above)) above = path.dirname(above);
  const whose = fs.statSync(above).uid;
  if (uid !== undefined && whose !== uid && whose !== 0) return false;
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  return isOurs(fs.lstatSync(folder), owner);
}

function makeRoom(folder: string, name: string): void {
  const sort = name.slice(0, name.indexOf('-') + 1);
  const files = fs.readdirSync(folder).filter((file) => file.startsWith(sort));
  if (files.length <= KEPT) return;
  const byAge = files
    .map((file) => ({ file, at: fs.statSync(path.join(folder, file)).mtimeMs }))
    .sort((left, right) => right.at - left.at);
  for (const { file } of byAge.slice(KEPT)) fs.rmSync(path.join(folder, file), { force: true });
}
