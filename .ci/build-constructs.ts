// Builds what programs import, `index.js`, `constructs.js` and `testing.js`, and the process that programs of manifests run
// in. Apart from the rest: none of it is loaded by commands, and what declares manifests must not load the engine.
//
// What programs import is CommonJS and nothing else. Every version of Node.js requires and imports that, and a process that
// does both has each class once: a construct that a required package makes is one for the program that imports.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { BuildOptions, BuildResult, Metafile } from 'esbuild';
import { generateDtsBundle } from 'dts-bundle-generator';

export type Built = BuildResult<{ readonly write: false; readonly metafile: true }>;

/** The entries for programs, as files that are not written yet. */
export async function buildConstructs(root: string, folder: string, shared: BuildOptions): Promise<readonly Built[]> {
  const common = { ...shared, absWorkingDir: root, outdir: folder, write: false, metafile: true } as const;
  const imported = { ...common, format: 'cjs', sourcemap: false } as const satisfies BuildOptions;
  return Promise.all([
    // In a file of its own, and not in chunks of the commands: those load fewer files when nothing else shares them.
    build({
      ...imported,
      stdin: {
        contents: Object.entries(ON_ENGINE)
          .map(([name, path]) => `export * as ${name} from './${path}';`)
          .join('\n'),
        resolveDir: root,
      },
      entryNames: 'engine',
      // The files that come with the package are found from it.
      banner: { js: "const __place = require('node:url').pathToFileURL(__filename).href;" },
      define: { 'import.meta.url': '__place' },
      minifyWhitespace: true,
      minifySyntax: true,
    }),
    build({ ...imported, entryPoints: { constructs: 'src/constructs/index.ts' } }),
    build({
      ...common,
      format: 'esm',
      outExtension: { '.js': '.mjs' },
      splitting: true,
      chunkNames: '[name]-[hash]',
      // CommonJS packages call require() for Node's own modules, and may ask for the name of their file.
      banner: {
        js: "import { createRequire as __createRequire } from 'node:module';\nimport { fileURLToPath as __fileURLToPath } from 'node:url';\nconst require = __createRequire(import.meta.url);\nconst __filename = __fileURLToPath(import.meta.url);",
      },
      entryPoints: {
        'constructs-child': 'src/constructs/child/main.ts',
        'constructs-hooks': 'src/constructs/child/hooks.ts',
      },
    }),
  ]);
}

/** What programs import of the engine: the file of each, and where its names are. */
const ON_ENGINE = { index: 'src/library/index.ts', testing: 'src/testing/index.ts' };

/**
 * `index.js` and `testing.js`, which have their names and nothing else: whoever imports CommonJS has Node.js search the text
 * for its names first, and in megabytes that takes as long as to load them.
 */
export async function engineEntries(root: string): Promise<readonly (readonly [string, string])[]> {
  return Promise.all(
    Object.entries(ON_ENGINE).map(async ([name, path]) => {
      const { metafile } = await build({
        absWorkingDir: root,
        entryPoints: [path],
        format: 'esm',
        write: false,
        metafile: true,
      });
      const names = Object.values(metafile.outputs)
        .flatMap(({ exports }) => exports)
        .join(', ');
      const text = `"use strict";\nconst { ${names} } = require("./engine.js").${name};\nmodule.exports = { ${names} };\n`;
      return [`${name}.js`, text] as const;
    }),
  );
}

/** What went into several builds. */
export function mergedMetafile(files: readonly Metafile[]): Metafile {
  return {
    inputs: Object.assign({}, ...files.map(({ inputs }) => inputs)) as Metafile['inputs'],
    outputs: Object.assign({}, ...files.map(({ outputs }) => outputs)) as Metafile['outputs'],
  };
}

/** The types of what programs and their tests import, a file each. */
export async function constructsTypes(root: string): Promise<ReadonlyMap<string, string>> {
  // Declarations alone, by the native compiler: `npm run check:types` checks what they are made of, and the bundler takes
  // five times as long to make them itself. In the repository, where their imports are found.
  const dist = join(root, 'dist');
  await mkdir(dist, { recursive: true });
  const folder = await mkdtemp(join(dist, 'declarations-'));
  const preferredConfigPath = join(root, '.ci/tsconfig.types.json');
  try {
    const compiler = join(root, 'node_modules/typescript-native/bin/tsc');
    await promisify(execFile)(process.execPath, [compiler, '-p', preferredConfigPath, '--outDir', folder]);
    const bundled = (entry: string): string =>
      generateDtsBundle([{ filePath: join(folder, entry), output: { noBanner: true, exportReferencedTypes: false } }], {
        preferredConfigPath,
      })[0] ?? '';
    const constructs = bundled('src/constructs/index.d.ts');
    // The props of kinds stand in the one file, and the other imports them.
    await writeFile(join(folder, 'src/constructs/index.d.ts'), 'export interface KindProps {}\n');
    const testing = bundled('src/testing/index.d.ts').replace(/^interface KindProps \{\s*\}\n/m, '');
    return new Map([
      ['index.d.ts', bundled('src/library/index.d.ts')],
      ['constructs.d.ts', constructs],
      ['testing.d.ts', `import type { KindProps } from './constructs.js';\n\n${testing}`],
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
