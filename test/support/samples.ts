// One sample of each kind: what a live object of it holds, and what its writes are made from. A kind without an entry
// is sampled from the examples of its schema.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonObject } from '../../src/model/json.ts';
import type { Kind, StepContext } from '../../src/model/kind/kind.ts';
import { normaliseSpec } from '../../src/model/kind/normalise.ts';
import type { PathTemplate, RequestStep, Step } from '../../src/model/plan/step.ts';

interface WriteSample {
  /** Stands beside the live fields. */
  readonly desired?: JsonObject;
  readonly observed?: JsonObject;
  readonly computed?: JsonObject;
  readonly price?: StepContext<JsonObject>['price'];
}

export interface Sample {
  /** A value for every field that can be read. */
  readonly live: JsonObject;
  readonly computed?: JsonObject;
  /** Where one write makes several requests, or needs more than what can be read. */
  readonly writes?: readonly WriteSample[];
}

const contact = (firstName: string): JsonObject => ({
  firstName,
  lastName: 'Vries',
  organization: 'Acme',
  streetAddress: 'Main 1',
  postCode: '1000AA',
  city: 'Amsterdam',
  state: 'NH',
  country: 'NL',
  email: 'a@acme.example',
  phone: '+31.201234567',
  extraProperties: { vat: 'NL1' },
});

const LOCKED = { computed: { locked: true } };

