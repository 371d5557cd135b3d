// Decides what the ledger learns from a look at the account: every declared object that is there is bound, and ours from now on.
// What an object's manifest no longer names can be removed later only because it was written down here.
import type { Address } from '../model/address.ts';
import type { Desired, DesiredCollection } from '../model/desired.ts';
import type { Member, Registry } from '../model/kind.ts';
import type { LedgerObject } from '../model/ledger-view.ts';
import type { Marks } from '../model/secret.ts';
import { marksIn, marksOnceKnown } from '../model/secret.ts';
import { findRenames, renamed } from '../engine/rename.ts';
import type { Binding, Ledger } from '../apply/ledger/ledger.ts';
import { recordBindings } from '../apply/ledger/ledger.ts';
import type { LiveAccount } from './live.ts';
import { memberOf } from './live.ts';

/** Records what the looks show, later ones over earlier ones, and moves what was renamed. Writes only what differs. */
export async function recordLive(ledger: Ledger, declared: readonly DesiredCollection[], looks: readonly (LiveAccount | undefined)[], registry: Registry): Promise<void> {
  await moveRenamed(ledger, declared);
  const { objects } = ledger.view();
  const found = new Map<Address, Binding>();
  for (const look of looks) {
    if (look === undefined) continue;
    for (const desired of look.declared.flatMap(({ members }) => members).filter(({ lifecycle }) => lifecycle.state === 'present')) {
      const member = memberOf(look, desired);
      if (member === undefined) continue;
      const rotated = marksOf(registry, desired, member, objects.get(desired.address));
      found.set(desired.address, { address: desired.address, id: member.id, owned: true, applied: appliedOf(desired, member), ...(rotated !== undefined && { rotated }) });
    }
  }
  await recordBindings(ledger, [...found.values()]);
}

/** The declared fields as they are live: what a later drift is measured against. */
function appliedOf(desired: Desired, member: Member): Binding['applied'] {
  return Object.fromEntries(Object.keys(desired.spec).flatMap((field) => (field in member.spec ? [[field, member.spec[field] as Binding['applied'][string]]] : [])));
}

/** What is live and was not written by us has the mark of today: only another one asks for it to be written. */
function marksOf(registry: Registry, { kind: name, spec }: Desired, { id }: Member, recorded: LedgerObject | undefined): Marks | undefined {
  const kind = registry.get(name);
  const marks = kind === undefined ? {} : marksIn(kind, spec);
  return Object.keys(marks).length === 0 ? undefined : marksOnceKnown(marks, recorded?.id === id ? recorded.rotated : undefined);
}

async function moveRenamed(ledger: Ledger, declared: readonly DesiredCollection[]): Promise<void> {
  const view = ledger.view();
  const renames = findRenames(declared, view);
  const moved = [...view.objects.values()].filter(({ address }) => renamed(address, renames) !== address);
  if (moved.length === 0) return;
  await recordBindings(ledger, moved.map((object) => ({ address: renamed(object.address, renames), id: object.id, owned: object.owned, applied: object.applied, outputs: object.outputs, ...(object.rotated !== undefined && { rotated: object.rotated }) })));
  await ledger.append(...moved.map(({ address }) => ({ type: 'forgotten', address }) as const));
}
