// How Shield is activated, read, set and deactivated: the zone, its WAF, its bot detection, its events.
import { done, ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import { siteEndpoints } from '../../core/http/table.ts';
import { readEvents } from '../events.ts';
import { shieldNotActive } from '../guard.ts';
import { inCase } from '../shapes.ts';
import type { Row } from '../shapes.ts';
import { showBots, showWafConfig, showZone } from '../show-zone.ts';
import type { ShieldZone } from '../state.ts';
import { isPremium, premiumRequired } from '../tiers.ts';
import {
  WAF_BODY,
  botsBody,
  deactivate,
  freshZone,
  reactivate,
  writeBots,
  writeWaf,
  writeZone,
  zoneBody,
} from '../write-zone.ts';
import type { Site } from '../../core/state.ts';
import { countCreation, inListOrder } from '../../core/world.ts';
import type { World } from '../../core/world.ts';

type ZoneHandler = (call: Call, zone: ShieldZone, site: Site) => Answer;

/** The guard has made sure that there is one. */
export function withZone(handle: ZoneHandler): (call: Call, site: Site) => Answer {
  return (call, site) =>
    site.shield.zone === null ? refuse(404, null, 'Not Found') : handle(call, site.shield.zone, site);
}

function activate({ world }: Call, site: Site): Answer {
  // SHD-03/zone: activating needs a pull zone, and without one says that Shield is not active.
  if (site.cdn.zone === 'none') {
    return world.ambiguities['GAP-26'] === 'cdn_not_active'
      ? refuse(409, 'cdn_not_active', 'The CDN of this site is not active')
      : shieldNotActive();
  }
  const { zone } = site.shield;
  if (zone === null) {
    site.shield.zone = freshZone(world);
    countCreation(world, `shield zone on ${site.id}`);
  } else if (!zone.active) {
    if (world.ambiguities['GAP-27.post'] === 'refuse') return refuse(422, null, 'Shield was deactivated');
    reactivate(world, zone);
    countCreation(world, `shield reactivation on ${site.id}`);
  } else if (world.ambiguities['GAP-27.repeat'] === 'refuse') {
    return refuse(422, null, 'Shield is active already');
  }
  // SHD-03: activating answers 201 and makes the zone.
  return ok(showZone(world, site.shield.zone ?? freshZone(world)), 201);
}

function deactivateZone({ world }: Call, zone: ShieldZone): Answer {
  // SHD-04: deactivating turns WAF and DDoS off and keeps the zone.
  deactivate(world, zone);
  return done(world, showZone(world, zone));
}

/** A write of a part of the zone, and how that part reads afterwards. */
function writing(
  write: (world: World, zone: ShieldZone, fields: Row) => Answer | undefined,
  show: (world: World, zone: ShieldZone) => Row,
): ZoneHandler {
  return ({ world, body }, zone) => write(world, zone, body) ?? done(world, show(world, zone));
}

function writeBotDetection(world: World, zone: ShieldZone, fields: Row): Answer | undefined {
  // SHD-15: bot detection is written on a premium plan only.
  if (!isPremium(world, zone.tier)) return premiumRequired();
  writeBots(zone, fields);
  return undefined;
}

function listManagedRules({ world }: Call): Answer {
  const groups = inListOrder(world, world.state.managedRules).map((group) => inCase(world, group));
  // SHD-12: the managed rules are a bare list of groups.
  return ok(groups);
}

export const shieldEndpoints = siteEndpoints({ shield: 'active' }, '/shield', {
  GET: { shield: 'zone', handle: withZone(({ world }, zone) => ok(showZone(world, zone))) },
  POST: { shield: 'plan', handle: activate },
  PATCH: { body: zoneBody, handle: withZone(writing(writeZone, showZone)) },
  DELETE: withZone(deactivateZone),
  'GET /waf': withZone(({ world }, zone) => ok(showWafConfig(world, zone))),
  // SHD-10: the WAF path writes the same settings as the zone.
  'PATCH /waf': { body: WAF_BODY, handle: withZone(writing(writeWaf, showWafConfig)) },
  'GET /waf/rules': listManagedRules,
  'GET /bot_detection': withZone(({ world }, zone) => ok(showBots(world, zone))),
  'PATCH /bot_detection': { body: botsBody, handle: withZone(writing(writeBotDetection, showBots)) },
  'GET /events': withZone(readEvents),
});
