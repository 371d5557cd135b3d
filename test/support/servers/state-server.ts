// A server that keeps one document and its lock, as servers for remote state do, with the accidents that tests ask for.
import { serve } from '@hono/node-server';
import type { HttpBindings, ServerType } from '@hono/node-server';
import { Hono } from 'hono';
import type { Context } from 'hono';

export interface StateServer {
  readonly address: string;
  /** The document as text. */
  document: string | undefined;
  lock: { readonly ID: string; readonly [name: string]: unknown } | undefined;
  /** `GET /state`, in order. */
  readonly requests: string[];
  /** Asked after each request is carried out: the answer instead, or `reset` for none at all. */
  after: (name: string, n: number) => Response | 'reset' | undefined;
  /** Asked before each request is carried out. */
  before: (name: string, n: number) => Response | undefined;
  /** What it tells of a lock to whoever finds it taken. */
  tellLock: (lock: { readonly ID: string; readonly [name: string]: unknown }) => unknown;
  authorization: string | undefined;
  readonly close: () => Promise<void>;
}

type Bound = Context<{ readonly Bindings: HttpBindings }>;

export async function startStateServer(): Promise<StateServer> {
  const app = new Hono<{ readonly Bindings: HttpBindings }>();
  const state: { -readonly [Name in keyof StateServer]: StateServer[Name] } = {
    address: '',
    document: undefined,
    lock: undefined,
    requests: [],
    before: () => undefined,
    after: () => undefined,
    tellLock: (lock) => lock,
    authorization: undefined,
    close: () => Promise.resolve(),
  };
  const actions: Readonly<Record<string, (c: Bound) => Promise<Response>>> = {
    GET: (c) =>
      Promise.resolve(
        state.document === undefined
          ? c.body(null, 204)
          : c.body(state.document, 200, { 'content-type': 'application/json' }),
      ),
    POST: async (c) => {
      if (state.lock !== undefined && c.req.query('ID') !== state.lock.ID)
        return c.json(state.tellLock(state.lock) as object, 409);
      state.document = await c.req.text();
      return c.body(null, 200);
    },
    LOCK: async (c) => {
      if (state.lock !== undefined) return c.json(state.tellLock(state.lock) as object, 423);
      state.lock = await c.req.json();
      return c.body(null, 200);
    },
    UNLOCK: async (c) => {
      const { ID } = await c.req.json<{ ID?: string }>();
      if (ID !== undefined && state.lock !== undefined && ID !== state.lock.ID)
        return c.json(state.tellLock(state.lock) as object, 409);
      state.lock = undefined;
      return c.body(null, 200);
    },
  };
  for (const [method, act] of Object.entries(actions)) {
    app.on(method, '/state', async (c) => {
      state.requests.push(method);
      const n = state.requests.length;
      state.authorization = c.req.header('authorization');
      const instead = state.before(method, n);
      if (instead !== undefined) return instead;
      const answer = await act(c);
      const reported = state.after(method, n);
      if (reported !== 'reset') return reported ?? answer;
      c.env.incoming.socket.destroy();
      return answer;
    });
  }
  const server = await new Promise<ServerType>((resolve) => {
    const started: ServerType = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => {
      state.address = `http://127.0.0.1:${port}/state`;
      resolve(started);
    });
  });
  state.close = () => new Promise((resolve) => void server.close(() => resolve()));
  return state;
}
