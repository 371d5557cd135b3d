// Whether a request gets as far as Shield, and how it is activated, read, set and deactivated: the zone, its WAF, its bot
// detection, its events.
import { done, notFound, ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call, Endpoint, Row, Table } from '../../core/http/endpoint.ts';
import { endpointsOnSite, siteEndpoints } from '../../core/http/site-endpoints.ts';
import type { SiteDemands, SiteEndpoint } from '../../core/http/site-endpoints.ts';
import { inCase } from '../shapes.ts';
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
import type { Site } from '../../core/state.ts';
import { countCreation, inListOrder } from '../../core/world.ts';
import type { World } from '../../core/world.ts';

const PAGE = 25;
const DAY_MS = 86_400_000;

function readEvents(call: Call, zone: ShieldZone): Answer {
  const date = call.query.get('date');
  const dayMs = date === null || date === '' ? Math.floor(call.clock.now() / DAY_MS) * DAY_MS : dayOf(date);
  const token = call.query.get('continue');
  const start = token === null || token === '' ? 0 : offsetOf(token, dayMs);
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

function dayOf(date: string): number {
  const [, month, day, year] = /^(\d{2})-(\d{2})-(\d{4})$/.exec(date) ?? [];
  const atMs = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  return Number.isNaN(atMs) ? refuse(422, null, 'date must be MM-DD-YYYY') : atMs;
}

/** Opaque to a client. */
function tokenFor(dayMs: number, offset: number): string {
  return Buffer.from(`${dayMs}/${offset}`).toString('base64url');
}

function offsetOf(token: string, dayMs: number): number {
  const [day, offset] = Buffer.from(token, 'base64url').toString().split('/');
  if (day !== String(dayMs) || !/^\d+$/.test(offset ?? '')) refuse(422, null, 'continue is no token of that day');
  return Number(offset);
}

export type ShieldDemand = 'plan' | 'zone' | 'active';

export function shieldGuard(world: World, site: Site, { shield: demand }: SiteDemands): void {
  if (demand === undefined) return;
  // SHD-01: a plan without Shield refuses every Shield endpoint.
  const plan = world.state.plans.find(({ shortName }) => shortName === site.package);
  if (plan?.shield === false) refuse(403, 'shield_not_in_plan', 'The plan of this site has no Shield');
  // SHD-02: a Shield that was never provisioned answers 409 shield_not_active.
  if (isMissing(world, site, demand)) notActive();
  // SHD-25: a failing Shield upstream answers 502.
  if (site.shield.upstreamDown) refuse(502, null, 'The Shield upstream failed');
}

/** GAP-27: whether a deactivated zone still reads, and what becomes of everything below it, is not documented. */
function isMissing(world: World, site: Site, demand: ShieldDemand): boolean {
  const { zone } = site.shield;
  if (demand === 'plan') return false;
  if (zone === null || zone.active) return zone === null;
  return world.ambiguities[demand === 'zone' ? 'GAP-27' : 'GAP-27.below'] === 'refuse';
}

function notActive(): never {
  return refuse(409, 'shield_not_active', 'Shield is not active on this site');
}

/** Below the zone of a site. */
export function zoneEndpoints(path: string, table: Table<SiteEndpoint<ShieldZone>>): readonly Endpoint[] {
  return endpointsOnSite({ shield: 'active' }, `/shield${path}`, ({ shield }) => shield.zone ?? notFound(), table);
}

function activate(call: Call, site: Site): Answer {
  // SHD-03/zone: activating needs a pull zone, and without one says that Shield is not active.
  if (site.cdn.zone === 'none') {
    if (call.ambiguities['GAP-26'] === 'cdn_not_active')
      refuse(409, 'cdn_not_active', 'The CDN of this site is not active');
    notActive();
  }
  const { zone } = site.shield;
  if (zone === null) {
    site.shield.zone = freshZone(call);
    countCreation(call, `shield zone on ${site.id}`);
  } else if (!zone.active) {
    if (call.ambiguities['GAP-27.post'] === 'refuse') refuse(422, null, 'Shield was deactivated');
    reactivate(call, zone);
    countCreation(call, `shield reactivation on ${site.id}`);
  } else if (call.ambiguities['GAP-27.repeat'] === 'refuse') {
    refuse(422, null, 'Shield is active already');
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
  write: (world: World, zone: ShieldZone, fields: Row) => void,
  show: (world: World, zone: ShieldZone) => Row,
): (call: Call, zone: ShieldZone) => Answer {
  return (call, zone) => {
    write(call, zone, call.body);
    return done(call, show(call, zone));
  };
}

function listManagedRules(call: Call): Answer {
  const groups = inListOrder(call, call.state.managedRules).map((group) => inCase(call, group));
  // SHD-12: the managed rules are a bare list of groups.
  return ok(groups);
}

export const shieldEndpoints: readonly Endpoint[] = [
  ...siteEndpoints({ shield: 'plan' }, '/shield', { POST: activate }),
  ...zoneEndpoints('', {
    GET: { shield: 'zone', handle: (call, zone) => ok(showZone(call, zone)) },
    PATCH: { body: zoneBody, handle: writing(writeZone, showZone) },
    DELETE: deactivateZone,
    'GET /waf': (call, zone) => ok(showWafConfig(call, zone)),
    // SHD-10: the WAF path writes the same settings as the zone.
    'PATCH /waf': { body: WAF_BODY, handle: writing(writeWaf, showWafConfig) },
    'GET /waf/rules': listManagedRules,
    'GET /bot_detection': (call, zone) => ok(showBots(call, zone)),
    'PATCH /bot_detection': { body: botsBody, handle: writing(writeBots, showBots) },
    'GET /events': readEvents,
  }),
];
