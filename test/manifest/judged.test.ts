// What is judged of rules and lists, and beside each the nearest thing that must not warn.
import { describe, expect, test } from 'vitest';
import { registry } from '../../src/areas/index.ts';
import { oddNetworks } from '../../src/areas/common/networks.ts';
import { wrongAsn, wrongCountry } from '../../src/areas/common/countries-and-asns.ts';
import type { JsonObject } from '../../src/model/json.ts';
import { brief, readText } from './support.ts';
import { containing } from '../support/matchers.ts';
import { manifest } from '../support/manifests.ts';

const block = { block: {} };
const to = (address: string) => ({ redirect: { to: address } });
const header = { setResponseHeader: { name: 'X-A', value: 'b' } };
const url = (...patterns: readonly string[]) => ({ url: patterns });

interface Rule {
  readonly triggers: readonly unknown[];
  readonly action: unknown;
  readonly match?: string;
  readonly enabled?: boolean;
}
const rule = (action: unknown, ...triggers: readonly unknown[]): Rule => ({ triggers, action });
const all = (one: Rule): Rule => ({ ...one, match: 'all' });
const any = (one: Rule): Rule => ({ ...one, match: 'any' });
const none = (one: Rule): Rule => ({ ...one, match: 'none' });

const judged = async (spec: object): Promise<readonly string[]> => {
  const { diagnostics } = await readText(manifest('Site', 'shop', spec));
  expect(diagnostics.filter(({ severity }) => severity === 'error').map(brief)).toEqual([]);
  return diagnostics.filter(({ severity }) => severity === 'warning').map(({ code }) => code);
};
const ofRules = (rules: readonly Rule[], more: object = {}) =>
  judged({ ...more, edgeRules: rules.map((one, index) => ({ name: `r${index}`, ...one })) });
const ofShield = (shield: object) => judged({ shield });
const custom = (action: string, value: string, operator = 'contains', variable = 'REQUEST_URI') => ({
  name: `${action} ${value}`,
  action,
  variable,
  operator,
  value,
});

describe('an edge rule after an earlier one', () => {
  const admin = rule(block, url('/admin/*'));
  test.each<[string, Rule, Rule]>([
    ['of which it is a part', admin, rule(to('https://b.nl/'), url('/admin/*', '/admin/a/*'))],
    ['with fewer conditions', admin, all(rule(block, url('/admin/*'), { country: ['NL'] }))],
    ['one of whose conditions it has', any(rule(block, url('/x'), { country: ['NL'] })), all(rule(block, url('/x')))],
    ['that does the same', rule(header, url('/a*', '/b*')), rule(header, url('/b*'))],
    ['without the same', rule(block, { url: { none: ['/a'] } }), rule(block, { url: { none: ['/a'] } })],
  ])('%s', async (_name, first, second) => {
    expect(await ofRules([first, second])).toEqual(['HW2701']);
    expect(await ofRules([{ ...first, enabled: false }, second])).toEqual([]);
  });
  test.each<[string, Rule, Rule]>([
    ['narrower', rule(block, url('/admin/a/*')), admin],
    ['with more conditions', all(rule(block, url('/admin/*'), { country: ['NL'] })), admin],
    ['about another type', rule(block, { country: ['NL'] }), admin],
    ['by chance', rule(to('https://b.nl/'), { random: { percent: 50 } }), rule(block, { random: { percent: 50 } })],
    ['in Lua', rule(block, url('pattern:/a*')), rule(block, url('pattern:/a/b'))],
    ['that adds to an answer', admin, rule(header, url('/admin/*'))],
    [
      'that sets another header',
      rule(header, url('*')),
      rule({ setResponseHeader: { name: 'X-C', value: 'd' } }, url('*')),
    ],
    ['that asks for none', admin, { ...rule(block, url('/admin/*')), match: 'none' }],
  ])('not one %s', async (_name, first, second) => expect(await ofRules([first, second])).toEqual([]));
});

