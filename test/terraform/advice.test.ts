// What `explain` advises on a code of the provider, done to the letter: the next run is not told it. The codes that other
// tests follow are in sessions/commands/advice.test.ts.
import { expect, it } from 'vitest';
import { configure } from '../../src/terraform/configured.ts';
import type { CoreOptions } from '../support/terraform-core.ts';
import { openCore } from '../support/terraform-core.ts';

type Config = Readonly<Record<string, unknown>>;
interface Trial {
  readonly type?: string;
  readonly options?: CoreOptions;
  /** Applied before; the last one is told the code. Null: destroyed. */
  readonly told: readonly (Config | null)[];
  /** Absent: the last one again. */
  readonly then?: readonly (Config | null)[];
}

const shop = { name: 'shop', domains: { 'shop.example.com': {} }, adopt: true };
const changed = { ...shop, caching: { cache_expiration: 7200 } };
const unbought = { name: 'new', display_name: 'New', plan: 'pro', caching: { cache_expiration: 7200 } };
const bought = { ...unbought, order: { variant: 'vanilla', location: 'ams', term: 'monthly' } };
const GUARDS = { provider: { guards: { allow_charges: 1, allow_deletes: 1 } } };
const refusing = (method: string): CoreOptions => ({
  ...GUARDS,
  ledger: true,
  faults: [{ kind: 'status-before', status: 422, match: { method }, times: 1 }],
});
const deleted = { ...shop, deletion: 'delete' };

const TRIALS: Readonly<Record<string, Trial>> = {
  HW7008: { options: { ...GUARDS, ledger: true }, told: [unbought], then: [bought] },
  HW7011: { options: refusing('PATCH'), told: [bought] },
  HW7017: {
    type: 'hostwright_domain_registration',
    options: { scenario: 'registrar' },
    told: [{ name: 'plain.com', adopt: true, deletion: 'delete' }, null],
    then: [{ name: 'plain.com', adopt: true, deletion: 'abandon' }, null],
  },
  HW7018: { options: refusing('DELETE'), told: [deleted, null] },
  HW7019: { options: refusing('POST'), told: [bought] },
  HW7020: { options: refusing('PATCH'), told: [shop, changed] },
};

it.each(Object.entries(TRIALS))(
  '%s: what is advised helps',
  async (code, { type = 'hostwright_site', options = {}, told, then }) => {
    const core = await openCore(options);
    const { run } = core;
    const apply = async (config: Config | null): Promise<string> => {
      const { said } = await run(type, 'it', config);
      return said.join('\n');
    };
    for (const config of told.slice(0, -1)) expect(await apply(config)).not.toContain(code);
    const last = told.at(-1) ?? null;
    expect(await apply(last)).toContain(code);
    for (const config of then ?? [last]) expect(await apply(config)).not.toMatch(new RegExp(`${code}|^!`, 'm'));
  },
);

it('HW7013: with an account and an address in the provider block it is configured', async () => {
  const core = await openCore();
  const { harness } = core;
  const codesFor = async (values: Readonly<Record<string, string>>) => {
    const configured = await configure(harness.session(), values, {});
    return 'diagnostics' in configured ? configured.diagnostics.map(({ code }) => code) : [];
  };
  expect(await codesFor({})).toEqual(['HW7013', 'HW7013']);
  expect(await codesFor({ account: 'acc-acme', api_url: harness.sandbox.url })).toEqual([]);
});
