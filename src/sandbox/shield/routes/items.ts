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
  return ({ world }, zone) => {
    const rows = inListOrder(world, listed(world, kind.stored(zone))).map((item) => kind.show(world, item, true));
    return kind.wrap?.(world, rows) ?? wrapList(world, kind.plural, rows);
  };
}

function create<Item extends ShieldItem>(
  kind: CollectionKind<Item>,
): (call: Call, zone: ShieldZone, site: Site) => Answer {
  return ({ world, body }, zone, site) => {
    const closed = kind.mayCreate?.(world, zone);
    if (closed !== undefined) return closed;
    const written = kind.read(world, zone, body, undefined);
    if ('refused' in written) return written.refused;
    const full = tooMany(world, zone, kind.collection);
    if (full !== undefined) return full;
    const name = String(written.name ?? '');
    // SHD-27: the same rule, limit or list made again is a second one.
    const item = make(world, kind, { ...written, name });
    kind.stored(zone).push(item);
    countCreation(world, `${kind.label} ${name} on ${site.id}`);
    return answerCreated(world, kind, item);
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
  return ({ world, body, params }, zone) => {
    const item = kind.stored(zone).find((one) => hasId(one, params['item']));
    if (item === undefined) return notThere(world, kind, params['item']);
    const written = kind.read(world, zone, body, item);
    if ('refused' in written) return written.refused;
    Object.assign(item, changes(world, kind, item, written));
    return done(world, wrapOne(world, kind.single, kind.show(world, item, false)));
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
  return ({ world, params }, zone) => {
    const items = kind.stored(zone);
    const index = items.findIndex((item) => hasId(item, params['item']));
    if (index === -1) return notThere(world, kind, params['item']);
    items.splice(index, 1);
    return { status: 204 }; // SHD-14/removed, SHD-16/removed, SHD-21/removed
  };
}

function notThere<Item extends ShieldItem>(world: World, kind: CollectionKind<Item>, id: string | undefined): Answer {
  const isBuiltIn = kind.builtIn?.(world).some((item) => hasId(item, id)) ?? false;
  return isBuiltIn ? refuse(403, null, 'This belongs to the platform') : refuse(404, null, 'Not Found');
}

function readList({ world, params }: Call, zone: ShieldZone): Answer {
  const found = [...zone.accessLists, ...(accessLists.builtIn?.(world) ?? [])].find((item) =>
    hasId(item, params['item']),
  );
  return found === undefined
    ? refuse(404, null, 'Not Found')
    : ok(wrapOne(world, accessLists.single, accessLists.show(world, found, false)));
}

function endpointsOf<Item extends ShieldItem>(kind: CollectionKind<Item>): readonly Endpoint[] {
  return siteEndpoints({ shield: 'active' }, `/shield/${kind.plural}`, {
    GET: withZone(list(kind)),
    POST: { body: ({ world }) => kind.body(world, true), handle: withZone(create(kind)) },
    'PATCH /:item': { body: ({ world }) => kind.body(world, false), handle: withZone(change(kind)) },
    'DELETE /:item': withZone(remove(kind)),
  });
}

export const shieldItemEndpoints: readonly Endpoint[] = [
  ...siteEndpoints({ shield: 'active' }, '/shield/access_lists', {
    // SHD-22: the types come before the ids.
    'GET /enums': ({ world }) => showTypes(world),
    'GET /:item': withZone(readList),
  }),
  ...endpointsOf(customRules),
  ...endpointsOf(rateLimits),
  ...endpointsOf(accessLists),
];
