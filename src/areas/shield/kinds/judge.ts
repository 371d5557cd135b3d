// Rules and lists of Shield that are allowed and hardly meant. In which order Shield tries rules, and what a list does,
// is not documented (SHD-21): what rests on it says so.
import type { Json, JsonObject } from '../../../model/json.ts';
import { canonicalJson, valueAt } from '../../../model/json.ts';
import type { Judgement, Lint } from '../../../model/kind/kind.ts';
import { inThousands } from '../../../model/format.ts';
import type { Conditions } from '../../common/conditions.ts';
import { matchesEverything } from '../../common/conditions.ts';
import { shadowingRules } from '../../common/shadowing.ts';
import { isNetwork, oddNetworks } from '../../common/networks.ts';
import { wrongAsn, wrongCountry } from '../../common/countries-and-asns.ts';
import { canonicalEntries } from './entries.ts';
import { LIST_TYPES, nameIn, OPERATORS, RULE_ACTIONS } from './names.ts';

interface Rule extends Conditions {
  readonly name: string;
  readonly action: string | number | undefined;
  readonly index: number;
}

/** What is odd about the custom rules in the spec of a site. */
export function judgeCustomRules(spec: JsonObject): readonly Lint[] {
  const written = listIn(spec, 'customRules');
  const rules = written.map((rule, index): Rule => ({
    name: JSON.stringify(rule.name),
    action: nameIn(RULE_ACTIONS, rule.action),
    index,
    triggers: [conditionOf(rule)],
  }));
  const earlier = shadowingRules(rules, isPointless);
  const listed = entriesByList(spec);
  return rules.flatMap((rule, index): readonly Lint[] => {
    const pointer = `/shield/customRules/${index}`;
    const value = oddCondition(written[index] as JsonObject, pointer);
    const [one, list] = [earlier[index], stops(rule) ? listed.get(subjectOf(written[index] as JsonObject)) : undefined];
    const says: readonly (readonly [Judgement, string] | false | undefined)[] = [
      one !== undefined && ['HW2701', afterEarlier(rule, one)],
      rule.action === 'block' &&
        matchesEverything(rule) && ['HW2702', `The rule ${rule.name} blocks every request, so nobody sees the site.`],
      list !== undefined && [
        'HW2711',
        `The rule ${rule.name} stops requests that the access list ${JSON.stringify(list)} names as well. What the list does is set in the dashboard. If it lets them through, no document says which of the two counts.`,
      ],
    ];
    return [...says.flatMap((said) => (said ? [{ is: said[0], pointer, what: said[1] }] : [])), ...value];
  });
}

/** What is odd about the rate limits in the spec of a site. */
export function judgeRateLimits(spec: JsonObject): readonly Lint[] {
  const seen = new Map<string, JsonObject>();
  return listIn(spec, 'rateLimits').flatMap((limit, index): readonly Lint[] => {
    const { name, description: _remark, renamedFrom: _former, accept: _accept, ...does } = limit;
    const pointer = `/shield/rateLimits/${index}`;
    const earlier = seen.get(canonicalJson(does));
    seen.set(canonicalJson(does), earlier ?? limit);
    const [one, other] = [JSON.stringify(name), JSON.stringify(earlier?.name)];
    return [
      ...(earlier === undefined || earlier.name === name
        ? []
        : [{ is: 'HW2701', pointer, what: `The rate limit ${other} does the same, so ${one} adds nothing.` } as const]),
      ...((limit.conditions ?? []) as readonly JsonObject[]).flatMap((condition, at) =>
        oddCondition(condition, `${pointer}/conditions/${at}`),
      ),
    ];
  });
}

/** What is odd about the value that a condition compares with. */
function oddCondition(condition: JsonObject, at: string): readonly Lint[] {
  const { variable, operator, value } = condition;
  const compares = nameIn(OPERATORS, operator);
  if (typeof value !== 'string') return [];
  const pointer = `${at}/value`;
  if (variable === 'REQUEST_URI' && (compares === 'strEq' || compares === 'beginsWith') && !/^\/|^$/.test(value))
    return [{ is: 'HW2704', pointer, what: `No path begins with \`${value}\`: write \`/${value}\`.` }];
  if (compares !== 'strEq') return [];
  const [kind, entry = ''] = subjectOf(condition).split(' ');
  const country = kind === 'country' ? wrongCountry(entry) : undefined;
  if (country !== undefined) return [{ is: 'HW2705', pointer, what: `\`${value}\` ${country}.` }];
  if (kind !== 'ip') return [];
  const { everything, hidden } = oddNetworks([entry]);
  return [
    ...everything.map((): Lint => ({ is: 'HW2708', pointer, what: `\`${value}\` holds every visitor.` })),
    ...hidden.map((): Lint => ({ is: 'HW2709', pointer, what: `Nobody comes from \`${value}\` over the internet.` })),
  ];
}

