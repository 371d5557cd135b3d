// Breaks a story at every request and at every sign of life, and lets it go on: it converges, nothing is made twice,
// the store is as it was written down. With HOSTWRIGHT_LOOPS=all every accident strikes at every place; usually each
// write and some of the reads have one of them, in turn.
import { expect, it } from 'vitest';
import type { Outcome } from '../../src/model/plan/outcome.ts';
import { isEmptyPlan } from '../../src/model/plan/plan.ts';
import { EPOCH_MS } from '../../src/sandbox/core/clock.ts';
import type { Fault } from '../../src/sandbox/core/http/faults.ts';
import type { RecordedRequest } from '../../src/sandbox/core/http/recording.ts';
import type { LedgerStore } from '../../src/ledger/store.ts';
import type { Transport } from '../../src/platform/transport.ts';
import type { ApplyOptions } from '../../src/usecases/apply/run.ts';
import { readRuns } from '../../src/usecases/history/read.ts';
import { ledgerCommand } from '../../src/usecases/ledger.ts';
import type { Session } from '../../src/usecases/session.ts';
import type { Harness, HarnessOptions } from './harness.ts';
import { reviewOf, startHarness } from './harness.ts';
import { isWhole } from './whole.ts';

export interface Story {
  readonly name: string;
  readonly options: HarnessOptions;
  readonly run: (one: Harness, extra?: Partial<Session>) => Promise<Outcome>;
  /** What the store must hold in the end, besides that nothing is left to plan and nothing was made twice. */
  readonly check: (one: Harness, where: string) => void;
  /**
   * Answers the questions that no read can answer, as a person would; true when there were any. Absent:
   * {@link confirmNotMade}.
   */
  readonly confirmLost?: (one: Harness, outcome: Outcome, where: string) => Promise<boolean>;
  /** How many further runs it may take, besides those after something was settled. Absent: 1. */
  readonly reruns?: number;
  /** Of requests that are repeated while something is waited for only the first is broken. */
  readonly turns?: true;
  /** Before each run of it from the beginning, where its ledger is outside its folder. */
  readonly fresh?: () => Promise<void>;
}

/**
 * The same story, of which each run has `--expect` and the comment of one plan that was made before anything happened.
 * Where an action ended in its midst, what is left of it is another action: nothing is sent, and it is reviewed again.
 */
export function reviewed(story: Story): Story {
  let review: Promise<Partial<ApplyOptions>> | undefined;
  return {
    ...story,
    name: `${story.name}, with --expect`,
    run: async (one, extra) => {
      const approved = await (review ??= withHarness(story.options, async (other) => reviewOf(await other.planned())));
      const runWith = (given: Partial<ApplyOptions>): Promise<Outcome> =>
        story.run({ ...one, apply: (options, session) => one.apply({ ...options, ...given }, session) }, extra);
      const outcome = await runWith(approved);
      if (!outcome.diagnostics.some(({ code }) => code === 'HW2104')) return outcome;
      expect(outcome).toMatchObject({ outcome: 'conflict', requests: { writes: 0 } });
      return runWith(reviewOf(await one.planned()));
    },
  };
}

export interface Accident {
  readonly name: string;
  readonly fault: Omit<Fault, 'at'>;
  readonly ambiguities?: Readonly<Record<string, string>>;
}

export const ACCIDENTS: readonly Accident[] = [
  { name: 'a reset before it is processed', fault: { kind: 'reset-before' } },
  { name: 'a reset after it was processed', fault: { kind: 'reset-after' } },
  { name: '500 instead of processing it', fault: { kind: 'status-before', status: 500 } },
  { name: '502 after it was processed', fault: { kind: 'status-after', status: 502 } },
  { name: 'a page of HTML', fault: { kind: 'html' } },
  { name: 'an answer that never comes', fault: { kind: 'hang' } },
  { name: '429 with seconds', fault: { kind: 'status-before', status: 429, retryAfter: '2' } },
  {
    name: '429 with a date',
    fault: { kind: 'status-before', status: 429, retryAfter: new Date(EPOCH_MS + 5_000).toUTCString() },
  },
  {
    name: '429 with nothing',
    fault: { kind: 'status-before', status: 429 },
    ambiguities: { 'GAP-02': 'bare' },
  },
  { name: '501', fault: { kind: 'status-before', status: 501 } },
  { name: '503', fault: { kind: 'status-before', status: 503 } },
  { name: '504 after it was processed', fault: { kind: 'status-after', status: 504 } },
  { name: 'half of the answer', fault: { kind: 'truncate' } },
  { name: 'what is no JSON', fault: { kind: 'garbage' } },
  { name: 'a slow answer', fault: { kind: 'slow', delayMs: 2 } },
];

