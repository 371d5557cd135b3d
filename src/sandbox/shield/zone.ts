// How a Shield zone, its WAF and its bot detection read, and what a write makes of them: its settings, its activation and
// deactivation.
import { boolean, integer, texts } from '../core/http/schema.ts';
import type { Properties, Value } from '../core/http/schema.ts';
import { refuse } from '../core/http/endpoint.ts';
import type { Call, Row } from '../core/http/endpoint.ts';
import { inListOrder } from '../core/world.ts';
import type { World } from '../core/world.ts';
import { TIERS, shieldZone } from './state.ts';
import type { BotDetection, ShieldZone } from './state.ts';
import { changeTier, isPremium, premiumRequired } from './tiers.ts';
import { inCase } from './shapes.ts';
import { blank, dateTime, listOrNull } from '../core/present.ts';

export function showZone(world: World, zone: ShieldZone): Row {
  const { sensitivity, executionMode, challengeWindow } = zone.ddos;
  const waf = showWaf(world, zone);
  const ddos = {
    sensitivity: !zone.active && world.ambiguities['GAP-27.ddos'] === 'zero' ? 0 : sensitivity,
    execution_mode: modeText(world, executionMode, 'ddos'),
    challenge_window: challengeWindow,
  };
  // SHD-05: the zone reads nested: active, plan, waf, ddos, whitelabel_response_pages.
  const row = {
    active: zone.active,
    // SHD-07: the plan reads as a text.
    plan: zone.tier,
    whitelabel_response_pages: zone.whitelabel,
    waf,
    ddos,
  };
  return world.ambiguities['GAP-29.zone'] === 'wrapped' ? { shield: row } : row;
}

function showWaf(world: World, { waf, learning }: ShieldZone): Row {
  const over = learning.untilMs !== null && world.clock.now() >= learning.untilMs;
  const forgotten = learning.untilMs === null || (over && world.ambiguities.learningEnd === 'ends-cleared');
  return {
    enabled: waf.enabled,
    execution_mode: modeText(world, waf.executionMode, 'waf'),
    disabled_rules: listOrNull(world, inListOrder(world, waf.disabledRules)),
    log_only_rules: listOrNull(world, inListOrder(world, waf.logOnlyRules)),
    learning_mode: learning.on && (!over || world.ambiguities.learningEnd === 'stays'),
    learning_mode_until: forgotten ? blank() : dateTime(learning.untilMs ?? 0),
  };
}

const WORDS = { waf: ['Detection', 'Prevention'], ddos: ['Observe', 'Mitigate'] } as const;

/** GAP-28: the texts are not documented, and for DDoS not even what the integers mean. */
function modeText(world: World, mode: number, of: 'waf' | 'ddos'): unknown {
  // SHD-07/modes: the execution modes read as texts.
  const reading =
    of === 'ddos' && world.ambiguities['GAP-28.ddos'] !== 'like-waf'
      ? world.ambiguities['GAP-28.ddos']
      : world.ambiguities['GAP-28'];
  const name = ['Log', 'Block'][mode] ?? `Mode${mode}`;
  const texts = {
    capital: name,
    lower: name.toLowerCase(),
    upper: name.toUpperCase(),
    digits: String(mode),
    words: WORDS[of][mode] ?? name,
  };
  return texts[reading];
}

/** GAP-29: the documents do not show how the WAF config reads at its own path. */
export function showWafConfig(world: World, zone: ShieldZone): Row {
  const block = showWaf(world, zone);
  const written = {
    waf_enabled: block['enabled'],
    waf_execution_mode: zone.waf.executionMode,
    waf_disabled_rules: block['disabled_rules'],
    waf_log_only_rules: block['log_only_rules'],
  };
  const shown = inCase(world, block);
  return { block: shown, wrapped: { waf: shown }, written }[world.ambiguities['GAP-29.waf']];
}

