// What becomes of money when things go wrong around the real Terraform: it is killed, loses its memory, or is told to do
// something twice. Whatever happens, a site is bought once.
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { API_KEY } from '../../src/sandbox/core/http/credentials.ts';
import type { RecordedRequest } from '../../src/sandbox/core/http/recording.ts';
import { runHere } from '../support/processes/run-here.ts';
import type { Started, TerraformFolder } from '../support/processes/terraform.ts';
import { newLedger, noTerraform, openTerraform } from '../support/processes/terraform.ts';
import { isWhole } from '../support/whole.ts';
import { containing, matching } from '../support/matchers.ts';

const LEDGER = 'hostwright.ledger';
const ORDER = 'order = { variant = "vanilla", location = "ams", term = "monthly" }';
const SITE = `  name    = "new"
  display_name = "New"
  plan    = "pro"
  ${ORDER}
  caching = { cache_expiration = 7200 }
`;
const provider = (ledger = LEDGER): string =>
  `provider "hostwright" {\n  guards = { allow_charges = 9, allow_deletes = 9 }\n  ledger = { file = "${ledger}" }\n}\n`;
const BOUGHT = `${provider()}resource "hostwright_site" "new" {\n${SITE}}\n`;

const WORKSPACE = `apiVersion: hostwright/v1
kind: Workspace
spec: { account: acc-acme, baseUrl: "http://127.0.0.1:1", manifests: [none], ledger: { file: ${LEDGER} } }
`;

interface Moments {
  readonly before?: (request: RecordedRequest) => void | Promise<void>;
  readonly after?: (request: RecordedRequest) => void | Promise<void>;
}

/** A folder with a ledger. The platform's time goes on with each request: an order is there after some. */
async function openFolder(text: string, moments: Moments = {}): Promise<TerraformFolder> {
  const folder = await openTerraform(
    { 'main.tf': text, [LEDGER]: await newLedger() },
    {
      hooks: {
        before: async (request) => {
          folder.sandbox.clock.advance(3000);
          await moments.before?.(request);
        },
        after: (request) => moments.after?.(request),
      },
    },
  );
  return folder;
}

const APPLY = ['apply', '-input=false', '-auto-approve', '-lock-timeout=0s'];
const PLAN = ['plan', '-input=false', '-detailed-exitcode'];

function sites({ sandbox }: TerraformFolder, name = 'New'): number {
  return [...sandbox.state.sites.values()].filter((site) => site.name === name).length;
}

function nothingTwice({ sandbox }: TerraformFolder, where = ''): void {
  expect(
    [...sandbox.creations].filter(([, times]) => times > 1),
    where,
  ).toEqual([]);
}

/** Applied, once more if need be, until a plan has nothing. */
async function settle(folder: TerraformFolder, where: string): Promise<void> {
  let said = '';
  for (let left = 5; left > 0; left -= 1) {
    const applied = await folder.run(APPLY);
    said += applied.printed;
    if (applied.printed.includes('HW7012')) await confirm(folder);
    else if (applied.code === 0 && (await folder.run(PLAN)).code === 0) return;
  }
  throw new Error(`${where} does not settle:\n${said}`);
}

/** Nobody can know by reading what became of the order: a person looks, and says so. */
async function confirm({ folder, write, sandbox }: TerraformFolder): Promise<void> {
  await write({ 'hostwright.yaml': WORKSPACE });
  sandbox.clock.advance(3_600_000);
  // It has its display name only later; those of the scenario have other ids.
  const id = [...sandbox.state.sites.keys()].find((one) => !one.startsWith('site-'));
  const what = id === undefined ? ['--not-made'] : ['--id', id];
  const env = { PATH: process.env.PATH, HOSTWRIGHT_API_URL: sandbox.url, HOSTWRIGHT_TOKEN: API_KEY };
  const { code, stderr } = await runHere(['ledger', 'confirm', 'Site/new', ...what], { cwd: folder, env });
  expect(code, stderr).toBe(0);
}

async function signal(child: Started['child'] | undefined, name: 'SIGKILL' | 'SIGINT', group: boolean): Promise<void> {
  if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  process.kill(group ? -child.pid : child.pid, name);
  if (name === 'SIGKILL') await once(child, 'exit');
}

const ORDERED = 8;

