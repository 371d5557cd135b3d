// The loader of the built program: what it loads, and which compiled code it takes.
import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { classic, packText, packsOf } from '../../../.ci/packs.ts';
import type { Chunk } from '../../../.ci/packs.ts';
import type { CacheFolder } from '../../../src/cli/start/cache-folder.ts';
import { createLoader } from '../../../src/cli/start/loader.ts';
import { noGit, startGit } from '../../support/processes/git.ts';
import { openFolder } from '../../support/closing.ts';
import { matching } from '../../support/matchers.ts';

let folder: string;
beforeEach(async () => {
  folder = await openFolder();
});

const require = createRequire(import.meta.url);
const MAP = '{"version":3,"sources":[],"names":[],"mappings":""}';
const chunk = (name: string, code: string, needs: readonly string[] = []): Chunk => ({
  name,
  code,
  map: MAP,
  needs,
  entry: `src/${name}.ts`,
});
const CHUNKS = [
  chunk('shared', 'function one() { return 1; }\nexport { one };\n'),
  chunk(
    'begin',
    'import { one } from "./shared.js";\nimport { sep } from "node:path";\nvar add = (n) => n + one();\nvar late = () => import("./end.js");\nexport { add, late as later, sep };\n',
    ['shared'],
  ),
  chunk('end', 'import { one as first } from "./shared.js";\nvar two = first() + 1;\nexport { two };\n', ['shared']),
];

/** A cache in memory that counts. */
function memory(files = new Map<string, Buffer>()) {
  let writes = 0;
  const cache: CacheFolder = {
    read: (name) => files.get(name),
    open: (name) => {
      const bytes = files.get(name);
      const part = (at: number, length: number) =>
        bytes === undefined || at + length > bytes.length ? undefined : bytes.subarray(at, at + length);
      return bytes && { size: bytes.length, part };
    },
    write: (name, parts) => {
      writes += 1;
      files.set(name, Buffer.concat(parts));
    },
  };
  return { cache, files, writes: () => writes };
}

async function writePacks(id = 'one') {
  const packs = packsOf(CHUNKS, { start: ['src/begin.ts'] });
  for (const pack of packs) await writeFile(join(folder, `${pack.name}.js`), packText(pack).code);
  return {
    id,
    wide: [],
    packs: Object.fromEntries(packs.flatMap(({ name, chunks }) => chunks.map((one) => [one.name, name]))),
  };
}

type Begin = { readonly add: (n: number) => number; readonly later: () => Promise<{ readonly two: number }> };

describe('packs', () => {
  it('hold what is loaded together; what several of them need is one more', () => {
    const chunks = [...CHUNKS, chunk('other', '', ['shared', 'far']), chunk('next', '', ['far']), chunk('far', '')];
    const layers = { start: ['src/begin.ts'], other: ['src/other.ts'], next: ['src/next.ts'] };
    expect(packsOf(chunks, layers).map(({ name, chunks: held }) => [name, held.map((one) => one.name)])).toEqual([
      ['start', ['shared', 'begin']],
      ['common', ['far']],
      ['other', ['other']],
      ['next', ['next']],
      ['end', ['end']],
    ]);
  });

  it('hold what is loaded together, and the rest one by one', () => {
    const dealt = packsOf(CHUNKS, { start: ['src/begin.ts'] }).map(({ name, chunks }) => [name, chunks.length]);
    expect(dealt).toEqual([
      ['start', 2],
      ['end', 1],
    ]);
    expect(() => packsOf(CHUNKS, { start: ['src/gone.ts'] })).toThrow('src/gone.ts');
  });

  it('have each line where the chunk had it', () => {
    const lines = classic('import {\n  a,\n  b\n} from "./x.js";\nvar c = a;\nexport {\n  c\n};').split('\n');
    expect(lines[4]).toBe('var c = a;');
    expect(classic('var r = /\u2026/u, s = /\u2026/; // \u2026')).toBe('var r = /\\u{2026}/u, s = /\\u2026/; // ?');
  });

  it('cannot hold what others would see change, or what waits', () => {
    expect(() => classic('var a = 1; a = 2; export { a };')).toThrow('assigns to a');
    expect(() => classic('await 1;')).toThrow('waits');
    expect(() => classic('export default 1;')).toThrow('ExportDefaultDeclaration');
  });
});

