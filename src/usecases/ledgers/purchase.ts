// What became of a purchase in flight, read from the cart or the order that the ledger recorded; and how a person gives a
// purchase up, whatever state it is in.
import type { Address } from '../../model/address.ts';
import { kindOf } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose, hasErrors } from '../../model/diagnostic.ts';
import type { ActResult } from '../../model/plan/act.ts';
import type { InFlight, LedgerView } from '../../model/plan/ledger-view.ts';
import type { PurchaseStage } from '../../areas/index.ts';
import { cartStage, orderStage, registry } from '../../areas/index.ts';
import { findPurchaseOrders } from '../../observe/purchase-orders.ts';
import { ShapeError } from '../../model/kind/rows.ts';
import type { Workspace } from '../../model/workspace.ts';
import { ApiError } from '../../platform/api-error.ts';
import type { Client } from '../../platform/http.ts';
import { confirmInFlight } from '../../ledger/by-hand.ts';
import { whyEnded, withClient } from '../client.ts';
import { ledgerOptions, viewLedger } from '../ledger.ts';
import type { LedgerResult } from '../ledger.ts';
import type { Session } from '../session.ts';
import { findWorkspace } from '../workspace-file.ts';

type Reads = Pick<Client, 'read'>;

/** What is known of a purchase in flight. `unknown`: its response was lost, and nothing recorded tells what became of it. */
type Standing = PurchaseStage | { readonly is: 'unknown'; readonly says: string; readonly found: readonly string[] };

/** True where an action in flight pays for something. */
export function isPurchase({ action }: Pick<InFlight, 'action'>): boolean {
  return action.risk.includes('charge');
}

/**
 * Reads what became of a purchase. Rejects with the client's errors: a purchase that cannot be read is never taken for one
 * that is over.
 */
async function standingOf(flight: InFlight, known: Known, client: Reads): Promise<Standing> {
  const outputs = Object.assign({}, ...Object.values(flight.answered)) as Readonly<Record<string, string>>;
  if (outputs.order !== undefined) return readOrder(outputs.order, client);
  if (outputs.cart !== undefined) {
    const cart = await unlessMissing(client.read(`/api/carts/${encodeURIComponent(outputs.cart)}`));
    if (cart === undefined) return { is: 'over', says: `the account has no cart ${outputs.cart} any more (ORD-21)` };
    const stage = cartStage(cart, outputs.cart);
    if (stage.is !== 'orders') return stage;
    const stages = await Promise.all(stage.ids.map((id) => readOrder(id, client)));
    return stages.find(({ is }) => is !== 'over') ?? (stages[0] as PurchaseStage);
  }
  return {
    is: 'unknown',
    says: 'the response to its request was lost',
    found: await ordersSince(flight, known, client),
  };
}

async function readOrder(id: string, client: Reads): Promise<PurchaseStage> {
  return orderStage(await client.read(`/api/orders/${encodeURIComponent(id)}`), id);
}

async function unlessMissing<Value>(answer: Promise<Value>): Promise<Value | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'not-found') return undefined;
    throw error;
  }
}

/** Orders of the kind since the request was sent that the ledger does not know: one of them may be the lost one. */
async function ordersSince(flight: InFlight, { ledger, dismissed }: Known, client: Reads): Promise<readonly string[]> {
  const kind = registry.get(kindOf(flight.action.address));
  if (kind?.capabilities.paid === undefined) return [];
  const objects = [...ledger.objects.values()];
  const known = objects.flatMap(({ id, outputs: { order } }) => [id, ...(order === undefined ? [] : [order])]);
  const orders = await findPurchaseOrders({
    kind,
    listed: new Set(),
    known: new Set([...known, ...dismissed]),
    carts: [],
    client,
  });
  if ('unread' in orders) return [`the orders could not be read: ${orders.unread}`];
  // A clock of the platform may be a little behind.
  const sinceMs = (flight.sentAtMs ?? 0) - 60_000;
  return orders.orders
    .filter(({ createdAt }) => !(Date.parse(createdAt) < sinceMs))
    .map(({ id, status, createdAt }) => `order ${id} (${status}, created ${createdAt})`);
}

