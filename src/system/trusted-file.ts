// Decides whether a file may select an address, a credential or a program, or be overwritten: its owner is the current
// user or root, and no other user can replace it. The one check for every file that is found by searching upward,
// executed, or written. The cache is checked at every start, so this loads nothing but `fs` and `path`.
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { isInside, realPlace } from './paths.ts';

/** The check that a file did not pass. */
export type TrustCheck = 'owner' | 'mode' | 'folder owner' | 'folder mode' | 'link' | 'links';

export interface Untrusted {
  readonly check: TrustCheck;
  /** The file, folder or link that failed the check. */
  readonly place: string;
  /** Why the file is not used, as a sentence. */
  readonly reason: string;
  /** What to do about it, as a sentence. */
  readonly remedy: string;
}

export interface TrustOptions {
  /** `input`: the file is read or executed, and links are followed. `output`: it is written, and must not be a link. */
  readonly use: 'input' | 'output';
  /** Folders that the user named as trusted regardless of their owner (HOSTWRIGHT_TRUSTED_ROOT). Absolute. */
  readonly roots?: readonly string[];
  /** The current user. Absent: that of this process. */
  readonly user?: TrustedUser;
}

export interface TrustedUser {
  /** Undefined on Windows, where the files of a user are protected by inherited access lists: nothing is checked. */
  readonly uid: number | undefined;
  /** Returns true for a group that has no other member than the current user and root. */
  readonly isPrivateGroup: (gid: number) => boolean;
}

const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;
const STICKY = 0o1000;
const MOST_LINKS = 40;

/**
 * Returns why a file is not trusted, or undefined if it is. A file that does not exist passes: the caller reports that.
 * A group that contains only its user (umask 002), and folders with the sticky bit such as `/tmp`, are accepted; links
 * are followed and each is checked as its target is, as in a Kubernetes secret volume (`..data`).
 */
export function untrusted(
  file: string,
  { use, roots = [], user = currentUser() }: TrustOptions,
): Untrusted | undefined {
  const { uid } = user;
  const absolute = path.resolve(file);
  const last = use === 'output' ? lstatSync(absolute, { throwIfNoEntry: false }) : undefined;
  if (last?.isSymbolicLink() === true)
    return {
      check: 'link',
      place: absolute,
      reason: `${quote(absolute)} is a link, so that another file would be overwritten`,
      remedy: 'Remove the link, or name the file itself',
    };
  const linkedFolder = use === 'output' ? linkInCheckout(absolute) : undefined;
  if (linkedFolder !== undefined)
    return {
      check: 'link',
      place: linkedFolder,
      reason: `${quote(absolute)} is not written: ${quote(linkedFolder)} is a link in a Git checkout, and a branch can choose its target`,
      remedy: 'Remove the link, or name its target',
    };
  if (uid === undefined || roots.some((root) => isInside(realPlace(root), realPlace(absolute)))) return undefined;
  let at = path.parse(absolute).root;
  let left = partsOf(absolute);
  let links = 0;
  while (left.length > 0) {
    const [name = '', ...rest] = left;
    if (name === '..') {
      at = path.dirname(at);
      left = rest;
      continue;
    }
    const place = path.join(at, name);
    let stats: Entry | undefined;
    try {
      stats = lstatSync(place, { throwIfNoEntry: false });
    } catch {
      // A folder that cannot be searched: whoever opens the file reports that.
    }
    if (stats === undefined) return undefined;
    const isFile = rest.length === 0 && !stats.isSymbolicLink();
    const found = problemOf(place, stats, { isFile, user, absolute });
    if (found !== undefined) return found;
    if (!stats.isSymbolicLink()) {
      at = place;
      left = rest;
      continue;
    }
    links += 1;
    if (links > MOST_LINKS)
      return { check: 'links', place, reason: `${quote(absolute)} is a loop of links`, remedy: 'Remove the loop' };
    const target = readlinkSync(place);
    if (path.isAbsolute(target)) at = path.parse(target).root;
    left = [...partsOf(target), ...rest];
  }
  return undefined;
}

/** Returns the first folder on the path of a file that is a link inside a Git checkout. Links above the checkout pass. */
function linkInCheckout(absolute: string): string | undefined {
  let at = path.parse(absolute).root;
  let isInCheckout = false;
  for (const name of partsOf(path.dirname(absolute))) {
    at = path.join(at, name);
    if (isInCheckout && lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true) return at;
    isInCheckout ||= lstatSync(path.join(at, '.git'), { throwIfNoEntry: false }) !== undefined;
  }
  return undefined;
}

