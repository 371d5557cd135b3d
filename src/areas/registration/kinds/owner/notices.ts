// What whoever declares a holder should know: which other names change with it, and which consents have done their
// work.
import { diagnose } from '../../../../model/diagnostic.ts';
import type { JsonObject } from '../../../../model/json.ts';
import type { Notice } from '../../../../model/kind/kind.ts';
import { sameContact, samePerson } from '../contact-wire.ts';
import { contactOf } from './change.ts';
import type { OwnerConsents } from './change.ts';
import type { ContactUse } from './shared-contact.ts';

export function ownerNotices(
  live: JsonObject,
  computed: JsonObject,
  desired: JsonObject & OwnerConsents,
): readonly Notice[] {
  const wanted = contactOf(desired);
  const names = [
    ...new Set((computed.uses as readonly ContactUse[]).filter(({ own }) => !own).map(({ name }) => name)),
  ].sort();
  const spent = [
    ...(desired.ownerChange !== undefined && samePerson(wanted, live) ? ['ownerChange'] : []),
    ...(desired.confirmReverification === live.email && sameContact(wanted, live) ? ['confirmReverification'] : []),
  ];
  return [
    ...(names.length > 0 && samePerson(wanted, live) && !sameContact(wanted, live) ? [sharedNotice(names)] : []),
    ...spent.map((consent): Notice =>
      diagnose(
        'HW2007',
        `The holder is the declared one already, so \`${consent}\` does nothing any more and can be removed.`,
      ),
    ),
  ];
}

function sharedNotice(names: readonly string[]): Notice {
  return diagnose(
    'HW2502',
    `The contact that is edited is a contact of ${names.join(', ')} as well, and changes there too (DCT-08). Nothing is changed where a manifest declares other details there.`,
  );
}
