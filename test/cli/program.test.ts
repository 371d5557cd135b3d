// The built program as users run it: what goes to which stream, which exit code, what it says to mistakes. Runs against
// a platform come with the sessions; here nothing leaves the machine.
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Plan } from '../../src/model/plan/plan.ts';
import { renderPlanJson, renderSavedPlan } from '../../src/report/json/index.ts';
import { sealed, shopPlan } from '../report/samples.ts';
import { useProgram } from './program-under-test.ts';
import { manifest } from '../support/manifests.ts';
import { containing, matching } from '../support/matchers.ts';

const { run, folder } = useProgram();

const plan = sealed(shopPlan);
const WORKSPACE =
  'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acme\n  baseUrl: http://127.0.0.1:9\n  manifests: [sites]\n';
const SITE = 'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: shop }\nspec:\n  name: Shop\n';

beforeAll(async () => {
  const write = (file: string, text: string): Promise<void> => writeFile(join(folder(), file), text);
  await mkdir(join(folder(), 'sites'));
  await write('hostwright.yaml', WORKSPACE);
  await write('sites/shop.yaml', SITE);
  await write('broken.yaml', SITE.replace('name: Shop', 'nmae: Shop'));
  await write('plan.json', renderSavedPlan(plan));
  await write('printed.json', renderPlanJson(plan, { outcome: 'differences', diagnostics: [] }));
  await write('tampered.json', renderSavedPlan({ ...plan, actions: plan.actions.slice(1) }));
  await write('risk.json', renderSavedPlan(plan).replace('"delete"\n', '"restart"\n'));
  await write('newer.json', renderSavedPlan(plan).replace('hostwright.plan/1', 'hostwright.plan/2'));
  await write('cut.json', renderSavedPlan(plan).slice(0, 2000));
  await write(
    'odd.json',
    renderSavedPlan({
      ...plan,
      actions: [{ ...plan.actions[0], steps: [{ do: 'format the disk' }] }],
    } as unknown as Plan),
  );
  await write('manifest.json', manifest('Site', 'other', { name: 'Other' }));
});

describe('the start', () => {
  it('prints the version', async () => {
    const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect(await run(['--version'])).toEqual({ stdout: `${version}\n`, stderr: '', code: 0 });
    expect(await run(['--quiet', '-V'])).toEqual({ stdout: `${version}\n`, stderr: '', code: 0 });
  });

  it('prints help, and the exit codes as a topic', async () => {
    const { stdout, stderr, code } = await run(['--help']);
    expect(stdout).toContain('Usage: hostwright');
    expect((await run(['help', 'exit-codes'])).stdout).toContain('6 partly-applied');
    expect([stderr, code]).toEqual(['', 0]);
    expect((await run(['help', 'plan'])).stdout).toContain('--detailed-exitcode');
  });

  it.each([
    [['plam'], "unknown command 'plam'\n(Did you mean plan?)"],
    [['destroy'], "unknown command 'destroy'\nTo delete an object, write `lifecycle: { state: absent }`"],
    [['state', 'list'], "unknown command 'state'\nThe state is read from the platform"],
    [['refresh'], 'Run `hostwright drift`'],
    [['apply', '--auto-approve'], 'Run `hostwright apply --yes`'],
    [['plan', '--targte', 'Site/shop'], "unknown option '--targte'\n(Did you mean --target?)"],
    [['drift', '--accept', 'Site/shop', '--ignore', 'Site/shop'], '--ignore does not go with --accept'],
    [
      ['drift', '--accept', 'Site/shop', '--notify', 'https://hooks.example/secret'],
      '--notify does not go with --accept',
    ],
    [['plan', '--timeout', '90'], 'A duration is a number with a unit: 90s, 20m, 1h.'],
    [
      ['apply', '--approve', 'create,remove'],
      'It is a list of create, update, delete, lapse, exposure, primary and irreversible',
    ],
    [['apply', '--approve', 'create', '--yes'], 'cannot be used with'],
    [['apply', '--lock-timeout', 'soon'], 'A duration is a number with a unit'],
    [['ledger', 'init', '--lock-timeout', '5'], 'A duration is a number with a unit'],
    [['plan', '--parallelism', '0'], 'from 1 to 256'],
    [['plan', '--target', 'shop'], 'An address is Kind/name'],
    [['plan', '--api-url', 'ftp://x'], 'It is an http or https URL.'],
    [['plan', '--api-url', 'https://user:secret@x'], 'A URL holds no credentials'],
    [['apply', '--allow-deletes', '-1'], 'whole number, 0 or more'],
    [['sandbox', '--port', '70000'], 'A port is 0'],
    [['plan', '--saved', 'a', 'b'], '--saved takes no paths'],
    [['test', '--live'], '--live requires --url'],
    [['run', 'restart'], "missing required argument 'address'"],
    [['ledger', 'confirm', 'Site/shop'], '--id ID, or --not-made'],
    [['ledger', 'confirm', 'Site/shop', '--id', '1', '--not-made'], 'cannot be used with'],
    [['--format', 'xml', 'validate'], 'Allowed choices are human, json, markdown, github'],
  ])('refuses %j', async (argv, message) => {
    const { stdout, stderr, code } = await run(argv);
    expect(stderr).toContain(message);
    expect([stdout, code]).toEqual(['', 1]);
  });

  it('takes settings from the environment, and flags before them', async () => {
    const bad = await run(['plan'], { env: { HOSTWRIGHT_TIMEOUT: 'soon' } });
    expect(bad.stderr).toMatch(/HW6515[^]*HOSTWRIGHT_TIMEOUT/);
    const config = { HOSTWRIGHT_CONFIG: join(folder(), 'nowhere.yaml') };
    expect((await run(['validate'], { env: config })).code).toBe(1);
    expect((await run(['validate', '--config', 'hostwright.yaml'], { env: config })).code).toBe(0);
  });
});

