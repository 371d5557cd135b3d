// The endpoints below one path as a table: the method and the rest of the path, and what answers there.
import type { Scope } from './credentials.ts';
import type { Answer, Call, Endpoint, Method, SiteDemand, SiteEndpoint } from './endpoint.ts';

export interface Routed {
  readonly method: Method;
  readonly path: string;
  readonly handle: (call: Call, ...found: never[]) => Answer;
}

/** `GET`, `PATCH /:id/name`: what answers, with whatever is not as the others of the table have it. */
export type Table<E extends Routed> = Readonly<
  Partial<Record<Method | `${Method} /${string}`, E['handle'] | (Partial<Omit<E, keyof Routed>> & Pick<E, 'handle'>)>>
>;

/** `common`: what the endpoints of one method demand. */
export function endpointsAt<E extends Routed>(
  path: string,
  common: (method: Method) => Omit<E, keyof Routed>,
  table: Table<E>,
): readonly E[] {
  return Object.entries(table).map(([route, entry]) => {
    const [method, below = ''] = route.split(' ') as [Method, string?];
    return {
      ...common(method),
      ...(typeof entry === 'function' ? { handle: entry } : entry),
      method,
      path: path + below,
    };
  }) as unknown as readonly E[];
}

/** CNV-09: a read takes the read scope, a write the write scope. */
export function scopeOf(family: 'sites' | 'domains' | 'mailspace', method: Method): Scope {
  return `${family}:${method === 'GET' ? 'read' : 'write'}`;
}

/** Below /api/sites/:site. CNV-14: a read takes the role read, a write can_modify, a delete can_destroy. */
export function siteEndpoints(
  demands: Partial<Omit<SiteEndpoint, keyof Routed>>,
  path: string,
  table: Table<SiteEndpoint>,
): readonly Endpoint[] {
  const role = (method: Method): SiteDemand =>
    method === 'GET' ? 'read' : method === 'DELETE' ? 'can_destroy' : 'can_modify';
  return endpointsAt<SiteEndpoint>(
    `/api/sites/:site${path}`,
    (method) => ({ scope: scopeOf('sites', method), site: role(method), ...demands }),
    table,
  );
}
