// The use case `contact verify`: has the registrar ask the person once more to confirm who they are, of a contact
// (DCT-07) or of the holder of a name (REG-31). Whether the person did confirm is told by the contact's validations.
import type { Json } from '../../model/json.ts';
import { isJsonObject, valueAt } from '../../model/json.ts';
import type { Act } from '../act/act.ts';
import { carryOut } from '../act/act.ts';
import type { Confirm } from '../act/send.ts';
import { blocker } from '../act/send.ts';
import { withRegistration } from '../registration/find.ts';
import type { Session } from '../session.ts';
import type { SiteResult } from '../site/open-site.ts';
import { readContact } from './contacts.ts';
import { withAccount } from './open-account.ts';

/** Asks for the message to be sent again, once a person has agreed. */
export function verifyContact(session: Session, id: string, confirm: Confirm): Promise<SiteResult<never>> {
  return withAccount(session, async (account) => {
    const { contact } = await readContact(account, id);
    const email = emailOf(contact.email);
    const act = message(email, id, {
      question: `Have the registrar ask ${email} once more to confirm contact ${id}?`,
      request: { method: 'POST', path: `/api/domain_contacts/${encodeURIComponent(id)}/resend_verification` },
    });
    return carryOut(account, act, confirm);
  });
}

/** The same for the holder of a registered name. */
export function verifyHolder(session: Session, wanted: string, confirm: Confirm): Promise<SiteResult<never>> {
  return withRegistration(session, wanted, async (registration) => {
    const { name, path, row } = registration;
    const holder = isJsonObject(row.owner_contact) ? row.owner_contact : {};
    const email = emailOf(holder.email);
    const act = message(email, typeof holder.id === 'number' ? String(holder.id) : 'ID', {
      question: `Have the registrar ask ${email} once more to confirm the holder of ${name}?`,
      request: { method: 'POST', path: `${path}/resend_contact_verification` },
      refused: ({ code }) =>
        code === 'verification_not_applicable'
          ? {
              outcome: 'error',
              diagnostics: [blocker(`Nobody has to confirm anything for ${name}: its TLD does not ask for it.`)],
            }
          : undefined,
    });
    return carryOut(registration, act, confirm);
  });
}

function message(email: string, id: string, act: Pick<Act<never>, 'question' | 'request' | 'refused'>): Act<never> {
  const look = `Whether the person has confirmed is told by \`hostwright get contact ${id}\`.`;
  return {
    ...act,
    follow: (answer) => {
      if (answer === undefined) return Promise.resolve(undefined);
      const status = valueAt(answer.body, '/status');
      return Promise.resolve({
        outcome: 'done',
        message: `The message to ${email} is ${typeof status === 'string' ? status : 'accepted'}. ${look}`,
      });
    },
    look,
  };
}

function emailOf(email: Json | undefined): string {
  return typeof email === 'string' ? email : 'its address';
}
