// `schema`: the JSON Schemas that came with the package, for editors and other tools.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Option } from 'commander';
import leven from 'leven';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { renderJson } from '../../report/json/index.ts';
import type { CliCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { listSchemas, readSchema, WHOLE } from '../../library/package-files.ts';
import { reportProblems } from '../report.ts';

interface SchemaOptions {
  readonly list?: boolean;
  /** A folder. */
  readonly out?: string;
}

export function addSchema(program: CliCommand): void {
  program
    .command('schema')
    .description('Print the JSON Schema of a kind, or of every document.')
    .argument('[kind]', 'Such as Site.')
    .option('--list', 'The names of all schemas.')
    .addOption(new Option('--out <folder>', 'Write all schemas there, for editors.').conflicts('list'))
    .examples(
      ['hostwright schema Site > site.schema.json', 'for an editor'],
      ['hostwright schema --list', 'the names of all'],
      ['hostwright schema --out schemas', 'all of them, as files'],
    )
    .action((kind: string | undefined, { out }: SchemaOptions, command: CliCommand) => {
      if (kind !== undefined && out !== undefined)
        command.error('error: --out writes all schemas: name a kind or a folder');
      return command.execute<SchemaOptions>((context, options) => schema(context, kind, options));
    });
}

async function schema(
  context: Context,
  kind: string | undefined,
  { list = false, out }: SchemaOptions,
): Promise<OutcomeWord> {
  const schemas = await listSchemas();
  const names = [...schemas.keys()];
  if (list) {
    context.output.result(context.json ? renderJson(names) : names.join('\n'));
    return 'done';
  }
  if (out !== undefined) return writeSchemas(context, [...schemas.values()], out);
  const wanted = kind ?? WHOLE;
  const found = names.find((name) => name.toLowerCase() === wanted.toLowerCase());
  if (found === undefined) return reportProblems(context, [unknownSchema(wanted, names)]);
  context.output.result((await readSchema(schemas.get(found) as string)).trimEnd());
  return 'done';
}

/** All of them, for an editor to find. What lies there under such a name and is no schema is left alone. */
async function writeSchemas(context: Context, files: readonly string[], out: string): Promise<OutcomeWord> {
  const folder = resolve(context.cwd, out);
  try {
    await mkdir(folder, { recursive: true });
    const strangers = await Promise.all(files.map(async (file) => ((await isOther(join(folder, file))) ? [file] : [])));
    const [stranger] = strangers.flat();
    if (stranger !== undefined)
      return await reportProblems(context, [
        unwritten(`\`${join(out, stranger)}\` is there and is no JSON Schema. Name another folder, or remove it first`),
      ]);
    await Promise.all(files.map(async (file) => writeFile(join(folder, file), await readSchema(file))));
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
