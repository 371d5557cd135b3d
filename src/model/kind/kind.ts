// What a kind of object is to the rest of the program: pure data and pure functions about one kind, in one value. A
// kind describes requests; it never sends one. The registry of kinds is always an argument.
import type { Address } from '../address.ts';
import type { SectionToManifest, ManifestFile, Comment } from './to-manifest.ts';
import type { Requirement, Risk } from '../plan/plan.ts';
import type { DesiredCollection } from '../desired.ts';
import type { FailureRow } from './failure-row.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Elsewhere, MoveDefinition } from './move.ts';
import type { NeedsDefinition, OutputDefinition, WantedIn } from './needs.ts';
import type { HookDefinition } from './hook.ts';
import type { Price } from '../price.ts';
import type { Lowers } from './protection.ts';
import type { Quote, QuoteDefinition } from './quote.ts';
import type { OrderRule } from './order-rule.ts';
import type { RecordsDefinition } from './records.ts';
import type { FieldDoubt, Notice } from './notice.ts';
import type { Step } from '../plan/step.ts';
import type { ActivityDefinition } from './activity.ts';
import type { FieldUntil, Until } from './until.ts';

export { memberAddress, positionOf, siblingsOf } from './members.ts';
export type { FailureRow } from './failure-row.ts';
export type { WantedIn } from './needs.ts';
export type { OrderedAction, OrderRule } from './order-rule.ts';
export type { FieldDoubt, Notice } from './notice.ts';

/** How a field is written and compared; `why` is shown to whoever tries to change what cannot be changed. */
export interface FieldRule {
  /**
   * updatable: compared, written. fixed: compared, cannot change. createOnly: sent at creation, never compared.
   * writeOnly: a secret, declared as a `SecretSource` and never read back: sent at creation, and by the update that
   * writes it when its `rotate` mark differs from the ledger's. mark: such a mark by itself, of what is no secret and
   * cannot be read: its update does what it marks when it differs from the ledger's.
   */
  readonly rule: 'updatable' | 'immutable' | 'createOnly' | 'writeOnly' | 'rotation-token';
  /**
   * set: order and repeats do not matter. list: order is meaning. Both change as a whole. position: a number that says
   * where a member stands among its neighbours; only the order counts, the engine chooses the numbers and manifests
   * never write one.
   */
  readonly shape: 'value' | 'set' | 'list' | 'position';
  readonly why?: string;
  /**
   * Where in a value of it there is something about a person, as pointers: formats made for sharing do not show that.
   * Absent: nowhere.
   */
  readonly personal?: (value: Json) => readonly string[];
  /** Of a `mark`: the field that is true where there is something that is marked. */
  readonly rotationTokens?: string;
  /** What every wanted member has, and manifests never write. */
  readonly implied?: Json;
  /**
   * Of a `immutable` field: no document says how it is changed, so a person does it, and the next plan sees it. Says
   * exactly what to do.
   */
  readonly manual?: { readonly rule: string; readonly remedy: (from: Json | undefined, to: Json) => string };
  /** Of a `createOnly` field: it holds the file, as `{ file }`, that what is told only once goes to. */
  readonly secretFile?: true;
  /** Which changes of it lower protection. Absent: its kind has nothing to do with protection. */
  readonly lowers?: Lowers | 'never';
}

/** A live object, decoded. `spec` has every readable field, normalised; `computed` are known but never compared. */
export interface Member {
  readonly identity: string;
  readonly id: string;
  readonly spec: JsonObject;
  readonly computed: JsonObject;
  /** Natural keys by falling rank, as in `Desired.keys`. */
  readonly keys: readonly (readonly string[])[];
  /** Why what was read of it in particular cannot be relied on: whoever looks at it sees nothing certain. */
  readonly doubt?: string;
  /** Of a root: why nothing can be done with it for now, as a read of something in it showed. */
  readonly held?: Blocker;
}

