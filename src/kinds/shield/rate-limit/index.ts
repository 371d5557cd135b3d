// A rate limit of a site's Shield: what counts, up to how often, in which time, and what then happens. The list is
// authoritative, by name (SHD-27). It must not drop what the live configuration holds and the manifest does not
// mention: it is forwarded whole, as it is (SHD-16, SHD-20).
import type { JsonObject } from '../../../model/json.ts';
import { escapePointer, valueAt } from '../../../model/json.ts';
import { withoutEmpty } from '../../../model/kind/to-manifest.ts';
import type { Lint } from '../../../model/kind/kind.ts';
import { defineChild, immutable, unordered, updatable } from '../../../model/kind/kind.ts';
import { ruleProtection, unlessHigher, unlessLower, weakerThanBefore } from '../../common/protection.ts';
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
import type { ShieldRateLimitSpec } from './wire.ts';
import { decodeLimit, encodeLimit, FIELD_OF, normaliseLimit } from './wire.ts';
import { camelCase } from '../wire.ts';
import { destroy, modify, inShield, shieldGuards, whenActive, zoneRead } from '../zone/wire.ts';

// A refused timeframe may come as any error (GAP-30): what reading does not show is not tried again in the same run.
const WIRE: ItemWire = {
  plural: 'rate_limits',
  nameKey: 'rule_name',
  label: 'rate limit',
  ifNotFound: 'blocked',
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
  section: { fields: ['shield/rateLimits'], expand: expandItems('rateLimits'), lint: lintConfiguration },
  identity: 'name',
  fields: {
    name: { ...immutable('The name is the identity of a rate limit: another name is another one.'), lowers: 'never' },
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
  failures: shieldGuards,
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
    requires: modify,
    steps: ({ parent, desired }) => createSteps(parent, WIRE, desired.name as string, encodeLimit(desired, {})),
  },
  update: {
    replace: {
      writes: WRITTEN,
      requires: modify,
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
          encodeLimit({ ...observed, configuration: {}, ...desired }, computed.configuration as JsonObject),
        ),
    },
  },
  remove: {
    requires: destroy,
    risk: ['delete'],
    refuse: ({ computed }) => untouchable(computed),
    steps: (context) => removeSteps(context, WIRE),
  },
  order: keepProtected('ShieldRateLimit'),
  manifest: {
    item: ({ spec: { configuration, ...fields }, computed }) =>
      withoutEmpty({
        ...(fields as unknown as JsonObject),
        ...(configuration !== undefined && computed.isFlat !== true && { configuration }),
      }),
    comments: ({ computed }) => itemComments(computed),
  },
  capabilities: {
    dependsOn: inShield,
  },
});

/** A key that has a field of its own is said there alone. */
function lintConfiguration(spec: JsonObject): readonly Lint[] {
  return (valueAt(spec, '/shield/rateLimits') as readonly JsonObject[]).flatMap(({ configuration = {} }, index) =>
    Object.keys(configuration as JsonObject).flatMap((key) => {
      const field = FIELD_OF[camelCase(key)];
      return field === undefined
        ? []
        : [
            {
              is: 'contradiction',
              pointer: `/shield/rateLimits/${index}/configuration/${escapePointer(key)}`,
              what: `The key \`${key}\` is written as the field \`${field}\` of the rate limit.`,
            } as const,
          ];
    }),
  );
}
