// What it is to move an object from one parent to another: what the kind says about it, and what the manifest consents
// to. Pure data and pure functions; the steps are the detaching half, those of the create follow in the same action.
import type { Address } from '../../address.ts';
import type { Json, JsonObject } from '../../json.ts';
import type { Blocker } from '../blocker.ts';
import type { Elsewhere, Member } from '../collection.ts';
import type { Answers, ReadContext } from '../read.ts';
import type { Risk } from '../../plan/plan.ts';
import type { Step } from '../../plan/step.ts';

/** A move that the manifest does not consent to: who has the object, and whom the consent names. */
export interface RefusedMove {
  readonly parentId: string;
  /** The manifest that is bound to the parent that has it; undefined when no manifest that was read is. */
  readonly holder: Address | undefined;
  /** The manifest that the consent names. */
  readonly consent: string | undefined;
}

export interface MoveDefinition<Spec> {
  /**
   * The field by which a manifest consents: the address of the parent that the object is taken from. Sent to nobody.
   */
  readonly consent: keyof Spec & string;
  /** Declared identities that live in one other parent of the account. */
  readonly elsewhere: (answers: Answers, context: ReadContext) => Readonly<Record<string, Elsewhere>>;
  /** Why it is not moved: nobody consents, or the consent is for another parent. */
  readonly refuse: (move: RefusedMove) => Blocker;
  /** The document of the object as it is in that parent. */
  readonly document: (identity: string, parent: Member) => JsonObject;
  /** What must be so there when it leaves. Another action of the plan may make it so, and then comes first. */
  readonly leaving: {
    readonly path: string;
    readonly value: Json;
    readonly rule: string;
    readonly reason: string;
    readonly refuse: (holder: Address) => Blocker;
    /** The same where an action would make it so, and waits itself for what leaves here: two parents that swap. */
    readonly refuseSwap: (holder: Address) => Blocker;
  };
  readonly risk: readonly Risk[];
  /**
   * Takes it out of its parent and waits until it is free for the one that it goes to. What rests on it is checked
   * right before (`recheck`).
   */
  readonly steps: (former: {
    readonly self: Address;
    readonly parent: Address;
    readonly identity: string;
    readonly to: Address;
  }) => readonly Step[];
}
