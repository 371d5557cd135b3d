// A run that dies at any append to its ledger, wherever that is kept. What it had begun and not sent is not in flight:
// it is planned anew, under the manifests and guards of then. Nothing is bought or deleted on the strength of a run
// that died.
import { afterEach, describe, expect, it } from 'vitest';
import type { RecordedRequest } from '../../../src/sandbox/core/http/recording.ts';
import { noGit, startGit } from '../../support/processes/git.ts';
import type { Harness } from '../../support/harness.ts';
import type { Demand, Story } from '../../support/loops.ts';
import { confirmNotMade, appendLoop, reviewed } from '../../support/loops.ts';
import { DISMISSED } from '../../support/manifests.ts';
import { createDatabase, noPostgres, query } from '../../support/servers/postgres.ts';
import { isWhole } from '../../support/whole.ts';

const HEAD = 'apiVersion: hostwright/v1\nkind: Site\n';
const launch = (extra = '', order = '  order: { variant: vanilla, location: ams, term: monthly }\n'): string =>
  `${HEAD}metadata: { name: launch }\n${extra}spec:\n  plan: pro\n${order}  primaryDomain: launch.example.com\n  domains: [launch.example.com]\n`;
const docs = (lifecycle: string): string =>
  `${HEAD}metadata: { name: docs, id: site-docs }\nlifecycle: { ${lifecycle} }\nspec: { caching: { cacheExpiration: 4711 } }\n`;
const shop = (plan: string): string =>
  `${HEAD}metadata: { name: shop, id: site-none }\nspec: { shield: { enabled: true, plan: ${plan}, learnOnActivation: false } }\n`;

const buys = ({ method, path }: RecordedRequest): boolean => method === 'POST' && path === '/api/orders';
const deletes = ({ method }: RecordedRequest): boolean => method === 'DELETE';
const upgrades = ({ method, path, body }: RecordedRequest): boolean =>
  method === 'PATCH' && path.endsWith('/shield') && JSON.stringify(body).includes('plan_type');

const buying: Story = {
  name: 'a purchase',
  options: { files: { 'sites/launch.yaml': launch() }, ledger: true },
  run: async (one, extra) => (await one.apply({ allowCharges: 1 }, extra)).outcome,
  check: (one, where) =>
    expect(
      [...one.sandbox.creations].filter(([what]) => what.startsWith('site order')),
      where,
    ).toHaveLength(1),
  confirmLost: confirmNotMade,
};

const resume = (forbids: Demand['forbids']): Demand => ({
  name: 'resumed with nothing allowed',
  options: { resumeOnly: true, allowCharges: 0, allowDeletes: 0 },
  forbids,
});
const nothingAllowed = (forbids: Demand['forbids']): Demand => ({
  name: 'applied with nothing allowed',
  options: { allowCharges: 0, allowDeletes: 0 },
  forbids,
});
const rewritten = (name: string, file: string, text: string, forbids: Demand['forbids']): Demand => ({
  name,
  prepare: (one) => one.write(file, text),
  options: { allowCharges: 5, allowDeletes: 5 },
  forbids,
});

const noOrder = [
  resume(buys),
  nothingAllowed(buys),
  rewritten('without order:', 'sites/launch.yaml', launch('', ''), buys),
  rewritten('protected', 'sites/launch.yaml', launch('lifecycle: { protect: true }\n'), buys),
  rewritten(
    'bought by hand',
    'sites/launch.yaml',
    launch().replace('name: launch', 'name: launch, id: site-blog'),
    buys,
  ),
];

const deleting: Story = {
  name: 'a delete',
  options: {
    files: {
      'sites/docs.yaml': docs('state: absent'),
      'sites/shop.yaml': `${HEAD}metadata: { name: shop, id: site-shop }\nspec: { caching: { cacheExpiration: 4711 } }\n`,
    },
    ledger: true,
  },
  run: async (one, extra) => (await one.apply({ allowDeletes: 1 }, extra)).outcome,
  check: (one, where) =>
    expect(one.sandbox.snapshot(), where).toMatchObject({ sites: { 'site-docs': { pendingDelete: true } } }),
};

