// What has to be published, before and after an apply: told by the ledger, the site and the DNS, and never guessed.
import { afterEach, describe, expect, it } from 'vitest';
import type { LookupAnswer, RecordType } from '../../../src/model/dns.ts';
import type { DnsResult } from '../../../src/usecases/dns/records.ts';
import { listRecords } from '../../../src/usecases/dns/records.ts';
import type { Session } from '../../../src/usecases/session.ts';
import type { Ended } from '../../support/processes/run-here.ts';
import { runCommand } from '../../support/processes/command.ts';
import type { NameServer } from '../../support/servers/dns-server.ts';
import { startNameServer } from '../../support/servers/dns-server.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import { containing, matching } from '../../support/matchers.ts';

let server: NameServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function begin(options: HarnessOptions = { example: 'small-agency' }): Promise<Harness> {
  return openHarness(options);
}

const lookupIn =
  (zone: Readonly<Record<string, readonly string[] | 'failed'>>) =>
  (name: string, type: RecordType): Promise<LookupAnswer> => {
    const values = zone[`${type} ${name}`] ?? [];
    return Promise.resolve(
      values === 'failed' ? { state: 'failed', reason: 'no answer' } : { state: 'answered', values },
    );
  };

const list = (own: Harness, session: Partial<Session> = {}, resolve = true): Promise<DnsResult> =>
  listRecords(own.session({ lookup: lookupIn({}), ...session }), { paths: [], resolve, resolvers: [] });
const brief = ({ report }: DnsResult): readonly string[] =>
  (report?.records ?? []).map(({ name, type, value = '-', status }) => `${name} ${type} ${value} ${status}`);

describe('the records of hostnames', () => {
  it('are known once these are attached: by the ledger, or by the site', async () => {
    const own = await begin();
    expect(brief(await list(own))).toEqual([
      'blog.example.com CNAME - not-known',
      'docs.example.com CNAME site-docs.cdn.sandbox.example missing',
      'handbook.example.com CNAME - not-known',
      'shop.example.com NS - not-known',
      'shop.example.net NS - not-known',
      'www.blog.example.com CNAME - not-known',
      'www.shop.example.com CNAME site-shop.cdn.sandbox.example missing',
    ]);
    await own.apply();
    const before = own.sandbox.requests.length;
    const zone = {
      'CNAME blog.example.com': ['site-blog.cdn.sandbox.example'],
      'NS shop.example.net': ['ns1.zone.sandbox.example', 'ns.old.example'],
      'CNAME www.blog.example.com': 'failed',
      'A docs.example.com': ['192.0.2.1'],
      'A site-docs.cdn.sandbox.example': ['192.0.2.1'],
    } as const;
    const after = await list(own, { lookup: lookupIn(zone) });
    expect(brief(after)).toEqual([
      'blog.example.com CNAME site-blog.cdn.sandbox.example found',
      'docs.example.com CNAME site-docs.cdn.sandbox.example found',
      'handbook.example.com CNAME site-docs.cdn.sandbox.example missing',
      'shop.example.com NS - not-known',
      'shop.example.net NS ns1.zone.sandbox.example mismatched',
      'shop.example.net NS ns2.zone.sandbox.example mismatched',
      'www.blog.example.com CNAME site-blog.cdn.sandbox.example unknown',
      'www.shop.example.com CNAME site-shop.cdn.sandbox.example missing',
    ]);
    expect(after.diagnostics).toMatchObject([
      { code: 'HW3102', detail: containing('www.blog.example.com: no answer') },
    ]);
    // Only reads: both lists, and the view of each site of which the ledger does not know every target.
    expect(
      own.sandbox.requests
        .slice(before)
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    ).toEqual(['GET /api/domains', 'GET /api/sites', 'GET /api/sites/site-docs', 'GET /api/sites/site-shop']);
  });

  it('SIT-04, GAP-04: the target is told where only the documented path of the view answers', async () => {
    const own = await begin({ example: 'small-agency', ambiguities: { 'GAP-04': 'documented' } });
    expect(brief(await list(own))).toContain('docs.example.com CNAME site-docs.cdn.sandbox.example missing');
    expect(own.sandbox.requests.every(({ method }) => method === 'GET')).toBe(true);
  });

  it('DOM-13: ask for no CNAME of an exported hostname whose zone the platform hosts', async () => {
    const files = {
      'sites/shop.yaml':
        'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: shop, id: site-shop }\nspec: { domains: [shop.example.com] }\n',
    };
    const own = await begin({ files });
    const { report } = await list(own);
    expect(report?.records).toMatchObject([{ type: 'NS', status: 'not-known', reason: containing('hosts the zone') }]);
  });

  it('are not looked up where nobody wants it', async () => {
    const own = await begin();
    const asked: string[] = [];
    const { report, diagnostics } = await list(
      own,
      { lookup: (name) => (asked.push(name), Promise.resolve({ state: 'answered', values: [] })) },
      false,
    );
    expect(asked).toEqual([]);
    expect(diagnostics).toEqual([]);
    expect(report?.records.filter(({ status }) => status === 'unknown').map(({ reason }) => reason)).toEqual(
      Array(2).fill('nobody looked'),
    );
  });

  it('are none where no hostname is declared, and then nothing is read', async () => {
    const own = await begin({
      files: {
        'sites/a.yaml':
          'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: shop, id: site-shop }\nspec: { caching: { smartCache: true } }\n',
      },
    });
    expect(await list(own)).toEqual({ report: { account: 'acc-acme', records: [] }, diagnostics: [] });
    expect(own.sandbox.requests).toEqual([]);
  });

  it('are not told for what could not be read', async () => {
    const own = await begin({
      example: 'small-agency',
      faults: [
        { kind: 'status-before', status: 403, match: { path: '/api/sites/site-shop' } },
        { kind: 'status-before', status: 405, match: { path: '/api/sites/site-docs' } },
        { kind: 'status-before', status: 405, match: { path: '/api/sites/site-docs/restart' } },
      ],
    });
    const result = await list(own);
    expect(result.diagnostics).toMatchObject([
      { code: 'HW3101', detail: containing('GET /api/sites/site-shop failed') },
    ]);
    expect(brief(result)).toContain('www.shop.example.com CNAME - not-known');
    expect(brief(result)).toContain('docs.example.com CNAME - not-known');
    expect(await list(own, { token: 'nobody' })).toMatchObject({ diagnostics: [{ code: 'HW3001' }] });
    expect(await list(own, { token: undefined })).toMatchObject({ diagnostics: [{ code: 'HW3002' }] });
    expect(await list(own, { cwd: '/' })).toMatchObject({ diagnostics: [{ code: 'HW6001' }] });
  });

  it('are not taken for unattached while the list of sites is unread', async () => {
    const own = await begin({
      example: 'small-agency',
      faults: [{ kind: 'status-before', status: 403, match: { path: '/api/sites' } }],
    });
    const { report, diagnostics } = await list(own);
    expect(report?.records).toEqual([]);
    expect(new Set(diagnostics.map(({ code }) => code))).toEqual(new Set(['HW3101']));
  });
});

