// The examples below each command's help, and `help` for a command below another. Every example is a line that the
// program takes.
import { Argument } from 'commander';
import type { Command } from 'commander';

/**
 * Command line and what it is for, by the command's words. Shown are those of a command and of what stands below it.
 */
export const EXAMPLES: Readonly<Record<string, readonly (readonly [line: string, what: string])[]>> = {
  init: [
    ['hostwright init', 'asks'],
    [
      'hostwright init --api-url https://api.example.com --account acc-acme --start export --ci github --yes',
      'without asking',
    ],
  ],
  validate: [
    ['hostwright validate', 'everything that the workspace names'],
    ['hostwright validate sites/shop.yaml', 'one file'],
  ],
  plan: [
    ['hostwright plan', 'what would be done, in order, and why'],
    ['hostwright plan --out plan.json', 'and keep it, for `hostwright apply plan.json`'],
    ['hostwright plan --target Site/shop', 'only this site, and what it needs'],
    ['hostwright plan --changed-since origin/main', 'only what this branch changes'],
    ['hostwright plan --report markdown=comment.md', 'and a comment for a pull request'],
  ],
  apply: [
    ['hostwright apply', 'plan, ask, run'],
    ['hostwright apply plan.json', 'plan again, and run what this plan says, or nothing'],
    ['hostwright apply --expect comment.md', 'what a review approved, and nothing else'],
    ['hostwright apply --approve create,update', 'unreviewed, unless there is more to it than that'],
    ['hostwright apply --yes --allow-charges 1 --max-spend 15.00EUR', 'buy one thing, at this price at most'],
    ['hostwright apply --resume', 'go on with what an earlier run left in flight'],
  ],
  drift: [
    ['hostwright drift', 'exit code 2 when something differs'],
    ['hostwright drift --format json > drift.json', 'for a program'],
    ['hostwright drift --ignore Site/*/Caching', 'but for this'],
    ['hostwright drift --accept Site/shop/Caching', 'take over what is live, into its manifest'],
  ],
  show: [
    ['hostwright show plan.json --verbose', 'a saved plan, with every request'],
    ['hostwright show --expanded sites/shop.yaml', 'a manifest with its profiles in it'],
  ],
  export: [
    ['hostwright export --out manifests', 'a file for each'],
    ['hostwright export Site --out manifests --profiles', 'sites, with what they share in profiles'],
    ['hostwright export Mailspace/example.com', 'one, on stdout'],
  ],
  import: [
    ['hostwright import Site/shop --id 1f3c', 'a manifest for this site, or its id in the manifest that is there'],
    ['hostwright import Mailspace/example.com/Mailbox/alice@example.com', 'one line in the manifest of its mailspace'],
  ],
  graph: [['hostwright graph plan.json > plan.mmd', 'the order of a saved plan']],
  dns: [
    ['hostwright dns', 'which records are missing'],
    ['hostwright dns --zone --no-lookup > records.zone', 'all of them, as a zone file'],
  ],
  'ledger init': [['hostwright ledger init', 'once for each account']],
  'ledger list': [['hostwright ledger list', 'what is bound, what is ours, what is in flight']],
  'ledger forget': [['hostwright ledger forget Site/shop', 'the site stays as it is']],
  'ledger unlock': [['hostwright ledger unlock', 'when the run that it names is gone']],
  'ledger confirm': [
    ['hostwright ledger confirm Site/shop --id 1f3c', 'it was made, and this is its id'],
    ['hostwright ledger confirm Site/shop --not-made', 'it was not'],
  ],
  'site restart': [['hostwright site restart shop --yes', 'without asking']],
  'site purge': [['hostwright site purge shop --layer redis', 'one layer of its caches']],
  'site logs': [['hostwright site logs shop --since 1h --filter status=500', 'errors of the last hour']],
  'site metrics': [['hostwright site metrics shop --of resources --since 6h', 'numbers and plots']],
  'shield events': [['hostwright shield events shop --date 2026-01-31 --limit 20', 'of one day']],
  'contact list': [['hostwright contact list --query acme', 'those in which that stands']],
  'github comment': [
    [
      'hostwright github comment plan.md --outcome differences --pull 12',
      'written by `hostwright plan --report markdown=plan.md`',
    ],
  ],
  'github issue': [
    [
      'hostwright github issue drift.md --outcome differences',
      'written by `hostwright drift --report markdown=drift.md`',
    ],
  ],
  'github approved': [
    ['hostwright github approved --out approved.txt', 'for `hostwright apply --expect approved.txt`'],
  ],
  doctor: [['hostwright doctor', 'only reads']],
  explain: [
    ['hostwright explain', 'the kinds'],
    ['hostwright explain Site.caching.cacheExpiration', 'one field'],
  ],
  schema: [
    ['hostwright schema Site > site.schema.json', 'for an editor'],
    ['hostwright schema --list', 'the names of all'],
    ['hostwright schema --out schemas', 'all of them, as files'],
  ],
  sandbox: [
    ['hostwright sandbox --port 4010', 'with three sites'],
    ['hostwright sandbox --scenario sites:200 --latency 50ms --faults 5%', 'a large account on a bad day'],
  ],
};

/**
 * Puts the examples below the help of every command that is there, and makes `help` take the words of a command below
 * another.
 */
export function addHelp(program: Command): void {
  const visit = (command: Command, words: readonly string[]): void => {
    const name = words.join(' ');
    const own = Object.entries(EXAMPLES).flatMap(([key, lines]) =>
      key === name || key.startsWith(`${name} `) ? lines : [],
    );
    if (own.length > 0) command.addHelpText('after', renderExamples(own));
    for (const below of command.commands) visit(below, [...words, below.name()]);
  };
  for (const command of program.commands) visit(command, [command.name()]);
  program
    .helpCommand(false)
    .command('help')
    .description('Print help for a command.')
    .addArgument(new Argument('[command...]', 'Such as plan, or ledger confirm.'))
    .action((words: readonly string[]) => {
      const found = words.reduce<Command>(
        (command, word) =>
          command.commands.find((below) => below.name() === word) ?? command.error(`error: unknown command '${word}'`),
        program,
      );
      found.help();
    });
}

function renderExamples(lines: readonly (readonly [string, string])[]): string {
  const width = Math.max(...lines.map(([line]) => line.length));
  return `\nExamples:\n${lines.map(([line, what]) => `  ${line.padEnd(width)}   ${what}`).join('\n')}`;
}
