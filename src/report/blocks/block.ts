// What every report is made of. A document becomes a tree of these blocks once; text, Markdown and HTML are small writers
// of it. All text in it is already shown by `escape.ts`.
import type { Address } from '../../model/address.ts';
import type { Diagnostic, SourcePosition } from '../../model/diagnostic.ts';
import type { Action, Verb } from '../../model/plan/plan.ts';
import { showSource } from '../view/document.ts';
import { escapeText } from '../view/escape.ts';
import { showAddress } from '../view/names.ts';
import type { ShownChange } from '../view/values.ts';
import type { Mark } from './mark.ts';

/** How a piece of a line is meant. Each writer shows that in its way. */
export type Role =
  'code' | 'name' | 'strong' | 'faint' | 'place' | 'risk' | 'good' | 'bad' | 'careful' | 'alarm' | 'link' | Verb;

export interface Marked {
  readonly as: Role;
  readonly text: string;
  /** The object that it names. */
  readonly address?: Address;
  /** The anchor of the block that it leads to. */
  readonly to?: string;
  /** Where a link leads: of https, or on the same server. */
  readonly href?: string;
}

/** Words, in which what stands between backticks is code, or a marked piece. */
export type Span = string | Marked;
export type Line = readonly Span[];

/** What goes when a report is too long: what goes first stands first. The words say what is missing. */
export const WEIGHTS = {
  requests: 'every request',
  picture: 'the picture of the order',
  yaml: 'the YAML of what is unmanaged',
  updates: 'the values of changes without risk',
  creates: 'the values of creations without risk',
  risky: 'the values of what has a risk',
  actions: 'the list of all actions',
  accounts: 'the details of each account',
} as const;
/** `digests`: is true only where a review approves by the report. */
export type Weight = keyof typeof WEIGHTS | 'digests';

export interface Item {
  /** What stands in columns before the line, where all items of a list have that: a name, a state. */
  readonly cells?: readonly Line[];
  readonly line: Line;
  /** What is said of it. */
  readonly about?: Line;
  /** The same where nothing stands below it. */
  readonly brief?: Line;
  /** Several that are told in this one line. */
  readonly names?: readonly Marked[];
  /** What a page can be filtered by. */
  readonly tags?: readonly string[];
  readonly blocks?: readonly Block[];
}

interface Weighed {
  readonly weight?: Weight;
}

export interface Details extends Weighed {
  readonly is: 'details';
  readonly line: Line;
  /** What stands in place of the content where that is folded or left out. */
  readonly brief?: Line;
  readonly blocks: readonly Block[];
  readonly isOpen?: boolean;
  readonly anchor?: string;
  /** What a page can be filtered by; absent: it only holds others. */
  readonly tags?: readonly string[];
}

export interface Section extends Weighed {
  readonly is: 'section';
  readonly title: string;
  readonly count?: number;
  readonly meaning?: Line;
  readonly anchor: string;
  /** What must not be missed. */
  readonly isAlarm?: boolean;
  /** A part of a page that is read from its top, with how deep its heading is in Markdown; absent: of a report. */
  readonly depth?: 1 | 2 | 3;
  readonly blocks: readonly Block[];
}

export type Block =
  | Details
  | Section
  | ({ readonly is: 'heading'; readonly line: Line } & Weighed)
  | ({ readonly is: 'paragraph'; readonly line: Line } & Weighed)
  /** What to do about what stands above it. */
  | ({ readonly is: 'advice'; readonly line: Line } & Weighed)
  | ({ readonly is: 'list'; readonly items: readonly Item[]; readonly isAlarm?: boolean } & Weighed)
  | ({
      readonly is: 'table';
      readonly heads: readonly string[];
      readonly rows: readonly (readonly Line[])[];
      readonly rest?: (shown: number) => string;
      /** The text is in the column in the middle; what stands beside it is short. */
      readonly isUneven?: true;
    } & Weighed)
  /** The fields of an action, with their values. */
  | ({ readonly is: 'changes'; readonly verb: Verb; readonly of: (line: number) => readonly ShownChange[] } & Weighed)
  | ({ readonly is: 'code'; readonly language: string; readonly lines: readonly string[] } & Weighed)
  | ({ readonly is: 'diagnostics'; readonly of: readonly Diagnostic[] } & Weighed)
  /** The order of the actions. */
  | ({ readonly is: 'picture'; readonly of: readonly Action[] } & Weighed);

/** A document, ready to be written. */
export interface Report {
  /** What it is the report of: `plan`, `fleet drift`. */
  readonly what: string;
  /** `Plan for account acme: 1 to create.` */
  readonly title: string;
  readonly blocks: readonly Block[];
  /** By what it is found again on a forge. */
  readonly mark?: () => Mark;
  /** What is said where the digests have no room, so that a review approves nothing. */
  readonly notApproved?: string;
  /** Its reader begins with a search. */
  readonly isSearched?: true;
}

