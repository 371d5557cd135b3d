// Random worlds: what an account holds, what the manifests want of it, and the accidents on the way. Only what can be
// done is drawn (a group cannot be removed, a site keeps a primary domain): what cannot has tests of its own.
import fc from 'fast-check';
import { EPOCH_MS } from '../../src/sandbox/core/clock.ts';
import type { Fault } from '../../src/sandbox/core/http/faults.ts';
import { addMailbox, addMailGroup, addMailspace } from '../../src/sandbox/mail/state.ts';
import { addRegistration } from '../../src/sandbox/registration/state.ts';
import { buildScenario } from '../../src/sandbox/scenarios.ts';
import { accessList, configuredItem, shieldZone } from '../../src/sandbox/shield/state.ts';
import { addDomain, addSite, Caching } from '../../src/sandbox/core/state.ts';
import type { Site, State } from '../../src/sandbox/core/state.ts';
import { manifest, siteManifest } from '../support/manifests.ts';

export interface Drawn {
  /** Changes the live store. */
  readonly build: (state: State) => void;
  /** A manifest as JSON. */
  readonly manifest: string;
}

const DAY_MS = 86_400_000;
const subset = <Item>(items: readonly Item[], minLength = 0) => fc.subarray([...items], { minLength });
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 2 });
const given = (entries: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));

// ---- sites ----

const labels = ['a', 'b', 'c', 'd'];
const caching = fc.record(
  {
    smartCache: fc.boolean(),
    cacheExpiration: fc.integer({ min: -1, max: 5 }),
    varyMobile: fc.boolean(),
    cookieVaryParameters: fc.uniqueArray(fc.constantFrom('x', 'y', 'z')),
  },
  { requiredKeys: [], noNullPrototype: true },
);
const ACTIONS = [
  { wire: 0, spec: { type: 'ForceSSL' } },
  { wire: 1, spec: { type: 'Redirect', parameter1: 'https://new.example.com/', parameter2: '301' } },
  { wire: 4, spec: { type: 'BlockRequest' } },
] as const;
const edgeRule = fc.record(
  { action: fc.constantFrom(...ACTIONS), pattern: fc.constantFrom('*/x/*', '*/y/*'), enabled: fc.boolean() },
  { noNullPrototype: true },
);
const edgeRules = fc
  .tuple(
    subset(['r1', 'r2', 'r3', 'r4']).chain((names) => fc.shuffledSubarray(names, { minLength: names.length })),
    fc.array(edgeRule, { minLength: 4, maxLength: 4 }),
  )
  .map(([names, rules]) =>
    names.map((name, index) => ({ name, ...(rules[index] as NonNullable<(typeof rules)[number]>) })),
  );
const shieldNames = ['s1', 's2', 's3'];
const shield = fc.record(
  {
    blocks: fc.boolean(),
    rules: subset(shieldNames),
    allows: fc.boolean(),
    lists: subset(shieldNames),
    entry: fc.constantFrom('192.0.2.1', '192.0.2.2'),
  },
  { noNullPrototype: true },
);

const liveSite = fc.record(
  {
    domains: subset(labels),
    primary: fc.nat(),
    caching,
    edgeRules,
    shield: maybe(shield),
    php: fc.constantFrom('8.1', '8.2', '8.3'),
    nginx: fc.boolean(),
    from: maybe(fc.constantFrom('orders', 'docs')),
  },
  { noNullPrototype: true },
);
const wantedSite = fc.record(
  {
    domains: maybe(subset(labels, 1)),
    primary: fc.nat(),
    remove: fc.boolean(),
    caching: maybe(caching),
    edgeRules: maybe(edgeRules),
    shield: maybe(shield),
    php: maybe(fc.constantFrom('8.1', '8.2', '8.3')),
    nginx: maybe(fc.boolean()),
    from: maybe(fc.constantFrom('orders', 'docs', '')),
    purge: fc.boolean(),
  },
  { noNullPrototype: true },
);

type LiveSite = typeof liveSite extends fc.Arbitrary<infer Value> ? Value : never;
type WantedSite = typeof wantedSite extends fc.Arbitrary<infer Value> ? Value : never;
type ShieldDraw = typeof shield extends fc.Arbitrary<infer Value> ? Value : never;

