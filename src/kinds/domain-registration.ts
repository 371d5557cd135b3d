// A registered domain name: bound by its name. What can be set on it are kinds of their own; renewal is told here.
// Must not let a name lapse by accident: renewal goes on first and off last (O-65), and off only as an answered question (REG-13).
import { canonicalHostname } from '../model/hostname.ts';
import type { JsonObject } from '../model/json.ts';
import { defineKind, fixed, updatable } from '../model/kind.ts';
import type { Step } from '../model/request.ts';
import { path, ref } from '../model/request.ts';
import type { Address } from '../model/address.ts';
import { rowsAt, textAt } from '../model/rows.ts';
import { changeSteps, factAt, registrationGuards, registrationList, registrationWrite } from './registration-guards.ts';

export interface DomainRegistrationSpec {
  readonly name: string;
  readonly autoRenew: boolean;
}

export const domainRegistration = defineKind<DomainRegistrationSpec>({
  kind: 'DomainRegistration',
  parent: null,
  list: 'asset',
  section: {
    fields: ['autoRenew', 'order', 'contacts'],
    expand: (spec, name) => [{ name: null, spec: { name: canonicalHostname(name ?? ''), ...(spec.autoRenew !== undefined && { autoRenew: spec.autoRenew }) }, pointer: '' }],
  },
  identity: ({ name = '' }) => name,
  keys: (name) => [[canonicalHostname(name)]],
  fields: { name: fixed('Another name is another registration.'), autoRenew: updatable() },
  normalise: (spec) => spec,
  reads: { list: registrationList },
  failures: registrationGuards,
  decode: ({ list }) => rowsAt(list).map(decodeRow),
  cannotCreate: { because: 'the account has no registration of this name', todo: 'Register it in the dashboard.', rule: 'ORD-30' },
  update: {
    renewal: { writes: ['autoRenew'], requires: registrationWrite, steps: ({ self, desired }) => renewalSteps(self, desired.autoRenew === true) },
  },
  order: [],
});

function decodeRow(row: JsonObject) {
  const name = canonicalHostname(textAt(row, '/name'));
  return {
    id: textAt(row, '/id'),
    spec: { name, ...(typeof row.auto_renew === 'boolean' && { autoRenew: row.auto_renew }) },
    facts: { status: factAt(row, 'status'), busy: row.pending_async === true },
    keys: [[name]],
  };
}

function renewalSteps(self: Address, on: boolean): readonly Step[] {
  return changeSteps(self, {
    name: 'renewal',
    method: 'PATCH',
    path: path`/api/domain_registrations/${ref(self)}`,
    body: { domain_registration: { auto_renew: on } },
    because: on ? 'have it renewed by itself' : 'let it run out at its end',
    rule: 'REG-12',
  });
}
