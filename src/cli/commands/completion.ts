// `completion`: a script that completes commands, options, their choices and names in a shell. It is written from the
// program itself, so it knows what this version knows; for names it asks the program (`complete.ts`).
//
// By hand, because the library for it (@bomb.sh/tab) starts Node at every key, needs the package bash-completion, and in
// bash evaluates the line as far as it is typed: `$(...)` in it would run.
import { Argument } from 'commander';
import type { CliCommand } from '../command.ts';
import { COMPLETE, NAMED_OPTIONS, takesNames } from '../completion/complete.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

export function addCompletion(program: CliCommand): void {
  program
    .command('completion')
    .description('Print a script that completes commands, options and names.')
    .addArgument(new Argument('<shell>', 'Which shell.').choices(SHELLS))
    .addHelpText(
      'after',
      '\nNames and addresses are completed from the manifests of the workspace. No request is sent.',
    )
    .examples(
      ['hostwright completion bash > ~/.local/share/bash-completion/completions/hostwright', 'for bash'],
      ['hostwright completion zsh > ~/.zfunc/_hostwright', 'for zsh, with ~/.zfunc in fpath'],
      ['hostwright completion fish > ~/.config/fish/completions/hostwright.fish', 'for fish'],
    )
    .action((shell: Shell, _options: object, command: CliCommand) =>
      command.execute((context) => {
        context.output.result(SCRIPTS[shell](levelsOf(program)));
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
  /** Words after it may be names, of manifests or of what is live. */
  readonly takesNames: boolean;
  readonly options: readonly (Word & { readonly choices: readonly string[]; readonly takesValue: boolean })[];
}

function levelsOf(program: CliCommand): readonly Level[] {
  const global = optionsOf(program);
  const below = (command: CliCommand, path: string): readonly Level[] => [
    {
      path,
      commands: [
        ...command.commands.map((one) => ({ word: one.name(), what: one.description() })),
        ...command.registeredArguments.flatMap(({ argChoices = [], description }) =>
          argChoices.map((word) => ({ word, what: description })),
        ),
      ],
      takesNames: takesNames(command),
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

const NAMED = Object.keys(NAMED_OPTIONS);

/** A pattern of `case` for some words. */
function anyOf(words: readonly string[]): string {
  return words.map(quoted).join('|');
}

function namedPaths(levels: readonly Level[]): readonly string[] {
  return levels.flatMap(({ path, takesNames: takes }) => (takes ? [path] : []));
}

const SCRIPTS: Readonly<Record<Shell, (levels: readonly Level[]) => string>> = { bash, zsh, fish };

/**
 * Walks over the words before the one that is completed, and keeps those that are commands. In zsh `path` would be PATH.
 */
function pathLoop(levels: readonly Level[], word: string): readonly string[] {
  const paths = levels.map(({ path }) => path).filter((path) => path !== '');
  return [
    `    case "${word}" in -*) continue ;; esac`,
    `    case "\${chain:+$chain }${word}" in`,
    ...paths.map((path) => `      '${path}') chain='${path}' ;;`),
    '    esac',
  ];
}

function bash(levels: readonly Level[]): string {
  return [
    '_hostwright() {',
    '  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" chain="" words="" names="" i',
    // What stands after `=` is a word of its own.
    `  if [ "$prev" = = ]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi; if [ "$cur" = = ]; then cur=""; fi`,
    '  for ((i = 1; i < COMP_CWORD; i++)); do',
    ...pathLoop(levels, '${COMP_WORDS[i]}'),
    '  done',
    '  case "$chain:$prev" in',
    ...choicesOf(levels).map(({ path, word, choices }) => `    '${path}:${word}') words='${choices.join(' ')}' ;;`),
    `    *:${anyOf(NAMED).replaceAll('|', '|*:')}) names=1 ;;`,
    '    *) case "$chain" in',
    ...levels.map(({ path, commands, options }) => {
      const words = [...commands, ...options].map(({ word }) => word).join(' ');
      return `      '${path}') words='${words}' ;;`;
    }),
    '    esac',
    `    case "$chain:$cur" in *:-*) ;; ${anyOf(namedPaths(levels)).replaceAll('|', ':*|')}:*) names=1 ;; esac ;;`,
    '  esac',
    '  COMPREPLY=()',
    '  if [ -z "$names" ]; then COMPREPLY=($(compgen -W "$words" -- "$cur")); else',
    '    while IFS= read -r i; do COMPREPLY+=("$i"); done \\',
    `      < <("\${COMP_WORDS[0]}" ${COMPLETE} -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null </dev/null)`,
    '  fi',
    '}',
    'complete -o default -F _hostwright hostwright',
  ].join('\n');
}

function zsh(levels: readonly Level[]): string {
  const described = (words: readonly Word[]): string =>
    words.map(({ word, what }) => quoted(`${word}:${what}`)).join(' ');
  return [
    '#compdef hostwright',
    '_hostwright_names() {',
    '  local -a names',
    `  names=(\${(f)"$("\${words[1]}" ${COMPLETE} -- "\${(@)words[2,CURRENT]}" 2>/dev/null </dev/null)"})`,
    '  compadd -a names',
    '}',
    '_hostwright() {',
    '  local chain="" prev="${words[CURRENT-1]}" i',
    '  local -a shown',
    '  for ((i = 2; i < CURRENT; i++)); do',
    ...pathLoop(levels, '${words[i]}'),
    '  done',
    '  case "$chain:$prev" in',
    ...choicesOf(levels).map(
      ({ path, word, choices }) => `    '${path}:${word}') compadd -- ${choices.join(' ')}; return ;;`,
    ),
    `    *:${anyOf(NAMED).replaceAll('|', '|*:')}) _hostwright_names; return ;;`,
    '  esac',
    `  case "$chain:\${words[CURRENT]}" in *:-*) ;; ${anyOf(namedPaths(levels)).replaceAll('|', ':*|')}:*) _hostwright_names; return ;; esac`,
    '  case "$chain" in',
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
    'function __hostwright_names',
    '  set -l before (commandline -opc)',
    '  set -l current (commandline -ct)',
    `  $before[1] ${COMPLETE} -- $before[2..-1] "$current" 2>/dev/null </dev/null`,
    'end',
    ...namedPaths(levels).map((path) => `complete -c hostwright -f -n ${at(path)} -a '(__hostwright_names)'`),
    ...levels.flatMap(({ path, commands, options, takesNames: takes }) => [
      // Where names are asked for, commands and choices come with them.
      ...(takes ? [] : commands).map(
        ({ word, what }) => `complete -c hostwright -f -n ${at(path)} -a ${word} -d ${quoted(what)}`,
      ),
      ...options.map(({ word, what, choices, takesValue }) =>
        [
          `complete -c hostwright -n ${at(path)}`,
          word.startsWith('--') ? `-l ${word.slice(2)}` : `-s ${word.slice(1)}`,
          ...(choices.length > 0
            ? [`-x -a '${choices.join(' ')}'`]
            : NAMED.includes(word)
              ? ["-x -a '(__hostwright_names)'"]
              : takesValue
                ? ['-r']
                : []),
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
