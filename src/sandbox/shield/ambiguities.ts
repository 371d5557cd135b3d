// How the sandbox reads what the API documents leave open about Shield.

export const SHIELD_AMBIGUITIES = {
  /** What activating Shield answers on a site without a pull zone. */
  'GAP-26': ['shield_not_active', 'cdn_not_active'],
  /** How a deactivated Shield zone reads: with active false, or as 409. */
  'GAP-27': ['inactive', 'refuse'],
  /** Whether what lies below a deactivated zone still answers, or writes. */
  'GAP-27.below': ['refuse', 'answer'],
  /**
   * What becomes of rules, limits and lists when a zone is deactivated; those that are kept reappear when it is active
   * again.
   */
  'GAP-27.items': ['kept', 'removed'],
  /** How the DDoS protection of a deactivated zone reads: it has no flag of its own. */
  'GAP-27.ddos': ['kept', 'zero'],
  /** Activating a deactivated zone: everything else stays off, comes back, or begins anew; or it cannot be done. */
  'GAP-27.post': ['as-left', 'as-before', 'fresh', 'refuse'],
  /** Activating an active zone. */
  'GAP-27.repeat': ['again', 'refuse'],
  /** What a new zone comes with: WAF on and learning, on and blocking, or off. */
  'GAP-27.fresh': ['learning', 'blocking', 'off'],
  /** The texts that execution modes read as. */
  'GAP-28': ['capital', 'lower', 'upper', 'digits', 'words'],
  /** The same for DDoS, whose modes are integers without documented names. */
  'GAP-28.ddos': ['like-waf', 'digits', 'words'],
  /**
   * Whether integers without a documented range are taken as they come, or have one (levels 0 to 4, switches 0 to 1).
   */
  'GAP-28.ranges': ['open', 'narrow'],
  /** How the lists of Shield are wrapped: not at all, under their own name, or under `data`. */
  'GAP-29': ['bare', 'wrapped', 'data'],
  /** How one object is wrapped. */
  'GAP-29.one': ['bare', 'wrapped'],
  'GAP-29.case': ['snake', 'camel'],
  /** Whether a rule shows its configuration as an object, or among its other keys. */
  'GAP-29.nesting': ['nested', 'flat'],
  /** Whether a custom rule shows its variable as written, or as a map from variable to subselector. */
  'GAP-29.variables': ['written', 'map'],
  /** Whether a custom rule shows what no write can express: negation, transformations, chains. */
  'GAP-29.beyond': ['shown', 'hidden'],
  /** The key of the id: `id`, a name of its own (`rule_id`, `list_id`), or none. */
  'GAP-29.id': ['id', 'named', 'none'],
  'GAP-29.ids': ['text', 'integer'],
  /** What a create answers: the object, its id, or nothing. */
  'GAP-29.write': ['object', 'id', 'empty'],
  /** How the zone is wrapped. */
  'GAP-29.zone': ['bare', 'wrapped'],
  /** How the WAF config reads: as in the zone, wrapped, or under the names that a write takes. */
  'GAP-29.waf': ['block', 'wrapped', 'written'],
  /** How the bot detection reads: under the names that a write takes, in groups, or wrapped. */
  'GAP-29.bots': ['flat', 'nested', 'wrapped'],
  /** How the types of access lists read. */
  'GAP-29.enums': ['objects', 'map', 'wrapped'],
  /** What becomes of ids of managed rules that nobody knows. */
  'GAP-29.ruleIds': ['kept', 'dropped', 'refused'],
  /** What a timeframe that is too long for the plan answers. */
  'GAP-30': ['422', '400', '502', 'accepted-with-error'],
  /** Whether the plan limits timeframes at all. */
  'GAP-30.longest': ['by-tier', 'none'],
  /** Whether a rate limit reads back with keys that nobody wrote. */
  'GAP-30.defaults': ['added', 'verbatim'],
  /** Whether the configuration of a rate limit may have any keys, or camel-case ones only. */
  'GAP-30.keys': ['any', 'camel'],
  /** Whether the configuration of a rate limit reads as it was sent, or with its keys in snake case. */
  'GAP-30.read': ['as-sent', 'snake'],
  /** Whether rows of the list of access lists have their content. */
  'GAP-31': ['absent', 'present'],
  /**
   * The checksum of an access list: SHA-256 of the content whatever was sent, refused where it does not fit, or what
   * was sent.
   */
  'GAP-31.checksum': ['sha256', 'checked', 'echo'],
  /** Which fields a new access list needs. */
  'GAP-31.required': ['name', 'name-type-content'],
  /** Whether the content of an access list reads as written, or without empty lines and repetitions. */
  'GAP-31.content': ['verbatim', 'tidied'],
  /** How many entries an access list takes. */
  'GAP-31.size': ['open', 'hundred'],
  /** Where the platform's own access lists show: nowhere, among the others, or under a key of their own. */
  'GAP-31.builtIn': ['unlisted', 'listed', 'apart'],
  /** Which Shield plans are premium. */
  'GAP-32': ['advanced-up', 'business-up'],
  /** A higher Shield plan: had at once, refused because it costs, or accepted with an error and not had. */
  'GAP-32.upgrade': ['done', 'refused', 'accepted-with-error'],
  /** What a lower Shield plan does to what only the higher one has. */
  'GAP-32.downgrade': ['kept', 'removed', 'refused'],
  /** Whether a Shield plan limits how many rules, limits and lists there are. */
  'GAP-32.items': ['unlimited', 'refused', 'accepted-with-error'],
  /** Whether a PATCH of a custom rule, rate limit or access list leaves what it omits, or clears it. */
  'GAP-33': ['partial', 'full'],
  /** Whether a configuration in a PATCH replaces the stored one or is merged into it. */
  'GAP-33.configuration': ['whole', 'merged'],
  /** Whether a PATCH changes type and description of an access list, or only says so. */
  'GAP-33.lists': ['as-create', 'content-only'],
  /** How Shield's learning mode reads once its time is over: off with the time still there, off without it, or on. */
  learningEnd: ['ends', 'ends-cleared', 'stays'],
} as const;
