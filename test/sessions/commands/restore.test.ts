// What docs/backup.md says to keep is enough: the lines of the page are run, what they kept is taken away and restored,
// and the next plan is as empty as before, with the same objects in the ledger and a whole history.
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { API_KEY } from '../../../src/sandbox/core/http/credentials.ts';
import type { Sandbox } from '../../../src/sandbox/server.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { nodesOf } from '../../support/markdown.ts';
import type { GitGround } from '../../support/processes/git.ts';
import { noGit, startGit } from '../../support/processes/git.ts';
import { noBash } from '../../support/processes/installed.ts';
import { runHere } from '../../support/processes/run-here.ts';
import { createDatabase, noPostgres, postgresPrograms } from '../../support/servers/postgres.ts';
import { closing, openFolder } from '../../support/closing.ts';

const page = await readFile(join(import.meta.dirname, '../../../docs/backup.md'), 'utf8');
/** The blocks of the page for a shell, in their order. */
const [file = '', mirror = '', push = '', postgres = '', after = ''] = nodesOf(page).flatMap((node) =>
  node.type === 'code' && node.lang === 'sh' ? [node.value] : [],
);
const MANIFEST =
  'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: shop, id: site-shop }\nspec:\n  caching: { cacheExpiration: 600 }\n';

let folder: string;
let sandbox: Sandbox;
beforeEach(async () => {
  folder = await openFolder();
  sandbox = closing(await startSandbox());
});

async function shell(
  lines: string,
  cwd: string,
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<void> {
  await promisify(execFile)('bash', ['-euc', lines], { cwd, env: { PATH: process.env.PATH, HOME: folder, ...env } });
}

const hostwright = (cwd: string, line: string, env: Readonly<Record<string, string | undefined>> = {}) =>
  runHere(line.split(' '), {
    cwd,
    env: { PATH: process.env.PATH, HOME: folder, HOSTWRIGHT_TOKEN: API_KEY, HOSTWRIGHT_CACHE: 'off', ...env },
    clock: sandbox.clock,
  });

async function writeWorkspace(at: string, ledger: string): Promise<void> {
  await mkdir(join(at, 'sites'), { recursive: true });
  await writeFile(join(at, 'sites/shop.yaml'), MANIFEST);
  await writeFile(
    join(at, 'hostwright.yaml'),
    `apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: ${sandbox.url}\n  manifests: [sites]\n  ledger: ${ledger}\n`,
  );
}

/** What a ledger and its history say, as JSON. */
async function told(cwd: string, env: Readonly<Record<string, string | undefined>> = {}): Promise<readonly string[]> {
  const ended = await Promise.all(['ledger list -o json', 'history -o json'].map((line) => hostwright(cwd, line, env)));
  return ended.map(({ stdout }) => stdout);
}

/** Begins a ledger, changes the account, and says what is known then. */
async function change(cwd: string, env: Readonly<Record<string, string | undefined>> = {}): Promise<readonly string[]> {
  for (const line of ['ledger init', 'apply --yes']) {
    const { code, stderr } = await hostwright(cwd, line, env);
    expect(code, stderr).toBe(0);
  }
  const known = await told(cwd, env);
  for (const text of known) expect(text).toContain('Site/shop/Caching');
  return known;
}

/** The lines of "After a restore", of which none finds anything to do. */
async function expectRestored(
  cwd: string,
  known: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
) {
  expect(await told(cwd, env)).toEqual(known);
  const lines = after.split('\n').map((line) => line.replace(/^hostwright /, '').replace(/\s+#.*/, ''));
  expect(lines).toHaveLength(4);
  for (const line of lines) {
    const { code, stdout, stderr } = await hostwright(cwd, line === 'plan' ? 'plan --detailed-exitcode' : line, env);
    expect([line, code], stdout + stderr).toEqual([line, 0]);
  }
}

describe.skipIf(noBash !== undefined)('a ledger that was kept as the page says', () => {
  it('in a file', async () => {
    await writeWorkspace(folder, '{ file: .hostwright/ledger.jsonl }');
    const known = await change(folder);
    const [backup = '', restore = ''] = file.split('\n');
    await shell(backup, folder);
    await rm(join(folder, '.hostwright'), { recursive: true });
    expect(await told(folder)).not.toEqual(known);
    await shell(restore, folder);
    await expectRestored(folder, known);
  });

  describe.skipIf(noGit !== undefined)('in Git', () => {
    let ground: GitGround;
    beforeEach(async () => {
      ground = await startGit();
    });
    afterEach(() => ground.close());

    it('is in a mirror, and from there in a new remote and its clones; a plain clone has none of it', async () => {
      const clone = await ground.clone();
      await writeWorkspace(clone, '{ git: { ref: refs/hostwright/ledgers/acc-acme } }');
      await ground.git(clone, 'add', '.');
      await ground.git(clone, 'commit', '--quiet', '-m', 'all of it');
      await ground.git(clone, 'push', '--quiet', 'origin', 'HEAD');
      const known = await change(clone, ground.env);
      const at = (lines: string): string =>
        lines
          .replaceAll('https://git.example.com/hosting.git', ground.bare)
          .replaceAll('https://git.example.com/restored.git', join(folder, 'restored.git'));
      await shell(at(mirror), folder, ground.env);
      await rm(ground.bare, { recursive: true });
      await ground.git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', 'restored.git');
      await shell(at(push), folder, ground.env);
      await ground.git(folder, 'clone', '--quiet', 'restored.git', 'fresh');
      const fresh = join(folder, 'fresh');
      expect(await ground.git(fresh, 'for-each-ref', 'refs/hostwright')).toBe('');
      await expectRestored(fresh, known, ground.env);
      const [, line = ''] = /`(git fetch origin [^`]+)`/.exec(page) ?? [];
      await shell(line, fresh, ground.env);
      expect(await ground.git(fresh, 'for-each-ref', '--format=%(refname)', 'refs/hostwright')).toContain(
        'refs/hostwright/ledgers/acc-acme',
      );
    });
  });

  it.skipIf(noPostgres !== undefined)('in PostgreSQL', async () => {
    await writeWorkspace(folder, '{ postgres: {} }');
    const [HOSTWRIGHT_DATABASE_URL, RESTORED_DATABASE_URL] = [await createDatabase(), await createDatabase()];
    const known = await change(folder, { HOSTWRIGHT_DATABASE_URL });
    await shell(postgres, folder, {
      PATH: [postgresPrograms(), process.env.PATH].join(delimiter),
      HOSTWRIGHT_DATABASE_URL,
      RESTORED_DATABASE_URL,
    });
    await expectRestored(folder, known, { HOSTWRIGHT_DATABASE_URL: RESTORED_DATABASE_URL });
  });
});
