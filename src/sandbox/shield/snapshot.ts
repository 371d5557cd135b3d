// How a Shield zone looks in a hand-written fixture.
import type { ShieldItem, ShieldZone } from './state.ts';

/** Items by name, without their ids, and without events. */
export function shieldSnapshot(zone: ShieldZone | null): unknown {
  if (zone === null) return null;
  const { active, tier, waf, learning, ddos, whitelabel, bots } = zone;
  const named = (items: readonly ShieldItem[]): unknown =>
    Object.fromEntries(
      [...items]
        .sort((left, right) => (left.name < right.name ? -1 : 1))
        .reduce<[string, unknown][]>((pairs, { id: _id, number: _number, hidden: _hidden, name, ...content }) => {
          // A name that comes twice shows its items as a list.
          const last = pairs.at(-1);
          if (last?.[0] === name) last[1] = [last[1], content].flat();
          else pairs.push([name, content]);
          return pairs;
        }, []),
    );
  return {
    active,
    plan: tier,
    learning: learning.on,
    ddos,
    whitelabel,
    bots,
    waf: { ...waf, disabledRules: [...waf.disabledRules].sort(), logOnlyRules: [...waf.logOnlyRules].sort() },
    customRules: named(zone.customRules),
    rateLimits: named(zone.rateLimits),
    accessLists: named(zone.accessLists),
  };
}
