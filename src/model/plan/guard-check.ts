// Whether apply would run a plan, as far as guards and the described credential say: told beside the plan, in no digest
// of it, because guards may change while the plan stays the same.
import type { Address } from '../address.ts';
import type { Diagnostic } from '../diagnostic.ts';

/** One thing that makes apply refuse, in few words. */
export interface Refusal {
  readonly code: Diagnostic['code'];
  /** `2 deletes, 0 allowed`: no full sentence. */
  readonly reason: string;
  /** The option that allows it, as it is typed; the workspace file can say the same. */
  readonly option?: string;
  /** What else is to be done: a sentence without a full stop. Absent: the option does. */
  readonly remedy?: string;
  /** What it is about, where the reason does not count it. */
  readonly addresses: readonly Address[];
}

/** A setting that decides what a run may do, said otherwise here than at the commit that the guards come from. */
export interface PolicyChange {
  /** `guards.allowDeletes`, `baseUrl`: of the workspace file; `lifecycle.protect` of a manifest. */
  readonly setting: string;
  /** The object whose manifest says it. Absent: the workspace file does. */
  readonly address?: Address;
  /** In words; `not set` where it is not said. */
  readonly from: string;
  readonly to: string;
}

export interface GuardCheck {
  /** Where the guards stand: a commit such as `origin/main`, or the name of the workspace file. */
  readonly from: string;
  /** The id of the commit, where `from` names one. */
  readonly commit?: string;
  /** The options that beat them, as they were given: `--allow-deletes 2`. */
  readonly options: readonly string[];
  /** Empty: apply would run the plan. */
  readonly refusals: readonly Refusal[];
  /** What the branch changes of them. Absent: nothing, or there is no other commit to compare with. */
  readonly changes?: readonly PolicyChange[];
}
