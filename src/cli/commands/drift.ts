// The command `drift`: a plan whose differences are what it is for, so that they decide the exit code; told by which side changed.
import type { OutcomeWord } from '../../model/outcome.ts';
import { driftWorkspace } from '../../workflow/drift.ts';
import type { Context } from '../context.ts';
import type { PlanOptions } from './plan.ts';
import { plan } from './plan.ts';

export interface DriftCommandOptions extends PlanOptions {
  readonly ignore: readonly string[];
}

export function drift(context: Context, paths: readonly string[], options: DriftCommandOptions): Promise<OutcomeWord> {
  return plan(context, paths, options, { heading: 'Drift', detailed: true, run: (session) => driftWorkspace(session, { paths, targets: options.target, ignore: options.ignore }) });
}
