// What a table of endpoints says of one: what its caller needs, and what each error answer that the documents give means.
// Reads and writes ask the same table. It must not look at message text (CNV-19), but for the one message that the
// documents give a meaning to where they give no code (CNV-16): endpoint, status and code decide (CNV-22, CNV-23).
import type { Until } from '../model/kind/until.ts';
import type { Requirement } from '../model/plan/plan.ts';

/**
 * failed: not carried out, and refused again until the manifest, the credential or the account is another.
 * blocked: not carried out, because of something outside this run; the next plan decides anew.
 * retry: not carried out, and it may pass: sent again a few times, then blocked. A purchase is blocked at once.
 * done: what was asked for is so.
 * unclear: it may have been carried out, or be so already; reading tells.
 */
export type AnswerMeaning = 'failed' | 'blocked' | 'retry' | 'done' | 'unclear';

export interface DocumentedAnswer extends AnswerDetails {
  readonly status: number;
  /** null: the documents give this status without a code; any code that they do not name means the same. */
  readonly code: string | null;
  readonly means: AnswerMeaning;
  readonly rule: string;
  /** For a person, where the code alone says too little. */
  readonly reason?: string;
  /** What that person can do. A read that a plan rests on is explained by its answer where this is said. */
  readonly remedy?: string;
}

/** What else a plan needs to know of an answer to one of its reads. */
interface AnswerDetails {
  /** What the read comes to. Absent: failed and blocked are `blocked`, all else is `unknown`. */
  readonly state?: 'unknown' | 'waiting';
  /** What makes it readable in the same run. */
  readonly until?: Until;
  /** True of the whole root that was read in; nothing is done with it, whatever its own list shows. */
  readonly ofRoot?: true;
  /** The feature is off for the account, so nothing of the kind is live. */
  readonly off?: true;
  /** The answer is meant only where one of its messages has this text. */
  readonly message?: string;
}

export type Rows = readonly DocumentedAnswer[];

const answer =
  (means: AnswerMeaning) =>
  (
    status: number,
    codes: string | readonly string[] | null,
    rule: string,
    reason?: string,
    remedy?: string,
    details: AnswerDetails = {},
  ): Rows =>
    (codes === null || typeof codes === 'string' ? [codes] : codes).map((code) => ({
      status,
      code,
      means,
      rule,
      ...(reason !== undefined && { reason }),
      ...(remedy !== undefined && { remedy }),
      ...details,
    }));
export const failed = answer('failed');
export const blocked = answer('blocked');
export const retry = answer('retry');
export const done = answer('done');
export const unclear = answer('unclear');

/**
 * By `METHOD /path`: what the caller needs, and the error answers; of two for one status and code the first counts. In
 * a path `:word` stands for one segment.
 */
export type Endpoints = Readonly<Record<string, readonly [requires: Requirement, answers: Rows]>>;

/** What a caller needs: scopes of an OAuth token (CNV-09), and a role on the site or in the workspace. */
export function needs(scope: string | null, ...roles: Requirement['roles']): Requirement {
  return { userCredential: false, scopes: scope === null ? [] : [scope], roles };
}

/** Any credential will do. */
export const ANYONE = needs(null);
export const READ_SITE = needs('sites:read');
export const MODIFY_SITE = needs('sites:write', 'can_modify');
export const DESTROY_SITE = needs('sites:write', 'can_destroy');
/** OAuth tokens are refused whatever their scopes (CNV-11). */
export const CLOSED: Requirement = { ...ANYONE, closedToOauth: true };
/** And a user has to stand behind the credential (CNV-13). */
export const USER: Requirement = { ...CLOSED, userCredential: true };
