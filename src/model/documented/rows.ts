// The words by which a documented error answer is classified, and how the tables beside this file write one.

/**
 * failed: not carried out, and refused again until the manifest, the credential or the account is another.
 * blocked: not carried out, because of something outside this run; the next plan decides anew.
 * retry: not carried out, and it may pass: sent again a few times, then blocked. A purchase is blocked at once.
 * done: what was asked for is so.
 * unclear: it may have been carried out, or be so already; reading tells.
 */
export type AnswerMeaning = 'failed' | 'blocked' | 'retry' | 'done' | 'unclear';

export interface DocumentedAnswer {
  readonly status: number;
  /** null: the documents give this status without a code; any code that they do not name means the same. */
  readonly code: string | null;
  readonly means: AnswerMeaning;
  /** For a person, where the code alone says too little. */
  readonly reason?: string;
  readonly rule: string;
}

export type Rows = readonly DocumentedAnswer[];

const as =
  (means: AnswerMeaning) =>
  (status: number, codes: string | readonly string[] | null, rule: string, reason?: string): Rows =>
    (codes === null || typeof codes === 'string' ? [codes] : codes).map((code) => ({
      status,
      code,
      means,
      rule,
      ...(reason !== undefined && { reason }),
    }));
export const failed = as('failed');
export const blocked = as('blocked');
export const retry = as('retry');
export const done = as('done');
export const unclear = as('unclear');

/** Rows by `METHOD /path`; in a path `:word` stands for one segment. */
export type EndpointRows = Readonly<Record<string, Rows>>;
