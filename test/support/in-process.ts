// Hands requests to a sandbox in the same process, without a socket: what a socket would do to an answer (lost, cut off) is played.
import type { Transport } from '../../src/platform/transport.ts';
import type { OpenSandbox } from '../../src/sandbox/server.ts';

export function inProcess(app: OpenSandbox['app']): Transport {
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
    const response = await app.fetch(new Request(origin + path, { method, headers: { ...headers }, body: body ?? null }), { incoming, outgoing });
    if (isReset) throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' });
    if (half !== undefined) return { ...half, headers: { 'content-type': 'application/json' }, broken: 'broken-off' };
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
  };
}
