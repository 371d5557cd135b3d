// Progress on a stream that is only looked at: what a person sees live, what a log keeps, and that a result is never in
// between.
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/model/plan/event.ts';
import { createProgress } from '../../src/cli/progress/progress.ts';
import type { ProgressOptions } from '../../src/cli/progress/progress.ts';
import { silentProgress } from '../../src/cli/progress/silent.ts';
import { NOTHING_YET, advance, heartbeat, liveLines } from '../../src/cli/progress/state.ts';

const WWW = 'Site/shop/SiteDomain/www.example.com';
const OLD = 'Site/shop/SiteDomain/old.example.com';

const events: readonly RunEvent[] = [
  { type: 'reading', done: 1, total: 4 },
  {
    type: 'run-started',
    actions: [
      { address: WWW, verb: 'create' },
      { address: OLD, verb: 'delete' },
    ],
  },
  { type: 'action-started', address: WWW, verb: 'create', atMs: 1000 },
  { type: 'step-started', address: WWW, step: 'attach', text: 'attach the hostname\u001b[2J', atMs: 1000 },
  { type: 'retrying', text: 'the platform answers 429', inMs: 5000 },
  {
    type: 'waiting',
    address: WWW,
    on: 'until the list shows the hostname',
    atMs: 2000,
    deadlineAtMs: 122_000,
    seen: 'pending',
    nextAtMs: 7000,
    remedy: 'Publish the record a with the value b.',
  },
];
const finished: RunEvent = { type: 'action-finished', address: WWW, verb: 'create', result: 'done', atMs: 66_000 };

function stream(columns = 100) {
  const written: string[] = [];
  return { columns, rows: 30, isTTY: true, written, write: (text: string) => written.push(text) };
}

async function progressOn(mode: ProgressOptions['mode'], target = stream()) {
  let now = 5000;
  const ticks: (() => void)[] = [];
  let stopped = 0;
  const progress = await createProgress({
    stream: target,
    mode,
    clock: { now: () => now },
    redact: (text) => text.replaceAll('s3cret', '***'),
    every: (_interval, callback) => (ticks.push(callback), () => (stopped += 1)),
  });
  return {
    progress,
    target,
    text: () => target.written.join(''),
    tick: (atMs: number) => ((now = atMs), ticks.forEach((callback) => callback())),
    stopped: () => stopped,
  };
}

describe.each(['live', 'lines'] as const)('%s', (mode) => {
  it('says who holds the ledger that is waited for, since when', async () => {
    const { progress, text } = await progressOn(mode);
    progress.emit({
      type: 'lock-held',
      holder: 'alice on runner-7\u001b[2J, process 1, run r, since 2026-03-01T00:00:00.000Z',
      waitMs: 600_000,
    });
    expect(text()).toContain('Waiting up to 10m for the ledger. It is held by alice on runner-7');
    expect(text()).toContain('since 2026-03-01T00:00:00.000Z\n');
    expect(text()).not.toContain('\u001b[2J');
    progress.stop();
  });
});

describe('live', () => {
  it('shows what runs, what it waits for, and how long; what is over stays', async () => {
    const { progress, target, text, tick, stopped } = await progressOn('live');
    for (const event of events) progress.emit(event);
    expect(text()).toContain('0 of 2 done');
    // Only what changed is drawn again.
    expect(target.written.at(-1)).toContain('3s, 1m 57s left, next look in 2s');
    expect(target.written.at(-1)).toContain('      waits until the list shows the hostname; last seen: pending');
    // What to do is told at once, and stays.
    expect(text()).toContain(
      `${WWW} waits until the list shows the hostname\n  -> Publish the record a with the value b.\n`,
    );
    // Another look at the same: since when stays, and what to do is not told again.
    progress.emit({
      type: 'waiting',
      address: WWW,
      on: 'until the list shows the hostname',
      atMs: 7000,
      deadlineAtMs: 122_000,
      seen: 'pending',
    });
    tick(62_000);
    expect(target.written.at(-1)).toContain('1m, 1m left');
    expect(text().split('Publish the record')).toHaveLength(2);
    progress.emit(finished);
    expect(text()).toContain(`[1/2] + ${WWW} done (1m 5s)\n`);
    progress.stop();
    expect(stopped()).toBe(1);
    const before = target.written.length;
    tick(90_000);
    expect(target.written.length).toBe(before);
    expect(text()).not.toContain('\u001b[2J');
    // The cursor is never hidden: a killed run would leave the terminal without one.
    expect(text()).not.toContain('\u001b[?25l');
  });

  it('makes room for a question and for notes', async () => {
    const { progress, target } = await progressOn('live');
    progress.emit({ type: 'reading', done: 2, total: 4 });
    expect(target.written.at(-1)).toContain('reading the account: 2 of 4');
    progress.pause();
    expect(target.written.at(-1)).toContain('\u001b[2K');
    const before = target.written.length;
    progress.note('Stopping.');
    expect(target.written.slice(before)).toEqual(['Stopping.\n']);
    progress.emit({ type: 'interrupted', running: 1 });
    expect(target.written.at(-1)).toContain('stopping; 1 still running');
    progress.emit({ type: 'run-finished', atMs: 1 });
    progress.stop();
  });

  it('never writes a line wider than the terminal', () => {
    const state = events.reduce(advance, NOTHING_YET);
    for (const width of [10, 40, 100])
      expect(Math.max(...liveLines(state, 5000, 3, width).map((line) => line.length))).toBeLessThan(width);
  });
});

