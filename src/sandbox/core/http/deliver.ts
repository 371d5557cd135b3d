// How an answer leaves the server: as it is, or lost and spoilt by a fault.
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { isRecord } from './endpoint.ts';
import type { Answer } from './endpoint.ts';
import type { Fault } from './faults.ts';
import type { World } from '../world.ts';

export interface Delivery {
  /** What the client was told; null where the connection ended first. */
  readonly status: number | null;
  readonly response: Response | Promise<Response>;
}

export function deliver(world: World, connection: HttpBindings, answer: Answer, fault: Fault | undefined): Delivery {
  switch (fault?.kind) {
    case undefined:
      return send(answer);
    case 'slow':
      return slowly(answer, fault.delayMs ?? 1_000);
    case 'reset-before':
    case 'reset-after':
      connection.incoming.socket.resetAndDestroy();
      return { status: null, response: RESPONSE_ALREADY_SENT };
    case 'status-before':
    case 'status-after':
      return send(statusAnswer(world, fault));
    case 'html':
      return raw(fault.status ?? 200, 'text/html', '<!doctype html><html><body><h1>Please wait</h1></body></html>');
    case 'garbage':
      return raw(answer.status === 204 ? 200 : answer.status, 'application/json', '{"sites": [{"id": \u0000\ufffd');
    case 'truncate':
      return truncate(connection, answer);
    case 'hang':
      return { status: null, response: new Promise<Response>(() => undefined) };
    case 'not-a-list':
      return send({ ...answer, body: withoutLists(answer.body) });
  }
}

function send(answer: Answer): Delivery {
  const { status, body, headers } = answer;
  if (body === undefined) return { status, response: new Response(null, { status, headers: { ...headers } }) };
  // CNV-01: the API lives under /api and speaks JSON.
  const json = { 'content-type': 'application/json; charset=utf-8' };
  return { status, response: new Response(JSON.stringify(body), { status, headers: { ...json, ...headers } }) };
}

function slowly(answer: Answer, delayMs: number): Delivery {
  const { status, response } = send(answer);
  return { status, response: new Promise((resolve) => setTimeout(resolve, delayMs)).then(() => response) };
}

function raw(status: number, contentType: string, text: string): Delivery {
  return { status, response: new Response(text, { status, headers: { 'content-type': contentType } }) };
}

/** GAP-02: neither the headers nor the body of a rate-limited answer are documented. */
function statusAnswer(world: World, fault: Fault): Answer {
  const status = fault.status ?? 503;
  if (status === 204) return { status };
  if (status === 429 && world.ambiguities['GAP-02'] === 'bare') return { status };
  const retryAfter = fault.retryAfter ?? (status === 429 ? '1' : undefined);
  return {
    status,
    body: { errors: [`Sandbox fault ${status}`] },
    headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  };
}

/** Promises the whole body, sends half of it and hangs up. */
function truncate(connection: HttpBindings, answer: Answer): Delivery {
  const bytes = Buffer.from(JSON.stringify(answer.body ?? { half: 'of this never arrives' }));
  const { outgoing } = connection;
  outgoing.writeHead(answer.status === 204 ? 200 : answer.status, {
    'content-type': 'application/json',
    'content-length': bytes.length,
  });
  outgoing.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => outgoing.socket?.destroy());
  return { status: null, response: RESPONSE_ALREADY_SENT };
}

/** An object where every list should be. */
function withoutLists(body: unknown): unknown {
  if (Array.isArray(body)) return {};
  if (!isRecord(body)) return body;
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, Array.isArray(value) ? {} : value]));
}
