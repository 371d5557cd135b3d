// The use case `history undo`: the manifests say again what a run changed, as it was before that run. Only files are
// written; a plan shows what it comes to, and it is reviewed like any other change.
import type { Address } from '../../model/address.ts';
import { addressOf, collectionOf, kindOf, rootNameOf, rootOf } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose, hasErrors } from '../../model/diagnostic.ts';
import type { JsonObject } from '../../model/json.ts';
import { sameJson, valueAt, withValueAt } from '../../model/json.ts';
import type { Collection, Member } from '../../model/kind/kind.ts';
import { fieldsWith, isInState, positionOf } from '../../model/kind/kind.ts';
import type { HistoryAction, HistoryChange } from '../../model/plan/history.ts';
import { registry } from '../../areas/index.ts';
import type { Account, PlannedManifests } from '../account.ts';
import { drafted, planManifests, withAccount } from '../account.ts';
import { orStop, stopAtErrors } from '../client.ts';
import { readFields } from '../plan/released.ts';
import { readRuns } from './read.ts';
import type { Session } from '../session.ts';
import { openWorkspace } from '../workspace.ts';
import type { AcceptResult } from '../write/accept.ts';
import { changesAt } from '../write/accept.ts';
import type { Refused, SpecChange } from '../write/changes.ts';
import { declareFields, identityAt, withChanges } from '../write/changes.ts';
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
      const spec = specs.get(rootOf(address));
      const wanted = hindrance(action) ?? (await changesOf(account, before, action, spec));
      const changes =
        'reason' in wanted ? wanted : ((await findInvalid(account, objects, { address, changes: wanted })) ?? wanted);
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

/** Returns why the manifests would be invalid with the changes of one more object; undefined where they would not. */
async function findInvalid(
  account: Account,
  objects: readonly ObjectChanges[],
  object: ObjectChanges,
): Promise<Pick<Refused, 'reason'> | undefined> {
  if (object.changes.length === 0) return undefined;
  const { edits, diagnostics } = editsFor(account.opened, [...objects, object]);
  if (hasErrors(diagnostics)) return undefined;
  const error = (await drafted(account, { edits })).diagnostics.find(({ severity }) => severity === 'error');
  return error === undefined
    ? undefined
    : { reason: `a manifest cannot declare the former value: ${error.detail.replace(/\.$/, '')}` };
}

/** Returns the reason why no edit of a manifest reverts the action; undefined where an edit may. */
function hindrance({ address, verb, changes }: HistoryAction): Pick<Refused, 'reason'> | undefined {
  if (verb === 'delete' && address === rootOf(address))
    return { reason: 'it was deleted with its contents, and no manifest restores them' };
  if (verb === 'create' && address === rootOf(address))
    return { reason: 'its manifest created it: delete the object with `lifecycle: { state: absent }`' };
  return verb === 'update' && changes.some(({ hidden }) => hidden === true)
    ? { reason: 'it changed a secret or personal data, which the history does not contain' }
    : undefined;
}

/**
 * Returns the changes of the manifest that revert one action. The former value of a field that no manifest declares any
 * more becomes a new line, unless the account has that value already.
 */
async function changesOf(
  { workspace, ledger, reader, opened }: Account,
  before: PlannedManifests,
  action: HistoryAction,
  spec: JsonObject | undefined,
): Promise<readonly SpecChange[] | Pick<Refused, 'reason'>> {
  const { address, verb } = action;
  const collection = collectionOf(address);
  const fields = action.changes.map(({ path }) => ({ address, path }));
  const observed =
    verb === 'update' && fields.length > 0
      ? await readFields({ live: before.live, ledger, account: workspace.account }, { collection, fields }, reader)
      : before.live.observed.get(collection);
  const now = {
    ...before.live,
    ...(observed !== undefined && { observed: new Map([...before.live.observed, [collection, observed]]) }),
  };
  const then = asBefore(now, action);
  if (then === undefined) return { reason: 'it is not on the account' };
  const isSetting = verb === 'update' && !isInManifest(opened, address);
  const declared = isSetting ? [] : changesAt({ opened, plan: before.plan, live: then }, address, spec);
  if ('reason' in declared || verb !== 'update' || spec === undefined) return declared;
  const kind = registry.get(kindOf(address));
  const root = then.bound.get(rootOf(address));
  const [old, live] = [now, then].map((account) => liveObject(account, address));
  const list = then.observed.get(collection);
  if (kind === undefined || root === undefined || live === undefined || list?.state !== 'read') return declared;
  const isAsBefore = ({ path, was }: HistoryChange): boolean => {
    const value = valueAt(old?.spec, path);
    return value === undefined || was === undefined ? value === was : sameJson(value, was);
  };
  const paths = action.changes
    .filter((change) => change.path !== `/${positionOf(kind) ?? ''}` && !isAsBefore(change))
    .map(({ path }) => path);
  const name = rootNameOf(rootOf(address));
  return declareFields({ kind, name, spec, identity: live.identity, live, root, observed: list }, paths, declared);
}

/**
 * True for an object that a manifest declares, or that is an item of a declared list. Settings of an object that no
 * manifest declares are written one by one; an item that a list lost is written whole.
 */
function isInManifest({ declared }: Account['opened'], address: Address): boolean {
  const list = declared.find((one) => one.collection === collectionOf(address));
  const form = registry.get(kindOf(address))?.list;
  if (address === rootOf(address)) return true;
  if (form === 'additive' || form === 'authoritative') return list !== undefined && !list.partial;
  return list?.members.some((member) => member.address === address) === true;
}

/** Returns the live object of an address; undefined where the account does not have it. */
function liveObject({ bound, observed }: PlannedManifests['live'], address: Address): Member | undefined {
  const kind = registry.get(kindOf(address));
  const list = observed.get(collectionOf(address));
  if (kind === undefined || address === rootOf(address)) return bound.get(address);
  return list?.state === 'read'
    ? list.members.find(({ identity }) => identity === identityAt(kind, address))
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
  return diagnose(
    'HW6719',
    `${address}: ${reason}. docs/undo.md lists the effect of a revert for each kind of change.`,
    {
      address,
    },
  );
}
