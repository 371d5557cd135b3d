// The schema of the Terraform provider, derived from the schemas of the manifests: a resource for each kind of root, its
// sections as nested attributes. Gives the bytes that the provider answers with, and the tables by which values become
// manifests.
import { deflateRawSync } from 'node:zlib';
import { registry } from '../src/areas/index.ts';
import { isNamedByHostname } from '../src/manifest/write/name-manifests.ts';
import type { Kind } from '../src/model/kind/kind.ts';
import type {
  Attribute,
  AttributeField,
  Fields,
  Forms,
  ResourceTable,
  Spellings,
} from '../src/terraform/value/attribute.ts';
import { snake } from '../src/terraform/value/names.ts';
import { inTerraformWords } from '../src/terraform/diagnostics.ts';
import { CALLS } from '../src/terraform/wire/messages.ts';
import type { Message } from '../src/terraform/wire/protobuf.ts';
import { encode } from '../src/terraform/wire/protobuf.ts';

export interface JsonSchema {
  readonly [keyword: string]: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly oneOf?: readonly JsonSchema[];
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly $ref?: string;
}

/** An attribute with what is said about it. */
interface Described extends AttributeField {
  readonly description: string;
  /** Terraform shows it to nobody. */
  readonly sensitive?: true;
  readonly below?: DescribedFields;
}
type DescribedFields = Readonly<Record<string, Described>>;

interface Resource {
  readonly kind: string;
  /** It is about these fields of a manifest alone, which another resource is about. */
  readonly part?: { readonly name: string; readonly description: string; readonly only: readonly string[] };
}

/** What is a resource, and what each is called. */
const RESOURCES: Readonly<Record<string, Resource>> = {
  hostwright_site: { kind: 'Site' },
  hostwright_mailspace: { kind: 'Mailspace' },
  hostwright_domain_registration: { kind: 'DomainRegistration' },
  hostwright_nameservers: {
    kind: 'DomainRegistration',
    part: {
      name: 'registration',
      description:
        'The name servers of a registration, as a resource of its own: they may come from a site that rests on that registration itself. Leave `nameservers` out of the registration then.',
      only: ['nameservers'],
    },
  },
  hostwright_panel_account: { kind: 'PanelAccount' },
  hostwright_user: { kind: 'User' },
};

/** What one of a list is known by, the best first. */
const KEYS = ['hostname', 'hostName', 'address', 'email', 'name'];

/** Said by Terraform itself: `locals` and modules, `moved`, `ignore_changes`; what is tried has `check` blocks there. */
const LEFT_OUT = ['profiles', 'tests'];

const NAMES = {
  Site: { name: 'display_name' },
} as Readonly<Record<string, Readonly<Record<string, string>> | undefined>>;

/** Where a configuration says it in another way than a manifest. */
const SAID: Readonly<Record<string, string>> = {
  'Site edgeRules/action':
    'What is done when the rule matches: `type` says what, such as `{ type = "redirect", to = "https://shop.example.com/new", status = 308 }`.',
  'Site edgeRules/triggers':
    'What the rule is tried on, one condition each: `type` says what is looked at, such as `{ type = "country", none = ["NL"] }`. Their order makes no difference.',
  'Site edgeRules/triggers/match':
    'How many of the `patterns` have to match: `any`, `all` or `none`. Only beside a type of the platform.',
};

/** The text of the generated file. */
export function terraformSchema(schemas: ReadonlyMap<string, JsonSchema>): string {
  const resources = Object.entries(RESOURCES).map(([type, resource]) => {
    const schema = schemas.get(resource.kind);
    if (schema === undefined) throw new Error(`${resource.kind} has no schema`);
    return { type, ...resource, ...resourceOf(resource, schema, schemas) };
  });
  const data = dataSources(resources);
  const provider = providerFields();
  const answer = encode(CALLS.GetProviderSchema.response, {
    provider: { block: blockOf('Keeps a hosting account as its configuration says.', provider) },
    resourceSchemas: resources.map(({ type, description, fields }) => ({
      key: type,
      value: { block: blockOf(description, fields) },
    })),
    dataSourceSchemas: data.map(({ type, description, fields }) => ({
      key: type,
      value: { block: blockOf(description, fields) },
    })),
    listResourceSchemas: resources
      .filter(({ part }) => part === undefined)
      .map(({ type, description }) => ({ key: type, value: { block: blockOf(description, {}) } })),
    serverCapabilities: { planDestroy: true, getProviderSchemaOptional: true, generateResourceConfig: true },
  });
  const tables = Object.fromEntries(
    resources.map(({ type, kind, part, fields }): [string, ResourceTable] => [
      type,
      {
        kind,
        ...(part !== undefined && { part: { name: part.name } }),
        ...(isNamedByHostname(kind) && { isNamedByHostname: true as const }),
        ...(isKept(kind) && { isKept: true as const }),
        ...(isPaid(kind) && { isPaid: true as const }),
        fields: bare(fields),
      },
    ]),
  );
  const dataTables = Object.fromEntries(data.map(({ type, fields }): [string, Fields] => [type, bare(fields)]));
  return [
    '// Generated by .ci/generate-terraform.ts from schemas/. Do not edit: run `npm run generate`.',
    '/** The answer to GetProviderSchema, deflated, in base64. */',
    'export const SCHEMA =',
    `  ${packed(answer)};`,
    '',
    '/** How the attributes of each resource stand in manifests: JSON, deflated, in base64. */',
    'export const TABLES =',
    `  ${packed(Buffer.from(JSON.stringify(tables)))};`,
    '',
    '/** The attributes of each data source: JSON, deflated, in base64. */',
    'export const DATA_TABLES =',
    `  ${packed(Buffer.from(JSON.stringify(dataTables)))};`,
    '',
  ].join('\n');
}

