// Random edits of the live side: `drift` names each of them, declared or not, and nothing else; what our own runs do is
// none; and to accept all is to record anew. HOSTWRIGHT_PROPERTY_RUNS and _SEED as everywhere.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DriftItem } from '../../src/model/plan/drift.ts';
import { addDomain, addSite } from '../../src/sandbox/core/state.ts';
import type { Site, State } from '../../src/sandbox/core/state.ts';
import { driftWorkspace } from '../../src/usecases/drift.ts';
import { recordObserved } from '../../src/usecases/observed/record.ts';
import { acceptLive } from '../../src/usecases/write/accept.ts';
import type { Harness } from '../support/harness.ts';
import { startHarness } from '../support/harness.ts';
import { siteManifest } from '../support/manifests.ts';
import { runsOf, seedOf } from '../support/property-runs.ts';
import { isWhole } from '../support/whole.ts';
import { buildScenario } from '../../src/sandbox/scenarios.ts';
import { filesOf, scenarioOf, site, WORKSPACE, world } from './worlds.ts';

const RUNS = runsOf(60);
const OBSERVED = `${WORKSPACE}  observed: observed\n`;

/** A manifest that declares nothing of its site. */
const NOTHING = siteManifest('a', {});

async function drifted(one: Harness): Promise<readonly DriftItem[]> {
  const { plan, diagnostics } = await driftWorkspace(one.session(), { paths: [], targets: [], ignore: [] });
  if (plan?.drift === undefined) throw new Error(JSON.stringify(diagnostics, null, 1));
  return plan.drift;
}

const undeclared = (items: readonly DriftItem[]) => items.filter((item) => item.class === 'undeclared');

async function record(one: Harness): Promise<void> {
  const { manifests, diagnostics } = await recordObserved(one.session());
  expect(manifests, JSON.stringify(diagnostics, null, 1)).toBeDefined();
}

async function filesIn(one: Harness): Promise<Readonly<Record<string, string>>> {
  const folder = join(one.root, 'observed');
  const names = (await readdir(folder, { recursive: true })).filter((file) => /\/.*\.yaml$/.test(file)).sort();
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  );
}

it('what is recorded is as it is, and what our own runs do is no change of it', async () => {
  await fc.assert(
    fc.asyncProperty(world, async (drawn) => {
      const one = await startHarness({
        scenario: scenarioOf(drawn),
        files: filesOf(drawn),
        workspace: OBSERVED,
        ledger: true,
      });
      try {
        await record(one);
        expect(undeclared(await drifted(one))).toEqual([]);
        const { outcome } = await one.apply({ allowDeletes: 99 }, { env: () => 'a-very-secret-word' });
        expect([0, 3]).toContain(outcome.exitCode);
        // A mailbox that is restored is in its groups again, which the platform does by itself.
        const left = undeclared(await drifted(one)).filter(({ address }) => !address.includes('/MailGroup/'));
        expect(left).toEqual([]);
      } finally {
        await one.close();
      }
    }),
    { numRuns: RUNS, ...seedOf() },
  );
});

it('to accept all of another live side is to record it anew', async () => {
  await fc.assert(
    fc.asyncProperty(site('a'), site('a'), async (before, after) => {
      const one = await startHarness({
        scenario: scenarioOf([before]),
        files: { 'sites/a.json': NOTHING },
        workspace: OBSERVED,
        ledger: true,
      });
      try {
        await record(one);
        one.sandbox.state.sites.delete('site-a');
        after.build(one.sandbox.state);
        const items = undeclared(await drifted(one));
        const addresses = items.map(({ address }) => address);
        if (addresses.length > 0) await acceptLive(one.session(), { paths: [], addresses, dryRun: false });
        expect(undeclared(await drifted(one))).toEqual([]);
        const accepted = await filesIn(one);
        await record(one);
        expect(accepted).toEqual(await filesIn(one));
      } finally {
        await one.close();
      }
    }),
    { numRuns: RUNS, ...seedOf() },
  );
});

/** A site of the account, and what can be done to it: which address and which fields it changes. */
interface Edit {
  readonly declared: boolean;
  /** `undefined` where the object as a whole comes or goes. */
  readonly changes: (site: string) => readonly [address: string, path: string | undefined];
  readonly act: (site: Site, state: State) => void;
}