/** What a read of a collection came to. A failed or incomplete read is `unknown`, never an empty list. */
export type Collection =
  | {
      readonly state: 'read';
      readonly members: readonly Member[];
      /** Identities that cannot be created here although they are absent, and why. */
      readonly blockers: Readonly<Record<string, Blocker>>;
      /** Declared identities that live in another parent, where the kind can be moved. */
      readonly elsewhere?: Readonly<Record<string, Elsewhere>>;
      /** There may be members beside these: what is there is known, what is missing is not, and nothing is removed. */
      readonly incomplete?: Incomplete;
      /** By declared identity, what may be wrong with a value of it: told where an action writes that field. */
      readonly doubts?: Readonly<Record<string, readonly FieldDoubt[]>>;
      /** What was answered about those that are about to be made, where the kind asks. */
      readonly quotes?: Readonly<Record<string, Quote>>;
    }
  | Unread;

/** Why a list may be cut off, and which of the declared identities, or of ours, are surely not there all the same. */
export interface Incomplete extends Blocker {
  readonly absent?: readonly string[];
}

/**
 * Why a collection was not read. `root`: why nothing can be done with the root it is in either. `deferred`: an action
 * on the object of `until` may make it readable; without such an action it is blocked.
 */
export type Unread = NotRead &
  (
    | { readonly state: 'unknown' | 'blocked' | 'waiting'; readonly root?: Blocker }
    | { readonly state: 'deferred'; readonly until: Until }
  );

interface NotRead {
  readonly reason: string;
  readonly remedy: string;
  readonly rule?: string;
  /** The platform, or something behind it, does not work at present (any 5xx): nothing that a run does changes that. */
  readonly unavailable?: true;
}

export interface ReadContext {
  readonly account: string;
  /** The bound live parent; null for roots. */
  readonly parent: Member | null;
  readonly declared: DesiredCollection;
  /** Identities in this collection that the ledger shows to be ours. */
  readonly owned: ReadonlySet<string>;
  /** Of roots: the ids that the manifests, the ledger or the run know them by. */
  readonly ids?: readonly string[];
  /** Of what is in a root: the id by which the ledger or the run knows a member; a list may not show it. */
  readonly idOf?: (identity: string) => string | undefined;
  /** Answers of the reads named in `after`. */
  readonly answers: Answers;
  /**
   * Nothing is wanted, these members are looked at, for these fields of theirs: what an action changes, or has changed.
   */
  readonly observedFields?: ReadonlyMap<string, readonly string[]>;
  /** Every member is looked at, for every field that can be read: what is live is to be written down. */
  readonly whole?: true;
}

export type Answers = Readonly<Record<string, Json | undefined>>;

/** One read that a collection rests on. Equal paths are read once per run, whoever asks. */
export interface ReadSpec {
  /**
   * The path, or null when it is not needed here. Several, where lists say too little: the answer is then the list of
   * their answers.
   */
  readonly path: (context: ReadContext) => string | readonly string[] | null;
  /** Read once for each of these, with this behind the path; the answer is then the answers by name. */
  readonly each?: (context: ReadContext) => Readonly<Record<string, string>>;
  /** Pointer to the list in the answer; the answer of this read is then that list. */
  readonly rows?: string;
  /** Only the rows that have one of these values at this pointer; indexed once per answer. */
  readonly where?: {
    readonly pointer: string;
    readonly as?: 'hostname';
    readonly equals: (context: ReadContext) => string | readonly string[];
  };
  /** The documents do not say whether this list is paged (GAP-06): a list of exactly 50 or 100 rows is read on. */
  readonly unsurePaging?: true;
  /** This list is read page by page until one is empty (PNL-11); the text at this pointer tells its rows apart. */
  readonly pagedBy?: string;
  /** Taken before the kind's own failures. */
  readonly failures?: readonly FailureRow[];
  /** Reads that come first because this one depends on what they say. */
  readonly after?: readonly string[];
}

export interface StepContext<Spec> {
  readonly self: Address;
  /** The parent's address; for a root its own. */
  readonly parent: Address;
  /** Declared fields only; a secret as a reference to its place, and only where it is to be written. */
  readonly desired: Partial<Spec>;
  /** The live document, with every field that can be read; null before a create. */
  readonly observed: Spec | null;
  /** What else is known of the live object; empty before a create. */
  readonly computed: JsonObject;
  /** The fields to be written by this request, in the order of `fields`. */
  readonly changed: readonly (keyof Spec & string)[];
  /** The fields that the action writes, by whichever request. */
  readonly writing: readonly (keyof Spec & string)[];
  /** What making it costs, where its kind asks. */
  readonly price?: Price;
}

