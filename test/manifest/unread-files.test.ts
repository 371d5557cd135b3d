// Files that begin as a manifest does and are not read: each is reported, and nothing else is.
import { describe, expect, it } from 'vitest';
import { openCommandLine } from '../support/command-line.ts';

const SITE = 'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: docs }\nspec: { domains: [docs.example.com] }\n';
const SHOP = SITE.replaceAll('docs', 'shop');
const LFS = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n';

async function codesOf(
  file: string,
  text: string,
): Promise<readonly { readonly code: string; readonly detail: string }[]> {
  const { run } = await openCommandLine({ files: { 'sites/shop.yaml': SHOP, [`sites/${file}`]: text } });
  const { stdout } = await run('validate --format json');
  return (JSON.parse(stdout) as { readonly diagnostics: readonly { readonly code: string; readonly detail: string }[] })
    .diagnostics;
}

describe('a manifest that is not read', () => {
  it.each([
    ['docs.yalm', SITE, 'Rename it to `sites/docs.yaml`'],
    ['docs.txt', SITE, 'Rename it to `sites/docs.yaml`'],
    ['docs.YML', SITE, 'Rename it to `sites/docs.yaml`'],
    ['docs.yaml.bak', SITE, 'Rename it to'],
    ['docs.yaml.j2', SITE, 'Rename it to'],
    ['below/docs.yml~', SITE, 'Rename it to'],
    ['.docs.yaml', SITE, 'do not begin with a dot'],
    ['.hidden/docs.yaml', SITE, 'do not begin with a dot'],
    ['list.yaml', `- ${SITE.trim().replaceAll('\n', '\n  ')}\n`, 'Write each manifest as a document'],
    [
      'list.yaml',
      `apiVersion: v1\nkind: List\nitems:\n  - ${SITE.trim().replaceAll('\n', '\n    ')}\n`,
      'with `---` between',
    ],
    ['docs.yaml', LFS, 'Run `git lfs pull`'],
  ])('is reported: %s', async (file, text, remedy) => {
    const found = await codesOf(file, text);
    expect(found.map(({ code }) => code)).toEqual(['HW1019']);
    expect(found[0]?.detail).toContain(remedy);
  });

  it.each([
    ['README.txt', 'Write `apiVersion: hostwright/v1` at the top of each file.\n'],
    ['notes.bak', 'kind: Site\n'],
    ['.hidden/ci.yaml', 'apiVersion: v1\n'],
    ['photo.png', SITE],
  ])('is not inferred from another file: %s', async (file, text) => {
    expect((await codesOf(file, text)).filter(({ code }) => code === 'HW1019')).toEqual([]);
  });

  it('does not replace the error for a folder without manifests', async () => {
    const { run } = await openCommandLine({ files: { 'sites/docs.txt': SITE } });
    const { stdout, code } = await run('validate --format json');
    expect(code).toBe(1);
    expect(stdout).toContain('HW1019');
    expect(stdout).toContain('HW1002');
  });
});
