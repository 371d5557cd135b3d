// The use case `history undo`: the manifests say again what a run changed, as it was before that run. Only files are
// written; a plan shows what it comes to, and it is reviewed like any other change.
import type { Address } from '../../model/address.ts';
import { addressOf, collectionOf, kindOf, rootOf } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose, hasErrors } from '../../model/diagnostic.ts';
import type { JsonObject } from '../../model/json.ts';
import { withValueAt } from '../../model/json.ts';
import type { Collection, Member } from '../../model/kind/kind.ts';
import { fieldsWith, isInState, positionOf } from '../../model/kind/kind.ts';
import type { HistoryAction } from '../../model/plan/history.ts';
import { registry } from '../../areas/index.ts';
import type { PlannedManifests } from '../account.ts';
import { planManifests, withAccount } from '../account.ts';
import { orStop, stopAtErrors } from '../client.ts';
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
        left.push(...lacking(action));
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
  if (verb === 'delete' && address === rootOf(address))
    return 'it was deleted with all that was in it, and no lines of a manifest bring that back';
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
  if (verb === 'delete') {
    const there = observed.members.find((member) => member.identity === identity);
    if (there !== undefined && !isInState(kind, there, 'deleting')) return live;
    const others = observed.members.filter((member) => member !== there);
    const then = { ...observed, members: [...others, asDeleted(identity, changes)] };
    return { ...live, observed: new Map([...live.observed, [collection, then]]) };
  }
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

/** What was deleted, as far as the rows of the run hold it. */
function asDeleted(identity: string, changes: HistoryAction['changes']): Member {
  const kept = changes.filter(({ hidden, was }) => hidden !== true && was !== undefined);
  const spec = kept.reduce<JsonObject>((all, { path, was }) => withValueAt(all, path, was) as JsonObject, {});
  return { identity, id: '', spec, computed: {}, keys: [[identity]] };
}

/** Which values of something that was deleted are not written back; empty where all are. */
function lacking({ address, verb, changes }: HistoryAction): readonly Diagnostic[] {
  const fields = registry.get(kindOf(address))?.fields ?? {};
  const lost = [
    ...changes.filter(({ hidden }) => hidden === true).map(({ path }) => path.slice(1)),
    ...fieldsWith(fields, 'writeOnly'),
  ];
  if (verb !== 'delete' || lost.length === 0) return [];
  return [
    diagnose(
      'HW6748',
      `${address}: the history does not keep ${lost.join(', ')}. Run \`hostwright plan\`: where the object is made anew, it needs these values from the manifest, and its data does not come back.`,
      { address },
    ),
  ];
}

function notUndone(address: Address, reason: string): Diagnostic {
  return diagnose('HW6719', `${address}: ${reason}. See docs/undo.md for what a revert does with each kind of thing.`, {
    address,
  });
}
