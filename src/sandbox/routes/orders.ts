// Decides how orders are read. Must not make any: ordering is not emulated yet (see not-yet.ts).
import { accountRef, orderListItem } from '../present.ts';
import { ok, refuse } from '../endpoint.ts';
import type { Answer, Call, Endpoint } from '../endpoint.ts';
import { inListOrder } from '../world.ts';
import { page } from './paging.ts';

function listOrders(call: Call): Answer {
  const { world } = call;
  const rows = [...world.state.orders.values()].filter((order) => call.accountId === null || order.accountId === call.accountId);
  // Pages have to fit together, so the order may not change between two reads.
  const stable = world.readings.listOrder === 'reshuffled' ? rows : inListOrder(world, rows);
  return ok({ orders: page(call, stable).map((order) => orderListItem(world, order)) });
}

function readOrder(call: Call): Answer {
  const { world } = call;
  const order = world.state.orders.get(call.params['order'] ?? '');
  if (order === undefined || order.accountId !== call.accountId) return refuse(world, 404, null, 'Not Found');
  const { account, ...core } = orderListItem(world, order);
  return ok({
    order: core, tasks: [], account: account ?? accountRef(world.state, order.accountId), user: null,
    payment: { status: 'pending', method_type: null, hosted_invoice_url: null, amount_charged_cents: null, credit_applied_cents: null },
  });
}

export const orderEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '/api/orders', scope: 'billing:read', account: true, handle: listOrders },
  { method: 'GET', path: '/api/orders/:order', scope: 'billing:read', account: true, handle: readOrder },
];
