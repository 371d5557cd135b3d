// Conformance of metrics, logs and single sign-on.
import assert from 'node:assert/strict';
import { oauthToken } from '../../../src/sandbox/core/http/credentials.ts';
import { mailMessage } from '../../../src/sandbox/site/mail/state.ts';
import { logEntry } from '../../../src/sandbox/core/traffic-state.ts';
import { answered, casesIn, gapsIn, keysOf, refused } from '../context.ts';
import type { Client, ConformanceCase } from '../context.ts';

const SHOP = '/api/sites/site-shop';
const LOG = `${SHOP}/logs/cdn`;
const MAIL_LOG = `${SHOP}/mail/logs`;
const DAY_S = 86_400;

const seconds = (client: Client): number => Math.floor(client.sandbox.clock.now() / 1_000);
const daysAgo = (client: Client, days: number): string =>
  encodeURIComponent(new Date(client.sandbox.clock.now() - days * DAY_S * 1_000).toISOString());
const cdn = (client: Client, step: string, options = {}) =>
  client.call('POST', `${SHOP}/metrics/cdn`, { period_start: seconds(client) - 6 * 3_600, step }, options);
const resources = (client: Client, body: object) =>
  client.call('POST', `${SHOP}/metrics/resources`, {
    kind: ['cpu', 'storage'],
    period_start: seconds(client) - 600,
    period_end: seconds(client),
    ...body,
  });

const metricCases = casesIn('small', {
  'CNV-31/metrics: the POSTs of metrics take the read scope': async (client) => {
    answered(await cdn(client, 'hourly', { token: oauthToken(['sites:read']) }), 200);
  },
  'MET-01: realtime resources are a total, and each container by its image': async (client) => {
    const reply = await client.get(`${SHOP}/metrics/resources`);
    assert.equal(typeof reply.at('total_storage'), 'number');
    assert.deepEqual(keysOf(reply.at('cms-php')), ['cpu', 'memory', 'storage']);
  },
  'MET-02: a service has the kinds that were asked for, in steps': async (client) => {
    const reply = await resources(client, {});
    assert.deepEqual(
      [keysOf(reply.at('cms')), keysOf(reply.at('cms', 'resources'))],
      [
        ['id', 'image', 'name', 'resources'],
        ['cpu', 'storage'],
      ],
    );
    assert.equal((reply.at('cms', 'resources', 'cpu') as unknown[]).length, 11);
    assert.equal(((await resources(client, { step: '5m' })).at('cms', 'resources', 'cpu') as unknown[]).length, 3);
    for (const bad of [
      { kind: ['disk'] },
      { kind: [] },
      { step: 'x' },
      { period_end: 0 },
      { period_start: 0 },
      { extra: 1 },
    ])
      answered(await resources(client, bad), 422);
    answered(await client.call('POST', `${SHOP}/metrics/resources`), 422);
  },
  'MET-02/storage: storage is one number': async (client) => {
    assert.equal(typeof (await resources(client, {})).at('cms', 'resources', 'storage'), 'number');
  },
  'MET-03: hourly from a start, or the past month by day': async (client) => {
    const points = (reply: Awaited<ReturnType<typeof cdn>>): number => keysOf(reply.at('RequestsServedChart')).length;
    assert.equal(points(await cdn(client, 'hourly')), 7);
    assert.equal(points(await cdn(client, 'monthly')), 30);
    answered(await cdn(client, 'weekly'), 422);
    answered(await client.call('POST', `${SHOP}/metrics/cdn`, { step: 'hourly' }), 422);
    answered(await client.call('POST', `${SHOP}/metrics/cdn`), 422);
    answered(await client.call('POST', `${SHOP}/metrics/cdn`, { period_start: 0, step: 'hourly', extra: 1 }), 422);
  },
  'MET-04: Shield metrics are series, and 409 where there are none': async (client) => {
    const reply = await client.get(`${SHOP}/metrics/shield`);
    assert.deepEqual(reply.column('ddos', 'name'), ['blocked', 'challenged', 'logged', 'verified']);
    assert.deepEqual(reply.at('waf', 0, 'data', 0), { x: '2026-01-14', y: 7 });
    assert.equal((await client.get(`${SHOP}/metrics/shield/overview`)).column(null, 'name').length, 2);
    refused(await client.get('/api/sites/site-docs/metrics/shield'), 409, 'shield_not_active');
    refused(await client.get('/api/sites/site-docs/metrics/shield/overview'), 409, 'shield_not_active');
  },
  'LIM-08/shield: Shield metrics end 28 days ago': async (client) => {
    assert.equal(((await client.get(`${SHOP}/metrics/shield`)).at('waf', 0, 'data') as unknown[]).length, 1);
  },
  'MET-08: days is 30 by itself, ten when it says 010, and refused when it is no number': async (client) => {
    const days = async (text: string): Promise<unknown> =>
      (await client.get(`${SHOP}/mail/metrics?days=${text}`)).at('days');
    assert.deepEqual([await days(''), await days('010'), await days('7')], [30, 10, 7]);
    refused(await client.get(`${SHOP}/mail/metrics?days=week`), 400, 'invalid_days');
  },
  'MET-08/limits: days is clamped, and usage counts on': async (client) => {
    client.sandbox.state.sites
      .get('site-shop')
      ?.mail?.messages.push(
        mailMessage({ rcpt: 'a@b.example', sentAt: client.sandbox.clock.now() - 80 * DAY_S * 1_000 }),
      );
    const month = await client.get(`${SHOP}/mail/metrics`);
    assert.deepEqual([Object.keys(month.at('volume') as object).length, month.at('usage', 'sent')], [1, 4]);
    assert.equal((await client.get(`${SHOP}/mail/metrics?days=365`)).at('days'), 90);
    assert.equal((await client.get(`${SHOP}/mail/metrics?days=-5`)).at('days'), 1);
  },
  'MET-09: five totals, twelve charts, one map of regions': async (client) => {
    const reply = await cdn(client, 'hourly');
    const keys = keysOf(reply.at());
    assert.deepEqual([keys.length, keys.filter((key) => key.endsWith('Chart')).length], [18, 12]);
    assert.deepEqual(Object.values(reply.at('CacheHitRateChart') as object).every(Number.isInteger), true);
    assert.equal(typeof reply.at('TotalRequestsServed'), 'number');
  },
});

