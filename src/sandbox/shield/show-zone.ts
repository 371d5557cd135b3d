// How a Shield zone, its WAF and its bot detection read.
import { blank, dateTime, listOrNull } from '../core/present.ts';
import { inListOrder } from '../core/world.ts';
import type { World } from '../core/world.ts';
import { inCase } from './shapes.ts';
import type { Row } from './shapes.ts';
import type { ShieldZone } from './state.ts';

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
  switch (reading) {
    case 'capital':
      return name;
    case 'lower':
      return name.toLowerCase();
    case 'upper':
      return name.toUpperCase();
    case 'digits':
      return String(mode);
    case 'words':
      return WORDS[of][mode] ?? name;
  }
}

/** GAP-29: the documents do not show how the WAF config reads at its own path. */
export function showWafConfig(world: World, zone: ShieldZone): Row {
  const { enabled, execution_mode, disabled_rules, log_only_rules, ...learning } = showWaf(world, zone);
  switch (world.ambiguities['GAP-29.waf']) {
    case 'block':
      return inCase(world, { enabled, execution_mode, disabled_rules, log_only_rules, ...learning });
    case 'wrapped':
      return { waf: inCase(world, { enabled, execution_mode, disabled_rules, log_only_rules, ...learning }) };
    case 'written':
      return {
        waf_enabled: enabled,
        waf_execution_mode: zone.waf.executionMode,
        waf_disabled_rules: disabled_rules,
        waf_log_only_rules: log_only_rules,
      };
  }
}

/** GAP-29: nor how the bot detection reads. */
export function showBots(world: World, { bots }: ShieldZone): Row {
  switch (world.ambiguities['GAP-29.bots']) {
    case 'flat':
      return inCase(world, { ...bots });
    case 'wrapped':
      return { bot_detection: inCase(world, { ...bots }) };
    case 'nested':
      return inCase(world, {
        execution_mode: bots.execution_mode,
        request_integrity: { sensitivity: bots.request_integrity_sensitivity },
        ip_address: { sensitivity: bots.ip_address_sensitivity },
        browser_fingerprint: {
          sensitivity: bots.browser_fingerprint_sensitivity,
          aggression: bots.browser_fingerprint_aggression,
          complex_enabled: bots.browser_fingerprint_complex_enabled,
        },
      });
  }
}
