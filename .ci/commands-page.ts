// What `docs/commands.md` says: the help of every command, as one page.
import type { EventEmitter } from 'node:events';
import type { Option } from 'commander';
import type { CliCommand } from '../src/cli/command.ts';
import { buildProgram } from '../src/cli/program.ts';

const INTRO = `# Commands

\`hostwright help plan\` prints the same as this page says of \`plan\`. [Exit codes](troubleshooting.md#exit-codes) and [forms of results](reports.md) have pages of their own.

Results go to stdout, progress and hints to stderr. Without a terminal no command asks anything: one that acts then needs \`--yes\`.
\`SITE\` is the name of a manifest, or \`id:\` and the id of a site, for which no manifest is read. \`ADDRESS\` is an object as plans write it, such as \`Site/shop/Caching\`.
`;

export function commandsPage(): string {
  const program = buildProgram('0', { raw: () => undefined } as never, () => Promise.resolve());
  const commands = below(program);
  const groups = [...new Set(commands.map((command) => command.helpGroup()))];
  const listed = groups.flatMap((group) => [
    `**${group.replace(/:$/, '') || 'Also'}**\n`,
    table(
      'command',
      'what it is for',
      commands
        .filter((command) => command.helpGroup() === group)
        .map(
          (command) =>
            `| [\`${command.name()}\`](#${command.name()}) | ${cell(firstSentence(command.description()))} |`,
        ),
    ),
  ]);
  return [
    INTRO,
    ...listed,
    `## Global options\n\nEvery command takes these.\n`,
    optionTable(program, program.options),
    ...commands.flatMap((command) => chapter(command, '##')),
  ].join('\n');
}

function chapter(command: CliCommand, mark: '##' | '###'): readonly string[] {
  const help = command.createHelp();
  const [examples, rest] = [command.ownExamples(), afterHelp(command)];
  const options = help.visibleOptions(command).filter(({ long }) => long !== '--help');
  return [
    `${mark} ${mark === '##' ? command.name() : `${command.parent?.name() ?? ''} ${command.name()}`}\n`,
    `${command.description()}\n`,
    ...(below(command).length > 0 ? [] : [`\`\`\`text\n${help.commandUsage(command)}\n\`\`\`\n`]),
    ...(examples.length > 0 ? [`\`\`\`sh\n${exampleLines(examples)}\n\`\`\`\n`] : []),
    ...(options.length > 0 ? [optionTable(command, options)] : []),
    ...(rest === '' ? [] : [`${rest}\n`]),
    ...below(command).flatMap((one) => chapter(one, '###')),
  ];
}

function below(command: CliCommand): readonly CliCommand[] {
  const help = command.createHelp();
  return help.visibleCommands(command).flatMap((one) => (one.name() === 'help' ? [] : [one as CliCommand]));
}

function exampleLines(examples: ReturnType<CliCommand['ownExamples']>): string {
  const width = Math.max(...examples.map(([line]) => line.length));
  return examples.map(([line, what]) => `${line.padEnd(width)}   # ${what}`).join('\n');
}

/** What is added below the options, as paragraphs. */
function afterHelp(command: CliCommand): string {
  let said = '';
  // A command emits its parts of the help, which commander's types do not say.
  (command as unknown as EventEmitter).emit('afterHelp', {
    error: false,
    command,
    write: (text: string) => (said += text),
  });
  return said
    .trim()
    .split(/\n\n+/)
    .map((paragraph) =>
      /^ {2}\S/m.test(paragraph) ? `\`\`\`text\n${paragraph}\n\`\`\`` : paragraph.replaceAll('\n', ' '),
    )
    .join('\n\n');
}

function optionTable(command: CliCommand, options: readonly Option[]): string {
  const help = command.createHelp();
  return table(
    'option',
    'what it does',
    options.map((option) => `| \`${cell(help.optionTerm(option))}\` | ${cell(help.optionDescription(option))} |`),
  );
}

function table(first: string, second: string, rows: readonly string[]): string {
  return `| ${first} | ${second} |\n|---|---|\n${rows.join('\n')}\n`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function firstSentence(text: string): string {
  return /^.*?[.](?= [A-Z]|$)/s.exec(text)?.[0] ?? text;
}
