// What a collection of Shield is to its endpoints, and two of them on the wire: custom WAF rules, and rate limits, whose
// configuration is passed on and judged by the upstream alone.
import { filledText, integer, textOrNull } from '../core/http/schema.ts';
import type { Properties, Value } from '../core/http/schema.ts';
import { isRecord, refuse } from '../core/http/endpoint.ts';
import type { Answer, Row } from '../core/http/endpoint.ts';
import type { World } from '../core/world.ts';
import { configuredRow, inCase, inSnakeCase } from './shapes.ts';
import { configuredItem } from './state.ts';
import type { ConfiguredItem, ShieldItem, ShieldZone } from './state.ts';
import { acceptWithError, isPremium, longestTimeframe, premiumRequired } from './tiers.ts';
import type { Collection } from './tiers.ts';

/** What a body says, without what it leaves out. */
export type Written<Item extends ShieldItem> = Partial<Omit<Item, 'id' | 'number' | 'hidden'>>;

export interface CollectionKind<Item extends ShieldItem> {
  /** The last word of its path, and the name of its list. */
  readonly plural: string;
  readonly single: string;
  readonly collection: Collection;
  /** As the oracle of creations names it. */
  readonly label: string;
  stored(zone: ShieldZone): Item[];
  make(given: Pick<Item, 'id' | 'number' | 'name'> & Written<Item>): Item;
  refuseCreate?(world: World, zone: ShieldZone): void;
  body(world: World, isNew: boolean): Properties;
  /** The body of a create (`before` undefined) or of a change. */
  read(world: World, zone: ShieldZone, body: Row, before: Item | undefined): Written<Item>;
  show(world: World, item: Item, inList: boolean): Row;
  /** The whole list, where it is more than rows in an envelope. */
  wrap?(world: World, rows: readonly Row[]): Answer;
  /** Rows that are the platform's own: they can be read by id, and not changed. */
  builtIn?(world: World): readonly Item[];
}

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
function writtenRule(body: Row): Written<ConfiguredItem> {
  const { rule_name: name, rule_description: description, rule_configuration: configuration } = body;
  return {
    ...(typeof name === 'string' ? { name } : {}),
    ...(description === undefined ? {} : { description: description as string | null }),
    ...(isRecord(configuration) ? { configuration } : {}),
  };
}

function showRule(world: World, item: ConfiguredItem): Row {
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
  return configuredRow(world, item, inCase(world, { ...configuration, ...beyond }));
}

export const customRules: CollectionKind<ConfiguredItem> = {
  plural: 'waf_custom_rules',
  single: 'waf_custom_rule',
  collection: 'customRules',
  label: 'custom WAF rule',
  stored: (zone) => zone.customRules,
  make: configuredItem,
  // SHD-14: making a custom WAF rule takes a premium plan. SHD-14/update: changing one does not.
  refuseCreate: (world, zone) => (isPremium(world, zone.tier) ? undefined : premiumRequired()),
  // SHD-13: a custom WAF rule needs its name and has six documented keys of configuration.
  body: (world, isNew) => ({
    rule_name: nameOf(world, isNew),
    rule_description: textOrNull,
    rule_configuration: { type: 'object', properties: CONFIGURATION },
  }),
  read: (_world, _zone, body) => writtenRule(body),
  show: showRule,
};

const TIMEFRAMES: readonly unknown[] = [1, 10, 60, 300, 900, 3600];

/** GAP-30: what the upstream may show beside what it was sent. */
const DEFAULTS: Row = {
  isNegated: false,
  isRegexVariable: false,
  counterKeyType: 0,
  transformationTypes: [],
  chainedRuleConditions: [],
};

function read(world: World, zone: ShieldZone, body: Row): Written<ConfiguredItem> {
  const configuration = body['rule_configuration'];
  if (isRecord(configuration)) refuseUpstream(world, zone, configuration);
  // SHD-16: the configuration of a rate limit is stored as it was sent.
  return writtenRule(body);
}

/** What the upstream does not take. */
function refuseUpstream(world: World, zone: ShieldZone, configuration: Row): void {
  const strange =
    world.ambiguities['GAP-30.keys'] === 'camel' ? Object.keys(configuration).filter((key) => key.includes('_')) : [];
  if (strange.length > 0) refuse(422, null, ...strange.map((key) => `'${key}' is unknown`));
  const { timeframe } = configuration;
  if (timeframe === undefined) return;
  // SHD-18: a timeframe is one of six.
  if (!TIMEFRAMES.includes(timeframe)) refuse(422, null, `timeframe must be one of ${TIMEFRAMES.join(', ')}`);
  const longest = longestTimeframe(world, zone.tier);
  // SHD-18/plan: a timeframe beyond the plan is refused with the longest allowed, and nothing is saved.
  if (Number(timeframe) <= longest) return;
  const message = `The longest timeframe of this plan is ${longest} seconds`;
  const reading = world.ambiguities['GAP-30'];
  if (reading === 'accepted-with-error') acceptWithError(message);
  refuse(Number(reading), null, message);
}

function showLimit(world: World, item: ConfiguredItem): Row {
  const stored =
    world.ambiguities['GAP-30.defaults'] === 'added' ? { ...DEFAULTS, ...item.configuration } : item.configuration;
  const configuration = world.ambiguities['GAP-30.read'] === 'snake' ? inSnakeCase(stored) : stored;
  return configuredRow(world, item, configuration);
}

export const rateLimits: CollectionKind<ConfiguredItem> = {
  plural: 'rate_limits',
  single: 'rate_limit',
  collection: 'rateLimits',
  label: 'rate limit',
  stored: (zone) => zone.rateLimits,
  make: configuredItem,
  // SHD-17: name and description have ASCII letters, digits and spaces only.
  body: (world, isNew) => ({
    rule_name: { ...nameOf(world, isNew), pattern: /^[A-Za-z0-9 ]+$/ },
    rule_description: { ...textOrNull, pattern: /^[A-Za-z0-9 ]*$/ },
    rule_configuration: { type: 'object', required: isNew },
  }),
  read,
  show: showLimit,
};