const urls = async (client: Client, query: string): Promise<readonly unknown[]> =>
  (await client.get(`${LOG}?${query}`)).column('logs', 'url').map((url) => new URL(String(url)).pathname);

const accessLogCases = casesIn('small', {
  'MET-05: filters of the log and of its summary': async (client, start) => {
    assert.deepEqual(await urls(client, 'status=404'), ['/old/17']);
    assert.deepEqual(await urls(client, 'cache_status=miss&country=nl'), ['/cart']);
    assert.deepEqual(await urls(client, 'url_contains=/old'), ['/old/17']);
    assert.equal((await client.get(`${LOG}/summary?status=200`)).at('requests'), 2);
    assert.equal((await client.get(`${SHOP}/logs/origin?date=2026-01-15`)).at('logs', 0), '2026-01-15 php warning');
    const guards = await start({ scenario: 'guards' });
    for (const path of ['cdn', 'cdn/summary', 'origin'])
      refused(await guards.get(`/api/sites/site-no-cdn/logs/${path}`), 409, 'cdn_not_active');
  },
  'MET-05/period: a day by itself, a period where it is asked for, dates before both': async (client) => {
    const count = async (query: string): Promise<number> => (await urls(client, query)).length;
    assert.deepEqual([await count(''), await count('period=72h'), await count('period=1h')], [3, 4, 3]);
    assert.equal(await count(`from=${daysAgo(client, 2)}&period=1h`), 4);
    assert.equal(await count(`to=${daysAgo(client, 0.5)}`), 0);
  },
  'MET-05/order: newest first, or oldest': async (client) => {
    const first = async (query: string): Promise<unknown> => (await client.get(`${LOG}?${query}`)).at('logs', 0, 'url');
    assert.deepEqual(
      [await first(''), await first('order=asc')],
      ['https://shop.example.com/cart', 'https://shop.example.com/'],
    );
  },
  'MET-05/range: what is no period and no range': async (client) => {
    for (const path of [LOG, `${LOG}/summary`]) {
      refused(await client.get(`${path}?period=2h`), 422, 'invalid_period');
      refused(await client.get(`${path}?from=yesterday`), 422, 'invalid_range');
      refused(await client.get(`${path}?from=${daysAgo(client, 1)}&to=${daysAgo(client, 2)}`), 422, 'invalid_range');
    }
  },
  'MET-05/limit: a hundred entries, then the next hundred': async (client) => {
    fillLog(client, 150);
    const count = async (query: string): Promise<number> => (await urls(client, query)).length;
    assert.deepEqual([await count(''), await count('offset=100'), await count('limit=7')], [100, 53, 7]);
  },
  'LIM-08: three days, a thousand entries': async (client) => {
    fillLog(client, 1_100);
    assert.equal((await urls(client, 'limit=5000')).length, 1_000);
    refused(await client.get(`${LOG}?from=${daysAgo(client, 4)}`), 422, 'range_exceeds_3_days');
    answered(await client.get(`${LOG}?from=${daysAgo(client, 3)}`), 200);
  },
});

