// What a profile may hold: the spec of the kind that uses it, without what belongs to one object alone. Its schema is
// derived, so that a section that is added to a kind can be shared at once.

interface Schema {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** What says which object it is, what is in it, or what is bought: the same for two objects it would be a mistake. */
const NEVER_SHARED = ['profiles', 'name', 'primaryDomain', 'domains', 'order'];

/** The schema of `SiteProfile` from that of `Site`: every definition that it needs comes along, unchanged. */
export function siteProfileSchema(site: Schema): Schema {
  const { $defs = {} } = site;
  const {
    title: _title,
    description: _description,
    examples: _examples,
    properties = {},
    required: _required,
    ...rest
  } = $defs.siteSpec as Schema;
  const shared = Object.fromEntries(Object.entries(properties).filter(([field]) => !NEVER_SHARED.includes(field)));
  const own = {
    profileMetadata: {
      title: 'Profile metadata',
      description: 'What the profile is called. Nothing in here is sent to the platform. Required.',
      type: 'object',
      additionalProperties: false,
      required: ['name'],
      properties: {
        name: {
          description:
            'The name by which manifests use the profile. It is unique among the profiles of the workspace. Required.',
          $ref: '#/$defs/localName',
          examples: ['shop-base'],
        },
      },
      examples: [{ name: 'shop-base' }],
    },
    siteProfileSpec: {
      title: 'Site profile spec',
      description:
        'What the sites have in common: a part of a Site spec. What a site says itself beats it. Required; an empty one, `{}`, sets nothing.',
      ...rest,
      properties: shared,
      examples: [{ caching: { smartCache: true, cacheExpiration: 3600 } }],
    },
  };
  const schema = {
    $schema: site.$schema,
    title: 'SiteProfile manifest',
    description:
      'Settings that several sites share. A site uses it by naming it in `spec.profiles`; by itself it does nothing.',
    type: 'object',
    additionalProperties: false,
    required: ['apiVersion', 'kind', 'metadata', 'spec'],
    properties: {
      apiVersion: { $ref: '#/$defs/apiVersion' },
      kind: {
        description: 'What the document describes. Required.',
        type: 'string',
        const: 'SiteProfile',
        examples: ['SiteProfile'],
      },
      metadata: { $ref: '#/$defs/profileMetadata' },
      spec: { $ref: '#/$defs/siteProfileSpec' },
    },
    examples: [
      {
        apiVersion: 'hostwright/v1',
        kind: 'SiteProfile',
        metadata: { name: 'shop-base' },
        spec: {
          caching: { smartCache: true, cacheExpiration: 3600, varyCookie: true, cookieVaryParameters: ['currency'] },
        },
      },
    ],
  };
  return { ...schema, $defs: needed(schema, { ...$defs, ...own }) };
}

/** The definitions that a schema refers to, and those that they refer to. */
function needed(schema: unknown, all: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, below] of Object.entries(value)) {
      const name = key === '$ref' && typeof below === 'string' ? below.replace('#/$defs/', '') : undefined;
      if (name === undefined) visit(below);
      else if (!names.has(name)) {
        names.add(name);
        visit(all[name]);
      }
    }
  };
  visit(schema);
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name)));
}
