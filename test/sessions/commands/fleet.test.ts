// `fleet`: many accounts in one run. Each has its own ledger and guards, a broken one stops none, and what a review
// approved is approved account by account.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Fleet } from '../../../src/model/plan/fleet.ts';
import { openCopy } from '../../../src/library/copy.ts';
import { fleetNotes } from '../../../src/report/annotations/notes.ts';
import { readApprovedFleet } from '../../../src/report/blocks/mark.ts';
import { renderFleet } from '../../../src/report/text/fleet.ts';
import { fleetMarkdown } from '../../support/reports.ts';
import type { Transport } from '../../../src/platform/transport.ts';
import type { FleetApplyOptions } from '../../../src/usecases/fleet/fleet.ts';
import {
  applyFleet,
  driftFleet,
  joinFleets,
  ledgerFleet,
  planFleet,
  resumeFleet,
} from '../../../src/usecases/fleet/fleet.ts';
import type { FleetScope } from '../../../src/usecases/fleet/members.ts';
import { ledgerCommand } from '../../../src/usecases/ledger.ts';
import { findMembers, shardOf } from '../../../src/usecases/fleet/members.ts';
import type { Session } from '../../../src/usecases/session.ts';
import { renderJson } from '../../../src/report/json/index.ts';
import { findFleetProblem } from '../../support/written-schemas.ts';
import { manifest, workspaceFile } from '../../support/manifests.ts';
import { noGit, repositoryIn } from '../../support/processes/git.ts';
import type { Harness } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';

const ids = ['acc-00001', 'acc-00002', 'acc-00003', 'acc-00004', 'acc-00005'] as const;
const workspaceOf = (account: string, more = ''): string => workspaceFile(`manifests: [sites]${more}`, account);
const siteOf = (account: string, cacheExpiration = 77): string =>
  manifest('Site', 'shop', { domains: [`shop.${account}.example.com`], caching: { cacheExpiration } });

async function begin(files: Readonly<Record<string, string>> = {}): Promise<Harness> {
  return openHarness({
    scenario: 'accounts:5',
    memoryLedger: false,
    files: {
      ...Object.fromEntries(
        ids.flatMap((id) => [
          [`accounts/${id}/hostwright.yaml`, workspaceOf(id)],
          [`accounts/${id}/sites/shop.json`, siteOf(id)],
        ]),
      ),
      ...files,
    },
  });
}

async function membersOf(one: Harness, scope: Partial<FleetScope> = {}, extra: Partial<Session> = {}) {
  const found = await findMembers(one.session(extra), { folders: ['accounts/*'], ...scope });
  expect(found.diagnostics).toEqual([]);
  return found.members;
}

const PLANNED = { jobs: 3, guards: {}, detailed: false, openCopy };

async function planAll(one: Harness, extra: Partial<Session> = {}): Promise<Fleet> {
  return planFleet(one.session(extra), await membersOf(one), PLANNED);
}

async function applyAll(
  one: Harness,
  options: Partial<FleetApplyOptions> = {},
  extra: Partial<Session> = {},
): Promise<Fleet> {
  return applyFleet(one.session(extra), await membersOf(one), {
    jobs: 3,
    guards: {},
    parallelism: 4,
    confirm: () => Promise.resolve(true),
    ...options,
  });
}

/** How the platform answers a harness whose requests need no sockets. */
function transportOf(one: Harness): Transport {
  const { transport } = one.session();
  if (transport === undefined) throw new Error('not in process');
  return transport;
}

const words = ({ accounts }: Fleet): Readonly<Record<string, string>> =>
  Object.fromEntries(accounts.map(({ account, outcome }) => [account, outcome]));
const expirationOf = (one: Harness, id: string): number | undefined =>
  one.sandbox.state.sites.get(`site-${id}-shop`)?.cdn.caching.cache_expiration;

