// `plan --changed-since`: what changed, by what the manifests say, and what rests on it; nothing else is read, and the
// plan says so. When it cannot be told, the run stops before anything is sent.
import { mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Plan } from '../../../src/model/plan/plan.ts';
import type { PlanResult } from '../../../src/usecases/plan/plan.ts';
import { addDomain } from '../../../src/sandbox/core/state.ts';
import { runCommand } from '../../support/processes/command.ts';
import type { Repository } from '../../support/processes/git.ts';
import { noGit, repositoryIn } from '../../support/processes/git.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { CONTACT, manifest, siteManifest } from '../../support/manifests.ts';
import { openHarness } from '../../support/open-harness.ts';
import { containing } from '../../support/matchers.ts';

interface Begun extends Harness, Repository {
  readonly since: (ref?: string, paths?: readonly string[], cwd?: string) => Promise<PlanResult>;
  readonly edit: (file: string, from: string | RegExp, to: string) => Promise<void>;
  /** Paths of the requests of the last `since`. */
  readonly requests: () => readonly string[];
}

/** A workspace that is committed on `main`, with a branch checked out. */
async function begin(options: HarnessOptions): Promise<Begun> {
  const one = await openHarness(options);
  const { git, programs } = await repositoryIn(one.root);
  await git('checkout', '-q', '-b', 'branch');
  let from = 0;
  return {
    ...one,
    git,
    programs,
    since: (ref = 'main', paths = [], cwd = one.root) => {
      from = one.sandbox.requests.length;
      return one.plan({ changedSince: ref, paths }, { cwd, ...programs });
    },
    edit: async (file, what, to) => one.write(file, (await readFile(join(one.root, file), 'utf8')).replace(what, to)),
    requests: () =>
      one.sandbox.requests
        .slice(from)
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
  };
}

const addresses = ({ plan }: PlanResult): readonly string[] | undefined => plan?.actions.map(({ address }) => address);
const said = ({ plan, diagnostics }: PlanResult): string =>
  [...(plan?.notices ?? []), ...diagnostics].map(({ code, detail }) => `${code} ${detail}`).join('\n');

const fifty = { example: 'fifty-sites-two-profiles', scenario: 'sites:50' } as const;
const sites = {
  files: {
    'sites/shop.json': manifest('Site', 'shop', { domains: ['shop.example.com'], caching: { smartCache: true } }),
    'sites/docs.json': siteManifest('docs', { caching: { smartCache: true } }),
  },
} as const;
const CACHING = ['GET /api/domains', 'GET /api/sites', 'GET /api/sites/site-shop/cdn/caching'];

