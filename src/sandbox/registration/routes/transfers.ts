// What can be done about a registration that leaves: its transfer code, a transfer away, a push to another registrar;
// and the reminder to confirm.
import { ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import { filledText, oneOf } from '../../core/http/schema.ts';
import { onRegistration, refuseStatus } from '../guards.ts';
import { changed } from '../present.ts';
import { carryOut, fails } from '../processes.ts';
import { tldOfName } from '../state.ts';
import type { Registration } from '../state.ts';
import { leave } from '../clock.ts';

const LEAVES_AFTER_MS = 5 * 86_400_000;

function readCode(call: Call, registration: Registration): Answer {
  // REG-27: a transfer code is withheld by the registry, hidden by the TLD, or not to be had.
  if (registration.serverTransferProhibited)
    refuse(422, 'server_transfer_prohibited', 'The registry prohibits transfers');
  if (tldOfName(call, registration.name)?.authcode === 'hidden')
    refuse(422, 'authcode_unavailable', 'This TLD hides its codes');
  if (fails(call, 'authcode')) refuse(502, 'authcode_unavailable', 'The registrar failed');
  return ok({ authcode: registration.authcode });
}

function decide(call: Call, registration: Registration): Answer {
  const { decision } = call.body;
  if (!registration.transferOutPending) refuse(422, 'no_pending_transfer_out', 'There is no transfer');
  registration.transferOutPending = false;
  if (decision === 'approve') leave(call, registration);
  return changed(call, registration);
}

function push(call: Call, registration: Registration): Answer {
  // REG-30: a push that is refused says why, without any code.
  const reject = (message: string): never => refuse(422, null, message);
  if (tldOfName(call, registration.name)?.push !== true) reject('This TLD has no push transfers');
  if (fails(call, 'push')) reject('The recipient is unknown to the registrar');
  refuseStatus(call, registration);
  carryOut(call, registration, { action: 'domain-push-transfer', changes: { pushTransferPending: true } });
  registration.leavesAt = call.clock.now() + LEAVES_AFTER_MS;
  return changed(call, registration);
}

function remind(call: Call, registration: Registration): Answer {
  const asked = tldOfName(call, registration.name)?.validation === true;
  // REG-31: who need not confirm anything is not reminded.
  if (!asked) refuse(422, 'verification_not_applicable', 'Nobody has to confirm anything');
  return ok({ status: 'queued' });
}

export const registrationTransferEndpoints = onRegistration('', {
  // CNV-12: reading the transfer code takes the write scope.
  'GET /epp_code': { scope: 'domains:write', demand: 'edit', handle: readCode },
  'POST /transfer_out': {
    // REG-29: a transfer away is approved or rejected while there is one.
    body: { decision: { ...oneOf('approve', 'reject'), code: 'invalid_decision' } },
    handle: decide,
  },
  'POST /push_transfer': { demand: 'queued', body: { recipient: filledText }, handle: push },
  'POST /resend_contact_verification': remind,
});
