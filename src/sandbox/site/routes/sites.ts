// What the site endpoints do: list, view, rename, resize, restart, delete; PHP versions; logins to the CMS and the
// database.
import { reachableSites } from '../../core/http/access.ts';
import { announceSite } from '../../billing/messages.ts';
import { any, keys, oneOf } from '../../core/http/schema.ts';
import type { Properties } from '../../core/http/schema.ts';
import { done, isRecord, ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call, Endpoint, Row } from '../../core/http/endpoint.ts';
import { siteEndpoints } from '../../core/http/site-endpoints.ts';
import { siteListItem, siteView } from '../../core/present.ts';
import { LAYERS, planLayers } from '../../core/state.ts';
import type { Site } from '../../core/state.ts';
import { startTask } from '../../core/tasks.ts';
import { countCreation, inListOrder } from '../../core/world.ts';
import { pageIfRead } from '../../core/lists.ts';
import { priceOf } from '../../billing/present.ts';
import { buy, refuseAccount, refusePayment } from '../../billing/purchases.ts';
import { NotRead } from '../../core/copy/answers.ts';
import { CATALOGUE } from '../../core/copy/load-core.ts';

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

function singleSignOn(call: Call, site: Site): Answer {
  const { username } = call.body;
  const kind = String(call.body['kind']);
  // CNV-34/database: the user name counts for the CMS only.
  const named = kind === 'cms';
  if (named && !site.traffic.cmsUsers.some(({ login }) => login === username))
    refuse(422, null, 'username names no user of the CMS');
  // CNV-34/login: a POST mints a login URL, and another each time.
  site.traffic.logins += 1;
  countCreation(call, `login to ${kind} of ${site.id}`);
  return ok({ url: `https://${site.temporaryHostname}/sso/${kind}?token=sandbox-sso-token-${site.traffic.logins}` });
}

export const ssoEndpoints = siteEndpoints({}, '/sso', {
  GET: cmsUsers,
  POST: { body: { kind: oneOf('cms', 'database'), username: any }, handle: singleSignOn },
});

function showVariants(call: Call, site: Site): Answer {
  const php = inListOrder(call, site.phpVariants).map(({ id, label, isDefault }) => ({
    id,
    label,
    is_default: isDefault,
    // PHP-02: `active` marks the version in use, `is_default` the one of new sites.
    active: label === site.phpVersion,
  }));
  // PHP-01: the variants are keyed by kind, of which there is one.
  return { ...ok({ php }), keyedByData: true };
}

function changeVersion(call: Call, site: Site): Answer {
  const variant =
    site.phpVariants.find(({ id }) => id === call.body['variant_id']) ??
    refuse(422, null, 'variant_id names no variant of this site');
  const use = (): void => {
    site.phpVersion = variant.label;
    site.updatedAt = call.clock.now();
  };
  const restart = (): void => {
    site.restarts.cms += 1;
  };
  // PHP-03/restart: the site restarts, and runs the version once the task is OK.
  const task = startTask(call, site, 'site.variant.php', { running: restart, ok: use });
  // PHP-03: a change of the version answers a task id.
  const reading = call.ambiguities['GAP-15'];
  return reading === 'without-task-id' ? done(call, {}) : ok({ task_id: task.id }, reading === 'task-id' ? 200 : 202);
}

export const phpEndpoints = siteEndpoints({}, '/variants', {
  GET: showVariants,
  'PATCH /php': { body: keys('variant_id'), handle: changeVersion },
});

/** Refuses plans that it cannot be changed to. */
function refuseResize(call: Call, site: Site, plan: unknown): void {
  refuseAccount(call, site.accountId);
  // Codes of this endpoint are not documented.
  if (!call.state.plans.some(({ shortName }) => shortName === plan)) {
    if (call.state.catalogueUnread === true) throw new NotRead(CATALOGUE);
    refuse(422, null, 'plan is unknown');
  }
  if (call.ambiguities['GAP-05'] === 'cart' && plan !== site.package) refusePayment(call, site.accountId);
}

