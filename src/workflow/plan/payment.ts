// A payment that failed, told by plan and drift: where the plan would buy, or a purchase is on its way, the orders are
// read once more. No other plan needs them, so no other plan pays for the read.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { sortDiagnostics } from '../../model/diagnostic.ts';
import { paymentTrouble } from '../../model/in-time.ts';
import type { JsonObject } from '../../model/json.ts';
import { rowsAt, ShapeError, textAt } from '../../model/kind/rows.ts';
import type { LedgerView } from '../../model/plan/ledger-view.ts';
import type { Action, Plan } from '../../model/plan/plan.ts';
import { LISTS } from '../../kinds/index.ts';
import { withLists } from '../../planner/document.ts';
import { ApiError } from '../../platform/api-error.ts';
import type { Client } from '../../platform/http.ts';

interface Planned {
  readonly plan: Plan;
  readonly ledger: Pick<LedgerView, 'inFlight'>;
  readonly client: Pick<Client, 'read'>;
}

const charges = ({ risk }: Pick<Action, 'risk'>): boolean => risk.includes('charge');

/** The plan, and in its notices that the payment of the newest order failed or waits for a person. Never rejects. */
export async function withPayment({ plan, ledger, client }: Planned): Promise<Plan> {
  if (!plan.actions.some(charges) && !ledger.inFlight.some(({ action }) => charges(action))) return plan;
  const found = await newestTrouble(client);
  return found === undefined
    ? plan
    : withLists({ ...plan, notices: sortDiagnostics([...plan.notices, noticeOf(found)]) }, plan);
}

/** Orders that cannot be read tell nothing of a payment, so nothing is said of one: a plan does not fail for a remark. */
async function newestTrouble(client: Pick<Client, 'read'>): ReturnType<typeof troubleIn> {
  try {
    return await troubleIn(client);
  } catch (error) {
    if (error instanceof ApiError || error instanceof ShapeError) return undefined;
    throw error;
  }
}

async function troubleIn(
  client: Pick<Client, 'read'>,
): Promise<(NonNullable<ReturnType<typeof paymentTrouble>> & { readonly day: string }) | undefined> {
  const { path, rows: pointer } = LISTS.orders;
  // In which order the list is, no document says.
  const [newest] = [...rowsAt(await client.read(path()), pointer)].sort(
    (left, right) => createdAt(right) - createdAt(left),
  );
  // What has a row that ended well needs no view.
  if (newest === undefined || ['completed', 'cancelled'].includes(textAt(newest, '/status'))) return undefined;
  const trouble = paymentTrouble(await client.read(`/api/orders/${encodeURIComponent(textAt(newest, '/id'))}`));
  return trouble === undefined ? undefined : { ...trouble, day: textAt(newest, '/created_at').slice(0, 10) };
}

function createdAt(row: JsonObject): number {
  return Date.parse(textAt(row, '/created_at'));
}

function noticeOf({ id, says, day }: { readonly id: string; readonly says: string; readonly day: string }): Diagnostic {
  return {
    code: 'HW2393',
    severity: 'warning',
    summary: 'A payment needs somebody',
    detail: `${says}. The order was placed on ${day}. \`hostwright get order ${id}\` shows the page to pay on. See to it before more is bought.`,
  };
}
