// What the engine promises of every kind, without a platform: a plan that is carried out leaves nothing to plan, its
// order is one that its needs allow, and neither depends on the order of what comes in. Thousands of cases cost what a
// few whole runs cost.
import fc from 'fast-check';
import jsonPatch from 'fast-json-patch';
import type { Operation } from 'fast-json-patch';
import { describe, expect, it } from 'vitest';
import { planCollection } from '../../src/planner/collections/collection.ts';
import type { CollectionPlan } from '../../src/planner/collections/collection-plan.ts';
import { orderActions } from '../../src/planner/order.ts';
import { registry } from '../../src/areas/index.ts';
import type { Json, JsonObject } from '../../src/model/json.ts';
import type { Kind, Member } from '../../src/model/kind/kind.ts';
import { member, wantMembers } from '../support/desired.ts';
import { rule as toyRule } from '../support/toy-kinds.ts';
import { runsOf, seedOf } from '../support/property-runs.ts';

const of = (name: string): Kind => registry.get(name) as Kind;
const pick = <Value extends Json>(...values: readonly Value[]) => fc.constantFrom<Json>(...values);
const addresses = ['ann@one.example', 'ben@one.example', 'cat@two.example'];

interface Drawn {
  readonly kind: Kind;
  /** The name of each member. */
  readonly key: string;
  readonly names: readonly string[];
  readonly fields: Readonly<Record<string, fc.Arbitrary<Json>>>;
  /** What a live member always has. */
  readonly always: JsonObject;
  /** Known of every live member. */
  readonly computed?: JsonObject;
  readonly parent: string;
  /** What a manifest always says. */
  readonly said?: JsonObject;
}

const site = 'Site/one';
const space = 'Mailspace/one.example';

