// The start of the provider as it was built: whom it answers, and what it keeps.
import { spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import type { ClientHttp2Session, SecureClientSessionOptions } from 'node:http2';
import { connect } from 'node:http2';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { beforeEach, expect, it } from 'vitest';
import { encodeObject } from '../../src/terraform/value/cty.ts';
import { makeCertificate } from '../../src/terraform/wire/certificate.ts';
import { CALLS } from '../../src/terraform/wire/messages.ts';
import { decode, encode } from '../../src/terraform/wire/protobuf.ts';
import { openFolder } from '../support/closing.ts';

const PROVIDER = join(import.meta.dirname, '../../dist/terraform-provider-hostwright');
const certificateOf = (serial: number) => makeCertificate(Date.now(), Buffer.alloc(8, serial));

let home: string;
beforeEach(async () => {
  home = await openFolder();
});

/** A process of the provider, started as Terraform starts one. */
async function start(clientCertificate: string, env: Readonly<Record<string, string>> = {}) {
  const child = spawn(PROVIDER, {
    env: {
      PATH: process.env.PATH,
      HOME: home,
      TF_PLUGIN_MAGIC_COOKIE: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2',
      PLUGIN_PROTOCOL_VERSIONS: '6',
      PLUGIN_CLIENT_CERT: clientCertificate,
      HOSTWRIGHT_TOKEN: 'sandbox-api-key',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const [, , , path = '', , known = ''] = line.toString().trim().split('|');
  const ca = new X509Certificate(Buffer.from(known, 'base64')).toString();
  const session = (own?: SecureClientSessionOptions): ClientHttp2Session =>
    connect('https://localhost', {
      createConnection: () => connectTls({ path, ca, servername: 'localhost', ALPNProtocols: ['h2'], ...own }),
    });
  return { session, exited, child };
}

/** The answer to a call, or why there is none. */
function ask(session: ClientHttp2Session, path: string, message: Buffer = Buffer.alloc(0)): Promise<Buffer | string> {
  return new Promise((resolve) => {
    session.on('error', (error: Error) => resolve(error.message));
    session.on('close', () => resolve('closed'));
    const stream = session.request({ ':method': 'POST', ':path': path, 'content-type': 'application/grpc' });
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', (error: Error) => resolve(error.message));
    stream.on('end', () => resolve(Buffer.concat(chunks).subarray(5)));
    const head = Buffer.alloc(5);
    head.writeUInt32BE(message.length, 1);
    stream.end(Buffer.concat([head, message]));
  });
}

const SCHEMA = '/tfplugin6.Provider/GetProviderSchema';
const SHUTDOWN = '/plugin.GRPCController/Shutdown';

it('answers only whoever has the key of the certificate that Terraform named', async () => {
  const own = certificateOf(1);
  const other = certificateOf(2);
  const { session, exited } = await start(own.pem);
  expect(await ask(session({ cert: other.pem, key: other.key }), SCHEMA)).toBeTypeOf('string');
  expect(await ask(session(), SCHEMA)).toBeTypeOf('string');
  const ours = session({ cert: own.pem, key: own.key });
  const answer = decode(CALLS.GetProviderSchema.response, (await ask(ours, SCHEMA)) as Buffer);
  expect(answer).toHaveProperty('resourceSchemas');
  await ask(ours, SHUTDOWN);
  ours.close();
  expect(await exited).toEqual([0, null]);
});

it('keeps compiled code when it was configured, works with it, and without it where nobody wants it', async () => {
  const own = certificateOf(1);
  const kept = async (): Promise<readonly string[]> => {
    const files = await readdir(join(home, '.cache/hostwright')).catch(() => []);
    return files.filter((name) => name.startsWith('code-terraform-'));
  };
  const run = async (env: Readonly<Record<string, string>>): Promise<void> => {
    const { session, exited } = await start(own.pem, env);
    const ours = session({ cert: own.pem, key: own.key });
    const { request, response } = CALLS.ConfigureProvider;
    const values = { account: 'acc-acme', api_url: 'http://127.0.0.1:1' };
    const fields = { account: { attribute: { is: 'text' } }, api_url: { attribute: { is: 'text' } } } as const;
    const asked = encode(request, { config: { msgpack: encodeObject(fields, values) } });
    const answer = await ask(ours, '/tfplugin6.Provider/ConfigureProvider', asked);
    expect(decode(response, answer as Buffer)).toEqual({});
    await ask(ours, SHUTDOWN);
    ours.close();
    expect(await exited).toEqual([0, null]);
  };
  await run({ HOSTWRIGHT_CACHE: 'off' });
  expect(await kept()).toEqual([]);
  await run({});
  expect(await kept()).toHaveLength(1);
  await run({});
  expect(await kept()).toHaveLength(1);
});
