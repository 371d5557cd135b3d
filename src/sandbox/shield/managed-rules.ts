// Which managed WAF rules there are: a few made-up ones in two groups.
import type { Row } from './shapes.ts';

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

export function isManagedRule(ruleId: string): boolean {
  return KNOWN_IDS.includes(ruleId);
}

function managed(ruleId: string, description: string): Row {
  return { rule_id: ruleId, description };
}
