// How the sandbox reads what the API documents leave open about sites, their domains and their mail.

export const SITE_AMBIGUITIES = {
  /** Where a site's view answers. */
  'GAP-04': ['both', 'documented', 'plain'],
  /**
   * What a change of a site's plan answers: the envelope of a purchase, a task id, or as any update; the package
   * changes later in any case.
   */
  'GAP-05': ['cart', 'task', 'plain'],
  /** Whether the site list still shows a soft-deleted site. */
  'GAP-08': ['listed', 'unlisted'],
  /** What a change of the PHP version answers; without a task id the work goes on all the same. */
  'GAP-15': ['task-id', 'task-id-202', 'without-task-id'],
  /** Attaching a hostname that is attached already (`same`: on the same site the existing one is answered again). */
  'GAP-19': ['refuse', 'conflict', 'same', 'duplicate', 'move'],
  /** Whether the site's temporary hostname is a row of the domain lists. */
  'GAP-19.temporary': ['unlisted', 'listed'],
  /** Whether /api/domains narrows by the account header. */
  'GAP-19.header': ['ignored', 'narrows'],
  /** Which OAuth scopes the domains of a site need. */
  'GAP-19.scope': ['domains', 'sites'],
  /** How a cache layer outside the plan reads: as off, or, where a smaller plan came, as it was left. */
  'GAP-22': ['false', 'null', 'absent', 'as-left'],
  /** Enabling a layer that is on, or disabling one that is off. */
  'GAP-22.repeat': ['task', 'refuse'],
  /** Whether `all` is one task or one per layer (of which the first is named). */
  'GAP-22.all': ['one-task', 'task-per-layer'],
  /** Whether the 422 of a cache layer has a `code` beside its `error`. */
  'GAP-22.code': ['error-only', 'with-code'],
  /** Whether a pending mail account becomes active once its DNS is verified. */
  'GAP-34': ['activates', 'stays'],
  /** Whether a DNS check lets the DKIM domain follow the primary domain: nothing writes it. */
  'GAP-34.dkim': ['follows', 'stays'],
  /** A mail setting that is not sent, beside one that is. */
  'GAP-34.omitted': ['kept', 'cleared'],
  /** Spaces around the name that mail is sent under. */
  'GAP-34.spaces': ['kept', 'stripped'],
  /** How many messages a page of the mail log has before it is filtered. */
  'GAP-34.page': ['25', '3'],
  /** Whether sender and recipient match in part, as the subject does. */
  'GAP-34.match': ['part', 'whole'],
  /** How the metrics of mail are wrapped. */
  'GAP-34.metrics': ['bare', 'wrapped'],
} as const;
