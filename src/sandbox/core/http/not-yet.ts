// Decides what answers where this sandbox does not emulate a documented endpoint yet: 501 with a code of its own.
// Must not guess an answer: a client that gets one here has been told plainly that it proves nothing.
import { refuse } from './endpoint.ts';
import type { Answer } from './endpoint.ts';
import type { World } from '../world.ts';

/** Documented, and part of a later area. Everything below these paths counts. */
const LATER_PREFIXES = ['/api/subscriptions'];

/** The answer where no endpoint is. */
export function fallback(world: World, method: string, path: string): Answer {
  if (LATER_PREFIXES.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))) return notEmulated(world);
  if (method === 'GET' || method === 'HEAD')
    return refuse(world, 404, 'sandbox_undocumented', 'This path is not documented');
  return refuse(world, 501, 'sandbox_undocumented', `${method} on this path is not documented`);
}

/** Named by the documents, and no more than that. */
export function notShown(world: World): Answer {
  return refuse(world, 501, 'sandbox_undocumented', 'The documents name this endpoint and do not show it');
}

function notEmulated(world: World): Answer {
  return refuse(world, 501, 'sandbox_not_emulated', 'This sandbox does not emulate this endpoint yet');
}
