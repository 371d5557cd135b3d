// What an operator does on one site, against the sandbox: each act is sent once, waited for, and honest about an answer
// that was lost.
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/model/json.ts';
import { mailMessage } from '../../../src/sandbox/site/mail/state.ts';
import type { MailAccount } from '../../../src/sandbox/site/mail/state.ts';
import { logEntry } from '../../../src/sandbox/core/traffic-state.ts';
import type { Site } from '../../../src/sandbox/core/state.ts';
import type { LogOptions } from '../../../src/areas/operations.ts';
import { act } from '../../../src/usecases/act/act.ts';
import type { MetricName } from '../../../src/usecases/act/traffic.ts';
import { readTraffic } from '../../../src/usecases/act/traffic.ts';
import { asking } from '../../support/asking.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import { containing, matching } from '../../support/matchers.ts';

const SHOP = 'id:site-shop';
const USAGE = { read: 'metrics', metric: 'now', sinceMs: 0 } as const;
const yes = (): Promise<boolean> => Promise.resolve(true);
const no = (): Promise<boolean> => Promise.resolve(false);

async function start(
  options: HarnessOptions = {},
): Promise<Harness & { readonly shop: Site; readonly mail: MailAccount; readonly writes: () => readonly string[] }> {
  const one = await openHarness({
    files: {
      'sites/shop.yaml':
        'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: my-shop }\nspec: { domains: [shop.example.com] }\n',
    },
    ...options,
  });
  const { sandbox } = one;
  const shop = sandbox.state.sites.get('site-shop');
  if (shop?.mail === undefined || shop.mail === null) throw new Error('no shop');
  return {
    ...one,
    shop,
    mail: shop.mail,
    writes: () =>
      sandbox.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`),
  };
}

const codes = ({ diagnostics }: { readonly diagnostics: readonly { readonly code: string }[] }): readonly string[] =>
  diagnostics.map(({ code }) => code);

describe('which site is meant', () => {
  it('is a manifest, bound as plan binds it, or an id of the account', async () => {
    const { session } = await start();
    for (const name of ['my-shop', SHOP])
      expect(await readTraffic(session(), name, USAGE)).toMatchObject({
        outcome: 'done',
        site: { id: 'site-shop' },
      });
  });

  it('is said where it is not clear, and nothing is sent', async () => {
    const { session, sandbox, write } = await start();
    expect((await act(session(), { operation: 'restart', address: 'Site/my-shpo' }, yes)).diagnostics).toMatchObject([
      { code: 'HW4508', detail: containing('Did you mean `my-shop`') },
    ]);
    expect(codes(await act(session(), { operation: 'restart', address: 'Site/id:site-foreign' }, yes))).toEqual([
      'HW4507',
    ]);
    expect(
      codes(await act(session({ token: undefined }), { operation: 'restart', address: `Site/${SHOP}` }, yes)),
    ).toEqual(['HW3002']);
    expect(
      codes(await act(session({ token: 'wrong' }), { operation: 'restart', address: `Site/${SHOP}` }, yes)),
    ).toEqual(['HW3001']);
    await write(
      'sites/shop.yaml',
      'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: my-shop }\nspec: { domains: [new.example.com] }\n',
    );
    expect((await act(session(), { operation: 'restart', address: 'Site/my-shop' }, yes)).diagnostics).toMatchObject([
      { code: 'HW4507', detail: containing('bound to no live site') },
    ]);
    await write(
      'sites/shop.yaml',
      'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: my-shop, id: gone }\nspec: {}\n',
    );
    expect(codes(await act(session(), { operation: 'restart', address: 'Site/my-shop' }, yes))).toEqual(['HW2001']);
    await write('sites/shop.yaml', 'nonsense');
    expect((await act(session(), { operation: 'restart', address: 'Site/my-shop' }, yes)).outcome).toBe('error');
    // A site that is named by its id can be read while manifests are invalid.
    expect((await readTraffic(session(), SHOP, USAGE)).outcome).toBe('done');
    expect(sandbox.requests.every(({ method }) => method === 'GET')).toBe(true);
  });

  it('a site that the platform locks is an error with its code', async () => {
    const { session, shop } = await start();
    shop.suspended = true;
    expect((await readTraffic(session(), SHOP, USAGE)).diagnostics).toMatchObject([
      { code: 'HW4501', detail: matching(/^The site is suspended over an unpaid invoice: GET/) },
    ]);
  });

  it('a list of sites that cannot be read is said as that', async () => {
    const { session, sandbox } = await start();
    sandbox.setFaults([{ kind: 'not-a-list' }]);
    expect(codes(await readTraffic(session(), SHOP, USAGE))).toEqual(['HW4507']);
  });
});

describe('restart', () => {
  it('SIT-06, TSK-09: restarts once and follows the task that shows up', async () => {
    const { session, shop, writes } = await start();
    expect(await act(session(), { operation: 'restart', address: `Site/${SHOP}` }, yes)).toMatchObject({
      outcome: 'done',
      message: matching(/task \d+ site.restart OK/),
    });
    expect([shop.restarts.cms, writes()]).toEqual([1, ['POST /api/sites/site-shop']]);
  });

  it('TSK-02: a task that fails is an error, one that goes on is for later', async () => {
    const { session, sandbox } = await start();
    sandbox.state.taskFates.push({ status: 'FAILED' }, { status: 'PENDING' });
    expect(await act(session(), { operation: 'restart', address: `Site/${SHOP}` }, yes)).toMatchObject({
      outcome: 'error',
      diagnostics: [{ code: 'HW4501', detail: containing('FAILED') }],
    });
    expect(await act(session(), { operation: 'restart', address: `Site/${SHOP}` }, yes)).toMatchObject({
      outcome: 'waiting',
      message: containing('PENDING'),
    });
  });

  it('stops waiting when it is told to, and when it is told at the question', async () => {
    const { session, sandbox } = await start();
    sandbox.state.taskFates.push({ status: 'PENDING' });
    const stop = new AbortController();
    const emit = (): void => stop.abort();
    expect(
      await act(
        session({ stop: stop.signal, emit: (event) => event.type === 'waiting' && emit() }),
        { operation: 'restart', address: `Site/${SHOP}` },
        yes,
      ),
    ).toMatchObject({ outcome: 'interrupted', diagnostics: [{ code: 'HW4506' }] });
    const other = new AbortController();
    expect(
      (
        await act(session({ stop: other.signal }), { operation: 'purge', address: `Site/${SHOP}` }, () => {
          other.abort();
          return no();
        })
      ).outcome,
    ).toBe('interrupted');
  });
});

describe('a command that cannot follow what it sent', () => {
  it('says that it was sent and goes on, and sends nothing more', async () => {
    const { session, sandbox, writes } = await start();
    const ended = await act(session(), { operation: 'restart', address: `Site/${SHOP}` }, () => {
      sandbox.setFaults([{ kind: 'status-before', status: 500, match: { method: 'GET' } }]);
      return yes();
    });
    expect([ended.outcome, ended.message, writes().length]).toEqual(['waiting', containing('waited 900 s'), 1]);
  });
});

describe('purge', () => {
  it('CDN-10: the whole zone is empty when it answers', async () => {
    const { session, shop } = await start();
    expect(await act(session(), { operation: 'purge', address: `Site/${SHOP}` }, yes)).toMatchObject({
      outcome: 'done',
      message: containing('is empty'),
    });
    expect(shop.cdn.purges).toBe(1);
  });

  it('CCH-04: a layer is purged, never disabled, and waited for', async () => {
    const { session, shop, sandbox } = await start();
    expect((await act(session(), { operation: 'purge', address: `Site/${SHOP}`, layer: 'nginx' }, yes)).outcome).toBe(
      'done',
    );
    expect(shop.layers.nginx).toMatchObject({ on: true, purges: 1 });
    sandbox.state.taskFates.push({ status: 'FAILED' }, { status: 'PAUSED' });
    expect((await act(session(), { operation: 'purge', address: `Site/${SHOP}`, layer: 'all' }, yes)).outcome).toBe(
      'error',
    );
    expect((await act(session(), { operation: 'purge', address: `Site/${SHOP}`, layer: 'cdn' }, yes)).outcome).toBe(
      'waiting',
    );
    expect(await act(session(), { operation: 'purge', address: `Site/${SHOP}`, layer: 'redis' }, yes)).toMatchObject({
      outcome: 'waiting',
      diagnostics: [{ code: 'HW4503', detail: containing('cache_type_unavailable') }],
    });
  });

  it.each(['bare', 'wrapped'])('GAP-14 = %s: the task is read', async (value) => {
    const { session } = await start({ ambiguities: { 'GAP-14': value } });
    expect((await act(session(), { operation: 'purge', address: `Site/${SHOP}`, layer: 'nginx' }, yes)).outcome).toBe(
      'done',
    );
  });
});

describe('backup', () => {
  const names = (shop: Site) => shop.volumes.map(({ label, archives }) => [label, archives.map(({ name }) => name)]);

  it('BKP-05: is there when its archives are listed, one a volume', async () => {
    const { session, shop, sandbox } = await start();
    const made = await act(session(), { operation: 'backup', address: 'Site/my-shop' }, yes);
    expect(made).toMatchObject({
      outcome: 'done',
      backup: { name: 'hostwright-2026-01-15T09-00-00Z-run-1', volumes: ['content', 'database'] },
    });
    expect(names(shop)).toEqual([
      ['content', ['nightly', made.backup?.name]],
      ['database', [made.backup?.name]],
    ]);
    expect([...sandbox.creations.values()]).toEqual([1, 1]);
  });

  it('takes a volume and a name, and refuses a name that is taken before anything is sent', async () => {
    const { session, shop, writes } = await start();
    expect(
      (await act(session(), { operation: 'backup', address: `Site/${SHOP}`, volume: 'database', name: 'before' }, yes))
        .outcome,
    ).toBe('done');
    expect(names(shop)[1]).toEqual(['database', ['before']]);
    const sent = writes().length;
    expect(await act(session(), { operation: 'backup', address: `Site/${SHOP}`, name: 'nightly' }, yes)).toMatchObject({
      outcome: 'error',
      diagnostics: [{ code: 'HW4504', detail: containing('already') }],
    });
    expect(
      (await act(session(), { operation: 'backup', address: `Site/${SHOP}`, volume: 'databse' }, yes)).diagnostics[0]
        ?.detail,
    ).toContain('Did you mean `database`');
    shop.volumes = [];
    expect((await act(session(), { operation: 'backup', address: `Site/${SHOP}` }, yes)).diagnostics[0]?.detail).toBe(
      'The site has no volumes.',
    );
    expect(writes()).toHaveLength(sent);
  });

  it('a volume that is refused after another was accepted: both are told', async () => {
    const { session } = await start({
      faults: [{ kind: 'status-before', status: 422, match: { path: '*/backups/12' } }],
    });
    expect((await act(session(), { operation: 'backup', address: `Site/${SHOP}` }, yes)).diagnostics).toMatchObject([
      { code: 'HW4501', detail: containing('Before that was accepted: back up content') },
    ]);
  });

  it('a task that failed is told, one that never ends is for later', async () => {
    const { session, sandbox } = await start();
    sandbox.state.taskFates.push({ status: 'CANCELLED' }, { status: 'RUNNING' });
    expect(
      await act(session(), { operation: 'backup', address: `Site/${SHOP}`, volume: 'content' }, yes),
    ).toMatchObject({
      outcome: 'error',
      diagnostics: [{ detail: containing('CANCELLED') }],
    });
    expect(
      (await act(session(), { operation: 'backup', address: `Site/${SHOP}`, volume: 'content' }, yes)).outcome,
    ).toBe('waiting');
  });
});

describe('logins', () => {
  it('creates a URL for a CMS user or for the database [CNV-34]', async () => {
    const { session, shop, events } = await start();
    const { login } = await act(session(), { operation: 'sso', address: `Site/${SHOP}`, user: 'editor' }, yes);
    expect(login?.url).toMatch(/token=/);
    expect((await act(session(), { operation: 'sso-database', address: `Site/${SHOP}` }, yes)).outcome).toBe('done');
    expect(shop.traffic.logins).toBe(2);
    expect(JSON.stringify(events)).not.toContain('token=');
    expect((await act(session(), { operation: 'sso', address: `Site/${SHOP}` }, yes)).diagnostics[0]?.detail).toContain(
      '`admin` and `editor`',
    );
    expect(
      (await act(session(), { operation: 'sso', address: `Site/${SHOP}`, user: 'editr' }, yes)).diagnostics[0]?.detail,
    ).toContain('Did you mean `editor`');
    shop.traffic.cmsUsers.pop();
    expect((await act(session(), { operation: 'sso', address: `Site/${SHOP}` }, yes)).outcome).toBe('done');
    shop.traffic.cmsUsers.pop();
    expect((await act(session(), { operation: 'sso', address: `Site/${SHOP}` }, yes)).diagnostics[0]?.detail).toContain(
      'The CMS has none',
    );
  });
});

describe('mail', () => {
  it('of a site without an account is an error', async () => {
    const { session } = await start();
    for (const one of [
      await act(session(), { operation: 'check-mail', address: 'Site/id:site-blog' }, yes),
      await act(session(), { operation: 'unblock-mail', address: 'Site/id:site-blog' }, yes),
    ])
      expect(codes(one)).toEqual(['HW4505']);
  });

  it('TML-20: lifts a block that may be lifted', async () => {
    const { session, mail, writes } = await start();
    mail.suspension = { abuse: true, system: false, reason: 'complaints', suspendedAt: 0 };
    const { asked, confirm } = asking();
    expect((await act(session(), { operation: 'unblock-mail', address: `Site/${SHOP}` }, confirm)).outcome).toBe(
      'done',
    );
    expect(asked).toEqual([containing('(complaints)? It can be done 2 more')]);
    expect(await act(session(), { operation: 'unblock-mail', address: `Site/${SHOP}` }, yes)).toMatchObject({
      outcome: 'done',
      message: containing('not suspended'),
    });
    expect(writes()).toHaveLength(1);
  });

  it('TML-21: reads first, and does not send what would be refused', async () => {
    const { session, mail, writes, sandbox } = await start();
    mail.suspension = { abuse: true, system: true, reason: null, suspendedAt: sandbox.clock.now() };
    expect(await act(session(), { operation: 'unblock-mail', address: `Site/${SHOP}` }, yes)).toMatchObject({
      outcome: 'waiting',
      diagnostics: [{ code: 'HW4503', detail: containing('by the platform itself') }],
    });
    mail.suspension.system = false;
    mail.unblocks = [sandbox.clock.now(), sandbox.clock.now()];
    expect(
      (await act(session(), { operation: 'unblock-mail', address: `Site/${SHOP}` }, yes)).diagnostics[0]?.detail,
    ).toContain('used up');
    expect(writes()).toEqual([]);
  });

  it.each(['refuses', 'race'] as const)(
    'TML-22: a lifting that fails (%s) is read again and never repeated',
    async (onUnblock) => {
      const { session, mail, writes } = await start();
      mail.suspension.abuse = true;
      mail.onUnblock = onUnblock;
      expect(await act(session(), { operation: 'unblock-mail', address: `Site/${SHOP}` }, yes)).toMatchObject({
        outcome: 'waiting',
        diagnostics: [{ code: 'HW4502', detail: containing('do not repeat') }],
      });
      expect(writes()).toHaveLength(1);
    },
  );

  it('TML-23: a check is waited for, and its verdict decides the exit code', async () => {
    const { session, mail, sandbox } = await start();
    expect(await act(session(), { operation: 'check-mail', address: `Site/${SHOP}` }, yes)).toMatchObject({
      outcome: 'done',
      message: containing('is verified'),
    });
    sandbox.clock.advance(600_000);
    mail.published.dkim = false;
    expect(await act(session(), { operation: 'check-mail', address: `Site/${SHOP}` }, yes)).toMatchObject({
      outcome: 'waiting',
      message: containing('(failed)'),
      mail: { dns: { dkim_verified: false } },
    });
  });

  it('TML-24: says when another check is possible, and sends none before', async () => {
    const { session, mail, sandbox, writes } = await start();
    await act(session(), { operation: 'check-mail', address: `Site/${SHOP}` }, yes);
    expect(await act(session(), { operation: 'check-mail', address: `Site/${SHOP}` }, yes)).toMatchObject({
      outcome: 'waiting',
      diagnostics: [{ code: 'HW4503', detail: matching(/possible from 2026-01-15T09:05/) }],
    });
    expect(writes()).toHaveLength(1);
    sandbox.clock.advance(600_000);
    mail.lastCheckAt = sandbox.clock.now();
    expect(await act(session(), { operation: 'check-mail', address: `Site/${SHOP}` }, yes)).toMatchObject({
      outcome: 'waiting',
      diagnostics: [{ detail: containing('perhaps in the dashboard') }],
    });
    expect(writes()).toHaveLength(2);
  });
});

describe('logs', () => {
  async function read(one: Harness, options: Partial<LogOptions> = {}) {
    const entries: Json[] = [];
    const pages: number[] = [];
    const result = await readTraffic(one.session(), SHOP, {
      read: 'log',
      log: 'access',
      sinceMs: 86_400_000,
      limit: 100_000,
      filters: {},
      ...options,
      take: (page) => {
        entries.push(...page);
        pages.push(page.length);
      },
    });
    return { ...result, entries, pages };
  }

  it.each(['wrapped', 'bare', 'upstream'])(
    'GAP-61 = %s: the access log comes page by page, each entry once, over more than three days',
    async (value) => {
      const one = await start({ ambiguities: { 'GAP-61': value } });
      const now = one.sandbox.clock.now();
      one.shop.traffic.cdnLog = Array.from({ length: 2_500 }, (_, index) =>
        logEntry(now - index * 300_000, { url: `https://shop.example.com/${index}` }),
      );
      const all = await read(one, { sinceMs: 2_500 * 300_000 });
      expect(all).toMatchObject({ outcome: 'done', read: { entries: 2_500, more: false } });
      expect(new Set(all.entries.map((entry) => (entry as { url: string }).url)).size).toBe(2_500);
      expect(await read(one, { limit: 7 })).toMatchObject({ pages: [7], read: { entries: 7, more: true } });
      expect((await read(one, { filters: { url_contains: '/17' } })).entries.length).toBeGreaterThan(0);
    },
  );

  it('LIM-08: a page of more than a thousand is asked for as several', async () => {
    const one = await start();
    const now = one.sandbox.clock.now();
    one.shop.traffic.cdnLog = Array.from({ length: 2_001 }, (_, index) => logEntry(now - index));
    expect((await read(one)).pages).toEqual([1_000, 1_000, 1]);
  });

  it.each(['25', '3'])(
    'MET-06 with pages of %s: the mail log is followed by its cursor through pages that are empty',
    async (size) => {
      const one = await start({ ambiguities: { 'GAP-34.page': size } });
      const now = one.sandbox.clock.now();
      one.mail.messages = Array.from({ length: 100 }, (_, index) =>
        mailMessage({ rcpt: `${index}@customer.example`, sentAt: now - index, relay: index < 60 }),
      );
      expect((await read(one, { log: 'mail' })).entries).toHaveLength(40);
      expect((await read(one, { log: 'mail', filters: { rcpt: '99@customer.example' } })).entries).toHaveLength(1);
    },
  );

  it('MET-06: ends where the cursor does, though the platform names a next page', async () => {
    const one = await start();
    one.mail.messages = Array.from({ length: 10_100 }, (_, index) =>
      mailMessage({ rcpt: 'a@b.example', sentAt: one.sandbox.clock.now() - index }),
    );
    const { entries, outcome } = await read(one, { log: 'mail' });
    expect([outcome, entries.length]).toEqual(['done', 10_025]);
  });

  it.each(['lines', 'text'])('GAP-61.origin = %s: the log of the origin is lines', async (value) => {
    const one = await start({ ambiguities: { 'GAP-61.origin': value } });
    expect((await read(one, { log: 'origin' })).entries).toEqual(['2026-01-14 php notice', '2026-01-15 php warning']);
    expect((await read(one, { log: 'origin', filters: { date: '2026-01-15' } })).entries).toHaveLength(1);
  });

  it('GAP-61: a log that is followed shows the newest entries, the oldest first, and each later one once, late ones too', async () => {
    const one = await start();
    const now = one.sandbox.clock.now();
    const entry = (at: number, name: string) => logEntry(at, { url: `https://shop.example.com/${name}` });
    const log = (one.shop.traffic.cdnLog = ['c', 'b', 'a'].map((name, index) => entry(now - index * 1_000, name)));
    const stop = new AbortController();
    const shown: (readonly string[])[] = [];
    let sleeps = 0;
    const clock = {
      now: () => one.sandbox.clock.now(),
      sleep: async (durationMs: number) => {
        await one.sandbox.clock.sleep(durationMs);
        sleeps += 1;
        // The second has the time of one that was shown before; the third is the same request once more.
        if (sleeps === 1) log.unshift(entry(now + 2_000, 'd'), entry(now - 500, 'late'), entry(now, 'c'));
        if (sleeps === 3) stop.abort();
      },
    };
    const { outcome } = await readTraffic(one.session({ clock, stop: stop.signal }), SHOP, {
      read: 'new-entries',
      log: 'access',
      sinceMs: 3_600_000,
      limit: 2,
      filters: {},
      take: (entries) => shown.push(entries.map((one) => (one as { url: string }).url.slice(-1))),
    });
    expect(outcome).toBe('interrupted');
    expect(shown).toHaveLength(2);
    expect(shown[0]).toEqual(['b', 'c']);
    expect([...(shown[1] ?? [])].sort()).toEqual(['c', 'd', 'e']);
  });

  it('stops between pages when it is told to, and says what the platform refuses', async () => {
    const one = await start();
    const stop = new AbortController();
    stop.abort();
    expect(
      (
        await readTraffic(one.session({ stop: stop.signal }), SHOP, {
          read: 'log',
          log: 'access',
          sinceMs: 1,
          limit: 1,
          filters: {},
          take: () => undefined,
        })
      ).outcome,
    ).toBe('interrupted');
    one.shop.cdn.zone = 'none';
    expect((await read(one)).diagnostics).toMatchObject([
      { code: 'HW4501', detail: matching(/^The CDN of the site is not active, .*cdn_not_active/) },
    ]);
  });

  it('takes no answer of another shape', async () => {
    const one = await start({ faults: [{ kind: 'not-a-list', match: { path: '*/logs*' } }] });
    for (const log of ['access', 'mail', 'origin'] as const) expect((await read(one, { log })).outcome).toBe('error');
  });
});

