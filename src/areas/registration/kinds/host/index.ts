// A host below a registered name, whose addresses the registry holds (glue). It is made and its addresses are replaced;
// no document says how one is removed (GAP-52). It must not send the version of an address: the platform finds it out
// (HST-02).
import { canonicalHostname } from '../../../../model/hostname.ts';
import type { ChildContext, Blocker } from '../../../../model/kind/kind.ts';
import { defineChild, immutable, unordered } from '../../../../model/kind/kind.ts';
import { rowsAt, textAt } from '../../../../model/kind/rows.ts';
import { canonicalRange } from '../../../common/spellings.ts';
import { registrationRow } from '../guards.ts';
import { createHostSteps, updateHostSteps } from './steps.ts';
import { sectionComputed } from '../section.ts';
import type { RegistrationHostSpec } from './spec.ts';
import { listSection } from '../../../common/sections.ts';

export const registrationHost = defineChild<RegistrationHostSpec>({
  kind: 'RegistrationHost',
  parent: 'DomainRegistration',
  list: 'additive',
  section: listSection('hosts', ({ hostName }) => canonicalHostname(hostName as string)),
  identity: 'hostName',
  fields: {
    hostName: immutable('A host keeps its name: another name is another host (HST-03).'),
    addresses: unordered(),
  },
  normalise: (spec) => ({
    ...spec,
    ...(spec.hostName !== undefined && { hostName: canonicalHostname(spec.hostName) }),
    ...(spec.addresses !== undefined && { addresses: spec.addresses.map(canonicalRange) }),
  }),
  reads: {
    row: registrationRow,
    hosts: {
      path: ({ parent }) => `/api/domain_registrations/${encodeURIComponent(parent.id)}/hosts`,
      rows: '/hosts',
    },
  },
  decode: ({ row, hosts }) => {
    const computed = sectionComputed(rowsAt(row)[0] ?? {});
    return rowsAt(hosts).map((host) => {
      const hostName = canonicalHostname(textAt(host, '/host_name'));
      return {
        id: hostName,
        spec: { hostName, addresses: rowsAt(host, '/addresses').map((one) => textAt(one, '/address')) },
        computed,
      };
    });
  },
  blockers: (_answers, context) =>
    Object.fromEntries(
      context.declared.members
        .filter(({ identity }) => !isBelow(identity, context))
        .map(({ identity }) => [identity, NOT_BELOW]),
    ),
  create: { writes: ['hostName', 'addresses'], steps: createHostSteps },
  update: { addresses: { writes: ['addresses'], steps: updateHostSteps } },
  // HST-04: there is no request for it.
  remove: {
    reason: 'no document says how a host is removed',
    remedy:
      'When no name server is called by it any more (O-60), remove it in the dashboard; the next plan sees that it is done.',
    rule: 'GAP-52',
    as: 'manual',
  },
});

const NOT_BELOW: Blocker = {
  reason: 'a host is below the name of its registration, and this one is not',
  remedy: 'Write it in the manifest of the name that it is below.',
  rule: 'HST-02',
};

function isBelow(hostName: string, { parent }: ChildContext): boolean {
  return hostName.endsWith(`.${parent.identity ?? ''}`);
}
