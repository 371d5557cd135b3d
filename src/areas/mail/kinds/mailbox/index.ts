// A mailbox: made, set, suspended, restored, scheduled for deletion. Memberships of groups belong to the groups,
// aliases to the aliases: one owner each (ALS-12). It must not erase one for good, change an address, or take an empty
// value of a view for the truth (MBX-07).
import { eachBelow } from '../../../common/lists.ts';
import type { Comment } from '../../../../model/kind/to-manifest.ts';
import { withoutEmpty } from '../../../../model/kind/to-manifest.ts';
import type { Json, JsonObject } from '../../../../model/json.ts';
import type { Blocker } from '../../../../model/kind/kind.ts';
import { defineChild, immutable, unordered, updatable, writeOnly } from '../../../../model/kind/kind.ts';
import { domainOfAddress } from '../addresses.ts';
import { mailPath } from '../guards.ts';
import { canonicalAddress, claimAddress, canonicalRange } from '../../../common/spellings.ts';
import { mailboxOrder } from '../mailspace/order.ts';
import { createSteps, deleteSteps, passwordSteps, restoreSteps, updateSteps } from './steps.ts';
import { moreAllowed } from '../../../common/protection.ts';
import type { MailboxSpec } from './wire.ts';
import {
  decodeMailboxes,
  incompleteMailboxes,
  needsDomains,
  noRoomToRestore,
  blockersOf,
  pathOfGroups,
  toCheck,
  toFind,
  toView,
  tooLarge,
} from './wire.ts';
import { lintMailboxes } from '../lint.ts';
import { listSection } from '../../../common/sections.ts';

const DISAGREEING: Blocker = {
  reason:
    'the view of the mailbox and the list disagree, so the mail server cannot be read and what is empty in the view proves nothing',
  remedy: 'Run plan again.',
  rule: 'MBX-07',
  as: 'unknown',
};
const UNREADABLE: Blocker = {
  reason: 'the list is cut off before this mailbox, and its view is empty, which proves nothing',
  remedy: 'Run plan again; if it stays, look in the dashboard.',
  rule: 'MBX-07',
  as: 'unknown',
};

function isUnreadable({ doubtful, unlisted }: JsonObject): boolean {
  return doubtful === true && unlisted === true;
}

/** An empty value of a view is not taken for the truth where it is in doubt. */
function doubtIn(computed: JsonObject): Blocker | null {
  if (computed.doubtful !== true) return null;
  return isUnreadable(computed) ? UNREADABLE : DISAGREEING;
}

export const mailbox = defineChild<MailboxSpec>({
  kind: 'Mailbox',
  parent: 'Mailspace',
  list: 'additive',
  section: {
    ...listSection('mailboxes', ({ address }) => canonicalAddress(address as string), claimAddress),
    unlisted: 'mailboxes',
    lint: lintMailboxes,
  },
  identity: 'address',
  fields: {
    address: immutable('A mailbox keeps its address: another address is another mailbox (MBX-25).'),
    displayName: updatable(),
    quotaMb: updatable(),
    status: updatable(),
    allowedIps: { ...unordered(), lowers: moreAllowed }, // not taken by a create: a write of its own follows it (O-46)
    lists: unordered(),
    password: writeOnly('A password is set when a mailbox is made, or its mark changes, and never read (MBX-22).'),
    deletion: { ...updatable(), implied: 'none' },
  },
  normalise: (spec) => ({
    ...spec,
    ...(spec.address !== undefined && { address: canonicalAddress(spec.address) }),
    ...(spec.allowedIps !== undefined && { allowedIps: spec.allowedIps.map(canonicalRange) }),
    ...(spec.lists !== undefined && { lists: spec.lists.map(canonicalAddress) }),
  }),
  reads: {
    list: { path: (context) => mailPath(context, 'mailboxes') },
    // Only the view knows these two, so it is read only for mailboxes that declare them.
    views: {
      path: (context) => eachBelow(mailPath(context, 'mailboxes'), toView(context)),
      after: ['list'],
    },
    // Read only to count what shares the limit of its list.
    groups: { path: pathOfGroups, after: ['list'], absences: [[503, null]] },
    found: {
      path: (context) => eachBelow(mailPath(context, 'mailboxes'), toFind(context)),
      after: ['list', 'groups'],
      absences: [[404, 'unknown_mailbox']],
    },
    checks: {
      path: (context) => eachBelow(mailPath(context, 'mailboxes/check'), toCheck(context)),
      after: ['list', 'groups', 'found'],
    },
    domains: {
      path: (context) => (needsDomains(context) ? mailPath(context, 'domains') : null),
      after: ['list', 'groups', 'found'],
    },
  },
  decode: decodeMailboxes,
  incomplete: incompleteMailboxes,
  blockers: blockersOf,
  status: ({ spec }) => (spec.deletion === 'scheduled' ? { is: 'deleting' } : undefined),
  create: {
    writes: ['address', 'displayName', 'quotaMb', 'password'],
    refuse: ({ password }) =>
      password === undefined
        ? {
            reason: 'a mailbox is made with a password',
            remedy: 'Write password: { env: NAME }, or { file: path }.',
            rule: 'MBX-10',
          }
        : null,
    steps: createSteps,
  },
  update: {
    restore: {
      writes: ['deletion'],
      refuse: (_desired, { computed }) => noRoomToRestore(computed),
      steps: restoreSteps,
    },
    settings: {
      writes: ['displayName', 'quotaMb', 'status'],
      refuse: ({ quotaMb }, { computed }) =>
        noRoomToRestore(computed) ?? (isUnreadable(computed) ? UNREADABLE : tooLarge(quotaMb, computed.storageMb)),
      steps: updateSteps,
    },
    password: {
      writes: ['password'],
      refuse: (_desired, { computed }) => noRoomToRestore(computed),
      steps: passwordSteps,
    },
    access: {
      writes: ['allowedIps', 'lists'],
      refuse: (_desired, { computed }) => noRoomToRestore(computed) ?? doubtIn(computed),
      steps: updateSteps,
    },
  },
  remove: { risk: ['delete'], steps: deleteSteps },
  order: mailboxOrder,
  capabilities: { refersTo: ({ address }) => domainOfAddress('address', address) },
  manifest: {
    item: ({ spec }) => imported(spec),
    comments: ({ spec }) => [passwordLine(spec)],
  },
});

function imported({ address, displayName, quotaMb, status, allowedIps, lists }: MailboxSpec): Json {
  return withoutEmpty({ address, displayName, quotaMb, status, allowedIps, lists });
}

/**
 * No read tells it, and a place for one that nobody asked for would have to be listed in the workspace: a line to fill
 * in.
 */
function passwordLine({ address }: Pick<MailboxSpec, 'address'>): Comment {
  const name = `${address.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}_PASSWORD`.replace(/^(?=\d)/, '_');
  return {
    pointer: '',
    at: 'below',
    text: `password: { env: ${name} }  # to set it from here: list the name in the workspace first`,
  };
}
