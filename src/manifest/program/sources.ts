// Where in a program the values of made YAML come from, kept in a file: `synth --sources` writes it in a job that runs the
// program, and `plan --sources` reads it in one that does not. It is about what people are shown, and nothing else.
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { escapePointer, isJsonObject, parseJsonObject } from '../../model/json.ts';
import type { LoadedText } from '../read/load.ts';
import { isProgram, loadText, staysInside } from '../read/load.ts';
import type { ParsedDocument } from '../read/parse.ts';
import type { SourceText } from '../read/source-text.ts';
import { quote } from '../../model/format.ts';

const FORMAT = 'hostwright.sources/1';

/** A made file, and the document of the program that it was made from. */
export interface MadeFrom {
  readonly text: string;
  readonly document: ParsedDocument;
}

/** Line and column, and the number of the file, by pointer into the document. */
type PlaceTable = Readonly<Record<string, readonly [file: number, line: number, column: number]>>;

/** True for a text that was written here before, whole or not. */
export function isSources(text: string): boolean {
  return text.startsWith(`{"format":"${FORMAT}"`);
}

/** The places of made files as one text, keyed by the hash of each file. `shown`: how a file is called there. */
export function sourcesText(made: readonly MadeFrom[], shown: (name: string) => string): string {
  const files: string[] = [];
  const numberOf = (name: string): number => {
    const file = shown(name);
    if (!files.includes(file)) files.push(file);
    return files.indexOf(file);
  };
  const tables = made.map(({ text, document }) => [hashOf(text), tableOf(document, numberOf)] as const);
  return `${JSON.stringify({ format: FORMAT, files, places: Object.fromEntries(tables) })}\n`;
}

function tableOf({ value, place }: ParsedDocument, numberOf: (name: string) => number): PlaceTable {
  const table: Record<string, readonly [number, number, number]> = {};
  const visit = (below: Json, pointer: string, around: string): void => {
    const { key, value: span, source } = place(pointer);
    const { line, column } = source.range(key ?? span);
    const entry = [numberOf(source.name), line, column] as const;
    // What stands where the thing around it stands needs no line of its own.
    if (entry.join() !== around) table[pointer] = entry;
    if (typeof below !== 'object' || below === null) return;
    for (const [name, item] of Object.entries(below as JsonObject))
      visit(item, `${pointer}/${escapePointer(name)}`, entry.join());
  };
  visit(value, '', '');
  return table;
}

/** Gives the documents of a file places in the program; a file that is not as it was made keeps its own. */
export type Relocate = (text: LoadedText, documents: readonly ParsedDocument[]) => readonly ParsedDocument[];

/** Reads a file of places. Only programs in the workspace are looked into, whatever the file says. */
export async function readSources(
  file: string,
  { cwd, root }: { readonly cwd: string; readonly root: string },
): Promise<{ readonly relocate?: Relocate; readonly diagnostics: readonly Diagnostic[] }> {
  const { source, diagnostic } = await loadText(file, path.resolve(cwd, file));
  if (source === undefined) return { diagnostics: diagnostic === undefined ? [] : [diagnostic] };
  const content = contentOf(source.text);
  if (content === undefined)
    return { diagnostics: [diagnose('HW1514', `${quote(file)} holds no places of manifests.`)] };
  const texts = await Promise.all(
    content.files.map(async (name): Promise<SourceText | undefined> => {
      const place = path.resolve(root, name);
      if (!isProgram(name) || !(await staysInside(root, name))) return undefined;
      return (await loadText(path.relative(cwd, place), place)).source;
    }),
  );
  return {
    diagnostics: [],
    relocate: (text, documents) => {
      const table = content.places[hashOf(text.source.text)];
      return table === undefined || documents.length !== 1
        ? documents
        : documents.map((document) => relocated(document, table, texts));
    },
  };
}

function relocated(
  document: ParsedDocument,
  table: PlaceTable,
  texts: readonly (SourceText | undefined)[],
): ParsedDocument {
  return {
    ...document,
    place: (pointer) => {
      for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
        const [number, line, column] = (Object.hasOwn(table, at) ? table[at] : undefined) ?? [];
        const source = number === undefined ? undefined : texts[number];
        if (source !== undefined && line !== undefined && column !== undefined) {
          const offset = source.offsetAt({ line, column });
          return { value: [offset, offset + 1], source, pointer, shared: false };
        }
        if (at === '') return document.place(pointer);
      }
    },
  };
}

function contentOf(
  text: string,
): { readonly files: readonly string[]; readonly places: Readonly<Record<string, PlaceTable>> } | undefined {
  const value = parseJsonObject(text);
  if (value === undefined || value.format !== FORMAT || !Array.isArray(value.files) || !isJsonObject(value.places))
    return undefined;
  const isEntry = (entry: Json): boolean =>
    Array.isArray(entry) && entry.length === 3 && entry.every(Number.isSafeInteger);
  const isTable = (table: Json): boolean => isJsonObject(table) && Object.values(table).every(isEntry);
  if (!value.files.every((name) => typeof name === 'string') || !Object.values(value.places).every(isTable))
    return undefined;
  return { files: value.files, places: value.places as unknown as Readonly<Record<string, PlaceTable>> };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
