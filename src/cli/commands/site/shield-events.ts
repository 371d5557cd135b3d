// The command `shield events`: the events of one day as they come.
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import { shieldEvents } from '../../../workflow/site/shield-events.ts';
import type { Context } from '../../context.ts';
import { printEntries } from './print-entries.ts';
import { reportProblems } from '../../report.ts';
import { checkToken, createSession } from '../../settings.ts';

export interface EventCommandOptions {
  /** `YYYY-MM-DD` */
  readonly date?: string;
  readonly limit: number;
}

export async function events(context: Context, site: string, options: EventCommandOptions): Promise<OutcomeWord> {
  const problems = checkToken(context.env);
  if (problems.length > 0) return reportProblems(context, problems);
  return printEntries(context, options.limit, (take) => shieldEvents(createSession(context), site, options, take));
}
