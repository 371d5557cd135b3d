// Whose files are used, over owners, modes, folders and links; and each place that asks, with the command.
import { existsSync } from 'node:fs';
import { chmod, chown, lchown, mkdir, readFile, symlink, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCache } from '../../src/cli/start/cache-folder.ts';
import { fileStore } from '../../src/ledger/file-store.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { API_KEY } from '../../src/sandbox/core/http/credentials.ts';
import type { TrustCheck } from '../../src/system/trusted-file.ts';
import { currentUser, untrusted } from '../../src/system/trusted-file.ts';
import { closing, openFolder, writeFiles } from '../support/closing.ts';
import { containing } from '../support/matchers.ts';
import { runHere } from '../support/processes/run-here.ts';

const isRoot = process.geteuid?.() === 0;
if (!isRoot) process.stderr.write('files of other users are not tried: only root can change an owner\n');

const [OTHER, SHARED_GROUP] = [65534, 100];

interface Place {
  /** Absent: root, who runs this test. */
  readonly owner?: number;
  readonly group?: number;
  readonly mode?: number;
}

interface Case {
  readonly folder?: Place;
  readonly file?: Place;
  /** The owner of a link to the file, which is checked in place of it. */
  readonly link?: number;
  readonly use?: 'input' | 'output';
  readonly found: TrustCheck | undefined;
}

describe.skipIf(!isRoot)('a file', () => {
  it.each<readonly [string, Case]>([
    ['of the user', { found: undefined }],
    ['of another user', { file: { owner: OTHER }, found: 'owner' }],
    ['of another user, who cannot write it', { file: { owner: OTHER, mode: 0o444 }, found: 'owner' }],
    ['that everyone can write', { file: { mode: 0o666 }, found: 'mode' }],
    ['that a group with other members can write', { file: { group: SHARED_GROUP, mode: 0o664 }, found: 'mode' }],
    ['that a group with other members can read', { file: { group: SHARED_GROUP, mode: 0o640 }, found: undefined }],
    ['that the group of the user alone can write (umask 002)', { file: { mode: 0o664 }, found: undefined }],
    ['in a folder that the group of the user alone can write', { folder: { mode: 0o775 }, found: undefined }],
    ['in a folder of another user', { folder: { owner: OTHER }, found: 'folder owner' }],
    ['in a folder that everyone can write', { folder: { mode: 0o777 }, found: 'folder mode' }],
    ['in a folder that a group can write', { folder: { group: SHARED_GROUP, mode: 0o775 }, found: 'folder mode' }],
    ['in a folder with the sticky bit, as /tmp', { folder: { mode: 0o1777 }, found: undefined }],
    ['of another user in /tmp', { folder: { mode: 0o1777 }, file: { owner: OTHER }, found: 'owner' }],
    ['behind a link of the user', { link: 0, found: undefined }],
    ['behind a link of another user', { link: OTHER, found: 'folder owner' }],
    ['of another user behind a link of the user', { link: 0, file: { owner: OTHER }, found: 'owner' }],
    ['that everyone can write, behind a link of the user', { link: 0, file: { mode: 0o666 }, found: 'mode' }],
    ['to be written, behind a link of the user', { link: 0, use: 'output', found: 'link' }],
    ['to be written, of the user', { use: 'output', found: undefined }],
    ['to be written, of another user', { use: 'output', file: { owner: OTHER }, found: 'owner' }],
    [
      'to be written, in a folder that everyone can write',
      { use: 'output', folder: { mode: 0o777 }, found: 'folder mode' },
    ],
  ])('%s', async (_name, { folder = {}, file = {}, link: owner, use = 'input', found }) => {
    const top = await openFolder();
    const [inner, other] = [join(top, 'folder'), join(top, 'other')];
    await writeFiles(inner, { file: 'x' });
    let checked = join(inner, 'file');
    if (owner !== undefined) {
      await mkdir(other);
      checked = join(other, 'link');
      await symlink(join(inner, 'file'), checked);
      // The owner of the link itself.
      await lchown(checked, owner, 0);
    }
    await chown(join(inner, 'file'), file.owner ?? 0, file.group ?? 0);
    await chmod(join(inner, 'file'), file.mode ?? 0o644);
    await chown(inner, folder.owner ?? 0, folder.group ?? 0);
    await chmod(inner, folder.mode ?? 0o755);
    const user = { ...currentUser(), isPrivateGroup: (gid: number) => gid === 0 };
    const problem = untrusted(checked, { use, user });
    expect(problem?.check).toBe(found);
    if (problem !== undefined) expect(problem.reason).toContain(problem.place);
    // A folder around it that the user named settles everything but links that would be written through.
    expect(untrusted(checked, { use, user, roots: [top] })?.check).toBe(found === 'link' ? 'link' : undefined);
    expect(untrusted(checked, { use, user, roots: [other] })?.check).toBe(found);
  });

  it('is not written below a folder that is a link in a Git checkout, and is written below a link above it', async () => {
    const top = await openFolder();
    const [outside, checkout] = [join(top, 'outside'), join(top, 'checkout')];
    await mkdir(outside);
    await mkdir(join(checkout, '.git'), { recursive: true });
    await symlink(outside, join(checkout, 'reports'));
    await symlink(checkout, join(top, 'linked'));
    const found = untrusted(join(checkout, 'reports/below/plan.md'), { use: 'output', roots: [top] });
    expect(found).toMatchObject({ check: 'link', place: join(checkout, 'reports') });
    expect(untrusted(join(checkout, 'reports/plan.md'), { use: 'input' })).toBeUndefined();
    expect(untrusted(join(top, 'linked/plan.md'), { use: 'output' })).toBeUndefined();
  });

  it('in a secret volume of Kubernetes is used: two links of root in a folder with the sticky bit', async () => {
    const volume = await openFolder();
    await writeFiles(volume, { '..2026_01_01/credentials.yaml': 'x' });
    await symlink('..2026_01_01', join(volume, '..data'));
    await symlink('..data/credentials.yaml', join(volume, 'credentials.yaml'));
    await chmod(volume, 0o3777);
    const user = { uid: 65532, isPrivateGroup: () => false };
    expect(untrusted(join(volume, 'credentials.yaml'), { use: 'input', user })).toBeUndefined();
  });

  it('of root is used by every user, and a loop of links by none', async () => {
    const folder = await openFolder({ file: 'x' });
    await chmod(folder, 0o755);
    const user = { uid: OTHER, isPrivateGroup: () => false };
    expect(untrusted(join(folder, 'file'), { use: 'input', user })).toBeUndefined();
    await symlink('loop', join(folder, 'loop'));
    expect(untrusted(join(folder, 'loop'), { use: 'input' })?.check).toBe('links');
    expect(untrusted(join(folder, 'missing/file'), { use: 'output' })).toBeUndefined();
  });
});