/** True where the platform has no call that deletes one. */
function isKept(kind: string): boolean {
  return registry.get(kind)?.remove === undefined;
}

/** Returns true if creating an object of this kind charges the account. */
function isPaid(kind: string): boolean {
  const risk = registry.get(kind)?.create?.risk;
  return Array.isArray(risk) && risk.includes('charge');
}

/** Bytes as a text over several lines of source. */
function packed(bytes: Buffer): string {
  const text = deflateRawSync(bytes, { level: 9 }).toString('base64');
  return (text.match(/.{1,110}/g) ?? []).map((line) => `'${line}'`).join(' +\n  ');
}

/** What the provider gives of every resource. */
const GIVEN: DescribedFields = {
  id: {
    attribute: { is: 'text' },
    computed: true,
    description: 'The id of the live object, as the platform shows it.',
  },
  status: {
    attribute: { is: 'text' },
    computed: true,
    description:
      '`ready`, `waiting` (somebody or something outside has to act first) or `incomplete` (a part of it could not be done).',
  },
  waiting_for: {
    attribute: { is: 'text' },
    computed: true,
    description: 'What is waited for, or what could not be done. Empty where `status` is `ready`.',
  },
  actions: {
    attribute: { is: 'list', of: 'text' },
    computed: true,
    description:
      'What the last apply did, one line an action, in that order: `created`, `changed` or `deleted`. The plan of the next change shows the lines as removed, because others take their place.',
  },
};

/** How long the parts of its life may take. */
function timeoutsField(): Described {
  const text = (what: string): Described => ({
    attribute: { is: 'text' },
    description: `How long ${what} may take, such as \`30m\` or \`1h30m\`. What is waited for then goes on with the next apply. Absent: \`10m\`.`,
  });
  const below = { create: text('creating it'), update: text('changing it'), delete: text('deleting it') };
  return {
    attribute: { is: 'group', fields: bare(below) },
    below,
    description: 'How long an apply waits. Nothing is ordered again when the time is over.',
  };
}

const ON_BLOCKED: Described = {
  attribute: { is: 'text' },
  description:
    'What a plan does with a value that the platform does not allow, or that only a person can change: `error` refuses the plan, `warn` has the rest done and leaves the resource `incomplete`. Absent: `error`.',
};

const WAIT_FOR_PROOF: Described = {
  attribute: { is: 'bool' },
  description:
    'Whether creating it waits until the TXT record that proves the ownership is found, for two minutes. Absent: it ends as soon as the mailspace is there, so that another resource can publish `verification`.',
};

const HAND_OVER: Described = {
  attribute: { is: 'set', of: 'text' },
  description:
    'Hostnames that this site no longer has in `domains` and that another site takes by `move_from`. They stay attached here until the other one takes them. Absent: what is taken out of `domains` is detached.',
};

function resourceOf(
  { kind, part }: Resource,
  document: JsonSchema,
  schemas: ReadonlyMap<string, JsonSchema>,
): { readonly description: string; readonly fields: DescribedFields } {
  const spec = resolve(document, document.properties?.spec ?? {});
  const found = {
    ...fieldsOf({ kind, document, schemas, place: '' }, spec, NAMES[kind]),
    ...outputsIn(registry.get(kind)),
  };
  if (part !== undefined) return { description: part.description, fields: partOf(part, found) };
  const metadata = resolve(document, document.properties?.metadata ?? {});
  const name = resolve(document, metadata.properties?.name ?? {});
  const beside: DescribedFields = {
    name: {
      attribute: { is: 'text' },
      required: true,
      description:
        `${(name.description ?? '').replace(' The local name: the key', ' The key')} It is the name in plans and in the ledger${kind === 'Site' ? '; what the platform calls the site is `display_name`' : ''}.`.trim(),
    },
    deletion: {
      attribute: { is: 'text' },
      description: isKept(kind)
        ? 'What destroying the resource does: `refuse` fails the plan, `abandon` leaves the live object and forgets it. Absent: `abandon`, because the platform has no call that deletes it.'
        : 'What destroying the resource does: `refuse` fails the plan, `abandon` leaves the live object and forgets it, `delete` deletes it with everything in it. Absent: `refuse`.',
    },
    adopt: {
      attribute: { is: 'bool' },
      description:
        'Consent to take over a live object that this configuration did not make and that has the same natural key. Absent: creating fails and says how to import it.',
    },
    on_blocked: ON_BLOCKED,
    ...(kind === 'Mailspace' && { wait_for_proof: WAIT_FOR_PROOF }),
    timeouts: timeoutsField(),
    ...(kind === 'Site' && { hand_over: HAND_OVER }),
    ...GIVEN,
  };
  for (const field of Object.keys(beside))
    if (Object.hasOwn(found, field)) throw new Error(`${kind} has two attributes called ${field}`);
  return { description: document.description ?? kind, fields: { ...beside, ...withLive(kind, found) } };
}

