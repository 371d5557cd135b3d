// What each edge rule does with a request.
import type { Traced, TracedAnswer, TracedRequest } from '../../../../model/plan/trace.ts';
import { holds } from '../../../common/conditions.ts';
import type { DeclaredRule } from './judge.ts';
import { actionsOf, CACHE_TIMES } from './judge.ts';
import { writeAction } from './written.ts';
import type { EdgeAction } from './wire.ts';

/** What a request goes without, by the action that says so (SHD-29). */
export const WITHOUT: Readonly<Record<string, string>> = {
  DisableWAF: 'the WAF',
  DisableShield: 'Shield',
  DisableShieldChallenge: 'the challenges of Shield',
  DisableShieldBotDetection: 'the bot detection of Shield',
  DisableShieldAccessLists: 'the access lists of Shield',
  DisableShieldRateLimiting: 'the rate limits of Shield',
};

const TIMES = { cacheExpiration: 'cacheTime', browserCacheExpiration: 'browserCacheTime' } as const;

/** What may answer in place of the site, where the rule does not say how. No limit does: one request reaches none. */
const MAY_ANSWER: Readonly<Record<string, string>> = {
  EnableTokenAuthentication: 'only requests with a valid token are answered',
  RunEdgeScript: 'what its script answers is not in the rule',
};

/** Those that are not switched off, in the order of the manifest. */
export function traceEdgeRules(rules: readonly DeclaredRule[], request: TracedRequest): readonly Traced[] {
  return rules.flatMap((rule, index): readonly Traced[] => {
    if (rule.enabled === false) return [];
    const actions = actionsOf(rule);
    const answer = actions.map((action) => answerOf(action, request)).find((one) => one !== undefined);
    const times = actions.flatMap(({ type, parameter1 = '' }) => {
      const setting = CACHE_TIMES[type];
      return setting === undefined || parameter1 === '' ? [] : [[TIMES[setting], Number(parameter1)]];
    });
    const effects = actions.flatMap(({ type }) =>
      typeof type === 'number' ? ['what its action does is not known'] : (MAY_ANSWER[type] ?? []),
    );
    const past = actions.flatMap(({ type }) => WITHOUT[type] ?? []);
    return [
      {
        pointer: `/edgeRules/${index}`,
        name: rule.name,
        held: holds(rule, request),
        does: actions.map(writeAction),
        ...(answer !== undefined && { answer }),
        ...(times.length > 0 && { sets: Object.fromEntries(times) as Traced['sets'] & object }),
        ...(past.length > 0 && { letsPast: past.join(' and ') }),
        ...(effects.length > 0 && { effect: effects.join(', and ') }),
      },
    ];
  });
}

function answerOf({ type, parameter1 = '' }: EdgeAction, { url }: TracedRequest): TracedAnswer | undefined {
  if (type === 'BlockRequest') return { block: true };
  if (type === 'Redirect') return { redirect: parameter1.replaceAll('{{path}}', () => url.pathname) };
  return type === 'ForceSSL' && url.protocol === 'http:'
    ? { redirect: url.href.replace(/^http:/, 'https:') }
    : undefined;
}
