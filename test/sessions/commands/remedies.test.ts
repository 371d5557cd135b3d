// The law of remedies: each text of a kind that says what to do, and names an edit of the manifest, is here. Either it is
// tried, by doing literally what it says: the plan that printed it prints it no more, and nothing stands in the way; or
// the row says who else would have to act, or which other test tries it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../../src/areas/endpoints.ts';
import type { Diagnostic } from '../../../src/model/diagnostic.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import type { Sandbox, SandboxOptions } from '../../../src/sandbox/server.ts';
import type { ShieldZone } from '../../../src/sandbox/shield/state.ts';
import { codes } from '../../../src/usecases/explain/generated/codes.ts';
import { exportAccount } from '../../../src/usecases/export.ts';
import { importObject } from '../../../src/usecases/import.ts';
import { acceptLive } from '../../../src/usecases/write/accept.ts';
import { act } from '../../../src/usecases/act/act.ts';
import type { Harness } from '../../support/harness.ts';
import { CONTACT, manifest, siteManifest, workspaceFile } from '../../support/manifests.ts';
import { hasTest } from '../../support/titles.ts';
import { openHarness } from '../../support/open-harness.ts';

const source = join(import.meta.dirname, '../../../src');
/** Words by which a remedy asks for an edit of a manifest. */
const EDIT =
  /\b(write|leave|remove|take(?! (?:days|a larger))|name|add|say|choose|declare|correct|keep|give|do without)\b/i;
/** A person acts at the platform, and nothing is edited. */
const OUTSIDE =
  /^[^,;]*\b(?:in the dashboard|the platform|larger package)\b[^,;]*(?:; the next plan sees that it is done)?\.$/;

function asText([, text, template = '']: RegExpExecArray): string {
  return text ?? template.replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '*').replaceAll('\\`', '`');
}

/** Every constant remedy in a folder; `*` for what is filled in. */
const remediesIn = (folder: string): readonly string[] =>
  readdirSync(join(source, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => [
      ...readFileSync(join(source, folder, name), 'utf8').matchAll(
        /remedy(?::|\s*=)\s*(?:'([^'\n]+)'|`((?:[^`\\]|\\.)+)`)/g,
      ),
    ])
    .map(asText);
/** The last argument of each call that stops `drift --accept` or `export --id`. */
const stopping = ['usecases/import.ts', 'usecases/write/accept.ts', 'usecases/write/edits.ts'].flatMap((file) =>
  [
    ...readFileSync(join(source, file), 'utf8').matchAll(
      /\b(?:stop|refuse|unwritable)\([^;]*?(?:,|\?\?)\s*(?:'([^'\n]+)'|`((?:[^`\\]|\\.)+)`),?\s*\)/g,
    ),
  ].map(asText),
);
const inKinds = remediesIn('areas');
/** And of the answers that the documents give. */
const documented = ENDPOINTS.flatMap(({ answers }) => answers.flatMap(({ remedy }) => remedy ?? []));
const remedies: readonly string[] = [...new Set([...inKinds, ...documented])]
  .filter((text) => EDIT.test(text) && !OUTSIDE.test(text))
  .sort();

type Manifests = readonly string[];
interface Trial {
  readonly scenario?: string;
  readonly before: Manifests;
  /** With the edit that the remedy names. */
  readonly after: Manifests;
  /** What the account has to be like. */
  readonly account?: (sandbox: Sandbox) => unknown;
  /** Where the workspace has what the manifests keep or need. */
  readonly secrets?: string;
  /** How the platform reads what its documents leave open. */
  readonly ambiguities?: SandboxOptions['ambiguities'];
  /** The body with which the platform answers at this path, where the sandbox would answer with another. */
  readonly answer?: (path: string) => string | undefined;
  /** The command that prints the remedy; else the plan does. */
  readonly ask?: (one: Harness) => Promise<{ readonly diagnostics: readonly Diagnostic[] }>;
  /** The same command as the remedy asks for it; else it is run again as it was. */
  readonly askAgain?: Trial['ask'];
  /** The command that the remedy names, run after the edit. */
  readonly run?: (one: Harness) => Promise<unknown>;
}
/** `outside`: who has to act, or why nobody has. `tried`: the test that does what it says. */
type Row = Trial | { readonly outside: string } | { readonly tried: readonly [file: string, title: string] };

const name = (of: string, spec: object = {}, more?: object): string => manifest('DomainRegistration', of, spec, more);
const mail = (spec: object): string => manifest('Mailspace', 'shop.example.com', spec);
const contact = (of: string, spec: object = {}): string => manifest('Contact', of, { ...CONTACT, ...spec });
const acme = contact('acme');
const SHARED = { firstName: 'Shared', lastName: 'Vries', email: 'shared@acme.example' };
const OWNER = { owner: { ref: 'Contact/acme' } };
const moved = contact('acme', { ...SHARED, email: 'new@acme.example' });
const shared = contact('acme', SHARED);
const MAX = { amount: '30.00', currency: 'EUR' };
const BUY = { order: { action: 'register', maxPrice: MAX }, contacts: OWNER };
const MOVE = { order: { action: 'transfer', authcode: { env: 'DAAN_PASSWORD' }, maxPrice: MAX }, contacts: OWNER };
const ORDER = { variant: 'vanilla', location: 'ams', term: 'monthly' };

