// The part of the Terraform provider that is loaded by the first call about a configuration: all but the transport and
// the schema.
import { redactorFor } from '../../usecases/environment/credentials.ts';
import type { RequestMade, Session } from '../../usecases/session.ts';
import type { Provider } from '../../terraform/provider.ts';
import { createProvider } from '../../terraform/provider.ts';

/** How long a run of another process is waited for. */
const LEDGER_WAIT_MS = 300_000;

export interface Engine extends Provider {
  /** Takes what must not be shown out of a text. */
  readonly redact: (text: string) => string;
}

/** What answers the calls of this process. `stop`: what was begun ends, and nothing new is begun. `id`: of this build. */
export function openEngine(stop: AbortController, id: string): Engine {
  const { env } = process;
  const learnt = new Set<string>();
  const redact = redactorFor(env, learnt);
  const provider = createProvider({
    engine: id,
    session: () => openSession(stop.signal, learnt),
    surroundings: {
      ...(env.HOSTWRIGHT_ACCOUNT && { account: env.HOSTWRIGHT_ACCOUNT }),
      ...(env.HOSTWRIGHT_API_URL && { apiUrl: env.HOSTWRIGHT_API_URL }),
      guards: {
        allow_deletes: env.HOSTWRIGHT_ALLOW_DELETES,
        allow_charges: env.HOSTWRIGHT_ALLOW_CHARGES,
        max_spend: env.HOSTWRIGHT_MAX_SPEND,
      },
    },
    learn: (secret) => learnt.add(secret),
    stop: () => stop.abort(new Error('interrupted')),
  });
  return { ...provider, redact };
}

async function openSession(stop: AbortSignal, learnt: Set<string>): Promise<Session> {
  const { createContext } = await import('../context.ts');
  const { createOutput, redacted } = await import('../output.ts');
  const { createSession } = await import('../settings.ts');
  const output = redacted(createOutput(process.stderr, process.stderr), redactorFor(process.env, learnt));
  const context = createContext({ format: 'human' }, { process, output, stop, learnt });
  const session = createSession(context, { lockTimeout: LEDGER_WAIT_MS });
  if (!isLogged(process.env)) return session;
  return { ...session, onRequest: (request) => output.error(logLine(request, session.clock.now())) };
}

/** Whether Terraform writes down what is of the level DEBUG. */
function isLogged({ TF_LOG_PROVIDER, TF_LOG }: NodeJS.ProcessEnv): boolean {
  return ['DEBUG', 'TRACE', 'JSON'].includes((TF_LOG_PROVIDER ?? TF_LOG ?? '').toUpperCase());
}

/** A line on stderr as Terraform takes it into its log: the form of go-hclog. */
function logLine({ method, path, status, error, tookMs }: RequestMade, nowMs: number): string {
  return JSON.stringify({
    '@level': 'debug',
    '@module': 'hostwright',
    // Another number of digits is no time to go-hclog.
    '@timestamp': new Date(nowMs).toISOString().replace('Z', '000Z'),
    '@message': `${method} ${path}`,
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
    ms: tookMs,
  });
}
