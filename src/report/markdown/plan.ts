// A plan or a drift as the one comment of a pull request or as an issue.
import type { Plan } from '../../model/plan/plan.ts';
import { lighter } from '../blocks/block.ts';
import type { PlanReportOptions } from '../blocks/plan.ts';
import { planReport } from '../blocks/plan.ts';
import { VALUES } from '../text/plan.ts';
import type { Limit } from './fit.ts';
import { planMarker } from './marker.ts';
import { writeReport } from './write.ts';

export interface PlanMarkdownOptions extends PlanReportOptions {
  readonly limit: Limit;
}

/** The comment; undefined when the limit has no room for its shortest form. */
export function renderPlanMarkdown(plan: Plan, options: PlanMarkdownOptions): string | undefined {
  const report = planReport(plan, options);
  const blocks = options.concise === true ? lighter(report.blocks, VALUES) : report.blocks;
  return writeReport({ ...report, blocks }, options.limit, (withDigests) =>
    planMarker(options.heading === 'Plan' ? 'plan' : 'drift', plan, withDigests),
  );
}
