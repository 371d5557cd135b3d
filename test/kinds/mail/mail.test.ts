// The kinds of mail by themselves: how names are spelled, what is no answer, what comes before what. What they read,
// plan and send is in test/sessions/mail.
import { describe, expect, it } from 'vitest';
import { createAction, deleteAction, updateAction } from '../../../src/planner/action.ts';
import { orderActions } from '../../../src/planner/order.ts';
import { registry } from '../../../src/areas/index.ts';
import { mailAlias } from '../../../src/areas/mail/kinds/alias/index.ts';
import { mailDomain } from '../../../src/areas/mail/kinds/domain/index.ts';
import { mailGroup } from '../../../src/areas/mail/kinds/group/index.ts';
import { canonicalAddress, canonicalMailDomain, canonicalRange } from '../../../src/areas/mail/kinds/names.ts';
import { mailbox } from '../../../src/areas/mail/kinds/mailbox/index.ts';
import { mailspace } from '../../../src/areas/mail/kinds/mailspace/index.ts';
import type { Json, JsonObject } from '../../../src/model/json.ts';
import type { Answers, Kind, Member } from '../../../src/model/kind/kind.ts';
import { NOTHING_WANTED, statusBlocker } from '../../../src/model/kind/kind.ts';
import { ShapeError } from '../../../src/model/kind/rows.ts';
import { normaliseSpec } from '../../../src/model/kind/normalise.ts';
import { contextOf, readKind } from '../../support/planned.ts';

const ROOT = 'Mailspace/a.nl';
const parent: Member = {
  identity: 'a.nl',
  id: 'm/1',
  spec: { domain: 'a.nl' },
  computed: { maxMailboxes: 5, storageGb: 1 },
  keys: [],
};
const around = { root: ROOT, parent };
const kindOf = (name: string): Kind => registry.get(name) as Kind;
const on = (spec: JsonObject, computed: JsonObject = {}) => ({ spec, computed });
const at = (kind: string, name: string) => ({
  address: `${ROOT}/${kind}/${name}`,
  parent: ROOT,
  protect: false,
  members: [],
  sourceOf: () => undefined,
});
const row = (email: string, more: JsonObject = {}): JsonObject => ({
  id: `id ${email}`,
  email,
  display_name: null,
  status: 'active',
  quota_mb: 0,
  aliases: null,
  ...more,
});
const many = (count: number): readonly JsonObject[] =>
  Array.from({ length: count }, (_, index) => row(`m${index}@a.nl`));

describe('names', () => {
  it('case 66: addresses compare in lower case, trimmed, with the domain in A-label form', () => {
    expect([' Info@Example.NL ', 'a@bücher.example', 'Team'].map(canonicalAddress)).toEqual([
      'info@example.nl',
      'a@xn--bcher-kva.example',
      'team',
    ]);
  });

  it('case 77, MDM-06: a domain is read as the platform reads it', () => {
    expect(
      ['https://www.Example.nl/x', 'http://Example.nl', 'WWW.example.nl.', 'example.nl'].map(canonicalMailDomain),
    ).toEqual(Array(4).fill('example.nl'));
  });

  it.each([
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7/32', '192.0.2.7'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8:0:0::1/32', '2001:db8::/32'],
    ['2001:db8::1/128', '2001:db8::1'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
    ['::', '::'],
    ['::ffff:192.0.2.1', '::ffff:c000:201'],
    ['fe80::/10', 'fe80::/10'],
    ['192.0.2.0/33', '192.0.2.0/33'],
    ['192.0.2.0/x', '192.0.2.0/x'],
    ['Nonsense', 'nonsense'],
    ['1::/-1', '1::/-1'],
  ])('case 76, MBX-20: the range %s is %s', (text, range) => expect(canonicalRange(text)).toBe(range));

  it.each<[string, JsonObject, JsonObject]>([
    ['MailDomain', { name: 'WWW.b.nl', description: ' ' }, { name: 'b.nl', description: '' }],
    [
      'Mailbox',
      { address: 'X@A.nl', allowedIps: ['10.1.2.3/8', '10.0.0.0/8'], lists: ['B@a.nl'] },
      { address: 'x@a.nl', allowedIps: ['10.0.0.0/8'], lists: ['b@a.nl'] },
    ],
    [
      'MailGroup',
      { email: 'A@a.nl', members: ['Y@a.nl', 'x@a.nl'] },
      { email: 'a@a.nl', members: ['x@a.nl', 'y@a.nl'] },
    ],
  ])('MBX-20, MDM-11: a %s written as %j is %j', (kind, written, one) => {
    expect(normaliseSpec(kindOf(kind), written)).toEqual(one);
  });

  it('MSP-07: a mailspace is known by its domain', () => {
    expect(mailspace.keys?.('Bücher.example', {})).toEqual([['xn--bcher-kva.example']]);
    expect(mailspace.section.expand({ package: 'mail_5' }, 'A.nl')[0]?.spec).toEqual({
      domain: 'a.nl',
      package: 'mail_5',
    });
  });
});

