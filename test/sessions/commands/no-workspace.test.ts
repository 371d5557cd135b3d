// Commands that only read, in a folder without a workspace: the environment or the options name the account.
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/server.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { memoryFolder } from '../../support/memory-folder.ts';
import { runCommand } from '../../support/processes/command.ts';

let cwd = '';
let sandbox: Sandbox;
beforeAll(async () => {
  cwd = await mkdtemp(join(memoryFolder, 'hostwright-bare-'));
  sandbox = await startSandbox();
});
afterAll(async () => {
  await sandbox.close();
  await rm(cwd, { recursive: true, force: true });
});

const run = (line: string, env: Readonly<Record<string, string>> = { HOSTWRIGHT_ACCOUNT: 'acc-acme' }) =>
  runCommand(line.split(' '), { cwd, url: sandbox.url, env });

describe('without a workspace', () => {
  it.each([
    'get sites',
    'get site shop',
    'get site id:site-shop',
    'get tasks --site shop',
    'site logs shop --since 1h',
    'site logs id:site-shop --since 1h',
    'site logs shop --summary',
    'site metrics shop --of cdn',
  ])('%s answers', async (line) => {
    const { code, stderr } = await run(line);
    expect(code, stderr).toBe(0);
  });

  it('takes the account from an option', async () => {
    const { code, stdout } = await run('get sites --account acc-acme', {});
    expect([code, stdout]).toEqual([0, expect.stringContaining('shop')]);
  });

  it('names what is missing', async () => {
    const { code, stderr } = await run('get sites', {});
    expect(code).toBe(1);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
      'Without one, this command needs `--account` or HOSTWRIGHT_ACCOUNT.',
    );
  });

  it('sends no token in the clear', async () => {
    const { code, stderr } = await run('get sites --api-url http://api.example.com');
    expect([code, stderr]).toEqual([1, expect.stringContaining('HW6002')]);
  });

  it('finds no site that is not there', async () => {
    const { code, stderr } = await run('site logs shopp');
    expect(code).toBe(1);
    expect(stderr).toContain('Did you mean');
  });

  it('writes nothing: guards stand in the workspace file', async () => {
    const { code, stderr } = await run('site purge id:site-shop --yes');
    expect([code, stderr]).toEqual([1, expect.stringContaining('HW6001')]);
  });

  it('says that `dns` needs manifests', async () => {
    const { code, stderr } = await run('dns --no-lookup');
    expect(code).toBe(1);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain('`dns` works the records out from the manifests of a workspace.');
  });
});
