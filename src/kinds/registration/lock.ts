// The transfer lock of a registration. It goes on after everything else, and where the manifest wants it off it goes
// off before (O-63). Must never take it off because something else needs that: only a manifest does.
import { defineChild, updatable } from '../../model/kind/kind.ts';
import type { OrderedAction } from '../../model/kind/kind.ts';
import { path, ref } from '../../model/plan/step.ts';
import { flagAt, rowsAt } from '../../model/kind/rows.ts';
import { unlessOn } from '../common/protection.ts';
import { changeSteps, registrationGuards, registrationRow, registrationWrite } from './guards.ts';
import { NOT_LISTED, sectionComputed, unsupported } from './section.ts';

export interface RegistrationLockSpec {
  readonly locked: boolean;
}

export const registrationLock = defineChild<RegistrationLockSpec>({
  kind: 'RegistrationLock',
  parent: 'DomainRegistration',
  list: 'singleton',
  section: {
    fields: ['locked'],
    expand: ({ locked = null }) => [
      { name: null, spec: { locked }, pointer: '/locked', pointers: { locked: '/locked' } },
    ],
  },
  fields: { locked: { ...updatable(), lowers: unlessOn } },
  reads: { row: registrationRow },
  failures: registrationGuards,
  decode: ({ row }) =>
    rowsAt(row).map((one) => ({ id: 'lock', spec: { locked: flagAt(one, 'locked') }, computed: sectionComputed(one) })),
  cannotCreate: NOT_LISTED,
  update: {
    lock: {
      writes: ['locked'],
      requires: registrationWrite,
      refuse: (_desired, { computed }) =>
        computed.prohibited === true
          ? {
              reason: 'the registry prohibits transfers of this name itself, and lets nobody move the lock',
              remedy: 'Ask the registry why, or remove `locked` from the manifest.',
              rule: 'REG-15',
            }
          : unsupported(computed, 'supports_transfer_lock', 'transfer lock', 'locked'),
      steps: ({ parent, desired }) =>
        changeSteps(parent, {
          name: 'lock',
          method: 'PATCH',
          path: path`/api/domain_registrations/${ref(parent)}/lock`,
          body: { locked: desired.locked === true },
          reason:
            desired.locked === true
              ? 'lock the name, so that it cannot be transferred away'
              : 'unlock the name, so that it can be transferred away and changed',
          rule: 'REG-15',
        }),
    },
  },
  order: [
    {
      rule: 'O-63',
      reason: 'some registries take no change of a locked name, so the manifest has it unlocked first',
      within: 'parent',
      before: (action) => sets(action, false),
      after: ({ kind }) => kind !== 'RegistrationLock',
    },
    {
      rule: 'O-63',
      reason: 'some registries take no change of a locked name, so it is locked last',
      within: 'parent',
      before: ({ kind }) => kind !== 'RegistrationLock',
      after: (action) => sets(action, true),
    },
  ],
  manifest: {
    item: ({ spec }) => spec.locked,
  },
});

function sets({ kind, changes }: OrderedAction, locked: boolean): boolean {
  return kind === 'RegistrationLock' && changes.some(({ value }) => value === locked);
}
