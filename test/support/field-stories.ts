// One story for each kind of root: a manifest that declares every updatable field, and where the sandbox stores it.
import { registry } from '../../src/areas/index.ts';
import type { Json, JsonObject } from '../../src/model/json.ts';
import type { Kind } from '../../src/model/kind/kind.ts';
import { buildScenario } from '../../src/sandbox/scenarios.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import type { HarnessOptions } from './harness.ts';
import { manifest, siteManifest, WHOLE_SHIELD } from './manifests.ts';
import { ADA, KEY } from './registrations.ts';
import { sampleOf } from './samples.ts';

/** An object below the root, its fields that differ, a path in the state of the sandbox, and another value for it. */
export type FieldRow = readonly [object: string, fields: string, place: string, value: Json];

export interface FieldStory {
  readonly root: string;
  /** The path in the state that the paths of the rows start from. */
  readonly state: string;
  readonly options: HarnessOptions;
  readonly rows: readonly FieldRow[];
  /** Returns the state that a repair restores. */
  readonly kept: (sandbox: Sandbox) => unknown;
}

/** Returns the part of a state at a path such as `sites/site-shop/mail`. */
export function partAt(state: object, place: string): object {
  return place.split('/').reduce((part, key) => {
    const next: unknown =
      part instanceof Map ? (part.get(key) ?? part.get(Number(key))) : (part as Record<string, unknown>)[key];
    if (typeof next !== 'object' || next === null) throw new Error(`no ${key} of ${place}`);
    return next;
  }, state);
}

const caching = { ...sampleOf(registry.get('Caching') as Kind).live, queryStringVaryParameters: ['c'] };
const cachingRows = Object.entries(caching).map(([field, value]): FieldRow => {
  const other = typeof value === 'boolean' ? !value : Array.isArray(value) ? ['changed'] : 1;
  return ['Caching', field, `cdn/caching/${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`, other];
});

const rule = {
  name: 'a',
  enabled: true,
  match: 'all',
  action: { type: 'Redirect', parameter1: 'https://a.nl/', parameter2: '302', parameter3: 'x' },
  extraActions: [{ type: 'SetResponseHeader', parameter1: 'X', parameter2: 'y' }],
  triggers: [
    { type: 'Url', patterns: ['*/a/*'] },
    { type: 'RequestHeader', match: 'none', patterns: ['b'], parameter1: 'Accept' },
  ],
};
const site: FieldStory = {
  root: 'Site/shop',
  state: 'sites/site-shop',
  options: {
    scenario: () => {
      const { state } = buildScenario('small');
      Object.assign(partAt(state, 'sites/site-shop'), { edgeRules: [] });
      return state;
    },
    files: {
      'sites/shop.json': siteManifest('shop', {
        name: 'Shop',
        primaryDomain: 'shop.example.com',
        phpVersion: '8.2',
        cacheLayers: { nginx: true, cdn: true },
        mail: { fromLocalPart: 'orders', fromName: 'Orders' },
        edgeRules: [rule],
        caching,
      }),
    },
  },
  kept: ({ state }) => {
    const { name, primaryDomainId, phpVersion, layers, mail, edgeRules, cdn } = state.sites.get('site-shop')!;
    return [name, primaryDomainId, phpVersion, layers, mail?.fromLocalPart, mail?.fromName, edgeRules, cdn.caching];
  },
  rows: [
    ['', 'name', 'name', 'other'],
    ['SiteDomain/shop.example.com', 'primary', 'primaryDomainId', 'dom-www-shop'],
    ['PhpVersion', 'version', 'phpVersion', '8.1'],
    ['CacheLayer/nginx', 'enabled', 'layers/nginx/on', false],
    ['CacheLayer/cdn', 'enabled', 'layers/cdn/on', false],
    ['SiteMail', 'fromLocalPart', 'mail/fromLocalPart', 'other'],
    ['SiteMail', 'fromName', 'mail/fromName', 'other'],
    ['EdgeRule/a', 'action/type', 'edgeRules/0/ActionType', 24],
    ['EdgeRule/a', 'action/parameter1', 'edgeRules/0/ActionParameter1', 'other'],
    ['EdgeRule/a', 'action/parameter2', 'edgeRules/0/ActionParameter2', null],
    ['EdgeRule/a', 'action/parameter3', 'edgeRules/0/ActionParameter3', 'other'],
    ['EdgeRule/a', 'extraActions', 'edgeRules/0/ExtraActions', []],
    ['EdgeRule/a', 'match', 'edgeRules/0/TriggerMatchingType', 2],
    ['EdgeRule/a', 'triggers', 'edgeRules/0/Triggers/length', 1],
    ['EdgeRule/a', 'enabled', 'edgeRules/0/Enabled', false],
    ...cachingRows,
  ],
};

