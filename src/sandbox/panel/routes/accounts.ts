// Decides how panel accounts are listed and viewed, and gathers their endpoints.
// Must not buy (panel-purchase.ts), resize (panel-resize.ts) or change anything (panel-writes.ts).
import { reachableAccounts } from '../../core/http/access.ts';
import { ok } from '../../core/http/endpoint.ts';
import type { Answer, Call, Endpoint } from '../../core/http/endpoint.ts';
import { isListed } from '../../core/consistency-lag.ts';
import { isAddressable, onAccount, passPanelGates, unavailable } from '../gates.ts';
import { panelRow, panelView, primaryDomainOf } from '../present.ts';
import type { PanelAccount } from '../state.ts';
import { rule } from '../../rules/rules.ts';
import { inListOrder } from '../../core/world.ts';
import { page } from '../../core/http/paging.ts';
import { buyPanelAccount } from './purchase.ts';
import { resizePanelAccount } from './resize.ts';
import { panelWriteEndpoints } from './writes.ts';

const writesAreClosed = rule('PNL-08', 'panel accounts are read with panel:read and never written with OAuth');
const searches = rule('PNL-11', 'q finds part of username, server, primary, add-on and alias domains, in any case');
const strictList = rule('PNL-12', 'the list is a 503 rather than empty where the mirror cannot be read');
const reachable = rule('LIM-05', 'at most 500 panel accounts are reachable, however they are paged');

const REACHABLE = 500;

function listAccounts(call: Call): Answer {
  const { world } = call;
  const refusal = passPanelGates(call, {});
  if (refusal !== undefined) return refusal;
  const { troubles, accounts } = world.state.panel;
  if (troubles.includes('mirror') || troubles.includes('details'))
    return world.rules.on(strictList) ? unavailable(world) : ok({ panel_accounts: [] });
  const wanted = (call.query.get('q') ?? '').toLowerCase();
  const owners = world.readings.panelOwners === 'header' ? [call.accountId] : reachableAccounts(world, call.credential);
  const rows = [...accounts.values()]
    .filter((account) => owners.includes(account.accountId) && isAddressable(world, account))
    .filter(
      (account) => !world.rules.on(searches) || texts(account).some((text) => text.toLowerCase().includes(wanted)),
    )
    .filter((account) => isListed(world, account));
  // Pages have to fit together, so the order may not change between two reads.
  const stable = world.readings.listOrder === 'reshuffled' ? rows : inListOrder(world, rows);
  const capped = world.rules.on(reachable) ? stable.slice(0, REACHABLE) : stable;
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
  return view === undefined ? unavailable(world) : ok({ panel_account: view });
}

const PATH = '/api/panel_accounts';

const writes: readonly Endpoint[] = [
  { method: 'POST', path: PATH, scope: 'never', account: true, handle: buyPanelAccount },
  { method: 'PATCH', path: `${PATH}/:username`, scope: 'never', account: true, handle: resizePanelAccount },
  ...panelWriteEndpoints,
];

export const panelEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: PATH, scope: 'panel:read', account: true, handle: listAccounts },
  { method: 'GET', path: `${PATH}/:username`, scope: 'panel:read', account: true, handle: onAccount({}, viewAccount) },
  ...writes.map((endpoint): Endpoint => ({
    ...endpoint,
    scope: (world) => (world.rules.on(writesAreClosed) && endpoint.scope === 'never' ? 'never' : 'panel:read'),
  })),
];
