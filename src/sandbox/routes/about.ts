// Decides what /api/about and the callback helper say. GAP-07: the shape of `about` is not documented; this is one reading of it.
import type { Endpoint } from '../endpoint.ts';
import { ok, refuse } from '../endpoint.ts';
import { rule } from '../rules.ts';

const literalPaths = rule('CNV-30', 'paths are irregular and literal: /api/webhooks/task has no plural');

export const aboutEndpoints: readonly Endpoint[] = [
  {
    method: 'GET', path: '/api/about', scope: 'none',
    handle: ({ world }) => {
      const named = (one: { shortName: string; name: string }) => ({ short_name: one.shortName, name: one.name });
      return ok({ locations: world.state.locations.map(named), plans: world.state.plans.map(named) });
    },
  },
  {
    method: 'GET', path: '/api/webhooks/task', scope: 'none',
    handle: ({ remoteAddress }) => ok({ ip_address: remoteAddress }),
  },
  {
    method: 'GET', path: '/api/webhooks/tasks', scope: 'none',
    handle: ({ world, remoteAddress }) => world.rules.on(literalPaths)
      ? refuse(world, 404, 'sandbox_undocumented', 'This path is not documented')
      : ok({ ip_address: remoteAddress }),
  },
];
