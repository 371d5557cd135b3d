// The kinds of mail by themselves: what they ask, how they read answers, what they send, what they refuse.
import { describe, expect, it } from 'vitest';
import { createAction, deleteAction, updateAction } from '../../../src/planner/action.ts';
import { orderActions } from '../../../src/planner/order.ts';
import { registry } from '../../../src/areas/index.ts';
import { mailAlias } from '../../../src/areas/mail/kinds/alias/index.ts';
import { mailDomain } from '../../../src/areas/mail/kinds/domain/index.ts';
import { mailGroup } from '../../../src/areas/mail/kinds/group/index.ts';
import { answersOf, cutOff, pendingDomains, textOrEmpty } from '../../../src/areas/mail/kinds/guards.ts';
import { mailAliasOrder } from '../../../src/areas/mail/kinds/mailspace/order.ts';
import { canonicalAddress, canonicalMailDomain, canonicalRange } from '../../../src/areas/common/spellings.ts';
import { mailbox } from '../../../src/areas/mail/kinds/mailbox/index.ts';
import { mailspace } from '../../../src/areas/mail/kinds/mailspace/index.ts';
import type { DesiredCollection } from '../../../src/model/desired.ts';
import type { Json, JsonObject } from '../../../src/model/json.ts';
import type { FieldRule, Kind, Member, ReadContext } from '../../../src/model/kind/kind.ts';
import { NOTHING_WANTED, statusBlocker } from '../../../src/model/kind/kind.ts';
import { ShapeError, textsAt } from '../../../src/model/kind/rows.ts';
import { normaliseSpec } from '../../../src/model/kind/normalise.ts';
import type { RequestStep } from '../../../src/model/plan/step.ts';
import { wantMembers, wantRoot, wantRoots } from '../../support/desired.ts';
import { inWords } from '../../../src/areas/common/format.ts';
import { containing } from '../../support/matchers.ts';

const ROOT = 'Mailspace/a.nl';
const parent: Member = {
  identity: 'a.nl',
  id: 'm/1',
  spec: { domain: 'a.nl' },
  computed: { maxMailboxes: 5, storageGb: 1 },
  keys: [],
};

/** A mailspace that says nothing of how much it may hold. */
const unsized: Member = { ...parent, computed: {} };

function context(declared: DesiredCollection, extra: Partial<ReadContext> = {}): ReadContext {
  return { account: 'acc-1', parent, declared, owned: new Set(), answers: {}, ...extra };
}

const on = (spec: JsonObject, computed: JsonObject = {}) => ({ spec, computed });
const want = (kind: Kind, ...specs: readonly JsonObject[]) => wantMembers(kind, ROOT, specs);
const objectContext = (kind: string, name: string) => ({
  address: `${ROOT}/${kind}/${name}`,
  parent: ROOT,
  protect: false,
  members: [],
  sourceOf: () => undefined,
});
const paths = (kind: Kind, at: ReadContext) =>
  Object.fromEntries(
    Object.entries(kind.reads).map(([name, { path }]) => {
      const paths = path(at);
      return [name, typeof paths === 'object' && paths !== null ? Object.values(paths) : paths];
    }),
  );
const request = (steps: readonly { readonly do: string }[] | undefined, index = 0): RequestStep =>
  steps?.[index] as RequestStep;
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
});

describe('what all of them share', () => {
  it('takes no answer of another shape', () => {
    expect(() => textOrEmpty({ name: 1 }, 'name')).toThrow(ShapeError);
    expect(textOrEmpty({}, 'name')).toBe('');
    expect(textsAt(undefined, 'a')).toEqual([]);
    expect(textsAt({ a: ['b'] }, 'a')).toEqual(['b']);
    expect(() => textsAt({ a: 'b' }, 'a')).toThrow(ShapeError);
    expect(() => textsAt({ a: [1] }, 'a')).toThrow(ShapeError);
    expect([answersOf(undefined), answersOf({ a: 1 })]).toEqual([{}, { a: 1 }]);
    expect([inWords('text'), inWords(5), inWords(undefined)]).toEqual(['text', '5', 'null']);
    expect([cutOff(499), cutOff(500)?.as]).toEqual([null, 'unknown']);
    expect(pendingDomains(undefined).size).toBe(0);
    expect(pendingDomains({ pending_domains: [{ name: 'b.nl' }] }).get('b.nl')?.rule).toBe('O-37');
  });
});

