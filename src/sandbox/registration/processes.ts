// How a change of a registration comes about: at once, or by a process that the registrar takes days for and that may
// fail or get stuck.
import { refuse } from '../core/http/endpoint.ts';
import { nextId } from '../core/state.ts';
import { strikes } from '../core/world.ts';
import type { World } from '../core/world.ts';
import { tldOfName } from './state.ts';
import type { ContactEdit, RegistrarTrouble, Registration, Settings } from './state.ts';
import type { Tld } from './tlds.ts';

export function fails(world: World, part: RegistrarTrouble): boolean {
  return strikes(world.state.registrar.troubles, (one) => one === part);
}

export function refuseTld(tld: Tld | undefined): void {
  // REG-34: a TLD without a registrar answers 503 registrar_unavailable.
  if (tld?.registrar === null) refuse(503, 'registrar_unavailable', 'This TLD has no registrar');
}

/** What a registrar answers that fails before, or after, it did its work. */
export function registrarFails(world: World, moment: 'before' | 'after'): void {
  // REG-34/upstream: a registrar that fails answers 502 without a code, and what was asked may have been done.
  if (fails(world, moment)) refuse(502, null, 'The registrar failed');
}

const DEFAULT_MS = 2 * 86_400_000;

export interface Change {
  /** The registrar's command. */
  readonly action: string | null;
  readonly changes: Partial<Settings>;
  readonly contact?: ContactEdit;
  /** Never by a process, unless every change is: billing, or hosts. */
  readonly local?: boolean;
}

/** Does it, or has the registrar begin with it: look at the registration for a process. */
export function carryOut(world: World, registration: Registration, change: Change): void {
  registrarFails(world, 'before');
  refuseLocked(world, registration, change);
  const durationMs = duration(world, registration, change);
  if (durationMs > 0) openProcess(world, registration, change, durationMs);
  else apply(world, registration, change.changes, change.contact ?? null);
  registrarFails(world, 'after');
}

/** Some registries refuse changes to a name that is locked; which, no document says. */
export function refuseLocked(
  { ambiguities }: World,
  { locked }: Registration,
  change: Pick<Change, 'changes' | 'local'>,
): void {
  const exempt = change.local === true || change.changes.locked !== undefined;
  if (locked && !exempt && ambiguities.lockedNames === 'refused') refuse(422, null, 'The name is locked');
}

/** GAP-63: which changes open a process, and for which TLDs, is not documented. */
function duration(world: World, registration: Registration, { local }: Change): number {
  const reading = world.ambiguities['GAP-63'];
  // PRC-05/slow: a slow registrar opens a process, and the registration is pending until it ends.
  if (reading === 'never') return 0;
  const own = tldOfName(world, registration.name)?.processMs ?? 0;
  if (reading === 'always') return own > 0 ? own : DEFAULT_MS;
  return local === true ? 0 : own;
}

function openProcess(world: World, registration: Registration, change: Change, durationMs: number): void {
  const now = world.clock.now();
  const { changes, contact = null } = change;
  const before = Object.fromEntries(
    Object.keys(changes).map((key) => [key, registration[key as keyof Settings]]),
  ) as Partial<Settings>;
  const outcome = takeFate(world, registration);
  registration.process = {
    id: `rtr-${nextId(world.state)}`,
    action: change.action,
    status: null,
    openedAt: now,
    endsAt: outcome === 'stuck' ? null : now + durationMs,
    fails: outcome === 'fails',
    changes,
    before,
    contact,
    contactBefore: world.state.registrar.contacts.get(contact?.id ?? -1)?.fields ?? null,
  };
  registration.updatedAt = now;
  if (showsAtOnce(world)) apply(world, registration, changes, contact);
  world.clock.at(now + durationMs, () => runProcess(world, registration));
}

function showsAtOnce(world: World): boolean {
  // PRC-05: what a process changes changes when it ends well, and not at all when it fails.
  return world.ambiguities['GAP-63.fields'] === 'at-once';
}

function takeFate(world: World, { name }: Registration): 'fails' | 'stuck' | undefined {
  const { fates } = world.state.registrar;
  const index = fates.findIndex((fate) => (fate.name ?? name) === name);
  return index === -1 ? undefined : fates.splice(index, 1)[0]?.outcome;
}

/** Brings the process to where it should be by now: reported half-way, ended when its time is over. */
export function runProcess(world: World, registration: Registration): void {
  const { process } = registration;
  const now = world.clock.now();
  if (process === null || process.endsAt === null) return;
  if (process.endsAt <= now) endProcess(world, registration, !process.fails);
  else if (now >= (process.openedAt + process.endsAt) / 2) process.status ??= 'RUNNING';
}

export function endProcess(world: World, registration: Registration, well: boolean): void {
  const { process } = registration;
  if (process === null) return;
  const { id, changes, before, contact, contactBefore } = process;
  registration.process = null;
  registration.lastProcess = { id, status: well ? 'COMPLETED' : 'FAILED' };
  if (well) apply(world, registration, changes, contact);
  else if (showsAtOnce(world)) {
    apply(
      world,
      registration,
      before,
      contact === null || contactBefore === null ? null : { ...contact, fields: contactBefore, touched: false },
    );
  }
}

function apply(
  world: World,
  registration: Registration,
  changes: Partial<Settings>,
  contact: ContactEdit | null,
): void {
  Object.assign(registration, changes, { updatedAt: world.clock.now() });
  if (contact !== null) editContact(world, contact);
}

export function editContact(world: World, { id, fields, touched }: ContactEdit): void {
  const contact = world.state.registrar.contacts.get(id);
  if (contact === undefined) return;
  Object.assign(contact, { fields, updatedAt: world.clock.now() });
  if (touched) contact.validated = false;
}
