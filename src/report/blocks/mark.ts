// The first lines of a report in Markdown: a comment that nobody sees, by which the report is found again on a forge, and
// of plans the digests that a review approves, and what each plan is about. Readers look for it at the very beginning
// only: names and values further down are written by others.
import type { Address } from '../../model/address.ts';
import type { Fleet } from '../../model/plan/fleet.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { subjectsOf } from '../../model/plan/plan.ts';
import type { Rehearsal } from '../../model/plan/rehearsal.ts';
import { exceptionsOf } from '../../model/plan/rehearsal.ts';
import { decodedWord, urlPart, word } from '../view/escape.ts';

/** What a report can be of. */
export type Reported = 'plan' | 'drift' | 'apply' | 'validate';

export interface Mark {
  /** What it is the report of, in words: `plan acc-acme DIGEST`. */
  readonly of: string;
  /** What a review approves by it, a line each. Absent: nothing, whatever the report is of. */
  readonly approves?: readonly string[];
}

/** The lines. Without digests nothing is approved. */
export function showMark({ of, approves }: Mark, withDigests: boolean): string {
  if (approves === undefined) return `<!-- hostwright: ${of} -->`;
  const lines = withDigests ? approves : [];
  return [`<!-- hostwright: ${of}${withDigests ? '' : ' without-digests'}`, ...lines, '-->'].join('\n');
}

/** Of a report that approves nothing. */
export function plainMark(what: Reported, account?: string): Mark {
  return { of: `${what} ${account === undefined ? '-' : word(account)}` };
}

const DIGEST = /^[0-9a-f]{64}$/;

/**
 * `plan acc-acme DIGEST`; a digest a line, an address a line: `on Site%2Fshop`, whether the plan was rehearsed:
 * `rehearsed`, `but Site%2Fshop%2FCaching`.
 */
export function planMark(what: Reported, plan: Plan, rehearsal?: Rehearsal): Mark {
  const { account, digest, actions } = plan;
  return {
    of: `${what} ${word(account)} ${word(digest)}`,
    approves: [
      ...actions.flatMap((action) => (DIGEST.test(action.digest) ? [action.digest] : [])),
      ...subjectLines(subjectsOf(plan)),
      ...(rehearsal === undefined ? [] : rehearsalLines(exceptionsOf(rehearsal))),
    ],
  };
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
  return urlPart(address).replaceAll('--', '%2D%2D');
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

const OF_PLAN =
  /^<!-- hostwright: (?:plan|drift) (\S+) \S+( without-digests)?\r?\n((?:[0-9a-f]{64}\r?\n)*)((?:on \S+\r?\n)*(?:rehearsed\r?\n(?:but \S+\r?\n)*)?)-->/;

/** What a report on a plan begins with. `too long`: it had no room for it. undefined: it is no such report. */
export function readApprovedSet(report: string): ApprovedSet | 'too long' | undefined {
  const found = OF_PLAN.exec(report);
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

/** An account and the digest of its plan. */
export type AccountDigest = readonly [account: string, digest: string];

/** `done`: of apply, the approvals that are carried out, which is what uses them up. */
export function fleetMark({ command, accounts, diagnostics }: Fleet, done: readonly AccountDigest[] = []): Mark {
  const planned = accounts.flatMap(({ account, digest, plan }) =>
    digest === undefined || plan === undefined ? [] : [[account, digest] as const],
  );
  const named = command === 'plan' ? planned : command === 'apply' ? done : [];
  return {
    of: `fleet ${command}${accounts.length + diagnostics.length === 0 ? ' of-none' : ''}`,
    approves: named.map(([account, digest]) => `${word(account)} ${digest}`),
  };
}

const OF_FLEET =
  /^<!-- hostwright: fleet (plan|apply)(?: of-none)?( without-digests)?\r?\n((?:\S+ [0-9a-f]{64}\r?\n)*)-->/;

/**
 * The plans that a report on many accounts begins with. `too long`: it had no room for them. undefined: it is no such
 * report.
 */
export function readApprovedFleet(report: string): readonly AccountDigest[] | 'too long' | undefined {
  return readFleet(report, 'plan');
}

/** The approvals that a report says are carried out, as far as it had room for them. undefined: it is no such report. */
export function readDoneFleet(report: string): readonly AccountDigest[] | undefined {
  const found = readFleet(report, 'apply');
  return found === 'too long' ? [] : found;
}

function readFleet(report: string, command: Fleet['command']): readonly AccountDigest[] | 'too long' | undefined {
  const [, found, tooLong, digests = ''] = OF_FLEET.exec(report) ?? [];
  if (found !== command) return undefined;
  if (tooLong !== undefined) return 'too long';
  return linesOf(digests).map((line) => {
    const [account = '', digest = ''] = line.split(' ');
    return [decodedWord(account), digest];
  });
}

/** True for a report on a run in which no account was. */
export function isOfNoAccount(report: string): boolean {
  return /^<!-- hostwright: fleet \w+ of-none\r?\n-->/.test(report);
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/).filter((line) => line !== '');
}
