// What one root needs of another: an order, a wait, or a value. Kinds that no platform has: boxes that stand on ground,
// and signs that bear its number.
import { describe, expect, it } from 'vitest';
import { makePlan } from '../../src/planner/plan.ts';
import { liveObjectAt, withTakenValues } from '../../src/planner/taken-values.ts';
import type { Desired, DesiredCollection } from '../../src/model/desired.ts';
import type { Collection, Kind, Member, Unread } from '../../src/model/kind/kind.ts';
import { createOnly, defineRoot, defineChild, updatable } from '../../src/model/kind/kind.ts';
import type { InFlight, LedgerView } from '../../src/model/plan/ledger-view.ts';
import { MISSING_LEDGER } from '../../src/model/plan/ledger-view.ts';
import type { Json } from '../../src/model/json.ts';
import { ledgerOf, live, member, wantMembers, wantRoot, wantRoots } from '../support/desired.ts';
import { containing } from '../support/matchers.ts';

const requires = { userCredential: false, scopes: [], roles: [] } as const;
const plain = { section: { fields: ['things'], expand: () => [] }, decode: () => [] } as const;
const made = (...writes: readonly string[]) => ({ writes: writes as never, requires, steps: () => [] });

const ground = defineRoot<{ readonly name: string }>({
  ...plain,
  kind: 'Ground',
  list: 'additive',
  identity: 'name',
  keys: (name) => [[name]],
  fields: { name: createOnly('It is what it is.') },
  create: made('name'),
});
const house = defineRoot<{ readonly name: string; readonly on: string }>({
  ...plain,
  kind: 'House',
  list: 'additive',
  identity: 'name',
  fields: { name: createOnly(''), on: createOnly('') },
  create: made('name', 'on'),
  capabilities: {
    needs: {
      kind: 'Ground',
      keys: ({ on = '' }) => [`${on}-east`, on],
      isMet: ({ computed }) => computed.wet !== true,
      rule: 'TOY-10',
      reason: 'a house stands on ground',
    },
  },
});
const room = defineChild<{ readonly name: string; readonly size: number }, Member | null>({
  ...plain,
  kind: 'Room',
  parent: 'House',
  list: 'additive',
  identity: 'name',
  fields: { name: createOnly(''), size: updatable() },
  create: made('name', 'size'),
  update: { resize: made('size') },
  remove: { risk: ['delete'], steps: () => [] },
  beforeParent: 'read',
  order: [
    {
      rule: 'TOY-13',
      reason: 'walls before doors',
      within: 'parent',
      before: ({ address }) => address.endsWith('/cellar'),
      after: ({ address }) => address.endsWith('/attic'),
    },
    {
      rule: 'TOY-17',
      reason: 'visitors look for the sign',
      within: 'parent',
      before: ({ kind }) => kind === 'Sign',
      after: ({ address }) => /\/(hall|porch|stairs)$/.test(address),
    },
    {
      rule: 'TOY-18',
      reason: 'the lamp hangs in the hall',
      within: 'parent',
      before: ({ address }) => address.endsWith('/hall'),
      after: ({ address }) => address.endsWith('/lamp'),
    },
  ],
  capabilities: {
    needs: {
      kind: 'Ground',
      keys: ({ name = '' }) => [name],
      isMet: () => true,
      rule: 'TOY-11',
      reason: 'a cellar is dug',
    },
    outputs: {
      number: {
        value: ({ spec, computed, reported }) =>
          reported.number ?? computed.number ?? (spec.size === 9 ? 'nine' : undefined),
        unknown: { reason: 'nobody painted it', remedy: 'Paint it.', rule: 'TOY-12' },
      },
    },
  },
});
const sign = defineChild<{ readonly text: string }>({
  ...plain,
  kind: 'Sign',
  parent: 'House',
  list: 'singleton',
  fields: { text: updatable() },
  create: { reason: 'it comes with the house', remedy: 'Build.', rule: 'TOY-14' },
  update: { paint: made('text') },
});
const registry = new Map<string, Kind>([
  ['Ground', ground],
  ['House', house],
  ['Room', room],
  ['Sign', sign],
]);

