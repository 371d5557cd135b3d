// A saved plan says what was reviewed, and nothing of it is believed: a fresh plan runs, where both agree. Whatever an
// edited file says of risks, prices, secrets and ids changes nothing. What changed since the review refuses the run
// (exit 4), and what is done already is not done again.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Action, Plan } from '../../../src/model/plan/plan.ts';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import { sealed } from '../../report/samples.ts';
import type { Harness } from '../../support/harness.ts';
import { converge, openHarness } from '../../support/open-harness.ts';
import { manifest, siteManifest, workspaceFile } from '../../support/manifests.ts';
import { siteOf } from '../../support/live.ts';
import { containing } from '../../support/matchers.ts';

const codesOf = ({ outcome }: Awaited<ReturnType<Harness['apply']>>) => [
  outcome.exitCode,
  ...new Set(outcome.diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code)),
];
const digestsOf = ({ actions }: Plan): readonly string[] => actions.map(({ digest }) => digest);

/** The plan with edited actions, and with digests and an id that hold. */
function forged(plan: Plan, edit: (action: Action) => Partial<Action>, rest: Partial<Plan> = {}): Plan {
  return sealed({ ...plan, ...rest, actions: plan.actions.map((action) => ({ ...action, ...edit(action) })) });
}

describe('an edited plan with digests that hold', () => {
  it.each(['alone', 'with the digests of the genuine comment'] as const)(
    'does not buy what its label calls free (%s)',
    async (how) => {
      const one = await openHarness({ example: 'a-site-from-nothing', ledger: true });
      const plan = await one.planned();
      const edited = forged(plan, () => ({ risk: [], protected: false }));
      const approved = how === 'alone' ? {} : { approved: digestsOf(plan) };
      expect(codesOf(await one.apply({ ...approved, plan: edited, allowCharges: 0 }))).toEqual([4, 'HW2104']);
      expect(codesOf(await one.apply({ ...approved, plan, allowCharges: 0 }))).toEqual([5, 'HW2204']);
      expect(one.writes()).toEqual([]);
    },
  );

  it('does not delete what its label calls an update', async () => {
    const one = await openHarness({
      files: { 'sites/docs.json': siteManifest('docs', {}, { lifecycle: { state: 'absent' } }) },
    });
    const plan = await one.planned();
    expect(plan.actions.map(({ verb }) => verb)).toEqual(['delete']);
    const edited = forged(plan, () => ({ verb: 'update', risk: ['restart'] }));
    expect(codesOf(await one.apply({ plan: edited, allowDeletes: 0 }))).toEqual([4, 'HW2104']);
    expect(codesOf(await one.apply({ plan, allowDeletes: 0 }))).toEqual([5, 'HW2202']);
    expect(one.writes()).toEqual([]);
    expect(one.sandbox.state.sites.has('site-docs')).toBe(true);
  });

  it('does not write a secret of the workspace where it can be read', async () => {
    const workspace =
      'apiVersion: hostwright/v1\nkind: Workspace\nspec: { account: acc-acme, baseUrl: "http://127.0.0.1:1", manifests: [sites], secrets: { env: [MAIL_PASSWORD] } }\n';
    const one = await openHarness({ workspace, files: { 'sites/shop.json': siteManifest('shop', { name: 'Shop' }) } });
    const plan = await one.planned();
    const withSecret = (steps: Action['steps']) =>
      JSON.parse(JSON.stringify(steps).replaceAll('"Shop"', '{"$secret":{"env":"MAIL_PASSWORD"}}')) as Action['steps'];
    const edited = forged(plan, ({ steps }) => ({ steps: withSecret(steps) }));
    expect(JSON.stringify(edited)).toContain('MAIL_PASSWORD');
    expect(codesOf(await one.apply({ plan: edited }, { env: () => 'a-very-secret-word' }))).toEqual([4, 'HW2104']);
    expect([
      one.writes(),
      JSON.stringify([...one.sandbox.state.sites.values()]).includes('a-very-secret-word'),
    ]).toEqual([[], false]);
  });

  it.each<[string, (action: Action) => Partial<Action>, string]>([
    ['its price', () => ({ cost: { amountCents: 1, currency: 'EUR' } }), 'HW2104'],
    ['its protection', () => ({ protected: true }), 'HW2104'],
    ['another value', ({ changes }) => ({ changes: changes.map((change) => ({ ...change, value: 7 })) }), 'HW2104'],
    ['what was expected', ({ expect: expected }) => ({ expect: { ...expected, tests: [] } }), 'HW2104'],
    ['its reason', () => ({ reason: 'nothing to see' }), 'HW2158'],
    [
      'what it requires and what it changes elsewhere',
      ({ requires }) => ({
        requires: { ...requires, scopes: [] },
        effects: [{ address: 'Site/shop', path: '/name', value: 'x' }],
      }),
      'HW2158',
    ],
  ])('is refused for %s', async (_what, edit, code) => {
    const one = await openHarness({
      files: { 'sites/shop.json': siteManifest('shop', { caching: { cacheExpiration: 5 } }) },
    });
    expect(codesOf(await one.apply({ plan: forged(await one.planned(), edit) }))).toEqual([4, code]);
    expect(one.writes()).toEqual([]);
    expect(codesOf(await one.apply({ plan: await one.planned() }))).toEqual([0]);
  });

  it('is not believed about ids: what runs is bound by the fresh plan', async () => {
    const one = await openHarness({
      files: { 'sites/shop.json': siteManifest('shop', { caching: { cacheExpiration: 5 } }) },
    });
    const plan = await one.planned();
    const edited = forged(plan, () => ({}), {
      bindings: { 'Site/shop': 'site-docs', 'Site/shop/Caching': 'site-docs' },
    });
    expect((await one.apply({ plan: edited })).outcome.exitCode).toBe(0);
    expect(
      ['site-shop', 'site-docs'].map((id) => one.sandbox.state.sites.get(id)?.cdn.caching.cache_expiration),
    ).toEqual([5, -1]);
  });
});

