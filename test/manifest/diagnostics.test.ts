// One case for each code: where it points, what the carets are under, which name it suggests.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Code, Entry } from '../../src/model/codes.ts';
import { CODES } from '../../src/model/codes.ts';
import { loadWorkspace } from '../../src/manifest/workspace.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import type { Files } from './support.ts';
import { brief, inFolder, profile, readFrom, readText, site } from './support.ts';

/** What a text gives: all diagnostics in brief, without the file; and a part of the first one's detail. */
type Row = readonly [name: string, text: string, gives: string | readonly string[], says?: string];
/** Rows whose text stands inside of another. */
const within = (whole: (text: string) => string, rows: readonly Row[]): readonly Row[] =>
  rows.map(([name, text, ...rest]) => [name, whole(text), ...rest]);

const head = 'apiVersion: hostwright/v1\nkind: Site\n';
const named = `${head}metadata: { name: shop }\n`;
const mail = 'apiVersion: hostwright/v1\nkind: Mailspace\nmetadata: { name: example.com }\nspec:\n';
const spec = `${named}spec:\n`;
const block = (url: string): string => `action: { block: {} }, triggers: [{ url: ["${url}"] }]`;
/** A site with one edge rule: its action on line 7, its trigger on line 8. */
const edge = (action: string, trigger = '{ url: ["*"] }') =>
  `${spec}  edgeRules:\n    - name: x\n      action: ${action}\n      triggers: [${trigger}]\n`;
const list = (type: string, content: string) =>
  `${spec}  shield: { accessLists: [{ name: l, type: ${type}, content: ${content} }] }\n`;
const contact =
  'apiVersion: hostwright/v1\nkind: Contact\nmetadata: { name: acme }\nspec: { firstName: A, lastName: B, streetAddress: S 1, postCode: 1000AA, city: C, country: NL, email: a@b.nl, phone: "+31.201234567" }\n---\n';
const registration = (name: string, field: string) =>
  `apiVersion: hostwright/v1\nkind: DomainRegistration\nmetadata: { name: ${name} }\nspec: { ${field} }\n`;
const serversOf = (ref: string, output = 'nameservers') => `nameservers: { ref: ${ref}, output: ${output} }`;

