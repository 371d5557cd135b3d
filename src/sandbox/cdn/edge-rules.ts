// What a written edge rule becomes: which fields there are, what is refused, what an omitted one means.
import { isRecord } from '../core/http/endpoint.ts';
import { listOrNull, withoutEmptyTexts } from '../core/present.ts';
import type { EdgeAction, EdgeRule, EdgeTrigger } from './state.ts';
import type { World } from '../core/world.ts';

/** What a write may leave out; null there reads as left out. */
export type WrittenRule = Omit<EdgeRule, 'Guid' | 'OrderIndex'> & { readonly OrderIndex: number | null };

const ACTION_KEYS = ['ActionType', 'ActionParameter1', 'ActionParameter2', 'ActionParameter3'];
const TRIGGER_KEYS = ['Type', 'PatternMatchingType', 'Parameter1', 'PatternMatches'];
export const EDGE_RULE_KEYS = [
  'Guid',
  ...ACTION_KEYS,
  'TriggerMatchingType',
  'Description',
  'Enabled',
  'OrderIndex',
  'Triggers',
  'ExtraActions',
];
const MAX_TRIGGERS = 5;
const MAX_MATCHES = 5;

type Fields = Readonly<Record<string, unknown>>;

/** The rule that these fields say, or what is wrong with them. */
export function readEdgeRule(fields: Fields): WrittenRule | readonly string[] {
  const problems = [...rangeProblems(fields), ...limitProblems(fields)];
  return problems.length > 0
    ? problems
    : {
        ...action(fields),
        TriggerMatchingType: numberOr(fields['TriggerMatchingType'], 0),
        Description: textOrNull(fields['Description']),
        Enabled: fields['Enabled'] === true,
        OrderIndex: typeof fields['OrderIndex'] === 'number' ? fields['OrderIndex'] : null,
        Triggers: rows(fields['Triggers']).map(trigger),
        ExtraActions: rows(fields['ExtraActions']).map(action),
      };
}

function action(fields: Fields): EdgeAction {
  return {
    ActionType: numberOr(fields['ActionType'], 0),
    ActionParameter1: textOrNull(fields['ActionParameter1']),
    ActionParameter2: textOrNull(fields['ActionParameter2']),
    ActionParameter3: textOrNull(fields['ActionParameter3']),
  };
}

function trigger(fields: Fields): EdgeTrigger {
  return {
    Type: numberOr(fields['Type'], 0),
    PatternMatchingType: numberOr(fields['PatternMatchingType'], 0),
    Parameter1: textOrNull(fields['Parameter1']),
    PatternMatches: Array.isArray(fields['PatternMatches']) ? fields['PatternMatches'].map(String) : [],
  };
}

function rangeProblems(fields: Fields): readonly string[] {
  const problems = [
    ...actionProblems(fields, ''),
    // EDG-03: matching is 0 any, 1 all, 2 none.
    ...integer(fields, 'TriggerMatchingType', 2),
    ...integer(fields, 'OrderIndex', Number.MAX_SAFE_INTEGER),
    ...text(fields, 'Description', ''),
    ...(isAbsent(fields['Enabled']) || typeof fields['Enabled'] === 'boolean' ? [] : ['Enabled must be true or false']),
    ...list(fields, 'Triggers'),
    ...list(fields, 'ExtraActions'),
  ];
  rows(fields['Triggers']).forEach((one, index) => problems.push(...triggerProblems(one, `Triggers[${index}].`)));
  rows(fields['ExtraActions']).forEach((one, index) => {
    problems.push(
      ...actionProblems(one, `ExtraActions[${index}].`),
      ...strange(one, ACTION_KEYS, `ExtraActions[${index}].`),
    );
  });
  return problems;
}

function actionProblems(fields: Fields, at: string): readonly string[] {
  return [
    // EDG-02: an action type is 0 to 34.
    ...integer(fields, 'ActionType', 34, at),
    ...ACTION_KEYS.slice(1).flatMap((key) => text(fields, key, at)),
  ];
}

function triggerProblems(fields: Fields, at: string): readonly string[] {
  const matches = fields['PatternMatches'];
  const isTexts = isAbsent(matches) || (Array.isArray(matches) && matches.every((one) => typeof one === 'string'));
  return [
    // EDG-04: a trigger type is 0 to 13.
    ...integer(fields, 'Type', 13, at),
    ...integer(fields, 'PatternMatchingType', 2, at),
    ...text(fields, 'Parameter1', at),
    ...(isTexts ? [] : [`${at}PatternMatches must be a list of texts`]),
    ...strange(fields, TRIGGER_KEYS, at),
  ];
}

/** The wording is the CDN's: what it calls "triggers per condition" are the matches of one trigger. */
function limitProblems(fields: Fields): readonly string[] {
  // EDG-06: at most five triggers of five matches (LIM-03).
  const triggers = rows(fields['Triggers']);
  const conditions = triggers.length > MAX_TRIGGERS ? [`An edge rule can have at most ${MAX_TRIGGERS} conditions`] : [];
  const tooMany = triggers.some(
    (one) => Array.isArray(one['PatternMatches']) && one['PatternMatches'].length > MAX_MATCHES,
  );
  const matches = tooMany ? [`An edge rule can have at most ${MAX_MATCHES} triggers per condition`] : [];
  // EDG-06/first: the number of triggers is checked before the number of matches.
  return [...conditions, ...matches].slice(0, 1);
}

function integer(fields: Fields, key: string, most: number, at = ''): readonly string[] {
  const value = fields[key];
  if (isAbsent(value)) return [];
  if (typeof value !== 'number' || !Number.isInteger(value)) return [`${at}${key} must be an integer`];
  return value >= 0 && value <= most ? [] : [`${at}${key} must be 0 to ${most}`];
}

function text(fields: Fields, key: string, at: string): readonly string[] {
  return isAbsent(fields[key]) || typeof fields[key] === 'string' ? [] : [`${at}${key} must be a text`];
}

function list(fields: Fields, key: string): readonly string[] {
  const value = fields[key];
  return isAbsent(value) || (Array.isArray(value) && value.every(isRecord)) ? [] : [`${key} must be a list of objects`];
}

function strange(fields: Fields, documented: readonly string[], at: string): readonly string[] {
  // EDG-05: triggers and extra actions have their own four keys.
  return Object.keys(fields)
    .filter((key) => !documented.includes(key))
    .map((key) => `'${at}${key}' is not a documented key`);
}

function rows(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** As the list shows it. EDG-01: the keys of an edge rule are capitalised. */
export function showEdgeRule(world: World, stored: EdgeRule): Record<string, unknown> {
  const { Triggers, ExtraActions, ...flat } = stored;
  return {
    ...withoutEmptyTexts(world, flat),
    Triggers: listOrNull(
      world,
      Triggers.map((one) => ({
        ...withoutEmptyTexts(world, { ...one }),
        PatternMatches: listOrNull(world, one.PatternMatches),
      })),
    ),
    ExtraActions: listOrNull(
      world,
      ExtraActions.map((one) => withoutEmptyTexts(world, { ...one })),
    ),
  };
}
