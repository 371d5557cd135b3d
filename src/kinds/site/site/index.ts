// A site: bought with an `order:` block, bound to its manifest, renamed, resized, deleted. Its sections (domains,
// caching, ...) are kinds of their own. Must not buy what an object of the account answers to, nor a replacement for
// what is being deleted (GAP-08).
import { canonicalHostname } from '../../../model/hostname.ts';
import type { Json, JsonObject } from '../../../model/json.ts';
import { isJsonObject, valueAt } from '../../../model/json.ts';
import type { Answers, FailureRow, OrderRule, ReadContext } from '../../../model/kind/kind.ts';
import { createOnly, defineKind, PURSE, updatable } from '../../../model/kind/kind.ts';
import { rowsAt, textAt } from '../../../model/kind/rows.ts';
import type { SiteOrder } from './steps.ts';
import { DELETED, deleteSteps, orderSteps, renameSteps, resizeSteps } from './steps.ts';

export interface SiteSpec {
  readonly name: string;
  readonly plan: string;
  readonly order: SiteOrder;
}

const modify = { userCredential: false, scopes: ['sites:write'], roles: ['can_modify'] } as const;

/** Without the list a strange package is just that: strange. */
const NO_PLANS: FailureRow = {
  status: 'any',
  state: 'null',
  because: 'the list of plans cannot be read',
  todo: 'Run plan again.',
  rule: 'GAP-07',
};

export const site = defineKind<SiteSpec>({
  kind: 'Site',
  parent: null,
  list: 'asset',
  section: {
    fields: ['name', 'plan', 'order'],
    expand: (spec) => [{ name: null, spec: pick(spec, ['name', 'plan', 'order']), pointer: '' }],
  },
  identity: ({ name = '' }) => name,
  fields: {
    name: updatable(),
    plan: updatable(),
    order: createOnly(
      'Variant, location and term are chosen when a site is bought; no call changes them (SIT-11, SIT-12).',
    ),
  },
  normalise: (spec) => spec,
  reads: {
    // Without the account header the list widens to everything the user can reach; the header is always sent and
    // every row is checked as well (CNV-08, SIT-01).
    sites: {
      path: () => '/api/sites',
      rows: '/sites',
      unsurePaging: true,
      where: { pointer: '/account/id', equals: ({ account }) => account },
    },
    // Hostnames are the only natural key of a site. Whoever declares hostnames needs this list anyway.
    domains: {
      path: ({ declared, whole }) =>
        whole === true || declared.members.some(({ keys }) => keys[0]?.length) ? '/api/domains' : null,
      rows: '/domains',
      unsurePaging: true,
      where: { pointer: '/account_id', equals: ({ account }) => account },
    },
    // Only where a live package is none of the declared plans does it matter which plans there are (O-03); their names
    // come from there (ORD-26).
    about: {
      path: (context) => (strangePackages(context).length === 0 ? null : '/api/about'),
      after: ['sites'],
      failures: [NO_PLANS],
    },
  },
  failures: [],
  decode: decodeSites,
  filing: {
    folder: 'sites',
    called: ({ spec, facts, keys }) => [
      spec.name,
      ...(typeof facts.primaryDomain === 'string' ? [facts.primaryDomain] : []),
      ...[...(keys[0] ?? [])].sort(),
    ],
  },
  create: {
    writes: ['plan', 'order'],
    // Orders are closed to OAuth, and a system key has no user (ORD-01, CNV-13).
    requires: { userCredential: true, closedToOauth: true, scopes: [], roles: [] },
    risk: ['charge'],
    holds: [PURSE],
    refuseNew: ({ plan, order }) => {
      if (order === undefined)
        return {
          because: 'no site of the account answers to this manifest',
          todo: 'Bind it: write the id of its site as metadata.id, or its display name as spec.name. To buy one, write spec.plan and spec.order.',
          rule: 'ORD-23',
        };
      return plan === undefined
        ? {
            because: 'no site answers to this manifest, and its order says no plan',
            todo: 'Write the plan to buy as spec.plan.',
            rule: 'ORD-22',
          }
        : null;
    },
    steps: ({ self, desired }) => orderSteps(self, desired.order as SiteOrder, desired.plan as string),
  },
  update: {
    rename: {
      writes: ['name'],
      requires: modify,
      steps: ({ self, desired }) => renameSteps(self, desired.name as string),
    },
    resize: {
      writes: ['plan'],
      after: ['rename'],
      requires: { ...modify, userCredential: true },
      risk: ['charge', 'restart'],
      holds: [PURSE],
      // Whether the package of a site is written as the plan of an order is, is not documented: only what is known as a
      // plan is compared with one.
      refuse: (_desired, { spec, facts }) =>
        facts.isPlan === true
          ? null
          : {
              because: `the platform shows the package ${JSON.stringify(spec.plan ?? null)}, which is none of its plans, so it cannot be compared with spec.plan`,
              todo: 'Leave spec.plan out, or write there what the platform shows.',
              rule: 'GAP-05',
            },
      steps: ({ self, desired, observed }) =>
        resizeSteps(self, desired.name ?? observed?.name ?? '', desired.plan as string),
    },
  },
  remove: {
    requires: { userCredential: false, scopes: ['sites:write'], roles: ['can_destroy'] },
    risk: ['delete', 'irreversible'],
    warning:
      'Deleting a site can change the volume discounts, and so the price, of the other sites; the platform has no call that brings it back (SIT-07). Detach hostnames and move mail that are still needed first (O-71).',
    probe: { path: (id) => `/api/sites/${encodeURIComponent(id)}/domains`, gone: DELETED },
    steps: ({ self }) => deleteSteps(self),
  },
  order: [
    {
      rule: 'O-06',
      because: 'its id is not known before it is bought',
      within: 'root',
      before: ({ kind, verb }) => kind === 'Site' && verb === 'create',
      after: ({ kind }) => kind !== 'Site',
    },
    afterResize('O-07', 'only the new plan may have it', /^(CacheLayer|Shield)/),
    afterResize('O-09', 'both restart the site, so one after the other', /^Php/),
  ],
});

function afterResize(rule: string, because: string, kinds: RegExp): OrderRule {
  const resizes: OrderRule['before'] = ({ kind, verb, changes }) =>
    kind === 'Site' && verb === 'update' && changes.some(({ path }) => path === '/plan');
  return { rule, because, within: 'root', before: resizes, after: ({ kind }) => kinds.test(kind) };
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
      facts: { primaryDomain, isPlan: typeof plan === 'string' && plans.has(plan) },
      keys: [keys, typeof name === 'string' ? [name] : []],
    };
  });
}

function plansDeclared({ declared }: ReadContext): readonly string[] {
  return declared.members.flatMap(({ spec }) => (typeof spec.plan === 'string' ? [spec.plan] : []));
}

/** Live packages that are none of the declared plans; none where no plan is declared. */
function strangePackages(context: ReadContext): readonly Json[] {
  const plans = plansDeclared(context);
  return plans.length === 0
    ? []
    : rowsAt(context.answers.sites).flatMap((row) =>
        plans.includes(row.package as string) ? [] : [row.package ?? null],
      );
}

/** Every text in an answer whose shape is not documented (GAP-07). */
function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap((item: Json) => textsIn(item));
  return isJsonObject(value) ? Object.values(value).flatMap((item) => textsIn(item)) : [];
}

function pick(spec: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(fields.filter((field) => field in spec).map((field) => [field, spec[field] as Json]));
}
