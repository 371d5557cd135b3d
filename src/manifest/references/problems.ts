// What is wrong with references to other objects: where they lead nowhere, name a value that is not there, or go in a
// circle. Told where they are written, and without the live side.
import type { Address } from '../../model/address.ts';
import { kindOf, parentOf, parseAddress, rootOf } from '../../model/address.ts';
import type { DesiredCollection, Manifest } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Kind, Registry } from '../../model/kind/kind.ts';
import type { PlacedReference } from '../../model/manifest-reference.ts';
import { objectNeeds } from '../../model/kind/capabilities/needs-of.ts';
import { expandManifests } from '../read/expand.ts';
import type { Checked } from '../read/semantic-checks.ts';
import { userKindOf } from '../read/profile-kinds.ts';
import { nothingAmong } from './references.ts';
import { problemAt } from '../read/parse.ts';
import { listOf, quote } from '../../model/format.ts';

/** What is wrong with the references of these manifests. */
export function referenceProblems(checked: readonly Checked[], registry: Registry): readonly Diagnostic[] {
  if (!checked.some(({ manifest }) => manifest?.references !== undefined)) return [];
  const collections = expandManifests(
    checked.flatMap(({ manifest }) => manifest ?? []),
    registry,
  );
  const there = new Set(collections.flatMap(addressesIn));
  const tell = nothingAmong(there);
  // What is in a document that has mistakes of its own cannot be told.
  const unsound = new Set(
    checked.flatMap(({ address, manifest }) => (address === undefined || manifest !== undefined ? [] : [address])),
  );
  const alone = checked.flatMap((item) =>
    (item.manifest?.references ?? [])
      .filter(({ ref }) => !unsound.has(rootOf(ref)))
      .flatMap((reference) => problemOf(item, reference, { there, tell, registry })),
  );
  return [...alone, ...circles(checked, collections, registry)];
}

/**
 * The objects in a collection; one that still waits for values has none, but where there can be only one it is known
 * which.
 */
function addressesIn({ collection, members, unresolved }: DesiredCollection): readonly Address[] {
  return unresolved === undefined ? members.map(({ address }) => address) : [collection];
}

function problemOf(
  { document, address }: Checked,
  { pointer, ref, output }: PlacedReference,
  {
    there,
    tell,
    registry,
  }: {
    readonly there: ReadonlySet<Address>;
    /** That there is nothing of this address. */
    readonly tell: (ref: Address) => string;
    readonly registry: Registry;
  },
): readonly Diagnostic[] {
  const place = `/spec${pointer}`;
  const first = parseAddress(ref)?.[0]?.kind ?? '';
  if (userKindOf(first) !== undefined)
    return [problemAt(document, `${place}/ref`, 'HW1336', `${quote(ref)} is a profile.`, address)];
  if (!there.has(ref)) return [problemAt(document, `${place}/ref`, 'HW1331', tell(ref), address)];
  const outputs = Object.keys((registry.get(kindOf(ref)) as Kind).capabilities.outputs ?? {});
  if (output === undefined || outputs.includes(output)) return [];
  const has = outputs.length === 0 ? 'has no values that others can take' : `has ${listOf(outputs.map(quote), 'and')}`;
  return [
    problemAt(
      document,
      `${place}/output`,
      'HW1332',
      `${quote(ref)} has no output ${quote(output)}: a ${kindOf(ref)} ${has}.`,
      address,
    ),
  ];
}

/** A reference, and the object that it is written for. */
interface Edge {
  readonly from: Address;
  readonly reference: PlacedReference;
}

function circles(
  checked: readonly Checked[],
  collections: readonly DesiredCollection[],
  registry: Registry,
): readonly Diagnostic[] {
  const edges = collections.flatMap(({ collection, members, unresolved }): readonly Edge[] => [
    ...(unresolved?.references ?? []).map((reference) => ({ from: collection, reference })),
    ...members.flatMap(({ address, restsOn = [] }) => restsOn.map((reference) => ({ from: address, reference }))),
  ]);
  const next = new Map<Address, Address[]>();
  for (const { from, to } of [
    ...edges.map(({ from, reference }) => ({ from, to: reference.ref })),
    ...objectNeeds(collections, registry, () => true).map(({ later, address }) => ({ from: later, to: address })),
  ]) {
    const known = next.get(from);
    if (known === undefined) next.set(from, [to]);
    else known.push(to);
  }
  const byAddress = new Map<Address | undefined, Checked>();
  for (const item of checked) if (!byAddress.has(item.address)) byAddress.set(item.address, item);
  const reported = new Set<string>();
  return edges.flatMap(({ from, reference }) => {
    const { document, address } = byAddress.get(rootOf(from)) as Checked & {
      readonly manifest: Manifest;
    };
    const place = `/spec${reference.pointer}/ref`;
    if (reference.ref === from)
      return [problemAt(document, place, 'HW1334', `${quote(from)} is the object that this is written for.`, address)];
    const way = wayBetween(reference.ref, from, next);
    const key = [...(way ?? [])].sort().join(' ');
    if (way === undefined || reported.has(key)) return [];
    reported.add(key);
    return [
      problemAt(
        document,
        place,
        'HW1333',
        `Each of these waits for the next: ${[from, ...way].map(quote).join(', ')}.`,
        address,
      ),
    ];
  });
}

/** The objects from one to another, both with it: an object waits for what it names, and for what it is in. */
function wayBetween(
  start: Address,
  end: Address,
  next: ReadonlyMap<Address, readonly Address[]>,
): readonly Address[] | undefined {
  const seen = new Set<Address>([start]);
  const ways: (readonly Address[])[] = [[start]];
  for (const way of ways) {
    const at = way.at(-1) as Address;
    if (at === end) return way;
    const parent = parentOf(at);
    for (const one of [...(next.get(at) ?? []), ...(parent === null ? [] : [parent])]) {
      if (seen.has(one)) continue;
      seen.add(one);
      ways.push([...way, one]);
    }
  }
  return undefined;
}
