// The small decisions of the command line, each by itself.
import { EventEmitter } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { headLines, readApproved } from '../../src/cli/plan-file/approved.ts';
import { decideColor, isInteractive } from '../../src/cli/context.ts';
import { diagnosticsOutcome, exitCodeOf, exitCodeUnwritten, planOutcome } from '../../src/cli/exit-code.ts';
import { createOutput } from '../../src/cli/output.ts';
import {
  collectAddress,
  collectResolver,
  parseCount,
  parseDuration,
  parseParallelism,
  parsePort,
  parseRate,
  parseUrl,
} from '../../src/cli/parse.ts';
import { findShapeProblem } from '../../src/usecases/show.ts';
import { askYes } from '../../src/cli/prompt.ts';
import { createRealClock, realClock } from '../../src/library/real-clock.ts';
import { reportBug, watchSignals } from '../../src/cli/run.ts';
import { renderSavedPlan } from '../../src/report/json/index.ts';
import { error, planOf, promote, sealed, shopPlan, warning } from '../report/samples.ts';
import { containing } from '../support/matchers.ts';

describe('colour', () => {
  it.each<[string, false | undefined, Record<string, string>, boolean, boolean]>([
    ['a terminal', undefined, {}, true, true],
    ['no terminal', undefined, {}, false, false],
    ['--no-color', false, { FORCE_COLOR: '1' }, true, false],
    ['FORCE_COLOR empty', undefined, { FORCE_COLOR: '', NO_COLOR: '1' }, false, true],
    ['FORCE_COLOR=false', undefined, { FORCE_COLOR: 'false' }, true, false],
    ['NO_COLOR', undefined, { NO_COLOR: '1' }, true, false],
    ['NO_COLOR empty', undefined, { NO_COLOR: '' }, true, true],
    ['a dumb terminal', undefined, { TERM: 'dumb' }, true, false],
    ['CI', undefined, { CI: 'true' }, true, false],
    ['CI=false', undefined, { CI: 'false' }, true, true],
  ])('%s', (_name, flag, env, isTty, expected) => {
    expect(decideColor({ flag, env, isTty })).toBe(expected);
  });

  it('is not what makes a terminal interactive', () => {
    expect(isInteractive(true, { NO_COLOR: '1' })).toBe(true);
    expect(isInteractive(true, { CI: '1' })).toBe(false);
  });
});

describe('values', () => {
  it('of every kind', () => {
    expect(['500ms', '90s', '20m', '1.5h'].map(parseDuration)).toEqual([500, 90_000, 1_200_000, 5_400_000]);
    for (const text of ['', '5', '-1s', '0s', '1d', '1e3s', ' 1s'])
      expect(() => parseDuration(text)).toThrow('number with a unit');
    expect(parseCount('0')).toBe(0);
    expect(() => parseCount('1.5')).toThrow();
    expect(parseParallelism('256')).toBe(256);
    expect(() => parseParallelism('257')).toThrow();
    expect(['5', '0.5', '1000'].map(parseRate)).toEqual([5, 0.5, 1000]);
    for (const text of ['0', '0.0', '-1', '1001', '5/s', '1e2', '']) expect(() => parseRate(text), text).toThrow();
    expect(parsePort('0')).toBe(0);
    expect(() => parsePort('65536')).toThrow();
    expect(() => parsePort('x')).toThrow();
    expect(parseUrl('')).toBe('');
    expect(parseUrl('http://127.0.0.1:1')).toBe('http://127.0.0.1:1');
    expect(() => parseUrl('localhost')).toThrow();
    expect(collectAddress('Site/b', ['Site/a'])).toEqual(['Site/a', 'Site/b']);
    for (const good of ['192.0.2.53', '192.0.2.53:5353', '2001:db8::53', '[2001:db8::53]', '[2001:db8::53]:5353'])
      expect(collectResolver(good, ['::1'])).toEqual(['::1', good]);
    for (const bad of ['dns.example.com', '', '192.0.2', '[192.0.2.53]', '192.0.2.53:0', '192.0.2.53:70000', '[::1'])
      expect(() => collectResolver(bad, []), bad).toThrow('name server');
  });
});

