// Conformance of what the documents leave open about contacts of registrations.
import assert from 'node:assert/strict';
import { gapsIn } from '../context.ts';
import type { Client } from '../context.ts';
import { CONTACTS, PERSON, at, field, orderDomain, patch, wait } from './support.ts';

const edit = (client: Client, name: string, fields: object) =>
  patch(client, name, 'holder', { holder_contact: { action_mode: 'edit_current', ...fields } });

export const registrationContactGapCases = gapsIn('registrar', {
  'GAP-50: what wraps a contact and a registration': [
    { wrapped: [801, undefined, 'plain.com', undefined], bare: [undefined, 801, undefined, 'plain.com'] },
    async (client) => {
      const [contact, registration] = [await client.get(`${CONTACTS}/801`), await client.get(at('plain.com'))];
      return [
        contact.at('domain_contact', 'id'),
        contact.at('id'),
        registration.at('domain_registration', 'name'),
        registration.at('name'),
      ];
    },
  ],
  'GAP-50.tld: a contact of another TLD': [
    { refused: [422, undefined, undefined], copied: [200, 'Cleo', 803] },
    async (client) => {
      const reply = await patch(client, 'plain.com', 'contacts', {
        tech_contact: { source: 'existing' },
        tech_source_domain_contact_id: 803,
      });
      return [
        reply.status,
        reply.at('domain_registration', 'tech_contact', 'first_name'),
        reply.at('domain_registration', 'tech_contact', 'split_from_id'),
      ];
    },
  ],
  'GAP-50.validations: the items of validations': [
    { objects: [{ type: 'email', status: 'verified' }], texts: ['email:verified'] },
    async (client) => (await client.get(`${CONTACTS}/801`)).at('domain_contact', 'validations'),
  ],
  'GAP-57: changing a contact of a busy name': [
    { accepted: 202, busy: 409 },
    async (client) => (await client.call('PATCH', `${CONTACTS}/803`, { domain_contact: { city: 'Delft' } })).status,
  ],
  'GAP-57.validated: changing a validated field of a contact': [
    { accepted: [200, 'pending'], refused: [409, 'verified'] },
    async (client) => {
      const reply = await client.call('PATCH', `${CONTACTS}/802`, { domain_contact: { email: 'new@acme.example' } });
      return [reply.status, (await client.get(`${CONTACTS}/802`)).at('domain_contact', 'validations', 0, 'status')];
    },
  ],
  'GAP-58: a role that follows the owner': [
    { same: true, copy: false },
    async (client) => {
      const reply = await patch(client, 'plain.com', 'contacts', { tech_contact: { source: 'same_as_owner' } });
      assert.equal(reply.at('domain_registration', 'tech_contact', 'email'), 'ada@acme.example');
      return (
        reply.at('domain_registration', 'tech_contact', 'id') === reply.at('domain_registration', 'owner_contact', 'id')
      );
    },
  ],
  'REG-21 validatedFields: which registries validate fields': [
    { 'by-tld': 200, always: 409 },
    async (client) => (await edit(client, 'bare.nl', { email: 'new@acme.example' })).status,
  ],
  'REG-21 confirmedModes: another holder and validated fields': [
    { edit: [200, 200], 'edit-and-change': [409, 200] },
    async (client) => {
      const replaced = (more: object) =>
        patch(client, 'plain.com', 'holder', {
          holder_contact: { action_mode: 'change', new_contact: PERSON, ...more },
        });
      return [(await replaced({})).status, (await replaced({ confirm_reverification: '1' })).status];
    },
  ],
  'REG-19 holderFields: editing the holder, in part or whole': [
    { partial: 'Acme', full: null },
    async (client) => {
      await edit(client, 'bare.nl', { organization: 'Acme' });
      return (await edit(client, 'bare.nl', { city: 'Delft' })).at(
        'domain_registration',
        'owner_contact',
        'organization',
      );
    },
  ],
  'REG-19 holderShared: editing a holder whom other names share': [
    { shared: ['Delft', null], split: ['Amsterdam', 806] },
    async (client) => {
      const reply = await edit(client, 'one.com', { city: 'Delft' });
      return [
        await field(client, 'two.com', 'owner_contact', 'city'),
        reply.at('domain_registration', 'owner_contact', 'split_from_id'),
      ];
    },
  ],
  'REG-19 holderSource: where the contact is named that replaces the holder': [
    { inside: [200, 422], beside: [422, 200] },
    async (client) => {
      const [source, action_mode] = [{ source_domain_contact_id: 802 }, 'change'];
      return [
        (await patch(client, 'plain.com', 'holder', { holder_contact: { action_mode, ...source } })).status,
        (await patch(client, 'plain.com', 'holder', { holder_contact: { action_mode }, ...source })).status,
      ];
    },
  ],
  'REG-26 roleKeys: where the keys of a role stand': [
    { flat: [200, 422], nested: [422, 200] },
    async (client) => {
      const [source, key] = ['existing', { tech_source_domain_contact_id: 806 }];
      return [
        (await patch(client, 'plain.com', 'contacts', { tech_contact: { source }, ...key })).status,
        (await patch(client, 'plain.com', 'contacts', { tech_contact: { source, ...key } })).status,
      ];
    },
  ],
  'ORD-39 violations: how the faults of a contact are listed': [
    { texts: ['state is missing'], map: { state: 'is missing' } },
    async (client) => (await orderDomain(client, 'new.us')).at('violations'),
  ],
  'GAP-58: the roles of an order follow its owner': [
    { same: 1, copy: 4 },
    async (client) => {
      await orderDomain(client, 'new.com');
      wait(client, 20_000);
      return (await client.get(`${CONTACTS}?q=${PERSON.first_name}`)).column('domain_contacts', 'id').length;
    },
  ],
});