/** What accounts for an order. */
interface Known {
  readonly ledger: LedgerView;
  readonly dismissed: readonly string[];
}

interface Found {
  readonly flight?: InFlight;
  readonly standing?: Standing;
  readonly diagnostics: readonly Diagnostic[];
}

async function findPurchase(session: Session, address: Address): Promise<Found & { readonly confirm: Confirm }> {
  const { workspace, diagnostics } = await findWorkspace(session);
  const nothing: Confirm = () => Promise.resolve({ changed: false, diagnostics: [] });
  if (workspace === undefined) return { diagnostics, confirm: nothing };
  const confirm: Confirm = () =>
    confirmInFlight(ledgerOptions(session, workspace, session.runtime.uuid()), address, 'not-made');
  const { view, diagnostics: ofLedger } = await viewLedger(session, workspace);
  if (hasErrors(ofLedger)) return { diagnostics: ofLedger, confirm };
  const flight = view.inFlight.find(({ action }) => action.address === address);
  if (flight === undefined || !isPurchase(flight))
    return { ...(flight !== undefined && { flight }), diagnostics: [], confirm };
  const found = await withClient<Found>(
    session,
    workspace,
    { reads: true },
    async (client) => {
      try {
        return {
          flight,
          standing: await standingOf(flight, { ledger: view, dismissed: workspace.dismissed ?? [] }, client),
          diagnostics: [],
        };
      } catch (error) {
        return { diagnostics: whyEnded({ session, workspace }, error) };
      }
    },
    (error) => ({ diagnostics: [error] }),
  );
  return { ...found, confirm };
}

/** What a purchase in flight has come to, for a report. */
export interface PurchaseInFlight {
  readonly address: Address;
  /** The state of its cart or order, with the page to pay on; or why it could not be read. */
  readonly says: string;
}

/**
 * Reads what became of each purchase in flight, with one read for a cart and one for each order. Calls `onRead` with the
 * path and the response of each read. Never rejects: a purchase that cannot be read has the reason.
 */
export async function readPurchasesInFlight(
  session: Session,
  workspace: Workspace,
  view: LedgerView,
  onRead: (path: string, answer: string) => void,
): Promise<readonly PurchaseInFlight[]> {
  const purchases = view.inFlight.filter(isPurchase);
  if (purchases.length === 0) return [];
  const unread = (reason: string): readonly PurchaseInFlight[] =>
    purchases.map((flight) => ({
      address: flight.action.address,
      says: `${recordedOf(flight)} could not be read: ${reason}`,
    }));
  return withClient(
    session,
    workspace,
    { reads: true },
    async (client) => {
      const reads: Reads = {
        read: async (path, options) => {
          try {
            const answer = await client.read(path, options);
            onRead(path, '200');
            return answer;
          } catch (error) {
            onRead(path, error instanceof ApiError && error.status !== null ? String(error.status) : 'no answer');
            throw error;
          }
        },
      };
      const known = { ledger: view, dismissed: workspace.dismissed ?? [] };
      return Promise.all(
        purchases.map(async (flight) => {
          const { address } = flight.action;
          try {
            return { address, says: standingText(await standingOf(flight, known, reads)) };
          } catch (error) {
            if (!(error instanceof ApiError) && !(error instanceof ShapeError)) throw error;
            return { address, says: `${recordedOf(flight)} could not be read: ${error.message}` };
          }
        }),
      );
    },
    (error) => unread(error.detail),
  );
}

function recordedOf({ answered }: InFlight): string {
  const { order, cart } = Object.assign({}, ...Object.values(answered)) as Readonly<Record<string, string>>;
  return order !== undefined ? `its order ${order}` : cart !== undefined ? `its cart ${cart}` : 'its request';
}

