// `init`: a new workspace in a folder, by flags or by asking. Sends one read to check the token, if there is one, and
// what an export reads.
import { mkdir, stat } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { Option } from 'commander';
import { version } from '../../../../package.json';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { diagnose } from '../../../model/diagnostic.ts';
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import { EXIT_CODES } from '../../../model/plan/outcome.ts';
import { escapeText } from '../../../report/view/escape.ts';
import { renderJson } from '../../../report/json/index.ts';
import { readPackageFile } from '../../../library/package-files.ts';
import type { InitResult } from '../../../usecases/init.ts';
import type { InstalledSkill } from '../../../usecases/write/skill.ts';
import type { CliCommand } from '../../command.ts';
import type { Context } from '../../context.ts';
import { startProgress } from '../../context.ts';
import { diagnosticsOutcome } from '../../exit-code.ts';
import { parseCount, parseMoney } from '../../parse.ts';
import { reportDiagnostics, reportProblems, reportResult } from '../../report.ts';
import { checkAccess, createSession } from '../../settings.ts';
import type { Answered, Asker, InitFlags } from './answers.ts';
import type { Ci, forgeNames } from './ci.ts';

const HELP = `
On a terminal it asks for what is not given; elsewhere every missing answer is an error that names its flag. Usual, for --yes: --start example,
--ci none, --ledger file (git with a CI), and the account if the token reaches exactly one.

A token is never asked for and never written. If HOSTWRIGHT_TOKEN is set, one read checks it. What is there already is left as it is: a
second time changes nothing. In a folder that is a workspace already, only --ci and --agents add something.

With --update the CI files become those of this version. A file that was modified is left: the command prints the difference and ends with
exit code 1.`;

export function addInit(program: CliCommand): void {
  program
    .command('init')
    .description('Begin a repository: workspace file, ledger, first manifests, files for CI.')
    .argument('[folder]', 'Where; it is made if need be. Default: here.')
    .addOption(new Option('--start <what>', 'What the manifests begin with.').choices(['empty', 'example', 'export']))
    .addOption(
      new Option(
        '--lang <language>',
        'What manifests are written in: YAML, or a program in TypeScript that `hostwright synth` makes YAML of.',
      ).choices(['yaml', 'ts']),
    )
    .addOption(
      new Option('--ci <which>', 'Whose files for CI are written.').choices(['github', 'gitlab', 'shell', 'none']),
    )
    .option('--update', 'Overwrite the CI files of an earlier version. Modified files are left and shown as a diff.')
    .addOption(
      new Option(
        '--ledger <where>',
        'Where the ledger is kept: a file of this machine, a ref of the Git remote origin, or the PostgreSQL database of HOSTWRIGHT_DATABASE_URL.',
      ).choices(['file', 'git', 'postgres']),
    )
    .addOption(new Option('--allow-deletes <n>', 'Ceiling of deletes for one run (default: 0).').argParser(parseCount))
    .addOption(
      new Option('--allow-charges <n>', 'Ceiling of paid requests for one run (default: 0).').argParser(parseCount),
    )
    .addOption(
      new Option(
        '--max-spend <money>',
        'Ceiling of what one run may spend, such as 15.00EUR (default: none).',
      ).argParser(parseMoney),
    )
    .option('--agents', 'Write AGENTS.md and the skill of this version for coding agents.')
    .option('--yes', 'Take what is usual instead of asking.')
    .addHelpText('after', HELP)
    .examples(
      ['hostwright init', 'asks'],
      [
        'hostwright init --api-url https://api.example.com --account acc-acme --start export --ci github --yes',
        'without asking',
      ],
      ['hostwright init --ci github --update', 'after an upgrade'],
    )
    .runs(init);
}

/** What only a workspace that is not there yet can be told. */
const ONLY_NEW: readonly string[] = ['start', 'lang', 'ledger', 'allowDeletes', 'allowCharges', 'maxSpend'];