const documents: readonly Row[] = [
  ['nothing at all', '', ['HW1002', 'HW1006 1:1'], 'No manifest was found in `-`.'],
  ['comments only', '# nothing\n---\n# here\n', ['HW1002', 'HW1006 1:1']],
  ['a foreign document that was named', 'apiVersion: apps/v1\nkind: Deployment\n', 'HW1008 1:13 «apps/v1»'],
  [
    'an unfinished merge',
    `${spec}<<<<<<< HEAD\n  name: Shop\n=======\n  name: Store\n>>>>>>> other\n`,
    'HW1111 5:1 «<<<<<<< HEAD»',
    'This is a marker of an unfinished Git merge.',
  ],
  ['a tab', `${spec}\tname: Shop\n`, 'HW1103 5:1 «→»'],
  ['an alias bomb', bomb(), 'HW1104 5:38 «*c»'],
  ['endless nesting', `${spec}  domains: ${'['.repeat(100_000)}`, 'HW1106 5:137 «[»'],
  ['endless nesting in blocks', `${spec}  domains:\n    ${'- '.repeat(20_000)}`, 'HW1106 6:255 «-»'],
  ['a list as the document', '- apiVersion: hostwright/v1\n', 'HW1110 1:1 «- apiVersion: hostwright/v1»'],
  ['no name', `${head}metadata: { id: a }\nspec: {}\n`, 'HW1202 3:1 «metadata»', '`metadata` needs the field `name`.'],
  ['no spec', named, 'HW1202 1:1 «apiVersion: hostwright/v1»', 'A Site needs the field `spec`.'],
  ['no kind', 'apiVersion: hostwright/v1\n', 'HW1202 1:1 «apiVersion: hostwright/v1»', 'Known: `Site`, `SiteProfile`'],
  ['no apiVersion', 'kind: Site\nmetadata: { name: shop }\nspec: {}\n', 'HW1202 1:1 «kind: Site»'],
  ['a number for a name', `${head}metadata: { name: 5 }\nspec: {}\n`, 'HW1203 3:19 «5»', 'Put it in quotes.'],
  ['an empty name', `${head}metadata: { name: "" }\nspec: {}\n`, 'HW1206 3:19 «""»', '`name` is empty.'],
  [
    'a control character in a name',
    `${head}metadata: { name: "a\\u0007b" }\nspec: {}\n`,
    'HW1206 3:19 «"a\\u0007b"»',
    '`a␇b`',
  ],
  [
    'an unknown apiVersion',
    `apiVersion: hostwrigth/v1\nkind: Site\nmetadata: { name: shop }\nspec: {}\n`,
    'HW1210 1:13 «hostwrigth/v1»',
    'Did you mean `hostwright/v1`?',
  ],
  [
    'a newer apiVersion',
    'apiVersion: hostwright/v2\nkind: Mailspace\nspec: { new: 1 }\n',
    'HW1211 1:13 «hostwright/v2»',
  ],
  [
    'a misspelt kind',
    'apiVersion: hostwright/v1\nkind: Sites\nmetadata: { name: shop }\n',
    'HW1212 2:7 «Sites»',
    'Did you mean `Site`?',
  ],
  [
    'a kind by another word',
    'apiVersion: hostwright/v1\nkind: Website\nmetadata: { name: shop }\n',
    'HW1212 2:7 «Website»',
    'There is no kind `Website` of manifests. Did you mean `Site`?',
  ],
  [
    'a kind that is a part of another',
    'apiVersion: hostwright/v1\nkind: Redirects\nmetadata: { name: shop }\n',
    'HW1212 2:7 «Redirects»',
    '`EdgeRule` is declared in a `Site`; `hostwright explain EdgeRule` shows where.',
  ],
  [
    'an unknown kind',
    'apiVersion: hostwright/v1\nkind: Mailbag\n',
    'HW1212 2:7 «Mailbag»',
    'Known: `Site`, `SiteProfile`',
  ],
  [
    'an address twice, in two manifests',
    `${mail}  groups: [{ email: info@example.com, name: I }]\n---\n${mail.replace('example.com', 'example.net')}  mailboxes: [{ address: info@example.com }]\n`,
    'HW1303 11:15 «{ address: info@example.com }»',
    'at `-:5`',
  ],
  ['a name twice', `${site('shop')}---\n${site('shop')}`, 'HW1301 11:9 «shop»', 'at `-:4`'],
  [
    'an id twice',
    `${head}metadata: { name: a, id: one }\nspec: {}\n---\n${head}metadata: { name: b, id: one }\nspec: {}\n`,
    'HW1302 8:26 «one»',
    'at `-:3`',
  ],
  [
    'a hostname in two sites, in two spellings',
    `${site('a', '  domains: [bücher.example]')}---\n${site('b', '  primaryDomain: XN--bcher-kva.example')}`,
    'HW1303 13:18 «XN--bcher-kva.example»',
    'at `-:6`',
  ],
  [
    'a former name in use',
    `${site('a')}---\n${head}metadata: { name: b, renamedFrom: a }\nspec: {}\n`,
    'HW1306 10:35 «a»',
    'at `-:4`',
  ],
  [
    'a former name that is the present one',
    `${head}metadata: { name: b, renamedFrom: b }\nspec: {}\n`,
    'HW1306 3:35 «b»',
  ],
  [
    'a former name twice',
    `${head}metadata: { name: a, renamedFrom: z }\nspec: {}\n---\n${head}metadata: { name: b, renamedFrom: z }\nspec: {}\n`,
    'HW1307 8:35 «z»',
  ],
  [
    'an edge rule after a wider one',
    `${spec}  edgeRules:
    - { name: a, triggers: [{ url: [/admin/*] }], action: { block: {} } }
    - { name: b, triggers: [{ url: [/admin/export/*] }], action: { redirect: { to: "https://files.example.com/" } } }
`,
    'HW2701 7:7 «{ name: b, triggers: [{ url: [/admin/export/*] }], action: { redirect: { to: "https://files.example.com/" } } }»',
    'If the CDN acts on the first of the two, which is not documented,',
  ],
  [
    'a redirect to itself',
    edge('{ redirect: { to: "https://a.nl/old/new" } }', '{ url: ["*://a.nl/old/*"] }'),
    'HW2703 7:15 «{ redirect: { to: "https://a.nl/old/new" } }»',
  ],
  ['an AS number for documents', list('asn', '[AS64500, "13335"]'), 'HW2706 5:59 «AS64500»', 'is reserved'],
  [
    'an address in a network',
    list('cidr', '[198.51.100.7, 198.51.100.0/24]'),
    'HW2707 5:60 «198.51.100.7»',
    '`198.51.100.7` is in `198.51.100.0/24` of the same list.',
  ],
  ['a network of everything', list('cidr', '["::/0"]'), 'HW2708 5:60 «"::/0"»'],
  ['a private network', list('cidr', '[10.1.0.0/16]'), 'HW2709 5:60 «10.1.0.0/16»'],
  [
    'a placeholder that nothing replaced',
    `${spec}  name: "Shop ${'${STAGE}'}"\n`,
    'HW1231 5:9 «"Shop ${STAGE}"»',
    'contains `${STAGE}`, which nothing replaces',
  ],
  [
    'triggers of two kinds without match',
    `${spec}  edgeRules:
    - name: x
      triggers: [{ url: [/admin/*] }, { country: [KP] }]
      action: { block: {} }
`,
    'HW2713 7:17 «[{ url: [/admin/*] }, { country: [KP] }]»',
    'Write `match: all` if it has to meet all of them',
  ],
  [
    'a comment in an access list',
    list('cidr', '["# office", 198.51.100.0/24]'),
    'HW2714 5:60 «"# office"»',
    'looks like a comment',
  ],
  [
    'a placeholder of another tool',
    edge('{ redirect: { to: "https://b.nl/:splat" } }', '{ url: [/old/*] }'),
    'HW2715 7:15 «{ redirect: { to: "https://b.nl/:splat" } }»',
    'The CDN does not replace `:splat`',
  ],
  [
    'a cache that a rule switches off',
    `${edge('{ cacheTime: { seconds: 0 } }')}  caching: { cacheExpiration: 60 }\n`,
    'HW2710 6:7 «name: x»',
    '`caching.cacheExpiration: 60` has no effect',
  ],
  [
    'a rule beside a list of the same',
    `${spec}  shield:
    customRules: [{ name: a, action: block, variable: REMOTE_ADDR, operator: strEq, value: 192.0.2.1 }]
    accessLists: [{ name: l, type: ip, content: [192.0.2.1] }]
`,
    'HW2711 6:19 «{ name: a, action: block, variable: REMOTE_ADDR, operator: strEq, value: 192.0.2.1 }»',
    'no document says which of the two counts',
  ],
  ['an unknown profile', `${profile('shop-base')}---\n${spec}  profiles: [shop-bass]\n`, 'HW1320 12:14 «shop-bass»'],
  [
    'a profile twice',
    `${spec}  profiles: [base, base]\n---\n${profile('base')}`,
    'HW1321 5:20 «base»',
    'is named at `-:5` already',
  ],
  [
    'two profiles of one name',
    `${profile('base')}---\n${profile('base')}---\n${spec}  profiles: [base]\n`,
    'HW1301 11:9 «base»',
    'at `-:4`',
  ],
  [
    'a profile that names profiles',
    `${profile('base', '  profiles: [other]')}---\n${spec}  profiles: [base]\n`,
    'HW1322 6:3 «profiles»',
    'The SiteProfile names profiles itself.',
  ],
  [
    'a profile that nobody uses',
    `${profile('base')}---\n${site('shop')}`,
    'HW1323 4:9 «base»',
    'uses the profile `base`',
  ],
  [
    'hostnames in a profile',
    `${profile('base', '  domains: [a.example]')}---\n${spec}  profiles: [base]\n`,
    'HW1324 6:3 «domains»',
    'belongs to each Site, not to a SiteProfile',
  ],
  [
    'an id in a profile',
    `${profile('base').replace('  name: base', '  name: base\n  id: abc')}---\n${spec}  profiles: [base]\n`,
    'HW1324 5:3 «id»',
  ],
  [
    'a misspelt field in a profile',
    `${profile('base', '  cahcing: {}')}---\n${spec}  profiles: [base]\n`,
    'HW1201 6:3 «cahcing»',
    'Did you mean `caching`?',
  ],
  [
    'a slip in a reference',
    `${spec}  domains: [www.shop.nl]\n---\n${registration('shop.nl', serversOf('Site/shop/SiteDomain/wwww.shop.nl'))}`,
    'HW1331 10:29 «Site/shop/SiteDomain/wwww.shop.nl»',
    'Did you mean `Site/shop/SiteDomain/www.shop.nl`?',
  ],
  [
    'a reference to no kind',
    registration('a.nl', serversOf('Shop/shop')),
    'HW1331 4:29 «Shop/shop»',
    'There is no `Shop` among',
  ],
  [
    'a contact that is not there',
    `${contact}${registration('a.nl', 'contacts: { owner: { ref: Contact/acne } }')}`,
    'HW1331 9:35 «Contact/acne»',
    'Contact/acme',
  ],
  [
    'a contact that nobody names',
    `${contact}${site('shop')}`,
    'HW1337 3:19 «acme»',
    'No manifest that was read names this Contact.',
  ],
  [
    'an output that is not there',
    `${spec}  domains: [shop.nl]\n---\n${registration('shop.nl', serversOf('Site/shop/SiteDomain/shop.nl', 'servers'))}`,
    'HW1332 10:67 «servers»',
    'a SiteDomain has `nameservers`.',
  ],
  [
    'an output of what has none',
    `${named}spec: {}\n---\n${registration('shop.nl', serversOf('Site/shop'))}`,
    'HW1332 9:48 «nameservers»',
    'a Site has no values that others can take.',
  ],
  [
    'a circle of references',
    `${registration('a.nl', serversOf('DomainRegistration/b.nl/RegistrationNameservers'))}---\n${registration('b.nl', serversOf('DomainRegistration/a.nl/RegistrationNameservers'))}`,
    [
      'HW1333 4:29 «DomainRegistration/b.nl/RegistrationNameservers»',
      'HW1332 4:86 «nameservers»',
      'HW1332 9:86 «nameservers»',
    ],
    'Each of these waits for the next: `DomainRegistration/a.nl/RegistrationNameservers`, `DomainRegistration/b.nl/RegistrationNameservers`, `DomainRegistration/a.nl/RegistrationNameservers`.',
  ],
  [
    'a reference to itself',
    registration('a.nl', serversOf('DomainRegistration/a.nl/RegistrationNameservers')),
    ['HW1334 4:29 «DomainRegistration/a.nl/RegistrationNameservers»', 'HW1332 4:86 «nameservers»'],
  ],
  [
    'an output of plain data',
    `${contact}${registration('a.nl', serversOf('Contact/acme', 'email'))}`,
    'HW1335 9:43 «output»',
    '`Contact/acme` is plain data and is taken whole.',
  ],
  [
    'a reference to a profile',
    `${profile('base')}---\n${spec}  profiles: [base]\n---\n${registration('a.nl', serversOf('SiteProfile/base'))}`,
    'HW1336 17:29 «SiteProfile/base»',
    'is a profile',
  ],
  ['a workspace among manifests', 'apiVersion: hostwright/v1\nkind: Workspace\nspec: {}\n', 'HW1010 2:7 «Workspace»'],
];

