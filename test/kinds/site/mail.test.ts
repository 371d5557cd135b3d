import { describe, expect, it } from 'vitest';
import { planCollection, planKind, readKind } from '../../support/planned.ts';
import { orderActions } from '../../../src/planner/order.ts';
import { registry } from '../../../src/areas/index.ts';
import { siteMail } from '../../../src/areas/site/kinds/mail/index.ts';
import type { Kind, Member } from '../../../src/model/kind/kind.ts';
import type { Json, JsonObject } from '../../../src/model/json.ts';
import { ShapeError } from '../../../src/model/kind/rows.ts';
import type { RequestStep } from '../../../src/model/plan/step.ts';
import { member, wantMembers } from '../../support/desired.ts';
import { containing } from '../../support/matchers.ts';

const parent: Member = {
  identity: 'Shop',
  id: 'site/1',
  spec: {},
  computed: { primaryDomain: 'shop.example.com' },
  keys: [],
};

function account(
  parts: {
    readonly top?: JsonObject;
    readonly dns?: JsonObject;
    readonly sender?: JsonObject;
    readonly suspension?: JsonObject;
  } = {},
): JsonObject {
  return {
    status: 'active',
    configured: true,
    dns: { verdict: 'verified', spf_verified: true, dkim_verified: true, lockdown_verified: true, ...parts.dns },
    sender_identity: {
      from_email: 'noreply@shop.example.com',
      from_local_part: 'noreply',
      from_name: 'Shop',
      mail_from_local_part: null,
      mail_from_name: 'The Shop',
      dkim_domain: 'shop.example.com',
      ...parts.sender,
    },
    suspension: { suspended: false, reason: null, can_self_unsuspend: false, ...parts.suspension },
    ...parts.top,
  };
}

const read = (mail: Json, under = parent) => readKind(siteMail, { mail: { mail } }, [], { parent: under });
const plan = (spec: JsonObject, mail: Json, under = parent) =>
  planKind(siteMail, [spec], { mail: { mail } }, { parent: under });
const noticeOf = (parts: Parameters<typeof account>[0], under?: Member) =>
  plan({}, account(parts), under).diagnostics.map(({ detail }) => detail);

describe('SiteMail', () => {
  it('TML-10: the stored overrides are compared, never the effective values', () => {
    expect(plan({ fromLocalPart: '', fromName: 'The Shop' }, account())).toMatchObject({
      actions: [],
      unchanged: 1,
      diagnostics: [],
    });
    expect(plan({ fromLocalPart: 'noreply' }, account()).actions[0]?.changes).toEqual([
      { op: 'replace', path: '/fromLocalPart', was: '', value: 'noreply' },
    ]);
    expect(plan({ fromName: 'Shop' }, account()).actions).toHaveLength(1);
  });

  it('GAP-34: both settings are sent, the one that is not declared as it is live; an empty text clears', () => {
    const bodyOf = (spec: JsonObject, mail = account()) => (plan(spec, mail).actions[0]?.steps[0] as RequestStep).body;
    expect(bodyOf({ fromLocalPart: 'orders' })).toEqual({ mail_from_local_part: 'orders', mail_from_name: 'The Shop' });
    expect(bodyOf({ fromName: '' })).toEqual({ mail_from_local_part: null, mail_from_name: null });
    expect(bodyOf({ fromName: '', fromLocalPart: 'a' })).toEqual({ mail_from_local_part: 'a', mail_from_name: null });
    expect(plan({ fromName: '' }, account()).actions[0]).toMatchObject({
      verb: 'update',
      requires: { scopes: ['sites:write'], roles: ['can_modify'] },
      steps: [
        { method: 'PATCH', idempotent: true, path: ['/api/sites/', { $ref: 'Site/shop' }, '/mail/settings'] },
        { do: 'verify' },
      ],
    });
  });

  it('TML-01, TML-07: a site without an account is a blocker, not a creation', () => {
    expect(plan({ fromName: 'x' }, null)).toMatchObject({
      actions: [],
      blocked: [{ address: 'Site/shop/SiteMail', rule: 'TML-07' }],
    });
  });

  it('takes no answer of another shape', () => {
    for (const mail of [
      undefined,
      'text',
      [],
      {},
      account({ sender: { mail_from_name: 5 } }),
      { sender_identity: { mail_from_local_part: null } },
    ])
      expect(() => read(mail as Json)).toThrow(ShapeError);
    expect(() => readKind(siteMail, { mail: null })).toThrow(ShapeError);
  });

  it('O-29, O-70: the primary domain is promoted first, and the old one removed last, though its removal tells of the primary too', () => {
    const domain = registry.get('SiteDomain') as Kind;
    const members = ['a.example.com', 'b.example.com'].map((hostname, index) =>
      member(domain, `d-${index}`, { hostname, primary: index === 0 }, { computed: { system: false } }),
    );
    const declared = wantMembers(domain, 'Site/shop', [{ hostname: 'b.example.com', primary: true }], {
      unlisted: 'remove',
    });
    const observed = { state: 'read', members, blockers: {} } as const;
    const domains = planCollection({ kind: domain, declared, observed, owned: new Set() }).actions;
    const ordered = orderActions([...plan({ fromName: 'x' }, account()).actions, ...domains], registry, new Map());
    expect(ordered.map(({ address, verb, needs }) => [`${verb} ${address}`, needs.map(({ rule }) => rule)])).toEqual([
      ['update Site/shop/SiteDomain/b.example.com', []],
      ['update Site/shop/SiteMail', ['O-29']],
      ['delete Site/shop/SiteDomain/a.example.com', expect.any(Array)],
    ]);
  });
});

