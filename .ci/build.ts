// Builds dist/: main.js, which is small, and packs that are loaded when a command needs them, with everything in them that
// they need: the package has no dependencies to install.
//
// Files in dist are classic scripts (dist/package.json says so), which start sooner than ES modules. Another entry of the
// package is a call of `build` with its own `outfile`, beside that of main.js; an ES module ends in .mjs.
import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { BuildOptions, Plugin } from 'esbuild';
import type { Output } from '../src/cli/output.ts';
import { buildConstructs, constructsTypes, engineEntries, mergedMetafile } from './build-constructs.ts';
import { buildTerraformProvider } from './build-terraform.ts';
import { buildStamp, generateCode } from './generated-code.ts';
import { bundledIn, noticesOf } from './notices.ts';
import { chunksOf, packText, packsOf } from './packs.ts';
import { SBOM_FILE, sbomOf } from './sbom.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * The names of undici that the program uses. The whole package loads its fetch, its web sockets and those of Node.js
 * too, which takes three times as long as what moves bytes; its fetch is for a forge behind a proxy alone. The agent of a
 * proxy opens tunnels by a method that only the whole package gives to all dispatchers.
 */
const UNDICI = `
  import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
  import connect from 'undici/lib/api/api-connect.js';
  Dispatcher.prototype.connect = connect;
  export { default as Pool } from 'undici/lib/dispatcher/pool.js';
  export { default as EnvHttpProxyAgent } from 'undici/lib/dispatcher/env-http-proxy-agent.js';
  export const fetch = (...given) => require('undici').fetch(...given);`;

/**
 * `const { Pool } = await import('undici')` works in Node.js, which finds the names that a CommonJS package exports;
 * esbuild gives such an import nothing but `default`. This puts a module with the names in between.
 */
const namesOfUndici: Plugin = {
  name: 'names-of-undici',
  setup(bundler) {
    bundler.onResolve({ filter: /^undici$/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, namespace: 'names' } : undefined,
    );
    bundler.onLoad({ filter: /.*/, namespace: 'names' }, () => ({ contents: UNDICI, resolveDir: root }));
  },
};

/** HTTP/2 is never spoken, and takes long to load: undici goes on without it, as on a Node.js that was built so. */
const withoutHttp2: Plugin = {
  name: 'without-http2',
  setup(bundler) {
    bundler.onResolve({ filter: /^node:http2$/ }, ({ path, importer }) =>
      importer.endsWith('client-h2.js') ? { path, namespace: 'unused' } : undefined,
    );
    bundler.onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: "throw new Error('not used');" }));
  },
};

/** Node's own modules that take long to load, and of which a start needs nothing: loaded by the first call. */
const LATE_BUILTINS = ['node:child_process', 'node:crypto', 'node:fs/promises', 'node:net', 'node:zlib'];

/** Puts a module of functions in between, each of which loads the real one; for whoever imports nothing but functions. */
const lateBuiltins: Plugin = {
  name: 'late-builtins',
  setup(bundler) {
    const require = createRequire(import.meta.url);
    const functionsOf = (path: string): readonly string[] =>
      Object.entries(require(path) as object)
        .filter(([name, value]) => typeof value === 'function' && /^[a-z]\w*$/.test(name))
        .map(([name]) => name);
    bundler.onResolve({ filter: /^node:/ }, async ({ path, kind, importer }) => {
      if (!LATE_BUILTINS.includes(path)) return undefined;
      const late = { path, namespace: 'late' };
      if (kind === 'require-call') return importer.includes('/commander/') ? late : undefined;
      if (kind !== 'import-statement') return undefined;
      const statements = (await readFile(importer, 'utf8')).match(
        new RegExp(`^import (?!type )[^;]*? from ['"]${path}['"]`, 'gm'),
      );
      const names = (statements ?? []).flatMap((text) => /^import \{([^}]*)\}/.exec(text)?.[1]?.split(',') ?? ['*']);
      const known = functionsOf(path);
      const isLate = names.every((name) => /^\s*$/.test(name) || known.includes(name.trim().split(' ')[0] ?? ''));
      return isLate ? late : undefined;
    });
    bundler.onLoad({ filter: /.*/, namespace: 'late' }, ({ path }) => {
      const lines = functionsOf(path).map(
        (name) => `export function ${name}(...given) { return require('${path}').${name}(...given); }`,
      );
      return { contents: lines.join('\n'), resolveDir: root };
    });
  },
};

