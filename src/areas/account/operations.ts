// The operations on an order. An order in progress can be cancelled and a completed one cannot (ORD-20). The states in
// between are not documented (GAP-10), and neither are refunds, so the question says so.
import type { Json, JsonObject } from '../../model/json.ts';
import { isJsonObject, valueAt } from '../../model/json.ts';
import { objectAt } from '../../model/kind/rows.ts';
import type { Ending } from '../../model/plan/act.ts';
import type { Condition, LookUp } from '../../model/plan/step.ts';
import { path } from '../../model/plan/step.ts';
import type { OpenAccount } from '../common/operation.ts';
import { actOn, cannot, onAccount } from '../common/operation.ts';
import { sendOnce, until } from '../common/steps.ts';
import { ENDED, hasEnded } from './views.ts';

const CANCELLED_WITHIN_MS = 300_000;
const LOST_GRACE_MS = 60_000;

/** Cancels an order in progress and waits until it has ended in any state (ORD-03, ORD-20). */
const cancel = onAccount(
  { name: 'cancel', kind: 'Order', does: 'Cancel an order that is not completed, and wait until it is cancelled.' },
  async (account, id) => {
    const before = await readOrder(account, id);
    if (before === undefined)
      return cannot(
        `The account has no order ${id}. \`hostwright get orders\` shows the orders. A cart has no order yet: to give up a purchase that waits, run \`hostwright ledger abandon ADDRESS\`.`,
      );
    const status = statusOf(before);
    const inState = (value: string, ends: Partial<Condition>): Condition => ({
      pointer: '/order/status',
      or: ['/status'],
      value,
      ...ends,
    });
    const read = path`/api/orders/${id}`;
    const goesOn: LookUp = { read, rows: '', where: ENDED.map((end) => inState(end, { not: true })), capture: {} };
    return {
      act: actOn(['Order', id], 'CancelOrder', {
        verb: 'delete',
        steps: [
          sendOnce({
            name: 'cancel',
            method: 'DELETE',
            path: read,
            recovery: {
              lookUp: { ...goesOn, where: [inState('cancelled', {})] },
              // The path names one order, which ends once (ORD-03).
              ifNotFound: 'send-again',
              guarded: 'ORD-20',
              graceMs: LOST_GRACE_MS,
              rule: 'ORD-20',
            },
            reason: 'cancel the order',
            rule: 'ORD-20',
          }),
          {
            do: 'wait-for',
            name: 'end of the order',
            open: true,
            waitFor: until(false, goesOn, 'the order has ended', CANCELLED_WITHIN_MS),
          },
        ],
      }),
      question: `Cancel the order ${id}${about(before)}? It is ${status}.${paid(before)} Nothing takes that back.`,
      unlessBegun: hasEnded({ status }) ? ended(id, status) : undefined,
      done: async () => {
        const after = await readOrder(account, id);
        if (after === undefined) return cannot(`The account no longer shows the order ${id}. How it ended is unknown.`);
        const end = statusOf(after);
        const message = `The order ${id} is cancelled. If an apply waits for it, \`hostwright apply --resume\` ends that.`;
        return end === 'cancelled' ? { outcome: 'done', order: { id, status: end }, message } : ended(id, end);
      },
      waiting: () =>
        `The platform took the cancellation, and the order ${id} is still in progress. Run \`hostwright run cancel Order/${id}\` again to check.`,
      values: { order: { id, status } },
    };
  },
);

async function readOrder({ read, unlessRefused }: OpenAccount, id: string): Promise<JsonObject | undefined> {
  const order = read(`/api/orders/${encodeURIComponent(id)}`);
  const found = await unlessRefused(order, ({ kind }) => (kind === 'not-found' ? 'there is none' : undefined));
  return 'refused' in found ? undefined : objectAt(found.answer);
}

function statusOf(order: JsonObject): string {
  const status = valueAt(order, '/order/status') ?? order.status;
  return typeof status === 'string' ? status : 'in an unknown state';
}

function ended(id: string, status: string): Ending {
  const order = { id, status };
  switch (status) {
    case 'cancelled':
      return { outcome: 'done', order, message: `The order ${id} is cancelled already. Nothing was sent.` };
    case 'failed':
      return { outcome: 'done', order, message: `The order ${id} has failed, so there is nothing to cancel.` };
    default:
      return {
        ...cannot(
          `The order ${id} is completed: what it bought is there, and cancelling does not take it back. Delete that object instead, with \`lifecycle: { state: absent }\` in its manifest.`,
        ),
        order,
      };
  }
}

/** ` (example.com, register)`, ` (a site in ams)` */
function about(order: JsonObject): string {
  const { domain, site } = order;
  if (isJsonObject(domain)) return ` (${[domain.action, domain.name].flatMap(text).join(' ')})`;
  if (isJsonObject(site)) return ` (the site ${[site.name, site.domain].flatMap(text).join(', ')})`;
  const [location] = text(valueAt(order, '/order/location'));
  return location === undefined ? '' : ` (in ${location})`;
}

function paid(order: JsonObject): string {
  const [payment] = text(valueAt(order, '/payment/status'));
  if (payment === undefined) return '';
  const doubt =
    payment === 'succeeded' || payment === 'processing' ? ': no document says whether the money comes back' : '';
  return ` Its payment is ${payment}${doubt}.`;
}

function text(value: Json | undefined): readonly string[] {
  return typeof value === 'string' && value !== '' ? [value] : [];
}

export const accountOperations = [cancel];
