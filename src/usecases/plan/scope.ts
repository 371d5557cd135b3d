// How much of the account a run reads: everything that is declared, or the roots that it is about and what those rest
// on. What was not read is unknown: it is neither created, changed nor removed.
import type { Address } from '../../model/address.ts';
import { compareText, rootOf } from '../../model/address.ts';
import type { DesiredCollection } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { LedgerView } from '../../model/plan/ledger-view.ts';
import { inThousands } from '../../model/format.ts';
import { addressPattern } from '../../planner/targets.ts';
import { rootsWithNeeds } from '../../planner/touched.ts';
import { registry } from '../../areas/index.ts';
import type { Session } from '../session.ts';
import type { OpenedWorkspace } from '../workspace.ts';
import { changedSince } from './changed-since.ts';
import type { Limits, Scope } from './limits.ts';
import { countOf, named, partRead, restingOn, rootsIn } from './limits.ts';
import { knownAddresses, matchesNothing } from './targets.ts';

export interface ScopeRequest {
  /** Files, folders, globs or `-`; absent or empty: what the workspace names. */
  readonly paths?: readonly string[];
  /** Addresses or globs, as the user wrote them. Absent or empty: everything. */
  readonly targets?: readonly string[];
  /** A commit: only what the manifests say otherwise since then, and what rests on it. */
  readonly changedSince?: string;
  /** What a review was about, where it says so: that is read, and what it rests on. */
  readonly reviewed?: readonly Address[];
}

/** Chooses how much a run reads. Reads manifests and Git, never the account. */
export async function chooseScope(
  session: Session,
  opened: OpenedWorkspace,
  { paths = [], targets: patterns = [], changedSince: commit, reviewed }: ScopeRequest,
  ledger: Pick<LedgerView, 'inFlight'>,
): Promise<{ readonly error: Diagnostic } | Scope> {
  const { declared } = opened;
  const roots = rootsIn(declared);
  if (commit !== undefined) {
    const changed = await changedSince(session, opened, commit);
    if ('error' in changed) return changed;
    const { limits, notices, former } = changed;
    const isNothing = limits?.within.size === 0;
    return { limits: limits ?? { targets: [] }, notices, isNothing, ...(former !== undefined && { former }) };
  }
  if (patterns.length > 0) {
    const known = [...roots, ...ledger.inFlight.map(({ action }) => rootOf(action.address))];
    const found = patterns.map((pattern) => rootsNamedBy(pattern, known));
    const wrong = patterns.find((_pattern, index) => found[index]?.length === 0);
    if (wrong !== undefined)
      return { error: matchesNothing(wrong, knownAddresses({ declared, observed: new Map() }, ledger)) };
    return narrowed(declared, new Set(found.flat()), { targets: [], patterns });
  }
  if (reviewed !== undefined) return narrowed(declared, new Set(reviewed.map(rootOf)), { targets: reviewed });
  const within = paths.length === 0 ? {} : { within: new Set(roots) };
  return { limits: { targets: [], ...within }, notices: [], isNothing: false };
}

/** The roots that a pattern names, or names something in. */
function rootsNamedBy(pattern: string, known: readonly Address[]): readonly Address[] {
  const [kind = '', name = ''] = pattern.split('/');
  const names = addressPattern(`${kind}/${name}`);
  const isAnywhere = kind.includes('**') || name.includes('**') || !pattern.includes('/');
  return isAnywhere ? known : known.filter(names);
}

/** Only these roots, and what they rest on; everything where one of them is to be deleted. */
function narrowed(
  declared: readonly DesiredCollection[],
  subjects: ReadonlySet<Address>,
  limits: Omit<Limits, 'within'>,
): Scope {
  const doomed = declared
    .flatMap(({ parent, members }) => (parent === null ? members : []))
    .find(({ address, lifecycle }) => lifecycle.state === 'absent' && subjects.has(address));
  if (doomed !== undefined) return { limits, notices: [allForDelete(doomed.address)], isNothing: false };
  const roots = new Set(rootsIn(declared));
  const within = new Set([...rootsWithNeeds(subjects, declared, registry)].filter((address) => roots.has(address)));
  if (within.size === roots.size) return { limits, notices: [], isNothing: false };
  return {
    limits: { ...limits, within },
    notices: [howMuchWasRead([...subjects], within, roots.size)],
    isNothing: subjects.size === 0,
  };
}

function allForDelete(address: Address): Diagnostic {
  return diagnose('HW6143', `${address} is to be deleted, and anything else in the account may rest on it.`, {
    address,
  });
}

function howMuchWasRead(subjects: readonly Address[], within: ReadonlySet<Address>, all: number): Diagnostic {
  const roots = subjects.filter((address) => within.has(address)).sort(compareText);
  return partRead(
    [
      roots.length === 0
        ? `Looked at none of ${inThousands(all)} manifests.`
        : `Looked at ${countOf(roots.length, all)}: ${named(roots)}.`,
      ...restingOn(roots, within),
      'Nothing else of the account was read, so nothing is said about the rest.',
    ].join(' '),
  );
}
