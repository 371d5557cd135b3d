// The rules that `explain` knows: those that a plan, a report or a diagnostic can print.
import type { ExplainedRule } from '../../../model/explained.ts';
import { ACCOUNT_RULES } from './account.ts';
import { CDN_RULES } from './cdn.ts';
import { MAIL_RULES } from './mail.ts';
import { OPEN_RULES } from './open.ts';
import { ORDER_RULES } from './order.ts';
import { REGISTRATION_RULES } from './registration.ts';
import type { RuleTable } from './rule.ts';
import { SITE_RULES } from './site.ts';

export const RULES: RuleTable = {
  ...ORDER_RULES,
  ...SITE_RULES,
  ...CDN_RULES,
  ...MAIL_RULES,
  ...REGISTRATION_RULES,
  ...ACCOUNT_RULES,
  ...OPEN_RULES,
};

/** What is known of a rule; undefined where there is no such rule. */
export function explainRule(id: string): ExplainedRule | undefined {
  const found = Object.hasOwn(RULES, id) ? RULES[id] : undefined;
  if (found === undefined) return undefined;
  const [says, means, fix] = found;
  return { rule: id, says, means, ...(fix !== undefined && { fix }) };
}
