// Fields that an update of ours set and that no manifest declares any more, such as after a revert. Which of them have to
// be compared with the account, and which still have the value that was set. Pure.
import type { Address } from '../../model/address.ts';
import { collectionOf, compareText, kindOf, parseAddress, rootOf } from '../../model/address.ts';
import { groupBy } from '../../model/common/lists.ts';
import type { Desired, DesiredCollection } from '../../model/desired.ts';
import type { Json } from '../../model/json.ts';
import { escapePointer, isJsonObject, sameJson, valueAt } from '../../model/json.ts';
import type { Collection, Kind, Member, Registry } from '../../model/kind/kind.ts';
import type { HistoryAction, RunHistory } from '../../model/plan/history.ts';
import { runsIn } from '../../model/plan/history.ts';
import type { LedgerView } from '../../model/plan/ledger-view.ts';
import type { Released } from '../../model/plan/orphaned.ts';
import { fieldIn } from '../../model/plan/plan.ts';

/** A field that a run set; `first`: its value before the first recorded change. */
interface Setting extends Released {
  readonly first: Json | undefined;
}

export interface ReleasedInput {
  readonly registry: Registry;
  readonly declared: readonly DesiredCollection[];
  readonly ledger: Pick<LedgerView, 'objects' | 'history' | 'inFlight'>;
}

/** Returns the undeclared fields by collection, in order. Secrets and personal values are not in the history. */
export function findReleased({ registry, declared, ledger }: ReleasedInput): ReadonlyMap<string, readonly Setting[]> {
  if (ledger.history === undefined || ledger.history.length === 0) return new Map();
  const lists = new Map(declared.map((list) => [list.collection, list]));
  const members = new Map(declared.flatMap((list) => list.members.map((member) => [member.address, member] as const)));
  const begun = new Set(ledger.inFlight.map(({ action }) => action.address));
  const found = [...settingsIn(runsIn({ history: ledger.history, inFlight: ledger.inFlight }), registry)]
    .filter(
      ({ address, path }) =>
        ledger.objects.get(address)?.owned === true &&
        !begun.has(address) &&
        members.get(rootOf(address))?.lifecycle.state === 'present' &&
        isUndeclared(
          registry.get(kindOf(address)) as Kind,
          lists.get(collectionOf(address)),
          members.get(address),
          path,
        ),
    )
    .sort((left, right) => compareText(left.address, right.address) || compareText(left.path, right.path));
  return groupBy(found, ({ address }) => collectionOf(address));
}

/** Replays the updates of all runs, the oldest first: for each field the last value that a run set. */
function settingsIn(runs: readonly RunHistory[], registry: Registry): Iterable<Setting> {
  const settings = new Map<Address, Map<string, Setting>>();
  for (const { run, startedAtMs, actions } of [...runs].reverse())
    for (const action of actions) {
      if (action.result !== 'done') continue;
      const { address, verb } = action;
      if (verb !== 'update') {
        for (const other of settings.keys())
          if (other === address || other.startsWith(`${address}/`)) settings.delete(other);
        continue;
      }
      const kind = registry.get(kindOf(address));
      if (kind === undefined) continue;
      const fields = settings.get(address) ?? new Map<string, Setting>();
      settings.set(address, fields);
      const at = new Date(startedAtMs).toISOString();
      for (const { path, was, value } of leavesOf(kind, action)) {
        const earlier = fields.get(path);
        const first = earlier === undefined ? was : earlier.first;
        fields.set(path, { address, path, value, ...(was !== undefined && { was }), run, at, first });
      }
    }
  return [...settings.values()].flatMap((fields) => [...fields.values()]);
}

/** The single values that an update set in fields that a manifest can declare and an update can change. */
function leavesOf(
  kind: Kind,
  { changes }: HistoryAction,
): readonly { readonly path: string; readonly was: Json | undefined; readonly value: Json }[] {
  const leaves = (
    path: string,
    was: Json | undefined,
    value: Json,
  ): readonly { readonly path: string; readonly was: Json | undefined; readonly value: Json }[] =>
    isJsonObject(value) && Object.keys(value).length > 0
      ? Object.entries(value).flatMap(([key, item]) =>
          leaves(`${path}/${escapePointer(key)}`, isJsonObject(was) ? was[key] : undefined, item),
        )
      : [{ path, was, value }];
  return changes.flatMap(({ path, was, value, hidden }) => {
    const field = kind.fields[fieldIn(path)];
    const isSetting = field?.rule === 'updatable' && field.shape !== 'position' && !('implied' in field);
    return hidden === true || value === undefined || !isSetting ? [] : leaves(path, was, value);
  });
}

function isUndeclared(
  { list: form }: Kind,
  list: DesiredCollection | undefined,
  member: Desired | undefined,
  path: string,
): boolean {
  if (list?.unresolved !== undefined) return false;
  if (member !== undefined) return member.lifecycle.state === 'present' && !isDeclared(member.spec, path);
  // An item that a declared list does not contain is deleted or orphaned.
  return list === undefined || list.partial || form === 'singleton' || form === 'platform-defined';
}

/** True where the spec has a value at the path, or one in place of an object that the path leads through. */
function isDeclared(spec: Json, path: string): boolean {
  const tokens = path.split('/').slice(1);
  return tokens.some((_token, depth) => {
    const value = valueAt(spec, `/${tokens.slice(0, depth + 1).join('/')}`);
    return value !== undefined && (depth === tokens.length - 1 || !isJsonObject(value));
  });
}

/**
 * Returns the settings of one collection that the account still has, without those that are as before the first change.
 * `root`: of the settings of a root, the live object; null where it is not on the account.
 */
export function releasedIn(settings: readonly Setting[], live: Collection, root?: Member | null): readonly Released[] {
  const members = live.state === 'read' ? live.members : [];
  return settings.flatMap(({ first, ...setting }) => {
    const { address, path, value } = setting;
    const name = parseAddress(address)?.at(-1)?.name ?? undefined;
    const member = root === undefined ? members.find((one) => name === undefined || one.identity === name) : root;
    const current = valueAt(member?.spec, path);
    if (current === undefined || member?.doubt !== undefined) return [];
    return sameJson(current, value) && (first === undefined || !sameJson(current, first)) ? [setting] : [];
  });
}
