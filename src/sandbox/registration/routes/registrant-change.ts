// How a change of registrant is bought where the TLD charges for it.
import { mayEditAccount } from '../../core/http/access.ts';
import { isRecord, ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import { any } from '../../core/http/schema.ts';
import { cartEnvelope } from '../../billing/present.ts';
import { billingOf } from '../../billing/state.ts';
import { purchase, refuseMethod } from '../../billing/purchases.ts';
import { CONTACT, makeContact, readContact, refuseContact } from '../contact-forms.ts';
import { findContact, onRegistration, refuseBusy, refuseFlag, refuseStatus, registrationGuard } from '../guards.ts';
import { carryOut, refuseLocked } from '../processes.ts';
import { tldOfName } from '../state.ts';
import type { Contact, Registration } from '../state.ts';
import type { World } from '../../core/world.ts';
import { pinned } from './holder.ts';

interface Owner {
  readonly contact: Contact;
  readonly fresh: boolean;
}

function mayOrder(call: Call): Answer | undefined {
  const { credential, accountId } = call;
  const flagged = refuseFlag(call);
  if (flagged !== undefined) return flagged;
  if (!mayEditAccount(call, credential, accountId ?? '')) return refuse(403, 'forbidden', 'Ordering is not allowed');
  return billingOf(call.state.accounts.get(accountId ?? '')).trial
    ? refuse(403, 'trial_account', 'Trial accounts cannot order')
    : undefined;
}

/** REG-24: a change of registrant is refused by codes of its own, and nothing is bought. */
function changeRegistrant(call: Call, registration: Registration): Answer {
  const { body } = call;
  const method = refuseMethod(call, registration.accountId);
  // REG-24/method: the payment method is asked for before anything is built.
  if (method !== undefined) return method;
  const sources = [body['source_domain_contact_id'], body['new_contact']].filter((one) => one !== undefined).length;
  // REG-23: the new owner comes from exactly one source.
  if (sources !== 1) return refuse(422, null, 'Give one of source_domain_contact_id and new_contact');
  const cents = tldOfName(call.state.registrar, registration.name)?.registrantChangeCents ?? null;
  const state = refuseStatus(call, registration) ?? refuseLocked(call, registration, { changes: {} });
  const owner = state ?? readOwner(call, registration, body, cents !== null);
  if ('status' in owner) return owner;
  if (cents === null) return refuse(422, 'no_registrant_change_price', 'This TLD does not charge for it');
  const late = refuseCharge(call, registration, owner);
  if (late !== undefined) return late;
  const cart = purchase(call, {
    name: `registrant change of ${registration.name}`,
    accountId: registration.accountId,
    siteId: registration.id,
    locationShortName: null,
    cents,
    taskName: 'order.domain.registrant_change',
    atOnce: call.ambiguities['GAP-66'] === 'at-once',
    fulfil: () => begin(call, registration, owner.contact),
  });
  // REG-23/paid: a change of registrant answers 202 and an envelope, and begins when it is paid.
  const [orderId] = cart.orderIds;
  const order = orderId === undefined ? {} : { order: { id: orderId, status: call.state.orders.get(orderId)?.status } };
  return ok({ ...cartEnvelope(call, cart), ...order }, 202);
}

/** Whatever became of the registration in the meantime, what was paid for is done. */
function begin(world: World, registration: Registration, { id }: Contact): void {
  if (registration.process === null)
    carryOut(world, registration, { action: 'domain-trade', changes: { ownerId: id } });
  else registration.ownerId = id;
}

function readOwner(
  call: Call,
  registration: Registration,
  body: Record<string, unknown>,
  priced: boolean,
): Owner | Answer {
  const given = body['new_contact'];
  if (!isRecord(given)) {
    const contact = findContact(call, body['source_domain_contact_id']);
    if (contact === undefined) return refuse(422, 'source_contact_not_found', 'There is no such contact');
    if (!priced) return refuse(422, 'no_registrant_change_price', 'This TLD does not charge for it');
    const fitting = pinned(call, registration, contact);
    return 'status' in fitting ? fitting : { contact: fitting, fresh: fitting !== contact };
  }
  const fields = readContact(given);
  const tld = tldOfName(call.state.registrar, registration.name);
  const refusal = refuseContact(call, fields, tld, 'contact_invalid');
  if (refusal !== undefined) return refusal;
  if (!priced) return refuse(422, 'no_registrant_change_price', 'This TLD does not charge for it');
  return { contact: makeContact(call, registration.accountId, registration.tld, fields), fresh: true };
}

function refuseCharge(world: World, { accountId }: Registration, { contact, fresh }: Owner): Answer | undefined {
  const billing = billingOf(world.state.accounts.get(accountId));
  if (!billing.processor || !billing.refusesCharges) return undefined;
  // REG-24/torn-down: a charge that could not start leaves no contact behind.
  if (fresh) world.state.registrar.contacts.delete(contact.id);
  return refuse(422, 'cart_pay_failed', 'The charge could not be started');
}

export const registrantChangeEndpoints = onRegistration('/registrant_change', {
  POST: {
    scope: 'never',
    user: () => true,
    demand: 'read',
    guard: (call, endpoint) => mayOrder(call) ?? registrationGuard(call, endpoint),
    body: { source_domain_contact_id: any, new_contact: CONTACT },
    handle: (call, registration) => refuseBusy(registration) ?? changeRegistrant(call, registration),
  },
});