describe('a rule for everything', () => {
  test.each<[string, Rule]>([
    ['by a pattern', rule(block, url('/a', '*'))],
    ['by all of them', all(rule(to('https://b.nl/'), url('/*'), { random: { percent: 100 } }))],
  ])('%s', async (_name, one) => expect(await ofRules([one])).toEqual(['HW2702']));
  test.each<[string, Rule]>([
    ['within a country', all(rule(block, url('*'), { country: ['NL'] }))],
    ['that is off', { ...rule(block, url('*')), enabled: false }],
    ['that only forces TLS', rule({ forceSsl: {} }, url('*'))],
    ['of one host', rule(to('https://b.nl/'), url('*://a.nl/*'))],
  ])('not one %s', async (_name, one) => expect(await ofRules([one])).toEqual([]));
});

describe('conditions on one variable, taken together', () => {
  const except = (...countries: readonly string[]) => ({ country: { none: countries } });
  const only = (...countries: readonly string[]) => ({ country: countries });
  test.each<[string, Rule]>([
    ['two exceptions without a common value', any(rule(block, except('NL', 'BE'), except('AT', 'CH')))],
    ['the same without match', rule(block, except('NL', 'BE'), except('AT', 'CH'))],
    ['an exception and its values', any(rule(block, except('NL'), only('NL', 'BE')))],
    ['methods', any(rule(block, { method: { none: ['GET'] } }, { method: { none: ['POST'] } }))],
    ['addresses', any(rule(block, { remoteIp: { none: ['192.0.2.1'] } }, { remoteIp: { none: ['192.0.2.2'] } }))],
  ])('match everything: %s', async (_name, one) => expect(await ofRules([one])).toEqual(['HW2702']));
  test.each<[string, Rule]>([
    ['two different values', all(rule(block, only('NL'), only('BE')))],
    ['a value and its exception', all(rule(block, only('NL'), except('NL', 'BE')))],
    ['all of two values', all(rule(block, { country: { all: ['NL', 'BE'] } }))],
    ['none of everything', none(rule(block, except('NL'), except('BE')))],
  ])('match nothing: %s', async (_name, one) => expect(await ofRules([one])).toEqual(['HW2704']));
  test.each<[string, Rule]>([
    ['two exceptions with a common value', any(rule(block, except('NL', 'BE'), except('BE', 'CH')))],
    ['both exceptions', all(rule(block, except('NL', 'BE'), except('AT', 'CH')))],
    ['either value', any(rule(block, only('NL'), only('BE')))],
    ['values of different variables', all(rule(block, only('NL'), { method: ['POST'] }))],
    [
      'two addresses of one network',
      any(rule(block, { remoteIp: { none: ['192.0.2.0/24'] } }, { remoteIp: { none: ['192.0.2.2'] } })),
    ],
    ['patterns', any(rule(block, { extension: { none: ['p*'] } }, { extension: { none: ['jpg'] } }))],
  ])('match a part: %s', async (_name, one) => expect(await ofRules([one])).toEqual([]));
});

test('triggers of several kinds need an explicit match', async () => {
  const mixed = rule(block, url('/admin/*'), { country: ['KP'] });
  expect(await ofRules([mixed])).toEqual(['HW2713']);
  for (const one of [all(mixed), any(mixed), none(mixed), rule(block, url('/a'), url('/b'))])
    expect(await ofRules([one])).toEqual([]);
});

test('entries of access lists are checked against the type of their list', async () => {
  const of = (type: string, content: string | readonly string[]) =>
    ofShield({ accessLists: [{ name: 'l', type, content }] });
  const malformed = [
    '203.0.113.300',
    'example.com',
    '203.0.113.1-203.0.113.9',
    '2001:db8::zz',
    '203.0.113.009',
    '10.0.0.0 /8',
    '203.0.113.0/33',
    '203.0.113',
  ];
  for (const entry of malformed) {
    expect(await of('cidr', [entry]), entry).toEqual(['HW2714']);
    expect(await of('ip', [entry]), entry).toEqual(['HW2714']);
  }
  expect(await of('ip', ['203.0.113.0/25'])).toEqual(['HW2714']);
  expect(await of('cidr', ['203.0.113.5/24'])).toEqual(['HW2714']);
  expect(await of('cidr', '# office\n203.0.113.7\n203.0.113.8   # second\n')).toEqual(['HW2714', 'HW2714']);
  expect(await of('country', '# home\nNL\n')).toEqual(['HW2714']);
  expect(await of('organization', ['# home'])).toEqual(['HW2714']);
  for (const right of ['203.0.113.7', '2001:DB8::1', '203.0.113.7/32']) expect(await of('ip', [right])).toEqual([]);
  for (const right of ['203.0.113.0/24', '2001:db8::/32']) expect(await of('cidr', [right])).toEqual([]);
});

