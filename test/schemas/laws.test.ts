// What holds for every schema: every field is explained, examples are valid, junk is not, and kinds and schemas name
// the same fields.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { dataKinds, registry } from '../../src/areas/index.ts';
import { shapes } from '../../src/manifest/generated/shapes.ts';
import { validators } from '../../src/manifest/generated/validator-table.ts';
import { PROFILES, userKindOf } from '../../src/manifest/read/profile-kinds.ts';
import { formats } from '../../src/manifest/read/formats.ts';

interface Schema {
  readonly type?: string;
  readonly const?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly additionalProperties?: boolean | Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly $ref?: string;
}

const folder = path.resolve(import.meta.dirname, '../../schemas');
const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
const schemas = new Map(
  await Promise.all(
    names.map(async (name) => [name, JSON.parse(await readFile(path.join(folder, name), 'utf8')) as Schema] as const),
  ),
);
/** A schema of manifests says which kind it is of; the others are of documents that the program writes. */
const kinds = [...schemas].flatMap(([name, schema]) => {
  const kind = schema.properties?.kind?.const;
  return kind === undefined ? [] : [{ name, kind, schema }];
});

function validatorFor(schema: Schema, options: { readonly validateSchema?: boolean } = {}): ValidateFunction {
  const ajv = new Ajv2020({ allErrors: true, strict: true, formats, ...options });
  ajv.addKeyword({ keyword: 'patternErrorMessage', schemaType: 'string' });
  ajv.addKeyword({ keyword: 'maxItemsErrorMessage', schemaType: 'string' });
  return ajv.compile(schema);
}

function resolved(document: Schema, { $ref, ...own }: Schema): Schema {
  const target = $ref === undefined ? undefined : document.$defs?.[$ref.replace('#/$defs/', '')];
  return target === undefined ? own : { ...resolved(document, target), ...own };
}

const union = validatorFor(schemas.get('hostwright.schema.json') as Schema);

interface Field {
  readonly path: string;
  readonly schema: Schema;
  readonly required: boolean;
}

/** Every named field below a schema, references followed. */
function fieldsOf(document: Schema, unresolved: Schema, at = ''): readonly Field[] {
  const schema = resolved(document, unresolved);
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    { path: `${at}/${name}`, schema: resolved(document, field), required: schema.required?.includes(name) === true },
    ...fieldsOf(document, field, `${at}/${name}`),
  ]);
  return [
    ...below,
    ...(schema.items ? fieldsOf(document, schema.items, `${at}/*`) : []),
    ...(schema.oneOf ?? []).flatMap((branch) => fieldsOf(document, branch, at)),
  ];
}

/** Every schema below a schema, wherever it stands. */
function partsOf(value: unknown): readonly Schema[] {
  if (typeof value !== 'object' || value === null) return [];
  return [
    ...(Array.isArray(value) ? [] : [value as Schema]),
    ...Object.entries(value).flatMap(([key, part]) => (key === 'examples' || key === 'default' ? [] : partsOf(part))),
  ];
}

/** What the platform passes on, or a registry asks for, without saying what it may be. */
function isOpen({ properties, additionalProperties }: Schema): boolean {
  return properties === undefined && additionalProperties === true;
}

describe.each(kinds)('$name', ({ kind, schema }) => {
  const fields = fieldsOf(schema, schema);
  const made = new Map<Schema, ValidateFunction>();
  /** Of one field. The document that it is part of is held against the schema of schemas elsewhere, once. */
  const fieldValidator = (field: Schema): ValidateFunction => {
    const validate =
      made.get(field) ?? validatorFor({ ...field, $defs: schema.$defs ?? {} }, { validateSchema: false });
    made.set(field, validate);
    return validate;
  };

  const pathsOf = (wrong: (field: Field) => boolean): readonly string[] =>
    fields.filter(wrong).map(({ path: at }) => at);

  test('each field is explained in a sentence, has an example, and says what its absence means', () => {
    expect(pathsOf(({ schema: field }) => !/^[^a-z].*\.$/s.test(field.description ?? ''))).toEqual([]);
    expect(pathsOf(({ schema: field }) => (field.examples ?? []).length === 0)).toEqual([]);
    expect(
      pathsOf(({ schema: { description = '', ...field }, required }) =>
        required ? !/Required/.test(description) : field.default === undefined && !/Absent:|Required/.test(description),
      ),
    ).toEqual([]);
  });

  test('the examples and the default of each field are valid', () => {
    const wrong = fields.flatMap(({ path: at, schema: field }) => {
      const validate = fieldValidator(field);
      const values = [...(field.examples ?? []), ...(field.default === undefined ? [] : [field.default])];
      return values.filter((value) => !validate(value)).map((value) => `${at}: ${JSON.stringify(value)}`);
    });
    expect(wrong).toEqual([]);
  });

  test('no mapping takes unknown fields; one without fields of its own says what all its values are', () => {
    for (const part of partsOf(schema).filter(({ type }) => type === 'object')) {
      if (isOpen(part)) expect(part.description).toContain('any value');
      else if (part.properties === undefined) expect(part.additionalProperties).toMatchObject({ type: 'string' });
      else expect(part.additionalProperties).toBe(false);
    }
  });

  test('its own examples are valid, also by the generated validator and by the union', () => {
    expect(schema.examples?.length).toBeGreaterThan(0);
    for (const example of schema.examples ?? []) {
      expect(validatorFor(schema)(example)).toBe(true);
      expect(validators[kind]?.(example)).toBe(true);
      expect(union(example)).toBe(true);
    }
  });

  test.each([
    null,
    1,
    'text',
    [],
    {},
    { kind },
    { apiVersion: 'hostwright/v1', kind, metadata: { name: 'x' }, spec: {}, junk: 1 },
  ])('junk is refused: %j', (junk) => {
    expect(validators[kind]?.(junk)).toBe(false);
  });

  test('each field refuses values of another type', () => {
    for (const { path: at, schema: field } of fields) {
      const validate = fieldValidator(field);
      const others: readonly unknown[] = isOpen(field) ? [] : [{ junk: 1 }];
      for (const junk of [null, ...others, 1.5, ['', { junk: 1 }]])
        expect(validate(junk), `${at} takes ${JSON.stringify(junk)}`).toBe(false);
    }
  });
});

