// The password of a mailbox, from its place to the platform and nowhere else: set when the mailbox is made, and again
// when its mark changes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import type { Harness } from '../../support/harness.ts';
import { converge, openHarness } from '../../support/open-harness.ts';
import { manifest, workspaceFile } from '../../support/manifests.ts';

const workspace = workspaceFile('manifests: [mail], secrets: { env: [MAIL_PASSWORD], files: [secrets] }');
const SECRET = 'first-secret-word';
const mailbox = (address: string, password: object): string =>
  manifest('Mailspace', 'shop.example.com', { mailboxes: [{ address, password }] });
const env = (name: string): string | undefined => (name === 'MAIL_PASSWORD' ? SECRET : undefined);

async function start(
  password: object,
  address = 'anna@shop.example.com',
  files: Readonly<Record<string, string>> = {},
): Promise<Harness> {
  return openHarness({
    scenario: 'mail',
    workspace,
    ledger: true,
    memoryLedger: false,
    files: { 'mail/main.json': mailbox(address, password), ...files },
  });
}

const passwordOf = ({ sandbox }: Harness, address: string): string | undefined =>
  [...sandbox.state.mail.spaces.values()].flatMap(({ mailboxes }) => mailboxes).find(({ email }) => email === address)
    ?.password;
const patches = ({ sandbox }: Harness): number =>
  sandbox.requests.filter(({ method, path }) => method === 'PATCH' && path.includes('/mailboxes/')).length;

describe('the password of a mailbox that is there', () => {
  it('MBX-22: is not written because nobody knows its mark; from then on a change of the mark writes it once', async () => {
    const one = await start({ env: 'MAIL_PASSWORD', rotate: '1' });
    const plan = await one.planned();
    expect(plan.actions).toEqual([]);
    expect(plan.notices.map(({ code }) => code)).toContain('HW2008');
    await converge(one, {}, { env });
    expect([patches(one), passwordOf(one, 'anna@shop.example.com')]).toEqual([0, 'sandbox-mailbox-password']);

    await one.write('mail/main.json', mailbox('anna@shop.example.com', { env: 'MAIL_PASSWORD', rotate: '2' }));
    const second = await one.planned();
    expect(second.actions).toMatchObject([
      { verb: 'update', changes: [{ path: '/password', secret: { env: 'MAIL_PASSWORD' }, was: '1', value: '2' }] },
    ]);
    expect(JSON.stringify(second)).not.toContain(SECRET);
    const { outcome } = await one.apply({ plan: second }, { env });
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0 });
    expect([patches(one), passwordOf(one, 'anna@shop.example.com')]).toEqual([1, SECRET]);
    expect(isEmptyPlan(await one.planned())).toBe(true);
    const ledger = readFileSync(join(one.root, '.hostwright', 'ledger.jsonl'), 'utf8');
    expect(`${ledger}${JSON.stringify(outcome)}${JSON.stringify(one.events)}`).not.toContain(SECRET);
  });

  it('that is not in the environment is found missing before anything is sent', async () => {
    const one = await start({ env: 'MAIL_PASSWORD', rotate: '1' });
    await one.apply({}, { env });
    await one.write('mail/main.json', mailbox('anna@shop.example.com', { env: 'MAIL_PASSWORD', rotate: '2' }));
    const { outcome } = await one.apply();
    expect(outcome).toMatchObject({
      exitCode: 1,
      diagnostics: expect.arrayContaining([expect.objectContaining({ code: 'HW4007' })]) as unknown,
    });
    expect(patches(one)).toBe(0);
  });
});

describe('the password of a new mailbox', () => {
  it('MBX-09: comes from a file inside a listed folder, without its last line break', async () => {
    const one = await start({ file: 'secrets/new' }, 'new@shop.example.com', { 'secrets/new': 'from-a-file\n' });
    const { outcome } = await one.apply();
    expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({ exitCode: 0 });
    expect(passwordOf(one, 'new@shop.example.com')).toBe('from-a-file');
    expect(isEmptyPlan(await one.planned())).toBe(true);
    expect(`${JSON.stringify(outcome)}${JSON.stringify(one.events)}`).not.toContain('from-a-file');
  });

  it.each([
    ['HW1401', { env: 'OTHER' }],
    ['HW1403', { file: 'elsewhere/new' }],
    ['HW1402', { env: 'HOSTWRIGHT_TOKEN' }],
  ])('%s: is taken from nowhere else', async (code, password) => {
    const one = await start(password, 'new@shop.example.com');
    const { plan, diagnostics } = await one.plan();
    expect(plan).toBeUndefined();
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toContain(code);
  });
});

describe('the passwords of a mailspace that is bought', () => {
  const bought = (passwords: Readonly<Record<string, object>>, spec: object = {}): string =>
    manifest('Mailspace', 'brand.example', {
      package: 'mail_20',
      order: {},
      mailboxes: Object.entries(passwords).map(([name, password]) => ({ address: `${name}@brand.example`, password })),
      ...spec,
    });
  const secrets = workspace.replace('[MAIL_PASSWORD]', '[MAIL_PASSWORD, OTHER_PASSWORD]');
  const buy = async (document: string, files: Readonly<Record<string, string>> = {}): Promise<Harness> => {
    return openHarness({
      scenario: 'mail',
      workspace: secrets,
      ledger: true,
      files: { 'mail/main.json': document, ...files },
    });
  };

  it.each([
    ['one of two is not set', { anna: { env: 'MAIL_PASSWORD' }, ben: { env: 'OTHER_PASSWORD' } }],
    ['a file is empty', { anna: { env: 'MAIL_PASSWORD' }, ben: { file: 'secrets/ben' } }],
  ])('MSP-06: %s: nothing is bought, with or without a saved plan', async (_, passwords) => {
    const one = await buy(bought(passwords), { 'secrets/ben': '' });
    const plan = await one.planned();
    for (const options of [{}, { plan }]) {
      const { outcome } = await one.apply({ ...options, allowCharges: 1 }, { env });
      expect(outcome, JSON.stringify(outcome, null, 1)).toMatchObject({
        exitCode: 1,
        outcome: 'error',
        actions: [{ address: 'Mailspace/brand.example', result: 'not-started' }],
        diagnostics: [{ code: 'HW4007', address: 'Mailspace/brand.example/Mailbox/ben@brand.example' }],
        requests: { writes: 0 },
      });
    }
    expect([...one.sandbox.creations]).toEqual([]);
  });

  it('are all looked up before the purchase, and then it is bought', async () => {
    const one = await buy(bought({ anna: { env: 'MAIL_PASSWORD' } }));
    expect((await one.apply({ allowCharges: 1 }, { env })).outcome.requests.writes).toBeGreaterThan(0);
    expect([...one.sandbox.creations]).toHaveLength(1);
  });

  it('are not asked for where the mailspace is not bought: a mailbox that is there needs none', async () => {
    const one = await buy(mailbox('anna@shop.example.com', { env: 'MAIL_PASSWORD' }));
    expect((await one.apply()).outcome).toMatchObject({ exitCode: 0 });
  });
});
