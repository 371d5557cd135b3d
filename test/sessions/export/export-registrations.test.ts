// What stands in the manifests of names, panel accounts and users that are live; their holders become contacts.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/model/json.ts';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import { addContact, addRegistration } from '../../../src/sandbox/registration/state.ts';
import type { Sandbox } from '../../../src/sandbox/server.ts';
import type { ExportOptions, ExportResult } from '../../../src/usecases/export.ts';
import { exportAccount } from '../../../src/usecases/export.ts';
import { expandWorkspace } from '../../../src/usecases/expanded.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import { workspaceFile } from '../../support/manifests.ts';
import { there } from '../../support/registrations.ts';

const WORKSPACE = workspaceFile('manifests: ["live/**/*.yaml"]');
const KINDS = ['DomainRegistration', 'PanelAccount', 'User'];

async function start(options: HarnessOptions): Promise<Harness> {
  return openHarness({ workspace: WORKSPACE, ...options });
}

const exported = ({ session }: Harness, options: Partial<ExportOptions> = {}): Promise<ExportResult> =>
  exportAccount(session(), { targets: KINDS, ...options });

/** The specs that were written, by address. */
async function specs(of: Harness, targets = KINDS): Promise<Readonly<Record<string, JsonObject>>> {
  const { manifests, diagnostics } = await exported(of, { targets });
  if (manifests === undefined) throw new Error(JSON.stringify(diagnostics, null, 1));
  return Object.fromEntries(
    manifests.map(({ address, manifest }) => [address, (manifest as JsonObject).spec as JsonObject]),
  );
}

const ADDRESS = 'DomainRegistration/plain.com';
const plain = (sandbox: Sandbox) => there(sandbox, 'plain.com');

