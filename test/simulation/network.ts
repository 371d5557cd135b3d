// The network and the platform of a simulation: requests and responses are events that can be lost, late or duplicated. A
// request of a crashed process still arrives.
import type { TransportAnswer, TransportRequest } from '../../src/platform/transport.ts';
import type { OpenSandbox } from '../../src/sandbox/server.ts';
import type { Chance } from './chance.ts';
import type { EventQueue } from './queue.ts';
import type { Weather } from './weather.ts';

/** A process of an actor. It ends by finishing or by crashing; afterwards nothing that it waits for happens. */
export interface Life {
  /** The actor and a number, such as `apply-1 #2`. */
  readonly name: string;
  readonly actor: string;
  readonly host: string;
  isAlive: boolean;
}

/** A request that the platform processed. */
export interface Arrival {
  readonly atMs: number;
  readonly sentAtMs: number;
  readonly life: Life;
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
  readonly status: number;
  readonly response: string;
}

export interface NetworkOptions {
  readonly queue: EventQueue;
  readonly chance: Chance;
  readonly weather: () => Weather;
  readonly sandbox: OpenSandbox;
  readonly trace: (actor: string, text: string) => void;
  /** Called when a request leaves its process. */
  readonly onSend: (life: Life, request: TransportRequest) => void;
  /** Called when a process receives the response to its request. */
  readonly onResponse: (life: Life, request: TransportRequest) => void;
  /** Called when the platform has processed a request. */
  readonly onArrival: (arrival: Arrival) => void;
}

/** Sends requests of processes to the sandbox. */
export interface Network {
  readonly send: (life: Life, request: TransportRequest) => Promise<TransportAnswer>;
}

const USUAL_MS = 60;
const OUTAGE_MS = 40_000;
const RETRY_AFTER = ['1', '7', '59', '61', '300', '3600', 'date'];