describe('exit codes', () => {
  const plain = { detailed: false, stopped: false };
  const detailed = { detailed: true, stopped: false };
  const blocker = { address: 'Site/shop', reason: '', remedy: '' };
  it.each([
    ['a plan, whatever it says', { plan: { ...shopPlan, blocked: [blocker] }, diagnostics: [warning] }, plain, 0],
    ['no plan', { diagnostics: [error] }, plain, 1],
    ['a plan with an error beside it', { plan: shopPlan, diagnostics: [error] }, plain, 1],
    ['nothing to do', { plan: planOf({}), diagnostics: [] }, detailed, 0],
    ['differences', { plan: shopPlan, diagnostics: [] }, detailed, 2],
    [
      'differences and something in the way',
      { plan: { ...shopPlan, manual: [blocker] }, diagnostics: [] },
      detailed,
      3,
    ],
    ['something that was not read', { plan: planOf({ unknown: [blocker] }), diagnostics: [] }, detailed, 1],
    ['a signal', { diagnostics: [error] }, { detailed: true, stopped: true }, 130],
  ])('%s', (_name, reported, how, code) => {
    expect(exitCodeOf(planOutcome(reported, how))).toBe(code);
  });

  it('of diagnostics', () => {
    expect([
      diagnosticsOutcome([warning], false),
      diagnosticsOutcome([error], false),
      diagnosticsOutcome([error], true),
    ]).toEqual(['done', 'error', 'interrupted']);
  });
});

describe('signals', () => {
  /** Whether the system would end the process. */
  const isOpen = (source: EventEmitter): boolean =>
    source.listenerCount('SIGINT') + source.listenerCount('SIGTERM') === 0;

  it('ask first; the next one ends the process, also one that came before anybody looked, and whatever it computes', async () => {
    const source = new EventEmitter();
    const seen: string[] = [];
    const compute = watchSignals(source, {
      first: () => seen.push('first'),
      second: (signal) => seen.push(`${signal} ${isOpen(source) ? 'to the system' : 'kept'}`),
    });
    expect(await compute(() => isOpen(source), false)).toBe(false);
    source.emit('SIGTERM', 'SIGTERM');
    expect(await compute(() => isOpen(source), false)).toBe(true);
    source.emit('SIGINT', 'SIGINT');
    expect(seen).toEqual(['first', 'SIGINT to the system']);
  });

  it('end at once what computes and leaves nothing behind, by the first', async () => {
    const source = new EventEmitter();
    const compute = watchSignals(source, { first: () => undefined, second: () => undefined });
    const within = (leavesNothing: boolean): Promise<boolean> => compute(() => isOpen(source), leavesNothing);
    expect([await within(false), await within(true)]).toEqual([false, true]);
    // A rehearsal makes plans of its own.
    const nested = compute(async () => [await within(true), isOpen(source)], true);
    expect([await nested, isOpen(source)]).toEqual([[true, true], false]);
    const fails = compute(() => Promise.reject(new Error('in the midst')), true);
    await expect(fails).rejects.toThrow('in the midst');
    expect(source.listenerCount('SIGTERM')).toBe(1);
  });
});

describe('a question', () => {
  const ask = (answer: string | null, stop = new AbortController()): Promise<boolean> => {
    const input = new PassThrough();
    const output = new PassThrough();
    const answered = askYes('Run? ', { input, output, stop: stop.signal });
    if (answer !== null) input.end(answer);
    return answered;
  };

  it('is answered by yes alone', async () => {
    expect(await ask('yes\n')).toBe(true);
    expect(await ask(' YES \n')).toBe(true);
    expect(await ask('y\n')).toBe(false);
    expect(await ask('\n')).toBe(false);
    expect(await ask('')).toBe(false);
  });

  it('is no when the run is stopped', async () => {
    const stop = new AbortController();
    const answered = ask(null, stop);
    stop.abort();
    expect(await answered).toBe(false);
    expect(await ask(null, stop)).toBe(false);
  });
});

