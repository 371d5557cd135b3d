// Holds the README and docs/ to what they speak about: links lead somewhere, manifests are valid, commands and exit
// codes are those of the program, proofs are there, and every code of a diagnostic is told somewhere.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Heading, Nodes } from 'mdast';
import { describe, expect, it } from 'vitest';
import { CODES } from '../src/model/codes.ts';
import { EXIT_CODES } from '../src/model/plan/outcome.ts';
import { loadCredentials } from '../src/manifest/credentials/credentials-file.ts';
import { validateWorkspace } from '../src/usecases/validate.ts';
import { nodesOf } from './support/markdown.ts';
import { openHarness } from './support/open-harness.ts';

const root = join(import.meta.dirname, '..');
const pagesIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
const pages = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'CODE_OF_CONDUCT.md'],
  ...pagesIn('docs'),
  ...pagesIn('docs/manifests'),
  ...pagesIn('docs/design'),
  ...pagesIn('docs/terraform'),
  ...pagesIn('docs/terraform/resources'),
  ...pagesIn('docs/terraform/data-sources'),
].map((name) => {
  const text = readFileSync(join(root, name), 'utf8');
  return { name, text, nodes: nodesOf(text) };
});
const architecture = pages[1] as (typeof pages)[number];

const textOf = (node: Nodes): string =>
  'value' in node ? node.value : 'children' in node ? node.children.map(textOf).join('') : '';
/** What a forge calls the place of a heading. */
const anchorOf = (heading: Heading): string =>
  textOf(heading)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

function brokenLinks({ name, nodes }: (typeof pages)[number]): readonly string[] {
  return nodes.flatMap((node) => {
    if (node.type !== 'link' || /^(?:https?|mailto):/.test(node.url)) return [];
    const [file = '', anchor] = node.url.split('#');
    const target = file === '' ? name : relative(root, join(root, dirname(name), file));
    if (!existsSync(join(root, target))) return [node.url];
    const page = pages.find((one) => one.name === target);
    const anchors = page?.nodes.flatMap((one) => (one.type === 'heading' ? [anchorOf(one)] : [])) ?? [];
    return anchor === undefined || anchors.includes(anchor) ? [] : [node.url];
  });
}

const textOfPage = (path: string): string => pages.find(({ name }) => name === path)?.text ?? '';

describe('the README and its pages', () => {
  it.each(pages.map((page) => [page.name, page] as const))('%s: every link leads somewhere', (_name, page) => {
    expect(brokenLinks(page)).toEqual([]);
  });

  it('link to every page of docs/', () => {
    const linked = pages
      .filter(({ name }) =>
        ['README.md', 'ARCHITECTURE.md', 'docs/README.md', 'docs/terraform.md', 'docs/terraform/index.md'].includes(
          name,
        ),
      )
      .flatMap(({ name, nodes }) =>
        nodes.flatMap((node) => (node.type === 'link' ? [join(dirname(name), node.url.split('#')[0] ?? '')] : [])),
      );
    expect(pages.map(({ name }) => name).filter((name) => name.startsWith('docs/') && !linked.includes(name))).toEqual(
      [],
    );
  });

  it.each(pages.map((page) => [page.name, page] as const))('%s: files that it names are there', (_name, page) => {
    const named = page.nodes.flatMap((node) =>
      node.type === 'inlineCode' && /^(src|test|schemas|examples|docs|\.ci)\/[\w./-]+$/.test(node.value)
        ? [node.value]
        : [],
    );
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('keep ARCHITECTURE.md within two printed pages', () => {
    expect(architecture.text.split('\n').length).toBeLessThan(160);
    expect(architecture.text.split(/\s+/).length).toBeLessThan(1_700);
  });

  it('name tests that are there as proofs', () => {
    const commands = pages.flatMap(({ text }) =>
      [...text.matchAll(/`npx vitest run ([^`]+)`/g)].map(([, words]) => words as string),
    );
    expect(commands.length).toBeGreaterThan(10);
    const wrong = commands.filter((words) => {
      const [paths = '', title] = words.split(' -t ');
      const files = paths
        .split(' ')
        .flatMap((path) =>
          path.endsWith('.ts')
            ? [path]
            : existsSync(join(root, path))
              ? readdirSync(join(root, path), { recursive: true }).map((name) => join(path, String(name)))
              : [''],
        );
      const texts = files.map((file) =>
        existsSync(join(root, file)) && statSync(join(root, file)).isFile()
          ? readFileSync(join(root, file), 'utf8')
          : '',
      );
      return (
        paths.split(' ').some((path) => !existsSync(join(root, path))) ||
        (title !== undefined && !texts.some((text) => text.includes(title)))
      );
    });
    expect(wrong).toEqual([]);
  });

  it('have the exit codes of the program', () => {
    const rows = [...textOfPage('docs/troubleshooting.md').matchAll(/^\| (\d+) \| `([a-z-]+)` \|/gm)].map(
      ([, code, word]) => [word, Number(code)],
    );
    expect(Object.fromEntries(rows)).toEqual(EXIT_CODES);
  });

  it('have credentials files that are valid', async () => {
    const found = pages.flatMap(({ nodes }) =>
      nodes.flatMap((node) =>
        node.type === 'code' && /^(#.*\n)?apiVersion: [^]*kind: Credentials/.test(node.value) ? [node.value] : [],
      ),
    );
    expect(found.length).toBeGreaterThan(3);
    const { root: folder, write } = await openHarness();
    for (const text of found) {
      await write('credentials.yaml', text);
      expect((await loadCredentials({ file: join(folder, 'credentials.yaml') })).diagnostics, text).toEqual([]);
    }
  });

  it('have manifests that are valid, but for what they name and do not show', async () => {
    const manifests = pages.flatMap(({ name, nodes }) =>
      nodes.flatMap((node) =>
        node.type === 'code' &&
        node.lang === 'yaml' &&
        node.value.includes('apiVersion: ') &&
        !/kind: (Workspace|Credentials)/.test(node.value)
          ? [[`${name}:${node.position?.start.line}`, node.value] as const]
          : [],
      ),
    );
    expect(manifests.length).toBeGreaterThan(5);
    const { write, session } = await openHarness({
      workspace:
        'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: http://127.0.0.1:1\n  manifests: [sites]\n  secrets: { env: [ALICE_PASSWORD], keep: [credentials] }\n',
    });
    for (const [place, text] of manifests) {
      await write('sites/one.yaml', text);
      const { diagnostics } = await validateWorkspace(session(), []);
      // Another page shows the contact, the site or the profile that is meant.
      expect({
        place,
        found: diagnostics.filter(({ code, severity }) => severity === 'error' && code !== 'HW1331'),
      }).toEqual({ place, found: [] });
    }
  });
});

describe('diagnostics', () => {
  it('are all told somewhere', () => {
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && name !== 'model/codes.ts' && !name.includes('explain/codes/'))
      .map((name) => readFileSync(join(root, 'src', name), 'utf8'))
      .join('');
    expect(Object.keys(CODES).filter((code) => !sources.includes(code))).toEqual([]);
  });
});
