// The transfer lock of a registration. It goes on after everything else, and where the manifest wants it off it goes
// off before (O-63). Must never take it off because something else needs that: only a manifest does.
import { defineChild } from '../../../model/kind/kind.ts';
import type { OrderedAction } from '../../../model/kind/kind.ts';
import { path, ref } from '../../../model/plan/step.ts';
import { changeSteps } from './guards.ts';
import { flagSection, unsupported } from './section.ts';

export interface RegistrationLockSpec {
  readonly locked: boolean;
}

export const registrationLock = defineChild<RegistrationLockSpec>({
  kind: 'RegistrationLock',
  ...flagSection('lock', 'locked', 'locked'),
  update: {
    lock: {
      writes: ['locked'],
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
});

function sets({ kind, changes }: OrderedAction, locked: boolean): boolean {
  return kind === 'RegistrationLock' && changes.some(({ value }) => value === locked);
}
