// Folders whose files are used whoever owns them: those that the user names, and the checkout and temporary folder of a
// job. A container often runs as another user than the one who owns the repository that is mounted in it.
import { delimiter, isAbsolute } from 'node:path';
import type { Diagnostic } from '../model/diagnostic.ts';
import { diagnose } from '../model/diagnostic.ts';
import { quote } from '../model/format.ts';
import type { Context } from './context.ts';

const VARIABLE = 'HOSTWRIGHT_TRUSTED_ROOT';

/** Returns the trusted folders of an environment, absolute. */
export function trustedRoots(env: Context['env']): readonly string[] {
  const ofJob = [
    // Beside the checkout, the runner keeps the variables of the type File.
    ...(env.GITLAB_CI === 'true' && env.CI_PROJECT_DIR ? [env.CI_PROJECT_DIR, `${env.CI_PROJECT_DIR}.tmp`] : []),
    ...(env.GITHUB_ACTIONS === 'true' ? [env.GITHUB_WORKSPACE, env.RUNNER_TEMP] : []),
  ];
  return [...(env[VARIABLE] ?? '').split(delimiter), ...ofJob].filter(
    (folder): folder is string => folder !== undefined && isAcceptable(folder),
  );
}

/** Reports entries of the variable that are not used: relative paths, and the root of the file system. */
export function trustedRootProblems(env: Context['env']): readonly Diagnostic[] {
  return (env[VARIABLE] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '' && !isAcceptable(folder))
    .map((folder) =>
      diagnose('HW6012', `${VARIABLE} contains ${quote(folder)}, which is not the absolute path of one folder.`),
    );
}

function isAcceptable(folder: string): boolean {
  return isAbsolute(folder) && !/^(?:\/|[A-Za-z]:\\?)\.*\/*$/.test(folder);
}
