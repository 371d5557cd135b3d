// What can be done to a site's Shield from outside /api: look at the raw store, change the zone, and add, change or
// remove rules, limits, lists and events. Checks nothing: a test may leave there what no write could.
import type { Hono } from 'hono';
import { changeSite } from '../core/control-body.ts';
import type { Desk, Env } from '../core/http/app.ts';
import { isRecord } from '../core/http/endpoint.ts';
import { accessList, configuredItem, shieldZone } from './state.ts';
import type { ShieldZone } from './state.ts';
import { nextId } from '../core/state.ts';
import type { Site, State } from '../core/state.ts';

type Body = Record<string, unknown>;

const PATH = '/_sandbox/sites/:site/shield';

export function addShieldControls(control: Hono<Env>, { world }: Desk): void {
  const { state } = world;
  control.get(PATH, (context) => {
    const site = state.sites.get(context.req.param('site'));
    return site === undefined ? context.json({ error: 'no such site' }, 404) : context.json(site.shield);
  });
  control.patch(PATH, (context) => changeSite(world, context, changeShield));
  control.post(`${PATH}/:collection`, (context) =>
    changeSite(world, context, (site, body) => {
      add(state, zoneOf(site), context.req.param('collection') ?? '', body);
    }),
  );
  control.patch(`${PATH}/:collection/:item`, (context) =>
    changeSite(world, context, (site, body) => {
      const items = itemsOf(zoneOf(site), context.req.param('collection') ?? '');
      const item = items.find((one) => one.id === context.req.param('item'));
      if (item === undefined) throw new Error('no such item');
      Object.assign(item, body);
    }),
  );
  control.delete(`${PATH}/:collection/:item`, (context) =>
    changeSite(world, context, (site) => {
      const items = itemsOf(zoneOf(site), context.req.param('collection') ?? '');
      const index = items.findIndex((one) => one.id === context.req.param('item'));
      if (index === -1) throw new Error('no such item');
      items.splice(index, 1);
    }),
  );
}

/**
 * `upstreamDown`, and `zone`: null takes it away, anything else is merged into what is there, or into an everyday zone.
 */
function changeShield(site: Site, body: Body): void {
  if (body['upstreamDown'] !== undefined) site.shield.upstreamDown = body['upstreamDown'] === true;
  const { zone } = body;
  if (zone === null) site.shield.zone = null;
  if (isRecord(zone))
    site.shield.zone = merged({ ...(site.shield.zone ?? shieldZone()) }, zone) as unknown as ShieldZone;
}

function merged(before: Body, changes: Body): Body {
  const entries = Object.entries(changes).map(([key, value]) => [
    key,
    isRecord(value) && isRecord(before[key]) ? merged(before[key], value) : value,
  ]);
  return { ...before, ...(Object.fromEntries(entries) as Body) };
}

function add(state: State, zone: ShieldZone, collection: string, body: Body): void {
  if (collection === 'events') {
    const { atMs, ...entry } = body;
    if (typeof atMs !== 'number') throw new Error('atMs must be a number');
    zone.events.push({ atMs, entry });
    return;
  }
  if (typeof body['name'] !== 'string') throw new Error('name must be a text');
  const given = { name: body['name'], number: state.nextSerial, id: nextId(state), ...body };
  if (collection === 'access_lists') zone.accessLists.push(accessList(given));
  else itemsOf(zone, collection).push(configuredItem(given));
}

function itemsOf(zone: ShieldZone, collection: string): { readonly id: string }[] {
  switch (collection) {
    case 'waf_custom_rules':
      return zone.customRules;
    case 'rate_limits':
      return zone.rateLimits;
    case 'access_lists':
      return zone.accessLists;
    default:
      throw new Error(
        `no collection '${collection}'; there are: waf_custom_rules, rate_limits, access_lists, and events to add to`,
      );
  }
}

function zoneOf(site: Site): ShieldZone {
  if (site.shield.zone === null) throw new Error('this site has no Shield zone');
  return site.shield.zone;
}
