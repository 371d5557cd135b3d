// The three commands that a forge has (a comment, an issue, what a review approved), in the words of each forge. What it
// refuses is an error of the command alone: the report that it is about stands. The platform's token is not used.
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Argument, Option } from 'commander';
import type { AccountApproval } from '../../../forge/approved.ts';
import type { Written } from '../../../forge/comment.ts';
import type { Forge, ForgeWords } from '../../../forge/forge.ts';
import type { ActFormat, ActValue } from '../../../model/act-document.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { hasErrors } from '../../../model/diagnostic.ts';
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import { EXIT_CODES } from '../../../model/plan/outcome.ts';
import { renderActJson } from '../../../report/json/index.ts';
import { escapeText } from '../../../report/view/escape.ts';
import type { Outputs } from '../../../report/view/outputs.ts';
import type { CliCommand, Execute } from '../../command.ts';
import type { Context } from '../../context.ts';
import { writeReports } from '../../report-files.ts';
import { sheetOf } from '../../report.ts';
import { problem } from '../../settings.ts';

/** The options that both forges have. */
export interface ForgeOptions {
  /** Absent: the account of the token. */
  readonly author?: string;
  readonly key: string;
}

/** What a job knows of itself: the options of these commands, and what was merged where. */
export interface Job<Options extends ForgeOptions> {
  readonly options: Options;
  readonly commit: string;
  readonly branch: string;
}

/** What a diagnostic is called. */
type Named = Pick<Diagnostic, 'code' | 'summary'>;

/** What differs between two forges, for these commands. */
export interface ForgeCommands<Options extends ForgeOptions> {
  readonly words: ForgeWords;
  readonly value: ActValue;
  readonly format: ActFormat;
  /** The codes of its problems, and what they advise. */
  readonly problems: {
    readonly notNamed: Named;
    readonly refused: Named;
    readonly noReport: Named;
    readonly noPull: Named;
    readonly otherAccount: Named;
    readonly noApproval: Named;
  };
  /** What to do about an answer, by its status. */
  readonly adviceFor: (status: number) => string;
  readonly adviceOnPull: string;
  readonly adviceOnCommit: string;
  readonly adviceOnAuthor: string;
  /** A sentence: what is missing. */
  readonly open: (context: Context, options: Options) => Promise<Forge | string>;
  /** The pull request that the job runs for. */
  readonly pullOf: (context: Context, options: Options) => Promise<readonly number[] | undefined>;
}

interface Text {
  readonly outcome: OutcomeWord;
}

interface IssueText extends Text {
  readonly label: string;
  readonly title: string;
}

/** What was merged, and where to. */
interface Merge {
  readonly commit?: string;
  readonly branch?: string;
}

interface Approved extends Merge {
  readonly out: string;
}

/** Names of the three commands and of their options, and which variables of a job they take. */
export interface ForgeNames {
  readonly comment: string;
  readonly pullOption: Option;
  readonly commitVariable: string;
  readonly branchVariable: string;
}

