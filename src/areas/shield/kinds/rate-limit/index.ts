// A rate limit of a site's Shield: what counts, up to how often, in which time, and what then happens. The list is
// authoritative, by name (SHD-27). It must not drop what the live configuration holds and the manifest does not
// mention: it is forwarded whole, as it is (SHD-16, SHD-20).
import type { JsonObject } from '../../../../model/json.ts';
import { escapePointer, valueAt } from '../../../../model/json.ts';
import { withoutEmpty } from '../../../../model/kind/to-manifest.ts';
import type { Lint } from '../../../../model/kind/kind.ts';
import { defineChild, unordered, updatable } from '../../../../model/kind/kind.ts';
import { ruleProtection, unlessHigher, unlessLower, weakerThanBefore } from '../../../common/protection.ts';
import type { ItemWire } from '../items.ts';
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
} from '../items.ts';
import { judgeRateLimits } from '../judge.ts';
import { traceRateLimits } from '../trace.ts';
import type { ShieldRateLimitSpec } from './wire.ts';
import {
  decodeLimit,
  encodeLimit,
  encodeVerbatim,
  FIELD_OF,
  isVerbatim,
  normaliseLimit,
  REQUIRED_FIELDS,
} from './wire.ts';
import { camelCase } from '../wire.ts';
import { inShield, whenActive, zoneRead } from '../zone/wire.ts';

const WIRE: ItemWire = {
  plural: 'rate_limits',
  nameKey: 'rule_name',
  label: 'rate limit',
  rule: 'SHD-16',
};
const WRITTEN = [
  'description',
  'action',
  'requestCount',
  'timeframe',
  'blockTime',
  'countBy',
  'severity',
  'conditions',
  'transformations',
  'configuration',
] as const;

const protection = ruleProtection({ open: [], watch: 'log', stop: ['challenge', 'rateLimit'] });

export const shieldRateLimit = defineChild<ShieldRateLimitSpec>({
  kind: 'ShieldRateLimit',
  parent: 'Site',
  list: 'authoritative',
  section: {
    fields: ['shield/rateLimits'],
    expand: expandItems('rateLimits'),
    lint: (spec) => [...lintConfiguration(spec), ...judgeRateLimits(spec)],
    trace: traceRateLimits,
  },
  identity: 'name',
  fields: {
    name: { ...updatable(), lowers: 'never' },
    description: { ...updatable(), lowers: 'never' },
    action: { ...updatable(), lowers: protection.action },
    requestCount: { ...updatable(), lowers: protection.strength(unlessLower) },
    // As many requests in less time are more.
    timeframe: { ...updatable(), lowers: protection.strength(unlessHigher) },
    blockTime: { ...updatable(), lowers: protection.strength(unlessHigher) },
    countBy: { ...updatable(), lowers: protection.scope },
    severity: { ...updatable(), lowers: protection.strength(weakerThanBefore(['notice', 'warning', 'critical'])) },
    conditions: { ...unordered(), lowers: protection.scope },
    transformations: { ...unordered(), lowers: protection.scope },
    // What its keys mean no document says (SHD-16).
    configuration: { ...updatable(), lowers: protection.scope },
  },
  normalise: normaliseLimit,
  reads: { zone: zoneRead, items: { path: whenActive(`/${WIRE.plural}`), after: ['zone'] } },
  decode: (answers) =>
    itemsIn(answers, WIRE).map((row) => {
      const { id, spec, unclear, configuration, isFlat } = decodeLimit(row);
      return {
        id: id ?? '',
        spec,
        computed: { hasId: id !== undefined, unclear, configuration, isFlat, readOnly: isReadOnly(row) },
      };
    }),
  status: ({ computed }) => (computed.readOnly === true ? { is: 'platform-managed' } : undefined),
  create: {
    writes: ['name', ...WRITTEN],
    steps: ({ parent, desired }) => createSteps(parent, WIRE, desired.name as string, encodeLimit(desired, {})),
  },
  update: {
    replace: {
      writes: ['name', ...WRITTEN],
      refuse: (desired, { computed }) =>
        irreplaceable({
          ...computed,
          unclear: (computed.unclear as readonly string[]).filter((field) => field in desired),
        }),
      // Of a row whose keys stand side by side, only what is declared is sent beside what is known (GAP-29).
      steps: ({ observed, desired, computed, ...context }) =>
        replaceSteps(
          context,
          WIRE,
          isVerbatim(desired)
            ? encodeVerbatim({ ...observed, ...desired })
            : encodeLimit({ ...observed, configuration: {}, ...desired }, computed.configuration as JsonObject),
        ),
    },
  },
  remove: {
    risk: ['delete'],
    refuse: ({ computed }) => untouchable(computed),
    steps: (context) => removeSteps(context, WIRE),
  },
  order: keepProtected('ShieldRateLimit'),
  manifest: {
    item: ({ spec, computed }) => withoutEmpty(saysAll(spec, computed) ? wholeOf(spec) : wordedOf(spec, computed)),
    comments: ({ spec, computed }) => (saysAll(spec, computed) ? [] : itemComments(computed)),
  },
  capabilities: {
    dependsOn: inShield,
  },
});

/** The live configuration is known as a whole, and the fields cannot say all of it. */
function saysAll(spec: Partial<ShieldRateLimitSpec>, { unclear, isFlat }: JsonObject): boolean {
  const isWorded =
    ((unclear ?? []) as readonly string[]).length === 0 &&
    REQUIRED_FIELDS.every((field) => spec[field] !== undefined) &&
    spec.conditions?.length !== 0;
  return isFlat === false && !isWorded;
}

function wholeOf({ name, description, configuration }: Partial<ShieldRateLimitSpec>): JsonObject {
  return { name: name as string, description: description ?? '', configuration: configuration ?? {} };
}

function wordedOf({ configuration = {}, ...fields }: Partial<ShieldRateLimitSpec>, { isFlat }: JsonObject): JsonObject {
  const further = Object.fromEntries(Object.entries(configuration).filter(([key]) => !(key in FIELD_OF)));
  // Which keys of a flat row are its own and which the configuration's, nothing tells.
  const isTold = isFlat !== true && Object.keys(further).length > 0;
  return { ...(fields as unknown as JsonObject), ...(isTold && { configuration: further }) };
}

/** Either the fields say what it does, or the configuration says all; a key that has a field is said there alone. */
function lintConfiguration(spec: JsonObject): readonly Lint[] {
  return (valueAt(spec, '/shield/rateLimits') as readonly JsonObject[]).flatMap((limit, index): readonly Lint[] => {
    if (isVerbatim(limit)) return [];
    const pointer = `/shield/rateLimits/${index}`;
    const missing = REQUIRED_FIELDS.filter((field) => limit[field] === undefined);
    if (missing.length > 0)
      return [
        {
          is: 'missing',
          pointer,
          what: `The rate limit has no ${missing.map((field) => `\`${field}\``).join(', ')}. Only a \`configuration\` that says all, without any of the other fields, does without.`,
        },
      ];
    return Object.keys((limit.configuration ?? {}) as JsonObject).flatMap((key) => {
      const field = FIELD_OF[camelCase(key)];
      return field === undefined
        ? []
        : [
            {
              is: 'contradiction',
              pointer: `${pointer}/configuration/${escapePointer(key)}`,
              what: `The key \`${key}\` is written as the field \`${field}\` of the rate limit.`,
            } as const,
          ];
    });
  });
}
