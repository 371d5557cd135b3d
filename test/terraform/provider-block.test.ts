// What a provider block says: whose account, with which token, and where the ledger is.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { checkProvider, configure } from '../../src/terraform/configured.ts';
import { guardsIn } from '../../src/terraform/guards.ts';
import type { ValueObject } from '../../src/terraform/value/cty.ts';
import { UNKNOWN } from '../../src/terraform/value/cty.ts';
import { closing } from '../support/closing.ts';
import { openHarness } from '../support/open-harness.ts';
import type { Started, TerraformFolder } from '../support/processes/terraform.ts';
import { childrenOf, noTerraform, openTerraform } from '../support/processes/terraform.ts';
import { createDatabase, noPostgres, query } from '../support/servers/postgres.ts';
import type { Core } from '../support/terraform-core.ts';
import { openCore } from '../support/terraform-core.ts';
import { isWhole } from '../support/whole.ts';
import { containing } from '../support/matchers.ts';

const BOUGHT = {
  name: 'new',
  display_name: 'New',
  plan: 'pro',
  order: { variant: 'vanilla', location: 'ams', term: 'monthly' },
};

async function coreWith(provider: Readonly<Record<string, unknown>>): Promise<Core> {
  return openCore({ memoryLedger: false, provider: { guards: { allow_charges: 9 }, ...provider } });
}

describe('a ledger of a provider block', () => {
  const file = '.hostwright/own.ledger';

  it('begins with the first apply where the block says so, and no plan writes one', async () => {
    const core = await coreWith({ ledger: { file, create: true } });
    const planned = await core.plan('hostwright_site', 'new', BOUGHT);
    expect(planned.failed, planned.said.join('\n')).toBe(false);
    await expect(readFile(join(core.harness.root, file))).rejects.toThrow('ENOENT');
    const applied = await core.apply('hostwright_site', 'new', planned);
    expect(applied.failed, applied.said.join('\n')).toBe(false);
    expect(await readFile(join(core.harness.root, file), 'utf8')).toContain('"complete"');
    expect((await core.plan('hostwright_site', 'new', BOUGHT)).changes).toBe(false);
  });

  it.each([
    { missing: 'a ledger', provider: {}, said: 'the provider has no `ledger`' },
    { missing: 'its file', provider: { ledger: { file } }, said: `${file} is not there` },
  ])('is told to be missing as $missing, with what to write', async ({ provider, said }) => {
    const { plan } = await coreWith(provider);
    const refused = (await plan('hostwright_site', 'new', BOUGHT)).said.join('\n');
    expect(refused).toContain('HW2206');
    expect(refused).toContain(said);
    expect(refused).toContain('create = true');
    expect(refused).not.toContain('hostwright.yaml');
  });

  it('that an apply began without it is completed by it', async () => {
    const shop = { name: 'shop', adopt: true, domains: { 'shop.example.com': {} }, caching: { cache_expiration: 60 } };
    const core = await coreWith({ ledger: { file } });
    expect((await core.run('hostwright_site', 'shop', shop)).failed).toBe(false);
    expect((await core.plan('hostwright_site', 'new', BOUGHT)).said.join()).toContain(`${file} is not complete`);
    const text = await readFile(join(core.harness.root, file), 'utf8');
    expect(text).toContain('"partial"');
    const other = await coreWith({ ledger: { file: join(core.harness.root, file), create: true } });
    const done = await other.run('hostwright_site', 'new', BOUGHT);
    expect(done.failed, done.said.join('\n')).toBe(false);
    const now = await readFile(join(core.harness.root, file), 'utf8');
    expect(now).toContain('"complete"');
    expect(now).toContain('Site/shop');
  });
});

