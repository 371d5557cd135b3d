// `hostwright gitlab` and the reports for GitLab as users run them: which file, which stream, which exit code, what is
// said when something is missing.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMENT, renderPlanMarkdown } from '../../src/report/markdown/index.ts';
import { shopPlan } from '../report/samples.ts';
import type { FakeGitlab } from '../support/servers/gitlab.ts';
import { gitlabToken, startGitlab } from '../support/servers/gitlab.ts';
import { useProgram } from './program-under-test.ts';

const { run: start, folder } = useProgram();
let gitlab: FakeGitlab;

const file = (name: string): string => join(folder(), name);
beforeAll(async () => {
  gitlab = await startGitlab();
  gitlab.addPull(7);
  const plan = { heading: 'Plan', verbose: false, outcome: 'differences', diagnostics: [], limit: COMMENT } as const;
  await writeFile(file('plan.md'), renderPlanMarkdown(shopPlan, plan) ?? '');
  await writeFile(file('drift.md'), renderPlanMarkdown(shopPlan, { ...plan, heading: 'Drift' }) ?? '');
  await mkdir(file('sites'));
  await writeFile(
    file('hostwright.yaml'),
    'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acme\n  baseUrl: http://127.0.0.1:9\n  manifests: [sites]\n',
  );
  await writeFile(
    file('sites/shop.yaml'),
    'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: shop }\nspec:\n  name: Shop\n  colour: red\n',
  );
});
afterAll(() => gitlab.close());

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  start(['gitlab', ...args], {
    env: { GITLAB_TOKEN: gitlabToken, CI_API_V4_URL: gitlab.url, CI_PROJECT_ID: '42', ...env },
  });

describe('gitlab note', () => {
  it('writes on the merge request of the pipeline, or on the one that it is given', async () => {
    gitlab.addPull(8);
    expect(await run(['note', 'plan.md', '--outcome', 'differences'], { CI_MERGE_REQUEST_IID: '8' })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Note created: https:\S+\/-\/merge_requests\/8#note_\d+\n$/) as string,
      stderr: '',
    });
    const again = ['note', 'plan.md', '--outcome', 'differences', '--merge-request', '8'];
    expect(await run([...again, '--format', 'json', '--report', 'outputs=told.env'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/"format": "hostwright.gitlab\/1"[^]*"did": "unchanged"/) as string,
    });
    expect(await readFile(file('told.env'), 'utf8')).toBe('notes=1\n');
  });

  it.each<[string, readonly string[], Readonly<Record<string, string>>, string]>([
    ['no merge request', ['note', 'plan.md', '--outcome', 'done'], {}, 'HW6623'],
    ['no file', ['note', 'missing.md', '--outcome', 'done', '--merge-request', '7'], {}, 'HW6622'],
    ['no token', ['note', 'plan.md', '--outcome', 'done', '--merge-request', '7'], { GITLAB_TOKEN: '' }, 'HW6620'],
    ['no commit', ['approved', '--out', 'approved.txt'], {}, 'HW6620'],
    [
      'a token that is refused',
      ['note', 'plan.md', '--outcome', 'done', '--merge-request', '7'],
      { GITLAB_TOKEN: 'glpat-other' },
      'GITLAB_TOKEN is not accepted',
    ],
    [
      'a merge request that is none',
      ['note', 'plan.md', '--outcome', 'done', '--merge-request', '99'],
      {},
      'the role Reporter',
    ],
  ])('with %s is an error that says what to do', async (_name, args, env, said) => {
    const { code, stderr } = await run(args, env);
    expect([code, stderr]).toEqual([1, expect.stringContaining(said)]);
    expect(stderr).not.toContain(gitlabToken);
  });

  it('warns when the token is of another account than is believed', async () =>
    expect(
      await run(['note', 'plan.md', '--outcome', 'done', '--merge-request', '7', '--author', 'someone']),
    ).toMatchObject({ code: 0, stderr: expect.stringContaining('HW6624') as string }));
});

describe('gitlab issue and approved', () => {
  it('opens for drift, and closes; says why nobody approved', async () => {
    expect(await run(['issue', 'drift.md', '--outcome', 'differences'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Issue created') as string,
    });
    expect(await run(['issue', 'drift.md', '--outcome', 'done'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Issue closed') as string,
    });
    expect(
      await run(['approved', '--out', 'approved.txt'], { CI_COMMIT_SHA: 'c1', CI_COMMIT_BRANCH: 'main' }),
    ).toMatchObject({
      code: 0,
      stdout: '0 approved actions\n',
      stderr: expect.stringMatching(/HW6625[^]*No merge request that was merged into main/) as string,
    });
  });
});

describe('the reports for GitLab', () => {
  it('name a problem at its line, seen from the root of the repository, and count no plan that there is none of', async () => {
    const reports = ['codequality=quality.json', 'junit=junit.xml', 'terraform=numbers.json'];
    const ended = await start(['validate', ...reports.flatMap((report) => ['--report', report])], {
      env: { CI_PROJECT_DIR: join(folder(), '..') },
    });
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/HW6601[^]*no plan/) as string });
    expect(JSON.parse(await readFile(file('quality.json'), 'utf8'))).toMatchObject([
      {
        severity: 'critical',
        location: { path: expect.stringMatching(/^[^/]+\/sites\/shop\.yaml$/) as string, lines: { begin: 6 } },
      },
    ]);
    expect(await readFile(file('junit.xml'), 'utf8')).toContain('failures="1"');
    await expect(readFile(file('numbers.json'), 'utf8')).rejects.toThrow('ENOENT');
  });

  it('have every diagnostic in SARIF, with its code as the rule', async () => {
    await start(['validate', '--report', 'sarif=out.sarif'], { env: { CI_PROJECT_DIR: join(folder(), '..') } });
    const { version, runs } = JSON.parse(await readFile(file('out.sarif'), 'utf8')) as {
      version: string;
      runs: readonly {
        tool: { driver: { rules: readonly { id: string; help: { text: string } }[] } };
        results: readonly object[];
      }[];
    };
    const [{ tool, results } = { tool: { driver: { rules: [] } }, results: [] }] = runs;
    const [rule] = tool.driver.rules;
    expect([version, results.length, tool.driver.rules.length]).toEqual(['2.1.0', 1, 1]);
    expect(rule?.help.text).toContain(`hostwright explain ${rule?.id}`);
    expect(results[0]).toMatchObject({
      ruleId: rule?.id,
      ruleIndex: 0,
      level: 'error',
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: expect.stringMatching(/^[^/]+\/sites\/shop\.yaml$/) as string },
            region: { startLine: 6 },
          },
        },
      ],
    });
  });
});
