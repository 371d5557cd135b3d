// How panel accounts are listed and viewed; the list of their endpoints.
import { reachableAccounts } from '../../core/http/access.ts';
import { ok } from '../../core/http/endpoint.ts';
import type { Answer, Call, Endpoint } from '../../core/http/endpoint.ts';
import { isListed } from '../../core/consistency-lag.ts';
import { CALLBACK } from '../../billing/callbacks.ts';
import { keys } from '../../core/http/schema.ts';
import { isAddressable, onAccount, passPanelGuards, unavailable } from '../guards.ts';
import { panelRow, panelView, primaryDomainOf } from '../present.ts';
import type { PanelAccount } from '../state.ts';
import { inListOrder } from '../../core/world.ts';
import { page } from '../../core/http/paging.ts';
import { buyPanelAccount, refuseBuyer } from './purchase.ts';
import { resizePanelAccount } from './resize.ts';
import { panelWriteEndpoints } from './writes.ts';

const REACHABLE = 500;

function listAccounts(call: Call): Answer {
  const { world } = call;
  const refusal = passPanelGuards(call, {});
  if (refusal !== undefined) return refusal;
  const { troubles, accounts } = world.state.panel;
  // PNL-12: the list is a 503 rather than empty where the mirror cannot be read.
  if (troubles.includes('mirror') || troubles.includes('details')) return unavailable();
  const wanted = (call.query.get('q') ?? '').toLowerCase();
  const owners =
    world.ambiguities.panelOwners === 'header' ? [call.accountId] : reachableAccounts(world, call.credential);
  // PNL-11: q finds part of username, server, primary, add-on and alias domains, in any case.
  const rows = [...accounts.values()]
    .filter((account) => owners.includes(account.accountId) && isAddressable(world, account))
    .filter((account) => texts(account).some((text) => text.toLowerCase().includes(wanted)))
    .filter((account) => isListed(world, account));
  // Pages have to fit together, so the order may not change between two reads.
  const stable = world.ambiguities.listOrder === 'reshuffled' ? rows : inListOrder(world, rows);
  // LIM-05: at most 500 panel accounts are reachable, however they are paged.
  const capped = stable.slice(0, REACHABLE);
  return ok({ panel_accounts: page(call, capped).map((account) => panelRow(world, account)) });
}

function texts(account: PanelAccount): readonly string[] {
  const { mirror, username } = account;
  return [
    username,
    mirror?.server ?? '',
    primaryDomainOf(account) ?? '',
    ...(mirror?.addons ?? []),
    ...(mirror?.aliases ?? []),
  ];
}

/** PNL-22: whatever its state. */
function viewAccount({ world }: Call, account: PanelAccount): Answer {
  const view = panelView(world, account);
  return view === undefined ? unavailable() : ok({ panel_account: view });
}

const PATH = '/api/panel_accounts';

/** PNL-08: panel accounts are read with panel:read and never written with OAuth. */
export const panelEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: PATH, scope: 'panel:read', account: true, handle: listAccounts },
  {
    method: 'POST',
    path: PATH,
    scope: 'never',
    account: true,
    guard: refuseBuyer,
    body: { ...keys('package', 'term', 'domain'), ...CALLBACK },
    handle: buyPanelAccount,
  },
  ...onAccount({
    GET: viewAccount,
    PATCH: {
      demands: { user: true, paid: true, duty: 'billing', state: 'update' },
      // CBK-01: a resize takes no callback; ordering a site, a domain or a panel account does.
      body: keys('package'),
      handle: resizePanelAccount,
    },
  }),
  ...panelWriteEndpoints,
];