describe('a provider block', () => {
  it.each<{ readonly block: ValueObject; readonly said: readonly string[] }>([
    { block: {}, said: [] },
    { block: { token: UNKNOWN, ledger: UNKNOWN }, said: [] },
    { block: { token: 'a b' }, said: ['/token: `token` is empty, or has white space'] },
    { block: { token: 'a', credential_entry: 'b' }, said: ['/token: Give one of `token`'] },
    { block: { ledger: { create: true } }, said: ['/ledger: `ledger` does not say where'] },
    { block: { ledger: { file: 'a', git: {} } }, said: ['/ledger: `ledger` says 2 places: `file` and `git`'] },
    { block: { ledger: { postgres: { env: 'A', entry: 'b' } } }, said: ['/ledger: Give one of `env` and `entry`'] },
  ])('$block', ({ block, said }) => {
    const found = checkProvider(block).map(({ pointer = '', detail }) => `${pointer}: ${detail}`);
    expect(found).toEqual(said.map((text) => containing(text)));
  });

  it('has ceilings, and those of the environment where it says nothing', () => {
    const { guards } = guardsIn(
      { allow_deletes: 0, max_spend: '20.5 EUR' },
      { allow_deletes: '9', allow_charges: '2', max_spend: '1EUR' },
    );
    expect(guards).toEqual({ allowDeletes: 0, allowCharges: 2, maxSpend: '20.50 EUR' });
    const { diagnostics } = guardsIn({ allow_deletes: -1, max_spend: '20.555 EUR' }, { allow_charges: 'one' });
    expect(diagnostics.map(({ detail }) => detail)).toEqual([
      containing('`guards.allow_deletes` is -1.'),
      containing('HOSTWRIGHT_ALLOW_CHARGES is "one".'),
      containing('`guards.max_spend` is "20.555 EUR".'),
    ]);
  });

  it('with a token that only an apply makes is refused, and no other token is taken', async () => {
    const harness = await openHarness();
    const configured = await configure(
      harness.session(),
      { token: UNKNOWN },
      { account: 'acc-acme', apiUrl: harness.sandbox.url },
    );
    expect(configured).toMatchObject({ diagnostics: [{ detail: containing('`token` is not known yet') }] });
  });
});

const APPLY = ['apply', '-input=false', '-auto-approve'];
const PLAN = ['plan', '-input=false', '-detailed-exitcode'];
const CANARIES = { first: 'f1rst-canary-token-nobody-may-see', second: 's3cond-canary-token-nobody-may-see' };

const TOKEN = `variable "token" {
  type      = string
  sensitive = true
}
provider "hostwright" {
  token = var.token
}
`;

/** An account with this token. */
async function accountWith(token: string, before: () => void = () => undefined): Promise<Sandbox> {
  const sandbox: Sandbox = closing(
    await startSandbox({
      hooks: {
        before: () => {
          sandbox.clock.advance(3000);
          before();
        },
      },
    }),
  );
  const { users } = sandbox.state;
  for (const user of users.values()) if (user.id === 'user-ada') users.set(user.id, { ...user, apiToken: token });
  return sandbox;
}

const inFolder = (account: Sandbox, text: string): Promise<TerraformFolder> =>
  openTerraform({ 'main.tf': text }, { account });

const SITE = `name         = "new"
  display_name = "New"
  plan         = "pro"
  order        = { variant = "vanilla", location = "ams", term = "monthly" }`;

function sitesCalled({ state }: Sandbox, name: string): number {
  return [...state.sites.values()].filter((site) => site.name === name).length;
}

