// Manifests that are values and no files, such as those that another program makes: read like all others.
import type { DesiredCollection, Manifest } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { JsonObject } from '../../model/json.ts';
import { dataKinds, registry } from '../../areas/index.ts';
import type { ParsedDocument } from '../../manifest/read/parse.ts';
import { readDocuments } from '../../manifest/read/read.ts';
import { SourceText } from '../../manifest/read/source-text.ts';
import type { Workspace } from '../../model/workspace.ts';

export interface ReadValues {
  readonly manifests: readonly Manifest[];
  /** Empty when there are errors. */
  readonly declared: readonly DesiredCollection[];
  /** Each with its `pointer` into the document. Their places in a text say nothing: there is none. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A document that was never written down. */
export interface ValueDocument {
  /** What messages call it. */
  readonly name: string;
  readonly value: JsonObject;
}

/** Checks and expands manifests that are values. `secrets`: where secrets may come from; absent: nobody looks. */
export async function readValues(
  documents: readonly ValueDocument[],
  secrets?: Pick<Workspace, 'root' | 'secrets'>,
): Promise<ReadValues> {
  const read = await readDocuments(documents.map(documentOf), {
    registry,
    dataKinds,
    ...(secrets !== undefined && { secrets }),
  });
  return { manifests: read.manifests, declared: read.collections, diagnostics: read.diagnostics };
}

function documentOf({ name, value }: ValueDocument): ParsedDocument {
  const source = new SourceText(name, '');
  return { source, value, place: (pointer) => ({ source, pointer, shared: false, value: [0, 0] }) };
}
