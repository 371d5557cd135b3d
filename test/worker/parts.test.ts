// What a worker consists of, part by part: how requests are joined, when accounts are looked at, what is told of it.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { version } from '../../package.json';
import { parseListen } from '../../src/cli/parse.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { RECEIVER_METRICS } from '../../src/events/receiver.ts';
import type { Endpoints } from '../../src/worker/endpoints.ts';
import { serveEndpoints } from '../../src/worker/endpoints.ts';
import { errorTeller } from '../../src/worker/database.ts';
import { createCounters, METRICS } from '../../src/worker/metrics.ts';
import { checkQueue } from '../../src/worker/queue.ts';
import { covers, joinAsked } from '../../src/worker/run-account.ts';
import { cronOf, EVERY } from '../../src/worker/schedule.ts';
import { accountIds } from './accounts.ts';
import { openFolder } from '../support/closing.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

describe('requests of one account that are joined', () => {
  it('become a run that does the most that any of them asked for', () => {
    expect(joinAsked([{ run: 'drift' }, { run: 'drift' }])).toEqual({ run: 'drift' });
    expect(joinAsked([{ run: 'drift' }, { run: 'apply' }])).toEqual({ run: 'apply' });
    expect(joinAsked([{ run: 'drift', notify: true }, { run: 'apply' }])).toEqual({ run: 'apply', notify: true });
  });

  it('are given up for another one only where that asks for as much', () => {
    expect(covers({ run: 'apply' }, { run: 'drift' })).toBe(true);
    expect(covers({ run: 'drift' }, { run: 'apply' })).toBe(false);
    expect(covers({ run: 'apply' }, { run: 'drift', notify: true })).toBe(false);
  });
});

/** The minutes of a day that an expression of minutes and hours means. */
function timesOfDay(cron: string): readonly number[] {
  const [minutes = '', hours = '', ...rest] = cron.split(' ');
  expect(rest).toEqual(['*', '*', '*']);
  const hoursOf = hours === '*' ? Array.from({ length: 24 }, (_, hour) => hour) : hours.split(',').map(Number);
  return hoursOf.flatMap((hour) => minutes.split(',').map((minute) => hour * 60 + Number(minute)));
}

describe('errors of the queue', () => {
  it('are told once, and so is its return, also where the first look already finds it there', async () => {
    const told: string[] = [];
    const answers: (string | undefined)[] = [];
    const clock = { now: () => 0, sleep: () => Promise.resolve() };
    const tell = errorTeller(
      { clock, stop: new AbortController().signal },
      ({ event }) => told.push(event),
      () => Promise.resolve(answers.shift()),
    );
    tell(new Error('a connection is lost'));
    tell(new Error('and another one'));
    await new Promise(setImmediate);
    expect(told).toEqual(['queue-error', 'queue-back']);
    answers.push('away', 'away', undefined);
    tell(new Error('lost again'));
    await new Promise(setImmediate);
    expect(told).toEqual(['queue-error', 'queue-back', 'queue-error', 'queue-back']);
    expect(answers).toEqual([]);
  });
});

describe('schedules', () => {
  it.each(EVERY)('every %s, each account is looked at as often as that says, and they are spread', (every) => {
    const minutes = Number.parseInt(every, 10) * (every.endsWith('h') ? 60 : 1);
    const firsts = accountIds(100).map((account) => {
      const times = timesOfDay(cronOf(account, every));
      expect(times).toHaveLength((24 * 60) / minutes);
      const [from = Number.NaN] = times;
      expect(times).toEqual(times.map((_, index) => from + index * minutes));
      return from;
    });
    const early = firsts.filter((first) => first < minutes / 2).length;
    expect(early).toBeGreaterThan(30);
    expect(early).toBeLessThan(90);
  });
});

describe('what stands in the way', () => {
  it('is told before anything is loaded: the version of Node.js first', () => {
    const databaseUrl = 'postgres://a:b@127.0.0.1/c';
    expect(checkQueue({ node: '20.20.2', databaseUrl: undefined })?.code).toBe('HW7131');
    expect(checkQueue({ node: '22.11.0', databaseUrl })?.code).toBe('HW7131');
    expect(checkQueue({ node: '22.12.0', databaseUrl })).toBeUndefined();
    expect(checkQueue({ node: '24.0.0', databaseUrl })).toBeUndefined();
    expect(checkQueue({ node: '24.0.0', databaseUrl: undefined })?.code).toBe('HW7133');
    const wrong = checkQueue({ node: '24.0.0', databaseUrl: 'mysql://user:secret@host/name' });
    expect(wrong?.code).toBe('HW7133');
    expect(wrong?.detail).not.toContain('secret');
  });

  it('is an address that is none', () => {
    expect(parseListen('127.0.0.1:9090')).toEqual({ host: '127.0.0.1', port: 9090 });
    expect(parseListen('[::1]:9090')).toEqual({ host: '::1', port: 9090 });
    expect(parseListen(':9090')).toEqual({ host: '127.0.0.1', port: 9090 });
    for (const wrong of ['9090', '127.0.0.1', '::1:9090', '127.0.0.1:70000'])
      expect(() => parseListen(wrong)).toThrow(/port/i);
  });
});

