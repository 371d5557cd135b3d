// What the plans of Shield allow and what moving between them does. None of it has a price here.
import { answerAtOnce, refuse } from '../core/http/endpoint.ts';
import type { World } from '../core/world.ts';
import { TIERS, BotDetection } from './state.ts';
import type { ConfiguredItem, ShieldZone, Tier } from './state.ts';

export type Collection = 'customRules' | 'rateLimits' | 'accessLists';

/** The sandbox's own numbers: the documents say that there may be limits, not which. */
const LONGEST_SECONDS: Readonly<Record<Tier, number>> = { basic: 10, advanced: 300, business: 900, enterprise: 3600 };
const MOST_ITEMS: Readonly<
  Record<Collection, readonly [basic: number, advanced: number, business: number, enterprise: number]>
> = {
  customRules: [0, 10, 25, 50],
  rateLimits: [2, 10, 25, Infinity],
  accessLists: [1, 5, 10, Infinity],
};

/** GAP-32: which plans are premium is not documented; that `premium` writes advanced suggests where they begin. */
export function isPremium(world: World, tier: Tier): boolean {
  return TIERS.indexOf(tier) >= (world.ambiguities['GAP-32'] === 'business-up' ? 2 : 1);
}

export function premiumRequired(): never {
  return refuse(403, 'shield_premium_required', 'This takes a premium Shield plan');
}

/** GAP-30: the longest timeframe that the plan of the zone takes. */
export function longestTimeframe(world: World, tier: Tier): number {
  return world.ambiguities['GAP-30.longest'] === 'none' ? Infinity : LONGEST_SECONDS[tier];
}

/** GAP-32: whether one more may be made. */
export function refuseMore({ ambiguities }: World, zone: ShieldZone, collection: Collection): void {
  const most = MOST_ITEMS[collection][TIERS.indexOf(zone.tier)] ?? Infinity;
  if (ambiguities['GAP-32.items'] === 'unlimited' || zone[collection].length < most) return;
  const message = `The Shield plan ${zone.tier} takes at most ${most} of these`;
  if (ambiguities['GAP-32.items'] === 'refused') refuse(422, null, message);
  acceptWithError(message);
}

/** A success by its status, and nothing is saved: an upstream's refusal that was passed on. */
export function acceptWithError(message: string): never {
  return answerAtOnce({ status: 202, body: { errors: [message] } });
}

/** Moves the zone to another plan; where it is refused, it stays where it is, and nothing else is saved either. */
export function changeTier(world: World, zone: ShieldZone, tier: Tier): void {
  const steps = TIERS.indexOf(tier) - TIERS.indexOf(zone.tier);
  const { 'GAP-32.upgrade': upgrade, 'GAP-32.downgrade': downgrade } = world.ambiguities;
  if (steps > 0 && upgrade === 'refused') refuse(402, null, 'A higher Shield plan costs');
  if (steps > 0 && upgrade === 'accepted-with-error') acceptWithError('A higher Shield plan costs');
  const lost = steps < 0 ? beyond(world, zone, tier) : [];
  if (lost.length > 0 && downgrade === 'refused')
    refuse(422, null, 'The zone has more than the lower Shield plan allows');
  if (steps < 0 && downgrade === 'removed') reduce(world, zone, tier, lost);
  zone.tier = tier;
}

/** What only the plan that is left allows. */
function beyond(world: World, zone: ShieldZone, tier: Tier): readonly ConfiguredItem[] {
  const longest = longestTimeframe(world, tier);
  const tooLong = zone.rateLimits.filter(({ configuration }) => Number(configuration['timeframe'] ?? 0) > longest);
  return isPremium(world, tier) ? tooLong : [...zone.customRules, ...tooLong];
}

function reduce(world: World, zone: ShieldZone, tier: Tier, lost: readonly ConfiguredItem[]): void {
  zone.customRules = zone.customRules.filter((one) => !lost.includes(one));
  zone.rateLimits = zone.rateLimits.filter((one) => !lost.includes(one));
  if (!isPremium(world, tier)) zone.bots = new BotDetection();
}
