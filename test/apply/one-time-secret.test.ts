// What an answer tells only once: in its file before the ledger knows of the answer, found there by the next run, or
// said to be lost; never anywhere else.
import { describe, expect, it } from 'vitest';
import { runPlan } from '../../src/apply/interpreter.ts';
import type { LedgerEntry } from '../../src/ledger/entries.ts';
import { resumeInFlight } from '../../src/apply/resume.ts';
import type { JsonObject } from '../../src/model/json.ts';
import type { SecretDestination, SecretSink } from '../../src/model/secret-sink.ts';
import type { RequestStep } from '../../src/model/plan/step.ts';
import { createRedactor } from '../../src/platform/redact.ts';
import type { Fate, Stage } from './support.ts';
import { createThing, memoryLedger, noSecretSink, stage } from './support.ts';

const FILE = 'kept/a.json';
const TOLD = { id: 'id-1', pin: 'told-only-once', code: 'told-as-well' };
const oneTimeSecret = {
  file: FILE,
  secrets: { pin: '/pin', code: '/code' },
  beside: { id: '/id' },
  remedy: 'Ask for a new pin.',
  rule: 'T-3',
};
const ANSWERED: Fate = { done: true, answer: { status: 201, body: TOLD } };
const LOST: Fate = { done: true, answer: 'none' };

interface Files extends SecretSink {
  readonly texts: Map<string, string>;
  readonly log: string[];
}

/** A disk in memory; `failing`: it takes no text any more. */
function files({
  failing = false,
  before = {},
}: { readonly failing?: boolean; readonly before?: Readonly<Record<string, string>> } = {}): Files {
  const texts = new Map(Object.entries(before));
  const log: string[] = [];
  const nameOf = (to: SecretDestination): string => ('file' in to ? to.file : to.sink);
  const isFree = (file: string): boolean => (texts.get(file) ?? '').trim() === '';
  return {
    texts,
    log,
    objection: (to) =>
      Promise.resolve(isFree(nameOf(to)) ? undefined : { reason: 'is there already', remedy: 'Move it away.' }),
    reserve: (to) => {
      const file = nameOf(to);
      if (!isFree(file)) return Promise.resolve({ reason: 'is there already' });
      texts.set(file, ' ');
      log.push('reserved');
      return Promise.resolve({
        fill: (text: string) => {
          if (failing) return Promise.resolve('the disk is full');
          texts.set(file, text);
          log.push('filled');
          return Promise.resolve(undefined);
        },
        release: () => {
          if (isFree(file)) texts.delete(file);
          return Promise.resolve();
        },
      });
    },
    read: (to) => {
      try {
        return Promise.resolve(JSON.parse(texts.get(nameOf(to)) ?? '') as JsonObject);
      } catch {
        return Promise.resolve(undefined);
      }
    },
  };
}

const thing = (post: Partial<RequestStep> = {}) => createThing('a', { oneTimeSecret, ...post });
const outputs = ({ ledger }: Stage) => ledger.view().objects.get('Thing/a')?.outputs;

async function make(own: Stage, secretSink: SecretSink, fates: readonly Fate[], post: Partial<RequestStep> = {}) {
  own.platform.fates.push(...fates);
  const ran = await runPlan(own.run([thing(post)], { secretSink }));
  return { ...ran, result: ran.actions[0]?.result, reason: ran.actions[0]?.reason ?? '' };
}

async function resume(own: Stage, secretSink: SecretSink) {
  own.ledger = memoryLedger(own.clock, own.ledger.lines);
  const ran = await resumeInFlight({ ...own.resume(), resolveSecret: () => undefined, secretSink, runId: 'run-2' });
  return { ...ran, result: ran.actions[0]?.result };
}

class Died extends Error {}

/** Dies when this is to be written to the ledger. */
async function dieAt(
  own: Stage,
  secretSink: SecretSink,
  type: LedgerEntry['type'],
  fates: readonly Fate[],
  post: Partial<RequestStep> = {},
): Promise<void> {
  own.ledger.onAppend = (entry) => {
    if (entry.type === type) throw new Died();
  };
  await expect(make(own, secretSink, fates, post)).rejects.toThrow(Died);
}

