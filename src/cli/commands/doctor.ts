// The command `doctor`: what this credential may do, what the account has, which settings count. Only reads are sent;
// nothing is written.
import type { Command } from 'commander';
import { engines, version } from '../../../package.json';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { decideOutcome } from '../../model/plan/outcome.ts';
import { renderDoctor } from '../../report/text/index.ts';
import { renderDoctorJson } from '../../report/json/index.ts';
import { examine } from '../../workflow/doctor/doctor.ts';
import type { Context } from '../context.ts';
import { environmentProblems, givenSettings } from './doctor-settings.ts';
import { checkToken, createSession } from '../settings.ts';
import { startProgress } from '../progress/start.ts';

export async function doctor(
  context: Context,
  command: Command,
  { verbose = false }: { readonly verbose?: boolean },
): Promise<OutcomeWord> {
  await startProgress(context);
  const { token, ...session } = createSession(context);
  const report = await examine(
    // A token that no header can carry is told as a problem, and not sent.
    { ...session, token: checkToken(context.env).length === 0 ? token : undefined },
    {
      version,
      node: process.version,
      nodeNeeded: engines.node.replace(/^\D+/, ''),
      settings: givenSettings(command, context.env),
      problems: environmentProblems(command, context.env),
    },
  );
  context.progress.stop();
  const hasProblem = report.findings.some(({ verdict }) => verdict === 'problem');
  const outcome = decideOutcome([
    ...(context.stop.aborted ? (['interrupted'] as const) : []),
    ...(hasProblem ? (['error'] as const) : []),
  ]);
  context.output.result(
    context.json ? renderDoctorJson(report, outcome) : renderDoctor(report, { color: context.color.stdout, verbose }),
  );
  return outcome;
}