/** GAP-29: nor how the bot detection reads. */
export function showBots(world: World, { bots }: ShieldZone): Row {
  const flat = inCase(world, { ...bots });
  const nested = inCase(world, {
    execution_mode: bots.execution_mode,
    request_integrity: { sensitivity: bots.request_integrity_sensitivity },
    ip_address: { sensitivity: bots.ip_address_sensitivity },
    browser_fingerprint: {
      sensitivity: bots.browser_fingerprint_sensitivity,
      aggression: bots.browser_fingerprint_aggression,
      complex_enabled: bots.browser_fingerprint_complex_enabled,
    },
  });
  return { flat, nested, wrapped: { bot_detection: flat } }[world.ambiguities['GAP-29.bots']];
}

export const MANAGED_GROUPS: readonly Row[] = [
  {
    name: 'SQL injection',
    description: 'Statements in parameters',
    rules: [managed('942100', 'SQL in a parameter'), managed('942190', 'SQL comment')],
  },
  {
    name: 'Cross-site scripting',
    description: 'Scripts in parameters',
    rules: [managed('941100', 'Script tag'), managed('941160', 'Event attribute')],
  },
];

const KNOWN_IDS: readonly unknown[] = MANAGED_GROUPS.flatMap((group) =>
  (group['rules'] as Row[]).map((one) => one['rule_id']),
);

function isManagedRule(ruleId: string): boolean {
  return KNOWN_IDS.includes(ruleId);
}

function managed(ruleId: string, description: string): Row {
  return { rule_id: ruleId, description };
}

type Fields = Readonly<Row>;

const DAY_MS = 86_400_000;
/** How long learning takes: not documented, only that it has an end. */
const LEARNING_MS = 7 * DAY_MS;

export const WAF_BODY: Properties = {
  waf_enabled: boolean,
  // SHD-09: the WAF mode is 0 Log or 1 Block.
  waf_execution_mode: integer(0, 1),
  waf_disabled_rules: texts,
  waf_log_only_rules: texts,
};

export function zoneBody(call: Call): Properties {
  return {
    plan_type: integer(0, TIERS.length - 1),
    premium: boolean,
    learning_mode: boolean,
    ...WAF_BODY,
    ddos_sensitivity: openInteger(call, 4),
    ddos_execution_mode: openInteger(call, 1),
    ddos_challenge_window: openInteger(call, DAY_MS / 1000),
    whitelabel_response_pages: boolean,
  };
}

export function botsBody(call: Call): Properties {
  const level = openInteger(call, 4);
  return {
    execution_mode: openInteger(call, 1),
    request_integrity_sensitivity: level,
    ip_address_sensitivity: level,
    browser_fingerprint_sensitivity: level,
    browser_fingerprint_aggression: level,
    browser_fingerprint_complex_enabled: boolean,
  };
}

/** GAP-28: an integer whose range the documents do not give. */
function openInteger(world: World, most: number): Value {
  return integer(0, world.ambiguities['GAP-28.ranges'] === 'narrow' ? most : Number.MAX_SAFE_INTEGER);
}

export function writeZone(world: World, zone: ShieldZone, fields: Fields): void {
  refuseRules(world, fields);
  const tier = wantedTier(fields);
  if (tier !== undefined) changeTier(world, zone, tier);
  // SHD-06: a write of the zone is flat and leaves what it does not send.
  if (fields['learning_mode'] !== undefined)
    zone.learning = fields['learning_mode'] === true ? learningFrom(world, zone) : { on: false, untilMs: null };
  setWaf(world, zone, fields);
  zone.ddos = {
    sensitivity: (fields['ddos_sensitivity'] as number | undefined) ?? zone.ddos.sensitivity,
    executionMode: (fields['ddos_execution_mode'] as number | undefined) ?? zone.ddos.executionMode,
    challengeWindow: (fields['ddos_challenge_window'] as number | undefined) ?? zone.ddos.challengeWindow,
  };
  zone.whitelabel = (fields['whitelabel_response_pages'] as boolean | undefined) ?? zone.whitelabel;
}

export function writeWaf(world: World, zone: ShieldZone, fields: Fields): void {
  refuseRules(world, fields);
  setWaf(world, zone, fields);
}

