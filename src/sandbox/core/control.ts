// What can be done to a running sandbox from outside /api: look at the store, move the clock, change things behind a
// client's back.
import { Hono } from 'hono';
import type { Desk, Env } from './http/app.ts';
import { bodyOf, changeSite, textOf } from './control-body.ts';
import { createFaults } from './http/fault-picker.ts';
import { parseFaults } from './http/faults.ts';
import type { Fault } from './http/faults.ts';
import { outsideEvents } from './outside.ts';
import { outsidePage } from './page.ts';
import { rawState } from './snapshot.ts';
import { addDomain } from './state.ts';
import type { Task, TaskFate } from './state.ts';
import { setTaskStatus } from './tasks.ts';
import type { Traffic } from './traffic-state.ts';
import type { World } from './world.ts';

export function buildControl(desk: Desk): Hono<Env> {
  const { world } = desk;
  const control = new Hono<Env>();
  control.get('/', (context) => {
    world.clock.runDue();
    return context.html(
      outsidePage(outsideEvents(world), {
        origin: new URL(context.req.url).origin,
        account: [...world.state.accounts.keys()][0],
        time: `${new Date(world.clock.now()).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
      }),
    );
  });
  control.get('/_sandbox/state', (context) => context.json(rawState(world.state)));
  control.get('/_sandbox/requests', (context) => context.json(desk.requests));
  control.get('/_sandbox/creations', (context) => context.json(Object.fromEntries(world.creations)));
  control.post('/_sandbox/clock', async (context) => {
    const { advanceMs } = await bodyOf(context);
    if (typeof advanceMs !== 'number') return context.json({ error: 'advanceMs must be a number' }, 400);
    world.clock.advance(advanceMs);
    return context.json({ now: world.clock.now() });
  });
  control.post('/_sandbox/faults', async (context) => {
    const { faults, text } = await bodyOf(context);
    desk.faults = createFaults(
      typeof text === 'string' ? parseFaults(text) : Array.isArray(faults) ? (faults as Fault[]) : [],
    );
    return context.json({});
  });
  control.post('/_sandbox/sites/:site/domains', (context) =>
    changeSite(world, context, (site, body) => {
      const domain = addDomain(world.state, site, {
        hostname: textOf(body, 'hostname'),
        method: body['method'] === 'dns' ? 'dns' : 'cname',
        createdAt: world.clock.now(),
        updatedAt: world.clock.now(),
      });
      if (body['primary'] === true) site.primaryDomainId = domain.id;
    }),
  );
  control.delete('/_sandbox/sites/:site/domains', (context) =>
    changeSite(world, context, (site, body) => {
      const gone = site.domains.find((domain) => domain.hostname === textOf(body, 'hostname'));
      if (gone === undefined) throw new Error('no such hostname on this site');
      site.domains = site.domains.filter((domain) => domain !== gone);
      if (site.primaryDomainId === gone.id) site.primaryDomainId = null;
    }),
  );
  addTaskControls(control, world);
  control.patch('/_sandbox/sites/:site/traffic', (context) =>
    changeSite(world, context, (site, body) => {
      Object.assign(site.traffic, body as Partial<Traffic>);
    }),
  );
  control.patch('/_sandbox/locations/:location', async (context) => {
    const location = world.state.locations.find(({ shortName }) => shortName === context.req.param('location'));
    if (location === undefined) return context.json({ error: 'no such location' }, 404);
    location.soldOutFor = Number((await bodyOf(context))['soldOutFor'] ?? 0);
    return context.json({});
  });
  for (const area of world.state.areas) area.addControls?.(control, desk);
  control.onError((error, context) => context.json({ error: error.message }, 400));
  return control;
}

/** Makes tasks go wrong: those to come (each fate strikes once), or one that is there. */
function addTaskControls(control: Hono<Env>, world: World): void {
  control.post('/_sandbox/tasks/fates', async (context) => {
    const { fates } = await bodyOf(context);
    if (!Array.isArray(fates)) return context.json({ error: 'fates must be a list' }, 400);
    world.state.taskFates.push(...(fates as TaskFate[]));
    return context.json({});
  });
  control.patch('/_sandbox/tasks/:task', async (context) => {
    const task = world.state.tasks.get(Number(context.req.param('task')));
    if (task === undefined) return context.json({ error: 'no such task' }, 404);
    setTaskStatus(world, task, textOf(await bodyOf(context), 'status') as Task['status']);
    return context.json({});
  });
}
