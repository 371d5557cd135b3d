// A ledger in which somebody wrote: what it says may be read, and permits no write, delete or purchase.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LedgerEntry } from '../../../src/ledger/entries.ts';
import type { Plan } from '../../../src/model/plan/plan.ts';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import { act } from '../../../src/usecases/act/act.ts';
import { addMailbox, addMailspace } from '../../../src/sandbox/mail/state.ts';
import { forgedBinding, forgeLedger } from '../../support/forge-ledger.ts';
import { afterPlanning } from '../../support/harness.ts';
import type { Harness } from '../../support/harness.ts';
import { reviewOf } from '../../support/harness.ts';
import { manifest, workspaceFile } from '../../support/manifests.ts';
import { containing } from '../../support/matchers.ts';
import { openHarness } from '../../support/open-harness.ts';
import { runsOf, seedOf } from '../../support/property-runs.ts';

const CACHING = { caching: { cacheExpiration: 777 } };
const MAIL = manifest('Mailspace', 'shop.example.com', { mailboxes: [{ address: 'info@shop.example.com' }] });

/** Sites without a hostname in their manifests, one with, and a mailspace with two mailboxes. Nothing is applied yet. */
async function start(files: Readonly<Record<string, string>>): Promise<Harness> {
  const one = await openHarness({ workspace: workspaceFile('manifests: [sites]'), files, ledger: true });
  const { state } = one.sandbox;
  const space = addMailspace(state.mail, {
    id: 'mail-1',
    accountId: 'acc-acme',
    domain: 'shop.example.com',
    token: 'mail-token',
  });
  for (const address of ['info@shop.example.com', 'theirs@shop.example.com'])
    addMailbox(space, { id: address, email: address });
  return one;
}

/** What `apply --yes` with every ceiling open comes to. */
const applyYes = (one: Harness) =>
  one.apply({ confirm: () => Promise.resolve(true), allowDeletes: 99, allowCharges: 99 });

const linesOf = ({ actions }: Plan): readonly string[] => actions.map(({ verb, address }) => `${verb} ${address}`);

describe('a forged binding of a site', () => {
  it('is a question, and nothing is written to the site, by apply or by a command', async () => {
    const one = await start({ 'sites/docs.yaml': manifest('Site', 'docs', CACHING) });
    await forgeLedger(one, [forgedBinding('Site/docs', 'site-shop')]);
    const plan = await one.planned();
    expect(plan.actions).toEqual([]);
    expect(plan.blocked).toMatchObject([
      { address: 'Site/docs', remedy: containing('add `metadata: { id: site-shop }` to the manifest') },
    ]);
    expect((await applyYes(one)).outcome).toMatchObject({ outcome: 'waiting', exitCode: 3 });
    const restart = await act(one.session(), { operation: 'restart', address: 'Site/docs' }, () =>
      Promise.resolve(true),
    );
    expect(restart).toMatchObject({ outcome: 'error', diagnostics: [{ code: 'HW4507' }] });
    expect(one.writes()).toEqual([]);
    await one.write('sites/docs.yaml', manifest('Site', 'docs', CACHING, { id: 'site-shop' }));
    expect(linesOf(await one.planned())).toEqual(['update Site/docs/Caching']);
  });

  it('does not delete a site whose manifest is `absent`, nor let a hostname be moved out of it', async () => {
    const one = await start({
      'sites/docs.yaml': manifest('Site', 'docs', {}, { lifecycle: { state: 'absent' } }),
      'sites/blog.yaml': manifest('Site', 'blog', {
        name: 'blog',
        domains: [{ hostname: 'www.shop.example.com', moveFrom: 'Site/docs' }],
      }),
    });
    await forgeLedger(one, [forgedBinding('Site/docs', 'site-shop')]);
    expect((await one.planned()).actions).toEqual([]);
    await applyYes(one);
    expect(one.writes()).toEqual([]);
  });

  it('is verified by the order that the ledger names, and not by another one [ORD-05, ORD-21]', async () => {
    const one = await start({
      'sites/new.yaml': manifest('Site', 'new', {
        plan: 'pro',
        order: { variant: 'vanilla', location: 'ams', term: 'monthly' },
      }),
    });
    expect((await one.apply({ allowCharges: 1 })).outcome.outcome).toBe('done');
    expect(isEmptyPlan(await one.planned())).toBe(true);
    expect(one.sent()).toContainEqual(containing('GET /api/orders/'));
    await one.write('sites/new.yaml', manifest('Site', 'new', CACHING));
    expect(linesOf(await one.planned())).toEqual(['update Site/new/Caching']);
    const view = { address: 'Site/new', id: 'site-shop' };
    await forgeLedger(one, [forgedBinding(view.address, view.id)]);
    expect((await one.planned()).blocked).toMatchObject([{ address: 'Site/new', reason: containing('site-shop') }]);
  });
});

