// What is live is accepted into manifests that people wrote: where they say it, and no character elsewhere; then drift
// finds nothing there.
import { chmod, lstat, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import { addDomain } from '../../../src/sandbox/core/state.ts';
import { addEdgeRule } from '../../../src/sandbox/cdn/edge-rules.ts';
import { addMailbox } from '../../../src/sandbox/mail/state.ts';
import type { AcceptResult } from '../../../src/usecases/write/accept.ts';
import { canonicalAddress } from '../../../src/model/address.ts';
import { acceptLive } from '../../../src/usecases/write/accept.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import { workspaceFile } from '../../support/manifests.ts';
import { siteOf, spaceOf, zoneOf } from '../../support/live.ts';
import { containing } from '../../support/matchers.ts';

const WORKSPACE = workspaceFile('manifests: [live], guards: { allowDeletes: 9 }, secrets: { env: [ANNA] }');

async function start(text: string, options: HarnessOptions = {}): Promise<Harness> {
  return openHarness({ workspace: WORKSPACE, files: { 'live/all.yaml': text }, ...options });
}

const accept = (one: Harness, addresses: readonly string[], dryRun = false): Promise<AcceptResult> =>
  acceptLive(one.session(), { paths: [], addresses, dryRun });
const textIn = (one: Harness, file = 'live/all.yaml'): Promise<string> => readFile(join(one.root, file), 'utf8');
const codes = ({ diagnostics }: AcceptResult): readonly string[] => diagnostics.map(({ code }) => code);

/** Accepts, then holds the file against what it should be and looks again. */
async function accepted(
  one: Harness,
  addresses: readonly string[],
  before: string,
  edits: readonly (readonly [string, string])[],
): Promise<AcceptResult> {
  const result = await accept(one, addresses);
  expect(result.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(await textIn(one)).toBe(
    edits.reduce(
      (text, [from, to]) => (text.includes(from) ? text.replace(from, to) : `${text} lacks ${from}`),
      before,
    ),
  );
  expect(result.files).toEqual(edits.length === 0 ? [] : [{ file: 'live/all.yaml', before, after: await textIn(one) }]);
  const again = await one.planned();
  expect(again.actions.filter(({ address }) => addresses.map(canonicalAddress).includes(address))).toEqual([]);
  expect(one.sandbox.requests.every(({ method }) => method === 'GET')).toBe(true);
  return result;
}

const SHOP = `# The shop.
apiVersion: hostwright/v1
kind: Site
metadata: { name: shop, id: site-shop }   # bound
spec:
  name: 'shop'     # what people see
  phpVersion: "8.2"
  domains:
    - shop.example.com

    # For those who type it.
    - hostname: www.shop.example.com
      attach: dns
  primaryDomain: shop.example.com
  caching:
    smartCache: true      # wanted by marketing
    cacheExpiration: 3600
    cookieVaryParameters: [currency]
  cacheLayers: { nginx: true }
  mail:
    fromName: The Shop
`;

describe('a field', () => {
  it('is written where the manifest says it, in its own form', async () => {
    const one = await start(SHOP);
    const site = siteOf(one.sandbox);
    site.name = "Ann's shop";
    Object.assign(site.cdn.caching, { smart_cache: false, cookie_vary_parameters: ['zeta', 'currency', 'alpha'] });
    site.phpVersion = '8.3';
    site.layers.nginx.on = false;
    site.primaryDomainId = 'dom-www-shop';
    Object.assign(site.mail ?? {}, { fromName: null });
    const result = await accepted(
      one,
      [
        'Site/shop',
        'Site/shop/Caching',
        'Site/shop/PhpVersion',
        'Site/shop/CacheLayer/nginx',
        'Site/shop/SiteDomain/shop.example.com',
        'Site/shop/SiteMail',
      ],
      SHOP,
      [
        ["name: 'shop'     # what", "name: 'Ann''s shop'     # what"],
        ['"8.2"', '"8.3"'],
        ['primaryDomain: shop.example.com', 'primaryDomain: www.shop.example.com'],
        ['smartCache: true      # wanted', 'smartCache: false      # wanted'],
        ['[currency]', '[currency, alpha, zeta]'],
        ['{ nginx: true }', '{ nginx: false }'],
        ['fromName: The Shop', 'fromName: ""'],
      ],
    );
    expect(result.written).toBe(true);
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  it('is only that of the object that is named', async () => {
    const one = await start(SHOP);
    Object.assign(siteOf(one.sandbox).cdn.caching, { smart_cache: false });
    siteOf(one.sandbox).phpVersion = '8.3';
    await accepted(one, ['Site/shop/PhpVersion'], SHOP, [['"8.2"', '"8.3"']]);
    expect((await one.planned()).actions.map(({ address }) => address)).toEqual(['Site/shop/Caching']);
  });

  it('that does not differ is said, and nothing is written', async () => {
    const one = await start(SHOP);
    const result = await accept(one, ['Site/shop/Caching']);
    expect(codes(result)).toEqual(['HW6715']);
    expect(result.files).toEqual([]);
    expect(await textIn(one)).toBe(SHOP);
  });

  it('is shown and not written in a dry run', async () => {
    const one = await start(SHOP);
    siteOf(one.sandbox).phpVersion = '8.3';
    const result = await accept(one, ['Site/shop/PhpVersion'], true);
    expect(result).toMatchObject({
      written: false,
      files: [{ file: 'live/all.yaml', before: SHOP, after: SHOP.replace('8.2', '8.3') }],
    });
    expect(await textIn(one)).toBe(SHOP);
  });

  it('costs no request that drift would not send', async () => {
    const one = await start(SHOP);
    siteOf(one.sandbox).phpVersion = '8.3';
    const { requests } = await one.plan();
    const result = await accept(one, ['Site/shop/PhpVersion']);
    expect(result.requests).toBe(requests);
  });

  it('is read with what it rests on, and nothing else of the account', async () => {
    const docs =
      '---\napiVersion: hostwright/v1\nkind: Site\nmetadata: { name: docs, id: site-docs }\nspec: { phpVersion: "8.2" }\n';
    const one = await start(SHOP + docs);
    siteOf(one.sandbox).phpVersion = '8.3';
    const readBy = async (address: string): Promise<boolean> => {
      const from = one.sandbox.requests.length;
      expect((await accept(one, [address], true)).files).toHaveLength(1);
      return one.sandbox.requests.slice(from).some(({ path }) => path.includes('site-docs'));
    };
    expect([await readBy('Site/shop/PhpVersion'), await readBy('Site/*/PhpVersion')]).toEqual([false, true]);
  });

  it('is unset where the platform shows nothing (CNV-02)', async () => {
    const one = await start(SHOP);
    Object.assign(siteOf(one.sandbox).cdn.caching, { cache_expiration: null });
    await accepted(one, ['Site/shop/Caching'], SHOP, [['    cacheExpiration: 3600\n', '']]);
  });
});

describe('an item of an asset list', () => {
  it('that is gone is removed, with what is said of it', async () => {
    const one = await start(SHOP);
    const { domains } = siteOf(one.sandbox);
    domains.splice(
      domains.findIndex(({ id }) => id === 'dom-www-shop'),
      1,
    );
    await accepted(one, ['Site/shop/SiteDomain/www.shop.example.com'], SHOP, [
      ['\n    # For those who type it.\n    - hostname: www.shop.example.com\n      attach: dns\n', ''],
    ]);
  });

  it('that nobody named is added: that adopts it', async () => {
    const text = SHOP.replace(
      '\n    # For those who type it.\n    - hostname: www.shop.example.com\n      attach: dns\n',
      '',
    );
    const one = await start(text);
    expect((await one.planned()).unmanaged).toMatchObject([{ identity: 'www.shop.example.com' }]);
    await accepted(one, ['Site/shop/SiteDomain/www.shop.example.com'], text, [
      ['    - shop.example.com\n', '    - shop.example.com\n    - www.shop.example.com\n'],
    ]);
    expect((await one.planned()).unmanaged).toEqual([]);
  });

  const MAIL = `apiVersion: hostwright/v1
kind: Mailspace
metadata: { name: shop.example.com }
spec:
  mailboxes:
    # Anna sells.
    - { address: anna@shop.example.com, displayName: Anna, quotaMb: 2048, password: { env: ANNA } }
    - address: ben@shop.example.com
      status: suspended
  groups:
    - email: team@shop.example.com
      name: The team
      members: [anna@shop.example.com, ben@shop.example.com]
`;

  it('of mail is changed, added and removed; secrets are as they were', async () => {
    const one = await start(MAIL, { scenario: 'mail' });
    const space = spaceOf(one.sandbox);
    Object.assign(space.mailboxes.find(({ id }) => id === 'mbx-anna') ?? {}, { displayName: 'Anna V.', quotaMb: 4096 });
    space.mailboxes.splice(
      space.mailboxes.findIndex(({ id }) => id === 'mbx-ben'),
      1,
    );
    addMailbox(space, { id: 'mbx-new', email: 'new@shop.example.com', displayName: 'New' });
    await accepted(
      one,
      [
        'Mailspace/shop.example.com/Mailbox/anna@shop.example.com',
        'Mailspace/shop.example.com/Mailbox/ben@shop.example.com',
        'Mailspace/shop.example.com/Mailbox/new@shop.example.com',
      ],
      MAIL,
      [
        ['displayName: Anna, quotaMb: 2048', 'displayName: Anna V., quotaMb: 4096'],
        [
          '    - address: ben@shop.example.com\n      status: suspended\n',
          '    - address: new@shop.example.com\n      displayName: New\n      quotaMb: 0\n      status: active\n',
        ],
      ],
    );
  });

  it('of mail has members that come and go where they stand', async () => {
    const one = await start(MAIL, { scenario: 'mail' });
    const group = one.sandbox.state.mail.spaces
      .get('mail-shop')
      ?.groups.find(({ principalId }) => principalId === 'grp-team') as { members: string[] } | undefined;
    group?.members.splice(0, 2, 'cleo@shop.example.com', 'ben@shop.example.com');
    await accepted(one, ['Mailspace/shop.example.com/MailGroup/team@shop.example.com'], MAIL, [
      ['[anna@shop.example.com, ben@shop.example.com]', '[ben@shop.example.com, cleo@shop.example.com]'],
    ]);
  });
});

describe('an authoritative list', () => {
  const RULES = `apiVersion: hostwright/v1
kind: Site
metadata: { name: shop, id: site-shop }
spec:
  edgeRules:
    # First things first.
    - name: force ssl
      action: { type: ForceSSL }
      triggers: [ { type: Url, patterns: ["*"] } ]

    # Until 2030.
    - name: old shop
      action: { type: Redirect, parameter1: "https://shop.example.com/", parameter2: "301" }
      triggers:
        - { type: Url, patterns: ["*/old/*", "*/classic/*"] } # both

    - name: headers
      enabled: false
      match: all
      action: { type: SetResponseHeader, parameter1: X-Frame-Options, parameter2: DENY }
      triggers: [ { type: Url, patterns: ["*"] } ]
`;

  async function withRules(): Promise<Harness> {
    const one = await start(RULES, { ambiguities: {} });
    expect((await one.apply()).outcome.outcome).toBe('done');
    one.sandbox.requests.length = 0;
    return one;
  }

  const rule = (one: Harness, name: string) => {
    const found = siteOf(one.sandbox).edgeRules.find(({ Description }) => Description === name);
    if (found === undefined) throw new Error(`no ${name}`);
    return found;
  };

  it('takes what is changed in it, deep in brackets', async () => {
    const one = await withRules();
    (rule(one, 'old shop').Triggers[0] as { PatternMatches: string[] }).PatternMatches = ['*/old/*', '*/older/*'];
    await accepted(one, ['Site/shop/EdgeRule/old shop'], RULES, [
      ['["*/old/*", "*/classic/*"] } # both', '["*/old/*", "*/older/*"] } # both'],
    ]);
  });

  it('EDG-02: keeps the words of a rule that is written in words', async () => {
    const words = RULES.replace(
      'action: { type: Redirect, parameter1: "https://shop.example.com/", parameter2: "301" }',
      'action: { redirect: { to: "https://shop.example.com/", status: 301 } } # moved',
    ).replace('{ type: Url, patterns: ["*/old/*", "*/classic/*"] }', '{ url: ["*/old/*", "*/classic/*"] }');
    const one = await start(words, { ambiguities: {} });
    expect((await one.apply()).outcome.outcome).toBe('done');
    one.sandbox.requests.length = 0;
    const live = rule(one, 'old shop');
    live.ActionParameter2 = '302';
    (live.Triggers[0] as { PatternMatches: string[] }).PatternMatches = ['*/old/*', '*/older/*'];
    const before = words;
    const after = [
      ['status: 301', 'status: 302'],
      ['["*/old/*", "*/classic/*"] } # both', '["*/old/*", "*/older/*"] } # both'],
    ] as const;
    await accepted(one, ['Site/shop/EdgeRule/old shop'], before, after);
  });

  it('EDG-02: says another action in words, in place of the one that was there', async () => {
    const words = RULES.replace(
      'action: { type: Redirect, parameter1: "https://shop.example.com/", parameter2: "301" }',
      'action: { redirect: { to: "https://shop.example.com/", status: 301 } } # moved',
    );
    const one = await start(words, { ambiguities: {} });
    expect((await one.apply()).outcome.outcome).toBe('done');
    one.sandbox.requests.length = 0;
    Object.assign(rule(one, 'old shop'), { ActionType: 4, ActionParameter1: '', ActionParameter2: null });
    await accepted(one, ['Site/shop/EdgeRule/old shop'], words, [
      ['{ redirect: { to: "https://shop.example.com/", status: 301 } }', '{ block: {} }'],
    ]);
  });

  it('takes what somebody made, where it stands', async () => {
    const one = await withRules();
    rule(one, 'headers').OrderIndex += 9;
    addEdgeRule(siteOf(one.sandbox), {
      Guid: 'edge-new',
      Description: 'new one',
      ActionType: 0,
      OrderIndex: rule(one, 'old shop').OrderIndex + 1,
      Triggers: [{ Type: 0, PatternMatchingType: 0, Parameter1: null, PatternMatches: ['*/new/*'] }],
    });
    expect((await one.planned()).actions).toMatchObject([{ address: 'Site/shop/EdgeRule/new%20one', verb: 'delete' }]);
    await accepted(one, ['Site/shop/EdgeRule/new one'], RULES, [
      [
        '# both\n\n',
        `# both\n\n    - name: new one
      enabled: true
      action:
        forceSsl: {}
      match: any
      triggers:
        - url: ["*/new/*"]\n\n`,
      ],
    ]);
  });

  it('loses what is gone', async () => {
    const one = await withRules();
    const { edgeRules } = siteOf(one.sandbox);
    edgeRules.splice(
      edgeRules.findIndex(({ Description }) => Description === 'old shop'),
      1,
    );
    await accepted(one, ['Site/shop/EdgeRule/old shop'], RULES, [
      [RULES.slice(RULES.indexOf('\n    # Until'), RULES.indexOf('\n    - name: headers')), ''],
    ]);
  });

  it('takes another order, with all that is said of each', async () => {
    const one = await withRules();
    rule(one, 'headers').OrderIndex = 0;
    const address = (await one.planned()).actions[0]?.address ?? '';
    const [first, second] = [RULES.indexOf('    - name: force ssl'), RULES.indexOf('    - name: headers')];
    const moved = `${RULES.slice(0, first)}${RULES.slice(second)}\n${RULES.slice(first, second).trimEnd()}\n`;
    const result = await accept(one, [address]);
    expect(result.diagnostics).toEqual([]);
    expect(await textIn(one)).toBe(moved);
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });
});

describe('what stands nested', () => {
  const SHIELD = `apiVersion: hostwright/v1
kind: Site
metadata: { name: premium, id: site-premium }
spec:
  shield:
    waf:
      executionMode: block
      disabledRules: ["942100", "941100"]  # noisy
    accessLists:
    - name: Partners
      type: cidr
      content: [198.51.100.0/24]
    - name: Countries
      type: country
      content:
      - nl  # home
      - de
`;

  it('is changed in each of its parts', async () => {
    const one = await start(SHIELD, { scenario: 'shield' });
    expect(isEmptyPlan(await one.planned())).toBe(true);
    const zone = zoneOf(one.sandbox, 'premium');
    Object.assign(zone.waf, { executionMode: 0, disabledRules: ['942100', '920000'] });
    for (const list of zone.accessLists)
      list.content = list.content.includes('NL') ? 'BE\nNL' : '198.51.100.0/24\n203.0.113.0/24';
    await accepted(
      one,
      ['Site/premium/ShieldWaf', 'Site/premium/ShieldAccessList/Partners', 'Site/premium/ShieldAccessList/Countries'],
      SHIELD,
      [
        ['executionMode: block', 'executionMode: log'],
        ['["942100", "941100"]  # noisy', '["942100", "920000"]  # noisy'],
        ['[198.51.100.0/24]', '[198.51.100.0/24, 203.0.113.0/24]'],
        ['      - nl  # home\n      - de\n', '      - nl  # home\n      - BE\n'],
      ],
    );
  });
});

describe('what a profile says', () => {
  const PROFILE = `apiVersion: hostwright/v1
kind: SiteProfile
metadata: { name: base }
spec:
  phpVersion: "8.2"
  caching: { smartCache: true, cookieVaryParameters: [currency] }
`;
  const USER = `---
apiVersion: hostwright/v1
kind: Site
metadata: { name: shop, id: site-shop }
spec:
  profiles: [base]
  caching:
    cacheExpiration: 3600 # an hour
`;

  it('is said again in the manifest itself, and the profile stays as it is', async () => {
    const one = await start(PROFILE + USER);
    Object.assign(siteOf(one.sandbox).cdn.caching, { smart_cache: false, cookie_vary_parameters: ['language'] });
    siteOf(one.sandbox).phpVersion = '8.3';
    const result = await accepted(one, ['Site/shop/Caching', 'Site/shop/PhpVersion'], PROFILE + USER, [
      ['  profiles: [base]\n', '  profiles: [base]\n  phpVersion: "8.3"\n'],
      [
        '    cacheExpiration: 3600 # an hour\n',
        '    smartCache: false\n    cacheExpiration: 3600 # an hour\n    cookieVaryParameters: [language]\n',
      ],
    ]);
    expect(codes(result)).toEqual(['HW6717', 'HW6717']);
  });

  it('that the account no longer has is taken out with null', async () => {
    const one = await start(PROFILE.replace('smartCache: true', 'smartCache: true, browserCacheExpiration: 60') + USER);
    Object.assign(siteOf(one.sandbox).cdn.caching, { browser_cache_expiration: null });
    await accept(one, ['Site/shop/Caching']);
    expect(await textIn(one)).toContain('    cacheExpiration: 3600 # an hour\n    browserCacheExpiration: null\n');
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  it('of a list is not taken out of it by a manifest', async () => {
    const rules =
      '  edgeRules:\n    - { name: force ssl, action: { type: ForceSSL }, triggers: [ { type: Url, patterns: ["*"] } ] }\n    - { name: gone, action: { type: ForceSSL }, triggers: [ { type: Url, patterns: ["*"] } ] }\n';
    const one = await start(PROFILE + rules + USER);
    const result = await accept(one, ['Site/shop/EdgeRule/gone']);
    expect(result.diagnostics).toMatchObject([
      { code: 'HW6716', address: 'Site/shop', detail: containing('a profile says it') },
    ]);
    expect(await textIn(one)).toBe(PROFILE + rules + USER);
  });
});

describe('people', () => {
  const NAMES = `apiVersion: hostwright/v1
kind: Contact
metadata: { name: ada }
spec:
  firstName: Ada   # legal
  lastName: Vries
  streetAddress: Main Street 1
  postCode: 1000 AA
  city: Amsterdam
  country: NL
  email: ada@acme.example
  phone: "+31.201234567"
---
apiVersion: hostwright/v1
kind: DomainRegistration
metadata: { name: plain.com }
spec:
  locked: false
  contacts: { owner: { ref: Contact/ada } }
---
apiVersion: hostwright/v1
kind: DomainRegistration
metadata: { name: window.com }
spec:
  contacts: { owner: { ref: Contact/ada } }
`;

  it('are changed in the contact that holds them; who else it is for is said', async () => {
    const one = await start(NAMES, { scenario: 'registrar' });
    expect((await one.planned()).actions.filter(({ kind }) => kind === 'RegistrationOwner')).toEqual([]);
    const { registrar } = one.sandbox.state;
    const [plain, other] = ['plain.com', 'window.com'].map((name) => registrar.registrations.get(`reg-${name}`));
    Object.assign(plain ?? {}, { locked: true });
    // The two shared a contact object: only that of one is another one now.
    const copy = {
      ...registrar.contacts.get(801),
      id: 899,
      fields: { ...registrar.contacts.get(801)?.fields, city: 'Utrecht' },
    };
    registrar.contacts.set(899, copy as never);
    Object.assign(plain ?? {}, { ownerId: 899, adminId: 899, billingId: 899 });
    expect(other).toBeDefined();
    const result = await accepted(
      one,
      ['DomainRegistration/plain.com/RegistrationLock', 'DomainRegistration/plain.com/RegistrationOwner'],
      NAMES,
      [
        ['city: Amsterdam', 'city: Utrecht'],
        ['locked: false', 'locked: true'],
      ],
    );
    expect(result.diagnostics).toMatchObject([
      { code: 'HW6718', severity: 'warning', detail: containing('DomainRegistration/window.com/RegistrationOwner') },
    ]);
    expect(JSON.stringify(await one.planned())).toContain(
      '"address":"DomainRegistration/window.com/RegistrationOwner"',
    );
  });
});

describe('what cannot be accepted', () => {
  it.each([
    ['no address', ['shop'], ['HW6101']],
    ['of a manifest that is not there', ['Site/none/Caching'], ['HW6716']],
    ['of a section that is not managed', ['Site/shop/EdgeRule/force ssl'], ['HW6716']],
    ['neither declared nor live', ['Site/shop/SiteDomain/nowhere.example.com'], ['HW6716']],
    ['one of two', ['Site/shop/PhpVersion', 'Site/none'], ['HW6716']],
  ] as const)('%s changes nothing', async (_what, addresses, reported) => {
    const one = await start(SHOP);
    siteOf(one.sandbox).phpVersion = '8.3';
    const result = await accept(one, addresses);
    expect(codes(result)).toEqual(reported);
    expect(result).toMatchObject({ written: false });
    expect(result.files).toBeUndefined();
    expect(await textIn(one)).toBe(SHOP);
  });

  it('is a site that is gone, and what was not read', async () => {
    const one = await start(SHOP);
    one.sandbox.state.sites.delete('site-shop');
    expect((await accept(one, ['Site/shop'])).written).toBe(false);
    const two = await start(
      SHOP.replace(
        'metadata: { name: shop, id: site-shop }   # bound',
        'metadata: { name: shop, id: site-premium }',
      ).replace("'shop'     #", "'premium' #"),
      { scenario: 'shield' },
    );
    siteOf(two.sandbox, 'premium').cdn.zone = 'none';
    expect((await accept(two, ['Site/shop/Caching'])).diagnostics).toMatchObject([{ code: 'HW6716' }]);
  });

  it('is a site where the list of sites was not answered: that is why, not that it is gone', async () => {
    const one = await start(SHOP, {
      faults: [{ kind: 'status-before', status: 403, match: { method: 'GET', path: '/api/sites' }, times: 99 }],
    });
    const { diagnostics } = await accept(one, ['Site/shop', 'Site/shop/Caching']);
    expect(
      diagnostics.map(({ code, detail }) => [code, detail.includes('403'), detail.includes('on the account')]),
    ).toEqual([
      ['HW6716', true, false],
      ['HW6716', true, false],
    ]);
  });

  it('is a place that is used elsewhere: the lines to write are told', async () => {
    const text = SHOP.replace('phpVersion: "8.2"', 'phpVersion: &php "8.2"').replace(
      'fromName: The Shop',
      'fromName: *php',
    );
    const one = await start(text);
    siteOf(one.sandbox).phpVersion = '8.3';
    const result = await accept(one, ['Site/shop/PhpVersion']);
    expect(result.diagnostics).toMatchObject([
      { code: 'HW6713', detail: containing('&php'), frame: 'spec:\n  phpVersion: "8.3"' },
    ]);
    expect(await textIn(one)).toBe(text);
  });

  it('is what came from standard input, and a file that was changed meanwhile', async () => {
    const one = await start(SHOP);
    siteOf(one.sandbox).phpVersion = '8.3';
    const stdin = await acceptLive(one.session({ stdin: () => Promise.resolve(new TextEncoder().encode(SHOP)) }), {
      paths: ['-'],
      addresses: ['Site/shop/PhpVersion'],
      dryRun: false,
    });
    expect(codes(stdin)).toEqual(['HW6714']);
    let isFirst = true;
    const meddling = one.session({
      emit: (event) => {
        if (event.type === 'reading' && isFirst) {
          isFirst = false;
          void one.write('live/all.yaml', `${SHOP}# mine\n`);
        }
      },
    });
    expect(
      codes(await acceptLive(meddling, { paths: [], addresses: ['Site/shop/PhpVersion'], dryRun: false })),
    ).toEqual(['HW6711']);
    expect(await textIn(one)).toBe(`${SHOP}# mine\n`);
    expect(codes(await accept(one, ['Site/shop/PhpVersion']))).toEqual([]);
  });
});

describe('the file', () => {
  it('keeps mode, link and byte order mark', async () => {
    const one = await start('', {
      files: { 'shop.yaml': `\ufeff${SHOP.replaceAll('\n', '\r\n')}`, 'live/other.yaml': '# nothing yet\n' },
    });
    await chmod(join(one.root, 'shop.yaml'), 0o640);
    await symlink('../shop.yaml', join(one.root, 'live/shop.yaml'));
    siteOf(one.sandbox).phpVersion = '8.3';
    const result = await accept(one, ['Site/shop/PhpVersion']);
    expect(result).toMatchObject({ written: true, files: [{ file: 'live/shop.yaml' }] });
    expect((await lstat(join(one.root, 'live/shop.yaml'))).isSymbolicLink()).toBe(true);
    expect((await stat(join(one.root, 'shop.yaml'))).mode & 0o777).toBe(0o640);
    expect(await textIn(one, 'shop.yaml')).toBe(`\ufeff${SHOP.replace('"8.2"', '"8.3"').replaceAll('\n', '\r\n')}`);
  });

  it('that is JSON stays JSON', async () => {
    const json = (name: string) =>
      `${JSON.stringify({ apiVersion: 'hostwright/v1', kind: 'Site', metadata: { name: 'shop', id: 'site-shop' }, spec: { name, domains: ['shop.example.com'] } }, null, 2)}\n`;
    const one = await start('', { files: { 'live/shop.json': json('shop') } });
    siteOf(one.sandbox).name = 'Other';
    addDomain(one.sandbox.state, siteOf(one.sandbox), { id: 'dom-more', hostname: 'more.example.com' });
    expect((await accept(one, ['Site/shop', 'Site/shop/SiteDomain/more.example.com'])).written).toBe(true);
    expect(await textIn(one, 'live/shop.json')).toBe(
      json('Other').replace('"shop.example.com"\n', '"shop.example.com",\n      "more.example.com"\n'),
    );
  });
});

describe('a parent, or a glob', () => {
  it.each([[['Site/shop']], [['Site/*']], [['Site/*/Caching', 'Site/*/SiteMail']]])(
    '%j means what has drifted in it',
    async (given) => {
      const one = await start(SHOP);
      const site = siteOf(one.sandbox);
      site.cdn.caching.smart_cache = false;
      Object.assign(site.mail ?? {}, { fromName: 'Another shop' });
      await accepted(one, given, SHOP, [
        ['smartCache: true ', 'smartCache: false '],
        ['fromName: The Shop', 'fromName: Another shop'],
      ]);
      expect(isEmptyPlan(await one.planned())).toBe(true);
    },
  );

  it('that names nothing is an error, and one in which nothing differs says so once', async () => {
    const one = await start(SHOP);
    expect(codes(await accept(one, ['Site/none*']))).toEqual(['HW6155']);
    expect(codes(await accept(one, ['Site/*/*']))).toEqual(['HW6715']);
    expect(await textIn(one)).toBe(SHOP);
  });
});
