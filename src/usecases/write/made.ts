// Files that a program makes are edited by nobody: the next `synth` would take it back. What is to change is told, with
// the line of the program that says it now.
import path from 'node:path';
import type { Diagnostic, Severity } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { escapePointer, isJsonObject, sameJson, valueAt, withValueAt } from '../../model/json.ts';
import type { FileEdit } from '../../manifest/edit/write-edited.ts';
import { quote } from '../../model/format.ts';
import { headIn } from '../../manifest/program/documents.ts';
import { parseYaml } from '../../manifest/read/parse.ts';
import { SourceText } from '../../manifest/read/source-text.ts';
import { programOf } from '../../manifest/write/made-files.ts';
import { writeManifest } from '../../manifest/write/write.ts';
import type { Account } from '../account.ts';
import { openOffline } from '../workspace.ts';
import type { Edits } from './edits.ts';

/** The edits of files that people wrote, and what is to be done where a program made the file. */
export async function withoutMade(
  { session, workspace }: Pick<Account, 'session' | 'workspace'>,
  edits: readonly FileEdit[],
  severity: Severity,
): Promise<Edits> {
  const made = edits.flatMap((edit) => {
    const program = programOf(edit.before);
    return program === undefined ? [] : [{ edit, program }];
  });
  const programs = [...new Set(made.map(({ program }) => program))];
  const declared = await Promise.all(
    programs.map(async (program) => {
      const shown = path.relative(session.cwd, path.resolve(workspace.root, program));
      return (await openOffline(session, [shown])).documents;
    }),
  );
  const diagnostics = made.map(({ edit: { file, before, after }, program }): Diagnostic => {
    const [was = null, is = null] = [before, after].map(
      (text) => parseYaml(new SourceText(file, text)).documents[0]?.value,
    );
    const { kind, name } = headIn(is);
    const changed = differencesIn(was, is);
    const place = declared[programs.indexOf(program)]
      ?.find(({ value }) => headIn(value).kind === kind && headIn(value).name === name)
      ?.place(changed[0] ?? '');
    const range = place?.source.range(place.value);
    const where = range === undefined ? program : `${range.file}:${range.line}`;
    return diagnose(
      'HW6728',
      `${quote(file)} is made from ${quote(program)}, and was left as it is. Change the program at ${where}, so that ${kind ?? ''} ${quote(name ?? '')} says what stands here, and run \`hostwright synth\`.`,
      {
        severity,
        frame: writeManifest({
          manifest: changed.reduce<Json>(
            (all, pointer) => withValueAt(all, pointer, valueAt(is, pointer) ?? null) ?? all,
            {},
          ) as JsonObject,
        }),
        ...(range !== undefined && { source: range }),
      },
    );
  });
  return { edits: edits.filter(({ before }) => programOf(before) === undefined), diagnostics };
}

/** Pointers to what two values say differently; a list is one of it. */
function differencesIn(was: Json, is: Json, pointer = ''): readonly string[] {
  if (!isJsonObject(was) || !isJsonObject(is)) return sameJson(was, is) ? [] : [pointer];
  return [...new Set([...Object.keys(is), ...Object.keys(was)])].flatMap((field) =>
    differencesIn(was[field] ?? null, is[field] ?? null, `${pointer}/${escapePointer(field)}`),
  );
}
