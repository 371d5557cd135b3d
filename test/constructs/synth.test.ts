// `synth`: what a program declares as YAML, and that nothing else is touched.
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { App as Cdk8sApp, ApiObject, Chart } from 'cdk8s';
import { describe, expect, it } from 'vitest';
import type { SynthOptions } from '../../src/usecases/synth.ts';
import { synthWorkspace } from '../../src/usecases/synth.ts';
import { validateWorkspace } from '../../src/usecases/validate.ts';
import type { Harness } from '../support/harness.ts';
import { programAccess } from '../support/processes/programs.ts';
import { openHarness } from '../support/open-harness.ts';

const LINE = '# Made by hostwright synth from hosting.ts. Do not edit.\n';
const HEAD = "import { Account, App, Site, type SiteProps } from 'hostwright/constructs';\nconst app = new App();\n";
const SHOP = "new Site(app, 'shop', { id: 'site-shop', caching: { cacheExpiration: 60 } });\n";

const start = async (body: string, files: Readonly<Record<string, string>> = {}): Promise<Harness> =>
  openHarness({
    workspace:
      'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: http://127.0.0.1:1\n  manifests: [manifests]\n',
    files: { 'hosting.ts': `${HEAD}${body}export default app;\n`, ...files },
  });

const synth = (at: Harness, options: SynthOptions = {}) =>
  synthWorkspace(at.session({ programs: programAccess() }), options);

describe('synth', () => {
  it('writes what plans to the same digests, and the second time nothing', async () => {
    const at = await start(SHOP);
    expect(await synth(at)).toMatchObject({ written: true, files: 1, diagnostics: [] });
    expect(await readFile(join(at.root, 'manifests/sites/shop.yaml'), 'utf8')).toBe(
      `${LINE}apiVersion: hostwright/v1\nkind: Site\nmetadata:\n  name: shop\n  id: site-shop\nspec:\n  caching:\n    cacheExpiration: 60\n`,
    );
    expect((await synth(at, { check: true })).changes).toEqual([]);
    const [yaml, code] = [await at.plan(), await at.plan({ paths: ['hosting.ts'] }, { programs: programAccess() })];
    const digestsOf = ({ plan }: typeof yaml) => plan?.actions.map(({ address, digest }) => [address, digest]);
    expect(digestsOf(code)).toEqual(digestsOf(yaml));
    expect(code.plan?.actions.map(({ source }) => [source?.file, source?.line, source?.column])).toEqual([
      ['hosting.ts', 3, 53],
    ]);
  });

  it('keeps places for a plan of the YAML that points at the program', async () => {
    const at = await start(SHOP);
    await synth(at, { sources: 'sources.json' });
    const placesOf = async (): Promise<readonly unknown[] | undefined> =>
      (await at.plan({}, { sources: 'sources.json' })).plan?.actions.map(({ source }) => [source?.file, source?.line]);
    expect(await placesOf()).toEqual([['hosting.ts', 3]]);
    const made = 'manifests/sites/shop.yaml';
    await at.write(made, (await readFile(join(at.root, made), 'utf8')).replace('60', '90'));
    expect(await placesOf()).toEqual([[made, 9]]);
    await at.write('sources.json', '{}');
    expect((await synth(at, { sources: 'sources.json' })).diagnostics.map(({ code }) => code)).toEqual(['HW1511']);
    expect((await at.plan({}, { sources: 'sources.json' })).diagnostics.map(({ code }) => code)).toEqual(['HW1514']);
  });

  it('removes what it no longer makes, and no other file', async () => {
    const at = await start(SHOP, {
      'manifests/sites/gone.yaml': `${LINE}apiVersion: hostwright/v1\n`,
      'manifests/sites/by-hand.yaml': 'apiVersion: hostwright/v1\nkind: SiteProfile\nmetadata: { name: a }\nspec: {}\n',
    });
    const checked = await synth(at, { check: true });
    expect(checked.changes.map(({ file, before, after }) => [file, before !== undefined, after !== undefined])).toEqual(
      [
        ['sites/gone.yaml', true, false],
        ['sites/shop.yaml', false, true],
      ],
    );
    expect(checked.diagnostics.map(({ code }) => code)).toEqual(['HW1508']);
    await synth(at);
    expect((await synth(at, { check: true })).changes).toEqual([]);
    expect(await readFile(join(at.root, 'manifests/sites/by-hand.yaml'), 'utf8')).toContain('SiteProfile');
  });

  it('writes nothing where a file of others, or a link that leads out, is in the way', async () => {
    const at = await start(SHOP, { 'manifests/sites/shop.yaml': 'mine: true\n' });
    const result = await synth(at);
    expect([result.written, result.diagnostics.map(({ code }) => code)]).toEqual([false, ['HW1511']]);
    expect(await readFile(join(at.root, 'manifests/sites/shop.yaml'), 'utf8')).toBe('mine: true\n');
    await mkdir(join(at.root, 'elsewhere'));
    await mkdir(join(at.root, 'out'));
    await symlink(join(at.root, 'elsewhere'), join(at.root, 'out/sites'));
    expect((await synth(at, { out: 'out' })).diagnostics.map(({ code }) => code)).toEqual(['HW1511']);
  });

  it('--check finds that two runs differ, and where', async () => {
    const at = await start(
      "new Site(app, 'shop', { caching: { cacheExpiration: Number(process.hrtime.bigint() % 10_000n) } });\n",
    );
    const { diagnostics } = await synth(at, { check: true });
    expect(
      diagnostics.map(({ code, detail, source }) => [code, detail.split('. ')[0], source?.line, source?.column]),
    ).toEqual([
      [
        'HW1507',
        'The program was run twice, and the runs differ at `/spec/caching/cacheExpiration` of Site `shop`',
        3,
        53,
      ],
    ]);
  });

  it('writes a workspace folder for each account', async () => {
    const at = await start(
      "for (const name of ['acc-a', 'acc-b']) new Site(new Account(app, name, { ledger: { git: {} } }), 'shop');\n",
    );
    expect((await synth(at)).changes.map(({ file }) => file)).toEqual([
      'acc-a/hostwright.yaml',
      'acc-a/sites/shop.yaml',
      'acc-b/hostwright.yaml',
      'acc-b/sites/shop.yaml',
    ]);
    expect(await readFile(join(at.root, 'manifests/acc-b/hostwright.yaml'), 'utf8')).toBe(
      `${LINE}apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-b\n  baseUrl: http://127.0.0.1:1\n  ledger:\n    git: { ref: refs/hostwright/ledgers/acc-b }\n`,
    );
    const session = at.session({ programs: programAccess() });
    expect((await validateWorkspace(session, ['hosting.ts'])).diagnostics.map(({ code }) => code)).toEqual(['HW1512']);
  });

  it('reads what a real cdk8s writes', async () => {
    const app = new Cdk8sApp();
    const chart = new Chart(app, 'hosting');
    new ApiObject(chart, 'shop', {
      apiVersion: 'hostwright/v1',
      kind: 'Site',
      metadata: { name: 'shop' },
      spec: { phpVersion: '8.3' },
    });
    const at = await start(SHOP);
    await mkdir(join(at.root, 'dist'));
    await writeFile(join(at.root, 'dist/hosting.k8s.yaml'), app.synthYaml());
    expect(await validateWorkspace(at.session(), ['dist'])).toMatchObject({ diagnostics: [], manifests: 1 });
  });
});
