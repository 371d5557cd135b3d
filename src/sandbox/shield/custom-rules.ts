// What a custom WAF rule is on the wire: one condition and an action as written, more than that as read.
import { filledText, integer, textOrNull } from '../core/http/schema.ts';
import type { Properties, Value } from '../core/http/schema.ts';
import { isRecord } from '../core/http/endpoint.ts';
import { withoutEmptyTexts } from '../core/present.ts';
import type { World } from '../core/world.ts';
import type { CollectionKind, Written } from './collection.ts';
import { configuredRow, idOf, inCase } from './shapes.ts';
import type { Row } from './shapes.ts';
import { configuredItem } from './state.ts';
import type { ConfiguredItem } from './state.ts';
import { isPremium, premiumRequired } from './tiers.ts';

const CONFIGURATION: Properties = {
  action_type: integer(1, 5),
  variable_type: textOrNull,
  variable_subselector: textOrNull,
  operator_type: integer(0),
  severity_type: integer(0, 2),
  value: textOrNull,
};
/** What a rule may also be and no write can say. */
const BEYOND: Row = { is_negated: false, transformation_types: [], chained_rule_conditions: [] };

/** GAP-33: where a change replaces everything, it needs the name too. */
export function nameOf(world: World, isNew: boolean): Value {
  return isNew || world.ambiguities['GAP-33'] === 'full' ? filledText : { ...filledText, required: false };
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
  // SHD-13: a custom WAF rule needs its name and has six documented keys of configuration.
  body: (world, isNew) => ({
    rule_name: nameOf(world, isNew),
    rule_description: textOrNull,
    rule_configuration: { type: 'object', properties: CONFIGURATION },
  }),
  read: (_world, _zone, body) => writtenRule(body),
  show,
};
