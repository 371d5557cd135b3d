// What commands do to a site that is no desired state, as steps: `site restart`, `backup`, `restore`, `sso`, `mail`.
// None of these answers names a task (TSK-09): the tasks that are newer than what was there before are followed.
import type { Address } from '../../model/address.ts';
import { addressOf } from '../../model/address.ts';
import { escapePointer } from '../../model/json.ts';
import type { Act } from '../../model/plan/act.ts';
import type { TasksWait } from '../../model/plan/step.ts';
import { path } from '../../model/plan/step.ts';
import { change, until } from '../common/steps.ts';
import type { BackedUp } from './kinds/backup.ts';
import { backupSteps } from './kinds/backup.ts';

/** So long a task that is new is waited for. */
const APPEARS_WITHIN_MS = 20_000;
const RESTARTED_WITHIN_MS = 900_000;
const RESTORED_WITHIN_MS = 3_600_000;
const BACKED_UP_WITHIN_MS = 3_600_000;
const DELETED_WITHIN_MS = 900_000;

const ASKED = 'a person asks for it';

/** What they are done to. */
export const KIND = 'Site';

function actOn(site: string, kind: string, name: string | null = null): Address {
  return addressOf(addressOf(null, KIND, site), kind, name);
}

function tasksAfter(site: string, after: number, deadlineMs: number, reason: string): TasksWait {
  return { how: 'tasks', read: path`/api/sites/${site}/tasks`, after, until: 'ended', deadlineMs, reason };
}

/** Restarts the CMS, not the database or the caches (SIT-06). `after`: the newest task that was there before. */
export function restartSite(site: string, after: number): Act {
  const ended = tasksAfter(site, after, RESTARTED_WITHIN_MS, 'its tasks have ended');
  return {
    address: actOn(site, 'RestartSite'),
    verb: 'update',
    reason: ASKED,
    steps: [
      {
        do: 'request',
        name: 'restart',
        method: 'POST',
        path: path`/api/sites/${site}`,
        idempotent: false,
        answers: [{ status: '2xx', then: 'done' }],
        reason: 'restart the CMS of the site',
      },
      {
        do: 'wait-for',
        name: 'task of the restart',
        optional: true,
        waitFor: { ...ended, until: 'begun', deadlineMs: APPEARS_WITHIN_MS, reason: 'a task of it shows' },
      },
      { do: 'wait-for', name: 'end of the restart', open: true, waitFor: ended },
    ],
  };
}

/** Backs up volumes under one name. */
export function makeBackup(
  site: string,
  {
    name,
    volumes,
    after,
    of,
  }: {
    readonly name: string;
    readonly volumes: readonly BackedUp[];
    readonly after: number;
    /** Tells it from other backups of the site: what was asked for. */
    readonly of: string | null;
  },
): Act {
  const failsWith = tasksAfter(site, after, BACKED_UP_WITHIN_MS, 'its tasks have ended');
  return {
    address: actOn(site, 'MakeBackup', of),
    verb: 'create',
    reason: ASKED,
    steps: backupSteps({ site, name, volumes, failsWith }),
  };
}

/** One archive of one volume. */
export interface ArchiveOf {
  readonly volume: BackedUp;
  readonly archive: string;
  /** The newest task that was there before. */
  readonly after: number;
}

/** Puts a volume back to what an archive holds: what was written since is lost, and nothing shows a lost one (BKP-04). */
export function restoreVolume(site: string, { volume, archive, after }: ArchiveOf): Act {
  const ended = tasksAfter(site, after, RESTORED_WITHIN_MS, 'its tasks have ended');
  return {
    address: actOn(site, 'RestoreVolume', `${volume.id} from ${archive}`),
    verb: 'update',
    reason: ASKED,
    steps: [
      {
        do: 'request',
        name: 'restore',
        method: 'PATCH',
        path: path`/api/sites/${site}/restores/${volume.id}`,
        body: { backup_id: archive },
        idempotent: false,
        answers: [{ status: '2xx', then: 'done' }],
        reason: `restore the volume ${volume.label}`,
        rule: 'BKP-04',
      },
      {
        do: 'wait-for',
        name: 'task of the restore',
        open: true,
        waitFor: { ...ended, until: 'begun', deadlineMs: APPEARS_WITHIN_MS, reason: 'a task of it shows' },
      },
      { do: 'wait-for', name: 'end of the restore', open: true, waitFor: ended },
    ],
  };
}

