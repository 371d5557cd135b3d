// Floods: a thousand messages a second from a platform that never tires, for as long as it takes to see that nothing
// grows. The platform is another process, so that what is measured is the receiver.
import { spawn } from 'node:child_process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, it } from 'vitest';
import { realClock } from '../../src/library/real-clock.ts';
import { commandDispatcher } from '../../src/events/command-dispatcher.ts';
import type { Dispatcher } from '../../src/events/run-request.ts';
import { queueDispatcher } from '../../src/worker/queue.ts';
import { createDatabase, noPostgres } from '../support/servers/postgres.ts';
import { isWhole } from '../support/whole.ts';
import type { Ground } from './ground.ts';
import { SECRET, startReceiver } from './ground.ts';

let ground: Ground | undefined;
afterEach(async () => {
  await ground?.close();
  ground = undefined;
});

/** Sends so many messages a second over some connections, whatever comes back; prints what came back. */
const PLATFORM = `
const http = require('node:http');
const [url, secret, perSecond, seconds, sockets] = process.argv.slice(1);
const agent = new http.Agent({ keepAlive: true, maxSockets: Number(sockets) });
const total = perSecond * seconds, counts = {}, lost = {}, times = [];
let sent = 0, ended = 0;
const send = (index) => {
  const site = { id: 'site-' + index, name: 's', account: { id: 'acc-' + (index % 500), name: 'x' }, filler: 'x'.repeat(1000) };
  const body = JSON.stringify({ action: 'resized', site });
  const from = performance.now();
  const end = (status) => {
    counts[status] = (counts[status] ?? 0) + 1;
    times.push(performance.now() - from);
    if (++ended === total) {
      times.sort((a, b) => a - b);
      console.log(JSON.stringify({ counts, lost, seconds: (performance.now() - began) / 1000, medianMs: times[total >> 1], p99Ms: times[Math.floor(total * 0.99)] }));
      agent.destroy();
    }
  };
  const request = http.request(url, { method: 'POST', agent, headers: { authorization: index % 10 === 9 ? 'wrong' : secret } }, (answer) => {
    answer.resume();
    answer.on('end', () => end(answer.statusCode));
  });
  request.on('error', ({ code }) => { lost[code] = (lost[code] ?? 0) + 1; end('lost'); });
  request.end(body);
};
const began = performance.now();
const timer = setInterval(() => {
  const due = Math.min(total, Math.floor(((performance.now() - began) / 1000) * perSecond));
  while (sent < due) send(sent++);
  if (sent === total) clearInterval(timer);
}, 5);
`;

interface Flood {
  readonly counts: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly medianMs: number;
  readonly p99Ms: number;
}

function flood(url: string, seconds: number, sockets: number): Promise<Flood> {
  return new Promise((resolve, reject) => {
    const args = ['-e', PLATFORM, `${url}/webhooks`, SECRET, '1000', String(seconds), String(sockets)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.on('error', reject);
    child.on('close', () => resolve(JSON.parse(text) as Flood));
  });
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heapMb(): number {
  collect();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

/** Whoever takes the runs, and how to end it. */
type Open = () => Promise<Dispatcher>;

function slow(takesMs: number): Open {
  return () =>
    Promise.resolve({
      name: 'the test',
      dispatch: () => new Promise((resolve) => setTimeout(resolve, takesMs)),
      close: () => Promise.resolve(),
    });
}

const queue: Open = async () =>
  queueDispatcher({
    clock: realClock,
    databaseUrl: await createDatabase(),
    node: '22.12.0',
    onError: ({ message }) => process.stderr.write(`${message}\n`),
  });

const program: Open = () =>
  Promise.resolve(
    commandDispatcher({ program: 'true', cwd: import.meta.dirname, env: process.env, say: () => undefined }),
  );

const CASES: readonly (readonly [string, Open, number])[] = [
  ['a dispatcher that takes all', slow(0), 200],
  ['a dispatcher that is slow', slow(200), 3000],
  ...(noPostgres === undefined ? [['the queue', queue, 200] as const] : []),
  ['a program', program, 3000],
];

it.runIf(isWhole).each(CASES)(
  '1,000 messages a second are taken or refused with words, and nothing grows: %s',
  async (what, open, sockets) => {
    const dispatcher = await open();
    ground = await startReceiver({
      dispatch: dispatcher.dispatch,
      onAnswer: ({ message }) => expect(message).not.toBe(''),
    });
    const { url, taken } = ground;
    await flood(url, 3, sockets);
    taken.length = 0;
    const before = heapMb();
    const used = process.cpuUsage();
    const found = await flood(url, 10, sockets);
    const { user, system } = process.cpuUsage(used);
    const handedOn = taken.length;
    taken.length = 0;
    const grown = heapMb() - before;
    await dispatcher.close();
    process.stdout.write(
      `${what}: ${JSON.stringify({ ...found, handedOn, cpuMsEach: (user + system) / 1000 / 10_000, grownMb: Math.round(grown) })}\n`,
    );
    expect(found.counts.lost ?? 0).toBe(0);
    expect(found.counts['401']).toBe(1000);
    expect(Object.values(found.counts).reduce((sum, count) => sum + count, 0)).toBe(10_000);
    // Keys of what was taken are kept, to a bound of their own.
    expect(grown).toBeLessThan(30);
  },
);