export function marked(as: Role, text: string): Marked {
  return { as, text };
}

/** An object by its address. */
export function nameOf(address: Address, to?: string): Marked {
  return { as: 'name', text: showAddress(address), address, ...(to !== undefined && { to }) };
}

export function placeOf(source: SourcePosition | string | undefined, before = '  '): Line {
  if (source === undefined) return [];
  return [before, marked('place', typeof source === 'string' ? source : showSource(source))];
}

export function paragraph(...line: Line): Block {
  return { is: 'paragraph', line };
}

/** Blocks of what may be none: then they are none. */
export function listOf(items: readonly Item[], weight?: Weight): readonly Block[] {
  return items.length === 0 ? [] : [{ is: 'list', items, ...(weight !== undefined && { weight }) }];
}

export function table(
  heads: readonly string[],
  rows: readonly (readonly Line[])[],
  more: Partial<Extract<Block, { is: 'table' }>> = {},
): readonly Block[] {
  return rows.length === 0 ? [] : [{ is: 'table', heads, rows, ...more }];
}

export function diagnosticsOf(of: readonly Diagnostic[]): readonly Block[] {
  return of.length === 0 ? [] : [{ is: 'diagnostics', of }];
}

/** A part of a report; none where nothing is in it. */
export function section(
  anchor: string,
  title: string,
  blocks: readonly Block[],
  more: Partial<Section> = {},
): readonly Section[] {
  return blocks.length === 0 ? [] : [{ is: 'section', title, anchor, blocks, ...more }];
}

/** A part of a report whose heading unfolds it. */
export function folded(
  anchor: string,
  line: Line,
  blocks: readonly Block[],
  more: Partial<Section> = {},
): readonly Section[] {
  return blocks.length === 0 ? [] : section(anchor, '', [{ is: 'details', line, blocks }], more);
}

/** What stands in a list in place of those that are left out. */
export function moreItems(left: number): Item {
  return { line: [`and ${left} more`] };
}

/** A part of a page with its heading, and what is said beside that. */
export function chapter(title: string, depth: 1 | 2 | 3, blocks: readonly Block[], about?: string): Section {
  return {
    is: 'section',
    title: escapeText(title),
    depth,
    anchor: '',
    blocks,
    ...(about !== undefined && { meaning: [escapeText(about)] }),
  };
}

export function code(language: string, lines: readonly string[], weight?: Weight): readonly Block[] {
  return lines.length === 0 ? [] : [{ is: 'code', language, lines, ...(weight !== undefined && { weight }) }];
}

/** What `--concise` leaves out. */
export const VALUES: ReadonlySet<Weight> = new Set(['requests', 'picture', 'yaml', 'updates', 'creates', 'risky']);

/** The blocks that are left when the weights up to one are dropped. */
export function lighter(blocks: readonly Block[], without: ReadonlySet<Weight>): readonly Block[] {
  if (without.size === 0) return blocks;
  return blocks.flatMap((block): readonly Block[] => {
    if (block.weight !== undefined && without.has(block.weight)) return [];
    if (block.is === 'details' || block.is === 'section') {
      const inside = lighter(block.blocks, without);
      return block.is === 'section' && inside.length === 0 && block.blocks.length > 0
        ? []
        : [{ ...block, blocks: inside }];
    }
    return block.is === 'list'
      ? [
          {
            ...block,
            items: block.items.map((item) =>
              item.blocks === undefined ? item : { ...item, blocks: lighter(item.blocks, without) },
            ),
          },
        ]
      : [block];
  });
}

/** Lines as one, with commas between them. */
export function joined(lines: readonly Line[]): Line {
  return lines.flatMap((line, index) => (index === 0 ? line : [', ', ...line]));
}

/** An item where there are no columns: its cells, then its line. */
export function wholeLine({ cells, line }: Pick<Item, 'cells' | 'line'>): Line {
  if (cells === undefined) return line;
  return [...cells.flatMap((cell, index) => (index === 0 ? cell : [' ', ...cell])), ': ', ...line];
}

/** The text of a line without its marks. */
export function plainLine(line: Line): string {
  return line.map((span) => (typeof span === 'string' ? span : span.text)).join('');
}

/** A line that is read at a glance has no room for the place. */
export function withoutPlace(line: Line): Line {
  const at = placeIn(line);
  return at < 0 ? line : line.slice(0, at);
}

/** With words before the place. */
export function withNames(line: Line, names: string): Line {
  const at = placeIn(line);
  return names === '' ? line : at < 0 ? [...line, names] : [...line.slice(0, at), names, ...line.slice(at)];
}

/** Where the blanks before the place are. */
function placeIn(line: Line): number {
  const at = line.findIndex((span) => typeof span !== 'string' && span.as === 'place');
  return at < 1 ? -1 : at - 1;
}
