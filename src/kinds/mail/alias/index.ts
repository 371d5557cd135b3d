// An alias: an entry in the set of a mailbox, group or mailing list. Another target moves it: removed and made again,
// back to back (ALS-10, O-44). It must not take an address that something else holds (ALS-11).
import type { JsonObject } from '../../../model/json.ts';
import type { Answers, DecodedMember, ChildContext, Blocker } from '../../../model/kind/kind.ts';
import { defineChild, immutable, updatable } from '../../../model/kind/kind.ts';
import { rowsAt, textAt } from '../../../model/kind/rows.ts';
import { aliasSteps, moveSteps, removeAliasSteps } from './steps.ts';
import { inUse, primaryAddresses } from '../addresses.ts';
import { absenceMatters, cutOff, mailGuards, mailPath, mailWrite, missing, pendingDomains } from '../guards.ts';
import { canonicalAddress, claimAddress, domainOf } from '../names.ts';
import { mailAliasOrder } from '../mailspace/order.ts';
import type { MailAliasSpec } from './spec.ts';
import { listSection } from '../../common/sections.ts';

export const mailAlias = defineChild<MailAliasSpec>({
  kind: 'MailAlias',
  parent: 'Mailspace',
  list: 'additive',
  section: {
    ...listSection('aliases', ({ address }) => canonicalAddress(address as string), claimAddress),
    unlisted: 'aliases',
  },
  identity: 'address',
  fields: { address: immutable('Another address is another alias.'), target: updatable() },
  normalise: (spec) => ({
    ...spec,
    ...(spec.address !== undefined && { address: canonicalAddress(spec.address) }),
    ...(spec.target !== undefined && { target: canonicalAddress(spec.target) }),
  }),
  reads: {
    list: { path: (context) => mailPath(context, 'aliases') },
    // Where one is missing, would be moved or removed it matters who has which address, and whether the list of aliases
    // may be cut off (ALS-02).
    mailboxes: {
      path: (context) => (needsPrincipals(context) ? mailPath(context, 'mailboxes') : null),
      after: ['list'],
    },
    groups: { path: (context) => (needsPrincipals(context) ? mailPath(context, 'groups') : null), after: ['list'] },
    domains: {
      path: (context) =>
        newAliases(context).some((address) => domainOf(address) !== context.parent.spec.domain)
          ? mailPath(context, 'domains')
          : null,
      after: ['list'],
    },
  },
  failures: mailGuards,
  decode: decodeAliases,
  incomplete: (answers) => cutOff(primaryAddresses(answers).size),
  blockers,
  create: {
    writes: ['address', 'target'],
    requires: mailWrite,
    steps: ({ parent, desired }) => aliasSteps(parent, desired),
  },
  update: {
    move: {
      writes: ['target'],
      requires: mailWrite,
      refuse: (_desired, { computed }) => (computed.beyond === true ? BEYOND : null),
      steps: ({ self, parent, desired, observed }) =>
        moveSteps(self, parent, { address: observed?.address ?? desired.address ?? '', target: desired.target ?? '' }),
    },
  },
  remove: { requires: mailWrite, risk: ['delete'], steps: ({ self, parent }) => removeAliasSteps(self, parent) },
  order: mailAliasOrder,
});

const BEYOND: Blocker = {
  reason:
    'the lists of the mail server are full and do not show its new target, so the moved alias could not be read back',
  remedy: 'Move the alias in the dashboard.',
  rule: 'ALS-02',
  as: 'unknown',
};

function decodeAliases(answers: Answers, { declared }: ChildContext): readonly DecodedMember<MailAliasSpec>[] {
  const primary = primaryAddresses(answers);
  const isCutOff = cutOff(primary.size) !== null;
  const targets = new Map(declared.members.map(({ identity, spec }) => [identity, spec.target as string]));
  return rowsAt(answers.list, '/aliases').map((row) => {
    const address = addressIn(row, '/address');
    const wanted = targets.get(address);
    const beyond = isCutOff && wanted !== undefined && !primary.has(wanted);
    return {
      id: address,
      spec: { address, target: addressIn(row, '/target_email') },
      ...(beyond && { computed: { beyond } }),
    };
  });
}

function needsPrincipals(context: ChildContext): boolean {
  const rows = rowsAt(context.answers.list, '/aliases');
  const live = new Map(rows.map((row) => [addressIn(row, '/address'), addressIn(row, '/target_email')]));
  const isMoved = context.declared.members.some(({ identity, spec }) => live.get(identity) !== spec.target);
  return isMoved || absenceMatters(context, [...live.keys()]);
}

function newAliases(context: ChildContext): readonly string[] {
  return missing(context, shownIn(context.answers));
}

function shownIn({ list }: Answers): readonly string[] {
  return rowsAt(list, '/aliases').map((row) => addressIn(row, '/address'));
}

function blockers(answers: Answers, context: ChildContext): Readonly<Record<string, Blocker>> {
  const taken = primaryAddresses(answers);
  const pending = pendingDomains(answers.domains);
  const reasonOf = (address: string): Blocker | undefined => {
    const holder = taken.get(address);
    if (holder !== undefined) return inUse(holder);
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