describe('a registration', () => {
  it('says what can be read and declared, and nothing that buys', async () => {
    const of = await start({ scenario: 'registrar' });
    expect((await specs(of))[ADDRESS]).toEqual({
      autoRenew: true,
      nameservers: ['ns1.sandbox.example', 'ns2.sandbox.example'],
      hosts: [{ hostName: 'ns1.plain.com', addresses: ['192.0.2.53'] }],
      contacts: {
        owner: { ref: 'Contact/ada-vries' },
        admin: { ref: 'Contact/ada-vries' },
        tech: { ref: 'Contact/ben-vries' },
        billing: { ref: 'Contact/ada-vries' },
      },
    });
  });

  it.each<[string, (sandbox: Sandbox) => unknown, JsonObject]>([
    ['autoRenew', (sandbox) => Object.assign(plain(sandbox), { autoRenew: false }), { autoRenew: false }],
    ['locked', (sandbox) => Object.assign(plain(sandbox), { locked: true }), { locked: true }],
    ['privacyProtect', (sandbox) => Object.assign(plain(sandbox), { privacyProtect: true }), { privacyProtect: true }],
    [
      'nameservers',
      (sandbox) => Object.assign(plain(sandbox), { nameservers: ['NS9.Elsewhere.example.', 'ns1.elsewhere.example'] }),
      { nameservers: ['ns1.elsewhere.example', 'ns9.elsewhere.example'] },
    ],
    [
      'hosts',
      (sandbox) =>
        Object.assign(plain(sandbox), {
          hosts: [{ name: 'ns2.plain.com', addresses: ['2001:DB8::53', '192.0.2.54'] }],
        }),
      { hosts: [{ hostName: 'ns2.plain.com', addresses: ['192.0.2.54', '2001:db8::53'] }] },
    ],
  ])('shows what somebody changed: %s', async (_field, change, shown) => {
    const of = await start({ scenario: 'registrar' });
    change(of.sandbox);
    expect((await specs(of))[ADDRESS]).toMatchObject(shown);
  });

  it('shows what somebody changed in a contact, whichever field it was', async () => {
    const of = await start({ scenario: 'registrar' });
    const changed = {
      first_name: 'Bea',
      last_name: 'Bos',
      organization: 'Acme B.V.',
      street_address: 'Other 2',
      post_code: '2000 BB',
      city: 'Delft',
      state: 'ZH',
      country: 'BE',
      email: 'bea@acme.example',
      phone: '+32.21234567',
      extra_properties: { tax: '123' },
    };
    Object.assign(of.sandbox.state.registrar.contacts.get(802)?.fields ?? {}, changed);
    const written = await specs(of);
    const { tech } = written[ADDRESS]?.contacts as { readonly tech: { readonly ref: string } };
    expect(tech.ref).toBe('Contact/acme-b-v');
    expect(written[tech.ref]).toEqual({
      firstName: 'Bea',
      lastName: 'Bos',
      organization: 'Acme B.V.',
      streetAddress: 'Other 2',
      postCode: '2000 BB',
      city: 'Delft',
      state: 'ZH',
      country: 'BE',
      email: 'bea@acme.example',
      phone: '+32.21234567',
      extraProperties: { tax: '123' },
    });
  });

  it('with DNSSEC on says that nobody can read its keys, and plans to nothing with and without them (REG-18)', async () => {
    const of = await start({ scenario: 'registrar' });
    const { manifests = [] } = await exported(of, { out: 'live' });
    const signed = manifests.find(({ address }) => address === 'DomainRegistration/signed.com');
    expect(signed?.manifest).not.toHaveProperty('spec.dnssec');
    expect(signed?.text).toContain(
      '# Not written: dnssec: it is on, and no answer shows which keys the registry holds (REG-18); whoever signs the zone knows them.\n  # dnssec:\n  #   keys:\n',
    );
    await of.write(
      'live/registrations/signed.com.yaml',
      `${signed?.text
        .split('\n')
        .filter((line) => !line.includes('#'))
        .join('\n')}\n`.replace(
        /\n+$/,
        '\n  dnssec: { keys: [ { flags: 257, algorithm: 13, publicKey: c2FuZGJveA== } ] }\n',
      ),
    );
    expect(isEmptyPlan(await of.planned())).toBe(true);
  });

  it('that cannot be changed for now is left alone, and why is said (O-56, O-64, REG-35, GAP-55)', async () => {
    const { diagnostics, leftOut } = await exported(await start({ scenario: 'registrar' }));
    const moving = ['arriving.com', 'busy.eu', 'lapsed.com', 'leaving.com', 'pushed.com', 'stuck.eu'].map(
      (name) => `DomainRegistration/${name}`,
    );
    expect(diagnostics.filter(({ code }) => code === 'HW6707').map(({ address }) => address)).toEqual(
      expect.arrayContaining(moving),
    );
    expect(
      leftOut
        .filter(({ what, address }) => what === undefined && address.startsWith('DomainRegistration/'))
        .map(({ address }) => address)
        .sort(),
    ).toEqual(moving);
  });

  it('that nobody holds says so', async () => {
    const { manifests = [] } = await exported(await start({ scenario: 'registrar' }));
    expect(manifests.find(({ address }) => address === 'DomainRegistration/ownerless.com')?.text).toContain(
      '# Not written: contacts.owner: the registration shows nobody who holds it.',
    );
  });

  it('whose name no manifest takes is left out, and that is said', async () => {
    const of = await start({ scenario: 'empty' });
    for (const name of ['under_score.com', 'fine.com'])
      addRegistration(of.sandbox.state.registrar, { name, accountId: 'acc-acme' });
    const { diagnostics, manifests = [] } = await exported(of, { targets: ['DomainRegistration'] });
    expect(manifests.map(({ address }) => address)).toEqual(['DomainRegistration/fine.com']);
    expect(diagnostics).toMatchObject([{ code: 'HW6707', address: 'DomainRegistration/under_score.com' }]);
  });

  it('costs one list, and one request for its hosts', async () => {
    expect(
      (await exported(await start({ scenario: 'registrations:12' }), { targets: ['DomainRegistration'] })).requests,
    ).toBe(13);
  });
});

