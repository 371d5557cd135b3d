// `init`: a new workspace validates and plans to nothing whatever was answered, is left alone a second time, and never
// holds a token; what is missing is told with the flag that gives it, and a person at a terminal is asked instead.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createAsker } from '../../../src/cli/commands/init/answers.ts';
import type { Asker, InitFlags, InitGiven } from '../../../src/cli/commands/init/answers.ts';
import { answersFor } from '../../../src/cli/commands/init/answers.ts';
import type { Ci } from '../../../src/cli/commands/init/ci.ts';
import { ciFiles, placeInRepository, starterFiles } from '../../../src/cli/commands/init/ci.ts';
import { ignoredLines, schemaFor } from '../../../src/cli/commands/init/material.ts';
import { API_KEY, OAUTH_READ_ONLY_TOKEN, SYSTEM_KEY } from '../../../src/sandbox/core/http/credentials.ts';
import type { InitAnswers } from '../../../src/usecases/init.ts';
import { hasErrors } from '../../../src/model/diagnostic.ts';
import { initWorkspace, reachOf, workspaceIn } from '../../../src/usecases/init.ts';
import { ledgerCommand } from '../../../src/usecases/ledger.ts';
import { planWorkspace } from '../../../src/usecases/plan/plan.ts';
import type { Session } from '../../../src/usecases/session.ts';
import { validateWorkspace } from '../../../src/usecases/validate.ts';
import type { Harness } from '../../support/harness.ts';
import { startHarness } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import { containing, matching } from '../../support/matchers.ts';
import { lintWorkflow } from '../../support/lint-workflow.ts';

const TOKEN = 'sandbox-api-key';
let harness: Harness;
let parent = '';
let folder = '';
let count = 0;

beforeAll(async () => {
  harness = await startHarness();
  parent = await mkdtemp(join(tmpdir(), 'hostwright-init-'));
});
afterAll(async () => {
  await Promise.all([harness.close(), rm(parent, { recursive: true, force: true })]);
});
beforeEach(async () => {
  folder = join(parent, `w${(count += 1)}`);
  await mkdir(folder);
});

const session = (extra: Partial<Session> = {}): Session => harness.session({ cwd: folder, overrides: {}, ...extra });
const answers = (extra: Partial<InitAnswers> = {}): InitAnswers => ({
  account: 'acc-acme',
  baseUrl: harness.sandbox.url,
  start: 'example',
  ledger: 'file',
  guards: { allowDeletes: 0, allowCharges: 0 },
  ...extra,
});

async function begin(
  given: InitAnswers | 'a workspace already' = answers(),
  ci: Ci = 'none',
  own: Session = session(),
  update = false,
) {
  const already = given === 'a workspace already';
  return initWorkspace(own, already ? undefined : given, {
    schema: await schemaFor(own.cwd),
    ci: {
      files: await ciFiles(ci, already ? 'acc-acme' : given.account, await placeInRepository(own.cwd)),
      update,
    },
    ignored: ignoredLines(ci, already || given.ledger === 'file'),
  });
}

/** Every file below the folder with its text, but the schema and what git keeps. */
async function contents(): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((name) => !name.includes('/.git/'));
  return Object.fromEntries(
    await Promise.all(
      names.sort().map(async (name) => [name.slice(folder.length + 1), await readFile(name, 'utf8')] as const),
    ),
  );
}

