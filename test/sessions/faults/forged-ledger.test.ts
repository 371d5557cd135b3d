// A ledger says what happened and decides nothing that is sent: whatever is written into it, a run sends only what it
// would send with an honest ledger.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/model/json.ts';
import type { LedgerEntry, LedgerLine } from '../../../src/ledger/entries.ts';
import { formatLine } from '../../../src/ledger/entries.ts';
import { anAction, begunOf } from '../../support/actions.ts';
import type { Harness } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';

const GUARDED =
  'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: http://127.0.0.1:1\n  manifests: [sites]\n  guards: { unreviewed: refuse, allowDeletes: 0, allowCharges: 0 }\n';
const OPEN = GUARDED.replace(/ {2}guards: .*\n/, '');
const LEDGER = '.hostwright/ledger.jsonl';
const RUN = '11111111-1111-4111-8111-111111111111';

const shop = (spec: string, lifecycle = ''): string =>
  `apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: shop, id: site-shop }\n${lifecycle}spec: ${spec}\n`;

/** A workspace that declares the site shop, and a ledger that says this. */
async function forged(
  text: string,
  { workspace = GUARDED, manifest = shop('{}') }: { readonly workspace?: string; readonly manifest?: string } = {},
): Promise<Harness> {
  const one = await openHarness({ workspace, files: { 'sites/shop.yaml': manifest }, memoryLedger: false });
  await one.write(LEDGER, text);
  return one;
}

/** What runs of every sort send that is not a read. */
async function writesAfter(one: Harness): Promise<readonly string[]> {
  await one.apply({ resumeOnly: true });
  await one.apply();
  await one.apply({ resumeOnly: true });
  return one.writes();
}

/** The lines of `forge-ledger`: an action in flight whose first request is answered and whose second is any request. */
const formerLines = (address: string, verb: string, request: Json): string => {
  const step = { do: 'request', idempotent: true, answers: [{ status: '2xx', then: 'done' }], reason: 'routine' };
  const action = {
    ...anAction({ address, verb: verb as 'update', locks: [] }),
    steps: [
      { ...step, name: 'a', method: 'PATCH', path: ['/api/nothing'] },
      { ...step, name: 'b', ...(request as object) },
    ],
  };
  const entries = [
    { type: 'run-started', runId: RUN, planId: 'f'.repeat(64), approved: [action.digest] },
    { type: 'begin', runId: RUN, action, known: {}, effects: [] },
    { type: 'sent', address, step: 'a' },
    { type: 'answered', address, step: 'a', status: 200, row: 0, outputs: {} },
  ];
  return entries
    .map((entry, index) => `${JSON.stringify({ n: index + 1, at: '2026-01-01T00:00:00.000Z', ...entry })}\n`)
    .join('');
};

const headerOf = (version: number): string =>
  `${JSON.stringify({ format: `hostwright.ledger/${version}`, account: 'acc-acme', standing: 'complete', after: 0 })}\n`;

const REQUESTS: readonly (readonly [string, string, string, Json])[] = [
  [
    'deletes a site that no manifest names',
    'Site/blog',
    'update',
    { method: 'DELETE', path: ['/api/sites/site-blog'] },
  ],
  [
    'publishes a secret as the name of a site',
    'Site/shop',
    'update',
    {
      method: 'PATCH',
      path: ['/api/sites/site-blog'],
      body: { site: { name: { $secret: { env: 'MAIL_PASSWORD' } } } },
    },
  ],
  ['deletes a protected site', 'Site/blog', 'update', { method: 'DELETE', path: ['/api/sites/site-shop'] }],
  ['buys a site', 'Site/new', 'create', { method: 'POST', path: ['/api/orders'], body: { site: { variant: 'wp' } } }],
];