describe('Mailspace', () => {
  const space = (more: JsonObject = {}): JsonObject => ({
    id: 's1',
    domain: 'A.nl',
    package: 'mail_5',
    provisioned: true,
    needs_domain_verification: false,
    pending_deletion: false,
    account: { id: 'acc-1' },
    ...more,
  });
  const holdOf = (more: JsonObject, views?: Json) => {
    const [decoded] = mailspace.decode(
      { list: [space(more)], ...(views !== undefined && { views }) },
      context(wantRoots(mailspace, [])),
    );
    return statusBlocker(mailspace, on({}, decoded?.computed));
  };

  it('MSP-07: is known by its domain', () => {
    expect(mailspace.keys?.('Bücher.example', {})).toEqual([['xn--bcher-kva.example']]);
    expect(mailspace.section.expand({ package: 'mail_5', mailboxes: [] }, 'A.nl')[0]?.spec).toEqual({
      domain: 'a.nl',
      package: 'mail_5',
    });
    expect(mailspace.section.expand({})[0]?.spec).toEqual({ domain: '' });
    expect([mailspace.identity({ domain: 'a.nl' }), mailspace.identity({})]).toEqual(['a.nl', '']);
    const [decoded] = mailspace.decode({ list: [space({ package: null })] }, context(wantRoots(mailspace, [])));
    expect(decoded).toMatchObject({ id: 's1', spec: { domain: 'a.nl' }, keys: [['a.nl']] });
  });

  it('MSP-04: asks for a view only of a declared one that waits for its record', () => {
    const list = [
      space({ needs_domain_verification: true }),
      space({ id: 's2', domain: 'b.nl', needs_domain_verification: true }),
      space({ id: 's3', domain: 'c.nl', needs_domain_verification: true }),
      space({ id: 's4', domain: 'd.nl' }),
    ];
    const declared = wantRoots(mailspace, [
      wantRoot(mailspace, 'a.nl', {}, { keys: [['a.nl']] }),
      wantRoot(mailspace, 'd.nl', {}, { keys: [['d.nl']] }),
      wantRoot(mailspace, 'x', {}, { boundId: 's3' }),
    ]);
    expect(paths(mailspace, context(declared, { answers: { list } }))).toEqual({
      list: '/api/mailspace',
      views: ['/api/mailspace/s1', '/api/mailspace/s3'],
    });
    expect(paths(mailspace, context(declared, { answers: { list: [] } })).views).toBeNull();
    expect(mailspace.reads.list?.where?.equals(context(declared))).toBe('acc-1');
  });

  it('GAP-35: goes by the flags', () => {
    expect(holdOf({ status: 'pending' })).toBeNull();
    expect(holdOf({ pending_deletion: true, delete_scheduled_at: '2030-01-01' })).toMatchObject({
      rule: 'MSP-15',
      reason: containing('2030-01-01'),
    });
    expect(holdOf({ pending_deletion: true })).toMatchObject({ rule: 'MSP-15' });
    expect(holdOf({ provisioned: false })).toMatchObject({ rule: 'O-34', as: 'waiting' });
    expect(holdOf({ provisioned: false, needs_domain_verification: true })).toMatchObject({
      rule: 'O-33',
      remedy: containing('the dashboard shows'),
    });
    expect(
      holdOf(
        { provisioned: false, needs_domain_verification: true },
        { s1: { mailspace: { verification: { txt_host: '_v.a.nl', txt_value: 'abc' } } } },
      ),
    ).toMatchObject({ remedy: containing('_v.a.nl with the value abc') });
    expect([mailspace.status?.(on({}, { leaving: true }))?.is, mailspace.status?.(on({}, {}))?.is]).toEqual([
      'deleting',
      'frozen',
    ]);
    expect(mailspace.status?.(on({}, { ready: true }))).toBeUndefined();
  });

  it('MSP-06: is bought only with an order, with or without a package', () => {
    expect(mailspace.create?.refuse?.({}, null, NOTHING_WANTED)).toMatchObject({ rule: 'MSP-06' });
    expect(mailspace.create?.refuse?.({ order: {} }, null, NOTHING_WANTED)).toBeNull();
    const buy = (spec: JsonObject) =>
      request(createAction(mailspace, spec, { ...objectContext('x', 'x'), address: ROOT }).steps);
    expect(buy({ domain: 'a.nl', package: 'mail_20', order: {} })).toMatchObject({
      body: { domain: 'a.nl', package: 'mail_20' },
      recovery: { ifNotFound: 'unknown', guarded: 'ORD-43' },
      unlocks: ['billing'],
    });
    expect(buy({ domain: 'a.nl', order: {} }).body).toEqual({ domain: 'a.nl' });
    const { manual } = mailspace.fields.package as Extract<FieldRule, { manual: unknown }>;
    expect(manual.remedy('mail_5', 'mail_20')).toContain('from mail_5 to mail_20');
    expect(normaliseSpec(mailspace, { package: 'mail_5' })).toEqual({ package: 'mail_5' });
  });
});