describe('lines', () => {
  it('tell each beginning, wait and end once, without moving the cursor', async () => {
    const { progress, target, tick } = await progressOn('lines');
    for (const event of [...events, { type: 'interrupted', running: 1 } as const]) progress.emit(event);
    tick(62_000);
    progress.emit({ ...finished, result: 'failed', reason: 'the platform answers 422' });
    progress.emit({ type: 'run-started', actions: [] });
    progress.pause();
    progress.stop();
    progress.note('Stopping.');
    expect(target.written).toEqual([
      'running 2 actions\n',
      `+ ${WWW} starts\n`,
      '  the platform answers 429; again in 5s\n',
      `${WWW} waits until the list shows the hostname\n  -> Publish the record a with the value b.\n`,
      '  stopping; 1 still running\n',
      `  ${WWW} waits until the list shows the hostname; last seen: pending (1m, 1m left, next look now)\n`,
      `[1/2] + ${WWW} FAILED (1m 5s): the platform answers 422\n`,
      'Stopping.\n',
    ]);
  });

  it('count nothing of what an earlier run began', async () => {
    const { progress, text } = await progressOn('lines');
    progress.emit({ type: 'action-started', address: WWW, verb: 'create', atMs: 1000 });
    progress.emit(finished);
    expect(text()).toContain(`\n+ ${WWW} done (1m 5s)\n`);
  });

  it('say that reading goes on when it takes long', () => {
    expect(heartbeat(advance(NOTHING_YET, { type: 'reading', done: 3, total: 9 }), 0)).toBe(
      '  reading the account: 3 of 9',
    );
    expect(heartbeat(NOTHING_YET, 0)).toBeUndefined();
    expect(
      heartbeat(advance(NOTHING_YET, { type: 'run-started', actions: [{ address: WWW, verb: 'create' }] }), 0),
    ).toBe(undefined);
  });

  it('are one a minute at most while something is waited for, however many wait and however often it is looked at', async () => {
    const { progress, target, tick } = await progressOn('lines');
    const wait = (address: string, atMs: number): void =>
      progress.emit({ type: 'waiting', address, on: 'for the tasks of the site', atMs, deadlineAtMs: 900_000 });
    for (let atMs = 0; atMs < 120_000; atMs += 5000) for (const address of ['a', 'b', 'c', 'd']) wait(address, atMs);
    expect(target.written).toEqual([]);
    tick(60_000);
    expect(target.written).toEqual([
      `  ${['a', 'b', 'c'].map((one) => `${one} waits for the tasks of the site (1m, 14m left)`).join('; ')}; and 1 more\n`,
    ]);
    progress.stop();
  });

  it('tell one cause of retries once a minute', async () => {
    const { progress, target, tick } = await progressOn('lines');
    const retry = (path: string): void =>
      progress.emit({ type: 'retrying', text: `GET ${path} could not be sent: connection refused`, inMs: 100 });
    for (const path of ['/api/sites', '/api/domains', '/api/sites']) retry(path);
    expect(target.written).toHaveLength(1);
    tick(60_000);
    retry('/api/sites');
    expect(target.written).toHaveLength(2);
    progress.stop();
  });
});

describe('quiet', () => {
  it('is nothing but notes', () => {
    const notes: string[] = [];
    const progress = silentProgress((text) => notes.push(text));
    for (const event of events) progress.emit(event);
    progress.note('Stopping.');
    progress.pause();
    progress.stop();
    expect(notes).toEqual(['Stopping.']);
  });
});

describe('an event for an action that never began', () => {
  it('changes nothing', () => {
    const state = advance(NOTHING_YET, { type: 'run-started', actions: [{ address: WWW, verb: 'create' }] });
    expect(advance(state, { type: 'step-started', address: OLD, step: 'x', text: 'x', atMs: 0 })).toBe(state);
    expect(advance(state, { type: 'waiting', address: OLD, on: 'x', atMs: 0, deadlineAtMs: 1 })).toBe(state);
    expect(advance(state, { ...finished, address: OLD }).finished).toBe(1);
  });
});
