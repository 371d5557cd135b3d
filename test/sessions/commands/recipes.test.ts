// What docs/recipes.md writes into manifests, taken from the page: `plan` shows what the page promises. Its commands are
// run by test/docs-commands.test.ts.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startSandbox } from '../../../src/sandbox/core/http/server.ts';
import { memoryFolder } from '../../support/memory-folder.ts';
import { runCommand } from '../../support/processes/command.ts';

it('the rule that blocks a country is created by the plan', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/recipes.md'), 'utf8');
  const rule = /Add to `edgeRules` of the site: `([^`]+)`/.exec(page)?.[1];
  const cwd = await mkdtemp(join(memoryFolder, 'hostwright-recipes-'));
  const sandbox = await startSandbox();
  try {
    const run = (...words: readonly string[]) => runCommand(words, { cwd, url: sandbox.url });
    const made = await run('init', '--account', 'acc-acme', '--api-url', sandbox.url, '--start', 'empty', '--yes');
    expect(made.code, made.stderr).toBe(0);
    await writeFile(
      join(cwd, 'manifests/shop.yaml'),
      `apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: shop, id: site-shop }\nspec:\n  edgeRules:\n    - ${rule}\n`,
    );
    const { stdout, stderr } = await run('plan');
    expect(`${stdout}${stderr}`).toMatch(/\+ .*Blocked countries/);
  } finally {
    await sandbox.close();
    await rm(cwd, { recursive: true, force: true });
  }
});
