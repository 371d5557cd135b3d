// `ci github`: posts reports to GitHub, and reads approvals. `action.yml` is made of these commands.
import { readFile } from 'node:fs/promises';
import { Option } from 'commander';
import { version } from '../../../../package.json';
import type { Context } from '../../context.ts';
import { parsePulls } from '../../parse.ts';
import { proxiesOf } from '../../settings.ts';
import type { ForgeCommands } from './commands.ts';
import { parseJson, valueAt } from '../../../model/json.ts';

const HELP = `
Environment: GITHUB_TOKEN (the only way to give a token), GITHUB_REPOSITORY, GITHUB_API_URL, GITHUB_EVENT_PATH, GITHUB_SHA, GITHUB_REF_NAME: a job on
GitHub has all but the first. The platform's token is not used. Exit code: 0 when it is done, 1 when GitHub refused or could not be reached.`;

const AUTHOR = 'github-actions[bot]';

export const GITHUB: ForgeCommands = {
  words: { forge: 'GitHub', pull: 'pull request', comment: 'comment' },
  name: 'github',
  description: 'Post reports to pull requests and issues on GitHub, and read approvals.',
  help: HELP,
  formats: ['github'],
  options: () => [
    new Option('--repository <name>', 'The repository, as owner/name.').env('GITHUB_REPOSITORY'),
    new Option(
      '--author <login>',
      'The account of the token. Only comments and issues of this account are read and updated.',
    )
      .env('HOSTWRIGHT_GITHUB_AUTHOR')
      .default(AUTHOR),
  ],
  pullOption: () =>
    new Option(
      '--pull <numbers>',
      'The pull requests, such as 12 or 12,14 (default: the pull request of the event).',
    ).argParser(parsePulls),
  variables: { commit: 'GITHUB_SHA', branch: 'GITHUB_REF_NAME' },
  ofJob: (env) => ({ repository: env.GITHUB_REPOSITORY ?? '', author: env.HOSTWRIGHT_GITHUB_AUTHOR || AUTHOR }),
  problems: {
    notNamed: 'HW6602',
    refused: 'HW6603',
    noReport: 'HW6604',
    noPull: 'HW6605',
    otherAccount: 'HW6606',
    noApproval: 'HW6607',
  },
  adviceFor: (status) => {
    if (status === 401) return 'GITHUB_TOKEN is not accepted.';
    if (status === 403 || status === 404)
      return 'The job may lack a permission: `pull-requests: write` for comments, `issues: write` for issues, `contents: read` for commits. The token of a pull request from a fork can write nothing.';
    return status === 422 ? 'What was sent is not what it takes.' : 'Run the job again later.';
  },
  adviceOnPull: 'The event is about none. Name it: --pull 12.',
  adviceOnCommit: 'Give the merged commit and its branch: --commit and --branch, or GITHUB_SHA and GITHUB_REF_NAME.',
  adviceOnAuthor: 'Name the account of the token (--author, or HOSTWRIGHT_GITHUB_AUTHOR)',
  open: async (context, { repository = '', author = AUTHOR }) => {
    const { findForge, openForge } = await import('../../../forge/client.ts');
    const { env } = context;
    const access = findForge({
      apiUrl: env.GITHUB_API_URL || 'https://api.github.com',
      token: env.GITHUB_TOKEN?.trim() ?? '',
      repository,
    });
    if (typeof access === 'string') return access;
    return openForge({
      ...access,
      author,
      version,
      proxies: proxiesOf(env),
      onWait: (seconds) => context.hint(`GitHub limits requests: waiting ${seconds} s.`),
    });
  },
  pullsOf: async (context, { pull }) => pull ?? pullOfEvent(context),
};

/** The number of the pull request that the job runs for. */
async function pullOfEvent({ env }: Context): Promise<readonly number[] | undefined> {
  const event = parseJson(await readFile(env.GITHUB_EVENT_PATH ?? '', 'utf8').catch(() => ''));
  const number = valueAt(event, '/pull_request/number');
  return typeof number === 'number' ? [number] : undefined;
}
