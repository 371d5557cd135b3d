// The command `apply`: what is asked before it runs, and what is told after. Whether anything may run is the use case's
// to decide.
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import type { Address } from '../../model/address.ts';
import type { SourcePosition } from '../../model/diagnostic.ts';
import type { Approvable, Plan } from '../../model/plan/plan.ts';
import { countActions, riskSummary } from '../../report/view/document.ts';
import { escapeText } from '../../report/view/escape.ts';
import { renderPlan } from '../../report/text/index.ts';
import { applyWorkspace } from '../../workflow/apply/apply.ts';
import { readApproved } from '../plan-file/approved.ts';
import type { Context } from '../context.ts';
import { readPlanFile } from '../plan-file/plan-file.ts';
import type { PlanTextFlags } from '../report.ts';
import { reportOutcome, reportProblems, shownTo, textOptions } from '../report.ts';
import type { RunOptions } from '../settings.ts';
import { checkLedgerAccess, checkToken, createSession, PARALLELISM, problem } from '../settings.ts';
import { startProgress } from '../progress/start.ts';

export interface ApplyCommandOptions extends RunOptions, PlanTextFlags {
  readonly expect?: string;
  readonly yes?: boolean;
  readonly approve?: readonly Approvable[];
  readonly allowDeletes?: number;
  readonly allowCharges?: number;
  readonly maxSpend?: string;
  readonly resume?: boolean;
  readonly target: readonly string[];
}

export async function apply(
  context: Context,
  positionals: readonly string[],
  options: ApplyCommandOptions,
): Promise<OutcomeWord> {
  const [first] = positionals;
  const file = first?.endsWith('.json') === true ? await readPlanFile(context.cwd, first) : undefined;
  const approved = options.expect === undefined ? undefined : await readApproved(context.cwd, options.expect);
  const saved = file?.is === 'plan' ? file.plan : undefined;
  const paths = saved === undefined ? positionals : positionals.slice(1);
  // What was reviewed elsewhere, or is in flight already, is not asked about again.
  const consented =
    options.yes === true ||
    options.approve !== undefined ||
    approved !== undefined ||
    saved !== undefined ||
    options.resume === true;
  const problems = [
    ...checkToken(context.env),
    ...checkLedgerAccess(context.env),
    ...(file?.is === 'broken' ? [file.diagnostic] : []),
    ...(approved !== undefined && 'diagnostic' in approved ? [approved.diagnostic] : []),
    ...(saved !== undefined && options.approve !== undefined ? [reviewedAlready()] : []),
    ...(saved !== undefined && options.target.length > 0 ? [takenWhole()] : []),
    ...(consented || (context.canAsk && !paths.includes('-')) ? [] : [cannotAsk()]),
  ];
  if (problems.length > 0) return reportProblems(context, problems, 'error', 'apply');

  let sources: ReadonlyMap<Address, SourcePosition> = new Map();

  await startProgress(context);
  const { outcome } = await applyWorkspace(createSession(context, options), {
    paths,
    ...(saved !== undefined && { plan: saved }),
    ...(approved !== undefined && 'digests' in approved && { approved: approved.digests }),
    targets: options.target,
    ...(options.approve !== undefined && { approve: options.approve }),
    ...(options.allowDeletes !== undefined && { allowDeletes: options.allowDeletes }),
    ...(options.allowCharges !== undefined && { allowCharges: options.allowCharges }),
    ...(options.maxSpend !== undefined && { maxSpend: options.maxSpend }),
    parallelism: options.parallelism ?? PARALLELISM,
    resumeOnly: options.resume === true,
    confirm: (plan) => {
      sources = sourcesOf(plan);
      return confirm(context, plan, { consented, flags: options });
    },
  });
  await reportOutcome(context, outcome, sources);
  return outcome.outcome;
}

function sourcesOf({ actions }: Plan): ReadonlyMap<Address, SourcePosition> {
  return new Map(actions.flatMap(({ address, source }) => (source === undefined ? [] : [[address, source] as const])));
}

/**
 * Shows what is about to run; the plan is a result too, except beside JSON and Markdown, where it is for the person at
 * the terminal only.
 */
async function confirm(
  context: Context,
  plan: Plan,
  { consented, flags }: { readonly consented: boolean; readonly flags: PlanTextFlags },
): Promise<boolean> {
  context.progress.pause();
  const { format } = context.options;
  const whole = format === 'json' || format === 'markdown';
  const { text } = renderPlan(whole ? plan : shownTo(context, plan, flags), {
    ...textOptions(context, flags),
    ...(whole && { color: context.color.stderr }),
  });
  if (!whole) context.output.result(`${text}\n`);
  else if (!consented) context.output.error(`${text}\n`);
  if (consented || plan.actions.length === 0) return true;
  await context.output.flush();
  const { askYes } = await import('../prompt.ts');
  const risks = riskSummary(plan.actions);
  const question = `Run this on account ${escapeText(plan.account, 100)}: ${countActions(plan.actions)}?${risks === '' ? '' : ` ${risks}.`} Only \`yes\` runs it: `;
  return await askYes(question, { input: context.stdin, output: context.stderr, stop: context.stop });
}

function reviewedAlready() {
  return problem(
    'HW6512',
    'A saved plan needs no approval by verb',
    'A saved plan is what was reviewed, so nothing else of a fresh plan runs. Leave --approve out, or leave the plan out. Nothing was sent.',
  );
}

function takenWhole() {
  return problem(
    'HW6513',
    'An option does not go with the others',
    'A saved plan is applied whole: leave --target out, or make the plan with --target. Nothing was sent.',
  );
}

function cannotAsk() {
  return problem(
    'HW6508',
    'Nobody can be asked',
    'Without a terminal apply does not ask. Give a reviewed plan (`hostwright apply plan.json`, or `--expect`), name what may run unreviewed (`--approve create,update`), or say --yes to run whatever the plan says. Nothing was sent.',
  );
}
