// `hostwright github` and `--report` as users run them: which file, which stream, which exit code, what is said when
// something is missing.
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { renderOutcomeMarkdown, renderPlanMarkdown, COMMENT } from '../../src/report/markdown/index.ts';
import { outcomeOf, shopPlan } from '../report/samples.ts';
import type { FakeGithub } from '../support/servers/github.ts';
import { githubToken, startGithub } from '../support/servers/github.ts';
import { useProgram } from './program-under-test.ts';

const { run: start, folder } = useProgram();
let github: FakeGithub;

/** Between two comments the client pauses for three seconds, which here take no time to speak of. */
beforeAll(() => {
  const { setInterval, clearInterval } = globalThis;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: Date.now() });
  const hurry = setInterval(() => vi.advanceTimersByTime(100), 1);
  return () => {
    clearInterval(hurry);
    vi.useRealTimers();
  };
});

const file = (name: string): string => join(folder(), name);
beforeAll(async () => {
  github = await startGithub();
  github.addPull(7);
  // One test begins with no comment, whichever test is first.
  github.addPull(8);
  const plan = { heading: 'Plan', verbose: false, outcome: 'differences', diagnostics: [], limit: COMMENT } as const;
  await writeFile(file('plan.md'), renderPlanMarkdown(shopPlan, plan) ?? '');
  await writeFile(file('drift.md'), renderPlanMarkdown(shopPlan, { ...plan, heading: 'Drift' }) ?? '');
  await writeFile(file('outcome.md'), renderOutcomeMarkdown(outcomeOf({}), COMMENT) ?? '');
  await writeFile(file('other.md'), '# Notes\n');
  await writeFile(file('event.json'), JSON.stringify({ pull_request: { number: 8 } }));
  await writeFile(file('broken.json'), '{');
  await mkdir(file('sites'));
  await writeFile(
    file('hostwright.yaml'),
    'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acme\n  baseUrl: http://127.0.0.1:9\n  manifests: [sites]\n',
  );
  await writeFile(
    file('sites/shop.yaml'),
    'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: shop }\nspec:\n  name: Shop\n',
  );
});
afterAll(() => github.close());

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  start(['github', ...args], {
    env: { GITHUB_TOKEN: githubToken, GITHUB_API_URL: github.url, GITHUB_REPOSITORY: 'acme/hosting', ...env },
  });

describe('github comment', () => {
  it('writes on the pull request that it is given, or that the event is about', async () => {
    expect(await run(['comment', 'plan.md', '--outcome', 'differences', '--pull', '8'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Comment created: https:/) as string,
      stderr: '',
    });
    expect(
      await run(['comment', 'plan.md', '--outcome', 'differences', '--format', 'json'], {
        GITHUB_EVENT_PATH: file('event.json'),
      }),
    ).toMatchObject({ code: 0, stdout: expect.stringContaining('"did": "unchanged"') as string });
    expect(
      await run([
        'comment',
        'outcome.md',
        '--outcome',
        'done',
        '--pull',
        '8',
        '--report',
        'outputs=numbers.env',
        '--report',
        'json=told.json',
      ]),
    ).toMatchObject({ code: 0 });
    expect(await readFile(file('numbers.env'), 'utf8')).toBe('comments=1\n');
    expect(JSON.parse(await readFile(file('told.json'), 'utf8'))).toMatchObject({
      format: 'hostwright.github/1',
      outcome: 'done',
      github: [{ did: 'created', number: 8 }],
    });
  });

  it('warns when the token is of another account than is believed', async () => {
    expect(
      await run(['comment', 'plan.md', '--outcome', 'differences', '--pull', '7', '--author', 'our-app[bot]']),
    ).toMatchObject({ code: 0, stderr: expect.stringContaining('HW6606') as string });
    const own = ['comment', 'plan.md', '--outcome', 'differences', '--pull', '7', '--author', 'github-actions[bot]'];
    expect(await run(own)).toMatchObject({ code: 0, stderr: '' });
  });

  it.each<[string, readonly string[], Readonly<Record<string, string>>, string]>([
    ['no pull request', ['comment', 'plan.md', '--outcome', 'done'], { GITHUB_EVENT_PATH: '/nowhere' }, 'HW6605'],
    [
      'an event that is none',
      ['comment', 'plan.md', '--outcome', 'done'],
      { GITHUB_EVENT_PATH: 'broken.json' },
      'HW6605',
    ],
    ['no report of ours', ['comment', 'other.md', '--outcome', 'done', '--pull', '7'], {}, 'HW6604'],
    ['no file', ['comment', 'missing.md', '--outcome', 'done', '--pull', '7'], {}, 'HW6604'],
    ['no token', ['comment', 'plan.md', '--outcome', 'done', '--pull', '7'], { GITHUB_TOKEN: '' }, 'HW6602'],
    ['no repository', ['comment', 'plan.md', '--outcome', 'done', '--pull', '7'], { GITHUB_REPOSITORY: 'x' }, 'HW6602'],
    [
      'a token that is refused',
      ['comment', 'plan.md', '--outcome', 'done', '--pull', '7'],
      { GITHUB_TOKEN: 'ghs_other' },
      'GITHUB_TOKEN is not accepted',
    ],
    [
      'a pull request that is none',
      ['comment', 'plan.md', '--outcome', 'done', '--pull', '99'],
      {},
      '`pull-requests: write`',
    ],
    ['a plan for the issue', ['issue', 'plan.md', '--outcome', 'differences'], {}, 'HW6604'],
    [
      'nowhere to write',
      ['approved', '--out', 'missing/approved.txt', '--commit', 'c1', '--branch', 'main'],
      {},
      'HW6608',
    ],
    ['no commit', ['approved', '--out', 'approved.txt', '--branch', 'main'], {}, 'HW6602'],
  ])('with %s is an error that says what to do', async (_name, args, env, said) => {
    const { code, stderr } = await run(args, env);
    expect([code, stderr]).toEqual([1, expect.stringContaining(said)]);
    expect(stderr).not.toContain(githubToken);
  });

  it.each<[readonly string[], string]>([
    [['comment', 'plan.md', '--pull', '7'], '--outcome'],
    [['comment', 'plan.md', '--outcome', 'fine', '--pull', '7'], 'Allowed choices'],
    [['comment', 'plan.md', '--outcome', 'done', '--pull', '7;8'], 'several separated by commas'],
  ])('refuses %j', async (args, said) =>
    expect(await run(args)).toMatchObject({ code: 1, stderr: expect.stringContaining(said) as string }),
  );
});

