// `fmt`: which files it rewrites, what it prints, how it ends, and that a file which it cannot lay out stays as it is.
import { chmod, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runHere } from '../support/processes/run-here.ts';
import { openFolder, writeFiles } from '../support/closing.ts';
import { containing } from '../support/matchers.ts';

const UNTIDY = 'kind: Site\napiVersion: hostwright/v1\nmetadata: { name: shop } # ours\n';
const TIDY = 'apiVersion: hostwright/v1\nkind: Site\nmetadata: # ours\n  name: shop\n';
const WORKSPACE =
  'kind: Workspace\napiVersion: hostwright/v1\nspec: { account: acc, baseUrl: "https://a.example", manifests: [sites] }\n';

let folder = '';
beforeEach(async () => {
  folder = await openFolder();
});

const write = (files: Readonly<Record<string, string>>): Promise<void> => writeFiles(folder, files);
const text = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
const fmt = (words: readonly string[], input?: string) =>
  runHere(['fmt', ...words], { cwd: folder, env: {}, ...(input !== undefined && { input }) });

describe('files', () => {
  it('a program is left as it is, with a word', async () => {
    await write({ 'hostwright.yaml': WORKSPACE, 'hosting.ts': 'export const  x = 1;\n' });
    const { code, stderr } = await fmt(['hosting.ts']);
    expect([code, stderr]).toEqual([0, containing('A formatter for TypeScript')]);
    expect(await text('hosting.ts')).toBe('export const  x = 1;\n');
  });

  it('are those of the workspace and its own, and the changed ones are named', async () => {
    await write({ 'hostwright.yaml': WORKSPACE, 'sites/a.yaml': UNTIDY, 'sites/b.yaml': TIDY, 'else/c.yaml': UNTIDY });
    await chmod(join(folder, 'sites/a.yaml'), 0o640);
    expect(await fmt([])).toMatchObject({ code: 0, stdout: 'hostwright.yaml\nsites/a.yaml\n' });
    expect(await text('sites/a.yaml')).toBe(TIDY);
    expect((await stat(join(folder, 'sites/a.yaml'))).mode & 0o777).toBe(0o640);
    expect(await text('hostwright.yaml')).toContain('spec:\n  account: acc\n');
    expect(await text('else/c.yaml')).toBe(UNTIDY);
    expect(await fmt([])).toEqual({ code: 0, stdout: '', stderr: 'No changes. 3 files checked.\n' });
  });

  it('are those that are named, without a workspace too, with the workspace file of a folder', async () => {
    await write({ 'a/hostwright.yaml': WORKSPACE, 'a/one.yaml': UNTIDY, 'two.yaml': UNTIDY, 'three.yaml': UNTIDY });
    expect((await fmt(['a', 'two.yaml'])).stdout).toBe('a/one.yaml\ntwo.yaml\na/hostwright.yaml\n');
    expect(await text('three.yaml')).toBe(UNTIDY);
  });

  it('of other programs are passed over, broken or not', async () => {
    await write({ 'a.yaml': '{{ template }}: [\n', 'b.yaml': 'kind:   Deployment\n' });
    expect(await fmt(['a.yaml', 'b.yaml'])).toMatchObject({ code: 0, stdout: '' });
  });

  it('that cannot be parsed are named with their place, and hold no other back', async () => {
    await write({ 'a.yaml': `${UNTIDY}spec: [\n`, 'b.yaml': UNTIDY });
    const { code, stdout, stderr } = await fmt(['a.yaml', 'b.yaml']);
    expect([code, stdout]).toEqual([1, 'b.yaml\n']);
    expect(stderr).toContain('a.yaml:4');
    expect(await text('a.yaml')).toBe(`${UNTIDY}spec: [\n`);
  });

  it('that would say something else stay as they are, with a warning', async () => {
    const odd = `${UNTIDY}spec:\n  name: |+\n    x\n\n# the end\n`;
    await write({ 'a.yaml': odd });
    const { code, stdout, stderr } = await fmt(['a.yaml']);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain('warning HW6760: File cannot be formatted');
    expect(await text('a.yaml')).toBe(odd);
  });
});

describe('--check and --diff', () => {
  it('write nothing and end with 2, as drift does', async () => {
    await write({ 'a.yaml': UNTIDY });
    expect(await fmt(['--check', 'a.yaml'])).toMatchObject({ code: 2, stdout: 'a.yaml\n' });
    const { code, stdout } = await fmt(['--check', '--diff', 'a.yaml']);
    expect(code).toBe(2);
    expect(stdout).toContain('- metadata: { name: shop } # ours\n+ kind: Site\n+ metadata: # ours\n+   name: shop\n');
    expect(await text('a.yaml')).toBe(UNTIDY);
    const { outcome, exitCode, written, files } = JSON.parse(
      (await fmt(['--check', 'a.yaml', '-o', 'json'])).stdout,
    ) as Record<string, unknown>;
    expect({ outcome, exitCode, written, files }).toEqual({
      outcome: 'differences',
      exitCode: 2,
      written: false,
      files: [{ file: 'a.yaml', before: UNTIDY, after: TIDY }],
    });
  });

  it('end with 0 when no layout would change', async () => {
    await write({ 'a.yaml': TIDY });
    expect(await fmt(['--check', 'a.yaml'])).toMatchObject({ code: 0, stdout: '' });
  });

  it('never show what looks like a secret', async () => {
    await write({ 'a.yaml': `${UNTIDY}spec: { password: hunter2 }\n` });
    const shown = [await fmt(['--check', '--diff', 'a.yaml']), await fmt(['--check', '-o', 'json', 'a.yaml'])];
    expect(JSON.stringify(shown)).not.toContain('hunter2');
    await fmt(['a.yaml']);
    expect(await text('a.yaml')).toContain('password: hunter2');
  });
});

describe('standard input', () => {
  it('is printed in the standard layout, and nothing else', async () => {
    expect(await fmt(['-'], UNTIDY)).toEqual({ code: 0, stdout: TIDY, stderr: '' });
    expect(await fmt(['-'], TIDY)).toEqual({ code: 0, stdout: TIDY, stderr: '' });
  });

  it('is answered by the exit code with --check', async () => {
    expect((await fmt(['--check', '-'], UNTIDY)).code).toBe(2);
    expect((await fmt(['--check', '-'], TIDY)).code).toBe(0);
  });

  it('stands alone', async () => {
    expect((await fmt(['-', 'a.yaml'], UNTIDY)).code).toBe(1);
  });
});