interface World {
  readonly declared: readonly DesiredCollection[];
  readonly observed?: Readonly<Record<string, Collection>>;
  readonly bound?: Readonly<Record<string, Member>>;
  readonly ledger?: LedgerView;
}

function plan({ declared, observed = {}, bound = {}, ledger = MISSING_LEDGER }: World) {
  const { plan: one, diagnostics } = makePlan({
    account: 'acc-1',
    registry,
    declared,
    observed: new Map(Object.entries({ Ground: live(ground), House: live(house), ...observed })),
    bound: new Map(Object.entries(bound)),
    ledger,
    targets: [],
    notices: [],
  });
  if (one === undefined) throw new Error(JSON.stringify(diagnostics));
  return one;
}

const grounds = (...names: readonly string[]) =>
  wantRoots(
    ground,
    names.map((name) => wantRoot(ground, name, { name }, { keys: [[name]] })),
  );
const houses = (...wanted: readonly Desired[]) => wantRoots(house, wanted);
const onHill = wantRoot(house, 'mill', { name: 'mill', on: 'hill' });
const flight = (address: string): LedgerView => ({
  ...MISSING_LEDGER,
  inFlight: [
    {
      runId: 'run-0',
      action: { address, verb: 'create', requests: [], locks: [] },
      answered: {},
      known: {},
      effects: [],
    } as unknown as InFlight,
  ],
});
const there = member(ground, 'g-1', { name: 'hill' });
const mill = member(house, 'h-1', { name: 'mill', on: 'hill' });

describe('what rests on another root', () => {
  it('TOY-10: comes after it where both are made, and says why', () => {
    const { actions, blocked } = plan({ declared: [grounds('hill'), houses(onHill)] });
    expect(actions.map(({ address, needs }) => [address, needs])).toEqual([
      ['Ground/hill', []],
      ['House/mill', [{ address: 'Ground/hill', rule: 'TOY-10', reason: 'a house stands on ground' }]],
    ]);
    expect(blocked).toEqual([]);
  });

  it('rests on the nearest that is declared, or on what its manifest names', () => {
    const near = plan({ declared: [grounds('hill', 'hill-east'), houses(onHill)] });
    expect(near.actions.find(({ kind }) => kind === 'House')?.needs.map(({ address }) => address)).toEqual([
      'Ground/hill-east',
    ]);
    const named = plan({
      declared: [grounds('hill', 'dale'), houses({ ...onHill, restsOn: [{ pointer: '/on', ref: 'Ground/dale' }] })],
    });
    expect(named.actions.find(({ kind }) => kind === 'House')?.needs.map(({ address }) => address)).toEqual([
      'Ground/dale',
    ]);
  });

  it('waits for nothing where nobody declares it, where it is to go, and where it is there', () => {
    const goes = wantRoots(ground, [
      wantRoot(ground, 'hill', { name: 'hill' }, { keys: [['hill']], lifecycle: { state: 'absent', protect: false } }),
    ]);
    for (const declared of [[houses(onHill)], [grounds('dale'), houses(onHill)], [goes, houses(onHill)]])
      expect(plan({ declared }).actions.find(({ kind }) => kind === 'House')?.needs).toEqual([]);
    const { actions } = plan({ declared: [grounds('hill'), houses(onHill)], bound: { 'Ground/hill': there } });
    expect(actions.map(({ address, needs }) => [address, needs])).toEqual([['House/mill', []]]);
  });

  it('is not made while that is there and not as far yet', () => {
    const { actions, blocked } = plan({
      declared: [grounds('hill'), houses(onHill)],
      bound: { 'Ground/hill': { ...there, computed: { wet: true } } },
    });
    expect(actions).toEqual([]);
    expect(blocked).toMatchObject([
      {
        address: 'House/mill',
        reason: 'Ground/hill is not there yet, and a house stands on ground',
        remedy: 'It goes on when Ground/hill is there; see what is said of that.',
        rule: 'TOY-10',
      },
    ]);
  });

  it('is told in the list in which that is told for which it waits', () => {
    const declared = [grounds('hill'), houses(onHill)];
    const unread = (state: 'unknown' | 'blocked' | 'waiting'): Collection => ({
      state,
      reason: 'fog',
      remedy: 'Wait.',
      rule: 'TOY-15',
    });
    for (const state of ['unknown', 'blocked', 'waiting'] as const)
      expect(plan({ declared, observed: { Ground: unread(state) } })[state].map(({ address }) => address)).toEqual([
        'Ground',
        'House/mill',
      ]);
    expect(plan({ declared, ledger: flight('Ground/hill') })).toMatchObject({
      actions: [],
      waiting: [{ address: 'Ground/hill' }, { address: 'House/mill', rule: 'TOY-10' }],
    });
  });

  it('holds back what comes after it, removals too, and leaves the rest', () => {
    const rooms = wantMembers(
      room,
      'House/mill',
      [
        { name: 'attic', size: 1 },
        { name: 'cellar', size: 1 },
        { name: 'hall', size: 2 },
      ],
      { unlisted: 'remove' },
    );
    const { actions, blocked, waiting } = plan({
      declared: [grounds('cellar'), houses(onHill), rooms],
      observed: { 'House/mill/Room': live(room, { name: 'hall', size: 1 }, { name: 'shed', size: 1 }) },
      bound: { 'House/mill': mill },
      ledger: flight('Ground/cellar'),
    });
    expect([actions.map(({ verb, address }) => `${verb} ${address}`), blocked]).toEqual([
      ['update House/mill/Room/hall'],
      [],
    ]);
    expect(waiting.map(({ address, reason }) => [address, reason])).toEqual([
      ['Ground/cellar', 'its create is in flight from an earlier run'],
      [
        'House/mill/Room/attic',
        'it comes after House/mill/Room/cellar, which waits for Ground/cellar: walls before doors',
      ],
      ['House/mill/Room/cellar', 'Ground/cellar is not there yet, and a cellar is dug'],
      [
        'House/mill/Room/shed',
        'it comes after House/mill/Room/attic, which waits for Ground/cellar: a failed change must not leave less than there was before',
      ],
    ]);
  });

  it('holds back what would be in it: nothing is planned in what is not made', () => {
    const rooms = wantMembers(room, 'House/mill', [{ name: 'attic', size: 1 }]);
    const { actions, deferred } = plan({
      declared: [grounds('hill'), houses(onHill), rooms],
      observed: { 'House/mill/Room': live(room) },
      ledger: flight('Ground/hill'),
    });
    expect([actions, deferred]).toEqual([[], []]);
  });
});

