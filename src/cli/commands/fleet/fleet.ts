// `fleet`: one command for many accounts, each with its own workspace, ledger and guards, and one report.
import { Argument, Option } from 'commander';
import { engines, version } from '../../../../package.json';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { diagnose, hasErrors } from '../../../model/diagnostic.ts';
import type { FleetReport } from '../../../model/plan/fleet-report.ts';
import type { ApprovedBy } from '../../../model/plan/started-by.ts';
import type { Fleet, FleetAccount, Shard } from '../../../model/plan/fleet.ts';
import { FLEET_FORMAT } from '../../../model/plan/fleet.ts';
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import { EXIT_CODES } from '../../../model/plan/outcome.ts';
import { renderJson } from '../../../report/json/index.ts';
import { endOutputs, fleetOutputs } from '../../../report/view/outputs.ts';
import type { GuardOptions } from '../../../usecases/guards.ts';
import type { FleetOptions } from '../../../usecases/fleet/fleet.ts';
import type { Telling } from '../../../usecases/notify/tell.ts';
import type { Member, Members } from '../../../usecases/fleet/members.ts';
import type { Session } from '../../../usecases/session.ts';
import { escapeText } from '../../../report/view/escape.ts';
import type { CliCommand } from '../../command.ts';
import type { Context } from '../../context.ts';
import { startProgress } from '../../context.ts';
import { openCopy } from '../../../library/copy.ts';
import { diagnosticsOutcome } from '../../exit-code.ts';
import type { ForgeApproval } from '../ci/approval.ts';
import type { ApprovedByOptions } from '../../options.ts';
import { withApprovedBy, withGuardsFrom } from '../../options.ts';
import { collectText, parseCount, parseMoney, parseParallelism, parseShard } from '../../parse.ts';
import { reportForms, reportProblems, sheetOf, textOptions } from '../../report.ts';
import type { RunOptions } from '../../settings.ts';
import { checkAccess, createSession, nothingToAskAbout, reviewedIn } from '../../settings.ts';

const HELP = `
Folders are those of workspaces, or globs of them: 'accounts/*'. Each account has its own ledger, lock and guards; no plan spans accounts, and
what goes wrong in one never stops the others. Its token is HOSTWRIGHT_TOKEN, or the variable that \`credentialEnv\` of its workspace file
names.`;

/** Accounts side by side when nothing else is said. */
const JOBS = 8;

interface FleetFlags extends RunOptions {
  readonly jobs?: number;
  readonly shard?: Shard;
  readonly changedSince?: string;
  readonly all?: boolean;
}

interface UnlockFlags extends FleetFlags {
  readonly run: readonly string[];
  readonly job?: string;
  readonly host?: string;
}

interface ListFlags extends FleetFlags {
  readonly shards?: number;
  readonly expect?: string;
}

interface ApplyFlags extends FleetFlags, Pick<GuardOptions, 'allowDeletes' | 'allowCharges'> {
  readonly expect?: string;
  readonly yes?: boolean;
  readonly resume?: boolean;
  readonly maxAccountsChanged?: number;
  readonly maxSpend?: string;
  readonly canary?: number;
}

type ApplyRun = ApplyFlags & ApprovedByOptions;

