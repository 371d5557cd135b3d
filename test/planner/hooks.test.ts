// What the engine makes of things that are done because of other changes, and never by themselves.
import { describe, expect, it } from 'vitest';
import { isHook, withHooks } from '../../src/planner/hooks.ts';
import type { HookInput } from '../../src/planner/hooks.ts';
import { orderActions } from '../../src/planner/order.ts';
import { selectTargets } from '../../src/planner/targets.ts';
import type { UnorderedAction } from '../../src/model/plan/plan.ts';
import { makePlan } from '../../src/planner/plan.ts';
import { backup } from '../../src/areas/site/kinds/backup.ts';
import { cachePurge } from '../../src/areas/cdn/kinds/purge.ts';
import { registry } from '../../src/areas/index.ts';
import { site } from '../../src/areas/site/kinds/site/index.ts';
import { ShapeError } from '../../src/model/kind/rows.ts';
import type { Collection, ReadContext } from '../../src/model/kind/kind.ts';
import { MISSING_LEDGER } from '../../src/model/plan/ledger-view.ts';
import type { InFlight } from '../../src/model/plan/ledger-view.ts';
import type { Action } from '../../src/model/plan/plan.ts';
import { live, member, wantMembers, wantRoot, wantRoots } from '../support/desired.ts';
import { anAction, begunOf } from '../support/actions.ts';
import { containing } from '../support/matchers.ts';

const change = (address: string, extra: Partial<UnorderedAction> = {}) => anAction({ address, ...extra });
const php = change('Site/shop/PhpVersion');
const caching = change('Site/shop/Caching');
const volumes: Collection = {
  state: 'read',
  members: [member(backup, '12', { label: 'database' }), member(backup, '11', { label: 'a/b' })],
  blockers: {},
};
const purgeWanted = wantMembers(cachePurge, 'Site/shop', [{}]);
const backupWanted = wantMembers(backup, 'Site/shop', [{}]);
const input: HookInput = {
  registry,
  declared: [purgeWanted, backupWanted],
  ledger: { inFlight: [] },
  observed: new Map<string, Collection>([
    ['Site/shop/Backup', volumes],
    ['Site/shop/CachePurge', live(cachePurge)],
  ]),
};
const addresses = (actions: readonly { readonly address: string }[]): readonly string[] =>
  actions.map(({ address }) => address);