describe('a contact', () => {
  it('is one manifest, however often the registrar has it', async () => {
    const of = await start({ scenario: 'empty' });
    const { registrar } = of.sandbox.state;
    const boss = { first_name: 'Ada', last_name: 'Vries', organization: 'Acme B.V.' };
    addContact(registrar, { id: 1, accountId: 'acc-acme', fields: boss });
    // The same to whoever compares them: in capitals, with white space around it.
    addContact(registrar, {
      id: 2,
      accountId: 'acc-acme',
      tld: 'nl',
      fields: { ...boss, country: 'nl', email: 'ADA@acme.example ', city: ' Amsterdam' },
    });
    addContact(registrar, { id: 3, accountId: 'acc-acme', fields: { ...boss, city: 'Delft' } });
    addRegistration(registrar, { name: 'a.com', accountId: 'acc-acme', ownerId: 1 });
    addRegistration(registrar, { name: 'b.nl', accountId: 'acc-acme', ownerId: 2, techId: 3 });
    const written = await specs(of, ['DomainRegistration']);
    expect(Object.keys(written).filter((address) => address.startsWith('Contact/'))).toHaveLength(2);
    expect(written['DomainRegistration/b.nl']).toMatchObject({
      contacts: { owner: (written['DomainRegistration/a.com']?.contacts as JsonObject).owner as JsonObject },
    });
    expect(written['DomainRegistration/b.nl']?.contacts).not.toMatchObject({
      tech: (written['DomainRegistration/a.com']?.contacts as JsonObject).owner as JsonObject,
    });
  });

  it('that a manifest holds already is named, and not written again', async () => {
    const of = await start({
      scenario: 'registrar',
      files: {
        'live/people.yaml':
          'apiVersion: hostwright/v1\nkind: Contact\nmetadata: { name: the boss }\nspec: { firstName: Ada, lastName: Vries, streetAddress: Main Street 1, postCode: 1000 AA, city: Amsterdam, country: NL, email: ada@acme.example, phone: "+31.201234567" }\n',
      },
    });
    const written = await specs(of);
    expect(written[ADDRESS]).toMatchObject({ contacts: { owner: { ref: 'Contact/the%20boss' } } });
    expect(written).not.toHaveProperty(['Contact/ada-vries']);
    await exported(of, { out: 'live' });
    expect(isEmptyPlan(await of.planned())).toBe(true);
  });

  it('of which too little is told, or what no manifest takes, is left out with its role, and none of it is shown', async () => {
    const of = await start({ scenario: 'registrar' });
    Object.assign(of.sandbox.state.registrar.contacts.get(802)?.fields ?? {}, {
      street_address: null,
      phone: '020-1234567',
    });
    const { manifests = [] } = await exported(of, { out: 'live' });
    const text = manifests.find(({ address }) => address === ADDRESS)?.text ?? '';
    expect(text).not.toMatch(/^ +tech:/m);
    expect(text).toContain(
      '# Not written: contacts.tech: no Contact can be written of what is live: `streetAddress` is not told, and `phone` has a form that no manifest takes.',
    );
    expect(text).not.toContain('020-1234567');
    expect(isEmptyPlan(await of.planned())).toBe(true);
  });

  it('keeps what single registries ask for, text or not (ORD-32)', async () => {
    const of = await start({ scenario: 'registrar' });
    Object.assign(of.sandbox.state.registrar.contacts.get(802)?.fields ?? {}, {
      extra_properties: { tax: '123', number: 7 },
    });
    const { manifests = [] } = await exported(of, { out: 'live' });
    const ben = manifests.find(({ address }) => address === 'Contact/ben-vries');
    expect(ben?.manifest).toMatchObject({ spec: { extraProperties: { tax: '123', number: 7 } } });
    expect(isEmptyPlan(await of.planned())).toBe(true);
  });
});

