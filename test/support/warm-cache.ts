// The cache of a user who has run the command before, for tests that start it very often: with compiled code a start
// takes two thirds of the time. One folder for the process, gone with it.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { memoryFolder } from './memory-folder.ts';

let folder: string | undefined;

/** What the environment of such a command holds. */
export function warmCache(): { readonly XDG_CACHE_HOME: string } {
  if (folder === undefined) {
    const made = mkdtempSync(join(memoryFolder, 'hostwright-cache-'));
    process.once('exit', () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  return { XDG_CACHE_HOME: folder };
}
