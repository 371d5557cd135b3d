// A small agency: `shop` with two domains `docs` with one, `blog` with none, and somebody else's
// site in reach.
import { EPOCH_MS } from '../core/clock.ts';
import { addDomain, addSite, addTask } from '../core/state.ts';
import type { Site, State } from '../core/state.ts';
import { logEntry } from '../core/traffic-state.ts';

export function small(state: State): void {
  const shop = addSite(state, {
    id: 'site-shop',
    accountId: 'acc-acme',
    name: 'shop',
    term: 'annual',
    phpVersion: '8.2',
  });
  addDomain(state, shop, {
    id: 'dom-shop',
    hostname: 'shop.example.com',
    method: 'dns',
    records: [{ id: 'rec-shop', recordType: 0, name: '@', value: '192.0.2.10', ttl: 300 }],
  });
  addDomain(state, shop, { id: 'dom-www-shop', hostname: 'www.shop.example.com' });
  shopTraffic(shop);
  addSite(state, { id: 'site-blog', accountId: 'acc-acme', name: 'blog', package: 'mini' });
  const docs = addSite(state, { id: 'site-docs', accountId: 'acc-acme', name: 'docs', package: 'mini' });
  addDomain(state, docs, { id: 'dom-docs', hostname: 'docs.example.com' });
  const foreign = addSite(state, { id: 'site-foreign', accountId: 'acc-other', name: 'foreign' });
  addDomain(state, foreign, { id: 'dom-foreign', hostname: 'www.example.org' });
  // Rob may change the docs, but not delete anything there, and does not get into the shop at all.
  const roles = state.users.get('user-rob')?.siteRoles;
  roles?.set('site-docs', 'modify').set('site-shop', 'none');
  addTask(state, {
    id: 501,
    siteId: 'site-shop',
    name: 'site.created',
    createdAt: EPOCH_MS - 3 * 86_400_000,
    status: 'OK',
    startOn: EPOCH_MS,
  });
}

/** An hour of requests. */
function shopTraffic(shop: Site): void {
  const minutesAgo = (minutes: number): number => EPOCH_MS - minutes * 60_000;
  shop.traffic.cdnLog.push(
    logEntry(minutesAgo(55)),
    logEntry(minutesAgo(35), {
      status: 404,
      cacheStatus: 'MISS',
      country: 'BE',
      url: 'https://shop.example.com/old/17',
    }),
    logEntry(minutesAgo(5), { cacheStatus: 'MISS', url: 'https://shop.example.com/cart', bytes: 4_096 }),
    logEntry(minutesAgo(60 * 30), { country: 'US' }),
  );
  shop.traffic.originLog.push('2026-01-14 php notice', '2026-01-15 php warning');
  shop.traffic.shieldCounts = {
    ddos: { '2026-01-14': 3 },
    bots: { '2026-01-14': 5 },
    waf: { '2025-12-01': 9, '2026-01-14': 7 },
  };
  shop.traffic.cmsUsers.push({
    id: 7,
    login: 'editor',
    displayName: 'Ed Itor',
    email: 'ed@acme.example',
    roles: 'editor',
  });
}
