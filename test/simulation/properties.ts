// The statements that hold at every event of a simulation. A statement that is broken is reported with its number and
// what broke it.
import { parseLedger } from '../../src/ledger/ledger-text.ts';
import { replay } from '../../src/ledger/state.ts';
import type { LedgerView } from '../../src/model/plan/ledger-view.ts';
import { MISSING_LEDGER } from '../../src/model/plan/ledger-view.ts';
import type { TransportRequest } from '../../src/platform/transport.ts';
import type { OpenSandbox } from '../../src/sandbox/server.ts';
import type { LedgerPlace } from './ledger-place.ts';
import type { Arrival, Life } from './network.ts';
import type { SimulatedWorld } from './worlds.ts';

export interface Violation {
  /** `L1` to `L10`; `L0`: the engine threw an error. */
  readonly property: string;
  readonly what: string;
}

export interface Properties {
  readonly violations: readonly Violation[];
  readonly report: (property: string, what: string) => void;
  readonly onSend: (life: Life, request: TransportRequest) => void;
  readonly onResponse: (life: Life, request: TransportRequest) => void;
  readonly onArrival: (arrival: Arrival) => void;
  /** Called with everything that a process prints or returns. */
  readonly onOutput: (life: Life, text: string) => void;
  /** Writes that the platform processed although their process was dead or had lost the lock. */
  readonly lateWrites: () => number;
  readonly atEnd: () => void;
}

export interface PropertiesOptions {
  /** Virtual time in milliseconds. */
  readonly now: () => number;
  readonly sandbox: OpenSandbox;
  readonly place: LedgerPlace;
  readonly world: SimulatedWorld;
  /** DELETE requests that an undisturbed run sends; undefined while that run is made. */
  readonly expectedDeletes: ReadonlySet<string> | undefined;
  /** The forge may report a running job as ended, or a process may pause: the exceptions of L1 and L3. */
  readonly mayLoseLockUnseen: boolean;
  readonly trace: (actor: string, text: string) => void;
}

/** A value may be this old when it is overwritten: five seconds, and the time that the ledger entry takes. */
const LONGEST_BLIND_MS = 5_500;

/** Actors that use no ledger. */
const WITHOUT_LOCK = new Set(['colleague']);

/** A POST that only reads. */
const READS = /\/check$/;

/** A create that may not be repeated: everything that is posted to a list. */
const CREATES = /\/(edge_rules|orders|custom_rules|access_lists|rate_limits|domain_registrations|mailboxes|hosts)$/;

export function createProperties(options: PropertiesOptions): Properties {
  const { now, sandbox, place, world, expectedDeletes, mayLoseLockUnseen, trace } = options;
  const violations: Violation[] = [];
  const reported = new Set<string>();
  let lateWrites = 0;
  /** When each process last received a read, by path. */
  const reads = new WeakMap<Life, Map<string, number>>();
  const sitesBefore = new Set(sandbox.state.sites.keys());
  /** A site that this simulation bought has no value that somebody else could have set before its first settings. */
  const isNewSite = (path: string): boolean => {
    const [, id] = /^\/api\/sites\/([^/]+)/.exec(path) ?? [];
    return id !== undefined && !sitesBefore.has(id);
  };
  const report = (property: string, what: string): void => {
    if (reported.has(`${property} ${what}`)) return;
    reported.add(`${property} ${what}`);
    violations.push({ property, what });
    trace('property', `${property} is broken: ${what}`);
  };

  return {
    violations,
    report,
    onSend: (life, { method, path }) => {
      if (method === 'GET' || READS.test(path) || WITHOUT_LOCK.has(life.actor)) return;
      // L3: only the process that holds the lock writes.
      if (place.holderLife !== life) {
        const what = `${life.name} sends ${method} ${path} while ${place.holderLife?.name ?? 'nobody'} holds the lock`;
        if (mayLoseLockUnseen) trace('property', `L3 exception: ${what}`);
        else report('L3', what);
      }
      // L4: a request that may not be repeated leaves after its entry is durable.
      if (method === 'POST' && CREATES.test(path)) {
        const isRecorded = viewOf(place).inFlight.some(({ unanswered }) => unanswered !== undefined);
        if (!isRecorded) report('L4', `${life.name} sends ${method} ${path}, and the ledger has no entry for it`);
      }
      // L5: a value is read right before it is overwritten.
      if ((method === 'PATCH' || method === 'PUT') && !isNewSite(path)) {
        const readAtMs = Math.max(
          -Infinity,
          ...[...(reads.get(life) ?? [])].flatMap(([read, atMs]) =>
            path === read || path.startsWith(`${read}/`) ? [atMs] : [],
          ),
        );
        if (now() - readAtMs > LONGEST_BLIND_MS)
          report(
            'L5',
            `${life.name} sends ${method} ${path}, which it last read ${Math.round(now() - readAtMs)} ms ago`,
          );
      }
    },
    onResponse: (life, { method, path }) => {
      if (method !== 'GET') return;
      const own = reads.get(life) ?? new Map<string, number>();
      reads.set(life, own.set(path.split('?', 1)[0] as string, now()));
    },
    onArrival: ({ life, method, path, status }) => {
      if (method === 'GET' || READS.test(path)) return;
      const hasLock = WITHOUT_LOCK.has(life.actor) || place.holderLife === life;
      if (!life.isAlive || !hasLock) lateWrites += 1;
      // L1: nothing is created or bought twice.
      for (const [name, times] of sandbox.creations) if (times > 1) report('L1', `${name} was created ${times} times`);
      // L6: nothing is deleted that an undisturbed run leaves alone.
      if (method === 'DELETE' && status < 300 && expectedDeletes?.has(path) === false)
        report('L6', `${life.name} sends DELETE ${path}`);
      // L9: no more is bought than the manifests ask for.
      const paid = sandbox.requests.filter((one) => isPaid(one) && one.status !== null && one.status < 300).length;
      if (paid > world.charges) report('L9', `${paid} paid requests were accepted, ${world.charges} are declared`);
    },
    onOutput: (life, text) => {
      // L10: no secret in any output.
      if (text.includes(world.secret)) report('L10', `${life.name} prints a secret: ${text.slice(0, 300)}`);
    },
    lateWrites: () => lateWrites,
    atEnd: () => {
      if ((place.text ?? '').includes(world.secret)) report('L10', 'the ledger contains a secret');
      for (const text of place.setAside)
        report('L0', `a ledger was set aside as damaged: ${text.split('\n').at(-1)?.slice(0, 200)}`);
    },
  };
}

function isPaid({ method, path }: { readonly method: string; readonly path: string }): boolean {
  return method === 'POST' && /^\/api\/(orders|domain_registrations)$/.test(path);
}

/** What the durable ledger says. */
export function viewOf({ text }: LedgerPlace): LedgerView {
  const content = parseLedger(Buffer.from(text ?? ''));
  return content.state === 'read' ? replay(content.header, content.lines) : MISSING_LEDGER;
}
