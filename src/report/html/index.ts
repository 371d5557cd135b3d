// The HTML reporter as the command line sees it.
import type { FleetReport } from '../../model/plan/fleet-report.ts';
import type { Fleet } from '../../model/plan/fleet.ts';
import type { Outcome, OutcomeWord } from '../../model/plan/outcome.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { accountsReport } from '../blocks/accounts.ts';
import type { Block } from '../blocks/block.ts';
import { fleetReport } from '../blocks/fleet.ts';
import type { OutcomeReportOptions } from '../blocks/outcome.ts';
import { outcomeReport } from '../blocks/outcome.ts';
import type { PlanReportOptions } from '../blocks/plan.ts';
import { planReport } from '../blocks/plan.ts';
import type { Problems } from '../blocks/problems.ts';
import { problemsReport, validationReport } from '../blocks/problems.ts';
import type { ValidationText } from '../view/document.ts';
import { writeHtml } from './write.ts';

interface When {
  readonly nowMs: number;
}

/** A page has more room than a comment. */
const FEW = 25;

export function renderPlanHtml(plan: Plan, options: PlanReportOptions & When): string {
  const { nowMs: _now, ...rest } = options;
  return writeHtml(planReport(plan, { few: FEW, ...rest }), options.heading.toLowerCase(), options.nowMs);
}

export function renderOutcomeHtml(outcome: Outcome, { nowMs, ...options }: When & OutcomeReportOptions): string {
  return writeHtml(outcomeReport(outcome, options), 'apply', nowMs);
}

export function renderProblemsHtml(problems: Problems, { nowMs }: When): string {
  return writeHtml(problemsReport(problems), problems.what, nowMs);
}

export function renderValidationHtml(result: ValidationText, outcome: OutcomeWord, { nowMs }: When): string {
  return writeHtml(validationReport(result, outcome), 'validate', nowMs);
}

export function renderFleetHtml(fleet: Fleet, { nowMs }: When): string {
  return writeHtml(fleetReport(fleet, { few: 3 }), `fleet ${fleet.command}`, nowMs);
}

/** How the accounts of a fleet are. */
export function renderAccountsHtml(report: FleetReport, { nowMs }: When): string {
  return writeHtml(accountsReport(report), 'fleet report', nowMs);
}

/** Blocks that are no plan and no outcome. */
export function renderPageHtml(blocks: readonly Block[], title: string, { nowMs }: When): string {
  return writeHtml({ title, blocks }, title, nowMs);
}