describe('MailDomain', () => {
  const answer = {
    domains: [
      { name: 'A.nl', description: null, state: 'primary', verified: true },
      { name: 'b.nl', description: 'B', state: 'served', verified: true },
    ],
    pending_domains: [
      {
        name: 'c.nl',
        state: 'pending_verification',
        verified: false,
        verification: { txt_host: '_v.c.nl', txt_value: 'abc' },
      },
    ],
  };
  const decoded = mailDomain.decode({ domains: answer }, context(want(mailDomain)));

  it('MDM-03: reads served and pending ones', () => {
    expect(paths(mailDomain, context(want(mailDomain)))).toEqual({ domains: '/api/mailspace/m%2F1/domains' });
    expect(decoded.map(({ id, spec }) => [id, spec.description])).toEqual([
      ['a.nl', ''],
      ['b.nl', 'B'],
      ['c.nl', ''],
    ]);
    expect(decoded.map(({ computed = {} }) => statusBlocker(mailDomain, on({}, computed))?.rule)).toEqual([
      undefined,
      undefined,
      'MDM-07',
    ]);
    expect(statusBlocker(mailDomain, on({}, { state: 'pending_verification', proven: true }))).toMatchObject({
      rule: 'O-37',
      as: 'waiting',
    });
    expect(decoded.map(({ computed = {} }) => mailDomain.status?.(on({}, computed))?.is)).toEqual([
      'implicit',
      undefined,
      'frozen',
    ]);
    expect(decoded.map(({ computed = {} }) => mailDomain.remove?.refuse?.(on({}, computed), [])?.as)).toEqual([
      undefined,
      undefined,
      'manual',
    ]);
    expect(() => mailDomain.decode({ domains: { domains: [] } }, context(want(mailDomain)))).toThrow(ShapeError);
  });

  it('MDM-11: a blank description is none', () => {
    expect(normaliseSpec(mailDomain, { name: 'WWW.b.nl', description: ' ' })).toEqual({
      name: 'b.nl',
      description: '',
    });
    expect(normaliseSpec(mailDomain, { description: 'B' })).toEqual({ description: 'B' });
    expect([mailDomain.identity({ name: 'b.nl' }), mailDomain.identity({})]).toEqual(['b.nl', '']);
    expect(mailDomain.section.expand({ domains: [{ name: 'https://b.nl/' }] })).toMatchObject([
      { name: 'b.nl', pointer: '/domains/0' },
    ]);
    expect([
      mailDomain.manifest?.item?.(on({ name: 'b.nl', description: 'B' })),
      mailDomain.manifest?.item?.(on({ name: 'b.nl', description: '' })),
    ]).toEqual([{ name: 'b.nl', description: 'B' }, { name: 'b.nl' }]);
  });
});