/** Packages that are one function, or one class, and that a run which has nothing to show or to choose never calls. */
const latePackages: Plugin = {
  name: 'late-packages',
  setup(bundler) {
    // What other packages take of them is more than that function.
    bundler.onResolve({ filter: /^(cli-table3|picomatch)$/ }, ({ path, kind, importer }) =>
      kind === 'import-statement' && !/[\\/]node_modules[\\/]/.test(importer)
        ? { path, namespace: 'late-package' }
        : undefined,
    );
    bundler.onLoad({ filter: /.*/, namespace: 'late-package' }, ({ path }) => ({
      contents: `export default function (...given) {
        const own = require('${path}');
        return new.target === undefined ? own(...given) : new own(...given);
      }`,
      resolveDir: root,
    }));
  },
};

/** It looks for a package that it does not need, in the folders above the program, whoever filled those. */
const noStrangers: Plugin = {
  name: 'no-strangers',
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/]fdir[\\/]dist[\\/]index\.mjs$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const contents = source.replace(
        /try \{\s*__require\.resolve\("picomatch"\);[^}]*\} catch \{\}|^var __require =.*$|^import \{ createRequire \}.*$/gm,
        '',
      );
      if (contents === source) throw new Error('fdir is not as this expects it');
      return { contents };
    });
  },
};

