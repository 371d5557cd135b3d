// Reads the folder of observed manifests: what was live and declared by nobody. They have the form of manifests, and may
// lack what a manifest has to have, because what is about a person is not in them.
import path from 'node:path';
import type { Manifest } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { diagnose, hasErrors } from '../model/diagnostic.ts';
import type { ObservedFile } from '../model/generated/observed.ts';
import type { JsonObject } from '../model/json.ts';
import { isJsonObject, valueAt } from '../model/json.ts';
import type { Workspace } from '../model/workspace.ts';
import { validators } from './generated/validator-table.ts';
import { quote } from '../model/format.ts';
import { isNothing, loadTexts } from './read/load.ts';
import type { ParsedDocument } from './read/parse.ts';
import { parseYaml, problemAt } from './read/parse.ts';
import { checkDocument, isOurs, manifestOf, OBSERVED } from './read/validate.ts';

/** The file beside them that says when and of which account they were made. */
export const OBSERVED_FILE = 'observed.yaml';

export interface ObservedManifest {
  /** As it stands in the folder, with `/` between its parts. */
  readonly file: string;
  readonly text: string;
  readonly document: JsonObject;
  readonly manifest: Manifest;
}

export interface ObservedFolder {
  readonly spec: ObservedFile['spec'];
  readonly manifests: readonly ObservedManifest[];
}

/** `folder`: absent where nothing was recorded yet, or what is there cannot be used. */
export async function readObserved({ root, account, observed }: Workspace): Promise<{
  readonly folder?: ObservedFolder;
  readonly diagnostics: readonly Diagnostic[];
}> {
  if (observed === undefined || isNothing(path.resolve(root, observed))) return { diagnostics: [] };
  const { texts, diagnostics: unread } = await loadTexts([observed], { cwd: root, root, mayBeEmpty: true });
  const diagnostics: Diagnostic[] = [...unread];
  const manifests: ObservedManifest[] = [];
  let spec: ObservedFile['spec'] | undefined;
  for (const { source } of texts) {
    const parsed = parseYaml(source);
    diagnostics.push(...parsed.diagnostics);
    for (const document of parsed.documents.filter(({ value }) => isOurs(value))) {
      const { value } = document;
      if (valueAt(value, '/kind') === 'Observed') {
        const problems = checkDocument(document, ['Observed']);
        diagnostics.push(...problems);
        if (problems.length === 0) spec = (value as unknown as ObservedFile).spec;
        if (spec !== undefined && spec.account !== account)
          diagnostics.push(unusable(document, '/spec/account', `It was made of the account ${quote(spec.account)}.`));
        continue;
      }
      const found = observedIn(document, path.posix.relative(observed, source.name.split(path.sep).join('/')));
      if ('code' in found) diagnostics.push(found);
      else manifests.push(found);
    }
  }
  if (hasErrors(diagnostics)) return { diagnostics };
  if (spec !== undefined) return { folder: { spec, manifests }, diagnostics };
  if (manifests.length === 0) return { diagnostics };
  return {
    diagnostics: [...diagnostics, diagnose('HW1018', `${quote(`${observed}/${OBSERVED_FILE}`)} is not there.`)],
  };
}

function observedIn(document: ParsedDocument, file: string): ObservedManifest | Diagnostic {
  const value = document.value as JsonObject;
  if (valueAt(value, '/lifecycle/state') !== OBSERVED)
    return unusable(document, '/kind', 'A document here does not say `lifecycle: { state: observed }`.');
  const place = slipIn(value);
  if (place !== undefined) return unusable(document, place, 'No manifest takes what stands here.');
  return {
    file,
    text: document.source.text,
    document: value,
    manifest: manifestOf({ ...document, value: asManifest(value) }),
  };
}

/** The first place of an observed manifest that no manifest takes, as a pointer; undefined where there is none. */
export function slipIn(value: JsonObject): string | undefined {
  const validate = validators[value.kind as string];
  if (validate === undefined) return '/kind';
  if (validate(asManifest(value))) return undefined;
  // What is about a person is left out, whether or not a manifest needs it.
  return validate.errors?.find(({ keyword, instancePath }) => keyword !== 'required' || instancePath !== '/spec')
    ?.instancePath;
}

function asManifest({ lifecycle, ...rest }: JsonObject): JsonObject {
  const { state: _, ...others } = isJsonObject(lifecycle) ? lifecycle : {};
  return { ...rest, lifecycle: others };
}

function unusable(document: ParsedDocument, pointer: string, what: string): Diagnostic {
  return problemAt(document, pointer, 'HW1018', what);
}