const accept = (address: string) => (one: Harness) =>
  acceptLive(one.session(), { paths: [], addresses: [address], dryRun: false });
const adopt = (address: string, id?: string) => (one: Harness) =>
  importObject(one.session(), { address, dryRun: false, ...(id !== undefined && { id }) });
const exportTo = (target: string) => (one: Harness) => exportAccount(one.session(), { targets: [target], out: '.' });
const zoneOf = ({ state }: Sandbox, of: string): ShieldZone => {
  const zone = state.sites.get(`site-${of}`)?.shield.zone;
  if (zone == null) throw new Error('no zone');
  return zone;
};
const ruleOf = (of: string): JsonObject => ({
  name: of,
  action: 'block',
  variable: 'REQUEST_URI',
  operator: 'contains',
  value: '/new',
});
const accessList = (of: string, type: string | number): string =>
  siteManifest('premium', { shield: { accessLists: [{ name: of, type, content: ['192.0.2.1'] }] } });
const FORCE_SSL = { name: 'force ssl', triggers: [{ url: ['*'] }], action: { forceSsl: {} } };
const NEW = { email: 'new@example.com', fname: 'New', lname: 'User' };
const told = (file: string, more?: object): string =>
  manifest('User', 'new', { ...NEW, credentialsTo: { file } }, more);
const GONE = { ...FORCE_SSL, name: 'gone' };
const elsewhere = (pattern: string): string =>
  siteManifest('shop', {
    edgeRules: [
      FORCE_SSL,
      { name: 'made elsewhere', triggers: [{ url: [pattern] }], action: { type: 37 }, match: 'any' },
    ],
  });
/** Only the rules of these names, each at a place of its own. */
const onlyRules =
  (...names: readonly string[]) =>
  ({ state }: Sandbox): void => {
    const shop = state.sites.get('site-shop');
    if (shop === undefined) throw new Error('no shop');
    shop.edgeRules = shop.edgeRules
      .filter(({ Description }) => names.includes(Description ?? ''))
      .map((rule, index) => ({ ...rule, OrderIndex: 10 * (index + 1) }));
  };

