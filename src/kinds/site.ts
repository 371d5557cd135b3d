// A site: what the manifest kind Site binds to. Its sections (domains, caching, ...) are kinds of their own.
// Must not buy, resize or delete sites.
import { canonicalHostname } from '../model/hostname.ts';
import { defineKind, rowsAt, textAt, updatable } from '../model/kind.ts';
import { valueAt } from '../model/json.ts';
import { path, ref } from '../model/request.ts';

export interface SiteSpec {
  readonly name: string;
}

export const site = defineKind<SiteSpec>({
  kind: 'Site',
  parent: null,
  list: 'asset',
  section: { fields: ['name'], expand: (spec) => [{ name: null, spec: 'name' in spec ? { name: spec.name } : {}, pointer: '' }] },
  identity: ({ name = '' }) => name,
  fields: { name: updatable() },
  normalise: (spec) => spec,
  reads: {
    // Without the account header the list widens to everything the user can reach; the header is always sent and
    // every row is checked as well (CNV-08, SIT-01).
    sites: { path: () => '/api/sites', rows: '/sites', unsurePaging: true, where: { pointer: '/account/id', equals: ({ account }) => account } },
    // Hostnames are the only natural key of a site. Whoever declares hostnames needs this list anyway.
    domains: {
      path: ({ declared }) => (declared.members.some(({ keys }) => keys[0]?.length) ? '/api/domains' : null),
      rows: '/domains',
      unsurePaging: true,
      where: { pointer: '/account_id', equals: ({ account }) => account },
    },
  },
  failures: [],
  decode: (answers) => {
    const hostnames = new Map<string, string[]>();
    for (const row of answers.domains === undefined ? [] : rowsAt(answers.domains)) {
      const siteId = valueAt(row, '/site_id');
      if (typeof siteId !== 'string') continue;
      hostnames.set(siteId, [...(hostnames.get(siteId) ?? []), canonicalHostname(textAt(row, '/hostname'))]);
    }
    return rowsAt(answers.sites).map((row) => {
      const id = textAt(row, '/id');
      const primary = valueAt(row, '/primary_domain');
      const name = valueAt(row, '/name');
      const primaryDomain = typeof primary === 'string' ? canonicalHostname(primary) : null;
      const keys = [...new Set([...(hostnames.get(id) ?? []), ...(primaryDomain === null ? [] : [primaryDomain])])];
      return {
        id,
        spec: { name: typeof name === 'string' ? name : '' },
        facts: { primaryDomain },
        keys: [keys, typeof name === 'string' ? [name] : []],
      };
    });
  },
  cannotCreate: {
    because: 'no site of the account answers to this manifest',
    todo: 'Create the site in the dashboard, then bind it: write its id as metadata.id, or its display name as spec.name.',
    rule: 'ORD-23',
  },
  update: {
    // A rename sends the name alone; a plan in the same body would be a resize (SIT-05, GAP-05).
    rename: {
      writes: ['name'],
      requires: { userCredential: false, scopes: ['sites:write'], roles: ['can_modify'] },
      steps: ({ self, desired }) => [
        {
          do: 'request',
          name: 'rename',
          method: 'PATCH',
          path: path`/api/sites/${ref(self)}`,
          body: { site: { name: desired.name as string } },
          repeat: 'safe',
          answers: [{ status: '2xx', then: 'done' }],
          because: 'set the display name',
          rule: 'SIT-11',
        },
        { do: 'verify', name: 'read back', because: 'the answer to a rename is not documented', rule: 'GAP-05' },
      ],
    },
  },
  order: [],
});

