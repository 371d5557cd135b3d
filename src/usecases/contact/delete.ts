// The use case `contact delete`: contacts that no registration uses (DCT-06). A role that is given to somebody else
// makes a contact and leaves the old one behind. What cannot be seen to be unused is left alone: a registration whose
// contacts do not read, and a purchase that goes on, whose contact no registration shows yet.
import { listOf } from '../../model/format.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { isJsonObject } from '../../model/json.ts';
import { ShapeError } from '../../model/kind/rows.ts';
import { registrationActs } from '../../areas/index.ts';
import type { Confirm } from '../act/run-act.ts';
import { cannot, notConfirmed, notNow, runAgreed } from '../act/run-act.ts';
import { createAccountReader } from '../get/account-reader.ts';
import { idAt } from '../../areas/views.ts';
import type { Session } from '../session.ts';
import type { Ending, SiteResult } from '../site/open-site.ts';
import { withAccount } from './open-account.ts';

/** Numbers of contacts, or all that nothing uses. */
export type WhichContacts = { readonly ids: readonly string[] } | { readonly unused: true };

export interface DeletedContacts {
  readonly deleted: readonly string[];
}

const ROLES = ['owner', 'admin', 'tech', 'billing'] as const;
const ENDED: readonly unknown[] = ['completed', 'failed', 'cancelled'];

/** Deletes contacts that no registration uses, once a person has agreed. */
export function deleteContacts(
  session: Session,
  which: WhichContacts,
  confirm: Confirm,
): Promise<SiteResult<DeletedContacts>> {
  return withAccount(session, async (account): Promise<Ending<DeletedContacts>> => {
    const reader = createAccountReader(account.client, account.workspace.account);
    const [contacts, registrations, orders] = await Promise.all([
      reader.list('contacts'),
      reader.list('registrations'),
      reader.list('orders'),
    ]);
    const uses = usesOf(registrations);
    const chosen =
      'unused' in which
        ? contacts.filter((one) => isId(one.id) && !uses.has(idAt(one)))
        : which.ids.map((id) => contacts.find((one) => idAt(one) === id) ?? id);
    const objection = objectionTo(chosen, uses) ?? purchaseGoesOn(orders);
    if (objection !== undefined) return objection;
    const found = chosen.filter(isJsonObject);
    if (found.length === 0)
      return { outcome: 'done', value: { deleted: [] }, message: 'Every contact is used by a registration.' };
    const told = listOf(found.map(tell), 'and');
    const what = found.length === 1 ? `the contact ${told}, which` : `the contacts ${told}, which`;
    if (
      !(await confirm(
        `Delete ${what} no registration uses? Nothing brings ${found.length === 1 ? 'it' : 'them'} back.`,
      ))
    )
      return notConfirmed();
    const deleted: string[] = [];
    for (const contact of found) {
      const ending = await runAgreed<DeletedContacts>(account, registrationActs.deleteContact(idAt(contact)), {
        done: () => ({ outcome: 'done' }),
        look: `Look at the contact ${tell(contact)}. Running the command again does no harm.`,
      });
      if (ending.outcome !== 'done') return { ...ending, value: { deleted } };
      deleted.push(idAt(contact));
    }
    return { outcome: 'done', value: { deleted }, message: `Deleted: ${listOf(found.map(tell), 'and')}.` };
  });
}

/** By contact, the names that use it. Throws ShapeError where a row does not tell who has a role: unknown is not unused. */
function usesOf(registrations: readonly JsonObject[]): ReadonlyMap<string, readonly string[]> {
  const uses = new Map<string, string[]>();
  for (const row of registrations) {
    const name = typeof row.name === 'string' ? row.name : 'a registration without a name';
    for (const role of ROLES) {
      const contact = row[`${role}_contact`];
      if (contact === null) continue;
      if (!isJsonObject(contact) || !isId(contact.id))
        throw new ShapeError(`${name} does not tell its ${role} contact`);
      const id = idAt(contact);
      uses.set(id, [...new Set([...(uses.get(id) ?? []), name])]);
    }
  }
  return uses;
}

function isId(id: Json | undefined): id is number | string {
  return typeof id === 'number' || typeof id === 'string';
}

function objectionTo(
  chosen: readonly (JsonObject | string)[],
  uses: ReadonlyMap<string, readonly string[]>,
): Ending<never> | undefined {
  const problems = chosen.flatMap((one) => {
    if (!isJsonObject(one)) return [`The account has no contact ${one}.`];
    const names = uses.get(idAt(one));
    if (names === undefined) return [];
    const shown = `${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`;
    return [`The contact ${tell(one)} is used by ${shown}.`];
  });
  return problems.length === 0
    ? undefined
    : cannot(`${problems.join(' ')} Nothing was sent. \`hostwright contact list\` shows which contacts nothing uses.`);
}

function purchaseGoesOn(orders: readonly JsonObject[]): Ending<never> | undefined {
  // The order of a name has no location (ORD-02).
  const open = orders.find(({ status, location = null }) => location === null && !ENDED.includes(status));
  return open === undefined
    ? undefined
    : notNow(
        `The order ${idAt(open)} goes on, and if it is for a name, its contact is used by no registration yet. Run the command again when it has ended. Nothing was sent.`,
      );
}

/** `805 (Ada Adams)` */
function tell(contact: JsonObject): string {
  const { first_name: first, last_name: last } = contact;
  const name = [first, last].flatMap((part) => (typeof part === 'string' && part !== '' ? [part] : [])).join(' ');
  return `${idAt(contact)}${name === '' ? '' : ` (${name})`}`;
}
