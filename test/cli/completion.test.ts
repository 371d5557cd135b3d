// `completion` in real shells, as far as they are installed, and what they are told when they ask for names.
import { spawnSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { trustAddress } from '../../src/cli/commands/completion.ts';
import type { Context } from '../../src/cli/context.ts';
import { createContext } from '../../src/cli/context.ts';
import { createOutput } from '../../src/cli/output.ts';
import { API_KEY } from '../../src/sandbox/core/http/credentials.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { namesIn } from '../../src/usecases/names.ts';
import { useProgram } from './program-under-test.ts';
import { openServer } from '../support/servers/plain.ts';
import { containing } from '../support/matchers.ts';

const { folder, run } = useProgram();

const isThere = (shell: string): boolean => {
  const found = spawnSync(shell, ['-c', 'true']).status === 0;
  if (!found) process.stdout.write(`skipped: no ${shell} on this machine\n`);
  return found;
};

/** What a shell offers after each of these lines. */
const OFFERS: readonly (readonly [line: string, offered: readonly string[]])[] = [
  ['hostwright pla', ['plan']],
  ['hostwright ledger con', ['confirm']],
  ['hostwright --account acc-acme plan --det', ['--detailed-exitcode']],
  ['hostwright plan --format ma', ['markdown']],
  ['hostwright get shield-ru', ['shield-rules']],
  ['hostwright site restart b', ['blog']],
  ['hostwright plan --target Site/s', ['Site/shop']],
];

/** A workspace in the folder, and a `hostwright` on the path. */
function shellIn(at: string): { readonly cwd: string; readonly env: NodeJS.ProcessEnv } {
  mkdirSync(join(at, 'sites'), { recursive: true });
  writeFileSync(join(at, 'hostwright.yaml'), WORKSPACE);
  writeFileSync(
    join(at, 'sites/all.yaml'),
    'kind: Site\nmetadata: { name: shop }\n---\nkind: Site\nmetadata:\n  name: blog\n',
  );
  const main = join(import.meta.dirname, '../../dist/main.js');
  writeFileSync(join(at, 'hostwright'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`, { mode: 0o755 });
  return { cwd: at, env: { HOME: at, PATH: `${at}:${process.env.PATH ?? ''}` } };
}

const WORKSPACE =
  'apiVersion: hostwright/v1\nkind: Workspace\nspec: { account: acc-acme, baseUrl: "http://127.0.0.1:1", manifests: [sites] }\n';

/** A person at a terminal who gives this answer. */
function contextWith(
  answer: string,
  {
    config,
    ...given
  }: { readonly cwd: string; readonly config: string; readonly env: Readonly<Record<string, string>> },
): Context {
  const silent = new Writable({ write: (_text, _encoding, done) => done() });
  const output = createOutput(silent, silent);
  const context = createContext({ format: 'human', config }, { process, output, stop: new AbortController().signal });
  const stdin = new PassThrough();
  stdin.end(`${answer}\n`);
  const terminal = { ...given, canAsk: true, stdin, stderr: silent };
  return Object.defineProperties(context, Object.getOwnPropertyDescriptors(terminal));
}

async function script(shell: string): Promise<string> {
  const file = join(folder(), `completion.${shell}`);
  const { stdout, stderr, code } = await run(['completion', shell]);
  expect([stderr, code]).toEqual(['', 0]);
  writeFileSync(file, stdout);
  return file;
}

describe('completion', () => {
  it.skipIf(!isThere('bash')).each(OFFERS)('bash: %s', async (line, offered) => {
    const words = line
      .split(' ')
      .map((word) => `'${word}'`)
      .join(' ');
    const shown = spawnSync(
      'bash',
      [
        '-c',
        `source '${await script('bash')}'; COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _hostwright; printf '%s\\n' "\${COMPREPLY[@]}"`,
      ],
      shellIn(folder()),
    );
    expect(String(shown.stdout).trim().split('\n')).toEqual(offered);
  });

  it.skipIf(!isThere('fish')).each(OFFERS)('fish: %s', async (line, offered) => {
    const shown = spawnSync(
      'fish',
      ['-c', `source '${await script('fish')}'; complete -C '${line}'`],
      shellIn(folder()),
    );
    const words = String(shown.stdout).trim().split('\n');
    expect(words.map((word) => word.split('\t')[0])).toEqual(offered);
  });

  it.skipIf(!isThere('zsh'))('zsh takes the script', async () => {
    expect(spawnSync('zsh', ['-n', await script('zsh')]).stderr.toString()).toBe('');
  });

  it('is told names of manifests from files alone, and nothing where there is no workspace', async () => {
    const names = async (...words: readonly string[]) => {
      const { stdout, stderr, code } = await run(['__complete', '--', ...words]);
      expect([stderr, code]).toEqual(['', 0]);
      return stdout.split('\n').slice(0, -1);
    };
    shellIn(folder());
    expect(await names('site', 'restart', '')).toEqual(['blog', 'shop']);
    expect(await names('get', 'sites', 's')).toEqual(['shop']);
    expect(await names('get', 'regis')).toEqual(['registrations']);
    expect(await names('drift', '--accept', '=', 'Site/')).toEqual(['Site/blog', 'Site/shop']);
    expect(await names('site', 'backup', 'd')).toEqual(['delete']);
    for (const words of [
      ['site', 'restart', '--'],
      ['plan', '--max-rps', ''],
      ['site', 'nowhere', ''],
      ['nowhere', ''],
    ])
      expect(await names(...words)).toEqual([]);
    expect(await names('--config', 'nowhere.yaml', 'site', 'restart', '')).toEqual([]);
  });

  it('is told names of live objects with a token, none a shell would run, and none where nobody answers', async () => {
    const sandbox = await startSandbox({ scenario: 'small' });
    try {
      const [site] = sandbox.state.sites.values();
      if (site !== undefined) site.name = '$(reboot)';
      shellIn(folder());
      const live = async (token: string, url = sandbox.url) => {
        const { stdout, stderr, code } = await run(['__complete', '--', '--api-url', url, 'get', 'sites', ''], {
          env: { HOSTWRIGHT_TOKEN: token },
        });
        expect([stderr, code]).toEqual(['', 0]);
        return stdout.split('\n').slice(0, -1);
      };
      // It gives up soon; then the key is pressed again.
      await expect.poll(() => live(API_KEY)).toEqual(['blog', 'docs', 'shop']);
      expect(await live('wrong')).toEqual(['blog', 'shop']);
    } finally {
      await sandbox.close();
    }
  });

  it('sends no token to the address of a workspace that was cloned, until the user confirms it at a terminal', async () => {
    const asked: string[] = [];
    const { url } = await openServer((request, response) => {
      asked.push(request.headers.authorization ?? '');
      response.writeHead(401).end();
    });
    const clone = join(folder(), 'clone');
    const file = join(clone, 'hostwright.yaml');
    const config = ['--config', 'clone/hostwright.yaml'];
    mkdirSync(join(clone, '.git'), { recursive: true });
    const names = (address: string) =>
      writeFileSync(file, `apiVersion: hostwright/v1\nkind: Workspace\nspec: { account: a, baseUrl: "${address}" }\n`);
    names(url);
    const home = join(folder(), 'home');
    mkdirSync(home, { mode: 0o700 });
    const env = { HOME: home, HOSTWRIGHT_TOKEN: 'token-canary-1234' };
    const complete = (more: Readonly<Record<string, string>> = {}) =>
      run(['__complete', '--', ...config, 'get', 'sites', ''], {
        env: { ...env, ...more },
        // A process of its own, as the shell starts it.
        during: () => undefined,
      });
    /** It gives up soon; then the key is pressed again. */
    const completed = async (more?: Readonly<Record<string, string>>): Promise<number> => {
      await complete(more);
      return asked.length;
    };
    await complete();
    // Nobody is at a terminal: neither a script nor a job can confirm it.
    const refused = await run(['completion', '--trust', ...config], { env, input: 'yes\n' });
    expect([refused.code, refused.stderr]).toEqual([1, containing('HW6040')]);
    await complete();
    // A list that came with the repository, at whatever place the environment names.
    const own = join(clone, 'state/hostwright');
    mkdirSync(own, { recursive: true, mode: 0o700 });
    const planted = JSON.stringify({ trusted: [{ workspace: realpathSync(file), address: url }] });
    writeFileSync(join(own, 'trusted-addresses.json'), planted, { mode: 0o600 });
    await complete({ XDG_STATE_HOME: join(clone, 'state') });
    expect(asked).toEqual([]);
    const within = { ...env, XDG_STATE_HOME: join(clone, 'state') };
    expect(
      await trustAddress(contextWith('yes', { cwd: folder(), config: 'clone/hostwright.yaml', env: within })),
    ).toBe('error');
    for (const answer of ['no', 'yes']) {
      const context = contextWith(answer, { cwd: folder(), config: 'clone/hostwright.yaml', env });
      expect(await trustAddress(context)).toBe('done');
      await complete();
      if (answer === 'yes') await expect.poll(() => completed()).toBeGreaterThan(0);
      else expect(asked).toEqual([]);
    }
    expect(new Set(asked)).toEqual(new Set(['Bearer token-canary-1234']));
    // Another address in the file is another question.
    asked.length = 0;
    names(`${url}/other`);
    await complete();
    expect(asked).toEqual([]);
    // The user's own word needs no list.
    await expect.poll(() => completed({ HOSTWRIGHT_API_URL: url })).toBeGreaterThan(0);
  });

  it.each([
    ['kind: Site\nmetadata: { id: x, name: "a b" } # name: c\n', ['Site a b']],
    ['{\n  "kind": "Site",\n  "metadata": {\n    "name": "shop"\n  }\n}', ['Site shop']],
    ["metadata:\n  labels: {}\n  name: 'x.com' # kept\nkind: DomainRegistration\n", ['DomainRegistration x.com']],
    ['kind: Site\n---\nmetadata: { name: y }\n--- \nnot: one\n', []],
  ])('names in %j', (text, names) => {
    expect(namesIn(text).map(({ kind, name }) => `${kind} ${name}`)).toEqual(names);
  });

  it('refuses another shell', async () => {
    const { stderr, code } = await run(['completion', 'tcsh']);
    expect([stderr, code]).toEqual([containing('Allowed choices are bash, zsh, fish'), 1]);
  });
});
