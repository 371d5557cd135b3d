// What is remembered of messages that the platform sends out: callbacks of orders and events of billing plans. Who
// would have received them is played by a script.

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
