// Whether a document is a manifest, and makes it one: the kind first, then its schema, then what only makes sense
// between manifests. Every problem is found in one go.
import { addressOf } from '../../model/address.ts';
import type { DataKinds } from '../../model/kind/data-kind.ts';
import { NO_DATA_KINDS } from '../../model/kind/data-kind.ts';
import type { Manifest } from '../../model/desired.ts';
import { API_VERSION } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { hasErrors, withDetail } from '../../model/diagnostic.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { isJsonObject, unescapePointer, valueAt } from '../../model/json.ts';
import type { Registry } from '../../model/kind/kind.ts';
import { shapes } from '../generated/shapes.ts';
import { validators } from '../generated/validator-table.ts';
import type { Shape } from '../shape.ts';
import type { Checked } from './semantic-checks.ts';
import { ignoreProblems, meaningProblems, repeatedNames, withoutCopies } from './semantic-checks.ts';
import { kindMeant } from '../../areas/words.ts';
import type { ParsedDocument } from './parse.ts';
import { profileKindOf, userKindOf } from './profile-kinds.ts';
import { mergeProfiles, profileProblems, withoutProfiles } from './profiles.ts';
import { referenceProblems } from '../references/problems.ts';
import { withoutReferences } from '../references/references.ts';
import { problemAt, problemAtKey } from './parse.ts';
import { schemaProblems } from './schema-problems.ts';
import type { SecretUse } from '../references/secrets.ts';
import { secretUses } from '../references/secrets.ts';
import { didYouMean, listOf, nearest, quote } from '../../model/format.ts';
import { placeholderProblems } from './placeholders.ts';