describe('a group', () => {
  it('is private if it has no member but the user and root', () => {
    const { isPrivateGroup } = currentUser();
    expect(isPrivateGroup(4_000_000)).toBe(process.geteuid?.() === 4_000_000);
    if (isRoot) expect(isPrivateGroup(0)).toBe(true);
    // Everyone whose first group it is belongs to it, whether or not /etc/group says so.
    expect(isPrivateGroup(65534)).toBe(false);
  });
});

const workspaceFile = (url: string): string =>
  `apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: ${url}\n`;

/** A sandbox, and a folder in a shared one whose workspace file is of another user. */
async function shared() {
  const sandbox = closing(await startSandbox({}));
  const top = await openFolder({
    'hostwright.yaml': workspaceFile(sandbox.url),
    'shop.yaml': 'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: shop }\nspec: {}\n',
  });
  const own = join(top, 'mine');
  await mkdir(own);
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = own) =>
    runHere(args, {
      cwd,
      env: { PATH: process.env.PATH, HOME: top, HOSTWRIGHT_TOKEN: API_KEY, HOSTWRIGHT_CACHE: 'off', ...env },
    });
  return { sandbox, top, own, run };
}

describe.skipIf(!isRoot)('a workspace file of another user', () => {
  it('in a folder above is not used, so that its address gets no token, unless the user names it', async () => {
    const { sandbox, top, run } = await shared();
    await chown(join(top, 'hostwright.yaml'), OTHER, OTHER);
    const refused = await run(['get', 'sites']);
    expect([refused.code, refused.stderr]).toEqual([1, containing('HW6011')]);
    expect(refused.stderr).toContain('belongs to nobody (user 65534)');
    expect(sandbox.requests).toEqual([]);
    for (const [args, env] of [
      [['get', 'sites', '--config', '../hostwright.yaml'], {}],
      [['get', 'sites'], { HOSTWRIGHT_TRUSTED_ROOT: top }],
      [['get', 'sites'], { GITLAB_CI: 'true', CI_PROJECT_DIR: top }],
      [['get', 'sites'], { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: top }],
    ] as const)
      expect(await run(args, env as Readonly<Record<string, string>>)).toMatchObject({ code: 0 });
    const badRoot = await run(['get', 'sites'], { HOSTWRIGHT_TRUSTED_ROOT: '/' });
    expect(badRoot.code).toBe(1);
    await chown(join(top, 'hostwright.yaml'), 0, 0);
    const reported = await run(['get', 'sites'], { HOSTWRIGHT_TRUSTED_ROOT: '/' });
    expect([reported.code, reported.stderr]).toEqual([0, containing('warning HW6012')]);
  });
});

