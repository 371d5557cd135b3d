// Decides what can be done about a registration that leaves: its transfer code, a transfer away, a push to another
// registrar; and the reminder to confirm. Must not move time: a name that leaves is gone once its time has come
// (registrar/time.ts).
import { ok, refuse, unknownKeys } from '../../core/http/endpoint.ts';
import type { Answer, Call, Endpoint } from '../../core/http/endpoint.ts';
import { bodyOf, guarded, onRegistration, refuseStatus } from '../gates.ts';
import { changed } from '../present.ts';
import { carryOut } from '../processes.ts';
import { tldOfName } from '../state.ts';
import type { Registration } from '../state.ts';
import { leave } from '../clock.ts';
import { fails } from '../outages.ts';
import { rule } from '../../rules/rules.ts';

const writeToRead = rule('CNV-12', 'reading the transfer code takes the write scope');
const codeRefused = rule('REG-27', 'a transfer code is withheld by the registry, hidden by the TLD, or not to be had');
const decided = rule('REG-29', 'a transfer away is approved or rejected while there is one');
const pushWithoutCode = rule('REG-30', 'a push that is refused says why, without any code');
const onlyWhereAsked = rule('REG-31', 'who need not confirm anything is not reminded');

const LEAVES_AFTER_MS = 5 * 86_400_000;

function readCode({ world }: Call, registration: Registration): Answer {
  const reject = (status: number, code: string, message: string): Answer =>
    refuse(world, status, world.rules.on(codeRefused) ? code : null, message);
  if (registration.serverTransferProhibited)
    return reject(422, 'server_transfer_prohibited', 'The registry prohibits transfers');
  if (tldOfName(world.state.registrar, registration.name)?.authcode === 'hidden')
    return reject(422, 'authcode_unavailable', 'This TLD hides its codes');
  if (fails(world, 'authcode')) return reject(502, 'authcode_unavailable', 'The registrar failed');
  return ok({ authcode: registration.authcode });
}

function decide(call: Call, registration: Registration): Answer {
  const { world } = call;
  const body = bodyOf(call);
  const { decision } = body;
  const strange = unknownKeys(world, body, ['decision']);
  if (strange !== undefined) return strange;
  if (decision !== 'approve' && decision !== 'reject')
    return refuse(world, 422, world.rules.on(decided) ? 'invalid_decision' : null, 'decision is approve or reject');
  if (!registration.transferOutPending)
    return refuse(world, 422, world.rules.on(decided) ? 'no_pending_transfer_out' : null, 'There is no transfer');
  registration.transferOutPending = false;
  if (decision === 'approve') leave(world, registration);
  return changed(world, registration);
}

function push(call: Call, registration: Registration): Answer {
  const { world } = call;
  const body = bodyOf(call);
  const { recipient } = body;
  const strange = unknownKeys(world, body, ['recipient']);
  if (strange !== undefined) return strange;
  const reject = (message: string): Answer =>
    refuse(world, 422, world.rules.on(pushWithoutCode) ? null : 'push_transfer_rejected', message);
  if (typeof recipient !== 'string' || recipient.trim() === '') return reject('recipient is missing');
  if (tldOfName(world.state.registrar, registration.name)?.push !== true)
    return reject('This TLD has no push transfers');
  if (fails(world, 'push')) return reject('The recipient is unknown to the registrar');
  const refusal =
    refuseStatus(world, registration) ??
    carryOut(world, registration, { action: 'domain-push-transfer', changes: { pushTransferPending: true } });
  if (refusal !== undefined) return refusal;
  registration.leavesAt = world.clock.now() + LEAVES_AFTER_MS;
  return changed(world, registration);
}

function remind({ world }: Call, registration: Registration): Answer {
  const asked = tldOfName(world.state.registrar, registration.name)?.validation === true;
  if (!asked && world.rules.on(onlyWhereAsked))
    return refuse(world, 422, 'verification_not_applicable', 'Nobody has to confirm anything');
  return ok({ status: 'queued' });
}

const PATH = '/api/domain_registrations/:registration';

export const registrationTransferEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: `${PATH}/epp_code`,
    scope: (world) => (world.rules.on(writeToRead) ? 'domains:write' : 'domains:read'),
    account: true,
    handle: onRegistration('edit', readCode),
  },
  {
    method: 'POST',
    path: `${PATH}/transfer_out`,
    scope: 'domains:write',
    account: true,
    handle: onRegistration('edit', decide),
  },
  { method: 'POST', path: `${PATH}/push_transfer`, scope: 'domains:write', account: true, handle: guarded(push) },
  {
    method: 'POST',
    path: `${PATH}/resend_contact_verification`,
    scope: 'domains:write',
    account: true,
    handle: onRegistration('edit', remind),
  },
];
