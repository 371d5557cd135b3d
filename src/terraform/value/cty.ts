// Values of Terraform as bytes and back, in msgpack. What a value may be is said by its attribute; every attribute is
// written, null where it has no value. A resource has hundreds of them, most of them null, and its value is read or
// written seven times for a plan: so the names of attributes are bytes that are made once.
import type { Fields } from './attribute.ts';

/** Stands for a value that Terraform does not know yet. */
export const UNKNOWN: unique symbol = Symbol('unknown');

export type Value = null | boolean | number | string | typeof UNKNOWN | readonly Value[] | ValueObject;
export interface ValueObject {
  readonly [name: string]: Value;
}

/** Bytes that are no value of Terraform. */
export class ValueError extends Error {}

/** The attributes of an object in the order in which they are written. */
type Layout = readonly Place[];

interface Place {
  readonly name: string;
  /** The name as it is written. */
  readonly bytes: Buffer;
  /** Of an object, or of each of several. */
  readonly below?: Layout;
  readonly several?: 'by-name' | 'in-order';
}

const layouts = new WeakMap<Fields, Layout>();

function layoutOf(fields: Fields): Layout {
  const known = layouts.get(fields);
  if (known !== undefined) return known;
  const made = Object.keys(fields)
    .sort()
    .map((name): Place => {
      const { attribute } = fields[name] as Fields[string];
      const bytes = new Writer().text(name).done();
      if (!('fields' in attribute)) return { name, bytes };
      const several = attribute.is === 'map' ? 'by-name' : attribute.is === 'groups' ? 'in-order' : undefined;
      return { name, bytes, below: layoutOf(attribute.fields), ...(several !== undefined && { several }) };
    });
  layouts.set(fields, made);
  return made;
}

