// What was reviewed is what runs: pull requests merged out of order, the same approval used again after a run that
// ended early, a plan used twice, and plans that somebody changed, cut off or made for another account. Each with its
// exit code and its words.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deadlineOf } from '../../../src/model/deadline.ts';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import type { Plan } from '../../../src/model/plan/plan.ts';
import type { Fault } from '../../../src/sandbox/core/http/faults.ts';
import { runCommand } from '../../support/processes/command.ts';
import type { Harness } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import { siteManifest } from '../../support/manifests.ts';
import { siteOf } from '../../support/live.ts';
import { containing } from '../../support/matchers.ts';

const digestsOf = ({ actions }: Plan): readonly string[] => actions.map(({ digest }) => digest);

describe('two pull requests', () => {
  const before = {
    'sites/shop.json': siteManifest('shop', { caching: { smartCache: false } }),
    'sites/docs.json': siteManifest('docs', { caching: { smartCache: false } }),
  };
  const [shop, docs] = [
    siteManifest('shop', { caching: { smartCache: false, cacheExpiration: 11 } }),
    siteManifest('docs', { caching: { smartCache: false, cacheExpiration: 22 } }),
  ];

  /** Both are planned on the same base, as their reviewers saw them. */
  async function reviewed(): Promise<{ readonly one: Harness; readonly first: Plan; readonly second: Plan }> {
    const one = await openHarness({ files: before });
    expect((await one.apply()).outcome.exitCode).toBe(0);
    await one.write('sites/shop.json', shop);
    const first = await one.planned();
    await one.write('sites/shop.json', before['sites/shop.json']);
    await one.write('sites/docs.json', docs);
    const second = await one.planned();
    await one.write('sites/docs.json', before['sites/docs.json']);
    expect([first, second].map(({ actions }) => actions.map(({ address }) => address))).toEqual([
      ['Site/shop/Caching'],
      ['Site/docs/Caching'],
    ]);
    return { one, first, second };
  }

  it('merged out of order run under their own approvals, each its own actions', async () => {
    const { one, first, second } = await reviewed();
    await one.write('sites/docs.json', docs);
    expect((await one.apply({ approved: digestsOf(second) })).outcome).toMatchObject({
      exitCode: 0,
      outcome: 'done',
      actions: [{ address: 'Site/docs/Caching', result: 'done' }],
    });
    await one.write('sites/shop.json', shop);
    expect((await one.apply({ approved: digestsOf(first) })).outcome).toMatchObject({
      exitCode: 0,
      outcome: 'done',
      actions: [{ address: 'Site/shop/Caching', result: 'done' }],
    });
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  it('both merged before either ran: one approval is not enough, and nothing runs; both together are', async () => {
    const { one, first, second } = await reviewed();
    const sent = one.writes().length;
    await one.write('sites/docs.json', docs);
    await one.write('sites/shop.json', shop);
    const { outcome } = await one.apply({ approved: digestsOf(second) });
    expect(outcome).toMatchObject({
      exitCode: 4,
      outcome: 'conflict',
      actions: [],
      diagnostics: [{ code: 'HW2104', address: 'Site/shop/Caching', detail: containing('Site/shop/Caching: ') }],
    });
    expect(one.writes()).toHaveLength(sent);
    expect((await one.apply({ approved: [...digestsOf(first), ...digestsOf(second)] })).outcome).toMatchObject({
      exitCode: 0,
      outcome: 'done',
    });
    // The late job of a pull request that another one's run has carried out finds nothing to do.
    expect((await one.apply({ approved: digestsOf(first) })).outcome).toMatchObject({
      exitCode: 0,
      outcome: 'done',
      actions: [],
    });
  });

  it('of the same field: who comes second was reviewed against what is no longer so', async () => {
    const one = await openHarness({ files: before });
    await one.apply();
    const change = async (value: number): Promise<Plan> => {
      await one.write('sites/shop.json', siteManifest('shop', { caching: { cacheExpiration: value } }));
      return one.planned();
    };
    const [first, second] = [await change(33), await change(44)];
    expect((await one.apply({ approved: digestsOf(second) })).outcome.exitCode).toBe(0);
    await one.write('sites/shop.json', siteManifest('shop', { caching: { cacheExpiration: 33 } }));
    expect((await one.apply({ approved: digestsOf(first) })).outcome).toMatchObject({
      exitCode: 4,
      outcome: 'conflict',
      diagnostics: [{ code: 'HW2104' }],
    });
    expect((await one.apply({ plan: first })).outcome).toMatchObject({ exitCode: 4, outcome: 'conflict' });
    expect(siteOf(one.sandbox).cdn.caching.cache_expiration).toBe(44);
  });
});

describe.each(['digests', 'saved plan'] as const)('the same approval (%s), used again', (how) => {
  const again = (plan: Plan) => (how === 'digests' ? { approved: digestsOf(plan) } : { plan });

  it('after exit 3: what is in flight is continued, the rest runs, nothing is made twice', async () => {
    let written = 0;
    // Its second write takes two hours: the deadline comes in the midst of an action.
    const after = ({ method }: { readonly method: string }): void => {
      if (method !== 'GET' && (written += 1) === 2) one.sandbox.clock.advance(7_200_000);
    };
    const one: Harness = await openHarness({ example: 'small-agency', hooks: { after } });
    const plan = await one.planned();
    const first = await one.apply(
      { ...again(plan), parallelism: 1 },
      { deadline: deadlineOf(one.sandbox.clock.now(), 3_600_000, 60_000) },
    );
    expect(first.outcome).toMatchObject({ exitCode: 3, outcome: 'waiting' });
    expect(one.writes()).toHaveLength(2);
    const second = await one.apply(again(plan));
    expect(second.outcome, JSON.stringify(second.outcome, null, 1)).toMatchObject({ exitCode: 0, outcome: 'done' });
    expect([...one.sandbox.creations].filter(([, times]) => times > 1)).toEqual([]);
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  it('after exit 6: what failed runs, what is done is not done again', async () => {
    const one = await openHarness({ example: 'small-agency' });
    const plan = await one.planned();
    const refusal: Fault = {
      kind: 'status-before',
      status: 422,
      match: { method: 'PATCH', path: '/api/sites/*/cdn/caching' },
    };
    one.sandbox.setFaults([refusal]);
    const first = await one.apply(again(plan));
    expect(first.outcome, JSON.stringify(first.outcome, null, 1)).toMatchObject({
      exitCode: 6,
      outcome: 'partly-applied',
    });
    const posts = one.writes().filter((write) => write.startsWith('POST')).length;
    one.sandbox.setFaults([]);
    const second = await one.apply(again(plan));
    expect(second.outcome, JSON.stringify(second.outcome, null, 1)).toMatchObject({ exitCode: 0, outcome: 'done' });
    expect(one.writes().filter((write) => write.startsWith('POST'))).toHaveLength(posts);
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  it('after exit 0: a plan is good for one use, a set of digests for none that is not there', async () => {
    const one = await openHarness({ example: 'small-agency' });
    const plan = await one.planned();
    expect((await one.apply(again(plan))).outcome.exitCode).toBe(0);
    const sent = one.writes().length;
    const { outcome } = await one.apply(again(plan));
    if (how === 'digests') expect(outcome).toMatchObject({ exitCode: 0, outcome: 'done', actions: [] });
    else
      expect(outcome).toMatchObject({
        exitCode: 4,
        outcome: 'conflict',
        diagnostics: [{ code: 'HW2103', detail: containing('this plan ran to its end') }],
      });
    expect(one.writes()).toHaveLength(sent);
  });
});

describe('a plan that is not the one that was reviewed', () => {
  it('is refused by the command with exit 1 and a word that fits, and nothing is sent', async () => {
    const one = await openHarness({ example: 'small-agency' });
    const run = (...args: readonly string[]) => runCommand(args, { cwd: one.root, url: one.sandbox.url });
    await run('plan', '--out', 'plan.json');
    const text = await readFile(join(one.root, 'plan.json'), 'utf8');
    const plan = JSON.parse(text) as Plan;
    const json = (changed: object): string => JSON.stringify({ ...plan, ...changed });
    const [first, ...rest] = plan.actions;
    if (first === undefined) throw new Error('nothing is planned');
    const variants: Readonly<Record<string, readonly [content: string, code: string]>> = {
      'cut off': [text.slice(0, text.length / 2), 'HW6503'],
      'without a list': [json({ actions: undefined }), 'HW6503'],
      'of a newer version': [json({ format: 'hostwright.plan/2' }), 'HW6502'],
      'with another value': [text.replaceAll('shop.example.net', 'evil.example.net'), 'HW21'],
      'with an action less': [json({ actions: rest }), 'HW21'],
      'with an action twice': [json({ actions: [first, first, ...rest] }), 'HW21'],
      'with another request': [
        json({
          actions: [
            {
              ...first,
              steps: [
                {
                  do: 'request',
                  name: 'x',
                  method: 'DELETE',
                  path: ['/api/sites/site-shop'],
                  idempotent: true,
                  answers: [],
                  reason: 'x',
                },
              ],
            },
            ...rest,
          ],
        }),
        'HW21',
      ],
      'with its own order': [json({ actions: plan.actions.map((action) => ({ ...action, needs: [] })) }), 'HW21'],
      'bound elsewhere': [
        json({ bindings: Object.fromEntries(Object.keys(plan.bindings).map((address) => [address, 'site-foreign'])) }),
        'HW21',
      ],
      'of another account': [text.replaceAll('acc-acme', 'acc-other'), 'HW2102'],
    };
    await Promise.all(
      Object.entries(variants).map(async ([name, [content, code]]) => {
        const file = `${name.replaceAll(' ', '-')}.json`;
        await one.write(file, content);
        const { code: exitCode, stdout, stderr } = await run('apply', file, '--yes');
        expect(exitCode, `${name}: ${stdout}${stderr}`).toBe(1);
        expect(stdout + stderr, name).toContain(code);
        expect(stdout + stderr, name).toMatch(/Nothing is run|Make the plan again/i);
      }),
    );
    expect(one.writes()).toEqual([]);
    // The one that was not touched still runs.
    expect((await run('apply', 'plan.json')).code).toBe(0);
  });
});
