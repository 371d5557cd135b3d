// Which requests a collection needs and what their answers come to: members, or blocked, or unknown. A failed, refused
// or misshapen answer is never an empty list.
import type { DesiredCollection } from '../model/desired.ts';
import { groupBy } from '../model/common/lists.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { sameJson } from '../model/json.ts';
import type { Answers, Collection, Kind, Member, ReadContext, ReadSpec, Unread } from '../model/kind/kind.ts';
import { positionOf } from '../model/kind/kind.ts';
import { ShapeError } from '../model/kind/rows.ts';
import { normaliseSpec } from '../model/kind/normalise.ts';
import { ApiError } from '../platform/api-error.ts';
import type { Reader } from './reader.ts';
import { isAbsence, unreadAfter } from './unread.ts';

export interface CollectionScope {
  readonly kind: Kind;
  readonly declared: DesiredCollection;
  /** The bound live parent; null for roots. */
  readonly parent: Member | null;
  readonly owned: ReadonlySet<string>;
  readonly account: string;
  readonly observedFields?: ReadonlyMap<string, readonly string[]>;
  /** Every member, and every field of it that can be read. */
  readonly whole?: true;
  /** Of roots: the ids that the manifests, the ledger or the run know them by. */
  readonly ids?: readonly string[];
  readonly idOf?: NonNullable<ReadContext['idOf']>;
}

/**
 * Reads one collection. Rejects only for a refused credential (401) and our own bugs: everything else is a state of the
 * collection.
 */
export async function readCollection(scope: CollectionScope, reader: Reader): Promise<Collection> {
  const { kind } = scope;
  try {
    const context = { ...scope, answers: await readAnswers(scope, reader) };
    const notReady = kind.capabilities.dependsOn?.notReady?.(context.answers) ?? null;
    if (notReady !== null) return notReady;
    const decodedMembers = kind.decode(context.answers, context).map((decoded): Member => {
      const spec = normaliseSpec(kind, decoded.spec as JsonObject);
      return {
        id: decoded.id,
        identity: kind.identity(spec),
        spec,
        computed: decoded.computed ?? {},
        keys: decoded.keys ?? [],
        ...(decoded.doubt !== undefined && { doubt: decoded.doubt }),
      };
    });
    const members = withDuplicateNames(kind, decodedMembers, scope.idOf);
    const incomplete = kind.incomplete?.(context.answers, context) ?? null;
    const elsewhere = kind.capabilities.move?.elsewhere(context.answers, context);
    const doubts = kind.capabilities.doubts?.(context.answers, context);
    return {
      state: 'read',
      members,
      ...(doubts !== undefined && { doubts }),
      blockers: kind.blockers?.(context.answers, context) ?? {},
      ...(elsewhere !== undefined && { elsewhere }),
      ...(incomplete !== null && { incomplete }),
    };
  } catch (error) {
    if (error instanceof ReadFailure) return error.collection;
    if (error instanceof ShapeError) return misshapen(error);
    throw error;
  }
}

/**
 * Gives a copy of a known object an identity that contains its id: a member of a list that manifests declare whole, with
 * the name and every field of a member that the ledger or the plan knows by its id (EDG-15, SHD-27). The position may
 * differ. Other members with one name keep it, and their list is blocked.
 */
function withDuplicateNames(
  kind: Kind,
  members: readonly Member[],
  idOf: CollectionScope['idOf'] = () => undefined,
): readonly Member[] {
  if (kind.list !== 'authoritative' || new Set(members.map(({ identity }) => identity)).size === members.length)
    return members;
  const position = positionOf(kind);
  const contentOf = ({ spec }: Member): JsonObject => (position === undefined ? spec : { ...spec, [position]: null });
  const groups = groupBy(members, ({ identity }) => identity);
  const equal = new Map(
    [...groups].flatMap(([identity, [first, ...others]]) =>
      others.length > 0 && others.every((other) => sameJson(contentOf(other), contentOf(first as Member)))
        ? [[identity, new Set([first as Member, ...others].map(({ id }) => id))] as const]
        : [],
    ),
  );
  return members.map((member) => {
    const { identity, id } = member;
    const ids = equal.get(identity);
    if (ids === undefined) return member;
    const duplicate = `${identity} (duplicate ${id})`;
    const known = idOf(identity);
    const isCopy = known !== undefined && known !== id && ids.has(known);
    return isCopy || idOf(duplicate) === id ? { ...member, identity: duplicate, duplicateOf: identity } : member;
  });
}

