// `apply`: asks before it runs, and reports afterwards. The use case decides what may run; silence is never consent.
import { diagnose } from '../../model/diagnostic.ts';
import { Argument } from 'commander';
import type { Address } from '../../model/address.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { exceptionsOf } from '../../model/plan/rehearsal.ts';
import type { ApprovedBy } from '../../model/plan/started-by.ts';
import { escapeText } from '../../report/view/escape.ts';
import type { GuardOptions } from '../../usecases/guards.ts';
import { guardOptions } from '../../library/session.ts';
import type { CliCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { startProgress } from '../context.ts';
import type { ApprovedByOptions } from '../options.ts';
import { withApprovedBy, withChangedSince, withGuards, withPlanText, withTarget } from '../options.ts';
import { readPlanFile } from '../plan-file/plan-file.ts';
import type { PlanTextFlags } from '../report.ts';
import { planText, reportOutcome, reportProblems, shownTo } from '../report.ts';
import type { RunOptions } from '../settings.ts';
import { checkAccess, createSession, nothingToAskAbout, reviewedIn } from '../settings.ts';

const HELP = `
The first argument is a saved plan when it ends in .json and holds one: then exactly its actions run, or nothing. Without a saved plan,
--expect, --resume, --approve or --yes the plan is shown and asked about once, on a terminal only.`;

interface ApplyOptions extends RunOptions, PlanTextFlags, GuardOptions, ApprovedByOptions {
  readonly expect?: string;
  readonly yes?: boolean;
  readonly resume?: boolean;
  readonly target: readonly string[];
  readonly changedSince?: string;
}

export function addApply(program: CliCommand): void {
  withApprovedBy(
    withGuards(withChangedSince(withTarget(withPlanText(program.command('apply')))), ['yes', 'expect', 'resume']),
  )
    .description('Change the account as the manifests say, and wait until it shows.')
    .addArgument(
      new Argument(
        '[plan-or-paths...]',
        'A saved plan, or files, folders or - for standard input; else what the workspace names.',
      ),
    )
    .option(
      '--expect <file-or-digests>',
      'Run reviewed actions only: a plan, a file with a digest per line, or digests separated by commas.',
    )
    .option('--yes', 'Run whatever the plan says, without asking.')
    .option('--resume', 'Only continue what an earlier run left in flight.')
    .formats('markdown', 'github')
    .withReport()
    .addHelpText('after', HELP)
    .examples(
      ['hostwright apply', 'plan, ask, run'],
      ['hostwright apply plan.json', 'plan again, and run what this plan says, or nothing'],
      ['hostwright apply --expect comment.md', 'what a review approved, and nothing else'],
      ['hostwright apply --changed-since origin/main', 'only what this branch changes'],
      ['hostwright apply --approve create,update', 'unreviewed, unless there is more to it than that'],
      ['hostwright apply --yes --allow-charges 1 --max-spend 15.00EUR', 'buy one thing, at this price at most'],
      ['hostwright apply --resume', 'go on with what an earlier run left in flight'],
    )
    .runs(apply);
}

async function apply(context: Context, options: ApplyOptions, positionals: readonly string[]): Promise<OutcomeWord> {
  const [first] = positionals;
  const file = first?.endsWith('.json') === true ? await readPlanFile(context.cwd, first) : undefined;
  const approved =
    options.expect === undefined
      ? undefined
      : await (await import('../plan-file/approved.ts')).readApproved(context.cwd, options.expect);
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
    ...checkAccess(context.env),
    ...(file?.is === 'broken' ? [file.diagnostic] : []),
    ...(approved !== undefined && 'diagnostic' in approved ? [approved.diagnostic] : []),
    ...(options.approvedBy !== undefined && options.expect === undefined ? [nothingToAskAbout()] : []),
    ...(saved !== undefined && options.approve !== undefined ? [reviewedAlready()] : []),
    ...(saved !== undefined && options.target.length > 0 ? [takenWhole('--target')] : []),
    ...(saved !== undefined && options.changedSince !== undefined ? [takenWhole('--changed-since')] : []),
    // A file that is missing is what is wrong, not that no terminal is there.
    ...(consented || file?.is === 'broken' || (context.canAsk && (context.agent !== undefined || !paths.includes('-')))
      ? []
      : [cannotAsk()]),
  ];
  if (problems.length > 0) return reportProblems(context, problems, 'error', 'apply');

  let planned: Plan | undefined;

  await startProgress(context);
  const { applyWorkspace } = await import('../../usecases/apply/apply.ts');
  const pulls = approved !== undefined && 'digests' in approved ? (approved.pulls ?? []) : [];
  const session = reviewedIn(createSession(context, options), pulls);
  const { outcome: ended, plan } = await applyWorkspace(session, {
    paths,
    ...(saved !== undefined && { plan: saved }),
    ...(file?.is === 'plan' && file.rehearsal !== undefined && { rehearsedExcept: exceptionsOf(file.rehearsal) }),
    ...(approved !== undefined &&
      'digests' in approved && {
        approved: approved.digests,
        ...(approved.account !== undefined && { approvedFor: approved.account }),
        ...(approved.subjects !== undefined && { reviewed: approved.subjects }),
        ...(approved.rehearsedExcept !== undefined && { rehearsedExcept: approved.rehearsedExcept }),
      }),
    targets: options.target,
    ...(options.changedSince !== undefined && { changedSince: options.changedSince }),
    ...guardOptions(options),
    parallelism: context.options.parallelism,
    resumeOnly: options.resume === true,
    confirm: (plan, { mustAsk }) => {
      planned = plan;
      return confirm(context, plan, { consented: consented && !(mustAsk && context.canAsk), mustAsk, flags: options });
    },
    byHand: context.byHand,
    ...(options.approvedBy !== undefined && { askForge: (outside) => askForge(context, options, outside) }),
  });
  const { tellRun } = await import('../../usecases/notify/tell.ts');
  const { renderMessages } = await import('../../report/view/messages.ts');
  const told = await tellRun(session, { ...ended, result: ended, ...(plan !== undefined && { plan }) }, renderMessages);
  const outcome = { ...ended, diagnostics: [...ended.diagnostics, ...told] };
  await reportOutcome(context, outcome, planned, {
    pulls,
    ...(saved !== undefined && first !== undefined && { saved: first }),
  });
  return outcome.outcome;
}