export function createNetwork(options: NetworkOptions): Network {
  const { queue, chance, weather, sandbox, trace, onSend, onResponse, onArrival } = options;
  let outageUntilMs = 0;
  const lists = new Map<string, { readonly atMs: number; readonly answer: TransportAnswer }>();
  const writes: { readonly atMs: number; readonly path: string; readonly isCreate: boolean }[] = [];
  const numbers = new Map<string, number>();

  const delay = (life: Life, what: string): number => {
    const { late, lateMs } = weather();
    return chance.hits(late, life.actor, `${what} late`)
      ? chance.between(0, lateMs, life.actor, `${what} how late`)
      : chance.between(5, USUAL_MS, life.actor, what);
  };

  /** A list that does not show the newest writes yet, or undefined. */
  const olderList = (path: string): TransportAnswer | undefined => {
    const { listLagMs } = weather();
    const before = lists.get(path);
    if (listLagMs === 0 || before === undefined) return undefined;
    const bare = path.split('?', 1)[0] as string;
    const isHidden = writes.some(
      (write) =>
        write.atMs >= before.atMs &&
        write.atMs > queue.now() - listLagMs &&
        (write.isCreate ? write.path === bare : write.path.startsWith(`${bare}/`)),
    );
    return isHidden ? before.answer : undefined;
  };

  const refusal = (life: Life): TransportAnswer | undefined => {
    const { tooMany, outage } = weather();
    if (chance.hits(outage, life.actor, 'outage')) outageUntilMs = queue.now() + OUTAGE_MS;
    if (queue.now() < outageUntilMs)
      return errorAnswer(chance.oneOf([500, 502, 503, 504], life.actor, 'outage status'), {});
    if (!chance.hits(tooMany, life.actor, 'too many')) return undefined;
    const retryAfter = chance.oneOf(RETRY_AFTER, life.actor, 'retry-after');
    return errorAnswer(429, {
      'retry-after': retryAfter === 'date' ? new Date(queue.now() + 20_000).toUTCString() : retryAfter,
    });
  };

  const process = async (life: Life, request: TransportRequest, sentAtMs: number): Promise<TransportAnswer> => {
    const { method, path, body } = request;
    sandbox.clock.advance(queue.now() - sandbox.clock.now());
    const refused = refusal(life);
    const isCarriedOut =
      refused === undefined || (refused.status >= 500 && chance.hits(0.5, life.actor, 'carried out'));
    let answer = refused;
    if (isCarriedOut) {
      const older = method === 'GET' ? olderList(path) : undefined;
      const real = older ?? (await fetchFrom(sandbox, request));
      if (method === 'GET' && older === undefined) lists.set(path, { atMs: queue.now(), answer: real });
      if (method !== 'GET' && real.status < 300)
        writes.push({ atMs: queue.now(), path: path.split('?', 1)[0] as string, isCreate: method === 'POST' });
      if (older === undefined)
        onArrival({ atMs: queue.now(), sentAtMs, life, method, path, body, status: real.status, response: real.body });
      answer ??= real;
    }
    const note = life.isAlive ? '' : ' (its process is dead)';
    trace('platform', `${answer?.status} ${method} ${path} of ${life.name}${note}`);
    return answer as TransportAnswer;
  };

  return {
    send: (life, request) => {
      const { method, path, timeoutMs, signal } = request;
      const nth = (numbers.get(life.actor) ?? 0) + 1;
      numbers.set(life.actor, nth);
      const label = `${life.actor} ${method} ${path} ${nth}`;
      const sentAtMs = queue.now();
      onSend(life, request);
      trace(life.actor, `sends ${method} ${path}`);
      return new Promise((resolve, reject) => {
        let isOver = false;
        const end = (finish: () => void): void => {
          if (isOver || !life.isAlive) return;
          isOver = true;
          signal?.removeEventListener('abort', onAbort);
          finish();
        };
        const onAbort = (): void => end(() => reject(signal?.reason as Error));
        signal?.addEventListener('abort', onAbort, { once: true });
        queue.at(sentAtMs + timeoutMs, `${label} timeout`, () => {
          end(() => {
            trace(life.actor, `gives up on ${method} ${path}`);
            reject(networkError('Headers Timeout Error', 'UND_ERR_HEADERS_TIMEOUT', 'HeadersTimeoutError'));
          });
        });
        const { loss, duplicate } = weather();
        const isLostThere = chance.hits(loss, life.actor, 'request lost');
        const isLostBack = chance.hits(loss, life.actor, 'response lost');
        const isReset = chance.hits(0.5, life.actor, 'reset');
        const reset = (): void => end(() => reject(networkError('read ECONNRESET', 'ECONNRESET', 'Error')));
        if (isLostThere) {
          trace('network', `loses ${method} ${path} of ${life.name}`);
          if (isReset) queue.at(sentAtMs + delay(life, 'reset'), `${label} reset`, reset);
          return;
        }
        const copies = method === 'GET' && chance.hits(duplicate, life.actor, 'duplicate') ? 2 : 1;
        for (let copy = 1; copy <= copies; copy += 1)
          queue.at(sentAtMs + delay(life, 'there'), `${label} arrival ${copy}`, () => {
            void process(life, request, sentAtMs).then((answer) => {
              const backAtMs = queue.now() + delay(life, 'back');
              if (isLostBack) trace('network', `loses the response to ${method} ${path} of ${life.name}`);
              if (isLostBack && !isReset) return;
              const deliver = (): void => {
                onResponse(life, request);
                resolve(answer);
              };
              queue.at(backAtMs, `${label} response ${copy}`, () => (isLostBack ? reset() : end(deliver)));
            });
          });
      });
    },
  };
}

async function fetchFrom(
  { app }: OpenSandbox,
  { origin, path, method, headers, body }: TransportRequest,
): Promise<TransportAnswer> {
  const response = await app.fetch(
    new Request(origin + path, { method, headers: { ...headers }, body: body ?? null }),
    { incoming: { socket: { remoteAddress: '127.0.0.1' } } },
  );
  return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
}

function errorAnswer(status: number, headers: Readonly<Record<string, string>>): TransportAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ error: { code: status === 429 ? 'rate_limited' : 'unavailable', message: 'simulated' } }),
  };
}

function networkError(message: string, code: string, name: string): Error {
  return Object.assign(new Error(message), { code, name, syscall: 'read' });
}
