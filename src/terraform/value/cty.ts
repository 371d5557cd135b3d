// Values of Terraform as bytes and back: msgpack for configurations and plans, JSON for stored states. What a value may
// be is said by its attribute; every attribute is written, null where it has no value.
import { decode, encode, ExtensionCodec } from '@msgpack/msgpack';
import type { Attribute, Fields } from './attribute.ts';

/** Stands for a value that Terraform does not know yet. */
export const UNKNOWN: unique symbol = Symbol('unknown');

export type Value = null | boolean | number | string | typeof UNKNOWN | readonly Value[] | ValueObject;
export interface ValueObject {
  readonly [name: string]: Value;
}

const UNKNOWN_TYPE = 0;
const REFINED_TYPE = 12;

class Unknown {}
const THE_UNKNOWN = new Unknown();

const extensions = new ExtensionCodec();
extensions.register({
  type: UNKNOWN_TYPE,
  encode: (value: unknown) => (value instanceof Unknown ? new Uint8Array([0]) : null),
  decode: () => THE_UNKNOWN,
});
// An unknown value of which something is known all the same: it is unknown here.
extensions.register({ type: REFINED_TYPE, encode: () => null, decode: () => THE_UNKNOWN });

/** Bytes that are no value of Terraform. */
export class ValueError extends Error {}

export function decodeValue(bytes: Uint8Array): Value {
  try {
    return fromDecoded(decode(bytes, { extensionCodec: extensions, useBigInt64: true }));
  } catch (error) {
    throw new ValueError(`the value cannot be read: ${(error as Error).message}`);
  }
}

function fromDecoded(value: unknown): Value {
  if (value instanceof Unknown) return UNKNOWN;
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(fromDecoded);
  if (typeof value !== 'object' || value === null) return (value ?? null) as Value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fromDecoded(item)]));
}

/** An object of these attributes. What the object does not have is null. */
export function encodeObject(fields: Fields, object: Value): Uint8Array {
  return encode(toEncode(objectToEncode(fields, object)), { extensionCodec: extensions, sortKeys: true });
}

/** What is left of it is for msgpack: maps of texts, lists, numbers and texts. */
type Encodable =
  null | boolean | number | string | Unknown | readonly Encodable[] | { readonly [key: string]: Encodable };

function toEncode(value: Encodable): unknown {
  return value;
}

function objectToEncode(fields: Fields, object: Value): Encodable {
  if (object === null) return null;
  if (object === UNKNOWN) return THE_UNKNOWN;
  const values = object as ValueObject;
  return Object.fromEntries(
    Object.entries(fields).map(([name, { attribute }]) => [name, attributeToEncode(attribute, values[name] ?? null)]),
  );
}

function attributeToEncode(attribute: Attribute, value: Value): Encodable {
  if (value === null) return null;
  if (value === UNKNOWN) return THE_UNKNOWN;
  switch (attribute.is) {
    case 'list':
    case 'set':
      return (value as readonly Value[]).map((item) => plainToEncode(item));
    case 'group':
    case 'secret':
    case 'data':
      return objectToEncode(attribute.fields, value);
    case 'groups':
      return (value as readonly Value[]).map((item) => objectToEncode(attribute.fields, item));
    case 'map':
      return Object.fromEntries(
        Object.entries(value as ValueObject).map(([key, item]) => [key, objectToEncode(attribute.fields, item)]),
      );
    default:
      return plainToEncode(value);
  }
}

/** A fraction is written as text: as a float it would not be the number that Terraform has. */
function plainToEncode(value: Value): Encodable {
  if (value === UNKNOWN) return THE_UNKNOWN;
  return typeof value === 'number' && !Number.isSafeInteger(value) ? String(value) : value;
}

/** A stored state as a value of these attributes: what it has beside them is dropped. */
export function valueOfStored(fields: Fields, stored: unknown): Value {
  if (typeof stored !== 'object' || stored === null) return null;
  const values = stored as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(fields).map(([name, { attribute }]) => [name, storedAttribute(attribute, values[name] ?? null)]),
  );
}

function storedAttribute(attribute: Attribute, value: unknown): Value {
  if (value === null) return null;
  if ('fields' in attribute) {
    if (attribute.is === 'groups')
      return (value as readonly unknown[]).map((item) => valueOfStored(attribute.fields, item));
    if (attribute.is === 'map')
      return Object.fromEntries(
        Object.entries(value as object).map(([key, item]) => [key, valueOfStored(attribute.fields, item)]),
      );
    return valueOfStored(attribute.fields, value);
  }
  return value as Value;
}
