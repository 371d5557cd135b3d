// `drift`: a plan whose differences decide the exit code, told by which side changed; whom `--notify` did not reach is
// said, and changes nothing. `drift --accept` writes what is live of some objects into their manifests.
import { Option } from 'commander';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import type { CliCommand } from '../command.ts';
import type { Context, GlobalOptions } from '../context.ts';
import { startProgress } from '../context.ts';
import { diagnosticsOutcome } from '../exit-code.ts';
import { pathsArgument, withPlanText, withTarget } from '../options.ts';
import { collectIgnore, collectTarget, collectText } from '../parse.ts';
import { reportEdits, reportProblems } from '../report.ts';
import type { RunOptions } from '../settings.ts';
import { checkAccess, createSession } from '../settings.ts';
import type { PlanEnd, PlanOptions } from './plan.ts';
import { planAndReport } from './plan.ts';

const EXIT_HELP = `
Exit code: 1 when something could not be read and compared, else 3 when something declared cannot be reached (blocked, waiting, in flight,
by hand, deferred), else 2 when anything differs, declared or observed, else 0. What is only unmanaged, or ignored, does not count. Whether a
notification arrived changes nothing: that it did not is a warning.`;

export interface DriftOptions extends PlanOptions {
  readonly ignore: readonly string[];
  readonly notify: readonly string[];
}

interface AcceptOptions extends RunOptions {
  readonly accept: readonly string[];
  readonly dryRun?: boolean;
}

export function addDrift(program: CliCommand): void {
  withTarget(withPlanText(program.command('drift')))
    .addOption(
      new Option(
        '--ignore <address>',
        'Leave this out of the run and its exit code: an object with what is in it, or a field of it as Site/shop/Caching#/smartCache; wildcards as in Site/*/Caching (repeatable).',
      )
        .argParser(collectIgnore)
        .default([], 'nothing'),
    )
    .addOption(
      new Option(
        '--notify <url>',
        'Send the result there when the exit code is not 0: JSON, signed as Standard Webhooks say with HOSTWRIGHT_NOTIFY_SECRET, sent again for up to a minute (repeatable). Only its host is ever shown.',
      )
        .env('HOSTWRIGHT_NOTIFY')
        .argParser(collectText)
        .default([], 'nobody'),
    )
    .description('Show what differs from the manifests, which side changed, and since when.')
    .addArgument(pathsArgument())
    .addOption(
      new Option(
        '--accept <address>',
        'Write what is live of this object, and of what has drifted in it, into its manifest instead, or into the observed one where none declares it; wildcards as in Site/*/Caching (repeatable).',
      )
        .argParser(collectTarget)
        .default([], 'nothing'),
    )
    .option('--dry-run', 'With --accept: show what would be written, and write nothing.')
    .formats('markdown', 'github')
    .withReport()
    .addHelpText('after', EXIT_HELP)
    .examples(
      ['hostwright drift', 'exit code 2 when something differs'],
      ['hostwright drift --format json > drift.json', 'for a program'],
      ['hostwright drift --ignore Site/*/Caching', 'but for this'],
      ['hostwright drift --accept Site/shop/Caching', 'take over what is live, into its manifest'],
      ['hostwright drift --accept Site/*', 'the same for all that has drifted in sites'],
    )
    .action((paths: string[], _options, command: CliCommand) =>
      isAccepting(command)
        ? command.execute<AcceptOptions>((context, options) => accept(context, paths, options))
        : command.execute<DriftOptions>((context, options) => drift(context, paths, options)),
    );
}

/** True when drift is to be accepted instead of shown; what does not go with that ends the command. */
function isAccepting(command: CliCommand): boolean {
  const { accept, dryRun, target, format } = command.optsWithGlobals<GlobalOptions & AcceptOptions & DriftOptions>();
  if (accept.length === 0) {
    if (dryRun === true) command.error('error: --dry-run goes with --accept only; drift writes nothing by itself');
    return false;
  }
  for (const option of ['ignore', 'notify'])
    if (command.getOptionValueSource(option) === 'cli')
      command.error(`error: --${option} does not go with --accept, which shows no drift`);
  if (target.length > 0) command.error('error: --accept names its objects itself, so --target does not go with it');
  if (format === 'markdown' || format === 'github')
    command.error(`error: --format ${format} does not go with --accept; it takes human or json`);
  return true;
}

async function accept(context: Context, paths: readonly string[], options: AcceptOptions): Promise<OutcomeWord> {
  const early = checkAccess(context.env);
  if (early.length > 0) return reportProblems(context, early, 'error', 'drift');
  await startProgress(context);
  const { acceptLive } = await import('../../usecases/write/accept.ts');
  const result = await acceptLive(createSession(context, options), {
    paths,
    addresses: options.accept,
    dryRun: options.dryRun === true,
  });
  return reportEdits(context, result, diagnosticsOutcome(result.diagnostics, context.stop.aborted));
}

export async function drift(context: Context, paths: readonly string[], options: DriftOptions): Promise<OutcomeWord> {
  const { driftWorkspace } = await import('../../usecases/drift.ts');
  const { checkNotify, sendNotifications } = await import('../../usecases/notify/addresses.ts');
  const { tellRun } = await import('../../usecases/notify/tell.ts');
  const { renderMessages } = await import('../../report/view/messages.ts');
  // A variable that is set to nothing is not set: so it is in CI where a secret is not there.
  const isUnset = context.env.HOSTWRIGHT_NOTIFY === '' && options.notify.every((address) => address === '');
  const notify = { addresses: isUnset ? [] : options.notify, secret: context.env.HOSTWRIGHT_NOTIFY_SECRET?.trim() };
  const wrong = checkNotify(notify);
  if (wrong.length > 0) return reportProblems(context, wrong, 'error', 'drift');
  const tellOfRun = async (end: PlanEnd) => {
    // Nothing to say, or a run that saw only a part.
    if (notify.addresses.length === 0 || end.outcome === 'done' || end.outcome === 'interrupted') return [];
    const { renderNotification } = await import('../../report/view/notification.ts');
    return sendNotifications(createSession(context), notify, renderNotification({ ...end, atMs: context.clock.now() }));
  };
  return planAndReport(context, options, {
    heading: 'Drift',
    detailed: true,
    run: (session) => driftWorkspace(session, { paths, targets: options.target, ignore: options.ignore }),
    tell: async (end) => [
      ...(await tellOfRun(end)),
      ...(await tellRun(createSession(context, options), end, renderMessages)),
    ],
  });
}
