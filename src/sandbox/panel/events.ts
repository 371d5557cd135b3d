// What a billing plan's webhook is told of panel accounts.
import type { Row } from '../core/http/endpoint.ts';
import { announce, owners } from '../billing/messages.ts';
import type { Action } from '../billing/messages.ts';
import type { World } from '../core/world.ts';
import { primaryDomainOf } from './present.ts';
import { findPackage, priceOfPackage } from './state.ts';
import type { PanelAccount } from './state.ts';

export function announcePanel(world: World, account: PanelAccount, action: Action): void {
  // CBK-12: panel accounts have the events of sites: created, resized, owner_change, deleted.
  announce(world, account.accountId, action, 'panel_account_link', (payerId) => panelBlock(world, account, payerId));
}

function panelBlock(world: World, account: PanelAccount, payerId: string): Row {
  const { subscription, username } = account;
  const product = findPackage(world, account.local?.packageCode ?? account.mirror?.packageCode ?? null);
  // CBK-16: the block of a panel account has its username twice, and no timestamps.
  const named = { guid: username, panel_username: username };
  return {
    object: 'panel_account_link',
    id: account.id,
    ...named,
    primary_domain: primaryDomainOf(account),
    ...owners(world, account.accountId, payerId),
    ...(subscription === null
      ? {}
      : {
          subscription: {
            id: subscription.id,
            status: subscription.status,
            price: {
              amount_cents: product === undefined ? 0 : priceOfPackage(product, subscription.term),
              term: subscription.term,
            },
            product: { id: `prod-${product?.key ?? 'none'}`, name: product?.label ?? '' },
          },
        }),
  };
}
