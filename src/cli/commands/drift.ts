// The command `drift`: a plan whose differences are what it is for, so that they decide the exit code.
import type { OutcomeWord } from '../../model/outcome.ts';
import type { Context } from '../context.ts';
import type { PlanOptions } from './plan.ts';
import { plan } from './plan.ts';

export function drift(context: Context, paths: readonly string[], options: PlanOptions): Promise<OutcomeWord> {
  return plan(context, paths, options, { heading: 'Drift', detailed: true });
}