describe('Mailbox', () => {
  const list = (mailboxes: readonly JsonObject[], pending: readonly JsonObject[] = []): Json => ({
    mailboxes,
    pending,
  });

  it('asks for a view only where a field is nowhere else', () => {
    const declared = want(
      mailbox,
      { address: 'm0@a.nl', allowedIps: [] },
      { address: 'm1@a.nl', lists: [] },
      { address: 'm2@a.nl', quotaMb: 1 },
    );
    expect(paths(mailbox, context(declared, { answers: { list: list(many(4)) } }))).toEqual({
      list: '/api/mailspace/m%2F1/mailboxes',
      views: ['/api/mailspace/m%2F1/mailboxes/id%20m0%40a.nl', '/api/mailspace/m%2F1/mailboxes/id%20m1%40a.nl'],
      checks: null,
      domains: null,
      groups: null,
      found: null,
    });
    const observedFields = new Map([
      ['m3@a.nl', ['allowedIps']],
      ['m2@a.nl', ['quotaMb']],
    ]);
    expect(paths(mailbox, context(want(mailbox), { observedFields, answers: { list: list(many(4)) } })).views).toEqual([
      '/api/mailspace/m%2F1/mailboxes/id%20m3%40a.nl',
    ]);
    expect(paths(mailbox, context(want(mailbox, { address: 'x@b.nl' }), { answers: { list: list([]) } })).domains).toBe(
      '/api/mailspace/m%2F1/domains',
    );
  });

  it('case 71, MBX-08: at the cap asks for each that is missing, and only a clear yes counts', () => {
    const answers = { list: list(many(499), [{ id: 'p', email: 'p@a.nl' }]) };
    const declared = want(mailbox, { address: 'm1@a.nl' }, { address: 'x@b.nl', quotaMb: 1 }, { address: 'y@a.nl' });
    expect(paths(mailbox, context(declared, { answers })).checks).toEqual([
      '/api/mailspace/m%2F1/mailboxes/check?username=x&domain=b.nl',
      '/api/mailspace/m%2F1/mailboxes/check?username=y&domain=a.nl',
    ]);
    const checks = { 'x@b.nl': { available: true, used_by: null }, 'y@a.nl': { available: null, used_by: null } };
    expect(mailbox.incomplete?.({ ...answers, checks }, context(declared))?.absent).toEqual(['x@b.nl']);
    expect(mailbox.incomplete?.({ list: list(many(9)) }, context(declared))).toBeNull();
    expect(mailbox.blockers?.({ ...answers, checks }, context(declared))).toMatchObject({ 'x@b.nl': { rule: 'O-39' } });
  });

  it('GRP-02: counts the groups with the mailboxes, where it matters what is not there', () => {
    const groupsFor = (
      count: number,
      extra: Partial<ReadContext> = {},
      declared = want(mailbox, { address: 'm1@a.nl' }),
    ) => paths(mailbox, context(declared, { answers: { list: list(many(count)) }, ...extra })).groups;
    const gone = { owned: new Set(['gone@a.nl']) };
    const removing = { ...want(mailbox, { address: 'm1@a.nl' }), unlisted: 'remove' as const };
    expect(
      [
        groupsFor(4),
        groupsFor(4, gone),
        groupsFor(4, {}, removing),
        groupsFor(4, { whole: true }),
        groupsFor(4, { ...gone, observedFields: new Map() }),
        groupsFor(500, gone),
        groupsFor(0),
      ].map((path) => path !== null),
    ).toEqual([false, true, true, true, false, false, true]);
    const incomplete = (groups: Json | undefined) =>
      mailbox.incomplete?.({ list: list(many(490)), groups }, context(want(mailbox)))?.reason;
    expect([incomplete(undefined), incomplete({ groups: many(9) })]).toEqual([undefined, undefined]);
    expect(incomplete({ groups: many(10) })).toContain('500 are known of');
    expect(incomplete(null)).toContain('could not all be counted');
  });

  it('MBX-02, MBX-03: what a full list does not show is read by its id, what is looked at always is', () => {
    const idOf = (address: string) => ({ 'x@a.nl': 'id/x', 'gone@a.nl': 'g', 'm1@a.nl': 'm' })[address];
    const declared = want(mailbox, { address: 'm1@a.nl' }, { address: 'x@a.nl' }, { address: 'new@a.nl' });
    const full = { list: list(many(500)) };
    const owned = new Set(['gone@a.nl']);
    expect(paths(mailbox, context(declared, { owned, idOf, answers: full })).found).toEqual([
      '/api/mailspace/m%2F1/mailboxes/id%2Fx',
      '/api/mailspace/m%2F1/mailboxes/g',
    ]);
    expect(paths(mailbox, context(declared, { owned, answers: full })).found).toBeNull();
    expect(paths(mailbox, context(declared, { owned, idOf, answers: { list: list(many(5)) } })).found).toBeNull();
    expect(
      paths(
        mailbox,
        context(want(mailbox), { observedFields: new Map([['x@a.nl', []]]), idOf, answers: { list: list([]) } }),
      ).found,
    ).toEqual(['/api/mailspace/m%2F1/mailboxes/id%2Fx']);
    const view = (more: JsonObject) => ({ mailbox: { ...row('x@a.nl'), allowed_ips: [], lists: [], ...more } });
    const found = (more: JsonObject) =>
      mailbox.decode(
        { list: list([]), found: { 'x@a.nl': view(more), 'gone@a.nl': null } },
        context(declared, { parent: unsized }),
      );
    expect(found({ display_name: 'X', quota_mb: null })).toMatchObject([
      {
        spec: {
          address: 'x@a.nl',
          displayName: 'X',
          quotaMb: 0,
          status: 'active',
          allowedIps: [],
          lists: [],
          deletion: 'none',
        },
        computed: { unlisted: true },
      },
    ]);
    // All of it empty: as the view of a mail server that cannot be read.
    expect(found({})).toEqual([
      {
        id: 'id x@a.nl',
        spec: { address: 'x@a.nl', deletion: 'none', status: 'active' },
        computed: { doubtful: true, unlisted: true, storageMb: null },
      },
    ]);
    expect(found({ status: '' })[0]?.doubt).toContain('MBX-07');
    expect(found({ display_name: 1, quota_mb: null })[0]?.computed?.doubtful).toBe(true);
    expect(found({ display_name: null, quota_mb: 'x' })[0]?.computed?.doubtful).toBe(true);
    expect(found({ status: 'pending_deletion' })).toMatchObject([
      { spec: { address: 'x@a.nl', deletion: 'scheduled' } },
    ]);
    const refuse = (update: string, computed: JsonObject) =>
      mailbox.update[update]?.refuse?.({}, on({}, computed), NOTHING_WANTED)?.rule;
    expect([
      refuse('settings', { doubtful: true, unlisted: true }),
      refuse('access', { doubtful: true, unlisted: true }),
      refuse('settings', { doubtful: true }),
    ]).toEqual(['MBX-07', 'MBX-07', undefined]);
    expect(['restore', 'settings', 'access', 'password'].map((update) => refuse(update, { fits: false }))).toEqual([
      'MBX-26',
      'MBX-26',
      'MBX-26',
      'MBX-26',
    ]);
    expect(['restore', 'password'].map((update) => refuse(update, { fits: true }))).toEqual([undefined, undefined]);
    const answers = {
      ...full,
      found: { 'x@a.nl': view({}), 'gone@a.nl': null, 'new@a.nl': null },
      checks: { 'new@a.nl': { available: true } },
    };
    expect(mailbox.incomplete?.(answers, context(declared, { owned }))?.absent).toEqual(['new@a.nl', 'gone@a.nl']);
  });

  it('decodes rows and views; MBX-07: where they disagree the view is in doubt', () => {
    const rows = [
      row('A@a.nl', { display_name: 'A', aliases: ['b@a.nl'] }),
      row('c@a.nl', { quota_mb: null }),
      row('d@a.nl'),
    ];
    const views = {
      'a@a.nl': { mailbox: { ...row('a@a.nl', { display_name: '', aliases: [] }), allowed_ips: [] } },
      'd@a.nl': { mailbox: { display_name: '', status: 'active', allowed_ips: ['10.0.0.1'], lists: null } },
    };
    const decoded = mailbox.decode({ list: list(rows, [{ id: 'p', email: 'P@a.nl' }]), views }, context(want(mailbox)));
    expect(
      decoded.map(({ spec, computed, doubt }) => [
        spec.address,
        spec.quotaMb,
        spec.deletion,
        spec.allowedIps,
        computed?.doubtful,
        doubt === undefined,
      ]),
    ).toEqual([
      ['a@a.nl', 0, 'none', undefined, true, false],
      ['c@a.nl', undefined, 'none', undefined, false, true],
      ['d@a.nl', 0, 'none', ['10.0.0.1'], false, true],
      ['p@a.nl', undefined, 'scheduled', undefined, undefined, true],
    ]);
    expect(
      mailbox.decode({ list: list(rows) }, context(want(mailbox), { parent: unsized }))[0]?.computed?.storageMb,
    ).toBeNull();
    const bare = mailbox.decode(
      { list: list([row('e@a.nl')]), views: { 'e@a.nl': { mailbox: {} } } },
      context(want(mailbox)),
    );
    expect(bare[0]?.computed?.doubtful).toBe(true);
    expect(
      mailbox.decode(
        { list: list([row('e@a.nl', { status: '', quota_mb: null })]), views: { 'e@a.nl': { mailbox: {} } } },
        context(want(mailbox)),
      )[0]?.computed?.doubtful,
    ).toBe(false);
    const refused = (computed: JsonObject) =>
      mailbox.update.access?.refuse?.({}, on({}, computed), NOTHING_WANTED)?.rule;
    expect([refused({ doubtful: true }), refused({})]).toEqual(['MBX-07', undefined]);
  });

  it('O-35, O-37, O-39: says what stands in the way of new ones', () => {
    const declared = want(
      mailbox,
      { address: 'x@a.nl', quotaMb: 2000 },
      { address: 'y@b.nl' },
      { address: 'z@a.nl' },
      { address: 'zz@a.nl' },
    );
    const blockers = mailbox.blockers?.(
      { list: list(many(4)), domains: { domains: [], pending_domains: [{ name: 'b.nl' }] } },
      context(declared),
    );
    expect(Object.entries(blockers ?? {}).map(([address, { rule }]) => [address, rule])).toEqual([
      ['x@a.nl', 'O-35'],
      ['y@b.nl', 'O-37'],
      ['zz@a.nl', 'O-39'],
    ]);
    expect(mailbox.blockers?.({ list: list([]) }, context(declared, { parent: unsized }))).toEqual({});
    const refuse = (quotaMb: Json | undefined, storageMb: Json) =>
      mailbox.update.settings?.refuse?.(quotaMb === undefined ? {} : { quotaMb }, on({}, { storageMb }), NOTHING_WANTED)
        ?.rule;
    expect([refuse(5, 4), refuse(4, 4), refuse(undefined, 4), refuse(5, null)]).toEqual([
      'O-35',
      undefined,
      undefined,
      undefined,
    ]);
    const noPassword = mailbox.create?.refuse?.({}, null, NOTHING_WANTED);
    expect([noPassword?.rule, mailbox.create?.refuse?.({ password: { env: 'A' } }, null, NOTHING_WANTED)]).toEqual([
      'MBX-10',
      null,
    ]);
  });

  it('MBX-22: writes a password anew when its mark changed, and never because of what is live', () => {
    const update = (password: JsonObject, rotated?: Record<string, string | null>) =>
      updateAction(mailbox, { password }, on({ address: 'x@a.nl' }), {
        ...objectContext('Mailbox', 'x@a.nl'),
        ...(rotated !== undefined && { rotated }),
      });
    const action = update({ env: 'P', rotate: '2' }, { password: '1' });
    expect(action?.steps.map(({ name }) => name)).toEqual(['password']);
    expect(request(action?.steps ?? []).body).toEqual({ password: { $secret: { env: 'P' } } });
    expect(update({ env: 'P', rotate: '2' }, { password: '2' })).toBeUndefined();
    expect(update({ env: 'P', rotate: '2' })).toBeUndefined();
  });

  it('normalises and is adopted', () => {
    expect(
      normaliseSpec(mailbox, { address: 'X@A.nl', allowedIps: ['10.1.2.3/8', '10.0.0.0/8'], lists: ['B@a.nl'] }),
    ).toEqual({ address: 'x@a.nl', allowedIps: ['10.0.0.0/8'], lists: ['b@a.nl'] });
    expect(normaliseSpec(mailbox, { status: 'active' })).toEqual({ status: 'active' });
    expect([mailbox.identity({ address: 'x' }), mailbox.identity({})]).toEqual(['x', '']);
    expect(mailbox.manifest?.item?.(on({ address: 'x@a.nl', displayName: '', quotaMb: 0, status: 'active' }))).toEqual({
      address: 'x@a.nl',
      quotaMb: 0,
      status: 'active',
    });
    expect(
      mailbox.manifest?.item?.(on({ address: 'x@a.nl', displayName: 'X', quotaMb: 0, status: 'active' })),
    ).toMatchObject({ displayName: 'X' });
    expect(mailbox.section.expand({ mailboxes: [{ address: 'X@a.nl' }] })).toMatchObject([
      { name: 'x@a.nl', claims: [{ name: 'x@a.nl' }] },
    ]);
  });
});

