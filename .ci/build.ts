// Builds dist/: one small entry, and chunks that are loaded when a command needs them, with everything in it that they
// need: the package has no dependencies to install.
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { BuildOptions, Plugin } from 'esbuild';
import { buildTerraformProvider } from './build-terraform.ts';
import { bundledIn, noticesOf } from './notices.ts';
import { SBOM_FILE, sbomOf } from './sbom.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** CommonJS packages that are loaded by `import()`. */
const LAZY_COMMONJS = ['undici'];

/**
 * `const { Pool } = await import('undici')` works in Node.js, which finds the names that a CommonJS package exports;
 * esbuild gives such an import nothing but `default`. This puts a module with the names in between.
 */
const namesOfCommonJs: Plugin = {
  name: 'names-of-commonjs',
  setup(bundler) {
    const require = createRequire(import.meta.url);
    bundler.onResolve({ filter: /^[a-z@]/ }, ({ kind, path }) =>
      kind === 'dynamic-import' && LAZY_COMMONJS.includes(path) ? { path, namespace: 'names' } : undefined,
    );
    bundler.onLoad({ filter: /.*/, namespace: 'names' }, ({ path }) => {
      const names = Object.keys(require(path) as object).filter(
        (name) => /^[A-Za-z_$][\w$]*$/.test(name) && name !== 'default' && name !== '__esModule',
      );
      return { contents: `export { ${names.join(', ')} } from '${path}';`, resolveDir: root };
    });
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
  // CommonJS packages call require() for Node's own modules, and may ask for the name of their file; an ES module has
  // to bring both.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';\nimport { fileURLToPath as __fileURLToPath } from 'node:url';\nconst require = __createRequire(import.meta.url);\nconst __filename = __fileURLToPath(import.meta.url);",
  },
  plugins: [namesOfCommonJs],
  logLevel: 'warning',
  write: false,
  metafile: true,
} as const satisfies BuildOptions;

export async function buildTo(folder: string): Promise<void> {
  const { outputFiles, metafile } = await build({ ...options, outdir: folder });
  const product = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Parameters<typeof sbomOf>[0];
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await Promise.all(outputFiles.map(({ path, contents }) => writeFile(path, contents)));
  const provider = await buildTerraformProvider(root, folder);
  const bundled = await bundledIn(root, { outputs: { ...metafile.outputs, ...provider.outputs } });
  await writeFile(join(folder, 'THIRD-PARTY.txt'), noticesOf(bundled));
  await writeFile(join(folder, SBOM_FILE), sbomOf(product, bundled));
  await chmod(join(folder, 'main.js'), 0o755);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildTo(join(root, 'dist'));
