// Which files are read for which paths, how they are called in messages, and that nothing outside the workspace is.
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { registry } from '../../src/areas/index.ts';
import { loadTexts } from '../../src/manifest/read/load.ts';
import { readManifests } from '../../src/manifest/read/read.ts';
import type { Files } from './support.ts';
import { brief, inFolder, readFrom, readText, site } from './support.ts';
import { containing } from '../support/matchers.ts';

async function names(files: Files, paths: readonly string[], cwd = '.'): Promise<readonly string[]> {
  return inFolder(files, async (folder) => {
    const { texts, diagnostics } = await loadTexts(paths, {
      cwd: path.join(folder, cwd),
      root: folder,
      stdin: () => Promise.resolve(new Uint8Array()),
    });
    return [
      ...texts.map(({ source, named }) => `${source.name}${named ? '!' : ''}`),
      ...diagnostics.map(({ code }) => code),
    ];
  });
}

const tree: Files = {
  'hostwright.yaml': 'x',
  'a.yaml': 'x',
  'sites/b.yml': 'x',
  'sites/c.json': 'x',
  'sites/deep/d.yaml': 'x',
  'sites/notes.md': 'x',
  'sites/hostwright.yaml': 'x',
  'node_modules/p/e.yaml': 'x',
  '.git/f.yaml': 'x',
  '.hostwright/g.yaml': 'x',
  '.github/workflows/h.yaml': 'x',
};

describe('paths', () => {
  test('a folder is searched, but not for what is not ours', async () => {
    expect(await names(tree, ['.'])).toEqual(['a.yaml', 'sites/b.yml', 'sites/c.json', 'sites/deep/d.yaml']);
  });

  test('a folder with a link in it, which takes a library, is searched in the same way', () =>
    inFolder(
      { ...tree, '.hidden.yaml': 'x', 'sites/.yaml': 'x', 'sites/x.YAML': 'x', 'a b/yaml': 'x' },
      async (root) => {
        const found = async () => {
          const { texts, diagnostics } = await loadTexts(['.', '**/*.{yaml,yml,json}'], { cwd: root, root });
          return { named: texts.map(({ source, file }) => [source.name, file]), diagnostics };
        };
        const plain = await found();
        await symlink('a.yaml', path.join(root, 'notes.txt'));
        expect(await found()).toEqual(plain);
        expect(plain.named).toHaveLength(4);
      },
    ));

  test('names are as the user wrote them', async () => {
    expect(await names(tree, ['sites/'])).toEqual(['sites/b.yml', 'sites/c.json', 'sites/deep/d.yaml']);
    expect(await names(tree, ['./sites/b.yml'])).toEqual(['./sites/b.yml!']);
    expect(await names(tree, ['../a.yaml', 'deep'], 'sites')).toEqual(['../a.yaml!', 'deep/d.yaml']);
    expect(await names(tree, ['../*.yaml'], 'sites')).toEqual(['../a.yaml']);
  });

  test('globs, and globs that leave out', async () => {
    expect(await names(tree, ['**/*.{yaml,yml,json}'])).toEqual([
      'a.yaml',
      'sites/b.yml',
      'sites/c.json',
      'sites/deep/d.yaml',
    ]);
    expect(await names(tree, ['sites/**/*.yaml', 'a.yaml'])).toEqual(['sites/deep/d.yaml', 'a.yaml!']);
    expect(await names(tree, ['**/*.yaml', '!sites/**'])).toEqual(['a.yaml']);
    expect(await names(tree, ['.', '!sites/**'])).toEqual(['a.yaml']);
  });

  test('each file is read once, and stays named', async () => {
    expect(await names(tree, ['sites', 'sites/b.yml', './sites/b.yml', '-', '-'])).toEqual(
      ['./sites/b.yml!', 'sites/c.json', 'sites/deep/d.yaml', '-!'].map((name) => name.replace('./', '')),
    );
  });

  test('a file whose name looks like a glob is a file', async () => {
    expect(await names({ 'a[1].yaml': 'x', 'a1.yaml': 'x', 'b*/c.yaml': 'x' }, ['a[1].yaml', 'b*'])).toEqual([
      'a[1].yaml!',
      'b*/c.yaml',
    ]);
  });

  test('strange paths end in diagnostics', async () => {
    expect(await names({}, ['', '\0', '*\0', '[', '{', '!', '**/{', 'a'.repeat(5000)])).toEqual(
      expect.arrayContaining(['HW1001']),
    );
  });
});

