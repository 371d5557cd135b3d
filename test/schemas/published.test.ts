// The published schemas keep what other programs read: a line of the golden file that goes or changes breaks a reader.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

interface Schema {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** `/$defs/action/verb string required`, for each field wherever it stands. */
function linesOf(value: unknown, at: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { properties, required = [], ...rest } = value as Schema;
  const fields = Object.entries(properties ?? {}).flatMap(([name, field]) => {
    const { type = field.$ref ?? field.const ?? '', enum: values } = field;
    const words = [type, values, required.includes(name) ? 'required' : ''].filter((word) => word !== '');
    const said = words.filter((word) => word !== undefined).map((word) => JSON.stringify(word).replaceAll('"', ''));
    return [[`${at}/${name}`, ...said].join(' '), ...linesOf(field, `${at}/${name}`)];
  });
  const below = Object.entries(rest).filter(([keyword]) => !['examples', 'enum', 'const'].includes(keyword));
  return [...fields, ...below.flatMap(([keyword, part]) => linesOf(part, `${at}/${keyword}`))];
}

it.each(readdirSync(join(root, 'schemas/output')).map((name) => name.replace('.yaml', '')))(
  'the schema of %s has every field that it had',
  async (name) => {
    const file = join(root, `schemas/${name}.schema.json`);
    const lines = linesOf(JSON.parse(readFileSync(file, 'utf8')), '');
    await expect(`${[...lines].sort().join('\n')}\n`).toMatchFileSnapshot(`golden/${name}.txt`);
  },
);
