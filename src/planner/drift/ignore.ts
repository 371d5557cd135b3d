// What of a plan and its drift a run is told to ignore: objects with what is in them, or single fields. What is ignored
// is named and counted, and is in no other list.
import type { Address } from '../../model/address.ts';
import { addressOf, compareText } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { DriftItem, IgnoredDrift, ReportedAs } from '../../model/plan/drift.ts';
import type { Action, Plan, Unmanaged } from '../../model/plan/plan.ts';
import { classOf } from './drift.ts';
import { addressPattern } from '../targets.ts';
import { withLists } from '../document.ts';

/** One `--ignore`. */
interface Pattern {
  readonly text: string;
  readonly names: (address: Address) => boolean;
  /** A field, and what is in it. Absent: the object, and what is in that. */
  readonly pointer?: string;
}

/** The plan without what the patterns name, and a warning for each that names nothing. */
export function ignoreDrift(
  plan: Plan & Required<Pick<Plan, 'drift'>>,
  texts: readonly string[],
): { readonly plan: Plan; readonly diagnostics: readonly Diagnostic[] } {
  const patterns = texts.map(patternOf);
  const ignored: IgnoredDrift[] = [];
  const used = new Set<string>();
  /** Takes note of what a pattern names; true when one does. */
  const noteIfIgnored = (address: Address, as: ReportedAs, path?: string): boolean => {
    const naming = patterns.filter((pattern) =>
      path === undefined ? namesObject(pattern, address) : namesField(pattern, address, path),
    );
    for (const { text } of naming) used.add(text);
    const [first] = naming;
    // An object may be told in several lists.
    if (first !== undefined && !ignored.some((one) => one.address === address && one.path === path))
      ignored.push({ address, ...(path !== undefined && { path }), as, by: first.text });
    return first !== undefined;
  };
  const drift = plan.drift
    .filter((item) => !noteIfIgnored(item.address, item.class))
    .flatMap((item) => withoutFields(item, (path) => noteIfIgnored(item.address, item.class, path)));
  const lists = {
    unmanaged: plan.unmanaged.filter((item) => !noteIfIgnored(addressOfUnmanaged(item), 'unmanaged')),
    blocked: plan.blocked.filter(({ address }) => !noteIfIgnored(address, 'blocked')),
    unknown: plan.unknown.filter(({ address }) => !noteIfIgnored(address, 'unknown')),
    waiting: plan.waiting.filter(({ address }) => !noteIfIgnored(address, 'waiting')),
    manual: plan.manual.filter(({ address }) => !noteIfIgnored(address, 'manual')),
    deferred: plan.deferred.filter(({ address }) => !noteIfIgnored(address, 'deferred')),
  };
  const orphaned = (plan.orphaned ?? []).flatMap((group) => {
    const objects = group.objects.filter(({ address }) => !noteIfIgnored(address, 'orphaned'));
    if (objects.length === 0) return [];
    if (objects.length === group.objects.length) return [group];
    // Its lines would delete, or name, what is not told.
    const { remove: _remove, keep: _keep, ...rest } = group;
    return [{ ...rest, objects }];
  });
  const released = plan.released?.filter(({ address, path }) => {
    const isObjectIgnored = noteIfIgnored(address, 'released');
    return !isObjectIgnored && !noteIfIgnored(address, 'released', path);
  });
  // What no manifest declares is no action's.
  const left = new Set(drift.flatMap((item) => (item.class === 'undeclared' ? [] : [item.address])));
  const sorted = [...ignored].sort((one, other) => compareText(placeOf(one), placeOf(other)));
  const diagnostics = [...new Set(texts)].filter((text) => !used.has(text)).map(namesNothing);
  return {
    plan: {
      ...withLists(
        { ...plan, ...(plan.orphaned !== undefined && { orphaned }), ...(released !== undefined && { released }) },
        { ...lists, actions: actionsFor(plan.actions, left) },
      ),
      drift,
      ...(sorted.length > 0 && { ignored: sorted }),
    },
    diagnostics,
  };
}

/** The actions on what is left, and what is done with those. */
function actionsFor(actions: readonly Action[], left: ReadonlySet<Address>): readonly Action[] {
  const changes = actions.filter(({ address, hook }) => hook === undefined && left.has(address));
  const kept = new Set(changes.map(({ address }) => address));
  const needed = new Set(changes.flatMap(({ needs }) => needs.map(({ address }) => address)));
  return actions.filter(
    ({ address, hook, needs }) =>
      kept.has(address) ||
      (hook === 'before' && needed.has(address)) ||
      (hook === 'after' && needs.some((need) => kept.has(need.address))),
  );
}

function withoutFields(item: DriftItem, isIgnored: (path: string) => boolean): readonly DriftItem[] {
  if (item.is !== 'changed') return [item];
  const fields = item.fields.filter(({ path }) => !isIgnored(path));
  if (fields.length === item.fields.length) return [item];
  return fields.length === 0 ? [] : [{ ...item, fields, class: classOf(fields) }];
}

function patternOf(text: string): Pattern {
  const at = text.lastIndexOf('#/');
  const glob = at === -1 ? text : text.slice(0, at);
  return { text, names: addressPattern(glob), ...(at !== -1 && { pointer: text.slice(at + 1) }) };
}

/** Itself, or something that it is in. */
function namesObject({ names, pointer }: Pattern, address: Address): boolean {
  const parts = address.split('/');
  return pointer === undefined && parts.some((_part, index) => names(parts.slice(0, index + 1).join('/')));
}

function namesField({ names, pointer }: Pattern, address: Address, path: string): boolean {
  return pointer !== undefined && names(address) && (path === pointer || path.startsWith(`${pointer}/`));
}

function addressOfUnmanaged({ collection, kind, identity }: Unmanaged): Address {
  return addressOf(collection === kind ? null : collection.slice(0, -kind.length - 1), kind, identity);
}

function placeOf({ address, path = '' }: IgnoredDrift): string {
  return `${address}#${path}`;
}

function namesNothing(text: string): Diagnostic {
  return diagnose(
    'HW2601',
    `\`--ignore ${text}\` matches nothing that differs. Write an address as the report does, such as Site/shop/Caching#/smartCache or Site/*/Caching, or remove it.`,
  );
}
