// The use case `convert`: manifests that people wrote in YAML, as a program that declares the same, document by document.
// The program is run before it is written. No network, no token, no ledger.
import path from 'node:path';
import { compareText } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose, hasErrors, sortDiagnostics } from '../../model/diagnostic.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { sameJson } from '../../model/json.ts';
import { quote } from '../../model/format.ts';
import { headIn } from '../../manifest/program/documents.ts';
import type { LoadedText } from '../../manifest/read/load.ts';
import { isProgram } from '../../manifest/read/load.ts';
import { isOurs } from '../../manifest/read/validate.ts';
import { programOf } from '../../manifest/write/made-files.ts';
import type { NewFile } from '../../manifest/write/new-files.ts';
import { writeNewFiles } from '../../manifest/write/new-files.ts';
import type { ProgramPart } from '../../manifest/write/write-program.ts';
import { writeProgram } from '../../manifest/write/write-program.ts';
import type { YamlPart } from '../../manifest/write/yaml-part.ts';
import { partOf, yamlParts } from '../../manifest/write/yaml-part.ts';
import type { Session } from '../session.ts';
import { openOffline } from '../workspace.ts';
import { runOwnProgram } from './program.ts';

export interface ConvertOptions {
  /** Empty: what the workspace names. */
  readonly paths: readonly string[];
  /** The file to write, seen from the folder of the command. Absent: nothing is written. */
  readonly out?: string;
}

export interface ConvertResult {
  /** Absent when there are errors. */
  readonly program?: NewFile;
  /** How many manifests it declares. */
  readonly manifests: number;
  /** Files that say nothing which the program does not say. */
  readonly replaced: readonly string[];
  /** Files that say more. */
  readonly partly: readonly string[];
  readonly written: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** Writes manifests as a program, and proves that it declares what they say. */
export async function convertManifests(session: Session, { paths, out }: ConvertOptions): Promise<ConvertResult> {
  const opened = await openOffline(session, paths);
  const texts = opened.texts.filter(({ isContext, isShared }) => isContext !== true && isShared !== true);
  const refused = texts.flatMap(whyNot);
  const stopped = (diagnostics: readonly Diagnostic[]): ConvertResult => ({
    manifests: 0,
    replaced: [],
    partly: [],
    written: false,
    diagnostics: sortDiagnostics([...opened.diagnostics, ...diagnostics]),
  });
  if (hasErrors(opened.diagnostics) || refused.length > 0) return stopped(refused);
  const files = texts.map(({ source }) => ({ source, parts: yamlParts(source.text) }));
  const wanted = files.flatMap(({ parts }) => parts.filter(isManifest));
  const file = out === undefined ? 'hosting.ts' : path.basename(out);
  const text = writeProgram({
    head: ['What `hostwright convert` made of manifests in YAML. `hostwright synth` writes them from here.'],
    profileOf: () => undefined,
    parts: wanted.map((part): ProgramPart => partOf(part)),
  });
  const unequal = await differenceOf(session, text, wanted);
  if (session.stop.aborted) return stopped([]);
  if (unequal !== undefined) return stopped([unequal]);
  const program = { file, text };
  const failed = out === undefined ? [] : await writeNewFiles(path.resolve(session.cwd, path.dirname(out)), [program]);
  if (hasErrors(failed)) return stopped(failed);
  const holding = files.filter(({ parts }) => parts.some(isManifest));
  const named = (some: typeof files): readonly string[] => some.map(({ source }) => source.name);
  return {
    ...stopped([]),
    program,
    manifests: wanted.length,
    replaced: named(holding.filter(({ parts }) => parts.every(isManifest))),
    partly: named(holding.filter(({ parts }) => !parts.every(isManifest))),
    written: out !== undefined,
  };
}

function isManifest({ value }: YamlPart): boolean {
  return isOurs(value) && (value as JsonObject).kind !== 'Workspace';
}

function whyNot({ source: { name, text } }: LoadedText): readonly Diagnostic[] {
  const program = isProgram(name) ? name : programOf(text);
  if (program === undefined) return [];
  return [
    diagnose(
      'HW6730',
      `${quote(name)} ${program === name ? 'is a program' : `is made from ${quote(program)}`}. Nothing was written. Name the files that people wrote.`,
    ),
  ];
}

/** Why the program does not declare these documents; undefined where it does. */
async function differenceOf(
  session: Session,
  text: string,
  wanted: readonly YamlPart[],
): Promise<Diagnostic | undefined> {
  const { accounts, diagnostics } = await runOwnProgram(session, text);
  const inOrder = (values: readonly Json[]): readonly Json[] =>
    [...values].sort((left, right) => compareText(JSON.stringify(headIn(left)), JSON.stringify(headIn(right))));
  const declared = inOrder(accounts.flatMap(({ documents }) => documents.map(({ value }) => value)));
  const expected = inOrder(wanted.map(({ value }) => value));
  const errors = [...diagnostics, ...accounts.flatMap((account) => account.diagnostics)].filter(
    ({ severity }) => severity === 'error',
  );
  const different = expected.filter((value, index) => !sameJson(value, declared[index] ?? null));
  if (errors.length === 0 && different.length === 0 && declared.length === expected.length) return undefined;
  const [first] = errors;
  const why =
    first === undefined
      ? `${different.length} of ${expected.length} manifests would differ${different[0] === undefined ? '' : `, the first is ${Object.values(headIn(different[0])).join(' ')}`}.`
      : `It cannot be run: ${first.code}: ${first.detail}`;
  return diagnose(
    'HW6731',
    `Nothing was written. The program was run, and what it declares is not what the YAML says. ${why} Keep the YAML, and please report this.`,
  );
}
