// Carries a plan out once on a copy of the account, made from what the plan has read, and plans again: with the same
// interpreter, a clock of its own, a ledger in memory, and made-up values in place of secrets. Nothing leaves the
// process.
import type { Address } from '../../model/address.ts';
import { rootOf } from '../../model/address.ts';
import type { Clock } from '../../model/clock.ts';
import type { DesiredCollection } from '../../model/desired.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Member } from '../../model/kind/kind.ts';
import type { ActionOutcome } from '../../model/plan/outcome.ts';
import type { Action, Plan } from '../../model/plan/plan.ts';
import type { Rehearsal, Rehearsed } from '../../model/plan/rehearsal.ts';
import type { SecretSink } from '../../model/secret-sink.ts';
import { documentedAnswer } from '../../areas/endpoints.ts';
import { registry } from '../../areas/index.ts';
import type { Workspace } from '../../model/workspace.ts';
import { createRedactor } from '../../platform/redact.ts';
import type { Transport } from '../../platform/transport.ts';
import { applyDeclared } from '../apply/apply.ts';
import { withReadCaches } from '../apply/read-caches.ts';
import { narrow } from '../apply/run.ts';
import { withClient } from '../client.ts';
import { secretSinkOf } from '../credentials/secret-sink.ts';
import { memoryStore, openMemoryLedger } from '../one-root/memory-ledger.ts';
import type { Planned } from '../plan/plan.ts';
import { planLive } from '../plan/plan.ts';
import type { Session } from '../session.ts';
import type { RecordedAnswer } from './recorded.ts';

/** A copy of an account. */
export interface AccountCopy {
  readonly transport: Transport;
  /** A wait by it lets people outside do what is asked of them: pay, publish records, confirm. */
  readonly clock: Clock;
  /** What requests asked of the copy that neither the documents nor the account answer: each with its other readings. */
  readonly leftOpen: () => readonly LeftOpen[];
  /** Requests and how the copy answered them, oldest first. */
  readonly requests: readonly CopyRequest[];
}

/** Something that the documents leave open. */
export interface LeftOpen {
  /** `GAP-43`, or `GAP-43.address` where one gap asks several questions. */
  readonly ambiguity: string;
  readonly readings: readonly string[];
}

export interface CopyRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  /** What was said where it was refused. */
  readonly said?: string;
  /** What was not read, and the answer would rest on. */
  readonly notRead?: string;
}

/** Makes a copy of an account from what was read of it. */
export type OpenCopy = (
  answers: readonly RecordedAnswer[],
  options: Pick<Workspace, 'account' | 'credential'> & {
    readonly nowMs: number;
    /** How to read what is left open. */
    readonly ambiguities: Readonly<Record<string, string>>;
  },
) => Promise<AccountCopy>;

/** More than any plan takes: what goes on after them would go on for ever. */
const MOST_RUNS = 5;
const NOT_READ = /\bsandbox_not_read: not read: ([^);]*)/;

/** What is then still not told apart is said without the rule that leaves it open. */
const MOST_PLAYS = 40;

