// Holds the names of folders, files, formats and exports to the vocabulary of ARCHITECTURE.md: one word for one thing,
// the one that Terraform, Kubernetes and octoDNS use.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Words that other projects do not know, or that mean something else there, and what is said instead. */
const INSTEAD: Readonly<Record<string, string>> = {
  adopt: 'to-manifest',
  adopted: 'imported',
  because: 'reason',
  compose: 'to-manifest',
  composed: 'to-manifest',
  filing: 'manifest-file',
  keeper: 'secret-sink',
  lateness: 'consistency-lag',
  locate: 'look-up',
  obstacle: 'blocker',
  obstacles: 'blockers',
  occasion: 'hook',
  occasions: 'hooks',
  purse: 'billing lock',
  recall: 'from-ledger',
  remark: 'notice',
  remarks: 'notices',
  sayable: 'representable',
  settle: 'wait-for',
  todo: 'remedy',
  trace: 'activity',
  traces: 'activity',
  unsafe: 'idempotent: false',
};

/** `toManifest`, `to-manifest`, `SECRET_SAVED` in lower-case words. */
function wordsIn(name: string): readonly string[] {
  return (name.match(/[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase());
}

function foreignIn(names: readonly string[]): readonly string[] {
  return names.flatMap((name) =>
    wordsIn(name.split('/').at(-1) as string)
      .filter((word) => Object.hasOwn(INSTEAD, word))
      .map((word) => `${name}: ${INSTEAD[word] ?? ''}, not ${word}`),
  );
}

function namesUnder(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    if (entry.name === 'generated') return [];
    return entry.isDirectory() ? [name, ...namesUnder(name)] : [name];
  });
}

const files = namesUnder('src').filter((name) => name.endsWith('.ts'));
const table = [
  ...(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
    .split('\n## Words\n')[1]
    ?.split('\n## ')[0]
    ?.matchAll(/^\| ([a-z ,()-]+) \| .+ \|$/gm) ?? []),
].flatMap(([, words = '']) => words.split(', '));

describe('the vocabulary', () => {
  it('is a table of words that the code has', () => {
    const code = files
      .map((name) => readFileSync(join(root, name), 'utf8'))
      .join('\n')
      .toLowerCase();
    const spellings = (word: string) => [word, word.replaceAll(' ', '-'), word.replaceAll(' ', '')];
    expect(table.length).toBeGreaterThan(30);
    expect(table.filter((word) => !spellings(word).some((spelling) => code.includes(spelling)))).toEqual([]);
  });

  it('names folders and files', () => {
    expect(foreignIn([...namesUnder('src'), ...namesUnder('test'), ...namesUnder('docs')])).toEqual([]);
  });

  it.each(['plan', 'outcome', 'notification', 'doctor', 'get'])('names what a %s holds', (format) => {
    const schema = JSON.parse(readFileSync(join(root, 'schemas', `${format}.schema.json`), 'utf8')) as unknown;
    expect(foreignIn(namesIn(schema))).toEqual([]);
  });

  it('names what modules export and what types hold', () => {
    const declared = /(?:^export (?:async )?(?:function|const|class|interface|type) |^\s*readonly )(\w+)/gm;
    const names = files.flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(declared)].map(([, name = '']) => name),
    );
    expect(foreignIn([...new Set(names)])).toEqual([]);
  });
});

/** Names of properties, and texts that a property may have, in a JSON Schema. */
function namesIn(schema: unknown): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(namesIn);
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key === 'properties' || key === '$defs')
      return [...Object.keys(value as object), ...namesIn(Object.values(value as object))];
    if (key === 'enum') return (value as readonly unknown[]).filter((text) => typeof text === 'string');
    return key === 'examples' ? [] : namesIn(value);
  });
}
