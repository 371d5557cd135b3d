// The part of the Terraform provider that is loaded by the first call about a configuration: all but the transport and
// the schema.
import type { Session } from '../../usecases/session.ts';
import type { Provider } from '../../terraform/provider.ts';
import { createProvider } from '../../terraform/provider.ts';

/** How long a run of another process is waited for. */
const LEDGER_WAIT_MS = 300_000;

/** What answers the calls of this process. `stop`: what was begun ends, and nothing new is begun. */
export function openEngine(stop: AbortController): Provider {
  const { env } = process;
  return createProvider({
    session: () => openSession(stop.signal),
    surroundings: {
      ...(env.HOSTWRIGHT_ACCOUNT && { account: env.HOSTWRIGHT_ACCOUNT }),
      ...(env.HOSTWRIGHT_API_URL && { apiUrl: env.HOSTWRIGHT_API_URL }),
      guards: {
        allow_deletes: env.HOSTWRIGHT_ALLOW_DELETES,
        allow_charges: env.HOSTWRIGHT_ALLOW_CHARGES,
        max_spend: env.HOSTWRIGHT_MAX_SPEND,
      },
    },
    stop: () => stop.abort(new Error('interrupted')),
  });
}

async function openSession(stop: AbortSignal): Promise<Session> {
  const { createContext } = await import('../context.ts');
  const { createOutput, redacted } = await import('../output.ts');
  const { redactorFor } = await import('../../usecases/environment/credentials.ts');
  const { createSession } = await import('../settings.ts');
  const output = redacted(createOutput(process.stderr, process.stderr), redactorFor(process.env));
  const context = createContext({ format: 'human' }, { process, output, stop });
  return createSession(context, { lockTimeout: LEDGER_WAIT_MS });
}
