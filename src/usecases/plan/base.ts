// Where a branch began: what its changes are compared with.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { Git } from '../../ledger/git-command.ts';
import { StoreError } from '../../ledger/store.ts';

const PLAIN_NAME = /^\w[\w./@^~{}-]*$/;

export interface Base {
  readonly ref: string;
  readonly commit: string;
}

/**
 * Where the branch left that commit, as `git diff REF...` sees it: what others did there since then is not this
 * branch's.
 */
export async function findBase(git: Git, ref: string): Promise<Base | { readonly error: Diagnostic }> {
  const text = async (...args: readonly string[]): Promise<string> => (await git.look(args)).toString('utf8').trim();
  // One process instead of four, where nothing is wrong and the name cannot be taken for anything else.
  if (PLAIN_NAME.test(ref) && !ref.includes('..')) {
    const [where, ...commits] =
      (await text('rev-parse', '--is-inside-work-tree', `${ref}...HEAD`, '--').catch(noCommit))?.split('\n') ?? [];
    const base = commits.find((commit) => commit.startsWith('^'));
    if (where === 'true' && base !== undefined) return { ref, commit: base.slice(1) };
  }
  const inside = await text('rev-parse', '--is-inside-work-tree').catch(noteStoreError);
  if (inside !== 'true')
    return {
      error: cannotTell(
        ref,
        `the workspace is in no Git work tree that can be read${inside === 'false' ? '' : ` (${inside})`}`,
        'Run this in a clone of the repository, or leave `--changed-since` out.',
      ),
    };
  const shallow = (await text('rev-parse', '--is-shallow-repository')) === 'true';
  const more = shallow
    ? 'This clone is shallow: fetch the whole history, such as with `fetch-depth: 0` in a job on GitHub, `GIT_DEPTH: 0` on GitLab, or `git fetch --unshallow`.'
    : 'Fetch it first, or correct the name.';
  const commit = await text('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`).catch(noCommit);
  if (commit === undefined) return { error: cannotTell(ref, 'this clone has no such commit', more) };
  const base = await text('merge-base', commit, 'HEAD').catch(noCommit);
  if (base === undefined)
    return {
      error: cannotTell(
        ref,
        'it has no commit in common with what is checked out here',
        shallow ? more : 'Name a commit that this branch comes from.',
      ),
    };
  return { ref, commit: base };
}

function noteStoreError(error: unknown): string {
  if (!(error instanceof StoreError)) throw error;
  return error.message;
}

function noCommit(error: unknown): undefined {
  if (!(error instanceof StoreError)) throw error;
}

/** What changed since that commit cannot be told. */
export function cannotTell(ref: string, reason: string, remedy?: string): Diagnostic {
  return diagnose(
    'HW6141',
    `What changed since \`${ref}\` cannot be told: ${reason}. ${remedy === undefined ? '' : `${remedy} `}Nothing was sent.`,
  );
}
