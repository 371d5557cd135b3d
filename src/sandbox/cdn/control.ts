// What a colleague at the dashboard does to caching and edge rules, and what visitors leave in the logs.
import { changing, siteOf, there } from '../core/controls.ts';
import type { Controls } from '../core/controls.ts';
import type { OutsideEvent } from '../core/outside.ts';
import { controlPath, events } from '../core/outside.ts';
import { nextId } from '../core/state.ts';
import { logEntry } from '../core/traffic-state.ts';
import type { World } from '../core/world.ts';
import { addEdgeRule } from './edge-rules.ts';
import type { EdgeRule } from './edge-rules.ts';

export function cdnControls(world: World): Controls {
  const onSite = changing((params) => siteOf(world, params));
  return {
    'PATCH /sites/:site/caching': onSite(({ cdn }, body) => Object.assign(cdn.caching, body)),
    'POST /sites/:site/logs/cdn': onSite(({ traffic }, body) => {
      traffic.cdnLog.push(logEntry(world.clock.now(), body));
    }),
    'POST /sites/:site/edge_rules': onSite((site, body) => {
      addEdgeRule(site, { Guid: nextId(world.state), ...(body as Partial<EdgeRule>) });
    }),
    'PATCH /sites/:site/edge_rules/:rule': onSite(({ edgeRules }, body, { rule }) => {
      Object.assign(
        there(
          edgeRules.find(({ Guid }) => Guid === rule),
          'edge rule',
        ),
        body,
      );
    }),
    'DELETE /sites/:site/edge_rules/:rule': onSite((site, _body, { rule }) => {
      site.edgeRules = site.edgeRules.filter(({ Guid }) => Guid !== rule);
    }),
  };
}

export function cdnEvents({ state }: World): readonly OutsideEvent[] {
  const [site] = state.sites.values();
  if (site === undefined) return [];
  const { id, name, edgeRules } = site;
  return events('Sites, changed elsewhere', [
    [`Change how long ${name} is cached`, 'PATCH', controlPath('sites', id, 'caching'), { cache_expiration: 4711 }],
    ...edgeRules
      .slice(0, 1)
      .map(
        ({ Guid, Description }) =>
          [
            `Delete the edge rule "${Description}" of ${name}`,
            'DELETE',
            controlPath('sites', id, 'edge_rules', Guid),
          ] as const,
      ),
  ]);
}
