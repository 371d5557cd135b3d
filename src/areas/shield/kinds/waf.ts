// The managed WAF of a site's Shield: on or off, its mode, and the rules that are off or only log. Read from the zone,
// written here alone (SHD-10). It must not overwrite a mode that it cannot read, nor begin to block before what lets
// wanted visitors through is there (GAP-28, O-24).
import { unclearComments } from '../../../model/kind/to-manifest.ts';
import type { JsonObject } from '../../../model/json.ts';
import { valueAt } from '../../../model/json.ts';
import type { Lint, OrderedAction } from '../../../model/kind/kind.ts';
import { defineChild, unordered, updatable } from '../../../model/kind/kind.ts';
import type { Lowers } from '../../../model/kind/protection.ts';
import { entriesOf, exceptWhileOff, moreEntries, unlessOn, weakerThanBefore } from '../../common/protection.ts';
import { managedRulesRead, unknownRules } from './managed-rules.ts';
import type { Names } from './names.ts';
import { MODES, withNames } from './names.ts';
import { bodyOf, flag, keyIn, named, texts, understand } from './wire.ts';
import { partOfZone, pathIn, blockers, inShield, unclearBlocker, zoneRead } from './zone/wire.ts';
import { objectSection } from '../../common/sections.ts';
import { readBack } from '../../common/steps.ts';

export interface ShieldWafSpec {
  readonly enabled: boolean;
  readonly executionMode: string | number;
  readonly disabledRules: readonly string[];
  readonly logOnlyRules: readonly string[];
}

const NAMES: Readonly<Record<string, Names>> = { executionMode: MODES };

/** A rule that was off before, and only logs now, is no less than before. */
const logsOnly: Lowers = (change) =>
  moreEntries({ ...change, was: [...entriesOf(change.was), ...entriesOf(change.before?.disabledRules)] });

export const shieldWaf = defineChild<ShieldWafSpec>({
  kind: 'ShieldWaf',
  parent: 'Site',
  list: 'singleton',
  section: { ...objectSection('shield/waf'), lint: lintRules },
  fields: {
    enabled: { ...updatable(), lowers: unlessOn },
    executionMode: { ...updatable(), lowers: exceptWhileOff('enabled', weakerThanBefore(['log', 'block'])) },
    disabledRules: { ...unordered(), lowers: exceptWhileOff('enabled', moreEntries) },
    logOnlyRules: { ...unordered(), lowers: exceptWhileOff('enabled', logsOnly) },
  },
  normalise: (spec) => ({
    ...withNames(spec, NAMES),
    ...(spec.disabledRules !== undefined && { disabledRules: spec.disabledRules.map(String) }),
    ...(spec.logOnlyRules !== undefined && { logOnlyRules: spec.logOnlyRules.map(String) }),
  }),
  reads: { zone: zoneRead, rules: managedRulesRead },
  decode: ({ zone }) => {
    const waf = partOfZone(zone, 'waf');
    const { spec, unclear } = understand([
      ['enabled', keyIn(waf, 'enabled'), flag],
      ['executionMode', keyIn(waf, 'execution_mode'), named(MODES)],
      // An empty list may read as null (CNV-02).
      ['disabledRules', keyIn(waf, 'disabled_rules') ?? [], texts],
      ['logOnlyRules', keyIn(waf, 'log_only_rules') ?? [], texts],
    ]);
    return [{ id: 'waf', spec, computed: { unclear } }];
  },
  create: { reason: 'the platform shows no WAF', remedy: 'Run plan again.', rule: 'SHD-05' },
  update: {
    settings: {
      writes: ['enabled', 'disabledRules', 'logOnlyRules'],
      refuse: (desired, { computed }) => unclearAmong(['disabledRules', 'logOnlyRules'], desired, computed),
      steps: (context) => write(context.parent, context.writing, context.desired),
    },
    mode: {
      writes: ['executionMode'],
      refuse: (desired, { computed }) => unclearAmong(['executionMode'], desired, computed),
      // With the others it goes in one request.
      steps: ({ parent, desired, writing }) => (writing.length > 1 ? [] : write(parent, writing, desired)),
    },
  },
  order: [
    {
      rule: 'O-24',
      reason: 'the WAF begins to block only when what lets wanted visitors through is there',
      within: 'parent',
      before: (action) => action.verb !== 'delete' && letsThrough(action),
      after: ({ kind, changes }) =>
        kind === 'ShieldWaf' &&
        changes.some(
          ({ path, value }) =>
            (path === '/executionMode' && value === 'block') || (path === '/enabled' && value === true),
        ),
    },
  ],
  manifest: {
    comments: ({ computed }) => unclearComments(computed),
  },
  capabilities: {
    dependsOn: inShield,
    doubts: (answers, { declared }) =>
      Object.fromEntries(declared.members.map(({ identity, spec }) => [identity, unknownRules(answers, spec)])),
  },
});

/** What may let wanted visitors through; of a rule that is only changed nobody knows what it does. */
function letsThrough({ kind, verb, changes }: OrderedAction): boolean {
  switch (kind) {
    case 'ShieldAccessList':
      return true;
    case 'ShieldCustomRule':
      return (
        verb === 'update' ||
        changes.some(({ path, value }) => path === '/action' && (value === 'allow' || value === 'bypass'))
      );
    default:
      return (
        kind === 'EdgeRule' && changes.some(({ value }) => /"Disable(WAF|Shield)/.test(JSON.stringify(value ?? null)))
      );
  }
}

function unclearAmong(fields: readonly string[], desired: object, { unclear }: JsonObject) {
  const found = fields.filter((field) => field in desired && (unclear as readonly string[]).includes(field));
  return found.length === 0 ? null : unclearBlocker(found);
}

function write(parent: string, fields: readonly string[], desired: Partial<ShieldWafSpec>) {
  return [
    {
      do: 'request',
      name: 'waf',
      method: 'PATCH',
      path: pathIn(parent, '/waf'),
      // A list is written whole (SHD-11).
      body: bodyOf(fields, desired, NAMES, 'waf_'),
      idempotent: true,
      answers: [...blockers, { status: '2xx', then: 'done' }],
      reason: 'write the settings that differ',
      rule: 'SHD-10',
    },
    readBack('ids of rules that nobody knows may be dropped without saying so', 'GAP-29'),
  ] as const;
}

/** A rule cannot be off and log at once. */
function lintRules(spec: JsonObject): readonly Lint[] {
  const list = (key: string): readonly string[] =>
    ((valueAt(spec, `/shield/waf/${key}`) ?? []) as readonly (string | number)[]).map(String);
  const off = new Set(list('disabledRules'));
  return list('logOnlyRules').flatMap((id, index) =>
    off.has(id)
      ? [
          {
            is: 'contradiction',
            pointer: `/shield/waf/logOnlyRules/${index}`,
            what: `The rule ${id} stands in disabledRules too: it cannot be off and log at once.`,
          } as const,
        ]
      : [],
  );
}
