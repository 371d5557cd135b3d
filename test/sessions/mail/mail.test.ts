// Mailspaces and what is in them, from manifest to raw store: drift of every field, purchase and proof of ownership,
// moves, restores, limits, what only a person can do.
import { describe, expect, it } from 'vitest';
import { deadlineOf } from '../../../src/model/deadline.ts';
import type { RunEvent } from '../../../src/model/plan/event.ts';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import type { Mailspace } from '../../../src/sandbox/mail/state.ts';
import { ledgerCommand } from '../../../src/usecases/ledger.ts';
import { fixtures } from '../../support/fixtures.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { converge, openHarness } from '../../support/open-harness.ts';
import { manifest, workspaceFile } from '../../support/manifests.ts';
import { spaceOf } from '../../support/live.ts';
import { containing, matching } from '../../support/matchers.ts';

const WORKSPACE = workspaceFile('manifests: [mail], secrets: { env: [MAIL_PASSWORD] }');
const SECRET = 'a-very-secret-word';
const env = (name: string): string | undefined => (name === 'MAIL_PASSWORD' ? SECRET : undefined);

async function start(spec: object, options: HarnessOptions & { readonly name?: string } = {}): Promise<Harness> {
  const harness = await openHarness({
    scenario: 'mail',
    workspace: WORKSPACE,
    files: { 'mail/main.json': manifest('Mailspace', options.name ?? 'shop.example.com', spec) },
    ...options,
  });
  await ledgerCommand(harness.session(), { do: 'init' });
  return harness;
}

const apply = (one: Harness, options: Parameters<Harness['apply']>[0] = {}) =>
  one.apply({ allowCharges: 1, ...options }, { env });
const declare = (one: Harness, spec: object, name = 'shop.example.com') =>
  one.write('mail/main.json', manifest('Mailspace', name, spec));

const done = (one: Harness) => converge(one, { allowCharges: 1 }, { env });

describe('a field', () => {
  it('MailDomain.description: left alone, cleared, set', async () => {
    const one = await start({ domains: [{ name: 'shop.example.net' }] });
    const described = () => spaceOf(one.sandbox).domains.find(({ name }) => name === 'shop.example.net')?.description;
    await done(one).catch(() => undefined);
    expect(described()).toBe('the other shop');
    await declare(one, { domains: [{ name: 'https://www.Shop.example.net/x', description: '' }] });
    expect((await one.planned()).actions).toMatchObject([
      { changes: [{ path: '/description', was: 'the other shop', value: '' }] },
    ]);
    await apply(one);
    expect(described()).toBeNull();
    await declare(one, { domains: [{ name: 'shop.example.net', description: 'Again' }] });
    await apply(one);
    expect(described()).toBe('Again');
  });

  it('MailGroup.members: by way of the mailboxes, and no other membership is touched', async () => {
    const one = await start({
      groups: [
        { email: 'team@shop.example.com', name: 'Team', members: ['cleo@shop.example.com', 'ben@shop.example.com'] },
      ],
    });
    const everyone = spaceOf(one.sandbox).groups.find(
      ({ principalId }) => principalId === 'grp-everyone',
    ) as Mailspace['groups'][number];
    everyone.members = ['anna@shop.example.com', 'cleo@shop.example.com'];
    const plan = await one.planned();
    expect(plan.actions).toMatchObject([
      {
        address: 'Mailspace/shop.example.com/MailGroup/team@shop.example.com',
        verb: 'update',
        reason: 'members differs',
      },
    ]);
    await done(one);
    expect(everyone.members.toSorted()).toEqual(['anna@shop.example.com', 'cleo@shop.example.com']);
    expect(spaceOf(one.sandbox).groups[0]?.members.toSorted()).toEqual([
      'ben@shop.example.com',
      'cleo@shop.example.com',
    ]);
  });

  it('MailAlias.target: deletes and creates the alias again in one action', async () => {
    const one = await start({ aliases: [{ address: 'sales@shop.example.com', target: 'cleo@shop.example.com' }] });
    const plan = await one.planned();
    expect(plan.actions[0]?.steps.map(({ name }) => name)).toEqual([
      'target',
      'remove',
      'create',
      'listed',
      'read back',
    ]);
    await converge(one, { allowDeletes: 1 }, { env });
    expect(spaceOf(one.sandbox).mailboxes.find(({ id }) => id === 'mbx-cleo')?.aliases).toEqual([
      'sales@shop.example.com',
    ]);
  });
});

