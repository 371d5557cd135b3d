// Terraform state is data: whatever anyone writes into the private data of a resource, or into its attributes, the
// provider sends no request that the same configuration does not lead to without it.
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Private } from '../../src/terraform/state-view.ts';
import { fromPrivate, readPrivate } from '../../src/terraform/state-view.ts';
import { anAction, begunOf } from '../support/actions.ts';
import { containing } from '../support/matchers.ts';
import type { Core } from '../support/terraform-core.ts';
import { openCore } from '../support/terraform-core.ts';

const SITE = 'hostwright_site';
const config = { name: 'shop', caching: { cache_expiration: 7200 }, domains: { 'shop.example.com': {} }, adopt: true };

const bytesOf = (content: unknown): Buffer => deflateSync(JSON.stringify(content));

/** An action in flight whose remaining request deletes another site. */
const deletion = {
  runId: 'run-1',
  answered: { a: {} },
  unanswered: 'b',
  known: { 'Site/shop': { id: 'site-blog' } },
  effects: [],
  action: {
    ...anAction({ address: 'Site/shop/Caching', verb: 'update', locks: [] }),
    steps: [
      { do: 'request', name: 'a', method: 'PATCH', path: ['/api/nothing'], idempotent: true, answers: [] },
      { do: 'request', name: 'b', method: 'DELETE', path: ['/api/sites/site-blog'], idempotent: true, answers: [] },
    ],
  },
};
const bound = (address: string, id: string) => ({ address, id, owned: true, applied: {}, outputs: {} });

/** Each with the members that are not valid, which the warning names. */
const HOSTILE: readonly (readonly [string, (kept: Private) => unknown, readonly string[]])[] = [
  ['nothing that is JSON', () => 'text', ['all of it']],
  ['a list', () => [1, 2], ['all of it']],
  ['a member of a wrong type', (kept) => ({ ...kept, locks: {}, unmanaged: 7 }), ['locks', 'unmanaged']],
  ['an unknown member', (kept) => ({ ...kept, steps: deletion.action.steps }), ['steps']],
  ['no snapshot', (kept) => ({ ...kept, snapshot: { address: 'Site/shop' } }), ['snapshot']],
  [
    'an id that means another path',
    (kept) => ({ ...kept, snapshot: { ...kept.snapshot, member: { ...kept.snapshot?.member, id: '..' } } }),
    ['snapshot'],
  ],
  [
    'a fingerprint of another host',
    (kept) => ({ ...kept, fingerprint: { paths: ['//evil.example/'], digest: 'x' } }),
    ['fingerprint'],
  ],
  [
    'a request in flight of a former version',
    (kept) => ({ ...kept, snapshot: { ...kept.snapshot, inFlight: [deletion] } }),
    [],
  ],
  [
    'a request in flight',
    (kept) => ({
      ...kept,
      snapshot: {
        ...kept.snapshot,
        inFlight: [{ ...deletion, action: begunOf(anAction({ address: 'Site/shop/Caching', verb: 'delete' })) }],
      },
    }),
    [],
  ],
  [
    'other sites as its own',
    (kept) => ({
      ...kept,
      snapshot: {
        ...kept.snapshot,
        objects: [bound('Site/shop', 'site-blog'), bound('Site/blog', 'site-blog'), bound('Site/docs', 'site-docs')],
      },
    }),
    [],
  ],
  [
    'another site as the live object',
    (kept) => ({ ...kept, snapshot: { ...kept.snapshot, member: { ...kept.snapshot?.member, id: 'site-blog' } } }),
    [],
  ],
  ['everything approved', (kept) => ({ ...kept, approved: ['f'.repeat(64)], continued: true, isInSync: true }), []],
];

const writesOf = ({ harness }: Core, from: number): readonly string[] =>
  harness.sandbox.requests
    .slice(from)
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path}`);

/** The site in a state, as the provider stored it. */
async function stored(): Promise<Core> {
  const core = await openCore({});
  expect((await core.run(SITE, 'shop', config)).failed).toBe(false);
  await core.refresh(SITE, 'shop');
  return core;
}

describe('private data of a state', () => {
  it.each(HOSTILE)('with %s leads to no request that writes, and is named', async (_, change, invalid) => {
    const core = await stored();
    const before = core.stored.get('shop');
    const kept = fromPrivate(before?.private);
    expect(kept.snapshot).toBeDefined();
    const bytes = bytesOf(change(kept));
    core.stored.set('shop', { ...(before as NonNullable<typeof before>), private: bytes });
    expect(readPrivate(bytes).invalid.toSorted()).toEqual(invalid);
    const from = core.harness.sandbox.requests.length;
    const said = await core.refresh(SITE, 'shop');
    if (invalid.length > 0) expect(said).toEqual([containing(`HW7028`)]);
    for (const name of invalid) expect(said.join()).toContain(`\`${name}\``);
    // Without a refresh too: the plan then rests on what the state says.
    core.stored.set('shop', { ...(before as NonNullable<typeof before>), private: bytes });
    for (const options of [{ refresh: false } as const, undefined]) {
      const planned = await core.plan(SITE, 'shop', config, options);
      if (!planned.failed && planned.changes) await core.apply(SITE, 'shop', planned);
    }
    expect(writesOf(core, from)).toEqual([]);
    expect(core.harness.sandbox.requests.slice(from).every(({ path }) => path.startsWith('/api/'))).toBe(true);
    const healed = await core.run(SITE, 'shop', config);
    expect(healed.failed, healed.said.join()).toBe(false);
    expect(writesOf(core, from)).toEqual([]);
  });

  it('that was not deflated, or is a bomb, is nothing', () => {
    for (const bytes of [Buffer.from('nonsense'), deflateSync(Buffer.alloc(80 * 1024 * 1024))])
      expect(readPrivate(bytes)).toEqual({ kept: {}, invalid: ['all of it'] });
    expect(readPrivate(bytesOf(JSON.parse('{"__proto__":{"imported":true},"constructor":1}')))).toEqual({
      kept: {},
      invalid: ['__proto__', 'constructor'],
    });
  });
});

describe('the attributes of a state', () => {
  it.each(['../site-blog', 'site-blog/../site-shop', 'a/b', '.', 'x?y=1', 'site-blog#'])(
    'with the id %s lead to no request but those of the configuration',
    async (id) => {
      const core = await stored();
      const before = core.stored.get('shop') as NonNullable<ReturnType<typeof core.stored.get>>;
      core.stored.set('shop', { ...before, state: { ...before.state, id } });
      const from = core.harness.sandbox.requests.length;
      await core.run(SITE, 'shop', { ...config, caching: { cache_expiration: 4711 } });
      // The site of that id does not exist, and the configuration adopts the one with its hostname.
      expect(new Set(writesOf(core, from))).toEqual(new Set(['PATCH /api/sites/site-shop/cdn/caching']));
      expect(core.harness.sandbox.requests.slice(from).filter(({ path }) => path.includes('blog'))).toEqual([]);
    },
  );

  it('with the id of another site are refused, because the rest of the state names the other', async () => {
    const core = await stored();
    const before = core.stored.get('shop') as NonNullable<ReturnType<typeof core.stored.get>>;
    core.stored.set('shop', { ...before, state: { ...before.state, id: 'site-blog' } });
    const from = core.harness.sandbox.requests.length;
    const planned = await core.plan(SITE, 'shop', config);
    expect(planned.said).toEqual([containing('HW2002')]);
    await core.run(SITE, 'shop', { ...config, caching: { cache_expiration: 4711 } });
    expect(writesOf(core, from)).toEqual([]);
  });
});
