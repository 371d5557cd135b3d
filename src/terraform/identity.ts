// Which object a resource is about: its account and its id, which are the same for as long as it exists.
import type { Address } from '../model/address.ts';
import { addressOf } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { diagnose } from '../model/diagnostic.ts';
import type { Fields, ResourceTable } from './value/attribute.ts';
import { isObject, textOf } from './value/convert.ts';
import type { Value, ValueObject } from './value/cty.ts';
import { decodeValue, encodeObject } from './value/cty.ts';
import type { Message } from './wire/protobuf.ts';

/** In place of the id of what was ordered and is not there yet. */
export const PENDING = 'pending:';

export function isPending({ id }: ValueObject): boolean {
  return typeof id === 'string' && id.startsWith(PENDING);
}

/** Returns the address of a resource, or of the resource that it is a part of. */
export function addressIn({ kind, part }: ResourceTable, values: ValueObject): Address {
  return addressOf(null, kind, textOf(values[part?.name ?? 'name']));
}

/**
 * Returns HW7027 if the private data of a resource was written for another account. An object that the other account does
 * not list would otherwise count as deleted.
 *
 * @param stored - The account in the private data; undefined: an earlier version wrote it.
 */
export function otherAccount(stored: string | undefined, account: string, address: Address): Diagnostic | undefined {
  if (stored === undefined || stored === account) return undefined;
  return diagnose(
    'HW7027',
    `${address}: the state was written for ${stored}, this provider is ${account}; nothing was read and nothing was sent. Check \`account\` in the provider block, HOSTWRIGHT_ACCOUNT and the \`provider\` of the resource. To manage an object of ${account} instead, run \`terraform state rm\` and import that object.`,
    { address },
  );
}

const FIELDS: Fields = { account: { attribute: { is: 'text' } }, id: { attribute: { is: 'text' } } };
const TEXT = Buffer.from('"string"');

/** What tells the objects of every type of resource apart. */
export const IDENTITY_SCHEMA: Message = {
  identityAttributes: [
    { name: 'account', type: TEXT, optionalForImport: true, description: 'The account. Absent: that of the provider.' },
    { name: 'id', type: TEXT, requiredForImport: true, description: 'The id of the live object.' },
  ],
};

/** The identity of an object; undefined where it has no id yet, or is there no more. */
export function identityOf(account: string, state: Value): Message | undefined {
  if (!isObject(state) || typeof state.id !== 'string' || isPending(state)) return undefined;
  return { identityData: { msgpack: encodeObject(FIELDS, { account, id: state.id }) } };
}

/** The id that an import names, by itself or in an identity. */
export function idToImport(
  account: string,
  id: string,
  identity: unknown,
): { readonly id: string } | { readonly diagnostic: Diagnostic } {
  const { identityData } = (identity ?? {}) as { readonly identityData?: { readonly msgpack?: Uint8Array } };
  if (identityData?.msgpack === undefined) return { id };
  const values = decodeValue(identityData.msgpack);
  const { account: other = null, id: own = null } = isObject(values) ? values : {};
  if (other !== null && other !== account)
    return {
      diagnostic: diagnose(
        'HW7014',
        `The identity is of the account ${textOf(other)}, and the provider is for ${account}. Import it by a provider of that account.`,
      ),
    };
  return { id: textOf(own) };
}

/** A stored identity, as it is written by this version. */
export function upgradedIdentity(raw: unknown): Message {
  const { json } = (raw ?? {}) as { readonly json?: Uint8Array };
  const stored: unknown = json === undefined ? null : JSON.parse(Buffer.from(json).toString('utf8'));
  return { identityData: { msgpack: encodeObject(FIELDS, stored as Value) } };
}