describe("what is said about a site's mail", () => {
  it('is nothing while it is delivered as declared', () => {
    expect(noticeOf({})).toEqual([]);
    expect(noticeOf({ dns: { verdict: 'unknown' } })).toEqual([]);
    expect(noticeOf({ sender: { dkim_domain: 'Shop.Example.COM.' } })).toEqual([]);
  });

  it('TML-19: is a suspension first, and who can lift it', () => {
    const suspension = { suspended: true, reason: 'complaints', can_self_unsuspend: true };
    expect(noticeOf({ suspension, dns: { verdict: 'failed' } })).toEqual([
      containing('(complaints). It may be lifted'),
    ]);
    expect(noticeOf({ suspension: { suspended: true, reason: null } })).toEqual([
      'Sending is suspended. Only the platform can lift it.',
    ]);
  });

  it('is an account that is not active', () => {
    expect(noticeOf({ top: { status: 'pending' } })).toEqual([containing('is pending')]);
    expect(noticeOf({ top: { status: 5 } })).toEqual([containing('in an unknown state')]);
  });

  it('TML-15: is a failed check, with the records that it did not find', () => {
    expect(noticeOf({ dns: { verdict: 'failed', spf_verified: false, lockdown_verified: false } })).toEqual([
      containing('(SPF, domain lockdown)'),
    ]);
    expect(noticeOf({ dns: { verdict: 'failed' } })).toEqual([containing('The DNS check failed;')]);
  });

  it('TML-18: is a DKIM domain that is not the primary domain', () => {
    expect(noticeOf({ sender: { dkim_domain: 'old.example.com' } })).toEqual([
      containing('The DKIM domain is old.example.com and the primary domain shop.example.com'),
    ]);
    const bare = { ...parent, computed: {} };
    expect(noticeOf({ sender: { dkim_domain: 'old.example.com' } }, bare)).toEqual([]);
  });

  it('TML-14: is what a configuration waits for', () => {
    expect(noticeOf({ top: { configured: false } })).toEqual([containing('has not put the delivery configuration')]);
    expect(noticeOf({ top: { configured: false }, dns: { verdict: 'unknown' } })).toEqual([
      containing('has not been verified yet'),
    ]);
    expect(noticeOf({ top: { configured: false }, sender: { dkim_domain: null } })).toEqual([
      containing('no DKIM domain yet'),
    ]);
  });

  it('stands with its address and the place of the manifest, beside an action too', () => {
    const made = plan({ fromName: 'x' }, account({ suspension: { suspended: true } }));
    expect(made.actions).toHaveLength(1);
    expect(made.diagnostics).toMatchObject([
      { code: 'HW2301', severity: 'warning', address: 'Site/shop/SiteMail', source: { line: 10 } },
    ]);
  });
});
