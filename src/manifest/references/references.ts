// What the references of manifests become, so that no kind ever sees one: plain data stands in place of its name, and
// what names another object is kept beside the spec.
import { addressOf, parseAddress } from '../../model/address.ts';
import type { DataKinds } from '../../model/kind/data-kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { escapePointer, isJsonObject } from '../../model/json.ts';
import type { PlacedReference } from '../../model/manifest-reference.ts';
import { manifestReference } from '../../model/manifest-reference.ts';
import type { Checked } from '../read/semantic-checks.ts';
import { problemAt, problemAtKey } from '../read/parse.ts';
import { hintsFrom, listOf, quote } from '../../model/format.ts';
import { andMore } from '../../model/common/count.ts';
import { groupBy } from '../../model/common/lists.ts';

interface WithoutReferences<Item> {
  /** As they came; one that names data that is not there is no manifest any more. */
  readonly checked: readonly Item[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Plain data by address; `null` where it was written and is not sound. */
type Data = ReadonlyMap<string, JsonObject | null>;

/** The manifests with the data that they name in them, and what else they name beside them. */
export function withoutReferences<Item extends Checked>(
  checked: readonly Item[],
  dataKinds: DataKinds,
): WithoutReferences<Item> {
  const isData = ({ kind = '' }: Item): boolean => dataKinds.has(kind);
  const data: Data = new Map(
    checked
      .filter(isData)
      .flatMap(({ address, manifest }) => (address === undefined ? [] : [[address, manifest?.spec ?? null] as const])),
  );
  const tell = nothingAmong(data.keys());
  const diagnostics: Diagnostic[] = [];
  const used = new Set<string>();
  const replaced = checked.map((item): Item => {
    const { manifest } = item;
    if (manifest === undefined || isData(item) || !holdsReference(manifest.spec)) return item;
    const found = referencesIn(manifest.spec).map((reference) => ({
      reference,
      named: dataNamed(reference, dataKinds),
    }));
    if (found.length === 0) return item;
    const problems = found.flatMap(({ reference, named }) =>
      named === undefined ? [] : dataProblems(item, reference, named, data, tell),
    );
    diagnostics.push(...problems);
    const values = new Map<string, Json | null>(
      found.map(({ reference, named }) => [
        reference.pointer,
        (named === undefined ? undefined : data.get(named)) ?? null,
      ]),
    );
    for (const { named = '' } of found) used.add(named);
    const isSound =
      found.every(({ reference: { pointer }, named }) => named === undefined || values.get(pointer) !== null) &&
      problems.length === 0;
    const references = found.flatMap(({ reference, named }) => (named === undefined ? [reference] : []));
    const spec = replaceIn(manifest.spec, '', values) as JsonObject;
    return {
      ...item,
      manifest: isSound ? { ...manifest, spec, ...(references.length > 0 && { references }) } : undefined,
    };
  });
  const idle = checked.filter(
    (item) => isData(item) && item.manifest !== undefined && !used.has(item.address as string),
  );
  return {
    checked: replaced,
    diagnostics: [
      ...diagnostics,
      ...idle.map(({ document, address = '', kind }) =>
        problemAt(document, '/metadata/name', 'HW1337', `No manifest that was read names this ${kind}.`, address),
      ),
    ],
  };
}

/** The plain data that a reference names, as its address would be; undefined when it names something else. */
function dataNamed({ ref }: PlacedReference, dataKinds: DataKinds): string | undefined {
  const [first, ...below] = parseAddress(ref) ?? [];
  if (first === undefined || !dataKinds.has(first.kind)) return undefined;
  return below.length > 0 ? ref : addressOf(null, first.kind, first.name ?? '');
}

function dataProblems(
  { document, address }: Checked,
  { pointer, output }: PlacedReference,
  named: string,
  data: Data,
  tell: (named: string) => string,
): readonly Diagnostic[] {
  const place = `/spec${pointer}`;
  return [
    ...(data.has(named) ? [] : [problemAt(document, `${place}/ref`, 'HW1331', tell(named), address)]),
    ...(output === undefined
      ? []
      : [
          problemAtKey(
            document,
            `${place}/output`,
            'HW1335',
            `${quote(named)} is plain data and is taken whole.`,
            address,
          ),
        ]),
  ];
}

/** That nothing has an address, and which of these was probably meant; for any number of addresses. */
export function nothingAmong(known: Iterable<string>): (named: string) => string {
  const byKind = groupBy(known, kindIn);
  const tellers = new Map<string, (named: string) => string>();
  return (named) => {
    const kind = kindIn(named);
    const tell = tellers.get(kind) ?? nothingOf(kind, byKind.get(kind) ?? []);
    tellers.set(kind, tell);
    return tell(named);
  };
}

function nothingOf(kind: string, alike: readonly string[]): (named: string) => string {
  const there =
    alike.length === 0
      ? ` There is no ${quote(kind)} among the manifests that were read.`
      : ` Known: ${listOf(alike.slice(0, 10).map(quote), 'and')}${andMore(alike.length - 10)}.`;
  const hint = hintsFrom(alike);
  return (named) => `There is no ${quote(named)}.${hint(named) || there}`;
}

/** The kind of what would have this address. */
function kindIn(address: string): string {
  return parseAddress(address)?.at(-1)?.kind ?? address;
}

/** True when there may be a reference in a value: nearly all have none, and nobody asks for their places. */
function holdsReference(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return (value as readonly Json[]).some(holdsReference);
  const object = value as JsonObject;
  for (const key of Object.keys(object)) if (key === 'ref' || holdsReference(object[key] as Json)) return true;
  return false;
}

/** Every reference in a value. */
function referencesIn(value: Json, pointer = ''): readonly PlacedReference[] {
  if (typeof value !== 'object' || value === null) return [];
  const reference = manifestReference(value);
  if (reference !== undefined) return [{ pointer, ...reference }];
  return Object.entries(value).flatMap(([key, item]: [string, Json]) =>
    referencesIn(item, `${pointer}/${escapePointer(key)}`),
  );
}

/** The value with others at these pointers; a field of which the other is null is left out. */
function replaceIn(value: Json, pointer: string, others: ReadonlyMap<string, Json | null>): Json {
  const other = others.get(pointer);
  if (other !== undefined && other !== null) return other;
  if (Array.isArray(value)) return value.map((item: Json, index) => replaceIn(item, `${pointer}/${index}`, others));
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value)
    .map(([key, item]) => ({ key, item, at: `${pointer}/${escapePointer(key)}` }))
    .filter(({ at }) => others.get(at) !== null);
  return Object.fromEntries(kept.map(({ key, item, at }) => [key, replaceIn(item, at, others)]));
}
