// The classes of `hostwright/constructs`, drawn from the schemas and the registry: a kind that has a schema has a class.
import { compile } from 'json-schema-to-typescript';
import type { JSONSchema } from 'json-schema-to-typescript';
import type { Registry } from '../src/model/kind/kind.ts';
import type { Shape } from '../src/manifest/shape.ts';
import { shapeAt } from '../src/manifest/shape.ts';

interface Schema {
  readonly [keyword: string]: unknown;
  readonly title?: string;
  readonly description?: string;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly $ref?: string;
  readonly pattern?: string;
  readonly examples?: readonly unknown[];
}

export interface ConstructKind {
  readonly kind: string;
  readonly schema: Schema;
  /** Of the whole document. */
  readonly shape: Shape;
}

interface Tools {
  readonly banner: string;
  readonly registry: Registry;
  /** The field of a spec that names the profiles that it starts from. */
  readonly profiles: string;
  readonly readonlyTypes: (text: string) => string;
  /** The fields of a mapping that stand alone: it has one of them, or only others. */
  readonly fieldsAlone: (schema: Schema) => readonly string[];
}

/** A mapping that has exactly one of some fields, by the name of its type. */
interface Choice {
  readonly alone: readonly string[];
  /** Where it has none of those, it has this one. */
  readonly otherwise?: string;
  /** Fields that may stand beside it, by which. */
  readonly beside: readonly string[];
}

/** What a workspace file says that an account of a program does not: it is the account, and it is made by the program. */
const NOT_OF_ACCOUNTS = ['account', 'synth'];

/** `props.ts`, `account-props.ts` and `kinds.ts`, by their names. */
export async function constructsFiles(
  kinds: readonly ConstructKind[],
  workspace: Schema,
  tools: Tools,
): Promise<ReadonlyMap<string, string>> {
  const drawn = kinds.map((kind) => drawKind(kind, kinds, tools));
  return new Map([
    ['props.ts', await propsFile(drawn, tools)],
    ['account-props.ts', await accountPropsFile(workspace, tools)],
    ['kinds.ts', kindsFile(drawn, tools)],
  ]);
}

interface Drawn {
  readonly kind: string;
  readonly description: string;
  readonly props: Schema;
  readonly defs: Readonly<Record<string, Schema>>;
  /** Nothing has to be said. */
  readonly optional: boolean;
  readonly metadata: readonly string[];
  readonly references: Readonly<Record<string, { readonly kind: string; readonly as: string }>>;
  readonly outputs: readonly string[];
  readonly rule: unknown;
  readonly handles: readonly { readonly kind: string; readonly outputs: readonly string[] }[];
  readonly choices: ReadonlyMap<string, Choice>;
}