describe('metrics', () => {
  it('are passed through as the platform answers', async () => {
    const { session } = await start();
    const read = async (metric: MetricName, sinceMs = 86_400_000) =>
      (await readTraffic(session(), SHOP, { read: 'metrics', metric, sinceMs }))[metric] as Record<string, unknown>;
    expect(Object.keys((await read('cdn')).RequestsServedChart as object)).toHaveLength(25);
    expect(Object.keys((await read('cdn', 30 * 86_400_000)).RequestsServedChart as object)).toHaveLength(30);
    expect(Object.keys(await read('resources'))).toEqual(['cms', 'database', 'redis']);
    expect(await read('now')).toHaveProperty('total_storage');
    expect(await read('mail', 365 * 86_400_000)).toMatchObject({ days: 90 });
    expect(await read('shield')).toHaveProperty('waf');
  });

  it('CNV-31: a POST that only reads is asked again, a few times', async () => {
    const { session, sandbox, writes } = await start();
    sandbox.setFaults([{ kind: 'status-before', status: 502, at: 2 }]);
    expect((await readTraffic(session(), SHOP, { read: 'metrics', metric: 'cdn', sinceMs: 60_000 })).outcome).toBe(
      'done',
    );
    expect(writes()).toHaveLength(2);
    sandbox.setFaults([{ kind: 'status-before', status: 502, match: { method: 'POST' } }]);
    expect((await readTraffic(session(), SHOP, { read: 'metrics', metric: 'cdn', sinceMs: 60_000 })).outcome).toBe(
      'error',
    );
    expect(writes()).toHaveLength(10);
  });
});