describe('hooks', () => {
  it('go with the changes of their own root, each once', () => {
    const { actions, blockers } = withHooks(input, [php, caching, change('Site/docs/PhpVersion')], new Set());
    expect([addresses(actions), blockers]).toEqual([
      ['Site/shop/PhpVersion', 'Site/shop/Caching', 'Site/docs/PhpVersion', 'Site/shop/Backup', 'Site/shop/CachePurge'],
      [],
    ]);
    expect(actions[3]).toMatchObject({
      hook: 'before',
      stage: 'change',
      verb: 'create',
      locks: ['Site/shop'],
      changes: [],
      expect: { exists: false },
      source: { line: 10 },
    });
    expect(actions[4]).toMatchObject({ hook: 'after', stage: 'removal', verb: 'update' });
    expect(addresses(withHooks(input, [caching], new Set()).actions)).toEqual([
      'Site/shop/Caching',
      'Site/shop/CachePurge',
    ]);
    expect(withHooks(input, [], new Set()).actions).toEqual([]);
    expect(withHooks(input, [php], new Set(['Site/shop'])).actions).toEqual([php]);
  });

  it('have no place in the manifest where nobody knows it', () => {
    const unplaced = {
      ...purgeWanted,
      members: purgeWanted.members.map((desired) => ({ ...desired, sourceOf: () => undefined })),
    };
    expect(withHooks({ ...input, declared: [unplaced] }, [caching], new Set()).actions[1]).not.toHaveProperty('source');
  });

  it.each([
    [
      'unread',
      {
        observed: new Map<string, Collection>([
          ['Site/shop/Backup', { state: 'unknown', reason: 'it answered 503', remedy: 'Again.' }],
          ['Site/shop/CachePurge', live(cachePurge)],
        ]),
      },
      '503',
    ],
    [
      'without a volume',
      {
        observed: new Map<string, Collection>([
          ['Site/shop/Backup', live(backup)],
          ['Site/shop/CachePurge', live(cachePurge)],
        ]),
      },
      'no volume',
    ],
    ['in flight', { ledger: { inFlight: [{ action: { address: 'Site/shop/Backup' } } as InFlight] } }, 'in flight'],
  ])('that come before and are %s hold back what waits for them, and what goes with that', (_name, extra, reason) => {
    const { actions, blockers } = withHooks({ ...input, ...extra }, [php], new Set());
    expect(actions).toEqual([]);
    expect(blockers).toMatchObject([
      { list: 'blocked', address: 'Site/shop/PhpVersion', reason: containing(reason), rule: 'O-10' },
    ]);
  });

  it('O-10, O-28, O-70: have edges of their own, and no others', () => {
    const removal = change('Site/shop/EdgeRule/old', { verb: 'delete', stage: 'removal' });
    const ordered = orderActions(withHooks(input, [removal, php, caching], new Set()).actions, registry, new Map());
    const needs = Object.fromEntries(
      ordered.map((action) => [action.address, action.needs.map(({ address, rule }) => `${rule} ${address}`)]),
    );
    expect(needs).toEqual({
      'Site/shop/Backup': [],
      'Site/shop/Caching': [],
      'Site/shop/PhpVersion': ['O-10 Site/shop/Backup'],
      'Site/shop/EdgeRule/old': ['O-70 Site/shop/Caching', 'O-70 Site/shop/PhpVersion'],
      'Site/shop/CachePurge': ['O-28 Site/shop/Caching', 'O-28 Site/shop/PhpVersion', 'O-28 Site/shop/EdgeRule/old'],
    });
    expect(ordered.at(-1)?.address).toBe('Site/shop/CachePurge');
    expect(
      selectTargets(ordered, ['Site/shop/PhpVersion']).map(({ address, needs: kept }) => [address, kept.length]),
    ).toEqual([
      ['Site/shop/Backup', 0],
      ['Site/shop/PhpVersion', 1],
      ['Site/shop/CachePurge', 1],
    ]);
  });

  it('are no collections: never unmanaged, never deferred', () => {
    expect([
      isHook(purgeWanted, registry),
      isHook({ kind: 'Site' }, registry),
      isHook({ kind: 'Nothing' }, registry),
    ]).toEqual([true, false, false]);
    const { plan } = makePlan({
      account: 'acc-1',
      registry,
      declared: [wantRoots(site, [wantRoot(site, 'shop')]), purgeWanted, backupWanted],
      bound: new Map([['Site/shop', member(site, 's1', { name: 'shop' })]]),
      observed: new Map<string, Collection>([...input.observed, ['Site', live(site)]]),
      ledger: MISSING_LEDGER,
      targets: [],
      notices: [],
    });
    expect([plan?.actions, plan?.unmanaged, plan?.deferred, plan?.blocked]).toEqual([[], [], [], []]);
  });

  it('that an earlier run owes wait, unless this plan owes them too', () => {
    const [, purge] = withHooks(input, [caching], new Set()).actions;
    const flight: InFlight = {
      runId: 'run-1',
      action: begunOf({ ...purge, needs: [] } as unknown as Action),
      answered: {},
      known: {},
      effects: [],
    };
    const plan = (declared: typeof purgeWanted) =>
      makePlan({
        account: 'acc-1',
        registry,
        declared: [
          wantRoots(site, [wantRoot(site, 'shop')]),
          declared,
          wantMembers(registry.get('Caching') as never, 'Site/shop', [{ smartCache: true }]),
        ],
        bound: new Map([['Site/shop', member(site, 's1', { name: 'shop' })]]),
        observed: new Map<string, Collection>([
          ...input.observed,
          ['Site', live(site)],
          [
            'Site/shop/Caching',
            {
              state: 'read',
              members: [member(registry.get('Caching') as never, 'caching', { smartCache: false })],
              blockers: {},
            },
          ],
        ]),
        ledger: { ...MISSING_LEDGER, inFlight: [flight] },
        targets: [],
        notices: [],
      }).plan;
    expect([plan(purgeWanted)?.waiting, addresses(plan(purgeWanted)?.actions ?? [])]).toEqual([
      [],
      ['Site/shop/Caching', 'Site/shop/CachePurge'],
    ]);
    expect(addresses(plan({ ...purgeWanted, members: [] })?.waiting ?? [])).toEqual(['Site/shop/CachePurge']);
  });
});

