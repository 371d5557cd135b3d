// Whole files of manifests, written into the workspace for somebody who may do nothing else there: each is a file of
// manifests and stays one, in a place that the workspace reads, and all of them are valid with the rest, or none is written.
import path from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose, hasErrors, sortDiagnostics } from '../../model/diagnostic.ts';
import { valueAt } from '../../model/json.ts';
import type { Workspace } from '../../model/workspace.ts';
import { dataKinds, registry } from '../../areas/index.ts';
import { quote } from '../../model/format.ts';
import { isInside, isNothing, isPrivate, realPathOf, WORKSPACE_FILE } from '../../manifest/read/load.ts';
import type { LoadedText } from '../../manifest/read/load.ts';
import { parseYaml } from '../../manifest/read/parse.ts';
import { userKindOf } from '../../manifest/read/profile-kinds.ts';
import { placesOfSecrets } from '../../manifest/read/read.ts';
import { SourceText } from '../../manifest/read/source-text.ts';
import { API_VERSION } from '../../model/desired.ts';
import { programOf } from '../../manifest/write/made-files.ts';
import { isRead } from '../../manifest/write/manifest-folder.ts';
import type { NewFile } from '../../manifest/write/new-files.ts';
import type { Session } from '../session.ts';
import { openWorkspace, withTexts } from '../workspace.ts';
import type { Written } from './save.ts';
import { writeOver } from './save.ts';

/** Writes them, or says why none is. `isSecret`: whether a text holds a credential that nobody may write down. */
export async function proposeManifests(
  session: Session,
  files: readonly NewFile[],
  isSecret: (text: string) => boolean,
): Promise<Written & { readonly diagnostics: readonly Diagnostic[] }> {
  const opened = await openWorkspace(session, [], { mayBeEmpty: true, offline: true });
  const { workspace, texts } = opened;
  if (workspace === undefined) return { written: false, diagnostics: opened.diagnostics };
  const known = new Map(texts.map((text) => [text.file, text.source.text]));
  const proposed = files.map(({ file, text }) => {
    const place = path.join(workspace.root, file);
    const real = path.join(realPathOf(workspace.root) ?? workspace.root, file);
    return { file, text, place, real, before: known.get(real) };
  });
  const refused = proposed.flatMap(({ file, text, place, real, before }) => {
    const reason =
      (files.filter((one) => one.file.toLowerCase() === file.toLowerCase()).length > 1
        ? 'it is named twice'
        : undefined) ??
      placeProblem(workspace, file, { place, real }) ??
      (before === undefined && !isNothing(place)
        ? 'something is there that the workspace reads no manifest from'
        : undefined) ??
      (before !== undefined && !isOurs(before) ? 'what is there is no manifest' : undefined) ??
      (programOf(before ?? '') !== undefined ? 'it is made by a program' : undefined) ??
      (isOurs(text) ? undefined : 'a file of manifests holds manifests of this account and nothing else') ??
      // A reviewer would see another text than the one that is read.
      (/[\p{Cf}\u2028\u2029]/u.test(text.replace(/^\uFEFF/, ''))
        ? 'there are invisible or direction-changing characters in it'
        : undefined) ??
      (isSecret(text) ? 'a credential of this machine stands in it' : undefined);
    if (reason !== undefined) return [notProposed(file, reason)];
    // What cannot be read as YAML might be anybody's.
    return parseYaml(new SourceText(file, text)).diagnostics.filter(({ severity }) => severity === 'error');
  });
  if (refused.length > 0) return { written: false, diagnostics: refused };
  const replaced = new Set(proposed.map(({ real }) => real));
  const coming = proposed.map(({ text, place, real }): LoadedText => ({
    source: new SourceText(path.relative(workspace.root, place), text),
    named: false,
    file: real,
  }));
  const checked = await withTexts(opened, [...texts.filter(({ file = '' }) => !replaced.has(file)), ...coming]);
  const diagnostics = sortDiagnostics(checked.diagnostics);
  if (hasErrors(diagnostics)) return { written: false, diagnostics };
  const written = await writeOver(
    workspace.root,
    proposed.map(({ file, text, real, before }) => ({ file, path: real, before, text })),
  );
  if (written.diagnostics.length > 0) return { written: false, diagnostics: written.diagnostics };
  return { files: written.files, written: true, diagnostics };
}

/** Why nothing may be written at this path, by its name and by where its folders are. */
function placeProblem(
  workspace: Workspace,
  file: string,
  { place, real }: { readonly place: string; readonly real: string },
): string | undefined {
  const { root } = workspace;
  const parts = file.split('/');
  if (path.isAbsolute(file) || /[\\\p{Cc}:]/u.test(file)) return 'it is no path from the folder of the workspace';
  if (parts.some((part) => part === '' || part.startsWith('.') || part.toLowerCase() === 'node_modules'))
    return 'a part of it is empty, hidden, or a folder of packages';
  if (!isInside(root, place)) return 'it leads out of the workspace';
  if (!/\.ya?ml$/.test(file)) return 'a file of manifests ends in .yaml';
  if (parts.at(-1)?.toLowerCase() === WORKSPACE_FILE) return 'the workspace file is changed by people';
  if (isPrivate(place, { root, secret: placesOfSecrets(workspace) })) return 'it is a place of secrets';
  // What is there of the way is where its name says: there is no link in it, not even one that stays inside.
  const realRoot = realPathOf(root) ?? root;
  for (let at = place, expected = real; isInside(root, at); at = path.dirname(at), expected = path.dirname(expected)) {
    if (isNothing(at)) continue;
    if (realPathOf(at) !== expected || !isInside(realRoot, expected)) return 'a link is on the way to it';
    break;
  }
  return isRead(workspace, file) ? undefined : 'the workspace reads no manifest from there';
}

/** Every document is one of the kinds that are declared: a text that others would take for theirs is none. */
function isOurs(text: string): boolean {
  const { documents, diagnostics } = parseYaml(new SourceText('', text));
  if (hasErrors(diagnostics)) return true;
  return (
    documents.length > 0 &&
    documents.every(({ value }) => {
      const kind = valueAt(value, '/kind');
      return (
        valueAt(value, '/apiVersion') === API_VERSION &&
        typeof kind === 'string' &&
        (registry.get(kind)?.parent === null || dataKinds.has(kind) || userKindOf(kind) !== undefined)
      );
    })
  );
}

function notProposed(file: string, reason: string): Diagnostic {
  return diagnose(
    'HW6729',
    `${quote(file.slice(0, 200))}: ${reason}. Nothing was written. Name a file that \`manifests\` of the workspace file covers, such as sites/shop.yaml, and give all of its text.`,
  );
}
