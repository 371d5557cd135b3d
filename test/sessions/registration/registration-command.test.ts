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

describe('registration transfer-out', () => {
  it('REG-29: asks with what the registry shows, and rejects or approves once', async () => {
    const one = await open();
    const { asked, confirm } = asking(false);
    const unsaid = await act(
      one.session(),
      'registration transfer-out',
      { name: 'leaving.com', decision: 'approve' },
      confirm,
    );
    expect([unsaid.outcome, writes(one)]).toEqual(['refused', []]);
    expect(asked[0]).toMatch(/^Approve the transfer of leaving\.com away\?.* nothing here brings it back\.$/);
    const done = await act(
      one.session(),
      'registration transfer-out',
      { name: 'LEAVING.com.', decision: 'reject' },
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
      'registration transfer-out',
      { name: 'leaving.com', decision: 'approve' },
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
      'registration transfer-out',
      { name: 'leaving.com', decision: 'reject' },
      yes,
    );
    expect(done, JSON.stringify(done)).toMatchObject({ outcome: 'done' });
    expect(one.sandbox.clock.now() - before).toBeLessThan(60_000);
  });

  it('REG-29: where there is nothing to decide nothing is sent', async () => {
    const one = await open();
    const none = await act(one.session(), 'registration transfer-out', { name: 'plain.com', decision: 'reject' }, yes);
    expect(none).toMatchObject({ outcome: 'error', diagnostics: told('Nobody has asked for plain.com') });
    const unknown = await act(
      one.session(),
      'registration transfer-out',
      { name: 'plan.com', decision: 'reject' },
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
    expect(JSON.stringify(await one.planned())).toContain('hostwright registration transfer-out leaving.com approve');
  });
});

describe('registration push-transfer', () => {
  it('REG-30: hands a name over, and says that it is on its way', async () => {
    const one = await open();
    const pushed = await act(one.session(), 'registration push-transfer', { name: 'plain.com', to: 'ABC1' }, yes);
    expect(pushed, JSON.stringify(pushed)).toMatchObject({
      outcome: 'waiting',
      message: containing('on its way to `ABC1`'),
    });
    expect(writes(one)).toEqual([['push_transfer', { recipient: 'ABC1' }]]);
    const again = await act(one.session(), 'registration push-transfer', { name: 'plain.com', to: 'ABC1' }, yes);
    expect(again).toMatchObject({ outcome: 'waiting', diagnostics: told('being handed over already') });
    expect(writes(one)).toHaveLength(1);
  });

  it('REG-10: a registrar that takes its time is not waited for', async () => {
    const one = await open();
    const pushed = await act(one.session(), 'registration push-transfer', { name: 'slow.eu', to: 'ABC1' }, yes);
    expect(pushed).toMatchObject({ outcome: 'waiting', message: containing('can take days') });
  });

  it('REG-30: a refusal without a code is told in its words', async () => {
    const one = await open();
    one.sandbox.state.registrar.troubles.push({ part: 'push', times: 1 });
    const pushed = await act(one.session(), 'registration push-transfer', { name: 'plain.com', to: 'NOBODY' }, yes);
    expect(pushed).toMatchObject({ outcome: 'error', diagnostics: told('does not hand the name over to NOBODY') });
  });

  it.each([
    ['bare.nl', 'error', 'has no hand-over'],
    ['busy.eu', 'waiting', 'still works on another change'],
    ['leaving.com', 'waiting', 'transfer-out leaving.com reject'],
  ])('REG-05, REG-11: %s is not sent', async (name, outcome, words) => {
    const one = await open();
    const pushed = await act(one.session(), 'registration push-transfer', { name, to: 'ABC1' }, yes);
    expect(pushed).toMatchObject({ outcome, diagnostics: told(words) });
    expect(writes(one)).toEqual([]);
  });

  it('REG-30: a lost answer is looked up, and where nothing shows, not sent again blind', async () => {
    const found = await open({ faults: [lost('reset-after', 'push_transfer')] });
    expect(
      (await act(found.session(), 'registration push-transfer', { name: 'plain.com', to: 'ABC1' }, yes)).outcome,
    ).toBe('waiting');
    await found.close();
    const one = await open({ faults: [lost('reset-before', 'push_transfer')] });
    const unknown = await act(one.session(), 'registration push-transfer', { name: 'plain.com', to: 'ABC1' }, yes);
    expect(unknown).toMatchObject({ outcome: 'error', diagnostics: [{ code: 'HW4502' }] });
    const blocked = await act(one.session(), 'registration push-transfer', { name: 'plain.com', to: 'ABC1' }, yes);
    expect(blocked).toMatchObject({ outcome: 'error', diagnostics: [{ code: 'HW4581' }] });
    expect(writes(one)).toHaveLength(1);
    expect(
      (await act(one.session(), 'registration push-transfer', { name: 'plain.com', to: 'ABC1', again: true }, yes))
        .outcome,
    ).toBe('waiting');
    expect(writes(one)).toHaveLength(2);
  });
});

describe('registration epp-code', () => {
  it('REG-27, CNV-35: the code is the result, and nowhere else', async () => {
    const one = await open();
    expect((await act(one.session(), 'registration epp-code', { name: 'plain.com' }, no)).outcome).toBe('refused');
    expect(one.sandbox.requests.some(({ path }) => path.endsWith('/epp_code'))).toBe(false);
    const { epp, ...rest } = await act(one.session(), 'registration epp-code', { name: 'plain.com' }, yes);
    expect(epp).toEqual({ registration: 'plain.com', code: 'sandbox-code-plain.com' });
    expect(JSON.stringify([rest, one.events])).not.toContain('sandbox-code');
  });

  it.each([
    ['frozen.com', 'prohibits transfers'],
    ['bare.nl', 'does not show its transfer codes'],
  ])('REG-27: %s has none, and the reason is told', async (name, words) => {
    const one = await open();
    expect(await act(one.session(), 'registration epp-code', { name }, yes)).toMatchObject({
      outcome: 'error',
      diagnostics: told(words),
    });
  });

  it('on the command line: on stdout alone', async () => {
    const { run } = await openCommandLine({ scenario: 'registrar' });
    const human = await run('registration epp-code plain.com --yes');
    expect([human.code, human.stdout]).toEqual([0, 'sandbox-code-plain.com\n']);
    expect(human.stderr).not.toContain('sandbox-code');
    const names = await run('registration check new.com plain.com --suggest');
    expect(names.code, names.stderr).toBe(0);
    expect(names.stdout).toMatch(/^name +available +price +transfer/);
    expect(names.stdout).toMatch(/new\.com +yes +12\.00 EUR +11\.00 EUR +-\n/);
    expect(names.stdout).toMatch(/plain\.com +ours/);
    expect(names.stdout).toMatch(/new\.net +yes +12\.00 EUR +- +suggested, spinner/);
    expect(JSON.parse((await run('registration check new.com -o json')).stdout)).toMatchObject({
      format: 'hostwright.registration/1',
      outcome: 'done',
      names: [{ domain: 'new.com', available: 'yes', price: '12.00 EUR' }],
    });
    expect((await run('registration push-transfer plain.com')).stderr).toContain('--to <handle>');
    expect((await run('registration transfer-out plain.com maybe')).stderr).toContain('approve, reject');
  });
});

describe('registration refresh', () => {
  it('REG-28: says what the registry knew better', async () => {
    const one = await open();
    const stale = await act(one.session(), 'registration refresh', { name: 'stale.com' }, yes);
    expect(stale, JSON.stringify(stale)).toMatchObject({ outcome: 'done', refresh: { registration: 'stale.com' } });
    expect(stale.message).toMatch(/^stale\.com has changed at the registry: .*locked is true/);
    expect((await act(one.session(), 'registration refresh', { name: 'plain.com' }, yes)).message).toContain(
      'as the platform knew it',
    );
  });
});

describe('registration check', () => {
  it('REG-32: tells taken from ours, and a failed check from both', async () => {
    const one = await open();
    one.sandbox.state.registrar.taken.push('taken.com');
    one.sandbox.state.registrar.premium.push('gold.com');
    const names = ['free.com', 'taken.com', 'plain.com', 'gold.com', 'x.rare', 'x.unknown'];
    const checked = await act(one.session(), 'registration check', { names });
    const { outcome, names: found = [], diagnostics } = checked;
    expect(found.map(({ domain, available }) => [domain, available])).toEqual([
      ['free.com', 'yes'],
      ['taken.com', 'no'],
      ['plain.com', 'ours'],
      ['gold.com', 'yes'],
      ['x.rare', 'no'],
      ['x.unknown', 'unknown'],
    ]);
    expect(found[3]?.premium).toBe(true);
    expect([outcome, diagnostics.map(({ code }) => code)]).toEqual(['error', ['HW4584']]);
    expect(diagnostics[0]?.detail).toContain('sells no names of this TLD');
  });

  it('REG-33: without suggestions the answer to the question stands', async () => {
    const one = await open();
    one.sandbox.state.registrar.suggestionsKey = false;
    const { outcome, names, diagnostics } = await act(one.session(), 'registration check', {
      names: ['free.com'],
      suggest: true,
    });
    expect([outcome, names?.length, diagnostics.map(({ code }) => code)]).toEqual(['done', 1, ['HW4585']]);
  });
});