function stops({ action }: Rule): boolean {
  return action === 'block' || action === 'challenge';
}

const AS_PATTERN: Readonly<Record<string, (value: string) => string>> = {
  contains: (value) => `*${value}*`,
  beginsWith: (value) => `${value}*`,
  endsWith: (value) => `*${value}`,
  strEq: (value) => value,
};

/** Its condition as a trigger; the pattern of another operator is like no text. */
export function conditionOf({ variable = '', subselector = '', operator = '', value = '' }: JsonObject) {
  const name = nameIn(OPERATORS, operator) ?? '';
  const text = textOf(value);
  const pattern = text.includes('*') ? undefined : AS_PATTERN[name]?.(text);
  return {
    type: variable as string,
    parameter1: textOf(subselector).toLowerCase(),
    patterns: [pattern ?? `pattern:${name} ${text}`],
  };
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : '';
}

/** Not where one lets through a part of what the other stops: such an exception is what people write. */
function isPointless(earlier: Rule, later: Rule): boolean {
  // One name twice is an error of its own.
  if (earlier.action === undefined || later.action === undefined || earlier.name === later.name) return false;
  if (earlier.action === later.action) return true;
  const isSameCondition = JSON.stringify(earlier.triggers) === JSON.stringify(later.triggers);
  const isWatching = earlier.action === 'log' || later.action === 'log';
  return (earlier.action === 'block' && stops(later)) || (isSameCondition && !isWatching);
}

function afterEarlier({ name, action }: Rule, earlier: Rule): string {
  if (earlier.action === action)
    return `The rule ${earlier.name} does the same for every request that ${name} matches, so ${name} adds nothing.`;
  return `The rules ${earlier.name} (${earlier.action}) and ${name} (${action}) match the same requests. No document says which of the two counts; the other one does nothing.`;
}

/** What a rule is about, as an entry of an access list: one address, or one country. */
function subjectOf({ variable, subselector, operator, value }: JsonObject): string {
  const name = nameIn(OPERATORS, operator);
  if (typeof value !== 'string' || (name !== 'strEq' && name !== 'within')) return '';
  if (variable === 'REMOTE_ADDR') return `ip ${canonicalEntries([value], 'ip').join()}`;
  return variable === 'GEO' && subselector === 'COUNTRY_CODE' ? `country ${value.trim().toUpperCase()}` : '';
}

/** By entry, the first list that has it. */
function entriesByList(spec: JsonObject): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { name, type, content } of listIn(spec, 'accessLists')) {
    const kind = nameIn(LIST_TYPES, type);
    for (const entry of canonicalEntries(content as string | readonly string[], kind)) {
      const key = `${kind === 'cidr' ? 'ip' : kind} ${entry}`;
      if (!found.has(key)) found.set(key, name as string);
    }
  }
  return found;
}

