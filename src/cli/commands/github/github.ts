// The commands `github comment`, `github issue` and `github approved`: what GitHub is told of a report, and what it
// knows of a review. What it refuses is an error of this command alone: the report that it is about stands.
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { version } from '../../../../package.json';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { hasErrors } from '../../../model/diagnostic.ts';
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import { approvedBy } from '../../../forge/approved.ts';
import type { Forge } from '../../../forge/client.ts';
import { findForge, forgeError, openForge } from '../../../forge/client.ts';
import { putComment } from '../../../forge/comment.ts';
import { closeIssue, openIssue } from '../../../forge/issue.ts';
import { reportedIn, stickyText } from '../../../forge/sticky.ts';
import { escapeText } from '../../../report/view/escape.ts';
import { problemCommands } from '../../../report/annotations/github.ts';
import { renderDiagnostics } from '../../../report/text/index.ts';
import { renderSiteJson } from '../../../report/json/index.ts';
import type { Outputs } from '../../../report/view/outputs.ts';
import type { Context } from '../../context.ts';
import { writeReports } from '../../report-files.ts';
import { problem, proxiesOf } from '../../settings.ts';

export interface GithubOptions {
  readonly repository?: string;
  readonly author: string;
  readonly key: string;
}

export interface TextOptions extends GithubOptions {
  readonly outcome: OutcomeWord;
}

export interface ApprovedOptions extends GithubOptions {
  readonly out: string;
  readonly commit?: string;
  readonly branch?: string;
}

interface Result {
  readonly messages?: readonly string[];
  readonly diagnostics?: readonly Diagnostic[];
  readonly value?: object;
  readonly outputs?: Outputs;
}

export async function comment(
  context: Context,
  file: string,
  options: TextOptions & { readonly pull?: readonly number[] },
): Promise<OutcomeWord> {
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

export async function issue(
  context: Context,
  file: string,
  options: TextOptions & { readonly label: string; readonly title: string },
): Promise<OutcomeWord> {
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

export async function approved(
  context: Context,
  { commit = '', branch = '', ...options }: ApprovedOptions,
): Promise<OutcomeWord> {
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
        `${digests.length} approved ${digests.length === 1 ? 'action' : 'actions'}${pulls.length === 0 ? '' : ` from pull request ${pulls.join(', ')}`}`,
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

async function onGithub(
  context: Context,
  options: GithubOptions,
  ask: (forge: Forge) => Promise<Result>,
): Promise<OutcomeWord> {
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
    renderSiteJson(
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
  const { output, github } = context;
  const text = messages.map((message) => escapeText(message)).join('\n');
  if (context.json) output.result(json());
  else if (github === undefined) {
    if (text !== '') output.result(text);
    if (diagnostics.length > 0) output.error(renderDiagnostics(diagnostics, { color: context.color.stderr }));
  } else {
    if (text !== '') output.result(text);
    if (diagnostics.length > 0) output.result(renderDiagnostics(diagnostics, { color: false }));
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
      'What was approved cannot be written',
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
