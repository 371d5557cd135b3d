// How groups are listed, viewed, made, changed and removed.
import { done, notShown, ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call, Row } from '../../core/http/endpoint.ts';
import { keys } from '../../core/http/schema.ts';
import type { Properties } from '../../core/http/schema.ts';
import { mailspaceEndpoints } from '../guards.ts';
import { isUnread } from '../../core/copy/answers.ts';
import { readAddress } from '../../core/names.ts';
import { fails, liveMailboxes, mailWrite, readAddresses, readPrincipals, remember, shows } from '../server.ts';
import { addMailGroup } from '../state.ts';
import type { MailGroup, Mailspace, TroublePart } from '../state.ts';
import { groupRow, groupView } from '../present.ts';
import { takeSerial } from '../../core/state.ts';
import { inListOrder } from '../../core/world.ts';
import type { World } from '../../core/world.ts';

function listGroups(call: Call, space: Mailspace, kind: MailGroup['kind'] = 'group'): readonly Row[] {
  const { query } = call;
  const needle = query.get('q')?.toLowerCase() ?? '';
  const read = isUnread(space, 'mailboxes') ? space.groups : readPrincipals(space);
  const seen = new Set(read.map(({ email }) => email));
  const fits = ({ email, description }: MailGroup): boolean => {
    // GRP-02: the query looks at address and description, and not at aliases.
    return [email, description ?? ''].some((text) => text.toLowerCase().includes(needle));
  };
  const rows = read
    .filter((one): one is MailGroup => one.kind === kind)
    .filter(fits)
    .filter((one) => shows(call, space, 'group', one.email));
  // GRP-02/count: members beyond what one read yields are not counted in the list.
  const counted = (group: MailGroup): number =>
    isUnread(group, 'members') || isUnread(space, 'mailboxes')
      ? (group.shownMembers ?? group.members.length)
      : group.members.filter((one) => seen.has(one)).length;
  return inListOrder(call, rows).map((group) => groupRow(call, group, counted(group)));
}

function readGroups(call: Call, space: Mailspace): Answer {
  // GRP-03: groups that cannot be read are a 503.
  if (fails(space, 'groups')) refuse(503, 'groups_unavailable', 'The groups cannot be read');
  // GRP-03/members: members that cannot be read are a 503 of their own.
  if (fails(space, 'members')) membersUnavailable();
  return ok({ groups: listGroups(call, space) });
}

function membersUnavailable(): never {
  return refuse(503, 'group_members_unavailable', 'The members cannot be read');
}

function unknown(): never {
  return refuse(404, 'unknown_group', 'There is no such group');
}

function findGroup({ params }: Call, { groups }: Mailspace): MailGroup {
  return groups.find(({ kind, principalId }) => kind === 'group' && principalId === params['principal']) ?? unknown();
}

function readGroup(call: Call, space: Mailspace): Answer {
  // GRP-08: a group that cannot be read is as unknown as one that is not there.
  if (fails(space, 'groups')) unknown();
  const group = findGroup(call, space);
  if (fails(space, 'members')) membersUnavailable();
  return ok({ group: groupView(call, group) });
}

/** Codes of single fields are not documented: whatever is wrong is the mail server's refusal. */
function createGroup(call: Call, space: Mailspace): Answer {
  const { body } = call;
  const failed = (message: string): never => refuse(422, 'group_create_failed', message);
  const { name, email, domain, description } = body;
  if (typeof name !== 'string' || name.trim() === '' || typeof email !== 'string')
    return failed('A group needs name and email');
  const address = readAddress(email, typeof domain === 'string' && domain !== '' ? domain : space.domain) ?? '';
  readAddresses(call, space, [address], () => failed('The address is invalid or in use'));
  const content = readContent(call, space, body, failed);
  // GRP-05: the name of a create becomes the description where that is missing or empty.
  const described = typeof description === 'string' && description !== '' ? description : name;
  return mailWrite(space, { refused: 'group_create_failed' }, () => {
    const group = addMailGroup(space, {
      principalId: `p-${takeSerial(call.state)}`,
      email: address,
      ...content,
      description: described,
    });
    remember(call, space, 'group', address);
    const view = groupView(call, group);
    // GRP-07: a group that cannot be read back is there, and its id is null.
    const unread = fails(space, 'group-readback');
    return ok({ group: unread ? { ...view, id: null, aliases: [], members: [], member_count: 0 } : view }, 201);
  });
}

