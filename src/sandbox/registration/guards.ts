// Whether a request gets as far as a contact or registration: feature flag, role, known, not busy. Credential, scope,
// account header and user were asked for before (guards.ts).
import { mayEditAccount } from '../core/http/access.ts';
import { endpointsAt, notFound, refuse, scopeOf } from '../core/http/endpoint.ts';
import type { Call, Endpoint, Method, Table } from '../core/http/endpoint.ts';
import { forbid } from '../core/http/guards.ts';
import type { World } from '../core/world.ts';
import { tldOfName } from './state.ts';
import type { Contact, Registration } from './state.ts';
import { runRegistrarTime } from './clock.ts';
import { refuseTld } from './processes.ts';

export interface Demanding {
  /** `queued`: a change that waits its turn (REG-11). */
  readonly demand: 'read' | 'edit' | 'queued';
}

/** What stands before everything in the area. */
function admitToArea(call: Call, { demand }: Demanding): void {
  refuseFlag(call);
  runRegistrarTime(call);
  // REG-02: whoever may only look is refused every change.
  if (demand !== 'read' && !mayEditAccount(call, call.accountId ?? '')) forbid(call, 'Not Authorized');
}

export function refuseFlag({ state }: World): void {
  // REG-01: without the feature flag every endpoint of domain registration answers 503 feature_disabled.
  if (!state.registrar.enabled) refuse(503, 'feature_disabled', 'Domain registration is not available');
}

export function admitToRegistration(call: Call, { demand }: Demanding): Registration {
  admitToArea(call, { demand });
  // REG-03: a registration is addressed by its guid, and not by its name.
  const registration = ownRegistrations(call).find(({ id }) => id === call.params['registration']) ?? notFound();
  if (demand !== 'read') refuseTld(tldOfName(call, registration.name));
  if (demand === 'queued') refuseBusy(registration);
  return registration;
}

interface Guarded<Subject> extends Endpoint<Subject>, Demanding {}

const demandsOf = (method: Method) =>
  ({ scope: scopeOf('domains', method), account: true, demand: method === 'GET' ? 'read' : 'edit' }) as const;

/** Endpoints of the area; a read that is a POST says so. */
export function areaEndpoints(path: string, table: Table<Guarded<void>>): readonly Endpoint[] {
  return endpointsAt<Guarded<void>>(path, (method) => ({ ...demandsOf(method), admit: admitToArea }), table);
}

/** Below /api/domain_registrations/:registration. */
export function onRegistration(path: string, table: Table<Guarded<Registration>>): readonly Endpoint[] {
  return endpointsAt<Guarded<Registration>>(
    `/api/domain_registrations/:registration${path}`,
    (method) => ({ ...demandsOf(method), admit: admitToRegistration }),
    table,
  );
}

/** Below /api/domain_contacts/:contact. */
export function onContact(table: Table<Guarded<Contact>>): readonly Endpoint[] {
  const admit = (call: Call, demands: Demanding): Contact => {
    admitToArea(call, demands);
    return findContact(call, Number(call.params['contact'])) ?? notFound();
  };
  return endpointsAt<Guarded<Contact>>(
    '/api/domain_contacts/:contact',
    (method) => ({ ...demandsOf(method), admit }),
    table,
  );
}

export function refuseBusy({ process }: Registration): void {
  // REG-11: while a process is on its way most changes answer 409 registration_busy.
  if (process !== null) refuse(409, 'registration_busy', 'The registrar is working on this registration');
}

/** GAP-55: what a change of a name that is not OK answers is not documented. */
export function refuseStatus(world: World, { name, status }: Registration): void {
  if (status !== 'OK' && world.ambiguities['GAP-55'] === 'refused')
    refuse(422, null, `The status of ${name} is ${status}`);
}

export function findContact({ accountId, state }: Call, id: unknown): Contact | undefined {
  const contact = typeof id === 'number' ? state.registrar.contacts.get(id) : undefined;
  return contact?.accountId === accountId ? contact : undefined;
}

export function ownRegistrations({ accountId, state }: Call): readonly Registration[] {
  return [...state.registrar.registrations.values()].filter((one) => one.accountId === accountId);
}
