// The use case `fmt`: files of manifests, and the workspace file, laid out as `export` writes them. No network, no token,
// no ledger, and nothing that a document says changes.
import path from 'node:path';
import type { Diagnostic } from '../model/diagnostic.ts';
import { diagnose, diagnosticSource, hasErrors, sortDiagnostics } from '../model/diagnostic.ts';
import { layOut } from '../manifest/edit/layout.ts';
import type { FileEdit } from '../manifest/edit/write-edited.ts';
import { writeEditedFiles } from '../manifest/edit/write-edited.ts';
import { masked, quote } from '../model/format.ts';
import type { Loaded, LoadedText } from '../manifest/read/load.ts';
import { loadTexts, WORKSPACE_FILE } from '../manifest/read/load.ts';
import { parseYaml } from '../manifest/read/parse.ts';
import { syntaxAdvice } from '../manifest/read/slips/syntax-advice.ts';
import { isProgramText, loadShared, placesOfSecrets } from '../manifest/read/read.ts';
import { mayHoldOurs } from '../manifest/read/validate.ts';
import type { Session } from './session.ts';
import { findWorkspace } from './workspace-file.ts';
import type { ChangedFile } from './write/save.ts';

export interface FmtResult {
  /** Those whose layout changes, as they may be shown: without what looks like a secret. */
  readonly files: readonly ChangedFile[];
  /** What came from standard input, laid out. Absent where it was not read or cannot be parsed. */
  readonly text?: string;
  /** How many files were looked at. */
  readonly checked: number;
  readonly written: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Lays out the files named, or all that the workspace names and its own file, and writes those that change. `check`:
 * nothing is written. A file that cannot be parsed, or not be laid out, stays as it is and keeps no other back.
 */
export async function formatFiles(
  session: Session,
  { paths, check }: { readonly paths: readonly string[]; readonly check: boolean },
): Promise<FmtResult> {
  const { texts, diagnostics: unread } = await filesFor(session, paths);
  const diagnostics = [...unread];
  const edits: FileEdit[] = [];
  let text: string | undefined;
  for (const loaded of texts) {
    const { source, file } = loaded;
    const { diagnostics: found, after } = isProgramText(loaded) ? leftAlone(source) : layOutText(source);
    diagnostics.push(...found);
    if (after === undefined) continue;
    if (file === undefined) text = after;
    if (after !== source.text)
      edits.push({ file: source.name, before: source.text, after, ...(file !== undefined && { path: file }) });
  }
  const files = edits.filter((edit) => edit.path !== undefined);
  const failed = check ? [] : await writeEditedFiles(files);
  return {
    files: edits.map(({ file, before, after }) => ({ file, before: maskedText(before), after: maskedText(after) })),
    ...(text !== undefined && { text }),
    checked: texts.length,
    written: !check && files.length > 0 && !hasErrors(failed),
    diagnostics: sortDiagnostics([...diagnostics, ...failed]),
  };
}

/** What the paths name, or the workspace; with the workspace files in folders that are named. */
async function filesFor(session: Session, paths: readonly string[]): Promise<Loaded> {
  const { workspace, file, diagnostics } = await findWorkspace(session);
  const secret = workspace === undefined ? [] : placesOfSecrets(workspace);
  const { stdin } = session;
  if (paths.length > 0) {
    const where = { cwd: session.cwd, root: workspace?.root ?? session.cwd, stdin, secret };
    const named = await loadTexts(paths, where);
    const folders = paths.filter((name) => name !== '-' && !name.startsWith('!'));
    const beside = await loadTexts(
      folders.map((folder) => path.join(folder, WORKSPACE_FILE)),
      { ...where, mayBeEmpty: true },
    );
    return { texts: once([...named.texts, ...beside.texts]), diagnostics: named.diagnostics };
  }
  if (workspace === undefined || file === undefined) return { texts: [], diagnostics };
  const where = { cwd: workspace.root, root: workspace.root, stdin, secret, mayBeEmpty: true } as const;
  const loaded = [
    await loadTexts([path.relative(workspace.root, file)], where),
    await loadTexts(workspace.manifests, where),
    await loadShared(workspace.shared ?? [], where),
  ];
  return {
    texts: once(loaded.flatMap(({ texts }) => texts)),
    diagnostics: loaded.flatMap(({ diagnostics: problems }) => problems),
  };
}

function once(texts: readonly LoadedText[]): readonly LoadedText[] {
  return [...new Map(texts.map((text) => [text.file, text])).values()];
}

/** A file of other programs stays as it is. */
function layOutText(source: LoadedText['source']): {
  readonly diagnostics: readonly Diagnostic[];
  readonly after?: string;
} {
  if (!mayHoldOurs(source.text)) return { diagnostics: [], after: source.text };
  const { diagnostics } = parseYaml(source, syntaxAdvice);
  if (hasErrors(diagnostics)) return { diagnostics };
  const laidOut = layOut(source.text);
  if ('text' in laidOut) return { diagnostics, after: laidOut.text };
  const skipped = notLaidOut(source, `${laidOut.refused} Its manifests are fine, and nothing has to be done.`);
  return { diagnostics: [...diagnostics, skipped], after: source.text };
}

/** Programs have formatters of their own. */
function leftAlone(source: LoadedText['source']): ReturnType<typeof layOutText> {
  const skipped = notLaidOut(source, 'It is a program. A formatter for TypeScript, such as Prettier, lays it out.');
  return { diagnostics: [skipped], after: source.text };
}

function notLaidOut({ name }: LoadedText['source'], why: string): Diagnostic {
  return diagnose(
    'HW6760',
    `${quote(name)} was not changed. ${why}`,
    diagnosticSource({ file: name, line: 1, column: 1 }),
  );
}

function maskedText(text: string): string {
  return text.split('\n').map(masked).join('\n');
}