const snake = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function buildSite(state: State, name: string, live: LiveSite): void {
  const site = addSite(state, { id: `site-${name}`, accountId: 'acc-acme', name, phpVersion: live.php });
  for (const label of live.domains)
    addDomain(state, site, { id: `dom-${name}-${label}`, hostname: `${label}.${name}.example.com` });
  const primary = site.domains[live.domains.length === 0 ? 0 : live.primary % live.domains.length];
  if (primary !== undefined) site.primaryDomainId = primary.id;
  site.cdn.caching = {
    ...new Caching(),
    ...Object.fromEntries(Object.entries(live.caching).map(([key, value]) => [snake(key), value])),
  };
  site.edgeRules = live.edgeRules.map(({ name: rule, action: { wire, spec }, pattern, enabled }, index) => ({
    Guid: `edge-${name}-${rule}`,
    ActionType: wire,
    ActionParameter1: 'parameter1' in spec ? spec.parameter1 : null,
    ActionParameter2: 'parameter2' in spec ? spec.parameter2 : null,
    ActionParameter3: null,
    TriggerMatchingType: 0,
    Description: rule,
    Enabled: enabled,
    OrderIndex: index,
    Triggers: [{ Type: 0, PatternMatchingType: 0, Parameter1: null, PatternMatches: [pattern] }],
    ExtraActions: [],
  }));
  site.layers.nginx.on = live.nginx;
  if (live.shield !== undefined) buildShield(site, live.shield);
  if (site.mail !== null && live.from !== undefined) site.mail.fromLocalPart = live.from;
}

function buildShield(site: Site, { blocks, rules, allows, lists, entry }: ShieldDraw): void {
  site.shield.zone = shieldZone({
    tier: 'advanced',
    waf: { enabled: true, executionMode: blocks ? 1 : 0, disabledRules: [], logOnlyRules: [] },
    customRules: rules.map((name, index) =>
      configuredItem({
        id: `rule-${site.id}-${name}`,
        number: 200 + index,
        name,
        configuration: {
          action_type: allows ? 4 : 1,
          variable_type: 'REQUEST_URI',
          variable_subselector: '',
          operator_type: 2,
          severity_type: 1,
          value: '/admin',
        },
      }),
    ),
    accessLists: lists.map((name, index) =>
      accessList({ id: `list-${site.id}-${name}`, number: 300 + index, name, type: 0, content: entry }),
    ),
  });
}

/** Of a Shield that is there; activating one has tests of its own. */
function shieldSpec({ blocks, rules, allows, lists, entry }: ShieldDraw): object {
  return {
    waf: { executionMode: blocks ? 'block' : 'log' },
    customRules: rules.map((name) => ({
      name,
      action: allows ? 'allow' : 'block',
      variable: 'REQUEST_URI',
      operator: 'contains',
      value: '/shop',
    })),
    accessLists: lists.map((name) => ({ name, type: 'ip', content: [entry] })),
  };
}

function writtenSite(name: string, live: LiveSite, wanted: WantedSite): string {
  const own = wanted.domains?.map((label) => `${label}.${name}.example.com`);
  const spec = given({
    ...(own !== undefined && {
      domains: own,
      primaryDomain: own[wanted.primary % own.length],
      ...(wanted.remove && { unlisted: { domains: 'remove' } }),
    }),
    caching: wanted.caching,
    edgeRules: wanted.edgeRules?.map(({ name: rule, action, pattern, enabled }) => ({
      name: rule,
      action: action.spec,
      triggers: [{ type: 'Url', patterns: [pattern] }],
      enabled,
    })),
    shield: live.shield === undefined || wanted.shield === undefined ? undefined : shieldSpec(wanted.shield),
    phpVersion: wanted.php,
    cacheLayers: wanted.nginx === undefined ? undefined : { nginx: wanted.nginx },
    mail: wanted.from === undefined ? undefined : { fromLocalPart: wanted.from },
    afterChange: wanted.purge ? { purge: true } : undefined,
  });
  return siteManifest(name, spec);
}

export function site(name: string): fc.Arbitrary<Drawn> {
  return fc.tuple(liveSite, wantedSite).map(([live, wanted]) => ({
    build: (state) => buildSite(state, name, live),
    manifest: writtenSite(name, live, wanted),
  }));
}

