// The use case `explain`: what the schemas and the kinds say of a kind, a section or a field. Reads nothing: the
// schemas are an argument.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type {
  Explained,
  ExplainedField,
  ExplainedForm,
  ExplainedKind,
  ExplainedObject,
} from '../../model/explained.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { invariant } from '../../model/invariant.ts';
import { unescapePointer } from '../../model/json.ts';
import { registry } from '../../areas/index.ts';
import { validators } from '../../manifest/generated/validator-table.ts';
import { kindMeant } from '../../areas/words.ts';
import { profileKindOf, userKindOf } from '../../manifest/read/profile-kinds.ts';
import { didYouMean, listOf, quote } from '../../model/format.ts';
import { writeManifest, writeManifests } from '../../manifest/write/write.ts';
import { changeAt, kindsIn, objectOf, sectionPlace, standingsIn } from './change.ts';
import { exampleOf } from './example.ts';
import type { Form, Place, Schema } from './schema.ts';
import { allowedAt, fieldOf, fieldsOf, formsOf, limitsOf, namesIn, placeAt, top, typeOf } from './schema.ts';

const MOST_MEANT = 5;

/** The schemas of manifests and of the workspace file, by kind. */
export type Schemas = ReadonlyMap<string, Schema>;

/** The kinds of manifests, each with the objects that are declared in it. */
export function explainKinds(schemas: Schemas): readonly ExplainedKind[] {
  return [...schemas].map(([kind, { description = '' }]) => ({ kind, description, inside: insideOf(kind) }));
}

/** One page, or why there is none. */
export function explain(schemas: Schemas, asked: string): Explained | { readonly problem: Diagnostic } {
  const [first = '', ...names] = namesAsked(asked);
  const kind = named([...schemas.keys(), ...registry.keys()], first);
  if (kind === undefined) return { problem: unknownKind(schemas, first, names) };
  const place = placeOfKind(schemas, kind);
  invariant(place !== undefined, `${kind} is in no schema`);
  return follow(schemas, place, names);
}

/** Every page below a kind, in the order of its schema. */
export function explainAll(schemas: Schemas, kind: string): readonly Explained[] {
  const document = schemas.get(kind);
  invariant(document !== undefined, `${kind} has no schema`);
  const pages = (place: Place): readonly Place[] => fieldsOf(place).flatMap((field) => [field, ...pages(field)]);
  return pages(top(document)).map((place) => pageOf(schemas, kind, place));
}

/** Where a kind is documented: its own schema, or the section of its root. */
function placeOfKind(schemas: Schemas, kind: string): Start | undefined {
  const own = schemas.get(kind);
  if (own !== undefined) return { kind, place: top(own) };
  const found = registry.get(kind);
  const root = found?.parent ?? null;
  const document = root === null ? undefined : schemas.get(root);
  if (found === undefined || root === null || document === undefined) return undefined;
  const place = placeAt(top(document), ['spec', ...sectionPlace(found.section.fields).split('.')]);
  return place && { kind: root, place };
}

interface Start {
  readonly kind: string;
  readonly place: Place;
}

/** `Site.edgeRules[].name`, `Site/edgeRules/0/name`: lists are looked into by themselves. */
function namesAsked(asked: string): readonly string[] {
  const parts = asked.includes('/') ? asked.split('/').map(unescapePointer) : asked.split('.');
  return parts.map((part) => part.replace(/\[\d*\]$/, '')).filter((part) => !/^(\d+|-|\*|\[\d*\]|)$/.test(part));
}

function follow(
  schemas: Schemas,
  { kind, place }: Start,
  names: readonly string[],
): Explained | { readonly problem: Diagnostic } {
  let at = place;
  for (const [index, name] of names.entries()) {
    // Of a manifest nearly everything that is asked for stands in its spec.
    const spec = at.path === '' ? fieldOf(at, 'spec') : undefined;
    const next = [at, ...(spec === undefined ? [] : [spec])].flatMap((one) => find(one, name) ?? [])[0];
    if (next === undefined) return { problem: unknownField(schemas, kind, at, name, index) };
    at = next;
  }
  return pageOf(schemas, kind, at);
}

