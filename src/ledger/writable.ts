// Whether a ledger's file could be written, without writing: by what the system says of the file, or of the folder that
// it would be made in.
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode } from './system-error.ts';

/** Why the file could not be written, or undefined. A disk that is full is found out by writing alone. */
export async function writeBlocker(file: string): Promise<string | undefined> {
  for (let at = file; ; at = dirname(at)) {
    try {
      const found = await stat(at);
      if (at === file ? !found.isFile() : !found.isDirectory()) return `${at} is no ${at === file ? 'file' : 'folder'}`;
      await access(at, at === file ? constants.W_OK : constants.W_OK | constants.X_OK);
      // Compaction and the lock make files beside it.
      if (at === file) await access(dirname(at), constants.W_OK | constants.X_OK);
      return undefined;
    } catch (error) {
      // A missing part is made when something is written: the folder above it decides. A part that is a file is told
      // there.
      if (!(hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) || at === dirname(at))
        return `${at} may not be written`;
    }
  }
}
