// What answers where this sandbox does not emulate a documented endpoint yet: 501 with a code of its own.
import { refuse } from './endpoint.ts';
import type { Answer } from './endpoint.ts';

/** Documented, and part of a later area. Everything below these paths counts. */
const LATER_PREFIXES = ['/api/subscriptions'];

/** The answer where no endpoint is. */
export function fallback(method: string, path: string): Answer {
  if (LATER_PREFIXES.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))) return notEmulated();
  if (method === 'GET' || method === 'HEAD') return refuse(404, 'sandbox_undocumented', 'This path is not documented');
  return refuse(501, 'sandbox_undocumented', `${method} on this path is not documented`);
}

/** Named by the documents, and no more than that. */
export function notShown(): Answer {
  return refuse(501, 'sandbox_undocumented', 'The documents name this endpoint and do not show it');
}

function notEmulated(): Answer {
  return refuse(501, 'sandbox_not_emulated', 'This sandbox does not emulate this endpoint yet');
}
