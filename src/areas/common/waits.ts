// What a step can wait for by name: which read tells how far it has come, and what the answer means. The plan carries
// the name alone: what the platform's answers mean is no choice that anybody reviews, and would be forty lines a cart.
import type { Json } from '../../model/json.ts';
import { ANY_LIST, isJsonObject, listAt, valueAt } from '../../model/json.ts';
import type { NamedWait, Outputs, Reference, TasksWait, WaitAnswer, WaitRead } from '../../model/plan/step.ts';
import { captureOutputs, path } from '../../model/plan/step.ts';

type CartWait = Extract<NamedWait, { readonly how: 'cart' }>;

/** The next read of a wait, by what is known of each object by now. */
export function nextRead(wait: NamedWait, outputsOf: (address: string) => Outputs): WaitRead {
  const idOf = ({ $ref, output }: Reference): string => outputsOf($ref)[output] ?? '';
  if (wait.how === 'task')
    return { read: path`/api/tasks/${wait.task}`, judge: (answer) => judgeTask(answer, idOf(wait.task)) };
  if (wait.how === 'tasks') return { read: wait.read, judge: (answer) => judgeTasks(answer, wait) };
  const { order } = outputsOf(wait.cart.$ref);
  // Once the order is known, the cart is not needed any more. The poll URL that it gives is never followed (CNV-29).
  return order === undefined
    ? { read: path`/api/carts/${wait.cart}`, judge: (answer) => judgeCart(answer, idOf(wait.cart)) }
    : { read: path`/api/orders/${order}`, judge: (answer) => judgeOrder(answer, order, wait) };
}

/** Work that is no longer done (TSK-02). */
const ENDED: readonly unknown[] = ['OK', 'FAILED', 'CANCELLED'];

/** Ids are numbers that grow; no answer says which task is its own (TSK-01, TSK-09). */
function judgeTasks(answer: Json, { after, until }: TasksWait): WaitAnswer {
  const rows = (listAt(answer, ANY_LIST) ?? []).filter(isJsonObject).filter(({ id }) => Number(id) > after);
  const tasks = rows.map(({ id, name, status }) =>
    ['task', String(Number(id)), ...[name, status].filter((text) => typeof text === 'string')].join(' '),
  );
  if (rows.length === 0)
    return until === 'ended'
      ? { then: 'done', outputs: {} }
      : { then: 'not-yet', reason: 'the platform shows no task' };
  const told = tasks.join(', ');
  if (until === 'begun') return { then: 'done', outputs: {} };
  if (!rows.every(({ status }) => ENDED.includes(status))) return { then: 'not-yet', reason: told };
  return rows.every(({ status }) => status === 'OK')
    ? { then: 'done', outputs: { tasks: told } }
    : { then: 'fail', reason: `since it was asked for there is: ${told}` };
}

/** Only the status tells: `end_on` is not always set, and `data` is text for people (TSK-02, TSK-03, TSK-04). */
function judgeTask(answer: Json, id: string): WaitAnswer {
  // Bare or wrapped: not documented (GAP-14).
  const task = isJsonObject(valueAt(answer, '/task')) ? valueAt(answer, '/task') : answer;
  const status = valueAt(task, '/status');
  const name = valueAt(task, '/name');
  const which = `task ${id}${typeof name === 'string' ? ` (${name})` : ''}`;
  if (status === 'OK') return { then: 'done', outputs: {} };
  if (status === 'FAILED' || status === 'CANCELLED') return { then: 'fail', reason: `${which} ended as ${status}` };
  return { then: 'not-yet', reason: `${which} is ${typeof status === 'string' ? status : 'in an unknown state'}` };
}

/**
 * The envelope: `payment.status` is processing, succeeded or awaiting_authentication, and none of them, nor that the
 * cart was accepted, says that something was bought (ORD-13 to ORD-16). The order has other values than it: hence two
 * parsers.
 */
function judgeCart(envelope: Json, token: string): WaitAnswer {
  const orders = valueAt(envelope, '/orders');
  // Empty until the charge has settled (ORD-15).
  const ids = Array.isArray(orders) ? (orders as readonly Json[]).flatMap((row) => textIn(row, '/id') ?? []) : [];
  const [order] = ids;
  if (order !== undefined && ids.length === 1) return { then: 'read-on', outputs: { order } };
  if (ids.length > 1)
    return {
      then: 'waiting',
      reason: `the cart ${token} shows ${ids.length} orders where one was expected: ${ids.join(', ')}`,
    };
  const status = textIn(envelope, '/cart/status');
  if (status === 'expired') return { then: 'fail', reason: `the cart ${token} expired: nothing was bought (ORD-12)` };
  return (
    awaitsPerson(envelope, `cart ${token}`) ?? {
      then: 'not-yet',
      reason: `the cart ${token} is ${status ?? 'in an unknown state'}, and has no order yet`,
      ...(isAtBank(envelope) && { isOutside: true as const }),
    }
  );
}

/**
 * The order: any status but these three means that it goes on (ORD-03, GAP-10). Its `payment.status` has five values;
 * only one of them asks for a person (ORD-08).
 */
function judgeOrder(view: Json, order: string, { capture }: CartWait): WaitAnswer {
  const status = textIn(view, '/order/status');
  if (status === 'failed' || status === 'cancelled')
    return { then: 'fail', reason: `the order ${order} ended as ${status}` };
  if (status !== 'completed')
    return (
      awaitsPerson(view, `order ${order}`) ?? {
        then: 'not-yet',
        reason: `the order ${order} is ${status ?? 'in an unknown state'}`,
        ...(isAtBank(view) && { isOutside: true as const }),
      }
    );
  const outputs = captureOutputs(capture, view);
  // Completed says where to look, not that it is there already (ORD-45).
  if (Object.keys(outputs).length < Object.keys(capture).length)
    return { then: 'not-yet', reason: `the order ${order} is completed, and does not show yet what it made` };
  return { then: 'done', outputs };
}

/**
 * A charge was parked or declined: a person pays or confirms at the platform's page; it is never bought again (ORD-16,
 * ORD-17).
 */
function awaitsPerson(document: Json, what: string): WaitAnswer | undefined {
  if (textIn(document, '/payment/status') !== 'awaiting_authentication') return undefined;
  const url = textIn(document, '/payment/hosted_invoice_url');
  return {
    then: 'waiting',
    reason: `the payment of ${what} waits for a person: ${url === undefined ? 'open the invoice in the dashboard' : `open ${url}`}; then run again, and it goes on`,
  };
}

/** Ways to pay that settle after days (ORD-09, ORD-18). */
const AT_BANKS: ReadonlySet<string | undefined> = new Set([
  ...['sepa_debit', 'us_bank_account', 'acss_debit', 'bacs_debit', 'au_becs_debit', 'customer_balance'],
]);

function isAtBank(document: Json): boolean {
  return textIn(document, '/payment/status') === 'processing' && AT_BANKS.has(textIn(document, '/payment/method_type'));
}

function textIn(document: Json, pointer: string): string | undefined {
  const value = valueAt(document, pointer);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
