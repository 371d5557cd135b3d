// Whether Shield of a site learns, as its answer tells.
import type { Json, JsonObject } from '../../model/json.ts';
import { isJsonObject, valueAt } from '../../model/json.ts';
import { objectAt } from '../../model/kind/rows.ts';
import type { ActValues } from '../../model/plan/act.ts';

export type Learning = NonNullable<ActValues['learning']>;

/** Undefined where the site has no active Shield. Throws ShapeError where the answer is not as the documents say. */
export function learningIn(answer: Json): Learning | undefined {
  const whole = objectAt(answer);
  // Bare or wrapped: not documented (GAP-29).
  const zone: JsonObject = isJsonObject(whole.shield) ? whole.shield : whole;
  if (zone.active === false) return undefined;
  const end = valueAt(zone, '/waf/learning_mode_until');
  return {
    learning: valueAt(zone, '/waf/learning_mode') === true,
    ...(typeof end === 'string' && end !== '' && { until: end }),
  };
}

/** Learning whose end has passed is over, whatever the flag says (SHD-26). */
export function isLearningAt({ learning, until }: Learning, nowMs: number): boolean {
  return learning && !(until !== undefined && Date.parse(until) <= nowMs);
}
