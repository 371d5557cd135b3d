// The server that the platform calls. It knows who calls, reads little, remembers little, and says that a message was
// taken only when somebody has taken the run that it asks for. All else is for the platform to send again (CBK-04,
// CBK-09).
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../model/clock.ts';
import type { Json } from '../model/json.ts';
import type { Metric } from './counters.ts';
import { countersOf } from './counters.ts';
import { Busy, createHandOn } from './hand-on.ts';
import type { Exchange } from './http-server.ts';
import { BodyError, openHttpServer } from './http-server.ts';
import type { Message } from './messages.ts';
import { NoMessage, readCallback, readEvent } from './messages.ts';
import type { Dispatcher, RunRequest } from './run-request.ts';
import type { KnownRoots } from './runs.ts';
import { runFor } from './runs.ts';

export interface ReceiverOptions {
  /** Values of the header Authorization that are accepted. */
  readonly authorizations: readonly string[];
  readonly isAccount: (account: string) => Promise<boolean>;
  /** What the ledger of an account knows; undefined when that cannot be told now. Never rejects. */
  readonly rootsOf: (account: string) => Promise<KnownRoots | undefined>;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly version: string;
  /** Told of each answer to whoever may speak here, and to whoever may not. */
  readonly onAnswer: (answer: Answer) => void;
}

export interface Answer {
  readonly status: number;
  /** `taken`: a run was asked for. `nothing`: there is nothing to run. `refused`: see the words. */
  readonly result: 'taken' | 'nothing' | 'refused';
  /** A full sentence, for the log. */
  readonly message: string;
  /** What the caller is told instead: what stood in the way here is nothing that a caller may know. */
  readonly toCaller?: string;
  readonly request?: RunRequest;
}

export interface Receiver {
  readonly listen: (host: string, port: number) => Promise<string>;
  /** Takes nothing new, and resolves when all that was begun is answered. */
  readonly close: () => Promise<void>;
}

/** Every metric of a receiver, in the order in which they are told. */
export const RECEIVER_METRICS = {
  info: {
    name: 'hostwright_receiver_info',
    type: 'gauge',
    help: 'Always 1; says the version of this receiver.',
    labels: ['version'],
  },
  answers: {
    name: 'hostwright_receiver_answers_total',
    type: 'counter',
    help: 'Messages that were answered, by status and result.',
    labels: ['status', 'result'],
  },
  runs: {
    name: 'hostwright_receiver_runs_total',
    type: 'counter',
    help: 'Runs that were asked for and taken, by run.',
    labels: ['run'],
  },
  waiting: {
    name: 'hostwright_receiver_waiting',
    type: 'gauge',
    help: 'Runs that wait to be handed on to whoever starts them.',
  },
  up: {
    name: 'hostwright_receiver_dispatch_up',
    type: 'gauge',
    help: '1 when whoever starts the runs answers, else 0; missing where that is only known when a run is handed on.',
  },
} as const satisfies Readonly<Record<string, Metric>>;

const MOST_BYTES = 256 * 1024;
/** Of all bodies that are being read. */
const MOST_BYTES_AT_ONCE = 32 * 1024 * 1024;
const MOST_AT_ONCE = 2000;
/** Connections that wait to be accepted. Those beyond it are dropped without a word. */
const MOST_PENDING = 4096;
/** The platform waits 30 seconds (CBK-04, CBK-09). */
const ANSWER_WITHIN_MS = 25_000;
/** Above what is answered at the same time, so that those beyond it hear why. */
const MOST_CONNECTIONS = 10_000;
/** Longer than the server in front of it keeps a connection: else it would send into one that is just closed. */
const KEPT_OPEN_MS = 65_000;
/** No two sendings of a message are further apart than 15 minutes (CBK-04, CBK-09). */
const REMEMBERED_MS = 20 * 60_000;
const MOST_REMEMBERED = 100_000;
const HANDED_ON_AT_ONCE = 8;
const MOST_WAITING = 1000;
const RETRY_AFTER_S = 60;

/** An answer that ends the work on a request. */
class Refusal extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly toCaller: string | undefined;

  constructor(
    status: number,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    toCaller: string | undefined = undefined,
  ) {
    super(message);
    this.status = status;
    this.headers = headers;
    this.toCaller = toCaller;
  }
}

