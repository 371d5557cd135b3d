// What the platform tells and other providers take: targets of CNAME records, name servers, proofs of mail domains. Known
// in a plan unless it can change, never another one after an apply, and kept while it cannot be read.
import { expect, it } from 'vitest';
import type { Core } from '../support/terraform-core.ts';
import { openCore } from '../support/terraform-core.ts';
import type { ValueObject } from '../../src/terraform/value/cty.ts';
import { UNKNOWN } from '../../src/terraform/value/cty.ts';
import { matching } from '../support/matchers.ts';

const SITE = 'hostwright_site';
const MAIL = 'hostwright_mailspace';
const TARGET = 'site-shop.cdn.sandbox.example';
const shop = (domains: object): ValueObject => ({
  name: 'shop',
  adopt: true,
  domains: { 'shop.example.com': {}, ...domains },
});
const NEW = 'new.example.com';

function domainsIn(values: unknown): Readonly<Record<string, ValueObject>> {
  return (values as { readonly domains: Readonly<Record<string, ValueObject>> }).domains;
}
const stateOf = ({ stored }: Core): ValueObject => stored.get('it')?.state as ValueObject;

it('SIT-03, DOM-07: where a hostname points is told by its site, and by its attach', async () => {
  const it = await openCore();
  expect(await it.run(SITE, 'it', shop({}))).toMatchObject({ failed: false });
  expect(domainsIn(stateOf(it))['shop.example.com']).toMatchObject({ cname_target: TARGET, nameservers: null });
  const more = shop({ [NEW]: {}, 'zoned.example.com': { attach: 'dns' } });
  const planned = await it.plan(SITE, 'it', more);
  expect(domainsIn(planned.planned)).toMatchObject({
    'shop.example.com': { cname_target: TARGET, nameservers: null },
    [NEW]: { cname_target: UNKNOWN, nameservers: null },
    'zoned.example.com': { cname_target: null, nameservers: UNKNOWN },
  });
  expect(await it.apply(SITE, 'it', planned)).toMatchObject({ failed: false });
  expect(domainsIn(stateOf(it))).toMatchObject({
    'shop.example.com': { cname_target: TARGET },
    [NEW]: { cname_target: TARGET, nameservers: null },
    'zoned.example.com': { cname_target: null, nameservers: [expect.any(String), expect.any(String)] },
  });
  expect((await it.plan(SITE, 'it', more)).changes).toBe(false);
});

it('SIT-03: what was told at every attach is asked of nobody again', async () => {
  const it = await openCore();
  await it.run(SITE, 'it', { ...shop({}), domains: { [NEW]: {} } });
  const before = it.harness.sandbox.requests.length;
  expect((await it.plan(SITE, 'it', { ...shop({}), domains: { [NEW]: {} } })).changes).toBe(false);
  const asked = it.harness.sandbox.requests.slice(before).map(({ path }) => path);
  expect(asked.length).toBeGreaterThan(0);
  expect(asked).not.toContain('/api/sites/site-shop');
});

it('a hostname that is there already is told with the others', async () => {
  const it = await openCore();
  await it.run(SITE, 'it', shop({}));
  const more = shop({ 'www.shop.example.com': {} });
  expect(await it.run(SITE, 'it', more)).toMatchObject({ failed: false, changes: true });
  expect(domainsIn(stateOf(it))['www.shop.example.com']).toMatchObject({ cname_target: TARGET });
  expect((await it.plan(SITE, 'it', more)).changes).toBe(false);
});

it('a hostname that was detached behind the back is told anew when it is attached', async () => {
  const it = await openCore();
  const config = shop({ [NEW]: {} });
  await it.run(SITE, 'it', config);
  const site = it.harness.sandbox.state.sites.get('site-shop');
  site?.domains.splice(
    site.domains.findIndex(({ hostname }) => hostname === NEW),
    1,
  );
  const planned = await it.plan(SITE, 'it', config);
  expect(domainsIn(planned.planned)).toMatchObject({ [NEW]: { cname_target: UNKNOWN } });
  expect(await it.apply(SITE, 'it', planned)).toMatchObject({ failed: false });
  expect(domainsIn(stateOf(it))[NEW]).toMatchObject({ cname_target: TARGET });
});

it('HW7002: is kept, with a warning, while it cannot be read', async () => {
  const it = await openCore();
  await it.run(SITE, 'it', shop({}));
  it.harness.sandbox.setFaults([
    { kind: 'status-before', status: 403, match: { method: 'GET', path: '/api/sites/site-shop' } },
  ]);
  const { said, changes, failed } = await it.plan(SITE, 'it', shop({}));
  expect(said.join()).toContain('HW7002');
  expect({ changes, failed }).toEqual({ changes: false, failed: false });
  expect(domainsIn(stateOf(it))['shop.example.com']).toMatchObject({ cname_target: TARGET });
  it.harness.sandbox.setFaults([]);
  expect((await it.plan(SITE, 'it', shop({}))).said.join()).not.toContain('HW7002');
});

it('MDM-03, MDM-07: the proof of a mail domain is told when it is added, and stays when it is proven', async () => {
  const it = await openCore({ scenario: 'mail' });
  const config = { name: 'shop.example.com', adopt: true, domains: { 'fresh.example.org': {} } };
  const planned = await it.plan(MAIL, 'it', config);
  expect(domainsIn(planned.planned)).toMatchObject({ 'fresh.example.org': { verification: UNKNOWN } });
  expect(await it.apply(MAIL, 'it', planned)).toMatchObject({ failed: false });
  const reported = { name: '_mailspace-verify.fresh.example.org', value: matching(/^[0-9a-f]{32}$/) };
  expect(stateOf(it)).toMatchObject({ status: 'waiting', verification: null });
  const { verification } = domainsIn(stateOf(it))['fresh.example.org'] ?? {};
  expect(verification).toEqual(reported);
  expect((await it.plan(MAIL, 'it', config)).changes).toBe(false);
  for (const space of it.harness.sandbox.state.mail.spaces.values()) {
    space.domains.push(...space.pendingDomains.map(({ name, description }) => ({ name, description })));
    space.pendingDomains = [];
  }
  const proven = await it.plan(MAIL, 'it', config);
  expect(stateOf(it)).toMatchObject({ status: 'ready' });
  expect(domainsIn(proven.planned)['fresh.example.org']).toMatchObject({ verification });
  expect(proven.changes).toBe(false);
});

it('MSP-04: the proof of the domain that a mailspace is named by', async () => {
  const it = await openCore({ scenario: 'mail' });
  const blog = it.harness.sandbox.state.mail.spaces.get('mail-blog');
  if (blog !== undefined) blog.verified = false;
  const config = { name: 'blog.example.com', adopt: true };
  const planned = await it.plan(MAIL, 'it', config);
  expect(planned.planned).toMatchObject({ verification: UNKNOWN });
  expect(await it.apply(MAIL, 'it', planned)).toMatchObject({ failed: false });
  expect(stateOf(it).verification).toEqual({ name: '_mailspace-verify.blog.example.com', value: '2'.repeat(32) });
  expect((await it.plan(MAIL, 'it', config)).changes).toBe(false);
});
