// Commands that only read, in a folder without a workspace: the environment or the options name the account.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCommandLine } from '../../support/command-line.ts';
import { containing } from '../../support/matchers.ts';

/** Runs a line where no workspace is. */
async function run(line: string, env: Readonly<Record<string, string>> = { HOSTWRIGHT_ACCOUNT: 'acc-acme' }) {
  const one = await openCommandLine({}, env);
  await rm(join(one.root, 'hostwright.yaml'));
  return one.run(line);
}

describe('without a workspace', () => {
  it.each([
    'get sites',
    'get site shop',
    'get site id:site-shop',
    'get tasks --site shop',
    'get logs --site shop --since 1h',
    'get logs --site id:site-shop --since 1h',
    'get logs summary --site shop',
    'get metrics cdn --site shop',
    'get cms-users --site shop',
    'get prices new.com',
  ])('%s answers', async (line) => {
    const { code, stderr } = await run(line);
    expect(code, stderr).toBe(0);
  });

  it('takes the account from an option', async () => {
    const { code, stdout } = await run('get sites --account acc-acme', {});
    expect([code, stdout]).toEqual([0, containing('shop')]);
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
    expect([code, stderr]).toEqual([1, containing('HW6002')]);
  });

  it('finds no site that is not there', async () => {
    const { code, stderr } = await run('get logs --site shopp');
    expect(code).toBe(1);
    expect(stderr).toContain('Did you mean');
  });

  it('writes nothing: guards stand in the workspace file', async () => {
    const { code, stderr } = await run('run purge Site/id:site-shop --yes');
    expect([code, stderr]).toEqual([1, containing('HW6001')]);
  });

  it('says that `dns` needs manifests', async () => {
    const { code, stderr } = await run('dns --no-lookup');
    expect(code).toBe(1);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain('`dns` works the records out from the manifests of a workspace.');
  });
});