function drawKind({ kind, schema, shape }: ConstructKind, kinds: readonly ConstructKind[], tools: Tools): Drawn {
  const resolved = (part: Schema): Schema => resolve(schema, part);
  const { metadata: head = {}, spec: body = {}, lifecycle } = schema.properties ?? {};
  const [metadata, spec] = [resolved(head), resolved(body)];
  const { name: _name, ...ownMetadata } = metadata.properties ?? {};
  const beside = { ...ownMetadata, ...(lifecycle !== undefined && { lifecycle }) };
  for (const field of Object.keys(beside))
    if (Object.hasOwn(spec.properties ?? {}, field))
      throw new Error(`the spec of ${kind} has the field ${field}, which the props of its class have beside it`);
  const references: Record<string, { kind: string; as: string }> = {};
  const outputs: string[] = [];
  const choices = new Map<string, Choice>();
  const profile = kinds.find((one) => one.kind === `${kind}Profile`);
  const draw = (part: Schema, pattern: string): Schema => {
    const whole = resolved(part);
    const named = referenceIn(whole);
    if (named?.as === 'output') {
      outputs.push(pattern);
      const known = (whole.examples ?? []).map((example) => `'${String((example as { output?: unknown }).output)}'`);
      return {
        ...said(part),
        tsType: `OutputReference<${[...new Set(known)].join(' | ')}> | { ref: string; output: string }`,
      };
    }
    if (named !== undefined) {
      references[pattern] = named;
      return {
        ...said(part),
        tsType: named.as === 'ref' ? `ReferenceTo<'${named.kind}'>` : `Manifest<'${named.kind}'> | string`,
      };
    }
    // An interface without fields would take anything.
    if (
      whole.type === 'object' &&
      whole.additionalProperties === false &&
      Object.keys(whole.properties ?? {}).length === 0
    )
      return { ...said(whole), tsType: 'Record<string, never>' };
    if (profile !== undefined && pattern === tools.profiles) {
      references[`${pattern}/*`] = { kind: profile.kind, as: 'name' };
      return { ...said(part), tsType: `(Manifest<'${profile.kind}'> | string)[]` };
    }
    return part;
  };
  const visit = (part: Schema, pattern: string): Schema => {
    const own = draw(part, pattern);
    if (own !== part) return own;
    const whole = resolved(part);
    const choice = choiceIn(whole, tools);
    if (choice !== undefined) choices.set(typeName(whole.title ?? ''), choice);
    const below = (field: string): string => (pattern === '' ? field : `${pattern}/${field}`);
    const properties =
      whole.properties &&
      Object.fromEntries(
        Object.entries(whole.properties).map(([field, one]) => {
          // Headers are asked for and set: what a rule does and when is named by that.
          const role = choice?.otherwise === undefined ? undefined : /\w+$/.exec(whole.title ?? '')?.[0];
          const isNamed = role !== undefined && choice?.alone.includes(field) === true;
          return [field, visit(isNamed ? { ...resolved(one), title: `${field} ${role}` } : one, below(field))];
        }),
      );
    const items = whole.items && visit(whole.items, below('*'));
    const oneOf = whole.oneOf?.map((branch) => visit(titled(branch, whole.title, tools), pattern));
    const changed =
      choice !== undefined ||
      (properties !== undefined &&
        Object.entries(properties).some(([field, one]) => one !== whole.properties?.[field])) ||
      (items !== undefined && items !== whole.items) ||
      oneOf?.some((branch, index) => branch !== whole.oneOf?.[index]) === true;
    return changed
      ? { ...whole, ...(properties && { properties }), ...(items && { items }), ...(oneOf && { oneOf }) }
      : part;
  };
  const { title: _title, ...body2 } = visit(spec, '');
  const props: Schema = {
    ...body2,
    title: `${kind}Props`,
    properties: { ...body2.properties, ...beside },
    additionalProperties: false,
  };
  // A kind with profiles merges as they do; of others the items of a list are who they are to the kind.
  const identities = profile === undefined ? identitiesOf(kind, spec, resolved, tools.registry) : {};
  const rules = ruleOf(shapeAt(shape, '/spec'), identities);
  const besideRules = Object.fromEntries(
    Object.keys(beside).map((field) => [
      field,
      ruleOf(shapeAt(shape, field === 'lifecycle' ? '/lifecycle' : `/metadata/${field}`)),
    ]),
  );
  return {
    kind,
    description: String(schema.description ?? ''),
    props,
    defs: schema.$defs ?? {},
    optional: (spec.required ?? []).length === 0,
    metadata: Object.keys(ownMetadata),
    references,
    outputs,
    rule: { ...(rules as object), fields: { ...(rules as { fields?: object }).fields, ...besideRules } },
    handles: [...tools.registry.values()].flatMap((one) =>
      one.parent === kind && one.capabilities?.outputs !== undefined
        ? [{ kind: one.kind, outputs: Object.keys(one.capabilities.outputs) }]
        : [],
    ),
    choices,
  };
}

