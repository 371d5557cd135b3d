// `convert`: manifests in YAML become a program that declares the same. And what a program makes lives beside YAML that
// people wrote: synth knows both, and no command writes into a made file.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { convertManifests } from '../../src/usecases/write/convert.ts';
import { exportAccount } from '../../src/usecases/export.ts';
import { readRuns } from '../../src/usecases/history/read.ts';
import { undoRun } from '../../src/usecases/history/undo.ts';
import { synthWorkspace } from '../../src/usecases/synth.ts';
import { acceptLive } from '../../src/usecases/write/accept.ts';
import type { Harness } from '../support/harness.ts';
import { programAccess } from '../support/processes/programs.ts';
import { openHarness } from '../support/open-harness.ts';
import { inTurn } from '../support/whole.ts';

const root = join(import.meta.dirname, '../..');
const WORKSPACE =
  'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: http://127.0.0.1:1\n  manifests: [manifests]\n';
const manifest = (kind: string, name: string, spec: string): string =>
  `apiVersion: hostwright/v1\nkind: ${kind}\nmetadata: { name: ${name} }\nspec: ${spec}\n`;
const start = async (files: Readonly<Record<string, string>>, workspace = WORKSPACE): Promise<Harness> =>
  openHarness({ workspace, scenario: 'small', files });
const session = (at: Harness) => at.session({ programs: programAccess() });
const convert = (at: Harness, out?: string) => convertManifests(session(at), { paths: [], ...(out && { out }) });
const codesOf = ({ diagnostics }: { readonly diagnostics: readonly { readonly code: string }[] }) =>
  diagnostics.map(({ code }) => code);

/** The workspace of each example and of each recipe in docs/, and their manifests. */
const EXAMPLES: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
  ...readdirSync(join(root, 'examples'))
    .filter((name) => existsSync(join(root, 'examples', name, 'hostwright.yaml')))
    .map((name) => {
      const textOf = (file: string): string => readFileSync(join(root, 'examples', name, file), 'utf8');
      const files = yamlIn(join(root, 'examples', name)).filter((file) => file !== 'hostwright.yaml');
      return [
        `examples/${name}`,
        textOf('hostwright.yaml').replace(/^ {2}manifests:.*$/m, '  manifests: [manifests]'),
        Object.fromEntries(files.map((file) => [`manifests/${file}`, textOf(file)])),
      ] as const;
    }),
  ...readFileSync(join(root, 'docs/recipes.md'), 'utf8')
    .split(/^## /m)
    .flatMap((recipe) => {
      const documents = [...recipe.matchAll(/^```yaml\n(.*?)^```/gms)]
        .flatMap(([, yaml = '']) => yaml.split(/^---\n/m))
        .filter((text) => text.includes('apiVersion:') && !text.includes('kind: Workspace'));
      const variables = [...documents.join('').matchAll(/\benv: (\w+)/g)].map(([, name]) => name);
      return documents.length === 0
        ? []
        : [
            [
              `the recipe ${recipe.split('\n')[0] ?? ''}`,
              `${WORKSPACE}  secrets: { env: [${variables.join(', ')}] }\n`,
              { 'manifests/all.yaml': documents.join('---\n') },
            ] as const,
          ];
    }),
];

function yamlIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));
}

async function valuesIn(folder: string): Promise<readonly unknown[]> {
  const texts = await Promise.all(yamlIn(folder).map((file) => readFile(join(folder, file), 'utf8')));
  const values = texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as unknown));
  const keyOf = (value: unknown): string => {
    const { kind, metadata } = value as { readonly kind: string; readonly metadata: { readonly name: string } };
    return `${kind}/${metadata.name}`;
  };
  return values.sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
}

