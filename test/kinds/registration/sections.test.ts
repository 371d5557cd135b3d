// The sections of a registration by themselves: what they ask, how they read answers, what they send, what they refuse.
import { describe, expect, it } from 'vitest';
import { refusedUpdates, updateAction } from '../../../src/planner/action.ts';
import {
  contactAt,
  contactData,
  contradicts,
  declaredContact,
  newContact,
  normalContact,
  sameContact,
  samePerson,
  showsContact,
  wholeContact,
} from '../../../src/areas/registration/kinds/contact-wire.ts';
import { registrationContacts } from '../../../src/areas/registration/kinds/contacts/index.ts';
import { registrationDnssec } from '../../../src/areas/registration/kinds/dnssec.ts';
import { registrationHost } from '../../../src/areas/registration/kinds/host/index.ts';
import { registrationLock } from '../../../src/areas/registration/kinds/lock.ts';
import { registrationNameservers } from '../../../src/areas/registration/kinds/nameservers.ts';
import { ownerBlocker } from '../../../src/areas/registration/kinds/owner/change.ts';
import { followers } from '../../../src/areas/registration/kinds/owner/followers.ts';
import { registrationOwner } from '../../../src/areas/registration/kinds/owner/index.ts';
import { registrationPrivacy } from '../../../src/areas/registration/kinds/privacy.ts';
import { reusable } from '../../../src/areas/registration/kinds/role-source.ts';
import { inMoney, sectionComputed, unsupported, whileLocked } from '../../../src/areas/registration/kinds/section.ts';
import { sharedBlocker, usesOf } from '../../../src/areas/registration/kinds/owner/shared-contact.ts';
import type { Json, JsonObject } from '../../../src/model/json.ts';
import type { Kind, Member } from '../../../src/model/kind/kind.ts';
import { NOTHING_WANTED } from '../../../src/model/kind/kind.ts';
import { normaliseSpec } from '../../../src/model/kind/normalise.ts';
import { flagAt, ShapeError } from '../../../src/model/kind/rows.ts';
import { contextOf } from '../../support/planned.ts';

const ROOT = 'DomainRegistration/a.nl';
const parent: Member = { identity: 'a.nl', id: 'reg/1', spec: { name: 'a.nl' }, computed: {}, keys: [] };
const ADA = {
  first_name: 'Ada',
  last_name: 'Vries',
  organization: null,
  street_address: 'Main 1',
  post_code: '1',
  city: 'Amsterdam',
  state: null,
  country: 'nl',
  email: ' ADA@a.nl',
  phone: '+31.1234',
  extra_properties: null,
};
const ada = {
  firstName: 'Ada',
  lastName: 'Vries',
  organization: '',
  streetAddress: 'Main 1',
  postCode: '1',
  city: 'Amsterdam',
  state: '',
  country: 'NL',
  email: 'ada@a.nl',
  phone: '+31.1234',
  extraProperties: {},
};

function row(more: JsonObject = {}): JsonObject {
  const contact = { id: 7, ...ADA };
  return {
    id: 'reg/1',
    name: 'a.nl',
    tld: { name: 'nl' },
    locked: false,
    privacy_protect: true,
    dnssec_enabled: false,
    nameservers: ['NS1.x.nl.'],
    server_transfer_prohibited: false,
    feature_flags: {},
    fees: {},
    owner_contact: contact,
    admin_contact: contact,
    tech_contact: null,
    billing_contact: { ...contact, id: 8 },
    ...more,
  };
}

const want = (kind: Kind, ...specs: readonly JsonObject[]) => contextOf(kind, specs, { root: ROOT, parent });
const decode = (kind: Kind, ...rows: readonly JsonObject[]) => kind.decode({ row: rows, list: rows }, want(kind));
const objectContext = (name: string) => ({
  address: `${ROOT}/${name}`,
  parent: ROOT,
  protect: false,
  members: [],
  sourceOf: () => undefined,
});
const on = (spec: JsonObject, computed: JsonObject = {}) => ({ spec, computed });

