// How custom WAF rules, rate limits and access lists are listed, made, changed and removed. None of it is safe to
// repeat: the same item made again is a second one.
import { done, isRecord, ok, refuse, siteEndpoints } from '../../core/http/endpoint.ts';
import type { Answer, Call, Endpoint } from '../../core/http/endpoint.ts';
import { consistencyLag, listed } from '../../core/lists.ts';
import { accessLists, showTypes } from '../access-lists.ts';
import { customRules, rateLimits } from '../rules.ts';
import type { CollectionKind, Written } from '../rules.ts';
import { hasId, idOf, wrapList, wrapOne } from '../shapes.ts';
import type { Row } from '../shapes.ts';
import type { ShieldItem, ShieldZone } from '../state.ts';
import { tooMany } from '../tiers.ts';
import { nextId } from '../../core/state.ts';
import type { Site } from '../../core/state.ts';
import { countCreation, inListOrder } from '../../core/world.ts';
import type { World } from '../../core/world.ts';
import { withZone } from './zone.ts';

function list<Item extends ShieldItem>(kind: CollectionKind<Item>): (call: Call, zone: ShieldZone) => Answer {
  return (call, zone) => {
    const rows = inListOrder(call, listed(call, kind.stored(zone))).map((item) => kind.show(call, item, true));
    return kind.wrap?.(call, rows) ?? wrapList(call, kind.plural, rows);
  };
}

function create<Item extends ShieldItem>(
  kind: CollectionKind<Item>,
): (call: Call, zone: ShieldZone, site: Site) => Answer {
  return (call, zone, site) => {
    const closed = kind.mayCreate?.(call, zone);
    if (closed !== undefined) return closed;
    const written = kind.read(call, zone, call.body, undefined);
    if ('refused' in written) return written.refused;
    const full = tooMany(call, zone, kind.collection);
    if (full !== undefined) return full;
    const name = String(written.name ?? '');
    // SHD-27: the same rule, limit or list made again is a second one.
    const item = make(call, kind, { ...written, name });
    kind.stored(zone).push(item);
    countCreation(call, `${kind.label} ${name} on ${site.id}`);
    return answerCreated(call, kind, item);
  };
}

function make<Item extends ShieldItem>(
  world: World,
  kind: CollectionKind<Item>,
  written: Written<Item> & { name: string },
): Item {
  const number = world.state.nextSerial;
  const item = kind.make({ ...written, id: nextId(world.state), number });
  item.hidden = consistencyLag(world);
  return item;
}

function answerCreated<Item extends ShieldItem>(world: World, kind: CollectionKind<Item>, item: Item): Answer {
  const status = 201; // SHD-14/created, SHD-16/created, SHD-21/created
  switch (world.ambiguities['GAP-29.write']) {
    case 'object':
      return ok(wrapOne(world, kind.single, kind.show(world, item, false)), status);
    case 'id':
      return ok(idOf(world, item, kind.collection === 'accessLists' ? 'list_id' : 'rule_id'), status);
    case 'empty':
      return { status };
  }
}

function change<Item extends ShieldItem>(kind: CollectionKind<Item>): (call: Call, zone: ShieldZone) => Answer {
  return (call, zone) => {
    const item = kind.stored(zone).find((one) => hasId(one, call.params['item']));
    if (item === undefined) return notThere(call, kind, call.params['item']);
    const written = kind.read(call, zone, call.body, item);
    if ('refused' in written) return written.refused;
    Object.assign(item, changes(call, kind, item, written));
    return done(call, wrapOne(call, kind.single, kind.show(call, item, false)));
  };
}

/**
 * GAP-33: what a change leaves out is kept or cleared; a configuration in it replaces the stored one or is merged into
 * it.
 */
function changes<Item extends ShieldItem>(
  world: World,
  kind: CollectionKind<Item>,
  item: Item,
  written: Written<Item>,
): Partial<Item> {
  if (world.ambiguities['GAP-33'] === 'full') {
    const cleared = kind.make({ id: item.id, number: item.number, name: item.name } as Pick<
      Item,
      'id' | 'number' | 'name'
    > &
      Written<Item>);
    return { ...cleared, ...written, hidden: item.hidden };
  }
  const before: unknown = (item as unknown as Row)['configuration'];
  const after: unknown = (written as Row)['configuration'];
  const merge = world.ambiguities['GAP-33.configuration'] === 'merged' && isRecord(before) && isRecord(after);
  return { ...written, ...(merge ? { configuration: { ...before, ...after } } : {}) } as Partial<Item>;
}

function remove<Item extends ShieldItem>(kind: CollectionKind<Item>): (call: Call, zone: ShieldZone) => Answer {
  return (call, zone) => {
    const items = kind.stored(zone);
    const index = items.findIndex((item) => hasId(item, call.params['item']));
    if (index === -1) return notThere(call, kind, call.params['item']);
    items.splice(index, 1);
    return { status: 204 }; // SHD-14/removed, SHD-16/removed, SHD-21/removed
  };
}

function notThere<Item extends ShieldItem>(world: World, kind: CollectionKind<Item>, id: string | undefined): Answer {
  const isBuiltIn = kind.builtIn?.(world).some((item) => hasId(item, id)) ?? false;
  return isBuiltIn ? refuse(403, null, 'This belongs to the platform') : refuse(404, null, 'Not Found');
}

function readList(call: Call, zone: ShieldZone): Answer {
  const found = [...zone.accessLists, ...(accessLists.builtIn?.(call) ?? [])].find((item) =>
    hasId(item, call.params['item']),
  );
  return found === undefined
    ? refuse(404, null, 'Not Found')
    : ok(wrapOne(call, accessLists.single, accessLists.show(call, found, false)));
}

function endpointsOf<Item extends ShieldItem>(kind: CollectionKind<Item>): readonly Endpoint[] {
  return siteEndpoints({ shield: 'active' }, `/shield/${kind.plural}`, {
    GET: withZone(list(kind)),
    POST: { body: (call) => kind.body(call, true), handle: withZone(create(kind)) },
    'PATCH /:item': { body: (call) => kind.body(call, false), handle: withZone(change(kind)) },
    'DELETE /:item': withZone(remove(kind)),
  });
}

export const shieldItemEndpoints: readonly Endpoint[] = [
  ...siteEndpoints({ shield: 'active' }, '/shield/access_lists', {
    // SHD-22: the types come before the ids.
    'GET /enums': (call) => showTypes(call),
    'GET /:item': withZone(readList),
  }),
  ...endpointsOf(customRules),
  ...endpointsOf(rateLimits),
  ...endpointsOf(accessLists),
];
