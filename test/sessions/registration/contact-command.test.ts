// The command `contact` and its use cases: who is used where, all that is known of one, and one message that is sent
// once.
import { afterEach, describe, expect, it } from 'vitest';
import { OAUTH_READ_ONLY_TOKEN } from '../../../src/sandbox/core/http/credentials.ts';
import { listContacts, showContact } from '../../../src/workflow/contact/contacts.ts';
import { verifyContact } from '../../../src/workflow/contact/verify.ts';
import { runCommand } from '../../support/command.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { startHarness } from '../../support/harness.ts';

let harness: Harness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

async function open(options: HarnessOptions = {}): Promise<Harness> {
  harness = await startHarness({ scenario: 'registrar', ...options });
  return harness;
}

const writes = ({ sandbox }: Harness) =>
  sandbox.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
const yes = () => Promise.resolve(true);

describe('contact list', () => {
  it('DCT-02, REG-09: names everybody with where they are used, in one list of each', async () => {
    const one = await open();
    const { outcome, value = [] } = await listContacts(one.session());
    expect(outcome).toBe('done');
    expect(one.sandbox.requests.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      'GET /api/domain_contacts',
      'GET /api/domain_registrations',
    ]);
    const by = new Map(value.map(({ contact, usedBy }) => [contact.id, usedBy]));
    expect([...by.keys()]).toEqual([801, 802, 803, 804, 805, 806, 807, 808]);
    expect(by.get(802)).toEqual([{ registration: 'plain.com', roles: ['tech'] }]);
    expect(
      by
        .get(806)
        ?.map(({ registration }) => registration)
        .sort(),
    ).toEqual(['one.com', 'two.com']);
    expect(by.get(805)).toEqual([]);
    expect(by.get(801)?.find(({ registration }) => registration === 'plain.com')?.roles).toContain('owner');
  });

  it('DCT-02: is narrowed by the platform', async () => {
    const one = await open();
    const { value = [] } = await listContacts(one.session(), 'one.com');
    expect(value.map(({ contact }) => contact.id)).toEqual([806]);
  });

  it('reads on where the platform may have more to tell', async () => {
    const one = await open({ scenario: 'registrations:120' });
    const { value = [] } = await listContacts(one.session());
    expect(value).toHaveLength(60);
    expect(value.every(({ usedBy }) => usedBy.length === 2)).toBe(true);
  });

  it('is a table, or one JSON document', async () => {
    const one = await open();
    const run = (...args: readonly string[]) =>
      runCommand(['contact', ...args], { cwd: one.root, url: one.sandbox.url });
    const human = await run('list');
    expect(human.code, human.stderr).toBe(0);
    expect(human.stdout).toMatch(/802 +\S+ +Ben .*ben@acme\.example +plain\.com \(tech\) +type=email status=/);
    expect(human.stdout).toMatch(/801 .* \(all roles\).* and \d+ more/);
    const json = JSON.parse((await run('list', '--query', 'one.com', '--format', 'json')).stdout) as {
      readonly format: string;
      readonly contacts: readonly unknown[];
    };
    expect(json).toMatchObject({
      format: 'hostwright.contact/1',
      outcome: 'done',
      contacts: [{ contact: { id: 806 } }],
    });
    expect((await run('list', '--query', 'nobody')).stdout).toBe('There are no contacts.\n');
  }, 60_000);

  it('REG-01: says that the area is closed', async () => {
    const one = await open();
    one.sandbox.state.registrar.enabled = false;
    const { outcome, diagnostics } = await listContacts(one.session());
    expect(outcome).toBe('error');
    expect(JSON.stringify(diagnostics)).toContain('feature_disabled');
  });
});

