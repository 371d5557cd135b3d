// The use cases `contact list` and `contact show`: who is at the registrar, and which registrations use them in which
// roles. One list of each says all of it (DCT-02, REG-09). It must not change a contact: the registry may split it, and
// then its id means somebody else (DCT-05).
import type { Json, JsonObject } from '../../model/json.ts';
import { isJsonObject, valueAt } from '../../model/json.ts';
import { objectAt } from '../../model/kind/rows.ts';
import { readWhole } from '../../observe/reader.ts';
import type { Session } from '../session.ts';
import type { SiteResult } from '../site/open-site.ts';
import type { OpenAccount } from './open-account.ts';
import { withAccount } from './open-account.ts';

const ROLES = ['owner', 'admin', 'tech', 'billing'] as const;

/** A registration and the roles that a contact has in it. */
export interface ContactUse {
  readonly registration: string;
  readonly roles: readonly (typeof ROLES)[number][];
}

/** A contact as the platform shows it, and where it is used. */
export interface ContactUsed {
  readonly contact: JsonObject;
  readonly usedBy: readonly ContactUse[];
}

/** The contacts of the account; with a query those whose handle, organization, name or registrations hold it. */
export function listContacts(session: Session, query?: string): Promise<SiteResult<readonly ContactUsed[]>> {
  return withAccount(session, async ({ client }) => {
    const path = `/api/domain_contacts${query === undefined ? '' : `?q=${encodeURIComponent(query)}`}`;
    const [contacts, uses] = await Promise.all([readWhole(client, path, '/domain_contacts'), readUses({ client })]);
    const value = contacts
      .map((contact) => ({ contact, usedBy: uses.get(idOf(contact)) ?? [] }))
      .sort((left, right) => Number(left.contact.id) - Number(right.contact.id));
    return { outcome: 'done', value };
  });
}

/** All that the platform shows of one contact. */
export function showContact(session: Session, id: string): Promise<SiteResult<ContactUsed>> {
  return withAccount(session, async (account) => ({ outcome: 'done', value: await readContact(account, id) }));
}

/** One contact, and where it is used. */
export async function readContact({ client }: Pick<OpenAccount, 'client'>, id: string): Promise<ContactUsed> {
  const [answer, uses] = await Promise.all([
    client.read(`/api/domain_contacts/${encodeURIComponent(id)}`),
    readUses({ client }),
  ]);
  // Bare or wrapped: not documented (GAP-50).
  const contact = objectAt(
    isJsonObject(valueAt(answer, '/domain_contact')) ? valueAt(answer, '/domain_contact') : answer,
  );
  return { contact, usedBy: uses.get(idOf(contact)) ?? [] };
}

async function readUses({ client }: Pick<OpenAccount, 'client'>): Promise<ReadonlyMap<string, readonly ContactUse[]>> {
  const uses = new Map<string, ContactUse[]>();
  for (const row of await readWhole(client, '/api/domain_registrations', '/domain_registrations')) {
    const roles = new Map<string, (typeof ROLES)[number][]>();
    for (const role of ROLES) {
      const contact = row[`${role}_contact`];
      if (isJsonObject(contact)) roles.set(idOf(contact), [...(roles.get(idOf(contact)) ?? []), role]);
    }
    for (const [id, held] of roles)
      uses.set(id, [...(uses.get(id) ?? []), { registration: nameOf(row.name), roles: held }]);
  }
  return uses;
}

/** Ids are numbers on the wire, and text where a person writes them (DCT-01). */
export function idOf({ id }: JsonObject): string {
  return JSON.stringify(id ?? null).replaceAll('"', '');
}

function nameOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : 'a registration without a name';
}