/** What a read does not tell, or not in the words of a configuration. */
const NOT_READ = ['createOnly', 'writeOnly', 'rotation-token'];

/** True where a kind of the root has a section at this place, or compares the field. */
function isReadBack(root: string, place: string): boolean {
  const own = [...registry.values()].filter(({ kind, parent }) => kind === root || parent === root);
  const rules = own.flatMap(({ kind, section, fields }) =>
    Object.entries(fields).flatMap(([field, { rule }]) =>
      kind === root
        ? field === place
          ? [rule]
          : []
        : section.fields.some((at) => `${at}/${field}` === place)
          ? [rule]
          : [],
    ),
  );
  const isSection = own.some(
    ({ parent, section }) => parent === root && section.fields.some((at) => at === place || at.startsWith(`${place}/`)),
  );
  return isSection || rules.length === 0 || rules.some((rule) => !NOT_READ.includes(rule));
}

/**
 * What is not written is as it is live. But for what no read tells, and what is inside of lists whose items have no name:
 * there nothing says which item of a configuration is which of the state.
 */
function withLive(kind: string, fields: DescribedFields, above = ''): DescribedFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, described]): [string, Described] => {
      const { attribute, field, computed, below } = described;
      if (computed === true || field === undefined) return [name, described];
      const place = `${above}${field}`;
      const isTold =
        !ASKED_FOR.includes(name) && !['secret', 'rests', 'address'].includes(attribute.is) && isReadBack(kind, place);
      if (!isTold) return [name, described];
      const live = described.required === true ? {} : { live: true as const };
      const hasKnown = ['group', 'map'].includes(attribute.is) || ('key' in attribute && attribute.key !== undefined);
      if (below === undefined || !hasKnown || !('fields' in attribute)) return [name, { ...described, ...live }];
      const inside = withLive(kind, below, `${place}/`);
      return [name, { ...described, ...live, below: inside, attribute: { ...attribute, fields: bare(inside) } }];
    }),
  );
}

/** The fields that a part is about: it has to have them. */
function partOf({ name, only }: NonNullable<Resource['part']>, all: DescribedFields): DescribedFields {
  const own = Object.entries(all).filter(([field]) => only.includes(field));
  return {
    [name]: { attribute: { is: 'text' }, required: true, description: 'The name of the registration.' },
    on_blocked: ON_BLOCKED,
    ...GIVEN,
    ...Object.fromEntries(own.map(([field, described]) => [field, { ...described, required: true as const }])),
  };
}

interface DescribedBlock {
  readonly type: string;
  readonly description: string;
  readonly fields: DescribedFields;
}

/** What a configuration wants done, and no live site tells. */
const ASKED_FOR = [
  'accept',
  'renamed_from',
  'name',
  'deletion',
  'adopt',
  'on_blocked',
  'wait_for_proof',
  'timeouts',
  'hand_over',
  'actions',
  'order',
  'unlisted',
  'before_change',
  'after_change',
];

