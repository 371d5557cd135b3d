// What custom rules, rate limits and access lists of Shield have in common: how one is made, replaced, removed and
// found. None is created twice: a name is one object, and a lost response is confirmed by reading (SHD-27).
import type { Comment } from '../../../model/kind/to-manifest.ts';
import { unclearComments } from '../../../model/kind/to-manifest.ts';
import type { JsonObject } from '../../../model/json.ts';
import { ANY_LIST, valueAt } from '../../../model/json.ts';
import type { Answers, OrderRule, Blocker } from '../../../model/kind/kind.ts';
import { rowsAt } from '../../../model/kind/rows.ts';
import type { AnswerRow, Step } from '../../../model/plan/step.ts';
import { camelCase, ID_PLACES } from './wire.ts';
import { pathIn, blockers, unclearBlocker } from './zone/wire.ts';
import type { ItemAddress, RestList } from '../../common/rest-list.ts';
import { createItem, removeItem, writeItem } from '../../common/rest-list.ts';
import { readBack } from '../../common/steps.ts';

/** What one kind of item is called on the wire. */
export interface ItemWire {
  /** The last word of its path. */
  readonly plural: string;
  readonly nameKey: 'name' | 'rule_name';
  /** For people. */
  readonly label: string;
  readonly rule: string;
}

/** Where the list stands in its answer: the platform's own lists may stand beside it (GAP-29, GAP-31). */
function placesOf({ plural }: ItemWire): readonly string[] {
  return ['', `/${plural}`, `/${camelCase(plural)}`, '/custom_lists', '/customLists', '/data', ANY_LIST];
}

/** The rows of a list, however it is wrapped. */
export function itemsIn(answers: Answers, wire: ItemWire): readonly JsonObject[] {
  return rowsAt(answers.items, placesOf(wire));
}

/** The platform keeps rows of its own in these lists, and lets nobody change them. */
export function isReadOnly(row: JsonObject): boolean {
  return row.read_only === true || row.readOnly === true;
}

/** What the platform refuses for what is in it: the same would be refused again. */
const declined: readonly AnswerRow[] = [400, 422].map((status) => ({
  status,
  then: 'blocked',
  reason:
    'the platform refused it, and nothing was saved; it stays as it is until the manifest or the Shield plan changes',
  rule: 'GAP-30',
}));

const MADE: readonly AnswerRow[] = [
  ...ID_PLACES.map((place): AnswerRow => ({ status: '2xx', then: 'done', capture: { id: place } })),
  { status: '2xx', then: 'done', rule: 'GAP-29' },
];

/** As a list of which the documents leave open how it is wrapped and what its keys are called (GAP-29). */
function restList(wire: ItemWire): RestList {
  const { plural, nameKey, label, rule } = wire;
  return {
    path: (parent) => pathIn(parent, `/${plural}`),
    rows: placesOf(wire),
    id: ID_PLACES,
    name: [`/${nameKey}`, `/${camelCase(nameKey)}`],
    made: MADE,
    refusals: [...blockers, ...declined],
    label,
    rule,
    // Sent twice it would be two of them.
    onceRule: 'SHD-27',
  };
}

export function createSteps(parent: string, wire: ItemWire, name: string, body: JsonObject): readonly Step[] {
  return [
    ...createItem(restList(wire), { parent }, name, body),
    readBack('the answer to a write is not documented', 'GAP-29'),
  ];
}

/**
 * Replaces it whole, with what the manifest does not mention as it is live: right whether a change is partial or not
 * (GAP-33).
 */
export function replaceSteps(at: ItemAddress, wire: ItemWire, body: JsonObject): readonly Step[] {
  const reason = `write the whole ${wire.label}, with everything that the manifest does not mention as it is live`;
  return [
    ...writeItem(restList(wire), at, { body, reason, rule: 'GAP-33' }),
    readBack('what a change leaves out may be kept or cleared', 'GAP-33'),
  ];
}

export function removeSteps(at: ItemAddress, wire: ItemWire): readonly Step[] {
  return removeItem(restList(wire), at);
}

/** Why this live item must not be written or removed, or null. */
export function untouchable(computed: JsonObject): Blocker | null {
  if (computed.hasId !== true)
    return {
      reason: 'the platform shows it without an id, and nothing can be changed or removed without one',
      remedy: 'Change it in the dashboard.',
      rule: 'GAP-29',
    };
  return null;
}

/** Why this live item cannot be replaced: what a write cannot say would be lost. */
export function irreplaceable(computed: JsonObject): Blocker | null {
  const beyond = (computed.beyond ?? []) as readonly string[];
  const unclear = computed.unclear as readonly string[];
  if (beyond.length > 0)
    return {
      reason: `the live one has what no call of the API can write (${beyond.join(', ')}), and replaced it would lose that`,
      remedy:
        'Change it in the dashboard and leave its fields out here, or give the one in the manifest another name: then this one is removed.',
      rule: 'SHD-13',
    };
  return untouchable(computed) ?? (unclear.length === 0 ? null : unclearBlocker(unclear));
}

/** What a manifest that has it does not say of it. */
export function itemComments(computed: JsonObject): readonly Comment[] {
  const beyond = (computed.beyond ?? []) as readonly string[];
  return [
    ...unclearComments(computed),
    ...(beyond.length === 0
      ? []
      : [
          {
            pointer: '',
            text: `The live one also has what no call of the API can write: ${beyond.join(', ')}.`,
          },
        ]),
  ];
}

/** Changes, then new ones, then removals: at no moment is there less protection than before. */
export function keepProtected(kind: string): readonly OrderRule[] {
  const of =
    (verbs: readonly string[]): OrderRule['before'] =>
    (action) =>
      action.kind === kind && verbs.includes(action.verb);
  return [
    {
      rule: 'O-26',
      reason: 'what is there is changed first, then the new is made',
      within: 'parent',
      before: of(['update']),
      after: of(['create']),
    },
    {
      rule: 'O-26',
      reason: 'the old goes only when what takes its place is there',
      within: 'parent',
      before: of(['create', 'update']),
      after: of(['delete']),
    },
  ];
}

/** Items of a list in the manifest, each at its place. */
export function expandItems(
  key: string,
): (spec: JsonObject) => readonly { readonly name: string; readonly spec: JsonObject; readonly pointer: string }[] {
  return (spec) =>
    (valueAt(spec, `/shield/${key}`) as readonly JsonObject[]).map((item, index) => ({
      name: item.name as string,
      spec: item,
      pointer: `/shield/${key}/${index}`,
    }));
}
