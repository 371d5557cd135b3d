// What a conformance case works with: a sandbox of its own, reached over real HTTP with plain fetch, and a way to look
// into answers. The cases are data, so that the report on the rules can list what vitest runs.
import assert from 'node:assert/strict';
import { API_KEY } from '../../src/sandbox/core/http/credentials.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import type { Sandbox, SandboxOptions } from '../../src/sandbox/server.ts';

export interface ConformanceCase {
  /** The rule that it proves, or one aspect of it (`SIT-08/pending-delete`). */
  readonly rule: string;
  readonly title: string;
  readonly run: (context: CaseContext) => Promise<void>;
}

export interface CaseContext {
  start(options?: SandboxOptions): Promise<Client>;
}

interface CallOptions {
  readonly token?: string | null;
  /** null: without the header. */
  readonly account?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  /** The value at a path of keys and indexes; undefined where there is none. */
  at(...path: readonly (string | number)[]): unknown;
  /** One key of every row of a list, sorted: lists promise no order. */
  column(list: string | null, key: string): readonly unknown[];
}

export interface Client {
  readonly sandbox: Sandbox;
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Reply>;
  get(path: string, options?: CallOptions): Promise<Reply>;
}

/** Runs one case, and closes what it opened. */
export async function runCase(one: ConformanceCase): Promise<void> {
  const open: Sandbox[] = [];
  try {
    await one.run({
      async start(options = {}) {
        const sandbox = await startSandbox(options);
        open.push(sandbox);
        return createClient(sandbox);
      },
    });
  } finally {
    await Promise.all(open.map((sandbox) => sandbox.close()));
  }
}

export function createClient(sandbox: Sandbox): Client {
  const call: Client['call'] = async (method, path, body, options = {}) => {
    const { token = API_KEY, account = 'acc-acme', headers = {} } = options;
    const response = await fetch(sandbox.url + path, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(account === null ? {} : { 'x-auth-account': account }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return createReply(response.status, await response.text(), response.headers);
  };
  return { sandbox, call, get: (path, options) => call('GET', path, undefined, options) };
}

function createReply(status: number, text: string, headers: Headers): Reply {
  const body: unknown =
    text === '' || !(headers.get('content-type') ?? '').startsWith('application/json') ? undefined : JSON.parse(text);
  const at: Reply['at'] = (...path) =>
    path.reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[key] : undefined,
      body,
    );
  return {
    status,
    text,
    headers,
    at,
    column(list, key) {
      const rows = list === null ? body : at(list);
      assert.ok(Array.isArray(rows), `${list ?? 'the answer'} is no list: ${text.slice(0, 200)}`);
      return rows.map((row: Record<string, unknown>) => row[key]).sort();
    },
  };
}

/** The names of the keys of an object, without those that a later version may add. */
export function keysOf(value: unknown): readonly string[] {
  assert.ok(typeof value === 'object' && value !== null, `no object: ${JSON.stringify(value)}`);
  return Object.keys(value)
    .filter((key) => !key.startsWith('x_sandbox'))
    .sort();
}

export function refused(reply: Reply, status: number, code: string | undefined): void {
  assert.equal(reply.status, status);
  assert.equal(reply.at('code'), code);
}
