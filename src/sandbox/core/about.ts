// What /api/about and the callback helper say. GAP-07: the shape of `about` is not documented.
import type { Endpoint } from './http/endpoint.ts';
import { ok } from './http/endpoint.ts';
import type { World } from './world.ts';

interface Named {
  readonly shortName: string;
  readonly name: string;
}

function about(world: World): unknown {
  const { locations, plans } = world.state;
  const objects = (list: readonly Named[]): unknown =>
    list.map(({ shortName, name }) => ({ short_name: shortName, name }));
  const texts = (list: readonly Named[]): unknown => list.map(({ shortName }) => shortName);
  const byName = (list: readonly Named[]): unknown =>
    Object.fromEntries(list.map(({ shortName, name }) => [shortName, name]));
  switch (world.ambiguities['GAP-07']) {
    case 'objects':
      return { locations: objects(locations), plans: objects(plans) };
    case 'texts':
      return { locations: texts(locations), plans: texts(plans) };
    case 'nested':
      return { about: { location_names: byName(locations), plan_names: byName(plans) } };
  }
}

export const aboutEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/api/about',
    scope: 'none',
    handle: (call) => ok(about(call)),
  },
  {
    method: 'GET',
    // CBK-06: an endpoint tells the caller's address. CNV-30: paths are irregular and literal, this one has no plural.
    path: '/api/webhooks/task',
    scope: 'none',
    handle: ({ remoteAddress }) => ok({ ip_address: remoteAddress }),
  },
];