/** The fields that a kind sees: references are taken out before. */
function ownFields(definition: Schema | undefined): readonly string[] {
  return Object.keys(definition?.properties ?? {}).filter((field) => field !== 'registration');
}

describe('kinds and schemas', () => {
  test('every root kind and every kind of plain data has a schema and the other way round', () => {
    const roots = [...registry.values()].filter(({ parent }) => parent === null).map(({ kind }) => kind);
    expect(
      Object.keys(shapes)
        .filter((kind) => !['Workspace', 'Credentials', 'Observed'].includes(kind) && userKindOf(kind) === undefined)
        .sort(),
    ).toEqual([...roots, ...dataKinds.keys()].sort());
    expect(roots.filter((kind) => dataKinds.has(kind))).toEqual([]);
  });

  test('plain data has no id, no former name and no lifecycle: there is nothing live behind it', () => {
    const data = kinds.filter(({ kind }) => dataKinds.has(kind));
    expect(data).toHaveLength(dataKinds.size);
    for (const { schema } of data) {
      expect(Object.keys(schema.properties ?? {})).toEqual(['apiVersion', 'kind', 'metadata', 'spec']);
      expect(Object.keys(resolved(schema, schema.properties?.metadata ?? {}).properties ?? {})).toEqual(['name']);
    }
  });

  test('a profile holds what its kind holds, by the same definitions, but for what belongs to one object', () => {
    const [own, shared] = ['site.schema.json', 'site-profile.schema.json'].map(
      (name) => schemas.get(name)?.$defs ?? {},
    );
    const { properties: fields = {}, ...spec } = shared?.siteProfileSpec ?? {};
    expect(spec.additionalProperties).toBe(false);
    expect(
      Object.keys(own?.siteSpec?.properties ?? {}).filter(
        (field) => !Object.hasOwn(fields, field) && field !== 'order',
      ),
    ).toEqual(['profiles', 'name', 'primaryDomain', 'domains']);
    for (const [field, schema] of Object.entries(fields)) expect(schema).toEqual(own?.siteSpec?.properties?.[field]);
    for (const [name, schema] of Object.entries(shared ?? {}).filter(([definition]) => !/profile/i.test(definition)))
      expect(schema).toEqual(own?.[name]);
  });

  test('where a profile can set something, an editor takes null, and nowhere else', () => {
    const takes = (kind: string, spec: unknown) =>
      union({ apiVersion: 'hostwright/v1', kind, metadata: { name: 'x' }, spec });
    const profile = schemas.get('site-profile.schema.json') as Schema;
    const shared = Object.entries(profile.$defs?.siteProfileSpec?.properties ?? {});
    for (const kind of ['Site', 'SiteProfile']) {
      for (const [field, schema] of shared) {
        expect(takes(kind, { [field]: null })).toBe(true);
        const { properties = {}, required = [] } = resolved(profile, schema);
        for (const below of required.length > 0 ? [] : Object.keys(properties))
          expect(takes(kind, { [field]: { [below]: null } })).toBe(true);
      }
    }
    for (const field of ['profiles', 'name', 'primaryDomain', 'domains'])
      expect(takes('Site', { [field]: null })).toBe(false);
    expect(takes('Site', { caching: { cookieVaryParameters: [null] } })).toBe(false);
    expect(takes('Site', { caching: { smartCache: 'yes' } })).toBe(false);
    expect(takes('Site', null)).toBe(false);
  });

  test('a reference that stands for no value is that to a registration, for a kind that rests on one; no kind sees it', () => {
    for (const [file, kind, definition] of [
      ['site', 'SiteDomain', 'siteDomain'],
      ['mailspace', 'Mailspace', 'mailspaceSpec'],
      ['mailspace', 'MailDomain', 'mailDomain'],
    ] as const) {
      const { $defs } = schemas.get(`${file}.schema.json`) as Schema;
      expect($defs?.[definition]?.properties?.registration?.$ref).toBe('#/$defs/registrationReference');
      expect($defs?.registrationReference).toEqual(schemas.get('site.schema.json')?.$defs?.registrationReference);
      expect(registry.get(kind)?.capabilities.needs?.kind).toBe('DomainRegistration');
      expect(Object.keys(registry.get(kind)?.fields ?? {})).not.toContain('registration');
    }
  });

  test('what is rested on is a root that is found by its name', () => {
    const needed = new Set([...registry.values()].flatMap(({ capabilities: { needs } }) => needs?.kind ?? []));
    expect(needed.size).toBeGreaterThan(0);
    for (const kind of needed)
      expect(registry.get(kind)).toMatchObject({ parent: null, keys: expect.any(Function) as unknown });
  });

  test('the fields of a kind are those of its schema', () => {
    const site = schemas.get('site.schema.json');
    expect(Object.keys(registry.get('Caching')?.fields ?? {})).toEqual(
      Object.keys(site?.$defs?.caching?.properties ?? {}),
    );
    expect(Object.keys(registry.get('SiteMail')?.fields ?? {})).toEqual(
      Object.keys(site?.$defs?.mail?.properties ?? {}),
    );
    expect(
      Object.keys(
        registry.get('CacheLayer')?.section.expand({ cacheLayers: site?.$defs?.cacheLayers?.examples?.[0] as never })[0]
          ?.spec ?? {},
      ),
    ).toEqual(Object.keys(registry.get('CacheLayer')?.fields ?? {}));
    // A former name, and what is accepted, are none of what the platform has. Where a rule stands is said by the list itself.
    const fieldsOf = (definition: string) =>
      Object.keys(site?.$defs?.[definition]?.properties ?? {}).filter(
        (field) => !['renamedFrom', 'accept'].includes(field),
      );
    expect(Object.keys(registry.get('EdgeRule')?.fields ?? {}).sort()).toEqual(
      [...fieldsOf('edgeRule'), 'orderIndex'].sort(),
    );
    for (const [kind, definition] of [
      ['ShieldWaf', 'shieldWaf'],
      ['ShieldDdos', 'shieldDdos'],
      ['ShieldBotDetection', 'shieldBotDetection'],
      ['ShieldCustomRule', 'shieldCustomRule'],
      ['ShieldRateLimit', 'shieldRateLimit'],
      ['ShieldAccessList', 'shieldAccessList'],
    ] as const) {
      expect(Object.keys(registry.get(kind)?.fields ?? {}).sort()).toEqual(fieldsOf(definition).sort());
    }
    // Whether a hostname is the primary one is written once, in `primaryDomain`.
    expect(Object.keys(registry.get('SiteDomain')?.fields ?? {}).sort()).toEqual(
      [...ownFields(site?.$defs?.siteDomain), 'primary'].sort(),
    );
    expect(Object.keys(registry.get('Site')?.fields ?? {})).toEqual(['name', 'plan', 'order']);
    expect(Object.keys(registry.get('PanelAccount')?.fields ?? {})).toEqual(
      Object.keys(schemas.get('panel-account.schema.json')?.$defs?.panelAccountSpec?.properties ?? {}),
    );
    expect(Object.keys(registry.get('User')?.fields ?? {}).sort()).toEqual(
      Object.keys(schemas.get('user.schema.json')?.$defs?.userSpec?.properties ?? {}).sort(),
    );
    // Whether a mailbox is about to be deleted is never written: a wanted one is not.
    for (const [kind, definition, more] of [
      ['Mailbox', 'mailbox', ['deletion']],
      ['MailDomain', 'mailDomain', []],
      ['MailGroup', 'mailGroup', []],
      ['MailAlias', 'mailAlias', []],
    ] as const) {
      expect(Object.keys(registry.get(kind)?.fields ?? {}).sort()).toEqual(
        [...ownFields(schemas.get('mailspace.schema.json')?.$defs?.[definition]), ...more].sort(),
      );
    }
  });

  test('the sections of the kinds are the fields of their root, and all of them', () => {
    for (const [root, file, definition, more] of [
      ['Site', 'site', 'siteSpec', [PROFILES, 'tests']],
      ['Mailspace', 'mailspace', 'mailspaceSpec', ['registration']],
      ['PanelAccount', 'panel-account', 'panelAccountSpec', []],
      ['User', 'user', 'userSpec', []],
    ] as const) {
      const kinds = [...registry.values()].filter(({ kind, parent }) => kind === root || parent === root);
      const declared = kinds.flatMap(({ section }) => [
        ...section.fields,
        ...(section.unlisted === undefined ? [] : ['unlisted']),
      ]);
      const schema = schemas.get(`${file}.schema.json`) as Schema;
      const spec = schema.$defs?.[definition]?.properties;
      // A field whose parts are sections of their own is not one itself.
      const divided = new Set(
        declared.flatMap((field) => (field.includes('/') ? [field.split('/')[0] as string] : [])),
      );
      const fields = Object.entries(spec ?? {}).flatMap(([field, part]) =>
        divided.has(field)
          ? Object.keys(resolved(schema, part).properties ?? {}).map((below) => `${field}/${below}`)
          : [field],
      );
      expect([...new Set([...declared, ...more])].sort()).toEqual(fields.sort());
      expect(Object.keys(spec?.unlisted?.properties ?? {})).toEqual(
        kinds.flatMap(({ section }) => section.unlisted ?? []),
      );
    }
  });

  test('set-shaped fields are lists without repeats', () => {
    for (const [field, { shape }] of Object.entries(registry.get('Caching')?.fields ?? {})) {
      const schema = schemas.get('site.schema.json')?.$defs?.caching?.properties?.[field] as {
        readonly type?: string;
        readonly uniqueItems?: boolean;
      };
      expect([schema.type === 'array', schema.uniqueItems === true]).toEqual([shape === 'set', shape === 'set']);
    }
  });
});

