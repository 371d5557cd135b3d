// A plan or a drift for a terminal: its blocks as text, and what to do next.
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { EXIT_CODES } from '../../model/plan/outcome.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { lighter, VALUES } from '../blocks/block.ts';
import type { PlanReportOptions } from '../blocks/plan.ts';
import { planReport } from '../blocks/plan.ts';
import { showRehearsal } from '../blocks/rehearsal.ts';
import { stepLine, stepsAfterPlan } from '../view/next-steps.ts';
import { recordsSentence } from '../view/records-to-publish.ts';
import type { TextOptions } from './write.ts';
import { writeText } from './write.ts';

export interface PlanTextOptions extends TextOptions, Omit<PlanReportOptions, 'heading' | 'diagnostics'> {
  readonly heading?: 'Plan' | 'Drift';
  /** How the command ends, where that is known. */
  readonly outcome?: OutcomeWord;
  /** The file that the plan was written to or read from. */
  readonly file?: string;
  /** The manifests or programs that were named. */
  readonly paths?: readonly string[];
  /** The command that shows it, once more. */
  readonly again?: string;
}

/** `text` is the result, for stdout; `hints` are for stderr. Both end without a line break. */
export interface Rendered {
  readonly text: string;
  readonly hints: readonly string[];
}

export function renderPlan(plan: Plan, options: PlanTextOptions): Rendered {
  const { blocks } = planReport(plan, { heading: 'Plan', ...options, diagnostics: [], isTerminal: true });
  return {
    text: writeText(options.concise === true ? lighter(blocks, VALUES) : blocks, {
      ...options,
      rules: options.verbose,
    }),
    hints: hintsFor(plan, options),
  };
}

function hintsFor(
  plan: Plan,
  { outcome, file, paths, again = 'hostwright plan', verbose, guardCheck, rehearsal }: PlanTextOptions,
): readonly string[] {
  const records = recordsSentence(plan.actions);
  // What is refused on a copy is changed first.
  const isRefused = rehearsal !== undefined && !showRehearsal(rehearsal).passed;
  const steps = isRefused
    ? []
    : stepsAfterPlan(plan, {
        again,
        ...(file !== undefined && { saved: file }),
        ...(paths !== undefined && { paths }),
        ...(guardCheck !== undefined && { guardCheck }),
      });
  return [
    ...(records === undefined || plan.drift !== undefined ? [] : [records]),
    ...(plan.actions.length > 0 && !verbose ? ['--verbose shows every request.'] : []),
    ...steps.map(stepLine),
    ...(outcome !== undefined && outcome !== 'done' ? [`Exit code ${EXIT_CODES[outcome]}: ${outcome}.`] : []),
  ];
}