describe('a mailspace from nothing', () => {
  const wanted = {
    package: 'mail_20',
    order: {},
    mailboxes: [
      {
        address: 'alice@fresh.example.com',
        displayName: 'Alice',
        quotaMb: 100,
        password: { env: 'MAIL_PASSWORD' },
        allowedIps: ['10.1.2.3/8'],
      },
    ],
    groups: [{ email: 'all@fresh.example.com', name: 'All', members: ['alice@fresh.example.com'] }],
    aliases: [{ address: 'info@fresh.example.com', target: 'alice@fresh.example.com' }],
  };
  const post = (one: Harness, path: string, body: object) =>
    fetch(`${one.sandbox.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const bought = ({ sandbox }: Harness): number =>
    [...sandbox.creations].filter(([name]) => name.startsWith('mailspace')).reduce((sum, [, times]) => sum + times, 0);

  it('O-32 to O-34: is bought, waits for its TXT record and says which, and goes on when that is published', async () => {
    const one = await start(wanted, { name: 'fresh.example.com' });
    const plan = await one.planned();
    expect(plan.actions).toMatchObject([{ address: 'Mailspace/fresh.example.com', verb: 'create', risk: ['charge'] }]);
    expect(plan.deferred.map(({ address }) => address)).toEqual([
      'Mailspace/fresh.example.com/MailAlias',
      'Mailspace/fresh.example.com/MailGroup',
      'Mailspace/fresh.example.com/Mailbox',
    ]);
    const first = await apply(one);
    expect(first.outcome, JSON.stringify(first.outcome, null, 1)).toMatchObject({ exitCode: 3, outcome: 'waiting' });
    const { token } = spaceOf(one.sandbox, 'fresh');
    // Who has to publish the record is told when the wait begins, once.
    const told = one.events.flatMap((event) => (event.type === 'waiting' ? (event.remedy ?? []) : []));
    expect(told).toMatchObject([
      containing(`Publish the TXT record _mailspace-verify.fresh.example.com with the value ${token}`),
    ]);
    expect(JSON.stringify(first.outcome)).toContain(
      `Publish the TXT record _mailspace-verify.fresh.example.com with the value ${token}`,
    );
    const waiting = await one.planned();
    expect(waiting).toMatchObject({
      actions: [],
      waiting: [{ address: 'Mailspace/fresh.example.com', rule: 'O-33', remedy: containing(token) }],
    });
    expect((await apply(one)).outcome).toMatchObject({ exitCode: 3 });
    await post(one, '/_sandbox/dns', { type: 'TXT', name: '_mailspace-verify.fresh.example.com', value: token });
    one.sandbox.clock.advance(61_000);
    expect((await one.planned()).waiting).toMatchObject([{ rule: 'O-34' }]);
    one.sandbox.clock.advance(61_000);
    await done(one);
    expect(spaceOf(one.sandbox, 'fresh')).toMatchObject({
      package: 'mail_20',
      mailboxes: [
        {
          email: 'alice@fresh.example.com',
          displayName: 'Alice',
          quotaMb: 100,
          password: SECRET,
          allowedIps: ['10.0.0.0/8'],
          aliases: ['info@fresh.example.com'],
          status: 'active',
        },
      ],
      groups: [{ email: 'all@fresh.example.com', description: 'All', members: ['alice@fresh.example.com'] }],
    });
    expect(bought(one)).toBe(1);
  });

  it.each(['a deadline', 'Ctrl-C'])(
    'O-33: after %s the outcome and the plan still say what is waited for, and the next run stopped at once too',
    async (how) => {
      const one = await start(wanted, { name: 'fresh.example.com' });
      const stop = new AbortController();
      const emit = (event: RunEvent): void => {
        if (event.type === 'waiting' && event.on.includes('ownership')) stop.abort(new Error('interrupted'));
      };
      const { outcome } = await one.apply(
        { allowCharges: 1 },
        {
          env,
          ...(how === 'Ctrl-C'
            ? { stop: stop.signal, emit }
            : { deadline: deadlineOf(one.sandbox.clock.now(), 100_000, 10_000) }),
        },
      );
      const waits = /set up, which waits until the ownership of the domain is proven/;
      expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({
        exitCode: how === 'Ctrl-C' ? 130 : 3,
        actions: [{ result: 'waiting', reason: matching(waits) }],
      });
      const { token } = spaceOf(one.sandbox, 'fresh');
      const said = {
        reason: matching(waits),
        remedy: containing(`Publish the TXT record _mailspace-verify.fresh.example.com with the value ${token}`),
      };
      expect((await one.planned()).waiting).toMatchObject([said]);
      const again = await one.apply({ resumeOnly: true }, { env, stop: AbortSignal.abort(new Error('interrupted')) });
      expect(again.outcome.exitCode).toBe(130);
      expect((await one.planned()).waiting).toMatchObject([said]);
    },
  );

  it('O-17: a domain that is registered with the platform needs no record, and one run does it all', async () => {
    const spec = JSON.parse(JSON.stringify(wanted).replaceAll('fresh.example.com', 'owned.example.com')) as object;
    const one = await start(spec, { name: 'owned.example.com' });
    await done(one);
    expect(bought(one)).toBe(1);
  });

  it('a purchase alone ends as waiting too, with the record to publish', async () => {
    const one = await start({ order: {} }, { name: 'fresh.example.com' });
    const { outcome } = await apply(one);
    expect(outcome).toMatchObject({
      exitCode: 3,
      remaining: [{ address: 'Mailspace/fresh.example.com', rule: 'O-33' }],
    });
    expect(spaceOf(one.sandbox, 'fresh').package).toBe('mail_5');
  });

  it('MSP-06, MSP-10: without an order nothing is bought; a domain that is taken says so', async () => {
    const one = await start({ package: 'mail_5' }, { name: 'fresh.example.com' });
    expect(await one.planned()).toMatchObject({ actions: [], blocked: [{ rule: 'MSP-06' }] });
    await declare(one, { order: {} }, 'foreign.example.com');
    expect((await apply(one)).outcome).toMatchObject({
      exitCode: 3,
      actions: [{ result: 'blocked', reason: containing('has a mailspace already') }],
    });
    expect((await one.planned()).waiting).toEqual([]);
  });

  it('promise 4: what has a natural key may be bought without a complete ledger', async () => {
    const harness = await openHarness({
      scenario: 'mail',
      workspace: WORKSPACE,
      files: { 'mail/main.json': manifest('Mailspace', 'owned.example.com', { order: {} }) },
    });
    expect((await apply(harness)).outcome).toMatchObject({ exitCode: 0 });
    expect(bought(harness)).toBe(1);
  });
});

describe('the story of a company', () => {
  const story = { example: 'mail-for-a-company', scenario: 'mail' };
  const secrets = { env: (name: string): string | undefined => (name === 'DAAN_PASSWORD' ? SECRET : undefined) };

  it('applies, plans to nothing, leaves the store that was written down by hand, and no secret anywhere', async () => {
    const one = await openHarness({ ...story, memoryLedger: false });
    const plan = await one.planned();
    expect(JSON.stringify(plan)).not.toContain(SECRET);
    const { outcome } = await one.apply({ allowDeletes: 2 }, secrets);
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0 });
    expect(isEmptyPlan(await one.planned()), JSON.stringify(await one.planned(), null, 1)).toBe(true);
    expect(one.sandbox.snapshot()).toMatchObject(fixtures['mail-for-a-company']);
    const { readFile } = await import('node:fs/promises');
    expect(await readFile(`${one.root}/.hostwright/ledger.jsonl`, 'utf8')).not.toContain(SECRET);
    expect(JSON.stringify([outcome, one.events])).not.toContain(SECRET);
    expect([...one.sandbox.creations.values()].every((times) => times === 1)).toBe(true);
  });
});
