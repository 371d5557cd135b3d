// Whether a request gets as far as Shield, and how it is activated, read, set and deactivated: the zone, its WAF, its bot
// detection, its events.
import { done, ok, refuse, siteEndpoints } from '../../core/http/endpoint.ts';
import type { Answer, Call, SiteEndpoint } from '../../core/http/endpoint.ts';
import { inCase } from '../shapes.ts';
import type { Row } from '../shapes.ts';
import {
  WAF_BODY,
  botsBody,
  deactivate,
  freshZone,
  reactivate,
  showBots,
  showWafConfig,
  showZone,
  writeBots,
  writeWaf,
  writeZone,
  zoneBody,
} from '../zone.ts';
import type { ShieldZone } from '../state.ts';
import { isPremium, premiumRequired } from '../tiers.ts';
import type { Site, State } from '../../core/state.ts';
import { countCreation, inListOrder } from '../../core/world.ts';
import type { World } from '../../core/world.ts';

const PAGE = 25;
const DAY_MS = 86_400_000;

function readEvents(call: Call, zone: ShieldZone): Answer {
  const date = call.query.get('date');
  const dayMs = date === null || date === '' ? Math.floor(call.clock.now() / DAY_MS) * DAY_MS : dayOf(date);
  if (dayMs === undefined) return refuse(422, null, 'date must be MM-DD-YYYY');
  const token = call.query.get('continue');
  const start = token === null || token === '' ? 0 : offsetOf(token, dayMs);
  if (start === undefined) return refuse(422, null, 'continue is no token of that day');
  // SHD-24/day: events are those of one day, today unless another is asked for.
  const found = zone.events
    .filter(({ atMs }) => atMs >= dayMs && atMs < dayMs + DAY_MS)
    .sort((left, right) => right.atMs - left.atMs);
  // SHD-24: events come in pages, with a token that leads to the next one.
  const end = start + PAGE;
  const hasMoreData = end < found.length;
  return ok({
    logs: found
      .slice(start, end)
      .map(({ atMs, entry }) => inCase(call, { timestamp: new Date(atMs).toISOString(), ...entry })),
    hasMoreData,
    continuationToken: hasMoreData ? tokenFor(dayMs, end) : null,
    startToken: tokenFor(dayMs, start),
  });
}

function dayOf(date: string): number | undefined {
  const [, month, day, year] = /^(\d{2})-(\d{2})-(\d{4})$/.exec(date) ?? [];
  const atMs = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  return Number.isNaN(atMs) ? undefined : atMs;
}

/** Opaque to a client. */
function tokenFor(dayMs: number, offset: number): string {
  return Buffer.from(`${dayMs}/${offset}`).toString('base64url');
}

function offsetOf(token: string, dayMs: number): number | undefined {
  const [day, offset] = Buffer.from(token, 'base64url').toString().split('/');
  return day === String(dayMs) && /^\d+$/.test(offset ?? '') ? Number(offset) : undefined;
}

export type ShieldDemand = 'plan' | 'zone' | 'active';

export function shieldGuard(world: World, site: Site, { shield: demand }: SiteEndpoint): Answer | undefined {
  if (demand === undefined) return undefined;
  // SHD-01: a plan without Shield refuses every Shield endpoint.
  if (!planHasShield(world.state, site))
    return refuse(403, 'shield_not_in_plan', 'The plan of this site has no Shield');
  // SHD-02: a Shield that was never provisioned answers 409 shield_not_active.
  if (isMissing(world, site, demand)) return shieldNotActive();
  // SHD-25: a failing Shield upstream answers 502.
  return site.shield.upstreamDown ? refuse(502, null, 'The Shield upstream failed') : undefined;
}

function planHasShield(state: State, site: Site): boolean {
  return state.plans.find(({ shortName }) => shortName === site.package)?.shield ?? true;
}

