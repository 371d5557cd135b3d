// The commands, their options and their help. Each command's module is loaded when it runs, so that none pays for
// another.
import { Argument, Command, Option } from 'commander';
import type { OutcomeWord } from '../model/plan/outcome.ts';
import type { LedgerCommand } from '../workflow/ledger.ts';
import type { ApplyCommandOptions } from './commands/apply.ts';
import type { DnsCommandOptions } from './commands/dns.ts';
import type { DriftCommandOptions } from './commands/drift.ts';
import type { PlanOptions } from './commands/plan.ts';
import type { SchemaOptions } from './commands/schema.ts';
import type { SandboxCommandOptions } from './commands/sandbox.ts';
import type { AcceptFlags } from './commands/accept-flags.ts';
import { isAccepting } from './commands/accept-flags.ts';
import type { Context, Format, GlobalOptions } from './context.ts';
import type { PlanTextFlags } from './report.ts';
import type { Output } from './output.ts';
import {
  collectAddress,
  collectReport,
  collectResolver,
  parseCount,
  parseDuration,
  parseMoney,
  parseOneAddress,
  parsePort,
  parseUrl,
  parseApprovable,
} from './parse.ts';
import { addContact } from './commands/contact-program.ts';
import { addDoctor } from './commands/doctor-program.ts';
import { DRIFT_EXIT_HELP, withDriftOptions } from './commands/drift-program.ts';
import { addExplain } from './commands/explain-program.ts';
import { addExport } from './commands/export-program.ts';
import { addGithub } from './commands/github/program.ts';
import { addGraph } from './commands/graph-program.ts';
import { addHelp } from './help.ts';
import { addImport } from './commands/import-program.ts';
import { addInit } from './commands/init/program.ts';
import { withReading } from './reading-options.ts';
import { addShield, addSite } from './commands/site/program.ts';

/** Runs a command with a context and ends the program with its word. */
export type Execute = (options: GlobalOptions, command: (context: Context) => Promise<OutcomeWord>) => Promise<void>;

const EXIT_CODES_HELP = `
Exit codes, highest precedence first (each is also the word \`outcome\` in JSON):
  130 interrupted      stopped by a signal
    4 conflict         the live side changed since the review
    5 refused          a guard refuses: protected, too many deletes, no ledger
    1 error            invalid manifest or command line, refused credential, API
    6 partly-applied   some actions failed, the rest was done
    3 waiting          for someone or something outside, or the deadline came; run again to continue
    2 differences      \`drift\`, and \`plan --detailed-exitcode\`
    0 done             done, or nothing to do

Environment: HOSTWRIGHT_TOKEN (the only way to give a token), HOSTWRIGHT_ACCOUNT, HOSTWRIGHT_API_URL, HOSTWRIGHT_CONFIG,
HOSTWRIGHT_PARALLELISM, HOSTWRIGHT_MAX_RPS, HOSTWRIGHT_TIMEOUT, HOSTWRIGHT_LOCK_TIMEOUT, HOSTWRIGHT_DEADLINE, HOSTWRIGHT_GUARDS_FROM, HOSTWRIGHT_NOTIFY,
HOSTWRIGHT_NOTIFY_SECRET, HOSTWRIGHT_DEBUG; FORCE_COLOR, NO_COLOR, CI. For a ledger on a server:
HOSTWRIGHT_LEDGER_TOKEN, or HOSTWRIGHT_LEDGER_USERNAME and HOSTWRIGHT_LEDGER_PASSWORD. Flags beat these, these beat the workspace file.`;

const PLAN_EXIT_HELP = `
Exit code: 0 when a plan could be made, whatever it says; 1 when not, or when something could not be read. With --detailed-exitcode
what it says counts: 3 when something declared cannot be reached by this plan (blocked, waiting, by hand, deferred), else 2 when there
are actions.`;

const DNS_EXIT_HELP = `
Exit code: 1 when something could not be read or looked up, else 3 when a record is missing, mismatched or not known yet, else 0. With
--no-lookup only what the platform itself reports counts.`;

const APPLY_HELP = `
The first argument is a saved plan when it ends in .json and holds one: then exactly its actions run, or nothing. Without a saved plan,
--expect, --resume, --approve or --yes the plan is shown and asked about once, on a terminal only.`;

