// What only the provider gives: open while nobody knows it, filled in once it is there.
import { canonicalHostname } from '../../model/hostname.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { Reported, Values } from '../../usecases/one-root/reported.ts';
import { isPending } from '../identity.ts';
import type { Fields, ResourceTable } from '../value/attribute.ts';
import { eachOf, isObject, isOneWord } from '../value/convert.ts';
import type { Value, ValueObject } from '../value/cty.ts';
import { UNKNOWN } from '../value/cty.ts';
import { camel } from '../value/names.ts';

/** The state after a read: what is reported now, and else what was reported before. */
export function withReported({ fields }: ResourceTable, state: ValueObject, reported: Reported): ValueObject {
  return filled(fields, state, reported, (before, now) => now ?? before);
}

/** The state after an apply: what the plan had left open. What it had promised holds until the next read. */
export function withOpenFilled({ fields }: ResourceTable, planned: ValueObject, reported: Reported): ValueObject {
  return filled(fields, planned, reported, (before, now) => (before === UNKNOWN ? (now ?? null) : before));
}

/** What the plan had left open of what a list tells of each object. */
export function withOpenWords({ fields }: ResourceTable, values: ValueObject, live: ValueObject): ValueObject {
  const open = Object.keys(fields).filter(
    (name) => isOneWord(fields[name] as Fields[string]) && values[name] === UNKNOWN,
  );
  return { ...values, ...Object.fromEntries(open.map((name) => [name, live[name] ?? null])) };
}

/** Whether the plan has left open what the platform tells. */
export function isAnyReported({ fields }: ResourceTable, planned: ValueObject): boolean {
  const isOpen = (below: Fields, values: Value): boolean =>
    isObject(values) && reportedIn(below).some((name) => values[name] === UNKNOWN);
  return (
    isOpen(fields, planned) ||
    Object.entries(fields).some(([name, { attribute }]) => {
      const items = planned[name] ?? null;
      return (
        attribute.is === 'map' && isObject(items) && Object.values(items).some((item) => isOpen(attribute.fields, item))
      );
    })
  );
}

/** What every resource gives; the rest of what is computed is reported by the platform. */
const GIVEN = ['id', 'status', 'waiting_for', 'actions'];

function reportedIn(fields: Fields): readonly string[] {
  return Object.keys(fields).filter((name) => fields[name]?.computed === true && !GIVEN.includes(name));
}

/** Of the root, and inside of maps: there those of the object that has the key. */
function filled(
  fields: Fields,
  state: ValueObject,
  reported: Reported,
  choose: (before: Value, now: Value | undefined) => Value,
): ValueObject {
  const chosen = (below: Fields, values: ValueObject, now: Values = {}): ValueObject =>
    Object.fromEntries(
      reportedIn(below).map((name) => [name, choose(values[name] ?? null, now[camel(name)] as Value)]),
    );
  const maps = Object.entries(fields).flatMap(([name, { attribute }]): readonly (readonly [string, Value])[] => {
    const items = state[name] ?? null;
    if (attribute.is !== 'map' || reportedIn(attribute.fields).length === 0 || !isObject(items)) return [];
    const ofKey = (key: string): Values | undefined =>
      Object.values(reported.members)
        .map((ofKind) => ofKind[canonicalHostname(key)] ?? ofKind[key])
        .find((found) => found !== undefined);
    const objects = eachOf(items, (item, key) =>
      isObject(item) ? { ...item, ...chosen(attribute.fields, item, ofKey(key)) } : item,
    );
    return [[name, objects]];
  });
  return { ...state, ...chosen(fields, state, reported.root), ...Object.fromEntries(maps) };
}

/** The planned values, with those open that only apply can tell. `isSure`: nothing of it can end in a wait. */
export function unsettled(
  fields: Fields,
  proposed: ValueObject,
  prior: ValueObject | null,
  actions: Plan['actions'] = [],
  isSure = false,
): ValueObject {
  const isNew = prior === null || isPending(prior);
  const open = Object.keys(fields).filter(
    (name) => isOneWord(fields[name] as Fields[string]) && proposed[name] === null,
  );
  return {
    ...withOpenMembers(fields, proposed, prior, actions),
    ...(isNew && Object.fromEntries(open.map((name) => [name, UNKNOWN]))),
    ...Object.fromEntries(reportedIn(fields).map((name) => [name, isNew ? UNKNOWN : (prior[name] ?? null)])),
    id: isNew ? UNKNOWN : (prior.id ?? UNKNOWN),
    ...(isSure ? { status: 'ready', waiting_for: '' } : { status: UNKNOWN, waiting_for: UNKNOWN }),
    // It is planned anew when it is applied, and may have been done elsewhere by then.
    actions: UNKNOWN,
  };
}

/** What is reported of members that are new, or are made by these actions, is not known yet. */
export function withOpenMembers(
  fields: Fields,
  values: ValueObject,
  prior: Value,
  actions: Plan['actions'],
): ValueObject {
  const made = new Set(
    actions
      .filter(({ verb }) => verb === 'create')
      .map(({ address }) => decodeURIComponent(address.slice(address.lastIndexOf('/') + 1))),
  );
  return eachOf(values, (items, name) => {
    const attribute = fields[name]?.attribute;
    if (attribute?.is !== 'map' || !isObject(items)) return items;
    const before = isObject(prior) ? prior[name] : null;
    return eachOf(items, (member, key) => {
      const isOpen = !isObject(before) || before[key] === undefined || made.has(canonicalHostname(key));
      return isObject(member) && isOpen ? { ...member, ...openIn(attribute.fields, member) } : member;
    });
  });
}

/** What is reported of a new member: a hostname has either name servers or a target. */
function openIn(fields: Fields, { attach = null }: ValueObject): ValueObject {
  const never = attach === UNKNOWN ? undefined : attach === 'dns' ? 'cname_target' : 'nameservers';
  return Object.fromEntries(
    reportedIn(fields).map((name) => [name, name === never && Object.hasOwn(fields, 'attach') ? null : UNKNOWN]),
  );
}

/** What only the provider gives and is not known is nothing. */
export function closeComputed(values: ValueObject): ValueObject {
  const close = (value: Value): Value => {
    if (value === UNKNOWN) return null;
    if (Array.isArray(value)) return (value as readonly Value[]).map(close);
    return isObject(value) ? closeComputed(value) : value;
  };
  return eachOf(values, close);
}
