// What the platform remembers of purchases: how an account pays, carts, orders. Tests change it directly ("behind the
// engine's back").
/**
 * What becomes of a charge: it settles soon, or in days; or it waits for a person, who may be asked for a code or for
 * another card.
 */
export type PaymentOutcome = 'succeeded' | 'processing' | 'authentication' | 'declined';

export class Billing {
  trial = false;
  canOrder = true;
  /** false: billed by somebody else, and nothing is charged here. */
  processor = true;
  hasCustomer = true;
  contactComplete = true;
  /** The saved default payment method; an open set. null: there is none. */
  methodType: string | null = 'card';
  outcome: PaymentOutcome = 'succeeded';
  /** The cart refuses whatever is put into it. */
  refusesItems = false;
  /** The charge cannot even be started. */
  refusesCharges = false;
  /** What an administrator has set on its plan; null and empty: none. */
  webhookEnabled = false;
  webhookUrl: string | null = null;
  webhookAuth: string | null = null;
}

export function billingOf(account: { readonly billing?: Partial<Billing> } | undefined): Billing {
  return Object.assign(new Billing(), account?.billing);
}

export interface Cart {
  readonly token: string;
  readonly accountId: string;
  status: 'active' | 'processing' | 'awaiting_provisioning' | 'checked_out' | 'expired';
  rollupStatus: 'pending' | 'processing' | 'completed' | 'failed' | 'cancelled';
  payment: 'processing' | 'succeeded' | 'awaiting_authentication';
  methodType: string | null;
  hostedInvoiceUrl: string | null;
  orderIds: string[];
  createdAt: number;
}

export interface Order {
  readonly id: string;
  accountId: string;
  status: string;
  locationShortName: string | null;
  createdAt: number;
  updatedAt: number;
  purchase?: Purchase;
}

/** What an order knows of its purchase; orders that a scenario invents may do without. */
export interface Purchase {
  readonly userId: string | null;
  readonly cartToken: string;
  readonly taskIds: number[];
  readonly cents: number;
  readonly external: boolean;
  /** ORD-09: an open set. */
  readonly methodType: string | null;
  readonly hostedInvoiceUrl: string | null;
  /** When the processor's invoice shows up here. */
  readonly mirroredAt: number;
  /** Once it provisioned a site. */
  site: { readonly id: string; readonly variant: string } | null;
  /** Where it is about a domain. */
  readonly domain?: DomainPurchase;
  subscriptionId: number | null;
}

/** A domain that an order registers or transfers. */
export interface DomainPurchase {
  readonly name: string;
  readonly action: 'register' | 'transfer';
  /** null: the registrar has not done it yet. */
  registrationId: string | null;
}

export const TERMINAL = ['completed', 'failed', 'cancelled'];

/** What a receiver answers; `status` null: nobody listens. Longer than the platform waits is a timeout. */
export interface ReceiverAnswer {
  readonly status: number | null;
  readonly afterMs?: number;
}

export interface Attempt {
  readonly at: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly answer: number | 'unreachable' | 'timeout';
}

export interface Delivery {
  readonly kind: 'callback' | 'event';
  readonly method: 'POST';
  readonly url: string;
  /** When it was fired: its age counts from here. */
  readonly firedAt: number;
  readonly attempts: Attempt[];
  state: 'waiting' | 'delivered' | 'given-up';
}

export interface Webhooks {
  readonly deliveries: Delivery[];
  /** URL -> what is answered there, one after the other; the last one goes on. Unknown URLs answer 200. */
  readonly receivers: Map<string, ReceiverAnswer[]>;
}

export function emptyWebhooks(): Webhooks {
  return { deliveries: [], receivers: new Map() };
}
