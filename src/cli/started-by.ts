// Who starts the runs of this process, from the variables that GitHub Actions and GitLab CI document for their jobs.
import type { StartedBy } from '../model/plan/started-by.ts';
import type { Context } from './context.ts';

/** The job that this process runs in, or the user at this machine. */
export function startedBy(
  env: Context['env'],
  { user, hostname }: { readonly user: string; readonly hostname: string },
): StartedBy {
  return githubJob(env) ?? gitlabJob(env) ?? { via: 'local', user, host: hostname };
}

function githubJob(env: Context['env']): StartedBy | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: job, GITHUB_SHA: commit = '' } = env;
  if (env.GITHUB_ACTIONS !== 'true' || !server || !repository || !job) return undefined;
  const attempt = env.GITHUB_RUN_ATTEMPT || '1';
  return {
    via: 'github',
    server,
    repository,
    job,
    attempt,
    url: `${server}/${repository}/actions/runs/${job}/attempts/${attempt}`,
    // Who runs a job again is not who started it first.
    actor: env.GITHUB_TRIGGERING_ACTOR || env.GITHUB_ACTOR || 'unknown',
    commit,
  };
}

function gitlabJob(env: Context['env']): StartedBy | undefined {
  const { CI_SERVER_URL: server, CI_PROJECT_PATH: repository, CI_JOB_ID: job, CI_JOB_URL: url } = env;
  if (env.GITLAB_CI !== 'true' || !server || !repository || !job || !url) return undefined;
  const pull = Number(env.CI_MERGE_REQUEST_IID || Number.NaN);
  return {
    via: 'gitlab',
    server,
    repository,
    job,
    url,
    actor: env.GITLAB_USER_LOGIN || 'unknown',
    commit: env.CI_COMMIT_SHA ?? '',
    ...(Number.isSafeInteger(pull) && { pulls: [pull] }),
  };
}