/** Sections of a site and of a mailspace, with values that have to do with each other. */
const KINDS: readonly Drawn[] = [
  {
    kind: of('SiteDomain'),
    parent: site,
    key: 'hostname',
    names: ['a.example', 'b.example', 'c.example'],
    fields: {},
    always: { primary: false },
    computed: { system: false },
  },
  {
    kind: of('Caching'),
    parent: site,
    key: '',
    names: [''],
    fields: {
      smartCache: fc.boolean(),
      cacheExpiration: pick(0, 1),
      cookieVaryParameters: fc.subarray(['x', 'y', 'z']),
    },
    always: { smartCache: false, cacheExpiration: 0, cookieVaryParameters: [] },
  },
  {
    kind: of('EdgeRule'),
    parent: site,
    key: 'name',
    names: ['r1', 'r2', 'r3', 'r4', 'r5'],
    fields: {
      enabled: fc.boolean(),
      match: pick('any', 'all'),
      action: pick({ type: 'ForceSSL' }, { type: 'DisableWAF' }),
    },
    always: { enabled: true, match: 'any', action: { type: 'ForceSSL' }, extraActions: [], triggers: [] },
    said: { action: { type: 'BlockRequest' }, triggers: [{ type: 'Url', patterns: ['*'] }] },
  },
  {
    kind: of('SiteMail'),
    parent: site,
    key: '',
    names: [''],
    fields: { fromLocalPart: pick('a', 'b', '') },
    always: { fromLocalPart: '', fromName: '' },
  },
  {
    kind: of('PhpVersion'),
    parent: site,
    key: '',
    names: [''],
    fields: { version: pick('8.1', '8.2') },
    always: { version: '8.1' },
    computed: { variants: { '8.1': 1, '8.2': 2 } },
  },
  {
    kind: of('ShieldWaf'),
    parent: site,
    key: '',
    names: [''],
    fields: { enabled: fc.boolean(), executionMode: pick('log', 'block'), disabledRules: fc.subarray(['1', '2']) },
    always: { enabled: true, executionMode: 'log', disabledRules: [], logOnlyRules: [] },
    computed: { unclear: [] },
  },
  {
    kind: of('ShieldCustomRule'),
    parent: site,
    key: 'name',
    names: ['s1', 's2', 's3'],
    fields: { action: pick('allow', 'block'), value: pick('/a', '/b') },
    always: {
      action: 'block',
      variable: 'REQUEST_URI',
      operator: 'contains',
      value: '/a',
      severity: 'notice',
      description: '',
      subselector: '',
    },
    said: { action: 'block', variable: 'REQUEST_URI', operator: 'contains', value: '/c' },
    computed: { hasId: true, unclear: [], readOnly: false },
  },
  {
    kind: of('ShieldAccessList'),
    parent: site,
    key: 'name',
    names: ['l1', 'l2'],
    fields: { content: fc.subarray(['192.0.2.1', '192.0.2.2'], { minLength: 1 }) },
    always: { type: 'ip', content: ['192.0.2.1'], description: '' },
    said: { type: 'ip', content: ['192.0.2.9'] },
    computed: { hasId: true, unclear: [], readOnly: false },
  },
  {
    kind: of('MailDomain'),
    parent: space,
    key: 'name',
    names: ['two.example', 'three.example'],
    fields: { description: pick('', 'Brand') },
    always: { description: '' },
    computed: { state: 'served', proven: true, txtHost: null, txtValue: null },
  },
  {
    kind: of('Mailbox'),
    parent: space,
    key: 'address',
    names: addresses,
    fields: {
      displayName: pick('A', 'B'),
      quotaMb: pick(512, 1024),
      status: pick('active', 'suspended'),
      deletion: pick('none', 'none', 'none'),
    },
    always: { displayName: '', quotaMb: 512, status: 'active', allowedIps: [], lists: [], deletion: 'none' },
    said: { password: { env: 'P' }, deletion: 'none' },
    computed: { storageMb: 9_000 },
  },
  {
    kind: of('MailGroup'),
    parent: space,
    key: 'email',
    names: ['team@one.example', 'staff@one.example'],
    fields: { members: fc.subarray(addresses) },
    always: { description: '', members: [] },
    computed: { memberships: {} },
  },
  {
    kind: of('MailAlias'),
    parent: space,
    key: 'address',
    names: ['hi@one.example', 'ho@two.example', 'staff@one.example'],
    fields: { target: pick(...addresses, 'team@one.example') },
    always: { target: 'ann@one.example' },
  },
  {
    kind: toyRule,
    parent: 'Box/one',
    key: 'name',
    names: ['x', 'y', 'z'],
    fields: {
      size: pick(1, 2),
      colour: pick('red', 'Blue'),
      tags: fc.subarray(['p', 'q']),
      limits: pick({ low: 1 }, { high: 2 }, { low: 2, high: 2 }),
    },
    always: { size: 0, colour: 'red', tags: [], limits: { low: 0, high: 0 }, origin: 'here' },
  },
];

interface Case {
  /** Whose members these are, hidden from counterexamples. */
  readonly drawn: () => Drawn;
  readonly wanted: readonly JsonObject[];
  readonly live: readonly Member[];
  readonly unlisted: 'keep' | 'remove';
}

function specs({ kind, key, names, fields }: Drawn): fc.Arbitrary<readonly JsonObject[]> {
  const spec = fc.record(fields, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<JsonObject>;
  const chosen = kind.list === 'singleton' ? fc.constant([...names]) : fc.shuffledSubarray([...names]);
  return chosen.chain((some) =>
    fc.tuple(...some.map((name) => spec.map((rest): JsonObject => (key === '' ? rest : { [key]: name, ...rest })))),
  );
}

/** One of them is the primary; manifests say so of that one alone. */
function withPrimary(drawn: Drawn, list: readonly JsonObject[], index: number): readonly JsonObject[] {
  return drawn.kind.kind === 'SiteDomain'
    ? list.map((spec, at) => ({ ...spec, ...(at === index % list.length && { primary: true }) }))
    : list;
}

function caseOf(drawn: Drawn): fc.Arbitrary<Case> {
  return fc
    .tuple(
      specs(drawn),
      specs(drawn),
      fc.boolean(),
      fc.nat(),
      fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 9, maxLength: 9 }),
    )
    .map(([wanted, live, remove, primary, places]) => ({
      drawn: () => drawn,
      wanted: withPrimary(drawn, wanted, primary).map((spec) => ({ ...drawn.said, ...spec })),
      live: withPrimary(drawn, live, primary + 1).map((spec, index) => {
        const position = Object.entries(drawn.kind.fields).find(([, { shape }]) => shape === 'position')?.[0];
        return member(
          drawn.kind,
          `id-${index}`,
          { ...drawn.always, ...spec, ...(position !== undefined && { [position]: places[index] as number }) },
          { computed: drawn.computed ?? {} },
        );
      }),
      unlisted: remove ? 'remove' : 'keep',
    }));
}

