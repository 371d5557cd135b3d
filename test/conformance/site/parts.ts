// Conformance of what belongs to a site beside its domains and CDN: PHP version, cache layers, backups, and the tasks
// behind them.
import assert from 'node:assert/strict';
import { OAUTH_TOKEN, READER_API_KEY } from '../../../src/sandbox/core/http/credentials.ts';
import { keysOf, refused } from '../context.ts';
import type { Client, ConformanceCase } from '../context.ts';

const SHOP = '/api/sites/site-shop';

const activeLabels = async (client: Client): Promise<readonly unknown[]> => {
  const rows = (await client.get(`${SHOP}/variants`)).at('php') as { label: string; active: boolean }[];
  return rows.filter(({ active }) => active).map(({ label }) => label);
};

/** Advances the clock until what was started is over. */
const settle = (client: Client): void => client.sandbox.clock.advance(10_000);

async function archives(client: Client): Promise<readonly unknown[]> {
  const rows = (await client.get(`${SHOP}/backups`)).at('content', 'archives') as { name: string }[];
  return rows.map(({ name }) => name).sort();
}

const phpCases: readonly ConformanceCase[] = [
  {
    rule: 'PHP-01',
    title: 'the variants are under php, each with an integer id and a label',
    async run(context) {
      const client = await context.start();
      const reply = await client.get(`${SHOP}/variants`);
      assert.deepEqual(Object.keys(reply.at() as object), ['php']);
      assert.deepEqual(reply.column('php', 'label'), ['8.1', '8.2', '8.3']);
      assert.deepEqual(reply.column('php', 'id'), [101, 102, 103]);
    },
  },
  {
    rule: 'PHP-02',
    title: 'the version in use is not the default one',
    async run(context) {
      const client = await context.start();
      const rows = (await client.get(`${SHOP}/variants`)).at('php') as {
        label: string;
        active: boolean;
        is_default: boolean;
      }[];
      assert.deepEqual(
        rows.filter((one) => one.active).map((one) => one.label),
        ['8.2'],
      );
      assert.deepEqual(
        rows.filter((one) => one.is_default).map((one) => one.label),
        ['8.3'],
      );
    },
  },
  {
    rule: 'PHP-03',
    title: 'a change answers a task; an id of another site is refused',
    async run(context) {
      const client = await context.start();
      const reply = await client.call('PATCH', `${SHOP}/variants/php`, { variant_id: 103 });
      assert.equal(typeof reply.at('task_id'), 'number');
      assert.equal((await client.get(`/api/tasks/${String(reply.at('task_id'))}`)).at('status'), 'PENDING');
      assert.equal((await client.call('PATCH', `${SHOP}/variants/php`, { variant_id: 203 })).status, 422);
      assert.equal((await client.call('PATCH', `${SHOP}/variants/php`, { variant_id: '103' })).status, 422);
    },
  },
  {
    rule: 'PHP-03/restart',
    title: 'the version changes when its task is OK, with a restart on the way',
    async run(context) {
      const client = await context.start();
      await client.call('PATCH', `${SHOP}/variants/php`, { variant_id: 103 });
      assert.deepEqual(await activeLabels(client), ['8.2']);
      settle(client);
      assert.deepEqual(await activeLabels(client), ['8.3']);
      assert.equal(client.sandbox.state.sites.get('site-shop')?.restarts.cms, 1);
    },
  },
];

