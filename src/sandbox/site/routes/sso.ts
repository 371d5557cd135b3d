// How a login to a site's CMS or database is minted, and whom it can be for.
import { isRecord, ok, refuse, unknownKeys } from '../../core/http/endpoint.ts';
import type { Answer, Call, Endpoint } from '../../core/http/endpoint.ts';
import type { Site } from '../../core/state.ts';
import { countCreation } from '../../core/world.ts';

function cmsUsers(_call: Call, site: Site): Answer {
  const users = site.traffic.cmsUsers.map((user) => ({
    // CNV-34: the users of the CMS are listed as the CMS has them.
    ID: user.id,
    user_login: user.login,
    display_name: user.displayName,
    user_email: user.email,
    user_registered: new Date(site.createdAt).toISOString(),
    roles: user.roles,
    url: `https://${site.temporaryHostname}`,
  }));
  return ok({ users });
}

function singleSignOn({ world, body }: Call, site: Site): Answer {
  if (!isRecord(body)) return refuse(422, null, 'kind is missing');
  const { kind, username } = body;
  if (kind !== 'cms' && kind !== 'database') return refuse(422, null, 'kind must be cms or database');
  // CNV-34/database: the user name counts for the CMS only.
  const named = kind === 'cms';
  if (named && !site.traffic.cmsUsers.some(({ login }) => login === username))
    return refuse(422, null, 'username names no user of the CMS');
  const refusal = unknownKeys(body, ['kind', 'username']);
  if (refusal !== undefined) return refusal;
  // CNV-34/login: a POST mints a login URL, and another each time.
  site.traffic.logins += 1;
  countCreation(world, `login to ${kind} of ${site.id}`);
  return ok({ url: `https://${site.temporaryHostname}/sso/${kind}?token=sandbox-sso-token-${site.traffic.logins}` });
}

export const ssoEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '/api/sites/:site/sso', scope: 'sites:read', site: 'read', handle: cmsUsers },
  { method: 'POST', path: '/api/sites/:site/sso', scope: 'sites:write', site: 'can_modify', handle: singleSignOn },
];