/** What is only looked at. */
function dataSources(resources: readonly DescribedBlock[]): readonly DescribedBlock[] {
  const site = resources.find(({ type }) => type === 'hostwright_site');
  const live = Object.fromEntries(Object.entries(site?.fields ?? {}).filter(([name]) => !ASKED_FOR.includes(name)));
  const text = (description: string): Described => ({ attribute: { is: 'text' }, description });
  const given = (described: Described): Described => ({ ...described, computed: true });
  const map = (key: string, description: string, below: DescribedFields): Described =>
    given({ attribute: { is: 'map', key, fields: bare(below) }, below, description });
  const root = (what: string): Described =>
    map(
      'id',
      `The ${what} of the account, by id. Null when they could not be read, which is not the same as none: \`unread\` says why.`,
      {
        name: given(text('What the platform calls it.')),
      },
    );
  return [
    {
      type: 'hostwright_site',
      description: 'A live site with all its settings, whoever manages it.',
      fields: {
        name: {
          ...text('The site: its display name, one of its hostnames, its id, or the name that the ledger knows it by.'),
          required: true,
        },
        ...asGiven(live),
      },
    },
    {
      type: 'hostwright_dns_records',
      description:
        'The DNS records that a site or a mailspace needs, for the provider that keeps the zone. Exactly one of `site` and `mailspace` is given. With `depends_on` it is read after what it depends on was changed.',
      fields: {
        site: text('The id of a site.'),
        mailspace: text('The id of a mailspace.'),
        cname_target: given(text('Where the CNAME record of each hostname of the site has to point.')),
        verification: map(
          'domain',
          'The TXT records that prove whose the mail domains are. Empty when every domain is proven.',
          {
            name: given(text('The name of the record.')),
            value: given(text('Its value.')),
          },
        ),
        records: given({
          attribute: { is: 'groups', fields: bare(recordFields(given)) },
          below: recordFields(given),
          description: 'All records, by name, type and value.',
        }),
      },
    },
    {
      type: 'hostwright_domain_quote',
      description: 'Whether a domain name can be bought, and what it costs. Asking costs nothing.',
      fields: {
        name: { ...text('The domain name, such as `acme.example`.'), required: true },
        action: text('`register` or `transfer`. Absent: `register`.'),
        available: given({
          attribute: { is: 'bool' },
          description: 'Whether it can be bought. Null when that could not be found out.',
        }),
        price: given({
          attribute: { is: 'group', fields: bare(priceFields(given)) },
          below: priceFields(given),
          description: 'What it costs. Null when it cannot be bought.',
        }),
        reason: given(text('Why it cannot be bought, or why that is not known.')),
      },
    },
    {
      type: 'hostwright_account',
      description: 'What the account has, such as for `import` blocks with `for_each`.',
      fields: {
        id: given(text('The id of the account.')),
        sites: root('sites'),
        mailspaces: root('mailspaces'),
        domain_registrations: root('registrations'),
        panel_accounts: root('panel accounts'),
        users: root('users'),
        unread: map('list', 'The lists that are null, by their attribute.', {
          reason: given(text('Why it could not be read.')),
        }),
      },
    },
  ];
}

function recordFields(given: (described: Described) => Described): DescribedFields {
  const text = (description: string): Described => given({ attribute: { is: 'text' }, description });
  return {
    name: text('The whole name, without a dot at its end.'),
    type: text('`A`, `AAAA`, `CNAME`, `MX`, `NS` or `TXT`.'),
    value: text('What is to be published. Null when it is not known yet.'),
    priority: given({ attribute: { is: 'number' }, description: 'Of an MX record.' }),
    purpose: text('What it is for.'),
    at: text('`registrar` for what is entered where the domain is registered, and not in its zone.'),
    optional: given({ attribute: { is: 'bool' }, description: 'True for what is good to have.' }),
    status: text(
      'What the platform says of it: `found`, `missing` or `mismatched`. `unknown` when it says nothing, `not-known` when the value is not known yet.',
    ),
  };
}

function priceFields(given: (described: Described) => Described): DescribedFields {
  return {
    amount: given({ attribute: { is: 'text' }, description: 'Such as `12.00`.' }),
    currency: given({ attribute: { is: 'text' }, description: 'Such as `EUR`.' }),
  };
}

/** The same attributes, given by the provider. No read tells a secret; what is only an order, or accepted, nobody tells. */
function asGiven(fields: DescribedFields): DescribedFields {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([name, { attribute }]) => name !== 'accept' && attribute.is !== 'secret' && attribute.is !== 'rests')
      .map(([name, { required: _required, live: _live, below, attribute, ...described }]): [string, Described] => {
        if (below === undefined || !('fields' in attribute)) return [name, { ...described, attribute, computed: true }];
        const inside = asGiven(below);
        const { forms: _forms, ...bodyOf } = { forms: undefined, ...attribute };
        return [name, { ...described, attribute: { ...bodyOf, fields: bare(inside) }, below: inside, computed: true }];
      }),
  );
}

interface Where {
  readonly kind: string;
  readonly document: JsonSchema;
  readonly schemas: ReadonlyMap<string, JsonSchema>;
  /** In the spec, as keys joined by `/`. */
  readonly place: string;
}

function fieldsOf(
  where: Where,
  { properties = {}, required = [] }: JsonSchema,
  names: Readonly<Record<string, string>> = {},
  without: readonly string[] = LEFT_OUT,
): DescribedFields {
  const fields: Record<string, Described> = {};
  for (const [field, unresolved] of Object.entries(properties)) {
    if (without.includes(field)) continue;
    const name = names[field] ?? snake(field);
    if (Object.hasOwn(fields, name)) throw new Error(`${where.kind}: ${where.place} has two attributes called ${name}`);
    const place = where.place === '' ? field : `${where.place}/${field}`;
    const { attribute, below } = attributeOf({ ...where, place }, unresolved);
    fields[name] = {
      attribute,
      ...(below !== undefined && { below }),
      field,
      ...(required.includes(field) && { required: true as const }),
      description:
        SAID[`${where.kind} ${place}`] ??
        `${resolve(where.document, unresolved).description ?? ''}${allowedIn(where.document, unresolved, attribute)}`,
    };
  }
  return fields;
}