const cacheCases: readonly ConformanceCase[] = [
  {
    rule: 'CCH-01',
    title: 'three flags',
    async run(context) {
      const client = await context.start();
      const reply = await client.get(`${SHOP}/cache`);
      assert.deepEqual(keysOf(reply.at()), ['cdn', 'nginx', 'redis']);
      assert.deepEqual([reply.at('cdn'), reply.at('nginx'), reply.at('redis')], [true, true, false]);
    },
  },
  {
    rule: 'CCH-02',
    title: 'enabling is a pending task, and done when that is OK',
    async run(context) {
      const client = await context.start();
      const site = client.sandbox.state.sites.get('site-shop');
      assert.ok(site !== undefined);
      site.package = 'max';
      const reply = await client.call('PATCH', `${SHOP}/cache/redis`);
      assert.deepEqual([reply.status, reply.at('status'), reply.at('cache_type')], [202, 'PENDING', 'redis']);
      assert.equal((await client.get(`${SHOP}/cache`)).at('redis'), false);
      settle(client);
      assert.equal((await client.get(`${SHOP}/cache`)).at('redis'), true);
    },
  },
  {
    rule: 'CCH-03',
    title: 'disabling is a DELETE that takes can_destroy',
    async run(context) {
      const client = await context.start();
      const reply = await client.call('DELETE', `${SHOP}/cache/nginx`);
      assert.deepEqual([reply.status, reply.at('status'), reply.at('cache_type')], [202, 'PENDING', 'nginx']);
      settle(client);
      assert.equal((await client.get(`${SHOP}/cache`)).at('nginx'), false);
      assert.equal(
        (await client.call('DELETE', '/api/sites/site-docs/cache/cdn', undefined, { token: READER_API_KEY })).status,
        403,
      );
    },
  },
  {
    rule: 'CCH-04',
    title: 'purging empties a layer and leaves it on',
    async run(context) {
      const client = await context.start();
      assert.equal((await client.call('DELETE', `${SHOP}/cache/nginx/purge`)).status, 202);
      settle(client);
      assert.deepEqual(client.sandbox.state.sites.get('site-shop')?.layers.nginx, { on: true, purges: 1 });
    },
  },
  {
    rule: 'CNV-15',
    title: 'purging a layer takes can_modify, though it is a DELETE',
    async run(context) {
      const client = await context.start();
      assert.equal(
        (await client.call('DELETE', '/api/sites/site-docs/cache/cdn/purge', undefined, { token: READER_API_KEY }))
          .status,
        202,
      );
    },
  },
  {
    rule: 'CCH-05',
    title: 'all means every layer of the plan',
    async run(context) {
      const client = await context.start();
      const reply = await client.call('DELETE', `${SHOP}/cache/all`);
      assert.deepEqual([reply.status, reply.at('cache_type')], [202, 'all']);
      settle(client);
      const flags = await client.get(`${SHOP}/cache`);
      assert.deepEqual([flags.at('cdn'), flags.at('nginx')], [false, false]);
    },
  },
  {
    rule: 'CCH-06',
    title: 'an unknown layer is told what there is',
    async run(context) {
      const client = await context.start();
      const reply = await client.call('PATCH', `${SHOP}/cache/varnish`);
      refused(reply, 422, undefined);
      assert.deepEqual(
        [reply.at('error'), [...(reply.at('allowed') as string[])].sort()],
        ['unknown_cache_type', ['all', 'cdn', 'nginx', 'redis']],
      );
    },
  },
  {
    rule: 'CCH-06/unavailable',
    title: 'a layer outside the plan is named',
    async run(context) {
      const client = await context.start();
      for (const [method, path] of [
        ['PATCH', ''],
        ['DELETE', ''],
        ['DELETE', '/purge'],
      ] as const) {
        const reply = await client.call(method, `${SHOP}/cache/redis${path}`);
        assert.deepEqual(
          [reply.status, reply.at('error'), reply.at('cache_type')],
          [422, 'cache_type_unavailable', 'redis'],
        );
      }
    },
  },
  {
    rule: 'CCH-07',
    title: 'without a CDN there are no layers',
    async run(context) {
      const client = await context.start({ scenario: 'guards' });
      refused(await client.get('/api/sites/site-no-cdn/cache'), 409, 'cdn_not_active');
      refused(await client.call('PATCH', '/api/sites/site-cdn-off/cache/nginx'), 409, 'cdn_not_active');
    },
  },
];