/** Deletes one archive, and waits until it is no longer listed (BKP-03). */
export function deleteArchive(site: string, { volume, archive, after }: ArchiveOf): Act {
  const listed = {
    read: path`/api/sites/${site}/backups`,
    rows: `/${escapePointer(volume.label)}/archives`,
    where: [{ pointer: '/id', value: archive }],
    capture: {},
  };
  const failsWith = tasksAfter(site, after, DELETED_WITHIN_MS, 'its tasks have ended');
  const gone = { ...until(false, listed, 'the archive is no longer listed', DELETED_WITHIN_MS), failsWith };
  return {
    address: actOn(site, 'DeleteArchive', `${archive} of ${volume.id}`),
    verb: 'delete',
    reason: ASKED,
    steps: [
      change({
        name: 'delete',
        method: 'DELETE',
        path: path`/api/sites/${site}/backups/${volume.id}`,
        body: { backup_id: archive },
        // It may have been this request that removed it, sent before.
        answers: [
          { status: '2xx', then: 'done' },
          { status: 404, then: 'done' },
        ],
        reason: `delete an archive of the volume ${volume.label}`,
        rule: 'BKP-03',
      }),
      { do: 'wait-for', name: 'end of the deletion', open: true, waitFor: gone },
    ],
  };
}

/** Mints a login URL, for the database or for a user of the CMS. Each request mints another, and no read tells it (CNV-35). */
export function mintLogin(site: string, user: string | undefined): Act {
  return {
    address: actOn(site, 'MintLogin', user ?? null),
    verb: 'create',
    reason: ASKED,
    steps: [
      {
        do: 'request',
        name: 'mint',
        method: 'POST',
        path: path`/api/sites/${site}/sso`,
        body: user === undefined ? { kind: 'database' } : { kind: 'cms', username: user },
        idempotent: false,
        answers: [{ status: '2xx', then: 'done' }],
        reason: 'mint a login URL',
      },
    ],
  };
}

const LIFTED_GRACE_MS = 0;
const CHECKED_WITHIN_MS = 300_000;
const CHECK_LOST_GRACE_MS = 60_000;

/** Lifts the sending block of a site (TML-20). One that fails is read again and never repeated (TML-22). */
export function liftMailBlock(site: string): Act {
  const lifted = {
    read: path`/api/sites/${site}/mail`,
    rows: '',
    where: [{ pointer: '/mail/suspension/suspended', value: false }],
    capture: {},
  };
  return {
    address: actOn(site, 'LiftMailBlock'),
    verb: 'delete',
    reason: ASKED,
    steps: [
      {
        do: 'request',
        name: 'lift',
        method: 'DELETE',
        path: path`/api/sites/${site}/mail/suspension`,
        idempotent: false,
        answers: [{ status: '2xx', then: 'look-up' }],
        recovery: { lookUp: lifted, ifNotFound: 'unknown', graceMs: LIFTED_GRACE_MS, rule: 'TML-22' },
        reason: 'lift the sending block',
      },
    ],
  };
}

/** Has the DNS of the sender domain checked (TML-23), and waits for the result. `before`: when it was checked last. */
export function checkMailDns(site: string, before: string | null): Act {
  const checked = {
    read: path`/api/sites/${site}/mail`,
    rows: '',
    where: [{ pointer: '/mail/dns/checked_at', value: before, not: true as const }],
    capture: {},
  };
  return {
    address: actOn(site, 'CheckMailDns'),
    verb: 'update',
    reason: ASKED,
    steps: [
      {
        do: 'request',
        name: 'check',
        method: 'POST',
        path: path`/api/sites/${site}/mail/dns_check`,
        idempotent: false,
        answers: [
          { status: '2xx', then: 'done' },
          {
            status: 429,
            code: 'rate_limited',
            then: 'blocked',
            reason: 'a check was asked for within the last five minutes, perhaps in the dashboard; try again in five',
          },
        ],
        // The platform itself refuses a second one within five minutes (TML-24).
        recovery: { lookUp: checked, ifNotFound: 'send-again', graceMs: CHECK_LOST_GRACE_MS, rule: 'TML-24' },
        reason: 'check the DNS of the sender domain',
      },
      {
        do: 'wait-for',
        name: 'result',
        open: true,
        waitFor: until(true, checked, 'the check has a result', CHECKED_WITHIN_MS),
      },
    ],
  };
}