const shield: FieldStory = {
  root: 'Site/none',
  state: 'sites/site-none/shield/zone',
  options: {
    scenario: 'shield',
    files: {
      'sites/none.json': siteManifest('none', {
        shield: WHOLE_SHIELD,
      }),
    },
  },
  kept: (sandbox) => sandbox.snapshot(),
  rows: [
    ['Shield', 'whitelabelResponsePages', 'whitelabel', false],
    ['ShieldWaf', 'enabled', 'waf/enabled', false],
    ['ShieldWaf', 'executionMode', 'waf/executionMode', 0],
    ['ShieldWaf', 'disabledRules', 'waf/disabledRules', []],
    ['ShieldWaf', 'logOnlyRules', 'waf/logOnlyRules', ['1']],
    ['ShieldDdos', 'sensitivity', 'ddos/sensitivity', 0],
    ['ShieldDdos', 'executionMode', 'ddos/executionMode', 0],
    ['ShieldDdos', 'challengeWindow', 'ddos/challengeWindow', 1],
    ['ShieldBotDetection', 'executionMode', 'bots/execution_mode', 0],
    ['ShieldBotDetection', 'requestIntegritySensitivity', 'bots/request_integrity_sensitivity', 0],
    ['ShieldBotDetection', 'ipAddressSensitivity', 'bots/ip_address_sensitivity', 0],
    ['ShieldBotDetection', 'browserFingerprintSensitivity', 'bots/browser_fingerprint_sensitivity', 0],
    ['ShieldBotDetection', 'browserFingerprintAggression', 'bots/browser_fingerprint_aggression', 9],
    ['ShieldBotDetection', 'browserFingerprintComplexEnabled', 'bots/browser_fingerprint_complex_enabled', false],
    ['ShieldCustomRule/one', 'description', 'customRules/0/description', null],
    ['ShieldCustomRule/one', 'action', 'customRules/0/configuration/action_type', 4],
    ['ShieldCustomRule/one', 'variable', 'customRules/0/configuration/variable_type', 'GEO'],
    ['ShieldCustomRule/one', 'subselector', 'customRules/0/configuration/variable_subselector', 'y'],
    ['ShieldCustomRule/one', 'operator', 'customRules/0/configuration/operator_type', 0],
    ['ShieldCustomRule/one', 'severity', 'customRules/0/configuration/severity_type', 0],
    ['ShieldCustomRule/one', 'value', 'customRules/0/configuration/value', 'z'],
    ['ShieldRateLimit/Login', 'description', 'rateLimits/0/description', 'other'],
    ['ShieldRateLimit/Login', 'action', 'rateLimits/0/configuration/actionType', 2],
    ['ShieldRateLimit/Login', 'requestCount', 'rateLimits/0/configuration/requestCount', 99],
    ['ShieldRateLimit/Login', 'timeframe', 'rateLimits/0/configuration/timeframe', 1],
    ['ShieldRateLimit/Login', 'blockTime', 'rateLimits/0/configuration/blockTime', 1],
    ['ShieldRateLimit/Login', 'countBy', 'rateLimits/0/configuration/counterKeyType', 0],
    ['ShieldRateLimit/Login', 'severity', 'rateLimits/0/configuration/severityType', 0],
    ['ShieldRateLimit/Login', 'conditions', 'rateLimits/0/configuration/value', '/x'],
    ['ShieldRateLimit/Login', 'transformations', 'rateLimits/0/configuration/transformationTypes', []],
    ['ShieldAccessList/Office', 'description', 'accessLists/0/description', null],
    ['ShieldAccessList/Office', 'type', 'accessLists/0/type', 1],
    ['ShieldAccessList/Office', 'content', 'accessLists/0/content', '192.0.2.9'],
  ],
};

