// What a colleague at the dashboard does to caching and edge rules, and what visitors leave in the logs.
import type { Hono } from 'hono';
import { changeSite } from '../core/control-body.ts';
import type { Desk, Env } from '../core/http/app.ts';
import type { OutsideEvent } from '../core/outside.ts';
import { controlPath, few } from '../core/outside.ts';
import { nextId } from '../core/state.ts';
import type { Caching } from '../core/state.ts';
import { logEntry } from '../core/traffic-state.ts';
import type { World } from '../core/world.ts';
import { addEdgeRule } from './state.ts';
import type { EdgeRule } from './state.ts';

const RULES = '/_sandbox/sites/:site/edge_rules';

export function addCdnControls(control: Hono<Env>, { world }: Desk): void {
  control.patch('/_sandbox/sites/:site/caching', (context) =>
    changeSite(world, context, (site, body) => {
      site.cdn.caching = { ...site.cdn.caching, ...(body as Partial<Caching>) };
    }),
  );
  control.post('/_sandbox/sites/:site/logs/cdn', (context) =>
    changeSite(world, context, (site, body) => {
      site.traffic.cdnLog.push(logEntry(world.clock.now(), body));
    }),
  );
  control.post(RULES, (context) =>
    changeSite(world, context, (site, body) => {
      addEdgeRule(site, { Guid: nextId(world.state), ...(body as Partial<EdgeRule>) });
    }),
  );
  control.patch(`${RULES}/:rule`, (context) =>
    changeSite(world, context, (site, body) => {
      const rule = site.edgeRules.find((one) => one.Guid === context.req.param('rule'));
      if (rule === undefined) throw new Error('no such edge rule on this site');
      Object.assign(rule, body);
    }),
  );
  control.delete(`${RULES}/:rule`, (context) =>
    changeSite(world, context, (site) => {
      site.edgeRules = site.edgeRules.filter((one) => one.Guid !== context.req.param('rule'));
    }),
  );
}

export function cdnEvents({ state }: World): readonly OutsideEvent[] {
  const group = 'Sites, changed elsewhere';
  return few(state.sites.values())
    .slice(0, 1)
    .flatMap(({ id, name, edgeRules }): readonly OutsideEvent[] => [
      {
        group,
        method: 'PATCH',
        does: `Change how long ${name} is cached`,
        path: controlPath('sites', id, 'caching'),
        body: { cache_expiration: 4711 },
      },
      ...edgeRules.slice(0, 1).map(({ Guid, Description }): OutsideEvent => ({
        group,
        method: 'DELETE',
        does: `Delete the edge rule "${Description}" of ${name}`,
        path: controlPath('sites', id, 'edge_rules', Guid),
      })),
    ]);
}
