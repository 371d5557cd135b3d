// `contact delete` and `contact verify NAME`: only what nothing uses is deleted, and the plan says what stays behind.
import { describe, expect, it } from 'vitest';
import { asking } from '../../support/asking.ts';
import { openCommandLine } from '../../support/command-line.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import { act } from '../../../src/usecases/act/act.ts';
import { containing, matching } from '../../support/matchers.ts';

const open = (options: HarnessOptions = {}) => openHarness({ scenario: 'registrar', ...options });

const yes = () => Promise.resolve(true);
const writes = ({ sandbox }: Harness) =>
  sandbox.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
const told = (text: string) => [{ detail: containing(text) }];

describe('contact delete', () => {
  it('DCT-06: deletes what no registration uses, and asks with its name', async () => {
    const one = await open();
    const { asked, confirm } = asking();
    const done = await act(one.session(), 'contact delete', { unused: true }, confirm);
    expect(done, JSON.stringify(done)).toMatchObject({ outcome: 'done', deletion: { deleted: ['805'] } });
    expect(asked).toEqual([
      matching(/^Delete the contact 805 \(Orphan.*\), which no registration uses\? Nothing brings it back\.$/),
    ]);
    expect(writes(one)).toEqual(['DELETE /api/domain_contacts/805']);
    const none = await act(one.session(), 'contact delete', { unused: true }, yes);
    expect(none).toMatchObject({ outcome: 'done', message: 'Every contact is used by a registration.' });
  });

  it('DCT-06: a contact in use is named with its registrations, and nothing is sent', async () => {
    const one = await open();
    const used = await act(one.session(), 'contact delete', { ids: ['805', '806', '999'] }, yes);
    expect(used).toMatchObject({ outcome: 'error', diagnostics: told('is used by one.com, two.com') });
    expect(used.diagnostics[0]?.detail).toContain('has no contact 999');
    expect(writes(one)).toEqual([]);
  });

  it('DCT-06: what cannot be read whole is not unused', async () => {
    const one = await open({
      faults: [{ kind: 'not-a-list', match: { method: 'GET', path: '/api/domain_registrations' } }],
    });
    expect((await act(one.session(), 'contact delete', { unused: true }, yes)).outcome).toBe('error');
    expect(writes(one)).toEqual([]);
  });

  it('ORD-02, ORD-07: while a purchase goes on its contact may be used by nothing yet', async () => {
    const one = await open();
    one.sandbox.state.orders.set('order-1', {
      id: 'order-1',
      accountId: 'acc-acme',
      status: 'processing',
      locationShortName: null,
      createdAt: 0,
      updatedAt: 0,
    });
    expect(await act(one.session(), 'contact delete', { unused: true }, yes)).toMatchObject({
      outcome: 'waiting',
      diagnostics: told('The order order-1 goes on'),
    });
    expect(writes(one)).toEqual([]);
  });

  it('DCT-06, REG-26: the plan of a changed role says which contact stays behind', async () => {
    const manifest = (role: string) =>
      `apiVersion: hostwright/v1\nkind: DomainRegistration\nmetadata: { name: plain.com }\nspec: { contacts: { ${role}: { ref: Contact/zed } } }\n---\napiVersion: hostwright/v1\nkind: Contact\nmetadata: { name: zed }\nspec: { firstName: Zed, lastName: Z, streetAddress: S 1, postCode: 1000 AA, city: A, country: NL, email: zed@acme.example, phone: "+31.201234567" }\n`;
    const one = await open({ files: { 'sites/plain.yaml': manifest('tech') } });
    expect(JSON.stringify(await one.planned())).toContain('`hostwright contact delete 802` deletes it');
    expect((await one.apply()).outcome.outcome).toBe('done');
    expect((await act(one.session(), 'contact delete', { ids: ['802'] }, yes)).outcome).toBe('done');
    // Ada has other roles and other names: she stays in use.
    await one.write('sites/plain.yaml', manifest('admin'));
    expect(JSON.stringify(await one.planned())).not.toContain('contact delete');
  });

  it('on the command line: numbers or --unused, one of them', async () => {
    const { run } = await openCommandLine({ scenario: 'registrar' });
    for (const line of ['contact delete', 'contact delete 805 --unused'])
      expect((await run(line)).stderr).toContain('say which contacts');
    expect((await run('contact delete abc')).stderr).toContain('such as 801');
    const done = await run('contact delete 805 --yes -o json');
    expect(JSON.parse(done.stdout)).toMatchObject({ format: 'hostwright.contact/1', deletion: { deleted: ['805'] } });
    expect((await run('contact verify plain.com --yes')).stdout).toContain('ada@acme.example');
  });
});

describe('contact verify NAME', () => {
  it('REG-31: asks the holder of a name, and says where nobody has to confirm', async () => {
    const one = await open();
    expect(await act(one.session(), 'contact verify', { id: 'plain.com' }, yes)).toMatchObject({
      outcome: 'done',
      message: containing('hostwright get contact 801'),
    });
    expect(await act(one.session(), 'contact verify', { id: 'slow.eu' }, yes)).toMatchObject({
      outcome: 'error',
      diagnostics: told('obody has to confirm anything'),
    });
  });
});