describe('what changed since the review', () => {
  const files = {
    'sites/shop.json': siteManifest('shop', { caching: { cacheExpiration: 5 } }),
    'sites/docs.json': siteManifest('docs', { caching: { cacheExpiration: 6 } }),
  };

  it('refuses the run when the manifests ask for more, for other values, or for less', async () => {
    const one = await openHarness({ files });
    const plan = await one.planned();
    const refused = async (text: string): Promise<string> => {
      await one.write('sites/docs.json', text);
      const { outcome } = await one.apply({ plan });
      expect(outcome).toMatchObject({ exitCode: 4, outcome: 'conflict' });
      return outcome.diagnostics.map(({ code, detail }) => `${code} ${detail}`).join('\n');
    };
    expect(await refused(siteManifest('docs', { name: 'Docs', caching: { cacheExpiration: 6 } }))).toContain(
      'the saved plan has no action on it',
    );
    expect(await refused(siteManifest('docs', { caching: { cacheExpiration: 7 } }))).toContain(
      'cacheExpiration to become: at the review 6, now 7',
    );
    expect(await refused(siteManifest('docs', {}))).toMatch(/HW2157 .*the manifests do not ask for it any more/);
    expect(
      await refused(siteManifest('docs', { caching: { cacheExpiration: 6 } }, { lifecycle: { protect: true } })),
    ).toContain('protected: at the review false, now true');
    expect(one.writes()).toEqual([]);
    await one.write('sites/docs.json', files['sites/docs.json']);
    expect((await one.apply({ plan })).outcome.exitCode).toBe(0);
  });

  it('is said when the manifests are elsewhere, before anything is sent', async () => {
    const one = await openHarness({ files });
    const plan = await one.planned();
    const sent = one.sandbox.requests.length;
    await one.write('other/blog.json', siteManifest('blog', { caching: { cacheExpiration: 5 } }));
    for (const paths of [['other'], ['nothing-here']]) expect(codesOf(await one.apply({ plan, paths }))[0]).toBe(1);
    expect(codesOf(await one.apply({ plan, paths: ['other'] }))).toEqual([1, 'HW2156']);
    expect(one.sandbox.requests).toHaveLength(sent);
    // One of two is missing: that one is named.
    const { outcome } = await one.apply({ plan, paths: ['sites/shop.json'] });
    expect(outcome).toMatchObject({
      exitCode: 4,
      diagnostics: [
        {
          code: 'HW2157',
          address: 'Site/docs/Caching',
          detail: containing('no manifest that was read declares Site/docs'),
        },
      ],
    });
  });

  it('runs the rest when something is blocked now, and takes the same plan again when it is not', async () => {
    const asked = { phpVersion: '8.3', caching: { cacheExpiration: 5 }, beforeChange: { backup: true } };
    const one = await openHarness({ files: { 'sites/shop.json': siteManifest('shop', asked) } });
    const plan = await one.planned();
    const shop = siteOf(one.sandbox);
    const { volumes } = shop;
    shop.volumes = [];
    const first = await one.apply({ plan });
    expect(first.outcome).toMatchObject({
      exitCode: 3,
      actions: [{ address: 'Site/shop/Caching', result: 'done' }],
      remaining: [{ address: 'Site/shop/PhpVersion', reason: containing('no volume') }],
    });
    shop.volumes = volumes;
    await converge(one, { plan });
    expect(codesOf(await one.apply({ plan }))).toEqual([4, 'HW2103']);
  });
});