/** The value that bytes are. `fields`: of an object that is likely to be one of these. */
export function decodeValue(bytes: Uint8Array, fields?: Fields): Value {
  try {
    const reader = new Reader(bytes);
    const value = reader.value(fields === undefined ? undefined : layoutOf(fields));
    reader.end();
    return value;
  } catch (error) {
    throw new ValueError(`the value cannot be read: ${(error as Error).message}`);
  }
}

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  end(): void {
    if (this.#at !== this.#bytes.length) throw new RangeError('there is more behind it');
  }

  value(layout?: Layout, several?: Place['several']): Value {
    const bytes = this.#bytes;
    const byte = bytes[this.#at];
    if (byte === undefined) throw new RangeError('it is cut off');
    this.#at += 1;
    if (byte < 0x80) return byte;
    if (byte < 0x90) return this.#object(byte & 0x0f, layout, several);
    if (byte < 0xa0) return this.#list(byte & 0x0f, layout);
    if (byte < 0xc0) return this.#text(byte & 0x1f);
    if (byte >= 0xe0) return byte - 0x100;
    switch (byte) {
      case 0xc0:
        return null;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      // What is an extension is unknown, also where something is known of it all the same.
      case 0xc7:
        return this.#unknown(this.#size(1));
      case 0xc8:
        return this.#unknown(this.#size(2));
      case 0xc9:
        return this.#unknown(this.#size(4));
      case 0xd4:
      case 0xd5:
      case 0xd6:
      case 0xd7:
      case 0xd8:
        return this.#unknown(1 << (byte - 0xd4));
      case 0xca:
        return bytes.readFloatBE(this.#take(4));
      case 0xcb:
        return bytes.readDoubleBE(this.#take(8));
      case 0xcc:
        return this.#size(1);
      case 0xcd:
        return this.#size(2);
      case 0xce:
        return this.#size(4);
      case 0xcf:
        return Number(bytes.readBigUInt64BE(this.#take(8)));
      case 0xd0:
        return bytes.readInt8(this.#take(1));
      case 0xd1:
        return bytes.readInt16BE(this.#take(2));
      case 0xd2:
        return bytes.readInt32BE(this.#take(4));
      case 0xd3:
        return Number(bytes.readBigInt64BE(this.#take(8)));
      case 0xd9:
        return this.#text(this.#size(1));
      case 0xda:
        return this.#text(this.#size(2));
      case 0xdb:
        return this.#text(this.#size(4));
      case 0xdc:
        return this.#list(this.#size(2), layout);
      case 0xdd:
        return this.#list(this.#size(4), layout);
      case 0xde:
        return this.#object(this.#size(2), layout, several);
      case 0xdf:
        return this.#object(this.#size(4), layout, several);
      default:
        throw new RangeError(`no value of Terraform begins with ${byte}`);
    }
  }

  #take(length: number): number {
    const at = this.#at;
    if (at + length > this.#bytes.length) throw new RangeError('it is cut off');
    this.#at = at + length;
    return at;
  }

  #size(length: 1 | 2 | 4): number {
    return this.#bytes.readUIntBE(this.#take(length), length);
  }

  #unknown(length: number): Value {
    this.#take(length + 1);
    return UNKNOWN;
  }

  #text(length: number): string {
    const at = this.#take(length);
    return this.#bytes.toString('utf8', at, at + length);
  }

  #list(length: number, layout?: Layout): readonly Value[] {
    const list: Value[] = [];
    for (let index = 0; index < length; index += 1) list.push(this.value(layout));
    return list;
  }

  #object(length: number, layout: Layout | undefined, several: Place['several']): ValueObject {
    const object: Record<string, Value> = {};
    for (let index = 0; index < length; index += 1) {
      const place = several === undefined ? layout?.[index] : undefined;
      if (place !== undefined && this.#isNext(place.bytes)) {
        object[place.name] = this.value(place.below, place.several);
        continue;
      }
      const name = this.value();
      if (typeof name !== 'string') throw new RangeError('a name is no text');
      const value = this.value(several === undefined ? undefined : layout);
      if (name === '__proto__')
        Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
      else object[name] = value;
    }
    return object;
  }

  /** Passes over these bytes where they come next. */
  #isNext(expected: Buffer): boolean {
    for (let index = 0; index < expected.length; index += 1)
      if (this.#bytes[this.#at + index] !== expected[index]) return false;
    this.#at += expected.length;
    return true;
  }
}

/** An object of these attributes. What the object does not have is null; what it has beside them is left out. */
export function encodeObject(fields: Fields, object: Value): Uint8Array {
  return new Writer().object(layoutOf(fields), object).done();
}

/** Where values are written; it grows, and one is enough: nothing waits while it is in use. */
let scratch = Buffer.allocUnsafeSlow(64 * 1024);

class Writer {
  #at = 0;

  done(): Buffer {
    return Buffer.from(scratch.subarray(0, this.#at));
  }

  object(layout: Layout, object: Value): this {
    if (typeof object !== 'object' || object === null || Array.isArray(object)) return this.#any(object);
    const values = object as ValueObject;
    this.#head(layout.length, 0x80, 16, 0xde);
    for (const { name, bytes, below, several } of layout) {
      this.#need(bytes.length);
      for (let index = 0; index < bytes.length; index += 1) scratch[this.#at + index] = bytes[index] as number;
      this.#at += bytes.length;
      const value = values[name] ?? null;
      if (value === null) this.#byte(0xc0);
      else if (below === undefined) this.#any(value);
      else if (several === undefined) this.object(below, value);
      else this.#several(below, value);
    }
    return this;
  }

  /** Texts are in UTF-8. */
  text(text: string): this {
    const { length } = text;
    this.#need(5 + 3 * length);
    if (length < 32) {
      const at = this.#at + 1;
      let index = 0;
      for (; index < length; index += 1) {
        const code = text.charCodeAt(index);
        if (code > 0x7f) break;
        scratch[at + index] = code;
      }
      if (index === length) {
        scratch[this.#at] = 0xa0 | length;
        this.#at = at + length;
        return this;
      }
    }
    const bytes = Buffer.byteLength(text);
    if (bytes > 31 && bytes < 256) {
      this.#byte(0xd9);
      this.#byte(bytes);
    } else this.#head(bytes, 0xa0, 32, 0xda);
    this.#at += scratch.write(text, this.#at, bytes, 'utf8');
    return this;
  }

  #several(layout: Layout, value: Value): void {
    if (Array.isArray(value)) {
      const list = value as readonly Value[];
      this.#head(list.length, 0x90, 16, 0xdc);
      for (const item of list) this.object(layout, item);
    } else if (typeof value === 'object' && value !== null) {
      const names = Object.keys(value).sort();
      this.#head(names.length, 0x80, 16, 0xde);
      for (const name of names) this.text(name).object(layout, (value as ValueObject)[name] ?? null);
    } else this.#any(value);
  }

  #any(value: Value): this {
    if (value === null) this.#byte(0xc0);
    else if (value === UNKNOWN) for (const byte of [0xd4, 0, 0]) this.#byte(byte);
    else if (typeof value === 'string') this.text(value);
    else if (typeof value === 'boolean') this.#byte(value ? 0xc3 : 0xc2);
    else if (Number.isSafeInteger(value)) this.#whole(value as number);
    // A fraction is written as text: as a float it would not be the number that Terraform has.
    else if (typeof value === 'number') this.text(String(value));
    else if (Array.isArray(value)) {
      this.#head(value.length, 0x90, 16, 0xdc);
      for (const item of value as readonly Value[]) this.#any(item);
    } else {
      const names = Object.keys(value).sort();
      this.#head(names.length, 0x80, 16, 0xde);
      for (const name of names) this.text(name).#any((value as ValueObject)[name] ?? null);
    }
    return this;
  }

  #whole(value: number): void {
    this.#need(9);
    const at = this.#at;
    if (value >= 0) {
      if (value < 0x80) this.#at = scratch.writeUInt8(value, at);
      else if (value < 0x100) this.#at = scratch.writeUInt16BE(0xcc00 + value, at);
      else if (value < 0x10000) this.#at = scratch.writeUInt16BE(value, scratch.writeUInt8(0xcd, at));
      else if (value < 0x100000000) this.#at = scratch.writeUInt32BE(value, scratch.writeUInt8(0xce, at));
      else this.#at = scratch.writeBigUInt64BE(BigInt(value), scratch.writeUInt8(0xcf, at));
    } else if (value >= -0x20) this.#at = scratch.writeInt8(value, at);
    else if (value >= -0x80) this.#at = scratch.writeInt8(value, scratch.writeUInt8(0xd0, at));
    else if (value >= -0x8000) this.#at = scratch.writeInt16BE(value, scratch.writeUInt8(0xd1, at));
    else if (value >= -0x80000000) this.#at = scratch.writeInt32BE(value, scratch.writeUInt8(0xd2, at));
    else this.#at = scratch.writeBigInt64BE(BigInt(value), scratch.writeUInt8(0xd3, at));
  }

  /** How many there are: in one byte with the type where they are few, else behind it in two or in four. */
  #head(count: number, few: number, tooMany: number, long: number): void {
    this.#need(5);
    if (count < tooMany) this.#byte(few | count);
    else if (count < 0x10000) this.#at = scratch.writeUInt16BE(count, scratch.writeUInt8(long, this.#at));
    else this.#at = scratch.writeUInt32BE(count, scratch.writeUInt8(long + 1, this.#at));
  }

  #byte(byte: number): void {
    this.#need(1);
    scratch[this.#at] = byte;
    this.#at += 1;
  }

  #need(length: number): void {
    if (this.#at + length <= scratch.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.#at + length));
    scratch.copy(larger, 0, 0, this.#at);
    scratch = larger;
  }
}