export function buildProgram(version: string, output: Output, execute: Execute): Command {
  const program = new Command('hostwright')
    .description('Keeps a hosting account the way its Git repository says it should be.')
    .version(version, '-V, --version', 'Print the version.')
    .helpOption('-h, --help', 'Print help.')
    .addOption(
      new Option('--config <file>', 'The workspace file; else looked for upward from here.').env('HOSTWRIGHT_CONFIG'),
    )
    .addOption(
      new Option('--account <id>', 'The account, instead of the one in the workspace file.').env('HOSTWRIGHT_ACCOUNT'),
    )
    .addOption(
      new Option('--api-url <url>', 'The platform, instead of the one in the workspace file.')
        .env('HOSTWRIGHT_API_URL')
        .argParser(parseUrl),
    )
    .addOption(
      new Option(
        '--format <format>',
        'Form of the result: for people, programs, a comment on a pull request, a job on GitHub (the last two: validate, plan, apply, drift, show); a picture: graph.',
      )
        .choices(FORMATS)
        .default('human'),
    )
    .addOption(
      new Option(
        '--report <form=file>',
        'Write the result to a file too, as json, markdown or outputs (name=value, added to the end): markdown=plan.md (repeatable). The same commands, and github.',
      ).argParser(collectReport),
    )
    .option('--quiet', 'No progress and no hints on stderr.')
    .option('--color', 'Colour, whatever the stream is.')
    .option('--no-color', 'No colour. Both flags beat FORCE_COLOR, which beats NO_COLOR.')
    .configureHelp({ showGlobalOptions: true, helpWidth: 120 })
    .configureOutput({ writeOut: (text) => output.raw('stdout', text), writeErr: (text) => output.raw('stderr', text) })
    .addHelpText('after', EXIT_CODES_HELP)
    .exitOverride()
    .hook('preAction', (_program, command) => checkFormat(program, command));
  addInit(program, execute);
  addValidate(program, execute);
  addPlan(program, execute);
  addApply(program, execute);
  addDrift(program, execute);
  addShow(program, execute);
  addExport(program, execute);
  addImport(program, execute);
  addDns(program, execute);
  addLedger(program, execute);
  addSite(program, execute);
  addShield(program, execute);
  addContact(program, execute);
  addDoctor(program, execute);
  addGithub(program, execute);
  addSchema(program, execute);
  addExplain(program, execute);
  addGraph(program, execute);
  addSandbox(program, execute);
  addHelp(program);
  return program;
}

const FORMATS: readonly Format[] = ['human', 'json', 'markdown', 'github', 'mermaid', 'dot'];
const REPORTING = ['validate', 'plan', 'apply', 'drift', 'show'];

/** A form that a command does not have is refused, or somebody would take other text for it. */
function checkFormat(program: Command, command: Command): void {
  const { format, expanded, report } = command.optsWithGlobals<GlobalOptions & { expanded?: boolean }>();
  const reports = command.parent === program && REPORTING.includes(command.name()) && expanded !== true;
  const name = command.parent === program ? command.name() : '';
  const isJob = command.parent?.name() === 'github';
  const also = reports
    ? ['markdown', 'github']
    : isJob
      ? ['github']
      : name === 'explain'
        ? ['markdown']
        : name === 'graph'
          ? ['mermaid', 'dot']
          : [];
  if (!['human', 'json', ...also].includes(format)) {
    const draws = format === 'mermaid' || format === 'dot';
    command.error(
      draws
        ? `error: --format ${format} is for graph`
        : `error: --format ${format} is for ${REPORTING.join(', ')} (without --expanded); this takes ${['human', ...also, 'or json'].join(also.length === 0 ? ' ' : ', ')}`,
    );
  }
  if (!reports && report !== undefined && !isJob)
    command.error(`error: --report is for ${REPORTING.join(', ')} (without --expanded), and github`);
}

function addValidate(program: Command, execute: Execute): void {
  program
    .command('validate')
    .description('Check manifests offline: schemas, references, duplicates.')
    .addArgument(pathsArgument())
    .action((paths: string[], _options, command: Command) =>
      execute(command.optsWithGlobals(), async (context) =>
        (await import('./commands/validate.ts')).validate(context, paths),
      ),
    );
}

function addPlan(program: Command, execute: Execute): void {
  withRunOptions(program.command('plan'))
    .description('Read the account and show, in order, exactly what would be done and why.')
    .addArgument(pathsArgument())
    .option('--out <file>', 'Write the plan for `apply` (readable by its owner only; replaces nothing but a plan).')
    .addOption(
      new Option(
        '--changed-since <commit>',
        'Look only at what the manifests say otherwise since this branch left that commit, such as origin/main, and at what rests on it.',
      ).conflicts('target'),
    )
    .option('--detailed-exitcode', 'Let what the plan says decide the exit code, see below.')
    .addHelpText('after', PLAN_EXIT_HELP)
    .action((paths: string[], _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & PlanOptions>();
      const detailed = options.detailedExitcode === true;
      return execute(options, async (context) =>
        (await import('./commands/plan.ts')).plan(context, paths, options, { heading: 'Plan', detailed }),
      );
    });
}

