// An alias: an entry in the set of a mailbox, group or mailing list. Another target moves it: removed and made again,
// back to back (ALS-10, O-44). It must not take an address that something else holds (ALS-11).
import { eachBelow } from '../../../common/lists.ts';
import type { JsonObject } from '../../../../model/json.ts';
import type { Answers, DecodedMember, ChildContext, Blocker } from '../../../../model/kind/kind.ts';
import { defineChild, immutable, updatable } from '../../../../model/kind/kind.ts';
import { rowsAt, textAt } from '../../../../model/kind/rows.ts';
import { aliasSteps, moveSteps, removeAliasSteps } from './steps.ts';
import { domainOfAddress, inUse, primaryAddresses } from '../addresses.ts';
import { absenceMatters, cutOff, mailPath, missing, pendingDomains } from '../guards.ts';
import { canonicalAddress, claimAddress, domainOf } from '../../../common/spellings.ts';
import { refuseTarget, targetsToCheck } from '../principals.ts';
import { mailAliasOrder } from '../mailspace/order.ts';
import type { MailAliasSpec } from './spec.ts';
import { lintAliases } from '../lint.ts';
import { listSection } from '../../../common/sections.ts';

export const mailAlias = defineChild<MailAliasSpec>({
  kind: 'MailAlias',
  parent: 'Mailspace',
  list: 'additive',
  section: {
    ...listSection('aliases', ({ address }) => canonicalAddress(address as string), claimAddress),
    unlisted: 'aliases',
    lint: lintAliases,
  },
  identity: 'address',
  fields: {
    address: immutable('An alias keeps its address: another address is another alias (ALS-10).'),
    target: updatable(),
  },
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
    // A new target that no list shows may be a mailing list, or a slip.
    checks: {
      path: (context) => eachBelow(mailPath(context, 'mailboxes/check'), toCheck(context)),
      after: ['list', 'mailboxes', 'groups'],
      absences: 'any',
    },
    domains: {
      path: (context) =>
        newAliases(context).some((address) => domainOf(address) !== context.parent.spec.domain)
          ? mailPath(context, 'domains')
          : null,
      after: ['list'],
    },
  },
  decode: decodeAliases,
  incomplete: (answers) => cutOff(primaryAddresses(answers).size),
  blockers,
  create: {
    writes: ['address', 'target'],
    steps: ({ parent, desired }) => aliasSteps(parent, desired),
  },
  update: {
    move: {
      writes: ['target'],
      refuse: (_desired, { computed }) =>
        computed.beyond === true ? BEYOND : ((computed.refused ?? null) as Blocker | null),
      steps: ({ self, parent, desired, observed }) =>
        moveSteps(self, parent, {
          address: observed?.address ?? desired.address ?? '',
          target: desired.target ?? '',
          from: observed?.target ?? '',
        }),
    },
  },
  remove: { risk: ['delete'], steps: ({ self, parent }) => removeAliasSteps(self, parent) },
  order: mailAliasOrder,
  capabilities: {
    refersTo: ({ address, target }) => [
      ...domainOfAddress('address', address),
      ...(target === undefined
        ? []
        : [{ kinds: ['Mailbox', 'MailGroup'], name: target, field: 'target', relation: 'points at', rule: 'ALS-03' }]),
    ],
  },
});

const BEYOND: Blocker = {
  reason:
    'the lists of the mail server are full and do not show its new target, so the moved alias could not be read back',
  remedy: 'Move the alias in the dashboard.',
  rule: 'ALS-02',
  as: 'unknown',
};

function decodeAliases(answers: Answers, { declared }: ChildContext): readonly DecodedMember<MailAliasSpec>[] {
  const shown = shownIn(answers);
  const primary = primaryAddresses(answers);
  const isCutOff = cutOff(primary.size) !== null;
  const targets = new Map(declared.members.map(({ identity, spec }) => [identity, spec.target as string]));
  return rowsAt(answers.list, '/aliases').map((row) => {
    const address = addressIn(row, '/address');
    const wanted = targets.get(address);
    const target = addressIn(row, '/target_email');
    const beyond = isCutOff && wanted !== undefined && !primary.has(wanted);
    const isMoved = wanted !== undefined && wanted !== target;
    const refused = isMoved ? refuseTarget(wanted, answers, declared.rootSpec, shown) : null;
    return {
      id: address,
      spec: { address, target },
      computed: { ...(beyond && { beyond }), ...(refused !== null && { refused: { ...refused } }) },
    };
  });
}

function needsPrincipals(context: ChildContext): boolean {
  return newTargets(context).length > 0 || absenceMatters(context, shownIn(context.answers));
}

/** What aliases are to point at that do not yet, or are not there. */
function newTargets({ declared, answers }: ChildContext): readonly string[] {
  const rows = rowsAt(answers.list, '/aliases');
  const live = new Map(rows.map((row) => [addressIn(row, '/address'), addressIn(row, '/target_email')]));
  return declared.members
    .filter(({ identity, spec }) => live.get(identity) !== spec.target)
    .map(({ spec }) => spec.target as string);
}

function toCheck(context: ChildContext): Readonly<Record<string, string>> {
  return targetsToCheck(newTargets(context), context.answers, context.declared.rootSpec);
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
  const shown = shownIn(answers);
  const { members, rootSpec } = context.declared;
  const targets = new Map(members.map(({ identity, spec }) => [identity, spec.target as string]));
  const reasonOf = (address: string): Blocker | undefined => {
    const holder = taken.get(address);
    if (holder !== undefined) return inUse(holder);
    return (
      pending.get(domainOf(address)) ?? refuseTarget(targets.get(address) ?? '', answers, rootSpec, shown) ?? undefined
    );
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
