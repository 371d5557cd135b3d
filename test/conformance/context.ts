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

/** Starts a sandbox as the table says, or with other options. */
export type Start = (options?: SandboxOptions) => Promise<Client>;

/** A scenario, without keys that a later version might add. */
export const plain = (scenario: string): SandboxOptions => ({ scenario, ambiguities: { 'GAP-59': 'plain' } });

/** Cases by rule and title, `SIT-08: a suspended site refuses everything`, each with a sandbox of this kind. */
export function casesIn(
  usual: string | SandboxOptions,
  table: Readonly<Record<string, (client: Client, start: Start) => Promise<void>>>,
): readonly ConformanceCase[] {
  const common = typeof usual === 'string' ? { scenario: usual } : usual;
  return Object.entries(table).map(([name, run]) => ({
    ...namesIn(name),
    async run(context) {
      const start: Start = ({ ambiguities, ...options } = {}) =>
        context.start({ ...common, ...options, ambiguities: { ...common.ambiguities, ...ambiguities } });
      await run(await start(), start);
    },
  }));
}

/**
 * What the documents leave open, by ambiguity and title, with the rule in front where it is not the gap itself:
 * `SHD-26 learningEnd: learning that is over`. Under each reading the check answers what stands beside it.
 */
export function gapsIn(
  scenario: string,
  table: Readonly<
    Record<string, readonly [expected: Readonly<Record<string, unknown>>, check: (client: Client) => Promise<unknown>]>
  >,
): readonly ConformanceCase[] {
  return Object.entries(table).map(([name, [expected, check]]) => {
    const { rule: names, title } = namesIn(name);
    const [rule = '', key = rule] = names.split(' ');
    return {
      rule: rule.replace(/\..*/, ''),
      title,
      async run(context) {
        for (const [reading, answer] of Object.entries(expected)) {
          const client = await context.start({ scenario, ambiguities: { [key]: reading } });
          assert.deepEqual(await check(client), answer, `${key} = ${reading}`);
        }
      },
    };
  });
}

function namesIn(name: string): Pick<ConformanceCase, 'rule' | 'title'> {
  const end = name.indexOf(': ');
  return { rule: name.slice(0, end), title: name.slice(end + 2) };
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

export function answered(reply: Reply, status: number): void {
  assert.equal(reply.status, status, reply.text);
}

export function refused(reply: Reply, status: number, code: string | undefined): void {
  answered(reply, status);
  assert.equal(reply.at('code'), code);
}
