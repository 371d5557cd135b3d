// What the compiler says of programs: real `tsc` over the types that the package has, with a line for each slip that
// somebody can make. A line that compiles, and should not, fails as an unused `@ts-expect-error`.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openFolder } from '../support/closing.ts';

interface Schema {
  readonly const?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly examples?: readonly { readonly metadata?: { readonly name: string }; readonly spec?: object }[];
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly $ref?: string;
}

const root = join(import.meta.dirname, '../..');
const schemas = readdirSync(join(root, 'schemas'))
  .filter((name) => name.endsWith('.schema.json') && name !== 'hostwright.schema.json')
  .map((name) => JSON.parse(readFileSync(join(root, 'schemas', name), 'utf8')) as Schema)
  .filter(({ properties }) => properties?.metadata !== undefined && properties.kind?.const !== undefined);

function resolved(document: Schema, { $ref, ...own }: Schema): Schema {
  const target = $ref === undefined ? undefined : document.$defs?.[$ref.replace('#/$defs/', '')];
  return target === undefined ? own : { ...resolved(document, target), ...own };
}

/** Props that are sound, and then each way in which one field of them can be wrong. */
function linesFor(document: Schema): readonly string[] {
  const kind = document.properties?.kind?.const ?? '';
  const spec = resolved(document, document.properties?.spec ?? {});
  const sound = document.examples?.[0]?.spec ?? {};
  const made = (props: object): string => `new ${kind}(app, 'name', ${JSON.stringify(props)});`;
  const wrong = (props: object): readonly string[] => ['// @ts-expect-error', made(props)];
  const fields = Object.entries(spec.properties ?? {});
  return [
    ...(document.examples ?? []).map((example) => made(example.spec ?? {})),
    ...wrong({ ...sound, misspelt: true }),
    ...fields.flatMap(([field, unresolved]) => {
      const schema = resolved(document, unresolved);
      const other = schema.type === 'string' ? 1 : schema.type === undefined ? 1n : 'no such value';
      return typeof other === 'bigint' ? [] : wrong({ ...sound, [field]: other });
    }),
    ...fields.flatMap(([field, unresolved]) =>
      resolved(document, unresolved).enum === undefined ? [] : wrong({ ...sound, [field]: 'no such value' }),
    ),
    ...fields.flatMap(([field, unresolved]) => {
      const { type, properties } = resolved(document, unresolved);
      return type === 'object' && properties !== undefined ? wrong({ ...sound, [field]: { misspelt: true } }) : [];
    }),
    ...(spec.required ?? []).flatMap((field) =>
      wrong(Object.fromEntries(Object.entries(sound).filter(([name]) => name !== field))),
    ),
  ];
}