describe('output', () => {
  it('goes on when the reader is gone', async () => {
    const broken = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
    });
    const output = createOutput(broken, new PassThrough());
    output.result('one');
    await output.flush();
    output.result('two');
    output.raw('stdout', 'three');
    await output.flush();
    expect(output.unwritten()).toBeUndefined();
  });

  it('streams a large result no faster than it is taken, and stops when nobody takes it', async () => {
    const taken: string[] = [];
    let made = 0;
    let atMost = 0;
    const pieces = function* (): Generator<string> {
      for (const piece of ['one', 'two', 'three']) {
        made += 1;
        atMost = Math.max(atMost, made - taken.length);
        yield piece;
      }
    };
    const slow = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        taken.push(chunk.toString());
        setImmediate(done);
      },
    });
    const output = createOutput(slow, new PassThrough());
    await output.stream(pieces());
    await output.flush();
    expect([taken.join(''), atMost]).toEqual(['onetwothree\n', 1]);
    made = 0;
    const gone = createOutput(
      new Writable({
        write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
      }),
      new PassThrough(),
    );
    await gone.stream(pieces());
    expect(made).toBe(2);
    expect(gone.unwritten()).toBeUndefined();
  });

  it('says why results could not be written, once, and not of what is no result', async () => {
    const full = () =>
      new Writable({
        write: (_chunk, _encoding, done) => done(Object.assign(new Error('write ENOSPC'), { code: 'ENOSPC' })),
      });
    const output = createOutput(full(), new PassThrough());
    output.result('one');
    await output.flush();
    expect(output.unwritten()).toBe('ENOSPC');
    output.result('two');
    await output.flush();
    const other = createOutput(new PassThrough(), full());
    other.error('one');
    await other.flush();
    expect(other.unwritten()).toBeUndefined();
    const odd = createOutput(
      new Writable({ write: (_chunk, _encoding, done) => done(new Error('odd')) }),
      new PassThrough(),
    );
    odd.result('one');
    await odd.flush();
    expect(odd.unwritten()).toBe('unknown error');
  });

  it.each([
    [0, 1],
    [2, 1],
    [3, 1],
    [6, 1],
    [1, 1],
    [4, 4],
    [5, 5],
    [130, 130],
    [77, 1],
  ])('that is not written turns exit %i into %i', (before, after) => {
    expect(exitCodeUnwritten(before)).toBe(after);
  });
});

describe('a bug', () => {
  it('is one line without the token', () => {
    const env = { HOSTWRIGHT_TOKEN: 's3cret/token' };
    const reported = reportBug(new Error('bug in hostwright: s3cret/token\u001b[2J and s3cret%2Ftoken'), env);
    expect(reported).toBe('hostwright: this is a bug in hostwright, please report it: ***\\u{1b}[2J and ***');
    expect(reportBug('text', {})).toContain('text');
    const stack = reportBug(new Error('s3cret/token'), { ...env, HOSTWRIGHT_DEBUG: '1' });
    expect(stack).toContain('\n    at ');
    expect(stack).not.toContain('s3cret');
    expect(reportBug('of-a-vault', {}, new Set(['of-a-vault']))).toContain('report it: ***');
    expect(reportBug('ghs_12345678 and s3cret/token', { ...env, GITHUB_TOKEN: 'ghs_12345678' })).toContain(
      'report it: *** and ***',
    );
  });
});

describe('the clock', () => {
  it('sleeps, and wakes with the reason it was given', async () => {
    const before = realClock.now();
    await realClock.sleep(20);
    await realClock.sleep(1, new AbortController().signal);
    expect(realClock.now() - before).toBeGreaterThanOrEqual(19);
    const stop = new AbortController();
    const slept = realClock.sleep(60_000, stop.signal);
    stop.abort('enough');
    await expect(slept).rejects.toBe('enough');
    await expect(realClock.sleep(1, stop.signal)).rejects.toBe('enough');
  });
});

describe('the clock of a machine that is set back', () => {
  it('goes on: a wait ends when its time has passed', async () => {
    const clock = createRealClock();
    const before = clock.now();
    const set = vi.spyOn(Date, 'now').mockReturnValue(before - 3_600_000);
    expect(clock.now()).toBeGreaterThanOrEqual(before);
    await clock.sleep(20);
    expect(clock.now() - before).toBeGreaterThanOrEqual(19);
    set.mockReturnValue(before + 3_600_000);
    expect(clock.now()).toBeGreaterThanOrEqual(before + 3_600_000);
    set.mockRestore();
  });
});

