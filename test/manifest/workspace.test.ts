// The workspace file: where it is found, what it leaves out, what beats it.
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadWorkspace } from '../../src/manifest/workspace.ts';
import { inFolder } from './support.ts';

const head = 'apiVersion: hostwright/v1\nkind: Workspace\n';
const file = `${head}spec:\n  account: acc-1\n  baseUrl: https://api.example.com/v2/\n`;

describe('finding', () => {
  test('upward from a folder', async () => {
    await inFolder({ 'hostwright.yaml': file, 'sites/deep/x.yaml': '' }, async (folder) => {
      const { workspace, diagnostics } = await loadWorkspace({ cwd: path.join(folder, 'sites/deep'), overrides: {} });
      expect(diagnostics).toEqual([]);
      expect(workspace).toEqual({
        root: folder,
        account: 'acc-1',
        baseUrl: 'https://api.example.com/v2',
        manifests: ['**/*.{yaml,yml,json}'],
        ledger: { file: '.hostwright/ledger.jsonl' },
        guards: { allowDeletes: 0, allowCharges: 0 },
        secrets: { env: [], files: [], keep: [] },
      });
    });
  });

  test('by name, and shown as named', async () => {
    await inFolder({ 'env/prod.yaml': `${head}spec: { acount: x }\n` }, async (folder) => {
      const { diagnostics } = await loadWorkspace({ cwd: folder, file: 'env/prod.yaml', overrides: {} });
      expect(diagnostics).toMatchObject([{ code: 'HW1201', source: { file: 'env/prod.yaml', line: 3, column: 9 } }]);
      expect(diagnostics[0]?.detail).toContain('Did you mean `account`?');
    });
  });

  test('a file that is named and not there', async () => {
    await inFolder({}, async (cwd) => {
      expect((await loadWorkspace({ cwd, file: 'x.yaml', overrides: {} })).diagnostics).toMatchObject([
        { code: 'HW1001' },
      ]);
    });
  });

  test('a manifest in its place', async () => {
    await inFolder({ 'hostwright.yaml': 'apiVersion: hostwright/v1\nkind: Site\n' }, async (cwd) => {
      expect((await loadWorkspace({ cwd, overrides: {} })).diagnostics).toMatchObject([
        { code: 'HW1212', source: { line: 2, column: 7 } },
      ]);
    });
  });
});

