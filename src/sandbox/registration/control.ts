// What can be done to contacts and registrations from outside /api: look at the raw store, change it, move processes
// on, be the person at the portal.
import type { Context, Hono } from 'hono';
import type { Desk, Env } from '../core/http/app.ts';
import { bodyOf, textOf } from '../core/control-body.ts';
import { endProcess } from './processes.ts';
import { REGISTRAR_TROUBLES, addContact, addRegistration } from './state.ts';
import type { Contact, ContactFields, ProcessFate, Registrar, RegistrarTrouble, Registration } from './state.ts';
import { leave, runRegistrarTime } from './clock.ts';
import { announceDomain } from './events.ts';
import type { RegisteredDomain } from './events.ts';
import { controlPath, few } from '../core/outside.ts';
import type { OutsideEvent } from '../core/outside.ts';
import { plain } from '../core/snapshot.ts';
import { takeSerial } from '../core/state.ts';
import type { World } from '../core/world.ts';

type Body = Record<string, unknown>;

const YEAR_MS = 365 * 86_400_000;

const REGISTRAR = '/_sandbox/registrar';
const REGISTRATION = '/_sandbox/registrations/:registration';

export function addRegistrationControls(control: Hono<Env>, { world }: Desk): void {
  const { registrar } = world.state;
  control.post('/_sandbox/domain_events', async (context) => {
    const { action, ...domain } = await bodyOf(context);
    announceDomain(world, everyday(world, domain), String(action));
    return context.json({});
  });
  control.get(REGISTRAR, (context) => {
    runRegistrarTime(world);
    return context.json(plain(registrar));
  });
  control.patch(REGISTRAR, async (context) => {
    changePlatform(registrar, await bodyOf(context));
    return context.json({});
  });
  control.patch(`${REGISTRAR}/tlds/:tld`, async (context) => {
    const tld = registrar.tlds.find(({ name }) => name === context.req.param('tld'));
    if (tld === undefined) return context.json({ error: 'no such TLD' }, 404);
    Object.assign(tld, await bodyOf(context));
    return context.json({});
  });
  addContactControls(control, world);
  addNameControls(control, world);
  addProcessControls(control, world);
}

/** The flag, troubles and fates of processes to come, names that others hold. */
function changePlatform(registrar: Registrar, body: Body): void {
  const { enabled, suggestionsKey, taken, premium, troubles, fates } = body;
  if (enabled !== undefined) registrar.enabled = enabled === true;
  if (suggestionsKey !== undefined) registrar.suggestionsKey = suggestionsKey === true;
  if (Array.isArray(taken)) registrar.taken = taken.map(String);
  if (Array.isArray(premium)) registrar.premium = premium.map(String);
  if (Array.isArray(troubles)) registrar.troubles = troubles.map((one) => readTrouble(one as Body));
  if (Array.isArray(fates)) registrar.fates.push(...(fates as ProcessFate[]));
}

function readTrouble({ part, times }: Body): Registrar['troubles'][number] {
  if (!REGISTRAR_TROUBLES.includes(part as RegistrarTrouble))
    throw new Error(`no trouble '${String(part)}'; there are: ${REGISTRAR_TROUBLES.join(', ')}`);
  return { part: part as RegistrarTrouble, times: typeof times === 'number' ? times : null };
}

function addContactControls(control: Hono<Env>, world: World): void {
  const { registrar } = world.state;
  control.post(`${REGISTRAR}/contacts`, async (context) => {
    const body = await bodyOf(context);
    const contact = addContact(registrar, {
      id: 9_000 + takeSerial(world.state),
      ...(body as Pick<Contact, 'accountId'> & { fields?: Partial<ContactFields> }),
    });
    return context.json({ id: contact.id });
  });
  control.patch(`${REGISTRAR}/contacts/:contact`, async (context) => {
    const contact = registrar.contacts.get(Number(context.req.param('contact')));
    if (contact === undefined) return context.json({ error: 'no such contact' }, 404);
    const { fields, ...rest } = await bodyOf(context);
    Object.assign(contact, rest, { fields: { ...contact.fields, ...(fields as Partial<ContactFields> | undefined) } });
    return context.json({});
  });
  control.delete(`${REGISTRAR}/contacts/:contact`, (context) =>
    context.json({ removed: registrar.contacts.delete(Number(context.req.param('contact'))) }),
  );
}

/**
 * A name is addressed by itself or by its guid. The path under `dns` is the older one: it says who owns a name, and no
 * more.
 */