function fillLog(client: Client, count: number): void {
  const log = client.sandbox.state.sites.get('site-shop')?.traffic.cdnLog;
  for (let number = 0; number < count; number += 1) log?.push(logEntry(client.sandbox.clock.now() - number));
}

const recipients = async (client: Client, query: string): Promise<readonly unknown[]> =>
  (await client.get(`${MAIL_LOG}?${query}`)).column('messages', 'rcpt');

const mailLogCases = casesIn('small', {
  'MET-06: filters by recipient, sender, part of a subject, and whole days': async (client) => {
    assert.deepEqual(await recipients(client, 'subject=ORDER%201'), ['ada@customer.example', 'bob@customer.example']);
    assert.deepEqual(await recipients(client, 'rcpt=bob@customer.example&sender=noreply@shop.example.com'), [
      'bob@customer.example',
    ]);
    assert.equal((await recipients(client, 'start_date=2026-01-15&end_date=2026-01-15')).length, 3);
    assert.equal((await recipients(client, 'end_date=2026-01-14')).length, 0);
    const keys = keysOf((await client.get(MAIL_LOG)).at('messages', 0));
    assert.deepEqual(keys, [
      'delivered',
      'rcpt',
      'rspcode',
      'rspmsg',
      'sender',
      'spam_disposition',
      'subject',
      'timestamp',
    ]);
  },
  'MET-06/cursor: next_start_at leads through, page does not': async (_client, start) => {
    const client = await start({ ambiguities: { 'GAP-34.page': '3' } });
    const second = await client.get(`${MAIL_LOG}?start_at=3&page=9&per_page=1`);
    assert.deepEqual(
      [second.at('start_at'), second.at('page_count'), second.at('next_start_at'), second.at('prev_start_at')],
      [3, 1, null, 0],
    );
    assert.equal((await client.get(`${MAIL_LOG}?page=2`)).at('start_at'), 0);
  },
  'MET-06/relay: a page is shorter than it was fetched, and may be empty though more follows': async (
    _client,
    start,
  ) => {
    const client = await start({ ambiguities: { 'GAP-34.page': '3' } });
    const first = await client.get(MAIL_LOG);
    assert.deepEqual(
      [first.column('messages', 'rcpt').length, first.at('page_count'), first.at('total'), first.at('next_start_at')],
      [2, 3, 4, 3],
    );
    const messages = client.sandbox.state.sites.get('site-shop')?.mail?.messages ?? [];
    for (const message of messages.slice(1)) message.relay = true;
    const empty = await client.get(MAIL_LOG);
    assert.deepEqual([empty.column('messages', 'rcpt').length, empty.at('next_start_at')], [0, 3]);
  },
  'MET-06/delivered: Y and N in any case; what is neither counts for nothing': async (client) => {
    assert.deepEqual(await recipients(client, 'delivered=n'), ['bob@customer.example']);
    assert.deepEqual(await recipients(client, 'delivered=Y'), ['ada@customer.example', 'ada@customer.example']);
    assert.equal((await recipients(client, 'delivered=maybe')).length, 3);
  },
  'MET-07: delivered is true, or a letter': async (client) => {
    assert.deepEqual((await client.get(MAIL_LOG)).column('messages', 'delivered').map(String).sort(), [
      'N',
      'Y',
      'true',
    ]);
  },
  'MET-07/search: a search that fails is a 502, not an empty list': async (client) => {
    await client.call('PATCH', '/_sandbox/sites/site-shop/mail', { logSearchDown: true });
    refused(await client.get(MAIL_LOG), 502, 'log_search_failed');
  },
  'LIM-08/cursor: the cursor ends at ten thousand, and names a next page all the same': async (client) => {
    const messages = client.sandbox.state.sites.get('site-shop')?.mail?.messages ?? [];
    for (let number = 0; number < 10_050; number += 1)
      messages.push(mailMessage({ rcpt: 'a@b.example', sentAt: number }));
    const last = await client.get(`${MAIL_LOG}?start_at=20000`);
    assert.deepEqual([last.at('start_at'), last.at('next_start_at')], [10_000, 10_025]);
    assert.equal((await client.get(`${MAIL_LOG}?start_at=-5`)).at('start_at'), 0);
  },
});

