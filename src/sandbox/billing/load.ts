// Puts orders into the store of a copy, as the list shows them.
import { textOrNull, timeOr, unread } from '../core/copy/answers.ts';
import type { Copying } from '../core/copy/copying.ts';
import { isRecord } from '../core/http/endpoint.ts';
import type { Order } from './state.ts';

export function loadOrders({ answers, state, accountId, nowMs }: Copying): void {
  const rows = answers.rows('/api/orders', 'orders');
  if (rows === undefined) return unread(state, 'the list of orders', 'orders');
  for (const row of rows) {
    const id = String(row['id']);
    const account = isRecord(row['account']) ? String(row['account']['id']) : accountId;
    const order: Order = {
      id,
      accountId: account,
      status: String(row['status']),
      locationShortName: textOrNull(row['location']),
      createdAt: timeOr(row['created_at'], nowMs),
      updatedAt: timeOr(row['updated_at'], nowMs),
    };
    state.orders.set(id, order);
    unread(order, `the order ${id}`, 'purchase');
  }
}
