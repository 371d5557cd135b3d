// How the sandbox reads what the API documents leave open about orders and webhooks.

export const BILLING_AMBIGUITIES = {
  /** The status of an order between pending and its end. */
  'GAP-10': ['provisioning', 'pending'],
  /** Cancelling an order that has ended. */
  'GAP-10.cancel': ['refuse', 'accept'],
  /** When a callback is repeated: after a wait that its age chooses, or at marks counted from its beginning. */
  'GAP-60': ['by-age', 'by-marks'],
} as const;
