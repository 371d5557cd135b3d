// What is known beside a section, worked out once for all sections: what of it is ours, what the ledger recorded, and what
// manifests want in other roots. Worked out for each section, it makes a plan of 600 sites take 5.6 times the CPU
// (docs/design/speed.md).
import type { Address } from '../../model/address.ts';
import { addressOf } from '../../model/address.ts';
import type { DesiredCollection } from '../../model/desired.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Kind, WantedIn } from '../../model/kind/kind.ts';
import { ownedByCollection } from '../../model/plan/ledger-view.ts';
import type { CollectionInput } from './collection.ts';
import type { PlanInput } from '../plan-input.ts';

type OfSection = Required<Pick<CollectionInput, 'owned' | 'recorded' | 'wantedIn'>>;

const NONE: ReadonlySet<string> = new Set();

/** For each collection what is known beside it. */
export function sectionSurroundings(
  input: Pick<PlanInput, 'declared' | 'allDeclared' | 'registry' | 'ledger'>,
): (collection: string) => OfSection {
  const owned = ownedByCollection(input.ledger);
  const recorded = input.ledger.objects;
  const wantedIn = wantedInRoots(input);
  return (collection) => ({ owned: owned.get(collection) ?? NONE, recorded, wantedIn });
}

/** Goes by natural keys, which need no binding: also what is wanted of roots that are not planned now counts. */
function wantedInRoots({
  declared,
  allDeclared = declared,
  registry,
}: Pick<PlanInput, 'declared' | 'allDeclared' | 'registry'>): WantedIn {
  // Few kinds ask for it.
  let index: ReturnType<typeof indexRoots> | undefined;
  return (rootKey, kind) => {
    index ??= indexRoots(allDeclared);
    const root = index.roots.get(`${(registry.get(kind) as Kind).parent as string} ${rootKey}`);
    return root === undefined ? undefined : index.sections.get(addressOf(root, kind, null));
  };
}

function indexRoots(allDeclared: readonly DesiredCollection[]): {
  readonly roots: ReadonlyMap<string, Address>;
  readonly sections: ReadonlyMap<string, JsonObject | undefined>;
} {
  const present = allDeclared
    .flatMap(({ parent, members }) => (parent === null ? members : []))
    .filter(({ lifecycle }) => lifecycle.state === 'present');
  return {
    roots: new Map(
      present.flatMap(({ address, kind, keys }) => keys.flat().map((key) => [`${kind} ${key}`, address] as const)),
    ),
    sections: new Map(allDeclared.map(({ collection, members }) => [collection, members[0]?.spec])),
  };
}
