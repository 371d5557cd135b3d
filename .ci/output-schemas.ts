// What Hostwright writes for other programs: the schemas that are published, and the validator of a saved plan, from
// `schemas/output/*.yaml`. Those are JSON Schema in YAML, with little to write:
//
// - Every field is required, and its description gets the word for it; one whose name ends in `?` is optional.
// - What has no `examples` gets one from those of its fields, of its items, or of what it refers to.
// - `tsType` is the type of the field in TypeScript, where JSON Schema says less; it is not published.
// - `$ref: plan.yaml#/$defs/position` is a definition of another format; it is copied.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import type { JSONSchema } from 'json-schema-to-typescript';
import { compile } from 'json-schema-to-typescript';
import { parse } from 'yaml';
import type { Files } from './generated-code.ts';
import { readonlyTypes } from './manifest-schemas.ts';
import { bundled, withoutWords } from './standalone.ts';

const root = path.resolve(import.meta.dirname, '..');
const FOLDER = 'schemas/output';

interface Schema {
  readonly [keyword: string]: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly $ref?: string;
}

/** The published schemas, and the validator by which `apply` and `plan --saved` take a saved plan. */
export async function outputFiles(): Promise<Files> {
  const schemas = await outputSchemas();
  return new Map([
    ...[...schemas].map(
      ([name, schema]) =>
        [`schemas/${name}.schema.json`, `${JSON.stringify(withoutTypes(schema), null, 2)}\n`] as const,
    ),
    [
      'src/usecases/generated/validate-plan.js',
      await validatorOf('validatePlan', withoutTypes(schemas.get('plan') as Schema)),
    ],
    ['src/usecases/generated/validate-plan.d.ts', declarationOf('validatePlan')],
    ['src/worker/generated/validate-account-report.js', await validatorOf(REPORT, accountReportSchema(schemas))],
    ['src/worker/generated/validate-account-report.d.ts', declarationOf(REPORT)],
    ...(await Promise.all([...schemas].filter(([name]) => TYPED.includes(name)).map(typesOf))),
  ]);
}

/** By name, `plan` and so on. */
async function outputSchemas(): Promise<ReadonlyMap<string, Schema>> {
  const names = (await readdir(path.join(root, FOLDER))).sort();
  const sources = new Map<string, Schema>();
  for (const name of names) sources.set(name, parse(await readFile(path.join(root, FOLDER, name), 'utf8')) as Schema);
  return new Map(names.map((name) => [name.replace('.yaml', ''), published(name, sources)]));
}

function published(name: string, sources: ReadonlyMap<string, Schema>): Schema {
  const { $defs: _own, ...source } = sources.get(name) as Schema;
  const used = new Map<string, Schema>();
  /** Copies a definition to this schema, and gives its reference there. */
  const use = (reference: string, from: string): string => {
    const [, file = '', definition = ''] = /^([^#]*)#\/\$defs\/(.*)$/.exec(reference) ?? [];
    const home = file === '' ? from : file;
    const found = sources.get(home)?.$defs?.[definition];
    if (found === undefined) throw new Error(`${from}: ${reference} leads nowhere`);
    if (!used.has(definition)) {
      used.set(definition, {});
      used.set(definition, withExample(whole(found, home)));
    }
    return `#/$defs/${definition}`;
  };
  const whole = (value: Schema, from: string): Schema =>
    Object.fromEntries(
      Object.entries(value).flatMap(([keyword, below]): readonly (readonly [string, unknown])[] => {
        if (['examples', 'enum', 'const'].includes(keyword)) return [[keyword, below]];
        if (keyword === '$ref') return [[keyword, use(below as string, from)]];
        if (keyword === 'properties') return fieldsOf(below as Readonly<Record<string, Schema>>, from);
        return [[keyword, each(below, (one) => whole(one, from))]];
      }),
    );
  const fieldsOf = (
    fields: Readonly<Record<string, Schema>>,
    from: string,
  ): readonly (readonly [string, unknown])[] => {
    const required = Object.keys(fields).filter((field) => !field.endsWith('?'));
    const properties = Object.entries(fields).map(([field, schema]): readonly [string, Schema] => {
      const { description, ...rest } = whole(schema, from);
      const end = required.includes(field) ? ' Required.' : '';
      return [
        field.replace(/\?$/, ''),
        description === undefined ? rest : withExample({ description: `${description}${end}`, ...rest }),
      ];
    });
    return [
      ...(required.length > 0 ? [['required', required] as const] : []),
      ['properties', Object.fromEntries(properties)],
    ];
  };
  const exampleOf = ({ examples = [], ...schema }: Schema): unknown => {
    if (examples.length > 0) return examples[0];
    if (schema.$ref !== undefined) return used.get(schema.$ref.replace('#/$defs/', ''))?.examples?.[0];
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined) return schema.enum[0];
    const item = schema.items === undefined ? undefined : exampleOf(schema.items);
    if (item !== undefined) return [item];
    if (schema.properties === undefined) return undefined;
    return Object.fromEntries(
      (schema.required ?? []).map((field) => [field, exampleOf(schema.properties?.[field] ?? {})]),
    );
  };
  const withExample = (schema: Schema): Schema => {
    const example = schema.examples === undefined ? exampleOf(schema) : undefined;
    return example === undefined ? schema : { ...schema, examples: [example] };
  };
  const top = withExample(whole(source, name));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...top,
    $defs: Object.fromEntries([...used].sort(([left], [right]) => (left < right ? -1 : 1))),
  };
}