test('placeholders of other tools in the target of a redirect', async () => {
  for (const target of ['https://b.nl/:splat', 'https://b.nl/$1'])
    expect(await ofRules([rule(to(target), url('/old/*'))]), target).toEqual(['HW2715']);
  for (const target of ['https://b.nl{{path}}', 'https://b.nl/a:b', 'https://b.nl/%{Url.Path}'])
    expect(await ofRules([rule(to(target), url('/old/*'))]), target).toEqual([]);
});

describe('a redirect to itself', () => {
  const domains = ['a.nl', { hostname: 'www.a.nl' }];
  test.each<[string, Rule]>([
    ['by its path', rule(to('https://www.a.nl/old/b'), url('/old/*'))],
    ['with the path kept', rule(to('https://www.a.nl{{path}}'), url('*'))],
    ['where the visitor stays where he is', all(rule(to('https://a.nl/x'), url('*'), { country: ['NL'] }))],
  ])('%s', async (_name, one) => expect(await ofRules([one], { domains })).toEqual(['HW2703']));
  test.each<[string, Rule]>([
    ['to another host', rule(to('https://b.nl/old/b'), url('/old/*'))],
    ['from another host of the site', rule(to('https://www.a.nl{{path}}'), url('*://a.nl/*'))],
    ['to TLS', rule(to('https://a.nl{{path}}'), url('http://*'))],
    ['that leaves its target out', all(rule(to('https://a.nl/x'), url('*'), { url: { none: ['/x'] } }))],
    ['by another method', all(rule(to('https://a.nl/x'), url('/x'), { method: ['POST'] }))],
    ['by variables that nobody knows', rule(to('https://%{Url.Hostname}/x'), url('/x'))],
  ])('not one %s', async (_name, one) => expect(await ofRules([one], { domains })).toEqual([]));
});

test('patterns that match nothing', async () => {
  const wrong = ['images/*', 'shop.nl/*', 'ftp://*', 'https://a.nl', '*://a.nl'];
  for (const pattern of wrong) expect(await ofRules([rule(block, url(pattern))]), pattern).toEqual(['HW2704']);
  expect(await ofRules([rule(block, { extension: ['JPG'] })])).toEqual(['HW2704']);
  const right = ['/images/*', 'http*', 'https://a.nl/', '*://a.nl/*', '*a.nl/x', 'h*', 'pattern:x', 'https://a.nl*'];
  for (const pattern of right) expect(await ofRules([rule(block, url(pattern))]), pattern).toEqual([]);
  expect(await ofRules([rule(block, { extension: ['jpg'] })])).toEqual([]);
});

test('countries and AS numbers', () => {
  expect(['UK', 'ZZ', 'XX', 'AN', 'SU', 'EZ', 'nl'].filter((code) => wrongCountry(code) === undefined)).toEqual([]);
  expect(['NL', 'GB', 'XK', 'EU', 'TW', 'AQ'].filter((code) => wrongCountry(code) !== undefined)).toEqual([]);
  const reserved = ['AS0', 'AS23456', 'AS64496', 'AS65535', 'AS131071', 'AS4200000000', 'AS4294967296', 'x'];
  expect(reserved.filter((text) => wrongAsn(text) === undefined)).toEqual([]);
  expect(['AS1', 'AS64495', 'AS131072', 'AS4199999999'].filter((text) => wrongAsn(text) !== undefined)).toEqual([]);
});

