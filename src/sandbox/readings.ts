// Decides how the sandbox reads what the API documents leave open: each gap is a switch with named readings.
// Must not be bent to what a client hopes for: the client has to converge, or stop honestly, under every reading.
// A key is a gap id; where one gap asks several questions, `GAP-19.scope` and so on. The first value is the default.

export const READINGS = {
  /** How an API key travels: after `Bearer`, bare, or either. */
  'GAP-01': ['either', 'bearer', 'raw'],
  /** What a 429 looks like: the usual error body and a Retry-After header, or nothing at all. */
  'GAP-02': ['enveloped', 'bare'],
  /** Whether the 403 of a missing role (and of "not for OAuth") has a `code`. */
  'GAP-03': ['without-code', 'with-code'],
  /** Where a site's view answers. */
  'GAP-04': ['both', 'documented', 'plain'],
  /** What a change of a site's plan answers: the envelope of a purchase, a task id, or as any update; the package changes later in any case. */
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
  /** How a cache layer outside the plan reads. */
  'GAP-22': ['false', 'null', 'absent'],
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
  /** How the replacement of an edge rule is wrapped; where it is `flat`, a wrapper is an unknown field and everything else counts as omitted. */
  'GAP-24': ['wrapped', 'either', 'flat'],
  /** The OrderIndex of an edge rule that is written without one. */
  'GAP-25': ['zero', 'last'],
  /** Whether order indexes stay as written, ties too, or are counted anew after each write. */
  'GAP-25.order': ['kept', 'renumbered'],
  /** POST of an edge rule with a Guid that nobody knows. */
  'GAP-25.guid': ['refuse', 'create', 'create-anew'],
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
  /** When a freshly attached domain shows up in lists: at once, after k list reads, or after k virtual ms. */
  lateLists: ['off', 'reads:1', 'reads:2', 'ms:5000'],
  /** How an empty array reads. */
  emptyLists: ['array', 'null'],
  /** How an empty text of an edge rule reads. */
  emptyTexts: ['null', 'text', 'absent'],
  /** Whether a site's php_version is the label of its variant, or longer. */
  phpVersion: ['label', 'long'],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>;

type ReadingKey = keyof typeof READINGS;
type ReadingValue<Key extends ReadingKey> = (typeof READINGS)[Key][number];
export type Readings = { readonly [Key in ReadingKey]: ReadingValue<Key> };

/** Late lists take any number: `reads:3`, `ms:250`. */
const LATE = /^(reads|ms):\d+$/;

export function resolveReadings(...layers: readonly Readonly<Record<string, string>>[]): Readings {
  const resolved: Record<string, string> = Object.fromEntries(Object.entries(READINGS).map(([key, values]) => [key, values[0]]));
  for (const [key, value] of layers.flatMap((layer) => Object.entries(layer))) {
    resolved[key] = checked(key, value);
  }
  return resolved as Readings;
}

function checked(key: string, value: string): string {
  if (!Object.hasOwn(READINGS, key)) {
    throw new Error(`unknown reading '${key}'; there are: ${Object.keys(READINGS).join(', ')}`);
  }
  const values: readonly string[] = READINGS[key as ReadingKey];
  if (values.includes(value) || (key === 'lateLists' && LATE.test(value))) return value;
  throw new Error(`reading '${key}' cannot be '${value}'; it is one of: ${values.join(', ')}${key === 'lateLists' ? ', reads:N, ms:N' : ''}`);
}
