// `get metrics`: metrics of a site, and charts of those that have values over time.
import { diagnose } from '../../../model/diagnostic.ts';
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import { renderActJson } from '../../../report/json/index.ts';
import type { MetricName } from '../../../usecases/act/traffic.ts';
import type { Context } from '../../context.ts';
import { startProgress } from '../../context.ts';
import { reportProblems, reportResult } from '../../report.ts';
import { createSession } from '../../settings.ts';
import type { GetOptions } from './options.ts';

const DAY_MS = 86_400_000;
/** Whether each set of metrics has a start and an end; otherwise the platform decides. */
const PERIODS: Readonly<Record<MetricName, readonly ('since' | 'until')[]>> = {
  cdn: ['since'],
  resources: ['since', 'until'],
  now: [],
  mail: ['since'],
  shield: [],
  'shield-overview': [],
};

/** Prints one set of metrics of a site. */
export async function getMetrics(
  context: Context,
  written: string | undefined,
  options: GetOptions & { readonly site: string },
): Promise<OutcomeWord> {
  const metric = written ?? 'cdn';
  const misfit = isMetric(metric)
    ? misfitOf(metric, options)
    : `There are no metrics \`${metric}\`. Name one of ${Object.keys(PERIODS).join(', ')}.`;
  if (!isMetric(metric) || misfit !== undefined) return reportProblems(context, [diagnose('HW6513', misfit ?? '')]);
  await startProgress(context);
  const { site, since = DAY_MS, until, chart = [] } = options;
  const { readTraffic } = await import('../../../usecases/act/traffic.ts');
  const { renderMetrics } = await import('../../../report/text/metrics.ts');
  const period = { sinceMs: since, ...(until !== undefined && { untilMs: until }) };
  const result = await readTraffic(createSession(context), site, { read: 'metrics', metric, ...period });
  await reportResult(context, result.diagnostics, {
    json: () => renderActJson(result, 'hostwright.metrics/1'),
    text: () => {
      const answer = result[metric];
      if (answer === undefined) return undefined;
      const style = { color: context.color.stdout, width: context.width, charts: chart };
      const { text, hidden, unknown } = renderMetrics(answer, style);
      if (unknown.length > 0) context.hint(`There is no chart ${unknown.join(', ')}.`);
      if (hidden.length > 0) context.hint(`Not plotted: ${hidden.join(', ')}. Select with --chart NAME.`);
      return text;
    },
  });
  return result.outcome;
}

function isMetric(word: string): word is MetricName {
  return Object.hasOwn(PERIODS, word);
}

function misfitOf(metric: MetricName, { since, until }: GetOptions): string | undefined {
  if (since !== undefined && !PERIODS[metric].includes('since'))
    return `\`get metrics ${metric}\` does not take --since: the platform decides the period.`;
  if (until === undefined) return undefined;
  if (!PERIODS[metric].includes('until'))
    return `\`get metrics ${metric}\` does not take --until: its period ends now.`;
  return until >= (since ?? DAY_MS) ? '--until must be a shorter time ago than --since.' : undefined;
}