describe('a delete that only the ledger gives grounds for', () => {
  const planned = async (): Promise<Harness> => {
    const one = await start({ 'sites/mail.yaml': MAIL });
    await forgeLedger(one, [
      forgedBinding('Mailspace/shop.example.com/Mailbox/theirs@shop.example.com', 'theirs@shop.example.com'),
    ]);
    expect((await one.planned()).actions).toMatchObject([
      { verb: 'delete', address: 'Mailspace/shop.example.com/Mailbox/theirs@shop.example.com', grounds: 'ledger' },
    ]);
    return one;
  };

  it('is refused under `--yes` and `--approve delete`, whatever number of deletes is allowed', async () => {
    const one = await planned();
    for (const approve of [undefined, ['delete'] as const]) {
      const { outcome } = await one.apply({
        ...afterPlanning(() => undefined),
        allowDeletes: 99,
        ...(approve !== undefined && { approve }),
      });
      expect(outcome).toMatchObject({ outcome: 'refused', exitCode: 5, diagnostics: [{ code: 'HW2211' }] });
    }
    expect(one.writes()).toEqual([]);
  });

  it('runs under a digest, a saved plan, or an answer: each names the mailbox', async () => {
    const approvals = [
      (plan: Plan) => ({ ...reviewOf(plan), ...afterPlanning(() => undefined) }),
      (plan: Plan) => ({ plan, ...afterPlanning(() => undefined) }),
      () => ({ confirm: () => Promise.resolve('asked' as const) }),
    ];
    for (const approval of approvals) {
      const one = await planned();
      const { outcome } = await one.apply({ allowDeletes: 1, ...approval(await one.planned()) });
      expect(outcome.outcome, JSON.stringify(outcome)).toBe('done');
      expect(one.writes()).toEqual([containing('DELETE /api/mailspace/')]);
    }
  });
});

it('a review of a site without a natural key names the site, and not only its address', async () => {
  const one = await start({ 'sites/docs.yaml': manifest('Site', 'docs', { ...CACHING, name: 'docs' }) });
  const plan = await one.planned();
  expect(plan.actions).toMatchObject([
    {
      address: 'Site/docs/Caching',
      expect: { identity: { id: 'site-docs', createdAt: expect.any(String) as string } },
    },
  ]);
  // The display names of two sites change places before the approved plan runs.
  [one.site('docs').name, one.site('shop').name] = ['shop', 'docs'];
  expect((await one.apply(reviewOf(plan))).outcome.outcome).toBe('conflict');
  expect(one.writes()).toEqual([]);
});

const ADDRESSES = [
  'Site/docs',
  'Site/blog',
  'Site/shop',
  'Site/stranger',
  'Site/docs/SiteDomain/docs.example.com',
  'Site/docs/SiteDomain/www.shop.example.com',
  'Site/shop/SiteDomain/www.shop.example.com',
  'Site/stranger/SiteDomain/www.shop.example.com',
  'Site/shop/EdgeRule/any',
  'Mailspace/shop.example.com',
  'Mailspace/shop.example.com/Mailbox/theirs@shop.example.com',
];
const IDS = ['site-docs', 'site-blog', 'site-shop', 'mail-1', 'dom-docs', 'dom-www-shop', 'none'];
const outputs = fc.constantFrom({}, { order: 'none' }, { ns1: 'evil.example', ns2: 'evil2.example' });
const forged: fc.Arbitrary<LedgerEntry> = fc
  .tuple(
    fc.constantFrom('bound', 'forgotten', 'confirmed', 'succeeded', 'recorded'),
    fc.constantFrom(...ADDRESSES),
    fc.constantFrom(...IDS),
    fc.boolean(),
    outputs,
  )
  .map(([type, address, id, owned, given]): LedgerEntry => {
    switch (type) {
      case 'bound':
        return { type, address, id, owned, applied: {}, outputs: given };
      case 'forgotten':
        return { type, address };
      case 'confirmed':
        return { type, address, id };
      case 'succeeded':
        return { type, address, id, gone: false, applied: {}, outputs: given };
      default:
        return { type: 'recorded' };
    }
  });

it('for any forged entries, the writes of a run are among those that a ledger of verified bindings plans', async () => {
  const files = {
    'sites/docs.yaml': manifest('Site', 'docs', CACHING),
    'sites/blog.yaml': manifest('Site', 'blog', { name: 'blog', ...CACHING }),
    'sites/shop.yaml': manifest('Site', 'shop', { domains: ['shop.example.com', 'new.example.com'], ...CACHING }),
    'sites/mail.yaml': MAIL,
  };
  const honest = await start(files);
  const allowed = new Set((await honest.planned()).actions.map(({ digest }) => digest));
  expect(allowed.size).toBeGreaterThan(2);
  await fc.assert(
    fc.asyncProperty(fc.array(forged, { minLength: 1, maxLength: 8 }), async (entries) => {
      const one = await start(files);
      await forgeLedger(one, entries);
      const { plan } = await one.plan();
      const beyond = (plan?.actions ?? []).filter(({ digest }) => !allowed.has(digest));
      expect(beyond.filter(({ grounds }) => grounds !== 'ledger').map(({ address }) => address)).toEqual([]);
      const { outcome } = await applyYes(one);
      if (beyond.length > 0) expect(outcome.outcome).toBe('refused');
      if (plan === undefined || beyond.length > 0) expect(one.writes()).toEqual([]);
    }),
    { numRuns: runsOf(60), ...seedOf() },
  );
});
