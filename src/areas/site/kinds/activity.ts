// What the tasks of a site say of a change to it. Only where the documents say that such a change is a task (TSK-09);
// its name is not documented, so it fits where it names the thing. It must not read the free text of a task (TSK-04),
// nor take a task for proof.
import type { Json, JsonObject } from '../../../model/json.ts';
import { ANY_LIST, isJsonObject } from '../../../model/json.ts';
import { rowsAt } from '../../../model/kind/rows.ts';
import type { ActivityDefinition, HistoryEntry } from '../../../model/kind/capabilities/activity.ts';

/** What came to nothing changed nothing (TSK-02). */
const CAME_TO_NOTHING: readonly unknown[] = ['FAILED', 'CANCELLED'];

/** The history of a site, for a change whose task has one of these words in its name. */
export function siteActivity(wordsFor: (identity: string) => readonly string[]): ActivityDefinition {
  return {
    path: (site) => `/api/sites/${encodeURIComponent(site)}/tasks`,
    decode: (answer) => rowsAt(answer, ANY_LIST).flatMap(entryOf),
    fits: ({ name }, identity) => {
      const words = name.toLowerCase().split(/[^a-z0-9]+/);
      // Emptying a cache leaves its switch as it is (TSK-11).
      return !words.includes('purge') && wordsFor(identity).some((word) => words.includes(word));
    },
  };
}

function entryOf({
  id,
  name,
  status,
  created_at: created,
  performed_by: performer,
}: JsonObject): readonly HistoryEntry[] {
  const atMs = timeOf(created);
  if (typeof id !== 'number' && typeof id !== 'string') return [];
  if (typeof name !== 'string' || typeof status !== 'string' || atMs === undefined || CAME_TO_NOTHING.includes(status))
    return [];
  const by = isJsonObject(performer)
    ? [performer.name, performer.email].find((text) => typeof text === 'string' && text.trim() !== '')
    : undefined;
  return [{ id: String(id), name, status, atMs, ...(typeof by === 'string' && { by }) }];
}

/** In which form a time is written is not documented (GAP-14). */
function timeOf(value: Json | undefined): number | undefined {
  const atMs = typeof value === 'number' ? value * 1000 : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Math.abs(atMs) <= LATEST_MS ? atMs : undefined;
}

/** The last moment that a date can hold. */
const LATEST_MS = 8.64e15;
