// A hostname attached to a site: attach, promote to primary, detach. DNS records are the platform's or the user's, never ours (DOM-13).
// Must not move a hostname between sites: that is an outage (DOM-15).
import { canonicalHostname } from '../model/hostname.ts';
import type { JsonObject } from '../model/json.ts';
import { isJsonObject, valueAt } from '../model/json.ts';
import type { ReadContext } from '../model/kind.ts';
import { createOnly, defineKind, fixed, rowsAt, textAt, updatable } from '../model/kind.ts';
import type { Locate } from '../model/request.ts';
import { path, ref } from '../model/request.ts';
import { siteGuards } from './site-guards.ts';

export interface SiteDomainSpec {
  readonly hostname: string;
  readonly attach: 'dns' | 'cname';
  readonly primary: boolean;
}

const modify = { userCredential: false, scopes: [], roles: ['can_modify'] } as const; // the scope is not documented (GAP-19)
const LISTED_WITHIN_MS = 120_000;
const LOST_GRACE_MS = 10_000;

export const siteDomain = defineKind<SiteDomainSpec>({
  kind: 'SiteDomain',
  parent: 'Site',
  list: 'asset',
  section: { fields: ['domains', 'primaryDomain'], unlisted: 'domains', expand: expandDomains },
  identity: ({ hostname = '' }) => canonicalHostname(hostname),
  fields: {
    hostname: fixed('The API has no rename: another hostname is another domain.'),
    attach: createOnly('The method is sent when a hostname is attached and never read back (DOM-06, GAP-18).'),
    primary: updatable(),
  },
  normalise: (spec) => (spec.hostname === undefined ? spec : { ...spec, hostname: canonicalHostname(spec.hostname) }),
  reads: {
    // One call observes every site (DOM-01). Its rows do not say which is primary; the site does (DOM-14).
    here: {
      path: () => '/api/domains',
      rows: '/domains',
      unsurePaging: true,
      where: { pointer: '/site_id', equals: ({ parent }) => parent?.id ?? '' },
    },
    everywhere: {
      path: () => '/api/domains',
      rows: '/domains',
      unsurePaging: true,
      where: { pointer: '/hostname', as: 'hostname', equals: ({ declared }) => declared.members.map(({ identity }) => identity) },
    },
    // Only a removal needs to know which hostnames are the platform's own.
    cdn: {
      path: (context) => (removalCandidates(context).length === 0 ? null : `/api/sites/${encodeURIComponent(context.parent?.id ?? '')}/cdn`),
      after: ['here'],
      failures: [{ status: 409, code: 'cdn_not_active', state: 'null', because: 'the CDN of the site is not active', todo: 'Activate it in the dashboard.', rule: 'CDN-01' }],
    },
  },
  failures: siteGuards,
  decode: (answers, { parent }) => {
    const system = systemHostnames(answers.cdn);
    return rowsAt(answers.here).map((row) => {
      const hostname = canonicalHostname(textAt(row, '/hostname'));
      return {
        id: textAt(row, '/id'),
        spec: { hostname, primary: hostname === parent?.facts.primaryDomain },
        facts: { system: system === undefined ? null : system.has(hostname) },
      };
    });
  },
  obstacles: (answers, { parent }) =>
    Object.fromEntries(
      rowsAt(answers.everywhere)
        .filter((row) => typeof valueAt(row, '/site_id') === 'string' && valueAt(row, '/site_id') !== parent?.id)
        .map((row) => [
          canonicalHostname(textAt(row, '/hostname')),
          {
            because: `the hostname is attached to another site (id ${textAt(row, '/site_id')})`,
            todo: 'Detach it there first; between the two the hostname serves nothing.',
            rule: 'O-14',
          },
        ]),
    ),
  create: {
    writes: ['hostname', 'attach'],
    requires: modify,
    steps: ({ self, parent, desired }) => {
      const hostname = desired.hostname as string;
      const method = desired.attach ?? 'cname';
      const listed = (pointer: string, value: string | ReturnType<typeof ref>): Locate => ({
        read: path`/api/sites/${ref(parent)}/domains`,
        rows: '/domains',
        where: [pointer === '/hostname' ? { pointer, value, as: 'hostname' } : { pointer, value }],
        take: { id: '/id' },
      });
      // The only answer that ever tells the name servers or the CNAME target (DOM-07); whoever publishes the record needs it (O-16).
      const take: Record<string, string> = method === 'dns' ? { id: '/id', ns1: '/ns1', ns2: '/ns2' } : { id: '/id', cname: '/cname' };
      return [
        {
          do: 'request',
          name: 'attach',
          method: 'POST',
          path: path`/api/sites/${ref(parent)}/domains`,
          body: { domain: hostname, provision_method: method },
          repeat: 'unsafe',
          answers: [
            { status: '2xx', has: '/id', then: 'done', take },
            { status: '2xx', then: 'locate', rule: 'DOM-07' },
          ],
          // A lost answer is settled by listing hostnames, never by sending again blind (DOM-16).
          lost: { locate: listed('/hostname', hostname), none: 'send-again', graceMs: LOST_GRACE_MS, rule: 'DOM-16' },
          because: `attach the hostname by ${method === 'dns' ? 'name servers' : 'CNAME'}`,
          rule: 'DOM-06',
        },
        {
          do: 'settle',
          name: 'listed',
          settle: { how: 'until', found: true, locate: listed('/id', ref(self)), deadlineMs: LISTED_WITHIN_MS, because: 'the list of the site shows the hostname' },
        },
      ];
    },
  },
  update: {
    promote: {
      writes: ['primary'],
      requires: modify,
      // The previous primary becomes an alias by itself (DOM-09).
      effects: ({ hostname }, members) => members.filter(({ identity, spec }) => spec.primary === true && identity !== hostname).map(({ identity }) => ({ identity, path: '/primary', value: false })),
      steps: ({ self, parent, desired, observed }) => {
        const hostname = desired.hostname as string;
        const isPrimary: Locate = {
          read: path`/api/sites`,
          rows: '/sites',
          where: [
            { pointer: '/id', value: ref(parent) },
            { pointer: '/primary_domain', value: hostname, as: 'hostname' },
          ],
          take: {},
        };
        return [
          {
            do: 'request',
            name: 'promote',
            method: 'PATCH',
            path: path`/api/sites/${ref(parent)}/domains/${ref(self)}`,
            repeat: 'safe',
            answers: [{ status: '2xx', then: 'done' }],
            // After a create this follows the attach in the same action, whose answer gives the id (O-12).
            ...(observed === null && { skipIf: { locate: isPrimary, because: 'the first domain of a site becomes primary by itself', rule: 'DOM-08' } }),
            because: 'make it the primary domain; the previous one becomes an alias',
            rule: 'DOM-09',
          },
          {
            do: 'settle',
            name: 'primary',
            settle: { how: 'until', found: true, locate: isPrimary, deadlineMs: LISTED_WITHIN_MS, because: 'the site names it as its primary domain' },
          },
        ];
      },
    },
  },
  remove: {
    requires: { userCredential: false, scopes: [], roles: ['can_destroy'] },
    risk: ['delete'],
    refuse: ({ spec, facts }, wanted) => {
      if (facts.system === true) return { because: 'it is a hostname of the platform itself', todo: 'Leave it; it cannot be detached.', rule: 'GAP-19' };
      if (facts.system === null)
        return { because: 'the CDN is not active, so nothing tells whether the hostname is the platform\'s own', todo: 'Activate the CDN in the dashboard, then plan again.', rule: 'GAP-19' };
      if (spec.primary && !wanted.some(({ primary }) => primary === true))
        return { because: 'it is the primary domain; without it the site falls back to its temporary URL', todo: 'Name another hostname as primaryDomain first.', rule: 'DOM-11' };
      return null;
    },
    steps: ({ self, parent }) => {
      const gone = {
        how: 'until',
        found: false,
        locate: { read: path`/api/sites/${ref(parent)}/domains`, rows: '/domains', where: [{ pointer: '/id', value: ref(self) }], take: {} },
        deadlineMs: LISTED_WITHIN_MS,
        because: 'the list of the site no longer shows the hostname',
      } as const;
      return [
        {
          do: 'request',
          name: 'detach',
          method: 'DELETE',
          // Singular for this verb only; the plural is another route (DOM-10, GAP-17).
          path: path`/api/sites/${ref(parent)}/domain/${ref(self)}`,
          repeat: 'safe',
          recheck: true,
          answers: [
            { status: '2xx', then: 'settle', settle: gone },
            // Gone already, or the site is: the list tells (SIT-17).
            { status: 404, then: 'settle', settle: gone },
          ],
          because: 'detach the hostname',
          rule: 'DOM-10',
        },
      ];
    },
  },
  order: [
    {
      rule: 'O-11',
      because: 'the first domain of an empty site becomes its primary',
      within: 'parent',
      before: (action) => action.kind === 'SiteDomain' && action.verb === 'create' && action.liveMembers === 0 && becomesPrimary(action.changes),
      after: (action) => action.kind === 'SiteDomain' && action.verb === 'create' && action.liveMembers === 0 && !becomesPrimary(action.changes),
    },
    {
      rule: 'O-13',
      because: 'without a new primary the site would fall back to its temporary URL',
      within: 'parent',
      before: (action) => action.kind === 'SiteDomain' && becomesPrimary(action.changes),
      after: (action) => action.kind === 'SiteDomain' && action.verb === 'delete',
    },
  ],
  adopt: ({ spec }) => spec.hostname,
});

function becomesPrimary(changes: readonly { readonly path: string; readonly value?: unknown }[]): boolean {
  return changes.some(({ path: pointer, value }) => pointer === '/primary' && value === true);
}

/** `primaryDomain` is declared too when `domains` does not list it. Only it carries `primary`: the others are aliases by its promotion. */
function expandDomains(site: JsonObject) {
  const listed = (Array.isArray(site.domains) ? (site.domains as readonly (string | JsonObject)[]) : []).map((item, index) => ({
    spec: typeof item === 'string' ? { hostname: item } : item,
    pointer: `/domains/${index}`,
  }));
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

/** Live hostnames that this plan may want to detach: ours by the ledger or all where the manifest says so, and not wanted any more. */
function removalCandidates({ declared, owned, answers }: ReadContext): readonly string[] {
  if (declared.partial) return [];
  const wanted = new Set(declared.members.filter(({ lifecycle }) => lifecycle.state === 'present').map(({ identity }) => identity));
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
