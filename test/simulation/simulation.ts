// One simulation: several processes of the real engine, a colleague in the dashboard and the platform share one queue of
// events. Faults strike until the weather calms; then the account has to reach its declared state. The properties are
// checked at every event.
import { confirmInFlight, initLedger } from '../../src/ledger/by-hand.ts';
import { takeLock } from '../../src/ledger/lock.ts';
import { memoryStore } from '../../src/ledger/memory-store.ts';
import type { Clock } from '../../src/model/clock.ts';
import type { InFlight } from '../../src/model/plan/ledger-view.ts';
import type { Outcome } from '../../src/model/plan/outcome.ts';
import type { Workspace } from '../../src/model/workspace.ts';
import { API_KEY } from '../../src/sandbox/core/http/credentials.ts';
import { openSandbox } from '../../src/sandbox/server.ts';
import { applyWorkspace } from '../../src/usecases/apply/apply.ts';
import type { ApplyOptions } from '../../src/usecases/apply/run.ts';
import { ledgerOptions } from '../../src/usecases/ledger.ts';
import { planWorkspace } from '../../src/usecases/plan/plan.ts';
import type { Session } from '../../src/usecases/session.ts';
import { createChance } from './chance.ts';
import { createPlace, storeFor } from './ledger-place.ts';
import type { Arrival, Life } from './network.ts';
import { createNetwork } from './network.ts';
import type { Violation } from './properties.ts';
import { createProperties, viewOf } from './properties.ts';
import { createQueue } from './queue.ts';
import type { Weather } from './weather.ts';
import { weatherOf } from './weather.ts';
import type { SimulatedWorld } from './worlds.ts';
import { WORLDS } from './worlds.ts';

export interface SimulationOptions {
  readonly seed: number;
  /** A name of `WEATHERS`. */
  readonly weather: string;
  /** A name of `WORLDS`; by default the seed chooses. */
  readonly world?: string;
}

export interface SimulationResult extends SimulationOptions {
  readonly world: string;
  readonly violations: readonly Violation[];
  /** One line per event of an actor: virtual milliseconds, actor, what happened. */
  readonly trace: readonly string[];
  readonly events: number;
  readonly crashes: number;
  readonly virtualMs: number;
  /** Writes that the platform processed although their process was dead or had lost the lock. */
  readonly lateWrites: number;
  /** Requests about which a person was asked after the weather had calmed. */
  readonly questions: number;
}

const ACCOUNT = 'acc-acme';
/** The weather calms after this much virtual time. */
const STORM_MS = 45 * 60_000;
/** No process takes longer than this in calm weather: an order, a proof and every wait have ended before. */
const LONGEST_MS = 48 * 60 * 60_000;
/** A simulation that needs more events does not end. */
const MOST_EVENTS = 80_000;
const CALM_ROUNDS = 8;

const WORKSPACE: Workspace = {
  root: '/',
  account: ACCOUNT,
  baseUrl: 'http://127.0.0.1:1',
  manifests: [],
  ledger: { file: 'simulated' },
  guards: { allowDeletes: 20, allowCharges: 9 },
  secrets: { env: ['ADA_PASSWORD'], files: [], keep: ['credentials'] },
};

const APPLY: ApplyOptions = {
  paths: [],
  targets: [],
  confirm: () => Promise.resolve('asked'),
};

type Run = (session: Session) => Promise<Outcome>;

/** What each actor runs again and again until it succeeds. */
const ACTORS: Readonly<Record<string, Run>> = {
  'apply-1': apply,
  'apply-2': apply,
  resume: async (session) => (await applyWorkspace(session, { ...APPLY, resumeOnly: true })).outcome,
  expect: applyReviewed,
};

async function apply(session: Session): Promise<Outcome> {
  return (await applyWorkspace(session, APPLY)).outcome;
}

/** Applies the plan that was made at the start of the process, as a review some minutes earlier would have it. */
async function applyReviewed(session: Session): Promise<Outcome> {
  const { plan } = await planWorkspace(session, {});
  await session.clock.sleep(4 * 60_000);
  const approved = plan?.actions.map(({ digest }) => digest) ?? [];
  return (await applyWorkspace(session, { ...APPLY, approved, approvedFor: ACCOUNT })).outcome;
}

