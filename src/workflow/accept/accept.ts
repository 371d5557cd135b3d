// The use case `drift --accept`: what is live of some objects is written into the manifests, where they say it. All of
// it, or nothing: it is written only when a plan for the manifests as they would be finds nothing more to do there.
// Sends nothing but reads.
import { addressOf, collectionOf, kindOf, parseAddress, rootOf } from '../../model/address.ts';
import type { Address } from '../../model/address.ts';
import type { DesiredCollection } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { hasErrors, sortDiagnostics } from '../../model/diagnostic.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Kind } from '../../model/kind/kind.ts';
import { positionOf } from '../../model/kind/kind.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { registry } from '../../kinds/index.ts';
import { checkTargets } from '../plan/plan.ts';
import type { Session } from '../session.ts';
import type { OpenedWorkspace } from '../workspace.ts';
import { withTexts } from '../workspace.ts';
import type { Account, Look, WithRequests } from './account.ts';
import { withAccount } from './account.ts';
import type { Refused } from './changes.ts';
import { changesFor } from './changes.ts';
import type { FileEdit } from './documents.ts';
import { textsWith } from './documents.ts';
import type { ChangedFile, Edits, ObjectChanges } from './edits.ts';
import { editsOf, filesOf, isDifference, newDifferences, blocker, writeEdits } from './edits.ts';

export interface AcceptOptions {
  readonly paths: readonly string[];
  readonly addresses: readonly Address[];
  /** Nothing is written. */
  readonly dryRun: boolean;
}

export interface AcceptResult extends WithRequests {
  /** Absent when there are errors. */
  readonly files?: readonly ChangedFile[];
  readonly written: boolean;
}

/** Writes what is live of these objects into their manifests. */
export async function acceptLive(
  session: Session,
  { paths, addresses: given, dryRun }: AcceptOptions,
): Promise<AcceptResult> {
  const early = checkTargets(given);
  if (early.length > 0) return { diagnostics: early, requests: 0, written: false };
  const addresses = [...new Set(given.map(canonicalAddress))];
  const result = await withAccount(session, paths, async (account) => {
    const first = await account.look(account.opened);
    if (!('plan' in first)) return { diagnostics: first.diagnostics, written: false };
    const made = editsFor(account, first, addresses);
    if (hasErrors(made.diagnostics)) return { diagnostics: made.diagnostics, written: false };
    const proof = await prove(account, first, made.edits, addresses);
    const diagnostics = [...made.diagnostics, ...proof];
    if (hasErrors(diagnostics)) return { diagnostics, written: false };
    const unwritten = dryRun ? [] : await writeEdits(made.edits);
    return hasErrors(unwritten)
      ? { diagnostics: [...diagnostics, ...unwritten], written: false }
      : { diagnostics, files: filesOf(made.edits), written: !dryRun };
  });
  return { written: false, ...result, diagnostics: sortDiagnostics(result.diagnostics) };
}

/** As plans write it: people write a name with a space as it is. */
export function canonicalAddress(address: Address): Address {
  return (
    (parseAddress(address) ?? []).reduce<Address | null>(
      (parent, { kind, name }) => addressOf(parent, kind, name),
      null,
    ) ?? address
  );
}

function editsFor({ opened, ledger }: Account, look: Look, addresses: readonly Address[]): Edits {
  const specs = new Map(
    opened.manifests.map((manifest) => [addressOf(null, manifest.kind, manifest.name), manifest.spec]),
  );
  const objects: ObjectChanges[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const address of addresses) {
    const root = rootOf(address);
    const inFlight = ledger.inFlight.some(({ action }) => action.address === address);
    const found = inFlight
      ? refuse(
          'a run has begun something there, and how that ended is not known',
          'Run `hostwright apply --resume` first.',
        )
      : changesAt(look, address, specs.get(root));
    if ('refused' in found) {
      diagnostics.push(blocker(address, found.refused));
      continue;
    }
    if (found.changes.length === 0) {
      diagnostics.push({
        code: 'HW6715',
        severity: 'info',
        summary: 'Nothing differs there',
        detail: `What the manifests say of ${address} is what is live. Nothing has to be accepted.`,
        address,
      });
      continue;
    }
    specs.set(root, found.spec);
    objects.push({ address, changes: found.changes });
  }
  if (hasErrors(diagnostics)) return { edits: [], diagnostics };
  const { edits, diagnostics: ofEdits } = editsOf(opened, objects);
  return { edits, diagnostics: [...diagnostics, ...ofEdits] };
}

function refuse(reason: string, remedy: string): { readonly refused: Refused } {
  return { refused: { reason, remedy } };
}

