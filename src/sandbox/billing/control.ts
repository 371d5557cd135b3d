// How a test sees what the platform sent out, scripts what is answered to it, and lets things happen that no request
// does: a site gets another owner, a registrar tells of a domain. The URL of a plan's webhook is set with PATCH
// /_sandbox/accounts/:account.
import type { Hono } from 'hono';
import type { Env } from '../core/http/app.ts';
import { announceDomain, announceSite } from './events.ts';
import { bodyOf, textOf } from '../core/control-body.ts';
import { repeatDelivery } from './deliveries.ts';
import type { RegisteredDomain } from './event-blocks.ts';
import type { ReceiverAnswer } from './webhook-state.ts';
import type { World } from '../core/world.ts';

const YEAR_MS = 365 * 86_400_000;

export function addWebhookControls(control: Hono<Env>, world: World): void {
  const { deliveries, receivers } = world.state.webhooks;
  control.get('/_sandbox/deliveries', (context) => {
    world.clock.runDue();
    return context.json({ deliveries });
  });
  control.put('/_sandbox/receivers', async (context) => {
    const body = await bodyOf(context);
    const { answers } = body;
    if (!Array.isArray(answers)) return context.json({ error: 'answers must be a list of {status, afterMs}' }, 400);
    receivers.set(textOf(body, 'url'), answers as ReceiverAnswer[]);
    return context.json({});
  });
  control.post('/_sandbox/deliveries/:index/repeat', (context) => {
    const delivery = deliveries[Number(context.req.param('index'))];
    if (delivery === undefined) return context.json({ error: 'no such delivery' }, 404);
    repeatDelivery(world, delivery);
    return context.json({});
  });
  control.post('/_sandbox/sites/:site/owner', async (context) => {
    const site = world.state.sites.get(context.req.param('site'));
    if (site === undefined) return context.json({ error: 'no such site' }, 404);
    site.accountId = textOf(await bodyOf(context), 'accountId');
    site.updatedAt = world.clock.now();
    announceSite(world, site, 'owner_change');
    return context.json({});
  });
  control.post('/_sandbox/domain_events', async (context) => {
    const { action, ...domain } = await bodyOf(context);
    announceDomain(world, everyday(world, domain), String(action));
    return context.json({});
  });
}

/** A registration with everyday values, where nothing else is said. */
function everyday(world: World, given: Record<string, unknown>): RegisteredDomain {
  return {
    id: `reg-${textOf(given, 'name')}`,
    name: textOf(given, 'name'),
    accountId: 'acc-acme',
    status: 'OK',
    expiresAt: world.clock.now() + YEAR_MS,
    autoRenew: true,
    privacyProtect: false,
    recoveryPhase: null,
    price: { amount_cents: 1_200, currency: 'EUR', term: 'yearly' },
    ...(given as Partial<RegisteredDomain>),
  };
}