describe('links', () => {
  test('inside the workspace they are followed, files and folders', async () => {
    const files: Files = {
      'sites/a.yaml': site('a'),
      'shared/b.yaml': site('b'),
      'sites/b.yaml': { link: '../shared/b.yaml' },
      'sites/more': { link: '../shared' },
    };
    expect(await names(files, ['sites'])).toEqual(['sites/a.yaml', 'sites/b.yaml']);
  });

  test('round in a circle they end', async () => {
    const found = await names({ 'sites/a.yaml': site('a'), 'sites/again': { link: '..' } }, ['sites']);
    expect(found.filter((name) => name.endsWith('a.yaml'))).toHaveLength(1);
  });

  test('out of the workspace they are refused or left alone, and nothing is shown of what they lead to', async () => {
    await inFolder({ 'outside/secret.yaml': 'password: x\n' }, async (elsewhere) => {
      await inFolder({ 'a.yaml': site('a') }, async (folder) => {
        await symlink(path.join(elsewhere, 'outside/secret.yaml'), path.join(folder, 'link.yaml'));
        await symlink(path.join(elsewhere, 'outside'), path.join(folder, 'linked'));
        for (const paths of [['.'], ['*.yaml'], ['link.yaml'], ['linked'], ['linked/secret.yaml']]) {
          const { diagnostics } = await readManifests(paths, { cwd: folder, root: folder, registry });
          expect(diagnostics.map(({ code }) => code)).toContain('HW1005');
          expect(JSON.stringify(diagnostics)).not.toContain('password');
        }
      });
    });
  });

  test('a workspace that is itself reached by a link works', async () => {
    await inFolder({ 'real/a.yaml': site('a'), link: { link: 'real' } }, async (folder) => {
      const root = path.join(folder, 'link');
      for (const paths of [['.'], ['a.yaml'], ['*.yaml'], [path.join(folder, 'real/a.yaml')]]) {
        expect((await readManifests(paths, { cwd: root, root, registry })).diagnostics).toEqual([]);
      }
    });
  });
});

describe('what stands in the way', () => {
  test.runIf(process.getuid?.() !== 0)('files and folders without permission are errors', async () => {
    await inFolder({ 'a.yaml': site('a'), 'locked/b.yaml': site('b') }, async (folder) => {
      await chmod(path.join(folder, 'a.yaml'), 0);
      await chmod(path.join(folder, 'locked'), 0);
      const { diagnostics } = await readManifests(['.'], { cwd: folder, root: folder, registry });
      await chmod(path.join(folder, 'locked'), 0o700);
      expect(diagnostics.map(({ detail }) => detail)).toEqual([
        containing('permission denied'),
        containing('permission denied'),
      ]);
    });
  });

  test('a file outside the workspace can be named', async () => {
    await inFolder({ 'ws/x.yaml': site('x'), 'other.yaml': site('other') }, async (folder) => {
      const { manifests, diagnostics } = await readManifests(['../other.yaml'], {
        cwd: path.join(folder, 'ws'),
        root: path.join(folder, 'ws'),
        registry,
      });
      expect([manifests.map(({ name }) => name), diagnostics]).toEqual([['other'], []]);
    });
  });

  test('a pipe can be named, and is passed over in a folder', async () => {
    await inFolder({ 'a.yaml': site('a') }, async (folder) => {
      execFileSync('sh', ['-c', 'mkfifo "$0"', path.join(folder, 'pipe.yaml')]);
      const found = await readManifests(['.'], { cwd: folder, root: folder, registry });
      expect(found.manifests.map(({ name }) => name)).toEqual(['a']);
      const reading = readManifests(['pipe.yaml'], { cwd: folder, root: folder, registry });
      await writeFile(path.join(folder, 'pipe.yaml'), site('piped'));
      expect((await reading).manifests.map(({ name }) => name)).toEqual(['piped']);
    });
  });

  test('standard input that fails is an error', async () => {
    const { diagnostics } = await readManifests(['-'], {
      cwd: '/',
      root: '/',
      registry,
      stdin: () => Promise.reject(new Error('gone')),
    });
    expect(diagnostics.map(brief)).toEqual(['HW1009']);
  });

  test('a link to nowhere is an error', async () => {
    await inFolder({ 'a.yaml': site('a') }, async (folder) => {
      await mkdir(path.join(folder, 'sub'));
      await symlink('nowhere.yaml', path.join(folder, 'sub/dangling.yaml'));
      const { diagnostics } = await readManifests(['.'], { cwd: folder, root: folder, registry });
      expect(diagnostics.map(brief)).toEqual(['HW1001']);
    });
  });
});

