// `hostwright export --terraform`: what it writes is imported by the real Terraform, and nothing else is to be done.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { API_KEY } from '../../src/sandbox/core/http/credentials.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { createLabels, Expression, Keyed, quoted, writeBlocks } from '../../src/terraform/export/hcl.ts';
import { closing, openFolder } from '../support/closing.ts';
import { manifest } from '../support/manifests.ts';
import { memoryFolder } from '../support/memory-folder.ts';
import { openHarness } from '../support/open-harness.ts';
import { runHere } from '../support/processes/run-here.ts';
import { noTerraform, openTerraform } from '../support/processes/terraform.ts';
import { inTurn } from '../support/whole.ts';
import { matching } from '../support/matchers.ts';

interface Exported {
  readonly files: readonly { readonly file: string; readonly text: string }[];
  readonly leftOut: readonly { readonly address: string }[];
}

const envOf = ({ url }: Sandbox): Readonly<Record<string, string | undefined>> => ({
  PATH: process.env.PATH,
  HOSTWRIGHT_API_URL: url,
  HOSTWRIGHT_TOKEN: API_KEY,
  HOSTWRIGHT_ACCOUNT: 'acc-acme',
});

async function exported(sandbox: Sandbox, args: readonly string[] = [], cwd = memoryFolder): Promise<Exported> {
  const { stdout, stderr } = await runHere(['export', '--terraform', '--format', 'json', ...args], {
    cwd,
    env: envOf(sandbox),
  });
  expect(stdout, stderr).toContain('"files"');
  return JSON.parse(stdout) as Exported;
}

/** Texts that need care: what does not show, what HCL takes for its own, what is two ways of writing one letter. */
const ODD = 'a\u0007b "c" \\d ${e} %{f} $${g}\u2028\u200b\tß日本';

const ACCOUNTS: Readonly<Record<string, { readonly scenario: string; readonly change?: (sandbox: Sandbox) => void }>> =
  {
    'sites and users': { scenario: 'small' },
    mail: { scenario: 'mail' },
    registrations: { scenario: 'registrar' },
    panel: { scenario: 'panel' },
    'two sites of one display name': {
      scenario: 'small',
      change: ({ state }) => {
        for (const site of state.sites.values()) site.name = 'Same Name';
      },
    },
    'names with control characters': {
      scenario: 'small',
      change: ({ state }) => {
        for (const site of state.sites.values()) site.name = `${ODD} ${site.id}`;
      },
    },
  };

describe.skipIf(noTerraform !== undefined).each(inTurn(Object.entries(ACCOUNTS), 0, 3))(
  '%s',
  (_, { scenario, change }) => {
    it('is imported, and then nothing is left to plan', async () => {
      const sandbox = closing(await startSandbox({ scenario }));
      change?.(sandbox);
      const { files } = await exported(sandbox);
      const texts = Object.fromEntries(files.map(({ file, text }) => [file, text]));
      const { run } = await openTerraform({ 'versions.tf': '', ...texts }, { account: sandbox });
      const formatted = await run(['fmt', '-check', '-diff']);
      expect(formatted, formatted.printed).toEqual({ code: 0, printed: '' });
      const before = sandbox.snapshot();
      const planned = await run(['plan', '-input=false', '-out=saved.plan']);
      expect(planned.code, planned.printed).toBe(0);
      const resources = files.map(({ text }) => text.match(/^resource /gm)?.length ?? 0);
      const count = resources.reduce((sum, one) => sum + one, 0);
      expect(count).toBeGreaterThan(1);
      expect(planned.printed).toContain(`Plan: ${count} to import, 0 to add, 0 to change, 0 to destroy.`);
      const applied = await run(['apply', '-input=false', 'saved.plan']);
      expect(applied.code, applied.printed).toBe(0);
      const again = await run(['plan', '-input=false', '-detailed-exitcode']);
      expect(again.code, again.printed).toBe(0);
      expect(sandbox.snapshot()).toEqual(before);
    });
  },
);

