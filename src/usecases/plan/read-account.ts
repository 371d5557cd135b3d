// In which order the account is read: roots, their binding, then every declared section at once.
import type { Address } from '../../model/address.ts';
import { addressOf, compareText } from '../../model/address.ts';
import type { Desired, DesiredCollection } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { JsonObject } from '../../model/json.ts';
import type { EmitEvent } from '../../model/plan/event.ts';
import type { Collection, Kind, Member, PurchaseOrders, Registry } from '../../model/kind/kind.ts';
import { memberAddress, NOTHING_WANTED } from '../../model/kind/kind.ts';
import type { LedgerView } from '../../model/plan/ledger-view.ts';
import { ownedByCollection } from '../../model/plan/ledger-view.ts';
import type { Binding } from '../../planner/bind.ts';
import { bindRoots } from '../../planner/bind.ts';
import type { ReadCollection } from '../../planner/plan-input.ts';
import { kindOfCollection } from '../../planner/plan-input.ts';
import { isInFrozen } from '../../planner/collections/frozen.ts';
import { findRenames, renameView, withMovedEntries, withRenamed } from '../../planner/rename.ts';
import { withTakenValues } from '../../planner/taken-values.ts';
import { isGone } from '../../observe/root-probe.ts';
import type { Asker } from '../../observe/quotes.ts';
import { askQuotes } from '../../observe/quotes.ts';
import { findPurchaseOrders } from '../../observe/purchase-orders.ts';
import { whyFrozen } from '../../observe/root-probe.ts';
import { readCollection } from '../../observe/read-live.ts';
import { withLedgerMembers } from '../../observe/from-ledger.ts';
import type { Reader } from '../../observe/reader.ts';
import { createReader } from '../../observe/reader.ts';
import { ApiError } from '../../platform/api-error.ts';
import type { Client } from '../../platform/http.ts';
import { sideBySide } from '../side-by-side.ts';

export interface LiveRequest {
  readonly client: Pick<Client, 'read'> & Asker;
  readonly account: string;
  readonly registry: Registry;
  readonly declared: readonly DesiredCollection[];
  readonly ledger: LedgerView;
  readonly emit: EmitEvent;
  /** Requests in flight at most; twice as many sections are looked at side by side. */
  readonly concurrency: number;
  /** Where nothing is read below a root whose list does not show that it is locked, one read asks for that. */
  readonly asksLocked?: true;
  /** Only these roots are looked at. Absent: all that are declared. */
  readonly within?: ReadonlySet<Address>;
  /** Objects that this run created: what the ledger has of them, this run wrote. */
  readonly created?: ReadonlySet<Address>;
  /** What is known already, by collection, such as what an earlier look found to be unavailable: it is not asked for. */
  readonly known?: ReadonlyMap<string, Collection>;
  /** Ids of unbound paid objects and orders that block no purchase. Absent: purchases are not checked for them. */
  readonly dismissed?: ReadonlySet<string>;
}

