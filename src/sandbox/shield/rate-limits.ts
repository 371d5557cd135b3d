// What a rate limit is on the wire: a plain name, and a configuration that is passed on and that only the upstream
// judges.
import { textOrNull } from '../core/http/schema.ts';
import { isRecord, refuse } from '../core/http/endpoint.ts';
import type { Answer } from '../core/http/endpoint.ts';
import { withoutEmptyTexts } from '../core/present.ts';
import type { World } from '../core/world.ts';
import type { CollectionKind, Written } from './collection.ts';
import { nameOf, writtenRule } from './custom-rules.ts';
import { configuredRow, idOf, inSnakeCase } from './shapes.ts';
import type { Row } from './shapes.ts';
import { configuredItem } from './state.ts';
import type { ConfiguredItem, ShieldZone } from './state.ts';
import { acceptedWithError, longestTimeframe } from './tiers.ts';

const TIMEFRAMES: readonly unknown[] = [1, 10, 60, 300, 900, 3600];

/** GAP-30: what the upstream may show beside what it was sent. */
const DEFAULTS: Row = {
  isNegated: false,
  isRegexVariable: false,
  counterKeyType: 0,
  transformationTypes: [],
  chainedRuleConditions: [],
};

function read(world: World, zone: ShieldZone, body: Row): Written<ConfiguredItem> | { refused: Answer } {
  const configuration = body['rule_configuration'];
  if (!isRecord(configuration)) return writtenRule(body);
  const declined = declinedBy(world, zone, configuration);
  // SHD-16: the configuration of a rate limit is stored as it was sent.
  return declined === undefined ? { ...writtenRule(body), configuration } : { refused: declined };
}

/** What the upstream says to it. */
function declinedBy(world: World, zone: ShieldZone, configuration: Row): Answer | undefined {
  const strange =
    world.ambiguities['GAP-30.keys'] === 'camel' ? Object.keys(configuration).filter((key) => key.includes('_')) : [];
  if (strange.length > 0) return refuse(422, null, ...strange.map((key) => `'${key}' is unknown`));
  const { timeframe } = configuration;
  if (timeframe === undefined) return undefined;
  // SHD-18: a timeframe is one of six.
  if (!TIMEFRAMES.includes(timeframe)) return refuse(422, null, `timeframe must be one of ${TIMEFRAMES.join(', ')}`);
  const longest = longestTimeframe(world, zone.tier);
  // SHD-18/plan: a timeframe beyond the plan is refused with the longest allowed, and nothing is saved.
  if (Number(timeframe) <= longest) return undefined;
  const message = `The longest timeframe of this plan is ${longest} seconds`;
  const reading = world.ambiguities['GAP-30'];
  return reading === 'accepted-with-error' ? acceptedWithError(message) : refuse(Number(reading), null, message);
}

function show(world: World, item: ConfiguredItem): Row {
  const stored =
    world.ambiguities['GAP-30.defaults'] === 'added' ? { ...DEFAULTS, ...item.configuration } : item.configuration;
  const configuration = world.ambiguities['GAP-30.read'] === 'snake' ? inSnakeCase(stored) : stored;
  return configuredRow(
    world,
    {
      ...idOf(world, item, 'rule_id'),
      rule_name: item.name,
      ...withoutEmptyTexts(world, { rule_description: item.description }),
    },
    configuration,
  );
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
  show,
};