test('networks', () => {
  const none = { inside: [], everything: [], hidden: [] };
  expect(oddNetworks(['192.0.2.0/25', '192.0.2.128/25', '2001:db8::/32', '::1.2.3.4', 'x', '1', '10.0.0.0/7'])).toEqual(
    none,
  );
  expect(oddNetworks(['2001:db8:1::/48', '192.0.2.7', '192.0.2.0/24', '2001:db8::/32', '192.0.2.0/28'])).toEqual({
    ...none,
    inside: [
      ['2001:db8:1::/48', '2001:db8::/32'],
      ['192.0.2.0/28', '192.0.2.0/24'],
      ['192.0.2.7', '192.0.2.0/28'],
    ],
  });
  // What is inside of everything is no news.
  expect(oddNetworks(['0.0.0.0/0', '192.0.2.1', '::/0'])).toEqual({ ...none, everything: ['0.0.0.0/0', '::/0'] });
  const hidden = ['10.0.0.0/8', '127.0.0.1', '169.254.1.1', '172.16.0.0/12', '192.168.1.1', 'fd00::/8', 'fe80::1'];
  expect(new Set(oddNetworks(hidden).hidden)).toEqual(new Set(hidden));
});

test('a cache time', async () => {
  const off = { cacheTime: { seconds: 0 } };
  const caching = { cacheExpiration: 60, browserCacheExpiration: 60 };
  expect(await ofRules([rule(off, url('*'))], { caching })).toEqual(['HW2710']);
  expect(await ofRules([rule({ browserCacheTime: { seconds: 0 } }, url('*'))], { caching })).toEqual(['HW2710']);
  expect(await ofRules([rule(off, url('/account/*'))], { caching })).toEqual([]);
  expect(await ofRules([rule(off, url('*'))], { caching: { cacheExpiration: -1 } })).toEqual([]);
  expect(await ofRules([rule({ cacheTime: { seconds: 5 } }, url('*'))], { caching })).toEqual([]);
});

describe('custom rules of Shield', () => {
  const address = custom('block', '192.0.2.1', 'strEq', 'REMOTE_ADDR');
  const country = { ...custom('challenge', 'NL', 'strEq', 'GEO'), subselector: 'COUNTRY_CODE' };
  const lists = [
    { name: 'a', type: 'cidr', content: '192.0.2.1/32' },
    { name: 'c', type: 'country', content: ['nl'] },
  ];
  test.each<[string, object, readonly string[]]>([
    ['a part of an earlier block', { customRules: [custom('block', '/a'), custom('challenge', '/ab')] }, ['HW2701']],
    ['the opposite', { customRules: [custom('block', '/a'), custom('allow', '/a')] }, ['HW2701']],
    ['an exception', { customRules: [custom('block', '/a'), custom('allow', '/a/b')] }, []],
    ['a log before a block', { customRules: [custom('log', '/a'), custom('block', '/a')] }, []],
    ['the wider after the narrower', { customRules: [custom('block', '/ab'), custom('block', '/a')] }, []],
    ['another operator', { customRules: [custom('block', '/a', 'rx'), custom('block', '/ab', 'rx')] }, []],
    ['everything', { customRules: [custom('block', '/', 'beginsWith')] }, ['HW2702']],
    ['everything, written down', { customRules: [custom('log', '/', 'beginsWith')] }, []],
    ['what a list names', { customRules: [address, country], accessLists: lists }, ['HW2711', 'HW2711']],
    ['a country that is not one', { customRules: [{ ...country, value: 'UK' }] }, ['HW2705']],
    ['a private address', { customRules: [{ ...address, value: '10.0.0.1' }] }, ['HW2709']],
    ['no path', { customRules: [custom('block', 'admin', 'beginsWith')] }, ['HW2704']],
    ['a part of a path', { customRules: [custom('block', 'admin')] }, []],
    ['what a list does not', { customRules: [{ ...address, value: '192.0.2.2' }], accessLists: lists }, []],
    ['what both let through', { customRules: [{ ...address, action: 'allow' }], accessLists: lists }, []],
  ])('%s', async (_name, shield, codes) => expect(await ofShield(shield)).toEqual(codes));
});

