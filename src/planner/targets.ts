// What a plan is limited to by its targets: actions on them and in them, and what those need.
import picomatch from 'picomatch';
import type { Address } from '../model/address.ts';
import type { Action } from '../model/plan/plan.ts';

/** Targets, and everything that one of them is in. */
interface TargetIndex {
  readonly targets: ReadonlySet<string>;
  readonly around: ReadonlySet<string>;
}

const indexes = new WeakMap<readonly Address[], TargetIndex>();

/** There may be as many targets as changed manifests, so they are looked up and not compared one by one. */
function indexOf(targets: readonly Address[]): TargetIndex {
  const known = indexes.get(targets) ?? { targets: new Set(targets), around: new Set(targets.flatMap(prefixesOf)) };
  indexes.set(targets, known);
  return known;
}

/** `A`, `A/b` and `A/b/C` of `A/b/C/d`. */
function prefixesOf(address: Address): readonly string[] {
  const parts = address.split('/');
  return parts.slice(1).map((_part, index) => parts.slice(0, index + 1).join('/'));
}

/** True for a target, what is in one, and what one is in. Without targets everything is one. */
export function isTargeted(address: Address, targets: readonly Address[]): boolean {
  return targets.length === 0 || indexOf(targets).around.has(address) || isInTarget(address, indexOf(targets));
}

/** True for a target, and what is in one. */
function isInTarget(address: Address, { targets }: TargetIndex): boolean {
  if (targets.has(address)) return true;
  for (let end = address.lastIndexOf('/'); end > 0; end = address.lastIndexOf('/', end - 1))
    if (targets.has(address.slice(0, end))) return true;
  return false;
}

/** Only the actions on these addresses, or in them, and all that those need. */
export function selectTargets(actions: readonly Action[], targets: readonly Address[]): readonly Action[] {
  if (targets.length === 0) return actions;
  const byAddress = new Map(actions.map((action) => [action.address, action]));
  const kept = new Set<Address>();
  const keep = (address: Address): void => {
    const action = byAddress.get(address);
    if (action === undefined || kept.has(address)) return;
    kept.add(address);
    for (const need of action.needs) keep(need.address);
  };
  const index = indexOf(targets);
  for (const { address } of actions) if (isInTarget(address, index)) keep(address);
  // What comes after others comes with any of them; those that are left out it does not wait for.
  const isKept = ({ address, hook, needs }: Action): boolean =>
    kept.has(address) || (hook === 'after' && needs.some((need) => kept.has(need.address)));
  return actions
    .filter(isKept)
    .map((action) =>
      action.hook === 'after' ? { ...action, needs: action.needs.filter((need) => kept.has(need.address)) } : action,
    );
}

/** Which addresses a pattern of `--target` or `--ignore` names: a glob; what is in them is the caller's to add. */
export function addressPattern(glob: string): (address: Address) => boolean {
  const matches = picomatch(glob, { dot: true, nonegate: true });
  // A name may hold what a pattern gives another meaning.
  return (address) => address === glob || matches(address);
}
