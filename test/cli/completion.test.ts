// `completion` in the real shells that are installed, and the names that it offers.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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
  ['hostwright run restart Site/b', ['Site/blog']],
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

  it('offers names in manifests, and none without a workspace', async () => {
    const names = async (...words: readonly string[]) => {
      const { stdout, stderr, code } = await run(['__complete', '--', ...words]);
      expect([stderr, code]).toEqual(['', 0]);
      return stdout.split('\n').slice(0, -1);
    };
    shellIn(folder());
    expect(await names('run', 'restart', '')).toEqual(['Site/blog', 'Site/shop']);
    expect(await names('get', 'sites', 's')).toEqual(['shop']);
    expect(await names('get', 'regis')).toEqual(['registrations']);
    expect(await names('drift', '--accept', '=', 'Site/')).toEqual(['Site/blog', 'Site/shop']);
    expect(await names('run', 'rest')).toEqual(['restart', 'restore']);
    for (const words of [
      ['run', 'restart', '--'],
      ['plan', '--max-rps', ''],
      ['history', 'nowhere', ''],
      ['nowhere', ''],
    ])
      expect(await names(...words)).toEqual([]);
    expect(await names('--config', 'nowhere.yaml', 'run', 'restart', '')).toEqual([]);
  });

  it('sends no request, although a token and an address are set', async () => {
    const asked: string[] = [];
    const { url } = await openServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(401).end();
    });
    shellIn(folder());
    for (const words of [
      ['get', 'sites', ''],
      ['get', 'contacts', ''],
      ['plan', '--target', ''],
    ])
      await run(['__complete', '--', '--api-url', url, ...words], {
        env: { HOSTWRIGHT_TOKEN: 'canary-1234', HOSTWRIGHT_API_URL: url },
        during: () => undefined,
      });
    expect(asked).toEqual([]);
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
