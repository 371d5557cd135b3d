// Edge rules that are allowed and hardly meant. Only what the API's documents and the words of a rule make certain: how
// the CDN orders rules is not documented, and what rests on it says so.
import type { Json, JsonObject } from '../../../../model/json.ts';
import { isJsonObject, sameJson } from '../../../../model/json.ts';
import type { Judgement, Lint } from '../../../../model/kind/kind.ts';
import type { TracedRequest } from '../../../../model/plan/trace.ts';
import { canonicalHostname } from '../../../../model/hostname.ts';
import { combinationOf } from '../../../common/combinations.ts';
import { combine, isLua, matchesEverything, triggerHolds } from '../../../common/conditions.ts';
import { shadowingRules } from '../../../common/shadowing.ts';
import { oddNetworks } from '../../../common/networks.ts';
import { wrongCountry } from '../../../common/countries-and-asns.ts';
import type { EdgeAction, EdgeRuleSpec, EdgeTrigger } from './wire.ts';

/** A rule of a manifest, in the one form in which it is compared. */
export type DeclaredRule = Pick<EdgeRuleSpec, 'name' | 'action'> & Partial<EdgeRuleSpec>;

type Say = (code: Judgement, at: string, what: string) => Lint;

/** What is odd about the rules that are not switched off, in the spec of a site. */
export function judgeEdgeRules(rules: readonly DeclaredRule[], spec: JsonObject): readonly Lint[] {
  const written = (spec.edgeRules ?? []) as readonly JsonObject[];
  const inForce = rules.filter(({ enabled }) => enabled !== false);
  const earlier = new Map(shadowingRules(inForce, isPointless).map((one, index) => [inForce[index], one]));
  return rules.flatMap((rule, index) => {
    if (rule.enabled === false) return [];
    const say: Say = (is, at, what) => ({ is, pointer: `/edgeRules/${index}${at}`, what });
    const wider = earlier.get(rule);
    return [
      ...(wider === undefined ? [] : [say('HW2701', '', afterEarlier(rule, wider))]),
      ...wholeSite(rule, spec, say),
      ...neverMet(rule, say),
      ...mixedTriggers(rule, written[index], say),
      ...foreignPlaceholders(rule, say),
      ...switchedOff(rule, spec, say),
      ...(rule.triggers ?? []).flatMap((trigger, at) =>
        oddPatterns(trigger, `/triggers/${at}`, (written[index]?.triggers as readonly Json[])[at] ?? null, say),
      ),
    ];
  });
}

/** What is done to a request before it goes to the origin, and not to one that is answered at once. */
const BEFORE_ORIGIN: readonly Json[] = [
  'ForceSSL',
  'Redirect',
  'OriginUrl',
  'OverrideCacheTime',
  'BlockRequest',
  'SetRequestHeader',
  'IgnoreQueryString',
];

export function actionsOf({ action, extraActions = [] }: DeclaredRule): readonly EdgeAction[] {
  return [action, ...extraActions];
}

/** The action that answers a request at once. */
function answerOf(rule: DeclaredRule): EdgeAction | undefined {
  return actionsOf(rule).find(({ type }) => type === 'BlockRequest' || type === 'Redirect');
}

function isPointless(earlier: DeclaredRule, later: DeclaredRule): boolean {
  // Chance takes another half each time.
  const isChance = (earlier.triggers ?? []).some(({ type }) => type === 'RandomChance') && !matchesEverything(earlier);
  // One name twice is an error of its own.
  if (isChance || earlier.name === later.name) return false;
  return (
    isSame(earlier, later) ||
    (answerOf(earlier) !== undefined && actionsOf(later).every(({ type }) => BEFORE_ORIGIN.includes(type)))
  );
}

function isSame(earlier: DeclaredRule, later: DeclaredRule): boolean {
  const plain = (rule: DeclaredRule): Json =>
    actionsOf(rule).map(({ type, parameter1 = '', parameter2 = '', parameter3 = '' }) => [
      type,
      parameter1,
      parameter2,
      parameter3,
    ]);
  return sameJson(plain(earlier), plain(later));
}

function afterEarlier(rule: DeclaredRule, earlier: DeclaredRule): string {
  const [name, other] = [JSON.stringify(rule.name), JSON.stringify(earlier.name)];
  if (isSame(earlier, rule))
    return `The edge rule ${other} does the same for every request that ${name} matches, so ${name} adds nothing.`;
  const does = answerOf(earlier)?.type === 'Redirect' ? 'redirects' : 'blocks';
  return `The earlier edge rule ${other} ${does} every request that ${name} matches. If the CDN acts on the first of the two, which is not documented, ${name} never does anything.`;
}