describe('validate', () => {
  it('says what is there', async () => {
    expect(await run(['validate'])).toEqual({ stdout: 'Valid: 1 manifest, 1 object\n', stderr: '', code: 0 });
  });

  it('reads standard input', async () => {
    expect((await run(['validate', '-'], { input: SITE })).stdout).toBe('Valid: 1 manifest, 1 object\n');
  });

  it('prints problems as its result', async () => {
    const { stdout, stderr, code } = await run(['validate', 'broken.yaml']);
    expect(stdout).toMatch(/^broken\.yaml:5:3: error HW1201: Unknown field/);
    expect(stdout).toContain('`name`');
    expect([stderr, code]).toEqual(['\n`hostwright explain HW1201` says more.\n', 1]);
  });

  it('prints nothing but JSON with --format json', async () => {
    const { stdout, stderr, code } = await run(['validate', 'broken.yaml', '--format', 'json'], {
      env: { FORCE_COLOR: '1' },
    });
    expect(JSON.parse(stdout)).toMatchObject({
      format: 'hostwright.validation/1',
      outcome: 'error',
      exitCode: 1,
      diagnostics: [{ code: 'HW1201' }],
    });
    expect([stderr, code]).toEqual(['', 1]);
  });
});

describe('colour', () => {
  const ESCAPE = '\u001b[';
  it.each<[string, readonly string[], Readonly<Record<string, string>>, boolean]>([
    ['none without a terminal', [], {}, false],
    ['--no-color beats FORCE_COLOR', ['--no-color'], { FORCE_COLOR: '1' }, false],
    ['FORCE_COLOR beats NO_COLOR', [], { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
    ['FORCE_COLOR=0', [], { FORCE_COLOR: '0' }, false],
  ])('%s', async (_name, flags, env, coloured) => {
    expect((await run(['plan', '--saved', 'plan.json', ...flags], { env })).stdout.includes(ESCAPE)).toBe(coloured);
  });
});

describe('plan --saved', () => {
  it('prints a saved plan, hints apart', async () => {
    const { stdout, stderr, code } = await run(['plan', '--saved', 'plan.json']);
    expect(stdout).toMatch(
      /^Plan for account acme: 1 to create, 1 to change, 1 to delete\.\nLook at these first \(\d\):\n {2}! #3 Deletes hostname old\.example\.com of site shop: /,
    );
    expect(stderr).toContain('hostwright apply plan.json');
    expect(code).toBe(0);
    expect((await run(['plan', '--saved', 'plan.json', '--quiet'])).stderr).toBe('');
    expect((await run(['plan', '--saved', 'plan.json', '--verbose'])).stdout).toContain(
      'POST /api/sites/site-1/domains',
    );
  });

  it('prints the same JSON as it was given', async () => {
    const { stdout } = await run(['plan', '--saved', 'printed.json', '--format', 'json']);
    expect(JSON.parse(stdout)).toEqual({ ...plan, outcome: 'done', exitCode: 0, diagnostics: [] });
  });

  it.each([
    ['tampered.json', 'HW2101'],
    ['risk.json', 'HW2101'],
    ['newer.json', 'HW6502'],
    ['cut.json', 'HW6503'],
    ['odd.json', '/actions/0/steps/0/do must be equal to one of the allowed values'],
    ['manifest.json', 'HW6504'],
    ['nowhere.json', 'HW6504'],
    ['sites', 'HW6504'],
  ])('refuses %s', async (file, message) => {
    const { stdout, stderr, code } = await run(['plan', '--saved', file]);
    expect(stderr).toContain(message);
    expect([stdout, code]).toEqual(['', 1]);
    const json = JSON.parse((await run(['plan', '--saved', file, '--format', 'json'])).stdout) as { outcome: string };
    expect(json.outcome).toBe('error');
  });

  it('goes on when its reader went away', async () => {
    const { code, stderr } = await run(['plan', '--saved', 'plan.json', '--verbose', '--quiet'], {
      during: (child) => child.stdout?.destroy(),
    });
    expect([stderr, code]).toEqual(['', 0]);
  });
});

describe('validate --expanded', () => {
  const PROFILE =
    'apiVersion: hostwright/v1\nkind: SiteProfile\nmetadata: { name: base }\nspec:\n  caching: { smartCache: true }\n';
  const USER = `${SITE}  profiles: [base]\n`;
  const YAML =
    'apiVersion: hostwright/v1\nkind: Site\nmetadata:\n  name: shop\nspec:\n  name: Shop\n  caching:\n    smartCache: true # from -:5\n';

  it('prints manifests with their profiles in them, without network, token or ledger', async () => {
    expect(await run(['validate', '--expanded', '-'], { input: `${PROFILE}---\n${USER}` })).toEqual({
      stdout: YAML,
      stderr: '',
      code: 0,
    });
    expect((await run(['validate', '--expanded'])).stdout).toBe(YAML.slice(0, YAML.indexOf('  caching')));
  });

  it('reads what it printed', async () => {
    expect((await run(['validate', '--expanded', '-'], { input: YAML })).stdout).toBe(YAML.replace(/ #.*/, ''));
  });

  it('prints JSON', async () => {
    const { stdout, stderr, code } = await run(['validate', '--expanded', '-', '--format', 'json'], {
      input: `${PROFILE}---\n${USER}`,
    });
    expect(JSON.parse(stdout)).toEqual({
      format: 'hostwright.expanded/1',
      outcome: 'done',
      exitCode: 0,
      manifests: [
        {
          manifest: {
            apiVersion: 'hostwright/v1',
            kind: 'Site',
            metadata: { name: 'shop' },
            spec: { name: 'Shop', caching: { smartCache: true } },
          },
          fromProfiles: { '/spec/caching/smartCache': { file: '-', line: 5, column: 14 } },
        },
      ],
      diagnostics: [],
    });
    expect([stderr, code]).toEqual(['', 0]);
  });

  it('tells notices beside the result, and errors instead of it', async () => {
    const idle = await run(['validate', '--expanded', '-'], { input: PROFILE });
    expect([idle.stdout, idle.code]).toEqual(['', 0]);
    expect(idle.stderr).toContain('HW1323');
    const unknown = await run(['validate', '--expanded', '-'], { input: USER });
    expect([unknown.stdout, unknown.code]).toEqual(['', 1]);
    expect(unknown.stderr).toContain('HW1320');
    const json = JSON.parse(
      (await run(['validate', '--expanded', '-', '--format', 'json'], { input: USER })).stdout,
    ) as object;
    expect(json).toMatchObject({ outcome: 'error', exitCode: 1, diagnostics: [{ code: 'HW1320' }] });
    expect((await run(['validate', '--expanded', '--verbose'])).stderr).toContain('unknown option');
  });
});

describe('plan and drift', () => {
  it('need a token, and say which', async () => {
    const { stdout, stderr, code } = await run(['plan']);
    expect(stderr).toContain('HOSTWRIGHT_TOKEN');
    expect([stdout, code]).toEqual(['', 1]);
    const json = await run(['drift', '--format', 'json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ outcome: 'error', exitCode: 1 });
    expect(json.stderr).toBe('');
  });

  it('never show a token that cannot be sent', async () => {
    const { stderr, code } = await run(['plan'], { env: { HOSTWRIGHT_TOKEN: 'sec ret' } });
    expect(stderr).toContain('HW6501');
    expect(stderr).not.toContain('sec ret');
    expect(code).toBe(1);
  });

  it('replace nothing but a plan', async () => {
    const before = await readFile(join(folder(), 'hostwright.yaml'), 'utf8');
    const { stderr, code } = await run(['plan', '--out', 'hostwright.yaml']);
    expect(stderr).toContain('HW6505');
    expect(code).toBe(1);
    expect(await readFile(join(folder(), 'hostwright.yaml'), 'utf8')).toBe(before);
    expect((await run(['plan', '--out', 'no/folder/plan.json'])).stderr).toContain('HW6506');
    expect((await run(['plan', '--out', 'sites'])).stderr).toContain('HW6505');
  });
});

describe('apply', () => {
  const env = { HOSTWRIGHT_TOKEN: 'token' };

  it('does not ask without a terminal', async () => {
    const { stdout, stderr, code } = await run(['apply'], { env, input: 'yes\n' });
    expect(stderr).toContain('--yes');
    expect([stdout, code]).toEqual(['', 1]);
  });

  it.each([
    ['tampered.json', 'HW2101'],
    ['newer.json', 'HW6502'],
    ['cut.json', 'HW6503'],
    ['odd.json', 'HW6503'],
  ])('refuses %s', async (file, message) => {
    const { stderr, code } = await run(['apply', file], { env });
    expect(stderr).toContain(message);
    expect(code).toBe(1);
  });

  it('takes a .json that is no plan for a manifest', async () => {
    expect((await run(['apply', 'manifest.json'], { env })).stderr).toContain('--yes');
    const { stderr: missing } = await run(['apply', 'nope.json'], { env });
    expect(missing).toMatch(
      /^error HW6504: [^]*There is no file `nope\.json`\.[^]*\n\n`hostwright explain HW6504` says more\.\n$/,
    );
    expect(missing).not.toContain('terminal');
  });

  it.each([['not-a-digest'], ['sites'], ['hostwright.yaml'], ['']])('refuses --expect %j', async (value) => {
    const { stderr, code } = await run(['apply', '--expect', value], { env });
    expect(stderr).toContain('HW6507');
    expect(code).toBe(1);
  });
});

describe('explain --schema', () => {
  it('prints the schemas that come with the package', async () => {
    expect((await run(['explain', '--schema'])).stdout.split('\n')).toContain('Site');
    expect(JSON.parse((await run(['explain', '--schema', 'site'])).stdout)).toHaveProperty('title');
    const { stderr, code } = await run(['explain', '--schema', 'Sitee']);
    expect(stderr).toContain('Did you mean Site?');
    expect(code).toBe(1);
  });
});

describe('sandbox', () => {
  it('runs until it is told to stop', async () => {
    const { stdout, stderr, code } = await run(['sandbox', '--scenario', 'empty', '--format', 'json'], {
      during: (child) => child.stdout?.once('data', () => child.kill('SIGTERM')),
    });
    expect(JSON.parse(stdout)).toMatchObject({
      format: 'hostwright.sandbox/1',
      url: matching(/^http:\/\/127\.0\.0\.1:\d+$/),
    });
    expect(stderr).toContain('HOSTWRIGHT_API_URL');
    expect(code).toBe(0);
  });

  it.each([
    [['--scenario', 'nowhere'], 'unknown scenario'],
    [['--faults', 'flood'], 'is no fault'],
  ])('refuses %j', async (argv, message) => {
    const { stderr, code } = await run(['sandbox', ...argv]);
    expect(stderr).toContain(message);
    expect(code).toBe(1);
  });
});

describe('the file that --out writes', () => {
  it('is for its owner only, and replaced whole', async () => {
    const { writePlanFile } = await import('../../src/cli/plan-file/plan-file.ts');
    const file = join(folder(), 'out.json');
    expect(await writePlanFile({ cwd: folder(), env: {} }, 'out.json', plan)).toEqual([]);
    await chmod(file, 0o644);
    expect(await writePlanFile({ cwd: folder(), env: {} }, 'out.json', plan)).toEqual([]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(plan);
    expect(await writePlanFile({ cwd: folder(), env: {} }, 'sites', plan)).toMatchObject([{ code: 'HW6506' }]);
  });
});

describe('reports for others', () => {
  it('--format markdown is one comment on stdout, and its digests are what --expect takes', async () => {
    const { stdout, stderr, code } = await run(['plan', '--saved', 'plan.json', '--format', 'markdown']);
    expect(stdout).toMatch(
      /^<!-- hostwright: plan acme [0-9a-f]{64}\n(?:[0-9a-f]{64}\n){3}on Site%2Fshop\n-->\n\n### Hostwright plan for account `acme`\n/,
    );
    expect(stderr).toContain('hostwright apply plan.json');
    expect(code).toBe(0);
    expect((await run(['plan', '--saved', 'plan.json', '--format', 'markdown', '--concise'])).stdout).not.toContain(
      '```diff',
    );
    await writeFile(join(folder(), 'comment.md'), stdout);
    // Past the approval, and stopped by what is missing for a run.
    expect((await run(['apply', '--expect', 'comment.md'])).stderr).not.toContain('HW6507');
    await writeFile(join(folder(), 'long.md'), stdout.replace(/^(<!--.*)\n[^]*?-->/, '$1 without-digests\n-->'));
    expect((await run(['apply', '--expect', 'long.md'], { env: { HOSTWRIGHT_TOKEN: 'token' } })).stderr).toMatch(
      /HW6507[^]*had no room for the digests/,
    );
  });

  it('promise 9: --show-personal shows others what is about people too; a person at a terminal always sees it', async () => {
    const { writePlanFile } = await import('../../src/cli/plan-file/plan-file.ts');
    const about = sealed({
      ...plan,
      actions: plan.actions.map((action) => ({
        ...action,
        changes: [{ op: 'add', path: '/email', value: 'ada@acme.example', personal: [''] }],
      })),
    });
    expect(await writePlanFile({ cwd: folder(), env: {} }, 'people.json', about)).toEqual([]);
    const shown = async (...flags: readonly string[]): Promise<boolean> =>
      (await run(['plan', '--saved', 'people.json', ...flags])).stdout.includes('ada@acme.example');
    expect([
      await shown(),
      await shown('--format', 'json'),
      await shown('--format', 'markdown'),
      await shown('--format', 'github'),
    ]).toEqual([true, true, false, false]);
    expect([
      await shown('--format', 'markdown', '--show-personal'),
      await shown('--format', 'github', '--show-personal'),
    ]).toEqual([true, true]);
  });

  it('--format github is text that is fenced off, then notes, and a summary of the step', async () => {
    const summary = join(folder(), 'summary.md');
    await writeFile(summary, 'before');
    const env = { GITHUB_STEP_SUMMARY: summary, GITHUB_WORKSPACE: join(folder(), '..') };
    const { stdout, code } = await run(['plan', '--saved', 'plan.json', '--format', 'github'], {
      env,
    });
    const [, token = ''] = /^::stop-commands::([0-9a-f-]{36})\n/.exec(stdout) ?? [];
    const [text = '', notes = ''] = stdout.split(`\n::${token}::\n`);
    expect(text).toContain('Plan for account acme');
    expect(notes).toContain(
      `::notice file=${basename(folder())}/sites/shop.yaml,line=9,col=7,title=+ Site/shop/SiteDomain/new.example.com::`,
    );
    expect(
      notes
        .trimEnd()
        .split('\n')
        .every((line) => /^::(warning|notice) /.test(line)),
    ).toBe(true);
    expect(code).toBe(0);
    expect(await readFile(summary, 'utf8')).toMatch(/^before\n\n<!-- hostwright: plan acme /);
    // Another run has another token, or a name could hold it.
    expect((await run(['plan', '--saved', 'plan.json', '--format', 'github'])).stdout).not.toContain(token);
  });

  it('says when the summary has no room, or cannot be written', async () => {
    const full = join(folder(), 'full.md');
    await writeFile(full, ' '.repeat(1024 * 1024));
    expect(
      (await run(['plan', '--saved', 'plan.json', '--format', 'github'], { env: { GITHUB_STEP_SUMMARY: full } }))
        .stdout,
    ).toContain('::warning title=Hostwright::The summary of this step');
    expect((await stat(full)).size).toBe(1024 * 1024);
    expect(
      (await run(['plan', '--saved', 'plan.json', '--format', 'github'], { env: { GITHUB_STEP_SUMMARY: folder() } }))
        .stdout,
    ).toContain('The summary of this step');
  });

  it('tells problems in the same forms', async () => {
    const markdown = await run(['validate', 'broken.yaml', '--format', 'markdown']);
    expect(markdown.stdout).toMatch(/^<!-- hostwright: validate - -->[^]*HW1201[^]*`broken\.yaml:5:3`/);
    expect([markdown.stderr, markdown.code]).toEqual(['', 1]);
    const job = await run(['validate', 'broken.yaml', '--format', 'github']);
    expect(job.stdout).toContain('\n::error file=broken.yaml,line=5,col=3,');
    expect((await run(['plan', '--format', 'markdown'])).stdout).toMatch(
      /^<!-- hostwright: plan - -->[^]*HOSTWRIGHT_TOKEN/,
    );
    expect((await run(['drift', '--format', 'github'])).stdout).toMatch(/\n::error title=/);
    expect((await run(['apply', '--format', 'markdown'])).stdout).toMatch(/^<!-- hostwright: apply - -->/);
    // What came on standard input, or lies outside the repository, has no line there.
    expect(
      (await run(['validate', '-', '--format', 'github'], { input: SITE.replace('name: Shop', 'nmae: Shop') })).stdout,
    ).toContain('\n::error title=HW1201');
    expect(
      (
        await run(['validate', 'broken.yaml', '--format', 'github'], {
          env: { GITHUB_WORKSPACE: join(folder(), 'sites') },
        })
      ).stdout,
    ).toContain('\n::error title=HW1201');
  });

  it.each([
    [['ledger', 'list', '--format', 'github'], '--format github is for plan, apply, drift, validate'],
    [['fmt', '--format', 'markdown'], 'this takes human or json'],
    [['validate', '--expanded', '--format', 'markdown'], 'without --expanded'],
    [['run', 'restart', 'Site/shop', '--format', 'markdown'], 'this takes human or json'],
    [['plan', '--saved', 'plan.json', '--concise', '--verbose'], 'cannot be used with'],
    [['validate', '--show-personal'], '--show-personal is for plan, apply and drift'],
  ])('refuses %j', async (argv, message) => {
    const { stdout, stderr, code } = await run(argv);
    expect(stderr).toContain(message);
    expect([stdout, code]).toEqual(['', 1]);
  });
});

describe('the machine that it runs on', () => {
  it.each([
    [['explain', '--schema', 'Site'], 1],
    [['--help'], 1],
    [['--version'], 1],
    [['validate', '--bogus'], 1],
  ] as const)('has no room for the result: %j is no success', async (argv, code) => {
    const ended = await run(argv, { within: ['sh', '-c', 'exec "$@" > /dev/full', 'sh'] });
    expect(ended).toMatchObject({ code, stdout: '' });
    if (argv[0] === 'explain') expect(ended.stderr).toContain('HW6570');
    expect(ended.stderr).not.toMatch(/bug in hostwright|\n +at /);
  });

  it('has no working directory any more: that is said, and nothing is run', async () => {
    const ended = await run(['validate'], {
      within: ['sh', '-c', 'mkdir gone && cd gone && rmdir ../gone && exec "$@"', 'sh'],
    });
    expect(ended).toMatchObject({ code: 1, stdout: '', stderr: containing('HW6571') });
    expect(ended.stderr).not.toContain('bug in hostwright');
    const within = ['sh', '-c', 'mkdir gone && cd gone && rmdir ../gone && cd .. && exec "$@"', 'sh'];
    expect((await run(['validate'], { within })).stderr).not.toContain('HW6571');
  });
});
