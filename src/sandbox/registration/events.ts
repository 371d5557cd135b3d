// What a billing plan's webhook is told of registrations.
import { announce, owners } from '../billing/messages.ts';
import { dateTime } from '../core/present.ts';
import type { World } from '../core/world.ts';

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

/** A price belongs to what is paid for; what merely happens to a domain has none. */
export function announceDomain(world: World, domain: RegisteredDomain, action: string): void {
  if (![...BILLABLE, ...LIFECYCLE].includes(action)) throw new Error(`domains have no event '${action}'`);
  // CBK-14: domains have fifteen events of their own, seven of them with a price.
  const priced = BILLABLE.includes(action);
  announce(world, domain.accountId, action, 'domain', (payerId) =>
    domainBlock(world, priced ? domain : { ...domain, price: null }, payerId),
  );
}

function domainBlock(world: World, domain: RegisteredDomain, payerId: string): Record<string, unknown> {
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
