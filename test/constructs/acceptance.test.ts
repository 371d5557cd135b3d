// What `init --lang ts` begins, from the packed tarball in an empty folder, with the real compiler and the real test
// runner: it compiles, its test passes, it makes YAML, and its lines are named.
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/core/http/server.ts';
import { startSandbox } from '../../src/sandbox/core/http/server.ts';
import type { Installed } from '../support/installed.ts';
import { noBash, packed } from '../support/installed.ts';
import { isWhole } from '../support/whole.ts';

const modules = join(import.meta.dirname, '../../node_modules');

let installed: Installed | undefined;
let sandbox: Sandbox | undefined;
afterEach(async () => {
  await installed?.close();
  await sandbox?.close();
  [installed, sandbox] = [undefined, undefined];
});

it.skipIf(!isWhole || noBash !== undefined)(
  'a repository of programs from its first command to its plan',
  async () => {
    installed = await packed();
    sandbox = await startSandbox({});
    const { folder, run } = installed;
    await run('npm init -y && npm install hostwright-*.tgz');
    await mkdir(join(folder, 'node_modules/.bin'), { recursive: true });
    for (const name of ['typescript', 'vitest']) await symlink(join(modules, name), join(folder, 'node_modules', name));
    const ended = async (line: string, env: Readonly<Record<string, string>> = {}) => {
      const { code, stdout, stderr } = await run(line, { env });
      return { code, printed: `${stdout}${stderr}` };
    };
    const begun = await ended(
      `hostwright init --lang ts --account acc-acme --api-url ${sandbox.url} --ci github --yes`,
    );
    expect(begun).toMatchObject({ code: 1, printed: expect.stringContaining('origin') as string });
    const init = `hostwright init --lang ts --account acc-acme --api-url ${sandbox.url} --ci github --ledger file --yes`;
    expect((await ended(init)).code).toBe(0);
    const plan = await readFile(join(folder, '.github/workflows/hostwright-pull-request.yml'), 'utf8');
    expect(plan).toContain('synth --check');
    expect(plan.slice(plan.indexOf('  synth:'), plan.indexOf('  plan:'))).not.toContain('secrets.');
    expect(await ended('node node_modules/typescript/bin/tsc --noEmit')).toEqual({ code: 0, printed: '' });
    expect(await ended('node node_modules/vitest/vitest.mjs run')).toMatchObject({
      code: 0,
      printed: expect.stringContaining('2 passed') as string,
    });
    expect((await ended('hostwright synth && hostwright synth --check')).code).toBe(0);
    const program = await readFile(join(folder, 'hosting.ts'), 'utf8');
    await writeFile(join(folder, 'hosting.ts'), program.replace('3600', '7200'));
    const token = { HOSTWRIGHT_TOKEN: 'sandbox-api-key' };
    expect((await ended('hostwright plan hosting.ts', token)).printed).toMatch(/hosting\.ts:\d+:\d+/);
    expect((await ended('hostwright synth --check')).code).toBe(2);
    const refused = await ended('hostwright plan hosting.ts', { HOSTWRIGHT_TOKEN: 'canary', CI: 'true' });
    expect(refused).toMatchObject({ code: 1, printed: expect.stringContaining('HW1506') as string });
    expect(refused.printed).not.toContain('canary');
  },
  120_000,
);
