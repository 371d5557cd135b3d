// The documents of an export as a program, proven by running it: what `synth` makes of it is the YAML that export would
// have written, byte for byte.
import path from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose, hasErrors } from '../../model/diagnostic.ts';
import type { ReadProgram } from '../../manifest/program/documents.ts';
import { readProgram } from '../../manifest/program/documents.ts';
import { profileKindOf } from '../../manifest/read/profile-kinds.ts';
import { SourceText } from '../../manifest/read/source-text.ts';
import type { TakenNames } from '../../manifest/write/name-manifests.ts';
import type { NewFile } from '../../manifest/write/new-files.ts';
import { inTemporaryFolder, writeNewFiles } from '../../manifest/write/new-files.ts';
import { writeManifest } from '../../manifest/write/write.ts';
import { writeProgram } from '../../manifest/write/write-program.ts';
import { registry } from '../../areas/index.ts';
import type { Account } from '../account.ts';
import { Stopped, stopAtErrors } from '../client.ts';
import type { Session } from '../session.ts';
import { filesOf } from '../synth.ts';
import type { ExportDocument } from './documents.ts';
import { commentsOf } from './documents.ts';
import { withProfiles } from './profiles.ts';

const FILE = 'hosting.ts';

/** The program that declares these documents; stops where what it declares is anything else. */
export async function provenProgram(
  { session, workspace }: Account,
  documents: readonly ExportDocument[],
  taken: TakenNames,
): Promise<NewFile> {
  const kinds = new Map([...registry.keys()].map((kind) => [profileKindOf(kind), kind]));
  const text = writeProgram({
    head: [`What is live in the account ${workspace.account}, as \`hostwright export --lang ts\` found it.`],
    profileOf: (kind) => kinds.get(kind),
    parts: withProfiles(documents, taken).map((document) => {
      const { name, ...metadata } = document.manifest.metadata;
      return {
        kind: document.manifest.kind,
        name: name as string,
        metadata,
        spec: document.manifest.spec,
        comments: commentsOf(document),
      };
    }),
  });
  const expected = documents.map(({ manifest }) => `${writeManifest({ manifest })}\n`).sort();
  const { made, diagnostics } = await synthesised(session, text);
  const different = made.length === expected.length ? made.filter((one) => !expected.includes(one)) : made;
  if (hasErrors(diagnostics) || different.length > 0 || made.length !== expected.length)
    throw new Stopped([unequal(made.length, expected.length, different.length, diagnostics)]);
  return { file: FILE, text };
}

/** The YAML of a program, without the first line of each file. */
async function synthesised(
  session: Session,
  text: string,
): Promise<{ readonly made: readonly string[]; readonly diagnostics: readonly Diagnostic[] }> {
  const read = await runOwnProgram(session, text);
  if (session.stop.aborted) throw new Stopped([]);
  const { files, diagnostics } = await filesOf(read, { line: '#', inherited: {} });
  return { made: files.map((file) => file.text.replace(/^#\n/, '')).sort(), diagnostics };
}

/** What a program of ours declares: nobody else could have changed it, so it is run where those of others are not. */
export async function runOwnProgram({ programs, stop }: Session, text: string): Promise<ReadProgram> {
  if (programs === undefined) return { accounts: [], diagnostics: [] };
  const { credential: _credential, ...access } = programs;
  return inTemporaryFolder(async (folder) => {
    stopAtErrors(await writeNewFiles(folder, [{ file: FILE, text }]));
    const program = path.join(folder, FILE);
    const source = new SourceText(FILE, text);
    return readProgram({ program, source, root: folder, cwd: folder, variables: [], secret: [], stop }, access);
  });
}

function unequal(made: number, expected: number, different: number, diagnostics: readonly Diagnostic[]): Diagnostic {
  const said = diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ code, detail }) => `${code}: ${detail}`);
  const why =
    said.length > 0
      ? `It cannot be synthesised: ${said.slice(0, 3).join('; ')}`
      : `It declares ${made} manifests, of which ${different} differ; there should be ${expected}.`;
  return diagnose(
    'HW6708',
    `Nothing was written. The program was run, and what it declares is not what export would write as YAML. ${why} Export YAML instead, without --lang ts, and please report this.`,
  );
}