describe('every section', () => {
  it('unknown is not absent: an answer of another shape is no answer', () => {
    expect(() => decode(registrationLock, row({ locked: null }))).toThrow(ShapeError);
    expect(() => decode(registrationPrivacy, row({ privacy_protect: 'yes' }))).toThrow(ShapeError);
    expect(() => decode(registrationDnssec, row({ dnssec_enabled: 1 }))).toThrow(ShapeError);
    expect(() => decode(registrationNameservers, row({ nameservers: 'ns1' }))).toThrow(ShapeError);
    expect(() => decode(registrationOwner, row({ owner_contact: 'Ada' }))).toThrow(ShapeError);
    expect(() => decode(registrationContacts, row({ tech_contact: { ...ADA, phone: 31 } }))).toThrow(ShapeError);
    expect(() => flagAt({}, 'locked')).toThrow('/locked');
  });

  it('REG-04, REG-05, REG-06: keeps what its TLD can and costs, as far as it is said', () => {
    expect(sectionComputed({})).toEqual({ locked: false, prohibited: false, flags: null, fees: null });
    expect(sectionComputed(row({ locked: true, server_transfer_prohibited: true }))).toEqual({
      locked: true,
      prohibited: true,
      flags: {},
      fees: {},
    });
    expect([
      unsupported({ flags: { x: false } }, 'x', 'lock', 'locked')?.rule,
      unsupported({ flags: { x: true } }, 'x', 'lock', 'locked'),
      unsupported({ flags: null }, 'x', 'lock', 'locked'),
    ]).toEqual(['REG-05', null, null]);
    expect([whileLocked({ locked: true }).length, whileLocked({ locked: null }).length]).toEqual([1, 0]);
    expect(
      [
        { amount_cents: 1500, currency: 'EUR' },
        { amount_cents: '1', currency: 'EUR' },
        { amount_cents: 1.5, currency: 'EUR' },
        { amount_cents: -1, currency: 'EUR' },
        { amount_cents: 1, currency: 'euro' },
        { amount_cents: 1 },
      ].map(inMoney),
    ).toEqual(['15.00 EUR', ...Array<string>(5).fill('an amount that is not shown')]);
  });
});

it('REG-14: name servers compare without case, final dots and order; a reference stays what it is', () => {
  const normal = (nameservers: Json) => normaliseSpec(registrationNameservers, { nameservers });
  expect(normal(['NS2.x.nl.', 'ns1.X.nl', 'ns2.x.nl'])).toEqual({ nameservers: ['ns1.x.nl', 'ns2.x.nl'] });
  const reference = { ref: 'Site/shop/SiteDomain/a.nl', output: 'nameservers' };
  expect(normal(reference)).toEqual({ nameservers: reference });
});

describe('RegistrationNameservers', () => {
  it('REG-14: compares without case, final dots and order; a reference stays what it is', () => {
    expect(normaliseSpec(registrationNameservers, { nameservers: ['NS2.x.nl.', 'ns1.X.nl', 'ns2.x.nl'] })).toEqual({
      nameservers: ['ns1.x.nl', 'ns2.x.nl'],
    });
    const reference = { nameservers: { ref: 'Site/shop/SiteDomain/a.nl', output: 'nameservers' } };
    expect(normaliseSpec(registrationNameservers, reference)).toEqual(reference);
    expect(registrationNameservers.section.expand({ nameservers: ['a'], dnssec: { enabled: false } })[0]?.spec).toEqual(
      { nameservers: ['a'], dnssec: { enabled: false } },
    );
    expect(registrationNameservers.section.expand({})[0]?.spec).toEqual({ nameservers: null });
    expect(decode(registrationNameservers, row({ nameservers: null }))[0]).toMatchObject({
      spec: { nameservers: [] },
      computed: { signed: false },
    });
    const action = updateAction(
      registrationNameservers,
      { nameservers: ['b'] },
      on({ nameservers: ['a'] }),
      objectContext('RegistrationNameservers'),
    );
    expect(action?.steps[0]).toMatchObject({
      method: 'PATCH',
      path: ['/api/domain_registrations/', { $ref: ROOT }, '/nameservers'],
      body: { nameservers: ['b'] },
    });
  });
});