describe('contact show', () => {
  it.each([
    ['GAP-50', 'wrapped'],
    ['GAP-50', 'bare'],
    ['GAP-50.validations', 'texts'],
  ])('DCT-01, %s = %s: shows all that there is', async (gap, value) => {
    const one = await open({ ambiguities: { [gap]: value } });
    const shown = await showContact(one.session(), '801');
    expect(shown).toMatchObject({
      outcome: 'done',
      value: { contact: { id: 801, email: 'ada@acme.example', validations: [expect.anything() as unknown] } },
    });
    expect(shown.value?.usedBy.length).toBeGreaterThan(3);
  });

  it('reads on a terminal, whoever uses it', async () => {
    const one = await open();
    const run = (...args: readonly string[]) =>
      runCommand(['contact', 'show', ...args], { cwd: one.root, url: one.sandbox.url });
    expect((await run('802')).stdout).toMatch(/used by +plain\.com \(tech\)/);
    expect((await run('805')).stdout).toMatch(/used by +no registration/);
    const missing = await run('999');
    expect([missing.code, missing.stderr]).toMatchObject([
      1,
      expect.stringContaining(
        'HW3075: Not found on the platform\n  GET /api/domain_contacts/999 answered 404',
      ) as string,
    ]);
    // The other read was called off with it, which is no lost connection.
    expect(missing.stderr).not.toMatch(/again in|connection/);
    expect((await run('abc')).stderr).toContain('such as 801');
  }, 60_000);
});

describe('contact verify', () => {
  it('DCT-07: asks once, where the TLD wants it, after a person has agreed', async () => {
    const one = await open();
    const asked: string[] = [];
    const refused = await verifyContact(one.session(), '801', (question) =>
      Promise.resolve(asked.push(question) === 0),
    );
    expect([refused.outcome, writes(one), asked]).toEqual([
      'refused',
      [],
      ['Have the registrar ask ada@acme.example once more to confirm contact 801?'],
    ]);
    const done = await verifyContact(one.session(), '801', yes);
    expect(done, JSON.stringify(done)).toMatchObject({
      outcome: 'done',
      message: expect.stringContaining('is queued') as string,
    });
    expect(writes(one)).toEqual(['POST /api/domain_contacts/801/resend_verification']);
  });

  it('DCT-07: says what the platform says where nobody has to confirm', async () => {
    const one = await open();
    expect(await verifyContact(one.session(), '803', yes)).toMatchObject({
      outcome: 'error',
      diagnostics: [{ code: 'HW4501', detail: expect.stringContaining('verification_not_applicable') as string }],
    });
  });

  it('a lost answer is said to be lost, and nothing is sent again', async () => {
    const one = await open({
      faults: [{ kind: 'reset-after', match: { method: 'POST', path: '/api/domain_contacts' }, times: 1 }],
    });
    expect(await verifyContact(one.session(), '801', yes)).toMatchObject({
      outcome: 'error',
      diagnostics: [{ code: 'HW4502', detail: expect.stringContaining('contact show 801') as string }],
    });
    expect(writes(one)).toHaveLength(1);
  });

  it('a token that may only read is refused', async () => {
    const one = await open();
    expect(await verifyContact(one.session({ token: OAUTH_READ_ONLY_TOKEN }), '801', yes)).toMatchObject({
      outcome: 'error',
    });
  });

  it('without a terminal has to be told --yes', async () => {
    const one = await open();
    const run = (...args: readonly string[]) =>
      runCommand(['contact', 'verify', '801', ...args], { cwd: one.root, url: one.sandbox.url });
    const unasked = await run();
    expect([unasked.code, unasked.stderr]).toMatchObject([1, expect.stringContaining('HW6514') as string]);
    expect((await run('--yes')).code).toBe(0);
    expect(writes(one)).toHaveLength(1);
  }, 60_000);
});

describe('any of them', () => {
  it('without a workspace, a token or an answer ends with what to do', async () => {
    const one = await open();
    expect(await listContacts(one.session({ token: undefined }))).toMatchObject({
      outcome: 'error',
      diagnostics: [{ code: 'HW3002' }],
    });
    expect(await listContacts(one.session({ token: 'wrong' }))).toMatchObject({
      outcome: 'error',
      diagnostics: [{ code: 'HW3001' }],
    });
    expect(await listContacts(one.session({ configFile: 'nowhere.yaml' }))).toMatchObject({ outcome: 'error' });
    expect(
      await verifyContact(one.session({ stop: AbortSignal.abort() }), '801', () => Promise.resolve(false)),
    ).toMatchObject({ outcome: 'interrupted' });
  });
});