/** A mapping that has exactly one of some fields; undefined for others. */
function choiceIn(schema: Schema, { fieldsAlone }: Tools): Choice | undefined {
  const { properties = {}, required = [], minProperties, maxProperties } = schema;
  const fields = Object.keys(properties);
  const alone = fieldsAlone(schema);
  if (alone.length > 0)
    return { alone, otherwise: 'type', beside: fields.filter((field) => field !== 'type' && !alone.includes(field)) };
  if (minProperties === undefined || minProperties !== maxProperties || minProperties !== required.length + 1)
    return undefined;
  return { alone: fields.filter((field) => !required.includes(field)), beside: required };
}

/** A choice needs a name: `CountryTriggerAllOrNone`. */
function titled(schema: Schema, around: string | undefined, tools: Tools): Schema {
  const choice = schema.title === undefined ? choiceIn(schema, tools) : undefined;
  return choice === undefined ? schema : { ...schema, title: `${around} ${choice.alone.join(' or ')}` };
}

function typeName(title: string): string {
  return title.replace(/(?:^|\s+)(\w)/g, (_all, letter: string) => letter.toUpperCase());
}

/** What is said of a part to people. */
function said({ description }: Schema): Schema {
  return description === undefined ? {} : { description };
}

/** The kind that a part of a schema names, and how. */
function referenceIn({
  type,
  properties,
  pattern,
}: Schema): { readonly kind: string; readonly as: string } | undefined {
  const kindOf = (text: unknown): string | undefined => /^\^([A-Z][A-Za-z]*)\//.exec(String(text))?.[1];
  if (type === 'string' && kindOf(pattern) !== undefined) return { kind: kindOf(pattern) as string, as: 'address' };
  if (type !== 'object' || properties?.ref === undefined) return undefined;
  if (properties.output !== undefined) return { kind: '', as: 'output' };
  const kind = kindOf(properties.ref.pattern);
  return kind === undefined ? undefined : { kind, as: 'ref' };
}

/** The field that tells the items of each list of a spec apart, as the kinds that the lists declare say it. */
function identitiesOf(
  root: string,
  spec: Schema,
  resolved: (part: Schema) => Schema,
  registry: Registry,
): Readonly<Record<string, string>> {
  const probe = 'probe@example.com';
  const lists = Object.entries(spec.properties ?? {}).flatMap(([field, part]) => {
    const { items } = resolved(part);
    const kind = [...registry.values()].find((one) => one.parent === root && one.section?.fields.includes(field));
    const key = Object.keys((items && resolved(items).properties) ?? {}).find(
      (name) => kind?.identity({ [name]: probe }) === probe,
    );
    return key === undefined ? [] : [[field, key] as const];
  });
  return Object.fromEntries(lists);
}

/** What merges below a shape, as `src/constructs/merge.ts` reads it. `identities`: of the lists in it, by their fields. */
function ruleOf(shape: Shape | undefined, identities: Readonly<Record<string, string>> = {}, own?: string): unknown {
  const branches = shape?.is === 'choice' ? shape.of : shape === undefined ? [] : [shape];
  const mappings = branches.filter(({ is }) => is === 'object');
  const lists = branches.filter(({ is }) => is === 'list');
  const [mapping] = mappings as readonly Extract<Shape, { readonly is: 'object' }>[];
  const [list] = lists as readonly Extract<Shape, { readonly is: 'list' }>[];
  const rule = {
    ...(mapping !== undefined &&
      mappings.length === 1 && {
        fields: Object.fromEntries(
          Object.entries(mapping.fields).map(([field, below]) => [field, ruleOf(below, {}, identities[field])]),
        ),
        ...(mapping.alone !== undefined && { alone: mapping.alone }),
      }),
    ...(list !== undefined &&
      lists.length === 1 &&
      (own ?? list.key) !== undefined && { key: own ?? list.key, items: ruleOf(list.items) }),
  };
  return Object.keys(rule).length === 0 ? 0 : rule;
}

