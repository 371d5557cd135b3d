// Git, run in a checkout that an attacker wrote: with real Git, real repositories and the command. Each attack was seen to
// work when its defence was removed (test/defences.ts).
import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Git, GitOptions } from '../../src/ledger/git-command.ts';
import { createGit } from '../../src/ledger/git-command.ts';
import { createGitRemote } from '../../src/ledger/git/remote.ts';
import { PROGRAM_KEYS } from '../../src/system/git/config.ts';
import { filesIn } from '../../src/usecases/git.ts';
import { closing, openFolder, writeFiles } from '../support/closing.ts';
import { containing } from '../support/matchers.ts';
import { noGit } from '../support/processes/git.ts';
import { runHere } from '../support/processes/run-here.ts';
import { virtualClock } from '../platform/virtual-clock.ts';

const WORKSPACE = `apiVersion: hostwright/v1
kind: Workspace
spec:
  account: acc-acme
  baseUrl: http://127.0.0.1:1
  manifests: [manifests]
`;
const STRICT = `${WORKSPACE}  guards: { allowDeletes: 0 }\n`;
const LOOSE = `${WORKSPACE}  guards: { allowDeletes: 1000 }\n`;
const MANIFEST = 'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: shop }\nspec: {}\n';

interface Ground {
  /** The folder of the test: `repository` is in it. */
  readonly folder: string;
  readonly root: string;
  /** The folder of the workspace, in the repository. */
  readonly workspace: string;
  /** Exists once a program of the attacker has run. */
  readonly canary: string;
  /** The program of the attacker, which is in the checkout. */
  readonly evil: string;
  readonly base: string;
  readonly git: (cwd: string, ...args: readonly string[]) => Promise<string>;
  readonly at: (folder?: string, extra?: Partial<GitOptions>) => Git;
}

/** A repository with a workspace below its top, and a program of the attacker in it. */
async function ground(): Promise<Ground> {
  const folder = await openFolder();
  const [root, home] = [join(folder, 'repository'), join(folder, 'home')];
  const workspace = join(root, 'accounts/shop');
  const [canary, evil] = [join(folder, 'canary'), join(workspace, 'run.sh')];
  await mkdir(home);
  await writeFiles(workspace, {
    'hostwright.yaml': STRICT,
    'manifests/shop.yaml': MANIFEST,
    'run.sh': `#!/bin/sh\nenv >>'${canary}'\nexit 1\n`,
  });
  await chmod(evil, 0o755);
  const env = environment(home);
  const by = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@a', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@a' };
  const git: Ground['git'] = async (cwd, ...args) =>
    (await promisify(execFile)('git', args, { cwd, env: { ...env, ...by } })).stdout.trim();
  await git(folder, 'init', '-q', '-b', 'main', root);
  await git(root, 'add', '.');
  await git(root, 'commit', '-q', '-m', 'base');
  return {
    folder,
    root,
    workspace,
    canary,
    evil,
    base: await git(root, 'rev-parse', 'HEAD'),
    git,
    at: (from = workspace, extra = {}) => closing(createGit({ folder: from, env, timeoutMs: 60_000, ...extra })),
  };
}

