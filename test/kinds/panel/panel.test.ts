// Panel accounts by themselves: what they ask, how they read answers, what they send, what they refuse.
import { describe, expect, it } from 'vitest';
import { panelAccount } from '../../../src/areas/panel/kinds/index.ts';
import { validators } from '../../../src/manifest/generated/validator-table.ts';
import type { Json, JsonObject } from '../../../src/model/json.ts';
import type { ReadContext, ReadSpec } from '../../../src/model/kind/kind.ts';
import { NOTHING_WANTED, statusBlocker } from '../../../src/model/kind/kind.ts';
import { normaliseSpec } from '../../../src/model/kind/normalise.ts';
import { ShapeError } from '../../../src/model/kind/rows.ts';
import { wantRoot, wantRoots } from '../../support/desired.ts';
import { containing } from '../../support/matchers.ts';

const row = (more: JsonObject = {}): JsonObject => ({
  username: 'acme',
  primary_domain: 'Acme.NL',
  package: { code: 'M', key: 'Basic', label: 'Basic' },
  state: 'active',
  delete_scheduled_at: null,
  subscription: { id: 's', status: 'active', term: 'monthly' },
  account: { id: 'acc-1', name: 'acme' },
  ...more,
});
const full = (...more: readonly JsonObject[]): readonly JsonObject[] => [
  ...Array.from({ length: 500 - more.length }, (_, index) =>
    row({ username: `u${index}`, primary_domain: `u${index}.nl` }),
  ),
  ...more,
];
const nobody = wantRoots(panelAccount, []);
const context = (extra: Partial<ReadContext> = {}): ReadContext => ({
  account: 'acc-1',
  parent: null,
  declared: nobody,
  owned: new Set(),
  answers: {},
  ...extra,
});
const decode = (...rows: readonly JsonObject[]) => panelAccount.decode({ list: rows }, context());
const computed = (more: JsonObject = {}): JsonObject => ({
  state: 'active',
  code: 'M',
  localPackage: null,
  primaryDomain: 'acme.nl',
  term: 'monthly',
  leavesAt: null,
  ...more,
});
const on = (more: JsonObject = {}, spec: JsonObject = { package: 'basic' }) => ({ spec, computed: computed(more) });

const order = { term: 'annual', domain: 'acme.nl' };