/** Returns the allowed values that a configuration spells otherwise than a manifest: in snake case. */
function spellingsIn(document: JsonSchema, schema: JsonSchema): { readonly spellings?: Spellings } {
  const camelCase = allowedValues(document, schema).filter(
    (value): value is string => typeof value === 'string' && /^[a-z][a-z0-9]*([A-Z][a-z0-9]*)+$/.test(value),
  );
  if (camelCase.length === 0) return {};
  return { spellings: Object.fromEntries(camelCase.map((value) => [snake(value), value])) };
}

/** Returns the values that a schema lists, in all of its branches. */
function allowedValues(document: JsonSchema, schema: JsonSchema): readonly unknown[] {
  const branches = (schema.oneOf ?? [schema]).map((one) => resolve(document, one));
  return branches.flatMap((one) => (Array.isArray(one.enum) ? (one.enum as readonly unknown[]) : []));
}

/** The values that an attribute may have, where there are few, and how JSON is written. */
function allowedIn(document: JsonSchema, unresolved: JsonSchema, { is }: Attribute): string {
  if (is === 'json') return ' Write it with `jsonencode`.';
  const schema = resolve(document, unresolved);
  const item = schema.items === undefined ? schema : resolve(document, schema.items);
  const values = allowedValues(document, item);
  const words = values.filter((value) => typeof value === 'string' || typeof value === 'number');
  const told = schema.description ?? '';
  if (words.length < 2 || words.every((word) => told.includes(`\`${word}\``))) return '';
  return ` One of ${words.map((word) => `\`${word}\``).join(', ')}.`;
}

function attributeOf(
  where: Where,
  unresolved: JsonSchema,
): { readonly attribute: Attribute; readonly below?: DescribedFields } {
  const { document } = where;
  const reference = (unresolved.$ref ?? '').replace('#/$defs/', '');
  if (reference === 'registrationReference') return { attribute: { is: 'rests' } };
  if (reference === 'contactReference') return dataOf(where, 'Contact');
  const schema = resolve(document, unresolved);
  if (typeof schema.pattern === 'string' && /^\^Site\\?\//.test(schema.pattern))
    return { attribute: { is: 'address', kind: 'Site' } };
  if (schema.oneOf !== undefined)
    return choiceOf(
      where,
      schema.oneOf.map((branch) => resolve(document, branch)),
    );
  if (schema.type === 'object') {
    if (schema.additionalProperties === true) return { attribute: { is: 'json' } };
    const { below, ...forms } = bodyOf(where, schema);
    return { attribute: { is: 'group', ...forms, fields: bare(below) }, below };
  }
  if (schema.type === 'array') return listOf(where, resolve(document, schema.items ?? {}));
  return { attribute: { is: plainOf(schema), ...spellingsIn(document, schema) } };
}

/** What is in an object: where a key says what it is, that is in `type`, and what is below the key stands beside it. */
function bodyOf(where: Where, schema: JsonSchema): { readonly below: DescribedFields; readonly forms?: Forms } {
  const plain = plainKeys(schema);
  if (plain === undefined) return { below: fieldsOf(where, schema) };
  const properties = Object.entries(schema.properties ?? {});
  const own = fieldsOf(where, {
    ...schema,
    properties: Object.fromEntries(properties.filter(([field]) => plain.includes(field))),
  });
  const forms: Record<string, Forms[string]> = {};
  const words: string[] = [];
  const beside: Record<string, { readonly described: Described; readonly said: Map<string, string[]> }> = {};
  for (const [field, unresolved] of properties.filter(([name]) => !plain.includes(name))) {
    const { attribute, below = {} } = attributeOf(where, unresolved);
    if (attribute.is !== 'group') throw new Error(`${where.place}: ${field} is no object`);
    const word = snake(field);
    forms[word] = { field, attribute };
    words.push(`\`${word}\`: ${wordsOf(resolve(where.document, unresolved).description)}`);
    for (const [name, described] of Object.entries(below)) {
      const { described: _first, said } = (beside[name] ??= { described, said: new Map() });
      const text = wordsOf(described.description);
      said.set(text, [...(said.get(text) ?? []), `\`${word}\``]);
    }
  }
  const { type, ...others } = own;
  if (type === undefined) throw new Error(`${where.place}: nothing says what it is`);
  const joined = Object.entries(beside).map(([name, { described, said }]): [string, Described] => {
    const { required: _required, ...rest } = others[name] ?? described;
    const texts = [...said].map(([text, ofWords]) => (said.size === 1 ? text : `${ofWords.join(', ')}: ${text}`));
    return [name, { ...rest, description: texts.join(' ') }];
  });
  return {
    forms,
    below: {
      type: {
        ...type,
        required: true,
        description: `A word that says what it is, with what the word takes beside it: ${words.join(' ')} Or, for what has no word, its type on the platform or the number of that, with the rest as the platform has it.`,
      },
      ...Object.fromEntries(joined),
      ...Object.fromEntries(Object.entries(others).filter(([name]) => beside[name] === undefined)),
    },
  };
}