async function init(context: Context, flags: InitFlags, folder?: string): Promise<OutcomeWord> {
  const [
    { initWorkspace, isInRepository, ledgerProblems, reachOf, workspaceIn },
    { answersFor, askLedger },
    { agentsFile, editorSettings, ignoredLines, schemaFor },
    forCi,
  ] = await Promise.all([
    import('../../../usecases/init.ts'),
    import('./answers.ts'),
    import('./material.ts'),
    import('./ci.ts'),
  ]);
  const { options } = context;
  const root = resolve(context.cwd, folder ?? '.');
  const { configFile: _other, ...given } = createSession(context);
  const session = { ...given, cwd: root };
  const early = [...checkAccess(context.env), ...(await folderProblems(root))];
  if (early.length > 0) return reportProblems(context, early);
  const present = await workspaceIn(session);
  const place = await forCi.placeInRepository(root, present && (present.workspace?.shared ?? []));
  const hintsOf = (ci: Ci, account: string, isProgram: boolean): string | undefined =>
    forCi.hintOf(place, ciHint(ci, forCi.forgeNames(account, place), isProgram));
  const isUpdate = flags.update === true;
  if (isUpdate && (present === undefined || (flags.ci ?? 'none') === 'none'))
    return reportProblems(context, [
      diagnose(
        'HW6513',
        `--update brings the files for CI of a workspace to this version, and ${present === undefined ? 'this folder is no workspace. Leave --update out' : '--ci does not name whose. Give --ci github, gitlab or shell'}. Nothing was written.`,
      ),
    ]);
  if (present !== undefined) {
    if (present.workspace === undefined) return reportProblems(context, present.diagnostics);
    const ci = flags.ci ?? 'none';
    if (Object.keys(flags).some((name) => ONLY_NEW.includes(name)))
      context.hint(
        'This folder is a workspace already: of the flags only --ci and --agents count. `hostwright export --out manifests` writes down what is live; all else stands in hostwright.yaml.',
      );
    const { ledger } = present.workspace;
    const isProgram = present.workspace.synth !== undefined;
    const added = await initWorkspace(session, undefined, {
      schema: await schemaFor(root),
      ci: {
        files: await forCi.ciFiles(ci, present.workspace.account, place, { isProgram }),
        update: isUpdate,
      },
      files: [...forCi.starterFiles(ci, place, version), ...(flags.agents === true ? [await agentsFile()] : [])],
      ignored: ignoredLines(ci, 'file' in ledger),
    });
    const skill = await skillIn(root, flags.agents === true);
    return report(context, withSkill({ ...added, left: ['hostwright.yaml', ...added.left] }, skill), {
      root,
      ci,
      hint: isUpdate ? undefined : hintsOf(ci, present.workspace.account, isProgram),
      isAlone: 'file' in ledger,
      lock: forCi.lockCommand(ci, place, version),
      isUpdate,
    });
  }
  const { token } = session;
  const asker = await askerOf(context, flags);
  const answered = await answersFor(
    {
      ...(options.account && { account: options.account }),
      ...(options.apiUrl && { baseUrl: options.apiUrl }),
      flags,
      token: token !== undefined,
      reach: (baseUrl) => reachOf(session, token ?? '', baseUrl),
      isRepository: isInRepository(root),
    },
    asker,
  );
  if (answered === 'went-away') return context.stop.aborted ? 'interrupted' : reportWentAway(context);
  if ('problems' in answered) return reportProblems(context, answered.problems);
  tellReach(context, answered);
  const { ci } = answered;
  let { answers } = answered;
  // Git is run in it.
  await mkdir(root, { recursive: true });
  // A person who has answered five questions is asked the last one again.
  while (asker !== undefined && flags.ledger === undefined) {
    const problems = await ledgerProblems(session, answers);
    if (problems.length === 0) break;
    await reportDiagnostics(context, problems);
    const ledger = await askLedger(asker, 'file');
    if (ledger === undefined) return context.stop.aborted ? 'interrupted' : reportWentAway(context);
    answers = { ...answers, ledger };
  }
  await startProgress(context);
  const shared = place.shared.map((one) => relative(root, resolve(place.root, one)).split(sep).join('/'));
  const schema = await schemaFor(root);
  const result = await initWorkspace(
    session,
    { ...answers, ...(shared.length > 0 && { shared }) },
    {
      schema,
      ci: { files: await forCi.ciFiles(ci, answers.account, place, answers) },
      files: [
        ...(answers.isProgram === true ? (await import('./program.ts')).programFiles() : []),
        ...forCi.starterFiles(ci, place, version),
        ...(answered.agents ? [await agentsFile()] : []),
        editorSettings(place, schema.place),
      ],
      ignored: ignoredLines(ci, answers.ledger === 'file'),
    },
  );
  // An export has told it already.
  const { notices = [] } = session;
  const unreported =
    token === undefined
      ? []
      : notices.filter(({ code }) => !result.diagnostics.some((reported) => reported.code === code));
  const skill = await skillIn(root, answered.agents);
  return report(context, withSkill({ ...result, diagnostics: [...result.diagnostics, ...unreported] }, skill), {
    root,
    ci,
    hint: hintsOf(ci, answers.account, answers.isProgram === true),
    isAlone: answers.ledger === 'file',
    isProgram: answers.isProgram === true,
    lock: forCi.lockCommand(ci, place, version),
  });
}

