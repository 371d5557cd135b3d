// A backup of every volume of a site before a change that has no other way back: a resize, another PHP version, its
// removal (O-10). It must not restore or delete an archive: that is never part of a plan (BKP-04, GAP-16).
import type { JsonObject } from '../../../model/json.ts';
import { escapePointer } from '../../../model/json.ts';
import { defineChild } from '../../../model/kind/kind.ts';
import { objectAt, ShapeError } from '../../../model/kind/rows.ts';
import { RUN } from '../../../model/kind/capabilities/hook.ts';
import type { LookUp, Reference, Step, TasksWait } from '../../../model/plan/step.ts';
import { path, ref } from '../../../model/plan/step.ts';

/** A volume, as far as a backup needs to know it. */
interface BackupSpec {
  readonly label: string;
}

const VISIBLE_WITHIN_MS = 3_600_000;
const LOST_GRACE_MS = 60_000;

export const backup = defineChild<BackupSpec>({
  kind: 'Backup',
  parent: 'Site',
  list: 'singleton',
  section: {
    fields: ['beforeChange'],
    expand: ({ beforeChange }) =>
      (beforeChange as JsonObject).backup === true ? [{ name: null, spec: {}, pointer: '/beforeChange/backup' }] : [],
  },
  identity: 'label',
  fields: { label: { rule: 'immutable', shape: 'value', why: 'A volume is what it is called.' } },
  // Its volumes: the path of a backup names one by its id, which only this tells (BKP-01).
  reads: { volumes: { path: ({ parent }) => `/api/sites/${encodeURIComponent(parent.id)}/backups` } },
  decode: (answers) =>
    Object.entries(objectAt(answers.volumes)).map(([label, volume]) => {
      const { id } = objectAt(volume);
      if (typeof id !== 'number') throw new ShapeError('expected a number as the id of a volume');
      return { id: String(id), spec: { label } };
    }),
  capabilities: {
    hook: {
      when: 'before',
      triggeredBy: ({ kind, verb, changes }) =>
        (kind === 'PhpVersion' && verb === 'update') ||
        (kind === 'Site' &&
          (verb === 'delete' || (verb === 'update' && changes.some(({ path: pointer }) => pointer === '/plan')))),
      rule: 'O-10',
      orderReason: 'there is no other way back, so the archive is visible first',
      verb: 'create',
      reason: 'the manifest asks for a backup before the site is resized, given another PHP version or deleted',
      refuse: (members) =>
        members.length > 0
          ? null
          : {
              reason: 'the site shows no volume that could be backed up',
              remedy: 'Take beforeChange.backup out of the manifest, or ask the platform why.',
              rule: 'BKP-01',
            },
      risk: [],
      steps: ({ self, parent, members }) =>
        backupSteps({
          site: ref(parent),
          name: ref(self, RUN),
          volumes: members.map(({ id, spec }) => ({ id, label: spec.label as string })),
        }),
    },
  },
});

/** A volume as a path and a list name it. */
export interface BackedUp {
  readonly id: string;
  readonly label: string;
}

/** Asks for a backup of each volume, then waits until each shows an archive whose name begins so. */
export function backupSteps({
  site,
  name,
  volumes,
  failsWith,
}: {
  readonly site: Reference | string;
  readonly name: Reference | string;
  readonly volumes: readonly BackedUp[];
  readonly failsWith?: TasksWait;
}): readonly Step[] {
  const visible = (label: string): LookUp => ({
    read: path`/api/sites/${site}/backups`,
    rows: `/${escapePointer(label)}/archives`,
    where: [{ pointer: '/name', value: name, as: 'beginning' }],
    capture: {},
  });
  const sorted = [...volumes].sort((left, right) => Number(left.id) - Number(right.id));
  const requests = sorted.map(({ id, label }): Step => ({
    do: 'request',
    name: `back up ${label}`,
    method: 'PATCH',
    path: path`/api/sites/${site}/backups/${id}`,
    body: { name },
    // The documents do not say that a second request creates no second archive.
    idempotent: false,
    // No task is named: what tells is the archive itself.
    answers: [{ status: '2xx', then: 'done', rule: 'BKP-05' }],
    // An archive is listed only when it is complete, which may take an hour.
    recovery: { lookUp: visible(label), ifNotFound: 'ask', graceMs: LOST_GRACE_MS, rule: 'BKP-06' },
    reason: `back up the volume ${label} under ${typeof name === 'string' ? `the name ${name}` : 'the name of the run'}`,
    rule: 'BKP-02',
  }));
  const waits = sorted.map(({ label }): Step => ({
    do: 'wait-for',
    name: `archive of ${label}`,
    waitFor: {
      how: 'until',
      found: true,
      lookUp: visible(label),
      ...(failsWith !== undefined && { failsWith }),
      deadlineMs: VISIBLE_WITHIN_MS,
      reason: `the volume ${label} shows an archive of that name`,
    },
  }));
  return [...requests, ...waits];
}
