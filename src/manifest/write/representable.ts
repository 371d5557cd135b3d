// What of a document that was composed from what is live can stand in a manifest: what the schemas refuse, or what
// contradicts another document, is taken out, as little as is possible without another meaning, and said. No value is
// mended.
import { API_VERSION } from '../../model/desired.ts';
import type { LeftOut, Comment } from '../../model/kind/to-manifest.ts';
import type { DataKinds } from '../../model/kind/data-kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { escapePointer, unescapePointer, valueAt, withoutValueAt } from '../../model/json.ts';
import type { Kind, Registry } from '../../model/kind/kind.ts';
import { isWithin } from '../../model/manifest-reference.ts';
import { validators } from '../generated/validator-table.ts';
import type { ParsedDocument } from '../read/parse.ts';
import { SourceText } from '../read/source-text.ts';
import { validateDocuments } from '../read/validate.ts';

/** A manifest that was made of what is live, and what is said beside it; pointers lead into its `spec`. */
export interface AnnotatedDocument {
  readonly manifest: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: JsonObject;
    readonly spec: JsonObject;
  };
  readonly comments: readonly Comment[];
  readonly leftOut: readonly LeftOut[];
}

export interface Representable<Document extends AnnotatedDocument> {
  readonly documents: readonly Document[];
  /** Those of which nothing can be said, and why. */
  readonly unrepresentable: readonly { readonly document: Document; readonly reason: string }[];
}

/** More rounds than anything that is cut needs: every round takes something out. */
const MOST_ROUNDS = 100;

/** The documents as they can be written beside those that are there already, which stay as they are. */
export function representable<Document extends AnnotatedDocument>(
  given: readonly Document[],
  existing: readonly ParsedDocument[],
  kinds: { readonly registry: Registry; readonly dataKinds: DataKinds },
): Representable<Document> {
  let documents = given;
  const unrepresentable: { readonly document: Document; readonly reason: string }[] = [];
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const { diagnostics } = validateDocuments(
      [...existing, ...documents.map(({ manifest }, index) => documentOf(manifest, `${LIVE}${index}`))],
      kinds.registry,
      kinds.dataKinds,
    );
    const problems = new Map<number, Diagnostic[]>();
    for (const diagnostic of diagnostics.filter(({ severity }) => severity === 'error')) {
      const index = numberOf(diagnostic.source?.file ?? '');
      if (index !== undefined) problems.set(index, [...(problems.get(index) ?? []), diagnostic]);
    }
    if (problems.size === 0) return { documents, unrepresentable };
    documents = documents.flatMap((document, index): readonly Document[] => {
      const found = problems.get(index) ?? [];
      const outside = found.find(({ pointer = '' }) => !pointer.startsWith('/spec/'));
      if (outside === undefined) return [withoutProblems(document, found, kinds.registry)];
      unrepresentable.push({ document, reason: reasonOf(outside) });
      return [];
    });
  }
  return {
    documents: [],
    unrepresentable: [
      ...unrepresentable,
      ...documents.map((document) => ({ document, reason: 'nothing of it can stand in a manifest' })),
    ],
  };
}

/** In front of the number of a document: no file is called that. */
const LIVE = 'live:';

function numberOf(file: string): number | undefined {
  return file.startsWith(LIVE) ? Number(file.slice(LIVE.length)) : undefined;
}

/** A value as a document that nobody wrote; its name says which one it is. */
function documentOf(value: Json, name: string): ParsedDocument {
  const source = new SourceText(name, '');
  return { source, value, place: (pointer) => ({ value: [0, 0], source, pointer, shared: false }) };
}

function reasonOf({ summary, pointer = '' }: Diagnostic): string {
  return `a manifest cannot say it (${summary.charAt(0).toLowerCase()}${summary.slice(1)} at ${pointer.replace(/^\/spec\//, '').replaceAll('/', '.')})`;
}

/** The document without what stands in the way. */
function withoutProblems<Document extends AnnotatedDocument>(
  document: Document,
  problems: readonly Diagnostic[],
  registry: Registry,
): Document {
  const { kind, spec } = document.manifest;
  const cuts = new Map<string, Reasoned>();
  for (const problem of problems) {
    const cut = {
      ...placeToCut(kind, spec, (problem.pointer as string).slice('/spec'.length), registry),
      reason: reasonOf(problem),
    };
    if (!cuts.has(cut.at)) cuts.set(cut.at, cut);
  }
  const outermost = [...cuts.values()].filter(
    ({ at }) => ![...cuts.keys()].some((other) => other !== at && isWithin(at, other)),
  );
  // Fields first, then items from behind: an item that is cut moves what comes after it.
  return outermost
    .sort((left, right) => numberAt(right.at) - numberAt(left.at))
    .reduce<Document>((left, cut) => withoutPlace(left, cut), document);
}

