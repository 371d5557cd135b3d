// What an editor shows of a program: descriptions of the schemas, and the values that can stand at a place. Asked of
// TypeScript's own language service, over the types that the package has.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { containing } from '../support/matchers.ts';

const root = join(import.meta.dirname, '../..');
const types = join(root, 'dist/constructs.d.ts');
const FILE = join(root, 'hosting.ts');

/** In this program `§` is where the cursor of an editor stands. */
const PROGRAM = `import { Account, App, Contact, DomainRegistration, Mailspace, secret, Site } from 'hostwright/constructs';
const app = new App();
const shop = new §Site(app, 'shop', {
  §caching: { §smartCache: true, §cacheExpiration: 60 },
  §shield: { plan: '§' },
  §domains: [{ hostname: 'a.example.com', §attach: 'dns' }],
  lifecycle: { §protect: true },
});
new DomainRegistration(app, 'example.com', { §autoRenew: true, nameservers: shop.siteDomain('a.example.com').§nameservers });
new Mailspace(app, 'example.com', { mailboxes: [{ §address: 'a@example.com', password: secret.§env('MAIL') }] });
new Account(app, 'acc-acme', { §guards: { §allowDeletes: 0 } });
app.§check(Site, ({ props }) => (props.§phpVersion === undefined ? 'no PHP' : undefined));
new Site(app, 'other', { § });
`;
const [first = '', ...others] = PROGRAM.split('§');
const text = [first, ...others].join('');
const cursors: readonly number[] = others.map((_, index) =>
  [first, ...others].slice(0, index + 1).reduce((sum, { length }) => sum + length, 0),
);

const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts'],
  types: [],
  paths: { 'hostwright/constructs': [types] },
};
const service = ts.createLanguageService({
  getCompilationSettings: () => options,
  getScriptFileNames: () => [FILE],
  getScriptVersion: () => '1',
  getScriptSnapshot: (name) => {
    const read = name === FILE ? text : ts.sys.readFile(name);
    return read === undefined ? undefined : ts.ScriptSnapshot.fromString(read);
  },
  getCurrentDirectory: () => root,
  getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
  fileExists: (name) => name === FILE || ts.sys.fileExists(name),
  readFile: (name) => (name === FILE ? text : ts.sys.readFile(name)),
});

function wordAt(cursor: number): string {
  return /^\w*/.exec(text.slice(cursor))?.[0] ?? '';
}

function completionsAt(cursor: number): readonly string[] {
  return (service.getCompletionsAtPosition(FILE, cursor, {})?.entries ?? []).map(({ name }) => name);
}

describe('an editor', () => {
  it('has no objection to the program', () => {
    const found = service.getSemanticDiagnostics(FILE).map(({ messageText }) => messageText);
    // What stands in quotes at the cursor is no plan yet.
    expect(found).toEqual([containing(`Type '""' is not assignable`)]);
  });

  it.each(cursors.filter((cursor) => wordAt(cursor) !== '').map((cursor) => [wordAt(cursor), cursor] as const))(
    'shows what %s is',
    (_word, cursor) => {
      const { documentation = [] } = service.getQuickInfoAtPosition(FILE, cursor) ?? {};
      expect(ts.displayPartsToString(documentation)).toMatch(/^[A-Z`].{15,}\.$/s);
    },
  );

  it('shows the words of the schema', () => {
    const schema = JSON.parse(readFileSync(join(root, 'schemas/site.schema.json'), 'utf8')) as {
      readonly $defs: { readonly caching: { readonly properties: Record<string, { readonly description: string }> } };
    };
    const cursor = cursors.find((one) => wordAt(one) === 'cacheExpiration') ?? 0;
    const shown = ts.displayPartsToString(service.getQuickInfoAtPosition(FILE, cursor)?.documentation);
    expect(shown).toContain(schema.$defs.caching.properties.cacheExpiration?.description.split('. ')[0]);
  });

  it('offers the values of a field, and the fields that are not there yet', () => {
    const [plan = 0, props = 0] = cursors.filter((cursor) => wordAt(cursor) === '');
    expect(completionsAt(plan)).toEqual(expect.arrayContaining(['basic', 'advanced']));
    expect(completionsAt(props)).toEqual(expect.arrayContaining(['caching', 'domains', 'lifecycle', 'profiles']));
  });
});
