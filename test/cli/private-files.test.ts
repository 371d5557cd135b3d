// Files that are nobody's to read are no manifests, and lines of a file that Git does not track are in no form that
// others read. A repository as a job has it.
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { useProgram } from './program-under-test.ts';

const { run, folder } = useProgram();
const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-C', folder(), ...args], { encoding: 'utf8' });

async function put(name: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder(), name)), { recursive: true });
  await writeFile(join(folder(), name), text);
}

const workspace = (manifests: string, more = ''): string =>
  `apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: http://127.0.0.1:1\n  secrets: { files: [secrets], keep: [kept] }\n  manifests: [${manifests}]\n${more}`;

const FORMS = ['json', 'markdown', 'html', 'junit', 'codequality'];

/** Everything that `validate` prints, and writes in each form. */
async function told(...args: readonly string[]): Promise<{ readonly shared: string; readonly shown: string }> {
  const reports = FORMS.flatMap((form) => ['--report', `${form}=told.${form}`]);
  const { stdout, stderr } = await run(['validate', ...args, ...reports], {
    env: { HOME: folder() },
  });
  const files = await Promise.all(FORMS.map((form) => readFile(join(folder(), `told.${form}`), 'utf8')));
  // It is written to by each job after the other.
  await rm(join(folder(), 'summary.md'), { force: true });
  const log = await run(['validate', ...args, '--format', 'github'], {
    env: { HOME: folder(), GITHUB_STEP_SUMMARY: join(folder(), 'summary.md') },
  });
  files.push(log.stdout, log.stderr, await readFile(join(folder(), 'summary.md'), 'utf8').catch(() => ''));
  return { shared: files.join('\n'), shown: `${stdout}${stderr}` };
}

beforeAll(async () => {
  git('init', '-q');
  await put(
    '.git/config',
    `${await readFile(join(folder(), '.git/config'), 'utf8')}\textraheader = basic canary-git\n`,
  );
  await put('secrets/alice', 'canary-secret\n');
  await put('secrets/bob.yaml', 'canary: [secret\n');
  await put('kept/key.yaml', 'canary: [kept\n');
  await put('.env', 'KEY="canary-env\n');
  await put('.env.production', 'KEY: [canary-env\n');
  await put('.hostwright/ledger.jsonl', 'canary-ledger: [\n');
  await put(
    'sites/shop.yaml',
    'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: shop }\nspec: { colour: lines-of-shop }\n',
  );
  await symlink('../.git/config', join(folder(), 'sites/linked.yaml'));
  await symlink('../secrets/alice', join(folder(), 'sites/other.yaml'));
});

describe('a file that is no manifest', () => {
  it.each([
    ...[
      '.git/config',
      '.GIT/config',
      'sites/../.git/config',
      'secrets/alice',
      'secrets',
      'secrets/*',
      './secrets/bob.yaml',
    ],
    ...['kept/key.yaml', '.env', '.env.production', '".env*"', '.hostwright/ledger.jsonl', 'sites/linked.yaml'],
    ...['sites/other.yaml', 'sites'],
  ])('is not read as %s, from the workspace file or the command line', async (name) => {
    await put('hostwright.yaml', workspace(name.startsWith('"') ? name : JSON.stringify(name)));
    for (const args of [[], [name.replaceAll('"', '')]]) {
      const { shared, shown } = await told(...args);
      expect(shared + shown).not.toContain('canary');
      if (!name.startsWith('.GIT') && name !== 'secrets') expect(shown).toMatch(/HW1015|HW1002|HW1206/);
    }
  });

  it('that would be a manifest among secrets is told, and not read', async () => {
    await put('hostwright.yaml', workspace('"**/*.yaml"'));
    await put('secrets/site.yaml', 'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: canary }\n');
    const { shown } = await told();
    expect(shown).toContain('HW1016');
    expect(shown).not.toContain('canary');
    const moved = join(folder(), 'sites/moved.yaml');
    onTestFinished(() => rm(moved));
    await rename(join(folder(), 'secrets/site.yaml'), moved);
    expect((await told()).shown).not.toContain('HW1016');
  });
});

describe('lines of a manifest', () => {
  it('are shown to whoever has it, and to others only when Git tracks it', async () => {
    await put('hostwright.yaml', workspace('sites/shop.yaml'));
    const before = await told();
    expect(before.shown).toContain('lines-of-shop');
    expect(before.shared).toContain('HW1201');
    expect(before.shared).not.toContain('lines-of-shop');
    git('add', 'sites/shop.yaml');
    const after = await told();
    expect(after.shown).toContain('lines-of-shop');
    expect(after.shared.match(/lines-of-shop/g)?.length).toBeGreaterThanOrEqual(5);
  });

  it('that a link leads to are not those of the link that Git tracks', async () => {
    await put(
      'made/site.yaml',
      'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: made }\nspec: { colour: lines-of-made }\n',
    );
    await symlink('../made/site.yaml', join(folder(), 'sites/made.yaml'));
    git('add', 'sites/made.yaml');
    await put('hostwright.yaml', workspace('sites/made.yaml'));
    const { shown, shared } = await told();
    expect(shown).toContain('lines-of-made');
    expect(shared).not.toContain('lines-of-made');
  });
});
