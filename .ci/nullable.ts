// Where an editor takes `null`: at whatever a profile can set, where it means "not managed". The schemas of the kinds
// say what a manifest holds once that is taken out, so only the union of them all is changed.

interface Schema {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly $ref?: string;
}

type Definitions = Readonly<Record<string, Schema>>;

const NAMED = /^#\/\$defs\//;

/** The definitions with `null` allowed for these fields of these ones, and for everything below them that merges. */
export function withNulls(definitions: Definitions, roots: readonly string[], fields: readonly string[]): Definitions {
  const changed = new Map<string, Schema>();
  const nameOf = ({ $ref }: Schema): string | undefined => $ref?.replace(NAMED, '');
  const resolved = (schema: Schema): Schema => {
    const name = nameOf(schema);
    return name === undefined ? schema : resolved(definitions[name] as Schema);
  };
  /** A mapping whose fields may be null; one that has a name is changed under its name. */
  const opened = (schema: Schema, only?: readonly string[]): Schema => {
    const name = nameOf(schema);
    if (name === undefined) return { ...schema, properties: openedFields(schema, only) };
    if (!changed.has(name)) {
      changed.set(name, definitions[name] as Schema);
      changed.set(name, opened(definitions[name] as Schema, only));
    }
    return schema;
  };
  const openedFields = ({ properties = {}, required = [] }: Schema, only: readonly string[] | undefined): Definitions =>
    Object.fromEntries(
      Object.entries(properties).map(([field, schema]) => {
        const isOpen = (only?.includes(field) ?? true) && !(required as readonly string[]).includes(field);
        return [field, isOpen ? orNull(openedBelow(schema)) : schema];
      }),
    );
  const openedBelow = (schema: Schema): Schema => {
    const target = resolved(schema);
    if (target.type === 'object') return opened(schema);
    if (schema.items !== undefined && keyOfItems(resolved(schema.items)) !== undefined)
      return { ...schema, items: opened(schema.items) };
    return schema;
  };
  for (const root of roots) opened({ $ref: `#/$defs/${root}` }, fields);
  return { ...definitions, ...Object.fromEntries(changed) };
}

/** The field by which the items of a list are told apart: a list of mappings that need a `name` is merged by it. */
export function keyOfItems(item: Schema): 'name' | undefined {
  return item.type === 'object' && Array.isArray(item.required) && item.required.includes('name') ? 'name' : undefined;
}

function orNull(schema: Schema): Schema {
  const { type, enum: allowed } = schema;
  if (typeof type === 'string')
    return {
      ...schema,
      type: [type, 'null'],
      ...(Array.isArray(allowed) && { enum: [...(allowed as readonly unknown[]), null] }),
    };
  const { title, description, default: preset, examples, ...rest } = schema;
  const said = Object.entries({ title, description, default: preset, examples }).filter(
    ([, value]) => value !== undefined,
  );
  return { ...Object.fromEntries(said), anyOf: [rest, { type: 'null' }] };
}
