// Terraform plans each resource once more when it applies it, and shows what that plan tells too. What the plan before it
// has told is not told again.
import { createHash } from 'node:crypto';
import type { Diagnostic } from '../model/diagnostic.ts';
import { fromPrivate, toPrivate } from './state-view.ts';

/** What Terraform says of itself with a call. */
export interface ClientCapabilities {
  readonly deferralAllowed: boolean;
  readonly storePlannedPrivate: boolean;
}

/** Who has configured this process. */
export interface Caller {
  /** Of Terraform, or of OpenTofu. */
  readonly version: string;
  /** The provider block was checked in this process before: Stacks does that in another one. */
  readonly isCommandLine: boolean;
}

/**
 * Releases that allow a provider to put a change off in an apply, and in no plan. OpenTofu 1.11.0 to 1.11.3 allow it in
 * both; what OpenTofu does from 1.14 on is not known. Builds with experiments, which have `-allow-deferral`, have a suffix.
 */
const ALLOWS_DEFERRAL_IN_APPLY_ALONE = /^1\.(9|10|12|13)\.\d+$|^1\.11\.([4-9]|\d\d)$/;

/** What of a plan is told. `plannedPrivate`: what the plan before this one has kept, if that is handed over. */
export function toldNow(
  diagnostics: readonly Diagnostic[],
  {
    capabilities: { deferralAllowed, storePlannedPrivate },
    plannedPrivate,
    caller,
  }: {
    readonly capabilities: ClientCapabilities;
    readonly plannedPrivate: Uint8Array | undefined;
    readonly caller: Caller;
  },
): readonly Diagnostic[] {
  if (storePlannedPrivate) {
    const told = new Set(fromPrivate(plannedPrivate).told);
    return diagnostics.filter((one) => !told.has(markOf(one)));
  }
  const isApply = deferralAllowed && caller.isCommandLine && ALLOWS_DEFERRAL_IN_APPLY_ALONE.test(caller.version);
  return isApply ? diagnostics.filter(({ severity }) => severity !== 'warning') : diagnostics;
}

/** What a plan keeps, with the warnings that it tells. */
export function withTold(planned: Uint8Array, diagnostics: readonly Diagnostic[]): Uint8Array {
  const told = diagnostics.filter(({ severity }) => severity === 'warning').map(markOf);
  const kept = fromPrivate(planned);
  return told.length === 0 || kept.account === undefined
    ? planned
    : toPrivate({ ...kept, account: kept.account, told });
}

function markOf({ code, address = '', summary, detail }: Diagnostic): string {
  return createHash('sha256')
    .update(JSON.stringify([code, address, summary, detail]))
    .digest('hex')
    .slice(0, 16);
}
