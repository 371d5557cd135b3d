// `site logs`: entries as they come, one line each for people, one JSON document for programs.
import { Option } from 'commander';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { LogName } from '../../../workflow/site/logs.ts';
import type { CliCommand, Execute } from '../../command.ts';
import { collectFilter, parseLimit, parseSpan } from '../../parse.ts';
import { reportProblems } from '../../report.ts';
import { checkToken, createSession, problem } from '../../settings.ts';
import { printEntries } from './print-entries.ts';
import { siteCommand } from './site-command.ts';

interface LogOptions {
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

export function addLogs(site: CliCommand, execute: Execute): void {
  siteCommand<LogOptions>(site, execute, 'logs', async (context, name, options) => {
    const { of: log, since: sinceMs = DAY_MS, limit, filter: filters } = options;
    const problems = [...checkToken(context.env), ...misfits(options)];
    if (problems.length > 0) return reportProblems(context, problems);
    const { siteLogs } = await import('../../../workflow/site/logs.ts');
    return printEntries(context, limit, (take) =>
      siteLogs(createSession(context), name, { log, sinceMs, limit, filters }, take),
    );
  })
    .description('Log entries as they come, the newest first.')
    .addOption(
      new Option('--of <log>', 'Requests at the CDN, the log of the origin, or mail that was sent.')
        .choices(['access', 'origin', 'mail'])
        .default('access'),
    )
    .addOption(new Option('--since <duration>', 'How far back: 1h, 3d (default: 24h).').argParser(parseSpan))
    .addOption(new Option('--limit <n>', 'Entries at most.').argParser(parseLimit).default(100))
    .addOption(
      new Option(
        '--filter <name=value>',
        'access: status, cache_status, country, url_contains; mail: rcpt, sender, subject, delivered (Y or N), end_date; origin: date (repeatable).',
      )
        .argParser(collectFilter)
        .default({}, 'none'),
    )
    .examples(['hostwright site logs shop --since 1h --filter status=500', 'errors of the last hour']);
}

function misfits({ of: log, since, filter }: LogOptions): readonly Diagnostic[] {
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
