// `site metrics`: numbers, and plots of what goes over time.
import { Option } from 'commander';
import { diagnose } from '../../../model/diagnostic.ts';
import type { MetricName } from '../../../usecases/act/act.ts';
import type { CliCommand } from '../../command.ts';
import { collectText, parseSpan } from '../../parse.ts';
import { reportProblems } from '../../report.ts';
import { runCommand, siteCommand } from '../act.ts';

interface MetricOptions {
  readonly of: MetricName;
  /** Milliseconds. */
  readonly since?: number;
  /** Milliseconds. */
  readonly until?: number;
  readonly chart: readonly string[];
}

const DAY_MS = 86_400_000;
/** These are as they are now, or reach back as far as the platform decides. */
const WITHOUT_PERIOD: readonly MetricName[] = ['now', 'shield', 'shield-overview'];

export function addMetrics(site: CliCommand): void {
  siteCommand<MetricOptions>(site, 'metrics', async (context, name, options) => {
    const { of: metric, since = DAY_MS, until, chart } = options;
    const misfit = misfitOf(options);
    if (misfit !== undefined) return reportProblems(context, [diagnose('HW6513', misfit)]);
    const { renderMetrics } = await import('../../../report/text/metrics.ts');
    const period = { sinceMs: since, ...(until !== undefined && { untilMs: until }) };
    return runCommand(context, 'site metrics', { site: name, metric, ...period }, (result) => {
      const answer = result[metric];
      if (answer === undefined) return undefined;
      const { text, hidden, unknown } = renderMetrics(answer, {
        color: context.color.stdout,
        width: context.width,
        charts: chart,
      });
      if (unknown.length > 0) context.hint(`There is no chart ${unknown.join(', ')}.`);
      if (hidden.length > 0) context.hint(`Not plotted: ${hidden.join(', ')}. Choose with --chart NAME.`);
      return text;
    });
  })
    .description('Numbers, and plots of what goes over time.')
    .addOption(
      new Option('--of <metrics>', 'CDN, containers over time, containers now, mail, Shield, or Shield in short.')
        .choices(['cdn', 'resources', 'now', 'mail', 'shield', 'shield-overview'])
        .default('cdn'),
    )
    .addOption(
      new Option(
        '--since <duration>',
        'How far back: 6h, 30d (default: 24h). Beyond three days the CDN answers the past month by day.',
      ).argParser(parseSpan),
    )
    .addOption(
      new Option('--until <duration>', 'Of resources: how far back it ends, such as 1h (default: now).').argParser(
        parseSpan,
      ),
    )
    .addOption(
      new Option('--chart <name>', 'What to plot, by the name that the platform gives it (repeatable).')
        .argParser(collectText)
        .default([], 'the first that are not all zero'),
    )
    .examples(['hostwright site metrics shop --of resources --since 6h', 'numbers and plots']);
}

function misfitOf({ of: metric, since, until }: MetricOptions): string | undefined {
  if (since !== undefined && WITHOUT_PERIOD.includes(metric))
    return `\`--of ${metric}\` takes no --since: the platform decides the time.`;
  if (until === undefined) return undefined;
  if (metric !== 'resources') return `\`--of ${metric}\` takes no --until: the platform counts up to now.`;
  return until >= (since ?? DAY_MS) ? '--until has to be later than --since: a shorter time back.' : undefined;
}