/** Lines of the spec of a site. */
const specs: readonly Row[] = [
  ['an unclosed quote', 'name: "Shop', 'HW1101 5:3 «name: "Shop»', 'A text that starts with " does not end with it.'],
  ['a colon in plain text', 'name: Shop: the best', 'HW1114 5:3 «name: Shop: the best»', 'in quotes'],
  [
    'a line that is indented too far',
    'name: Shop\n    primaryDomain: www.example.com',
    'HW1112 6:5 «primaryDomain: www.example.com»',
    'This line is indented by 4 spaces, its neighbours by 2.',
  ],
  [
    'no space after a colon',
    'name:Shop\n  primaryDomain: www.example.com',
    'HW1113 5:3 «name:Shop»',
    'Write `name: Shop`.',
  ],
  [
    'no space after the colon of all that a section has',
    'caching:\n    smartCache:true',
    'HW1113 6:5 «smartCache:true»',
    'There is no space after the colon of `smartCache`. Write `smartCache: true`.',
  ],
  [
    'a password without a space after the colon',
    'password:hunter2\n  name: Shop',
    'HW1113 5:3 «password:*******»',
    'There is no space after the colon of `password`. Write a colon and a space between a key and its value.',
  ],
  ['a key twice', 'name: Shop\n  name: Store', 'HW1102 6:3 «name»'],
  ['an alias without anchor', 'name: *nobody', 'HW1105 5:9 «*nobody»'],
  ['a value that holds itself', 'domains: &d [*d]', 'HW1105 5:16 «*d»'],
  ['a tag', 'name: !secret Shop', 'HW1107 5:9 «!secret»'],
  ['a list as a key', '? [name]\n  : Shop', 'HW1108 5:5 «[»'],
  ['a merge key', '<<: { name: Shop }', 'HW1109 5:3 «<<»'],
  ['a misspelt field', 'nmae: Shop', 'HW1201 5:3 «nmae»', 'There is no field `nmae` in `spec`. Did you mean `name`?'],
  [
    'the spelling of the API',
    'caching: { cache_expiration: 5 }',
    'HW1201 5:14 «cache_expiration»',
    'Did you mean `cacheExpiration`?',
  ],
  [
    'a field one level too high',
    'smartCache: true',
    'HW1201 5:3 «smartCache»',
    '`smartCache` belongs below `spec.caching`.',
  ],
  ['a field like nothing known', 'unlisted: { zebra: keep }', 'HW1201 5:15 «zebra»', 'Known here: `domains`.'],
  ['a prototype as a field', '__proto__: { name: Shop }', 'HW1201 5:3 «__proto__»'],
  [
    'no hostname',
    'domains: [{ attach: dns }]',
    'HW1202 5:13 «{ attach: dns }»',
    '`domains[0]` needs the field `hostname`.',
  ],
  ['yes for true', 'caching: { smartCache: yes }', 'HW1203 5:26 «yes»', 'In YAML 1.2 only'],
  ['true in quotes', 'caching: { smartCache: "true" }', 'HW1203 5:26 «"true"»', 'Remove the quotes.'],
  ['a number in quotes', 'caching: { cacheExpiration: "60" }', 'HW1203 5:31 «"60"»', 'Remove the quotes.'],
  ['a fraction', 'caching: { cacheExpiration: 1.5 }', 'HW1203 5:31 «1.5»', 'not whole'],
  ['an endless number', 'caching: { cacheExpiration: .inf }', 'HW1203 5:31 «.inf»'],
  ['an empty list', 'domains:', 'HW1203 5:11 «»', 'There is nothing after the colon'],
  ['one item for a list', 'domains: www.example.com', 'HW1203 5:12 «www.example.com»', 'with `- `'],
  [
    'no branch of a choice',
    'domains: [[www.example.com]]',
    'HW1203 5:13 «[www.example.com]»',
    'has to be text or a mapping of fields; it is a list',
  ],
  [
    'a misspelt value',
    'domains: [{ hostname: a.example, attach: cnmae }]',
    'HW1204 5:44 «cnmae»',
    'Did you mean `cname`? Allowed: `cname` or `dns`.',
  ],
  ['too small a number', 'caching: { cacheExpiration: -2 }', 'HW1205 5:31 «-2»', '-1 or more'],
  ['a name with a space', 'caching: { cookieVaryParameters: [a b] }', 'HW1206 5:37 «a b»', 'the CDN drops other names'],
  ['a wildcard', 'domains: ["*.example.com"]', 'HW1207 5:13 «"*.example.com"»', 'A wildcard cannot be attached'],
  [
    'a URL',
    'primaryDomain: https://www.example.com/x',
    'HW1207 5:18 «https://www.example.com/x»',
    'everything but `www.example.com`',
  ],
  [
    'an encoded name that does not decode',
    'primaryDomain: www.xn--0',
    'HW1207 5:18 «www.xn--0»',
    'the encoded form of an international name',
  ],
  [
    'a value twice',
    'caching: { cookieVaryParameters: [a, b, a] }',
    'HW1208 5:43 «a»',
    '`a` occurs twice in `cookieVaryParameters`.',
  ],
  [
    'a hostname twice in one site',
    'domains: [www.example.com, WWW.example.com.]',
    'HW1303 5:30 «WWW.example.com.»',
    '`www.example.com` is declared at `-:5` already.',
  ],
  [
    'a former name of an item in use',
    `edgeRules:\n    - { name: b, renamedFrom: a, ${block('*/x/*')} }\n    - { name: a, ${block('*/y/*')} }`,
    'HW1306 6:31 «a»',
    'at `-:7`',
  ],
  [
    'a former name of two items',
    `edgeRules:\n    - { name: a, renamedFrom: z, ${block('*/x/*')} }\n    - { name: b, renamedFrom: z, ${block('*/y/*')} }`,
    'HW1307 7:31 «z»',
  ],
  [
    'a rename of what keeps its name',
    'domains: [{ hostname: b.example, renamedFrom: a.example }]',
    'HW1341 5:36 «renamedFrom»',
    'another hostname is another domain (DOM-09)',
  ],
  ['moved from itself', 'domains: [{ hostname: a.nl, moveFrom: Site/shop }]', 'HW1311 5:41 «Site/shop»'],
  ['`unlisted` alone', 'unlisted: { domains: remove }', 'HW1308 5:15 «domains»'],
  [
    'a rule of Shield off and logging',
    'shield: { waf: { disabledRules: [942100], logOnlyRules: ["942100"] } }',
    'HW1309 5:60 «"942100"»',
    'it cannot be off and log at once',
  ],
  [
    'Shield switched off for some requests',
    'shield: { enabled: true }\n  edgeRules: [ { name: a, action: { type: DisableShield }, triggers: [ { type: Url, patterns: ["*"] } ] } ]',
    'HW1310 6:43 «DisableShield»',
    'without Shield',
  ],
  [
    'an unknown profile like none',
    'profiles: [base]',
    'HW1320 5:14 «base»',
    'There is no SiteProfile `base` among the manifests that were read. There are none. Fix the name,',
  ],
  ['an unknown profile twice', 'profiles: [base, base]', ['HW1320 5:14 «base»', 'HW1321 5:20 «base»']],
  ['null where nothing can be shared', 'primaryDomain: null', 'HW1203 5:18 «null»'],
  ['null in a list', 'caching: { cookieVaryParameters: [null] }', 'HW1203 5:37 «null»'],
  ['null for a name that nobody knows', 'caching: { smartCash: null }', 'HW1201 5:14 «smartCash»'],
  ['one name for a list of profiles', 'profiles: base', 'HW1203 5:13 «base»'],
  [
    'a reference to what nobody declares',
    'domains: [{ hostname: a.nl, registration: { ref: DomainRegistration/b.nl } }]',
    'HW1331 5:52 «DomainRegistration/b.nl»',
    'There is no `DomainRegistration/b.nl`. There is no `DomainRegistration` among the manifests that were read.',
  ],
];