function numberAt(pointer: string): number {
  const number = Number(pointer.slice(pointer.lastIndexOf('/') + 1));
  return Number.isInteger(number) ? number : Number.MAX_SAFE_INTEGER;
}

function withoutPlace<Document extends AnnotatedDocument>(
  document: Document,
  { at, what, member, of = member, reason }: Reasoned,
): Document {
  const { manifest } = document;
  const spec = withoutValueAt(manifest.spec, at) as JsonObject;
  const leftOut: LeftOut = {
    what,
    reason: of === undefined ? reason : `${of}: ${reason}`,
    ...(member !== undefined && { members: [member] }),
  };
  return {
    ...document,
    manifest: { ...manifest, spec },
    comments: document.comments.flatMap((comment) => moved(comment, at, manifest.spec)),
    leftOut: [...document.leftOut, leftOut],
  };
}

interface Reasoned extends Cut {
  readonly reason: string;
}

interface Cut {
  readonly at: string;
  readonly what: string;
  /** It is cut whole. */
  readonly member?: string;
  /** Only a field of it is cut. */
  readonly of?: string;
}

/**
 * One field, or one item, of a list that names only what it wants; the whole list where what it does not name is
 * removed; else one field.
 */
function placeToCut(root: string, spec: JsonObject, pointer: string, registry: Registry): Cut {
  const sections = [...registry.values()].filter(({ parent }) => parent === root);
  const found = sections
    .flatMap((kind) =>
      kind.section.fields.filter((field) => isWithin(pointer, `/${field}`)).map((field) => ({ kind, field })),
    )
    .sort((left, right) => right.field.length - left.field.length)[0];
  const [top = ''] = pointer.split('/').slice(1);
  if (found === undefined) return { at: `/${top}`, what: unescapePointer(top) };
  const { kind, field } = found;
  const [token, key] = pointer
    .slice(field.length + 1)
    .split('/')
    .slice(1);
  const whole = { at: `/${field}`, what: field };
  if (token === undefined || kind.list === 'authoritative') return whole;
  if (kind.list === 'additive') {
    const at = `/${field}/${token}`;
    const member = identityAt(kind, spec, at);
    if (member === undefined) return whole;
    // Without a field that it has to have nothing of the item can stand there.
    return key !== undefined && !isNeeded(root, spec, at, key)
      ? { at: `${at}/${key}`, what: field, of: member }
      : { at, what: field, member };
  }
  return { at: `/${field}/${token}`, what: `${field}/${unescapePointer(token)}` };
}

function isNeeded(root: string, spec: JsonObject, at: string, key: string): boolean {
  const validate = validators[root];
  const rest = withoutValueAt(spec, `${at}/${key}`);
  if (validate === undefined || validate({ apiVersion: API_VERSION, kind: root, metadata: { name: 'x' }, spec: rest }))
    return false;
  return (validate.errors ?? []).some(
    ({ keyword, instancePath, params }) =>
      keyword === 'required' && instancePath === `/spec${at}` && params.missingProperty === unescapePointer(key),
  );
}

function identityAt({ section }: Kind, spec: JsonObject, at: string): string | undefined {
  return section.expand(spec).find(({ pointer }) => pointer === at)?.name ?? undefined;
}

/** The note where its place is now; none where that is gone. */
function moved(comment: Comment, cut: string, spec: JsonObject): readonly Comment[] {
  if (isWithin(comment.pointer, cut)) return [];
  const list = cut.slice(0, cut.lastIndexOf('/'));
  const index = Number(cut.slice(cut.lastIndexOf('/') + 1));
  if (!Array.isArray(valueAt(spec, list)) || !comment.pointer.startsWith(`${list}/`)) return [comment];
  const [token = '', ...rest] = comment.pointer.slice(list.length + 1).split('/');
  const place = Number(token);
  return [{ ...comment, pointer: [list, place > index ? String(place - 1) : escapePointer(token), ...rest].join('/') }];
}
