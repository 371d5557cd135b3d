// A site: bought with an `order:` block, bound to its manifest, renamed, resized, deleted. Its sections (domains,
// caching, ...) are kinds of their own. It must not buy what an object of the account answers to, nor a replacement for
// what is being deleted (GAP-08).
import { diagnose } from '../../../../model/diagnostic.ts';
import { ANYONE } from '../../../endpoint.ts';
import { canonicalHostname } from '../../../../model/hostname.ts';
import type { Json, JsonObject } from '../../../../model/json.ts';
import { isJsonObject, valueAt } from '../../../../model/json.ts';
import type {
  Answers,
  Blocker,
  FieldDoubt,
  HoldingDefinition,
  OrderedAction,
  ReadContext,
} from '../../../../model/kind/kind.ts';
import { createOnly, defineRoot, updatable } from '../../../../model/kind/kind.ts';
import { objectAt, rowsAt, textAt } from '../../../../model/kind/rows.ts';
import { LISTS } from '../../../common/lists.ts';
import { describePaid } from '../../../common/purchase.ts';
import { removalNotice } from '../../../common/steps.ts';
import type { SiteOrder } from './steps.ts';
import { DELETED, deleteSteps, orderSteps, renameSteps, resizeSteps } from './steps.ts';

export interface SiteSpec {
  readonly name: string;
  readonly plan: string;
  readonly order: SiteOrder;
}

export const site = defineRoot<SiteSpec>({
  kind: 'Site',
  list: 'additive',
  section: {
    fields: ['name', 'plan', 'order'],
    expand: (spec) => [{ name: null, spec: pick(spec, ['name', 'plan', 'order']), pointer: '' }],
  },
  identity: 'name',
  fields: {
    name: updatable(),
    plan: updatable(),
    order: createOnly(
      'Variant, location and term are chosen when a site is bought; no call changes them (SIT-11, SIT-12).',
    ),
  },
  reads: {
    // Without the account header the list widens to everything the user can reach (SIT-01).
    sites: LISTS.sites,
    // Hostnames are the only natural key of a site. Whoever declares hostnames needs this list anyway.
    domains: {
      ...LISTS.domains,
      path: ({ declared, whole }) =>
        whole === true || declared.members.some(({ keys }) => keys[0]?.length) ? LISTS.domains.path() : null,
    },
    // Which plans and locations there are (ORD-26) matters only where something may be bought or resized, or a live
    // package is none of the plans (O-03).
    // Without it a strange package is just that: strange.
    about: {
      path: (context) =>
        hasStrangePackage(context) || newPlans(context).size > 0 || isOrdering(context) ? '/api/about' : null,
      after: ['sites', 'domains'],
      absences: 'any',
    },
  },
  decode: decodeSites,
  // A site in its deletion window may be in no list, and one that was just bought may not be in it yet: neither is
  // bought anew.
  blockers: (_answers, { declared, owned }) =>
    Object.fromEntries(
      declared.members
        .filter(({ identity }) => owned.has(identity))
        .map(({ identity, address }) => [identity, hadIt(address)]),
    ),
  create: {
    writes: ['plan', 'order'],
    // Orders are closed to OAuth, and a system key has no user (ORD-01, CNV-13).
    risk: ['charge'],
    refuse: ({ plan, order }) => {
      if (order === undefined)
        return {
          reason: 'no site of the account answers to this manifest',
          remedy:
            'Bind it: write the id of its site as metadata.id, or its display name as spec.name. To buy one, write spec.plan and spec.order.',
          rule: 'ORD-23',
        };
      return plan === undefined
        ? {
            reason: 'no site answers to this manifest, and its order says no plan',
            remedy: 'Write the plan to buy as spec.plan.',
            rule: 'ORD-22',
          }
        : null;
    },
    steps: ({ self, desired }) => orderSteps(self, desired.order as SiteOrder, desired.plan as string),
  },
  update: {
    rename: {
      writes: ['name'],
      steps: ({ self, desired }) => renameSteps(self, desired.name as string),
    },
    resize: {
      writes: ['plan'],
      requires: { ...ANYONE, userCredential: true },
      risk: ['charge', 'restart'],
      // Whether the package of a site is written as the plan of an order is, is not documented: only what is known as a
      // plan is compared with one.
      refuse: (_desired, { spec, computed }) =>
        computed.isPlan === true
          ? null
          : {
              reason: `the platform shows the package ${JSON.stringify(spec.plan ?? null)}, which is none of its plans, so it cannot be compared with spec.plan`,
              remedy: 'Leave spec.plan out, or write there what the platform shows.',
              rule: 'GAP-05',
            },
      steps: ({ self, desired, observed }) =>
        resizeSteps(self, desired.name ?? observed?.name ?? '', desired.plan as string),
    },
  },
  remove: {
    risk: ['delete', 'irreversible'],
    notice: removalNotice(
      'Deleting a site can change the volume discounts, and so the price, of the other sites; the platform has no call that brings it back (SIT-07). Detach hostnames and move mail that are still needed first (O-71).',
    ),
    steps: ({ self }) => deleteSteps(self),
  },
  order: [
    {
      rule: 'O-06',
      reason: 'its id is not known before it is bought',
      within: 'root',
      before: ({ kind, verb }) => kind === 'Site' && verb === 'create',
      after: ({ kind }) => kind !== 'Site',
    },
    {
      rule: 'O-07',
      reason: 'only the new plan may have it',
      within: 'root',
      before: resizes,
      // A deletion needs nothing of the new plan: it comes last (O-70), or first with the Shield that it is in (O-25).
      after: (action) => /^(CacheLayer|Shield)/.test(action.kind) && action.verb !== 'delete' && !switchesOff(action),
    },
    // No document says which plan is the smaller one, so every resize may be a downsize.
    {
      rule: 'O-08',
      reason: 'the new plan may not have it, and would then refuse to switch it off',
      within: 'root',
      frees: true,
      before: switchesOff,
      after: resizes,
    },
    {
      rule: 'O-09',
      reason: 'both restart the site, so one after the other',
      within: 'root',
      before: resizes,
      after: ({ kind }) => /^Php/.test(kind),
    },
  ],
  manifest: {
    file: {
      folder: 'sites',
      called: ({ spec, computed, keys }) => [
        spec.name,
        ...(typeof computed.primaryDomain === 'string' ? [computed.primaryDomain] : []),
        ...[...(keys[0] ?? [])].sort(),
      ],
    },
  },
  capabilities: {
    doubts: unlisted,
    // A site that is suspended or is being deleted is in the list as any other (SIT-08), and one that is gone for a
    // while (SIT-07).
    probe: { path: domainsPath, gone: DELETED },
    paid: {
      describe: ({ id, computed: { primaryDomain, createdAt } }) =>
        describePaid(id, primaryDomain ?? 'no hostname', createdAt),
      // A hostname is attached after the purchase, so it does not tell one purchase from another (ORD-23).
      hasNaturalKey: () => false,
      ordered: (view) => {
        const id = valueAt(view, '/site/id');
        const location = valueAt(view, '/order/location');
        if (typeof id !== 'string' && typeof location !== 'string') return null;
        return {
          what: `a site in ${typeof location === 'string' ? location : 'an unknown location'}`,
          ...(typeof id === 'string' && { id }),
        };
      },
    },
  },
});

