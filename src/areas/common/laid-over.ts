// How what is declared goes over what is live, where neither the platform nor a document says which keys there are.
import type { JsonObject } from '../../model/json.ts';
import { isJsonObject } from '../../model/json.ts';

/** What is live, with what is declared over it, key by key at every depth: what is not mentioned stays. */
export function laidOver(live: JsonObject, declared: JsonObject): JsonObject {
  return {
    ...live,
    ...Object.fromEntries(
      Object.entries(declared).map(([key, value]) => {
        const under = live[key];
        return [key, isJsonObject(value) && isJsonObject(under) ? laidOver(under, value) : value];
      }),
    ),
  };
}
