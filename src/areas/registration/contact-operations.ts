// The operations on registrar contacts: send the verification message again, and delete unused contacts.
import { firstOf, listOf } from '../../model/format.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { isJsonObject, valueAt } from '../../model/json.ts';
import { objectAt, ShapeError } from '../../model/kind/rows.ts';
import type { Act, Ending } from '../../model/plan/act.ts';
import type { PathTemplate } from '../../model/plan/step.ts';
import { path } from '../../model/plan/step.ts';
import { hasEnded } from '../account/views.ts';
import type { OpenAccount } from '../common/operation.ts';
import { actOn, cannot, notConfirmed, notNow, onAccount, rememberedAs, waiting } from '../common/operation.ts';
import { idAt, objectOf } from '../common/view.ts';
import { change, sendOnce } from '../common/steps.ts';
import type { OpenRegistration } from './registration-operations.ts';
import { onRegistration, REGISTRATION } from './registration-operations.ts';
import { ROLES } from './views.ts';

const CONTACT = 'DomainContact';
const HOUR_MS = 3_600_000;
const RECENT_MS = 24 * HOUR_MS;

const RESEND = {
  name: 'resend',
  does: 'Send the verification message again, unless one was sent in the last 24 hours.',
  takes: ['again'],
} as const;

/**
 * Sends the verification message of a contact again (DCT-07). The validations of the contact show whether the person has
 * confirmed. No response shows when a message was sent, so the ledger records it to prevent a second message on one day.
 */
const resend = onAccount({ ...RESEND, kind: CONTACT }, async (account, id, { again }) => {
  const answer = objectAt(await account.read(`/api/domain_contacts/${encodeURIComponent(id)}`));
  // Bare or wrapped: not documented (GAP-50).
  const { email } = objectOf({ is: 'read', answer }, 'domain_contact');
  const act = resendVerification({ contact: id });
  return sendUnlessRecent(account, { act, email, contact: id, whom: `contact ${id}` }, again);
});

/** The same for the holder of a registration (REG-31). */
const resendToHolder = onRegistration(RESEND, (registration, { again }) =>
  sendUnlessRecent(registration, toHolder(registration), again),
);

/** Has the registrar ask a person once more to confirm who they are; when it did is told by no read (DCT-07, REG-31). */
function resendVerification(of: { readonly contact: string } | { readonly registration: string }): Act {
  const isContact = 'contact' in of;
  return actOn(isContact ? [CONTACT, of.contact] : [REGISTRATION, of.registration], 'ResendVerification', {
    steps: [
      sendOnce({
        name: 'resend',
        method: 'POST',
        path: isContact
          ? path`/api/domain_contacts/${of.contact}/resend_verification`
          : path`/api/domain_registrations/${of.registration}/resend_contact_verification`,
        answers: [
          { status: '2xx', then: 'done' },
          {
            status: 422,
            code: 'verification_not_applicable',
            then: 'fail',
            reason: 'nobody has to confirm anything: the TLD does not ask for it',
          },
        ],
        reason: 'have the message sent again',
      }),
    ],
  });
}

function toHolder({ name, id, row }: OpenRegistration): Message {
  const holder = isJsonObject(row.owner_contact) ? row.owner_contact : {};
  return {
    act: resendVerification({ registration: id }),
    email: holder.email,
    contact: typeof holder.id === 'number' ? String(holder.id) : 'ID',
    whom: `the holder of ${name}`,
  };
}

interface Message {
  readonly act: Act;
  readonly email: Json | undefined;
  /** The number of the contact that tells whether the person has confirmed. */
  readonly contact: string;
  readonly whom: string;
}

/** The request names whom the message is for: the same one is the same message. */
async function sendUnlessRecent(
  account: OpenAccount,
  { act, email: given, contact, whom }: Message,
  again = false,
): Promise<Ending> {
  const email = typeof given === 'string' ? given : 'its address';
  const request = act.steps
    .flatMap((step) => (step.do === 'request' ? `${step.method} ${textOf(step.path)}` : []))
    .join();
  const name = `message of ${request}`;
  const look = `Whether the person has confirmed is told by \`hostwright get contact ${contact}\`.`;
  const sinceMs = account.now() - (rememberedAs(await account.ledger(), name)?.doneAtMs ?? -Infinity);
  if (sinceMs < RECENT_MS && !again) return sentAlready(sinceMs, look);
  const ending = await account.run({
    act,
    question: `Have the registrar ask ${email} once more to confirm ${whom}?`,
    done: ({ answer }) => {
      const status = valueAt(answer, '/status');
      return `The message to ${email} is ${typeof status === 'string' ? status : 'accepted'}. ${look}`;
    },
    look,
    again: { option: '--again', given: again },
  });
  if (ending.outcome !== 'done') return ending;
  const notices = await account.remember(name, { request });
  return { ...ending, diagnostics: [...(ending.diagnostics ?? []), ...notices] };
}

