// What a forge can do for a review, in words that GitHub and GitLab share. Who is believed, what is written over and
// what counts as an approval is decided once, in the files beside this one.

/** What a forge calls things, for people. */
export interface ForgeWords {
  readonly forge: 'GitHub' | 'GitLab';
  /** What is merged. */
  readonly pull: 'pull request' | 'merge request';
  /** A text on it. */
  readonly comment: 'comment' | 'note';
}

export interface Comment {
  readonly id: number | bigint;
  /** By which its history is asked for. */
  readonly node: string;
  readonly body: string;
  /** Absent: an account that is gone. */
  readonly author: string | undefined;
  readonly url: string;
}

export interface Issue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly author: string | undefined;
  readonly url: string;
}

/** A pull request that was merged. */
export interface Merged {
  readonly number: number;
  /** A time in ISO 8601. */
  readonly mergedAt: string;
  /** The commit that was asked about came with it, and not with an older or a newer one. */
  readonly isOwn: boolean;
}

/** Who else changed a comment last, and when it was changed last, in ISO 8601. */
export interface History {
  readonly byOther: string | undefined;
  readonly at: string;
}

/** One repository on a forge. Each call throws what the forge answers: `forgeError` reads it. */
export interface Forge {
  readonly words: ForgeWords;
  /** Who writes our comments and issues: of nobody else's is anything believed. */
  readonly author: string;
  /** How a text has to be written so that the forge only shows it. */
  readonly safe: (text: string) => string;
  /** All comments on a pull request, the oldest first. */
  readonly comments: (pull: number) => Promise<readonly Comment[]>;
  /** Sent once: whoever calls it looks whether it arrived. */
  readonly addComment: (pull: number, body: string) => Promise<Comment>;
  readonly setComment: (pull: number, comment: Comment, body: string) => Promise<unknown>;
  readonly historyOf: (comment: Comment) => Promise<History>;
  /** Those that are open, the oldest first. */
  readonly openIssues: (label: string) => Promise<readonly Issue[]>;
  /** Sent once. The label is made where there is none. */
  readonly addIssue: (issue: {
    readonly title: string;
    readonly body: string;
    readonly label: string;
  }) => Promise<Issue>;
  readonly setIssue: (issue: Issue, text: { readonly title: string; readonly body: string }) => Promise<unknown>;
  readonly closeIssue: (issue: Issue) => Promise<unknown>;
  /** Sent once. */
  readonly sayOnIssue: (issue: Issue, body: string) => Promise<unknown>;
  /**
   * The pull requests that were merged into a branch and are in the history of a commit, in any order; those of the
   * commit itself however they were merged.
   */
  readonly mergedInto: (branch: string, commit: string) => Promise<readonly Merged[]>;
}

/** How far back is looked for what was merged and not carried out. */
export const COMMITS = 100;
export const PULLS = 30;

/** What a forge said to a request that it refused, or that did not arrive. */
export class ForgeError extends Error {
  readonly status: number;

  /** @param status - The HTTP status; 500 where no answer came. */
  constructor(status: number, said: string, options?: ErrorOptions) {
    super(said, options);
    this.name = 'ForgeError';
    this.status = status;
  }
}
