// docs/node.md, as a reader has it: the package packed and installed, the code of the page run and compiled.
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { nodesOf } from '../support/markdown.ts';
import type { Installed } from '../support/processes/installed.ts';
import { installed, noBash } from '../support/processes/installed.ts';
import { isWhole } from '../support/whole.ts';

const root = join(import.meta.dirname, '../..');

let ground: Installed | undefined;
const sandboxes: Sandbox[] = [];
afterEach(async () => {
  await ground?.close();
  await Promise.all(sandboxes.splice(0).map((one) => one.close()));
  ground = undefined;
});

/** Each block of code, and what it prints by the block of text after it. */
async function examples(): Promise<readonly { readonly code: string; readonly printed: string }[]> {
  const page = nodesOf(await readFile(join(root, 'docs/node.md'), 'utf8'));
  const blocks = page.flatMap((node) => (node.type === 'code' ? [node] : []));
  return blocks.flatMap((block, index) => {
    const after = blocks[index + 1];
    return block.lang === 'js' ? [{ code: block.value, printed: after?.lang === 'text' ? after.value : '' }] : [];
  });
}

it.skipIf(noBash !== undefined || !isWhole)(
  'the code of the page "From Node" compiles, and prints what the page says',
  async () => {
    const shown = await examples();
    expect(shown.length).toBeGreaterThan(3);
    ground = await installed();
    const { folder, run } = ground;
    for (const name of ['acme', 'beta']) {
      const sandbox = await startSandbox({});
      sandboxes.push(sandbox);
      const cwd = join(folder, 'accounts', name);
      await mkdir(cwd, { recursive: true });
      const init = `hostwright init --account acc-acme --api-url ${sandbox.url} --start export --ledger file --yes`;
      const begun = await run(init, { cwd, env: { HOSTWRIGHT_TOKEN: 'sandbox-api-key' } });
      expect(begun.code, begun.stderr).toBe(0);
      const shop = join(cwd, 'manifests/sites/shop.yaml');
      await writeFile(shop, (await readFile(shop, 'utf8')).replace('cacheExpiration: 3600', 'cacheExpiration: 7200'));
    }
    for (const [index, { code, printed }] of shown.entries()) {
      await writeFile(join(folder, `example-${index}.mts`), code);
      await writeFile(join(folder, `example-${index}.mjs`), code);
      const ended = await run(`node example-${index}.mjs`, { env: { ACME_TOKEN: 'sandbox-api-key' } });
      expect(ended).toEqual({ code: 0, stdout: `${printed}\n`, stderr: '' });
    }
    await mkdir(join(folder, 'node_modules/@types'), { recursive: true });
    for (const name of ['typescript', '@types/node'])
      await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name));
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: { strict: true, noEmit: true, module: 'nodenext', target: 'es2023', types: ['node'] },
        include: ['*.mts'],
      }),
    );
    expect(await run('node node_modules/typescript/bin/tsc')).toEqual({ code: 0, stdout: '', stderr: '' });
  },
);