describe.skipIf(noGit !== undefined)('what changed', () => {
  it('of fifty sites one: the lists and its own documents are read, nothing else', async () => {
    const one = await begin(fifty);
    await one.edit(
      'sites/brochures.yaml',
      'profiles: [brochure]',
      'profiles: [brochure]\n  caching: { cacheExpiration: 61 }',
    );
    const result = await one.since();
    expect(addresses(result)).toEqual(['Site/s00001/Caching']);
    expect(one.requests()).toEqual([
      'GET /api/domains',
      'GET /api/domains?page=2',
      'GET /api/sites',
      'GET /api/sites/site-s00001/cdn/caching',
      'GET /api/sites?page=2',
    ]);
    expect(said(result)).toMatch(
      /HW6142 Looked at 1 of 50 manifests, changed since `main` \([0-9a-f]{12}\): Site\/s00001\. Nothing else of the account was read/,
    );
    expect(result.plan?.notices.map(({ code }) => code)).toEqual(['HW6142']);
    expect(result.partRead?.code).toBe('HW6142');
  });

  it('is what a saved plan of it applies: other sites that differ are neither read nor changed', async () => {
    const one = await begin(fifty);
    const nothing = (await one.since()).plan as Plan;
    await one.edit(
      'sites/brochures.yaml',
      'profiles: [brochure]',
      'profiles: [brochure]\n  caching: { cacheExpiration: 61 }',
    );
    const plan = (await one.since()).plan as Plan;
    expect([nothing.covers, plan.covers]).toEqual([
      { targets: [], read: [] },
      { targets: ['Site/s00001'], read: ['Site/s00001'] },
    ]);
    expect((await one.apply({ plan: nothing })).outcome).toMatchObject({ exitCode: 0, actions: [] });
    const from = one.sandbox.requests.length;
    expect((await one.apply({ plan })).outcome).toMatchObject({
      exitCode: 0,
      actions: [{ address: 'Site/s00001/Caching', result: 'done' }],
    });
    expect([...new Set(one.sandbox.requests.slice(from).map(({ path }) => path.replace(/\?.*/, '')))].sort()).toEqual([
      '/api/domains',
      '/api/sites',
      '/api/sites/site-s00001/cdn/caching',
    ]);
  });

  it('a profile: every site that uses it, with what it merges to', async () => {
    const one = await begin(fifty);
    await one.edit('profiles/profiles.yaml', 'varyCookie: true', 'varyCookie: false');
    const result = await one.since();
    expect(addresses(result)).toEqual(Array.from({ length: 19 }, (_, index) => `Site/s000${31 + index}/Caching`));
    expect(one.requests().filter((path) => path.includes('/cdn/'))).toHaveLength(19);
    expect(said(result)).toContain('and 9 more');
  });

  it('only in how it is written, or in which file: nothing, and nothing is sent', async () => {
    const one = await begin(fifty);
    await one.edit('sites/brochures.yaml', 'metadata: { name: s00001 }', '# the first\nmetadata:\n  name: "s00001"');
    await rename(join(one.root, 'profiles/profiles.yaml'), join(one.root, 'sites/shared.yaml'));
    await one.write('profiles/none.yaml', '# nothing\n');
    const result = await one.since();
    expect(addresses(result)).toEqual([]);
    expect(one.requests()).toEqual([]);
    expect(said(result)).toMatch(
      /HW6142 No manifest of 50 says anything else since .* Nothing of the account was read/,
    );
  });

  it('committed, staged, unstaged and in new files, all counts; what main did meanwhile does not', async () => {
    const one = await begin({
      files: {
        ...sites.files,
        'sites/blog.json': manifest('Site', 'blog', { name: 'blog', caching: { smartCache: true } }),
      },
    });
    await one.git('checkout', '-q', 'main');
    await one.edit('sites/blog.json', 'true', 'false');
    await one.git('commit', '-q', '-a', '-m', 'on main');
    await one.git('checkout', '-q', 'branch');
    await one.edit('sites/shop.json', 'true', 'false');
    await one.git('commit', '-q', '-a', '-m', 'on the branch');
    expect(said(await one.since())).toContain(': Site/shop.');
    await one.edit('sites/docs.json', 'true', 'false');
    await one.git('add', '.');
    expect(said(await one.since())).toContain(': Site/docs, Site/shop.');
    await one.git('reset', '-q');
    await one.write(
      'sites/more/new.json',
      manifest('Site', 'new', { caching: { smartCache: true } }, { id: 'site-blog' }),
    );
    // It means the same live object as a manifest that did not change: that is found although the other is not looked
    // at.
    const shared = await one.since();
    expect(shared.plan).toBeUndefined();
    expect(said(shared)).toContain('HW2004');
    await rm(join(one.root, 'sites/blog.json'));
    const result = await one.since();
    expect(said(result)).toMatch(
      /Looked at 3 of 3 manifests, changed since[^]*HW6144 Site\/blog was declared at `main` .* a manifest that is gone is not a delete/,
    );
  });

  it('a new name for a manifest is not one that is gone; what is ignored did not change', async () => {
    const one = await begin(sites);
    await one.write(
      'sites/shop.json',
      manifest(
        'Site',
        'store',
        { domains: ['shop.example.com'], caching: { smartCache: true } },
        { renamedFrom: 'shop' },
      ),
    );
    expect(said(await one.since())).not.toContain('HW6144');
    await one.write(
      'sites/shop.json',
      manifest('Site', 'shop', { domains: ['shop.example.com'], caching: { smartCache: true } }),
    );
    await one.write(
      'sites/docs.json',
      siteManifest(
        'docs',
        { caching: { smartCache: true }, phpVersion: '8.3' },
        { lifecycle: { ignore: ['/phpVersion'] } },
      ),
    );
    expect(said(await one.since())).toContain('No manifest of 2 says anything else');
  });

  it('a manifest that said to delete, and did its work, is not missed', async () => {
    const one = await begin({
      files: { ...sites.files, 'sites/old.json': manifest('Site', 'old', {}, { lifecycle: { state: 'absent' } }) },
    });
    await one.git('rm', '-q', 'sites/old.json');
    const result = await one.since();
    expect(said(result)).toContain('No manifest of 2 says anything else');
    expect(said(result)).not.toContain('HW6144');
  });

  it('a workspace file that says something else: everything; one that is only written otherwise: nothing', async () => {
    const one = await begin(sites);
    await one.write(
      'hostwright.yaml',
      `# the account of Acme\n${await readFile(join(one.root, 'hostwright.yaml'), 'utf8')}`,
    );
    expect(said(await one.since())).toContain('No manifest');
    await one.edit('hostwright.yaml', 'manifests: [sites]', 'manifests: [sites]\n  guards: { allowDeletes: 1 }');
    const result = await one.since();
    expect(said(result)).toContain('HW6143');
    expect(addresses(result)).toEqual((await one.planned()).actions.map(({ address }) => address));
  });

  it('only of the paths that are named, wherever the command is started', async () => {
    const one = await begin({
      files: { ...sites.files, 'other/blog.json': manifest('Site', 'blog', { caching: { smartCache: true } }) },
    });
    await one.edit('sites/docs.json', 'true', 'false');
    await rm(join(one.root, 'other/blog.json'));
    for (const [paths, cwd] of [
      [['*.json'], 'sites'],
      [['.'], 'sites'],
      [['sites'], '.'],
      [['./sites/*.json', '!sites/shop.json'], '.'],
      [[], 'sites'],
    ] as const) {
      const text = said(await one.since('main', paths, join(one.root, cwd)));
      expect(text).toMatch(/^HW6142 Looked at 1 of [12] manifests?, changed since .*: Site\/docs\./);
      expect(text).not.toContain('HW6144');
    }
    await one.git('checkout', '-q', 'main', '--', 'other');
    await rm(join(one.root, 'sites/docs.json'));
    await one.edit('other/blog.json', 'true', 'false');
    for (const paths of [['**/*.json'], ['.']])
      expect(said(await one.since('main', paths))).toMatch(/: Site\/blog\.[^]*HW6144 Site\/docs/);
    for (const paths of [['other'], ['**/*.json', '!sites/*']])
      expect(said(await one.since('main', paths))).not.toContain('HW6144');
  });

  it('what a link led to then cannot be told, so what it leads to now counts as changed', async () => {
    const one = await begin({
      files: {
        ...sites.files,
        'a.json': manifest('Site', 'blog', { caching: { smartCache: true } }),
        'b.json': manifest('Site', 'blog', { caching: { smartCache: false } }),
      },
    });
    await symlink('../a.json', join(one.root, 'sites/blog.json'));
    await one.git('add', '.');
    await one.git('commit', '-q', '-m', 'a link');
    await rm(join(one.root, 'sites/blog.json'));
    await symlink('../b.json', join(one.root, 'sites/blog.json'));
    expect(said(await one.since('HEAD'))).toContain('Looked at 1 of 3 manifests, changed since');
  });
});

