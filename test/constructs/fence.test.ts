// The fence around a program, attacked: each way out that was found is played, and closed. On every version of Node.js by
// `npm run test:all`; the fence of Node.js alone, and the sandbox of the operating system where there is one.
import { spawnSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ProgramAccess } from '../../src/manifest/program/run-program.ts';
import { systemSandbox } from '../../src/system/sandbox.ts';
import { validateWorkspace } from '../../src/usecases/validate.ts';
import { useProgram } from '../cli/program-under-test.ts';
import { programAccess } from '../support/processes/programs.ts';
import { openHarness } from '../support/open-harness.ts';
import { openFolder } from '../support/closing.ts';
import { containing } from '../support/matchers.ts';

const CANARY = 'canary-of-the-parent';
const HEAD = "import { App, Site } from 'hostwright/constructs';\nimport fs from 'node:fs';\nconst app = new App();\n";
const TAIL = "\nnew Site(app, 'shop');\nexport default app;\n";
const WORKSPACE = `apiVersion: hostwright/v1
kind: Workspace
spec:
  account: acc-acme
  baseUrl: http://127.0.0.1:1
  secrets: { files: [secrets/alice], keep: [kept] }
`;

let outside: string;
beforeEach(async () => {
  outside = await openFolder({ secret: CANARY });
});

interface Attack {
  readonly files?: Readonly<Record<string, string>>;
  readonly links?: Readonly<Record<string, string>>;
  readonly access?: Partial<ProgramAccess>;
}

/** What becomes of a program: what is said of it, and what it printed. */
async function attacked(body: string, { files = {}, links = {}, access = {} }: Attack = {}) {
  const harness = await openHarness({
    workspace: WORKSPACE,
    files: { 'hosting.ts': `${HEAD}${body}${TAIL}`, ...files },
  });
  for (const [name, target] of Object.entries(links)) {
    await mkdir(join(harness.root, name, '..'), { recursive: true });
    await symlink(target.replace('OUTSIDE', outside), join(harness.root, name));
  }
  const programs = programAccess({ sandbox: 'none', ...access });
  const { diagnostics } = await validateWorkspace(harness.session({ programs }), ['hosting.ts']);
  return { found: diagnostics.map(({ code, detail }) => `${code} ${detail}`), said: programs.said };
}

const refusedAs = (what: string) => [containing(what)];

describe('a program beside the permissions of Node.js', () => {
  const code = JSON.stringify("require('node:fs').writeFileSync('taken', 'x')");
  it.each([
    [
      'a thread without them',
      `const { Worker } = await import('node:worker_threads');\nnew Worker(${code}, { eval: true, execArgv: [] });`,
    ],
    [
      'a thread, by require',
      `const require = (await import('node:module')).createRequire(import.meta.url);\nnew (require('worker_threads').Worker)(${code}, { eval: true, execArgv: [] });`,
    ],
    [
      'a thread, by what Node.js gives away',
      `new (process.getBuiltinModule('worker_threads').Worker)(${code}, { eval: true, execArgv: [] });`,
    ],
    [
      'the thread of the loader',
      `(await import('node:module')).register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(
        "import { Worker } from 'node:worker_threads'; new Worker('', { eval: true, execArgv: [] });",
      )}));`,
    ],
  ])('starts no thread: %s', async (_how, body) => {
    const { found } = await attacked(body);
    expect(found).toEqual(refusedAs('A program may start no threads'));
  });

  it('is given no thread that was started before it', async () => {
    const body =
      "process.on('worker', (worker) => { console.log('given'); });\nawait new Promise((go) => setTimeout(go, 50));";
    expect(await attacked(body)).toEqual({ found: [], said: [] });
  });

  it.each([
    ['process.kill', "process.kill(process.ppid, 'SIGUSR1');"],
    ['kill, imported', "(await import('node:process')).kill(process.ppid, 'SIGUSR1');"],
    ['_kill', '(process as never as { _kill(pid: number, signal: number): void })._kill(process.ppid, 10);'],
    ['_debugProcess', '(process as never as { _debugProcess(pid: number): void })._debugProcess(process.ppid);'],
  ])('sends no signal to who started it: %s', async (_how, body) => {
    const { found } = await attacked(body);
    expect(found).toEqual(refusedAs('A program may send no signal to others'));
  });

  it('opens no debugger', async () => {
    const { found } = await attacked("new (await import('node:inspector')).Session().connect();");
    expect(found).toHaveLength(1);
  });

  it.skipIf(process.getBuiltinModule('node:sqlite') === undefined)('writes no file by a database', async () => {
    const { found } = await attacked(
      "const { DatabaseSync } = process.getBuiltinModule('node:sqlite') as never as { DatabaseSync: new (file: string) => object };\nnew DatabaseSync('taken');",
    );
    expect(found).toEqual(refusedAs('A program may write no file'));
  });
});

