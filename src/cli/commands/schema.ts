// The command `schema`: the JSON Schemas that came with the package, for editors and other tools.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import leven from 'leven';
import type { OutcomeWord } from '../../model/outcome.ts';
import { renderJson } from '../../report/json.ts';
import type { Context } from '../context.ts';
import { packageRoot } from '../package-root.ts';
import { reportProblems } from '../report.ts';
import { problem } from '../settings.ts';

const ENDING = '.schema.json';
const WHOLE = 'hostwright';

export async function schema(context: Context, kind: string | undefined, { list = false }: { readonly list?: boolean }): Promise<OutcomeWord> {
  const folder = join(packageRoot(), 'schemas');
  const files = (await readdir(folder)).filter((file) => file.endsWith(ENDING)).sort();
  const names = files.map((file) => kindName(file.slice(0, -ENDING.length)));
  if (list) {
    context.output.result(context.json ? renderJson(names) : names.join('\n'));
    return 'done';
  }
  const wanted = kind ?? WHOLE;
  const index = names.findIndex((name) => name.toLowerCase() === wanted.toLowerCase());
  if (index === -1) return reportProblems(context, [unknownSchema(wanted, names)]);
  context.output.result((await readFile(join(folder, files[index] as string), 'utf8')).trimEnd());
  return 'done';
}

/** `domain-registration` holds the kind DomainRegistration. */
function kindName(file: string): string {
  return file === WHOLE ? file : file.replace(/(?:^|-)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

function unknownSchema(wanted: string, names: readonly string[]) {
  const [nearest] = [...names].sort((left, right) => leven(left.toLowerCase(), wanted.toLowerCase()) - leven(right.toLowerCase(), wanted.toLowerCase()));
  const guess = nearest !== undefined && leven(nearest.toLowerCase(), wanted.toLowerCase()) <= 3 ? ` Did you mean ${nearest}?` : '';
  return problem('HW6509', 'There is no such schema', `\`${wanted}\` has no schema.${guess} There are: ${names.join(', ')}.`);
}
