// Sections that are planned while others are being read come to the same plan as all of them at the end.
import { describe, expect, it } from 'vitest';
import { createEarlySections } from '../../src/planner/collections/early.ts';
import { makePlan } from '../../src/planner/plan.ts';
import type { PlanInput } from '../../src/planner/plan-input.ts';
import { registry } from '../../src/kinds/index.ts';
import { siteDomain } from '../../src/kinds/site/domain/index.ts';
import { site } from '../../src/kinds/site/site/index.ts';
import type { DesiredCollection } from '../../src/model/desired.ts';
import type { Collection } from '../../src/model/kind/kind.ts';
import { MISSING_LEDGER } from '../../src/model/plan/ledger-view.ts';
import { live, member, wantMembers, wantRoot, wantRoots } from '../support/desired.ts';

const here = wantMembers(siteDomain, 'Site/new', [{ hostname: 'a.nl', moveFrom: 'Site/old' }, { hostname: 'n.nl' }]);
const there = wantMembers(siteDomain, 'Site/old', [{ hostname: 'b.nl' }]);
const another = wantMembers(siteDomain, 'Site/more', [{ hostname: 'c.nl' }]);
const observed = new Map<string, Collection>([
  ['Site', live(site)],
  [
    here.collection,
    { state: 'read', members: [], blockers: {}, elsewhere: { 'a.nl': { parentId: 's-old', id: 'd-a' } } },
  ],
  [there.collection, live(siteDomain, { hostname: 'a.nl', primary: false }, { hostname: 'b.nl', primary: true })],
  [another.collection, live(siteDomain, { hostname: 'd.nl', primary: true })],
]);
const input: PlanInput = {
  account: 'acc-1',
  registry,
  declared: [
    wantRoots(
      site,
      ['new', 'old', 'more'].map((name) => wantRoot(site, name)),
    ),
    here,
    there,
    another,
  ],
  observed,
  bound: new Map(
    ['new', 'old', 'more'].map((name) => [
      `Site/${name}`,
      member(site, `s-${name}`, { name }, { computed: { primaryDomain: 'b.nl' } }),
    ]),
  ),
  ledger: MISSING_LEDGER,
  targets: [],
  notices: [],
};

function early() {
  return createEarlySections({ registry, ledger: input.ledger, everywhere: input.declared });
}

const liveOf = ({ collection }: DesiredCollection): Collection => observed.get(collection) as Collection;

describe('sections that are planned early', () => {
  it('come to the same plan, moves from one to another included (O-14)', () => {
    const sections = early();
    for (const declared of [here, there, another]) sections.plan(declared, liveOf(declared));
    const plan = makePlan(input, sections);
    expect(plan).toEqual(makePlan(input));
    expect(plan.plan.actions.map(({ address }) => address)).toContain('Site/new/SiteDomain/a.nl');
    // What leaves it with the move is not removed, and was not known early.
    expect(plan.plan.actions.map(({ address }) => address)).not.toContain('Site/old/SiteDomain/a.nl');
  });

  it('are left for the end where something of them lives elsewhere, or they could not be read', () => {
    const sections = early();
    sections.plan(here, liveOf(here));
    expect(sections.planned(here, liveOf(here))).toBeUndefined();
    const unread: Collection = { state: 'unknown', reason: 'no answer', remedy: 'Plan again.' };
    sections.plan(there, unread);
    expect(sections.planned(there, unread)).toBeUndefined();
  });

  it('count for exactly what was read and wanted then', () => {
    const sections = early();
    sections.plan(another, liveOf(another));
    expect(sections.planned(another, liveOf(another))?.actions.length).toBeGreaterThan(0);
    expect(sections.planned(another, live(siteDomain))).toBeUndefined();
    expect(sections.planned({ ...another }, liveOf(another))).toBeUndefined();
  });

  it('that cannot be planned fail at the end, where it is told', () => {
    const sections = createEarlySections({ registry: new Map(), ledger: input.ledger, everywhere: input.declared });
    expect(() => sections.plan(another, liveOf(another))).not.toThrow();
    expect(sections.planned(another, liveOf(another))).toBeUndefined();
  });
});
