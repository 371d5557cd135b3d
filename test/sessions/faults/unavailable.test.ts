// Parts of the platform that are not available: asked about as often as the documents make it worth, blocked and never
// unknown, and the rest goes on.
import { describe, expect, it } from 'vitest';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import { manifest, siteManifest, workspaceFile } from '../../support/manifests.ts';
import { containing } from '../../support/matchers.ts';

async function start(options: HarnessOptions): Promise<Harness> {
  return openHarness({ ledger: true, ...options });
}

const requests = ({ sandbox }: Harness, method: string, path: string) =>
  sandbox.requests.filter((one) => one.method === method && one.path.split('?')[0] === path);
const text = (value: unknown) => JSON.stringify(value, null, 1);

const company = { scenario: 'mail', workspace: workspaceFile('manifests: [mail]') };

describe('a section that is not available', () => {
  it('TML-02: is read once in a whole run, the closing look included, and the rest of its site is done', async () => {
    const one = await start({
      files: {
        'sites/shop.json': siteManifest('shop', { mail: { fromName: 'Shop' }, caching: { cacheExpiration: 77 } }),
      },
    });
    one.sandbox.state.mailDown = true;
    const { outcome } = await one.apply();
    expect(outcome, text(outcome)).toMatchObject({
      exitCode: 3,
      actions: [{ address: 'Site/shop/Caching', result: 'done' }],
      remaining: [{ address: 'Site/shop/SiteMail' }],
    });
    expect(requests(one, 'GET', '/api/sites/site-shop/mail')).toHaveLength(1);
    one.sandbox.state.mailDown = false;
    expect((await one.apply()).outcome, text(outcome)).toMatchObject({
      exitCode: 0,
      actions: [{ address: 'Site/shop/SiteMail', result: 'done' }],
    });
  });

  it('MSP-23: one that passes is read a few times, and not again by the closing look', async () => {
    const spec = {
      aliases: [{ address: 'new@shop.example.com', target: 'anna@shop.example.com' }],
      domains: [{ name: 'shop.example.net', description: 'Other' }],
    };
    const one = await start({
      ...company,
      files: { 'mail/shop.json': manifest('Mailspace', 'shop.example.com', spec) },
    });
    const space = [...one.sandbox.state.mail.spaces.values()].find(({ domain }) => domain === 'shop.example.com');
    space?.troubles.push({ part: 'aliases', times: null });
    const { outcome } = await one.apply();
    expect(outcome, text(outcome)).toMatchObject({
      exitCode: 1,
      actions: [{ address: 'Mailspace/shop.example.com/MailDomain/shop.example.net', result: 'done' }],
      remaining: [{ address: 'Mailspace/shop.example.com/MailAlias' }],
    });
    expect(requests(one, 'GET', `/api/mailspace/${space?.id}/aliases`)).toHaveLength(4);
  });

  it('REG-01: an area that is switched off is asked about once', async () => {
    const one = await start({
      scenario: 'registrar',
      workspace: company.workspace,
      files: { 'mail/a.json': manifest('DomainRegistration', 'plain.com', { locked: true }) },
    });
    one.sandbox.state.registrar.enabled = false;
    const startedAtMs = one.sandbox.clock.now();
    expect((await one.apply()).outcome).toMatchObject({ exitCode: 3 });
    expect(requests(one, 'GET', '/api/domain_registrations')).toHaveLength(1);
    expect(one.sandbox.clock.now()).toBe(startedAtMs);
  });

  it('PNL-12: hosting servers that cannot be asked are asked a few times', async () => {
    const one = await start({
      scenario: 'panel',
      files: { 'sites/a.json': manifest('PanelAccount', 'legacy', { package: 'pro' }, { id: 'acmeshop' }) },
    });
    one.sandbox.state.panel.troubles.push('mirror');
    expect((await one.apply()).outcome).toMatchObject({ exitCode: 1 });
    expect(requests(one, 'GET', '/api/panel_accounts')).toHaveLength(4);
  });
});

describe('a change that is refused because something is not available', () => {
  it('MSP-09: a mailspace is not bought, nothing is in flight, and the next run buys it', async () => {
    const one = await start({
      ...company,
      files: { 'mail/new.json': manifest('Mailspace', 'owned.example.com', { order: {}, package: 'mail_5' }) },
    });
    one.sandbox.state.mail.configured = false;
    const { outcome } = await one.apply({ allowCharges: 1 });
    expect(outcome, text(outcome)).toMatchObject({
      exitCode: 3,
      actions: [{ result: 'blocked', reason: containing('mailhost_unavailable') }],
    });
    expect(requests(one, 'POST', '/api/mailspace')).toHaveLength(1);
    expect((await one.planned()).waiting).toEqual([]);
    one.sandbox.state.mail.configured = true;
    expect((await one.apply({ allowCharges: 1 })).outcome.actions).toMatchObject([{ result: 'done' }]);
    expect([...one.sandbox.creations.values()]).toEqual([1]);
  });

  it('REG-34: a TLD without a registrar blocks a change, which is sent once', async () => {
    const one = await start({
      scenario: 'registrar',
      workspace: company.workspace,
      files: {
        'mail/a.json': manifest('DomainRegistration', 'plain.com', {
          nameservers: ['ns1.other.example', 'ns2.other.example'],
        }),
      },
    });
    for (const tld of one.sandbox.state.registrar.tlds) Object.assign(tld, { registrar: null });
    const { outcome } = await one.apply();
    expect(outcome, text(outcome)).toMatchObject({
      exitCode: 3,
      actions: [{ result: 'blocked', reason: containing('registrar_unavailable') }],
    });
    expect(one.sandbox.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
  });

  it('TML-02: mail that went away after the plan blocks what the plan wanted', async () => {
    const one = await start({
      files: { 'sites/shop.json': manifest('Site', 'shop', { mail: { fromName: 'Shop' } }, { id: 'site-shop' }) },
    });
    const plan = await one.planned();
    one.sandbox.state.mailDown = true;
    const { outcome } = await one.apply({ plan });
    expect(outcome, text(outcome)).toMatchObject({
      exitCode: 3,
      actions: [],
      remaining: [{ address: 'Site/shop/SiteMail', rule: 'TML-02' }],
    });
    // Once for the plan that was saved, once for the one that is held against it.
    expect(requests(one, 'GET', '/api/sites/site-shop/mail')).toHaveLength(2);
  });

  it.each([
    ['a change that may be repeated', { domains: [{ name: 'shop.example.net', description: 'Other' }] }],
    ['a create that is sent once', { domains: [{ name: 'owned.example.com' }] }],
  ])(
    'MBX-29: %s and was not attempted is sent again a few times, then blocked, and never unknown',
    async (_what, spec) => {
      const one = await start({
        ...company,
        files: { 'mail/shop.json': manifest('Mailspace', 'shop.example.com', spec) },
      });
      const space = [...one.sandbox.state.mail.spaces.values()].find(({ domain }) => domain === 'shop.example.com');
      space?.troubles.push({ part: 'write-before', times: null });
      const { outcome } = await one.apply();
      expect(outcome, text(outcome)).toMatchObject({
        exitCode: 3,
        actions: [{ result: 'blocked', reason: containing('mailhost_unavailable') }],
      });
      expect(one.sandbox.requests.filter(({ method }) => method !== 'GET')).toHaveLength(5);
      if (space !== undefined) space.troubles = [{ part: 'write-before', times: 2 }];
      expect((await one.apply()).outcome).toMatchObject({ exitCode: 0, actions: [{ result: 'done' }] });
    },
  );
});