/** Installs the skill for coding agents where they read it: .claude/skills and .agents/skills of the repository. */
async function skillIn(root: string, isWanted: boolean): Promise<InstalledSkill | undefined> {
  if (!isWanted) return undefined;
  const { installSkill } = await import('../../../usecases/write/skill.ts');
  return installSkill(root, await readPackageFile('skills/hostwright/SKILL.md'));
}

function withSkill(result: InitResult, skill: InstalledSkill | undefined): InitResult {
  if (skill === undefined) return result;
  return {
    ...result,
    written: [...result.written, ...skill.files.map(({ file }) => file)],
    left: [...result.left, ...skill.left],
    diagnostics: [...result.diagnostics, ...skill.diagnostics],
  };
}

async function askerOf(context: Context, { yes }: InitFlags): Promise<Asker | undefined> {
  if (yes === true || !context.canAsk || context.agent !== undefined) return undefined;
  const { createAsker } = await import('./answers.ts');
  return createAsker({ input: context.stdin, output: context.stderr, signal: context.stop });
}

async function folderProblems(root: string): Promise<readonly Diagnostic[]> {
  const found = await stat(root).catch((error: unknown) => error as NodeJS.ErrnoException);
  if (found instanceof Error)
    return found.code === 'ENOENT' ? [] : [diagnose('HW6519', `${found.message}. Name another one.`)];
  return found.isDirectory() ? [] : [diagnose('HW6519', `${root} is a file. Name another one.`)];
}

function reportWentAway(context: Context): OutcomeWord {
  context.hint('Nothing was written.');
  return 'interrupted';
}

/** A token that could not be checked is no reason to stop; an account that it is not seen to reach is worth a word. */
function tellReach(
  context: Context,
  { answers, reach }: Exclude<Answered, 'went-away' | { readonly problems: unknown }>,
): void {
  if (reach === undefined) return;
  if (reach.reason !== undefined) context.hint(`The token could not be checked: ${escapeText(reach.reason)}.`);
  else if (!reach.accounts.some(({ id }) => id === answers.account))
    context.hint(
      `The token reaches no site of the account ${escapeText(answers.account)}; \`hostwright doctor\` looks closer.`,
    );
}

