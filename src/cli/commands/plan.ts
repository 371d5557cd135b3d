// `plan`: what would be done, read for a review; `--out` writes the one file it names.
import { Option } from 'commander';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { GuardOptions } from '../../usecases/guards.ts';
import type { RehearsedPlan } from '../../usecases/rehearse/plan.ts';
import { openCopy } from '../../library/copy.ts';
import { guardOptions } from '../../library/session.ts';
import type { Session } from '../../usecases/session.ts';
import type { CliCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { isGraph, startProgress } from '../context.ts';
import { planOutcome } from '../exit-code.ts';
import { pathsArgument, withChangedSince, withGuards, withPlanText, withTarget } from '../options.ts';
import { checkPlanTarget, writePlanFile } from '../plan-file/plan-file.ts';
import type { PlanTextFlags } from '../report.ts';
import { reportPlan, reportProblems } from '../report.ts';
import type { RunOptions } from '../settings.ts';
import { checkAccess, createSession } from '../settings.ts';

const EXIT_HELP = `
With --format mermaid or dot, the order of the actions is printed as a graph. An arrow goes from an action to one that waits for it, with the rule
and the reason. Actions that charge, delete, restart or expose are marked.
  hostwright plan --saved plan.json --format dot | dot -Tsvg > plan.svg

Exit code: 0 when a plan could be made, whatever it says; 1 when not, or when something could not be read. With --detailed-exitcode
what it says counts: 3 when something declared cannot be reached by this plan (blocked, waiting, by hand, deferred), else 2 when there
are actions.`;

export interface PlanOptions extends RunOptions, PlanTextFlags {
  readonly out?: string;
  readonly target: readonly string[];
}

export function addPlan(program: CliCommand): void {
  withGuards(withChangedSince(withTarget(withPlanText(program.command('plan')))))
    .description('Show what would change, in order, and why.')
    .addArgument(pathsArgument())
    .option('--out <file>', 'Write the plan for `apply` (readable by its owner only; replaces nothing but a plan).')
    .option(
      '--sources <file>',
      'Show lines of the program in place of the YAML that it made, from `hostwright synth --sources`.',
    )
    .addOption(
      new Option(
        '--saved <file>',
        'Show a plan that --out wrote, without network, token or ledger. Takes the options for its form only.',
      ).conflicts([
        'target',
        'changedSince',
        'out',
        'sources',
        'rehearse',
        'detailedExitcode',
        'guardsFrom',
        'approve',
        'allowDeletes',
        'allowCharges',
        'maxSpend',
      ]),
    )
    .option('--rehearse', 'Carry the plan out once on a copy of the account in this process, made from what was read.')
    .option('--detailed-exitcode', 'Let what the plan says decide the exit code, see below.')
    .formats('markdown', 'github', 'mermaid', 'dot')
    .withReport()
    .addHelpText('after', EXIT_HELP)
    .examples(
      ['hostwright plan', 'what would be done, in order, and why'],
      ['hostwright plan --out plan.json', 'and keep it, for `hostwright apply plan.json`'],
      ['hostwright plan --saved plan.json --verbose', 'a saved plan, with every request'],
      ['hostwright plan --format mermaid', 'the order of the actions as a graph'],
      ['hostwright plan --rehearse', 'and say what the platform would refuse'],
      ['hostwright plan hosting.ts', 'the same for what a program declares'],
      ['hostwright plan --target Site/shop', 'only this site, and what it needs'],
      ['hostwright plan --guards-from origin/main', 'and whether apply will run it under the guards of main'],
      ['hostwright plan --changed-since origin/main', 'only what this branch changes'],
      ['hostwright plan --report markdown=comment.md', 'and a comment for a pull request'],
      ['hostwright plan --report html=plan.html', 'and a page for whoever has no account there'],
    )
    .action((paths: readonly string[], { saved }: PlanFlags, command: CliCommand) => {
      if (saved !== undefined && paths.length > 0) command.error('error: --saved takes no paths');
      return command.execute<PlanFlags>((context, options) => plan(context, options, paths));
    });
}

interface PlanFlags extends PlanOptions, GuardOptions {
  readonly detailedExitcode?: boolean;
  readonly changedSince?: string;
  readonly rehearse?: boolean;
  /** A saved plan. */
  readonly saved?: string;
}

async function plan(context: Context, options: PlanFlags, paths: readonly string[]): Promise<OutcomeWord> {
  if (options.saved !== undefined)
    return (await import('../plan-file/saved.ts')).showSaved(context, options.saved, options);
  const { target: targets, changedSince, detailedExitcode: detailed = false, rehearse: always = false } = options;
  return planAndReport(context, options, {
    heading: 'Plan',
    detailed,
    paths,
    run: async (session) => {
      const { planRehearsed } = await import('../../usecases/rehearse/plan.ts');
      const guards = guardOptions(options);
      return planRehearsed(
        session,
        { paths, targets, guards, ...(changedSince !== undefined && { changedSince }) },
        { openCopy, always },
      );
    },
  });
}

/** What a run that ends with a plan ended with. */
export interface PlanEnd {
  readonly plan?: Plan;
  readonly diagnostics: readonly Diagnostic[];
  readonly outcome: OutcomeWord;
}

/** Makes a plan, writes it where it was asked for, and reports it: for `plan`, and for `drift`. */
export async function planAndReport(
  context: Context,
  options: PlanOptions,
  {
    heading,
    detailed,
    paths,
    run,
    tell,
  }: {
    readonly heading: 'Plan' | 'Drift';
    /** What the plan says counts for the exit code. */
    readonly detailed: boolean;
    readonly paths?: readonly string[];
    readonly run: (session: Session) => Promise<RehearsedPlan>;
    /** Tells others how it ended; what of that failed is told beside the result. */
    readonly tell?: (end: PlanEnd) => Promise<readonly Diagnostic[]>;
  },
): Promise<OutcomeWord> {
  const { out } = options;
  const early = [...checkAccess(context.env), ...(out === undefined ? [] : await checkPlanTarget(context.cwd, out))];
  const what = heading === 'Plan' ? 'plan' : 'drift';
  if (early.length > 0) return reportProblems(context, early, 'error', what);
  await startProgress(context);
  const result = await run(createSession(context, options));
  const stopped = context.stop.aborted;
  // A plan with errors beside it is not the plan that was asked for; a plan that was interrupted is not whole.
  const writes = result.plan !== undefined && out !== undefined && !stopped && !hasErrors(result.diagnostics);
  const unwritten = writes ? await writePlanFile(context, out, result.plan, result.rehearsal) : [];
  const found = [...result.diagnostics, ...unwritten];
  const ended = planOutcome({ ...result, diagnostics: found }, { detailed, stopped });
  const diagnostics =
    tell === undefined ? found : [...found, ...(await tell({ ...result, diagnostics: found, outcome: ended }))];
  // It may have been interrupted while it told.
  const outcome = tell !== undefined && context.stop.aborted ? 'interrupted' : ended;
  if (result.plan === undefined) return reportProblems(context, diagnostics, outcome, what);
  const saved = writes && unwritten.length === 0;
  if (result.partRead !== undefined)
    context.hint(`${result.partRead.code} ${result.partRead.summary}; the notes of the plan say what.`);
  if (isGraph(context)) {
    const { printGraph } = await import('../plan-file/saved.ts');
    await printGraph(context, result.plan, diagnostics);
    return outcome;
  }
  await reportPlan(context, {
    plan: result.plan,
    diagnostics,
    outcome,
    heading,
    flags: options,
    ...(heading === 'Plan' && result.guardCheck !== undefined && { guardCheck: result.guardCheck }),
    ...(result.rehearsal !== undefined && { rehearsal: result.rehearsal }),
    ...(saved && { file: out }),
    ...(paths !== undefined && { paths }),
  });
  return outcome;
}
