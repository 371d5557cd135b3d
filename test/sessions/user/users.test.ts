// A user of a sub-account, made once: its credentials go to one file and nowhere else, whatever breaks on the way.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../../src/model/plan/event.ts';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import { OAUTH_TOKEN, SYSTEM_KEY } from '../../../src/sandbox/core/http/credentials.ts';
import type { Fault } from '../../../src/sandbox/core/http/faults.ts';
import { AMBIGUITIES } from '../../../src/sandbox/areas.ts';
import { ledgerCommand } from '../../../src/usecases/ledger.ts';
import { fixtures } from '../../support/fixtures.ts';
import { runCommand } from '../../support/processes/command.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { unusual } from '../../support/whole.ts';
import { openHarness } from '../../support/open-harness.ts';
import { containing } from '../../support/matchers.ts';

const workspace =
  'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: http://127.0.0.1:1\n  manifests: [users]\n  secrets: { keep: [credentials] }\n';
const FILE = 'credentials/client-a.json';
const spec = {
  fname: 'Jo',
  lname: 'Doe',
  email: 'jo@client-a.example',
  companyName: 'Client A',
  locale: 'nl',
  billingTerm: 'annual',
  setResellerBillingPlanId: 12,
  credentialsTo: { file: FILE },
};
const manifest = (given: object = {}, name = 'client-a', rest: object = {}): string =>
  JSON.stringify({
    apiVersion: 'hostwright/v1',
    kind: 'User',
    metadata: { name },
    ...rest,
    spec: { ...spec, ...given },
  });
const second = manifest(
  { email: 'kim@client-b.example', companyName: 'Client B', credentialsTo: { file: 'credentials/client-b.json' } },
  'client-b',
);

function start(options: HarnessOptions = {}): Promise<Harness> {
  return openHarness({
    scenario: 'panel',
    workspace,
    ledger: true,
    // Every file is searched for secrets.
    memoryLedger: false,
    ...options,
    files: { 'users/a.json': manifest(), ...options.files },
  });
}

const posts = ({ sandbox }: Harness): number =>
  sandbox.requests.filter(({ method, path }) => method === 'POST' && path === '/api/users').length;
const made = ({ sandbox }: Harness): number =>
  [...sandbox.creations].filter(([name]) => name.startsWith('user ')).reduce((sum, [, times]) => sum + times, 0);
const userOf = ({ sandbox }: Harness, email = spec.email) =>
  [...sandbox.state.users.values()].find((one) => one.email === email);
const credentials = ({ root }: Harness, file = FILE): string | undefined =>
  existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : undefined;

/** Everything that was written below the workspace, but for the one file. */
function written(folder: string): string {
  return readdirSync(folder, { withFileTypes: true })
    .map((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === 'credentials' ? '' : written(path);
      return readFileSync(path, 'utf8');
    })
    .join('\n');
}

/** The file holds what the platform told; or nobody says that it does. */
function isHonest(one: Harness, where: string): void {
  const text = credentials(one);
  const user = userOf(one);
  expect(made(one), where).toBeLessThanOrEqual(1);
  if (text === undefined) return;
  expect(JSON.parse(text), where).toEqual({
    for: 'User/client-a',
    id: user?.id,
    accountId: user?.accountIds[0],
    password: `sandbox-password-${user?.id.slice(0, 8)}`,
    apiToken: user?.apiToken,
  });
  expect(statSync(join(one.root, FILE)).mode.toString(8), where).toBe('100600');
}

function leaksNothing(one: Harness, more: string): void {
  const everything = `${written(one.root)}${JSON.stringify(one.events)}${more}`;
  expect(everything).not.toContain('sandbox-password');
  expect(everything).not.toContain('sandbox-user-token');
}

