// Accounts that a branch no longer looks after: their workspace file is gone, or names another account now. Nothing
// happens to what they have, so nothing in any plan would say it.
import { dirname, normalize, relative } from 'node:path';
import picomatch from 'picomatch';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import { plural } from '../../model/common/count.ts';
import type { Git } from '../../ledger/git-command.ts';
import { WORKSPACE_FILE } from '../../manifest/read/load.ts';
import { ledgerOf, readSpec } from '../../manifest/workspace.ts';
import { filesIn } from '../git.ts';
import { bareWorkspace } from '../workspace-file.ts';
import { viewLedger } from '../ledger.ts';
import type { Base } from '../plan/base.ts';
import type { Session } from '../session.ts';

/** A workspace that is there. */
interface Staying {
  readonly account: string;
  readonly folder: string;
  /** Absent: its file is broken. */
  readonly workspace?: object;
}

export interface Leaving {
  readonly account: string;
  /** The folder that it had, seen from where the command runs. */
  readonly folder: string;
  /** What its ledger holds. Absent: the ledger was in the folder, or cannot be read. */
  readonly objects?: number;
}

export interface Repository {
  readonly git: Git;
  readonly base: Base;
  /** The top of the checkout, and the folder in which the command runs, both as Git names them. */
  readonly top: string;
  readonly here: string;
  /** Files that are not what they were, absolute. */
  readonly changed: readonly string[];
}

/** Accounts that these folders had where the branch began, and that no workspace names now. */
export async function findLeaving(
  session: Session,
  { git, base, top, here, changed }: Repository,
  { folders, found }: { readonly folders: readonly string[]; readonly found: readonly Staying[] },
): Promise<readonly Leaving[]> {
  const isMeant = picomatch(folders.map((folder) => normalize(folder).replace(/\/+$/, '')));
  const staying = new Set(found.map(({ account }) => account));
  const leaving: Leaving[] = [];
  for (const file of changed.filter((one) => one.endsWith(`/${WORKSPACE_FILE}`))) {
    const folder = relative(here, dirname(file)) || '.';
    // A file that is broken says nothing of its account: that it is broken is told.
    const isBroken = found.some((member) => member.folder === folder && member.workspace === undefined);
    if (!isMeant(folder) || isBroken) continue;
    const [bytes] = await filesIn(git, [`${base.commit}:${relative(top, file)}`]);
    const spec = bytes === undefined ? undefined : await readSpec(file, bytes);
    if (spec?.account === undefined || staying.has(spec.account)) continue;
    const ledger = ledgerOf(spec.ledger ?? {});
    const workspace = { ...bareWorkspace(session.cwd, spec.account, spec.baseUrl ?? ''), ledger };
    const { view } = 'file' in ledger ? { view: undefined } : await viewLedger(session, workspace);
    const objects = view === undefined || view.standing === 'missing' ? undefined : view.objects.size;
    leaving.push({ account: spec.account, folder, ...(objects !== undefined && { objects }) });
  }
  return leaving;
}

export function leavingText({ account, folder, objects }: Leaving, { ref }: Base): Diagnostic {
  const stays =
    objects === undefined
      ? 'What it has stays as it is'
      : `${plural(objects, 'object stays', 'objects stay')} as ${objects === 1 ? 'it is' : 'they are'}`;
  return diagnose(
    'HW6662',
    `No longer looked after: ${account} (${stays}). \`${folder}/${WORKSPACE_FILE}\` named it at \`${ref}\`, and no workspace does now. Put the file back if that was not meant. To delete what the account has, keep the workspace and write \`lifecycle: { state: absent }\` in its manifests first.`,
  );
}

/** A file that looks like the one of a workspace, and is none. */
export function wrongEnding(file: string): Diagnostic {
  return diagnose(
    'HW6663',
    `\`${file}\` is no workspace file, so the folder is left out. Rename it to ${WORKSPACE_FILE}.`,
  );
}
