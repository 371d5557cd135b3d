// Builds the Terraform provider: one file that Terraform starts, wherever it is copied to. It is started three times for
// a plan, so what no resource needs is left out.
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import type { Metafile, Plugin } from 'esbuild';

const require = createRequire(import.meta.url);

export const PROVIDER_FILE = 'terraform-provider-hostwright';

/**
 * Where the file lies it may be taken for a CommonJS module or an ES module, by its neighbours; so it is a script that
 * is both, and asks the process for the modules of Node.js.
 */
const HEAD =
  '#!/usr/bin/env node\n(function (require, module, exports) { const __place = require("url").pathToFileURL(process.argv[1]).href;';
const FOOT = "})(function (id) { return process.getBuiltinModule(id.replace(/^node:/, '')); }, { exports: {} }, {});";

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
    bundler.onLoad({ filter: /manifest\/generated\/shapes\.ts$/ }, async ({ path }) => {
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

/** Writes the provider into a folder that is there. */
export async function buildTerraformProvider(root: string, folder: string): Promise<Metafile> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/cli/terraform/provider.ts'],
    outfile: join(folder, `${PROVIDER_FILE}.cjs`),
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.18',
    minify: true,
    define: { 'import.meta.url': '__place' },
    legalComments: 'none',
    banner: { js: HEAD },
    footer: { js: FOOT },
    plugins: [withoutOthers, smallUndici, noFrames],
    logLevel: 'warning',
    // No provider block asks for it.
    external: ['pg'],
    write: false,
    metafile: true,
  });
  const file = join(folder, PROVIDER_FILE);
  await writeFile(file, outputFiles[0]?.contents ?? '');
  await chmod(file, 0o755);
  return metafile;
}
