// How each documented endpoint and each documented field of a request can be reached.
import { sentLines } from './sent.ts';

/**
 * manifest: a manifest causes it. command: a person asks for it. read: read for a plan, an export or a wait. same:
 * another documented call does the same. no: why not.
 */
export type Reach = 'manifest' | 'command' | 'read' | 'same' | 'no';
/** `Site.plan` in backquotes is a field of a manifest, `run restart` a command. */
export type Row = readonly [name: string, reach: Reach, how: string];

/** What is sent, `sent.txt` tells; only what is not sent has its reach here. */
const ROWS: Readonly<Record<string, readonly (readonly [name: string, how: string] | Row)[]>> = {
  Sites: [
    ['GET /api/sites', '`get sites`'],
    ['GET /api/sites/:id/restart (listed as View Site)', '`get sites` of one site'],
    ['PATCH /api/sites/:id', '`Site.name`, `Site.plan`'],
    ['POST /api/sites/:id', '`run restart`'],
    ['DELETE /api/sites/:id', '`Site.lifecycle.state`: absent'],
    ['GET /api/sites/:id/sso', '`get cms-users`'],
    ['POST /api/sites/:id/sso', '`run sso`'],
    ['GET /api/sites/:id/tasks', '`get tasks`'],
    ['GET /api/sites/:id/tasks/:filter/filter', '`get tasks` with --status'],
    ['GET /api/tasks/:id', 'until a task is done'],
  ],
  Metrics: [
    ['GET /api/sites/:id/metrics/resources', '`get metrics`'],
    ['POST /api/sites/:id/metrics/resources', '`get metrics`'],
    ['POST /api/sites/:id/metrics/cdn', '`get metrics`'],
    ['GET /api/sites/:id/metrics/shield', '`get metrics`'],
    ['GET /api/sites/:id/metrics/shield/overview', '`get metrics`'],
  ],
  'Backups, PHP': [
    ['GET /api/sites/:id/backups', '`get backups`'],
    ['PATCH /api/sites/:id/backups/:volume', '`Site.beforeChange.backup`; `run backup` on its own'],
    ['DELETE /api/sites/:id/backups/:volume', '`run delete-archive`'],
    ['PATCH /api/sites/:id/restores/:volume', '`run restore`'],
    ['GET /api/sites/:id/variants', 'plan of `Site.phpVersion`'],
    ['PATCH /api/sites/:id/variants/php', '`Site.phpVersion`'],
  ],
  'Site domains': [
    ['GET /api/domains', '`get domains`'],
    ['availability of a name (path not shown)', 'no', 'the path is not documented; `get prices` asks for names to buy'],
    ['GET /api/domains/:id', 'same', 'the list carries the same object'],
    ['POST /api/domains/query', 'same', 'the list is read whole and filtered'],
    ['GET /api/sites/:id/domains', 'whether an attach or a detach is done'],
    ['POST /api/sites/:id/domains', '`Site.domains`, `Site.primaryDomain`'],
    ['PATCH /api/sites/:id/domains/:id', '`Site.primaryDomain`'],
    ['DELETE /api/sites/:id/domain/:id', 'a hostname that leaves `Site.domains`, or `Site.domains.moveFrom`'],
  ],
  'Orders, carts': [
    ['GET /api/orders', '`get orders`'],
    ['GET /api/orders/:id', '`get orders` of one order'],
    ['POST /api/orders', '`Site.order` with `Site.plan`'],
    ['POST /api/orders/domain', '`DomainRegistration.order`'],
    ['DELETE /api/orders/:id', '`run cancel`'],
    ['PATCH /api/orders/:id', 'no', 'the platform always refuses it (400)'],
    ['GET /api/carts/:token', '`get carts`'],
    ['GET /api/subscriptions/:id', 'no', 'named in passing; the shape is not documented'],
    ['GET /api/about', '`get about`'],
  ],
  'Users, webhooks': [
    ['GET /api/users', '`get users`'],
    ['GET /api/users/:id', 'same', 'the list carries the same object'],
    ['POST /api/users', 'a `User`'],
    ['PATCH /api/users/:id', 'no', 'the platform always refuses it (401)'],
    ['DELETE /api/users/:id', 'no', 'the platform always refuses it (401)'],
    ['GET /api/webhooks/task', 'no', "it tells who may report tasks, which is for the platform's own infrastructure"],
    ['POST /api/webhooks/task/:id', 'no', "for the platform's own infrastructure"],
  ],
  'CDN, cache, edge': [
    ['GET /api/sites/:id/cdn', '`get cdn`; plan: system hostnames, whether Shield can be active'],
    ['GET /api/sites/:id/cdn/caching', 'plan, export'],
    ['PATCH /api/sites/:id/cdn/caching', '`Site.caching`'],
    ['POST /api/sites/:id/cdn/caching/purge', '`Site.afterChange.purge`; `run purge` on its own'],
    ['GET /api/sites/:id/cache', 'plan, export'],
    ['PATCH /api/sites/:id/cache/:type', '`Site.cacheLayers`'],
    ['DELETE /api/sites/:id/cache/:type', '`Site.cacheLayers`'],
    ['DELETE /api/sites/:id/cache/:type/purge', '`run purge` with --layer'],
    ['GET /api/sites/:id/edge_rules', 'plan, export'],
    ['POST /api/sites/:id/edge_rules', '`Site.edgeRules`: a rule that is new, or replaced'],
    ['PATCH /api/sites/:id/edge_rules/:id', 'same', 'the POST of a rule with its id updates it in place'],
    ['PATCH /api/sites/:id/edge_rules/:id/enabled', '`Site.edgeRules.enabled`'],
    ['DELETE /api/sites/:id/edge_rules/:id', 'a rule that leaves `Site.edgeRules`'],
    ['GET /api/sites/:id/logs/cdn', '`get logs`'],
    ['GET /api/sites/:id/logs/cdn/summary', '`get logs summary`'],
    ['GET /api/sites/:id/logs/origin', '`get logs`'],
  ],
  Shield: [
    ['GET /api/sites/:id/shield', 'plan, export, doctor'],
    ['POST /api/sites/:id/shield', '`Site.shield.enabled`'],
    [
      'PATCH /api/sites/:id/shield',
      '`Site.shield.plan`, `Site.shield.ddos`, `Site.shield.whitelabelResponsePages`, `Site.shield.learnOnActivation`; `run learn` for learning mode',
    ],
    ['DELETE /api/sites/:id/shield', '`Site.shield.enabled`: false'],
    ['GET /api/sites/:id/shield/waf', 'same', 'the zone carries the same settings'],
    ['PATCH /api/sites/:id/shield/waf', '`Site.shield.waf`'],
    ['GET /api/sites/:id/shield/waf/rules', '`get shield-rules`'],
    ['GET /api/sites/:id/shield/waf_custom_rules', 'plan, export'],
    ['POST /api/sites/:id/shield/waf_custom_rules', '`Site.shield.customRules`'],
    ['PATCH /api/sites/:id/shield/waf_custom_rules/:id', '`Site.shield.customRules`'],
    ['DELETE /api/sites/:id/shield/waf_custom_rules/:id', 'an item that leaves `Site.shield.customRules`'],
    ['GET /api/sites/:id/shield/rate_limits', 'plan, export'],
    ['POST /api/sites/:id/shield/rate_limits', '`Site.shield.rateLimits`'],
    ['PATCH /api/sites/:id/shield/rate_limits/:id', '`Site.shield.rateLimits`'],
    ['DELETE /api/sites/:id/shield/rate_limits/:id', 'an item that leaves `Site.shield.rateLimits`'],
    ['GET /api/sites/:id/shield/bot_detection', 'plan, export'],
    ['PATCH /api/sites/:id/shield/bot_detection', '`Site.shield.botDetection`'],
    ['GET /api/sites/:id/shield/access_lists', 'plan, export'],
    ['GET /api/sites/:id/shield/access_lists/enums', 'checks the type of an access list'],
    ['GET /api/sites/:id/shield/access_lists/:id', 'where the list leaves content out'],
    ['POST /api/sites/:id/shield/access_lists', '`Site.shield.accessLists`'],
    ['PATCH /api/sites/:id/shield/access_lists/:id', '`Site.shield.accessLists`'],
    ['DELETE /api/sites/:id/shield/access_lists/:id', 'an item that leaves `Site.shield.accessLists`'],
    ['GET /api/sites/:id/shield/events', '`get shield-events`'],
  ],
  'Site mail': [
    ['GET /api/sites/:id/mail', '`get site-mail`'],
    ['PATCH /api/sites/:id/mail/settings', '`Site.mail`'],
    ['DELETE /api/sites/:id/mail/suspension', '`run unblock-mail`'],
    ['POST /api/sites/:id/mail/dns_check', '`run check-mail`'],
    ['GET /api/sites/:id/mail/logs', '`get logs`'],
    ['GET /api/sites/:id/mail/metrics', '`get metrics`'],
  ],
  Mailspace: [
    ['GET /api/mailspace', '`get mailspaces`'],
    ['GET /api/mailspace/:id', 'only while unproven, for its TXT record'],
    ['POST /api/mailspace', '`Mailspace.order` with `Mailspace.package`'],
    ['PATCH /api/mailspace/:id', 'no', 'the parameters are not documented; the plan says what to do by hand'],
    ['DELETE /api/mailspace/:id', 'no', 'the shape is not documented; the plan says what to do by hand'],
    ['mailspace restore (path not shown)', 'no', 'the shape is not documented'],
    ['mailspace purge (path not shown)', 'no', 'the shape is not documented'],
    ['GET /api/mailspace/:id/domains', '`get mail-domains`'],
    ['GET /api/mailspace/:id/domains/:name', 'same', 'the list carries the same object'],
    ['POST /api/mailspace/:id/domains', '`Mailspace.domains`'],
    ['PATCH /api/mailspace/:id/domains/:name', '`Mailspace.domains.description`'],
    ['DELETE /api/mailspace/:id/domains/:name', 'a domain that leaves `Mailspace.domains`, with `Mailspace.unlisted`'],
    ['GET /api/mailspace/:id/domains/dns', '`dns`'],
    ['POST /api/mailspace/:id/domains/dns_check', '`dns` with --check'],
    [
      'GET /api/mailspace/:id/domain_verification',
      'no',
      'the shape is not documented; the mailspace shows its TXT record',
    ],
    ['verification of a primary domain (path not shown)', 'no', 'the path is not documented'],
    ['POST /api/mailspace/:id/domain_verification', 'no', 'the body is not documented'],
    ['POST /api/mailspace/:id/domains/:name/... (secondary verification)', 'no', 'the path is not documented in full'],
    [
      'abandon a pending domain (path not shown)',
      'no',
      'the shape is not documented; the plan says what to do by hand',
    ],
    ['GET /api/mailspace/:id/aliases', '`get aliases`'],
    ['POST /api/mailspace/:id/aliases', '`Mailspace.aliases`'],
    ['DELETE /api/mailspace/:id/aliases/:address', 'an alias that leaves `Mailspace.aliases`, or gets another target'],
    ['GET /api/mailspace/:id/groups', '`get groups`'],
    ['GET /api/mailspace/:id/groups/:principal_id', '`get groups -o wide`'],
    ['POST /api/mailspace/:id/groups', '`Mailspace.groups`'],
    [
      'PATCH /api/mailspace/:id/groups/:principal_id',
      'no',
      'the shape is not documented; members go by their mailbox, the rest by hand',
    ],
    [
      'DELETE /api/mailspace/:id/groups/:principal_id',
      'no',
      'the shape is not documented; the plan says what to do by hand',
    ],
    ['GET /api/mailspace/:id/mailboxes', '`get mailboxes`'],
    ['GET /api/mailspace/:id/mailboxes/check', 'only where a list may be cut off'],
    [
      'GET /api/mailspace/:id/mailboxes/:id',
      'plan of `Mailspace.mailboxes.allowedIps` and `Mailspace.mailboxes.lists`',
    ],
    ['POST /api/mailspace/:id/mailboxes', '`Mailspace.mailboxes`'],
    ['PATCH /api/mailspace/:id/mailboxes/:id', '`Mailspace.mailboxes`, `Mailspace.groups.members`'],
    [
      'DELETE /api/mailspace/:id/mailboxes/:id',
      'a mailbox that leaves `Mailspace.mailboxes`, with `Mailspace.unlisted`',
    ],
    ['mailboxes/:id/restore (PATCH status active serves)', 'no', 'the shape is not documented'],
    ['mailboxes/:id/force_delete', 'no', 'the shape is not documented'],
    ['GET /api/mailspace/:id/mailing_lists', 'no', 'the shape is not documented'],
    ['mailing_lists/:principal_id', 'no', 'the shape is not documented'],
    ['POST /api/mailspace/:id/mailing_lists', 'no', 'the shape is not documented'],
    ['masked_emails', 'no', 'the shape is not documented'],
    ['GET /api/mailspace/:id/archived_items', 'no', 'the shape is not documented'],
    ['archived_items/:principal_id', 'no', 'the shape is not documented'],
    ['archived_items restore', 'no', 'the shape is not documented'],
    ['archived_items delete', 'no', 'the shape is not documented'],
    ['archived_items download', 'no', 'the shape is not documented'],
    ['GET /api/mailspace/:id/purged_mailboxes', 'no', 'the shape is not documented'],
    ['PATCH purged_mailboxes/:guid', 'no', 'the shape is not documented'],
    ['app_passwords', 'no', 'the shape is not documented'],
    ['mail_rules', 'no', 'the shape is not documented'],
    ['mail_rules adopt', 'no', 'the shape is not documented'],
    ['mail_rules toggle', 'no', 'the shape is not documented'],
    ['mail_rules move', 'no', 'the shape is not documented'],
    ['out-of-office', 'no', 'the shape is not documented'],
    ['delivery logs', 'no', 'the shape is not documented'],
    ['delivery recovery', 'no', 'the shape is not documented'],
  ],
  'Panel accounts': [
    ['GET /api/panel_accounts', '`get panel-accounts`'],
    ['GET /api/panel_accounts/:username', 'whether a purchase, a resize or a deletion is done'],
    ['POST /api/panel_accounts', '`PanelAccount.order` with `PanelAccount.package`'],
    ['PATCH /api/panel_accounts/:username', '`PanelAccount.package`'],
    ['DELETE /api/panel_accounts/:username', '`PanelAccount.lifecycle.state`: absent'],
    ['GET /api/panel_accounts/:username/domains', 'no', 'the shape is not documented'],
    ['POST /api/panel_accounts/:username/domains', 'no', 'the shape is not documented'],
    ['DELETE /api/panel_accounts/:username/domains/:domain', 'no', 'the shape is not documented'],
    ['PATCH /api/panel_accounts/:username/password', 'no', 'the shape is not documented'],
    ['POST /api/panel_accounts/:username/purge', 'no', 'the shape is not documented'],
    ['POST /api/panel_accounts/:username/session', 'no', 'the shape is not documented'],
  ],
  'Domain contacts': [
    ['GET /api/domain_contacts', '`get contacts`'],
    ['GET /api/domain_contacts/:id', '`get contacts` of one contact'],
    ['POST /api/domain_contacts', 'same', 'contacts are made where they are used (order, holder, roles)'],
    ['PATCH /api/domain_contacts/:id', 'same', 'a holder is edited in place, and a role gets a new contact'],
    ['DELETE /api/domain_contacts/:id', '`run delete`'],
    ['POST /api/domain_contacts/:id/resend_verification', '`run resend`'],
  ],
  Registrations: [
    ['GET /api/domain_registrations', '`get registrations`'],
    ['GET /api/domain_registrations/:id', '`get registrations` of one name'],
    ['POST /api/domain_registrations/check', '`get prices`, and the plan of an order'],
    ['POST /api/domain_registrations/suggestions', '`get suggestions`'],
    ['PATCH /api/domain_registrations/:id', '`DomainRegistration.autoRenew`'],
    ['PATCH /api/domain_registrations/:id/nameservers', '`DomainRegistration.nameservers`'],
    ['PATCH /api/domain_registrations/:id/lock', '`DomainRegistration.locked`'],
    [
      'PATCH /api/domain_registrations/:id/privacy',
      '`DomainRegistration.privacyProtect`; where it costs money it is done in the dashboard',
    ],
    ['PATCH /api/domain_registrations/:id/dnssec', '`DomainRegistration.dnssec`'],
    [
      'PATCH /api/domain_registrations/:id/holder',
      '`DomainRegistration.contacts.owner`, `DomainRegistration.ownerChange`, `DomainRegistration.confirmReverification`',
    ],
    ['POST /api/domain_registrations/:id/registrant_change', '`DomainRegistration.ownerChange.paid`'],
    ['PATCH /api/domain_registrations/:id/contacts', '`DomainRegistration.contacts`'],
    ['GET /api/domain_registrations/:id/epp_code', '`run epp-code`'],
    ['POST /api/domain_registrations/:id/force_sync', '`run refresh`'],
    ['POST /api/domain_registrations/:id/transfer_out', '`run transfer-out`'],
    ['POST /api/domain_registrations/:id/push_transfer', '`run push-transfer`'],
    ['POST /api/domain_registrations/:id/resend_contact_verification', '`run resend` with the name of a registration'],
    ['GET /api/domain_registrations/:id/hosts', '`get hosts`'],
    ['POST /api/domain_registrations/:id/hosts', '`DomainRegistration.hosts`'],
    ['PATCH /api/domain_registrations/:id/hosts/:host_name', '`DomainRegistration.hosts.addresses`'],
    [
      'GET /api/domain_registrations/:id/processes/:process',
      'no',
      'the response is not documented; the registration is read instead',
    ],
    ['registrar process resend', 'no', 'the shape is not documented'],
    ['registrar process cancel', 'no', 'the shape is not documented'],
  ],
};

