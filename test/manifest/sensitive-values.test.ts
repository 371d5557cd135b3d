// Malformed values about people and secrets in wrong places are quoted in no diagnostic, whatever is wrong with them.
import { describe, expect, it } from 'vitest';
import { validateWorkspace } from '../../src/usecases/validate.ts';
import { openHarness } from '../support/open-harness.ts';

const CANARY = 'hunter3 plain canary';
/** Values of a wrong type or form, with the canary in them. */
const WRONG: readonly unknown[] = [CANARY, [CANARY], { [`x`]: CANARY }, `${CANARY}]`, `-${CANARY}`, `${CANARY};`];

const contact = {
  firstName: 'Ada',
  lastName: 'Vries',
  streetAddress: 'Main 1',
  postCode: '1000AA',
  city: 'Amsterdam',
  country: 'NL',
  email: 'legal@example.com',
  phone: '+31.201234567',
};

const user = {
  fname: 'Jo',
  lname: 'Doe',
  email: 'jo@client-a.example',
  companyName: 'A',
  locale: 'en',
  billingTerm: 'monthly',
};

async function textsOf(kind: string, name: string, spec: object): Promise<string> {
  const manifest = { apiVersion: 'hostwright/v1', kind, metadata: { name }, spec };
  const one = await openHarness({ files: { 'sites/one.json': `${JSON.stringify(manifest, null, 2)}\n` } });
  const { diagnostics } = await validateWorkspace(one.session());
  return JSON.stringify(diagnostics);
}

const password = (value: unknown): object => ({
  package: 'mail_20',
  mailboxes: [{ address: 'ada@example.com', displayName: 'Ada', quotaMb: 1024, password: value }],
});

describe('a diagnostic', () => {
  it.each(Object.keys(contact))('quotes no malformed value of a contact: %s', async (field) => {
    for (const value of WRONG) {
      const text = await textsOf('Contact', 'acme', { ...contact, [field]: value });
      expect([field, value, text.includes('hunter3')]).toEqual([field, value, false]);
    }
  });

  it.each(['fname', 'lname', 'email'])('quotes no malformed value of a user: %s', async (field) => {
    for (const value of WRONG)
      expect([value, (await textsOf('User', 'client', { ...user, [field]: value })).includes('hunter3')]).toEqual([
        value,
        false,
      ]);
  });

  it.each<[string, unknown]>([
    ['in the place of the name of a variable', { env: CANARY }],
    ['as a file', { file: [CANARY] }],
    ['as an entry', { entry: { name: CANARY } }],
    ['as the value', CANARY],
    ['as a list', [CANARY]],
    ['as a key', { [CANARY]: null }],
    ['under an unknown key', { value: CANARY }],
    ['next to the name', { env: 'ALICE_PASSWORD', [CANARY]: true }],
    ['as a token of rotation', { env: 'ALICE_PASSWORD', rotate: { x: CANARY } }],
  ])('quotes no secret %s', async (_place, value) => {
    const text = await textsOf('Mailspace', 'example.com', password(value));
    expect(text).toContain('HW');
    expect(text).not.toContain('hunter3');
  });

  it('still quotes a value that is neither', async () => {
    expect(await textsOf('Site', 'shop', { domains: ['canary of a name'] })).toContain('canary of a name');
  });
});