describe('content', () => {
  async function load(text: string, overrides: { readonly account?: string; readonly baseUrl?: string } = {}) {
    return inFolder({ 'hostwright.yaml': text }, (cwd) => loadWorkspace({ cwd, overrides }));
  }

  test('everything given', async () => {
    const { workspace } = await load(
      `${file}  manifests: [sites/**/*.yaml]\n  ledger: { file: state/l.jsonl }\n  guards: { allowDeletes: 3, allowCharges: 1, maxSpend: { amount: "15.00", currency: EUR } }\n  credential: { type: oauth, scopes: [sites:read] }\n  secrets: { env: [A], files: [secrets] }\n`,
    );
    expect(workspace).toMatchObject({
      manifests: ['sites/**/*.yaml'],
      ledger: { file: 'state/l.jsonl' },
      guards: { allowDeletes: 3, allowCharges: 1, maxSpend: '15.00 EUR' },
      credential: { type: 'oauth', scopes: ['sites:read'] },
      secrets: { env: ['A'], files: ['secrets'] },
    });
  });

  test('a ledger elsewhere, with what is left out filled in', async () => {
    for (const [text, ledger] of [
      ['{ git: {} }', { git: { remote: 'origin', ref: 'refs/hostwright/ledger' } }],
      [
        '{ git: { remote: state, ref: refs/heads/hosting-ledger } }',
        { git: { remote: 'state', ref: 'refs/heads/hosting-ledger' } },
      ],
    ] as const) {
      const { workspace, diagnostics } = await load(`${file}  ledger: ${text}\n`);
      expect([diagnostics, workspace?.ledger]).toEqual([[], ledger]);
    }
  });

  test.each([
    ['{ file: a, git: {} }', 'HW6020'],
    ['{ git: {}, postgres: {} }', 'HW6020'],
    ['{ git: { remote: "https://u:p@git.example/x.git" } }', 'HW1206'],
    ['{ git: { remote: "--upload-pack=x" } }', 'HW1206'],
    ...[
      'main',
      'refs/ledger',
      'refs/a/../b',
      'refs/a/b.lock',
      'refs/a/.b',
      'refs//b',
      'refs/a/b/',
      'refs/a/b c',
      '-refs/a/b',
      'refs/a/b:c',
      'refs/a/*',
    ].map((ref) => [`{ git: { ref: ${JSON.stringify(ref)} } }`, 'HW1206']),
  ])('the ledger %s is refused with %s', async (text, code) => {
    const { workspace, diagnostics } = await load(`${file}  ledger: ${text}\n`);
    expect([workspace, diagnostics.map((diagnostic) => diagnostic.code)]).toEqual([undefined, [code]]);
  });

  test('flags and environment beat the file, unless they are empty', async () => {
    expect((await load(file, { account: 'acc-2', baseUrl: 'http://localhost:8787/' })).workspace).toMatchObject({
      account: 'acc-2',
      baseUrl: 'http://localhost:8787',
    });
    expect((await load(file, { account: '', baseUrl: '' })).workspace).toMatchObject({
      account: 'acc-1',
      baseUrl: 'https://api.example.com/v2',
    });
    expect((await load(`${head}spec: {}\n`, { account: 'a', baseUrl: 'https://x.example' })).workspace).toMatchObject({
      account: 'a',
    });
  });

  test.each([
    'https://x.example',
    'http://127.0.0.1:1',
    'http://[::1]:80',
    'http://localhost',
    'http://api.localhost:3000',
    'HTTPS://X.example',
  ])('takes %s', async (baseUrl) => {
    expect((await load(file, { baseUrl })).diagnostics).toEqual([]);
  });

  test.each([
    'x.example',
    'ftp://x.example',
    'http://x.example',
    'http://127.0.0.1.evil.example',
    'http://localhost.evil.example',
    'https://u:p@x.example',
    'https://x.example/?a',
    'https://x.example/#a',
    'https://x.example/api',
    'file:///etc',
    'https://',
  ])('refuses %s from flags and from the file, without showing a password', async (baseUrl) => {
    const byFlag = await load(file, { baseUrl });
    expect(byFlag.diagnostics.map(({ code }) => code)).toEqual(['HW6002']);
    const byFile = await load(`${head}spec:\n  account: a\n  baseUrl: ${JSON.stringify(baseUrl)}\n`);
    expect(byFile.diagnostics).toHaveLength(1);
    expect(JSON.stringify([byFlag, byFile])).not.toContain('u:p');
  });

  test('a ledger behind a link that leads out is refused', async () => {
    await inFolder({ 'ws/hostwright.yaml': `${file}  ledger: { file: state/ledger.jsonl }\n` }, async (folder) => {
      await mkdir(path.join(folder, 'elsewhere'));
      await symlink('../elsewhere', path.join(folder, 'ws/state'));
      const { diagnostics } = await loadWorkspace({ cwd: path.join(folder, 'ws'), overrides: {} });
      expect(diagnostics).toMatchObject([{ code: 'HW6003', source: { line: 6 } }]);
    });
  });

  test('a secret is never shown, and neither is one on a neighbouring line', async () => {
    const { diagnostics } = await load(`${file}  token: hunter2\n  password: 'hunter2'\n  guard: 1\n`);
    expect(diagnostics.map(({ code }) => code)).toEqual(['HW6005', 'HW6005', 'HW1201']);
    expect(JSON.stringify(diagnostics)).not.toContain('hunter2');
  });

  test.each(['/abs/*.yaml', '../x/*.yaml', 'a/../../b', 'a\\b', ''])(
    'a glob that leaves the workspace is refused: %j',
    async (glob) => {
      expect((await load(`${file}  manifests: [${JSON.stringify(glob)}]\n`)).diagnostics).toMatchObject([
        { code: 'HW1206' },
      ]);
    },
  );
});
