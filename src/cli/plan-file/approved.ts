// Which actions `--expect` names: those of a plan file, of a report in Markdown, of a file with one digest per line, or
// digests as they are. An empty set approves nothing, and is never taken for no `--expect` at all.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { readApprovedSet } from '../../report/markdown/marker.ts';
import { checkPlan } from '../../workflow/show.ts';
import { readPlanFile } from './plan-file.ts';
import { problem } from '../settings.ts';

const DIGEST = /^[0-9a-f]{64}$/;

/** `account`: whose plan was reviewed, and `pulls`: by which pull requests, where the file says so. */
export type Approved =
  | { readonly digests: readonly string[]; readonly account?: string; readonly pulls?: readonly number[] }
  | { readonly diagnostic: Diagnostic };

const PULLS_LINE = /^# approved by (\d+(?:, \d+)*)$/m;

/** The first line of a file of approved digests: the pull requests whose reviews approved them. */
export function pullsLine(pulls: readonly number[]): string {
  return pulls.length === 0 ? '' : `# approved by ${pulls.join(', ')}\n`;
}

/** What {@link pullsLine} wrote. It is for the ledger to tell people: nothing is allowed by it. */
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
    return tampered === undefined
      ? { digests: file.plan.actions.map(({ digest }) => digest), account: file.plan.account }
      : { diagnostic: tampered };
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
  return { digests: lines.filter((line) => line !== ''), ...(pulls.length > 0 && { pulls }) };
}

function wrong(what: string): Approved {
  return {
    diagnostic: problem(
      'HW6507',
      'The approved actions cannot be read',
      `${what} --expect takes a saved plan, a report on a plan in Markdown, a file with one digest of 64 hexadecimal digits per line, or such digests separated by commas. \`hostwright show plan.json --verbose\` prints them.`,
    ),
  };
}
