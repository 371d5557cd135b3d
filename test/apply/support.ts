// A toy platform behind the client's transport, plans written by hand, and a ledger in memory.
import type { Json, JsonObject } from '../../src/model/json.ts';
import type { SecretSink } from '../../src/model/secret-sink.ts';
import type { LedgerView } from '../../src/model/plan/ledger-view.ts';
import type { RunEvent } from '../../src/model/plan/event.ts';
import type { Address } from '../../src/model/address.ts';
import type { Observed, Observer } from '../../src/model/plan/observed.ts';
import type { Action, Plan } from '../../src/model/plan/plan.ts';
import type { AnswerRow, LookUp, RequestStep, Step } from '../../src/model/plan/step.ts';
import { path, ref } from '../../src/model/plan/step.ts';
import type { LedgerEntry, LedgerLine } from '../../src/ledger/entries.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { createState } from '../../src/ledger/state.ts';
import type { OpenOptions } from '../../src/ledger/stored-ledger.ts';
import { openLedger } from '../../src/ledger/stored-ledger.ts';
import { nextRead } from '../../src/areas/index.ts';
import type { RunOptions } from '../../src/apply/interpreter.ts';
import type { Client } from '../../src/platform/http.ts';
import { createClient } from '../../src/platform/http.ts';
import type { Transport, TransportAnswer, TransportRequest } from '../../src/platform/transport.ts';
import type { ResumeOptions } from '../../src/apply/resume.ts';
import { anAction, aPlan, begunOf } from '../support/actions.ts';
import type { VirtualClock } from '../platform/virtual-clock.ts';
import { virtualClock } from '../platform/virtual-clock.ts';

export interface Row {
  readonly id: string;
  readonly name: string;
  readonly [key: string]: Json;
}

/** What becomes of one write: carried out or not, and answered or not. */
export interface Fate {
  readonly done: boolean;
  readonly answer: { readonly status: number; readonly body?: Json | string } | 'none' | 'unsent';
}

export interface Platform {
  readonly rows: Row[];
  readonly requests: TransportRequest[];
  /** Fates of the coming writes, in order; afterwards everything works. */
  readonly fates: Fate[];
  /** Answers of paths that the toy does not know. */
  readonly answers: Map<string, () => { readonly status: number; readonly body: Json | string }>;
  /** Rows made less than this long ago are not listed yet. */
  lagMs: number;
  posts: number;
  readonly transport: Transport;
}

/** One list `/api/things` under one site: POST makes, PATCH changes, DELETE removes. */
function toyPlatform(clock: VirtualClock): Platform {
  let made = 0;
  const madeAt = new Map<string, number>();
  const reply = (status: number, body?: Json | string): TransportAnswer => ({
    status,
    headers: {},
    body: body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body),
  });
  const carryOut = (request: TransportRequest): TransportAnswer => {
    const id = decodeURIComponent(request.path.split('/')[3] ?? '');
    const body = JSON.parse(request.body ?? '{}') as JsonObject;
    const index = platform.rows.findIndex((row) => row.id === id);
    switch (request.method) {
      case 'POST': {
        made += 1;
        platform.posts += 1;
        const row = { ...body, id: `id-${made}`, name: body.name as string };
        madeAt.set(row.id, clock.now());
        platform.rows.push(row);
        return reply(201, row);
      }
      case 'PATCH':
        if (index < 0) return reply(404);
        platform.rows[index] = { ...(platform.rows[index] as Row), ...body };
        return reply(200, platform.rows[index]);
      case 'DELETE':
        if (index < 0) return reply(404);
        platform.rows.splice(index, 1);
        return reply(204);
      default:
        return reply(405);
    }
  };
  const read = (request: TransportRequest): TransportAnswer => {
    const known = platform.answers.get(request.path);
    if (known !== undefined) {
      const { status, body } = known();
      return reply(status, body);
    }
    if (request.path !== '/api/things') return reply(404);
    return reply(200, {
      things: platform.rows.filter(({ id }) => clock.now() - (madeAt.get(id) ?? -Infinity) >= platform.lagMs),
    });
  };
  const transport = async (request: TransportRequest): Promise<TransportAnswer> => {
    platform.requests.push(request);
    if (request.method === 'GET') return read(request);
    const fate = platform.fates.shift() ?? { done: true, answer: undefined };
    if (fate.answer === 'unsent')
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' });
    const answer = fate.done ? carryOut(request) : reply(500);
    await Promise.resolve();
    if (fate.answer === 'none') throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    return fate.answer === undefined ? answer : reply(fate.answer.status, fate.answer.body);
  };
  const platform: Platform = { rows: [], requests: [], fates: [], answers: new Map(), lagMs: 0, posts: 0, transport };
  return platform;
}