describe('an answer that tells something once', () => {
  it('is in the file before the ledger knows of it, and its secrets are nowhere else', async () => {
    const own = stage();
    const secretSink = files();
    own.ledger.onAppend = (entry) => secretSink.log.push(entry.type);
    const redactor = createRedactor();
    own.platform.fates.push(ANSWERED);
    const ran = await runPlan(own.run([thing()], { secretSink, redactor }));
    expect(secretSink.log.slice(0, 6)).toEqual(['run-started', 'begin', 'reserved', 'sent', 'filled', 'answered']);
    expect(JSON.parse(secretSink.texts.get(FILE) ?? '')).toEqual({ for: 'Thing/a', ...TOLD });
    expect(outputs(own)).toEqual({ id: 'id-1', kept: 'whole' });
    const everything = JSON.stringify([ran, own.ledger.lines, own.events]);
    for (const secret of [TOLD.pin, TOLD.code]) {
      expect(everything).not.toContain(secret);
      expect(redactor.text(`it said ${secret}`)).toBe('it said ***');
    }
  });

  it('is kept also where its id has to be found', async () => {
    const own = stage();
    const secretSink = files();
    expect(
      (await make(own, secretSink, [{ done: true, answer: { status: 202, body: { pin: TOLD.pin, code: TOLD.code } } }]))
        .result,
    ).toBe('done');
    expect(JSON.parse(secretSink.texts.get(FILE) ?? '')).toEqual({ for: 'Thing/a', pin: TOLD.pin, code: TOLD.code });
    expect(outputs(own)).toEqual({ id: 'id-1', kept: 'whole' });
  });

  it.each([
    ['no secret', { id: 'id-1' }, undefined],
    [
      'null for one',
      { id: 'id-1', pin: 'told-only-once', code: null },
      { for: 'Thing/a', id: 'id-1', pin: 'told-only-once' },
    ],
  ])('that holds %s leaves it lost, and says what to do', async (_what, body, text) => {
    const own = stage();
    const secretSink = files();
    const { result, reason, words } = await make(own, secretSink, [{ done: true, answer: { status: 201, body } }]);
    expect([result, words]).toEqual(['waiting', ['waiting']]);
    expect(reason).toContain('not whole in kept/a.json');
    expect(reason).toContain('(T-3). Ask for a new pin.');
    expect(secretSink.texts.has(FILE) ? JSON.parse(secretSink.texts.get(FILE) ?? '') : undefined).toEqual(text);
    expect(outputs(own)).toEqual({ id: 'id-1', kept: 'lost' });
    expect(own.ledger.view().inFlight).toEqual([]);
  });

  it('that cannot be written is lost too: it is never asked for again', async () => {
    const own = stage();
    const { result } = await make(own, files({ failing: true }), [ANSWERED]);
    expect([result, own.platform.posts, outputs(own)?.kept]).toEqual(['waiting', 1, 'lost']);
  });

  it('that never came leaves no blank file behind', async () => {
    const own = stage();
    const secretSink = files();
    const { result } = await make(own, secretSink, [LOST]);
    expect([result, own.platform.posts, secretSink.texts.has(FILE), outputs(own)]).toEqual([
      'waiting',
      1,
      false,
      { id: 'id-1', kept: 'lost' },
    ]);
  });

  it('is kept by the sending that was answered, where an earlier one never arrived', async () => {
    const own = stage();
    const secretSink = files();
    const { result } = await make(own, secretSink, [{ done: false, answer: 'none' }, ANSWERED]);
    expect([result, secretSink.log]).toEqual(['done', ['reserved', 'filled']]);
    expect(outputs(own)?.kept).toBe('whole');
  });

  it('of an earlier object at this address says nothing of this one', async () => {
    const own = stage();
    own.ledger = memoryLedger(own.clock, [
      {
        n: 1,
        atMs: 0,
        entry: { type: 'bound', address: 'Thing/a', id: 'id-0', owned: true, applied: {}, outputs: { kept: 'whole' } },
      },
    ]);
    const { result } = await make(own, files(), [LOST]);
    expect([result, outputs(own)?.kept]).toEqual(['waiting', 'lost']);
  });

  it('is waited for in vain when the request is refused: the file goes', async () => {
    const own = stage();
    const secretSink = files();
    expect((await make(own, secretSink, [{ done: false, answer: { status: 422 } }])).result).toBe('failed');
    expect(secretSink.texts.has(FILE)).toBe(false);
  });
});

