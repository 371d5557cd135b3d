// Creates whose response is lost while the lists lag behind, or that arrive late: in three workspaces that together use
// every kind. At most one object is created, and the account converges without a second request, or after the answer to
// a question.
import { afterEach, describe, expect, it } from 'vitest';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import type { Outcome } from '../../../src/model/plan/outcome.ts';
import type { Transport, TransportAnswer, TransportRequest } from '../../../src/platform/transport.ts';
import type { Session } from '../../../src/usecases/session.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { startHarness } from '../../support/harness.ts';
import { manifest } from '../../support/manifests.ts';
import { openHarness } from '../../support/open-harness.ts';
import { isWhole } from '../../support/whole.ts';
import { WORLDS } from '../../support/worlds.ts';

const env = (): string => 'a-word-that-nobody-may-see';

/** What happens to one request that is sent once. */
interface Mishap {
  readonly name: string;
  /** How long the platform answers reads as before the request, in milliseconds. */
  readonly lagMs?: number;
  /** How long the request is on its way, in milliseconds. */
  readonly heldMs?: number;
  /** The process ends before the response arrives. */
  readonly isKilled?: true;
}

const MISHAPS: readonly Mishap[] = [
  { name: 'lost, lists lag 22 s', lagMs: 22_000 },
  { name: 'lost, lists lag 60 s', lagMs: 60_000 },
  { name: 'lost, lists lag 200 s', lagMs: 200_000 },
  { name: 'killed, lists lag 22 s', lagMs: 22_000, isKilled: true },
  { name: 'killed, lists lag 200 s', lagMs: 200_000, isKilled: true },
  { name: 'killed, held for 20 s', heldMs: 20_000, isKilled: true },
  { name: 'killed, held for 45 s', heldMs: 45_000, isKilled: true },
  { name: 'lost, held for 45 s', heldMs: 45_000 },
];

/** A process number that no process has. */
const NOBODY = 2 ** 22 + 1;

interface Proxy {
  /** The transport of a process. The proxy outlives it: what it holds still arrives, and its lists still lag. */
  readonly connect: () => Transport;
  /** Resolves when the process ended. */
  readonly killed: Promise<'killed'>;
}

/** True for a read that may show what a write to this path changes. */
function isConcerned(read: string, write: string): boolean {
  const list = read.replace(/\?.*$/, '');
  return list === write || write.startsWith(`${list}/`) || list.startsWith(`${write}/`);
}

/** A proxy in front of the sandbox. The mishap happens to the write of this number, counted from 1. */
function proxyBefore({ sandbox: { clock }, session }: Harness, nth: number, mishap: Mishap): Proxy {
  const inner = session().transport as Transport;
  const answers = new Map<string, TransportAnswer>();
  let writes = 0;
  let stale = { path: '', untilMs: -Infinity };
  let held: { readonly request: TransportRequest; readonly atMs: number } | undefined;
  let end: (killed: 'killed') => void = () => undefined;
  const killed = new Promise<'killed'>((resolve) => (end = resolve));
  const strike = async (request: TransportRequest): Promise<void> => {
    if (mishap.heldMs === undefined) {
      stale = { path: request.path, untilMs: clock.now() + (mishap.lagMs ?? 0) };
      await inner(request);
    } else held = { request, atMs: clock.now() + mishap.heldMs };
  };
  const connect = (): Transport => {
    const never = new Promise<never>(() => undefined);
    let isDead = false;
    return async (request) => {
      if (isDead) return never;
      if (held !== undefined && clock.now() >= held.atMs) {
        const { request: late } = held;
        held = undefined;
        await inner(late);
      }
      if (request.method === 'GET') {
        const before = answers.get(request.path);
        const isStale = clock.now() < stale.untilMs && isConcerned(request.path, stale.path);
        if (isStale && before !== undefined) return before;
        const answer = await inner(request);
        answers.set(request.path, answer);
        return answer;
      }
      writes += 1;
      if (writes !== nth) return inner(request);
      await strike(request);
      if (mishap.isKilled !== true) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
      isDead = true;
      end('killed');
      return never;
    };
  };
  return { connect, killed };
}

let harness: Harness | undefined;

afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

const apply = (one: Harness, extra: Partial<Session> = {}): Promise<Outcome> =>
  one.apply({ parallelism: 1 }, { env, ...extra }).then(({ outcome }) => outcome);

