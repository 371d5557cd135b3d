// What was reviewed for one account approves nothing in another one, in whatever form it is given: tried with the built
// command, in two accounts in which the same would change.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Plan } from '../../../src/model/plan/plan.ts';
import { start } from '../../support/processes/command.ts';
import { openHarness } from '../../support/open-harness.ts';
import { manifest } from '../../support/manifests.ts';
import { containing, matching } from '../../support/matchers.ts';

const ids = ['acc-00001', 'acc-00002'] as const;

async function twoAccounts() {
  const harness = await openHarness({
    scenario: 'accounts:2',
    files: Object.fromEntries(
      ids.flatMap((id) => [
        [
          `${id}/hostwright.yaml`,
          `apiVersion: hostwright/v1\nkind: Workspace\nspec: { account: ${id}, baseUrl: "http://127.0.0.1:1", manifests: [sites] }\n`,
        ],
        [
          `${id}/sites/shop.json`,
          manifest('Site', 'shop', { caching: { cacheExpiration: 77 } }, { id: `site-${id}-shop` }),
        ],
      ]),
    ),
  });
  const { root, sandbox } = harness;
  const run = (id: string, ...args: readonly string[]) => start(args, { cwd: join(root, id), url: sandbox.url }).ended;
  return { ...harness, run, writes: () => sandbox.requests.filter(({ method }) => method !== 'GET') };
}

it('a comment and a plan are refused with the name of their account, bare digests are not the reviewed ones', async () => {
  const { run, root, writes } = await twoAccounts();
  const planned = await run(
    'acc-00001',
    ...['plan', '--out', 'plan.json', '--report', 'markdown=plan.md', '--report', 'outputs=plan.env'],
  );
  expect(planned.code, planned.stderr).toBe(0);
  const { actions } = JSON.parse(await readFile(join(root, 'acc-00001/plan.json'), 'utf8')) as Plan;
  expect(actions).toHaveLength(1);
  for (const review of ['../acc-00001/plan.md', '../acc-00001/plan.json'])
    expect(await run('acc-00002', 'apply', '--expect', review), review).toMatchObject({
      code: 1,
      stderr: matching(/HW2110[^]*a plan of acc-00001, and this workspace is acc-00002/),
    });
  expect(await run('acc-00002', 'apply', '--expect', actions.map(({ digest }) => digest).join(','))).toMatchObject({
    code: 4,
    stderr: containing('HW2104'),
  });
  expect(writes()).toEqual([]);
  expect(await run('acc-00001', 'apply', '--expect', 'plan.md')).toMatchObject({ code: 0 });
  expect(writes()).toHaveLength(1);
});