describe('reading', () => {
  it('PNL-11: the list is read in pages of a hundred, and nothing else while it is one page', () => {
    const { list, narrowed } = panelAccount.reads;
    expect([list?.path(context()), list?.pages]).toEqual(['/api/panel_accounts?per_page=100', '/username']);
    expect(narrowed?.path(context({ answers: { list: [row()] }, ids: ['other'] }))).toBeNull();
  });

  it('PNL-11: a full list is followed by a search for each domain and id that it does not show', () => {
    const { path } = panelAccount.reads.narrowed as ReadSpec;
    const declared = wantRoots(panelAccount, [
      wantRoot(panelAccount, 'a', {}, { keys: [['far.nl']] }),
      wantRoot(panelAccount, 'b', {}, { keys: [['u1.nl']] }),
      wantRoot(panelAccount, 'c'),
    ]);
    const at = context({ declared, ids: ['u2', 'far_one'], answers: { list: full(row({ primary_domain: null })) } });
    const far = { 'far.nl': '/api/panel_accounts?per_page=100&q=far.nl' };
    expect(path(at)).toEqual({ ...far, far_one: '/api/panel_accounts?per_page=100&q=far_one' });
    expect(path(context({ declared, answers: { list: full() } }))).toEqual(far);
  });

  it('PNL-02, GAP-47: compares the key in any spelling, and knows a package without one by its code', () => {
    expect(
      decode(row(), row({ username: 'old', package: { code: 'OLD', key: null, label: 'OLD' }, local_package: 'x_M' })),
    ).toMatchObject([
      { id: 'acme', spec: { package: 'basic' }, computed: computed(), keys: [['acme.nl']] },
      { id: 'old', spec: {}, computed: { code: 'OLD', localPackage: 'x_M' } },
    ]);
    expect(
      decode(row({ package: null, primary_domain: null, subscription: null, delete_scheduled_at: '2030' })),
    ).toMatchObject([
      { spec: {}, computed: { code: null, primaryDomain: null, term: null, leavesAt: '2030' }, keys: [[]] },
    ]);
    expect(() => decode(row({ state: null }))).toThrow(ShapeError);
    expect(() => panelAccount.decode({ list: null }, context())).toThrow(ShapeError);
  });

  it('CNV-08: keeps to the rows of the account, and to those that say no account', () => {
    const { account: _, ...bare } = row({ username: 'bare' });
    expect(
      decode(row(), row({ username: 'theirs', account: { id: 'acc-2', name: 'x' } }), bare).map(({ id }) => id),
    ).toEqual(['acme', 'bare']);
  });

  it('PNL-16: a domain that another workspace has is in the way', () => {
    const declared = wantRoots(
      panelAccount,
      ['acme', 'free', 'bare'].map((name) =>
        wantRoot(panelAccount, name, {}, { keys: [name === 'bare' ? [] : [`${name}.nl`]] }),
      ),
    );
    const theirs = [row({ account: { id: 'acc-2', name: 'x' } })];
    expect(panelAccount.blockers?.({ list: theirs }, context({ declared }))).toMatchObject({
      acme: { rule: 'PNL-16' },
    });
    expect(Object.keys(panelAccount.blockers?.({ list: theirs }, context({ declared })) ?? {})).toEqual(['acme']);
    expect(panelAccount.blockers?.({ list: [row()] }, context({ declared }))).toEqual({});
  });

  it('PNL-16: so is an order for a domain that is not registered in the workspace, as far as that is known', () => {
    const declared = wantRoots(
      panelAccount,
      [['own.nl'], ['sub.own.nl'], ['nobody.nl'], ['coming.nl'], ['acme.nl'], []].map((keys, index) =>
        wantRoot(panelAccount, `a${index}`, {}, { keys: [keys], ...(index === 5 && { boundId: 'x' }) }),
      ),
    );
    const at = context({ declared, answers: { list: [row()] } });
    expect(panelAccount.reads.registrations?.path(at)).toBe('/api/domain_registrations');
    expect(panelAccount.reads.registrations?.path(context({ answers: { list: [row()] } }))).toBeNull();
    const registrations = [
      { name: 'Own.nl', status: 'EXPIRED' },
      { name: 'coming.nl', status: 'PENDING_TRANSFER' },
    ];
    expect(
      Object.entries(panelAccount.blockers?.({ list: [row()], registrations }, at) ?? {}).map(
        ([identity, { rule, unlessDeclared }]) => [identity, rule, unlessDeclared],
      ),
    ).toEqual([
      ['a2', 'PNL-16', true],
      ['a3', 'PNL-16', true],
    ]);
    expect(panelAccount.blockers?.({ list: [row()], registrations: null }, at)).toEqual({});
  });

  it('PNL-11: what a search finds is there; what it does not find is missing, unless the ledger has it', () => {
    const declared = wantRoots(
      panelAccount,
      ['far', 'none', 'ours', 'bare'].map((name) =>
        wantRoot(panelAccount, name, {}, { keys: [name === 'bare' ? [] : [`${name}.nl`]] }),
      ),
    );
    const answers: Record<string, Json> = {
      list: full(),
      narrowed: {
        'far.nl': [
          row({ username: 'far', primary_domain: 'far.nl' }),
          row({ username: 'u1', primary_domain: 'u1.nl' }),
        ],
        'none.nl': [],
        'ours.nl': [],
      },
    };
    expect(panelAccount.decode(answers, context({ declared }))).toHaveLength(501);
    expect(panelAccount.incomplete?.(answers, context({ declared, owned: new Set(['ours']) }))).toMatchObject({
      rule: 'PNL-11',
      as: 'unknown',
      absent: ['none'],
    });
    expect(panelAccount.incomplete?.({ list: full() }, context({ declared: nobody }))).toMatchObject({ absent: [] });
    expect(panelAccount.incomplete?.({ list: [row()] }, context({ declared }))).toBeNull();
  });

  it('PNL-13: is known by the domain of its order', () => {
    expect(panelAccount.keys?.('a', { order: { domain: 'Bücher.example.' } })).toEqual([['xn--bcher-kva.example']]);
    expect(panelAccount.keys?.('a', {})).toEqual([[]]);
    expect(
      panelAccount.section.expand({ package: 'pro', order: { term: 'annual', domain: 'ACME.nl' } })[0]?.spec,
    ).toEqual({ package: 'pro', order });
    expect(panelAccount.section.expand({ order: {} })[0]?.spec).toEqual({ order: {} });
    expect([panelAccount.identity({ order }), panelAccount.identity({})]).toEqual(['acme.nl', '']);
    expect(normaliseSpec(panelAccount, { package: 'pro' })).toEqual({ package: 'pro' });
  });
});

