// What a look at the live side gives for one address. Apply checks expectations against it without knowing any kind.
import type { Address } from '../address.ts';
import type { JsonObject } from '../json.ts';

/**
 * `document` is normalised and complete; `siblings` are the identities of all members of its collection: in live order
 * where order is meaning, else sorted. `unread` names fields that the platform never reads back (createOnly, writeOnly,
 * rotation-token): no change is compared there. `position` names the field that says where it stands: the platform may
 * number anew, so another number is no evidence of anything. `readAtMs`: when the first response arrived that this
 * rests on, in epoch milliseconds, where it was noted.
 */
export type Observed =
  | {
      readonly state: 'present';
      readonly id: string;
      readonly document: JsonObject;
      readonly siblings: readonly string[];
      readonly unread?: readonly string[];
      readonly position?: string;
      readonly readAtMs?: number;
    }
  | { readonly state: 'absent'; readonly siblings: readonly string[]; readonly readAtMs?: number }
  | { readonly state: 'unknown' | 'blocked'; readonly reason: string };

/**
 * Reads these addresses anew, with as few requests as the lists allow. `ids` are the live ids of addresses as far as they
 * are known (bindings of the plan, outputs of this run). `removed`: those of which it matters whether they are gone
 * although a list still shows them. `fields`: those that matter of each; absent for an address: none in particular.
 */
export type Observer = (
  addresses: readonly Address[],
  ids: ReadonlyMap<Address, string>,
  removed?: ReadonlySet<Address>,
  fields?: ReadonlyMap<Address, readonly string[]>,
) => Promise<ReadonlyMap<Address, Observed>>;
