// How backups are shown, made, removed and restored, each by work that names no task in its answer. GAP-16: bodies and
// codes of these endpoints are not documented.
import { filledText } from '../../core/http/schema.ts';
import { done, notFound, ok, onItem } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import { siteEndpoints } from '../../core/http/site-endpoints.ts';
import type { Volume } from '../state.ts';
import { nextId } from '../../core/state.ts';
import type { Site } from '../../core/state.ts';
import { startTask } from '../../core/tasks.ts';
import { countCreation, inListOrder } from '../../core/world.ts';

function listBackups(call: Call, site: Site): Answer {
  const shown = site.volumes.map(
    (volume) =>
      [
        volume.label,
        {
          id: volume.id,
          size: volume.sizeGb,
          usage: volume.usageGb,
          archives: inListOrder(call, volume.archives).map(({ id, name, createdAt }) => ({
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

function createBackup(call: Call, site: Site, volume: Volume): Answer {
  const name = String(call.body['name']);
  // BKP-02: a PATCH on a volume makes a backup, which is listed once its work is done.
  countCreation(call, `backup ${name} of ${volume.label} on ${site.id}`);
  const archive = { id: nextId(call.state), name };
  startTask(call, site, 'site.backup.create', {
    ok: () => {
      volume.archives.push({ ...archive, createdAt: call.clock.now() });
    },
  });
  return done(call, {});
}

/** BKP-04: an archive is restored at a path of its own. */
function onArchive(work: 'delete' | 'restore') {
  return (call: Call, site: Site, volume: Volume): Answer => {
    const id = call.body['backup_id'];
    if (!volume.archives.some((one) => one.id === id)) notFound();
    startTask(call, site, `site.backup.${work}`, {
      ok: () => {
        // BKP-03: the DELETE names the volume in its path and the archive in its body.
        if (work === 'delete') volume.archives = volume.archives.filter((one) => one.id !== id);
        else volume.restoredFrom = String(id);
      },
    });
    return done(call, {});
  };
}

const onVolume = onItem(({ params }, { volumes }: Site) => volumes.find(({ id }) => String(id) === params['volume']));

const archive = { backup_id: filledText };

export const backupEndpoints = siteEndpoints({}, '', {
  'GET /backups': listBackups,
  'PATCH /backups/:volume': { body: { name: filledText }, handle: onVolume(createBackup) },
  'DELETE /backups/:volume': { body: archive, handle: onVolume(onArchive('delete')) },
  'PATCH /restores/:volume': { body: archive, handle: onVolume(onArchive('restore')) },
});
