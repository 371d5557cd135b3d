// Where secrets may come from: what the workspace lists, links followed, and nothing else; nobody reads one to find
// out.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSecretFile } from '../../src/manifest/read/load-secret.ts';
import { parseYaml } from '../../src/manifest/read/parse.ts';
import type { SecretPlaces } from '../../src/manifest/references/secrets.ts';
import { secretProblems, secretUses } from '../../src/manifest/references/secrets.ts';
import { SourceText } from '../../src/manifest/read/source-text.ts';
import { dataKinds, registry as kinds } from '../../src/areas/index.ts';
import { readManifests } from '../../src/manifest/read/read.ts';
import { loadWorkspace } from '../../src/manifest/workspace.ts';
import type { Manifest } from '../../src/model/desired.ts';
import type { JsonObject } from '../../src/model/json.ts';
import { secretResolver } from '../../src/usecases/credentials/secrets.ts';
import { toyRegistry, vault } from '../support/toy-kinds.ts';
import { brief, inFolder } from './support.ts';
import { containing } from '../support/matchers.ts';

const registry = new Map([...toyRegistry, ['Vault', vault]]);

function usesIn(spec: string) {
  const { documents } = parseYaml(new SourceText('boxes/a.yaml', `kind: Box\nspec:\n${spec}`));
  return secretUses(
    documents.map((document) => {
      const manifest: Manifest = {
        kind: 'Box',
        name: 'a',
        lifecycle: { state: 'present', protect: false },
        spec: (document.value as { spec: JsonObject }).spec,
        sourceOf: () => undefined,
      };
      return { document, manifest, address: 'Box/a' };
    }),
    registry,
  );
}

async function problems(source: string, places: SecretPlaces) {
  return (await secretProblems(usesIn(`  vaults:\n    - name: x\n      password:\n        ${source}\n`), places)).map(
    (diagnostic) => ({ brief: brief(diagnostic), detail: diagnostic.detail, address: diagnostic.address }),
  );
}

const listing = (root: string, env: readonly string[] = [], files: readonly string[] = []): SecretPlaces => ({
  root,
  secrets: { env, files, keep: [] },
});

describe('an environment variable', () => {
  it('has to be listed; the nearest name is told', async () => {
    expect(await problems('env: ALICE_PASSWORD', listing('/w', ['ALICE_PASSWORD']))).toEqual([]);
    expect(await problems('env: ALICE_PASWORD', listing('/w', ['ALICE_PASSWORD']))).toEqual([
      {
        brief: 'HW1401 boxes/a.yaml:6:14 «ALICE_PASWORD»',
        address: 'Box/a',
        detail:
          'The environment variable `ALICE_PASWORD` is not listed. Did you mean `ALICE_PASSWORD`? Fix the name, or list it under `secrets.env` in the workspace file.',
      },
    ]);
    expect((await problems('env: OTHER', listing('/w', ['ALICE_PASSWORD'])))[0]?.detail).toContain(
      'Listed: `ALICE_PASSWORD`.',
    );
    expect(
      (
        await problems(
          'env: OTHER',
          listing(
            '/w',
            Array.from({ length: 11 }, (_, index) => `A_LONG_NAME_${index}`),
          ),
        )
      )[0]?.detail,
    ).toContain('and more');
    expect((await problems('env: OTHER', listing('/w')))[0]?.detail).toContain('No name is listed.');
  });

  it('that is not listed is one diagnostic, however many fields refer to it', async () => {
    const vaults = Array.from({ length: 30 }, (_, index) => `    - { name: v${index}, password: { env: SAME } }\n`);
    const found = await secretProblems(usesIn(`  vaults:\n${vaults.join('')}`), listing('/tmp'));
    expect(found.map(({ code, source }) => [code, source?.line])).toEqual([['HW1401', 4]]);
    expect(found[0]?.detail).toMatch(/^30 fields refer to it\. The environment variable `SAME` is not listed\./);
  });

  it('is never one of our own, in whatever letter case, listed or not', async () => {
    expect(await problems('env: HOSTWRIGHT_TOKEN', undefined)).toMatchObject([
      { brief: 'HW1402 boxes/a.yaml:6:14 «HOSTWRIGHT_TOKEN»' },
    ]);
    expect(await problems('env: hostwright_token', listing('/w', ['hostwright_token']))).toMatchObject([
      { brief: 'HW1402 boxes/a.yaml:6:14 «hostwright_token»' },
    ]);
  });

  it('without a workspace cannot be held against a list', async () => {
    expect(await problems('env: ANY', undefined)).toEqual([]);
    expect(await problems('file: any', undefined)).toEqual([]);
  });
});