/** What a site ignores. */
const pointers: readonly Row[] = [
  ['a pointer to nowhere', '/caching/smartCash', 'HW1304 4:23 «/caching/smartCash»', 'Did you mean `smartCache`?'],
  ['a pointer to the profiles', '/profiles', 'HW1304 4:23 «/profiles»', 'there is no `profiles`'],
  ['a pointer into a list', '/domains/0', 'HW1305 4:23 «/domains/0»'],
  ['no pointer at all', 'caching', 'HW1206 4:23 «caching»'],
];

/** What an edge rule does. */
const actions: readonly Row[] = [
  [
    'two edge actions in one',
    '{ redirect: { to: "https://a.nl/" }, block: {} }',
    'HW1230 7:15 «{ redirect: { to: "https://a.nl/" }, block: {} }»',
    '`action` says two things at once: it has `redirect` and `block`. `hostwright explain Site.edgeRules.action` lists what it can say. Keep one of them.',
  ],
  [
    'an edge action in both forms',
    '{ type: BlockRequest, block: {} }',
    'HW1230 7:15 «{ type: BlockRequest, block: {} }»',
    '`type` and `block`',
  ],
  ['no edge action', '{}', 'HW1230 7:15 «{}»', 'it has no fields'],
  [
    'a parameter without its type',
    '{ parameter1: x }',
    'HW1230 7:15 «{ parameter1: x }»',
    '`parameter1` in `action` stands beside `type` only',
  ],
  [
    'a slip in an edge action',
    '{ redirct: { to: "https://a.nl/" } }',
    'HW1201 7:17 «redirct»',
    'Did you mean `redirect`?',
  ],
  [
    'a redirect with another status',
    '{ redirect: { to: "https://a.nl/", status: 303 } }',
    'HW1204 7:58 «303»',
    'Allowed: `301`, `302`, `307` or `308`.',
  ],
  [
    'a redirect to a path',
    '{ redirect: { to: /new } }',
    'HW1206 7:33 «/new»',
    '`to` cannot be `/new`. Expected: a whole address that begins with `https://`',
  ],
  [
    'less than no seconds',
    '{ cacheTime: { seconds: -1 } }',
    'HW1205 7:39 «-1»',
    '`seconds` is -1; it has to be 0 or more',
  ],
  ['a block of everything', '{ block: {} }', 'HW2702 7:15 «{ block: {} }»', 'The edge rule "x" blocks every request'],
  [
    'an accepted warning that is not there',
    '{ forceSsl: {} }\n      accept: [{ code: HW2705, reason: Soon. }]',
    'HW2712 8:24 «HW2705»',
    'HW2705 does not occur here',
  ],
];

