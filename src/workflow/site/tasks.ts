// How commands follow the work that the platform does for them. Completion is told
// by status alone (TSK-03), and the text of a task is for people (TSK-04).
import type { Json, JsonObject } from '../../model/json.ts';
import { ANY_LIST, isJsonObject, valueAt } from '../../model/json.ts';
import { rowsAt } from '../../model/kind/rows.ts';
import { pause } from '../act/send.ts';
import type { OpenSite } from './open-site.ts';

/** Work that is no longer done. */
const ENDED: readonly unknown[] = ['OK', 'FAILED', 'CANCELLED'];
/** No call says which task is its own (TSK-09): so long one that is new is waited for. */
const APPEARS_WITHIN_MS = 20_000;

/** The tasks of a site, at most the 100 most recent (LIM-02), newest first. */
async function readTasks({ client, path }: OpenSite): Promise<readonly JsonObject[]> {
  const tasks = rowsAt(await client.read(`${path}/tasks`), ANY_LIST);
  return [...tasks].sort((left, right) => numberOf(right.id) - numberOf(left.id));
}

export async function taskIds(site: OpenSite): Promise<ReadonlySet<Json | undefined>> {
  return new Set((await readTasks(site)).map(({ id }) => id));
}

/** The tasks that were not there before. */
export async function newTasks(site: OpenSite, before: ReadonlySet<Json | undefined>): Promise<readonly JsonObject[]> {
  return (await readTasks(site)).filter(({ id }) => !before.has(id));
}

export interface Followed {
  /** none: no new task showed up. */
  readonly end: 'ok' | 'failed' | 'not-yet' | 'none';
  readonly tasks: readonly JsonObject[];
}

/** Waits for the tasks that are new to end. */
export async function followNewTasks(
  site: OpenSite,
  before: ReadonlySet<Json | undefined>,
  withinMs: number,
): Promise<Followed> {
  const { clock, emit } = site.session;
  const sinceMs = clock.now();
  for (let polls = 0; ; polls += 1) {
    const tasks = await newTasks(site, before);
    const end = endOf(tasks);
    if (end === 'ok' || end === 'failed') return { end, tasks };
    const deadlineAtMs = sinceMs + (end === 'none' ? APPEARS_WITHIN_MS : withinMs);
    if (clock.now() >= deadlineAtMs) return { end, tasks };
    emit({ type: 'waiting', address: site.label, on: 'for the tasks of the site', atMs: clock.now(), deadlineAtMs });
    await pause(site, polls);
  }
}

export function endOf(tasks: readonly JsonObject[]): Followed['end'] {
  if (tasks.length === 0) return 'none';
  if (!tasks.every(({ status }) => ENDED.includes(status))) return 'not-yet';
  return tasks.every(({ status }) => status === 'OK') ? 'ok' : 'failed';
}

/** Waits for one task to end, by its id. */
export async function followTask(site: OpenSite, id: string | number, withinMs: number): Promise<Followed> {
  const { clock, emit } = site.session;
  const deadlineAtMs = clock.now() + withinMs;
  for (let polls = 0; ; polls += 1) {
    const answer = await site.client.read(`/api/tasks/${encodeURIComponent(id)}`);
    // Bare or wrapped: not documented (GAP-14).
    const inner = valueAt(answer, '/task') ?? answer;
    const tasks = isJsonObject(inner) ? [inner] : [];
    const end = endOf(tasks);
    if (end === 'ok' || end === 'failed' || clock.now() >= deadlineAtMs) return { end, tasks };
    emit({ type: 'waiting', address: site.label, on: `for task ${id}`, atMs: clock.now(), deadlineAtMs });
    await pause(site, polls);
  }
}

/** `site.restart OK`, for messages. */
export function tellTasks(tasks: readonly JsonObject[]): string {
  return tasks
    .map(({ id, name, status }) =>
      `task ${String(numberOf(id))} ${typeof name === 'string' ? name : ''} ${typeof status === 'string' ? status : 'in an unknown state'}`.replace(
        / {2,}/g,
        ' ',
      ),
    )
    .join(', ');
}

function numberOf(id: Json | undefined): number {
  return typeof id === 'number' ? id : Number(id);
}