// ---- mailspaces ----

const PEOPLE = ['ann', 'ben', 'cat', 'dan'];
const GROUPS = ['team', 'staff'];
const DOMAINS = ['net', 'org'];

const person = fc.record(
  {
    displayName: fc.constantFrom('One', 'Two'),
    quotaMb: fc.constantFrom(512, 1024),
    status: fc.constantFrom('active', 'suspended'),
    allowedIps: subset(['192.0.2.1', '198.51.100.7']),
    pending: fc.boolean(),
  },
  { noNullPrototype: true },
);
const people = fc.array(person, { minLength: PEOPLE.length, maxLength: PEOPLE.length });
const members = fc.array(subset(PEOPLE), { minLength: GROUPS.length, maxLength: GROUPS.length });
const targets = fc.array(fc.nat(), { minLength: 4, maxLength: 4 });

const liveMail = fc.record(
  {
    domains: subset(DOMAINS),
    boxes: subset(PEOPLE),
    people,
    groups: subset(GROUPS),
    members,
    aliases: subset(['sales', 'info', 'staff']),
    targets,
  },
  { noNullPrototype: true },
);
const wantedMail = fc.record(
  {
    domains: maybe(subset(DOMAINS)),
    descriptions: fc.boolean(),
    boxes: maybe(subset(PEOPLE, 1)),
    people,
    fields: subset(['displayName', 'quotaMb', 'status', 'allowedIps']),
    groups: maybe(subset(GROUPS)),
    members,
    aliases: maybe(subset(['sales', 'info', 'hello'])),
    targets,
    removeAliases: fc.boolean(),
    removeBoxes: fc.boolean(),
    removeDomains: fc.boolean(),
  },
  { noNullPrototype: true },
);

type LiveMail = typeof liveMail extends fc.Arbitrary<infer Value> ? Value : never;
type WantedMail = typeof wantedMail extends fc.Arbitrary<infer Value> ? Value : never;

/** Cat lives on a second domain, where there is one. */
function addressOf(space: string, name: string): string {
  return name === 'cat' ? `cat@${space}.example.net` : `${name}@${space}.example.com`;
}

/** Only those whose domain is there. */
const housed = (boxes: readonly string[], domains: readonly string[]): readonly string[] =>
  boxes.filter((name) => name !== 'cat' || domains.includes('net'));

function buildMail(state: State, name: string, live: LiveMail): void {
  for (const ending of DOMAINS)
    addRegistration(state.registrar, { name: `${name}.example.${ending}`, accountId: 'acc-acme' });
  const space = addMailspace(state.mail, {
    id: `mail-${name}`,
    domain: `${name}.example.com`,
    accountId: 'acc-acme',
    token: name.repeat(8),
    package: 'mail_20',
  });
  for (const ending of live.domains) space.domains.push({ name: `${name}.example.${ending}`, description: null });
  const boxes = housed(live.boxes, live.domains);
  for (const box of boxes) {
    const { pending, status, ...rest } = live.people[PEOPLE.indexOf(box)] as LiveMail['people'][number];
    addMailbox(space, {
      id: `mbx-${name}-${box}`,
      email: addressOf(name, box),
      ...rest,
      ...(pending ? { status: 'pending_deletion', scheduledDeletionAt: EPOCH_MS + 10 * DAY_MS } : { status: status }),
    });
  }
  for (const group of live.groups) {
    addMailGroup(space, {
      principalId: `grp-${name}-${group}`,
      email: addressOf(name, group),
      members: housed(live.members[GROUPS.indexOf(group)] ?? [], live.domains)
        .filter((box) => boxes.includes(box))
        .map((box) => addressOf(name, box)),
    });
  }
  const holders = [...space.mailboxes, ...space.groups];
  live.aliases.forEach((alias, index) => {
    if (!live.groups.includes(alias))
      holders[(live.targets[index] ?? 0) % holders.length]?.aliases.push(addressOf(name, alias));
  });
}

