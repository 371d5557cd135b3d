// What a kind of object is to the rest of the program: pure data and pure functions about one kind, in one value. A
// kind describes requests; it never sends one. The registry of kinds is always an argument.
import type { JsonObject } from '../json.ts';
import type { Blocker } from './blocker.ts';
import type { Capabilities } from './capabilities/index.ts';
import type { DecodedMember, Incomplete, Live, Member } from './collection.ts';
import type { FieldRule } from './field.ts';
import type { Notice } from './notice.ts';
import type { OrderRule } from './order-rule.ts';
import type { Answers, ReadContext, ReadSpec } from './read.ts';
import type { Section } from './section.ts';
import type { StatusOf } from './status.ts';
import type { ManifestDefinition } from './to-manifest.ts';
import type { CreateDefinition, RemoveDefinition, UpdateDefinition } from './write.ts';

export * from './blocker.ts';
export * from './collection.ts';
export * from './field.ts';
export { memberAddress, positionOf, siblingsOf } from './collection.ts';
export type { WantedIn } from './capabilities/needs.ts';
export { NOTHING_WANTED } from './capabilities/needs.ts';
export type { FieldDoubt, Notice } from './notice.ts';
export type { OrderedAction, OrderRule } from './order-rule.ts';
export type { Absences, Answers, ChildContext, ReadContext, ReadSpec } from './read.ts';
export type { Accepted, Judgement, Lint, Section, SectionItem } from './section.ts';
export * from './status.ts';
export * from './write.ts';

/** What every kind has. What is left out is not there, and what only some kinds can do is in `capabilities`. */
interface Definition<Spec extends object, Parent extends Member | null> {
  readonly kind: string;
  /**
   * additive: what nobody named is left alone. authoritative: what is not named is removed. singleton: exactly one in
   * its parent. platform-defined: the platform decides which members there are; none is made, removed or reported.
   */
  readonly list: 'additive' | 'authoritative' | 'singleton' | 'platform-defined';
  /** How the manifest of a root holds it. */
  readonly section: Section;
  /** The field that tells members apart, or what is made of the fields. Absent: there is only one, called as its kind. */
  readonly identity?: (keyof Spec & string) | ((spec: Partial<Spec>) => string);
  readonly fields: { readonly [Field in keyof Spec]-?: FieldRule };
  /** The one form in which what is wanted and what is live are compared. Absent: as they are. */
  readonly normalise?: <Part extends Partial<Spec>>(spec: Part) => Part;

  readonly reads?: Readonly<Record<string, ReadSpec<Parent>>>;
  /** Throws {@link ShapeError} when an answer is not what the documents say. */
  readonly decode: (answers: Answers, context: ReadContext<Parent>) => readonly DecodedMember<Spec>[];
  /** Identities that live elsewhere and so cannot be created in this parent. */
  readonly blockers?: (answers: Answers, context: ReadContext<Parent>) => Readonly<Record<string, Blocker>>;
  /** Why the answers may not show all members, or null. */
  readonly incomplete?: (answers: Answers, context: ReadContext<Parent>) => Incomplete | null;
  readonly status?: StatusOf<Spec>;

  /** How one is made, or why none can be made here. */
  readonly create?: CreateDefinition<Spec> | Blocker;
  /** By name, in the order in which their steps come. */
  readonly update?: Readonly<Record<string, UpdateDefinition<Spec>>>;
  /** How one is removed, or, where somebody may want it, why it cannot be. */
  readonly remove?: RemoveDefinition<Spec> | Blocker;
  readonly order?: readonly OrderRule[];

  readonly manifest?: ManifestDefinition<Spec>;
  /**
   * What whoever declares this live object should know and no field says; `outputs`: what the ledger keeps of its
   * making; `nowMs`: absent where no time is to be looked at. Shown with the plan; changes nothing in it.
   */
  readonly notices?: (
    member: Live<Spec>,
    desired: Partial<Spec>,
    outputs: Readonly<Record<string, string>>,
    nowMs?: number,
  ) => readonly Notice[];
  readonly capabilities?: Capabilities<Spec>;
}

/** A kind that manifests are of. */
export interface RootDefinition<Spec extends object> extends Definition<Spec, null> {
  /**
   * Of a root whose natural key is its local name, or in its spec: the keys by falling rank, in place of what is in it
   * and its display name.
   */
  readonly keys?: (name: string, spec: JsonObject) => readonly (readonly string[])[];
}

/** A kind whose objects are in one of another kind. What is read of it is read in a parent that is there. */
export interface ChildDefinition<Spec extends object, Parent extends Member | null = Member> extends Definition<
  Spec,
  Parent
> {
  readonly parent: string;
  /**
   * `read`: while the parent is still to be made, nothing is in it, and what stands in the way elsewhere can be read
   * all the same: the parent is then null. Absent: how it will be then is not known, so it is planned when the parent
   * is there.
   */
  readonly beforeParent?: null extends Parent ? 'read' : never;
}

type Defaulted = 'normalise' | 'reads' | 'update' | 'order' | 'capabilities';
type Untyped = Definition<JsonObject, Member | null>;

/** A kind as the engine holds it: its spec is plain JSON, and what it left out is there. */
export interface Kind
  extends Omit<Untyped, Defaulted | 'identity' | 'create' | 'remove'>, Required<Pick<Untyped, Defaulted>> {
  readonly parent: string | null;
  readonly identity: (spec: JsonObject) => string;
  /** The field that tells members apart, where it is one and can be written: its members can be renamed. */
  readonly renamedBy?: string;
  readonly create?: CreateDefinition<JsonObject>;
  readonly cannotCreate?: Blocker;
  readonly remove?: RemoveDefinition<JsonObject>;
  readonly cannotRemove?: Blocker;
  readonly keys?: RootDefinition<JsonObject>['keys'];
  readonly beforeParent?: 'read';
}

/** All kinds by name, parents before children. */
export type Registry = ReadonlyMap<string, Kind>;

/** Checks a kind against its spec type, then forgets the type: the engine works on JSON. */
export function defineRoot<Spec extends object>(definition: RootDefinition<Spec>): Kind {
  return complete(definition, null);
}

/** The same for what is in an object of another kind. */
export function defineChild<Spec extends object, Parent extends Member | null = Member>(
  definition: ChildDefinition<Spec, Parent>,
): Kind {
  return complete(definition, definition.parent);
}

function complete<Spec extends object, Parent extends Member | null>(
  definition: Definition<Spec, Parent>,
  parent: string | null,
): Kind {
  const { kind, identity, create, remove, ...rest } = definition;
  const identify =
    typeof identity === 'string' ? (spec: JsonObject) => (spec[identity] ?? '') as string : (identity ?? (() => kind));
  return {
    normalise: (spec: JsonObject) => spec,
    reads: {},
    update: {},
    order: [],
    capabilities: {},
    ...rest,
    kind,
    ...(create !== undefined && ('steps' in create ? { create } : { cannotCreate: create })),
    ...(remove !== undefined && ('steps' in remove ? { remove } : { cannotRemove: remove })),
    parent,
    identity: identify,
    ...(typeof identity === 'string' && rest.fields[identity].rule === 'updatable' && { renamedBy: identity }),
  } as unknown as Kind;
}