export function addFleet(program: CliCommand): void {
  const parent = program.command('fleet').description('Do the same for many accounts, side by side.');
  const run = <Flags extends FleetFlags>(
    name: string,
    description: string,
    make: MakeFleet<Flags>,
    above = parent,
  ): CliCommand =>
    withFolders(above.command(name))
      .description(description)
      .formats('markdown', 'github')
      .withReport()
      .addHelpText('after', HELP)
      .runs((context, flags: Flags, folders: readonly string[]) => runFleet(context, folders, flags, make));

  withGuardsFrom(
    run<FleetFlags & { readonly detailedExitcode?: boolean }>(
      'plan',
      'Show what would change in each account.',
      async (_context, flags, session, members) => {
        const { planFleet } = await import('../../../usecases/fleet/fleet.ts');
        const { jobs = JOBS, detailedExitcode: detailed = false } = flags;
        return planFleet(session, members, { jobs, guards: {}, detailed, openCopy });
      },
    ),
  )
    .option('--detailed-exitcode', 'Let what the plans say decide the exit code, as in `plan`.')
    .examples(
      ["hostwright fleet plan 'accounts/*'", 'every account in the folder'],
      ["hostwright fleet plan 'accounts/*' --shard 3/8 --report json=part-3.json", 'one part of eight, for a job'],
      ["hostwright fleet plan 'accounts/*' --changed-since origin/main", 'accounts that this branch touches'],
    );

  withApprovedBy(withGuardsFrom(run<ApplyRun>('apply', 'Change each account as its manifests say.', applyAll)))
    .addOption(
      new Option(
        '--expect <file>',
        'Change only accounts whose plan is the reviewed one: the JSON or the Markdown of `fleet plan`, or a file with an account and a digest a line.',
      ).conflicts('yes'),
    )
    .option('--yes', 'Run whatever the plans say, without asking.')
    .addOption(
      new Option('--resume', 'Only continue what earlier runs left in flight.').conflicts([
        'expect',
        'canary',
        'maxAccountsChanged',
        'maxSpend',
        'allowDeletes',
        'allowCharges',
      ]),
    )
    .addOption(
      new Option(
        '--max-accounts-changed <n>',
        'Refuse the run when more accounts would change. With --shard it counts those of that part.',
      ).argParser(parseCount),
    )
    .addOption(
      new Option(
        '--max-spend <money>',
        'Refuse the run when all its accounts together may spend more. With --shard it counts those of that part.',
      ).argParser(parseMoney),
    )
    .addOption(
      new Option(
        '--canary <n>',
        'Change so many accounts first; the others follow only when all of these are done.',
      ).argParser(parseParallelism),
    )
    .addOption(new Option('--allow-deletes <n>', 'For each account; beats its workspace file.').argParser(parseCount))
    .addOption(new Option('--allow-charges <n>', 'For each account; beats its workspace file.').argParser(parseCount))
    .examples(
      ["hostwright fleet apply 'accounts/*'", 'plan all, ask, run'],
      ["hostwright fleet apply 'accounts/*' --expect comment.md", 'what a review approved, account by account'],
      ["hostwright fleet apply 'accounts/*' --resume", 'go on with payments and with runs that were killed'],
      ["hostwright fleet apply 'accounts/*' --yes --canary 5 --max-accounts-changed 50", 'five first, fifty at most'],
    );

  run(
    'drift',
    'Show what differs from the manifests in each account.',
    async (_context, flags, session, members, note) => {
      const { driftFleet } = await import('../../../usecases/fleet/fleet.ts');
      return driftFleet(session, members, { jobs: flags.jobs ?? JOBS, note });
    },
  ).examples(["hostwright fleet drift 'accounts/*' --report markdown=drift.md", 'one report, for one issue']);

  run('doctor', 'Check the set-up of each account.', async (context, flags, session, members) => {
    const { doctorFleet } = await import('../../../usecases/fleet/fleet.ts');
    const facts = { version, node: process.version, nodeNeeded: engines.node.replace(/^\D+/, '') };
    const problems = checkAccess(context.env);
    return doctorFleet(session, members, { jobs: flags.jobs ?? JOBS, facts: { ...facts, settings: [], problems } });
  }).examples(["hostwright fleet doctor 'accounts/*'", 'only reads']);

  const ledger = run(
    'ledger',
    'Show what the ledger of each account holds.',
    async (_context, flags, session, members) => {
      const { ledgerFleet } = await import('../../../usecases/fleet/fleet.ts');
      return ledgerFleet(session, members, { jobs: flags.jobs ?? JOBS });
    },
  ).examples(["hostwright fleet ledger 'accounts/*' --all", 'standing, objects, what is in flight']);
  run(
    'init',
    'Begin a ledger that counts as complete for each account that has none.',
    async (_context, flags, session, members) => {
      const { beginLedgers } = await import('../../../usecases/fleet/fleet.ts');
      return beginLedgers(session, members, { jobs: flags.jobs ?? JOBS });
    },
    ledger,
  ).examples(["hostwright fleet ledger init 'accounts/*'", 'once, for accounts that have bought nothing yet']);

  run<UnlockFlags>(
    'unlock',
    'Remove the locks of a run that is no longer there, such as a job whose runner was lost.',
    async (_context, flags, session, members) => {
      const { unlockFleet } = await import('../../../usecases/fleet/fleet.ts');
      const { run: runs, job, host } = flags;
      const locks = { runs, ...(job !== undefined && { job }), ...(host !== undefined && { host }) };
      return unlockFleet(session, members, { jobs: flags.jobs ?? JOBS, locks });
    },
    ledger,
  )
    .addOption(
      new Option('--run <id>', 'The lock of this run (repeatable).').argParser(collectText).default([], 'none'),
    )
    .option('--job <address>', 'The locks of this job of GitHub or GitLab.')
    .option('--host <name>', 'The locks of this machine, container or pod.')
    .hook('preAction', (_this, command) => {
      const { run: runs, job, host } = command.opts<UnlockFlags>();
      if (runs.length === 0 && !job && !host)
        command.error('error: say whose locks: --run ID, --job ADDRESS or --host NAME');
    })
    .examples(
      ["hostwright fleet ledger unlock 'accounts/*' --run 6f1c", 'as `fleet ledger` names it'],
      [
        "hostwright fleet ledger unlock 'accounts/*' --job https://github.com/acme/hosting/actions/runs/4711",
        'once it is certain that its runner is gone',
      ],
    );

  withFolders(parent.command('list'))
    .description('List the accounts, and the shards for a matrix of jobs.')
    .addOption(new Option('--shards <n>', 'Into how many parts they are divided.').argParser(parseParallelism))
    .option('--expect <file>', 'What is approved, as `fleet apply` takes it: see --changed-since.')
    .addHelpText('after', HELP)
    .examples(["hostwright fleet list 'accounts/*' --shards 8 --format json", 'for a matrix of eight jobs, not 500'])
    .runs(list);

  parent
    .command('report')
    .description('Join the JSON of shards to one report, and that of several commands to one on the accounts.')
    .addArgument(
      new Argument(
        '[parts...]',
        'Files that `--report json=FILE` wrote; without any, of a run in which no account was.',
      ),
    )
    .formats('markdown', 'github')
    .withReport()
    .option('--all', 'A row for accounts without anything to tell, too.')
    .addHelpText(
      'after',
      `
Parts of \`fleet plan\` are one plan, to be reviewed. Of parts of other commands, JSON and HTML say how the accounts are: what failed, differs,
waits and ends, and what runs did.`,
    )
    .examples(
      ['hostwright fleet report part-1.json part-2.json --report markdown=comment.md', 'one comment'],
      ['hostwright fleet report drift.json ledger.json --report html=accounts.html', 'a page for operators'],
    )
    .runs(joinParts);
}