describe.skipIf(noGit !== undefined)('what rests on it', () => {
  const person = (city: string) => manifest('Contact', 'ben', { ...CONTACT, city });

  it('a Contact: the registrations that name it', async () => {
    const one = await begin({
      scenario: 'registrar',
      files: {
        'sites/ben.json': person('Amsterdam'),
        'sites/signed.json': manifest('DomainRegistration', 'signed.com', {
          contacts: { tech: { ref: 'Contact/ben' } },
        }),
        'sites/locked.json': manifest('DomainRegistration', 'locked.com', { locked: false }),
      },
    });
    await one.write('sites/ben.json', person('Utrecht'));
    const result = await one.since();
    expect(said(result)).toContain('Looked at 1 of 2 manifests, changed since');
    expect(addresses(result)).toEqual(['DomainRegistration/signed.com/RegistrationContacts']);
    expect(one.requests().filter((path) => path.includes('locked.com'))).toEqual([]);
  });

  it('a site whose name servers are taken: the registration is planned too; and the other way round the site is read only', async () => {
    const one = await begin({
      scenario: 'registrar',
      files: {
        'sites/shop.json': siteManifest('shop', {
          domains: [{ hostname: 'www.plain.com', attach: 'dns' }],
          caching: { smartCache: true },
        }),
        'sites/name.json': manifest('DomainRegistration', 'plain.com', {
          nameservers: { ref: 'Site/shop/SiteDomain/www.plain.com', output: 'nameservers' },
        }),
        'sites/docs.json': siteManifest('docs', { caching: { smartCache: true } }),
      },
    });
    const whole = (await one.planned()).actions.map(({ address }) => address);
    expect(whole).toContain('Site/docs/Caching');
    await one.edit('sites/shop.json', '"smartCache":true', '"smartCache":false');
    const result = await one.since();
    expect(said(result)).toMatch(
      /: Site\/shop\. Planned too, because they rest on those: DomainRegistration\/plain\.com\./,
    );
    expect(one.requests().filter((path) => path.includes('site-docs'))).toEqual([]);
    await one.git('checkout', '-q', '--', '.');
    await one.edit('sites/name.json', '"spec":{', '"spec":{"autoRenew":true,');
    const other = await one.since();
    // The registration waits for the hostname, so the two are planned together; the caching of the site did not change
    // and is left out.
    expect(addresses(other)).not.toContain('Site/shop/Caching');
    expect(said(other)).toContain('Site/shop');
    expect(one.requests()).toContain('GET /api/sites');
  });

  it('a move: the site that it comes from is read, and only what the move needs is planned there', async () => {
    const files = {
      'sites/old.json': manifest(
        'Site',
        'old',
        { domains: ['shop.example.com'], caching: { smartCache: true } },
        { id: 'site-shop' },
      ),
      'sites/new.json': manifest('Site', 'new', { domains: [] }, { id: 'site-docs' }),
    };
    const one = await begin({ files });
    await one.write(
      'sites/new.json',
      manifest(
        'Site',
        'new',
        { domains: [{ hostname: 'www.example.com', moveFrom: 'Site/old' }] },
        { id: 'site-docs' },
      ),
    );
    const result = await one.since();
    expect(said(result)).toContain('Read only to know what those rest on: Site/old.');
    expect(addresses(result)).not.toContain('Site/old/Caching');
  });
});