describe.skipIf(noTerraform !== undefined)('with the real Terraform', () => {
  it('two aliases keep two accounts, each with an ephemeral token that is in no state, plan, log or message', async () => {
    const first = await accountWith(CANARIES.first);
    const second = await accountWith(CANARIES.second);
    const alias = (name: string, { url }: Sandbox): string => `
variable "${name}" {
  type      = string
  ephemeral = true
}
provider "hostwright" {
  alias   = "${name}"
  api_url = "${url}"
  token   = var.${name}
  guards  = { allow_charges = 1 }
  ledger  = { file = "${name}.ledger", create = true }
}
resource "hostwright_site" "${name}" {
  provider = hostwright.${name}
  ${SITE}
}
`;
    const { run, folder } = await inFolder(first, alias('first', first) + alias('second', second));
    const env = {
      HOSTWRIGHT_TOKEN: '',
      TF_VAR_first: CANARIES.first,
      TF_VAR_second: CANARIES.second,
      TF_LOG: 'TRACE',
      TF_LOG_PATH: join(folder, 'trace.log'),
    };
    const planned = await run(['plan', '-input=false', '-out=saved.plan'], env);
    expect(planned.code, planned.printed).toBe(0);
    const applied = await run(['apply', '-input=false', 'saved.plan'], env);
    expect(applied.code, applied.printed).toBe(0);
    expect([first, second].map((account) => sitesCalled(account, 'New'))).toEqual([1, 1]);
    const again = await run(PLAN, env);
    expect(again.code, again.printed).toBe(0);
    // The wrong token for an account: what is said then names the place of it, and does not hold it.
    const refused = await run(PLAN, { ...env, TF_VAR_second: CANARIES.first });
    expect(refused.printed).toContain('`token` of the provider block');
    const files = (await readdir(folder)).filter((name) => /tfstate|plan$|log$|ledger$/.test(name)).sort();
    expect(files).toEqual(['first.ledger', 'saved.plan', 'second.ledger', 'terraform.tfstate', 'trace.log']);
    const shown = await run(['show', '-json', 'saved.plan']);
    const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'latin1')));
    const printed = [planned, applied, again, refused, shown].map((ran) => ran.printed);
    expect([...texts, ...printed].join('\n')).not.toContain('nobody-may-see');
  });

  it('TF_LOG=DEBUG has each request with what came of it, and no token', async () => {
    const account = await accountWith(CANARIES.first);
    const { run, folder } = await inFolder(account, `${TOKEN}data "hostwright_account" "it" {}\n`);
    const env = { HOSTWRIGHT_TOKEN: '', TF_VAR_token: CANARIES.first, TF_LOG_PATH: join(folder, 'debug.log') };
    const { code, printed } = await run(['plan', '-input=false'], { ...env, TF_LOG: 'DEBUG' });
    expect(code, printed).toBe(0);
    const log = await readFile(join(folder, 'debug.log'), 'utf8');
    expect(log).toMatch(/\[DEBUG\].*GET \/api\/sites.*status=200/);
    expect(log).not.toContain('nobody-may-see');
  });

  it('what is printed and logged when the provider dies with a token in its hands does not hold it', async () => {
    const running: { plan?: Started } = {};
    const account = await accountWith(CANARIES.first, () => {
      for (const pid of childrenOf(running.plan?.child.pid ?? 0)) process.kill(pid, 'SIGABRT');
    });
    const { start, folder } = await inFolder(account, `${TOKEN}data "hostwright_account" "it" {}\n`);
    const log = join(folder, 'trace.log');
    const env = { HOSTWRIGHT_TOKEN: '', TF_VAR_token: CANARIES.first, TF_LOG: 'TRACE', TF_LOG_PATH: log };
    running.plan = start(['plan', '-input=false'], env);
    const { code, printed } = await running.plan.ended;
    expect(code, printed).toBe(1);
    expect(printed).toMatch(/Plugin did not respond|Request cancelled/);
    expect(printed + (await readFile(log, 'utf8'))).not.toContain('nobody-may-see');
  });

  it.skipIf(noPostgres !== undefined || !isWhole)(
    'a ledger begins in a PostgreSQL database, without any other file',
    async () => {
      const address = await createDatabase();
      const account = await accountWith(CANARIES.first);
      const { run, folder } = await inFolder(
        account,
        `provider "hostwright" {
  guards = { allow_charges = 1 }
  ledger = { postgres = {}, create = true }
}
resource "hostwright_site" "new" {
  ${SITE}
}
`,
      );
      const env = { HOSTWRIGHT_TOKEN: CANARIES.first, HOSTWRIGHT_DATABASE_URL: address };
      const applied = await run(APPLY, env);
      expect(applied.code, applied.printed).toBe(0);
      const again = await run(PLAN, env);
      expect(again.code, again.printed).toBe(0);
      expect(sitesCalled(account, 'New')).toBe(1);
      expect(await query(address, 'SELECT DISTINCT account FROM hostwright.ledger_line')).toEqual([
        { account: expect.stringMatching(/^acc-acme@http/) as string },
      ]);
      const { password } = new URL(address);
      expect(await readFile(join(folder, 'terraform.tfstate'), 'utf8')).not.toContain(password);
    },
  );
});