/** A receiver that does not listen yet. */
export function createReceiver(options: ReceiverOptions): Receiver {
  const { dispatcher, version } = options;
  const isAuthorized = authorizer(options.authorizations);
  const { take, waiting } = createTaker(options);
  const counters = countersOf<keyof typeof RECEIVER_METRICS>(RECEIVER_METRICS);
  let stopping = false;
  let open = 0;

  const readJson = async (body: Exchange['body']): Promise<Json> => {
    try {
      return JSON.parse((await body()).toString('utf8')) as Json;
    } catch (error) {
      if (error instanceof SyntaxError) throw new Refusal(400, 'The body is not JSON.');
      if (!(error instanceof BodyError)) throw error;
      if (error.why === 'too long') throw tooLong();
      // After a cut the sender is no longer there.
      throw error.why === 'too many' ? flooded() : new Refusal(400, 'The body was cut off.');
    }
  };

  const respond = async ({ request, body }: Exchange): Promise<Answer> => {
    const read = routeOf(request);
    if (!isAuthorized(request.headers.authorization))
      throw new Refusal(401, 'The header Authorization is not the one that this receiver was given.');
    if (stopping) throw new Refusal(503, 'The receiver is being stopped. Send it again later.', RETRY);
    if (open > MOST_AT_ONCE) throw flooded();
    return take(read(await readJson(body)));
  };

  const onAnswer = (answer: Answer): void => {
    const { status, result, request } = answer;
    counters.add('answers', { status: String(status), result });
    if (request !== undefined) counters.add('runs', { run: request.run });
    options.onAnswer(answer);
  };
  const watchers: Readonly<Record<string, (response: ServerResponse) => Promise<void>>> = {
    '/healthz': async (response) => {
      const reason = stopping ? 'stopping' : await dispatcher.unhealthy?.();
      send(response, reason === undefined ? 200 : 503, { status: reason ?? 'ok' });
    },
    '/metrics': async (response) => {
      const isUp = dispatcher.unhealthy === undefined ? [] : [(await dispatcher.unhealthy()) === undefined ? 1 : 0];
      const text = await counters.render([
        { metric: 'info', labels: { version }, value: 1 },
        { metric: 'waiting', value: waiting() },
        ...isUp.map((value) => ({ metric: 'up', value }) as const),
      ]);
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
      response.end(text);
    },
  };

  const server = openHttpServer(
    {
      mostBytes: MOST_BYTES,
      mostBytesAtOnce: MOST_BYTES_AT_ONCE,
      mostConnections: MOST_CONNECTIONS,
      backlog: MOST_PENDING,
      keepAliveMs: KEPT_OPEN_MS,
      // A message has a secret, which no page of another site knows; proxies hand on the name that it was sent to.
      isAnyHost: ({ method }) => method === 'POST',
    },
    async (exchange) => {
      const { request, response, path } = exchange;
      const watch = watchers[path];
      if (watch !== undefined && (request.method === 'GET' || request.method === 'HEAD')) {
        await watch(response);
        return;
      }
      open += 1;
      const { answer, headers } = await respond(exchange).then((answer) => ({ answer, headers: {} }), refused);
      open -= 1;
      onAnswer(answer);
      const { status, result, message, toCaller = message } = answer;
      // What was not read to its end would be taken for the next request.
      if (!request.complete || stopping) response.setHeader('connection', 'close');
      send(response, status, { result, message: toCaller }, headers);
    },
  );

  return {
    listen: server.listen,
    close: async () => {
      stopping = true;
      await server.close();
      await options.dispatcher.close();
    },
  };
}

/** Who takes a message: each is taken once, and remembered only when it was. */
function createTaker({ isAccount, rootsOf, dispatcher, clock }: ReceiverOptions): {
  readonly take: (message: Message) => Promise<Answer>;
  readonly waiting: () => number;
} {
  const recent = rememberRecent(clock, { most: MOST_REMEMBERED, keepMs: REMEMBERED_MS });
  const { handOn, waiting } = createHandOn(dispatcher, { atOnce: HANDED_ON_AT_ONCE, most: MOST_WAITING });
  /** Those of which it is not known yet whether they are taken. */
  const open = new Map<string, Promise<Answer>>();

  const takeNew = async (message: Message): Promise<Answer> => {
    const account = await firstOf(message.accounts, isAccount);
    if (account === undefined) return unknownAccount(message);
    const known = message.event === undefined ? undefined : await rootsOf(account);
    const request = runFor(message, account, known);
    if ('nothing' in request)
      return { status: 200, result: 'nothing', message: `${request.nothing} There is nothing to run.` };
    await handOn(request);
    return {
      status: 202,
      result: 'taken',
      message: `Taken by ${dispatcher.name}: ${wordsOf(request)}.`,
      request,
    };
  };

  const take = async (message: Message): Promise<Answer> => {
    const { key } = message;
    if (recent.has(key)) {
      recent.add(key);
      return { status: 200, result: 'nothing', message: 'It was taken before.' };
    }
    const earlier = open.get(key);
    const taking =
      earlier ??
      takeNew(message)
        .then((answer) => {
          if (answer.status < 300) recent.add(key);
          return answer;
        })
        .finally(() => open.delete(key));
    if (earlier === undefined) open.set(key, taking);
    return inTime(taking, clock, dispatcher);
  };
  return { take, waiting };
}

