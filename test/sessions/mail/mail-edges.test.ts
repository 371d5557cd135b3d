// Mail where something is in the way: moves that break in the midst, mailboxes that come back, packages that are full,
// what cannot be read, what only a person can do.
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../../src/model/plan/event.ts';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import type { Mailbox, TroublePart } from '../../../src/sandbox/mail/state.ts';
import { addMailbox } from '../../../src/sandbox/mail/state.ts';
import { ledgerCommand } from '../../../src/usecases/ledger.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { afterPlanning } from '../../support/harness.ts';
import { converge, openHarness } from '../../support/open-harness.ts';
import { manifest, workspaceFile } from '../../support/manifests.ts';
import { mailboxOf, spaceOf } from '../../support/live.ts';
import { containing, matching } from '../../support/matchers.ts';

const WORKSPACE = workspaceFile('manifests: [mail], secrets: { env: [MAIL_PASSWORD] }');
const password = { env: 'MAIL_PASSWORD' };
const SECRETS = { env: (name: string) => (name === 'MAIL_PASSWORD' ? 'a-very-secret-word' : undefined) };
const at = (label: string, kind: string, name: string): string => `Mailspace/${label}.example.com/${kind}/${name}`;

type Given = HarnessOptions & { readonly name?: string; readonly lifecycle?: object; readonly ledger?: boolean };

const space = (label: string, spec: object, rest: Parameters<typeof manifest>[3] = {}): string =>
  manifest('Mailspace', `${label}.example.com`, spec, rest);

async function start(spec: object, { name = 'shop', lifecycle, ...options }: Given = {}): Promise<Harness> {
  const harness = await openHarness({
    scenario: 'mail',
    workspace: WORKSPACE,
    files: { 'mail/main.json': space(name, spec, { lifecycle }) },
    ...options,
  });
  await ledgerCommand(harness.session(), { do: 'init' });
  return harness;
}

const apply = (one: Harness, options: Parameters<Harness['apply']>[0] = {}) => one.apply(options, SECRETS);
const declare = (one: Harness, spec: object, name = 'shop', lifecycle = {}) =>
  one.write('mail/main.json', space(name, spec, { lifecycle }));
const trouble = (one: Harness, part: TroublePart, times: number | null = null): void => {
  spaceOf(one.sandbox).troubles = [{ part, times }];
};
const writes = (one: Harness): readonly string[] => one.writes(/^\/api\/mailspace\/[^/]+/);

const done = (one: Harness, options: Parameters<Harness['apply']>[0] = {}) => converge(one, options, SECRETS);

