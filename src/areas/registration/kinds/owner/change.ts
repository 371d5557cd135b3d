// Whether what is declared of a holder may be written, and by which of the three ways (REG-25): edited in place,
// replaced for nothing, replaced for money. Must never fall from one to the other, nor take silence for consent.
import type { Json, JsonObject } from '../../../../model/json.ts';
import { isJsonObject, sameJson, valueAt } from '../../../../model/json.ts';
import type { Blocker, WantedIn } from '../../../../model/kind/kind.ts';
import { priceOf } from '../../../common/money.ts';
import { contactAt, sameContact, samePerson } from '../contact-wire.ts';
import { inMoney, sectionComputed } from '../section.ts';
import { sharedBlocker, usesOf } from './shared-contact.ts';

/** What a manifest says of the holder: the contact, and the consents. */
export interface OwnerConsents {
  readonly ownerChange?: JsonObject;
  readonly confirmReverification?: string;
}

/** Beside what every section looks at: who holds the name, null for nobody, and where else that contact is in use. */
export function ownerComputed(row: JsonObject, list: readonly JsonObject[]): JsonObject {
  return { ...sectionComputed(row), owner: contactAt(row, 'owner'), uses: usesOf(row, list) };
}

/** A declared holder without the consents to it and the roles beside it. */
export function contactOf({
  ownerChange: _change,
  confirmReverification: _confirm,
  roles: _roles,
  ...contact
}: JsonObject): JsonObject {
  return contact;
}

/** What a change of holder costs, or null where it is free. */
export function changeFee(computed: JsonObject): JsonObject | null {
  const fee = valueAt(computed, '/fees/registrant_change');
  return isJsonObject(fee) ? fee : null;
}

export function ownerOf(computed: JsonObject): JsonObject | null {
  return isJsonObject(computed.owner) ? computed.owner : null;
}

/** Why the holder cannot be made this one, or null. */
export function ownerBlocker(
  wanted: JsonObject,
  consents: OwnerConsents,
  computed: JsonObject,
  wantedIn: WantedIn,
): Blocker | null {
  const owner = ownerOf(computed);
  if (sameContact(wanted, owner)) return null;
  const shared = sharedBlocker(wanted, owner, computed.uses as Parameters<typeof sharedBlocker>[2], wantedIn);
  if (shared !== null) return shared;
  return samePerson(wanted, owner)
    ? editBlocker(wanted, consents, computed, owner?.email)
    : changeBlocker(wanted, consents, computed, owner);
}

/**
 * The registry asks a holder whose address changed to confirm it, and suspends the name if that is not done (REG-21).
 */
function editBlocker(
  wanted: JsonObject,
  { confirmReverification }: OwnerConsents,
  computed: JsonObject,
  live: Json | undefined,
): Blocker | null {
  const asked = valueAt(computed, '/flags/requires_contact_validation') === true && wanted.email !== live;
  if (!asked || confirmReverification === wanted.email) return null;
  return {
    reason:
      'the holder has to confirm another email address, and the registry may suspend the name when that is not done',
    remedy: 'To have it changed all the same, write `confirmReverification` with the new address.',
    rule: 'REG-21',
  };
}

function changeBlocker(
  wanted: JsonObject,
  { ownerChange }: OwnerConsents,
  computed: JsonObject,
  owner: JsonObject | null,
): Blocker | null {
  const fee = changeFee(computed);
  const price = fee === null ? '' : ` It costs ${inMoney(fee)}, which \`paid: true\` agrees to.`;
  const line = `ownerChange: { to: { ref: Contact/NAME }${fee === null ? '' : ', paid: true'} }`;
  const holder = owner === null ? 'the name has no holder' : 'the name is held by somebody else';
  if (ownerChange === undefined) {
    return {
      reason: `${holder}. Another name or organization means a new holder, which ${fee === null ? 'may cost' : 'costs'} money`,
      remedy: `If that is meant, add \`${line}\` below \`spec\`, with what \`contacts.owner\` says in place of \`{ ref: Contact/NAME }\`.${price}`,
      rule: 'REG-25',
    };
  }
  if (!sameJson(ownerChange.to, wanted)) {
    return {
      reason: `${holder}, and \`ownerChange\` consents to another contact than \`contacts.owner\``,
      remedy: 'Name the same contact in both.',
      rule: 'REG-25',
    };
  }
  if (fee === null) return null;
  if (priceOf(fee) === undefined)
    return {
      reason: 'a change of holder costs something for this name, and the platform does not show how much',
      remedy: 'Change the holder in the dashboard, where its price is shown; the next plan sees that it is done.',
      rule: 'REG-06',
      as: 'manual',
    };
  if (ownerChange.paid === true) return null;
  return {
    reason: `a change of holder costs ${inMoney(fee)} for this name`,
    remedy: 'To pay for it, add `paid: true` to `ownerChange`.',
    rule: 'REG-25',
  };
}
