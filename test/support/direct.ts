// A transport into a sandbox in the same process, without sockets: for tests that need thousands of runs. What a fault does to a connection
// becomes what the client would see of it.
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Transport } from '../../src/platform/transport.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';

const reset = (): Error => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });

export function directTo(sandbox: Pick<Sandbox, 'fetch'>): Transport {
  return async ({ path, method, headers, body }) => {
    let written = '';
    let status = 0;
    const socket = { remoteAddress: '127.0.0.1', resetAndDestroy: () => undefined, destroy: () => undefined };
    const outgoing = {
      socket,
      writeHead: (code: number) => (status = code),
      write: (bytes: Buffer, then: () => void) => {
        written = bytes.toString();
        then();
      },
    };
    const connection = { incoming: { socket }, outgoing } as unknown as HttpBindings;
    const response = await sandbox.fetch(new Request(`http://sandbox.local${path}`, { method, headers: { ...headers }, ...(body !== undefined && { body }) }), connection);
    if (response !== RESPONSE_ALREADY_SENT) return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
    if (status === 0) throw reset();
    return { status, headers: {}, body: written, broken: 'broken-off' };
  };
}