test('rate limits', async () => {
  const login = { variable: 'REQUEST_URI', operator: 'contains', value: '/login' };
  const limit = { action: 'block', requestCount: 5, timeframe: 10, conditions: [login] };
  const named = (name: string, more: object = {}) => ({ name, ...limit, ...more });
  const twice = [named('a'), named('b', { description: 'again' })];
  expect(await ofShield({ rateLimits: twice })).toEqual(['HW2701']);
  expect(await ofShield({ rateLimits: [named('a'), named('b', { timeframe: 60 })] })).toEqual([]);
  const away = { variable: 'GEO', subselector: 'COUNTRY_CODE', operator: 'strEq', value: 'UK' };
  expect(await ofShield({ rateLimits: [named('a', { conditions: [login, away] })] })).toEqual(['HW2705']);
});

describe('accepted in place', () => {
  const accept = (code: string) => ({ accept: [{ code, reason: 'It is meant.' }] });
  const closed = rule(block, url('*'));
  test('a warning is not given, and another one is', async () => {
    expect(await ofRules([{ ...closed, ...accept('HW2702') }])).toEqual([]);
    expect(await ofRules([{ ...any(rule(block, url('*'), { country: ['UK'] })), ...accept('HW2702') }])).toEqual([
      'HW2705',
    ]);
    const lists = [{ name: 'l', type: 'ip', content: ['10.0.0.1'], ...accept('HW2709') }];
    expect(await ofShield({ accessLists: lists })).toEqual([]);
  });
  test('what is needless is told, not of a rule that is off', async () => {
    expect(await ofRules([{ ...closed, ...accept('HW2701') }])).toEqual(['HW2702', 'HW2712']);
    expect(await ofRules([{ ...closed, enabled: false, ...accept('HW2702') }])).toEqual([]);
    expect(await ofRules([closed, { ...rule(header, url('/a')), ...accept('HW2702') }])).toEqual(['HW2702', 'HW2712']);
  });
  test('a code that is none, and a missing reason, are errors; no acceptance is part of what is wanted', async () => {
    const read = (given: object) =>
      readText(manifest('Site', 'shop', { edgeRules: [{ name: 'a', ...closed, ...given }] }));
    const codes = async (given: object) => (await read(given)).diagnostics.map(({ code }) => code);
    expect(await codes(accept('HW2799'))).toEqual(['HW1204']);
    expect(await codes({ accept: [{ code: 'HW2702' }] })).toEqual(['HW1202']);
    const { collections } = await read(accept('HW2702'));
    const [member] = collections.find(({ kind }) => kind === 'EdgeRule')?.members ?? [];
    expect(Object.keys(member?.spec ?? {})).toEqual(['name', 'triggers', 'action']);
  });
});

test('of a list with many the first is told, with how many there are', async () => {
  const content = Array.from({ length: 100 }, (_, index) => `198.51.100.${index}`);
  const spec: JsonObject = {
    shield: { accessLists: [{ name: 'l', type: 'cidr', content: [...content, '198.51.100.0/24'] }] },
  };
  const { diagnostics } = await readText(manifest('Site', 'shop', spec));
  expect(diagnostics.map(({ detail }) => detail)).toEqual([containing('and 99 more')]);
});

test('the work for thousands of rules grows with their number', () => {
  const rules = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      name: `r${index}`,
      match: 'all',
      triggers: [
        { url: [`*://shop.example.com/products/${index}/*`, `/p/${index}`] },
        { country: ['NL', 'BE'] },
        { remoteIp: [`198.51.${index % 256}.${index >> 8}`] },
      ],
      action: to(`https://shop.example.com/new/${index}`),
    }));
  const lint = registry.get('EdgeRule')?.section.lint;
  const cpuOf = (count: number): number => {
    const spec = { domains: ['shop.example.com'], edgeRules: rules(count) };
    const before = process.cpuUsage();
    expect(lint?.(spec)).toEqual([]);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  cpuOf(1000);
  const least = (count: number): number => Math.min(...Array.from({ length: 3 }, () => cpuOf(count)));
  // Comparing each with each would take sixteen times as long.
  expect(least(8000) / least(2000)).toBeLessThan(10);
});