describe('RegistrationPrivacy', () => {
  it('REG-16, GAP-64: switching privacy off is free whatever it costs', () => {
    const refuse = (privacyProtect: boolean, computed: JsonObject) =>
      registrationPrivacy.update.privacy?.refuse?.({ privacyProtect }, { spec: {}, computed }, NOTHING_WANTED)?.rule;
    const fees = { privacy_enable: { amount_cents: 500, currency: 'EUR' } };
    expect([
      refuse(true, { fees }),
      refuse(false, { fees }),
      refuse(true, { fees: { privacy_enable: null } }),
      refuse(true, { flags: { supports_privacy: false }, fees }),
    ]).toEqual(['GAP-64', undefined, undefined, 'REG-05']);
  });
});

describe('RegistrationDnssec', () => {
  const keys = [{ flags: 257, algorithm: 13, publicKey: 'YQ==' }];
  const action = (desired: JsonObject, enabled: boolean, rotated?: Readonly<Record<string, string | null>>) =>
    updateAction(registrationDnssec, desired, on({ enabled }), {
      ...objectContext('RegistrationDnssec'),
      ...(rotated !== undefined && { rotated }),
    });

  it('GAP-54: a mark is compared with the ledger alone', () => {
    const wanted = { enabled: true, keys, rotate: '2' };
    expect([
      action(wanted, true),
      action(wanted, true, { rotate: '2' }),
      action({ enabled: true, keys }, true, { rotate: '1' }),
    ]).toEqual([undefined, undefined, undefined]);
    expect(action(wanted, true, { rotate: null })?.changes).toEqual([
      { op: 'add', path: '/rotate', value: '2', rotationToken: true },
    ]);
    expect(action(wanted, true, { rotate: '1' })).toMatchObject({
      changes: [{ op: 'replace', was: '1', value: '2', rotationToken: true }],
      expect: { tests: [] },
      steps: [{ body: { mode: 'add_keys', key_data: keys } }, {}],
    });
    expect(action(wanted, false, { rotate: '1' })?.steps.map(({ name }) => name)).toEqual([
      'enable',
      'enable read back',
    ]);
  });
});

