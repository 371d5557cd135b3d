// An `npm` for jobs in tests: `npm ci` fails without a lockfile, as the real one does, and otherwise links this package
// instead of installing it.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

const npm = (hasPackage: boolean): string => `#!/bin/sh
at=.
[ "$1" = --prefix ] && at=$2 && shift 2
[ "$1" = ci ] || { echo "this npm only knows ci: $*" >&2; exit 9; }
if [ ! -f "$at/package-lock.json" ]; then
  echo 'npm error code EUSAGE' >&2
  echo 'npm error The npm ci command can only install with an existing package-lock.json' >&2
  exit 1
fi
mkdir -p "$at/node_modules/.bin"
${hasPackage ? `ln -s '${root}' "$at/node_modules/hostwright"` : ''}
printf '#!/bin/sh\\nexec "${process.execPath}" "${root}/dist/main.js" "$@"\\n' >"$at/node_modules/.bin/hostwright"
chmod +x "$at/node_modules/.bin/hostwright"
`;

/**
 * Writes the program to a folder for the `PATH`.
 *
 * @param onlyCommand - Installs `node_modules/.bin/hostwright` without the package. Next to a link that leads out of the
 * workspace no program is run.
 */
export async function writeNpm(
  folder: string,
  { onlyCommand = false }: { readonly onlyCommand?: boolean } = {},
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'npm'), npm(!onlyCommand), { mode: 0o755 });
}

/** What `npm ci` needs in a repository. */
export const LOCKFILE = { 'package-lock.json': '{ "lockfileVersion": 3, "packages": {} }\n' } as const;