function addNameControls(control: Hono<Env>, world: World): void {
  const { registrar } = world.state;
  control.post('/_sandbox/registrations', async (context) => {
    const body = await bodyOf(context);
    const registration = addRegistration(registrar, {
      ...body,
      name: textOf(body, 'name'),
      accountId: textOf(body, 'accountId'),
    });
    return context.json({ id: registration.id });
  });
  control.patch(REGISTRATION, (context) => changeName(world, context, (one, body) => Object.assign(one, body)));
  control.delete(REGISTRATION, (context) =>
    changeName(world, context, (one) => registrar.registrations.delete(one.id)),
  );
  control.post('/_sandbox/dns/registrations', async (context) => {
    const body = await bodyOf(context);
    const name = textOf(body, 'name');
    const there = [...registrar.registrations.values()].find((one) => one.name === name);
    if (there !== undefined) registrar.registrations.delete(there.id);
    const now = world.clock.now();
    const lapsed = body['status'] === 'expired' ? { status: 'EXPIRED', expiresAt: now } : {};
    if (body['status'] !== 'purged')
      addRegistration(registrar, { name, accountId: textOf(body, 'accountId'), ...lapsed });
    return context.json({});
  });
}

/** What only a registrar, or a person at the portal, can do. */
function addProcessControls(control: Hono<Env>, world: World): void {
  control.post(`${REGISTRATION}/process`, (context) =>
    changeName(world, context, (registration, body) => {
      const outcome = textOf(body, 'outcome');
      if (registration.process === null) throw new Error('no process is on its way');
      if (outcome === 'completed' || outcome === 'failed') endProcess(world, registration, outcome === 'completed');
      else if (outcome === 'stuck') registration.process.endsAt = null;
      else throw new Error('outcome is completed, failed or stuck');
    }),
  );
  control.post(`${REGISTRATION}/portal`, (context) =>
    changeName(world, context, (registration) => {
      // GAP-64: how a purchase at the portal ends is not documented.
      registration.privacyPaid = true;
      if (world.ambiguities['GAP-64'] === 'switches') registration.privacyProtect = true;
    }),
  );
  control.post(`${REGISTRATION}/leave`, (context) =>
    changeName(world, context, (registration) => leave(world, registration)),
  );
}

async function changeName(
  world: World,
  context: Context<Env>,
  change: (registration: Registration, body: Body) => void,
): Promise<Response> {
  runRegistrarTime(world);
  const wanted = context.req.param('registration') ?? '';
  const found = [...world.state.registrar.registrations.values()].find(
    ({ id, name }) => id === wanted || name === wanted,
  );
  if (found === undefined) return context.json({ error: 'no such registration' }, 404);
  change(found, await bodyOf(context));
  return context.json({});
}

/** A registration with everyday values, where nothing else is said. */
function everyday(world: World, given: Record<string, unknown>): RegisteredDomain {
  return {
    id: `reg-${textOf(given, 'name')}`,
    name: textOf(given, 'name'),
    accountId: 'acc-acme',
    status: 'OK',
    expiresAt: world.clock.now() + YEAR_MS,
    autoRenew: true,
    privacyProtect: false,
    recoveryPhase: null,
    price: { amount_cents: 1_200, currency: 'EUR', term: 'yearly' },
    ...(given as Partial<RegisteredDomain>),
  };
}

export function registrarEvents({ state }: World): readonly OutsideEvent[] {
  const group = 'Registrations';
  const names = [...state.registrar.registrations.values()];
  const running = few(names, ({ process }) => process !== null).flatMap(({ name }): readonly OutsideEvent[] => {
    const path = controlPath('registrations', name, 'process');
    return [
      {
        group,
        does: `The registrar completes what is under way for ${name}`,
        method: 'POST',
        path,
        body: { outcome: 'completed' },
      },
      {
        group,
        does: `The registrar refuses what is under way for ${name}`,
        method: 'POST',
        path,
        body: { outcome: 'failed' },
      },
    ];
  });
  const idle = few(names, ({ process }) => process === null)
    .slice(0, 1)
    .flatMap(({ name }): readonly OutsideEvent[] => [
      {
        group,
        does: `Switch automatic renewal of ${name} off elsewhere`,
        method: 'PATCH',
        path: controlPath('registrations', name),
        body: { autoRenew: false },
      },
      {
        group,
        does: `Transfer ${name} to another registrar`,
        method: 'POST',
        path: controlPath('registrations', name, 'leave'),
      },
    ]);
  return [...running, ...idle];
}