/** Adds the three commands to the group of a forge. `withProject`: adds the options that all of them take. */
export function addForgeCommands<Options extends ForgeOptions>(
  group: CliCommand,
  execute: Execute,
  forge: ForgeCommands<Options>,
  { names, withProject }: { readonly names: ForgeNames; readonly withProject: (command: CliCommand) => CliCommand },
): void {
  const name = `hostwright ${group.name()}`;
  withText(withProject(group.command(names.comment)), 'plan, drift, apply, validate or fleet --report markdown=FILE')
    .description(
      `Put a report on a ${forge.words.pull}: one ${forge.words.comment} for each workspace and command, written over by later ones.`,
    )
    .addOption(names.pullOption)
    .examples([
      `${name} ${names.comment} plan.md --outcome differences ${names.pullOption.long ?? ''} 12`,
      'written by `hostwright plan --report markdown=plan.md`',
    ])
    .action((file: string, _options, command: CliCommand) =>
      execute<Options & Text>(command, (context, options) => comment(forge, context, file, options)),
    );
  withText(withProject(group.command('issue')), 'drift --report markdown=FILE')
    .description('Keep one issue for drift: open while something differs, closed with a word when nothing does.')
    .addOption(
      new Option('--label <name>', 'The label that it has; made when it is not there.').default('hostwright-drift'),
    )
    .addOption(new Option('--title <title>', 'Its title.').default('Hostwright: live is not as declared'))
    .examples([
      `${name} issue drift.md --outcome differences`,
      'written by `hostwright drift --report markdown=drift.md`',
    ])
    .action((file: string, _options, command: CliCommand) =>
      execute<Options & IssueText>(command, (context, options) => issue(forge, context, file, options)),
    );
  withMerge(withProject(group.command('approved')), names)
    .description(
      `Write what the plan ${forge.words.comment}s of merged ${forge.words.pull}s approve, for \`apply --expect\`. What cannot be found approves nothing.`,
    )
    .requiredOption(
      '--out <file>',
      'Where to write it, a digest a line; of a fleet an account and a digest, and `done` where it is carried out.',
    )
    .examples(
      [`${name} approved --out approved.txt`, 'for `hostwright apply --expect approved.txt`'],
      [`${name} approved --key fleet --out approved.txt`, 'for `hostwright fleet apply --expect approved.txt`'],
    )
    .action((_options, command: CliCommand) =>
      execute<Options & Approved>(command, (context, options) => approved(forge, context, options)),
    );
  withMerge(withProject(group.command('answer')), names)
    .addArgument(new Argument('[parts...]', 'Files that `fleet apply --report json=FILE` wrote.'))
    .description(
      `Tell each merged ${forge.words.pull} what became of its accounts of a fleet. What is done uses its approval up.`,
    )
    .examples([`${name} answer parts/*.json --key fleet`, 'after all parts of `fleet apply`'])
    .action((files: string[], _options, command: CliCommand) =>
      execute<Options & Merge>(command, (context, options) => answer(forge, context, files, options)),
    );
}

function withMerge(command: CliCommand, { commitVariable, branchVariable }: ForgeNames): CliCommand {
  return command
    .addOption(new Option('--commit <sha>', 'What was merged.').env(commitVariable))
    .addOption(new Option('--branch <name>', 'Into which branch.').env(branchVariable));
}

/** The option that tells workspaces apart. */
export function keyOption(): Option {
  return new Option(
    '--key <text>',
    'Which workspace it is about, where a repository has several: each has a comment and an issue of its own.',
  ).default('main');
}

function withText(command: CliCommand, from: string): CliCommand {
  return command
    .addArgument(new Argument('<file>', `The report: ${from}.`))
    .addOption(
      new Option('--outcome <word>', 'How that command ended.').choices(Object.keys(EXIT_CODES)).makeOptionMandatory(),
    );
}

/** `otherwise`: what is said where nothing was written. */
function wrote<Options extends ForgeOptions>(
  commands: ForgeCommands<Options>,
  forge: Forge,
  written: readonly Written[],
  otherwise: string,
): Result {
  const { comment: name } = commands.words;
  const noun = name.replace(/^./, (first) => first.toUpperCase());
  return {
    messages: written.length === 0 ? [otherwise] : written.map(({ did, url }) => `${noun} ${did}: ${url}`),
    diagnostics: written.flatMap(({ author }) => foreign(commands, author, forge)),
    value: written,
    outputs: { [`${name}s`]: written.length },
  };
}

interface Result {
  readonly messages?: readonly string[];
  readonly diagnostics?: readonly Diagnostic[];
  readonly value?: object;
  readonly outputs?: Outputs;
}

async function comment<Options extends ForgeOptions>(
  commands: ForgeCommands<Options>,
  context: Context,
  file: string,
  options: Options & Text,
): Promise<OutcomeWord> {
  const { putComment } = await import('../../../forge/comment.ts');
  const { reportedIn, stickyText } = await import('../../../forge/sticky.ts');
  const { isOfNoAccount } = await import('../../../report/markdown/index.ts');
  const { words, problems } = commands;
  return onForge(commands, context, options, async (forge) => {
    const pulls = await commands.pullOf(context, options);
    if (pulls === undefined)
      return {
        diagnostics: [told(problems.noPull, commands.adviceOnPull)],
      };
    const report = await readReport(context, file);
    const what = report === undefined ? undefined : reportedIn(report);
    const text = report === undefined || what === undefined ? undefined : stickyText(report, { ...options, what });
    if (what === undefined || text === undefined) return { diagnostics: [noReport(commands, file)] };
    const written: Written[] = [];
    // That no account is in a run is worth no comment. One that is there does not stay as it was, though.
    const onlyOver = isOfNoAccount(report ?? '');
    for (const pull of pulls) {
      const one = await putComment(forge, pull, text, { what, key: options.key, onlyOver });
      if (one !== undefined) written.push(one);
    }
    return wrote(commands, forge, written, `No account is in this run, so there is no ${words.comment} about it.`);
  });
}

