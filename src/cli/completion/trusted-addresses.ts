// Which addresses a user has confirmed for which workspace: what may be asked there without a command having been run. The
// list is a file of the user, outside of every workspace, so that no repository can put an address in it.
import path from 'node:path';
import { parseJsonObject } from '../../model/json.ts';
import type { Json } from '../../model/json.ts';
import { repositoryOf } from '../../usecases/workspace.ts';
import type { CacheFolder, CacheOwner } from '../start/cache-folder.ts';
import { openFolder, realPlace } from '../start/cache-folder.ts';

/** A workspace file and the address that it names. */
export interface Place {
  /** Absolute. */
  readonly file: string;
  readonly baseUrl: string;
}

/** Whose list it is: of whoever runs this. */
export function ownerOf(env: CacheOwner['env']): CacheOwner {
  return { env, platform: process.platform, uid: process.geteuid?.() };
}

const NAME = 'trusted-addresses.json';

/** Where the state of a user is: as the platform has it. Undefined: nothing says where. */
function statePath({ env, platform }: Pick<CacheOwner, 'env' | 'platform'>): string | undefined {
  const under = (base: string | undefined, ...rest: string[]): string | undefined =>
    base !== undefined && path.isAbsolute(base) ? path.join(base, ...rest, 'hostwright') : undefined;
  if (platform === 'win32') return under(env.LOCALAPPDATA);
  if (platform === 'darwin') return under(env.HOME, 'Library', 'Application Support');
  return under(env.XDG_STATE_HOME) ?? under(env.HOME, '.local', 'state');
}

/** True when the user has confirmed this address for this workspace. */
export function isTrusted(place: Place, owner: CacheOwner): boolean {
  return entriesIn(folderFor(place, owner)).includes(entryOf(place));
}

/** Writes down that the user has; false where that cannot be kept. */
export function trust(place: Place, owner: CacheOwner): boolean {
  const folder = folderFor(place, owner);
  if (folder === undefined) return false;
  const entries = [...new Set([...entriesIn(folder), entryOf(place)])];
  folder.write(NAME, [Buffer.from(`${JSON.stringify({ trusted: entries.map((one) => JSON.parse(one) as Json) })}\n`)]);
  return isTrusted(place, owner);
}

/** None that lies in the workspace, or in its repository: what is there came from others. */
function folderFor({ file }: Place, owner: CacheOwner): CacheFolder | undefined {
  const folder = statePath(owner);
  if (folder === undefined) return undefined;
  const root = path.dirname(realPlace(file));
  const [outer, inner] = [repositoryOf(root) ?? root, realPlace(folder)];
  const from = path.relative(outer, inner);
  const isOutside = from.startsWith('..') || path.isAbsolute(from);
  return isOutside ? openFolder(folder, owner) : undefined;
}

function entriesIn(folder: CacheFolder | undefined): readonly string[] {
  const { trusted } = parseJsonObject(folder?.read(NAME)?.toString('utf8') ?? '') ?? {};
  return Array.isArray(trusted) ? trusted.map((one) => JSON.stringify(one)) : [];
}

function entryOf({ file, baseUrl }: Place): string {
  return JSON.stringify({ workspace: realPlace(file), address: baseUrl });
}