describe('a plan that an earlier run left half done is taken again', () => {
  it('O-15: after the primary hostname changed, so that the old one reads otherwise', async () => {
    const one = await openHarness({ example: 'new-primary-domain' });
    const plan = await one.planned();
    one.sandbox.setFaults([{ kind: 'status-before', status: 422, match: { method: 'DELETE', path: '/api/*' } }]);
    expect((await one.apply({ plan, allowDeletes: 9 })).outcome.exitCode).toBe(6);
    one.sandbox.setFaults([]);
    const { outcome } = await one.apply({ plan, allowDeletes: 9 });
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0, outcome: 'done' });
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  it('in a list in which order is meaning', async () => {
    const rule = (name: string) => ({
      name,
      action: { type: 'ForceSSL' },
      triggers: [{ type: 'Url', patterns: [`http://${name}/*`] }],
    });
    const one = await openHarness({
      files: { 'sites/shop.json': siteManifest('shop', { edgeRules: ['a', 'b', 'c'].map(rule) }) },
    });
    const plan = await one.planned();
    const creates = plan.actions.filter(({ verb }) => verb === 'create').length;
    expect(creates).toBe(3);
    let seen = 0;
    const before = one.writes().length;
    const stop = new AbortController();
    const emit = ({ type }: { readonly type: string }): void => {
      if (type === 'action-finished' && (seen += 1) === 1) stop.abort();
    };
    expect(
      (await one.apply({ plan, allowDeletes: 9, parallelism: 1 }, { emit, stop: stop.signal })).outcome.exitCode,
    ).toBe(130);
    expect(one.writes().length).toBeGreaterThan(before);
    const { outcome } = await one.apply({ plan, allowDeletes: 9 });
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0, outcome: 'done' });
    expect([...one.sandbox.creations.values()].every((times) => times === 1)).toBe(true);
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  it('O-06: with sections that could only be planned when their site was there', async () => {
    const one = await openHarness({
      example: 'a-site-from-nothing',
      ledger: true,
      files: { 'sites/docs.json': siteManifest('docs', { caching: { cacheExpiration: 6 } }) },
    });
    const plan = await one.planned();
    expect(plan.deferred.map(({ address }) => address)).toContain('Site/launch/Caching');
    one.sandbox.setFaults([
      { kind: 'status-before', status: 422, match: { method: 'PATCH', path: '/api/sites/*/cdn/caching' } },
    ]);
    const first = await one.apply({ plan, allowCharges: 1 });
    expect(first.outcome.exitCode, JSON.stringify(first.outcome, null, 1)).toBe(6);
    one.sandbox.setFaults([]);
    const text = await readFile(join(one.root, 'sites/launch.yaml'), 'utf8');
    // What is declared there now is not what was left for later then.
    await one.write('sites/launch.yaml', text.replace('cacheExpiration: 600', 'cacheExpiration: 700'));
    expect((await one.apply({ plan })).outcome).toMatchObject({
      exitCode: 4,
      diagnostics: [{ code: 'HW2104', address: 'Site/launch/Caching' }],
    });
    await one.write('sites/launch.yaml', text);
    const { outcome } = await one.apply({ plan });
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0, outcome: 'done' });
    expect(outcome.actions.map(({ address, result }) => [address, result])).toEqual(
      expect.arrayContaining([
        ['Site/docs/Caching', 'done'],
        ['Site/launch', 'already-done'],
        ['Site/launch/Caching', 'done'],
      ]),
    );
    expect(isEmptyPlan(await one.planned())).toBe(true);
    expect([...one.sandbox.creations.values()].every((times) => times === 1)).toBe(true);
  });

  it('SEC: a password that was written is not written again', async () => {
    const workspace = workspaceFile('manifests: [mail], secrets: { env: [WORD] }');
    const space = (rotate: string, displayName: string) =>
      manifest('Mailspace', 'shop.example.com', {
        mailboxes: [
          { address: 'anna@shop.example.com', password: { env: 'WORD', rotate } },
          { address: 'cleo@shop.example.com', displayName },
        ],
      });
    const one = await openHarness({
      workspace,
      scenario: 'mail',
      ledger: true,
      files: { 'mail/main.json': space('1', 'Cleo') },
    });
    const env = { env: () => 'a-very-secret-word' };
    expect((await one.apply({}, env)).outcome.exitCode).toBe(0);
    await one.write('mail/main.json', space('2', 'Cleopatra'));
    const plan = await one.planned();
    expect(plan.actions.map(({ address }) => address)).toEqual([
      'Mailspace/shop.example.com/Mailbox/anna@shop.example.com',
      'Mailspace/shop.example.com/Mailbox/cleo@shop.example.com',
    ]);
    let seen = 0;
    const stop = new AbortController();
    const emit = ({ type }: { readonly type: string }): void => {
      if (type === 'action-finished' && (seen += 1) === 1) stop.abort();
    };
    expect((await one.apply({ plan, parallelism: 1 }, { ...env, emit, stop: stop.signal })).outcome.exitCode).toBe(130);
    const before = one.writes().length;
    const { outcome } = await one.apply({ plan }, env);
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({
      exitCode: 0,
      actions: [{ result: 'done' }, { result: 'already-done' }],
    });
    expect(one.writes()).toHaveLength(before + 1);
  });
});

describe('a plan of a part', () => {
  const files = {
    'sites/shop.json': siteManifest('shop', { name: 'Shop', caching: { cacheExpiration: 5 } }),
    'sites/docs.json': siteManifest('docs', { caching: { cacheExpiration: 6 } }),
  };

  it.each([
    ['of targets', { targets: ['Site/shop/Caching'] }],
    ['of targets by a glob', { targets: ['Site/sh*/Caching'] }],
    ['of manifests that were named', { paths: ['sites/shop.json'] }],
  ] as const)('%s runs that part alone, and says nothing of the rest', async (_what, limits) => {
    const one = await openHarness({ files });
    const plan = await one.planned(limits);
    expect(plan.covers).toBeDefined();
    const { outcome } = await one.apply({ plan });
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0, outcome: 'done' });
    expect(outcome.actions.map(({ address }) => address)).toEqual(plan.actions.map(({ address }) => address));
    expect(siteOf(one.sandbox, 'docs').cdn.caching.cache_expiration).toBe(-1);
  });
});
