// The list of commands, and the options that all of them take.
import { Option } from 'commander';
import type { Execute } from './command.ts';
import { CliCommand } from './command.ts';
import { addApply } from './commands/apply.ts';
import { addCompletion } from './commands/completion.ts';
import { addContact } from './commands/contact.ts';
import { addDns } from './commands/dns.ts';
import { addDoctor } from './commands/doctor.ts';
import { addDrift } from './commands/drift.ts';
import { addExplain } from './commands/explain.ts';
import { addExport } from './commands/export.ts';
import { addGithub } from './commands/github.ts';
import { addGraph } from './commands/graph.ts';
import { addHelp } from './commands/help.ts';
import { addImport } from './commands/import.ts';
import { addInit } from './commands/init/init.ts';
import { addLedger } from './commands/ledger.ts';
import { addOrder } from './commands/account/order.ts';
import { addPlan } from './commands/plan.ts';
import { addRegistration } from './commands/account/registration.ts';
import { addSandbox } from './commands/sandbox.ts';
import { addSchema } from './commands/schema.ts';
import { addShield } from './commands/shield.ts';
import { addShow } from './commands/show.ts';
import { addSite } from './commands/site/site.ts';
import { addValidate } from './commands/validate.ts';
import type { Format, GlobalOptions } from './context.ts';
import type { Output } from './output.ts';
import { collectReport, parseUrl } from './parse.ts';

/** In the order of the help. */
const COMMANDS = [
  addInit,
  addValidate,
  addPlan,
  addApply,
  addDrift,
  addShow,
  addExport,
  addImport,
  addDns,
  addLedger,
  addSite,
  addShield,
  addContact,
  addRegistration,
  addOrder,
  addDoctor,
  addGithub,
  addSchema,
  addExplain,
  addGraph,
  addSandbox,
  addCompletion,
  addHelp,
] satisfies readonly ((program: CliCommand, execute: Execute) => void)[];

const FORMATS: readonly Format[] = ['human', 'json', 'markdown', 'github', 'mermaid', 'dot'];

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

export function buildProgram(version: string, output: Output, execute: Execute): CliCommand {
  const program: CliCommand = new CliCommand('hostwright')
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
        '-o, --format <format>',
        'Form of the result: for people, programs, a comment on a pull request, a job on GitHub (the last two: validate, plan, apply, drift, show); a picture: graph.',
      )
        .choices(FORMATS)
        .default('human'),
    )
    .addOption(
      new Option(
        '--report <form=file>',
        'Write the result to a file too, as json, markdown, html (one page that works from disk) or outputs (name=value, added to the end): html=plan.html (repeatable). The same commands, and github.',
      ).argParser(collectReport),
    )
    .option('--quiet', 'No progress and no hints on stderr.')
    .option('--color', 'Colour, whatever the stream is.')
    .option('--no-color', 'No colour. Both flags beat FORCE_COLOR, which beats NO_COLOR.')
    .configureHelp({ showGlobalOptions: true, helpWidth: 120 })
    .configureOutput({ writeOut: (text) => output.raw('stdout', text), writeErr: (text) => output.raw('stderr', text) })
    .addHelpText('after', EXIT_CODES_HELP)
    .addHelpText('afterAll', ({ command }) => (command === program ? '' : renderExamples(command as CliCommand)))
    .exitOverride()
    .hook('preAction', (_program, command) => checkFormat(program, command as CliCommand));
  for (const add of COMMANDS) add(program, execute);
  program
    .command('version')
    .description('Print the version, as --version does.')
    .action(() => output.raw('stdout', `${version}\n`));
  return program;
}

/** A form that a command does not have is refused, or somebody would take other text for it. */
function checkFormat(program: CliCommand, command: CliCommand): void {
  const { format, expanded, report } = command.optsWithGlobals<GlobalOptions & { expanded?: boolean }>();
  const isExpanded = expanded === true;
  const also = isExpanded ? [] : command.otherFormats;
  const reporting = (program.commands as readonly CliCommand[])
    .filter(({ takesReport }) => takesReport)
    .map((one) => one.name())
    .join(', ');
  if (!['human', 'json', ...also].includes(format))
    command.error(
      format === 'mermaid' || format === 'dot'
        ? `error: --format ${format} is for graph`
        : `error: --format ${format} is for ${reporting} (without --expanded); this takes ${['human', ...also, 'or json'].join(also.length === 0 ? ' ' : ', ')}`,
    );
  if (report !== undefined && (isExpanded || !command.takesReport))
    command.error(`error: --report is for ${reporting} (without --expanded), and github`);
}

function renderExamples(command: CliCommand): string {
  const examples = command.allExamples();
  if (examples.length === 0) return '';
  const width = Math.max(...examples.map(([line]) => line.length));
  return `\nExamples:\n${examples.map(([line, what]) => `  ${line.padEnd(width)}   ${what}`).join('\n')}`;
}
