// Decides what the references of manifests lead to. One to plain data is replaced by that data before anything is expanded, so that no kind ever
// sees it; its place stays where it was written. Must not know any kind by name, nor look at the live side.
import { addressOf, parseAddress } from '../model/address.ts';
import type { DataKinds } from '../model/data-kind.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { escapePointer, isJsonObject } from '../model/json.ts';
import { manifestReference } from '../model/manifest-reference.ts';
import type { Checked } from './meaning.ts';
import { problemAt } from './schema-problems.ts';
import { didYouMean, listOf, quote } from './words.ts';

interface WithData<Item> {
  /** As they came; one that names data that is not there is no manifest any more. */
  readonly checked: readonly Item[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Plain data by address; `null` where it was written and is not sound. */
type Data = ReadonlyMap<string, JsonObject | null>;

/** The manifests with the data that they name in them. */
export function withData<Item extends Checked>(checked: readonly Item[], dataKinds: DataKinds): WithData<Item> {
  const data: Data = new Map(checked.filter(({ kind = '' }) => dataKinds.has(kind)).flatMap(({ address, manifest }) => (address === undefined ? [] : [[address, manifest?.spec ?? null] as const])));
  const diagnostics: Diagnostic[] = [];
  const replaced = checked.flatMap((item): readonly Item[] => {
    const { manifest } = item;
    if (manifest === undefined || dataKinds.has(manifest.kind)) return [item];
    const { uses, problems } = findData(item, dataKinds, data);
    diagnostics.push(...problems);
    if (uses.size === 0) return [item];
    const values = new Map([...uses].flatMap(([pointer, spec]) => (spec === null ? [] : [[pointer, spec] as const])));
    const isWhole = values.size === uses.size && problems.length === 0;
    return [{ ...item, manifest: isWhole ? { ...manifest, spec: withValues(manifest.spec, values) } : undefined }];
  });
  return { checked: replaced, diagnostics };
}

interface FoundData {
  /** By pointer into the spec. */
  readonly uses: ReadonlyMap<string, JsonObject | null>;
  readonly problems: readonly Diagnostic[];
}

function findData({ document, manifest, address }: Checked, dataKinds: DataKinds, data: Data): FoundData {
  const uses = new Map<string, JsonObject | null>();
  const problems: Diagnostic[] = [];
  for (const { pointer, ref, output } of referencesIn(manifest?.spec ?? {})) {
    const [first, ...below] = parseAddress(ref) ?? [];
    if (first === undefined || !dataKinds.has(first.kind)) continue;
    const place = `/spec${pointer}/ref`;
    const named = addressOf(null, first.kind, first.name ?? '');
    const spec = below.length > 0 ? undefined : data.get(named);
    uses.set(pointer, spec ?? null);
    if (spec === undefined) problems.push(problemAt(document, 'HW1331', place, 'value', missing(first.kind, below.length > 0 ? ref : named, [...data.keys()]), address));
    if (output !== undefined) problems.push(problemAt(document, 'HW1335', `/spec${pointer}/output`, 'key', `${quote(named)} is plain data and is taken whole.`, address));
  }
  return { uses, problems };
}

function missing(kind: string, named: string, known: readonly string[]): string {
  const same = known.filter((address) => address.startsWith(`${kind}/`));
  const there = same.length === 0 ? ` There is no ${kind} among the manifests that were read.` : ` Known: ${listOf(same.slice(0, 10).map(quote), 'and')}${same.length > 10 ? ` and ${same.length - 10} more` : ''}.`;
  return `There is no ${quote(named)}.${didYouMean(named, same) || there}`;
}

interface FoundReference {
  readonly pointer: string;
  readonly ref: string;
  readonly output?: string;
}

/** Every reference in a spec. */
export function referencesIn(value: Json, pointer = ''): readonly FoundReference[] {
  if (typeof value !== 'object' || value === null) return [];
  const reference = manifestReference(value);
  if (reference !== undefined) return [{ pointer, ...reference }];
  return Object.entries(value).flatMap(([key, item]: [string, Json]) => referencesIn(item, `${pointer}/${escapePointer(key)}`));
}

/** The value with others at these pointers. */
function withValues(value: JsonObject, values: ReadonlyMap<string, Json>): JsonObject {
  return replaceIn(value, '', values) as JsonObject;
}

function replaceIn(value: Json, pointer: string, values: ReadonlyMap<string, Json>): Json {
  const other = values.get(pointer);
  if (other !== undefined) return other;
  if (Array.isArray(value)) return value.map((item: Json, index) => replaceIn(item, `${pointer}/${index}`, values));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceIn(item, `${pointer}/${escapePointer(key)}`, values)]));
}