async function answer<Options extends ForgeOptions>(
  commands: ForgeCommands<Options>,
  context: Context,
  files: readonly string[],
  options: Options & Merge,
): Promise<OutcomeWord> {
  const { answerPulls } = await import('../../../forge/answer.ts');
  const { readParts } = await import('../fleet/parts.ts');
  const { commit = '', branch = '', key } = options;
  return onForge(commands, context, options, async (forge) => {
    if (commit === '' || branch === '')
      return { diagnostics: [told(commands.problems.notNamed, commands.adviceOnCommit)] };
    const read = await readParts(context.cwd, files);
    if ('diagnostic' in read) return { diagnostics: [read.diagnostic] };
    const { fleet } = read;
    if (fleet.command !== 'apply' && files.length > 0)
      return {
        diagnostics: [
          told(
            commands.problems.noReport,
            `The parts are of \`fleet ${fleet.command}\`. Name those of \`fleet apply\`.`,
          ),
        ],
      };
    const written = await answerPulls(forge, { commit, branch, key }, { ...fleet, command: 'apply' });
    return wrote(commands, forge, written, `No ${commands.words.pull} is to hear of this run.`);
  });
}

async function issue<Options extends ForgeOptions>(
  commands: ForgeCommands<Options>,
  context: Context,
  file: string,
  options: Options & IssueText,
): Promise<OutcomeWord> {
  const { closeIssue, openIssue } = await import('../../../forge/issue.ts');
  const { reportedIn, stickyText } = await import('../../../forge/sticky.ts');
  const { key, label, title, outcome } = options;
  return onForge(commands, context, options, async (forge) => {
    if (outcome === 'done') {
      const closed = await closeIssue(forge, { key, label, reason: 'Nothing differs any more: live is as declared.' });
      return closed === undefined
        ? { messages: ['Nothing differs, and no issue is open.'] }
        : { messages: [`Issue closed: ${closed.url}`], value: closed, outputs: { issue: closed.number } };
    }
    // A run that could not read or was stopped is no evidence of drift, nor of its end.
    if (outcome !== 'differences' && outcome !== 'waiting')
      return {
        messages: [`The run ended with \`${outcome}\`, which says nothing about drift: the issue is left as it is.`],
      };
    const report = await readReport(context, file);
    const text =
      report === undefined || reportedIn(report) !== 'drift'
        ? undefined
        : stickyText(report, { what: 'drift', key, outcome });
    if (text === undefined) return { diagnostics: [noReport(commands, file)] };
    const written = await openIssue(forge, { key, label, title, text });
    return {
      messages: [`Issue ${written.did}: ${written.url}`],
      diagnostics: foreign(commands, written.author, forge),
      value: written,
      outputs: { issue: written.number },
    };
  });
}

async function approved<Options extends ForgeOptions>(
  commands: ForgeCommands<Options>,
  context: Context,
  options: Options & Approved,
): Promise<OutcomeWord> {
  const { approvedBy } = await import('../../../forge/approved.ts');
  const { plural } = await import('../../../report/view/document.ts');
  const { words, problems } = commands;
  const { commit = '', branch = '', out, key } = options;
  return onForge(commands, context, options, async (forge) => {
    if (commit === '' || branch === '') return { diagnostics: [told(problems.notNamed, commands.adviceOnCommit)] };
    const approval = await approvedBy(forge, { commit, branch, key });
    const { digests, accounts, pulls, notices } = approval;
    const { headLines } = await import('../../plan-file/approved.ts');
    const lines = [...headLines(pulls, approval), ...digests, ...accountLines(accounts)];
    const unwritten = await writeSet(context, out, lines);
    if (unwritten !== undefined) return { diagnostics: [unwritten] };
    const open = accounts.filter(({ isDone }) => !isDone);
    const counted =
      accounts.length > 0 ? plural(open.length, 'approved plan') : plural(digests.length, 'approved action');
    return {
      messages: [`${counted}${pulls.length === 0 ? '' : ` from ${words.pull} ${pulls.join(', ')}`}`],
      diagnostics: notices.map((detail) => ({
        ...problems.noApproval,
        severity: 'warning',
        detail: escapeText(detail),
      })),
      value: { digests: [...digests, ...open.map(({ account, digest }) => `${account} ${digest}`)], pulls },
      outputs: { approved: digests.length + open.length, ...(pulls.length > 0 && { pulls: pulls.join(',') }) },
    };
  });
}

