// A hostname attached to a site: attach, promote to primary, detach. DNS records are the platform's or the user's,
// never ours (DOM-13). Moving one between sites is an outage (DOM-15): never without a consent, and never in more than
// one action.
import { diagnose } from '../../../../model/diagnostic.ts';
import type { ManifestPart, ManifestItem, LiveMember } from '../../../../model/kind/to-manifest.ts';
import { itemsPlacedAt } from '../../../../model/kind/to-manifest.ts';
import { canonicalHostname } from '../../../../model/hostname.ts';
import type { Json, JsonObject } from '../../../../model/json.ts';
import { isJsonObject, valueAt } from '../../../../model/json.ts';
import type { Answers, LiveNeighbour, Member, ReadContext, Blocker } from '../../../../model/kind/kind.ts';
import { createOnly, defineChild, immutable, updatable } from '../../../../model/kind/kind.ts';
import { rowsAt, textAt } from '../../../../model/kind/rows.ts';
import type { RefusedMove } from '../../../../model/kind/capabilities/move.ts';
import { LISTS } from '../../../common/lists.ts';
import { needsRegistration } from '../../../registration/kinds/registered-name.ts';
import type { OutputDefinition } from '../../../../model/kind/capabilities/needs.ts';
import { siteDomainRecords, siteDomainReported } from './records.ts';
import { attachSteps, detachSteps, freeStep, promoteSteps } from './steps.ts';
import type { SiteDomainSpec } from './spec.ts';

/**
 * The name servers of the zone, told once, when a hostname is attached by `dns` (DOM-07). They are never guessed:
 * whoever hands a name to servers that do not know it takes it off the net, so the zone comes first (O-61).
 */
const siteDomainOutputs: Readonly<Record<string, OutputDefinition<SiteDomainSpec>>> = {
  nameservers: {
    value: ({ reported: { ns1, ns2 } }) => (ns1 === undefined || ns2 === undefined ? undefined : [ns1, ns2]),
    unknown: {
      reason:
        'the platform tells the name servers once, when a hostname is attached by `dns`, and the ledger does not have them',
      remedy: 'Write the name servers as a list; the dashboard shows them.',
      rule: 'DOM-07',
    },
  },
};

