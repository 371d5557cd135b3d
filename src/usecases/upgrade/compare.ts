// Whether two plans of one account, made by two versions of the program, come to the same: the same actions in the same
// order, the same requests, and nothing that only one of them cannot do. How it is worded is none of it.
import type { Json } from '../../model/json.ts';
import { sameJson } from '../../model/json.ts';
import type { Action, Plan } from '../../model/plan/plan.ts';
import type { PathTemplate, RequestStep, Template } from '../../model/plan/step.ts';

/** What differs, as lines before and after. */
export interface PlanDifference {
  /** The address of an object, or the part of the plan. */
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

/** Parts of a plan that name what is not done, and why it matters that both name the same. */
const LISTS = ['blocked', 'waiting', 'manual', 'deferred', 'unknown', 'orphaned', 'unmanaged'] as const;

/** Empty where the two come to the same. */
export function comparePlans(before: Plan, after: Plan): readonly PlanDifference[] {
  const addresses = [...new Set([...before.actions, ...after.actions].map(({ address }) => address))];
  const actions = addresses.flatMap((address): readonly PlanDifference[] => {
    const [old, now] = [before, after].map(({ actions: all }) => all.filter((action) => action.address === address));
    return differing(address, linesOf(old ?? []), linesOf(now ?? []));
  });
  const [oldOrder, order] = [before, after].map(({ actions: all }) => all.map(({ address }) => address));
  const both = (oldOrder ?? []).filter((address) => order?.includes(address));
  const moved = differing(
    'the order of the actions',
    both,
    (order ?? []).filter((address) => both.includes(address)),
  );
  const lists = LISTS.flatMap((list) => differing(list, addressesIn(before[list]), addressesIn(after[list])));
  return [...actions, ...moved, ...lists];
}

/** How many requests a plan has. */
export function requestsIn({ actions }: Plan): number {
  return actions.flatMap(requestsOf).length;
}

function differing(what: string, before: readonly string[], after: readonly string[]): readonly PlanDifference[] {
  return sameJson([...before], [...after]) ? [] : [{ what, before: textOf(before), after: textOf(after) }];
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

function linesOf(actions: readonly Action[]): readonly string[] {
  return actions.flatMap((action) => [
    `${action.verb}${action.protected ? ', protected' : ''}`,
    ...requestsOf(action).flatMap(({ method, path, body }) => [
      `${method} ${pathText(path)}`,
      ...(body === undefined ? [] : JSON.stringify(sorted(body), undefined, 2).split('\n')),
    ]),
  ]);
}

function requestsOf({ steps }: Action): readonly RequestStep[] {
  return steps.filter((step): step is RequestStep => step.do === 'request');
}

/** An id that an earlier answer gives is known by what gives it. */
function pathText(path: PathTemplate): string {
  return path.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join('');
}

function addressesIn(rows: readonly object[] = []): readonly string[] {
  return rows.map((row) => ('address' in row ? String(row.address) : JSON.stringify(row))).sort();
}

/** The order of keys in a body says nothing. */
function sorted(value: Template): Json {
  if (Array.isArray(value)) return value.map((item) => sorted(item as Template));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, item]) => [key, sorted(item as Template)]),
  );
}