/** A field by its name, whatever its letter case, `_` and `-`. */
function find(place: Place, name: string): Place | undefined {
  return fieldOf(place, name) ?? fieldsOf(place).find(({ path }) => plain(lastOf(path)) === plain(name));
}

function pageOf(schemas: Schemas, kind: string, place: Place): Explained {
  const { document, schema, path, required } = place;
  const manifest =
    path === ''
      ? (document.examples?.[0] as JsonObject | undefined)
      : exampleOf(document, namesIn(path), (candidate) => validators[kind]?.(candidate) === true);
  invariant(manifest !== undefined, `${kind}.${path} has no example`);
  const user = userKindOf(kind) ?? kind;
  const inSpec = path.startsWith('spec.') ? path.slice('spec.'.length) : undefined;
  const change =
    inSpec === undefined ? undefined : changeAt(user, standings(schemas, user), inSpec, schema.examples ?? []);
  const profile = profileKindOf(kind);
  const objects = insideOf(kind);
  const object = path === '' ? rootOf(kind) : objects.find((one) => one.path === shown(kind, path));
  return {
    path: shown(kind, path),
    kind,
    description: schema.description ?? '',
    type: path === '' ? 'document' : typeOf(document, schema),
    required: path !== '' && required,
    limits: limitsOf(document, schema),
    allowed: allowedAt(document, schema),
    ...(schema.default !== undefined && { default: schema.default }),
    examples: schema.examples ?? [],
    manifest,
    yaml: writeManifests([{ manifest, fromProfiles: {} }]),
    ...(change !== undefined && { change }),
    ...(object !== undefined && { object }),
    ...(profile !== undefined && inSpec !== undefined && isShared(schemas, profile, path) && { profile }),
    fields: shownFields(place).map((field) => entryOf(kind, field)),
    forms: path === '' ? [] : formsOf(place).map((form) => formOf(kind, place, form)),
    inside: path === '' ? objects : [],
  };
}

/** Of a whole document: what differs from one to the other. */
function shownFields(place: Place): readonly Place[] {
  if (place.path !== '') return fieldsOf(place);
  return fieldsOf(place).flatMap((field) =>
    field.path === 'spec' ? fieldsOf(field) : ['apiVersion', 'kind'].includes(field.path) ? [] : [field],
  );
}

const known = new WeakMap<Schemas, Map<string, ReturnType<typeof standingsIn>>>();

function standings(schemas: Schemas, kind: string): ReturnType<typeof standingsIn> {
  const byKind = known.get(schemas) ?? new Map<string, ReturnType<typeof standingsIn>>();
  known.set(schemas, byKind);
  const spec = fieldOf(top(schemas.get(kind) as Schema), 'spec');
  const found = byKind.get(kind) ?? (spec === undefined ? new Map() : standingsIn(kind, spec));
  byKind.set(kind, found);
  return found;
}

function isShared(schemas: Schemas, profile: string, path: string): boolean {
  const document = schemas.get(profile);
  return document !== undefined && placeAt(top(document), namesIn(path)) !== undefined;
}

function entryOf(kind: string, { document, schema, path, required }: Place): ExplainedField {
  return {
    name: lastOf(path),
    path: shown(kind, path),
    type: typeOf(document, schema),
    required,
    description: schema.description ?? '',
    limits: limitsOf(document, schema),
    allowed: allowedAt(document, schema),
  };
}

