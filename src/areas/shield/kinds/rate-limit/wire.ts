// How a rate limit stands on the wire. The API's documents pass its configuration on and do not show its keys (SHD-16,
// GAP-30): they are those of the upstream, in camel case.
import type { Json, JsonObject } from '../../../../model/json.ts';
import { deepMerge, isJsonObject } from '../../../../model/json.ts';
import { literal } from '../../../../model/plan/step.ts';
import { variableIn } from '../custom-rule.ts';
import type { Names } from '../names.ts';
import {
  COUNTED_BY,
  LIMIT_ACTIONS,
  nameIn,
  numberIn,
  OPERATORS,
  SEVERITIES,
  TRANSFORMATIONS,
  withNames,
} from '../names.ts';
import type { Parse, Understood } from '../wire.ts';
import { configurationOf, flag, idIn, inCamelCase, keyIn, named, number, text, understand } from '../wire.ts';

/** What a request has to be like to be counted; all conditions of a limit have to hold. */
export interface Condition {
  readonly variable: string;
  readonly subselector?: string;
  readonly operator: string | number;
  readonly value?: string;
  readonly negated?: boolean;
  readonly variableIsPattern?: boolean;
}

export interface ShieldRateLimitSpec {
  readonly name: string;
  readonly description: string;
  readonly action: string | number;
  readonly requestCount: number;
  readonly timeframe: number;
  readonly blockTime: number;
  readonly countBy: string | number;
  readonly severity: string | number;
  readonly conditions: readonly Condition[];
  readonly transformations: readonly (string | number)[];
  /** Keys that have no field of their own; of a limit without other fields, the whole. Live, always the whole. */
  readonly configuration: JsonObject;
}

/** Fields that say together what a limit does; a configuration without any of them is the whole one. */
export const REQUIRED_FIELDS = ['action', 'requestCount', 'timeframe', 'conditions'] as const;
const WORDED: readonly string[] = [...REQUIRED_FIELDS, 'blockTime', 'countBy', 'severity', 'transformations'];

/** Whether the configuration says all, and is forwarded as it is (SHD-16). */
export function isVerbatim(spec: Partial<ShieldRateLimitSpec>): boolean {
  return spec.configuration !== undefined && !WORDED.some((field) => field in spec);
}

const NAMES: Readonly<Record<string, Names>> = { action: LIMIT_ACTIONS, countBy: COUNTED_BY, severity: SEVERITIES };

/** The keys of a configuration that fields stand for, and which field that is. */
export const FIELD_OF: Readonly<Record<string, keyof ShieldRateLimitSpec>> = {
  actionType: 'action',
  requestCount: 'requestCount',
  timeframe: 'timeframe',
  blockTime: 'blockTime',
  counterKeyType: 'countBy',
  severityType: 'severity',
  transformationTypes: 'transformations',
  variableTypes: 'conditions',
  variableType: 'conditions',
  variableSubselector: 'conditions',
  operatorType: 'conditions',
  value: 'conditions',
  isNegated: 'conditions',
  isRegexVariable: 'conditions',
  chainedRuleConditions: 'conditions',
};

/** What a row has beside its configuration, where both stand side by side (GAP-29). */
const HEAD = ['id', 'ruleId', 'ruleName', 'ruleDescription', 'readOnly'];

/** Conditions are compared without what is as if it were not there, keys in camel case. */
export function normaliseLimit<Part extends Partial<ShieldRateLimitSpec>>(spec: Part): Part {
  return {
    ...withNames(spec, NAMES),
    ...(spec.conditions !== undefined && { conditions: spec.conditions.map(normaliseCondition) }),
    ...(spec.transformations !== undefined && {
      transformations: spec.transformations.map((one) => nameIn(TRANSFORMATIONS, one) ?? one),
    }),
    ...(spec.configuration !== undefined && { configuration: inCamelCase(spec.configuration) }),
  };
}

function normaliseCondition({
  variable,
  operator,
  subselector = '',
  value = '',
  negated = false,
  variableIsPattern = false,
}: Condition): Condition {
  return {
    variable,
    operator: nameIn(OPERATORS, operator) ?? operator,
    ...(subselector !== '' && { subselector }),
    ...(value !== '' && { value }),
    ...(negated && { negated }),
    ...(variableIsPattern && { variableIsPattern }),
  };
}

export interface DecodedLimit extends Understood {
  readonly id: string | undefined;
  /** As it is live, with the keys that a write has. */
  readonly configuration: JsonObject;
  /** Which of its keys are the limit's own and not the row's cannot be told. */
  readonly isFlat: boolean;
}

