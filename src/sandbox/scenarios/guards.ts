// One site for each way in which the platform can refuse, and a healthy one beside them.
import { addDomain, addSite } from '../core/state.ts';
import type { State } from '../core/state.ts';

export function guards(state: State): void {
  const accountId = 'acc-acme';
  const sites = [
    addSite(state, { id: 'site-healthy', accountId, name: 'healthy' }),
    addSite(state, { id: 'site-suspended', accountId, name: 'suspended', suspended: true }),
    addSite(state, { id: 'site-leaving', accountId, name: 'leaving', pendingDelete: true }),
    addSite(state, { id: 'site-locked', accountId, name: 'locked' }),
    addSite(state, { id: 'site-view-only', accountId, name: 'view-only' }),
    addSite(state, { id: 'site-no-cdn', accountId, name: 'no-cdn' }),
    addSite(state, { id: 'site-cdn-off', accountId, name: 'cdn-off' }),
    addSite(state, { id: 'site-cdn-down', accountId, name: 'cdn-down' }),
    addSite(state, { id: 'site-everything', accountId, name: 'everything', suspended: true, pendingDelete: true }),
  ];
  for (const site of sites) addDomain(state, site, { id: `dom-${site.name}`, hostname: `${site.name}.example.com` });
  const zones = new Map([
    ['site-no-cdn', 'none'],
    ['site-cdn-off', 'inactive'],
  ] as const);
  for (const site of sites) site.cdn.zone = zones.get(site.id as 'site-no-cdn') ?? 'active';
  const down = state.sites.get('site-cdn-down');
  if (down !== undefined) down.cdn.upstreamDown = true;
  const roles = state.users.get('user-ada')?.siteRoles;
  roles?.set('site-locked', 'none').set('site-view-only', 'read').set('site-everything', 'none');
}
