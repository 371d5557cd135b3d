// How contacts and registrations look in a hand-written fixture: by name and e-mail address, no generated ids, no
// times, no codes, everything sorted.
import type { Row } from '../core/http/endpoint.ts';
import { byName, section } from '../core/snapshot.ts';
import { ROLES, ROLE_KEYS } from './state.ts';
import type { Contact, Registrar, Registration } from './state.ts';

export function registrationSnapshot(registrar: Registrar): Readonly<Row> {
  const registrations = [...registrar.registrations.values()];
  const contacts = [...registrar.contacts.values()].map(contactOf);
  contacts.sort((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));
  return {
    ...section(
      'registrations',
      registrations.map((one) => [one.name, registrationOf(registrar, one)]),
    ),
    ...(contacts.length === 0 ? {} : { contacts }),
  };
}

function registrationOf({ contacts }: Registrar, registration: Registration): unknown {
  const { accountId: account, status, autoRenew, locked, privacyProtect, refunds } = registration;
  const { dnssecEnabled, dnssecKeys, nameservers, hosts, process } = registration;
  return {
    account,
    status,
    autoRenew,
    locked,
    privacyProtect,
    dnssec: dnssecEnabled ? dnssecKeys : null,
    nameservers: [...nameservers].sort(),
    hosts: byName(hosts.map(({ name, addresses }) => [name, [...addresses].sort()])),
    process: process?.action ?? null,
    refunds,
    contacts: Object.fromEntries(
      ROLES.map((role) => [role, contacts.get(registration[ROLE_KEYS[role]] ?? -1)?.fields.email ?? null]),
    ),
  };
}

function contactOf({ accountId, tld, fields }: Contact): Row {
  return { account: accountId, tld, ...fields };
}