const noDelete = [
  resume(deletes),
  nothingAllowed(deletes),
  rewritten('reverted', 'sites/docs.yaml', docs('state: present'), deletes),
  rewritten('protected', 'sites/docs.yaml', docs('state: absent, protect: true'), deletes),
];

const upgrading: Story = {
  name: 'a Shield plan',
  options: { scenario: 'shield', files: { 'sites/shop.yaml': shop('advanced') }, ledger: true },
  run: async (one, extra) => (await one.apply({ allowCharges: 1 }, extra)).outcome,
  check: () => undefined,
};

describe('a death at every append to a file', () => {
  it("of a run that buys: nothing more is bought than today's manifests and guards allow", () =>
    appendLoop(buying, noOrder));
  it('of a run that deletes: nothing more is deleted', () => appendLoop(deleting, noDelete));
  it.each([buying, deleting])('of a run with --expect, $name: the same comment runs the rest', (story) =>
    appendLoop(reviewed(story), []),
  );
  it('of a run that changes a paid plan: nothing more is paid for', () =>
    appendLoop(upgrading, [
      resume(upgrades),
      nothingAllowed(upgrades),
      rewritten('reverted', 'sites/shop.yaml', shop('basic'), upgrades),
    ]));
});

const workspace = (ledger: string): string =>
  `apiVersion: hostwright/v1\nkind: Workspace\nspec: { account: acc-acme, baseUrl: "http://127.0.0.1:1", manifests: [sites], ${DISMISSED}, ledger: ${ledger} }\n`;
/** Every append takes a while there: no more than a purchase and a delete. */
const small = `${HEAD}metadata: { name: launch }\nspec: { plan: pro, order: { variant: vanilla, location: ams, term: monthly } }\n`;
const both: Story = {
  ...deleting,
  name: 'a purchase and a delete',
  options: { ...deleting.options, files: { 'sites/docs.yaml': docs('state: absent'), 'sites/launch.yaml': small } },
  run: async (one, extra) => (await one.apply({ allowCharges: 1, allowDeletes: 1 }, extra)).outcome,
  confirmLost: confirmNotMade,
};
const neither = async (one: Harness): Promise<void> => {
  await one.write('sites/docs.yaml', docs('state: present'));
  await one.write('sites/launch.yaml', small.replace(/, order: \{.*?\}/, ''));
};
const spends = (request: RecordedRequest): boolean => buys(request) || deletes(request);
const allReverted: Demand = {
  name: 'all reverted',
  prepare: neither,
  options: { allowCharges: 5, allowDeletes: 5 },
  forbids: spends,
};

describe('a death at every append to a ledger that is shared', () => {
  let close: () => Promise<void> = () => Promise.resolve();
  afterEach(() => close());

  it.skipIf(noPostgres !== undefined)('in PostgreSQL', async () => {
    const database = await createDatabase();
    close = () => Promise.resolve();
    const fresh = async (): Promise<void> => {
      await query(database, 'DROP SCHEMA IF EXISTS hostwright CASCADE');
    };
    await appendLoop(
      {
        ...both,
        fresh,
        name: `${both.name}, in PostgreSQL`,
        options: { ...both.options, database, workspace: workspace('{ postgres: {} }') },
      },
      [resume(spends), allReverted],
      4,
    );
  });

  it.skipIf(noGit !== undefined || !isWhole)('in a Git remote', async () => {
    const ground = await startGit();
    close = ground.close;
    const folder = await ground.clone();
    const fresh = async (): Promise<void> => {
      for (const ref of ['refs/hostwright/ledger', 'refs/hostwright/ledger-lock'])
        await ground.git(ground.bare, 'update-ref', '-d', ref);
    };
    await appendLoop(
      {
        ...both,
        fresh,
        name: `${both.name}, in a Git remote`,
        options: { ...both.options, folder, programEnv: ground.env, workspace: workspace('{ git: {} }') },
      },
      [allReverted],
      // Each append is many processes.
      16,
    );
  });
});
