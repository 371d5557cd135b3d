// Sections of registrations, from manifest to raw store.
import { describe, expect, it } from 'vitest';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import { withoutPersonal } from '../../../src/report/view/personal.ts';
import type { Registration } from '../../../src/sandbox/registration/state.ts';
import { ledgerCommand } from '../../../src/usecases/ledger.ts';
import { fixtures } from '../../support/fixtures.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { converge, openHarness } from '../../support/open-harness.ts';
import { manifest, workspaceFile } from '../../support/manifests.ts';
import { ADA, KEY } from '../../support/registrations.ts';
import { containing } from '../../support/matchers.ts';
import { noticesOf } from '../../support/notices.ts';

const WORKSPACE = workspaceFile('manifests: [names]');

const BEN = { ...ADA, firstName: 'Ben', email: 'ben@acme.example' };

const contact = (name: string, spec: object) => manifest('Contact', name, spec);
const registration = (name: string, spec: object) => manifest('DomainRegistration', name, spec);
const ref = (name: string) => ({ ref: `Contact/${name}` });
/** What a name says whose contacts are these by their roles. */
const by = (roles: Readonly<Record<string, string>>, more: object = {}) => ({
  contacts: Object.fromEntries(Object.entries(roles).map(([role, name]) => [role, ref(name)])),
  ...more,
});

type Contacts = Readonly<Record<string, object>>;

async function declare(one: Harness, name: string, spec: object, contacts: Contacts = {}): Promise<void> {
  const documents = [registration(name, spec), ...Object.entries(contacts).map(([key, each]) => contact(key, each))];
  await one.write('names/main.yaml', documents.join('\n---\n'));
}

async function start(
  name: string,
  spec: object,
  contacts: Contacts = {},
  options: HarnessOptions = {},
): Promise<Harness> {
  const harness = await openHarness({ scenario: 'registrar', workspace: WORKSPACE, ...options });
  await declare(harness, name, spec, contacts);
  await ledgerCommand(harness.session(), { do: 'init' });
  return harness;
}

function live({ sandbox }: Harness, name: string): Registration {
  const found = sandbox.state.registrar.registrations.get(`reg-${name}`);
  if (found === undefined) throw new Error(`no registration ${name}`);
  return found;
}

const done = (one: Harness, options: Parameters<Harness['apply']>[0] = {}) =>
  converge(one, { allowCharges: 1, ...options });