function environment(home: string): Readonly<Record<string, string | undefined>> {
  return { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1', XDG_CONFIG_HOME: home };
}

/** Makes the folder of the workspace a repository by files that can be committed. */
async function embed({ root, workspace, base }: Ground, config: string): Promise<void> {
  const object = join('objects', base.slice(0, 2), base.slice(2));
  await writeFiles(workspace, {
    HEAD: 'ref: refs/heads/main\n',
    config: `[core]\n\trepositoryformatversion = 1\n\tbare = false\n\tworktree = .\n${config}`,
    'objects/info/keep': '',
    'refs/heads/main': '1234567890123456789012345678901234567890\n',
    'refs/remotes/origin/main': '1234567890123456789012345678901234567890\n',
  });
  await mkdir(dirname(join(workspace, object)), { recursive: true });
  await copyFile(join(root, '.git', object), join(workspace, object));
}

const run = ({ workspace, folder }: Ground, args: readonly string[]) =>
  runHere(args, {
    cwd: workspace,
    env: {
      ...environment(join(folder, 'home')),
      HOSTWRIGHT_TOKEN: 'token-of-the-job',
      HOSTWRIGHT_CACHE: 'off',
      CI: 'true',
    },
  });

const isRoot = process.geteuid?.() === 0;
if (!isRoot) process.stderr.write('owners of Git directories are not tried: only root can change an owner\n');

describe.skipIf(noGit !== undefined)('a Git repository that a branch commits as plain files', () => {
  it.each([
    ['core.fsmonitor', () => '\tfsmonitor = ./run.sh\n'],
    [
      'core.sshCommand, for an object that a promisor has',
      () =>
        '\tsshCommand = ./run.sh\n[extensions]\n\tpartialClone = origin\n[remote "origin"]\n\turl = ssh://x/y\n\tpromisor = true\n',
    ],
    [
      'a credential helper and a hook',
      () => '\thooksPath = .\n[credential]\n\thelper = !./run.sh\n[remote "origin"]\n\turl = http://127.0.0.1:1/x\n',
    ],
  ])('is not used, and none of its programs is started: %s', async (_name, config) => {
    const one = await ground();
    await embed(one, config());
    await writeFile(join(one.workspace, 'manifests/shop.yaml'), `${MANIFEST}# changed\n`);
    const ledger = { 'hostwright.yaml': `${STRICT}  ledger: { git: {} }\n` };
    for (const args of [
      ['plan', '--guards-from', one.base],
      ['plan', '--changed-since', one.base],
      ['apply', '--yes'],
    ])
      await run(one, args);
    await writeFiles(one.workspace, ledger);
    for (const args of [['plan'], ['drift'], ['doctor'], ['ledger', 'list']]) await run(one, args);
    expect(existsSync(one.canary) ? await readFile(one.canary, 'utf8') : '').toBe('');
  });

  it('does not replace the base of --guards-from', async () => {
    const one = await ground();
    await embed(one, '');
    await mkdir(join(one.workspace, 'refs/replace'), { recursive: true });
    const [file] = await filesIn(one.at(), [`${one.base}:./hostwright.yaml`]);
    expect(file?.toString('utf8')).toBe(STRICT);
  });
});

describe.skipIf(noGit !== undefined)('the real repository', () => {
  it('is read without its replaced objects', async () => {
    const one = await ground();
    await writeFile(join(one.workspace, 'hostwright.yaml'), LOOSE);
    await one.git(one.root, 'commit', '-q', '-a', '-m', 'evil');
    await one.git(one.root, 'replace', one.base, 'HEAD');
    expect(await one.git(one.root, 'show', `${one.base}:accounts/shop/hostwright.yaml`)).toContain('1000');
    const [file] = await filesIn(one.at(), [`${one.base}:./hostwright.yaml`]);
    expect(file?.toString('utf8')).toBe(STRICT);
  });

  it.each([
    ['core.fsmonitor', ['config', 'core.fsmonitor', './accounts/shop/run.sh'], ['ls-files', '--others']],
    ['an alias of a command that is used', ['config', 'alias.ls-files', '!./accounts/shop/run.sh'], ['ls-files']],
    ['core.pager', ['config', 'core.pager', './accounts/shop/run.sh'], ['ls-files']],
    ['filter', ['config', 'filter.x.clean', './accounts/shop/run.sh'], ['diff', '--raw', 'HEAD']],
    ['filter with a process', ['config', 'filter.x.process', './accounts/shop/run.sh'], ['diff', '--raw', 'HEAD']],
  ])('starts no program that its configuration names for the work tree: %s', async (_name, config, command) => {
    const one = await ground();
    await writeFiles(one.root, { '.gitattributes': '* filter=x\n' });
    await one.git(one.root, ...config);
    // Same size, other content: Git has to read the file to know.
    await writeFile(join(one.workspace, 'manifests/shop.yaml'), MANIFEST.replace('shop', 'shoq'));
    await one.at().look(command);
    expect(existsSync(one.canary)).toBe(false);
  });

  it('starts no hook, wherever core.hooksPath leads', async () => {
    const one = await ground();
    const bare = join(one.folder, 'ledger.git');
    await one.git(one.folder, 'init', '-q', '--bare', bare);
    await one.git(one.root, 'remote', 'add', 'origin', bare);
    await one.git(one.root, 'config', 'core.hooksPath', join(one.root, 'hooks'));
    for (const folder of ['hooks', '.git/hooks'])
      for (const hook of ['pre-push', 'reference-transaction', 'post-index-change']) {
        await mkdir(join(one.root, folder), { recursive: true });
        await copyFile(one.evil, join(one.root, folder, hook));
      }
    await one.at().run(['push', '--quiet', 'origin', 'HEAD:refs/heads/ledger']);
    expect(existsSync(one.canary)).toBe(false);
    expect(await one.git(bare, 'rev-parse', 'ledger')).toBe(one.base);
  });

  it('is not used while its configuration includes a file of the checkout', async () => {
    const one = await ground();
    await writeFiles(one.root, { '.gitconfig': '[core]\n\tsshCommand = ./accounts/shop/run.sh\n' });
    await one.git(one.root, 'config', 'include.path', '../.gitconfig');
    await expect(one.at().look(['rev-parse', 'HEAD'])).rejects.toThrow(
      /includes .*\.gitconfig.*a file of the checkout/,
    );
  });

  it('is the only one, whatever GIT_* variables the environment holds', async () => {
    const [one, other] = [await ground(), await ground()];
    const env = {
      ...environment(join(one.folder, 'home')),
      GIT_DIR: join(other.root, '.git'),
      GIT_WORK_TREE: other.root,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.fsmonitor',
      GIT_CONFIG_VALUE_0: one.evil,
      GIT_CONFIG_PARAMETERS: `'core.fsmonitor=${one.evil}'`,
      GIT_EXTERNAL_DIFF: one.evil,
      GIT_PAGER: one.evil,
      GIT_EXEC_PATH: dirname(one.evil),
      GIT_TRACE: join(one.folder, 'trace'),
    };
    const git = one.at(one.workspace, { env });
    expect((await git.look(['rev-parse', '--show-toplevel'])).toString('utf8').trim()).toBe(one.root);
    await git.look(['diff', '--raw', 'HEAD']);
    await git.look(['ls-files']);
    expect([existsSync(one.canary), existsSync(join(one.folder, 'trace'))]).toEqual([false, false]);
  });

  it('is read by the Git of the machine, not by one in the checkout or in a folder that every user can write', async () => {
    const one = await ground();
    const open = join(one.folder, 'open');
    await mkdir(open);
    await chmod(open, 0o777);
    for (const folder of [open, one.workspace, join(one.root, 'node_modules/.bin')]) {
      await mkdir(folder, { recursive: true });
      await copyFile(one.evil, join(folder, 'git'));
    }
    const PATH = ['.', '', one.workspace, join(one.root, 'node_modules/.bin'), open, process.env.PATH].join(':');
    const git = one.at(one.workspace, { env: { ...environment(join(one.folder, 'home')), PATH } });
    expect((await git.look(['rev-parse', 'HEAD'])).toString('utf8').trim()).toBe(one.base);
    expect(existsSync(one.canary)).toBe(false);
  });

  it('needs Git 2.38', async () => {
    const one = await ground();
    await writeFiles(one.folder, { 'old/git': '#!/bin/sh\necho git version 2.37.9\n' });
    await chmod(join(one.folder, 'old/git'), 0o755);
    const env = { ...environment(join(one.folder, 'home')), PATH: `${one.folder}/old:${process.env.PATH}` };
    await expect(one.at(one.workspace, { env }).look(['rev-parse', 'HEAD'])).rejects.toThrow(
      'git version 2.37.9 is too old: Git 2.38 or newer is needed',
    );
  });

  it.skipIf(!isRoot)('of another user is not used, unless its folder is named as trusted', async () => {
    const one = await ground();
    for (const place of ['.git', '.git/config', '.git/HEAD', '.']) {
      await chown(join(one.root, place), 65534, 65534);
      await expect(one.at().look(['rev-parse', 'HEAD'])).rejects.toThrow(/belongs to nobody \(user 65534\)/);
      const trusted = one.at(one.workspace, { trustedRoots: [one.root] });
      expect((await trusted.look(['rev-parse', 'HEAD'])).toString('utf8').trim()).toBe(one.base);
      const elsewhere = one.at(one.workspace, { trustedRoots: [join(one.folder, 'home')] });
      await expect(elsewhere.look(['rev-parse', 'HEAD'])).rejects.toThrow('HOSTWRIGHT_TRUSTED_ROOT');
      await chown(join(one.root, place), 0, 0);
    }
  });

  it('may be a linked work tree or a submodule', async () => {
    const one = await ground();
    const linked = join(one.folder, 'linked');
    await one.git(one.root, 'worktree', 'add', '-q', '-b', 'second', linked);
    const [top, parent] = [join(one.folder, 'parent'), join(one.folder, 'parent/sub')];
    await one.git(one.folder, 'init', '-q', top);
    await one.git(top, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', one.root, 'sub');
    for (const root of [linked, parent]) {
      const git = one.at(join(root, 'accounts/shop'));
      const [file] = await filesIn(git, ['HEAD:./hostwright.yaml']);
      expect(file?.toString('utf8')).toBe(STRICT);
      expect((await git.look(['rev-parse', '--show-toplevel'])).toString('utf8').trim()).toBe(root);
      expect((await git.objects()).hash).toBe('sha1');
    }
  });

  it('that is a partial clone does not make a file that it lacks one that does not exist', async () => {
    const one = await ground();
    await one.git(one.root, 'config', 'uploadpack.allowFilter', 'true');
    const partial = join(one.folder, 'partial');
    await one.git(one.folder, 'clone', '-q', '--no-checkout', '--filter=blob:none', `file://${one.root}`, partial);
    await one.git(partial, 'remote', 'set-url', 'origin', `file://${one.folder}/nothing`);
    const git = one.at(partial);
    await expect(filesIn(git, ['HEAD:accounts/shop/hostwright.yaml'])).rejects.toThrow(/partial clone|promisor/);
    expect(await filesIn(git, ['HEAD:accounts/shop/other.yaml'])).toEqual([undefined]);
  });
});

describe.skipIf(noGit !== undefined)('a remote of the Git ledger', () => {
  const remoteOf = ({ workspace, folder }: Ground, remote: string, env: Readonly<Record<string, string>> = {}) =>
    closing(
      createGitRemote({
        folder: workspace,
        remote,
        env: { ...environment(join(folder, 'home')), ...env },
        timeoutMs: 60_000,
        clock: virtualClock(),
      }),
    );
  const evilBare = async (one: Ground): Promise<void> => {
    const bare = join(one.workspace, 'evil/repo');
    await one.git(one.folder, 'init', '-q', '--bare', bare);
    await mkdir(join(bare, 'hooks'), { recursive: true });
    for (const hook of ['pre-receive', 'update', 'post-receive']) await copyFile(one.evil, join(bare, 'hooks', hook));
  };

  it('is not a path of the checkout', async () => {
    const one = await ground();
    await evilBare(one);
    await writeFile(join(one.workspace, 'hostwright.yaml'), `${STRICT}  ledger: { git: { remote: evil/repo } }\n`);
    const { code, stderr } = await run(one, ['ledger', 'init']);
    expect([code, stderr]).toEqual([1, containing('the remote `evil/repo` is not configured in the repository')]);
    expect(existsSync(one.canary)).toBe(false);
  });

  it.each([
    ['by its name', (one: Ground) => one.git(one.root, 'remote', 'add', 'ledger', './accounts/shop/evil/repo')],
    [
      'by an address that another setting rewrites',
      async (one: Ground) => {
        await one.git(one.root, 'remote', 'add', 'ledger', 'https://ledgers.example/repo');
        await one.git(one.root, 'config', `url.${one.workspace}/evil/.insteadOf`, 'https://ledgers.example/');
      },
    ],
    [
      'for pushes alone',
      async (one: Ground) => {
        await one.git(one.root, 'remote', 'add', 'ledger', one.root);
        await one.git(one.root, 'config', 'remote.ledger.pushurl', `file://${one.workspace}/evil/repo`);
      },
    ],
  ])('is not a folder of the checkout, also where it is configured so: %s', async (_name, configure) => {
    const one = await ground();
    await evilBare(one);
    await configure(one);
    await expect(remoteOf(one, 'ledger').list('now')).rejects.toThrow(/folder of the checkout/);
    expect(existsSync(one.canary)).toBe(false);
  });

  it('is not an address that is a command', async () => {
    const one = await ground();
    await one.git(one.root, 'remote', 'add', 'ledger', `ext::${one.evil}`);
    await one.git(one.root, 'config', 'protocol.ext.allow', 'always');
    await expect(remoteOf(one, 'ledger').list('now')).rejects.toThrow(/transport 'ext' not allowed/);
    expect(existsSync(one.canary)).toBe(false);
  });

  it('may be a bare repository at a path outside, and one that ssh reaches with the agent and without the token', async () => {
    const one = await ground();
    const [bare, seen] = [join(one.folder, 'ledger.git'), join(one.folder, 'seen')];
    await one.git(one.folder, 'clone', '-q', '--bare', one.root, bare);
    await one.git(one.root, 'remote', 'add', 'path', bare);
    await one.git(one.root, 'remote', 'add', 'ssh', `ssh://host.example${bare}`);
    await writeFiles(one.folder, {
      'bin/ssh': `#!/bin/sh\nenv >'${seen}'\nfor last; do :; done\nexec sh -c "$last"\n`,
    });
    await chmod(join(one.folder, 'bin/ssh'), 0o755);
    const env = {
      PATH: `${one.folder}/bin:${process.env.PATH}`,
      SSH_AUTH_SOCK: '/agent',
      HOSTWRIGHT_TOKEN: 'canary',
      HOSTWRIGHT_DATABASE_URL: 'canary',
      NPM_TOKEN: 'canary',
    };
    for (const name of ['path', 'ssh'])
      expect([...(await remoteOf(one, name, env).list('now')).keys()]).toEqual(['refs/heads/main']);
    const variables = await readFile(seen, 'utf8');
    expect(variables).toContain('SSH_AUTH_SOCK=/agent\n');
    expect(variables).not.toContain('canary');
  });
});

describe.skipIf(noGit !== undefined)('the keys of the Git configuration', () => {
  it('that name a program have a decision each, all of those that this Git knows', () => {
    const names = execFileSync('git', ['help', '--config'], { encoding: 'utf8' }).trim().split('\n');
    const keys = names.map((name) => name.replaceAll(/<\w+>|\*/g, 'x').toLowerCase());
    const isProgram =
      /(?:cmd|command|program|helper|hook|hookspath|\.driver|textconv|editor|pager|askpass|gitproxy|fsmonitor|uploadpack|receivepack|\.vcs|insteadof|\.external|difffilter|\.clean|\.smudge|\.process|include\.path|includeif\.x\.path|gpgsign)$|^(?:alias|pager)\./;
    // Settings of commands that are not run, or that only resemble the name of a program.
    const OTHERS = /^(?:diff\.x\.cache|column|commit|tag|stash|rebase|merge|color|notes|blame|advice|completion|am)/;
    const decided = keys.filter((key) => isProgram.test(key) && !OTHERS.test(key));
    expect(decided.length).toBeGreaterThan(20);
    expect(decided.filter((key) => !PROGRAM_KEYS.some(({ key: pattern }) => pattern.test(key)))).toEqual([]);
  });

  it('that are switched off say by what', () => {
    expect(PROGRAM_KEYS.filter(({ decision, settings }) => (decision === 'off') !== (settings !== undefined))).toEqual(
      [],
    );
  });
});