/** Purchases of one story that only a person can tell about. */
const MOST_STOPS = 3;

/** Stories read much of the same: where not everything is played, one read of so many is broken. */
const EVERY_READ = 6;

/** A process number that no process has. */
const NOBODY = 2 ** 22 + 1;

/** Dies at its nth sign of life: nothing after it happens in that process. */
class Died extends Error {}

export interface Choice {
  /** The accidents that can happen to the story. Absent: all. */
  readonly accidents?: readonly Accident[];
  /** The requests that are broken, where not everything is played. Absent: all. */
  readonly fits?: (request: RecordedRequest) => boolean;
}

/** The tests of a story that is broken at each of its requests; where not everything is played, at some of its reads. */
export function killLoop(story: Story, { accidents = ACCIDENTS, fits = () => true }: Choice = {}): void {
  if (isWhole) it.each(accidents)('$name, at every request', (accident) => breakRequests(story, [accident]));
  else it('an accident in turn, at every write and some reads', () => breakRequests(story, accidents, fits));
}

/** One of the accidents at every request that `fits`, one run each; then runs until it is done. */
async function breakRequests(
  story: Story,
  accidents: readonly Accident[],
  fits: (request: RecordedRequest) => boolean = () => true,
): Promise<void> {
  const places = await placesOf(story, fits);
  // Stories differ in where they begin, so that the same request does not meet with the same accident in all of them.
  const begin = [...story.name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  const count = { reruns: 0, stops: 0 };
  for (const [index, at] of places.entries()) {
    const accident = accidents[(begin + index) % accidents.length];
    if (accident === undefined) throw new Error('a loop without accidents');
    const { fault, ambiguities } = accident;
    const options = { ...story.options, ambiguities: { ...story.options.ambiguities, ...ambiguities } };
    await withHarness({ ...options, faults: [{ ...fault, at }] }, async (one) => {
      const outcome = await story.run(one);
      one.sandbox.setFaults([]);
      const where = `${accident.name} at ${at}: ${JSON.stringify(one.sandbox.requests[at - 1])}\n${JSON.stringify(outcome, null, 1)}`;
      count.reruns += outcome.exitCode === 0 ? 0 : 1;
      count.stops += await goOn(story, one, outcome, where);
      await isAsWanted(story, one, where);
    });
  }
  const broken = accidents.length === 1 ? accidents[0]?.name : 'an accident in turn';
  process.stdout.write(
    `${story.name}: ${broken} at ${places.length} requests, ${count.reruns} of the runs went on in another, ${count.stops} stopped for a person\n`,
  );
  expect(places.length).toBeGreaterThan(0);
}

/** With a death at every event of a run, or at every nth when not everything is played; then one run that goes on. */
export async function deathLoop(story: Story, every = 7): Promise<void> {
  const step = isWhole ? 1 : every;
  let deaths = 0;
  for (let at = 1, isOver = false; !isOver; at += step) {
    await withHarness(story.options, async (one) => {
      let seen = 0;
      const emit = (): void => {
        seen += 1;
        if (seen === at) throw new Died();
      };
      const where = `death at event ${at}`;
      const end = await story.run(one, { emit }).catch((error: unknown) => error);
      isOver = !(end instanceof Error);
      if (isOver) expect((end as Outcome).exitCode, where).toBe(0);
      else {
        expect(end, where).toBeInstanceOf(Died);
        deaths += 1;
        await goOn(story, one, await story.run(one), where);
      }
      await isAsWanted(story, one, where);
    });
    expect(at).toBeLessThan(1_000);
  }
  process.stdout.write(`${story.name}: ${deaths} deaths\n`);
  expect(deaths).toBeGreaterThan(0);
}

/** What somebody asks for after a run died: nothing that `forbids` names may be sent from then on. */
export interface Demand {
  readonly name: string;
  readonly prepare?: (one: Harness) => Promise<void>;
  readonly options: Partial<ApplyOptions>;
  readonly forbids: (request: RecordedRequest) => boolean;
}

/**
 * With a death at every append to the ledger, once before it is on stable storage and once after; then the story goes
 * on in another run, or somebody asks for something else: all of that when everything is played, else in turn.
 */
export async function appendLoop(story: Story, demands: readonly Demand[], every = 1): Promise<void> {
  const sequels = [undefined, ...demands];
  let runs = 0;
  for (const moment of ['before', 'after'] as const) {
    for (let at = 1, isOver = false; !isOver; at += isWhole ? 1 : every) {
      const turn = runs % sequels.length;
      for (const demand of isWhole ? sequels : sequels.slice(turn, turn + 1)) {
        if (isOver) continue;
        await story.fresh?.();
        await withHarness(story.options, async (one) => {
          const where = `${story.name}: death ${moment} append ${at}, then ${demand?.name ?? 'it goes on'}`;
          const end = await dieAtAppend(one, story, at, moment);
          isOver = end !== 'died';
          if (end !== 'died') return expect(end.exitCode, where).toBe(0);
          runs += 1;
          if (demand === undefined) {
            await goOn(story, one, await story.run(one), where);
            return isAsWanted(story, one, where);
          }
          const sent = one.sandbox.requests.length;
          await demand.prepare?.(one);
          const { outcome } = await one.apply(demand.options);
          const forbidden = one.sandbox.requests
            .slice(sent)
            .filter(demand.forbids)
            .map(({ method, path }) => `${method} ${path}`);
          expect(forbidden, `${where}\n${JSON.stringify(outcome, null, 1)}`).toEqual([]);
        });
      }
      expect(at).toBeLessThan(1_000);
    }
  }
  process.stdout.write(`${story.name}: ${runs} deaths at appends\n`);
  expect(runs).toBeGreaterThan(0);
}

/**
 * Runs a story in a process that is gone from its nth append on: it writes, sends and hears nothing, and its lock
 * stays.
 */
export async function dieAtAppend(
  one: Harness,
  story: Pick<Story, 'run'>,
  at: number,
  moment: 'before' | 'after',
): Promise<Outcome | 'died'> {
  const { transport, runtime, storeFor: usual } = one.session();
  if (transport === undefined) throw new Error('a story that dies at an append runs in process');
  const never = new Promise<never>(() => undefined);
  let isDead = false;
  let seen = 0;
  let tell: (died: 'died') => void = () => undefined;
  const died = new Promise<'died'>((resolve) => (tell = resolve));
  const storeFor = (given: LedgerStore): LedgerStore => {
    const store = usual?.(given) ?? given;
    const dying =
      (write: LedgerStore['append']): LedgerStore['append'] =>
      async (...args) => {
        seen += isDead ? 0 : 1;
        if (!isDead && seen !== at) return write(...args);
        if (!isDead && moment === 'after') await write(...args);
        isDead = true;
        await store.close();
        tell('died');
        return never;
      };
    return { ...store, append: dying(store.append), rewrite: dying(store.rewrite) };
  };
  const mortal: Transport = async (request) => {
    if (isDead) return never;
    const answer = await transport(request);
    return isDead ? never : answer;
  };
  return Promise.race([story.run(one, { storeFor, transport: mortal, runtime: { ...runtime, pid: NOBODY } }), died]);
}

/** What befalls the work that a story asks for, and what somebody does about it before the next run. */
export interface Mishap {
  readonly name: string;
  readonly options?: HarnessOptions;
  readonly before?: (one: Harness) => void;
  /** How the run that meets with it ends. */
  readonly exitCode: number;
  readonly remedy?: (one: Harness) => Promise<void>;
}

/** Meets with a mishap, says so, and is done with the next run. */
export async function mishap(story: Story, { name, options = {}, before, exitCode, remedy }: Mishap): Promise<void> {
  await withHarness({ ...story.options, ...options }, async (one) => {
    before?.(one);
    const first = await story.run(one);
    expect(first.exitCode, `${name}: ${JSON.stringify(first, null, 1)}`).toBe(exitCode);
    await remedy?.(one);
    const second = await story.run(one);
    expect(second.exitCode, `${name}: ${JSON.stringify([first, second], null, 1)}`).toBe(0);
    await isAsWanted(story, one, name);
  });
}

/**
 * Reports every action of unknown outcome as not carried out, which is true where the lists of the sandbox do not lag;
 * a second creation fails the story. Returns whether there were any.
 */
export async function confirmNotMade(one: Harness, { actions }: Pick<Outcome, 'actions'>): Promise<boolean> {
  const lost = actions.filter(({ result }) => result === 'unknown-outcome');
  for (const { address } of lost) await ledgerCommand(one.session(), { do: 'confirm', address, notMade: true });
  return lost.length > 0;
}

/** Runs again where it has to; how often a person was asked. */
async function goOn(story: Story, one: Harness, first: Outcome, where: string): Promise<number> {
  let outcome = first;
  let stops = 0;
  for (let left = story.reruns ?? 1; outcome.exitCode !== 0 && left > 0; left -= 1) {
    outcome = await story.run(one);
    if (
      outcome.exitCode === 0 ||
      stops === MOST_STOPS ||
      !(await (story.confirmLost ?? confirmNotMade)(one, outcome, where))
    )
      continue;
    stops += 1;
    left += 1;
  }
  expect(outcome.exitCode, `${where}\nthen ${JSON.stringify(outcome, null, 1)}`).toBe(0);
  return stops;
}

async function isAsWanted({ check }: Story, one: Harness, where: string): Promise<void> {
  expect(
    [...one.sandbox.creations.entries()].filter(([, times]) => times > 1),
    where,
  ).toEqual([]);
  expect(isEmptyPlan(await one.planned()), where).toBe(true);
  await isTold(one, where);
  check(one, where);
}

/** What was sent is in the history, of killed runs too: only an update may be known by its plan alone. */
async function isTold(one: Harness, where: string): Promise<void> {
  const { runs = [], diagnostics } = await readRuns(one.session());
  expect(diagnostics, where).toEqual([]);
  const open = runs.flatMap(({ actions }) => actions).filter(({ result }) => result === 'in-flight');
  expect(open, where).toEqual([]);
  const told = new Set(
    runs.flatMap(({ actions }) => actions.filter(({ result }) => result !== 'not-done').map(({ verb }) => verb)),
  );
  const sent = new Set(one.sandbox.requests.map(({ method }) => method));
  if (sent.has('DELETE') || sent.has('PATCH') || sent.has('PUT')) expect(told.size, where).toBeGreaterThan(0);
}

async function placesOf(story: Story, fits: (request: RecordedRequest) => boolean): Promise<readonly number[]> {
  return withHarness(story.options, async (one) => {
    expect((await story.run(one)).exitCode).toBe(0);
    const { requests } = one.sandbox;
    let reads = 0;
    const isPlayed = ({ method }: RecordedRequest): boolean =>
      isWhole || method !== 'GET' || (reads += 1) % EVERY_READ === 0;
    return requests.flatMap((request, index) =>
      fits(request) && !(story.turns === true && isLike(request, requests[index - 1])) && isPlayed(request)
        ? [index + 1]
        : [],
    );
  });
}

/** Whether one asks what the other asked, whichever cart or task it is about. */
function isLike(one: RecordedRequest, other: RecordedRequest | undefined): boolean {
  const shape = ({ method, path }: RecordedRequest): string =>
    `${method} ${path.replace(/cart-[^/?]+|[0-9a-f-]{36}/g, ':id')}`;
  return other !== undefined && shape(one) === shape(other);
}

async function withHarness<Result>(options: HarnessOptions, use: (one: Harness) => Promise<Result>): Promise<Result> {
  const one = await startHarness(options);
  try {
    return await use(one);
  } finally {
    await one.close();
  }
}