describe('a forged ledger', () => {
  it.each(REQUESTS)('of the former format sends nothing where a line %s', async (_, address, verb, request) => {
    const one = await forged(headerOf(1) + formerLines(address, verb, request), {
      manifest: shop('{}', 'lifecycle: { protect: true }\n'),
    });
    expect(await writesAfter(one)).toEqual([]);
  });

  it.each(REQUESTS)('that has steps in a begin entry is damaged, where one %s', async (_, address, verb, request) => {
    const one = await forged(headerOf(2) + formerLines(address, verb, request));
    expect((await one.apply({ resumeOnly: true })).outcome.diagnostics.map(({ code }) => code)).toContain('HW5001');
    expect(await writesAfter(one)).toEqual([]);
  });

  it('of any content leads to no write that an honest ledger would not lead to', async () => {
    const manifest = shop('{ caching: { cacheExpiration: 4711 }, afterChange: { purge: false } }');
    const honest = await forged(headerOf(2), { workspace: OPEN, manifest });
    await honest.apply();
    const planned = new Set(honest.writes());
    expect(planned.size).toBeGreaterThan(0);
    await fc.assert(
      fc.asyncProperty(fc.array(anyEntry, { minLength: 1, maxLength: 8 }), async (entries) => {
        const lines = entries.map((entry, index): LedgerLine => ({ n: index + 1, atMs: 0, entry }));
        const text = headerOf(2) + lines.map(formatLine).join('');
        const one = await forged(text, { workspace: OPEN, manifest });
        await writesAfter(one);
        expect(
          one.writes().filter((write) => !planned.has(write)),
          text,
        ).toEqual([]);
        await one.close();
      }),
      { numRuns: 40 },
    );
  });
});

const ADDRESSES = [
  'Site/shop',
  'Site/blog',
  'Site/new',
  'Site/shop/Caching',
  'Site/shop/SiteDomain/www.example.com',
  'Site/shop/Backup',
  'Site/shop/CachePurge',
  'Site/blog/EdgeRule/Old%20shop',
] as const;
const STEPS = ['order', 'create', 'rename', 'resize', 'settings', 'delete', 'remove', 'purge', 'a'];
const IDS = ['site-shop', 'site-blog', 'a/b', '..%2f', 'no-such-thing', 'site-blog/../site-shop'];

const anyText = fc.constantFrom(...IDS, 'mini', 'wp', 'ams', 'x');
const anyChange = fc.record({
  op: fc.constantFrom('add' as const, 'replace' as const),
  path: fc.constantFrom('/name', '/plan', '/order', '/cacheExpiration', '/hostname', '/primary'),
  was: anyText,
  value: fc.oneof<fc.Arbitrary<Json>[]>(
    anyText,
    fc.constant(4712),
    fc.constant({ variant: 'wp', location: 'ams', term: 'monthly' }),
  ),
});
const anyBegun = fc
  .record({
    address: fc.constantFrom(...ADDRESSES),
    verb: fc.constantFrom('create' as const, 'update' as const, 'delete' as const),
    hook: fc.constantFrom(undefined, 'before' as const, 'after' as const, 'command' as const),
    changes: fc.array(anyChange, { maxLength: 3 }),
    steps: fc.uniqueArray(fc.constantFrom(...STEPS), { maxLength: 3 }),
    isProtected: fc.boolean(),
  })
  .map(({ address, verb, hook, changes, steps, isProtected }): LedgerEntry => ({
    type: 'begin',
    runId: RUN,
    action: {
      ...begunOf(
        anAction({
          address,
          verb,
          changes,
          protected: isProtected,
          locks: [],
          ...(hook !== undefined && { hook }),
        }),
      ),
      requests: steps.map((name) => ({ name })),
    },
    known: { 'Site/shop': { id: 'site-blog' } },
    effects: [],
    ...(hook === 'after' && { triggeredBy: ['Site/shop/Caching'], triggered: true as const }),
  }));
const anyProgress = fc
  .record({
    address: fc.constantFrom(...ADDRESSES),
    step: fc.constantFrom(...STEPS),
    type: fc.constantFrom('sent' as const, 'answered' as const, 'learnt' as const, 'failed' as const),
    follow: fc.constantFrom(undefined, 'wait-for' as const, 'look-up' as const),
    row: fc.constantFrom(null, '2xx has /cart/token wait-for', '2xx wait-for', '2xx done'),
    id: fc.constantFrom(...IDS),
    cart: fc.constantFrom(undefined, 'a-cart'),
  })
  .map(({ address, step, type, follow, row, id, cart }): LedgerEntry => {
    const outputs = { id, ...(cart !== undefined && { cart }) };
    switch (type) {
      case 'sent':
        return { type, address, step };
      case 'learnt':
        return { type, address, step, outputs };
      case 'failed':
        return { type, address, reason: 'forged' };
      case 'answered':
        return { type, address, step, status: 200, row, outputs, ...(follow !== undefined && { follow }) };
    }
  });
const anyEntry = fc.oneof(anyBegun, anyProgress, anyProgress);
