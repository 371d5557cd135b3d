// The Markdown reporter as the command line sees it: a plan or a drift as the one comment of a pull request or as an
// issue, the end of a run, and problems that came before there was anything else to tell.
import type { Outcome, OutcomeWord } from '../../model/plan/outcome.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { lighter, VALUES } from '../blocks/block.ts';
import type { OutcomeReportOptions } from '../blocks/outcome.ts';
import { outcomeReport } from '../blocks/outcome.ts';
import type { PlanReportOptions } from '../blocks/plan.ts';
import { planReport } from '../blocks/plan.ts';
import type { Problems } from '../blocks/problems.ts';
import { problemsReport, validationReport } from '../blocks/problems.ts';
import type { ValidationText } from '../view/document.ts';
import type { Limit } from './fit.ts';
import { plainMarker, planMarker } from './marker.ts';
import { writeReport } from './write.ts';

export { COMMENT } from './fit.ts';
export { isOfNoAccount, readApprovedFleet, readDoneFleet, renderFleetMarkdown } from './fleet.ts';
export type { AccountDigest } from './fleet.ts';
export type { Limit } from './fit.ts';

export interface PlanMarkdownOptions extends PlanReportOptions {
  readonly limit: Limit;
}

/** The comment; undefined when the limit has no room for its shortest form. */
export function renderPlanMarkdown(plan: Plan, options: PlanMarkdownOptions): string | undefined {
  const report = planReport(plan, options);
  const blocks = options.concise === true ? lighter(report.blocks, VALUES) : report.blocks;
  return writeReport({ ...report, blocks }, options.limit, (withDigests) =>
    planMarker(options.heading === 'Plan' ? 'plan' : 'drift', plan, withDigests, options.rehearsal),
  );
}

export function renderOutcomeMarkdown(
  outcome: Outcome,
  limit: Limit,
  options: OutcomeReportOptions = {},
): string | undefined {
  return writeReport(outcomeReport(outcome, options), limit, () => plainMarker('apply', outcome.account));
}

/** Manifests that were checked. */
export function renderValidationMarkdown(
  result: ValidationText,
  outcome: OutcomeWord,
  limit: Limit,
): string | undefined {
  return writeReport(validationReport(result, outcome), limit, () => plainMarker('validate', undefined));
}

export function renderProblemsMarkdown(problems: Problems, limit: Limit): string | undefined {
  return writeReport(problemsReport(problems), limit, () => plainMarker(problems.what, undefined));
}
