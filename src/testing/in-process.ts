// Hands requests to a sandbox in the same process, without a socket: what a socket would do to an answer (lost, cut
// off, never sent) is played.
import { setImmediate as turn } from 'node:timers/promises';
import type { Transport } from '../platform/transport.ts';
import type { RecordedRequest } from '../sandbox/core/http/recording.ts';
import type { OpenSandbox } from '../sandbox/server.ts';

export function inProcess({ app, requests }: Pick<OpenSandbox, 'app' | 'requests'>): Transport {
  const noticed = new Set<RecordedRequest>();
  /** Whether this request hangs: nothing will ever come, and a client would wait until its own patience ends. */
  const hangs = (method: string, path: string): boolean => {
    const hung = requests.findLast(
      (request) =>
        request.fault === 'hang' && request.method === method && request.path === path && !noticed.has(request),
    );
    if (hung !== undefined) noticed.add(hung);
    return hung !== undefined;
  };
  return async ({ origin, path, method, headers, body }) => {
    let isReset = false;
    let half: { readonly status: number; body: string } | undefined;
    const incoming = { socket: { remoteAddress: '127.0.0.1', resetAndDestroy: () => (isReset = true) } };
    const outgoing = {
      writeHead: (status: number) => (half = { status, body: '' }),
      write: (bytes: Buffer) => {
        if (half !== undefined) half.body = bytes.toString('utf8');
      },
    };
    let response: Response | undefined;
    const answered = Promise.resolve(
      app.fetch(new Request(origin + path, { method, headers: { ...headers }, body: body ?? null }), {
        incoming,
        outgoing,
      }),
    ).then((given) => (response = given));
    while ((await Promise.race([answered.then(() => true), turn(false)])) === false) {
      if (hangs(method, path))
        throw Object.assign(new Error('Headers Timeout Error'), {
          name: 'HeadersTimeoutError',
          code: 'UND_ERR_HEADERS_TIMEOUT',
        });
    }
    if (isReset || response === undefined)
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' });
    if (half !== undefined) return { ...half, headers: { 'content-type': 'application/json' }, broken: 'broken-off' };
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
  };
}
