// The way of a request through the sandbox: recorded, delayed, struck by a fault or processed, answered.
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { Context } from 'hono';
import { identify } from './credentials.ts';
import type { Credential } from './credentials.ts';
import { deliver } from './deliver.ts';
import { checkBody } from './body.ts';
import { Refusal, isRecord, refuse } from './endpoint.ts';
import type { Answer, Call, Endpoint } from './endpoint.ts';
import { isBefore } from './faults.ts';
import type { FaultPicker } from './faults.ts';
import { passGuards } from './guards.ts';
import { parseBody, redactHeaders } from './recording.ts';
import type { ReadBody, RecordedRequest } from './recording.ts';
import { aboutEndpoints } from '../about.ts';
import { taskEndpoints } from '../tasks.ts';
import type { World } from '../world.ts';

export type Env = { Bindings: HttpBindings };

export interface Hooks {
  readonly before?: (request: RecordedRequest) => void | Promise<void>;
  readonly after?: (request: RecordedRequest) => void | Promise<void>;
}

export interface Desk {
  readonly world: World;
  readonly requests: RecordedRequest[];
  readonly hooks: Hooks;
  readonly latencyMs: number;
  /** Who sends every request, whatever it carries: a copy of an account has one caller. */
  readonly caller?: Credential;
  faults: FaultPicker;
}

/** A request without what carried it. */
export interface Incoming {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly params: Readonly<Record<string, string>>;
  readonly body: ReadBody;
  readonly authorization: string | undefined;
  readonly accountId: string | null;
  readonly remoteAddress: string;
}

export function endpointsOf({ state }: World): readonly Endpoint[] {
  return [...aboutEndpoints, ...taskEndpoints, ...state.areas.flatMap(({ endpoints }) => endpoints)];
}

export function buildApp(desk: Desk): Hono<Env> {
  const app = new Hono<Env>();
  for (const endpoint of endpointsOf(desk.world))
    app.on(endpoint.method, endpoint.path, (context) => serve(desk, context, endpoint));
  app.all('/api/*', (context) => serve(desk, context, undefined));
  return app;
}

/** CNV-28: an Idempotency-Key header means nothing: the same request twice is done twice. */
async function serve(desk: Desk, context: Context<Env>, endpoint: Endpoint | undefined): Promise<Response> {
  const { world } = desk;
  const body = parseBody(await context.req.text());
  world.requestCount += 1;
  const url = new URL(context.req.url);
  const request: RecordedRequest = {
    n: world.requestCount,
    atMs: world.clock.now(),
    method: context.req.method,
    path: url.pathname + url.search,
    status: null,
    body: body.value ?? null,
    headers: redactHeaders(context.req.raw.headers),
    fault: null,
  };
  desk.requests.push(request);
  if (desk.latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, desk.latencyMs));
  const fault = desk.faults.pick(request);
  request.fault = fault?.kind ?? null;
  await desk.hooks.before?.(request);
  // CNV-27: a request over the rate limit answers 429 and is not processed.
  const processed = fault === undefined || !isBefore(fault);
  const result: Answer = processed ? answer(desk, incomingOf(context, body), endpoint) : { status: 500 };
  if (processed) await desk.hooks.after?.(request);
  const extended =
    world.ambiguities['GAP-59'] === 'extra-keys' && result.keyedByData !== true
      ? { ...result, body: withExtraKeys(result.body) }
      : result;
  const delivery = deliver(world, context.env, extended, fault);
  request.status = delivery.status;
  return delivery.response;
}

function incomingOf(context: Context<Env>, body: ReadBody): Incoming {
  const url = new URL(context.req.url);
  return {
    method: context.req.method,
    path: url.pathname,
    query: url.searchParams,
    params: context.req.param(),
    body,
    authorization: context.req.header('authorization'),
    accountId: context.req.header('x-auth-account') || null,
    remoteAddress: context.env.incoming.socket.remoteAddress ?? '',
  };
}

export function answer(
  desk: Pick<Desk, 'world' | 'caller'>,
  incoming: Incoming,
  endpoint: Endpoint | undefined,
): Answer {
  try {
    return process(desk, incoming, endpoint);
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    throw error;
  }
}

function process(
  { world, caller }: Pick<Desk, 'world' | 'caller'>,
  { authorization, body, path, ...incoming }: Incoming,
  endpoint: Endpoint | undefined,
): Answer {
  world.clock.runDue();
  // GAP-01: what a bad credential answers is not documented beyond its status; no code is the reading that promises
  // least.
  const credential = caller ?? identify(world, authorization) ?? refuse(401, null, 'Unauthorized');
  if (endpoint === undefined) return fallback(incoming.method, path);
  const call: Call = { ...world, ...incoming, credential, body: isRecord(body.value) ? body.value : {} };
  passGuards(call, endpoint);
  const subject = endpoint.admit?.(call, endpoint);
  if (body.malformed) refuse(400, null, 'The body is not JSON');
  const properties = typeof endpoint.body === 'function' ? endpoint.body(call) : endpoint.body;
  if (properties !== undefined) {
    if (body.value !== undefined && !isRecord(body.value)) refuse(422, null, 'The body must be an object');
    checkBody(call.body, properties);
  }
  return endpoint.handle(call, subject);
}

/** Documented, and part of a later area. Everything below these paths counts. */
const LATER_PREFIXES = ['/api/subscriptions'];

/** The answer where no endpoint is: 501 with a code of its own where this sandbox does not emulate a documented one. */
function fallback(method: string, path: string): never {
  if (LATER_PREFIXES.some((prefix) => path === prefix || path.startsWith(`${prefix}/`)))
    refuse(501, 'sandbox_not_emulated', 'This sandbox does not emulate this endpoint yet');
  if (method === 'GET' || method === 'HEAD') return refuse(404, 'sandbox_undocumented', 'This path is not documented');
  return refuse(501, 'sandbox_undocumented', `${method} on this path is not documented`);
}

/** A name that nobody would ever declare. */
const EXTRA = { x_sandbox_extra: { since: 'a later version' } };

/** Adds a key to the answer and to each resource right below it. */
function withExtraKeys(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(extended);
  if (!isRecord(body)) return body;
  const inner = Object.entries(body).map(([key, value]) => {
    if (Array.isArray(value)) return [key, value.map(extended)];
    return [key, RESOURCES.has(key) ? extended(value) : value];
  });
  return { ...(Object.fromEntries(inner) as Record<string, unknown>), ...EXTRA };
}

const RESOURCES = new Set([
  'site',
  'domain',
  'task',
  'order',
  'account',
  'mailspace',
  'mailbox',
  'group',
  'alias',
  'panel_account',
  'user',
  'domain_registration',
  'domain_contact',
  'host',
]);

function extended(value: unknown): unknown {
  return isRecord(value) ? { ...value, ...EXTRA } : value;
}
