// `run delete` and `run resend DomainRegistration/NAME`: only what nothing uses is deleted, and the plan says what stays behind.
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

describe('run delete DomainContact/ID', () => {
  it('DCT-06: deletes what no registration uses, and asks with its name', async () => {
    const one = await open();
    const { asked, confirm } = asking();
    const done = await act(one.session(), { operation: 'delete-unused', address: 'DomainContact' }, confirm);
    expect(done, JSON.stringify(done)).toMatchObject({ outcome: 'done', deletion: { deleted: ['805'] } });
    expect(asked).toEqual([
      matching(/^Delete the contact 805 \(Orphan.*\), which no registration uses\? Nothing brings it back\.$/),
    ]);
    expect(writes(one)).toEqual(['DELETE /api/domain_contacts/805']);
    const none = await act(one.session(), { operation: 'delete-unused', address: 'DomainContact' }, yes);
    expect(none).toMatchObject({ outcome: 'done', message: 'Every contact is used by a registration.' });
  });

  it('DCT-06: a contact in use is named with its registrations, and nothing is sent', async () => {
    const one = await open();
    const used = await act(one.session(), { operation: 'delete', address: 'DomainContact/806' }, yes);
    expect(used).toMatchObject({ outcome: 'error', diagnostics: told('is used by one.com, two.com') });
    const none = await act(one.session(), { operation: 'delete', address: 'DomainContact/999' }, yes);
    expect(none.diagnostics[0]?.detail).toContain('has no contact 999');
    expect(writes(one)).toEqual([]);
  });

  it('DCT-06: what cannot be read whole is not unused', async () => {
    const one = await open({
      faults: [{ kind: 'not-a-list', match: { method: 'GET', path: '/api/domain_registrations' } }],
    });
    expect((await act(one.session(), { operation: 'delete-unused', address: 'DomainContact' }, yes)).outcome).toBe(
      'error',
    );
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
    expect(await act(one.session(), { operation: 'delete-unused', address: 'DomainContact' }, yes)).toMatchObject({
      outcome: 'waiting',
      diagnostics: told('The order order-1 goes on'),
    });
    expect(writes(one)).toEqual([]);
  });

  it('DCT-06, REG-26: the plan of a changed role says which contact stays behind', async () => {
    const manifest = (role: string) =>
      `apiVersion: hostwright/v1\nkind: DomainRegistration\nmetadata: { name: plain.com }\nspec: { contacts: { ${role}: { ref: Contact/zed } } }\n---\napiVersion: hostwright/v1\nkind: Contact\nmetadata: { name: zed }\nspec: { firstName: Zed, lastName: Z, streetAddress: S 1, postCode: 1000 AA, city: A, country: NL, email: zed@acme.example, phone: "+31.201234567" }\n`;
    const one = await open({ files: { 'sites/plain.yaml': manifest('tech') } });
    expect(JSON.stringify(await one.planned())).toContain('run `hostwright run delete DomainContact/802`');
    expect((await one.apply()).outcome.outcome).toBe('done');
    expect((await act(one.session(), { operation: 'delete', address: 'DomainContact/802' }, yes)).outcome).toBe('done');
    // Ada has other roles and other names: she stays in use.
    await one.write('sites/plain.yaml', manifest('admin'));
    expect(JSON.stringify(await one.planned())).not.toContain('run delete');
  });

  it('deletes a contact and resends a message from the command line', async () => {
    const { run } = await openCommandLine({ scenario: 'registrar' });
    expect((await run('run delete DomainContact --yes')).stderr).toContain('It supports delete-unused.');
    const done = await run('run delete DomainContact/805 --yes -o json');
    expect(JSON.parse(done.stdout)).toMatchObject({ format: 'hostwright.run/1', deletion: { deleted: ['805'] } });
    expect((await run('run resend DomainRegistration/plain.com --yes')).stdout).toContain('ada@acme.example');
  });
});

describe('run resend DomainRegistration/NAME', () => {
  it('REG-31: asks the holder of a name, and says where nobody has to confirm', async () => {
    const one = await open();
    expect(
      await act(one.session(), { operation: 'resend', address: 'DomainRegistration/plain.com' }, yes),
    ).toMatchObject({
      outcome: 'done',
      message: containing('hostwright get contact 801'),
    });
    expect(await act(one.session(), { operation: 'resend', address: 'DomainRegistration/slow.eu' }, yes)).toMatchObject(
      {
        outcome: 'error',
        diagnostics: told('obody has to confirm anything'),
      },
    );
  });
});
