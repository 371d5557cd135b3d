// What the platform remembers of a site's Shield: the zone, its settings, custom rules, rate limits, access lists,
// events. Tests change it directly ("behind the engine's back").
import type { Hidden } from '../core/lists.ts';

export const TIERS = ['basic', 'advanced', 'business', 'enterprise'] as const;
export type Tier = (typeof TIERS)[number];

/** Under the names that a write gives them: how they read is not documented. */
export class BotDetection {
  execution_mode = 0;
  request_integrity_sensitivity = 0;
  ip_address_sensitivity = 0;
  browser_fingerprint_sensitivity = 0;
  browser_fingerprint_aggression = 1;
  browser_fingerprint_complex_enabled = false;
}

export interface ShieldItem {
  readonly id: string;
  /** What the id is where ids of these things are integers. */
  readonly number: number;
  name: string;
  description: string | null;
  hidden: Hidden;
}

/** A custom WAF rule (its keys as written, and those that no write can express) or a rate limit (whatever was sent). */
export interface ConfiguredItem extends ShieldItem {
  configuration: Record<string, unknown>;
}

export interface AccessList extends ShieldItem {
  type: number;
  content: string;
  checksum: string | null;
}

interface ShieldEvent {
  atMs: number;
  entry: Record<string, unknown>;
}

export class ShieldZone {
  /** false: soft-deactivated. */
  active = true;
  tier: Tier = 'basic';
  waf: { enabled: boolean; executionMode: number; disabledRules: string[]; logOnlyRules: string[] } = {
    enabled: true,
    executionMode: 0,
    disabledRules: [],
    logOnlyRules: [],
  };
  learning: { on: boolean; untilMs: number | null } = { on: false, untilMs: null };
  ddos: { sensitivity: number; executionMode: number; challengeWindow: number } = {
    sensitivity: 2,
    executionMode: 1,
    challengeWindow: 3600,
  };
  whitelabel = false;
  bots = new BotDetection();
  customRules: ConfiguredItem[] = [];
  rateLimits: ConfiguredItem[] = [];
  accessLists: AccessList[] = [];
  events: ShieldEvent[] = [];
  /** Whether the WAF was on when the zone was deactivated. */
  wafBefore: boolean | null = null;
}

export interface Shield {
  /** null: never provisioned. */
  zone: ShieldZone | null;
  /** Shield's own API fails: every call that needs it answers 502. */
  upstreamDown: boolean;
}

/** A zone in everyday use: WAF on, in mode Log, nothing learning, nothing special. `given` overrides any of it. */
export function shieldZone(given: Partial<ShieldZone> = {}): ShieldZone {
  return Object.assign(new ShieldZone(), given);
}

export type GivenItem<Item extends ShieldItem> = Pick<Item, 'id' | 'number' | 'name'> & Partial<Item>;

export function configuredItem(given: GivenItem<ConfiguredItem>): ConfiguredItem {
  return { description: null, hidden: null, configuration: {}, ...given };
}

export function accessList(given: GivenItem<AccessList>): AccessList {
  return { description: null, hidden: null, type: 0, content: '', checksum: null, ...given };
}