function domainsPath(id: string): string {
  return `/api/sites/${encodeURIComponent(id)}/domains`;
}

function hostnamesIn(answer: Json) {
  const names = rowsAt(answer, '/domains').map((row) => canonicalHostname(textAt(row, '/hostname')));
  return [{ count: names.length, names: names.sort() }];
}

function backupsPath(id: string): string {
  return `/api/sites/${encodeURIComponent(id)}/backups`;
}

/** The archives of each volume (BKP-01). */
/** What is deleted with a site. */
export const siteHoldings: readonly HoldingDefinition[] = [
  { what: 'hostname', path: domainsPath, decode: hostnamesIn },
  { what: 'backup archive', path: backupsPath, decode: archivesIn },
];

function archivesIn(answer: Json) {
  const volumes = Object.entries(objectAt(answer)).map(([label, volume]) => {
    const archives = rowsAt(volume, '/archives');
    const newest = archives
      .flatMap(({ created }) => (typeof created === 'string' ? created : []))
      .sort((left, right) => Date.parse(left) - Date.parse(right))
      .at(-1);
    return { of: label, count: archives.length, ...(newest !== undefined && { newest }) };
  });
  return volumes.some(({ count }) => count > 0) ? volumes : [{ count: 0 }];
}

function hadIt(address: string): Blocker {
  return {
    reason:
      'the ledger shows that the account had this site, and the list of sites does not show it any more: it is being deleted, or is gone',
    remedy: `Look in the dashboard what became of it, and have it restored there. Only if another site is to be bought in its place, run \`hostwright ledger forget ${address}\`, then plan again.`,
    rule: 'GAP-08',
    as: 'manual',
  };
}

function resizes({ kind, verb, changes }: OrderedAction): boolean {
  return kind === 'Site' && verb === 'update' && changes.some(({ path }) => path === '/plan');
}

/** A cache layer, or Shield as a whole. */
function switchesOff({ kind, changes }: OrderedAction): boolean {
  return (
    /^(CacheLayer|Shield)$/.test(kind) && changes.some(({ path, value }) => path === '/enabled' && value === false)
  );
}

