// The HTML reporter as the command line sees it.
import type { AccountReport, FleetReport } from '../../model/plan/fleet-report.ts';
import type { Fleet } from '../../model/plan/fleet.ts';
import type { Outcome, OutcomeWord } from '../../model/plan/outcome.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { accountReport, accountsReport } from '../blocks/accounts.ts';
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

/** How the accounts of a fleet are. `isLive`: on a server, which tells of changes and has a page for each account. */
export function renderAccountsHtml(
  report: FleetReport,
  { nowMs, isLive = false }: When & { readonly isLive?: boolean },
): string {
  return writeHtml(accountsReport(report, { hasPages: isLive }), 'fleet report', nowMs, isLive ? './' : undefined);
}

/** How one account is, on the same server. */
export function renderAccountHtml(account: AccountReport, { nowMs }: When): string {
  return writeHtml(accountReport(account, '../'), 'account', nowMs, '../');
}

/** Blocks that are no plan and no outcome. */
export function renderPageHtml(blocks: readonly Block[], title: string, { nowMs }: When): string {
  return writeHtml({ title, blocks }, title, nowMs);
}