export function decodeLimit(row: JsonObject): DecodedLimit {
  const { configuration: found, isNested } = configurationOf(row);
  const all = inCamelCase(found) as JsonObject;
  const configuration = isNested ? all : only(all, (key) => key in FIELD_OF);
  const whole = isNested ? all : only(all, (key) => !HEAD.includes(key));
  const id = idIn(row);
  const { spec, unclear } = understand([
    ['name', keyIn(row, 'rule_name') ?? id, text],
    ['description', keyIn(row, 'rule_description') ?? '', text],
    ['action', configuration.actionType, named(LIMIT_ACTIONS)],
    ['requestCount', configuration.requestCount, number],
    ['timeframe', configuration.timeframe, number],
    ['blockTime', configuration.blockTime, number],
    // What the upstream leaves out is its default.
    ['countBy', configuration.counterKeyType ?? 0, named(COUNTED_BY)],
    ['severity', configuration.severityType ?? 0, named(SEVERITIES)],
    ['conditions', configuration, conditionsIn],
    ['transformations', configuration.transformationTypes ?? [], transformationsIn],
    ['configuration', Object.keys(whole).length === 0 ? undefined : whole, (value) => value],
  ]);
  return { id, spec, unclear, configuration, isFlat: !isNested };
}

function only(row: JsonObject, isKept: (key: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(row).filter(([key]) => isKept(key)));
}

/** The first condition stands in the rule itself, the others in a list; which is first means nothing. */
const conditionsIn: Parse = (configuration) => {
  const { chainedRuleConditions, ...first } = configuration as JsonObject;
  const others = chainedRuleConditions ?? [];
  if (!Array.isArray(others) || !others.every(isJsonObject)) return undefined;
  const all = [...(variableIn(first).name === undefined ? [] : [first]), ...(others as readonly JsonObject[])].map(
    conditionIn,
  );
  return all.includes(undefined) ? undefined : (all as readonly Json[]);
};

function conditionIn(row: JsonObject): JsonObject | undefined {
  const { name, subselector, more } = variableIn(row);
  const { spec, unclear } = understand([
    ['variable', name, text],
    ['subselector', subselector, text],
    ['operator', row.operatorType, named(OPERATORS)],
    ['value', row.value, text],
    ['negated', row.isNegated, flag],
    ['variableIsPattern', row.isRegexVariable, flag],
  ]);
  return more || unclear.length > 0 || spec.variable === undefined || spec.operator === undefined
    ? undefined
    : (normaliseCondition(spec as unknown as Condition) as unknown as JsonObject);
}

const transformationsIn: Parse = (value) => {
  const names = Array.isArray(value) ? value.map((one: Json) => nameIn(TRANSFORMATIONS, one)) : [undefined];
  return names.includes(undefined) ? undefined : (names as readonly Json[]);
};

/** The whole limit, with the configuration as it is. */
export function encodeVerbatim({
  name,
  description = '',
  configuration = {},
}: Partial<ShieldRateLimitSpec>): JsonObject {
  return {
    rule_name: name as string,
    rule_description: description,
    rule_configuration: literal(configuration) as JsonObject,
  };
}

/** The whole limit: what is live, with what is wanted over it. */
export function encodeLimit(spec: Partial<ShieldRateLimitSpec>, live: JsonObject): JsonObject {
  if (isVerbatim(spec)) return encodeVerbatim(spec);
  const {
    name,
    description = '',
    action,
    requestCount,
    timeframe,
    blockTime,
    countBy,
    severity,
    conditions,
    transformations,
    configuration: further = {},
  } = spec;
  const configuration: Record<string, Json | undefined> = {
    ...deepMerge(live, further),
    ...(conditions !== undefined && encodeConditions(conditions)),
    ...(action !== undefined && { actionType: numberIn(LIMIT_ACTIONS, action) }),
    ...(requestCount !== undefined && { requestCount }),
    ...(timeframe !== undefined && { timeframe }),
    ...(blockTime !== undefined && { blockTime }),
    ...(countBy !== undefined && { counterKeyType: numberIn(COUNTED_BY, countBy) }),
    ...(severity !== undefined && { severityType: numberIn(SEVERITIES, severity) }),
    ...(transformations !== undefined && {
      transformationTypes: transformations.map((one) => numberIn(TRANSFORMATIONS, one)),
    }),
  };
  return {
    rule_name: name as string,
    rule_description: description,
    rule_configuration: literal(configuration as JsonObject) as JsonObject,
  };
}

function encodeConditions(conditions: readonly Condition[]): JsonObject {
  const [first, ...others] = conditions.map(encodeCondition);
  return { ...first, chainedRuleConditions: others };
}

function encodeCondition({
  variable,
  subselector = '',
  operator,
  value = '',
  negated = false,
  variableIsPattern = false,
}: Condition): JsonObject {
  return {
    variableTypes: { [variable]: subselector },
    operatorType: numberIn(OPERATORS, operator),
    value,
    isNegated: negated,
    isRegexVariable: variableIsPattern,
  };
}
