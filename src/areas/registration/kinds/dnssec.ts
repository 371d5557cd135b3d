// DNSSEC of a registration. Only whether it is on can be read; its keys cannot (REG-18), so they are sent when it is
// switched on, and once more when the `rotate` mark differs (GAP-54).
import type { ManifestPart, LiveMember } from '../../../model/kind/to-manifest.ts';
import type { JsonObject } from '../../../model/json.ts';
import { defineChild, createOnly, rotationToken, updatable } from '../../../model/kind/kind.ts';
import type { OrderedAction, StepContext } from '../../../model/kind/kind.ts';
import type { Step, Template } from '../../../model/plan/step.ts';
import { path, ref } from '../../../model/plan/step.ts';
import { flagAt, rowsAt } from '../../../model/kind/rows.ts';
import { unlessOn } from '../../common/protection.ts';
import { changeSteps } from './guards.ts';
import { registrationSection, sectionComputed, unsupported, whileLocked } from './section.ts';

export interface RegistrationDnssecSpec {
  readonly enabled: boolean;
  readonly keys: readonly JsonObject[];
  readonly rotate: string;
}

export const registrationDnssec = defineChild<RegistrationDnssecSpec>({
  kind: 'RegistrationDnssec',
  ...registrationSection,
  section: {
    fields: ['dnssec'],
    expand: ({ dnssec }) => [
      {
        name: null,
        spec: { enabled: true, ...(dnssec as JsonObject) },
        pointer: '/dnssec',
        pointers: { enabled: '/dnssec' },
      },
    ],
    toManifest: keysToManifest,
  },
  fields: {
    enabled: { ...updatable(), lowers: unlessOn },
    keys: createOnly('No answer shows which keys the registry holds (REG-18).'),
    rotate: rotationToken('enabled', 'The keys are sent again when it differs (GAP-54).'),
  },
  decode: ({ row }) =>
    rowsAt(row).map((one) => ({
      id: 'dnssec',
      spec: { enabled: flagAt(one, 'dnssec_enabled') },
      computed: sectionComputed(one),
    })),
  update: {
    flag: {
      writes: ['enabled'],
      refuse: (_desired, { computed }) => unsupported(computed, 'supports_dnssec', 'DNSSEC', 'dnssec'),
      steps: (context) => (context.desired.enabled === true ? keySteps(context, 'enable') : offSteps(context)),
    },
    // What is switched on in the same action has been sent these keys.
    keys: {
      writes: ['rotate'],
      steps: (context) => (context.writing.includes('enabled') ? [] : keySteps(context, 'add_keys')),
    },
  },
  order: [
    {
      rule: 'O-57',
      reason: 'with keys that the new name servers do not have, nobody who checks finds the name',
      within: 'parent',
      before: (action) => isDnssec(action) && !switchesOn(action),
      after: isNameservers,
    },
    {
      rule: 'O-58',
      reason: 'the keys belong to the new name servers',
      within: 'parent',
      before: isNameservers,
      after: (action) => isDnssec(action) && switchesOn(action),
    },
  ],
});

/** That it is on cannot be declared without its keys; a manifest that has them plans to nothing. */
function keysToManifest(members: readonly LiveMember[]): ManifestPart {
  if (!members.some(({ spec }) => spec.enabled === true)) return { spec: {} };
  const reason =
    'it is on, and no answer shows which keys the registry holds (REG-18); whoever signs the zone knows them';
  return {
    spec: {},
    leftOut: [
      { what: 'dnssec', reason, spec: { dnssec: { keys: [{ flags: 257, algorithm: 13, publicKey: '...' }] } } },
    ],
  };
}

type Context = StepContext<RegistrationDnssecSpec>;

function keySteps({ parent, desired, computed }: Context, mode: 'enable' | 'add_keys'): readonly Step[] {
  return changeSteps(
    parent,
    {
      name: mode === 'enable' ? 'enable' : 'keys',
      method: 'PATCH',
      path: path`/api/domain_registrations/${ref(parent)}/dnssec`,
      body: { mode, key_data: desired.keys as readonly Template[] },
      reason: mode === 'enable' ? 'switch DNSSEC on with these keys' : 'add these keys, because the mark changed',
      rule: mode === 'enable' ? 'REG-17' : 'GAP-54',
    },
    whileLocked(computed),
  );
}

function offSteps({ parent, computed }: Context): readonly Step[] {
  return changeSteps(
    parent,
    {
      name: 'disable',
      method: 'PATCH',
      path: path`/api/domain_registrations/${ref(parent)}/dnssec`,
      body: { mode: 'disable' },
      reason: 'switch DNSSEC off',
      rule: 'REG-17',
    },
    whileLocked(computed),
  );
}

function isDnssec({ kind }: OrderedAction): boolean {
  return kind === 'RegistrationDnssec';
}

function isNameservers({ kind }: OrderedAction): boolean {
  return kind === 'RegistrationNameservers';
}

function switchesOn({ changes }: OrderedAction): boolean {
  return changes.some(({ path: changed, value }) => changed === '/enabled' && value === true);
}