describe('MailGroup', () => {
  const group = (email: string, count: Json = 1): JsonObject => ({
    id: `p ${email}`,
    email,
    name: 'local',
    description: null,
    aliases: [],
    member_count: count,
  });
  const view = (...members: readonly string[]): Json => ({ group: { members } });
  const list = { groups: [group('A@a.nl'), group('b@a.nl'), group('c@a.nl', 0), group('d@a.nl', null)] };
  const declared = want(
    mailGroup,
    { email: 'a@a.nl', name: 'A', members: ['x@a.nl'] },
    { email: 'new@b.nl', name: 'N', members: ['x@a.nl'] },
  );

  it('GRP-04, GRP-10: views of what is declared, of the others only where members differ', () => {
    expect(paths(mailGroup, context(declared, { answers: { list, views: { 'a@a.nl': view('x@a.nl') } } }))).toEqual({
      list: '/api/mailspace/m%2F1/groups',
      views: ['/api/mailspace/m%2F1/groups/p%20A%40a.nl'],
      others: null,
      found: null,
      mailboxes: '/api/mailspace/m%2F1/mailboxes',
      domains: '/api/mailspace/m%2F1/domains',
    });
    const differs = paths(mailGroup, context(declared, { answers: { list, views: { 'a@a.nl': view() } } }));
    expect(differs).toMatchObject({
      others: ['/api/mailspace/m%2F1/groups/p%20b%40a.nl', '/api/mailspace/m%2F1/groups/p%20d%40a.nl'],
      mailboxes: '/api/mailspace/m%2F1/mailboxes',
    });
    const observedFields = new Map([
      ['b@a.nl', ['members']],
      ['c@a.nl', ['description']],
    ]);
    expect(
      paths(mailGroup, context(want(mailGroup), { observedFields, answers: { list, views: { 'b@a.nl': view() } } })),
    ).toMatchObject({
      views: ['/api/mailspace/m%2F1/groups/p%20b%40a.nl'],
      others: null,
      mailboxes: '/api/mailspace/m%2F1/mailboxes',
      domains: null,
    });
    expect(
      paths(mailGroup, context(want(mailGroup, { email: 'a@a.nl', name: 'A' }), { parent: unsized, answers: { list } }))
        .mailboxes,
    ).toBeNull();
    const large = { ...parent, computed: { maxMailboxes: 500 } };
    expect(paths(mailGroup, context(want(mailGroup), { parent: large, answers: { list } })).mailboxes).toBe(
      '/api/mailspace/m%2F1/mailboxes',
    );
  });

  it('works out every group that a mailbox is to be in, without those about to be deleted', () => {
    const answers = {
      list,
      views: { 'a@a.nl': view('y@a.nl', 'gone@a.nl') },
      others: { 'b@a.nl': view('x@a.nl', 'y@a.nl'), 'd@a.nl': view() },
      mailboxes: { mailboxes: [], pending: [{ id: 'g', email: 'gone@a.nl' }] },
    };
    const decoded = mailGroup.decode(answers, context(declared));
    expect(decoded[0]).toMatchObject({
      spec: { email: 'a@a.nl', description: '', members: ['y@a.nl'] },
      computed: {
        incomplete: false,
        memberships: { 'x@a.nl': ['a@a.nl', 'b@a.nl', 'new@b.nl'], 'y@a.nl': ['b@a.nl'] },
      },
    });
    expect(decoded[1]).toMatchObject({ computed: { memberships: {} } });
    expect(
      mailGroup.decode({ list, views: {} }, context(want(mailGroup, { email: 'a@a.nl', name: 'A' })))[0],
    ).toMatchObject({ computed: { memberships: {} } });
    const undeclared = mailGroup.decode({ list, views: { 'a@a.nl': view() } }, context(want(mailGroup)));
    expect(undeclared[0]).toMatchObject({ spec: { members: [] }, computed: { memberships: {} } });
    expect(() => mailGroup.decode({ list, views: { 'a@a.nl': {} } }, context(declared))).toThrow(ShapeError);
  });

  it('GRP-08: one that the list does not show is read by its id; only a clear answer says that it is there', () => {
    const idOf = (address: string) => ({ 'new@b.nl': 'p/new', 'a@a.nl': 'p' })[address];
    const at = context(declared, { idOf, answers: { list } });
    expect(paths(mailGroup, at).found).toEqual(['/api/mailspace/m%2F1/groups/p%2Fnew']);
    expect(
      paths(
        mailGroup,
        context(want(mailGroup), { observedFields: new Map([['new@b.nl', []]]), idOf, answers: { list } }),
      ).found,
    ).toEqual(['/api/mailspace/m%2F1/groups/p%2Fnew']);
    const found = (answer: Json) =>
      mailGroup
        .decode({ list: { groups: [] }, found: { 'new@b.nl': answer } }, context(declared))
        .map(({ id, spec }) => [id, spec.email, spec.members]);
    expect([found({ group: { ...group('new@b.nl'), members: ['x@a.nl'] } }), found(null)]).toEqual([
      [['p new@b.nl', 'new@b.nl', ['x@a.nl']]],
      [],
    ]);
    expect(
      paths(mailGroup, context(declared, { answers: { list, found: { 'new@b.nl': { group: group('new@b.nl') } } } }))
        .domains,
    ).toBeNull();
  });

  it('O-38, ALS-11: a new one takes no address that is in use; an alias counts where this manifest does not manage them', () => {
    const taken = (rootSpec?: JsonObject) => {
      const wanted = {
        ...want(mailGroup, ...['m0@a.nl', 'p@a.nl', 'i@a.nl', 'free@a.nl'].map((email) => ({ email, name: 'N' }))),
        ...(rootSpec !== undefined && { rootSpec }),
      };
      const mailboxes = {
        mailboxes: [row('M0@a.nl', { aliases: ['I@a.nl'] })],
        pending: [{ id: 'p', email: 'p@a.nl' }],
      };
      return Object.keys(mailGroup.blockers?.({ list: { groups: [] }, mailboxes }, context(wanted)) ?? {});
    };
    expect([taken({}), taken({ aliases: [] }), taken()]).toEqual([
      ['m0@a.nl', 'p@a.nl', 'i@a.nl'],
      ['m0@a.nl', 'p@a.nl'],
      ['m0@a.nl', 'p@a.nl'],
    ]);
  });

  it('GRP-02: at the cap nothing is known to be missing', () => {
    expect(
      mailGroup.incomplete?.({ list, mailboxes: { mailboxes: many(496), pending: [] } }, context(declared)),
    ).toMatchObject({ as: 'unknown' });
    expect(mailGroup.incomplete?.({ list }, context(declared))).toBeNull();
    const refused = (incomplete: boolean) =>
      mailGroup.update.members?.refuse?.({}, on({}, { incomplete }), NOTHING_WANTED)?.rule;
    expect([refused(true), refused(false)]).toEqual(['GRP-10', undefined]);
  });

  it('O-37: a new one on a pending domain waits', () => {
    expect(
      mailGroup.blockers?.({ list, domains: { pending_domains: [{ name: 'b.nl' }] } }, context(declared)),
    ).toMatchObject({ 'new@b.nl': { rule: 'O-37' } });
    expect(mailGroup.blockers?.({ list, domains: { pending_domains: [] } }, context(declared))).toEqual({});
  });

  it('normalises and is adopted', () => {
    expect(normaliseSpec(mailGroup, { email: 'A@a.nl', members: ['Y@a.nl', 'x@a.nl'] })).toEqual({
      email: 'a@a.nl',
      members: ['x@a.nl', 'y@a.nl'],
    });
    expect(normaliseSpec(mailGroup, { name: 'A' })).toEqual({ name: 'A' });
    expect([mailGroup.identity({ email: 'x' }), mailGroup.identity({})]).toEqual(['x', '']);
    expect([
      mailGroup.manifest?.item?.(on({ email: 'a@a.nl', description: '' })),
      mailGroup.manifest?.item?.(on({ email: 'a@a.nl', description: 'D' })),
    ]).toEqual([
      { email: 'a@a.nl', name: 'a@a.nl' },
      { email: 'a@a.nl', name: 'D', description: 'D' },
    ]);
    expect(mailGroup.section.expand({ groups: [{ email: 'X@a.nl', name: 'X' }] })).toMatchObject([
      { name: 'x@a.nl', claims: [{ namespace: 'mail address' }] },
    ]);
  });
});