/** What is odd about the access lists in the spec of a site. */
export function judgeAccessLists(spec: JsonObject): readonly Lint[] {
  return listIn(spec, 'accessLists').flatMap((list, index) => {
    const type = nameIn(LIST_TYPES, list.type);
    const content = list.content as string | readonly string[];
    const at = `/shield/accessLists/${index}/content`;
    const entries = canonicalEntries(content, type);
    const places = typeof content === 'string' ? new Map<string, number>() : placesOf(content, type);
    const say = (is: Judgement, entry: string, what: string): Lint => {
      const place = places.get(entry);
      return { is, pointer: place === undefined ? at : `${at}/${place}`, what };
    };
    const each = (code: Judgement, wrong: (entry: string) => string | undefined): readonly Lint[] =>
      entries.flatMap((entry) => {
        const what = wrong(entry);
        return what === undefined ? [] : [say(code, entry, `\`${entry}\` ${what}.`)];
      });
    const written = writtenEntries(content, type);
    const comments = entries
      .filter((entry) => entry.startsWith('#'))
      .map((entry) =>
        say('HW2714', entry, `\`${entry}\` looks like a comment. It would be sent as an entry: remove it.`),
      );
    if (type === 'country') return [...comments, ...each('HW2705', notComment(wrongCountry))];
    if (type === 'asn') return [...comments, ...each('HW2706', notComment(wrongAsn))];
    if (type !== 'ip' && type !== 'cidr') return comments;
    const wrong = entries.flatMap((entry) => {
      const reason = entry.startsWith('#') ? undefined : wrongNetwork(entry, written.get(entry) ?? entry, type);
      return reason === undefined ? [] : [{ entry, reason }];
    });
    const reasons = new Set(wrong.map(({ reason }) => reason));
    const malformed = [...reasons].map((reason) => {
      const alike = wrong.filter((one) => one.reason === reason);
      const { entry } = alike[0] as (typeof alike)[number];
      return say('HW2714', entry, `\`${written.get(entry) ?? entry}\` ${reason}${andMore(alike)}.`);
    });
    const { inside, everything, hidden } = oddNetworks(entries);
    const [first] = inside;
    return [
      ...comments,
      ...malformed,
      ...(first === undefined
        ? []
        : [say('HW2707', first[0], `\`${first[0]}\` is in \`${first[1]}\` of the same list${andMore(inside)}.`)]),
      ...everything.map((entry) => say('HW2708', entry, `\`${entry}\` holds every visitor.`)),
      ...hidden
        .slice(0, 1)
        .map((entry) => say('HW2709', entry, `Nobody comes from \`${entry}\` over the internet${andMore(hidden)}.`)),
    ];
  });
}

/** The same check without entries that are reported as comments. */
function notComment(wrong: (entry: string) => string | undefined): (entry: string) => string | undefined {
  return (entry) => (entry.startsWith('#') ? undefined : wrong(entry));
}

/**
 * Returns why an entry of a list of addresses or networks is malformed, as the end of a sentence; undefined if it is not.
 * `written`: the entry as the manifest has it, before it is normalised.
 */
function wrongNetwork(entry: string, written: string, type: 'ip' | 'cidr'): string | undefined {
  const [first = '', ...comment] = entry.split(/\s*#/);
  if (comment.length > 0 && isNetwork(first)) return 'has a comment, which would be sent as part of the entry';
  if (/^[\d.]+\s*-\s*[\d.]+$/.test(entry)) return 'is a range: write it as networks, such as `203.0.113.0/29`';
  if (!isNetwork(entry)) return 'is not an IP address or network';
  if (type === 'ip' && entry.includes('/'))
    return 'is a network, and a list of type `ip` holds addresses: use `type: cidr`';
  const [address = ''] = written.split('/');
  return written.includes('/') && entry.split('/')[0] !== canonicalEntries([address], type)[0]
    ? 'has bits set outside its mask, and is sent without them'
    : undefined;
}

/** Each entry as it is written in the manifest, by its normalised form. */
function writtenEntries(
  content: string | readonly string[],
  type: string | number | undefined,
): ReadonlyMap<string, string> {
  const lines = (typeof content === 'string' ? [content] : content).flatMap((text) => text.split(/\r?\n/));
  return new Map(lines.flatMap((line) => canonicalEntries([line], type).map((entry) => [entry, line.trim()] as const)));
}

/** Of a list that holds thousands one diagnostic is enough. */
function andMore({ length }: readonly unknown[]): string {
  return length === 1 ? '' : `, and ${inThousands(length - 1)} more of its entries are alike`;
}

/** By entry, where it is written first. */
function placesOf(content: readonly string[], type: string | number | undefined): ReadonlyMap<string, number> {
  const places = content.flatMap((text, index) =>
    canonicalEntries([text], type).map((entry) => [entry, index] as const),
  );
  return new Map(places.reverse());
}

export function listIn(spec: JsonObject, key: string): readonly JsonObject[] {
  const list: Json | undefined = valueAt(spec, `/shield/${key}`);
  return (Array.isArray(list) ? list : []) as readonly JsonObject[];
}
