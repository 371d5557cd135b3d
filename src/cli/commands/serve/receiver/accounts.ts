// What `serve receiver` knows about its accounts: which it has workspaces of, and which roots their ledgers know.
import pLimit from 'p-limit';
import type { ReceiverOptions } from '../../../../events/receiver.ts';
import type { KnownRoots } from '../../../../events/runs.ts';
import { rootsIn } from '../../../../events/runs.ts';
import type { Workspace } from '../../../../model/workspace.ts';
import type { Member } from '../../../../usecases/fleet/members.ts';
import { findMembers } from '../../../../usecases/fleet/members.ts';
import { viewLedger } from '../../../../usecases/ledger.ts';
import type { Session } from '../../../../usecases/session.ts';
import { hasErrors } from '../../../../model/diagnostic.ts';

/** What a ledger said is good for so long: several messages about one account often come together. */
const GOOD_FOR_MS = 2000;
const LEDGERS_AT_ONCE = 4;
/** A folder that was added is found without a restart. */
const LOOK_AGAIN_MS = 60_000;

/** The accounts of these workspaces, and of those that are added later. */
export function openAccounts(
  session: Session,
  folders: readonly string[],
  members: readonly Member[],
): Pick<ReceiverOptions, 'isAccount' | 'rootsOf'> {
  const { clock } = session;
  const limit = pLimit(LEDGERS_AT_ONCE);
  const workspaces = new Map<string, Workspace>();
  const learn = (found: readonly Member[]): void => {
    for (const { account, workspace } of found) if (workspace !== undefined) workspaces.set(account, workspace);
  };
  learn(members);
  let lookedAtMs = clock.now();
  const read = new Map<string, { readonly atMs: number; readonly roots: Promise<KnownRoots | undefined> }>();

  const readRoots = async (workspace: Workspace): Promise<KnownRoots | undefined> => {
    const { view, diagnostics } = await viewLedger(session, workspace);
    return hasErrors(diagnostics) ? undefined : rootsIn(view);
  };

  return {
    isAccount: async (account) => {
      if (workspaces.has(account)) return true;
      if (clock.now() - lookedAtMs < LOOK_AGAIN_MS) return false;
      lookedAtMs = clock.now();
      learn((await findMembers(session, { folders })).members);
      return workspaces.has(account);
    },
    rootsOf: (account) => {
      const known = read.get(account);
      if (known !== undefined && clock.now() - known.atMs < GOOD_FOR_MS) return known.roots;
      const workspace = workspaces.get(account);
      if (workspace === undefined) return Promise.resolve(undefined);
      // Whatever is wrong with a ledger, a run over the whole account says it better.
      const roots = limit(() => readRoots(workspace)).catch(() => undefined);
      read.set(account, { atMs: clock.now(), roots });
      return roots;
    },
  };
}