const mail: FieldStory = {
  root: 'Mailspace/shop.example.com',
  state: 'mail/spaces/mail-shop',
  options: {
    scenario: 'mail',
    files: {
      'sites/mail.json': manifest('Mailspace', 'shop.example.com', {
        domains: [{ name: 'shop.example.net', description: 'the other shop' }],
        mailboxes: [
          {
            address: 'Anna@shop.example.com',
            displayName: 'Anna',
            quotaMb: 2048,
            status: 'active',
            allowedIps: ['192.0.2.0/24'],
            lists: ['news@shop.example.com'],
          },
        ],
        groups: [{ email: 'team@shop.example.com', name: 'Team', members: ['anna@shop.example.com'] }],
      }),
    },
  },
  kept: (sandbox) => sandbox.snapshot(),
  rows: [
    ['MailDomain/shop.example.net', 'description', 'domains/1/description', 'other'],
    ['Mailbox/anna@shop.example.com', 'displayName', 'mailboxes/0/displayName', 'Other'],
    ['Mailbox/anna@shop.example.com', 'quotaMb', 'mailboxes/0/quotaMb', 1],
    ['Mailbox/anna@shop.example.com', 'status', 'mailboxes/0/status', 'suspended'],
    ['Mailbox/anna@shop.example.com', 'allowedIps', 'mailboxes/0/allowedIps', ['198.51.100.7']],
    ['Mailbox/anna@shop.example.com', 'lists', 'groups/2/members', []],
    ['MailGroup/team@shop.example.com', 'members', 'groups/0/members', []],
  ],
};

const registration: FieldStory = {
  root: 'DomainRegistration/plain.com',
  state: 'registrar/registrations/reg-plain.com',
  options: {
    scenario: 'registrar',
    files: {
      'sites/name.yaml': [
        manifest('DomainRegistration', 'plain.com', {
          autoRenew: true,
          nameservers: ['NS1.sandbox.example.', 'ns2.sandbox.example'],
          locked: true,
          privacyProtect: true,
          dnssec: { keys: [KEY] },
          hosts: [{ hostName: 'NS1.plain.com', addresses: ['192.0.2.53', '2001:DB8:0::53'] }],
          contacts: {
            owner: { ref: 'Contact/ada' },
            admin: { ref: 'Contact/ada' },
            tech: { ref: 'Contact/ben' },
            billing: { ref: 'Contact/ada' },
          },
        }),
        manifest('Contact', 'ada', ADA),
        manifest('Contact', 'ben', { ...ADA, firstName: 'Ben', email: 'ben@acme.example' }),
      ].join('\n---\n'),
    },
  },
  // A contact that nobody uses any more stays.
  kept: (sandbox) => ({ ...(sandbox.snapshot() as JsonObject), contacts: undefined }),
  rows: [
    ['', 'autoRenew', 'autoRenew', false],
    ['RegistrationNameservers', 'nameservers', 'nameservers', ['ns9.elsewhere.example']],
    ['RegistrationLock', 'locked', 'locked', false],
    ['RegistrationPrivacy', 'privacyProtect', 'privacyProtect', false],
    ['RegistrationDnssec', 'enabled', 'dnssecEnabled', false],
    ['RegistrationHost/ns1.plain.com', 'addresses', 'hosts', [{ name: 'ns1.plain.com', addresses: ['192.0.2.1'] }]],
    ['RegistrationContacts', 'tech/firstName tech/email', 'techId', 801],
    ['RegistrationContacts', 'admin', 'adminId', null],
    ['RegistrationContacts', 'billing/firstName billing/email', 'billingId', 802],
  ],
};
const owner: FieldStory = {
  root: 'DomainRegistration/bare.nl',
  state: 'registrar/contacts/807/fields',
  options: {
    scenario: 'registrar',
    files: {
      'sites/name.yaml': [
        manifest('DomainRegistration', 'bare.nl', { contacts: { owner: { ref: 'Contact/fay' } } }),
        manifest('Contact', 'fay', { ...ADA, firstName: 'Fay', email: 'fay@acme.example' }),
      ].join('\n---\n'),
    },
  },
  kept: (sandbox) => sandbox.snapshot(),
  rows: [
    ['RegistrationOwner', 'streetAddress', 'street_address', 'Other'],
    ['RegistrationOwner', 'postCode', 'post_code', 'Other'],
    ['RegistrationOwner', 'city', 'city', 'Other'],
    ['RegistrationOwner', 'state', 'state', 'Other'],
    ['RegistrationOwner', 'country', 'country', 'BE'],
    ['RegistrationOwner', 'phone', 'phone', '+32.1234567'],
  ],
};

export const FIELD_STORIES = { site, shield, mail, registration, 'a holder, edited in place (REG-20)': owner };

/** Sets the value of a row in the state of a sandbox, as another user would. */
export function changeField({ state }: Sandbox, { state: from }: FieldStory, [, , place, value]: FieldRow): void {
  const path = `${from}/${place}`;
  const at = path.lastIndexOf('/');
  Object.assign(partAt(state, path.slice(0, at)), { [path.slice(at + 1)]: value });
}
