// A run over many accounts as one comment or one issue. It begins with the digest of each account's plan, which is what a
// review of it approves.
import type { Fleet } from '../../model/plan/fleet.ts';
import { fleetReport } from '../blocks/fleet.ts';
import { decodedWord, word } from '../view/escape.ts';
import type { Limit } from './fit.ts';
import { writeReport } from './write.ts';

/** An account and the digest of its plan. */
export type AccountDigest = readonly [account: string, digest: string];

/**
 * undefined: it does not fit, however little it tells. `done`: of apply, the approvals that are carried out, which is
 * what uses them up.
 */
export function renderFleetMarkdown(
  fleet: Fleet,
  limit: Limit,
  done: readonly AccountDigest[] = [],
): string | undefined {
  return writeReport(fleetReport(fleet), limit, (withDigests) => marker(fleet, done, withDigests));
}

const MARKER =
  /^<!-- hostwright: fleet (plan|apply)(?: of-none)?( without-digests)?\r?\n((?:\S+ [0-9a-f]{64}\r?\n)*)-->/;

/**
 * The plans that a report on many accounts begins with. `too long`: it had no room for them. undefined: it is no such
 * report.
 */
export function readApprovedFleet(report: string): readonly AccountDigest[] | 'too long' | undefined {
  return readMarker(report, 'plan');
}

/** The approvals that a report says are carried out, as far as it had room for them. undefined: it is no such report. */
export function readDoneFleet(report: string): readonly AccountDigest[] | undefined {
  const found = readMarker(report, 'apply');
  return found === 'too long' ? [] : found;
}

function readMarker(report: string, command: Fleet['command']): readonly AccountDigest[] | 'too long' | undefined {
  const [, found, tooLong, digests = ''] = MARKER.exec(report) ?? [];
  if (found !== command) return undefined;
  if (tooLong !== undefined) return 'too long';
  const lines = digests.split(/\r?\n/).filter((line) => line !== '');
  return lines.map((line) => {
    const [account = '', digest = ''] = line.split(' ');
    return [decodedWord(account), digest] as const;
  });
}

const OF_NO_ACCOUNT = /^<!-- hostwright: fleet \w+ of-none\r?\n-->/;

/** True for a report on a run in which no account was. */
export function isOfNoAccount(report: string): boolean {
  return OF_NO_ACCOUNT.test(report);
}

/** At the very beginning: names and values further down are written by others. */
function marker(
  { command, accounts, diagnostics }: Fleet,
  done: readonly AccountDigest[],
  withDigests: boolean,
): string {
  const planned = accounts.flatMap(({ account, digest, plan }) =>
    digest === undefined || plan === undefined ? [] : [[account, digest] as const],
  );
  const named = !withDigests ? [] : command === 'plan' ? planned : command === 'apply' ? done : [];
  const mark = !withDigests ? ' without-digests' : accounts.length + diagnostics.length === 0 ? ' of-none' : '';
  return [
    `<!-- hostwright: fleet ${command}${mark}`,
    ...named.map(([account, digest]) => `${word(account)} ${digest}`),
    '-->',
  ].join('\n');
}