describe('the loader', () => {
  it('runs each chunk once, and keeps what a run needed', async () => {
    const program = await writePacks();
    const { cache, files, writes } = memory();
    const run = async (needsEnd: boolean): Promise<void> => {
      const loader = createLoader(folder, program, { cache, command: 'plan', flags: [], require });
      const begin = loader.load('begin') as unknown as Begin;
      expect(begin.add(1)).toBe(2);
      expect(begin).toBe(loader.load('begin'));
      if (needsEnd) expect((await begin.later()).two).toBe(2);
      loader.keep();
    };
    await run(false);
    expect(writes()).toBe(1);
    await run(false);
    expect(writes()).toBe(1);
    // A run that needed more adds it; one that needs less takes nothing away.
    await run(true);
    expect(writes()).toBe(2);
    await run(false);
    await run(true);
    expect(writes()).toBe(2);
    expect([...files.keys()]).toEqual([matching(/^code-plan-one-/)]);
  });

  it('takes no compiled code that is damaged, cut off, or of other packs, and writes it anew', async () => {
    const program = await writePacks();
    const { cache, files, writes } = memory();
    const run = (given = program): void => {
      const loader = createLoader(folder, given, { cache, command: 'plan', flags: [], require });
      expect((loader.load('begin') as unknown as Begin).add(1)).toBe(2);
      loader.keep();
    };
    run();
    const [[name, whole]] = [...files] as [[string, Buffer]];
    const spoilt = (spoil: (bytes: Buffer) => Buffer): void => {
      files.set(name, spoil(Buffer.from(whole)));
      const before = writes();
      run();
      expect(writes()).toBe(before + 1);
    };
    spoilt((bytes) => bytes.subarray(0, bytes.length - 1));
    spoilt((bytes) => bytes.subarray(0, bytes.length / 2));
    spoilt(() => Buffer.alloc(0));
    spoilt((bytes) => Buffer.alloc(bytes.length));
    for (let at = 0; at < whole.length; at += Math.ceil(whole.length / 40))
      spoilt((bytes) => {
        bytes[at] = (bytes[at] as number) ^ 1;
        return bytes;
      });
    // A pack that was changed by hand, to one of the same length.
    const before = writes();
    await utimes(join(folder, 'start.js'), 1, 1);
    run();
    expect(writes()).toBe(before + 1);
    run({ ...program, id: 'two' });
    expect(files.size).toBe(2);
  });

  it('works without a cache', async () => {
    const loader = createLoader(folder, await writePacks(), { cache: undefined, command: 'plan', flags: [], require });
    expect((loader.load('begin') as unknown as Begin).add(1)).toBe(2);
    expect(() => loader.keep()).not.toThrow();
  });
});