/** Purchases and users: sent once by rules of their own (GAP-11, GAP-56). */
const IS_UNKNOWN =
  /^POST \/api\/(orders|orders\/domain|mailspace|panel_accounts|users)$|^PATCH \/api\/panel_accounts\/[^/]+$/;

/** The creates of a run without mishaps, by the number of the write: what the sandbox counts as created. */
async function createsOf(options: HarnessOptions): Promise<readonly (readonly [nth: number, what: string])[]> {
  const one = await startHarness(options);
  try {
    const creates: (readonly [number, string])[] = [];
    const inner = one.session().transport as Transport;
    let writes = 0;
    const transport: Transport = async (request) => {
      if (request.method === 'GET') return inner(request);
      writes += 1;
      const nth = writes;
      const what = `${request.method} ${request.path}`;
      const before = one.sandbox.creations.size;
      const answer = await inner(request);
      if (one.sandbox.creations.size > before && !IS_UNKNOWN.test(what)) creates.push([nth, what]);
      return answer;
    };
    expect((await apply(one, { transport })).exitCode).toBe(0);
    return creates;
  } finally {
    await one.close();
  }
}

describe.each(Object.entries(WORLDS))('%s', (name, options) => {
  it('creates every object once, and needs no answer from a person [RTY-03, RTY-04, EDG-10]', async () => {
    const creates = await createsOf(options);
    expect(creates.length).toBeGreaterThan(2);
    const questions: string[] = [];
    for (const [index, [nth, what]] of creates.entries()) {
      for (const mishap of isWhole ? MISHAPS : [MISHAPS[(name.length + index) % MISHAPS.length] as Mishap]) {
        const where = `${what}, ${mishap.name}`;
        const one = await startHarness(options);
        harness = one;
        const { connect, killed } = proxyBefore(one, nth, mishap);
        const { runtime } = one.session();
        await Promise.race([apply(one, { transport: connect(), runtime: { ...runtime, pid: NOBODY } }), killed]);
        const second = await apply(one, { transport: connect() });
        const isAsked = second.actions.some(({ result }) => result === 'unknown-outcome');
        if (isAsked) questions.push(where);
        one.sandbox.clock.advance(300_000);
        const third = await apply(one, { transport: connect() });
        const last = third.exitCode === 0 ? third : await apply(one, { transport: connect() });
        expect(
          [...one.sandbox.creations].filter(([, times]) => times > 1),
          where,
        ).toEqual([]);
        expect(last, `${where}\n${JSON.stringify([second, third, last], null, 1)}`).toMatchObject({ exitCode: 0 });
        expect(isEmptyPlan(await one.planned()), where).toBe(true);
        await one.close();
      }
    }
    process.stdout.write(`${name}: ${creates.length} creates, ${questions.length} were a question for a time\n`);
  });
});

describe('a create of a killed run', () => {
  it('that no manifest declares any more is reported, and neither sent again nor deleted', async () => {
    const aliases = [{ address: 'new@shop.example.com', target: 'anna@shop.example.com' }];
    const one = await openHarness({
      ledger: true,
      scenario: 'mail',
      files: { 'sites/mail.json': manifest('Mailspace', 'shop.example.com', { aliases }) },
    });
    const { runtime, transport: inner } = one.session();
    const never = new Promise<never>(() => undefined);
    let end: () => void = () => undefined;
    const killed = new Promise<void>((resolve) => (end = resolve));
    let isDead = false;
    const transport: Transport = async (request) => {
      if (isDead) return never;
      const answer = await (inner as Transport)(request);
      if (request.method === 'GET') return answer;
      isDead = true;
      end();
      return never;
    };
    await Promise.race([apply(one, { transport, runtime: { ...runtime, pid: NOBODY } }), killed]);
    await one.write('sites/mail.json', manifest('Mailspace', 'shop.example.com', {}));
    const sent = one.writes().length;
    const outcome = await apply(one, {});
    expect(outcome.diagnostics, JSON.stringify(outcome, null, 1)).toContainEqual(
      expect.objectContaining({ code: 'HW5030', address: 'Mailspace/shop.example.com/MailAlias/new@shop.example.com' }),
    );
    expect(one.writes()).toHaveLength(sent);
    expect((await one.planned()).actions).toEqual([]);
  });
});