const REFERENCES = `
const shop = new Site(app, 'shop');
const owner = new Contact(app, 'a', Contact.merge({}));
const base = new SiteProfile(app, 'base');
new DomainRegistration(app, 'example.com', { contacts: { owner }, nameservers: shop.siteDomain('www.example.com').nameservers });
new Site(app, 'b', { profiles: [base, 'other'], domains: [{ hostname: 'a.example.com', moveFrom: shop }] });
new Site(app, 'c', Site.merge({ caching: { smartCache: null } }, undefined, { lifecycle: { protect: true } }));
app.check(Site, ({ props }) => (props.lifecycle?.protect === true ? undefined : 'protected'));
// @ts-expect-error
new DomainRegistration(app, 'example.com', { contacts: { owner: shop } });
// @ts-expect-error
new DomainRegistration(app, 'example.com', { nameservers: shop });
// @ts-expect-error
new Site(app, 'b', { profiles: [owner] });
// @ts-expect-error
new Site(app, 'b', { domains: [{ hostname: 'a.example.com', moveFrom: owner }] });
// @ts-expect-error
shop.siteDomain('www.example.com').nameserver;
// @ts-expect-error
Site.merge({ caching: { misspelt: 1 } });
// @ts-expect-error
shop.props.phpVersion = '8.3';
// @ts-expect-error
new Site('app', 'name');

const toHttps: EdgeRule = { name: 'https', action: { forceSsl: {} }, triggers: [{ url: ['http://*'] }] };
const old = (to: string): EdgeAction => ({ redirect: { to } });
const abroad: EdgeTrigger = { country: { none: ['NL'] } };
const beta: HeaderTrigger = { name: 'X-Beta', patterns: ['1'] };
const newer: EdgeAction = { type: 99, parameter1: 'x' };
const box: Mailbox = { address: 'a@example.com' };
const caching: Caching = { smartCache: true };
const shield: Shield = { enabled: true };
const domain: SiteDomain = { hostname: 'a.example.com' };
new Site(app, 'd', { caching, shield, domains: [domain], edgeRules: [toHttps, { name: 'b', action: old('https://a.example.com'), extraActions: [newer], triggers: [abroad, { header: beta }] }] });
new Mailspace(app, 'example.com', { mailboxes: [box] });
Site.merge({ edgeRules: [toHttps] }, { edgeRules: [{ name: 'https', enabled: false }] });
const template = Template.fromApp(app);
const seconds: number | undefined = template.find('Site', 'd')?.caching?.cacheExpiration;
const owners: readonly (string | undefined)[] = template.all('DomainRegistration').map(({ props }) => props.contacts?.owner?.ref);
template.has('Site', { edgeRules: [{ action: { block: {} } }] });
// @ts-expect-error
template.find('Sites', 'd');
// @ts-expect-error
template.has('Site', 'd', { cachings: {} });
// @ts-expect-error
matchers.toHaveResources;
declare const expect: HostwrightMatchers<void>;
expect.toHaveResource('Site', 'd', { caching: { smartCache: true } });
// @ts-expect-error
expect.toHaveResource('Site', { caching: { smartCache: 'yes' } });
// @ts-expect-error
const noAction: EdgeAction = {};
// @ts-expect-error
const noActionAtAll: EdgeAction = undefined;
// @ts-expect-error
const twoActions: EdgeAction = { block: {}, forceSsl: {} };
// @ts-expect-error
const bothForms: EdgeAction = { block: {}, type: 99 };
// @ts-expect-error
const parameterAlone: EdgeAction = { parameter1: 'x' };
// @ts-expect-error
const noTrigger: EdgeTrigger = {};
// @ts-expect-error
const twoTriggers: EdgeTrigger = { url: ['*'], method: ['GET'] };
// @ts-expect-error
const allAndNone: EdgeTrigger = { country: { all: ['NL'], none: ['BE'] } };
// @ts-expect-error
const noPatterns: HeaderTrigger = { name: 'X-Beta' };
// @ts-expect-error
const twoLists: HeaderTrigger = { name: 'X-Beta', all: ['1'], none: ['2'] };
`;

it('a type that is written twice has one name', () => {
  expect(readFileSync(join(root, 'dist/constructs.d.ts'), 'utf8').match(/(?<=export \w+ )\w+\d+(?= )/g)).toBeNull();
});

it('the compiler refuses every misspelt, missing and wrong field', async () => {
  const folder = await openFolder();
  const kinds = schemas.map(({ properties }) => properties?.kind?.const);
  const lines = schemas.flatMap(linesFor);
  expect(lines.length).toBeGreaterThan(100);
  await writeFile(
    join(folder, 'hosting.ts'),
    `import { App, ${kinds.join(', ')} } from 'hostwright/constructs';\nimport type { Caching, EdgeAction, EdgeRule, EdgeTrigger, HeaderTrigger, Mailbox, Shield, SiteDomain } from 'hostwright/constructs';\nimport { type HostwrightMatchers, matchers, Template } from 'hostwright/testing';\nconst app = new App();\n${lines.join('\n')}\n${REFERENCES}`,
  );
  const compilerOptions = {
    noEmit: true,
    strict: true,
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2023'],
    types: [],
    erasableSyntaxOnly: true,
    paths: Object.fromEntries(
      ['constructs', 'testing'].map((name) => [`hostwright/${name}`, [join(root, `dist/${name}.d.ts`)]]),
    ),
  };
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['hosting.ts'] }));
  expect(compile(folder)).toBe('');
});

it('the types and the library are small, and the library loads nothing of the engine', () => {
  expect(statSync(join(root, 'dist/constructs.d.ts')).size).toBeLessThan(160_000);
  const library = join(root, 'dist/constructs.js');
  expect(statSync(library).size).toBeLessThan(40_000);
  expect(readFileSync(library, 'utf8')).not.toMatch(/\bimport\s*[({*"']|\brequire\(/);
});

function compile(folder: string): string {
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/typescript-native/bin/tsc'), '-p', folder], {
      cwd: folder,
      stdio: 'pipe',
    });
    return '';
  } catch (error) {
    return String((error as { readonly stdout?: Buffer }).stdout);
  }
}
