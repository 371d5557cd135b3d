// Where the files are that come with the package: beside the nearest package.json, whether this runs bundled or from
// source.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { invariant } from '../model/invariant.ts';

export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    invariant(dirname(folder) !== folder, 'no package.json above the program');
    folder = dirname(folder);
  }
  return folder;
}
