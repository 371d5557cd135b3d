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
  /** The time of its last change or comment, in ISO 8601: never before the merge. */
  readonly updatedAt: string;
  /** The commits that its merge may have left on the branch. */
  readonly commits: readonly string[];
  /** Its comments. Absent: the list does not have them, and `comments` reads them. */
  readonly comments?: readonly ReviewComment[];
}

/** A comment with its history, where the forge returns both at once. */
export interface ReviewComment extends Comment {
  readonly history?: History;
}

/** A page of merged pull requests, those updated last first. */
export interface MergedPage {
  readonly pulls: readonly Merged[];
  /** The position of the next page. Absent: this is the last one. */
  readonly next?: string;
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
  /** Returns the pull requests that were merged into a branch with this commit, in any order. */
  readonly mergedWith: (branch: string, commit: string) => Promise<readonly Merged[]>;
  /** Returns a page of all pull requests that were merged into a branch. */
  readonly mergedInto: (branch: string, from?: string) => Promise<MergedPage>;
  /** Reports whether a commit is in the history of another one, or is that commit. */
  readonly isInHistory: (commit: string, of: string) => Promise<boolean>;
}

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
