// What a bare `hostwright` prints.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EVERYDAY } from '../../src/cli/program.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { closing } from '../support/closing.ts';
import { useProgram } from './program-under-test.ts';

const { folder, run } = useProgram();

const SITE =
  'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: shop, id: site-shop }\nspec: { caching: { cacheExpiration: 60 } }\n';

/** Runs in a workspace of its own with this ledger. Returns the lines that are printed. */
async function printed(name: string, ledger: string, before?: (at: string[], url: string) => Promise<void>) {
  const { url } = closing(await startSandbox({ scenario: 'small' }));
  const root = join(folder(), name);
  await mkdir(root, { recursive: true });
  const config = join(root, 'hostwright.yaml');
  await writeFile(
    config,
    `apiVersion: hostwright/v1\nkind: Workspace\nspec: { account: acc-acme, baseUrl: "${url}", manifests: [shop.yaml], ledger: ${ledger} }\n`,
  );
  await writeFile(join(root, 'shop.yaml'), SITE);
  await before?.(['--config', config], url);
  const { stdout, stderr, code } = await run([], { env: { HOSTWRIGHT_CONFIG: config } });
  expect([stderr, code]).toEqual(['', 0]);
  const lines = stdout.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(15);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  for (const command of EVERYDAY) expect(stdout).toMatch(new RegExp(`^  ${command} +[A-Z]`, 'm'));
  return stdout;
}

it('shows the account, the last apply and nothing in flight in a workspace with a ledger file', async () => {
  const before = await printed('new', '{ file: ledger.jsonl }');
  expect(before).toMatch(/^Account: +acc-acme [^]*\nLast apply: +none in this ledger\nIn flight: +nothing\n/);
  const after = await printed('applied', '{ file: ledger.jsonl }', async (at) => {
    const env = { HOSTWRIGHT_TOKEN: 'sandbox-api-key' };
    expect((await run(['ledger', 'init', ...at], { env })).code).toBe(0);
    expect((await run(['apply', '--yes', ...at], { env })).code).toBe(0);
  });
  expect(after).toMatch(/\nLast apply: +\d{4}-\d\d-\d\d \d\d:\d\d UTC, 1 action, done\nIn flight: +nothing\n/);
});

it.each([
  ['git', '{ git: {} }', 'the ledger is in Git'],
  ['postgres', '{ postgres: {} }', 'the ledger is in PostgreSQL'],
])(
  'says that the runs are not known if the ledger is in %s, which needs a process or a connection',
  async (name, ledger, why) => {
    expect(await printed(name, ledger)).toContain(
      `Last apply:  not known here: ${why}. \`hostwright history\` reads it.`,
    );
  },
);

it('says that the workspace file has errors', async () => {
  const config = join(folder(), 'broken.yaml');
  await writeFile(config, 'kind: Workspace\n');
  const { stdout, code } = await run([], { env: { HOSTWRIGHT_CONFIG: config } });
  expect([stdout.split('\n')[0], code]).toEqual([
    'The workspace file has errors. `hostwright validate` shows them.',
    0,
  ]);
});

it('shows outside of a workspace how to begin', async () => {
  const { stdout, stderr, code } = await run([]);
  expect([stderr, code]).toEqual(['', 0]);
  for (const words of ['hostwright init', 'hostwright sandbox', 'docs/getting-started.md'])
    expect(stdout).toContain(words);
  expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
});