/** Formats whose TypeScript types are made too. */
const TYPED = [
  'plan',
  'outcome',
  'doctor',
  'fleet',
  'fleet-report',
  'get',
  'api',
  'act',
  'notification',
  'question',
  'test',
  'trace',
  'work',
];

async function typesOf([name, schema]: readonly [string, Schema]): Promise<readonly [string, string]> {
  const text = await compile(forTypes(schema) as JSONSchema, name, {
    bannerComment: [
      '// Generated from schemas/output. Do not edit: run `npm run generate`.',
      "import type { Json } from '../../json.ts';",
      "import type { Template } from '../../plan/step.ts';",
      "import type { SecretPlace } from '../../secret.ts';",
    ].join('\n'),
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    unreachableDefinitions: true,
    style: { printWidth: 140, singleQuote: true },
  });
  return [`src/model/generated/output/${name}.ts`, readonlyTypes(text)];
}

/** Without examples; conditions on one field become a union, and what may be anything is JSON. */
function forTypes(schema: Schema): Schema {
  const { examples: _examples, title: _title, allOf, ...rest } = schema;
  const result = Object.fromEntries(
    Object.entries(rest).map(([keyword, below]) => {
      if (['enum', 'const', 'required'].includes(keyword)) return [keyword, below];
      if (keyword !== 'properties' && keyword !== '$defs') return [keyword, each(below, forTypes)];
      const named = Object.entries(below as Readonly<Record<string, Schema>>);
      return [keyword, Object.fromEntries(named.map(([name, one]) => [name, forTypes(one)]))];
    }),
  );
  if (allOf !== undefined) {
    const oneOf = (allOf as readonly { readonly if: Schema; readonly then: Schema }[]).map(({ if: when, then }) => ({
      allOf: [{ ...when, type: 'object', required: Object.keys(when.properties ?? {}) }, forTypes(then)],
    }));
    return { description: schema.description ?? '', oneOf };
  }
  return Object.keys(result).every((keyword) => keyword === 'description') ? { ...result, tsType: 'Json' } : result;
}

function withoutTypes(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema, (key, value: unknown) => (key === 'tsType' ? undefined : value))) as Schema;
}

function each(value: unknown, change: (schema: Schema) => Schema): unknown {
  if (Array.isArray(value)) return value.map((item) => each(item, change));
  return typeof value === 'object' && value !== null ? change(value as Schema) : value;
}

const REPORT = 'validateAccountReport';

/** The schema of what a worker keeps of one account: that of an account in the report on all of them. */
function accountReportSchema(schemas: ReadonlyMap<string, Schema>): Schema {
  const { $defs } = withoutTypes(schemas.get('fleet-report') as Schema);
  return withTimes({ $ref: '#/$defs/account', $defs }) as Schema;
}

/** `format` is an annotation for validators: times are checked by a pattern. */
function withTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withTimes);
  if (typeof value !== 'object' || value === null) return value;
  const { format, ...rest } = value as Schema;
  return Object.fromEntries(
    Object.entries(format === 'date-time' ? { ...rest, pattern: TIME } : (value as Schema)).map(([key, item]) => [
      key,
      withTimes(item),
    ]),
  );
}

const TIME = '^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T[0-2][0-9]:[0-5][0-9]:[0-5][0-9](?:[.][0-9]+)?Z$';

const declarationOf = (name: string): string => `export const ${name}: {
  (document: unknown): boolean;
  errors?: readonly { readonly instancePath: string; readonly keyword: string; readonly message?: string }[] | null;
};
`;

async function validatorOf(name: string, schema: Schema): Promise<string> {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, inlineRefs: false, code: { source: true, esm: true } });
  ajv.addSchema({ ...withoutWords(schema), $id: name });
  return bundled(standaloneCode(ajv, { [name]: name }), '.');
}