/** When an edge rule does it. */
const triggers: readonly Row[] = [
  [
    'a country in full',
    '{ country: { none: [NL, Belgium] } }',
    'HW1206 8:42 «Belgium»',
    'a country as two capital letters, such as NL',
  ],
  [
    'any and none of some patterns',
    '{ url: { none: ["*"], all: ["*"] } }',
    'HW1230 8:25 «{ none: ["*"], all: ["*"] }»',
  ],
  [
    'a header without patterns',
    '{ header: { name: User-Agent } }',
    'HW1230 8:28 «{ name: User-Agent }»',
    '`header` says too little: it has `name`',
  ],
  ['a path without its slash', '{ url: [images/*] }', 'HW2704 8:26 «images/*»', 'write `/images/*` for a path'],
  [
    'more countries than a condition takes',
    '{ country: { none: [NL, BE, DE, FR, LU, AT] } }',
    'HW1209 8:37 «[NL, BE, DE, FR, LU, AT]»',
    '`none` has 6 items; at most 5 are possible. The platform takes 5 values per condition and 5 conditions per rule. Split the list into several `none` conditions and write `match: all`.',
  ],
  ['a country that is not one', '{ country: { none: [NL, UK] } }', 'HW2705 8:42 «UK»', 'United Kingdom is GB'],
];

/** Lines of the spec of a mailspace. */
const mailspaces: readonly Row[] = [
  [
    'an address twice, in two sections',
    'mailboxes: [{ address: Info@example.com }]\n  aliases: [{ address: info@Example.com, target: a@example.com }]',
    'HW1303 6:13 «{ address: info@Example.com, target: a@example.com }»',
    'at `-:5`',
  ],
  [
    'a domain twice, once as pasted',
    'domains: [{ name: example.org }, { name: "https://www.Example.org/x" }]',
    'HW1303 5:36 «{ name: "https://www.Example.org/x" }»',
    '`example.org` is declared',
  ],
  [
    'an alias of an alias',
    'aliases: [{ address: a@example.com, target: x@example.com }, { address: b@example.com, target: A@Example.com }]',
    'HW1340 5:98 «A@Example.com»',
    'Point it at x@example.com.',
  ],
  [
    'aliases in a circle',
    'aliases: [{ address: a@example.com, target: b@example.com }, { address: b@example.com, target: a@example.com }]',
    ['HW1340 5:47 «b@example.com»', 'HW1340 5:98 «a@example.com»'],
    'these aliases form a circle',
  ],
  [
    'an alias inside a mailbox',
    'mailboxes: [{ address: a@example.com, aliases: [b@example.com] }]',
    'HW1201 5:41 «aliases»',
    '`aliases` belongs below `spec`',
  ],
  [
    'more addresses to sign in from than fit',
    `mailboxes: [{ address: a@example.com, allowedIps: [${Array.from({ length: 21 }, (_, index) => `192.0.2.${index}`).join(', ')}] }]`,
    'HW1209 5:53 «[192.0.2.0, 192.0.2.1, 192.0.2.2, 192.0.2.3, 192.0.2.4, 192.0.2.5, 192.0.2.6, 192.0.2.7,…»',
    'at most 20 are possible',
  ],
  ['no address', 'aliases: [{ address: info, target: a@example.com }]', 'HW1206 5:24 «info»'],
  ['unlisted without its list', 'unlisted: { groups: remove }', 'HW1308 5:15 «groups»'],
];

const texts: readonly Row[] = [
  ...documents,
  ...within((lines) => `${spec}  ${lines}\n`, specs),
  ...within((pointer) => `${named}lifecycle: { ignore: [${pointer}] }\nspec: {}\n`, pointers),
  ...within((action) => edge(action), actions),
  ...within((trigger) => edge('{ block: {} }', trigger), triggers),
  ...within((lines) => `${mail}  ${lines}\n`, mailspaces),
];

function bomb(): string {
  const layers = ['a', 'b', 'c', 'd', 'e', 'f'].map(
    (name, index, all) =>
      `  ${name}: &${name} [${Array(10)
        .fill(index === 0 ? 'x' : `*${all[index - 1]}`)
        .join(', ')}]`,
  );
  return `site:\n${layers.join('\n')}\n`;
}

const all = (gives: Row[2]): readonly string[] => (typeof gives === 'string' ? [gives] : gives);

describe('texts', () => {
  test.for(texts)('%s', async ([, text, gives, says]) => {
    const { diagnostics, collections } = await readText(text);
    expect(diagnostics.map((one) => brief(one).replace(' -:', ' '))).toEqual(all(gives));
    if (says !== undefined) expect(diagnostics[0]?.detail).toContain(says);
    if (diagnostics.some(({ severity }) => severity === 'error')) expect(collections).toEqual([]);
  });

  test.each([
    ['name: 5', '`name` has to be text; it is a number. Put it in quotes.'],
    ['name: [5]', '`name` has to be text; it is a list. Write a value of the expected type.'],
    [
      'name: Shop: x',
      'A text that holds a colon and a space has to be in quotes. Write `name: "Shop: x"`. The rest was not checked.',
    ],
  ])('%s: what to write is said once', async (line, detail) => {
    expect((await readText(`${spec}  ${line}\n`)).diagnostics.map((one) => one.detail)).toEqual([detail]);
  });
});

type FolderRow = readonly [name: string, files: Files, path: string, gives: Row[2], says?: string];