describe('the shape of a plan', () => {
  it('holds for what the reporters write', async () => {
    expect(await findShapeProblem(JSON.parse(renderSavedPlan(shopPlan)))).toBeUndefined();
  });

  it('names the place that does not fit', async () => {
    expect(await findShapeProblem({})).toContain("the document must have required property 'format'");
    expect(await findShapeProblem({ ...shopPlan, actions: [{ ...promote, verb: 'format' }] })).toContain(
      '/actions/0/verb',
    );
    expect(
      await findShapeProblem({ ...shopPlan, actions: [{ ...promote, cost: { amountCents: 1200, currency: 'EUR' } }] }),
    ).toBeUndefined();
    expect(await findShapeProblem({ ...shopPlan, actions: [{ ...promote, cost: 'little' }] })).toContain(
      '/actions/0/cost',
    );
    expect(await findShapeProblem({ ...shopPlan, bindings: { 'Site/shop': 1 } })).toContain(
      '/bindings/Site~1shop must be string',
    );
  });
});

describe('what was approved', () => {
  let folder = '';
  const plan = sealed(shopPlan);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hostwright-approved-'));
    await writeFile(join(folder, 'digests.txt'), `# reviewed\n${'a'.repeat(64)}\n\n${'b'.repeat(64)} # the second\n`);
    await writeFile(join(folder, 'stray.txt'), `${'a'.repeat(64)}\nnot one\n`);
    await writeFile(join(folder, 'empty.txt'), '');
    await writeFile(join(folder, 'plan.json'), renderSavedPlan(plan));
    await writeFile(
      join(folder, 'edited.json'),
      renderSavedPlan({ ...plan, actions: plan.actions.map((action) => ({ ...action, reason: 'nothing to see' })) }),
    );
    await writeFile(join(folder, 'cut.json'), renderSavedPlan(shopPlan).slice(0, 500));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('comes as digests, as a file of them, or as a plan', async () => {
    expect(await readApproved(folder, `${'a'.repeat(64)}, ${'b'.repeat(64)}`)).toEqual({
      digests: ['a'.repeat(64), 'b'.repeat(64)],
    });
    expect(await readApproved(folder, 'digests.txt')).toEqual({ digests: ['a'.repeat(64), 'b'.repeat(64)] });
    expect(await readApproved(folder, 'plan.json')).toEqual({
      account: plan.account,
      digests: plan.actions.map(({ digest }) => digest),
      subjects: ['Site/shop'],
    });
    expect(await readApproved(folder, 'edited.json')).toMatchObject({ diagnostic: { code: 'HW2101' } });
  });

  it('has what was rehearsed in its first lines, where all of it was', async () => {
    const lines = [
      ...headLines([7], { subjects: ['Site/shop'], rehearsedExcept: ['Site/shop/Caching'] }),
      'a'.repeat(64),
    ];
    await writeFile(join(folder, 'rehearsed.txt'), `${lines.join('\n')}\n`);
    expect(await readApproved(folder, 'rehearsed.txt')).toEqual({
      digests: ['a'.repeat(64)],
      pulls: [7],
      subjects: ['Site/shop'],
      rehearsedExcept: ['Site/shop/Caching'],
    });
  });

  it('may be nothing, which approves nothing', async () => {
    expect(await readApproved(folder, 'empty.txt')).toEqual({ digests: [] });
  });

  it('is never guessed', async () => {
    expect(await readApproved(folder, 'stray.txt')).toMatchObject({
      diagnostic: { code: 'HW6507', detail: containing('Line 2 of `stray.txt`') },
    });
    expect(await readApproved(folder, 'cut.json')).toMatchObject({ diagnostic: { code: 'HW6503' } });
    expect(await readApproved(folder, 'nowhere')).toMatchObject({ diagnostic: { code: 'HW6507' } });
  });
});