describe('MailAlias', () => {
  const list = { aliases: [{ address: 'I@a.nl', target_email: 'x@a.nl' }] };

  it('reads one list, and who has the address only before one is made', () => {
    expect(
      paths(mailAlias, context(want(mailAlias, { address: 'i@a.nl', target: 'x@a.nl' }), { answers: { list } })),
    ).toEqual({ list: '/api/mailspace/m%2F1/aliases', mailboxes: null, groups: null, checks: null, domains: null });
    const declared = want(
      mailAlias,
      { address: 'x@a.nl', target: 'y@a.nl' },
      { address: 'new@b.nl', target: 'y@a.nl' },
      { address: 'p@a.nl', target: 'y@a.nl' },
      { address: 'free@a.nl', target: 'y@a.nl' },
    );
    expect(paths(mailAlias, context(declared, { answers: { list } }))).toMatchObject({
      mailboxes: '/api/mailspace/m%2F1/mailboxes',
      groups: '/api/mailspace/m%2F1/groups',
      domains: '/api/mailspace/m%2F1/domains',
    });
    const answers = {
      list,
      mailboxes: { mailboxes: [row('x@a.nl')], pending: [{ id: 'p', email: 'p@a.nl' }] },
      groups: { groups: [] },
      domains: { pending_domains: [{ name: 'b.nl' }] },
    };
    expect(
      Object.entries(mailAlias.blockers?.(answers, context(declared)) ?? {}).map(([address, { rule }]) => [
        address,
        rule,
      ]),
    ).toEqual([
      ['x@a.nl', 'O-38'],
      ['new@b.nl', 'O-37'],
      ['p@a.nl', 'O-38'],
    ]);
    expect(mailAlias.incomplete?.(answers, context(declared))).toBeNull();
    expect(mailAlias.incomplete?.({ list }, context(declared))).toBeNull();
    expect(
      mailAlias.incomplete?.({ ...answers, mailboxes: { mailboxes: many(500), pending: [] } }, context(declared)),
    ).toMatchObject({ as: 'unknown' });
    expect(mailAlias.decode({ list }, context(declared))).toEqual([
      { id: 'i@a.nl', spec: { address: 'i@a.nl', target: 'x@a.nl' }, computed: {} },
    ]);
  });
});

