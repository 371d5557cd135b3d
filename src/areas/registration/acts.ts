// What commands do to registrations, their contacts and orders, as steps.
import { addressOf } from '../../model/address.ts';
import type { Act } from '../../model/plan/act.ts';
import type { Condition, LookUp, PathTemplate } from '../../model/plan/step.ts';
import { path } from '../../model/plan/step.ts';
import { change, until } from '../common/steps.ts';

export type Decision = 'approve' | 'reject';

/** How long a registrar is waited for that answers at once; what it takes days for is told to go on. */
const SOON_MS = 300_000;
const LOST_GRACE_MS = 60_000;
const ASKED = 'a person asks for it';

const pathOf = (id: string): PathTemplate => path`/api/domain_registrations/${id}`;

/** The registration, where a field of it reads so; bare or wrapped is not documented. */
function registrationWith(id: string, field: string, condition: Omit<Condition, 'pointer' | 'or'>): LookUp {
  return {
    read: pathOf(id),
    rows: '',
    where: [{ pointer: `/domain_registration/${field}`, or: [`/${field}`], ...condition }],
    capture: {},
  };
}

function actOn(id: string, kind: string, name: string | null = null): string {
  return addressOf(addressOf(null, 'DomainRegistration', id), kind, name);
}

/** Decides a transfer that somebody has asked for. Nobody but a person decides, and only once (REG-29). */
export function decideTransfer(id: string, decision: Decision): Act {
  const pending = registrationWith(id, 'transfer_out_pending', { value: true });
  return {
    address: actOn(id, 'DecideTransfer'),
    verb: 'update',
    reason: ASKED,
    steps: [
      {
        do: 'request',
        name: decision,
        method: 'POST',
        path: path`/api/domain_registrations/${id}/transfer_out`,
        body: { decision },
        idempotent: false,
        answers: [{ status: '2xx', then: 'done' }],
        recovery: {
          lookUp: registrationWith(id, 'transfer_out_pending', { value: true, not: true }),
          ifNotFound: 'send-again',
          graceMs: LOST_GRACE_MS,
          rule: 'REG-29',
        },
        reason: `${decision} the transfer`,
        rule: 'REG-29',
      },
      {
        do: 'wait-for',
        name: 'registrar',
        open: true,
        // A name that has left the account is decided too.
        waitFor: until(false, pending, 'the decision is carried out', SOON_MS),
      },
    ],
  };
}

/** Hands a name over to another holder at the registrar, without a code (REG-30). */
export function pushTransfer(id: string, to: string): Act {
  return {
    address: actOn(id, 'PushTransfer', to),
    verb: 'update',
    reason: ASKED,
    steps: [
      {
        do: 'request',
        name: 'hand over',
        method: 'POST',
        path: path`/api/domain_registrations/${id}/push_transfer`,
        body: { recipient: to },
        idempotent: false,
        answers: [
          { status: '2xx', then: 'done' },
          { status: 422, then: 'fail', reason: `the registrar does not hand the name over to ${to}; check the handle` },
        ],
        recovery: {
          lookUp: registrationWith(id, 'push_transfer_pending', { value: true }),
          ifNotFound: 'unknown',
          graceMs: LOST_GRACE_MS,
          rule: 'REG-30',
        },
        reason: `hand the name over to ${to}`,
        rule: 'REG-30',
      },
      {
        do: 'wait-for',
        name: 'registrar',
        // What it takes days for is told by a look afterwards.
        optional: true,
        waitFor: until(false, registrationWith(id, 'pending_async', { value: true }), 'the registrar is done', SOON_MS),
      },
    ],
  };
}

/** Has the platform ask the registry how a name stands, which may be done as often as one likes (REG-28). */
export function refreshRegistration(id: string): Act {
  return {
    address: actOn(id, 'RefreshRegistration'),
    verb: 'update',
    reason: ASKED,
    steps: [
      change({
        name: 'refresh',
        method: 'POST',
        path: path`/api/domain_registrations/${id}/force_sync`,
        reason: 'ask the registry',
        rule: 'REG-28',
      }),
    ],
  };
}

/** Has the registrar ask a person once more to confirm who they are; when it did is told by no read (DCT-07, REG-31). */
export function resendVerification(of: { readonly contact: string } | { readonly registration: string }): Act {
  const isContact = 'contact' in of;
  return {
    address: isContact
      ? addressOf(addressOf(null, 'DomainContact', of.contact), 'ResendVerification', null)
      : actOn(of.registration, 'ResendVerification'),
    verb: 'update',
    reason: ASKED,
    steps: [
      {
        do: 'request',
        name: 'resend',
        method: 'POST',
        path: isContact
          ? path`/api/domain_contacts/${of.contact}/resend_verification`
          : path`/api/domain_registrations/${of.registration}/resend_contact_verification`,
        idempotent: false,
        answers: [
          { status: '2xx', then: 'done' },
          {
            status: 422,
            code: 'verification_not_applicable',
            then: 'fail',
            reason: 'nobody has to confirm anything: the TLD does not ask for it',
          },
        ],
        reason: 'have the message sent again',
      },
    ],
  };
}

/** Deletes a contact that no registration uses (DCT-06). */
export function deleteContact(id: string): Act {
  return {
    address: addressOf(addressOf(null, 'DomainContact', id), 'DeleteContact', null),
    verb: 'delete',
    reason: ASKED,
    steps: [
      change({
        name: 'delete',
        method: 'DELETE',
        path: path`/api/domain_contacts/${id}`,
        answers: [
          { status: '2xx', then: 'done' },
          { status: 404, then: 'done' },
        ],
        reason: 'delete the contact',
        rule: 'DCT-06',
      }),
    ],
  };
}

const CANCELLED_WITHIN_MS = 300_000;

/** Cancels an order that goes on, and waits until it has ended, however that is (ORD-03, ORD-20, GAP-10). */
export function cancelOrder(id: string): Act {
  const inState = (pointer: string, value: string): Condition => ({ pointer, or: ['/status'], value, not: true });
  const goesOn: LookUp = {
    read: path`/api/orders/${id}`,
    rows: '',
    where: ['completed', 'failed', 'cancelled'].map((status) => inState('/order/status', status)),
    capture: {},
  };
  return {
    address: addressOf(addressOf(null, 'Order', id), 'CancelOrder', null),
    verb: 'delete',
    reason: ASKED,
    steps: [
      {
        do: 'request',
        name: 'cancel',
        method: 'DELETE',
        path: path`/api/orders/${id}`,
        idempotent: false,
        answers: [{ status: '2xx', then: 'done' }],
        recovery: {
          lookUp: { ...goesOn, where: [{ pointer: '/order/status', or: ['/status'], value: 'cancelled' }] },
          ifNotFound: 'send-again',
          graceMs: LOST_GRACE_MS,
          rule: 'ORD-20',
        },
        reason: 'cancel the order',
        rule: 'ORD-20',
      },
      {
        do: 'wait-for',
        name: 'end of the order',
        open: true,
        waitFor: until(false, goesOn, 'the order has ended', CANCELLED_WITHIN_MS),
      },
    ],
  };
}
