// A small agency: `shop` with two domains and its caching set, `docs` with one, `blog` with none, and somebody else's site in reach.
import { EPOCH_MS } from '../clock.ts';
import { addDomain, addSite, addTask } from '../state.ts';
import type { State } from '../state.ts';
import { empty } from './empty.ts';

export function small(): State {
  const state = empty();
  const shop = addSite(state, { id: 'site-shop', accountId: 'acc-acme', name: 'shop', term: 'annual' });
  addDomain(state, shop, {
    id: 'dom-shop', hostname: 'shop.example.com', method: 'dns',
    records: [{ id: 'rec-shop', recordType: 0, name: '@', value: '192.0.2.10', ttl: 300 }],
  });
  addDomain(state, shop, { id: 'dom-www-shop', hostname: 'www.shop.example.com' });
  Object.assign(shop.cdn.caching, { smart_cache: true, cache_expiration: 3600, vary_cookie: true, cookie_vary_parameters: ['currency'] });
  addSite(state, { id: 'site-blog', accountId: 'acc-acme', name: 'blog', package: 'mini' });
  const docs = addSite(state, { id: 'site-docs', accountId: 'acc-acme', name: 'docs', package: 'mini' });
  addDomain(state, docs, { id: 'dom-docs', hostname: 'docs.example.com' });
  const foreign = addSite(state, { id: 'site-foreign', accountId: 'acc-other', name: 'foreign' });
  addDomain(state, foreign, { id: 'dom-foreign', hostname: 'www.example.org' });
  // Rob may change the docs, but not delete anything there, and does not get into the shop at all.
  const roles = state.users.get('user-rob')?.siteRoles;
  roles?.set('site-docs', 'modify').set('site-shop', 'none');
  addTask(state, { id: 501, siteId: 'site-shop', name: 'site.created', createdAt: EPOCH_MS - 3 * 86_400_000, status: 'OK', startOn: EPOCH_MS });
  return state;
}
