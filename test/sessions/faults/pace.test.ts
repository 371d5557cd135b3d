// How often what is waited for is asked about: never twice in a moment, by whichever parts of a run.
import { describe, expect, it } from 'vitest';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import { manifest, siteManifest } from '../../support/manifests.ts';
import { name, namesWorkspace } from '../../support/registrations.ts';

async function start(options: HarnessOptions): Promise<Harness> {
  return openHarness({ ledger: true, ...options });
}

const A_MOMENT_MS = 250;

/**
 * Reads that say nothing new: of the same path, within a moment, and nothing was written in between. Looks right before
 * a change are meant to be new.
 */
function twiceAtOnce({ sandbox: { requests } }: Harness): readonly string[] {
  const after = requests.slice(requests.findIndex(({ method }) => method !== 'GET'));
  const seen = new Map<string, number>();
  return after.flatMap(({ method, path, atMs }, index) => {
    if (method !== 'GET') {
      seen.clear();
      return [];
    }
    const before = seen.get(path);
    seen.set(path, atMs);
    const next = after[index + 1]?.method ?? 'GET';
    return before !== undefined && atMs - before < A_MOMENT_MS && next === 'GET' ? [path] : [];
  });
}

const CASES: Readonly<Record<string, HarnessOptions>> = {
  'ORD-45: a name that is bought': namesWorkspace([name('fresh.com', 'order: {}\n  autoRenew: true')]),
  'ORD-05: a site that is bought': {
    files: {
      'sites/a.json': manifest('Site', 'fresh', {
        name: 'Fresh',
        plan: 'pro',
        order: { variant: 'vanilla', location: 'ams', term: 'monthly' },
        domains: ['fresh.example.com'],
      }),
    },
  },
  'O-34: a mailspace that is bought': {
    scenario: 'mail',
    files: { 'sites/a.json': manifest('Mailspace', 'owned.example.com', { order: {}, package: 'mail_5' }) },
  },
  'PNL-05: a panel account that is resized': {
    scenario: 'panel',
    files: { 'sites/a.json': manifest('PanelAccount', 'legacy', { package: 'max' }, { id: 'acmeshop' }) },
  },
  'CCH-08, PHP-03: tasks of a site': {
    files: {
      'sites/a.json': siteManifest('shop', { phpVersion: '8.1', cacheLayers: { redis: false } }),
    },
  },
  'REG-38: changes of names that the registrar works on': namesWorkspace(
    ['plain.com', 'signed.com'].map((of) =>
      name(of, 'nameservers: [ns1.other.example, ns2.other.example]\n  locked: false'),
    ),
  ),
};

describe('what is waited for', () => {
  it.each(Object.entries(CASES))('%s is never read twice in a moment', async (_what, options) => {
    const one = await start(options);
    const { outcome } = await one.apply({ allowCharges: 1 });
    expect(
      outcome.actions.filter(({ result }) => result === 'done').length,
      JSON.stringify(outcome, null, 1),
    ).toBeGreaterThan(0);
    expect(outcome.actions.filter(({ result }) => result !== 'done')).toEqual([]);
    expect(twiceAtOnce(one)).toEqual([]);
  });

  it('PRC-04: what an earlier run left with the registrar is asked about once, by the wait, the verification, the plan and the closing look', async () => {
    const one = await start(namesWorkspace([name('slow.eu', 'privacyProtect: true')]));
    expect((await one.apply()).outcome.exitCode).toBe(3);
    one.sandbox.clock.advance(3 * 86_400_000);
    const before = one.sandbox.requests.length;
    expect((await one.apply()).outcome).toMatchObject({ exitCode: 0, actions: [{ result: 'done' }] });
    expect(one.sandbox.requests.slice(before).map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/domain_registrations',
    ]);
  });

  it('PRC-04: a wait is no longer for that: every pause is followed by a look of its own', async () => {
    const one = await start(namesWorkspace([name('slow.eu', 'privacyProtect: true')]));
    await one.apply();
    const after = one.sandbox.requests.slice(one.sandbox.requests.findIndex(({ method }) => method === 'PATCH') + 1);
    const times = after.map(({ atMs }) => atMs - (after[0]?.atMs ?? 0));
    expect(times.slice(0, 6)).toEqual([0, 500, 1500, 3500, 7500, 15_500]);
  });
});
