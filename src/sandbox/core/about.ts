// Decides what /api/about and the callback helper say. GAP-07: the shape of `about` is not documented; a switch
// chooses.
import type { Endpoint } from './http/endpoint.ts';
import { ok, refuse } from './http/endpoint.ts';
import { rule } from '../rules/rules.ts';
import type { World } from './world.ts';

const literalPaths = rule('CNV-30', 'paths are irregular and literal: /api/webhooks/task has no plural');

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
  switch (world.readings['GAP-07']) {
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
    handle: ({ world }) => ok(about(world)),
  },
  {
    method: 'GET',
    path: '/api/webhooks/task',
    scope: 'none',
    handle: ({ remoteAddress }) => ok({ ip_address: remoteAddress }),
  },
  {
    method: 'GET',
    path: '/api/webhooks/tasks',
    scope: 'none',
    handle: ({ world, remoteAddress }) =>
      world.rules.on(literalPaths)
        ? refuse(world, 404, 'sandbox_undocumented', 'This path is not documented')
        : ok({ ip_address: remoteAddress }),
  },
];
