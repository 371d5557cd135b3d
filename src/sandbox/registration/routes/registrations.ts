// How registrations are listed, viewed and synchronised, how their renewal is switched, and how a process is looked at.
import { isRecord, notShown, ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call, Endpoint, Row } from '../../core/http/endpoint.ts';
import { boolean } from '../../core/http/schema.ts';
import type { Properties } from '../../core/http/schema.ts';
import { listed, pageIfRead } from '../../core/lists.ts';
import { areaEndpoints, onRegistration, ownRegistrations } from '../guards.ts';
import { changed, pendingProcess, registrationEnvelope, registrationView, viewAdditions } from '../present.ts';
import { carryOut, registrarFails } from '../processes.ts';
import type { Registration } from '../state.ts';
import { inListOrder } from '../../core/world.ts';
import type { World } from '../../core/world.ts';

function listRegistrations(call: Call): Answer {
  const { query } = call;
  // REG-09: the query of the list is a part of the name.
  const needle = query.get('q')?.toLowerCase() ?? '';
  const rows = listed(
    call,
    ownRegistrations(call).filter(({ name }) => name.includes(needle)),
  );
  return ok({ domain_registrations: pageIfRead(call, inListOrder(call, rows)).map((one) => row(call, one)) });
}

function row(world: World, registration: Registration): unknown {
  return { ...registrationView(world, registration, 'read'), ...pendingProcess(registration) };
}

function updateRegistration(call: Call, registration: Registration): Answer {
  const wanted = (call.body['domain_registration'] as Row)['auto_renew'] === true;
  const scenario = wanted ? 'enabled' : cancelling(call, registration);
  carryOut(call, registration, { action: null, changes: { autoRenew: wanted }, local: true });
  if (scenario === 'refund_cancel') registration.refunds += 1;
  // REG-12/scenario: an update says what it meant for billing.
  return changed(call, registration, { scenario });
}

/** GAP-53: one table lets renewal be switched off after the window, the other refuses it. */
function cancelling(world: World, { autoRenew, cancellationDeadlineAt: deadline }: Registration): string {
  if (!autoRenew || deadline === null) return 'clean_cancel';
  // REG-13/refund: inside the window switching off refunds.
  if (world.clock.now() <= deadline) return 'refund_cancel';
  // REG-13: renewal is not switched off after the cancellation window.
  if (world.ambiguities['GAP-53'] === 'late-cancel') return 'late_cancel';
  return refuse(422, 'cancellation_window_passed', 'The cancellation window has passed');
}

/** Brings the copy up to date. Names of changed fields are those of the answer. */
function synchronise(call: Call, registration: Registration): Answer {
  // REG-11/unguarded: a sync, a decision on a transfer and a reminder do not wait for a process.
  registrarFails(call, 'before');
  const before = registrationView(call, registration, 'write');
  Object.assign(registration, registration.registry, { registry: {} });
  const after = registrationView(call, registration, 'write');
  const names = Object.keys(after).filter((key) => JSON.stringify(after[key]) !== JSON.stringify(before[key]));
  return ok({
    ...registrationEnvelope(call, registration, 'write'),
    // REG-28: a sync brings in what the registry knows, and names what changed.
    changed: names,
  });
}

/** GAP-51: what the address of a process answers is not documented. */
function readProcess(call: Call, registration: Registration): Answer {
  const reading = call.ambiguities['GAP-51'];
  if (reading === 'not-shown') notShown();
  const { process, lastProcess } = registration;
  const wanted = call.params['process'];
  const found =
    process?.id === wanted
      ? { id: process?.id, action: process?.action ?? null, status: process?.status ?? 'pending' }
      : lastProcess?.id === wanted
        ? lastProcess
        : undefined;
  if (found === undefined) return refuse(404, null, 'Not Found');
  return ok(reading === 'wrapped' ? { process: found } : found);
}

/** REG-12: an update without auto_renew is a no_op, one without a boolean an invalid_param. */
function updateBody({ body: { domain_registration: fields } }: Call): Properties {
  const isNothing = !isRecord(fields) || fields['auto_renew'] === undefined;
  const refusal = isNothing ? { status: 400, code: 'no_op' } : { code: 'invalid_param' };
  return {
    domain_registration: {
      type: 'object',
      required: true,
      properties: { auto_renew: { ...boolean, required: true, ...refusal } },
      ...refusal,
    },
  };
}

export const registrationEndpoints: readonly Endpoint[] = [
  ...areaEndpoints('/api/domain_registrations', { GET: listRegistrations }),
  ...onRegistration('', {
    GET: (call, one) => ok(registrationEnvelope(call, one, 'read', viewAdditions(call, one))),
    PATCH: { demand: 'queued', body: updateBody, handle: updateRegistration },
    'POST /force_sync': synchronise,
    'GET /processes/:process': readProcess,
  }),
];