describe('moving an address', () => {
  const moved = { aliases: [{ address: 'sales@shop.example.com', target: 'cleo@shop.example.com' }] };

  it.each(['reset-before', 'reset-after'] as const)(
    'case 67, O-44: %s at every request of a move, and the second run ends it',
    async (kind) => {
      const probe = await start(moved);
      await done(probe, { allowDeletes: 1 });
      const total = probe.sandbox.requests.length;
      await probe.close();
      for (let step = 1; step <= total; step += 1) {
        const one = await start(moved, { faults: [{ kind, at: step }] });
        const first = await apply(one, { allowDeletes: 1 });
        one.sandbox.setFaults([]);
        if (first.outcome.exitCode !== 0) await done(one, { allowDeletes: 1 });
        expect(mailboxOf(one.sandbox, 'mbx-cleo').aliases, `${kind} at ${step}`).toEqual(['sales@shop.example.com']);
        expect(mailboxOf(one.sandbox, 'mbx-anna').aliases).toEqual(['anna@shop.example.net']);
        await one.close();
      }
    },
  );

  it('O-44: a run that is stopped between the two says that the alias may not exist, and the next one ends it', async () => {
    const one = await start(moved);
    const stop = new AbortController();
    const emit = (event: RunEvent): void => {
      if (event.type === 'step-started' && event.step === 'create') stop.abort();
    };
    const { outcome } = await one.apply({ allowDeletes: 1 }, { stop: stop.signal, emit });
    expect(outcome.actions).toMatchObject([
      { result: 'waiting', reason: containing('until then sales@shop.example.com may not exist') },
    ]);
    await done(one, { allowDeletes: 1 });
    expect(mailboxOf(one.sandbox, 'mbx-cleo').aliases).toEqual(['sales@shop.example.com']);
  });

  it('ALS-09: a write that answers 503, done or not, is repeated', async () => {
    const one = await start(moved);
    trouble(one, 'write-after', 2);
    await done(one, { allowDeletes: 1 });
    expect(mailboxOf(one.sandbox, 'mbx-cleo').aliases).toEqual(['sales@shop.example.com']);
  });

  it('O-38: an alias that is ours gives its address to a new mailbox, which waits for that', async () => {
    const one = await start({
      aliases: [{ address: 'sales@shop.example.com', target: 'anna@shop.example.com' }],
      mailboxes: [],
    });
    await done(one);
    await declare(one, { aliases: [], mailboxes: [{ address: 'sales@shop.example.com', password }] });
    const plan = await one.planned();
    expect(
      plan.actions.map(({ address, verb, stage, needs }) => [verb, address, stage, needs.map(({ rule }) => rule)]),
    ).toEqual([
      ['delete', at('shop', 'MailAlias', 'sales@shop.example.com'), 'change', []],
      ['create', at('shop', 'Mailbox', 'sales@shop.example.com'), 'change', ['O-38']],
    ]);
    expect((await apply(one)).outcome).toMatchObject({ exitCode: 5 });
    await done(one, { allowDeletes: 1 });
    expect(spaceOf(one.sandbox).mailboxes.at(-1)?.email).toBe('sales@shop.example.com');
  });

  it('ALS-11: a group or a mailbox never takes an address that something else has, and the plan says so', async () => {
    const one = await start({
      groups: [
        { email: 'anna@shop.example.com', name: 'Anna' },
        { email: 'sales@shop.example.com', name: 'Sales' },
      ],
      mailboxes: [
        { address: 'team@shop.example.com', password },
        { address: 'crew@shop.example.com', password },
      ],
    });
    const plan = await one.planned();
    expect(plan.actions).toEqual([]);
    expect(
      plan.blocked.map(({ address, reason, rule }) => [address.split('/').slice(2).join('/'), reason, rule]),
    ).toEqual([
      ['MailGroup/anna@shop.example.com', 'the address is that of a mailbox', 'O-38'],
      ['MailGroup/sales@shop.example.com', 'the address is that of an alias', 'O-38'],
      ['Mailbox/crew@shop.example.com', 'the address is that of an alias', 'O-38'],
      ['Mailbox/team@shop.example.com', 'the address is that of a group', 'O-38'],
    ]);
    expect((await apply(one)).outcome).toMatchObject({ exitCode: 3, requests: { writes: 0 } });
    await declare(one, { groups: [{ email: 'left@docs.example.com', name: 'Left' }] }, 'docs');
    expect((await one.planned()).blocked).toMatchObject([
      { reason: 'the address is that of a mailbox that is about to be deleted' },
    ]);
  });

  it('ALS-11, GAP-43: an alias never takes the address of a mailbox, of a group, or of a mailbox that is about to be deleted', async () => {
    const one = await start({
      aliases: [
        { address: 'cleo@shop.example.com', target: 'anna@shop.example.com' },
        { address: 'team@shop.example.com', target: 'anna@shop.example.com' },
        { address: 'x@shop.example.org', target: 'anna@shop.example.com' },
      ],
    });
    const plan = await one.planned();
    expect(plan.blocked.map(({ address, rule }) => [address, rule])).toEqual([
      [at('shop', 'MailAlias', 'cleo@shop.example.com'), 'O-38'],
      [at('shop', 'MailAlias', 'team@shop.example.com'), 'O-38'],
    ]);
    expect(plan.waiting).toMatchObject([{ address: at('shop', 'MailAlias', 'x@shop.example.org'), rule: 'O-37' }]);
    await declare(one, { aliases: [{ address: 'left@docs.example.com', target: 'dora@docs.example.com' }] }, 'docs');
    expect((await one.planned()).blocked).toMatchObject([{ reason: containing('about to be deleted') }]);
  });
});

