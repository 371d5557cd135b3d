// How backups are shown, made, removed and restored, each by work that names no task in its answer. GAP-16: bodies and
// codes of these endpoints are not documented.
import { done, isRecord, ok, refuse, unknownKeys } from '../../core/http/endpoint.ts';
import type { Answer, Call, Endpoint } from '../../core/http/endpoint.ts';
import type { Volume } from '../state.ts';
import { nextId } from '../../core/state.ts';
import type { Site } from '../../core/state.ts';
import { startTask } from '../../core/tasks.ts';
import { countCreation, inListOrder } from '../../core/world.ts';

function listBackups({ world }: Call, site: Site): Answer {
  const shown = site.volumes.map(
    (volume) =>
      [
        volume.label,
        {
          id: volume.id,
          size: volume.sizeGb,
          usage: volume.usageGb,
          archives: inListOrder(world, volume.archives).map(({ id, name, createdAt }) => ({
            id,
            name,
            created: new Date(createdAt).toISOString(),
          })),
        },
      ] as const,
  );
  // BKP-01: backups are keyed by the label of their volume.
  return { ...ok(Object.fromEntries(shown)), keyedByData: true };
}

function createBackup(call: Call, site: Site): Answer {
  const { world } = call;
  const asked = read(call, site, 'name');
  if ('status' in asked) return asked;
  const { volume, value: name } = asked;
  // BKP-02: a PATCH on a volume makes a backup, which is listed once its work is done.
  countCreation(world, `backup ${name} of ${volume.label} on ${site.id}`);
  const archive = { id: nextId(world.state), name };
  startTask(world, call.credential, site, 'site.backup.create', {
    ok: () => {
      volume.archives.push({ ...archive, createdAt: world.clock.now() });
    },
  });
  return done(world, {});
}

function deleteBackup(call: Call, site: Site): Answer {
  const { world } = call;
  const asked = read(call, site, 'backup_id');
  if ('status' in asked) return asked;
  const { volume, value: id } = asked;
  if (!volume.archives.some((one) => one.id === id)) return refuse(404, null, 'Not Found');
  startTask(world, call.credential, site, 'site.backup.delete', {
    ok: () => {
      // BKP-03: the DELETE names the volume in its path and the archive in its body.
      volume.archives = volume.archives.filter((one) => one.id !== id);
    },
  });
  return done(world, {});
}

function restoreBackup(call: Call, site: Site): Answer {
  const { world } = call;
  const asked = read(call, site, 'backup_id');
  if ('status' in asked) return asked;
  const { volume, value: id } = asked;
  if (!volume.archives.some((one) => one.id === id)) return refuse(404, null, 'Not Found');
  startTask(world, call.credential, site, 'site.backup.restore', {
    ok: () => {
      // BKP-04: an archive is restored at a path of its own.
      volume.restoredFrom = id;
    },
  });
  return done(world, {});
}

function read(call: Call, site: Site, key: string): Answer | { readonly volume: Volume; readonly value: string } {
  const { body, params } = call;
  const volume = site.volumes.find((one) => String(one.id) === params['volume']);
  if (volume === undefined) return refuse(404, null, 'Not Found');
  const value = isRecord(body) ? body[key] : undefined;
  if (!isRecord(body) || typeof value !== 'string' || value === '') return refuse(422, null, `${key} is missing`);
  return unknownKeys(body, [key]) ?? { volume, value };
}

export const backupEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '/api/sites/:site/backups', scope: 'sites:read', site: 'read', handle: listBackups },
  {
    method: 'PATCH',
    path: '/api/sites/:site/backups/:volume',
    scope: 'sites:write',
    site: 'can_modify',
    handle: createBackup,
  },
  {
    method: 'DELETE',
    path: '/api/sites/:site/backups/:volume',
    scope: 'sites:write',
    site: 'can_destroy',
    handle: deleteBackup,
  },
  {
    method: 'PATCH',
    path: '/api/sites/:site/restores/:volume',
    scope: 'sites:write',
    site: 'can_modify',
    handle: restoreBackup,
  },
];
