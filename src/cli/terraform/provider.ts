// The start of the Terraform provider: a program of its own, in one file. It says where it listens, answers for the
// schema, and ends when Terraform says so. Terraform starts it anew for each part of a command, and one of them only asks
// for the schema; so all else is a text at the end of the file until a call needs it.
import { X509Certificate, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { createServer, createSecureServer } from 'node:http2';
import type { Http2SecureServer, Http2Server, ServerHttp2Session } from 'node:http2';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { inflateRawSync } from 'node:zlib';
import { SCHEMA } from '../../terraform/generated/schema.ts';
import type { Certificate } from '../../terraform/wire/certificate.ts';
import { makeCertificate } from '../../terraform/wire/certificate.ts';
import type { Handle } from '../../terraform/wire/grpc.ts';
import { serveCalls } from '../../terraform/wire/grpc.ts';
import type { Endpoint } from '../../terraform/wire/handshake.ts';
import { handshakeLine, readHandshake } from '../../terraform/wire/handshake.ts';
import { CALLS } from '../../terraform/wire/messages.ts';
import { realClock } from '../../library/real-clock.ts';
import { openCache } from '../start/cache-folder.ts';
import { engineFlags } from '../start/engine-flags.ts';
import { fileWithin, isExecutable } from '../../library/executable.ts';
import type { Loader, Source } from '../start/loader.ts';
import { createLoader } from '../start/loader.ts';
import type { Engine, openEngine } from './engine.ts';

/** Put in by .ci/build-terraform.ts: how long the text at the end of the file is, what comes after it, and its hash. */
declare const ENGINE: { readonly length: number; readonly after: number; readonly id: string };

const { env } = process;
const stop = new AbortController();
const CALL = '/tfplugin6.Provider/';
const EMPTY = Buffer.alloc(0);

/** Ctrl-C reaches this process too: Terraform says by itself what is to be stopped. */
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);

const handshake = readHandshake(env);
if ('refused' in handshake) {
  process.stderr.write(`${handshake.refused}\n`);
  process.exitCode = 1;
} else {
  const { clientCertificate } = handshake;
  const certificate = clientCertificate === undefined ? undefined : makeCertificate(realClock.now(), randomBytes(8));
  const server = serverOf(clientCertificate, certificate);
  const calls = callsOf(hangUp(server));
  const { find, idle } = counted(calls.find);
  whenLeft(async () => {
    stop.abort(new Error('interrupted'));
    await idle();
    await calls.close();
  });
  serveCalls(server, find, (error) =>
    calls.redact(`this is a bug in hostwright, please report it: ${messageOf(error)}`),
  );
  listen(server, (endpoint) => process.stdout.write(handshakeLine(endpoint, certificate)));
}

interface Calls {
  /** What answers a call, by its path. */
  readonly find: (path: string) => Handle | undefined;
  /** Takes what must not be shown out of a text. */
  readonly redact: (text: string) => string;
  /** Gives back what is held. */
  readonly close: () => Promise<void>;
}

function callsOf(end: () => void): Calls {
  let opened: { readonly loader: Loader; readonly provider: Engine } | undefined;
  let isConfigured = false;
  const provider = (): Engine => (opened ??= load()).provider;
  const close = async (): Promise<void> => {
    await opened?.provider.close();
    // What only checks a configuration has not run enough of it.
    if (isConfigured) opened?.loader.keep();
  };
  return {
    find: (path) => {
      if (path === '/plugin.GRPCController/Shutdown')
        return async () => {
          await close();
          end();
          return EMPTY;
        };
      const name = path.startsWith(CALL) ? path.slice(CALL.length) : '';
      if (name === 'GetProviderSchema') return () => Promise.resolve(inflateRawSync(Buffer.from(SCHEMA, 'base64')));
      isConfigured ||= name === 'ConfigureProvider';
      return Object.hasOwn(CALLS, name) ? provider().find(name) : undefined;
    },
    redact: (text) => opened?.provider.redact(text) ?? text,
    close,
  };
}

