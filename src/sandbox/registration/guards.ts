// Whether a request gets as far as a contact or registration: feature flag, role, known, not busy. Credential, scope,
// account header and user were asked for before (guards.ts).
import { mayEditAccount } from '../core/http/access.ts';
import { endpointsAt, notFound, refuse, scopeOf } from '../core/http/endpoint.ts';
import type { Answer, Call, Endpoint, Method, PlainEndpoint, Table } from '../core/http/endpoint.ts';
import type { World } from '../core/world.ts';
import { tldOfName } from './state.ts';
import type { Contact, Registration } from './state.ts';
import { runRegistrarTime } from './clock.ts';
import { refuseTld } from './processes.ts';

interface Demanding {
  /** `queued`: a change that waits its turn (REG-11). */
  readonly demand: 'read' | 'edit' | 'queued';
}

/** What stands before everything in the area. */
function areaGuard(call: Call, { demand }: Demanding): Answer | undefined {
  const refusal = refuseFlag(call);
  if (refusal !== undefined) return refusal;
  runRegistrarTime(call);
  return demand === 'read' ? undefined : refuseViewer(call);
}

export function refuseFlag(world: World): Answer | undefined {
  // REG-01: without the feature flag every endpoint of domain registration answers 503 feature_disabled.
  if (world.state.registrar.enabled) return undefined;
  return refuse(503, 'feature_disabled', 'Domain registration is not available');
}

/** GAP-03: whether this 403 has a code is not documented. */
function refuseViewer(call: Call): Answer | undefined {
  // REG-02: whoever may only look is refused every change.
  if (mayEditAccount(call, call.credential, call.accountId ?? '')) return undefined;
  return refuse(403, call.ambiguities['GAP-03'] === 'with-code' ? 'not_authorized' : null, 'Not Authorized');
}

export function registrationGuard(call: Call, { demand }: Demanding): Answer | undefined {
  const refusal = areaGuard(call, { demand });
  if (refusal !== undefined) return refusal;
  const registration = ownRegistration(call);
  if (registration === undefined) return notFound();
  return (
    (demand === 'read' ? undefined : refuseTld(tldOfName(call.state.registrar, registration.name))) ??
    (demand === 'queued' ? refuseBusy(registration) : undefined)
  );
}

interface Guarded<Subject> extends PlainEndpoint<Subject>, Demanding {}

const demandsOf = (method: Method) =>
  ({ scope: scopeOf('domains', method), account: true, demand: method === 'GET' ? 'read' : 'edit' }) as const;

/** Endpoints of the area; a read that is a POST says so. */
export function areaEndpoints(path: string, table: Table<Guarded<unknown>>): readonly Endpoint[] {
  return endpointsAt<Guarded<unknown>>(path, (method) => ({ ...demandsOf(method), guard: areaGuard }), table);
}

/** Below /api/domain_registrations/:registration. */
export function onRegistration(path: string, table: Table<Guarded<Registration>>): readonly Endpoint[] {
  return endpointsAt<Guarded<Registration>>(
    `/api/domain_registrations/:registration${path}`,
    (method) => ({ ...demandsOf(method), guard: registrationGuard, subject: ownRegistration }),
    table,
  );
}

/** Below /api/domain_contacts/:contact. */
export function onContact(table: Table<Guarded<Contact>>): readonly Endpoint[] {
  const subject = (call: Call): Contact | undefined => findContact(call, Number(call.params['contact']));
  const guard = (call: Call, demands: Demanding): Answer | undefined =>
    areaGuard(call, demands) ?? (subject(call) === undefined ? notFound() : undefined);
  return endpointsAt<Guarded<Contact>>(
    '/api/domain_contacts/:contact',
    (method) => ({ ...demandsOf(method), guard, subject }),
    table,
  );
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

export function findContact({ accountId, state }: Call, id: unknown): Contact | undefined {
  const contact = typeof id === 'number' ? state.registrar.contacts.get(id) : undefined;
  return contact?.accountId === accountId ? contact : undefined;
}

function ownRegistration(call: Call): Registration | undefined {
  // REG-03: a registration is addressed by its guid, and not by its name.
  return ownRegistrations(call).find(({ id }) => id === call.params['registration']);
}

export function ownRegistrations({ accountId, state }: Call): readonly Registration[] {
  return [...state.registrar.registrations.values()].filter((one) => one.accountId === accountId);
}