const expectedDeletes = new Map<string, ReadonlySet<string>>();

/** Returns the DELETE requests of an undisturbed run in a world. */
async function deletesOf(world: string): Promise<ReadonlySet<string>> {
  const known = expectedDeletes.get(world);
  if (known !== undefined) return known;
  const deletes = new Set<string>();
  const { violations } = await play({ seed: 0, weather: 'calm', world }, ({ method, path }) => {
    if (method === 'DELETE') deletes.add(path);
  });
  if (violations.length > 0) throw new Error(`an undisturbed run breaks ${JSON.stringify(violations)}`);
  expectedDeletes.set(world, deletes);
  return deletes;
}

let isWarm = false;

/** Reads what the lock reads about this process from `/proc`, once: later simulations do no file operation. */
async function warmUp(): Promise<void> {
  if (isWarm) return;
  const owner = { hostname: 'host', pid: process.pid, user: 'set-up', runId: 'set-up' };
  await takeLock(
    memoryStore().lock,
    owner,
    { now: () => 0, sleep: () => Promise.resolve() },
    { uuid: () => 'set-up', waitMs: 0 },
  );
  isWarm = true;
}

/** Plays one seed. The same options give the same result, byte by byte. */
export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  await warmUp();
  const world = options.world ?? createChance(options.seed).oneOf(Object.keys(WORLDS), 'simulation', 'world');
  await deletesOf(world);
  return play({ ...options, world });
}