describe.skipIf(noTerraform !== undefined)('a purchase with the real Terraform', () => {
  /** The nth request of an apply ends it, `before` or `after` that is processed; then all goes on. */
  async function ended(
    at: number,
    moment: 'before' | 'after',
    { by, whom }: { readonly by: 'SIGKILL' | 'SIGINT'; readonly whom: 'all' | 'terraform' },
  ): Promise<string> {
    const running: { child?: Started['child'] } = {};
    const end = async ({ n }: RecordedRequest): Promise<void> => {
      if (n === at) await signal(running.child, by, whom === 'all');
    };
    const folder = await openFolder(BOUGHT, { [moment]: end });
    const started = folder.start(APPLY);
    running.child = started.child;
    const { printed } = await started.ended;
    const where = `${by} of ${whom} ${moment} request ${at}`;
    expect(started.child.signalCode, where).toBe(by === 'SIGKILL' ? by : null);
    await settle(folder, where);
    expect(sites(folder), where).toBe(1);
    nothingTwice(folder, where);
    return printed;
  }

  const killed = { by: 'SIGKILL', whom: 'all' } as const;

  it('O-43: Terraform and its provider killed when the order is on its way', async () => {
    await ended(ORDERED + 1, 'before', killed);
  });

  it.skipIf(!isWhole)('O-43: Terraform alone killed when the order is on its way', async () => {
    await ended(ORDERED + 1, 'before', { by: 'SIGKILL', whom: 'terraform' });
  });

  it.skipIf(!isWhole)('O-43: Ctrl-C when the order is on its way: what was begun is in the state', async () => {
    const printed = await ended(ORDERED + 1, 'before', { by: 'SIGINT', whom: 'all' });
    expect(printed).toContain('Interrupt received');
  });

  const moments = ['before', 'after'] as const;
  const requests = Array.from({ length: 19 - ORDERED + 1 }, (_, index) => ORDERED + index);
  it.skipIf(!isWhole).each(moments.flatMap((moment) => requests.map((at) => ({ moment, at }))))(
    'O-43: Terraform and its provider killed $moment request $at',
    async ({ moment, at }) => {
      await ended(at, moment, killed);
    },
  );

  it.skipIf(!isWhole)('O-43: is bought once, whatever is lost, tainted, replaced, or applied again', async () => {
    const folder = await openFolder(BOUGHT);
    const { run, sandbox } = folder;
    const remove = (file: string): Promise<void> => rm(join(folder.folder, file), { force: true });
    const ordered = (): number =>
      sandbox.requests.filter(({ method, path }) => `${method} ${path}` === 'POST /api/orders').length;

    expect((await run(['plan', '-input=false', '-out=saved.plan'])).code).toBe(0);
    expect((await run(['apply', '-input=false', 'saved.plan'])).code).toBe(0);
    expect([sites(folder), ordered()]).toEqual([1, 1]);

    // A saved plan applied twice: Terraform says no.
    const stale = await run(['apply', '-input=false', 'saved.plan']);
    expect([stale.code, stale.printed]).toEqual([1, containing('Saved plan is stale')]);
    // And once more without the state that would tell: what was planned is not what would be done now.
    const state = await folder.read('terraform.tfstate');
    await remove('terraform.tfstate');
    await run(['apply', '-input=false', 'saved.plan']);
    expect([sites(folder), ordered()]).toEqual([1, 1]);

    // Lost state, the ledger there: it is found and taken over.
    await remove('terraform.tfstate');
    const adopted = await run(APPLY);
    expect(adopted.code, adopted.printed).toBe(0);
    expect((await run(PLAN)).code).toBe(0);
    expect([sites(folder), ordered()]).toEqual([1, 1]);

    // Tainted, or to be replaced: the plan is refused.
    expect((await run(['taint', 'hostwright_site.new'])).code).toBe(0);
    const tainted = await run(APPLY);
    expect([tainted.code, tainted.printed]).toEqual([1, containing('HW6912')]);
    expect((await run(['untaint', 'hostwright_site.new'])).code).toBe(0);
    const replaced = await run([...APPLY, '-replace=hostwright_site.new']);
    expect([replaced.code, replaced.printed]).toEqual([1, containing('HW6912')]);
    expect([sites(folder), ordered()]).toEqual([1, 1]);

    // Lost ledger, the state there: nothing to do.
    await remove(LEDGER);
    const without = await run(PLAN);
    expect(without.code, without.printed).toBe(0);
    // Both lost: nobody knows whose it is, and nothing is bought without a ledger.
    await remove('terraform.tfstate');
    const lost = await run(APPLY);
    expect([lost.code, lost.printed]).toEqual([1, matching(/HW7006|HW2206/)]);
    expect([sites(folder), ordered()]).toEqual([1, 1]);
    expect(state).not.toBe('');
  });

  it.skipIf(!isWhole)('O-43: two applies at once, in two folders with a ledger: one buys', async () => {
    const first = await openFolder(BOUGHT);
    const second = await openTerraform(
      { 'main.tf': BOUGHT.replace(LEDGER, join(first.folder, LEDGER)) },
      { account: first.sandbox },
    );
    const both = await Promise.all([first.run(APPLY), second.run(APPLY)]);
    expect(both.map(({ code }) => code).sort(), both.map(({ printed }) => printed).join('\n')).toContain(0);
    for (const folder of [first, second]) await settle(folder, 'the second of two');
    expect(sites(first)).toBe(1);
    nothingTwice(first);
  });

  it.skipIf(!isWhole)('O-43: resources side by side: each is bought once', async () => {
    const names = ['a', 'b', 'c'];
    const blocks = names.map(
      (name) =>
        `resource "hostwright_site" "${name}" {\n${SITE.replace('"new"', `"${name}"`).replace('"New"', `"${name}"`)}}\n`,
    );
    const folder = await openFolder(provider() + blocks.join(''));
    const applied = await folder.run(APPLY);
    expect(applied.code, applied.printed).toBe(0);
    expect((await folder.run(PLAN)).code).toBe(0);
    expect(names.map((name) => sites(folder, name))).toEqual([1, 1, 1]);
  });

  it.skipIf(!isWhole)('HW7005: the live side changed between plan and apply: nothing is sent', async () => {
    const folder = await openFolder(
      `${provider()}resource "hostwright_site" "shop" {\n  name = "shop"\n  adopt = true\n  domains = { "shop.example.com" = {} }\n  caching = { cache_expiration = 99 }\n}\n`,
    );
    expect((await folder.run(APPLY)).code).toBe(0);
    await folder.write({ 'main.tf': (await folder.read('main.tf')).replace('99', '100') });
    const writes = (): number => folder.sandbox.requests.filter(({ method }) => method !== 'GET').length;
    const before = writes();
    expect((await folder.run(['plan', '-input=false', '-out=saved.plan'])).code).toBe(0);
    const caching = folder.sandbox.state.sites.get('site-shop')?.cdn.caching;
    if (caching !== undefined) caching.cache_expiration = 5;
    const applied = await folder.run(['apply', '-input=false', 'saved.plan']);
    expect(applied.code).toBe(1);
    expect(applied.printed).toContain('HW7005 Live state changed since the plan');
    expect(caching?.cache_expiration).toBe(5);
    expect(writes()).toBe(before);
  });

  it.skipIf(!isWhole)('DOM-15: a hostname moves in one apply, and two resources never have it', async () => {
    const site = (name: string, rest: string): string =>
      `resource "hostwright_site" "${name}" {\n  name = "${name}"\n  adopt = true\n  ${rest}\n}\n`;
    const both = 'domains = { "shop.example.com" = {}, "www.shop.example.com" = {} }';
    const folder = await openFolder(
      provider() + site('shop', both) + site('blog', 'domains = { "www.shop.example.com" = {} }'),
    );
    const twice = await folder.run(PLAN);
    expect([twice.code, twice.printed]).toEqual([1, containing('HW6911')]);
    const blog = 'domains = {}';
    await folder.write({ 'import.tf': 'import {\n  to = hostwright_site.blog\n  id = "site-blog"\n}\n' });
    await folder.write({ 'main.tf': provider() + site('shop', both) + site('blog', blog) });
    const begun = await folder.run(APPLY);
    expect(begun.code, begun.printed).toBe(0);
    const given = 'domains = { "shop.example.com" = {} }\n  hand_over = ["www.shop.example.com"]';
    const taken = 'domains = { "www.shop.example.com" = { move_from = hostwright_site.shop.id } }';
    await folder.write({ 'main.tf': provider() + site('shop', given) + site('blog', taken) });
    const moved = await folder.run(APPLY);
    expect(moved.code, moved.printed).toBe(0);
    const hostnames = (id: string): readonly string[] =>
      (folder.sandbox.state.sites.get(id)?.domains ?? []).map(({ hostname }) => hostname);
    expect(hostnames('site-blog')).toContain('www.shop.example.com');
    expect(hostnames('site-shop')).not.toContain('www.shop.example.com');
    const left = await folder.run(PLAN);
    expect(left.code, left.printed).toBe(0);
  });
});