/** Keeps nothing: for plans whose answers tell nothing only once. */
export const noSecretSink: SecretSink = {
  objection: () => Promise.resolve({ reason: 'is nowhere', remedy: 'Name a place.' }),
  reserve: () => Promise.resolve({ reason: 'is nowhere' }),
  read: () => Promise.resolve(undefined),
};

/** A ledger that remembers every line, and can be begun from some. */
export interface MemoryLedger extends Ledger {
  readonly lines: LedgerLine[];
  /** Called before an entry is kept; throwing is a disk that fails. */
  onAppend: (entry: LedgerEntry) => void;
}

/** An object that the ledger has bound. */
export const bound = (name: string, id = `id-${name}`): LedgerEntry => ({
  type: 'bound',
  address: `Thing/${name}`,
  id,
  owned: true,
  applied: { name },
});

/** A ledger that can be opened. */
export async function openedLedger(options: OpenOptions): Promise<Ledger> {
  const { ledger, diagnostics } = await openLedger(options);
  if (ledger === undefined) throw new Error(JSON.stringify(diagnostics));
  return ledger;
}

/** What opening a ledger says. */
export async function codesOf(options: OpenOptions): Promise<readonly string[]> {
  const { ledger, diagnostics } = await openLedger(options);
  await ledger?.close();
  return diagnostics.map(({ code }) => code);
}

export function memoryLedger(clock: { now(): number }, lines: readonly LedgerLine[] = []): MemoryLedger {
  const state = createState({ account: 'acc', standing: 'complete', after: 0 });
  const kept: LedgerLine[] = [];
  const add = (line: LedgerLine): void => {
    kept.push(line);
    state.add(line);
  };
  lines.forEach(add);
  const ledger: MemoryLedger = {
    lines: kept,
    onAppend: () => undefined,
    view: (): LedgerView => state.view(),
    append: async (...entries) => {
      await Promise.resolve();
      for (const entry of entries) {
        // Rows of history follow from the others.
        if (entry.type === 'history') continue;
        ledger.onAppend(entry);
        // A file would hold text.
        add({ n: kept.length + 1, atMs: clock.now(), entry: JSON.parse(JSON.stringify(entry)) as LedgerEntry });
      }
    },
    note: (...entries) => ledger.append(...entries),
    announce: (...entries) => ledger.append(...entries),
    isOutrun: () => false,
    close: () => Promise.resolve([]),
  };
  return ledger;
}

export interface Stage {
  readonly clock: VirtualClock;
  readonly platform: Platform;
  readonly client: Client;
  readonly events: RunEvent[];
  readonly stop: AbortController;
  readonly observe: Observer;
  ledger: MemoryLedger;
  readonly run: (actions: readonly Action[], extra?: Partial<RunOptions>) => RunOptions;
  /** What the templates of the toy give for actions in flight: the steps of the actions that it was given. */
  readonly resume: (mode?: 'follow' | 'continue') => ResumeOptions;
}

export function stage(): Stage {
  const clock = virtualClock();
  const platform = toyPlatform(clock);
  const client = createClient({
    baseUrl: 'https://platform.example.net',
    token: 'tok-secret',
    account: 'acc',
    clock,
    concurrency: 8,
    timeoutMs: 20_000,
    random: () => 0,
    transport: platform.transport,
  });
  const events: RunEvent[] = [];
  const stop = new AbortController();
  const templates = new Map<string, Action>();
  const remembered = (action: Action): Action => {
    templates.set(action.address, action);
    return action;
  };
  const own: Stage = {
    clock,
    platform,
    client,
    events,
    stop,
    observe: observerOf(platform),
    ledger: memoryLedger(clock),
    run: (actions, extra = {}) => ({
      plan: planOf(actions.map((action) => remembered(action))),
      client,
      observe: own.observe,
      observeAfter: extra.observe ?? own.observe,
      ledger: own.ledger,
      clock,
      emit: (event) => events.push(event),
      parallelism: 4,
      stop: stop.signal,
      resolveSecret: () => 'hunter2!',
      secretSink: noSecretSink,
      nextRead,
      recordOf: (action) => begunOf(remembered(action)),
      runId: 'run-1',
      approved: actions.map(({ digest }) => digest),
      ...extra,
    }),
    resume: (mode = 'continue') => {
      const { plan: _plan, approved: _approved, ...options } = own.run([]);
      const regenerate: ResumeOptions['regenerate'] = () =>
        Promise.resolve(({ action: { address } }) => {
          const steps = templates.get(address)?.steps;
          return steps === undefined ? { unknown: 'no template' } : { steps, mode };
        });
      return { ...options, regenerate };
    },
  };
  return own;
}

