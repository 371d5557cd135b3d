// How a change of registrant is bought where the TLD charges for it.
import { mayEditAccount } from '../../core/http/access.ts';
import { Refusal, isRecord, ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import { any } from '../../core/http/schema.ts';
import { cartEnvelope } from '../../billing/present.ts';
import { purchase, refuseCharge, refuseMethod, refuseTrial } from '../../billing/purchases.ts';
import { CONTACT, makeContact, readContact, refuseContact } from '../contact-forms.ts';
import { admitToRegistration, findContact, onRegistration, refuseBusy, refuseFlag, refuseStatus } from '../guards.ts';
import type { Demanding } from '../guards.ts';
import { carryOut, refuseLocked } from '../processes.ts';
import { tldOfName } from '../state.ts';
import type { Contact, Registration } from '../state.ts';
import type { World } from '../../core/world.ts';
import { pinned, refuseOtherTld } from './holder.ts';

function admitBuyer(call: Call, demands: Demanding): Registration {
  const { accountId } = call;
  refuseFlag(call);
  if (!mayEditAccount(call, accountId ?? '')) refuse(403, 'forbidden', 'Ordering is not allowed');
  refuseTrial(call, accountId ?? '');
  return admitToRegistration(call, demands);
}

/** REG-24: a change of registrant is refused by codes of its own, and nothing is bought. */
function changeRegistrant(call: Call, registration: Registration): Answer {
  refuseBusy(registration);
  const { source_domain_contact_id: sourceId, new_contact: given } = call.body;
  // REG-24/method: the payment method is asked for before anything is built.
  refuseMethod(call, registration.accountId);
  // REG-23: the new owner comes from exactly one source.
  if ((sourceId === undefined) === (given === undefined))
    refuse(422, null, 'Give one of source_domain_contact_id and new_contact');
  refuseStatus(call, registration);
  refuseLocked(call, registration, { changes: {} });
  const tld = tldOfName(call, registration.name);
  const fields = isRecord(given) ? readContact(given) : undefined;
  if (fields !== undefined) refuseContact(call, fields, tld, 'contact_invalid');
  const source = fields === undefined ? (findContact(call, sourceId) ?? unknownSource()) : undefined;
  const cents =
    tld?.registrantChangeCents ?? refuse(422, 'no_registrant_change_price', 'This TLD does not charge for it');
  if (source !== undefined) refuseOtherTld(call, registration, source);
  // REG-24/torn-down: a charge that could not start leaves no contact behind.
  refuseCharge(call, registration.accountId);
  const owner =
    source === undefined
      ? makeContact(call, registration.accountId, registration.tld, readContact(given))
      : pinned(call, registration, source);
  const cart = purchase(call, {
    name: `registrant change of ${registration.name}`,
    accountId: registration.accountId,
    siteId: registration.id,
    cents,
    taskName: 'order.domain.registrant_change',
    atOnce: call.ambiguities['GAP-66'] === 'at-once',
    fulfil: () => begin(call, registration, owner),
  });
  // REG-23/paid: a change of registrant answers 202 and an envelope, and begins when it is paid.
  const [orderId] = cart.orderIds;
  const order = orderId === undefined ? {} : { order: { id: orderId, status: call.state.orders.get(orderId)?.status } };
  return ok({ ...cartEnvelope(call, cart), ...order }, 202);
}

function unknownSource(): never {
  return refuse(422, 'source_contact_not_found', 'There is no such contact');
}

/** Whatever became of the registration in the meantime, what was paid for is done, and nobody waits for an answer. */
function begin(world: World, registration: Registration, { id }: Contact): void {
  if (registration.process !== null) {
    registration.ownerId = id;
    return;
  }
  try {
    carryOut(world, registration, { action: 'domain-trade', changes: { ownerId: id } });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

export const registrantChangeEndpoints = onRegistration('/registrant_change', {
  POST: {
    scope: 'never',
    user: () => true,
    demand: 'read',
    admit: admitBuyer,
    body: { source_domain_contact_id: any, new_contact: CONTACT },
    handle: changeRegistrant,
  },
});
