// Finds the live object that a root manifest means: metadata.id, then the ledger, then natural keys by rank. Answers
// that disagree, or two objects for one key, are errors. A ledger entry that no other evidence confirms binds for
// reading only.
import type { Address } from '../model/address.ts';
import type { Desired, DesiredCollection } from '../model/desired.ts';
import type { Code, Diagnostic } from '../model/diagnostic.ts';
import type { Blocker, Member } from '../model/kind/kind.ts';
import type { LedgerView } from '../model/plan/ledger-view.ts';
import { diagnose, diagnosticSource } from '../model/diagnostic.ts';

export interface Binding {
  /** A member with `unverified` is bound by the ledger alone. */
  readonly bound: ReadonlyMap<Address, Member>;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Binds every declared root to a live member. A root that is neither bound nor named in a diagnostic has no live
 * object.
 */
export function bindRoots(
  declared: DesiredCollection,
  members: readonly Member[],
  ledger: Pick<LedgerView, 'objects'>,
): Binding {
  const index = indexMembers(members);
  const bound = new Map<Address, Member>();
  const diagnostics: Diagnostic[] = [];
  for (const desired of declared.members) {
    const found = bindOne(desired, index, ledger);
    if ('code' in found) diagnostics.push(found);
    else if (found.member !== undefined) bound.set(desired.address, found.member);
    // What is to be absent and is not there is as declared (promise 3); an id that nobody has seen may be a slip all
    // the same.
    else if (desired.boundId !== undefined && ledger.objects.get(desired.address)?.id !== desired.boundId)
      diagnostics.push(nothingToDelete(desired, desired.boundId));
  }
  return { bound, diagnostics: [...diagnostics, ...sharedMembers(declared.members, bound)] };
}

interface MemberIndex {
  readonly byId: ReadonlyMap<string, Member>;
  /** One map a rank. */
  readonly byKey: readonly ReadonlyMap<string, readonly Member[]>[];
}

function indexMembers(members: readonly Member[]): MemberIndex {
  const byKey: Map<string, Member[]>[] = [];
  for (const member of members) {
    member.keys.forEach((keys, rank) => {
      const map = (byKey[rank] ??= new Map<string, Member[]>());
      for (const key of keys) map.set(key, [...(map.get(key) ?? []), member]);
    });
  }
  return { byId: new Map(members.map((member) => [member.id, member])), byKey };
}

function bindOne(
  desired: Desired,
  index: MemberIndex,
  ledger: Pick<LedgerView, 'objects'>,
): { readonly member: Member | undefined } | Diagnostic {
  const recorded = ledger.objects.get(desired.address);
  if (desired.boundId !== undefined) {
    const member = index.byId.get(desired.boundId);
    if (member === undefined && desired.lifecycle.state === 'present') return unknownId(desired, desired.boundId);
    if (recorded !== undefined && recorded.id !== desired.boundId && index.byId.has(recorded.id))
      return disagreement(desired, `metadata.id says ${desired.boundId}`, `the ledger says ${recorded.id}`);
    return { member };
  }
  const byLedger = recorded === undefined ? undefined : index.byId.get(recorded.id);
  for (const [rank, keys] of desired.keys.entries()) {
    const found = [...new Set(keys.flatMap((key) => index.byKey[rank]?.get(key) ?? []))];
    if (found.length === 0) continue;
    if (byLedger !== undefined) {
      if (found.length === 1 && found[0] === byLedger) return { member: byLedger };
      // A display name may be the new name of the recorded object, or shared. A hostname belongs to one object.
      if (rank === 0 && !found.includes(byLedger))
        return disagreement(desired, `the ledger says ${byLedger.id}`, `its keys are on ${idsOf(found)}`);
      return { member: unverified(desired, byLedger, found) };
    }
    if (found.length > 1) return ambiguous(desired, found);
    return { member: found[0] };
  }
  return { member: byLedger === undefined ? undefined : unverified(desired, byLedger, []) };
}

function idsOf(members: readonly Member[]): string {
  return members.map(({ id }) => id).join(' and ');
}

/** Returns the member, bound by the ledger alone. `found`: the live objects that share a key with the manifest. */
function unverified({ address }: Desired, member: Member, found: readonly Member[]): Member {
  const { id } = member;
  const others = found.length === 0 ? 'no hostname, name or order confirms it' : `its keys are on ${idsOf(found)}`;
  const blocker: Blocker = {
    reason: `only the ledger says that it is ${id}, and ${others}`,
    remedy: `If ${id} is the right one, add \`metadata: { id: ${id} }\` to the manifest. If not, run \`hostwright ledger forget ${address}\`.`,
    rule: 'ORD-43',
  };
  return { ...member, unverified: blocker };
}

function sharedMembers(declared: readonly Desired[], bound: ReadonlyMap<Address, Member>): readonly Diagnostic[] {
  const first = new Map<string, Desired>();
  const diagnostics: Diagnostic[] = [];
  for (const desired of declared) {
    const id = bound.get(desired.address)?.id;
    if (id === undefined) continue;
    const other = first.get(id);
    if (other === undefined) first.set(id, desired);
    else
      diagnostics.push(
        diagnoseDesired(
          'HW2004',
          `${other.address} and ${desired.address} are both bound to ${id}. Keep one of them, or give each its own metadata.id.`,
          desired,
        ),
      );
  }
  return diagnostics;
}

function unknownId(desired: Desired, id: string): Diagnostic {
  return diagnoseDesired(
    'HW2001',
    `The account has no ${desired.kind} with the id ${id}. Correct the id, or leave it out to be found by hostname or name.`,
    desired,
  );
}

function nothingToDelete(desired: Desired, id: string): Diagnostic {
  return diagnoseDesired(
    'HW2060',
    `The account has no ${desired.kind} with the id ${id}. It is deleted already, or the id is wrong. Once it is deleted, the manifest can be removed.`,
    desired,
  );
}

function disagreement(desired: Desired, one: string, other: string): Diagnostic {
  return diagnoseDesired(
    'HW2002',
    `For ${desired.address} ${one}, but ${other}. Nothing is written. If the first is right, keep it; if the other is, write its id as metadata.id and run \`hostwright ledger forget ${desired.address}\`.`,
    desired,
  );
}

function ambiguous(desired: Desired, found: readonly Member[]): Diagnostic {
  return diagnoseDesired(
    'HW2003',
    `${desired.address} could be any of ${found.map(({ id }) => id).join(', ')}. Write the id of the right one as metadata.id.`,
    desired,
  );
}

function diagnoseDesired(code: Code, detail: string, desired: Desired): Diagnostic {
  return diagnose(code, detail, { address: desired.address, ...diagnosticSource(desired.sourceOf('')) });
}
