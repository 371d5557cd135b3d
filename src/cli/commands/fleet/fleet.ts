// `fleet`: one command for many accounts, each with its own workspace, ledger and guards, and one report.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Argument, Option } from 'commander';
import { engines, version } from '../../../../package.json';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { asShared, hasErrors } from '../../../model/diagnostic.ts';
import type { Fleet, FleetAccount, Shard } from '../../../model/plan/fleet.ts';
import { FLEET_FORMAT } from '../../../model/plan/fleet.ts';
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import { EXIT_CODES } from '../../../model/plan/outcome.ts';
import { renderFleetJson, renderJson } from '../../../report/json/index.ts';
import type { Limit } from '../../../report/markdown/index.ts';
import { fleetOutputs } from '../../../report/view/outputs.ts';
import type { GuardOptions } from '../../../workflow/guards.ts';
import type { Member } from '../../../workflow/fleet/members.ts';
import type { Session } from '../../../workflow/session.ts';
import { escapeText } from '../../../report/view/escape.ts';
import type { CliCommand, Execute } from '../../command.ts';
import type { Context } from '../../context.ts';
import { startProgress } from '../../context.ts';
import { diagnosticsOutcome } from '../../exit-code.ts';
import { withGuardsFrom, withLockTimeout, withRequests } from '../../options.ts';
import { parseCount, parseDuration, parseMoney, parseParallelism, parseShard } from '../../parse.ts';
import { reportProblems } from '../../report.ts';
import { writeReports } from '../../report-files.ts';
import type { RunOptions } from '../../settings.ts';
import { checkAccess, createSession, PARALLELISM, problem } from '../../settings.ts';

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

interface ApplyFlags extends FleetFlags, Pick<GuardOptions, 'allowDeletes' | 'allowCharges'> {
  readonly expect?: string;
  readonly yes?: boolean;
  readonly resume?: boolean;
  readonly maxAccountsChanged?: number;
  readonly maxSpend?: string;
  readonly canary?: number;
}

