// The protocol by itself: our codec against others', a certificate against OpenSSL's reading of it, and frames that no
// Terraform would send.
import { X509Certificate } from 'node:crypto';
import { connect, createServer } from 'node:http2';
import type { Http2Server, IncomingHttpHeaders } from 'node:http2';
import { credentials, makeGenericClientConstructor } from '@grpc/grpc-js';
import { decode as decodeMsgpack, encode as encodeMsgpack } from '@msgpack/msgpack';
import fc from 'fast-check';
import protobuf from 'protobufjs';
import { afterEach, describe, expect, it } from 'vitest';
import type { Fields } from '../../src/terraform/value/attribute.ts';
import type { Value } from '../../src/terraform/value/cty.ts';
import { decodeValue, encodeObject, UNKNOWN, ValueError } from '../../src/terraform/value/cty.ts';
import { makeCertificate } from '../../src/terraform/wire/certificate.ts';
import { serveCalls } from '../../src/terraform/wire/grpc.ts';
import { handshakeLine, readHandshake } from '../../src/terraform/wire/handshake.ts';
import { CALLS } from '../../src/terraform/wire/messages.ts';
import { decode, encode, WireError } from '../../src/terraform/wire/protobuf.ts';
import { listen } from '../support/servers/plain.ts';
import { containing } from '../support/matchers.ts';

const PROTO = `syntax = "proto3";
message Value { bytes msgpack = 1; bytes json = 2; }
message Step { oneof selector { string attributeName = 1; string elementKeyString = 2; int64 elementKeyInt = 3; } }
message Path { repeated Step steps = 1; }
message Diagnostic { int32 severity = 1; string summary = 2; string detail = 3; Path attribute = 4; }
message Plan { Value plannedState = 1; repeated Path requiresReplace = 2; bytes plannedPrivate = 3; repeated Diagnostic diagnostics = 4; }
message Attribute { string name = 1; bytes type = 2; Object nestedType = 10; bool required = 4; }
message Object { repeated Attribute attributes = 1; int32 nesting = 3; }
message Block { int64 version = 1; repeated Attribute attributes = 2; }
message Schema { int64 version = 1; Block block = 2; }
message Answer { Schema provider = 1; map<string, Schema> resourceSchemas = 2; }`;
const root = protobuf.parse(PROTO, { keepCase: true }).root;

const bytes = fc.uint8Array({ maxLength: 40 });
const step = fc.oneof(
  fc.record({ attributeName: fc.string() }),
  fc.record({ elementKeyString: fc.string({ unit: 'grapheme' }) }),
  fc.record({ elementKeyInt: fc.integer() }),
);
const path = fc.record({ steps: fc.array(step, { maxLength: 4 }) });
const plan = fc.record(
  {
    plannedState: fc.record({ msgpack: bytes }, { requiredKeys: [] }),
    requiresReplace: fc.array(path, { maxLength: 3 }),
    plannedPrivate: bytes,
    diagnostics: fc.array(
      fc.record({
        severity: fc.nat(2),
        summary: fc.string(),
        detail: fc.string({ unit: 'grapheme' }),
        attribute: path,
      }),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: [] },
);

describe('messages', () => {
  const type = root.lookupType('Plan');
  const response = CALLS.PlanResourceChange.response;

  it('are what protobufjs reads and writes', () => {
    fc.assert(
      fc.property(plan, (message) => {
        const ours = encode(response, message);
        const read = type.toObject(type.decode(ours), { longs: Number, arrays: false });
        expect(encode(response, read)).toEqual(ours);
        const theirs = Buffer.from(type.encode(type.fromObject(message)).finish());
        expect(encode(response, decode(response, theirs))).toEqual(encode(response, decode(response, ours)));
      }),
    );
  });

  it('are refused in words when they are cut, or are none: never with a crash', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (junk) => {
        try {
          decode(response, junk);
        } catch (error) {
          expect(error).toBeInstanceOf(WireError);
        }
      }),
    );
    const whole = encode(response, { plannedPrivate: Buffer.alloc(50) });
    expect(() => decode(response, whole.subarray(0, 20))).toThrow(WireError);
    expect(() => decode(response, Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]))).toThrow(
      WireError,
    );
  });

  it('that are nested without end are refused', () => {
    const answer = CALLS.GetProviderSchema.response;
    let deep = Buffer.alloc(0);
    // nestedType (10) of an attribute (1) of it, and so on.
    for (let level = 0; level < 400; level += 1) {
      const inner = level % 2 === 1 ? 0x52 : 0x0a;
      const size = deep.length < 128 ? [deep.length] : [(deep.length & 0x7f) | 0x80, deep.length >> 7];
      deep = Buffer.concat([Buffer.from([inner, ...size]), deep]);
    }
    const wrap = (tag: number, content: Buffer): Buffer =>
      Buffer.concat([Buffer.from([tag, (content.length & 0x7f) | 0x80, content.length >> 7]), content]);
    expect(() => decode(answer, wrap(0x0a, wrap(0x12, wrap(0x12, deep))))).toThrow(WireError);
  });
});

