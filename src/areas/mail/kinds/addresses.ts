// Which addresses of a mailspace are in use, and by what: mailboxes, groups and aliases share one namespace (ALS-11).
// Mailing lists are in no list that is documented, so an address that is not here may be taken all the same.
import type { Json, JsonObject } from '../../../model/json.ts';
import { isJsonObject, valueAt } from '../../../model/json.ts';
import type { Answers, Blocker } from '../../../model/kind/kind.ts';
import { rowsAt, textAt, textsAt } from '../../../model/kind/rows.ts';
import type { NamedObject } from '../../../model/kind/capabilities/refers-to.ts';
import { canonicalAddress, domainOf } from '../../common/spellings.ts';

export const A_MAILBOX = 'a mailbox';
export const ABOUT_TO_BE_DELETED = 'a mailbox that is about to be deleted';

/** By address, what has it as its primary address, as far as it was read. */
export function primaryAddresses({ list, mailboxes, groups }: Answers): ReadonlyMap<string, string> {
  const of = (answer: Json | undefined, pointer: string, what: string): readonly (readonly [string, string])[] =>
    rowsIn(answer, pointer).map((row) => [canonicalAddress(textAt(row, '/email')), what] as const);
  const found = [list, mailboxes, groups];
  return new Map([
    ...found.flatMap((answer) => of(answer, '/mailboxes', A_MAILBOX)),
    ...found.flatMap((answer) => of(answer, '/pending', ABOUT_TO_BE_DELETED)),
    ...found.flatMap((answer) => of(answer, '/groups', 'a group')),
  ]);
}

/**
 * Why a new mailbox or group cannot have an address: another object has it. An alias counts only where this manifest
 * does not manage the aliases: else this very run may remove it.
 */
export function takenBy(answers: Answers, rootSpec: JsonObject | undefined): ReadonlyMap<string, Blocker> {
  const aliases = rootSpec === undefined || rootSpec.aliases !== undefined ? [] : aliasesIn(answers);
  const holders = [...aliases.map((address) => [address, 'an alias'] as const), ...primaryAddresses(answers)];
  return new Map(holders.map(([address, holder]) => [address, inUse(holder)]));
}

export function inUse(holder: string): Blocker {
  // Whether a mailbox about to be deleted gives its address back at once is not documented (GAP-43).
  return {
    reason: `the address is that of ${holder}`,
    remedy: 'Free it first, or declare another address: one belongs to one thing in a mailspace (ALS-11).',
    rule: 'O-38',
  };
}

function aliasesIn({ list, mailboxes, groups }: Answers): readonly string[] {
  const found = [list, mailboxes, groups];
  const rows = found.flatMap((answer) => [...rowsIn(answer, '/mailboxes'), ...rowsIn(answer, '/groups')]);
  return rows.flatMap((row) => textsAt(row, 'aliases')).map(canonicalAddress);
}

function rowsIn(answer: Json | undefined, pointer: string): readonly JsonObject[] {
  return isJsonObject(answer) && valueAt(answer, pointer) !== undefined ? rowsAt(answer, pointer) : [];
}

/** Returns the domain that an address is on, as a name in `field`; a domain is removed when no address is on it (O-48). */
export function domainOfAddress(field: string, address: string | undefined): readonly NamedObject[] {
  return address === undefined
    ? []
    : [{ kinds: ['MailDomain'], name: domainOf(address), field, relation: 'is on', rule: 'O-48' }];
}