it.each<[string, Answers]>([
  ['MailDomain', { domains: { domains: [] } }],
  ['Mailbox', { list: { mailboxes: [row('a@a.nl', { display_name: 5 })], pending: [] } }],
  ['MailGroup', { list: { groups: [{ id: 'p', email: 'a@a.nl', description: null }] }, views: { 'a@a.nl': {} } }],
])('%s takes no answer of another shape: %j', (kind, answers) => {
  expect(() => readKind(kindOf(kind), answers, [], around)).toThrow(ShapeError);
});

it('GAP-35: a mailspace goes by its flags, and a record that no view tells is in the dashboard', () => {
  const holdOf = (more: JsonObject) => {
    const space = {
      id: 's1',
      domain: 'a.nl',
      package: 'mail_5',
      account: { id: 'acc' },
      pending_deletion: false,
      ...more,
    };
    const [read] = mailspace.decode({ list: [space] }, contextOf(mailspace));
    return statusBlocker(mailspace, on({}, read?.computed));
  };
  expect(holdOf({ provisioned: true, needs_domain_verification: false, status: 'pending' })).toBeNull();
  expect(holdOf({ provisioned: false, needs_domain_verification: true })).toMatchObject({
    rule: 'O-33',
    remedy: expect.stringContaining('the dashboard shows') as string,
  });
});

describe('a list that may be cut off (GRP-02)', () => {
  const groupsFor = (count: number, extra: Parameters<typeof contextOf>[2] = {}): boolean => {
    const answers = { list: { mailboxes: many(count), pending: [] } };
    return (
      mailbox.reads.groups?.path(contextOf(mailbox, [{ address: 'm1@a.nl' }], { ...around, answers, ...extra })) !==
      null
    );
  };
  const gone = { owned: new Set(['gone@a.nl']) };

  it('costs the groups only where it matters what is not there', () => {
    expect([
      groupsFor(4),
      groupsFor(4, gone),
      groupsFor(4, { whole: true }),
      groupsFor(4, { ...gone, observedFields: new Map() }),
      groupsFor(500, gone),
      groupsFor(0),
    ]).toEqual([false, true, true, false, false, true]);
  });

  it('GRP-08: of a group that is read by its id only a clear answer says that it is there', () => {
    const found = (answer: Json) =>
      readKind(
        mailGroup,
        { list: { groups: [] }, found: { 'new@a.nl': answer } },
        [{ email: 'new@a.nl' }],
        around,
      ).members.map(({ id, spec }) => [id, spec.members]);
    const group = { id: 'p', email: 'new@a.nl', description: null, members: ['x@a.nl'] };
    expect([found({ group }), found(null)]).toEqual([[['p', ['x@a.nl']]], []]);
  });

  it('GRP-10: no membership is written where groups may be missing', () => {
    const refused = (incomplete: boolean) =>
      mailGroup.update.members?.refuse?.({}, on({}, { incomplete }), NOTHING_WANTED)?.rule;
    expect([refused(true), refused(false)]).toEqual(['GRP-10', undefined]);
  });
});

