// One root planned and applied by itself, by whoever asks for one at a time: the same plan and the same run as for a
// whole workspace.
import type { Address } from '../../model/address.ts';
import { addressOf, kindOf } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { Collection } from '../../model/kind/kind.ts';
import type { LedgerView } from '../../model/plan/ledger-view.ts';
import type { Outcome } from '../../model/plan/outcome.ts';
import type { Action, Plan, Verb } from '../../model/plan/plan.ts';
import { showPrice } from '../../model/price.ts';
import { registry } from '../../areas/index.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { recordBindings } from '../../ledger/ledger.ts';
import { changedFields } from '../../model/plan/plan.ts';
import { createRedactor } from '../../platform/redact.ts';
import { applyDeclared, withNotices } from '../apply/apply.ts';
import { notRecorded } from '../apply/run.ts';
import { withReadCaches } from '../apply/read-caches.ts';
import type { Opened } from '../client.ts';
import type { LiveAccount } from '../plan/read-account.ts';
import { planLive } from '../plan/plan.ts';
import type { RootAccess, DeclaredRoot } from './live-root.ts';
import type { Snapshot } from './snapshot.ts';
import { viewWith } from './snapshot.ts';

export interface RootPlan {
  /** Absent when there are errors. */
  readonly plan?: Plan;
  readonly live?: LiveAccount;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * A plan for one root. What the snapshot remembers is not read again, so that the same snapshot gives the same plan; what
 * it cannot know (a section, or a member of one, that was not declared then) is read.
 */
export async function planRoot(
  access: RootAccess,
  root: DeclaredRoot,
  snapshot: Snapshot | undefined,
): Promise<RootPlan> {
  const ledger = viewWith(access.ledger, snapshot);
  const found = await planLive({
    isPartOfAccount: true,
    ...access,
    declared: root.declared,
    ledger,
    targets: [],
    notices: [],
    unfinishedOf: new Set([root.address]),
    known: snapshot === undefined ? new Map() : knownIn(snapshot, root, ledger),
  });
  const { plan, live, unreachable } = found;
  if (unreachable !== undefined) return { diagnostics: [unreachable] };
  const diagnostics = found.diagnostics;
  if (plan === undefined || hasErrors(diagnostics)) return { diagnostics };
  return { plan, ...(live !== undefined && { live }), diagnostics };
}

/** What only one root of an account can have, by kind and name: `SiteDomain/www.example.com`. */
export function ownNames({ declared }: DeclaredRoot): readonly string[] {
  return declared
    .filter(({ kind, parent }) => parent !== null && registry.get(kind)?.list === 'additive')
    .flatMap(({ kind, members }) => members.map(({ identity }) => `${kind}/${identity}`));
}

/** The same of what a look has seen to be as declared. */
export function namesIn({ observed }: Snapshot): readonly string[] {
  return Object.entries(observed).flatMap(([at, live]) => {
    const kind = kindOf(at);
    return live.state === 'read' && registry.get(kind)?.list === 'additive'
      ? live.members.map(({ identity }) => `${kind}/${identity}`)
      : [];
  });
}

function knownIn(
  { address, member, observed }: Snapshot,
  root: DeclaredRoot,
  { objects }: Pick<LedgerView, 'objects'>,
): ReadonlyMap<string, Collection> {
  const roots = root.declared.flatMap(({ parent, members }) => (parent === null ? members : []));
  // Beside another root, such as one that something is taken from, the list of all is read.
  const known = new Map<string, Collection>(
    roots.length > 1 ? [] : [[kindOf(address), { state: 'read', members: [member], blockers: {} }]],
  );
  for (const { collection, kind, members } of root.declared) {
    const live = observed[collection];
    if (live === undefined) continue;
    if (live.state !== 'read') continue;
    const there = new Set(live.members.map(({ identity }) => identity));
    const wanted = new Set(members.map(({ identity }) => identity));
    // Before something is taken out of a list that others write to as well, more of it is asked than a look does.
    const isLeft = live.members.some(
      ({ identity }) => !wanted.has(identity) && objects.has(addressOf(address, kind, identity)),
    );
    if (isLeft && registry.get(kind)?.list === 'additive') continue;
    if (members.every(({ identity }) => there.has(identity))) known.set(collection, live);
  }
  return known;
}

/** What an action does, in one line. */
export function lineOf({ verb, address, reason, cost }: Action, root: Address): string {
  return `${verb} ${insideOf(root, address)}: ${reason}${cost === undefined ? '' : ` (${showPrice(cost)})`}`;
}

const DONE: Readonly<Record<Verb, string>> = { create: 'created', update: 'changed', delete: 'deleted' };

/** What was done, one line an action. A plan shows it as what is no more: nothing of it may read as if it was to come. */
function doneLines({ actions }: Outcome, plan: Plan | undefined, root: Address): readonly string[] {
  const planned = new Map((plan?.actions ?? []).map((action) => [action.address, action]));
  return actions
    .filter(({ result }) => result === 'done' || result === 'already-done')
    .map(({ address, verb }) => {
      const { changes = [], cost } = planned.get(address) ?? {};
      const fields = verb === 'update' ? changedFields(changes).map((field) => `\`${field}\``) : [];
      const which = fields.length === 0 ? '' : `: ${fields.join(', ')}`;
      return `${DONE[verb]} ${insideOf(root, address)}${which}${cost === undefined ? '' : ` (${showPrice(cost)})`}`;
    });
}

function insideOf(root: Address, address: Address): string {
  return decodeURIComponent(address === root ? kindOf(root) : address.slice(root.length + 1));
}

export interface RootRun extends Opened {
  /** Open; it stays so. */
  readonly ledger: Ledger;
  readonly root: DeclaredRoot;
  readonly snapshot: Snapshot | undefined;
  /**
   * Digests of the actions that were planned: any other is a conflict, and nothing is sent. Absent: making it was begun
   * before and goes on, with all that comes after it, but for what deletes or charges.
   */
  readonly approved?: readonly string[];
  /** Told which locks it needs no more, while it goes on. */
  readonly release: (locks: readonly string[]) => void;
  readonly waitsForNobody?: true;
}

export interface AppliedRoot {
  readonly outcome: Outcome;
  readonly view: LedgerView;
  /** What was done, one line an action. */
  readonly lines: readonly string[];
}

/** What guards count was counted when everything was planned; no ceiling holds a single root back any more. */
const COUNTED_BEFORE = { allowDeletes: Number.MAX_SAFE_INTEGER, allowCharges: Number.MAX_SAFE_INTEGER };

/** What nobody planned neither deletes nor charges. */
const NOTHING_COUNTED = { allowDeletes: 0, allowCharges: 0 };

/** Plans again, holds that against what was planned, and runs it to the end. */
export async function applyRoot({
  session,
  workspace,
  client,
  ledger,
  root,
  snapshot,
  approved,
  release,
  waitsForNobody,
}: RootRun): Promise<AppliedRoot> {
  const ceilings = approved === undefined ? NOTHING_COUNTED : COUNTED_BEFORE;
  const known = ledger.view().objects;
  const remembered = (snapshot?.objects ?? []).filter(({ address }) => !known.has(address));
  await recordBindings(ledger, remembered);
  const result = await applyDeclared({
    session,
    options: {
      ...(approved !== undefined && { approved }),
      ...ceilings,
      confirm: () => Promise.resolve(true),
    },
    workspace: { ...workspace, guards: ceilings },
    declared: root.declared,
    ...withReadCaches(client, session.clock),
    redactor: createRedactor(),
    ledger,
    runId: session.runtime.uuid(),
    diagnostics: [],
    within: new Set([root.address]),
    isPartOfAccount: true,
    release,
    ...(waitsForNobody !== undefined && { waitsForNobody }),
  });
  // The ledger stays open, and nobody knows whether another run follows.
  const { outcome } = withNotices(result, await ledger.append().then(() => [], notRecorded));
  return { outcome, view: ledger.view(), lines: doneLines(outcome, result.plan, root.address) };
}
