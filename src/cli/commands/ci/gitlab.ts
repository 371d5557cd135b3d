// `ci gitlab`: posts reports to GitLab, and reads approvals. The jobs in `examples/ci/gitlab` use these commands.
import { Option } from 'commander';
import { version } from '../../../../package.json';
import { parsePulls } from '../../parse.ts';
import { proxiesOf } from '../../settings.ts';
import type { ForgeCommands } from './commands.ts';

const HELP = `
Environment: GITLAB_TOKEN (the only way to give a token), CI_API_V4_URL, CI_PROJECT_ID, CI_MERGE_REQUEST_IID, CI_COMMIT_SHA, CI_COMMIT_BRANCH: a job
on GitLab has all but the first. GITLAB_TOKEN is a project access token with the role Reporter and the scope api: the job token (CI_JOB_TOKEN) cannot
write notes. The platform's token is not used. Exit code: 0 when it is done, 1 when GitLab refused or could not be reached.`;

export const GITLAB: ForgeCommands = {
  words: { forge: 'GitLab', pull: 'merge request', comment: 'note' },
  name: 'gitlab',
  description: 'Post reports to merge requests and issues on GitLab, and read approvals.',
  help: HELP,
  formats: [],
  options: () => [
    new Option('--project <id>', 'The project: its id, or its path such as acme/hosting.').env('CI_PROJECT_ID'),
    new Option(
      '--author <username>',
      'Only notes and issues of this account are read and updated (default: the account of the token).',
    ).env('HOSTWRIGHT_GITLAB_AUTHOR'),
  ],
  pullOption: () =>
    new Option('--merge-request <numbers>', 'The merge requests, such as 12 or 12,14.')
      .env('CI_MERGE_REQUEST_IID')
      .argParser(parsePulls),
  variables: { commit: 'CI_COMMIT_SHA', branch: 'CI_COMMIT_BRANCH' },
  ofJob: (env) => ({
    project: env.CI_PROJECT_ID ?? '',
    ...(env.HOSTWRIGHT_GITLAB_AUTHOR && { author: env.HOSTWRIGHT_GITLAB_AUTHOR }),
  }),
  problems: {
    notNamed: 'HW6620',
    refused: 'HW6621',
    noReport: 'HW6622',
    noPull: 'HW6623',
    otherAccount: 'HW6624',
    noApproval: 'HW6625',
  },
  adviceFor: (status) => {
    if (status === 401) return 'GITLAB_TOKEN is not accepted: it may be past its last day, or revoked.';
    if (status === 403 || status === 404)
      return 'GITLAB_TOKEN may not do this, or the project or the merge request is not there. It is a project access token with the role Reporter and the scope `api`.';
    return status === 400 || status === 422 ? 'What was sent is not what it takes.' : 'Run the job again later.';
  },
  adviceOnPull: 'The pipeline runs for none. Name it: --merge-request 12.',
  adviceOnCommit:
    'Give the merged commit and its branch: --commit and --branch, or CI_COMMIT_SHA and CI_COMMIT_BRANCH.',
  adviceOnAuthor: 'Name the account of the token (--author, or HOSTWRIGHT_GITLAB_AUTHOR), or leave it out',
  open: async (context, { project = '', author }) => {
    const { findGitlab, openGitlab } = await import('../../../forge/gitlab.ts');
    const { env } = context;
    const access = findGitlab({
      apiUrl: env.CI_API_V4_URL || 'https://gitlab.com/api/v4',
      token: env.GITLAB_TOKEN?.trim() ?? '',
      project,
    });
    if (typeof access === 'string') return access;
    return openGitlab({
      ...access,
      ...(author !== undefined && { author }),
      version,
      proxies: proxiesOf(env),
      onWait: (seconds) => context.hint(`GitLab limits requests: waiting ${seconds} s.`),
    });
  },
  pullsOf: (_context, { mergeRequest }) =>
    Promise.resolve(mergeRequest === undefined || mergeRequest.length === 0 ? undefined : mergeRequest),
};