describe('what stands in the way', () => {
  it('PNL-06, PNL-18: of everything', () => {
    expect([panelAccount.status?.(on()), panelAccount.status?.(on({ state: 'dunning_suspended' }))]).toEqual([
      undefined,
      undefined,
    ]);
    expect(statusBlocker(panelAccount, on({ state: 'provisioning' }))).toMatchObject({ rule: 'PNL-06', as: 'waiting' });
    expect(statusBlocker(panelAccount, on({ state: 'pending_deletion', leavesAt: '2030-01-01' }))).toMatchObject({
      rule: 'PNL-18',
      reason: containing('2030-01-01'),
    });
    expect(statusBlocker(panelAccount, on({ state: 'pending_deletion' }))).toMatchObject({
      reason: 'the account is about to be deleted and takes no change',
    });
    expect(panelAccount.status?.(on({ state: 'pending_deletion' }))?.is).toBe('deleting');
    expect(panelAccount.status?.(on({ state: 'provisioning' }))?.is).toBe('frozen');
  });

  it.each([
    [on(), undefined, undefined],
    [on({ localPackage: 'x' }), 'O-67', 'O-67'],
    [on({}, {}), 'GAP-47', undefined],
    [on({ state: 'dunning_suspended' }), 'PNL-09', 'GAP-49'],
    [on({ state: 'admin_suspended' }), 'PNL-09', 'GAP-49'],
    [on({ state: 'asleep' }), 'PNL-04', 'PNL-04'],
    [on({ state: 'provisioning' }), 'PNL-04', 'PNL-06'],
  ] as const)('%j: of a change %s, of a deletion %s', (live, change, deletion) => {
    expect(panelAccount.update.resize?.refuse?.({ package: 'pro' }, live, NOTHING_WANTED)?.rule).toBe(change);
    expect(panelAccount.remove?.refuse?.(live, [])?.rule).toBe(deletion);
  });

  it('PNL-13: of a purchase', () => {
    const refuse = panelAccount.create?.refuse;
    expect(
      [{}, { order }, { package: 'pro', order }].map((desired) => refuse?.(desired, null, NOTHING_WANTED)?.rule),
    ).toEqual(['PNL-13', 'PNL-13', undefined]);
  });

  it('PNL-05, PNL-21: what is only said', () => {
    const said = (live: ReturnType<typeof on>, desired: JsonObject) =>
      panelAccount.notices?.(live, desired, {}).map(({ detail }) => detail) ?? [];
    expect(said(on(), { package: 'basic', order: { term: 'monthly', domain: 'acme.nl' } })).toEqual([]);
    expect(said(on(), { order: { term: 'annual', domain: 'other.nl' } })).toMatchObject([
      containing('domain is acme.nl'),
      containing('term is monthly'),
    ]);
    expect(said(on({ primaryDomain: null, term: null }), { order })).toEqual([]);
    expect(said(on({ localPackage: 'x' }), { package: 'basic' })).toHaveLength(1);
    expect(said(on({ localPackage: 'x' }), { package: 'pro' })).toEqual([]);
  });
});

describe('the manifest', () => {
  const accepts = (metadata: object, spec: unknown) =>
    validators.PanelAccount?.({
      apiVersion: 'hostwright/v1',
      kind: 'PanelAccount',
      metadata: { name: 'a', ...metadata },
      spec,
    });

  it.each([
    {},
    { package: 'mini' },
    { package: 'max', order: { term: 'monthly', domain: 'bücher.example' } },
    { order },
  ])('PNL-13: takes %j', (spec) => expect(accepts({}, spec)).toBe(true));

  it.each([
    { package: 'L' },
    { package: 'Pro' },
    { order: {} },
    { order: { term: 'annual' } },
    { order: { domain: 'acme.nl' } },
    { order: { ...order, term: 'weekly' } },
    { order: { ...order, domain: 'x' } },
    { domains: [] },
    { password: { env: 'X' } },
  ])('GAP-47, GAP-48: refuses %j', (spec) => expect(accepts({}, spec)).toBe(false));

  it.each([
    ['acme_1', true],
    ['', false],
    ['a/b', false],
    ['a b', false],
    ['ä', false],
  ])('PNL-01: the username %j: %s', (id, taken) => expect(accepts({ id }, {})).toBe(taken));
});