function standingText(standing: Standing): string {
  switch (standing.is) {
    case 'unknown':
      return [standing.says, ...standing.found].join('; ');
    case 'in-cart':
      return `${standing.says}${pay(standing.payAt)}; the platform does not state when a cart expires`;
    case 'ordered':
      return `${standing.says}${pay(standing.payAt)}`;
    case 'over':
    case 'bought':
      return standing.says;
  }
}

type Confirm = () => ReturnType<typeof confirmInFlight>;

/**
 * Records that a request was not carried out, as a person found. A purchase is read first, and the record is refused while
 * it can still be paid or is being processed, or was carried out (HW5023).
 */
export async function confirmNotMade(session: Session, address: Address): Promise<LedgerResult> {
  const { standing, diagnostics, confirm } = await findPurchase(session, address);
  if (hasErrors(diagnostics)) return { diagnostics };
  const objection = standing === undefined ? undefined : objectionTo(address, standing);
  if (objection !== undefined) return { diagnostics: [objection] };
  const result = await confirm();
  return {
    diagnostics: result.diagnostics,
    ...(result.changed && { message: 'Recorded. The next plan decides anew about this object.' }),
  };
}

/**
 * Gives a purchase in flight up: cancels its order where it has one, and ends it in the ledger once nothing can be bought
 * any more. A cart cannot be cancelled: until it has expired the command ends with HW5023, and is run again later.
 */
export async function abandonPurchase(
  session: Session,
  address: Address,
  cancel: (order: string) => Promise<ActResult>,
): Promise<LedgerResult> {
  const { flight, standing, diagnostics } = await findPurchase(session, address);
  if (hasErrors(diagnostics)) return { diagnostics };
  if (flight === undefined || standing === undefined)
    return {
      diagnostics: [
        diagnose('HW5011', `No purchase of ${address} is in flight. \`hostwright ledger list\` shows what is.`, {
          address,
        }),
      ],
    };
  if (standing.is === 'ordered') {
    const cancelled = await cancel(standing.order);
    if (cancelled.outcome !== 'done') return { diagnostics: cancelled.diagnostics };
  }
  const { message, ...result } = await confirmNotMade(session, address);
  return {
    ...result,
    ...(message !== undefined && {
      message: `The purchase of ${address} is given up; nothing was bought. If a manifest still declares it, the next plan buys it anew: remove the manifest if nobody wants it.`,
    }),
  };
}

function objectionTo(address: Address, standing: Standing): Diagnostic | undefined {
  switch (standing.is) {
    case 'over':
      return undefined;
    case 'unknown':
      return standing.found.length === 0
        ? undefined
        : problem(
            address,
            `${standing.says}, and the account has orders since that nothing accounts for: ${standing.found.join('; ')}. If one of them is this purchase, run \`hostwright ledger confirm ${address} --id ID\` with the id of what it made, or cancel it. If none is, add their ids to \`dismissed\` in hostwright.yaml.`,
          );
    case 'bought':
      return problem(
        address,
        `${standing.says}, so it was bought. Run \`hostwright apply --resume\`, which binds it. To be rid of it, delete it with \`lifecycle: { state: absent }\` afterwards.`,
      );
    case 'ordered':
      return problem(
        address,
        `${standing.says}${pay(standing.payAt)}. To give it up, run \`hostwright ledger abandon ${address}\`, which cancels the order.`,
      );
    case 'in-cart':
      return problem(
        address,
        `${standing.says}${pay(standing.payAt)}. No call of the platform cancels a cart. To give it up, do not pay, and run \`hostwright ledger abandon ${address}\` again once it has expired.`,
      );
  }
}

function pay(url: string | undefined): string {
  return url === undefined ? '' : ` at ${url}`;
}

function problem(address: Address, text: string): Diagnostic {
  return diagnose('HW5023', `${text.charAt(0).toUpperCase()}${text.slice(1)}`, { address });
}
