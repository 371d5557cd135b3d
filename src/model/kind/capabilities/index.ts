// What only some kinds can do. Each is explained in the file that its type comes from; a kind names those that it has.
import type { ActivityDefinition } from './activity.ts';
import type { JsonObject } from '../../json.ts';
import type { Blocker } from '../blocker.ts';
import type { DecodedMember, Live } from '../collection.ts';
import type { DependsOn } from './depends-on.ts';
import type { HookDefinition } from './hook.ts';
import type { MoveDefinition } from './move.ts';
import type { NeedsDefinition, OutputDefinition } from './needs.ts';
import type { FieldDoubt } from '../notice.ts';
import type { Answers, ReadContext } from '../read.ts';
import type { PurchaseDefinition } from './purchase.ts';
import type { RecordsDefinition } from './records.ts';
import type { RefersTo } from './refers-to.ts';
import type { ReportedDefinition } from './reported.ts';
import type { SharedDefinition } from './shared.ts';

export interface Capabilities<Spec> {
  /** Where the platform's history tells of changes to it. */
  readonly activity?: ActivityDefinition;
  /**
   * What is declared of a live member, in the platform's words, where a manifest may use others (a version for its
   * label).
   */
  readonly asNamedLive?: (desired: Partial<Spec>, live: Live<Spec>) => Partial<Spec>;
  /** What the CDN has cached may be older than a change of it. */
  readonly cached?: true;
  /** What it has no meaning without, in the same parent. */
  readonly dependsOn?: DependsOn;
  /** By declared identity, what the answers say against a value that is declared, without proving it wrong. */
  readonly doubts?: (answers: Answers, context: ReadContext) => Readonly<Record<string, readonly FieldDoubt[]>>;
  /** Of a root that may be there although no list shows it. */
  readonly fromLedger?: {
    /** What the ledger's record of it stands for. */
    readonly decode: (recorded: { readonly id: string; readonly applied: JsonObject }) => DecodedMember<Spec>;
    /** A run makes one, and the others are made once that one is seen. Says why. */
    readonly oneByOne: Blocker;
  };
  /** It is no state but is done with changes of its root: its members are only read for it. */
  readonly hook?: HookDefinition;
  /** How a member comes from another parent, where its manifest consents to that. */
  readonly move?: MoveDefinition<Spec>;
  /** What a new one rests on in another root: it is made when that is there. */
  readonly needs?: NeedsDefinition<Spec>;
  /** Values that other manifests can take by reference, by name. */
  readonly outputs?: Readonly<Record<string, OutputDefinition<Spec>>>;
  /**
   * Of a root that its list shows as any other while it is locked, and after it is gone: a read below it, whose refusal
   * says so. Asked where a removal is wanted, and where a plan reads nothing else below it.
   */
  readonly probe?: {
    readonly path: (id: string) => string;
    /** The refusals that say that it is gone. */
    readonly gone: readonly { readonly status: number; readonly code?: string }[];
  };
  /** Of a paid root: how objects and orders that are bound to nothing are recognised before another one is bought. */
  readonly paid?: PurchaseDefinition;
  /** The DNS records that it needs published. */
  readonly records?: RecordsDefinition<Spec>;
  /** The objects of the same parent that its fields name: they must exist after a run. */
  readonly refersTo?: RefersTo<Spec>;
  /** What the platform tells of a live one beside its fields. */
  readonly reported?: ReportedDefinition<Spec>;
  /** The live object behind it may be in use in other members, which change with it. */
  readonly shared?: SharedDefinition;
}