export interface WriteDefinition<Spec> {
  /** Fields that this request writes. Each updatable field is written by exactly one update. */
  readonly writes: readonly (keyof Spec & string)[];
  /** Names of updates whose steps come first. */
  readonly after?: readonly string[];
  readonly steps: (context: StepContext<Spec>) => readonly Step[];
  readonly requires: Requirement | ((desired: Partial<Spec>, computed: JsonObject) => Requirement);
  /** Beside lower protection, which the engine derives from the fields. */
  readonly risk?:
    | readonly Risk[]
    | ((
        desired: Partial<Spec>,
        observed: Spec | null,
        computed: JsonObject,
        members: readonly LiveNeighbour<Spec>[],
      ) => readonly Risk[]);
  /** What it costs, where what was read says so. */
  readonly cost?: (desired: Partial<Spec>, computed: JsonObject) => Price | undefined;
  /** True when it takes away what others rest on: it comes when no change is left to do, as removals do (O-70). */
  readonly last?: (desired: Partial<Spec>, observed: Spec | null) => boolean;
  /** Why this change cannot be made now, or null. The other changes of the object go on without it. */
  readonly refuse?: (
    desired: Partial<Spec>,
    live: { readonly spec: Spec; readonly computed: JsonObject },
    wantedIn: WantedIn,
  ) => Blocker | null;
  /** Of a create: why what is declared does not do to make one, or null. */
  readonly refuseNew?: (desired: Partial<Spec>) => Blocker | null;
  /** Of a create: a run makes one, and the others are made once that one is seen. Says why. */
  readonly oneByOne?: Blocker;
  /** Locks beside that of its root: what only one action of the account may use at a time. */
  readonly locks?: readonly string[] | ((desired: Partial<Spec>, computed: JsonObject) => readonly string[]);
  /** What it changes by itself: in other members of the collection, or in the only one of another kind beside it. */
  readonly effects?: (desired: Partial<Spec>, members: readonly LiveNeighbour<Spec>[]) => readonly SideEffect[];
}

/** A live member of the collection, as another one sees it. */
export type LiveNeighbour<Spec> = Pick<Member, 'identity' | 'computed'> & { readonly spec: Partial<Spec> };

export type SideEffect = ({ readonly identity: string } | { readonly beside: string }) & {
  readonly path: string;
  readonly value: Json;
};

export interface RemoveDefinition<Spec> {
  readonly steps: (context: StepContext<Spec>) => readonly Step[];
  readonly requires: Requirement;
  readonly risk: readonly Risk[] | ((observed: Spec) => readonly Risk[]);
  /** Why this member must not be removed now, or null. */
  readonly refuse?: (
    member: { readonly spec: Spec; readonly computed: JsonObject },
    wanted: readonly Partial<Spec>[],
  ) => Blocker | null;
  /** What its removal does beyond the object itself: said with the plan. */
  readonly warning?: string;
  /**
   * A list may go on showing what is removed: a read whose error answer says that it is gone. Asked only where a
   * removal is wanted.
   */
  readonly probe?: {
    readonly path: (id: string) => string;
    readonly gone: readonly { readonly status: number; readonly code?: string }[];
  };
}

/** One account pays one bill: who spends holds this lock until what was spent is known by name (O-72). */
export const BILLING_LOCK = 'billing';

export interface Blocker {
  readonly reason: string;
  readonly remedy: string;
  readonly rule: string;
  /** In which list of the plan it is told. Absent: `blocked`. */
  readonly as?: 'manual' | 'waiting' | 'unknown';
  /**
   * Of a blocker: it says that what the object `needs` is not there, and counts only where no manifest declares that.
   */
  readonly unlessDeclared?: true;
}

/** How the manifest of a root holds objects of this kind. */
export interface Section {
  /**
   * Places in the root's spec, as keys joined by `/` (`caching`, `shield/waf`); the section is managed when one of them
   * is there.
   */
  readonly fields: readonly string[];
  /** `name` is the local name of the root. */
  readonly expand: (spec: JsonObject, name?: string) => readonly SectionItem[];
  /** Key under the root's `unlisted:` that says what becomes of live members that nobody named. */
  readonly unlisted?: string;
  /** What the schema cannot say of a root's spec that has the section: seen without the account. */
  readonly lint?: (spec: JsonObject) => readonly Lint[];
  /**
   * The inverse of `expand`. Absent: a list of all items, or the only one, at the first of `fields`; the fields of a
   * root at the top.
   */
  readonly toManifest?: SectionToManifest;
}

