// Which actions `--expect` names: those of a plan file, of a report in Markdown, of a file with one digest per line, or
// digests as they are. An empty set approves nothing, and is never taken for no `--expect` at all.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { subjectsOf } from '../../model/plan/plan.ts';
import type { Rehearsal } from '../../model/plan/rehearsal.ts';
import { exceptionsOf } from '../../model/plan/rehearsal.ts';
import type { ApprovedSet } from '../../report/blocks/mark.ts';
import {
  readApprovedSet,
  readRehearsal,
  readSubjects,
  rehearsalLines,
  subjectLines,
} from '../../report/blocks/mark.ts';
import { checkPlan } from '../../usecases/show.ts';
import { readPlanFile } from './plan-file.ts';

const DIGEST = /^[0-9a-f]{64}$/;

/** `account`: whose plan was reviewed, and `pulls`: by which pull requests, where the file says so. */
export type Approved =
  | (Omit<ApprovedSet, 'account'> & { readonly account?: string; readonly pulls?: readonly number[] })
  | { readonly diagnostic: Diagnostic };

const PULLS_LINE = /^# approved by (\d+(?:, \d+)*)$/m;

/**
 * The first lines of a file of approved digests: the pull requests whose reviews approved them, what their plans are
 * about, and what their rehearsals say.
 */
export function headLines(
  pulls: readonly number[],
  { subjects, rehearsedExcept }: Pick<ApprovedSet, 'subjects' | 'rehearsedExcept'>,
): readonly string[] {
  return [
    ...(pulls.length === 0 ? [] : [`# approved by ${pulls.join(', ')}`]),
    ...[...subjectLines(subjects), ...rehearsalLines(rehearsedExcept)].map((line) => `# ${line}`),
  ];
}

/** The pull requests in {@link headLines}. They are for the ledger to tell people: nothing is allowed by it. */
export function approvingPulls(content: string): readonly number[] {
  return (PULLS_LINE.exec(content)?.[1] ?? '').split(', ').filter(Boolean).map(Number);
}

export async function readApproved(cwd: string, given: string): Promise<Approved> {
  const direct = given.split(',').map((part) => part.trim());
  if (direct.every((part) => DIGEST.test(part))) return { digests: direct };
  const file = await readPlanFile(cwd, given);
  if (file.is === 'plan') {
    // What a reviewer was shown is what its digests stand for.
    const [tampered] = checkPlan(file.plan);
    return tampered === undefined ? approvedIn(file.plan, file.rehearsal) : { diagnostic: tampered };
  }
  if (file.is === 'broken') return file;
  const content = await readFile(resolve(cwd, given), 'utf8').catch(() => undefined);
  if (content === undefined) return wrong(`\`${given}\` is neither a list of digests nor a file that can be read.`);
  const reported = readApprovedSet(content);
  if (reported === 'too long') return wrong(`\`${given}\` had no room for the digests of its plan.`);
  if (reported !== undefined) return reported;
  const lines = content.split(/\r?\n/).map((line) => line.replace(/#.*/, '').trim());
  const stray = lines.findIndex((line) => line !== '' && !DIGEST.test(line));
  if (stray !== -1) return wrong(`Line ${stray + 1} of \`${given}\` is not a digest.`);
  const pulls = approvingPulls(content);
  const head = content.split(/\r?\n/).map((line) => line.replace(/^# /, ''));
  const [subjects, rehearsedExcept] = [readSubjects(head), readRehearsal(head)];
  return {
    digests: lines.filter((line) => line !== ''),
    ...(pulls.length > 0 && { pulls }),
    ...(subjects !== undefined && { subjects }),
    ...(rehearsedExcept !== undefined && { rehearsedExcept }),
  };
}

function approvedIn(plan: Plan, rehearsal: Rehearsal | undefined): Approved {
  const subjects = subjectsOf(plan);
  return {
    digests: plan.actions.map(({ digest }) => digest),
    account: plan.account,
    ...(subjects !== undefined && { subjects }),
    ...(rehearsal !== undefined && { rehearsedExcept: exceptionsOf(rehearsal) }),
  };
}

function wrong(what: string): Approved {
  return {
    diagnostic: diagnose(
      'HW6507',
      `${what} --expect takes a saved plan, a report on a plan in Markdown, a file with one digest of 64 hexadecimal digits per line, or such digests separated by commas. \`hostwright plan --saved plan.json --verbose\` prints them.`,
    ),
  };
}
