// How an edge rule stands on the wire: the names behind the platform's numbers, and both directions of the translation.
import type { JsonObject } from '../../../../model/json.ts';
import { valueAt } from '../../../../model/json.ts';
import { flagAt, rowsAt, ShapeError, textAt } from '../../../../model/kind/rows.ts';

/** By number (EDG-02). The API's documents name seven of these; the others are the names of the CDN behind it. */
export const ACTION_TYPES = [
  'ForceSSL',
  'Redirect',
  'OriginUrl',
  'OverrideCacheTime',
  'BlockRequest',
  'SetResponseHeader',
  'SetRequestHeader',
  'ForceDownload',
  'DisableTokenAuthentication',
  'EnableTokenAuthentication',
  'OverrideCacheTimePublic',
  'IgnoreQueryString',
  'DisableOptimizer',
  'ForceCompression',
  'SetStatusCode',
  'BypassPermaCache',
  'OverrideBrowserCacheTime',
  'OriginStorage',
  'SetNetworkRateLimit',
  'SetConnectionLimit',
  'SetRequestsPerSecondLimit',
  'RunEdgeScript',
  'OriginMagicContainers',
  'DisableWAF',
  'RetryOrigin',
  'OverrideBrowserCacheResponseHeader',
  'RemoveBrowserCacheResponseHeader',
  'DisableShieldChallenge',
  'DisableShield',
  'DisableShieldBotDetection',
  'BypassAwsS3Authentication',
  'DisableShieldAccessLists',
  'DisableShieldRateLimiting',
  'EnableRequestCoalescing',
  'DisableRequestCoalescing',
] as const;

/** By number (EDG-04). */
export const TRIGGER_TYPES = [
  'Url',
  'RequestHeader',
  'ResponseHeader',
  'UrlExtension',
  'CountryCode',
  'RemoteIP',
  'UrlQueryString',
  'RandomChance',
  'StatusCode',
  'RequestMethod',
  'CookieValue',
  'CountryStateCode',
  'OriginRetryAttemptCount',
  'OriginConnectionError',
] as const;

/** By number, for the triggers of a rule and the patterns of a trigger alike (EDG-03). */
export const MATCHES = ['any', 'all', 'none'] as const;

/** A name, or the number itself where it has no name: what the platform shows survives reading, whatever it means. */
export type Named<Name extends string> = Name | number;
export type ActionType = Named<(typeof ACTION_TYPES)[number]>;
export type TriggerType = Named<(typeof TRIGGER_TYPES)[number]>;
export type Match = Named<(typeof MATCHES)[number]>;

export interface EdgeAction {
  readonly type: ActionType;
  readonly parameter1?: string;
  readonly parameter2?: string;
  readonly parameter3?: string;
}

export interface EdgeTrigger {
  readonly type: TriggerType;
  readonly match?: Match;
  readonly patterns: readonly string[];
  readonly parameter1?: string;
}

export interface EdgeRuleSpec {
  readonly name: string;
  readonly action: EdgeAction;
  readonly extraActions: readonly EdgeAction[];
  readonly match: Match;
  readonly triggers: readonly EdgeTrigger[];
  readonly enabled: boolean;
  readonly orderIndex: number;
}

/** A number by its name where it has one. */
export function nameOf<Name extends string>(names: readonly Name[], value: Named<Name>): Named<Name> {
  return typeof value === 'number' ? (names[value] ?? value) : value;
}

/**
 * True for a rule with a type or a match that has no name here: older lists could not name it, and no write may be able
 * to make it again.
 */
export function isBeyondNames({ action, extraActions = [], match, triggers = [] }: Partial<EdgeRuleSpec>): boolean {
  return (
    [action, ...extraActions].some((one) => typeof one?.type === 'number') ||
    [match, ...triggers.flatMap((one) => [one.type, one.match])].some((one) => typeof one === 'number')
  );
}

/** The first action that is shown and cannot be written: 0 to 34 are accepted (EDG-02). */
export function unwritableAction({ action, extraActions = [] }: Partial<EdgeRuleSpec>): number | undefined {
  return [action, ...extraActions].flatMap((one) => (typeof one?.type === 'number' ? [one.type] : []))[0];
}

