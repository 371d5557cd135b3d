// How the sandbox reads what the API documents leave open about users.

export const USER_AMBIGUITIES = {
  /** Whether a reseller's list shows the users of its sub-accounts. */
  'GAP-56': ['unlisted', 'listed'],
  /**
   * Making a user with an e-mail address that is taken: refused, a second user, or a further sub-account of the first.
   */
  'GAP-56.duplicate': ['refuse', 'second', 'further-account'],
  /** The role that making users takes. */
  'GAP-56.role': ['full', 'modify'],
  /** How a create is refused for its role or its account. */
  'GAP-56.refusal': ['403', '422'],
  /** What a create answers with. */
  'GAP-56.status': ['201', '200'],
} as const;
