// Generates the steps of an action again that an earlier run began: from the templates of its kind, the values that were
// desired, and the live object. The ledger decides no step; it only says which template the action came from.
import { parentOf, parseAddress } from '../../model/address.ts';
import type { JsonObject } from '../../model/json.ts';
import { withValueAt } from '../../model/json.ts';
import type { Kind, Member } from '../../model/kind/kind.ts';
import type { BegunAction } from '../../model/ledger/begun.ts';
import type { Change } from '../../model/plan/plan.ts';
import { changedFields } from '../../model/plan/plan.ts';
import type { Step } from '../../model/plan/step.ts';
import { createAction } from '../../planner/action.ts';
import type { ObjectContext } from '../../planner/requests.ts';
import { stepContext, updatesFor } from '../../planner/requests.ts';

/** What a read of its collection shows. */
export interface LiveNow {
  /** The live object. Absent: it is not there, or its list was not read. */
  readonly member?: Pick<Member, 'spec' | 'computed'> | undefined;
  readonly members: readonly Member[];
}

/**
 * Returns the steps of the template that an action was made from, or undefined where its kind has no such template. Of an
 * update the live object is taken as it was before: with the recorded changes undone.
 */
export function regenerateSteps(kind: Kind, begun: BegunAction, live: LiveNow): readonly Step[] | undefined {
  const { address, verb, hook, changes, expect, desired, cost } = begun;
  const parent = parentOf(address) ?? address;
  if (hook === 'command') return undefined;
  if (hook !== undefined) return kind.capabilities.hook?.steps({ self: address, parent, members: live.members });
  const context: ObjectContext = {
    address,
    parent,
    protect: false,
    members: live.members,
    sourceOf: () => undefined,
    ...(cost !== undefined && { price: cost }),
    ...(expect.renamedFrom !== undefined && { renamedFrom: expect.renamedFrom }),
  };
  if (verb === 'create') return createSteps(kind, begun, context);
  const before = { spec: undone(live.member?.spec ?? {}, changes), computed: live.member?.computed ?? {} };
  if (verb === 'delete') return kind.remove?.steps(stepContext(kind, context, before.spec, before, [], undefined));
  const fields = changedFields(changes);
  return updatesFor(kind, fields).flatMap((update) =>
    update.steps(stepContext(kind, context, desired, before, fields, update)),
  );
}

function createSteps(
  kind: Kind,
  { desired, expect }: BegunAction,
  context: ObjectContext,
): readonly Step[] | undefined {
  if (kind.create === undefined) return undefined;
  if (expect.from === undefined) return createAction(kind, desired, context).steps;
  const { address, tests } = expect.from;
  const parent = parentOf(address);
  const identity = parseAddress(address)?.at(-1)?.name;
  if (kind.capabilities.move === undefined || parent === null || typeof identity !== 'string') return undefined;
  return createAction(kind, desired, context, { address, parent, identity, protect: false, tests }).steps;
}

/** A document as it was before these changes. */
function undone(document: JsonObject, changes: readonly Change[]): JsonObject {
  let before: JsonObject = document;
  for (const { path, was, secret, rotationToken } of changes)
    if (secret === undefined && rotationToken === undefined) before = withValueAt(before, path, was) as JsonObject;
  return before;
}