export function addFleet(program: CliCommand, execute: Execute): void {
  const parent = program.command('fleet').description('Do the same for many accounts, side by side.');
  const run = <Flags extends FleetFlags>(
    name: string,
    description: string,
    make: (context: Context, flags: Flags, session: Session, members: readonly Member[]) => Promise<Fleet>,
    above = parent,
  ): CliCommand =>
    withFolders(above.command(name))
      .description(description)
      .formats('markdown', 'github')
      .withReport()
      .addHelpText('after', HELP)
      .action((folders: string[], _options, command: CliCommand) =>
        execute<Flags>(command, (context, flags) => runFleet(context, folders, flags, make)),
      );

  withGuardsFrom(
    run<FleetFlags & { readonly detailedExitcode?: boolean }>(
      'plan',
      'Show what would change in each account.',
      async (_context, flags, session, members) => {
        const { planFleet } = await import('../../../workflow/fleet/fleet.ts');
        const { jobs = JOBS, detailedExitcode: detailed = false } = flags;
        return planFleet(session, members, { jobs, guards: {}, detailed });
      },
    ),
  )
    .option('--detailed-exitcode', 'Let what the plans say decide the exit code, as in `plan`.')
    .examples(
      ["hostwright fleet plan 'accounts/*'", 'every account in the folder'],
      ["hostwright fleet plan 'accounts/*' --shard 3/8 --report json=part-3.json", 'one part of eight, for a job'],
      ["hostwright fleet plan 'accounts/*' --changed-since origin/main", 'accounts that this branch touches'],
    );

  withGuardsFrom(withLockTimeout(run<ApplyFlags>('apply', 'Change each account as its manifests say.', applyAll)))
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
    .addOption(
      new Option('--deadline <duration>', 'Be over by then: 20m (default: no deadline).')
        .env('HOSTWRIGHT_DEADLINE')
        .argParser(parseDuration),
    )
    .examples(
      ["hostwright fleet apply 'accounts/*'", 'plan all, ask, run'],
      ["hostwright fleet apply 'accounts/*' --expect comment.md", 'what a review approved, account by account'],
      ["hostwright fleet apply 'accounts/*' --resume", 'go on with payments and with runs that were killed'],
      ["hostwright fleet apply 'accounts/*' --yes --canary 5 --max-accounts-changed 50", 'five first, fifty at most'],
    );

  run('drift', 'Show what differs from the manifests in each account.', async (_context, flags, session, members) => {
    const { driftFleet } = await import('../../../workflow/fleet/fleet.ts');
    return driftFleet(session, members, { jobs: flags.jobs ?? JOBS });
  }).examples(["hostwright fleet drift 'accounts/*' --report markdown=drift.md", 'one report, for one issue']);

  run('doctor', 'Check the set-up of each account.', async (context, flags, session, members) => {
    const { doctorFleet } = await import('../../../workflow/fleet/fleet.ts');
    const facts = { version, node: process.version, nodeNeeded: engines.node.replace(/^\D+/, '') };
    const problems = checkAccess(context.env);
    return doctorFleet(session, members, { jobs: flags.jobs ?? JOBS, facts: { ...facts, settings: [], problems } });
  }).examples(["hostwright fleet doctor 'accounts/*'", 'only reads']);

  const ledger = run(
    'ledger',
    'Show what the ledger of each account holds.',
    async (_context, flags, session, members) => {
      const { ledgerFleet } = await import('../../../workflow/fleet/fleet.ts');
      return ledgerFleet(session, members, { jobs: flags.jobs ?? JOBS });
    },
  ).examples(["hostwright fleet ledger 'accounts/*' --all", 'standing, objects, what is in flight']);
  withLockTimeout(
    run(
      'init',
      'Begin a ledger that counts as complete for each account that has none.',
      async (_context, flags, session, members) => {
        const { beginLedgers } = await import('../../../workflow/fleet/fleet.ts');
        return beginLedgers(session, members, { jobs: flags.jobs ?? JOBS });
      },
      ledger,
    ),
  ).examples(["hostwright fleet ledger init 'accounts/*'", 'once, for accounts that have bought nothing yet']);

  withFolders(parent.command('list'))
    .description('List the accounts, and the shards for a matrix of jobs.')
    .addOption(new Option('--shards <n>', 'Into how many parts they are divided.').argParser(parseParallelism))
    .addHelpText('after', HELP)
    .examples(["hostwright fleet list 'accounts/*' --shards 8 --format json", 'for a matrix of eight jobs, not 500'])
    .action((folders: string[], _options, command: CliCommand) =>
      execute<FleetFlags & { readonly shards?: number }>(command, (context, flags) => list(context, folders, flags)),
    );

  parent
    .command('report')
    .description('Join the JSON of shards to one report.')
    .addArgument(new Argument('<parts...>', 'Files that `--report json=FILE` wrote.'))
    .formats('markdown', 'github')
    .withReport()
    .option('--all', 'A row for accounts without anything to tell, too.')
    .examples(['hostwright fleet report part-1.json part-2.json --report markdown=comment.md', 'one comment'])
    .action((files: string[], _options, command: CliCommand) =>
      execute<FleetFlags>(command, (context, flags) => joinParts(context, files, flags)),
    );
}

function withFolders(command: CliCommand): CliCommand {
  return withRequests(
    command
      .addArgument(new Argument('<folders...>', "Folders of workspaces, or globs of them, such as 'accounts/*'."))
      .addOption(new Option('--jobs <n>', `Accounts side by side (default: ${JOBS}).`).argParser(parseParallelism))
      .addOption(
        new Option('--shard <part>', 'One part of the accounts, such as 3/8. A new account moves no other.').argParser(
          parseShard,
        ),
      )
      .option(
        '--changed-since <commit>',
        'Only accounts of which a file, or a shared profile, changed since this branch left that commit.',
      )
      .option('--all', 'A row for accounts without anything to tell, too.'),
    'Requests in flight at most, of all accounts together (default: 16).',
  );
}