describe('who mail is sent as', () => {
  const accepts = (mail: unknown) =>
    validators.Site?.({ apiVersion: 'hostwright/v1', kind: 'Site', metadata: { name: 'x' }, spec: { mail } });

  test.each(['', 'a', '1', 'orders', 'a.b', 'a_%+-b', 'A.b.C', 'a'.repeat(64)])(
    'TML-12: takes the local part %j',
    (fromLocalPart) => expect(accepts({ fromLocalPart })).toBe(true),
  );

  test.each([' ', '.a', 'a.', 'a..b', '-a', 'a-', 'a b', 'a@b', 'ä', 'a\n', 'a'.repeat(65), 5, null])(
    'TML-12: refuses the local part %j',
    (fromLocalPart) => expect(accepts({ fromLocalPart })).toBe(false),
  );

  test.each(['', 'The Shop', 'Käufer & Co.', 'é'.repeat(127), '🚀'.repeat(63), 'a'.repeat(255)])(
    'TML-12: takes the name %j',
    (fromName) => expect(accepts({ fromName })).toBe(true),
  );

  test.each([
    ' ',
    ' a',
    'a ',
    'a\nb',
    'a\u0000',
    'a\u007f',
    'a\u202eb',
    'é'.repeat(128),
    '🚀'.repeat(64),
    'a'.repeat(256),
    5,
    null,
  ])('TML-12: refuses the name %j, counted in bytes', (fromName) => expect(accepts({ fromName })).toBe(false));
});

