// `hostwright serve receiver` as its user starts it, and a program that takes its runs.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { commandDispatcher } from '../../src/events/command-dispatcher.ts';
import { runHere } from '../support/processes/run-here.ts';
import { workspaceFile } from '../support/manifests.ts';
import { SECRET, siteEvent } from './ground.ts';
import { freePort } from '../support/servers/plain.ts';
import { openFolder } from '../support/closing.ts';
import { containing } from '../support/matchers.ts';

let folder = '';
beforeEach(async () => {
  folder = await openFolder({ 'hostwright.yaml': workspaceFile('') });
});

async function program(text: string): Promise<string> {
  const file = join(folder, 'start-run');
  await writeFile(file, `#!/bin/sh\n${text}\n`, { mode: 0o700 });
  return file;
}

describe('the command', () => {
  it('takes messages until SIGTERM, and hands their runs to a program', async () => {
    await program('cat >>taken; env >>variables; echo kept');
    const port = await freePort();
    const env = {
      PATH: process.env.PATH,
      HOSTWRIGHT_HOOK_AUTHORIZATION: `${SECRET}\nanother secret of before`,
      HOSTWRIGHT_TOKEN_X: 'not given',
    };
    const argv = [
      'serve',
      'receiver',
      '.',
      '--listen',
      `127.0.0.1:${port}`,
      '--dispatch',
      'command',
      '--command',
      './start-run',
    ];
    const ended = runHere(argv, { cwd: folder, env });
    const url = `http://127.0.0.1:${port}`;
    const isUp = async () => (await fetch(`${url}/healthz`).catch(() => undefined))?.status;
    await expect.poll(isUp).toBe(200);
    const post = (authorization: string) =>
      fetch(`${url}/webhooks`, {
        method: 'POST',
        headers: { authorization },
        body: JSON.stringify(siteEvent('created', { name: 'x"; rm -rf $HOME' })),
      });
    expect((await post('wrong')).status).toBe(401);
    expect((await post('another secret of before')).status).toBe(202);
    expect((await post(SECRET)).status).toBe(200);
    process.emit('SIGTERM');
    const { code, stdout, stderr } = await ended;
    expect([code, stderr]).toEqual([0, containing('Stopping')]);
    const why = 'site x"; rm -rf $HOME: created';
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toMatchObject([
      { level: 'info', event: 'receiver-started', listen: url, accounts: 1, dispatch: 'command' },
      { level: 'warning', event: 'answered', status: 401, result: 'refused' },
      { event: 'program-said', message: 'kept' },
      {
        event: 'answered',
        status: 202,
        message: 'Taken by the program: drift of everything in account acc-acme.',
        request: { account: 'acc-acme', run: 'drift', why },
      },
      { event: 'answered', status: 200, result: 'nothing' },
      { event: 'receiver-stopping' },
      { event: 'receiver-stopped' },
    ]);
    expect(stdout).not.toContain('0123456789');
    expect(JSON.parse(await readFile(join(folder, 'taken'), 'utf8'))).toEqual({
      account: 'acc-acme',
      run: 'drift',
      why,
    });
    const variables = await readFile(join(folder, 'variables'), 'utf8');
    expect(variables).toContain(`HOSTWRIGHT_RUN_WHY=${why}\n`);
    expect(variables).not.toMatch(/HOSTWRIGHT_(?!RUN)/);
  });

  it.each<readonly [string, readonly string[], Readonly<Record<string, string>>, string]>([
    ['without a secret', ['--dispatch', 'command', '--command', 'true'], {}, 'HW7101'],
    [
      'with a short one',
      ['--dispatch', 'command', '--command', 'true'],
      { HOSTWRIGHT_HOOK_AUTHORIZATION: 'abc' },
      'HW7101',
    ],
    [
      'with one that is long by its scheme alone',
      ['--dispatch', 'command', '--command', 'true'],
      { HOSTWRIGHT_HOOK_AUTHORIZATION: 'Bearer 123456789' },
      'HW7101',
    ],
    ['without a program', ['--dispatch', 'command'], { HOSTWRIGHT_HOOK_AUTHORIZATION: SECRET }, 'HW7102'],
    ['without a token of GitHub', ['--dispatch', 'github', '--repository', 'a/b'], {}, 'HW7102'],
    ['without a token of GitLab', ['--dispatch', 'gitlab', '--project', 'a/b'], {}, 'HW7102'],
    ['without a folder', ['--dispatch', 'command', '--command', 'true'], { folder: 'nowhere' }, 'HW6901'],
  ])('does not start %s', async (_how, argv, { folder: named = '.', ...env }, code) => {
    const ended = await runHere(['serve', 'receiver', named, ...argv, '--listen', '127.0.0.1:0'], { cwd: folder, env });
    expect([ended.code, ended.stderr]).toEqual([1, containing(code)]);
  });
});

describe('a program that takes runs', () => {
  const request = { account: 'acc-acme', run: 'apply', why: 'a test' } as const;
  const dispatch = (file: string, said: string[] = []) =>
    commandDispatcher({ program: file, cwd: folder, env: process.env, say: (line) => said.push(line) }).dispatch(
      request,
    );

  it('has not taken it when it fails, is not there, or does not read', async () => {
    const said: string[] = [];
    await expect(dispatch(await program('echo no room >&2; exit 7'), said)).rejects.toThrow('exit code 7');
    expect(said).toEqual(['no room']);
    await expect(dispatch(join(folder, 'nowhere'))).rejects.toThrow('it could not be started');
    await expect(dispatch(await program('exec true'))).resolves.toBeUndefined();
  });
});
