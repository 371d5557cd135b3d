import { describe, expect, it } from 'vitest';
import { caching } from '../../src/areas/cdn/kinds/caching.ts';
import { registry } from '../../src/areas/index.ts';
import { panelAccount } from '../../src/areas/panel/kinds/index.ts';
import { siteDomain } from '../../src/areas/site/kinds/domain/index.ts';
import { site } from '../../src/areas/site/kinds/site/index.ts';
import type { DesiredCollection } from '../../src/model/desired.ts';
import type { Json } from '../../src/model/json.ts';
import type { Collection, Kind } from '../../src/model/kind/kind.ts';
import { createObserver } from '../../src/observe/observer.ts';
import { readCollection } from '../../src/observe/read-live.ts';
import { createReader } from '../../src/observe/reader.ts';
import { ApiError } from '../../src/platform/api-error.ts';
import type { ApiErrorKind } from '../../src/platform/api-error.ts';
import { documentedError } from '../support/documented-error.ts';
import { member, wantMembers, wantRoot, wantRoots } from '../support/desired.ts';
import { containing } from '../support/matchers.ts';

function blocker(
  kind: ApiErrorKind,
  status: number,
  code: string | null = null,
  messages: readonly string[] = [],
): ApiError {
  return new ApiError({
    kind,
    message: `answered ${status}`,
    status,
    code,
    messages,
    extra: {},
    sent: 'answered',
    attempts: 1,
  });
}

function clientOf(answers: Readonly<Record<string, Json | Error>>) {
  const asked: string[] = [];
  return {
    asked,
    read: (path: string): Promise<Json> => {
      asked.push(path);
      const answer = answers[path];
      if (answer instanceof Error)
        return Promise.reject(answer instanceof ApiError ? documentedError('GET', path, answer) : answer);
      return answer === undefined ? Promise.reject(blocker('not-found', 404)) : Promise.resolve(answer);
    },
  };
}

const sites = {
  sites: [
    { id: 's1', name: 'One', primary_domain: 'a.nl', account: { id: 'acc-1' } },
    { id: 's2', name: 'Foreign', primary_domain: 'f.nl', account: { id: 'acc-2' } },
  ],
};
const domains = {
  domains: [
    { id: 'd1', hostname: 'A.nl', site_id: 's1', account_id: 'acc-1' },
    { id: 'd2', hostname: 'b.nl', site_id: 's3', account_id: 'acc-1' },
  ],
};
const parent = member(site, 's1', { name: 'One' }, { computed: { primaryDomain: 'a.nl' } });

function read(
  kind: Kind,
  declared: DesiredCollection,
  answers: Readonly<Record<string, Json | Error>>,
  owned: readonly string[] = [],
) {
  const client = clientOf(answers);
  const result: Promise<Collection> = readCollection(
    { kind, declared, parent: kind.parent === null ? null : parent, owned: new Set(owned), account: 'acc-1' },
    createReader(client),
  );
  return { client, result };
}