const ROWS: Readonly<Record<string, Row>> = {
  'Bind it: write the id of its site as metadata.id, or its display name as spec.name. To buy one, write spec.plan and spec.order.':
    { before: [manifest('Site', 'store', {})], after: [manifest('Site', 'store', {}, { id: 'site-shop' })] },
  'Write the plan to buy as spec.plan.': {
    before: [manifest('Site', 'store', { order: ORDER })],
    after: [manifest('Site', 'store', { order: ORDER, plan: 'mini' })],
  },
  'Leave spec.plan out, or write there what the platform shows.': {
    account: ({ state }) => Object.assign(state.sites.get('site-shop') ?? {}, { package: 'legacy' }),
    before: [siteManifest('shop', { plan: 'pro' })],
    after: [siteManifest('shop', {})],
  },
  'Write one of these as phpVersion: *.': {
    before: [siteManifest('shop', { phpVersion: '9.9' })],
    after: [siteManifest('shop', { phpVersion: '8.3' })],
  },
  'Remove it from cacheLayers.': { outside: 'no account shows a site without one of the three layers (CCH-01)' },
  'Name another hostname as primaryDomain first.': {
    before: [siteManifest('docs', { domains: [], unlisted: { domains: 'remove' } })],
    after: [
      siteManifest('docs', {
        domains: ['help.example.com'],
        primaryDomain: 'help.example.com',
        unlisted: { domains: 'remove' },
      }),
    ],
  },
  'Name another hostname as primaryDomain of *: it is promoted first.': {
    before: [
      siteManifest('docs', { domains: [] }),
      siteManifest('shop', { domains: [{ hostname: 'docs.example.com', moveFrom: 'Site/docs' }] }),
    ],
    after: [
      siteManifest('docs', { domains: ['help.example.com'], primaryDomain: 'help.example.com' }),
      siteManifest('shop', { domains: [{ hostname: 'docs.example.com', moveFrom: 'Site/docs' }] }),
    ],
  },
  'Write `shield.enabled: true`.': {
    scenario: 'shield',
    before: [siteManifest('none', { shield: { plan: 'basic' } })],
    after: [siteManifest('none', { shield: { plan: 'basic', enabled: true } })],
  },
  'Write `shield.enabled: true`, or remove this from `shield`.': {
    scenario: 'shield',
    before: [siteManifest('none', { shield: { waf: { enabled: true } } })],
    after: [siteManifest('none', { shield: {} })],
  },
  'Choose a plan of the site that includes Shield, or write `shield: { enabled: false }`.': {
    scenario: 'shield',
    before: [siteManifest('bare', { shield: { enabled: true } })],
    after: [siteManifest('bare', { shield: { enabled: false } })],
  },
  'Write `shield.planDowngrade: *` beside it if that is meant, and remove the line afterwards.': {
    scenario: 'shield',
    before: [siteManifest('premium', { shield: { plan: 'basic' } })],
    after: [siteManifest('premium', { shield: { plan: 'basic', planDowngrade: 'basic' } })],
  },
  'To buy it, write spec.order, and who is to hold it as spec.contacts.owner.': {
    scenario: 'registrar',
    before: [name('brand-new.com', {})],
    after: [acme, name('brand-new.com', BUY)],
  },
  'Write spec.contacts.owner.': {
    scenario: 'registrar',
    before: [name('brand-new.com', { order: { action: 'register', maxPrice: MAX } })],
    after: [acme, name('brand-new.com', BUY)],
  },
  'Write the price to be paid as spec.order.maxPrice, or do without the name.': {
    scenario: 'registrar',
    before: [
      acme,
      name('brand-new.com', { order: { action: 'register', maxPrice: { ...MAX, amount: '1.00' } }, contacts: OWNER }),
    ],
    after: [acme, name('brand-new.com', BUY)],
  },
  'To register it, write `action: register` in spec.order.': {
    scenario: 'registrar',
    before: [acme, name('brand-new.com', MOVE)],
    after: [acme, name('brand-new.com', BUY)],
    secrets: '{ env: [DAAN_PASSWORD] }',
  },
  'If that is meant, add `*` below `spec`, with what `contacts.owner` says in place of `{ ref: Contact/NAME }`.*': {
    tried: [
      'sessions/commands/next-steps.test.ts',
      'REG-25: another holder is consented to with the line that the plan has',
    ],
  },
  'Name the same contact in both.': {
    scenario: 'registrar',
    before: [
      acme,
      contact('other', { lastName: 'Other' }),
      name('paid.shop', { contacts: OWNER, ownerChange: { to: { ref: 'Contact/other' }, paid: true } }),
    ],
    after: [acme, name('paid.shop', { contacts: OWNER, ownerChange: { to: { ref: 'Contact/acme' }, paid: true } })],
  },
  'To pay for it, add `paid: true` to `ownerChange`.': {
    scenario: 'registrar',
    before: [acme, name('paid.shop', { contacts: OWNER, ownerChange: { to: { ref: 'Contact/acme' } } })],
    after: [acme, name('paid.shop', { contacts: OWNER, ownerChange: { to: { ref: 'Contact/acme' }, paid: true } })],
  },
  'Ask the registry why, or remove `locked` from the manifest.': {
    scenario: 'registrar',
    before: [name('frozen.com', { locked: true })],
    after: [name('frozen.com', {})],
  },
  'Write a smaller quotaMb, or take a larger package in the dashboard.': {
    scenario: 'mail',
    before: [mail({ mailboxes: [{ address: 'anna@shop.example.com', quotaMb: 9_000_000 }] })],
    after: [mail({ mailboxes: [{ address: 'anna@shop.example.com', quotaMb: 1_024 }] })],
  },
  'Write password: { env: NAME }, or { file: path }.': {
    scenario: 'mail',
    before: [mail({ mailboxes: [{ address: 'new@shop.example.com' }] })],
    after: [mail({ mailboxes: [{ address: 'new@shop.example.com', password: { env: 'DAAN_PASSWORD' } }] })],
    secrets: '{ env: [DAAN_PASSWORD] }',
  },
  'To buy one, write spec.order: {}, and the package to buy as spec.package.': {
    scenario: 'mail',
    before: [manifest('Mailspace', 'owned.example.com', {})],
    after: [manifest('Mailspace', 'owned.example.com', { order: {}, package: 'mail_20' })],
  },
  'Ask the platform to restore the site, or remove its manifest.': {
    scenario: 'guards',
    before: [siteManifest('leaving', { phpVersion: '8.3' })],
    after: [],
  },
  'Ask the platform to switch it on; until then remove the manifests of registrations.': {
    account: ({ state }) => (state.registrar.enabled = false),
    before: [name('plain.com', { autoRenew: true })],
    after: [],
  },
  'Ask the platform which versions the site can have, or remove phpVersion.': {
    outside: 'the document shows no site without a version (PHP-01)',
  },
  'Ask the platform for the mail account of the site, or remove `mail` from the manifest.': {
    account: ({ state }) => Object.assign(state.sites.get('site-shop') ?? {}, { mail: null }),
    before: [siteManifest('shop', { mail: { fromName: 'Shop' } })],
    after: [siteManifest('shop', {})],
  },
  'Run plan again later, or remove `mail` from the manifest.': {
    account: ({ state }) => (state.mailDown = true),
    before: [siteManifest('shop', { mail: { fromName: 'Shop' } })],
    after: [siteManifest('shop', {})],
  },
  'Register it elsewhere, or remove its manifest.': {
    scenario: 'registrar',
    before: [acme, name('brand-new.nowhere', BUY)],
    after: [acme],
  },
  'Ask the platform; until then remove its manifest.': {
    scenario: 'registrar',
    before: [acme, name('brand-new.zz', BUY)],
    after: [acme],
  },
  'Ask the platform, or leave the name where it is and remove its manifest.': {
    scenario: 'registrar',
    account: ({ state }) => state.registrar.taken.push('taken.rare'),
    before: [acme, name('taken.rare', MOVE)],
    after: [acme],
    secrets: '{ env: [DAAN_PASSWORD] }',
  },
  'If it is yours at another registrar, write `action: transfer` in spec.order, and where its code is as spec.order.authcode. Otherwise choose another name.':
    {
      scenario: 'registrar',
      before: [acme, name('taken.com', BUY)],
      after: [acme, name('taken.com', MOVE)],
      secrets: '{ env: [DAAN_PASSWORD] }',
    },
  'Correct metadata.name.': {
    outside: 'a name that the platform takes for none has no form in a manifest: the schema refuses it before',
  },
  'Remove `*` from the manifest.': {
    scenario: 'registrar',
    before: [name('bare.nl', { privacyProtect: true })],
    after: [name('bare.nl', {})],
  },
  'To let it run out, write `state: present` and `autoRenew: false`. To be rid of it before, have it cancelled or transferred in the dashboard; the next plan sees that it is done.':
    {
      scenario: 'registrar',
      before: [name('plain.com', {}, { lifecycle: { state: 'absent' } })],
      after: [name('plain.com', { autoRenew: false }, { lifecycle: { state: 'present' } })],
    },
  'To have it changed all the same, write `confirmReverification` with the new address.': {
    scenario: 'registrar',
    before: [moved, name('one.com', { contacts: OWNER })],
    after: [moved, name('one.com', { contacts: OWNER, confirmReverification: 'new@acme.example' })],
  },
  'Write it in the manifest of the name that it is below.': {
    scenario: 'registrar',
    before: [name('one.com', { hosts: [{ hostName: 'ns1.two.com', addresses: ['192.0.2.9'] }] })],
    after: [name('two.com', { hosts: [{ hostName: 'ns1.two.com', addresses: ['192.0.2.9'] }] })],
  },
  'Swap in two runs. First leave these hostnames where they are, and name a third hostname as primaryDomain of *. When that is applied, write the swap as it is now.':
    {
      tried: [
        'sessions/site/moves.test.ts',
        "O-14: two sites that want each other's primary domain are told the way out, and it works",
      ],
    },
  'Declare the same details in both places, or have one of them given a contact of its own in the dashboard.': {
    scenario: 'registrar',
    before: [
      shared,
      contact('other', { ...SHARED, city: 'Village' }),
      name('one.com', { contacts: OWNER }),
      name('two.com', { contacts: { owner: { ref: 'Contact/other' } } }),
    ],
    after: [shared, name('one.com', { contacts: OWNER }), name('two.com', { contacts: OWNER })],
  },
  'Free it first, or declare another address: one belongs to one thing in a mailspace (ALS-11).': {
    scenario: 'mail',
    before: [mail({ groups: [{ email: 'anna@shop.example.com', name: 'A', members: [] }] })],
    after: [mail({ groups: [{ email: 'annas@shop.example.com', name: 'A', members: [] }] })],
  },
  'Have it restored in the dashboard, or remove its manifest.': {
    scenario: 'mail',
    before: [manifest('Mailspace', 'leaving.example.com', { mailboxes: [] })],
    after: [],
  },
  'Nothing of it is made or removed. Keep fewer in one mailspace, or look in the dashboard.': {
    outside: 'a mailspace with more than 500 mailboxes is split by moving them',
  },
  'Give the user behind the token the edit role on the site.': { outside: 'the owner of the site' },
  'Have them enabled by the platform, or remove the manifests of panel accounts.': {
    before: [manifest('PanelAccount', 'shop', {})],
    after: [],
  },
  'Bind it: write the username of its account as metadata.id. To buy one, write spec.package and spec.order.': {
    scenario: 'panel',
    before: [manifest('PanelAccount', 'shop', {})],
    after: [manifest('PanelAccount', 'shop', {}, { id: 'acmeshop' })],
  },
  'Write the package to buy as spec.package.': {
    scenario: 'panel',
    before: [manifest('PanelAccount', 'new', { order: { term: 'annual', domain: 'owned.example.com' } })],
    after: [
      manifest('PanelAccount', 'new', { package: 'basic', order: { term: 'annual', domain: 'owned.example.com' } }),
    ],
  },
  'Leave spec.package out, or change the package in the dashboard.': {
    scenario: 'panel',
    before: [manifest('PanelAccount', 'old', { package: 'basic' }, { id: 'acme_old' })],
    after: [manifest('PanelAccount', 'old', {}, { id: 'acme_old' })],
  },
  'Have it restored in the dashboard, which alone can do it, or say `lifecycle.state: absent` in its manifest.': {
    scenario: 'panel',
    before: [manifest('PanelAccount', 'gone', { package: 'basic' }, { id: 'acmegone' })],
    after: [manifest('PanelAccount', 'gone', {}, { id: 'acmegone', lifecycle: { state: 'absent' } })],
  },
  'Write its username as metadata.id; or look in the dashboard whether it is there, and run `hostwright ledger forget` when it is not.':
    {
      tried: [
        'sessions/panel/panel.test.ts',
        'PNL-11, LIM-05: beyond 500 each declared account is searched for, changed and bought all the same',
      ],
    },
  'Have it removed in the dashboard, then remove its manifest.': {
    before: [
      manifest(
        'User',
        'rob',
        { email: 'rob@acme.example', fname: 'Rob', lname: 'Reader' },
        { lifecycle: { state: 'absent' } },
      ),
    ],
    after: [],
  },
  'To make one, write spec.credentialsTo: { file: ... } or { sink: ... }: its password and token are told only once.': {
    before: [manifest('User', 'new', NEW)],
    after: [told('credentials/new.json')],
    secrets: '{ keep: [credentials/] }',
  },
  'Take them out of lifecycle.ignore.': {
    before: [told('credentials/new.json', { lifecycle: { ignore: ['/fname'] } })],
    after: [told('credentials/new.json')],
    secrets: '{ keep: [credentials/] }',
  },
  'Run `hostwright run transfer-out DomainRegistration/* --decision approve` to transfer it, or `--decision reject` to keep it. Then plan again.':
    {
      scenario: 'registrar',
      before: [name('leaving.com', { locked: true })],
      after: [name('leaving.com', { locked: true })],
      run: (one) =>
        act(
          one.session(),
          { operation: 'transfer-out', address: 'DomainRegistration/leaving.com', decision: 'reject' },
          () => Promise.resolve(true),
        ),
    },
  'When no name server is called by it any more (O-60), remove it in the dashboard; the next plan sees that it is done.':
    { outside: 'the dashboard, which alone removes a glue record' },
  'Leave `shield.plan` out.': {
    scenario: 'shield',
    account: (sandbox) => Object.assign(zoneOf(sandbox, 'premium'), { tier: 'ultimate' }),
    before: [siteManifest('premium', { shield: { plan: 'advanced' } })],
    after: [siteManifest('premium', { shield: { enabled: true } })],
  },
  'Write `shield.plan: advanced` or a higher one, or remove it.': {
    scenario: 'shield',
    before: [siteManifest('basic', { shield: { botDetection: { executionMode: 'challenge' } } })],
    after: [siteManifest('basic', { shield: { plan: 'advanced', botDetection: { executionMode: 'challenge' } } })],
  },
  'Write `type: *`. *': {
    scenario: 'shield',
    answer: (path) => (path.endsWith('/enums') ? '{"CIDR":0,"IP":1}' : undefined),
    before: [accessList('New', 'cidr')],
    after: [accessList('New', 0)],
  },
  'Write one of its types. *': {
    scenario: 'shield',
    before: [siteManifest('premium', { shield: { accessLists: [{ name: 'New', type: 9, content: ['192.0.2.1'] }] } })],
    after: [siteManifest('premium', { shield: { accessLists: [{ name: 'New', type: 0, content: ['192.0.2.1'] }] } })],
  },
  'Set * in the dashboard, and leave * out of the manifest.': {
    scenario: 'shield',
    account: (sandbox) => Object.assign(zoneOf(sandbox, 'premium').waf, { executionMode: 7 }),
    before: [siteManifest('premium', { shield: { waf: { enabled: true, executionMode: 'log' } } })],
    after: [siteManifest('premium', { shield: { waf: { enabled: true } } })],
  },
  'Change it in the dashboard and leave its fields out here, or give the one in the manifest another name: then this one is removed.':
    {
      scenario: 'shield',
      account: (sandbox) => {
        const zone = zoneOf(sandbox, 'intricate');
        zone.customRules = zone.customRules.filter(({ name: of }) => of === 'Negated');
      },
      before: [siteManifest('intricate', { shield: { customRules: [ruleOf('Negated')] } })],
      after: [siteManifest('intricate', { shield: { customRules: [ruleOf('Plainer')] } })],
    },
  'Write the rule in the manifest as it is live, at the place that it has, or change it in the dashboard first.': {
    account: onlyRules('force ssl', 'made elsewhere'),
    before: [elsewhere('*/gamma/*')],
    after: [elsewhere('*/beta/*')],
  },
  'Leave it; it cannot be detached.': { outside: 'nothing has to be done: no plan touches it' },
  'Write the name servers as a list; the dashboard shows them.': {
    scenario: 'registrar',
    before: [
      siteManifest('shop', { domains: ['shop.example.com'] }),
      name('shop.example.com', {
        nameservers: { ref: 'Site/shop/SiteDomain/shop.example.com', output: 'nameservers' },
      }),
    ],
    after: [
      siteManifest('shop', { domains: ['shop.example.com'] }),
      name('shop.example.com', { nameservers: ['ns1.sandbox.example', 'ns2.sandbox.example'] }),
    ],
  },
  'Take beforeChange.backup out of the manifest, or ask the platform why.': {
    account: ({ state }) => Object.assign(state.sites.get('site-docs') ?? {}, { volumes: [] }),
    before: [siteManifest('docs', { phpVersion: '8.2', beforeChange: { backup: true } })],
    after: [siteManifest('docs', { phpVersion: '8.2' })],
  },
  'Take a larger package in the dashboard, or do without some mailboxes.': {
    scenario: 'mail',
    before: [
      manifest('Mailspace', 'full.example.com', {
        mailboxes: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((local) => ({
          address: `${local}@full.example.com`,
          password: { env: 'DAAN_PASSWORD' },
        })),
      }),
    ],
    after: [manifest('Mailspace', 'full.example.com', {})],
    secrets: '{ env: [DAAN_PASSWORD] }',
  },
};

