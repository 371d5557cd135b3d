// What the rules, limits and lists of Shield say of a request. In which order Shield tries them, and what a list does, is
// not documented (SHD-21).
import type { JsonObject } from '../../../model/json.ts';
import { valueAt } from '../../../model/json.ts';
import type { Traced, TracedRequest, Truth } from '../../../model/plan/trace.ts';
import { combine, not, triggerHolds } from '../../common/conditions.ts';
import { networkHolds } from '../../common/networks.ts';
import { canonicalEntries } from './entries.ts';
import { conditionOf, listIn } from './judge.ts';
import { LIST_TYPES, nameIn, RULE_ACTIONS } from './names.ts';

type Said = Omit<Traced, 'pointer' | 'name' | 'isShield'>;

/** None of a Shield that is switched off. */
function each(spec: JsonObject, key: string, say: (item: JsonObject) => Said): readonly Traced[] {
  if (valueAt(spec, '/shield/enabled') === false) return [];
  return listIn(spec, key).map((item, index) => ({
    pointer: `/shield/${key}/${index}`,
    name: item.name as string,
    isShield: true,
    ...say(item),
  }));
}

export function traceCustomRules(spec: JsonObject, request: TracedRequest): readonly Traced[] {
  return each(spec, 'customRules', (rule) => {
    const action = nameIn(RULE_ACTIONS, rule.action);
    return {
      held: triggerHolds(conditionOf(rule), request),
      does: [{ action: rule.action ?? null }],
      ...(action === 'block' && { answer: { block: true } }),
      ...(action === 'challenge' && { answer: { challenge: true } }),
      ...((action === 'allow' || action === 'bypass') && { letsPast: 'other rules of Shield' }),
    };
  });
}

export function traceRateLimits(spec: JsonObject, request: TracedRequest): readonly Traced[] {
  return each(spec, 'rateLimits', (limit) => {
    const { action, requestCount, timeframe, blockTime, countBy, conditions, transformations = [] } = limit;
    const counts = { action, requestCount, timeframe, blockTime, countBy };
    const isPlain = conditions !== undefined && (transformations as readonly unknown[]).length === 0;
    return {
      held: isPlain
        ? combine(
            'all',
            (conditions as readonly JsonObject[]).map((one) => conditionHolds(one, request)),
          )
        : { unknown: ['what its configuration or its transformations make of a request'] },
      does: [Object.fromEntries(Object.entries(counts).filter(([, value]) => value !== undefined)) as JsonObject],
    };
  });
}

function conditionHolds(condition: JsonObject, request: TracedRequest): Truth {
  if (condition.variableIsPattern === true) return { unknown: [`what \`${condition.variable as string}\` is`] };
  const held = triggerHolds(conditionOf(condition), request);
  return condition.negated === true ? not(held) : held;
}

/** What is looked at in a request, by the type of a list; of the others nothing is known. */
const NOT_KNOWN: Readonly<Record<string, string>> = {
  asn: 'the AS number of the network',
  organization: 'the organisation behind the network',
  ja4: 'the JA4 fingerprint',
};

export function traceAccessLists(spec: JsonObject, request: TracedRequest): readonly Traced[] {
  return each(spec, 'accessLists', ({ type, content }) => {
    const kind = nameIn(LIST_TYPES, type);
    const entries = canonicalEntries(content as string | readonly string[], kind);
    return {
      held: entries.length === 0 ? false : isListed(kind, entries, request),
      does: [],
      effect: 'what it does is set in the dashboard',
    };
  });
}

function isListed(
  kind: string | number | undefined,
  entries: readonly string[],
  { ip, country }: TracedRequest,
): Truth {
  if (kind === 'country') return country === undefined ? { unknown: ['the country'] } : entries.includes(country);
  if (kind !== 'ip' && kind !== 'cidr') return { unknown: [NOT_KNOWN[kind ?? ''] ?? 'what its type looks at'] };
  if (ip === undefined) return { unknown: ['the address of the visitor'] };
  return entries.some((entry) => networkHolds(entry, ip) === true);
}