describe('the order of mail', () => {
  const make = (kind: Kind, name: string, spec: JsonObject) => createAction(kind, spec, at(kind.kind, name));
  const drop = (kind: Kind, name: string, spec: JsonObject) => deleteAction(kind, on(spec), 'why', at(kind.kind, name));
  const change = (desired: JsonObject, live: JsonObject) =>
    updateAction(mailbox, desired, on({ address: 'x@a.nl', ...live }), at('Mailbox', 'x@a.nl')) as ReturnType<
      typeof make
    >;
  const order = (...actions: Parameters<typeof orderActions>[0]) =>
    orderActions(actions, registry, new Map()).map(({ address, stage, needs }) => [
      address.split('/').slice(2).join(' '),
      stage,
      needs.map(({ rule }) => rule),
    ]);

  it('O-37, O-40, O-43: domains before what is on them, members before groups, targets before aliases', () => {
    expect(
      order(
        make(mailAlias, 'i@b.nl', { address: 'i@b.nl', target: 'g@a.nl' }),
        make(mailGroup, 'g@a.nl', { email: 'g@a.nl', name: 'G', members: ['x@b.nl'] }),
        make(mailbox, 'x@b.nl', { address: 'x@b.nl', password: { env: 'P' } }),
        make(mailbox, 'y@a.nl', { address: 'y@a.nl', password: { env: 'P' } }),
        make(mailDomain, 'b.nl', { name: 'b.nl' }),
      ),
    ).toEqual([
      ['MailDomain b.nl', 'change', []],
      ['Mailbox x@b.nl', 'change', ['O-37']],
      ['MailGroup g@a.nl', 'change', ['O-40']],
      ['MailAlias i@b.nl', 'change', ['O-37', 'O-43']],
      ['Mailbox y@a.nl', 'change', []],
    ]);
  });

  it('O-40, O-43: a mailbox that is restored comes before its group and its alias, one that only changes does not', () => {
    const group = make(mailGroup, 'g@a.nl', { email: 'g@a.nl', name: 'G', members: ['x@a.nl'] });
    const alias = make(mailAlias, 'i@a.nl', { address: 'i@a.nl', target: 'x@a.nl' });
    expect(order(alias, group, change({ deletion: 'none' }, { deletion: 'scheduled' }))).toEqual([
      ['Mailbox x@a.nl', 'change', []],
      ['MailAlias i@a.nl', 'change', ['O-43']],
      ['MailGroup g@a.nl', 'change', ['O-40']],
    ]);
    const renamed = change({ displayName: 'Y' }, { displayName: 'X' });
    expect(order(alias, group, renamed).flatMap(([, , needs]) => needs)).toEqual([]);
  });

  it('O-38, O-45, O-48: an address is freed first; what is on a domain goes before it', () => {
    expect(
      order(
        drop(mailAlias, 'x@a.nl', { address: 'x@a.nl', target: 'y@a.nl' }),
        make(mailbox, 'x@a.nl', { address: 'x@a.nl', password: { env: 'P' } }),
        drop(mailAlias, 'z@b.nl', { address: 'z@b.nl', target: 'y@a.nl' }),
        drop(mailbox, 'y@a.nl', { address: 'y@a.nl' }),
        drop(mailDomain, 'b.nl', { name: 'b.nl' }),
      ),
    ).toEqual([
      ['MailAlias x@a.nl', 'change', []],
      ['Mailbox x@a.nl', 'change', ['O-38']],
      ['MailAlias z@b.nl', 'removal', ['O-70', 'O-70']],
      ['MailDomain b.nl', 'removal', ['O-48', 'O-70', 'O-70']],
      ['Mailbox y@a.nl', 'removal', ['O-45', 'O-45', 'O-70']],
    ]);
  });

  it('O-32: a mailspace is bought before anything in it', () => {
    const buy = createAction(mailspace, { domain: 'a.nl', order: {} }, { ...at('x', 'x'), address: ROOT });
    expect(order(buy, make(mailDomain, 'b.nl', { name: 'b.nl' }))).toEqual([
      ['', 'change', []],
      ['MailDomain b.nl', 'change', ['O-32']],
    ]);
  });
});
