// Decides what a rate limit is on the wire: a plain name, and a configuration that is passed on and that only the
// upstream judges. Must not know how it is found, nor what is counted.
import { isRecord, refuse, unknownKeys } from '../core/http/endpoint.ts';
import type { Answer } from '../core/http/endpoint.ts';
import { withoutEmptyTexts } from '../core/present.ts';
import { rule } from '../rules/rules.ts';
import type { World } from '../core/world.ts';
import type { CollectionKind, Written } from './collection.ts';
import { nameProblems, writtenRule } from './custom-rules.ts';
import { formProblems } from './forms.ts';
import { configuredRow, idOf, inSnakeCase } from './shapes.ts';
import type { Row } from './shapes.ts';
import { configuredItem } from './state.ts';
import type { ConfiguredItem, ShieldZone } from './state.ts';
import { acceptedWithError, longestTimeframe } from './tiers.ts';

const passedOn = rule('SHD-16', 'the configuration of a rate limit is stored as it was sent');
const creates = rule('SHD-16/created', 'a new rate limit answers 201');
const removes = rule('SHD-16/removed', 'a removed rate limit answers 204 and is gone');
const plainNames = rule('SHD-17', 'name and description have ASCII letters, digits and spaces only');
const sixTimeframes = rule('SHD-18', 'a timeframe is one of six');
const planTimeframes = rule(
  'SHD-18/plan',
  'a timeframe beyond the plan is refused with the longest allowed, and nothing is saved',
);

const TIMEFRAMES: readonly unknown[] = [1, 10, 60, 300, 900, 3600];

/** GAP-30: what the upstream may show beside what it was sent. */
const DEFAULTS: Row = {
  isNegated: false,
  isRegexVariable: false,
  counterKeyType: 0,
  transformationTypes: [],
  chainedRuleConditions: [],
};

function read(
  world: World,
  zone: ShieldZone,
  body: Row,
  before: ConfiguredItem | undefined,
): Written<ConfiguredItem> | { refused: Answer } {
  const refusal =
    unknownKeys(world, body, ['rule_name', 'rule_description', 'rule_configuration']) ?? misnamed(world, body, before);
  if (refusal !== undefined) return { refused: refusal };
  const configuration = body['rule_configuration'];
  const declined = isRecord(configuration) ? declinedBy(world, zone, configuration) : undefined;
  if (declined !== undefined) return { refused: declined };
  if (!isRecord(configuration)) return writtenRule(body);
  return { ...writtenRule(body), configuration: world.rules.on(passedOn) ? configuration : inSnakeCase(configuration) };
}

/** Before anything is sent to the upstream. */
function misnamed(world: World, body: Row, before: ConfiguredItem | undefined): Answer | undefined {
  const problems = [
    ...nameProblems(world, body, before),
    ...formProblems(body, { rule_name: 'text', rule_description: 'text', rule_configuration: 'object' }),
    ...(before === undefined && body['rule_configuration'] === undefined ? ['rule_configuration is missing'] : []),
  ];
  if (world.rules.on(plainNames)) {
    for (const key of ['rule_name', 'rule_description']) {
      if (typeof body[key] === 'string' && !/^[A-Za-z0-9 ]*$/.test(body[key]))
        problems.push(`${key} may have letters, digits and spaces only`);
    }
  }
  return problems.length === 0 ? undefined : refuse(world, 422, null, ...problems);
}

/** What the upstream says to it. */
function declinedBy(world: World, zone: ShieldZone, configuration: Row): Answer | undefined {
  const strange =
    world.readings['GAP-30.keys'] === 'camel' ? Object.keys(configuration).filter((key) => key.includes('_')) : [];
  if (strange.length > 0) return refuse(world, 422, null, ...strange.map((key) => `'${key}' is unknown`));
  const { timeframe } = configuration;
  if (timeframe === undefined) return undefined;
  if (!TIMEFRAMES.includes(timeframe) && world.rules.on(sixTimeframes))
    return refuse(world, 422, null, `timeframe must be one of ${TIMEFRAMES.join(', ')}`);
  const longest = longestTimeframe(world, zone.tier);
  if (Number(timeframe) <= longest || !world.rules.on(planTimeframes)) return undefined;
  const message = `The longest timeframe of this plan is ${longest} seconds`;
  const reading = world.readings['GAP-30'];
  return reading === 'accepted-with-error' ? acceptedWithError(message) : refuse(world, Number(reading), null, message);
}

function show(world: World, item: ConfiguredItem): Row {
  const stored =
    world.readings['GAP-30.defaults'] === 'added' ? { ...DEFAULTS, ...item.configuration } : item.configuration;
  const configuration = world.readings['GAP-30.read'] === 'snake' ? inSnakeCase(stored) : stored;
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
  creates,
  removes,
  stored: (zone) => zone.rateLimits,
  make: configuredItem,
  read,
  show,
};
