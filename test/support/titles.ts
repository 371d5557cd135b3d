// Which tests a file has, for tables that name a test by its title.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a file of test/ has a test with this title: what is called with a text and a function, or a row with a reason. */
export function hasTest(file: string, title: string): boolean {
  const path = join(import.meta.dirname, '..', file);
  const source = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const calls = source.matchAll(/(?:\(\s*|\breason: )(['"`])((?:\\.|(?!\1).)*)\1,\s*(?:async\s*)?(?:\(|of:)/g);
  return [...calls].some(([, , found]) => found === title);
}
