// Which of the actions in one mailspace waits for which, by the rules that the platform gives for it: one namespace,
// domains before addresses, members before groups, targets before aliases.
import { parseAddress } from '../../../../model/address.ts';
import { isJsonObject } from '../../../../model/json.ts';
import type { OrderedAction, OrderRule } from '../../../../model/kind/kind.ts';
import { domainOf } from '../../../common/spellings.ts';

const makes =
  (...kinds: readonly string[]): OrderRule['before'] =>
  ({ kind, verb }) =>
    kinds.includes(kind) && verb === 'create';
const keeps =
  (...kinds: readonly string[]): OrderRule['before'] =>
  ({ kind, verb }) =>
    kinds.includes(kind) && verb !== 'delete';
const removes =
  (...kinds: readonly string[]): OrderRule['before'] =>
  ({ kind, verb }) =>
    kinds.includes(kind) && verb === 'delete';

/** A mailbox that was not there, or was about to be gone. */
function bringsIn({ kind, verb, changes }: OrderedAction): boolean {
  return (
    kind === 'Mailbox' && (verb === 'create' || (verb === 'update' && changes.some(({ path }) => path === '/deletion')))
  );
}

function nameOf({ address }: OrderedAction): string {
  return parseAddress(address)?.at(-1)?.name ?? '';
}

/** The texts that an action writes at a field. */
function written({ changes }: OrderedAction, field: string): readonly string[] {
  return changes
    .filter(({ path }) => path === `/${field}`)
    .flatMap(
      ({ value, was }) =>
        [value, was].flat().filter((item) => typeof item === 'string' && !isJsonObject(item)) as string[],
    );
}

/** Of a kind whose members have an address in a domain of the mailspace. */
function onDomain(holder: string): readonly OrderRule[] {
  return [
    {
      rule: 'O-37',
      reason: 'a domain takes addresses only when it is served',
      within: 'root',
      before: makes('MailDomain'),
      after: keeps(holder),
      between: (domain, one) => domainOf(nameOf(one)) === nameOf(domain),
    },
    {
      rule: 'O-48',
      reason: 'a domain goes when nothing is on it any more',
      within: 'root',
      before: removes(holder),
      after: removes('MailDomain'),
      between: (one, domain) => domainOf(nameOf(one)) === nameOf(domain),
    },
  ];
}

export const mailboxOrder: readonly OrderRule[] = [
  ...onDomain('Mailbox'),
  // A mailbox is made without groups (O-42), and what is written to one target follows itself under the lock of the
  // mailspace (ALS-06, O-49).
  {
    rule: 'O-40',
    reason: 'members of a group are mailboxes that are there',
    within: 'root',
    before: bringsIn,
    after: keeps('MailGroup'),
    between: (one, group) => written(group, 'members').includes(nameOf(one)),
  },
];

export const mailGroupOrder: readonly OrderRule[] = [
  ...onDomain('MailGroup'),
  {
    rule: 'O-41',
    reason: 'the list of groups of a mailbox may name this one',
    within: 'parent',
    before: makes('MailGroup'),
    after: ({ kind, verb }) => kind === 'MailGroup' && verb === 'update',
  },
];

export const mailAliasOrder: readonly OrderRule[] = [
  ...onDomain('MailAlias'),
  {
    rule: 'O-43',
    reason: 'an alias points at something that is there',
    within: 'root',
    before: (action) => bringsIn(action) || makes('MailGroup')(action),
    after: keeps('MailAlias'),
    between: (target, alias) => written(alias, 'target').includes(nameOf(target)),
  },
  {
    rule: 'O-38',
    reason: 'an address belongs to one thing in a mailspace, so it is freed first',
    within: 'root',
    frees: true,
    before: removes('MailAlias'),
    after: makes('Mailbox', 'MailGroup'),
    between: (alias, taker) => nameOf(alias) === nameOf(taker),
  },
  {
    rule: 'O-45',
    reason: 'what is removed takes its aliases along',
    within: 'root',
    before: removes('MailAlias'),
    after: removes('Mailbox'),
  },
];
