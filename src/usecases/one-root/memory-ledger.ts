// A ledger that lasts as long as the process: for a run whose memory is kept by somebody else.
import { invariant } from '../../model/invariant.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { openLedger } from '../../ledger/stored-ledger.ts';
import type { Session } from '../session.ts';
import type { Snapshot } from './snapshot.ts';
import { entriesOf } from '../../ledger/state.ts';
import { formatLedger } from '../../ledger/ledger-text.ts';
import type { LedgerStore } from '../../ledger/store.ts';

interface Remembered extends Pick<Snapshot, 'objects' | 'inFlight'> {
  /** Absent: what it does not know may be all the same. */
  readonly standing?: 'complete' | 'partial';
}

/** A store that begins with what is remembered. */
export function memoryStore(account: string, snapshot: Remembered | undefined): LedgerStore {
  const standing = snapshot?.standing ?? 'partial';
  const entries = entriesOf({
    objects: new Map((snapshot?.objects ?? []).map((object) => [object.address, object])),
    inFlight: snapshot?.inFlight ?? [],
    account,
    standing,
    sequence: 0,
    finishedPlans: new Set(),
  });
  const lines = entries.map(({ atMs = 0, entry }, index) => ({ n: index + 1, atMs, entry }));
  let text = formatLedger({ account, standing, after: 0 }, lines);
  return {
    name: 'the ledger in memory',
    lock: {
      pollMs: 0,
      take: () => Promise.resolve('taken'),
      replace: () => Promise.resolve(true),
      peek: () => Promise.resolve('none'),
      remove: () => Promise.resolve(),
    },
    read: () => Promise.resolve(Buffer.from(text)),
    resume: (kept, ending) => {
      text = `${Buffer.from(text).subarray(0, kept).toString('utf8')}${ending}`;
      return Promise.resolve();
    },
    append: (more) => {
      text += more;
      return Promise.resolve();
    },
    rewrite: (whole) => {
      text = whole;
      return Promise.resolve();
    },
    setAside: () => Promise.resolve(''),
    lastSetAside: () => Promise.resolve(undefined),
    close: () => Promise.resolve(),
  };
}

/** The ledger of one run, which begins with what the snapshot remembers. */
export async function openMemoryLedger(
  session: Session,
  account: string,
  snapshot: Remembered | undefined,
): Promise<Ledger> {
  const { clock, runtime } = session;
  const { ledger } = await openLedger({
    store: memoryStore(account, snapshot),
    account,
    clock,
    owner: { hostname: runtime.hostname, pid: runtime.pid, user: runtime.user, runId: '' },
    uuid: runtime.uuid,
  });
  invariant(ledger !== undefined, 'a ledger in memory can be opened');
  return ledger;
}
