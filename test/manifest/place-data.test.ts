import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ManifestData } from '../../src/model/kind/to-manifest.ts';
import type { JsonObject } from '../../src/model/json.ts';
import type { DataRequest } from '../../src/manifest/write/place-data.ts';
import { placeData } from '../../src/manifest/write/place-data.ts';
import { ADA } from '../support/registrations.ts';

type Person = JsonObject & Readonly<Record<'firstName' | 'lastName', string>> & { readonly organization?: string };
const contact = (pointer: string, spec: Person = ADA): ManifestData => ({
  kind: 'Contact',
  folder: 'contacts',
  pointer,
  spec,
  called: [spec.organization ?? '', `${spec.firstName} ${spec.lastName}`],
});
const root = (...data: readonly ManifestData[]) => ({ spec: { autoRenew: true }, leftOut: [], data });
const place = (roots: DataRequest['roots'], more: Omit<DataRequest, 'roots'> = {}) => placeData({ roots, ...more });

describe('plain data', () => {
  it('is written once, however many roles of however many names have it', () => {
    const { roots, manifests } = place([
      root(contact('/contacts/owner'), contact('/contacts/tech', { ...ADA, organization: 'Acme B.V.' })),
      root(contact('/contacts/owner')),
    ]);
    expect(roots.map(({ spec }) => spec)).toEqual([
      { autoRenew: true, contacts: { owner: { ref: 'Contact/ada-vries' }, tech: { ref: 'Contact/acme-b-v' } } },
      { autoRenew: true, contacts: { owner: { ref: 'Contact/ada-vries' } } },
    ]);
    expect(manifests.map(({ name, file, spec }) => [name, file, spec])).toEqual([
      ['ada-vries', 'contacts/ada-vries.yaml', ADA],
      ['acme-b-v', 'contacts/acme-b-v.yaml', { ...ADA, organization: 'Acme B.V.' }],
    ]);
  });

  it('that a manifest holds already is named, and not written again', () => {
    const { roots, manifests } = place([root(contact('/contacts/owner'))], {
      known: [{ kind: 'Contact', name: 'The Boss', spec: ADA }],
    });
    expect(roots[0]?.spec).toEqual({ autoRenew: true, contacts: { owner: { ref: 'Contact/The%20Boss' } } });
    expect(manifests).toEqual([]);
  });

  it('has another name where two are called the same, or the name is taken', () => {
    const taken = { manifests: [{ kind: 'Contact', name: 'ada-vries' }], files: [] };
    const { manifests } = place(
      [root(contact('/contacts/owner'), contact('/contacts/tech', { ...ADA, city: 'Delft' }))],
      { taken },
    );
    expect(new Set(manifests.map(({ name }) => name)).size).toBe(2);
    expect(manifests.map(({ name }) => name)).not.toContain('ada-vries');
  });

  it('that no manifest could hold is left out, and why is said without showing any of it', () => {
    const { roots, manifests } = place([
      root(
        contact('/contacts/owner', {
          firstName: 'Ada',
          lastName: 'Vries',
          country: 'NL',
          email: 'ada@acme.example',
          phone: '020 1234567',
          city: 'Amsterdam',
        }),
        contact('/contacts/tech'),
      ),
    ]);
    expect(roots).toEqual([
      {
        spec: { autoRenew: true, contacts: { tech: { ref: 'Contact/ada-vries' } } },
        leftOut: [
          {
            what: 'contacts/owner',
            reason:
              'no Contact can be written of what is live: `postCode` and `streetAddress` are not told, and `phone` has a form that no manifest takes',
          },
        ],
      },
    ]);
    expect(manifests).toHaveLength(1);
    expect(
      place([root(contact('/contacts/owner', { ...ADA, email: 'ada', phone: '1' }))]).roots[0]?.leftOut[0]?.reason,
    ).toMatch(/: `email` and `phone` have a form that no manifest takes$/);
    expect(
      place([root(contact('/contacts/owner', { ...ADA, extraProperties: 'x' }))]).roots[0]?.leftOut[0]?.reason,
    ).toMatch(/: `extraProperties` has a form that no manifest takes$/);
  });

  it('leads back to what each had, whoever shares it with whom', () => {
    const person = fc
      .record({
        firstName: fc.constantFrom('Ada', 'ada', 'Ben'),
        organization: fc.constantFrom('Acme', '\u{1f680}', 'ACME'),
      })
      .map((some) => ({ ...ADA, ...some }));
    const roles = ['owner', 'admin', 'tech', 'billing'];
    fc.assert(
      fc.property(fc.array(fc.array(person, { minLength: 1, maxLength: 4 }), { maxLength: 6 }), (names) => {
        const { roots, manifests } = place(
          names.map((people) => root(...people.map((spec, index) => contact(`/contacts/${roles[index]}`, spec)))),
        );
        for (const [index, people] of names.entries()) {
          const contacts = roots[index]?.spec.contacts as Readonly<Record<string, { readonly ref: string }>>;
          for (const [at, spec] of people.entries())
            expect(
              manifests
                .filter(({ name }) => `Contact/${name}` === contacts[roles[at] as string]?.ref)
                .map((manifest) => manifest.spec),
            ).toEqual([spec]);
        }
        expect(manifests).toHaveLength(
          new Set(names.flat().map(({ firstName, organization }) => `${firstName} ${organization}`)).size,
        );
      }),
    );
  });
});
