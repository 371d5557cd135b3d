// What the platform remembers of a site's edge rules. Tests change it directly ("behind the engine's back").

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
