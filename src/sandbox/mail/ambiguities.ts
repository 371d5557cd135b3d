// How the sandbox reads what the API documents leave open about mailspaces; see ambiguities.ts, which holds the rest
// and checks them all. `not-shown` answers 501: a client that sends what no document shows is told so.

export const MAIL_AMBIGUITIES = {
  /** Whether the status of a mailspace follows its life, or is active from the first moment on. */
  'GAP-35': ['follows', 'active-at-once'],
  /** The body that changes the package. */
  'GAP-36': ['not-shown', 'flat', 'wrapped'],
  /** Whether a mailspace is deleted and restored without a body. */
  'GAP-37': ['not-shown', 'bodyless'],
  /** How the verification of the primary domain is wrapped. */
  'GAP-38': ['wrapped', 'flat'],
  /** What the POST answers while no TXT record is there. */
  'GAP-38.missing': ['state', 'refuse'],
  /**
   * What verifies a secondary domain: time, a POST to one of two paths, or somebody at the dashboard (the control
   * endpoint).
   */
  'GAP-38.secondary': ['sweep', 'verify', 'domain_verification', 'dashboard'],
  /** Whether a pending domain refuses PATCH and DELETE always, or only while the mail server cannot be read. */
  'GAP-39': ['always', 'when-degraded'],
  /** What a DNS check answers. */
  'GAP-40': ['report', 'wrapped', 'empty'],
  /** A second DNS check within five minutes. */
  'GAP-40.limit': ['429', '422', 'previous'],
  /** The body that changes a group. */
  'GAP-41': ['not-shown', 'flat', 'wrapped'],
  'GAP-41.delete': ['not-shown', 'bodyless'],
  /** Whether DELETE schedules the deletion of a mailbox without a body. */
  'GAP-42': ['bodyless', 'not-shown'],
  'GAP-42.restore': ['not-shown', 'bodyless'],
  /** Which mailboxes count to the limit of the package: all, those not about to be deleted, or active ones. */
  'GAP-43': ['all', 'live', 'active'],
  /** Whether a mailbox about to be deleted keeps its address. */
  'GAP-43.address': ['blocks', 'free'],
  /** How mailing lists are listed. */
  'GAP-44': ['not-shown', 'like-groups'],
  /**
   * What updating a mailbox answers: its view or what a create answers, both without the allowed addresses, or nothing.
   */
  'GAP-45': ['view', 'create-shape', 'empty'],
  /** The status in the view of a mailbox while the mail server cannot be read. */
  'GAP-45.status': ['kept', 'empty'],
  /** Whether mailboxes about to be deleted keep their domain from being removed. */
  'GAP-68': ['block', 'ignored'],
  /** What becomes of aliases on a removed domain. */
  'GAP-68.aliases': ['vanish', 'stay'],
  /** Whether a mailbox create refuses a foreign group before it makes anything, or after it has made the mailbox. */
  foreignMembership: ['checked-first', 'after-record'],
} as const;
