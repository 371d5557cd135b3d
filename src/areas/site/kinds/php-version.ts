// The PHP version of a site: one of the variants that the platform offers for it, by label. A change restarts the site
// (PHP-03). It must not read the `php_version` of the site's view: how that text is written is not documented (PHP-05).
import type { Json, JsonObject } from '../../../model/json.ts';
import { valueAt } from '../../../model/json.ts';
import { defineChild, updatable } from '../../../model/kind/kind.ts';
import { rowsAt, ShapeError, textAt } from '../../../model/kind/rows.ts';
import type { LookUp } from '../../../model/plan/step.ts';
import { path, ref } from '../../../model/plan/step.ts';
import { siteActivity } from './activity.ts';
import { fieldSection } from '../../common/sections.ts';

export interface PhpVersionSpec {
  readonly version: string;
}

const CHANGED_WITHIN_MS = 900_000;
/** Reads show the old version until then. An action waits no longer, because it occupies a slot of the run. */
const LOST_GRACE_MS = 30_000;

export const phpVersion = defineChild<PhpVersionSpec>({
  kind: 'PhpVersion',
  parent: 'Site',
  list: 'singleton',
  section: {
    ...fieldSection('phpVersion', 'version'),
    toManifest: ([php]) => ({ spec: php?.spec.version === undefined ? {} : { phpVersion: php.spec.version } }),
  },
  fields: { version: updatable() },
  reads: {
    variants: { path: ({ parent }) => `/api/sites/${encodeURIComponent(parent.id)}/variants`, rows: '/php' },
  },
  decode: (answers) => {
    const rows = rowsAt(answers.variants);
    const active = rows.filter((row) => row.active === true).map((row) => textAt(row, '/label'));
    if (active.length > 1) throw new ShapeError('expected one active PHP version, found several');
    // Only `active` is the version in use; `is_default` is about new sites (PHP-02).
    return rows.length === 0
      ? []
      : [
          {
            id: 'php',
            spec: active.length === 0 ? {} : { version: active[0] as string },
            computed: { variants: idsByLabel(rows) },
          },
        ];
  },
  create: {
    reason: 'the platform offers no PHP version for the site',
    remedy: 'Ask the platform which versions the site can have, or remove phpVersion.',
    rule: 'PHP-01',
  },
  update: {
    version: {
      writes: ['version'],
      risk: ['restart'],
      refuse: ({ version = '' }, { computed }) => {
        const offered = computed.variants as JsonObject;
        if (typeof offered[version] === 'number') return null;
        const isOfferedOften = Object.hasOwn(offered, version) || labelsOf(version, computed).length > 1;
        const reason = isOfferedOften
          ? `the platform offers the PHP version ${version} more than once`
          : `the platform does not offer the PHP version ${version} for the site`;
        return {
          reason,
          remedy: `Write one of these as phpVersion: ${Object.keys(offered).sort().join(', ')}.`,
          rule: 'PHP-04',
        };
      },
      steps: ({ self, parent, desired, computed }) => {
        const label = desired.version as string;
        const active: LookUp = {
          read: path`/api/sites/${ref(parent)}/variants`,
          rows: '/php',
          where: [
            { pointer: '/label', value: label },
            { pointer: '/active', value: true },
          ],
          capture: {},
        };
        return [
          {
            do: 'request',
            name: 'change',
            method: 'PATCH',
            path: path`/api/sites/${ref(parent)}/variants/php`,
            body: { variant_id: (computed.variants as JsonObject)[label] as number },
            // A second request would be a second restart.
            idempotent: false,
            answers: [
              // The task may be named or not (GAP-15); either way the list of variants tells in the end.
              {
                status: '2xx',
                has: '/task_id',
                then: 'wait-for',
                capture: { task: '/task_id' },
                waitFor: {
                  how: 'task',
                  task: ref(self, 'task'),
                  deadlineMs: CHANGED_WITHIN_MS,
                  reason: 'the site has restarted with the other version',
                },
              },
              { status: '2xx', then: 'done', rule: 'GAP-15' },
            ],
            recovery: { lookUp: active, ifNotFound: 'plan-again', graceMs: LOST_GRACE_MS, rule: 'PHP-06' },
            reason: `change the site to PHP ${label}; it restarts`,
            rule: 'PHP-03',
          },
          {
            do: 'wait-for',
            name: 'active',
            waitFor: {
              how: 'until',
              found: true,
              lookUp: active,
              deadlineMs: CHANGED_WITHIN_MS,
              reason: `the site shows PHP ${label} as the version in use`,
            },
          },
        ];
      },
    },
  },
  capabilities: {
    cached: true,
    asNamedLive: ({ version = '' }, { computed }) => {
      const labels = labelsOf(version, computed);
      return { version: labels.length === 1 ? (labels[0] as string) : version };
    },
    activity: siteActivity(() => ['php']),
  },
});

/** The labels that a manifest may mean: the one that it writes, else those that have the version that it writes. */
function labelsOf(version: string, { variants }: JsonObject): readonly string[] {
  const labels = Object.keys(variants as JsonObject);
  return labels.includes(version)
    ? [version]
    : labels.filter((label) => [...label.matchAll(/\d+(?:\.\d+)*/g)].some(([found]) => found === version));
}

/**
 * The id to send for each label, null where a label stands for more than one. A map first: labels are the platform's,
 * and may be any text.
 */
function idsByLabel(rows: readonly JsonObject[]): JsonObject {
  const ids = new Map<string, Json>();
  for (const row of rows) {
    const id = valueAt(row, '/id');
    if (typeof id !== 'number') throw new ShapeError('expected a number as the id of a PHP version');
    const label = textAt(row, '/label');
    ids.set(label, ids.has(label) ? null : id);
  }
  return Object.fromEntries(ids);
}
