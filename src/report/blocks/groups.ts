// What stands beside actions: what is blocked, waiting, by hand, unknown or deferred, and what remains; and the blocks of
// it.
import { compareText } from '../../model/address.ts';
import { groupBy } from '../../model/common/lists.ts';
import type { SourcePosition } from '../../model/diagnostic.ts';
import type { Plan, PlanBlocker } from '../../model/plan/plan.ts';
import { escapeText } from '../view/escape.ts';
import { showAddress, showProse } from '../view/names.ts';
import { changesOf } from '../view/values.ts';
import type { Block, Item } from './block.ts';
import { code, folded, listOf, marked, placeOf, section } from './block.ts';

/** One group of a plan that is not an action. */
interface Group {
  readonly title: string;
  readonly meaning: string;
  readonly entries: readonly GroupEntry[];
}

export interface GroupEntry {
  readonly address: string;
  readonly reason: string;
  readonly remedy?: string;
  readonly source?: SourcePosition;
  /** The objects, if the entry is about several with one reason. */
  readonly names?: readonly string[];
  /** Of what is planned later: what is declared there. */
  readonly declares?: readonly { readonly address: string; readonly lines: readonly string[] }[];
}

/** Objects that could not be read mostly have one reason. */
const UNREAD = 'Unknown';

/** What stands beside the actions, most pressing first; empty groups are left out. */
export function groupsOf(plan: Plan, { rules = false }: { readonly rules?: boolean } = {}): readonly Group[] {
  const groups: readonly Group[] = [
    {
      title: 'Blocked',
      meaning: 'cannot be done now, and nothing in this plan changes that',
      entries: showBlockers(plan.blocked, rules),
    },
    { title: 'Waiting', meaning: 'in flight, or held by someone outside', entries: showBlockers(plan.waiting, rules) },
    { title: 'By hand', meaning: 'the platform has no call for it', entries: showBlockers(plan.manual, rules) },
    {
      title: UNREAD,
      meaning: 'could not be read, so neither created, changed nor removed',
      entries: showBlockers(plan.unknown, rules),
    },
    {
      title: 'Deferred',
      meaning: 'declared, and planned later in the same apply',
      entries: sortEntries(deferredEntries(plan)),
    },
  ];
  return groups.filter(({ entries }) => entries.length > 0);
}

/** `rules`: with the id of the rule behind each reason, which `hostwright explain` answers. */
export function showBlockers(blockers: readonly PlanBlocker[], rules = false): readonly GroupEntry[] {
  return sortEntries(
    blockers.map(({ address, reason, remedy, rule, source }) => ({
      address: showAddress(address),
      reason: `${showProse(reason, undefined, { rules })}${rule === undefined || !rules ? '' : ` (${escapeText(rule, 100)})`}`,
      ...(remedy !== '' && { remedy: showProse(remedy, undefined, { rules }) }),
      ...(source !== undefined && { source }),
    })),
  );
}

/** As many entries with the same reason become one. */
const MANY_ALIKE = 3;

/** Returns the entries with one entry for all objects that have the same reason and remedy. */
export function foldAlike(entries: readonly GroupEntry[], many = MANY_ALIKE): readonly GroupEntry[] {
  const alike = groupBy(entries, ({ reason, remedy = '', declares }) =>
    declares === undefined ? `${reason}\n${remedy}` : undefined,
  );
  const folded = new Map(
    [...alike].flatMap(([key, all]): readonly (readonly [GroupEntry, GroupEntry | undefined])[] => {
      if (key === undefined || all.length < many) return [];
      const [{ source: _source, ...first }, ...others] = all as [GroupEntry, ...GroupEntry[]];
      const one = { ...first, address: `${all.length} objects`, names: all.map(({ address }) => address) };
      return [[all[0] as GroupEntry, one], ...others.map((other) => [other, undefined] as const)];
    }),
  );
  return entries.flatMap((entry) => (folded.has(entry) ? (folded.get(entry) ?? []) : [entry]));
}

function sortEntries(entries: readonly GroupEntry[]): readonly GroupEntry[] {
  return [...entries].sort(
    (left, right) => compareText(left.address, right.address) || compareText(left.reason, right.reason),
  );
}

/** What a reviewer came for is not cut; what a machine wrote may be. */
const ROOM = { value: 2000, line: Infinity, items: 1000 } as const;

/** What is planned later, as a reader approves it: until when, why, and each object with what is declared of it. */
function deferredEntries({ deferred, actions }: Plan): readonly GroupEntry[] {
  const made = new Set(actions.flatMap(({ address, verb }) => (verb === 'create' ? [address] : [])));
  return deferred.map(({ address, until, reason, objects = [] }) => ({
    address: showAddress(address),
    reason: `planned later, after ${showAddress(until)} ${made.has(until) ? 'exists' : 'is changed'}: ${showProse(reason)}`,
    declares: objects.map((object) => ({
      address: showAddress(object.address),
      lines: changesOf({ ...object, verb: 'create', steps: [] }, undefined, ROOM).flatMap(
        ({ field, inline, items = [] }) =>
          inline === undefined ? [`${field}:`, ...items.map(({ text }) => `  ${text}`)] : [`${field}: ${inline}`],
      ),
    })),
  }));
}

/** What is only deferred asks for nothing: it is folded. */
const FOLDED = 'Deferred';

/** None of a group without entries. */
export function groupSection({ title, meaning, entries }: Group): readonly Block[] {
  const items = foldAlike(entries, title === UNREAD ? 2 : MANY_ALIKE).map(
    ({ address, names = [], reason, remedy, source, declares = [] }): Item => ({
      line: [marked('name', address), ...placeOf(source)],
      ...(names.length > 0 && { names: names.map((name) => marked('name', name)) }),
      about: [reason],
      blocks: [
        ...code(
          'diff',
          declares.flatMap((object) => [`+ ${object.address}`, ...object.lines.map((line) => `+   ${line}`)]),
          'creates',
        ),
        ...(remedy === undefined ? [] : [{ is: 'advice', line: [remedy] } as const]),
      ],
    }),
  );
  const anchor = title.toLowerCase().replaceAll(' ', '-');
  return title === FOLDED
    ? folded(anchor, [marked('careful', `${title} (${entries.length})`), `: ${meaning}`], listOf(items))
    : section(anchor, title, listOf(items), { count: entries.length, meaning: [meaning] });
}