const folders: readonly FolderRow[] = [
  [
    'a file that is not there',
    {},
    'nowhere.yaml',
    'HW1001',
    '`nowhere.yaml` cannot be read: there is no such file or folder.',
  ],
  ['a path through a file', { 'a.yaml': site('a') }, 'a.yaml/b.yaml', 'HW1001', 'not a folder'],
  ['a link that goes round', { 'a.yaml': { link: 'a.yaml' } }, 'a.yaml', 'HW1001', 'in a circle'],
  ['a folder without manifests', { 'readme.md': '' }, '.', 'HW1002', 'The folder `.` holds no'],
  ['a glob without matches', {}, 'sites/*.yaml', 'HW1002', 'Nothing matches `sites/*.yaml`.'],
  ['only foreign documents', { 'a.yaml': 'a: 1\n' }, '.', ['HW1002', 'HW1007 a.yaml:1:1']],
  ['a file that is too large', { 'a.yaml': '#'.repeat(16 * 1024 * 1024 + 1) }, '.', 'HW1003'],
  [
    'bytes that are not UTF-8',
    { 'a.yaml': new Uint8Array([0x61, 0x0a, 0xff, 0x0a]) },
    '.',
    'HW1004 a.yaml:2:1',
    'on line 2',
  ],
  ['UTF-16', { 'a.yaml': new Uint8Array([0xff, 0xfe, 0x61, 0x00]) }, '.', 'HW1004 a.yaml:1:1', 'UTF-16'],
  ['a link out of the workspace', { 'a.yaml': { link: '/etc/hostname' } }, '.', 'HW1005'],
  ['the same link, named', { 'a.yaml': { link: '/etc/hostname' } }, 'a.yaml', 'HW1005'],
  ['an empty file beside others', { 'a.yaml': site('a'), 'b.yaml': '\n' }, '.', 'HW1006 b.yaml:1:1'],
  [
    'foreign documents beside ours',
    { 'a.yaml': `${site('a')}---\na: 1\n---\nb: 2\n` },
    '.',
    'HW1007 a.yaml:1:1',
    'are no manifests: 2.',
  ],
  ["a file that is nobody's to read", { '.git/config': '[core]\n' }, '.git/config', 'HW1015'],
  ['standard input where there is none', {}, '-', 'HW1009'],
];

describe('files', () => {
  test.for(folders)('%s', async ([, files, at, gives, says]) => {
    const { diagnostics } = await readFrom(files, [at]);
    expect(diagnostics.map(brief)).toEqual(all(gives));
    if (says !== undefined) expect(diagnostics[0]?.detail).toContain(says);
  });

  test('too many mistakes in one document', async () => {
    const junk = Array.from({ length: 40_000 }, (_, index) => `  junk${index}: 1`).join('\n');
    const { diagnostics } = await readText(site('shop', junk));
    expect(diagnostics).toHaveLength(101);
    const rest = diagnostics.filter(({ code }) => code === 'HW1214');
    expect(rest.map(({ detail }) => detail)).toEqual([
      'And 39,900 more in this document. Correct the reported ones, then run again.',
    ]);
  });

  // Each is one mistake of one document, or of none: only the file has many.
  test.each<readonly [string, (index: number) => string, string]>([
    ['fields', (index) => site(`s${index}`, `  junk${index}: 1`), '900'],
    ['names', () => site('same', '  caching: {}'), '899'],
    ['hostnames', (index) => site(`s${index}`, '  domains: [www.example.com]'), '899'],
    ['profiles', (index) => site(`s${index}`, `  profiles: [none${index}]`), '900'],
  ])('too many mistakes in one file: %s', async (_name, document, left) => {
    const { diagnostics } = await readText(Array.from({ length: 1_000 }, (_, index) => document(index)).join('---\n'));
    expect(diagnostics).toHaveLength(101);
    expect(diagnostics.filter(({ code }) => code === 'HW1214').map(({ detail }) => detail)).toEqual([
      `And ${left} more in this file. Correct the reported ones, then run again.`,
    ]);
  });

  test('what is an error is told before what is not', async () => {
    const idle = Array.from({ length: 200 }, (_, index) => site(`s${index}`, '  unlisted: { domains: remove }'));
    const { diagnostics } = await readText([...idle, site('shop', '  junk: 1')].join('---\n'));
    expect(diagnostics).toHaveLength(101);
    expect(diagnostics.map(({ code }) => code)).toContain('HW1201');
  });
});

/** The lines of its spec, or the whole file if there are none; what it gives, without the file; what flags say. */
type WorkspaceRow = readonly [name: string, spec: string | Files, gives: string, overrides?: Overrides];
type Overrides = { readonly account?: string; readonly baseUrl?: string };

const HERE = 'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n';
const sound = '  account: acc-1\n  baseUrl: https://api.example.com\n';
const workspaces: readonly WorkspaceRow[] = [
  ['no file', {}, 'HW6001'],
  ['plain http', '  account: a\n  baseUrl: http://api.example.com\n', 'HW6002 5:12 «http://api.example.com»'],
  [
    'a URL that ends in /api',
    '  account: a\n  baseUrl: https://x.example/api/\n',
    'HW6002 5:12 «https://x.example/api/»',
  ],
  ['plain http by a flag', sound, 'HW6002', { baseUrl: 'http://10.0.0.1' }],
  ['a ledger elsewhere', `${sound}  ledger: { file: ../ledger.jsonl }\n`, 'HW6003 6:19 «../ledger.jsonl»'],
  ['an absolute ledger', `${sound}  ledger: { file: /tmp/ledger.jsonl }\n`, 'HW6003 6:19 «/tmp/ledger.jsonl»'],
  ['secrets elsewhere', `${sound}  secrets: { files: [a, a/../../b] }\n`, 'HW6003 6:25 «a/../../b»'],
  ['a reserved name', `${sound}  secrets: { env: [OK, HOSTWRIGHT_TOKEN] }\n`, 'HW6004 6:24 «HOSTWRIGHT_TOKEN»'],
  ['a shared folder outside of any repository', `${sound}  shared: [../shared]\n`, 'HW6010 6:12 «../shared»'],
  ['a token', `${sound}  apiToken: abc123\n`, 'HW6005 6:3 «apiToken»'],
  [
    'two documents',
    { 'hostwright.yaml': `${HERE.trim()} {}\n---\n${site('a')}` },
    'HW6006 5:1 «apiVersion: hostwright/v1»',
  ],
  ['an empty file', { 'hostwright.yaml': '' }, 'HW6006'],
  ['no account', '  baseUrl: https://api.example.com\n', 'HW6007 3:1 «spec»'],
  ['no base URL', '  account: a\n', 'HW6008 3:1 «spec»'],
  ['no account that can be one', sound, 'HW6009', { account: 'a\nb' }],
  ['no globs', `${sound}  manifests: []\n`, 'HW1209 6:14 «[]»'],
  ['a ledger in two places', `${sound}  ledger: { file: a, git: {} }\n`, 'HW6020 6:3 «ledger»'],
];