function addDrift(program: Command, execute: Execute): void {
  withDriftOptions(withRunOptions(program.command('drift')))
    .description('Say what no longer matches, which side changed, and since when: a plan for a schedule.')
    .addArgument(pathsArgument())
    .addOption(
      new Option('--accept <address>', 'Write what is live of this object into its manifest instead (repeatable).')
        .argParser(collectAddress)
        .default([], 'nothing'),
    )
    .option('--dry-run', 'With --accept: show what would be written, and write nothing.')
    .addHelpText('after', DRIFT_EXIT_HELP)
    .action((paths: string[], _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & DriftCommandOptions & AcceptFlags>();
      if (isAccepting(command, options))
        return execute(options, async (context) =>
          (await import('./commands/accept.ts')).accept(context, paths, options),
        );
      return execute(options, async (context) => (await import('./commands/drift.ts')).drift(context, paths, options));
    });
}

function addApply(program: Command, execute: Execute): void {
  withLockTimeout(withRunOptions(program.command('apply')))
    .description('Run a plan and wait until it is true.')
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
    .addOption(
      new Option(
        '--approve <words>',
        'Run without asking when the plan does nothing but this, such as create,update; else refuse it whole. What lowers protection (exposure), gives another hostname the place of the primary one (primary) or is irreversible has to be named too.',
      )
        .argParser(parseApprovable)
        .conflicts(['yes', 'expect', 'resume']),
    )
    .addOption(
      new Option(
        '--allow-deletes <n>',
        'Refuse a plan with more deletes than this; beats the workspace file.',
      ).argParser(parseCount),
    )
    .addOption(
      new Option(
        '--allow-charges <n>',
        'Refuse a plan with more paid requests than this; beats the workspace file.',
      ).argParser(parseCount),
    )
    .addOption(
      new Option(
        '--max-spend <money>',
        'Refuse a plan that may spend more, such as 15.00EUR; what has no quoted price, or one in another currency, is more.',
      ).argParser(parseMoney),
    )
    .addOption(
      new Option(
        '--guards-from <commit>',
        'Take the guards from the workspace file of this commit, such as origin/main, whatever the branch says (default: the file as it is here).',
      ).env('HOSTWRIGHT_GUARDS_FROM'),
    )
    .addOption(
      new Option(
        '--deadline <duration>',
        'Be over by then: 20m. What could not be answered in time is not begun; run again, or --resume (default: no deadline).',
      )
        .env('HOSTWRIGHT_DEADLINE')
        .argParser(parseDuration),
    )
    .option('--resume', 'Only continue what an earlier run left in flight.')
    .addHelpText('after', APPLY_HELP)
    .action((positionals: string[], _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & ApplyCommandOptions>();
      return execute(options, async (context) =>
        (await import('./commands/apply.ts')).apply(context, positionals, options),
      );
    });
}

function addShow(program: Command, execute: Execute): void {
  withPlanText(program.command('show'))
    .description('Show a saved plan again, or with --expanded the manifests with their profiles in them.')
    .argument(
      '[plan-or-paths...]',
      'The saved plan; with --expanded files, folders, globs, or - for standard input, else what the workspace names.',
    )
    .addOption(
      new Option(
        '--expanded',
        'The manifests after merging, as YAML that needs no profiles; what came from a profile says from where.',
      ).conflicts(['verbose', 'concise', 'context', 'showPersonal']),
    )
    .action((positionals: string[], _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & PlanTextFlags & { expanded?: boolean }>();
      if (options.expanded === true)
        return execute(options, async (context) =>
          (await import('./commands/expanded.ts')).expanded(context, positionals),
        );
      const [file, ...more] = positionals;
      if (file === undefined) command.error("error: missing required argument 'file'; only --expanded goes without");
      if (more.length > 0)
        command.error(`error: too many arguments for 'show'. Expected 1 argument but got ${positionals.length}.`);
      return execute(options, async (context) => (await import('./commands/show.ts')).show(context, file, options));
    });
}

function addDns(program: Command, execute: Execute): void {
  program
    .command('dns')
    .description('The DNS records that the manifests need published, and which of them are.')
    .addArgument(pathsArgument())
    .option('--zone', 'A zone file on stdout instead of the table.')
    .option('--no-lookup', 'Ask the platform only, not the DNS.')
    .addOption(
      new Option(
        '--resolver <address>',
        'A name server to ask, such as 192.0.2.53 or [2001:db8::53]:5353 (repeatable).',
      )
        .argParser(collectResolver)
        .default([], 'those of this machine'),
    )
    .addHelpText('after', DNS_EXIT_HELP)
    .action((paths: string[], _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & DnsCommandOptions>();
      if (options.zone === true && options.format === 'json')
        command.error('error: a zone file is text: --zone goes without --format json');
      return execute(options, async (context) => (await import('./commands/dns.ts')).dns(context, paths, options));
    });
}

