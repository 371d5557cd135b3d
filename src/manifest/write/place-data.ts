// Where plain data that live objects have is written: equal data once, in a manifest of its own, with a reference
// wherever it stands. What the schema does not take is left out, with a word why.
import { API_VERSION } from '../../model/desired.ts';
import type { ManifestPart, ManifestData, Comment } from '../../model/kind/to-manifest.ts';
import { addressOf } from '../../model/address.ts';
import type { JsonObject } from '../../model/json.ts';
import { canonicalJson, unescapePointer, withValueAt } from '../../model/json.ts';
import { validators } from '../generated/validator-table.ts';
import type { RootName, TakenNames } from './name-manifests.ts';
import { nameRoots } from './name-manifests.ts';
import { listOf, quote } from '../../model/format.ts';

/** A root as it was composed: its spec is without its data. */
export type WithData = Pick<Required<ManifestPart>, 'spec' | 'leftOut' | 'data'>;

/** A manifest of plain data that is there already. */
export interface KnownData {
  readonly kind: string;
  readonly name: string;
  readonly spec: JsonObject;
}

export interface DataManifest extends RootName {
  readonly kind: string;
  readonly spec: JsonObject;
  /** Pointers into `spec`. */
  readonly comments: readonly Comment[];
}

export interface DataRequest {
  readonly roots: readonly WithData[];
  readonly known?: readonly KnownData[];
  readonly taken?: TakenNames;
}

export interface PlacedData {
  /** As they came, each with references in its spec, and with what could not be written. */
  readonly roots: readonly Pick<WithData, 'spec' | 'leftOut'>[];
  /** Those that are not there yet. */
  readonly manifests: readonly DataManifest[];
}

/** References in place of data, and the manifests that they lead to. */
export function placeData({ roots, known = [], taken }: DataRequest): PlacedData {
  const all = roots.map(({ data }) => data.map((one) => ({ one, problem: problemOf(one) })));
  const names = new Map(known.map(({ kind, name, spec }) => [keyOf({ kind, spec }), name]));
  const fresh = new Map<string, ManifestData>();
  for (const { one, problem } of all.flat())
    if (problem === undefined && !names.has(keyOf(one)) && !fresh.has(keyOf(one))) fresh.set(keyOf(one), one);
  const made = [...fresh].map(([key, { kind, folder, called }]) => ({ kind, folder, id: key, called }));
  const manifests = nameRoots(made, taken).map((name, index): DataManifest => {
    const { kind, spec, comments = [] } = fresh.get((made[index] as { readonly id: string }).id) as ManifestData;
    names.set(keyOf({ kind, spec }), name.name);
    return { kind, ...name, spec, comments };
  });
  return {
    roots: roots.map(({ spec, leftOut }, index) => {
      const here = all[index] as (typeof all)[number];
      const written = here.filter(({ problem }) => problem === undefined);
      return {
        spec: written.reduce(
          (so, { one }) =>
            withValueAt(so, one.pointer, {
              ref: addressOf(null, one.kind, names.get(keyOf(one)) as string),
            }) as JsonObject,
          spec,
        ),
        leftOut: [
          ...leftOut,
          ...here.flatMap(({ one, problem }) =>
            problem === undefined ? [] : [{ what: unescapePointer(one.pointer.slice(1)), reason: problem }],
          ),
        ],
      };
    }),
    manifests,
  };
}

function keyOf({ kind, spec }: Pick<ManifestData, 'kind' | 'spec'>): string {
  return canonicalJson([kind, spec]);
}

/** What the schema of its kind has against it, without showing any of it. */
function problemOf({ kind, spec }: ManifestData): string | undefined {
  const validate = validators[kind];
  if (validate === undefined || validate({ apiVersion: API_VERSION, kind, metadata: { name: 'x' }, spec }))
    return undefined;
  const errors = validate.errors ?? [];
  const missing = errors.flatMap(({ params: { missingProperty } }) =>
    typeof missingProperty === 'string' ? [missingProperty] : [],
  );
  const wrong = errors.flatMap(({ params: { missingProperty }, instancePath }) =>
    typeof missingProperty === 'string' ? [] : [unescapePointer(instancePath.split('/')[2] ?? '')],
  );
  const parts = [
    ...reported(missing, 'is not told', 'are not told'),
    ...reported(wrong, 'has a form that no manifest takes', 'have a form that no manifest takes'),
  ];
  return `no ${kind} can be written of what is live: ${parts.join(', and ')}`;
}

function reported(fields: readonly string[], one: string, several: string): readonly string[] {
  const names = [...new Set(fields)].sort().map(quote);
  return names.length === 0 ? [] : [`${listOf(names, 'and')} ${names.length === 1 ? one : several}`];
}
