// A run reads what it is about and what that rests on, whatever else the account has: by targets, by a saved plan, by
// what a review was about. It says how much that was.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { rootOf } from '../../../src/model/address.ts';
import type { Plan } from '../../../src/model/plan/plan.ts';
import { PLAN_CASES } from '../../bench/plan-cases.ts';
import type { Harness } from '../../support/harness.ts';
import { reviewOf } from '../../support/harness.ts';
import { noGit, repositoryIn } from '../../support/processes/git.ts';
import { seedOf } from '../../support/property-runs.ts';
import { inTurn, isWhole } from '../../support/whole.ts';
import { siteManifest } from '../../support/manifests.ts';
import { openHarness } from '../../support/open-harness.ts';

/** A workspace of so many sites, each of which differs in its caching. */
async function sites(count: number): Promise<Harness> {
  const names = Array.from({ length: count }, (_, index) => `s${String(index + 1).padStart(5, '0')}`);
  return openHarness({
    scenario: `sites:${count}`,
    files: {
      'sites/all.yaml': names.map((name) => siteManifest(name, { caching: { cacheExpiration: 61 } })).join('\n---\n'),
    },
  });
}

const requestsOf = async (one: Harness, run: () => Promise<unknown>): Promise<readonly string[]> => {
  const from = one.sandbox.requests.length;
  await run();
  return one.sent(from);
};

describe('what one section of one site costs', () => {
  const SECTION = 'Site/s00003/Caching';

  it.each([
    ['--target', (one: Harness) => Promise.resolve(() => one.apply({ targets: [SECTION] }))],
    [
      'a saved plan of it',
      async (one: Harness) => {
        const plan = await one.planned({ targets: [SECTION] });
        return () => one.apply({ plan });
      },
    ],
    [
      '--expect with the comment of its plan',
      async (one: Harness) => {
        const review = reviewOf(await one.planned({ targets: [SECTION] }));
        return () => one.apply(review);
      },
    ],
  ])('%s: at most 20 requests, as many for 10 sites as for 200', async (_how, prepare) => {
    const counts: number[] = [];
    for (const count of [10, 200]) {
      const one = await sites(count);
      const run = await prepare(one);
      const requests = await requestsOf(one, run);
      const written = requests.filter((request) => !request.startsWith('GET'));
      expect(written).toEqual(['PATCH /api/sites/site-s00003/cdn/caching']);
      // However many pages a list of the whole account has, it is one list.
      counts.push(requests.filter((request) => !request.includes('page=')).length);
    }
    expect(counts[0]).toBe(counts[1]);
    expect(counts[0]).toBeLessThanOrEqual(20);
  });

  it('50 changed sites of 200: at most 4 reads a changed site', async () => {
    const one = await sites(200);
    const targets = Array.from({ length: 50 }, (_, index) => `Site/s${String(index + 1).padStart(5, '0')}`);
    const review = reviewOf(await one.planned({ targets }));
    const requests = await requestsOf(one, () => one.apply(review));
    expect(requests.filter((request) => request.startsWith('PATCH'))).toHaveLength(50);
    expect(requests.filter((request) => request.startsWith('GET')).length).toBeLessThanOrEqual(4 * 50);
  });
});

describe('what a narrowed run says', () => {
  it('how much it looked at, in words and as data; the rest is not touched', async () => {
    const one = await sites(10);
    const { plan, partRead } = await one.plan({ targets: ['Site/s00003'] });
    expect(partRead?.detail).toBe(
      'Looked at 1 of 10 manifests: Site/s00003. Nothing else of the account was read, so nothing is said about the rest.',
    );
    expect(plan?.covers).toEqual({ targets: ['Site/s00003'], read: ['Site/s00003'] });
    const { outcome } = await one.apply({ targets: ['Site/s00003'] });
    expect(outcome.actions.map(({ address }) => address)).toEqual(['Site/s00003/Caching']);
    expect(outcome.diagnostics.map(({ code }) => code)).toContain('HW6142');
  });

  it('of the review of a whole plan: the sites in which it does something', async () => {
    const one = await sites(3);
    await one.apply({ targets: ['Site/s00001', 'Site/s00002'] });
    const review = reviewOf(await one.planned());
    expect(review.reviewed).toEqual(['Site/s00003']);
    expect((await one.apply(review)).outcome).toMatchObject({
      exitCode: 0,
      actions: [{ address: 'Site/s00003/Caching', result: 'done' }],
    });
  });

  it('of a review of nothing: everything is looked at, and what nobody reviewed refuses the run', async () => {
    const one = await sites(3);
    await one.apply();
    const review = reviewOf(await one.planned());
    expect(review).toEqual({ approved: [], approvedFor: 'acc-acme' });
    await one.write('sites/all.yaml', siteManifest('s00001', { caching: { cacheExpiration: 62 } }));
    expect((await one.apply(review)).outcome).toMatchObject({ exitCode: 4, outcome: 'conflict' });
  });

  it('of a site that is to be deleted: the whole account is read, and it says why', async () => {
    const one = await sites(3);
    await one.write('sites/s00001.json', '');
    await one.write(
      'sites/all.yaml',
      ['s00001', 's00002', 's00003']
        .map((name, index) => siteManifest(name, {}, index === 0 ? { lifecycle: { state: 'absent' } } : {}))
        .join('\n---\n'),
    );
    const plan = await one.planned({ targets: ['Site/s00001'] });
    expect(plan.actions.map(({ verb, address }) => `${verb} ${address}`)).toEqual(['delete Site/s00001']);
    expect(plan.notices.map(({ code }) => code)).toContain('HW6143');
    expect(plan.covers).toEqual({ targets: ['Site/s00001'] });
  });
});