describe('the workspace file', () => {
  test.for(workspaces)('%s', async ([, written, gives, overrides = {}]) => {
    const { workspace, diagnostics } = await inFolder(
      typeof written === 'string' ? { 'hostwright.yaml': `${HERE}${written}` } : written,
      (cwd) => loadWorkspace({ cwd, overrides }),
    );
    expect(diagnostics.map((one) => brief(one).replace(' hostwright.yaml:', ' '))).toEqual([gives]);
    expect(workspace).toBeUndefined();
  });
});

type Edit = readonly [from: string | RegExp, to: string];
type Mended =
  | readonly [name: string, ...edits: Edit[]]
  | { readonly name: string; readonly files: Files; readonly path?: string }
  | { readonly name: string; readonly spec: string };
const WHOLE = /^[^]+$/;
const one: Files = { 'a.yaml': site('a') };
const servers = '[ns1.example.net, ns2.example.net]';

/** What each remedy says, done to the letter in a case from above: the text, the files or the workspace after it. */
const MENDED: Readonly<Partial<Record<Code, Mended>>> = {
  HW1001: { name: 'a file that is not there', files: one, path: 'a.yaml' },
  HW1002: { name: 'a folder without manifests', files: one },
  HW1003: { name: 'a file that is too large', files: { ...one, 'b.yaml': site('b') } },
  HW1004: { name: 'UTF-16', files: one },
  HW1005: { name: 'a link out of the workspace', files: one },
  HW1006: { name: 'an empty file beside others', files: one },
  HW1008: ['a foreign document that was named', [WHOLE, site('shop')]],
  HW1009: { name: 'standard input where there is none', files: one, path: 'a.yaml' },
  HW1010: ['a workspace among manifests', [WHOLE, site('shop')]],
  HW1015: { name: "a file that is nobody's to read", files: one, path: 'a.yaml' },
  HW1101: ['an unclosed quote', ['"Shop', '"Shop"']],
  HW1102: ['a key twice', ['  name: Store\n', '']],
  HW1103: ['a tab', ['\t', '  ']],
  HW1104: ['an alias bomb', [WHOLE, site('shop')]],
  HW1105: ['an alias without anchor', ['*nobody', '"*nobody"']],
  HW1106: ['endless nesting', [/\[+/, '[]']],
  HW1107: ['a tag', ['!secret ', '']],
  HW1108: ['a list as a key', ['? [name]\n  : Shop', 'name: Shop']],
  HW1109: ['a merge key', ['<<: { name: Shop }', 'name: Shop']],
  HW1110: ['a list as the document', [WHOLE, site('shop')]],
  HW1111: ['an unfinished merge', [/<<<<<<< HEAD\n([^]*)=======[^]*/, '$1']],
  HW1112: ['a line that is indented too far', ['    primaryDomain', '  primaryDomain']],
  HW1113: ['no space after a colon', ['name:Shop', 'name: Shop']],
  HW1114: ['a colon in plain text', ['Shop: the best', '"Shop: the best"']],
  HW1201: ['a misspelt field', ['nmae', 'name']],
  HW1202: ['no name', ['{ id: a }', '{ id: a, name: shop }']],
  HW1203: ['a number for a name', ['name: 5', 'name: "5"']],
  HW1204: ['a misspelt value', ['cnmae', 'cname']],
  HW1205: ['too small a number', ['-2', '-1']],
  HW1206: ['a name with a space', ['[a b]', '[a_b]']],
  HW1207: ['a wildcard', ['"*.example.com"', 'www.example.com']],
  HW1208: ['a value twice', ['a, b, a', 'a, b']],
  HW1209: ['more addresses to sign in from than fit', [', 192.0.2.20', '']],
  HW1210: ['an unknown apiVersion', ['hostwrigth', 'hostwright']],
  HW1211: ['a newer apiVersion', [WHOLE, site('shop')]],
  HW1212: ['a misspelt kind', ['kind: Sites', 'kind: Site\nspec: {}']],
  HW1230: ['two edge actions in one', ['"*"', '"*/old/*"'], [', block: {}', '']],
  HW1301: ['a name twice', ['name: shop', 'name: store']],
  HW1302: ['an id twice', ['id: one', 'id: two']],
  HW1303: ['a hostname twice in one site', [', WWW.example.com.', '']],
  HW1304: ['a pointer to nowhere', ['smartCash', 'smartCache']],
  HW1305: ['a pointer into a list', ['/domains/0', '/domains']],
  HW1306: ['a former name in use', [', renamedFrom: a', '']],
  HW1307: ['a former name twice', [', renamedFrom: z', '']],
  HW1308: ['`unlisted` alone', ['  unlisted', '  domains: []\n  unlisted']],
  HW1309: ['a rule of Shield off and logging', [', logOnlyRules: ["942100"]', '']],
  HW1311: ['moved from itself', [', moveFrom: Site/shop', '']],
  HW1320: ['an unknown profile', ['shop-bass', 'shop-base']],
  HW1321: ['a profile twice', ['[base, base]', '[base]']],
  HW1322: ['a profile that names profiles', ['  profiles: [other]', '  caching: {}']],
  HW1323: ['a profile that nobody uses', ['  name: Shop', '  profiles: [base]']],
  HW1324: [
    'hostnames in a profile',
    ['  domains: [a.example]', '  caching: {}'],
    ['  profiles: [base]', '  profiles: [base]\n  domains: [a.example]'],
  ],
  HW1331: ['a slip in a reference', ['wwww.', 'www.']],
  HW1332: ['an output that is not there', ['output: servers', 'output: nameservers']],
  HW1333: ['a circle of references', [/\{ ref: [^}]*\}/, servers]],
  HW1334: ['a reference to itself', [/\{ ref: [^}]*\}/, servers]],
  HW1335: ['an output of plain data', [/\{ ref: [^}]*\}/, servers]],
  HW1336: [
    'a reference to a profile',
    ['SiteProfile/base', 'Site/shop/SiteDomain/a.nl'],
    ['  profiles: [base]', '  profiles: [base]\n  domains: [a.nl]'],
  ],
  HW1337: ['a contact that nobody names', [contact, '']],
  HW1340: ['an alias of an alias', ['A@Example.com', 'x@example.com']],
  HW1341: ['a rename of what keeps its name', [', renamedFrom: a.example', '']],
  HW2701: ['an edge rule after a wider one', ['/admin/export/*', '/files/*']],
  HW2702: ['a block of everything', ['"*"', '/admin/*']],
  HW2703: ['a redirect to itself', ['"https://a.nl/old/new"', '"https://a.nl/new/"']],
  HW2704: ['a path without its slash', ['images/*', '/images/*']],
  HW2705: ['a country that is not one', ['UK', 'GB']],
  HW2706: ['an AS number for documents', ['AS64500, ', '']],
  HW2707: ['an address in a network', ['198.51.100.7, ', '']],
  HW2708: ['a network of everything', ['::/0', '2001:db8::/32']],
  HW2709: ['a private network', ['10.1.0.0/16', '198.51.100.0/24']],
  HW2710: ['a cache that a rule switches off', ['"*"', '/account/*']],
  HW2711: ['a rule beside a list of the same', ['[192.0.2.1]', '[]']],
  HW2712: ['an accepted warning that is not there', [/\n +accept: .*/, '']],
  HW1231: ['a placeholder that nothing replaced', [' ${STAGE}', '']],
  HW2713: ['triggers of two kinds without match', ['triggers: [{ url', 'match: all\n      triggers: [{ url']],
  HW2714: ['a comment in an access list', ['"# office", ', '']],
  HW2715: ['a placeholder of another tool', ['/:splat', '{{path}}']],
  HW6001: { name: 'no file', spec: sound },
  HW6002: { name: 'plain http', spec: sound },
  HW6003: { name: 'a ledger elsewhere', spec: `${sound}  ledger: { file: ledger.jsonl }\n` },
  HW6004: { name: 'a reserved name', spec: `${sound}  secrets: { env: [OK, SHOP_TOKEN] }\n` },
  HW6005: { name: 'a token', spec: sound },
  HW6006: { name: 'two documents', spec: sound },
  HW6007: { name: 'no account', spec: sound },
  HW6008: { name: 'no base URL', spec: sound },
  HW6009: { name: 'no account that can be one', spec: sound },
  HW6020: { name: 'a ledger in two places', spec: `${sound}  ledger: { git: {} }\n` },
};