/** Who shows colours is told where: the packages ask the streams for it all the same, as soon as they are loaded. */
const colorsNotAsked: Plugin = {
  name: 'colors-not-asked',
  setup(bundler) {
    bundler.onResolve({ filter: /^#supports-color$/ }, () => ({ path: 'none', namespace: 'no-color' }));
    bundler.onLoad({ filter: /.*/, namespace: 'no-color' }, () => ({
      contents: 'export default { stdout: false, stderr: false };',
    }));
    bundler.onResolve({ filter: /^picocolors$/ }, ({ importer }) =>
      importer.includes('@babel') ? { path: 'plain', namespace: 'plain' } : undefined,
    );
    bundler.onLoad({ filter: /.*/, namespace: 'plain' }, () => ({
      contents: 'exports.isColorSupported = false; exports.createColors = () => new Proxy({}, { get: () => String });',
    }));
  },
};

/** What a library makes of tables of all languages as soon as it is loaded, and what makes it when it is first used. */
const LATE_TABLES: Readonly<Record<string, string>> = {
  'new Intl.Segmenter()':
    '{ real: undefined, segment(text) { return (this.real ??= new Intl.Segmenter()).segment(text); } }',
  '/^\\p{RGI_Emoji}$/v':
    '{ real: undefined, test(text) { return (this.real ??= new RegExp("^\\\\p{RGI_Emoji}$", "v")).test(text); } }',
};

/** Widths of text that is not ASCII: nearly no run asks for one, and the tables take a third of a start of Node.js. */
const lateTables: Plugin = {
  name: 'late-tables',
  setup(bundler) {
    bundler.onLoad({ filter: /node_modules[\\/](wrap-ansi|string-width)[\\/]index\.js$/ }, async ({ path }) => {
      let contents = await readFile(path, 'utf8');
      for (const [now, late] of Object.entries(LATE_TABLES))
        contents = contents.replace(` = ${now};`, () => ` = ${late};`);
      return { contents };
    });
  },
};

const COMMON = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.18',
  sourcemap: true,
  // The sources are in the repository; the map only has to name lines.
  sourcesContent: false,
  legalComments: 'linked',
  logLevel: 'warning',
  write: false,
  // Installed by whoever uses what needs them: peer dependencies that are optional.
  external: ['pg', 'pg-boss'],
} as const satisfies BuildOptions;

const START = 'src/cli/run.ts';

/** What is loaded together; see `packsOf`. */
const LAYERS = {
  start: [START],
  validate: ['src/usecases/validate.ts', 'src/report/text/diagnostics.ts'],
  // Little enough that a plan of what changed, where nothing did, is over before the rest would be there.
  nothing: [
    'src/usecases/rehearse/plan.ts',
    'src/report/blocks/plan.ts',
    'src/report/text/write.ts',
    'src/report/view/next-steps.ts',
    'src/report/text/diagnostics.ts',
  ],
};

/** The program, in ES modules that share what they have in common. */
const options = {
  ...COMMON,
  entryPoints: { run: START },
  splitting: true,
  format: 'esm',
  chunkNames: '[name]-[hash]',
  plugins: [namesOfUndici, withoutHttp2, lateBuiltins, latePackages, noStrangers, colorsNotAsked, lateTables],
  metafile: true,
} as const satisfies BuildOptions;

export async function buildTo(folder: string): Promise<void> {
  await generateCode();
  const types = constructsTypes(root);
  const { outputFiles, metafile } = await build({ ...options, outdir: folder });
  const chunks = chunksOf(metafile, outputFiles);
  const files = new Map<string, string | Uint8Array>();
  const packs = packsOf(chunks, LAYERS);
  const wide: string[] = [];
  for (const pack of packs) {
    const { code, map, isAscii } = packText(pack);
    if (!isAscii) wide.push(pack.name);
    files.set(`${pack.name}.js`, code).set(`${pack.name}.js.map`, map);
  }
  for (const { path, contents } of outputFiles) if (path.endsWith('.LEGAL.txt')) files.set(basename(path), contents);
  const program = {
    start: chunks.find(({ entry }) => entry === START)?.name,
    packs: Object.fromEntries(packs.flatMap(({ name, chunks: held }) => held.map((chunk) => [chunk.name, name]))),
    wide,
    id: createHash('sha256')
      .update([...files.values()].join('\n'))
      .digest('hex')
      .slice(0, 16),
    ...(await knownBefore()),
  };
  const main = await build({
    ...COMMON,
    entryPoints: ['src/cli/main.ts'],
    outfile: join(folder, 'main.js'),
    format: 'cjs',
    define: { PROGRAM: JSON.stringify(program) },
  });
  for (const { path, contents } of main.outputFiles) files.set(basename(path), contents);
  const apart = await buildConstructs(root, folder, {
    ...COMMON,
    plugins: [namesOfUndici, withoutHttp2, noStrangers, colorsNotAsked],
  });
  for (const { path, contents } of apart.flatMap((one) => one.outputFiles)) files.set(relative(folder, path), contents);
  for (const [name, text] of await engineEntries(root)) files.set(name, text);
  for (const [name, text] of await types) files.set(name, text);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const provider = await buildTerraformProvider(root, folder);
  const bundled = await bundledIn(root, {
    outputs: { ...mergedMetafile([metafile, ...apart.map((one) => one.metafile)]).outputs, ...provider.outputs },
  });
  const product = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Parameters<typeof sbomOf>[0];
  files.set('THIRD-PARTY.txt', noticesOf(bundled));
  files.set(SBOM_FILE, sbomOf(product, bundled));
  files.set('package.json', '{ "type": "commonjs" }\n');
  await Promise.all([...files].map(([name, content]) => writeFile(join(folder, name), content)));
  await chmod(join(folder, 'main.js'), 0o755);
}

/** The commands, each of which has a file of compiled code of its own, and the text of `--help`. */
async function knownBefore(): Promise<{ readonly commands: readonly string[]; readonly help: string }> {
  const { buildProgram } = await import('../src/cli/program.ts');
  const printed: string[] = [];
  const output: Output = {
    result() {},
    async stream() {},
    error() {},
    raw: (_stream, text) => printed.push(text),
    async flush() {},
    unwritten: () => undefined,
  };
  const program = buildProgram('', output, async () => {});
  program.outputHelp();
  return { commands: program.commands.map((command) => command.name()), help: printed.join('') };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const stamp = await buildStamp();
  await buildTo(join(root, 'dist'));
  await stamp();
}
