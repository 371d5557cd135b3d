// What is done while answers are on their way.
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { registry } from '../../src/kinds/index.ts';
import type { Kind } from '../../src/model/kind/kind.ts';
import { createClient } from '../../src/platform/http.ts';
import { createLimiter } from '../../src/platform/limiter.ts';
import { createSpareTime } from '../../src/platform/spare-time.ts';
import type { Transport } from '../../src/platform/transport.ts';
import { driftWorkspace } from '../../src/workflow/drift.ts';
import type { Harness } from '../support/harness.ts';
import { startHarness } from '../support/harness.ts';
import { virtualClock } from '../platform/virtual-clock.ts';

let harness: Harness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

const SITES = ['s00001', 's00002', 's00003', 's00004', 's00005', 's00006'];
const manifest = (name: string): string =>
  `apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: ${name} }\nspec:\n  primaryDomain: ${name}.example.com\n  domains: [${name}.example.com, www.${name}.example.com]\n  caching: { cacheExpiration: 60 }\n`;

async function startSites(): Promise<Harness> {
  const files = Object.fromEntries(SITES.map((name) => [`sites/${name}.yaml`, manifest(name)]));
  return (harness = await startHarness({ scenario: 'sites:6', files }));
}

describe('a plan', () => {
  it('has planned sections before the last answer has come', async () => {
    const { plan, session, planned } = await startSites();
    const { transport } = session();
    if (transport === undefined) throw new Error('the harness has no transport of its own');
    const before = await planned();
    // A kind is asked for its notices when one of its objects is planned.
    const caching = registry.get('Caching') as { -readonly [Key in keyof Kind]: Kind[Key] };
    const { notices } = caching;
    let planning = 0;
    let earlyOnes: number | undefined;
    caching.notices = (...given) => {
      planning += 1;
      return notices?.(...given) ?? [];
    };
    try {
      const { plan: made, requests } = await plan(
        {},
        {
          transport: async (request) => {
            const answer = await transport(request);
            if (!request.path.includes('site-s00006')) return answer;
            for (let turns = 0; turns < 1000 && planning < SITES.length - 1; turns += 1) await turn();
            earlyOnes = planning;
            return answer;
          },
        },
      );
      expect(earlyOnes).toBe(SITES.length - 1);
      // None is planned twice.
      expect(planning).toBe(SITES.length);
      expect(made).toEqual(before);
      expect(requests).toBe(2 + SITES.length);
    } finally {
      if (notices === undefined) delete caching.notices;
      else caching.notices = notices;
    }
  });

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
  it('is given to one piece a turn, and ends at once', () => {
    const turns: (() => void)[] = [];
    const done: string[] = [];
    const { add, end } = createSpareTime((next) => turns.push(next));
    for (const piece of ['a', 'b', 'c']) add(() => done.push(piece));
    expect(turns).toHaveLength(1);
    turns.shift()?.();
    expect([done, turns.length]).toEqual([['a'], 1]);
    end();
    turns.shift()?.();
    expect([done, turns.length]).toEqual([['a'], 0]);
    add(() => done.push('d'));
    turns.shift()?.();
    turns.shift()?.();
    expect([done, turns.length]).toEqual([['a', 'd'], 0]);
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