const ATTIC = 'House/mill/Room/attic';

/** A sign whose text is the number of a room. */
function signs(ref = ATTIC, parent = 'House/mill'): DesiredCollection {
  const references = [{ pointer: '/sign', ref, output: 'number' }];
  const filled = (values: ReadonlyMap<string, Json>): DesiredCollection => {
    const collection = wantMembers(sign, parent, [{ text: values.get('/sign') as Json }]);
    return { ...collection, members: collection.members.map((one) => ({ ...one, resolvedReferences: references })) };
  };
  return { ...wantMembers(sign, parent, []), unresolved: { references, written: [null], filled } };
}

const seen = (
  observed: Readonly<Record<string, Collection>>,
  bound: Readonly<Record<string, Member>> = { 'House/mill': mill },
  ledger: Pick<LedgerView, 'objects'> = MISSING_LEDGER,
) => ({
  registry,
  observed: new Map(Object.entries({ House: live(house), ...observed })),
  bound: new Map(Object.entries(bound)),
  ledger,
});
const awaited = (...given: Parameters<typeof seen>) =>
  withTakenValues(signs().unresolved as NonNullable<DesiredCollection['unresolved']>, seen(...given));
const rooms = (...specs: Parameters<typeof live>[1][]): Readonly<Record<string, Collection>> => ({
  'House/mill/Room': live(room, ...specs),
});
const attic = { name: 'attic', size: 1 };