function decodeSites(answers: Answers, context: ReadContext) {
  const hostnames = new Map<string, string[]>();
  for (const row of answers.domains === undefined ? [] : rowsAt(answers.domains)) {
    const siteId = valueAt(row, '/site_id');
    if (typeof siteId !== 'string') continue;
    hostnames.set(siteId, [...(hostnames.get(siteId) ?? []), canonicalHostname(textAt(row, '/hostname'))]);
  }
  const plans = new Set([...plansDeclared(context), ...textsIn(answers.about)]);
  return rowsAt(answers.sites).map((row) => {
    const id = textAt(row, '/id');
    const primary = valueAt(row, '/primary_domain');
    const name = valueAt(row, '/name');
    const plan = valueAt(row, '/package');
    const primaryDomain = typeof primary === 'string' ? canonicalHostname(primary) : null;
    const keys = [...new Set([...(hostnames.get(id) ?? []), ...(primaryDomain === null ? [] : [primaryDomain])])];
    return {
      id,
      spec: { name: typeof name === 'string' ? name : '', ...(typeof plan === 'string' && { plan }) },
      computed: {
        primaryDomain,
        isPlan: typeof plan === 'string' && plans.has(plan),
        ...(typeof row.created_at === 'string' && { createdAt: row.created_at }),
      },
      keys: [keys, typeof name === 'string' ? [name] : []],
    };
  });
}

function plansDeclared({ declared }: Pick<ReadContext, 'declared'>): ReadonlySet<string> {
  const plans = new Set<string>();
  for (const { spec } of declared.members) if (typeof spec.plan === 'string') plans.add(spec.plan);
  return plans;
}

/** Declared plans that no live site has. */
function newPlans(context: Pick<ReadContext, 'declared' | 'answers'>): ReadonlySet<string> {
  const plans = new Set(plansDeclared(context));
  if (plans.size > 0) for (const row of rowsAt(context.answers.sites)) plans.delete(row.package as string);
  return plans;
}

/** Whether a declared site with an order may be none of those that are live. */
function isOrdering({ declared, answers }: ReadContext): boolean {
  const ordering = declared.members.filter(({ spec }) => spec.order !== undefined);
  if (ordering.length === 0) return false;
  const hostnames = rowsAt(answers.domains ?? []).map((row) => canonicalHostname(textAt(row, '/hostname')));
  const keys = new Set([
    ...hostnames,
    ...rowsAt(answers.sites).flatMap((row) => [row.id, row.name, row.primary_domain]),
  ]);
  return ordering.some(
    ({ boundId, keys: own }) =>
      ![...(boundId === undefined ? [] : [boundId]), ...own.flat()].some((key) => keys.has(key)),
  );
}

/**
 * Plans and locations that the platform does not list, where names can be recognised in what it answers (GAP-07): no
 * proof that they cannot be ordered.
 */
function unlisted(answers: Answers, { declared }: ReadContext): Readonly<Record<string, readonly FieldDoubt[]>> {
  const plans = namesUnder(answers.about, /plan|package|product/i);
  const locations = namesUnder(answers.about, /location|region/i);
  if (plans.length === 0 && locations.length === 0) return {};
  const added = newPlans({ declared, answers });
  const doubt = (
    field: string,
    what: string,
    value: Json | undefined,
    names: readonly string[],
  ): readonly FieldDoubt[] => {
    if (typeof value !== 'string' || names.length === 0 || names.includes(value)) return [];
    const detail = `The platform does not list a ${what} ${value} (GET /api/about lists ${[...new Set(names)].sort().join(', ')}), so it may refuse the order or the resize (ORD-26, GAP-07). Correct ${field === 'plan' ? 'spec.plan' : 'spec.order.location'} if it is a slip.`;
    return [{ field, ...diagnose('HW2061', detail) }];
  };
  return Object.fromEntries(
    declared.members.map(({ identity, spec }) => [
      identity,
      [
        ...doubt('plan', 'plan', added.has(spec.plan as string) ? spec.plan : undefined, plans),
        ...doubt('order', 'location', valueAt(spec, '/order/location'), locations),
      ],
    ]),
  );
}

/** Every name below a key of this kind: texts, and the keys of texts. */
function namesUnder(value: Json | undefined, key: RegExp): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item: Json) => namesUnder(item, key));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) => (key.test(name) ? namesIn(item) : namesUnder(item, key)));
}

/** What an entry of a list may be called by; an order takes the short name where there is one. */
const NAME_KEYS = ['id', 'slug', 'code', 'name'];

function namesIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap((item: Json) => namesIn(item));
  if (!isJsonObject(value)) return [];
  const shortName = value.short_name ?? value.shortName;
  if (typeof shortName === 'string') return [shortName];
  const called = NAME_KEYS.map((key) => value[key]).filter((name) => typeof name === 'string');
  return called.length > 0
    ? called
    : Object.entries(value).flatMap(([name, item]) => (typeof item === 'string' ? [name, item] : namesIn(item)));
}

/** Whether a live package is none of the declared plans; not where no plan is declared. */
function hasStrangePackage(context: ReadContext): boolean {
  const plans = plansDeclared(context);
  return plans.size > 0 && rowsAt(context.answers.sites).some((row) => !plans.has(row.package as string));
}

/** Every text in an answer whose shape is not documented, and what it is called there (GAP-07). */
function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap((item: Json) => textsIn(item));
  return isJsonObject(value)
    ? Object.entries(value).flatMap(([name, item]) => (typeof item === 'string' ? [name, item] : textsIn(item)))
    : [];
}

function pick(spec: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(fields.filter((field) => field in spec).map((field) => [field, spec[field] as Json]));
}