/** What was planned of a part is what the whole plan says of it, and all that the whole plan does in these roots. */
function expectPart(part: Plan, whole: Plan, roots: ReadonlySet<string>): void {
  const digestsOf = ({ actions }: Plan) => new Map(actions.map(({ address, digest }) => [address, digest]));
  const [found, digests] = [digestsOf(part), digestsOf(whole)];
  const expected = [...digests.keys()].filter((address) => roots.has(rootOf(address)));
  expect([...found.keys()]).toEqual(expect.arrayContaining(expected));
  for (const [address, digest] of found) expect([address, digest]).toEqual([address, digests.get(address)]);
  for (const list of ['blocked', 'unknown', 'waiting', 'manual', 'deferred'] as const) {
    const inRoots = (plan: Plan) => plan[list].filter(({ address }) => roots.has(rootOf(address)));
    expect(inRoots(part)).toEqual(inRoots(whole));
  }
}

describe('a narrowed plan is the part of the whole plan that it would be', () => {
  it.each(inTurn(PLAN_CASES, 0, 6).map((one, index) => [one.name, one, index] as const))(
    '%s',
    async (_name, { name: _, targets: __, ...options }, index) => {
      const one = await openHarness(options);
      const { plan: whole } = await one.plan();
      if (whole === undefined) return;
      const roots = [...new Set(whole.actions.map(({ address }) => rootOf(address)))];
      for (const root of new Set([roots[0], roots[Math.floor(roots.length / 2)], roots.at(-1)]))
        if (root !== undefined) expectPart(await one.planned({ targets: [root] }), whole, new Set([root]));
      if (noGit !== undefined) return;
      const { git, programs } = await repositoryIn(one.root);
      const files = await manifestFiles(one.root);
      const { seed } = seedOf();
      for (const [nth, draw] of fc.sample(edit, { numRuns: isWhole ? 8 : 1, seed: seed + index }).entries()) {
        const former = before(files, { ...draw, added: seed + index + nth });
        for (const [file, text] of former) await writeFile(file, text);
        await git('add', '--all', '--force');
        await git('commit', '-q', '--allow-empty', '-m', 'before');
        for (const [file, text] of files) await writeFile(file, text);
        const { plan, diagnostics } = await one.plan({ changedSince: 'HEAD' }, programs);
        if (plan?.covers === undefined) throw new Error(JSON.stringify([plan?.notices, diagnostics]));
        expect(plan.covers.targets).not.toEqual([]);
        expectPart(plan, whole, new Set(plan.covers.targets));
      }
    },
  );
});

/** The document, and the field of its spec, that is edited. */
const edit = fc.record({ edited: fc.nat(), field: fc.nat() });

/** Path and text of each file of manifests. */
async function manifestFiles(root: string): Promise<readonly (readonly [string, string])[]> {
  const all = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = all
    .filter((entry) => entry.isFile() && /^(?!hostwright\.).*\.(ya?ml|json)$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !/\/\./.test(path.slice(root.length)))
    .sort();
  const files = await Promise.all(paths.map(async (path) => [path, await readFile(path, 'utf8')] as const));
  return files.filter(([, text]) => /\bkind"?:/.test(text));
}

/** The files as they were: without one document, and without a field of the spec of another. */
function before(
  files: readonly (readonly [string, string])[],
  { added, edited, field }: { readonly added: number; readonly edited: number; readonly field: number },
): readonly (readonly [string, string])[] {
  const documents = files.flatMap(([file, text]) =>
    text.split(/^---\n/m).map((document) => ({ file, text: document })),
  );
  const gone = documents[added % documents.length];
  const poorer = documents[edited % documents.length];
  return files.map(([file]) => [
    file,
    documents
      .filter((one) => one.file === file && one !== gone)
      .map((one) => (one === poorer ? without(one.text, field) : one.text))
      .join('\n---\n'),
  ]);
}

function without(text: string, field: number): string {
  const manifest = parse(text) as { readonly spec?: object } | null;
  const fields = Object.entries(manifest?.spec ?? {});
  if (manifest === null || fields.length === 0) return text;
  return `${JSON.stringify({ ...manifest, spec: Object.fromEntries(fields.toSpliced(field % fields.length, 1)) })}\n`;
}
