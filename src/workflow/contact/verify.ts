// The use case `contact verify`: has the registrar ask the person once more to confirm who they are (DCT-07). Sent
// once; whether the person did confirm is told by the contact's validations.
import { valueAt } from '../../model/json.ts';
import type { Session } from '../session.ts';
import type { Confirm } from '../act/send.ts';
import { notConfirmed, trySend, unknownEnd } from '../act/send.ts';
import type { SiteResult } from '../site/open-site.ts';
import { readContact } from './contacts.ts';
import { withAccount } from './open-account.ts';

/** Asks for the message to be sent again, once a person has agreed. */
export function verifyContact(session: Session, id: string, confirm: Confirm): Promise<SiteResult<never>> {
  return withAccount(session, async (account) => {
    const { contact } = await readContact(account, id);
    const email = typeof contact.email === 'string' ? contact.email : 'its address';
    if (!(await confirm(`Have the registrar ask ${email} once more to confirm contact ${id}?`))) return notConfirmed();
    const sent = await trySend(account, {
      method: 'POST',
      path: `/api/domain_contacts/${encodeURIComponent(id)}/resend_verification`,
    });
    const look = `Whether the person has confirmed is told by \`hostwright contact show ${id}\`.`;
    if (sent.is === 'refused') return sent.ending;
    if (sent.is === 'lost') return unknownEnd(sent.reason, look);
    const status = valueAt(sent.answer.body, '/status');
    return {
      outcome: 'done',
      message: `The message to ${email} is ${typeof status === 'string' ? status : 'accepted'}. ${look}`,
    };
  });
}
