// Decides how a task lives: it waits, runs, and ends as the clock moves on.
// Must not show tasks; the routes do.
import type { Credential } from './credentials.ts';
import { rule } from './rules.ts';
import { addTask } from './state.ts';
import type { Site, Task } from './state.ts';
import type { World } from './world.ts';

const statusWords = rule('TSK-02', 'a task is OK, PENDING, RUNNING, CANCELLED, PAUSED or FAILED');

const STARTS_AFTER_MS = 1_000;
const ENDS_AFTER_MS = 5_000;

/** Starts platform work on a site. It runs after a second and is OK after five, unless a report or a test decides otherwise before. */
export function startTask(world: World, credential: Credential, site: Site, name: string): Task {
  const now = world.clock.now();
  const task = addTask(world.state, { siteId: site.id, name, createdAt: now, performedBy: performer(world, credential) });
  world.clock.at(now + STARTS_AFTER_MS, () => {
    if (task.status !== 'PENDING') return;
    task.status = 'RUNNING';
    task.startOn = world.clock.now();
    task.updatedAt = world.clock.now();
  });
  world.clock.at(now + ENDS_AFTER_MS, () => {
    if (task.status !== 'PENDING' && task.status !== 'RUNNING') return;
    task.status = world.rules.on(statusWords) ? 'OK' : ('SUCCEEDED' as 'OK');
    task.updatedAt = world.clock.now();
  });
  return task;
}

function performer(world: World, credential: Credential): Task['performedBy'] {
  const user = credential.userId === null ? undefined : world.state.users.get(credential.userId);
  if (user === undefined) return null;
  return { id: user.id, name: `${user.firstName} ${user.lastName}`, email: user.email };
}
