// Which events a billing plan's webhook is told of, and whether it is told at all.
// CBK-18: there are no events but these: cache layers (TSK-12), backups and restores (BKP-07), Shield (SHD-28) and mail
// (MSP-20) are not told of.
import { deliverMessage } from './deliveries.ts';
import { accountRef, siteView } from '../core/present.ts';
import { billingOf } from './state.ts';
import type { Site, State } from '../core/state.ts';
import type { World } from '../core/world.ts';

export type Action = 'created' | 'resized' | 'owner_change' | 'deleted';

/** Who is billed for what an account owns: a sub-account's parent. */
function payerOf(state: State, accountId: string): string {
  return state.accounts.get(accountId)?.parentId ?? accountId;
}

export function announce(
  world: World,
  accountId: string,
  action: string,
  name: string,
  block: (payerId: string) => Record<string, unknown>,
): void {
  const payerId = payerOf(world.state, accountId);
  const billing = billingOf(world.state.accounts.get(payerId));
  // CBK-08: an event is dropped silently unless the plan's webhook is enabled and has a URL.
  if (billing.webhookUrl === null || !billing.webhookEnabled) return;
  // A trial has no subscription at the processor yet.
  const billed = billing.processor && !billing.trial;
  // CBK-13: deleted is told only where the processor bills.
  if (action === 'deleted' && !billed) return;
  // CBK-10: an event is an action and exactly one block, whose name tells the resource.
  const body = { action, [name]: block(payerId) };
  deliverMessage(world, { kind: 'event', url: billing.webhookUrl, authorization: billing.webhookAuth || null, body });
}

export function announceSite(world: World, site: Site, action: Action): void {
  // SIT-15: the events of sites go to the billing webhook.
  announce(world, site.accountId, action, 'site', (payerId) => siteBlock(world, site, payerId));
}

export function owners(world: World, ownerId: string, payerId: string): Record<string, unknown> {
  const { state } = world;
  // CBK-17: of a sub-account the event names the parent as account, and itself as sub_account.
  if (ownerId === payerId) return { account: accountRef(state, ownerId) };
  return { account: accountRef(state, payerId), sub_account: accountRef(state, ownerId) };
}

/** SIT-10: four fields that no read of a site has. */
function siteBlock(world: World, site: Site, payerId: string): Record<string, unknown> {
  return {
    ...siteView(world, site),
    cdn_id: `zone-${site.id}`,
    cdn_cname: site.temporaryHostname.replace('.tmp.', '.cdn.'),
    sftp_base_path: `/sites/${site.id}`,
    dunning_suspended: site.suspended,
    ...owners(world, site.accountId, payerId),
  };
}
