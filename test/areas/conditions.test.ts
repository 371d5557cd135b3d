// Whether a request meets the conditions of a rule: yes, no, or what it would take to know.
import { expect, it } from 'vitest';
import { holds } from '../../src/areas/common/conditions.ts';
import type { Trigger } from '../../src/areas/common/conditions.ts';
import type { TracedRequest } from '../../src/model/plan/trace.ts';
import { matching } from '../support/matchers.ts';

const url = new URL('https://shop.example.com/Images/a.JPG?preview=1');
const umlauts = { url: new URL('https://b\u00fccher.example.com/stra\u00dfe%201%FF') };
const known: TracedRequest = {
  url,
  method: 'GET',
  country: 'NL',
  ip: '192.0.2.7',
  headers: { 'user-agent': 'curl/8' },
  cookies: { session: 'abc' },
};
const one = (type: string, patterns: readonly string[], more: Partial<Trigger> = {}) => ({
  triggers: [{ type, patterns, ...more }],
});

it.each<[string, ReturnType<typeof one>, unknown]>([
  ['a path', one('Url', ['/Images/*']), true],
  ['another path', one('Url', ['/css/*']), false],
  ['a whole address', one('Url', ['*://shop.example.com/*']), true],
  ['an address without its query (what stands after `?` is left out)', one('Url', ['*preview*']), false],
  ['capitals in a path', one('Url', ['/images/*']), 'whether capitals count in `/images/*`'],
  ['everything, whatever is known', one('Url', ['*']), true],
  ['a Lua pattern', one('Url', ['pattern:/a']), 'what `/a` matches'],
  ['a Lua pattern beside one that matches', one('Url', ['pattern:/a', '/Images/*']), true],
  ['an extension', one('UrlExtension', ['JPG']), true],
  ['an extension in other letters', one('UrlExtension', ['jpg']), 'whether capitals count in `jpg`'],
  ['a query string', one('UrlQueryString', ['*preview=1*']), true],
  ['a country', one('CountryCode', ['NL']), true],
  ['none of some countries', one('CountryCode', ['NL', 'BE'], { match: 'none' }), false],
  ['a header, whatever the letters of its name', one('RequestHeader', ['curl*'], { parameter1: 'User-Agent' }), true],
  ['a header that is not given', one('RequestHeader', ['x'], { parameter1: 'Accept' }), 'the header `Accept`'],
  ['a cookie', one('CookieValue', ['abc'], { parameter1: 'session' }), true],
  ['the address of the visitor', one('RemoteIP', ['192.0.2.7']), true],
  ['a network around it', one('RemoteIP', ['192.0.2.0/24']), 'whether `192.0.2.0/24` is read as a network'],
  ['a network elsewhere', one('RemoteIP', ['198.51.100.0/24']), false],
  ['chance', one('RandomChance', ['50']), 'chance, 50 of 100 requests'],
  ['the status of the origin', one('StatusCode', ['404']), "the origin's answer"],
  ['a type that nobody knows', one('Weather', ['rain']), 'what `Weather` is'],
  ['a number for how many match', { ...one('Url', ['*']), match: 7 } as never, 'what the rule is tried on'],
])('%s', (_name, conditions, expected) => {
  const held = holds(conditions, known);
  expect(typeof held === 'boolean' ? held : held.unknown.join()).toEqual(expected);
});

it.each(['/stra\u00dfe*', '/Stra%c3%9fe*', '*://b\u00fccher.example.com/*', '/stra\u00dfe 1*'])(
  'whether %s is held against codes of characters or against what people read is not known',
  (pattern) => {
    const held = holds(one('Url', [pattern]), umlauts);
    expect(held).toEqual({ unknown: [matching(/as it is sent|capitals count/)] });
  },
);

it('any, all and none of several: what is unknown counts only where it decides (EDG-03)', () => {
  const [yes, no, unknown] = [
    { type: 'Url', patterns: ['/Images/*'] },
    { type: 'Url', patterns: ['/css/*'] },
    { type: 'CountryCode', patterns: ['NL'] },
  ] as const;
  const tried = (match: string, ...triggers: readonly Trigger[]) => {
    const held = holds({ match, triggers }, { url });
    return typeof held === 'boolean' ? held : 'unknown';
  };
  expect(['any', 'all', 'none'].map((match) => tried(match, yes, unknown))).toEqual([true, 'unknown', false]);
  expect(['any', 'all', 'none'].map((match) => tried(match, no, unknown))).toEqual(['unknown', false, 'unknown']);
  expect(['any', 'all', 'none'].map((match) => tried(match, yes, no))).toEqual([true, false, false]);
  expect(['any', 'all', 'none'].map((match) => tried(match, no))).toEqual([false, false, true]);
});
