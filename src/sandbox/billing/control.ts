// How a test sees what the platform sent out, scripts what is answered to it, and lets things happen that no request
// does: somebody pays, a site gets another owner. The URL of a plan's webhook is set with PATCH
// /_sandbox/accounts/:account.
import type { Hono } from 'hono';
import type { Desk, Env } from '../core/http/app.ts';
import { announceSite } from './events.ts';
import { bodyOf, textOf } from '../core/control-body.ts';
import { repeatDelivery } from './deliveries.ts';
import { controlPath, few } from '../core/outside.ts';
import type { OutsideEvent } from '../core/outside.ts';
import { expireCart, payCart } from './purchases.ts';
import { billingOf } from './state.ts';
import type { Billing } from './state.ts';
import type { ReceiverAnswer } from './webhook-state.ts';
import type { World } from '../core/world.ts';

export function addBillingControls(control: Hono<Env>, { world }: Desk): void {
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
  // What only a person, a bank or a salesperson can do. The token `all` means every cart that waits for somebody.
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
}

export function paymentEvents({ state, parkedCarts }: World): readonly OutsideEvent[] {
  const group = 'Payments';
  const parked = few(parkedCarts.keys()).flatMap((token): readonly OutsideEvent[] => {
    const path = controlPath('carts', token, 'payment');
    return [
      { group, does: `Pay cart ${token}`, method: 'POST', path, body: { outcome: 'complete' } },
      { group, does: `Let cart ${token} expire unpaid`, method: 'POST', path, body: { outcome: 'decline' } },
    ];
  });
  const [account] = state.accounts.values();
  if (account === undefined) return parked;
  const outcomes = [
    ['Decline the next payments', 'declined'],
    ['Have the next payments wait for a person (3-D Secure)', 'authentication'],
    ['Let the next payments succeed', 'succeeded'],
  ] as const;
  const others = outcomes
    .filter(([, outcome]) => outcome !== billingOf(account).outcome)
    .map(([does, outcome]): OutsideEvent => ({
      group,
      does,
      method: 'PATCH',
      path: controlPath('accounts', account.id),
      body: { outcome },
    }));
  return [...parked, ...others];
}
