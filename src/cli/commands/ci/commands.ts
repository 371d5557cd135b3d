// The commands of `ci github` and `ci gitlab`: comments, issues and approvals, in the terms of each forge. If the forge refuses
// a request, only this command fails. The platform token is not used.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Argument, Option } from 'commander';
import type { AccountApproval, Search } from '../../../forge/approved.ts';
import type { Written } from '../../../forge/comment.ts';
import type { Forge, ForgeWords } from '../../../forge/forge.ts';
import type { Code, Diagnostic } from '../../../model/diagnostic.ts';
import { diagnose, hasErrors } from '../../../model/diagnostic.ts';
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import { EXIT_CODES } from '../../../model/plan/outcome.ts';
import { plural } from '../../../model/common/count.ts';
import { renderActJson } from '../../../report/json/index.ts';
import { escapeText } from '../../../report/view/escape.ts';
import type { Outputs } from '../../../report/view/outputs.ts';
import type { CliCommand } from '../../command.ts';
import type { Context, Format } from '../../context.ts';
import { writeOutput } from '../../../system/write-output.ts';
import { writeReports } from '../../report-files.ts';
import { trustedRoots } from '../../trusted-roots.ts';
import { sheetOf } from '../../report.ts';

/** What the options of these commands, or the variables of a job, say. */
export interface ForgeOptions {
  /** On GitHub: `acme/hosting`. */
  readonly repository?: string;
  readonly pull?: readonly number[];
  /** On GitLab: an id, or `acme/hosting`. */
  readonly project?: string;
  readonly mergeRequest?: readonly number[];
  /** Absent: the account of the token. */
  readonly author?: string;
  readonly key: string;
}

