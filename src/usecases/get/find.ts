// Which live object a person means: by the name of a manifest, found on the account as plan finds it, by `id:` and its
// id, or by any name that the platform knows it by.
import { parseAddress } from '../../model/address.ts';
import type { DesiredCollection } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { Member } from '../../model/kind/kind.ts';
import type { LedgerView } from '../../model/plan/ledger-view.ts';
import type { GetKind } from '../../model/shown.ts';
import { registry } from '../../areas/index.ts';
import { didYouMean, quote } from '../../model/format.ts';
import type { Opened } from '../client.ts';
import { ledgerOrStop, Stopped, stopAtErrors } from '../client.ts';
import { readAccount } from '../plan/read-account.ts';
import { openWorkspace } from '../workspace.ts';

/** What an id of the platform begins with where a name could stand. */
export const BY_ID = 'id:';

/** What the platform is to be asked for, and which manifests there are of that kind. */
interface Found {
  readonly name: string;
  readonly manifests?: readonly string[];
}

/**
 * What is meant by a name that a person wrote. A manifest of that name goes before everything else; where manifests
 * cannot be read, they are left out of it. Rejects with `Stopped` where nothing is.
 */
export async function findLive(opened: Opened, manifestKind: string | undefined, written: string): Promise<Found> {
  if (written.startsWith(BY_ID)) return { name: written.slice(BY_ID.length) };
  if (manifestKind === undefined) return { name: written };
  const [segment, ...below] = parseAddress(written) ?? [];
  const isAddress = segment !== undefined && segment.name !== null;
  if (isAddress && (segment.kind !== manifestKind || below.length > 0))
    throw new Stopped([notFound(`${quote(written)} is not the address of a ${manifestKind}.`)]);
  const local = isAddress ? segment.name : written;
  const { declared, diagnostics } = await openWorkspace(opened.session, [], { mayBeEmpty: true });
  const { wanted, names } = rootCalled(declared, manifestKind, local);
  if (wanted === undefined) {
    if (!isAddress) return { name: written, manifests: names };
    stopAtErrors(diagnostics);
    throw new Stopped([notFound(`No ${manifestKind} manifest is called ${quote(local)}.${didYouMean(local, names)}`)]);
  }
  const view = await ledgerOrStop(opened);
  const address = `${manifestKind}/${local}`;
  const unbound = `The manifest ${address} is bound to no live object. \`hostwright plan --target ${address}\` says why.`;
  const { id } = await bindRoot(opened, wanted, { view, unbound });
  return { name: id };
}

/** What the manifests say of the root that is called so; `names`: those of all roots of its kind. */
export function rootCalled(
  declared: readonly DesiredCollection[],
  kindName: string,
  name: string,
): { readonly wanted?: DesiredCollection; readonly names: readonly string[] } {
  const roots = declared.find(({ kind, parent }) => kind === kindName && parent === null);
  const members = roots?.members.filter(({ identity }) => identity === name) ?? [];
  const names = roots?.members.map(({ identity }) => identity) ?? [];
  return roots === undefined || members.length === 0 ? { names } : { wanted: { ...roots, members }, names };
}

/**
 * The live root that the one declared means, as plan binds it. Rejects with `Stopped` where there is none: with what plan
 * says of a manifest, or `unbound`.
 */
export async function bindRoot(
  { session, workspace, client }: Opened,
  wanted: DesiredCollection,
  {
    view,
    unbound,
    isManifest = true,
    reads = true,
  }: {
    readonly view: LedgerView;
    readonly unbound: string;
    readonly isManifest?: boolean;
    /** Nothing is sent to it but reads. */
    readonly reads?: boolean;
  },
): Promise<Member> {
  const live = await readAccount({
    client,
    account: workspace.account,
    registry,
    declared: [wanted],
    ledger: view,
    emit: session.emit,
    concurrency: session.concurrency,
  });
  const [member] = live.bound.values();
  if (member?.unverified !== undefined && !reads)
    throw new Stopped([notDetermined(`${member.unverified.reason}. ${member.unverified.remedy}`)]);
  if (member !== undefined) return member;
  if (isManifest) stopAtErrors(live.diagnostics);
  const roots = live.observed.get(wanted.collection);
  const isRead = roots === undefined || roots.state === 'read';
  throw new Stopped([notDetermined(isRead ? unbound : `${roots.reason}. ${roots.remedy}`)]);
}

/** Names the nearest name, or the command that lists them all. */
export function noSuchRow({ kind, singular }: GetKind, written: string, names: readonly string[]): Diagnostic {
  return notFound(
    `No ${singular} is called ${quote(written)}.${didYouMean(written, [...new Set(names)])} \`hostwright get ${kind}\` lists what there is.`,
  );
}

/** There is a manifest of that name, and which live object it means is not known. */
function notDetermined(detail: string): Diagnostic {
  return diagnose('HW4507', detail);
}

function notFound(detail: string): Diagnostic {
  return diagnose('HW4571', detail);
}
