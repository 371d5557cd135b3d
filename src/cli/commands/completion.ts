// `completion`: a script that completes commands, options and their choices in a shell. It is written from the program
// itself, so it knows what this version knows.
import { Argument } from 'commander';
import type { CliCommand, Execute } from '../command.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

export function addCompletion(program: CliCommand, execute: Execute): void {
  program
    .command('completion')
    .description('Print a script that completes commands and options.')
    .addArgument(new Argument('<shell>', 'Which shell.').choices(SHELLS))
    .examples(
      ['hostwright completion bash > ~/.local/share/bash-completion/completions/hostwright', 'for bash'],
      ['hostwright completion zsh > ~/.zfunc/_hostwright', 'for zsh, with ~/.zfunc in fpath'],
      ['hostwright completion fish > ~/.config/fish/completions/hostwright.fish', 'for fish'],
    )
    .action((shell: Shell, _options: object, command: CliCommand) =>
      execute(command, ({ output }) => {
        output.result(SCRIPTS[shell](levelsOf(program)));
        return Promise.resolve('done');
      }),
    );
}

interface Word {
  readonly word: string;
  readonly what: string;
}

/** What can stand after some commands, further commands or what an argument may be: `''` is the program itself, `ledger confirm` a command below another. */
interface Level {
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly (Word & { readonly choices: readonly string[]; readonly takesValue: boolean })[];
}

function levelsOf(program: CliCommand): readonly Level[] {
  const global = optionsOf(program);
  const below = (command: CliCommand, path: string): readonly Level[] => [
    {
      path,
      commands: [
        ...command.commands.map((one) => ({ word: one.name(), what: one.description() })),
        // What an argument may be. Names of live objects would take a request for each key that is pressed.
        ...command.registeredArguments.flatMap(({ argChoices = [], description }) =>
          argChoices.map((word) => ({ word, what: description })),
        ),
      ],
      options: path === '' ? global : [...optionsOf(command), ...global],
    },
    ...(command.commands as readonly CliCommand[]).flatMap((one) => below(one, `${path} ${one.name()}`.trim())),
  ];
  return below(program, '');
}

function optionsOf(command: CliCommand): Level['options'] {
  const options = command.options.flatMap(({ short, long, description, argChoices = [], required, optional }) =>
    [short, long].flatMap((word) =>
      word === undefined || word === null
        ? []
        : [{ word, what: description, choices: argChoices, takesValue: required || optional }],
    ),
  );
  return [...options, { word: '--help', what: 'Print help.', choices: [], takesValue: false }];
}

const SCRIPTS: Readonly<Record<Shell, (levels: readonly Level[]) => string>> = { bash, zsh, fish };

/** Walks over the words before the one that is completed, and keeps those that are commands. */
function pathLoop(levels: readonly Level[], word: string): readonly string[] {
  const paths = levels.map(({ path }) => path).filter((path) => path !== '');
  return [
    `    case "${word}" in -*) continue ;; esac`,
    `    case "\${path:+$path }${word}" in`,
    ...paths.map((path) => `      '${path}') path='${path}' ;;`),
    '    esac',
  ];
}

function bash(levels: readonly Level[]): string {
  return [
    '_hostwright() {',
    '  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" path="" words="" i',
    '  for ((i = 1; i < COMP_CWORD; i++)); do',
    ...pathLoop(levels, '${COMP_WORDS[i]}'),
    '  done',
    '  case "$path:$prev" in',
    ...choicesOf(levels).map(({ path, word, choices }) => `    '${path}:${word}') words='${choices.join(' ')}' ;;`),
    '    *) case "$path" in',
    ...levels.map(({ path, commands, options }) => {
      const words = [...commands, ...options].map(({ word }) => word).join(' ');
      return `      '${path}') words='${words}' ;;`;
    }),
    '    esac ;;',
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$cur"))',
    '}',
    'complete -o default -F _hostwright hostwright',
  ].join('\n');
}

function zsh(levels: readonly Level[]): string {
  const described = (words: readonly Word[]): string =>
    words.map(({ word, what }) => quoted(`${word}:${what}`)).join(' ');
  return [
    '#compdef hostwright',
    '_hostwright() {',
    '  local path="" prev="${words[CURRENT-1]}" i',
    '  local -a shown',
    '  for ((i = 2; i < CURRENT; i++)); do',
    ...pathLoop(levels, '${words[i]}'),
    '  done',
    '  case "$path:$prev" in',
    ...choicesOf(levels).map(
      ({ path, word, choices }) => `    '${path}:${word}') compadd -- ${choices.join(' ')}; return ;;`,
    ),
    '  esac',
    '  case "$path" in',
    ...levels.map(({ path, commands, options }) => `    '${path}') shown=(${described([...commands, ...options])}) ;;`),
    '  esac',
    "  _describe 'hostwright' shown",
    '  _files',
    '}',
    'if [ "$funcstack[1]" = "_hostwright" ]; then _hostwright "$@"; else compdef _hostwright hostwright; fi',
  ].join('\n');
}

function fish(levels: readonly Level[]): string {
  const at = (path: string): string => `"test (__hostwright_path) = ${path === '' ? "''" : `'${path}'`}"`;
  return [
    'function __hostwright_path',
    "  set -l path ''",
    '  for word in (commandline -opc)[2..-1]',
    '    string match -q -- "-*" $word; and continue',
    '    switch (string trim "$path $word")',
    ...levels.filter(({ path }) => path !== '').map(({ path }) => `      case '${path}'; set path '${path}'`),
    '    end',
    '  end',
    '  echo $path',
    'end',
    ...levels.flatMap(({ path, commands, options }) => [
      ...commands.map(({ word, what }) => `complete -c hostwright -f -n ${at(path)} -a ${word} -d ${quoted(what)}`),
      ...options.map(({ word, what, choices, takesValue }) =>
        [
          `complete -c hostwright -n ${at(path)}`,
          word.startsWith('--') ? `-l ${word.slice(2)}` : `-s ${word.slice(1)}`,
          ...(choices.length > 0 ? [`-x -a '${choices.join(' ')}'`] : takesValue ? ['-r'] : []),
          `-d ${quoted(what)}`,
        ].join(' '),
      ),
    ]),
  ].join('\n');
}

function choicesOf(
  levels: readonly Level[],
): readonly { readonly path: string; readonly word: string; readonly choices: readonly string[] }[] {
  return levels.flatMap(({ path, options }) =>
    options.flatMap(({ word, choices }) => (choices.length === 0 ? [] : [{ path, word, choices }])),
  );
}

/** In single quotes, as all three shells take it: a quote inside ends them, stands escaped, and begins them again. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
