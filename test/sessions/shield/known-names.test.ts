// What a manifest of Shield names that the platform lists: managed rules and types of access lists. Both lists are read
// only where something in the manifest is new.
import { afterEach, describe, expect, it } from 'vitest';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { startHarness } from '../../support/harness.ts';

let harness: Harness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

async function start(shield: object, options: HarnessOptions = {}): Promise<Harness> {
  const manifest = {
    apiVersion: 'hostwright/v1',
    kind: 'Site',
    metadata: { name: 'premium', id: 'site-premium' },
    spec: { shield },
  };
  harness = await startHarness({
    scenario: 'shield',
    inProcess: true,
    files: { 'sites/site.json': JSON.stringify(manifest) },
    ...options,
  });
  return harness;
}

const readsOf = ({ sandbox }: Harness): readonly string[] =>
  sandbox.requests.map(({ path }) => path.replace('/api/sites/site-premium/', '')).sort();
const failing = (path: string): HarnessOptions => ({
  faults: [{ kind: 'status-before', status: 403, match: { path: `/api/sites/site-premium/shield/${path}` } }],
});
const named = (name: string, type: string | number) => ({ name, type, content: ['192.0.2.1'] });

describe('ids of managed rules', () => {
  it.each(['snake', 'camel'])('SHD-12: a wrong one is told with the nearest (GAP-29.case = %s)', async (spelled) => {
    const one = await start(
      { waf: { disabledRules: ['942110', 941100], logOnlyRules: ['777'] } },
      { ambiguities: { 'GAP-29.case': spelled } },
    );
    const { notices } = await one.planned();
    expect(notices.map(({ code, severity, address }) => [code, severity, address])).toEqual([
      ['HW2390', 'warning', 'Site/premium/ShieldWaf'],
      ['HW2390', 'warning', 'Site/premium/ShieldWaf'],
    ]);
    const said = notices.map(({ detail }) => detail).join('\n');
    expect(said).toContain('disabledRules names the rule 942110.');
    expect(said).toContain('Did you mean 942100 (SQL in a parameter)?');
    expect(said).toMatch(/logOnlyRules names the rule 777\.(?!.*Did you mean)/);
  });

  it('SHD-12: known ones are written without a word, and are not looked up again once they are live', async () => {
    const one = await start({ waf: { disabledRules: ['942190'], logOnlyRules: ['941160'] } });
    const { notices } = await one.planned();
    expect(notices).toEqual([]);
    expect(readsOf(one)).toContain('shield/waf/rules');
    expect((await one.apply()).outcome.outcome).toBe('done');
    const from = one.sandbox.requests.length;
    await one.planned();
    expect(one.sandbox.requests.slice(from).map(({ path }) => path)).toEqual([
      '/api/sites',
      '/api/sites/site-premium/shield',
    ]);
  });

  it('a list that cannot be read says nothing about an id', async () => {
    const one = await start({ waf: { disabledRules: ['1'] } }, failing('waf/rules'));
    const plan = await one.planned();
    expect([plan.notices, plan.unknown, plan.actions.length]).toEqual([[], [], 1]);
  });
});

describe('types of access lists', () => {
  it.each(['objects', 'map', 'wrapped'])(
    'SHD-21: a type that the platform does not have blocks its list alone, with those that there are (GAP-29.enums = %s)',
    async (shape) => {
      const one = await start(
        { accessLists: [named('New', 9), named('Fine', 'cidr'), named('Countries', 17)] },
        { ambiguities: { 'GAP-29.enums': shape } },
      );
      const { actions, blocked } = await one.planned();
      expect(blocked.map(({ address, reason, remedy }) => [address, reason, remedy])).toEqual(
        [
          ['Site/premium/ShieldAccessList/Countries', '17'],
          ['Site/premium/ShieldAccessList/New', '9'],
        ].map(([address, type]) => [
          address,
          `the platform has no access lists of the type ${String(type)}`,
          'Write one of its types. It has 0 (IP), 1 (CIDR), 2 (ASN), 3 (Country), 4 (Organization), 5 (JA4).',
        ]),
      );
      expect(actions.map(({ address, verb }) => `${verb} ${address}`)).toContain(
        'create Site/premium/ShieldAccessList/Fine',
      );
    },
  );

  it('they are read only where a list is new or has another type', async () => {
    const plan = async (type: string): Promise<readonly string[]> => {
      const one = await start({ accessLists: [{ name: 'Countries', type, content: ['DE'] }] });
      await one.planned();
      const reads = readsOf(one);
      await one.close();
      harness = undefined;
      return reads;
    };
    expect(await plan('country')).not.toContain('shield/access_lists/enums');
    expect(await plan('asn')).toContain('shield/access_lists/enums');
  });

  it('a read that fails says nothing about a type', async () => {
    const one = await start({ accessLists: [named('New', 9)] }, failing('access_lists/enums'));
    const plan = await one.planned();
    expect([plan.blocked, plan.unknown, plan.actions.filter(({ verb }) => verb === 'create').length]).toEqual([
      [],
      [],
      1,
    ]);
  });
});
