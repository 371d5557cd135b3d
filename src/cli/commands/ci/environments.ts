// Which environments the jobs of this repository write from, and what the forge says of each: for `doctor`.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { version } from '../../../../package.json';
import type { Finding } from '../../../model/doctor.ts';
import type { Context } from '../../context.ts';
import { proxiesOf } from '../../settings.ts';
import { placeInRepository } from '../init/ci.ts';

interface Jobs {
  /** Where files of jobs lie, from the root of the repository. */
  readonly folders: readonly string[];
  readonly environment: RegExp;
}

/** The end of an environment whose jobs read: `hosting/plan` in the pipeline that `init` writes. */
const READS = '/plan';

const GITHUB: Jobs = { folders: ['.github/workflows'], environment: /^ {4}environment: ["']?([\w.-]+)/gm };
const GITLAB: Jobs = {
  folders: ['.gitlab/hostwright', '.'],
  environment: /^ {2}environment:\n {4}name: ["']?([\w./-]+)/gm,
};

/** Nothing where no job of the repository uses Hostwright. */
export async function forgeFindings({ cwd, env }: Pick<Context, 'cwd' | 'env'>): Promise<readonly Finding[]> {
  const { root } = await placeInRepository(cwd);
  const [github, gitlab] = await Promise.all([environmentsIn(root, GITHUB), environmentsIn(root, GITLAB)]);
  if (github.length + gitlab.length === 0) return [];
  const forge = await import('../../../forge/environment.ts');
  const origin = await originOf(root);
  const common = { version, proxies: proxiesOf(env) };
  const asked = [
    ...(await Promise.all(
      github.map(async (environment) => {
        const { findForge } = await import('../../../forge/client.ts');
        const repository = env.GITHUB_REPOSITORY || origin;
        const token = env.GITHUB_TOKEN?.trim() ?? '';
        const access = findForge({ apiUrl: env.GITHUB_API_URL || 'https://api.github.com', token, repository });
        return typeof access === 'string'
          ? [forge.unaskedEnvironment(environment, access)]
          : forge.githubEnvironment({ ...common, ...access, repository, environment });
      }),
    )),
    ...(await Promise.all(
      gitlab.map(async (environment) => {
        const { findGitlab } = await import('../../../forge/gitlab.ts');
        const repository = env.CI_PROJECT_ID || origin;
        const token = env.GITLAB_TOKEN?.trim() ?? '';
        const access = findGitlab({
          apiUrl: env.CI_API_V4_URL || 'https://gitlab.com/api/v4',
          token,
          project: repository,
        });
        return typeof access === 'string'
          ? [forge.unaskedEnvironment(environment, access)]
          : forge.gitlabEnvironment({ ...common, ...access, repository, environment });
      }),
    )),
  ];
  return asked.flat();
}

async function environmentsIn(root: string, { folders, environment }: Jobs): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const folder of folders) {
    const names = await readdir(join(root, folder)).catch((): readonly string[] => []);
    for (const name of names.filter((one) => /\.ya?ml$/.test(one) && (folder !== '.' || /gitlab-ci/.test(one)))) {
      const text = await readFile(join(root, folder, name), 'utf8').catch(() => '');
      if (text.includes('hostwright'))
        for (const [, one = ''] of text.matchAll(environment)) if (!one.endsWith(READS)) found.add(one);
    }
  }
  return [...found].sort();
}

/** `acme/hosting` of the remote `origin`; empty where there is none. */
async function originOf(root: string): Promise<string> {
  const config = await readFile(join(root, '.git/config'), 'utf8').catch(() => '');
  const url = /^\[remote "origin"\]\n(?:[^[]*\n)?\s*url = (\S+)/m.exec(config)?.[1] ?? '';
  const place = url.replace(/^[a-z+]+:\/\/[^/]+/, '').replace(/(?:\.git)?\/?$/, '');
  return /(?:^|[:/])([\w.-]+(?:\/[\w.-]+)+)$/.exec(place)?.[1] ?? '';
}
