// The plan as a document: its lists sorted and counted, its digest and its id; and the same of a part of a plan.
import type { Address } from '../model/address.ts';
import { collectionOf, compareText, parentOf, rootOf } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { actionSource, sortDiagnostics, toShare } from '../model/diagnostic.ts';
import type { Action, Deferred, Plan, PlanBlocker, PlanSummary } from '../model/plan/plan.ts';
import { PLAN_FORMAT, replaces } from '../model/plan/plan.ts';
import type { BoundObject, CollectionPlan, ListedBlocker } from './collections/collection-plan.ts';
import { digestInAccount, planDigest, planIdentity } from './digest.ts';
import type { PlanInput } from './plan-input.ts';
import { declaredCollection } from './plan-input.ts';
import { isTargeted } from './targets.ts';

/** What goes into the document: actions in execution order, their digests without the account, and all beside them. */
export interface PlanParts extends Omit<CollectionPlan, 'actions'> {
  readonly actions: readonly Action[];
  readonly deferred: readonly Deferred[];
}

/** The plan as a document. */
export function planDocument(input: PlanInput, parts: PlanParts): Plan {
  const { account, ledger, targets, covers, notices } = input;
  const actions = parts.actions.map((action) => ({ ...action, digest: digestInAccount(account, action.digest) }));
  const withSources = <Item extends PlanBlocker>(items: readonly Item[]): readonly Item[] =>
    targeted(items).map((item) => ({ ...item, ...sourceOf(input, item.address) }));
  const targeted = <Item extends { readonly address: Address }>(items: readonly Item[]): readonly Item[] =>
    items
      .filter(({ address }) => isTargeted(address, targets))
      .sort((left, right) => compareText(left.address, right.address));
  const blockersIn = (wanted: ListedBlocker['list']): readonly PlanBlocker[] =>
    parts.blockers.flatMap(({ list, ...blocker }) => (list === wanted ? [blocker] : []));
  const lists = {
    unmanaged: parts.unmanaged
      .filter(({ collection }) => isTargeted(collection, targets))
      .sort(
        (left, right) => compareText(left.collection, right.collection) || compareText(left.identity, right.identity),
      ),
    blocked: withSources(blockersIn('blocked')),
    unknown: withSources(blockersIn('unknown')),
    waiting: targeted(withInFlight(blockersIn('waiting'), input, actions)),
    manual: withSources(blockersIn('manual')),
    deferred: targeted(parts.deferred),
  };
  return identified({
    format: PLAN_FORMAT,
    ledgerSequence: ledger.sequence,
    account,
    summary: summarise(actions, lists, parts.unchanged),
    actions,
    bindings: neededBindings(actions, parts.bindings),
    ...lists,
    ...(covers !== undefined && { covers }),
    // A plan is kept, handed on and shown to others.
    notices: sortDiagnostics([...notices, ...parts.diagnostics]).map(toShare),
  });
}

/** Where an object is declared, or the list that it is in. */
function sourceOf(input: PlanInput, address: Address): Pick<PlanBlocker, 'source'> {
  const collection = declaredCollection(input, collectionOf(address)) ?? declaredCollection(input, address);
  const source = (collection?.members.find((member) => member.address === address) ?? collection)?.sourceOf('');
  return actionSource(source);
}

/**
 * Everything in flight, each once, in place of what waits by itself. What an earlier run owes is left out where this
 * plan owes it as well.
 */
function withInFlight(
  waiting: readonly PlanBlocker[],
  { ledger, unfinishedOf }: PlanInput,
  actions: readonly Action[],
): readonly PlanBlocker[] {
  const inFlight = ledger.inFlight.filter(({ action }) => unfinishedOf?.has(rootOf(action.address)) !== false);
  const addresses = new Set(inFlight.map(({ action }) => action.address));
  const owed = inFlight.filter(
    ({ action }) => action.hook !== 'after' || !actions.some(({ address }) => address === action.address),
  );
  return [
    ...waiting.filter(({ address }) => !addresses.has(address)),
    ...owed.map(({ action, reason, unanswered }) =>
      inFlightBlocker(
        {
          ...action,
          isUnknown: action.requests.some(({ name, once }) => name === unanswered && once === true),
        },
        reason,
        waiting.find(({ address }) => address === action.address),
      ),
    ),
  ];
}