/** Where the remedies of others are tried. */
const TRIED: Readonly<Record<string, string>> = {
  'sessions/commands/shared-folders.test.ts': 'HW1011 HW6661 HW6010',
  'cli/private-files.test.ts': 'HW1016',
  'sessions/commands/observed.test.ts': 'HW1017 HW1018',
  'manifest/secrets.test.ts': 'HW1401 HW1402 HW1403 HW1404 HW1460',
  'sessions/user/users.test.ts': 'HW1405 HW1406',
  'cli/credentials.test.ts': 'HW1410 HW1411 HW6030 HW6031 HW6032 HW6033 HW6034 HW6035',
  'constructs/advice.test.ts':
    'HW1501 HW1502 HW1503 HW1504 HW1505 HW1507 HW1508 HW1509 HW1510 HW1511 HW1512 HW1513 HW1514 HW1520 HW1521 HW1522 HW1523 HW1524 HW1525 HW6022',
  'constructs/credentials.test.ts': 'HW1506',
  'sessions/commands/trace.test.ts': 'HW2721 HW2722',
  'sessions/faults/outage.test.ts': 'HW3051 HW3052',
  'system/trusted-file.test.ts': 'HW6011 HW6012',
};

/** Those that leave nothing to do. */
const OUTSIDE: Readonly<Partial<Record<Code, string>>> = {
  HW1007: 'nothing has to be done',
  HW1214: 'it only says that there are more of the others',
  HW1310: 'nothing has to be done',
};

describe('the remedy of each code', () => {
  /** The last place: the one that a problem is about. */
  const mend = (text: string, [from, to]: Edit): string => {
    if (typeof from !== 'string') return text.replace(from, to);
    const at = text.lastIndexOf(from);
    expect(at, from).not.toBe(-1);
    return `${text.slice(0, at)}${to}${text.slice(at + from.length)}`;
  };
  const given = [
    ...[...texts, ...workspaces].map(([name, , gives]) => [name, all(gives)] as const),
    ...folders.map(([name, , , gives]) => [name, all(gives)] as const),
  ];

  test.each(Object.entries(MENDED))('%s helps, and brings nothing new', async (code, row) => {
    const codesOf = (diagnostics: readonly Diagnostic[]) => diagnostics.map((diagnostic) => diagnostic.code as string);
    const name = 'name' in row ? row.name : row[0];
    const before = given.find((each) => each[0] === name)?.[1] ?? [];
    expect(before.map((text) => text.slice(0, 6))).toContain(code);
    let after: readonly Diagnostic[];
    if (!('name' in row)) {
      const [, ...edits] = row;
      after = (await readText(edits.reduce(mend, texts.find((each) => each[0] === name)?.[1] ?? ''))).diagnostics;
    } else if ('files' in row) after = (await readFrom(row.files, [row.path ?? '.'])).diagnostics;
    else
      after = (
        await inFolder({ 'hostwright.yaml': `${HERE}${row.spec}` }, (cwd) => loadWorkspace({ cwd, overrides: {} }))
      ).diagnostics;
    expect(codesOf(after)).not.toContain(code);
    const isNew = ({ code: other, severity }: Diagnostic): boolean =>
      severity !== 'info' && !before.some((text) => text.startsWith(other));
    expect(after.filter(isNew).map(brief)).toEqual([]);
  });

  test('is tried here or in a test that there is', async () => {
    for (const [file, codes] of Object.entries(TRIED)) {
      const text = await readFile(path.join(import.meta.dirname, '..', file), 'utf8');
      for (const code of codes.split(' ')) expect(text, file).toContain(code);
    }
  });
});

describe('all codes with a remedy', () => {
  const entries = Object.entries<Entry>(CODES).filter(([, { remedy }]) => remedy !== undefined);

  test('have a row above', () => {
    const rows = [
      ...Object.keys(MENDED),
      ...Object.keys(OUTSIDE),
      ...Object.values(TRIED).flatMap((codes) => codes.split(' ')),
    ];
    expect(rows.sort()).toEqual(entries.map(([code]) => code));
  });

  test('summaries are short and alone, advice is whole sentences', () => {
    const summaries = entries.map(([, { summary }]) => summary);
    expect(new Set(summaries).size).toBe(summaries.length);
    for (const [, { summary, remedy }] of entries) {
      expect(summary).toMatch(/^.{5,50}[^.]$/);
      expect(remedy).toMatch(/^[A-Z].*\.$/);
    }
  });

  test('details are whole sentences without control characters', async () => {
    const told: Diagnostic[] = [];
    for (const [, text] of texts) told.push(...(await readText(text)).diagnostics);
    for (const { detail, frame } of told) {
      expect(detail).toMatch(/^[A-Z`].*\.$/);
      expect(`${detail}${frame}`).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    }
  });
});