/** Sees the toy's rows by name; `/address` ends in the name. */
function observerOf(platform: Platform): Observer {
  return (addresses) =>
    Promise.resolve(
      new Map(
        addresses.map((address): readonly [Address, Observed] => {
          const name = address.split('/').at(-1);
          const siblings = platform.rows.map((row) => row.name).sort();
          const row = platform.rows.find((candidate) => candidate.name === name);
          if (row === undefined) return [address, { state: 'absent', siblings }];
          const { id, ...document } = row;
          return [address, { state: 'present', id, document, siblings }];
        }),
      ),
    );
}

export const planOf = (actions: readonly Action[], planId = 'plan-1'): Plan => aPlan({ actions, planId });

type Extra = Partial<Omit<Action, 'source'>>;

export const byName = (name: string): LookUp => ({
  read: path`/api/things`,
  rows: '/things',
  where: [{ pointer: '/name', value: name }],
  capture: { id: '/id' },
});

export const CREATED: readonly AnswerRow[] = [
  { status: '2xx', has: '/id', then: 'done', capture: { id: '/id' } },
  { status: '2xx', then: 'look-up' },
];

/** POST, then wait until it is listed, then PATCH its colour. */
export function createThing(name: string, post: Partial<RequestStep> = {}, extra: Extra = {}): Action {
  const address = `Thing/${name}`;
  const steps: readonly Step[] = [
    {
      do: 'request',
      name: 'make',
      method: 'POST',
      path: path`/api/things`,
      body: { name },
      idempotent: false,
      answers: CREATED,
      recovery: { lookUp: byName(name), ifNotFound: 'send-again', guarded: 'T-2', graceMs: 10_000, rule: 'T-1' },
      reason: 'make it',
      ...post,
    },
    {
      do: 'wait-for',
      name: 'listed',
      waitFor: {
        how: 'until',
        found: true,
        lookUp: { ...byName(name), where: [{ pointer: '/id', value: ref(address) }], capture: {} },
        deadlineMs: 60_000,
        reason: 'it is listed',
      },
    },
    {
      do: 'request',
      name: 'paint',
      method: 'PATCH',
      path: path`/api/things/${ref(address)}`,
      body: { colour: 'red' },
      idempotent: true,
      answers: [{ status: '2xx', then: 'done' }],
      reason: 'paint it',
    },
    { do: 'verify', name: 'read back', reason: 'to be sure' },
  ];
  const changes = [
    { op: 'add', path: '/name', value: name },
    { op: 'add', path: '/colour', value: 'red' },
  ] as const;
  return anAction({ address, verb: 'create', changes, steps, ...extra });
}

/** PATCH of one colour into another. */
export function paintThing(
  name: string,
  was: string,
  value: string,
  extra: Extra = {},
  step: Partial<RequestStep> = {},
): Action {
  const address = `Thing/${name}`;
  return anAction({
    address,
    verb: 'update',
    changes: [{ op: 'replace', path: '/colour', was, value }],
    expect: { exists: true, tests: [{ op: 'test', path: '/colour', value: was }] },
    steps: [
      {
        do: 'request',
        name: 'paint',
        method: 'PATCH',
        path: path`/api/things/${ref(address)}`,
        body: { colour: value },
        idempotent: true,
        answers: [{ status: '2xx', then: 'done' }],
        reason: 'paint it',
        ...step,
      },
    ],
    ...extra,
  });
}

export function removeThing(name: string, extra: Extra = {}): Action {
  const address = `Thing/${name}`;
  const gone = {
    how: 'until',
    found: false,
    lookUp: { ...byName(name), capture: {} },
    deadlineMs: 60_000,
    reason: 'it is gone',
  } as const;
  return anAction({
    address,
    verb: 'delete',
    steps: [
      {
        do: 'request',
        name: 'remove',
        method: 'DELETE',
        path: path`/api/things/${ref(address)}`,
        idempotent: true,
        recheck: true,
        answers: [
          { status: '2xx', then: 'wait-for', waitFor: gone },
          { status: 404, then: 'wait-for', waitFor: gone },
        ],
        reason: 'remove it',
      },
    ],
    ...extra,
  });
}

export function writesOf(platform: Platform): readonly string[] {
  return platform.requests.filter(({ method }) => method !== 'GET').map(({ method, path: to }) => `${method} ${to}`);
}
