// What is in an object that a plan deletes, such as the hostnames and backups of a site: read for whoever approves that.
import type { Address } from '../../model/address.ts';
import { parentOf, parseAddress } from '../../model/address.ts';
import type { HoldingDefinition } from '../../model/kind/kind.ts';
import { ShapeError } from '../../model/kind/rows.ts';
import type { Action, Holding, Plan } from '../../model/plan/plan.ts';
import { HOLDINGS } from '../../areas/index.ts';
import { withLists } from '../../planner/document.ts';
import { ApiError } from '../../platform/api-error.ts';
import type { Client } from '../../platform/http.ts';

/** The plan, whose deletes say what they delete. Rejects for a refused credential only. */
export async function withHoldings(plan: Plan, client: Pick<Client, 'read'>): Promise<Plan> {
  const leaving = plan.actions.flatMap(({ expect }) => expect.from?.address ?? []);
  const look = async (action: Action): Promise<Action> => {
    const id = plan.bindings[action.address];
    const definitions = action.verb === 'delete' ? HOLDINGS.get(action.kind) : undefined;
    if (id === undefined || definitions === undefined) return action;
    const held = await Promise.all(
      definitions.map(async (definition) =>
        (await readHeld(definition, id, client)).map((one) => without(one, action, leaving)),
      ),
    );
    return { ...action, holds: held.flat() };
  };
  const actions = await Promise.all(plan.actions.map(look));
  return actions.some((action, index) => action !== plan.actions[index]) ? withLists(plan, { ...plan, actions }) : plan;
}

/** What cannot be read is not known: a plan does not fail for it. */
async function readHeld(
  { what, path, decode }: HoldingDefinition,
  id: string,
  client: Pick<Client, 'read'>,
): Promise<readonly Holding[]> {
  try {
    return decode(await client.read(path(id))).map((one) => ({ what, ...one }));
  } catch (error) {
    if (error instanceof ShapeError || (error instanceof ApiError && error.kind !== 'unauthorised')) return [{ what }];
    throw error;
  }
}

/** Without what moves elsewhere before the removal. */
function without(held: Holding, { address }: Action, leaving: readonly Address[]): Holding {
  if (held.names === undefined) return held;
  const gone = leaving.filter((from) => parentOf(from) === address).map((from) => parseAddress(from)?.at(-1)?.name);
  const names = held.names.filter((name) => !gone.includes(name));
  return { ...held, names, count: names.length };
}