describe('the command that runs a program', () => {
  const { folder, run } = useProgram();
  it('opens no debugger when it gets SIGUSR1', async () => {
    await writeFile(join(folder(), 'hostwright.yaml'), WORKSPACE);
    const body = "console.log('ready');\nfor (const end = Date.now() + 400; Date.now() < end;) await null;";
    await writeFile(join(folder(), 'hosting.ts'), `${HEAD}${body}${TAIL}`);
    const { stdout, stderr, code } = await run(['validate', 'hosting.ts'], {
      during: (child) => child.stderr?.on('data', (text: Buffer) => text.includes('ready') && child.kill('SIGUSR1')),
    });
    expect([code, stdout.split(':')[0]]).toEqual([0, 'Valid']);
    expect(stderr).not.toContain('Debugger');
  });
});

describe('what a program may read', () => {
  const read = (name: string): string => `console.log(fs.readFileSync('${name}', 'utf8'));`;

  it.each([
    ['in a folder of packages below', 'lib/node_modules/p'],
    ['in the folder of packages', 'node_modules/p'],
    ['in a package', 'node_modules/p/data/link'],
    ['by the name of such a folder', 'lib/node_modules'],
  ])('is nothing behind a link that leads out, %s', async (_where, name) => {
    const { found, said } = await attacked(read(`${name}/secret`), { links: { [name]: 'OUTSIDE' } });
    expect(found).toEqual(refusedAs(`\`${name}\` is a link that leads out of the workspace`));
    expect(said).toEqual([]);
  });

  it('is nothing where there is too much to look for links', async () => {
    const { found } = await attacked('', {
      files: { 'many/1': '', 'many/2': '', 'many/3': '', 'many/4': '' },
      links: { 'm/p': 'OUTSIDE' },
      access: { limits: { entries: 5 } },
    });
    expect(found).toEqual(refusedAs('HW1522 There are more than 5 files and folders beside `hosting.ts`'));
  });

  it.each([
    '.env',
    'lib/.env.local',
    '.git/config',
    '.hostwright/ledger.jsonl',
    'secrets/alice',
    'kept/bob',
    'a/.env',
    'lib/b/.git/config',
  ])('is no secret of the workspace: %s', async (name) => {
    const file = name.replace(/^(a|lib\/b)\//, '');
    const { found, said } = await attacked(read(name), {
      files: { [file]: CANARY, 'lib/other.csv': '' },
      links: { a: '.', 'lib/b': '..' },
    });
    expect(found).toEqual(refusedAs('A program may read nothing but the workspace without its secrets'));
    expect(said.join('')).not.toContain(CANARY);
  });

  it('is all the rest: beside a secret, in folders, and behind links that stay', async () => {
    const body = ["'a.csv'", "'lib/b.csv'", "'secrets/public'", "'l/b.csv'", "'all/lib/b.csv'"]
      .map((name) => `fs.readFileSync(${name});`)
      .join('\n');
    const { found } = await attacked(`${body}\nfs.readdirSync('data');`, {
      files: {
        ...{ '.env': '', 'a.csv': '', 'lib/b.csv': '', 'lib/.env': '', 'secrets/alice': '', 'secrets/public': '' },
        'data/c.csv': '',
      },
      links: { l: 'lib', all: '.' },
    });
    expect(found).toEqual([]);
  });
});

describe('the memory of a program', () => {
  it.skipIf(process.platform !== 'linux')('has the buffers in it that no heap holds', async () => {
    const { found } = await attacked('const all: Buffer[] = [];\nfor (;;) all.push(Buffer.alloc(4_000_000, 1));', {
      access: { limits: { memoryMb: 48 } },
    });
    expect(found).toEqual(refusedAs('HW1504 `hosting.ts` needed more than 48 MB of memory'));
  });
});

describe('the sandbox of the operating system', async () => {
  const sandbox = await systemSandbox(programAccess());
  const why = sandbox === undefined ? 'here is neither bwrap nor unshare that works' : sandbox.name;
  it.skipIf(sandbox === undefined)(`is around a program: ${why}`, async () => {
    const body = `const { createConnection } = await import('node:net');
const end = await new Promise((go) => createConnection({ host: '127.0.0.1', port: 9 }).on('error', (error) => go((error as { code?: string }).code)).on('connect', () => go('connected')));
console.log(process.ppid, Object.values((await import('node:os')).networkInterfaces()).flat().filter((one) => one?.internal === false).length, end);`;
    const { found, said } = await attacked(body, { access: { sandbox: sandbox as NonNullable<typeof sandbox> } });
    expect(found).toEqual([]);
    // It is alone with who started it there, or the first process itself; and no network is up.
    expect(said.join('')).toMatch(/^[012] 0 E\w+$/);
  });

  it('is only used where it works', () => {
    if (sandbox !== undefined) expect(spawnSync(sandbox.command, ['--version']).status).toBe(0);
    else expect(process.platform === 'linux' ? spawnSync('/usr/bin/unshare', ['-rn', 'true']).status : 1).not.toBe(0);
  });
});
