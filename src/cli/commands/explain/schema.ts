// `explain --schema`: the JSON Schemas of the package, for editors and other tools.
import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import leven from 'leven';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { diagnose } from '../../../model/diagnostic.ts';
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import { renderJson } from '../../../report/json/index.ts';
import type { Context } from '../../context.ts';
import { listSchemas, readSchema } from '../../../library/package-files.ts';
import { writeOutput } from '../../../system/write-output.ts';
import { reportProblems } from '../../report.ts';
import { trustedRoots } from '../../trusted-roots.ts';

/** Prints the schema of a kind or an output document, lists the schemas, or writes all of them to the folder `out`. */
export async function explainSchema(
  context: Context,
  kind: string | undefined,
  out: string | undefined,
): Promise<OutcomeWord> {
  const schemas = await listSchemas();
  const names = [...schemas.keys()];
  if (out !== undefined) return writeSchemas(context, [...schemas.values()], out);
  if (kind === undefined) {
    context.output.result(context.json ? renderJson(names) : names.join('\n'));
    return 'done';
  }
  const found = names.find((name) => name.toLowerCase() === kind.toLowerCase());
  if (found === undefined) return reportProblems(context, [unknownSchema(kind, names)]);
  context.output.result((await readSchema(schemas.get(found) as string)).trimEnd());
  return 'done';
}

/** Writes all schemas for an editor. A file of such a name that is not a schema is an error. */
async function writeSchemas(context: Context, files: readonly string[], out: string): Promise<OutcomeWord> {
  const folder = resolve(context.cwd, out);
  try {
    await mkdir(folder, { recursive: true });
    const strangers = await Promise.all(files.map(async (file) => ((await isOther(join(folder, file))) ? [file] : [])));
    const [stranger] = strangers.flat();
    if (stranger !== undefined)
      return await reportProblems(context, [
        unwritten(
          `\`${join(out, stranger)}\` exists and is not a JSON Schema. Name another folder, or remove the file`,
        ),
      ]);
    await Promise.all(
      files.map(async (file) =>
        writeOutput(join(folder, file), await readSchema(file), { roots: trustedRoots(context.env) }),
      ),
    );
  } catch (error) {
    return reportProblems(context, [
      unwritten(
        `\`${out}\`: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}. Name a folder that can be written to`,
      ),
    ]);
  }
  context.output.result(
    context.json ? renderJson(files.map((file) => join(out, file))) : files.map((file) => join(out, file)).join('\n'),
  );
  return 'done';
}

async function isOther(file: string): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? undefined : '',
  );
  return text !== undefined && !text.includes('"$schema"');
}

function unwritten(detail: string): Diagnostic {
  return diagnose('HW6543', `${detail}.`);
}

function unknownSchema(wanted: string, names: readonly string[]): Diagnostic {
  const [nearest] = [...names].sort(
    (left, right) => leven(left.toLowerCase(), wanted.toLowerCase()) - leven(right.toLowerCase(), wanted.toLowerCase()),
  );
  const guess =
    nearest !== undefined && leven(nearest.toLowerCase(), wanted.toLowerCase()) <= 3 ? ` Did you mean ${nearest}?` : '';
  return diagnose('HW6509', `\`${wanted}\` has no schema.${guess} There are: ${names.join(', ')}.`);
}
