// The first lines of a Markdown report: a comment that nobody sees, by which the report is found again, and of a plan
// the digests of its actions, which are what a review of it approves, and what the plan is about.
import type { Address } from '../../model/address.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { subjectsOf } from '../../model/plan/plan.ts';
import type { Rehearsal } from '../../model/plan/rehearsal.ts';
import { exceptionsOf } from '../../model/plan/rehearsal.ts';
import type { Reported } from '../blocks/problems.ts';
import { decodedWord, word } from '../view/escape.ts';

const DIGEST = /^[0-9a-f]{64}$/;
const APPROVED =
  /^<!-- hostwright: (?:plan|drift) (\S+) \S+( without-digests)?\r?\n((?:[0-9a-f]{64}\r?\n)*)((?:on \S+\r?\n)*(?:rehearsed\r?\n(?:but \S+\r?\n)*)?)-->/;

/**
 * `<!-- hostwright: plan acc-acme DIGEST`, a digest a line, an address a line: `on Site%2Fshop`, whether the plan was
 * rehearsed: `rehearsed`, `but Site%2Fshop%2FCaching`, `-->`.
 */
export function planMarker(what: Reported, plan: Plan, withDigests: boolean, rehearsal?: Rehearsal): string {
  const { account, digest, actions } = plan;
  const digests = actions.flatMap((action) => (withDigests && DIGEST.test(action.digest) ? [action.digest] : []));
  return [
    `<!-- hostwright: ${what} ${word(account)} ${word(digest)}${withDigests ? '' : ' without-digests'}`,
    ...digests,
    ...(withDigests ? subjectLines(subjectsOf(plan)) : []),
    ...(withDigests && rehearsal !== undefined ? rehearsalLines(exceptionsOf(rehearsal)) : []),
    '-->',
  ].join('\n');
}

const NOTHING = 'on -';

/** What a plan is about, an address a line; no line where it does not say. */
export function subjectLines(subjects: readonly Address[] | undefined): readonly string[] {
  if (subjects === undefined) return [];
  const lines = subjects.map((address) => `on ${encoded(address)}`);
  return lines.length === 0 ? [NOTHING] : lines;
}

/** The inverse of {@link subjectLines}. */
export function readSubjects(lines: readonly string[]): readonly Address[] | undefined {
  const found = lines.filter((line) => line.startsWith('on '));
  if (found.length === 0) return undefined;
  return found.filter((line) => line !== NOTHING).map((line) => decodedWord(line.slice('on '.length)));
}

/** What a rehearsal says, a line each; no line where there was none. `exceptions`: what it did not carry out. */
export function rehearsalLines(exceptions: readonly Address[] | undefined): readonly string[] {
  return exceptions === undefined ? [] : ['rehearsed', ...exceptions.map((address) => `but ${encoded(address)}`)];
}

/** The inverse of {@link rehearsalLines}. */
export function readRehearsal(lines: readonly string[]): readonly Address[] | undefined {
  if (!lines.includes('rehearsed')) return undefined;
  return lines.filter((line) => line.startsWith('but ')).map((line) => decodedWord(line.slice('but '.length)));
}

/** One word that ends no comment of HTML. */
function encoded(address: Address): string {
  return encodeURIComponent(address).replaceAll('--', '%2D%2D');
}

/** Of a report that approves nothing. */
export function plainMarker(what: Reported, account: string | undefined): string {
  return `<!-- hostwright: ${what} ${account === undefined ? '-' : word(account)} -->`;
}

/**
 * What a report on a plan approves. `subjects`: what the plan is about; `rehearsedExcept`: what was not carried out when it
 * was rehearsed; absent where it does not say.
 */
export interface ApprovedSet {
  readonly account: string;
  readonly digests: readonly string[];
  readonly subjects?: readonly Address[];
  readonly rehearsedExcept?: readonly Address[];
}

/** What a report on a plan begins with. `too long`: it had no room for it. undefined: it is no such report. */
export function readApprovedSet(report: string): ApprovedSet | 'too long' | undefined {
  // Only at the very beginning: names and values further down are written by others.
  const found = APPROVED.exec(report);
  if (found === null) return undefined;
  const [, account = '', tooLong, digests = '', more = ''] = found;
  if (tooLong !== undefined) return 'too long';
  const subjects = readSubjects(linesOf(more));
  const rehearsedExcept = readRehearsal(linesOf(more));
  return {
    account: decodedWord(account),
    digests: linesOf(digests),
    ...(subjects !== undefined && { subjects }),
    ...(rehearsedExcept !== undefined && { rehearsedExcept }),
  };
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/).filter((line) => line !== '');
}
