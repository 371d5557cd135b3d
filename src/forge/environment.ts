// Whether the place where the token that writes is kept is closed to branches: the environment of the jobs that apply,
// asked of the forge. What it may not tell is said to be not known.
import type { Finding } from '../model/doctor.ts';
import type { Proxies } from '../platform/proxies.ts';
import { proxiedFetch } from '../platform/undici-transport.ts';

/** Where to ask, and what for. `apiUrl` and `token` have been looked at by `findForge` or `findGitlab`. */
export interface EnvironmentQuestion {
  readonly apiUrl: string;
  readonly token: string;
  /** `acme/hosting`; on GitLab also an id. */
  readonly repository: string;
  /** `hosting`. */
  readonly environment: string;
  readonly version: string;
  readonly proxies?: Proxies;
}

const PATIENCE_MS = 10_000;
const STEPS = 'docs/ci.md, "The environment", has the three steps.';

/** What GitHub says of one environment: which branches may use it, and whether somebody has to agree. */
export async function githubEnvironment(question: EnvironmentQuestion): Promise<readonly Finding[]> {
  const { environment, repository } = question;
  const ask = reader(question);
  const at = `/repos/${repository}`;
  const [repo, found] = await Promise.all([ask(at), ask(`${at}/environments/${encodeURIComponent(environment)}`)]);
  if (repo.status !== 200) return [notKnown(environment, 'GitHub', repo.status)];
  if (found.status === 404)
    return [
      finding(
        environment,
        'warning',
        `GitHub has no environment \`${environment}\`, or GITHUB_TOKEN may not see it. GitHub makes a missing one by itself, without any rule.`,
        `Create it first. ${STEPS}`,
      ),
    ];
  if (found.status !== 200) return [notKnown(environment, 'GitHub', found.status)];
  const { default_branch: main = '' } = repo.body as { readonly default_branch?: string };
  const { deployment_branch_policy: policy, protection_rules: rules = [] } = found.body as {
    readonly deployment_branch_policy?: { readonly custom_branch_policies?: boolean } | null;
    readonly protection_rules?: readonly { readonly type?: string; readonly reviewers?: readonly unknown[] }[];
  };
  const isReviewed = rules.some(({ type, reviewers = [] }) => type === 'required_reviewers' && reviewers.length > 0);
  return [await githubBranches(question, ask, { main, policy }), reviewers(environment, 'GitHub', isReviewed)];
}

