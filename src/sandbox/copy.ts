// A copy of an account, made from what was read of it: what the answers show is there, what they do not show is not
// known, and is answered so. It lives as long as the process, and nothing listens.
import { TrieRouter } from 'hono/router/trie-router';
import { AMBIGUITIES, AREAS } from './areas.ts';
import { resolveAmbiguities } from './core/ambiguities.ts';
import { createClock } from './core/clock.ts';
import type { VirtualClock } from './core/clock.ts';
import { Answers, NotRead } from './core/copy/answers.ts';
import type { Copying, ReadAnswer } from './core/copy/answers.ts';
import { loadCore } from './core/copy/load-core.ts';
import { answer, endpointsOf } from './core/http/app.ts';
import { SCOPES } from './core/http/credentials.ts';
import type { Credential, Scope } from './core/http/credentials.ts';
import { isRecord } from './core/http/endpoint.ts';
import type { Answer, Endpoint } from './core/http/endpoint.ts';
import { parseBody } from './core/http/recording.ts';
import { emptyState } from './core/state.ts';
import type { State } from './core/state.ts';
import { newWorld } from './core/world.ts';

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
  readonly requests: readonly CopiedRequest[];
  /** What writes asked so far that neither documents nor answers say: each with its other readings. */
  readonly leftOpen: () => readonly LeftOpen[];
  /** Answers a request, as the platform would by its documents. */
  readonly send: (request: CopyRequest) => Promise<CopyAnswer>;
}

/** Something that the documents leave open. */
export interface LeftOpen {
  readonly ambiguity: string;
  readonly readings: readonly string[];
}

/** A request that came. */
export interface CopiedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  status: number | null;
  /** What was said where it was refused. */
  said?: string;
  /** What was not read, and the answer would rest on. */
  notRead?: string;
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

/** Numbers of the sandbox's own refuse nothing unless they are asked to. */
const PREFERRED = { 'GAP-30.longest': 'none' };
const CALLER = 'user-of-the-copy';
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

export function openCopy(answers: readonly ReadAnswer[], options: CopyOptions): Copy {
  const { state, settled } = loadState(answers, options);
  const resolved = resolveAmbiguities(AMBIGUITIES, PREFERRED, settled, options.ambiguities ?? {});
  const asked = new Set<string>();
  let isWrite = false;
  const ambiguities = new Proxy(resolved, {
    get: (target, key) => {
      if (isWrite) asked.add(String(key));
      return Reflect.get(target, key) as unknown;
    },
  });
  const world = newWorld({ state, clock: createClock('virtual', options.nowMs), ambiguities });
  const desk = { world, caller: callerOf(options) };
  // Nothing listens, so there is nothing of HTTP but method, path and body.
  const router = new TrieRouter<Endpoint>();
  for (const endpoint of endpointsOf(world)) router.add(endpoint.method, endpoint.path, endpoint);
  const requests: CopiedRequest[] = [];
  const process = ({ method, path, headers, body = '' }: CopyRequest, request: CopiedRequest): Answer => {
    const [pathname = '', search = ''] = path.split('?');
    const [endpoint, found = {}] = router.match(method, pathname)[0][0] ?? [];
    const params = Object.entries(found).map(([name, value]) => [name, decodeURIComponent(String(value))]);
    try {
      return answer(
        desk,
        {
          method,
          path: pathname,
          query: new URLSearchParams(search),
          params: Object.fromEntries(params) as Record<string, string>,
          body: parseBody(body),
          authorization: undefined,
          accountId: headers['x-auth-account'] ?? headers['X-Auth-Account'] ?? null,
          remoteAddress: '127.0.0.1',
        },
        endpoint,
      );
    } catch (error) {
      if (!(error instanceof NotRead)) throw error;
      request.notRead = error.what;
      return { status: 501, body: { errors: [error.message], code: 'sandbox_not_read' } };
    }
  };
  return {
    // During a wait, people outside do what is asked of them.
    clock: {
      ...world.clock,
      sleep: (durationMs, signal) => {
        for (const area of AREAS) area.oblige?.(world);
        return world.clock.sleep(durationMs, signal);
      },
    },
    state,
    requests,
    leftOpen: () =>
      [...asked].flatMap((ambiguity) => {
        const readings = AMBIGUITIES[ambiguity]?.filter((one) => one !== Reflect.get(resolved, ambiguity)) ?? [];
        return ambiguity in settled || readings.length === 0 ? [] : [{ ambiguity, readings }];
      }),
    send(sent) {
      world.requestCount += 1;
      isWrite = sent.method !== 'GET';
      const request: CopiedRequest = { method: sent.method, path: sent.path, status: null };
      requests.push(request);
      const { status, body, headers = {} } = process(sent, request);
      request.status = status;
      if (status >= 400 && isRecord(body) && Array.isArray(body['errors'])) request.said = body['errors'].join('; ');
      return Promise.resolve(
        body === undefined
          ? { status, headers, body: '' }
          : { status, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) },
      );
    },
  };
}

function loadState(
  answers: readonly ReadAnswer[],
  { account, nowMs }: CopyOptions,
): { readonly state: State; readonly settled: Readonly<Record<string, string>> } {
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
  return { state, settled };
}

function callerOf({ account, credential = { type: 'session' } }: CopyOptions): Credential {
  const { type, scopes } = credential;
  if (type === 'system') return { kind: 'system', userId: null, accountId: account, scopes: [] };
  const granted: readonly Scope[] = SCOPES.filter((scope) => scopes?.includes(scope) ?? true);
  const kind = type === 'apiKey' ? 'api-key' : type;
  return { kind, userId: CALLER, accountId: null, scopes: kind === 'oauth' ? granted : [] };
}