/** What has to be set where the files for CI run. */
function ciHint(
  ci: Ci,
  { readToken, environment }: ReturnType<typeof forgeNames>,
  isProgram: boolean,
): string | undefined {
  const hints: Readonly<Record<Ci, string | undefined>> = {
    github: `GitHub: in Settings > Environments (1) create the environment \`${environment}\`, (2) restrict it to the default branch ("Deployment branches and tags"), (3) name reviewers. Then set the secrets HOSTWRIGHT_TOKEN (of this environment) and ${readToken} (of the repository). Without step 2 any branch can use HOSTWRIGHT_TOKEN.`,
    gitlab: `GitLab: (1) create the environment \`${environment}\` (Operate > Environments), (2) protect the default branch and no other (Settings > Repository), (3) name who may deploy (Settings > CI/CD > Protected environments, with Premium). Then set the masked variables HOSTWRIGHT_TOKEN (protected, for this environment), ${readToken} and GITLAB_TOKEN (a project access token with the role Reporter and the scope \`api\`)${isProgram ? `, both for the environments \`hosting*\` alone, or the job that runs the program refuses` : ''}, and two schedules. Without step 2 a branch can use HOSTWRIGHT_TOKEN. A .gitlab-ci.yml of your own needs: include: [{ local: '/.gitlab/hostwright/*.yml' }].`,
    shell: `CI: ${isProgram ? 'have a job without a token run `bash ci/hostwright.sh synth` first, and hand its reports on. Then ' : ''}give the jobs HOSTWRIGHT_TOKEN, and have them run \`bash ci/hostwright.sh plan\`, and so on.`,
    none: undefined,
  };
  return hints[ci];
}

/** `isAlone`: the ledger is in a file, which jobs do not share. */
async function report(
  context: Context,
  result: InitResult,
  {
    root,
    ci,
    hint,
    isAlone,
    isProgram = false,
    lock,
    isUpdate = false,
  }: {
    readonly root: string;
    readonly ci: Ci;
    readonly hint: string | undefined;
    readonly isAlone: boolean;
    readonly isProgram?: boolean;
    /** What makes the lockfile of the repository. */
    readonly lock: string | undefined;
    readonly isUpdate?: boolean;
  },
): Promise<OutcomeWord> {
  const outcome = diagnosticsOutcome(result.diagnostics, context.stop.aborted);
  const here = relative(context.cwd, root);
  const next = [
    ...(here === '' ? [] : [`cd ${/^[\w./-]+$/.test(here) ? here : JSON.stringify(here)}`]),
    ...(lock === undefined ? [] : [lock]),
    ...(isUpdate ? ['git diff'] : ['hostwright doctor']),
    ...(isProgram && !isUpdate
      ? ['npm install --save-dev hostwright typescript vitest @types/node', 'hostwright synth']
      : []),
    'hostwright plan',
  ];
  const { renderInit } = await import('../../../report/text/init.ts');
  await reportResult(context, result.diagnostics, {
    json: () => renderJson({ format: 'hostwright.init/1', outcome, exitCode: EXIT_CODES[outcome], ...result, next }),
    text: () =>
      outcome === 'done' || result.written.length > 0 || isUpdate
        ? renderInit({ ...result, next: outcome === 'done' ? next : [] }, { color: context.color.stdout })
        : undefined,
  });
  if (context.json || outcome !== 'done') return outcome;
  if (hint !== undefined && result.written.length > 0) context.hint(`\n${hint}`);
  if (ci !== 'none' && isAlone && !isUpdate)
    context.hint(
      '\nThe ledger is in a file, which jobs of CI do not share: without it a run buys nothing, and cannot go on with what another began. Let them share it: `ledger: { git: { ref: refs/hostwright/ledgers/ACCOUNT } }` in hostwright.yaml, with the id of the account, then `hostwright ledger init`.',
    );
  if (!context.env.HOSTWRIGHT_TOKEN?.trim()) context.hint('\nSet HOSTWRIGHT_TOKEN first; it is kept nowhere.');
  return outcome;
}
