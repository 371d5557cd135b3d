// Decides how groups are listed, viewed, made, changed and removed.
// Must not know mailing lists beyond their kind: how they are written is not documented.
import { done, isRecord, ok, refuse, unknownKeys } from '../../core/http/endpoint.ts';
import type { Answer, Call, Endpoint } from '../../core/http/endpoint.ts';
import { isListed, lateness } from '../../core/consistency-lag.ts';
import { readAddress } from '../names.ts';
import { fails, liveMailboxes, mailWrite, readPrincipals } from '../server.ts';
import { addMailGroup } from '../state.ts';
import type { MailGroup, Mailspace } from '../state.ts';
import { groupRow, groupView } from '../present.ts';
import { rule } from '../../rules/rules.ts';
import { takeSerial } from '../../core/state.ts';
import { countCreation, inListOrder } from '../../core/world.ts';
import type { World } from '../../core/world.ts';
import { readAddresses } from './addresses.ts';
import { notShown } from '../../core/http/not-yet.ts';
import { ignoresPaging } from '../../core/http/paging.ts';

const queryFilters = rule('GRP-02', 'the query looks at address and description, and not at aliases');
const undercounts = rule('GRP-02/count', 'members beyond what one read yields are not counted in the list');
const strict = rule('GRP-03', 'groups that cannot be read are a 503');
const membersStrict = rule('GRP-03/members', 'members that cannot be read are a 503 of their own');
const nameDescribes = rule('GRP-05', 'the name of a create becomes the description where that is missing or empty');
const hostedMembers = rule('GRP-06', 'members are mailboxes of this mailspace');
const nullId = rule('GRP-07', 'a group that cannot be read back is there, and its id is null');
const unreadableIsUnknown = rule('GRP-08', 'a group that cannot be read is as unknown as one that is not there');
const appliedFirst = rule('GRP-09', 'an update is applied before its answer is read back');

export function listGroups(
  call: Call,
  space: Mailspace,
  kind: MailGroup['kind'] = 'group',
): readonly Record<string, unknown>[] {
  const { world, query } = call;
  const needle = query.get('q')?.toLowerCase() ?? '';
  const read = readPrincipals(world, space);
  const seen = new Set(read.map(({ email }) => email));
  const fits = ({ email, description, aliases }: MailGroup): boolean => {
    const texts = world.rules.on(queryFilters) ? [email, description ?? ''] : [email, description ?? '', ...aliases];
    return texts.some((text) => text.toLowerCase().includes(needle));
  };
  const rows = read
    .filter((one) => one.kind !== 'mailbox')
    .filter((one) => one.kind === kind)
    .filter(fits)
    .filter((one) => isListed(world, { hidden: space.late.get(`group ${one.email}`) ?? null }));
  const counted = ({ members }: MailGroup): number =>
    (world.rules.on(undercounts) ? members.filter((one) => seen.has(one)) : members).length;
  return ignoresPaging(call, inListOrder(world, rows)).map((group) => groupRow(world, group, counted(group)));
}

function readGroups(call: Call, space: Mailspace): Answer {
  const { world } = call;
  if (fails(space, 'groups'))
    return world.rules.on(strict)
      ? refuse(world, 503, 'groups_unavailable', 'The groups cannot be read')
      : ok({ groups: [] });
  const lost = fails(space, 'members');
  if (lost && world.rules.on(membersStrict)) return membersUnavailable(world);
  const rows = listGroups(call, space);
  return ok({ groups: lost ? rows.map((row) => ({ ...row, member_count: null })) : rows });
}

function membersUnavailable(world: World): Answer {
  return refuse(world, 503, 'group_members_unavailable', 'The members cannot be read');
}

function unknown(world: World): Answer {
  return refuse(world, 404, 'unknown_group', 'There is no such group');
}

function findGroup({ params }: Call, space: Mailspace): MailGroup | undefined {
  return space.groups.find(({ kind, principalId }) => kind === 'group' && principalId === params['principal']);
}

function readGroup(call: Call, space: Mailspace): Answer {
  const { world } = call;
  const group = findGroup(call, space);
  if (fails(space, 'groups'))
    return world.rules.on(unreadableIsUnknown)
      ? unknown(world)
      : refuse(world, 503, 'groups_unavailable', 'The groups cannot be read');
  if (group === undefined) return unknown(world);
  return fails(space, 'members') ? membersUnavailable(world) : ok({ group: groupView(world, group) });
}

