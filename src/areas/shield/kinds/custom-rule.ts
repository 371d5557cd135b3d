// A custom WAF rule of a site's Shield: one condition and an action. The list is authoritative; a rule goes by its name
// (SHD-27). It must not replace a live rule that has more than a write can say: negation, transformations, further
// conditions (SHD-13).
import type { Json, JsonObject } from '../../../model/json.ts';
import { isJsonObject } from '../../../model/json.ts';
import type { StepContext } from '../../../model/kind/kind.ts';
import { defineChild, updatable } from '../../../model/kind/kind.ts';
import { ruleProtection, weakerThanBefore } from '../../common/protection.ts';
import type { ItemWire } from './items.ts';
import {
  createSteps,
  expandItems,
  irreplaceable,
  isReadOnly,
  itemComments,
  itemsIn,
  keepProtected,
  removeSteps,
  replaceSteps,
  untouchable,
} from './items.ts';
import { judgeCustomRules } from './judge.ts';
import { traceCustomRules } from './trace.ts';
import type { Names } from './names.ts';
import { numberIn, OPERATORS, RULE_ACTIONS, SEVERITIES, withNames } from './names.ts';
import { configurationOf, idIn, keyIn, named, text, understand } from './wire.ts';
import { premiumBlocker, inShield, tierToBe, whenActive, zoneRead } from './zone/wire.ts';

export interface ShieldCustomRuleSpec {
  readonly name: string;
  readonly description: string;
  readonly action: string | number;
  readonly variable: string;
  readonly subselector: string;
  readonly operator: string | number;
  readonly severity: string | number;
  readonly value: string;
}

const NAMES: Readonly<Record<string, Names>> = { action: RULE_ACTIONS, operator: OPERATORS, severity: SEVERITIES };
const WIRE: ItemWire = {
  plural: 'waf_custom_rules',
  nameKey: 'rule_name',
  label: 'custom WAF rule',
  rule: 'SHD-14',
};
const WRITTEN = ['description', 'action', 'variable', 'subselector', 'operator', 'severity', 'value'] as const;

const protection = ruleProtection({ open: ['allow', 'bypass'], watch: 'log', stop: ['challenge', 'block'] });

export const shieldCustomRule = defineChild<ShieldCustomRuleSpec>({
  kind: 'ShieldCustomRule',
  parent: 'Site',
  list: 'authoritative',
  section: {
    fields: ['shield/customRules'],
    expand: expandItems('customRules'),
    lint: judgeCustomRules,
    trace: traceCustomRules,
  },
  identity: 'name',
  fields: {
    name: { ...updatable(), lowers: 'never' },
    description: { ...updatable(), lowers: 'never' },
    action: { ...updatable(), lowers: protection.action },
    variable: { ...updatable(), lowers: protection.scope },
    subselector: { ...updatable(), lowers: protection.scope },
    operator: { ...updatable(), lowers: protection.scope },
    severity: { ...updatable(), lowers: protection.strength(weakerThanBefore(['notice', 'warning', 'critical'])) },
    value: { ...updatable(), lowers: protection.scope },
  },
  normalise: (spec) => withNames(spec, NAMES),
  reads: { zone: zoneRead, items: { path: whenActive(`/${WIRE.plural}`), after: ['zone'] } },
  decode: (answers) => itemsIn(answers, WIRE).map(decodeRule),
  // Only making one takes a premium plan; a rule that is there can be changed on any (SHD-14).
  blockers: (answers, context) =>
    tierToBe({ ...context, answers }) === 'basic'
      ? Object.fromEntries(
          context.declared.members.map(({ identity }) => [identity, premiumBlocker('a new custom WAF rule', 'SHD-14')]),
        )
      : {},
  status: ({ computed }) => (computed.readOnly === true ? { is: 'platform-managed' } : undefined),
  create: {
    writes: ['name', ...WRITTEN],
    steps: (context) => createSteps(context.parent, WIRE, context.desired.name as string, encodeRule(context)),
  },
  update: {
    replace: {
      writes: ['name', ...WRITTEN],
      refuse: (_desired, { computed }) => irreplaceable(computed),
      steps: (context) => replaceSteps(context, WIRE, encodeRule(context)),
    },
  },
  remove: {
    risk: ['delete'],
    refuse: ({ computed }) => untouchable(computed),
    steps: (context) => removeSteps(context, WIRE),
  },
  order: keepProtected('ShieldCustomRule'),
  manifest: {
    comments: ({ computed }) => itemComments(computed),
  },
  capabilities: {
    dependsOn: inShield,
  },
});

function decodeRule(row: JsonObject) {
  const { configuration } = configurationOf(row);
  const variable = variableIn(configuration);
  const id = idIn(row);
  const { spec, unclear } = understand([
    ['name', keyIn(row, 'rule_name') ?? id, text],
    ['description', keyIn(row, 'rule_description') ?? '', text],
    ['action', keyIn(configuration, 'action_type'), named(RULE_ACTIONS)],
    ['variable', variable.name, text],
    ['subselector', variable.subselector ?? '', text],
    ['operator', keyIn(configuration, 'operator_type'), named(OPERATORS)],
    ['severity', keyIn(configuration, 'severity_type') ?? 0, named(SEVERITIES)],
    ['value', keyIn(configuration, 'value') ?? '', text],
  ]);
  const computed = {
    hasId: id !== undefined,
    unclear,
    beyond: beyondWriting(configuration, variable.more),
    readOnly: isReadOnly(row),
  };
  return { id: id ?? '', spec: spec, computed };
}

/** A variable and its subselector, as they are written or as a map from one to the other (GAP-29). */
export function variableIn(configuration: JsonObject): {
  readonly name?: Json | undefined;
  readonly subselector?: Json | undefined;
  readonly more: boolean;
} {
  const map = keyIn(configuration, 'variable_types');
  if (!isJsonObject(map))
    return {
      name: keyIn(configuration, 'variable_type'),
      subselector: keyIn(configuration, 'variable_subselector'),
      more: false,
    };
  const [first, ...others] = Object.entries(map);
  return { name: first?.[0], subselector: first?.[1], more: others.length > 0 };
}

/** What the live rule has and no write can say, in words. */
function beyondWriting(configuration: JsonObject, isManyVariables: boolean): readonly string[] {
  const isFilled = (key: string): boolean => {
    const value = keyIn(configuration, key);
    return Array.isArray(value) ? value.length > 0 : value === true;
  };
  return [
    ...(isFilled('is_negated') ? ['negation'] : []),
    ...(isFilled('is_regex_variable') ? ['a variable by pattern'] : []),
    ...(isFilled('transformation_types') ? ['transformations'] : []),
    ...(isFilled('chained_rule_conditions') ? ['further conditions'] : []),
    ...(isManyVariables ? ['several variables'] : []),
  ];
}

/** All documented fields, the nested object whole (GAP-33). */
function encodeRule({ desired, observed }: StepContext<ShieldCustomRuleSpec>): JsonObject {
  const { name, description, action, variable, subselector, operator, severity, value } = {
    description: '',
    subselector: '',
    severity: 'notice',
    value: '',
    ...observed,
    ...desired,
  } as ShieldCustomRuleSpec;
  return {
    rule_name: name,
    rule_description: description,
    rule_configuration: {
      action_type: numberIn(RULE_ACTIONS, action),
      variable_type: variable,
      variable_subselector: subselector,
      operator_type: numberIn(OPERATORS, operator),
      severity_type: numberIn(SEVERITIES, severity),
      value,
    },
  };
}