function withFolders(command: CliCommand): CliCommand {
  return command
    .addArgument(new Argument('<folders...>', "Folders of workspaces, or globs of them, such as 'accounts/*'."))
    .addOption(new Option('--jobs <n>', `Accounts side by side (default: ${JOBS}).`).argParser(parseParallelism))
    .addOption(
      new Option(
        '--shard <part>',
        'One part of the accounts, such as 3/8. Adding an account does not move the others.',
      ).argParser(parseShard),
    )
    .option(
      '--changed-since <commit>',
      'Only accounts of which a file, or a shared profile, changed since this branch left that commit. With --expect also those that it approves, and none whose approval is used up.',
    )
    .option('--all', 'A row for accounts without anything to tell, too.');
}

async function findScope(
  context: Context,
  session: Session,
  folders: readonly string[],
  { shard, changedSince, expect }: FleetFlags & { readonly expect?: string },
): Promise<Members> {
  if (context.options.account)
    return {
      members: [],
      diagnostics: [
        diagnose(
          'HW6907',
          '--account, or HOSTWRIGHT_ACCOUNT, names one account for all workspaces. Leave it out. Nothing was sent.',
        ),
      ],
      notices: [],
      leaving: [],
    };
  const expected =
    changedSince === undefined || expect === undefined
      ? undefined
      : await (await import('./expected.ts')).readExpected(context.cwd, expect);
  if (expected !== undefined && 'diagnostic' in expected)
    return { members: [], diagnostics: [expected.diagnostic], notices: [], leaving: [] };
  const { findMembers } = await import('../../../usecases/fleet/members.ts');
  return findMembers(session, {
    folders,
    ...(shard !== undefined && { shard }),
    ...(changedSince !== undefined && { changedSince }),
    ...(expected !== undefined && { approved: new Set(expected.digests.keys()), done: expected.done }),
  });
}

