// The command `registration`: what is asked, what is sent, how it ends, and what becomes of a lost answer.
import { describe, expect, it } from 'vitest';
import type { Fault } from '../../../src/sandbox/core/http/faults.ts';
import { act } from '../../../src/usecases/act/act.ts';
import { asking } from '../../support/asking.ts';
import { openCommandLine } from '../../support/command-line.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import { containing } from '../../support/matchers.ts';

const open = (options: HarnessOptions = {}) => openHarness({ scenario: 'registrar', ...options });

const yes = () => Promise.resolve(true);
const no = () => Promise.resolve(false);
const writes = ({ sandbox }: Harness) =>
  sandbox.requests.filter(({ method }) => method !== 'GET').map(({ path, body }) => [path.split('/').at(-1), body]);
const named = ({ sandbox }: Harness, name: string) =>
  [...sandbox.state.registrar.registrations.values()].find((one) => one.name === name);
const lost = (kind: Fault['kind'], end: string): Fault => ({
  kind,
  match: { method: 'POST', path: `*/${end}` },
  times: 1,
});
const told = (text: string) => [{ detail: containing(text) }];

describe('run transfer-out', () => {
  it('REG-29: asks with what the registry shows, and rejects or approves once', async () => {
    const one = await open();
    const { asked, confirm } = asking(false);
    const unsaid = await act(
      one.session(),
      { operation: 'transfer-out', address: 'DomainRegistration/leaving.com', decision: 'approve' },
      confirm,
    );
    expect([unsaid.outcome, writes(one)]).toEqual(['refused', []]);
    expect(asked[0]).toMatch(/^Approve the transfer of leaving\.com away\?.* nothing here brings it back\.$/);
    const done = await act(
      one.session(),
      { operation: 'transfer-out', address: 'DomainRegistration/LEAVING.com.', decision: 'reject' },
      yes,
    );
    expect(done, JSON.stringify(done)).toMatchObject({ outcome: 'done', transfer: { decision: 'reject' } });
    expect(writes(one)).toEqual([['transfer_out', { decision: 'reject' }]]);
    expect(named(one, 'leaving.com')).toMatchObject({ transferOutPending: false, status: 'OK' });
  });

  it.each(['listed', 'gone'])('REG-29, GAP-55.left = %s: an approved name leaves', async (reading) => {
    const one = await open({ ambiguities: { 'GAP-55.left': reading } });
    const done = await act(
      one.session(),
      { operation: 'transfer-out', address: 'DomainRegistration/leaving.com', decision: 'approve' },
      yes,
    );
    expect(done, JSON.stringify(done)).toMatchObject({ outcome: 'done', message: containing('leaves this account') });
  });

  it('REG-29: another process of the registrar is not waited for', async () => {
    const one = await open();
    Object.assign(named(one, 'leaving.com') ?? {}, {
      process: {
        id: 'rtr-1',
        action: null,
        status: null,
        openedAt: 0,
        endsAt: null,
        fails: false,
        changes: {},
        before: {},
      },
    });
    const before = one.sandbox.clock.now();
    const done = await act(
      one.session(),
      { operation: 'transfer-out', address: 'DomainRegistration/leaving.com', decision: 'reject' },
      yes,
    );
    expect(done, JSON.stringify(done)).toMatchObject({ outcome: 'done' });
    expect(one.sandbox.clock.now() - before).toBeLessThan(60_000);
  });

  it('REG-29: where there is nothing to decide nothing is sent', async () => {
    const one = await open();
    const none = await act(
      one.session(),
      { operation: 'transfer-out', address: 'DomainRegistration/plain.com', decision: 'reject' },
      yes,
    );
    expect(none).toMatchObject({ outcome: 'error', diagnostics: told('Nobody has asked for plain.com') });
    const unknown = await act(
      one.session(),
      { operation: 'transfer-out', address: 'DomainRegistration/plan.com', decision: 'reject' },
      yes,
    );
    expect(unknown).toMatchObject({ outcome: 'error', diagnostics: [{ code: 'HW4583' }] });
    expect(unknown.diagnostics[0]?.detail).toContain('Did you mean `plain.com`?');
    expect(writes(one)).toEqual([]);
  });

  it('REG-36: the plan names this command', async () => {
    const one = await open({
      files: {
        'sites/leaving.yaml':
          'apiVersion: hostwright/v1\nkind: DomainRegistration\nmetadata: { name: leaving.com }\nspec: { locked: true }\n',
      },
    });
    expect(JSON.stringify(await one.planned())).toContain(
      'hostwright run transfer-out DomainRegistration/leaving.com --decision approve',
    );
  });
});