/** What the schema says of a form, without what only YAML has to be told. */
function wordsOf(description = ''): string {
  return description
    .replace(/ Absent: [^.]* another one\./, '')
    .replace(/ Absent: [^.]* is written\./, '')
    .replace(/ It takes no parameters: [^.]*\./, '')
    .replace(/ A list holds when [^.]*\./, '')
    .replace(/ On the platform: [^.]*\./, '')
    .replace(/ Required\.$/, '');
}

/** The fields that stand beside `type`, of an object that has either them or one key that says what it is. */
function plainKeys({ if: test, then, else: otherwise }: JsonSchema): readonly string[] | undefined {
  const { required = [] } = (test ?? {}) as JsonSchema;
  const { propertyNames } = (then ?? {}) as { readonly propertyNames?: { readonly enum?: readonly string[] } };
  const { maxProperties } = (otherwise ?? {}) as { readonly maxProperties?: number };
  return required.join() === 'type' && maxProperties === 1 ? propertyNames?.enum : undefined;
}

/** Of several forms, the one that says what all of them say. */
function choiceOf(where: Where, branches: readonly JsonSchema[]): ReturnType<typeof attributeOf> {
  const types = branches.map(({ type }) => type);
  if (types.every((type) => type === 'string' || type === 'integer'))
    return { attribute: { is: 'word', ...spellingsIn(where.document, { oneOf: branches }) } };
  const list = branches.find(({ type }) => type === 'array');
  const objects = branches.filter(({ type }) => type === 'object');
  const [object] = objects;
  if (list !== undefined && object !== undefined) {
    // A list, or a value of another object: those are Terraform's own.
    if (object.properties?.ref !== undefined) return listOf(where, resolve(where.document, list.items ?? {}));
    const inside = listOf(where, resolve(where.document, list.items ?? {}));
    const below = {
      patterns: { ...inside, field: 'patterns', description: list.description ?? 'One of these has to match.' },
      ...fieldsOf(where, object),
    };
    return { attribute: { is: 'group', short: 'patterns', fields: bare(below) }, below };
  }
  if (list !== undefined) return listOf(where, resolve(where.document, list.items ?? {}));
  if (objects.every(({ properties = {} }) => 'env' in properties || 'file' in properties || 'entry' in properties))
    return secretOf(where, objects);
  const below = objects.reduce<DescribedFields>(
    (fields, branch) => ({ ...fields, ...fieldsOf(where, { ...branch, required: [] }) }),
    {},
  );
  return { attribute: { is: 'group', fields: bare(below) }, below };
}

function secretOf(where: Where, branches: readonly JsonSchema[]): ReturnType<typeof attributeOf> {
  const given = branches.reduce<DescribedFields>(
    (fields, branch) => ({ ...fields, ...fieldsOf(where, { ...branch, required: [] }) }),
    {},
  );
  const below: DescribedFields = {
    ...given,
    value: {
      attribute: { is: 'text' },
      writeOnly: true,
      description:
        'The secret itself, from a variable or another resource. It is in no plan and no state. Exactly one of `value`, `env`, `file` and `entry` is given.',
    },
  };
  return { attribute: { is: 'secret', fields: bare(below) }, below };
}

function dataOf(where: Where, kind: string): ReturnType<typeof attributeOf> {
  const document = where.schemas.get(kind);
  if (document === undefined) throw new Error(`${kind} has no schema`);
  const below = fieldsOf({ ...where, document }, resolve(document, document.properties?.spec ?? {}));
  return { attribute: { is: 'data', kind, fields: bare(below) }, below };
}

function listOf(where: Where, item: JsonSchema): ReturnType<typeof attributeOf> {
  const { document, kind, place } = where;
  if (item.oneOf !== undefined) {
    const branches = item.oneOf.map((branch) => resolve(document, branch));
    const object = branches.find(({ type }) => type === 'object');
    if (object !== undefined) return mapOf(where, object, true);
  }
  if (item.type === 'object') {
    const isOrdered = [...registry.values()].some(
      ({ section, fields }) =>
        section.fields[0] === place && Object.values(fields).some(({ shape }) => shape === 'position'),
    );
    const isRoot = registry.get(kind) !== undefined && isSectionList(where);
    if (isRoot && !isOrdered) return mapOf(where, item, false);
    const { below, ...forms } = bodyOf(where, item);
    const key = isRoot ? keyOf(item) : undefined;
    return {
      attribute: { is: 'groups', ...(key !== undefined && { key }), ...forms, fields: bare(below) },
      below,
    };
  }
  const of = item.oneOf === undefined ? plainOf(item) : 'word';
  return { attribute: { is: isUnordered(where) ? 'set' : 'list', of, ...spellingsIn(document, item) } };
}