/**
 * The remedies that the planner, the use cases and the reading of the account give themselves. `as`: the code whose
 * advice is the same, which advice.test.ts follows; the others as above.
 */
const OWN: Readonly<
  Record<
    string,
    | { readonly as: string }
    | { readonly tried: readonly [file: string, title: string] }
    | { readonly outside: string }
    | Trial
  >
> = {
  'See what blocks *.': { outside: 'nobody: another line of the plan has the remedy' },
  'See what is said of *.': { outside: 'nobody: another line of the plan has the remedy' },
  'It goes on when * is there; see what is said of that.': { outside: 'nobody: another line has the remedy' },
  'Delete it in the dashboard.': { outside: 'the dashboard' },
  'Remove it in the dashboard.': { outside: 'the dashboard' },
  'Rename or delete all but one of them in the dashboard, then plan again. Until then nothing in this list is changed.':
    {
      outside: 'the dashboard',
    },
  'If * is the right one, add `metadata: { id: * }` to the manifest. If not, run `hostwright ledger forget *`.': {
    tried: [
      'sessions/faults/forged-bindings.test.ts',
      'is a question, and nothing is written to the site, by apply or by a command',
    ],
  },
  'Declare * again, or change *.': {
    tried: [
      'sessions/mail/mail-references.test.ts',
      'is not deleted while a declared alias or group names it, whether or not those change [ALS-03, GRP-06]',
    ],
  },
  'Declare * to restore it, or change `*` of *.': {
    tried: [
      'sessions/mail/mail-references.test.ts',
      'is reported when the dashboard scheduled its deletion, and the plan is not empty [MBX-05]',
    ],
  },
  'Plan again, and have the new plan reviewed.': {
    tried: [
      'sessions/commands/fleet-loop.test.ts',
      'are done in the end although a run was killed, buy nothing twice, and one that is broken stops no other',
    ],
  },
  'Leave it: no plan touches it.': { outside: 'nobody: nothing has to be done' },
  '* The next plan sees that it is done.': { outside: 'the dashboard, where the remedy before it is done' },
  '`hostwright get order *` shows the page to pay on.': { outside: 'the bank, or the holder of the card' },
  'Have the plan reviewed and run it with `--expect`, or name what is missing: `--approve *`': { as: 'HW2210' },
  'Set `lifecycle.protect: false` in its manifest first, in a change of its own': { as: 'HW2201' },
  'Use a credential that can, or correct `credential` in hostwright.yaml': { as: 'HW2203' },
  'Restore the ledger, or run `hostwright ledger init` when this workspace has bought nothing yet': { as: 'HW2206' },
  'Restore the ledger, or run `hostwright ledger init` when this workspace has made nothing yet': { as: 'HW2207' },
  'Plan again and review it.': { as: 'HW4001' },
  'Plan again; somebody else may be changing it, or the platform does not keep the value.': { as: 'HW4003' },
  'Check the address: the plan writes it as it has to be.': { as: 'HW6101' },
  'Change the manifest by hand.': { as: 'HW6713' },
  'Run `hostwright apply --resume`; if it cannot tell either, `hostwright ledger confirm *`.': { as: 'HW4004' },
  'Run `hostwright apply --resume`, which looks for it once more. If that cannot tell, `hostwright ledger confirm *` says what became of it.':
    { as: 'HW4004' },
  'Plan again.': next('a plan of which a section could not be read'),
  'Plan again when it is there.': next('an update that shows only when the site is there, and that nobody approved'),
  'Run plan again.': next('a plan of which a section could not be read'),
  'Run plan again; if it stays, the platform has changed and Hostwright has to follow.': next(
    'a plan of which a section could not be read',
  ),
  '* If the account has them for other reasons, dismiss them in hostwright.yaml: `dismissed: [*]` below `spec:`.': {
    tried: [
      'sessions/commands/lost-purchases.test.ts',
      'no longer blocks once a manifest binds the object, or the workspace dismisses it',
    ],
  },
  'Run plan again. Use a credential that may read orders (billing:read).': {
    outside: 'whoever issues the credential',
  },
  'To give the purchase up, run `hostwright ledger abandon *`. To keep it, restore its manifest. *': {
    tried: [
      'sessions/commands/lost-purchases.test.ts',
      'is said to be declared by no manifest once its manifest is deleted, with the command that gives it up',
    ],
  },
  'Run plan again; what cannot be asked about is not made.': next('a plan of which a section could not be read'),
  '* `hostwright apply --resume` goes on waiting for it.': next('a purchase that waits for a person who pays'),
  'Run `hostwright apply --resume` to continue it.': next('a plan with a purchase in flight'),
  'Run `hostwright apply --resume`, which ends it here too. `hostwright plan` then says what is to be done.': next(
    'ORD-12: a cart that nobody paid has expired',
  ),
  'Run `hostwright apply --resume` first.': next('a plan with a purchase in flight'),
  'Give yours another name.': {
    scenario: 'shield',
    ambiguities: { 'GAP-31.builtIn': 'listed' },
    before: [accessList('Known crawlers', 'ip')],
    after: [accessList('Our crawlers', 'ip')],
  },
  'List public keys of age under `secrets.recipients` in hostwright.yaml, so that the file is encrypted, and upload it as an artifact. Or give it to a command: `credentialsTo: { sink: ... }`.':
    {
      tried: [
        'cli/credentials.test.ts',
        'are encrypted to the public keys of the workspace, for each of their owners alone',
      ],
    },
  'Name a sink whose command can be run here; `hostwright doctor` tries it.': {
    tried: ['cli/credentials.test.ts', 'go to the standard input of a command, which is looked for first'],
  },
  'Remove its section from the manifest.': {
    account: ({ state }) => Object.assign(state.sites.get('site-shop') ?? {}, { mail: null }),
    before: [siteManifest('shop', { mail: { fromName: 'Shop' } })],
    ask: accept('Site/shop/SiteMail'),
    after: [siteManifest('shop', {})],
  },
  'Write * in the manifest first; `hostwright export --out FOLDER` adds what is missing.': {
    before: [siteManifest('shop', { primaryDomain: 'shop.example.com' })],
    ask: adopt('Site/shop/SiteDomain/www.shop.example.com'),
    after: [siteManifest('shop', { domains: ['shop.example.com'], primaryDomain: 'shop.example.com' })],
    run: adopt('Site/shop/SiteDomain/www.shop.example.com'),
  },
  'Write its section by hand.': {
    scenario: 'registrar',
    before: [name('one.com', {}), name('two.com', {})],
    ask: adopt('DomainRegistration/one.com/RegistrationOwner'),
    after: [shared, name('one.com', { contacts: OWNER }), name('two.com', { contacts: OWNER })],
  },
  'Write the whole list: `hostwright export --out FOLDER` adds it.': {
    account: onlyRules('force ssl', 'old shop'),
    before: [siteManifest('shop', {})],
    ask: adopt('Site/shop/EdgeRule/force ssl'),
    after: [siteManifest('shop', {})],
    run: exportTo('Site/shop'),
  },
  'Run `hostwright plan` to see why.': { outside: 'nobody: another line of the plan has the remedy' },
  'Write the kind and the name of a root, or of what is in one: `Site/shop`, `Mailspace/example.com/Mailbox/a@example.com`.':
    {
      before: [siteManifest('shop', {})],
      ask: adopt('Sites/shop'),
      after: [siteManifest('shop', {})],
      askAgain: adopt('Site/shop', 'site-shop'),
    },
  'Change `metadata.id` by hand if that is no longer meant.': {
    before: [siteManifest('shop', {})],
    ask: adopt('Site/shop', 'site-docs'),
    after: [manifest('Site', 'shop', {}, { id: 'site-docs' })],
  },
  'Name it with --id; `hostwright export` finds all that no manifest names.': {
    before: [],
    ask: adopt('Site/new'),
    after: [],
    askAgain: adopt('Site/new', 'site-docs'),
  },
  'Look the id up on the account; an object of another kind has to be imported under that kind.': {
    before: [],
    ask: adopt('Site/new', 'site-none'),
    after: [],
    askAgain: adopt('Site/new', 'site-docs'),
  },
  'Two manifests cannot be about one object. Rename that one with `metadata.renamedFrom`, or let the ledger forget it: `hostwright ledger forget`.':
    {
      before: [siteManifest('shop', {})],
      ask: adopt('Site/new', 'site-shop'),
      after: [manifest('Site', 'new', {}, { id: 'site-shop', renamedFrom: 'shop' })],
    },
  'Import *, or look the id up.': {
    scenario: 'registrar',
    before: [],
    ask: adopt('DomainRegistration/one.com', 'reg-plain.com'),
    after: [],
    askAgain: adopt('DomainRegistration/plain.com', 'reg-plain.com'),
  },
  'Adopt that first: `hostwright export * --id ID`.': {
    before: [],
    ask: adopt('Site/docs/SiteDomain/docs.example.com'),
    after: [],
    run: adopt('Site/docs', 'site-docs'),
  },
  'Write it as the account does. `hostwright plan` tells what no manifest names where a manifest names others; `hostwright export * --out FOLDER` adds whatever its manifest lacks.':
    {
      scenario: 'mail',
      before: [mail({ mailboxes: [] })],
      ask: adopt('Mailspace/shop.example.com/Mailbox/ana@shop.example.com'),
      after: [mail({ mailboxes: [] })],
      askAgain: adopt('Mailspace/shop.example.com/Mailbox/anna@shop.example.com'),
    },
  'Look the id up, or leave --id out.': {
    scenario: 'mail',
    before: [mail({ mailboxes: [] })],
    ask: adopt('Mailspace/shop.example.com/Mailbox/anna@shop.example.com', 'mbx-ben'),
    after: [mail({ mailboxes: [] })],
    askAgain: adopt('Mailspace/shop.example.com/Mailbox/anna@shop.example.com'),
  },
  'Change the profile, or stop using it here.': {
    before: [manifest('SiteProfile', 'rules', { edgeRules: [GONE] }), siteManifest('shop', { profiles: ['rules'] })],
    ask: accept('Site/shop/EdgeRule/gone'),
    after: [manifest('SiteProfile', 'rules', { edgeRules: [] }), siteManifest('shop', { profiles: ['rules'] })],
  },
  'Write no manifest of it while that is so: it would be refused or blocked. Import it again when it is over.': {
    scenario: 'guards',
    before: [],
    ask: adopt('Site/leaving', 'site-leaving'),
    run: (one) => {
      Object.assign(one.sandbox.state.sites.get('site-leaving') ?? {}, { pendingDelete: false });
      return adopt('Site/leaving', 'site-leaving')(one);
    },
    after: [],
  },
  'Change the manifest by hand; `hostwright plan` shows what differs.': {
    outside: 'nobody: it is for a fault of `accept` itself, whose result does not hold',
  },
  'Check the address, or adopt it: `hostwright export * --id ID`.': {
    before: [],
    ask: accept('Site/docs'),
    after: [],
    run: adopt('Site/docs', 'site-docs'),
  },
  'Remove its manifest, or run `hostwright plan` to see what would be done.': {
    account: ({ state }) => state.sites.delete('site-shop'),
    before: [manifest('Site', 'shop', { name: 'shop' })],
    ask: accept('Site/shop'),
    after: [],
  },
  'Write its section in the manifest first; `hostwright export --out FOLDER` adds what is missing.': {
    account: onlyRules('force ssl', 'old shop'),
    before: [siteManifest('shop', {})],
    ask: accept('Site/shop/EdgeRule/force ssl'),
    after: [siteManifest('shop', {})],
    run: exportTo('Site/shop'),
  },
};

