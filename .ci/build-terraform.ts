// Builds the Terraform provider: one file that Terraform starts, wherever it is copied to. It is started three times for
// a plan, so what no resource needs is left out, and all that the start itself does not need is a text in a comment at
// the end, packed, which V8 passes over.
import { createHash } from 'node:crypto';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import type { BuildOptions, Metafile, Plugin } from 'esbuild';
import { deflateRawSync } from 'node:zlib';

const require = createRequire(import.meta.url);

export const PROVIDER_FILE = 'terraform-provider-hostwright';

/**
 * A shell and Node.js both read the second line: the shell says what is missing, or gives its place to Node.js. Terraform
 * shows what stands there in place of a handshake, but may miss it where the process ends at once. Where the file lies it
 * may be taken for a CommonJS module or an ES module, by its neighbours; so it is a script that is both, and asks the
 * process for the modules of Node.js.
 */
const HEAD = [
  '#!/bin/sh',
  `":" //; command -v node >/dev/null 2>&1 || { echo "${needsNode('no node is on the PATH')}"; /bin/sleep 1; exit 1; }; exec node "$0" "$@"`,
  `;if (!process.getBuiltinModule) { console.log("${needsNode('this is " + process.version + "')}"); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000); process.exit(1); }`,
  '(function (require, module, exports) {',
].join('\n');
const FOOT = "})(function (id) { return process.getBuiltinModule(id.replace(/^node:/, '')); }, { exports: {} }, {});";

function needsNode(found: string): string {
  return `The hostwright provider is a program for Node.js 20.18.1 or newer, and ${found}.`;
}

/** Documents that no configuration of Terraform becomes: profiles are its modules, the workspace is its provider block. */
const NO_DOCUMENTS = ['SiteProfile', 'Workspace'];

/** The validators of the documents that there are: they are the largest part of it. */
const withoutOthers: Plugin = {
  name: 'without-other-documents',
  setup(bundler) {
    bundler.onLoad({ filter: /manifest\/generated\/validators\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const names = [...text.matchAll(/^var validate([A-Z]\w*) = /gm)].map(([, kind = '']) => kind);
      const kept = names.filter((kind) => !NO_DOCUMENTS.includes(kind)).map((kind) => `validate${kind}`);
      const { outputFiles } = await build({
        stdin: {
          contents: withoutMarks(text).replace(/export \{[^}]*\};\s*$/, `export { ${kept.join(', ')} };`),
          resolveDir: dirname(path),
        },
        platform: 'node',
        treeShaking: true,
        bundle: true,
        format: 'esm',
        write: false,
      });
      return { contents: outputFiles[0]?.text ?? '', loader: 'js' };
    });
    bundler.onLoad({ filter: /manifest\/generated\/workspace-validator\.js$/ }, () => ({
      contents: "export function validateWorkspace() { throw new Error('the provider reads no workspace file'); }",
    }));
    bundler.onLoad({ filter: /manifest\/generated\/validator-table\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const contents = NO_DOCUMENTS.reduce(
        (left, kind) => left.replace(new RegExp(`^  ${kind}: validate${kind},\\n`, 'm'), ''),
        text,
      );
      if (contents.length === text.length) throw new Error(`${path} names its validators in another way`);
      return { contents, loader: 'ts' };
    });
  },
};

/** What a validator says of itself keeps it from being left out; those of these documents say it to nobody. */
function withoutMarks(text: string): string {
  return NO_DOCUMENTS.reduce((left, kind) => {
    const start = left.indexOf(`var validate${kind} = `);
    if (start === -1) return left;
    const next = left.slice(start + 1).search(/^(var validate[A-Z]|export \{)/m);
    const end = next === -1 ? left.length : start + 1 + next;
    const part = left.slice(start, end).replace(/^validate\d+\.evaluated = \{[^}]*\};$/gm, '');
    return left.slice(0, start) + part + left.slice(end);
  }, text);
}

