// The request that sets the contacts of a registration beside its holder.
import type { JsonObject } from '../../../../model/json.ts';
import type { StepContext } from '../../../../model/kind/kind.ts';
import type { LookUp, Step, Template } from '../../../../model/plan/step.ts';
import { path, ref } from '../../../../model/plan/step.ts';
import { LOST_CREATE_MS } from '../../../common/steps.ts';
import { showsContact } from '../contact-wire.ts';
import type { RegistrationContactsSpec } from './spec.ts';
import { changeSteps } from '../guards.ts';
import { contactOf, ownerOf } from '../owner/change.ts';
import { whileLocked } from '../section.ts';
import { ROLES } from '../owner/shared-contact.ts';
import { sourceOf } from '../role-source.ts';

type Context = StepContext<RegistrationContactsSpec>;

/** The holder that there will be: the declared one, without the consents to it, or the one that is there. */
export function wantedOwner({ owner }: Partial<RegistrationContactsSpec>, computed: JsonObject): JsonObject | null {
  return owner === undefined ? ownerOf(computed) : contactOf(owner);
}

/** Writes the roles that differ; one that has come by itself, with the holder, is not written again. */
export function roleSteps({ parent, desired, computed, changed }: Context): readonly Step[] {
  const roles = ROLES.filter((role) => changed.includes(role)).map(
    (role) => [role, desired[role] as JsonObject] as const,
  );
  const sources = roles.map(([role, contact]) =>
    sourceOf(role, contact, wantedOwner(desired, computed), computed.reusable as JsonObject),
  );
  const shown: LookUp = {
    read: path`/api/domain_registrations`,
    rows: '/domain_registrations',
    where: [{ pointer: '/id', value: ref(parent) }, ...roles.flatMap(([role, contact]) => showsContact(role, contact))],
    capture: {},
  };
  return changeSteps(
    parent,
    {
      name: 'contacts',
      method: 'PATCH',
      path: path`/api/domain_registrations/${ref(parent)}/contacts`,
      body: Object.assign({}, ...sources.map(({ body }) => body)) as Template,
      // Each request creates a new contact (REG-26).
      recovery: { lookUp: shown, ifNotFound: 'ask', graceMs: LOST_CREATE_MS, rule: 'RTY-04' },
      skipIf: { lookUp: shown, reason: 'the contacts came with the holder', rule: 'GAP-58' },
      reason: sources.map(({ text }) => text).join('; '),
      rule: 'REG-26',
    },
    whileLocked(computed),
  );
}
