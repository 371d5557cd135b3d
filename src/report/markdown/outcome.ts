// The end of a run, and problems that came before there was anything else to tell, as Markdown.
import type { Outcome, OutcomeWord } from '../../model/plan/outcome.ts';
import type { OutcomeReportOptions } from '../blocks/outcome.ts';
import { outcomeReport } from '../blocks/outcome.ts';
import type { Problems } from '../blocks/problems.ts';
import { problemsReport, validationReport } from '../blocks/problems.ts';
import type { ValidationText } from '../view/document.ts';
import type { Limit } from './fit.ts';
import { plainMarker } from './marker.ts';
import { writeReport } from './write.ts';

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
