// Profiles and contacts that several workspaces of one repository read: `shared: [../../shared]`.
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { validateWorkspace } from '../../../src/usecases/validate.ts';
import type { PlanOptions } from '../../../src/usecases/plan/plan.ts';
import type { Harness } from '../../support/harness.ts';
import { manifest, workspaceFile } from '../../support/manifests.ts';
import { openHarness } from '../../support/open-harness.ts';
import { noGit, repositoryIn } from '../../support/processes/git.ts';

const sharing = (...shared: readonly string[]): string =>
  workspaceFile(`manifests: [sites], shared: [${shared.join(', ')}]`);
const site = (more: object): string =>
  manifest('Site', 'shop', { domains: ['shop.example.com'], profiles: ['base'], ...more });
const profile = (cacheExpiration: number): string => manifest('SiteProfile', 'base', { caching: { cacheExpiration } });

async function begin(): Promise<Harness & { readonly accounts: Readonly<Record<'prod' | 'stage', string>> }> {
  const one = await openHarness({
    files: {
      'shared/base.yaml': profile(1800),
      'accounts/prod/hostwright.yaml': sharing('../../shared'),
      'accounts/prod/sites/shop.json': site({}),
      'accounts/stage/hostwright.yaml': sharing('../../shared'),
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

/** Commits what is there; tells what a plan of what changed since then does. */
async function changedIn({ root, plan }: Harness) {
  const { programs } = await repositoryIn(root);
  return async (options: Partial<PlanOptions>, cwd = root): Promise<readonly string[] | undefined> =>
    (await plan({ changedSince: 'main', ...options }, { cwd, ...programs })).plan?.actions.map(
      ({ address }) => address,
    );
}

/** Plans without a problem, with this expiration. */
async function expectExpiration(
  one: Harness,
  seconds: number,
  paths: readonly string[],
  cwd = one.root,
): Promise<void> {
  const { plan, diagnostics } = await one.plan({ paths }, { cwd });
  expect(diagnostics).toEqual([]);
  expect(plan?.actions.flatMap(({ changes }) => changes)).toContainEqual(
    expect.objectContaining({ path: '/cacheExpiration', value: seconds }),
  );
}

describe('a folder that two workspaces share', () => {
  it('may hold profiles that only other accounts use', async () => {
    const { accounts, ...harness } = await begin();
    await harness.write('shared/other.yaml', profile(60).replace('base', 'other'));
    expect(await codesOf(harness, accounts.prod)).toEqual([]);
  });

  it('gives both the profile, also where one manifest is named', async () => {
    const { accounts, ...harness } = await begin();
    await expectExpiration(harness, 1800, [], accounts.prod);
    await expectExpiration(harness, 1800, ['sites/shop.json'], accounts.stage);
  });

  it('holds nothing live, and stays in the repository, links too', async () => {
    const { accounts, ...harness } = await begin();
    await harness.write('accounts/prod/hostwright.yaml', sharing('../../shared', '../../empty'));
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
    await harness.write('accounts/prod/hostwright.yaml', sharing(`../../../${outside.split('/').at(-1) ?? ''}`));
    expect(await codesOf(harness, accounts.prod)).toEqual(['HW6010 hostwright.yaml']);
    await harness.write('accounts/prod/hostwright.yaml', sharing('../../shared'));
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
    const changed = await changedIn(harness);
    await harness.write('shared/base.yaml', profile(60));
    expect(await changed({}, accounts.prod)).toEqual(['Site/shop/Caching']);
    expect(await changed({}, accounts.stage)).toEqual([]);
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
  const WORKSPACE_FILE = workspaceFile('manifests: [manifests, "!**/old.yaml"]');

  it.each([
    ['.', 'manifests/sites/shop.json'],
    ['manifests/sites', 'shop.json'],
  ])('has the profile of the workspace, seen from %s, and not what is wrong elsewhere', async (cwd, file) => {
    const one = await openHarness({ workspace: WORKSPACE_FILE, files: FILES });
    await expectExpiration(one, 1800, [file], join(one.root, cwd));
    expect(await codesOf(one, join(one.root, cwd), [file])).toEqual([]);
  });

  it('declares a profile itself, and that one counts', async () => {
    const one = await openHarness({ workspace: WORKSPACE_FILE, files: FILES });
    await one.write('copy/all.yaml', `${profile(77)}\n---\n${SITE}\n`);
    await expectExpiration(one, 77, ['copy/all.yaml']);
  });

  it.skipIf(noGit !== undefined)('has changed since a commit when its profile has, and with no other', async () => {
    const docs = SITE.replace('"shop"', '"docs"').replace('shop.', 'docs.');
    const one = await openHarness({
      workspace: WORKSPACE_FILE,
      files: { ...FILES, 'manifests/sites/docs.json': docs },
    });
    const changed = await changedIn(one);
    const paths = ['manifests/sites/shop.json'];
    await one.write('manifests/sites/docs.json', '{}');
    expect(await changed({ paths })).toEqual([]);
    await one.write('manifests/profiles/base.yaml', profile(99));
    expect(await changed({ paths })).toEqual(['Site/shop/Caching']);
  });
});