type Note = NonNullable<FleetOptions['note']>;
type MakeFleet<Flags> = (
  context: Context,
  flags: Flags,
  session: Session,
  members: readonly Member[],
  note: Note,
) => Promise<Fleet>;

async function runFleet<Flags extends FleetFlags>(
  context: Context,
  folders: readonly string[],
  flags: Flags,
  make: MakeFleet<Flags>,
): Promise<OutcomeWord> {
  const session = createSession(context, flags);
  const scope = await findScope(context, session, folders, flags);
  const early = [...checkAccess(context.env), ...scope.diagnostics];
  if (hasErrors(early)) return reportProblems(context, early);
  await startProgress(context);
  const tellings: Telling[] = [];
  const made = await make(context, flags, session, scope.members, async (own, end) => {
    const { prepareTelling } = await import('../../../usecases/notify/tell.ts');
    tellings.push(...(await prepareTelling(own, end)));
  });
  const told = tellings.length === 0 ? [] : await tellAll(session, tellings);
  const fleet = { ...made, diagnostics: [...made.diagnostics, ...scope.notices, ...told] };
  const { shard } = flags;
  return reportFleet(
    context,
    shard === undefined ? fleet : { ...fleet, shards: [`${shard.index}/${shard.of}`] },
    flags,
  );
}

/** Several accounts that are told at one address are in one message. */
async function tellAll(session: Session, tellings: readonly Telling[]): Promise<readonly Diagnostic[]> {
  const { sendTellings } = await import('../../../usecases/notify/tell.ts');
  const { renderMessages } = await import('../../../report/view/messages.ts');
  return sendTellings(session, tellings, renderMessages);
}

async function applyAll(
  context: Context,
  flags: ApplyRun,
  session: Session,
  members: readonly Member[],
  note: Note,
): Promise<Fleet> {
  const { jobs = JOBS, expect, yes = false, allowDeletes, allowCharges } = flags;
  const { applyFleet, resumeFleet } = await import('../../../usecases/fleet/fleet.ts');
  if (flags.resume === true) return resumeFleet(session, members, { jobs, note });
  const expected =
    expect === undefined ? undefined : await (await import('./expected.ts')).readExpected(context.cwd, expect);
  const ended = (diagnostic: Diagnostic): Fleet => ({
    format: FLEET_FORMAT,
    command: 'apply',
    outcome: 'error',
    exitCode: EXIT_CODES.error,
    diagnostics: [diagnostic],
    accounts: [],
  });
  if (expected !== undefined && 'diagnostic' in expected) return ended(expected.diagnostic);
  if (flags.approvedBy !== undefined && expected === undefined) return ended(nothingToAskAbout());
  if (!yes && expected === undefined && !context.canAsk)
    return ended(
      diagnose(
        'HW6908',
        'There is no terminal to ask at. Give --expect FILE with what was reviewed, or --yes. Nothing was sent.',
      ),
    );
  return applyFleet(reviewedIn(session, expected?.pulls ?? []), members, {
    jobs,
    note,
    guards: {
      ...(allowDeletes !== undefined && { allowDeletes }),
      ...(allowCharges !== undefined && { allowCharges }),
    },
    parallelism: context.options.parallelism,
    ...(expected !== undefined && { expected: expected.digests }),
    ...(flags.maxAccountsChanged !== undefined && { maxAccountsChanged: flags.maxAccountsChanged }),
    ...(flags.maxSpend !== undefined && { maxSpend: flags.maxSpend }),
    ...(flags.canary !== undefined && { canary: flags.canary }),
    confirm: async (work, planned, mustAsk) => {
      const consented = yes || expected !== undefined;
      const asks = !consented || (context.canAsk && flags.approvedBy === undefined && (await mustAsk()));
      return asks ? confirm(context, work, planned) : true;
    },
    byHand: context.byHand,
    ...(flags.approvedBy !== undefined && { askForge: forgeAsker(context, flags) }),
  });
}

