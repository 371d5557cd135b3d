// Which run a message asks for. The ledger tells which of our roots it is about, and what is our own doing.
import type { Address } from '../model/address.ts';
import { kindOf, parentOf, parseAddress } from '../model/address.ts';
import type { LedgerView } from '../model/plan/ledger-view.ts';
import type { EventKind, Message } from './messages.ts';
import type { RunRequest } from './run-request.ts';

/** What is to be known of an account to place an event. */
export interface KnownRoots {
  /** The root with this id, or with this name. */
  readonly rootOf: (kind: EventKind, id: string, name: string) => Address | undefined;
  /** A run of ours made it. */
  readonly isOurs: (address: Address) => boolean;
  /** A run of ours is about to make one, or was when it stopped. */
  readonly isBeingMade: (kind: EventKind) => boolean;
}

/** What the ledger knows of roots; nothing else of it is kept. */
export function rootsIn({ objects, inFlight }: Pick<LedgerView, 'objects' | 'inFlight'>): KnownRoots {
  const byKey = new Map<string, Address>();
  const ours = new Set<Address>();
  for (const { address, id, createdAtMs } of objects.values()) {
    if (parentOf(address) !== null) continue;
    const kind = kindOf(address);
    byKey.set(`${kind} id ${id}`, address);
    byKey.set(`${kind} name ${String(parseAddress(address)?.[0]?.name)}`, address);
    if (createdAtMs !== undefined) ours.add(address);
  }
  const made = new Set(
    inFlight
      .filter(({ action: { verb, address } }) => verb === 'create' && parentOf(address) === null)
      .map(({ action: { address } }) => kindOf(address)),
  );
  return {
    rootOf: (kind, id, name) =>
      byKey.get(`${kind} id ${id}`) ??
      // The name of a registration is the domain; that of a site is another one than in its manifest.
      (kind === 'DomainRegistration' ? byKey.get(`${kind} name ${name.toLowerCase()}`) : undefined),
    isOurs: (address) => ours.has(address),
    isBeingMade: (kind) => made.has(kind),
  };
}

/** With which something of ours begins. */
const BEGINS: ReadonlySet<string> = new Set(['created', 'registered', 'transferred_in']);
/** After which a name may be lost: somebody is to be told, whatever the manifests say. */
const ALARMS: ReadonlySet<string> = new Set(['expired', 'redemption', 'transferred_out', 'auto_renew_disabled']);

/** The run that a message asks for, or why it asks for none. */
export function runFor(
  { says, event }: Message,
  account: string,
  known: KnownRoots | undefined,
): RunRequest | { readonly nothing: string } {
  if (event === undefined) return { account, run: 'apply', why: says };
  const { kind, id, name, action } = event;
  const root = known?.rootOf(kind, id, name);
  if (BEGINS.has(action)) {
    if (root !== undefined && known?.isOurs(root) === true) return { nothing: `${root} was made by a run of our own.` };
    // An apply that stopped before its end waits for just this. One that still runs holds the lock of the ledger.
    if (root === undefined && known?.isBeingMade(kind) === true)
      return { account, run: 'apply', why: `${says}; an apply has ordered one` };
  }
  return {
    account,
    run: 'drift',
    ...(root !== undefined && { root }),
    ...(ALARMS.has(action) && { notify: true }),
    why: says,
  };
}
