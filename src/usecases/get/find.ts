// Which live object a person means: by the name of a manifest, found on the account as plan finds it, by `id:` and its
// id, or by any name that the platform knows it by.
import { parseAddress } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose, hasErrors } from '../../model/diagnostic.ts';
import type { GetKind } from '../../model/shown.ts';
import type { Workspace } from '../../model/workspace.ts';
import { registry } from '../../areas/index.ts';
import { didYouMean, quote } from '../../model/format.ts';
import { findRenames, renameView } from '../../planner/rename.ts';
import type { Client } from '../../platform/http.ts';
import { viewLedger } from '../ledger.ts';
import { readAccount } from '../plan/read-account.ts';
import type { Session } from '../session.ts';
import { openWorkspace } from '../workspace.ts';

const BY_ID = 'id:';

export interface Finder {
  readonly session: Session;
  readonly workspace: Workspace;
  readonly client: Pick<Client, 'read' | 'ask'>;
}

export type Found =
  /** What the platform is to be asked for, and which manifests there are of that kind. */
  { readonly name: string; readonly manifests?: readonly string[] } | { readonly diagnostics: readonly Diagnostic[] };

/**
 * What is meant by a name that a person wrote. A manifest of that name goes before everything else; where manifests
 * cannot be read, they are left out of it.
 */
export async function findLive(finder: Finder, manifestKind: string | undefined, written: string): Promise<Found> {
  if (written.startsWith(BY_ID)) return { name: written.slice(BY_ID.length) };
  if (manifestKind === undefined) return { name: written };
  const [segment, ...below] = parseAddress(written) ?? [];
  const isAddress = segment !== undefined && segment.name !== null;
  if (isAddress && (segment.kind !== manifestKind || below.length > 0))
    return { diagnostics: [notFound(`${quote(written)} is not the address of a ${manifestKind}.`)] };
  const local = isAddress ? segment.name : written;
  const { session, workspace, client } = finder;
  const { declared, diagnostics } = await openWorkspace(session, [], { mayBeEmpty: true });
  const roots = declared.find(({ kind, parent }) => kind === manifestKind && parent === null);
  const members = roots?.members.filter(({ identity }) => identity === local) ?? [];
  if (roots === undefined || members.length === 0) {
    const names = roots?.members.map(({ identity }) => identity) ?? [];
    if (!isAddress) return { name: written, manifests: names };
    if (hasErrors(diagnostics)) return { diagnostics };
    return {
      diagnostics: [notFound(`No ${manifestKind} manifest is called ${quote(local)}.${didYouMean(local, names)}`)],
    };
  }
  const ledger = await viewLedger(session, workspace);
  if (hasErrors(ledger.diagnostics)) return { diagnostics: ledger.diagnostics };
  const wanted = { ...roots, members };
  const live = await readAccount({
    client,
    account: workspace.account,
    registry,
    declared: [wanted],
    ledger: renameView(ledger.view, findRenames([wanted], ledger.view)),
    emit: session.emit,
    concurrency: session.concurrency,
  });
  const [member] = live.bound.values();
  if (member !== undefined) return { name: member.id };
  if (hasErrors(live.diagnostics)) return { diagnostics: live.diagnostics };
  const collection = live.observed.get(wanted.collection);
  if (collection !== undefined && collection.state !== 'read')
    return { diagnostics: [notDetermined(`${collection.reason}. ${collection.remedy}`)] };
  return {
    diagnostics: [
      notDetermined(
        `The manifest ${manifestKind}/${local} is bound to no live object. \`hostwright plan --target ${manifestKind}/${local}\` says why.`,
      ),
    ],
  };
}

/** Names the nearest name, or the command that lists them all. */
export function noSuchRow({ kind, singular }: GetKind, written: string, names: readonly string[]): Diagnostic {
  return notFound(
    `No ${singular} is called ${quote(written)}.${didYouMean(written, [...new Set(names)])} \`hostwright get ${kind}\` lists what there is.`,
  );
}

/** There is a manifest of that name, and which live object it means is not known. */
export function notDetermined(detail: string): Diagnostic {
  return diagnose('HW4507', detail);
}

function notFound(detail: string): Diagnostic {
  return diagnose('HW4571', detail);
}