async function findScope(
  context: Context,
  session: Session,
  folders: readonly string[],
  { shard, changedSince }: FleetFlags,
): Promise<{ readonly members: readonly Member[]; readonly diagnostics: readonly Diagnostic[] }> {
  if (context.options.account)
    return {
      members: [],
      diagnostics: [
        problem(
          'HW6907',
          'A fleet has many accounts',
          '--account, or HOSTWRIGHT_ACCOUNT, names one account for all workspaces. Leave it out. Nothing was sent.',
        ),
      ],
    };
  const { findMembers } = await import('../../../workflow/fleet/members.ts');
  return findMembers(session, {
    folders,
    ...(shard !== undefined && { shard }),
    ...(changedSince !== undefined && { changedSince }),
  });
}

async function runFleet<Flags extends FleetFlags>(
  context: Context,
  folders: readonly string[],
  flags: Flags,
  make: (context: Context, flags: Flags, session: Session, members: readonly Member[]) => Promise<Fleet>,
): Promise<OutcomeWord> {
  const session = createSession(context, flags);
  const scope = await findScope(context, session, folders, flags);
  const early = [...checkAccess(context.env), ...scope.diagnostics];
  if (hasErrors(early)) return reportProblems(context, early);
  await startProgress(context);
  const fleet = await make(context, flags, session, scope.members);
  const { shard } = flags;
  return reportFleet(
    context,
    shard === undefined ? fleet : { ...fleet, shards: [`${shard.index}/${shard.of}`] },
    flags,
  );
}

async function applyAll(
  context: Context,
  flags: ApplyFlags,
  session: Session,
  members: readonly Member[],
): Promise<Fleet> {
  const { jobs = JOBS, expect, yes = false, allowDeletes, allowCharges } = flags;
  const { applyFleet, resumeFleet } = await import('../../../workflow/fleet/fleet.ts');
  if (flags.resume === true)
    return resumeFleet(session, members, { jobs, parallelism: flags.parallelism ?? PARALLELISM });
  const expected = expect === undefined ? undefined : await readExpected(context.cwd, expect);
  const ended = (diagnostic: Diagnostic): Fleet => ({
    format: FLEET_FORMAT,
    command: 'apply',
    outcome: 'error',
    exitCode: EXIT_CODES.error,
    diagnostics: [diagnostic],
    accounts: [],
  });
  if (expected !== undefined && 'diagnostic' in expected) return ended(expected.diagnostic);
  if (!yes && expected === undefined && !context.canAsk)
    return ended(
      problem(
        'HW6908',
        'Nobody can be asked',
        'There is no terminal to ask at. Give --expect FILE with what was reviewed, or --yes. Nothing was sent.',
      ),
    );
  return applyFleet(session, members, {
    jobs,
    guards: {
      ...(allowDeletes !== undefined && { allowDeletes }),
      ...(allowCharges !== undefined && { allowCharges }),
    },
    parallelism: flags.parallelism ?? PARALLELISM,
    ...(expected !== undefined && { expected: expected.digests }),
    ...(flags.maxAccountsChanged !== undefined && { maxAccountsChanged: flags.maxAccountsChanged }),
    ...(flags.maxSpend !== undefined && { maxSpend: flags.maxSpend }),
    ...(flags.canary !== undefined && { canary: flags.canary }),
    confirm: (work, planned) =>
      yes || expected !== undefined ? Promise.resolve(true) : confirm(context, work, planned),
  });
}