/** True for a list that is a section: each item of it is an object of its own. */
function isSectionList({ kind, place }: Where): boolean {
  return [...registry.values()].some(({ parent, section }) => parent === kind && section.fields.includes(place));
}

/** True where the kind that the field belongs to says that order has no meaning. */
function isUnordered({ kind, place }: Where): boolean {
  const parts = place.split('/');
  const field = parts.at(-1) ?? '';
  return [...registry.values()].some(
    ({ parent, section, fields }) =>
      parent === kind &&
      fields[field]?.shape === 'set' &&
      section.fields.some((at) => place === `${at}/${field}` || place === at),
  );
}

function keyOf({ required }: JsonSchema): string | undefined {
  return KEYS.find((name) => required?.includes(name));
}

function mapOf(where: Where, item: JsonSchema, short: boolean): ReturnType<typeof attributeOf> {
  const key = keyOf(item);
  if (key === undefined) {
    const below = fieldsOf(where, item);
    return { attribute: { is: 'groups', fields: bare(below) }, below };
  }
  const outputs = outputsOf(where);
  const below = { ...fieldsOf(where, item, {}, [key]), ...outputs };
  return { attribute: { is: 'map', key, ...(short && { short: true as const }), fields: bare(below) }, below };
}

/** What the kind of a section tells of each of its objects. */
function outputsOf(where: Pick<Where, 'kind' | 'place'>): DescribedFields {
  return outputsIn(
    [...registry.values()].find(({ parent, section }) => parent === where.kind && section.fields[0] === where.place),
  );
}

function outputsIn(kind: Kind | undefined): DescribedFields {
  const { outputs = {}, reported } = kind?.capabilities ?? {};
  return Object.fromEntries(
    [...Object.keys(outputs), ...Object.keys(reported?.values ?? {})].map((name) => {
      const described = OUTPUTS[name];
      if (described === undefined) throw new Error(`nothing is said of the output ${name}`);
      return [snake(name), { ...described, computed: true }];
    }),
  );
}

const VERIFICATION: DescribedFields = {
  name: { attribute: { is: 'text' }, computed: true, description: 'The name of the record.' },
  value: { attribute: { is: 'text' }, computed: true, description: 'Its value.' },
};

const OUTPUTS: Readonly<Record<string, Pick<Described, 'attribute' | 'below' | 'description'>>> = {
  nameservers: {
    attribute: { is: 'list', of: 'text' },
    description:
      'The name servers of the zone, told when the hostname is attached by `dns`. Null for any other hostname.',
  },
  cnameTarget: {
    attribute: { is: 'text' },
    description:
      'Where the CNAME record of the hostname points, for the provider that keeps its DNS. Null when it is attached by `dns`.',
  },
  verification: {
    attribute: { is: 'group', fields: bare(VERIFICATION) },
    below: VERIFICATION,
    description:
      'The TXT record that proves whose the domain is. It stays after that is proven. Null when the platform never asked for one.',
  },
};

function plainOf({ type, enum: allowed, const: only }: JsonSchema): 'text' | 'number' | 'bool' {
  const kind = type ?? typeof (only ?? (allowed as readonly unknown[] | undefined)?.[0]);
  if (kind === 'string') return 'text';
  if (kind === 'integer' || kind === 'number') return 'number';
  if (kind === 'boolean') return 'bool';
  throw new Error(`no attribute is of the type ${JSON.stringify(kind)}`);
}

