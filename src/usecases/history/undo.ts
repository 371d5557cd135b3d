// The use case `history undo`: the manifests say again what a run changed, as it was before that run. Only files are
// written; a plan shows what it comes to, and it is reviewed like any other change.
import type { Address } from '../../model/address.ts';
import { addressOf, collectionOf, kindOf, rootOf } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { JsonObject } from '../../model/json.ts';
import { withValueAt } from '../../model/json.ts';
import type { Collection } from '../../model/kind/kind.ts';
import { positionOf } from '../../model/kind/kind.ts';
import type { HistoryAction } from '../../model/plan/history.ts';
import { registry } from '../../areas/index.ts';
import type { PlannedManifests } from '../account.ts';
import { orStop, planManifests, stopAtErrors, withAccount } from '../account.ts';
import { readRuns } from './read.ts';
import type { Session } from '../session.ts';
import { openWorkspace } from '../workspace.ts';
import type { AcceptResult } from '../write/accept.ts';
import { changesAt } from '../write/accept.ts';
import { identityAt, withChanges } from '../write/changes.ts';
import type { ObjectChanges } from '../write/edits.ts';
import { editsFor } from '../write/edits.ts';
import { withoutMade } from '../write/made.ts';
import { save } from '../write/save.ts';

/** Writes what a run found into the manifests. `run`: its id, or the beginning of it. */
export async function undoRun(
  session: Session,
  { run, dryRun }: { readonly run: string; readonly dryRun: boolean },
): Promise<AcceptResult> {
  const { runs, diagnostics: read } = await readRuns(session, { run });
  if (runs === undefined || hasErrors(read)) return { diagnostics: read, requests: 0, written: false };
  const done = runs.flatMap(({ actions }) => actions.filter(({ result }) => result === 'done'));
  const result = await withAccount(session, await openWorkspace(session, []), async (account) => {
    const before = orStop(await planManifests(account));
    const specs = new Map(account.opened.manifests.map(({ kind, name, spec }) => [addressOf(null, kind, name), spec]));
    const objects: ObjectChanges[] = [];
    const left: Diagnostic[] = [];
    for (const action of done) {
      const { address } = action;
      const reason = hindrance(action);
      const then = reason === undefined ? asBefore(before.live, action) : undefined;
      const spec = specs.get(rootOf(address));
      const changes =
        then === undefined
          ? { reason: reason ?? 'it is not live any more' }
          : changesAt({ ...before, live: then }, address, spec);
      if ('reason' in changes) left.push(notUndone(address, changes.reason));
      else if (changes.length > 0) {
        specs.set(rootOf(address), withChanges(spec as JsonObject, changes));
        objects.push({ address, changes });
      }
    }
    const { edits, diagnostics } = editsFor(account.opened, objects);
    const made = await withoutMade(account, edits, 'error');
    return save({ edits, dryRun, reported: stopAtErrors([...left, ...diagnostics, ...made.diagnostics]) });
  });
  return { written: false, ...result };
}

/** Why lines of a manifest do not take it back. */
function hindrance({ address, verb, changes }: HistoryAction): string | undefined {
  if (verb === 'delete') return 'it was deleted, and the history does not keep all of it';
  if (verb === 'create' && address === rootOf(address))
    return 'its manifest made it: delete that, or say `lifecycle: { state: absent }`';
  return verb === 'update' && changes.some(({ hidden }) => hidden === true)
    ? 'it changed a secret, or something about a person, which the history does not keep'
    : undefined;
}

/** What is live, with one object as it was before; undefined where that object is not live. */
function asBefore(
  live: PlannedManifests['live'],
  { address, verb, changes }: HistoryAction,
): PlannedManifests['live'] | undefined {
  const kind = registry.get(kindOf(address));
  const collection = collectionOf(address);
  const observed = live.observed.get(collection);
  if (kind === undefined || observed?.state !== 'read') return undefined;
  const root = live.bound.get(address);
  const identity = root?.identity ?? identityAt(kind, address);
  const position = positionOf(kind);
  const members = observed.members.flatMap((member): typeof observed.members => {
    if (member.identity !== identity) return [member];
    if (verb === 'create') return [];
    const spec = changes
      .filter(({ path }) => path !== `/${position ?? ''}`)
      .reduce<JsonObject>((now, { path, was }) => withValueAt(now, path, was) as JsonObject, member.spec);
    return [{ ...member, spec }];
  });
  if (members.length === observed.members.length && verb === 'create') return undefined;
  const then: Collection = { ...observed, members };
  const now = members.find((member) => member.identity === identity);
  return {
    ...live,
    observed: new Map([...live.observed, [collection, then]]),
    ...(root !== undefined && now !== undefined && { bound: new Map([...live.bound, [address, { ...root, ...now }]]) }),
  };
}

function notUndone(address: Address, reason: string): Diagnostic {
  return {
    code: 'HW6719',
    severity: 'warning',
    summary: 'This is not undone',
    detail: `${address}: ${reason}. See docs/undo.md for what a revert does with each kind of thing.`,
    address,
  };
}