describe('a value of another object', () => {
  it('is what it was told when it was made, or what is read of it', () => {
    expect(awaited(rooms({ name: 'attic', size: 9 }))).toMatchObject({ members: [{ spec: { text: 'nine' } }] });
    expect(
      awaited(rooms(attic), undefined, ledgerOf({ address: ATTIC, id: 'id-1', outputs: { number: 'twelve' } })),
    ).toMatchObject({ members: [{ spec: { text: 'twelve' } }] });
  });

  it('what was told of another object that had the address is not its own', () => {
    expect(
      awaited(rooms(attic), undefined, ledgerOf({ address: ATTIC, id: 'id-0', outputs: { number: 'twelve' } })),
    ).toEqual({
      state: 'blocked',
      reason: `number of ${ATTIC} is not known: nobody painted it`,
      remedy: 'Paint it.',
      rule: 'TOY-12',
    });
  });

  it('is to come where the object is surely not there, or what it is in', () => {
    for (const look of [awaited(rooms()), awaited({}, {})])
      expect(look).toMatchObject({ state: 'deferred', until: { address: ATTIC } });
  });

  it('is never absent because something could not be read', () => {
    const fog = (state: 'unknown' | 'blocked' | 'waiting', rule?: string): Unread => ({
      state,
      reason: 'fog',
      remedy: 'Wait.',
      ...(rule !== undefined && { rule }),
    });
    expect(awaited({ 'House/mill/Room': fog('unknown', 'TOY-15') })).toEqual({
      state: 'unknown',
      reason: `number of ${ATTIC} cannot be told: fog`,
      remedy: 'Wait.',
      rule: 'TOY-15',
    });
    expect(awaited({ House: fog('waiting') }, {})).toEqual({
      state: 'waiting',
      reason: `number of ${ATTIC} cannot be told: fog`,
      remedy: 'Wait.',
    });
    expect(
      awaited({ 'House/mill/Room': { ...fog('blocked'), state: 'deferred', until: { kind: 'House', field: 'on' } } }),
    ).toMatchObject({ state: 'blocked' });
    expect(awaited({})).toMatchObject({
      state: 'unknown',
      reason: `number of ${ATTIC} cannot be told: nothing was read of House/mill`,
    });
    const cut = {
      ...(rooms() as { readonly 'House/mill/Room': Collection })['House/mill/Room'],
      incomplete: { reason: 'it is cut off', remedy: 'Ask.', rule: 'TOY-16' },
    } as Collection;
    expect(awaited({ 'House/mill/Room': cut })).toMatchObject({ state: 'unknown', rule: 'TOY-16' });
    const doubted: Collection = {
      state: 'read',
      members: [member(room, 'id-1', attic, { doubt: 'two answers disagree' })],
      blockers: {},
    };
    expect(awaited({ 'House/mill/Room': doubted })).toMatchObject({
      state: 'unknown',
      reason: `number of ${ATTIC} cannot be told: two answers disagree`,
    });
    const two: Collection = {
      state: 'read',
      members: [member(room, 'id-1', attic), member(room, 'id-2', attic)],
      blockers: {},
    };
    expect(awaited({ 'House/mill/Room': two })).toMatchObject({
      state: 'blocked',
      reason: containing('2 live objects have the name attic'),
    });
  });

  it('the only one of its kind is found without a name', () => {
    expect(liveObjectAt('House/mill/Sign', seen({ 'House/mill/Sign': live(sign, { text: 'x' }) }))).toMatchObject({
      id: 'id-1',
    });
    expect(liveObjectAt('Ground/hill', seen({}))).toMatchObject({
      state: 'unknown',
      reason: 'nothing was read of Ground',
    });
  });

  it('of a declared output that the kind does not have is a bug', () => {
    const { references, ...rest } = signs('Ground/hill').unresolved as NonNullable<DesiredCollection['unresolved']>;
    expect(() => withTakenValues({ references, ...rest }, seen({}))).toThrow('Ground/hill has no output number');
  });
});

