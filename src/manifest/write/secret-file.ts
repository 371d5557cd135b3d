// How a file comes to be that keeps what the platform tells only once: inside a listed place, for its owner alone, new,
// and with room before anything is sent.
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { mkdir, open, readFile, realpath, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { JsonObject } from '../../model/json.ts';
import { isJsonObject } from '../../model/json.ts';
import type { SecretSink, Reserved } from '../../model/secret-sink.ts';
import type { Workspace } from '../../model/workspace.ts';
import { isInside, reasonOf } from '../read/load.ts';
import { placeProblem } from '../read/load-secret.ts';

/** More than any answer takes: a disk without this much room is found out before the request. */
const ROOM = 4096;
const OWNER_ONLY = 0o600;
const OUTSIDE = 'is in no place that the workspace lists under `secrets.keep`';
const TAKEN = 'is there already, and is not overwritten';

/**
 * Keeps files of this workspace. What a saved plan names is held against the list once more: it may come from anywhere.
 */
export function secretSinkOf({ root, secrets }: Pick<Workspace, 'root' | 'secrets'>): SecretSink {
  const outside = async (file: string): Promise<boolean> =>
    path.isAbsolute(file) || (await placeProblem(file, root, secrets.keep)) !== undefined;
  const opened = async (file: string): Promise<FileHandle> =>
    open(await realPlace(root, secrets.keep, file), constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  return {
    objection: async (file) => {
      if (await outside(file)) return OUTSIDE;
      try {
        const handle = await opened(file);
        try {
          return (await isBlank(handle)) ? undefined : TAKEN;
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
        return await reserve(root, secrets.keep, file);
      } catch (error) {
        return { reason: error instanceof Taken ? TAKEN : `cannot be made: ${reasonOf(error)}` };
      }
    },
    read: async (file) => {
      if (await outside(file)) return undefined;
      return parse(await readFile(path.resolve(root, file), 'utf8').catch(() => ''));
    },
  };
}

class Taken extends Error {}

async function reserve(root: string, places: readonly string[], file: string): Promise<Reserved> {
  await mkdir(path.dirname(path.resolve(root, file)), { recursive: true, mode: 0o700 });
  const place = await realPlace(root, places, file);
  const handle = await open(
    place,
    constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    OWNER_ONLY,
  ).catch((error: unknown) => takeOver(place, error));
  let filled = false;
  const release = async (): Promise<void> => {
    await handle.close().catch(() => undefined);
    if (!filled) await unlink(place).catch(() => undefined);
  };
  try {
    await handle.chmod(OWNER_ONLY);
    await writeAll(handle, ' '.repeat(ROOM));
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
async function takeOver(place: string, error: unknown): Promise<FileHandle> {
  if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  const handle = await open(place, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if (await isBlank(handle)) return handle;
  await handle.close();
  throw new Taken();
}

async function isBlank(handle: FileHandle): Promise<boolean> {
  const { size, mode, nlink } = await handle.stat();
  // Its own type too: a folder or a pipe has another mode.
  if (mode !== (constants.S_IFREG | OWNER_ONLY) || nlink !== 1 || size > ROOM) return false;
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(ROOM), 0, ROOM, 0);
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

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
