// What a written edge rule becomes: which fields there are, what is refused, what an omitted one means.
import { boolean, integer, textOrNull as text } from '../core/http/schema.ts';
import type { Properties, Value } from '../core/http/schema.ts';
import { listOrNull, withoutEmptyTexts } from '../core/present.ts';
import type { EdgeAction, EdgeRule, EdgeTrigger } from './state.ts';
import type { World } from '../core/world.ts';

/** What a write may leave out; null there reads as left out. */
export type WrittenRule = Omit<EdgeRule, 'Guid' | 'OrderIndex'> & { readonly OrderIndex: number | null };

const orNull = (value: Value): Value => ({ ...value, nullable: true });
const ACTION: Properties = {
  // EDG-02: an action type is 0 to 34.
  ActionType: orNull(integer(0, 34)),
  ActionParameter1: text,
  ActionParameter2: text,
  ActionParameter3: text,
};
// EDG-05: triggers and extra actions have their own four keys.
const TRIGGER: Properties = {
  // EDG-04: a trigger type is 0 to 13.
  Type: orNull(integer(0, 13)),
  PatternMatchingType: orNull(integer(0, 2)),
  Parameter1: text,
  PatternMatches: {
    ...list({ type: 'string' }),
    maxItems: 5,
    // The wording is the CDN's: what it calls "triggers per condition" are the matches of one trigger.
    tooMany: 'An edge rule can have at most 5 triggers per condition',
  },
};
export const EDGE_RULE: Properties = {
  Guid: text,
  ...ACTION,
  // EDG-03: matching is 0 any, 1 all, 2 none.
  TriggerMatchingType: orNull(integer(0, 2)),
  Description: text,
  Enabled: orNull(boolean),
  OrderIndex: orNull(integer(0)),
  // EDG-06: at most five triggers of five matches (LIM-03). EDG-06/first: the number of triggers is checked first.
  Triggers: {
    ...list({ type: 'object', properties: TRIGGER }),
    maxItems: 5,
    tooMany: 'An edge rule can have at most 5 conditions',
  },
  ExtraActions: list({ type: 'object', properties: ACTION }),
};

function list(items: Value): Value {
  return { type: 'array', nullable: true, items };
}

type Fields = Readonly<Record<string, unknown>>;

/** The rule that these fields say. */
export function readEdgeRule(fields: Fields): WrittenRule {
  return {
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

function rows(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? (value as readonly Fields[]) : [];
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
