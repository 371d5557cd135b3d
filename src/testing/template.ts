// What a program declares, for assertions: plain errors, so that every test runner shows them.
import { stringify } from 'yaml';
import { isJsonObject, valueAt } from '../model/json.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { ParsedDocument } from '../manifest/read/parse.ts';
import { writeManifests } from '../manifest/write/write.ts';
import { unifiedLines } from '../report/view/unified.ts';
import type { Program } from './program.ts';
import { readProgramHere } from './program.ts';

/** Lines around a difference. */
const AROUND = 3;

export interface TemplateOptions {
  /** The account whose manifests are looked at. Needed where the program has several. */
  readonly account?: string;
}

/** What a program declares for one account. */
export class Template {
  readonly #documents: readonly ParsedDocument[];

  private constructor(documents: readonly ParsedDocument[]) {
    this.#documents = documents;
  }

  /** Throws where the program declares what is not valid: the error names the lines. */
  static fromApp(app: Program, { account }: TemplateOptions = {}): Template {
    return new Template(readProgramHere(app, account).documents);
  }

  /** There are so many manifests of a kind. */
  count(kind: string, expected: number): void {
    const names = this.#documents.flatMap((one) => (kindOf(one) === kind ? [nameOf(one)] : []));
    if (names.length === expected) return;
    const there = names.length === 0 ? 'there is none' : `there are ${names.length}: ${names.join(', ')}`;
    throw new Error(
      `Expected ${expected} manifests of the kind ${kind}, and ${names.length === 1 ? `there is one: ${names[0] ?? ''}` : there}.`,
    );
  }

  /**
   * There is a manifest with these props among its own: fields that are not named here do not matter, lists are compared
   * as a whole, and a field that is `undefined` here has to be absent.
   */
  has(kind: string, name: string, props: object = {}): void {
    const found = this.#documents.find((one) => kindOf(one) === kind && nameOf(one) === name);
    if (found === undefined) {
      const names = this.#documents.flatMap((one) => (kindOf(one) === kind ? [nameOf(one)] : []));
      throw new Error(
        `There is no ${kind} \`${name}\`.${names.length === 0 ? ` The program declares no ${kind}.` : ` There are: ${names.join(', ')}.`}`,
      );
    }
    const expected = plain(props);
    const actual = partOf(propsOf(found), props);
    const [before, after] = [yamlOf(expected), yamlOf(actual)];
    if (before === after) return;
    throw new Error(
      [
        `${kind} \`${name}\` at ${placeOf(found)} is not as expected:`,
        '- expected',
        '+ declared',
        '',
        ...diffOf(before, after),
      ].join('\n'),
    );
  }

  /** The props of a manifest, as programs write them; undefined where there is none. */
  find(kind: string, name: string): JsonObject | undefined {
    const found = this.#documents.find((one) => kindOf(one) === kind && nameOf(one) === name);
    return found === undefined ? undefined : propsOf(found);
  }

  /** All manifests of a kind, in the order in which they were declared. */
  all(kind: string): readonly { readonly name: string; readonly props: JsonObject }[] {
    return this.#documents
      .filter((one) => kindOf(one) === kind)
      .map((one) => ({ name: nameOf(one), props: propsOf(one) }));
  }

  /** Everything as YAML, in the order in which it was declared; for snapshots. */
  toYaml(): string {
    return `${writeManifests(this.#documents.map(({ value }) => ({ manifest: value as JsonObject })))}\n`;
  }
}

function kindOf({ value }: ParsedDocument): Json | undefined {
  return valueAt(value, '/kind');
}

function nameOf({ value }: ParsedDocument): string {
  return valueAt(value, '/metadata/name') as string;
}

/** `hosting.ts:12:3` */
function placeOf(document: ParsedDocument): string {
  const { source, value } = document.place('');
  const { file, line, column } = source.range(value);
  return `${file}:${line}:${column}`;
}

/** The props as programs write them: what belongs to `metadata` and `lifecycle` beside the fields of the spec. */
function propsOf({ value }: ParsedDocument): JsonObject {
  const { metadata, lifecycle, spec } = value as JsonObject;
  const { name: _name, ...beside } = metadata as JsonObject;
  return { ...(spec as JsonObject), ...(lifecycle !== undefined && { lifecycle }), ...beside };
}

/** What YAML can hold of an expectation. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([field, below]) => (below === undefined ? [] : [[field, plain(below)]])),
  );
}

/** What is asked about, in the order in which it is asked. */
function partOf(actual: Json | undefined, asked: unknown): Json | undefined {
  if (Array.isArray(asked) && Array.isArray(actual))
    return (actual as readonly Json[]).map(
      (item, index) => (index < asked.length ? partOf(item, asked[index]) : item) ?? null,
    );
  if (typeof asked !== 'object' || asked === null || Array.isArray(asked) || !isJsonObject(actual)) return actual;
  return Object.fromEntries(
    Object.entries(asked).flatMap(([field, below]) => {
      const part = Object.hasOwn(actual, field) ? partOf(actual[field], below) : undefined;
      return part === undefined ? [] : [[field, part] as const];
    }),
  );
}

function yamlOf(value: unknown): string {
  return stringify(value, { lineWidth: 0 });
}

function diffOf(before: string, after: string): readonly string[] {
  const [left, right] = [before, after].map((text) => text.trimEnd().split('\n')) as [string[], string[]];
  const lines = unifiedLines(left, right, AROUND);
  if (lines === undefined) return [...left.map((line) => `- ${line}`), ...right.map((line) => `+ ${line}`)];
  return lines.map(({ mark, text }) => `${mark} ${text}`);
}
