// What people read of a plan and of the end of a run, in each form: its blocks, and the text that is written from them.
import type { Fleet } from '../../src/model/plan/fleet.ts';
import type { Outcome } from '../../src/model/plan/outcome.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import { noteCommands } from '../../src/report/annotations/github.ts';
import { planNotes } from '../../src/report/annotations/notes.ts';
import type { FleetReportOptions } from '../../src/report/blocks/fleet.ts';
import { fleetReport } from '../../src/report/blocks/fleet.ts';
import type { OutcomeReportOptions } from '../../src/report/blocks/outcome.ts';
import { outcomeReport } from '../../src/report/blocks/outcome.ts';
import type { PlanReportOptions } from '../../src/report/blocks/plan.ts';
import { planReport } from '../../src/report/blocks/plan.ts';
import { writeHtml } from '../../src/report/html/write.ts';
import type { Limit } from '../../src/report/markdown/fit.ts';
import { COMMENT } from '../../src/report/markdown/fit.ts';
import { writeMarkdown } from '../../src/report/markdown/write.ts';
import type { TextOptions } from '../../src/report/text/write.ts';
import { writeText } from '../../src/report/text/write.ts';

const PLAN = { heading: 'Plan', verbose: false, diagnostics: [] } as const;
/** When the pages are made. */
export const NOW_MS = Date.parse('2026-11-22T10:00:00.000Z');
const TERMINAL = { color: false, width: 120 } as const;

/** In a terminal of 120 columns, without colour. */
export function planText(plan: Plan, options: Partial<PlanReportOptions & TextOptions> = {}): string {
  const { blocks } = planReport(plan, { ...PLAN, ...options, isTerminal: true });
  return writeText(blocks, { ...TERMINAL, ...options, rules: options.verbose === true });
}

/** As the comment of a pull request; '' where it does not fit. */
export function planMarkdown(plan: Plan, options: Partial<PlanReportOptions> = {}, limit: Limit = COMMENT): string {
  return writeMarkdown(planReport(plan, { ...PLAN, outcome: 'differences', ...options }), limit) ?? '';
}

/** As a page. */
export function planHtml(plan: Plan, options: Partial<PlanReportOptions> = {}): string {
  return writeHtml(planReport(plan, { ...PLAN, outcome: 'differences', few: 25, ...options }), NOW_MS);
}

/** As the notes of a job on GitHub. */
export function planCommands(plan: Plan): readonly string[] {
  return noteCommands(planNotes(plan, []), (file) => file);
}

export function outcomeText(outcome: Outcome, options: OutcomeReportOptions & Partial<TextOptions> = {}): string {
  return writeText(outcomeReport(outcome, { ...options, isTerminal: true }).blocks, {
    ...TERMINAL,
    width: Infinity,
    ...options,
  });
}

export function outcomeMarkdown(outcome: Outcome, options: OutcomeReportOptions = {}, limit: Limit = COMMENT): string {
  return writeMarkdown(outcomeReport(outcome, options), limit) ?? '';
}

export function outcomeHtml(outcome: Outcome): string {
  return writeHtml(outcomeReport(outcome), NOW_MS);
}

export function fleetMarkdown(fleet: Fleet, limit: Limit = COMMENT, options: FleetReportOptions = {}): string {
  return writeMarkdown(fleetReport(fleet, options), limit) ?? '';
}

export function fleetHtml(fleet: Fleet): string {
  return writeHtml(fleetReport(fleet, { few: 3 }), NOW_MS);
}
