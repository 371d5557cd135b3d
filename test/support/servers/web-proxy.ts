// A proxy as companies have them: tunnels for https, requests with whole addresses for http. It keeps what it was asked
// for, and may want a password.
import { createServer, request as send } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { listen } from './plain.ts';

export interface WebProxy {
  readonly url: string;
  /** `CONNECT host:port`, or the method and the whole address. */
  readonly asked: string[];
  /** Answered to whoever comes; 200: nobody is refused. */
  refuseWith: number;
  readonly close: () => Promise<void>;
}

export async function startWebProxy(credentials?: string): Promise<WebProxy> {
  const sockets = new Set<Socket>();
  const wanted = credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
  const isRefused = ({ headers }: IncomingMessage): boolean =>
    wanted !== undefined && headers['proxy-authorization'] !== wanted;
  const proxy: { -readonly [Key in keyof WebProxy]: WebProxy[Key] } = {
    url: '',
    asked: [],
    refuseWith: 200,
    close: () => Promise.resolve(),
  };
  const server = createServer((incoming, outgoing) => {
    proxy.asked.push(`${incoming.method} ${incoming.url}`);
    if (isRefused(incoming)) return void outgoing.writeHead(407).end();
    const { 'proxy-authorization': _own, 'proxy-connection': _hop, ...headers } = incoming.headers;
    const onward = send(incoming.url ?? '', { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.on('connect', (incoming, socket: Socket) => {
    proxy.asked.push(`CONNECT ${incoming.url}`);
    socket.on('error', () => undefined);
    const refusal = isRefused(incoming) ? 407 : proxy.refuseWith;
    if (refusal !== 200) return void socket.end(`HTTP/1.1 ${refusal} No\r\n\r\n`);
    const [host = '', port] = (incoming.url ?? '').split(':');
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    sockets.add(onward);
    onward.on('error', () => socket.destroy());
  });
  const port = await listen(server);
  proxy.url = `http://${credentials === undefined ? '' : `${credentials}@`}127.0.0.1:${port}`;
  proxy.close = () =>
    new Promise((resolve) => {
      for (const socket of sockets) socket.destroy();
      server.close(() => resolve());
    });
  return proxy;
}
