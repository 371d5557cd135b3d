// What can be done to a running sandbox from outside /api: look at the store, move the clock, change things behind a
// client's back.
import { Hono } from 'hono';
import type { Desk, Env } from './http/app.ts';
import { NotThere, changing, listOf, siteOf, textOf, there } from './controls.ts';
import type { Controls } from './controls.ts';
import { isRecord } from './http/endpoint.ts';
import { createFaults, parseFaults } from './http/faults.ts';
import type { Fault } from './http/faults.ts';
import { outsideEvents } from './outside.ts';
import { outsidePage } from './page.ts';
import { plain } from './snapshot.ts';
import { addDomain } from './state.ts';
import type { Task, TaskFate } from './state.ts';
import { setTaskStatus } from './tasks.ts';

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
  const tables = [controlsOf(desk), ...world.state.areas.map((area) => area.controls?.(world) ?? {})];
  for (const [route, run] of tables.flatMap((table) => Object.entries(table))) {
    const [method = '', path = ''] = route.split(' ');
    control.on(method, `/_sandbox${path}`, async (context) => {
      const text = await context.req.text();
      const body: unknown = text === '' ? {} : JSON.parse(text);
      if (!isRecord(body)) throw new Error('the body must be an object');
      return context.json(run(body, context.req.param()) ?? {});
    });
  }
  control.onError((error, context) => context.json({ error: error.message }, error instanceof NotThere ? 404 : 400));
  return control;
}

function controlsOf(desk: Desk): Controls {
  const { world } = desk;
  const { state, clock } = world;
  const onSite = changing((params) => siteOf(world, params));
  return {
    'GET /state': () => plain(state),
    'GET /requests': () => desk.requests,
    'GET /creations': () => Object.fromEntries(world.creations),
    'POST /clock': ({ advanceMs }) => {
      if (typeof advanceMs !== 'number') throw new Error('advanceMs must be a number');
      clock.advance(advanceMs);
      return { now: clock.now() };
    },
    'POST /faults': ({ faults, text }) => {
      desk.faults = createFaults(
        typeof text === 'string' ? parseFaults(text) : Array.isArray(faults) ? (faults as Fault[]) : [],
      );
    },
    'POST /sites/:site/domains': onSite((site, body) => {
      const domain = addDomain(state, site, {
        hostname: textOf(body, 'hostname'),
        method: body['method'] === 'dns' ? 'dns' : 'cname',
        createdAt: clock.now(),
        updatedAt: clock.now(),
      });
      if (body['primary'] === true) site.primaryDomainId = domain.id;
    }),
    'DELETE /sites/:site/domains': onSite((site, body) => {
      const gone = site.domains.find((domain) => domain.hostname === textOf(body, 'hostname'));
      if (gone === undefined) throw new Error('no such hostname on this site');
      site.domains = site.domains.filter((domain) => domain !== gone);
      if (site.primaryDomainId === gone.id) site.primaryDomainId = null;
    }),
    // Makes tasks go wrong: those to come (each fate strikes once), or one that is there.
    'POST /tasks/fates': (body) => void state.taskFates.push(...listOf<TaskFate>(body, 'fates')),
    'PATCH /tasks/:task': changing(({ task }) => there(state.tasks.get(Number(task)), 'task'))((task, body) => {
      setTaskStatus(world, task, textOf(body, 'status') as Task['status']);
    }),
    'PATCH /sites/:site/traffic': onSite((site, body) => Object.assign(site.traffic, body)),
    'PATCH /locations/:location': ({ soldOutFor = 0 }, { location }) => {
      there(
        state.locations.find(({ shortName }) => shortName === location),
        'location',
      ).soldOutFor = Number(soldOutFor);
    },
  };
}