const SAMPLES: Readonly<Record<string, Sample>> = {
  Site: {
    live: { name: 'Shop', plan: 'pro' },
    computed: { primaryDomain: 'shop.example.com' },
    writes: [{ desired: { order: { variant: 'vanilla', location: 'ams', term: 'monthly' } } }],
  },
  SiteDomain: { live: { hostname: 'shop.example.com', primary: true } },
  PhpVersion: { live: { version: '8.3' }, writes: [{ computed: { variants: { '8.3': 3 } } }] },
  Caching: {
    live: {
      smartCache: true,
      cacheExpiration: 60,
      browserCacheExpiration: 60,
      queryStringOrdering: true,
      cacheErrorResponses: true,
      varyAvif: true,
      varyWebp: true,
      varyMobile: true,
      varyHostname: true,
      varyCountryCode: true,
      varyCountryStateCode: true,
      varyCookie: true,
      disableCookies: false,
      cacheSlice: true,
      staleWhileOffline: true,
      staleWhileUpdating: true,
      cookieVaryParameters: ['a', 'b'],
      queryStringVaryParameters: [],
    },
  },
  CacheLayer: { live: { layer: 'redis', enabled: true }, writes: [{}, { desired: { enabled: false } }] },
  EdgeRule: {
    live: {
      name: 'a',
      action: { type: 'Redirect', parameter1: 'https://a.example/', parameter2: '302', parameter3: '' },
      extraActions: [{ type: 'SetResponseHeader', parameter1: 'X', parameter2: 'y' }],
      match: 'all',
      triggers: [{ type: 'Url', match: 'any', patterns: ['*/a/*'] }],
      enabled: false,
      orderIndex: 7,
    },
    writes: [{ desired: { enabled: true } }],
  },
  SiteMail: { live: { fromLocalPart: 'orders', fromName: '' } },
  Shield: {
    live: { enabled: true, plan: 'advanced', whitelabelResponsePages: true },
    writes: [
      { desired: { learnOnActivation: true } },
      { desired: { enabled: false, plan: 'basic' }, observed: { enabled: true, plan: 'advanced' } },
    ],
  },
  ShieldWaf: { live: { enabled: true, executionMode: 'block', disabledRules: ['1'], logOnlyRules: ['2'] } },
  ShieldDdos: { live: { sensitivity: 'medium', executionMode: 'block', challengeWindow: 600 } },
  ShieldBotDetection: {
    live: {
      executionMode: 'challenge',
      requestIntegritySensitivity: 'medium',
      ipAddressSensitivity: 'medium',
      browserFingerprintSensitivity: 'medium',
      browserFingerprintAggression: 'medium',
      browserFingerprintComplexEnabled: true,
    },
  },
  ShieldCustomRule: {
    live: {
      name: 'one',
      description: 'D',
      action: 'block',
      variable: 'REQUEST_URI',
      subselector: 's',
      operator: 'contains',
      severity: 'critical',
      value: '/admin',
    },
  },
  ShieldRateLimit: {
    live: {
      name: 'Login',
      description: 'D',
      action: 'rateLimit',
      requestCount: 5,
      timeframe: 60,
      blockTime: 60,
      countBy: 'ip',
      severity: 'critical',
      conditions: [{ variable: 'REQUEST_URI', operator: 'contains', value: '/login' }],
      transformations: ['lowercase'],
      configuration: { isPathPattern: true },
    },
    writes: [{ computed: { configuration: {} } }],
  },
  ShieldAccessList: {
    live: { name: 'Office', description: 'D', type: 'ip', content: ['192.0.2.1', '192.0.2.2'] },
  },
  Backup: { live: {} },
  CachePurge: { live: {} },
  Mailspace: { live: { domain: 'example.com', package: 'mail_20' } },
  MailDomain: { live: { name: 'example.net', description: 'D' } },
  Mailbox: {
    live: {
      address: 'a@example.com',
      displayName: 'A',
      quotaMb: 5,
      status: 'suspended',
      allowedIps: ['192.0.2.1'],
      lists: ['news@example.com'],
      deletion: 'none',
    },
    writes: [
      {
        desired: { status: 'active', password: { $secret: { env: 'P' } } },
        observed: { address: 'a@example.com', status: 'suspended' },
      },
    ],
  },
  MailGroup: {
    live: { email: 'g@example.com', description: 'G', members: ['a@example.com'] },
    writes: [{ desired: { name: 'G' }, computed: { memberships: { 'a@example.com': ['g@example.com'] } } }],
  },
  MailAlias: { live: { address: 'i@example.com', target: 'a@example.com' } },
  DomainRegistration: {
    live: { name: 'example.com', autoRenew: false },
    writes: [
      {
        desired: { order: {}, contacts: { owner: contact('Ada') }, autoRenew: true },
        price: { amountCents: 1200, currency: 'EUR' },
      },
    ],
  },
  RegistrationHost: { live: { hostName: 'ns1.example.com', addresses: ['192.0.2.53'] }, writes: [LOCKED] },
  RegistrationNameservers: { live: { nameservers: ['ns1.example.com', 'ns2.example.com'] }, writes: [LOCKED] },
  RegistrationDnssec: {
    live: { enabled: true },
    writes: [{ desired: { keys: [], rotate: '1' } }, { desired: { enabled: false }, ...LOCKED }],
  },
  RegistrationOwner: {
    live: contact('Ada'),
    computed: { owner: 'handle-1' },
    writes: [
      { observed: contact('Ada') },
      {
        observed: contact('Ada'),
        computed: { locked: true, fees: { registrant_change: { amount_cents: 900, currency: 'EUR' } } },
      },
    ],
  },
  RegistrationContacts: {
    live: { admin: contact('Ben'), tech: contact('Ada'), billing: contact('Cleo') },
    writes: [{ desired: { owner: contact('Ada') }, computed: { locked: true, reusable: {} } }],
  },
  RegistrationPrivacy: { live: { privacyProtect: true }, writes: [LOCKED] },
  RegistrationLock: { live: { locked: true } },
  PanelAccount: { live: { package: 'pro' }, writes: [{ desired: { order: { term: 'annual', domain: 'a.nl' } } }] },
  User: {
    live: { email: 'jo@client.example', fname: 'Jo', lname: 'Doe', locale: 'nl' },
    writes: [{ desired: { credentialsTo: { file: 'a.json' } } }],
  },
};

interface Schema {
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  /** Of a list. */
  readonly items?: Schema;
  readonly examples?: readonly Json[];
}

/** The sample of a kind, or the first example of each field of the section or list that the kind is made from. */
export function sampleOf({ kind, parent, section }: Kind): Sample {
  const sample = SAMPLES[kind];
  if (sample !== undefined) return sample;
  const file = `${(parent ?? kind).replace(/\B[A-Z]/g, '-$&').toLowerCase()}.schema.json`;
  const schema = JSON.parse(readFileSync(join(import.meta.dirname, '../../schemas', file), 'utf8')) as Schema;
  const resolved = ({ $ref, ...own }: Schema): Schema =>
    $ref === undefined ? own : { ...resolved(schema.$defs?.[$ref.replace('#/$defs/', '')] ?? {}), ...own };
  const found = ['spec', ...(section.fields[0] ?? '').split('/')].reduce<Schema>(
    (at, name) => resolved(at.properties?.[name] ?? {}),
    schema,
  );
  const { properties = {} } = found.items === undefined ? found : resolved(found.items);
  const examples = Object.entries(properties).map(([name, field]) => [name, resolved(field).examples?.[0]]);
  return { live: Object.fromEntries(examples) as JsonObject };
}

