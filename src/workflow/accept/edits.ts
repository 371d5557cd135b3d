// How changes of specs become texts of files: in which documents they stand, what profiles leave of them, and what
// cannot be written. What comes is written whole or not at all.
import type { Address } from '../../model/address.ts';
import { addressOf, parseAddress } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import { invariant } from '../../model/invariant.ts';
import type { JsonObject } from '../../model/json.ts';
import { valueAt } from '../../model/json.ts';
import type { Action, Plan } from '../../model/plan/plan.ts';
import { writeEditedFiles } from '../../manifest/edit/write-edited.ts';
import type { OpenedWorkspace } from '../workspace.ts';
import type { Refused, SpecChange } from './changes.ts';
import type { FileEdit, OwnDocument } from './documents.ts';
import { editFiles, findDocument, ownValue, placeIn, withChanges } from './documents.ts';

/** A file as it was and as it is, or would be; a new one was not. */
export interface ChangedFile {
  readonly file: string;
  readonly before?: string;
  readonly after: string;
}

export interface Edits {
  readonly edits: readonly FileEdit[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Changes of the specs of roots, as `/spec` says them, or of whole documents. */
export interface ObjectChanges {
  readonly address: Address;
  readonly changes: readonly SpecChange[];
  /** Beside the spec: pointers into the document. */
  readonly metadata?: readonly SpecChange[];
}

interface WantedDocument {
  readonly document: OwnDocument;
  /** What it is to come to, profiles in it. */
  readonly value: JsonObject;
}

/** The texts of the files once all of the changes are made, in their order. */
export function editsOf(opened: OpenedWorkspace, objects: readonly ObjectChanges[]): Edits {
  const wanted = new Map<Address, WantedDocument>();
  const diagnostics = objects.flatMap((object) => addTo(wanted, opened, object));
  if (hasErrors(diagnostics)) return { edits: [], diagnostics };
  const values = [...wanted].map(([address, { document, value }]) => ({
    address,
    document,
    value: ownValue(opened, document, value),
  }));
  const stuck = values
    .filter(({ value }) => value === undefined)
    .map(({ address }) => blocker(address, ONLY_A_PROFILE));
  if (stuck.length > 0) return { edits: [], diagnostics: stuck };
  const { edits, diagnostics: unedited } = editFiles(
    values.map(({ document, value }) => ({ document, value: value as JsonObject })),
  );
  return { edits, diagnostics: [...diagnostics, ...unedited] };
}

const ONLY_A_PROFILE: Refused = {
  reason: 'a profile says it for several manifests, and no manifest can take it out or put it elsewhere by itself',
  remedy: 'Change the profile, or stop using it here.',
};

/** Says that something of an object cannot be brought into its manifest. */
export function blocker(address: Address, { reason, remedy }: Refused): Diagnostic {
  return {
    code: 'HW6716',
    severity: 'error',
    summary: 'What is live cannot be written into its manifest',
    detail: `${address}: ${reason}. Nothing was written. ${remedy}`,
    address,
  };
}

/** Puts the changes into the documents that say what is to change. */
function addTo(
  wanted: Map<Address, WantedDocument>,
  opened: OpenedWorkspace,
  { address, changes, metadata = [] }: ObjectChanges,
): readonly Diagnostic[] {
  const [root] = parseAddress(address) ?? [];
  invariant(root !== undefined, `${address} has no root`);
  const name = root.name ?? '';
  let isShared = false;
  for (const change of changes) {
    const own = documentOf(wanted, opened, root.kind, name);
    const place = placeIn({ ...own.document, merged: own.value }, change.pointer);
    if ('refused' in place)
      return [blocker(address, { reason: place.refused, remedy: 'Change the manifest by hand.' })];
    const { document, value } = documentOf(wanted, opened, place.kind, place.name);
    wanted.set(addressOf(null, place.kind, place.name), {
      document,
      value: withChanges(value, [{ pointer: place.pointer, value: change.value }]),
    });
    isShared ||= isFromProfile(opened, document, place.pointer);
  }
  if (metadata.length > 0) {
    const { document, value } = documentOf(wanted, opened, root.kind, name);
    wanted.set(addressOf(null, root.kind, name), { document, value: withChanges(value, metadata) });
  }
  if (!isShared) return [];
  return [
    {
      code: 'HW6717',
      severity: 'info',
      summary: 'A profile is overridden',
      detail: `What the manifest says of ${address} comes from a profile, which others share. What is live stands in the manifest itself now; the profile is as it was.`,
      address,
    },
  ];
}

function isFromProfile({ documents }: OpenedWorkspace, { merged }: OwnDocument, pointer: string): boolean {
  return (
    valueAt(merged, pointer) !== undefined &&
    documents.find(({ value }) => value === merged)?.place(pointer).shared === true
  );
}

function documentOf(
  wanted: ReadonlyMap<Address, WantedDocument>,
  opened: OpenedWorkspace,
  kind: string,
  name: string,
): WantedDocument {
  const known = wanted.get(addressOf(null, kind, name));
  if (known !== undefined) return known;
  const document = findDocument(opened, kind, name);
  invariant(document !== undefined, `no document says ${kind} ${name}`);
  return { document, value: document.merged };
}

/** What is shown of the edits. */
export function filesOf(edits: readonly FileEdit[]): readonly ChangedFile[] {
  return edits.map(({ text, after }) => ({ file: text.source.name, before: text.source.text, after }));
}

/** Writes the files; what came from standard input is in none. */
export async function writeEdits(edits: readonly FileEdit[]): Promise<readonly Diagnostic[]> {
  const nameless = edits.filter(({ text }) => text.file === undefined);
  if (nameless.length > 0)
    return [
      {
        code: 'HW6714',
        severity: 'error',
        summary: 'Standard input cannot be edited',
        detail: 'What is to be changed came from standard input. Nothing was written. Name the file instead of `-`.',
      },
    ];
  return writeEditedFiles(
    edits.map(({ text, after }) => ({
      shown: text.source.name,
      file: text.file as string,
      before: text.source.text,
      after,
    })),
  );
}

/**
 * A secret that is to be written is nothing that a manifest could take from the account; what is done with other
 * changes is no difference.
 */
export function isDifference({ verb, changes, hook }: Action): boolean {
  return (
    hook === undefined &&
    (verb !== 'update' || changes.some(({ secret, rotationToken }) => secret === undefined && rotationToken !== true))
  );
}

/** The objects that a plan would change and another one would not. */
export function newDifferences(before: Plan, after: Plan): readonly Address[] {
  const known = new Set(before.actions.map(({ address }) => address));
  return after.actions
    .filter((action) => !known.has(action.address) && isDifference(action))
    .map(({ address }) => address);
}
