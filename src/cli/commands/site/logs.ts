// The command `site logs`: entries as they come, one line each for people, one JSON document for programs, whatever
// their number.
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import type { LogName } from '../../../workflow/site/logs.ts';
import { siteLogs } from '../../../workflow/site/logs.ts';
import type { Context } from '../../context.ts';
import { printEntries } from './print-entries.ts';
import { reportProblems } from '../../report.ts';
import { checkToken, createSession, problem } from '../../settings.ts';

export interface LogCommandOptions {
  readonly of: LogName;
  /** Milliseconds. */
  readonly since?: number;
  readonly limit: number;
  readonly filter: Readonly<Record<string, string>>;
}

const DAY_MS = 86_400_000;
/** The parameters of the platform that narrow each log. */
const FILTERS: Readonly<Record<LogName, readonly string[]>> = {
  access: ['status', 'cache_status', 'country', 'url_contains'],
  mail: ['rcpt', 'sender', 'subject', 'delivered', 'end_date'],
  origin: ['date'],
};

export async function logs(
  context: Context,
  site: string,
  { of: log, since, limit, filter }: LogCommandOptions,
): Promise<OutcomeWord> {
  const problems = [...checkToken(context.env), ...unfit(log, since, filter)];
  if (problems.length > 0) return reportProblems(context, problems);
  return printEntries(context, limit, (take) =>
    siteLogs(createSession(context), site, { log, sinceMs: since ?? DAY_MS, limit, filters: filter }, take),
  );
}

function unfit(log: LogName, since: number | undefined, filter: Readonly<Record<string, string>>) {
  const unknown = Object.keys(filter).filter((name) => !FILTERS[log].includes(name));
  const reported = (detail: string) => problem('HW6513', 'An option does not go with the others', detail);
  return [
    ...(since !== undefined && log === 'origin'
      ? [
          reported(
            'The log of the origin takes no --since; it has `--filter date=...`, in the form that the platform takes.',
          ),
        ]
      : []),
    ...unknown.map((name) => reported(`The ${log} log has no filter ${name}; it has ${FILTERS[log].join(', ')}.`)),
  ];
}
