// Panel accounts by themselves: what they ask where a list is full, and what a manifest may say. The rest is in
// test/sessions/panel.
import { describe, expect, it } from 'vitest';
import { panelAccount } from '../../../src/areas/panel/kinds/index.ts';
import { validators } from '../../../src/manifest/generated/validator-table.ts';
import type { Json, JsonObject } from '../../../src/model/json.ts';
import type { ReadContext, ReadSpec } from '../../../src/model/kind/kind.ts';
import { NOTHING_WANTED } from '../../../src/model/kind/kind.ts';
import { ShapeError } from '../../../src/model/kind/rows.ts';
import { wantRoot, wantRoots } from '../../support/desired.ts';

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

  it('PNL-02, GAP-47: knows a package without a key by its code, and takes no answer of another shape', () => {
    const unnamed = { code: 'OLD', key: null, label: 'OLD' };
    expect(decode(row({ package: unnamed, local_package: 'x_M' }))).toMatchObject([
      { spec: {}, computed: { code: 'OLD', localPackage: 'x_M' } },
    ]);
    const bare = row({ package: null, primary_domain: null, subscription: null, delete_scheduled_at: '2030' });
    expect(decode(bare)).toMatchObject([
      { spec: {}, computed: { code: null, primaryDomain: null, term: null, leavesAt: '2030' }, keys: [[]] },
    ]);
    expect(() => decode(row({ state: null }))).toThrow(ShapeError);
    expect(() => panelAccount.decode({ list: null }, context())).toThrow(ShapeError);
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

  it('PNL-13: is known by the domain of its order, however it is written', () => {
    expect(panelAccount.keys?.('a', { order: { domain: 'Bücher.example.' } })).toEqual([['xn--bcher-kva.example']]);
    expect(panelAccount.section.expand({ order: { domain: 'ACME.nl' } })[0]?.spec).toEqual({
      order: { domain: 'acme.nl' },
    });
  });
});

it('PNL-04: in a state that nobody knows nothing is changed or removed', () => {
  const live = { spec: { package: 'basic' }, computed: { state: 'asleep', localPackage: null } };
  expect([
    panelAccount.update.resize?.refuse?.({ package: 'pro' }, live, NOTHING_WANTED)?.rule,
    panelAccount.remove?.refuse?.(live, [])?.rule,
  ]).toEqual(['PNL-04', 'PNL-04']);
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