async function play(
  { seed, weather: weatherName, world: name }: SimulationOptions & { readonly world: string },
  watch?: (arrival: Arrival) => void,
): Promise<SimulationResult> {
  const world = WORLDS[name] as SimulatedWorld;
  const chance = createChance(seed);
  const storm = weatherOf(weatherName, chance);
  const calm = weatherOf('calm', chance);
  const sandbox = openSandbox({ scenario: world.scenario });
  /** The sites that the scenario has are not declared: they block no purchase. */
  const workspace: Workspace = { ...WORKSPACE, dismissed: [...sandbox.state.sites.keys()] };
  const startMs = sandbox.clock.now();
  const place = createPlace();
  const lives: Life[] = [];
  const arrivals: Arrival[] = [];
  const lines: string[] = [];
  let crashes = 0;
  let isCalm = true;

  const weather = (): Weather => (isCalm ? calm : storm);
  const trace = (actor: string, text: string): void => {
    lines.push(`${String(Math.round(queue.now() - startMs)).padStart(9)} ${actor.padEnd(10)} ${text}`);
  };
  const queue = createQueue(startMs, (label) => {
    for (const life of lives)
      if (life.isAlive && label.startsWith(`${life.actor} `) && chance.hits(weather().crash, life.actor, 'crash'))
        crash(life);
  });
  const properties = createProperties({
    now: queue.now,
    sandbox,
    place,
    world,
    expectedDeletes: expectedDeletes.get(name),
    mayLoseLockUnseen: storm.forgeLies > 0 || storm.pause > 0,
    trace,
  });
  const network = createNetwork({
    queue,
    chance,
    weather,
    sandbox,
    trace,
    onSend: properties.onSend,
    onResponse: properties.onResponse,
    onArrival: (arrival) => {
      arrivals.push(arrival);
      watch?.(arrival);
      properties.onArrival(arrival);
    },
  });

  const begin = (actor: string, host: string): Life => {
    const nth = lives.filter((life) => life.actor === actor).length + 1;
    const life: Life = { name: `${actor} #${nth}`, actor, host, isAlive: true };
    lives.push(life);
    return life;
  };

  const sessionOf = (life: Life): Session => {
    let uuids = 0;
    return {
      cwd: '/',
      overrides: {},
      token: API_KEY,
      clock: clockOf(life),
      emit: (event) => properties.onOutput(life, JSON.stringify(event)),
      stop: new AbortController().signal,
      concurrency: 16,
      timeoutMs: 60_000,
      stdin: () => Promise.resolve(new Uint8Array()),
      env: () => undefined,
      transport: (request) => network.send(life, request),
      ledger: {
        waitMs: 20 * 60_000,
        programEnv: {},
        jobEnd: () => Promise.resolve(endOfHolder()),
      },
      runtime: {
        hostname: life.host,
        pid: process.pid,
        user: life.actor,
        random: () => chance.draw(life.actor, 'random'),
        uuid: () => `${life.name.replace(' #', '-')}-${(uuids += 1)}`,
      },
      inMemory: {
        workspace,
        documents: world.documents(),
        store: storeFor(life, { place, queue, chance, weather, trace }),
        resolveSecret: () => world.secret,
      },
    };
  };

  const clockOf = (life: Life): Clock => {
    const skewMs = Math.round(createChance(seed).between(-storm.skewMs, storm.skewMs, life.host, 'skew'));
    let sleeps = 0;
    return {
      now: () => queue.now() + skewMs,
      sleep: (durationMs, signal) =>
        new Promise((resolve, reject) => {
          if (signal?.aborted === true) {
            reject(signal.reason as Error);
            return;
          }
          sleeps += 1;
          const pauseMs = chance.hits(weather().pause, life.actor, 'pause') ? weather().pauseMs : 0;
          const cancel = queue.at(queue.now() + durationMs + pauseMs, `${life.name} sleep ${sleeps}`, () => {
            signal?.removeEventListener('abort', onAbort);
            if (life.isAlive) resolve();
          });
          const onAbort = (): void => {
            cancel();
            if (life.isAlive) reject(signal?.reason as Error);
          };
          signal?.addEventListener('abort', onAbort, { once: true });
        }),
    };
  };

  /** When the job of the lock holder ended, as the forge reports it. */
  const endOfHolder = (): number | undefined => {
    if (place.holderLife?.isAlive === false) return queue.now();
    return chance.hits(weather().forgeLies, 'forge', 'lie') ? queue.now() : undefined;
  };

  const processesLeft = new Map<string, number>();
  const hostOf = new Map<string, string>();

  /** Starts the next process of an actor, as long as the actor may start one. */
  const start = (actor: string): void => {
    const left = processesLeft.get(actor) ?? 0;
    if (left === 0) return;
    processesLeft.set(actor, left - 1);
    const life = begin(actor, hostOf.get(actor) as string);
    trace(actor, `${life.name} starts`);
    void (ACTORS[actor] as Run)(sessionOf(life)).then(
      (outcome) => finish(life, outcome),
      (error: unknown) => fail(life, error),
    );
  };
  const startLater = (actor: string, waitMs: number): void => {
    queue.at(queue.now() + waitMs, `start of ${actor} after ${lives.length}`, () => start(actor));
  };
  const finish = (life: Life, outcome: Outcome): void => {
    if (!life.isAlive) return;
    life.isAlive = false;
    properties.onOutput(life, JSON.stringify(outcome));
    trace(life.actor, `${life.name} ends: ${outcome.outcome}`);
    if (outcome.exitCode !== 0) startLater(life.actor, chance.between(10_000, 300_000, life.actor, 'pause'));
  };
  const fail = (life: Life, error: unknown): void => {
    if (!life.isAlive) return;
    life.isAlive = false;
    properties.report(
      'L0',
      `${life.name} threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  };
  const crash = (life: Life): void => {
    life.isAlive = false;
    crashes += 1;
    trace(life.actor, `${life.name} crashes`);
    startLater(life.actor, chance.between(500, 120_000, life.actor, 'restart'));
  };

  /** Runs a command to its end in the current weather; undefined if it does not end. */
  const runToEnd = async (life: Life, run: () => Promise<unknown>): Promise<unknown> => {
    let ended: { readonly value?: unknown } | undefined;
    const limitMs = queue.now() + LONGEST_MS;
    void run().then(
      (value) => (ended = { value }),
      (error: unknown) => {
        fail(life, error);
        ended = {};
      },
    );
    await queue.run(() => ended !== undefined || queue.now() > limitMs);
    life.isAlive = false;
    if (ended === undefined) properties.report('L8', `${life.name} does not end in calm weather`);
    return ended?.value;
  };

  /** Tells the ledger truthfully what became of a request. */
  const confirm = async ({ action: { address }, unanswered }: InFlight): Promise<void> => {
    const life = begin('person', 'host of a person');
    const name = decodeURIComponent(address.split('/').at(-1) ?? '');
    const created = arrivals.findLast(
      ({ method, status, body, response }) =>
        method === 'POST' && status < 300 && body?.includes(name) === true && idIn(response) !== undefined,
    );
    const finding = created === undefined ? ('not-made' as const) : { id: idIn(created.response) as string };
    trace('person', `confirms ${address} (${unanswered}): ${JSON.stringify(finding)}`);
    await runToEnd(life, () => confirmInFlight(ledgerOptions(sessionOf(life), workspace, life.name), address, finding));
  };

  /** Applies in calm weather until nothing is left to do. Returns how often a person was asked. */
  const converge = async (): Promise<number> => {
    let questions = 0;
    let last: Outcome | undefined;
    for (let round = 1; round <= CALM_ROUNDS; round += 1) {
      const life = begin('person', 'host of a person');
      last = (await runToEnd(life, () => apply(sessionOf(life)))) as Outcome | undefined;
      if (last === undefined) return questions;
      properties.onOutput(life, JSON.stringify(last));
      trace('person', `apply ends: ${last.outcome}`);
      if (last.exitCode === 0) return questions;
      if (round < 3) continue;
      for (const flight of viewOf(place).inFlight) {
        questions += 1;
        await confirm(flight);
      }
    }
    properties.report('L8', `not done after ${CALM_ROUNDS} runs in calm weather: ${JSON.stringify(last)}`);
    return questions;
  };

  const setUp = begin('set-up', 'host');
  await runToEnd(setUp, () => initLedger(ledgerOptions(sessionOf(setUp), workspace, 'set-up')));
  isCalm = false;

  const isSameHost = chance.hits(0.5, 'simulation', 'same host');
  for (const actor of Object.keys(ACTORS)) {
    processesLeft.set(actor, 12);
    hostOf.set(actor, isSameHost ? 'host' : `host of ${actor}`);
    startLater(actor, chance.between(1_000, 600_000, actor, 'begin'));
  }
  for (const [index, { method, path, body }] of world.edits.entries()) {
    if (weatherName === 'calm' || !chance.hits(0.5, 'colleague', 'edits')) continue;
    queue.at(queue.now() + chance.between(2_000, STORM_MS / 2, 'colleague', 'when'), `colleague edit ${index}`, () => {
      const life = begin('colleague', 'browser');
      const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' };
      const request = { origin: workspace.baseUrl, path, method, headers, body: JSON.stringify(body) };
      void network.send(life, { ...request, timeoutMs: 60_000, maxBytes: 1_000_000 }).catch(() => undefined);
    });
  }

  let events = await queue.run(() => queue.now() - startMs > STORM_MS || properties.violations.length > 0);
  isCalm = true;
  trace('simulation', 'the weather calms');
  for (const actor of processesLeft.keys()) processesLeft.set(actor, 0);
  const calmMs = queue.now();
  const isIdle = (): boolean => lives.every(({ isAlive, actor }) => !isAlive || actor === 'colleague');
  events += await queue.run(() => isIdle() || queue.now() - calmMs > LONGEST_MS || events > MOST_EVENTS);
  if (!isIdle())
    properties.report('L8', `${lives.flatMap((life) => (life.isAlive ? [life.name] : [])).join(', ')} do not end`);
  const questions = properties.violations.length > 0 ? 0 : await converge();
  properties.atEnd();
  return {
    seed,
    weather: weatherName,
    world: name,
    violations: properties.violations,
    trace: lines,
    events,
    crashes,
    virtualMs: queue.now() - startMs,
    lateWrites: properties.lateWrites(),
    questions,
  };
}

/** The id of what a response says it created: the only `id` or `Guid` of its only object. */
function idIn(response: string): string | undefined {
  const [, id] = /"(?:id|Guid)":"?([\w-]+)"?/.exec(response) ?? [];
  return id;
}