describe('hostwright export --terraform', () => {
  it('calls what the ledger of a workspace knows as that does, and names that ledger', async () => {
    const harness = await openHarness({
      ledger: true,
      memoryLedger: false,
      inProcess: false,
      files: {
        'sites/shop.yaml': manifest('Site', 'webshop', { caching: { cacheExpiration: 60 } }, { id: 'site-shop' }),
      },
    });
    expect((await harness.apply()).outcome.outcome).toBe('done');
    const { files } = await exported(harness.sandbox, ['Site/webshop'], harness.root);
    const text = files.map((one) => one.text).join('\n');
    expect(text).toContain('resource "hostwright_site" "webshop" {\n  name           = "webshop"\n');
    expect(text).toContain('id = "site-shop"');
    expect(text).toContain('  ledger = {\n    file = ".hostwright/ledger.jsonl"\n  }\n');
  });

  it('names what is asked for, without a workspace and with the people of a registration said once', async () => {
    const sandbox = closing(await startSandbox({ scenario: 'registrar' }));
    const { files } = await exported(sandbox, ['DomainRegistration/plain.com']);
    expect(files.map(({ file }) => file)).toEqual([
      'hostwright.tf',
      'domain_registrations.tf',
      'contacts.tf',
      'imports.tf',
    ]);
    const text = files.map((one) => one.text).join('\n');
    expect(text).toContain('resource "hostwright_domain_registration" "plain_com" {');
    expect(text).toContain('to = hostwright_domain_registration.plain_com\n  id = ');
    expect(text).toMatch(/owner += local\.contact_\w+\n/);
    expect(text).not.toContain(API_KEY);
    expect(text.match(/^ {2}contact_\w+ = \{$/gm)).toHaveLength(new Set(text.match(/local\.contact_\w+/g)).size);
  });

  it('refuses what is not there, and writes over no file', async () => {
    const sandbox = closing(await startSandbox());
    const run = (...args: readonly string[]) =>
      runHere(['export', '--terraform', ...args], { cwd: memoryFolder, env: envOf(sandbox) });
    expect((await run('Site/nope')).stderr).toContain('HW6705');
    expect((await run('Nonsense')).stderr).toContain('HW6701');
    expect((await run('--profiles')).code).toBe(1);
    const folder = await openFolder();
    const out = join(folder, 'infra');
    const written = await run('--out', out);
    expect(written.code, written.stderr).toBe(0);
    expect(await readdir(out)).toEqual(expect.arrayContaining(['hostwright.tf', 'imports.tf', 'sites.tf']));
    expect((await run('--out', out)).stderr).toContain('HW6703');
  });
});

it('HW6709: writes nothing that would not plan to nothing, such as a hostname that two sites show, and says how to go on', async () => {
  const sandbox = closing(await startSandbox());
  const { sites } = sandbox.state;
  const hostname = sites.get('site-shop')?.domains[0];
  if (hostname !== undefined) sites.get('site-blog')?.domains.push({ ...hostname, id: 'twice' });
  const folder = await openFolder();
  const run = (...args: readonly string[]) =>
    runHere(['export', '--terraform', '--out', join(folder, 'infra'), ...args], {
      cwd: memoryFolder,
      env: envOf(sandbox),
    });
  const refused = await run();
  expect([refused.code, refused.stderr]).toEqual([1, matching(/HW6709[^]*Site\/(shop|blog)[^]*HW6911/)]);
  expect(await readdir(folder)).toEqual([]);
  // The rest of it by its address; and all of it when the account is of one mind again.
  expect((await run('Site/docs')).code).toBe(0);
  await rm(join(folder, 'infra'), { recursive: true });
  sites.get('site-blog')?.domains.pop();
  expect((await run()).code).toBe(0);
});

describe('HCL', () => {
  it.each([
    ['a"b\\c', '"a\\"b\\\\c"'],
    ['${a} %{b} $c', '"$${a} %%{b} $c"'],
    ['a\nb\tc\u0000\u2028\u{e0001}', '"a\\nb\\tc\\u0000\\u2028\\U000e0001"'],
  ])('quotes %j', (text, written) => {
    expect(quoted(text)).toBe(written);
  });

  it('has labels of letters and digits, and no two alike', () => {
    const labelOf = createLabels();
    expect(['shop.example.com', 'Shop', 'shop', '1st', 'bücher', '日本'].map(labelOf)).toEqual([
      'shop_example_com',
      'Shop',
      'shop_2',
      '_1st',
      'bucher',
      '_',
    ]);
  });

  it('is laid out as `terraform fmt` lays it out', () => {
    const text = writeBlocks([
      {
        comments: ['a\nb'],
        head: 'resource "a" "b"',
        body: {
          a: 1,
          long: new Expression('local.a'),
          nothing: null,
          object: { c: true, longer: [] },
          keyed: new Keyed({ 'a.b': {}, c: {} }),
          list: [{ d: 1 }, {}],
          last: ['x', 'y'],
        },
        blocks: [{ head: 'inner', body: {} }],
      },
    ]);
    expect(text).toBe(`# a b
resource "a" "b" {
  a    = 1
  long = local.a
  object = {
    c      = true
    longer = []
  }
  keyed = {
    "a.b" = {}
    "c"   = {}
  }
  list = [
    {
      d = 1
    },
    {},
  ]
  last = ["x", "y"]
  inner {
  }
}
`);
  });
});
