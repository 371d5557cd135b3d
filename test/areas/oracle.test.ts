// The table of endpoints against the sandbox, which was written from the documents without it: neither has an endpoint
// that the other has not, and what an endpoint asks of its caller, and refuses, is the same on both sides.
import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../src/areas/endpoints.ts';
import { ENDPOINTS } from '../../src/areas/endpoints.ts';
import { AREAS } from '../../src/sandbox/areas.ts';
import { aboutEndpoints } from '../../src/sandbox/core/about.ts';
import type { Demands } from '../../src/sandbox/core/http/endpoint.ts';
import type { SiteDemands } from '../../src/sandbox/core/http/site-endpoints.ts';
import { taskEndpoints } from '../../src/sandbox/core/tasks.ts';

const served = [...aboutEndpoints, ...taskEndpoints, ...AREAS.flatMap(({ endpoints }) => endpoints)];

/** Paths that no document has: the sandbox answers there to play a reading, or that there is nothing. */
const NO_DOCUMENT = [
  'DELETE /api/sites/:/domains/:', // GAP-17
  'POST /api/mailspace/:/restore', // GAP-37
  'POST /api/mailspace/:/purge', // GAP-37
  'POST /api/mailspace/:/domains/:/verify', // GAP-38
  'POST /api/mailspace/:/domains/:/domain_verification', // GAP-38
  'POST /api/mailspace/:/mailboxes/:/restore', // GAP-42
  'POST /api/mailspace/:/mailboxes/:/force_delete', // GAP-42
  'GET /api/mailspace/:/masked_emails', // GAP-44
  'GET /api/mailspace/:/mail_rules', // GAP-44
];
/** What the sandbox has, with what it demands of sites where it is below one. */
type Served = Demands & Partial<SiteDemands>;

/** Named in the documents as the others of its kind are, and not played (GAP-44). */
const NOT_SERVED = ['POST /api/mailspace/:/mailing_lists'];

const nameOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'> | Served): string =>
  `${method} ${path.replaceAll(/:\w+/g, ':')}`;
const known = new Map(ENDPOINTS.map((endpoint) => [nameOf(endpoint), endpoint]));
const both = served.flatMap((one): readonly (readonly [string, Endpoint, Served])[] => {
  const endpoint = known.get(nameOf(one));
  return endpoint === undefined ? [] : [[nameOf(one), endpoint, one]];
});

/** The refusals that follow from what the sandbox demands of a caller: status and code. */
function refusalsOf(endpoint: Served): readonly string[] {
  const { site, cdn, shield, mailspace, account, method, path } = endpoint;
  return [
    ...(account === true ? ['400 missing_account'] : []),
    ...(site === undefined ? [] : ['404 null', '402 service_suspended', '403 pending_delete', '403 null']),
    ...(cdn === undefined ? [] : ['409 cdn_not_active', '502 null']),
    ...(shield === undefined ? [] : ['403 shield_not_in_plan', '409 shield_not_active', '502 null']),
    ...(mailspace === undefined ? [] : ['503 mailhost_unavailable', '404 null']),
    ...(mailspace === 'inside' ? ['403 mailspace_suspended', '409 not_provisioned'] : []),
    ...(mailspace === 'inside' && method !== 'GET' ? ['403 not_authorized', '403 pending_delete'] : []),
    ...(path.startsWith('/api/panel_accounts') ? ['403 panel_not_enabled', '503 panel_unavailable'] : []),
    ...(/^\/api\/domain_(registrations|contacts)/.test(path) ? ['503 feature_disabled'] : []),
  ];
}

describe('the table of endpoints', () => {
  it('has every endpoint of the documents, and no other', () => {
    const unknown = served.map(nameOf).filter((name) => !known.has(name));
    expect(unknown.sort()).toEqual([...NO_DOCUMENT].sort());
    const names = new Set(served.map(nameOf));
    expect([...known.keys()].filter((name) => !names.has(name))).toEqual(NOT_SERVED);
  });

  it.each(both)('%s: says of each refusal that the sandbox has for it what it means', (_name, { answers }, one) => {
    const listed = answers.map(({ status, code }) => `${status} ${code}`);
    expect(refusalsOf(one).filter((refusal) => !listed.includes(refusal))).toEqual([]);
  });

  it.each(both)(
    'CNV-09, CNV-11, CNV-16: %s needs the scope and the role that the sandbox asks for',
    (_name, endpoint, one) => {
      const { scopes, closedToOauth = false, roles } = endpoint.requires;
      // A scope that depends on a reading is one that no document gives (GAP-19).
      const scope = typeof one.scope === 'string' ? one.scope : 'none';
      expect(closedToOauth).toBe(scope === 'never');
      if (scope !== 'never') expect(scopes).toEqual(scope === 'none' ? [] : [scope]);
      if (one.site !== undefined) expect(roles).toEqual(one.site === 'read' ? [] : [one.site]);
    },
  );
});
