// Asks Git first: where no file that a plan would read has changed since a commit, no manifest says anything else, and
// neither manifests nor the account are read. Wherever that is not certain, the manifests are compared. Apply does not
// ask: it goes on with what is in flight, which may be declared in any manifest, and holds the ledger for that.
import path from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { inThousands } from '../../model/format.ts';
import { planOf } from '../../planner/document.ts';
import type { Places } from '../../manifest/workspace-places.ts';
import { placesOf } from '../../manifest/workspace-places.ts';
import { withGit } from '../git.ts';
import { guardCheckOf, refusalsOf } from '../guards.ts';
import { viewLedger } from '../ledger.ts';
import type { Session } from '../session.ts';
import { findWorkspace } from '../workspace-file.ts';
import type { Base } from './base.ts';
import { findBase } from './base.ts';
import { partRead } from './limits.ts';
import { withNoLedger } from './no-ledger.ts';
import type { Finish, PlanOptions, PlanResult } from './plan.ts';

/** A plan for the account as it is now, or of nothing where it is about changes and there are none. */
export async function planChanges(session: Session, options: PlanOptions, finish?: Finish): Promise<PlanResult> {
  const nothing = options.changedSince === undefined ? undefined : await planOfNothing(session, options);
  if (nothing !== undefined) return nothing;
  const { planWorkspace } = await import('./plan.ts');
  return planWorkspace(session, options, finish);
}

/** Undefined where something changed, may have, or is wrong: then the other way says what. */
async function planOfNothing(session: Session, options: PlanOptions): Promise<PlanResult | undefined> {
  const { paths = [], targets = [], guards = {} } = options;
  // With the guards of another commit there is more to tell than what changed.
  if (targets.length > 0 || session.inMemory !== undefined || session.guardsFrom !== undefined) return undefined;
  const { workspace, file, diagnostics } = await findWorkspace(session);
  if (workspace === undefined || file === undefined || diagnostics.length > 0) return undefined;
  const places = placesOf(session.cwd, paths, { workspace, file });
  if (places === undefined) return undefined;
  const unchanged = await unchangedSince(session, options.changedSince ?? '', places);
  if (unchanged === undefined) return undefined;
  const { view, diagnostics: ofLedger } = await viewLedger(session, workspace);
  if (ofLedger.length > 0) return undefined;
  const notice = nothingRead(unchanged);
  const about = planOf({
    account: workspace.account,
    ledgerSequence: view.sequence,
    actions: [],
    covers: { targets: [], read: [] },
    notices: [notice],
  });
  const plan = withNoLedger(about, { session, ledger: view, workspace });
  const refusals = refusalsOf(plan, workspace, guards, view.standing);
  return {
    plan,
    guardCheck: guardCheckOf(refusals, { from: path.basename(file), options: guards }),
    partRead: notice,
    diagnostics: [],
    requests: 0,
  };
}

interface Unchanged extends Base {
  /** How many files Git says that of. */
  readonly files: number;
}

/** What stands before the name of a file that is not in the index. */
const OTHER = '? ';
/** A plain file as it is in the index, and one in the work tree before and after. */
const TRACKED = /^H 100(?:644|755) \w+ 0\t/;
const PLAIN = /^:(?:100644|100755|000000) (?:100644|100755|000000) /;

/** Where the branch left that commit, if none of the files changed since: by name, by content, or by being new. */
async function unchangedSince(
  session: Session,
  ref: string,
  { root, paths, counts, isFile }: Places,
): Promise<Unchanged | undefined> {
  return withGit(
    session,
    root,
    async (git) => {
      const list = async (...args: readonly string[]): Promise<readonly string[]> =>
        (await git.look(['--literal-pathspecs', ...args, '--', ...paths])).toString('utf8').split('\0').filter(Boolean);
      const [base, listed] = await Promise.all([
        findBase(git, ref),
        list('ls-files', '-z', '--stage', '-v', '--others', '--exclude=node_modules/', '--exclude=.*'),
      ]);
      if ('error' in base) return undefined;
      const differing = await list(
        ...[
          'diff',
          '--raw',
          '-z',
          '--no-renames',
          '--no-ext-diff',
          '--no-textconv',
          '--ignore-submodules=none',
          base.commit,
        ],
      );
      const isOther = (entry: string): boolean => entry.startsWith(OTHER);
      const tracked = listed.filter((entry) => !isOther(entry));
      const others = listed.filter(isOther).map((entry) => entry.slice(OTHER.length));
      // A link, or another repository, may lead to what Git does not look at; nor does it at what it was told to pass over.
      const isSound =
        tracked.some(counts) &&
        tracked.every((entry) => TRACKED.test(entry)) &&
        differing.every((entry, index) => (index % 2 === 0 ? PLAIN.test(entry) : !counts(entry))) &&
        !others.some((name) => counts(name) || !isFile(name));
      return isSound ? { ...base, files: tracked.filter(counts).length - 1 } : undefined;
    },
    () => undefined,
    { blocks: session.alone === true },
  );
}

function nothingRead({ ref, commit, files }: Unchanged): Diagnostic {
  return partRead(
    `Looked at none of ${inThousands(files)} ${files === 1 ? 'file' : 'files'}: Git shows that none changed since \`${ref}\` (${commit.slice(0, 12)}). Nothing of the account was read, so nothing is said about it; without \`--changed-since\` all of it is.`,
  );
}
