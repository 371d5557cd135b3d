// How far a purchase has come: its cart first, then the order that the cart names. Two parsers, because the two
// payments have different values (ORD-13). It must not follow a poll URL as given (CNV-29), nor take an accepted cart,
// or a payment, for something bought (ORD-14, ORD-16).
import type { Json } from '../model/json.ts';
import { valueAt } from '../model/json.ts';
import type { WaitFor } from '../model/plan/step.ts';
import { ApiError } from '../platform/api-error.ts';
import type { RunContext } from './context.ts';
import { captureOutputs } from './look-up.ts';
import { fillPath } from './resolve.ts';
import type { Learn, Look } from './wait-for.ts';
import { lookFailed } from './wait-for.ts';

type CartWaitFor = Extract<WaitFor, { readonly how: 'cart' }>;

/** One look at a purchase. The order is `learn`t the moment it shows: from then on the cart is not needed any more. */
export async function lookAtCart(wanted: CartWaitFor, context: RunContext, learn: Learn): Promise<Look> {
  const order = context.known.outputsOf(wanted.cart.$ref).order;
  try {
    return order === undefined
      ? await lookForOrder(wanted, context, learn)
      : lookAtOrder(wanted, await context.client.poll(`/api/orders/${encodeURIComponent(order)}`), order);
  } catch (error) {
    if (error instanceof ApiError) return lookFailed(error);
    throw error;
  }
}

/**
 * The envelope: `payment.status` is processing, succeeded or awaiting_authentication, and none of them says that
 * something was bought (ORD-13 to ORD-16).
 */
async function lookForOrder(wanted: CartWaitFor, context: RunContext, learn: Learn): Promise<Look> {
  const envelope = await context.client.poll(fillPath(['/api/carts/', wanted.cart], context));
  const token = context.known.outputsOf(wanted.cart.$ref)[wanted.cart.output];
  const orders = valueAt(envelope, '/orders');
  // Empty until the charge has settled (ORD-15).
  const ids = Array.isArray(orders) ? (orders as readonly Json[]).flatMap((row) => textIn(row, '/id') ?? []) : [];
  const [order] = ids;
  if (order !== undefined && ids.length === 1) {
    await learn({ order });
    return lookAtOrder(wanted, await context.client.poll(`/api/orders/${encodeURIComponent(order)}`), order);
  }
  if (ids.length > 1)
    return {
      end: 'waiting',
      reason: `the cart ${token} shows ${ids.length} orders where one was expected: ${ids.join(', ')}`,
    };
  const status = textIn(envelope, '/cart/status');
  if (status === 'expired') return { end: 'failed', reason: `the cart ${token} expired: nothing was bought (ORD-12)` };
  if (textIn(envelope, '/payment/status') === 'awaiting_authentication')
    return awaitsPerson(textIn(envelope, '/payment/hosted_invoice_url'), `cart ${token}`);
  return { end: 'not-yet', reason: `the cart ${token} is ${status ?? 'in an unknown state'}, and has no order yet` };
}

/**
 * The order: any status but these three means that it goes on (ORD-03, GAP-10). Its `payment.status` has five values;
 * only one of them asks for a person (ORD-08).
 */
function lookAtOrder(wanted: CartWaitFor, view: Json, order: string): Look {
  const status = textIn(view, '/order/status');
  if (status === 'failed' || status === 'cancelled')
    return { end: 'failed', reason: `the order ${order} ended as ${status}` };
  if (status !== 'completed') {
    if (textIn(view, '/payment/status') === 'awaiting_authentication')
      return awaitsPerson(textIn(view, '/payment/hosted_invoice_url'), `order ${order}`);
    return { end: 'not-yet', reason: `the order ${order} is ${status ?? 'in an unknown state'}` };
  }
  const outputs = captureOutputs(wanted.capture, view);
  // Completed says where to look, not that it is there already (ORD-45).
  if (Object.keys(outputs).length < Object.keys(wanted.capture).length)
    return { end: 'not-yet', reason: `the order ${order} is completed, and does not show yet what it made` };
  return { end: 'settled', outputs };
}

/**
 * A charge was parked or declined: a person pays or confirms at the platform's page; it is never bought again (ORD-16,
 * ORD-17).
 */
function awaitsPerson(url: string | undefined, what: string): Look {
  return {
    end: 'waiting',
    reason: `the payment of ${what} waits for a person: ${url === undefined ? 'open the invoice in the dashboard' : `open ${url}`}; then run again, and it goes on`,
  };
}

function textIn(document: Json, pointer: string): string | undefined {
  const value = valueAt(document, pointer);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
