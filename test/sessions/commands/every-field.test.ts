// Fields of requests that no other session sends: `docs/coverage.md` claims only what was in a body.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { JsonObject } from '../../../src/model/json.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { siteManifest } from '../../support/manifests.ts';
import { openHarness } from '../../support/open-harness.ts';

const SWITCHES = [
  'smartCache',
  'queryStringOrdering',
  'cacheErrorResponses',
  'varyAvif',
  'varyWebp',
  'varyMobile',
  'varyHostname',
  'varyCountryCode',
  'varyCountryStateCode',
  'varyCookie',
  'disableCookies',
  'cacheSlice',
  'staleWhileOffline',
  'staleWhileUpdating',
];

it('every setting of the cache arrives, on and off', async () => {
  const one = await openHarness();
  for (const value of [true, false]) {
    const caching = {
      ...Object.fromEntries(SWITCHES.map((name) => [name, value])),
      cacheExpiration: value ? 60 : 61,
      browserCacheExpiration: value ? 60 : 61,
      cookieVaryParameters: value ? ['session'] : ['basket'],
      queryStringVaryParameters: value ? ['page'] : ['size'],
    };
    await one.write('sites/shop.json', siteManifest('shop', { caching }));
    const { outcome } = await one.apply();
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0 });
    expect((await one.planned()).actions).toEqual([]);
  }
});

const CALLBACK =
  '  callback: { url: https://hooks.example.com/callbacks/acc-acme, authorization: { env: HOSTWRIGHT_HOOK_AUTHORIZATION } }\n';

/** The body of the only purchase of an example, where the workspace has a callback. */
async function bodyOf(
  { example = '', ...options }: HarnessOptions,
  path: string,
  change: (one: Harness) => Promise<void> = () => Promise.resolve(),
): Promise<JsonObject> {
  const one = await openHarness({ example, ledger: true, ...options });
  const file = await readFile(join(one.root, 'hostwright.yaml'), 'utf8');
  await one.write('hostwright.yaml', `${file.trimEnd()}\n${CALLBACK}`);
  await change(one);
  const hookNamed = (): string => 'secret-hook';
  const { outcome } = await one.apply({ allowCharges: 9, allowDeletes: 9 }, { hookNamed });
  expect(outcome.outcome, JSON.stringify(outcome, null, 1)).not.toBe('error');
  const bodies = one.sandbox.requests.filter(({ method, path: at }) => method === 'POST' && at === path);
  expect(bodies).toHaveLength(1);
  return bodies[0]?.body as JsonObject;
}

const TOLD = { url: 'https://hooks.example.com/callbacks/acc-acme', authorization: 'secret-hook' };

it('a panel account is ordered with the callback', async () => {
  const body = await bodyOf({ example: 'a-panel-account', scenario: 'panel' }, '/api/panel_accounts');
  expect(body).toMatchObject({ callback: TOLD });
});

it('a name is ordered with the callback, and with all of its contact', async () => {
  const body = await bodyOf(
    { example: 'a-new-domain', scenario: 'registrar' },
    '/api/orders/domain',
    async ({ root, write }) => {
      const text = await readFile(join(root, 'domains/acme-widgets.yaml'), 'utf8');
      await write(
        'domains/acme-widgets.yaml',
        text.replace('  city: Amsterdam\n', '  city: Amsterdam\n  state: NH\n  extraProperties: { vat: NL1 }\n'),
      );
    },
  );
  expect(body).toMatchObject({
    callback: TOLD,
    domain: { contact: { state: 'NH', extra_properties: { vat: 'NL1' } } },
  });
});
