// How Git is asked about the repository that a workspace is in.
import type { Git } from '../ledger/git-command.ts';
import { createGit } from '../ledger/git-command.ts';
import { StoreError } from '../ledger/store.ts';
import type { Session } from './session.ts';

/**
 * Asks Git in a folder. `failed`: what it comes to where Git cannot be asked or says no, in its words. `blocks`: the
 * process stands still while Git looks.
 */
export async function withGit<Answer>(
  { ledger, timeoutMs }: Pick<Session, 'ledger' | 'timeoutMs'>,
  folder: string,
  ask: (git: Git) => Promise<Answer>,
  failed: (reason: string) => Answer,
  { blocks = false }: { readonly blocks?: boolean } = {},
): Promise<Answer> {
  const git = createGit({ folder, env: ledger?.programEnv ?? {}, timeoutMs, blocks });
  try {
    return await ask(git);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return failed(error.message);
  } finally {
    await git.close();
  }
}

/** The contents of files, each named by its id or as `COMMIT:./FILE`; undefined for what is not there, or is no file. */
export async function filesIn(git: Git, names: readonly string[]): Promise<readonly (Buffer | undefined)[]> {
  if (names.length === 0) return [];
  const out = await git.run(['cat-file', '--batch'], names.map((name) => `${name}\n`).join(''));
  let at = 0;
  return names.map(() => {
    const end = out.indexOf('\n', at);
    const [, type, size] = /^\w+ (\w+) (\d+)$/.exec(out.toString('utf8', at, end)) ?? [];
    const begin = end + 1;
    at = size === undefined ? begin : begin + Number(size) + 1;
    return type === 'blob' ? out.subarray(begin, at - 1) : undefined;
  });
}