function formOf(kind: string, place: Place, { field, place: form }: Form): ExplainedForm {
  const { document, schema } = form;
  const [example] = schema.examples ?? [];
  const isList = form.path.slice(place.path.length).startsWith('[]');
  const written = (value: Json): JsonObject => {
    const item = field === undefined ? value : { [field]: value };
    return { [lastOf(place.path).replaceAll('[]', '')]: isList ? [item] : item };
  };
  return {
    name: field ?? schema.title ?? typeOf(document, schema),
    type: typeOf(document, schema),
    description: schema.description ?? '',
    limits: limitsOf(document, schema),
    allowed: allowedAt(document, schema),
    fields: fieldsOf(form).map((one) => entryOf(kind, one)),
    ...(example !== undefined && { yaml: writeManifest({ manifest: written(example) }) }),
  };
}

function insideOf(kind: string): readonly ExplainedObject[] {
  return kindsIn(kind)
    .filter(({ parent }) => parent !== null)
    .map(objectOf);
}

function rootOf(kind: string): ExplainedObject | undefined {
  const found = registry.get(kind);
  return found && objectOf(found);
}

/** The spec is left out: nearly everything stands in it. */
function shown(kind: string, path: string): string {
  const short = path.startsWith('spec.') ? path.slice('spec.'.length) : path;
  return short === '' ? kind : `${kind}.${short}`;
}

function lastOf(path: string): string {
  return path.split('.').at(-1) as string;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[_\s-]/g, '');
}

function named(kinds: readonly string[], name: string): string | undefined {
  return kinds.find((kind) => plain(kind) === plain(name));
}

function unknownKind(schemas: Schemas, first: string, names: readonly string[]): Diagnostic {
  const manifests = [...schemas.keys()];
  const places = placesOf(schemas, [first, ...names].at(-1) ?? '');
  const kind = kindMeant(first);
  const guess =
    places.length > 0
      ? meant(places)
      : kind === undefined
        ? didYouMean(first, [...manifests, ...registry.keys()])
        : meant([kind]);
  return diagnose(
    'HW6541',
    `There is no kind ${quote(first)}.${guess} Kinds of manifests are ${listOf(manifests, 'and')}. \`hostwright explain\` lists what is declared in each; a code such as HW2204, a rule such as O-18 and a word of a plan such as EXPOSES can be explained too.`,
  );
}

/** Where a field of this name is, in any schema. */
function placesOf(schemas: Schemas, name: string): readonly string[] {
  return [...schemas.keys()]
    .filter((kind) => userKindOf(kind) === undefined)
    .flatMap((kind) => placesIn(schemas, kind, name));
}

function placesIn(schemas: Schemas, kind: string, name: string): readonly string[] {
  const below = (place: Place): readonly string[] =>
    fieldsOf(place).flatMap((field) => [
      ...(plain(lastOf(field.path)) === plain(name) ? [shown(kind, field.path)] : []),
      ...below(field),
    ]);
  return name === '' ? [] : below(top(schemas.get(kind) as Schema));
}

/** ` Did you mean x or y?` */
function meant(places: readonly string[]): string {
  return ` Did you mean ${listOf(places.slice(0, MOST_MEANT).map(quote))}?`;
}

function unknownField(schemas: Schemas, kind: string, at: Place, name: string, depth: number): Diagnostic {
  const spec = depth === 0 && at.path === '' ? fieldOf(at, 'spec') : undefined;
  const names = (spec === undefined ? [at] : [spec, at])
    .flatMap((place) => fieldsOf(place).map(({ path }) => lastOf(path)))
    .filter((one) => at.path !== '' || !['apiVersion', 'kind', 'spec'].includes(one));
  const there = names.length === 0 ? 'It has no fields.' : `Its fields are ${listOf(names.map(quote), 'and')}.`;
  // The right name in the wrong place is worth more than a similar name in the right one.
  const deeper = placesIn(schemas, kind, name);
  return diagnose(
    'HW6542',
    `${shown(kind, at.path)} has no field ${quote(name)}.${deeper.length > 0 ? meant(deeper) : didYouMean(name, names)} ${there}`,
  );
}
