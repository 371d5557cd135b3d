// Whether an action lowers protection: the one place that derives the risk `exposure`, from what fields say of their
// changes.
import jsonPatch from 'fast-json-patch';
import type { Operation } from 'fast-json-patch';
import type { JsonObject } from '../model/json.ts';
import { sameJson } from '../model/json.ts';
import type { Kind } from '../model/kind/kind.ts';
import type { Change } from '../model/plan/plan.ts';

/** True when a change of the object lowers protection. `before` is null when it is made, `after` when it is removed. */
export function lowersProtection({ fields }: Kind, before: JsonObject | null, after: JsonObject | null): boolean {
  return Object.entries(fields).some(([field, { lowers = 'never' }]) => {
    const [was, value] = [before?.[field], after?.[field]];
    // What goes and could not be read may have been anything.
    return lowers !== 'never' && (after === null || !sameJson(was, value)) && lowers({ was, value, before, after });
  });
}

/** The live document with the changes made. What a secret or a rotation token stands for is in no document. */
export function withChanges(live: JsonObject, changes: readonly Change[]): JsonObject {
  const isInDocument = ({ secret, rotationToken }: Change): boolean => secret === undefined && rotationToken !== true;
  const operations = changes.filter(isInDocument).map(({ op, path, value }) => ({ op, path, value }) as Operation);
  return jsonPatch.applyPatch(structuredClone(live), operations).newDocument;
}
