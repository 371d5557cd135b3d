// Whether a change of an edge rule lowers protection: what each action does for it, and whether a rule matches no less
// than before. Where that cannot be known it is lowered.
import type { Json, JsonObject } from '../../../../model/json.ts';
import { sameJson } from '../../../../model/json.ts';
import type { Lowers } from '../../../../model/kind/protection.ts';
import type { Conditions } from '../../../common/conditions.ts';
import { matchesAll } from '../../../common/shadowing.ts';
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
  const [former, next] = [before, after].map((rule) => (rule ?? {}) as Conditions) as [Conditions, Conditions];
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
