// A name from nothing with all that rests on it: bought, used by a site and a mailspace, and handed to the name servers
// of the zone that the site's hostname gets. One apply, in the order that the platform needs; broken anywhere it is
// bought once and ends as wanted.
import { describe, expect, test } from 'vitest';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import { deathLoop } from '../../support/loops.ts';
import { bought, name, namesWorkspace, registration, startNames, withCode } from '../../support/registrations.ts';
import { siteOf } from '../../support/live.ts';
import { containing } from '../../support/matchers.ts';

const NAME = 'DomainRegistration/fresh.com';
const HOST = 'Site/blog/SiteDomain/fresh.com';
const SERVERS = `${NAME}/RegistrationNameservers`;
const MAIL = 'Mailspace/fresh.com';
const ORDERED = name('fresh.com', `order: {}\n  nameservers: { ref: ${HOST}, output: nameservers }`);
const SITE =
  'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: blog }\nspec: { name: blog, domains: [{ hostname: fresh.com, attach: dns }] }\n';
const MAILSPACE =
  'apiVersion: hostwright/v1\nkind: Mailspace\nmetadata: { name: fresh.com }\nspec: { package: mail_20, order: {} }\n';
const ZONE = ['ns1.zone.sandbox.example', 'ns2.zone.sandbox.example'];

const text = (value: unknown): string => JSON.stringify(value, null, 1);

describe('a name that is bought for a site', () => {
  test('O-17 O-61: is bought, then used, then handed to the new zone, in one apply', async () => {
    const one = await startNames([ORDERED, SITE, MAILSPACE]);
    const plan = await one.planned();
    expect(
      plan.actions.map(({ address, needs }) => [address, needs.map((need) => `${need.address} ${need.rule}`)]),
    ).toEqual([
      [NAME, []],
      [MAIL, [`${NAME} O-17`]],
      [HOST, [`${NAME} O-17`]],
    ]);
    expect(plan.deferred.map(({ address, until }) => [address, until])).toEqual([
      [SERVERS, NAME],
      [`${NAME}/RegistrationOwner`, NAME],
    ]);
    const { outcome } = await one.apply();
    expect(outcome, text(outcome)).toMatchObject({ exitCode: 0 });
    expect(outcome.actions.map(({ address, result }) => `${result} ${address}`).sort()).toEqual(
      [`done ${NAME}`, `done ${SERVERS}`, `done ${MAIL}`, `done ${HOST}`].sort(),
    );
    expect(registration(one.sandbox, 'fresh.com')?.nameservers).toEqual(ZONE);
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  test('O-17: while its transfer is on the way nothing is attached, and the plan says what waits for what', async () => {
    const one = await startNames([
      name('moving.com', 'order: { action: transfer, authcode: { env: CODE } }'),
      SITE.replace('fresh.com', 'moving.com'),
    ]);
    const host = 'Site/blog/SiteDomain/moving.com';
    const { outcome } = await one.apply({}, withCode);
    expect(
      outcome.actions.find(({ address }) => address === host),
      text(outcome),
    ).toMatchObject({ result: 'skipped', reason: containing('O-17') });
    expect(siteOf(one.sandbox, 'blog').domains).toEqual([]);
    const { actions, waiting } = await one.planned();
    expect(actions, text(actions)).toEqual([]);
    expect(waiting.find(({ address }) => address === host)).toMatchObject({
      reason: 'DomainRegistration/moving.com is not there yet, and a name is used when its registration is completed',
      rule: 'O-17',
    });
  });

  test('what waits for a registration that is refused is not done in a later round either', async () => {
    const one = await startNames([name('fresh.com', 'order: { maxPrice: { amount: "0.01", currency: EUR } }'), SITE]);
    const { outcome } = await one.apply();
    expect(outcome).toMatchObject({ exitCode: 3, actions: [], requests: { writes: 0 } });
    expect(outcome.remaining.map(({ address }) => address)).toContain(HOST);
  });
});

describe('broken anywhere', () => {
  test('a process that dies at any event: bought once, and as wanted when it is run again', () =>
    deathLoop({
      name: 'a name bought for a site',
      options: { ...namesWorkspace([ORDERED, SITE]) },
      run: async (one, extra) => (await one.apply({}, extra)).outcome,
      check: (one, where) =>
        expect(
          [bought(one.sandbox).map(([, times]) => times), registration(one.sandbox, 'fresh.com')?.nameservers],
          where,
        ).toEqual([[1], ZONE]),
    }));
});
