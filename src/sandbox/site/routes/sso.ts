// How a login to a site's CMS or database is minted, and whom it can be for.
import { any, oneOf } from '../../core/http/schema.ts';
import { ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import { siteEndpoints } from '../../core/http/table.ts';
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
  const { username } = body;
  const kind = String(body['kind']);
  // CNV-34/database: the user name counts for the CMS only.
  const named = kind === 'cms';
  if (named && !site.traffic.cmsUsers.some(({ login }) => login === username))
    return refuse(422, null, 'username names no user of the CMS');
  // CNV-34/login: a POST mints a login URL, and another each time.
  site.traffic.logins += 1;
  countCreation(world, `login to ${kind} of ${site.id}`);
  return ok({ url: `https://${site.temporaryHostname}/sso/${kind}?token=sandbox-sso-token-${site.traffic.logins}` });
}

export const ssoEndpoints = siteEndpoints({}, '/sso', {
  GET: cmsUsers,
  POST: { body: { kind: oneOf('cms', 'database'), username: any }, handle: singleSignOn },
});