const edit = (declared: boolean, address: string, path: string | undefined, act: Edit['act']): Edit => ({
  declared,
  changes: (name) => [`Site/${name}/${address}`, path],
  act,
});
const rule = (Guid: string, Description: string, OrderIndex: number) => ({
  ...{ Guid, Description, OrderIndex, ActionType: 4, ActionParameter1: null, ActionParameter2: null },
  ...{ ActionParameter3: null, TriggerMatchingType: 0, Enabled: true, ExtraActions: [] },
  Triggers: [{ Type: 0, PatternMatchingType: 0, Parameter1: null, PatternMatches: ['*/a/*'] }],
});
const EDITS: readonly Edit[] = [
  edit(true, 'Caching', '/smartCache', ({ cdn }) => (cdn.caching.smart_cache = !cdn.caching.smart_cache)),
  edit(true, 'Caching', '/cacheExpiration', ({ cdn }) => (cdn.caching.cache_expiration = 7)),
  edit(true, 'PhpVersion', '/version', (one) => (one.phpVersion = '8.1')),
  edit(false, 'Caching', '/varyCookie', ({ cdn }) => (cdn.caching.vary_cookie = !cdn.caching.vary_cookie)),
  edit(false, 'Caching', '/cookieVaryParameters', ({ cdn }) => (cdn.caching.cookie_vary_parameters = ['x'])),
  edit(false, 'CacheLayer/nginx', '/enabled', ({ layers }) => (layers.nginx.on = !layers.nginx.on)),
  edit(false, 'EdgeRule/one', undefined, (one) => (one.edgeRules = one.edgeRules.slice(1))),
  edit(false, 'EdgeRule/new', undefined, (one) => one.edgeRules.push(rule(`new-${one.id}`, 'new', 9))),
  edit(false, 'EdgeRule/two', '/enabled', ({ edgeRules }) => Object.assign(edgeRules[1] as object, { Enabled: false })),
  edit(false, 'EdgeRule', '/order', ({ edgeRules }) => edgeRules.forEach((one, at) => (one.OrderIndex = 5 - at))),
  edit(false, 'SiteMail', '/fromName', ({ mail }) => mail !== null && (mail.fromName = 'Sale')),
  edit(false, 'SiteDomain/new.example.com', undefined, (one, state) =>
    addDomain(state, one, { hostname: 'new.example.com' }),
  ),
];

/** Distinct sites, each with one edit. */
const editsOf = (declared: boolean, sites: readonly number[]) =>
  fc.tuple(
    fc.constant(sites),
    fc.array(fc.constantFrom(...EDITS.filter((one) => one.declared === declared)), { minLength: 10, maxLength: 10 }),
  );
const SITES = isWhole ? 1_000 : 40;
const day = fc
  .shuffledSubarray([...Array(SITES).keys()], { minLength: 20, maxLength: 20 })
  .chain((sites) => fc.tuple(editsOf(true, sites.slice(0, 10)), editsOf(false, sites.slice(10))));

it(`after a day on which 20 things of ${SITES} sites changed, 10 declared and 10 not, drift names all 20 and nothing else`, async () => {
  const nameOf = (at: number): string => `s${at}`;
  const build = () => {
    const { state } = buildScenario('empty');
    for (let at = 0; at < SITES; at += 1) {
      const name = nameOf(at);
      const one = addSite(state, { id: `site-${name}`, accountId: 'acc-acme', name, package: 'pro' });
      addDomain(state, one, { hostname: `${name}.example.com` });
      one.edgeRules = [rule(`a-${name}`, 'one', 0), rule(`b-${name}`, 'two', 1), rule(`c-${name}`, 'three', 2)];
    }
    return state;
  };
  const manifest = (at: number): string => {
    const spec = { caching: { smartCache: false, cacheExpiration: 60 }, phpVersion: '8.3' };
    const metadata = { name: nameOf(at), id: `site-${nameOf(at)}` };
    return JSON.stringify({ apiVersion: 'hostwright/v1', kind: 'Site', metadata, spec });
  };
  const files = { 'sites/all.yaml': [...Array(SITES).keys()].map(manifest).join('\n---\n') };
  const one = await startHarness({ scenario: build, files, workspace: OBSERVED, ledger: true });
  try {
    expect((await one.apply()).outcome).toMatchObject({ exitCode: 0 });
    const since = one.sandbox.requests.length;
    await record(one);
    const recorded = one.sandbox.requests.length - since;
    const before = structuredClone(one.sandbox.state.sites);
    await fc.assert(
      fc.asyncProperty(day, async (halves) => {
        for (const [id, was] of before) one.sandbox.state.sites.set(id, structuredClone(was));
        const expected = halves.flatMap(([sites, edits]) =>
          sites.map((at, index) => {
            const { declared, changes, act } = edits[index] as Edit;
            act(one.sandbox.state.sites.get(`site-${nameOf(at)}`) as Site, one.sandbox.state);
            const [address, path] = changes(nameOf(at));
            return `${declared ? 'drifted' : 'undeclared'} ${address} ${path ?? ''}`;
          }),
        );
        const from = one.sandbox.requests.length;
        const items = await drifted(one);
        expect(
          items
            .map(
              ({ address, class: which, fields }) => `${which} ${address} ${fields.map(({ path }) => path).join(' ')}`,
            )
            .sort(),
        ).toEqual(expected.sort());
        // As many reads as a recording takes, and for each site that differs its tasks, which may say who it was.
        expect(one.sandbox.requests.length - from).toBeLessThanOrEqual(recorded + 20);
      }),
      { numRuns: runsOf(50), ...seedOf() },
    );
  } finally {
    await one.close();
  }
});