describe('a file', () => {
  const files = {
    'secrets/alice': 'hunter2!\n',
    'secrets/windows': 'hunter3!\r\n',
    'secrets/two-lines': 'a\nb\n\n',
    'secrets/binary': new Uint8Array([0xff, 0xfe, 0x00]),
    'secrets/large': 'x'.repeat(64 * 1024 + 1),
    'secrets/deep/bob': 'bob',
    'outside/eve': 'eve',
    'secrets/link': { link: '../outside/eve' },
    'secrets/inner-link': { link: 'deep/bob' },
    'linked-folder': { link: 'outside' },
  } as const;

  it('lies in a listed place, links followed; it need not be there', async () => {
    await inFolder(files, async (root) => {
      const places = listing(root, [], ['secrets']);
      for (const good of [
        'secrets/alice',
        './secrets/../secrets/alice',
        'secrets/not-there',
        'secrets/inner-link',
        'secrets/deep/bob',
      ])
        expect(await problems(`file: ${good}`, places), good).toEqual([]);
      expect(await problems('file: secret/alice', places)).toEqual([
        {
          brief: 'HW1403 boxes/a.yaml:6:15 «secret/alice»',
          address: 'Box/a',
          detail:
            'The path `secret/alice` is in none of the listed places. Did you mean `secrets/alice`? Fix the path, or list its folder under `secrets.files` in the workspace file.',
        },
      ]);
      expect((await problems('file: outside/eve', places))[0]?.detail).toContain('Listed: `secrets`.');
      expect((await problems('file: secrets/../outside/eve', places))[0]?.brief).toContain('HW1403');
      expect((await problems('file: x', listing(root)))[0]?.detail).toContain('No place is listed.');
      expect((await problems('file: /etc/passwd', places))[0]?.detail).toContain('not relative');
      expect((await problems('file: secrets/link', places))[0]).toMatchObject({
        brief: 'HW1404 boxes/a.yaml:6:15 «secrets/link»',
      });
      expect(await problems('file: secrets/alice', listing(root, [], ['secrets/alice']))).toEqual([]);
    });
  });

  it('is read without the line break at its end, and only if it is a small regular text file in a listed place', async () => {
    await inFolder(files, async (root) => {
      const places = { root, secrets: { env: [], files: ['secrets', 'linked-folder', 'gone'], keep: [] } };
      const read = (file: string) => readSecretFile(file, places);
      expect(await read('secrets/alice')).toBe('hunter2!');
      expect(await read('secrets/windows')).toBe('hunter3!');
      expect(await read('secrets/two-lines')).toBe('a\nb\n');
      expect(await read('secrets/inner-link')).toBe('bob');
      expect(await read('secrets/binary')).toEqual({ reason: 'is not UTF-8 text' });
      expect(await read('secrets/large')).toEqual({ reason: 'is larger than 64 KiB' });
      expect(await read('secrets/deep')).toEqual({ reason: 'is no regular file' });
      expect(await read('secrets/gone')).toEqual({ reason: 'cannot be read: there is no such file or folder' });
      const outside = { reason: 'is in no place that the workspace lists under `secrets.files`' };
      for (const bad of ['outside/x', '/etc/passwd', '../x']) expect(await read(bad), bad).toEqual(outside);
      // Listed by its own link, so it is the workspace's doing.
      expect(await read('linked-folder/eve')).toBe('eve');
      expect(
        await readSecretFile('secrets/link', { root, secrets: { env: [], files: ['secrets'], keep: [] } }),
      ).toEqual(outside);
    });
  });

  it.skipIf(process.platform === 'win32')('that is a pipe does not hold the run up', async () => {
    await inFolder({ 'secrets/keep': '' }, async (root) => {
      execFileSync('mkfifo', [path.join(root, 'secrets/pipe')]);
      expect(
        await readSecretFile('secrets/pipe', { root, secrets: { env: [], files: ['secrets'], keep: [] } }),
      ).toEqual({ reason: 'is no regular file' });
    });
  });
});