describe('their kinds', () => {
  const context = { parent: null } as unknown as ReadContext;

  it('stand in the manifest as what is asked for', () => {
    expect(backup.section.expand({ beforeChange: { backup: true } })).toEqual([
      { name: null, spec: {}, pointer: '/beforeChange/backup' },
    ]);
    expect(backup.section.expand({ beforeChange: { backup: false } })).toEqual([]);
    expect(cachePurge.section.expand({ afterChange: { purge: true } })).toEqual([
      { name: null, spec: {}, pointer: '/afterChange/purge' },
    ]);
    expect(cachePurge.section.expand({ afterChange: {} })).toEqual([]);
    expect([
      cachePurge.identity({}),
      cachePurge.decode({}, context),
      cachePurge.normalise({}),
      backup.normalise({ label: 'x' }),
    ]).toEqual(['CachePurge', [], {}, { label: 'x' }]);
  });

  it('BKP-01: read the volumes by label, and demand their ids', () => {
    expect(backup.reads.volumes?.path({ ...context, parent: member(site, 's/1', { name: 'x' }) })).toBe(
      '/api/sites/s%2F1/backups',
    );
    expect(backup.decode({ volumes: { content: { id: 11, archives: [] } } }, context)).toEqual([
      { id: '11', spec: { label: 'content' } },
    ]);
    for (const volumes of [null, [], { content: 5 }, { content: { id: '11' } }])
      expect(() => backup.decode({ volumes }, context)).toThrow(ShapeError);
  });

  it('BKP-02, BKP-05, BKP-06: every volume under the name of the run, then every archive is waited for', () => {
    const steps =
      backup.capabilities.hook?.steps({ self: 'Site/shop/Backup', parent: 'Site/shop', members: volumes.members }) ??
      [];
    const name = { $ref: 'Site/shop/Backup', output: 'run' };
    expect(steps).toMatchObject([
      {
        name: 'back up a/b',
        method: 'PATCH',
        path: ['/api/sites/', { $ref: 'Site/shop' }, '/backups/', '11'],
        body: { name },
        idempotent: false,
        recovery: {
          ifNotFound: 'ask',
          graceMs: 60_000,
          lookUp: { rows: '/a~1b/archives', where: [{ pointer: '/name', value: name, as: 'beginning' }] },
        },
      },
      { name: 'back up database' },
      { do: 'wait-for', waitFor: { how: 'until', found: true, lookUp: { rows: '/a~1b/archives' } } },
      { do: 'wait-for' },
    ]);
  });

  it('O-10: a backup goes with what has no other way back', () => {
    const goes = (action: UnorderedAction): boolean => backup.capabilities.hook?.triggeredBy(action, {}) === true;
    expect(
      [
        php,
        change('Site/shop', { changes: [{ op: 'replace', path: '/plan', value: 'max' }] }),
        change('Site/shop', { verb: 'delete' }),
      ].map(goes),
    ).toEqual([true, true, true]);
    expect(
      [
        caching,
        change('Site/shop', { verb: 'create' }),
        change('Site/shop', { changes: [{ op: 'replace', path: '/name', value: 'x' }] }),
        change('Site/shop/PhpVersion', { verb: 'create' }),
      ].map(goes),
    ).toEqual([false, false, false, false]);
  });

  it('CDN-10, CCH-04: a purge is the call for the whole zone, safe to repeat, and nothing where there is no CDN', () => {
    expect(
      cachePurge.capabilities.hook?.steps({ self: 'Site/shop/CachePurge', parent: 'Site/shop', members: [] }),
    ).toMatchObject([
      {
        method: 'POST',
        path: ['/api/sites/', { $ref: 'Site/shop' }, '/cdn/caching/purge'],
        idempotent: true,
        answers: [{ status: '2xx', then: 'done' }],
      },
    ]);
  });
});
