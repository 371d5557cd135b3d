// The commands `site tasks`, `site mail show` and `site metrics`: what is read of a site and shown whole.
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import { renderMail, renderMetrics, renderTasks } from '../../../report/text/index.ts';
import { mailStatus } from '../../../workflow/site/mail.ts';
import type { MetricName } from '../../../workflow/site/metrics.ts';
import { siteMetrics } from '../../../workflow/site/metrics.ts';
import type { TaskFilter } from '../../../workflow/site/tasks.ts';
import { siteTasks } from '../../../workflow/site/tasks.ts';
import type { Context } from '../../context.ts';
import { reportProblems } from '../../report.ts';
import { problem } from '../../settings.ts';
import { readSite } from './site-command.ts';

export interface MetricCommandOptions {
  readonly of: MetricName;
  /** Milliseconds. */
  readonly since?: number;
  readonly chart: readonly string[];
}

/** What the platform shows of tasks at most (LIM-02). */
const TASKS_SHOWN = 100;
const DAY_MS = 86_400_000;
/** These are as they are now, or reach back as far as the platform decides. */
const WITHOUT_PERIOD: readonly MetricName[] = ['now', 'shield'];

export function tasks(context: Context, site: string, options: { readonly status?: TaskFilter }): Promise<OutcomeWord> {
  return readSite(context, (session) => siteTasks(session, site, options.status), {
    as: 'tasks',
    text: (rows) => {
      if (rows.length >= TASKS_SHOWN) context.hint(`The platform shows the ${TASKS_SHOWN} most recent only.`);
      return renderTasks(rows, { color: context.color.stdout });
    },
  });
}

export function mail(context: Context, site: string): Promise<OutcomeWord> {
  return readSite(context, (session) => mailStatus(session, site), {
    as: 'mail',
    text: (value) => renderMail(value, { color: context.color.stdout }),
  });
}

export async function metrics(
  context: Context,
  site: string,
  { of: metric, since, chart }: MetricCommandOptions,
): Promise<OutcomeWord> {
  if (since !== undefined && WITHOUT_PERIOD.includes(metric))
    return reportProblems(context, [
      problem(
        'HW6513',
        'An option does not go with the others',
        `\`--of ${metric}\` takes no --since: the platform decides the time.`,
      ),
    ]);
  return readSite(context, (session) => siteMetrics(session, site, { metric, sinceMs: since ?? DAY_MS }), {
    as: metric,
    text: (answer) => {
      const { text, hidden, unknown } = renderMetrics(answer, {
        color: context.color.stdout,
        width: context.width,
        charts: chart,
      });
      if (unknown.length > 0) context.hint(`There is no chart ${unknown.join(', ')}.`);
      if (hidden.length > 0) context.hint(`Not plotted: ${hidden.join(', ')}. Choose with --chart NAME.`);
      return text;
    },
  });
}