let endpoints: Endpoints | undefined;
afterEach(async () => {
  await endpoints?.close();
  endpoints = undefined;
});

describe('the endpoints', () => {
  it('say how it is, and count', async () => {
    const counters = createCounters();
    counters.add('runs', { run: 'drift', outcome: 'done' });
    counters.add('runs', { run: 'drift', outcome: 'done' });
    counters.observe('seconds', 0.7);
    const health: { reason?: string } = {};
    const one = await serveEndpoints(
      { host: '127.0.0.1', port: 0 },
      {
        unhealthy: () => Promise.resolve(health.reason),
        metrics: () => counters.render([{ metric: 'drift', labels: { account: 'a"\\\n' }, value: 3 }]),
        page: { has: () => false, answer: () => Promise.resolve() },
      },
    );
    endpoints = one;
    const get = async (path: string) => {
      const answer = await fetch(`${one.url}${path}`);
      return [answer.status, await answer.text()] as const;
    };
    expect(await get('/healthz')).toEqual([200, 'ok\n']);
    health.reason = 'the worker stops';
    expect(await get('/healthz')).toEqual([503, 'the worker stops\n']);
    expect((await get('/'))[0]).toBe(404);
    expect((await fetch(`${one.url}/metrics`, { method: 'POST' })).status).toBe(405);
    const lines = (await get('/metrics'))[1].split('\n');
    expect(lines).toContain('hostwright_runs_total{run="drift",outcome="done"} 2');
    expect(lines).toContain('hostwright_run_seconds_bucket{le="0.5"} 0');
    expect(lines).toContain('hostwright_run_seconds_bucket{le="1"} 1');
    expect(lines).toContain('hostwright_run_seconds_bucket{le="+Inf"} 1');
    expect(lines).toContain('hostwright_run_seconds_sum 0.7');
    expect(lines).toContain('hostwright_account_drift{account="a\\"\\\\\\n"} 3');
    for (const { name, type } of Object.values(METRICS)) expect(lines).toContain(`# TYPE ${name} ${type}`);
  });
});

const UTF8 = { encoding: 'utf8' } as const;

/** Whether a program is missing; that it is not tried is told. */
function misses(program: string, what: string): boolean {
  if (spawnSync(program, ['--version']).error === undefined) return false;
  process.stderr.write(`${what}: not tried, ${program} is not installed\n`);
  return true;
}
const noPromtool = misses('promtool', 'the alert rules');
const noAnalyze = misses('systemd-analyze', 'the exposure of the systemd units');

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly pid?: string;
  readonly ports?: readonly string[];
  readonly stop_grace_period?: string;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, object>>;
}