/** The number of a name; a number stands for itself. */
function numberOf<Name extends string>(names: readonly Name[], value: Named<Name>): number {
  return typeof value === 'number' ? value : names.indexOf(value);
}

/** A row of the list. Only documented keys are read: what else there is may change by itself (EDG-17). */
export function decodeRule(row: JsonObject): {
  readonly id: string;
  readonly spec: Omit<EdgeRuleSpec, 'orderIndex'> & Partial<Pick<EdgeRuleSpec, 'orderIndex'>>;
  readonly readOnly: boolean;
} {
  const id = textAt(row, '/Guid');
  const orderIndex = row.OrderIndex ?? null;
  return {
    id,
    spec: {
      // Two rules without a description must not look like one rule twice.
      name: textOr(row, 'Description', '') || id,
      action: decodeAction(row),
      extraActions: listOr(row, 'ExtraActions').map(decodeAction),
      match: nameOf(MATCHES, numberAt(row, 'TriggerMatchingType')),
      triggers: listOr(row, 'Triggers').map((trigger) => ({
        type: nameOf(TRIGGER_TYPES, numberAt(trigger, 'Type')),
        match: nameOf(MATCHES, numberAt(trigger, 'PatternMatchingType')),
        patterns: patternsOf(trigger),
        parameter1: textOr(trigger, 'Parameter1', ''),
      })),
      enabled: flagAt(row, 'Enabled'),
      ...(orderIndex !== null && { orderIndex: numberAt(row, 'OrderIndex') }),
    },
    readOnly: row.ReadOnly === true,
  };
}

/**
 * All that the platform stores of a rule but its Guid. Nothing is left out: what a write leaves out is cleared
 * (EDG-12).
 */
export function encodeRule({
  name,
  action,
  extraActions,
  match,
  triggers,
  enabled,
  orderIndex,
}: EdgeRuleSpec): JsonObject {
  return {
    ...encodeAction(action),
    TriggerMatchingType: numberOf(MATCHES, match),
    Description: name,
    Enabled: enabled,
    OrderIndex: orderIndex,
    Triggers: triggers.map(({ type, match: patternMatch = 'any', patterns, parameter1 = '' }) => ({
      Type: numberOf(TRIGGER_TYPES, type),
      PatternMatchingType: numberOf(MATCHES, patternMatch),
      Parameter1: parameter1,
      PatternMatches: patterns,
    })),
    ExtraActions: extraActions.map(encodeAction),
  };
}

function encodeAction({ type, parameter1 = '', parameter2 = '', parameter3 = '' }: EdgeAction): JsonObject {
  return {
    ActionType: numberOf(ACTION_TYPES, type),
    ActionParameter1: parameter1,
    ActionParameter2: parameter2,
    ActionParameter3: parameter3,
  };
}

function decodeAction(row: JsonObject): EdgeAction {
  return {
    type: nameOf(ACTION_TYPES, numberAt(row, 'ActionType')),
    parameter1: textOr(row, 'ActionParameter1', ''),
    parameter2: textOr(row, 'ActionParameter2', ''),
    parameter3: textOr(row, 'ActionParameter3', ''),
  };
}

function patternsOf(trigger: JsonObject): readonly string[] {
  const patterns = trigger.PatternMatches ?? [];
  if (!Array.isArray(patterns) || !patterns.every((pattern) => typeof pattern === 'string'))
    throw new ShapeError('expected a list of texts at PatternMatches');
  return patterns;
}

/** null, an empty text and nothing at all are the same (EDG-17). */
function textOr(row: JsonObject, key: string, empty: string): string {
  return (row[key] ?? null) === null ? empty : textAt(row, `/${key}`);
}

function listOr(row: JsonObject, key: string): readonly JsonObject[] {
  return (row[key] ?? null) === null ? [] : rowsAt(row, `/${key}`);
}

function numberAt(row: JsonObject, key: string): number {
  const value = valueAt(row, `/${key}`);
  if (typeof value !== 'number' || !Number.isInteger(value)) throw new ShapeError(`expected a whole number at ${key}`);
  return value;
}
