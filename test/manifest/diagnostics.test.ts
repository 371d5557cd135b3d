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

interface TextCase {
  readonly name: string;
  readonly text: string;
  /** All diagnostics, in brief. */
  readonly gives: readonly string[];
  /** A part of the first one's detail. */
  readonly says?: string;
}

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

const textCases: readonly TextCase[] = [
  { name: 'nothing at all', text: '', gives: ['HW1002', 'HW1006 -:1:1'], says: 'No manifest was found in `-`.' },
  { name: 'comments only', text: '# nothing\n---\n# here\n', gives: ['HW1002', 'HW1006 -:1:1'] },
  {
    name: 'a foreign document that was named',
    text: 'apiVersion: apps/v1\nkind: Deployment\n',
    gives: ['HW1008 -:1:13 «apps/v1»'],
  },
  {
    name: 'an unclosed quote',
    text: `${spec}  name: "Shop\n`,
    gives: ['HW1101 -:5:3 «name: "Shop»'],
    says: 'A text that starts with " does not end with it.',
  },
  {
    name: 'a colon in plain text',
    text: `${spec}  name: Shop: the best\n`,
    gives: ['HW1114 -:5:3 «name: Shop: the best»'],
    says: 'in quotes',
  },
  {
    name: 'an unfinished merge',
    text: `${spec}<<<<<<< HEAD\n  name: Shop\n=======\n  name: Store\n>>>>>>> other\n`,
    gives: ['HW1111 -:5:1 «<<<<<<< HEAD»'],
    says: 'This is a marker of an unfinished Git merge.',
  },
  {
    name: 'a line that is indented too far',
    text: `${spec}  name: Shop\n    primaryDomain: www.example.com\n`,
    gives: ['HW1112 -:6:5 «primaryDomain: www.example.com»'],
    says: 'This line is indented by 4 spaces, its neighbours by 2.',
  },
  {
    name: 'no space after a colon',
    text: `${spec}  name:Shop\n  primaryDomain: www.example.com\n`,
    gives: ['HW1113 -:5:3 «name:Shop»'],
    says: 'Write `name: Shop`.',
  },
  {
    name: 'no space after the colon of all that a section has',
    text: `${spec}  caching:\n    smartCache:true\n`,
    gives: ['HW1113 -:6:5 «smartCache:true»'],
    says: 'There is no space after the colon of `smartCache`. Write `smartCache: true`.',
  },
  {
    name: 'a password without a space after the colon',
    text: `${spec}  password:hunter2\n  name: Shop\n`,
    gives: ['HW1113 -:5:3 «password:*******»'],
    says: 'There is no space after the colon of `password`. A colon',
  },
  { name: 'a key twice', text: `${spec}  name: Shop\n  name: Store\n`, gives: ['HW1102 -:6:3 «name»'] },
  { name: 'a tab', text: `${spec}\tname: Shop\n`, gives: ['HW1103 -:5:1 «→»'] },
  { name: 'an alias bomb', text: bomb(), gives: ['HW1104 -:5:38 «*c»'] },
  { name: 'an alias without anchor', text: `${spec}  name: *nobody\n`, gives: ['HW1105 -:5:9 «*nobody»'] },
  { name: 'a value that holds itself', text: `${spec}  domains: &d [*d]\n`, gives: ['HW1105 -:5:16 «*d»'] },
  { name: 'endless nesting', text: `${spec}  domains: ${'['.repeat(100_000)}`, gives: ['HW1106 -:5:137 «[»'] },
  {
    name: 'endless nesting in blocks',
    text: `${spec}  domains:\n    ${'- '.repeat(20_000)}`,
    gives: ['HW1106 -:6:255 «-»'],
  },
  { name: 'a tag', text: `${spec}  name: !secret Shop\n`, gives: ['HW1107 -:5:9 «!secret»'] },
  { name: 'a list as a key', text: `${spec}  ? [name]\n  : Shop\n`, gives: ['HW1108 -:5:5 «[»'] },
  { name: 'a merge key', text: `${spec}  <<: { name: Shop }\n`, gives: ['HW1109 -:5:3 «<<»'] },
  {
    name: 'a list as the document',
    text: '- apiVersion: hostwright/v1\n',
    gives: ['HW1110 -:1:1 «- apiVersion: hostwright/v1»'],
  },
  {
    name: 'a misspelt field',
    text: `${spec}  nmae: Shop\n`,
    gives: ['HW1201 -:5:3 «nmae»'],
    says: 'There is no field `nmae` in `spec`. Did you mean `name`?',
  },
  {
    name: 'the spelling of the API',
    text: `${spec}  caching: { cache_expiration: 5 }\n`,
    gives: ['HW1201 -:5:14 «cache_expiration»'],
    says: 'Did you mean `cacheExpiration`?',
  },
  {
    name: 'a field one level too high',
    text: `${spec}  smartCache: true\n`,
    gives: ['HW1201 -:5:3 «smartCache»'],
    says: '`smartCache` belongs below `spec.caching`.',
  },
  {
    name: 'a field like nothing known',
    text: `${spec}  unlisted: { zebra: keep }\n`,
    gives: ['HW1201 -:5:15 «zebra»'],
    says: 'Known here: `domains`.',
  },
  { name: 'a prototype as a field', text: `${spec}  __proto__: { name: Shop }\n`, gives: ['HW1201 -:5:3 «__proto__»'] },
  {
    name: 'no name',
    text: `${head}metadata: { id: a }\nspec: {}\n`,
    gives: ['HW1202 -:3:1 «metadata»'],
    says: '`metadata` needs the field `name`.',
  },
  {
    name: 'no spec',
    text: named,
    gives: ['HW1202 -:1:1 «apiVersion: hostwright/v1»'],
    says: 'A Site needs the field `spec`.',
  },
  {
    name: 'no kind',
    text: 'apiVersion: hostwright/v1\n',
    gives: ['HW1202 -:1:1 «apiVersion: hostwright/v1»'],
    says: 'Known: `Site`, `SiteProfile`',
  },
  {
    name: 'no apiVersion',
    text: 'kind: Site\nmetadata: { name: shop }\nspec: {}\n',
    gives: ['HW1202 -:1:1 «kind: Site»'],
  },
  {
    name: 'no hostname',
    text: `${spec}  domains: [{ attach: dns }]\n`,
    gives: ['HW1202 -:5:13 «{ attach: dns }»'],
    says: '`domains[0]` needs the field `hostname`.',
  },
  {
    name: 'a number for a name',
    text: `${head}metadata: { name: 5 }\nspec: {}\n`,
    gives: ['HW1203 -:3:19 «5»'],
    says: 'Put it in quotes.',
  },
  {
    name: 'yes for true',
    text: `${spec}  caching: { smartCache: yes }\n`,
    gives: ['HW1203 -:5:26 «yes»'],
    says: 'In YAML 1.2 only',
  },
  {
    name: 'true in quotes',
    text: `${spec}  caching: { smartCache: "true" }\n`,
    gives: ['HW1203 -:5:26 «"true"»'],
    says: 'Remove the quotes.',
  },
  {
    name: 'a number in quotes',
    text: `${spec}  caching: { cacheExpiration: "60" }\n`,
    gives: ['HW1203 -:5:31 «"60"»'],
    says: 'Remove the quotes.',
  },
  {
    name: 'a fraction',
    text: `${spec}  caching: { cacheExpiration: 1.5 }\n`,
    gives: ['HW1203 -:5:31 «1.5»'],
    says: 'not whole',
  },
  { name: 'an endless number', text: `${spec}  caching: { cacheExpiration: .inf }\n`, gives: ['HW1203 -:5:31 «.inf»'] },
  {
    name: 'an empty list',
    text: `${spec}  domains:\n`,
    gives: ['HW1203 -:5:11 «»'],
    says: 'There is nothing after the colon',
  },
  {
    name: 'one item for a list',
    text: `${spec}  domains: www.example.com\n`,
    gives: ['HW1203 -:5:12 «www.example.com»'],
    says: 'with `- `',
  },
  {
    name: 'no branch of a choice',
    text: `${spec}  domains: [[www.example.com]]\n`,
    gives: ['HW1203 -:5:13 «[www.example.com]»'],
    says: 'has to be text or a mapping of fields; it is a list',
  },
  {
    name: 'a misspelt value',
    text: `${spec}  domains: [{ hostname: a.example, attach: cnmae }]\n`,
    gives: ['HW1204 -:5:44 «cnmae»'],
    says: 'Did you mean `cname`? Allowed: `cname` or `dns`.',
  },
  {
    name: 'too small a number',
    text: `${spec}  caching: { cacheExpiration: -2 }\n`,
    gives: ['HW1205 -:5:31 «-2»'],
    says: '-1 or more',
  },
  {
    name: 'a name with a space',
    text: `${spec}  caching: { cookieVaryParameters: [a b] }\n`,
    gives: ['HW1206 -:5:37 «a b»'],
    says: 'the CDN drops other names',
  },
  {
    name: 'an empty name',
    text: `${head}metadata: { name: "" }\nspec: {}\n`,
    gives: ['HW1206 -:3:19 «""»'],
    says: '`name` is empty.',
  },
  {
    name: 'a control character in a name',
    text: `${head}metadata: { name: "a\\u0007b" }\nspec: {}\n`,
    gives: ['HW1206 -:3:19 «"a\\u0007b"»'],
    says: '`a␇b`',
  },
  {
    name: 'a wildcard',
    text: `${spec}  domains: ["*.example.com"]\n`,
    gives: ['HW1207 -:5:13 «"*.example.com"»'],
    says: 'A wildcard cannot be attached',
  },
  {
    name: 'a URL',
    text: `${spec}  primaryDomain: https://www.example.com/x\n`,
    gives: ['HW1207 -:5:18 «https://www.example.com/x»'],
    says: 'everything but `www.example.com`',
  },
  {
    name: 'an encoded name that does not decode',
    text: `${spec}  primaryDomain: www.xn--0\n`,
    gives: ['HW1207 -:5:18 «www.xn--0»'],
    says: 'the encoded form of an international name',
  },
  {
    name: 'a value twice',
    text: `${spec}  caching: { cookieVaryParameters: [a, b, a] }\n`,
    gives: ['HW1208 -:5:43 «a»'],
    says: '`a` occurs twice in `cookieVaryParameters`.',
  },
  {
    name: 'an unknown apiVersion',
    text: `apiVersion: hostwrigth/v1\nkind: Site\nmetadata: { name: shop }\nspec: {}\n`,
    gives: ['HW1210 -:1:13 «hostwrigth/v1»'],
    says: 'Did you mean `hostwright/v1`?',
  },
  {
    name: 'a newer apiVersion',
    text: 'apiVersion: hostwright/v2\nkind: Mailspace\nspec: { new: 1 }\n',
    gives: ['HW1211 -:1:13 «hostwright/v2»'],
  },
  {
    name: 'a misspelt kind',
    text: 'apiVersion: hostwright/v1\nkind: Sites\nmetadata: { name: shop }\n',
    gives: ['HW1212 -:2:7 «Sites»'],
    says: 'Did you mean `Site`?',
  },
  {
    name: 'a kind by another word',
    text: 'apiVersion: hostwright/v1\nkind: Website\nmetadata: { name: shop }\n',
    gives: ['HW1212 -:2:7 «Website»'],
    says: 'There is no kind `Website` of manifests. Did you mean `Site`?',
  },
  {
    name: 'a kind that is a part of another',
    text: 'apiVersion: hostwright/v1\nkind: Redirects\nmetadata: { name: shop }\n',
    gives: ['HW1212 -:2:7 «Redirects»'],
    says: '`EdgeRule` is declared in a `Site`; `hostwright explain EdgeRule` shows where.',
  },
  {
    name: 'an unknown kind',
    text: 'apiVersion: hostwright/v1\nkind: Mailbag\n',
    gives: ['HW1212 -:2:7 «Mailbag»'],
    says: 'Known: `Site`, `SiteProfile`',
  },
  {
    name: 'mail: an address twice, in two sections',
    text: `${mail}  mailboxes: [{ address: Info@example.com }]\n  aliases: [{ address: info@Example.com, target: a@example.com }]\n`,
    gives: ['HW1303 -:6:13 «{ address: info@Example.com, target: a@example.com }»'],
    says: 'at `-:5`',
  },
  {
    name: 'mail: an address twice, in two manifests',
    text: `${mail}  groups: [{ email: info@example.com, name: I }]\n---\n${mail.replace('example.com', 'example.net')}  mailboxes: [{ address: info@example.com }]\n`,
    gives: ['HW1303 -:11:15 «{ address: info@example.com }»'],
    says: 'at `-:5`',
  },
  {
    name: 'mail: a domain twice, once as pasted',
    text: `${mail}  domains: [{ name: example.org }, { name: "https://www.Example.org/x" }]\n`,
    gives: ['HW1303 -:5:36 «{ name: "https://www.Example.org/x" }»'],
    says: '`example.org` is declared',
  },
  {
    name: 'mail: an alias of an alias',
    text: `${mail}  aliases: [{ address: a@example.com, target: x@example.com }, { address: b@example.com, target: A@Example.com }]\n`,
    gives: ['HW1340 -:5:98 «A@Example.com»'],
    says: 'Point it at x@example.com.',
  },
  {
    name: 'mail: aliases in a circle',
    text: `${mail}  aliases: [{ address: a@example.com, target: b@example.com }, { address: b@example.com, target: a@example.com }]\n`,
    gives: ['HW1340 -:5:47 «b@example.com»', 'HW1340 -:5:98 «a@example.com»'],
    says: 'these aliases go in a circle',
  },
  {
    name: 'mail: an alias inside a mailbox',
    text: `${mail}  mailboxes: [{ address: a@example.com, aliases: [b@example.com] }]\n`,
    gives: ['HW1201 -:5:41 «aliases»'],
    says: '`aliases` belongs below `spec`',
  },
  {
    name: 'mail: more addresses to sign in from than fit',
    text: `${mail}  mailboxes: [{ address: a@example.com, allowedIps: [${Array.from({ length: 21 }, (_, index) => `192.0.2.${index}`).join(', ')}] }]\n`,
    gives: [
      'HW1209 -:5:53 «[192.0.2.0, 192.0.2.1, 192.0.2.2, 192.0.2.3, 192.0.2.4, 192.0.2.5, 192.0.2.6, 192.0.2.7,…»',
    ],
    says: '20 or fewer',
  },
  {
    name: 'mail: no address',
    text: `${mail}  aliases: [{ address: info, target: a@example.com }]\n`,
    gives: ['HW1206 -:5:24 «info»'],
  },
  {
    name: 'mail: unlisted without its list',
    text: `${mail}  unlisted: { groups: remove }\n`,
    gives: ['HW1308 -:5:15 «groups»'],
  },
  {
    name: 'a name twice',
    text: `${site('shop')}---\n${site('shop')}`,
    gives: ['HW1301 -:11:9 «shop»'],
    says: 'at `-:4`',
  },
  {
    name: 'an id twice',
    text: `${head}metadata: { name: a, id: one }\nspec: {}\n---\n${head}metadata: { name: b, id: one }\nspec: {}\n`,
    gives: ['HW1302 -:8:26 «one»'],
    says: 'at `-:3`',
  },
  {
    name: 'a hostname twice in one site',
    text: `${spec}  domains: [www.example.com, WWW.example.com.]\n`,
    gives: ['HW1303 -:5:30 «WWW.example.com.»'],
    says: '`www.example.com` is declared at `-:5` already.',
  },
  {
    name: 'a hostname in two sites, in two spellings',
    text: `${site('a', '  domains: [bücher.example]')}---\n${site('b', '  primaryDomain: XN--bcher-kva.example')}`,
    gives: ['HW1303 -:13:18 «XN--bcher-kva.example»'],
    says: 'at `-:6`',
  },
  {
    name: 'a pointer to nowhere',
    text: `${named}lifecycle: { ignore: [/caching/smartCash] }\nspec: {}\n`,
    gives: ['HW1304 -:4:23 «/caching/smartCash»'],
    says: 'Did you mean `smartCache`?',
  },
  {
    name: 'a pointer to the profiles',
    text: `${named}lifecycle: { ignore: [/profiles] }\nspec: {}\n`,
    gives: ['HW1304 -:4:23 «/profiles»'],
    says: 'there is no `profiles`',
  },
  {
    name: 'a pointer into a list',
    text: `${named}lifecycle: { ignore: [/domains/0] }\nspec: {}\n`,
    gives: ['HW1305 -:4:23 «/domains/0»'],
  },
  {
    name: 'no pointer at all',
    text: `${named}lifecycle: { ignore: [caching] }\nspec: {}\n`,
    gives: ['HW1206 -:4:23 «caching»'],
  },
  {
    name: 'a former name in use',
    text: `${site('a')}---\n${head}metadata: { name: b, renamedFrom: a }\nspec: {}\n`,
    gives: ['HW1306 -:10:35 «a»'],
    says: 'at `-:4`',
  },
  {
    name: 'a former name that is the present one',
    text: `${head}metadata: { name: b, renamedFrom: b }\nspec: {}\n`,
    gives: ['HW1306 -:3:35 «b»'],
  },
  {
    name: 'a former name twice',
    text: `${head}metadata: { name: a, renamedFrom: z }\nspec: {}\n---\n${head}metadata: { name: b, renamedFrom: z }\nspec: {}\n`,
    gives: ['HW1307 -:8:35 «z»'],
  },
  {
    name: 'a former name of an item in use',
    text: `${spec}  edgeRules:\n    - { name: b, renamedFrom: a, ${block('*/x/*')} }\n    - { name: a, ${block('*/y/*')} }\n`,
    gives: ['HW1306 -:6:31 «a»'],
    says: 'at `-:7`',
  },
  {
    name: 'a former name of two items',
    text: `${spec}  edgeRules:\n    - { name: a, renamedFrom: z, ${block('*/x/*')} }\n    - { name: b, renamedFrom: z, ${block('*/y/*')} }\n`,
    gives: ['HW1307 -:7:31 «z»'],
  },
  {
    name: 'a rename of what keeps its name',
    text: `${spec}  domains: [{ hostname: b.example, renamedFrom: a.example }]\n`,
    gives: ['HW1341 -:5:36 «renamedFrom»'],
    says: 'another hostname is another domain (DOM-09)',
  },
  {
    name: 'moved from itself',
    text: `${spec}  domains: [{ hostname: a.nl, moveFrom: Site/shop }]\n`,
    gives: ['HW1311 -:5:41 «Site/shop»'],
  },
  { name: '`unlisted` alone', text: `${spec}  unlisted: { domains: remove }\n`, gives: ['HW1308 -:5:15 «domains»'] },
  {
    name: 'a rule of Shield off and logging',
    text: `${spec}  shield: { waf: { disabledRules: [942100], logOnlyRules: ["942100"] } }\n`,
    gives: ['HW1309 -:5:60 «"942100"»'],
    says: 'it cannot be off and log at once',
  },
  {
    name: 'two edge actions in one',
    text: edge('{ redirect: { to: "https://a.nl/" }, block: {} }'),
    gives: ['HW1230 -:7:15 «{ redirect: { to: "https://a.nl/" }, block: {} }»'],
    says: '`action` says two things at once: it has `redirect` and `block`. `hostwright explain Site.edgeRules.action` lists what it can say. Keep one of them.',
  },
  {
    name: 'an edge action in both forms',
    text: edge('{ type: BlockRequest, block: {} }'),
    gives: ['HW1230 -:7:15 «{ type: BlockRequest, block: {} }»'],
    says: '`type` and `block`',
  },
  { name: 'no edge action', text: edge('{}'), gives: ['HW1230 -:7:15 «{}»'], says: 'it has no fields' },
  {
    name: 'a parameter without its type',
    text: edge('{ parameter1: x }'),
    gives: ['HW1230 -:7:15 «{ parameter1: x }»'],
    says: '`parameter1` in `action` stands beside `type` only',
  },
  {
    name: 'a slip in an edge action',
    text: edge('{ redirct: { to: "https://a.nl/" } }'),
    gives: ['HW1201 -:7:17 «redirct»'],
    says: 'Did you mean `redirect`?',
  },
  {
    name: 'a redirect with another status',
    text: edge('{ redirect: { to: "https://a.nl/", status: 303 } }'),
    gives: ['HW1204 -:7:58 «303»'],
    says: 'Allowed: `301`, `302`, `307` or `308`.',
  },
  {
    name: 'a redirect to a path',
    text: edge('{ redirect: { to: /new } }'),
    gives: ['HW1206 -:7:33 «/new»'],
    says: '`to` cannot be `/new`. Expected: a whole address that begins with `https://`',
  },
  {
    name: 'less than no seconds',
    text: edge('{ cacheTime: { seconds: -1 } }'),
    gives: ['HW1205 -:7:39 «-1»'],
    says: '`seconds` is -1; it has to be 0 or more',
  },
  {
    name: 'a country in full',
    text: edge('{ block: {} }', '{ country: { none: [NL, Belgium] } }'),
    gives: ['HW1206 -:8:42 «Belgium»'],
    says: 'a country as two capital letters, such as NL',
  },
  {
    name: 'any and none of some patterns',
    text: edge('{ block: {} }', '{ url: { none: ["*"], all: ["*"] } }'),
    gives: ['HW1230 -:8:25 «{ none: ["*"], all: ["*"] }»'],
  },
  {
    name: 'a header without patterns',
    text: edge('{ block: {} }', '{ header: { name: User-Agent } }'),
    gives: ['HW1230 -:8:28 «{ name: User-Agent }»'],
    says: '`header` says too little: it has `name`',
  },
  {
    name: 'Shield switched off for some requests',
    text: `${spec}  shield: { enabled: true }\n  edgeRules: [ { name: a, action: { type: DisableShield }, triggers: [ { type: Url, patterns: ["*"] } ] } ]\n`,
    gives: ['HW1310 -:6:43 «DisableShield»'],
    says: 'without Shield',
  },
  {
    name: 'an edge rule after a wider one',
    text: `${spec}  edgeRules:
    - { name: a, triggers: [{ url: [/admin/*] }], action: { block: {} } }
    - { name: b, triggers: [{ url: [/admin/export/*] }], action: { redirect: { to: "https://files.example.com/" } } }
`,
    gives: [
      'HW2701 -:7:7 «{ name: b, triggers: [{ url: [/admin/export/*] }], action: { redirect: { to: "https://files.example.com/" } } }»',
    ],
    says: 'If the CDN acts on the first of the two, which is not documented,',
  },
  {
    name: 'a block of everything',
    text: edge('{ block: {} }'),
    gives: ['HW2702 -:7:15 «{ block: {} }»'],
    says: 'The edge rule "x" blocks every request',
  },
  {
    name: 'a redirect to itself',
    text: edge('{ redirect: { to: "https://a.nl/old/new" } }', '{ url: ["*://a.nl/old/*"] }'),
    gives: ['HW2703 -:7:15 «{ redirect: { to: "https://a.nl/old/new" } }»'],
  },
  {
    name: 'a path without its slash',
    text: edge('{ block: {} }', '{ url: [images/*] }'),
    gives: ['HW2704 -:8:26 «images/*»'],
    says: 'write `/images/*` for a path',
  },
  {
    name: 'a country that is not one',
    text: edge('{ block: {} }', '{ country: { none: [NL, UK] } }'),
    gives: ['HW2705 -:8:42 «UK»'],
    says: 'United Kingdom is GB',
  },
  {
    name: 'an AS number for documents',
    text: list('asn', '[AS64500, "13335"]'),
    gives: ['HW2706 -:5:59 «AS64500»'],
    says: 'is reserved',
  },
  {
    name: 'an address in a network',
    text: list('ip', '[198.51.100.7, 198.51.100.0/24]'),
    gives: ['HW2707 -:5:58 «198.51.100.7»'],
    says: '`198.51.100.7` is in `198.51.100.0/24` of the same list.',
  },
  { name: 'a network of everything', text: list('ip', '["::/0"]'), gives: ['HW2708 -:5:58 «"::/0"»'] },
  { name: 'a private network', text: list('cidr', '[10.1.0.0/16]'), gives: ['HW2709 -:5:60 «10.1.0.0/16»'] },
  {
    name: 'a cache that a rule switches off',
    text: `${edge('{ cacheTime: { seconds: 0 } }')}  caching: { cacheExpiration: 60 }\n`,
    gives: ['HW2710 -:6:7 «name: x»'],
    says: '`caching.cacheExpiration: 60` has no effect',
  },
  {
    name: 'a rule beside a list of the same',
    text: `${spec}  shield:
    customRules: [{ name: a, action: block, variable: REMOTE_ADDR, operator: strEq, value: 192.0.2.1 }]
    accessLists: [{ name: l, type: ip, content: [192.0.2.1] }]
`,
    gives: ['HW2711 -:6:19 «{ name: a, action: block, variable: REMOTE_ADDR, operator: strEq, value: 192.0.2.1 }»'],
    says: 'no document says which of the two counts',
  },
  {
    name: 'an accepted warning that is not there',
    text: edge('{ forceSsl: {} }\n      accept: [{ code: HW2705, reason: Soon. }]'),
    gives: ['HW2712 -:8:24 «HW2705»'],
    says: 'HW2705 does not occur here',
  },
  {
    name: 'an unknown profile',
    text: `${profile('shop-base')}---\n${spec}  profiles: [shop-bass]\n`,
    gives: ['HW1320 -:12:14 «shop-bass»'],
  },
  {
    name: 'an unknown profile like none',
    text: `${spec}  profiles: [base]\n`,
    gives: ['HW1320 -:5:14 «base»'],
    says: 'There is no SiteProfile `base` among the manifests that were read. There are none. Correct the name,',
  },
  {
    name: 'a profile twice',
    text: `${spec}  profiles: [base, base]\n---\n${profile('base')}`,
    gives: ['HW1321 -:5:20 «base»'],
    says: 'is named at `-:5` already',
  },
  {
    name: 'an unknown profile twice',
    text: `${spec}  profiles: [base, base]\n`,
    gives: ['HW1320 -:5:14 «base»', 'HW1321 -:5:20 «base»'],
  },
  {
    name: 'two profiles of one name',
    text: `${profile('base')}---\n${profile('base')}---\n${spec}  profiles: [base]\n`,
    gives: ['HW1301 -:11:9 «base»'],
    says: 'at `-:4`',
  },
  {
    name: 'a profile that names profiles',
    text: `${profile('base', '  profiles: [other]')}---\n${spec}  profiles: [base]\n`,
    gives: ['HW1322 -:6:3 «profiles»'],
    says: 'The SiteProfile names profiles itself.',
  },
  {
    name: 'a profile that nobody uses',
    text: `${profile('base')}---\n${site('shop')}`,
    gives: ['HW1323 -:4:9 «base»'],
    says: 'uses the profile `base`',
  },
  {
    name: 'hostnames in a profile',
    text: `${profile('base', '  domains: [a.example]')}---\n${spec}  profiles: [base]\n`,
    gives: ['HW1324 -:6:3 «domains»'],
    says: 'belongs to each Site, not to a SiteProfile',
  },
  {
    name: 'an id in a profile',
    text: `${profile('base').replace('  name: base', '  name: base\n  id: abc')}---\n${spec}  profiles: [base]\n`,
    gives: ['HW1324 -:5:3 «id»'],
  },
  {
    name: 'a misspelt field in a profile',
    text: `${profile('base', '  cahcing: {}')}---\n${spec}  profiles: [base]\n`,
    gives: ['HW1201 -:6:3 «cahcing»'],
    says: 'Did you mean `caching`?',
  },
  { name: 'null where nothing can be shared', text: `${spec}  primaryDomain: null\n`, gives: ['HW1203 -:5:18 «null»'] },
  {
    name: 'null in a list',
    text: `${spec}  caching: { cookieVaryParameters: [null] }\n`,
    gives: ['HW1203 -:5:37 «null»'],
  },
  {
    name: 'null for a name that nobody knows',
    text: `${spec}  caching: { smartCash: null }\n`,
    gives: ['HW1201 -:5:14 «smartCash»'],
  },
  { name: 'one name for a list of profiles', text: `${spec}  profiles: base\n`, gives: ['HW1203 -:5:13 «base»'] },
  {
    name: 'a reference to what nobody declares',
    text: `${spec}  domains: [{ hostname: a.nl, registration: { ref: DomainRegistration/b.nl } }]\n`,
    gives: ['HW1331 -:5:52 «DomainRegistration/b.nl»'],
    says: 'There is no `DomainRegistration/b.nl`. There is no `DomainRegistration` among the manifests that were read.',
  },
  {
    name: 'a slip in a reference',
    text: `${spec}  domains: [www.shop.nl]\n---\n${registration('shop.nl', serversOf('Site/shop/SiteDomain/wwww.shop.nl'))}`,
    gives: ['HW1331 -:10:29 «Site/shop/SiteDomain/wwww.shop.nl»'],
    says: 'Did you mean `Site/shop/SiteDomain/www.shop.nl`?',
  },
  {
    name: 'a reference to no kind',
    text: registration('a.nl', serversOf('Shop/shop')),
    gives: ['HW1331 -:4:29 «Shop/shop»'],
    says: 'There is no `Shop` among',
  },
  {
    name: 'a contact that is not there',
    text: `${contact}${registration('a.nl', 'contacts: { owner: { ref: Contact/acne } }')}`,
    gives: ['HW1331 -:9:35 «Contact/acne»'],
    says: 'Contact/acme',
  },
  {
    name: 'a contact that nobody names',
    text: `${contact}${site('shop')}`,
    gives: ['HW1337 -:3:19 «acme»'],
    says: 'No manifest that was read names this Contact.',
  },
  {
    name: 'an output that is not there',
    text: `${spec}  domains: [shop.nl]\n---\n${registration('shop.nl', serversOf('Site/shop/SiteDomain/shop.nl', 'servers'))}`,
    gives: ['HW1332 -:10:67 «servers»'],
    says: 'a SiteDomain has `nameservers`.',
  },
  {
    name: 'an output of what has none',
    text: `${named}spec: {}\n---\n${registration('shop.nl', serversOf('Site/shop'))}`,
    gives: ['HW1332 -:9:48 «nameservers»'],
    says: 'a Site has no values that others can take.',
  },
  {
    name: 'a circle of references',
    text: `${registration('a.nl', serversOf('DomainRegistration/b.nl/RegistrationNameservers'))}---\n${registration('b.nl', serversOf('DomainRegistration/a.nl/RegistrationNameservers'))}`,
    gives: [
      'HW1333 -:4:29 «DomainRegistration/b.nl/RegistrationNameservers»',
      'HW1332 -:4:86 «nameservers»',
      'HW1332 -:9:86 «nameservers»',
    ],
    says: 'Each of these waits for the next: `DomainRegistration/a.nl/RegistrationNameservers`, `DomainRegistration/b.nl/RegistrationNameservers`, `DomainRegistration/a.nl/RegistrationNameservers`.',
  },
  {
    name: 'a reference to itself',
    text: registration('a.nl', serversOf('DomainRegistration/a.nl/RegistrationNameservers')),
    gives: ['HW1334 -:4:29 «DomainRegistration/a.nl/RegistrationNameservers»', 'HW1332 -:4:86 «nameservers»'],
  },
  {
    name: 'an output of plain data',
    text: `${contact}${registration('a.nl', serversOf('Contact/acme', 'email'))}`,
    gives: ['HW1335 -:9:43 «output»'],
    says: '`Contact/acme` is plain data and is taken whole.',
  },
  {
    name: 'a reference to a profile',
    text: `${profile('base')}---\n${spec}  profiles: [base]\n---\n${registration('a.nl', serversOf('SiteProfile/base'))}`,
    gives: ['HW1336 -:17:29 «SiteProfile/base»'],
    says: 'is a profile',
  },
  {
    name: 'a workspace among manifests',
    text: 'apiVersion: hostwright/v1\nkind: Workspace\nspec: {}\n',
    gives: ['HW1010 -:2:7 «Workspace»'],
  },
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

describe('texts', () => {
  test.each(textCases)('$name', async ({ text, gives, says }) => {
    const { diagnostics, collections } = await readText(text);
    expect(diagnostics.map(brief)).toEqual(gives);
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

interface FileCase {
  readonly name: string;
  readonly files: Files;
  readonly paths?: readonly string[];
  readonly gives: readonly string[];
  readonly says?: string;
}

const fileCases: readonly FileCase[] = [
  {
    name: 'a file that is not there',
    files: {},
    paths: ['nowhere.yaml'],
    gives: ['HW1001'],
    says: '`nowhere.yaml` cannot be read: there is no such file or folder.',
  },
  {
    name: 'a path through a file',
    files: { 'a.yaml': site('a') },
    paths: ['a.yaml/b.yaml'],
    gives: ['HW1001'],
    says: 'not a folder',
  },
  {
    name: 'a link that goes round',
    files: { 'a.yaml': { link: 'a.yaml' } },
    paths: ['a.yaml'],
    gives: ['HW1001'],
    says: 'in a circle',
  },
  {
    name: 'a folder without manifests',
    files: { 'readme.md': '' },
    gives: ['HW1002'],
    says: 'The folder `.` holds no',
  },
  {
    name: 'a glob without matches',
    files: {},
    paths: ['sites/*.yaml'],
    gives: ['HW1002'],
    says: 'Nothing matches `sites/*.yaml`.',
  },
  { name: 'only foreign documents', files: { 'a.yaml': 'a: 1\n' }, gives: ['HW1002', 'HW1007 a.yaml:1:1'] },
  { name: 'a file that is too large', files: { 'a.yaml': '#'.repeat(16 * 1024 * 1024 + 1) }, gives: ['HW1003'] },
  {
    name: 'bytes that are not UTF-8',
    files: { 'a.yaml': new Uint8Array([0x61, 0x0a, 0xff, 0x0a]) },
    gives: ['HW1004 a.yaml:2:1'],
    says: 'on line 2',
  },
  {
    name: 'UTF-16',
    files: { 'a.yaml': new Uint8Array([0xff, 0xfe, 0x61, 0x00]) },
    gives: ['HW1004 a.yaml:1:1'],
    says: 'UTF-16',
  },
  { name: 'a link out of the workspace', files: { 'a.yaml': { link: '/etc/hostname' } }, gives: ['HW1005'] },
  {
    name: 'the same link, named',
    files: { 'a.yaml': { link: '/etc/hostname' } },
    paths: ['a.yaml'],
    gives: ['HW1005'],
  },
  { name: 'an empty file beside others', files: { 'a.yaml': site('a'), 'b.yaml': '\n' }, gives: ['HW1006 b.yaml:1:1'] },
  {
    name: 'foreign documents beside ours',
    files: { 'a.yaml': `${site('a')}---\na: 1\n---\nb: 2\n` },
    gives: ['HW1007 a.yaml:1:1'],
    says: 'are no manifests: 2.',
  },
  {
    name: "a file that is nobody's to read",
    files: { '.git/config': '[core]\n' },
    paths: ['.git/config'],
    gives: ['HW1015'],
  },
  { name: 'standard input where there is none', files: {}, paths: ['-'], gives: ['HW1009'] },
];

describe('files', () => {
  test.each(fileCases)('$name', async ({ files, paths, gives, says }) => {
    const { diagnostics } = await readFrom(files, paths);
    expect(diagnostics.map(brief)).toEqual(gives);
    if (says !== undefined) expect(diagnostics[0]?.detail).toContain(says);
  });

  test('too many mistakes in one document', async () => {
    const junk = Array.from({ length: 40_000 }, (_, index) => `  junk${index}: 1`).join('\n');
    const { diagnostics } = await readText(site('shop', junk));
    expect(diagnostics).toHaveLength(101);
    const rest = diagnostics.filter(({ code }) => code === 'HW1214');
    expect(rest.map(({ detail }) => detail)).toEqual([
      'And 39,900 more in this document. Correct those that are shown, then run again.',
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
      `And ${left} more in this file. Correct those that are shown, then run again.`,
    ]);
  });

  test('what is an error is told before what is not', async () => {
    const idle = Array.from({ length: 200 }, (_, index) => site(`s${index}`, '  unlisted: { domains: remove }'));
    const { diagnostics } = await readText([...idle, site('shop', '  junk: 1')].join('---\n'));
    expect(diagnostics).toHaveLength(101);
    expect(diagnostics.map(({ code }) => code)).toContain('HW1201');
  });
});

interface WorkspaceCase {
  readonly name: string;
  readonly spec?: string;
  readonly files?: Files;
  readonly overrides?: { readonly account?: string; readonly baseUrl?: string };
  readonly gives: readonly string[];
}

const sound = '  account: acc-1\n  baseUrl: https://api.example.com\n';
const workspaceCases: readonly WorkspaceCase[] = [
  { name: 'no file', files: {}, gives: ['HW6001'] },
  {
    name: 'plain http',
    spec: '  account: a\n  baseUrl: http://api.example.com\n',
    gives: ['HW6002 hostwright.yaml:5:12 «http://api.example.com»'],
  },
  {
    name: 'a URL that ends in /api',
    spec: '  account: a\n  baseUrl: https://x.example/api/\n',
    gives: ['HW6002 hostwright.yaml:5:12 «https://x.example/api/»'],
  },
  { name: 'plain http by a flag', spec: sound, overrides: { baseUrl: 'http://10.0.0.1' }, gives: ['HW6002'] },
  {
    name: 'a ledger elsewhere',
    spec: `${sound}  ledger: { file: ../ledger.jsonl }\n`,
    gives: ['HW6003 hostwright.yaml:6:19 «../ledger.jsonl»'],
  },
  {
    name: 'an absolute ledger',
    spec: `${sound}  ledger: { file: /tmp/ledger.jsonl }\n`,
    gives: ['HW6003 hostwright.yaml:6:19 «/tmp/ledger.jsonl»'],
  },
  {
    name: 'secrets elsewhere',
    spec: `${sound}  secrets: { files: [a, a/../../b] }\n`,
    gives: ['HW6003 hostwright.yaml:6:25 «a/../../b»'],
  },
  {
    name: 'a reserved name',
    spec: `${sound}  secrets: { env: [OK, HOSTWRIGHT_TOKEN] }\n`,
    gives: ['HW6004 hostwright.yaml:6:24 «HOSTWRIGHT_TOKEN»'],
  },
  {
    name: 'a shared folder outside of any repository',
    spec: `${sound}  shared: [../shared]\n`,
    gives: ['HW6010 hostwright.yaml:6:12 «../shared»'],
  },
  { name: 'a token', spec: `${sound}  apiToken: abc123\n`, gives: ['HW6005 hostwright.yaml:6:3 «apiToken»'] },
  {
    name: 'two documents',
    files: { 'hostwright.yaml': `apiVersion: hostwright/v1\nkind: Workspace\nspec: {}\n---\n${site('a')}` },
    gives: ['HW6006 hostwright.yaml:5:1 «apiVersion: hostwright/v1»'],
  },
  { name: 'an empty file', files: { 'hostwright.yaml': '' }, gives: ['HW6006'] },
  { name: 'no account', spec: '  baseUrl: https://api.example.com\n', gives: ['HW6007 hostwright.yaml:3:1 «spec»'] },
  { name: 'no base URL', spec: '  account: a\n', gives: ['HW6008 hostwright.yaml:3:1 «spec»'] },
  { name: 'no account that can be one', spec: sound, overrides: { account: 'a\nb' }, gives: ['HW6009'] },
  { name: 'no globs', spec: `${sound}  manifests: []\n`, gives: ['HW1209 hostwright.yaml:6:14 «[]»'] },
  {
    name: 'a ledger in two places',
    spec: `${sound}  ledger: { file: a, git: {} }\n`,
    gives: ['HW6020 hostwright.yaml:6:3 «ledger»'],
  },
  {
    name: 'a ledger on a server without encryption',
    spec: `${sound}  ledger: { http: { address: "http://state.example/a" } }\n`,
    gives: ['HW6021 hostwright.yaml:6:30 «"http://state.example/a"»'],
  },
];

describe('the workspace file', () => {
  test.each(workspaceCases)('$name', async ({ spec: lines, files, overrides = {}, gives }) => {
    const written = files ?? { 'hostwright.yaml': `apiVersion: hostwright/v1\nkind: Workspace\nspec:\n${lines}` };
    const { workspace, diagnostics } = await inFolder(written, (cwd) => loadWorkspace({ cwd, overrides }));
    expect(diagnostics.map(brief)).toEqual(gives);
    expect(workspace).toBeUndefined();
  });
});

type Edit = readonly [from: string | RegExp, to: string];
/** Nothing has to be done; or the test that does what it says. */
type Elsewhere = { readonly outside: string } | { readonly tried: string };
const WHOLE = /^[^]+$/;
const HERE = 'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n';
const one: Files = { 'a.yaml': site('a') };
const servers = '[ns1.example.net, ns2.example.net]';

/** What each remedy says, done to the letter in a case from above: the text, the files or the workspace after it. */
const MENDED: Readonly<
  Partial<
    Record<
      Code,
      | Elsewhere
      | readonly [name: string, ...edits: Edit[]]
      | { readonly name: string; readonly files?: Files; readonly paths?: readonly string[]; readonly spec?: string }
    >
  >
> = {
  HW1001: { name: 'a file that is not there', files: one, paths: ['a.yaml'] },
  HW1002: { name: 'a folder without manifests', files: one },
  HW1003: { name: 'a file that is too large', files: { ...one, 'b.yaml': site('b') } },
  HW1004: { name: 'UTF-16', files: one },
  HW1005: { name: 'a link out of the workspace', files: one },
  HW1006: { name: 'an empty file beside others', files: one },
  HW1007: { outside: 'nothing has to be done' },
  HW1008: ['a foreign document that was named', [WHOLE, site('shop')]],
  HW1009: { name: 'standard input where there is none', files: one, paths: ['a.yaml'] },
  HW1010: ['a workspace among manifests', [WHOLE, site('shop')]],
  HW1011: { tried: 'sessions/commands/shared-folders.test.ts' },
  HW1015: { name: "a file that is nobody's to read", files: one, paths: ['a.yaml'] },
  HW1016: { tried: 'cli/private-files.test.ts' },
  HW1017: { tried: 'sessions/commands/observed.test.ts' },
  HW1018: { tried: 'sessions/commands/observed.test.ts' },
  HW6661: { tried: 'sessions/commands/shared-folders.test.ts' },
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
  HW1209: ['mail: more addresses to sign in from than fit', [', 192.0.2.20', '']],
  HW1210: ['an unknown apiVersion', ['hostwrigth', 'hostwright']],
  HW1211: ['a newer apiVersion', [WHOLE, site('shop')]],
  HW1212: ['a misspelt kind', ['kind: Sites', 'kind: Site\nspec: {}']],
  HW1214: { outside: 'it only says that there are more of the others' },
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
  HW1310: { outside: 'nothing has to be done' },
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
  HW1340: ['mail: an alias of an alias', ['A@Example.com', 'x@example.com']],
  HW1341: ['a rename of what keeps its name', [', renamedFrom: a.example', '']],
  HW1401: { tried: 'manifest/secrets.test.ts' },
  HW1402: { tried: 'manifest/secrets.test.ts' },
  HW1403: { tried: 'manifest/secrets.test.ts' },
  HW1404: { tried: 'manifest/secrets.test.ts' },
  HW1405: { tried: 'sessions/user/users.test.ts' },
  HW1406: { tried: 'sessions/user/users.test.ts' },
  HW1410: { tried: 'cli/credentials.test.ts' },
  HW1411: { tried: 'cli/credentials.test.ts' },
  HW1460: { tried: 'manifest/secrets.test.ts' },
  HW1501: { tried: 'constructs/advice.test.ts' },
  HW1502: { tried: 'constructs/advice.test.ts' },
  HW1503: { tried: 'constructs/advice.test.ts' },
  HW1504: { tried: 'constructs/advice.test.ts' },
  HW1505: { tried: 'constructs/advice.test.ts' },
  HW1506: { tried: 'constructs/credentials.test.ts' },
  HW1507: { tried: 'constructs/advice.test.ts' },
  HW1508: { tried: 'constructs/advice.test.ts' },
  HW1509: { tried: 'constructs/advice.test.ts' },
  HW1510: { tried: 'constructs/advice.test.ts' },
  HW1511: { tried: 'constructs/advice.test.ts' },
  HW1512: { tried: 'constructs/advice.test.ts' },
  HW1513: { tried: 'constructs/advice.test.ts' },
  HW1514: { tried: 'constructs/advice.test.ts' },
  HW1520: { tried: 'constructs/advice.test.ts' },
  HW1521: { tried: 'constructs/advice.test.ts' },
  HW1522: { tried: 'constructs/advice.test.ts' },
  HW1523: { tried: 'constructs/advice.test.ts' },
  HW1524: { tried: 'constructs/advice.test.ts' },
  HW1525: { tried: 'constructs/advice.test.ts' },
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
  HW2721: { tried: 'sessions/commands/trace.test.ts' },
  HW2722: { tried: 'sessions/commands/trace.test.ts' },
  HW6001: { name: 'no file', spec: sound },
  HW6002: { name: 'plain http', spec: sound },
  HW6003: { name: 'a ledger elsewhere', spec: `${sound}  ledger: { file: ledger.jsonl }\n` },
  HW6004: { name: 'a reserved name', spec: `${sound}  secrets: { env: [OK, SHOP_TOKEN] }\n` },
  HW6005: { name: 'a token', spec: sound },
  HW6006: { name: 'two documents', spec: sound },
  HW6007: { name: 'no account', spec: sound },
  HW6008: { name: 'no base URL', spec: sound },
  HW6009: { name: 'no account that can be one', spec: sound },
  HW6010: { tried: 'sessions/commands/shared-folders.test.ts' },
  HW6020: { name: 'a ledger in two places', spec: `${sound}  ledger: { git: {} }\n` },
  HW6021: {
    name: 'a ledger on a server without encryption',
    spec: `${sound}  ledger: { http: { address: "https://state.example/a" } }\n`,
  },
  HW6022: { tried: 'constructs/advice.test.ts' },
  HW6030: { tried: 'cli/credentials.test.ts' },
  HW6031: { tried: 'cli/credentials.test.ts' },
  HW6032: { tried: 'cli/credentials.test.ts' },
  HW6033: { tried: 'cli/credentials.test.ts' },
  HW6034: { tried: 'cli/credentials.test.ts' },
  HW6035: { tried: 'cli/credentials.test.ts' },
};

describe('the remedy of each code', () => {
  /** The last place: the one that a problem is about. */
  const mend = (text: string, [from, to]: Edit): string => {
    if (typeof from !== 'string') return text.replace(from, to);
    const at = text.lastIndexOf(from);
    expect(at, from).not.toBe(-1);
    return `${text.slice(0, at)}${to}${text.slice(at + from.length)}`;
  };
  const tried = Object.entries(MENDED).filter(([, row]) => !('outside' in row || 'tried' in row));

  test.each(tried)('%s helps, and brings nothing new', async (code, row) => {
    const codesOf = (diagnostics: readonly Diagnostic[]) => diagnostics.map((diagnostic) => diagnostic.code as string);
    if ('outside' in row || 'tried' in row) return;
    const name = 'name' in row ? row.name : row[0];
    const before = [...textCases, ...fileCases, ...workspaceCases].find((each) => each.name === name)?.gives ?? [];
    expect(before.map((text) => text.slice(0, 6))).toContain(code);
    let after: readonly Diagnostic[];
    if (!('name' in row)) {
      const [, ...edits] = row;
      after = (await readText(edits.reduce(mend, textCases.find((each) => each.name === name)?.text ?? '')))
        .diagnostics;
    } else if (row.spec === undefined) after = (await readFrom(row.files ?? {}, row.paths)).diagnostics;
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
    const elsewhere = Object.entries(MENDED).flatMap(([code, row]) =>
      'tried' in row ? [[code, row.tried] as const] : [],
    );
    for (const [code, file] of elsewhere)
      expect(await readFile(path.join(import.meta.dirname, '..', file), 'utf8'), file).toContain(code);
  });
});

describe('all codes with a remedy', () => {
  const entries = Object.entries<Entry>(CODES).filter(([, { remedy }]) => remedy !== undefined);

  test('have a row above', () => {
    expect(Object.keys(MENDED).sort()).toEqual(entries.map(([code]) => code));
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
    const all: Diagnostic[] = [];
    for (const { text } of textCases) all.push(...(await readText(text)).diagnostics);
    for (const { detail, frame } of all) {
      expect(detail).toMatch(/^[A-Z`].*\.$/);
      expect(`${detail}${frame}`).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    }
  });
});