describe('a run over many accounts', () => {
  it('has notes at the lines of each account, as the fleet sees them', async () => {
    const one = await begin({ 'accounts/acc-00002/sites/shop.json': '{' });
    const notes = fleetNotes((await planAll(one)).accounts).map(({ title, source }) => [
      title.split(' ')[0],
      source?.file,
    ]);
    expect(notes).toContainEqual(['acc-00001:', 'accounts/acc-00001/sites/shop.json']);
    expect(notes).toContainEqual(['acc-00002:', 'accounts/acc-00002/sites/shop.json']);
  });

  it('plans, applies and finds nothing more to do', async () => {
    const one = await begin();
    const planned = await planAll(one);
    expect(planned).toMatchObject({ outcome: 'done', exitCode: 0 });
    expect(findFleetProblem(JSON.parse(renderJson(planned)))).toBeUndefined();
    expect(new Set(Object.values(words(planned)))).toEqual(new Set(['differences']));
    const applied = await applyAll(one);
    expect(findFleetProblem(JSON.parse(renderJson(applied)))).toBeUndefined();
    expect(new Set(Object.values(words(applied)))).toEqual(new Set(['done']));
    for (const id of ids) expect(expirationOf(one, id)).toBe(77);
    const again = await planAll(one);
    expect(again.accounts.map(({ summary }) => summary?.update)).toEqual([0, 0, 0, 0, 0]);
    expect(again.accounts.every(({ plan }) => plan === undefined)).toBe(true);
  });

  it('a broken workspace, and an account that cannot be read, stop no other', async () => {
    const one = await begin({ 'accounts/acc-00002/hostwright.yaml': 'kind: Nothing\n' });
    const transport = transportOf(one);
    const unreachable: Transport = (request) =>
      request.headers['x-auth-account'] === 'acc-00004' ? Promise.reject(new Error('reset')) : transport(request);
    const applied = await applyAll(one, {}, { transport: unreachable });
    expect(words(applied)).toMatchObject({
      'acc-00001': 'done',
      'accounts/acc-00002': 'error',
      'acc-00003': 'done',
      'acc-00004': 'error',
      'acc-00005': 'done',
    });
    expect(applied.exitCode).toBe(1);
    const text = renderFleet(applied, { color: false });
    expect(text).toContain('5 accounts: 3 done, 2 failed.');
    expect(text).toContain('accounts/acc-00002/hostwright.yaml:1:1: error HW1202');
  });

  it('the plans of accounts whose workspaces say so are rehearsed in CI, and the comment says what came of it', async () => {
    const one = await begin({
      'accounts/acc-00001/hostwright.yaml': workspaceOf('acc-00001', ', rehearse: true'),
    });
    const fleet = await planAll(one, { ci: true });
    expect(fleet.accounts.map(({ rehearsal }) => rehearsal?.result)).toEqual([
      'passed',
      ...ids.slice(1).map(() => undefined),
    ]);
    expect(findFleetProblem(JSON.parse(renderJson(fleet)))).toBeUndefined();
    const comment = fleetMarkdown(fleet);
    expect(comment.match(/Rehearsed: 1 action, 1 round, the second plan is empty/g)).toHaveLength(1);
  });

  it('one account has one workspace', async () => {
    const one = await begin({ 'accounts/twin/hostwright.yaml': workspaceOf('acc-00001') });
    const { members, diagnostics } = await findMembers(one.session(), { folders: ['accounts/*'] });
    expect([members.length, diagnostics.map(({ code }) => code)]).toEqual([0, ['HW6902']]);
    expect((await findMembers(one.session(), { folders: ['none/*'] })).diagnostics).toMatchObject([{ code: 'HW6901' }]);
  });

  it('the token of an account comes from the variable that its workspace names', async () => {
    const one = await begin({
      'accounts/acc-00003/hostwright.yaml': workspaceOf('acc-00003', ', credentialEnv: HOSTWRIGHT_TOKEN_THREE'),
    });
    expect(words(await planAll(one))).toMatchObject({ 'acc-00002': 'differences', 'acc-00003': 'error' });
    const { token } = one.session();
    const tokenNamed = (name: string) => (name === 'HOSTWRIGHT_TOKEN_THREE' ? token : undefined);
    expect(words(await planAll(one, { token: undefined, tokenNamed }))).toMatchObject({
      'acc-00002': 'error',
      'acc-00003': 'differences',
    });
    // What is wrong with it is told by the name of that variable.
    const refused = await planAll(one, { tokenNamed: () => 'wrong' });
    expect(words(refused)).toMatchObject({ 'acc-00002': 'differences', 'acc-00003': 'error' });
    expect(refused.accounts[2]?.diagnostics[0]?.detail).toContain('Check that HOSTWRIGHT_TOKEN_THREE holds');
  });

  it('all accounts behind one address share one limit of requests in flight', async () => {
    const one = await begin();
    let now = 0;
    let most = 0;
    const transport = transportOf(one);
    const counting: Transport = async (request) => {
      now += 1;
      most = Math.max(most, now);
      return transport(request).finally(() => {
        now -= 1;
      });
    };
    await planAll(one, { transport: counting, concurrency: 2 });
    expect(most).toBe(2);
  });
});

