// A cache layer of a site, on or off: redis, nginx or cdn, each an object of its own. A change is a task of the
// platform (CCH-08). It must not purge, and never writes `all`: each layer is its own decision (CCH-04, CCH-05).
import type { JsonObject } from '../../../model/json.ts';
import { defineChild, immutable, updatable } from '../../../model/kind/kind.ts';
import { objectAt, ShapeError } from '../../../model/kind/rows.ts';
import type { LookUp } from '../../../model/plan/step.ts';
import { path, ref } from '../../../model/plan/step.ts';
import { domainsBefore } from '../../cdn/kinds/guards.ts';
import { siteActivity } from './activity.ts';

const LAYERS = ['redis', 'nginx', 'cdn'] as const;

export interface CacheLayerSpec {
  readonly layer: (typeof LAYERS)[number];
  readonly enabled: boolean;
}

const SWITCHED_WITHIN_MS = 600_000;
/** Reads show the old value until then. An action waits no longer, because it occupies a slot of the run. */
const LOST_GRACE_MS = 30_000;

export const cacheLayer = defineChild<CacheLayerSpec>({
  kind: 'CacheLayer',
  parent: 'Site',
  list: 'platform-defined',
  section: {
    fields: ['cacheLayers'],
    expand: ({ cacheLayers }) =>
      LAYERS.filter((layer) => layer in (cacheLayers as JsonObject)).map((layer) => {
        const pointer = `/cacheLayers/${layer}`;
        return {
          name: layer,
          spec: { layer, enabled: (cacheLayers as JsonObject)[layer] as boolean },
          pointer,
          pointers: { layer: pointer, enabled: pointer },
        };
      }),
    toManifest: (layers) => {
      const enabled = new Map(layers.map(({ identity, spec }) => [identity, spec.enabled === true]));
      return {
        spec: [...enabled.values()].includes(true)
          ? { cacheLayers: Object.fromEntries(LAYERS.map((layer) => [layer, enabled.get(layer) === true])) }
          : {},
      };
    },
  },
  identity: 'layer',
  fields: { layer: immutable('A layer is what it is called.'), enabled: updatable() },
  reads: { layers: { path: ({ parent }) => `/api/sites/${encodeURIComponent(parent.id)}/cache` } },
  decode: (answers) => {
    const flags = objectAt(answers.layers);
    return LAYERS.map((layer) => {
      const value = flags[layer] ?? false;
      if (typeof value !== 'boolean') throw new ShapeError(`expected true or false at ${layer}`);
      // A layer outside the plan may read as off, as null or not at all (GAP-22); taken as off it is never switched off
      // for nothing.
      return { id: layer, spec: { layer, enabled: value } };
    });
  },
  create: { reason: 'the platform has no such layer', remedy: 'Remove it from cacheLayers.', rule: 'CCH-05' },
  update: {
    switch: {
      writes: ['enabled'],
      steps: ({ self, parent, desired }) => {
        const layer = desired.layer as string;
        const on = desired.enabled === true;
        const switched: LookUp = {
          read: path`/api/sites/${ref(parent)}/cache`,
          rows: '',
          where: [{ pointer: `/${layer}`, value: on }],
          capture: {},
        };
        return [
          {
            do: 'request',
            name: 'switch',
            // The same path with `/purge` behind it would empty the layer instead (CCH-04).
            method: on ? 'PATCH' : 'DELETE',
            path: path`/api/sites/${ref(parent)}/cache/${layer}`,
            // What switching on a layer that is on does is not documented (GAP-22).
            idempotent: false,
            answers: [
              {
                status: '2xx',
                has: '/task_id',
                then: 'wait-for',
                capture: { task: '/task_id' },
                waitFor: {
                  how: 'task',
                  task: ref(self, 'task'),
                  deadlineMs: SWITCHED_WITHIN_MS,
                  reason: `the layer is switched ${on ? 'on' : 'off'}`,
                },
              },
              { status: '2xx', then: 'done' },
            ],
            recovery: { lookUp: switched, ifNotFound: 'plan-again', graceMs: LOST_GRACE_MS, rule: 'CCH-08' },
            reason: `switch the layer ${on ? 'on' : 'off'}`,
            rule: on ? 'CCH-02' : 'CCH-03',
          },
          {
            do: 'wait-for',
            name: 'switched',
            waitFor: {
              how: 'until',
              found: true,
              lookUp: switched,
              deadlineMs: SWITCHED_WITHIN_MS,
              reason: `the site shows the layer as ${on ? 'on' : 'off'}`,
            },
          },
        ];
      },
    },
  },
  order: [domainsBefore('CacheLayer')],
  capabilities: {
    cached: true,
    // `all` is every layer at once (CCH-04).
    activity: siteActivity((layer) => [layer, 'all']),
  },
});
