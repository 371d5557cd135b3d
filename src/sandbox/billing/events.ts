// Decides which events a billing plan's webhook is told of, and whether it is told at all.
// Must not know how the blocks of events look (event-blocks.ts), nor deliver them (deliveries.ts).
import { deliverMessage } from './deliveries.ts';
import { domainBlock, panelBlock, siteBlock } from './event-blocks.ts';
import type { RegisteredDomain } from './event-blocks.ts';
import type { PanelAccount } from '../panel/state.ts';
import { billingOf } from './state.ts';
import { rule } from '../rules/rules.ts';
import type { Site, State } from '../core/state.ts';
import type { World } from '../core/world.ts';

const onlyWhenEnabled = rule(
  'CBK-08',
  "an event is dropped silently unless the plan's webhook is enabled and has a URL",
);
const oneBlock = rule('CBK-10', 'an event is an action and exactly one block, whose name tells the resource');
const fourActions = rule('CBK-12', 'panel accounts have the events of sites: created, resized, owner_change, deleted');
const deletedIsBilled = rule('CBK-13', 'deleted is told only where the processor bills');
const siteEvents = rule('SIT-15', 'the events of sites go to the billing webhook');
const domainEvents = rule('CBK-14', 'domains have fifteen events of their own, seven of them with a price');

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
  if (billing.webhookUrl === null || (!billing.webhookEnabled && world.rules.on(onlyWhenEnabled))) return;
  // A trial has no subscription at the processor yet.
  const billed = billing.processor && !billing.trial;
  if (action === 'deleted' && !billed && world.rules.on(deletedIsBilled)) return;
  const body = (): unknown => ({ action, [world.rules.on(oneBlock) ? name : 'resource']: block(payerId) });
  deliverMessage(world, { kind: 'event', url: billing.webhookUrl, authorization: billing.webhookAuth || null, body });
}

export function announceSite(world: World, site: Site, action: Action): void {
  if (world.rules.on(siteEvents))
    announce(world, site.accountId, action, 'site', (payerId) => siteBlock(world, site, payerId));
}

export function announcePanel(world: World, account: PanelAccount, action: Action): void {
  if (world.rules.on(fourActions))
    announce(world, account.accountId, action, 'panel_account_link', (payerId) => panelBlock(world, account, payerId));
}

/** A price belongs to what is paid for; what merely happens to a domain has none. */
export function announceDomain(world: World, domain: RegisteredDomain, action: string): void {
  if (![...BILLABLE, ...LIFECYCLE].includes(action)) throw new Error(`domains have no event '${action}'`);
  const priced = BILLABLE.includes(action) || !world.rules.on(domainEvents);
  announce(world, domain.accountId, action, 'domain', (payerId) =>
    domainBlock(world, priced ? domain : { ...domain, price: null }, payerId),
  );
}

/** What no event is documented for, told all the same: only the switches of silent-areas.ts do this. */
export function announceAnything(world: World, accountId: string, action: string): void {
  announce(world, accountId, action, 'task', () => ({}));
}
