// How the sandbox reads what the API documents leave open: each gap has named readings. They are not bent to what a
// client hopes for: it has to converge, or stop honestly, under every one. A key is a gap id; where one gap asks several
// questions, `GAP-19.scope` and so on. The first value is the default.
// Areas bring theirs.

export type AmbiguityTable = Readonly<Record<string, readonly [string, ...string[]]>>;

/** The chosen reading of each ambiguity of a table. */
export type Readings<Table extends AmbiguityTable> = { readonly [Key in keyof Table]: Table[Key][number] };

export const CORE_AMBIGUITIES = {
  /** How an API key travels: after `Bearer`, bare, or either. */
  'GAP-01': ['either', 'bearer', 'raw'],
  /** What a 429 looks like: the usual error body and a Retry-After header, or nothing at all. */
  'GAP-02': ['enveloped', 'bare'],
  /** Whether the 403 of a missing role (and of "not for OAuth") has a `code`. */
  'GAP-03': ['without-code', 'with-code'],
  /** Whether the lists of sites and domains are paged. */
  'GAP-06': ['unpaged', 'paged'],
  /** The shape of the list of locations and plans. */
  'GAP-07': ['objects', 'texts', 'nested'],
  /** How writes answer whose body is not documented. */
  'GAP-09': ['empty', 'object', 'accepted'],
  /** Task answers: as they are, or under `tasks` / `task`. */
  'GAP-14': ['bare', 'wrapped'],
  'GAP-14.timestamps': ['unix', 'iso'],
  /** Whether /api/tasks/:id wants the account header. */
  'GAP-14.header': ['optional', 'required'],
  /** Which domains have a zone here: those attached by nameservers, or all. */
  'GAP-18': ['dns-only', 'always'],
  /** Whether attaching a site's first domain activates its CDN. */
  'GAP-20': ['never', 'first-domain'],
  /** Unknown keys in every answer, as a later version would add them. */
  'GAP-59': ['extra-keys', 'plain'],
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
  lateLists: ['off', 'reads:2'],
  /** How an empty array reads. */
  emptyLists: ['array', 'null'],
  /**
   * How an empty text of an edge rule, of a description in Shield, or of a mailbox's display name, reads; the last is
   * never absent.
   */
  emptyTexts: ['null', 'text', 'absent'],
  /** Whether a site's php_version is the label of its variant, or longer. */
  phpVersion: ['label', 'long'],
  /** Whose credential reaches a new sub-account: the reseller's too, or only that of its own user. */
  'GAP-56.reach': ['reseller', 'own'],
} as const;

/** Each area adds its own. */
export interface Ambiguities extends Readings<typeof CORE_AMBIGUITIES> {}

/** Late lists take any number: `reads:3`, `ms:250`. */
const LATE = /^(reads|ms):\d+$/;

/** The first reading of each, or what the layers choose; the last one wins. */
export function resolveAmbiguities(
  table: AmbiguityTable,
  ...layers: readonly Readonly<Record<string, string>>[]
): Ambiguities {
  const resolved: Record<string, string> = Object.fromEntries(
    Object.entries(table).map(([key, values]) => [key, values[0]]),
  );
  for (const [key, value] of layers.flatMap((layer) => Object.entries(layer))) {
    resolved[key] = checked(table, key, value);
  }
  return resolved as unknown as Ambiguities;
}

function checked(table: AmbiguityTable, key: string, value: string): string {
  const values: readonly string[] | undefined = Object.hasOwn(table, key) ? table[key] : undefined;
  if (values === undefined) throw new Error(`unknown ambiguity '${key}'; there are: ${Object.keys(table).join(', ')}`);
  if (values.includes(value) || (key === 'lateLists' && LATE.test(value))) return value;
  throw new Error(
    `ambiguity '${key}' cannot be '${value}'; it is one of: ${values.join(', ')}${key === 'lateLists' ? ', reads:N, ms:N' : ''}`,
  );
}
