// What only the provider gives: open while nobody knows it, filled in once it is there.
import { canonicalHostname } from '../../model/hostname.ts';
import type { Outputs } from '../../workflow/one-root/run.ts';
import { outputsIn } from '../../workflow/one-root/run.ts';
import type { Snapshot } from '../../workflow/one-root/snapshot.ts';
import type { Attribute, Fields, ResourceTable } from '../value/attribute.ts';
import { isObject } from '../value/convert.ts';
import type { Value, ValueObject } from '../value/cty.ts';
import { UNKNOWN } from '../value/cty.ts';
import { isPending } from './declare.ts';

/** The state with what the provider gives. */
export function withOutputs({ fields }: ResourceTable, state: ValueObject, snapshot: Snapshot): ValueObject {
  return { ...(withComputed(fields, state, outputsIn(snapshot)) as ValueObject), id: snapshot.member.id };
}

/** Values that the provider gives inside of maps: those of the object that has the key. Absent: null. */
function withComputed(fields: Fields, value: ValueObject, outputs: Outputs): Value {
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const attribute = fields[name]?.attribute;
      return [name, attribute?.is === 'map' && isObject(item) ? mapWithComputed(attribute, item, outputs) : item];
    }),
  );
}

function mapWithComputed(
  { fields }: Extract<Attribute, { readonly is: 'map' }>,
  items: ValueObject,
  outputs: Outputs,
): Value {
  const computed = Object.entries(fields).filter(([, field]) => field.computed === true);
  if (computed.length === 0) return items;
  return Object.fromEntries(
    Object.entries(items).map(([key, item]) => {
      const told = Object.values(outputs)
        .map((ofKind) => ofKind[canonicalHostname(key)] ?? ofKind[key])
        .find((found) => found !== undefined);
      const values = computed.map(([name]) => [name, told?.[camel(name)] ?? null]);
      return [key, { ...(item as ValueObject), ...Object.fromEntries(values) }];
    }),
  );
}

function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The planned values, with those open that only apply can tell. `lines`: null: not known yet. */
export function unsettled(
  fields: Fields,
  proposed: ValueObject,
  prior: ValueObject | null,
  lines: readonly string[] | null,
): ValueObject {
  return {
    ...(openComputed(fields, proposed, prior) as ValueObject),
    id: prior === null || isPending(prior) ? UNKNOWN : (prior.id ?? UNKNOWN),
    status: UNKNOWN,
    waiting_for: UNKNOWN,
    actions: lines ?? UNKNOWN,
  };
}

/** What the provider gives of members that are new is not known yet. */
function openComputed(fields: Fields, value: ValueObject, prior: Value): Value {
  return Object.fromEntries(
    Object.entries(value).map(([name, item]): [string, Value] => {
      const attribute = fields[name]?.attribute;
      if (attribute?.is !== 'map' || !isObject(item)) return [name, item];
      const before = isObject(prior) ? prior[name] : null;
      const computed = Object.keys(attribute.fields).filter((field) => attribute.fields[field]?.computed === true);
      return [
        name,
        Object.fromEntries(
          Object.entries(item).map(([key, member]): [string, Value] => {
            const isNew = !isObject(before) || before[key] === undefined;
            const opened: ValueObject = isNew
              ? Object.fromEntries(computed.map((field): [string, Value] => [field, UNKNOWN]))
              : {};
            return [key, isObject(member) ? { ...member, ...opened } : member];
          }),
        ),
      ];
    }),
  );
}

/** What only the provider gives and is not known is nothing. */
export function closeComputed(values: ValueObject): ValueObject {
  const close = (value: Value): Value => {
    if (value === UNKNOWN) return null;
    if (Array.isArray(value)) return (value as readonly Value[]).map(close);
    return isObject(value) ? closeComputed(value) : value;
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, close(value)]));
}
