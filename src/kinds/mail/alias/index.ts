// An alias: an entry in the set of a mailbox, group or mailing list. Another target moves it: removed and made again,
// back to back (ALS-10, O-44). Must not take an address that something else holds (ALS-11).
import type { JsonObject } from '../../../model/json.ts';
import type { Answers, ReadContext, Refusal } from '../../../model/kind/kind.ts';
import { defineKind, fixed, updatable } from '../../../model/kind/kind.ts';
import { rowsAt, textAt } from '../../../model/kind/rows.ts';
import { aliasSteps, moveSteps, removeAliasSteps } from './steps.ts';
import { cutOff, mailGuards, mailPath, mailWrite, missing, pendingDomains } from '../guards.ts';
import { canonicalAddress, domainOf } from '../names.ts';
import { mailAliasOrder } from '../mailspace/order.ts';

export interface MailAliasSpec {
  readonly address: string;
  readonly target: string;
}

export const mailAlias = defineKind<MailAliasSpec>({
  kind: 'MailAlias',
  parent: 'Mailspace',
  list: 'asset',
  section: {
    fields: ['aliases'],
    unlisted: 'aliases',
    expand: ({ aliases }) =>
      (aliases as readonly JsonObject[]).map((spec, index) => {
        const name = canonicalAddress(spec.address as string);
        return { name, spec, pointer: `/aliases/${index}`, claims: [{ namespace: 'mail address', name }] };
      }),
  },
  identity: ({ address = '' }) => address,
  fields: { address: fixed('Another address is another alias.'), target: updatable() },
  normalise: (spec) => ({
    ...spec,
    ...(spec.address !== undefined && { address: canonicalAddress(spec.address) }),
    ...(spec.target !== undefined && { target: canonicalAddress(spec.target) }),
  }),
  reads: {
    list: { path: (context) => mailPath(context, 'aliases') },
    // Before one is made it matters who has its address, and whether the list of aliases may be cut off.
    mailboxes: {
      path: (context) => (newAliases(context).length === 0 ? null : mailPath(context, 'mailboxes')),
      after: ['list'],
    },
    groups: {
      path: (context) => (newAliases(context).length === 0 ? null : mailPath(context, 'groups')),
      after: ['list'],
    },
    domains: {
      path: (context) =>
        newAliases(context).some((address) => domainOf(address) !== context.parent?.spec.domain)
          ? mailPath(context, 'domains')
          : null,
      after: ['list'],
    },
  },
  failures: mailGuards,
  decode: ({ list }) =>
    rowsAt(list, '/aliases').map((row) => ({
      id: addressIn(row, '/address'),
      spec: { address: addressIn(row, '/address'), target: addressIn(row, '/target_email') },
    })),
  incomplete: (answers) => cutOff(holders(answers).size),
  obstacles,
  create: {
    writes: ['address', 'target'],
    requires: mailWrite,
    steps: ({ parent, desired }) => aliasSteps(parent, desired),
  },
  update: {
    move: {
      writes: ['target'],
      requires: mailWrite,
      steps: ({ self, parent, desired, observed }) =>
        moveSteps(self, parent, { address: observed?.address ?? desired.address ?? '', target: desired.target ?? '' }),
    },
  },
  remove: { requires: mailWrite, risk: ['delete'], steps: ({ self, parent }) => removeAliasSteps(self, parent) },
  order: mailAliasOrder,
});

function newAliases(context: ReadContext): readonly string[] {
  return missing(
    context,
    rowsAt(context.answers.list, '/aliases').map((row) => addressIn(row, '/address')),
  );
}

/** Whose primary address is which, as far as it was read. */
function holders(answers: Answers): ReadonlyMap<string, string> {
  const of = (answer: keyof Answers, pointer: string, what: string): readonly (readonly [string, string])[] =>
    answers[answer] === undefined
      ? []
      : rowsAt(answers[answer], pointer).map((row) => [addressIn(row, '/email'), what] as const);
  return new Map([
    ...of('mailboxes', '/mailboxes', 'a mailbox'),
    ...of('mailboxes', '/pending', 'a mailbox that is about to be deleted'),
    ...of('groups', '/groups', 'a group'),
  ]);
}

function obstacles(answers: Answers, context: ReadContext): Readonly<Record<string, Refusal>> {
  const taken = holders(answers);
  const pending = pendingDomains(answers.domains);
  const reasonOf = (address: string): Refusal | undefined => {
    const holder = taken.get(address);
    // Whether a mailbox about to be deleted gives its address back at once is not documented (GAP-43).
    if (holder !== undefined)
      return {
        because: `the address is that of ${holder}`,
        todo: 'Free it first: when that is gone for good, the alias can be made.',
        rule: 'O-38',
      };
    return pending.get(domainOf(address));
  };
  return Object.fromEntries(
    newAliases({ ...context, answers }).flatMap((address) => {
      const reason = reasonOf(address);
      return reason === undefined ? [] : [[address, reason] as const];
    }),
  );
}

function addressIn(row: JsonObject, pointer: string): string {
  return canonicalAddress(textAt(row, pointer));
}