/** `group`: whose they may be already. */
function readContent(
  world: World,
  space: Mailspace,
  { aliases, members }: Row,
  fail: (message: string) => never,
  group?: MailGroup,
): Partial<Pick<MailGroup, 'aliases' | 'members'>> {
  const own = aliases === undefined ? {} : { aliases: readAddresses(world, space, aliases, fail, group) };
  if (!Array.isArray(members)) return own;
  const addresses = members.map((one) => String(one).toLowerCase());
  const foreign = addresses.find((one) => !liveMailboxes(space).some(({ email }) => email === one));
  // GRP-06: members are mailboxes of this mailspace.
  if (foreign !== undefined) fail(`${foreign} is not a mailbox of this mailspace`);
  return { ...own, members: [...new Set(addresses)] };
}

const CONTENT = keys('description', 'aliases', 'members');

/** GAP-41: the body is not documented. */
function updateBody({ ambiguities }: Call): Properties | undefined {
  const wrapped = {
    type: 'object',
    required: true,
    properties: CONTENT,
    status: 400,
    message: 'group is missing',
  } as const;
  return { flat: CONTENT, wrapped: { group: wrapped }, 'not-shown': undefined }[ambiguities['GAP-41']];
}

function updateGroup(call: Call, space: Mailspace): Answer {
  const { body } = call;
  const reading = call.ambiguities['GAP-41'];
  if (reading === 'not-shown') notShown();
  const group = findGroup(call, space);
  const fields = reading === 'flat' ? body : (body['group'] as Row);
  const failed = (message: string): never => refuse(422, 'group_update_failed', message);
  const content = readContent(call, space, fields, failed, group);
  return mailWrite(space, { refused: 'group_update_failed' }, () => {
    const lost = fails(space, 'members');
    // GRP-09: an update is applied before its answer is read back.
    Object.assign(
      group,
      content,
      typeof fields['description'] === 'string' ? { description: fields['description'] } : {},
    );
    return lost ? membersUnavailable() : ok({ group: groupView(call, group) });
  });
}

function removeGroup(call: Call, space: Mailspace): Answer {
  if (call.ambiguities['GAP-41.delete'] === 'not-shown') notShown();
  const group = findGroup(call, space);
  return mailWrite(space, { after: 'delete_unconfirmed' }, () => {
    space.groups = space.groups.filter((one) => one !== group);
    return done(call, {});
  });
}

export const mailGroupEndpoints = mailspaceEndpoints('/groups', 'inside', {
  GET: readGroups,
  POST: { body: { ...keys('name', 'email', 'domain'), ...CONTENT }, handle: createGroup },
  'GET /:principal': readGroup,
  'PATCH /:principal': { body: updateBody, handle: updateGroup },
  'DELETE /:principal': removeGroup,
});

function named(part: TroublePart): (call: Call, space: Mailspace) => Answer {
  return (call, space) => {
    // MSP-23/named: lists of unknown shape have a 503 of their own too.
    if (fails(space, part)) refuse(503, `${part}_unavailable`, 'The list cannot be read');
    if (part !== 'mailing_lists' || call.ambiguities['GAP-44'] === 'not-shown') notShown();
    return ok({ mailing_lists: listGroups(call, space, 'list') });
  };
}

export const mailNamedEndpoints = mailspaceEndpoints('', 'inside', {
  'GET /mailing_lists': named('mailing_lists'),
  'GET /archived_items': named('archived_items'),
  'GET /purged_mailboxes': named('purged_mailboxes'),
  'GET /masked_emails': notShown,
  'GET /mail_rules': notShown,
});