export const siteDomain = defineChild<SiteDomainSpec, Member | null>({
  kind: 'SiteDomain',
  parent: 'Site',
  list: 'additive',
  // A new site has no hostname, and whether one is attached elsewhere can be read at any time.
  beforeParent: 'read',
  section: {
    fields: ['domains', 'primaryDomain'],
    unlisted: 'domains',
    expand: expandDomains,
    toManifest: domainsToManifest,
  },
  identity: ({ hostname = '' }) => canonicalHostname(hostname),
  fields: {
    hostname: immutable('A domain keeps its hostname: another hostname is another domain (DOM-09).'),
    attach: createOnly('The method is sent when a hostname is attached and never read back (DOM-06, GAP-18).'),
    moveFrom: createOnly('It is a consent to one move (DOM-15) and is sent to nobody.'),
    primary: updatable(),
  },
  normalise: (spec) => (spec.hostname === undefined ? spec : { ...spec, hostname: canonicalHostname(spec.hostname) }),
  reads: {
    // One call observes every site (DOM-01). Its rows do not say which is primary; the site does (DOM-14).
    here: {
      ...LISTS.domains,
      where: { pointer: '/site_id', equals: ({ parent }) => parent?.id ?? [] },
    },
    everywhere: {
      ...LISTS.domains,
      where: {
        pointer: { hostname: '/hostname' },
        equals: ({ declared }) => declared.members.map(({ identity }) => identity),
      },
    },
    // Only a removal needs to know which hostnames are the platform's own.
    cdn: {
      path: (context) =>
        context.parent === null || removalCandidates(context).length === 0
          ? null
          : `/api/sites/${encodeURIComponent(context.parent.id)}/cdn`,
      after: ['here'],
      absences: [[409, 'cdn_not_active']],
    },
  },
  decode: (answers, { parent }) => {
    const system = systemHostnames(answers.cdn);
    return rowsAt(answers.here).map((row) => {
      const hostname = canonicalHostname(textAt(row, '/hostname'));
      return {
        id: textAt(row, '/id'),
        spec: { hostname, primary: hostname === parent?.computed.primaryDomain },
        computed: { system: system === undefined ? null : system.has(hostname), hasZone: isJsonObject(row.dns_zone) },
      };
    });
  },
  // Where no manifest of this account could have it, or more than one site does (GAP-19), nothing is moved.
  blockers: (answers, context) =>
    Object.fromEntries(
      [...attachedElsewhere(answers, context)]
        .filter(([, rows]) => !isMovable(rows, context))
        .map(([hostname, rows]) => [
          hostname,
          {
            reason: `the hostname is attached to another site (id ${rows.map(({ siteId }) => siteId).join(', ')})`,
            remedy: 'Detach it there first; between the two the hostname serves nothing.',
            rule: 'O-14',
          },
        ]),
    ),
  // A zone is a hint, no proof: a registered name has one however it is attached (GAP-18).
  notices: ({ computed }, { attach }) =>
    attach === 'cname' && computed.hasZone === true
      ? [
          diagnose(
            'HW2062',
            'The manifest says `attach: cname`, and the platform hosts a DNS zone for the hostname, as it does for one that is attached by dns. How a live hostname is attached cannot be changed: detach it and attach it again if it matters; in between it serves nothing (DOM-06, GAP-18).',
          ),
        ]
      : [],
  create: {
    writes: ['hostname', 'attach', 'moveFrom'],
    steps: ({ self, parent, desired }) =>
      attachSteps(self, parent, desired.hostname as string, desired.attach ?? 'cname'),
  },
  update: {
    promote: {
      writes: ['primary'],
      // The former one becomes an alias. The first hostname of a site takes nobody's place.
      risk: ({ hostname }, _observed, _Computed, members) =>
        formerPrimaries(hostname, members).length > 0 ? ['primary'] : [],
      // The previous primary becomes an alias by itself (DOM-09).
      effects: ({ hostname }, members) =>
        formerPrimaries(hostname, members).map(({ identity }) => ({ identity, path: '/primary', value: false })),
      steps: ({ self, parent, desired, observed }) =>
        promoteSteps(self, parent, desired.hostname as string, observed === null),
    },
  },
  remove: {
    risk: ({ primary }) => (primary ? ['delete', 'primary'] : ['delete']),
    refuse: ({ spec, computed }, wanted) => {
      if (computed.system === true)
        return {
          reason: 'it is a hostname of the platform itself',
          remedy: 'Leave it; it cannot be detached.',
          rule: 'GAP-19',
        };
      if (computed.system === null)
        return {
          reason: "the CDN is not active, so nothing tells whether the hostname is the platform's own",
          remedy: 'Activate the CDN in the dashboard, then plan again.',
          rule: 'GAP-19',
        };
      if (spec.primary && !wanted.some(({ primary }) => primary === true))
        return {
          reason: 'it is the primary domain; without it the site falls back to its temporary URL',
          remedy: 'Name another hostname as primaryDomain first.',
          rule: 'DOM-11',
        };
      return null;
    },
    steps: ({ self, parent }) => detachSteps(self, parent),
  },
  order: [
    {
      rule: 'O-11',
      reason: 'the first domain of an empty site becomes its primary',
      within: 'parent',
      before: (action) =>
        action.kind === 'SiteDomain' &&
        action.verb === 'create' &&
        action.liveMembers === 0 &&
        becomesPrimary(action.changes),
      after: (action) =>
        action.kind === 'SiteDomain' &&
        action.verb === 'create' &&
        action.liveMembers === 0 &&
        !becomesPrimary(action.changes),
    },
    {
      rule: 'O-13',
      reason: 'without a new primary the site would fall back to its temporary URL',
      within: 'parent',
      before: (action) => action.kind === 'SiteDomain' && becomesPrimary(action.changes),
      after: (action) => action.kind === 'SiteDomain' && action.verb === 'delete',
    },
  ],
  manifest: {
    item: ({ spec }) => spec.hostname,
  },
  capabilities: {
    cached: true,
    move: {
      consent: 'moveFrom',
      elsewhere: (answers, context) =>
        Object.fromEntries(
          [...attachedElsewhere(answers, context)].flatMap(([hostname, rows]) =>
            isMovable(rows, context) ? rows.map(({ siteId, id }) => [hostname, { parentId: siteId, id }]) : [],
          ),
        ),
      refuse: refuseMove,
      document: (hostname, { computed }) => ({ hostname, primary: hostname === computed.primaryDomain }),
      leaving: {
        path: '/primary',
        value: false,
        rule: 'O-14',
        reason: 'it is the primary domain there; another one takes its place first',
        refuse: (holder) => ({
          reason: `it is the primary domain of ${holder}; without it that site falls back to its temporary URL (DOM-11)`,
          remedy: `Name another hostname as primaryDomain of ${holder}: it is promoted first.`,
          rule: 'O-14',
        }),
        refuseSwap: (holder) => ({
          reason: `it is the primary domain of ${holder}, and the hostname that is to take its place there waits for this one in turn`,
          remedy: `Swap in two runs. First leave these hostnames where they are, and name a third hostname as primaryDomain of ${holder}. When that is applied, write the swap as it is now.`,
          rule: 'O-14',
        }),
      },
      // The other site loses it, and until it is attached here it serves nothing: whoever protects that site does not
      // want this.
      risk: ['delete'],
      steps: ({ self, parent, identity, to }) => [...detachSteps(self, parent), freeStep(identity, to)],
    },
    needs: needsRegistration('O-17', ({ hostname }) => hostname),
    outputs: siteDomainOutputs,
    records: siteDomainRecords,
    reported: siteDomainReported,
  },
});