/**
 * Shows what is about to run; the plan is a result too, except beside JSON and Markdown, where it is for the person at
 * the terminal only.
 */
async function confirm(
  context: Context,
  plan: Plan,
  {
    consented,
    mustAsk,
    flags,
  }: { readonly consented: boolean; readonly mustAsk: boolean; readonly flags: PlanTextFlags },
): Promise<boolean | 'asked'> {
  context.progress.pause();
  const isAsked = !consented && (plan.actions.length > 0 || mustAsk);
  if (isAsked && context.agent !== undefined) return askAbout(context, plan);
  const { format } = context.options;
  const whole = format === 'json' || format === 'markdown';
  const shown = whole ? plan : await shownTo(context, plan, flags);
  const text = await planText(context, shown, flags, whole ? { color: context.color.stderr } : {});
  if (!whole) context.output.result(`${text}\n`);
  else if (!consented) context.output.error(`${text}\n`);
  if (!isAsked) return true;
  await context.output.flush();
  return askAbout(context, plan);
}

async function askAbout(context: Context, { account, planId, digest, actions }: Plan): Promise<false | 'asked'> {
  const { countActions, riskSummary } = await import('../../report/view/document.ts');
  const { headLines } = await import('../../report/view/head-lines.ts');
  const { askPerson } = await import('../prompt.ts');
  // Numbers of actions are for whoever has the plan before them.
  const risks = context.agent === undefined ? riskSummary(actions) : '';
  const question = `Run this on account ${escapeText(account, 100)}: ${countActions(actions)}?${risks === '' ? '' : ` ${risks}.`}`;
  const dangerous = headLines(actions).map(({ text, names }) => [text, ...names].join(' '));
  return (
    (await askPerson(context, { question, dangerous, plan: { account, planId, digest } }, 'Only `yes` runs it:')) &&
    'asked'
  );
}

/** Asks GitHub or GitLab whether reviews approve every action. Returns the approval, or why there is none. */
export async function askForge(
  context: Context,
  options: ApprovedByOptions,
  outside: (digests: readonly string[]) => readonly Address[],
): Promise<ApprovedBy | string> {
  const { approvalOf } = await import('./ci/approval.ts');
  const approval = await approvalOf(context, options);
  if (typeof approval === 'string') return approval;
  const left = outside(approval.digests);
  return left.length === 0 ? { via: options.approvedBy ?? 'github', pulls: approval.pulls } : approval.refuse(left);
}

function reviewedAlready() {
  return diagnose(
    'HW6512',
    'A saved plan is what was reviewed, so nothing else of a fresh plan runs. Leave --approve out, or leave the plan out. Nothing was sent.',
  );
}

function takenWhole(option: string) {
  return diagnose(
    'HW6513',
    `A saved plan is applied whole: leave ${option} out, or make the plan with ${option}. Nothing was sent.`,
  );
}

function cannotAsk() {
  return diagnose(
    'HW6508',
    'Apply asks before it changes anything. Give a reviewed plan (`hostwright apply plan.json`, or `--expect`), name what may run unreviewed (`--approve create,update`), or say --yes to run whatever the plan says. Nothing was sent.',
  );
}