/** Of undici, what moves bytes; its fetch, its web sockets and its mocks are not used here. */
const smallUndici: Plugin = {
  name: 'small-undici',
  setup(bundler) {
    // Its parser is there twice, once for machines that are quicker with it; the plain one runs everywhere.
    bundler.onResolve({ filter: /llhttp_simd-wasm/ }, ({ path, resolveDir }) => ({
      path: require.resolve(join(resolveDir, path.replace('_simd', ''))),
    }));
    bundler.onResolve({ filter: /^undici$/ }, () => ({ path: 'undici', namespace: 'small-undici' }));
    bundler.onLoad({ filter: /.*/, namespace: 'small-undici' }, () => ({
      contents: [
        "const Dispatcher = require('./node_modules/undici/lib/dispatcher/dispatcher.js');",
        "Object.assign(Dispatcher.prototype, require('./node_modules/undici/lib/api/index.js'));",
        "exports.Pool = require('./node_modules/undici/lib/dispatcher/pool.js');",
        "exports.EnvHttpProxyAgent = require('./node_modules/undici/lib/dispatcher/env-http-proxy-agent.js');",
      ].join('\n'),
      resolveDir: bundler.initialOptions.absWorkingDir ?? '.',
    }));
  },
};

/** Frames are lines of a file, and what Terraform hands over is in none. */
const noFrames: Plugin = {
  name: 'no-frames',
  setup(bundler) {
    bundler.onResolve({ filter: /^@babel\/code-frame$/ }, ({ path }) => ({ path, namespace: 'no-frames' }));
    bundler.onLoad({ filter: /.*/, namespace: 'no-frames' }, () => ({
      contents: "export const codeFrameColumns = () => '';",
    }));
  },
};

/** Names are written without regard to a language, and the patterns of all of them take long to make. */
const withoutLanguages: Plugin = {
  name: 'without-languages',
  setup(bundler) {
    bundler.onLoad({ filter: /@sindresorhus[\\/]transliterate[\\/]index\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const contents = text.replace(
        /^for \(const \[locale, localeMap\] of Object\.entries\(localeReplacements\)\) \{[^]*?^\}/m,
        '',
      );
      if (contents === text) throw new Error(`${path} is not as this expects it`);
      return { contents };
    });
  },
};

const COMMON = {
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20.18',
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
  write: false,
  metafile: true,
} as const satisfies BuildOptions;

/** What stands around the text of the engine: a comment ends at the first of these, and Base64 has none. */
const [BEFORE, AFTER] = ['\n/*', '*/\n'];

/** Writes the provider into a folder that is there. */
export async function buildTerraformProvider(root: string, folder: string): Promise<Metafile> {
  const engine = await build({
    ...COMMON,
    absWorkingDir: root,
    entryPoints: ['src/cli/terraform/engine.ts'],
    outfile: join(folder, `${PROVIDER_FILE}-engine.cjs`),
    define: { 'import.meta.url': '__place' },
    plugins: [withoutOthers, withoutLanguages, smallUndici, noFrames],
    // `pg` works without it.
    external: ['pg-native'],
  });
  const pack = asPack(engine.outputFiles[0]?.text ?? '');
  const packed = deflateRawSync(pack, { level: 9 }).toString('base64');
  const id = createHash('sha256').update(pack).digest('hex').slice(0, 16);
  const start = await build({
    ...COMMON,
    absWorkingDir: root,
    entryPoints: ['src/cli/terraform/provider.ts'],
    outfile: join(folder, `${PROVIDER_FILE}.cjs`),
    // An old Node.js has to read this file to the end before it can say that it is too old.
    target: 'node10',
    define: { ENGINE: JSON.stringify({ length: packed.length, after: AFTER.length, id }) },
    banner: { js: HEAD },
    footer: { js: FOOT },
  });
  const file = join(folder, PROVIDER_FILE);
  await writeFile(file, [start.outputFiles[0]?.text ?? '', BEFORE, packed, AFTER].join(''));
  await chmod(file, 0o755);
  return {
    inputs: { ...start.metafile.inputs, ...engine.metafile.inputs },
    outputs: { ...start.metafile.outputs, ...engine.metafile.outputs },
  };
}

/** A program as src/cli/start/loader.ts loads it, in ASCII: what is not is in regular expressions alone. */
function asPack(program: string): string {
  const head =
    '({ engine: (function (exports, load, later, require, filename) { const module = { exports: {} }, __place = require("url").pathToFileURL(filename).href;';
  const foot = 'Object.assign(exports, module.exports); }) })';
  return `${head}\n${program}\n${foot}`.replace(
    /[\u0080-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