/** GAP-05: what it answers is not documented: a purchase, a task or neither. */
function resize(call: Call, site: Site, plan: string): Answer {
  if (plan === site.package) return done(call, { site: siteView(call, site) });
  const name = `resize of ${site.id} to ${plan}`;
  const apply = (): void => {
    // SIT-05/resize: a PATCH of `site.plan` changes the package, some time later.
    site.package = plan;
    site.updatedAt = call.clock.now();
    for (const layer of LAYERS)
      if (!planLayers(call.state, site).includes(layer) && call.ambiguities['GAP-22'] !== 'as-left')
        site.layers[layer].on = false;
    announceSite(call, site, 'resized');
  };
  if (call.ambiguities['GAP-05'] === 'cart')
    return buy(call, {
      name,
      accountId: site.accountId,
      siteId: site.id,
      cents: priceOf(site),
      taskName: 'site.resize',
      fulfil: apply,
    });
  countCreation(call, name);
  const task = startTask(call, site, 'site.resize', { ok: apply });
  return call.ambiguities['GAP-05'] === 'task' ? ok({ task_id: task.id }) : done(call, { site: siteView(call, site) });
}

function listSites(call: Call): Answer {
  const { accountId } = call;
  const rows = reachableSites(call)
    // SIT-01: the account header narrows the site list to that account. CNV-08: without it the list shows all that the
    // user reaches.
    .filter((site) => accountId === null || site.accountId === accountId)
    .filter((site) => !site.pendingDelete || call.ambiguities['GAP-08'] === 'listed');
  return ok({ sites: pageIfRead(call, inListOrder(call, rows)).map((site) => siteListItem(call, site)) });
}

function view(call: Call, site: Site): Answer {
  return ok({ site: siteView(call, site) });
}

function updateSite(call: Call, site: Site): Answer {
  const changes = call.body['site'] as Row;
  const name = typeof changes['name'] === 'string' ? changes['name'] : site.name;
  const { plan } = changes;
  if (plan !== undefined) refuseResize(call, site, plan);
  // SIT-05: a PATCH of `site.name` renames the site.
  site.name = name;
  site.updatedAt = call.clock.now();
  return typeof plan === 'string' ? resize(call, site, plan) : done(call, () => ({ site: siteView(call, site) }));
}

function restart(call: Call, site: Site): Answer {
  site.restarts.cms += 1;
  // SIT-06: POST on a site restarts its CMS container only.
  startTask(call, site, 'site.restart');
  return done(call, {});
}

function removeSite(call: Call, site: Site): Answer {
  // SIT-07: DELETE soft-deletes a site and locks it.
  site.pendingDelete = true;
  site.updatedAt = call.clock.now();
  announceSite(call, site, 'deleted');
  return done(call, {});
}

const wantsPlan = ({ body: { site } }: Call): boolean => isRecord(site) && site['plan'] !== undefined;

const BODY: Properties = {
  // SIT-13: the primary domain changes by promotion only, not by a PATCH of the site.
  site: {
    type: 'object',
    required: true,
    properties: { name: { type: 'string', pattern: /\S/, nullable: true }, plan: any },
  },
};

/** GAP-04: the view is documented at the restart path only, which looks like a slip. */
export const sitesEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '/api/sites', scope: 'sites:read', handle: listSites },
  ...siteEndpoints({}, '', {
    GET: (call, site) => (call.ambiguities['GAP-04'] === 'documented' ? { status: 404 } : view(call, site)),
    // SIT-04: GET on the restart path answers the view and restarts nothing.
    'GET /restart': (call, site) => (call.ambiguities['GAP-04'] === 'plain' ? { status: 404 } : view(call, site)),
    PATCH: { user: wantsPlan, body: BODY, handle: updateSite },
    POST: restart,
    DELETE: removeSite,
  }),
];
