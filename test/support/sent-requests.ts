// Which endpoints the sessions really sent a request to, and for what: a plan, an apply, or anything else that a person
// asks for. Noted in the folder that `before-all.ts` names: a whole run fails where the page of coverage claims more.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { endpointOf } from '../../src/areas/endpoints.ts';
import type { Transport, TransportRequest } from '../../src/platform/transport.ts';

/** `cli`: over a socket, by whatever command a test ran. */
export type SentFor = 'plan' | 'apply' | 'command' | 'cli';

const folder = process.env.HOSTWRIGHT_SENT;
const noted = new Set<string>();

/** Notes one request. */
export function noteSent(purpose: SentFor, method: string, path: string, body?: string): void {
  if (folder === undefined || expect.getState().testPath?.includes('/test/sessions/') !== true) return;
  const name = `${method} ${endpointOf(method, path)?.path ?? path.replace(/\?.*$/, '')}`;
  const fields = body === undefined ? [] : fieldsOf(JSON.parse(body), '');
  for (const line of [`${purpose} ${name}`, ...fields.map((field) => `field ${name} ${field}`)]) {
    if (noted.has(line)) continue;
    noted.add(line);
    appendFileSync(join(folder, `${process.pid}.txt`), `${line}\n`);
  }
}

/** A transport that notes what goes through it. */
export function noting(transport: Transport, purpose: (request: TransportRequest) => SentFor): Transport {
  return (request) => {
    noteSent(purpose(request), request.method, request.path, request.body);
    return transport(request);
  };
}

function fieldsOf(value: unknown, at: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => fieldsOf(item, at));
  if (typeof value !== 'object' || value === null) return at === '' ? [] : [at];
  return Object.entries(value).flatMap(([key, below]) => fieldsOf(below, at === '' ? key : `${at}.${key}`));
}
