// Where a secret file may lie, and reads one: a small regular file inside a listed place, links followed, checked anew
// when it is read.
import { constants } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Workspace } from '../../model/workspace.ts';
import { isInside, reasonOf, staysInside } from './load.ts';

type Places = Pick<Workspace, 'root' | 'secrets'>;

/** No password is longer; what is larger is another file than was meant. */
const MAX_BYTES = 64 * 1024;

const OUTSIDE = { reason: 'is in no place that the workspace lists under `secrets.files`' };

/**
 * Why a file is in none of these places: by its name, or because of a link. A file that is not there yet is judged by
 * what is.
 */
export async function secretPlaceProblem(
  file: string,
  root: string,
  places: readonly string[],
): Promise<'name' | 'link' | undefined> {
  const target = path.resolve(root, file);
  const roots = places.map((place) => path.resolve(root, place)).filter((place) => isInside(place, target));
  if (roots.length === 0) return 'name';
  for (const place of roots)
    if ((await staysInside(root, place)) && (await staysInside(place, target))) return undefined;
  return 'link';
}

/** The text of a secret file without the line break at its end, or why it is not read. */
export async function readSecretFile(file: string, places: Places): Promise<string | { readonly reason: string }> {
  if (path.isAbsolute(file) || (await secretPlaceProblem(file, places.root, places.secrets.files)) !== undefined)
    return OUTSIDE;
  try {
    const real = await realpath(path.resolve(places.root, file));
    const listed = await Promise.all(
      places.secrets.files.map((place) => realpath(path.resolve(places.root, place)).catch(() => undefined)),
    );
    if (!listed.some((place) => place !== undefined && isInside(place, real))) return OUTSIDE;
    // The link that was just followed is not followed a second time; a pipe or a device does not hold the run up.
    const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!(await handle.stat()).isFile()) return { reason: 'is no regular file' };
      const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(MAX_BYTES + 1), position: 0 });
      if (bytesRead > MAX_BYTES) return { reason: `is larger than ${MAX_BYTES / 1024} KiB` };
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
        .decode(buffer.subarray(0, bytesRead))
        .replace(/\r?\n$/, '');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof TypeError) return { reason: 'is not UTF-8 text' };
    return { reason: `cannot be read: ${reasonOf(error)}` };
  }
}

/** What is at a listed place, without looking into it. `open`: others than its owner may read it. */
export async function lookAtPlace(
  place: string,
  root: string,
): Promise<{ readonly is: 'file' | 'folder' | 'missing'; readonly open: boolean } | { readonly reason: string }> {
  try {
    const found = await stat(path.resolve(root, place));
    return { is: found.isDirectory() ? 'folder' : 'file', open: (found.mode & 0o077) !== 0 };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { is: 'missing', open: false };
    return { reason: reasonOf(error) };
  }
}
