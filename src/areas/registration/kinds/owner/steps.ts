// The requests that change the holder of a registration: edited, replaced for nothing, replaced for money.
import { deepMerge, isJsonObject } from '../../../../model/json.ts';
import type { JsonObject } from '../../../../model/json.ts';
import type { StepContext } from '../../../../model/kind/kind.ts';
import { BILLING_LOCK } from '../../../../model/kind/kind.ts';
import type { Price } from '../../../../model/price.ts';
import { showPrice } from '../../../../model/price.ts';
import type { Condition, LookUp, WaitFor, Step, Template } from '../../../../model/plan/step.ts';
import { path, ref } from '../../../../model/plan/step.ts';
import { priceOf } from '../../../common/money.ts';
import { LOST_CREATE_MS } from '../../../common/steps.ts';
import { newContact, PERSON, showsContact, wholeContact } from '../contact-wire.ts';
import { changeFee } from './change.ts';
import { changeSteps } from '../guards.ts';
import { sourceOf } from '../role-source.ts';
import type { ContactUse } from './shared-contact.ts';
import { rolesToPart } from './shared-contact.ts';
import type { RegistrationOwnerSpec } from './spec.ts';
import { whileLocked } from '../section.ts';

type Context = StepContext<RegistrationOwnerSpec>;

const LOST_GRACE_MS = 60_000;
// A card settles within seconds; a bank transfer takes days and is continued by a later run (ORD-18).
const BOUGHT_WITHIN_MS = 900_000;
const HELD_WITHIN_MS = 120_000;

const CONFIRMATION = { confirm_reverification: '1' } as const;
/**
 * Edits the holder in place; free (REG-20). Another person has been sent all of it already. Roles that are to keep the
 * details come first, because the edit changes the contact wherever it is in use (DCT-08).
 */
export function editSteps(context: Context): readonly Step[] {
  const { parent, desired, observed, computed, writing } = context;
  if (writing.some((field) => (PERSON as readonly string[]).includes(field))) return [];
  const confirmed = isConfirmed(desired);
  const edit = changeSteps(
    parent,
    {
      name: 'edit',
      method: 'PATCH',
      path: path`/api/domain_registrations/${ref(parent)}/holder`,
      body: {
        holder_contact: {
          action_mode: 'edit_current',
          ...wholeContact(whole(desired, observed)),
          ...(confirmed && CONFIRMATION),
        },
      },
      // Names that share a contact change together (DCT-08).
      skipIf: {
        lookUp: heldBy(context),
        reason: 'the contact was changed with another name that has the same one',
        rule: 'DCT-08',
      },
      reason: confirmed
        ? 'edit the holder; the new email address has to be confirmed'
        : 'edit the holder, who stays the same person',
      rule: 'REG-20',
    },
    whileLocked(computed),
  );
  return [...partSteps(context), ...edit];
}

/**
 * Gives roles that share the holder's contact one of their own, with the present details (REG-26). Only its id tells it
 * from the shared one. A look at it fails where a wait would go on for ever: a process that has ended says nothing of
 * success (REG-38).
 */
function partSteps({ parent, desired, observed, computed }: Context): readonly Step[] {
  const roles = rolesToPart(desired, observed, (computed.uses ?? []) as readonly ContactUse[]);
  if (observed === null || roles.length === 0) return [];
  const sources = roles.map(([role, kept]) =>
    sourceOf(role, whole(kept, observed), null, computed.reusable as JsonObject),
  );
  const parted: LookUp = {
    read: path`/api/domain_registrations`,
    rows: '/domain_registrations',
    where: [
      { pointer: '/id', value: ref(parent) },
      ...roles.flatMap(([role, kept]): readonly Condition[] => [
        { pointer: `/${role}_contact/id`, value: computed.contactId as number, not: true },
        ...showsContact(role, kept),
      ]),
    ],
    capture: {},
  };
  const [request] = changeSteps(
    parent,
    {
      name: 'roles',
      method: 'PATCH',
      path: path`/api/domain_registrations/${ref(parent)}/contacts`,
      body: Object.assign({}, ...sources.map(({ body }) => body)) as Template,
      // Each request creates a new contact (REG-26).
      recovery: { lookUp: parted, ifNotFound: 'ask', graceMs: LOST_CREATE_MS, rule: 'RTY-04' },
      skipIf: { lookUp: parted, reason: 'the roles have contacts of their own', rule: 'DCT-08' },
      reason: `keep the present details, before the holder changes: ${sources.map(({ text }) => text).join('; ')}`,
      rule: 'REG-26',
    },
    whileLocked(computed),
  );
  const seen: Step = {
    do: 'look-up',
    name: 'roles read back',
    lookUp: parted,
    reason: 'the roles show contacts of their own; before that the holder is not edited',
  };
  return [request as Step, seen];
}

