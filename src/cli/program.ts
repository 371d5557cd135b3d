// The list of commands, and the options that all of them take.
import type { Argument, Command } from 'commander';
import { Help, Option } from 'commander';
import type { Execute } from './command.ts';
import { CliCommand, HELP_WIDTH } from './command.ts';
import { addApply } from './commands/apply.ts';
import { addCi } from './commands/ci/ci.ts';
import { addCompletion } from './commands/completion.ts';
import { addDns } from './commands/dns.ts';
import { addDoctor } from './commands/doctor.ts';
import { addDrift } from './commands/drift.ts';
import { addExplain } from './commands/explain/explain.ts';
import { addExport } from './commands/export.ts';
import { addFleet } from './commands/fleet/fleet.ts';
import { addFmt } from './commands/fmt.ts';
import { addGet } from './commands/get/get.ts';
import { addHelp } from './commands/help.ts';
import { addHistory } from './commands/history.ts';
import { addInit } from './commands/init/init.ts';
import { addLedger } from './commands/ledger.ts';
import { addPlan } from './commands/plan.ts';
import { addRun } from './commands/run.ts';
import { addSandbox } from './commands/sandbox.ts';
import { addServe } from './commands/serve/serve.ts';
import { addTest } from './commands/rules/test.ts';
import { addSynth } from './commands/program/synth.ts';
import { addTerraform } from './commands/terraform/terraform.ts';
import { addValidate } from './commands/validate.ts';
import type { Format, GlobalOptions } from './context.ts';
import type { Output } from './output.ts';
import { collectReport, parseDuration, parseParallelism, parseRate, parseUrl } from './parse.ts';

type Add = (program: CliCommand) => void;

/** Groups of commands, in the order of the help. */
const GROUPS: readonly (readonly [heading: string, commands: readonly Add[]])[] = [
  ['Everyday:', [addInit, addPlan, addApply, addDrift, addGet, addExplain, addDoctor]],
  ['Write manifests:', [addValidate, addFmt, addTest, addExport, addSynth]],
  ['Act:', [addRun, addDns, addHistory, addLedger]],
  ['Operate:', [addFleet, addCi, addServe, addTerraform, addSandbox]],
  ['Other:', [addCompletion, addHelp]],
];

/** Commands that people wait for, and whose actions ask for nothing of the others. */
const ALONE: Readonly<Record<string, Add>> = { validate: addValidate, plan: addPlan, apply: addApply };

/** Whether a program can be built of this command alone, which is much quicker. */
export function standsAlone(name: string | undefined): name is string {
  return name !== undefined && Object.hasOwn(ALONE, name);
}

const FORMATS: readonly Format[] = ['human', 'json', 'markdown', 'github', 'mermaid', 'dot', 'wide', 'yaml'];

/** The commands that the overview and the help describe. */
export const EVERYDAY: readonly string[] = ['init', 'plan', 'apply', 'drift', 'get', 'explain', 'doctor', 'export'];

const GLOBAL_HINT = '\nGlobal options (--format, --report, --config, --timeout, --quiet, ...): see hostwright --help';