export function writeBots(world: World, zone: ShieldZone, fields: Fields): void {
  // SHD-15: bot detection is written on a premium plan only.
  if (!isPremium(world, zone.tier)) premiumRequired();
  // SHD-15/partial: a write of the bot detection leaves what it does not send.
  zone.bots = { ...zone.bots, ...(fields as Partial<BotDetection>) };
}

/** GAP-29: whether ids of managed rules that are unknown are refused. */
function refuseRules(world: World, fields: Fields): void {
  if (world.ambiguities['GAP-29.ruleIds'] !== 'refused') return;
  const ids = ['waf_disabled_rules', 'waf_log_only_rules'].flatMap(
    (key) => (fields[key] as string[] | undefined) ?? [],
  );
  const unknown = ids.filter((id) => !isManagedRule(id));
  if (unknown.length > 0) refuse(422, null, ...unknown.map((id) => `There is no rule '${id}'`));
}

/** Where both are sent, the plan itself decides. */
function wantedTier(fields: Fields): ShieldZone['tier'] | undefined {
  if (typeof fields['plan_type'] === 'number') return TIERS[fields['plan_type']];
  // SHD-08: premium true writes the plan advanced, false basic.
  if (fields['premium'] === undefined) return undefined;
  return fields['premium'] === true ? 'advanced' : 'basic';
}

/** Learning that goes on already keeps its end. */
function learningFrom(world: World, { learning }: ShieldZone): ShieldZone['learning'] {
  const now = world.clock.now();
  return learning.on && learning.untilMs !== null && now < learning.untilMs
    ? learning
    : { on: true, untilMs: now + LEARNING_MS };
}

function setWaf(world: World, zone: ShieldZone, fields: Fields): void {
  const { waf } = zone;
  zone.waf = {
    enabled: (fields['waf_enabled'] as boolean | undefined) ?? waf.enabled,
    executionMode: (fields['waf_execution_mode'] as number | undefined) ?? waf.executionMode,
    disabledRules: ruleIds(world, waf.disabledRules, fields['waf_disabled_rules']),
    logOnlyRules: ruleIds(world, waf.logOnlyRules, fields['waf_log_only_rules']),
  };
}

function ruleIds(world: World, stored: string[], sent: unknown): string[] {
  if (sent === undefined) return stored;
  // SHD-11: the lists of rule ids are written whole.
  return (sent as string[]).filter((id) => world.ambiguities['GAP-29.ruleIds'] !== 'dropped' || isManagedRule(id));
}

/** GAP-27: what a zone comes with that nobody has written to. */
export function freshZone(world: World): ShieldZone {
  const zone = shieldZone();
  const reading = world.ambiguities['GAP-27.fresh'];
  zone.waf.enabled = reading !== 'off';
  zone.waf.executionMode = reading === 'blocking' ? 1 : 0;
  if (reading === 'learning') zone.learning = learningFrom(world, zone);
  return zone;
}

export function deactivate(world: World, zone: ShieldZone): void {
  if (zone.active) zone.wafBefore = zone.waf.enabled;
  zone.active = false;
  zone.waf.enabled = false;
  zone.learning = { on: false, untilMs: null };
  if (world.ambiguities['GAP-27.items'] === 'removed')
    Object.assign(zone, { customRules: [], rateLimits: [], accessLists: [] });
}

/** GAP-27: how a deactivated zone comes back. */
export function reactivate(world: World, zone: ShieldZone): void {
  const reading = world.ambiguities['GAP-27.post'];
  zone.active = true;
  if (reading === 'fresh') {
    const { tier, waf, learning, ddos, whitelabel, bots } = freshZone(world);
    Object.assign(zone, { tier, waf, learning, ddos, whitelabel, bots });
  }
  if (reading === 'as-before') zone.waf.enabled = zone.wafBefore ?? zone.waf.enabled;
  if (reading === 'as-left' && world.ambiguities['GAP-27.ddos'] === 'zero') zone.ddos.sensitivity = 0;
  zone.wafBefore = null;
}