/**
 * Puts another holder in place of the present one, with a contact of its own: one that no registration uses cannot be
 * named here (REG-22).
 */
export function replaceSteps(context: Context): readonly Step[] {
  const { parent, desired, computed } = context;
  const fee = changeFee(computed);
  if (fee !== null) return buySteps(context, priceOf(fee) as Price);
  return changeSteps(
    parent,
    {
      name: 'replace',
      method: 'PATCH',
      path: path`/api/domain_registrations/${ref(parent)}/holder`,
      // The documents ask for it when validated fields change, and do not say in which mode (REG-21).
      body: {
        holder_contact: {
          action_mode: 'change',
          new_contact: newContact(desired),
          ...(isConfirmed(desired) && CONFIRMATION),
        },
      },
      // Each request creates a new contact. The registrar refuses a second one only while it works on the first (REG-11).
      recovery: { lookUp: heldBy(context), ifNotFound: 'ask', graceMs: LOST_CREATE_MS, rule: 'RTY-04' },
      reason: 'make the declared contact the holder, for nothing',
      rule: 'REG-25',
    },
    whileLocked(computed),
  );
}

/**
 * Buys the change: an order, whose envelope may name it later (GAP-66). Nothing refuses a second one for certain, so it
 * is never sent again unasked.
 */
function buySteps(context: Context, fee: Price): readonly Step[] {
  const { self, parent, desired, computed } = context;
  const bought: WaitFor = {
    how: 'cart',
    cart: ref(self, 'cart'),
    capture: {},
    deadlineMs: BOUGHT_WITHIN_MS,
    reason: 'the order of the change is completed',
  };
  return [
    {
      do: 'look-up',
      name: 'price',
      lookUp: {
        read: path`/api/domain_registrations`,
        rows: '/domain_registrations',
        where: [{ pointer: '/id', value: ref(parent) }, ...feeIs(fee)],
        capture: {},
      },
      reason: `a change of holder costs ${showPrice(fee)}, as it was reviewed`,
      unless: `a change of holder does not cost ${showPrice(fee)} any more, which is what was reviewed`,
    },
    {
      do: 'request',
      name: 'buy',
      method: 'POST',
      path: path`/api/domain_registrations/${ref(parent)}/registrant_change`,
      body: { new_contact: newContact(desired) },
      idempotent: false,
      unlocks: [BILLING_LOCK],
      answers: [
        {
          status: '2xx',
          has: '/cart/token',
          then: 'wait-for',
          capture: { cart: '/cart/token' },
          waitFor: bought,
          rule: 'REG-23',
        },
        ...whileLocked(computed),
      ],
      recovery: { lookUp: heldBy(context), ifNotFound: 'unknown', graceMs: LOST_GRACE_MS, rule: 'GAP-11' },
      reason: `make the declared contact the holder; this costs ${showPrice(fee)}`,
      rule: 'REG-23',
    },
    {
      do: 'wait-for',
      name: 'held',
      waitFor: {
        how: 'until',
        found: true,
        lookUp: { ...heldBy(context), where: [...heldBy(context).where, { pointer: '/pending_async', value: false }] },
        deadlineMs: HELD_WITHIN_MS,
        reason: 'the registration shows the new holder',
      },
    },
    {
      do: 'verify',
      name: 'holder read back',
      reason: 'a completed order says nothing of what the registry holds',
      rule: 'REG-38',
    },
  ];
}

function isConfirmed({ confirmReverification, email }: Context['desired']): boolean {
  return confirmReverification !== undefined && confirmReverification === email;
}

/** Another fee is another purchase, a lower one too. */
function feeIs({ amountCents, currency }: Price): readonly Condition[] {
  return [
    { pointer: '/fees/registrant_change/amount_cents', value: amountCents },
    { pointer: '/fees/registrant_change/currency', value: currency },
  ];
}

function heldBy({ parent, desired }: Context): LookUp {
  return {
    read: path`/api/domain_registrations`,
    rows: '/domain_registrations',
    where: [{ pointer: '/id', value: ref(parent) }, ...showsContact('owner', desired)],
    capture: {},
  };
}

/** What is live, with what is declared over it; properties that single registries ask for are kept. */
function whole(desired: JsonObject, observed: RegistrationOwnerSpec | null): JsonObject {
  const extra = (spec: JsonObject | null) => (isJsonObject(spec?.extraProperties) ? spec.extraProperties : {});
  return { ...observed, ...desired, extraProperties: deepMerge(extra(observed), extra(desired)) };
}
