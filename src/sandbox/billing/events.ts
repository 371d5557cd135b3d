// Which events a billing plan's webhook is told of, and whether it is told at all.
// CBK-18: there are no events but these: cache layers (TSK-12), backups and restores (BKP-07), Shield (SHD-28) and mail
// (MSP-20) are not told of.
import { deliverMessage } from './deliveries.ts';
import { domainBlock, panelBlock, siteBlock } from './event-blocks.ts';
import type { RegisteredDomain } from './event-blocks.ts';
import type { PanelAccount } from '../panel/state.ts';
import { billingOf } from './state.ts';
import type { Site, State } from '../core/state.ts';
import type { World } from '../core/world.ts';

type Action = 'created' | 'resized' | 'owner_change' | 'deleted';

const BILLABLE = [
  'registered',
  'transferred_in',
  'renewed',
  'restored',
  'registrant_change',
  'privacy_enabled',
  'local_contact_added',
];
const LIFECYCLE = [
  'transferred_out',
  'expired',
  'redemption',
  'purged',
  'privacy_disabled',
  'local_contact_removed',
  'auto_renew_enabled',
  'auto_renew_disabled',
];

/** Who is billed for what an account owns: a sub-account's parent. */
function payerOf(state: State, accountId: string): string {
  return state.accounts.get(accountId)?.parentId ?? accountId;
}

function announce(
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

export function announcePanel(world: World, account: PanelAccount, action: Action): void {
  // CBK-12: panel accounts have the events of sites: created, resized, owner_change, deleted.
  announce(world, account.accountId, action, 'panel_account_link', (payerId) => panelBlock(world, account, payerId));
}

/** A price belongs to what is paid for; what merely happens to a domain has none. */
export function announceDomain(world: World, domain: RegisteredDomain, action: string): void {
  if (![...BILLABLE, ...LIFECYCLE].includes(action)) throw new Error(`domains have no event '${action}'`);
  // CBK-14: domains have fifteen events of their own, seven of them with a price.
  const priced = BILLABLE.includes(action);
  announce(world, domain.accountId, action, 'domain', (payerId) =>
    domainBlock(world, priced ? domain : { ...domain, price: null }, payerId),
  );
}
