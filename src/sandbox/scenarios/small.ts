// A small agency: `shop` with two domains and its caching set, `docs` with one, `blog` with none, and somebody else's
// site in reach.
import { EPOCH_MS } from '../core/clock.ts';
import { mailAccount, mailMessage, verifiedAccount } from '../site/mail/state.ts';
import { SYSTEM_PREFIX, addEdgeRule } from '../site/state.ts';
import { addDomain, addSite, addTask } from '../core/state.ts';
import type { Site, State } from '../core/state.ts';
import { logEntry } from '../site/traffic-state.ts';
import { empty } from './empty.ts';

export function small(): State {
  const state = empty();
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
  Object.assign(shop.cdn.caching, {
    smart_cache: true,
    cache_expiration: 3600,
    vary_cookie: true,
    cookie_vary_parameters: ['currency'],
  });
  shop.layers.nginx.on = true;
  shop.volumes[0]?.archives.push({ id: 'arch-nightly', name: 'nightly', createdAt: EPOCH_MS - 86_400_000 });
  shopEdgeRules(shop);
  shopTraffic(shop);
  addSite(state, { id: 'site-blog', accountId: 'acc-acme', name: 'blog', package: 'mini', mail: null });
  const docs = addSite(state, { id: 'site-docs', accountId: 'acc-acme', name: 'docs', package: 'mini' });
  addDomain(state, docs, { id: 'dom-docs', hostname: 'docs.example.com' });
  docs.mail = mailAccount(EPOCH_MS, { status: 'pending' });
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
  return state;
}

/** Order indexes with a hole (the platform's own rule) and a tie, and an action that cannot be written. */
function shopEdgeRules(shop: Site): void {
  const onUrl = (...PatternMatches: string[]) => ({
    Type: 0,
    PatternMatchingType: 0,
    Parameter1: null,
    PatternMatches,
  });
  addEdgeRule(shop, {
    Guid: 'edge-force-ssl',
    ActionType: 0,
    Description: 'force ssl',
    OrderIndex: 1,
    Triggers: [onUrl('*')],
  });
  addEdgeRule(shop, {
    Guid: 'edge-old-shop',
    ActionType: 1,
    ActionParameter1: 'https://shop.example.com/',
    ActionParameter2: '301',
    Description: 'old shop',
    OrderIndex: 3,
    Triggers: [onUrl('*/old/*', '*/classic/*')],
  });
  addEdgeRule(shop, {
    Guid: 'edge-headers',
    ActionType: 5,
    ActionParameter1: 'X-Frame-Options',
    ActionParameter2: 'DENY',
    Description: 'headers',
    OrderIndex: 3,
    TriggerMatchingType: 1,
    Enabled: false,
    Triggers: [onUrl('*'), { Type: 4, PatternMatchingType: 2, Parameter1: '', PatternMatches: ['NL'] }],
    ExtraActions: [
      {
        ActionType: 5,
        ActionParameter1: 'X-Content-Type-Options',
        ActionParameter2: 'nosniff',
        ActionParameter3: null,
      },
    ],
  });
  addEdgeRule(shop, {
    Guid: 'edge-system',
    ActionType: 4,
    Description: `${SYSTEM_PREFIX}block bad bots`,
    OrderIndex: 2,
    Triggers: [onUrl('*/xmlrpc.php')],
  });
  addEdgeRule(shop, {
    Guid: 'edge-newer',
    ActionType: 37,
    Description: 'made elsewhere',
    OrderIndex: 4,
    Triggers: [onUrl('*/beta/*')],
  });
}

/** Mail that is delivered as `The Shop`, a log of it in both shapes, and an hour of requests. */
function shopTraffic(shop: Site): void {
  const minutesAgo = (minutes: number): number => EPOCH_MS - minutes * 60_000;
  shop.mail = verifiedAccount(EPOCH_MS - 86_400_000, 'shop.example.com');
  shop.mail.fromName = 'The Shop';
  shop.mail.messages.push(
    mailMessage({ rcpt: 'ada@customer.example', subject: 'Your order 17', sentAt: minutesAgo(50) }),
    mailMessage({
      rcpt: 'bob@customer.example',
      subject: 'Your order 18',
      sentAt: minutesAgo(40),
      delivered: 'N',
      rspcode: '550',
      rspmsg: 'no such user',
    }),
    mailMessage({ rcpt: 'relay@platform.example', sentAt: minutesAgo(30), relay: true }),
    mailMessage({ rcpt: 'ada@customer.example', subject: 'Password reset', sentAt: minutesAgo(20), delivered: 'Y' }),
  );
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

/** The same beside an account that has nothing. Ada may look at the other account and change her own. */
export function smallAndBare(): State {
  const state = small();
  state.accounts.set('acc-bare', { id: 'acc-bare', name: 'bare' });
  const ada = state.users.get('user-ada');
  if (ada !== undefined)
    state.users.set(ada.id, {
      ...ada,
      accountIds: [...ada.accountIds, 'acc-bare'],
      accountRoles: new Map([['acc-other', 'read']]),
    });
  return state;
}