describe('convert', () => {
  it('keeps comments, and makes references, profiles and secrets what programs have for them', async () => {
    const at = await start(
      {
        'manifests/all.yaml': `# Everything.
apiVersion: hostwright/v1
kind: DomainRegistration
metadata: { name: acme.com }
# Paid by the office.
spec:
  contacts:
    owner: { ref: Contact/new } # the boss
  # Never again by hand.
  autoRenew: true
---
${manifest('Contact', 'new', '{ firstName: Ada, lastName: L, email: a@example.com, streetAddress: S 1, postCode: "1", city: C, country: NL, phone: "+31.201234567" }')}---
apiVersion: hostwright/v1
kind: Site
metadata:
  name: shop
  id: site-shop # from the dashboard
lifecycle: { protect: true }
spec:
  profiles: [class]
---
${manifest('SiteProfile', 'class', '{ caching: { smartCache: true } }')}---
apiVersion: hostwright/v1
kind: Mailspace
metadata: { name: acme.com }
spec:
  mailboxes:
    # The office.
    - address: info@acme.com
      password:
        env: MAIL # in the vault
    # - address: old@acme.com
`,
      },
      `${WORKSPACE}  secrets: { env: [MAIL] }\n`,
    );
    const { program, replaced, diagnostics, written } = await convert(at);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect([replaced, written]).toEqual([['manifests/all.yaml'], false]);
    expect(program?.text.split('\n').slice(1)).toMatchInlineSnapshot(`
      [
        "import {",
        "  App,",
        "  Contact,",
        "  DomainRegistration,",
        "  Mailspace,",
        "  Site,",
        "  SiteProfile,",
        "  secret,",
        "} from 'hostwright/constructs';",
        "",
        "const app = new App();",
        "",
        "const newContact = new Contact(app, 'new', {",
        "  firstName: 'Ada',",
        "  lastName: 'L',",
        "  streetAddress: 'S 1',",
        "  postCode: '1',",
        "  city: 'C',",
        "  country: 'NL',",
        "  email: 'a@example.com',",
        "  phone: '+31.201234567',",
        "});",
        "",
        "// Everything.",
        "// Paid by the office.",
        "new DomainRegistration(app, 'acme.com', {",
        "  // Never again by hand.",
        "  autoRenew: true,",
        "  contacts: {",
        "    // the boss",
        "    owner: newContact,",
        "  },",
        "});",
        "",
        "const classSiteProfile = new SiteProfile(app, 'class', { caching: { smartCache: true } });",
        "new Site(app, 'shop', {",
        "  // from the dashboard",
        "  id: 'site-shop',",
        "  lifecycle: { protect: true },",
        "  profiles: [classSiteProfile],",
        "});",
        "",
        "new Mailspace(app, 'acme.com', {",
        "  mailboxes: [",
        "    // The office.",
        "    {",
        "      address: 'info@acme.com',",
        "      // in the vault",
        "      password: secret.env('MAIL'),",
        "    },",
        "    // - address: old@acme.com",
        "  ],",
        "});",
        "",
        "export default app;",
        "",
      ]
    `);
  });

  it('names what is called alike, or as a word of the language, by names that differ', async () => {
    const at = await start({
      'manifests/all.yaml': ['a-b', 'aB', 'class', '42']
        .flatMap((name, index) => [
          manifest('SiteProfile', JSON.stringify(name), '{ phpVersion: "8.3" }'),
          manifest('Site', `s${index}`, `{ profiles: [${JSON.stringify(name)}] }`),
        ])
        .join('---\n'),
    });
    const { program, manifests } = await convert(at);
    expect(manifests).toBe(8);
    expect(program?.text.match(/(?<=^const )\w+(?= = new SiteProfile)/gm)).toEqual([
      'aBSiteProfile',
      'abSiteProfile',
      'classSiteProfile',
      'the42SiteProfile',
    ]);
  });

  it('writes nothing for what is not valid, is there, or comes from a program', async () => {
    const at = await start({ 'manifests/a.yaml': manifest('Site', 'a', '{ cachings: {} }'), 'hosting.ts': '' });
    expect(codesOf(await convert(at, 'hosting.ts'))).toEqual(['HW1201']);
    await at.write('manifests/a.yaml', manifest('Site', 'a', '{}'));
    expect(codesOf(await convert(at, 'hosting.ts'))).toEqual(['HW6703']);
    await at.write(
      'manifests/a.yaml',
      `# Made by hostwright synth from x.ts. Do not edit.\n${manifest('Site', 'a', '{}')}`,
    );
    expect(codesOf(await convert(at, 'hosting.ts'))).toEqual(['HW6730']);
    expect(await readFile(join(at.root, 'hosting.ts'), 'utf8')).toBe('');
  });

  it.each(inTurn(EXAMPLES, 0, 3))(
    'declares what %s says, and synth writes it again',
    async (_name, workspace, files) => {
      const at = await start(files, workspace);
      const before = await valuesIn(join(at.root, 'manifests'));
      const { manifests, replaced, partly, diagnostics } = await convert(at, 'hosting.ts');
      expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      expect([manifests, partly]).toEqual([before.length, []]);
      for (const file of replaced) await rm(join(at.root, file));
      const made = await synthWorkspace(session(at), {});
      expect([made.written, made.diagnostics.filter(({ severity }) => severity === 'error')]).toEqual([true, []]);
      expect(await valuesIn(join(at.root, 'manifests'))).toEqual(before);
    },
  );
});