const login = (client: Client, body: unknown) => client.call('POST', `${SHOP}/sso`, body);

const loginCases = casesIn('small', {
  'CNV-34: CMS users as the CMS has them': async (client) => {
    const reply = await client.get(`${SHOP}/sso`);
    assert.deepEqual(keysOf(reply.at('users', 0)), [
      'ID',
      'display_name',
      'roles',
      'url',
      'user_email',
      'user_login',
      'user_registered',
    ]);
    assert.deepEqual(reply.column('users', 'ID'), [1, 7]);
  },
  'CNV-34/login: each POST mints another URL': async (client) => {
    const first = (await login(client, { kind: 'cms', username: 'editor' })).at('url');
    assert.match(String(first), /^https:/);
    assert.notEqual((await login(client, { kind: 'cms', username: 'editor' })).at('url'), first);
    for (const bad of [{}, { kind: 'ssh' }, { kind: 'cms', username: 'nobody' }, { kind: 'database', user: 'x' }])
      answered(await login(client, bad), 422);
    answered(await client.call('POST', `${SHOP}/sso`), 422);
  },
  'CNV-34/database: the database takes any user name, or none': async (client) => {
    answered(await login(client, { kind: 'database' }), 200);
    answered(await login(client, { kind: 'database', username: 'nobody' }), 200);
  },
});

const gapCases = gapsIn('small', {
  'GAP-61: how access log entries are wrapped': [
    { wrapped: [3, -1, -1], bare: [-1, 3, -1], upstream: [-1, -1, 3] },
    async (client) => {
      const reply = await client.get(LOG);
      return [reply.at('logs'), reply.at(), reply.at('data')].map((rows) => (Array.isArray(rows) ? rows.length : -1));
    },
  ],
  'GAP-61.origin: the log of the origin': [
    { lines: 'object', text: 'string' },
    async (client) => typeof (await client.get(`${SHOP}/logs/origin`)).at('logs'),
  ],
});

export const trafficCases: readonly ConformanceCase[] = [
  ...metricCases,
  ...accessLogCases,
  ...mailLogCases,
  ...loginCases,
  ...gapCases,
];
