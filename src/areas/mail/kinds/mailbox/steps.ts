// The requests of a mailbox: make, set, restore, schedule for deletion, and the reads that confirm them. A write that
// answers 503 may have been done (MBX-29).
import type { Address } from '../../../../model/address.ts';
import type { StepContext } from '../../../../model/kind/kind.ts';
import type { LookUp, RequestStep, SecretReference, Step, Template } from '../../../../model/plan/step.ts';
import { path, ref } from '../../../../model/plan/step.ts';
import { inUse, LOST_GRACE_MS, sharing } from '../guards.ts';
import { domainOf, localPartOf } from '../../../common/spellings.ts';
import type { MailboxSpec } from './wire.ts';
import { until } from '../../../common/steps.ts';

type Context = StepContext<MailboxSpec>;

/** Makes a mailbox. What a refusal kept is found and gone on with, never made a second time (MBX-12). */
export function createSteps({ self, parent, desired }: Context): readonly Step[] {
  const { address = '', displayName, quotaMb, password } = desired;
  const byAddress = rowOf(parent, { pointer: '/email', value: address }, { id: '/id' });
  const full = sharing(parent, 'pending', 'groups');
  const recovery: LookUp = { ...byAddress, capped: { ...full, then: inUse(parent, address, 'mailbox') } };
  const byId = viewOf({ self, parent }, { pointer: '/mailbox/email', value: address });
  const shown: LookUp = { ...byAddress, capped: { ...full, then: byId } };
  return [
    {
      do: 'request',
      name: 'create',
      method: 'POST',
      path: path`/api/mailspace/${ref(parent)}/mailboxes`,
      body: {
        username: localPartOf(address),
        domain: domainOf(address),
        ...(password !== undefined && { password }),
        ...(displayName !== undefined && { display_name: displayName }),
        ...(quotaMb !== undefined && { quota_mb: quotaMb }),
      },
      idempotent: false,
      answers: [
        { status: '2xx', has: '/mailbox/id', then: 'done', capture: { id: '/mailbox/id' } },
        { status: '2xx', then: 'look-up', rule: 'MBX-11' },
        { status: 422, code: 'create_failed', then: 'look-up', rule: 'MBX-12' },
      ],
      recovery: { lookUp: recovery, ifNotFound: 'send-again', guarded: 'ALS-11', graceMs: LOST_GRACE_MS, rule: 'O-73' },
      reason: 'make the mailbox; a second one of this address is refused',
      rule: 'MBX-09',
    },
    // A full list never shows it: then its id is asked for (MBX-02). What is not shown in time the next plan reads by
    // its id.
    { do: 'wait-for', name: 'listed', waitFor: until(true, shown, 'the mailspace lists the mailbox'), open: true },
  ];
}

/** Writes the password anew: what it was before cannot be read, and what it is afterwards neither (MBX-22). */
export function passwordSteps({ self, parent, desired: { password } }: Context): readonly Step[] {
  return [
    patch(
      { self, parent },
      'password',
      { password: password as SecretReference },
      {
        reason: 'write the password anew, because its mark changed',
        rule: 'MBX-22',
        answers: [{ status: '2xx', then: 'done' }],
      },
    ),
  ];
}

/** Writes what differs and nothing else: a list that is sent replaces the whole list (MBX-15, MBX-16). */
export function updateSteps({ self, parent, desired, observed, changed }: Context): readonly Step[] {
  // A new mailbox is active, and has what its create was given.
  const sent = changed.filter((field) => observed !== null || !(field === 'status' && desired.status === 'active'));
  if (sent.length === 0) return [];
  const keys: Readonly<Record<string, string>> = {
    displayName: 'display_name',
    quotaMb: 'quota_mb',
    status: 'status',
    allowedIps: 'allowed_ips',
    lists: 'lists',
  };
  const name = sent.includes('allowedIps') || sent.includes('lists') ? 'access' : 'settings';
  const body: Template = Object.fromEntries(sent.map((field) => [keys[field] as string, desired[field] as Template]));
  const rule = name === 'access' ? 'MBX-21' : 'MBX-15';
  return [
    patch({ self, parent }, name, body, {
      reason: 'write what differs, and nothing else',
      rule,
      answers: [{ status: '2xx', then: 'done' }],
    }),
    {
      do: 'verify',
      name: `${name} read back`,
      only: sent,
      reason: 'the answer leaves out the allowed addresses, and what else is in it is not documented',
      rule: 'GAP-45',
    },
  ];
}

/** The documented way back for a mailbox that is about to be deleted (MBX-24). */
export function restoreSteps({ self, parent }: Context): readonly Step[] {
  const listed = rowOf(parent, { pointer: '/id', value: ref(self) }, {});
  const view = viewOf({ self, parent }, { pointer: '/mailbox/status', value: 'active' });
  const shown: LookUp = { ...listed, capped: { ...sharing(parent, 'pending', 'groups'), then: view } };
  const back = until(true, shown, 'the mailspace lists the mailbox again');
  return [
    patch(
      { self, parent },
      'restore',
      { status: 'active' },
      {
        reason: 'restore it: it is about to be deleted',
        rule: 'MBX-24',
        answers: [{ status: '2xx', then: 'wait-for', waitFor: back }],
      },
    ),
  ];
}

/** Suspends it and starts its time of grace; nothing is erased, and setting it active restores it (MBX-23, GAP-42). */
export function deleteSteps({ self, parent }: Context): readonly Step[] {
  const scheduled = until(
    true,
    { ...rowOf(parent, { pointer: '/id', value: ref(self) }, {}), rows: '/pending' },
    'the mailspace lists the mailbox among those about to be deleted',
  );
  const gone = until(
    false,
    rowOf(parent, { pointer: '/id', value: ref(self) }, {}),
    'the mailspace no longer lists the mailbox',
  );
  return [
    {
      do: 'request',
      name: 'delete',
      method: 'DELETE',
      path: path`/api/mailspace/${ref(parent)}/mailboxes/${ref(self)}`,
      idempotent: true,
      recheck: true,
      answers: [
        { status: '2xx', then: 'wait-for', waitFor: scheduled },
        { status: 404, code: 'unknown_mailbox', then: 'wait-for', waitFor: gone },
      ],
      reason: 'schedule its deletion; until that is final it can be restored',
      rule: 'MBX-23',
    },
  ];
}

function patch(
  { self, parent }: Pick<Context, 'self' | 'parent'>,
  name: string,
  body: Template,
  rest: Pick<RequestStep, 'reason' | 'answers'> & { readonly rule: string },
): Step {
  return {
    do: 'request',
    name,
    method: 'PATCH',
    path: path`/api/mailspace/${ref(parent)}/mailboxes/${ref(self)}`,
    body,
    idempotent: true,
    ...rest,
  };
}

function viewOf({ self, parent }: Pick<Context, 'self' | 'parent'>, condition: LookUp['where'][number]): LookUp {
  return {
    read: path`/api/mailspace/${ref(parent)}/mailboxes/${ref(self)}`,
    rows: '',
    where: [condition],
    capture: {},
  };
}

function rowOf(parent: Address, condition: LookUp['where'][number], capture: LookUp['capture']): LookUp {
  return { read: path`/api/mailspace/${ref(parent)}/mailboxes`, rows: '/mailboxes', where: [condition], capture };
}