describe.skipIf(!isRoot)('a credentials file', () => {
  it.each([
    ['of another user', async (file: string) => chown(file, OTHER, OTHER)],
    [
      'that a group with other members can write',
      async (file: string) => {
        await chown(file, 0, SHARED_GROUP + 65_434);
        await chmod(file, 0o664);
      },
    ],
    ['in a folder that everyone can write', async (file: string) => chmod(dirname(file), 0o777)],
  ])('%s is not used: none of its commands is run', async (_name, spoil) => {
    const { own, run, sandbox } = await shared();
    const home = await openFolder();
    const canary = join(home, 'canary');
    const file = join(home, 'config/credentials.yaml');
    await writeFiles(dirname(file), {
      'credentials.yaml': JSON.stringify({
        apiVersion: 'hostwright/v1',
        kind: 'Credentials',
        spec: { tokens: [{ name: 'clients', command: ['touch', canary] }] },
      }),
    });
    await writeFiles(own, { 'hostwright.yaml': `${workspaceFile(sandbox.url)}  credentialEntry: clients\n` });
    const env = { HOSTWRIGHT_CREDENTIALS: file, HOSTWRIGHT_TOKEN: '' };
    await run(['get', 'sites'], env);
    expect(existsSync(canary)).toBe(true);
    await unlink(canary);
    await spoil(file);
    const { code, stderr } = await run(['get', 'sites'], env);
    expect([code, stderr]).toEqual([1, containing('HW6031')]);
    expect(existsSync(canary)).toBe(false);
  });
});

describe('a report', () => {
  it.each(['markdown', 'json', 'sarif', 'outputs'])('is not written through a link: %s', async (form) => {
    const { own, run } = await shared();
    const victim = join(await openFolder({ victim: 'kept' }), 'victim');
    await symlink(victim, join(own, 'report'));
    const { stderr } = await run(['plan', '--report', `${form}=report`]);
    expect(stderr).toContain('HW6601');
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain('is a link, so that another file would be overwritten');
    expect(await readFile(victim, 'utf8')).toBe('kept');
  });

  it('and a saved plan are written where no link is, and to a descriptor', async () => {
    const { own, run } = await shared();
    const { code } = await run([
      'plan',
      '--report',
      'json=report',
      '--report',
      'markdown=/dev/null',
      '--out',
      'plan.json',
    ]);
    expect(code).toBeLessThan(3);
    expect([existsSync(join(own, 'report')), existsSync(join(own, 'plan.json'))]).toEqual([true, true]);
    await unlink(join(own, 'plan.json'));
    const victim = join(await openFolder({ victim: '{}' }), 'victim');
    await symlink(victim, join(own, 'plan.json'));
    const linked = await run(['plan', '--out', 'plan.json']);
    expect(linked.stderr).toMatch(/HW650\d/);
    expect(await readFile(victim, 'utf8')).toBe('{}');
  });
});

describe.skipIf(!isRoot)('a ledger file', () => {
  it('of another user, or in a folder that everyone can write, is not read', async () => {
    const folder = await openFolder({ 'ledger/ledger.jsonl': '' });
    const file = join(folder, 'ledger/ledger.jsonl');
    expect(await fileStore(file).read()).toEqual(Buffer.alloc(0));
    await chown(file, OTHER, OTHER);
    await expect(fileStore(file).read()).rejects.toThrow(/belongs to nobody/);
    expect(await fileStore(file, [folder]).read()).toEqual(Buffer.alloc(0));
    await chown(file, 0, 0);
    await chmod(dirname(file), 0o777);
    await expect(fileStore(file).read()).rejects.toThrow(/can be written by every user \(mode 777\)/);
  });
});

describe.skipIf(!isRoot)('the cache', () => {
  it('is not used in a folder that another user can replace', async () => {
    const base = await openFolder();
    const owner = { env: { XDG_CACHE_HOME: join(base, 'cache') }, platform: 'linux', uid: 0 } as const;
    openCache(owner)?.write('x-1', [Buffer.from('kept')]);
    expect(openCache(owner)?.read('x-1')?.toString()).toBe('kept');
    await chmod(join(base, 'cache'), 0o777);
    expect(openCache(owner)?.read('x-1')).toBeUndefined();
    openCache(owner)?.write('x-2', [Buffer.from('new')]);
    await chmod(join(base, 'cache'), 0o755);
    expect(openCache(owner)?.read('x-2')).toBeUndefined();
  });
});