function textOf(path: PathTemplate): string {
  return path.map((part) => (typeof part === 'string' ? part : '')).join('');
}

function sentAlready(sinceMs: number, look: string): Ending {
  const hours = Math.floor(sinceMs / HOUR_MS);
  const when = hours === 0 ? 'less than an hour' : hours === 1 ? 'an hour' : `${hours} hours`;
  return waiting(
    'HW4589',
    `It was sent ${when} ago, as the ledger says, and nothing was sent now. ${look} To send it again, add --again.`,
  );
}

/**
 * Deletes contacts that no registration uses (DCT-06). A role that is given to somebody else makes a contact and leaves
 * the old one behind. What cannot be seen to be unused is left alone: a registration whose contacts do not read, and a
 * purchase that goes on, whose contact no registration shows yet.
 */
async function deleteContacts(account: OpenAccount, id: string | undefined): Promise<Ending> {
  const [contacts, registrations, orders] = await Promise.all([
    account.list('contacts'),
    account.list('registrations'),
    account.list('orders'),
  ]);
  const uses = usesOf(registrations);
  const chosen =
    id === undefined
      ? contacts.filter((one) => idAt(one) !== '' && !uses.has(idAt(one)))
      : [contacts.find((one) => idAt(one) === id) ?? id];
  const objection = objectionTo(chosen, uses) ?? purchaseGoesOn(orders);
  if (objection !== undefined) return objection;
  const found = chosen.filter(isJsonObject);
  if (found.length === 0)
    return { outcome: 'done', deletion: { deleted: [] }, message: 'Every contact is used by a registration.' };
  const told = listOf(found.map(tell), 'and');
  const [nouns, them] = found.length === 1 ? ['contact', 'it'] : ['contacts', 'them'];
  const question = `Delete the ${nouns} ${told}, which no registration uses? Nothing brings ${them} back.`;
  if (!(await account.confirm(question))) return notConfirmed();
  const deleted: string[] = [];
  for (const contact of found) {
    const ending = await account.run({
      act: actOn([CONTACT, idAt(contact)], 'DeleteContact', {
        verb: 'delete',
        steps: [
          change({
            name: 'delete',
            method: 'DELETE',
            path: path`/api/domain_contacts/${idAt(contact)}`,
            answers: [
              { status: '2xx', then: 'done' },
              { status: 404, then: 'done' },
            ],
            reason: 'delete the contact',
            rule: 'DCT-06',
          }),
        ],
      }),
      done: () => ({ outcome: 'done' }),
      look: `Look at the contact ${tell(contact)}. Running the command again does no harm.`,
    });
    if (ending.outcome !== 'done') return { ...ending, deletion: { deleted } };
    deleted.push(idAt(contact));
  }
  return { outcome: 'done', deletion: { deleted }, message: `Deleted: ${told}.` };
}

const deleteContact = onAccount(
  { name: 'delete', kind: CONTACT, does: 'Delete a contact that no registration uses.' },
  deleteContacts,
);

const deleteUnused = onAccount(
  { name: 'delete-unused', kind: CONTACT, isOnAll: true, does: 'Delete all contacts that no registration uses.' },
  (account) => deleteContacts(account, undefined),
);

/** By contact, the names that use it. Throws ShapeError where a row does not tell who has a role: unknown is not unused. */
function usesOf(registrations: readonly JsonObject[]): ReadonlyMap<string, readonly string[]> {
  const uses = new Map<string, string[]>();
  for (const row of registrations) {
    const name = typeof row.name === 'string' ? row.name : 'a registration without a name';
    for (const role of ROLES) {
      const contact = row[`${role}_contact`];
      if (contact === null) continue;
      const id = idAt(contact);
      if (id === '') throw new ShapeError(`${name} does not tell its ${role} contact`);
      uses.set(id, [...new Set([...(uses.get(id) ?? []), name])]);
    }
  }
  return uses;
}

function objectionTo(
  chosen: readonly (JsonObject | string)[],
  uses: ReadonlyMap<string, readonly string[]>,
): Ending | undefined {
  const problems = chosen.flatMap((one) => {
    if (!isJsonObject(one)) return [`The account has no contact ${one}.`];
    const names = uses.get(idAt(one));
    if (names === undefined) return [];
    const shown = firstOf(names, 5);
    return [`The contact ${tell(one)} is used by ${shown}.`];
  });
  return problems.length === 0
    ? undefined
    : cannot(
        `${problems.join(' ')} Nothing was sent. \`hostwright get contacts\` shows which registrations use each contact.`,
      );
}

function purchaseGoesOn(orders: readonly JsonObject[]): Ending | undefined {
  // The order of a name has no location (ORD-02).
  const open = orders.find((order) => (order.location ?? null) === null && !hasEnded(order));
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

export const contactOperations = [resend, resendToHolder, deleteContact, deleteUnused];
