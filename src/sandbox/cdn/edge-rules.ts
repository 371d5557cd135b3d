// Decides what a written edge rule becomes: which fields there are, what is refused, what an omitted one means. Must
// not find rules or answer requests; and must not know what an action or a trigger does: the CDN behind the platform
// does.
import { isRecord } from '../core/http/endpoint.ts';
import { listOrNull, withoutEmptyTexts } from '../core/present.ts';
import { rule } from '../rules/rules.ts';
import type { EdgeAction, EdgeRule, EdgeTrigger } from '../site/state.ts';
import type { World } from '../core/world.ts';

const capitalised = rule('EDG-01', 'the keys of an edge rule are capitalised');
const actionRange = rule('EDG-02', 'an action type is 0 to 34');
const matchingRange = rule('EDG-03', 'matching is 0 any, 1 all, 2 none');
const triggerRange = rule('EDG-04', 'a trigger type is 0 to 13');
const innerShapes = rule('EDG-05', 'triggers and extra actions have their own four keys');
const fiveAndFive = rule('EDG-06', 'at most five triggers of five matches');
const conditionsFirst = rule('EDG-06/first', 'the number of triggers is checked before the number of matches');

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
export function readEdgeRule(world: World, fields: Fields): WrittenRule | readonly string[] {
  const problems = [...rangeProblems(world, fields), ...limitProblems(world, fields)];
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

function rangeProblems(world: World, fields: Fields): readonly string[] {
  const problems = [
    ...actionProblems(world, fields, ''),
    ...integer(world, fields, 'TriggerMatchingType', 2, matchingRange),
    ...integer(world, fields, 'OrderIndex', Number.MAX_SAFE_INTEGER, undefined),
    ...text(fields, 'Description', ''),
    ...(isAbsent(fields['Enabled']) || typeof fields['Enabled'] === 'boolean' ? [] : ['Enabled must be true or false']),
    ...list(fields, 'Triggers'),
    ...list(fields, 'ExtraActions'),
  ];
  rows(fields['Triggers']).forEach((one, index) =>
    problems.push(...triggerProblems(world, one, `Triggers[${index}].`)),
  );
  rows(fields['ExtraActions']).forEach((one, index) => {
    problems.push(
      ...actionProblems(world, one, `ExtraActions[${index}].`),
      ...strange(world, one, ACTION_KEYS, `ExtraActions[${index}].`),
    );
  });
  return problems;
}

function actionProblems(world: World, fields: Fields, at: string): readonly string[] {
  return [
    ...integer(world, fields, 'ActionType', 34, actionRange, at),
    ...ACTION_KEYS.slice(1).flatMap((key) => text(fields, key, at)),
  ];
}

function triggerProblems(world: World, fields: Fields, at: string): readonly string[] {
  const matches = fields['PatternMatches'];
  const isTexts = isAbsent(matches) || (Array.isArray(matches) && matches.every((one) => typeof one === 'string'));
  return [
    ...integer(world, fields, 'Type', 13, triggerRange, at),
    ...integer(world, fields, 'PatternMatchingType', 2, matchingRange, at),
    ...text(fields, 'Parameter1', at),
    ...(isTexts ? [] : [`${at}PatternMatches must be a list of texts`]),
    ...strange(world, fields, TRIGGER_KEYS, at),
  ];
}

/** The wording is the CDN's: what it calls "triggers per condition" are the matches of one trigger. */
function limitProblems(world: World, fields: Fields): readonly string[] {
  if (!world.rules.on(fiveAndFive)) return [];
  const triggers = rows(fields['Triggers']);
  const conditions = triggers.length > MAX_TRIGGERS ? [`An edge rule can have at most ${MAX_TRIGGERS} conditions`] : [];
  const tooMany = triggers.some(
    (one) => Array.isArray(one['PatternMatches']) && one['PatternMatches'].length > MAX_MATCHES,
  );
  const matches = tooMany ? [`An edge rule can have at most ${MAX_MATCHES} triggers per condition`] : [];
  const found = world.rules.on(conditionsFirst) ? [...conditions, ...matches] : [...matches, ...conditions];
  return found.slice(0, 1);
}

function integer(
  world: World,
  fields: Fields,
  key: string,
  most: number,
  range: Parameters<typeof world.rules.on>[0] | undefined,
  at = '',
): readonly string[] {
  const value = fields[key];
  if (isAbsent(value)) return [];
  if (typeof value !== 'number' || !Number.isInteger(value)) return [`${at}${key} must be an integer`];
  if (range !== undefined && !world.rules.on(range)) return [];
  return value >= 0 && value <= most ? [] : [`${at}${key} must be 0 to ${most}`];
}

function text(fields: Fields, key: string, at: string): readonly string[] {
  return isAbsent(fields[key]) || typeof fields[key] === 'string' ? [] : [`${at}${key} must be a text`];
}

function list(fields: Fields, key: string): readonly string[] {
  const value = fields[key];
  return isAbsent(value) || (Array.isArray(value) && value.every(isRecord)) ? [] : [`${key} must be a list of objects`];
}

function strange(world: World, fields: Fields, documented: readonly string[], at: string): readonly string[] {
  if (!world.rules.on(innerShapes)) return [];
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

/** As the list shows it. */
export function showEdgeRule(world: World, stored: EdgeRule): Record<string, unknown> {
  const { Triggers, ExtraActions, ...flat } = stored;
  const shown = {
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
  if (world.rules.on(capitalised)) return shown;
  return Object.fromEntries(
    Object.entries(shown).map(([key, value]) => [key.charAt(0).toLowerCase() + key.slice(1), value]),
  );
}