function writtenMailspace(name: string, live: LiveMail, wanted: WantedMail): string {
  const liveBoxes = housed(live.boxes, live.domains);
  const domains = [...new Set([...(wanted.domains ?? live.domains), ...(liveBoxes.includes('cat') ? ['net'] : [])])];
  const boxes =
    wanted.boxes === undefined
      ? undefined
      : housed(wanted.boxes, wanted.domains === undefined ? live.domains : domains);
  const kept = [
    ...(boxes ?? []),
    ...(wanted.removeBoxes && boxes !== undefined
      ? []
      : liveBoxes.filter((box) => live.people[PEOPLE.indexOf(box)]?.pending !== true)),
  ];
  const there = [...new Set(kept)].sort();
  const groups = wanted.groups;
  const targets = [...there, ...new Set([...live.groups, ...(groups ?? [])])];
  const aliases =
    targets.length === 0
      ? undefined
      : wanted.aliases?.map((alias, index) => ({
          address: addressOf(name, alias),
          target: addressOf(name, targets[(wanted.targets[index] ?? 0) % targets.length] as string),
        }));
  // Where a group takes the address of an alias, the alias goes first.
  const frees = groups?.includes('staff') === true && !live.groups.includes('staff');
  const spec = given({
    domains:
      wanted.domains === undefined
        ? undefined
        : domains.map((ending) => ({
            name: `${name}.example.${ending}`,
            ...(wanted.descriptions && { description: 'Brand' }),
          })),
    mailboxes: boxes?.map((box) => ({
      address: addressOf(name, box),
      password: { env: 'PASSWORD' },
      ...Object.fromEntries(
        Object.entries(wanted.people[PEOPLE.indexOf(box)] ?? {}).filter(([field]) => wanted.fields.includes(field)),
      ),
    })),
    groups: groups?.map((group) => ({
      email: addressOf(name, group),
      name: group,
      members: (wanted.members[GROUPS.indexOf(group)] ?? [])
        .filter((box) => there.includes(box))
        .map((box) => addressOf(name, box)),
    })),
    aliases: aliases ?? (frees ? [] : undefined),
    unlisted: given({
      aliases: (wanted.removeAliases && aliases !== undefined) || frees ? 'remove' : undefined,
      mailboxes: wanted.removeBoxes && boxes !== undefined ? 'remove' : undefined,
      // Nothing lives on the other one.
      domains: wanted.removeDomains && wanted.domains !== undefined ? 'remove' : undefined,
    }),
  });
  return manifest('Mailspace', `${name}.example.com`, spec);
}

export function mailspace(name: string): fc.Arbitrary<Drawn> {
  return fc.tuple(liveMail, wantedMail).map(([live, wanted]) => ({
    build: (state) => buildMail(state, name, live),
    manifest: writtenMailspace(name, live, wanted),
  }));
}

// ---- accidents, and all of it together ----

const accident = fc.constantFrom<Omit<Fault, 'at'>>(
  { kind: 'reset-before' },
  { kind: 'reset-after' },
  { kind: 'status-before', status: 500 },
  { kind: 'status-after', status: 502 },
  { kind: 'status-before', status: 429, retryAfter: '2' },
  { kind: 'status-before', status: 503 },
  { kind: 'html' },
  { kind: 'truncate' },
  { kind: 'garbage' },
  { kind: 'not-a-list' },
);
export const accidents: fc.Arbitrary<readonly Fault[]> = fc.uniqueArray(
  fc.tuple(fc.integer({ min: 1, max: 40 }), accident).map(([at, fault]): Fault => ({ ...fault, at })),
  { maxLength: 3, selector: ({ at }) => at },
);

/** Small worlds: one site, one mailspace, or at times two of them. */
export const world: fc.Arbitrary<readonly Drawn[]> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(site('one')) },
  { weight: 4, arbitrary: fc.tuple(mailspace('one')) },
  { weight: 1, arbitrary: fc.tuple(site('one'), mailspace('two')) },
  { weight: 1, arbitrary: fc.tuple(site('one'), site('two')) },
);

export function scenarioOf(drawn: readonly Drawn[]): () => State {
  return () => {
    const { state } = buildScenario('empty');
    for (const { build } of drawn) build(state);
    return state;
  };
}

export function filesOf(drawn: readonly Drawn[]): Readonly<Record<string, string>> {
  return Object.fromEntries(drawn.map(({ manifest }, index) => [`sites/${index}.json`, manifest]));
}

export const WORKSPACE =
  'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: http://127.0.0.1:1\n  manifests: [sites]\n  secrets: { env: [PASSWORD] }\n';