/** `own`: what the live object itself waits for, such as a TXT record. Who can end the wait needs that most. */
function inFlightBlocker(
  { address, verb, isUnknown }: Pick<Action, 'address' | 'verb'> & { readonly isUnknown: boolean },
  reason = `its ${verb} is in flight from an earlier run`,
  own?: PlanBlocker,
): PlanBlocker {
  if (isUnknown)
    return {
      address,
      reason,
      remedy: `Run \`hostwright apply --resume\`, which looks for it once more. If that cannot tell, \`hostwright ledger confirm ${address}\` says what became of it.`,
    };
  if (own === undefined) return { address, reason, remedy: 'Run `hostwright apply --resume` to continue it.' };
  const remedy = `${own.remedy} \`hostwright apply --resume\` goes on waiting for it.`;
  return { ...own, reason: `${own.reason} (${reason})`, remedy };
}

/** A plan of these actions, as they are: nothing was compared with anything. */
export function planOf({
  account,
  ledgerSequence,
  actions,
  covers,
  notices = [],
}: Pick<Plan, 'account' | 'ledgerSequence' | 'actions' | 'covers'> & Partial<Pick<Plan, 'notices'>>): Plan {
  const lists = { unmanaged: [], blocked: [], unknown: [], waiting: [], manual: [], deferred: [] };
  return identified({
    format: PLAN_FORMAT,
    ledgerSequence,
    account,
    summary: summarise(actions, lists, 0),
    actions,
    bindings: {},
    ...lists,
    ...(covers !== undefined && { covers }),
    notices,
  });
}

/** Hashes are worked out when they are asked for: what hashes takes long to load, and a plan of nothing shows none. */
function identified({ format, ledgerSequence, account, ...rest }: Omit<Plan, 'planId' | 'digest'>): Plan {
  let digest: string | undefined;
  let planId: string | undefined;
  return {
    format,
    get planId() {
      return (planId ??= planIdentity({ format, ledgerSequence, account, digest: this.digest, ...rest }));
    },
    ledgerSequence,
    account,
    get digest() {
      return (digest ??= planDigest(rest.actions));
    },
    ...rest,
  };
}

/** Of a plan the actions that are kept, as a plan of its own. */
export function partOf(plan: Plan, isKept: (action: Action) => boolean): Plan {
  return withLists(plan, { ...plan, actions: plan.actions.filter(isKept) });
}

/** The plan with other lists in it, as a plan of its own. What is told of drift is no part of it. */
export function withLists(
  { planId: _planId, digest: _digest, drift: _drift, ignored: _ignored, ...plan }: Plan,
  lists: Pick<Plan, 'actions' | 'unmanaged' | 'blocked' | 'unknown' | 'waiting' | 'manual' | 'deferred'>,
): Plan {
  const { actions, unmanaged, blocked, unknown, waiting, manual, deferred } = lists;
  return identified({
    ...plan,
    summary: summarise(actions, lists, plan.summary.unchanged),
    actions,
    unmanaged,
    blocked,
    unknown,
    waiting,
    manual,
    deferred,
  });
}

/** The plan with more to tell. */
export function withNotices(plan: Plan, notices: readonly Diagnostic[]): Plan {
  return notices.length === 0
    ? plan
    : withLists({ ...plan, notices: sortDiagnostics([...plan.notices, ...notices]) }, plan);
}

function summarise(
  actions: readonly Action[],
  lists: Pick<Plan, 'unmanaged' | 'blocked' | 'unknown' | 'waiting' | 'manual'>,
  unchanged: number,
): PlanSummary {
  const count = (test: (action: Action) => boolean): number => actions.filter(test).length;
  const replaced = count(replaces);
  return {
    create: count(({ verb }) => verb === 'create'),
    update: count(({ verb }) => verb === 'update'),
    delete: count(({ verb }) => verb === 'delete'),
    ...(replaced > 0 && { replace: replaced }),
    charges: count(({ risk }) => risk.includes('charge')),
    restarts: count(({ risk }) => risk.includes('restart')),
    manual: lists.manual.length,
    waiting: lists.waiting.length,
    blocked: lists.blocked.length,
    unknown: lists.unknown.length,
    unmanaged: lists.unmanaged.length,
    unchanged,
  };
}

/** Ids of the objects that the actions touch, and of the objects that those belong to. */
function neededBindings(actions: readonly Action[], known: readonly BoundObject[]): Readonly<Record<Address, string>> {
  const wanted = new Set<Address>();
  for (const touched of actions.flatMap(({ address, expect }) => [
    address,
    ...(expect.from === undefined ? [] : [expect.from.address]),
  ])) {
    for (let own: Address | null = touched; own !== null; own = parentOf(own)) wanted.add(own);
  }
  const ids = known.filter(({ address }) => wanted.has(address)).map(({ address, id }) => [address, id] as const);
  return Object.fromEntries([...new Map(ids)].sort(([left], [right]) => compareText(left, right)));
}
