// Whether a request gets as far as a contact or registration: feature flag, role, known, not busy. Credential, scope,
// account header and user were asked for before (guards.ts).
import { mayEditAccount } from '../core/http/access.ts';
import { isRecord, refuse } from '../core/http/endpoint.ts';
import type { Answer, Call } from '../core/http/endpoint.ts';
import type { World } from '../core/world.ts';
import type { Contact, Registration } from './state.ts';
import { tldOfName } from './state.ts';
import { runRegistrarTime } from './clock.ts';
import { refuseTld } from './outages.ts';

export type Demand = 'read' | 'edit';
type Handle = (call: Call) => Answer;
type OnRegistration = (call: Call, registration: Registration) => Answer;
type OnContact = (call: Call, contact: Contact) => Answer;

/** Everything in the area stands behind this. */
export function area(demand: Demand, handle: Handle): Handle {
  return (call) => {
    const refusal = refuseFlag(call.world);
    if (refusal !== undefined) return refusal;
    runRegistrarTime(call.world);
    return (demand === 'edit' ? refuseViewer(call) : undefined) ?? handle(call);
  };
}

export function refuseFlag(world: World): Answer | undefined {
  // REG-01: without the feature flag every endpoint of domain registration answers 503 feature_disabled.
  if (world.state.registrar.enabled) return undefined;
  return refuse(503, 'feature_disabled', 'Domain registration is not available');
}

/** GAP-03: whether this 403 has a code is not documented. */
function refuseViewer({ world, credential, accountId }: Call): Answer | undefined {
  // REG-02: whoever may only look is refused every change.
  if (mayEditAccount(world, credential, accountId ?? '')) return undefined;
  return refuse(403, world.ambiguities['GAP-03'] === 'with-code' ? 'not_authorized' : null, 'Not Authorized');
}

export function onRegistration(demand: Demand, handle: OnRegistration): Handle {
  return area(demand, (call) => {
    const registration = ownRegistration(call);
    if (registration === undefined) return refuse(404, null, 'Not Found');
    return (
      (demand === 'edit' ? refuseTld(tldOfName(call.world.state.registrar, registration.name)) : undefined) ??
      handle(call, registration)
    );
  });
}

/** A change that waits its turn. */
export function guarded(handle: OnRegistration): Handle {
  return onRegistration('edit', (call, registration) => refuseBusy(registration) ?? handle(call, registration));
}

export function refuseBusy(registration: Registration): Answer | undefined {
  // REG-11: while a process is on its way most changes answer 409 registration_busy.
  if (registration.process === null) return undefined;
  return refuse(409, 'registration_busy', 'The registrar is working on this registration');
}

/** GAP-55: what a change of a name that is not OK answers is not documented. */
export function refuseStatus(world: World, registration: Registration): Answer | undefined {
  if (registration.status === 'OK' || world.ambiguities['GAP-55'] === 'accepted') return undefined;
  return refuse(422, null, `The status of ${registration.name} is ${registration.status}`);
}

export function onContact(demand: Demand, handle: OnContact): Handle {
  return area(demand, (call) => {
    const contact = findContact(call, Number(call.params['contact']));
    return contact === undefined ? refuse(404, null, 'Not Found') : handle(call, contact);
  });
}

export function findContact({ world, accountId }: Call, id: unknown): Contact | undefined {
  const contact = typeof id === 'number' ? world.state.registrar.contacts.get(id) : undefined;
  return contact?.accountId === accountId ? contact : undefined;
}

function ownRegistration(call: Call): Registration | undefined {
  // REG-03: a registration is addressed by its guid, and not by its name.
  return ownRegistrations(call).find(({ id }) => id === call.params['registration']);
}

export function ownRegistrations({ world, accountId }: Call): readonly Registration[] {
  return [...world.state.registrar.registrations.values()].filter((one) => one.accountId === accountId);
}

export function bodyOf(call: Call): Record<string, unknown> {
  return isRecord(call.body) ? call.body : {};
}
