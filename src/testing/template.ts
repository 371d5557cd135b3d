// What a program declares, for assertions: plain errors, so that every test runner shows them.
import { stringify } from 'yaml';
import type { KindProps } from '../constructs/index.ts';
import { isJsonObject, valueAt } from '../model/json.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { Manifest } from '../model/desired.ts';
import type { Trace, Visitor } from '../model/plan/trace.ts';
import { servedBy, traceRequest } from '../usecases/trace/trace.ts';
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

/** What is no plain value: a construct, or an output of one. */
type Instance = { readonly toDocument: unknown } | { readonly root: unknown; readonly ref: string };

/** Props as a manifest has them: a construct is the reference to it. */
export type Declared<Value> = Value extends Instance
  ? never
  : Value extends readonly (infer Item)[]
    ? readonly Declared<Item>[]
    : Value extends object
      ? { readonly [Field in keyof Value]: Declared<Value[Field]> }
      : Value;

/** What `expect.arrayContaining` and the like are. */
interface Asymmetric {
  asymmetricMatch(value: unknown): boolean;
  toString(): string;
}

/** Some of the fields of a value. */
export type Part<Value> =
  | Asymmetric
  | (Value extends readonly (infer Item)[]
      ? readonly Part<Item>[]
      : Value extends object
        ? { readonly [Field in keyof Value]?: Part<Value[Field]> | undefined }
        : Value);

export type PartOf<Kind extends keyof KindProps> = Part<Declared<KindProps[Kind]>>;

/** What a program declares for one account. */
export class Template {
  readonly #documents: readonly ParsedDocument[];
  readonly #manifests: readonly Manifest[];

  private constructor({ documents, manifests }: ReturnType<typeof readProgramHere>) {
    this.#documents = documents;
    this.#manifests = manifests;
  }

  /** Throws where the program declares what is not valid: the error names the lines. */
  static fromApp(app: Program, { account }: TemplateOptions = {}): Template {
    return new Template(readProgramHere(app, account));
  }

  /**
   * What the rules of the site that has the hostname do with a request, as `hostwright test --url` shows it. What is not given
   * of the visitor is not known. Throws where no site of the program has the hostname.
   */
  trace(url: string, visitor: Visitor = {}): Trace {
    const { headers = {}, method = 'GET', ...rest } = visitor;
    const request = {
      url: new URL(url),
      method,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      ...rest,
    };
    const manifest = servedBy(this.#manifests, request.url);
    if (manifest === undefined) throw new Error(`No site of the program has the hostname ${request.url.hostname}.`);
    return traceRequest(manifest, request);
  }

  /** There are so many manifests of a kind. */
  count(kind: keyof KindProps, expected: number): void {
    const names = this.#ofKind(kind).map(nameOf);
    if (names.length === expected) return;
    const there = names.length === 0 ? 'there is none' : `there are ${names.length}: ${names.join(', ')}`;
    throw new Error(
      `Expected ${expected} manifests of the kind ${kind}, and ${names.length === 1 ? `there is one: ${names[0] ?? ''}` : there}.`,
    );
  }

  /**
   * There is a manifest of this name with these props among its own; without a name, any manifest of the kind. Fields that
   * are not named here do not matter, lists are compared as a whole, and a field that is `undefined` here has to be absent.
   */
  has<Kind extends keyof KindProps>(kind: Kind, props?: PartOf<Kind>): void;
  has<Kind extends keyof KindProps>(kind: Kind, name: string, props?: PartOf<Kind>): void;
  has(kind: string, ...given: readonly unknown[]): void {
    const [name, props = {}] = typeof given[0] === 'string' ? [given[0], given[1]] : [undefined, given[0]];
    const known = this.#ofKind(kind);
    const [first, ...others] = known.filter((one) => name === undefined || nameOf(one) === name);
    if (first === undefined) {
      const names = known.map(nameOf);
      throw new Error(
        `There is no ${kind}${name === undefined ? '' : ` \`${name}\``}.${names.length === 0 ? ` The program declares no ${kind}.` : ` There are: ${names.join(', ')}.`}`,
      );
    }
    const found = [first, ...others].map((one) => ({ one, different: differenceOf(one, props) }));
    if (found.some(({ different }) => different.length === 0)) return;
    const unmet = (lines: readonly string[]): number => lines.filter((line) => line.startsWith('-')).length;
    const { one, different } = found.reduce((best, next) =>
      unmet(next.different) < unmet(best.different) ? next : best,
    );
    const nearest = others.length === 0 ? '' : `None of ${found.length} manifests is as expected. The nearest: `;
    throw new Error(
      [
        `${nearest}${kind} \`${nameOf(one)}\` at ${placeOf(one)} is not as expected:`,
        '- expected',
        '+ declared',
        '',
        ...different,
      ].join('\n'),
    );
  }

  /** The props of a manifest, as programs write them; undefined where there is none. */
  find<Kind extends keyof KindProps>(kind: Kind, name: string): Declared<KindProps[Kind]> | undefined {
    return this.all(kind).find((one) => one.name === name)?.props;
  }

  /** The manifests of a kind that have these props, in the order in which they were declared. */
  all<Kind extends keyof KindProps>(
    kind: Kind,
    props?: PartOf<Kind>,
  ): readonly { readonly name: string; readonly props: Declared<KindProps[Kind]> }[] {
    return this.#ofKind(kind)
      .filter((one) => differenceOf(one, props ?? {}).length === 0)
      .map((one) => ({ name: nameOf(one), props: propsOf(one) as Declared<KindProps[Kind]> }));
  }

  /** Everything as YAML, in the order in which it was declared; for snapshots. */
  toYaml(): string {
    return `${writeManifests(this.#documents.map(({ value }) => ({ manifest: value as JsonObject })))}\n`;
  }

  #ofKind(kind: string): readonly ParsedDocument[] {
    return this.#documents.filter(({ value }) => valueAt(value, '/kind') === kind);
  }
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

/** Lines that say how a manifest is not as asked for; none where it is. */
function differenceOf(document: ParsedDocument, asked: unknown): readonly string[] {
  const props = propsOf(document);
  const [before, after] = [yamlOf(plain(asked, props)), yamlOf(partOf(props, asked))];
  return before === after ? [] : diffOf(before, after);
}

/** What YAML can hold of an expectation. */
function plain(asked: unknown, actual: unknown): unknown {
  if (typeof asked !== 'object' || asked === null) return asked;
  if (isAsymmetric(asked)) return asked.asymmetricMatch(actual) ? actual : `<${asked.toString()}>`;
  const below = (field: string): unknown =>
    typeof actual === 'object' && actual !== null && Object.hasOwn(actual, field)
      ? Reflect.get(actual, field)
      : undefined;
  if (Array.isArray(asked)) return asked.map((item, index) => plain(item, below(String(index))));
  return Object.fromEntries(
    Object.entries(asked).flatMap(([field, one]) => (one === undefined ? [] : [[field, plain(one, below(field))]])),
  );
}

function isAsymmetric(asked: object): asked is Asymmetric {
  return 'asymmetricMatch' in asked && typeof asked.asymmetricMatch === 'function';
}

/** What is asked about, in the order in which it is asked. */
function partOf(actual: Json | undefined, asked: unknown): Json | undefined {
  if (Array.isArray(asked) && Array.isArray(actual))
    return (actual as readonly Json[]).map(
      (item, index) => (index < asked.length ? partOf(item, asked[index]) : item) ?? null,
    );
  if (typeof asked !== 'object' || asked === null || Array.isArray(asked) || isAsymmetric(asked)) return actual;
  if (!isJsonObject(actual)) return actual;
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