/** Codes of single fields are not documented: whatever is wrong is the mail server's refusal. */
function createGroup(call: Call, space: Mailspace): Answer {
  const { world } = call;
  const body = isRecord(call.body) ? call.body : {};
  const refusal = unknownKeys(world, body, ['name', 'email', 'domain', 'description', 'aliases', 'members']);
  if (refusal !== undefined) return refusal;
  const failed = (message: string): Answer => refuse(world, 422, 'group_create_failed', message);
  const { name, email, domain, description } = body;
  if (typeof name !== 'string' || name.trim() === '' || typeof email !== 'string')
    return failed('A group needs name and email');
  const address = readAddress(email, typeof domain === 'string' && domain !== '' ? domain : space.domain);
  const own = readAddresses(world, space, [address ?? ''], undefined);
  if ('problem' in own || address === undefined) return failed('The address is invalid or in use');
  const content = readContent(world, space, body, undefined);
  if ('problem' in content) return failed(content.problem);
  const described =
    typeof description === 'string' && (description !== '' || !world.rules.on(nameDescribes)) ? description : name;
  return mailWrite(
    world,
    space,
    { before: 'mailhost_unavailable', after: null, refused: 'group_create_failed' },
    () => {
      const group = addMailGroup(space, {
        principalId: `p-${takeSerial(world.state)}`,
        email: address,
        ...content,
        description: described,
      });
      const hidden = lateness(world);
      if (hidden !== null) space.late.set(`group ${address}`, hidden);
      countCreation(world, `group ${address} on ${space.domain}`);
      const view = groupView(world, group);
      const unread = fails(space, 'group-readback') && world.rules.on(nullId);
      return ok({ group: unread ? { ...view, id: null, aliases: [], members: [], member_count: 0 } : view }, 201);
    },
  );
}

interface Content {
  readonly aliases?: string[];
  readonly members?: string[];
}

function readContent(
  world: World,
  space: Mailspace,
  body: Record<string, unknown>,
  group: MailGroup | undefined,
): Content | { readonly problem: string } {
  const aliases = body['aliases'] === undefined ? undefined : readAddresses(world, space, body['aliases'], group);
  if (aliases !== undefined && 'problem' in aliases) return aliases;
  const members = Array.isArray(body['members']) ? body['members'].map((one) => String(one).toLowerCase()) : undefined;
  const foreign = members?.find((one) => !liveMailboxes(space).some(({ email }) => email === one));
  if (foreign !== undefined && world.rules.on(hostedMembers))
    return { problem: `${foreign} is not a mailbox of this mailspace` };
  return {
    ...(aliases === undefined ? {} : { aliases: aliases.addresses }),
    ...(members === undefined ? {} : { members: [...new Set(members)] }),
  };
}

/** GAP-41: the body is not documented. */
function updateGroup(call: Call, space: Mailspace): Answer {
  const { world } = call;
  const reading = world.readings['GAP-41'];
  if (reading === 'not-shown') return notShown(world);
  const group = findGroup(call, space);
  if (group === undefined) return unknown(world);
  const body = isRecord(call.body) ? call.body : {};
  const fields = reading === 'flat' ? body : body['group'];
  if (!isRecord(fields)) return refuse(world, 400, null, 'group is missing');
  const refusal = unknownKeys(world, fields, ['description', 'aliases', 'members']);
  if (refusal !== undefined) return refusal;
  const content = readContent(world, space, fields, group);
  if ('problem' in content) return refuse(world, 422, 'group_update_failed', content.problem);
  return mailWrite(
    world,
    space,
    { before: 'mailhost_unavailable', after: null, refused: 'group_update_failed' },
    () => {
      const lost = fails(space, 'members');
      if (lost && !world.rules.on(appliedFirst)) return membersUnavailable(world);
      Object.assign(
        group,
        content,
        typeof fields['description'] === 'string' ? { description: fields['description'] } : {},
      );
      return lost ? membersUnavailable(world) : ok({ group: groupView(world, group) });
    },
  );
}

function removeGroup(call: Call, space: Mailspace): Answer {
  const { world } = call;
  if (world.readings['GAP-41.delete'] === 'not-shown') return notShown(world);
  const group = findGroup(call, space);
  if (group === undefined) return unknown(world);
  return mailWrite(world, space, { before: 'mailhost_unavailable', after: 'delete_unconfirmed', refused: null }, () => {
    space.groups = space.groups.filter((one) => one !== group);
    return done(world, {});
  });
}

const PATH = '/api/mailspace/:mailspace/groups';

export const mailGroupEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: PATH, scope: 'mailspace:read', mailspace: 'inside', handle: readGroups },
  { method: 'POST', path: PATH, scope: 'mailspace:write', mailspace: 'inside', handle: createGroup },
  { method: 'GET', path: `${PATH}/:principal`, scope: 'mailspace:read', mailspace: 'inside', handle: readGroup },
  { method: 'PATCH', path: `${PATH}/:principal`, scope: 'mailspace:write', mailspace: 'inside', handle: updateGroup },
  { method: 'DELETE', path: `${PATH}/:principal`, scope: 'mailspace:write', mailspace: 'inside', handle: removeGroup },
];