/** Returns one message for an untrusted file: what failed, and what to do. */
export function untrustedMessage({ reason, remedy }: Untrusted): string {
  return `${reason}. ${remedy}.`;
}

interface Entry {
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
  readonly isSymbolicLink: () => boolean;
  readonly isDirectory: () => boolean;
}

interface Subject {
  readonly isFile: boolean;
  readonly user: TrustedUser;
  readonly absolute: string;
}

function problemOf(place: string, stats: Entry, { isFile, user, absolute }: Subject): Untrusted | undefined {
  const what = isFile ? quote(place) : `${quote(absolute)} is not used: ${quote(place)}`;
  if (!isTrustedOwner(stats.uid, user))
    return {
      check: isFile ? 'owner' : 'folder owner',
      place,
      reason: `${what} belongs to ${ownerName(stats.uid)}, not to the current user (${user.uid}) or root`,
      remedy: `Change its owner, or set HOSTWRIGHT_TRUSTED_ROOT to a folder around it if you trust everyone who can write there`,
    };
  // A link has no mode of its own.
  if (stats.isSymbolicLink() || (stats.isDirectory() && (stats.mode & STICKY) !== 0)) return undefined;
  const byGroup = (stats.mode & GROUP_WRITES) !== 0 && !user.isPrivateGroup(stats.gid);
  const byOthers = (stats.mode & OTHERS_WRITE) !== 0;
  if (!byGroup && !byOthers) return undefined;
  return {
    check: isFile ? 'mode' : 'folder mode',
    place,
    reason: `${what} can be written by ${byOthers ? 'every user' : `the group ${stats.gid}`} (mode ${(stats.mode & 0o7777).toString(8)})`,
    remedy: `Run \`chmod go-w\` on it, or set HOSTWRIGHT_TRUSTED_ROOT to a folder around it if you trust everyone who can write there`,
  };
}

function partsOf(place: string): readonly string[] {
  return place.split(path.sep).filter((part) => part !== '' && part !== '.' && !/^[A-Za-z]:$/.test(part));
}

function isTrustedOwner(owner: number, { uid }: TrustedUser): boolean {
  return owner === uid || owner === 0 || (owner === OVERFLOW_UID && isRootUnmapped());
}

/** The owner that Linux shows for a user that the current user namespace does not map. */
const OVERFLOW_UID = 65534;

/** True in a user namespace without root, such as a rootless container: the files of root have no owner there. */
function isRootUnmapped(): boolean {
  const lines = readOrNothing('/proc/self/uid_map')?.trim().split('\n') ?? [];
  return lines.length > 0 && lines.every((line) => Number(line.trim().split(/\s+/)[0]) !== 0);
}

function ownerName(uid: number): string {
  const name = linesOf('/etc/passwd').find(([, , number]) => number === String(uid))?.[0];
  return name === undefined ? `user ${uid}` : `${name} (user ${uid})`;
}

/** Returns the user of this process. */
export function currentUser(): TrustedUser {
  const uid = process.geteuid?.();
  return { uid, isPrivateGroup: (gid) => hasNoOtherMember(gid, uid) };
}

/** By the files of this machine, and by number where they do not list the group: umask 002 is made for such groups. */
function hasNoOtherMember(gid: number, uid: number | undefined): boolean {
  // wheel and admin: their members may become root. The other groups of macOS are in no file.
  if (process.platform === 'darwin') return gid === 0 || gid === 80;
  const group = linesOf('/etc/group').find(([, , number]) => number === String(gid));
  if (group === undefined) return gid === uid;
  const users = linesOf('/etc/passwd');
  const own = users.filter(([, , number]) => number === '0' || number === String(uid)).map(([name]) => name);
  const members = [
    ...(group[3] ?? '').split(',').filter((name) => name !== ''),
    ...users.filter((fields) => fields[3] === String(gid)).map(([name]) => name),
  ];
  return members.every((name) => own.includes(name));
}

/** The fields of each line of `/etc/passwd` or `/etc/group`. */
function linesOf(file: string): readonly (readonly string[])[] {
  return (readOrNothing(file) ?? '').split('\n').map((line) => line.split(':'));
}

function readOrNothing(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** A path in a message, without characters that could change how the message is read. */
function quote(place: string): string {
  return `\`${place.replace(/[\p{C}`]/gu, '\ufffd')}\``;
}