describe('run push-transfer', () => {
  it('REG-30: hands a name over, and says that it is on its way', async () => {
    const one = await open();
    const pushed = await act(
      one.session(),
      { operation: 'push-transfer', address: 'DomainRegistration/plain.com', to: 'ABC1' },
      yes,
    );
    expect(pushed, JSON.stringify(pushed)).toMatchObject({
      outcome: 'waiting',
      message: containing('on its way to `ABC1`'),
    });
    expect(writes(one)).toEqual([['push_transfer', { recipient: 'ABC1' }]]);
    const again = await act(
      one.session(),
      { operation: 'push-transfer', address: 'DomainRegistration/plain.com', to: 'ABC1' },
      yes,
    );
    expect(again).toMatchObject({ outcome: 'waiting', diagnostics: told('being handed over already') });
    expect(writes(one)).toHaveLength(1);
  });

  it('REG-10: a registrar that takes its time is not waited for', async () => {
    const one = await open();
    const pushed = await act(
      one.session(),
      { operation: 'push-transfer', address: 'DomainRegistration/slow.eu', to: 'ABC1' },
      yes,
    );
    expect(pushed).toMatchObject({ outcome: 'waiting', message: containing('can take days') });
  });

  it('REG-30: a refusal without a code is told in its words', async () => {
    const one = await open();
    one.sandbox.state.registrar.troubles.push({ part: 'push', times: 1 });
    const pushed = await act(
      one.session(),
      { operation: 'push-transfer', address: 'DomainRegistration/plain.com', to: 'NOBODY' },
      yes,
    );
    expect(pushed).toMatchObject({ outcome: 'error', diagnostics: told('does not hand the name over to NOBODY') });
  });

  it.each([
    ['bare.nl', 'error', 'has no hand-over'],
    ['busy.eu', 'waiting', 'still works on another change'],
    ['leaving.com', 'waiting', 'transfer-out DomainRegistration/leaving.com --decision reject'],
  ])('REG-05, REG-11: %s is not sent', async (name, outcome, words) => {
    const one = await open();
    const pushed = await act(
      one.session(),
      { operation: 'push-transfer', address: `DomainRegistration/${name}`, to: 'ABC1' },
      yes,
    );
    expect(pushed).toMatchObject({ outcome, diagnostics: told(words) });
    expect(writes(one)).toEqual([]);
  });

  it('REG-30: a lost answer is looked up, and where nothing shows, not sent again blind', async () => {
    const found = await open({ faults: [lost('reset-after', 'push_transfer')] });
    expect(
      (
        await act(
          found.session(),
          { operation: 'push-transfer', address: 'DomainRegistration/plain.com', to: 'ABC1' },
          yes,
        )
      ).outcome,
    ).toBe('waiting');
    await found.close();
    const one = await open({ faults: [lost('reset-before', 'push_transfer')] });
    const unknown = await act(
      one.session(),
      { operation: 'push-transfer', address: 'DomainRegistration/plain.com', to: 'ABC1' },
      yes,
    );
    expect(unknown).toMatchObject({ outcome: 'waiting', diagnostics: [{ code: 'HW4502' }] });
    const blocked = await act(
      one.session(),
      { operation: 'push-transfer', address: 'DomainRegistration/plain.com', to: 'ABC1' },
      yes,
    );
    expect(blocked).toMatchObject({ outcome: 'waiting', diagnostics: [{ code: 'HW4581' }] });
    expect(writes(one)).toHaveLength(1);
    expect(
      (
        await act(
          one.session(),
          { operation: 'push-transfer', address: 'DomainRegistration/plain.com', to: 'ABC1', again: true },
          yes,
        )
      ).outcome,
    ).toBe('waiting');
    expect(writes(one)).toHaveLength(2);
  });
});

describe('run epp-code', () => {
  it('REG-27, CNV-35: the code is the result, and nowhere else', async () => {
    const one = await open();
    expect(
      (await act(one.session(), { operation: 'epp-code', address: 'DomainRegistration/plain.com' }, no)).outcome,
    ).toBe('refused');
    expect(one.sandbox.requests.some(({ path }) => path.endsWith('/epp_code'))).toBe(false);
    const { epp, ...rest } = await act(
      one.session(),
      { operation: 'epp-code', address: 'DomainRegistration/plain.com' },
      yes,
    );
    expect(epp).toEqual({ registration: 'plain.com', code: 'sandbox-code-plain.com' });
    expect(JSON.stringify([rest, one.events])).not.toContain('sandbox-code');
  });

  it.each([
    ['frozen.com', 'prohibits transfers'],
    ['bare.nl', 'does not show its transfer codes'],
  ])('REG-27: %s has none, and the reason is told', async (name, words) => {
    const one = await open();
    expect(
      await act(one.session(), { operation: 'epp-code', address: `DomainRegistration/${name}` }, yes),
    ).toMatchObject({
      outcome: 'error',
      diagnostics: told(words),
    });
  });

  it('on the command line: on stdout alone', async () => {
    const { run } = await openCommandLine({ scenario: 'registrar' });
    const human = await run('run epp-code DomainRegistration/plain.com --yes');
    expect([human.code, human.stdout]).toEqual([0, 'sandbox-code-plain.com\n']);
    expect(human.stderr).not.toContain('sandbox-code');
    const prices = await run('get prices new.com plain.com');
    expect(prices.code, prices.stderr).toBe(0);
    expect(prices.stdout).toMatch(/^NAME +AVAILABLE +PRICE +TRANSFER PRICE/);
    expect(prices.stdout).toMatch(/new\.com +yes +12\.00 EUR +11\.00 EUR/);
    expect(prices.stdout).toMatch(/plain\.com +registered in this account/);
    expect((await run('get suggestions new.com')).stdout).toMatch(/new\.net +yes +12\.00 EUR +spinner/);
    expect((await run('get prices')).stderr).toContain('requires a domain name');
    expect((await run('run push-transfer DomainRegistration/plain.com')).stderr).toContain('--to <handle>');
    expect((await run('run transfer-out DomainRegistration/plain.com --decision maybe')).stderr).toContain(
      'approve, reject',
    );
  });
});

describe('run refresh', () => {
  it('REG-28: says what the registry knew better', async () => {
    const one = await open();
    const stale = await act(one.session(), { operation: 'refresh', address: 'DomainRegistration/stale.com' }, yes);
    expect(stale, JSON.stringify(stale)).toMatchObject({ outcome: 'done', refresh: { registration: 'stale.com' } });
    expect(stale.message).toMatch(/^stale\.com has changed at the registry: .*locked is true/);
    expect(
      (await act(one.session(), { operation: 'refresh', address: 'DomainRegistration/plain.com' }, yes)).message,
    ).toContain('as the platform knew it');
  });
});