/** Carries the plan out on a copy of the account; and once more where the documents leave open what the copy does. */
export async function rehearse(
  planned: Planned,
  answers: readonly RecordedAnswer[],
  openCopy: OpenCopy,
): Promise<Rehearsal> {
  const play = (ambiguities: Readonly<Record<string, string>>) => playOnce(planned, answers, { openCopy, ambiguities });
  const { rehearsal, leftOpen } = await play({});
  const [before, open] = [troubleIn(rehearsal), [] as Open[]];
  let plays = 0;
  /** Plays these readings together, then each half of them, down to the ones that matter. True: one of them does. */
  const search = async (readings: readonly Reading[]): Promise<boolean> => {
    if (readings.length === 0) return false;
    plays += 1;
    const after = troubleIn((await play(Object.fromEntries(readings))).rehearsal);
    const differing = [...after.values(), ...before.values()].filter(
      ({ address }) => before.has(address) !== after.has(address) && !open.some((one) => one.address === address),
    );
    if (differing.length === 0) return false;
    if (readings.length > 1 && plays < MOST_PLAYS) {
      const half = readings.length >> 1;
      const [left, right] = [await search(readings.slice(0, half)), await search(readings.slice(half))];
      if (left || right) return true;
    }
    // Some questions have no id that `explain` knows.
    const [rule] = readings.length > 1 ? [] : (/^GAP-\d+/.exec(readings[0]?.[0] ?? '') ?? []);
    open.push(...differing.map((one) => ({ ...one, ...(rule !== undefined && { rule }) })));
    return true;
  };
  const most = Math.max(0, ...leftOpen.map(({ readings }) => readings.length));
  for (let nth = 0; nth < most; nth += 1)
    await search(
      leftOpen.flatMap(({ ambiguity, readings: { [nth]: reading } }): readonly Reading[] =>
        reading === undefined ? [] : [[ambiguity, reading]],
      ),
    );
  if (open.length === 0) return rehearsal;
  const isSure = ({ address }: Rehearsed): boolean => !open.some((one) => one.address === address);
  const [refused, left] = [rehearsal.refused.filter(isSure), rehearsal.left.filter(isSure)];
  return { ...rehearsal, refused, left, open, result: wordOf({ ...rehearsal, refused, left }) };
}

/** A question that the documents leave open, and an answer to it. */
type Reading = readonly [ambiguity: string, reading: string];

type Open = NonNullable<Rehearsal['open']>[number];

function troubleIn({ refused, left }: Rehearsal): ReadonlyMap<Address, Rehearsed> {
  return new Map([...refused, ...left].map((one) => [one.address, one]));
}

/** Returns the collections with each bound root bound by its id: the copy of the account has no orders to verify it by. */
function bindAsRead(
  declared: readonly DesiredCollection[],
  bound: ReadonlyMap<Address, Member>,
): readonly DesiredCollection[] {
  return declared.map((collection) => {
    if (registry.get(collection.kind)?.capabilities.paid === undefined) return collection;
    const members = collection.members.map((desired) => {
      const member = bound.get(desired.address);
      return member === undefined || member.unverified !== undefined ? desired : { ...desired, boundId: member.id };
    });
    return { ...collection, members };
  });
}

interface Played {
  readonly rehearsal: Rehearsal;
  readonly leftOpen: readonly LeftOpen[];
}

async function playOnce(
  planned: Planned,
  answers: readonly RecordedAnswer[],
  { openCopy, ambiguities }: { readonly openCopy: OpenCopy; readonly ambiguities: Readonly<Record<string, string>> },
): Promise<Played> {
  const { session, workspace, plan, ledger: view } = planned;
  // What it does not touch is as it was read, before and after.
  const touched = new Set([...plan.actions, ...plan.deferred].map(({ address }) => rootOf(address)));
  const declared = bindAsRead(
    narrow(planned.declared, touched, ({ parent }) => touched.has(parent as Address)),
    planned.live.bound,
  );
  const copy = await openCopy(answers, {
    account: workspace.account,
    ...(workspace.credential !== undefined && { credential: workspace.credential }),
    nowMs: session.clock.now(),
    ambiguities,
  });
  const own = ownWorkspace(workspace);
  const sent = new Map<Address, readonly CopyRequest[]>();
  let before = 0;
  const inside = sessionIn(session, own, copy, (event) => {
    if (event.type === 'action-started') before = copy.requests.length;
    if (event.type === 'action-finished') sent.set(event.address, copy.requests.slice(before));
  });
  return withClient<Played>(
    inside,
    own,
    { reads: false },
    async (client) => {
      const ledger = await openMemoryLedger(inside, workspace.account, {
        objects: [...view.objects.values()],
        inFlight: view.inFlight,
        standing: view.standing === 'missing' ? 'partial' : view.standing,
      });
      const limits = {
        targets: planned.targets,
        ...(planned.patterns !== undefined && { patterns: planned.patterns }),
        ...(planned.within !== undefined && { within: planned.within }),
      };
      const ended = new Map<Address, ActionOutcome>();
      const unknown = new Map<Address, string>();
      let [rounds, runs] = [0, 0];
      for (let more = true; more && runs < MOST_RUNS;) {
        const { outcome, rounds: run = 0 } = await applyDeclared({
          // A signal of its own: what each run hangs on it goes with it.
          session: { ...inside, stop: AbortSignal.any([session.stop]) },
          options: { parallelism: PARALLELISM, confirm: () => Promise.resolve(true) },
          workspace: own,
          declared,
          limits,
          ...withReadCaches(client, copy.clock),
          redactor: createRedactor(),
          ledger,
          runId: `rehearsal-${(runs += 1)}`,
          diagnostics: [],
          isRehearsal: true,
        });
        rounds += run;
        for (const { address, is, reason } of outcome.remaining)
          if (is === 'unknown') unknown.set(address, whyNot(reason));
        for (const action of outcome.actions)
          if (supersedes(action, ended.get(action.address))) ended.set(action.address, action);
        // What waits for somebody outside gets what it waits for, and what takes its time gets days of it.
        const waits = outcome.actions.some(({ result }) => result === 'waiting');
        if (waits) await copy.clock.sleep(WAITED_MS);
        const hasMore = outcome.outcome !== 'done' && outcome.actions.some(({ result }) => result === 'done');
        more = waits || hasMore;
      }
      const again = await planLive({
        ...planned,
        declared,
        session: inside,
        workspace: own,
        ledger: ledger.view(),
        client,
        notices: [],
      });
      return {
        rehearsal: summed(plan.actions, [...ended.values()], again.plan, { rounds, copy, sent, unknown }),
        leftOpen: copy.leftOpen(),
      };
    },
    ({ detail }) => {
      throw new Error(detail);
    },
  );
}