const FIELDS: Fields = {
  text: { attribute: { is: 'text' } },
  number: { attribute: { is: 'number' } },
  bool: { attribute: { is: 'bool' } },
  list: { attribute: { is: 'list', of: 'number' } },
  map: { attribute: { is: 'map', key: 'name', fields: { value: { attribute: { is: 'text' } } } } },
};
const key = fc.string({ minLength: 1 }).filter((one) => one !== '__proto__');
const orUnknown = <Item>(item: fc.Arbitrary<Item>) => fc.oneof(item, fc.constant(null), fc.constant(UNKNOWN));
const value = fc.record({
  text: orUnknown(fc.string({ unit: 'grapheme' })),
  number: orUnknown(fc.integer()),
  bool: orUnknown(fc.boolean()),
  list: orUnknown(fc.array(fc.integer())),
  map: orUnknown(fc.dictionary(key, fc.record({ value: orUnknown(fc.string()) }))),
});

describe('values', () => {
  it('come back as they went', () => {
    fc.assert(
      fc.property(value, (one) => {
        expect(decodeValue(encodeObject(FIELDS, one as Value))).toEqual(one);
        expect(decodeValue(encodeObject(FIELDS, one as Value), FIELDS)).toEqual(one);
      }),
    );
  });

  it('are what another codec reads and writes, whatever their sizes', () => {
    const known = fc.record({
      text: fc.oneof(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.constant('x'.repeat(70_000))),
      number: fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -300, max: 300 })),
      bool: fc.boolean(),
      list: fc.oneof(fc.array(fc.maxSafeInteger()), fc.constant(Array<number>(70_000).fill(1))),
      map: fc.oneof(
        fc.dictionary(key, fc.record({ value: fc.string({ unit: 'grapheme' }) })),
        fc.constant(Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`k${at}`, { value: '' }]))),
      ),
    });
    fc.assert(
      fc.property(known, (one) => {
        const theirs = encodeMsgpack(one, { sortKeys: true });
        expect(Buffer.compare(encodeObject(FIELDS, one), theirs)).toBe(0);
        expect(decodeValue(theirs, FIELDS)).toEqual(one);
        // Terraform sorts the names of attributes; whoever does not is understood too.
        expect(decodeValue(encodeMsgpack(one), FIELDS)).toEqual(one);
      }),
      { numRuns: 50 },
    );
  });

  it('may have any name', () => {
    const named = JSON.parse('{"__proto__": {"value": "x"}}') as Value;
    expect(decodeValue(encodeObject(FIELDS, { map: named }), FIELDS)).toMatchObject({ map: named });
  });

  it('have every attribute, and fractions as text', () => {
    const encoded = decodeMsgpack(encodeObject(FIELDS, { number: 0.1 }));
    expect(encoded).toEqual({ text: null, number: '0.1', bool: null, list: null, map: null });
  });

  it('that are none are refused in words', () => {
    expect(() => decodeValue(Buffer.from([0xc1]))).toThrow(ValueError);
    expect(() => decodeValue(Buffer.from([0xdd, 0xff, 0xff, 0xff, 0xff]))).toThrow(ValueError);
    expect(() => decodeValue(Buffer.alloc(5_000_000, 0x91))).toThrow(ValueError);
    expect(() => decodeValue(Buffer.from([0xc0, 0xc0]))).toThrow(ValueError);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (junk) => {
        try {
          decodeValue(junk, FIELDS);
        } catch (error) {
          expect(error).toBeInstanceOf(ValueError);
        }
      }),
    );
  });

  it('that Terraform knows something about are unknown all the same', () => {
    expect(decodeValue(Buffer.from([0xc7, 0x03, 0x0c, 0x81, 0x01, 0xc2]))).toBe(UNKNOWN);
    expect(decodeValue(Buffer.from([0xd4, 0x00, 0x00]))).toBe(UNKNOWN);
  });
});

