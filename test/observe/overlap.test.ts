// What is done while answers are on their way.
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/platform/http.ts';
import { createLimiter } from '../../src/platform/limiter.ts';
import { createSpareTime } from '../../src/platform/exchange.ts';
import type { Transport } from '../../src/platform/transport.ts';
import { driftWorkspace } from '../../src/usecases/drift.ts';
import type { Harness } from '../support/harness.ts';
import { openHarness } from '../support/open-harness.ts';
import { virtualClock } from '../platform/virtual-clock.ts';

const SITES = ['s00001', 's00002', 's00003', 's00004', 's00005', 's00006'];
const manifest = (name: string): string =>
  `apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: ${name} }\nspec:\n  primaryDomain: ${name}.example.com\n  domains: [${name}.example.com, www.${name}.example.com]\n  caching: { cacheExpiration: 60 }\n`;

async function startSites(): Promise<Harness> {
  const files = Object.fromEntries(SITES.map((name) => [`sites/${name}.yaml`, manifest(name)]));
  return await openHarness({ scenario: 'sites:6', files });
}

describe('a plan', () => {
  it('asks for the same as drift does, each once', async () => {
    const { plan, session, sandbox } = await startSites();
    const asked = async (work: () => Promise<{ readonly requests: number }>): Promise<readonly string[]> => {
      const from = sandbox.requests.length;
      const { requests } = await work();
      const paths = sandbox.requests.slice(from).map(({ path }) => path);
      expect(requests).toBe(paths.length);
      expect(new Set(paths).size).toBe(paths.length);
      return paths.sort();
    };
    const ofPlan = await asked(() => plan());
    expect(await asked(() => driftWorkspace(session(), { paths: [], targets: [], ignore: [] }))).toEqual(ofPlan);
  });
});

describe('spare time', () => {
  it('is given to one piece a turn, in their order', () => {
    const turns: (() => void)[] = [];
    const done: string[] = [];
    const add = createSpareTime((next) => turns.push(next));
    for (const piece of ['a', 'b']) add(() => done.push(piece));
    expect([done, turns.length]).toEqual([[], 1]);
    turns.shift()?.();
    expect([done, turns.length]).toEqual([['a'], 1]);
    turns.shift()?.();
    expect([done, turns.length]).toEqual([['a', 'b'], 0]);
    add(() => done.push('c'));
    turns.shift()?.();
    expect([done, turns.length]).toEqual([['a', 'b', 'c'], 0]);
  });
});

describe('requests that wait for their turn', () => {
  it('leave as soon as an answer comes, in their order, and no more than may', async () => {
    const limiter = createLimiter({ most: 2, clock: virtualClock() });
    const left: number[] = [];
    const answers: (() => void)[] = [];
    const runs = [0, 1, 2, 3].map((number) =>
      limiter.run(() => {
        left.push(number);
        return new Promise<number>((resolve) => answers.push(() => resolve(number)));
      }),
    );
    await turn();
    expect(left).toEqual([0, 1]);
    answers[1]?.();
    await runs[1];
    await Promise.resolve();
    expect(left).toEqual([0, 1, 2]);
    for (const answer of answers) answer();
    await turn();
    answers.at(-1)?.();
    expect(await Promise.all(runs)).toEqual([0, 1, 2, 3]);
  });

  it('are not held up by one that fails', async () => {
    const limiter = createLimiter({ most: 1, clock: virtualClock() });
    const failing = limiter.run(() => Promise.reject(new Error('no answer')));
    const next = limiter.run(() => Promise.resolve('answered'));
    await expect(failing).rejects.toThrow('no answer');
    expect(await next).toBe('answered');
  });
});

describe('answers that arrive together', () => {
  it('are looked into when the next requests have left', async () => {
    const order: string[] = [];
    const arrive: (() => void)[] = [];
    const transport: Transport = ({ path }) => {
      order.push(`${path} leaves`);
      return new Promise((resolve) =>
        arrive.push(() =>
          resolve({
            status: 200,
            headers: {},
            get body() {
              order.push(`${path} is read`);
              return '{}';
            },
          }),
        ),
      );
    };
    const client = createClient({
      baseUrl: 'http://127.0.0.1:1',
      token: 'hw_token',
      account: 'acc-acme',
      clock: virtualClock(),
      concurrency: 2,
      timeoutMs: 1000,
      random: () => 0,
      transport,
    });
    const reads = ['/a', '/b', '/c', '/d'].map((path) => client.read(path));
    await turn();
    for (const one of arrive.splice(0)) one();
    await reads[1];
    for (const one of arrive.splice(0)) one();
    await Promise.all(reads);
    expect([...new Set(order)]).toEqual([
      ...['/a leaves', '/b leaves', '/c leaves', '/d leaves'],
      ...['/a is read', '/b is read', '/c is read', '/d is read'],
    ]);
  });
});
