// Which profiles a manifest starts from, and makes it one document with what they say in it, each value at its own
// place. Tells profiles that are named wrongly or not at all.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { isJsonObject, valueAt } from '../../model/json.ts';
import { mergeSpecs, originOf } from './merge.ts';
import type { ParsedDocument } from './parse.ts';
import { profileKindOf, PROFILES, sharedShapeOf, userKindOf } from './profile-kinds.ts';
import { placeOf, problemAt } from './parse.ts';
import type { Shape } from '../shape.ts';
import { hintsFrom, listOf, quote } from '../../model/format.ts';
import { andMore } from '../../model/common/count.ts';

/** Profiles by kind and name; of two with one name the first, and validation tells that there are two. */
type Profiles = ReadonlyMap<string, ReadonlyMap<string, ParsedDocument>>;

const SPEC = '/spec/';

/** Each document with its profiles merged into it and every `null` gone; profiles stay documents of their own. */
export function mergeProfiles(documents: readonly ParsedDocument[]): readonly ParsedDocument[] {
  const profiles = profilesOf(documents);
  const chains = new Map<string, Chain>();
  return documents.map((document) => {
    const spec = valueAt(document.value, '/spec');
    if (!isJsonObject(spec) || !(Object.hasOwn(spec, PROFILES) || holdsNull(spec))) return document;
    const kind = kindOf(document);
    const user = userKindOf(kind) ?? kind;
    const shape = sharedShapeOf(user);
    if (shape === undefined) return document;
    const known = profiles.get(user);
    const names = kind === user ? [...new Set(namesIn(document))].filter((name) => known?.has(name)) : [];
    if (names.length === 0) return holdsNull(spec) ? mergeDocument(document, NO_CHAIN, shape) : document;
    const key = JSON.stringify([user, ...names]);
    const chain =
      chains.get(key) ??
      chainOf(
        names.map((name) => known?.get(name) as ParsedDocument),
        shape,
      );
    chains.set(key, chain);
    return mergeDocument(document, chain, shape);
  });
}

/** A row of profiles as many manifests use it: merged once. */
interface Chain {
  readonly documents: readonly ParsedDocument[];
  readonly specs: readonly JsonObject[];
  readonly merged: JsonObject;
}

const NO_CHAIN: Chain = { documents: [], specs: [], merged: {} };

export function chainOf(documents: readonly ParsedDocument[], shape: Shape): Chain {
  const specs = documents.map(({ value }) => sharedPart(valueAt(value, '/spec'), shape));
  return { documents, specs, merged: specs.reduce((earlier, later) => mergeSpecs(earlier, later, shape), {}) };
}

/** What a profile must not hold is told at the profile; no manifest is to suffer from it a second time. */
function sharedPart(spec: Json | undefined, shape: Shape): JsonObject {
  const fields = shape.is === 'object' ? shape.fields : {};
  return isJsonObject(spec)
    ? Object.fromEntries(Object.entries(spec).filter(([field]) => Object.hasOwn(fields, field)))
    : {};
}

/** One document over a row of profiles. A place in its spec is in the document that the value there is from. */
export function mergeDocument(
  document: ParsedDocument,
  { documents, specs, merged }: Chain,
  shape: Shape,
): ParsedDocument {
  const own = valueAt(document.value, '/spec') as JsonObject;
  return {
    source: document.source,
    value: { ...(document.value as JsonObject), spec: mergeSpecs(merged, own, shape) },
    place: (pointer) => {
      if (!pointer.startsWith(SPEC)) return document.place(pointer);
      const origin = originOf([...specs, own], shape, pointer.slice(SPEC.length - 1));
      const profile = documents[origin.spec];
      const place = `/spec${origin.pointer}`;
      return profile === undefined ? document.place(place) : { ...profile.place(place), shared: true };
    },
  };
}

