// One purge of a site's whole CDN cache, after all changes that what is cached may be older than (O-28). It must not be
// taken for the purge of a layer, which is another call and a task (CCH-04, CDN-13).
import type { JsonObject } from '../../../model/json.ts';
import { defineChild } from '../../../model/kind/kind.ts';
import type { Reference, Step } from '../../../model/plan/step.ts';
import { path, ref } from '../../../model/plan/step.ts';
import { change } from '../../common/steps.ts';

export const cachePurge = defineChild<object>({
  kind: 'CachePurge',
  parent: 'Site',
  list: 'singleton',
  section: {
    fields: ['afterChange'],
    expand: ({ afterChange }) =>
      (afterChange as JsonObject).purge === true ? [{ name: null, spec: {}, pointer: '/afterChange/purge' }] : [],
  },
  fields: {},
  decode: () => [],
  capabilities: {
    hook: {
      when: 'after',
      triggeredBy: (_action, { cached }) => cached === true,
      rule: 'O-28',
      orderReason: 'what is purged before is cached again as it was',
      verb: 'update',
      reason:
        'the manifest asks for one purge of the CDN cache after changes to hostnames, PHP version, caching, layers or edge rules',
      risk: [],
      steps: ({ parent }) => [purgeStep(ref(parent))],
    },
  },
});

/**
 * Synchronous, and it empties a cache: a second one after a lost answer finds it empty or empties it once more, and
 * nothing else (CDN-10).
 */
export function purgeStep(site: Reference | string): Step {
  return change({
    name: 'purge',
    method: 'POST',
    path: path`/api/sites/${site}/cdn/caching/purge`,
    reason: 'purge the whole CDN cache of the site',
    rule: 'CDN-10',
  });
}