export interface Validated {
  readonly manifests: readonly Manifest[];
  /** The sound documents with their profiles in them, and without the profiles. */
  readonly documents: readonly ParsedDocument[];
  /** The secrets that the sound documents name. */
  readonly secrets: readonly SecretUse[];
  /** The values that the schema of their kind takes as they stand. */
  readonly sound: ReadonlySet<Json>;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Checks all documents, each with its profiles in it and then against each other. Only sound ones become manifests.
 * `valid`: values of which it is known that their schema takes them.
 */
export function validateDocuments(
  documents: readonly ParsedDocument[],
  registry: Registry,
  dataKinds: DataKinds = NO_DATA_KINDS,
  valid: ReadonlySet<Json> = new Set(),
): Validated {
  const own = [...registry.values()]
    .filter(({ parent, kind }) => parent === null && Object.hasOwn(shapes, kind))
    .map(({ kind }) => kind);
  const roots = [...own, ...dataKinds.keys()];
  const known = roots.flatMap((kind) => [kind, profileKindOf(kind) ?? []].flat());
  const alone = mergeProfiles(documents).map((document) => checkManifest(document, known, valid, registry));
  const { checked, diagnostics: ofData } = withoutReferences(alone, dataKinds);
  const isProfile = ({ kind = '' }: Checked): boolean => userKindOf(kind) !== undefined;
  const profiles = checked.filter(isProfile);
  const others = checked.filter((item) => !isProfile(item));
  const diagnostics = [...profiles, ...others].flatMap((item) => item.diagnostics);
  const among = [
    ...repeatedNames(checked),
    ...meaningProblems(withoutCopies(checked), registry),
    ...referenceProblems(checked, registry),
    ...profileProblems(documents, (document) => addressIn(document, known)),
  ];
  return {
    manifests: checked.flatMap(({ manifest }) => manifest ?? []),
    documents: others.flatMap(({ document, manifest }) => (manifest === undefined ? [] : withoutProfiles(document))),
    secrets: secretUses(others, registry),
    sound: new Set(alone.flatMap(({ document, diagnostics: own }) => (own.length === 0 ? document.value : []))),
    diagnostics: [...diagnostics, ...ofData, ...among],
  };
}

/** Names that are shown of those that have the same wrong. */
const SHOWN = 3;

/**
 * What is wrong at one place is told once: a profile and a line of a program make many manifests. Different values are
 * different errors. Of a program it is said too which calls led to the place.
 */
export function foldRepeats(
  diagnostics: readonly Diagnostic[],
  documents: readonly ParsedDocument[],
): readonly Diagnostic[] {
  const callers = new Map<string, string[]>();
  for (const { value, calledAt = [] } of documents) {
    const [kind, name] = [textOf(value, '/kind'), textOf(value, '/metadata/name')];
    if (calledAt.length === 0 || kind === undefined || name === undefined) continue;
    const address = addressOf(null, kind, name);
    callers.set(address, [...(callers.get(address) ?? []), ...calledAt]);
  }
  const groups = new Map<unknown, { readonly first: Diagnostic; readonly others: Set<string> }>();
  for (const one of diagnostics) {
    const { code, source, detail, address } = one;
    const key = source === undefined ? one : `${code} ${source.line}:${source.column} ${source.file} ${detail}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { first: one, others: new Set() });
    else if (address === group.first.address || address === undefined)
      groups.set(one, { first: one, others: new Set() });
    else group.others.add(address);
  }
  return [...groups.values()].map(({ first, others }) => {
    const calls = [...new Set(callers.get(first.address ?? '') ?? [])].map(quote);
    const sentence =
      others.size > 0
        ? ` The same for ${others.size} more: ${[...others].slice(0, SHOWN).map(quote).join(', ')}${others.size > SHOWN ? ', ...' : '.'}`
        : calls.length > 0
          ? ` It was called at ${listOf(calls, 'and')}.`
          : '';
    return sentence === '' ? first : withDetail(first, (detail) => `${detail}${sentence}`);
  });
}

/** The state in the lifecycle of a manifest that only says what was live. */
export const OBSERVED = 'observed';

type NoManifest = readonly [code: 'HW1010' | 'HW1017' | 'HW6030', pointer: string, what: string];

const AN_OBSERVED_MANIFEST: NoManifest = ['HW1017', '/lifecycle/state', 'An observed manifest is among the manifests.'];

/** Documents of ours that declare nothing, by their kind. */
const NO_MANIFESTS: Readonly<Record<string, NoManifest>> = {
  Workspace: ['HW1010', '/kind', 'The workspace file is among the manifests.'],
  Credentials: ['HW6030', '/kind', 'The credentials file is among the manifests.'],
  Observed: ['HW1017', '/kind', 'What was observed is among the manifests.'],
};

function checkManifest(
  document: ParsedDocument,
  known: readonly string[],
  valid: ReadonlySet<Json>,
  registry: Registry,
): Checked & { readonly diagnostics: readonly Diagnostic[] } {
  const { value } = document;
  const kind = textOf(value, '/kind');
  const other = textOf(value, '/lifecycle/state') === OBSERVED ? AN_OBSERVED_MANIFEST : NO_MANIFESTS[kind ?? ''];
  if (other !== undefined) {
    const [code, pointer, what] = other;
    const problem = problemAt(document, pointer, code, what);
    return { document, kind, address: undefined, manifest: undefined, diagnostics: [problem] };
  }
  const address = addressIn(document, known);
  const bySchema = valid.has(value) ? [] : checkDocument(document, known, address, registry);
  const diagnostics = [
    ...bySchema,
    ...ignoreProblems(document, kind, address),
    ...(hasErrors(bySchema) ? [] : placeholderProblems(document, address)),
  ];
  const manifest = hasErrors(diagnostics) ? undefined : manifestOf(withoutProfiles(document));
  return { document, kind, address, diagnostics, manifest };
}

function addressIn({ value }: ParsedDocument, known: readonly string[]): string | undefined {
  const [kind, name] = [textOf(value, '/kind'), textOf(value, '/metadata/name')];
  return kind !== undefined && known.includes(kind) && name !== undefined ? addressOf(null, kind, name) : undefined;
}

/** One document against the schema of its kind, which has to be one of `known`. */
export function checkDocument(
  document: ParsedDocument,
  known: readonly string[],
  address?: string,
  registry?: Registry,
): readonly Diagnostic[] {
  const { value } = document;
  if (!isJsonObject(value)) return [problemAt(document, '', 'HW1110', 'The document is a list or a single value.')];
  const version = textOf(value, '/apiVersion');
  if (version !== undefined && isNewer(version)) {
    return [
      problemAt(
        document,
        '/apiVersion',
        'HW1211',
        `The document is written for ${quote(version)}; this version knows ${quote(API_VERSION)}.`,
        address,
      ),
    ];
  }
  const kind = textOf(value, '/kind');
  const validate = kind !== undefined && known.includes(kind) ? validators[kind] : undefined;
  if (kind === undefined || validate === undefined)
    return [...headProblems(document, value), kindProblem(document, value, known, registry)];
  return validate(value)
    ? []
    : schemaProblems(validate.errors ?? [], document, shapes[kind] as Shape, kind, address, registry);
}

/** What can be said of the head of a document whose kind is not known. */
function headProblems(document: ParsedDocument, value: JsonObject): readonly Diagnostic[] {
  if (value.apiVersion === API_VERSION) return [];
  if (value.apiVersion === undefined)
    return [problemAtKey(document, '', 'HW1202', 'The document needs the field `apiVersion`.')];
  const given = typeof value.apiVersion === 'string' ? quote(value.apiVersion) : 'of this type';
  return [problemAt(document, '/apiVersion', 'HW1210', `The apiVersion ${given} is not known.`)];
}

function kindProblem(
  document: ParsedDocument,
  value: JsonObject,
  known: readonly string[],
  registry: Registry | undefined,
): Diagnostic {
  const kinds = ` Known: ${listOf(known.map(quote), 'and')}.`;
  if (!Object.hasOwn(value, 'kind'))
    return problemAtKey(document, '', 'HW1202', `The document needs the field \`kind\`.${kinds}`);
  if (typeof value.kind !== 'string') return problemAt(document, '/kind', 'HW1203', `\`kind\` has to be text.${kinds}`);
  const hint = kindHint(value.kind, known, registry) || kinds;
  return problemAt(document, '/kind', 'HW1212', `There is no kind ${quote(value.kind)} of manifests.${hint}`);
}

/** The kind that is meant, by its spelling or its meaning; of one that is a part of another, where it is declared. */
function kindHint(kind: string, known: readonly string[], registry: Registry | undefined): string {
  const meant = registry?.has(kind) === true ? kind : kindMeant(kind);
  const parent = registry?.get(meant ?? '')?.parent ?? undefined;
  if (meant === undefined || (parent === undefined && !known.includes(meant))) return didYouMean(kind, known);
  return parent === undefined
    ? ` Did you mean ${quote(meant)}?`
    : ` ${quote(meant)} is declared in a ${quote(parent)}; \`hostwright explain ${meant}\` shows where.`;
}

/** True when a document means to be Hostwright's, slips in the name included. */
export function isOurs(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  const version = textOf(value, '/apiVersion');
  if (version !== undefined) return isOurVersion(version);
  return Object.hasOwn(shapes, textOf(value, '/kind') ?? '');
}

/** True when a text may hold a document of ours: parsing the lock files and pipelines of a repository takes long. */
export function mayHoldOurs(text: string): boolean {
  if (text.includes('hostwright') || text.trim() === '') return true;
  for (const match of text.matchAll(/(apiVersion|kind)["']?[ \t]*:[ \t]*["']?([\w./-]{1,60})/g)) {
    const [, key, value = ''] = match;
    if (key === 'kind' ? Object.hasOwn(shapes, value) : isOurVersion(value)) return true;
  }
  return false;
}

function isOurVersion(version: string): boolean {
  return version.length < 60 && nearest(version.split('/')[0] as string, ['hostwright']) !== undefined;
}

function isNewer(version: string): boolean {
  const match = /^hostwright\/v(\d{1,9})\w{0,40}$/.exec(version);
  return match !== null && (Number(match[1]) > 1 || version.length > API_VERSION.length);
}

function textOf(document: Json, pointer: string): string | undefined {
  const value = valueAt(document, pointer);
  return typeof value === 'string' ? value : undefined;
}

/** A valid document as the rest of the program sees it. */
export function manifestOf(document: ParsedDocument): Manifest {
  const { kind, metadata, lifecycle, spec } = document.value as {
    readonly kind: string;
    readonly metadata: { readonly name: string; readonly id?: string; readonly renamedFrom?: string };
    readonly lifecycle?: {
      readonly state?: 'present' | 'absent';
      readonly protect?: boolean;
      readonly ignore?: readonly string[];
    };
    readonly spec: JsonObject;
  };
  return {
    kind,
    ...metadata,
    lifecycle: { state: lifecycle?.state ?? 'present', protect: lifecycle?.protect ?? false },
    spec: withoutIgnored(spec, lifecycle?.ignore ?? []),
    sourceOf: (pointer) => {
      const { key, value, source } = document.place(pointer);
      const { file, line, column } = source.range(key ?? value);
      return { file, line, column };
    },
  };
}

/** What `lifecycle.ignore` names is as if it were not there, so it is neither managed nor read. */
export function withoutIgnored(spec: JsonObject, pointers: readonly string[]): JsonObject {
  return pointers.reduce((rest, pointer) => without(rest, pointer.split('/').slice(1).map(unescapePointer)), spec);
}

function without(object: JsonObject, [first, ...below]: readonly string[]): JsonObject {
  if (first === undefined || !Object.hasOwn(object, first)) return object;
  const { [first]: value, ...rest } = object;
  if (below.length === 0) return rest;
  return isJsonObject(value) ? { ...object, [first]: without(value, below) } : object;
}