/** Something about a manifest, at a place of the root's spec. */
export interface Lint {
  /** contradiction: an error. idle: something takes its effect from something else, which is worth a notice. */
  readonly is: 'contradiction' | 'idle';
  readonly pointer: string;
  readonly what: string;
}

export interface SectionItem {
  /** null for the only one of its kind. */
  readonly name: string | null;
  readonly spec: JsonObject;
  /** Where it stands in the root's spec, and where single fields stand if elsewhere. */
  readonly pointer: string;
  readonly pointers?: Readonly<Record<string, string>>;
  /** Names that it takes in a namespace that several kinds share. */
  readonly claims?: readonly { readonly namespace: string; readonly name: string }[];
}

export interface KindDefinition<Spec extends object> {
  readonly kind: string;
  readonly parent: string | null;
  /**
   * asset: what nobody named is left alone. authoritative: what is not named is removed. singleton: exactly one in its
   * parent. given: the platform decides which members there are; none is made, removed or reported.
   */
  readonly list: 'additive' | 'authoritative' | 'singleton' | 'platform-defined';
  readonly section: Section;
  readonly identity: (spec: Partial<Spec>) => string;
  readonly fields: { readonly [Field in keyof Spec]-?: FieldRule };
  readonly normalise: <Part extends Partial<Spec>>(spec: Part) => Part;
  readonly reads: Readonly<Record<string, ReadSpec>>;
  readonly failures: readonly FailureRow[];
  /** Why the rest is not to be read, as an answer that is no error says; null when nothing stands in the way. */
  readonly notReady?: (answers: Answers) => Unread | null;
  /** Throws {@link ShapeError} when an answer is not what the documents say. */
  readonly decode: (answers: Answers, context: ReadContext) => readonly DecodedMember<Spec>[];
  /** Identities that live elsewhere and so cannot be created in this parent. */
  readonly blockers?: (answers: Answers, context: ReadContext) => Readonly<Record<string, Blocker>>;
  /** By declared identity, what the answers say against a value that is declared, without proving it wrong. */
  readonly doubts?: (answers: Answers, context: ReadContext) => Readonly<Record<string, readonly FieldDoubt[]>>;
  /** Why the answers may not show all members, or null. */
  readonly incomplete?: (answers: Answers, context: ReadContext) => Incomplete | null;
  /**
   * Of a root whose natural key is its local name, or in its spec: the keys by falling rank, in place of what is in it
   * and its display name.
   */
  readonly keys?: (name: string, spec: JsonObject) => readonly (readonly string[])[];
  /**
   * Of a root that may be there although no list shows it: the member that the ledger's record stands for. Absent: what
   * its list does not show is not there.
   */
  readonly fromLedger?: (recorded: { readonly id: string; readonly applied: JsonObject }) => DecodedMember<Spec>;
  /**
   * What is declared of a live member, in the platform's words, where a manifest may use others (a version for its
   * label). Absent: as it is written.
   */
  readonly asNamedLive?: (
    desired: Partial<Spec>,
    live: { readonly spec: Spec; readonly computed: JsonObject },
  ) => Partial<Spec>;
  /** Why nothing can be done with a live member, or in it, for now; null where nothing stands in the way. */
  readonly hold?: (member: { readonly spec: Spec; readonly computed: JsonObject }) => Blocker | null;
  /** True for what is on its way out already: who wants it gone has nothing more to do. */
  readonly leaving?: (member: { readonly spec: Spec; readonly computed: JsonObject }) => boolean;
  /**
   * True for what is there because its parent is: it may be declared; where it is not, it is neither reported nor
   * removed.
   */
  readonly inherent?: (member: { readonly spec: Spec; readonly computed: JsonObject }) => boolean;
  readonly create?: WriteDefinition<Spec>;
  /** What has to be asked before one is made; without an answer none is. */
  readonly quote?: QuoteDefinition<Spec>;
  /**
   * `read`: while the parent is still to be made, nothing is in it, and what stands in the way elsewhere can be read
   * all the same. Absent: how it will be then is not known, so it is planned when the parent is there.
   */
  readonly beforeParent?: 'read';
  /**
   * What it has no meaning without, in the same parent. While the manifest wants that field false nothing is asked for
   * here, but for removals, which come first.
   */
  readonly dependsOn?: FieldUntil;
  /** Why it cannot be created here, when there is no `create`. */
  readonly cannotCreate?: Blocker;
  readonly update: Readonly<Record<string, WriteDefinition<Spec>>>;
  readonly remove?: RemoveDefinition<Spec>;
  /** How a member comes from another parent, where its manifest consents to that. Absent: none is ever moved. */
  readonly move?: MoveDefinition<Spec>;
  /** It is no state but is done with changes of its root: its members are only read for it. */
  readonly hook?: HookDefinition;
  /** Why it cannot be removed, when there is no `remove` and somebody may want it. */
  readonly cannotRemove?: Blocker;
  readonly order: readonly OrderRule[];
  /** What a new one rests on in another root: it is made when that is there. */
  readonly needs?: NeedsDefinition<Spec>;
  /** Values that other manifests can take by reference, by name. */
  readonly outputs?: Readonly<Record<string, OutputDefinition<Spec>>>;
  readonly records?: RecordsDefinition<Spec>;
  /** Where the platform's history tells of changes to it. Absent: nowhere that is documented. */
  readonly activity?: ActivityDefinition;
  /**
   * What a manifest says of one live member: every field that can be read and declared. Absent: the fields of its spec.
   */
  readonly toManifest?: (member: { readonly spec: Spec; readonly computed: JsonObject }) => Json;
  /** Of a root: how it is written down when it is live and no manifest names it. Absent: it never is. */
  readonly manifestFile?: ManifestFile<Spec>;
  /** What is to be said beside those lines: pointers into what `toManifest` gives. */
  readonly comments?: (member: { readonly spec: Spec; readonly computed: JsonObject }) => readonly Comment[];
  /**
   * True for live members that belong to the platform: never reported, never touched; a manifest that names one is told
   * so.
   */
  readonly foreign?: (member: { readonly spec: Spec; readonly computed: JsonObject }) => boolean;
  /**
   * What whoever declares this live object should know and no field says; `outputs`: what the ledger keeps of its
   * making. Shown with the plan; changes nothing in it.
   */
  readonly notices?: (
    member: { readonly spec: Spec; readonly computed: JsonObject },
    desired: Partial<Spec>,
    outputs: Readonly<Record<string, string>>,
  ) => readonly Notice[];
}