/** The text at the end of this file, as a program. */
function load(): { readonly loader: Loader; readonly provider: Engine } {
  const file = process.argv[1] as string;
  const flags = engineFlags('plan', [], process);
  if (flags.length > 0) process.getBuiltinModule('node:v8').setFlagsFromString(flags.join(' '));
  const cache = openCache({ env, platform: process.platform, uid: process.geteuid?.() });
  const loader = createLoader(
    dirname(file),
    { packs: { engine: 'engine' }, wide: [], id: ENGINE.id },
    {
      cache: env.NODE_DISABLE_COMPILE_CACHE === '1' ? undefined : cache,
      command: 'terraform',
      flags,
      require: ((id: string) => process.getBuiltinModule(id)) as NodeJS.Require,
      read: () => engineIn(file),
    },
  );
  const engine = loader.load('engine') as { readonly openEngine: typeof openEngine };
  return { loader, provider: engine.openEngine(stop, ENGINE.id) };
}

function engineIn(path: string): Source {
  if (isExecutable) {
    const bytes = fileWithin('dist/terraform-provider-hostwright');
    const end = bytes.length - ENGINE.after;
    return { text: engineOf(bytes.subarray(end - ENGINE.length, end)), bytes: bytes.length, changedMs: 0 };
  }
  const file = fs.openSync(path, 'r');
  try {
    const { size, mtimeMs: changedMs } = fs.fstatSync(file);
    const bytes = Buffer.allocUnsafe(ENGINE.length);
    fs.readSync(file, bytes, 0, ENGINE.length, size - ENGINE.length - ENGINE.after);
    return { text: engineOf(bytes), bytes: size, changedMs };
  } finally {
    fs.closeSync(file);
  }
}

function engineOf(packed: Buffer): string {
  return inflateRawSync(Buffer.from(packed.toString('latin1'), 'base64')).toString('latin1');
}

/** The calls, and when none of them is being answered. */
function counted(calls: Calls['find']): {
  readonly find: Calls['find'];
  readonly idle: () => Promise<unknown>;
} {
  const open = new Set<Promise<unknown>>();
  return {
    find: (path) => {
      const handle = calls(path);
      if (handle === undefined) return undefined;
      return (request) => {
        const answer = handle(request);
        open.add(answer);
        void answer.catch(() => undefined).finally(() => open.delete(answer));
        return answer;
      };
    },
    idle: () => Promise.allSettled(open),
  };
}

/** Ends the process when whoever asked for that has hung up, which is when it has its answer; or soon. */
function hangUp(server: Http2Server | Http2SecureServer): () => void {
  let isEnding = false;
  const end = (): void => process.exit(0);
  server.on('session', (session: ServerHttp2Session) => session.on('close', () => isEnding && end()));
  return () => {
    isEnding = true;
    setTimeout(end, SOON_MS);
  };
}

const SOON_MS = 100;

/** Terraform was killed, and nobody says that this process may end: what was sent is answered, then it ends all the same. */
function whenLeft(end: () => Promise<void>): void {
  const parent = process.ppid;
  const look = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(look);
    void end().finally(() => process.exit(1));
  }, LOOK_MS);
  look.unref();
}

const LOOK_MS = 1000;

function serverOf(
  clientCertificate: string | undefined,
  certificate: Certificate | undefined,
): Http2Server | Http2SecureServer {
  if (clientCertificate === undefined || certificate === undefined) return createServer();
  const server = createSecureServer({
    key: certificate.key,
    cert: certificate.pem,
    // No authority: with one, OpenSSL first reads all that it knows by itself, which takes as long as all else here.
    ca: [],
    requestCert: true,
    rejectUnauthorized: false,
    minVersion: 'TLSv1.2',
  });
  // Whoever has the key of this very certificate is Terraform; nobody else is answered.
  const { raw } = new X509Certificate(clientCertificate);
  server.on('session', (session) => {
    if ((session.socket as TLSSocket).getPeerX509Certificate()?.raw.equals(raw) !== true) session.destroy();
  });
  return server;
}

function listen(server: Http2Server | Http2SecureServer, ready: (endpoint: Endpoint) => void): void {
  if (process.platform === 'win32') {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      ready({ network: 'tcp', address: `127.0.0.1:${port}` });
    });
    return;
  }
  const path = join(tmpdir(), `hostwright-${randomBytes(8).toString('hex')}.sock`);
  process.on('exit', () => server.close());
  server.listen(path, () => ready({ network: 'unix', address: path }));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