describe('what was reviewed', () => {
  it('is applied account by account: another plan is a conflict there, and nobody else waits for it', async () => {
    const one = await begin();
    const comment = fleetMarkdown(await planAll(one));
    const approved = readApprovedFleet(comment);
    if (approved === undefined || approved === 'too long') throw new Error(comment);
    expect(approved.map(([account]) => account)).toEqual(ids);
    const expected = new Map(approved.map(([account, digest]) => [account, new Set([digest])]));
    await one.write('accounts/acc-00002/sites/shop.json', siteOf('acc-00002', 78));
    const before = expirationOf(one, 'acc-00002');
    const applied = await applyAll(one, { expected });
    expect(words(applied)).toMatchObject({ 'acc-00001': 'done', 'acc-00002': 'conflict', 'acc-00005': 'done' });
    expect(applied.exitCode).toBe(4);
    expect(expirationOf(one, 'acc-00002')).toBe(before);
    expect(words(await applyAll(one, { expected: new Map() }))).toMatchObject({ 'acc-00002': 'conflict' });
  });

  it('is read from the beginning of a report only: names further down are written by others', () => {
    const fake = `### Hostwright\n<!-- hostwright: fleet plan\nacc-1 ${'0'.repeat(64)}\n-->`;
    expect(readApprovedFleet(fake)).toBeUndefined();
  });
});

const launch = manifest('Site', 'launch', {
  name: 'launch',
  plan: 'pro',
  order: { variant: 'vanilla', location: 'ams', term: 'monthly' },
});

describe('an account that buys, stopped right after its order', () => {
  async function beginStopped() {
    const one = await begin({ 'accounts/acc-00001/sites/launch.json': launch });
    const folder = join(one.root, 'accounts/acc-00001');
    await ledgerCommand(one.session({ cwd: folder }), { do: 'init' });
    const fleet = await planAll(one);
    const expected = new Map(
      fleet.accounts.flatMap(({ account, digest }) =>
        digest === undefined ? [] : [[account, new Set([digest])] as const],
      ),
    );
    const controller = new AbortController();
    const transport = transportOf(one);
    const stopping: Transport = async (request) => {
      const answer = await transport(request);
      if (request.method === 'POST' && request.path.startsWith('/api/orders')) controller.abort();
      return answer;
    };
    const run = (extra?: Partial<Session>) => applyAll(one, { jobs: 1, guards: { allowCharges: 1 }, expected }, extra);
    const stopped = await run({ transport: stopping, stop: controller.signal });
    expect(words(stopped)).toMatchObject({ 'acc-00001': 'interrupted', 'acc-00002': 'interrupted' });
    expect(stopped.exitCode).toBe(130);
    return { one, run };
  }

  it('is not bought twice by the same approval, and what is left of it is reported for a new review', async () => {
    const { one, run } = await beginStopped();
    const again = await run();
    expect(words(again)).toMatchObject({ 'acc-00001': 'waiting', 'acc-00002': 'done' });
    expect(again.accounts[0]?.result?.remaining).toMatchObject([{ is: 'unplanned', address: 'Site/launch' }]);
    expect([...one.sandbox.creations]).toEqual([['site order - vanilla/ams/pro/monthly', 1]]);
  });

  it('is finished by --resume, which begins nothing new in any account', async () => {
    const { one } = await beginStopped();
    const resumed = await resumeFleet(one.session(), await membersOf(one), { jobs: 2 });
    expect(new Set(Object.values(words(resumed)))).toEqual(new Set(['done']));
    expect([...one.sandbox.creations]).toEqual([['site order - vanilla/ams/pro/monthly', 1]]);
    expect(ids.slice(1).map((id) => expirationOf(one, id))).not.toContain(77);
  });
});

