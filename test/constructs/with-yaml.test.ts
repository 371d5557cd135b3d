// Programs next to handwritten YAML: synth checks both together, and no command edits a file that synth wrote.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportAccount } from '../../src/usecases/export.ts';
import { readRuns } from '../../src/usecases/history/read.ts';
import { undoRun } from '../../src/usecases/history/undo.ts';
import { synthWorkspace } from '../../src/usecases/synth.ts';
import { acceptLive } from '../../src/usecases/write/accept.ts';
import type { Harness } from '../support/harness.ts';
import { programAccess } from '../support/processes/programs.ts';
import { openHarness } from '../support/open-harness.ts';

const WORKSPACE =
  'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: http://127.0.0.1:1\n  manifests: [manifests]\n';
const manifest = (kind: string, name: string, spec: string): string =>
  `apiVersion: hostwright/v1\nkind: ${kind}\nmetadata: { name: ${name} }\nspec: ${spec}\n`;
const start = async (files: Readonly<Record<string, string>>): Promise<Harness> =>
  openHarness({ workspace: WORKSPACE, scenario: 'small', files });
const session = (at: Harness) => at.session({ programs: programAccess() });
const codesOf = ({ diagnostics }: { readonly diagnostics: readonly { readonly code: string }[] }) =>
  diagnostics.map(({ code }) => code);

describe('a program next to handwritten YAML', () => {
  const HEAD = "import { App, Site } from 'hostwright/constructs';\nconst app = new App();\n";
  const SHOP = `${HEAD}new Site(app, 'shop', {\n  id: 'site-shop',\n  profiles: ['fast'],\n  caching: { cacheExpiration: 60 },\n});\nexport default app;\n`;
  const FAST = manifest('SiteProfile', 'fast', '{ caching: { smartCache: true } }');

  it('refers to objects declared in YAML and rejects declaring them twice', async () => {
    const at = await start({ 'hosting.ts': SHOP, 'manifests/fast.yaml': FAST });
    expect(await synthWorkspace(session(at), {})).toMatchObject({ written: true, files: 1, diagnostics: [] });
    // Files from an earlier synth do not count as duplicates.
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

  it('reports the line of the program where a command would edit a file that synth wrote', async () => {
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
    // Following the advice resolves the diagnostic.
    await at.write('hosting.ts', SHOP.replace('cacheExpiration: 60', 'cacheExpiration: 3600'));
    await synthWorkspace(session(at), {});
    expect(
      codesOf(await acceptLive(session(at), { paths: [], addresses: ['Site/shop/Caching'], dryRun: false })),
    ).toEqual(['HW6715']);
  });

  it('reports the line of the program where an undo would edit a file that synth wrote', async () => {
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
