// What happens to registrations by the passing of time alone: processes end, names are renewed or lapse, transfers are
// over. Runs when somebody looks, up to the present moment.
import type { World } from '../core/world.ts';
import { runProcess } from './processes.ts';
import type { Registration } from './state.ts';

const YEAR_MS = 365 * 86_400_000;
/** How long an expired name can be had back; the documents do not say. */
const PURGED_AFTER_MS = 75 * 86_400_000;

export function runRegistrarTime(world: World): void {
  for (const registration of world.state.registrar.registrations.values()) {
    runProcess(world, registration);
    renewOrLapse(world, registration);
    move(world, registration);
  }
}

function renewOrLapse(world: World, registration: Registration): void {
  const now = world.clock.now();
  while (registration.autoRenew && registration.status === 'OK' && registration.expiresAt <= now)
    registration.expiresAt += YEAR_MS;
  if (registration.expiresAt > now) return;
  // REG-35: a name that is not renewed reads as EXPIRED until it is purged.
  if (registration.status === 'OK') registration.status = 'EXPIRED';
  if (registration.status === 'EXPIRED' && registration.expiresAt + PURGED_AFTER_MS <= now)
    world.state.registrar.registrations.delete(registration.id);
}

/** Transfers to here, and away. */
function move(world: World, registration: Registration): void {
  const now = world.clock.now();
  if (registration.arrivesAt !== null && registration.arrivesAt <= now)
    Object.assign(registration, { arrivesAt: null, status: 'OK' });
  if (registration.leavesAt !== null && registration.leavesAt <= now) leave(world, registration);
}

/** GAP-55: whether a name that has left is still listed is not documented. */
export function leave(world: World, registration: Registration): void {
  Object.assign(registration, {
    leavesAt: null,
    transferOutPending: false,
    pushTransferPending: false,
    status: 'TRANSFERRED_OUT',
  });
  world.state.registrar.taken.push(registration.name);
  if (world.ambiguities['GAP-55.left'] === 'gone') world.state.registrar.registrations.delete(registration.id);
}
