// Runs the operations of `run`: finds the operation and its object, and gives it what all operations share. Resolves with
// one result for every error that the platform or the user can cause.
import { parseAddress } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { RecordCheck } from '../../model/kind/capabilities/records.ts';
import type { ActResult, Ending } from '../../model/plan/act.ts';
import type { KeptAct } from '../../model/plan/ledger-view.ts';
import type { GivenOptions, OpenAccount } from '../../areas/operations.ts';
import { OPERATIONS, requestChecks } from '../../areas/operations.ts';
import { ApiError } from '../../platform/api-error.ts';
import type { Opened } from '../client.ts';
import { ledgerOrStop, openAccount } from '../client.ts';
import { createAccountReader } from '../get/account-reader.ts';
import { inLedger } from '../ledger.ts';
import type { Session } from '../session.ts';
import { openSite } from './open-site.ts';
import { findOperation } from './operations.ts';
import type { Confirm } from './run-act.ts';
import { runAct } from './run-act.ts';

export type { Confirm } from './run-act.ts';

/** An operation, and the address of the object it runs on. */
export interface OperationRequest extends GivenOptions {
  readonly operation: string;
  readonly address: string;
}

const refuseAll: Confirm = () => Promise.resolve(false);

/** Runs an operation. Rejects only for internal errors. */
export async function act(
  session: Session,
  { operation: name, address, ...options }: OperationRequest,
  confirm = refuseAll,
): Promise<ActResult> {
  const row = findOperation(name, address, options);
  if ('code' in row) return { outcome: 'error', diagnostics: [row] };
  const operation = OPERATIONS.find((one) => one.name === row.name && one.kind === row.kind);
  if (operation === undefined) throw new Error(`bug in hostwright: no code for the operation ${row.name}`);
  const local = parseAddress(address)?.[0]?.name ?? '';
  const use = async <Target extends Opened>(target: Target): Promise<Ending> => {
    const opened = { ...target, ...accessOf(target, confirm) };
    const begun = await operation.begin(opened, local, options);
    return 'act' in begun ? opened.run(begun) : begun;
  };
  return interruptible(
    session,
    operation.on === 'site'
      ? await openSite(session, local, use, { reads: false })
      : await openAccount(session, use, { reads: false }),
  );
}

/** Asks the platform to check DNS records again, after the user has agreed. */
export async function checkRecords(
  session: Session,
  checks: readonly RecordCheck[],
  confirm = refuseAll,
): Promise<ActResult> {
  const use = (opened: Opened): Promise<Ending> => requestChecks({ ...opened, ...accessOf(opened, confirm) }, checks);
  return interruptible(session, await openAccount(session, use, { reads: false }));
}

/** Pressing Ctrl-C at the question interrupts the command; it is not a refusal. */
function interruptible({ stop }: Session, ended: ActResult): ActResult {
  return ended.outcome === 'refused' && stop.aborted ? { ...ended, outcome: 'interrupted' } : ended;
}

/** Returns what an operation or a read of one object may do with the account. */
export function accessOf(opened: Opened, confirm: Confirm): OpenAccount {
  const { session } = opened;
  return {
    ...createAccountReader(opened),
    unlessRefused: async (answer, means) => {
      try {
        return { answer: await answer };
      } catch (error) {
        const refused = error instanceof ApiError ? means(error) : undefined;
        if (refused === undefined) throw error;
        return { refused };
      }
    },
    now: () => session.clock.now(),
    sleep: (durationMs) => session.clock.sleep(durationMs, session.stop),
    uuid: () => session.runtime.uuid(),
    confirm,
    run: (asked) => runAct(opened, asked, confirm),
    ledger: () => ledgerOrStop(opened),
    remember: (name, kept) => remember(opened, name, kept),
  };
}

/**
 * Records `kept` under a name, or removes that record: when a message was sent, and when learning is to end. The record is
 * written after the platform accepted the request, and only reports use it.
 */
async function remember(opened: Opened, act: string, kept: KeptAct | undefined): Promise<readonly Diagnostic[]> {
  const kind = { type: 'acted', act, ...(kept !== undefined && { kept }) } as const;
  const written = await inLedger(opened, (ledger) => ledger.append(kind));
  if ('diagnostics' in written) return [notRemembered(written.diagnostics.map(({ detail }) => detail).join(' '))];
  const notices = [...written.opening, ...written.notices];
  return 'failure' in written ? [...notices, notRemembered(`${written.failure.message}.`)] : notices;
}

function notRemembered(why: string): Diagnostic {
  return diagnose(
    'HW4588',
    `The platform accepted the request, but the ledger could not be written: ${why} Later commands do not report it.`,
  );
}
