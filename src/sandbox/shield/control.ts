// What can be done to a site's Shield from outside /api: look at the raw store, change the zone, and add, change or
// remove rules, limits, lists and events. Checks nothing: a test may leave there what no write could.
import { changing, siteOf, textOf, there } from '../core/controls.ts';
import type { Body, Controls } from '../core/controls.ts';
import { isRecord } from '../core/http/endpoint.ts';
import { accessList, configuredItem, shieldZone } from './state.ts';
import type { ShieldItem, ShieldZone } from './state.ts';
import { nextId } from '../core/state.ts';
import type { State } from '../core/state.ts';
import type { World } from '../core/world.ts';

export function shieldControls(world: World): Controls {
  const onZone = changing((params) => {
    const { zone } = siteOf(world, params).shield;
    if (zone === null) throw new Error('this site has no Shield zone');
    return zone;
  });
  return {
    'GET /sites/:site/shield': (_body, params) => siteOf(world, params).shield,
    // `zone`: null takes it away, anything else is merged into what is there, or into an everyday zone.
    'PATCH /sites/:site/shield': changing((params) => siteOf(world, params))(({ shield }, { upstreamDown, zone }) => {
      if (upstreamDown !== undefined) shield.upstreamDown = upstreamDown === true;
      if (zone === null) shield.zone = null;
      if (isRecord(zone)) shield.zone = merged({ ...(shield.zone ?? shieldZone()) }, zone) as unknown as ShieldZone;
    }),
    'POST /sites/:site/shield/:collection': onZone((zone, body, { collection }) =>
      add(world.state, zone, collection, body),
    ),
    'PATCH /sites/:site/shield/:collection/:item': onZone((zone, body, { collection, item }) => {
      const items = itemsOf(zone, collection);
      Object.assign(
        there(
          items.find(({ id }) => id === item),
          'item',
        ),
        body,
      );
    }),
    'DELETE /sites/:site/shield/:collection/:item': onZone((zone, _body, { collection, item }) => {
      const items = itemsOf(zone, collection);
      items.splice(
        items.indexOf(
          there(
            items.find(({ id }) => id === item),
            'item',
          ),
        ),
        1,
      );
    }),
  };
}

function merged(before: Body, changes: Body): Body {
  const entries = Object.entries(changes).map(([key, value]) => [
    key,
    isRecord(value) && isRecord(before[key]) ? merged(before[key], value) : value,
  ]);
  return { ...before, ...(Object.fromEntries(entries) as Body) };
}

function add(state: State, zone: ShieldZone, collection: string | undefined, body: Body): void {
  if (collection === 'events') {
    const { atMs, ...entry } = body;
    if (typeof atMs !== 'number') throw new Error('atMs must be a number');
    zone.events.push({ atMs, entry });
    return;
  }
  const given = { name: textOf(body, 'name'), number: state.nextSerial, id: nextId(state), ...body };
  itemsOf(zone, collection).push(collection === 'access_lists' ? accessList(given) : configuredItem(given));
}

function itemsOf(zone: ShieldZone, collection: string | undefined): ShieldItem[] {
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