describe('mailboxes that come and go', () => {
  it('case 72, O-47: one that is about to be deleted is restored, never made anew', async () => {
    const one = await start(
      {
        mailboxes: [
          { address: 'dora@docs.example.com' },
          { address: 'left@docs.example.com', displayName: 'Left', password },
        ],
      },
      { name: 'docs' },
    );
    const plan = await one.planned();
    expect(plan.actions).toMatchObject([
      {
        address: at('docs', 'Mailbox', 'left@docs.example.com'),
        verb: 'update',
        reason: 'displayName, deletion differ',
      },
    ]);
    // The other one that is about to be deleted is nobody's concern.
    expect(plan.unmanaged).toEqual([]);
    await done(one);
    expect(writes(one)).toEqual(['PATCH /mailboxes/mbx-left', 'PATCH /mailboxes/mbx-left']);
    expect(mailboxOf(one.sandbox, 'mbx-left', 'docs')).toMatchObject({
      status: 'active',
      displayName: 'Left',
      aliases: ['gone@docs.example.com'],
    });
  });

  it('MBX-18: where the package fills up after the plan it stays where it is, and the run says so', async () => {
    const one = await start({ mailboxes: [{ address: 'left@full.example.com' }] }, { name: 'full' });
    const change = (): void => {
      addMailbox(spaceOf(one.sandbox, 'full'), { id: 'mbx-more', email: 'more@full.example.com' });
      addMailbox(spaceOf(one.sandbox, 'full'), { id: 'mbx-most', email: 'most@full.example.com' });
    };
    expect((await apply(one, afterPlanning(change))).outcome).toMatchObject({
      exitCode: 3,
      actions: [{ result: 'blocked', reason: containing('room') }],
    });
    expect((await one.planned()).waiting).toEqual([]);
  });

  it('MBX-26: into a package that is known to be full nothing is restored, and the plan says so', async () => {
    const one = await start(
      { mailboxes: [{ address: 'left@full.example.com', displayName: 'Left', password, allowedIps: ['10.0.0.1'] }] },
      { name: 'full' },
    );
    for (const name of ['more', 'most'])
      addMailbox(spaceOf(one.sandbox, 'full'), { id: `mbx-${name}`, email: `${name}@full.example.com` });
    expect(await one.planned()).toMatchObject({
      actions: [],
      blocked: [
        { address: at('full', 'Mailbox', 'left@full.example.com'), rule: 'MBX-26', reason: containing('no room') },
      ],
    });
    expect((await apply(one)).outcome).toMatchObject({ exitCode: 3, requests: { writes: 0 } });
    spaceOf(one.sandbox, 'full').mailboxes.splice(0, 1);
    await done(one);
  });

  it('MBX-26: only as many are restored as fit, the same ones in every run', async () => {
    const one = await start(
      { mailboxes: ['left', 'also'].map((name) => ({ address: `${name}@full.example.com` })) },
      { name: 'full' },
    );
    addMailbox(spaceOf(one.sandbox, 'full'), {
      id: 'mbx-also',
      email: 'also@full.example.com',
      status: 'pending_deletion',
      scheduledDeletionAt: one.sandbox.clock.now() + 86_400_000,
    });
    addMailbox(spaceOf(one.sandbox, 'full'), { id: 'mbx-more', email: 'more@full.example.com' });
    expect(await one.planned()).toMatchObject({
      actions: [{ address: at('full', 'Mailbox', 'also@full.example.com') }],
      blocked: [{ address: at('full', 'Mailbox', 'left@full.example.com'), rule: 'MBX-26' }],
    });
  });

  it("MBX-23: ours and no longer named is scheduled for deletion, guarded; nobody's is reported with its YAML", async () => {
    const one = await start({
      mailboxes: [{ address: 'anna@shop.example.com' }, { address: 'cleo@shop.example.com' }],
    });
    await done(one);
    await declare(one, { mailboxes: [{ address: 'anna@shop.example.com' }] });
    const plan = await one.planned();
    expect(plan.actions).toMatchObject([
      { address: at('shop', 'Mailbox', 'cleo@shop.example.com'), verb: 'delete', risk: ['delete'] },
    ]);
    expect(plan.unmanaged).toMatchObject([
      {
        identity: 'ben@shop.example.com',
        yaml: 'mailboxes:\n  - address: ben@shop.example.com\n    quotaMb: 0\n    status: suspended\n',
      },
    ]);
    expect((await apply(one)).outcome).toMatchObject({ exitCode: 5 });
    await done(one, { allowDeletes: 1 });
    expect(mailboxOf(one.sandbox, 'mbx-cleo').status).toBe('pending_deletion');
    expect((await one.planned()).actions).toEqual([]);
  });

  it('GAP-42: where the platform does not take the DELETE, the run says so and nothing is lost', async () => {
    const one = await start(
      { mailboxes: [{ address: 'anna@shop.example.com' }], unlisted: { mailboxes: 'remove' } },
      { ambiguities: { 'GAP-42': 'not-shown' } },
    );
    const { outcome } = await apply(one, { allowDeletes: 2 });
    expect(outcome.exitCode).not.toBe(0);
    expect(outcome.actions.every(({ result }) => result === 'failed' || result === 'skipped')).toBe(true);
    expect(mailboxOf(one.sandbox, 'mbx-cleo').status).toBe('active');
  });

  it('case 73, MBX-12: what a refused create has kept is found and gone on with, and no second POST is sent', async () => {
    const one = await start({ mailboxes: [{ address: 'new@shop.example.com', password, allowedIps: ['10.1.2.3/8'] }] });
    trouble(one, 'follow-up', 1);
    await done(one);
    expect(writes(one)).toEqual(['POST /mailboxes', matching(/^PATCH/)]);
    expect(spaceOf(one.sandbox).mailboxes.at(-1)).toMatchObject({
      email: 'new@shop.example.com',
      allowedIps: ['10.0.0.0/8'],
    });
  });

  it('MBX-13: a refusal that made nothing is told as it is', async () => {
    const one = await start({ mailboxes: [{ address: 'news@shop.example.com', password }] });
    const { outcome } = await apply(one);
    expect(outcome.actions).toMatchObject([{ result: 'failed', reason: containing('create_failed') }]);
    expect((await one.planned()).waiting).toEqual([]);
  });

  it.each(['write-before', 'write-after'] as const)(
    'RTY-07: %s on a create is read before it is repeated',
    async (part) => {
      const one = await start({ mailboxes: [{ address: 'new@shop.example.com', password }] });
      trouble(one, part, 1);
      await done(one);
      expect([...one.sandbox.creations.values()]).toEqual([1]);
    },
  );

  it('MBX-10: a mailbox without a password is not made', async () => {
    const one = await start({ mailboxes: [{ address: 'new@shop.example.com' }] });
    expect(await one.planned()).toMatchObject({ actions: [], blocked: [{ rule: 'MBX-10' }] });
  });

  it('case 69: one changed field is all that is sent', async () => {
    const one = await start({ mailboxes: [{ address: 'anna@shop.example.com', displayName: 'Anna B.' }] });
    const [action] = (await one.planned()).actions;
    expect(action?.steps[0]).toMatchObject({ method: 'PATCH', body: { display_name: 'Anna B.' } });
    await done(one);
    expect(mailboxOf(one.sandbox, 'mbx-anna')).toMatchObject({
      displayName: 'Anna B.',
      aliases: ['sales@shop.example.com', 'anna@shop.example.net'],
    });
  });

  it('a suspended one is made in two steps', async () => {
    const one = await start({
      mailboxes: [
        { address: 'new@shop.example.com', password, status: 'suspended', lists: ['news@shop.example.com'] },
        { address: 'two@shop.example.com', password, status: 'active' },
      ],
    });
    await done(one);
    expect(writes(one).map((line) => line.split('/')[0])).toEqual(['POST ', 'PATCH ', 'PATCH ', 'POST ']);
  });
});