/** Every write of a kind, with the requests that it makes of the kind's sample. */
export function sampleWrites(kind: Kind): readonly (readonly [name: string, requests: readonly RequestStep[]])[] {
  return sampleSteps(kind).map(([name, steps]) => [name, steps.filter((step) => step.do === 'request')]);
}

/** Every write of a kind, with all steps that it makes of the kind's sample. */
export function sampleSteps(kind: Kind): readonly (readonly [name: string, steps: readonly Step[]])[] {
  const { live, writes = [{}] } = sampleOf(kind);
  const self = kind.parent === null ? `${kind.kind}/x` : `${kind.parent}/x/${kind.kind}/y`;
  const parent = kind.parent === null ? self : `${kind.parent}/x`;
  const contexts = writes.map(({ desired, observed, computed = {}, price }): StepContext<JsonObject> => {
    const wanted = normaliseSpec(kind, { ...live, ...desired });
    const fields = Object.keys(wanted);
    const known = { observed: observed === undefined ? null : normaliseSpec(kind, observed), computed };
    return { self, parent, desired: wanted, ...known, changed: fields, writing: fields, ...(price && { price }) };
  });
  const write = (name: string, steps: (context: StepContext<JsonObject>) => readonly Step[]) =>
    [`${kind.kind} ${name}`, contexts.flatMap(steps)] as const;
  const { create, update, remove, capabilities } = kind;
  const { move, hook } = capabilities;
  const backup = { id: '7', identity: 'content', spec: { label: 'content' }, computed: {}, keys: [] };
  return [
    ...(create ? [write('create', (context) => create.steps({ ...context, observed: null }))] : []),
    ...Object.entries(update).map(([name, { writes: fields, steps }]) =>
      write(name, (context) =>
        steps({ ...context, changed: context.changed.filter((field) => fields.includes(field)), writing: fields }),
      ),
    ),
    ...(remove ? [write('remove', (context) => remove.steps(context))] : []),
    ...(move ? [write('move', () => move.steps({ self, parent, identity: 'y', to: 'Site/z' }))] : []),
    ...(hook ? [write('hook', () => hook.steps({ self, parent, members: [backup] }))] : []),
  ];
}

/** Every path that a kind reads of its sample, as far as that can be told without answers. */
export function sampleReads(kind: Kind): readonly (readonly [read: string, path: string])[] {
  const spec = normaliseSpec(kind, sampleOf(kind).live);
  const parent = { id: 'x', identity: 'x', spec: { domain: 'a.nl' }, computed: {}, keys: [] };
  const address = kind.parent === null ? `${kind.kind}/x` : `${kind.parent}/x/${kind.kind}/y`;
  const one = { address, kind: kind.kind, parent: null, identity: kind.identity(spec), spec, keys: [['a.nl']] };
  const sourceOf = (): undefined => undefined;
  const member = { ...one, lifecycle: { state: 'present', protect: false }, sourceOf } as const;
  const rules = { unlisted: 'keep', protect: false, partial: false, rootSpec: {}, sourceOf } as const;
  const declared = { collection: kind.kind, kind: kind.kind, parent: null, members: [member], ...rules };
  return Object.entries(kind.reads).flatMap(([name, { path, after = [] }]) => {
    // A list before it that is empty: what is declared is then asked for by itself.
    const answers = Object.fromEntries(after.map((before) => [before, { [before]: [] }]));
    const context = { account: 'acc', parent, declared, owned: new Set<string>(), answers };
    try {
      const found = path(context);
      const paths = typeof found === 'string' ? [found] : Object.values(found ?? {});
      return paths.map((at) => [`${kind.kind} ${name}`, at] as const);
    } catch {
      return []; // It rests on what the answer before it says.
    }
  });
}

/** Every path that these steps read: to find what was lost, to wait, to look. */
export function readsOfSteps(steps: readonly unknown[]): readonly PathTemplate[] {
  const found: PathTemplate[] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, below] of Object.entries(value)) {
      if (key === 'read' && Array.isArray(below)) found.push(below as PathTemplate);
      else walk(below);
    }
  };
  walk(steps);
  return found;
}
