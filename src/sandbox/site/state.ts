// What the platform remembers of a site beside its domains: edge rules, PHP variants, cache layers, backup volumes.
// Tests change it directly ("behind the engine's back").

export interface EdgeAction {
  ActionType: number;
  ActionParameter1: string | null;
  ActionParameter2: string | null;
  ActionParameter3: string | null;
}

export interface EdgeTrigger {
  Type: number;
  PatternMatchingType: number;
  Parameter1: string | null;
  PatternMatches: string[];
}

/** Under the keys that the CDN behind the platform gives them. */
export interface EdgeRule extends EdgeAction {
  readonly Guid: string;
  TriggerMatchingType: number;
  Description: string | null;
  Enabled: boolean;
  OrderIndex: number;
  Triggers: EdgeTrigger[];
  ExtraActions: EdgeAction[];
}

/** GAP-25: the prefix of the platform's own rules is reserved and not documented; nobody can know it from outside. */
export const SYSTEM_PREFIX = '[platform] ';

export function isSystemRule(rule: EdgeRule): boolean {
  return rule.Description?.startsWith(SYSTEM_PREFIX) ?? false;
}

export interface PhpVariant {
  readonly id: number;
  readonly label: string;
  /** What new sites get; not what this one runs. */
  readonly isDefault: boolean;
}

export const LAYERS = ['redis', 'nginx', 'cdn'] as const;
export type Layer = (typeof LAYERS)[number];

export interface CacheLayer {
  on: boolean;
  purges: number;
}

interface Archive {
  readonly id: string;
  name: string;
  createdAt: number;
}

export interface Volume {
  readonly id: number;
  readonly label: string;
  sizeGb: number;
  usageGb: number;
  archives: Archive[];
  /** The archive that was restored last. */
  restoredFrom: string | null;
}

/** Ids differ from site to site: a label means another id on each. `serial` is the site's own number. */
export function phpVariants(serial: number): PhpVariant[] {
  return ['8.1', '8.2', '8.3'].map((label, index) => ({
    id: serial * 100 + index + 1,
    label,
    isDefault: label === '8.3',
  }));
}

export function cacheLayers(): Record<Layer, CacheLayer> {
  return { redis: { on: false, purges: 0 }, nginx: { on: false, purges: 0 }, cdn: { on: true, purges: 0 } };
}

export function volumes(serial: number): Volume[] {
  return ['content', 'database'].map((label, index) => ({
    id: serial * 10 + index + 1,
    label,
    sizeGb: 2.5 - index,
    usageGb: 1.25 - index / 2,
    archives: [],
    restoredFrom: null,
  }));
}

/** Puts a rule on a site without any of the checks of the API. */
export function addEdgeRule(
  site: { edgeRules: EdgeRule[] },
  given: Pick<EdgeRule, 'Guid'> & Partial<EdgeRule>,
): EdgeRule {
  const rule: EdgeRule = {
    ActionType: 0,
    ActionParameter1: null,
    ActionParameter2: null,
    ActionParameter3: null,
    TriggerMatchingType: 0,
    Description: null,
    Enabled: true,
    OrderIndex: site.edgeRules.length,
    Triggers: [],
    ExtraActions: [],
    ...given,
  };
  site.edgeRules.push(rule);
  return rule;
}