function propsFile(drawn: readonly Drawn[], tools: Tools): Promise<string> {
  const defs = Object.assign({}, ...drawn.map((one) => one.defs)) as Record<string, Schema>;
  return typesOf(
    drawn.map(({ props }) => props),
    defs,
    [
      '// What each class takes: the spec of its kind, with what belongs to metadata and lifecycle beside it.',
      "import type { Manifest, OutputReference, ReferenceTo } from '../manifest.ts';",
      "import type { OneOf } from '../one-of.ts';",
    ],
    tools,
    new Map(drawn.flatMap(({ choices }) => [...choices])),
  );
}

/** In a file of its own: a manifest knows its account, and the props of manifests know manifests. */
function accountPropsFile(workspace: Schema, tools: Tools): Promise<string> {
  const spec = resolve(workspace, workspace.properties?.spec ?? {});
  const account: Schema = {
    ...spec,
    title: 'AccountProps',
    description: 'What the workspace file of an account says beside the account.',
    properties: Object.fromEntries(
      Object.entries(spec.properties ?? {}).filter(([field]) => !NOT_OF_ACCOUNTS.includes(field)),
    ),
  };
  return typesOf([account], workspace.$defs ?? {}, ['// What an account takes.'], tools);
}

async function typesOf(
  all: readonly Schema[],
  defs: Readonly<Record<string, Schema>>,
  head: readonly string[],
  { banner, readonlyTypes }: Tools,
  choices: ReadonlyMap<string, Choice> = new Map(),
): Promise<string> {
  const text = await compile(
    structuredClone({
      title: 'AllProps',
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(all.map((props) => [String(props.title), props])),
      $defs: defs,
    }) as unknown as JSONSchema,
    'AllProps',
    {
      bannerComment: [banner, ...head].join('\n'),
      additionalProperties: false,
      ignoreMinAndMaxItems: true,
      format: true,
      style: { printWidth: 140, singleQuote: true },
    },
  );
  const own = text.replace(/export interface AllProps \{[\s\S]*?\n\}\n/, '');
  return readonlyTypes(withChoices(withDescriptions(withoutTwins(own)), choices));
}

/** One type that was written several times is written once: `EdgeRule1` is `EdgeRule`. */
function withoutTwins(text: string): string {
  const declared = /^(?:\/\*\*\n(?: \*.*\n)+)?export (?:interface|type) (\w+)[^]*?(?=^\/\*\*|^export |$(?![^]))/gm;
  const bodyOf = (words: string): string =>
    words.replace(/\/\*\*[^]*?\*\/\n/, '').replace(/^export (interface|type) \w+/, '$1');
  const found = new Map([...text.matchAll(declared)].map(([words, name = '']) => [name, words]));
  for (const [name, words] of found) {
    const [, first = ''] = /^(\D\w*?)\d+$/.exec(name) ?? [];
    const twin = found.get(first);
    if (twin !== undefined && bodyOf(twin) === bodyOf(words))
      return withoutTwins(text.replace(words, '').replace(new RegExp(`\\b${name}\\b`, 'g'), first));
  }
  return text;
}

/** The type of a mapping that has exactly one of some fields is a union, and its fields stand in a type that nobody sees. */
function withChoices(text: string, choices: ReadonlyMap<string, Choice>): string {
  return [...choices].reduce((all, [name, { alone, otherwise, beside }]) => {
    const names = (fields: readonly string[]): string => fields.map((field) => `'${field}'`).join(' | ') || 'never';
    const union = [
      `OneOf<${name}Fields, ${names(alone)}, ${names(otherwise === undefined ? beside : [])}>`,
      ...(otherwise === undefined ? [] : [`OneOf<${name}Fields, '${otherwise}', ${names(beside)}>`]),
    ];
    return all.replace(
      new RegExp(`^export interface ${name} (\\{[^]*?\n\\}\n)`, 'm'),
      (_whole, body: string) => `export type ${name} = ${union.join(' | ')};\ninterface ${name}Fields ${body}`,
    );
  }, text);
}

