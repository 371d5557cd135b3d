// Finds the programs that Hostwright starts: in folders of the PATH that no branch and no other user can fill.
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { quote } from '../model/format.ts';
import { isInsideAny } from './paths.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the folders of the PATH from which programs are started: absolute ones, outside of the `closed` folders, that
 * are not writable by every user. `node_modules/.bin` of the checkout and `.` are left out.
 */
export function searchPath(env: Environment, closed: readonly string[]): readonly string[] {
  return (env.PATH ?? env.Path ?? '')
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder) && !isInsideAny(closed, folder) && !isWritableByAll(folder));
}

/** Returns the absolute path of a program, or why it is not run. `closed`: folders that it must not be in. */
export function findProgram(
  name: string,
  env: Environment,
  closed: readonly string[],
): { readonly program: string } | { readonly reason: string } {
  if (path.isAbsolute(name)) {
    if (!isProgram(name)) return { reason: `the program ${quote(name)} does not exist, or is not executable` };
    return isInsideAny(closed, name)
      ? { reason: `the program ${quote(name)} is in the repository, where a pull request could change it` }
      : { program: name };
  }
  const endings = path.sep === '\\' ? ['.exe', ''] : [''];
  let foreign: string | undefined;
  for (const folder of searchPath(env, closed))
    for (const ending of endings) {
      const program = path.join(folder, name + ending);
      if (!isProgram(program) || isInsideAny(closed, program)) continue;
      if (!isReplaceable(program, env)) return { program };
      foreign ??= program;
    }
  return {
    reason:
      foreign === undefined
        ? `the program ${quote(name)} is in no folder of the PATH outside of the repository`
        : `the program ${quote(foreign)} is not used, because another user owns it or can change it`,
  };
}

/**
 * Returns true if another user than root and the current one owns a program, its folder or what a link leads to, or if every
 * user can change it. Folders in HOSTWRIGHT_TRUSTED_ROOT are trusted regardless of their owner.
 */
function isReplaceable(program: string, env: Environment): boolean {
  const uid = process.getuid?.();
  if (uid === undefined) return false;
  const roots = (env.HOSTWRIGHT_TRUSTED_ROOT ?? '')
    .split(path.delimiter)
    .filter((root) => path.isAbsolute(root) && root !== path.parse(root).root);
  if (isInsideAny(roots, program)) return false;
  return [program, path.dirname(program)].some((place) => {
    const stats = statSync(place);
    return (stats.uid !== uid && stats.uid !== 0) || (stats.mode & 0o002) !== 0;
  });
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function isWritableByAll(folder: string): boolean {
  if (path.sep === '\\') return false;
  const mode = statSync(folder, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & 0o002) !== 0;
}
