// A distribution group: made with its members; later its members are written by way of their mailboxes, because no
// document says how a group is changed or removed (GAP-41).
import { eachBelow } from '../../../common/lists.ts';
import { withoutEmpty } from '../../../../model/kind/to-manifest.ts';
import type { Blocker } from '../../../../model/kind/kind.ts';
import { createOnly, defineChild, immutable, unordered } from '../../../../model/kind/kind.ts';
import { createGroupSteps, memberSteps } from './steps.ts';
import type { MailGroupSpec } from './wire.ts';
import {
  decodeGroups,
  groupBlockers,
  incompleteGroups,
  isDisputed,
  needsDomainsOfGroups,
  pathOfMailboxes,
  toFindGroups,
  toViewFirst,
  toViewThen,
} from './wire.ts';
import { domainOfAddress } from '../addresses.ts';
import { mailPath } from '../guards.ts';
import { canonicalAddress, claimAddress } from '../../../common/spellings.ts';
import { mailGroupOrder } from '../mailspace/order.ts';
import { lintGroups } from '../lint.ts';
import { listSection } from '../../../common/sections.ts';

export const mailGroup = defineChild<MailGroupSpec>({
  kind: 'MailGroup',
  parent: 'Mailspace',
  list: 'additive',
  section: {
    ...listSection('groups', ({ email }) => canonicalAddress(email as string), claimAddress),
    unlisted: 'groups',
    lint: lintGroups,
  },
  identity: 'email',
  fields: {
    email: immutable('A group keeps its address: another address is another group (GRP-11).'),
    name: createOnly(
      'It is what a group is called when it is made; what is read back as its name is its local part (GRP-05).',
    ),
    description: {
      ...immutable('No document says how a group is changed.'),
      manual: {
        rule: 'GAP-41',
        remedy: (from, to) =>
          `Change the description of the group from ${JSON.stringify(from ?? '')} to ${JSON.stringify(to)} in the dashboard.`,
      },
    },
    members: unordered(),
  },
  normalise: (spec) => ({
    ...spec,
    ...(spec.email !== undefined && { email: canonicalAddress(spec.email) }),
    ...(spec.members !== undefined && { members: spec.members.map(canonicalAddress) }),
  }),
  reads: {
    list: { path: (context) => mailPath(context, 'groups') },
    // Members are in the view only (GRP-04).
    views: {
      path: (context) => eachBelow(mailPath(context, 'groups'), toViewFirst(context)),
      after: ['list'],
    },
    found: {
      path: (context) => eachBelow(mailPath(context, 'groups'), toFindGroups(context)),
      after: ['list'],
      absences: [[404, 'unknown_group']],
    },
    // A mailbox is sent the whole list of its groups, so where members differ every other group has to be known too
    // (GRP-10).
    others: {
      path: (context) => (isDisputed(context) ? eachBelow(mailPath(context, 'groups'), toViewThen(context)) : null),
      after: ['list', 'views'],
    },
    mailboxes: { path: (context) => pathOfMailboxes(context), after: ['list', 'views', 'found'] },
    domains: {
      path: (context) => (needsDomainsOfGroups(context) ? mailPath(context, 'domains') : null),
      after: ['list', 'found'],
    },
  },
  decode: decodeGroups,
  incomplete: incompleteGroups,
  blockers: groupBlockers,
  create: { writes: ['email', 'name', 'description', 'members'], steps: createGroupSteps },
  update: {
    members: {
      writes: ['members'],
      refuse: (_desired, { computed }) =>
        computed.incomplete === true
          ? {
              reason: 'a mailbox is sent the whole list of its groups, and the list of groups may be cut off',
              remedy: 'Change the members in the dashboard.',
              rule: 'GRP-10',
              as: 'unknown',
            }
          : ((computed.refused ?? null) as Blocker | null),
      steps: memberSteps,
    },
  },
  remove: {
    reason: 'no document says how a group is removed',
    remedy: 'Remove it in the dashboard; the next plan sees that it is done.',
    rule: 'GAP-41',
    as: 'manual',
  },
  order: mailGroupOrder,
  capabilities: {
    refersTo: ({ email, members = [] }) => [
      ...domainOfAddress('email', email),
      ...members.map((name) => ({
        kinds: ['Mailbox'],
        name,
        field: 'members',
        relation: 'has the member',
        rule: 'GRP-06',
      })),
    ],
  },
  manifest: {
    item: ({ spec: { email, description, members } }) =>
      withoutEmpty({ email, name: description === '' ? email : description, description, members }),
    comments: () => [
      { pointer: '/name', text: 'The platform does not show the name that the group was created with.' },
    ],
  },
});