describe('a plan with a value that is not known yet', () => {
  const notYet = withTakenValues(
    signs().unresolved as NonNullable<DesiredCollection['unresolved']>,
    seen(rooms()),
  ) as Unread;
  const world = (wanted: readonly DesiredCollection[], extra: Partial<World> = {}): World => ({
    declared: [houses(onHill), ...wanted, signs()],
    observed: { ...rooms(), 'House/mill/Sign': notYet },
    bound: { 'House/mill': mill },
    ...extra,
  });

  it('defers it until the action that makes the object', () => {
    const { deferred, blocked, actions } = plan(world([wantMembers(room, 'House/mill', [attic])]));
    expect(actions.map(({ address }) => address)).toEqual([ATTIC]);
    expect([deferred.map(({ address, until }) => [address, until]), blocked]).toEqual([
      [['House/mill/Sign', ATTIC]],
      [],
    ]);
  });

  it('is blocked where nothing in the plan makes the object', () => {
    expect(plan(world([]))).toMatchObject({
      deferred: [],
      blocked: [
        {
          address: 'House/mill/Sign',
          reason: `number of ${ATTIC} is known when that is there`,
          remedy: `See what blocks ${ATTIC}.`,
        },
      ],
    });
  });

  it('says once that it waits, where the object around it is to be made too', () => {
    const { deferred } = plan(world([wantMembers(room, 'House/mill', [attic])], { bound: {}, observed: rooms() }));
    expect(deferred.map(({ address, until }) => [address, until])).toEqual([['House/mill/Sign', 'House/mill']]);
  });

  const inHouse = ['hall', 'porch', 'lamp', 'loft', 'stairs'];
  const small = Object.fromEntries(Object.entries(rooms(...inHouse.map((name) => ({ name, size: 1 })))));

  it('puts off what has to come after it, and what comes after that, but no removal', () => {
    const wanted = wantMembers(room, 'House/mill', [attic, ...inHouse.slice(0, 4).map((name) => ({ name, size: 2 }))], {
      unlisted: 'remove',
    });
    const { actions, deferred, blocked } = plan(world([wanted], { observed: { ...small, 'House/mill/Sign': notYet } }));
    expect(actions.map(({ verb, address }) => `${verb} ${address}`)).toEqual([
      `create ${ATTIC}`,
      'update House/mill/Room/loft',
      'delete House/mill/Room/stairs',
    ]);
    expect([deferred.map(({ address, until, reason }) => [address, until, reason]), blocked]).toEqual([
      [
        [
          'House/mill/Room',
          ATTIC,
          'it comes after House/mill/Sign, which is not known yet: visitors look for the sign',
        ],
        [
          'House/mill/Sign',
          ATTIC,
          `number of ${ATTIC} is known when that is there, and nothing of it can be read before`,
        ],
      ],
      [],
    ]);
  });

  it('holds back what has to come after it where nothing makes it known', () => {
    const { actions, deferred, blocked } = plan(
      world(
        [
          wantMembers(
            room,
            'House/mill',
            inHouse.map((name) => ({ name, size: 2 })),
          ),
        ],
        { observed: { ...small, 'House/mill/Sign': notYet } },
      ),
    );
    expect([actions.map(({ address }) => address), deferred]).toEqual([['House/mill/Room/loft'], []]);
    expect(blocked.map(({ address, rule }) => [address, rule])).toEqual([
      ['House/mill/Room/hall', 'TOY-17'],
      ['House/mill/Room/lamp', 'TOY-18'],
      ['House/mill/Room/porch', 'TOY-17'],
      ['House/mill/Room/stairs', 'TOY-17'],
      ['House/mill/Sign', undefined],
    ]);
  });

  it('says where a value comes from, in an action that writes it; its digest is over the value alone', () => {
    const known = withTakenValues(
      signs().unresolved as NonNullable<DesiredCollection['unresolved']>,
      seen(rooms({ name: 'attic', size: 9 })),
    ) as DesiredCollection;
    const observed = { 'House/mill/Sign': live(sign, { text: 'old' }) };
    const [taken] = plan({ declared: [houses(onHill), known], observed, bound: { 'House/mill': mill } }).actions;
    const [written] = plan({
      declared: [houses(onHill), wantMembers(sign, 'House/mill', [{ text: 'nine' }])],
      observed,
      bound: { 'House/mill': mill },
    }).actions;
    expect([taken?.reason, written?.reason]).toEqual([`text differs; it takes number of ${ATTIC}`, 'text differs']);
    expect(taken?.digest).toBe(written?.digest);
  });
});
