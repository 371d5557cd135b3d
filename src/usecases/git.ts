// Reads commits of the repository that a workspace is in.
import type { Git } from '../ledger/git-command.ts';
import { createGit } from '../ledger/git-command.ts';
import { StoreError } from '../ledger/store.ts';
import { quote } from '../model/format.ts';
import type { Session } from './session.ts';

/**
 * Reads from the repository that a folder is in. `failed`: the result if Git cannot be used or reports an error, from the
 * reason. `blocks`: this process waits for each command, see {@link createGit}.
 */
export async function withGit<Answer>(
  { ledger, timeoutMs, trustedRoots }: Pick<Session, 'ledger' | 'timeoutMs' | 'trustedRoots'>,
  folder: string,
  ask: (git: Git) => Promise<Answer>,
  failed: (reason: string) => Answer,
  { blocks = false }: { readonly blocks?: boolean } = {},
): Promise<Answer> {
  const git = createGit({
    folder,
    env: ledger?.programEnv ?? {},
    timeoutMs,
    blocks,
    ...(trustedRoots !== undefined && { trustedRoots }),
  });
  try {
    return await ask(git);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return failed(error.message);
  } finally {
    await git.close();
  }
}

/**
 * Returns the contents of files, each named by its id or as `COMMIT:./FILE`; undefined for one that the commit does not
 * contain, or that is not a file. Rejects with {@link StoreError} if a partial clone lacks one that the commit contains.
 */
export async function filesIn(git: Git, names: readonly string[]): Promise<readonly (Buffer | undefined)[]> {
  if (names.length === 0) return [];
  const out = await git.run(['cat-file', '--batch'], names.map((name) => `${name}\n`).join(''));
  let at = 0;
  const files = names.map(() => {
    const end = out.indexOf('\n', at);
    const [, type, size] = /^\w+ (\w+) (\d+)$/.exec(out.toString('utf8', at, end)) ?? [];
    const begin = end + 1;
    at = size === undefined ? begin : begin + Number(size) + 1;
    return type === 'blob' ? out.subarray(begin, at - 1) : undefined;
  });
  // Nothing is fetched in passing, so a file that was left out of the clone looks like one that does not exist.
  if (files.includes(undefined) && (await git.isPartial()))
    for (const [index, name] of names.entries()) if (files[index] === undefined) await checkAbsent(git, name);
  return files;
}

async function checkAbsent(git: Git, name: string): Promise<void> {
  const [commit = '', file] = name.split(/:(.*)/s);
  const listed = file === undefined ? name : (await git.look(['ls-tree', commit, '--', file])).toString('utf8');
  if (listed.trim() !== '')
    throw new StoreError(
      `this partial clone lacks ${quote(name)}, and nothing is fetched in passing. Clone without \`--filter\`, or run \`git fetch --refetch\` without one`,
    );
}