async function confirm(
  context: Context,
  work: readonly FleetAccount[],
  accounts: readonly FleetAccount[],
): Promise<boolean> {
  context.progress.pause();
  const { renderFleet } = await import('../../../report/text/fleet.ts');
  const { askYes } = await import('../../prompt.ts');
  context.output.error(
    renderFleet(
      { format: FLEET_FORMAT, command: 'plan', outcome: 'differences', exitCode: 2, diagnostics: [], accounts },
      { color: context.color.stderr },
    ),
  );
  const question = `\nChange ${work.length === 1 ? escapeText(work[0]?.account ?? '') : `these ${work.length} accounts`}? Only \`yes\` is taken: `;
  return askYes(question, { input: context.stdin, output: context.stderr, stop: context.stop });
}

const DIGEST_LINE = /^(\S+)\s+([0-9a-f]{64})$/;

/** The digest of each account's plan, from what a review was given. */
async function readExpected(
  cwd: string,
  file: string,
): Promise<{ readonly digests: ReadonlyMap<string, ReadonlySet<string>> } | { readonly diagnostic: Diagnostic }> {
  const wrong = (what: string) => ({
    diagnostic: problem(
      'HW6909',
      'The approved plans cannot be read',
      `${what} --expect takes the JSON or the Markdown of \`hostwright fleet plan\`, or a file with an account and the digest of its plan a line. Nothing was sent.`,
    ),
  });
  const content = await readFile(resolve(cwd, file), 'utf8').catch(() => undefined);
  if (content === undefined) return wrong(`\`${file}\` cannot be read.`);
  const { readApprovedFleet } = await import('../../../report/markdown/index.ts');
  const reported = readApprovedFleet(content);
  if (reported === 'too long') return wrong(`\`${file}\` has no room for the digests of so many plans.`);
  if (reported !== undefined) return { digests: byAccount(reported) };
  const fleet = fleetIn(content);
  if (fleet !== undefined)
    return {
      digests: byAccount(
        fleet.accounts.flatMap(({ account, digest, plan }) =>
          digest === undefined || plan === undefined ? [] : [[account, digest] as const],
        ),
      ),
    };
  const lines: (readonly [string, string])[] = [];
  for (const [index, raw] of content.split(/\r?\n/).entries()) {
    const line = raw.replace(/#.*/, '').trim();
    if (line === '') continue;
    const [, account, digest] = DIGEST_LINE.exec(line) ?? [];
    if (account === undefined || digest === undefined)
      return wrong(`Line ${index + 1} of \`${file}\` is not an account and a digest.`);
    lines.push([account, digest]);
  }
  return { digests: byAccount(lines) };
}

/** An account may have several: each was reviewed. */
function byAccount(lines: readonly (readonly [string, string])[]): ReadonlyMap<string, ReadonlySet<string>> {
  const digests = new Map<string, Set<string>>();
  for (const [account, digest] of lines) digests.set(account, (digests.get(account) ?? new Set()).add(digest));
  return digests;
}

/** The document of a run, or undefined for anything else. */
function fleetIn(content: string): Fleet | undefined {
  try {
    const value = JSON.parse(content) as Partial<Fleet> | null;
    return value?.format === FLEET_FORMAT && Array.isArray(value.accounts) ? withFrames(value as Fleet) : undefined;
  } catch {
    return undefined;
  }
}

/** The lines that a part shows could be shared when it was written. */
function withFrames(fleet: Fleet): Fleet {
  return {
    ...fleet,
    diagnostics: fleet.diagnostics.map(asShared),
    accounts: fleet.accounts.map((account) => ({ ...account, diagnostics: account.diagnostics.map(asShared) })),
  };
}

async function list(
  context: Context,
  folders: readonly string[],
  flags: FleetFlags & { readonly shards?: number },
): Promise<OutcomeWord> {
  const { members, diagnostics } = await findScope(context, createSession(context, flags), folders, flags);
  const outcome = diagnosticsOutcome(diagnostics, context.stop.aborted);
  if (hasErrors(diagnostics)) return reportProblems(context, diagnostics, outcome);
  const { shardOf } = await import('../../../workflow/fleet/members.ts');
  const { shards } = flags;
  const accounts = members.map(({ account, folder }) => ({
    account,
    workspace: folder,
    ...(shards !== undefined && { shard: `${shardOf(account, shards)}/${shards}` }),
  }));
  const inUse = [...new Set(accounts.flatMap(({ shard }) => shard ?? []))].sort(
    (left, right) => Number.parseInt(left, 10) - Number.parseInt(right, 10),
  );
  if (context.json) {
    const value = { format: 'hostwright.fleet-list/1', outcome, exitCode: EXIT_CODES[outcome], accounts };
    // A matrix of GitHub takes `shard` as it is, and must not be empty: then it is a part without accounts.
    const shard = inUse.length === 0 ? [`1/${shards}`] : inUse;
    context.output.result(renderJson({ ...value, ...(shards !== undefined && { matrix: { shard } }) }));
    return outcome;
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

async function joinParts(context: Context, files: readonly string[], flags: FleetFlags): Promise<OutcomeWord> {
  const parts: Fleet[] = [];
  for (const file of files) {
    const content = await readFile(resolve(context.cwd, file), 'utf8').catch(() => undefined);
    const fleet = content === undefined ? undefined : fleetIn(content);
    if (fleet === undefined)
      return reportProblems(context, [
        problem(
          'HW6910',
          'A part of the report cannot be read',
          `\`${file}\` is not the JSON of a fleet run. Name files that \`--report json=FILE\` wrote.`,
        ),
      ]);
    parts.push(fleet);
  }
  if (new Set(parts.map(({ command }) => command)).size > 1)
    return reportProblems(context, [
      problem(
        'HW6910',
        'A part of the report cannot be read',
        'The parts are of different commands. Name those of one run.',
      ),
    ]);
  const { joinFleets } = await import('../../../workflow/fleet/fleet.ts');
  return reportFleet(context, joinFleets(parts), flags);
}

async function reportFleet(context: Context, fleet: Fleet, { all }: FleetFlags): Promise<OutcomeWord> {
  context.progress.stop();
  const json = () => renderFleetJson(fleet);
  const markdown = async (limit: Limit) =>
    (await import('../../../report/markdown/index.ts')).renderFleetMarkdown(fleet, limit);
  const sumOf = (verb: 'create' | 'update' | 'delete'): number =>
    fleet.accounts.reduce((sum, { summary }) => sum + (summary?.[verb] ?? 0), 0);
  await writeReports(context, {
    json,
    outputs: () => fleetOutputs(fleet),
    markdown,
    notes: async () => {
      const { diagnosticNotes, fleetNotes } = await import('../../../report/annotations/notes.ts');
      return [...diagnosticNotes(fleet.diagnostics), ...fleetNotes(fleet.accounts)];
    },
    ...(['plan', 'drift'].includes(fleet.command) && {
      counts: () => ({ create: sumOf('create'), update: sumOf('update'), delete: sumOf('delete') }),
    }),
  });
  const { format } = context.options;
  const { COMMENT } = await import('../../../report/markdown/index.ts');
  if (context.json) context.output.result(json());
  else if (format === 'markdown') context.output.result((await markdown(COMMENT)) ?? '');
  else {
    const { renderFleet } = await import('../../../report/text/fleet.ts');
    context.output.result(renderFleet(fleet, { color: context.color.stdout, ...(all === true && { all }) }));
    const { renderDiagnostics } = await import('../../../report/text/diagnostics.ts');
    if (fleet.diagnostics.length > 0)
      context.output.error(renderDiagnostics(fleet.diagnostics, { color: context.color.stderr }));
  }
  if (context.github !== undefined) {
    const { renderFleetMarkdown } = await import('../../../report/markdown/index.ts');
    await context.github.addSummary((limit) => renderFleetMarkdown(fleet, limit));
    context.github.end([]);
  }
  return fleet.outcome;
}