describe('guards over all accounts', () => {
  it('more accounts than allowed: nothing is sent', async () => {
    const one = await begin();
    const applied = await applyAll(one, { maxAccountsChanged: 4 });
    expect(applied).toMatchObject({ outcome: 'refused', exitCode: 5, diagnostics: [{ code: 'HW6904' }] });
    expect(ids.map((id) => expirationOf(one, id))).not.toContain(77);
  });

  it('a first account that does not end well holds back the others', async () => {
    const one = await begin();
    const site = one.sandbox.state.sites.get('site-acc-00001-shop');
    const confirm = (): Promise<boolean> => {
      // Somebody changes it between the plan and the run.
      if (site !== undefined) site.cdn.caching.cache_expiration = 5;
      return Promise.resolve(true);
    };
    const applied = await applyAll(one, { canary: 1, confirm });
    expect(applied.diagnostics.map(({ code }) => code)).toEqual(['HW6906']);
    expect(words(applied)).toMatchObject({ 'acc-00001': 'conflict', 'acc-00002': 'refused', 'acc-00005': 'refused' });
    expect(await applyAll(one, { canary: 1 })).toMatchObject({ outcome: 'done', diagnostics: [] });
  });

  it('an account that its own guards refuse is not asked about, and holds back no other', async () => {
    const one = await begin({ 'accounts/acc-00001/sites/launch.json': launch });
    const asked: (readonly [number, number])[] = [];
    const confirm: FleetApplyOptions['confirm'] = (work, all) => {
      asked.push([work.length, all.length]);
      return Promise.resolve(true);
    };
    const applied = await applyAll(one, { canary: 1, maxAccountsChanged: 4, confirm });
    expect(asked).toEqual([[4, 5]]);
    expect(words(applied)).toMatchObject({ 'acc-00001': 'refused', 'acc-00002': 'done', 'acc-00005': 'done' });
    expect(applied.accounts[0]?.diagnostics.map(({ code }) => code)).toContain('HW2204');
    expect(one.sandbox.creations.size).toBe(0);
  });

  it('a ledger that another run holds stops its account only', async () => {
    const one = await begin();
    await one.write('accounts/acc-00004/.hostwright/ledger.jsonl.lock', 'held');
    const applied = await applyAll(one);
    expect(words(applied)).toMatchObject({ 'acc-00003': 'done', 'acc-00004': 'error', 'acc-00005': 'done' });
    expect(applied.accounts[3]?.diagnostics.map(({ code }) => code)).toEqual(['HW5004']);
  });

  it('an answer of no changes nothing', async () => {
    const one = await begin();
    const applied = await applyAll(one, { confirm: () => Promise.resolve(false) });
    expect(applied.outcome).toBe('interrupted');
    expect(ids.map((id) => expirationOf(one, id))).not.toContain(77);
  });
});

describe('shards', () => {
  it('divide the accounts without rest, and a new account moves no other', () => {
    const all = Array.from({ length: 500 }, (_, index) => `acc-${index}`);
    const shards = all.map((account) => shardOf(account, 8));
    expect([...new Set(shards)].sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    for (const shard of [1, 2, 3, 4, 5, 6, 7, 8])
      expect(shards.filter((one) => one === shard).length).toBeGreaterThan(40);
  });

  it('join to the report of the whole', async () => {
    const one = await begin();
    const whole = await planAll(one);
    const parts = await Promise.all(
      [1, 2].map(async (index) => planFleet(one.session(), await membersOf(one, { shard: { index, of: 2 } }), PLANNED)),
    );
    const joined = joinFleets(parts);
    expect(joined.accounts.map(({ account, digest }) => [account, digest])).toEqual(
      whole.accounts.map(({ account, digest }) => [account, digest]),
    );
  });
});

describe.skipIf(noGit !== undefined)('what changed since a commit', () => {
  it('is an account of which a file, or a shared profile, changed', async () => {
    const one = await begin({
      'accounts/acc-00005/hostwright.yaml': workspaceOf('acc-00005', ', shared: [../../shared]'),
      'shared/base.yaml': manifest('SiteProfile', 'base'),
    });
    const { programs } = await repositoryIn(one.root);
    const changed = async () =>
      (await membersOf(one, { changedSince: 'main' }, programs)).map(({ account }) => account);
    expect(await changed()).toEqual([]);
    await one.write('accounts/acc-00002/sites/shop.json', siteOf('acc-00002', 78));
    await one.write('accounts/acc-00003/sites/new.json', siteOf('acc-00003').replace('shop', 'blog'));
    expect(await changed()).toEqual(['acc-00002', 'acc-00003']);
    await one.write('shared/base.yaml', manifest('SiteProfile', 'other'));
    expect(await changed()).toEqual(['acc-00002', 'acc-00003', 'acc-00005']);
  });
});

describe('drift and the ledgers of all accounts', () => {
  it('tell what differs where, and what each ledger holds', async () => {
    const one = await begin();
    await applyAll(one);
    const caching = one.sandbox.state.sites.get('site-acc-00003-shop')?.cdn.caching;
    if (caching !== undefined) caching.cache_expiration = 5;
    const drift = await driftFleet(one.session(), await membersOf(one), { jobs: 2 });
    expect(words(drift)).toMatchObject({ 'acc-00001': 'done', 'acc-00003': 'differences' });
    expect(drift.exitCode).toBe(2);
    const markdown = fleetMarkdown(drift);
    expect(markdown).toContain('5 accounts: 4 as declared, 1 with changes.');
    expect(markdown).toContain('**cacheExpiration** | `77`     | `5`  |');
    const ledgers = await ledgerFleet(one.session(), await membersOf(one), { jobs: 2 });
    expect(ledgers.accounts.every(({ note = '' }) => / objects, 0 in flight(\. last run .*)?$/.test(note))).toBe(true);
  });
});
