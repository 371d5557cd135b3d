// The ledgers of real runs, at several stages and changed in any way: a run never writes what neither an honest ledger
// nor a ledger of verified bindings leads to.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LedgerLine } from '../../../src/ledger/entries.ts';
import { formatLine } from '../../../src/ledger/entries.ts';
import { readLedger } from '../../../src/ledger/stored-ledger.ts';
import { ledgerOptions } from '../../../src/usecases/ledger.ts';
import { openWorkspace } from '../../../src/usecases/workspace.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { startHarness } from '../../support/harness.ts';
import { dieAtAppend } from '../../support/loops.ts';
import type { Story } from '../../support/loops.ts';
import { manifest } from '../../support/manifests.ts';
import type { Mutation } from '../../support/mutations.ts';
import { linesOf, mutated, MUTATIONS, textOf } from '../../support/mutations.ts';
import { runsOf, seedOf } from '../../support/property-runs.ts';

const LEDGER = '.hostwright/ledger.jsonl';
const CACHING = { caching: { cacheExpiration: 777 } };
const env = (name: string): string | undefined => (name === 'DAAN_PASSWORD' ? 'a-very-secret-word' : undefined);

interface Ground {
  readonly name: string;
  readonly options: HarnessOptions;
}

const GROUNDS: readonly Ground[] = [
  {
    name: 'a purchase, a deletion and updates of two sites',
    options: {
      ledger: true,
      files: {
        'sites/launch.yaml': manifest('Site', 'launch', {
          plan: 'pro',
          order: { variant: 'vanilla', location: 'ams', term: 'monthly' },
          domains: ['launch.example.com'],
          ...CACHING,
        }),
        'sites/shop.yaml': manifest('Site', 'shop', { domains: ['shop.example.com', 'new.example.com'], ...CACHING }),
        'sites/docs.yaml': manifest('Site', 'docs', {}, { id: 'site-docs', lifecycle: { state: 'absent' } }),
      },
    },
  },
  { name: 'the sites of an agency', options: { ledger: true, example: 'small-agency' } },
  { name: 'the mail of a company', options: { ledger: true, example: 'mail-for-a-company', scenario: 'mail' } },
  { name: 'a site with Shield', options: { ledger: true, example: 'shielded-shop', scenario: 'shield' } },
];

/** Every ceiling is open, and nobody answers a question. */
const YES = { confirm: () => Promise.resolve(true), allowDeletes: 99, allowCharges: 99 };

const runOf = (one: Harness, extra = {}) => one.apply(YES, { env, ...extra });

const story: Pick<Story, 'run'> = { run: async (one, extra) => (await runOf(one, extra)).outcome };

/** A ground whose run died at an append to the ledger, or ended. */
async function opened({ options }: Ground, at: number): Promise<Harness> {
  const one = await startHarness({ ...options, memoryLedger: false });
  await dieAtAppend(one, story, at, 'after');
  return one;
}

const textAt = (one: Harness): Promise<string> => readFile(join(one.root, LEDGER), 'utf8');

/** What later runs write: each request with its body. */
async function writesAfter(one: Harness): Promise<readonly string[]> {
  const from = one.sandbox.requests.length;
  await one.apply({ ...YES, resumeOnly: true }, { env });
  await runOf(one);
  await runOf(one);
  await one.apply({ ...YES, resumeOnly: true }, { env });
  return one.sandbox.requests
    .slice(from)
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, body }) => `${method} ${path} ${JSON.stringify(body)}`);
}

/** A complete ledger that has only the bindings of this one. */
async function verifiedOf(one: Harness): Promise<string> {
  const session = one.session();
  const { workspace } = await openWorkspace(session, []);
  if (workspace === undefined) throw new Error('no workspace');
  const { view } = await readLedger(ledgerOptions(session, workspace, 'read'));
  const lines = [...view.objects.values()].map(({ address, id, owned, applied, outputs }, index): LedgerLine => ({
    n: index + 1,
    atMs: 0,
    entry: { type: 'bound', address, id, owned, applied, outputs },
  }));
  const header = { format: 'hostwright.ledger/2', account: 'acc-acme', standing: 'complete', after: 0 };
  return `${JSON.stringify(header)}\n${lines.map(formatLine).join('')}`;
}

