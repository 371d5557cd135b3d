// Where the program is a single executable, the files of its package are in it, by their paths in the package. Part of
// every start, so it loads nothing else.
import path from 'node:path';
import type * as SeaModule from 'node:sea';

/** What the types of the oldest Node.js do not know yet. */
type Sea = typeof SeaModule & { readonly getAssetKeys?: () => readonly string[] };

const sea = process.getBuiltinModule('node:sea') as Sea;

/** False where Node.js runs a file, and in the executable of somebody who imports this package. */
export const isExecutable: boolean = sea.isSea() && namesWithin().includes('dist/main.js');

/** The bytes of a file in the executable; they are not to be written to. */
export function fileWithin(name: string): Buffer {
  return Buffer.from(sea.getRawAsset(name) as ArrayBuffer);
}

/** The paths of all files in the executable, with `/`. */
export function namesWithin(): readonly string[] {
  return sea.getAssetKeys?.() ?? [];
}

/** Where a file of the package would be if the executable were a folder: nothing else can be there. */
export function placeWithin(name: string): string {
  return path.join(process.execPath, name);
}
