// How a file comes to be that keeps what the platform tells only once: inside a listed place, for its owner alone, new,
// and with room before anything is sent.
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { mkdir, open, readFile, realpath, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { JsonObject } from '../../model/json.ts';
import { parseJsonObject } from '../../model/json.ts';
import type { Reserved } from '../../model/secret-sink.ts';
import type { Workspace } from '../../model/workspace.ts';
import { isInside, reasonOf } from '../read/load.ts';
import { secretPlaceProblem } from '../read/load-secret.ts';
import { encryptTo, openPartOf, recipientProblem } from './encrypted.ts';

/** More than any answer takes: a disk without this much room is found out before the request. */
const ROOM = 4096;
/** What a public key adds to it, at most. */
const ROOM_FOR_KEY = 4096;
const OWNER_ONLY = 0o600;
const OUTSIDE = 'is in no place that the workspace lists under `secrets.keep`';
const TAKEN = 'is there already, and is not overwritten';

/** The part of a {@link SecretSink} that is about files, each by its name. */
export interface SecretFiles {
  /** Why nothing can be kept in it, in words that go on from its name. */
  readonly objection: (file: string) => Promise<string | undefined>;
  readonly reserve: (file: string) => Promise<Reserved | { readonly reason: string }>;
  readonly read: (file: string) => Promise<JsonObject | undefined>;
}

/**
 * Keeps files of this workspace, encrypted where it names keys. What a saved plan names is held against the list once
 * more: it may come from anywhere.
 */
export function secretFilesOf({ root, secrets }: Pick<Workspace, 'root' | 'secrets'>): SecretFiles {
  const { recipients = [] } = secrets;
  const room = ROOM + recipients.length * ROOM_FOR_KEY;
  const outside = async (file: string): Promise<boolean> =>
    path.isAbsolute(file) || (await secretPlaceProblem(file, root, secrets.keep)) !== undefined;
  const opened = async (file: string): Promise<FileHandle> =>
    open(await realPlace(root, secrets.keep, file), constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  return {
    objection: async (file) => {
      if (await outside(file)) return OUTSIDE;
      const problem = recipients.length === 0 ? undefined : await recipientProblem(recipients);
      if (problem !== undefined) return problem;
      try {
        const handle = await opened(file);
        try {
          return (await isBlank(handle, room)) ? undefined : TAKEN;
        } finally {
          await handle.close();
        }
      } catch (error) {
        return isMissing(error) ? undefined : `cannot be used: ${reasonOf(error)}`;
      }
    },
    reserve: async (file) => {
      if (await outside(file)) return { reason: OUTSIDE };
      try {
        const problem = recipients.length === 0 ? undefined : await recipientProblem(recipients);
        if (problem !== undefined) return { reason: problem };
        const plain = await reserve(root, secrets.keep, file, room);
        return recipients.length === 0 ? plain : { ...plain, fill: encrypting(plain.fill, recipients) };
      } catch (error) {
        return { reason: error instanceof Taken ? TAKEN : `cannot be made: ${reasonOf(error)}` };
      }
    },
    read: async (file) => {
      if (await outside(file)) return undefined;
      const text = await readFile(path.resolve(root, file), 'utf8').catch(() => '');
      return (await openPartOf(text)) ?? parseJsonObject(text);
    },
  };
}

class Taken extends Error {}

function encrypting(fill: Reserved['fill'], recipients: readonly string[]): Reserved['fill'] {
  return async (text, open) => fill(await encryptTo(recipients, text, open), open);
}

async function reserve(root: string, places: readonly string[], file: string, room: number): Promise<Reserved> {
  await mkdir(path.dirname(path.resolve(root, file)), { recursive: true, mode: 0o700 });
  const place = await realPlace(root, places, file);
  const handle = await open(
    place,
    constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    OWNER_ONLY,
  ).catch((error: unknown) => takeOver(place, error, room));
  let filled = false;
  const release = async (): Promise<void> => {
    await handle.close().catch(() => undefined);
    if (!filled) await unlink(place).catch(() => undefined);
  };
  try {
    await handle.chmod(OWNER_ONLY);
    await writeAll(handle, ' '.repeat(room));
    await syncFolder(path.dirname(place));
  } catch (error) {
    await release();
    throw error;
  }
  const fill = async (text: string): Promise<string | undefined> => {
    filled = true;
    return writeAll(handle, text).then(() => undefined, reasonOf);
  };
  return { fill, release };
}

/** A blank file is what a run left that died before it had sent anything: nothing in it is lost. */
async function takeOver(place: string, error: unknown, room: number): Promise<FileHandle> {
  if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  const handle = await open(place, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if (await isBlank(handle, room)) return handle;
  await handle.close();
  throw new Taken();
}

async function isBlank(handle: FileHandle, room: number): Promise<boolean> {
  const { size, mode, nlink } = await handle.stat();
  // Its own type too: a folder or a pipe has another mode.
  if (mode !== (constants.S_IFREG | OWNER_ONLY) || nlink !== 1 || size > room) return false;
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(size), 0, size, 0);
  return buffer.toString('utf8', 0, bytesRead).trim() === '';
}

async function writeAll(handle: FileHandle, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  await handle.write(bytes, 0, bytes.length, 0);
  await handle.truncate(bytes.length);
  await handle.sync();
}

/** The file where links have led to, which must be in a listed place still. */
async function realPlace(root: string, places: readonly string[], file: string): Promise<string> {
  const wanted = path.resolve(root, file);
  const real = path.join(await realpath(path.dirname(wanted)), path.basename(wanted));
  const listed = await Promise.all(places.map((place) => realpath(path.resolve(root, place)).catch(() => undefined)));
  if (!listed.some((place) => place !== undefined && place !== real && isInside(place, real)))
    throw Object.assign(new Error(OUTSIDE), { code: 'EPERM' });
  return real;
}

/** So that the name of the file is on the disk too. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