describe('the package', () => {
  it('O-39, GAP-43: only as many are made as surely fit, the others are told', async () => {
    const one = await start(
      { mailboxes: ['x', 'y', 'z'].map((name) => ({ address: `${name}@full.example.com`, password })) },
      { name: 'full' },
    );
    const plan = await one.planned();
    expect(plan.actions.map(({ address }) => address)).toEqual([at('full', 'Mailbox', 'x@full.example.com')]);
    expect(plan.blocked.map(({ rule }) => rule)).toEqual(['O-39', 'O-39']);
  });

  it('MBX-14, O-35: a quota larger than the package is told beforehand, for new ones and for old ones', async () => {
    const one = await start({
      mailboxes: [
        { address: 'anna@shop.example.com', quotaMb: 200_000 },
        { address: 'new@shop.example.com', quotaMb: 200_000, password },
      ],
    });
    expect(await one.planned()).toMatchObject({ actions: [], blocked: [{ rule: 'O-35' }, { rule: 'O-35' }] });
  });

  it('GAP-36: a change of package is a manual step that names it, and is done when it is done', async () => {
    const one = await start({ package: 'mail_50' });
    const plan = await one.planned();
    expect(plan).toMatchObject({
      actions: [],
      manual: [
        { address: 'Mailspace/shop.example.com', rule: 'GAP-36', remedy: containing('from mail_20 to mail_50') },
      ],
      summary: { manual: 1 },
    });
    expect((await apply(one)).outcome).toMatchObject({
      exitCode: 3,
      outcome: 'waiting',
      remaining: [{ rule: 'GAP-36' }],
    });
    spaceOf(one.sandbox).package = 'mail_50';
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  it('GAP-37: so is a deletion; one that is about to be deleted takes no change', async () => {
    const one = await start({}, { lifecycle: { state: 'absent' } });
    expect(await one.planned()).toMatchObject({ actions: [], manual: [{ rule: 'GAP-37' }] });
    spaceOf(one.sandbox).deleteScheduledAt = one.sandbox.clock.now() + 86_400_000;
    expect(isEmptyPlan(await one.planned())).toBe(true);
    await declare(one, { mailboxes: [{ address: 'new@shop.example.com', password }] });
    expect(await one.planned()).toMatchObject({
      actions: [],
      blocked: [{ address: 'Mailspace/shop.example.com', rule: 'MSP-15' }],
    });
    expect(one.sandbox.requests.every(({ path }) => path === '/api/mailspace')).toBe(true);
  });

  it('promise 3: one that is to be absent is so when it has left the list, with metadata.id too', async () => {
    const one = await start({});
    await one.write('mail/main.json', space('shop', {}, { id: 'mail-shop', lifecycle: { state: 'absent' } }));
    expect(await one.planned()).toMatchObject({ actions: [], manual: [{ rule: 'GAP-37' }] });
    one.sandbox.state.mail.spaces.delete('mail-shop');
    expect((await one.apply()).outcome).toMatchObject({ exitCode: 0, remaining: [] });
  });

  it('MSP-16: a suspended one is blocked by what it answers', async () => {
    const one = await start(
      { mailboxes: [{ address: 'new@held.example.com', password }], aliases: [] },
      { name: 'held' },
    );
    expect(await one.planned()).toMatchObject({
      actions: [],
      blocked: [{ address: 'Mailspace/held.example.com', rule: 'MSP-16' }],
    });
  });

  it('MSP-17: one that is not set up waits, with what to publish, and nothing in it is read', async () => {
    const one = await start({ mailboxes: [{ address: 'new@blog.example.com', password }] }, { name: 'blog' });
    expect(await one.planned()).toMatchObject({
      actions: [],
      waiting: [{ rule: 'O-33', remedy: containing('_mailspace-verify.blog.example.com') }],
    });
    expect(one.sandbox.requests.map(({ path }) => path)).toEqual(['/api/mailspace', '/api/mailspace/mail-blog']);
  });

  it('MSP-21: a mailspace bound by its id keeps its domain', async () => {
    const harness = await openHarness({
      scenario: 'mail',
      workspace: WORKSPACE,
      files: { 'mail/main.json': space('other', {}, { id: 'mail-shop' }) },
    });
    expect((await harness.planned()).blocked).toMatchObject([{ reason: 'domain cannot be changed in place' }]);
  });
});

describe('domains', () => {
  it('case 77, MDM-07: one that is not proven waits, with what to publish; what is on it waits too', async () => {
    const one = await start({
      domains: [{ name: 'fresh.example.org' }],
      mailboxes: [
        { address: 'new@fresh.example.org', password },
        { address: 'new@shop.example.com', password },
      ],
    });
    const { outcome } = await apply(one);
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 3, outcome: 'waiting' });
    const pending = spaceOf(one.sandbox).pendingDomains.find(({ name }) => name === 'fresh.example.org');
    expect(
      outcome.actions.find(({ verb, address }) => verb === 'create' && address.includes('MailDomain')),
    ).toMatchObject({
      result: 'waiting',
      reason: containing(`_mailspace-verify.fresh.example.org with the value ${pending?.token}`),
      outputs: { txtValue: pending?.token },
    });
    expect(outcome.actions.map(({ result }) => result).sort()).toEqual(['done', 'skipped', 'waiting']);
    const plan = await one.planned();
    expect(plan).toMatchObject({ actions: [], waiting: [{ rule: 'MDM-07' }, { rule: 'O-37' }] });
    one.sandbox.state.mail.dns.push({
      type: 'TXT',
      name: '_mailspace-verify.fresh.example.org',
      value: pending?.token ?? '',
      priority: null,
      by: 'user',
    });
    one.sandbox.clock.advance(61_000);
    expect((await one.planned()).waiting).toMatchObject([{ rule: 'O-37' }, { rule: 'O-37' }]);
    one.sandbox.clock.advance(61_000);
    await done(one);
    expect([...one.sandbox.creations.values()].every((times) => times === 1)).toBe(true);
  });

  it('MDM-16: one that another mailspace has is told; one that is pending already is not added twice', async () => {
    const one = await start({ domains: [{ name: 'foreign.example.com' }, { name: 'shop.example.org' }] });
    expect((await one.planned()).waiting).toMatchObject([
      { address: at('shop', 'MailDomain', 'shop.example.org'), rule: 'MDM-07' },
    ]);
    const { outcome } = await apply(one);
    expect(outcome.actions).toMatchObject([{ result: 'failed', reason: containing('domain_exists') }]);
    expect(writes(one)).toEqual(['POST /domains']);
  });

  it('a lost answer to a pending one is told by the second', async () => {
    const probe = await start({ domains: [{ name: 'fresh.example.org' }] });
    await apply(probe);
    const post = probe.sandbox.requests.findIndex(({ method }) => method === 'POST') + 1;
    await probe.close();
    const one = await start(
      { domains: [{ name: 'fresh.example.org' }] },
      { faults: [{ kind: 'reset-after', at: post }] },
    );
    expect((await apply(one)).outcome).toMatchObject({
      exitCode: 3,
      actions: [{ result: 'waiting' }],
      remaining: [{ rule: 'MDM-07' }],
    });
    expect((await one.planned()).waiting).toHaveLength(1);
  });

  it('O-48, O-51, GAP-39: ours and no longer named goes when it is empty; the primary one never; a pending one by hand', async () => {
    const one = await start({
      domains: [{ name: 'shop.example.com' }, { name: 'shop.example.net' }, { name: 'shop.example.org' }],
    });
    expect((await apply(one)).outcome).toMatchObject({ exitCode: 3 });
    await declare(one, { domains: [] });
    const plan = await one.planned();
    expect(plan.actions).toMatchObject([{ address: at('shop', 'MailDomain', 'shop.example.net'), verb: 'delete' }]);
    expect(plan.manual).toMatchObject([{ address: at('shop', 'MailDomain', 'shop.example.org'), rule: 'GAP-39' }]);
    addMailbox(spaceOf(one.sandbox), { id: 'mbx-net', email: 'x@shop.example.net' });
    expect((await apply(one, { allowDeletes: 1 })).outcome.actions).toMatchObject([{ result: 'blocked' }]);
    spaceOf(one.sandbox).mailboxes.pop();
    expect((await apply(one, { allowDeletes: 1 })).outcome.actions).toMatchObject([{ result: 'done' }]);
    expect(spaceOf(one.sandbox).domains.map(({ name }) => name)).toEqual(['shop.example.com']);
  });

  it('case 78: what is on a domain goes before it', async () => {
    const one = await start({
      domains: [{ name: 'shop.example.net' }],
      aliases: [{ address: 'anna@shop.example.net', target: 'anna@shop.example.com' }],
    });
    await apply(one);
    await declare(one, { domains: [], aliases: [] });
    expect(
      (await one.planned()).actions.map(({ address, needs }) => [address.split('/')[2], needs.map(({ rule }) => rule)]),
    ).toEqual([
      ['MailAlias', []],
      ['MailDomain', ['O-48']],
    ]);
  });

  it('adopts what nobody named', async () => {
    const one = await start({ domains: [], groups: [], aliases: [] });
    const { unmanaged } = await one.planned();
    expect(unmanaged.map(({ identity, yaml }) => [identity, yaml])).toEqual(
      expect.arrayContaining([
        ['shop.example.net', 'domains:\n  - name: shop.example.net\n    description: the other shop\n'],
        ['shop.example.org', 'domains:\n  - name: shop.example.org\n'],
        [
          'team@shop.example.com',
          'groups:\n  - email: team@shop.example.com\n    name: The team\n    description: The team\n',
        ],
        [
          'everyone@shop.example.com',
          'groups:\n  - email: everyone@shop.example.com\n    name: everyone@shop.example.com\n',
        ],
        ['crew@shop.example.com', 'aliases:\n  - address: crew@shop.example.com\n    target: team@shop.example.com\n'],
      ]),
    );
  });
});