describe('readCollection', () => {
  it('CNV-08: keeps rows of the account only', async () => {
    const { result } = read(site, wantRoots(site, [wantRoot(site, 'one')]), { '/api/sites': sites });
    expect(await result).toMatchObject({
      state: 'read',
      members: [{ id: 's1', identity: 'One', computed: { primaryDomain: 'a.nl' } }],
    });
  });

  it('asks for one path once, whoever needs it', async () => {
    const { client, result } = read(
      siteDomain,
      wantMembers(siteDomain, 'Site/one', [{ hostname: 'a.nl' }, { hostname: 'b.nl' }]),
      { '/api/domains': domains },
    );
    expect(await result).toMatchObject({
      state: 'read',
      members: [{ id: 'd1', identity: 'a.nl', spec: { primary: true } }],
      elsewhere: { 'b.nl': { parentId: 's3', id: 'd2' } },
    });
    expect(client.asked).toEqual(['/api/domains']);
  });

  it('asks for the CDN only when something may be removed, after the list', async () => {
    const declared = wantMembers(siteDomain, 'Site/one', []);
    const cdn = { hostnames: [{ value: 'a.nl', is_system_hostname: true }] };
    const known = read(siteDomain, declared, { '/api/domains': domains, '/api/sites/s1/cdn': cdn }, ['a.nl']);
    expect(await known.result).toMatchObject({ members: [{ computed: { system: true } }] });
    expect(known.client.asked).toEqual(['/api/domains', '/api/sites/s1/cdn']);
    const inactive = read(
      siteDomain,
      declared,
      { '/api/domains': domains, '/api/sites/s1/cdn': blocker('conflict', 409, 'cdn_not_active') },
      ['a.nl'],
    );
    expect(await inactive.result).toMatchObject({ state: 'read', members: [{ computed: { system: null } }] });
  });

  it.each([
    ['CDN-01', blocker('conflict', 409, 'cdn_not_active'), 'blocked', 'GAP-20'],
    ['SIT-08', blocker('forbidden', 402, 'service_suspended'), 'blocked', 'SIT-08'],
    ['SIT-08', blocker('forbidden', 403, 'pending_delete'), 'blocked', 'SIT-08'],
    ['CNV-16', blocker('forbidden', 403, null, ['Sorry, Not Authorized']), 'blocked', 'CNV-16'],
    ['SIT-17', blocker('not-found', 404), 'unknown', 'SIT-17'],
    ['CNV-10', blocker('insufficient-scope', 403, 'insufficient_scope'), 'unknown', 'CNV-10'],
    ['CDN-11', blocker('upstream', 502), 'unknown', undefined],
    ['a 403 without a known code', blocker('forbidden', 403, null, ['Something else']), 'unknown', undefined],
    ['a 409 with another code', blocker('conflict', 409, 'other'), 'unknown', undefined],
  ])('%s: takes %s as %s', async (_rule, error, state, rule) => {
    const collection = await read(caching, wantMembers(caching, 'Site/one', [{}]), {
      '/api/sites/s1/cdn/caching': error,
    }).result;
    expect(collection).toMatchObject({ state, ...(rule !== undefined && { rule }) });
  });

  it('takes an answer of another shape as unknown', async () => {
    expect(
      await read(caching, wantMembers(caching, 'Site/one', [{}]), { '/api/sites/s1/cdn/caching': [] }).result,
    ).toMatchObject({ state: 'unknown', reason: containing('expected an object') });
    expect(await read(site, wantRoots(site, []), { '/api/sites': { sites: 'none' } }).result).toMatchObject({
      state: 'unknown',
      reason: containing('expected a list'),
    });
  });

  it('stops the run on a refused credential', async () => {
    await expect(
      read(caching, wantMembers(caching, 'Site/one', [{}]), {
        '/api/sites/s1/cdn/caching': blocker('unauthorised', 401),
      }).result,
    ).rejects.toThrow('answered 401');
  });

  it('lets our own bugs through', async () => {
    const broken = {
      ...caching,
      decode: () => {
        throw new TypeError('ours');
      },
    };
    await expect(
      read(broken, wantMembers(caching, 'Site/one', [{}]), { '/api/sites/s1/cdn/caching': {} }).result,
    ).rejects.toThrow('ours');
    const whole = { ...caching, reads: { all: { path: () => '/x', rows: '/rows' } }, decode: () => [] };
    expect(await read(whole, wantMembers(caching, 'Site/one', [{}]), { '/x': { rows: [{}] } }).result).toMatchObject({
      state: 'read',
      members: [],
    });
  });
});

describe('GAP-06: lists that may be paged', () => {
  const rows = (from: number, count: number) => ({
    sites: Array.from({ length: count }, (_, index) => ({
      id: `s${from + index}`,
      name: `n${from + index}`,
      account: { id: 'acc-1' },
    })),
  });
  const count = async (answers: Readonly<Record<string, Json>>) => {
    const { result, client } = read(site, wantRoots(site, []), answers);
    const collection = await result;
    return {
      members: collection.state === 'read' ? collection.members.length : collection.reason,
      asked: client.asked.length,
    };
  };

  it('reads on when a list has exactly the size of a page', async () => {
    expect(
      await count({ '/api/sites': rows(0, 50), '/api/sites?page=2': rows(50, 50), '/api/sites?page=3': rows(100, 3) }),
    ).toEqual({ members: 103, asked: 3 });
    expect(await count({ '/api/sites': rows(0, 100), '/api/sites?page=2': rows(100, 0) })).toEqual({
      members: 100,
      asked: 2,
    });
  });

  it('stops when the server ignores the page', async () => {
    expect(await count({ '/api/sites': rows(0, 50), '/api/sites?page=2': rows(0, 50) })).toEqual({
      members: 50,
      asked: 2,
    });
  });

  it('asks once for any other size', async () => {
    expect(await count({ '/api/sites': rows(0, 51) })).toEqual({ members: 51, asked: 1 });
  });

  it('gives up on a list without end', async () => {
    let page = 0;
    const endless = { read: () => Promise.resolve(rows((page += 50), 50)) };
    const result = await readCollection(
      { kind: site, declared: wantRoots(site, []), parent: null, owned: new Set(), account: 'acc-1' },
      createReader(endless),
    );
    expect(result).toMatchObject({ state: 'unknown', reason: containing('more than 1000 pages') });
  });
});