describe('a user', () => {
  it('USR-02, USR-03, USR-06: is made once, with a sub-account; the credentials are in the file alone, for its owner alone', async () => {
    const one = await start();
    const plan = await one.planned();
    expect(plan).toMatchObject({
      actions: [
        {
          address: 'User/client-a',
          verb: 'create',
          risk: ['irreversible'],
          requires: { userCredential: true, closedToOauth: true },
        },
      ],
      blocked: [],
      waiting: [],
    });
    // One list, and nothing else.
    expect(one.sandbox.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /api/users']);
    expect(credentials(one)).toBeUndefined();
    const { outcome } = await one.apply({ plan });
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({
      exitCode: 0,
      actions: [{ result: 'done', outputs: { kept: 'whole', accountId: userOf(one)?.accountIds[0] } }],
    });
    expect(one.sandbox.snapshot()).toMatchObject({ subAccounts: { 'jo@client-a.example in Client A': 'acc-acme' } });
    expect(userOf(one)).toMatchObject({ firstName: 'Jo', lastName: 'Doe', locale: 'nl' });
    expect([...one.sandbox.state.accounts.values()].find(({ name }) => name === 'Client A')).toMatchObject({
      billingTerm: 'annual',
      parentId: 'acc-acme',
    });
    isHonest(one, 'after apply');
    expect(credentials(one)).toContain('"apiToken"');
    const next = await one.planned();
    expect(isEmptyPlan(next)).toBe(true);
    expect(next.notices).toEqual([]);
    leaksNothing(one, JSON.stringify([plan, outcome, next]));
  });

  it('O-04: the example makes the client of its README, and nothing else', async () => {
    const example = 'an-agency-onboarding-a-client';
    const harness = await openHarness({ example, scenario: 'panel', ledger: true });
    expect((await harness.apply()).outcome.exitCode).toBe(0);
    expect(harness.sandbox.snapshot()).toMatchObject(fixtures[example]);
    expect(isEmptyPlan(await harness.planned())).toBe(true);
  });

  it('O-04: its token opens the sub-account, and nothing of it is asked for here', async () => {
    const one = await start();
    await one.apply();
    const { apiToken, accountId } = JSON.parse(credentials(one) ?? '') as Readonly<Record<string, string>>;
    const answer = await fetch(`${one.sandbox.url}/api/sites`, {
      headers: { authorization: `Bearer ${apiToken}`, 'x-auth-account': accountId ?? '' },
    });
    expect([answer.status, await answer.json()]).toMatchObject([200, { sites: [] }]);
    expect(one.sandbox.requests.some(({ path }) => path.startsWith('/api/sites') && !path.endsWith('/sites'))).toBe(
      false,
    );
  });

  it('the built command prints neither password nor token, in any format', async () => {
    const one = await start();
    const run = (...args: readonly string[]) =>
      runCommand(args, { cwd: one.root, url: one.sandbox.url, env: { CI: '' } });
    const planned = await run('plan', '--verbose', '--out', 'plan.json');
    const applied = await run('apply', 'plan.json', '--yes', '--format', 'json');
    expect([planned.code, applied.code], applied.stdout + applied.stderr).toEqual([0, 0]);
    expect(planned.stdout).toContain('CANNOT BE UNDONE');
    expect(planned.stdout).toContain(
      'what is told only once goes to the file credentials/client-a.json: password, apiToken (USR-03)',
    );
    const listed = await run('ledger', 'list');
    isHonest(one, 'by command');
    expect(credentials(one)).toContain('sandbox-password');
    leaksNothing(one, [planned, applied, listed].map(({ stdout, stderr }) => stdout + stderr).join());
  });

  it('USR-06, GAP-56: that any list or the ledger knows is never made again: by its address, in any letter case, under any name', async () => {
    const one = await start({ ambiguities: { 'GAP-56': 'listed' } });
    await one.apply();
    await one.write('users/a.json', manifest({ email: 'JO@Client-A.example' }, 'renamed'));
    expect(isEmptyPlan(await one.planned())).toBe(true);
    await one.close();
    // The same where no list shows it.
    const hidden = await start();
    await hidden.apply();
    await hidden.write('users/a.json', manifest({ email: 'JO@Client-A.example' }, 'renamed'));
    expect(isEmptyPlan(await hidden.planned())).toBe(true);
    await hidden.write('users/b.json', manifest({ credentialsTo: { file: 'credentials/other.json' } }, 'again'));
    const { diagnostics } = await hidden.plan();
    expect(diagnostics.map(({ code }) => code)).toContain('HW1303');
  });

  it('USR-05: who is there already is found, compared, and never changed; what cannot be read is not compared (USR-07)', async () => {
    const one = await start({
      files: {
        'users/a.json': manifest({ email: 'ada@acme.example', fname: 'Ada', lname: 'Other', companyName: 'Any' }),
      },
    });
    const ada = [...one.sandbox.state.users.values()][0];
    await one.write(
      'users/a.json',
      manifest({ email: ada?.email, fname: ada?.firstName, lname: 'Other', locale: 'en', companyName: 'Any' }),
    );
    const plan = await one.planned();
    expect(plan.actions).toEqual([]);
    expect(plan.blocked).toMatchObject([
      { address: 'User/client-a', reason: 'lname cannot be changed in place', remedy: containing('USR-05') },
    ]);
    await one.write(
      'users/a.json',
      manifest({ email: ada?.email, fname: ada?.firstName, lname: ada?.lastName, locale: 'en' }),
    );
    expect(isEmptyPlan(await one.planned())).toBe(true);
    expect((await one.apply()).outcome.exitCode).toBe(0);
    expect(posts(one)).toBe(0);
  });

  it.each(['firstName', 'lastName', 'locale', 'email'] as const)(
    'USR-05: %s changed behind our back is told once, and written by nobody',
    async (field) => {
      const one = await start({ ambiguities: { 'GAP-56': 'listed' } });
      await one.apply();
      Object.assign(userOf(one) ?? {}, { [field]: field === 'locale' ? 'en' : 'other@else.example' });
      const plan = await one.planned();
      expect(plan.actions).toEqual([]);
      expect(plan.blocked).toHaveLength(1);
      expect(plan.blocked[0]?.reason).toContain(
        { firstName: 'fname', lastName: 'lname', locale: 'locale', email: 'email' }[field],
      );
    },
  );

  it('USR-05: that is wanted absent is removed by a person', async () => {
    const one = await start();
    await one.apply();
    await one.write('users/a.json', manifest({}, 'client-a', { lifecycle: { state: 'absent' } }));
    expect(await one.planned()).toMatchObject({ actions: [], manual: [{ address: 'User/client-a', rule: 'USR-05' }] });
  });

  it('USR-03: without a place for its credentials it is found, and never made', async () => {
    const one = await start({ files: { 'users/a.json': manifest({ credentialsTo: undefined }) } });
    expect(await one.planned()).toMatchObject({
      actions: [],
      blocked: [{ rule: 'USR-03', remedy: containing('credentialsTo') }],
    });
  });

  it('HW2207: is not made without a complete ledger: no list need show who was made before', async () => {
    const one = await openHarness({ scenario: 'panel', workspace, files: { 'users/a.json': manifest() } });
    expect((await one.apply()).outcome).toMatchObject({
      exitCode: 5,
      diagnostics: [{ code: 'HW2207', detail: containing('the ledger began when none was found') }],
    });
    expect(posts(one)).toBe(0);
    await ledgerCommand(one.session(), { do: 'init' });
    expect((await one.apply()).outcome.exitCode).toBe(0);
  });

  it('a saved plan of a user that was made since makes no second one', async () => {
    const one = await start();
    const plan = await one.planned();
    await one.write('users/b.json', second);
    await one.apply({ targets: ['User/client-b'] });
    await one.apply();
    expect(made(one)).toBe(2);
    const { outcome } = await one.apply({ plan });
    expect(outcome, JSON.stringify(outcome)).toMatchObject({ actions: [{ result: 'already-done' }] });
    expect([made(one), posts(one)]).toEqual([2, 2]);
  });
});

describe('several users', () => {
  it('GAP-56: one is made in a run, the next in the next', async () => {
    const one = await start({ files: { 'users/b.json': second } });
    expect(await one.planned()).toMatchObject({
      actions: [{ address: 'User/client-a' }],
      waiting: [{ address: 'User/client-b', rule: 'GAP-56' }],
    });
    expect((await one.apply()).outcome).toMatchObject({ exitCode: 3, outcome: 'waiting' });
    expect(posts(one)).toBe(1);
    expect((await one.apply()).outcome).toMatchObject({ exitCode: 0 });
    expect([posts(one), made(one)]).toEqual([2, 2]);
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  it('GAP-56: a target has its turn', async () => {
    const one = await start({ files: { 'users/b.json': second } });
    expect(await one.planned({ targets: ['User/client-b'] })).toMatchObject({
      actions: [{ address: 'User/client-b' }],
      waiting: [],
    });
  });

  it('GAP-56: none is made while nobody knows what became of another', async () => {
    const one = await start({
      files: { 'users/b.json': second },
      faults: [{ kind: 'reset-before', match: { method: 'POST', path: '/api/users' }, times: 1 }],
    });
    await one.apply();
    expect(await one.planned()).toMatchObject({
      actions: [],
      waiting: expect.arrayContaining([
        expect.objectContaining({ address: 'User/client-b', rule: 'GAP-56' }),
      ]) as unknown,
    });
    expect(made(one)).toBe(0);
  });

  it('of one address, or with one file, are told offline', async () => {
    const one = await start({ files: { 'users/b.json': manifest({ email: 'other@client-a.example' }, 'client-b') } });
    expect((await one.plan()).diagnostics.map(({ code }) => code)).toEqual(['HW1303']);
  });
});

describe('the file for the credentials', () => {
  it.each([
    ['HW1405', 'client-a.json'],
    ['HW1405', 'credentials/../client-a.json'],
    ['HW1405', '/tmp/client-a.json'],
  ])('%s: is never outside the listed places: %s', async (code, file) => {
    const one = await start({ files: { 'users/a.json': manifest({ credentialsTo: { file } }) } });
    expect((await one.plan()).diagnostics.map((diagnostic) => diagnostic.code)).toEqual([code]);
    await one.write('users/a.json', manifest({ credentialsTo: { file: 'credentials/client-a.json' } }));
    expect((await one.plan()).diagnostics).toEqual([]);
  });

  it('HW1406: is not where a link leads', async () => {
    const one = await start({ files: { 'elsewhere/x': '' } });
    mkdirSync(join(one.root, 'credentials'));
    symlinkSync('../elsewhere', join(one.root, 'credentials/out'));
    await one.write('users/a.json', manifest({ credentialsTo: { file: 'credentials/out/a.json' } }));
    expect((await one.plan()).diagnostics.map(({ code }) => code)).toEqual(['HW1406']);
    await one.write('users/a.json', manifest({ credentialsTo: { file: 'credentials/a.json' } }));
    expect((await one.plan()).diagnostics).toEqual([]);
  });

  it('is no manifest, whatever it holds and the globs say', async () => {
    const one = await start({
      files: {
        'credentials/old.json': '{"apiVersion": "hostwright/v1", "kind": "User", "password": "sandbox-password',
      },
    });
    await one.write('hostwright.yaml', workspace.replace('[users]', '["**/*.json"]'));
    const { plan, diagnostics } = await one.plan();
    expect([plan?.actions.length, diagnostics.map(({ code }) => code)]).toEqual([1, ['HW1016']]);
    expect(JSON.stringify(diagnostics)).not.toContain('sandbox-password');
    expect((await one.plan({ paths: ['.'] })).plan?.actions).toHaveLength(1);
    // Named by its own path it is read, as every file is.
    expect((await one.plan({ paths: ['credentials/old.json'] })).plan).toBeUndefined();
  });

  it('a place that leads out of the workspace is no place', async () => {
    const one = await start();
    await one.write('hostwright.yaml', workspace.replace('[credentials]', '[../credentials]'));
    expect((await one.plan()).diagnostics.map(({ code }) => code)).toEqual(['HW6003']);
  });

  it('USR-03: that is there already blocks the user, and stays as it is', async () => {
    const one = await start({ files: { [FILE]: 'mine' } });
    expect(await one.planned()).toMatchObject({
      actions: [],
      blocked: [{ address: 'User/client-a', rule: 'USR-03', reason: containing('is there already') }],
    });
    expect((await one.apply()).outcome.exitCode).toBe(3);
    expect([posts(one), credentials(one)]).toEqual([0, 'mine']);
  });

  it('HW4013: that came between plan and apply refuses the run before anything is sent', async () => {
    const one = await start();
    const confirm = (): Promise<boolean> => one.write(FILE, '').then(() => true);
    expect((await one.apply({ confirm })).outcome).toMatchObject({
      exitCode: 1,
      diagnostics: [{ code: 'HW4013', address: 'User/client-a' }],
    });
    expect([posts(one), credentials(one)]).toEqual([0, '']);
  });

  it('that comes right before the request stops it unsent', async () => {
    const one = await start();
    const emit = (event: RunEvent): void => {
      if (event.type !== 'step-started') return;
      mkdirSync(join(one.root, 'credentials'), { recursive: true });
      writeFileSync(join(one.root, FILE), 'theirs');
    };
    const { outcome } = await one.apply({}, { emit });
    expect(outcome).toMatchObject({
      exitCode: 3,
      actions: [{ result: 'blocked', reason: containing('so nothing was sent (USR-03)') }],
    });
    expect([posts(one), credentials(one)]).toEqual([0, 'theirs']);
  });

  it('is blank, and goes, when the user is refused', async () => {
    const one = await start({ files: { 'users/a.json': manifest({ email: 'taken@acme.example' }) } });
    const [ada] = one.sandbox.state.users.values();
    one.sandbox.state.users.set('user-hidden', {
      ...(ada as NonNullable<typeof ada>),
      id: 'user-hidden',
      email: 'taken@acme.example',
      accountIds: ['acc-other'],
    });
    const { outcome } = await one.apply();
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({
      exitCode: 3,
      actions: [{ result: 'blocked', reason: containing('the address may be taken') }],
    });
    expect(credentials(one)).toBeUndefined();
    expect(await one.planned()).toMatchObject({ waiting: [], actions: [{ verb: 'create' }] });
  });
});

describe('a lost answer', () => {
  const lost: Fault = { kind: 'reset-after', match: { method: 'POST', path: '/api/users' }, times: 1 };

  it('USR-03, USR-06: of a user that the list shows: it is there, its credentials are lost, and that is said, now and in plans', async () => {
    const one = await start({ ambiguities: { 'GAP-56': 'listed' }, faults: [lost] });
    const { outcome } = await one.apply();
    expect(outcome).toMatchObject({
      exitCode: 3,
      outcome: 'waiting',
      actions: [{ result: 'waiting', reason: containing('forgot password'), outputs: { kept: 'lost' } }],
    });
    expect([made(one), credentials(one)]).toEqual([1, undefined]);
    const plan = await one.planned();
    expect(plan).toMatchObject({
      actions: [],
      waiting: [],
      notices: [{ code: 'HW2009', severity: 'warning', address: 'User/client-a', detail: containing('USR-03') }],
    });
    expect(isEmptyPlan(plan)).toBe(true);
    expect((await one.apply()).outcome.exitCode).toBe(0);
    expect(made(one)).toBe(1);
    await one.write('users/a.json', manifest({ credentialsTo: undefined }));
    expect((await one.planned()).notices).toEqual([]);
  });

  it('GAP-56: of a user that no list shows: no second request in any run, until a person has spoken', async () => {
    const one = await start({ faults: [lost] });
    expect((await one.apply()).outcome.actions).toMatchObject([{ result: 'unknown-outcome' }]);
    expect((await one.apply()).outcome.actions).toMatchObject([{ result: 'unknown-outcome' }]);
    expect((await one.planned()).actions).toEqual([]);
    await ledgerCommand(one.session(), { do: 'confirm', address: 'User/client-a', id: userOf(one)?.id ?? '' });
    expect((await one.apply()).outcome).toMatchObject({
      exitCode: 3,
      actions: [{ result: 'waiting', outputs: { kept: 'lost' } }],
    });
    expect((await one.apply()).outcome.exitCode).toBe(0);
    expect([posts(one), made(one), credentials(one)]).toEqual([1, 1, undefined]);
  });

  it('GAP-56: that was not made, as a person found out, is made by the next run', async () => {
    const one = await start({ faults: [{ ...lost, kind: 'reset-before' }] });
    await one.apply();
    await ledgerCommand(one.session(), { do: 'confirm', address: 'User/client-a', notMade: true });
    expect((await one.apply()).outcome.exitCode).toBe(0);
    isHonest(one, 'confirmed');
    expect([made(one), credentials(one)?.includes('sandbox-password')]).toEqual([1, true]);
  });
});

describe('death', () => {
  it('at every event of a run: at most one user, its credentials whole or said to be lost', async () => {
    class Died extends Error {}
    for (let at = 1; ; at += 1) {
      const one = await start({ ambiguities: { 'GAP-56': 'listed' } });
      let seen = 0;
      const emit = (): void => {
        seen += 1;
        if (seen === at) throw new Died();
      };
      const end = await one.apply({}, { emit }).then(
        ({ outcome }) => outcome.exitCode,
        (error: unknown) => error,
      );
      const where = `death at event ${at}`;
      const again = end === 0 ? undefined : await one.apply();
      if (end !== 0) expect(end, where).toBeInstanceOf(Died);
      isHonest(one, where);
      expect([made(one), posts(one)], where).toEqual([1, 1]);
      const isLost = credentials(one) === undefined;
      if (isLost)
        expect(again?.outcome, where).toMatchObject({ exitCode: 3, actions: [{ outputs: { kept: 'lost' } }] });
      expect((await one.apply()).outcome.exitCode, where).toBe(0);
      expect(isEmptyPlan(await one.planned()), where).toBe(true);
      await one.close();
      if (end === 0) break;
      expect(at).toBeLessThan(100);
    }
  });

  const kinds: readonly Omit<Fault, 'at'>[] = [
    { kind: 'reset-before' },
    { kind: 'reset-after' },
    { kind: 'status-after', status: 502 },
    { kind: 'status-before', status: 429, retryAfter: '2' },
    { kind: 'html' },
    { kind: 'truncate' },
  ];

  it.each(kinds)(
    'GAP-56: %o at the POST or at every request: at most one user, and nothing is said that is not so',
    async (fault) => {
      // The plan reads, apply looks, sends (3), reads back. A read that fails does so alike however it fails.
      for (const reading of ['listed', 'unlisted']) {
        for (const at of fault.kind === 'reset-after' || fault.kind === 'html' ? [1, 2, 3, 4] : [3]) {
          const one = await start({ ambiguities: { 'GAP-56': reading }, faults: [{ ...fault, at }] });
          const first = await one.apply();
          const where = `${reading}, ${JSON.stringify(fault)} at ${at}: ${JSON.stringify(first.outcome, null, 1)}`;
          const next = await one.apply();
          isHonest(one, where);
          expect(posts(one), where).toBeLessThanOrEqual(1);
          const known = next.outcome.actions.find(({ result }) => result === 'unknown-outcome');
          if (known === undefined) expect([made(one), next.outcome.exitCode], where).toEqual([1, 0]);
          const [action] = [...first.outcome.actions, ...next.outcome.actions].filter(
            ({ result }) => result === 'done',
          );
          if (action !== undefined)
            expect([action.outputs?.kept, credentials(one) !== undefined], where).toEqual(['whole', true]);
          leaksNothing(one, where);
          await one.close();
        }
      }
    },
  );
});

describe('every reading of what the documents leave open', () => {
  const ambiguities = Object.entries(AMBIGUITIES)
    .filter(([name]) => /^(GAP-56|late|list)/.test(name))
    .flatMap(([gap, values]) => unusual(values).map((value) => [gap, value] as const));

  it.each(ambiguities)('%s = %s: converges', async (gap, value) => {
    const one = await start({ ambiguities: { [gap]: value } });
    const { outcome } = await one.apply();
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0 });
    isHonest(one, `${gap} = ${value}`);
    expect(isEmptyPlan(await one.planned())).toBe(true);
    expect(made(one)).toBe(1);
  });

  it.each([
    ['refuse', 3, 'blocked', undefined],
    ['second', 0, 'done', 'whole'],
    ['further-account', 3, 'waiting', 'lost'],
  ] as const)(
    'GAP-56.duplicate = %s: an address that is taken where nobody can see ends with %i',
    async (value, exitCode, result, kept) => {
      const one = await start({ ambiguities: { 'GAP-56.duplicate': value } });
      const [ada] = one.sandbox.state.users.values();
      one.sandbox.state.users.set('user-hidden', {
        ...(ada as NonNullable<typeof ada>),
        id: 'user-hidden',
        email: spec.email,
        accountIds: ['acc-other'],
      });
      const { outcome } = await one.apply();
      expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({
        exitCode,
        actions: [{ result, ...(kept !== undefined && { outputs: { kept } }) }],
      });
      expect(credentials(one) !== undefined).toBe(kept === 'whole');
    },
  );

  it.each(['403', '422'])(
    'GAP-56.refusal = %s: an account that is no reseller makes none, and nothing is in flight',
    async (value) => {
      const one = await start({ ambiguities: { 'GAP-56.refusal': value } });
      const acme = one.sandbox.state.accounts.get('acc-acme');
      if (acme !== undefined) acme.reseller = false;
      const { outcome } = await one.apply();
      expect(outcome).toMatchObject({ exitCode: 3, actions: [{ result: 'blocked' }] });
      // Where nothing was made, nothing is lost.
      expect(outcome.actions[0]).not.toHaveProperty('outputs');
      expect(await one.planned()).toMatchObject({ waiting: [], actions: [{ verb: 'create' }] });
      expect([made(one), credentials(one)]).toEqual([0, undefined]);
    },
  );

  it('USR-04: the account of the platform itself makes none', async () => {
    const one = await start();
    const acme = one.sandbox.state.accounts.get('acc-acme');
    if (acme !== undefined) Object.assign(acme, { platformAdmin: true });
    expect((await one.apply()).outcome).toMatchObject({
      exitCode: 3,
      actions: [{ result: 'blocked', reason: containing('account of the platform itself') }],
    });
  });

  it('USR-01: OAuth may not even look: the user is blocked, the rest goes on', async () => {
    const one = await start();
    const { plan } = await one.plan({}, { token: OAUTH_TOKEN });
    expect(plan).toMatchObject({ actions: [], blocked: [{ address: 'User', rule: 'USR-01' }] });
  });

  it("CNV-13: a system key is refused where a user is needed, by the workspace's word beforehand", async () => {
    const one = await start();
    await one.write('hostwright.yaml', `${workspace}  credential: { type: system }\n`);
    expect((await one.apply({}, { token: SYSTEM_KEY })).outcome).toMatchObject({
      exitCode: 1,
      diagnostics: [{ code: 'HW2203' }],
    });
    expect(posts(one)).toBe(0);
  });
});