const DAY_MS = 86_400_000;
const NAMES = '/api/domain_registrations';
const path = (name: string, section: string): string => `DomainRegistration/${name}/Registration${section}`;
const post = (one: Harness, to: string, body: object) =>
  fetch(`${one.sandbox.url}/_sandbox/${to}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const contactOf = (one: Harness, id: number) => one.sandbox.state.registrar.contacts.get(id) ?? { fields: undefined };
const sent = (one: Harness): readonly string[] => one.writes(`${NAMES}/`);

describe('the story of a clean-up', () => {
  it('applies, plans to nothing, and leaves the store that was written down by hand', async () => {
    const harness = await openHarness({ example: 'a-registrar-clean-up', scenario: 'registrar' });
    await done(harness);
    expect(harness.sandbox.snapshot()).toMatchObject(fixtures['a-registrar-clean-up']);
    expect([...harness.sandbox.creations].sort()).toEqual([
      ['contact accounts@acme.example as billing of signed.com', 1],
      ['host ns2.plain.com', 1],
    ]);
  });

  it('REG-09: one read shows all sections of all names, and one more the hosts of a name', async () => {
    const harness = await openHarness({ example: 'a-registrar-clean-up', scenario: 'registrar' });
    await harness.planned();
    expect(harness.sandbox.requests.map(({ method, path: from }) => `${method} ${from}`).sort()).toEqual([
      'GET /api/domain_registrations',
      'GET /api/domain_registrations/reg-plain.com/hosts',
    ]);
  });
});

describe('order', () => {
  const needsOf = async (one: Harness): Promise<readonly string[]> =>
    (await one.planned()).actions
      .flatMap(({ address, needs }) =>
        needs.map(
          (need) =>
            `${need.rule} ${need.address.split('/Registration')[1] as string} < ${address.split('/Registration')[1] as string}`,
        ),
      )
      .sort();

  it('O-55, O-58, O-59, O-63: holder before roles, hosts before name servers, those before keys, the lock last', async () => {
    const one = await start(
      'plain.com',
      {
        locked: true,
        privacyProtect: true,
        dnssec: { keys: [KEY] },
        nameservers: ['ns1.plain.com', 'ns5.plain.com'],
        hosts: [
          { hostName: 'ns5.plain.com', addresses: ['192.0.2.5'] },
          { hostName: 'other.plain.com', addresses: ['192.0.2.6'] },
        ],
        contacts: { owner: ref('ada'), billing: ref('ben') },
      },
      { ada: { ...ADA, phone: '+31.207654321' }, ben: BEN },
    );
    expect(await needsOf(one)).toEqual([
      'O-55 Owner < Contacts',
      'O-58 Nameservers < Dnssec',
      'O-59 Host/ns5.plain.com < Nameservers',
      ...['Contacts', 'Dnssec', 'Host/ns5.plain.com', 'Host/other.plain.com', 'Nameservers', 'Owner', 'Privacy'].map(
        (section) => `O-63 ${section} < Lock`,
      ),
    ]);
    await done(one);
    const writes = sent(one).map((write) => write.replace('reg-plain.com/', ''));
    expect(writes.at(-1)).toBe('PATCH lock');
    expect(writes.indexOf('POST hosts')).toBeLessThan(writes.indexOf('PATCH nameservers'));
    expect(writes.indexOf('PATCH nameservers')).toBeLessThan(writes.indexOf('PATCH dnssec'));
  });

  it('O-57, O-63: unlocked first, and without DNSSEC before the name servers change', async () => {
    const one = await start(
      'signed.com',
      { locked: false, dnssec: { enabled: false }, nameservers: ['ns1.elsewhere.example'] },
      {},
      { ambiguities: { lockedNames: 'refused' } },
    );
    live(one, 'signed.com').locked = true;
    expect(await needsOf(one)).toEqual(['O-57 Dnssec < Nameservers', 'O-63 Lock < Dnssec', 'O-63 Lock < Nameservers']);
    await done(one);
    expect(sent(one)).toEqual([
      'PATCH reg-signed.com/lock',
      'PATCH reg-signed.com/dnssec',
      'PATCH reg-signed.com/nameservers',
    ]);
  });

  it('O-63: a name that is to stay locked is never unlocked silently; the refusal says why it may be', async () => {
    const one = await start(
      'locked.com',
      {
        locked: true,
        nameservers: ['ns1.elsewhere.example'],
        dnssec: { keys: [KEY] },
        privacyProtect: true,
        contacts: { owner: ref('ada'), tech: ref('new') },
        hosts: [{ hostName: 'ns1.locked.com', addresses: ['192.0.2.1'] }],
      },
      { ada: { ...ADA, city: 'Utrecht' }, new: { ...BEN, firstName: 'New' } },
      { ambiguities: { lockedNames: 'refused', 'GAP-52.process': 'as-others' } },
    );
    live(one, 'locked.com').hosts = [{ name: 'ns1.locked.com', addresses: ['192.0.2.9'] }];
    const { outcome } = await one.apply();
    expect(outcome.exitCode).toBe(3);
    expect(
      outcome.actions
        .map(({ address, result, reason }) => [
          address.split('/Registration')[1],
          result,
          reason?.includes('write `locked: false`'),
        ])
        .sort(),
    ).toEqual([
      ['Contacts', 'skipped', false],
      ['Dnssec', 'skipped', false],
      ['Host/ns1.locked.com', 'blocked', true],
      ['Nameservers', 'blocked', true],
      ['Owner', 'blocked', true],
      ['Privacy', 'blocked', true],
    ]);
    expect(sent(one).filter((write) => write.endsWith('/lock'))).toEqual([]);
  });

  it('HW2501: says what DNSSEC means for name servers that change', async () => {
    const one = await start('signed.com', { nameservers: ['ns1.elsewhere.example'] });
    expect(noticesOf(await one.planned())).toMatchObject([{ code: 'HW2501', severity: 'warning' }]);
    await declare(one, 'signed.com', { nameservers: ['ns1.elsewhere.example'], dnssec: { enabled: false } });
    expect(noticesOf(await one.planned())).toEqual([]);
    await declare(one, 'signed.com', { nameservers: ['ns1.sandbox.example', 'ns2.sandbox.example'] });
    expect(noticesOf(await one.planned())).toEqual([]);
  });
});

describe('what a TLD, a registry or the account does not have', () => {
  it('REG-05: is said in the plan and never asked for', async () => {
    const one = await start('bare.nl', { locked: true, privacyProtect: true, dnssec: { keys: [KEY] } });
    expect((await one.planned()).blocked.map(({ address, rule }) => [address, rule])).toEqual(
      ['Dnssec', 'Lock', 'Privacy'].map((section) => [path('bare.nl', section), 'REG-05']),
    );
    await declare(one, 'bare.nl', { locked: false, privacyProtect: false, dnssec: { enabled: false } });
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  it('REG-15: the registry holds the lock', async () => {
    const one = await start('frozen.com', { locked: true });
    expect(await one.planned()).toMatchObject({ actions: [], blocked: [{ rule: 'REG-15' }] });
  });

  it('REG-01: without the feature everything is blocked', async () => {
    const one = await start('plain.com', { locked: true });
    one.sandbox.state.registrar.enabled = false;
    expect(await one.planned()).toMatchObject({ actions: [], blocked: [{ rule: 'REG-01' }] });
  });

  it('REG-34: a failing registrar is not taken for a refusal', async () => {
    const one = await start('plain.com', { locked: true });
    one.sandbox.state.registrar.troubles.push({ part: 'after', times: 1 });
    await done(one);
  });
});

describe('privacy', () => {
  it.each(['switches', 'allows'])(
    'GAP-64 = %s: what costs money is bought by a person, and the next plan sees it',
    async (reading) => {
      const one = await start('paid.shop', { privacyProtect: true }, {}, { ambiguities: { 'GAP-64': reading } });
      expect(await one.planned()).toMatchObject({
        actions: [],
        manual: [{ rule: 'GAP-64', reason: 'privacy costs 5.00 EUR for this name, and the API does not sell it' }],
      });
      expect((await one.apply()).outcome.exitCode).toBe(3);
      expect(sent(one)).toEqual([]);
      await post(one, 'registrations/paid.shop/portal', {});
      await done(one);
      expect(live(one, 'paid.shop').privacyProtect).toBe(true);
    },
  );

  it('REG-16: a price that comes up between plan and change is told with the address of the portal', async () => {
    const one = await start('plain.com', { privacyProtect: true });
    const confirm = (): Promise<boolean> => {
      Object.assign(one.sandbox.state.registrar.tlds.find(({ name }) => name === 'com') ?? {}, { privacyCents: 700 });
      return Promise.resolve(true);
    };
    const { outcome } = await one.apply({ confirm });
    expect(outcome).toMatchObject({
      exitCode: 3,
      actions: [
        {
          result: 'blocked',
          reason: containing('portal_url: https://portal.sandbox.example/registrations/reg-plain.com'),
        },
      ],
    });
  });
});

describe('DNSSEC', () => {
  const other = { flags: 257, algorithm: 13, publicKey: 'b3RoZXI=' };
  const keysOf = (one: Harness) => live(one, 'signed.com').dnssecKeys.map(({ publicKey }) => publicKey);

  it('REG-18, GAP-54: keys are never compared; another mark adds them once', async () => {
    const one = await start('signed.com', { dnssec: { keys: [other] } });
    await done(one);
    expect(sent(one)).toEqual([]);
    await declare(one, 'signed.com', { dnssec: { keys: [other], rotate: '1' } });
    expect((await one.planned()).actions).toMatchObject([
      {
        address: path('signed.com', 'Dnssec'),
        reason: 'rotate differs',
        changes: [{ op: 'add', path: '/rotate', value: '1', rotationToken: true }],
        steps: [{ body: { mode: 'add_keys', key_data: [other] } }, {}],
      },
    ]);
    await done(one);
    expect(keysOf(one)).toEqual([KEY.publicKey, other.publicKey]);
    await declare(one, 'signed.com', { dnssec: { keys: [KEY], rotate: '2' } });
    expect((await one.planned()).actions).toMatchObject([{ changes: [{ op: 'replace', was: '1', value: '2' }] }]);
    await done(one);
    expect(sent(one)).toHaveLength(2);
  });

  it('HW2008: a mark that nobody recorded is told, and adds nothing', async () => {
    const one = await start('signed.com', { dnssec: { keys: [other], rotate: '1' } });
    const planned = await one.planned();
    expect([planned.actions, noticesOf(planned)]).toMatchObject([[], [{ code: 'HW2008' }]]);
    await done(one);
    expect(keysOf(one)).toEqual([KEY.publicKey]);
    await declare(one, 'signed.com', { dnssec: { keys: [other], rotate: '2' } });
    await done(one);
    expect(keysOf(one)).toHaveLength(2);
  });

  it('REG-17: switched on together with another mark the keys are sent once', async () => {
    const one = await start('plain.com', { dnssec: { keys: [KEY] } });
    await done(one);
    live(one, 'plain.com').dnssecEnabled = false;
    await declare(one, 'plain.com', { dnssec: { keys: [other], rotate: '1' } });
    expect((await one.planned()).actions).toMatchObject([
      { changes: [{ path: '/enabled' }, { path: '/rotate' }], steps: [{ body: { mode: 'enable' } }, {}] },
    ]);
    await done(one);
    expect(live(one, 'plain.com').dnssecKeys).toEqual([other]);
  });
});

describe('the holder', () => {
  const cleo = { ...ADA, firstName: 'Cleo', email: 'cleo@acme.example' };

  it('DCT-01: a property that a registry asks for is written when it is declared, and others are kept', async () => {
    const one = await start('bare.nl', by({ owner: 'fay' }), {
      fay: { ...ADA, firstName: 'Fay', email: 'fay@acme.example', extraProperties: { vat: 'NL1' } },
    });
    Object.assign(contactOf(one, 807).fields ?? {}, { extra_properties: { legal_form: 'person' } });
    expect((await one.planned()).actions).toMatchObject([
      { changes: [{ op: 'add', path: '/extraProperties/vat', value: 'NL1' }] },
    ]);
    await done(one);
    expect(contactOf(one, 807).fields?.extra_properties).toEqual({ legal_form: 'person', vat: 'NL1' });
  });

  it('REG-21: another email address has to be confirmed, by a consent that names it', async () => {
    const contacts = { ada: { ...ADA, email: 'NEW@acme.example' } };
    const one = await start('plain.com', by({ owner: 'ada' }), contacts);
    expect(await one.planned()).toMatchObject({
      actions: [],
      blocked: [
        {
          rule: 'REG-21',
          remedy: 'To have it changed all the same, write `confirmReverification` with the new address.',
        },
      ],
    });
    await declare(one, 'plain.com', by({ owner: 'ada' }, { confirmReverification: 'old@acme.example' }), contacts);
    expect(await one.planned()).toMatchObject({ actions: [], blocked: [{ rule: 'REG-21' }] });
    await declare(one, 'plain.com', by({ owner: 'ada' }, { confirmReverification: 'New@acme.example' }), contacts);
    // The contact is that of other names as well.
    expect(noticesOf(await one.planned())).toMatchObject([{ code: 'HW2502', detail: containing('arriving.com') }]);
    await done(one);
    expect(contactOf(one, 801).fields).toMatchObject({ email: 'new@acme.example', first_name: 'Ada' });
    // A consent that was spent is said to be.
    expect(noticesOf(await one.planned())).toMatchObject([
      { code: 'HW2007', detail: containing('confirmReverification') },
    ]);
  });

  it('validatedFields = always: a registry that asks without having said so is told in words', async () => {
    const fay = { ...ADA, firstName: 'Fay', email: 'new@acme.example' };
    const one = await start('bare.nl', by({ owner: 'fay' }), { fay }, { ambiguities: { validatedFields: 'always' } });
    expect((await one.apply()).outcome).toMatchObject({
      exitCode: 3,
      actions: [{ result: 'blocked', reason: containing('write `confirmReverification` with the new email address') }],
    });
    await declare(one, 'bare.nl', by({ owner: 'fay' }, { confirmReverification: 'new@acme.example' }), { fay });
    await done(one);
  });

  it('REG-25, case 90: another name is another holder, and never comes by itself', async () => {
    const one = await start('slow.eu', by({ owner: 'dora' }), { dora: { ...ADA, firstName: 'Dora' } });
    expect(await one.planned()).toMatchObject({
      actions: [],
      blocked: [{ rule: 'REG-25', reason: containing('held by somebody else') }],
    });
    const acme = { ...cleo, organization: 'Acme' };
    await declare(one, 'slow.eu', by({ owner: 'acme' }), { acme });
    expect((await one.planned()).blocked).toHaveLength(1);
    await declare(one, 'slow.eu', by({ owner: 'acme' }, { ownerChange: { to: ref('cleo') } }), { acme, cleo });
    expect((await one.planned()).blocked).toMatchObject([
      { rule: 'REG-25', reason: containing('consents to another contact') },
    ]);
  });

  it('REG-22, REG-25: where it is free the holder is replaced, with a contact of its own', async () => {
    const one = await start('plain.com', by({ owner: 'cleo', admin: 'cleo' }, { ownerChange: { to: ref('cleo') } }), {
      cleo,
    });
    expect((await one.planned()).actions).toMatchObject([
      {
        address: path('plain.com', 'Owner'),
        risk: ['irreversible'],
        steps: [{ idempotent: false, body: { holder_contact: { action_mode: 'change' } } }, {}],
      },
      { address: path('plain.com', 'Contacts') },
    ]);
    await done(one, { allowCharges: 0 });
    const { ownerId, adminId, techId } = live(one, 'plain.com');
    expect([
      adminId === ownerId,
      techId,
      contactOf(one, 801).fields?.first_name,
      contactOf(one, ownerId ?? 0).fields?.email,
    ]).toEqual([true, 802, 'Ada', 'cleo@acme.example']);
    expect(noticesOf(await one.planned())).toMatchObject([{ code: 'HW2007' }]);
  });

  it.each(['edit', 'edit-and-change'])(
    'REG-21, confirmedModes = %s: a consent to the new address is sent with another holder too',
    async (confirmedModes) => {
      const spec = by({ owner: 'cleo' }, { ownerChange: { to: ref('cleo') } });
      const one = await start('plain.com', spec, { cleo }, { ambiguities: { confirmedModes } });
      if (confirmedModes === 'edit-and-change') {
        // No document says that it is asked for here: the refusal says what to write.
        expect((await one.apply()).outcome).toMatchObject({
          exitCode: 3,
          actions: [
            { result: 'blocked', reason: containing('write `confirmReverification` with the new email address') },
          ],
        });
      }
      await declare(one, 'plain.com', { ...spec, confirmReverification: 'cleo@acme.example' }, { cleo });
      await done(one);
      expect(contactOf(one, live(one, 'plain.com').ownerId ?? 0).fields).toMatchObject({ email: 'cleo@acme.example' });
    },
  );

  it('REG-21: a consent that is still needed is not said to have done its work', async () => {
    const fay = { ...ADA, firstName: 'Fay', email: 'fay@acme.example', phone: '+31.209999999' };
    const one = await start('bare.nl', by({ owner: 'fay' }, { confirmReverification: 'fay@acme.example' }), { fay });
    expect(noticesOf(await one.planned())).toEqual([]);
    await done(one);
    expect(noticesOf(await one.planned())).toMatchObject([{ code: 'HW2007' }]);
  });

  it('REG-25: a name without a holder gets one by the same consent', async () => {
    const one = await start('ownerless.com', by({ owner: 'cleo' }), { cleo });
    expect((await one.planned()).blocked).toMatchObject([{ reason: containing('the name has no holder') }]);
    await declare(one, 'ownerless.com', by({ owner: 'cleo' }, { ownerChange: { to: ref('cleo') } }), { cleo });
    await done(one);
  });

  const paid = (consents: object = {}) => by({ owner: 'cleo' }, { ownerChange: { to: ref('cleo'), ...consents } });

  it('REG-23, O-72: what costs money is bought with a consent to pay, once, and the price is shown', async () => {
    const one = await start('paid.shop', paid(), { cleo });
    expect(await one.planned()).toMatchObject({
      actions: [],
      blocked: [{ rule: 'REG-25', reason: 'a change of holder costs 15.00 EUR for this name' }],
    });
    await declare(one, 'paid.shop', by({ owner: 'cleo' }), { cleo });
    expect((await one.planned()).blocked).toMatchObject([
      { remedy: containing('15.00 EUR, which `paid: true` agrees to') },
    ]);
    await declare(one, 'paid.shop', paid({ paid: true }), { cleo });
    const plan = await one.planned();
    expect(plan.actions).toMatchObject([
      {
        risk: ['charge', 'irreversible'],
        cost: { amountCents: 1500, currency: 'EUR' },
        locks: ['DomainRegistration/paid.shop', 'billing'],
        requires: { userCredential: true, closedToOauth: true },
        steps: [
          { reason: 'a change of holder costs 15.00 EUR, as it was reviewed' },
          { reason: 'make the declared contact the holder; this costs 15.00 EUR' },
          {},
          {},
        ],
      },
    ]);
    expect((await one.apply({ allowCharges: 1, maxSpend: '14.99 EUR' })).outcome.exitCode).toBe(5);
    expect((await one.apply({ allowCharges: 0 })).outcome.exitCode).toBe(5);
    await done(one);
    expect(sent(one)).toEqual(['POST reg-paid.shop/registrant_change']);
    expect(contactOf(one, live(one, 'paid.shop').ownerId ?? 0).fields?.first_name).toBe('Cleo');
  });

  it('REG-06: at another price than the reviewed one nothing is bought', async () => {
    const one = await start('paid.shop', paid({ paid: true }), { cleo });
    const plan = await one.planned();
    const tld = one.sandbox.state.registrar.tlds.find(({ name }) => name === 'shop');
    if (tld === undefined) throw new Error('no TLD');
    const cents = tld.registrantChangeCents;
    tld.registrantChangeCents = 9_900;
    expect((await one.apply({ plan, allowCharges: 1 })).outcome).toMatchObject({
      exitCode: 4,
      actions: [],
      diagnostics: [{ code: 'HW2104', detail: containing('cost: at the review 15.00 EUR, now 99.00 EUR') }],
    });
    tld.registrantChangeCents = cents;
    const confirm = (): Promise<boolean> => Promise.resolve((tld.registrantChangeCents = 9_900) > 0);
    const { outcome } = await one.apply({ confirm, allowCharges: 1 });
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({
      exitCode: 4,
      actions: [{ reason: containing('does not cost 15.00 EUR any more') }],
    });
    expect(sent(one)).toEqual([]);
  });

  it.each(['later', 'at-once'])('GAP-66 = %s: the envelope may name its order later', async (reading) => {
    const one = await start('paid.shop', paid({ paid: true }), { cleo }, { ambiguities: { 'GAP-66': reading } });
    await done(one);
  });

  it('GAP-11: a lost answer of a purchase is settled by the holder, and never by a second one', async () => {
    const probe = await start('paid.shop', paid({ paid: true }), { cleo });
    await probe.apply({ allowCharges: 1 });
    const at = probe.sandbox.requests.findIndex(({ method }) => method === 'POST') + 1;
    await probe.close();
    const one = await start('paid.shop', paid({ paid: true }), { cleo }, { faults: [{ kind: 'reset-after', at }] });
    const { outcome } = await one.apply({ allowCharges: 1 });
    if (outcome.exitCode !== 0) await done(one);
    expect(sent(one)).toHaveLength(1);
    await one.close();
    const lost = await start('paid.shop', paid({ paid: true }), { cleo }, { faults: [{ kind: 'reset-before', at }] });
    expect((await lost.apply({ allowCharges: 1 })).outcome.actions).toMatchObject([{ result: 'unknown-outcome' }]);
    await lost.apply({ allowCharges: 1 });
    expect(sent(lost).length).toBeLessThan(2);
    await ledgerCommand(lost.session(), { do: 'confirm', address: path('paid.shop', 'Owner'), notMade: true });
    await done(lost);
  });

  it('PRC-04: what is paid for and worked on for days is bought once', async () => {
    const one = await start('paid.store', paid({ paid: true }), { cleo });
    expect((await one.apply({ allowCharges: 1 })).outcome.exitCode).toBe(3);
    expect((await one.apply({ allowCharges: 1 })).outcome.exitCode).toBe(3);
    one.sandbox.clock.advance(3 * DAY_MS);
    await done(one);
    expect(sent(one)).toEqual(['POST reg-paid.store/registrant_change']);
  });
});

describe('the other contacts', () => {
  const zoe = { ...BEN, firstName: 'Zoe' };

  it('GAP-50: one that names of the TLD use is used again, when all of it is equal and it is the only one', async () => {
    const one = await start('window.com', by({ tech: 'ben' }), { ben: BEN });
    expect((await one.planned()).actions).toMatchObject([
      { steps: [{ body: { tech_contact: { source: 'existing' }, tech_source_domain_contact_id: 802 } }, {}] },
    ]);
    await declare(one, 'window.com', by({ tech: 'fay' }), {
      fay: { ...ADA, firstName: 'Fay', email: 'fay@acme.example' },
    });
    // Only a name of another TLD uses this one.
    expect((await one.planned()).actions).toMatchObject([
      { steps: [{ body: { tech_contact: { source: 'new' } } }, {}] },
    ]);
    const again = one.sandbox.state.registrar.contacts.get(802);
    if (again !== undefined) one.sandbox.state.registrar.contacts.set(899, { ...again, id: 899 });
    live(one, 'late.com').techId = 899;
    await declare(one, 'window.com', by({ tech: 'ben' }), { ben: BEN });
    expect((await one.planned()).actions).toMatchObject([
      { steps: [{ body: { tech_contact: { source: 'new' } } }, {}] },
    ]);
    await done(one);
  });

  it.each(['same', 'copy'])('GAP-58 = %s: a role that is the same as the holder follows it', async (reading) => {
    const one = await start(
      'plain.com',
      by({ tech: 'ada', billing: 'zoe' }),
      { ada: ADA, zoe },
      { ambiguities: { 'GAP-58': reading } },
    );
    expect((await one.planned()).actions).toMatchObject([
      { steps: [{ body: { tech_contact: { source: 'same_as_owner' }, billing_contact: { source: 'new' } } }, {}] },
    ]);
    await done(one);
    expect(sent(one)).toEqual(['PATCH reg-plain.com/contacts']);
  });

  it.each(['shared', 'split'])(
    'holderShared = %s: roles that came with the holder are not written again',
    async (reading) => {
      const moved = { ...ADA, city: 'Utrecht' };
      const one = await start(
        'plain.com',
        by({ owner: 'ada', admin: 'ada' }),
        { ada: moved },
        { ambiguities: { holderShared: reading } },
      );
      await done(one);
      expect(sent(one)).toEqual([
        'PATCH reg-plain.com/holder',
        ...(reading === 'split' ? ['PATCH reg-plain.com/contacts'] : []),
      ]);
    },
  );

  it('O-55: a role does not follow a holder who may not come', async () => {
    const one = await start('plain.com', by({ owner: 'zoe', admin: 'zoe', tech: 'ben' }), { zoe, ben: BEN });
    expect(await one.planned()).toMatchObject({
      actions: [],
      blocked: [
        { address: path('plain.com', 'Contacts'), rule: 'REG-25' },
        { address: path('plain.com', 'Owner'), rule: 'REG-25' },
      ],
    });
    await declare(one, 'plain.com', by({ owner: 'zoe', admin: 'ben' }), { zoe, ben: BEN });
    expect(await one.planned()).toMatchObject({
      actions: [{ address: path('plain.com', 'Contacts') }],
      blocked: [{ address: path('plain.com', 'Owner') }],
    });
  });

  it('DCT-08: names that share a contact are edited once', async () => {
    const wanted = by({ owner: 'shared' });
    const one = await start('one.com', wanted);
    const shared = { ...ADA, firstName: 'Shared', email: 'shared@acme.example', city: 'Utrecht' };
    await one.write(
      'names/main.yaml',
      [registration('one.com', wanted), registration('two.com', wanted), contact('shared', shared)].join('\n---\n'),
    );
    expect((await one.planned()).actions).toHaveLength(1);
    await one.apply();
    expect(isEmptyPlan(await one.planned())).toBe(true);
    expect(sent(one)).toEqual(['PATCH reg-one.com/holder']);
  });
});

/** The registrar refuses one write of this part of one.com. */
const refusing = (part: string): HarnessOptions => ({
  faults: [
    { kind: 'status-before', status: 422, match: { method: 'PATCH', path: `${NAMES}/reg-one.com/${part}` }, times: 1 },
  ],
});

describe('one contact that is in use in several places', () => {
  const shared = { ...ADA, firstName: 'Shared', email: 'shared@acme.example' };
  const moved = { ...shared, city: 'Utrecht' };
  const names = (...entries: readonly (readonly [string, object])[]) =>
    entries.map(([name, contacts]) => registration(name, { contacts }));
  const write = (one: Harness, documents: readonly string[], contacts: Contacts) =>
    one.write(
      'names/main.yaml',
      [...documents, ...Object.entries(contacts).map(([key, each]) => contact(key, each))].join('\n---\n'),
    );

  it.each([
    ['of which one is live', shared],
    ['of which none is live', { ...shared, city: 'Breda' }],
  ])(
    'DCT-08: two manifests that want different details, %s: nothing is changed, and the plan says so',
    async (_, other) => {
      const one = await start('one.com', {});
      await write(one, names(['one.com', { owner: ref('moved') }], ['two.com', { owner: ref('other') }]), {
        moved,
        other,
      });
      const plan = await one.planned();
      expect(plan.actions).toEqual([]);
      expect(plan.blocked.map(({ address, rule }) => [address, rule])).toEqual(
        (other === shared ? ['one.com'] : ['one.com', 'two.com']).map((name) => [path(name, 'Owner'), 'DCT-08']),
      );
      expect(plan.blocked[0]).toMatchObject({
        reason: containing('the owner of two.com'),
        remedy: containing('Declare the same details in both places'),
      });
      expect((await one.apply()).outcome).toMatchObject({ exitCode: 3, requests: { writes: 0 } });
      await write(one, names(['one.com', { owner: ref('moved') }], ['two.com', { owner: ref('moved') }]), { moved });
      await done(one);
    },
  );

  it.each(['admin', 'tech', 'billing'])(
    'REG-26: a %s that is to keep the details of the holder gets a contact of its own before the holder is edited',
    async (role) => {
      const one = await start('one.com', by({ owner: 'moved', [role]: 'shared' }), { moved, shared });
      const field = `${role}Id` as 'adminId';
      live(one, 'one.com')[field] = 806;
      const plan = await one.planned();
      expect(plan.blocked).toEqual([]);
      expect(plan.actions).toMatchObject([
        {
          address: path('one.com', 'Owner'),
          // The others share it as well, and nobody declares them.
          effects: ['admin', 'tech', 'billing']
            .filter((other) => other !== role)
            .map((other) => ({ path: `/${other}/city` })),
          steps: [
            {
              name: 'roles',
              body: { [`${role}_contact`]: { source: 'new' }, [`${role}_new_contact`]: { city: 'Amsterdam' } },
            },
            { do: 'look-up' },
            { name: 'edit', body: { holder_contact: { action_mode: 'edit_current', city: 'Utrecht' } } },
            { do: 'verify' },
          ],
        },
      ]);
      const shown = JSON.stringify(withoutPersonal(plan));
      for (const text of [moved.streetAddress, moved.email, moved.phone, 'Amsterdam', 'Utrecht'])
        expect(shown).not.toContain(text);
      await done(one);
      expect(sent(one)).toEqual(['PATCH reg-one.com/contacts', 'PATCH reg-one.com/holder']);
      const own = live(one, 'one.com')[field];
      expect(own).not.toBe(806);
      expect(contactOf(one, own as number).fields).toMatchObject({ city: 'Amsterdam', first_name: 'Shared' });
      expect(contactOf(one, 806).fields).toMatchObject({ city: 'Utrecht' });
    },
  );

  it('REG-26: several roles are parted by one request, others follow, and one that is the same as the holder comes after', async () => {
    const one = await start('one.com', by({ owner: 'moved', tech: 'shared', billing: 'shared', admin: 'moved' }), {
      moved,
      shared,
    });
    Object.assign(live(one, 'one.com'), { adminId: 806, techId: 806, billingId: 806 });
    await done(one);
    expect(sent(one)).toEqual(['PATCH reg-one.com/contacts', 'PATCH reg-one.com/holder']);
    const { adminId, techId, billingId } = live(one, 'one.com');
    expect([adminId, techId === 806, billingId === 806]).toEqual([806, false, false]);
  });

  it('GAP-50: a role is parted with a contact that is there already and is the same', async () => {
    const one = await start('one.com', by({ owner: 'moved', tech: 'shared' }), { moved, shared });
    const { contacts } = one.sandbox.state.registrar;
    const copy = contacts.get(806);
    if (copy === undefined) throw new Error('no contact 806');
    contacts.set(8060, { ...copy, id: 8060, fields: { ...copy.fields } });
    live(one, 'one.com').techId = 806;
    live(one, 'two.com').adminId = 8060;
    await done(one);
    expect(live(one, 'one.com').techId).toBe(8060);
    expect(one.sandbox.creations.size).toBe(0);
  });

  it('O-55: a run that ended between the two is put right by the next plan, without a ledger', async () => {
    const one = await start('one.com', by({ owner: 'moved', tech: 'shared' }), { moved, shared }, refusing('holder'));
    live(one, 'one.com').techId = 806;
    expect((await one.apply()).outcome.exitCode).not.toBe(0);
    expect((await one.planned()).actions).toMatchObject([{ steps: [{ name: 'edit' }, { do: 'verify' }] }]);
    await done(one);
    expect(sent(one).filter((request) => request.endsWith('/contacts'))).toHaveLength(1);
  });

  it('REG-26: a registrar that refuses the contact of the role leaves the holder as it is', async () => {
    const one = await start('one.com', by({ owner: 'moved', tech: 'shared' }), { moved, shared }, refusing('contacts'));
    expect((await one.apply()).outcome.exitCode).not.toBe(0);
    expect(sent(one)).toEqual(['PATCH reg-one.com/contacts']);
    expect(contactOf(one, 806).fields).toMatchObject({ city: 'Amsterdam' });
    await done(one);
  });

  it('DCT-08: a role that is to have other details anyway is written after the holder', async () => {
    const one = await start('one.com', by({ owner: 'moved', tech: 'ben' }), { moved, ben: BEN });
    live(one, 'one.com').techId = 806;
    await done(one);
    expect(sent(one)).toEqual(['PATCH reg-one.com/holder', 'PATCH reg-one.com/contacts']);
  });

  it('DCT-08: whatever role the contact has in the other manifest', async () => {
    const one = await start('one.com', {});
    await write(one, names(['one.com', { owner: ref('moved') }], ['two.com', { admin: ref('shared') }]), {
      moved,
      shared,
    });
    live(one, 'two.com').adminId = 806;
    live(one, 'two.com').ownerId = 801;
    expect((await one.planned()).blocked).toMatchObject([
      { address: path('one.com', 'Owner'), reason: containing('the admin of two.com') },
    ]);
    // The holder may not come, so what would follow it may not either.
    await write(
      one,
      names(['one.com', { owner: ref('moved'), tech: ref('moved') }], ['two.com', { admin: ref('shared') }]),
      { moved, shared },
    );
    expect((await one.planned()).actions).toEqual([]);
    // Where nothing is declared it follows, and that is said.
    await write(one, names(['one.com', { owner: ref('moved') }]), { moved });
    expect(noticesOf(await one.planned())).toMatchObject([
      { code: 'HW2502', detail: containing('a contact of two.com') },
    ]);
    await done(one);
  });

  it('DCT-08: the contact of a holder is not used again for a role of another name, which an edit would move', async () => {
    const one = await start('window.com', by({ tech: 'shared' }), { shared });
    expect((await one.planned()).actions).toMatchObject([
      { steps: [{ body: { tech_contact: { source: 'new' } } }, {}] },
    ]);
  });

  it('GAP-06: names beyond the first page of a list that may be paged are seen', async () => {
    const one = await start(
      'n00055.com',
      { locked: true },
      {},
      { scenario: 'registrations:60', ambiguities: { 'GAP-06': 'paged' } },
    );
    await done(one);
    expect(sent(one)).toEqual(['PATCH reg-n00055.com/lock']);
  });
});

describe('hosts', () => {
  it('GAP-52, O-60: one that nobody names any more is for a person to remove; a stranger is left alone', async () => {
    const host = { hostName: 'ns5.plain.com', addresses: ['192.0.2.5'] };
    const one = await start('plain.com', { hosts: [host] });
    await done(one);
    await declare(one, 'plain.com', { hosts: [] });
    expect(await one.planned()).toMatchObject({
      actions: [],
      manual: [{ address: path('plain.com', 'Host/ns5.plain.com'), rule: 'GAP-52', remedy: containing('O-60') }],
      unmanaged: [{ identity: 'ns1.plain.com' }],
    });
    live(one, 'plain.com').hosts = [];
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  it('HST-02: a host is below its name', async () => {
    const one = await start('plain.com', { hosts: [{ hostName: 'ns1.elsewhere.example', addresses: ['192.0.2.5'] }] });
    expect(await one.planned()).toMatchObject({ actions: [], blocked: [{ rule: 'HST-02' }] });
  });
});

describe('a registrar that takes its time', () => {
  const wanted = {
    nameservers: ['ns1.elsewhere.example'],
    privacyProtect: true,
    dnssec: { keys: [KEY] },
    locked: true,
  };

  it('REG-10, REG-11, O-56: one change at a time; what waits is gone on with, and every later run does one more', async () => {
    const one = await start('slow.eu', wanted);
    const { outcome } = await one.apply();
    expect(outcome).toMatchObject({ exitCode: 3 });
    expect(outcome.actions.map(({ result }) => result).filter((result) => result === 'waiting')).toHaveLength(1);
    expect((await one.planned()).waiting.length).toBeGreaterThan(0);
    for (let rounds = 0; rounds < 10 && !isEmptyPlan(await one.planned()); rounds += 1) {
      one.sandbox.clock.advance(3 * DAY_MS);
      await one.apply();
    }
    expect(live(one, 'slow.eu')).toMatchObject({
      nameservers: ['ns1.elsewhere.example'],
      privacyProtect: true,
      dnssecEnabled: true,
      locked: true,
    });
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  it('REG-38: a process that failed is no success', async () => {
    const one = await start('slow.eu', { privacyProtect: true });
    one.sandbox.state.registrar.fates.push({ outcome: 'fails' });
    await one.apply();
    one.sandbox.clock.advance(3 * DAY_MS);
    const { outcome } = await one.apply();
    expect(outcome.actions).toMatchObject([
      { result: 'failed', reason: containing('/privacyProtect reads back as false') },
    ]);
  });

  it.each([
    ['takes its time', []],
    ['fails the first process', [{ outcome: 'fails' as const }]],
  ])(
    'REG-38: the holder is not edited before the role has a contact of its own, where the registrar %s',
    async (_, fates) => {
      const one = await start('slow.eu', {});
      const { ownerId, techId } = live(one, 'slow.eu');
      expect(techId).toBe(ownerId);
      one.sandbox.state.registrar.fates.push(...fates);
      const before = { ...ADA, firstName: 'Cleo', email: 'cleo@acme.example' };
      await declare(one, 'slow.eu', by({ owner: 'moved', tech: 'before' }), {
        before,
        moved: { ...before, city: 'Utrecht' },
      });
      for (let rounds = 0; rounds < 6 && !isEmptyPlan(await one.planned()); rounds += 1) {
        await one.apply();
        const now = live(one, 'slow.eu');
        expect(now.techId === ownerId && contactOf(one, ownerId as number).fields?.city === 'Utrecht').toBe(false);
        one.sandbox.clock.advance(3 * DAY_MS);
      }
      expect(isEmptyPlan(await one.planned())).toBe(true);
      expect(contactOf(one, live(one, 'slow.eu').techId as number).fields).toMatchObject({ city: before.city });
      expect(contactOf(one, live(one, 'slow.eu').ownerId as number).fields).toMatchObject({ city: 'Utrecht' });
    },
  );
});
