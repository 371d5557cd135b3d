// How a task lives: it waits, runs, and ends as the clock moves on.
import type { Credential } from './http/credentials.ts';
import { addTask } from './state.ts';
import type { Site, Task, TaskStatus } from './state.ts';
import type { TaskEffects, World } from './world.ts';

const STARTS_AFTER_MS = 1_000;
const ENDS_AFTER_MS = 5_000;

/**
 * Starts platform work on a site. It runs after a second and is OK after five, unless a fate, a report or a test
 * decides otherwise before. The change that it stands for happens only when it is OK.
 */
export function startTask(
  world: World,
  credential: Credential,
  site: Pick<Site, 'id' | 'accountId'>,
  name: string,
  effects: TaskEffects = {},
): Task {
  const now = world.clock.now();
  const task = addTask(world.state, {
    siteId: site.id,
    accountId: site.accountId,
    name,
    createdAt: now,
    performedBy: performer(world, credential),
  });
  const status = takeFate(world, task);
  world.taskEffects.set(task.id, effects);
  world.clock.at(now + STARTS_AFTER_MS, () => {
    if (task.status !== 'PENDING' || status === 'PENDING') return;
    task.status = 'RUNNING';
    task.startOn = world.clock.now();
    task.updatedAt = world.clock.now();
    effects.running?.();
  });
  world.clock.at(now + ENDS_AFTER_MS, () => {
    if (task.status === 'PENDING' || task.status === 'RUNNING') setTaskStatus(world, task, status);
  });
  return task;
}

/** Also how a report, or a test, ends a task or lets it go on. */
export function setTaskStatus(world: World, task: Task, status: TaskStatus): void {
  // TSK-02: a task is OK, PENDING, RUNNING, CANCELLED, PAUSED or FAILED.
  task.status = status;
  task.updatedAt = world.clock.now();
  if (status === 'PENDING' || status === 'RUNNING' || status === 'PAUSED') return;
  const effects = world.taskEffects.get(task.id);
  world.taskEffects.delete(task.id);
  if (status === 'OK') effects?.ok?.();
  else effects?.failed?.();
}

function takeFate(world: World, task: Task): TaskStatus {
  const fates = world.state.taskFates;
  const index = fates.findIndex(
    ({ name, siteId }) => task.name.startsWith(name ?? '') && (siteId ?? task.siteId) === task.siteId,
  );
  return index === -1 ? 'OK' : (fates.splice(index, 1)[0]?.status ?? 'OK');
}

function performer(world: World, credential: Credential): Task['performedBy'] {
  const user = credential.userId === null ? undefined : world.state.users.get(credential.userId);
  if (user === undefined) return null;
  return { id: user.id, name: `${user.firstName} ${user.lastName}`, email: user.email };
}
