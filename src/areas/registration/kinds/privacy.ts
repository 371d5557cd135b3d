// Whether the public directory hides the holder of a registration. Switching it off is free; on it may have a price,
// and then a person buys it (GAP-64). It must not ask again and again for what has to be paid for first (REG-16).
import type { JsonObject } from '../../../model/json.ts';
import { isJsonObject, valueAt } from '../../../model/json.ts';
import type { Blocker } from '../../../model/kind/kind.ts';
import { defineChild } from '../../../model/kind/kind.ts';
import { path, ref } from '../../../model/plan/step.ts';
import { changeSteps } from './guards.ts';
import { inMoney, flagSection, unsupported, whileLocked } from './section.ts';

export interface RegistrationPrivacySpec {
  readonly privacyProtect: boolean;
}

export const registrationPrivacy = defineChild<RegistrationPrivacySpec>({
  kind: 'RegistrationPrivacy',
  ...flagSection('privacy', 'privacyProtect', 'privacy_protect'),
  update: {
    privacy: {
      writes: ['privacyProtect'],
      refuse: ({ privacyProtect }, { computed }) =>
        privacyProtect === true
          ? (unsupported(computed, 'supports_privacy', 'privacy', 'privacyProtect') ?? priced(computed))
          : null,
      steps: ({ parent, desired, computed }) =>
        changeSteps(
          parent,
          {
            name: 'privacy',
            method: 'PATCH',
            path: path`/api/domain_registrations/${ref(parent)}/privacy`,
            body: { privacy_protect: desired.privacyProtect === true },
            reason:
              desired.privacyProtect === true
                ? 'hide the holder from the public directory'
                : 'show the holder in the public directory',
            rule: 'REG-16',
          },
          whileLocked(computed),
        ),
    },
  },
});

function priced(computed: JsonObject): Blocker | null {
  const fee = valueAt(computed, '/fees/privacy_enable');
  if (!isJsonObject(fee)) return null;
  return {
    reason: `privacy costs ${inMoney(fee)} for this name, and the API does not sell it`,
    remedy: 'Buy it in the portal, on the page of the registration; the next plan sees that it is done.',
    rule: 'GAP-64',
    as: 'manual',
  };
}