async function confirm(
  context: Context,
  work: readonly FleetAccount[],
  accounts: readonly FleetAccount[],
): Promise<boolean | 'asked'> {
  context.progress.pause();
  const { renderFleet } = await import('../../../report/text/fleet.ts');
  const { askPerson } = await import('../../prompt.ts');
  if (context.agent === undefined)
    context.output.error(
      renderFleet(
        { format: FLEET_FORMAT, command: 'plan', outcome: 'differences', exitCode: 2, diagnostics: [], accounts },
        sheetOf(context, 'stderr'),
      ),
    );
  const question = `\nChange ${work.length === 1 ? escapeText(work[0]?.account ?? '') : `these ${work.length} accounts`}?`;
  return (await askPerson(context, { question }, 'Only `yes` is taken:')) && 'asked';
}

/** Asked once for all accounts, and only where one needs it. */
function forgeAsker(
  context: Context,
  options: ApprovedByOptions,
): (account: string, digest: string) => Promise<ApprovedBy | string> {
  let asked: Promise<ForgeApproval> | undefined;
  return async (account, digest) => {
    const { approvalOf } = await import('../ci/approval.ts');
    const approval = await (asked ??= approvalOf(context, options));
    if (typeof approval === 'string') return approval;
    const found = approval.accounts.filter((one) => one.account === account && one.digest === digest && !one.isDone);
    if (found.length === 0) return approval.refuse([`the plan of ${account}`]);
    return { via: options.approvedBy ?? 'github', pulls: found.map(({ pull }) => pull) };
  };
}

async function list(context: Context, flags: ListFlags, folders: readonly string[]): Promise<OutcomeWord> {
  const { members, leaving, notices, diagnostics } = await findScope(
    context,
    createSession(context, flags),
    folders,
    flags,
  );
  const outcome = diagnosticsOutcome(diagnostics, context.stop.aborted);
  if (hasErrors(diagnostics)) return reportProblems(context, diagnostics, outcome);
  const { shardOf } = await import('../../../usecases/fleet/members.ts');
  const { shards } = flags;
  const accounts = members.map(({ account, folder }) => ({
    account,
    workspace: folder,
    ...(shards !== undefined && { shard: `${shardOf(account, shards)}/${shards}` }),
  }));
  // The part of an account that leaves says so, also where it has no other account.
  const parts = [...accounts, ...leaving].flatMap(({ account }) =>
    shards === undefined ? [] : [`${shardOf(account, shards)}/${shards}`],
  );
  const inUse = [...new Set(parts)].sort((left, right) => Number.parseInt(left, 10) - Number.parseInt(right, 10));
  if (context.json) {
    const value = { format: 'hostwright.fleet-list/1', outcome, exitCode: EXIT_CODES[outcome], accounts };
    // A matrix of GitHub takes `shard` as it is. It must not be empty: a job of no account is skipped by its `if`.
    context.output.result(renderJson({ ...value, ...(shards !== undefined && { matrix: { shard: inUse } }) }));
    return outcome;
  }
  if (notices.length > 0) {
    const { renderDiagnostics } = await import('../../../report/text/diagnostics.ts');
    context.output.error(renderDiagnostics(notices, sheetOf(context, 'stderr')));
  }
  const { renderTable } = await import('../../../report/text/table.ts');
  context.output.result(
    renderTable(
      ['ACCOUNT', 'WORKSPACE', ...(shards === undefined ? [] : ['SHARD'])],
      accounts.map(({ account, workspace, shard }) => [account, workspace, ...(shards === undefined ? [] : [shard])]),
      { color: context.color.stdout },
    ),
  );
  return outcome;
}

