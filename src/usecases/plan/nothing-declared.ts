// What stands for a section that no manifest has, where it is read all the same.
import type { Address } from '../../model/address.ts';
import { addressOf } from '../../model/address.ts';
import type { DesiredCollection } from '../../model/desired.ts';

/** A collection that is read although no manifest mentions it. */
export function nothingDeclared(kind: string, parent: Address | null): DesiredCollection {
  return {
    collection: addressOf(parent, kind, null),
    kind,
    parent,
    members: [],
    unlisted: 'keep',
    protect: false,
    partial: parent === null,
    rootSpec: {},
    sourceOf: () => undefined,
  };
}