async function expectUnchangedPlan(): Promise<void> {
  const checked = await validateWorkspace(session(), []);
  expect(checked.diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
  const { plan, diagnostics } = await planWorkspace(session(), { paths: [], targets: [] });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(plan).toMatchObject({ actions: [], unknown: [], blocked: [], waiting: [], manual: [], deferred: [] });
}

describe('a new workspace', () => {
  it.each(
    (['empty', 'example', 'export'] as const).flatMap((start) =>
      (['github', 'gitlab', 'shell', 'none'] as const).map((ci) => [start, ci] as const),
    ),
  )('--start %s --ci %s: validates and plans to nothing, and a second time changes nothing', async (start, ci) => {
    const first = await begin(answers({ start }), ci);
    expect(hasErrors(first.diagnostics)).toBe(false);
    const before = await contents();
    expect(
      Object.keys(before)
        .filter((file) => file !== '.hostwright/ledger.jsonl')
        .sort(),
    ).toEqual([...first.written].sort());
    await expectUnchangedPlan();
    const second = await begin('a workspace already', ci);
    expect([second.written, second.diagnostics]).toEqual([[], []]);
    expect(await contents()).toEqual(before);
    // The command does not come here in a workspace; whoever does finds every file left alone all the same.
    const third = await begin(answers({ start: start === 'export' ? 'empty' : start }), ci);
    expect(third.left).toContain('hostwright.yaml');
    expect(third.ledger).toBe('There is a ledger already, and it is complete.');
    if (start === 'export') return;
    expect([third.written, third.left]).toEqual([[], first.written.filter((file) => file !== '.gitignore')]);
    expect(await contents()).toEqual(before);
    expect(JSON.stringify(before)).not.toContain(TOKEN);
  });

  it('the files for CI carry the account in the names of their groups', async () => {
    const place = { root: folder, folder: '', shared: [], registryVariables: [] };
    for (const { text } of [
      ...(await ciFiles('github', 'acc.acme:1', place)),
      ...(await ciFiles('gitlab', 'acc.acme:1', place)).slice(0, 1),
    ]) {
      const groups = text.split('\n').filter((line) => /^ *(resource_)?group:/.test(line));
      expect(groups.length).toBeGreaterThan(0);
      for (const line of groups)
        expect(line).toMatch(
          /group: hostwright-(\w+-)?acc-acme-1(-\$\{\{ github\.event\.pull_request\.number \|\| github\.ref \}\})?$/,
        );
    }
  });

  it('the job that runs a program has no right but to read, and no credential is left for it', async () => {
    const place = { root: folder, folder: '', shared: [], registryVariables: [] };
    const [plan] = await ciFiles('github', 'acc-acme', place, { isProgram: true });
    const { jobs } = parse(plan?.text ?? '') as {
      readonly jobs: Readonly<
        Record<
          string,
          {
            readonly permissions?: object;
            readonly steps: readonly { readonly uses?: string; readonly with?: object }[];
          }
        >
      >;
    };
    expect(jobs.synth?.permissions).toEqual({ contents: 'read' });
    expect(JSON.stringify(jobs.synth)).not.toContain('secrets.');
    expect(jobs.synth?.steps.find(({ uses = '' }) => uses.startsWith('actions/checkout@'))?.with).toEqual({
      'persist-credentials': false,
    });
    expect(plan?.text).toContain('guards-from: ${{ github.event.pull_request.base.sha ||');
  });

  it.each(['', 'accounts/acme'])('the plan of a program names its lines, in the folder `%s`', async (own) => {
    const place = { root: folder, folder: own, shared: [], registryVariables: [] };
    const [plan] = await ciFiles('github', 'acc-acme', place, { isProgram: true });
    const { jobs } = parse(plan?.text ?? '') as {
      readonly jobs: Readonly<
        Record<string, { readonly steps: readonly { readonly with?: Record<string, string> }[] }>
      >;
    };
    const [given, taken] = [jobs.synth?.steps.at(-1)?.with, jobs.plan?.steps.at(-2)?.with];
    expect(given).toEqual({
      name: 'program-lines.json',
      path: [own, 'program-lines.json'].join('/').replace(/^\//, ''),
    });
    expect(taken).toEqual({ name: 'program-lines.json', ...(own !== '' && { path: own }) });
    expect(jobs.plan?.steps.at(-1)?.with?.arguments).toBe('--sources\nprogram-lines.json\n');
    const [file] = await ciFiles(
      'gitlab',
      'acc-acme',
      { ...place, registryVariables: ['NPM_TOKEN'] },
      { isProgram: true },
    );
    const pipeline = parse(file?.text ?? '') as Readonly<Record<string, object>>;
    const named = (job: string): string => (own === '' ? `hostwright ${job}` : `hostwright ${job} (${own})`);
    expect(pipeline[named('synth')]).toMatchObject({
      script: [
        matching(/^env -u CI_JOB_TOKEN .* -u NPM_TOKEN hostwright synth --check --sources program-lines\.json$/),
      ],
      artifacts: { paths: ['$HOSTWRIGHT_FOLDER/program-lines.json'] },
    });
    expect(pipeline[named('synth')]).not.toHaveProperty('environment');
    expect(pipeline[named('plan')]).toMatchObject({
      needs: [named('synth')],
      environment: { name: own === '' ? 'hosting/plan' : 'hosting-acc-acme/plan', action: 'access' },
    });
  });

  it('says in its file what was answered, as text that is read back as it was', async () => {
    await begin(answers({ account: '12345', guards: { allowDeletes: 3, allowCharges: 2, maxSpend: '15.00 EUR' } }));
    const { workspace, diagnostics } = (await workspaceIn(session())) ?? { diagnostics: [] };
    expect(diagnostics).toEqual([]);
    expect(workspace).toMatchObject({
      account: '12345',
      baseUrl: harness.sandbox.url,
      manifests: ['manifests'],
      guards: { allowDeletes: 3, allowCharges: 2, maxSpend: '15.00 EUR' },
      ledger: { file: '.hostwright/ledger.jsonl' },
    });
    expect(await readFile(join(folder, 'hostwright.yaml'), 'utf8')).toMatch(
      /^# yaml-language-server: \$schema=\.hostwright\/hostwright\.schema\.json\n/,
    );
  });

  it('the example holds up when its site is taken into use', async () => {
    await begin(answers());
    const file = join(folder, 'manifests/example.yaml');
    const text = (await readFile(file, 'utf8'))
      .replaceAll(/^# (apiVersion|kind|metadata|spec|  .*)/gm, '$1')
      .replace('shop.example.com', 'www.shop.example.com');
    await writeFile(file, text);
    expect(await validateWorkspace(session(), [])).toMatchObject({ diagnostics: [], manifests: 2 });
  });

  it('names the schema of an installed package where there is one, and copies none', async () => {
    await mkdir(join(folder, 'node_modules/hostwright/schemas'), { recursive: true });
    await writeFile(join(folder, 'node_modules/hostwright/schemas/hostwright.schema.json'), '{}');
    const { written } = await begin();
    expect(written).not.toContain('.hostwright/hostwright.schema.json');
    expect(await readFile(join(folder, 'hostwright.yaml'), 'utf8')).toMatch(
      /^# yaml-language-server: \$schema=\.\/node_modules\//,
    );
    expect(await readFile(join(folder, 'manifests/example.yaml'), 'utf8')).toMatch(
      /^# yaml-language-server: \$schema=\.\.\/node_modules\//,
    );
  });
});

describe('--start export', () => {
  it('writes a manifest for each site, with the line that editors look for, and asks for nothing but reads', async () => {
    const before = harness.sandbox.requests.length;
    const { written, diagnostics } = await begin(answers({ start: 'export' }));
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    const sites = written.filter((file) => file.startsWith('manifests/sites/'));
    expect(sites).toHaveLength(3);
    expect(await readFile(join(folder, sites[0] ?? ''), 'utf8')).toMatch(
      /^# yaml-language-server: \$schema=\.\.\/\.\.\/\.hostwright\/hostwright\.schema\.json\n/,
    );
    expect(harness.sandbox.requests.slice(before).filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('of an account that holds nothing is an empty start', async () => {
    const empty = await startHarness({ scenario: 'empty' });
    // Its users are all that there is, and OAuth is closed out of those (CNV-11): told, and no reason to stop.
    const { written, diagnostics } = await begin(
      answers({ start: 'export' }),
      'none',
      empty.session({ cwd: folder, overrides: {}, token: OAUTH_READ_ONLY_TOKEN }),
    );
    expect(diagnostics.map(({ severity }) => severity)).not.toContain('error');
    expect(written).toContain('manifests/shared.yaml');
    expect((await validateWorkspace(session(), [])).manifests).toBe(1);
    await empty.close();
  });

  it('that cannot be done writes nothing: no platform, a token that is refused, manifests that are there', async () => {
    const refused = await begin(answers({ start: 'export' }), 'github', session({ token: 'nobody' }));
    expect(refused).toMatchObject({ written: [], diagnostics: [{ code: 'HW3001' }] });
    await mkdir(join(folder, 'manifests'));
    await writeFile(join(folder, 'manifests/mine.yaml'), '# mine\n');
    expect(await begin(answers({ start: 'export' }))).toMatchObject({ written: [], diagnostics: [{ code: 'HW6529' }] });
    expect(Object.keys(await contents())).toEqual(['manifests/mine.yaml']);
  });
});

describe('what is there already', () => {
  it('is left as it is and told; lines come to the ignore file once, behind what stands there', async () => {
    await writeFile(join(folder, '.gitignore'), 'dist\nplan.json');
    await mkdir(join(folder, 'manifests'));
    await writeFile(join(folder, 'manifests/example.yaml'), '# mine\n');
    const result = await begin(answers());
    expect(result.left).toEqual(['manifests/example.yaml']);
    expect(await readFile(join(folder, 'manifests/example.yaml'), 'utf8')).toBe('# mine\n');
    expect(await readFile(join(folder, '.gitignore'), 'utf8')).toBe(
      'dist\nplan.json\n.hostwright/ledger.jsonl*\nnode_modules/\n',
    );
  });

  it('a link in the place of a file is not followed', async () => {
    const outside = join(parent, `outside-${count}`);
    await symlink(outside, join(folder, '.gitignore'));
    await symlink(outside, join(folder, 'hostwright.yaml'));
    const result = await begin(answers());
    expect(result.left).toEqual(['hostwright.yaml']);
    expect(result.diagnostics.map(({ code }) => code)).toContain('HW6704');
    await expect(readFile(outside)).rejects.toThrow('ENOENT');
  });

  it('a file where a folder has to be: nothing is written at all', async () => {
    await writeFile(join(folder, 'manifests'), 'a file');
    const result = await begin(answers());
    expect(result).toMatchObject({ written: [], diagnostics: [{ code: matching(/^HW670[34]$/) }] });
    expect(Object.keys(await contents())).toEqual(['manifests']);
  });

  it('what was begun and could not be ended leaves no folder behind, so that it can be begun again', async () => {
    await writeFile(join(folder, '.github'), 'a file');
    const result = await begin(answers(), 'github');
    expect(result).toMatchObject({ written: [], diagnostics: [{ code: 'HW6704' }] });
    expect(await readdir(folder)).toEqual(['.github']);
    await rm(join(folder, '.github'));
    await mkdir(join(folder, 'manifests'));
    expect((await begin(answers({ start: 'export' }), 'github')).written).toContain('manifests/sites/shop.yaml');
  });

  it('a workspace: only files for CI are added, and a ledger that is missing is not begun (promise 4)', async () => {
    await begin(answers());
    await rm(join(folder, '.hostwright'), { recursive: true });
    const result = await begin('a workspace already', 'gitlab');
    expect(result.written).toEqual(['.gitlab/hostwright/acc-acme.yml']);
    expect(await readFile(join(folder, '.gitlab/hostwright/acc-acme.yml'), 'utf8')).not.toContain('synth');
    expect(await readdir(folder)).not.toContain('.hostwright');
  });

  it('a workspace above is none of this folder', async () => {
    await begin(answers());
    await mkdir(join(folder, 'below'));
    expect(await workspaceIn(session({ cwd: join(folder, 'below') }))).toBeUndefined();
    expect((await workspaceIn(session()))?.workspace?.account).toBe('acc-acme');
  });

  it('a ledger of another account, and one that is partial', async () => {
    await begin(answers({ account: 'acc-other' }));
    await rm(join(folder, 'hostwright.yaml'));
    const before = await contents();
    expect(await begin(answers())).toMatchObject({ written: [], diagnostics: [{ code: 'HW5002' }] });
    expect(await contents()).toEqual(before);
    await writeFile(
      join(folder, '.hostwright/ledger.jsonl'),
      (before['.hostwright/ledger.jsonl'] ?? '').replace('acc-other', 'acc-acme').replace('"complete"', '"partial"'),
    );
    expect((await begin(answers())).ledger).toBe('There is a ledger already, and it is partial.');
  });
});

describe('a ledger in Git', () => {
  const git = (cwd: string, ...args: readonly string[]) => promisify(execFile)('git', [...args], { cwd });
  const own = () => session({ ledger: { waitMs: 0, programEnv: { PATH: process.env.PATH } } });

  it('is begun on the remote; without one nothing is written', async () => {
    await git(parent, 'init', '--quiet', folder);
    const refused = await begin(answers({ ledger: 'git' }), 'github', own());
    expect(refused).toMatchObject({
      written: [],
      diagnostics: [{ code: 'HW5007', detail: containing('--ledger file') }],
    });
    expect(await contents()).toEqual({});
    await git(parent, 'init', '--quiet', '--bare', `${folder}-remote.git`);
    await git(folder, 'remote', 'add', 'origin', `${folder}-remote.git`);
    const made = await begin(answers({ ledger: 'git' }), 'github', own());
    expect(made).toMatchObject({
      ledger: containing('refs/hostwright/ledgers/acc-acme on origin is complete'),
      diagnostics: [],
    });
    expect((await ledgerCommand(own(), { do: 'list' })).view?.standing).toBe('complete');
    expect(await readFile(join(folder, '.gitignore'), 'utf8')).toBe('plan.json\nnode_modules/\n');
  });
});

describe('several accounts in one repository', () => {
  it('each has its own ledger, workflows at the root of the repository, and nothing left to fill in', async () => {
    const git = (cwd: string, ...args: readonly string[]) => promisify(execFile)('git', [...args], { cwd });
    await git(parent, 'init', '--quiet', folder);
    await git(parent, 'init', '--quiet', '--bare', `${folder}-remote.git`);
    await git(folder, 'remote', 'add', 'origin', `${folder}-remote.git`);
    await writeFile(join(folder, 'package-lock.json'), '{ "packages": { "node_modules/hostwright": {} } }');
    await writeFile(join(folder, '.npmrc'), '//npm.example.com/:_authToken=${NPM_TOKEN}\n');
    for (const [name, account] of [
      ['production', 'acc-prod'],
      ['staging', 'acc-stage'],
    ] as const) {
      const cwd = join(folder, 'accounts', name);
      await mkdir(cwd, { recursive: true });
      const own = session({ cwd, ledger: { waitMs: 0, programEnv: { PATH: process.env.PATH } } });
      const made = await begin(answers({ account, start: 'empty', ledger: 'git' }), 'github', own);
      expect(made.diagnostics).toEqual([]);
      expect(made.ledger).toContain(`refs/hostwright/ledgers/${account} on origin is complete`);
      expect(made.written).toContain(`../../.github/workflows/hostwright-accounts-${name}-merge.yml`);
    }
    const files = await contents();
    const workflows = Object.entries(files).filter(([file]) => file.startsWith('.github/workflows/'));
    expect(workflows).toHaveLength(8);
    for (const [file, text] of workflows) {
      expect(await lintWorkflow(text, file)).toEqual([]);
      expect(text).not.toMatch(/\bACCOUNT\b|npm install/);
      expect(text).toContain('- run: npm ci --ignore-scripts');
      expect(text).toContain('NPM_TOKEN: ${{ secrets.NPM_TOKEN }}');
    }
    const merge = files['.github/workflows/hostwright-accounts-staging-merge.yml'];
    expect(merge).toContain('name: Hostwright apply (accounts/staging)');
    expect(merge).toContain('workspace: "accounts/staging"');
    expect(merge).toContain('environment: hosting-acc-stage');
    expect(merge).toContain('group: hostwright-apply-acc-stage');
    expect(files['.github/workflows/hostwright-accounts-production-pull-request.yml']).toContain(
      'token: ${{ secrets.HOSTWRIGHT_READ_TOKEN_ACC_PROD }}',
    );
  });

  it('GitLab reads a file of each from one place; no two jobs have a name in common, and nothing is left to fill in', async () => {
    const jobs: string[] = [];
    for (const [name, account] of [
      ['production', 'acc-prod'],
      ['staging', 'acc-stage'],
    ] as const) {
      const place = {
        root: folder,
        folder: `accounts/${name}`,
        shared: ['shared'],
        lockfile: 'tools',
        registryVariables: [],
      };
      const [file] = await ciFiles('gitlab', account, place);
      const [start] = starterFiles('gitlab', place, '1.0.0');
      expect(file?.file).toBe(`../../.gitlab/hostwright/accounts-${name}.yml`);
      expect(start).toEqual({
        file: '../../.gitlab-ci.yml',
        text: "include:\n  - local: '/.gitlab/hostwright/*.yml'\n",
      });
      const text = file?.text ?? '';
      expect(text).not.toMatch(/\bACCOUNT\b|npm install|HOSTWRIGHT_READ_TOKEN(?!_ACC)|environment `hosting`/);
      expect(text).toContain('- npm --prefix "tools" ci --ignore-scripts');
      expect(text).toContain('export PATH="$CI_PROJECT_DIR/tools/node_modules/.bin:$PATH"');
      expect(text).toContain(`HOSTWRIGHT_FOLDER: "accounts/${name}"`);
      const pipeline = parse(text) as Readonly<
        Record<string, { extends?: string; environment?: object; rules?: readonly object[] }>
      >;
      for (const [job, { extends: base }] of Object.entries(pipeline))
        if (!job.startsWith('.')) expect(Object.keys(pipeline)).toContain(base);
      expect(pipeline[`hostwright apply (accounts/${name})`]).toMatchObject({
        environment: { name: `hosting-${account}` },
        resource_group: `hostwright-${account}`,
        rules: [{ changes: [`accounts/${name}/**/*`, 'shared/**/*'] }, {}],
      });
      jobs.push(...Object.keys(pipeline));
    }
    expect(new Set(jobs).size).toBe(12);
  });

  it('the ledger of another account is told with what to do, and nothing is written', async () => {
    await begin(answers({ account: 'acc-other', start: 'empty' }));
    await rm(join(folder, 'hostwright.yaml'));
    expect(await begin(answers({ start: 'empty' }))).toMatchObject({
      written: [],
      diagnostics: [{ code: 'HW5002', detail: containing('name another file or ref under') }],
    });
  });
});

describe('the accounts that a token reaches', () => {
  const reach = (token: string, extra: Partial<Session> = {}) => reachOf(session(extra), token, harness.sandbox.url);

  it('are found by one read, without an account named (CNV-08)', async () => {
    const before = harness.sandbox.requests.length;
    expect(await reach(API_KEY)).toEqual({
      accounts: [
        { id: 'acc-acme', name: 'acme' },
        { id: 'acc-other', name: 'other' },
      ],
    });
    expect(harness.sandbox.requests.slice(before).map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/sites',
    ]);
    expect(await reach(SYSTEM_KEY)).toEqual({ accounts: [{ id: 'acc-acme', name: 'acme' }] });
  });

  it('are found although the first answer is one of a moment that passes, and a platform that is down is told', async () => {
    const flaky = await openHarness({
      faults: [{ kind: 'status-before', status: 502, match: { method: 'GET', path: '/api/sites*' }, times: 2 }],
    });
    const found = await reachOf(flaky.session(), API_KEY, flaky.sandbox.url);
    expect(found.accounts.map(({ id }) => id)).toEqual(['acc-acme', 'acc-other']);
    const down = await openHarness({
      faults: [{ kind: 'status-before', status: 502, match: { method: 'GET', path: '/api/sites*' }, times: 99 }],
    });
    expect(await reachOf(down.session(), API_KEY, down.sandbox.url)).toMatchObject({ accounts: [] });
    expect(down.sandbox.requests.length).toBeLessThan(8);
  });

  it('a token that is refused, a platform that does not answer, an address that nothing may be sent to', async () => {
    expect(await reach('nobody')).toMatchObject({ accounts: [], refused: true });
    const gone = await reach(API_KEY, { transport: () => Promise.reject(new Error(`lost ${API_KEY}`)) });
    expect(gone).toMatchObject({ accounts: [], reason: containing('lost ***') });
    expect(gone.refused).toBeUndefined();
    expect((await reachOf(session(), API_KEY, 'http://api.example.com')).reason).toContain('unencrypted');
  });
});

describe('the answers', () => {
  const given = (flags: InitFlags = {}, extra: Partial<InitGiven> = {}): InitGiven => ({
    flags,
    token: false,
    reach: () => Promise.resolve({ accounts: [] }),
    isRepository: true,
    ...extra,
  });
  const place = { account: 'acc-acme', baseUrl: 'https://api.example.com' };
  const detailOf = (answered: Awaited<ReturnType<typeof answersFor>>): string =>
    answered !== 'went-away' && 'problems' in answered
      ? answered.problems.map(({ detail }) => detail).join('\n')
      : 'no problem';

  it.each([
    ['github', true, 'git'],
    ['github', false, 'file'],
    ['none', true, 'file'],
  ] as const)('with CI %s and a repository %s the ledger is offered first in %s', async (ci, isRepository, usual) => {
    const offered: string[] = [];
    const asker: Asker = {
      text: () => Promise.resolve(undefined),
      choose: (question, _choices, first) => {
        if (question.includes('ledger')) offered.push(first);
        return Promise.resolve(first);
      },
    };
    await answersFor(given({ ci, start: 'empty' }, { ...place, isRepository }), asker);
    expect(offered).toEqual([usual]);
  });

  it('without a terminal all that are missing are named at once, with their flags', async () => {
    const text = detailOf(await answersFor(given(), undefined));
    for (const flag of [
      '--api-url URL',
      '--account ID',
      '--start empty|example|export',
      '--ci github|gitlab|shell|none',
      '--ledger file|git',
    ])
      expect(text).toContain(flag);
    const some = detailOf(await answersFor(given({ start: 'empty', ledger: 'file' }, place), undefined));
    expect(some).toContain('Give --ci github|gitlab|shell|none.');
  });

  it('an account or an address that no workspace would take is refused before anything is asked or written, typed or given', async () => {
    const flags: InitFlags = { yes: true };
    const reason = async (extra: Partial<InitGiven>): Promise<string> =>
      detailOf(await answersFor(given(flags, { ...place, ...extra }), undefined));
    expect(await reason({ account: 'a\nb: c' })).toMatch(/is no id\.[^]*Nothing was written\./);
    expect(await reason({ baseUrl: 'http://api.example.com' })).toMatch(
      /unencrypted to `api\.example\.com`[^]*Nothing was written\./,
    );
    expect(await reason({ baseUrl: 'https://api.example.com/api' })).toContain('ends in `/api`');
    const objections: (string | undefined)[] = [];
    const typed = [
      '',
      'api',
      'https://user:pw@api.example.com',
      'http://api.example.com',
      'https://api.example.com/api/',
      'https://api.example.com/',
    ];
    const asker: Asker = {
      text: (_question, { objection }) => (objections.push(...typed.map(objection)), Promise.resolve(undefined)),
      choose: () => Promise.resolve(undefined),
    };
    expect(await answersFor(given(), asker)).toBe('went-away');
    expect(objections.map((words) => words !== undefined)).toEqual([true, true, true, true, true, false]);
    expect(objections.join()).not.toContain('pw');
  });

  it('--yes takes what is usual, and no account out of several', async () => {
    expect(await answersFor(given({ yes: true }, place), undefined)).toMatchObject({
      ci: 'none',
      answers: { ...place, start: 'example', ledger: 'file', guards: { allowDeletes: 0, allowCharges: 0 } },
    });
    expect(
      await answersFor(
        given({ yes: true, ci: 'github', allowDeletes: 2, allowCharges: 1, maxSpend: '5 EUR' }, place),
        undefined,
      ),
    ).toMatchObject({ answers: { ledger: 'git', guards: { allowDeletes: 2, allowCharges: 1, maxSpend: '5 EUR' } } });
    const one = { baseUrl: place.baseUrl, token: true, reach: () => Promise.resolve({ accounts: [{ id: 'acc-1' }] }) };
    expect(await answersFor(given({ yes: true }, one), undefined)).toMatchObject({ answers: { account: 'acc-1' } });
    expect(
      detailOf(
        await answersFor(
          given(
            { yes: true },
            { ...one, reach: () => Promise.resolve({ accounts: [{ id: 'acc-1', name: 'One' }, { id: 'acc-2' }] }) },
          ),
          undefined,
        ),
      ),
    ).toContain('the token reaches acc-1 (One), acc-2.');
    expect(
      detailOf(
        await answersFor(
          given({ yes: true }, { ...one, reach: () => Promise.resolve({ accounts: [], reason: 'no route' }) }),
          undefined,
        ),
      ),
    ).toContain('no read told: no route.');
    expect(detailOf(await answersFor(given({ yes: true }, { baseUrl: place.baseUrl }), undefined))).toContain(
      'Give --account ID.',
    );
  });

  it('an export needs a token, and a platform that answers; a refused token ends it', async () => {
    expect(detailOf(await answersFor(given({ yes: true, start: 'export' }, place), undefined))).toContain(
      'Set HOSTWRIGHT_TOKEN',
    );
    const reason = (reach: object) =>
      answersFor(
        given(
          { yes: true, start: 'export' },
          { ...place, token: true, reach: () => Promise.resolve({ accounts: [], ...reach }) },
        ),
        undefined,
      );
    expect(detailOf(await reason({ reason: 'no route' }))).toContain('no route. Nothing was written.');
    expect(await reason({ reason: 'GET /api/sites answered 401', refused: true })).toMatchObject({
      problems: [{ code: 'HW6518' }],
    });
    expect(await reason({})).toMatchObject({ answers: { start: 'export' } });
    expect(
      await answersFor(
        given(
          { yes: true },
          { ...place, token: true, reach: () => Promise.resolve({ accounts: [], reason: 'no route' }) },
        ),
        undefined,
      ),
    ).toMatchObject({ answers: { start: 'example' } });
  });

  it('the names of accounts reach a terminal as text', async () => {
    const shown: string[] = [];
    const asker: Asker = {
      text: () => Promise.resolve(undefined),
      choose: (_question, choices) => (
        shown.push(...choices.flatMap(({ label, hint = '' }) => [label, hint])),
        Promise.resolve(undefined)
      ),
    };
    const reach = () => Promise.resolve({ accounts: [{ id: 'acc-\u001b1', name: 'acme \u001b[2J' }] });
    expect(await answersFor(given({}, { baseUrl: place.baseUrl, token: true, reach }), asker)).toBe('went-away');
    expect(shown).toEqual(['acc-\\u{1b}1', 'acme \\u{1b}[2J']);
  });

  it('a person is asked for what is not given, and for nothing else', async () => {
    const asked: string[] = [];
    const asker: Asker = {
      text: (question, { objection }) => {
        asked.push(question);
        const answer = question.includes('API') ? 'https://api.example.com' : 'acc-typed';
        expect([objection(answer), objection('not so')]).toEqual([undefined, expect.any(String)]);
        return Promise.resolve(answer);
      },
      choose: (question, choices, usual) => {
        asked.push(`${question} ${choices.map(({ value }) => (value === usual ? `[${value}]` : value)).join(' ')}`);
        return Promise.resolve(
          question.includes('CI') ? (choices.find(({ value }) => value === 'github') ?? choices[0])?.value : usual,
        );
      },
    };
    expect(await answersFor(given(), asker)).toMatchObject({
      ci: 'github',
      answers: { account: 'acc-typed', baseUrl: 'https://api.example.com', start: 'example', ledger: 'git' },
    });
    expect(asked.splice(0)).toEqual([
      'Where is the API?',
      'Which account is it about?',
      'What do the manifests begin with? [example] empty',
      'Which CI runs it? [none] github gitlab shell',
      'Where is the ledger kept? file [git] postgres',
      'Will coding agents work here? [no] yes',
    ]);
    const reach = () => Promise.resolve({ accounts: [{ id: 'acc-1', name: 'One' }, { id: 'acc-2' }] });
    expect(
      await answersFor(given({ ci: 'none', ledger: 'file' }, { baseUrl: place.baseUrl, token: true, reach }), asker),
    ).toMatchObject({ answers: { account: 'acc-1', start: 'export' } });
    expect(asked.splice(0)).toEqual([
      'Which account is it about? [acc-1] acc-2',
      'What do the manifests begin with? example [export] empty',
      'Will coding agents work here? [no] yes',
    ]);
    await answersFor(given({ start: 'empty', ci: 'none', ledger: 'file', agents: false }, place), asker);
    expect(asked).toEqual([]);
  });

  it('a person who goes away has answered nothing; a mistake of ours is not taken for that', async () => {
    const away: Asker = { text: () => Promise.resolve(undefined), choose: () => Promise.resolve(undefined) };
    expect(await answersFor(given(), away)).toBe('went-away');
    expect(await answersFor(given({}, place), away)).toBe('went-away');
    await expect(answersFor(given(), { ...away, text: () => Promise.reject(new Error('ours')) })).rejects.toThrow(
      'ours',
    );
  });
});

describe('the questions on a terminal', () => {
  /** Types what is given, one after another, whenever something is asked. */
  function terminal(): {
    readonly asker: Asker;
    readonly type: (keys: string) => void;
    readonly shown: () => string;
    readonly stop: AbortController;
  } {
    const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input });
    const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 });
    let shown = '';
    output.on('data', (part: Buffer) => (shown += part.toString('utf8')));
    const stop = new AbortController();
    return {
      asker: createAsker({ input, output, signal: stop.signal }),
      type: (keys) => input.write(keys),
      shown: () => shown,
      stop,
    };
  }

  it('takes text, and says what is wrong with it', async () => {
    const { asker, type, shown } = terminal();
    const answer = asker.text('Where is the API?', {
      hint: 'https://…',
      objection: (text) => (text.startsWith('https:') ? undefined : 'It is a URL.'),
    });
    type('api\r');
    await expect.poll(shown).toContain('It is a URL.');
    type('\u0015https://api.example.com \r');
    expect(await answer).toMatch(/https:\/\/api\.example\.com$/);
  });

  it('takes a choice, beginning with the usual one', async () => {
    const { asker, type, shown } = terminal();
    const usual = asker.choose(
      'Which?',
      [
        { value: 'a', label: 'first' },
        { value: 'b', label: 'second', hint: 'often' },
        { value: 'c', label: 'third' },
      ],
      'b',
    );
    type('\r');
    expect(await usual).toBe('b');
    expect(shown()).toContain('Which?');
    const next = asker.choose(
      'Which?',
      [
        { value: 'a', label: 'first' },
        { value: 'b', label: 'second' },
        { value: 'c', label: 'third' },
      ],
      'b',
    );
    await expect.poll(shown).toContain('third');
    const before = shown();
    type('\u001b[B');
    await expect.poll(shown).not.toBe(before);
    type('\r');
    expect(await next).toBe('c');
  });

  it('Ctrl-C and a signal are no answer', async () => {
    const { asker, type, stop } = terminal();
    const text = asker.text('Where?', { hint: 'x', objection: () => undefined });
    type('\u0003');
    expect(await text).toBeUndefined();
    const choice = asker.choose('Which?', [{ value: 'a', label: 'first' }], 'a');
    stop.abort();
    expect(await choice).toBeUndefined();
  });
});

describe('the token', () => {
  it('is written nowhere and in nothing that is told, whatever kind it is', async () => {
    for (const token of [API_KEY, OAUTH_READ_ONLY_TOKEN]) {
      const result = await begin(answers(), 'github', session({ token }));
      expect(JSON.stringify([result, await contents()])).not.toContain(token);
    }
  });
});
