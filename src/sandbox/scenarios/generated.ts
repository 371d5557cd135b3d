// An account of any size, the same each time: for benchmarks and for what only shows in numbers.
import { addDomain, addSite } from '../core/state.ts';
import type { State } from '../core/state.ts';

export function sites(state: State, count: number): void {
  for (let number = 1; number <= count; number += 1) {
    const label = `s${String(number).padStart(5, '0')}`;
    const site = addSite(state, { id: `site-${label}`, accountId: 'acc-acme', name: label });
    addDomain(state, site, { id: `dom-${label}`, hostname: `${label}.example.com` });
    addDomain(state, site, { id: `dom-www-${label}`, hostname: `www.${label}.example.com` });
    site.cdn.caching.cache_expiration = number * 60;
  }
}

/** Many accounts of three sites each, all of which the one user reaches. */
export function accounts(state: State, count: number): void {
  for (let number = 1; number <= count; number += 1) {
    const id = `acc-${String(number).padStart(5, '0')}`;
    state.accounts.set(id, { id, name: `Client ${number}` });
    for (const user of state.users.values()) user.accountIds.push(id);
    for (const name of ['shop', 'blog', 'docs']) {
      const site = addSite(state, { id: `site-${id}-${name}`, accountId: id, name });
      addDomain(state, site, { id: `dom-${id}-${name}`, hostname: `${name}.${id}.example.com` });
    }
  }
}
