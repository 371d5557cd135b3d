// Which orders of the account no manifest and no ledger entry accounts for, read before something of their kind is
// bought: an order proves a purchase that the ledger may have lost (ORD-43, ORD-44).
import type { PurchaseOrder, PurchaseOrders } from '../model/kind/collection.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { isJsonObject, valueAt } from '../model/json.ts';
import type { Kind } from '../model/kind/kind.ts';
import { rowsAt, ShapeError, textAt } from '../model/kind/rows.ts';
import { ApiError } from '../platform/api-error.ts';
import type { Client } from '../platform/http.ts';
import { isGone } from './root-probe.ts';

/** Pages of 100 orders that are read at most. */
const MOST_PAGES = 10;
/** Completed orders whose view is read, the newest first. An order that has not ended is always read. */
const MOST_COMPLETED = 20;
/** Orders that will never make anything (ORD-03). */
const ENDED_WITHOUT: readonly string[] = ['failed', 'cancelled'];

export interface PurchaseSearch {
  readonly kind: Kind;
  /** Ids of live objects that the list of the kind shows. */
  readonly listed: ReadonlySet<string>;
  /** Ids of orders and objects that the ledger knows, or the workspace dismisses. */
  readonly known: ReadonlySet<string>;
  /** Tokens of carts that are in flight: their orders are known too. */
  readonly carts: readonly string[];
  readonly client: Pick<Client, 'read'>;
}

/**
 * Returns the orders of this kind that have not ended, or whose object is live and not listed, and that nothing known
 * accounts for. An order that cannot be read is never taken for none: the result is then `unread` with the reason.
 * Rejects for a refused credential and our own bugs only.
 */
export async function findPurchaseOrders(search: PurchaseSearch): Promise<PurchaseOrders> {
  const { kind, client, carts } = search;
  const { paid } = kind.capabilities;
  if (paid === undefined) return { orders: [] };
  try {
    const known = new Set([
      ...search.known,
      ...(await Promise.all(carts.map((cart) => ordersOf(cart, client)))).flat(),
    ]);
    const rows = (await readRows(client)).filter(
      (row) => !known.has(textAt(row, '/id')) && !ENDED_WITHOUT.includes(textAt(row, '/status')),
    );
    const open = rows.filter((row) => textAt(row, '/status') !== 'completed');
    const completed =
      kind.capabilities.probe === undefined
        ? []
        : rows.filter((row) => textAt(row, '/status') === 'completed').slice(0, MOST_COMPLETED);
    const found = await Promise.all([...open, ...completed].map((row) => lookInto(row, { ...search, known })));
    return { orders: found.flat() };
  } catch (error) {
    if (error instanceof ShapeError) return { unread: error.message };
    if (!(error instanceof ApiError) || error.kind === 'unauthorised') throw error;
    return { unread: error.message };
  }
}

/** The rows of the list, the newest first: the platform does not document their order (ORD-02). */
async function readRows(client: Pick<Client, 'read'>): Promise<readonly JsonObject[]> {
  const rows = new Map<string, JsonObject>();
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const before = rows.size;
    const next = rowsAt(await client.read(`/api/orders?per_page=100${page === 1 ? '' : `&page=${page}`}`), '/orders');
    for (const row of next) rows.set(textAt(row, '/id'), row);
    if (rows.size === before || next.length < 50) break;
  }
  return [...rows.values()].sort((left, right) => timeOf(right) - timeOf(left));
}

function timeOf(row: JsonObject): number {
  return Date.parse(typeof row.created_at === 'string' ? row.created_at : '') || 0;
}

async function ordersOf(cart: string, client: Pick<Client, 'read'>): Promise<readonly string[]> {
  const list = valueAt(await client.read(`/api/carts/${encodeURIComponent(cart)}`), '/orders');
  return Array.isArray(list)
    ? list.flatMap((row: Json) => (isJsonObject(row) && typeof row.id === 'string' ? [row.id] : []))
    : [];
}

async function lookInto(
  row: JsonObject,
  { kind, listed, known, client }: PurchaseSearch,
): Promise<readonly PurchaseOrder[]> {
  const id = textAt(row, '/id');
  const view = await client.read(`/api/orders/${encodeURIComponent(id)}`);
  const ordered = kind.capabilities.paid?.ordered(view) ?? null;
  if (ordered === null) return [];
  const status = valueAt(view, '/order/status');
  const isCompleted = status === 'completed';
  if (typeof status === 'string' && ENDED_WITHOUT.includes(status)) return [];
  if (ordered.id !== undefined && (listed.has(ordered.id) || known.has(ordered.id))) return [];
  // A completed order is evidence only while its object is live: the object may have been deleted since.
  if (isCompleted && (ordered.id === undefined || (await isGone(kind, ordered.id, client)))) return [];
  const createdAt = textAt(row, '/created_at');
  return [{ id, status: typeof status === 'string' ? status : 'in an unknown state', createdAt, ...objectOf(ordered) }];
}

function objectOf({
  id,
  what,
  key,
}: NonNullable<ReturnType<NonNullable<Kind['capabilities']['paid']>['ordered']>>): Pick<
  PurchaseOrder,
  'objectId' | 'what' | 'key'
> {
  return { what, ...(id !== undefined && { objectId: id }), ...(key !== undefined && { key }) };
}
