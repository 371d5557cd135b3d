// The small account as a reseller with panel accounts in every state that matters: two full lives, one on a package
// that nobody sells any more, suspended in two ways, about to be deleted, mail-only, purged, and others' in reach and
// out of it. Beside it a workspace without the feature.
import { EPOCH_MS } from '../core/clock.ts';
import { addPanelAccount, panelMirror } from './state.ts';
import type { PanelAccount } from './state.ts';
import type { State } from '../core/state.ts';
import { HOSTILE_NAMES } from '../core/hostile-names.ts';

const DAY_MS = 86_400_000;

export function panel(state: State): void {
  for (const id of ['acc-bare', 'acc-stranger']) state.accounts.set(id, { id, name: id.slice(4) });
  state.accounts.set('acc-platform', { id: 'acc-platform', name: 'platform', platformAdmin: true });
  const acme = state.accounts.get('acc-acme');
  if (acme !== undefined) acme.reseller = true;
  const ada = state.users.get('user-ada');
  // Ada may look at the other account and change her own.
  if (ada !== undefined)
    state.users.set(ada.id, {
      ...ada,
      accountIds: [...ada.accountIds, 'acc-bare', 'acc-platform'],
      accountRoles: new Map([['acc-other', 'read']]),
      duties: new Map(),
    });
  state.panel.enabledFor = ['acc-acme', 'acc-other'];
  state.dnsZones.push({ name: 'zoned.example.com', accountId: 'acc-acme' });
  addOwn(state, 'acmeshop', 'M', {
    mirror: panelMirror({
      packageCode: 'M',
      primaryDomain: 'acmeshop.example.com',
      usedMb: 8_000,
      quotaMb: 20_000,
      mailboxes: 3,
      addons: ['shop2.example.com'],
      aliases: ['winkel.example.com'],
    }),
  });
  addOwn(state, 'acmeblog', 'S', { subscription: { id: 'sub-acmeblog', status: 'active', term: 'annual' } });
  addOwn(state, 'acme_old', 'legacy_2g', {
    local: null,
    subscription: null,
    mirror: panelMirror({
      packageCode: 'legacy_2g',
      primaryDomain: 'old.example.com',
      server: 'host2.panel.sandbox.example',
    }),
  });
  addOwn(state, 'acmeheld', 'S', { dunningSuspended: true });
  addOwn(state, 'acmestop', 'S', { adminSuspended: true, dunningSuspended: true });
  addOwn(state, 'acmegone', 'S', {
    deletion: { requestedAt: EPOCH_MS - 10 * DAY_MS, purgeAt: EPOCH_MS + 20 * DAY_MS },
    adminSuspended: true,
    dunningSuspended: true,
  });
  addOwn(state, 'acmemail', 'S', { mailOnly: true });
  addOwn(state, 'acmepurg', 'S', { purged: true });
  addPanelAccount(state.panel, { username: 'othersite', accountId: 'acc-other' });
  addPanelAccount(state.panel, { username: 'stranger', accountId: 'acc-stranger' });
}

export function hostile(state: State): void {
  state.panel.enabledFor = ['acc-acme'];
  // Usernames have a form of their own; nothing else of an account does.
  HOSTILE_NAMES.forEach(([, name], index) => {
    addPanelAccount(state.panel, {
      username: `hostile_${index}`,
      accountId: 'acc-acme',
      local: { packageCode: name, primaryDomain: name },
      mirror: panelMirror({ packageCode: name, primaryDomain: name, server: name }),
    });
  });
}

function addOwn(state: State, username: string, packageCode: string, given: Partial<PanelAccount>): void {
  const primaryDomain = `${username}.example.com`;
  addPanelAccount(state.panel, { username, accountId: 'acc-acme', local: { packageCode, primaryDomain }, ...given });
}

/** Any number of them. */
export function panelAccounts(state: State, count: number): void {
  state.panel.enabledFor = ['acc-acme'];
  for (let number = 1; number <= count; number += 1) addOwn(state, `u${String(number).padStart(5, '0')}`, 'S', {});
}
