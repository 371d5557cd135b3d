// What a custom WAF rule is on the wire: one condition and an action as written, more than that as read.
import { isRecord, refuse, unknownKeys } from '../core/http/endpoint.ts';
import type { Answer } from '../core/http/endpoint.ts';
import { withoutEmptyTexts } from '../core/present.ts';
import type { World } from '../core/world.ts';
import type { CollectionKind, Written } from './collection.ts';
import { formProblems } from './forms.ts';
import type { Forms } from './forms.ts';
import { configuredRow, idOf, inCase } from './shapes.ts';
import type { Row } from './shapes.ts';
import { configuredItem } from './state.ts';
import type { ConfiguredItem, ShieldZone } from './state.ts';
import { isPremium, premiumRequired } from './tiers.ts';

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
  // SHD-13: a custom WAF rule needs its name and has six documented keys of configuration.
  const refusal = misshapen(world, body, before);
  return refusal === undefined ? writtenRule(body) : { refused: refusal };
}

function misshapen(world: World, body: Row, before: ConfiguredItem | undefined): Answer | undefined {
  const refusal = unknownKeys(body, WRITTEN);
  if (refusal !== undefined) return refusal;
  const problems = [
    ...nameProblems(world, body, before),
    ...formProblems(body, { rule_name: 'text', rule_description: 'text', rule_configuration: 'object' }),
  ];
  const configuration = body['rule_configuration'];
  if (isRecord(configuration)) {
    const strange = unknownKeys(configuration, Object.keys(CONFIGURATION));
    if (strange !== undefined) return strange;
    problems.push(...formProblems(configuration, CONFIGURATION, 'rule_configuration.'));
  }
  return problems.length === 0 ? undefined : refuse(422, null, ...problems);
}

/** GAP-33: where a change replaces everything, it needs the name too. */
export function nameProblems(world: World, body: Row, before: unknown, key = 'rule_name'): readonly string[] {
  const mayLack = before !== undefined && world.ambiguities['GAP-33'] === 'partial' && body[key] === undefined;
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
    world.ambiguities['GAP-29.variables'] === 'map' && variable_type !== undefined
      ? { variable_types: { [variable_type as string]: variable_subselector ?? '' }, ...rest }
      : written;
  const beyond =
    world.ambiguities['GAP-29.beyond'] === 'shown' ? { is_negated, transformation_types, chained_rule_conditions } : {};
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
  stored: (zone) => zone.customRules,
  make: configuredItem,
  // SHD-14: making a custom WAF rule takes a premium plan. SHD-14/update: changing one does not.
  mayCreate: (world, zone) => (isPremium(world, zone.tier) ? undefined : premiumRequired()),
  read,
  show,
};