/** A rule that takes all visitors away, or sends them where it takes them again. */
function wholeSite(rule: DeclaredRule, { domains }: JsonObject, say: Say): readonly Lint[] {
  const answer = answerOf(rule);
  if (answer === undefined) return [];
  const name = JSON.stringify(rule.name);
  if (answer.type === 'Redirect') {
    const target = targetOf(rule, answer.parameter1 ?? '', hostnamesOf(domains));
    if (target !== undefined) {
      const what = `The edge rule ${name} redirects to \`${answer.parameter1}\`, and matches that address too. Browsers give up after some such redirects.`;
      return [say('HW2703', '/action', what)];
    }
  }
  if (!matchesEverything(rule)) return [];
  const does = answer.type === 'Redirect' ? 'redirects' : 'blocks';
  const together = combinationOf(rule);
  const why =
    together === undefined
      ? ''
      : ` Every ${VARIABLES[together.type]} meets at least one of its conditions, and \`match: any\` needs only one. Write \`match: all\` if a request has to meet all of them.`;
  return [say('HW2702', '/action', `The edge rule ${name} ${does} every request, so nobody sees the site.${why}`)];
}

/** The variable of a condition, in words. */
const VARIABLES: Readonly<Record<string, string>> = {
  CountryCode: 'country',
  CountryStateCode: 'state or province',
  RemoteIP: 'address',
  RequestMethod: 'method',
  StatusCode: 'status',
  UrlExtension: 'extension',
};

/** Conditions that no request can meet together. */
function neverMet(rule: DeclaredRule, say: Say): readonly Lint[] {
  const together = combinationOf(rule);
  if (together?.matches !== 'nothing') return [];
  const what = `The edge rule ${JSON.stringify(rule.name)} never applies: a request has one ${VARIABLES[together.type]}, and no ${VARIABLES[together.type]} meets its conditions together.`;
  return [say('HW2704', '/triggers', what)];
}

/** Conditions of different kinds without `match`: any one of them is enough, which is seldom meant. */
function mixedTriggers(
  { name, triggers = [] }: DeclaredRule,
  written: JsonObject | undefined,
  say: Say,
): readonly Lint[] {
  const types = [...new Set(triggers.map(({ type }) => type))];
  if (types.length < 2 || written === undefined || written.match !== undefined) return [];
  const what = `The triggers of the edge rule ${JSON.stringify(name)} are of ${types.length} kinds and \`match\` is absent, so a request that meets any one of them is enough. Write \`match: all\` if it has to meet all of them, or \`match: any\`.`;
  return [say('HW2713', '/triggers', what)];
}

/** Placeholders that other tools replace in the target of a redirect, and the CDN does not. */
function foreignPlaceholders(rule: DeclaredRule, say: Say): readonly Lint[] {
  const target = actionsOf(rule).find(({ type }) => type === 'Redirect')?.parameter1 ?? '';
  const [found] = /(?<=\/):splat\b|\$[1-9]\b/.exec(target) ?? [];
  if (found === undefined) return [];
  const what = `The edge rule ${JSON.stringify(rule.name)} redirects to \`${target}\`. The CDN does not replace \`${found}\`; it replaces \`{{path}}\` with the path of the request.`;
  return [say('HW2715', '/action', what)];
}

function hostnamesOf(domains: Json | undefined): readonly string[] {
  const items = Array.isArray(domains) ? (domains as readonly Json[]) : [];
  return items
    .map((item) => (isJsonObject(item) ? item.hostname : item))
    .flatMap((text) => (typeof text === 'string' ? [canonicalHostname(text)] : []));
}

