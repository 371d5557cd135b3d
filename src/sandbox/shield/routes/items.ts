// How custom WAF rules, rate limits and access lists are listed, made, changed and removed. None of it is safe to
// repeat: the same item made again is a second one.
import { done, isRecord, notFound, ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call, Endpoint, Row } from '../../core/http/endpoint.ts';
import { consistencyLag, listed } from '../../core/lists.ts';
import { accessLists, showTypes } from '../access-lists.ts';
import { customRules, rateLimits } from '../rules.ts';
import type { CollectionKind, Written } from '../rules.ts';
import { hasId, idOf, wrapList, wrapOne } from '../shapes.ts';
import type { GivenItem, ShieldItem, ShieldZone } from '../state.ts';
import { refuseMore } from '../tiers.ts';
import { nextId } from '../../core/state.ts';
import { countCreation, inListOrder } from '../../core/world.ts';
import type { World } from '../../core/world.ts';
import { zoneEndpoints } from './zone.ts';

function endpointsOf<Item extends ShieldItem>(kind: CollectionKind<Item>): readonly Endpoint[] {
  /** What the path names, of `items`. */
  const itemOf = (call: Call, items: readonly Item[]): Item => {
    const isMeant = (item: ShieldItem): boolean => hasId(item, call.params['item']);
    const found = items.find(isMeant);
    if (found === undefined && kind.builtIn?.(call).some(isMeant) === true)
      refuse(403, null, 'This belongs to the platform');
    return found ?? notFound();
  };
  const shown = (world: World, item: Item): Row => wrapOne(world, kind.single, kind.show(world, item, false));
  return zoneEndpoints(`/${kind.plural}`, {
    GET: (call, zone) => {
      const rows = inListOrder(call, listed(call, kind.stored(zone))).map((item) => kind.show(call, item, true));
      return kind.wrap?.(call, rows) ?? wrapList(call, kind.plural, rows);
    },
    POST: {
      body: (call) => kind.body(call, true),
      handle: (call, zone) => {
        kind.refuseCreate?.(call, zone);
        const written = kind.read(call, zone, call.body, undefined);
        refuseMore(call, zone, kind.collection);
        const name = String(written.name ?? '');
        const number = call.state.nextSerial;
        // SHD-27: the same rule, limit or list made again is a second one.
        const item = kind.make({ ...written, name, id: nextId(call.state), number });
        item.hidden = consistencyLag(call);
        kind.stored(zone).push(item);
        countCreation(call, `${kind.label} ${name} on ${call.params['site']}`);
        // SHD-14/created, SHD-16/created, SHD-21/created
        const created = {
          object: shown(call, item),
          id: idOf(call, item, kind.collection === 'accessLists' ? 'list_id' : 'rule_id'),
          empty: undefined,
        };
        return ok(created[call.ambiguities['GAP-29.write']], 201);
      },
    },
    'PATCH /:item': {
      body: (call) => kind.body(call, false),
      handle: (call, zone) => {
        const item = itemOf(call, kind.stored(zone));
        Object.assign(item, changes(call, kind, item, kind.read(call, zone, call.body, item)));
        return done(call, shown(call, item));
      },
    },
    'DELETE /:item': (call, zone) => {
      const items = kind.stored(zone);
      items.splice(items.indexOf(itemOf(call, items)), 1);
      return { status: 204 }; // SHD-14/removed, SHD-16/removed, SHD-21/removed
    },
  });
}

/**
 * GAP-33: what a change leaves out is kept or cleared; a configuration in it replaces the stored one or is merged into
 * it.
 */
function changes<Item extends ShieldItem>(
  world: World,
  kind: CollectionKind<Item>,
  { id, number, name, hidden, ...item }: Item,
  written: Written<Item>,
): Partial<Item> {
  if (world.ambiguities['GAP-33'] === 'full')
    return { ...kind.make({ id, number, name } as GivenItem<Item>), ...written, hidden };
  const { configuration: before } = item as Row;
  const { configuration: after } = written as Row;
  const merge = world.ambiguities['GAP-33.configuration'] === 'merged' && isRecord(before) && isRecord(after);
  return { ...written, ...(merge ? { configuration: { ...before, ...after } } : {}) } as Partial<Item>;
}

function readList(call: Call, zone: ShieldZone): Answer {
  const every = [...zone.accessLists, ...(accessLists.builtIn?.(call) ?? [])];
  const found = every.find((item) => hasId(item, call.params['item'])) ?? notFound();
  return ok(wrapOne(call, accessLists.single, accessLists.show(call, found, false)));
}

export const shieldItemEndpoints: readonly Endpoint[] = [
  ...zoneEndpoints('/access_lists', {
    // SHD-22: the types come before the ids.
    'GET /enums': showTypes,
    'GET /:item': readList,
  }),
  ...endpointsOf(customRules),
  ...endpointsOf(rateLimits),
  ...endpointsOf(accessLists),
];