it('a certificate is for localhost, by itself, from yesterday on', () => {
  const made = makeCertificate(Date.UTC(2026, 0, 31), Buffer.from('0123456789abcdef', 'hex'));
  const read = new X509Certificate(made.pem);
  expect(read.subjectAltName).toBe('DNS:localhost');
  expect(read.verify(read.publicKey)).toBe(true);
  expect(new Date(read.validFrom).toISOString()).toBe('2026-01-30T00:00:00.000Z');
  expect(new Date(read.validTo) > new Date(read.validFrom)).toBe(true);
});

it('the handshake says where it listens, and refuses whoever is not Terraform', () => {
  expect(readHandshake({})).toEqual({ refused: containing('hostwright terraform install') });
  const cookie = 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2';
  const env = { TF_PLUGIN_MAGIC_COOKIE: cookie, PLUGIN_PROTOCOL_VERSIONS: '5,6', PLUGIN_CLIENT_CERT: 'PEM' };
  expect(readHandshake(env)).toMatchObject({ clientCertificate: 'PEM' });
  expect(readHandshake({ ...env, PLUGIN_PROTOCOL_VERSIONS: '5' })).toHaveProperty('refused');
  expect(handshakeLine({ network: 'unix', address: '/tmp/x.sock' }, undefined)).toBe('1|6|unix|/tmp/x.sock|grpc|\n');
});

describe('calls', () => {
  let server: Http2Server | undefined;
  afterEach(() => void server?.close());

  async function serve(longest?: number): Promise<number> {
    const made = createServer();
    server = made;
    serveCalls(
      made,
      (asked) =>
        asked === '/test.Echo/Say'
          ? (request) => Promise.resolve(request)
          : asked === '/test.Echo/Fail'
            ? () => Promise.reject(new Error('inside'))
            : undefined,
      () => 'it failed',
      longest,
    );
    return listen(made);
  }

  const Client = makeGenericClientConstructor(
    Object.fromEntries(
      ['Say', 'Fail', 'Miss'].map((name) => [
        name,
        {
          path: `/test.Echo/${name}`,
          requestStream: false,
          responseStream: false,
          requestSerialize: (one: Buffer) => one,
          requestDeserialize: (one: Buffer) => one,
          responseSerialize: (one: Buffer) => one,
          responseDeserialize: (one: Buffer) => one,
        },
      ]),
    ),
    'Echo',
  );
  type Method = (request: Buffer, done: (error: { readonly code: number } | null, answer?: Buffer) => void) => void;

  it('are answered as grpc-js asks them', async () => {
    const client = new Client(`127.0.0.1:${await serve()}`, credentials.createInsecure());
    const ask = (name: string, request: Buffer): Promise<unknown> =>
      new Promise((resolve) => {
        (client[name] as unknown as Method).call(client, request, (error, answer) => resolve(error?.code ?? answer));
      });
    expect(await ask('Say', Buffer.from('hello'))).toEqual(Buffer.from('hello'));
    expect(await ask('Say', Buffer.alloc(300_000, 7))).toEqual(Buffer.alloc(300_000, 7));
    expect(await ask('Fail', Buffer.alloc(0))).toBe(13);
    expect(await ask('Miss', Buffer.alloc(0))).toBe(12);
    client.close();
  });

  it.each([
    ['nothing', Buffer.alloc(0), '3'],
    ['a cut head', Buffer.from([0, 0]), '3'],
    ['a cut message', Buffer.from([0, 0, 0, 0, 9, 1]), '3'],
    ['a compressed one', Buffer.from([1, 0, 0, 0, 0]), '12'],
    ['a huge one', Buffer.alloc(2000), '8'],
  ])('with %s end in a status', async (_, frame, status) => {
    const session = connect(`http://127.0.0.1:${await serve(1000)}`);
    const stream = session.request({
      ':method': 'POST',
      ':path': '/test.Echo/Say',
      'content-type': 'application/grpc',
    });
    stream.end(frame);
    const found = await new Promise((resolve) => {
      stream.on('response', (headers) => resolve(headers['grpc-status']));
      stream.on('trailers', (headers: IncomingHttpHeaders) => resolve(headers['grpc-status']));
    });
    expect(found).toBe(status);
    session.destroy();
  });
});