/** Parts of one plan are joined to that plan, which a review approves. Of anything else it is how the accounts are. */
async function joinParts(context: Context, flags: FleetFlags, files: readonly string[]): Promise<OutcomeWord> {
  const { readRuns } = await import('../../fleet-parts.ts');
  const read = await readRuns(context.cwd, files);
  if ('diagnostic' in read) return reportProblems(context, [read.diagnostic]);
  const { parts } = read;
  const { joinFleets } = await import('../../../usecases/fleet/fleet.ts');
  const commands = new Set(parts.map(({ command }) => command));
  if (parts.length === 0 || (commands.size === 1 && commands.has('plan')))
    return reportFleet(context, joinFleets(parts), flags);
  const { fleetReport } = await import('../../../usecases/fleet/report.ts');
  const report = fleetReport(parts, context.clock.now());
  return commands.size === 1 ? reportFleet(context, joinFleets(parts), flags, report) : reportAccounts(context, report);
}

async function reportAccounts(context: Context, report: FleetReport): Promise<OutcomeWord> {
  const { outcome, accounts } = report;
  const { accountsReport } = await import('../../../report/blocks/accounts.ts');
  await reportForms(context, {
    json: () => renderJson(report),
    outputs: () => ({ ...endOutputs(outcome), accounts: accounts.length }),
    report: () => Promise.resolve(accountsReport(report)),
    text: async () => {
      const { writeText } = await import('../../../report/text/write.ts');
      return { text: writeText(accountsReport(report).blocks, textOptions(context)), hints: [] };
    },
    diagnostics: [],
  });
  return outcome;
}

/** `accounts`: what stands in the place of the run where a program, or somebody with a page, looks at its accounts. */
async function reportFleet(
  context: Context,
  fleet: Fleet,
  { all }: FleetFlags,
  accounts?: FleetReport,
): Promise<OutcomeWord> {
  const sumOf = (verb: 'create' | 'update' | 'delete'): number =>
    fleet.accounts.reduce((sum, { summary }) => sum + (summary?.[verb] ?? 0), 0);
  await reportForms(context, {
    json: async () =>
      accounts === undefined
        ? (await import('../../../report/json/fleet.ts')).renderFleetJson(fleet)
        : renderJson(accounts),
    outputs: () => fleetOutputs(fleet),
    report: async (form) => {
      const isPage = form === 'html';
      if (isPage && accounts !== undefined)
        return (await import('../../../report/blocks/accounts.ts')).accountsReport(accounts);
      return (await import('../../../report/blocks/fleet.ts')).fleetReport(fleet, { few: isPage ? 3 : 0 });
    },
    notes: async () => {
      const { diagnosticNotes, fleetNotes } = await import('../../../report/annotations/notes.ts');
      return [...diagnosticNotes(fleet.diagnostics), ...fleetNotes(fleet.accounts)];
    },
    isOfMany: true,
    ...(['plan', 'drift'].includes(fleet.command) && {
      counts: () => ({ create: sumOf('create'), update: sumOf('update'), delete: sumOf('delete') }),
    }),
    text: async () => {
      const { renderFleet } = await import('../../../report/text/fleet.ts');
      const sheet = { ...sheetOf(context, 'stdout'), ...(all === true && { all }) };
      return { text: renderFleet(fleet, sheet), hints: [] };
    },
    diagnostics: fleet.diagnostics,
  });
  return fleet.outcome;
}