describe('a panel account', () => {
  it('is bound by its username, and its manifest buys nothing (PNL-21)', async () => {
    const of = await start({ scenario: 'panel' });
    const { manifests = [] } = await exported(of);
    const shop = manifests.find(({ address }) => address === 'PanelAccount/acmeshop-example-com');
    expect(shop?.manifest).toMatchObject({ metadata: { id: 'acmeshop' }, spec: { package: 'basic' } });
    expect(shop?.text).toContain(
      '# Its domain is acmeshop.example.com; its term is monthly; without an order nothing is ever bought (PNL-21).',
    );
    expect(manifests.some(({ text }) => /^ *order:/m.test(text))).toBe(false);
  });

  it('on a package that nobody sells any more is written without it (GAP-47)', async () => {
    const { manifests = [] } = await exported(await start({ scenario: 'panel' }));
    const old = manifests.find(({ address }) => address === 'PanelAccount/old-example-com');
    expect(old?.manifest).toMatchObject({ metadata: { id: 'acme_old' }, spec: {} });
    expect(old?.text).toContain('# Its package, LEGACY_2G, cannot be declared, so it is left as it is.');
  });

  it('shows the package that somebody changed', async () => {
    const of = await start({ scenario: 'panel' });
    const account = [...of.sandbox.state.panel.accounts.values()].find(({ username }) => username === 'acmeshop');
    if (account?.mirror !== null && account?.mirror !== undefined) account.mirror.packageCode = 'XL';
    expect((await specs(of))['PanelAccount/acmeshop-example-com']).toEqual({ package: 'max' });
  });
});

describe('a user', () => {
  it('is written as it is shown, under a name that says nothing about a person', async () => {
    const of = await start({ scenario: 'small' });
    expect((await specs(of, ['User']))['User/user-ada']).toEqual({
      email: 'ada@acme.example',
      fname: 'Ada',
      lname: 'Vries',
      locale: 'en',
    });
  });

  it.each([
    ['firstName', 'Bea', 'fname'],
    ['lastName', 'Bos', 'lname'],
    ['email', 'bea@acme.example', 'email'],
    ['locale', 'nl', 'locale'],
  ] as const)('shows what changed: %s', async (field, value, key) => {
    const of = await start({ scenario: 'small' });
    const users = of.sandbox.state.users;
    const ada = users.get('user-ada');
    if (ada !== undefined) users.set('user-ada', { ...ada, [field]: value });
    expect((await specs(of, ['User']))['User/user-ada']).toMatchObject({ [key]: value });
  });

  it('without a name is left out, and that is said', async () => {
    const of = await start({ scenario: 'small' });
    const users = of.sandbox.state.users;
    const ada = users.get('user-ada');
    if (ada !== undefined) users.set('user-ada', { ...ada, firstName: '' });
    const { diagnostics, manifests = [] } = await exported(of, { targets: ['User'] });
    expect(manifests.map(({ address }) => address)).not.toContain('User/user-ada');
    expect(diagnostics).toMatchObject([{ code: 'HW6707', address: 'User/user-ada' }]);
  });
});

describe('a profile of what all sites share', () => {
  it.each(['sites:12', 'small', 'shield'])(
    'does not change the values of %s, and plans to nothing',
    async (scenario) => {
      const of = await start({ scenario });
      const without = await exported(of, { targets: ['Site'], out: 'live' });
      const expanded = async (session: Harness) =>
        (await expandWorkspace(session.session(), [])).manifests.map(({ manifest }) => manifest);
      const whole = await expanded(of);
      await of.close();
      const other = await start({ scenario });
      const { manifests = [] } = await exported(other, { targets: ['Site'], profiles: true, out: 'live' });
      expect(await expanded(other)).toEqual(whole);
      expect(isEmptyPlan(await other.planned())).toBe(true);
      const profiles = manifests.filter(({ address }) => address.startsWith('SiteProfile/'));
      expect(manifests.length - profiles.length).toBe(without.manifests?.length);
      expect(profiles.length).toBeLessThanOrEqual(1);
      for (const { text } of profiles)
        expect(text).toMatch(new RegExp(`^# used by ${without.manifests?.length} sites\n`));
    },
  );

  it('are created for sites with equal settings', async () => {
    const of = await start({ scenario: 'sites:6' });
    for (const site of of.sandbox.state.sites.values())
      Object.assign(site.cdn.caching, { cache_expiration: 3600, smart_cache: true });
    const { manifests = [] } = await exported(of, { targets: ['Site'], profiles: true });
    expect(manifests.filter(({ address }) => address.startsWith('SiteProfile/'))).toHaveLength(1);
    expect(
      manifests.filter(
        ({ manifest }) =>
          Object.hasOwn((manifest as { readonly spec: JsonObject }).spec, 'caching') &&
          (manifest as JsonObject).kind === 'Site',
      ),
    ).toEqual([]);
  });
});
