// The use case `synth`: a program is run, what it declares is checked like any manifest, and written as YAML for people
// to review and CI to apply. Neither network nor token nor ledger.
import path from 'node:path';
import type { Diagnostic } from '../model/diagnostic.ts';
import { diagnose, hasErrors, sortDiagnostics } from '../model/diagnostic.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { escapePointer, isJsonObject, valueAt } from '../model/json.ts';
import type { Workspace } from '../model/workspace.ts';
import { dataKinds, registry } from '../areas/index.ts';
import { ledgerRefOf } from '../manifest/workspace.ts';
import type { ProgramAccount, ReadProgram } from '../manifest/program/documents.ts';
import { headIn, readProgram } from '../manifest/program/documents.ts';
import type { MadeFrom } from '../manifest/program/sources.ts';
import { quote } from '../model/format.ts';
import { plural } from '../model/common/count.ts';
import type { LoadedText } from '../manifest/read/load.ts';
import { fromFolder, loadText, loadTexts, WORKSPACE_FILE } from '../manifest/read/load.ts';
import type { ParsedDocument } from '../manifest/read/parse.ts';
import { linesAt } from '../manifest/read/parse.ts';
import { isProgramText, loadShared, placesOfSecrets, readTexts } from '../manifest/read/read.ts';
import { checkDocument } from '../manifest/read/validate.ts';
import type { MadeFile } from '../manifest/write/made-files.ts';
import { compareMadeFiles, madeLine, writeMadeFiles, writeSources } from '../manifest/write/made-files.ts';
import { nameRoots } from '../manifest/write/name-manifests.ts';
import type { NewFile } from '../manifest/write/new-files.ts';
import { writeManifest } from '../manifest/write/write.ts';
import type { Session } from './session.ts';
import { findWorkspace, NO_WORKSPACE_FILE } from './workspace-file.ts';

export interface SynthOptions {
  /** Relative to the folder that the command runs in. Absent: what the workspace says, else `hosting.ts`. */
  readonly program?: string;
  /** The same for the folder to write to, else `manifests`. */
  readonly out?: string;
  /** Write nothing, and run the program again: as it was, and on another day. */
  readonly check?: boolean;
  /** A file that the places in the program are written to. */
  readonly sources?: string;
  /** Asks whether all made files are to be removed, because the program declares nothing. Absent: they are not. */
  readonly confirm?: (question: string) => Promise<boolean>;
}

