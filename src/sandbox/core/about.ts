// What /api/about and the callback helper say. GAP-07: the shape of `about` is not documented.
import type { Endpoint } from './http/endpoint.ts';
import { ok } from './http/endpoint.ts';
import type { World } from './world.ts';

function about({ state: { locations, plans }, ambiguities }: World): unknown {
  const shapes = {
    objects: (list: readonly Named[]) => list.map(({ shortName, name }) => ({ short_name: shortName, name })),
    texts: (list: readonly Named[]) => list.map(({ shortName }) => shortName),
    nested: (list: readonly Named[]) => Object.fromEntries(list.map(({ shortName, name }) => [shortName, name])),
  };
  const reading = ambiguities['GAP-07'];
  const [shownLocations, shownPlans] = [shapes[reading](locations), shapes[reading](plans)];
  return reading === 'nested'
    ? { about: { location_names: shownLocations, plan_names: shownPlans } }
    : { locations: shownLocations, plans: shownPlans };
}

type Named = Readonly<Record<'shortName' | 'name', string>>;

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
