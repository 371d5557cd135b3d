// `github`: what GitHub is told of a report, and what it knows of a review; `action.yml` is made of these commands. What
// it refuses is an error of the command alone: the report that it is about stands. The platform's token is not used.
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Argument, Option } from 'commander';
import { version } from '../../../package.json';
import type { Forge } from '../../forge/client.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { EXIT_CODES } from '../../model/plan/outcome.ts';
import { renderActJson } from '../../report/json/index.ts';
import { escapeText } from '../../report/view/escape.ts';
import type { Outputs } from '../../report/view/outputs.ts';
import type { CliCommand, Execute } from '../command.ts';
import type { Context } from '../context.ts';
import { parsePulls } from '../parse.ts';
import { writeReports } from '../report-files.ts';
import { problem, proxiesOf } from '../settings.ts';

const HELP = `
Environment: GITHUB_TOKEN (the only way to give a token), GITHUB_REPOSITORY, GITHUB_API_URL, GITHUB_EVENT_PATH, GITHUB_SHA, GITHUB_REF_NAME: a job on
GitHub has all but the first. The platform's token is not used. Exit code: 0 when it is done, 1 when GitHub refused or could not be reached.`;

const AUTHOR = 'github-actions[bot]';

interface GithubOptions {
  readonly repository?: string;
  readonly author: string;
  readonly key: string;
}

interface TextOptions extends GithubOptions {
  readonly outcome: OutcomeWord;
}

interface CommentOptions extends TextOptions {
  readonly pull?: readonly number[];
}

interface IssueOptions extends TextOptions {
  readonly label: string;
  readonly title: string;
}

interface ApprovedOptions extends GithubOptions {
  readonly out: string;
  readonly commit?: string;
  readonly branch?: string;
}

export function addGithub(program: CliCommand, execute: Execute): void {
  const github = program
    .command('github')
    .description('Comment on pull requests and issues, and read what a review approved.')
    .addHelpText('after', HELP);
  withText(withRepository(github.command('comment')), 'plan, drift, apply, validate or fleet --report markdown=FILE')
    .description(
      'Put a report on a pull request: one comment for each workspace and command, written over by later ones.',
    )
    .addOption(
      new Option(
        '--pull <numbers>',
        'The pull requests, such as 12 or 12,14 (default: the one that the event is about).',
      ).argParser(parsePulls),
    )
    .examples([
      'hostwright github comment plan.md --outcome differences --pull 12',
      'written by `hostwright plan --report markdown=plan.md`',
    ])
    .action((file: string, _options, command: CliCommand) =>
      execute<CommentOptions>(command, (context, options) => comment(context, file, options)),
    );
  withText(withRepository(github.command('issue')), 'drift --report markdown=FILE')
    .description('Keep one issue for drift: open while something differs, closed with a word when nothing does.')
    .addOption(
      new Option('--label <name>', 'The label that it has; made when it is not there.').default('hostwright-drift'),
    )
    .addOption(new Option('--title <title>', 'Its title.').default('Hostwright: live is not as declared'))
    .examples([
      'hostwright github issue drift.md --outcome differences',
      'written by `hostwright drift --report markdown=drift.md`',
    ])
    .action((file: string, _options, command: CliCommand) =>
      execute<IssueOptions>(command, (context, options) => issue(context, file, options)),
    );
  withRepository(github.command('approved'))
    .description(
      'Write what the plan comments of merged pull requests approve, for `apply --expect`. What cannot be found approves nothing.',
    )
    .requiredOption('--out <file>', 'Where to write it, a digest a line; of a fleet an account and a digest.')
    .addOption(new Option('--commit <sha>', 'What was merged.').env('GITHUB_SHA'))
    .addOption(new Option('--branch <name>', 'Into which branch.').env('GITHUB_REF_NAME'))
    .examples(
      ['hostwright github approved --out approved.txt', 'for `hostwright apply --expect approved.txt`'],
      [
        'hostwright github approved --key fleet --out approved.txt',
        'for `hostwright fleet apply --expect approved.txt`',
      ],
    )
    .action((_options, command: CliCommand) => execute<ApprovedOptions>(command, approved));
}

