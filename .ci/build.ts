// Builds dist/: one small entry and chunks that are loaded when a command needs them. Must not need anything but esbuild.
import { chmod, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

export async function buildTo(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    entryPoints: { main: 'src/cli/main.ts' },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.18',
    chunkNames: '[name]-[hash]',
    sourcemap: true,
    // The sources are in the repository; a map that only names lines is a third of the size.
    sourcesContent: false,
    legalComments: 'linked',
    // CommonJS packages call require() for Node's own modules; an ES module has to bring it.
    banner: { js: "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);" },
    logLevel: 'warning',
  });
  await chmod(`${folder}/main.js`, 0o755);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildTo(fileURLToPath(new URL('../dist', import.meta.url)));