function providerFields(): DescribedFields {
  const text = (description: string): Described => ({ attribute: { is: 'text' }, description });
  const number = (description: string): Described => ({ attribute: { is: 'number' }, description });
  const group = (description: string, below: DescribedFields): Described => ({
    attribute: { is: 'group', fields: bare(below) },
    below,
    description,
  });
  return {
    account: text('The account. Absent: `HOSTWRIGHT_ACCOUNT`.'),
    api_url: text('Where the API is. Absent: `HOSTWRIGHT_API_URL`.'),
    token: {
      ...text(
        'The token: a session token, an API key or an OAuth access token of the account. It may be ephemeral, such as from a Vault. Absent: `credential_entry`, or `HOSTWRIGHT_TOKEN`.',
      ),
      sensitive: true,
    },
    credential_entry: text(
      'The entry of the credentials file that the token comes from: a command, a file or a variable. Absent: `HOSTWRIGHT_TOKEN`.',
    ),
    guards: group('What a plan may do at most. Absent: nothing is deleted, and nothing is paid for.', {
      allow_deletes: number('How many objects may be deleted. Absent: `HOSTWRIGHT_ALLOW_DELETES`, or none.'),
      allow_charges: number('How many actions may charge. Absent: `HOSTWRIGHT_ALLOW_CHARGES`, or none.'),
      max_spend: text(
        'What they may cost together, such as `20.00 EUR`. It refuses purchases without a quoted price, such as sites and mailspaces: leave it out to buy those. Absent: `HOSTWRIGHT_MAX_SPEND`, or no ceiling.',
      ),
    }),
    ledger: group(
      'Where it is written down what was sent. Absent: nowhere, and nothing is bought then. One of `file`, `git` and `postgres`.',
      {
        create: {
          attribute: { is: 'bool' },
          description:
            'Whether an apply begins the ledger where there is none, or one that is not complete. It says that the account bought nothing by another ledger. Absent: no, and nothing is bought before `hostwright ledger init`.',
        },
        file: text('A file, from the folder that Terraform runs in.'),
        git: group('A ref of a Git remote.', {
          remote: text('The remote. Absent: `origin`.'),
          ref: text('The ref. Absent: `refs/hostwright/ledger`.'),
        }),
        postgres: group('A PostgreSQL database, which can keep the ledgers of many accounts.', {
          env: text(
            'The environment variable with its address, `postgres://...`; its name begins with `HOSTWRIGHT_DATABASE_URL`. Absent: that variable itself.',
          ),
          entry: text('The entry of the credentials file that its address comes from, in the place of `env`.'),
        }),
      },
    ),
    secrets: group('Where secrets may come from that the configuration names by `env`, `file` and `entry`.', {
      env: { attribute: { is: 'set', of: 'text' }, description: 'Names of environment variables.' },
      files: { attribute: { is: 'set', of: 'text' }, description: 'Files, and folders with a slash at the end.' },
      keep: { attribute: { is: 'set', of: 'text' }, description: 'Folders that credentials are written to.' },
      entries: { attribute: { is: 'set', of: 'text' }, description: 'Entries of the credentials file.' },
      recipients: {
        attribute: { is: 'set', of: 'text' },
        description: 'Public keys of age that credentials are encrypted to before they are written.',
      },
      sinks: {
        attribute: { is: 'set', of: 'text' },
        description: 'Entries of the credentials file whose commands may be given credentials.',
      },
    }),
  };
}

/** Without what is only said. */
function bare(fields: DescribedFields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(
      ([name, { description: _description, sensitive: _sensitive, below: _below, ...field }]) => [name, field],
    ),
  );
}

const SINGLE = 1;
const LIST = 2;
const MAP = 4;
const MARKDOWN = 1;

function blockOf(description: string, fields: DescribedFields): Message {
  return { description: said(description), descriptionKind: MARKDOWN, attributes: attributesOf(fields) };
}

/** A description without the words of manifests. */
function said(description: string, is?: Attribute['is']): string {
  const text = is === 'map' ? description.replace(/`\[\]`/g, '`{}`') : description;
  return inTerraformWords(is === 'rests' ? text.replace(/ Absent: that of the nearest[^.]*\./, '') : text)
    .replace(/ Required\.(?= |$)/g, '')
    .replace(/\(as far as (`[^`]+`) allows\)/g, '($1)')
    .replace(/as a list or as a text with one on each line/g, 'one each');
}

function attributesOf(fields: DescribedFields): readonly Message[] {
  return Object.entries(fields).map(
    ([name, { attribute, required, computed, live, writeOnly, sensitive, description, below }]) => ({
      name,
      description: said(description, attribute.is),
      descriptionKind: MARKDOWN,
      ...(required === true ? { required } : computed === true ? { computed } : { optional: true }),
      ...(live === true && { computed: live }),
      ...(writeOnly === true && { writeOnly }),
      ...(sensitive === true && { sensitive }),
      ...typeOf(attribute, below ?? {}),
    }),
  );
}

function typeOf(attribute: Attribute, below: DescribedFields): Message {
  if ('fields' in attribute) {
    const nesting = attribute.is === 'map' ? MAP : attribute.is === 'groups' ? LIST : SINGLE;
    return { nestedType: { attributes: attributesOf(below), nesting } };
  }
  const type = (is: string): string => (is === 'number' ? 'number' : is === 'bool' ? 'bool' : 'string');
  const written =
    attribute.is === 'list' || attribute.is === 'set' ? [attribute.is, type(attribute.of)] : type(attribute.is);
  return { type: Buffer.from(JSON.stringify(written)) };
}

function resolve(document: JsonSchema, schema: JsonSchema): JsonSchema {
  const { $ref, ...own } = schema;
  if ($ref === undefined) return schema;
  const target = document.$defs?.[$ref.replace('#/$defs/', '')];
  if (target === undefined) throw new Error(`${$ref} leads nowhere`);
  return { ...resolve(document, target), ...own };
}
