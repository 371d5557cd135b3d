// The name servers of a registration: one list, written whole. Order, letter case and a dot at the end mean nothing
// (REG-14).
import { diagnose } from '../../../model/diagnostic.ts';
import { canonicalHostname } from '../../../model/hostname.ts';
import type { Notice } from '../../../model/kind/kind.ts';
import { createOnly, defineChild, unordered } from '../../../model/kind/kind.ts';
import type { JsonObject } from '../../../model/json.ts';
import { sameJson, valueAt } from '../../../model/json.ts';
import { path, ref } from '../../../model/plan/step.ts';
import { rowsAt, textsAt } from '../../../model/kind/rows.ts';
import { changeSteps } from './guards.ts';
import { registrationSection, sectionComputed, whileLocked } from './section.ts';

export interface RegistrationNameserversSpec {
  readonly nameservers: readonly string[];
  /** What is declared of DNSSEC beside them. */
  readonly dnssec: JsonObject;
}

export const registrationNameservers = defineChild<RegistrationNameserversSpec>({
  kind: 'RegistrationNameservers',
  ...registrationSection,
  section: {
    fields: ['nameservers'],
    expand: ({ nameservers = null, dnssec }) => [
      {
        name: null,
        spec: { nameservers, ...(dnssec !== undefined && { dnssec }) },
        pointer: '/nameservers',
        pointers: { nameservers: '/nameservers' },
      },
    ],
  },
  fields: { nameservers: unordered(), dnssec: createOnly('It is a section of its own.') },
  // A reference stays as it is until it is known what it leads to.
  normalise: (spec) =>
    Array.isArray(spec.nameservers)
      ? { ...spec, nameservers: spec.nameservers.map((name) => canonicalHostname(name as string)) }
      : spec,
  decode: ({ row }) =>
    rowsAt(row).map((one) => ({
      id: 'nameservers',
      spec: { nameservers: textsAt(one, 'nameservers') },
      computed: { ...sectionComputed(one), signed: one.dnssec_enabled === true },
    })),
  update: {
    nameservers: {
      writes: ['nameservers'],
      steps: ({ parent, desired, computed }) =>
        changeSteps(
          parent,
          {
            name: 'nameservers',
            method: 'PATCH',
            path: path`/api/domain_registrations/${ref(parent)}/nameservers`,
            body: { nameservers: desired.nameservers as readonly string[] },
            reason: 'write the whole list of name servers',
            rule: 'REG-14',
          },
          whileLocked(computed),
        ),
    },
  },
  order: [
    {
      rule: 'O-59',
      reason: 'the registry has to know a host before a name server is called by it',
      within: 'parent',
      before: ({ kind }) => kind === 'RegistrationHost',
      after: ({ kind }) => kind === 'RegistrationNameservers',
      between: (host, { changes }) =>
        changes.some(({ value }) => (value as readonly string[]).some((name) => host.address.endsWith(`/${name}`))),
    },
  ],
  notices: ({ spec, computed }, { nameservers, dnssec }) =>
    computed.signed === true && !sameJson(nameservers, spec.nameservers) && valueAt(dnssec, '/enabled') !== false
      ? [SIGNED]
      : [],
  manifest: {
    item: ({ spec }) => spec.nameservers,
  },
});

const SIGNED: Notice = diagnose(
  'HW2501',
  'The registry vouches for keys that the present name servers sign with. If the new ones sign with others, whoever checks does not find the name: declare their keys with another `rotate` mark, or have DNSSEC off first with `enabled: false` (O-57).',
);