/** An editor shows what stands above a field and not above its type: a field without words of its own takes those. */
function withDescriptions(text: string): string {
  const said = new Map(
    [...text.matchAll(/^(\/\*\*\n(?: \*.*\n)+)export (?:interface|type) (\w+)/gm)].map(([, words = '', type = '']) => [
      type,
      words,
    ]),
  );
  return text.replace(
    /(?<!\*\/\n)^( +)(?=\w+\??: (\w+);$)/gm,
    (indent, _spaces, type: string) => `${(said.get(type) ?? '').replace(/^(?=.)/gm, indent)}${indent}`,
  );
}

function kindsFile(drawn: readonly Drawn[], { banner }: Tools): string {
  const props = drawn.map(({ kind }) => `${kind}Props`);
  return [
    banner,
    '// A class for each kind of manifest.',
    "import type { Construct } from '../construct.ts';",
    "import type { Over } from '../merge.ts';",
    "import { mergeLayers } from '../merge.ts';",
    "import type { KindTable, OutputReference } from '../manifest.ts';",
    "import { Handle, Manifest } from '../manifest.ts';",
    `import type { ${props.join(', ')} } from './props.ts';`,
    '',
    "export type { AccountProps } from './account-props.ts';",
    "export type * from './props.ts';",
    '',
    '/** What each kind takes, by its name. */',
    'export interface KindProps {',
    ...drawn.map(({ kind }) => `  readonly ${kind}: ${kind}Props;`),
    '}',
    '',
    ...drawn.flatMap(classOf),
  ].join('\n');
}

function classOf({
  kind,
  description,
  optional,
  metadata,
  references,
  outputs,
  rule,
  handles,
}: Drawn): readonly string[] {
  const table = { kind, metadata, references, outputs, rule };
  const constant = kind.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
  return [
    `const ${constant} = ${JSON.stringify(table)} as const satisfies KindTable;`,
    '',
    `/** ${description} */`,
    `export class ${kind} extends Manifest<'${kind}', ${kind}Props> {`,
    `  /** \`name\` is \`metadata.name\`; \`props\` is the spec, with what belongs to metadata and lifecycle beside its fields. */`,
    `  constructor(scope: Construct, name: string, props: ${kind}Props${optional ? ' = {}' : ''}) {`,
    `    super(scope, name, props, ${constant});`,
    '  }',
    '',
    '  /** Props over each other, as profiles merge: the later beats the earlier, and `null` takes out what was said before. */',
    `  static merge(...layers: readonly (Over<${kind}Props> | undefined)[]): ${kind}Props {`,
    `    return mergeLayers(layers, ${constant}.rule) as unknown as ${kind}Props;`,
    '  }',
    ...handles.flatMap((handle) => [
      '',
      `  /** What others can take of its ${handle.kind} of this name. */`,
      `  ${lowerFirst(handle.kind)}(name: string): ${handle.kind}Handle {`,
      `    return new ${handle.kind}Handle(this, '${handle.kind}', name);`,
      '  }',
    ]),
    '}',
    '',
    ...handles.flatMap((handle) => [
      `/** A ${handle.kind} of a manifest, for those who need a value of it. */`,
      `export class ${handle.kind}Handle extends Handle {`,
      ...handle.outputs.flatMap((output, index) => [
        ...(index === 0 ? [] : ['']),
        `  /** Its \`${output}\`, once it has it. */`,
        `  get ${output}(): OutputReference<'${output}'> {`,
        `    return this.outputOf('${output}');`,
        '  }',
      ]),
      '}',
      '',
    ]),
  ];
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function resolve(document: Schema, schema: Schema): Schema {
  const { $ref, ...own } = schema;
  if ($ref === undefined) return schema;
  const target = document.$defs?.[$ref.replace('#/$defs/', '')];
  if (target === undefined) throw new Error(`${$ref} leads nowhere`);
  return { ...resolve(document, target), ...own };
}
