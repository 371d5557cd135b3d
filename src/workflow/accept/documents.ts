// In which documents of which files the places of a manifest stand: its own, one that holds plain data for it, never a
// profile. Gives the texts of the files with other values in them, or says why not and what to paste.
import { dataKinds } from '../../kinds/index.ts';
import { withValueAt } from '../../manifest/edit/value.ts';
import { editDocuments } from '../../manifest/edit/edit.ts';
import type { LoadedText } from '../../manifest/read/load.ts';
import { ownSpec } from '../../manifest/edit/merge-back.ts';
import { parseYaml } from '../../manifest/read/parse.ts';
import { PROFILES, profileKindOf, sharedShapeOf } from '../../manifest/read/profile-kinds.ts';
import { chainOf } from '../../manifest/read/profiles.ts';
import { SourceText } from '../../manifest/read/source-text.ts';
import { writeManifest } from '../../manifest/write/write.ts';
import { parseAddress } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { isJsonObject, sameJson, unescapePointer, valueAt } from '../../model/json.ts';
import { manifestReference } from '../../model/manifest-reference.ts';
import type { OpenedWorkspace } from '../workspace.ts';

/** A document in a file, as it was written. */
export interface OwnDocument {
  readonly text: LoadedText;
  /** Among the documents of the file that hold anything. */
  readonly number: number;
  readonly value: JsonObject;
  /** With its profiles in it. */
  readonly merged: JsonObject;
}

/** The document of a manifest. */
export function findDocument(
  { documents, texts }: OpenedWorkspace,
  kind: string,
  name: string,
): OwnDocument | undefined {
  const isIt = (value: Json): boolean => valueAt(value, '/kind') === kind && valueAt(value, '/metadata/name') === name;
  const merged = documents.find(({ value }) => isIt(value));
  const text = texts.find(({ source }) => source === merged?.source);
  if (merged === undefined || text === undefined) return undefined;
  const written = parseYaml(text.source).documents.map(({ value }) => value);
  const number = written.findIndex(isIt);
  return { text, number, value: written[number] as JsonObject, merged: merged.value as JsonObject };
}

/** A place behind references to plain data: the document that holds it, and the pointer in that. */
export type Place =
  { readonly kind: string; readonly name: string; readonly pointer: string } | { readonly refused: string };

/** Where a pointer into the spec of a document leads to, once what it names is followed. */
export function placeIn({ merged }: OwnDocument, pointer: string): Place {
  const tokens = pointer.split('/').slice(1);
  for (let depth = 0; depth < tokens.length; depth += 1) {
    const reference = manifestReference(valueAt(merged, ['/spec', ...tokens.slice(0, depth)].join('/')));
    if (reference === undefined) continue;
    const [data, ...below] = parseAddress(reference.ref) ?? [];
    if (data === undefined || below.length > 0 || !dataKinds.has(data.kind) || reference.output !== undefined)
      return { refused: `what stands there is taken from ${reference.ref}` };
    return { kind: data.kind, name: data.name ?? '', pointer: ['/spec', ...tokens.slice(depth)].join('/') };
  }
  return {
    kind: valueAt(merged, '/kind') as string,
    name: valueAt(merged, '/metadata/name') as string,
    pointer: `/spec${pointer}`,
  };
}

/**
 * What a document is to hold itself, so that with its profiles it comes to this; undefined where only a profile could
 * say it.
 */
export function ownValue(
  opened: OpenedWorkspace,
  { value, merged }: OwnDocument,
  wanted: JsonObject,
): JsonObject | undefined {
  const kind = value.kind as string;
  const shape = sharedShapeOf(kind);
  const [now, own, to] = [merged.spec, value.spec, wanted.spec] as [JsonObject, JsonObject, JsonObject];
  if (shape === undefined) return { ...value, ...wanted };
  const { merged: shared } = chainOf(profilesOf(opened, kind, own[PROFILES]), shape);
  const spec = ownSpec({ shared, own, now, wanted: to }, shape);
  return spec === undefined ? undefined : { ...value, ...wanted, spec };
}

/** The profiles that a manifest names, as they are written. */
function profilesOf({ texts }: OpenedWorkspace, kind: string, named: Json | undefined) {
  const profileKind = profileKindOf(kind) ?? '';
  const names = Array.isArray(named) ? [...new Set(named as readonly Json[])] : [];
  if (names.length === 0) return [];
  const profiles = texts
    .filter(({ source }) => source.text.includes(profileKind))
    .flatMap(({ source }) =>
      parseYaml(source).documents.filter(({ value }) => valueAt(value, '/kind') === profileKind),
    );
  return names.flatMap((name) => profiles.find(({ value }) => valueAt(value, '/metadata/name') === name) ?? []);
}

/** What one file becomes. */
export interface FileEdit {
  readonly text: LoadedText;
  readonly after: string;
}

/** The files in which documents are to hold other values. */
export function editFiles(wanted: readonly { readonly document: OwnDocument; readonly value: JsonObject }[]): {
  readonly edits: readonly FileEdit[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const texts = [...new Set(wanted.map(({ document }) => document.text))];
  const edits: FileEdit[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const text of texts) {
    const here = wanted.filter(({ document }) => document.text === text);
    const result = editDocuments(text.source.text, {
      values: new Map(here.map(({ document, value }) => [document.number, value])),
    });
    if ('text' in result) {
      if (result.text !== text.source.text) edits.push({ text, after: result.text });
      continue;
    }
    const found = here.find(({ document }) => document.number === result.document);
    diagnostics.push(cannotEdit(text, found?.value ?? {}, result));
  }
  return { edits, diagnostics };
}

function cannotEdit(
  { source }: LoadedText,
  value: JsonObject,
  { refused, pointer }: { readonly refused: string; readonly pointer: string },
): Diagnostic {
  const place = pointer.replace(/\/\d+(\/.*)?$/, '');
  const { metadata } = value;
  const lines = writeManifest({ manifest: nested(place, valueAt(value, place)) });
  return {
    code: 'HW6713',
    severity: 'error',
    summary: 'A place of a manifest cannot be edited',
    detail: `In ${source.name}, ${JSON.stringify(value.kind)} ${JSON.stringify(isJsonObject(metadata) ? metadata.name : null)}, at ${pointer}: ${refused}. Nothing was written. Write there by hand what stands above.`,
    frame: lines,
  };
}

function nested(pointer: string, value: Json | undefined): JsonObject {
  return pointer
    .split('/')
    .slice(1)
    .reduceRight<Json>((below, token) => ({ [unescapePointer(token)]: below }), value ?? null) as JsonObject;
}

/** The texts of a workspace with edited and new ones among them. */
export function textsWith(
  texts: readonly LoadedText[],
  edits: readonly FileEdit[],
  added: readonly LoadedText[] = [],
): readonly LoadedText[] {
  const after = new Map(edits.map((edit) => [edit.text, edit.after]));
  return [
    ...texts.map((text) =>
      after.has(text) ? { ...text, source: new SourceText(text.source.name, after.get(text) as string) } : text,
    ),
    ...added,
  ];
}

/** A document with other values at some places of it. */
export function withChanges(
  value: JsonObject,
  changes: readonly { readonly pointer: string; readonly value: Json | undefined }[],
): JsonObject {
  const after = changes.reduce<Json>((now, { pointer, value: wanted }) => withValueAt(now, pointer, wanted), value);
  return sameJson(after, value) ? value : (after as JsonObject);
}
