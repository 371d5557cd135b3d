// What of a plan is left out where others read along: in a pull request's comment, in the log and the summary of a job.
// Every value that a change marks as being about a person goes, and wherever that same text stands in what the plan
// would do.
import { PERSONAL_KEYS } from '../../areas/words.ts';
import { isJsonObject, unescapePointer, valueAt } from '../../model/json.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { HIDDEN } from '../../model/kind/words.ts';
import type { DriftItem } from '../../model/plan/drift.ts';
import type { Action, Change, Deferred, Plan } from '../../model/plan/plan.ts';

/** Where a step holds data. */
const DATA: readonly string[] = ['body', 'ask', 'value'];

/** The plan with nothing about a person in it, to be shown and for nothing else. */
export function withoutPersonal(plan: Plan): Plan {
  const texts = new Set(plan.actions.flatMap(({ changes }) => changes.flatMap(textsIn)));
  const later = plan.deferred.length === 0 ? plan : { ...plan, deferred: plan.deferred.map(hideLater) };
  const shown = plan.drift === undefined ? later : { ...later, drift: plan.drift.map(hideItem) };
  return texts.size === 0 ? shown : { ...shown, actions: plan.actions.map((action) => hideIn(action, texts)) };
}

/** Of drift also who the platform says changed it. */
function hideItem(item: DriftItem): DriftItem {
  const fields = item.fields.map((field) => ({ ...field, ...hideSides(field, ['applied', 'manifest', 'live']) }));
  const activity = item.activity?.map((entry) => (entry.by === undefined ? entry : { ...entry, by: HIDDEN }));
  return { ...item, fields, ...(activity !== undefined && { activity }) };
}

function hideLater(section: Deferred): Deferred {
  const objects = section.objects?.map((object) => ({ ...object, changes: object.changes.map(hideChange) }));
  return { ...section, ...(objects !== undefined && { objects }) };
}

function hideIn(action: Action, texts: ReadonlySet<string>): Action {
  const hidden: Hidden = {
    texts,
    keys: action.changes.some(({ personal }) => personal !== undefined) ? PERSONAL_KEYS : new Set(),
  };
  return {
    ...action,
    expect: hideData(action.expect as unknown as Json, hidden) as unknown as Action['expect'],
    changes: action.changes.map(hideChange),
    effects: action.effects.map((effect) => ({
      ...effect,
      value: hideTexts(effect.value, { texts, keys: new Set() }),
    })),
    steps: hideData(action.steps as unknown as Json, hidden) as unknown as Action['steps'],
  };
}

function hideChange(change: Change): Change {
  return { ...change, ...hideSides(change, ['was', 'value']) };
}

/** These of its values, without what is about a person in them. */
function hideSides<Key extends string>(
  held: { readonly personal?: readonly string[] } & { readonly [Side in Key]?: Json },
  keys: readonly Key[],
): Readonly<Record<string, Json>> {
  const { personal = [] } = held;
  const hide = (whole: Json): Json =>
    personal.reduce<Json>((part, pointer) => replaceAt(part, pointer.split('/').slice(1).map(unescapePointer)), whole);
  return Object.fromEntries(keys.flatMap((key) => (held[key] === undefined ? [] : [[key, hide(held[key])]])));
}

/** What is nowhere is left so: an empty text says that there was nothing. */
function replaceAt(value: Json, [key, ...below]: readonly string[]): Json {
  if (key === undefined) return value === '' ? value : HIDDEN;
  return isJsonObject(value) && Object.hasOwn(value, key)
    ? { ...value, [key]: replaceAt(value[key] as Json, below) }
    : value;
}

/** Every text about a person that a change holds. */
function textsIn({ personal = [], was = null, value = null }: Change): readonly string[] {
  return personal.flatMap((pointer) => [
    ...leaves(valueAt(was, pointer) ?? null),
    ...leaves(valueAt(value, pointer) ?? null),
  ]);
}

function leaves(value: Json): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value as JsonObject).flatMap(leaves) : [];
}

/**
 * What is sent and what is looked for in a step; whatever else stands in it is not said by people, and may be called as
 * somebody is.
 */
function hideData(value: Json, hidden: Hidden): Json {
  if (Array.isArray(value)) return value.map((item: Json) => hideData(item, hidden));
  if (!isJsonObject(value)) return value;
  const { pointer } = value;
  // What is looked for, or held to be so, stands beside the place where it is looked for.
  const isPersonal = typeof pointer === 'string' && hidden.keys.has(unescapePointer(pointer.split('/').at(-1) ?? ''));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      isPersonal && key === 'value'
        ? hideAll(item)
        : DATA.includes(key)
          ? hideTexts(item, hidden)
          : hideData(item, hidden),
    ]),
  );
}

interface Hidden {
  /** Wherever these stand. */
  readonly texts: ReadonlySet<string>;
  /** All that stands below these. */
  readonly keys: ReadonlySet<string>;
}

function hideTexts(value: Json, hidden: Hidden): Json {
  if (typeof value === 'string') return hidden.texts.has(value) ? HIDDEN : value;
  if (Array.isArray(value)) return value.map((item: Json) => hideTexts(item, hidden));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, hidden.keys.has(key) ? hideAll(item) : hideTexts(item, hidden)]),
  );
}

/** An empty text says that there was nothing. */
function hideAll(value: Json): Json {
  return value === '' || value === null ? value : HIDDEN;
}
