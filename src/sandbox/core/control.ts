// What can be done to a running sandbox from outside /api: look at the store, move the clock, change things behind a
// client's back.
import { Hono } from 'hono';
import type { Context } from 'hono';
import type { Desk, Env } from './http/app.ts';
import { addShieldControls } from '../shield/control.ts';
import { bodyOf, textOf } from './control-body.ts';
import { addMailControls } from '../mail/control.ts';
import { addPanelControls } from '../panel/control.ts';
import { addWebhookControls } from '../billing/control.ts';
import { addRegistrationControls } from '../registration/control.ts';
import { isRecord } from './http/endpoint.ts';
import { createFaults } from './http/fault-picker.ts';
import { parseFaults } from './http/faults.ts';
import type { Fault } from './http/faults.ts';
import { mailAccount, mailMessage } from '../site/mail/state.ts';
import type { MailAccount, MailMessage } from '../site/mail/state.ts';
import type { Billing } from '../billing/state.ts';
import { expireCart, payCart } from '../billing/purchases.ts';
import { outsideEvents } from './outside.ts';
import { outsidePage } from './page.ts';
import { rawState } from './snapshot.ts';
import { LAYERS, addEdgeRule } from '../site/state.ts';
import type { EdgeRule } from '../site/state.ts';
import { addDomain, nextId } from './state.ts';
import type { Caching, Site, Task, TaskFate } from './state.ts';
import { setTaskStatus } from './tasks.ts';
import { logEntry } from '../site/traffic-state.ts';
import type { Traffic } from '../site/traffic-state.ts';
import type { World } from './world.ts';

type Change = (site: Site, body: Record<string, unknown>) => void;

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
  control.patch('/_sandbox/sites/:site/caching', (context) =>
    changeSite(desk, context, (site, body) => {
      site.cdn.caching = { ...site.cdn.caching, ...(body as Partial<Caching>) };
    }),
  );
  control.post('/_sandbox/sites/:site/domains', (context) =>
    changeSite(desk, context, (site, body) => {
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
    changeSite(desk, context, (site, body) => {
      const gone = site.domains.find((domain) => domain.hostname === textOf(body, 'hostname'));
      if (gone === undefined) throw new Error('no such hostname on this site');
      site.domains = site.domains.filter((domain) => domain !== gone);
      if (site.primaryDomainId === gone.id) site.primaryDomainId = null;
    }),
  );
  addTaskControls(control, world);
  addSitePartControls(control, desk);
  addShieldControls(control, world.state, (context, change) => changeSite(desk, context, change));
  addMailAndTrafficControls(control, desk);
  addPaymentControls(control, world);
  addMailControls(control, world);
  addPanelControls(control, world);
  addWebhookControls(control, world);
  addRegistrationControls(control, world);
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

function addSitePartControls(control: Hono<Env>, desk: Desk): void {
  const { world } = desk;
  control.patch('/_sandbox/sites/:site', (context) =>
    changeSite(desk, context, (site, body) => {
      if (body['package'] !== undefined) site.package = textOf(body, 'package');
      if (body['php'] !== undefined) site.phpVersion = textOf(body, 'php');
      const { layers } = body;
      if (isRecord(layers))
        for (const layer of LAYERS)
          site.layers[layer].on = layers[layer] === undefined ? site.layers[layer].on : layers[layer] === true;
    }),
  );
  control.post('/_sandbox/sites/:site/edge_rules', (context) =>
    changeSite(desk, context, (site, body) => {
      addEdgeRule(site, { Guid: nextId(world.state), ...(body as Partial<EdgeRule>) });
    }),
  );
  control.patch('/_sandbox/sites/:site/edge_rules/:rule', (context) =>
    changeSite(desk, context, (site, body) => {
      const rule = site.edgeRules.find((one) => one.Guid === context.req.param('rule'));
      if (rule === undefined) throw new Error('no such edge rule on this site');
      Object.assign(rule, body);
    }),
  );
  control.delete('/_sandbox/sites/:site/edge_rules/:rule', (context) =>
    changeSite(desk, context, (site) => {
      site.edgeRules = site.edgeRules.filter((one) => one.Guid !== context.req.param('rule'));
    }),
  );
}

/**
 * What the mail provider, a person at the dashboard or a visitor of the site does. A body of `{"account": false}` takes
 * the mail account away.
 */
function addMailAndTrafficControls(control: Hono<Env>, desk: Desk): void {
  const { world } = desk;
  control.patch('/_sandbox/sites/:site/mail', (context) =>
    changeSite(desk, context, (site, body) => {
      const { account, dns, published, suspension, ...rest } = body;
      site.mail = account === false ? null : (site.mail ?? mailAccount(world.clock.now()));
      if (site.mail === null) return;
      const parts = { dns, published, suspension } as Partial<MailAccount>;
      for (const key of ['dns', 'published', 'suspension'] as const) Object.assign(site.mail[key], parts[key]);
      Object.assign(site.mail, rest);
    }),
  );
  control.post('/_sandbox/sites/:site/mail/messages', (context) =>
    changeSite(desk, context, (site, body) => {
      site.mail?.messages.push(
        mailMessage({ sentAt: world.clock.now(), rcpt: textOf(body, 'rcpt'), ...(body as Partial<MailMessage>) }),
      );
    }),
  );
  control.patch('/_sandbox/sites/:site/traffic', (context) =>
    changeSite(desk, context, (site, body) => {
      Object.assign(site.traffic, body as Partial<Traffic>);
    }),
  );
  control.post('/_sandbox/sites/:site/logs/cdn', (context) =>
    changeSite(desk, context, (site, body) => {
      site.traffic.cdnLog.push(logEntry(world.clock.now(), body));
    }),
  );
  control.patch('/_sandbox/platform', async (context) => {
    world.state.mailDown = (await bodyOf(context))['mailDown'] === true;
    return context.json({});
  });
}

/** What only a person, a bank or a salesperson can do. The token `all` means every cart that waits for somebody. */
function addPaymentControls(control: Hono<Env>, world: World): void {
  control.post('/_sandbox/carts/:token/payment', async (context) => {
    const outcome = textOf(await bodyOf(context), 'outcome');
    if (outcome !== 'complete' && outcome !== 'decline')
      return context.json({ error: 'outcome must be complete or decline' }, 400);
    const token = context.req.param('token');
    const carts = [...world.state.carts.values()].filter((cart) => token === 'all' || cart.token === token);
    const moved = carts.filter((cart) => (outcome === 'complete' ? payCart(world, cart) : expireCart(world, cart)));
    return context.json({ carts: moved.map((cart) => cart.token) }, moved.length === 0 ? 404 : 200);
  });
  control.patch('/_sandbox/accounts/:account', async (context) => {
    const account = world.state.accounts.get(context.req.param('account'));
    if (account === undefined) return context.json({ error: 'no such account' }, 404);
    account.billing = { ...account.billing, ...((await bodyOf(context)) as Partial<Billing>) };
    return context.json({});
  });
  control.patch('/_sandbox/locations/:location', async (context) => {
    const location = world.state.locations.find(({ shortName }) => shortName === context.req.param('location'));
    if (location === undefined) return context.json({ error: 'no such location' }, 404);
    location.soldOutFor = Number((await bodyOf(context))['soldOutFor'] ?? 0);
    return context.json({});
  });
}

async function changeSite(desk: Desk, context: Context<Env>, change: Change): Promise<Response> {
  const site = desk.world.state.sites.get(context.req.param('site') ?? '');
  if (site === undefined) return context.json({ error: 'no such site' }, 404);
  change(site, await bodyOf(context));
  return context.json({});
}