/** The row of an outcome whose next command is run. */
function next(reason: string): { readonly tried: readonly [file: string, title: string] } {
  return { tried: ['sessions/commands/next-steps.test.ts', reason] };
}

/** Does what the remedy says, and looks whether it helped. */
async function follow(
  remedy: string,
  { scenario, before, after, account, secrets, ambiguities = {}, answer, ask, askAgain = ask, run }: Trial,
): Promise<void> {
  const one = await openHarness({
    ledger: true,
    ambiguities,
    ...(scenario !== undefined && { scenario }),
    ...(secrets !== undefined && { workspace: workspaceFile(`manifests: [sites], secrets: ${secrets}`) }),
  });
  account?.(one.sandbox);
  const write = (manifests: Manifests) =>
    one.write('sites/all.yaml', [...manifests, manifest('SiteProfile', 'filler')].join('\n---\n'));
  const planned = async (command: Trial['ask']) => {
    const { transport } = one.session();
    const { plan, diagnostics } = await one.plan(
      {},
      {
        env: () => 'a-long-pass-word',
        ...(answer !== undefined &&
          transport !== undefined && {
            transport: async (request) => {
              const given = await transport(request);
              return { ...given, body: answer(request.path) ?? given.body };
            },
          }),
      },
    );
    const asked = await command?.(one);
    return { plan, all: JSON.stringify([plan, diagnostics, asked?.diagnostics], null, 1) };
  };
  const pattern = new RegExp(
    JSON.stringify(remedy)
      .slice(1, -1)
      .split('*')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*'),
  );
  await write(before);
  expect((await planned(ask)).all).toMatch(pattern);
  await write(after);
  await run?.(one);
  const { plan, all } = await planned(askAgain);
  expect(all).not.toMatch(pattern);
  expect([plan?.blocked, plan?.unknown], all).toEqual([[], []]);
}

