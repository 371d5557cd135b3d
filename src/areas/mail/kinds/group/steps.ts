// The requests of a group: make it, and write the groups of each mailbox that joins or leaves, and the reads that
// settle them. It must not PATCH or DELETE a group: neither body is documented (GAP-41).
import type { StepContext } from '../../../../model/kind/kind.ts';
import { isJsonObject } from '../../../../model/json.ts';
import type { LookUp, Step, Template } from '../../../../model/plan/step.ts';
import { path, ref } from '../../../../model/plan/step.ts';
import type { MailGroupSpec } from './wire.ts';
import { inUse, LOST_GRACE_MS, sharing } from '../guards.ts';
import { until } from '../../../common/steps.ts';

const readBack: Step = {
  do: 'verify',
  name: 'members read back',
  only: ['members'],
  reason: 'members are told by the view of the group alone',
  rule: 'GRP-04',
};

/** Makes a group. An answer without an id has made it all the same, and it is never made again (GRP-07). */
export function createGroupSteps({ self, parent, desired }: StepContext<MailGroupSpec>): readonly Step[] {
  const { email = '', name = '', description, members } = desired;
  const listed: LookUp = {
    read: path`/api/mailspace/${ref(parent)}/groups`,
    rows: '/groups',
    where: [{ pointer: '/email', value: email }],
    capture: { id: '/id' },
  };
  const full = sharing(parent, 'mailboxes', 'pending');
  const byId: LookUp = {
    read: path`/api/mailspace/${ref(parent)}/groups/${ref(self)}`,
    rows: '',
    where: [{ pointer: '/group/email', value: email }],
    capture: {},
  };
  const recovery: LookUp = { ...listed, capped: { ...full, then: inUse(parent, email, 'group') } };
  const shown: LookUp = { ...listed, capped: { ...full, then: byId } };
  return [
    {
      do: 'request',
      name: 'create',
      method: 'POST',
      path: path`/api/mailspace/${ref(parent)}/groups`,
      body: {
        name,
        email,
        ...(description !== undefined && { description }),
        ...(members !== undefined && { members }),
      },
      idempotent: false,
      answers: [
        { status: '2xx', has: '/group/id', then: 'done', capture: { id: '/group/id' } },
        { status: '2xx', then: 'look-up', rule: 'GRP-07' },
      ],
      recovery: { lookUp: recovery, ifNotFound: 'send-again', guarded: 'ALS-11', graceMs: LOST_GRACE_MS, rule: 'O-73' },
      reason: 'make the group; a second one of this address is refused',
      rule: 'GRP-05',
    },
    { do: 'wait-for', name: 'listed', waitFor: until(true, shown, 'the mailspace lists the group'), open: true },
    ...(members === undefined ? [] : [readBack]),
  ];
}

/**
 * Writes the whole list of groups of each mailbox that joins or leaves: what it is to be in when all is done (MBX-16,
 * GRP-10). All of them are looked up before the first is written, and who joins comes before who leaves: a run that
 * breaks leaves too many members, not too few.
 */
export function memberSteps({ self, parent, desired, computed }: StepContext<MailGroupSpec>): readonly Step[] {
  const memberships = isJsonObject(computed.memberships) ? computed.memberships : {};
  const mailboxes = Object.keys(memberships).sort();
  const joins = (mailbox: string): boolean => desired.members?.includes(mailbox) === true;
  const inTurn = [...mailboxes.filter(joins), ...mailboxes.filter((mailbox) => !joins(mailbox))];
  return [
    ...mailboxes.map((mailbox): Step => ({
      do: 'look-up',
      name: `find ${mailbox}`,
      lookUp: {
        read: path`/api/mailspace/${ref(parent)}/mailboxes`,
        rows: '/mailboxes',
        where: [{ pointer: '/email', value: mailbox }],
        capture: { [`mailbox ${mailbox}`]: '/id' },
      },
      reason: 'a mailbox is addressed by its id (MBX-03)',
    })),
    ...inTurn.map((mailbox): Step => ({
      do: 'request',
      name: `groups of ${mailbox}`,
      method: 'PATCH',
      path: path`/api/mailspace/${ref(parent)}/mailboxes/${ref(self, `mailbox ${mailbox}`)}`,
      body: { groups: memberships[mailbox] as Template },
      idempotent: true,
      answers: [{ status: '2xx', then: 'done' }],
      reason: 'write the whole list of its groups, with all that are not declared here as they are',
      rule: 'GRP-10',
    })),
    readBack,
  ];
}
