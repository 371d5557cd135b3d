// A certificate of our own, made anew for each process: Terraform trusts exactly the one that the handshake names.
// Node.js signs, but makes no certificates, so its few fields are written here, in DER. By hand: `selfsigned` and the
// `@peculiar/x509` below it add 360 kB and 58 ms of CPU to each start of the provider (this: 5 ms), and Terraform starts
// it three times for a plan.
import { generateKeyPairSync, sign } from 'node:crypto';

export interface Certificate {
  readonly der: Buffer;
  readonly pem: string;
  /** PEM. */
  readonly key: string;
}

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_ID = 0x06;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const DAY_MS = 86_400_000;

const ECDSA_WITH_SHA256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
const COMMON_NAME = [0x55, 0x04, 0x03];
const SUBJECT_ALT_NAME = [0x55, 0x1d, 0x11];
const EXTENDED_KEY_USAGE = [0x55, 0x1d, 0x25];
const SERVER_AUTH = [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01];
const BASIC_CONSTRAINTS = [0x55, 0x1d, 0x13];

/** A certificate for `localhost`, which is what Terraform calls its plugins, for a month. */
export function makeCertificate(nowMs: number, serial: Buffer): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(SEQUENCE, der(OBJECT_ID, Buffer.from(ECDSA_WITH_SHA256)));
  const name = der(
    SEQUENCE,
    der(SET, der(SEQUENCE, der(OBJECT_ID, Buffer.from(COMMON_NAME)), der(UTF8_STRING, Buffer.from('localhost')))),
  );
  const body = der(
    SEQUENCE,
    der(0xa0, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.from([0x01]), serial),
    algorithm,
    name,
    der(SEQUENCE, time(nowMs - DAY_MS), time(nowMs + 30 * DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      der(
        SEQUENCE,
        // It is its own authority: the only one that the other side is given.
        extension(BASIC_CONSTRAINTS, der(SEQUENCE, der(0x01, Buffer.from([0xff])))),
        extension(EXTENDED_KEY_USAGE, der(SEQUENCE, der(OBJECT_ID, Buffer.from(SERVER_AUTH)))),
        extension(SUBJECT_ALT_NAME, der(SEQUENCE, der(0x82, Buffer.from('localhost')))),
      ),
    ),
  );
  const signature = sign('sha256', body, privateKey);
  const certificate = der(SEQUENCE, body, algorithm, der(BIT_STRING, Buffer.from([0]), signature));
  const lines = certificate.toString('base64').replace(/.{1,64}/g, '$&\n');
  return {
    der: certificate,
    pem: `-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, Math.floor(length / 0x100), length % 0x100];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function extension(id: readonly number[], value: Buffer): Buffer {
  return der(SEQUENCE, der(OBJECT_ID, Buffer.from(id)), der(OCTET_STRING, value));
}

function time(atMs: number): Buffer {
  const text = new Date(atMs).toISOString().replace(/[-:T]/g, '').slice(2, 14);
  return der(UTC_TIME, Buffer.from(`${text}Z`));
}