/** The document as if it had been written without profiles. */
export function withoutProfiles(document: ParsedDocument): ParsedDocument {
  const { value } = document;
  if (profileKindOf(kindOf(document)) === undefined || valueAt(value, SPEC + PROFILES) === undefined) return document;
  const { [PROFILES]: _names, ...spec } = valueAt(value, '/spec') as JsonObject;
  return { ...document, value: { ...(value as JsonObject), spec } };
}

/** Profiles that are not there, that are named twice, and that nobody names. */
export function profileProblems(
  documents: readonly ParsedDocument[],
  addressOf: (document: ParsedDocument) => string | undefined,
): readonly Diagnostic[] {
  const profiles = profilesOf(documents);
  const used = new Set<ParsedDocument>();
  const tellers = new Map<string, (name: string) => string>();
  const diagnostics: Diagnostic[] = [];
  for (const document of documents) {
    const names = listed(document);
    const kind = kindOf(document);
    if (names.length === 0 || profileKindOf(kind) === undefined) continue;
    const known = profiles.get(kind) ?? new Map<string, ParsedDocument>();
    const tell = tellers.get(kind) ?? unknownProfiles(profileKindOf(kind) as string, [...known.keys()]);
    tellers.set(kind, tell);
    const first = new Map<string, string>();
    for (const [index, name] of names.entries()) {
      // What is no text is found by the schema.
      if (typeof name !== 'string') continue;
      const pointer = `${SPEC}${PROFILES}/${index}`;
      const profile = known.get(name);
      const earlier = first.get(name);
      if (profile !== undefined) used.add(profile);
      if (earlier !== undefined)
        diagnostics.push(
          problemAt(
            document,
            pointer,
            'HW1321',
            `The profile ${quote(name)} is named at ${placeOf(document, earlier)} already.`,
            addressOf(document),
          ),
        );
      else if (profile === undefined)
        diagnostics.push(problemAt(document, pointer, 'HW1320', tell(name), addressOf(document)));
      if (earlier === undefined) first.set(name, pointer);
    }
  }
  const idle = [...profiles.values()]
    .flatMap((known) => [...known.entries()])
    .filter(([, profile]) => !used.has(profile));
  return [
    ...diagnostics,
    ...idle.map(([name, profile]) =>
      problemAt(
        profile,
        '/metadata/name',
        'HW1323',
        `No manifest that was read uses the profile ${quote(name)}.`,
        addressOf(profile),
      ),
    ),
  ];
}

/** That there is no profile of this name, for any number of names. */
function unknownProfiles(kind: string, known: readonly string[]): (name: string) => string {
  const there =
    known.length === 0
      ? ' There are none.'
      : ` Known: ${listOf(known.slice(0, 10).map(quote), 'and')}${andMore(known.length - 10)}.`;
  const hint = hintsFrom(known);
  return (name) => `There is no ${kind} ${quote(name)} among the manifests that were read.${hint(name) || there}`;
}

function profilesOf(documents: readonly ParsedDocument[]): Profiles {
  const profiles = new Map<string, Map<string, ParsedDocument>>();
  for (const document of documents) {
    const user = userKindOf(kindOf(document));
    const name = valueAt(document.value, '/metadata/name');
    if (user === undefined || typeof name !== 'string') continue;
    const known = profiles.get(user) ?? new Map<string, ParsedDocument>();
    if (!known.has(name)) known.set(name, document);
    profiles.set(user, known);
  }
  return profiles;
}

function kindOf({ value }: ParsedDocument): string {
  const kind = valueAt(value, '/kind');
  return typeof kind === 'string' ? kind : '';
}

function listed({ value }: ParsedDocument): readonly Json[] {
  const names = valueAt(value, SPEC + PROFILES);
  return Array.isArray(names) ? (names as readonly Json[]) : [];
}

function namesIn(document: ParsedDocument): readonly string[] {
  return listed(document).filter((name) => typeof name === 'string');
}

function holdsNull(value: Json): boolean {
  if (typeof value !== 'object') return false;
  if (value === null) return true;
  return (Array.isArray(value) ? (value as readonly Json[]) : Object.values(value as JsonObject)).some(holdsNull);
}
