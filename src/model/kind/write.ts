// How a kind says what it sends: to make an object, to change it, to remove it.
import type { Notice } from './notice.ts';
import type { Address } from '../address.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Holding, Requirement, Risk } from '../plan/plan.ts';
import type { Step } from '../plan/step.ts';
import type { Price } from '../price.ts';
import type { Blocker } from './blocker.ts';
import type { Live, LiveNeighbour } from './collection.ts';
import type { WantedIn } from './capabilities/needs.ts';
import type { QuoteDefinition } from './quote.ts';

/** One account pays one bill: who spends holds this lock until what was spent is known by name (O-72). */
export const BILLING_LOCK = 'billing';

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

/** What a create and an update have in common. `Now`: what is live, null before a create. */
export interface WriteDefinition<Spec, Now extends Live<Spec> | null = never> {
  /** Fields that this request writes. Each updatable field is written by exactly one update. */
  readonly writes: readonly (keyof Spec & string)[];
  readonly steps: (context: StepContext<Spec>) => readonly Step[];
  /** Why this cannot be written now, or null. The other changes of an object go on without it. */
  readonly refuse?: (desired: Partial<Spec>, now: Now, wantedIn: WantedIn) => Blocker | null;
  /** What the credential needs beside what the endpoints of its requests ask for. */
  readonly requires?: Requirement;
  /** Beside lower protection, which the engine derives from the fields. */
  readonly risk?:
    | readonly Risk[]
    | ((
        desired: Partial<Spec>,
        observed: Spec | null,
        computed: JsonObject,
        members: readonly LiveNeighbour<Spec>[],
      ) => readonly Risk[]);
  /** What it costs, where what was read says so, or what has to be asked first: without an answer nothing is made. */
  readonly cost?: ((desired: Partial<Spec>, computed: JsonObject) => Price | undefined) | QuoteDefinition<Spec>;
}

/** What making or removing an object means beyond the object itself. */
interface WithNotice {
  /** Said with the plan; what a person still has to do about one that is made is said again when it is done. */
  readonly notice?: Notice;
}

export interface CreateDefinition<Spec> extends WriteDefinition<Spec, null>, WithNotice {}

export interface UpdateDefinition<Spec> extends WriteDefinition<Spec, Live<Spec>> {
  /** True when it takes away what others rest on: it comes when no change is left to do, as removals do (O-70). */
  readonly last?: (desired: Partial<Spec>, observed: Spec | null) => boolean;
  /** What it changes by itself: in other members of the collection, or in the only one of another kind beside it. */
  readonly effects?: (desired: Partial<Spec>, members: readonly LiveNeighbour<Spec>[]) => readonly SideEffect[];
}

/** The question about what is about to be made; undefined where its kind has none. */
export function quoteOf<Spec>(create?: Pick<CreateDefinition<Spec>, 'cost'>): QuoteDefinition<Spec> | undefined {
  return typeof create?.cost === 'object' ? create.cost : undefined;
}

export type SideEffect = ({ readonly identity: string } | { readonly beside: string }) & {
  readonly path: string;
  readonly value: Json;
};

/** What an object holds, for whoever approves its removal. Read only where a removal is planned. */
export interface HoldingDefinition {
  /** What one of them is called. Its names are those of its addresses: what moves elsewhere first is left out. */
  readonly what: string;
  readonly path: (id: string) => string;
  /** Throws {@link ShapeError} when the answer is not what the documents say. */
  readonly decode: (answer: Json) => readonly (Omit<Holding, 'what' | 'count'> & { readonly count: number })[];
}

export interface RemoveDefinition<Spec> extends WithNotice {
  readonly steps: (context: StepContext<Spec>) => readonly Step[];
  readonly risk: readonly Risk[] | ((observed: Spec) => readonly Risk[]);
  /** Why this member must not be removed now, or null. */
  readonly refuse?: (member: Live<Spec>, wanted: readonly Partial<Spec>[]) => Blocker | null;
}
