// Protocol buffers, as far as the plugin protocol of Terraform needs them: messages are tables of fields, values plain
// objects. A message that is cut, too deep or otherwise not one ends in a WireError, never in a crash. By hand: the reader and
// writer of `protobufjs` alone add 44 kB and 4 ms of CPU to each start of the provider, its messages by description 108 kB
// and 8 ms, and the tables, the limit on depth and the errors would still be ours.

/** `int` is any varint type; maps are repeated messages of key 1 and value 2. */
export type FieldType = 'text' | 'bytes' | 'int' | 'bool' | MessageType;

export interface Field {
  readonly number: number;
  readonly type: FieldType;
  readonly repeated?: true;
  /** Of a oneof: written also where it has the default value. */
  readonly explicit?: true;
}

/** The fields of a message by name. Lazy, because a message may hold itself. */
export type MessageType = () => Readonly<Record<string, Field>>;

/** Fields that are not there are absent; repeated ones are lists. */
export type Message = Readonly<Record<string, unknown>>;

/** Bytes that are no message of this type. Known by its name: the program is in two parts, and each has this class. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

const MAX_DEPTH = 100;
const VARINT = 0;
const FIXED64 = 1;
const LENGTH = 2;
const FIXED32 = 5;

/** The bytes of a message. What a table does not name is left out, and so are default values. */
export function encode(type: MessageType, message: Message): Buffer {
  const parts: Buffer[] = [];
  for (const [name, field] of Object.entries(type())) {
    const value = message[name];
    if (value === undefined || value === null) continue;
    for (const one of field.repeated === true ? (value as readonly unknown[]) : [value]) encodeField(field, one, parts);
  }
  return Buffer.concat(parts);
}

function encodeField(field: Field, value: unknown, parts: Buffer[]): void {
  const { number, type, repeated, explicit } = field;
  const isKept = repeated === true || explicit === true;
  if (type === 'int' || type === 'bool') {
    const whole = BigInt(type === 'bool' ? Number(value) : (value as number | bigint));
    if (whole !== 0n || isKept) parts.push(varint(BigInt(number << 3)), varint(BigInt.asUintN(64, whole)));
    return;
  }
  const bytes =
    type === 'text'
      ? Buffer.from(value as string, 'utf8')
      : type === 'bytes'
        ? Buffer.from(value as Uint8Array)
        : encode(type, value as Message);
  if (bytes.length > 0 || isKept || typeof type === 'function')
    parts.push(varint(BigInt((number << 3) | LENGTH)), varint(BigInt(bytes.length)), bytes);
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}

/** The message that the bytes are. Fields that the table does not name are passed over. */
export function decode(type: MessageType, bytes: Uint8Array, depth = 0): Message {
  if (depth > MAX_DEPTH) throw new WireError('messages are nested without end');
  const fields = numbered(type());
  const message: Record<string, unknown> = {};
  const reader = new Reader(bytes);
  while (!reader.isAtEnd()) {
    const tag = Number(reader.varint());
    const [number, wire] = [Math.floor(tag / 8), tag % 8];
    if (number === 0) throw new WireError('a field has the number 0');
    const field = fields.get(number);
    if (field === undefined) {
      reader.skip(wire);
      continue;
    }
    const found = readField(reader, field.type, wire, depth);
    if (field.repeated === true) ((message[field.name] ??= []) as unknown[]).push(...found);
    else message[field.name] = found.at(-1) ?? message[field.name];
  }
  return message;
}

type Numbered = ReadonlyMap<number, Field & { readonly name: string }>;
const tables = new WeakMap<object, Numbered>();

/** The fields of a message by number. */
function numbered(fields: ReturnType<MessageType>): Numbered {
  const known = tables.get(fields);
  if (known !== undefined) return known;
  const made = new Map(Object.entries(fields).map(([name, field]) => [field.number, { ...field, name }]));
  tables.set(fields, made);
  return made;
}

/** The values at a field: several where numbers are packed. */
function readField(reader: Reader, type: FieldType, wire: number, depth: number): readonly unknown[] {
  if (type === 'int' || type === 'bool') {
    const ofNumber = (value: bigint): unknown => (type === 'bool' ? value !== 0n : Number(BigInt.asIntN(64, value)));
    if (wire === VARINT) return [ofNumber(reader.varint())];
    if (wire !== LENGTH) throw new WireError(`a number has the wire type ${wire}`);
    const packed = new Reader(reader.bytes());
    const values: unknown[] = [];
    while (!packed.isAtEnd()) values.push(ofNumber(packed.varint()));
    return values;
  }
  if (wire !== LENGTH) throw new WireError(`a text or a message has the wire type ${wire}`);
  const bytes = reader.bytes();
  if (type === 'text') return [Buffer.from(bytes).toString('utf8')];
  return [type === 'bytes' ? bytes : decode(type, bytes, depth + 1)];
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw new WireError('the message is cut off');
      this.#at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new WireError('a number has no end');
  }

  bytes(): Uint8Array {
    const length = this.varint();
    return this.#take(length > BigInt(this.#bytes.length) ? Infinity : Number(length));
  }

  skip(wire: number): void {
    if (wire === VARINT) this.varint();
    else if (wire === LENGTH) this.bytes();
    else if (wire === FIXED64) this.#take(8);
    else if (wire === FIXED32) this.#take(4);
    else throw new WireError(`there is no wire type ${wire}`);
  }

  #take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new WireError('the message is cut off');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}