/** What takes longer goes on; sent again, it is found to be taken. */
async function inTime(taking: Promise<Answer>, clock: Clock, { name }: Dispatcher): Promise<Answer> {
  const over = new AbortController();
  const late = clock.sleep(ANSWER_WITHIN_MS, over.signal).then(
    () => {
      throw new Refusal(503, `There is no answer of ${name} in time. Send it again later.`, RETRY);
    },
    () => new Promise<never>(() => undefined),
  );
  try {
    return await Promise.race([taking, late]);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if (error instanceof Busy) throw new Refusal(503, error.message, RETRY);
    throw new Refusal(503, `It was not taken by ${name}: ${(error as Error).message}`, RETRY, NOT_TAKEN);
  } finally {
    over.abort();
  }
}

function wordsOf({ account, run, root = 'everything' }: RunRequest): string {
  return run === 'apply'
    ? `apply goes on with what is unfinished in account ${account}`
    : `drift of ${root} in account ${account}`;
}

/** A callback names an account of ours, or its address is wrong; a billing plan may have accounts that nobody declares. */
function unknownAccount({ accounts, event }: Message): Answer {
  const [account = ''] = accounts;
  if (event === undefined)
    throw new Refusal(404, `This receiver has no workspace of the account ${account}. Correct \`callback.url\`.`);
  return {
    status: 200,
    result: 'nothing',
    message: `This receiver has no workspace of the account ${account}. There is nothing to run.`,
  };
}

async function firstOf(
  accounts: readonly string[],
  isAccount: ReceiverOptions['isAccount'],
): Promise<string | undefined> {
  for (const account of accounts) if (await isAccount(account)) return account;
  return undefined;
}

/** How the body is to be read, by where it was sent. */
function routeOf({ method, url = '' }: IncomingMessage): (body: Json) => Message {
  const path = url.replace(/\?.*$/, '');
  const [, account] = /^\/callbacks\/([A-Za-z0-9._:%-]{1,300})$/.exec(path) ?? [];
  if (path !== '/webhooks' && account === undefined)
    throw new Refusal(
      404,
      'Nothing is here. Billing webhooks go to /webhooks, callbacks of orders to /callbacks/ACCOUNT.',
    );
  if (method !== 'POST') throw new Refusal(405, 'Messages are sent with POST.', { allow: 'POST' });
  return (body) => (account === undefined ? readEvent(body) : readCallback(decode(account), body));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Refusal(404, 'The account in the address is badly encoded.');
  }
}

/** Whatever is given, it takes as long: nothing can be learnt from the time. */
function authorizer(accepted: readonly string[]): (given: string | undefined) => boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const known = accepted.map(digest);
  return (given = '') => {
    const shown = digest(given);
    let isKnown = false;
    for (const one of known) isKnown = timingSafeEqual(one, shown) || isKnown;
    return isKnown;
  };
}

const NOT_TAKEN = 'It was not taken. Send it again later.';
const RETRY = { 'retry-after': String(RETRY_AFTER_S) };

function tooLong(): Refusal {
  return new Refusal(413, `A message is at most ${MOST_BYTES / 1024} KB.`);
}

function flooded(): Refusal {
  return new Refusal(503, 'Too many messages come at once. Send it again later.', RETRY);
}

function refused(error: unknown): { readonly answer: Answer; readonly headers: Readonly<Record<string, string>> } {
  const refusal =
    error instanceof Refusal
      ? error
      : error instanceof NoMessage
        ? new Refusal(422, error.message)
        : new Refusal(500, `This is a mistake of ours: ${(error as Error).message}`, {}, NOT_TAKEN);
  const { status, message, headers, toCaller } = refusal;
  return { answer: { status, result: 'refused', message, ...(toCaller !== undefined && { toCaller }) }, headers };
}

function send(
  response: ServerResponse,
  status: number,
  body: Json,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(`${JSON.stringify(body)}\n`);
}

/**
 * Which messages were taken lately, so that a further sending of one starts no further run. What is forgotten too early
 * costs a run that finds nothing.
 */
interface Recent {
  readonly has: (key: string) => boolean;
  readonly add: (key: string) => void;
}

/** However many there are, and however long ago: no more than `most`, and none older than `keepMs`. */
function rememberRecent(
  clock: Pick<Clock, 'now'>,
  { most, keepMs }: { readonly most: number; readonly keepMs: number },
): Recent {
  // In the order in which they were added, the oldest first.
  const seen = new Map<string, number>();
  return {
    has: (key) => {
      const atMs = seen.get(key);
      return atMs !== undefined && clock.now() - atMs < keepMs;
    },
    add: (key) => {
      seen.delete(key);
      seen.set(key, clock.now());
      for (const [oldest, atMs] of seen) {
        if (seen.size <= most && clock.now() - atMs < keepMs) break;
        seen.delete(oldest);
      }
    },
  };
}