export interface LiveAccount {
  /**
   * What is declared, with the values in it that are taken from other objects and are known, and in the words of the
   * live objects.
   */
  readonly declared: readonly DesiredCollection[];
  readonly observed: ReadonlyMap<string, Collection>;
  readonly bound: ReadonlyMap<Address, Member>;
  /** The ledger with each entry under the address that its live object has now. */
  readonly ledger: LedgerView;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads what the manifests declare, with the fewest requests: lists once, then the sections of bound sites together.
 */
export async function readAccount(whole: LiveRequest): Promise<LiveAccount> {
  const below = new Set<string>();
  const client: LiveRequest['client'] = {
    ...whole.client,
    read: (path, options) => {
      below.add(ownerIn(path));
      return whole.client.read(path, options);
    },
  };
  const named = renameView(whole.ledger, findRenames(whole.declared, whole.ledger));
  const rootRequest = { ...whole, client, ledger: named, declared: declaredWithin(whole) };
  const reader = createReader(client);
  const { observed, bound, diagnostics } = await readRoots(whole.declared, rootRequest, readerOf(rootRequest, reader));
  const request = { ...rootRequest, ledger: withMovedEntries(named, bound) };
  const readOne = readerOf(request, reader);
  const sections = sectionsToRead(request, bound);
  const filled = await readSections(request, { observed, bound }, sections, (declared) =>
    readOne(declared, bound.get(declared.parent as Address) ?? null),
  );
  freezeRoots(sections, observed, bound);
  if (request.asksLocked === true) await freezeLocked(request, bound, below);
  return {
    declared: request.declared.map((declared) => filled.get(declared.collection) ?? declared),
    observed,
    bound,
    ledger: request.ledger,
    diagnostics,
  };
}

function readerOf(request: LiveRequest, reader: Reader): ReadOne {
  const owned = ownedByCollection(request.ledger);
  return (declared, parent) => read(request, declared, parent, owned, reader);
}

type ReadOne = (declared: DesiredCollection, parent: Member | null) => Promise<Collection>;

/** Reads the lists of roots, and finds which live root each manifest means. `all`: everything that is declared. */
async function readRoots(
  all: LiveRequest['declared'],
  request: LiveRequest,
  readOne: ReadOne,
): Promise<{
  readonly observed: Map<string, Collection>;
  readonly bound: Map<Address, Member>;
  readonly diagnostics: readonly Diagnostic[];
}> {
  const observed = new Map<string, Collection>();
  const bound = new Map<Address, Member>();
  const diagnostics: Diagnostic[] = [];
  for (const declared of request.declared.filter(({ parent }) => parent === null)) {
    const kind = kindOfCollection(request, declared);
    const live = withLedgerMembers(kind, await readOne(declared, null), () => request.ledger.objects.values());
    observed.set(declared.collection, live);
    if (live.state !== 'read') continue;
    const binding = bindAmong({ ...request, declared: all }, declared, live);
    const confirmed = await Promise.all(
      [...binding.bound].map(
        async ([address, member]) => [address, await verifyBinding(request, kind, address, member)] as const,
      ),
    );
    for (const [address, member] of confirmed) bound.set(address, member);
    diagnostics.push(...binding.diagnostics);
    for (const address of await findGone(request, declared, binding.bound)) bound.delete(address);
    const coming = rootsToQuote(request, declared, live, bound);
    const quotes = await askQuotes(kind, coming, request.client);
    const purchases = coming.length === 0 ? undefined : await readPurchases(request, kind, live);
    if (quotes !== undefined || purchases !== undefined)
      observed.set(declared.collection, {
        ...live,
        ...(quotes !== undefined && { quotes }),
        ...(purchases !== undefined && { purchases }),
      });
  }
  return { observed, bound, diagnostics };
}

/**
 * Returns the member, verified where the view of the order that the ledger names shows that the account bought it. The
 * platform shows an account only its own orders (ORD-03, ORD-05).
 */
async function verifyBinding(
  { ledger, client, registry }: LiveRequest,
  kind: Kind,
  address: Address,
  member: Member,
): Promise<Member> {
  const { unverified, ...verified } = member;
  const order = ledger.objects.get(address)?.outputs.order;
  const { paid } = kind.capabilities;
  if (isNeverWritten(kind, registry)) return verified;
  if (unverified === undefined || paid === undefined || order === undefined) return member;
  try {
    const view = await client.read(`/api/orders/${encodeURIComponent(order)}`);
    return paid.ordered(view)?.id === member.id ? verified : member;
  } catch (error) {
    if (error instanceof ApiError && error.kind !== 'unauthorised') return member;
    throw error;
  }
}

/** Reads the orders that may be an earlier purchase of this kind; undefined where that is not checked. */
async function readPurchases(
  { ledger, dismissed, client }: LiveRequest,
  kind: Kind,
  { members }: ReadCollection,
): Promise<PurchaseOrders | undefined> {
  if (dismissed === undefined || kind.capabilities.paid === undefined) return undefined;
  const outputs = [
    ...[...ledger.objects.values()].map((object) => object.outputs),
    ...ledger.inFlight.flatMap(({ answered }) => Object.values(answered)),
  ];
  return findPurchaseOrders({
    kind,
    listed: new Set(members.map(({ id }) => id)),
    known: new Set([
      ...dismissed,
      ...[...ledger.objects.values()].map(({ id }) => id),
      ...outputs.flatMap(({ order, id }) => [order, id].filter((value) => value !== undefined)),
    ]),
    carts: ledger.inFlight.flatMap(({ answered }) =>
      Object.values(answered).flatMap(({ cart, order }) => (cart === undefined || order !== undefined ? [] : [cart])),
    ),
    client,
  });
}

/** Whether no request changes or deletes an object of this kind or anything in it, so that its binding needs no evidence. */
function isNeverWritten({ kind, update, remove }: Kind, registry: Registry): boolean {
  return (
    Object.keys(update).length === 0 &&
    remove === undefined &&
    [...registry.values()].every(({ parent }) => parent !== kind)
  );
}

/** Those of bound roots, and of roots that the plan is going to make where their kind can be read before. */
function sectionsToRead(request: LiveRequest, bound: LiveAccount['bound']): readonly DesiredCollection[] {
  const created = new Set(
    request.declared
      .filter(({ parent }) => parent === null)
      .flatMap((declared) => rootsToCreate(request, declared, bound).map(({ address }) => address)),
  );
  return request.declared
    .filter(
      (declared) =>
        declared.parent !== null &&
        !isInFrozen(request.registry, declared.parent, bound) &&
        (bound.has(declared.parent) ||
          (created.has(declared.parent) && kindOfCollection(request, declared).beforeParent === 'read')),
    )
    .sort((left, right) => compareText(left.collection, right.collection));
}

/**
 * A root that a read in it shows to be locked as a whole is frozen as if its own list had said so: nothing paid is sent
 * to it (SIT-08, GAP-08).
 */
function freezeRoots(
  sections: readonly DesiredCollection[],
  observed: LiveAccount['observed'],
  bound: Map<Address, Member>,
): void {
  for (const { collection, parent } of sections) {
    const live = observed.get(collection);
    if (live?.state !== 'blocked' || live.root === undefined) continue;
    const owner = bound.get(parent as Address);
    if (owner !== undefined) bound.set(parent as Address, { ...owner, frozen: live.root });
  }
}

/** `/api/sites/1/domains` is below `/api/sites/1`. */
function ownerIn(path: string): string {
  return path.split('/', 4).join('/');
}

/** Of roots below which nothing was read, whether they are locked: nothing else would tell (SIT-08). */
async function freezeLocked(
  request: LiveRequest,
  bound: Map<Address, Member>,
  below: ReadonlySet<string>,
): Promise<void> {
  const asked = request.declared.flatMap((declared) => {
    const { probe } = kindOfCollection(request, declared).capabilities;
    if (probe === undefined) return [];
    return declared.members
      .filter(({ lifecycle }) => lifecycle.state === 'present')
      .flatMap(({ address }) => {
        const member = bound.get(address);
        if (member === undefined || below.has(ownerIn(probe.path(member.id)))) return [];
        return [{ address, member, probe }];
      });
  });
  await Promise.all(
    asked.map(async ({ address, member, probe }) => {
      const frozen = await whyFrozen(probe, member.id, request.client);
      if (frozen !== null) bound.set(address, { ...member, frozen });
    }),
  );
}

/** What is declared of the roots that are looked at. */
function declaredWithin({ declared, within }: LiveRequest): readonly DesiredCollection[] {
  if (within === undefined) return declared;
  return declared.flatMap((collection) => {
    if (collection.parent !== null) return within.has(collection.parent) ? [collection] : [];
    const members = collection.members.filter(({ address }) => within.has(address));
    return members.length === 0 ? [] : [{ ...collection, members }];
  });
}

/**
 * Binds the roots that are looked at. The others are bound first, so that one that means the same live object is told
 * of, and then left alone.
 */
function bindAmong({ declared: all, ledger }: LiveRequest, declared: DesiredCollection, live: ReadCollection): Binding {
  const own = new Set(declared.members.map(({ address }) => address));
  const others = all
    .filter(({ collection }) => collection === declared.collection)
    .flatMap(({ members }) => members.filter(({ address }) => !own.has(address)));
  const { bound, diagnostics } = bindRoots(
    { ...declared, members: [...others, ...declared.members] },
    live.members,
    ledger,
  );
  return {
    bound: new Map([...bound].filter(([address]) => own.has(address))),
    diagnostics: diagnostics.filter(({ address = '' }) => own.has(address)),
  };
}

/**
 * Reads sections into `observed`; gives those that took values from other objects, or are written otherwise than live,
 * as they are meant.
 */
async function readSections(
  request: LiveRequest,
  { observed, bound }: { readonly observed: Map<string, Collection>; readonly bound: LiveAccount['bound'] },
  sections: readonly DesiredCollection[],
  readOne: (declared: DesiredCollection) => Promise<Collection>,
): Promise<ReadonlyMap<string, DesiredCollection>> {
  const filled = new Map<string, DesiredCollection>();
  const readFilled = async (declared: DesiredCollection): Promise<Collection> => {
    const whole =
      declared.unresolved === undefined
        ? declared
        : withTakenValues(declared.unresolved, { ...request, observed, bound });
    if ('state' in whole) return whole;
    filled.set(whole.collection, whole);
    return withRenamed(kindOfCollection(request, whole), whole, await readOne(whole));
  };
  let done = 0;
  // Site by site, a few at a time: what is computed from a list that is there already is done while other answers are
  // on their way.
  const readAll = (these: readonly DesiredCollection[]) =>
    sideBySide(these, 2 * request.concurrency, async (declared) => {
      const live = await readFilled(declared);
      observed.set(declared.collection, live);
      const { asNamedLive } = kindOfCollection(request, declared).capabilities;
      if (asNamedLive !== undefined && live.state === 'read')
        filled.set(declared.collection, inLiveWords(asNamedLive, filled.get(declared.collection) ?? declared, live));
      done += 1;
      request.emit({ type: 'reading', done, total: sections.length });
    });
  await readAll(sections.filter(({ unresolved }) => unresolved === undefined));
  // What takes values from other objects is filled in when those are read.
  await readAll(sections.filter(({ unresolved }) => unresolved !== undefined));
  return filled;
}

/** What is declared, in the words of the live objects. */
function inLiveWords(
  asNamedLive: NonNullable<Kind['capabilities']['asNamedLive']>,
  declared: DesiredCollection,
  live: ReadCollection,
): DesiredCollection {
  const members = declared.members.map((desired) => {
    const member = live.members.find(({ identity }) => identity === desired.identity);
    return member === undefined
      ? desired
      : { ...desired, spec: { ...desired.spec, ...asNamedLive(desired.spec, member) } as JsonObject };
  });
  return { ...declared, members };
}

/** The live object that is wanted here, as this reading shows it; none where several have its name. */
export function memberOf(account: LiveAccount, { address, parent, kind, identity }: Desired): Member | undefined {
  if (parent === null) return account.bound.get(address);
  const collection = account.observed.get(addressOf(parent, kind, null));
  const found = collection?.state === 'read' ? collection.members.filter((member) => member.identity === identity) : [];
  return found.length === 1 ? found[0] : undefined;
}

/** Roots that the plan is going to make: what stands in the way of what will be in them can be read already. */
function rootsToCreate(
  request: LiveRequest,
  declared: DesiredCollection,
  bound: ReadonlyMap<Address, Member>,
): readonly Desired[] {
  const { create } = kindOfCollection(request, declared);
  if (create === undefined) return [];
  return declared.members.filter(
    ({ address, lifecycle, spec }) =>
      !bound.has(address) &&
      lifecycle.state === 'present' &&
      (create.refuse?.(spec, null, NOTHING_WANTED) ?? null) === null,
  );
}

/**
 * Of those, the ones that nothing known stands in the way of; what an earlier run has begun to make is asked about no
 * more.
 */
function rootsToQuote(
  request: LiveRequest,
  declared: DesiredCollection,
  live: ReadCollection,
  bound: ReadonlyMap<Address, Member>,
): readonly Desired[] {
  const begun = new Set(request.ledger.inFlight.map(({ action }) => action.address));
  return rootsToCreate(request, declared, bound).filter(
    ({ address, identity }) => !begun.has(address) && !Object.hasOwn(live.blockers, identity),
  );
}

/** Roots that are wanted absent and that their list still shows although they are gone. */
async function findGone(
  request: LiveRequest,
  declared: DesiredCollection,
  bound: ReadonlyMap<Address, Member>,
): Promise<readonly Address[]> {
  const kind = kindOfCollection(request, declared);
  const asked = declared.members
    .filter(({ lifecycle }) => lifecycle.state === 'absent')
    .flatMap(({ address }) => (bound.has(address) ? [{ address, id: (bound.get(address) as Member).id }] : []));
  const gone = await Promise.all(asked.map(({ id }) => isGone(kind, id, request.client)));
  return asked.filter((_, index) => gone[index]).map(({ address }) => address);
}

function read(
  request: LiveRequest,
  declared: DesiredCollection,
  parent: Member | null,
  owned: ReadonlyMap<string, ReadonlySet<string>>,
  reader: Reader,
): Promise<Collection> {
  const known = request.known?.get(declared.collection);
  if (known !== undefined) return Promise.resolve(known);
  const kind = kindOfCollection(request, declared);
  const ids = declared.members.flatMap(({ address, boundId }) =>
    (declared.parent === null ? [boundId, request.ledger.objects.get(address)?.id] : []).filter(
      (id) => id !== undefined,
    ),
  );
  return readCollection(
    {
      kind,
      declared,
      parent,
      owned: owned.get(declared.collection) ?? new Set(),
      account: request.account,
      ids,
      idOf: (identity) => request.ledger.objects.get(memberAddress(declared, kind, identity))?.id,
    },
    reader,
  );
}