/** `only`: the one command that is there. What it refuses has to be asked of the whole program, which knows the rest. */
export function buildProgram(version: string, output: Output, execute: Execute, only?: string): CliCommand {
  const program: CliCommand = new CliCommand('hostwright', execute)
    .description('Keeps a hosting account the way its Git repository says it should be.')
    .version(version, '-V, --version', 'Print the version.')
    .helpOption('-h, --help', 'Print help.')
    .addOption(
      new Option(
        '--config <file>',
        'Use this workspace file. Default: hostwright.yaml here, or in a folder above.',
      ).env('HOSTWRIGHT_CONFIG'),
    )
    .addOption(
      new Option('--account <id>', 'Use this account instead of the one in the workspace file.').env(
        'HOSTWRIGHT_ACCOUNT',
      ),
    )
    .addOption(
      new Option('--api-url <url>', 'Use this platform instead of the one in the workspace file.')
        .env('HOSTWRIGHT_API_URL')
        .argParser(parseUrl),
    )
    .addOption(
      new Option(
        '-o, --format <format>',
        'The form of the result. Every command has human and json. Commands with a report also have markdown and github. plan has mermaid and dot. get has wide and yaml.',
      )
        .choices(FORMATS)
        .default('human'),
    )
    .addOption(
      new Option(
        '--report <form=file>',
        'Also write the report to a file, such as html=plan.html. Forms: json, markdown, html, outputs (name=value lines, added to the end); for GitLab codequality, junit, terraform; sarif for code scanning. Repeatable.',
      ).argParser(collectReport),
    )
    .option(
      '--no-cache',
      'Do not read or write the cache. It holds compiled code and the manifests that did not change. It makes commands faster and is safe to delete.',
    )
    .addOption(
      new Option(
        '--parallelism <n>',
        'Maximum concurrent requests (default: 16). All accounts of a fleet share this limit. For apply, also the maximum concurrent actions (default: 10).',
      )
        .env('HOSTWRIGHT_PARALLELISM')
        .argParser(parseParallelism),
    )
    .addOption(
      new Option(
        '--max-rps <n>',
        'Maximum requests per second, such as 5 or 0.5. Default: only the rate limits of the platform.',
      )
        .env('HOSTWRIGHT_MAX_RPS')
        .argParser(parseRate),
    )
    .addOption(
      new Option(
        '--timeout <duration>',
        'Longest wait for a response, such as 90s (default: 2m). For a read, this includes its retries, and not the pauses that the platform asks for (Retry-After). It limits one request; --deadline limits the command.',
      )
        .env('HOSTWRIGHT_TIMEOUT')
        .argParser(parseDuration),
    )
    .addOption(
      new Option(
        '--deadline <duration>',
        'End the command within this time, such as 20m (default: no deadline). A change that could not be answered in time is not started; run the command again for the rest.',
      )
        .env('HOSTWRIGHT_DEADLINE')
        .argParser(parseDuration),
    )
    .addOption(
      new Option(
        '--lock-timeout <duration>',
        'Longest wait for the ledger lock of a concurrent run, such as 20m. Default: do not wait.',
      )
        .env('HOSTWRIGHT_LOCK_TIMEOUT')
        .argParser(parseDuration),
    )
    .option(
      '--show-personal',
      'Include names and addresses of people in shared reports. Those are Markdown, HTML and GitHub; a terminal and JSON always include them. For plan, apply and drift.',
    )
    .option(
      '--run-program',
      'Run a program next to a credential without confirmation. Anyone who can change the program could read the credential.',
    )
    .option('--quiet', 'Print no progress and no hints.')
    .option('--no-color', 'Never use colour. Beats FORCE_COLOR, which beats NO_COLOR.')
    .configureHelp({ helpWidth: HELP_WIDTH, formatHelp, argumentDescription })
    .configureOutput({
      writeOut: (text) => output.raw('stdout', text),
      writeErr: (text) => output.raw('stderr', text),
      // It would ask the streams, which take longer to load than the help.
      getOutHelpWidth: () => HELP_WIDTH,
      getErrHelpWidth: () => HELP_WIDTH,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText('afterAll', ({ command }) => (command === program ? '' : GLOBAL_HINT))
    .exitOverride()
    .hook('preAction', (_program, command) => checkFormat(program, command as CliCommand));
  if (standsAlone(only)) {
    ALONE[only]?.(program);
    return program;
  }
  for (const [heading, commands] of GROUPS) {
    program.commandsGroup(heading);
    for (const add of commands) add(program);
  }
  return program;
}

/** Commands whose reports include personal values with `--show-personal`. */
const SHOWING_PERSONAL: readonly string[] = ['plan', 'apply', 'drift'];

/** Rejects a format or a report option that the command does not support. */
function checkFormat(program: CliCommand, command: CliCommand): void {
  const { format, expanded, report, showPersonal } = command.optsWithGlobals<GlobalOptions & { expanded?: boolean }>();
  const isExpanded = expanded === true;
  const also = isExpanded ? [] : command.otherFormats;
  const reporting = (program.commands as readonly CliCommand[])
    .filter(({ takesReport }) => takesReport)
    .map((one) => one.name())
    .join(', ');
  if (!['human', 'json', ...also].includes(format))
    command.error(
      ['mermaid', 'dot', 'wide', 'yaml'].includes(format)
        ? `error: --format ${format} is for ${format === 'wide' || format === 'yaml' ? 'get' : 'plan'}`
        : `error: --format ${format} is for ${reporting} (without --expanded); this takes ${['human', ...also, 'or json'].join(also.length === 0 ? ' ' : ', ')}`,
    );
  if (showPersonal === true && !(command.parent === program && SHOWING_PERSONAL.includes(command.name())))
    command.error('error: --show-personal is for plan, apply and drift');
  if (report !== undefined && (isExpanded || !command.takesReport))
    command.error(`error: --report is for ${reporting} (without --expanded), ci github and ci gitlab`);
}

/** Choices that are there for shells only, and not held to, are explained below the options (`get`). */
function argumentDescription(argument: Argument): string {
  return argument.parseArg === undefined ? argument.description : new Help().argumentDescription(argument);
}

/** Returns the help of the program on one screen, or that of a command with its examples above the options. */
function formatHelp(command: Command, helper: Help): string {
  if (command.parent === null) return programHelp(command as CliCommand);
  const text = Help.prototype.formatHelp.call(helper, command, helper);
  const examples = renderExamples(command as CliCommand);
  const at = text.search(/\n[A-Z][^\n]*:\n/);
  return examples === '' || at === -1 ? text : `${text.slice(0, at)}\n${examples}${text.slice(at)}`;
}

/** Returns the help of the program: 40 lines at most. Only everyday commands are described; `help COMMAND` has the rest. */
function programHelp(program: CliCommand): string {
  const commands = program.commands as readonly CliCommand[];
  const everyday = EVERYDAY.flatMap((name) => commands.filter((one) => one.name() === name));
  const others = commands.filter((one) => !everyday.includes(one));
  const groups = [...new Set(others.map((one) => one.helpGroup()))].map((group): Row => [
    group === '' ? 'Also' : group.replace(/:$/, ''),
    others.flatMap((one) => (one.helpGroup() === group ? [one.name()] : [])).join(', '),
  ]);
  const options = [
    ...program.options.map(({ flags, description }): Row => [flags, sentenceOf(description)]),
    ['-h, --help', 'Print help.'] as const,
  ];
  return [
    program.description(),
    '',
    'Usage: hostwright [options] <command>',
    '',
    'Everyday commands:',
    ...rows(everyday.map((one) => [one.name(), firstSentence(one)])),
    '',
    'Other commands:',
    ...rows(groups),
    '',
    'Options of every command:',
    ...rows(options),
    '',
    'More: hostwright help COMMAND, hostwright help environment, hostwright help exit-codes',
    '',
  ].join('\n');
}

type Row = readonly [name: string, text: string];

function rows(list: readonly Row[]): readonly string[] {
  const width = Math.max(...list.map(([name]) => name.length));
  return list.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`);
}

/** Returns the first sentence of a command's description. */
export function firstSentence(command: Command): string {
  return sentenceOf(command.description());
}

function sentenceOf(text: string): string {
  return /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text;
}

function renderExamples(command: CliCommand): string {
  const examples = command.allExamples();
  if (examples.length === 0) return '';
  const width = Math.max(...examples.map(([line]) => line.length));
  return `Examples:\n${examples.map(([line, what]) => `  ${line.padEnd(width)}   ${what}`).join('\n')}\n`;
}