/** The live primary hostname, where it is another one. */
function formerPrimaries(
  hostname: string | undefined,
  members: readonly LiveNeighbour<SiteDomainSpec>[],
): readonly LiveNeighbour<SiteDomainSpec>[] {
  return members.filter(({ identity, spec }) => spec.primary === true && identity !== hostname);
}

interface Attached {
  readonly id: string;
  readonly siteId: string;
  readonly accountId: Json | undefined;
}

/** The declared hostnames that other sites have, with the rows that say so. */
function attachedElsewhere(answers: Answers, { parent }: ReadContext): ReadonlyMap<string, readonly Attached[]> {
  const attached = new Map<string, Attached[]>();
  for (const row of rowsAt(answers.everywhere)) {
    const siteId = valueAt(row, '/site_id');
    if (typeof siteId !== 'string' || siteId === parent?.id) continue;
    const hostname = canonicalHostname(textAt(row, '/hostname'));
    attached.set(hostname, [
      ...(attached.get(hostname) ?? []),
      { id: textAt(row, '/id'), siteId, accountId: valueAt(row, '/account_id') },
    ]);
  }
  return attached;
}

function isMovable(rows: readonly Attached[], { account }: ReadContext): boolean {
  return rows.length === 1 && rows[0]?.accountId === account;
}

function refuseMove({ parentId, holder, consent }: RefusedMove): Blocker {
  const where = holder === undefined ? `another site (id ${parentId})` : `${holder} (id ${parentId})`;
  const reason =
    consent === undefined
      ? `the hostname is attached to ${where}`
      : `moveFrom says ${consent}, but the hostname is attached to ${where}`;
  const outage = 'between the two the hostname serves nothing.';
  const remedy =
    holder === undefined
      ? `Detach it there first, or bind a manifest to that site (metadata.id: ${parentId}) and name that manifest as moveFrom of the hostname; ${outage}`
      : `Write \`moveFrom: ${holder}\` with the hostname to move it here, or detach it there first; ${outage}`;
  return { reason, remedy, rule: 'O-14' };
}

function becomesPrimary(changes: readonly { readonly path: string; readonly value?: unknown }[]): boolean {
  return changes.some(({ path: pointer, value }) => pointer === '/primary' && value === true);
}

/**
 * `primaryDomain` is declared too when `domains` does not list it. Only it carries `primary`: the others are aliases by
 * its promotion.
 */
function expandDomains(site: JsonObject) {
  const listed = (Array.isArray(site.domains) ? (site.domains as readonly (string | JsonObject)[]) : []).map(
    (item, index) => ({
      spec: typeof item === 'string' ? { hostname: item } : item,
      pointer: `/domains/${index}`,
    }),
  );
  const primary = typeof site.primaryDomain === 'string' ? canonicalHostname(site.primaryDomain) : undefined;
  const items = listed.map(({ spec, pointer }) => {
    const hostname = canonicalHostname(spec.hostname as string);
    const isPrimary = hostname === primary;
    return {
      name: hostname,
      spec: { ...spec, hostname, ...(isPrimary && { primary: true }) },
      pointer,
      ...(isPrimary && { pointers: { primary: '/primaryDomain' } }),
    };
  });
  if (primary === undefined || items.some(({ name }) => name === primary)) return items;
  return [...items, { name: primary, spec: { hostname: primary, primary: true }, pointer: '/primaryDomain' }];
}

/** Which is the primary one is said once, beside the list. */
function domainsToManifest(
  members: readonly LiveMember[],
  { items }: { readonly items: readonly ManifestItem[] },
): ManifestPart {
  const primary = members.find(({ spec }) => spec.primary === true)?.identity;
  const { spec } = itemsPlacedAt('domains', items);
  if (items.length === 0) return { spec };
  return {
    spec: { ...spec, ...(primary !== undefined && { primaryDomain: primary }) },
    comments: [
      {
        pointer: '/domains',
        text: 'The platform does not show how a hostname was attached; write `attach` for new ones only.',
      },
    ],
  };
}

/**
 * Live hostnames that this plan may want to detach: ours by the ledger or all where the manifest says so, and not
 * wanted any more.
 */
function removalCandidates({ declared, owned, answers }: ReadContext): readonly string[] {
  if (declared.partial) return [];
  const wanted = new Set(
    declared.members.filter(({ lifecycle }) => lifecycle.state === 'present').map(({ identity }) => identity),
  );
  return rowsAt(answers.here)
    .map((row) => canonicalHostname(textAt(row, '/hostname')))
    .filter((hostname) => !wanted.has(hostname) && (owned.has(hostname) || declared.unlisted === 'remove'));
}

/** undefined when the CDN does not tell. */
function systemHostnames(cdn: unknown): ReadonlySet<string> | undefined {
  if (!isJsonObject(cdn)) return undefined;
  return new Set(
    rowsAt(cdn, '/hostnames')
      .filter((row) => row.is_system_hostname === true)
      .map((row) => canonicalHostname(textAt(row, '/value'))),
  );
}
