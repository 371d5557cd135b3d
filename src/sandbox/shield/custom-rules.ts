// Decides what a custom WAF rule is on the wire: one condition and an action as written, more than that as read.
// Must not know how it is found, nor what the WAF makes of it.
import { isRecord, refuse, unknownKeys } from '../core/http/endpoint.ts';
import type { Answer } from '../core/http/endpoint.ts';
import { withoutEmptyTexts } from '../core/present.ts';
import { rule } from '../rules/rules.ts';
import type { World } from '../core/world.ts';
import type { CollectionKind, Written } from './collection.ts';
import { formProblems } from './forms.ts';
import type { Forms } from './forms.ts';
import { configuredRow, idOf, inCase } from './shapes.ts';
import type { Row } from './shapes.ts';
import { configuredItem } from './state.ts';
import type { ConfiguredItem, ShieldZone } from './state.ts';
import { isPremium, premiumRequired } from './tiers.ts';

const writeShape = rule('SHD-13', 'a custom WAF rule needs its name and has six documented keys of configuration');
const premiumCreate = rule('SHD-14', 'making a custom WAF rule takes a premium plan');
const freeUpdate = rule('SHD-14/update', 'changing a custom WAF rule does not');
const creates = rule('SHD-14/created', 'a new custom WAF rule answers 201');
const removes = rule('SHD-14/removed', 'a removed custom WAF rule answers 204 and is gone');

const WRITTEN: readonly string[] = ['rule_name', 'rule_description', 'rule_configuration'];

const CONFIGURATION: Forms = {
  action_type: [1, 5],
  variable_type: 'text',
  variable_subselector: 'text',
  operator_type: [0, Number.MAX_SAFE_INTEGER],
  severity_type: [0, 2],
  value: 'text',
};
/** What a rule may also be and no write can say. */
const BEYOND: Row = { is_negated: false, transformation_types: [], chained_rule_conditions: [] };

function read(
  world: World,
  _zone: ShieldZone,
  body: Row,
  before: ConfiguredItem | undefined,
): Written<ConfiguredItem> | { refused: Answer } {
  const refusal = world.rules.on(writeShape) ? misshapen(world, body, before) : undefined;
  return refusal === undefined ? writtenRule(body) : { refused: refusal };
}

function misshapen(world: World, body: Row, before: ConfiguredItem | undefined): Answer | undefined {
  const refusal = unknownKeys(world, body, WRITTEN);
  if (refusal !== undefined) return refusal;
  const problems = [
    ...nameProblems(world, body, before),
    ...formProblems(body, { rule_name: 'text', rule_description: 'text', rule_configuration: 'object' }),
  ];
  const configuration = body['rule_configuration'];
  if (isRecord(configuration)) {
    const strange = unknownKeys(world, configuration, Object.keys(CONFIGURATION));
    if (strange !== undefined) return strange;
    problems.push(...formProblems(configuration, CONFIGURATION, 'rule_configuration.'));
  }
  return problems.length === 0 ? undefined : refuse(world, 422, null, ...problems);
}

/** GAP-33: where a change replaces everything, it needs the name too. */
export function nameProblems(world: World, body: Row, before: unknown, key = 'rule_name'): readonly string[] {
  const mayLack = before !== undefined && world.readings['GAP-33'] === 'partial' && body[key] === undefined;
  return mayLack || (typeof body[key] === 'string' && body[key] !== '') ? [] : [`${key} is missing`];
}

/** The keys of a rule or a limit that are there. */
export function writtenRule(body: Row): Written<ConfiguredItem> {
  const { rule_name: name, rule_description: description, rule_configuration: configuration } = body;
  return {
    ...(typeof name === 'string' ? { name } : {}),
    ...(description === undefined ? {} : { description: description as string | null }),
    ...(isRecord(configuration) ? { configuration } : {}),
  };
}

function show(world: World, item: ConfiguredItem): Row {
  const { is_negated, transformation_types, chained_rule_conditions, ...written } = {
    ...BEYOND,
    ...item.configuration,
  };
  const { variable_type, variable_subselector, ...rest } = written;
  const configuration =
    world.readings['GAP-29.variables'] === 'map' && variable_type !== undefined
      ? { variable_types: { [variable_type as string]: variable_subselector ?? '' }, ...rest }
      : written;
  const beyond =
    world.readings['GAP-29.beyond'] === 'shown' ? { is_negated, transformation_types, chained_rule_conditions } : {};
  return configuredRow(
    world,
    {
      ...idOf(world, item, 'rule_id'),
      rule_name: item.name,
      ...withoutEmptyTexts(world, { rule_description: item.description }),
    },
    inCase(world, { ...configuration, ...beyond }),
  );
}

export const customRules: CollectionKind<ConfiguredItem> = {
  plural: 'waf_custom_rules',
  single: 'waf_custom_rule',
  collection: 'customRules',
  label: 'custom WAF rule',
  creates,
  removes,
  stored: (zone) => zone.customRules,
  make: configuredItem,
  mayCreate: (world, zone) =>
    isPremium(world, zone.tier) || !world.rules.on(premiumCreate) ? undefined : premiumRequired(world),
  mayChange: (world, zone) =>
    isPremium(world, zone.tier) || world.rules.on(freeUpdate) ? undefined : premiumRequired(world),
  read,
  show,
};
