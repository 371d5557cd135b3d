// `get logs`: log entries of a site as they are read, one line each for people, one JSON document for programs.
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { diagnose } from '../../../model/diagnostic.ts';
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import { renderActJson } from '../../../report/json/index.ts';
import type { LogName } from '../../../usecases/act/traffic.ts';
import type { Context } from '../../context.ts';
import { reportProblems, reportResult } from '../../report.ts';
import { createSession } from '../../settings.ts';
import type { GetOptions } from './options.ts';
import { printEntries, printFollowed } from './print-entries.ts';

type Log = LogName | 'summary';

const DAY_MS = 86_400_000;
const LIMIT = 100;
/** LIM-08 */
const LONGEST_SUMMARY_MS = 3 * DAY_MS;
/** The query parameters of the platform that filter each log. */
const FILTERS: Readonly<Record<Log, readonly string[]>> = {
  access: ['status', 'cache_status', 'country', 'url_contains'],
  mail: ['rcpt', 'sender', 'subject', 'delivered', 'end_date'],
  origin: ['date'],
  summary: ['status', 'cache_status', 'country', 'url_contains'],
};

/** Prints a log of a site, or its summary. */
export async function getLogs(
  context: Context,
  written: string | undefined,
  options: GetOptions & { readonly site: string },
): Promise<OutcomeWord> {
  const log = written ?? 'access';
  const problems = isLog(log)
    ? misfits(log, options)
    : [misfit(`There is no log \`${log}\`. Name one of ${Object.keys(FILTERS).join(', ')}.`)];
  if (!isLog(log) || problems.length > 0) return reportProblems(context, problems);
  const { site, since: sinceMs = DAY_MS, until: untilMs = 0, limit = LIMIT, filter: filters = {}, watch } = options;
  const { readTraffic } = await import('../../../usecases/act/traffic.ts');
  const session = createSession(context);
  const period = { sinceMs, untilMs, filters };
  if (log === 'summary') {
    const result = await readTraffic(session, site, { read: 'summary', ...period });
    const { renderAct } = await import('../../../report/text/act.ts');
    await reportResult(context, result.diagnostics, {
      json: () => renderActJson(result, 'hostwright.logs/1'),
      text: () => renderAct(result),
    });
    return result.outcome;
  }
  return watch === true
    ? printFollowed(context, (take) => readTraffic(session, site, { read: 'new-entries', log, limit, take, ...period }))
    : printEntries(context, limit, (take) => readTraffic(session, site, { read: 'log', log, limit, take, ...period }));
}

function isLog(word: string): word is Log {
  return Object.hasOwn(FILTERS, word);
}

function misfits(log: Log, { since, until, filter = {}, watch, limit }: GetOptions): readonly Diagnostic[] {
  const sinceMs = since ?? DAY_MS;
  const unknown = Object.keys(filter).filter((name) => !FILTERS[log].includes(name));
  const timed = [...(since === undefined ? [] : ['--since']), ...(until === undefined ? [] : ['--until'])];
  const problems = [
    ...(timed.length > 0 && log === 'origin'
      ? [`The origin log does not take ${timed.join(' or ')}. Filter it by \`--filter date=...\`.`]
      : []),
    ...(until !== undefined && until >= sinceMs ? ['--until must be a shorter time ago than --since.'] : []),
    ...(log === 'summary' && sinceMs - (until ?? 0) > LONGEST_SUMMARY_MS
      ? ['A summary covers at most three days. Choose a shorter period with --since and --until.']
      : []),
    ...(log === 'summary' && limit !== undefined ? ['A summary does not take --limit.'] : []),
    ...(watch === true && (until !== undefined || log === 'summary')
      ? [`--watch cannot be combined with ${log === 'summary' ? 'the summary' : '--until'}.`]
      : []),
    ...unknown.map((name) => `The ${log} log has no filter ${name}. It has ${FILTERS[log].join(', ')}.`),
  ];
  return problems.map(misfit);
}

function misfit(detail: string): Diagnostic {
  return diagnose('HW6513', detail);
}
