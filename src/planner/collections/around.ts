// What is known beside a section before any section is read: what of it is ours, what the ledger recorded, and what
// manifests want in other roots.
import { addressOf } from '../../model/address.ts';
import type { Kind, WantedIn } from '../../model/kind/kind.ts';
import { ownedByCollection } from '../../model/plan/ledger-view.ts';
import type { CollectionInput } from './collection.ts';
import type { PlanInput } from '../plan-input.ts';

export interface AroundSections {
  readonly of: (collection: string) => Required<Pick<CollectionInput, 'owned' | 'recorded' | 'wantedIn'>>;
}

const NONE: ReadonlySet<string> = new Set();

export function aroundSections(
  input: Pick<PlanInput, 'declared' | 'everywhere' | 'registry' | 'ledger'>,
): AroundSections {
  const owned = ownedByCollection(input.ledger);
  const recorded = input.ledger.objects;
  const wantedIn = wantedInRoots(input);
  return { of: (collection) => ({ owned: owned.get(collection) ?? NONE, recorded, wantedIn }) };
}

/** Goes by natural keys, which need no binding: also what is wanted of roots that are not planned now counts. */
function wantedInRoots({
  declared,
  everywhere = declared,
  registry,
}: Pick<PlanInput, 'declared' | 'everywhere' | 'registry'>): WantedIn {
  const present = everywhere
    .flatMap(({ parent, members }) => (parent === null ? members : []))
    .filter(({ lifecycle }) => lifecycle.state === 'present');
  const roots = new Map(
    present.flatMap(({ address, kind, keys }) => keys.flat().map((key) => [`${kind} ${key}`, address] as const)),
  );
  const sections = new Map(everywhere.map(({ collection, members }) => [collection, members[0]?.spec]));
  return (rootKey, kind) => {
    const root = roots.get(`${(registry.get(kind) as Kind).parent as string} ${rootKey}`);
    return root === undefined ? undefined : sections.get(addressOf(root, kind, null));
  };
}
