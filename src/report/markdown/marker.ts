// The first lines of a Markdown report: a comment that nobody sees, by which the report is found again, and of a plan
// the digests of its actions, which are what a review of it approves.
import type { Plan } from '../../model/plan/plan.ts';
import { escapeText } from '../view/escape.ts';

export type Reported = 'plan' | 'drift' | 'apply' | 'validate';

const DIGEST = /^[0-9a-f]{64}$/;
const APPROVED = /^<!-- hostwright: (?:plan|drift) (\S+) \S+( without-digests)?\r?\n((?:[0-9a-f]{64}\r?\n)*)-->/;

/** `<!-- hostwright: plan acc-acme DIGEST`, a digest a line, `-->`. */
export function planMarker(what: Reported, { account, digest, actions }: Plan, withDigests: boolean): string {
  const digests = actions.flatMap((action) => (withDigests && DIGEST.test(action.digest) ? [action.digest] : []));
  return [
    `<!-- hostwright: ${what} ${word(account)} ${word(digest)}${withDigests ? '' : ' without-digests'}`,
    ...digests,
    '-->',
  ].join('\n');
}

/** Of a report that approves nothing. */
export function plainMarker(what: Reported, account: string | undefined): string {
  return `<!-- hostwright: ${what} ${account === undefined ? '-' : word(account)} -->`;
}

/**
 * The account and the digests that a report on a plan begins with. `too long`: it had no room for them. undefined: it is
 * no such report.
 */
export function readApprovedSet(
  report: string,
): { readonly account: string; readonly digests: readonly string[] } | 'too long' | undefined {
  // Only at the very beginning: names and values further down are written by others.
  const found = APPROVED.exec(report);
  if (found === null) return undefined;
  const [, account = '', tooLong, digests = ''] = found;
  if (tooLong !== undefined) return 'too long';
  return { account: decodedWord(account), digests: digests.split(/\r?\n/).filter((line) => line !== '') };
}

/** One word without white space, `>`, `=` or `--`. */
export function word(value: string): string {
  return encodeURIComponent(escapeText(value, 100)).replaceAll('--', '%2D%2D') || '-';
}

/** What `word` was given. What is no word of ours is the name of nothing. */
export function decodedWord(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
