// How a test sees what the platform sent out, scripts what is answered to it, and lets things happen that no request
// does: somebody pays, a site gets another owner. The URL of a plan's webhook is set with PATCH
// /_sandbox/accounts/:account.
import { announceSite, repeatDelivery } from './messages.ts';
import { NotThere, changing, listOf, oneOf, siteOf, textOf, there } from '../core/controls.ts';
import type { Controls } from '../core/controls.ts';
import { controlPath, events, few } from '../core/outside.ts';
import type { OutsideEvent } from '../core/outside.ts';
import { expireCart, payCart } from './purchases.ts';
import { billingOf } from './state.ts';
import type { ReceiverAnswer } from './state.ts';
import type { World } from '../core/world.ts';

export function billingControls(world: World): Controls {
  const { accounts, carts, webhooks } = world.state;
  const { deliveries, receivers } = webhooks;
  return {
    'GET /deliveries': () => {
      world.clock.runDue();
      return { deliveries };
    },
    'PUT /receivers': (body) => void receivers.set(textOf(body, 'url'), [...listOf<ReceiverAnswer>(body, 'answers')]),
    'POST /deliveries/:index/repeat': (_body, { index }) =>
      repeatDelivery(world, there(deliveries[Number(index)], 'delivery')),
    'POST /sites/:site/owner': changing((params) => siteOf(world, params))((site, body) => {
      site.accountId = textOf(body, 'accountId');
      site.updatedAt = world.clock.now();
      announceSite(world, site, 'owner_change');
    }),
    // What only a person, a bank or a salesperson can do. The token `all` means every cart that waits for somebody.
    'POST /carts/:token/payment': (body, { token }) => {
      const end = oneOf(['complete', 'decline'], body['outcome'], 'outcome') === 'complete' ? payCart : expireCart;
      const moved = [...carts.values()].filter((cart) => (token === 'all' || cart.token === token) && end(world, cart));
      if (moved.length === 0) throw new NotThere('no such cart waits for somebody');
      return { carts: moved.map((cart) => cart.token) };
    },
    'PATCH /accounts/:account': changing(({ account = '' }) => there(accounts.get(account), 'account'))(
      (account, body) => {
        account.billing = { ...account.billing, ...body };
      },
    ),
  };
}

export function paymentEvents({ state, parkedCarts }: World): readonly OutsideEvent[] {
  const [account] = state.accounts.values();
  const outcomes = [
    ['Decline the next payments', 'declined'],
    ['Have the next payments wait for a person (3-D Secure)', 'authentication'],
    ['Let the next payments succeed', 'succeeded'],
  ] as const;
  return events('Payments', [
    ...few(parkedCarts.keys()).flatMap((token) => {
      const path = controlPath('carts', token, 'payment');
      return [
        [`Pay cart ${token}`, 'POST', path, { outcome: 'complete' }],
        [`Let cart ${token} expire unpaid`, 'POST', path, { outcome: 'decline' }],
      ] as const;
    }),
    ...(account === undefined ? [] : outcomes)
      .filter(([, outcome]) => outcome !== billingOf(account).outcome)
      .map(([does, outcome]) => [does, 'PATCH', controlPath('accounts', account?.id ?? ''), { outcome }] as const),
  ]);
}