/** What differs between two forges, for these commands. */
export interface ForgeCommands {
  readonly words: ForgeWords;
  /** The group of the commands, and what their results are called in JSON. */
  readonly name: 'github' | 'gitlab';
  readonly description: string;
  readonly help: string;
  /** The forms of results beside those of every command. */
  readonly formats: readonly Format[];
  /** The options that all of them take, and that for the pull requests. */
  readonly options: () => readonly Option[];
  readonly pullOption: () => Option;
  /** The variables of a job that say what was merged, and into which branch. */
  readonly variables: { readonly commit: string; readonly branch: string };
  /** The same options from the variables of a job. */
  readonly ofJob: (env: Context['env']) => Omit<ForgeOptions, 'key'>;
  /** The codes of its problems, and what they advise. */
  readonly problems: {
    readonly notNamed: Code;
    readonly refused: Code;
    readonly noReport: Code;
    readonly noPull: Code;
    readonly otherAccount: Code;
    readonly noApproval: Code;
  };
  /** What to do about an answer, by its status. */
  readonly adviceFor: (status: number) => string;
  readonly adviceOnPull: string;
  readonly adviceOnCommit: string;
  readonly adviceOnAuthor: string;
  /** A sentence: what is missing. */
  readonly open: (context: Context, options: ForgeOptions) => Promise<Forge | string>;
  /** The pull requests that it is about, or that the job runs for. */
  readonly pullsOf: (context: Context, options: ForgeOptions) => Promise<readonly number[] | undefined>;
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

/** Adds the group of a forge. */
export function addForge(ci: CliCommand, forge: ForgeCommands): void {
  const { words, variables } = forge;
  const group = ci.command(forge.name).description(forge.description).addHelpText('after', forge.help);
  const name = `hostwright ci ${group.name()}`;
  const add = (command: string): CliCommand => {
    const added = group
      .command(command)
      .formats(...forge.formats)
      .withReport();
    for (const option of [...forge.options(), keyOption()]) added.addOption(option);
    return added;
  };
  const withText = (command: CliCommand, from: string): CliCommand =>
    command
      .addArgument(new Argument('<file>', `The report: ${from}.`))
      .addOption(
        new Option('--outcome <word>', 'The outcome of the command that wrote the report.')
          .choices(Object.keys(EXIT_CODES))
          .makeOptionMandatory(),
      );
  const withMerge = (command: CliCommand): CliCommand =>
    command
      .addOption(new Option('--commit <sha>', 'The merged commit.').env(variables.commit))
      .addOption(new Option('--branch <name>', 'The branch it was merged into.').env(variables.branch));
  const pullOption = forge.pullOption();
  withText(add(words.comment), 'plan, drift, apply, validate or fleet --report markdown=FILE')
    .description(
      `Post a report to a ${words.pull}: one ${words.comment} for each workspace and command, updated by later runs.`,
    )
    .addOption(pullOption)
    .examples([
      `${name} ${words.comment} plan.md --outcome differences ${pullOption.long ?? ''} 12`,
      'written by `hostwright plan --report markdown=plan.md`',
    ])
    .runs((context, options: ForgeOptions & Text, file: string) => comment(forge, context, file, options));
  withText(add('issue'), 'drift --report markdown=FILE')
    .description('Keep one drift issue: open while the account differs, closed when it does not.')
    .addOption(
      new Option('--label <name>', 'The label of the issue. It is created if necessary.').default('hostwright-drift'),
    )
    .addOption(new Option('--title <title>', 'The title of the issue.').default('Hostwright: live is not as declared'))
    .examples([
      `${name} issue drift.md --outcome differences`,
      'written by `hostwright drift --report markdown=drift.md`',
    ])
    .runs((context, options: ForgeOptions & IssueText, file: string) => issue(forge, context, file, options));
  withMerge(add('approved'))
    .description(
      `Write the actions that the plan ${words.comment}s of merged ${words.pull}s approve, for \`apply --expect\`.`,
    )
    .requiredOption(
      '--out <file>',
      'The file to write: one digest a line; for a fleet, the account, the digest, and `done` if it was applied.',
    )
    .examples(
      [`${name} approved --out approved.txt`, 'for `hostwright apply --expect approved.txt`'],
      [`${name} approved --key fleet --out approved.txt`, 'for `hostwright fleet apply --expect approved.txt`'],
    )
    .runs((context, options: ForgeOptions & Approved) => approved(forge, context, options));
  withMerge(add('answer'))
    .addArgument(new Argument('[parts...]', 'Files that `fleet apply --report json=FILE` wrote.'))
    .description(
      `Post the results of a fleet apply to each merged ${words.pull}. An approval is used up by a completed account.`,
    )
    .examples([`${name} answer parts/*.json --key fleet`, 'after all parts of `fleet apply`'])
    .runs((context, options: ForgeOptions & Merge, files: readonly string[]) => answer(forge, context, files, options));
}

/** The option that tells workspaces apart. */
function keyOption(): Option {
  return new Option(
    '--key <text>',
    'The workspace, in a repository with several. Each workspace has its own comment and issue.',
  ).default('main');
}

/** `otherwise`: what is said where nothing was written. */
function wrote(commands: ForgeCommands, forge: Forge, written: readonly Written[], otherwise: string): Result {
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

async function comment(
  commands: ForgeCommands,
  context: Context,
  file: string,
  options: ForgeOptions & Text,
): Promise<OutcomeWord> {
  const { putComment } = await import('../../../forge/comment.ts');
  const { reportedIn, stickyText } = await import('../../../forge/sticky.ts');
  const { isOfNoAccount } = await import('../../../report/blocks/mark.ts');
  const { words, problems } = commands;
  return onForge(commands, context, options, async (forge) => {
    const pulls = await commands.pullsOf(context, options);
    if (pulls === undefined)
      return {
        diagnostics: [diagnose(problems.noPull, commands.adviceOnPull)],
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

async function answer(
  commands: ForgeCommands,
  context: Context,
  files: readonly string[],
  options: ForgeOptions & Merge,
): Promise<OutcomeWord> {
  const { answerPulls } = await import('../../../forge/answer.ts');
  const { readParts } = await import('../../fleet-parts.ts');
  const { commit = '', branch = '', key } = options;
  return onForge(commands, context, options, async (forge) => {
    if (commit === '' || branch === '')
      return { diagnostics: [diagnose(commands.problems.notNamed, commands.adviceOnCommit)] };
    const read = await readParts(context.cwd, files);
    if ('diagnostic' in read) return { diagnostics: [read.diagnostic] };
    const { fleet } = read;
    if (fleet.command !== 'apply' && files.length > 0)
      return {
        diagnostics: [
          diagnose(
            commands.problems.noReport,
            `The parts are of \`fleet ${fleet.command}\`. Name those of \`fleet apply\`.`,
          ),
        ],
      };
    const written = await answerPulls(forge, { commit, branch, key }, { ...fleet, command: 'apply' });
    return wrote(commands, forge, written, `No ${commands.words.pull} is to hear of this run.`);
  });
}

async function issue(
  commands: ForgeCommands,
  context: Context,
  file: string,
  options: ForgeOptions & IssueText,
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

async function approved(
  commands: ForgeCommands,
  context: Context,
  options: ForgeOptions & Approved,
): Promise<OutcomeWord> {
  const { approvedBy } = await import('../../../forge/approved.ts');
  const { words, problems } = commands;
  const { commit = '', branch = '', out, key } = options;
  return onForge(commands, context, options, async (forge) => {
    if (commit === '' || branch === '') return { diagnostics: [diagnose(problems.notNamed, commands.adviceOnCommit)] };
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
      messages: [
        `${counted}${pulls.length === 0 ? '' : ` from ${words.pull} ${pulls.join(', ')}`}`,
        searched(words, approval.search),
      ],
      diagnostics: notices.map((detail) => diagnose(problems.noApproval, escapeText(detail))),
      value: {
        digests: [...digests, ...open.map(({ account, digest }) => `${account} ${digest}`)],
        pulls,
        search: approval.search,
      },
      outputs: { approved: digests.length + open.length, ...(pulls.length > 0 && { pulls: pulls.join(',') }) },
    };
  });
}

function searched({ pull }: ForgeWords, { count, oldest, until }: Search): string {
  const why = {
    'carried out': 'everything approved before it was carried out',
    first: 'there are none before it',
    limit: 'older ones were not searched',
  }[until];
  return `Searched ${plural(count, `merged ${pull}`)}${oldest === undefined ? '' : `, back to ${oldest}: ${why}`}.`;
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

async function onForge(
  commands: ForgeCommands,
  context: Context,
  options: ForgeOptions,
  ask: (forge: Forge) => Promise<Result>,
): Promise<OutcomeWord> {
  const { problems } = commands;
  const { forgeError } = await import('../../../forge/client.ts');
  try {
    const forge = await commands.open(context, options);
    if (typeof forge === 'string')
      return await finish(commands, context, { diagnostics: [diagnose(problems.notNamed, forge)] });
    return await finish(commands, context, await ask(forge));
  } catch (error) {
    const answer = forgeError(error);
    if (answer === undefined) throw error;
    return finish(commands, context, {
      diagnostics: [diagnose(problems.refused, `${escapeText(answer.said)}. ${commands.adviceFor(answer.status)}`)],
    });
  }
}

async function finish(
  commands: ForgeCommands,
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
        ...(value !== undefined && { [commands.name]: value }),
      },
      `hostwright.${commands.name}/1`,
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
    const { noteCommands } = await import('../../../report/annotations/github.ts');
    const { diagnosticNotes } = await import('../../../report/annotations/notes.ts');
    github.end(noteCommands(diagnosticNotes(diagnostics), github.place));
  }
  return outcome;
}

/** Whatever wrote the report: on a forge it is read by others. */
async function readReport({ cwd, redact }: Context, file: string): Promise<string | undefined> {
  return readFile(resolve(cwd, file), 'utf8').then(redact, () => undefined);
}

async function writeSet(
  { cwd, env }: Context,
  file: string,
  lines: readonly string[],
): Promise<Diagnostic | undefined> {
  try {
    await writeOutput(resolve(cwd, file), lines.map((line) => `${line}\n`).join(''), { roots: trustedRoots(env) });
    return undefined;
  } catch (error) {
    return diagnose(
      'HW6608',
      `\`${file}\`: ${error instanceof Error ? escapeText(error.message) : 'unknown'}. Name a file in a folder that is there.`,
    );
  }
}

function noReport({ words, problems }: ForgeCommands, file: string): Diagnostic {
  return diagnose(
    problems.noReport,
    `\`${file}\` cannot be read, is no report in Markdown that fits this command, or is longer than ${words.forge} takes. \`--report markdown=${file}\` writes one.`,
  );
}

/** A later run would not find what another account wrote, and write one more. */
function foreign(
  { words, problems, adviceOnAuthor }: ForgeCommands,
  author: string,
  forge: Forge,
): readonly Diagnostic[] {
  if (author === forge.author) return [];
  const detail = `${words.forge} says that ${author} wrote it, and --author is ${forge.author}. ${adviceOnAuthor}: what others write is neither believed nor written over.`;
  return [diagnose(problems.otherAccount, escapeText(detail))];
}