describe('documents', () => {
  test('a broken one hides none of the others', async () => {
    const { diagnostics, manifests } = await readText(
      [site('a'), 'kind: "Site\nx: [1,\n', site('b', '  nmae: B'), '{ "kind": [ }\n', site('c')].join('---\n'),
    );
    expect(manifests.map(({ name }) => name)).toEqual(['a', 'c']);
    // One slip of a file at a time.
    expect(diagnostics.map(({ code, source }) => `${code}:${source?.line}`)).toEqual(['HW1101:9', 'HW1201:16']);
  });

  test('empty ones are passed over', async () => {
    const { diagnostics, manifests } = await readText(
      `---\n# head\n---\n${site('a')}---\n---\n...\n---\n${site('b')}...\n# tail\n`,
    );
    expect([diagnostics, manifests.map(({ name }) => name)]).toEqual([[], ['a', 'b']]);
  });

  test('directives, byte order marks, JSON, CRLF and quotes across markers', async () => {
    const json = JSON.stringify(
      { apiVersion: 'hostwright/v1', kind: 'Site', metadata: { name: 'j' }, spec: { name: 'no' } },
      null,
      '\t',
    );
    const { diagnostics, manifests } = await readFrom({
      'a.yaml': `\ufeff%YAML 1.2\n---\n${site('a')}`,
      'b.json': json,
      'c.yaml': `${site('c')}---\n${site('d')}`.replaceAll('\n', '\r\n'),
      'e.yaml': `%YAML 1.1\n---\n${site('e', '  name: no')}`,
    });
    expect(diagnostics).toEqual([]);
    expect(manifests.map(({ name, spec }) => [name, spec.name])).toEqual([
      ['a', 'Shop'],
      ['j', 'no'],
      ['c', 'Shop'],
      ['d', 'Shop'],
      ['e', 'no'],
    ]);
  });

  test('workspace files among others are passed over, and so is what only looks alike', async () => {
    const { diagnostics, manifests } = await readFrom({
      'a.yaml': site('a'),
      'prod.yaml': 'apiVersion: hostwright/v1\nkind: Workspace\nspec: { junk: 1 }\n',
      'k8s.yaml': 'apiVersion: apps/v1\nkind: Deployment\nx: {{ helm }}\n',
    });
    expect([diagnostics.map(brief), manifests.length]).toEqual([['HW1007 k8s.yaml:1:1', 'HW1007 prod.yaml:1:1'], 1]);
  });

  test('a slip in the apiVersion or a forgotten one does not pass for foreign', async () => {
    const { diagnostics } = await readFrom({
      'a.yaml': site('a').replace('hostwright', 'hostwrite'),
      'b.yaml': site('b').replace(/^.*\n/, ''),
    });
    expect(diagnostics.map(({ code }) => code)).toEqual(['HW1210', 'HW1202']);
  });
});
