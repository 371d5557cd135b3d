// The start of the Terraform provider: a program of its own, in one file. It says where it listens, answers, and ends
// when Terraform says so.
import { randomBytes } from 'node:crypto';
import { createServer, createSecureServer } from 'node:http2';
import type { Http2Server } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Session } from '../../workflow/session.ts';
import { createProvider, SHUTDOWN_CALL } from '../../terraform/provider.ts';
import type { Certificate } from '../../terraform/wire/certificate.ts';
import { makeCertificate } from '../../terraform/wire/certificate.ts';
import { serveCalls } from '../../terraform/wire/grpc.ts';
import type { Endpoint } from '../../terraform/wire/handshake.ts';
import { handshakeLine, readHandshake } from '../../terraform/wire/handshake.ts';
import { realClock } from '../real-clock.ts';
import { engineFlags } from '../start/engine-flags.ts';

/** How long a run of another process is waited for. */
const LEDGER_WAIT_MS = 300_000;

const { env } = process;
const stop = new AbortController();

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
  const calls = createProvider({
    session,
    surroundings: {
      ...(env.HOSTWRIGHT_ACCOUNT && { account: env.HOSTWRIGHT_ACCOUNT }),
      ...(env.HOSTWRIGHT_API_URL && { apiUrl: env.HOSTWRIGHT_API_URL }),
    },
    stop: () => stop.abort(new Error('interrupted')),
    // The answer has to be on its way first.
    shutdown: () => setTimeout(() => process.exit(0), 20),
  });
  const { find, idle } = counted(calls);
  whenLeft(async () => {
    stop.abort(new Error('interrupted'));
    await idle();
    await calls(SHUTDOWN_CALL)?.(Buffer.alloc(0));
  });
  serveCalls(server, find, (error) => `this is a bug in hostwright, please report it: ${messageOf(error)}`);
  listen(server, (endpoint) => process.stdout.write(handshakeLine(endpoint, certificate)));
}

/** The calls, and when none of them is being answered. */
function counted(calls: ReturnType<typeof createProvider>): {
  readonly find: typeof calls;
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

function serverOf(clientCertificate: string | undefined, certificate: Certificate | undefined): Http2Server {
  if (clientCertificate === undefined || certificate === undefined) return createServer();
  return createSecureServer({
    key: certificate.key,
    cert: certificate.pem,
    ca: clientCertificate,
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
  });
}

function listen(server: Http2Server, ready: (endpoint: Endpoint) => void): void {
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

async function session(): Promise<Session> {
  // Only the process that plans or applies comes here: it is long enough.
  const flags = engineFlags('plan', [], process);
  if (flags.length > 0) process.getBuiltinModule('node:v8').setFlagsFromString(flags.join(' '));
  const { createContext } = await import('../context.ts');
  const { createOutput } = await import('../output.ts');
  const { createSession } = await import('../settings.ts');
  const context = createContext(
    { format: 'human' },
    { process, output: createOutput(process.stderr, process.stderr), stop: stop.signal },
  );
  return createSession(context, { lockTimeout: LEDGER_WAIT_MS });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