describe('the examples', () => {
  interface Panel {
    readonly title: string;
    readonly gridPos: { readonly x: number; readonly w: number };
    readonly targets: readonly { readonly expr: string }[];
  }
  const dashboard = JSON.parse(read('examples/worker/grafana-dashboard.json')) as { readonly panels: readonly Panel[] };
  const all = [...Object.values(METRICS), ...Object.values(RECEIVER_METRICS)];
  const series = new Set<string>(all.flatMap(({ name, type }) => (type === 'histogram' ? [`${name}_bucket`] : [name])));
  const named = (text: string): readonly string[] => text.match(/\bhostwright_\w+/g) ?? [];

  it('ask only for metrics that there are, in every panel of the dashboard', () => {
    for (const { title, targets, gridPos } of dashboard.panels) {
      expect(targets.length, title).toBeGreaterThan(0);
      expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
      for (const { expr } of targets) {
        expect(named(expr).length, title).toBeGreaterThan(0);
        for (const name of named(expr)) expect([...series], title).toContain(name);
      }
    }
  });

  it('show every metric on the dashboard, and the page tells them all', () => {
    const shown = new Set(dashboard.panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => named(expr))));
    expect([...shown].toSorted()).toEqual([...series].toSorted());
    const told = new Set([...named(read('docs/worker.md')), ...named(read('docs/events.md'))]);
    for (const { name } of all) expect([...told]).toContain(name);
  });

  it('alert on metrics that there are, with words and commands for whoever is woken', () => {
    const { groups } = parse(read('examples/worker/alerts.yaml')) as {
      readonly groups: readonly {
        readonly rules: readonly {
          readonly alert: string;
          readonly expr: string;
          readonly labels: { readonly severity: string };
          readonly annotations: { readonly summary: string; readonly description: string };
        }[];
      }[];
    };
    const rules = groups.flatMap((group) => group.rules);
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { alert, expr, labels, annotations } of rules) {
      expect(named(expr).length, alert).toBeGreaterThan(0);
      for (const name of named(expr)) expect([...series], alert).toContain(name);
      expect(['warning', 'critical'], alert).toContain(labels.severity);
      expect(annotations.summary.length * annotations.description.length, alert).toBeGreaterThan(0);
    }
  });

  it.skipIf(noPromtool)('are rules that Prometheus takes', () => {
    expect(execFileSync('promtool', ['check', 'rules', join(root, 'examples/worker/alerts.yaml')], UTF8)).toContain(
      `SUCCESS: ${read('examples/worker/alerts.yaml').match(/- alert:/g)?.length} rules found`,
    );
  });

  it.skipIf(noAnalyze)('leave a service of systemd little that it could harm', async () => {
    const folder = await openFolder();
    for (const [unit, as] of [
      ['hostwright-work@.service', 'hostwright-work@1.service'],
      ['hostwright-receive.service', 'hostwright-receive.service'],
    ] as const) {
      const file = join(folder, as);
      await copyFile(join(root, 'examples/worker', unit), file);
      const said = execFileSync('systemd-analyze', ['security', '--offline=true', '--no-pager', file], UTF8);
      const exposure = Number(/Overall exposure level for .*: ([\d.]+)/.exec(said)?.[1]);
      expect(exposure, `${unit}: ${said}`).toBeLessThan(3);
    }
  });

  it('start the command with options that it has, and leave it time to drain', () => {
    const silent = {
      result() {},
      stream: async () => {},
      error() {},
      raw() {},
      flush: async () => {},
      unwritten: () => undefined,
    };
    const commands =
      buildProgram('', silent, async () => {}).commands.find((one) => one.name() === 'serve')?.commands ?? [];
    const optionsOf = (name: string) =>
      commands.find((command) => command.name() === name)?.options.map(({ long }) => long);
    const compose = parse(read('examples/worker/compose.yaml'), { merge: true }) as {
      readonly services: Readonly<Record<'database' | 'processes' | 'worker' | 'receiver', Service>>;
    };
    const { database, processes, worker, receiver } = compose.services;
    const unit = read('examples/worker/hostwright-work@.service');
    const started = (text: string) => /^ExecStart=(.*)$/m.exec(text)?.[1]?.split(' ') ?? [];
    for (const [name, words] of [
      ['worker', worker.command],
      ['worker', started(unit)],
      ['receiver', receiver.command],
      ['receiver', started(read('examples/worker/hostwright-receive.service'))],
    ] as const) {
      expect(words).toContain(name);
      for (const word of (words ?? []).filter((one) => one.startsWith('--'))) expect(optionsOf(name)).toContain(word);
    }
    // Each of ours is the image of this version, on a root that is read only, and shares no name space with the machine.
    for (const one of [processes, worker, receiver]) {
      expect(one).toMatchObject({ read_only: true, cap_drop: ['ALL'], restart: 'always' });
      expect(one.image).toBe(`ghcr.io/hostwright/hostwright:${version}`);
    }
    expect(worker.pid).toBe('service:processes');
    expect([database, processes, receiver].map(({ pid }) => pid)).toEqual([undefined, undefined, undefined]);
    for (const { depends_on: needed = {}, environment = {} } of [worker, receiver]) {
      expect(needed.database).toEqual({ condition: 'service_healthy' });
      expect(environment.HOSTWRIGHT_DATABASE_URL).toContain('@database/');
    }
    // Who takes messages has no token of the platform, and is reached from this machine alone.
    expect(receiver.environment).not.toHaveProperty('HOSTWRIGHT_TOKEN');
    for (const { healthcheck } of [worker, receiver]) expect(healthcheck?.test.join(' ')).toContain('GET /healthz ');
    expect(receiver.ports).toEqual(['127.0.0.1:8080:8080']);
    expect(database.ports).toBeUndefined();
    expect(Object.keys(parse(read('examples/worker/compose.yaml')) as object)).toContain('volumes');
    expect(Number.parseInt(worker.stop_grace_period ?? '', 10)).toBeGreaterThan(35);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(35);
  });
});