function withRepository(command: CliCommand): CliCommand {
  return command
    .formats('github')
    .withReport()
    .addOption(new Option('--repository <name>', 'The repository, as owner/name.').env('GITHUB_REPOSITORY'))
    .addOption(
      new Option(
        '--author <login>',
        'Who the token belongs to: only comments and issues of this account are believed and written over.',
      )
        .env('HOSTWRIGHT_GITHUB_AUTHOR')
        .default(AUTHOR),
    )
    .addOption(
      new Option(
        '--key <text>',
        'Which workspace it is about, where a repository has several: each has a comment and an issue of its own.',
      ).default('main'),
    );
}

function withText(command: CliCommand, from: string): CliCommand {
  return command
    .addArgument(new Argument('<file>', `The report: ${from}.`))
    .addOption(
      new Option('--outcome <word>', 'How that command ended.').choices(Object.keys(EXIT_CODES)).makeOptionMandatory(),
    );
}

interface Result {
  readonly messages?: readonly string[];
  readonly diagnostics?: readonly Diagnostic[];
  readonly value?: object;
  readonly outputs?: Outputs;
}

async function comment(context: Context, file: string, options: CommentOptions): Promise<OutcomeWord> {
  const { putComment } = await import('../../forge/comment.ts');
  const { reportedIn, stickyText } = await import('../../forge/sticky.ts');
  return onGithub(context, options, async (forge) => {
    const pulls = options.pull ?? (await pullOfEvent(context));
    if (pulls === undefined)
      return {
        diagnostics: [
          problem('HW6605', 'There is no pull request to comment on', 'The event is about none. Name it: --pull 12.'),
        ],
      };
    const report = await readReport(context, file);
    const what = report === undefined ? undefined : reportedIn(report);
    const text = report === undefined || what === undefined ? undefined : stickyText(report, { ...options, what });
    if (what === undefined || text === undefined) return { diagnostics: [noReport(file)] };
    const written = [];
    for (const pull of pulls) written.push(await putComment(forge, pull, text, { what, key: options.key }));
    return {
      messages: written.map(({ did, url }) => `Comment ${did}: ${url}`),
      diagnostics: written.flatMap(({ author }) => foreign(author, options)),
      value: written,
      outputs: { comments: written.length },
    };
  });
}

async function issue(context: Context, file: string, options: IssueOptions): Promise<OutcomeWord> {
  const { closeIssue, openIssue } = await import('../../forge/issue.ts');
  const { reportedIn, stickyText } = await import('../../forge/sticky.ts');
  const { key, label, title, outcome } = options;
  return onGithub(context, options, async (forge) => {
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
    if (text === undefined) return { diagnostics: [noReport(file)] };
    const written = await openIssue(forge, { key, label, title, text });
    return {
      messages: [`Issue ${written.did}: ${written.url}`],
      diagnostics: foreign(written.author, options),
      value: written,
      outputs: { issue: written.number },
    };
  });
}

async function approved(
  context: Context,
  { commit = '', branch = '', ...options }: ApprovedOptions,
): Promise<OutcomeWord> {
  const { approvedBy } = await import('../../forge/approved.ts');
  return onGithub(context, options, async (forge) => {
    if (commit === '' || branch === '')
      return {
        diagnostics: [
          problem(
            'HW6602',
            'GitHub is not fully named',
            'Give the merged commit and its branch: --commit and --branch, or GITHUB_SHA and GITHUB_REF_NAME.',
          ),
        ],
      };
    const { digests, pulls, notices } = await approvedBy(forge, { commit, branch, key: options.key });
    const unwritten = await writeSet(context, options.out, digests);
    if (unwritten !== undefined) return { diagnostics: [unwritten] };
    return {
      messages: [
        `${digests.length} approved ${wordFor(digests)}${pulls.length === 0 ? '' : ` from pull request ${pulls.join(', ')}`}`,
      ],
      diagnostics: notices.map((detail) => ({
        code: 'HW6607',
        severity: 'warning',
        summary: 'An approval does not count',
        detail: escapeText(detail),
      })),
      value: { digests, pulls },
      outputs: { approved: digests.length, ...(pulls.length > 0 && { pulls: pulls.join(',') }) },
    };
  });
}

/** Of a comment about many accounts, whole plans are approved. */
function wordFor(digests: readonly string[]): string {
  const one = digests.some((digest) => digest.includes(' ')) ? 'plan' : 'action';
  return digests.length === 1 ? one : `${one}s`;
}

