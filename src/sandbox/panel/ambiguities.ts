// How the sandbox reads what the API documents leave open about panel accounts, users and callbacks; see
// ambiguities.ts. `not-shown` answers 501: a client that sends what no document shows is told so.

export const PANEL_AMBIGUITIES = {
  /** Whether the order of a panel account names it. */
  'GAP-46': ['unnamed', 'in-order'],
  /** From when on a bought account is listed: once the charge has settled, or once its order is completed. */
  'GAP-46.listed': ['settled', 'completed'],
  /** Whether an account that is being provisioned shows its domain, or none until it is mirrored. */
  'GAP-46.domain': ['at-once', 'mirrored'],
  /** Usernames: made from the domain, or from nothing that anybody knows. */
  'GAP-46.name': ['from-domain', 'opaque'],
  /** Which code belongs to which key: in the order of both lists, or another. */
  'GAP-47': ['in-order', 'shifted'],
  /** What local_package holds. */
  'GAP-47.local': ['prefixed', 'code', 'key'],
  /** The bodies of domain and password writes, and whether purging and sessions answer. */
  'GAP-48': ['not-shown', 'flat', 'wrapped'],
  /** What the list of an account's domains holds. */
  'GAP-48.domains': ['not-shown', 'texts', 'objects'],
  /** The code of a resize that the cart refuses: that of a create, one of its own, or none. */
  'GAP-48.resize': ['like-create', 'own', 'bare'],
  /** Which package counts as the same: that of the mirror or the one provisioned last, or only one that is both. */
  'GAP-48.same': ['either', 'both'],
  /** How long a resize is in flight: until its order has ended, or until the mirror shows it. */
  'GAP-48.inFlight': ['order', 'mirror'],
  /** Whether an account is deleted without a body. */
  'GAP-49': ['bodyless', 'not-shown'],
  /** Deleting one that is about to be deleted. */
  'GAP-49.repeat': ['refuse', 'again'],
  /** What delete_scheduled_at holds: when it will be purged, or when that was asked for. */
  'GAP-49.date': ['purge', 'request'],
  /** Changing or deleting an account that is still being provisioned. */
  'GAP-49.provisioning': ['refuse', 'accept'],
  /** Which suspension shows where there are two. */
  'GAP-49.suspended': ['admin', 'dunning'],
  /** Whether the list of panel accounts shows those of the workspace in the header, or all in reach. */
  panelOwners: ['header', 'reach'],
} as const;