describe('the command', () => {
  const run = (own: Harness, ...args: readonly string[]): Promise<Ended> =>
    runCommand(['dns', ...args], { cwd: own.root, url: own.sandbox.url });

  it('prints a table, JSON or a zone file, and says by its exit code whether all is published', async () => {
    const own = await begin({ example: 'small-agency', memoryLedger: false });
    await own.apply();
    server = await startNameServer({});
    const table = await run(own, '--resolver', server.address);
    expect(table).toMatchObject({ code: 3, stderr: '' });
    expect(table.stdout).toMatch(/missing +shop.example.net +NS +ns2/);
    expect(table.stdout).toContain('entered where the domain is registered');
    const json = await run(own, '--resolver', server.address, '--format', 'json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      format: 'hostwright.dns/1',
      outcome: 'waiting',
      exitCode: 3,
      account: 'acc-acme',
    });
    const zone = await run(own, '--zone', '--no-lookup');
    expect(zone).toMatchObject({ code: 3, stderr: '' });
    expect(zone.stdout).toContain('\nshop.example.net.\tIN\tNS\tns2.zone.sandbox.example.\n');
    expect(await run(own, '--zone', '--format', 'json')).toMatchObject({
      code: 1,
      stderr: containing('zone file is text'),
    });
    expect(await run(own, '--resolver', 'dns.example.com')).toMatchObject({
      code: 1,
      stderr: containing('192.0.2.53'),
    });
    await server.close();
    const records = (
      JSON.parse(json.stdout) as {
        readonly records: readonly { readonly name: string; readonly type: string; readonly value: string }[];
      }
    ).records;
    const all = new Map<string, string[]>();
    for (const { name, type, value } of records)
      all.set(`${type} ${name}`, [...(all.get(`${type} ${name}`) ?? []), value]);
    server = await startNameServer(Object.fromEntries(all));
    // The name servers of a zone that was there before are shown nowhere (DOM-07).
    expect(await run(own, '--resolver', server.address)).toMatchObject({
      code: 3,
      stdout: matching(/: 8 records, 1 not known yet, 7 found/),
    });
    expect(server.asked.length).toBe(6);
  });

  it('knows nothing of what is not attached, and says so; a name server that fails is no missing record', async () => {
    const own = await begin();
    expect(await run(own, '--no-lookup')).toMatchObject({
      code: 3,
      stdout: containing('(not known before it is attached)'),
    });
    server = await startNameServer({ 'CNAME docs.example.com': 'servfail' });
    const failed = await run(own, '--resolver', server.address);
    expect(failed).toMatchObject({ code: 1, stderr: containing('HW3102') });
    expect(failed.stdout).toMatch(/unknown +docs.example.com/);
    expect(own.sandbox.requests.every(({ method }) => method === 'GET')).toBe(true);
  });
});

describe('the records of mail', () => {
  const manifest =
    'apiVersion: hostwright/v1\nkind: Mailspace\nmetadata: { name: NAME }\nspec: { domains: [], mailboxes: [] }\n';
  const files = (name: string) => ({ 'sites/mail.yaml': manifest.replace('NAME', name) });

  it('are those of the report, with what the platform found; the rest is looked up', async () => {
    const own = await begin({
      scenario: 'mail',
      files: {
        'sites/mail.yaml':
          'apiVersion: hostwright/v1\nkind: Mailspace\nmetadata: { name: shop.example.com }\nspec: {}\n',
      },
    });
    const { report, diagnostics } = await list(own);
    expect(diagnostics).toEqual([]);
    expect(report?.records.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['MX', 'TXT', 'CNAME', 'A', 'AAAA']) as unknown,
    );
    expect(report?.records.every(({ address }) => address === 'Mailspace/shop.example.com')).toBe(true);
    expect(own.sandbox.requests.every(({ method }) => method === 'GET')).toBe(true);
  });

  it('MSP-17: are the proof of ownership of one that is not verified', async () => {
    const own = await begin({ scenario: 'mail', files: files('blog.example.com') });
    const { report } = await list(own);
    expect(report?.records).toMatchObject([
      { type: 'TXT', purpose: 'proves whose the domain is', status: 'missing', value: expect.any(String) as string },
    ]);
  });
});
