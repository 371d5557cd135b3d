// What a small GitHub and a small GitLab have in common: who may ask, what happens to a request, the time, the commits of
// a branch.
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

/**
 * What happens to a request: answered with an error before or after it is done, or its answer lost after it is done.
 */
export interface Fault {
  readonly method: string;
  readonly path: RegExp;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly after?: true;
  times: number;
}

export interface FakeForge {
  readonly url: string;
  /** `METHOD /path`, as they came. */
  readonly requests: string[];
  readonly faults: Fault[];
  readonly close: () => Promise<void>;
}

/** A forge without endpoints. `isKnown`: whether this header is that of somebody who may ask. */
export function fakeForge(isKnown: (authorization: string) => boolean) {
  const requests: string[] = [];
  const faults: Fault[] = [];
  const commits: string[] = [];
  let ids = 100;
  let clock = Date.parse('2026-01-01T00:00:00Z');
  const app = new Hono();
  app.use(async (context, next) => {
    const { method } = context.req;
    const path = new URL(context.req.url).pathname;
    requests.push(`${method} ${path}`);
    if (!isKnown(context.req.header('authorization') ?? '')) return context.json({ message: 'Bad credentials' }, 401);
    const fault = faults.find((one) => one.times > 0 && one.method === method && one.path.test(path));
    if (fault !== undefined) {
      fault.times -= 1;
      if (fault.after === true) await next();
      context.res = new Response(JSON.stringify(fault.body ?? { message: 'Something went wrong' }), {
        status: fault.status,
        headers: { 'content-type': 'application/json', ...fault.headers },
      });
      return context.res;
    }
    await next();
    return undefined;
  });
  return {
    app,
    /** Each event a second after the last: times are compared. */
    now: (): string => new Date((clock += 1000)).toISOString(),
    nextId: (): number => (ids += 1),
    history: {
      /** Adds a commit at the end, unless the branch has it. */
      add: (commit: string): void => {
        if (!commits.includes(commit)) commits.push(commit);
      },
      /** A commit and those before it, the newest first. */
      before: (commit = ''): readonly string[] => commits.slice(0, commits.indexOf(commit) + 1).reverse(),
    },
    listen: (): Promise<FakeForge> =>
      new Promise((resolve) => {
        const listening = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
          resolve({
            url: `http://127.0.0.1:${port}`,
            requests,
            faults,
            close: () => new Promise((done) => listening.close(() => done())),
          }),
        );
      }),
  };
}
