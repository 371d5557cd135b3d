// Every word of Shield stands for a number: a manifest may write either, and both are one document and one request.
import { describe, expect, it } from 'vitest';
import { registry } from '../../../src/areas/index.ts';
import * as names from '../../../src/areas/shield/kinds/names.ts';
import type { Names } from '../../../src/areas/shield/kinds/names.ts';
import { validators } from '../../../src/manifest/generated/validator-table.ts';
import type { Json, JsonObject } from '../../../src/model/json.ts';
import type { Kind } from '../../../src/model/kind/kind.ts';
import { normaliseSpec } from '../../../src/model/kind/normalise.ts';
import { itemToManifest } from '../../../src/planner/to-manifest.ts';

const RULE = { name: 'x', action: 'block', variable: 'REQUEST_URI', operator: 'contains' };
const LIMIT = {
  name: 'x',
  action: 'log',
  requestCount: 1,
  timeframe: 60,
  conditions: [{ variable: 'A', operator: 'rx' }],
};
const LIST = { name: 'x', type: 'ip', content: [] };

type Words = readonly [kind: string, section: string, field: string, names: Names, around: JsonObject];

const WORDS: readonly Words[] = [
  ['ShieldWaf', 'waf', 'executionMode', names.MODES, {}],
  ['ShieldDdos', 'ddos', 'sensitivity', names.DDOS_SENSITIVITIES, {}],
  ['ShieldDdos', 'ddos', 'executionMode', names.MODES, {}],
  ['ShieldBotDetection', 'botDetection', 'executionMode', names.BOT_MODES, {}],
  ['ShieldBotDetection', 'botDetection', 'requestIntegritySensitivity', names.BOT_SENSITIVITIES, {}],
  ['ShieldBotDetection', 'botDetection', 'ipAddressSensitivity', names.BOT_SENSITIVITIES, {}],
  ['ShieldBotDetection', 'botDetection', 'browserFingerprintSensitivity', names.BOT_SENSITIVITIES, {}],
  ['ShieldBotDetection', 'botDetection', 'browserFingerprintAggression', names.AGGRESSIONS, {}],
  ['ShieldCustomRule', 'customRules', 'action', names.RULE_ACTIONS, RULE],
  ['ShieldCustomRule', 'customRules', 'operator', names.OPERATORS, RULE],
  ['ShieldCustomRule', 'customRules', 'severity', names.SEVERITIES, RULE],
  ['ShieldRateLimit', 'rateLimits', 'action', names.LIMIT_ACTIONS, LIMIT],
  ['ShieldRateLimit', 'rateLimits', 'countBy', names.COUNTED_BY, LIMIT],
  ['ShieldRateLimit', 'rateLimits', 'severity', names.SEVERITIES, LIMIT],
  ['ShieldAccessList', 'accessLists', 'type', names.LIST_TYPES, LIST],
];

function isValid(section: string, item: JsonObject): boolean {
  const value: Json = section.endsWith('s') && section !== 'ddos' ? [item] : item;
  const manifest = {
    apiVersion: 'hostwright/v1',
    kind: 'Site',
    metadata: { name: 'x' },
    spec: { shield: { [section]: value } },
  };
  return validators.Site?.(manifest) === true;
}

describe('case 51, GAP-28: the words of Shield', () => {
  it.each(WORDS)('%s.%s.%s are taken by name and by number, as one', (kindName, section, field, table, around) => {
    const kind = registry.get(kindName) as Kind;
    for (const [word, number] of Object.entries(table)) {
      const [named, numbered] = [word, number].map((value) => ({ ...around, [field]: value })) as [
        JsonObject,
        JsonObject,
      ];
      expect([word, isValid(section, named), isValid(section, numbered)]).toEqual([word, true, true]);
      expect(normaliseSpec(kind, numbered)).toEqual(normaliseSpec(kind, named));
    }
  });

  it.each(WORDS)(
    '%s.%s.%s are what is exported, a number only where it has no name',
    (kindName, section, field, table, around) => {
      const kind = registry.get(kindName) as Kind;
      for (const number of [...new Set(Object.values(table)), 90]) {
        const spec = normaliseSpec(kind, { ...around, [field]: number });
        const { value } = itemToManifest(kind, { identity: 'x', id: 'x', spec, computed: {} });
        const said = (value as JsonObject)[field];
        expect(said).toBe(number === 90 ? 90 : Object.keys(table).find((name) => table[name] === number));
        expect(normaliseSpec(kind, value as JsonObject)).toEqual(spec);
        // Of the modes of the WAF there are two (SHD-09).
        expect(isValid(section, { ...around, ...(value as JsonObject) })).toBe(
          number !== 90 || kindName !== 'ShieldWaf',
        );
      }
    },
  );
});
