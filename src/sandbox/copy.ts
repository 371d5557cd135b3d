// A copy of an account, made from what was read of it: what the answers show is there, what they do not show is not
// known, and is answered so. It lives as long as the process, and nothing listens.
import { Hono } from 'hono';
import { AMBIGUITIES, AREAS } from './areas.ts';
import { resolveAmbiguities } from './core/ambiguities.ts';
import { createClock } from './core/clock.ts';
import type { VirtualClock } from './core/clock.ts';
import { Answers } from './core/copy/answers.ts';
import type { ReadAnswer } from './core/copy/answers.ts';
import type { Copying } from './core/copy/copying.ts';
import { loadCore } from './core/copy/load-core.ts';
import { buildApp } from './core/http/app.ts';
import type { Desk, Env } from './core/http/app.ts';
import { SCOPES } from './core/http/credentials.ts';
import type { Credential, Scope } from './core/http/credentials.ts';
import { createFaults } from './core/http/fault-picker.ts';
import type { RecordedRequest } from './core/http/recording.ts';
import { emptyState } from './core/state.ts';
import type { State } from './core/state.ts';
import type { World } from './core/world.ts';

export type { ReadAnswer } from './core/copy/answers.ts';

export interface CopyOptions {
  readonly account: string;
  /** When the answers were read: the time that it is in the copy. */
  readonly nowMs: number;
  /** What sends the requests. Absent: a person of this account with every role. */
  readonly credential?: {
    readonly type: 'session' | 'apiKey' | 'oauth' | 'system';
    readonly scopes?: readonly string[];
  };
  /** How to read what the documents and the answers leave open; the usual reading where it says nothing. */
  readonly ambiguities?: Readonly<Record<string, string>>;
}

export interface Copy {
  readonly clock: VirtualClock;
  readonly state: State;
  readonly requests: readonly RecordedRequest[];
  /** Answers a request, as the platform would by its documents. */
  readonly send: (request: CopyRequest) => Promise<CopyAnswer>;
}

interface CopyRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface CopyAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const CALLER = 'user-of-the-copy';
const FROM = { incoming: { socket: { remoteAddress: '127.0.0.1' } } };

export function openCopy(answers: readonly ReadAnswer[], options: CopyOptions): Copy {
  const { world, settled } = loadWorld(answers, options);
  const desk: Desk = {
    world: { ...world, ambiguities: resolveAmbiguities(AMBIGUITIES, settled, options.ambiguities ?? {}) },
    requests: [],
    hooks: {},
    latencyMs: 0,
    faults: createFaults([]),
    caller: callerOf(options),
  };
  const app = new Hono<Env>().route('/', buildApp(desk));
  return {
    // Who waits is obliged meanwhile.
    clock: {
      ...world.clock,
      sleep: (durationMs, signal) => {
        for (const area of AREAS) area.oblige?.(desk.world);
        return world.clock.sleep(durationMs, signal);
      },
    },
    state: world.state,
    requests: desk.requests,
    async send({ origin, path, method, headers, body }) {
      const request = new Request(origin + path, { method, headers: { ...headers }, body: body ?? null });
      const response = await app.fetch(request, FROM as unknown as Env['Bindings']);
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: await response.text(),
      };
    },
  };
}

function loadWorld(
  answers: readonly ReadAnswer[],
  { account, nowMs }: CopyOptions,
): { readonly world: World; readonly settled: Readonly<Record<string, string>> } {
  const settled: Record<string, string> = { listOrder: 'stored', 'GAP-59': 'plain' };
  const state = emptyState(AREAS);
  const copying: Copying = {
    state,
    answers: new Answers(answers),
    accountId: account,
    nowMs,
    settle: (ambiguity, reading) => (settled[ambiguity] = reading),
  };
  loadCore(copying);
  for (const area of AREAS) area.load?.(copying);
  state.users.set(CALLER, {
    id: CALLER,
    firstName: '',
    lastName: '',
    email: '',
    accountIds: [...state.accounts.keys()],
    role: 'full',
    siteRoles: new Map(),
    hidden: { untilMs: Infinity },
  });
  const world: World = {
    state,
    clock: createClock('virtual', nowMs),
    ambiguities: resolveAmbiguities(AMBIGUITIES),
    creations: new Map(),
    taskEffects: new Map(),
    parkedCarts: new Map(),
    requestCount: 0,
  };
  return { world, settled };
}

function callerOf({ account, credential = { type: 'session' } }: CopyOptions): Credential {
  const { type, scopes } = credential;
  if (type === 'system') return { kind: 'system', userId: null, accountId: account, scopes: [] };
  const granted: readonly Scope[] = SCOPES.filter((scope) => scopes?.includes(scope) ?? true);
  const kind = type === 'apiKey' ? 'api-key' : type;
  return { kind, userId: CALLER, accountId: null, scopes: kind === 'oauth' ? granted : [] };
}