function addLedger(program: Command, execute: Execute): void {
  const ledger = program.command('ledger').description('Look at the ledger, and put right what only a person can.');
  const run = (command: Command, what: LedgerCommand): Promise<void> => {
    const options = command.optsWithGlobals<GlobalOptions & { lockTimeout?: number }>();
    return execute(options, async (context) => (await import('./commands/ledger.ts')).ledger(context, what, options));
  };
  const address = (): Argument =>
    new Argument('<address>', 'Such as Site/shop/SiteDomain/www.example.com.').argParser(parseOneAddress);
  withLockTimeout(ledger.command('init'))
    .description('Begin a ledger that counts as complete.')
    .action((_options, command: Command) => run(command, { do: 'init' }));
  ledger
    .command('list')
    .description('What is bound, what is ours, what is in flight.')
    .action((_options, command: Command) => run(command, { do: 'list' }));
  withLockTimeout(ledger.command('forget'))
    .description('Forget the binding of an object; nothing on the account changes.')
    .addArgument(address())
    .action((target: string, _options, command: Command) => run(command, { do: 'forget', address: target }));
  ledger
    .command('unlock')
    .description('Remove the lock of a run that is no longer there.')
    .option('--force', 'Also when a process with its number runs on this machine.')
    .action((options: { force?: boolean }, command: Command) =>
      run(command, { do: 'unlock', force: options.force === true }),
    );
  withLockTimeout(ledger.command('confirm'))
    .description('Say what became of a request whose answer was lost.')
    .addArgument(address())
    .addOption(new Option('--id <id>', 'It was carried out: the id of what it made.').conflicts('notMade'))
    .addOption(new Option('--not-made', 'It was not carried out.'))
    .action((target: string, options: { id?: string; notMade?: boolean }, command: Command) => {
      if (options.id === undefined && options.notMade !== true)
        command.error('error: say what became of it: --id ID, or --not-made');
      return run(command, {
        do: 'confirm',
        address: target,
        ...(options.id === undefined ? { notMade: true } : { id: options.id }),
      });
    });
}

function addSchema(program: Command, execute: Execute): void {
  program
    .command('schema')
    .description('Print the JSON Schema of a kind, or of every document.')
    .argument('[kind]', 'Such as Site.')
    .option('--list', 'The names of all schemas.')
    .addOption(new Option('--out <folder>', 'Write all schemas there, for editors.').conflicts('list'))
    .action((kind: string | undefined, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & SchemaOptions>();
      if (kind !== undefined && options.out !== undefined)
        command.error('error: --out writes all schemas: name a kind or a folder');
      return execute(options, async (context) => (await import('./commands/schema.ts')).schema(context, kind, options));
    });
}

function addSandbox(program: Command, execute: Execute): void {
  program
    .command('sandbox')
    .description('Run the local platform until it is stopped. It listens on this machine only and keeps nothing.')
    .addOption(new Option('--port <port>', '0 for any free one.').argParser(parsePort).default(0))
    .addOption(
      new Option(
        '--scenario <name>',
        'What is there at the start: empty, small, guards, hostile, shield, mail, panel, registrar, sites:N, mailboxes:N, panel:N, registrations:N, billing-3ds, billing-bank, billing-declined, billing-external, billing-no-method, billing-trial.',
      ).default('small'),
    )
    .addOption(new Option('--latency <duration>', 'A delay before each answer, such as 50ms.').argParser(parseDuration))
    .option('--faults <faults>', 'Accidents, such as reset-after@3,status-before:429@5:retry-after=2 or 5%.')
    .addOption(
      new Option('--clock <clock>', 'Whether tasks take real time, or time moves by its control address only.')
        .choices(['real', 'virtual'])
        .default('real'),
    )
    .action((_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & SandboxCommandOptions>();
      return execute(options, async (context) => (await import('./commands/sandbox.ts')).sandbox(context, options));
    });
}

function pathsArgument(): Argument {
  return new Argument('[paths...]', 'Files, folders, globs, or - for standard input; else what the workspace names.');
}

function withRunOptions(command: Command): Command {
  return withReading(withPlanText(command));
}

function withPlanText(command: Command): Command {
  return command
    .option('--verbose', 'Every request, digest and item.')
    .addOption(new Option('--concise', 'A line an action, without values.').conflicts('verbose'))
    .option(
      '--show-personal',
      'Show names and addresses of people in Markdown and on GitHub too; people at a terminal, and JSON, are always shown them.',
    )
    .addOption(
      new Option(
        '--context <n>',
        'Unchanged lines or items around each change (default: 3 of a text, none of a list).',
      ).argParser(parseCount),
    );
}

function withLockTimeout(command: Command): Command {
  return command.addOption(
    new Option(
      '--lock-timeout <duration>',
      'How long to wait for a run that holds the ledger: 90s, 20m (default: not at all).',
    )
      .env('HOSTWRIGHT_LOCK_TIMEOUT')
      .argParser(parseDuration),
  );
}
