// Names of manifests to complete in a shell, from their text alone: a key was pressed, so nothing is validated.
import { registry } from '../areas/index.ts';
import { loadTexts } from '../manifest/read/load.ts';
import type { Session } from './session.ts';
import { findWorkspace } from './workspace-file.ts';

export interface ManifestName {
  readonly kind: string;
  readonly name: string;
}

/** Every manifest of the workspace that says its kind and its name as people write them. */
export async function manifestNames(session: Session): Promise<readonly ManifestName[]> {
  const { workspace } = await findWorkspace(session);
  if (workspace === undefined) return [];
  const { root, manifests } = workspace;
  const { texts } = await loadTexts(manifests, { cwd: root, root, mayBeEmpty: true });
  return texts.flatMap(({ source }) => namesIn(source.text)).filter(({ kind }) => registry.has(kind));
}

// At the start of a line or of an object: in YAML and in JSON, in blocks and in one line.
const KIND = /(?:^|[{,]\s*)["']?kind["']?\s*:\s*["']?(\w+)/m;
// All that is in braces, or on the lines below that are indented.
const METADATA = /(?:^|[{,]\s*)["']?metadata["']?\s*:(?:\s*(\{[^}]*)|[^\n]*\n((?:[ \t]+.*(?:\n|$))*))/m;
const NAME = /(?:^\s*|[{,]\s*)["']?name["']?\s*:\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"',}#][^\s,}]*))/m;

/** The kinds and names in a text of one or several documents. */
export function namesIn(text: string): readonly ManifestName[] {
  return text.split(/^---(?=\s|$)/m).flatMap((document) => {
    const kind = KIND.exec(document)?.[1];
    const [, braces, lines = ''] = METADATA.exec(document) ?? [];
    const name = NAME.exec(braces ?? lines)
      ?.slice(1)
      .find((found) => found !== undefined);
    return kind === undefined || name === undefined || name === '' ? [] : [{ kind, name }];
  });
}
