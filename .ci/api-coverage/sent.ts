// Which requests and fields the tests sent: as it is written down, and as a run notes it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const SENT_FILE = join(import.meta.dirname, 'sent.txt');

/** `apply PATCH /api/sites/:site`, `field PATCH /api/sites/:site site.name`. */
export function sentLines(file = SENT_FILE): readonly string[] {
  return readFileSync(file, 'utf8').trim().split('\n');
}

/** What the processes of a run noted in a folder, each once. */
export function sentIn(folder: string): readonly string[] {
  return [...new Set(readdirSync(folder).flatMap((name) => sentLines(join(folder, name))))].sort();
}
