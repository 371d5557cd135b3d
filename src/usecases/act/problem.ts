// What a request that came to nothing means for a command, in words.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import { ShapeError } from '../../model/kind/rows.ts';
import type { Workspace } from '../../model/workspace.ts';
import { ApiError } from '../../platform/api-error.ts';
import { refusedCredential } from '../connect.ts';

/** What a failed request means for a command; anything but an ApiError is our own bug and goes on. */
export function apiProblem(
  error: unknown,
  workspace: Pick<Workspace, 'credentialEnv' | 'credentialEntry'>,
): Diagnostic {
  if (error instanceof ShapeError)
    return diagnose('HW3004', `An answer is not what the documents say: ${error.message}.`);
  if (error instanceof ApiError && error.kind === 'not-found') {
    return diagnose('HW3075', `${error.message}. Check the id that you gave.`);
  }
  if (error instanceof ApiError && error.kind === 'insufficient-scope') {
    return diagnose(
      'HW4590',
      `${sentence(reasonOf(error))}. Use a credential that has it. \`hostwright doctor\` shows what this one may read.`,
    );
  }
  if (error instanceof ApiError && isRefusal(error)) return blocker(`${sentence(reasonOf(error))}.`);
  if (error instanceof ApiError && error.kind !== 'unauthorised') {
    return diagnose('HW3004', `${error.message}.`);
  }
  return refusedCredential(error, workspace);
}

/** Refused because of what the account, the object or the credential is: the same read would be refused again. */
function isRefusal({ kind, documented }: ApiError): boolean {
  return kind === 'forbidden' || documented?.means === 'failed' || documented?.means === 'blocked';
}

/** Why a read came to nothing: what the documents say of the answer, and the answer. */
export function reasonOf({ kind, message, documented, extra }: ApiError): string {
  const scope = typeof extra.scope === 'string' ? `the scope ${extra.scope}` : 'a scope that this read needs';
  const reason = kind === 'insufficient-scope' ? `the credential lacks ${scope}` : documented?.reason;
  return reason === undefined ? message : `${reason}: ${message}`;
}

/** With a capital letter at its beginning. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What the platform does not do. */
function blocker(detail: string): Diagnostic {
  return diagnose('HW4501', detail);
}