describe('hostnames', () => {
  const validate = validators.Site;
  const accepts = (hostname: unknown) =>
    validate?.({
      apiVersion: 'hostwright/v1',
      kind: 'Site',
      metadata: { name: 'x' },
      spec: { primaryDomain: hostname },
    });

  test.each([
    'a.b',
    'www.example.com',
    'WWW.Example.COM',
    'example.com.',
    'bücher.example',
    'xn--bcher-kva.example',
    '日本語.jp',
    '1.example',
    'a-b.example',
    '例え.テスト',
    `${'a'.repeat(63)}.example`,
    [...Array<string>(4).fill('a'.repeat(61)), 'abcd'].join('.'),
  ])('takes %s', (hostname) => expect(accepts(hostname)).toBe(true));

  test.each([
    '',
    '.',
    'example',
    '*.example.com',
    'a..b',
    '.example.com',
    'example.com..',
    '-a.example',
    'a-.example',
    'a_b.example',
    'a b.example',
    'example.com:80',
    'https://example.com',
    'example.com/x',
    'a@example.com',
    '192.0.2.1',
    '0x7f.0.0.1',
    '::1',
    '[::1]',
    `${'a'.repeat(64)}.example`,
    [...Array<string>(4).fill('a'.repeat(62)), 'abcd'].join('.'),
    'a\n.example',
    ' example.com',
    'example.com ',
    'a\u200b.example',
    'xn--a.example',
    'ex%41mple.com',
    5,
    null,
  ])('refuses %j', (hostname) => expect(accepts(hostname)).toBe(false));
});