describe('PNL-11: lists whose pages are documented', () => {
  const PATH = '/api/panel_accounts?per_page=100';
  const rows = (from: number, count: number) => ({
    panel_accounts: Array.from({ length: count }, (_, index) => ({
      username: `u${from + index}`,
      state: 'active',
      account: { id: 'acc-1' },
    })),
  });
  const count = async (...pages: readonly Json[]) => {
    const { result, client } = read(
      panelAccount,
      wantRoots(panelAccount, []),
      Object.fromEntries(pages.map((page, index) => [index === 0 ? PATH : `${PATH}&page=${index + 1}`, page])),
    );
    const collection = await result;
    return {
      members: collection.state === 'read' ? collection.members.length : collection.reason,
      asked: client.asked.length,
    };
  };

  it('are read until a page is empty, however full the others are', async () => {
    expect(await count(rows(0, 0))).toEqual({ members: 0, asked: 1 });
    expect(await count(rows(0, 3), rows(3, 2), rows(0, 0))).toEqual({ members: 5, asked: 3 });
  });

  it('may overlap, and end where a server ignores the page', async () => {
    expect(await count(rows(0, 100), rows(90, 20), rows(90, 20))).toEqual({ members: 110, asked: 3 });
  });

  it('have an end', async () => {
    let page = 0;
    const endless = { read: () => Promise.resolve(rows((page += 50), 50)) };
    const result = await readCollection(
      { kind: panelAccount, declared: wantRoots(panelAccount, []), parent: null, owned: new Set(), account: 'acc-1' },
      createReader(endless),
    );
    expect(result).toMatchObject({ state: 'unknown', reason: containing('more than 1000 pages') });
  });
});

describe('createObserver', () => {
  const settings = { smart_cache: true };
  const ids = new Map([
    ['Site/one', 's1'],
    ['Site/gone', 's9'],
  ]);
  const observe = async (
    address: string,
    answers: Readonly<Record<string, Json | Error>> = {
      '/api/sites': sites,
      '/api/domains': domains,
      '/api/sites/s1/cdn/caching': settings,
    },
  ) => (await createObserver(registry, clientOf(answers), 'acc-1')([address], ids)).get(address);

  it('sees roots by id, children by identity, singletons as they are', async () => {
    expect(await observe('Site/one')).toMatchObject({ state: 'present', id: 's1', document: { name: 'One' } });
    expect(await observe('Site/one/SiteDomain/a.nl')).toMatchObject({
      state: 'present',
      id: 'd1',
      siblings: ['a.nl'],
      document: { primary: true },
    });
    expect(await observe('Site/one/SiteDomain/x.nl')).toEqual({ state: 'absent', siblings: ['a.nl'] });
    expect(await observe('Site/one/Caching')).toMatchObject({ state: 'present', document: { smartCache: true } });
    expect(await observe('Site/gone')).toMatchObject({ state: 'absent' });
  });

  it('does not know what is in a site that is not there, or not readable', async () => {
    expect(await observe('Site/gone/Caching')).toEqual({ state: 'unknown', reason: 'Site/gone is not there' });
    expect(
      await observe('Site/one/Caching', {
        '/api/sites': sites,
        '/api/sites/s1/cdn/caching': blocker('forbidden', 402, 'service_suspended'),
      }),
    ).toMatchObject({ state: 'blocked' });
    expect(await observe('Site/one/Caching', { '/api/sites': blocker('unavailable', 503) })).toMatchObject({
      state: 'unknown',
    });
  });

  it('does not choose between two of one identity', async () => {
    const twice = { domains: [...domains.domains, { id: 'd9', hostname: 'a.nl', site_id: 's1', account_id: 'acc-1' }] };
    expect(await observe('Site/one/SiteDomain/a.nl', { '/api/sites': sites, '/api/domains': twice })).toEqual({
      state: 'unknown',
      reason: 'the account has 2 of them',
    });
  });

  it('shares reads between addresses', async () => {
    const client = clientOf({ '/api/sites': sites, '/api/domains': domains, '/api/sites/s1/cdn/caching': settings });
    await createObserver(
      registry,
      client,
      'acc-1',
    )(['Site/one/SiteDomain/a.nl', 'Site/one/SiteDomain/x.nl', 'Site/one/Caching'], ids);
    expect([...client.asked].sort()).toEqual(['/api/domains', '/api/sites', '/api/sites/s1/cdn/caching']);
  });

  it('has a bug when it is asked for a kind that nobody knows', async () => {
    await expect(observe('Nobody/x')).rejects.toThrow('bug in hostwright: no kind for Nobody/x');
  });
});