/** GAP-27: whether a deactivated zone still reads, and what becomes of everything below it, is not documented. */
function isMissing(world: World, site: Site, demand: ShieldDemand): boolean {
  const { zone } = site.shield;
  if (demand === 'plan') return false;
  if (zone === null || zone.active) return zone === null;
  return world.ambiguities[demand === 'zone' ? 'GAP-27' : 'GAP-27.below'] === 'refuse';
}

function shieldNotActive(): Answer {
  return refuse(409, 'shield_not_active', 'Shield is not active on this site');
}

type ZoneHandler = (call: Call, zone: ShieldZone, site: Site) => Answer;

/** The guard has made sure that there is one. */
export function withZone(handle: ZoneHandler): (call: Call, site: Site) => Answer {
  return (call, site) =>
    site.shield.zone === null ? refuse(404, null, 'Not Found') : handle(call, site.shield.zone, site);
}

function activate(call: Call, site: Site): Answer {
  // SHD-03/zone: activating needs a pull zone, and without one says that Shield is not active.
  if (site.cdn.zone === 'none') {
    return call.ambiguities['GAP-26'] === 'cdn_not_active'
      ? refuse(409, 'cdn_not_active', 'The CDN of this site is not active')
      : shieldNotActive();
  }
  const { zone } = site.shield;
  if (zone === null) {
    site.shield.zone = freshZone(call);
    countCreation(call, `shield zone on ${site.id}`);
  } else if (!zone.active) {
    if (call.ambiguities['GAP-27.post'] === 'refuse') return refuse(422, null, 'Shield was deactivated');
    reactivate(call, zone);
    countCreation(call, `shield reactivation on ${site.id}`);
  } else if (call.ambiguities['GAP-27.repeat'] === 'refuse') {
    return refuse(422, null, 'Shield is active already');
  }
  // SHD-03: activating answers 201 and makes the zone.
  return ok(showZone(call, site.shield.zone ?? freshZone(call)), 201);
}

function deactivateZone(call: Call, zone: ShieldZone): Answer {
  // SHD-04: deactivating turns WAF and DDoS off and keeps the zone.
  deactivate(call, zone);
  return done(call, showZone(call, zone));
}

/** A write of a part of the zone, and how that part reads afterwards. */
function writing(
  write: (world: World, zone: ShieldZone, fields: Row) => Answer | undefined,
  show: (world: World, zone: ShieldZone) => Row,
): ZoneHandler {
  return (call, zone) => write(call, zone, call.body) ?? done(call, show(call, zone));
}

function writeBotDetection(world: World, zone: ShieldZone, fields: Row): Answer | undefined {
  // SHD-15: bot detection is written on a premium plan only.
  if (!isPremium(world, zone.tier)) return premiumRequired();
  writeBots(zone, fields);
  return undefined;
}

function listManagedRules(call: Call): Answer {
  const groups = inListOrder(call, call.state.managedRules).map((group) => inCase(call, group));
  // SHD-12: the managed rules are a bare list of groups.
  return ok(groups);
}

export const shieldEndpoints = siteEndpoints({ shield: 'active' }, '/shield', {
  GET: { shield: 'zone', handle: withZone((call, zone) => ok(showZone(call, zone))) },
  POST: { shield: 'plan', handle: activate },
  PATCH: { body: zoneBody, handle: withZone(writing(writeZone, showZone)) },
  DELETE: withZone(deactivateZone),
  'GET /waf': withZone((call, zone) => ok(showWafConfig(call, zone))),
  // SHD-10: the WAF path writes the same settings as the zone.
  'PATCH /waf': { body: WAF_BODY, handle: withZone(writing(writeWaf, showWafConfig)) },
  'GET /waf/rules': listManagedRules,
  'GET /bot_detection': withZone((call, zone) => ok(showBots(call, zone))),
  'PATCH /bot_detection': { body: botsBody, handle: withZone(writing(writeBotDetection, showBots)) },
  'GET /events': withZone(readEvents),
});