describe('the built program', () => {
  const main = join(import.meta.dirname, '../../../dist/main.js');
  const PRELOAD =
    "process.on('exit', () => require('fs').writeSync(2, JSON.stringify(process.moduleLoadList.filter((name) => name.startsWith('NativeModule ')).map((name) => name.slice(13)))));";

  /** What a command loads: packs with their sizes, from what it keeps, and modules of Node.js. */
  async function loadedBy(...args: readonly string[]) {
    await writeFile(join(folder, 'preload.cjs'), PRELOAD);
    const cache = join(folder, 'cache');
    await rm(cache, { recursive: true, force: true });
    const env = { PATH: process.env.PATH, XDG_CACHE_HOME: cache, CI: 'true' };
    const run = () =>
      spawnSync(process.execPath, ['-r', join(folder, 'preload.cjs'), main, ...args], {
        env,
        cwd: folder,
        encoding: 'utf8',
      });
    const first = run();
    const kept = await readdir(join(cache, 'hostwright'));
    expect(kept).toHaveLength(1);
    const text = await readFile(join(cache, 'hostwright', kept[0] as string), 'latin1');
    const second = run();
    expect({ status: second.status, stdout: second.stdout }).toEqual({ status: first.status, stdout: first.stdout });
    expect(await readFile(join(cache, 'hostwright', kept[0] as string), 'latin1')).toBe(text);
    const packs = JSON.parse(text.split('\n')[1] as string) as readonly {
      readonly name: string;
      readonly bytes: number;
    }[];
    return { packs, builtins: JSON.parse(second.stderr) as readonly string[], stdout: second.stdout };
  }
  const SITE = 'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: shop, id: site-shop }\nspec: {}\n';
  const WORKSPACE =
    'apiVersion: hostwright/v1\nkind: Workspace\nspec: { account: a, baseUrl: "http://127.0.0.1:1", manifests: [sites] }\n';
  const HEAVY = ['crypto', 'child_process', 'net', 'tls', 'http', 'zlib', 'readline'];

  it('has the help ready, and it is that of the program', async () => {
    const env = { PATH: process.env.PATH, XDG_CACHE_HOME: join(folder, 'cache') };
    const run = (...args: readonly string[]) =>
      spawnSync(process.execPath, [main, ...args], { env, cwd: folder, encoding: 'utf8' });
    const ready = run('--help');
    expect(ready).toMatchObject({ status: 0, stderr: '' });
    expect(run('-h').stdout).toBe(ready.stdout);
    // Nothing was loaded for it.
    expect(await readdir(folder)).toEqual([]);
    expect(run('--quiet', '--help').stdout).toBe(ready.stdout);
    expect(await readdir(folder)).toEqual(['cache']);
  });

  it('takes globs of folders', async () => {
    await mkdir(join(folder, 'accounts/one'), { recursive: true });
    await writeFile(join(folder, 'accounts/one/hostwright.yaml'), WORKSPACE);
    const { stdout } = await loadedBy('fleet', 'list', 'accounts/*');
    expect(stdout).toContain('accounts/one');
  });

  it('loads for the help of many commands what has the help in it, and nothing else', async () => {
    const { packs, builtins, stdout } = await loadedBy('--quiet', '--help');
    expect(stdout).toContain('Usage: hostwright');
    expect(packs.map(({ name }) => name)).toEqual(['start']);
    expect(packs.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(515_000);
    expect(builtins.filter((name) => HEAVY.includes(name))).toEqual([]);
  });

  it('loads for one manifest neither network nor planner', async () => {
    await writeFile(join(folder, 'shop.yaml'), SITE);
    const { packs, builtins, stdout } = await loadedBy('validate', 'shop.yaml');
    expect(stdout).toContain('Valid: 1 manifest');
    expect(packs.map(({ name }) => name)).toEqual(['start', 'validate', 'common']);
    expect(packs.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(2_650_000);
    expect(builtins.filter((name) => name !== 'net' && HEAVY.includes(name))).toEqual([]);
  });

  it.skipIf(noGit !== undefined)(
    'loads for a plan of what changed, where nothing did, no kind and no network',
    async () => {
      const git = await startGit();
      const workspace = join(folder, 'workspace');
      await mkdir(join(workspace, 'sites'), { recursive: true });
      await writeFile(join(workspace, 'sites', 'shop.yaml'), SITE);
      await writeFile(join(workspace, 'hostwright.yaml'), WORKSPACE);
      for (const args of [
        ['init', '-q'],
        ['add', '.'],
        ['commit', '-q', '-m', 'base'],
      ])
        await git.git(workspace, ...args);
      const config = join(workspace, 'hostwright.yaml');
      const { packs, builtins, stdout } = await loadedBy(
        'plan',
        '--quiet',
        '--changed-since',
        'HEAD',
        '--config',
        config,
      );
      await git.close();
      expect(stdout).toContain('Looked at none of 1 file');
      expect(packs.map(({ name }) => name)).toEqual(['start', 'nothing', 'common']);
      expect(packs.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(1_500_000);
      const tooMuch = [
        'tls',
        'http',
        'zlib',
        'readline',
        'worker_threads',
        'crypto',
        'fs/promises',
        'perf_hooks',
        'tty',
      ];
      expect(builtins.filter((name) => tooMuch.includes(name))).toEqual([]);
    },
  );

  it('keeps nothing with --no-cache, or where HOSTWRIGHT_CACHE or NODE_DISABLE_COMPILE_CACHE say so', async () => {
    const cache = join(folder, 'none');
    const env = { PATH: process.env.PATH, XDG_CACHE_HOME: cache };
    const run = (args: readonly string[], more: Readonly<Record<string, string>> = {}): number | null =>
      spawnSync(process.execPath, [main, ...args], { env: { ...env, ...more }, cwd: folder }).status;
    expect(run(['explain', 'Site', '--no-cache'])).toBe(0);
    expect(run(['explain', 'Site'], { HOSTWRIGHT_CACHE: 'off' })).toBe(0);
    expect(run(['explain', 'Site'], { NODE_DISABLE_COMPILE_CACHE: '1' })).toBe(0);
    expect(await readdir(folder)).toEqual([]);
  });
});