/** One after the other, so that it is known which request is whose. */
const PARALLELISM = 1;
const MOST_NAMED = 3;
/** A registrar takes days. */
const WAITED_MS = 7 * 86_400_000;

/** What is done stays done, whatever a later round says of it. */
function supersedes({ result }: ActionOutcome, before: ActionOutcome | undefined): boolean {
  return before === undefined || before.result !== 'done' || result === 'failed';
}

function summed(
  planned: readonly Action[],
  ended: readonly ActionOutcome[],
  again: Plan | undefined,
  {
    rounds,
    copy,
    sent,
    unknown,
  }: {
    readonly rounds: number;
    readonly copy: AccountCopy;
    readonly sent: ReadonlyMap<Address, readonly CopyRequest[]>;
    readonly unknown: ReadonlyMap<Address, string>;
  },
): Rehearsal {
  const sources = new Map(planned.map(({ address, source }) => [address, source]));
  const told = (address: Address, reason: string): Rehearsed => {
    const source = sources.get(address);
    return { address, reason: ofTheCopy(reason), ...(source !== undefined && { source }) };
  };
  const still = new Set([...(again?.actions ?? []), ...(again?.waiting ?? [])].map(({ address }) => address));
  // What somebody outside had to act for is done as soon as the second plan has no more of it.
  const isDone = ({ address, result }: ActionOutcome): boolean =>
    result === 'done' || result === 'already-done' || (result === 'waiting' && !still.has(address));
  const failed = ended.filter((one) => !isDone(one) && one.result !== 'skipped');
  const unread = failed.filter(({ reason = '', result }) => NOT_READ.test(reason) || result === 'waiting');
  const seen = new Set(ended.map(({ address }) => address));
  const unseen = planned.filter(({ address }) => !seen.has(address));
  // What is refused beside something that could not be tried may be refused because of that.
  const partly = new Set([...unread, ...unseen].map(({ address }) => rootOf(address)));
  const refused = failed
    .filter((one) => !unread.includes(one) && !partly.has(rootOf(one.address)))
    .map(({ address, reason = '' }) => ({ ...told(address, reason), ...requestOf(reason, sent.get(address) ?? []) }));
  const unsure = failed.filter((one) => !unread.includes(one) && partly.has(rootOf(one.address)));
  const notRead = [...new Set(copy.requests.flatMap(({ notRead: what = [] }) => what))].slice(0, MOST_NAMED).join('; ');
  const notRehearsed = [
    ...[...unread, ...unsure].map(({ address, reason = '' }) => told(address, whyNot(reason))),
    // The copy does not show it as the account does, so it was not planned there.
    ...unseen.map(({ address }) => told(address, unknown.get(address) ?? `not read: ${notRead}`)),
  ];
  const done = new Set(ended.filter(isDone).map(({ address }) => address));
  const open = new Set([...ended, ...planned].flatMap(({ address }) => (done.has(address) ? [] : [address])));
  const left = (again?.actions ?? [])
    .filter(({ address }) => !open.has(address))
    .map(({ address, reason }) => told(address, reason));
  // What was skipped, or could not be looked at again, has passed nothing.
  const isQuiet = refused.length + notRehearsed.length + left.length === 0;
  const unproven = !isQuiet
    ? []
    : again === undefined
      ? planned.map(({ address }) => told(address, 'the second plan could not be made'))
      : ended
          .filter(({ address }) => !done.has(address))
          .map(({ address, reason = 'it was not carried out' }) => told(address, reason));
  return {
    result: wordOf({ refused, notRehearsed: [...notRehearsed, ...unproven], left }),
    actions: done.size,
    rounds,
    refused,
    notRehearsed: [...notRehearsed, ...unproven],
    left,
  };
}