export interface DecodedMember<Spec> {
  readonly id: string;
  /** Every field that can be read; what the platform never tells is left out. */
  readonly spec: Partial<Spec>;
  readonly computed?: JsonObject;
  readonly keys?: readonly (readonly string[])[];
  readonly doubt?: string;
}

/** A kind as the engine holds it: its spec is plain JSON. */
export type Kind = KindDefinition<JsonObject>;

/** All kinds by name, parents before children. */
export type Registry = ReadonlyMap<string, Kind>;

/** Checks a kind against its spec type, then forgets the type: the engine works on JSON. */
export function defineKind<Spec extends object>(definition: KindDefinition<Spec>): Kind {
  return definition as unknown as Kind;
}

export const updatable = (): FieldRule => ({ rule: 'updatable', shape: 'value' });
export const unordered = (): FieldRule => ({ rule: 'updatable', shape: 'set' });
export const positioned = (): FieldRule => ({ rule: 'updatable', shape: 'position' });
export const immutable = (why: string): FieldRule => ({ rule: 'immutable', shape: 'value', why });
export const writeOnly = (why: string): FieldRule => ({ rule: 'writeOnly', shape: 'value', why });
export const rotationToken = (rotationTokens: string, why: string): FieldRule => ({
  rule: 'rotation-token',
  shape: 'value',
  rotationTokens,
  why,
});
/** A field that is about a person: all of it, or what `within` says. */
export const personal = (field: FieldRule, within: NonNullable<FieldRule['personal']> = () => ['']): FieldRule => ({
  ...field,
  personal: within,
});
export const createOnly = (why: string): FieldRule => ({ rule: 'createOnly', shape: 'value', why });
