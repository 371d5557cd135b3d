// Planning looks at each thing a number of times that does not grow with the account: counted, so that nothing depends
// on the machine. 10,000 sites are planned where every case is run.
import { describe, expect, it } from 'vitest';
import type { DesiredCollection, Manifest } from '../../src/model/desired.ts';
import type { Collection, Kind, Member, Registry } from '../../src/model/kind/kind.ts';
import { MISSING_LEDGER } from '../../src/model/plan/ledger-view.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import { registry as kinds } from '../../src/areas/index.ts';
import { expandManifests } from '../../src/manifest/read/expand.ts';
import { makePlan } from '../../src/planner/plan.ts';

interface Visits {
  /** How often the members of a declared collection were asked for. */
  members: number;
  /** How often a section was expanded. */
  expanded: number;
  /** How often a hook was asked whether a change triggers it. */
  triggers: number;
}

/** The kinds, counting. */
function counting(visits: Visits): Registry {
  const counted = ({ section, capabilities, ...kind }: Kind): Kind => {
    const { hook } = capabilities;
    return {
      ...kind,
      section: {
        ...section,
        expand: (...given) => {
          visits.expanded += 1;
          return section.expand(...given);
        },
      },
      capabilities: {
        ...capabilities,
        ...(hook !== undefined && {
          hook: {
            ...hook,
            triggeredBy: (...given) => {
              visits.triggers += 1;
              return hook.triggeredBy(...given);
            },
          },
        }),
      },
    };
  };
  return new Map([...kinds].map(([name, kind]) => [name, counted(kind)]));
}

function richSite(number: number): Manifest {
  const name = `s${String(number).padStart(5, '0')}`;
  return {
    kind: 'Site',
    name,
    lifecycle: { state: 'present', protect: false },
    spec: {
      primaryDomain: `${name}.example.com`,
      domains: [`${name}.example.com`, `www.${name}.example.com`],
      caching: { cacheExpiration: 60 },
      edgeRules: ['Old', 'Older'].map((rule) => ({
        name: rule,
        action: { redirect: { to: `https://${name}.example.com/new`, status: 301 } },
        triggers: [{ url: [`*/${rule}/*`] }],
      })),
      shield: { enabled: true, waf: { enabled: true }, ddos: { sensitivity: 'medium' } },
      beforeChange: { backup: true },
      afterChange: { purge: true },
    },
    sourceOf: () => undefined,
  };
}

/** What is live: other caching, and Shield off, so that what is in it can be read later only. */
function liveOf(declared: DesiredCollection, kind: Kind): Collection {
  if (declared.kind === 'ShieldWaf' || declared.kind === 'ShieldDdos')
    return { state: 'deferred', reason: 'Shield is off', remedy: 'On.', until: { kind: 'Shield', field: 'enabled' } };
  if (kind.capabilities.hook !== undefined) return { state: 'read', members: [], blockers: {} };
  const members = declared.members.map(({ identity, spec, keys }): Member => {
    const changed =
      declared.kind === 'Caching' ? { cacheExpiration: 1 } : declared.kind === 'Shield' ? { enabled: false } : {};
    const place = declared.kind === 'EdgeRule' ? { orderIndex: identity === 'Old' ? 1 : 2 } : {};
    return { identity, id: identity, spec: { ...spec, ...changed, ...place }, computed: { hasCdn: true }, keys };
  });
  return { state: 'read', members, blockers: {} };
}

function planned(count: number): Visits & { readonly plan: Plan } {
  const visits: Visits = { members: 0, expanded: 0, triggers: 0 };
  const registry = counting(visits);
  const manifests = Array.from({ length: count }, (_one, index) => richSite(index + 1));
  // Validation asks first, then whoever plans.
  expandManifests(manifests, registry);
  const wanted = expandManifests(manifests, registry);
  const observed = new Map(
    wanted.map((declared) => [declared.collection, liveOf(declared, registry.get(declared.kind) as Kind)]),
  );
  const sites = observed.get('Site') as Extract<Collection, { readonly state: 'read' }>;
  const bound = new Map(sites.members.map((member) => [`Site/${member.identity}`, member]));
  const declared = wanted.map((collection): DesiredCollection => ({
    ...collection,
    get members() {
      visits.members += 1;
      return collection.members;
    },
  }));
  const { plan } = makePlan({
    account: 'acc-acme',
    registry,
    declared,
    observed,
    bound,
    ledger: MISSING_LEDGER,
    targets: [...bound.keys()],
    notices: [],
  });
  return { ...visits, plan };
}

describe('planning rich sites', () => {
  it('visits each collection, section and trigger as often in a large account as in a small one', () => {
    const [few, many] = [planned(10), planned(100)];
    expect(many.plan.summary.update).toBe(10 * few.plan.summary.update);
    expect(few.plan.actions.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['Caching', 'Shield', 'CachePurge']),
    );
    expect(many.plan.deferred).toHaveLength(10 * few.plan.deferred.length);
    expect(few.plan.deferred).toHaveLength(2 * 10);
    // A root collection counts once, whatever the size.
    expect(many.members).toBeLessThanOrEqual(10 * few.members);
    expect(many.triggers).toBeLessThanOrEqual(10 * few.triggers);
    expect(many.expanded).toBe(10 * few.expanded);
    // Eight sections and the site itself: each once, whoever asks.
    expect(few.expanded).toBe(10 * 9);
  });
});
