// How contacts read in a terminal, whatever the platform shows of them.
import { describe, expect, it } from 'vitest';
import { renderContact, renderContacts } from '../../src/report/text/contact.ts';

const plain = { color: false };
const use = (registration: string, ...roles: readonly string[]) => ({ registration, roles });
const contact = {
  id: 801,
  handle: 'SBX-801',
  first_name: 'Ada',
  last_name: 'Vries',
  organization: 'Acme',
  email: 'ada@acme.example',
  validations: [{ type: 'email', status: 'verified' }, 'phone:pending'],
  extra_properties: { 'x-kind': 'a b' },
  split_from_id: null,
};
const lines = (text: string) => text.split('\n').map((line) => line.replace(/ {2,}/g, ' | '));

describe('a list of contacts', () => {
  it('names person, company, uses and validations', () => {
    expect(
      lines(
        renderContacts(
          [{ contact, usedBy: [use('a.nl', 'owner', 'admin', 'tech', 'billing'), use('b.nl', 'tech')] }],
          plain,
        ),
      ),
    ).toEqual([
      ' id | handle | name | email | used by | validations',
      '801 | SBX-801 | Ada Vries (Acme) | ada@acme.example | a.nl (all roles), b.nl (tech) | type=email status=verified; phone:pending',
    ]);
  });

  it('counts the uses that it does not name', () => {
    const usedBy = ['a.nl', 'b.nl', 'c.nl', 'd.nl', 'e.nl'].map((name) => use(name, 'owner'));
    expect(renderContacts([{ contact, usedBy }], plain)).toContain('c.nl (owner) and 2 more');
  });

  it('says nothing of what is not there, and that there are none', () => {
    expect(
      lines(
        renderContacts(
          [{ contact: { id: 802, first_name: '', organization: '', validations: [] }, usedBy: [] }],
          plain,
        ),
      )[1],
    ).toBe('802 | - | - | - | - | -');
    expect(renderContacts([], plain)).toBe('There are no contacts.');
  });
});

describe('one contact', () => {
  it('shows every field as it comes, and every use', () => {
    const text = lines(renderContact({ contact, usedBy: [use('a.nl', 'owner'), use('b.nl', 'tech')] }, plain));
    expect(text).toEqual(
      expect.arrayContaining([
        'email | ada@acme.example',
        'extra_properties | x-kind="a b"',
        'split_from_id | -',
        'used by | a.nl (owner)',
        'used by | b.nl (tech)',
      ]),
    );
  });

  it('says that nobody uses it', () => {
    expect(lines(renderContact({ contact, usedBy: [] }, plain)).at(-1)).toBe('used by | no registration');
  });
});
