// How contacts and registrations look in a hand-written fixture: by name and e-mail address, no generated ids, no
// times, no codes, everything sorted.
import { byName } from '../core/snapshot.ts';
import { ROLES, ROLE_KEYS } from './state.ts';
import type { Contact, Host, Registrar, Registration } from './state.ts';

/** Nothing where there are none. */
export function registrationSnapshot(registrar: Registrar): {
  readonly registrations?: unknown;
  readonly contacts?: unknown;
} {
  const { registrations, contacts } = registrar;
  return {
    ...(registrations.size === 0
      ? {}
      : {
          registrations: byName([...registrations.values()].map((one) => [one.name, registrationOf(registrar, one)])),
        }),
    ...(contacts.size === 0
      ? {}
      : {
          contacts: [...contacts.values()]
            .map(contactOf)
            .sort((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1)),
        }),
  };
}

function registrationOf({ contacts }: Registrar, registration: Registration): unknown {
  const {
    accountId,
    status,
    autoRenew,
    locked,
    privacyProtect,
    dnssecEnabled,
    dnssecKeys,
    nameservers,
    hosts,
    process,
    refunds,
  } = registration;
  return {
    account: accountId,
    status,
    autoRenew,
    locked,
    privacyProtect,
    dnssec: dnssecEnabled ? dnssecKeys : null,
    nameservers: [...nameservers].sort(),
    hosts: byName(hosts.map(({ name, addresses }: Host) => [name, [...addresses].sort()])),
    process: process?.action ?? null,
    refunds,
    contacts: Object.fromEntries(
      ROLES.map((role) => [role, contacts.get(registration[ROLE_KEYS[role]] ?? -1)?.fields.email ?? null]),
    ),
  };
}

function contactOf({ accountId, tld, fields }: Contact): Record<string, unknown> {
  return { account: accountId, tld, ...fields };
}