describe('the order of mail', () => {
  const make = (kind: Kind, name: string, spec: JsonObject) => createAction(kind, spec, objectContext(kind.kind, name));
  const drop = (kind: Kind, name: string, spec: JsonObject) =>
    deleteAction(kind, on(spec), 'why', objectContext(kind.kind, name));
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

  it('O-40: a mailbox that is restored comes before its group, one that only changes does not', () => {
    const group = make(mailGroup, 'g@a.nl', { email: 'g@a.nl', name: 'G', members: ['x@a.nl'] });
    const change = (desired: JsonObject, live: JsonObject) =>
      updateAction(
        mailbox,
        desired,
        on({ address: 'x@a.nl', ...live }),
        objectContext('Mailbox', 'x@a.nl'),
      ) as ReturnType<typeof make>;
    expect(order(group, change({ deletion: 'none' }, { deletion: 'scheduled' }))).toEqual([
      ['Mailbox x@a.nl', 'change', []],
      ['MailGroup g@a.nl', 'change', ['O-40']],
    ]);
    expect(order(group, change({ displayName: 'Y' }, { displayName: 'X' })).flatMap(([, , needs]) => needs)).toEqual(
      [],
    );
  });

  it('O-43: a mailbox that is restored comes before an alias that points at it', () => {
    const restored = updateAction(
      mailbox,
      { deletion: 'none' },
      on({ address: 'x@a.nl', deletion: 'scheduled' }),
      objectContext('Mailbox', 'x@a.nl'),
    ) as ReturnType<typeof make>;
    expect(order(make(mailAlias, 'i@a.nl', { address: 'i@a.nl', target: 'x@a.nl' }), restored)).toEqual([
      ['Mailbox x@a.nl', 'change', []],
      ['MailAlias i@a.nl', 'change', ['O-43']],
    ]);
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

  it('what has no name of its own has nothing to do with any of it', () => {
    const bare = (address: string) => ({
      address,
      kind: 'X',
      verb: 'create' as const,
      changes: [],
      stage: 'change' as const,
      liveMembers: 0,
    });
    expect(mailAliasOrder.map(({ between }) => between?.(bare('Mailspace/a.nl/X'), bare('x')) ?? null)).toEqual([
      true,
      true,
      false,
      true,
      null,
    ]);
    const buy = {
      ...createAction(mailspace, { domain: 'a.nl', order: {} }, { ...objectContext('x', 'x'), address: ROOT }),
    };
    expect(order(buy, make(mailDomain, 'b.nl', { name: 'b.nl' }))).toEqual([
      ['', 'change', []],
      ['MailDomain b.nl', 'change', ['O-32']],
    ]);
  });
});
