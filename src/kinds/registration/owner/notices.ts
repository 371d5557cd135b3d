// What whoever declares a holder should know: which other names change with it, and which consents have done their
// work. Must not decide whether the holder may be changed.
import type { JsonObject } from '../../../model/json.ts';
import { isJsonObject, sameJson } from '../../../model/json.ts';
import type { Remark } from '../../../model/kind/kind.ts';
import { textAt } from '../../../model/kind/rows.ts';
import { sameContact, samePerson } from '../contact-wire.ts';
import { contactOf } from './change.ts';
import type { OwnerConsents } from './change.ts';

/** Other names of the account of which the same contact is the holder. */
export function sharers(row: JsonObject, list: readonly JsonObject[]): readonly string[] {
  const idOf = ({ owner_contact: owner }: JsonObject) => (isJsonObject(owner) ? owner.id : undefined);
  const own = idOf(row);
  return own === undefined
    ? []
    : list
        .filter((other) => other.id !== row.id && sameJson(idOf(other), own))
        .map((other) => textAt(other, '/name'))
        .sort();
}

export function ownerRemarks(
  live: JsonObject,
  facts: JsonObject,
  desired: JsonObject & OwnerConsents,
): readonly Remark[] {
  const wanted = contactOf(desired);
  const names = facts.sharers as readonly string[];
  const spent = [
    ...(desired.ownerChange !== undefined && samePerson(wanted, live) ? ['ownerChange'] : []),
    ...(desired.confirmReverification !== undefined && desired.confirmReverification === live.email
      ? ['confirmReverification']
      : []),
  ];
  return [
    ...(names.length > 0 && samePerson(wanted, live) && !sameContact(wanted, live) ? [sharedRemark(names)] : []),
    ...spent.map((consent): Remark => ({
      code: 'HW2007',
      severity: 'info',
      summary: 'A consent has done its work',
      detail: `It is so already, so \`${consent}\` does nothing any more and can be removed.`,
    })),
  ];
}

function sharedRemark(names: readonly string[]): Remark {
  const shown = `${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`;
  return {
    code: 'HW2502',
    severity: 'warning',
    summary: 'Other names have the same contact',
    detail: `The contact that is edited is the holder of ${shown} as well, and changes there too (DCT-08). Where their manifests declare another holder, the next plan says so.`,
  };
}