describe('groups', () => {
  const team = { email: 'team@shop.example.com', name: 'Team' };

  it('GAP-41: a description and a removal are manual, and done when they are done', async () => {
    const one = await start({
      groups: [
        { ...team, description: 'Us' },
        { email: 'everyone@shop.example.com', name: 'All' },
      ],
    });
    expect((await one.planned()).manual).toMatchObject([
      { rule: 'GAP-41', remedy: containing('from "The team" to "Us"') },
    ]);
    expect((await apply(one)).outcome).toMatchObject({ exitCode: 3 });
    await declare(one, { groups: [], unlisted: { groups: 'remove' } });
    expect((await one.planned()).manual.map(({ rule }) => rule)).toEqual(['GAP-41', 'GAP-41']);
    spaceOf(one.sandbox).groups = [];
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  it('case 74, GRP-07: an answer with a null id has made it: it is listed, and not made again', async () => {
    const one = await start({
      groups: [
        { email: 'new@shop.example.com', name: 'New', description: 'Newest', members: ['cleo@shop.example.com'] },
      ],
    });
    trouble(one, 'group-readback', 1);
    await done(one);
    expect(writes(one)).toEqual(['POST /groups']);
  });

  it('O-41, O-42: a member of a new group and an old one keeps both', async () => {
    const one = await start({
      groups: [
        { ...team, members: ['cleo@shop.example.com'] },
        { email: 'new@shop.example.com', name: 'New', members: ['cleo@shop.example.com', 'one@shop.example.com'] },
      ],
      mailboxes: [{ address: 'one@shop.example.com', password }],
    });
    const plan = await one.planned();
    expect(
      plan.actions.map(({ address, needs }) => [address.split('/').at(-1), needs.map(({ rule }) => rule)]),
    ).toEqual([
      ['one@shop.example.com', []],
      ['new@shop.example.com', ['O-40']],
      ['team@shop.example.com', ['O-41']],
    ]);
    await done(one);
    expect(
      spaceOf(one.sandbox)
        .groups.filter(({ members }) => members.includes('cleo@shop.example.com'))
        .map(({ email }) => email),
    ).toEqual(['team@shop.example.com', 'new@shop.example.com']);
  });

  it('MBX-19: memberships that cannot be verified block, and nothing is written', async () => {
    const one = await start({ groups: [{ ...team, members: [] }] });
    trouble(one, 'memberships');
    expect((await apply(one)).outcome).toMatchObject({ exitCode: 3, actions: [{ result: 'blocked' }] });
    spaceOf(one.sandbox).troubles = [];
    await done(one);
  });

  it('a member that is about to be deleted is none', async () => {
    const one = await start({ groups: [{ ...team, members: ['anna@shop.example.com', 'cleo@shop.example.com'] }] });
    Object.assign(mailboxOf(one.sandbox, 'mbx-ben'), {
      status: 'pending_deletion',
      scheduledDeletionAt: one.sandbox.clock.now() + 86_400_000,
    });
    expect((await one.planned()).actions[0]?.changes).toMatchObject([
      { was: ['anna@shop.example.com'], value: ['anna@shop.example.com', 'cleo@shop.example.com'] },
    ]);
    expect((await apply(one)).outcome).toMatchObject({ actions: [{ result: 'done' }] });
  });

  it('O-37: a new one on a domain that is not served waits', async () => {
    const one = await start({
      groups: [
        { email: 'x@shop.example.org', name: 'X' },
        { email: 'x@shop.example.net', name: 'X' },
      ],
    });
    expect(await one.planned()).toMatchObject({
      actions: [{ address: at('shop', 'MailGroup', 'x@shop.example.net') }],
      waiting: [{ rule: 'O-37' }],
    });
  });
});

/** A package that holds more mailboxes than one read yields. */
function roomy(one: Harness): void {
  spaceOf(one.sandbox, 'big').agreedMailboxes = 5_000;
}

describe('what cannot be read', () => {
  it.each([
    ['mailboxes', { mailboxes: [] }],
    ['groups', { groups: [] }],
    ['members', { groups: [] }],
    ['aliases', { aliases: [] }],
    ['domains', { domains: [] }],
    ['everything', { aliases: [] }],
  ] as const)('MSP-23: a strict read of %s that fails is unknown, and nothing is removed', async (part, section) => {
    const one = await start({ ...section, unlisted: { [Object.keys(section)[0] ?? '']: 'remove' } });
    trouble(one, part);
    expect(await one.planned()).toMatchObject({
      actions: [],
      unmanaged: [],
      unknown: [{ reason: containing('unavailable') }],
    });
    expect((await apply(one, { allowDeletes: 9 })).outcome).toMatchObject({ exitCode: 1, requests: { writes: 0 } });
  });

  it('case 70, MBX-07: a view that answers empty values is unknown, never a clearing write', async () => {
    const one = await start({
      mailboxes: [{ address: 'anna@shop.example.com', displayName: 'New', allowedIps: ['192.0.2.0/24'] }],
    });
    trouble(one, 'mailbox');
    expect(await one.planned()).toMatchObject({
      actions: [{ changes: [{ path: '/displayName' }] }],
      unknown: [{ address: at('shop', 'Mailbox', 'anna@shop.example.com'), rule: 'MBX-07' }],
    });
    expect((await apply(one)).outcome).toMatchObject({ exitCode: 1, actions: [{ result: 'done' }] });
    expect(mailboxOf(one.sandbox, 'mbx-anna')).toMatchObject({ displayName: 'New', allowedIps: ['192.0.2.0/24'] });
  });

  it('MBX-21: what was written and cannot be read back waits', async () => {
    const one = await start({ mailboxes: [{ address: 'anna@shop.example.com', allowedIps: ['10.0.0.1'] }] });
    const plan = await one.planned();
    let views = 0;
    const emit = (): void => {
      views += 1;
      if (mailboxOf(one.sandbox, 'mbx-anna').allowedIps[0] === '10.0.0.1') trouble(one, 'mailbox');
    };
    const { outcome } = await one.apply({ plan }, { emit });
    expect(views).toBeGreaterThan(0);
    expect(outcome).toMatchObject({
      exitCode: 3,
      actions: [{ result: 'waiting', reason: containing('cannot be read back') }],
    });
    spaceOf(one.sandbox).troubles = [];
    await done(one);
  });

  it.each([
    ['check says free', null, 'create'],
    ['check cannot tell', 'check', 'unknown'],
  ] as const)('case 71, GRP-02: at the cap a list proves nothing: %s', async (_, part, result) => {
    const one = await start(
      {
        mailboxes: ['new', 'u00600'].map((name) => ({ address: `${name}@big.example.com`, password })),
        groups: [{ email: 'all@big.example.com', name: 'All' }],
        aliases: [{ address: 'i@big.example.com', target: 'u00001@big.example.com' }],
        unlisted: { mailboxes: 'remove', aliases: 'remove' },
      },
      { name: 'big', scenario: 'mailboxes:600' },
    );
    if (part !== null) spaceOf(one.sandbox, 'big').troubles = [{ part, times: null }];
    const plan = await one.planned();
    expect(plan.actions).toEqual([]);
    const gone = (kind: string, name: string) => plan.unknown.find(({ address }) => address === at('big', kind, name));
    expect(gone('Mailbox', 'u00600@big.example.com')).toMatchObject({ rule: 'GRP-02' });
    expect(gone('MailGroup', 'all@big.example.com')).toMatchObject({ rule: 'GRP-02' });
    expect(gone('MailAlias', 'i@big.example.com')).toMatchObject({ rule: 'GRP-02' });
    // Free it is; but the package is full.
    if (result === 'create')
      expect(plan.blocked).toMatchObject([{ address: at('big', 'Mailbox', 'new@big.example.com'), rule: 'O-39' }]);
    else expect(gone('Mailbox', 'new@big.example.com')).toMatchObject({ rule: 'GRP-02' });
    // That nothing is removed is told once a list.
    expect(plan.unknown.filter(({ address }) => address === 'Mailspace/big.example.com/Mailbox')).toHaveLength(1);
  });

  describe('of a list that may be cut off (LIM-04)', () => {
    const big = (count: number, spec: object, options: Given = {}) =>
      start(spec, { name: 'big', scenario: `mailboxes:${count}`, ...options });
    const listed = (...kinds: readonly string[]) => kinds.map((kind) => `Mailspace/big.example.com/${kind}`);

    it.each([
      ['groups', 'MailGroup', 600],
      ['aliases', 'MailAlias', 600],
      ['mailboxes', 'Mailbox', 600],
      // Two groups fill it up.
      ['mailboxes', 'Mailbox', 498],
      ['groups', 'MailGroup', 498],
      ['aliases', 'MailAlias', 498],
    ])(
      'GRP-02, promise 6: `%s: []` that is to remove them says that it does not know (%s, %i mailboxes)',
      async (section, kind, count) => {
        const one = await big(count, { [section]: [], unlisted: { [section]: 'remove' } });
        // Also where the list shows none of them.
        if (section === 'aliases') for (const mailbox of spaceOf(one.sandbox, 'big').mailboxes) mailbox.aliases = [];
        expect(await one.planned()).toMatchObject({
          actions: [],
          unmanaged: [],
          unknown: [{ address: listed(kind)[0], rule: 'GRP-02' }],
        });
        expect((await apply(one, { allowDeletes: 999 })).outcome).toMatchObject({
          exitCode: 1,
          requests: { writes: 0 },
        });
      },
    );

    it.each([
      ['u00001', 1, 0],
      ['u00600', 0, 1],
    ])(
      'ALS-02: an alias is moved to %s only where the list can show it afterwards',
      async (target, actions, unknown) => {
        const plan = await (
          await big(600, {
            aliases: [{ address: 'alias-u00010@big.example.com', target: `${target}@big.example.com` }],
          })
        ).planned();
        expect([plan.actions.length, plan.unknown.map(({ rule }) => rule)]).toEqual([
          actions,
          unknown === 0 ? [] : ['ALS-02'],
        ]);
      },
    );

    it('promise 6: a list that is surely whole shows what there is', async () => {
      const one = await big(497, { aliases: [], unlisted: { aliases: 'remove' } });
      expect(await one.planned()).toMatchObject({ unknown: [], summary: { delete: 49 } });
    });

    it('promise 6: what was ours and the list does not show is not known to be gone', async () => {
      const one = await big(3, { groups: [{ email: 'first@big.example.com', name: 'First' }] });
      await done(one);
      for (let number = 1; number <= 600; number += 1)
        addMailbox(spaceOf(one.sandbox, 'big'), { id: `mbx-x${number}`, email: `x${number}@big.example.com` });
      await declare(one, { groups: [] }, 'big');
      expect((await one.planned()).unknown).toMatchObject([{ address: listed('MailGroup')[0], rule: 'GRP-02' }]);
    });

    it('promise 6: groups that cannot be counted may fill it too', async () => {
      const one = await big(400, { mailboxes: [{ address: 'new@big.example.com', password }] });
      spaceOf(one.sandbox, 'big').troubles = [
        { part: 'groups', times: null },
        { part: 'check', times: null },
      ];
      expect(await one.planned()).toMatchObject({
        actions: [],
        unknown: [{ rule: 'GRP-02', reason: containing('could not all be counted') }],
      });
      spaceOf(one.sandbox, 'big').troubles = [{ part: 'groups', times: null }];
      expect((await one.planned()).actions).toHaveLength(1);
    });

    it.each([
      [499, 'it fills up with it'],
      [600, 'it is full'],
    ])(
      'MBX-02, MBX-03: a mailbox beyond %i is made once, read by its id, and never waited for again',
      async (count) => {
        const one = await big(count, {
          mailboxes: [{ address: 'new@big.example.com', displayName: 'New', password, allowedIps: ['10.0.0.1'] }],
        });
        roomy(one);
        await done(one);
        expect(writes(one)).toEqual(['POST /mailboxes', matching(/^PATCH/)]);
        // It is gone on with by its id: changed, and not made again where it is gone.
        await declare(one, { mailboxes: [{ address: 'new@big.example.com', displayName: 'Newer', password }] }, 'big');
        expect((await one.planned()).actions).toMatchObject([
          { verb: 'update', changes: [{ path: '/displayName', was: 'New' }] },
        ]);
        await done(one);
        await declare(one, { mailboxes: [] }, 'big');
        expect((await one.planned()).unknown).toMatchObject([{ address: listed('Mailbox')[0] }]);
        spaceOf(one.sandbox, 'big').mailboxes.splice(-1, 1);
        expect(isEmptyPlan(await one.planned())).toBe(true);
      },
    );

    it('MBX-07: an empty view of a mailbox beyond the list proves nothing', async () => {
      const one = await big(600, { mailboxes: [{ address: 'new@big.example.com', password }] });
      roomy(one);
      await done(one);
      await declare(
        one,
        { mailboxes: [{ address: 'new@big.example.com', displayName: 'New', lists: ['l@big.example.com'], password }] },
        'big',
      );
      expect(await one.planned()).toMatchObject({
        actions: [],
        unknown: [{ address: at('big', 'Mailbox', 'new@big.example.com'), rule: 'MBX-07' }],
      });
      // That it is about to be deleted is said by no mail server.
      Object.assign(spaceOf(one.sandbox, 'big').mailboxes.at(-1) as Mailbox, {
        status: 'pending_deletion',
        displayName: 'New',
        scheduledDeletionAt: one.sandbox.clock.now() + 86_400_000,
      });
      expect((await one.planned()).actions).toMatchObject([
        { changes: expect.arrayContaining([expect.objectContaining({ path: '/deletion' })]) as unknown[] },
      ]);
    });

    it.each(['reset-before', 'reset-after'] as const)(
      'O-73: a lost answer of a create there is not sent again blind (%s)',
      async (kind) => {
        const spec = { mailboxes: [{ address: 'new@big.example.com', password }] };
        const probe = await big(600, spec);
        roomy(probe);
        await apply(probe);
        const step = probe.sandbox.requests.findIndex(({ method }) => method === 'POST') + 1;
        await probe.close();
        const one = await big(600, spec, { faults: [{ kind, at: step }] });
        roomy(one);
        const { outcome } = await apply(one);
        expect([...one.sandbox.creations.values()]).toEqual([1]);
        // Made, it has an id that nobody knows: a person says which. Not made, the check says so, and it is sent again.
        if (kind === 'reset-after') expect(outcome.actions).toMatchObject([{ result: 'unknown-outcome' }]);
        else expect(outcome).toMatchObject({ exitCode: 0 });
      },
    );

    it('GRP-02: a group that fills the list up is read by its id', async () => {
      const one = await big(498, {
        groups: [{ email: 'one@big.example.com', name: 'One', members: ['u00001@big.example.com'] }],
      });
      spaceOf(one.sandbox, 'big').groups.splice(0, 1);
      // Somebody makes mailboxes while it runs.
      const emit = (): void => {
        if (spaceOf(one.sandbox, 'big').groups.length === 2 && spaceOf(one.sandbox, 'big').mailboxes.length < 500)
          for (const name of ['x', 'y', 'z'])
            addMailbox(spaceOf(one.sandbox, 'big'), { id: `mbx-${name}`, email: `${name}@big.example.com` });
      };
      await converge(one, {}, { emit });
    });
  });
});
