// How the sandbox reads what the API documents leave open: each gap has named readings. They are not bent to what a
// client hopes for: it has to converge, or stop honestly, under every one. A key is a gap id; where one gap asks several
// questions, `GAP-19.scope` and so on. The first value is the default.
import { MAIL_AMBIGUITIES } from '../mail/ambiguities.ts';
import { PANEL_AMBIGUITIES } from '../panel/ambiguities.ts';
import { REGISTRATION_AMBIGUITIES } from '../registration/ambiguities.ts';

export const AMBIGUITIES = {
  /** How an API key travels: after `Bearer`, bare, or either. */
  'GAP-01': ['either', 'bearer', 'raw'],
  /** What a 429 looks like: the usual error body and a Retry-After header, or nothing at all. */
  'GAP-02': ['enveloped', 'bare'],
  /** Whether the 403 of a missing role (and of "not for OAuth") has a `code`. */
  'GAP-03': ['without-code', 'with-code'],
  /** Where a site's view answers. */
  'GAP-04': ['both', 'documented', 'plain'],
  /**
   * What a change of a site's plan answers: the envelope of a purchase, a task id, or as any update; the package
   * changes later in any case.
   */
  'GAP-05': ['cart', 'task', 'plain'],
  /** Whether the lists of sites and domains are paged. */
  'GAP-06': ['unpaged', 'paged'],
  /** The shape of the list of locations and plans. */
  'GAP-07': ['objects', 'texts', 'nested'],
  /** Whether the site list still shows a soft-deleted site. */
  'GAP-08': ['listed', 'unlisted'],
  /** How writes answer whose body is not documented. */
  'GAP-09': ['empty', 'object', 'accepted'],
  /** The status of an order between pending and its end. */
  'GAP-10': ['provisioning', 'pending'],
  /** Cancelling an order that has ended. */
  'GAP-10.cancel': ['refuse', 'accept'],
  /** Task answers: as they are, or under `tasks` / `task`. */
  'GAP-14': ['bare', 'wrapped'],
  'GAP-14.timestamps': ['unix', 'iso'],
  /** Whether /api/tasks/:id wants the account header. */
  'GAP-14.header': ['optional', 'required'],
  /** What a change of the PHP version answers; without a task id the work goes on all the same. */
  'GAP-15': ['task-id', 'task-id-202', 'without-task-id'],
  /** Which domains have a zone here: those attached by nameservers, or all. */
  'GAP-18': ['dns-only', 'always'],
  /** Attaching a hostname that is attached already (`same`: on the same site the existing one is answered again). */
  'GAP-19': ['refuse', 'conflict', 'same', 'duplicate', 'move'],
  /** Whether the site's temporary hostname is a row of the domain lists. */
  'GAP-19.temporary': ['unlisted', 'listed'],
  /** Whether /api/domains narrows by the account header. */
  'GAP-19.header': ['ignored', 'narrows'],
  /** Which OAuth scopes the domains of a site need. */
  'GAP-19.scope': ['domains', 'sites'],
  /** Whether attaching a site's first domain activates its CDN. */
  'GAP-20': ['never', 'first-domain'],
  /** Whether writing a caching array replaces it or adds to it. */
  'GAP-21': ['replace', 'merge'],
  /** Vary parameters with characters outside [A-Za-z0-9_-]: silently dropped, or kept. */
  'GAP-21.characters': ['drop', 'keep'],
  /** How a cache layer outside the plan reads: as off, or, where a smaller plan came, as it was left. */
  'GAP-22': ['false', 'null', 'absent', 'as-left'],
  /** Enabling a layer that is on, or disabling one that is off. */
  'GAP-22.repeat': ['task', 'refuse'],
  /** Whether `all` is one task or one per layer (of which the first is named). */
  'GAP-22.all': ['one-task', 'task-per-layer'],
  /** Whether the 422 of a cache layer has a `code` beside its `error`. */
  'GAP-22.code': ['error-only', 'with-code'],
  /** How the list of edge rules is wrapped. */
  'GAP-23': ['bare', 'wrapped', 'upstream'],
  /** What writing an edge rule answers. */
  'GAP-23.write': ['rule', 'wrapped', 'empty'],
  /**
   * How the replacement of an edge rule is wrapped; where it is `flat`, a wrapper is an unknown field and everything
   * else counts as omitted.
   */
  'GAP-24': ['wrapped', 'either', 'flat'],
  /** The OrderIndex of an edge rule that is written without one. */
  'GAP-25': ['zero', 'last'],
  /** Whether order indexes stay as written, ties too, or are counted anew after each write. */
  'GAP-25.order': ['kept', 'renumbered'],
  /** POST of an edge rule with a Guid that nobody knows. */
  'GAP-25.guid': ['refuse', 'create', 'create-anew'],
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
  ...MAIL_AMBIGUITIES,
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
  ...PANEL_AMBIGUITIES,
  ...REGISTRATION_AMBIGUITIES,
  /** Unknown keys in every answer, as a later version would add them. */
  'GAP-59': ['extra-keys', 'plain'],
  /** How the entries of the access log are wrapped. */
  'GAP-61': ['wrapped', 'bare', 'upstream'],
  /** The log of the origin: a list of lines, or one text. */
  'GAP-61.origin': ['lines', 'text'],
  /** What the site list's `location` shows. */
  'GAP-62': ['region', 'short-name'],
  /** The order of the per-site guards behind "unknown site". */
  'GAP-65': ['listed', 'reversed'],
  /** The order of rows: shuffled once, differently at each read, or as stored. */
  listOrder: ['shuffled', 'reshuffled', 'stored'],
  /**
   * When a freshly attached domain, a fresh item of Shield, or anything new of mail, of panel accounts or users, shows
   * up in lists: at once, after k list reads, or after k virtual ms.
   */
  lateLists: ['off', 'reads:1', 'reads:2', 'ms:5000'],
  /** How an empty array reads. */
  emptyLists: ['array', 'null'],
  /**
   * How an empty text of an edge rule, of a description in Shield, or of a mailbox's display name, reads; the last is
   * never absent.
   */
  emptyTexts: ['null', 'text', 'absent'],
  /** Whether a site's php_version is the label of its variant, or longer. */
  phpVersion: ['label', 'long'],
  /** How Shield's learning mode reads once its time is over: off with the time still there, off without it, or on. */
  learningEnd: ['ends', 'ends-cleared', 'stays'],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>;

type Ambiguity = keyof typeof AMBIGUITIES;
type Reading<Key extends Ambiguity> = (typeof AMBIGUITIES)[Key][number];
export type Ambiguities = { readonly [Key in Ambiguity]: Reading<Key> };

/** Late lists take any number: `reads:3`, `ms:250`. */
const LATE = /^(reads|ms):\d+$/;

export function resolveAmbiguities(...layers: readonly Readonly<Record<string, string>>[]): Ambiguities {
  const resolved: Record<string, string> = Object.fromEntries(
    Object.entries(AMBIGUITIES).map(([key, values]) => [key, values[0]]),
  );
  for (const [key, value] of layers.flatMap((layer) => Object.entries(layer))) {
    resolved[key] = checked(key, value);
  }
  return resolved as Ambiguities;
}

function checked(key: string, value: string): string {
  if (!Object.hasOwn(AMBIGUITIES, key)) {
    throw new Error(`unknown ambiguity '${key}'; there are: ${Object.keys(AMBIGUITIES).join(', ')}`);
  }
  const values: readonly string[] = AMBIGUITIES[key as Ambiguity];
  if (values.includes(value) || (key === 'lateLists' && LATE.test(value))) return value;
  throw new Error(
    `ambiguity '${key}' cannot be '${value}'; it is one of: ${values.join(', ')}${key === 'lateLists' ? ', reads:N, ms:N' : ''}`,
  );
}
