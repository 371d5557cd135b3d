// The way of a request through the sandbox: recorded, delayed, struck by a fault or processed, answered.
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { Context } from 'hono';
import { identify } from './credentials.ts';
import type { Credential } from './credentials.ts';
import { deliver } from './deliver.ts';
import { refuseBody } from './body.ts';
import { isRecord, notFound, refuse } from './endpoint.ts';
import type { Answer, Call, Endpoint } from './endpoint.ts';
import { isBefore } from './faults.ts';
import type { FaultPicker } from './faults.ts';
import { passGuards } from './guards.ts';
import { parseBody, redactHeaders } from './recording.ts';
import type { ReadBody, RecordedRequest } from './recording.ts';
import { aboutEndpoints } from '../about.ts';
import { taskEndpoints } from '../tasks.ts';
import { fallback } from './not-yet.ts';
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

type Process = (body: ReadBody) => Answer;

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
  for (const endpoint of endpointsOf(desk.world)) {
    app.on(endpoint.method, endpoint.path, (context) =>
      // CNV-28: an Idempotency-Key header means nothing: the same request twice is done twice.
      serve(desk, context, (body) => answer(desk, incomingOf(context, body), endpoint)),
    );
  }
  app.all('/api/*', (context) => serve(desk, context, (body) => answer(desk, incomingOf(context, body), undefined)));
  return app;
}

async function serve(desk: Desk, context: Context<Env>, process: Process): Promise<Response> {
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
  const result: Answer = processed ? process(body) : { status: 500 };
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
  { world, caller }: Pick<Desk, 'world' | 'caller'>,
  { method, path, query, params, body, authorization, accountId, remoteAddress }: Incoming,
  endpoint: Endpoint | undefined,
): Answer {
  world.clock.runDue();
  const credential = caller ?? identify(world, authorization);
  // GAP-01: what a bad credential answers is not documented beyond its status; no code is the reading that promises
  // least.
  if (credential === undefined) return refuse(401, null, 'Unauthorized');
  if (endpoint === undefined) return fallback(method, path);
  const call: Call = {
    ...world,
    credential,
    method,
    body: isRecord(body.value) ? body.value : {},
    query,
    accountId,
    params,
    remoteAddress,
  };
  const passed = passGuards(call, endpoint);
  if (passed !== undefined && 'status' in passed) return passed;
  const refusal = endpoint.site === undefined ? endpoint.guard?.(call, endpoint) : undefined;
  if (refusal !== undefined) return refusal;
  if (body.malformed) return refuse(400, null, 'The body is not JSON');
  const properties = typeof endpoint.body === 'function' ? endpoint.body(call) : endpoint.body;
  if (properties !== undefined && body.value !== undefined && !isRecord(body.value))
    return refuse(422, null, 'The body must be an object');
  const unfit = properties === undefined ? undefined : refuseBody(call.body, properties);
  if (unfit !== undefined) return unfit;
  if (endpoint.site !== undefined) return passed === undefined ? notFound() : endpoint.handle(call, passed);
  const subject = endpoint.subject?.(call);
  return endpoint.subject !== undefined && subject === undefined ? notFound() : endpoint.handle(call, subject);
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
