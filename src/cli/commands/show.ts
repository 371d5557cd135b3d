// The command `show`: a saved plan again, as `plan` printed it. Reads one file and nothing else.
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { checkPlan } from '../../workflow/show.ts';
import type { Context } from '../context.ts';
import { readPlanFile } from '../plan-file/plan-file.ts';
import type { PlanTextFlags } from '../report.ts';
import { reportPlan, reportProblems } from '../report.ts';
import { problem } from '../settings.ts';

export async function show(context: Context, file: string, flags: PlanTextFlags): Promise<OutcomeWord> {
  const read = await readPlanFile(context.cwd, file);
  if (read.is === 'broken') return reportProblems(context, [read.diagnostic]);
  if (read.is === 'other')
    return reportProblems(context, [
      problem(
        'HW6504',
        'The saved plan cannot be read',
        `\`${file}\` is not a saved plan, or is not there. \`hostwright plan --out ${file}\` makes one.`,
      ),
    ]);
  const tampered = checkPlan(read.plan);
  if (tampered.length > 0) return reportProblems(context, tampered);
  await reportPlan(context, { plan: read.plan, diagnostics: [], outcome: 'done', heading: 'Plan', flags, file });
  return 'done';
}