async function readAnswers(scope: CollectionScope, reader: Reader): Promise<Answers> {
  const known = new Map<string, Promise<Json | undefined>>();
  const answerOf = (name: string): Promise<Json | undefined> => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const made = readOne(scope, name, reader, answerOf);
    known.set(name, made);
    return made;
  };
  const names = Object.keys(scope.kind.reads);
  const [only] = names;
  if (only !== undefined && names.length === 1) return { [only]: await answerOf(only) };
  // All are awaited, also when one fails: a rejection that nobody looks at would end the process.
  const succeeded = await Promise.allSettled(names.map(answerOf));
  const failed = succeeded.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return Object.fromEntries(
    names.map((name, index) => [name, (succeeded[index] as PromiseFulfilledResult<Json | undefined>).value]),
  );
}

async function readOne(
  scope: CollectionScope,
  name: string,
  reader: Reader,
  answerOf: (name: string) => Promise<Json | undefined>,
): Promise<Json | undefined> {
  const spec = scope.kind.reads[name] as ReadSpec;
  const answers = spec.after === undefined ? NO_ANSWERS : await answersBefore(spec.after, answerOf);
  const context: ReadContext = { ...scope, answers };
  const path = spec.path(context);
  if (path === null) return undefined;
  if (typeof path === 'string' || isList(path)) return readPath(scope, spec, path, context, reader);
  const several = await Promise.all(
    Object.entries(path).map(async ([key, one]) => [key, await readPath(scope, spec, one, context, reader)] as const),
  );
  return Object.fromEntries(several);
}

const isList = (paths: object): paths is readonly string[] => Array.isArray(paths);

const NO_ANSWERS: Answers = {};

async function answersBefore(
  names: readonly string[],
  answerOf: (name: string) => Promise<Json | undefined>,
): Promise<Answers> {
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await answerOf(name)] as const)));
}

async function readPath(
  scope: CollectionScope,
  spec: ReadSpec,
  path: string | readonly string[],
  context: ReadContext,
  reader: Reader,
): Promise<Json> {
  try {
    return typeof path === 'string'
      ? await reader.answer(spec, path, context)
      : await allAnswers(path.map((one) => reader.answer(spec, one, context)));
  } catch (error) {
    if (!(error instanceof ApiError) || error.kind === 'unauthorised') throw error;
    if (spec.absences === 'any' || isAbsence(spec.absences, error)) return null;
    const why = unreadAfter(error);
    const unavailable = error.status !== null && error.status >= 500 ? ({ unavailable: true } as const) : {};
    throw new ReadFailure({
      ...(why ?? unexplained(error, typeof path === 'string' ? path : 'of single items')),
      ...unavailable,
    });
  }
}

async function allAnswers(answers: readonly Promise<Json>[]): Promise<readonly Json[]> {
  const succeeded = await Promise.allSettled(answers);
  return succeeded.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}

function unexplained(error: ApiError, path: string): Unread {
  const remedy =
    error.kind === 'insufficient-scope'
      ? 'Use a token that has the read scope; the answer above names it where the platform does.'
      : 'Run plan again; what could not be read is neither created, changed nor removed.';
  return {
    state: 'unknown',
    reason: error.sharedReason ?? `GET ${path} failed: ${error.message}`,
    remedy,
    ...(error.kind === 'insufficient-scope' && { rule: 'CNV-10' }),
  };
}

function misshapen(error: ShapeError): Collection {
  return {
    state: 'unknown',
    reason: `the answer is not what the documents say: ${error.message}`,
    remedy: 'Run plan again; if it stays, the platform has changed and Hostwright has to follow.',
  };
}

/** Carries a state out of the reads of one collection. */
class ReadFailure extends Error {
  readonly collection: Unread;
  constructor(collection: Unread) {
    super(collection.reason);
    this.collection = collection;
  }
}
