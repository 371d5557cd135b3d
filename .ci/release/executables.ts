// Builds single executables: Node.js with the files of the npm package in it. They start with the very dist/main.js of that
// package, which finds its files inside (src/library/executable.ts).
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { arch, platform as system, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { Metafile } from 'esbuild';
import type { Bundled } from '../notices.ts';
import { bundledIn, listed } from '../notices.ts';
import type { Component, Sbom } from '../sbom.ts';
import { componentOf, purlOf, SBOM_FILE, withComponents } from '../sbom.ts';
import type { Platform } from './node-builds.ts';
import { isPlatform, NODE_VERSION, nodeBuild, PLATFORMS } from './node-builds.ts';
import { signed } from './sign-macos.ts';

const run = promisify(execFile);

/** A pack as src/cli/start/loader.ts loads it. Each package is begun when it is asked for: not every command needs both. */
const PACKAGES = `
  export const packages = {
    get pg() { return require('pg'); },
    get 'pg-boss'() { return require('pg-boss'); },
  };`;

/** The packages that npm leaves to whoever needs them, in one file. */
async function packagesWithin(root: string): Promise<{ readonly text: string; readonly metafile: Metafile }> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    stdin: { contents: PACKAGES, resolveDir: root },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node22.12',
    charset: 'ascii',
    legalComments: 'none',
    logLevel: 'warning',
    write: false,
    metafile: true,
    external: ['pg-native'],
    define: { 'import.meta.url': '__place' },
  });
  const head = '({ packages: (function (exports, load, later, require, filename) { const module = { exports: {} };';
  const text = `${head}\n${outputFiles[0]?.text ?? ''}\nexports.packages = module.exports.packages; }) })`;
  return { text, metafile };
}

/** What is in an executable and not in the npm package, as texts by their paths in that. */
async function filesWithin(root: string): Promise<Readonly<Record<string, string>>> {
  const { text, metafile } = await packagesWithin(root);
  const dist = (name: string): Promise<string> => readFile(join(root, 'dist', name), 'utf8');
  const sbom = JSON.parse(await dist(SBOM_FILE)) as Sbom;
  const known = new Set(sbom.components.map((one) => one['bom-ref']));
  const added = (await bundledIn(root, metafile)).filter(({ name, version }) => !known.has(purlOf(name, version)));
  const { licence } = await nodeBuild(root, PLATFORMS[0] as Platform);
  const node = { name: 'node', version: NODE_VERSION, license: 'MIT', texts: [await readFile(licence, 'utf8')] };
  return {
    'dist/packages.js': text,
    'dist/THIRD-PARTY.txt': `${await dist('THIRD-PARTY.txt')}\n${listed([...added, node])}`,
    [`dist/${SBOM_FILE}`]: withComponents(sbom, [...added.map(componentOf), nodeOf(node)]),
  };
}

/** Node.js itself is no package of npm. */
function nodeOf(node: Bundled): Component {
  const purl = `pkg:generic/node@${node.version}`;
  return { ...componentOf(node), 'bom-ref': purl, purl };
}

/**
 * Writes an executable for each platform, by its name; what is in them is the package as it would be published. Gives the
 * texts that stand beside them in an archive.
 */
export async function buildExecutables(
  root: string,
  files: Readonly<Partial<Record<Platform, string>>>,
): Promise<{ readonly notices: string; readonly sbom: string }> {
  const here = `${system()}-${arch()}`;
  if (!isPlatform(here)) throw new Error(`executables are not built on ${here}`);
  const { node: builder } = await nodeBuild(root, here);
  const within = await filesWithin(root);
  const folder = await mkdtemp(join(tmpdir(), 'hostwright-executables-'));
  try {
    const own = await Promise.all(
      Object.entries(within).map(async ([name, text]): Promise<[string, string]> => {
        const file = join(folder, basename(name));
        await writeFile(file, text);
        return [name, file];
      }),
    );
    const published = (await publishedFiles(root)).map((name): [string, string] => [name, join(root, name)]);
    for (const [platform, output] of Object.entries(files) as [Platform, string][]) {
      const { node } = await nodeBuild(root, platform);
      const config = join(folder, `${platform}.json`);
      const settings = {
        main: join(root, 'dist/main.js'),
        executable: node,
        output,
        disableExperimentalSEAWarning: true,
        assets: Object.fromEntries([...published, ...own]),
      };
      await writeFile(config, JSON.stringify(settings));
      await mkdir(dirname(output), { recursive: true });
      await run(builder, ['--build-sea', config]);
      if (platform.startsWith('darwin-')) await writeFile(output, signed(await readFile(output), 'hostwright'));
    }
    return { notices: within['dist/THIRD-PARTY.txt'] ?? '', sbom: within[`dist/${SBOM_FILE}`] ?? '' };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What npm would publish, by paths in the repository. */
async function publishedFiles(root: string): Promise<readonly string[]> {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const { stdout } = await run('npm', args, { cwd: root, maxBuffer: 2 ** 26 });
  const [{ files }] = JSON.parse(stdout) as readonly [{ readonly files: readonly { readonly path: string }[] }];
  return files.map(({ path }) => path);
}
