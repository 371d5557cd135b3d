// Remotes that many ledgers use: one for all whose folders lie in the same repository.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { GitRemote, GitRemoteOptions } from './remote.ts';
import { createGitRemote } from './remote.ts';
import { LEDGER_FILE } from './git-store.ts';

/** A ledger: a ref on a remote of the repository that a folder is in. */
export interface LedgerRef {
  readonly folder: string;
  readonly remote: string;
  readonly ref: string;
}

export interface GitRemotes {
  /** The remote of the repository that the folder is in. */
  readonly at: (folder: string, remote: string) => GitRemote;
  readonly close: () => Promise<void>;
}

/** The remotes of these ledgers, which are about to be read. */
export function createGitRemotes(
  options: Omit<GitRemoteOptions, 'folder' | 'remote' | 'expected'>,
  ledgers: readonly LedgerRef[],
): GitRemotes {
  const remotes = new Map<string, GitRemote>();
  const keyOf = (folder: string, remote: string): string => `${repositoryOf(folder)}\0${remote}`;
  return {
    at: (folder, remote) => {
      const key = keyOf(folder, remote);
      const known = remotes.get(key);
      if (known !== undefined) return known;
      const expected = ledgers.flatMap((one) =>
        keyOf(one.folder, one.remote) === key ? [{ ref: one.ref, file: LEDGER_FILE }] : [],
      );
      const made = createGitRemote({ ...options, folder, remote, expected });
      remotes.set(key, made);
      return made;
    },
    close: async () => {
      await Promise.all([...remotes.values()].map((remote) => remote.close()));
    },
  };
}

/** The top of the work tree that a folder is in, as Git looks for it; the folder itself where there is none. */
function repositoryOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (at === dirname(at)) return folder;
  }
}