/** The changes of the manifest of an object's root. */
function changesAt(
  { live, plan, opened }: Look,
  address: Address,
  spec: JsonObject | undefined,
): ReturnType<typeof changesFor> {
  const root = rootOf(address);
  const bound = live.bound.get(root);
  if (spec === undefined)
    return refuse(
      'no manifest that was read declares it',
      `Check the address, or adopt it: \`hostwright import ${root} --id ID\`.`,
    );
  const roots = bound === undefined ? live.observed.get(kindOf(root)) : undefined;
  if (roots !== undefined && roots.state !== 'read') return refuse(roots.reason, roots.remedy);
  if (bound === undefined)
    return refuse(
      address === root ? 'it is not on the account any more' : `${root} is not on the account`,
      'Remove its manifest, or run `hostwright plan` to see what would be done.',
    );
  const declared = declaredAt(opened, address);
  if (declared === undefined)
    return refuse(
      'its manifest does not manage it',
      'Write its section in the manifest first; `hostwright export --out FOLDER` adds what is missing.',
    );
  const { kind, collection } = declared;
  if (collection.unresolved !== undefined)
    return refuse('what is declared there is taken from another object', 'Change the manifest by hand.');
  const observed = live.observed.get(collection.collection);
  if (observed === undefined || observed.state !== 'read')
    return refuse(observed?.reason ?? 'it was not read', observed?.remedy ?? 'Run `hostwright plan` to see why.');
  const name = parseAddress(root)?.[0]?.name ?? '';
  const identity = kind.parent === null ? bound.identity : identityAt(kind, address);
  const member = kind.parent === null ? bound : observed.members.find((one) => one.identity === identity);
  const absent = observed.incomplete?.absent?.includes(identity) === true;
  if (member === undefined && observed.incomplete !== undefined && !absent)
    return refuse(observed.incomplete.reason, observed.incomplete.remedy);
  const position = positionOf(kind);
  const isMoved =
    position !== undefined &&
    plan.actions.some(
      (action) => action.address === address && action.changes.some(({ path }) => path === `/${position}`),
    );
  return changesFor({ kind, name, spec, identity, live: member, root: bound, observed, isMoved });
}

function declaredAt(
  { declared }: OpenedWorkspace,
  address: Address,
): { readonly kind: Kind; readonly collection: DesiredCollection } | undefined {
  const isRoot = address === rootOf(address);
  const collection = declared.find(
    (one) => one.collection === (isRoot ? parseAddress(address)?.[0]?.kind : collectionOf(address)),
  );
  const kind = collection === undefined ? undefined : registry.get(collection.kind);
  return collection === undefined || kind === undefined ? undefined : { kind, collection };
}

/** What a list knows the object of an address by. */
export function identityAt(kind: Kind, address: Address): string {
  return kind.list === 'singleton' ? kind.identity({}) : (parseAddress(address)?.at(-1)?.name ?? '');
}

/**
 * The plan for the manifests as they would be must find nothing more to do there, and is told where it finds something
 * new elsewhere.
 */
async function prove(
  { opened, look }: Account,
  first: Look,
  edits: readonly FileEdit[],
  addresses: readonly Address[],
): Promise<readonly Diagnostic[]> {
  if (edits.length === 0) return [];
  const after = await look(await withTexts(opened, textsWith(opened.texts, edits)));
  if (!('plan' in after))
    return after.diagnostics.map((diagnostic) => ({
      ...diagnostic,
      detail: `${diagnostic.detail} That is what the edited manifests would say; nothing was written.`,
    }));
  const left = addresses.filter((address) => differsAt(after.plan, address));
  const fresh = newDifferences(first.plan, after.plan);
  return [
    ...left.map((address) =>
      blocker(address, {
        reason: 'with what is live in its manifest it would still differ',
        remedy: 'Change the manifest by hand; `hostwright plan` shows what differs.',
      }),
    ),
    ...(fresh.length === 0
      ? []
      : [
          {
            code: 'HW6718',
            severity: 'warning',
            summary: 'Something else differs now',
            detail: `The same place of a manifest says it of other objects too: the next plan changes ${fresh.join(', ')}.`,
          } as const,
        ]),
  ];
}

function differsAt({ actions, blocked, manual, unknown, waiting, unmanaged }: Plan, address: Address): boolean {
  const isAt = (one: { readonly address: Address }): boolean => one.address === address;
  return (
    actions.some((action) => isAt(action) && isDifference(action)) ||
    [...blocked, ...manual, ...unknown, ...waiting].some(isAt) ||
    unmanaged.some(
      ({ collection, identity, kind }) =>
        collectionOf(address) === collection && identity === identityAt(registry.get(kind) as Kind, address),
    )
  );
}
