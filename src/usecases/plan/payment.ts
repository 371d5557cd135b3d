// What became of payments, told by plan and drift: where the plan would buy, or a purchase is on its way, the orders are
// read once more, and the order or cart of each such purchase. No other plan needs them, so no other plan pays for it.
import type { DesiredCollection } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { JsonObject } from '../../model/json.ts';
import { rowsAt, textAt } from '../../model/kind/rows.ts';
import type { InFlight, LedgerView } from '../../model/plan/ledger-view.ts';
import type { Action, Plan, PlanBlocker } from '../../model/plan/plan.ts';
import type { NamedWait, Outputs, WaitAnswer } from '../../model/plan/step.ts';
import { ref } from '../../model/plan/step.ts';
import { LISTS, nextRead, paymentTrouble } from '../../areas/index.ts';
import { withLists, withNotices } from '../../planner/document.ts';
import { orNothing } from '../client.ts';
import type { Client } from '../../platform/http.ts';

interface Planned {
  readonly plan: Plan;
  readonly ledger: Pick<LedgerView, 'inFlight'>;
  readonly client: Pick<Client, 'read'>;
  /** What the manifests declare. */
  readonly declared: readonly DesiredCollection[];
}

const charges = ({ risk }: Pick<Action, 'risk'>): boolean => risk.includes('charge');

/**
 * The plan, with what the platform says by now of each purchase on its way, and in its notices that the payment of the
 * newest order failed or waits for a person. Never rejects.
 */
export async function withPayment({ plan, ledger, client, declared }: Planned): Promise<Plan> {
  const purchases = ledger.inFlight.filter(({ action }) => charges(action));
  if (!plan.actions.some(charges) && purchases.length === 0) return plan;
  const wanted = new Set(
    declared.flatMap(({ members }) =>
      members.filter(({ lifecycle }) => lifecycle.state === 'present').map(({ address }) => address),
    ),
  );
  const [found, ...standings] = await Promise.all([
    orNothing(troubleIn(client)),
    ...purchases.map(async (flight) => ({ flight, now: await orNothing(readPurchase(flight, client)) })),
  ]);
  const waiting = plan.waiting.map((blocker) => {
    const standing = standings.find(({ flight }) => flight.action.address === blocker.address);
    if (standing === undefined) return blocker;
    const now = standing.now === undefined ? blocker : asItIsNow(blocker, standing.flight, standing.now);
    return wanted.has(blocker.address) ? now : asUndeclared(now);
  });
  return withNotices(withLists(plan, { ...plan, waiting }), found === undefined ? [] : [noticeOf(found)]);
}

/** What an apply would be told of a purchase that it waits for; undefined where it waits for no cart. */
async function readPurchase(
  { action, pending, answered }: InFlight,
  client: Pick<Client, 'read'>,
): Promise<WaitAnswer | undefined> {
  let outputs: Outputs = Object.assign({}, ...Object.values(answered)) as Outputs;
  if (pending?.follow !== 'wait-for' || outputs.cart === undefined) return undefined;
  const wait: NamedWait = {
    how: 'cart',
    cart: ref(action.address, 'cart'),
    capture: {},
    deadlineMs: 0,
    reason: 'the order is completed',
  };
  for (;;) {
    const known = outputs;
    const { read, judge } = nextRead(wait, () => known);
    const path = read.map((part) => (typeof part === 'string' ? part : encodeURIComponent(known[part.output] ?? '')));
    const seen = judge(await client.read(path.join('')));
    if (seen.then !== 'read-on') return seen;
    outputs = { ...known, ...seen.outputs };
  }
}

/** A purchase whose manifest was deleted continues all the same: that is said, and how to give it up. */
function asUndeclared(blocker: PlanBlocker): PlanBlocker {
  return {
    ...blocker,
    reason: `no manifest declares it any more, and its purchase has not ended: ${blocker.reason}`,
    remedy: `To give the purchase up, run \`hostwright ledger abandon ${blocker.address}\`. To keep it, restore its manifest. ${blocker.remedy}`,
  };
}

/** What the platform says now goes before what a run heard when it ended. */
function asItIsNow(blocker: PlanBlocker, { reason }: InFlight, now: WaitAnswer): PlanBlocker {
  if (now.then === 'fail')
    return {
      address: blocker.address,
      reason: now.reason,
      remedy:
        'Run `hostwright apply --resume`, which ends it here too. `hostwright plan` then says what is to be done.',
    };
  if (reason === undefined) return blocker;
  const told = 'reason' in now ? now.reason : 'the order is completed';
  return { ...blocker, reason: blocker.reason.replace(reason, () => told) };
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
  return diagnose(
    'HW2393',
    `${says}. The order was placed on ${day}. \`hostwright get order ${id}\` shows the page to pay on. See to it before more is bought.`,
  );
}
