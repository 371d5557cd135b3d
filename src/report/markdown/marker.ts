// The first lines of a Markdown report: a comment that nobody sees, by which the report is found again, and of a plan
// the digests of its actions, which are what a review of it approves, and what the plan is about.
import type { Address } from '../../model/address.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { subjectsOf } from '../../model/plan/plan.ts';
import type { Reported } from '../blocks/problems.ts';
import { decodedWord, word } from '../view/escape.ts';

const DIGEST = /^[0-9a-f]{64}$/;
const APPROVED =
  /^<!-- hostwright: (?:plan|drift) (\S+) \S+( without-digests)?\r?\n((?:[0-9a-f]{64}\r?\n)*)((?:on \S+\r?\n)*)-->/;

/** `<!-- hostwright: plan acc-acme DIGEST`, a digest a line, an address a line: `on Site%2Fshop`, `-->`. */
export function planMarker(what: Reported, plan: Plan, withDigests: boolean): string {
  const { account, digest, actions } = plan;
  const digests = actions.flatMap((action) => (withDigests && DIGEST.test(action.digest) ? [action.digest] : []));
  return [
    `<!-- hostwright: ${what} ${word(account)} ${word(digest)}${withDigests ? '' : ' without-digests'}`,
    ...digests,
    ...(withDigests ? subjectLines(subjectsOf(plan)) : []),
    '-->',
  ].join('\n');
}

const NOTHING = 'on -';

/** What a plan is about, an address a line; no line where it does not say. */
export function subjectLines(subjects: readonly Address[] | undefined): readonly string[] {
  if (subjects === undefined) return [];
  const lines = subjects.map((address) => `on ${encodeURIComponent(address).replaceAll('--', '%2D%2D')}`);
  return lines.length === 0 ? [NOTHING] : lines;
}

/** The inverse of {@link subjectLines}. */
export function readSubjects(lines: readonly string[]): readonly Address[] | undefined {
  const found = lines.filter((line) => line.startsWith('on '));
  if (found.length === 0) return undefined;
  return found.filter((line) => line !== NOTHING).map((line) => decodedWord(line.slice('on '.length)));
}

/** Of a report that approves nothing. */
export function plainMarker(what: Reported, account: string | undefined): string {
  return `<!-- hostwright: ${what} ${account === undefined ? '-' : word(account)} -->`;
}

/** What a report on a plan approves. `subjects`: what the plan is about; absent where it does not say. */
export interface ApprovedSet {
  readonly account: string;
  readonly digests: readonly string[];
  readonly subjects?: readonly Address[];
}

/** What a report on a plan begins with. `too long`: it had no room for it. undefined: it is no such report. */
export function readApprovedSet(report: string): ApprovedSet | 'too long' | undefined {
  // Only at the very beginning: names and values further down are written by others.
  const found = APPROVED.exec(report);
  if (found === null) return undefined;
  const [, account = '', tooLong, digests = '', on = ''] = found;
  if (tooLong !== undefined) return 'too long';
  const subjects = readSubjects(linesOf(on));
  return { account: decodedWord(account), digests: linesOf(digests), ...(subjects !== undefined && { subjects }) };
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/).filter((line) => line !== '');
}
