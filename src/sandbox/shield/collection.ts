// What a collection of Shield is to its endpoints: custom WAF rules, rate limits and access lists are made, changed,
// shown alike.
import type { Properties } from '../core/http/schema.ts';
import type { Answer } from '../core/http/endpoint.ts';
import type { World } from '../core/world.ts';
import type { Row } from './shapes.ts';
import type { ShieldItem, ShieldZone } from './state.ts';
import type { Collection } from './tiers.ts';

/** What a body says, without what it leaves out. */
export type Written<Item extends ShieldItem> = Partial<Omit<Item, 'id' | 'number' | 'hidden'>>;

export interface CollectionKind<Item extends ShieldItem> {
  /** The last word of its path, and the name of its list. */
  readonly plural: string;
  readonly single: string;
  readonly collection: Collection;
  /** As the oracle of creations names it. */
  readonly label: string;
  stored(zone: ShieldZone): Item[];
  make(given: Pick<Item, 'id' | 'number' | 'name'> & Written<Item>): Item;
  /** An answer: it is refused. */
  mayCreate?(world: World, zone: ShieldZone): Answer | undefined;
  body(world: World, isNew: boolean): Properties;
  /** The body of a create (`before` undefined) or of a change; an answer: it is refused. */
  read(
    world: World,
    zone: ShieldZone,
    body: Row,
    before: Item | undefined,
  ): Written<Item> | { readonly refused: Answer };
  show(world: World, item: Item, inList: boolean): Row;
  /** The whole list, where it is more than rows in an envelope. */
  wrap?(world: World, rows: readonly Row[]): Answer;
  /** Rows that are the platform's own: they can be read by id, and not changed. */
  builtIn?(world: World): readonly Item[];
}
