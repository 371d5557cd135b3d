// One contact of a registration, and which registrations use it in which roles. It must not change a contact: the
// registry may split it, and then its id means somebody else (DCT-05).
import { objectAt } from '../../model/kind/rows.ts';
import { createAccountReader } from '../get/account-reader.ts';
import type { ContactUsed } from '../../areas/views.ts';
import { idAt, objectOf, readUses } from '../../areas/views.ts';
import type { OpenAccount } from './open-account.ts';

/** One contact, and where it is used. Rejects with the client's ApiError. */
export async function readContact(
  { client, workspace }: Pick<OpenAccount, 'client' | 'workspace'>,
  id: string,
): Promise<ContactUsed> {
  const reader = createAccountReader(client, workspace.account);
  const [answer, uses] = await Promise.all([
    client.read(`/api/domain_contacts/${encodeURIComponent(id)}`),
    readUses(reader),
  ]);
  // Bare or wrapped: not documented (GAP-50).
  const contact = objectOf({ is: 'read', answer: objectAt(answer) }, 'domain_contact');
  return { contact, usedBy: uses.get(idAt(contact)) ?? [] };
}
