// How a mailbox is made: checked, recorded, then given its aliases and memberships. What fails after the record leaves
// it there.
import { ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call, Row } from '../../core/http/endpoint.ts';
import { filledText, keys } from '../../core/http/schema.ts';
import type { Properties } from '../../core/http/schema.ts';
import { fails, mailWrite, readAddresses, remember } from '../server.ts';
import { addMailbox } from '../state.ts';
import type { Mailbox, Mailspace } from '../state.ts';
import { mailboxCreated } from '../present.ts';
import { nextId, takeSerial } from '../../core/state.ts';
import type { World } from '../../core/world.ts';
import { checkQuota, hasRoom, readMemberships, setMemberships } from './mailbox-room.ts';

/** MBX-09: a create takes neither allowed addresses nor a second factor. */
export const CREATE_BODY: Properties = {
  // MBX-10: a missing user name is told before a missing password.
  username: { ...filledText, status: 400, code: 'username_blank' },
  password: { ...filledText, status: 400, code: 'password_blank' },
  ...keys('domain', 'display_name', 'quota_mb', 'aliases', 'groups', 'lists'),
};

function failed(message: string): never {
  return refuse(422, 'create_failed', message);
}

export function createMailbox(call: Call, space: Mailspace): Answer {
  const { body } = call;
  const email = readEmail(call, space, body);
  refuseContent(call, space, body);
  return mailWrite(space, { refused: 'create_failed' }, () => {
    const mailbox = record(call, space, email, body);
    // MBX-12: a mailbox whose aliases or memberships fail is kept.
    complete(call, space, mailbox, body);
    // MBX-11: a create answers the row and its stamps, not the view.
    return ok({ mailbox: mailboxCreated(call, mailbox) }, 201);
  });
}

function readEmail(world: World, space: Mailspace, { username, domain }: Row): string {
  if (typeof username !== 'string' || username.includes('@')) return failed('username is a local part');
  const host = typeof domain === 'string' && domain !== '' ? domain.trim() : space.domain;
  const [email = ''] = readAddresses(world, space, [`${username.trim()}@${host}`], failed);
  return email;
}

/** Refuses what makes nothing at all. */
function refuseContent(world: World, space: Mailspace, body: Row): void {
  // MBX-13: a create needs room in the package.
  if (!hasRoom(world, space)) failed('The package has no room for another mailbox');
  if (body['quota_mb'] !== undefined) checkQuota(space, body['quota_mb'], failed);
  if (world.ambiguities.foreignMembership === 'checked-first') readMemberships(space, body, failed);
}

function record(world: World, space: Mailspace, email: string, body: Row): Mailbox {
  const now = world.clock.now();
  const mailbox = addMailbox(space, {
    id: nextId(world.state),
    principalId: `p-${takeSerial(world.state)}`,
    email,
    password: String(body['password']),
    displayName: typeof body['display_name'] === 'string' && body['display_name'] !== '' ? body['display_name'] : null,
    quotaMb: Number(body['quota_mb'] ?? 0),
    allowedIps: [],
    createdAt: now,
    updatedAt: now,
  });
  remember(world, space, 'mailbox', email);
  return mailbox;
}

/** What comes after the record, in calls of their own. */
function complete(world: World, space: Mailspace, mailbox: Mailbox, body: Row): void {
  const failedLate = (message: string): never => failed(`The mailbox is there; ${message}`);
  if (fails(space, 'follow-up')) failedLate('its aliases and memberships failed');
  if (body['aliases'] !== undefined)
    mailbox.aliases = readAddresses(world, space, body['aliases'], failedLate, mailbox);
  setMemberships(space, mailbox, readMemberships(space, body, failedLate));
}
