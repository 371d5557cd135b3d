// A fleet on a bad day: each account buys a site and changes one, one request in twenty meets with an accident, the run is
// killed in the middle and begun again. Nothing is bought twice, every account has a result, and the one whose workspace
// is broken has its own words. Twenty accounts; 500 where everything is played.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LedgerStore } from '../../../src/ledger/store.ts';
import type { Fleet } from '../../../src/model/plan/fleet.ts';
import type { Transport } from '../../../src/platform/transport.ts';
import type { Fault } from '../../../src/sandbox/core/http/faults.ts';
import { applyFleet } from '../../../src/usecases/fleet/fleet.ts';
import { ledgerCommand } from '../../../src/usecases/ledger.ts';
import { findMembers } from '../../../src/usecases/fleet/members.ts';
import type { Session } from '../../../src/usecases/session.ts';
import type { Harness } from '../../support/harness.ts';
import { isWhole } from '../../support/whole.ts';
import { manifest, workspaceFile } from '../../support/manifests.ts';
import { openHarness } from '../../support/open-harness.ts';

const ACCOUNTS = isWhole ? 500 : 20;
const RATE = 0.05;
const MOST_RUNS = 10;
/** A process number that no process has. */
const NOBODY = 2 ** 22 + 1;

const MIX: readonly Fault[] = [
  { kind: 'reset-before' },
  { kind: 'reset-after' },
  { kind: 'status-before', status: 429, retryAfter: '2' },
  { kind: 'status-before', status: 500 },
  { kind: 'status-after', status: 502 },
  { kind: 'status-before', status: 503, retryAfter: '1' },
  { kind: 'html' },
  { kind: 'truncate' },
];

/** Faults are tried one after the other: each gets its part of what the ones before it left. */
const accidents = (seed: number): readonly Fault[] =>
  MIX.map((fault, index) => ({
    ...fault,
    seed: seed * 1009 + index,
    probability: RATE / MIX.length / (1 - (RATE * index) / MIX.length),
  }));

const ids = Array.from({ length: ACCOUNTS }, (_, index) => `acc-${String(index + 1).padStart(5, '0')}`);
const BROKEN = ids[6] as string;

function filesOf(account: string): readonly (readonly [string, string])[] {
  const folder = `accounts/${account}`;
  return [
    [
      `${folder}/hostwright.yaml`,
      account === BROKEN ? 'kind: Nothing\n' : workspaceFile('manifests: [sites]', account),
    ],
    [
      `${folder}/sites/shop.json`,
      manifest('Site', 'shop', { domains: [`shop.${account}.example.com`], caching: { cacheExpiration: 77 } }),
    ],
    [
      `${folder}/sites/launch.json`,
      manifest('Site', 'launch', {
        name: 'launch',
        plan: 'pro',
        order: { variant: 'vanilla', location: 'ams', term: 'monthly' },
      }),
    ],
  ];
}

async function run(one: Harness, extra: Partial<Session> = {}): Promise<Fleet> {
  const session = one.session(extra);
  const { members } = await findMembers(session, { folders: ['accounts/*'] });
  return applyFleet(session, members, {
    jobs: 8,
    guards: { allowCharges: 1 },
    parallelism: 2,
    confirm: () => Promise.resolve(true),
  });
}

/** A run in a process that is gone after so many writes: it sends, hears and notes nothing more, and its locks stay. */
async function runAndDie(one: Harness, writes: number): Promise<void> {
  const { transport, runtime } = one.session();
  if (transport === undefined) throw new Error('not in process');
  const never = new Promise<never>(() => undefined);
  const stores = new Set<LedgerStore>();
  let left = writes;
  let isDead = false;
  let tell: () => void = () => undefined;
  const died = new Promise<void>((resolve) => (tell = resolve));
  const mortal: Transport = async (request) => {
    if (isDead) return never;
    left -= request.method === 'GET' ? 0 : 1;
    const answer = await transport(request);
    if (left <= 0) {
      isDead = true;
      await Promise.all([...stores].map((store) => store.close()));
      tell();
    }
    return isDead ? never : answer;
  };
  const storeFor = (store: LedgerStore): LedgerStore => {
    stores.add(store);
    const mortalWrite =
      (write: LedgerStore['append']): LedgerStore['append'] =>
      (text, lock) =>
        isDead ? never : write(text, lock);
    return { ...store, append: mortalWrite(store.append), rewrite: mortalWrite(store.rewrite) };
  };
  await Promise.race([run(one, { transport: mortal, storeFor, runtime: { ...runtime, pid: NOBODY } }), died]);
  expect(isDead).toBe(true);
}

describe(`${ACCOUNTS} accounts with an accident at one request in twenty`, () => {
  it('are done in the end although a run was killed, buy nothing twice, and one that is broken stops no other', async () => {
    const one = await openHarness({
      memoryLedger: false,
      scenario: `accounts:${ACCOUNTS}`,
      files: Object.fromEntries(ids.flatMap(filesOf)),
    });
    for (const id of ids.filter((account) => account !== BROKEN))
      await ledgerCommand(one.session({ cwd: join(one.root, 'accounts', id) }), { do: 'init' });
    one.sandbox.setFaults(accidents(1));
    await runAndDie(one, ACCOUNTS * 2);
    let fleet: Fleet | undefined;
    let runs = 0;
    let asked = 0;
    for (; runs < MOST_RUNS && (fleet === undefined || notDone(fleet).length > 1); runs += 1) {
      if (fleet !== undefined) asked += await settle(one, fleet);
      fleet = await run(one);
    }
    if (fleet === undefined) throw new Error('no run');
    expect(fleet.accounts).toHaveLength(ACCOUNTS);
    const [broken, ...others] = notDone(fleet);
    expect(others, JSON.stringify(others, null, 1)).toEqual([]);
    expect(broken).toMatchObject({ account: `accounts/${BROKEN}`, outcome: 'error' });
    expect(broken?.diagnostics[0]?.code).toBe('HW1202');
    // The sandbox counts purchases of a shape, whichever account pays: one for each.
    expect([...one.sandbox.creations]).toEqual([['site order - vanilla/ams/pro/monthly', ACCOUNTS - 1]]);
    const bought = [...one.sandbox.state.sites.values()].filter(({ name }) => name === 'launch');
    expect(new Set(bought.map(({ accountId }) => accountId)).size).toBe(bought.length);
    expect(bought).toHaveLength(ACCOUNTS - 1);
    process.stdout.write(
      `${ACCOUNTS} accounts, killed once: ${runs} more runs, ${bought.length} purchases, ${asked} of them settled by a person\n`,
    );
  });
});

/** What nobody can know by reading (GAP-11), a person looks up: how many there were. */
async function settle(one: Harness, fleet: Fleet): Promise<number> {
  let count = 0;
  for (const { account, result } of fleet.accounts) {
    if (result?.actions.some((action) => action.result === 'unknown-outcome') !== true) continue;
    const isMade = [...one.sandbox.state.sites.values()].some(
      (site) => site.accountId === account && site.name === 'launch',
    );
    expect(isMade, account).toBe(false);
    const session = one.session({ cwd: join(one.root, 'accounts', account) });
    await ledgerCommand(session, { do: 'confirm', address: 'Site/launch', notMade: true });
    count += 1;
  }
  return count;
}

function notDone({ accounts }: Fleet): Fleet['accounts'] {
  return accounts.filter(({ outcome }) => outcome !== 'done');
}
