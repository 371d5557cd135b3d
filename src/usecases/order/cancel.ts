// The use case `order cancel`. An order that goes on can be cancelled, and one that has ended cannot (ORD-20); which
// states there are between, no document says (GAP-10). Whether money comes back is not documented either, so the
// question says so.
import type { Json, JsonObject } from '../../model/json.ts';
import { isJsonObject, valueAt } from '../../model/json.ts';
import { objectAt } from '../../model/kind/rows.ts';
import { ApiError } from '../../platform/api-error.ts';
import { registrationActs } from '../../areas/index.ts';
import type { Confirm } from '../act/run-act.ts';
import { cannot, isBegun, runAct } from '../act/run-act.ts';
import type { OpenAccount } from '../contact/open-account.ts';
import { withAccount } from '../contact/open-account.ts';
import type { Session } from '../session.ts';
import type { Ending, SiteResult } from '../site/open-site.ts';

export interface CancelledOrder {
  readonly id: string;
  /** As the platform calls it. */
  readonly status: string;
}

/** All that an order ends as (ORD-03). */
const ENDED: readonly string[] = ['completed', 'failed', 'cancelled'];

/** Cancels an order that goes on, and waits until it reads as cancelled. */
export function cancelOrder(session: Session, id: string, confirm: Confirm): Promise<SiteResult<CancelledOrder>> {
  return withAccount(session, async (account): Promise<Ending<CancelledOrder>> => {
    const before = await readOrder(account, id);
    if (before === undefined)
      return cannot(`The account has no order ${id}. The orders that wait are named by \`hostwright doctor\`.`);
    const status = statusOf(before);
    const act = registrationActs.cancelOrder(id);
    if (ENDED.includes(status) && !(await isBegun(account, act))) return ended(id, status);
    return runAct<CancelledOrder>(
      account,
      act,
      {
        question: `Cancel the order ${id}${about(before)}? It is ${status}.${paid(before)} Nothing takes that back.`,
        done: async () => {
          const after = await readOrder(account, id);
          if (after === undefined)
            return cannot(`The account no longer shows the order ${id}. How it ended is unknown.`);
          const end = statusOf(after);
          const message = `The order ${id} is cancelled. If an apply waits for it, \`hostwright apply --resume\` ends that.`;
          return end === 'cancelled' ? { outcome: 'done', value: { id, status: end }, message } : ended(id, end);
        },
        waiting: () =>
          `The platform took the cancellation, and the order ${id} goes on. Look at it again: \`hostwright order cancel ${id}\`.`,
        value: { id, status },
        look: 'Running the command again does no harm.',
      },
      confirm,
    );
  });
}

async function readOrder({ client }: OpenAccount, id: string): Promise<JsonObject | undefined> {
  try {
    return objectAt(await client.read(pathOf(id)));
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'not-found') return undefined;
    throw error;
  }
}

function pathOf(id: string): string {
  return `/api/orders/${encodeURIComponent(id)}`;
}

function statusOf(order: JsonObject): string {
  const status = valueAt(order, '/order/status') ?? order.status;
  return typeof status === 'string' ? status : 'in an unknown state';
}

function ended(id: string, status: string): Ending<CancelledOrder> {
  const value = { id, status };
  switch (status) {
    case 'cancelled':
      return { outcome: 'done', value, message: `The order ${id} is cancelled already. Nothing was sent.` };
    case 'failed':
      return { outcome: 'done', value, message: `The order ${id} has failed, so there is nothing to cancel.` };
    default:
      return {
        ...cannot(
          `The order ${id} is completed: what it bought is there, and cancelling does not take it back. Delete that object instead, with \`lifecycle: { state: absent }\` in its manifest.`,
        ),
        value,
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