describe('a program beside YAML that people wrote', () => {
  const HEAD = "import { App, Site } from 'hostwright/constructs';\nconst app = new App();\n";
  const SHOP = `${HEAD}new Site(app, 'shop', {\n  id: 'site-shop',\n  profiles: ['fast'],\n  caching: { cacheExpiration: 60 },\n});\nexport default app;\n`;
  const FAST = manifest('SiteProfile', 'fast', '{ caching: { smartCache: true } }');

  it('may name it, and may not declare it again', async () => {
    const at = await start({ 'hosting.ts': SHOP, 'manifests/fast.yaml': FAST });
    expect(await synthWorkspace(session(at), {})).toMatchObject({ written: true, files: 1, diagnostics: [] });
    // What it made is not in its own way.
    expect((await synthWorkspace(session(at), { check: true })).changes).toEqual([]);
    await at.write('manifests/old.yaml', manifest('Site', 'shop', '{}'));
    const { diagnostics } = await synthWorkspace(session(at), {});
    expect(diagnostics.map(({ code, source }) => [code, source?.file, source?.line])).toEqual([
      ['HW1301', 'hosting.ts', 3],
    ]);
    await rm(join(at.root, 'manifests/old.yaml'));
    await rm(join(at.root, 'manifests/fast.yaml'));
    expect(codesOf(await synthWorkspace(session(at), {}))).toEqual(['HW1320']);
  });

  it('is named where a command would write into what it made', async () => {
    const at = await start({ 'hosting.ts': SHOP, 'manifests/fast.yaml': FAST });
    await synthWorkspace(session(at), {});
    const file = join(at.root, 'manifests/sites/shop.yaml');
    const before = await readFile(file, 'utf8');
    const accepted = await acceptLive(session(at), { paths: [], addresses: ['Site/shop/Caching'], dryRun: false });
    expect(
      accepted.diagnostics.map(({ code, severity, source }) => [code, severity, source?.file, source?.line]),
    ).toEqual([['HW6728', 'error', 'hosting.ts', 6]]);
    expect(accepted.diagnostics[0]?.frame).toContain('cacheExpiration');
    const exported = await exportAccount(session(at), { targets: ['Site/shop'], out: 'manifests' });
    expect(exported.diagnostics.filter(({ code }) => code === 'HW6728').map(({ severity }) => severity)).toEqual([
      'warning',
    ]);
    expect(await readFile(file, 'utf8')).toBe(before);
    // The line of the program that is named is changed, and it is run.
    await at.write('hosting.ts', SHOP.replace('cacheExpiration: 60', 'cacheExpiration: 3600'));
    await synthWorkspace(session(at), {});
    expect(
      codesOf(await acceptLive(session(at), { paths: [], addresses: ['Site/shop/Caching'], dryRun: false })),
    ).toEqual(['HW6715']);
  });

  it('is named where an undo would write into what it made', async () => {
    const at = await start({ 'hosting.ts': SHOP, 'manifests/fast.yaml': FAST });
    for (const expiration of [60, 120]) {
      await at.write('hosting.ts', SHOP.replace('cacheExpiration: 60', `cacheExpiration: ${expiration}`));
      await synthWorkspace(session(at), {});
      expect((await at.apply()).outcome.exitCode).toBe(0);
    }
    const file = join(at.root, 'manifests/sites/shop.yaml');
    const before = await readFile(file, 'utf8');
    const [run] = (await readRuns(session(at))).runs ?? [];
    const { written, diagnostics } = await undoRun(session(at), { run: run?.run ?? '', dryRun: false });
    expect(written).toBe(false);
    expect(diagnostics.map(({ code, severity, source }) => [code, severity, source?.file, source?.line])).toEqual([
      ['HW6728', 'error', 'hosting.ts', 6],
    ]);
    expect(await readFile(file, 'utf8')).toBe(before);
  });
});
