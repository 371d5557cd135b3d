// Apply, then plan again: nothing. Change something behind the engine's back: exactly one action names it.
import { describe, expect, it } from 'vitest';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import { AMBIGUITIES } from '../../../src/sandbox/areas.ts';
import { fixtures } from '../../support/fixtures.ts';
import { converge, openHarness } from '../../support/open-harness.ts';
import { DISMISSED, siteManifest } from '../../support/manifests.ts';
import { inTurn, unusual } from '../../support/whole.ts';
import { siteOf } from '../../support/live.ts';
import { containing } from '../../support/matchers.ts';

describe.each([
  'small-agency',
  'new-primary-domain',
  'caching-only',
  'hardened-shop',
  'sender-identity',
  'moving-a-domain',
] as const)('example %s', (example) => {
  it('applies, plans to nothing, and leaves exactly the store that was written down by hand', async () => {
    const { apply, planned, sandbox } = await openHarness({ example });
    const { outcome } = await apply({ allowDeletes: 2 });
    expect(outcome).toMatchObject({ outcome: 'done', exitCode: 0 });
    const again = await planned();
    expect(again.actions).toEqual([]);
    expect(isEmptyPlan(again)).toBe(true);
    expect(sandbox.snapshot()).toMatchObject(fixtures[example]);
    expect([...sandbox.creations.values()].every((times) => times === 1)).toBe(true);
  });
});

it.each(['fromLocalPart', 'fromName'] as const)(
  'an empty text clears mail.%s, and stands as declared',
  async (field) => {
    const one = await openHarness({ files: { 'sites/shop.json': siteManifest('shop', { mail: { [field]: '' } }) } });
    await converge(one);
    expect(siteOf(one.sandbox).mail?.[field]).toBeNull();
  },
);

describe('every reading of what the documents leave open', () => {
  // Of Shield, mail, registrations, panel accounts, users and callbacks nothing is asked in these stories.
  const elsewhere =
    /^GAP-(12|2[6-9]|3[0-35-9]|4\d|5[0-8]|60|63|64|66|68)(\.|$)|^(learningEnd|foreignMembership|panelOwners|registrationExtras|nameservers|lockedNames|validatedFields|holder\w+|roleKeys|violations)$/;
  const ambiguities = Object.entries(AMBIGUITIES)
    .filter(([gap]) => !elsewhere.test(gap))
    .flatMap(([gap, values]) => unusual(values).map((value) => [gap, value] as const));

  it.each(inTurn(ambiguities, 0, 4))('%s = %s: the hardened shop converges', async (gap, value) => {
    const credential = value === 'raw' ? '  credential: { type: apiKey, sendAs: raw }\n' : '';
    const { apply, planned, sandbox, write } = await openHarness({
      example: 'hardened-shop',
      ambiguities: { [gap]: value },
    });
    if (credential !== '')
      await write(
        'hostwright.yaml',
        `apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: http://127.0.0.1:1\n  manifests: [sites]\n${credential}`,
      );
    const { outcome } = await apply({ allowDeletes: 1 });
    expect(outcome.outcome, `${gap} = ${value}: ${JSON.stringify(outcome, null, 1)}`).toBe('done');
    expect(isEmptyPlan(await planned())).toBe(true);
    expect([...sandbox.creations.entries()].filter(([, times]) => times > 1)).toEqual([]);
    expect(siteOf(sandbox).restarts.cms).toBe(1);
    // The platform's own is not listed, and one of a type without a name is left alone (EDG-08, EDG-02).
    const visible =
      siteOf(sandbox).edgeRules.filter(({ Guid }) => Guid !== 'edge-system' && Guid !== 'edge-newer') ?? [];
    expect(
      [...visible].sort((left, right) => left.OrderIndex - right.OrderIndex).map(({ Description }) => Description),
    ).toEqual(['block scanners', 'force ssl', 'old shop', 'headers']);
  });

  // Deletes, and where a site's view answers, are no matter of an order; neither is what only deletes or resizes ask.
  it.each(inTurn(ambiguities, 1, 4))(
    '%s = %s: a site is bought once, whole, and stays as it is',
    async (gap, value) => {
      const credential = value === 'raw' ? '  credential: { type: apiKey, sendAs: raw }\n' : '';
      const workspace = `apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: http://127.0.0.1:1\n  manifests: [sites]\n  ${DISMISSED}\n  guards: { allowCharges: 1 }\n${credential}`;
      const { apply, planned, sandbox } = await openHarness({
        example: 'a-site-from-nothing',
        files: { 'hostwright.yaml': workspace },
        ledger: true,
        ambiguities: { [gap]: value },
      });
      const { outcome } = await apply();
      expect(outcome.outcome, `${gap} = ${value}: ${JSON.stringify(outcome, null, 1)}`).toBe('done');
      expect(isEmptyPlan(await planned())).toBe(true);
      expect([...sandbox.creations.entries()].filter(([, times]) => times > 1)).toEqual([]);
      expect(
        [...sandbox.state.sites.values()].filter(({ package: size, name }) => size === 'pro' && name === 'Launch'),
      ).toHaveLength(1);
    },
  );

  it.each(inTurn(ambiguities, 2, 4))(
    '%s = %s: the sender identity converges, and what is not declared stays',
    async (gap, value) => {
      const credential = value === 'raw' ? '  credential: { type: apiKey, sendAs: raw }\n' : '';
      const { apply, planned, sandbox, write } = await openHarness({
        example: 'sender-identity',
        ambiguities: { [gap]: value },
      });
      if (credential !== '')
        await write(
          'hostwright.yaml',
          `apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: http://127.0.0.1:1\n  manifests: [sites]\n${credential}`,
        );
      await write(
        'sites/all.yaml',
        'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: shop, id: site-shop }\nspec: { mail: { fromLocalPart: orders } }\n',
      );
      expect((await apply()).outcome.outcome).toBe('done');
      expect(isEmptyPlan(await planned())).toBe(true);
      expect(siteOf(sandbox).mail).toMatchObject({ fromLocalPart: 'orders', fromName: 'The Shop' });
    },
  );

  it.each(inTurn(ambiguities, 3, 4))('%s = %s: converges', async (gap, value) => {
    const { apply, planned, sandbox, write } = await openHarness({
      example: 'small-agency',
      ambiguities: { [gap]: value },
    });
    // How an API key travels cannot be found out by trying: the workspace says it.
    if (value === 'raw')
      await write(
        'hostwright.yaml',
        'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: http://127.0.0.1:1\n  manifests: [sites]\n  credential: { type: apiKey, sendAs: raw }\n',
      );
    const { outcome } = await apply();
    const plan = await planned();
    expect(isEmptyPlan(plan)).toBe(true);
    expect([...sandbox.creations.entries()].filter(([, times]) => times > 1)).toEqual([]);
    // In this story nothing is asked that one of the ambiguities could not do; what a merging list cannot do is below.
    expect(outcome.outcome, `${gap} = ${value}: ${JSON.stringify(outcome, null, 1)}`).toBe('done');
  });

  it('GAP-21 = merge: a list that only grows is reported, not written for ever', async () => {
    const site = siteManifest('shop', { caching: { cookieVaryParameters: ['other'] } });
    const { apply, sandbox } = await openHarness({
      files: { 'sites/shop.json': site },
      ambiguities: { 'GAP-21': 'merge' },
    });
    const { outcome } = await apply();
    expect(outcome).toMatchObject({
      exitCode: 1,
      actions: [{ address: 'Site/shop/Caching', result: 'failed', reason: containing('cookieVaryParameters') }],
    });
    expect(sandbox.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
  });
});
