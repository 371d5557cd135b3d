// How a report is made to fit where it is going: whole levels of detail go, in one order, so that nothing is ever cut
// in the middle.

export interface Limit {
  readonly count: 'characters' | 'bytes';
  readonly most: number;
}

/**
 * What a comment or an issue on GitHub takes. Counted as JavaScript counts, which is never less than the forge does.
 */
export const FORGE_MOST = 65_536;
/** A report that becomes one: with room for the line by which it is found again. */
export const COMMENT: Limit = { count: 'characters', most: FORGE_MOST - 500 };
/** A document that is read whole, whatever its length. */
export const WHOLE: Limit = { count: 'characters', most: Infinity };
/** The summary of one step on GitHub. */
export const STEP_SUMMARY: Limit = { count: 'bytes', most: 1024 * 1024 };
