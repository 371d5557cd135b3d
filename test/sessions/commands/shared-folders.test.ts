// Profiles and contacts that several workspaces of one repository read: `shared: [../../shared]`.
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { validateWorkspace } from '../../../src/usecases/validate.ts';
import { noGit, startGit } from '../../support/processes/git.ts';
import type { GitGround } from '../../support/processes/git.ts';
import type { Harness } from '../../support/harness.ts';
import { startHarness } from '../../support/harness.ts';

const workspace = (shared: string): string =>
  `apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: http://127.0.0.1:1\n  manifests: [sites]\n  shared: [${shared}]\n`;
const site = (more: object): string =>
  JSON.stringify({
    apiVersion: 'hostwright/v1',
    kind: 'Site',
    metadata: { name: 'shop' },
    spec: { domains: ['shop.example.com'], profiles: ['base'], ...more },
  });
const profile = (expiration: number): string =>
  `apiVersion: hostwright/v1\nkind: SiteProfile\nmetadata: { name: base }\nspec: { caching: { cacheExpiration: ${expiration} } }\n`;

let one: Harness | undefined;
let ground: GitGround | undefined;
afterEach(async () => {
  await one?.close();
  await ground?.close();
  [one, ground] = [undefined, undefined];
});

async function begin(): Promise<Harness & { readonly accounts: Readonly<Record<'prod' | 'stage', string>> }> {
  one = await startHarness({
    files: {
      'shared/base.yaml': profile(1800),
      'accounts/prod/hostwright.yaml': workspace('../../shared'),
      'accounts/prod/sites/shop.json': site({}),
      'accounts/stage/hostwright.yaml': workspace('../../shared'),
      'accounts/stage/sites/shop.json': site({ caching: { smartCache: true } }),
    },
  });
  await mkdir(join(one.root, '.git'));
  return { ...one, accounts: { prod: join(one.root, 'accounts/prod'), stage: join(one.root, 'accounts/stage') } };
}

async function codesOf(harness: Harness, cwd: string, paths: readonly string[] = []): Promise<readonly string[]> {
  const { diagnostics } = await validateWorkspace(harness.session({ cwd }), paths);
  return diagnostics.map(({ code, source }) => `${code} ${source?.file ?? ''}`);
}

describe('a folder that two workspaces share', () => {
  it('may hold profiles that only other accounts use', async () => {
    const { accounts, ...harness } = await begin();
    await harness.write('shared/other.yaml', profile(60).replace('base', 'other'));
    expect(await codesOf(harness, accounts.prod)).toEqual([]);
  });

  it('gives both the profile, also where one manifest is named', async () => {
    const { accounts, ...harness } = await begin();
    for (const [cwd, paths] of [
      [accounts.prod, []],
      [accounts.stage, ['sites/shop.json']],
    ] as const) {
      const { plan, diagnostics } = await harness.plan({ paths }, { cwd });
      expect(diagnostics).toEqual([]);
      expect(plan?.actions.flatMap(({ changes }) => changes)).toContainEqual(
        expect.objectContaining({ path: '/cacheExpiration', value: 1800 }),
      );
    }
  });

  it('holds nothing live, and stays in the repository, links too', async () => {
    const { accounts, ...harness } = await begin();
    await harness.write('accounts/prod/hostwright.yaml', workspace('../../shared, ../../empty'));
    expect(await codesOf(harness, accounts.prod)).toEqual(['HW6661 ']);
    await harness.write('empty/other.yaml', profile(60).replace('base', 'other'));
    expect(await codesOf(harness, accounts.prod)).toEqual([]);
    await harness.write('shared/site.json', site({}));
    expect(await codesOf(harness, accounts.prod)).toEqual(['HW1011 ../../shared/site.json']);
    await rename(join(harness.root, 'shared/site.json'), join(accounts.stage, 'sites/shop.json'));
    expect(await codesOf(harness, accounts.prod)).toEqual([]);
    const outside = `${harness.root}-outside`;
    await mkdir(outside);
    await writeFile(join(outside, 'more.yaml'), profile(1).replace('base', 'more'));
    await symlink(join(outside, 'more.yaml'), join(harness.root, 'shared/more.yaml'));
    expect(await codesOf(harness, accounts.prod)).toEqual(['HW1005 ']);
    await rm(join(harness.root, 'shared/more.yaml'));
    await harness.write('accounts/prod/hostwright.yaml', workspace(`../../../${outside.split('/').at(-1) ?? ''}`));
    expect(await codesOf(harness, accounts.prod)).toEqual(['HW6010 hostwright.yaml']);
    await harness.write('accounts/prod/hostwright.yaml', workspace('../../shared'));
    expect(await codesOf(harness, accounts.prod)).toEqual([]);
    await rm(outside, { recursive: true });
  });

  it('is nothing without a repository: what is outside of the workspace would not be under review', async () => {
    const { accounts, ...harness } = await begin();
    await rm(join(harness.root, '.git'), { recursive: true });
    expect(await codesOf(harness, accounts.prod)).toEqual(['HW6010 hostwright.yaml']);
  });
});