describe('github issue', () => {
  it('opens for drift, leaves it when a run tells nothing, and closes it; notes for a job on request', async () => {
    expect(await run(['issue', 'drift.md', '--outcome', 'differences', '--title', 'Drift!'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Issue created') as string,
    });
    expect(github.issues.at(-1)).toMatchObject({ title: 'Drift!', state: 'open' });
    expect(await run(['issue', 'drift.md', '--outcome', 'error'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('left as it is') as string,
    });
    expect(github.issues.at(-1)).toMatchObject({ state: 'open' });
    expect(await run(['issue', 'drift.md', '--outcome', 'done', '--format', 'github'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^::stop-commands::[^]*Issue closed[^]*\n::[0-9a-f-]{36}::\n$/) as string,
    });
    expect(await run(['issue', 'drift.md', '--outcome', 'done'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('no issue is open') as string,
    });
  });
});

describe('github approved', () => {
  it('writes an empty set, and says why, when nobody approved', async () => {
    expect(await run(['approved', '--out', 'approved.txt', '--commit', 'c1', '--branch', 'main'])).toMatchObject({
      code: 0,
      stdout: '0 approved actions\n',
      stderr: expect.stringContaining('HW6607') as string,
    });
    expect(await readFile(file('approved.txt'), 'utf8')).toBe('');
  });
});

describe('--report', () => {
  it('writes the result in other forms too: JSON for its owner only, outputs at the end of what is there', async () => {
    await writeFile(file('job.env'), 'before=1\n');
    const { code, stdout } = await start([
      'validate',
      '--report',
      'json=result.json',
      '--report',
      'markdown=result.md',
      '--report',
      'outputs=job.env',
      '--report',
      'html=result.html',
    ]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 manifest') as string]);
    expect(JSON.parse(await readFile(file('result.json'), 'utf8'))).toMatchObject({
      format: 'hostwright.validation/1',
      outcome: 'done',
    });
    expect((await stat(file('result.json'))).mode & 0o777).toBe(0o600);
    expect(await readFile(file('result.md'), 'utf8')).toMatch(/^<!-- hostwright: validate - -->\n/);
    expect(await readFile(file('job.env'), 'utf8')).toBe('before=1\noutcome=done\nexit_code=0\n');
    expect(await readFile(file('result.html'), 'utf8')).toMatch(/^<!doctype html>\n[^]*>Valid: 1 manifest/);
  });

  it('also of a plan that could not be made', async () => {
    const reports = ['markdown=problems.md', 'html=problems.html', 'outputs=problems.env'];
    expect(await start(['plan', ...reports.flatMap((report) => ['--report', report])])).toMatchObject({ code: 1 });
    expect(await readFile(file('problems.html'), 'utf8')).toContain('<h1>Hostwright plan</h1>');
    expect(await readFile(file('problems.md'), 'utf8')).toMatch(/^<!-- hostwright: plan - -->/);
    expect(await readFile(file('problems.env'), 'utf8')).toBe('outcome=error\nexit_code=1\n');
  });

  it('that cannot be written ends the command as an error', async () => {
    expect(await start(['validate', '--report', 'json=missing/result.json'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('HW6601') as string,
    });
    expect(await run(['issue', 'drift.md', '--outcome', 'error', '--report', 'markdown=x.md'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no Markdown') as string,
    });
    expect(await run(['issue', 'drift.md', '--outcome', 'error', '--report', 'html=x.html'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no HTML') as string,
    });
  });

  it.each<[readonly string[], string]>([
    [['validate', '--report', 'pdf=x'], 'Forms: json, markdown, html, outputs, codequality, junit, terraform, sarif.'],
    [['validate', '--report', 'json='], 'a form and a file'],
    [['ledger', 'list', '--report', 'json=x'], '--report is for'],
    [['github', 'issue', 'drift.md', '--outcome', 'done', '--format', 'markdown'], 'this takes human, github, or json'],
  ])('refuses %j', async (args, said) =>
    expect(await start(args)).toMatchObject({ code: 1, stderr: expect.stringContaining(said) as string }),
  );
});