describe.skipIf(noGit !== undefined)('it cannot be told', () => {
  const expectNothing = (one: Begun, result: PlanResult, ...words: readonly string[]): void => {
    expect(result.plan).toBeUndefined();
    for (const word of ['HW6141', ...words]) expect(said(result)).toContain(word);
    expect(one.requests()).toEqual([]);
  };

  it.each(['no-such-branch', '--output=owned', 'main:hostwright.yaml'])(
    'since %s: there is no such commit',
    async (ref) => {
      const one = await begin(sites);
      expectNothing(one, await one.since(ref), 'this clone has no such commit');
      if (ref !== 'no-such-branch') return;
      await one.git('branch', ref, 'main');
      expect((await one.since(ref)).plan).toBeDefined();
    },
  );

  it('where nothing is shared, from standard input, and outside of the repository', async () => {
    const one = await begin(sites);
    await one.git('checkout', '-q', '--orphan', 'alone');
    await one.git('commit', '-q', '-m', 'alone');
    expectNothing(one, await one.since(), 'no commit in common', 'Name a commit that this branch comes from.');
    expect((await one.since('alone')).plan).toBeDefined();
    const piped = {
      ledger: { waitMs: 0, programEnv: {} },
      stdin: () => Promise.resolve(new TextEncoder().encode(sites.files['sites/shop.json'])),
    };
    expectNothing(one, await one.plan({ changedSince: 'alone', paths: ['-'] }, piped), 'standard input');
    await mkdir(join(one.root, 'inner'));
    await one.write('inner/hostwright.yaml', await readFile(join(one.root, 'hostwright.yaml'), 'utf8'));
    await one.git('init', '-q', 'inner');
    await one.git('-C', 'inner', 'add', '.');
    await one.git('-C', 'inner', 'commit', '-q', '-m', 'inner');
    expectNothing(
      one,
      await one.since('HEAD', ['../sites'], join(one.root, 'inner')),
      'outside the repository',
      '../sites/docs.json',
    );
  });

  it('in no repository', async () => {
    const one = await begin(sites);
    await rm(join(one.root, '.git'), { recursive: true });
    expectNothing(one, await one.since(), 'in no Git work tree', 'or leave `--changed-since` out');
    expect((await one.plan()).plan).toBeDefined();
  });

  it('in a shallow clone, which says how to fetch the rest', async () => {
    const one = await begin(sites);
    await one.edit('sites/docs.json', 'true', 'false');
    await one.git('commit', '-q', '-a', '-m', 'two');
    await one.git('clone', '-q', '--depth=1', '--no-single-branch', `file://${one.root}`, 'shallow');
    const shallow = join(one.root, 'shallow');
    expectNothing(one, await one.since('origin/main', [], shallow), 'no commit in common', 'fetch-depth: 0');
    expectNothing(one, await one.since('HEAD~1', [], shallow), 'no such commit', 'fetch-depth: 0');
    await one.git('-C', 'shallow', 'fetch', '-q', '--unshallow');
    for (const ref of ['origin/main', 'HEAD~1']) expect((await one.since(ref, [], shallow)).plan).toBeDefined();
  });

  it('on the command line: said on stderr and in the plan; a target is another way to choose', async () => {
    const { root, sandbox, git, edit } = await begin(sites);
    await edit('sites/shop.json', '"smartCache":true', '"smartCache":false');
    const { PATH = '' } = process.env;
    const run = (...args: readonly string[]) => runCommand(args, { cwd: root, url: sandbox.url, env: { PATH } });
    const plan = await run('plan', '--changed-since', 'main', '--format', 'markdown', '--out', 'plan.json');
    expect(plan).toMatchObject({ code: 0, stderr: containing('HW6142 Only part of the account was read') });
    // Not folded away: who reads the comment has to see that the rest was not looked at.
    expect(plan.stdout.slice(0, plan.stdout.indexOf('<details>'))).toContain('HW6142');
    expect(sandbox.requests.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(CACHING);
    expect((await run('apply', 'plan.json')).code).toBe(0);
    expect(await run('plan', '--changed-since', 'main', '--target', 'Site/shop')).toMatchObject({
      code: 1,
      stderr: containing('cannot be used with'),
    });
    expect(await git('status', '--porcelain')).toBe('M sites/shop.json\n?? .hostwright/\n?? plan.json');
  });
});

describe.skipIf(noGit !== undefined)('what this branch removed from a manifest', () => {
  const WITH = { domains: ['shop.example.com', { hostname: 'extra.example.com', attach: 'dns' }] };
  const FILE = 'sites/shop.json';
  const begun = async (spec: object): Promise<Begun> => {
    const one = await begin({ files: { ...sites.files, [FILE]: siteManifest('shop', spec) } });
    const live = one.sandbox.state.sites.get('site-shop');
    if (live !== undefined) addDomain(one.sandbox.state, live, { id: 'dom-extra', hostname: 'extra.example.com' });
    return one;
  };

  it('reads as removed, with its place and the lines that delete it, and not as something to adopt', async () => {
    const one = await begun(WITH);
    await one.write(FILE, siteManifest('shop', { domains: ['shop.example.com'] }));
    const { plan } = await one.since();
    expect(plan?.actions).toEqual([]);
    expect(plan?.unmanaged.map(({ identity }) => identity)).not.toContain('extra.example.com');
    expect(plan?.orphaned).toMatchObject([
      {
        objects: [
          { address: 'Site/shop/SiteDomain/extra.example.com', removedFrom: { file: FILE, line: 1 }, id: 'dom-extra' },
        ],
        file: FILE,
      },
    ]);
    // The others that no manifest names would go too, and the lines say so.
    const yaml = plan?.orphaned?.[0]?.remove?.yaml ?? '';
    expect(yaml).toContain('unlisted');
    await one.write(FILE, siteManifest('shop', { domains: ['shop.example.com'], ...(parse(yaml) as object) }));
    const { plan: after } = await one.plan();
    expect(after?.actions.map(({ verb, address }) => `${verb} ${address}`)).toContain(
      'delete Site/shop/SiteDomain/extra.example.com',
    );
  });

  it('also with its whole section, and with --guards-from', async () => {
    const one = await begun({ ...WITH, caching: { smartCache: true } });
    await one.write(FILE, siteManifest('shop', { caching: { smartCache: true } }));
    const told = (result: PlanResult): readonly string[] | undefined =>
      result.plan?.orphaned?.flatMap(({ objects }) => objects.map(({ address }) => address));
    const all = ['Site/shop/SiteDomain/extra.example.com', 'Site/shop/SiteDomain/shop.example.com'];
    expect(told(await one.since())).toEqual(all);
    expect(told(await one.plan({}, { guardsFrom: 'main', ...one.programs }))).toEqual(all);
    expect(told(await one.plan())).toBeUndefined();
    // A commit that this clone does not have tells nothing, and stops nothing.
    expect(told(await one.plan({}, { guardsFrom: 'nowhere', ...one.programs }))).toBeUndefined();
  });

  it('a whole manifest: the live object is found by what it is known by', async () => {
    const one = await begun(WITH);
    await rm(join(one.root, FILE));
    const { plan } = await one.since();
    expect(plan?.orphaned).toMatchObject([
      { collection: 'Site/shop', objects: [{ removedFrom: { file: FILE }, id: 'site-shop' }] },
    ]);
    expect(plan?.orphaned?.[0]?.remove?.yaml).toContain('state: absent');
    expect(plan?.notices.map(({ code }) => code)).not.toContain('HW6144');
  });
});
