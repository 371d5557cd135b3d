// Builds dist/: one small entry, and chunks that are loaded when a command needs them. Must not need anything but esbuild, and must not
// leave half a build: the folder is replaced when everything is there.
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { BuildOptions, Plugin } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * `const { Pool } = await import('undici')` works in Node.js, which finds the names that a CommonJS package exports; esbuild gives such an
 * import nothing but `default`. This puts a module with the names in between.
 */
const namesOfCommonJs: Plugin = {
  name: 'names-of-commonjs',
  setup(bundler) {
    const require = createRequire(import.meta.url);
    bundler.onResolve({ filter: /^[a-z@]/ }, ({ kind, path }) => (kind === 'dynamic-import' && exportsOf(require, path).length > 0 ? { path, namespace: 'names' } : undefined));
    bundler.onLoad({ filter: /.*/, namespace: 'names' }, ({ path }) => ({
      contents: `export { ${exportsOf(require, path).join(', ')} } from '${path}';`,
      resolveDir: root,
    }));
  },
};

const options = {
  absWorkingDir: root,
  entryPoints: { main: 'src/cli/main.ts' },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.18',
  chunkNames: '[name]-[hash]',
  sourcemap: true,
  // The sources are in the repository; the map only has to name lines.
  sourcesContent: false,
  legalComments: 'linked',
  // CommonJS packages call require() for Node's own modules; an ES module has to bring it.
  banner: { js: "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);" },
  plugins: [namesOfCommonJs],
  logLevel: 'warning',
  write: false,
} as const satisfies BuildOptions;

export async function buildTo(folder: string): Promise<void> {
  const { outputFiles } = await build({ ...options, outdir: folder });
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await Promise.all(outputFiles.map(({ path, contents }) => writeFile(path, contents)));
  await chmod(join(folder, 'main.js'), 0o755);
}

/** The names that a CommonJS package exports; none when it is an ES module. */
function exportsOf(require: NodeJS.Require, name: string): readonly string[] {
  try {
    const loaded: unknown = require(name);
    return Object.keys(Object(loaded) as object).filter((key) => /^[A-Za-z_$][\w$]*$/.test(key) && key !== 'default');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_REQUIRE_ESM') return [];
    throw error;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildTo(join(root, 'dist'));
