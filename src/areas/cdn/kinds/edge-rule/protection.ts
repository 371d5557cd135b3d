// Whether a change of an edge rule lowers protection: what each action does for it, and whether a rule matches no less
// than before. Where that cannot be known it is lowered.
import type { Json, JsonObject } from '../../../../model/json.ts';
import { sameJson } from '../../../../model/json.ts';
import type { Lowers } from '../../../../model/kind/protection.ts';
import type { ActionType, EdgeAction, EdgeRuleSpec, EdgeTrigger } from './wire.ts';

/** stops: requests, or makes them safer. opens: lets past what protects. unclear: it may do anything. */
type Effect = 'stops' | 'opens' | 'neither' | 'unclear';

type NamedAction = Exclude<ActionType, number>;

/** Those of the others depend on their parameters. */
const EFFECTS: Readonly<Record<Exclude<NamedAction, 'Redirect' | 'SetStatusCode' | 'SetResponseHeader'>, Effect>> = {
  ForceSSL: 'stops',
  OriginUrl: 'neither',
  OverrideCacheTime: 'neither',
  BlockRequest: 'stops',
  SetRequestHeader: 'neither',
  ForceDownload: 'neither',
  DisableTokenAuthentication: 'opens',
  EnableTokenAuthentication: 'stops',
  OverrideCacheTimePublic: 'neither',
  IgnoreQueryString: 'neither',
  DisableOptimizer: 'neither',
  ForceCompression: 'neither',
  BypassPermaCache: 'neither',
  OverrideBrowserCacheTime: 'neither',
  OriginStorage: 'neither',
  SetNetworkRateLimit: 'stops',
  SetConnectionLimit: 'stops',
  SetRequestsPerSecondLimit: 'stops',
  RunEdgeScript: 'unclear',
  OriginMagicContainers: 'neither',
  DisableWAF: 'opens',
  RetryOrigin: 'neither',
  OverrideBrowserCacheResponseHeader: 'neither',
  RemoveBrowserCacheResponseHeader: 'neither',
  DisableShieldChallenge: 'opens',
  DisableShield: 'opens',
  DisableShieldBotDetection: 'opens',
  BypassAwsS3Authentication: 'opens',
  DisableShieldAccessLists: 'opens',
  DisableShieldRateLimiting: 'opens',
  EnableRequestCoalescing: 'neither',
  DisableRequestCoalescing: 'neither',
};

const PROTECTIVE_HEADERS = [
  'strict-transport-security',
  'content-security-policy',
  'x-frame-options',
  'x-content-type-options',
  'permissions-policy',
  'referrer-policy',
  'cross-origin-opener-policy',
  'cross-origin-embedder-policy',
  'cross-origin-resource-policy',
];
const OPENING_HEADER = /^access-control-/;

/** The same for what the rule does and for what it matches: each is nothing without the other. */
export const lowersRule: Lowers = ({ before, after }) => {
  const [was, is] = [protectionOf(before), protectionOf(after)];
  const [former, next] = [before ?? {}, after ?? {}];
  const isLost = was.some((one) => one.effect !== 'opens' && !(isAmong(one, is) && matchesAll(next, former)));
  const isOpened = is.some((one) => one.effect !== 'stops' && !(isAmong(one, was) && matchesAll(former, next)));
  return isLost || isOpened;
};

interface Protection {
  readonly effect: Exclude<Effect, 'neither'>;
  readonly action: Json;
}

/** What a rule does for protection, or against it; nothing while it is off. */
function protectionOf(rule: JsonObject | null): readonly Protection[] {
  if (rule === null || rule.enabled === false) return [];
  const spec = rule as unknown as Partial<EdgeRuleSpec> & Pick<EdgeRuleSpec, 'action'>;
  const { action, extraActions = [], triggers = [] } = spec;
  return [action, ...extraActions].flatMap((one) => {
    const effect = effectOf(one, triggers);
    const { type, parameter1 = '', parameter2 = '', parameter3 = '' } = one;
    return effect === 'neither' ? [] : [{ effect, action: [type, parameter1, parameter2, parameter3] }];
  });
}

function effectOf({ type, parameter1 = '' }: EdgeAction, triggers: readonly EdgeTrigger[]): Effect {
  if (typeof type === 'number') return 'unclear';
  switch (type) {
    case 'Redirect': {
      // To HTTPS from HTTP: what ForceSSL does.
      const isFromHttp = triggers.some(({ patterns }) => patterns.some((pattern) => /^http:/i.test(pattern)));
      return isFromHttp && /^https:/i.test(parameter1) ? 'stops' : 'neither';
    }
    case 'SetStatusCode':
      return /^[45]/.test(parameter1) ? 'stops' : 'neither';
    case 'SetResponseHeader': {
      const header = parameter1.trim().toLowerCase();
      if (PROTECTIVE_HEADERS.includes(header)) return 'stops';
      return OPENING_HEADER.test(header) ? 'opens' : 'neither';
    }
    default:
      return EFFECTS[type];
  }
}

function isAmong({ action }: Protection, others: readonly Protection[]): boolean {
  return others.some((other) => sameJson(other.action, action));
}

/** True when the one surely matches every request that the other matches (EDG-03). */
function matchesAll(wide: JsonObject, narrow: JsonObject): boolean {
  const [all, some] = [triggersOf(wide), triggersOf(narrow)];
  const [match = 'any', other = 'any'] = [wide.match, narrow.match];
  if (match !== other) return false;
  if (all.length === 0 || some.length === 0) return all.length === some.length;
  if (match === 'any') return some.every((one) => all.some((wider) => takesAll(wider, one)));
  if (match === 'all') return all.every((wider) => some.some((one) => takesAll(wider, one)));
  return all.length === some.length && all.every((one) => some.some((same) => isSameTrigger(one, same)));
}

/** The same for one trigger. */
function takesAll(wide: EdgeTrigger, narrow: EdgeTrigger): boolean {
  if (isSameTrigger(wide, narrow)) return true;
  const isAny = ({ match = 'any' }: EdgeTrigger): boolean => match === 'any';
  const isOfOneKind = wide.type === narrow.type && (wide.parameter1 ?? '') === (narrow.parameter1 ?? '');
  if (!isOfOneKind || !isAny(wide) || !isAny(narrow) || narrow.patterns.length === 0) return false;
  return narrow.patterns.every((pattern) => wide.patterns.includes(pattern));
}

function isSameTrigger(left: EdgeTrigger, right: EdgeTrigger): boolean {
  const plain = ({ type, match = 'any', patterns, parameter1 = '' }: EdgeTrigger): Json => [
    type,
    match,
    [...patterns].sort(),
    parameter1,
  ];
  return sameJson(plain(left), plain(right));
}

function triggersOf({ triggers }: JsonObject): readonly EdgeTrigger[] {
  return (triggers ?? []) as unknown as readonly EdgeTrigger[];
}
