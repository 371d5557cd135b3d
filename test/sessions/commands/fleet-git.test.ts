// What a ledger in a Git remote costs, counted by a `git` that writes down how it is called: processes and pushes for
// one account, and for a fleet whose accounts share the remote. Counts and no times.
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/server.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { start } from '../../support/processes/command.ts';
import type { GitGround } from '../../support/processes/git.ts';
import { noGit, startGit } from '../../support/processes/git.ts';
import { manifest } from '../../support/manifests.ts';

const COUNT = 8;
const ids = Array.from({ length: COUNT }, (_, index) => `acc-${String(index + 1).padStart(5, '0')}`);
const refOf = (id: string): string => `refs/hostwright/${id}`;

let ground: GitGround | undefined;
let sandbox: Sandbox | undefined;
afterEach(async () => {
  await sandbox?.close();
  await ground?.close();
});

interface Stage {
  readonly ground: GitGround;
  readonly clone: string;
  /** Has the site of each account cached this long. */
  readonly declare: (cacheExpiration: number) => Promise<void>;
  /** Runs the built command; gives how often git was started, by its command. */
  readonly run: (cwd: string, ...args: readonly string[]) => Promise<Readonly<Record<string, number>>>;
}

async function begin(): Promise<Stage> {
  ground = await startGit();
  sandbox = await startSandbox({ scenario: `accounts:${COUNT}` });
  const { folder, env } = ground;
  const clone = await ground.clone('--depth=1');
  const calls = join(folder, 'calls');
  const shim = join(folder, 'shim');
  await mkdir(shim);
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  await writeFile(join(shim, 'git'), `#!/bin/sh\necho "$*" >> "${calls}"\nexec "${real}" "$@"\n`, { mode: 0o755 });
  const write = async (name: string, text: string): Promise<void> => {
    await mkdir(dirname(join(clone, name)), { recursive: true });
    await writeFile(join(clone, name), text);
  };
  for (const id of ids)
    await write(
      `accounts/${id}/hostwright.yaml`,
      `apiVersion: hostwright/v1\nkind: Workspace\nspec: { account: ${id}, baseUrl: "http://127.0.0.1:1", manifests: [sites], ledger: { git: { ref: ${refOf(id)} } } }\n`,
    );
  const { url } = sandbox;
  return {
    ground,
    clone,
    declare: async (cacheExpiration) => {
      for (const id of ids)
        await write(
          `accounts/${id}/sites/shop.json`,
          manifest('Site', 'shop', { domains: [`shop.${id}.example.com`], caching: { cacheExpiration } }),
        );
    },
    run: async (cwd, ...args) => {
      await writeFile(calls, '');
      const place = {
        cwd,
        url,
        env: { HOME: env.HOME ?? '', GIT_CONFIG_NOSYSTEM: '1', PATH: `${shim}${delimiter}${env.PATH ?? ''}` },
      };
      const { code, stdout, stderr } = await start(args, place).ended;
      expect(code, `${stdout}\n${stderr}`).toBe(0);
      const counts: Record<string, number> = {};
      for (const line of (await readFile(calls, 'utf8')).split('\n').filter(Boolean)) {
        const word = line
          .replace(/(^| )(-c \S+|--(?!version)\S+)/g, '')
          .trim()
          .split(' ')[0] as string;
        counts[word] = (counts[word] ?? 0) + 1;
      }
      return counts;
    },
  };
}

describe.skipIf(noGit !== undefined)('a ledger in a Git remote', () => {
  it('costs two pushes and one fetch a change, and none where nothing is to change', async () => {
    const { clone, declare, run } = await begin();
    const cwd = join(clone, 'accounts', ids[0] as string);
    await declare(77);
    await run(cwd, 'ledger', 'init');
    await run(cwd, 'apply', '--yes');
    await declare(78);
    const looks = { version: 1, config: 1, 'ls-remote': 1, 'cat-file': 2, fetch: 1 };
    expect(await run(cwd, 'plan')).toEqual(looks);
    // What a review of this clone asks of every run is read as well: on this machine, and the head of the remote.
    const applied = { ...looks, config: 3, 'ls-remote': 2, 'cat-file': 5 };
    expect(await run(cwd, 'apply', '--yes')).toEqual({ ...applied, push: 2 });
    expect(await run(cwd, 'apply', '--yes')).toEqual(looks);
  });

  it('is listed and fetched once for a whole fleet, and what its accounts write goes together', async () => {
    const stage = await begin();
    const { clone, declare, run } = stage;
    const fleet = (...args: readonly string[]) => run(clone, 'fleet', ...args, 'accounts/*');
    await declare(77);
    const begun = await fleet('ledger', 'init');
    expect(begun['ls-remote']).toBe(1);
    expect(begun.push).toBeLessThanOrEqual(2 * COUNT);
    const first = await fleet('apply', '--yes');
    expect(first.push).toBeLessThanOrEqual(2 * COUNT);
    await declare(78);
    const looks = { version: 1, config: 1, 'ls-remote': 1, 'cat-file': 2, fetch: 1 };
    expect(await fleet('plan')).toEqual(looks);
    const { push, ...rest } = await fleet('apply', '--yes');
    // Once for the plans, once for what is run; and the guards of each account here and on the default branch.
    expect(rest).toEqual({
      version: 1,
      config: 2 + 2 * COUNT,
      'ls-remote': 2 + COUNT,
      'cat-file': 4 + 3 * COUNT,
      fetch: 2,
    });
    expect(push).toBeLessThanOrEqual(2 * COUNT);
    expect(await fleet('plan', '--detailed-exitcode')).toEqual(looks);
    // No lock is left, and each account has its own entries.
    const refs = await stage.ground.git(stage.ground.bare, 'for-each-ref', '--format=%(refname)', 'refs/hostwright');
    expect(refs.split('\n')).toEqual(ids.map(refOf));
    for (const id of ids) {
      const text = await stage.ground.git(stage.ground.bare, 'cat-file', 'blob', `${refOf(id)}:ledger.jsonl`);
      expect(text).toContain(`"account":"${id}"`);
      expect(text.match(/"type":"run-finished"/g)).toHaveLength(2);
    }
  });
});