describe('the place', () => {
  it('that is taken refuses the run before anything is written', async () => {
    const own = stage();
    const { words, diagnostics } = await make(own, files({ before: { [FILE]: 'mine' } }), []);
    expect([words, diagnostics]).toMatchObject([
      ['error'],
      [{ code: 'HW4013', address: 'Thing/a', detail: 'The file kept/a.json is there already. Nothing was sent.' }],
    ]);
    expect([own.ledger.lines, own.platform.posts]).toEqual([[], 0]);
  });

  it('that is taken by the time of the request blocks it: nothing is sent, nothing stays in flight', async () => {
    const own = stage();
    const secretSink: SecretSink = { ...noSecretSink, objection: () => Promise.resolve(undefined) };
    const { result, reason } = await make(own, secretSink, []);
    expect([result, own.platform.posts, own.ledger.view().inFlight]).toEqual(['blocked', 0, []]);
    expect(reason).toContain('the file kept/a.json is nowhere, so nothing was sent (T-3)');
  });
});

describe('a run that died', () => {
  it('between the file and the ledger had its answer: the next one finds it there, and asks nobody', async () => {
    const own = stage();
    const secretSink = files();
    await dieAt(own, secretSink, 'answered', [ANSWERED]);
    const redactor = createRedactor();
    expect(own.ledger.view().inFlight).toMatchObject([{ unanswered: 'make' }]);
    expect((await resume(own, secretSink)).result).toBe('done');
    expect([own.platform.posts, outputs(own)]).toEqual([1, { id: 'id-1', kept: 'whole' }]);
    expect(JSON.stringify(own.ledger.lines)).not.toContain(TOLD.pin);
    expect(redactor.text(TOLD.pin)).toBe(TOLD.pin);
  });

  it('between the file and a ledger that had no id either goes on with what a person confirmed', async () => {
    const own = stage();
    const secretSink = files();
    await dieAt(own, secretSink, 'answered', [ANSWERED]);
    own.ledger = memoryLedger(own.clock, [
      ...own.ledger.lines,
      { n: 99, atMs: 0, entry: { type: 'confirmed', address: 'Thing/a', id: 'id-1' } },
    ]);
    expect((await resume(own, secretSink)).result).toBe('done');
    expect(outputs(own)).toEqual({ id: 'id-1', kept: 'whole' });
  });

  it('with the request on its way finds the object, without what was told', async () => {
    const own = stage();
    const secretSink = files();
    await dieAt(own, secretSink, 'answered', [LOST]);
    secretSink.texts.set(FILE, ' ');
    expect((await resume(own, secretSink)).result).toBe('waiting');
    expect([own.platform.posts, outputs(own)?.kept, secretSink.texts.has(FILE)]).toEqual([1, 'lost', false]);
  });

  it('takes no file of another object for its own, nor one that was not finished', async () => {
    for (const text of [
      JSON.stringify({ for: 'Thing/b', ...TOLD }),
      JSON.stringify({ for: 'Thing/a', id: 'id-1', pin: 'told-only-once' }),
      '{"for":',
    ]) {
      const own = stage();
      const secretSink = files();
      await dieAt(own, secretSink, 'answered', [LOST]);
      secretSink.texts.set(FILE, text);
      expect((await resume(own, secretSink)).result).toBe('waiting');
      expect([outputs(own)?.kept, secretSink.texts.get(FILE)]).toEqual(['lost', text]);
    }
  });

  it('while the id was looked for remembers that the rest was kept', async () => {
    const own = stage();
    const secretSink = files();
    await dieAt(own, secretSink, 'followed', [
      { done: true, answer: { status: 202, body: { pin: TOLD.pin, code: TOLD.code } } },
    ]);
    expect((await resume(own, secretSink)).result).toBe('done');
    expect([own.platform.posts, outputs(own)]).toEqual([1, { id: 'id-1', kept: 'whole' }]);
  });

  it('before it had sent anything leaves nothing in flight; the next run begins in the blank file', async () => {
    const own = stage();
    const secretSink = files();
    await dieAt(own, secretSink, 'sent', []);
    secretSink.texts.set(FILE, ' ');
    expect((await resume(own, secretSink)).actions).toEqual([]);
    expect(own.platform.posts).toBe(0);
    expect((await make(own, secretSink, [ANSWERED])).result).toBe('done');
    expect([own.platform.posts, outputs(own)?.kept]).toEqual([1, 'whole']);
  });
});
