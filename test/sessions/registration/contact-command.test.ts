// The command `contact` and its use cases: who is used where, all that is known of one, and one message that is sent
// once.
import { describe, expect, it } from 'vitest';
import { OAUTH_READ_ONLY_TOKEN } from '../../../src/sandbox/core/http/credentials.ts';
import { openLedger } from '../../../src/ledger/stored-ledger.ts';
import type { Workspace } from '../../../src/model/workspace.ts';
import { ledgerCommand, ledgerOptions } from '../../../src/usecases/ledger.ts';
import { findWorkspace } from '../../../src/usecases/workspace-file.ts';
import { act } from '../../../src/usecases/act/act.ts';
import { asking } from '../../support/asking.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import { containing } from '../../support/matchers.ts';

const HOUR_MS = 3_600_000;
const open = (options: HarnessOptions = {}) => openHarness({ scenario: 'registrar', ...options });

const writes = ({ sandbox }: Harness) =>
  sandbox.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
const yes = () => Promise.resolve(true);

describe('run resend DomainContact/ID', () => {
  it('DCT-07: asks once, where the TLD wants it, after a person has agreed', async () => {
    const one = await open();
    const { asked, confirm } = asking(false);
    const refused = await act(one.session(), { operation: 'resend', address: 'DomainContact/801' }, confirm);
    expect([refused.outcome, writes(one), asked]).toEqual([
      'refused',
      [],
      ['Have the registrar ask ada@acme.example once more to confirm contact 801?'],
    ]);
    const done = await act(one.session(), { operation: 'resend', address: 'DomainContact/801' }, yes);
    expect(done, JSON.stringify(done)).toMatchObject({ outcome: 'done', message: containing('is queued') });
    expect(writes(one)).toEqual(['POST /api/domain_contacts/801/resend_verification']);
  });

  it('DCT-07: says what the platform says where nobody has to confirm', async () => {
    const one = await open();
    expect(await act(one.session(), { operation: 'resend', address: 'DomainContact/803' }, yes)).toMatchObject({
      outcome: 'error',
      diagnostics: [{ code: 'HW4501', detail: containing('verification_not_applicable') }],
    });
  });

  it('DCT-07: is remembered in a ledger that is there, and sent again within a day only with --again', async () => {
    const one = await open({ ledger: true });
    const verify = async (options: { again?: boolean }) => {
      const { outcome, diagnostics } = await act(
        one.session(),
        { operation: 'resend', address: 'DomainContact/801', ...options },
        yes,
      );
      return [outcome, diagnostics.map(({ code }) => code), writes(one).length];
    };
    expect(await verify({})).toEqual(['done', [], 1]);
    one.sandbox.clock.advance(23 * HOUR_MS);
    expect(await verify({})).toEqual(['waiting', ['HW4589'], 1]);
    expect(await verify({ again: true })).toEqual(['done', [], 2]);
    one.sandbox.clock.advance(23 * HOUR_MS);
    expect(await verify({})).toEqual(['waiting', ['HW4589'], 2]);
    one.sandbox.clock.advance(HOUR_MS);
    expect(await verify({})).toEqual(['done', [], 3]);
    // Another contact is another message.
    expect(await act(one.session(), { operation: 'resend', address: 'DomainContact/803' }, yes)).toMatchObject({
      outcome: 'error',
    });
    const { view } = await ledgerCommand(one.session(), { do: 'list' });
    expect(view?.doneActs).toMatchObject([{ request: 'POST /api/domain_contacts/801/resend_verification' }]);
  });

  it('HW5004: nothing is sent while another run holds the ledger', async () => {
    const one = await open({ ledger: true });
    const { ledger } = await openLedger(
      ledgerOptions(one.session(), (await findWorkspace(one.session())).workspace as Workspace, 'other'),
    );
    expect(await act(one.session(), { operation: 'resend', address: 'DomainContact/801' }, yes)).toMatchObject({
      outcome: 'error',
      diagnostics: [{ code: 'HW5004', detail: containing('lock-timeout') }],
    });
    expect(writes(one)).toEqual([]);
    await ledger?.close();
  });

  it('a token that may only read is refused', async () => {
    const one = await open();
    expect(
      await act(
        one.session({ token: OAUTH_READ_ONLY_TOKEN }),
        { operation: 'resend', address: 'DomainContact/801' },
        yes,
      ),
    ).toMatchObject({ outcome: 'error' });
  });
});

describe('any of them', () => {
  it('without a workspace, a token or an answer ends with what to do', async () => {
    const one = await open();
    for (const [extra, code] of [
      [{ token: undefined }, 'HW3002'],
      [{ token: 'wrong' }, 'HW3001'],
    ] as const)
      expect(await act(one.session(extra), { operation: 'resend', address: 'DomainContact/801' }, yes)).toMatchObject({
        outcome: 'error',
        diagnostics: [{ code }],
      });
    expect(
      await act(
        one.session({ configFile: 'nowhere.yaml' }),
        { operation: 'resend', address: 'DomainContact/801' },
        yes,
      ),
    ).toMatchObject({
      outcome: 'error',
    });
    expect(
      await act(one.session({ stop: AbortSignal.abort() }), { operation: 'resend', address: 'DomainContact/801' }, () =>
        Promise.resolve(false),
      ),
    ).toMatchObject({ outcome: 'interrupted' });
  });
});