function wordOf({
  refused,
  notRehearsed,
  left,
}: Pick<Rehearsal, 'refused' | 'notRehearsed' | 'left'>): Rehearsal['result'] {
  if (refused.length > 0) return 'refused';
  if (left.length > 0) return 'not-settled';
  return notRehearsed.length > 0 ? 'in-part' : 'passed';
}

/** An apply takes the copy for the platform, which was asked nothing. */
function ofTheCopy(reason: string): string {
  return reason.replaceAll(/\bthe platform (answered|refused)/g, 'the copy $1');
}

function whyNot(reason: string): string {
  const [, what] = NOT_READ.exec(reason) ?? [];
  return what === undefined ? reason : `not read: ${what}`;
}

/** The last request that was answered in these words, and the rule behind the answer where the documents have one. */
function requestOf(reason: string, requests: readonly CopyRequest[]): Pick<Rehearsed, 'request' | 'rule'> {
  const [, status, code = null] = /the platform answered (\d{3})(?: ([a-z_]+))?/.exec(reason) ?? [];
  const request = requests.findLast(
    (one) => one.status === Number(status) && one.method !== 'GET' && reason.includes(one.said ?? ''),
  );
  if (request === undefined) return {};
  const { method, path } = request;
  const rule = documentedAnswer(method, path, Number(status), code)?.rule;
  return { request: `${method} ${path}`, ...(rule !== undefined && { rule }) };
}

/** Without what would be asked of somebody outside: commands that give tokens, addresses that are called back. */
function ownWorkspace(workspace: Workspace): Workspace {
  const { callback: _callback, credentialEnv: _variable, credentialEntry: _entry, ...rest } = workspace;
  return { ...rest, baseUrl: 'http://127.0.0.1:1' };
}

function sessionIn(session: Session, workspace: Workspace, copy: AccountCopy, emit: Session['emit']): Session {
  const {
    shared: _shared,
    deadline: _deadline,
    onRequest: _told,
    maxRps: _rate,
    connecting: _watch,
    ...rest
  } = session;
  return {
    ...rest,
    token: 'rehearsal',
    clock: copy.clock,
    transport: copy.transport,
    emit,
    env: () => undefined,
    inMemory: {
      workspace,
      documents: [],
      store: memoryStore(workspace.account, undefined),
      // Of no form that any manifest asks for, beyond that it is a good password.
      resolveSecret: () => 'Rehearsed-4-nothing',
      secretSink: keptInMemory(secretSinkOf(session, workspace)),
    },
  };
}

/** Asks the workspace whether something can be kept, and keeps it in memory alone. */
function keptInMemory({ objection }: SecretSink): SecretSink {
  const kept = new Map<string, JsonObject>();
  return {
    objection,
    reserve: (to) => {
      const name = JSON.stringify(to);
      return Promise.resolve({
        fill: (_text, open) => {
          kept.set(name, open);
          return Promise.resolve(undefined);
        },
        release: () => Promise.resolve(),
      });
    },
    read: (to) => Promise.resolve(kept.get(JSON.stringify(to))),
  };
}