async function onGithub(
  context: Context,
  options: GithubOptions,
  ask: (forge: Forge) => Promise<Result>,
): Promise<OutcomeWord> {
  const { findForge, forgeError, openForge } = await import('../../forge/client.ts');
  const { env } = context;
  const access = findForge({
    apiUrl: env.GITHUB_API_URL || 'https://api.github.com',
    token: env.GITHUB_TOKEN?.trim() ?? '',
    repository: options.repository ?? '',
  });
  if (typeof access === 'string')
    return finish(context, { diagnostics: [problem('HW6602', 'GitHub is not fully named', access)] });
  const forge = openForge({
    ...access,
    author: options.author,
    version,
    proxies: proxiesOf(env),
    onWait: (seconds) => context.hint(`GitHub limits requests: waiting ${seconds} s.`),
  });
  try {
    return await finish(context, await ask(forge));
  } catch (error) {
    const answer = forgeError(error);
    if (answer === undefined) throw error;
    return finish(context, {
      diagnostics: [
        problem(
          'HW6603',
          'GitHub refused or could not be reached',
          `${escapeText(answer.said)}. ${adviceFor(answer.status)}`,
        ),
      ],
    });
  }
}

function adviceFor(status: number): string {
  if (status === 401) return 'GITHUB_TOKEN is not accepted.';
  if (status === 403 || status === 404)
    return 'The job may lack a permission: `pull-requests: write` for comments, `issues: write` for issues, `contents: read` for commits. The token of a pull request from a fork can write nothing.';
  return status === 422 ? 'What was sent is not what it takes.' : 'Run the job again later.';
}

async function finish(
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
      'github',
      'hostwright.github/1',
    );
  // What these commands end with is no word on the plan: a job has that from the plan itself.
  await writeReports(context, { json, outputs: () => outputs });
  const { renderDiagnostics } = await import('../../report/text/diagnostics.ts');
  const { output, github } = context;
  const text = messages.map((message) => escapeText(message)).join('\n');
  if (context.json) output.result(json());
  else if (github === undefined) {
    if (text !== '') output.result(text);
    if (diagnostics.length > 0) output.error(renderDiagnostics(diagnostics, { color: context.color.stderr }));
  } else {
    if (text !== '') output.result(text);
    if (diagnostics.length > 0) output.result(renderDiagnostics(diagnostics, { color: false }));
    const { problemCommands } = await import('../../report/annotations/github.ts');
    github.end(problemCommands(diagnostics, github.place));
  }
  return outcome;
}

async function readReport({ cwd }: Context, file: string): Promise<string | undefined> {
  return readFile(resolve(cwd, file), 'utf8').catch(() => undefined);
}

async function writeSet({ cwd }: Context, file: string, digests: readonly string[]): Promise<Diagnostic | undefined> {
  try {
    await writeFile(resolve(cwd, file), digests.map((digest) => `${digest}\n`).join(''));
    return undefined;
  } catch (error) {
    return problem(
      'HW6608',
      'The approved actions cannot be written',
      `\`${file}\`: ${error instanceof Error ? escapeText(error.message) : 'unknown'}. Name a file in a folder that is there.`,
    );
  }
}

function noReport(file: string): Diagnostic {
  return problem(
    'HW6604',
    'The report cannot be posted',
    `\`${file}\` cannot be read, is no report in Markdown that fits this command, or is longer than GitHub takes. \`--report markdown=${file}\` writes one.`,
  );
}

/** A later run would not find what another account wrote, and write one more. */
function foreign(author: string, options: GithubOptions): readonly Diagnostic[] {
  if (author === options.author) return [];
  const detail = `GitHub says that ${author} wrote it, and --author is ${options.author}. Name the account of the token (--author, or HOSTWRIGHT_GITHUB_AUTHOR): what others write is neither believed nor written over.`;
  return [
    {
      code: 'HW6606',
      severity: 'warning',
      summary: 'The token belongs to another account',
      detail: escapeText(detail),
    },
  ];
}

/** The number of the pull request that the job runs for. */
async function pullOfEvent({ env }: Context): Promise<readonly number[] | undefined> {
  try {
    const event = JSON.parse(await readFile(env.GITHUB_EVENT_PATH ?? '', 'utf8')) as {
      readonly pull_request?: { readonly number?: unknown };
    } | null;
    const number = event?.pull_request?.number;
    return typeof number === 'number' ? [number] : undefined;
  } catch {
    return undefined;
  }
}
