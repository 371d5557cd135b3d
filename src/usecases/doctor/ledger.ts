// What is known of the ledger without a lock and without writing: whether it is whole, what is in flight, who holds its
// lock, whether it could be written.
import { resolve } from 'node:path';
import type { Finding } from '../../model/doctor.ts';
import { firstOf } from '../../model/format.ts';
import type { Workspace } from '../../model/workspace.ts';
import { plural } from '../../model/common/count.ts';
import type { LockState } from '../../ledger/lock.ts';
import { describeHolder, lookAtLock } from '../../ledger/lock.ts';
import { StoreError } from '../../ledger/store.ts';
import { writeBlocker } from '../../ledger/file-store.ts';
import { readPurchasesInFlight } from '../ledgers/purchase.ts';
import { overdue } from '../plan/reminders.ts';
import { ledgerPlace, storeToRead, viewLedger } from '../ledger.ts';
import type { Session } from '../session.ts';
import { checkOf } from './finding.ts';

const ledgerCheck = checkOf('ledger', 'ledger');
const inFlightCheck = checkOf('ledger', 'in flight');
const purchaseCheck = checkOf('ledger', 'purchase');
const lockCheck = checkOf('ledger', 'lock');
const writingCheck = checkOf('ledger', 'writing');

const NAMED = 5;
/** A run that holds it for longer is worth a look. */
const LONG_MS = 3_600_000;
export const FREE = 'Nobody holds the lock.';
/** Of a lock that nobody holds any more. */
const LEFT = 'The lock was left by';

/** Whether a run holds the lock, as far as is known. */
export function isHeld({ verdict, says }: Finding): boolean {
  return verdict !== 'unknown' && says !== FREE && !says.startsWith(LEFT);
}

/**
 * Returns the findings on the ledger of a workspace. With `onRead`, the cart or order of each purchase in flight is read,
 * and `onRead` gets the path and the response of each read.
 */
export async function ledgerFindings(
  session: Session,
  workspace: Workspace,
  onRead?: (path: string, answer: string) => void,
): Promise<readonly Finding[]> {
  const [{ view, diagnostics }, lock, room] = await Promise.all([
    viewLedger(session, workspace),
    lockFinding(session, workspace),
    roomFinding(workspace),
  ]);
  const place = ledgerPlace(session, workspace);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0)
    return [
      ...errors.map(({ code, summary, detail }) => ledgerCheck.problem(`${code}: ${summary}.`, detail)),
      ...lock,
      ...room,
    ];
  if (view.standing === 'missing') {
    return [
      ledgerCheck.warning(
        `There is no ledger in ${place}.`,
        'Run `hostwright ledger init` once if this is a new workspace; restore it if there was one. Without a complete ledger nothing is bought.',
      ),
      ...lock,
      ...room,
    ];
  }
  const counted = `${plural(view.objects.size, 'object')} bound`;
  const standing =
    view.standing === 'complete'
      ? ledgerCheck.ok(`The ledger in ${place} is complete: ${counted}.`)
      : ledgerCheck.warning(
          `The ledger in ${place} is partial: ${counted}; it began without anybody saying that nothing was there before.`,
          'Compare the account with the manifests, then run `hostwright ledger init`. Until then nothing is bought.',
        );
  const flying = view.inFlight.map(({ action }) => action.address);
  const flight =
    flying.length === 0
      ? inFlightCheck.ok('Nothing is in flight.')
      : inFlightCheck.warning(
          `In flight from an earlier run: ${firstOf(flying, NAMED)}.`,
          'Run `hostwright apply --resume`; it continues that and nothing else.',
        );
  const purchases = onRead === undefined ? [] : await readPurchasesInFlight(session, workspace, view, onRead);
  const bought = purchases.map(({ address, says }) =>
    purchaseCheck.warning(
      `The purchase of ${address} has not ended: ${says}.`,
      `\`hostwright apply --resume\` continues it, and \`hostwright ledger abandon ${address}\` gives it up.`,
    ),
  );
  const late = overdue(view, session.clock.now()).map(({ act, untilMs = 0 }) =>
    checkOf('ledger', 'reminder').warning(
      `The ${act} was to end on ${new Date(untilMs).toISOString().slice(0, 10)}.`,
      `\`hostwright run stop-learning Site/id:${act.split(' ').at(-1) ?? ''}\` ends it, if it has not ended by itself.`,
    ),
  );
  return [standing, flight, ...bought, ...late, ...lock, ...room];
}

/** Who holds the lock of a ledger. */
export async function lockFinding(session: Session, workspace: Workspace): Promise<readonly Finding[]> {
  const store = storeToRead(session, workspace);
  try {
    return [inWords(await lookAtLock(store.lock, session.runtime.hostname), session.clock.now())];
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [lockCheck.unknown(`Who holds the lock is not known: ${error.message}.`)];
  } finally {
    await store.close();
  }
}

function inWords(state: LockState, nowMs: number): Finding {
  const unlock = '`hostwright ledger unlock` removes it, once it is certain that nothing runs any more.';
  if (state.is === 'free') return lockCheck.ok(FREE);
  if (state.is === 'unreadable') return lockCheck.problem('Somebody holds the lock, and who cannot be read.', unlock);
  const who = describeHolder(state.holder);
  if (state.is === 'dead')
    return lockCheck.warning(
      `${LEFT} ${who}; that process no longer runs.`,
      'Nothing has to be done: the next run takes it over, and continues what is in flight.',
    );
  const heldMs = nowMs - Date.parse(state.holder.since);
  const long = !(heldMs <= LONG_MS);
  const stale =
    state.is === 'elsewhere' ? ' Whether that run goes on, cannot be seen from here.' : ' That process runs.';
  return lockCheck[long ? 'warning' : 'ok'](
    `The lock is held by ${who}.${stale}`,
    long ? `It is held for more than an hour. ${unlock}` : 'Wait for it, or have apply wait with --lock-timeout.',
  );
}

async function roomFinding({ root, ledger }: Workspace): Promise<readonly Finding[]> {
  if (!('file' in ledger))
    return [writingCheck.unknown('Whether the ledger may be written there, only writing would show.')];
  const blocker = await writeBlocker(resolve(root, ledger.file));
  if (blocker === undefined) return [writingCheck.ok('The ledger could be written, as far as permissions tell.')];
  return [
    writingCheck.problem(
      `The ledger could not be written: ${blocker}.`,
      'Mend its permissions, or name another place as `ledger.file`. Plan and drift only read it.',
    ),
  ];
}