/** An address that the redirect leads to and that the rule surely matches again; the visitor stays the same. */
function targetOf(rule: DeclaredRule, to: string, hostnames: readonly string[]): string | undefined {
  const { match = 'any', triggers = [] } = rule;
  // A variable of the CDN may stand for anything.
  if (match === 'none' || /%\{/.test(to)) return undefined;
  const paths = to.includes('{{path}}')
    ? triggers.flatMap(({ type, patterns }) => (type === 'Url' ? patterns.flatMap(pathLike) : []))
    : [''];
  return paths
    .map((path) => to.replace('{{path}}', () => path))
    .find((target) => {
      if (target.includes('{{') || !URL.canParse(target)) return false;
      const request = { url: new URL(target) };
      const isOurs = hostnames.includes(canonicalHostname(request.url.hostname));
      return (
        combine(
          match,
          triggers.map((trigger) => {
            // What matched the visitor once matches him again; what else it would take nobody knows.
            if (match === 'all' && (trigger.type === 'CountryCode' || trigger.type === 'RemoteIP')) return true;
            return trigger.type === 'Url' && takesUrl(trigger, request, isOurs);
          }),
        ) === true && triggers.some(({ type }) => type === 'Url')
      );
    });
}

/** A path that a pattern surely matches. */
function pathLike(pattern: string): readonly string[] {
  if (isLua(pattern)) return [];
  if (pattern === '*') return ['/x'];
  const path = /^(?:(?:\*|https?):\/\/[^/]*|\*)?(\/.*)$/.exec(pattern)?.[1];
  return path === undefined ? [] : [path.replaceAll('*', 'x')];
}

/** Surely, that is: a pattern without a hostname may match on another host, which is not this site. */
function takesUrl(trigger: EdgeTrigger, request: TracedRequest, isOurs: boolean): boolean {
  const { match = 'any', patterns } = trigger;
  const sure = isOurs ? patterns : patterns.filter((pattern) => pattern.includes(`://${request.url.host}/`));
  if (!isOurs && (match === 'none' || (match === 'all' && sure.length < patterns.length))) return false;
  return triggerHolds({ ...trigger, patterns: sure }, request) === true;
}

/** The setting of `caching` that an action takes the place of. */
export const CACHE_TIMES: Readonly<Record<string, 'cacheExpiration' | 'browserCacheExpiration'>> = {
  OverrideCacheTime: 'cacheExpiration',
  OverrideCacheTimePublic: 'cacheExpiration',
  OverrideBrowserCacheTime: 'browserCacheExpiration',
};

function switchedOff(rule: DeclaredRule, { caching }: JsonObject, say: Say): readonly Lint[] {
  if (!isJsonObject(caching) || !matchesEverything(rule)) return [];
  return actionsOf(rule).flatMap(({ type, parameter1 }) => {
    const field = CACHE_TIMES[type];
    const time = field === undefined ? undefined : caching[field];
    if (parameter1 !== '0' || typeof time !== 'number' || time <= 0) return [];
    const what = `The edge rule ${JSON.stringify(rule.name)} sets the time to 0 for every request, so \`caching.${field}: ${time}\` has no effect.`;
    return [say('HW2710', '', what)];
  });
}

/** `written`: the trigger as it stands in the manifest. */
function oddPatterns({ type, patterns }: EdgeTrigger, at: string, written: Json, say: Say): readonly Lint[] {
  const place = (pattern: string): string => `${at}${pointerTo(written, pattern) ?? ''}`;
  const each = (code: Judgement, wrong: (pattern: string) => string | undefined): readonly Lint[] =>
    patterns.flatMap((pattern) => {
      const what = isLua(pattern) ? undefined : wrong(pattern);
      return what === undefined ? [] : [say(code, place(pattern), `\`${pattern}\` ${what}.`)];
    });
  switch (type) {
    case 'Url':
      return each('HW2704', neverAnAddress);
    case 'UrlExtension':
      return each('HW2704', (text) =>
        /[A-Z]/.test(text)
          ? `has capitals, and no document says that it matches \`${text.toLowerCase()}\` too: write \`${text.toLowerCase()}\``
          : undefined,
      );
    case 'CountryCode':
      return each('HW2705', (text) => (text.includes('*') ? undefined : wrongCountry(text)));
    case 'RemoteIP': {
      const { inside, everything, hidden } = oddNetworks(patterns);
      return [
        ...inside.map(([inner, outer]) =>
          say('HW2707', place(inner), `\`${inner}\` is in \`${outer}\` of the same trigger.`),
        ),
        ...everything.map((text) => say('HW2708', place(text), `\`${text}\` holds every visitor.`)),
        ...hidden.map((text) => say('HW2709', place(text), `Nobody comes from \`${text}\` over the internet.`)),
      ];
    }
    default:
      return [];
  }
}

/** Why no address fits: each begins with its scheme, and the root of a host ends with `/`. */
function neverAnAddress(pattern: string): string | undefined {
  const [start = ''] = pattern.split('*');
  const isPath = pattern.startsWith('/');
  const isBegun = ['http://', 'https://'].some((scheme) => scheme.startsWith(start) || start.startsWith(scheme));
  if (!isPath && !isBegun)
    return `begins neither with \`/\` nor as an address does, so it matches nothing: write \`/${pattern}\` for a path, \`*/${pattern}\` for the end of any address, or \`*://\` before a hostname`;
  return /^(\*|https?):\/\/[^/*]+$/.test(pattern)
    ? `has no path, and the root of a host ends with \`/\`, so it matches nothing: write \`${pattern}/\``
    : undefined;
}

/** Where in a trigger a pattern stands, whatever its form. */
function pointerTo(value: Json, text: string): string | undefined {
  if (value === null || typeof value !== 'object') return String(value) === text ? '' : undefined;
  for (const [key, inner] of Object.entries(value)) {
    const found = pointerTo(inner, text);
    if (found !== undefined) return `/${key}${found}`;
  }
  return undefined;
}