const backupCases: readonly ConformanceCase[] = [
  {
    rule: 'BKP-01',
    title: 'backups are keyed by volume',
    async run(context) {
      const client = await context.start();
      const reply = await client.get(`${SHOP}/backups`, { token: OAUTH_TOKEN });
      assert.deepEqual(Object.keys(reply.at() as object).sort(), ['content', 'database']);
      assert.deepEqual(reply.at('content'), {
        id: 11,
        size: 2.5,
        usage: 1.25,
        archives: [{ id: 'arch-nightly', name: 'nightly', created: '2026-01-14T09:00:00.000Z' }],
      });
    },
  },
  {
    rule: 'BKP-02',
    title: 'a PATCH makes a backup, listed once its work is done; twice makes two',
    async run(context) {
      const client = await context.start();
      assert.equal((await client.call('PATCH', `${SHOP}/backups/11`, { name: 'before' })).status, 204);
      assert.deepEqual(await archives(client), ['nightly']);
      settle(client);
      assert.deepEqual(await archives(client), ['before', 'nightly']);
      await client.call('PATCH', `${SHOP}/backups/11`, { name: 'before' });
      settle(client);
      assert.deepEqual(await archives(client), ['before', 'before', 'nightly']);
      assert.equal((await client.call('PATCH', `${SHOP}/backups/11`, {})).status, 422);
      assert.equal((await client.call('PATCH', `${SHOP}/backups/21`, { name: 'before' })).status, 404);
    },
  },
  {
    rule: 'BKP-03',
    title: 'a DELETE with a body removes the archive it names, and no other',
    async run(context) {
      const client = await context.start();
      await client.call('PATCH', `${SHOP}/backups/11`, { name: 'before' });
      settle(client);
      assert.equal((await client.call('DELETE', `${SHOP}/backups/11`)).status, 422);
      assert.equal((await client.call('DELETE', `${SHOP}/backups/11`, { backup_id: 'arch-nightly' })).status, 204);
      settle(client);
      assert.deepEqual(await archives(client), ['before']);
    },
  },
  {
    rule: 'BKP-04',
    title: 'an archive is restored at restores',
    async run(context) {
      const client = await context.start();
      assert.equal((await client.call('PATCH', `${SHOP}/restores/11`, { backup_id: 'arch-nightly' })).status, 204);
      settle(client);
      assert.equal(client.sandbox.state.sites.get('site-shop')?.volumes[0]?.restoredFrom, 'arch-nightly');
      assert.equal((await client.call('PATCH', `${SHOP}/restores/11`, { backup_id: 'nowhere' })).status, 404);
    },
  },
];

const taskCases: readonly ConformanceCase[] = [
  {
    rule: 'TSK-09',
    title: 'cache and PHP changes name their task; backups, restart and delete do not',
    async run(context) {
      const client = await context.start({ ambiguities: { 'GAP-09': 'object' } });
      assert.equal(typeof (await client.call('PATCH', `${SHOP}/cache/nginx`)).at('task_id'), 'number');
      assert.equal(
        typeof (await client.call('PATCH', `${SHOP}/variants/php`, { variant_id: 101 })).at('task_id'),
        'number',
      );
      for (const reply of [
        await client.call('PATCH', `${SHOP}/backups/11`, { name: 'a' }),
        await client.call('PATCH', `${SHOP}/restores/11`, { backup_id: 'arch-nightly' }),
        await client.call('POST', SHOP),
        await client.call('DELETE', SHOP),
      ])
        assert.deepEqual([reply.status, reply.at('task_id')], [200, undefined]);
    },
  },
  {
    rule: 'TSK-02',
    title: 'a task that fails, stops or is called off changes nothing; one that goes on does',
    async run(context) {
      const client = await context.start();
      client.sandbox.state.taskFates.push(
        { name: 'site.variant', status: 'FAILED' },
        { status: 'CANCELLED' },
        { siteId: 'site-shop', status: 'PAUSED' },
      );
      const ids = [];
      for (let time = 0; time < 3; time += 1)
        ids.push((await client.call('PATCH', `${SHOP}/variants/php`, { variant_id: 103 })).at('task_id'));
      settle(client);
      const statuses = await Promise.all(
        ids.map(async (id) => (await client.get(`/api/tasks/${String(id)}`)).at('status')),
      );
      assert.deepEqual([statuses, await activeLabels(client)], [['FAILED', 'CANCELLED', 'PAUSED'], ['8.2']]);
      await client.call('PATCH', `/_sandbox/tasks/${String(ids[2])}`, { status: 'OK' });
      assert.deepEqual(await activeLabels(client), ['8.3']);
    },
  },
];

export const sitePartCases: readonly ConformanceCase[] = [...phpCases, ...cacheCases, ...backupCases, ...taskCases];
