// How a mailbox is made: checked, recorded, then given its aliases and memberships. What fails after the record leaves
// it there.
import { ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import { filledText, keys } from '../../core/http/schema.ts';
import type { Properties } from '../../core/http/schema.ts';
import { fails, mailWrite, readAddresses, remember } from '../server.ts';
import { addMailbox } from '../state.ts';
import type { Mailbox, Mailspace } from '../state.ts';
import { mailboxCreated } from '../present.ts';
import { nextId, takeSerial } from '../../core/state.ts';
import type { World } from '../../core/world.ts';
import { hasRoom, quotaProblem, readMemberships, setMemberships } from './mailbox-room.ts';

/** MBX-09: a create takes neither allowed addresses nor a second factor. */
export const CREATE_BODY: Properties = {
  // MBX-10: a missing user name is told before a missing password.
  username: { ...filledText, status: 400, code: 'username_blank' },
  password: { ...filledText, status: 400, code: 'password_blank' },
  ...keys('domain', 'display_name', 'quota_mb', 'aliases', 'groups', 'lists'),
};
type Body = Readonly<Record<string, unknown>>;

function failed(message: string): Answer {
  return refuse(422, 'create_failed', message);
}

export function createMailbox(call: Call, space: Mailspace): Answer {
  const { body } = call;
  const email = readEmail(call, space, body);
  if (typeof email !== 'string') return email;
  const problem = firstProblem(call, space, body);
  if (problem !== undefined) return failed(problem);
  return mailWrite(space, { before: 'mailhost_unavailable', after: null, refused: 'create_failed' }, () => {
    const mailbox = record(call, space, email, body);
    const trouble = complete(call, space, mailbox, body);
    if (trouble === undefined)
      // MBX-11: a create answers the row and its stamps, not the view.
      return ok({ mailbox: mailboxCreated(call, mailbox) }, 201);
    // MBX-12: a mailbox whose aliases or memberships fail is kept.
    return failed(trouble);
  });
}

function readEmail(world: World, space: Mailspace, { username, domain }: Body): string | Answer {
  if (typeof username !== 'string' || username.includes('@')) return failed('username is a local part');
  const wanted = readAddresses(
    world,
    space,
    [`${username.trim()}@${typeof domain === 'string' && domain !== '' ? domain.trim() : space.domain}`],
    undefined,
  );
  return 'problem' in wanted ? failed(wanted.problem) : (wanted.addresses[0] ?? '');
}

/** Why nothing is made at all. */
function firstProblem(world: World, space: Mailspace, body: Body): string | undefined {
  // MBX-13: a create needs room in the package.
  if (!hasRoom(world, space)) return 'The package has no room for another mailbox';
  const quota = body['quota_mb'] === undefined ? undefined : quotaProblem(space, body['quota_mb']);
  if (quota !== undefined || world.ambiguities.foreignMembership !== 'checked-first') return quota;
  const memberships = readMemberships(space, body);
  return 'problem' in memberships ? memberships.problem : undefined;
}

function record(world: World, space: Mailspace, email: string, body: Body): Mailbox {
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

/** What comes after the record, in calls of their own; undefined: all went well. */
function complete(world: World, space: Mailspace, mailbox: Mailbox, body: Body): string | undefined {
  if (fails(space, 'follow-up')) return 'The mailbox is there; its aliases and memberships failed';
  const aliases = body['aliases'] === undefined ? undefined : readAddresses(world, space, body['aliases'], mailbox);
  if (aliases !== undefined && 'problem' in aliases) return `The mailbox is there; ${aliases.problem}`;
  if (aliases !== undefined) mailbox.aliases = aliases.addresses;
  const memberships = readMemberships(space, body);
  if ('problem' in memberships) return `The mailbox is there; ${memberships.problem}`;
  setMemberships(space, mailbox, memberships);
  return undefined;
}