async function githubBranches(
  { environment, repository }: EnvironmentQuestion,
  ask: Ask,
  {
    main,
    policy,
  }: { readonly main: string; readonly policy: { readonly custom_branch_policies?: boolean } | null | undefined },
): Promise<Finding> {
  const open = (which: string): Finding =>
    finding(
      environment,
      'warning',
      `${which} can use the environment \`${environment}\` on GitHub, and the token in it.`,
      `Restrict it to \`${main}\`: Settings > Environments > Deployment branches and tags. ${STEPS}`,
    );
  if (policy === null || policy === undefined) return open('Every branch');
  if (policy.custom_branch_policies !== true)
    return finding(environment, 'ok', `Only protected branches can use the environment \`${environment}\` on GitHub.`);
  const path = `/repos/${repository}/environments/${encodeURIComponent(environment)}/deployment-branch-policies?per_page=100`;
  const listed = await ask(path);
  if (listed.status !== 200) return notKnown(environment, 'GitHub', listed.status);
  const { branch_policies: policies = [] } = listed.body as {
    readonly branch_policies?: readonly { readonly name: string }[];
  };
  const others = policies.map(({ name }) => name).filter((name) => name !== main);
  return others.length === 0
    ? finding(environment, 'ok', `Only \`${main}\` can use the environment \`${environment}\` on GitHub.`)
    : open(`Beside \`${main}\`, ${others.map((name) => `\`${name}\``).join(', ')}`);
}

/** What GitLab says: whether the default branch is protected, and who may deploy. */
export async function gitlabEnvironment(question: EnvironmentQuestion): Promise<readonly Finding[]> {
  const { environment, repository } = question;
  const ask = reader(question);
  const at = `/projects/${encodeURIComponent(repository)}`;
  const project = await ask(at);
  if (project.status !== 200) return [notKnown(environment, 'GitLab', project.status)];
  const { default_branch: main = '' } = project.body as { readonly default_branch?: string };
  const [branches, found] = await Promise.all([
    ask(`${at}/protected_branches?per_page=100`),
    ask(`${at}/protected_environments/${encodeURIComponent(environment)}`),
  ]);
  const names = (branches.body as readonly { readonly name: string }[] | undefined)?.map(({ name }) => name) ?? [];
  const others = names.filter((name) => name !== main);
  const remedy = `Protect \`${main}\` and no branch that others push to: Settings > Repository. ${STEPS}`;
  const branch =
    branches.status !== 200
      ? notKnown(environment, 'GitLab', branches.status)
      : !names.includes(main)
        ? finding(environment, 'warning', `The default branch \`${main}\` is not protected on GitLab.`, remedy)
        : others.length > 0
          ? finding(
              environment,
              'warning',
              `Beside \`${main}\`, ${others.map((name) => `\`${name}\``).join(', ')} can use protected variables on GitLab.`,
              remedy,
            )
          : finding(environment, 'ok', `Only \`${main}\` can use protected variables on GitLab.`);
  const variable = finding(
    environment,
    'unknown',
    'Whether HOSTWRIGHT_TOKEN is protected was not asked: the answer of GitLab would hold the token.',
    'Look at Settings > CI/CD > Variables: protected, masked, and for this environment alone.',
  );
  const deploys =
    found.status === 200 || found.status === 404
      ? reviewers(environment, 'GitLab', found.status === 200)
      : notKnown(environment, 'GitLab', found.status);
  return [branch, deploys, variable];
}

/** Where there is nobody to ask. `missing`: a sentence that says what. */
export function unaskedEnvironment(environment: string, missing: string): Finding {
  return finding(
    environment,
    'unknown',
    `Whether the environment \`${environment}\` is closed to branches is not known. ${missing}`,
    `Look at the settings of the forge. ${STEPS}`,
  );
}

function reviewers(environment: string, forge: string, are: boolean): Finding {
  return are
    ? finding(environment, 'ok', `${forge} asks somebody before a job uses the environment \`${environment}\`.`)
    : finding(
        environment,
        'warning',
        `Nobody is asked on ${forge} before a job uses the environment \`${environment}\`.`,
        `Name reviewers, unless the review of the pull request is enough for you. ${STEPS}`,
      );
}

function notKnown(environment: string, forge: string, status: number): Finding {
  const why = status === 0 ? `${forge} cannot be reached.` : `${forge} does not tell it with this token (${status}).`;
  return unaskedEnvironment(environment, why);
}

function finding(environment: string, verdict: Finding['verdict'], says: string, remedy?: string): Finding {
  return {
    area: 'forge',
    check: `environment ${environment}`,
    verdict,
    says,
    ...(remedy !== undefined && { remedy }),
  };
}

/** `status` 0: no answer. */
type Ask = (path: string) => Promise<{ readonly status: number; readonly body: unknown }>;

/** Reads alone, each once; the token goes to this address and no other. */
function reader({ apiUrl, token, version, proxies = {} }: EnvironmentQuestion): Ask {
  const send = proxiedFetch(new URL(apiUrl).origin, proxies) ?? fetch;
  return async (path) => {
    try {
      const answer = await send(`${apiUrl}${path}`, {
        redirect: 'manual',
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          'user-agent': `hostwright/${version}`,
        },
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      return { status: answer.status, body: answer.ok ? JSON.parse(await answer.text()) : undefined };
    } catch {
      return { status: 0, body: undefined };
    }
  };
}
