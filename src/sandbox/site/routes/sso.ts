// Decides how a login to a site's CMS or database is minted, and whom it can be for.
// Must not show a login URL a second time: each request makes another.
import { isRecord, ok, refuse, unknownKeys } from '../../core/http/endpoint.ts';
import type { Answer, Call, Endpoint } from '../../core/http/endpoint.ts';
import { rule } from '../../rules/rules.ts';
import type { Site } from '../../core/state.ts';
import { countCreation } from '../../core/world.ts';

const rawUsers = rule('CNV-34', 'the users of the CMS are listed as the CMS has them');
const mints = rule('CNV-34/login', 'a POST mints a login URL, and another each time');
const databaseIgnoresUser = rule('CNV-34/database', 'the user name counts for the CMS only');

function cmsUsers({ world }: Call, site: Site): Answer {
  const users = site.traffic.cmsUsers.map((user) => ({
    ...(world.rules.on(rawUsers) ? { ID: user.id } : { id: user.id }),
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
  if (!isRecord(body)) return refuse(world, 422, null, 'kind is missing');
  const { kind, username } = body;
  if (kind !== 'cms' && kind !== 'database') return refuse(world, 422, null, 'kind must be cms or database');
  const named = kind === 'cms' || !world.rules.on(databaseIgnoresUser);
  if (named && !site.traffic.cmsUsers.some(({ login }) => login === username))
    return refuse(world, 422, null, 'username names no user of the CMS');
  const refusal = unknownKeys(world, body, ['kind', 'username']);
  if (refusal !== undefined) return refusal;
  if (world.rules.on(mints)) site.traffic.logins += 1;
  countCreation(world, `login to ${kind} of ${site.id}`);
  return ok({ url: `https://${site.temporaryHostname}/sso/${kind}?token=sandbox-sso-token-${site.traffic.logins}` });
}

export const ssoEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '/api/sites/:site/sso', scope: 'sites:read', site: 'read', handle: cmsUsers },
  { method: 'POST', path: '/api/sites/:site/sso', scope: 'sites:write', site: 'can_modify', handle: singleSignOn },
];