export interface SynthResult {
  /** Where the files are, as people call it. */
  readonly folder: string;
  /** What differs from what was there; empty where it is what the program makes. */
  readonly changes: readonly MadeFile[];
  /** How many files there are to be. */
  readonly files: number;
  readonly written: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

const PROGRAM = 'hosting.ts';
const OUT = 'manifests';
/** Another day, month, year, hour and minute. */
const OTHER_DAY_MS = ((400 * 24 + 5) * 60 + 7) * 60_000;

/** Runs the program, and writes what it declares. */
export async function synthWorkspace(session: Session, options: SynthOptions): Promise<SynthResult> {
  const { workspace, file, spec, diagnostics: found } = await findWorkspace(session, { offline: true });
  const beside = found.filter(({ code }) => code !== NO_WORKSPACE_FILE);
  const root = file === undefined ? session.cwd : path.dirname(file);
  const program =
    options.program === undefined
      ? path.resolve(root, spec?.synth?.program ?? PROGRAM)
      : path.resolve(session.cwd, options.program);
  const folder =
    options.out === undefined ? path.resolve(root, spec?.synth?.out ?? OUT) : path.resolve(session.cwd, options.out);
  const nothing = (diagnostics: readonly Diagnostic[]): SynthResult => ({
    folder: path.relative(session.cwd, folder) || '.',
    changes: [],
    files: 0,
    written: false,
    diagnostics: sortDiagnostics([...beside, ...diagnostics]),
  });
  if (hasErrors(beside)) return nothing([]);
  const { source, diagnostic } = await loadText(path.relative(session.cwd, program), program);
  if (source === undefined || session.programs === undefined)
    return nothing(diagnostic === undefined ? [] : [diagnostic]);
  const secrets = spec?.secrets?.env ?? [];
  const run = {
    program,
    source,
    root,
    cwd: session.cwd,
    variables: (spec?.synth?.env ?? []).filter((name) => !secrets.includes(name)),
    secret: placesOfSecrets({ root, secrets: { env: [], files: [], keep: [], ...spec?.secrets } }),
    stop: session.stop,
  };
  const read = await readProgram(run, session.programs);
  const line = madeLine(fromFolder(root, program));
  const made = await filesOf(read, {
    line,
    inherited: spec?.baseUrl === undefined ? {} : { baseUrl: spec.baseUrl },
    ...(workspace !== undefined && {
      workspace,
      others: await othersIn(workspace, line),
    }),
  });
  if (hasErrors(made.diagnostics)) return nothing(made.diagnostics);
  for (const clockAhead of options.check === true ? [0, OTHER_DAY_MS] : []) {
    const again = differenceOf(read, await readProgram({ ...run, clockAhead }, session.programs), clockAhead);
    if (again !== undefined) return nothing([again]);
  }
  const unwritten =
    options.sources === undefined
      ? []
      : await writeSources(path.resolve(session.cwd, options.sources), options.sources, made.from, (name) =>
          fromFolder(root, path.resolve(session.cwd, name)),
        );
  if (hasErrors(unwritten)) return nothing(unwritten);
  const { changes, diagnostics: inTheWay } = await compareMadeFiles(folder, made.files, line);
  const result = { ...nothing([...made.diagnostics, ...inTheWay]), changes, files: made.files.length };
  if (hasErrors(inTheWay)) return result;
  if (options.check === true)
    return changes.length === 0
      ? result
      : { ...result, diagnostics: sortDiagnostics([...result.diagnostics, outdated(changes, result.folder)]) };
  if (
    read.accounts.every(({ documents }) => documents.length === 0) &&
    changes.some(({ after }) => after === undefined)
  ) {
    const what = `${quote(source.name)} declares no manifest, and ${plural(changes.length, 'file')} in \`${result.folder}\` would be removed.`;
    if ((await options.confirm?.(what)) !== true)
      return {
        ...result,
        changes: [],
        diagnostics: sortDiagnostics([...result.diagnostics, diagnose('HW1524', what)]),
      };
  }
  const failed = await writeMadeFiles(folder, changes);
  return { ...result, written: !hasErrors(failed), diagnostics: sortDiagnostics([...result.diagnostics, ...failed]) };
}

function outdated(changes: readonly MadeFile[], folder: string): Diagnostic {
  return diagnose('HW1508', `${plural(changes.length, 'file')} in \`${folder}\` would change.`);
}

/** The manifests of the workspace that the program does not make: what it declares may name them, and not be one of them. */
async function othersIn(workspace: Workspace, line: string): Promise<readonly LoadedText[]> {
  const { root, manifests, shared = [] } = workspace;
  const where = { cwd: root, root, secret: placesOfSecrets(workspace) };
  const loaded = [await loadTexts(manifests, { ...where, mayBeEmpty: true }), await loadShared(shared, where)];
  return [...new Map(loaded.flatMap(({ texts }) => texts.map((text) => [text.file, text]))).values()].filter(
    (text) => !isProgramText(text) && !text.source.text.startsWith(`${line}\n`),
  );
}

export interface Making {
  readonly line: string;
  /** What the workspace files of accounts take from that of the program. */
  readonly inherited: JsonObject;
  readonly workspace?: Workspace;
  /** Manifests that are there beside those of the program. */
  readonly others?: readonly LoadedText[];
}

/** The files of every account, or what is wrong. */
async function filesOf(
  { accounts, diagnostics }: ReadProgram,
  making: Making,
): Promise<{
  readonly files: readonly NewFile[];
  readonly from: readonly MadeFrom[];
  readonly diagnostics: readonly Diagnostic[];
}> {
  const found = [...diagnostics];
  const files: NewFile[] = [];
  const from: MadeFrom[] = [];
  for (const account of accounts) {
    const below = account.name === null ? '' : `${account.name}/`;
    const head = account.name === null ? [] : [workspaceOf(account, making)];
    const { workspace, others = [] } = account.name === null ? making : {};
    const own: LoadedText = { source: account.head.source, named: true, documents: account.documents };
    const read = await readTexts(
      {
        texts: [...others, own],
        diagnostics: [...account.diagnostics, ...head.flatMap((document) => checkDocument(document, ['Workspace']))],
      },
      [],
      { registry, dataKinds, mayBeEmpty: true, ...(workspace !== undefined && { secrets: workspace }) },
    );
    // What is wrong with the others by themselves is told by who reads them.
    const names = new Set(others.map(({ source }) => source.name));
    found.push(...read.diagnostics.filter(({ source }) => !names.has(source?.file ?? '')));
    const named = [...head.map((document) => ({ document, file: WORKSPACE_FILE })), ...namesOf(account.documents)];
    for (const { document, file } of named) {
      const made = fileOf(`${below}${file}`, document.value, making);
      files.push(made);
      from.push({ text: made.text, document });
    }
  }
  return { files, from, diagnostics: found };
}

function fileOf(file: string, value: Json, { line }: Making): NewFile {
  return { file, text: `${line}\n${writeManifest({ manifest: value as JsonObject })}\n` };
}

function namesOf(
  documents: readonly ParsedDocument[],
): readonly { readonly document: ParsedDocument; readonly file: string }[] {
  const roots = documents.map(({ value }) => {
    const { kind = '', name = '' } = headIn(value);
    return { kind, folder: folderOf(kind), id: name, called: [name] };
  });
  return nameRoots(roots).map(({ file }, index) => ({ document: documents[index] as ParsedDocument, file }));
}

/** Where `export` writes manifests of a kind; those that stand for nothing live have a folder by their name. */
function folderOf(kind: string): string {
  const file = registry.get(kind)?.manifest?.file;
  return file?.folder ?? `${kind.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()}s`;
}

/** The workspace file of an account. A ledger in Git is one for each of them. */
function workspaceOf({ name, spec, head }: ProgramAccount, { inherited }: Making): ParsedDocument {
  const account = name ?? '';
  const git = valueAt(spec, '/ledger/git');
  const ledger =
    isJsonObject(git) && git.ref === undefined
      ? { ledger: { ...(spec.ledger as JsonObject), git: { ...git, ref: ledgerRefOf(account) } } }
      : {};
  return {
    ...head,
    value: { apiVersion: 'hostwright/v1', kind: 'Workspace', spec: { account, ...inherited, ...spec, ...ledger } },
  };
}

/** Where two runs came to something else; undefined where they did not. */
function differenceOf(first: ReadProgram, second: ReadProgram, clockAhead: number): Diagnostic | undefined {
  const [before, after] = [first, second].map(({ accounts }) =>
    accounts.map(({ name, spec, documents }) => ({ name, spec, documents: documents.map(({ value }) => value) })),
  );
  const pointer = firstDifference(before, after);
  if (pointer === undefined) return undefined;
  const [, account = '', part = '', document = '', ...rest] = pointer.split('/');
  const at = part === 'documents' ? first.accounts[Number(account)]?.documents[Number(document)] : undefined;
  const inside = rest.length === 0 ? '' : `/${rest.join('/')}`;
  const where =
    at === undefined
      ? `at \`${pointer}\` of what they declare`
      : `at \`${inside}\` of ${headIn(at.value).kind ?? ''} \`${headIn(at.value).name ?? ''}\``;
  const place = at?.place(inside);
  return diagnose(
    'HW1507',
    `The program was run twice${clockAhead === 0 ? '' : ', the second time with a clock that is 400 days ahead'}, and the runs differ ${where}.`,
    place === undefined ? {} : linesAt(place.source, place.value),
  );
}

/** A JSON pointer to the first place where two values differ; fields in the order of the first. */
function firstDifference(left: Json | undefined, right: Json | undefined, pointer = ''): string | undefined {
  if (typeof left !== 'object' || left === null || typeof right !== 'object' || right === null)
    return left === right ? undefined : pointer;
  if (Array.isArray(left) !== Array.isArray(right)) return pointer;
  const [before, after] = [left as JsonObject, right as JsonObject];
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const found = firstDifference(before[key], after[key], `${pointer}/${escapePointer(key)}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
