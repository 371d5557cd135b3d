// What the cases of ordering share: to place an order, to let time pass, to see how far it got.
import assert from 'node:assert/strict';
import { refused } from '../context.ts';
import type { Client, Reply } from '../context.ts';

export const SITE = { name: 'new', variant: 'vanilla', location: 'ams', plan: 'pro', term: 'monthly' };
export const DAY_MS = 86_400_000;

export const order = (client: Client, site: object = SITE, rest: object = {}): Promise<Reply> =>
  client.call('POST', '/api/orders', { site, ...rest });
export const poll = (client: Client, placed: Reply, account = 'acc-acme'): Promise<Reply> =>
  client.get(`/api/carts/${String(placed.at('cart', 'token'))}`, { account });
export const advance = (client: Client, durationMs: number): void => client.sandbox.clock.advance(durationMs);

/** Status, rollup and payment of the cart, and the statuses of its orders. */
export async function progress(client: Client, placed: Reply): Promise<readonly unknown[]> {
  const cart = await poll(client, placed);
  const orders = cart.at('orders') as { status: string }[];
  return [
    cart.at('cart', 'status'),
    cart.at('cart', 'rollup_status'),
    cart.at('payment', 'status'),
    ...orders.map(({ status }) => status),
  ];
}

export async function orderId(client: Client, placed: Reply): Promise<string> {
  return String((await poll(client, placed)).at('orders', 0, 'id'));
}

export async function viewed(client: Client, placed: Reply): Promise<Reply> {
  return client.get(`/api/orders/${await orderId(client, placed)}`);
}

/** Places an order, and waits so long. */
export async function placed(client: Client, waitMs: number): Promise<Reply> {
  const reply = await order(client);
  advance(client, waitMs);
  return reply;
}

/** What the answer has to be when nothing was bought. */
export function nothingBought(client: Client, reply: Reply, status: number, code: string | undefined): void {
  refused(reply, status, code);
  assert.deepEqual([client.sandbox.creations.size, client.sandbox.state.carts.size], [0, 0]);
}
