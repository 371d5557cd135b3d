// The end of a run for a terminal: its blocks as text, and what to do next. Diagnostics are rendered apart, because they go
// to stderr.
import type { Outcome } from '../../model/plan/outcome.ts';
import type { OutcomeReportOptions } from '../blocks/outcome.ts';
import { outcomeReport } from '../blocks/outcome.ts';
import type { Asked } from '../view/next-steps.ts';
import { stepLine, stepsAfter } from '../view/next-steps.ts';
import type { Rendered } from './plan.ts';
import type { TextOptions } from './write.ts';
import { writeText } from './write.ts';

export function renderOutcome(
  outcome: Outcome,
  { color, width = Infinity, ...options }: Partial<TextOptions> & OutcomeReportOptions,
): Rendered {
  const { blocks } = outcomeReport(outcome, { ...options, isTerminal: true });
  return {
    text: writeText(blocks, { ...options, color: color === true, width }),
    hints: outcomeHints(outcome, options.asked),
  };
}

function outcomeHints(outcome: Outcome, asked: Asked | undefined): readonly string[] {
  const { outcome: word, exitCode } = outcome;
  return [...stepsAfter(outcome, asked).map(stepLine), ...(exitCode === 0 ? [] : [`Exit code ${exitCode}: ${word}.`])];
}
