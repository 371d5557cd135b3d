// What an endpoint of the API is in this sandbox: a method, a path, what it demands of the caller, and a function from
// call to answer; and how the endpoints below one path are written as a table.
import type { Properties } from './schema.ts';
import type { Credential, Scope } from './credentials.ts';
import type { World } from '../world.ts';

export type Row = Record<string, unknown>;

/** A request, in the world that it came to. */
export interface Call extends World {
  readonly method: string;
  readonly credential: Credential;
  /** The X-Auth-Account header. */
  readonly accountId: string | null;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Without keys where no object was sent. */
  readonly body: Row;
  readonly remoteAddress: string;
}

export interface Answer {
  readonly status: number;
  /** undefined: an empty body. */
  readonly body?: unknown;
  /** The keys of the body are data (labels, kinds): nothing may be added to them. */
  readonly keyedByData?: true;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `none`: any credential; `never`: not available to OAuth at all. */
export type ScopeDemand = Scope | 'none' | 'never';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Demands {
  readonly method: Method;
  readonly path: string;
  readonly scope: ScopeDemand | ((world: World) => ScopeDemand);
  /** Account scope: X-Auth-Account must be there. */
  readonly account?: boolean | ((world: World) => boolean);
  /** A user must stand behind the credential. */
  readonly user?: (call: Call) => boolean;
  /** Only platform infrastructure. */
  readonly backEnd?: true;
  /** What its body may say, asked behind all guards; without it the body is not looked at. */
  readonly body?: Properties | ((call: Call) => Properties | undefined);
}

/** `Subject`: what its path names, where it names something. */
export interface Endpoint<Subject = unknown> extends Demands {
  /** Refuses whatever its body says, or finds what its path names. */
  admit?(call: Call, endpoint: this): Subject;
  handle(call: Call, subject: Subject): Answer;
}

/** Ends a request wherever it is thrown: nothing behind it runs, and this is the answer. */
export class Refusal extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super(`refused with ${answer.status}`);
    this.answer = answer;
  }
}

export function answerAtOnce(answer: Answer): never {
  throw new Refusal(answer);
}

export function ok(body: unknown, status = 200): Answer {
  return { status, body };
}

/** Refuses with the standard error body; `code` null where the documents name none. */
export function refuse(status: number, code: string | null, ...messages: readonly string[]): never {
  return refuseWith({}, status, code, ...messages);
}

export function notFound(): never {
  return refuse(404, null, 'Not Found');
}

/** Where the documents name an endpoint, and no more than that. */
export function notShown(): never {
  return refuse(501, 'sandbox_undocumented', 'The documents name this endpoint and do not show it');
}

/** The same with keys of its own. */
export function refuseWith(
  extra: Readonly<Record<string, unknown>>,
  status: number,
  code: string | null,
  ...messages: readonly string[]
): never {
  // CNV-19: an error body is a list of texts in `errors` and a machine-readable `code`.
  return answerAtOnce({ status, body: { errors: messages, ...(code === null ? {} : { code }), ...extra } });
}

/**
 * The answer of a write whose body the documents do not show (GAP-09). `body` may be a function that makes it, where a
 * copy may not know all of it: only one reading shows it.
 */
export function done(world: World, body: unknown): Answer {
  switch (world.ambiguities['GAP-09']) {
    case 'empty':
      return { status: 204 };
    case 'object':
      return ok(typeof body === 'function' ? (body as () => unknown)() : body);
    case 'accepted':
      return ok({}, 202);
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Handles an item of what the path names. It is looked for behind the body. */
export function onItem<Whole, Item>(
  find: (call: Call, whole: Whole) => Item | undefined,
  missing: (call: Call) => never = notFound,
) {
  return (handle: (call: Call, whole: Whole, item: Item) => Answer) =>
    (call: Call, whole: Whole): Answer =>
      handle(call, whole, find(call, whole) ?? missing(call));
}

export interface Routed {
  readonly method: Method;
  readonly path: string;
  readonly handle: (call: Call, ...found: never[]) => Answer;
}

/** `GET`, `PATCH /:id/name`: what answers, with whatever is not as the others of the table have it. */
export type Table<E extends Routed> = Readonly<
  Partial<Record<Method | `${Method} /${string}`, E['handle'] | (Partial<Omit<E, keyof Routed>> & Pick<E, 'handle'>)>>
>;

/** `common`: what the endpoints of one method demand. */
export function endpointsAt<E extends Routed>(
  path: string,
  common: (method: Method) => Omit<E, keyof Routed>,
  table: Table<E>,
): readonly E[] {
  return Object.entries(table).map(([route, entry]) => {
    const [method, below = ''] = route.split(' ') as [Method, string?];
    return {
      ...common(method),
      ...(typeof entry === 'function' ? { handle: entry } : entry),
      method,
      path: path + below,
    };
  }) as unknown as readonly E[];
}

/** CNV-09: a read takes the read scope, a write the write scope. */
export function scopeOf(family: 'sites' | 'domains' | 'mailspace', method: Method): Scope {
  return `${family}:${method === 'GET' ? 'read' : 'write'}`;
}
