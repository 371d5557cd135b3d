// What belongs to the account as a whole: orders and carts, plans and locations.
import { compareText } from '../../model/address.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { isJsonObject, valueAt } from '../../model/json.ts';
import type { ShownValue } from '../../model/shown.ts';
import type { Attempt, AccountReader, Wanted } from '../common/view.ts';
import { chosen, defineView, from, idAt, objectOf, plainAt, timeAt, noteIfUnread } from '../common/view.ts';

interface Order {
  readonly row: JsonObject;
  readonly view: Attempt;
}

/** All that an order ends as; any other status is one of an order that is on its way (ORD-03). */
export const ENDED: readonly string[] = ['completed', 'failed', 'cancelled'];

/** Whether nothing more becomes of an order. */
export function hasEnded({ status }: JsonObject): boolean {
  return ENDED.includes(status as string);
}

const orders = defineView<Order>({
  called: [
    ['orders', 'order'],
    'what was bought, its payment, and the page to pay on',
    { takes: ['limit'], moves: true, limit: 20 },
  ],
  isOrdered: true,
  items: readOrders,
  id: ({ row }) => idAt(row),
  object: ({ row, view }) => ({ ...row, ...objectOf(view, '') }),
  moving: ({ row }) => !hasEnded(row),
  columns: {
    id: ({ row }) => plainAt(row, '/id'),
    status: ({ row }) => plainAt(row, '/status'),
    for: ({ view }) => from(view, boughtIn),
    payment: ({ view }) => from(view, (answer) => plainAt(answer, '/payment/status')),
    amount: ({ view }) => from(view, (answer) => amountIn(answer, '/payment/amount_charged_cents')),
    created: ({ row }) => timeAt(row, '/created_at'),
    'pay at': ({ view }) => from(view, payAt),
  },
  wide: {
    method: ({ view }) => from(view, (answer) => plainAt(answer, '/payment/method_type')),
    credit: ({ view }) => from(view, (answer) => amountIn(answer, '/payment/credit_applied_cents')),
    location: ({ row }) => plainAt(row, '/location'),
    by: ({ view }) => from(view, (answer) => plainAt(answer, '/user/email')),
    updated: ({ row }) => timeAt(row, '/updated_at'),
  },
});

/**
 * The newest, and every other that is on its way. Rows of the list name neither what was bought nor its payment
 * (ORD-02), so each that is shown is read.
 */
async function readOrders(reader: AccountReader, { name }: Wanted): Promise<readonly Order[]> {
  const rows = [...chosen(reader, await reader.list('orders'), name, ['/id'])].sort((left, right) =>
    compareText(idAt(right, '/created_at'), idAt(left, '/created_at')),
  );
  const most = name === undefined ? (reader.limit ?? rows.length) : rows.length;
  const shown = rows.filter((row, index) => index < most || !hasEnded(row));
  if (shown.length < rows.length) reader.cuts.push({ shown: shown.length, of: rows.length });
  return Promise.all(
    shown.map(async (row) => {
      const view = noteIfUnread(reader, await reader.attempt(`/api/orders/${encodeURIComponent(idAt(row))}`), {
        of: idAt(row),
        what: 'payment and what was bought',
      });
      // Status and times may have changed since the list was read.
      const fresh = view.is === 'read' ? valueAt(view.answer, '/order') : undefined;
      return { row: isJsonObject(fresh) ? { ...row, ...fresh } : row, view };
    }),
  );
}

function boughtIn(view: Json): ShownValue {
  const [domain, action, site, username] = [
    '/domain/name',
    '/domain/action',
    '/site/domain',
    '/panel_account/username',
  ].map((pointer) => valueAt(view, pointer));
  if (typeof domain === 'string') return `${typeof action === 'string' ? `${action} ` : ''}${domain}`;
  if (typeof site === 'string') return `site ${site}`;
  return typeof username === 'string' ? `panel account ${username}` : null;
}

/** The documents name no currency. */
function amountIn(view: Json, pointer: string): ShownValue {
  const cents = valueAt(view, pointer);
  return typeof cents === 'number' ? { is: 'money', cents } : null;
}

/** Where a person pays or confirms a payment; of no use once it is paid. */
function payAt(view: Json): ShownValue {
  return valueAt(view, '/payment/status') === 'succeeded' ? null : plainAt(view, '/payment/hosted_invoice_url');
}

interface Cart {
  readonly token: string;
  readonly envelope: JsonObject;
}

const carts = defineView<Cart>({
  called: [
    ['carts', 'cart'],
    'purchases on their way that the ledger knows, or one cart by its token',
    { moves: true },
  ],
  items: async (reader, { name }) => {
    const read = await Promise.all(
      (name === undefined ? reader.carts : [name]).map((token) => readCart(reader, token)),
    );
    return read.flat();
  },
  id: ({ token }) => token,
  object: ({ envelope }) => envelope,
  moving: ({ envelope }) => !isOver(envelope),
  columns: {
    token: ({ token }) => token,
    status: ({ envelope }) => plainAt(envelope, '/cart/status'),
    rollup: ({ envelope }) => plainAt(envelope, '/cart/rollup_status'),
    payment: ({ envelope }) => plainAt(envelope, '/payment/status'),
    orders: ({ envelope }) => ({
      is: 'list',
      items: ordersIn(envelope).map((order) => `${idAt(order)} ${idAt(order, '/status')}`.trim()),
    }),
    'pay at': ({ envelope }) => payAt(envelope),
  },
  wide: { method: ({ envelope }) => plainAt(envelope, '/payment/method_type') },
});

async function readCart(reader: AccountReader, token: string): Promise<readonly Cart[]> {
  const answer = await reader.attempt(`/api/carts/${encodeURIComponent(token)}`, [[404, null]]);
  const read = noteIfUnread(reader, answer, { what: `cart ${token}` });
  return read.is === 'read' ? [{ token, envelope: objectOf(read, '') }] : [];
}

function ordersIn({ orders: list }: JsonObject): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter((item: Json) => isJsonObject(item)) : [];
}

/** A cart is over when it expired, or its orders have ended; they appear once the charge has settled (ORD-12). */
function isOver(envelope: JsonObject): boolean {
  if (valueAt(envelope, '/cart/status') === 'expired') return true;
  const made = ordersIn(envelope);
  return made.length > 0 && made.every(hasEnded);
}

interface Leaf {
  readonly where: string;
  readonly value: string | number | boolean | null;
}

/** Plans and locations: the shape of the answer is not documented (GAP-07), so it is shown value by value, as it comes. */
const about = defineView<Leaf>({
  called: [['about', 'plans', 'locations', 'plan', 'location'], 'plans and locations, as the platform names them'],
  isOrdered: true,
  items: async (reader) => leavesOf(await reader.read('/api/about'), ''),
  id: ({ where }) => where,
  names: ({ value }) => [value],
  object: ({ where, value }) => ({ where, value }),
  columns: { where: ({ where }) => where, value: ({ value }) => value },
});

function leavesOf(value: Json, where: string): readonly Leaf[] {
  if (Array.isArray(value)) return value.flatMap((item: Json, index) => leavesOf(item, `${where}[${index}]`));
  if (!isJsonObject(value)) return [{ where, value: value as Leaf['value'] }];
  return Object.entries(value).flatMap(([key, item]) => leavesOf(item, where === '' ? key : `${where}.${key}`));
}

export const accountViews = [orders, carts, about];