describe('a contact', () => {
  it('case 89: is compared trimmed, with its country in capitals; null, nothing and an empty text are the same', () => {
    expect(contactAt(row(), 'owner')).toEqual(ada);
    expect(
      contactAt(
        row({ owner_contact: { ...ADA, organization: undefined as unknown as Json, extra_properties: { vat: '1' } } }),
        'owner',
      ),
    ).toEqual({ ...ada, extraProperties: { vat: '1' } });
    expect(contactAt(row(), 'tech')).toBeNull();
    expect(() => contactAt({}, 'owner')).toThrow(ShapeError);
    expect(normalContact({ country: ' nl', email: 'A@B.nl ', city: ' x ', extraProperties: {} })).toEqual({
      country: 'NL',
      email: 'a@b.nl',
      city: 'x',
      extraProperties: {},
    });
    expect(declaredContact({ firstName: 'Ada' })).toEqual({ firstName: 'Ada', organization: '', state: '' });
  });

  it('REG-25: is the same person by name and organization', () => {
    expect([
      samePerson({ ...ada, city: 'X' }, ada),
      samePerson({ ...ada, organization: 'X' }, ada),
      samePerson(ada, null),
    ]).toEqual([true, false, false]);
    expect([sameContact({ city: 'Amsterdam' }, ada), sameContact({ city: 'X' }, ada), sameContact({}, null)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('DCT-09, holderFields: a new one leaves out what it does not have, a whole one clears it', () => {
    const small = { firstName: 'Ada', organization: '', extraProperties: { vat: '1' }, ownerChange: {} };
    expect(newContact(small)).toEqual({ first_name: 'Ada', extra_properties: { vat: '1' } });
    expect(wholeContact(small)).toEqual({ first_name: 'Ada', organization: null, extra_properties: { vat: '1' } });
    expect(showsContact('owner', small)).toEqual([
      { pointer: '/owner_contact/first_name', value: 'Ada' },
      { pointer: '/owner_contact/organization', value: '', orAbsent: true },
      { pointer: '/owner_contact/extra_properties/vat', value: '1' },
    ]);
    expect(showsContact('owner', { city: 'X' })).toHaveLength(1);
  });

  it('DCT-01: what a registry asks for may be any value, and is compared at every depth', () => {
    const extraProperties = { born: { year: 1815, place: 'London' }, kinds: [1, 2], trader: false, $ref: 1 };
    expect(showsContact('owner', { extraProperties })).toEqual([
      { pointer: '/owner_contact/extra_properties/born/year', value: 1815 },
      { pointer: '/owner_contact/extra_properties/born/place', value: 'London' },
      { pointer: '/owner_contact/extra_properties/kinds', value: [1, 2] },
      { pointer: '/owner_contact/extra_properties/trader', value: false },
      { pointer: '/owner_contact/extra_properties/$ref', value: 1 },
    ]);
    expect(newContact({ extraProperties })).toEqual({ extra_properties: { $literal: extraProperties } });
    const live = { ...ada, extraProperties: { ...extraProperties, more: 1 } };
    expect([
      sameContact({ ...ada, extraProperties: { born: { year: 1815 } } }, live),
      sameContact({ ...ada, extraProperties: { born: { year: '1815' } } }, live),
      contradicts({ extraProperties: { kinds: [1, 2] } }, { extraProperties: { kinds: [1, 2] } }),
      contradicts({ extraProperties: { kinds: [1, 2] } }, { extraProperties: { kinds: [2] } }),
    ]).toEqual([true, false, false, true]);
    expect(
      contactData('/contacts/owner', { ...ada, extraProperties: { trader: false, none: null } }).spec,
    ).toMatchObject({ extraProperties: { trader: false } });
  });
});

describe('RegistrationOwner', () => {
  const owner = (spec: JsonObject) =>
    registrationOwner.section.expand({ contacts: { owner: { firstName: 'Ada' } }, ...spec })[0]?.spec;

  it('promise: consents carry what they consent to, in the same form', () => {
    expect(owner({})).toEqual({ firstName: 'Ada', organization: '', state: '' });
    expect(
      owner({ ownerChange: { to: { country: 'nl' }, paid: true }, confirmReverification: ' A@b.nl' }),
    ).toMatchObject({
      ownerChange: { to: { country: 'NL', organization: '' }, paid: true },
      confirmReverification: 'a@b.nl',
    });
  });

  it('is known with every other use of its contact; nobody shares nobody', () => {
    const other = row({ id: 'reg/2', name: 'b.nl' });
    const list = [
      row(),
      other,
      row({ id: 'reg/3', name: 'c.nl', owner_contact: { ...ADA, id: 9 } }),
      row({ id: 'reg/4', owner_contact: null }),
    ];
    expect(usesOf(row(), list)).toEqual([
      { name: 'a.nl', role: 'admin', own: true },
      { name: 'b.nl', role: 'owner', own: false },
      { name: 'b.nl', role: 'admin', own: false },
      { name: 'c.nl', role: 'admin', own: false },
      { name: 'a.nl', role: 'admin', own: false },
    ]);
    expect(usesOf(row({ owner_contact: null }), list)).toEqual([]);
    expect(decode(registrationOwner, row({ owner_contact: null }))[0]).toMatchObject({
      spec: {},
      computed: { owner: null, uses: [] },
    });
  });

  it('DCT-08: is not edited against what is declared of another use of the same contact', () => {
    const wanted = { ...ada, city: 'Utrecht' };
    const refused = (
      role: string,
      other: JsonObject | undefined,
      live: JsonObject | null = ada,
      want: JsonObject = wanted,
    ) => {
      const wantedIn = (name: string, kind: string) =>
        name !== 'b.nl' || other === undefined ? undefined : kind === 'RegistrationOwner' ? other : { [role]: other };
      return sharedBlocker(want, live, [{ name: 'b.nl', role, own: false }], wantedIn)?.reason ?? null;
    };
    expect(refused('owner', { ...ada, city: 'Breda' })).toContain('the owner of b.nl, which');
    expect(refused('owner', ada)).toContain('the owner of b.nl');
    expect(
      refused('owner', { ...ada, city: 'Utrecht', extraProperties: { vat: '1' } }, ada, {
        ...wanted,
        extraProperties: { vat: '2' },
      }),
    ).toContain('the owner of b.nl');
    expect(refused('tech', ada)).toContain('the tech of b.nl');
    // The same is wanted there; nothing is; it gets a contact of its own; this one is not edited in place.
    expect([
      refused('owner', wanted),
      refused('owner', undefined),
      refused('tech', undefined),
      refused('owner', { ...ada, firstName: 'Ben' }),
      refused('tech', { ...ada, city: 'Breda' }),
    ]).toEqual([null, null, null, null, null]);
    expect([
      refused('owner', ada, null),
      refused('owner', ada, ada, ada),
      refused('owner', ada, ada, { ...ada, firstName: 'Ben' }),
    ]).toEqual([null, null, null]);
    expect(
      sharedBlocker(
        wanted,
        ada,
        [
          { name: 'b.nl', role: 'owner', own: false },
          { name: 'c.nl', role: 'owner', own: false },
        ],
        () => ada,
      )?.reason,
    ).toContain('b.nl (and 1 more)');
    // Where nobody says what other manifests want, nothing stands in the way.
    expect(
      refusedUpdates(
        registrationOwner,
        wanted,
        on(ada, { owner: ada, uses: [{ name: 'b.nl', role: 'owner', own: false }] }),
      ),
    ).toEqual([]);
  });

  it('REG-06, REG-25: what a change costs has to be shown before anybody can consent to it', () => {
    const ben = { ...ada, firstName: 'Ben' };
    const refused = (registrant_change: JsonObject, paid: boolean) =>
      ownerBlocker(
        ben,
        { ownerChange: { to: ben, paid } },
        { owner: ada, uses: [], fees: { registrant_change } },
        NOTHING_WANTED,
      )?.rule ?? null;
    expect([
      refused({ amount_cents: 1500, currency: 'EUR' }, false),
      refused({ amount_cents: 1500, currency: 'EUR' }, true),
      refused({ amount_cents: 1500 }, true),
      refused({ currency: 'EUR' }, true),
    ]).toEqual(['REG-25', null, 'REG-06', 'REG-06']);
  });

  it('GAP-58: an edit changes the roles that have the very same contact, another holder none', () => {
    const computed = {
      uses: [
        { name: 'a.nl', role: 'admin', own: true },
        { name: 'b.nl', role: 'tech', own: false },
      ],
    };
    const members = [{ spec: ada, computed }];
    expect(followers({ ...ada, city: 'Utrecht' }, members)).toEqual([
      { beside: 'RegistrationContacts', path: '/admin/city', value: 'Utrecht' },
    ]);
    expect(followers({ ...ada, firstName: 'Ben' }, members)).toEqual([]);
    const live: Member = { identity: 'RegistrationOwner', id: 'owner', spec: ada, computed, keys: [] };
    const action = updateAction(registrationOwner, { ...ada, city: 'Utrecht' }, live, {
      ...objectContext('RegistrationOwner'),
      members: [live],
    });
    expect(action?.effects).toContainEqual({
      address: `${ROOT}/RegistrationContacts`,
      path: '/admin/city',
      value: 'Utrecht',
    });
  });

  it('HW2502: names all that share it', () => {
    const notices = (names: readonly string[]) =>
      registrationOwner
        .notices?.(
          on(ada, { uses: names.map((name) => ({ name, role: 'owner', own: false })) }),
          { ...ada, city: 'X' },
          {},
        )
        .map(({ detail }) => detail) ?? [];
    expect(notices(['b.nl'])[0]).toContain('a contact of b.nl as well');
    expect(notices(['1', '2', '3', '4', '5', '6', '7'])[0]).toContain('1, 2, 3, 4, 5, 6, 7 as well');
    expect(notices([])).toEqual([]);
    expect(
      registrationOwner.notices?.(
        on(ada, { uses: [{ name: 'a.nl', role: 'admin', own: true }] }),
        { ...ada, city: 'X' },
        {},
      ),
    ).toEqual([]);
  });
});

describe('RegistrationContacts', () => {
  it('GAP-50: knows the contacts that names of the TLD use, but for that of the holder', () => {
    const list = [
      row(),
      row({ id: 'reg/2', tld: { name: 'com' }, tech_contact: { ...ADA, id: 9 } }),
      row({ id: 'reg/3', tech_contact: { ...ADA, id: 10 }, billing_contact: { ...ADA, id: 'guid' } }),
    ];
    expect(Object.keys(reusable(row(), list))).toEqual(['8', '10']);
    expect(() => reusable(row({ tld: null }), list)).toThrow(ShapeError);
  });

  it('O-55: is refused where a role would follow a holder who may not come', () => {
    const refuse = (desired: JsonObject, computed: JsonObject) =>
      registrationContacts.update.roles?.refuse?.(
        desired,
        { spec: {}, computed: { uses: [], ...computed } },
        NOTHING_WANTED,
      )?.rule;
    const ben = { ...ada, firstName: 'Ben' };
    expect([
      refuse({ admin: ben }, { owner: ada }),
      refuse({ admin: ben, owner: ben }, { owner: ada }),
      refuse({ admin: ada, owner: ben }, { owner: ada }),
      refuse({ admin: ada, owner: ada }, { owner: ada }),
    ]).toEqual([undefined, 'REG-25', undefined, undefined]);
  });
});

describe('RegistrationHost', () => {
  const hosts = { hosts: [{ host_name: 'NS1.a.nl.', addresses: [{ address: '192.0.2.1', version: 4 }] }] };

  it('HST-01, HST-02: is known by its name, its addresses in canonical form', () => {
    expect(
      normaliseSpec(registrationHost, { hostName: 'NS1.a.nl', addresses: ['2001:DB8::0:1', '192.0.2.1', '192.0.2.1'] }),
    ).toEqual({ hostName: 'ns1.a.nl', addresses: ['192.0.2.1', '2001:db8::1'] });
    expect(normaliseSpec(registrationHost, {})).toEqual({});
    expect([registrationHost.identity({ hostName: 'x' }), registrationHost.identity({})]).toEqual(['x', '']);
    expect(
      registrationHost.decode({ row: [row({ locked: true })], hosts: hosts.hosts }, want(registrationHost)),
    ).toMatchObject([
      { id: 'ns1.a.nl', spec: { hostName: 'ns1.a.nl', addresses: ['192.0.2.1'] }, computed: { locked: true } },
    ]);
    expect(registrationHost.decode({ row: [], hosts: hosts.hosts }, want(registrationHost))).toMatchObject([
      { computed: { locked: false } },
    ]);
    expect(() =>
      registrationHost.decode({ row: [], hosts: [{ host_name: 'x', addresses: null }] }, want(registrationHost)),
    ).toThrow(ShapeError);
  });

  it('HST-02: is a blocker where it is not below the name', () => {
    const context = want(
      registrationHost,
      { hostName: 'ns1.a.nl', addresses: ['192.0.2.1'] },
      { hostName: 'ns1.b.nl', addresses: ['192.0.2.1'] },
      { hostName: 'a.nl', addresses: ['192.0.2.1'] },
    );
    expect(Object.keys(registrationHost.blockers?.({}, context) ?? {})).toEqual(['ns1.b.nl', 'a.nl']);
  });
});