/** Ids and addresses of what the account has, also of what no manifest declares. */
function liveIn({ sandbox }: Harness): { readonly ids: readonly string[]; readonly addresses: readonly string[] } {
  const ids = new Set<string>();
  const walk = (value: unknown, depth: number): void => {
    if (depth > 8 || typeof value !== 'object' || value === null) return;
    const entries = value instanceof Map ? [...value.entries()] : Object.entries(value);
    for (const [key, item] of entries as readonly (readonly [unknown, unknown])[]) {
      if (['id', 'Guid', 'token'].includes(String(key)) && ['string', 'number'].includes(typeof item))
        ids.add(String(item));
      walk(item, depth + 1);
    }
  };
  walk(sandbox.state, 0);
  const addresses = [...sandbox.state.sites.values()].flatMap(({ name, domains }) => [
    `Site/${name}`,
    ...domains.map(({ hostname }) => `Site/${name}/SiteDomain/${hostname}`),
    `Site/${name}/CachePurge`,
    `Site/${name}/Caching`,
  ]);
  return { ids: [...ids], addresses: [...addresses, 'Site/new', 'Mailspace/example.com/Mailbox/x@example.com'] };
}

const anyMutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom(...MUTATIONS),
  at: fc.nat(1_000),
  other: fc.nat(1_000),
  value: fc.nat(1_000),
});

interface Stage {
  readonly at: number;
  readonly text: string;
  readonly allowed: ReadonlySet<string>;
}

/** A request that changes no setting: a cache purge or a backup that a manifest asks for as a hook. */
const isHook = (write: string): boolean => /^POST \S+\/(purge|cache|backups)\S* /.test(write);

async function use<Result>(one: Harness, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } finally {
    await one.close();
  }
}

async function stageAt(ground: Ground, at: number): Promise<Stage> {
  const honest = await opened(ground, at);
  const { text, verified, sent } = await use(honest, async () => {
    const before = await textAt(honest);
    const bindings = await verifiedOf(honest);
    return { text: before, verified: bindings, sent: await writesAfter(honest) };
  });
  const bare = await opened(ground, at);
  const planned = await use(bare, async () => {
    await bare.write(LEDGER, verified);
    return writesAfter(bare);
  });
  return { at, text, allowed: new Set([...planned, ...sent]) };
}

const appendsOf = async (ground: Ground): Promise<number> => {
  let count = 0;
  const one = await startHarness({ ...ground.options, memoryLedger: false });
  await use(one, async () => {
    const before = (await textAt(one)).split('\n').length;
    await runOf(one);
    count = (await textAt(one)).split('\n').length - before;
  });
  return count;
};

describe('the ledger of a real run', () => {
  it.each(GROUNDS)('causes no additional write if it is changed: $name', async (ground) => {
    const appends = await appendsOf(ground);
    const stages = new Map<number, Stage>();
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: appends + 1 }),
        fc.array(anyMutation, { minLength: 1, maxLength: 4 }),
        async (at, mutations) => {
          const stage = stages.get(at) ?? (await stageAt(ground, at));
          stages.set(at, stage);
          const one = await opened(ground, at);
          await use(one, async () => {
            const lines = mutated(linesOf(stage.text), mutations, liveIn(one));
            await one.write(LEDGER, textOf(lines));
            const beyond = (await writesAfter(one)).filter((write) => !stage.allowed.has(write) && !isHook(write));
            expect(beyond, `${JSON.stringify(mutations)} at append ${at}\n${textOf(lines)}`).toEqual([]);
          });
        },
      ),
      { numRuns: runsOf(200), ...seedOf() },
    );
  });
});
