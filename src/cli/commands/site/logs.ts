// `site logs`: entries as they come, one line each for people, one JSON document for programs.
import { Option } from 'commander';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { diagnose } from '../../../model/diagnostic.ts';
import type { LogName } from '../../../usecases/act/act.ts';
import type { CliCommand } from '../../command.ts';
import { collectFilter, parseLimit, parseSpan } from '../../parse.ts';
import { reportProblems } from '../../report.ts';
import { checkAccess, createSession } from '../../settings.ts';
import { printEntries, printFollowed } from './print-entries.ts';
import { runCommand, siteCommand } from '../act.ts';

interface LogOptions {
  readonly of: LogName;
  /** Milliseconds. */
  readonly since?: number;
  /** Milliseconds. */
  readonly until?: number;
  readonly summary?: boolean;
  readonly follow?: boolean;
  readonly limit: number;
  readonly filter: Readonly<Record<string, string>>;
}

const DAY_MS = 86_400_000;
/** LIM-08 */
const LONGEST_SUMMARY_MS = 3 * DAY_MS;
/** The parameters of the platform that narrow each log. */
const FILTERS: Readonly<Record<LogName, readonly string[]>> = {
  access: ['status', 'cache_status', 'country', 'url_contains'],
  mail: ['rcpt', 'sender', 'subject', 'delivered', 'end_date'],
  origin: ['date'],
};

export function addLogs(site: CliCommand): void {
  siteCommand<LogOptions>(site, 'logs', async (context, name, options) => {
    const { of: log, since: sinceMs = DAY_MS, until: untilMs = 0, limit, filter: filters } = options;
    const problems = [...checkAccess(context.env), ...misfits(options)];
    if (problems.length > 0) return reportProblems(context, problems);
    const asked = { site: name, log, sinceMs, untilMs, limit, filters };
    if (options.summary === true) return runCommand(context, 'site logs --summary', asked);
    const { act } = await import('../../../usecases/act/act.ts');
    const session = createSession(context);
    return options.follow === true
      ? printFollowed(context, (take) => act(session, 'site logs --follow', { ...asked, take }))
      : printEntries(context, limit, (take) => act(session, 'site logs', { ...asked, take }));
  })
    .description('Log entries as they come, the newest first.')
    .addOption(
      new Option('--of <log>', 'Requests at the CDN, the log of the origin, or mail that was sent.')
        .choices(['access', 'origin', 'mail'])
        .default('access'),
    )
    .addOption(new Option('--since <duration>', 'How far back: 1h, 3d (default: 24h).').argParser(parseSpan))
    .addOption(
      new Option('--until <duration>', 'How far back they end: 1h (default: now). Of mail: the whole day.').argParser(
        parseSpan,
      ),
    )
    .option('--summary', 'What the CDN sums up of the time, as it comes, instead of entries: three days at most.')
    .option(
      '-f, --follow',
      'Show the newest entries, then each new one as it comes, until Ctrl-C. In JSON, one a line.',
    )
    .addOption(
      new Option('--limit <n>', 'Entries at most; with --follow, of those that are there at first.')
        .argParser(parseLimit)
        .default(100),
    )
    .addOption(
      new Option(
        '--filter <name=value>',
        'access: status, cache_status, country, url_contains; mail: rcpt, sender, subject, delivered (Y or N), end_date; origin: date (repeatable).',
      )
        .argParser(collectFilter)
        .default({}, 'none'),
    )
    .examples(
      ['hostwright site logs shop --since 1h --filter status=500', 'errors of the last hour'],
      ['hostwright site logs shop --follow', 'requests as they come'],
      ['hostwright site logs shop --since 6h --until 5h --summary', 'what happened in one hour, in numbers'],
    );
}

function misfits({ of: log, since, until, summary, follow, filter }: LogOptions): readonly Diagnostic[] {
  const sinceMs = since ?? DAY_MS;
  const unknown = Object.keys(filter).filter((name) => !FILTERS[log].includes(name));
  const timed = [...(since === undefined ? [] : ['--since']), ...(until === undefined ? [] : ['--until'])];
  const problems = [
    ...(timed.length > 0 && log === 'origin'
      ? [
          `The log of the origin takes no ${timed.join(' and no ')}; it has \`--filter date=...\`, in the form that the platform takes.`,
        ]
      : []),
    ...(until !== undefined && until >= sinceMs ? ['--until has to be later than --since: a shorter time back.'] : []),
    ...(summary === true && log !== 'access'
      ? [`Only the access log has a --summary, and this is the ${log} log.`]
      : []),
    ...(summary === true && sinceMs - (until ?? 0) > LONGEST_SUMMARY_MS
      ? ['A summary covers three days at most: choose --since and --until closer together.']
      : []),
    ...(follow === true && (until !== undefined || summary === true)
      ? [`--follow ends with Ctrl-C: it goes without ${summary === true ? '--summary' : '--until'}.`]
      : []),
    ...unknown.map((name) => `The ${log} log has no filter ${name}; it has ${FILTERS[log].join(', ')}.`),
  ];
  return problems.map((detail) => diagnose('HW6513', detail));
}
