// A run request where only texts can be given: to a program.
import type { RunRequest } from './run-request.ts';

/** A request as variables of an environment, for whatever starts the run. */
export function asVariables({ account, run, root, notify, why }: RunRequest): Readonly<Record<string, string>> {
  return {
    HOSTWRIGHT_RUN: run,
    HOSTWRIGHT_RUN_ACCOUNT: account,
    HOSTWRIGHT_RUN_ROOT: root ?? '',
    HOSTWRIGHT_RUN_NOTIFY: notify === true ? 'true' : '',
    HOSTWRIGHT_RUN_WHY: why,
  };
}