/** The name of an endpoint, whatever its placeholders are called and whatever is said of it in brackets. */
export function withoutNames(name: string): string {
  return name.replaceAll(/:\w+/g, ':').replace(/ \(.*$/, '');
}

interface Sent {
  /** What endpoints were sent a request for: `plan`, `apply`, `command`, `cli`. */
  readonly requests: ReadonlyMap<string, ReadonlySet<string>>;
  /** What bodies had: `PATCH /api/sites/: site.name`. */
  readonly fields: readonly string[];
}

function sentBy(lines: readonly string[]): Sent {
  const requests = new Map<string, Set<string>>();
  const fields: string[] = [];
  for (const line of lines) {
    const [purpose, method, path] = line.split(' ') as [string, string, string];
    const name = withoutNames(`${method} ${path}`);
    if (purpose === 'field') fields.push(withoutNames(line.slice('field '.length)));
    else requests.set(name, (requests.get(name) ?? new Set()).add(purpose));
  }
  return { requests, fields };
}

const WRITTEN = sentBy(sentLines());
export const SENT = WRITTEN.requests;

/** Whether a body to one of these endpoints, or below, had the field: `*` is anything, `{role}` each role. */
export function wasSent(endpoints: string, field: string, { fields } = WRITTEN): boolean {
  const [, methods = '', path = ''] = /^([A-Z, ]+) (\S+)/.exec(withoutNames(endpoints)) ?? [];
  const named = field.replaceAll('.', '\\.').replaceAll('*', '[^.]+').replace('{role}', '(?:admin|tech|billing)');
  const pattern = new RegExp(`[ ./]${named}(?:\\.|$)`);
  return fields.some((line) => {
    const [method = '', at = '', name = ''] = line.split(' ');
    return methods.split(', ').includes(method) && at.startsWith(path) && pattern.test(`${at}.${name}`);
  });
}

/** What is sent for a person's command, for a change of a manifest, or at all; undefined where nobody sends it so. */
function reachOf(name: string, how: string, { requests } = WRITTEN): Reach | undefined {
  const sent = requests.get(withoutNames(name)) ?? new Set();
  if (/^`[a-z]/.test(how)) return sent.has('command') || sent.has('cli') ? 'command' : undefined;
  if (name.startsWith('GET')) return sent.size > 0 ? 'read' : undefined;
  return sent.has('apply') ? 'manifest' : undefined;
}

/** Throws where a row claims what no session did. */
export const ENDPOINTS: Readonly<Record<string, readonly Row[]>> = Object.fromEntries(
  Object.entries(ROWS).map(([title, rows]) => [
    title,
    rows.map((row): Row => {
      if (row.length === 3) return row;
      const [name, how] = row;
      const reach = reachOf(name, how);
      if (reach === undefined) throw new Error(`${name} is said to be reached (${how}), and no session sent it so`);
      return [name, reach, how];
    }),
  ]),
);

export const FIELDS: Readonly<Record<string, readonly Row[]>> = {
  'PATCH /api/sites/:id': [
    ['site.name', 'manifest', '`Site.name`'],
    ['site.plan', 'manifest', '`Site.plan`'],
  ],
  'POST /api/sites/:id/sso': [
    ['kind', 'command', '`run sso-database`'],
    ['username', 'command', '`run sso` with --user'],
  ],
  'PATCH /api/sites/:id/backups/:volume': [['name', 'command', '`run backup` with --name']],
  'DELETE /api/sites/:id/backups/:volume': [['backup_id', 'command', '`run delete-archive`']],
  'PATCH /api/sites/:id/restores/:volume': [['backup_id', 'command', '`run restore` with --archive']],
  'PATCH /api/sites/:id/variants/php': [['variant_id', 'manifest', '`Site.phpVersion`: the label, looked up']],
  'POST /api/sites/:id/domains': [
    ['domain', 'manifest', '`Site.domains.hostname`'],
    ['provision_method', 'manifest', '`Site.domains.attach`'],
  ],
  'POST /api/orders': [
    ['site.variant', 'manifest', '`Site.order.variant`'],
    ['site.location', 'manifest', '`Site.order.location`'],
    ['site.plan', 'manifest', '`Site.plan`'],
    ['site.term', 'manifest', '`Site.order.term`'],
    ['site.name', 'no', 'the platform ignores it'],
    ['callback.url', 'manifest', '`Workspace.callback.url`'],
    ['callback.authorization', 'manifest', '`Workspace.callback.authorization`'],
  ],
  'POST /api/orders/domain': [
    ['domain.name', 'manifest', '`DomainRegistration.metadata.name`'],
    ['domain.action', 'manifest', '`DomainRegistration.order.action`'],
    ['domain.authcode', 'manifest', '`DomainRegistration.order.authcode`'],
    ['contact.first_name', 'manifest', '`Contact.firstName`'],
    ['contact.last_name', 'manifest', '`Contact.lastName`'],
    ['contact.organization', 'manifest', '`Contact.organization`'],
    ['contact.street_address', 'manifest', '`Contact.streetAddress`'],
    ['contact.post_code', 'manifest', '`Contact.postCode`'],
    ['contact.city', 'manifest', '`Contact.city`'],
    ['contact.state', 'manifest', '`Contact.state`'],
    ['contact.country', 'manifest', '`Contact.country`'],
    ['contact.email', 'manifest', '`Contact.email`'],
    ['contact.phone', 'manifest', '`Contact.phone`'],
    ['role_contacts.admin', 'manifest', '`DomainRegistration.contacts.admin`'],
    ['role_contacts.billing', 'manifest', '`DomainRegistration.contacts.billing`'],
    ['role_contacts.tech', 'manifest', '`DomainRegistration.contacts.tech`'],
    ['contact.extra_properties', 'manifest', '`Contact.extraProperties`'],
    ['contact_source.registration_id', 'no', 'no read shows the number that it wants'],
    ['role_contacts.*.source_registration_id', 'no', 'no read shows the number that it wants'],
    ['callback.url', 'manifest', '`Workspace.callback.url`'],
    ['callback.authorization', 'manifest', '`Workspace.callback.authorization`'],
  ],
  'POST /api/users': [
    ['fname', 'manifest', '`User.fname`'],
    ['lname', 'manifest', '`User.lname`'],
    ['email', 'manifest', '`User.email`'],
    ['company_name', 'manifest', '`User.companyName`'],
    ['locale', 'manifest', '`User.locale`'],
    ['billing_term', 'manifest', '`User.billingTerm`'],
    ['set_reseller_billing_plan_id', 'manifest', '`User.setResellerBillingPlanId`'],
  ],
  'POST /api/webhooks/task/:id': [
    ['data', 'no', 'back-end only'],
    ['success', 'no', 'back-end only'],
  ],
  'PATCH /api/sites/:id/cdn/caching': [
    ['smart_cache', 'manifest', '`Site.caching.smartCache`'],
    ['cache_expiration', 'manifest', '`Site.caching.cacheExpiration`'],
    ['browser_cache_expiration', 'manifest', '`Site.caching.browserCacheExpiration`'],
    ['query_string_ordering', 'manifest', '`Site.caching.queryStringOrdering`'],
    ['cache_error_responses', 'manifest', '`Site.caching.cacheErrorResponses`'],
    ['vary_avif', 'manifest', '`Site.caching.varyAvif`'],
    ['vary_webp', 'manifest', '`Site.caching.varyWebp`'],
    ['vary_mobile', 'manifest', '`Site.caching.varyMobile`'],
    ['vary_hostname', 'manifest', '`Site.caching.varyHostname`'],
    ['vary_country_code', 'manifest', '`Site.caching.varyCountryCode`'],
    ['vary_country_state_code', 'manifest', '`Site.caching.varyCountryStateCode`'],
    ['vary_cookie', 'manifest', '`Site.caching.varyCookie`'],
    ['disable_cookies', 'manifest', '`Site.caching.disableCookies`'],
    ['cache_slice', 'manifest', '`Site.caching.cacheSlice`'],
    ['stale_while_offline', 'manifest', '`Site.caching.staleWhileOffline`'],
    ['stale_while_updating', 'manifest', '`Site.caching.staleWhileUpdating`'],
    ['cookie_vary_parameters', 'manifest', '`Site.caching.cookieVaryParameters`'],
    ['query_string_vary_parameters', 'manifest', '`Site.caching.queryStringVaryParameters`'],
  ],
  'POST /api/sites/:id/edge_rules': [
    ['ActionType', 'manifest', '`Site.edgeRules.action.type`'],
    ['ActionParameter1', 'manifest', '`Site.edgeRules.action.parameter1`'],
    ['ActionParameter2', 'manifest', '`Site.edgeRules.action.parameter2`'],
    ['ActionParameter3', 'manifest', '`Site.edgeRules.action.parameter3`'],
    ['TriggerMatchingType', 'manifest', '`Site.edgeRules.match`'],
    ['Description', 'manifest', '`Site.edgeRules.name`'],
    ['Enabled', 'manifest', '`Site.edgeRules.enabled`'],
    ['OrderIndex', 'manifest', 'the place in `Site.edgeRules`'],
    ['Triggers.Type', 'manifest', '`Site.edgeRules.triggers.type`'],
    ['Triggers.PatternMatchingType', 'manifest', '`Site.edgeRules.triggers.match`'],
    ['Triggers.Parameter1', 'manifest', '`Site.edgeRules.triggers.parameter1`'],
    ['Triggers.PatternMatches', 'manifest', '`Site.edgeRules.triggers.patterns`'],
    ['ExtraActions.ActionType', 'manifest', '`Site.edgeRules.extraActions.type`'],
    ['ExtraActions.ActionParameter1', 'manifest', '`Site.edgeRules.extraActions.parameter1`'],
    ['ExtraActions.ActionParameter2', 'manifest', '`Site.edgeRules.extraActions.parameter2`'],
    ['ExtraActions.ActionParameter3', 'manifest', '`Site.edgeRules.extraActions.parameter3`'],
    ['Guid', 'manifest', "the platform's own, of a rule that is replaced"],
  ],
  'PATCH /api/sites/:id/shield': [
    ['plan_type', 'manifest', '`Site.shield.plan`'],
    ['waf_enabled', 'manifest', '`Site.shield.waf.enabled`'],
    ['waf_execution_mode', 'manifest', '`Site.shield.waf.executionMode`'],
    ['waf_disabled_rules', 'manifest', '`Site.shield.waf.disabledRules`'],
    ['waf_log_only_rules', 'manifest', '`Site.shield.waf.logOnlyRules`'],
    ['ddos_sensitivity', 'manifest', '`Site.shield.ddos.sensitivity`'],
    ['ddos_execution_mode', 'manifest', '`Site.shield.ddos.executionMode`'],
    ['ddos_challenge_window', 'manifest', '`Site.shield.ddos.challengeWindow`'],
    ['whitelabel_response_pages', 'manifest', '`Site.shield.whitelabelResponsePages`'],
    ['learning_mode', 'command', '`run learn`, and `Site.shield.learnOnActivation`'],
    ['premium', 'no', 'another name of plan_type'],
  ],
  'POST, PATCH /api/sites/:id/shield/waf_custom_rules': [
    ['rule_name', 'manifest', '`Site.shield.customRules.name`'],
    ['rule_description', 'manifest', '`Site.shield.customRules.description`'],
    ['action_type', 'manifest', '`Site.shield.customRules.action`'],
    ['variable_type', 'manifest', '`Site.shield.customRules.variable`'],
    ['variable_subselector', 'manifest', '`Site.shield.customRules.subselector`'],
    ['operator_type', 'manifest', '`Site.shield.customRules.operator`'],
    ['severity_type', 'manifest', '`Site.shield.customRules.severity`'],
    ['value', 'manifest', '`Site.shield.customRules.value`'],
  ],
  'PATCH /api/sites/:id/shield/bot_detection': [
    ['execution_mode', 'manifest', '`Site.shield.botDetection.executionMode`'],
    ['request_integrity_sensitivity', 'manifest', '`Site.shield.botDetection.requestIntegritySensitivity`'],
    ['ip_address_sensitivity', 'manifest', '`Site.shield.botDetection.ipAddressSensitivity`'],
    ['browser_fingerprint_sensitivity', 'manifest', '`Site.shield.botDetection.browserFingerprintSensitivity`'],
    ['browser_fingerprint_aggression', 'manifest', '`Site.shield.botDetection.browserFingerprintAggression`'],
    ['browser_fingerprint_complex_enabled', 'manifest', '`Site.shield.botDetection.browserFingerprintComplexEnabled`'],
  ],
  'POST, PATCH /api/sites/:id/shield/rate_limits': [
    ['rule_name', 'manifest', '`Site.shield.rateLimits.name`'],
    ['rule_description', 'manifest', '`Site.shield.rateLimits.description`'],
    [
      'rule_configuration',
      'manifest',
      '`Site.shield.rateLimits.configuration`, and fields of their own for what is documented',
    ],
  ],
  'POST, PATCH /api/sites/:id/shield/access_lists': [
    ['name', 'manifest', '`Site.shield.accessLists.name`'],
    ['description', 'manifest', '`Site.shield.accessLists.description`'],
    ['type', 'manifest', '`Site.shield.accessLists.type`'],
    ['content', 'manifest', '`Site.shield.accessLists.content`'],
    ['checksum', 'manifest', '`Site.shield.accessLists.checksum`'],
  ],
  'PATCH /api/sites/:id/mail/settings': [
    ['mail_from_local_part', 'manifest', '`Site.mail.fromLocalPart`'],
    ['mail_from_name', 'manifest', '`Site.mail.fromName`'],
  ],
  'POST /api/mailspace': [
    ['domain', 'manifest', '`Mailspace.metadata.name`'],
    ['package', 'manifest', '`Mailspace.package`'],
  ],
  'POST, PATCH /api/mailspace/:id/domains': [
    ['name', 'manifest', '`Mailspace.domains.name`'],
    ['description', 'manifest', '`Mailspace.domains.description`'],
  ],
  'POST /api/mailspace/:id/domains/dns_check': [['domain', 'command', '`dns` with --check']],
  'POST /api/mailspace/:id/aliases': [
    ['address', 'manifest', '`Mailspace.aliases.address`'],
    ['domain', 'same', 'a part of the address'],
    ['target_email', 'manifest', '`Mailspace.aliases.target`'],
  ],
  'POST /api/mailspace/:id/groups': [
    ['name', 'manifest', '`Mailspace.groups.name`'],
    ['email', 'manifest', '`Mailspace.groups.email`'],
    ['domain', 'same', 'a part of the address'],
    ['description', 'manifest', '`Mailspace.groups.description`'],
    ['aliases', 'same', '`Mailspace.aliases`, each by a call of its own'],
    ['members', 'manifest', '`Mailspace.groups.members`'],
  ],
  'POST, PATCH /api/mailspace/:id/mailboxes': [
    ['username', 'manifest', '`Mailspace.mailboxes.address`'],
    ['domain', 'manifest', 'a part of the address'],
    ['password', 'manifest', '`Mailspace.mailboxes.password`'],
    ['display_name', 'manifest', '`Mailspace.mailboxes.displayName`'],
    ['quota_mb', 'manifest', '`Mailspace.mailboxes.quotaMb`'],
    ['aliases', 'same', '`Mailspace.aliases`, each by a call of its own'],
    ['groups', 'manifest', '`Mailspace.groups.members`'],
    ['lists', 'manifest', '`Mailspace.mailboxes.lists`'],
    ['status', 'manifest', '`Mailspace.mailboxes.status`'],
    ['allowed_ips', 'manifest', '`Mailspace.mailboxes.allowedIps`'],
  ],
  'POST, PATCH /api/panel_accounts': [
    ['package', 'manifest', '`PanelAccount.package`'],
    ['term', 'manifest', '`PanelAccount.order.term`'],
    ['domain', 'manifest', '`PanelAccount.order.domain`'],
    ['callback.url', 'manifest', '`Workspace.callback.url`'],
    ['callback.authorization', 'manifest', '`Workspace.callback.authorization`'],
  ],
  'PATCH /api/domain_contacts/:id': [
    ['tld_id / tld_name', 'no', 'contacts are edited through the registration that uses them'],
    ['domain_contact.* of a role in use', 'same', 'a role gets a new contact'],
  ],
  'PATCH /api/domain_registrations/:id': [
    ['auto_renew', 'manifest', '`DomainRegistration.autoRenew`'],
    ['nameservers', 'manifest', '`DomainRegistration.nameservers`'],
    ['locked', 'manifest', '`DomainRegistration.locked`'],
    ['privacy_protect', 'manifest', '`DomainRegistration.privacyProtect`'],
    ['dnssec.mode', 'manifest', '`DomainRegistration.dnssec`'],
    ['key_data.flags', 'manifest', '`DomainRegistration.dnssec.keys.flags`'],
    ['key_data.algorithm', 'manifest', '`DomainRegistration.dnssec.keys.algorithm`'],
    ['key_data.publicKey', 'manifest', '`DomainRegistration.dnssec.keys.publicKey`'],
  ],
  'PATCH, POST /api/domain_registrations/:id': [
    ['holder_contact.action_mode', 'manifest', '`DomainRegistration.contacts.owner`, `DomainRegistration.ownerChange`'],
    ['holder_contact.*', 'manifest', '`Contact`'],
    ['confirm_reverification', 'manifest', '`DomainRegistration.confirmReverification`'],
    ['holder_contact.new_contact', 'manifest', '`DomainRegistration.ownerChange.to`'],
    [
      'registrant_change.new_contact',
      'manifest',
      '`DomainRegistration.ownerChange.to` with `DomainRegistration.ownerChange.paid`',
    ],
    ['holder_contact.source_domain_contact_id', 'same', 'the new contact is written out'],
    ['registrant_change.source_domain_contact_id', 'same', 'the new contact is written out'],
  ],
  'PATCH /api/domain_registrations/:id/contacts': [
    ['admin_contact', 'manifest', '`DomainRegistration.contacts.admin`'],
    ['tech_contact', 'manifest', '`DomainRegistration.contacts.tech`'],
    ['billing_contact', 'manifest', '`DomainRegistration.contacts.billing`'],
    ['{role}_source_domain_contact_id', 'manifest', 'chosen where one `Contact` has several roles'],
    ['{role}_new_contact', 'manifest', '`Contact`'],
  ],
  'POST /api/domain_registrations': [
    ['transfer_out.decision', 'command', '`run transfer-out`'],
    ['push_transfer.recipient', 'command', '`run push-transfer` with --to'],
    ['suggestions.domain', 'command', '`get suggestions`'],
    ['check.domain', 'command', '`get prices`, and the plan of an order'],
  ],
  'POST, PATCH /api/domain_registrations/:id/hosts': [
    ['host_name', 'manifest', '`DomainRegistration.hosts.hostName`'],
    ['addresses', 'manifest', '`DomainRegistration.hosts.addresses`'],
  ],
};

/** The endpoints and fields that the page says are reached, and that nobody sent who left only these lines. */
export function claimsBeyond(lines: readonly string[]): readonly string[] {
  const sent = sentBy(lines);
  const endpoints = Object.values(ROWS)
    .flat()
    .filter((row) => row.length === 2 && reachOf(row[0], row[1], sent) === undefined);
  const fields = Object.entries(FIELDS).flatMap(([name, rows]) =>
    rows
      .filter(([field, reach]) => reach !== 'no' && reach !== 'same' && !wasSent(name, field, sent))
      .map(([field]) => `${name} ${field}`),
  );
  return [...endpoints.map(([name]) => name), ...fields];
}