/** Each account and digest once: `done` where no approval of it is left. */
function accountLines(accounts: readonly AccountApproval[]): readonly string[] {
  const open = new Set(accounts.filter(({ isDone }) => !isDone).map(lineOf));
  const done = accounts.map(lineOf).filter((line) => !open.has(line));
  return [...open, ...[...new Set(done)].map((line) => `${line} done`)];
}

function lineOf({ account, digest }: AccountApproval): string {
  return `${account} ${digest}`;
}

async function onForge<Options extends ForgeOptions>(
  commands: ForgeCommands<Options>,
  context: Context,
  options: Options,
  ask: (forge: Forge) => Promise<Result>,
): Promise<OutcomeWord> {
  const { problems } = commands;
  const { forgeError } = await import('../../../forge/client.ts');
  try {
    const forge = await commands.open(context, options);
    if (typeof forge === 'string')
      return await finish(commands, context, { diagnostics: [told(problems.notNamed, forge)] });
    return await finish(commands, context, await ask(forge));
  } catch (error) {
    const answer = forgeError(error);
    if (answer === undefined) throw error;
    return finish(commands, context, {
      diagnostics: [told(problems.refused, `${escapeText(answer.said)}. ${commands.adviceFor(answer.status)}`)],
    });
  }
}

async function finish<Options extends ForgeOptions>(
  commands: ForgeCommands<Options>,
  context: Context,
  { messages = [], diagnostics = [], value, outputs = {} }: Result,
): Promise<OutcomeWord> {
  const outcome: OutcomeWord = hasErrors(diagnostics) ? 'error' : 'done';
  const json = (): string =>
    renderActJson(
      {
        outcome,
        diagnostics,
        ...(messages.length > 0 && { message: messages.join('\n') }),
        ...(value !== undefined && { value }),
      },
      commands.value,
      commands.format,
    );
  // What these commands end with is no word on the plan: a job has that from the plan itself.
  await writeReports(context, { json, outputs: () => outputs });
  const { renderDiagnostics } = await import('../../../report/text/diagnostics.ts');
  const { output, github } = context;
  const text = messages.map((message) => escapeText(message)).join('\n');
  if (context.json) output.result(json());
  else if (github === undefined) {
    if (text !== '') output.result(text);
    if (diagnostics.length > 0) output.error(renderDiagnostics(diagnostics, sheetOf(context, 'stderr')));
  } else {
    if (text !== '') output.result(text);
    if (diagnostics.length > 0) output.result(renderDiagnostics(diagnostics, { color: false }));
    const { problemCommands } = await import('../../../report/annotations/github.ts');
    github.end(problemCommands(diagnostics, github.place));
  }
  return outcome;
}

/** Whatever wrote the report: on a forge it is read by others. */
async function readReport({ cwd, redact }: Context, file: string): Promise<string | undefined> {
  return readFile(resolve(cwd, file), 'utf8').then(redact, () => undefined);
}

async function writeSet({ cwd }: Context, file: string, lines: readonly string[]): Promise<Diagnostic | undefined> {
  try {
    await writeFile(resolve(cwd, file), lines.map((line) => `${line}\n`).join(''));
    return undefined;
  } catch (error) {
    return problem(
      'HW6608',
      'The approved actions cannot be written',
      `\`${file}\`: ${error instanceof Error ? escapeText(error.message) : 'unknown'}. Name a file in a folder that is there.`,
    );
  }
}

function told({ code, summary }: Named, detail: string): Diagnostic {
  return problem(code, summary, detail);
}

function noReport<Options extends ForgeOptions>({ words, problems }: ForgeCommands<Options>, file: string): Diagnostic {
  return told(
    problems.noReport,
    `\`${file}\` cannot be read, is no report in Markdown that fits this command, or is longer than ${words.forge} takes. \`--report markdown=${file}\` writes one.`,
  );
}

/** A later run would not find what another account wrote, and write one more. */
function foreign<Options extends ForgeOptions>(
  { words, problems, adviceOnAuthor }: ForgeCommands<Options>,
  author: string,
  forge: Forge,
): readonly Diagnostic[] {
  if (author === forge.author) return [];
  const detail = `${words.forge} says that ${author} wrote it, and --author is ${forge.author}. ${adviceOnAuthor}: what others write is neither believed nor written over.`;
  return [
    {
      ...problems.otherAccount,
      severity: 'warning',
      detail: escapeText(detail),
    },
  ];
}
