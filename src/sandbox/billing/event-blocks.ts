// How the blocks of billing events look. They are alike to what the API shows, and not the same.
import { accountRef, dateTime, siteView } from '../core/present.ts';
import { primaryDomainOf } from '../panel/present.ts';
import { findPackage, priceOfPackage } from '../panel/state.ts';
import type { PanelAccount } from '../panel/state.ts';
import type { Site } from '../core/state.ts';
import type { World } from '../core/world.ts';

type Row = Record<string, unknown>;

/** What an event says of a registration. */
export interface RegisteredDomain {
  readonly id: string;
  readonly name: string;
  readonly accountId: string;
  readonly status: string;
  readonly expiresAt: number;
  readonly autoRenew: boolean;
  readonly privacyProtect: boolean;
  readonly recoveryPhase: string | null;
  readonly price: { readonly amount_cents: number; readonly currency: string; readonly term: string } | null;
}

function owners(world: World, ownerId: string, payerId: string): Row {
  const { state } = world;
  // CBK-17: of a sub-account the event names the parent as account, and itself as sub_account.
  if (ownerId === payerId) return { account: accountRef(state, ownerId) };
  return { account: accountRef(state, payerId), sub_account: accountRef(state, ownerId) };
}

/** SIT-10: four fields that no read of a site has. */
export function siteBlock(world: World, site: Site, payerId: string): Row {
  return {
    ...siteView(world, site),
    cdn_id: `zone-${site.id}`,
    cdn_cname: site.temporaryHostname.replace('.tmp.', '.cdn.'),
    sftp_base_path: `/sites/${site.id}`,
    dunning_suspended: site.suspended,
    ...owners(world, site.accountId, payerId),
  };
}

export function panelBlock(world: World, account: PanelAccount, payerId: string): Row {
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

export function domainBlock(world: World, domain: RegisteredDomain, payerId: string): Row {
  const tld = domain.name.split('.').slice(1).join('.');
  return {
    id: domain.id,
    object: 'domain_registration',
    name: domain.name,
    status: domain.status,
    expires_at: dateTime(domain.expiresAt),
    auto_renew: domain.autoRenew,
    privacy_protect: domain.privacyProtect,
    // CBK-15: in an event the tld of a domain is a text.
    tld,
    recovery_phase: domain.recoveryPhase,
    ...owners(world, domain.accountId, payerId),
    price: domain.price,
  };
}
