// What can be done to contacts and registrations from outside /api: look at the raw store, change it, move processes
// on, be the person at the portal.
import { changing, oneOf, textOf, there, troubleOf } from '../core/controls.ts';
import type { Body, Controls } from '../core/controls.ts';
import { endProcess } from './processes.ts';
import { REGISTRAR_TROUBLES, addContact, addRegistration } from './state.ts';
import type { Contact, ContactFields, ProcessFate } from './state.ts';
import { leave, runRegistrarTime } from './clock.ts';
import { announceDomain } from './events.ts';
import type { RegisteredDomain } from './events.ts';
import { controlPath, events, few } from '../core/outside.ts';
import type { OutsideEvent } from '../core/outside.ts';
import { plain } from '../core/snapshot.ts';
import { takeSerial } from '../core/state.ts';
import type { World } from '../core/world.ts';

const YEAR_MS = 365 * 86_400_000;

export function registrationControls(world: World): Controls {
  const { registrar } = world.state;
  /** A name is addressed by itself or by its guid. */
  const onName = changing(({ registration: wanted }) => {
    runRegistrarTime(world);
    const names = [...registrar.registrations.values()];
    return there(
      names.find(({ id, name }) => id === wanted || name === wanted),
      'registration',
    );
  });
  return {
    'POST /domain_events': ({ action, ...domain }) => announceDomain(world, everyday(world, domain), String(action)),
    'GET /registrar': () => {
      runRegistrarTime(world);
      return plain(registrar);
    },
    // The flag, troubles and fates of processes to come, names that others hold.
    'PATCH /registrar': ({ enabled, suggestionsKey, taken, premium, troubles, fates }) => {
      if (enabled !== undefined) registrar.enabled = enabled === true;
      if (suggestionsKey !== undefined) registrar.suggestionsKey = suggestionsKey === true;
      if (Array.isArray(taken)) registrar.taken = taken.map(String);
      if (Array.isArray(premium)) registrar.premium = premium.map(String);
      if (Array.isArray(troubles)) registrar.troubles = troubles.map((one) => troubleOf(REGISTRAR_TROUBLES, one));
      if (Array.isArray(fates)) registrar.fates.push(...(fates as ProcessFate[]));
    },
    'PATCH /registrar/tlds/:tld': changing(({ tld }) =>
      there(
        registrar.tlds.find(({ name }) => name === tld),
        'TLD',
      ),
    )((tld, body) => Object.assign(tld, body)),
    'POST /registrar/contacts': (body) => {
      const given = body as Pick<Contact, 'accountId'> & { fields?: Partial<ContactFields> };
      return { id: addContact(registrar, { id: 9_000 + takeSerial(world.state), ...given }).id };
    },
    'PATCH /registrar/contacts/:contact': changing(({ contact }) =>
      there(registrar.contacts.get(Number(contact)), 'contact'),
    )((contact, { fields, ...rest }) =>
      Object.assign(contact, rest, {
        fields: { ...contact.fields, ...(fields as Partial<ContactFields> | undefined) },
      }),
    ),
    'DELETE /registrar/contacts/:contact': (_body, { contact }) => ({
      removed: registrar.contacts.delete(Number(contact)),
    }),
    'POST /registrations': (body) => {
      const given = { name: textOf(body, 'name'), accountId: textOf(body, 'accountId') };
      return { id: addRegistration(registrar, { ...body, ...given }).id };
    },
    'PATCH /registrations/:registration': onName((one, body) => Object.assign(one, body)),
    'DELETE /registrations/:registration': onName(({ id }) => registrar.registrations.delete(id)),
    // The older one: it says who owns a name, and no more.
    'POST /dns/registrations': (body) => {
      const name = textOf(body, 'name');
      const there = [...registrar.registrations.values()].find((one) => one.name === name);
      if (there !== undefined) registrar.registrations.delete(there.id);
      const lapsed = body['status'] === 'expired' ? { status: 'EXPIRED', expiresAt: world.clock.now() } : {};
      if (body['status'] !== 'purged')
        addRegistration(registrar, { name, accountId: textOf(body, 'accountId'), ...lapsed });
    },
    // What only a registrar, or a person at the portal, can do.
    'POST /registrations/:registration/process': onName((registration, body) => {
      const outcome = oneOf(['completed', 'failed', 'stuck'], body['outcome'], 'outcome');
      if (registration.process === null) throw new Error('no process is on its way');
      if (outcome === 'stuck') registration.process.endsAt = null;
      else endProcess(world, registration, outcome === 'completed');
    }),
    'POST /registrations/:registration/portal': onName((registration) => {
      // GAP-64: how a purchase at the portal ends is not documented.
      registration.privacyPaid = true;
      if (world.ambiguities['GAP-64'] === 'switches') registration.privacyProtect = true;
    }),
    'POST /registrations/:registration/leave': onName((registration) => leave(world, registration)),
  };
}

/** A registration with everyday values, where nothing else is said. */
function everyday(world: World, given: Body): RegisteredDomain {
  return {
    id: `reg-${textOf(given, 'name')}`,
    name: textOf(given, 'name'),
    accountId: 'acc-acme',
    status: 'OK',
    expiresAt: world.clock.now() + YEAR_MS,
    autoRenew: true,
    privacyProtect: false,
    recoveryPhase: null,
    price: { amount_cents: 1_200, currency: 'EUR', term: 'yearly' },
    ...(given as Partial<RegisteredDomain>),
  };
}

export function registrarEvents({ state }: World): readonly OutsideEvent[] {
  const names = [...state.registrar.registrations.values()];
  return events('Registrations', [
    ...few(names, ({ process }) => process !== null).flatMap(({ name }) => {
      const path = controlPath('registrations', name, 'process');
      return [
        [`The registrar completes what is under way for ${name}`, 'POST', path, { outcome: 'completed' }],
        [`The registrar refuses what is under way for ${name}`, 'POST', path, { outcome: 'failed' }],
      ] as const;
    }),
    ...few(names, ({ process }) => process === null)
      .slice(0, 1)
      .flatMap(({ name }) => {
        const path = controlPath('registrations', name);
        return [
          [`Switch automatic renewal of ${name} off elsewhere`, 'PATCH', path, { autoRenew: false }],
          [`Transfer ${name} to another registrar`, 'POST', `${path}/leave`],
        ] as const;
      }),
  ]);
}