function planOf({ drawn, wanted, live, unlisted }: Case): CollectionPlan {
  const { kind, parent } = drawn();
  return planCollection({
    kind,
    declared: wantMembers(kind, parent, wanted, { unlisted }),
    observed: { state: 'read', members: live, blockers: {} },
    owned: new Set(),
  });
}

/** The members as the changes of a plan leave them, by the operations alone. */
function carriedOut({ drawn, live }: Case, { actions }: CollectionPlan): readonly Member[] {
  const { kind, always, computed = {} } = drawn();
  const members = new Map(live.map((one) => [one.identity, one]));
  const written = (spec: JsonObject, changes: (typeof actions)[number]['changes']): JsonObject =>
    jsonPatch.applyPatch(
      structuredClone(spec),
      changes
        .filter(({ secret }) => secret === undefined)
        .map(({ op, path, value }) => ({ op, path, value }) as Operation),
    ).newDocument;
  for (const { address, verb, changes, effects } of actions) {
    const identity = decodeURIComponent(address.split('/').at(-1) ?? '');
    const before = members.get(identity);
    if (verb === 'delete') members.delete(identity);
    else if (before === undefined)
      members.set(identity, member(kind, `new-${identity}`, { ...always, ...written({}, changes) }, { computed }));
    else members.set(identity, { ...before, spec: written(before.spec, changes) });
    for (const effect of effects) {
      const other = decodeURIComponent(effect.address.split('/').at(-1) ?? '');
      const met = members.get(other);
      if (met !== undefined)
        members.set(other, { ...met, spec: { ...met.spec, [effect.path.slice(1)]: effect.value } });
    }
  }
  return [...members.values()];
}

describe('any kind', () => {
  it.each(KINDS.map((drawn) => [drawn.kind.kind, drawn] as const))(
    '%s: a plan that is carried out leaves nothing to plan, and names each object once',
    (_kind, drawn) => {
      let planned = 0;
      fc.assert(
        fc.property(caseOf(drawn), (one) => {
          const plan = planOf(one);
          expect(new Set(plan.actions.map(({ address }) => address)).size).toBe(plan.actions.length);
          planned += plan.actions.length;
          expect(
            planOf({ ...one, live: carriedOut(one, plan) }).actions.map(({ address, changes }) => [address, changes]),
          ).toEqual([]);
        }),
        { numRuns: runsOf(150), ...seedOf() },
      );
      expect(planned).toBeGreaterThan(0);
    },
  );

  it.each(['Site', 'Mailspace'])(
    'in one %s: an order that the needs allow, the same whatever order the actions come in',
    (root) => {
      const kinds = KINDS.filter(({ parent }) => parent.startsWith(`${root}/`));
      fc.assert(
        fc.property(
          fc.tuple(...kinds.map((drawn) => fc.option(caseOf(drawn)))),
          fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
          (cases, keys) => {
            const drawn = cases.filter((one) => one !== null);
            const actions = drawn.flatMap((one) => planOf(one).actions);
            const liveMembers = new Map(
              drawn.map(({ drawn: whose, live }) => [`${whose().parent}/${whose().kind.kind}`, live.length]),
            );
            const order = (list: typeof actions) => orderActions(list, registry, liveMembers);
            const ordered = order(actions);
            const place = new Map(ordered.map(({ address }, index) => [address, index]));
            expect(place.size).toBe(actions.length);
            for (const [index, { needs }] of ordered.entries())
              for (const need of needs) expect(place.get(need.address)).toBeLessThan(index);
            const shuffled = actions
              .map((action, index) => ({ action, key: keys[index % keys.length] as number }))
              .sort((left, right) => left.key - right.key)
              .map(({ action }) => action);
            expect(JSON.stringify(order(shuffled))).toBe(JSON.stringify(ordered));
          },
        ),
        { numRuns: runsOf(400), ...seedOf() },
      );
    },
  );
});
