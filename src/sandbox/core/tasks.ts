// How a task lives: it waits, runs, and ends as the clock moves on. How tasks are read and how their results are
// reported.
import { addTask } from './state.ts';
import type { Site, Task, TaskStatus } from './state.ts';
import { inListOrder } from './world.ts';
import type { TaskEffects, World } from './world.ts';
import { createHash } from 'node:crypto';
import { findSite, reachableAccounts } from './http/access.ts';
import { notFound, ok, refuse } from './http/endpoint.ts';
import type { Answer, Call, Endpoint } from './http/endpoint.ts';
import { siteEndpoints } from './http/site-endpoints.ts';
import { NotRead } from './copy/answers.ts';
import { taskView } from './present.ts';

const STARTS_AFTER_MS = 1_000;
const ENDS_AFTER_MS = 5_000;

/**
 * Starts platform work on a site. It runs after a second and is OK after five, unless a fate, a report or a test
 * decides otherwise before. The change that it stands for happens only when it is OK.
 */
export function startTask(
  world: Call,
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
    performedBy: performer(world),
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

function performer({ state, credential }: Call): Task['performedBy'] {
  const user = state.users.get(credential.userId ?? '');
  if (user === undefined) return null;
  return { id: user.id, name: `${user.firstName} ${user.lastName}`, email: user.email };
}

const FILTERS = ['OK', 'PENDING', 'RUNNING', 'CANCELLED', 'PAUSED', 'FAILED', 'TODAY'];
const MOST_RECENT = 100;
const DAY_MS = 86_400_000;

function listTasks(call: Call, site: Site): Answer {
  return answerTasks(call, tasksOf(call, site));
}

function filterTasks(call: Call, site: Site): Answer {
  const filter = call.params['filter'] ?? '';
  if (!FILTERS.includes(filter)) refuse(422, null, `${filter} is no filter`);
  const today = Math.floor(call.clock.now() / DAY_MS);
  const fits = (task: Task): boolean =>
    filter === 'TODAY' ? Math.floor(task.createdAt / DAY_MS) === today : task.status === filter;
  // TSK-06: the task list filters by status, or by TODAY.
  return answerTasks(call, tasksOf(call, site).filter(fits));
}

/** Most recent first. */
function tasksOf({ state }: Call, site: Site): Task[] {
  if (site.tasksUnread === true) throw new NotRead(`the tasks of site ${site.id}`);
  return [...state.tasks.values()]
    .filter((task) => task.siteId === site.id)
    .sort((left, right) => right.createdAt - left.createdAt || right.id - left.id);
}

function answerTasks(call: Call, tasks: readonly Task[]): Answer {
  // LIM-02: a site's task list shows the 100 most recent.
  const recent = tasks.slice(0, MOST_RECENT);
  // TSK-05: a site's task list has no pages.
  const views = inListOrder(call, recent).map((task) => taskView(call, task));
  return ok(call.ambiguities['GAP-14'] === 'wrapped' ? { tasks: views } : views);
}

function readTask(call: Call): Answer {
  const task = call.state.tasks.get(Number(call.params['task'])) ?? notFound();
  // TSK-07: a task is read by id, outside its site's path.
  if (findSite(call, task.siteId) === undefined && !ofReachableOrder(call, task)) notFound();
  const view = taskView(call, task);
  return ok(call.ambiguities['GAP-14'] === 'wrapped' ? { task: view } : view);
}

/** The task of an order is polled before its site is there. */
function ofReachableOrder(call: Call, task: Task): boolean {
  // ORD-46: the tasks of an order are read by id like any other.
  return task.accountId !== null && reachableAccounts(call).includes(task.accountId);
}

/** CBK-07: 200 in any case, even for a task that nobody knows. */
function reportTask(call: Call): Answer {
  const { body } = call;
  const task = call.state.tasks.get(Number(call.params['task']));
  const owned =
    task !== undefined && (call.state.sites.get(task.siteId)?.accountId ?? task.accountId) === call.accountId;
  // TSK-08: a report ends a pending or running task and appends its data.
  if (!owned || typeof body['success'] !== 'boolean') return ok({});
  const digest = createHash('sha256')
    .update(JSON.stringify([body['data'] ?? null, body['success']]))
    .digest('hex');
  // TSK-08/once: a repeated report does nothing.
  if (task.reports.includes(digest)) return ok({});
  task.reports.push(digest);
  task.data += dataText(body['data']);
  task.updatedAt = call.clock.now();
  if (task.status === 'PENDING' || task.status === 'RUNNING')
    setTaskStatus(call, task, body['success'] ? 'OK' : 'FAILED');
  return ok({});
}

function dataText(data: unknown): string {
  if (data === undefined || data === null) return '';
  return typeof data === 'string' ? data : JSON.stringify(data);
}

export const taskEndpoints: readonly Endpoint[] = [
  ...siteEndpoints({}, '/tasks', { GET: listTasks, 'GET /:filter/filter': filterTasks }),
  {
    method: 'GET',
    path: '/api/tasks/:task',
    scope: 'sites:read',
    handle: readTask,
    account: (world) => world.ambiguities['GAP-14.header'] === 'required',
  },
  {
    method: 'POST',
    path: '/api/webhooks/task/:task',
    scope: 'never',
    account: true,
    backEnd: true,
    handle: reportTask,
  },
];
