// The use case `drift`: a plan that says of everything that differs which side changed, and since when and by whom as
// far as the platform's history tells. Sends nothing but reads: one list for each parent of which something that has a
// history changed out of band.
import type { Address } from '../model/address.ts';
import { compareText, kindOf, parentOf } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { diagnose } from '../model/diagnostic.ts';
import type { DriftItem, ActivityEntry } from '../model/plan/drift.ts';
import type { Json } from '../model/json.ts';
import { ShapeError } from '../model/kind/rows.ts';
import type { ActivityDefinition, HistoryEntry } from '../model/kind/capabilities/activity.ts';
import { findDrift } from '../planner/drift/drift.ts';
import { ignoreDrift } from '../planner/drift/ignore.ts';
import { registry } from '../areas/index.ts';
import { ApiError } from '../platform/api-error.ts';
import { observedDrift } from './observed/drift.ts';
import type { Planned, PlanOptions, PlanResult } from './plan/plan.ts';
import { planWorkspace } from './plan/plan.ts';
import type { Session } from './session.ts';

export interface DriftOptions extends PlanOptions {
  /** Addresses with wildcards, each perhaps with `#` and a pointer to a field: left out of this run. Absent: nothing. */
  readonly ignore?: readonly string[];
}

/** A history is long; the newest entries are what somebody looks for. */
const MOST_ENTRIES = 5;

/** What no longer matches, or the diagnostics that forbid to say so. */
export function driftWorkspace(session: Session, options: DriftOptions = {}): Promise<PlanResult> {
  const { paths = [], ignore = [] } = options;
  return planWorkspace(session, options, async (planned) => {
    const { plan, live } = planned;
    const drift = findDrift({ plan, registry, ...live });
    const observed = await observedDrift(planned, { isPart: paths.length > 0 });
    const all = [...drift, ...observed.items].sort((one, other) => compareText(one.address, other.address));
    const left = ignoreDrift({ ...plan, drift: all }, ignore);
    const bound = new Map<Address, { readonly id: string }>([...observed.bound, ...live.bound]);
    const withHistory = await withActivity(planned.client, bound, left.plan.drift ?? []);
    return {
      plan: {
        ...left.plan,
        drift: withHistory.drift,
        ...(observed.notWatched !== undefined && { notWatched: observed.notWatched }),
      },
      diagnostics: [...observed.diagnostics, ...left.diagnostics, ...withHistory.diagnostics],
    };
  });
}

interface Asked {
  readonly item: DriftItem;
  readonly activity: ActivityDefinition;
  readonly path: string;
  readonly sinceMs: number;
}

async function withActivity(
  client: Planned['client'],
  bound: ReadonlyMap<Address, { readonly id: string }>,
  drift: readonly DriftItem[],
): Promise<{ readonly drift: readonly DriftItem[]; readonly diagnostics: readonly Diagnostic[] }> {
  const asked = drift.flatMap((item) => toBeAsked(item, bound));
  const paths = [...new Set(asked.map(({ path }) => path))];
  const answers = await Promise.all(
    paths.map(async (path) => [path, await client.read(path).catch(unanswered)] as const),
  );
  const answerTo = new Map<string, Json | Error>(answers);
  const diagnostics: Diagnostic[] = [];
  const found = new Map<DriftItem, readonly ActivityEntry[]>();
  for (const one of asked) {
    const entries = entriesIn(answerTo.get(one.path) as Json | Error, one.activity);
    if (entries instanceof Error) diagnostics.push(historyUnread(one.item.address, entries));
    else found.set(one.item, activityOf(one, entries));
  }
  return {
    drift: drift.map((item) =>
      (found.get(item)?.length ?? 0) === 0 ? item : { ...item, activity: found.get(item) as readonly ActivityEntry[] },
    ),
    diagnostics,
  };
}

/** Only of what surely changed out of band, and since a time that is known. */
function toBeAsked(item: DriftItem, bound: ReadonlyMap<Address, { readonly id: string }>): readonly Asked[] {
  const activity = registry.get(kindOf(item.address))?.capabilities.activity;
  const parent = bound.get(parentOf(item.address) ?? '');
  if (
    activity === undefined ||
    parent === undefined ||
    item.appliedAt === undefined ||
    !['drifted', 'both', 'undeclared'].includes(item.class)
  )
    return [];
  return [{ item, activity, path: activity.path(parent.id), sinceMs: Date.parse(item.appliedAt) }];
}

function activityOf({ item, activity, sinceMs }: Asked, entries: readonly HistoryEntry[]): readonly ActivityEntry[] {
  const identity = item.address.split('/').at(-1) as string;
  const fields = item.fields.filter((field) => field.class !== 'pending').map(({ path }) => path.slice(1));
  return entries
    .filter((entry) => entry.atMs > sinceMs && fields.some((field) => activity.fits(entry, identity, field)))
    .sort((left, right) => right.atMs - left.atMs)
    .slice(0, MOST_ENTRIES)
    .map(({ id, name, status, atMs, by }) => ({
      id,
      name,
      status,
      at: new Date(atMs).toISOString(),
      ...(by !== undefined && { by }),
    }));
}

function entriesIn(answer: Json | Error, activity: ActivityDefinition): readonly HistoryEntry[] | Error {
  if (answer instanceof Error) return answer;
  try {
    return activity.decode(answer);
  } catch (error) {
    if (error instanceof ShapeError) return error;
    throw error;
  }
}

/** What has no answer tells nothing of who it was; what differs is known all the same. */
function unanswered(error: unknown): Error {
  if (error instanceof ApiError) return error;
  throw error;
}

function historyUnread(address: Address, { message }: Error): Diagnostic {
  return diagnose('HW2602', `The history could not be read: ${message}. The differences themselves are complete.`, {
    address,
  });
}
