// References from manifest to raw store: name servers flow from a site's hostname into a registration, and what rests on a registration waits for it.
import { afterEach, describe, expect, test } from 'vitest';
import { isEmptyPlan } from '../../src/model/plan.ts';
import type { Harness, HarnessOptions } from '../support/harness.ts';
import { startHarness } from '../support/harness.ts';

let harness: Harness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

const document = (kind: string, name: string, spec: object): string => JSON.stringify({ apiVersion: 'hostwright/v1', kind, metadata: { name }, spec });
const SITE = document('Site', 'blog', { name: 'blog', domains: [{ hostname: 'plain.com', attach: 'dns' }] });
const FROM_SITE = { ref: 'Site/blog/SiteDomain/plain.com', output: 'nameservers' };
const NAME = document('DomainRegistration', 'plain.com', { nameservers: FROM_SITE });
const ZONE = ['ns1.zone.sandbox.example', 'ns2.zone.sandbox.example'];

async function start(documents: readonly string[], options: HarnessOptions = {}): Promise<Harness> {
  harness = await startHarness({ scenario: 'registrar', ledger: true, ...options });
  await harness.write('sites/main.yaml', documents.join('\n---\n'));
  return harness;
}

const liveServers = ({ sandbox }: Harness): readonly string[] | undefined => sandbox.state.registrar.registrations.get('reg-plain.com')?.nameservers;

describe('a value of another object', () => {
  test('DOM-07 O-61: what the attach tells is written to the registration in a later round of the same apply', async () => {
    const one = await start([SITE, NAME]);
    const plan = await one.planned();
    expect(plan.actions.map(({ address }) => address)).toEqual(['Site/blog/SiteDomain/plain.com']);
    expect(plan.deferred).toMatchObject([{ address: 'DomainRegistration/plain.com/RegistrationNameservers', until: 'Site/blog/SiteDomain/plain.com', because: expect.stringContaining('nameservers of Site/blog/SiteDomain/plain.com is known when that is there') as unknown }]);
    const { outcome } = await one.apply();
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ outcome: 'done', actions: [{ address: 'Site/blog/SiteDomain/plain.com', result: 'done' }, { address: 'DomainRegistration/plain.com/RegistrationNameservers', result: 'done' }] });
    expect(liveServers(one)).toEqual(ZONE);
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });
});