describe('apply', () => {
  it('is given only what the workspace lists, whatever a saved plan names', async () => {
    await inFolder({ 'secrets/alice': 'hunter2!' }, async (root) => {
      const env = (name: string) => ({ ALICE: 'hunter2!', AWS_KEY: 'not yours', HOSTWRIGHT_TOKEN: 'never' })[name];
      const resolve = secretResolver(
        { env },
        {
          root,
          account: 'acc',
          secrets: { env: ['ALICE', 'HOSTWRIGHT_TOKEN', 'UNSET'], files: ['secrets'], keep: [] },
        },
      );
      expect(await resolve({ env: 'ALICE' })).toBe('hunter2!');
      expect(await resolve({ env: 'UNSET' })).toBeUndefined();
      expect(await resolve({ file: 'secrets/alice' })).toBe('hunter2!');
      for (const name of ['AWS_KEY', 'HOSTWRIGHT_TOKEN'])
        expect(await resolve({ env: name })).toMatchObject({ reason: containing('not listed') });
      expect(await resolve({ file: 'hostwright.yaml' })).toMatchObject({ reason: containing('no place') });
    });
  });
});

describe('the secrets of a manifest', () => {
  it('are found by the fields of its kinds, wherever they stand', () => {
    expect(
      usesIn('  vaults: [{ name: x, password: { env: A }, pin: { file: b } }, { name: { env: NO } }]\n').map(
        ({ pointer, source }) => [pointer, source],
      ),
    ).toEqual([
      ['/spec/vaults/0/password', { env: 'A' }],
      ['/spec/vaults/0/pin', { file: 'b' }],
    ]);
    expect(usesIn('  name: x\n')).toEqual([]);
    const moved = {
      ...vault,
      section: {
        ...vault.section,
        expand: () => [
          { name: 'x', spec: { password: { env: 'A' } }, pointer: '/vaults/0', pointers: { password: '/elsewhere' } },
        ],
      },
    };
    const { documents } = parseYaml(new SourceText('a.yaml', 'kind: Box\n'));
    const sound = documents.map((document) => ({
      document,
      address: undefined,
      manifest: {
        kind: 'Box',
        name: 'a',
        lifecycle: { state: 'present', protect: false },
        spec: { vaults: [] },
        sourceOf: () => undefined,
      } satisfies Manifest,
    }));
    expect(secretUses(sound, new Map([['Vault', moved]])).map(({ pointer }) => pointer)).toEqual(['/spec/elsewhere']);
    expect(
      secretUses(
        documents.map((document) => ({ document, address: undefined, manifest: undefined })),
        registry,
      ),
    ).toEqual([]);
  });
});

describe('a secret in the manifest itself', () => {
  const manifest = (lines: string): string =>
    `apiVersion: hostwright/v1\nkind: Mailspace\nmetadata:\n  name: shop.example\nspec:\n  mailboxes:\n${lines}`;
  const workspace = 'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc\n  baseUrl: https://a.example\n';
  const read = (files: Readonly<Record<string, string>>) =>
    inFolder(files, async (cwd) => {
      const { workspace: places, diagnostics } = await loadWorkspace({ cwd, overrides: {} });
      const read = await readManifests(['mail.yaml'], {
        cwd,
        root: cwd,
        registry: kinds,
        dataKinds,
        ...(places !== undefined && { secrets: places }),
      });
      return [...diagnostics, ...read.diagnostics];
    });

  it.each([
    ['    - address: alice@shop.example\n', '      password: hunter2\n'],
    ['    - address: alice@shop.example\n', '      password: 20261122\n'],
    ['    - address: 1st.floor@shop.example\n', '      password: |\n        hunter2\n        hunter2\n'],
    ['', '    - { address: alice@shop.example, password: hunter2 }\n'],
  ])('is never shown, and the lines of the answer make it valid: %s%s', async (before, line) => {
    const problems = await read({ 'hostwright.yaml': workspace, 'mail.yaml': manifest(`${before}${line}`) });
    expect(problems.map(({ code }) => code)).toEqual(['HW1460']);
    expect(JSON.stringify(problems)).not.toMatch(/hunter2|20261122/);
    const [, own = '', , listed = ''] = (problems[0]?.frame ?? '')
      .split(/^(?:#.*\n)/m)
      .flatMap((part) => ['', part])
      .slice(1);
    const mended = line.includes('{') ? line.replace('password: hunter2', own.trimEnd()) : own;
    expect(
      await read({ 'hostwright.yaml': `${workspace}${listed}\n`, 'mail.yaml': manifest(`${before}${mended}`) }),
    ).toEqual([]);
  });
});