describe.skipIf(noGit !== undefined)('a changed shared profile', () => {
  it('is a change of every account that uses it, and of no other', async () => {
    const { accounts, ...harness } = await begin();
    await rm(join(harness.root, '.git'), { recursive: true });
    await harness.write('accounts/stage/sites/shop.json', site({ profiles: [] }));
    ground = await startGit();
    const { git, env } = ground;
    await git(harness.root, 'init', '-q', '-b', 'main');
    await git(harness.root, 'add', '.');
    await git(harness.root, 'commit', '-q', '-m', 'base');
    await harness.write('shared/base.yaml', profile(60));
    const changed = async (cwd: string): Promise<readonly string[] | undefined> => {
      const session = { cwd, ledger: { waitMs: 0, programEnv: env } };
      return (await harness.plan({ changedSince: 'main' }, session)).plan?.actions.map(({ address }) => address);
    };
    expect(await changed(accounts.prod)).toEqual(['Site/shop/Caching']);
    expect(await changed(accounts.stage)).toEqual([]);
  });
});

describe('one file of a workspace that is named', () => {
  const SITE = site({});
  const FILES = {
    'manifests/profiles/base.yaml': profile(1800),
    'manifests/profiles/other.yaml': profile(60).replace('base', 'other').replace('cacheExpiration', 'noSuchField'),
    'manifests/sites/shop.json': SITE,
    'manifests/sites/docs.json': '{ broken',
  };
  const WORKSPACE_FILE = workspace('').replace(
    'manifests: [sites]\n  shared: []',
    "manifests: [manifests, '!**/old.yaml']",
  );

  it.each([
    ['.', 'manifests/sites/shop.json'],
    ['manifests/sites', 'shop.json'],
  ])('has the profile of the workspace, seen from %s, and not what is wrong elsewhere', async (cwd, file) => {
    one = await startHarness({ workspace: WORKSPACE_FILE, files: FILES });
    const { plan, diagnostics } = await one.plan({ paths: [file] }, { cwd: join(one.root, cwd) });
    expect(diagnostics).toEqual([]);
    expect(plan?.actions.flatMap(({ changes }) => changes)).toContainEqual(
      expect.objectContaining({ path: '/cacheExpiration', value: 1800 }),
    );
    expect(await codesOf(one, join(one.root, cwd), [file])).toEqual([]);
  });

  it('declares a profile itself, and that one counts', async () => {
    one = await startHarness({ workspace: WORKSPACE_FILE, files: FILES });
    await one.write('copy/all.yaml', `${profile(77)}---\n${SITE}\n`);
    const { plan, diagnostics } = await one.plan({ paths: ['copy/all.yaml'] });
    expect(diagnostics).toEqual([]);
    expect(plan?.actions.flatMap(({ changes }) => changes)).toContainEqual(
      expect.objectContaining({ path: '/cacheExpiration', value: 77 }),
    );
  });

  it.skipIf(noGit !== undefined)('has changed since a commit when its profile has, and with no other', async () => {
    ground = await startGit();
    const { git, env } = ground;
    const docs = SITE.replace('"shop"', '"docs"').replace('shop.', 'docs.');
    one = await startHarness({ workspace: WORKSPACE_FILE, files: { ...FILES, 'manifests/sites/docs.json': docs } });
    await git(one.root, 'init', '-q', '-b', 'main');
    await git(one.root, 'add', '.');
    await git(one.root, 'commit', '-q', '-m', 'base');
    const changed = async (): Promise<readonly string[] | undefined> =>
      (
        await one!.plan(
          { paths: ['manifests/sites/shop.json'], changedSince: 'main' },
          { ledger: { waitMs: 0, programEnv: env } },
        )
      ).plan?.actions.map(({ address }) => address);
    await one.write('manifests/sites/docs.json', '{}');
    expect(await changed()).toEqual([]);
    await one.write('manifests/profiles/base.yaml', profile(99));
    expect(await changed()).toEqual(['Site/shop/Caching']);
  });
});
