// The union schema as an editor uses it: completion, hover and squiggles of the YAML language server, in process.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LanguageService } from 'yaml-language-server';
import { getLanguageService, TextDocument } from 'yaml-language-server';

const schemaFile = path.resolve(import.meta.dirname, '../../schemas/hostwright.schema.json');
const schema = await readFile(schemaFile, 'utf8');

function editor() {
  const service = getLanguageService({
    schemaRequestService: () => Promise.resolve(schema),
    workspaceContext: { resolveRelativePath: (relative) => relative },
  });
  service.configure({
    validate: true,
    completion: true,
    hover: true,
    schemas: [{ fileMatch: ['*.yaml'], uri: 'file:///hostwright.schema.json' }],
  });
  return service;
}

/** The server's two packages each declare this type; the one that can make documents declares it too loosely. */
type EditorDocument = Parameters<LanguageService['doComplete']>[0];

let documents = 0;

/**
 * The text without its `|`, and where that was. Each has a name of its own, because the server keeps parsed texts by
 * name.
 */
function at(text: string) {
  const offset = text.indexOf('|');
  documents += 1;
  const document = TextDocument.create(
    `file:///site-${documents}.yaml`,
    'yaml',
    1,
    text.replace('|', ''),
  ) as unknown as EditorDocument;
  return { document, position: document.positionAt(offset === -1 ? 0 : offset) };
}

async function labels(text: string): Promise<readonly string[]> {
  const { document, position } = at(text);
  const { items } = await editor().doComplete(document, position, false);
  return items.map(({ label }) => label);
}

const head = 'apiVersion: hostwright/v1\nkind: Site\nmetadata:\n  name: shop\n';

describe('completion', () => {
  test('offers the kinds', async () => {
    expect(await labels('apiVersion: hostwright/v1\nkind: |')).toEqual(expect.arrayContaining(['Site', 'Workspace']));
  });

  test('offers apiVersion and kind in an empty document', async () => {
    expect(await labels('|')).toEqual(expect.arrayContaining(['apiVersion', 'kind']));
  });

  test('offers the sections of a site and nothing of a workspace', async () => {
    const offered = await labels(`${head}spec:\n  |`);
    expect(offered).toEqual(expect.arrayContaining(['name', 'primaryDomain', 'domains', 'caching', 'unlisted']));
    expect(offered).not.toContain('ledger');
  });

  test('offers the fields of caching, but for those that are there', async () => {
    const offered = await labels(`${head}spec:\n  caching:\n    smartCache: true\n    |`);
    expect(offered).toEqual(expect.arrayContaining(['cacheExpiration', 'varyCookie', 'queryStringVaryParameters']));
    expect(offered).not.toContain('smartCache');
  });

  test('offers the fields of caching in a profile, and no hostnames', async () => {
    const profile = head.replace('Site', 'SiteProfile');
    expect(await labels(`${profile}spec:\n  caching:\n    |`)).toContain('smartCache');
    expect(await labels(`${profile}spec:\n  |`)).not.toContain('domains');
  });

  test('offers both ways of attaching', async () => {
    expect(await labels(`${head}spec:\n  domains:\n    - hostname: www.example.com\n      attach: |`)).toEqual(
      expect.arrayContaining(['cname', 'dns']),
    );
  });

  test('offers the fields of a workspace', async () => {
    expect(await labels('apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  |')).toEqual(
      expect.arrayContaining(['account', 'baseUrl', 'guards', 'ledger']),
    );
  });
});

test('hovering shows the description', async () => {
  const { document, position } = at(`${head}spec:\n  caching:\n    cache|Expiration: 60\n`);
  const hover = await editor().doHover(document, position);
  expect(JSON.stringify(hover)).toContain('How long the edge keeps a response');
});

describe('squiggles', () => {
  async function messages(text: string): Promise<readonly string[]> {
    return (await editor().doValidation(at(text).document, false)).map(
      ({ message, range }) => `${range.start.line + 1}:${range.start.character + 1} ${message}`,
    );
  }

  test('none for the examples', async () => {
    expect(
      await messages(
        `${head}spec:\n  primaryDomain: bücher.example\n  domains: [www.example.com, { hostname: a.example.com. }]\n  caching: { smartCache: true }\n`,
      ),
    ).toEqual([]);
  });

  test('none for null where a profile may have set something', async () => {
    expect(
      await messages(`${head}spec:\n  profiles: [base]\n  caching: { smartCache: null }\n  unlisted: null\n`),
    ).toEqual([]);
  });

  test('one for what a profile cannot hold', async () => {
    const found = await messages(
      `${head.replace('Site', 'SiteProfile')}spec:\n  domains: [a.example]\n  caching: { smartCache: true }\n`,
    );
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^6:3 .*domains/);
  });

  test('one for one mistake, at its place', async () => {
    const found = await messages(`${head}spec:\n  caching:\n    smartCash: true\n`);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^7:5 .*smartCash/);
  });

  test('one for a bad hostname, in our words', async () => {
    const found = await messages(`${head}spec:\n  primaryDomain: "*.example.com"\n`);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain('a hostname of at most 253 characters');
  });

  test('one for an unknown kind', async () => {
    expect(await messages('apiVersion: hostwright/v1\nkind: Sit\n')).toHaveLength(1);
  });
});
