// The server that stands in for the platform while two versions of the program plan: on this machine, for a token that
// was made up for it. Each read gets the recorded answer. It refuses and remembers everything else, and connections to
// anywhere else, because it is their proxy too.
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Stage } from '../../../usecases/upgrade/stage.ts';

export interface ReplayServer {
  readonly url: string;
  readonly token: string;
  /** What was refused since the last time somebody asked. */
  readonly refused: () => readonly string[];
  /** Why a read had no answer, the last time that one had none. */
  readonly failure: () => string | undefined;
  readonly close: () => Promise<void>;
}

/** They are about one connection, or about a body that is sent anew. */
const OF_THE_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'content-encoding'];

/** Starts it. `answer`: the recorded answer to a request; undefined where that is no read. */
export async function startReplayServer(answer: Stage['answer']): Promise<ReplayServer> {
  const token = `upgrade-check-${randomBytes(16).toString('hex')}`;
  let refused: string[] = [];
  let failure: string | undefined;
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    const end = (status: number, body: string, more: Readonly<Record<string, string>> = {}): void => {
      response.writeHead(status, more).end(body);
    };
    if (![token, `Bearer ${token}`].includes(headers.authorization ?? '')) return end(401, '');
    text(request)
      .then(async (body) => {
        const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value?.toString()]));
        const found = await answer({ method, path: url, body, headers: given });
        if (found === undefined) {
          refused.push(`${method} ${url}`);
          return end(405, '');
        }
        const kept = Object.entries(found.headers).filter(([name]) => !OF_THE_CONNECTION.includes(name));
        if (found.broken !== undefined) response.destroy();
        else end(found.status, found.body, Object.fromEntries(kept));
      })
      // There was no answer, so there is none here.
      .catch(({ message }: Error) => {
        failure = message;
        response.destroy();
      });
  });
  server.on('connect', ({ url = '' }, socket) => {
    refused.push(`a connection to ${url}`);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    refused: () => {
      const unique = [...new Set(refused)];
      refused = [];
      return unique;
    },
    failure: () => failure,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