const trials = (rows: Readonly<Record<string, object>>): readonly (readonly [string, Trial])[] =>
  Object.entries(rows).flatMap(([remedy, row]) => ('before' in row ? [[remedy, row as Trial] as const] : []));

describe('every remedy of the planner, the use cases and the reading', () => {
  it('has a row, and no row is of another text', () => {
    const own = [...new Set([...['planner', 'usecases', 'observe'].flatMap(remediesIn), ...stopping])];
    expect(Object.keys(OWN).sort()).toEqual(own.sort());
    for (const [remedy, row] of Object.entries(OWN)) {
      if ('as' in row) expect(codes, remedy).toHaveProperty(row.as);
      if ('tried' in row) expect(hasTest(...row.tried), remedy).toBe(true);
    }
  });

  it.each(trials(OWN))('helps: %s', follow);
});

describe('every remedy of a kind that names an edit', () => {
  it('has a row, and no row is of another text', () => {
    expect(Object.keys(ROWS).sort()).toEqual(remedies);
    for (const [remedy, row] of Object.entries(ROWS))
      if ('tried' in row) expect(hasTest(...row.tried), remedy).toBe(true);
  });

  it.each(trials(ROWS))('helps: %s', follow);
});

/** What is put together from parts, or has a name in the source. */
const BUILT: Readonly<Record<string, Trial>> = {
  'Did you mean anna@shop.example.com? Correct the target, or declare what it points at.': {
    scenario: 'mail',
    before: [mail({ aliases: [{ address: 'info@shop.example.com', target: 'ana@shop.example.com' }] })],
    after: [mail({ aliases: [{ address: 'info@shop.example.com', target: 'anna@shop.example.com' }] })],
  },
  'Correct the member, or declare its mailbox.': {
    scenario: 'mail',
    before: [mail({ groups: [{ email: 'team9@shop.example.com', name: 'Team', members: ['zed@shop.example.com'] }] })],
    after: [mail({ groups: [{ email: 'team9@shop.example.com', name: 'Team', members: ['anna@shop.example.com'] }] })],
  },
  'Move that file away, or name another one.': {
    before: [told('hostwright.yaml')],
    after: [told('credentials/new.json')],
    secrets: '{ keep: [credentials/, hostwright.yaml] }',
  },
};

describe('every remedy that is built from parts', () => {
  it.each(Object.entries(BUILT))('helps: %s', follow);
});
