// The bot detection of a site's Shield: one document with a path of its own. Writing it takes a premium Shield plan
// (SHD-15).
import { unclearComments } from '../../../model/kind/to-manifest.ts';
import type { Json, JsonObject } from '../../../model/json.ts';
import { isJsonObject } from '../../../model/json.ts';
import { defineChild, updatable } from '../../../model/kind/kind.ts';
import { unlessOn, weakerThanBefore } from '../../common/protection.ts';
import type { Names } from './names.ts';
import { AGGRESSIONS, BOT_MODES, BOT_SENSITIVITIES, withNames } from './names.ts';
import type { Parse } from './wire.ts';
import { bodyOf, flag, keyIn, named, understand, unwrap } from './wire.ts';
import {
  pathIn,
  premiumBlocker,
  blockers,
  inShield,
  tierToBe,
  unclearBlocker,
  whenActive,
  zoneRead,
} from './zone/wire.ts';
import { objectSection } from '../../common/sections.ts';
import { readBack } from '../../common/steps.ts';

export interface ShieldBotDetectionSpec {
  readonly executionMode: string | number;
  readonly requestIntegritySensitivity: string | number;
  readonly ipAddressSensitivity: string | number;
  readonly browserFingerprintSensitivity: string | number;
  readonly browserFingerprintAggression: string | number;
  readonly browserFingerprintComplexEnabled: boolean;
}

type Field = keyof ShieldBotDetectionSpec;

const NAMES: Readonly<Record<string, Names>> = {
  executionMode: BOT_MODES,
  requestIntegritySensitivity: BOT_SENSITIVITIES,
  ipAddressSensitivity: BOT_SENSITIVITIES,
  browserFingerprintSensitivity: BOT_SENSITIVITIES,
  browserFingerprintAggression: AGGRESSIONS,
};

/** By field: its key in a flat answer, and its group and key in a nested one (GAP-29). */
const PLACES: Readonly<Record<Field, readonly [flat: string, group: string, key: string]>> = {
  executionMode: ['execution_mode', '', ''],
  requestIntegritySensitivity: ['request_integrity_sensitivity', 'request_integrity', 'sensitivity'],
  ipAddressSensitivity: ['ip_address_sensitivity', 'ip_address', 'sensitivity'],
  browserFingerprintSensitivity: ['browser_fingerprint_sensitivity', 'browser_fingerprint', 'sensitivity'],
  browserFingerprintAggression: ['browser_fingerprint_aggression', 'browser_fingerprint', 'aggression'],
  browserFingerprintComplexEnabled: ['browser_fingerprint_complex_enabled', 'browser_fingerprint', 'complex_enabled'],
};
const ALL = Object.keys(PLACES) as readonly Field[];

const lessSensitive = weakerThanBefore(['off', 'low', 'medium', 'high']);

export const shieldBotDetection = defineChild<ShieldBotDetectionSpec>({
  kind: 'ShieldBotDetection',
  parent: 'Site',
  list: 'singleton',
  section: objectSection('shield/botDetection'),
  fields: {
    executionMode: { ...updatable(), lowers: weakerThanBefore(['log', 'challenge']) },
    requestIntegritySensitivity: { ...updatable(), lowers: lessSensitive },
    ipAddressSensitivity: { ...updatable(), lowers: lessSensitive },
    browserFingerprintSensitivity: { ...updatable(), lowers: lessSensitive },
    // `custom` is neither more nor less than another.
    browserFingerprintAggression: { ...updatable(), lowers: weakerThanBefore(['low', 'medium', 'high']) },
    browserFingerprintComplexEnabled: { ...updatable(), lowers: unlessOn },
  },
  normalise: (spec) => withNames(spec, NAMES),
  reads: { zone: zoneRead, bots: { path: whenActive('/bot_detection'), after: ['zone'] } },
  decode: (answers, context) => {
    const bots = unwrap(answers.bots, (row) => keyIn(row, 'execution_mode') !== undefined);
    const { spec, unclear } = understand(ALL.map((field) => [field, valueOf(bots, field), parseOf(field)]));
    return [{ id: 'bots', spec, computed: { unclear, isBasic: tierToBe({ ...context, answers }) === 'basic' } }];
  },
  create: { reason: 'the platform shows no bot detection', remedy: 'Run plan again.', rule: 'SHD-15' },
  update: {
    settings: {
      writes: ALL,
      refuse: (desired, { computed }) => {
        if (computed.isBasic === true) return premiumBlocker('a change of the bot detection', 'SHD-15');
        const unclear = (computed.unclear as readonly string[]).filter((field) => field in desired);
        return unclear.length === 0 ? null : unclearBlocker(unclear);
      },
      steps: ({ parent, desired, changed }) => [
        {
          do: 'request',
          name: 'bots',
          method: 'PATCH',
          path: pathIn(parent, '/bot_detection'),
          body: bodyOf(changed, desired, NAMES),
          idempotent: true,
          answers: [...blockers, { status: '2xx', then: 'done' }],
          reason: 'write the settings that differ',
          rule: 'SHD-15',
        },
        readBack('a refusal may come as a success', 'GAP-32'),
      ],
    },
  },
  manifest: {
    comments: ({ computed }) => unclearComments(computed),
  },
  capabilities: {
    dependsOn: inShield,
  },
});

function valueOf(bots: JsonObject, field: Field): Json | undefined {
  const [flat, group, key] = PLACES[field];
  const nested = keyIn(bots, group);
  return keyIn(bots, flat) ?? (isJsonObject(nested) ? keyIn(nested, key) : undefined);
}

function parseOf(field: Field): Parse {
  const names = NAMES[field];
  return names === undefined ? flag : named(names);
}
